"""Matrices: decompositions, equations, and functions of matrices."""

import contextlib
import warnings

import numpy as np
import torch
from numpy._array import _quiet, _wrap
from numpy.linalg import LinAlgError, det, eigvals, eigvalsh, norm, pinv
from scipy import lacking


class LinAlgWarning(RuntimeWarning):
    """A matrix is close to one that can't be inverted."""


def _square(a):
    a = np.asarray(a)
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise ValueError("expected square matrix")
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def _squares(a):
    if a.ndim < 2:
        raise ValueError(f"Expected at least ndim=2, got a1.ndim={a.ndim}")
    if a.shape[-1] != a.shape[-2]:
        raise ValueError(f"Expected square matrix, got a1.shape={a.shape}")


@contextlib.contextmanager
def _singular():
    try:
        yield
    except LinAlgError as error:
        if str(error) != "Singular matrix":
            raise
        raise LinAlgError("A singular matrix detected: slice(s) [0] are singular.") from None


def inv(a, overwrite_a=False, check_finite=True, *, assume_a=None, lower=False):
    a = np.asarray(a)
    _squares(a)
    with _singular():
        return np.linalg.inv(a)


def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None, transposed=False):
    a = np.asarray(a)
    if assume_a in ("sym", "symmetric", "her", "hermitian", "pos", "positive definite"):
        # Only one triangle is read.
        half = np.tril(a) if lower else np.triu(a)
        turn = np.conjugate if assume_a[0] != "s" else np.asarray
        a = half + turn(half.T) - np.diag(np.diagonal(half))
    _squares(a)
    if np.ndim(b) > 0 and len(a) != len(b) and a.ndim == 2:
        b = np.asarray(b)
        raise ValueError(f"incompatible shapes: a1.shape={a.shape} and b1.shape={b.shape if b.ndim > 1 else (*b.shape, 1)}")
    with _singular():
        return np.linalg.solve(a.T if transposed else a, b)


def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True):
    a = np.asarray(a).astype(np.float64)
    a = np.tril(a) if lower else np.triu(a)
    if unit_diagonal:
        a = a - np.diag(np.diag(a)) + np.eye(len(a))
    zeros = np.nonzero(np.diagonal(a) == 0)[0]
    if len(zeros):
        raise LinAlgError(f"singular matrix: resolution failed at diagonal {zeros[0]}")
    return np.linalg.solve(a.T if trans in (1, "T", 2, "C") else a, b)


def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    return tuple(np.linalg.svd(a, full_matrices)) if compute_uv else np.linalg.svd(a, compute_uv=False)


def svdvals(a, overwrite_a=False, check_finite=True):
    return np.linalg.svd(a, compute_uv=False)


def eigh(a, b=None, *, lower=True, eigvals_only=False, subset_by_index=None, overwrite_a=False, check_finite=True, driver=None, **others):
    if b is not None or others:
        raise NotImplementedError(f"scipy.linalg.eigh({', '.join(['b'] * (b is not None) + list(others))}=)")
    UPLO, n = "L" if lower else "U", len(a)
    first, last = (0, n - 1) if subset_by_index is None else map(int, subset_by_index)
    if subset_by_index is not None and not 0 <= first <= last < n:
        raise ValueError(f"Requested eigenvalue indices are not valid. Valid range is [0, {n - 1}] and start <= end, but start={first}, end={last} is given")
    if eigvals_only:
        return np.linalg.eigvalsh(a, UPLO)[first:last + 1]
    w, v = np.linalg.eigh(a, UPLO)
    return w[first:last + 1], v[:, first:last + 1]


def eig(a, b=None, left=False, right=True, **others):
    if b is not None or left:
        raise NotImplementedError("scipy.linalg.eig(b=, left=)")
    w, v = np.linalg.eig(a)
    w = w if w.dtype.kind == "c" else w.astype(np.complex128)
    return (w, v) if right else w


