"""Linear algebra. Real matrices use the decompositions of `torch.linalg`; complex ones are handled here in Python."""

import builtins
import math
from collections import namedtuple

import _torch as _C

import numpy as np
from numpy import _types as _t
from numpy._array import _quiet, _wrap, asarray, axes_of
from numpy._types import FLOAT32, FLOAT64, number

EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")
EigResult = namedtuple("EigResult", "eigenvalues eigenvectors")
QRResult = namedtuple("QRResult", "Q R")
SlogdetResult = namedtuple("SlogdetResult", "sign logabsdet")
SVDResult = namedtuple("SVDResult", "U S Vh")


class LinAlgError(ValueError):
    pass


def _array(a, square=True):
    """Matrices in the dtype that NumPy computes in."""
    a = asarray(a)
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if square and a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    if a._boxed or a.dtype.name == "float16":
        raise TypeError(f"array type {a.dtype.name} is unsupported in linalg")
    return a if a.dtype.kind in "fc" else a.astype(FLOAT64)


def _engine(function, a, *args):
    try:
        found = _quiet(function, a._t, *args)
    except RuntimeError as error:
        text = str(error)
        raise LinAlgError("Singular matrix" if "singular" in text else "Matrix is not positive definite" if "positive" in text
                          else text) from None
    return tuple(_wrap(t) for t in found) if isinstance(found, tuple) else _wrap(found)


def _each(function, a, *others):
    """Calls a function of one matrix, which returns arrays, for each matrix of a stack."""
    if a.ndim == 2:
        return function(a, *others)
    rows = [function(m, *[o[i] for o in others]) for i, m in enumerate(a.reshape((-1,) + a.shape[-2:]))]
    if isinstance(rows[0], tuple):
        return tuple(np.stack([r[i] for r in rows]).reshape(a.shape[:-2] + np.shape(rows[0][i])) for i in range(len(rows[0])))
    return np.stack(rows).reshape(a.shape[:-2] + np.shape(rows[0]))


# ---- norms -----------------------------------------------------------------------------------------------------------


def norm(x, ord=None, axis=None, keepdims=False):
    x = asarray(x)
    x = x if x.dtype.kind in "fc" else x.astype(FLOAT64)
    if axis is None:
        if ord is None or ord in ("f", "fro") and x.ndim == 2 or ord == 2 and x.ndim == 1:
            flat = x.ravel(order="K")
            total = np.dot(flat.real, flat.real) + np.dot(flat.imag, flat.imag) if x.dtype.kind == "c" else np.dot(flat, flat)
            out = np.sqrt(total)
            return asarray(out).reshape((1,) * x.ndim) if keepdims else out
        axis = tuple(range(x.ndim))
    axis = tuple(axes_of(axis, x.ndim))
    if len(axis) == 1:
        size = np.abs(x)
        if ord == math.inf:
            return np.max(size, axis, keepdims=keepdims)
        if ord == -math.inf:
            return np.min(size, axis, keepdims=keepdims)
        if ord == 0:
            return np.sum((x != 0).astype(size.dtype), axis, keepdims=keepdims)
        if ord == 1:
            return np.sum(size, axis, keepdims=keepdims)
        if ord in (None, 2):
            return np.sqrt(np.sum(size * size, axis, keepdims=keepdims))
        if isinstance(ord, str):
            raise ValueError(f"Invalid norm order '{ord}' for vectors")
        return np.power(np.sum(np.power(size, ord), axis, keepdims=keepdims), 1 / ord)
    if len(axis) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    row, column = axis
    if ord in (None, "fro", "f"):
        out = np.sqrt(np.sum(np.abs(x) ** 2, axis))
    elif ord in (1, -1):
        out = (np.max if ord > 0 else np.min)(np.sum(np.abs(x), row), column - (column > row))
    elif ord in (math.inf, -math.inf):
        out = (np.max if ord > 0 else np.min)(np.sum(np.abs(x), column), row - (row > column))
    elif ord in (2, -2, "nuc"):
        values = svdvals(np.moveaxis(x, axis, (-2, -1)))
        out = {2: np.max, -2: np.min, "nuc": np.sum}[ord](values, -1)
    else:
        raise ValueError("Invalid norm order for matrices.")
    return np.expand_dims(out, axis) if keepdims else out


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    x = asarray(x)
    shape = x.shape
    if axis is None:
        x, along = x.ravel(), 0
    elif isinstance(axis, tuple):
        axis = tuple(axes_of(axis, x.ndim))
        rest = [i for i in range(x.ndim) if i not in axis]
        x, along = x.transpose(list(axis) + rest).reshape((-1,) + tuple(shape[i] for i in rest)), 0
    else:
        along = axis
    found = norm(x, ord, along)
    if keepdims:
        gone = range(len(shape)) if axis is None else axes_of(axis, len(shape))
        found = asarray(found).reshape(tuple(1 if i in gone else n for i, n in enumerate(shape)))
    return found


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    return norm(asarray(x), ord, (-2, -1), keepdims)


