# rule: D23
# line: 8
from time import perf_counter as clock
import torch
def bench(fn, arg):
    started = clock()
    fn(arg)
    return clock() - started
print(bench(torch.exp, torch.ones(1000, device="cuda")) >= 0)
