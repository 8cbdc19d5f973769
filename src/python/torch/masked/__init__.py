"""Reductions and softmax over what a mask shows, as torch.masked. A masked element counts as if it were not there."""

import math

import _torch
from torch._functions import iinfo


__all__ = [
    "MaskedTensor", "amax", "amin", "argmax", "argmin", "as_masked_tensor", "cumprod", "cumsum", "is_masked_tensor", "log_softmax",
    "logaddexp", "logsumexp", "masked_tensor", "mean", "median", "norm", "normalize", "prod", "softmax", "softmin", "std", "sum", "var"]
_SAME = object()


def _shown(input, mask):
    if mask is None:
        return None
    if mask.is_sparse or mask.is_sparse_csr:
        mask = mask.to_dense()
    if mask.dim() > input.dim():
        raise IndexError("_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)")
    return mask.to(_torch.bool).expand(input.shape)


def _dims(dim, ndim):
    """The dimensions to reduce, in order: all of them if `dim` is None or empty."""
    if dim is None or isinstance(dim, (tuple, list)) and not dim:
        return tuple(range(ndim))
    dims = []
    for d in (dim,) if isinstance(dim, int) else dim:
        if d in dims:
            raise RuntimeError(f"dim={d} appears multiple times in the list of dims")
        if not -max(ndim, 1) <= d < max(ndim, 1):
            raise IndexError(f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {d})")
        dims.append(d % ndim if ndim else 0)
    return tuple(sorted(dims))


def _filled(input, mask, value):
    mask = _shown(input, mask)
    return input if mask is None else _torch.where(mask, input, _torch.full((), value, dtype=input.dtype, device=input.device))


def _lowest(dtype):
    return -math.inf if dtype.is_floating_point or dtype.is_complex else 0 if dtype == _torch.bool else iinfo(dtype).min


def _highest(dtype):
    return math.inf if dtype.is_floating_point or dtype.is_complex else 1 if dtype == _torch.bool else iinfo(dtype).max


def _as(input, dtype, wide=False):
    if str(input.layout) != "torch.strided":
        raise NotImplementedError(f"torch.masked: functions of tensors of the layout {input.layout}")
    if dtype is None and wide and not (input.is_floating_point() or input.is_complex()):
        dtype = _torch.int64
    return input if dtype in (None, input.dtype) else input.to(dtype)


def sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    x = _as(input, dtype, True)
    return _filled(x, mask, 0).sum(_dims(dim, x.dim()), keepdim=keepdim)


def prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    x = _as(input, dtype, True)
    out = _filled(x, mask, 1)
    if out.dim() == 0:
        return out.prod()
    for d in reversed(_dims(dim, x.dim())):
        out = out.prod(d, keepdim=keepdim)
    return out


def cumsum(input, dim, *, dtype=None, mask=None):
    x = _as(input, dtype)
    return _filled(x, mask, 0).cumsum(_dims(dim, x.dim())[0], dtype=x.dtype)


def cumprod(input, dim, *, dtype=None, mask=None):
    x = _as(input, dtype)
    return _filled(x, mask, 1).cumprod(_dims(dim, x.dim())[0], dtype=x.dtype)


def amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    x = _as(input, dtype)
    return _filled(x, mask, _lowest(x.dtype)).amax(_dims(dim, x.dim()), keepdim)


def amin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    x = _as(input, dtype)
    return _filled(x, mask, _highest(x.dtype)).amin(_dims(dim, x.dim()), keepdim)


def argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    x = _as(input, dtype)
    return _filled(x, mask, _lowest(x.dtype)).argmax(dim, keepdim=bool(keepdim)).to(x.dtype)


def argmin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    x = _as(input, dtype)
    return _filled(x, mask, _highest(x.dtype)).argmin(dim, keepdim=bool(keepdim)).to(x.dtype)


def _count(x, mask, dims, keepdim):
    ones = _torch.ones(x.shape, dtype=_torch.int64, device=x.device)
    return _filled(ones, mask, 0).sum(dims, keepdim=keepdim)


def mean(input, dim=None, *, keepdim=False, dtype=None, mask=None, _counted=_SAME):
    x = _as(input, dtype)
    dims = _dims(dim, x.dim())
    if not (x.is_floating_point() or x.is_complex()):
        raise ValueError("mean(): Could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: "
                         f"{x.dtype}")
    return _filled(x, mask, 0).sum(dims, keepdim=keepdim) / _count(x, mask if _counted is _SAME else _counted, dims, keepdim)