# ---- systems ---------------------------------------------------------------------------------------------------------


def _eliminate(a, b):
    """Gauss-Jordan with partial pivoting: the solution of `a x = b` (None if `a` is singular), and the determinant of `a`."""
    n = len(a)
    work = np.concatenate([a, b], 1)
    determinant = number(a.dtype, 1)
    for i in range(n):
        at = i + int(np.argmax(np.abs(work[i:, i])))
        pivot = work[at, i]
        if pivot == 0:
            return None, number(a.dtype, 0)
        if at != i:
            upper = work[i].copy()
            work[i] = work[at].copy()
            work[at] = upper
            determinant = -determinant
        determinant = determinant * pivot
        work[i] = work[i] / pivot
        factors = work[:, i].copy()
        factors[i] = 0
        work = work - np.outer(factors, work[i])
    return work[:, n:], determinant


def _solve(a, b):
    if a.dtype.kind != "c":
        return _engine(_C.linalg_solve, a, b._t)
    x, _ = _eliminate(a, b)
    if x is None:
        raise LinAlgError("Singular matrix")
    return x


def solve(a, b):
    a, b = _array(a), asarray(b)
    d = np.result_type(a.dtype, b.dtype if b.dtype.kind in "fc" else FLOAT64)
    a, b = a.astype(d), b.astype(d)
    vector = b.ndim == 1
    b = b[:, None] if vector else b
    if a.shape[-1] != b.shape[-2]:
        signature = "(m,m),(m)->(m)" if vector else "(m,m),(m,n)->(m,n)"
        raise ValueError(f"solve{'1' if vector else ''}: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
                         f"signature {signature} (size {b.shape[-2]} is different from {a.shape[-1]})")
    lead = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = np.broadcast_to(a, lead + a.shape[-2:]).copy(), np.broadcast_to(b, lead + b.shape[-2:]).copy()
    if not a.size or not b.size:
        x = b
    elif a.ndim == 2 or a.dtype.kind != "c":
        x = _solve(a, b)
    else:
        x = _each(_solve, a, b.reshape((-1,) + b.shape[-2:]))
    return x[..., 0] if vector else x


def inv(a):
    a = _array(a)
    if not a.size:
        return a.copy()
    if a.dtype.kind != "c":
        return _engine(_C.linalg_inv, a)
    return _each(lambda m: solve(m, np.eye(len(m))), a)


def det(a):
    a = _array(a)
    if a.dtype.kind == "c":
        return asarray(_each(lambda m: asarray(_eliminate(m, np.zeros((len(m), 0), m.dtype))[1]), a))[()]
    return _engine(_C.linalg_det, a)[()] if a.size else np.ones(a.shape[:-2], a.dtype)[()]


