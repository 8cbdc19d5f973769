"""Systems and decompositions of sparse matrices. They are computed with all numbers of the matrix, zeros as well."""

import numpy as np

from scipy import lacking

from ._base import Sparse


def _table(A):
    return A.toarray() if isinstance(A, Sparse) else np.asarray(A)


def spsolve(A, b, permc_spec=None, use_umfpack=True):
    found = np.linalg.solve(_table(A), _table(b))
    if isinstance(b, Sparse):
        return type(b)(found)
    return found.ravel() if found.ndim == 2 and found.shape[1] == 1 else found


def inv(A):
    return A._like("csc", type(A)(np.linalg.inv(A.toarray()))._triples())


def norm(x, ord=None, axis=None):
    if axis is not None:
        return np.linalg.norm(_table(x), ord, axis)
    if ord in (2, -2, "nuc"):
        raise NotImplementedError("scipy.sparse.linalg.norm: this order isn't supported for sparse matrices")
    return np.linalg.norm(_table(x), ord or "fro")


def factorized(A):
    table = _table(A)
    return lambda b: np.linalg.solve(table, np.asarray(b))


def expm(A):
    from scipy.linalg import expm as dense

    return A._like("csc", type(A)(dense(A.toarray()))._triples())


def cg(A, b, x0=None, *, rtol=1e-5, atol=0.0, maxiter=None, M=None, callback=None):
    """The method of conjugate gradients."""
    if M is not None:
        raise NotImplementedError("scipy.sparse.linalg.cg(M=)")
    b = np.asarray(b, dtype=float)
    x = np.zeros(len(b)) if x0 is None else np.array(x0, dtype=float)
    limit = max(float(atol), float(rtol) * float(np.linalg.norm(b)))
    if float(np.linalg.norm(b)) == 0:
        return b, 0
    left = b - A @ x if x.any() else b.copy()
    before = direction = None
    most = len(b) * 10 if maxiter is None else maxiter
    for step in range(most):
        if float(np.linalg.norm(left)) < limit:
            return x, 0
        now = float(left @ left)
        direction = left.copy() if direction is None else left + now / before * direction
        moved = A @ direction
        size = now / float(direction @ moved)
        x = x + size * direction
        left = left - size * moved
        before = now
        if callback:
            callback(x)
    return x, most


def eigsh(A, k=6, M=None, sigma=None, which="LM", v0=None, ncv=None, maxiter=None, tol=0, return_eigenvectors=True, **options):
    """Some eigenvalues of a symmetric matrix. The signs of the vectors can differ from SciPy's."""
    if M is not None or sigma is not None or options:
        raise NotImplementedError("scipy.sparse.linalg.eigsh(M=, sigma=)")
    values, vectors = np.linalg.eigh(_table(A))
    order = {"LM": np.argsort(abs(values))[-k:], "SM": np.argsort(abs(values))[:k], "LA": np.arange(len(values))[-k:],
             "SA": np.arange(len(values))[:k]}
    if which not in order:
        raise NotImplementedError(f"scipy.sparse.linalg.eigsh(which={which!r})")
    kept = np.sort(order[which])
    return (values[kept], vectors[:, kept]) if return_eigenvectors else values[kept]


def svds(A, k=6, ncv=None, tol=0, which="LM", v0=None, maxiter=None, return_singular_vectors=True, **options):
    """Some singular values and vectors, the smallest first. The signs of the vectors can differ from SciPy's."""
    if which not in ("LM", "SM"):
        raise ValueError("`which` must be in {'LM', 'SM'}.")
    u, s, vt = np.linalg.svd(_table(A).astype(float), full_matrices=False)
    kept = np.arange(len(s))[:k][::-1] if which == "LM" else np.arange(len(s))[-k:][::-1]
    return (u[:, kept], s[kept], vt[kept]) if return_singular_vectors else s[kept]


__getattr__ = lacking("scipy.sparse.linalg")
