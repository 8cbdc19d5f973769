"""Discrete Fourier transforms, by the kernel of torch.fft."""

import math
import operator

import _torch as _C
import numpy as np
from numpy._array import _is_int, _quiet, _wrap, asarray, axes_of, ndarray
from numpy._making import on_host
from numpy._types import COMPLEX128
from numpy._ufunc import UFuncTypeError


def _transform(a, sign):
    """The unscaled transform over the last axis of a complex128 array; `sign` is that of the exponent."""
    return _wrap(_quiet(_C._fft_c2c, a._t, (-1,), 0, sign < 0))


def _scale(norm, n, forward):
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    if norm == "ortho":
        return 1 / math.sqrt(n)
    return 1 / n if (norm == "forward") == forward else 1.0


def _prepared(a, n, axis):
    """The array in complex128 with its axis last, cut or filled with zeros to length `n`.

    Returns it with `n`, the axis, and whether the result has single precision.
    """
    a = asarray(a)
    if a._boxed:
        raise TypeError("ufunc 'fft' did not contain a loop with signature matching types <class 'numpy.dtypes.StrDType'> -> None")
    if not a.ndim:
        raise IndexError("tuple index out of range")
    axis = axes_of(axis, a.ndim)[0]
    n = a.shape[axis] if n is None else operator.index(n)
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    single = a.dtype.name in ("float32", "complex64", "float16")
    a = np.moveaxis(a, axis, -1).astype(COMPLEX128)
    if a.shape[-1] > n:
        a = a[..., :n]
    elif a.shape[-1] < n:
        whole = np.zeros(a.shape[:-1] + (n,), COMPLEX128)
        whole[..., :a.shape[-1]] = a
        a = whole
    return a, n, axis, single


def _done(found, axis, single, name, out, real=False):
    if real:
        found = found.real.copy()
    if single:
        found = found.astype("float32" if real else "complex64")
    found = np.moveaxis(found, -1, axis)
    if isinstance(out, tuple):
        out, = out
    if out is None:
        return found
    if not isinstance(out, ndarray):
        raise TypeError("return arrays must be of ArrayType")
    if out.shape != found.shape:
        raise ValueError("output array has wrong shape.")
    if not np.can_cast(found.dtype, out.dtype, "same_kind"):
        raise UFuncTypeError(f"Cannot cast ufunc '{name}' output from {found.dtype!r} to {out.dtype!r} with casting rule "
                             "'same_kind'")
    out[...] = found
    return out


def fft(a, n=None, axis=-1, norm=None, out=None):
    a, n, axis, single = _prepared(a, n, axis)
    return _done(_transform(a, -1) * _scale(norm, n, True), axis, single, "fft", out)


def ifft(a, n=None, axis=-1, norm=None, out=None):
    a, n, axis, single = _prepared(a, n, axis)
    return _done(_transform(a, 1) * _scale(norm, n, False), axis, single, "ifft", out)


def rfft(a, n=None, axis=-1, norm=None, out=None):
    a = asarray(a)
    if a.dtype.kind == "c":
        raise TypeError("ufunc 'rfft_n_even' did not contain a loop with signature matching types "
                        f"(<class 'numpy.dtypes.{'Complex128' if a.itemsize == 16 else 'Complex64'}DType'>, "
                        "<class 'numpy.dtypes.Float64DType'>) -> None")
    a, n, axis, single = _prepared(a, n, axis)
    name = f"rfft_n_{'odd' if n % 2 else 'even'}"
    return _done(_transform(a, -1)[..., :n // 2 + 1] * _scale(norm, n, True), axis, single, name, out)


def irfft(a, n=None, axis=-1, norm=None, out=None):
    a = asarray(a)
    n = 2 * (a.shape[axis] - 1) if n is None else operator.index(n)
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    half, _, axis, single = _prepared(a, n // 2 + 1, axis)
    half = half.copy()
    half.imag[..., 0] = 0
    if n % 2 == 0:
        half.imag[..., -1] = 0
    mirrored = np.conjugate(half[..., 1:n - n // 2])[..., ::-1].copy()
    return _done(_transform(np.concatenate([half, mirrored], -1), 1) * _scale(norm, n, False), axis, single,
                 "irfft", out, True)


# As in NumPy, `out` changes nothing in hfft, ifft2 and irfft2.
def hfft(a, n=None, axis=-1, norm=None, out=None):
    a = asarray(a)
    n = 2 * (a.shape[axis] - 1) if n is None else n
    turned = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}
    return irfft(np.conjugate(a), n, axis, turned.get(norm, norm))


def ihfft(a, n=None, axis=-1, norm=None, out=None):
    turned = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}
    found = rfft(a, n, axis, turned.get(norm, norm), out)
    return np.conjugate(found, out=found)


def _several(a, s, axes, norm, out, one, first=None, last=None):
    a = asarray(a)
    axes = (list(range(a.ndim)) if s is None else list(range(-len(s), 0))) if axes is None else list(axes)
    sizes = [None] * len(axes) if s is None else [None if n == -1 else n for n in s]
    if len(sizes) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    pairs = list(zip(sizes, axes))
    if (first or last) and not pairs:
        raise IndexError("list index out of range")
    if first:
        a = first(a, pairs[-1][0], pairs[-1][1], norm, out)
        pairs = pairs[:-1]
    for n, axis in pairs[::-1] if not last else pairs[:-1]:
        a = one(a, n, axis, norm, None if last else out)
    return last(a, pairs[-1][0], pairs[-1][1], norm, out) if last else asarray(a)


def fftn(a, s=None, axes=None, norm=None, out=None):
    return _several(a, s, axes, norm, out, fft)


def ifftn(a, s=None, axes=None, norm=None, out=None):
    return _several(a, s, axes, norm, out, ifft)


def fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return _several(a, s, axes, norm, out, fft)


def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return _several(a, s, axes, norm, None, ifft)


def rfftn(a, s=None, axes=None, norm=None, out=None):
    return _several(a, s, axes, norm, out, fft, first=rfft)


def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return rfftn(a, s, axes, norm, out)


def irfftn(a, s=None, axes=None, norm=None, out=None):
    return _several(a, s, axes, norm, out, ifft, last=irfft)


def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return irfftn(a, s, axes, norm)


def fftfreq(n, d=1.0, device=None):
    on_host(device)
    if not _is_int(n):
        raise ValueError("n should be an integer")
    half = (n - 1) // 2 + 1
    return np.concatenate([np.arange(half), np.arange(-(n // 2), 0)]) * (1.0 / (n * d))


def rfftfreq(n, d=1.0, device=None):
    on_host(device)
    if not _is_int(n):
        raise ValueError("n should be an integer")
    return np.arange(n // 2 + 1) * (1.0 / (n * d))


def _shifted(x, axes, way):
    x = asarray(x)
    axes = tuple(range(x.ndim)) if axes is None else (axes,) if _is_int(axes) else tuple(axes)
    for axis in axes:
        x = np.roll(x, way(x.shape[axis]), axis)
    return x


def fftshift(x, axes=None):
    return _shifted(x, axes, lambda n: n // 2)


def ifftshift(x, axes=None):
    return _shifted(x, axes, lambda n: -(n // 2))


__all__ = ["fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft", "irfft2",
           "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn"]
