"""Windows: weights for a piece of a signal."""

import math

import numpy as np

from scipy import lacking


def _window(shape):
    """A window from a function of its length. A periodic one is one longer, without its last weight."""
    def made(M, *args, sym=True, **options):
        if M < 0 or int(M) != M:
            raise ValueError("Window length M must be a non-negative integer")
        if M <= 1:
            return np.ones(int(M))
        return shape(int(M), *args, **options) if sym else shape(int(M) + 1, *args, **options)[:-1]

    made.__name__ = shape.__name__
    return made


def general_cosine(M, a, sym=True):
    return _window(lambda n: _cosines(n, a))(M, sym=sym)


def _cosines(n, a):
    at = np.linspace(-np.pi, np.pi, n)
    total = np.zeros(n)
    for k, weight in enumerate(a):
        total += weight * np.cos(k * at)
    return total


def general_hamming(M, alpha, sym=True):
    return general_cosine(M, [alpha, 1.0 - alpha], sym)


def hann(M, sym=True):
    return general_hamming(M, 0.5, sym)


def hamming(M, sym=True):
    return general_hamming(M, 0.54, sym)


def blackman(M, sym=True):
    return general_cosine(M, [0.42, 0.50, 0.08], sym)


def nuttall(M, sym=True):
    return general_cosine(M, [0.3635819, 0.4891775, 0.1365995, 0.0106411], sym)


def blackmanharris(M, sym=True):
    return general_cosine(M, [0.35875, 0.48829, 0.14128, 0.01168], sym)


def flattop(M, sym=True):
    return general_cosine(M, [0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368], sym)


def boxcar(M, sym=True):
    return _window(lambda n: np.ones(n))(M, sym=sym)


def _triangle(n):
    at = np.arange(1, (n + 1) // 2 + 1)
    if n % 2 == 0:
        w = (2 * at - 1.0) / n
        return np.concatenate([w, w[::-1]])
    w = 2 * at / (n + 1.0)
    return np.concatenate([w, w[-2::-1]])


def triang(M, sym=True):
    return _window(_triangle)(M, sym=sym)


def _bartlett(n):
    at = np.arange(n)
    return np.where(at <= (n - 1) / 2.0, 2.0 * at / (n - 1), 2.0 - 2.0 * at / (n - 1))


def bartlett(M, sym=True):
    return _window(_bartlett)(M, sym=sym)


def parzen(M, sym=True):
    def shape(n):
        at = abs(np.arange(-(n - 1) / 2.0, (n - 1) / 2.0 + 0.5, 1.0))
        far = at / (n / 2.0)
        return np.where(at < (n - 1) / 4.0 + 1e-12, 1 - 6 * far**2 + 6 * far**3, 2 * (1 - far) ** 3)
    return _window(shape)(M, sym=sym)


def bohman(M, sym=True):
    def shape(n):
        far = abs(np.linspace(-1, 1, n)[1:-1])
        w = (1 - far) * np.cos(np.pi * far) + 1.0 / np.pi * np.sin(np.pi * far)
        return np.concatenate([[0], w, [0]])
    return _window(shape)(M, sym=sym)


def cosine(M, sym=True):
    return _window(lambda n: np.sin(np.pi / n * (np.arange(n) + 0.5)))(M, sym=sym)


def tukey(M, alpha=0.5, sym=True):
    if alpha <= 0:
        return boxcar(M, sym)
    if alpha >= 1.0:
        return hann(M, sym)

    def shape(n):
        at = np.arange(n)
        width = int(math.floor(alpha * (n - 1) / 2.0))
        rise = 0.5 * (1 + np.cos(np.pi * (-1 + 2.0 * at[:width + 1] / alpha / (n - 1))))
        fall = 0.5 * (1 + np.cos(np.pi * (-2.0 / alpha + 1 + 2.0 * at[n - width - 1:] / alpha / (n - 1))))
        return np.concatenate([rise, np.ones(n - 2 * (width + 1)), fall])
    return _window(shape)(M, sym=sym)


def gaussian(M, std, sym=True):
    return _window(lambda n: np.exp(-(np.arange(n) - (n - 1.0) / 2.0) ** 2 / (2 * std * std)))(M, sym=sym)


def general_gaussian(M, p, sig, sym=True):
    return _window(lambda n: np.exp(-0.5 * abs((np.arange(n) - (n - 1.0) / 2.0) / sig) ** (2 * p)))(M, sym=sym)


def exponential(M, center=None, tau=1.0, sym=True):
    return _window(lambda n: np.exp(-abs(np.arange(n) - ((n - 1) / 2 if center is None else center)) / tau))(M, sym=sym)


def kaiser(M, beta, sym=True):
    def shape(n):
        half = (n - 1) / 2.0
        return np.i0(beta * np.sqrt(1 - ((np.arange(n) - half) / half) ** 2.0)) / np.i0(beta)
    return _window(shape)(M, sym=sym)


_SHORT = {"hanning": "hann", "han": "hann", "ham": "hamming", "black": "blackman", "blk": "blackman", "box": "boxcar", "ones": "boxcar",
          "rect": "boxcar", "rectangular": "boxcar", "tri": "triang", "triangle": "triang", "bart": "bartlett", "brt": "bartlett",
          "flat": "flattop", "flt": "flattop", "tuk": "tukey", "gauss": "gaussian", "gss": "gaussian", "ksr": "kaiser", "par": "parzen",
          "bman": "bohman", "poisson": "exponential", "halfcosine": "cosine", "blackharr": "blackmanharris", "nutt": "nuttall"}
_ALL = ("hann", "hamming", "blackman", "nuttall", "blackmanharris", "flattop", "boxcar", "triang", "bartlett", "parzen", "bohman",
        "cosine", "tukey", "gaussian", "general_gaussian", "exponential", "kaiser", "general_hamming", "general_cosine")
_NEED = ("kaiser", "gaussian", "general_gaussian", "general_cosine", "general_hamming")


def get_window(window, Nx, fftbins=True):
    """A window by its name, or by a tuple of its name and what it needs."""
    args = ()
    if isinstance(window, (int, float)):
        window, args = "kaiser", (float(window),)
    elif isinstance(window, tuple):
        window, args = window[0], window[1:]
    elif not isinstance(window, str):
        raise ValueError(f"{type(window)!s} as window type is not supported.")
    name = _SHORT.get(window, window)
    if name not in _ALL:
        raise ValueError(f"Unknown window type '{window}'.")
    if name in _NEED and not args:
        raise ValueError(f"The '{window}' window needs one or more parameters -- pass a tuple.")
    return globals()[name](Nx, *args, sym=not fftbins)


__getattr__ = lacking("scipy.signal.windows")
