# The figures: one file for PyTorch and Tensoryard. Prints `name value unit`, the median of repeated runs; what this side does
# not have is printed as `name missing reason`. Names of parts as arguments run these only.
import statistics
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
synchronize = torch.cuda.synchronize


def seconds(work, budget=0.4, least=5):
    """Median seconds of one call, in batches long enough that the wait for the device does not count."""
    work()
    synchronize()
    begin = time.perf_counter()
    work()
    synchronize()
    once = max(time.perf_counter() - begin, 1e-6)
    inner = max(1, min(200, int(0.02 / once)))
    found, end = [], time.perf_counter() + budget
    while len(found) < least or (time.perf_counter() < end and len(found) < 50):
        begin = time.perf_counter()
        for _ in range(inner):
            work()
        synchronize()
        found.append((time.perf_counter() - begin) / inner)
    return statistics.median(found)


def show(name, work, of, unit):
    """`of` is what one call does, in the unit times seconds."""
    try:
        print(name, f"{of / seconds(work):.4g}", unit, flush=True)
    except (NotImplementedError, AttributeError, RuntimeError) as error:
        print(name, "missing", str(error).splitlines()[0] if str(error) else type(error).__name__, flush=True)


def products():
    for n in (1024, 2048, 4096, 8192):
        a, b = torch.randn(n, n, device=device), torch.randn(n, n, device=device)
        flops = 2 * n**3 / 1e12
        show(f"matmul_f32_{n}", lambda: a @ b, flops, "TFLOP/s")
        try:
            torch.backends.cuda.matmul.allow_tf32 = True
            show(f"matmul_tf32_{n}", lambda: a @ b, flops, "TFLOP/s")
            torch.backends.cuda.matmul.allow_tf32 = False
        except (AttributeError, NotImplementedError) as error:
            print(f"matmul_tf32_{n}", "missing", error)
        c, d = a.bfloat16(), b.bfloat16()
        show(f"matmul_bf16_{n}", lambda: c @ d, flops, "TFLOP/s")


def elementwise():
    for label, count in (("1k", 1024), ("64MiB", 16 << 20), ("256MiB", 64 << 20)):
        x, y = torch.randn(count, device=device), torch.randn(count, device=device)
        size = 4 * count / 1e9
        show(f"add_{label}", lambda: x + y, 3 * size, "GB/s")
        show(f"relu_{label}", lambda: F.relu(x), 2 * size, "GB/s")
        show(f"sum_{label}", lambda: x.sum(), size, "GB/s")
        rows = x.view(-1, 1024)
        show(f"softmax_{label}", lambda: F.softmax(rows, 1), 2 * size, "GB/s")
        norm = nn.LayerNorm(1024).to(device)
        with torch.no_grad():
            show(f"layer_norm_{label}", lambda: norm(rows), 2 * size, "GB/s")
        del x, y, rows


def copies():
    for label, count in (("64MiB", 16 << 20), ("256MiB", 64 << 20)):
        size = 4 * count / 1e9
        host, there = torch.randn(count), torch.randn(count, device=device)
        show(f"h2d_pageable_{label}", lambda: host.to(device), size, "GB/s")
        show(f"d2h_pageable_{label}", lambda: there.cpu(), size, "GB/s")
        pinned = host.pin_memory()
        show(f"h2d_pinned_{label}", lambda: pinned.to(device, non_blocking=True), size, "GB/s")


def training():
    torch.manual_seed(0)
    x, y = torch.randn(64, 16, device=device), torch.randn(64, 1, device=device)
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer, measure = torch.optim.Adam(model.parameters(), lr=0.001), nn.MSELoss()

    def step():
        loss = measure(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    show("seed_step", step, 1, "steps/s")

    # The step captured once and replayed.
    def captured():
        graph = torch.cuda.CUDAGraph()
        capturable = torch.optim.Adam(model.parameters(), lr=0.001, capturable=True)
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            for _ in range(3):
                capturable.zero_grad()
                measure(model(x), y).backward()
                capturable.step()
        synchronize()
        with torch.cuda.graph(graph):
            capturable.zero_grad()
            measure(model(x), y).backward()
            capturable.step()
        return graph

    try:
        graph = captured()
        show("seed_step_captured", graph.replay, 1, "steps/s")
    except (NotImplementedError, AttributeError, TypeError, RuntimeError) as error:
        print("seed_step_captured", "missing", str(error).splitlines()[0])


def network():
    torch.manual_seed(0)
    images, labels = torch.randn(2048, 1, 28, 28, device=device), torch.randint(0, 10, (2048,), device=device)
    model = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
        nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32 * 7 * 7, 10),
    ).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    def epoch():
        for i in range(0, 2048, 128):
            loss = F.cross_entropy(model(images[i : i + 128]), labels[i : i + 128])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    show("cnn_epoch", epoch, 2048, "images/s")

    # The step of one batch captured once; each batch is copied to where the graph reads it.
    def captured():
        batch, truth = images[:128].clone(), labels[:128].clone()

        def step():
            optimizer.zero_grad(set_to_none=True)
            F.cross_entropy(model(batch), truth).backward()
            optimizer.step()

        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                step()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()

        def epoch():
            for i in range(0, 2048, 128):
                batch.copy_(images[i : i + 128])
                truth.copy_(labels[i : i + 128])
                graph.replay()

        return epoch

    try:
        show("cnn_epoch_captured", captured(), 2048, "images/s")
    except (NotImplementedError, AttributeError, TypeError, RuntimeError) as error:
        print("cnn_epoch_captured", "missing", str(error).splitlines()[0])


print("card", torch.cuda.get_device_name(0).replace(" ", "_"), "name", flush=True)
for part in (products, elementwise, copies, training, network):
    if len(sys.argv) < 2 or part.__name__ in sys.argv[1:]:
        part()
