"""Triangular systems, LU, Cholesky and what is made of them. PyTorch 2.15 recorded `factors.txt` from this file."""

import warnings

import torch

warnings.simplefilter("ignore")
L = torch.linalg


def t(*shape, k=1.0, dtype=torch.float64):
    n = torch.Size(shape).numel()
    at = torch.arange(n, dtype=torch.float64)
    return ((at * at % 97) * 0.713 + at * k + 0.3).sin().reshape(shape).to(dtype).requires_grad_()


def spd(n, *batch):
    a = t(*batch, n, n).detach()
    return (a @ a.mT + 2 * torch.eye(n, dtype=a.dtype)).requires_grad_()


def say(name, f, *args, **kwargs):
    """The shapes and sums of the results, the node and the gradients' sums; or the error."""
    try:
        out = f(*args, **kwargs)
    except Exception as error:
        print(name, type(error).__name__, error)
        return
    words = [type(out).__name__]
    for o in out if isinstance(out, tuple) else (out,):
        weights = (torch.arange(o.numel(), dtype=torch.float64) * 0.7).cos().reshape(o.shape)
        words += [tuple(o.shape), o.dtype, f"{(o.detach().double() * weights).sum().item():.5f}"]
    outs = [o for o in (out if isinstance(out, tuple) else (out,)) if o.requires_grad]
    leaves = [a for a in args if isinstance(a, torch.Tensor) and a.requires_grad]
    if outs and leaves:
        words.append(type(outs[0].grad_fn).__name__)
        total = sum(((torch.arange(o.numel()) * 0.9).sin().reshape(o.shape).to(o.dtype) * o).sum() for o in outs)
        first = torch.autograd.grad(total, leaves, create_graph=True, allow_unused=True)
        for g in first:
            if g is not None:
                weights = (torch.arange(g.numel(), dtype=torch.float64) * 0.3).cos().reshape(g.shape)
                words.append(f"{(g.detach().double() * weights).sum().item():.4f}")
        second = sum((g * g).sum() for g in first if g is not None)
        if second.requires_grad:
            for g in torch.autograd.grad(second, leaves, allow_unused=True):
                if g is not None:
                    words.append(f"{g.double().sum().item():.3f}")
    print(name, *words)


good = t(4, 4).detach().add(3 * torch.eye(4)).requires_grad_()
big = t(2, 11, 11, k=0.7).detach().add(5 * torch.eye(11)).requires_grad_()
for upper in (False, True):
    for unit in (False, True):
        say(f"triangular {upper} {unit}", L.solve_triangular, good, t(4, 2), upper=upper, unitriangular=unit)
        say(f"right {upper} {unit}", L.solve_triangular, good, t(2, 4), upper=upper, left=False, unitriangular=unit)
        say(f"large {upper} {unit}", L.solve_triangular, big, t(11, 3), upper=upper, unitriangular=unit)
    say("triangular_solve", torch.triangular_solve, t(4, 2), good, upper, True)
    say("cholesky_solve", torch.cholesky_solve, t(4, 2), good, upper)
    say("cholesky_inverse", torch.cholesky_inverse, good, upper)
    say("cholesky_ex", L.cholesky_ex, spd(4, 2), upper=upper)
say("shapes", L.solve_triangular, good, t(3, 2), upper=True)
say("square", L.solve_triangular, t(3, 4), t(3, 2), upper=True)
say("dims", L.solve_triangular, t(3), t(3, 2), upper=True)
say("dtypes", L.solve_triangular, good, t(4, 2, dtype=torch.float32), upper=True)
bad = torch.eye(3, dtype=torch.float64)
bad[1, 1] = -1
print(L.cholesky_ex(bad).info, L.cholesky_ex(torch.stack([bad, bad.abs()])).info)
say("not positive", L.cholesky_ex, bad, check_errors=True)
for shape in ((4, 4), (2, 3, 5), (2, 5, 3), (1, 1), (11, 11)):
    say(f"lu {shape}", L.lu, t(*shape))
    say(f"lu_factor {shape}", L.lu_factor, t(*shape))
    say(f"lu_factor_ex {shape}", L.lu_factor_ex, t(*shape))
    say(f"torch.lu {shape}", torch.lu, t(*shape))
    say(f"lu_unpack {shape}", lambda a: torch.lu_unpack(*L.lu_factor(a)), t(*shape))
bad[1, 1] = 0
print(L.lu_factor_ex(bad), L.inv_ex(bad).info, L.solve_ex(torch.stack([bad, torch.eye(3, dtype=bad.dtype)]), bad).info)
say("singular", L.lu_factor, bad)
say("singular", L.inv_ex, bad, check_errors=True)
say("singular", L.solve_ex, bad, bad, check_errors=True)
say("no pivots", L.lu_factor, good, pivot=False)
for adjoint in (False, True):
    for left in (False, True):
        say(f"lu_solve {adjoint} {left}", lambda a, b: L.lu_solve(*L.lu_factor(a), b, left=left, adjoint=adjoint), good,
            t(4, 2) if left else t(2, 4))
say("torch.lu_solve", lambda b, a: torch.lu_solve(b, *L.lu_factor(a)), t(4, 2), good)
say("inv_ex", L.inv_ex, big)
say("solve_ex", L.solve_ex, big, t(2, 11))
say("solve_ex", L.solve_ex, good, t(2, 4), left=False)
say("tensorinv", L.tensorinv, t(2, 3, 6))
say("tensorinv", L.tensorinv, t(6, 2, 3), 1)
say("tensorinv", L.tensorinv, t(6, 2, 2), 1)
say("tensorsolve", L.tensorsolve, t(2, 3, 6), t(2, 3))
say("tensorsolve", L.tensorsolve, t(6, 2, 3), t(2, 3), dims=(0,))
for driver in ("gels", "gelsy", "gelsd", "gelss"):
    say(f"lstsq {driver}", L.lstsq, t(5, 3), t(5, 2), driver=driver)
    say(f"lstsq {driver}", L.lstsq, t(2, 3, 5), t(2, 3), driver=driver)
say("lstsq", L.lstsq, t(5, 3), t(4, 2))
say("lstsq", L.lstsq, t(5, 3), t(5, 2), driver="svd")
say("matrix_exp", L.matrix_exp, t(4, 4))
say("matrix_exp", torch.matrix_exp, t(2, 3, 3).detach().mul(9).requires_grad_())
say("matrix_exp", L.matrix_exp, t(3, 4))
say("matrix_exp", L.matrix_exp, torch.ones(2, 2, dtype=torch.int64))
say("householder", L.householder_product, t(5, 3), t(2))
say("orgqr", torch.orgqr, t(2, 3, 3), t(2, 3))
say("householder", L.householder_product, t(3, 5), t(2))
for shape in ((6, 4), (4, 6)):
    torch.manual_seed(0)
    u, s, v = torch.svd_lowrank(t(*shape).detach(), 3)
    print(u.shape, v.shape, s, (u @ s.diag() @ v.mT).sum())
    torch.manual_seed(0)
    u, s, v = torch.pca_lowrank(t(*shape).detach())
    print(u.shape, v.shape, s[:3], (u @ s.diag() @ v.mT).square().sum())
