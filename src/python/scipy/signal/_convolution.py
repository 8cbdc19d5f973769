"""Convolution of arrays."""

import numpy as np


def _full(a, b):
    """The full convolution: for each element of the smaller array, the other one moved by its place."""
    if a.size < b.size:
        a, b = b, a
    shape = tuple(m + n - 1 for m, n in zip(a.shape, b.shape))
    out = np.zeros(shape, dtype=np.result_type(a, b))
    for at in np.ndindex(*b.shape):
        out[tuple(slice(k, k + n) for k, n in zip(at, a.shape))] += b[at] * a
    return out


def _middle(full, shape):
    starts = [(n - m) // 2 for n, m in zip(full.shape, shape)]
    return full[tuple(slice(s, s + m) for s, m in zip(starts, shape))]


def _cut(full, a, b, mode):
    if mode == "full":
        return full
    if mode == "same":
        return _middle(full, a.shape)
    if mode == "valid":
        first = all(m >= n for m, n in zip(a.shape, b.shape))
        if not first and not all(m <= n for m, n in zip(a.shape, b.shape)):
            raise ValueError("For 'valid' mode, one must be at least as large as the other in every dimension")
        return _middle(full, tuple(abs(m - n) + 1 for m, n in zip(a.shape, b.shape)))
    raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")


def _flipped(b):
    return np.conjugate(b[tuple(slice(None, None, -1) for _ in b.shape)])


def convolve(in1, in2, mode="full", method="auto"):
    a, b = np.asarray(in1), np.asarray(in2)
    if a.ndim != b.ndim:
        raise ValueError("volume and kernel should have the same dimensionality")
    return _cut(_full(a, b), a, b, mode)


def fftconvolve(in1, in2, mode="full", axes=None):
    if axes is not None:
        raise NotImplementedError("scipy.signal.fftconvolve(axes=)")
    a, b = np.asarray(in1), np.asarray(in2)
    if a.ndim != b.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")
    shape = [m + n - 1 for m, n in zip(a.shape, b.shape)]
    every = list(range(a.ndim))
    full = np.fft.ifftn(np.fft.fftn(a, shape, every) * np.fft.fftn(b, shape, every), axes=every)
    return _cut(full if "c" in a.dtype.kind + b.dtype.kind else full.real, a, b, mode)


def correlate(in1, in2, mode="full", method="auto"):
    a, b = np.asarray(in1), np.asarray(in2)
    if a.ndim != b.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")
    made = _cut(_full(a, _flipped(b)), a, b, mode)
    return made


def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    a, b = np.asarray(in1), np.asarray(in2)
    if not a.ndim == b.ndim == 2:
        raise ValueError("convolve2d inputs must both be 2-D arrays")
    pads = {"fill": "constant", "pad": "constant", "wrap": "wrap", "circular": "wrap", "symm": "symmetric", "symmetric": "symmetric"}
    if boundary not in pads:
        raise ValueError("Acceptable boundary flags are 'fill', 'circular' (or 'wrap'), and 'symmetric' (or 'symm').")
    if mode == "valid" and not all(m >= n for m, n in zip(a.shape, b.shape)) and all(m <= n for m, n in zip(a.shape, b.shape)):
        a, b = b, a
    if mode == "valid" or pads[boundary] == "constant" and fillvalue == 0:
        return _cut(_full(a, b), a, b, mode)
    options = {"constant_values": fillvalue} if pads[boundary] == "constant" else {}
    wide = np.pad(a, [(n - 1, n - 1) for n in b.shape], mode=pads[boundary], **options)
    full = _middle(_full(wide, b), tuple(m + n - 1 for m, n in zip(a.shape, b.shape)))
    return _cut(full, a, b, mode)


def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    a, b = np.asarray(in1), np.asarray(in2)
    if not a.ndim == b.ndim == 2:
        raise ValueError("correlate2d inputs must both be 2-D arrays")
    if mode == "valid" and any(m < n for m, n in zip(a.shape, b.shape)):
        raise NotImplementedError("scipy.signal.correlate2d(mode='valid') with a larger second array")
    made = convolve2d(a, _flipped(b), "full" if mode == "same" else mode, boundary, fillvalue)
    # The middle of a kernel of even size is the later one.
    return made[tuple(slice(n // 2, n // 2 + m) for m, n in zip(a.shape, b.shape))] if mode == "same" else made
