"""Reductions composed of a few other functions, and statistics."""

import math

import _torch
from _torch import Tensor

from torch._checks import _check_scalar, _only_function, _only_inexact, _refuse_complex, _scalar_name, _wrapped


def aminmax(input, *, dim=None, keepdim=False):
    from torch import return_types

    if input.is_complex():
        raise TypeError(f"aminmax not implemented for {_scalar_name(input)}")
    if input.numel() == 0 and dim is None:
        raise RuntimeError("aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.")
    if input.numel() == 0 and input.size(dim) == 0:
        raise IndexError(f"aminmax: Expected reduction dim {dim % input.dim()} to have non-zero size.")
    if dim is None:
        dims = tuple(range(input.dim()))
        return return_types.aminmax((input.amin(dims, keepdim), input.amax(dims, keepdim)))
    return return_types.aminmax((input.amin(dim, keepdim), input.amax(dim, keepdim)))


def _running(input, dim, largest):
    from torch import return_types

    kind = return_types.cummax if largest else return_types.cummin
    _refuse_complex(f'"{"cummax" if largest else "cummin"}_cpu" not implemented for \'{{}}\'', input)
    name = "CummaxBackward0" if largest else "CumminBackward0"
    if input.dim() == 0:
        _check_scalar("cummax" if largest else "cummin", dim)
        return kind((_torch._under_node(input.clone(), name), _torch.zeros((), dtype=_torch.int64, device=input.device)))
    dim = _wrapped(dim, input)
    with _torch._grad_mode("no_grad"):
        best = _torch._running_extreme(input, dim, largest)
        shape = [1] * input.dim()
        shape[dim] = input.size(dim)
        places = _torch.arange(input.size(dim), device=input.device).view(shape)
        hit = (input == best) | input.isnan() if input.is_floating_point() else input == best
        # If several are equal, the last one counts.
        at = _torch._running_extreme(_torch.where(hit, places, -1), dim, True)
    return kind((_torch._under_node(input.gather(dim, at), name), at))


def cummax(input, dim):
    return _running(input, dim, True)


def cummin(input, dim):
    return _running(input, dim, False)


def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    if dtype is not None:
        input = input.to(dtype)
    if not (input.is_floating_point() or input.is_complex()):
        raise NotImplementedError(
            f"nanmean(): expected input to have floating point or complex dtype but got {_scalar_name(input)}"
        )
    real_ones = (~input.isnan()).to(input.dtype)
    dim = tuple(range(input.dim())) if dim is None else dim
    return input.nansum(dim, keepdim=keepdim) / real_ones.sum(dim, keepdim=keepdim)


def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    return _quantile(input, q, dim, keepdim, interpolation, False)


def _quantile(input, q, dim, keepdim, interpolation, skip_nan):
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got " + interpolation
        )
    if input.dtype not in (_torch.float32, _torch.float64):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if isinstance(q, Tensor) and q.device != input.device:
        raise RuntimeError("quantile() q tensor must be on the same device as the input tensor")
    if input.numel() == 0:
        raise RuntimeError("quantile() input tensor must be non-empty")
    if input.dtype not in (_torch.float32, _torch.float64):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if isinstance(q, Tensor):
        if q.dim() > 1:
            raise RuntimeError("quantile() q must be a scalar or 1D tensor")
        if q.dtype != input.dtype:
            raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    elif not 0 <= q <= 1:
        raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {float(q):g}")
    single = not isinstance(q, Tensor) or q.dim() == 0
    q = _torch.tensor(float(q), dtype=input.dtype, device=input.device) if not isinstance(q, Tensor) else q
    if q.device.type == "cpu" and not ((q >= 0) & (q <= 1)).all():
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    if dim is None:
        flat = input.reshape(-1)
    elif input.dim() == 0:
        if dim not in (0, -1):
            raise IndexError(f"Dimension out of range (expected to be in range of [-1, 0], but got {dim})")
        flat = input.reshape(1)
    else:
        flat = input.movedim(dim, -1)
    values = flat.sort(-1)[0]
    if skip_nan:
        # What is not a number is sorted last, behind the numbers of its row.
        rank = q.reshape(-1) * ((~flat.isnan()).sum(-1, keepdim=True) - 1).clamp(min=0)
    else:
        rank = q.reshape(-1) * (flat.size(-1) - 1)
    if interpolation == "nearest":
        rank = rank.round()
    low, high = rank.floor().long(), rank.ceil().long()
    if skip_nan:
        below, above = values.gather(-1, low), values.gather(-1, high)
    else:
        below, above = values.index_select(-1, low), values.index_select(-1, high)
    if interpolation == "lower":
        out = below
    elif interpolation == "higher":
        out = above
    else:
        part = 0.5 if interpolation == "midpoint" else rank - low
        out = _torch.lerp(below, above, _torch.as_tensor(part, dtype=input.dtype, device=input.device).expand_as(below))
    # Not a number if any is not.
    if not skip_nan:
        out = _torch.where(flat.isnan().any(-1).unsqueeze(-1), math.nan, out)
    out = out.movedim(-1, 0)
    if keepdim:
        all_dims = dim is None or input.dim() == 0
        out = out.reshape(out.size(0), *([1] * input.dim())) if all_dims else out.unsqueeze(dim % input.dim() + 1)
    return _torch._under_node(out.squeeze(0) if single else out, "SqueezeBackward4")


