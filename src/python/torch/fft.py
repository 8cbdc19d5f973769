"""Discrete Fourier transforms, as torch.fft: arguments are prepared here, `_fft_c2c`, `_fft_r2c` and `_fft_c2r` transform.

Source of rules and texts: aten/src/ATen/native/SpectralOps.cpp in PyTorch 2.15.
"""

import math

import _torch
from _torch import Tensor

__all__ = ["fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "rfft", "irfft", "rfft2", "irfft2", "rfftn", "irfftn", "hfft", "ihfft",
           "fftfreq", "rfftfreq", "fftshift", "ifftshift", "Tensor"]

_PLAIN, _BY_ROOT, _BY_COUNT = 0, 1, 2


def _dtype_name(t):
    return t.type().split(".")[-1].removesuffix("Tensor")


def _norm(norm, forward):
    """The number of PyTorch's mode; the inverse has the factor, unless told otherwise."""
    if norm is None or norm == "backward":
        return _PLAIN if forward else _BY_COUNT
    if norm == "forward":
        return _BY_COUNT if forward else _PLAIN
    if norm == "ortho":
        return _BY_ROOT
    raise RuntimeError(f'Invalid normalization mode: "{norm}"')


def _promoted(t, to_complex=False):
    """Integers become the default dtype, and real numbers complex ones if asked."""
    if t.is_complex():
        return t
    dtype = t.dtype if t.is_floating_point() else _torch.get_default_dtype()
    if dtype not in (_torch.float32, _torch.float64):
        name = {_torch.float16: "Half", _torch.bfloat16: "BFloat16"}.get(dtype, str(dtype))
        raise NotImplementedError(f"Unsupported dtype {name}")
    if to_complex:
        dtype = _torch.complex64 if dtype == _torch.float32 else _torch.complex128
    return t.to(dtype)


def _wrapped(dim, ndim):
    if ndim == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    if not -ndim <= dim < ndim:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {dim})")
    return dim % ndim


def _resized(t, dims, sizes):
    """Cuts dimensions to their sizes or fills them with zeros."""
    padding = [0] * (2 * t.dim())
    for dim, size in zip(dims, sizes):
        given = t.size(dim)
        if given < size:
            padding[2 * (t.dim() - 1 - dim) + 1] = size - given
        elif given > size:
            t = t[(slice(None),) * dim + (slice(0, size),)]
    return _torch.pad(t, padding) if any(padding) else t


def _check_points(n):
    if n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified")


def _of_real(name, input, n, dim, norm, forward, onesided):
    if input.is_complex():
        raise TypeError(f"{name} expects a real input tensor, but got {_dtype_name(input)}")
    input = _promoted(input)
    dim = _wrapped(dim, input.dim())
    points = input.size(dim) if n is None else n
    _check_points(points)
    if n is not None:
        input = _resized(input, (dim,), (n,))
    out = _torch._fft_r2c(input, (dim,), _norm(norm, forward), onesided)
    return out if forward else out.conj()


def _of_complex(name, input, n, dim, norm, forward):
    dim = _wrapped(dim, input.dim())
    points = input.size(dim) if n is None else n
    _check_points(points)
    if n is not None:
        input = _resized(input, (dim,), (n,))
    return _torch._fft_c2c(input, (dim,), _norm(norm, forward), forward)