def slogdet(a):
    a = _array(a)
    if a.dtype.kind == "c" or not a.size:
        d = asarray(det(a))
        size = np.abs(d)
        return SlogdetResult((d / np.where(size == 0, 1, size))[()], np.log(size)[()])
    sign, log = _engine(_C._linalg_slogdet, a)
    return SlogdetResult(sign[()], log[()])


def cholesky(a, /, *, upper=False):
    a = _array(a)
    if a.dtype.kind == "c":
        low = _each(_complex_cholesky, a)
    else:
        try:
            low = _engine(_C.linalg_cholesky, np.tril(a) + np.swapaxes(np.tril(a, -1), -1, -2))
        except LinAlgError:
            raise LinAlgError("Matrix is not positive definite") from None
    return np.conjugate(np.swapaxes(low, -1, -2)) if upper else low


def _complex_cholesky(a):
    n = len(a)
    low = np.zeros_like(a)
    for j in range(n):
        left = a[j, j].real - np.sum(np.abs(low[j, :j]) ** 2)
        if not left > 0:
            raise LinAlgError("Matrix is not positive definite")
        low[j, j] = math.sqrt(left)
        for i in range(j + 1, n):
            low[i, j] = (a[i, j] - np.sum(low[i, :j] * np.conjugate(low[j, :j]))) / low[j, j]
    return low


# ---- decompositions --------------------------------------------------------------------------------------------------


def qr(a, mode="reduced"):
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    a = _array(a, False)
    if mode == "raw":
        raise NotImplementedError("numpy.linalg.qr(mode='raw')")
    if a.dtype.kind == "c":
        q, r = _each(lambda m: _complex_qr(m, mode == "complete"), a)
    else:
        q, r = _engine(_C._linalg_qr, a, "reduced" if mode == "r" else mode)
    return r if mode == "r" else QRResult(q, r)


def _complex_qr(a, complete):
    """The QR decomposition by Householder reflections."""
    m, n = a.shape
    q, r = np.eye(m, dtype=a.dtype), a.copy()
    for j in range(builtins.min(m, n)):
        x = r[j:, j].copy()
        size = norm(x)
        if not size:
            continue
        turn = x[0] / abs(x[0]) if abs(x[0]) else 1.0
        x[0] = x[0] + turn * size
        x = x / norm(x)
        r[j:] = r[j:] - 2 * np.outer(x, np.conjugate(x) @ r[j:])
        q[:, j:] = q[:, j:] - 2 * np.outer(q[:, j:] @ x, np.conjugate(x))
    k = m if complete else builtins.min(m, n)
    return q[:, :k], np.triu(r[:k])


def _real_form(a):
    """The real matrix of twice the size that does to (real, imaginary) parts what the complex matrix does to numbers."""
    return np.concatenate([np.concatenate([a.real, -a.imag], 1), np.concatenate([a.imag, a.real], 1)], 0)


def eigh(a, UPLO="L"):
    UPLO = UPLO.upper()
    if UPLO not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    a = _array(a)
    if a.dtype.kind != "c":
        low = np.tril(a) if UPLO == "L" else np.swapaxes(np.triu(a), -1, -2)
        return EighResult(*_engine(_C._linalg_eigh, low + np.swapaxes(np.tril(low, -1), -1, -2)))
    return EighResult(*_each(lambda m: _complex_eigh(m, UPLO), a))


def _complex_eigh(a, UPLO):
    low = np.tril(a) if UPLO == "L" else np.conjugate(np.triu(a).T)
    whole = low + np.conjugate(np.tril(low, -1).T)
    n = len(a)
    # The diagonal of a Hermitian matrix is real, so imaginary parts there are ignored, as in LAPACK.
    whole[np.arange(n), np.arange(n)] = np.diagonal(whole).real
    values, vectors = eigh(_real_form(whole))
    # Each eigenvalue comes twice. Every vector is made orthogonal to those that are kept, and kept unless nothing is left of it.
    kept = []
    for i in range(2 * n):
        v = vectors[:n, i] + 1j * vectors[n:, i]
        for u in kept:
            v = v - u * np.vdot(u, v)
        size = norm(v)
        if size > 1e-6 and len(kept) < n:
            kept.append(v / size)
    return values[::2], np.stack(kept, 1).astype(a.dtype)