def dist(input, other, p=2):
    gap = input - other
    if not (gap.is_floating_point() or gap.is_complex()):
        raise NotImplementedError(
            f"norm(): input dtype should be either floating point or complex. Got {_scalar_name(gap)} instead."
        )
    return gap.norm(p)


def diff(input, n=1, dim=-1, prepend=None, append=None):
    if input.dim() < 1:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    if any(t is not None and t.dim() != input.dim() for t in (prepend, append)):
        raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    if n == 0:
        return _torch._under_node(input.clone(), "CopyBackwards")
    parts = [t for t in (prepend, input, append) if t is not None]
    if len(parts) > 1:
        input = _torch.cat(parts, dim)
    for _ in range(min(n, input.size(dim))):
        size = input.size(dim)
        if size == 0:
            break
        later, earlier = input.narrow(dim, 1, max(size - 1, 0)), input.narrow(dim, 0, max(size - 1, 0))
        input = later ^ earlier if input.dtype == _torch.bool else later - earlier
    return input


def _gaps(y, x, dx, dim):
    if x is None:
        return 1.0 if dx is None else dx
    gaps = diff(x, dim=-1 if x.dim() == 1 else dim)
    if x.dim() == 1:
        shape = [1] * y.dim()
        shape[dim] = gaps.numel()
        gaps = gaps.view(shape)
    return gaps


def _refuse_bool_points(name, y, x):
    if any(t is not None and t.dtype == _torch.bool for t in (y, x)):
        which = "`y`" if x is None else "`x` or `y`"
        raise NotImplementedError(f"{name}: received a bool input for {which}, but bool is not supported")


@_only_function
def trapezoid(y, x=None, *, dx=None, dim=-1):
    _refuse_bool_points("trapezoid", y, x)
    size = y.size(dim)
    if size == 0:
        return y.new_zeros([n for d, n in enumerate(y.shape) if d != dim % y.dim()])
    pairs = y.narrow(dim, 1, size - 1) + y.narrow(dim, 0, size - 1)
    out = (pairs * _gaps(y, x, dx, dim)).sum(dim) / 2.0
    return _torch._under_node(out, "MulBackward1" if x is None else "DivBackward1")


trapz = trapezoid


@_only_function
def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
    _refuse_bool_points("cumulative_trapezoid", y, x)
    size = y.size(dim)
    if size == 0:
        return y.clone()
    pairs = y.narrow(dim, 1, size - 1) + y.narrow(dim, 0, size - 1)
    if x is None:
        return (pairs * ((1.0 if dx is None else dx) / 2.0)).cumsum(dim)
    return _torch._under_node((pairs * _gaps(y, x, dx, dim)).cumsum(dim) / 2.0, "DivBackward1")


def _cov_weights(name, weights, count):
    wanted = "integral" if name == "fweights" else "floating point"
    fits = weights.is_floating_point() if name == "aweights" else not (weights.is_floating_point() or weights.is_complex())
    kind = weights.type().split(".")[-1].removesuffix("Tensor")
    if weights.dim() > 1:
        raise RuntimeError(f"cov(): expected {name} to have one or fewer dimensions but got {name} with {weights.dim()} dimensions")
    if not fits or kind == "Bool":
        raise RuntimeError(f"cov(): expected {name} to have {wanted} dtype but got {name} with {kind} dtype")
    if weights.numel() != count:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the input but got "
            f"{weights.numel()} != {count}"
        )
    if count and (weights.min() < 0).item():
        raise RuntimeError(f"cov(): {name} cannot be negative")
    return weights


