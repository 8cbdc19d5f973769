"""First and second derivatives of the functions of layouts_of_results.py, for real and complex numbers in four layouts."""

import warnings

import torch
from layouts_of_results import FUNCTIONS, LAYOUTS

warnings.simplefilter("ignore")
torch.set_default_dtype(torch.float64)

# The signs of vectors are open, and so is which of several equal elements is the median.
OPEN = {"svd", "svd r", "eigh", "eig", "median0", "median1k", "nanmedian", "qr", "alpha_dropout", "poisson"}
# PyTorch has no second derivative of these.
ONCE = {"hardsigmoid", "sdpa", "sdpa c", "vander"}


def flat(result):
    if isinstance(result, torch.Tensor):
        return [result]
    return [t for part in result for t in flat(part)] if isinstance(result, (tuple, list)) else []


def real(t):
    return torch.view_as_real(t.resolve_conj()) if t.is_complex() else t


def digest(t):
    if t is None:
        return "none"
    t = real(t.detach()).contiguous().reshape(-1)
    # The result may be infinite where the function has an edge.
    return f"{(t.nan_to_num(7.0, 5.0, 3.0) * torch.arange(1.0, len(t) + 1).sin()).sum().item() + 0.0:.4f}"


def slopes(f, x, twice):
    outputs = [real(o) for o in flat(f(x)) if o.requires_grad]
    if not outputs:
        return "no graph"
    loss = sum((o.square() * torch.arange(1.0, o.numel() + 1).cos().reshape(o.shape)).sum() for o in outputs)
    (first,) = torch.autograd.grad(loss, x, create_graph=True, allow_unused=True)
    if not twice or first is None or not first.requires_grad:
        return digest(first)
    (second,) = torch.autograd.grad((real(first) * real(first).detach().sin()).sum(), x, allow_unused=True)
    return digest(first) + " " + digest(second)


for layout in ("reversed", "channels last", "three, reversed", "broadcast"):
    for is_complex in (False, True):
        for name, f in FUNCTIONS.items():
            if name in OPEN or name.startswith("grad"):
                continue
            torch.manual_seed(0)
            x = LAYOUTS[layout]()
            if is_complex:
                x = torch.complex(x, x.flip(0) - 0.5)
            try:
                print(layout, x.dtype, name, slopes(f, x.detach().requires_grad_(), name not in ONCE))
            except (RuntimeError, TypeError, ValueError, IndexError):
                # Not for such sizes or dtypes: other programs compare the errors.
                pass
