# What the methods that draw numbers say to arguments without a meaning, and how they print these numbers.
import torch
import torch.nn.functional as F

nan, inf = float("nan"), float("inf")


def says(call):
    try:
        print(tuple(call().shape))
    except (RuntimeError, NotImplementedError) as error:
        print(f"{type(error).__name__}: {error}")


for value in (nan, -1e-7, -1e-5, -1e-4, -1 / 3, -123456.7, -999999.5, -2.5e10, -inf):
    says(lambda: torch.empty(1).normal_(0, value))
    says(lambda: torch.empty(1).log_normal_(0, value))
    says(lambda: torch.empty(1).exponential_(value))
    says(lambda: torch.empty(1).cauchy_(0, value))
    says(lambda: torch.empty(1).geometric_(value))
    says(lambda: torch.empty(1).bernoulli_(value))
    says(lambda: F.softshrink(torch.ones(1), value))

for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64):
    empty = torch.empty(1, dtype=dtype)
    for ends in ((nan, 1), (0, nan), (0, inf), (-inf, 0), (0, 1e5), (0, 1e39), (-6e4, 6e4), (-3e38, 3e38), (-1.5e308, 1.5e308),
                 (1e-7, 1e-9), (1234567.0, 0.1), (2, 2)):
        says(lambda: empty.uniform_(*ends))
says(lambda: torch.empty(1, dtype=torch.int64).uniform_(3, 2))

for dtype in (torch.uint8, torch.uint16, torch.uint32, torch.int32):
    empty = torch.empty(1, dtype=dtype)
    says(lambda: empty.random_(0, 2**33))
    says(lambda: empty.random_(-(2**40), 3))
    says(lambda: empty.random_(0, 200))
    says(lambda: empty.cauchy_())

says(lambda: torch.normal(0.0, torch.tensor([1.0, -1.0])))
says(lambda: torch.normal(torch.zeros(2), torch.tensor([1.0, nan])))
says(lambda: torch.normal(torch.zeros(2), torch.tensor([0.0, 2.0])))
says(lambda: torch.normal(torch.zeros(0), torch.zeros(0)))
says(lambda: torch.normal(torch.zeros(2), -1e-6))
says(lambda: torch.normal(torch.zeros(2), torch.ones(2, dtype=torch.complex64)))