def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    if pivoting or mode not in ("full", "economic", "r"):
        raise NotImplementedError("scipy.linalg.qr(pivoting=True) and mode='raw'")
    q, r = np.linalg.qr(a, "reduced" if mode == "economic" else "complete")
    return (r,) if mode == "r" else (q, r)


def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    a = _square(a)
    a = np.tril(a) + np.tril(a, -1).T if lower else np.triu(a) + np.triu(a, 1).T
    try:
        made = np.linalg.cholesky(a)
    except LinAlgError:
        # The first leading block that isn't positive definite.
        n = next((n for n in range(1, len(a) + 1) if not np.linalg.eigvalsh(a[:n, :n])[0] > 0), len(a))
        raise LinAlgError(f"{n}-th leading minor of the array is not positive definite") from None
    return made if lower else np.conjugate(made.T)


def _finite(a, check):
    a = np.asarray(a)
    if check and a.dtype.kind in "fc" and not np.isfinite(a).all():
        raise ValueError("array must not contain infs or NaNs")
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def lu_factor(a, overwrite_a=False, check_finite=True):
    """Both triangles in one matrix, and the row that each row was exchanged with."""
    a = _finite(a, check_finite)
    low, pivots, info = _quiet(torch.linalg.lu_factor_ex, a._t)
    if a.ndim == 2 and int(info) > 0:
        warnings.warn(f"Diagonal number {int(info)} is exactly zero. Singular matrix.", LinAlgWarning, stacklevel=2)
    return _wrap(low), _wrap(pivots - 1)


def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    low, pivots = lu_and_piv
    b = _finite(b, check_finite)
    if low.shape[-1] != len(b):
        raise ValueError(f"Shapes of lu {low.shape} and b {b.shape} are incompatible")
    if trans not in (0, 1, 2):
        raise ValueError("trans must be 0, 1, or 2")
    lower, upper = np.tril(low, -1) + np.eye(len(low)), np.triu(low)
    order = np.arange(len(low))
    for i, j in enumerate(pivots.tolist()):
        order[[i, j]] = order[[j, i]]
    if not trans:
        return np.linalg.solve(upper, np.linalg.solve(lower, b[order]))
    if trans == 2:
        lower, upper = np.conjugate(lower), np.conjugate(upper)
    return np.linalg.solve(lower.T, np.linalg.solve(upper.T, b))[np.argsort(order)]


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    """One triangle is the factor; the other holds what `a` held."""
    a = _finite(a, check_finite)
    made = cholesky(a, lower)
    return (made + np.triu(a, 1) if lower else made + np.tril(a, -1)), lower


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    c, lower = c_and_lower
    b = _finite(b, check_finite)
    if c.ndim != 2 or c.shape[0] != c.shape[1]:
        raise ValueError("The factored matrix c is not square.")
    if c.shape[1] != len(b):
        raise ValueError(f"incompatible dimensions ({c.shape} and {b.shape})")
    c = np.tril(c) if lower else np.conjugate(np.triu(c).T)
    return np.linalg.solve(np.conjugate(c.T), np.linalg.solve(c, b))


def solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True):
    """Solves with a matrix of which only the diagonals are given, the highest first."""
    ab, b = _finite(ab, check_finite), _finite(b, check_finite)
    if ab.shape[-1] != len(b):
        raise ValueError("shapes of ab and b are not compatible.")
    low, up = l_and_u
    if low + up + 1 != len(ab):
        raise ValueError(f"invalid values for the number of lower and upper diagonals: l+u+1 ({low + up + 1}) does not equal ab.shape[0] ({len(ab)})")
    n, full = ab.shape[1], np.zeros((ab.shape[1], ab.shape[1]), dtype=ab.dtype)
    for row in range(len(ab)):
        k = up - row
        if abs(k) < n:
            full += np.diag(ab[row, k:] if k >= 0 else ab[row, :k], k)
    return solve(full, b)


