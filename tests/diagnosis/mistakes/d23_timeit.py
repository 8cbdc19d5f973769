# rule: D23
# line: 6
import timeit
import torch
x = torch.randn(64, 64, device="cuda")
print(timeit.timeit(lambda: x @ x, number=5) >= 0)
