"""Composed functions: torch.special, signal.windows, masked, copies of views, reductions that few use. PyTorch 2.15 recorded
`functions_more.txt` from this file."""

import warnings

import torch

warnings.simplefilter("ignore")
nan, inf = torch.nan, torch.inf


def say(name, f, *args, grad=None, **kwargs):
    """The result, its node and the gradients of a weighted sum of it; or the error."""
    try:
        out = f(*args, **kwargs)
    except Exception as error:
        print(name, type(error).__name__, error)
        return
    print(name, out)
    first = out[0] if isinstance(out, (tuple, list)) else out
    leaves = [a for a in args if isinstance(a, torch.Tensor) and a.requires_grad]
    if leaves and first.requires_grad:
        weights = torch.arange(1.0, first.numel() + 1, dtype=first.dtype).reshape(first.shape)
        print("  ", *torch.autograd.grad((first * weights).sum(), leaves))


x = torch.tensor([[0.5, -1.5, 2.0, 2.5], [nan, 0.25, -3.0, 0.75], [nan, 1.0, nan, nan]], requires_grad=True)
y = torch.tensor([[0.5, -1.5, 2.0, 4.5], [3.0, 0.25, -3.0, 0.5]], requires_grad=True)
n = torch.tensor([[4, 6, -9], [0, 35, 14]])
for dim in (0, 1):
    say("nanmedian", torch.nanmedian, x, dim)
    say("mode", torch.mode, torch.tensor([[1, 3, 3, 2], [2, 2, 1, 1], [5, 2, 1, 1]]), dim)
    say("nanquantile", torch.nanquantile, x, torch.tensor([0.3, 1.0]), dim, True)
    say("nanquantile", torch.nanquantile, x, 0.6, dim, interpolation="higher")
    say("logcumsumexp", torch.logcumsumexp, y, dim)
say("nanmedian", torch.nanmedian, x)
say("nanmedian", torch.nanmedian, torch.tensor([3, 1, 2, 2]))
say("mode", torch.mode, torch.tensor(4.0))
say("mode keepdim", y.mode, -1, True)
say("logcumsumexp", torch.logcumsumexp, torch.tensor([-inf, -inf, 1.0, 100.0, -inf]), 0)
say("logcumsumexp", torch.logcumsumexp, y, 2)
say("nanquantile", torch.nanquantile, n, 0.5)
say("gcd", torch.gcd, n, torch.tensor([6, 0, 21]))
say("lcm", torch.lcm, n.to(torch.int8), torch.tensor(6, dtype=torch.int8))
say("gcd", torch.gcd, torch.tensor(7540113804746346429), torch.tensor(4660046610375530309))
say("gcd", torch.gcd, n, 2)
say("gcd", torch.gcd, n, torch.tensor(2.0))
say("gcd_", n.clone().gcd_, torch.tensor(6))
for order in (1, 2):
    say("gradient", torch.gradient, y, dim=1, edge_order=order)
    say("gradient", torch.gradient, y, spacing=(torch.tensor([0.0, 1.0, 1.5, 4.0]),), dim=(1,), edge_order=order)
say("gradient", torch.gradient, y, spacing=[2.0, 0.5])
say("gradient", torch.gradient, y, dim=(0, 0))
say("gradient", torch.gradient, y, edge_order=2)
say("histogram", torch.histogram, y.detach(), 3)
say("histogram", torch.histogram, y.detach(), torch.tensor([-3.0, 0.0, 0.5, 4.5]), density=True)
say("histogram", torch.histogram, y.detach(), 4, range=(0.0, 2.0), weight=torch.ones(2, 4) * 0.5)
say("histogram", torch.histogram, torch.tensor([2.0, 2.0]), 2)
say("histogram", torch.histogram, torch.tensor([inf, 2.0]), 2)
say("histogramdd", torch.histogramdd, y.detach()[:, :2], [2, 3])
say("histogramdd", torch.histogramdd, y.detach()[:, :2], 2, range=[0.0, 1.0, -2.0, 1.0], density=True)
say("mvlgamma", torch.mvlgamma, y.detach().abs().add(1).requires_grad_(), 3)
say("nonzero_static", torch.nonzero_static, n, size=3)
say("nonzero_static", torch.nonzero_static, n, size=7, fill_value=-5)
say("index_reduce", torch.index_reduce, torch.ones(3, 2), 0, torch.tensor([0, 2, 0]), torch.arange(6.0).view(3, 2), "mean")
say("index_reduce", torch.index_reduce, torch.ones(3, 2), 0, torch.tensor([0, 2, 0]), torch.arange(6.0).view(3, 2), "amax",
    include_self=False)
