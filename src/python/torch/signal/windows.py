"""Windows, as torch.signal.windows."""

import math

import _torch

__all__ = ["bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming", "hann",
           "kaiser", "nuttall"]


def _window(name, of=None):
    """Makes `window(M, *, sym=True, …)` of a function of `M`, the number of steps and a ramp. `of` is the window that checks the
    arguments, if it's another one.
    """
    checked = of or name

    def decorate(weights):
        def window(M, *args, sym=True, dtype=None, layout=None, device=None, requires_grad=False, **options):
            dtype = _torch.get_default_dtype() if dtype is None else dtype
            if M < 0:
                raise ValueError(f"{checked} requires non-negative window length, got M={M}")
            if layout is not None and "strided" not in repr(layout):
                raise ValueError(f"{checked} is implemented for strided tensors only, got: {layout}")
            if dtype not in (_torch.float32, _torch.float64):
                raise ValueError(f"{checked} expects float32 or float64 dtypes, got: {dtype}")
            place = {"dtype": dtype, "device": device}

            def ramp(start, step):
                return _torch.linspace(start * step, (start + M - 1) * step, M, **place)

            def make():
                one = name not in ("exponential", "cosine", "gaussian")
                values = weights(M, not sym and M > 1, ramp, *args, **options)
                return _torch.ones(1, **place) if M == 1 and one else values() if M else _torch.empty(0, **place)

            return make().requires_grad_(requires_grad)

        window.__name__ = name
        return window

    return decorate


@_window("exponential")
def exponential(M, periodic, ramp, *, center=None, tau=1.0):
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if not periodic and M > 1 and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    middle = (M if periodic else M - 1) / 2.0 if center is None else center
    return lambda: (-ramp(-middle, 1 / tau).abs()).exp()


@_window("cosine")
def cosine(M, periodic, ramp):
    return lambda: ramp(0.5, math.pi / (M + 1 if periodic else M)).sin()


@_window("gaussian")
def gaussian(M, periodic, ramp, *, std=1.0):
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    return lambda: (-(ramp(-(M if periodic else M - 1) / 2.0, 1 / (std * math.sqrt(2))) ** 2)).exp()


@_window("kaiser")
def kaiser(M, periodic, ramp, *, beta=12.0):
    from torch._more import _kaiser

    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")

    def make():
        like = ramp(0.0, 1.0)
        places = _torch.arange(M, dtype=_torch.float64, device=like.device) * (2 / (M if periodic else M - 1)) - 1
        return _kaiser(places, beta, like.dtype)

    return make


def _cosines(M, periodic, ramp, a):
    if not isinstance(a, (list, tuple)):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")

    def make():
        k = ramp(0, 2 * math.pi / (M if periodic else M - 1))
        return sum((-1) ** i * weight * (i * k).cos() for i, weight in enumerate(a))

    return make


@_window("general_cosine")
def general_cosine(M, periodic, ramp, *, a):
    return _cosines(M, periodic, ramp, a)


@_window("general_hamming", of="general_cosine")
def general_hamming(M, periodic, ramp, *, alpha=0.54):
    return _cosines(M, periodic, ramp, [alpha, 1.0 - alpha])


@_window("hamming", of="general_cosine")
def hamming(M, periodic, ramp):
    return _cosines(M, periodic, ramp, [0.54, 1.0 - 0.54])


@_window("hann", of="general_cosine")
def hann(M, periodic, ramp):
    return _cosines(M, periodic, ramp, [0.5, 0.5])


@_window("blackman")
def blackman(M, periodic, ramp):
    return _cosines(M, periodic, ramp, [0.42, 0.5, 0.08])


@_window("nuttall", of="general_cosine")
def nuttall(M, periodic, ramp):
    return _cosines(M, periodic, ramp, [0.3635819, 0.4891775, 0.1365995, 0.0106411])


@_window("bartlett")
def bartlett(M, periodic, ramp):
    steps = M if periodic else M - 1

    def make():
        return 1 - (ramp(0, 2 / steps) - 1).abs()

    return make
