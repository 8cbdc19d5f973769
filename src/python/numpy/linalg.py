"""Norms, and the small dense solvers that need no decomposition of their own."""

import math

import numpy
from numpy import _functions as _f
from numpy._types import FLOAT64


class LinAlgError(ValueError):
    pass


def _matrix(a):
    a = numpy.asarray(a)
    if a.ndim != 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional") if a.ndim < 2 else \
            NotImplementedError("numpy.linalg on stacks of matrices")
    if a.shape[0] != a.shape[1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return a.astype(FLOAT64)


def norm(x, ord=None, axis=None, keepdims=False):
    x = numpy.asarray(x)
    x = x if x.dtype.kind == "f" else x.astype(FLOAT64)
    if axis is None and (ord is None or ord in ("fro", 2) and x.ndim == 1 or ord == "fro"):
        flat = x.ravel()
        out = numpy.sqrt(numpy.dot(flat, flat))
        return out.reshape((1,) * x.ndim) if keepdims else out
    if axis is None and x.ndim == 2:
        sums = {1: (0, numpy.max), -1: (0, numpy.min), math.inf: (1, numpy.max), -math.inf: (1, numpy.min)}
        if ord not in sums:
            raise NotImplementedError(f"numpy.linalg.norm(ord={ord!r}) of a matrix")
        along, pick = sums[ord]
        return pick(numpy.sum(numpy.abs(x), along), keepdims=keepdims)
    if isinstance(axis, tuple) and len(axis) == 2 and ord not in (None, "fro"):
        raise NotImplementedError(f"numpy.linalg.norm(ord={ord!r}) of matrices")
    size = numpy.abs(x)
    if ord in (None, 2, "fro"):
        return numpy.sqrt(numpy.sum(x * x, axis, keepdims=keepdims))
    if ord == math.inf:
        return numpy.max(size, axis, keepdims=keepdims)
    if ord == -math.inf:
        return numpy.min(size, axis, keepdims=keepdims)
    if ord == 0:
        return numpy.sum((x != 0).astype(x.dtype), axis, keepdims=keepdims)
    return numpy.power(numpy.sum(numpy.power(size, ord), axis, keepdims=keepdims), 1 / ord)


vector_norm = norm


def _eliminate(a, b):
    """Gauss-Jordan with partial pivoting: the solution of `a x = b`, and the determinant."""
    n = len(a)
    work = numpy.concatenate([a, b], 1)
    determinant = 1.0
    for i in range(n):
        at = i + int(numpy.argmax(numpy.abs(work[i:, i])))
        pivot = float(work[at, i])
        if pivot == 0.0:
            return None, 0.0
        if at != i:
            upper = work[i].copy()
            work[i] = work[at].copy()
            work[at] = upper
            determinant = -determinant
        determinant *= pivot
        work[i] = work[i] / pivot
        factors = work[:, i].copy()
        factors[i] = 0.0
        work = work - numpy.outer(factors, work[i])
    return work[:, n:], determinant


def solve(a, b):
    a, b = _matrix(a), numpy.asarray(b).astype(FLOAT64)
    x, _ = _eliminate(a, b.reshape(len(b), -1))
    if x is None:
        raise LinAlgError("Singular matrix")
    return x.reshape(b.shape)


def inv(a):
    a = _matrix(a)
    return solve(a, numpy.eye(len(a)))


def det(a):
    a = _matrix(a)
    return numpy.float64(_eliminate(a, numpy.zeros((len(a), 0)))[1])


def lstsq(a, b, rcond=None):
    """By the normal equations, so the last digits of an ill-conditioned problem differ from NumPy's decomposition."""
    a, b = numpy.asarray(a).astype(FLOAT64), numpy.asarray(b).astype(FLOAT64)
    x = solve(a.T @ a, a.T @ b)
    left = b - a @ x
    residuals = numpy.sum(left * left, 0)
    return x, numpy.atleast_1d(residuals), a.shape[1], None


def matrix_power(a, n):
    a = numpy.asarray(a)
    if n < 0:
        a, n = inv(a), -n
    out = numpy.eye(len(a), dtype=a.dtype)
    for _ in range(n):
        out = out @ a
    return out


def __getattr__(name):
    raise AttributeError(f"numpy.linalg.{name} is not part of this numpy")
