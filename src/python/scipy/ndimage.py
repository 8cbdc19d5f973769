"""Filters of images of any number of dimensions."""

import numbers

import numpy as np
from scipy import lacking

_PADS = {"reflect": "symmetric", "grid-mirror": "symmetric", "constant": "constant", "grid-constant": "constant", "nearest": "edge",
         "mirror": "reflect", "wrap": "wrap", "grid-wrap": "wrap"}


def _padded(a, widths, mode, cval):
    if mode not in _PADS:
        raise RuntimeError("boundary mode not supported")
    if _PADS[mode] == "constant":
        return np.pad(a, widths, mode="constant", constant_values=cval)
    return np.pad(a, widths, mode=_PADS[mode])


def _answer(made, a, output):
    if output is None:
        return made.astype(a.dtype)
    if isinstance(output, np.ndarray):
        output[...] = made
        return output
    return made.astype(output)


def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    a = np.asarray(input)
    weights = np.asarray(weights).astype(np.float64).tolist()
    axis %= a.ndim
    before = len(weights) // 2 + origin
    widths = [(0, 0)] * a.ndim
    widths[axis] = (before, len(weights) - 1 - before)
    padded = _padded(a.astype(np.float64), widths, mode, cval)
    n = a.shape[axis]
    at = [slice(None)] * a.ndim
    total = 0.0
    for k, weight in enumerate(weights):
        at[axis] = slice(k, k + n)
        total = total + weight * padded[tuple(at)]
    return _answer(total, a, output)


def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    flipped = np.asarray(weights)[::-1]
    origin = -origin - (1 if len(flipped) % 2 == 0 else 0)
    return correlate1d(input, flipped, axis, output, mode, cval, origin)


def gaussian_filter1d(input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None):
    if order < 0:
        raise ValueError("order must be non-negative")
    reach = int(truncate * float(sigma) + 0.5) if radius is None else radius
    x = np.arange(-reach, reach + 1)
    weights = np.exp(-0.5 / (sigma * sigma) * x**2)
    weights = weights / weights.sum()
    if order:
        # Each derivative multiplies the curve by a polynomial.
        factors = np.zeros(order + 1)
        factors[0] = 1
        slope = np.diag(np.arange(1.0, order + 1), 1) + np.diag(np.full(order, -1.0 / (sigma * sigma)), -1)
        for _ in range(order):
            factors = slope @ factors
        weights = ((x[:, None] ** np.arange(order + 1)) @ factors * weights)[::-1]
    return correlate1d(input, weights, axis, output, mode, cval)


def gaussian_filter(input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None):
    if axes is not None or not isinstance(mode, str):
        raise NotImplementedError("scipy.ndimage.gaussian_filter(axes=) and a mode for each axis")
    a = np.asarray(input)
    made = a
    orders = [order] * a.ndim if isinstance(order, numbers.Number) else list(order)
    for axis, one in enumerate([sigma] * a.ndim if isinstance(sigma, numbers.Number) else sigma):
        if one > 1e-15:
            made = gaussian_filter1d(made, one, axis, orders[axis], None, mode, cval, truncate, radius=radius)
    return _answer(made.copy() if made is a else made, a, output)


def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0):
    a = np.asarray(input)
    made = a
    for axis, one in enumerate([size] * a.ndim if isinstance(size, numbers.Number) else size):
        made = correlate1d(made, np.full(one, 1.0 / one), axis, None, mode, cval, origin)
    return _answer(made, a, output)


def _slid(a, weights, mode, cval, origin):
    weights = np.asarray(weights)
    if weights.ndim != a.ndim:
        raise RuntimeError("filter weights array has incorrect shape")
    origins = [origin] * a.ndim if isinstance(origin, numbers.Number) else list(origin)
    before = [n // 2 + o for n, o in zip(weights.shape, origins)]
    padded = _padded(a.astype(np.float64), [(b, n - 1 - b) for b, n in zip(before, weights.shape)], mode, cval)
    for at in np.ndindex(*weights.shape):
        yield float(weights[at]), padded[tuple(slice(k, k + n) for k, n in zip(at, a.shape))]


def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0):
    a = np.asarray(input)
    total = 0.0
    for weight, part in _slid(a, weights, mode, cval, origin):
        total = total + weight * part
    return _answer(total, a, output)


