# rule: D23
# line: 11
import time
import torch
from torch import nn
def latency(model, x, runs):
    started = time.monotonic()
    with torch.no_grad():
        for _ in range(runs):
            model(x)
    stopped = time.monotonic()
    return (stopped - started) / runs
print(latency(nn.Linear(32, 32).cuda(), torch.ones(8, 32).cuda(), 6) >= 0)
