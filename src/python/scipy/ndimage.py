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
    if order != 0:
        raise NotImplementedError("scipy.ndimage.gaussian_filter1d(order=)")
    reach = int(truncate * float(sigma) + 0.5) if radius is None else radius
    x = np.arange(-reach, reach + 1)
    weights = np.exp(-0.5 / (sigma * sigma) * x**2)
    return correlate1d(input, weights / weights.sum(), axis, output, mode, cval)


def gaussian_filter(input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None):
    if axes is not None or not isinstance(mode, str):
        raise NotImplementedError("scipy.ndimage.gaussian_filter(axes=) and a mode for each axis")
    a = np.asarray(input)
    made = a
    for axis, one in enumerate([sigma] * a.ndim if isinstance(sigma, numbers.Number) else sigma):
        if one > 1e-15:
            made = gaussian_filter1d(made, one, axis, order, None, mode, cval, truncate, radius=radius)
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


__getattr__ = lacking("scipy.ndimage")
