# Multiplications and additions by module and operator: torch.utils.flop_counter.
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode
from torch.utils.module_tracker import ModuleTracker


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 8)
        self.b = nn.Linear(8, 4, bias=False)

    def forward(self, x):
        return x + self.b(torch.relu(self.a(x)))


def show(counter):
    print(counter.get_total_flops())
    for name, counts in sorted(counter.get_flop_counts().items()):
        print(name, sorted((str(operator), count) for operator, count in counts.items()))


model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 6 * 6, 10))
with FlopCounterMode(display=False) as counter:
    model(torch.randn(2, 3, 8, 8)).sum().backward()
show(counter)
print(counter.get_table())
with FlopCounterMode(display=False) as counter:
    nn.Sequential(Block(), Block())(torch.randn(2, 3, 4)).sum().backward()
show(counter)
print(counter.get_table(depth=3))
with FlopCounterMode(display=False) as counter:
    torch.randn(3, 4) @ torch.randn(4, 5)
    torch.randn(2, 3, 4) @ torch.randn(4, 5)
    torch.bmm(torch.randn(2, 3, 4), torch.randn(2, 4, 5))
    torch.randn(3) @ torch.randn(3)
    torch.randn(3, 4) @ torch.randn(4)
    torch.addmm(torch.ones(5), torch.randn(3, 4), torch.randn(4, 5))
    torch.einsum("bij,bjk->bik", torch.randn(2, 3, 4), torch.randn(2, 4, 5))
    nn.ConvTranspose2d(2, 3, 2)(torch.randn(1, 2, 4, 4))
    nn.Conv1d(2, 3, 2)(torch.randn(1, 2, 4))
show(counter)
print(counter.get_table())
with FlopCounterMode(display=False) as counter:
    torch.ones(2) + 1
print(counter.get_table())
with ModuleTracker() as tracker:
    block = Block()
    block.a.register_forward_hook(lambda module, inputs, output: print(sorted(tracker.parents), tracker.is_bw))
    block(torch.ones(1, 4))
print(tracker.parents)