def _to_real(input, n, dim, norm, forward):
    input = _promoted(input, to_complex=True)
    dim = _wrapped(dim, input.dim())
    points = 2 * (input.size(dim) - 1) if n is None else n
    _check_points(points)
    if n is not None:
        input = _resized(input, (dim,), (n // 2 + 1,))
    mode = _norm(norm, forward)
    return _torch._fft_c2r(input.conj() if forward else input, (dim,), mode, points)


def fft(input, n=None, dim=-1, norm=None):
    if input.is_complex():
        return _of_complex("fft", input, n, dim, norm, True)
    return _of_real("fft", input, n, dim, norm, True, False)


def ifft(input, n=None, dim=-1, norm=None):
    if input.is_complex():
        return _of_complex("ifft", input, n, dim, norm, False)
    return _of_real("ifft", input, n, dim, norm, False, False)


def rfft(input, n=None, dim=-1, norm=None):
    return _of_real("rfft", input, n, dim, norm, True, True)


def irfft(input, n=None, dim=-1, norm=None):
    return _to_real(input, n, dim, norm, False)


def hfft(input, n=None, dim=-1, norm=None):
    return _to_real(input, n, dim, norm, True)


def ihfft(input, n=None, dim=-1, norm=None):
    return _of_real("ihfft", input, n, dim, norm, False, True)


def _sizes_and_dims(input, s, dim):
    """The dimensions to transform and the size of each, from what the caller left out."""
    s = None if s is None else [s] if isinstance(s, int) else list(s)
    dim = None if dim is None else [dim] if isinstance(dim, int) else list(dim)
    ndim = input.dim()
    if dim is not None:
        dim = [_wrapped(d, ndim) for d in dim]
        if len(set(dim)) < len(dim):
            raise RuntimeError("FFT dims must be unique")
    if s is not None:
        if dim is not None and len(dim) != len(s):
            raise RuntimeError("When given, dim and shape arguments must have the same length")
        if len(s) > ndim:
            raise RuntimeError(f"Got shape with {len(s)} values but input tensor only has {ndim} dimensions.")
        if dim is None:
            dim = list(range(ndim - len(s), ndim))
        s = [input.size(d) if n == -1 else n for n, d in zip(s, dim)]
    else:
        dim = list(range(ndim)) if dim is None else dim
        s = [input.size(d) for d in dim]
    for n in s:
        _check_points(n)
    return s, dim


def _several_to_half(name, input, s, dim):
    """The same before a transform to real numbers: also how many the last dimension has afterwards."""
    sizes, dims = _sizes_and_dims(input, s, dim)
    if not dims:
        raise RuntimeError(f"{name} must transform at least one axis")
    given = s[-1] if isinstance(s, (tuple, list)) and s else s if isinstance(s, int) else -1
    last = 2 * (input.size(dims[-1]) - 1) if given == -1 else sizes[-1]
    _check_points(last)
    sizes[-1] = last // 2 + 1
    return _resized(_promoted(input, to_complex=True), dims, sizes), dims, last


def fftn(input, s=None, dim=None, norm=None):
    sizes, dims = _sizes_and_dims(input, s, dim)
    x = _resized(_promoted(input, to_complex=True), dims, sizes)
    return _torch._fft_c2c(x, dims, _norm(norm, True), True)


def ifftn(input, s=None, dim=None, norm=None):
    sizes, dims = _sizes_and_dims(input, s, dim)
    x = _resized(_promoted(input, to_complex=True), dims, sizes)
    return _torch._fft_c2c(x, dims, _norm(norm, False), False)


def rfftn(input, s=None, dim=None, norm=None):
    if input.is_complex():
        raise TypeError(f"rfftn expects a real-valued input tensor, but got {_dtype_name(input)}")
    sizes, dims = _sizes_and_dims(input, s, dim)
    if not dims:
        raise RuntimeError("rfftn must transform at least one axis")
    return _torch._fft_r2c(_resized(_promoted(input), dims, sizes), dims, _norm(norm, True), True)


def irfftn(input, s=None, dim=None, norm=None):
    x, dims, last = _several_to_half("irfftn", input, s, dim)
    return _torch._fft_c2r(x, dims, _norm(norm, False), last)


def hfftn(input, s=None, dim=None, norm=None):
    x, dims, last = _several_to_half("hfftn", input, s, dim)
    mode = _norm(norm, True)
    if len(dims) > 1:
        x = _torch._fft_c2c(x, dims[:-1], mode, True)
    return _torch._fft_c2r(x.conj(), dims[-1:], mode, last)


def ihfftn(input, s=None, dim=None, norm=None):
    sizes, dims = _sizes_and_dims(input, s, dim)
    if not dims:
        raise RuntimeError("ihfftn must transform at least one axis")
    if input.is_complex():
        raise TypeError(f"Only supports floating-point dtypes, but found: {_dtype_name(input)}")
    mode = _norm(norm, False)
    half = _torch._fft_r2c(_resized(_promoted(input), dims, sizes), dims[-1:], mode, True)
    if len(dims) == 1:
        return half.conj()
    return _torch._fft_c2c(half.conj_physical(), dims[:-1], mode, False)


def fft2(input, s=None, dim=(-2, -1), norm=None):
    return fftn(input, s, dim, norm)


def ifft2(input, s=None, dim=(-2, -1), norm=None):
    return ifftn(input, s, dim, norm)


def rfft2(input, s=None, dim=(-2, -1), norm=None):
    return rfftn(input, s, dim, norm)


def irfft2(input, s=None, dim=(-2, -1), norm=None):
    return irfftn(input, s, dim, norm)


def hfft2(input, s=None, dim=(-2, -1), norm=None):
    return hfftn(input, s, dim, norm)


def ihfft2(input, s=None, dim=(-2, -1), norm=None):
    return ihfftn(input, s, dim, norm)


def _frequencies(numbers, n, d, requires_grad):
    # C++ divides by zero here: no elements stay no elements.
    step = 1.0 / (n * d) if n * d else math.inf
    return numbers.mul_(step).requires_grad_(requires_grad)


def fftfreq(n, d=1.0, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    options = {"dtype": dtype or _torch.get_default_dtype(), "device": device, "pin_memory": pin_memory}
    numbers = _torch.arange(n, **options)
    numbers[(n + 1) // 2:] = _torch.arange(-(n // 2), 0, **options)
    return _frequencies(numbers, n, d, requires_grad)


def rfftfreq(n, d=1.0, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    options = {"dtype": dtype or _torch.get_default_dtype(), "device": device, "pin_memory": pin_memory}
    return _frequencies(_torch.arange(n // 2 + 1, **options), n, d, requires_grad)


def _shifted(input, dim, half):
    dims = list(range(input.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    if not dims:
        raise RuntimeError("`shifts` required")
    return input.roll([half(input.size(d)) for d in dims], dims)


def fftshift(input, dim=None):
    return _shifted(input, dim, lambda n: n // 2)


def ifftshift(input, dim=None):
    return _shifted(input, dim, lambda n: (n + 1) // 2)


for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn", "fft2", "ifft2",
              "rfft2", "irfft2", "hfft2", "ihfft2", "fftfreq", "rfftfreq", "fftshift", "ifftshift"):
    globals()[_name] = _torch._composed("fft_" + _name, globals()[_name])