def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0):
    weights = np.asarray(weights)
    origins = [origin] * weights.ndim if isinstance(origin, numbers.Number) else list(origin)
    flipped = weights[tuple(slice(None, None, -1) for _ in weights.shape)]
    return correlate(input, flipped, output, mode, cval, [-o - (n % 2 == 0) for o, n in zip(origins, weights.shape)])


def _ranked(input, size, footprint, output, mode, cval, origin, choose):
    if footprint is not None:
        raise NotImplementedError("scipy.ndimage: footprint=")
    a = np.asarray(input)
    sizes = [size] * a.ndim if isinstance(size, numbers.Number) else size
    parts = [part for _, part in _slid(a, np.ones(sizes), mode, cval, origin)]
    return _answer(choose(np.stack(parts)), a, output)


def maximum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0):
    return _ranked(input, size, footprint, output, mode, cval, origin, lambda parts: parts.max(0))


def minimum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0):
    return _ranked(input, size, footprint, output, mode, cval, origin, lambda parts: parts.min(0))


def median_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0):
    return _ranked(input, size, footprint, output, mode, cval, origin, lambda parts: np.sort(parts, 0)[len(parts) // 2])


def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    a = np.asarray(input)
    axis %= a.ndim
    made = correlate1d(a, [-1, 0, 1], axis, None, mode, cval)
    for other in range(a.ndim):
        if other != axis:
            made = correlate1d(made, [1, 2, 1], other, None, mode, cval)
    return _answer(made, a, output)


def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    a = np.asarray(input)
    axis %= a.ndim
    made = correlate1d(a, [-1, 0, 1], axis, None, mode, cval)
    for other in range(a.ndim):
        if other != axis:
            made = correlate1d(made, [1, 1, 1], other, None, mode, cval)
    return _answer(made, a, output)


def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    return correlate1d(input, np.full(size, 1.0 / size), axis, output, mode, cval, origin)


def _summed(input, of, output):
    """The sum over the axes of what a function of one axis gives."""
    a = np.asarray(input)
    return _answer(sum(of(a, axis) for axis in range(a.ndim)), a, output)


def laplace(input, output=None, mode="reflect", cval=0.0):
    return _summed(input, lambda a, axis: correlate1d(a, [1, -2, 1], axis, None, mode, cval), output)


def _orders(a, axis, order, other=0):
    return [order if i == axis else other for i in range(a.ndim)]


def gaussian_laplace(input, sigma, output=None, mode="reflect", cval=0.0, **options):
    return _summed(input, lambda a, axis: gaussian_filter(a, sigma, _orders(a, axis, 2), None, mode, cval, **options), output)


def gaussian_gradient_magnitude(input, sigma, output=None, mode="reflect", cval=0.0, **options):
    slopes = lambda a, axis: gaussian_filter(a, sigma, _orders(a, axis, 1), None, mode, cval, **options) ** 2
    return np.sqrt(_summed(np.asarray(input).astype(float), slopes, output))


def generic_filter(input, function, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, extra_arguments=(),
                   extra_keywords=None):
    a = np.asarray(input)
    size = size if footprint is None else np.asarray(footprint).shape
    sizes = [size] * a.ndim if isinstance(size, numbers.Number) else size
    kept = np.ones(sizes, dtype=bool) if footprint is None else np.asarray(footprint).astype(bool)
    parts = np.stack([part for weight, part in _slid(a, kept.astype(float), mode, cval, origin) if weight], -1)
    made = np.array([function(row, *extra_arguments, **(extra_keywords or {})) for row in parts.reshape(-1, parts.shape[-1])])
    return _answer(made.reshape(a.shape), a, output)


def rank_filter(input, rank, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0):
    return _ranked(input, size, footprint, output, mode, cval, origin, lambda parts: np.sort(parts, 0)[rank])


def percentile_filter(input, percentile, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0):
    share = (percentile + 100.0 if percentile < 0 else percentile) / 100.0

    def choose(parts):
        return np.sort(parts, 0)[len(parts) - 1 if share == 1 else int(len(parts) * share)]
    return _ranked(input, size, footprint, output, mode, cval, origin, choose)


_lacking = lacking("scipy.ndimage")


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    from scipy import _measured

    return getattr(_measured, name) if name in _measured.NAMES else _lacking(name)
