import torch
import torch.nn as nn

layers = [nn.Linear(256, 256) for _ in range(6)]
model = nn.Sequential(*layers).to("cuda")
x = torch.randn(1024, 256, device="cuda")


def peak(call):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    call()
    return (torch.cuda.max_memory_allocated() - before) // 2**10


def with_graph():
    model(x)


def without_graph():
    with torch.no_grad():
        model(x)


print("KiB with a graph:   ", peak(with_graph))
print("KiB without a graph:", peak(without_graph))
