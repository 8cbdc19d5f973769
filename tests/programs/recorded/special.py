"""Special functions. PyTorch 2.15 recorded `special.txt` from this file."""

import math

import torch

S = torch.special


def say(name, f, *inputs):
    """Dtype, node, values and gradients; or the error."""
    leaves = [x.clone().requires_grad_() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for x in inputs]
    try:
        out = f(*leaves)
    except Exception as error:
        print(name, type(error).__name__, error)
        return
    digits = 5 if out.dtype == torch.float64 else 3 if out.dtype == torch.float32 else 1
    print(name, out.dtype, type(out.grad_fn).__name__ if out.grad_fn else None, " ".join(f"{v:.{digits}g}" for v in (out + 1e-12).flatten().tolist()))
    if not out.requires_grad:
        return
    try:
        out.sum().backward()
    except Exception as error:
        print("   ", type(error).__name__, error)
        return
    for leaf in leaves:
        if isinstance(leaf, torch.Tensor) and leaf.grad is not None:
            print("   ", " ".join(f"{v + 0.0:.{min(digits, 4)}g}" for v in leaf.grad.flatten().tolist()))


x = torch.tensor([-30.5, -9.0, -2.5, -0.7, 0.3, 1.1, 2.9, 4.9, 5.1, 7.9, 8.1, 25.0, 60.0], dtype=torch.float64)
ends = torch.tensor([0.0, math.inf, -math.inf, math.nan], dtype=torch.float64)
for name in ("airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "i0", "i0e", "i1", "i1e", "modified_bessel_i0",
             "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0",
             "scaled_modified_bessel_k1", "spherical_bessel_j0", "log_ndtr", "erfcx"):
    f = getattr(S, name)
    say(name, f, x[3:] if name == "erfcx" else x)
    say(name + " single", f, x[3:9].float())
    say(name + " half", f, x[3:9].half())
    say(name + " whole", f, torch.arange(1, 4))
    say(name + " complex", f, torch.ones(2, dtype=torch.complex64))
    if not name.startswith(("bessel", "airy", "erfcx", "log")):
        say(name + " ends", lambda t: f(t.detach()), ends)
say("ndtri", S.ndtri, torch.tensor([1e-30, 1e-10, 0.001, 0.1, 0.5, 0.7, 0.9999], dtype=torch.float64))
say("ndtri ends", lambda t: S.ndtri(t.detach()), torch.tensor([0.0, 1.0, -0.1, 1.1, math.nan]))
for n in range(4):
    say(f"polygamma {n}", lambda t: torch.polygamma(n, t), torch.tensor([-2.3, 0.2, 1.0, 7.5, 100.0], dtype=torch.float64))
say("polygamma as a method", lambda t: t.polygamma(1), torch.tensor([0.5]))
say("polygamma below", lambda t: torch.polygamma(-1, t), torch.tensor([0.5]))
say("polygamma of a fraction", lambda t: torch.polygamma(1.5, t), torch.tensor([0.5]))
a = torch.tensor([0.5, 1.0, 2.5, 10.0, 150.0, 3.0], dtype=torch.float64)
b = torch.tensor([0.2, 3.0, 2.4, 11.0, 140.0, 30.0], dtype=torch.float64)
for f in (torch.igamma, torch.igammac, S.gammainc, S.gammaincc):
    say(f.__name__, lambda t: f(a, t), b)
    say(f.__name__ + " ends", lambda t: f(a[:4], t.detach()), ends)
    say(f.__name__ + " of a", lambda t: f(t, b), a)
    say(f.__name__ + " whole", f, torch.tensor([1, 2]), torch.tensor([1, 2]))
    say(f.__name__ + " number", f, a, 2.0)
say("zeta", lambda t: S.zeta(t.detach(), b), torch.tensor([1.5, 2.0, 3.0, 4.5, 1.0, 0.5], dtype=torch.float64))
say("zeta of q", lambda q: S.zeta(3.0, q), torch.tensor([-1.5, 0.5, 1.0, 40.0]))
say("zeta of numbers", S.zeta, 2.0, 3.0)
grid = torch.tensor([-1.7, -1.0, -0.6, 0.0, 0.2, 0.5, 0.9, 1.0, 1.3], dtype=torch.float64)
for name in ("chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w",
             "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v",
             "shifted_chebyshev_polynomial_w", "hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l",
             "legendre_polynomial_p"):
    f = getattr(S, name)
    for n in (-1, 0, 1, 2, 5, 12):
        say(f"{name} {n}", lambda t: f(t.detach(), n), grid)
    say(name + " of tensors", lambda n: f(grid[:4, None], n), torch.tensor([0, 3, 7]))
    say(name + " backward", lambda t: f(t, 2), grid)
    say(name + " of numbers", f, 0.5, 3)
    say(name + " half", lambda t: f(t, 3), grid.half())
y = torch.tensor([1.0, 2.0])
print(y.i0_() is y, y, y.igamma_(torch.tensor([2.0, 1.0])), torch.i0(torch.ones(2), out=torch.empty(2)))
