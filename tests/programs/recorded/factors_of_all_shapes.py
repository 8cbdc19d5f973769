import torch

# Factors of matrices of all shapes, some larger than the blocks in which they are computed.
torch.manual_seed(3)
L = torch.linalg
for d in (torch.float32, torch.float64, torch.complex64, torch.complex128):
    tol = 1e-3 if d in (torch.float32, torch.complex64) else 1e-9
    for shape in ((1, 1), (2, 3, 3), (40, 40), (3, 70, 70), (5, 3), (3, 5), (70, 40), (2, 40, 70), (33, 32), (0, 3), (3, 0), (0, 4, 4)):
        a = torch.randn(shape, dtype=d)
        P, Lo, U = L.lu(a)
        LU, piv = L.lu_factor(a)
        print(d, shape, "lu", (P @ Lo @ U - a).abs().max().item() < tol if a.numel() else "-", piv.tolist() if a.numel() < 200 else piv.sum().item(), LU.stride(), piv.dtype)
        for mode in ("reduced", "complete"):
            q, r = L.qr(a, mode)
            print("  qr", (q @ r - a).abs().max().item() < tol if a.numel() else "-", (q.mH @ q - torch.eye(q.shape[-1], dtype=d)).abs().max().item() < tol if q.numel() else "-", tuple(q.shape), tuple(r.shape), q.stride(), r.stride(), (r.tril(-1).abs().max().item() if r.numel() else 0))
        if shape[-1] == shape[-2] and a.numel():
            b = torch.randn(*shape[:-1], 3, dtype=d)
            print("  solve", (a @ L.solve(a, b) - b).abs().max().item() < tol, (a @ L.inv(a) - torch.eye(shape[-1], dtype=d)).abs().max().item() < tol)
            h = a @ a.mH + shape[-1] * torch.eye(shape[-1], dtype=d)
            c = L.cholesky(h); cu = L.cholesky(h, upper=True)
            print("  chol", (c @ c.mH - h).abs().max().item() < tol * 10, (cu.mH @ cu - h).abs().max().item() < tol * 10, c.stride(), L.cholesky_ex(h)[1].tolist(), c.triu(1).abs().max().item())
            for up in (False, True):
                for unit in (False, True):
                    t = (h / 2 / shape[-1]).triu() if up else (h / 2 / shape[-1]).tril()
                    x = L.solve_triangular(t, b, upper=up, unitriangular=unit)
                    y = L.solve_triangular(t, b.mT.contiguous(), upper=up, left=False, unitriangular=unit)
                    if unit: t = t - torch.diag_embed(t.diagonal(dim1=-2, dim2=-1)) + torch.eye(shape[-1], dtype=d)
                    print("  tri", (t @ x - b).abs().max().item() < tol, (y @ t - b.mT).abs().max().item() < tol, x.stride(), y.stride())
            s, ld = L.slogdet(a)
            print("  det", (torch.cholesky_solve(b, c) - L.solve(h, b)).abs().max().item() < tol)
sing = torch.tensor([[1., 2., 3.], [2., 4., 6.], [1., 0., 1.]], dtype=torch.float64)
print(L.det(sing).item(), L.slogdet(sing), L.lu_factor_ex(sing), L.lu(sing))
zero = torch.zeros(3, 3)
print(L.det(zero), L.slogdet(zero), L.lu_factor_ex(zero), L.inv_ex(zero)[1])
for f in (L.inv, L.cholesky, lambda x: L.solve(x, x), L.lu_factor):
    for m in (zero, torch.stack([torch.eye(3), zero])):
        try: print(f(m))
        except Exception as e: print(type(e).__name__, e)
bad = torch.eye(3); bad[1, 1] = -1
print(L.cholesky_ex(bad)[1], L.cholesky_ex(torch.full((2, 2), float("nan")))[1])
n = torch.tensor([[float("nan"), 1.], [2., 3.]])
print(L.det(n), L.lu_factor_ex(n)[1:], L.inv_ex(n))
m = torch.empty(3, 3, device="meta")
print(L.det(m), L.inv(m).shape, [x.shape for x in L.qr(m)], L.cholesky_ex(m)[0].shape)
a = torch.randn(4, 4, dtype=torch.float64, requires_grad=True)
h = torch.randn(4, 4, dtype=torch.complex128, requires_grad=True)
spd = lambda x: x @ x.mH + 4 * torch.eye(4, dtype=x.dtype)
b = torch.randn(4, 2, dtype=torch.float64, requires_grad=True)
for name, f, args in (("inv", L.inv, (a,)), ("det", L.det, (a,)), ("slogdet", lambda x: L.slogdet(x)[1], (a,)), ("chol", lambda x: L.cholesky(spd(x)), (a,)), ("cholc", lambda x: L.cholesky(spd(x)), (h,)), ("qr", lambda x: L.qr(x), (a,)), ("lu", lambda x: L.lu(x)[1:], (a,)), ("luf", lambda x: L.lu_factor(x)[0], (a,)), ("cholex", lambda x: L.cholesky_ex(spd(x))[0], (a,)), ("solve", L.solve, (a, b)), ("tri", lambda x, y: L.solve_triangular(x.triu() + 4 * torch.eye(4, dtype=x.dtype), y, upper=True), (a, b)), ("cs", lambda x, y: torch.cholesky_solve(y, L.cholesky(spd(x))), (a, b)), ("ls", lambda x, y: L.lstsq(x, y).solution, (a, b)), ("lus", lambda x, y: L.lu_solve(*L.lu_factor(x), y), (a, b)), ("ldl", lambda x: L.ldl_factor(spd(x)).LD, (a.detach(),))):
    print(name, torch.autograd.gradcheck(f, args) if any(x.requires_grad for x in args) else f(*args).sum().item())
print(torch.vmap(L.lu_factor)(torch.arange(18.).reshape(2, 3, 3).sin() + torch.eye(3))[1], torch.vmap(lambda x, y: L.solve_triangular(x, y, upper=True))(torch.ones(2, 3, 3).triu(), torch.ones(2, 3, 1)).flatten())
print(torch.func.jacrev(L.inv)(torch.eye(2)).shape, torch.func.hessian(lambda x: L.slogdet(x)[1])(2 * torch.eye(2, dtype=torch.float64)).shape)
