# rule: D23
# line: 10
import time
import torch
class Timer:
    def __enter__(self):
        self.start = time.perf_counter()
        return self
    def __exit__(self, *exc):
        self.seconds = time.perf_counter() - self.start
x = torch.rand(100, 100).cuda()
with Timer() as t:
    for _ in range(5):
        x = x * 1.01
print(t.seconds >= 0)