def hankel(c, r=None):
    c = np.asarray(c).ravel()
    r = np.zeros_like(c) if r is None else np.asarray(r).ravel()
    row = np.concatenate([c, r[1:]])
    return row[np.arange(len(c))[:, None] + np.arange(len(r))]


def lstsq(a, b, cond=None, **others):
    a = np.asarray(a)
    x, rest, rank, s = np.linalg.lstsq(a, b, cond)
    return x, rest, rank, s


def lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    """Permutation, lower and upper triangle, with the largest element of each column first."""
    p, low, u = (_wrap(part) for part in _quiet(torch.linalg.lu, np.asarray(a).astype(np.float64)._t))
    if p_indices and not permute_l:
        return p.argmax(axis=1).astype(np.int32), low, u
    return (p @ low, u) if permute_l else (p, low, u)


def expm(A):
    a = np.asarray(A)
    a = a if a.dtype.kind in "fc" else a.astype(np.float64)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return _wrap(_quiet(torch.matrix_exp, a._t))


def sqrtm(A, disp=None, blocksize=None):
    """The square root of a matrix that has a basis of eigenvectors."""
    a = _square(A)
    real = a.dtype.kind == "f"
    if np.array_equal(a, np.conjugate(a.T)):
        w, v = np.linalg.eigh(a)
        root = (v * np.sqrt(w.astype(np.complex128))) @ np.conjugate(v.T).astype(np.complex128)
    else:
        w, v = np.linalg.eig(a)
        v = v.astype(np.complex128)
        try:
            root = (v * np.sqrt(w.astype(np.complex128))) @ np.linalg.inv(v)
        except LinAlgError:
            root = np.full(a.shape, np.nan)
    if not float(np.abs(root @ root - a).max()) <= 1e-6 * max(float(np.abs(a).max()), 1e-300):
        raise NotImplementedError("scipy.linalg.sqrtm of a matrix without a basis of eigenvectors")
    if real and float(np.abs(root.imag).max()) <= 1e-13 * max(float(np.abs(root.real).max()), 1e-300):
        return root.real.astype(a.dtype)
    return root


def block_diag(*arrs):
    arrs = [np.atleast_2d(a) for a in arrs]
    out = np.zeros((sum(a.shape[0] for a in arrs), sum(a.shape[1] for a in arrs)), dtype=np.result_type(*arrs))
    row = column = 0
    for a in arrs:
        out[row:row + a.shape[0], column:column + a.shape[1]] = a
        row, column = row + a.shape[0], column + a.shape[1]
    return out


def toeplitz(c, r=None):
    c = np.asarray(c)
    r = np.conjugate(c) if r is None else np.asarray(r)
    return np.array([[c[i - j].item() if i >= j else r[j - i].item() for j in range(len(r))] for i in range(len(c))],
                    dtype=np.result_type(c, r))


def circulant(c):
    c = np.asarray(c)
    return np.array([[c[(i - j) % len(c)].item() for j in range(len(c))] for i in range(len(c))], dtype=c.dtype)


def hilbert(n):
    return np.array([[1.0 / (i + j + 1) for j in range(n)] for i in range(n)])


def hadamard(n, dtype=int):
    if n < 1 or n & (n - 1):
        raise ValueError("n must be an positive integer, and n must be a power of 2")
    out = np.array([[1]])
    while len(out) < n:
        out = np.block([[out, out], [out, -out]])
    return out.astype(dtype)


def null_space(A, rcond=None, **others):
    u, s, vh = np.linalg.svd(A, True)
    m, n = u.shape[0], vh.shape[1]
    limit = float(s.max()) * (np.finfo(s.dtype).eps * max(m, n) if rcond is None else rcond)
    return np.conjugate(vh[int((s > limit).sum()):].T)


def orth(A, rcond=None):
    u, s, vh = np.linalg.svd(A, False)
    limit = float(s.max()) * (np.finfo(s.dtype).eps * max(u.shape[0], vh.shape[1]) if rcond is None else rcond)
    return u[:, :int((s > limit).sum())]


__getattr__ = lacking("scipy.linalg")