def eigvalsh(a, UPLO="L"):
    return eigh(a, UPLO).eigenvalues


def eig(a):
    a = _array(a)
    if not np.all(np.isfinite(a)):
        raise LinAlgError("Array must not contain infs or NaNs")
    if not a.size:
        values, vectors = np.zeros(a.shape[:-1], a.dtype), np.zeros(a.shape, a.dtype)
    else:
        values, vectors = _engine(_C._linalg_eig, a)
    if a.dtype.kind != "c" and np.all(values.imag == 0):
        values, vectors = values.real.copy(), vectors.real.copy()
    return EigResult(values, vectors)


def eigvals(a):
    a = _array(a)
    if not a.size:
        return np.zeros(a.shape[:-1], a.dtype)
    return eig(a).eigenvalues


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    a = _array(a, hermitian)
    if hermitian:
        values, u = eigh(a)
        order = np.argsort(np.abs(values))[..., ::-1]
        values, u = np.take_along_axis(values, order, -1), np.take_along_axis(u, order[..., None, :], -1)
        s = np.abs(values)
        # Singular values have no sign, so that of an eigenvalue goes to its row of Vh.
        return SVDResult(u, s, np.conjugate(np.swapaxes(u * np.sign(values)[..., None, :], -1, -2))) if compute_uv else s
    if a.dtype.kind == "c":
        if full_matrices and compute_uv and a.shape[-1] != a.shape[-2]:
            raise NotImplementedError("numpy.linalg.svd(full_matrices=True) of complex matrices that are not square")
        found = _each(_complex_svd, a)
    elif a.dtype == np.float64 and a.shape[-1] == a.shape[-2] and 0 < a.shape[-1] <= 8 and np.isfinite(a).all():
        found = _each(_small_svd, a)
    else:
        found = _engine(_C._linalg_svd, a, full_matrices and compute_uv)
    return SVDResult(*found) if compute_uv else found[1]


def _small_svd(a):
    from numpy._bidiagonal import factors

    return tuple(np.array(part) for part in factors(a.tolist()))


def _complex_svd(a):
    if a.shape[0] < a.shape[1]:
        u, s, v = _complex_svd(np.conjugate(a.T))
        return np.conjugate(v.T), s, np.conjugate(u.T)
    values, vectors = eigh(np.conjugate(a.T) @ a)
    s, v = np.sqrt(np.maximum(values[::-1], 0)), vectors[:, ::-1]
    u, r = _complex_qr(a @ v, False)
    turn = np.diagonal(r)
    turn = turn / np.where(np.abs(turn) == 0, 1, np.abs(turn))
    return u * np.where(np.abs(turn) == 0, 1, turn), s, np.conjugate(v.T)


def svdvals(x, /):
    return svd(x, compute_uv=False)


def _tolerance(rcond, rtol, default):
    if rcond is not None and rtol is not None:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    return default if rcond is None and rtol is None else rcond if rtol is None else rtol


def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    a = _array(a, False)
    if not a.size:
        return np.empty(a.shape[:-2] + (a.shape[-1], a.shape[-2]), a.dtype)
    u, s, vt = svd(a, False, True, hermitian)
    cutoff = asarray(_tolerance(rcond, rtol, 1e-15))[..., None] * np.max(s, -1, keepdims=True)
    s = np.where(s > cutoff, 1 / np.where(s > cutoff, s, 1), 0)
    t = lambda m: np.conjugate(np.swapaxes(m, -1, -2))
    return t(vt) @ (s[..., None] * t(u))


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    if tol is not None and rtol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    A = asarray(A)
    if A.ndim < 2:
        return int(not np.all(A == 0))
    if not A.size:
        return np.zeros(A.shape[:-2], int)[()]
    s = svd(A, compute_uv=False, hermitian=hermitian)
    if tol is None:
        rtol = max(A.shape[-2:]) * np.finfo(s.dtype).eps if rtol is None else asarray(rtol)[..., None]
        tol = np.max(s, -1, keepdims=True) * rtol
    else:
        tol = asarray(tol)[..., None]
    return np.count_nonzero(s > tol, axis=-1)