say("index_reduce", torch.index_reduce, torch.ones(3, 2), 0, torch.tensor([0, 2, 0]), torch.arange(6.0).view(3, 2), "sum")
say("put", torch.put, y, torch.tensor([0, 7]), torch.tensor([9.0, 8.0]))
say("fill", torch.fill, y, 3)
for name, args in (("alias", ()), ("permute", ((1, 0),)), ("unsqueeze", (0,)), ("squeeze", ()), ("expand", ((2, 2, 4),)), ("view", ((4, 2),)),
                   ("diagonal", ()), ("t", ()), ("transpose", (0, 1)), ("as_strided", ((2, 2), (1, 2))), ("unfold", (1, 2, 2)), ("narrow", (1, 1, 2)),
                   ("split_with_sizes", ((1, 3), 1)), ("unbind", (0,)), ("slice", (1, 1, 4, 2))):
    say(name, getattr(torch, name + "_copy"), y, *args)
print(torch.empty_permuted((2, 3, 5), (2, 0, 1)).stride(), y.new_empty_strided((2, 2), (1, 3)).stride())
say("permuted", torch.empty_permuted, (2, 3), (0, 0))
a = y.detach().clone()
for name, args in (("clamp_", (-1, 1)), ("zero_", ()), ("fill_", (0.3,)), ("round_", ()), ("clamp_min_", (0.25,)), ("nan_to_num_", ())):
    print(name, getattr(torch, name)(a, *args) is a, a.sum().item())
s = torch.special
z = torch.tensor([-inf, -2.0, -0.3, 0.0, 0.4, 1.0, 5.0, inf, nan])
for name in ("entr", "ndtr", "expit", "erf", "erfc", "expm1", "log1p", "psi", "gammaln", "exp2", "sinc", "round", "spherical_bessel_j0"):
    say(name, getattr(s, name), z)
say("entr", s.entr, torch.tensor([0.2, 1.0, 3.0], requires_grad=True))
say("ndtr", s.ndtr, torch.tensor([-20.0, -5.0, 0.0, 3.0], dtype=torch.float64, requires_grad=True))
say("xlog1py", s.xlog1py, torch.tensor([0.0, 0.0, 2.0, -1.0], requires_grad=True), torch.tensor([-0.5, nan, 3.0, 0.5], requires_grad=True))
say("xlog1py", s.xlog1py, 2, torch.tensor([1, 3]))
say("logsumexp", s.logsumexp, y, 1)
say("softmax", s.softmax, y, 1)
w = torch.signal.windows
for name in w.__all__:
    for sym in (True, False):
        options = {"a": [0.4, 0.5, 0.1]} if name == "general_cosine" else {}
        for size in (5, 4, 1, 0):
            say(f"{name} {size}", getattr(w, name), size, sym=sym, dtype=torch.float64, **options)
say("exponential", w.exponential, 4, center=1.0, tau=2.0)
say("exponential", w.exponential, 4, sym=False, center=1.0, tau=2.0)
say("gaussian", w.gaussian, 4, std=0.7)
say("kaiser", w.kaiser, 6, beta=40.0)
say("kaiser", w.kaiser, 4, beta=-1.0)
say("hann", w.gaussian, -1)
say("hann", w.cosine, 3, dtype=torch.int64)
say("kaiser", torch.kaiser_window, 7, True, 5.0)
say("kaiser", torch.kaiser_window, 7, False, dtype=torch.float64)
m = torch.masked
mask = torch.tensor([[True, False, True, True], [False, False, True, False]])
for name in ("sum", "prod", "mean", "amax", "amin", "var", "std", "norm", "logsumexp"):
    for dim in (0, 1, (0, 1)):
        say(f"masked {name} {dim}", lambda t: getattr(m, name)(t, dim=dim, mask=mask), y)
for name in ("cumsum", "cumprod", "softmax", "log_softmax", "softmin", "argmax", "argmin", "median"):
    say(f"masked {name}", lambda t: getattr(m, name)(t, 1, mask=mask), y)
say("masked normalize", lambda t: m.normalize(t, 2.0, 1, mask=mask), y)
say("masked sum", lambda t: m.sum(t, 1, keepdim=True, mask=mask), (y.detach() * 4).to(torch.int32))
say("masked std", lambda t: m.std(t, 1, correction=0, mask=mask[:1]), y)
say("native layer norm", torch.native_layer_norm, y, (4,), None, None, 1e-5)
say("native batch norm", torch.native_batch_norm, y, None, None, None, None, True, 0.1, 1e-5)