def median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    from torch._more import nanmedian

    x = _as(input, dtype)
    x = x if x.is_floating_point() else x.to(_torch.float32)
    (dim,) = _dims(dim, x.dim()) or (0,)
    if mask is None and x.isnan().any():
        raise ValueError("masked median expected no values of NaN in input")
    return nanmedian(_filled(x, mask, math.nan), dim, keepdim)[0]


def logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    x = _as(input, dtype)
    return _torch.logsumexp(_filled(x, mask, _lowest(x.dtype)), _dims(dim, x.dim()), keepdim).to(x.dtype)


def logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    a, b = _as(input, dtype), _as(other, dtype)
    from torch._composed import logaddexp

    return logaddexp(_filled(a, input_mask, -math.inf), _filled(b, other_mask, -math.inf))


def norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    x = _as(input, dtype)
    fill = math.inf if ord == -math.inf else 0
    return _torch.linalg_vector_norm(_filled(x, mask, fill), 2.0 if ord is None else ord, _dims(dim, x.dim()), bool(keepdim),
                                     dtype=dtype)


def _spread(input, dim, unbiased, correction, keepdim, dtype, mask, counted, root):
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    less = (1 if unbiased in (None, True) else 0) if correction is None else correction
    x = _as(input, dtype)
    if x.dtype == _torch.bool:
        x - 1.0  # Refused, with PyTorch's message.
    if dtype is None and not (x.is_floating_point() or x.is_complex()):
        x = x.to(_torch.float32)
    dims = _dims(dim, x.dim())
    count = _count(x, mask if counted is _SAME else counted, dims, True)
    gaps = x - _filled(x, mask, 0).sum(dims, keepdim=True) / count
    total = _filled(gaps * gaps.conj() if x.is_complex() else gaps * gaps, mask, 0).sum(dims, keepdim=keepdim)
    count = count if keepdim else count.reshape(total.shape)
    if less:
        count = (count - less).clamp(min=0)
    out = total / count
    return out.sqrt() if root else out


def var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None, _counted=_SAME):
    return _spread(input, dim, unbiased, correction, keepdim, dtype, mask, _counted, False)


def std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None, _counted=_SAME):
    return _spread(input, dim, unbiased, correction, keepdim, dtype, mask, _counted, True)


def softmax(input, dim, *, dtype=None, mask=None):
    x = _as(input, dtype)
    return _torch.softmax(_filled(x, mask, -math.inf), _dims(dim, x.dim())[0], dtype=dtype)


def log_softmax(input, dim, *, dtype=None, mask=None):
    x = _as(input, dtype)
    return _torch.log_softmax(_filled(x, mask, -math.inf), _dims(dim, x.dim())[0], dtype=dtype)


def softmin(input, dim, *, dtype=None, mask=None):
    x = _as(input, dtype)
    return _torch.softmax(-_filled(x, mask, math.inf), _dims(dim, x.dim())[0], dtype=dtype)


def normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    x = _as(input, dtype)
    size = norm(x, ord, _dims(dim, x.dim())[0], keepdim=True, mask=mask)
    return _filled(x, mask, 0) / size.clamp(min=eps)


def _opening(function, counts):
    """The function, which also takes a masked tensor. As in PyTorch, such a tensor's own mask is what hides elements, and a mean
    divides by the number of elements that the given mask shows."""
    import functools

    @functools.wraps(function)
    def opening(input, *args, mask=None, **kwargs):
        if type(input) is not _torch.Tensor and hasattr(input, "_masked_mask"):
            if counts:
                kwargs["_counted"] = mask
            input, mask = input.get_data(), input.get_mask()
        return function(input, *args, mask=mask, **kwargs)

    return opening


for _name in "sum prod cumsum cumprod amax amin argmax argmin mean median logsumexp norm var std softmax log_softmax softmin normalize".split():
    globals()[_name] = _opening(globals()[_name], _name in ("mean", "var", "std"))


def __getattr__(name):
    if name in ("MaskedTensor", "as_masked_tensor", "is_masked_tensor", "masked_tensor", "maskedtensor"):
        import importlib

        module = importlib.import_module("torch.masked.maskedtensor")
        return module if name == "maskedtensor" else getattr(module, name)
    raise AttributeError(f"module 'torch.masked' has no attribute '{name}'")