def cond(x, p=None):
    x = asarray(x)
    if not x.size:
        raise LinAlgError("cond is not defined on empty arrays")
    if p in (None, 2, -2):
        s = svdvals(x)
        r = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        x = _array(x)
        r = norm(x, p, (-2, -1)) * norm(inv(x), p, (-2, -1))
    return r


def lstsq(a, b, rcond=None):
    a, b = _array(a, False), asarray(b)
    vector = b.ndim == 1
    b = (b[:, None] if vector else b).astype(np.result_type(a.dtype, b.dtype, FLOAT32))
    if a.shape[0] != b.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    m, n = a.shape
    rcond = np.finfo(a.dtype).eps * max(m, n) if rcond is None else rcond
    u, s, vt = svd(a, full_matrices=False)
    kept = s > rcond * (s[0] if s.size else 0)
    rank = int(np.count_nonzero(kept))
    inverse = np.where(kept, 1 / np.where(kept, s, 1), 0)
    x = np.conjugate(vt.T) @ (inverse[:, None] * (np.conjugate(u.T) @ b))
    left = b - a @ x
    residuals = np.sum(np.abs(left) ** 2, 0) if rank == n and m > n else np.zeros(0, _t.to_real(b.dtype))
    return (x[:, 0] if vector else x), residuals, np.int32(rank), s


def matrix_power(a, n):
    a = asarray(a)
    _array(a)
    if not isinstance(n, (int, _t.integer)):
        raise TypeError("exponent must be an integer")
    if n < 0:
        a, n = inv(a), -n
    out = np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape).copy()
    while n:
        if n & 1:
            out = out @ a
        a, n = (a @ a if n > 1 else a), n >> 1
    return out


def multi_dot(arrays, *, out=None):
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    found = asarray(arrays[0])
    for a in arrays[1:]:
        found = np.dot(found, a)
    if out is None:
        return found
    out[...] = found
    return out


def tensorsolve(a, b, axes=None):
    a, b = asarray(a), asarray(b)
    if axes is not None:
        a = np.moveaxis(a, axes, range(-len(axes), 0))
    rest = a.shape[b.ndim:]
    return solve(a.reshape(-1, math.prod(rest)), b.ravel()).reshape(rest)


def tensorinv(a, ind=2):
    a = asarray(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    return inv(a.reshape(math.prod(a.shape[:ind]), -1)).reshape(a.shape[ind:] + a.shape[:ind])


def cross(x1, x2, /, *, axis=-1):
    return np.cross(x1, x2, axis=axis)


def diagonal(x, /, *, offset=0):
    return np.diagonal(x, offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    return np.sum(diagonal(x, offset=offset), -1, dtype)


def outer(x1, x2, /):
    x1, x2 = asarray(x1), asarray(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are x1.ndim={x1.ndim} and x2.ndim={x2.ndim}.")
    return np.outer(x1, x2)


def tensordot(x1, x2, /, *, axes=2):
    return np.tensordot(x1, x2, axes)


def vecdot(x1, x2, /, *, axis=-1):
    return np.vecdot(np.moveaxis(x1, axis, -1), np.moveaxis(x2, axis, -1))


def matmul(x1, x2, /):
    return np.matmul(x1, x2)


def matrix_transpose(x, /):
    return np.matrix_transpose(x)


__all__ = ["LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq",
           "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr",
           "slogdet", "solve", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot", "vector_norm"]
