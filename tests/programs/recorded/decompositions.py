"""Eigenvalues of symmetric matrices and singular values: what comes back, its gradients, and matrices with NaN. PyTorch 2.15
recorded `decompositions.txt` from this file."""
import torch
from torch import linalg

torch.manual_seed(0)

# Two rows: LAPACK's formula gives the vectors their directions.
for rows in ([[2.0, 1.0], [1.0, 2.0]], [[2.0, -1.0], [-1.0, 2.0]], [[1.0, 3.0], [3.0, -4.0]], [[-5.0, 2.0], [2.0, 1.0]],
             [[-3.0, -1.0], [-1.0, -3.0]], [[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.5], [0.5, 7.0]], [[7.0, -0.5], [-0.5, 1.0]]):
    values, vectors = linalg.eigh(torch.tensor(rows))
    print(values.tolist(), [[round(x, 3) for x in row] for row in vectors.tolist()])


def kind(*tensors):
    for t in tensors:
        print("   ", t.dtype, tuple(t.shape), t.stride())


def close(a, b):
    return torch.allclose(a, b, atol=1e-4 if a.dtype in (torch.float32, torch.complex64) else 1e-10)


for dtype in (torch.float32, torch.float64, torch.complex64, torch.complex128):
    for shape in ((4, 4), (1, 1), (2, 3, 3), (0, 3, 3), (0, 0)):
        a = torch.randn(shape, dtype=dtype)
        h = a + a.mH
        for triangle in ("L", "U"):
            other = h.tril() if triangle == "L" else h.triu()
            values, vectors = linalg.eigh(other, UPLO=triangle)
            print("eigh", dtype, shape, triangle, close((vectors * values.unsqueeze(-2)) @ vectors.mH, h),
                  close(vectors.mH @ vectors, torch.eye(shape[-1], dtype=dtype).expand(shape)))
        kind(values, vectors, linalg.eigvalsh(h))
    for shape in ((4, 4), (5, 3), (3, 5), (2, 4, 3), (1, 6), (6, 1), (0, 3), (3, 0), (0, 3, 2)):
        for full in (True, False):
            a = torch.randn(shape, dtype=dtype)
            u, s, vh = linalg.svd(a, full_matrices=full)
            k = s.shape[-1]
            print("svd", dtype, shape, full, close((u[..., :k] * s.unsqueeze(-2)) @ vh[..., :k, :], a),
                  bool((s.diff(dim=-1) <= 0).all()), close(s, linalg.svdvals(a)))
            kind(u, s, vh)

# One value many times, rows that depend on each other, values far apart.
for name, a in (
    ("identity", torch.eye(5)),
    ("zero", torch.zeros(3, 3)),
    ("ones", torch.ones(4, 4)),
    ("rank 2", torch.randn(6, 2) @ torch.randn(2, 6)),
    ("hilbert", 1 / (torch.arange(6.0)[:, None] + torch.arange(6.0) + 1)),
    ("far", torch.diag(torch.tensor([1e-6, 1.0, 1e6]))),
):
    u, s, vh = linalg.svd(a)
    values, vectors = linalg.eigh(a @ a.T)
    print(name, [f"{x:.3g}" if x > 1e-5 else "small" for x in s.tolist()], linalg.matrix_rank(a).item(),
          close(u @ torch.diag(s) @ vh / s[0].clamp(min=1), a / s[0].clamp(min=1)),
          close(vectors @ torch.diag(values) @ vectors.T / values[-1].clamp(min=1), a @ a.T / values[-1].clamp(min=1)))

# Gradients that don't depend on the directions of the vectors.
a = torch.randn(4, 4, dtype=torch.float64, requires_grad=True)
for name, f in (
    ("eigh", lambda a: (lambda r: (r[0] ** 2).sum() + (r[1].abs() ** 4).sum())(linalg.eigh(a + a.T))),
    ("eigvalsh", lambda a: linalg.eigvalsh(a + a.T).exp().sum()),
    ("svd", lambda a: (lambda r: (r[0].abs() ** 4).sum() + (r[1] ** 3).sum() + (r[2].abs() ** 4).sum())(linalg.svd(a))),
    ("svdvals", lambda a: linalg.svdvals(a).log().sum()),
    ("nuclear", lambda a: linalg.norm(a, "nuc")),
    ("spectral", lambda a: linalg.norm(a, 2)),
    ("pinv", lambda a: linalg.pinv(a).sin().sum()),
    ("cond", lambda a: linalg.cond(a)),
):
    loss = f(a)
    print(name, loss.grad_fn.name(), torch.autograd.grad(loss, a)[0])
print(torch.autograd.gradcheck(lambda a: linalg.svd(a, full_matrices=False)[1], torch.randn(5, 3, dtype=torch.float64, requires_grad=True)))

nan, inf = torch.full((3, 3), float("nan")), torch.eye(3)
inf[0, 1] = float("inf")
batch = torch.stack([torch.eye(3), nan])
for name, f in (
    ("eigh", linalg.eigh),
    ("svd", linalg.svd),
    ("svdvals", linalg.svdvals),
    ("pinv", linalg.pinv),
    ("hermitian pinv", lambda a: linalg.pinv(a, hermitian=True)),
    ("cond", linalg.cond),
    ("matrix_rank", linalg.matrix_rank),
    ("norm", lambda a: linalg.matrix_norm(a, 2)),
    ("nuclear norm", lambda a: linalg.matrix_norm(a, "nuc")),
    ("torch.svd", torch.svd),
):
    for which, a in (("nan", nan), ("batch", batch)):
        try:
            print(name, which, f(a))
        except Exception as e:
            print(name, which, type(e).__name__, e)
print(linalg.svdvals(inf), linalg.matrix_rank(inf), linalg.cond(inf))
print(linalg.eigvalsh(torch.full((2, 2), float("nan"))))
