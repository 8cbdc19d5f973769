"""What padding, `clamp` and `index_add` say about values that they can't take."""

import torch
import torch.nn.functional as F


def tell(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)


for mode in ("circular", "reflect", "replicate"):
    for dims, pads in ((1, 2), (2, 4), (3, 6), (4, 2), (4, 8), (5, 4), (6, 6)):
        print(mode, dims, pads)
        tell(lambda: F.pad(torch.zeros([2] * dims), [1] * pads, mode=mode).shape)

x = torch.tensor([1.0, 2.0, 3.0])
for dtype in (torch.float32, torch.float64, torch.int64, torch.complex64):
    t = x.to(dtype)
    print(dtype)
    tell(lambda: t.clamp(min=1j))
    tell(lambda: torch.clamp(t, 0, 2j))
    tell(lambda: t.clone().clamp_(max=1j))
    tell(lambda: torch.clamp_min(t, 1j))
    tell(lambda: torch.clamp_max(t, 1j))
    tell(lambda: t.index_add(0, torch.tensor([0, 2]), torch.ones(2, dtype=dtype), alpha=2j))
    tell(lambda: t.clone().index_add_(0, torch.tensor([0, 0]), torch.ones(2, dtype=dtype), alpha=3))

z = torch.tensor([1 + 1j, 2.0], requires_grad=True)
source = torch.tensor([1j, 2.0], requires_grad=True)
out = z.index_add(0, torch.tensor([1, 1]), source, alpha=1 - 2j)
print(out)
out.abs().sum().backward()
print(z.grad, source.grad)