def cov(input, *, correction=1, fweights=None, aweights=None):
    if input.dim() > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {input.dim()} dimensions"
        )
    if input.dtype == _torch.bool:
        raise NotImplementedError("cov(): bool dtype is not supported for input")
    x = input.reshape(1, -1) if input.dim() < 2 else input
    count = x.size(1)
    weights = None
    if fweights is not None:
        weights = _cov_weights("fweights", fweights, count)
    if aweights is not None:
        aweights = _cov_weights("aweights", aweights, count)
        weights = aweights if weights is None else weights * aweights
    if weights is None:
        total, norm = count, count - correction
        mean = x.sum(1) / count if count else _torch.full_like(x.sum(1) / 1.0, math.nan)
    else:
        total = weights.sum()
        mean = (x * weights).sum(1) / total
        norm = total - correction
        if aweights is not None and correction != 0:
            norm = total - correction * (weights * aweights).sum() / total
    if isinstance(norm, Tensor):
        low = (norm <= 0).item()
    else:
        low = norm <= 0
    if low:
        import warnings

        warnings.warn("cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.",
                      stacklevel=2)
        norm = 0.0
    centered = x - mean.unsqueeze(1)
    other = centered if weights is None else centered * weights
    out = centered @ (other.conj() if other.is_complex() else other).t()
    if isinstance(norm, Tensor):
        out = _torch.true_divide(out, norm)
    else:
        out = out / _torch.full((), float(norm), dtype=out.dtype, device=out.device)
    return out.squeeze()


def corrcoef(input):
    if input.dim() > 2:
        raise RuntimeError(f"corrcoef(): expected input to have two or fewer dimensions but got an input with {input.dim()} dimensions")
    c = cov(input)
    if c.dim() == 0:
        return c / c
    deviation = (c.real if c.is_complex() else c).diagonal().sqrt()
    c = c / deviation.unsqueeze(-1) / deviation.unsqueeze(-2)
    return _torch.complex(c.real.clamp(-1, 1), c.imag.clamp(-1, 1)) if c.is_complex() else c.clamp(-1, 1)


def _edge(number):
    """A number as C++ writes it."""
    return "-nan" if math.isnan(number) else f"{number:g}"


def histc(input, bins=100, min=0, max=0):
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if input.is_complex():
        if min == max:
            raise TypeError(f"aminmax not implemented for {_scalar_name(input)}")
        _refuse_complex('"histogram_cpu" not implemented for \'{}\'', input)
    if input.dtype == _torch.bool:
        raise NotImplementedError("\"linspace_cpu\" not implemented for 'Bool'")
    if not input.is_cuda:
        _only_inexact("histogram_cpu", input)
    if input.is_cuda and input.is_floating_point():
        _torch._alert_not_deterministic("_histc_cuda with floating point input")
    low, high = float(min), float(max)
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    if low == high and input.numel():
        low, high = input.min().item(), input.max().item()
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"torch.histc: range of [{_edge(low)}, {_edge(high)}] is not finite")
    if low == high:
        low, high = low - 1, high + 1
    flat = input.detach().reshape(-1)
    # Values outside count as 0. To leave them out, their number would have to be known, and the host would wait for it.
    counts = ((flat >= low) & (flat <= high)).to(input.dtype)
    # In the input's own dtype and in this order, so that a value at an edge falls on the same side as in PyTorch.
    low, high = (_torch.full((), edge, dtype=input.dtype, device=input.device) for edge in (low, high))
    place = ((flat - low) * bins / (high - low)).clamp_(0, bins - 1).long()
    return _torch.zeros(bins, dtype=input.dtype, device=input.device).scatter_add_(0, place.clamp_(0, bins - 1), counts)


@_only_function
def isin(elements, test_elements, *, assume_unique=False, invert=False):
    device = elements.device if isinstance(elements, Tensor) else test_elements.device
    elements, test = (_torch.as_tensor(t, device=device) for t in (elements, test_elements))
    _refuse_complex("Unsupported input type encountered for isin(): {}", elements, test)
    for t in (elements, test):
        if t.dtype == _torch.bool:
            raise NotImplementedError("Unsupported input type encountered for isin(): Bool")
    found = (elements.unsqueeze(-1) == test.reshape(-1)).any(-1)
    return ~found if invert else found


def msort(input):
    return input.sort(0)[0]


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    if dim is not None:
        values, inverse, counts = _torch._unique_runs(input, dim)
        out = (values, *([inverse] if return_inverse else []), *([counts] if return_counts else []))
        return out if len(out) > 1 else values
    _refuse_complex('"unique" not implemented for \'{}\'', input)
    flat = input.detach().reshape(-1)
    starts = _torch.ones(flat.shape, dtype=_torch.bool, device=flat.device)
    if flat.numel() > 1:
        starts[1:] = flat[1:] != flat[:-1]
    first = starts.nonzero().reshape(-1)
    out = [flat[first]]
    if input.requires_grad and _torch.is_grad_enabled():
        from torch._special import _no_slope

        _torch._record("UniqueConsecutiveBackward0", [input], [out[0]], _no_slope("unique_consecutive"))
    if return_inverse:
        out.append((starts.long().cumsum(0) - 1).reshape(input.shape))
    if return_counts:
        end = _torch.cat([first[1:], _torch.full([1], flat.numel(), device=flat.device)])
        out.append(end - first)
    return out[0] if len(out) == 1 else tuple(out)
