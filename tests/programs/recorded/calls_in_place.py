"""Calls that PyTorch's own databases don't have: comparisons in place, writes to expanded tensors, NumPy's names of arguments,
mixed dtypes, singular matrices."""

import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")
torch.manual_seed(0)


def tell(name, call):
    try:
        found = call()
    except Exception as error:
        print(name, "->", type(error).__name__, error)
        return
    print(name, "->", found)


def shape(found):
    if isinstance(found, torch.Tensor):
        return str(found.dtype)[6:], list(found.shape)
    return [shape(t) for t in found]


a = torch.tensor([[0.5, -1.25, 2.0], [-0.75, 1.5, 0.25]])
b = a + 1

# ---- in place, with what the change does to the graph ----------------------------------------------------------------

for name in ("le_", "ne_", "logical_and_"):
    x = torch.tensor([0.5, 2.0], requires_grad=True)
    y = getattr(x * 1, name)(torch.ones(2))
    y.sum().backward()
    tell(name, lambda: [y.grad_fn.name(), x.grad])
x = torch.zeros(3, 1).expand(3, 2)
tell("expanded", lambda: [x.fill_(2.0), torch.ones(3, 1).expand(3, 2).zero_()])
tell("all", lambda: [torch.tensor([[True, False]]).all(dim=()), torch.tensor([[3, 0]], dtype=torch.uint8).any(dim=(), keepdim=True)])
y = torch.arange(3.0)
z = y.repeat_interleave(1)
z += 1
tell("repeat_interleave", lambda: y)
tell("broadcast_tensors", lambda: torch.broadcast_tensors(y, torch.ones(1))[0] is y)
tell("flip", lambda: [torch.zeros(2, 3).t().flip(0).stride(), torch.zeros(1, 2, 3, 4).to(memory_format=torch.channels_last).flip(-1).stride()])
tell("xlogy", lambda: shape(torch.xlogy(a.half(), torch.tensor([1, 2, 3]))))
tell("normal", lambda: shape(torch.normal(a.half(), b.abs())))
tell("multinomial", lambda: torch.multinomial(torch.zeros(2, 0), 4, True))
tell("axis", lambda: [torch.nanmean(a, axis=0), torch.quantile(a, 0.5, axis=1), torch.fft.fft(a, axis=0).shape, a.nanmedian(axis=0)[0]])
tell("copies", lambda: torch.view_copy(a, (3, 2), out=torch.zeros(3, 2, dtype=torch.float64)))
tell("mode", lambda: torch.mode(a, dim=(0, 1)))
tell("gcd", lambda: torch.gcd(torch.tensor([4])))
tell("kl_div", lambda: F.kl_div(torch.tensor([1]), torch.tensor([2])))
m = torch.zeros(2, 2, 2, requires_grad=True)
torch.linalg.det(m).sum().backward()
tell("det", lambda: m.grad.tolist())
r = torch.tensor([-1.0, 2.0], requires_grad=True)
torch.polar(r, torch.zeros(2)).real.sum().backward()
tell("polar", lambda: r.grad)
