"""Fourier transforms, those of NumPy, and the cosine and sine transforms of type 1 to 3."""

import math

import numpy as np
from numpy.fft import (fft, fft2, fftfreq, fftn, fftshift, hfft, ifft, ifft2, ifftn, ifftshift, ihfft, irfft, irfft2, irfftn, rfft, rfft2,
                       rfftfreq, rfftn)

from scipy import lacking


def _half_turn(n):
    return np.exp(-1j * np.pi * np.arange(n) / (2 * n))


def _cosines(x, type):
    """The transform of the last axis, not scaled."""
    n = x.shape[-1]
    if type == 1:
        return np.fft.rfft(np.concatenate([x, x[..., -2:0:-1]], -1)).real
    if type == 2:
        return 2 * (np.fft.fft(np.concatenate([x, np.zeros_like(x)], -1))[..., :n] * _half_turn(n)).real
    at = np.arange(n)
    angles = np.pi * (2 * at[:, None] + 1) * at[None] / (2 * n)
    return x[..., :1] + 2 * (x[..., None, 1:] * np.cos(angles[:, 1:])).sum(-1)


def _sines(x, type):
    n = x.shape[-1]
    at = np.arange(n)
    if type == 1:
        angles = np.pi * (at[:, None] + 1) * (at[None] + 1) / (n + 1)
        return 2 * (x[..., None, :] * np.sin(angles)).sum(-1)
    if type == 2:
        angles = np.pi * (at[:, None] + 1) * (2 * at[None] + 1) / (2 * n)
        return 2 * (x[..., None, :] * np.sin(angles)).sum(-1)
    angles = np.pi * (2 * at[:, None] + 1) * (at[None] + 1) / (2 * n)
    ends = np.where(at % 2 == 0, 1.0, -1.0) * x[..., -1:]
    return ends + 2 * (x[..., None, :-1] * np.sin(angles[:, :-1])).sum(-1)


def _transform(kind, name):
    def forward(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None, *, _back=False):
        if type not in (1, 2, 3):
            raise NotImplementedError(f"scipy.fft.{name}(type={type})")
        if orthogonalize is not None and orthogonalize != (norm == "ortho"):
            raise NotImplementedError(f"scipy.fft.{name}(orthogonalize=)")
        if norm not in (None, "backward", "ortho", "forward"):
            raise ValueError(f"Invalid norm value {norm!r}; should be 'backward', 'ortho' or 'forward'.")
        x = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
        if n is not None:
            x = x[..., :n] if n <= x.shape[-1] else np.concatenate([x, np.zeros(x.shape[:-1] + (n - x.shape[-1],))], -1)
        size = x.shape[-1]
        length = 2 * (size - 1) if (kind, type) == ("c", 1) else 2 * (size + 1) if (kind, type) == ("s", 1) else 2 * size
        type = {2: 3, 3: 2}.get(type, type) if _back else type
        edge = 0 if kind == "c" else size - 1
        x = x.copy()
        if norm == "ortho":
            if type == 3:
                x[..., edge] *= math.sqrt(2)
            elif type == 1 and kind == "c":
                x[..., 0] *= math.sqrt(2)
                x[..., -1] *= math.sqrt(2)
        y = (_cosines if kind == "c" else _sines)(x, type)
        if norm == "ortho":
            if type == 2:
                y[..., edge] /= math.sqrt(2)
            elif type == 1 and kind == "c":
                y[..., 0] /= math.sqrt(2)
                y[..., -1] /= math.sqrt(2)
            y = y / math.sqrt(length)
        elif (norm == "forward") != _back:
            y = y / length
        return np.moveaxis(y, -1, axis)

    def back(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
        return forward(x, type, n, axis, norm, orthogonalize=orthogonalize, _back=True)

    def several(one):
        def transform(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
            if s is not None:
                raise NotImplementedError(f"scipy.fft.{name}n(s=)")
            x = np.asarray(x, dtype=float)
            for axis in range(x.ndim) if axes is None else np.atleast_1d(axes).tolist():
                x = one(x, type, None, axis, norm, orthogonalize=orthogonalize)
            return x
        return transform

    return forward, back, several(forward), several(back)


dct, idct, dctn, idctn = _transform("c", "dct")
dst, idst, dstn, idstn = _transform("s", "dst")


def next_fast_len(target, real=False):
    """The next number whose prime factors are small."""
    if target <= 6:
        return target
    primes = (2, 3, 5) if real else (2, 3, 5, 7, 11)
    while True:
        left = target
        for p in primes:
            while left % p == 0:
                left //= p
        if left == 1:
            return target
        target += 1


__getattr__ = lacking("scipy.fft")
