# Paths that were slow once, in microseconds (medians): runs under PyTorch and here, on the CPU.
import os
import statistics
import tempfile
import time

import torch
from torch import nn
from torch.func import functional_call, grad, hessian, vmap

torch.manual_seed(0)


def median(name, f, seconds=0.5):
    f()
    begin = time.perf_counter()
    f()
    inner = max(1, int(0.02 / max(time.perf_counter() - begin, 1e-7)))
    times, until = [], time.perf_counter() + seconds
    while time.perf_counter() < until or len(times) < 3:
        begin = time.perf_counter()
        for _ in range(inner):
            f()
        times.append((time.perf_counter() - begin) / inner * 1e6)
    print(f"{name} {statistics.median(times):.2f}", flush=True)


def both(name, model, x):
    """A forward pass without gradients, and a step of forward and backward."""
    parameters = list(model.parameters())

    def step():
        out = model(x)
        (out[0] if isinstance(out, tuple) else out).sum().backward()
        for p in parameters:
            p.grad = None

    with torch.no_grad():
        median(f"{name}_forward", lambda: model(x))
    median(f"{name}_step", step)


both("conv_512_on_1x1", nn.Conv2d(512, 512, 3, padding=1), torch.randn(32, 512, 1, 1))
both("conv_256_on_2x2", nn.Conv2d(256, 256, 3, padding=1), torch.randn(32, 256, 2, 2))
both("conv_64_on_7x7", nn.Conv2d(64, 64, 3, padding=1), torch.randn(32, 64, 7, 7))
both("conv_16_on_28x28", nn.Conv2d(16, 32, 3, padding=1), torch.randn(32, 16, 28, 28))
both("lstm_both_ways", nn.LSTM(32, 64, batch_first=True, bidirectional=True), torch.randn(16, 20, 32))
both("linear_8x768_3072", nn.Linear(768, 3072), torch.randn(8, 768))

x, y = torch.randn(64, 16), torch.randn(64)
weights = torch.randn(16)
loss = lambda w, x, y: ((x @ w).tanh() - y).square().mean()
median("hessian", lambda: hessian(loss)(weights, x, y))
samples = torch.randn(64, 4)
median("vmap_hessian", lambda: vmap(hessian(lambda p: (p.sin() * p.roll(1)).sum() + p.prod()))(samples))

net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
state = {k: v.detach() for k, v in net.named_parameters()}
per_sample = vmap(grad(lambda p, x, y: (functional_call(net, p, (x,))[0] - y).square()), in_dims=(None, 0, 0))
median("vmap_grad", lambda: per_sample(state, x, y))

a, b = torch.randn(256, 512), torch.randn(256, 512)
median("mul_sum_last", lambda: a.mul(b).sum(-1))

with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "model.pt")
    torch.save({f"layer{i}": torch.randn(512, 512) for i in range(24)}, file)
    median("load_24_mb", lambda: torch.load(file))
    median("load_24_mb_mmap", lambda: torch.load(file, mmap=True))
