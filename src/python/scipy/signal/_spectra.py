"""Spectra of signals, and signals to try them with."""

import warnings

import numpy as np

from .windows import get_window


def detrend(data, axis=-1, type="linear", bp=0, overwrite_data=False):
    if type not in ("linear", "l", "constant", "c"):
        raise ValueError("Trend type must be 'linear' or 'constant'.")
    data = np.asarray(data)
    data = data if data.dtype.kind in "fc" else data.astype(float)
    if type in ("constant", "c"):
        return data - np.mean(data, axis, keepdims=True)
    rows = np.moveaxis(data, axis, 0)
    n = rows.shape[0]
    cuts = np.sort(np.unique(np.concatenate([[0], np.atleast_1d(bp), [n]])))
    flat = rows.reshape(n, -1).copy()
    for low, high in zip(cuts[:-1].tolist(), cuts[1:].tolist()):
        A = np.ones((high - low, 2))
        A[:, 0] = np.arange(1, high - low + 1) / (high - low)
        flat[low:high] = flat[low:high] - A @ np.linalg.lstsq(A, flat[low:high], rcond=None)[0]
    return np.moveaxis(flat.reshape(rows.shape), 0, axis)


def hilbert(x, N=None, axis=-1):
    x = np.asarray(x)
    if x.dtype.kind == "c":
        raise ValueError("x must be real.")
    n = x.shape[axis] if N is None else N
    spectrum = np.fft.fft(x, n, axis)
    weights = np.zeros(n)
    weights[0] = 1
    weights[1:(n + 1) // 2] = 2
    if n % 2 == 0:
        weights[n // 2] = 1
    shape = [1] * x.ndim
    shape[axis] = n
    return np.fft.ifft(spectrum * weights.reshape(shape), axis=axis)


def resample(x, num, t=None, axis=0, window=None, domain="time"):
    if window is not None or domain != "time":
        raise NotImplementedError("scipy.signal.resample(window=, domain=)")
    x = np.moveaxis(np.asarray(x), axis, 0)
    n = x.shape[0]
    real = x.dtype.kind != "c"
    spectrum = np.fft.fft(x, axis=0)
    made = np.zeros((num,) + x.shape[1:], dtype=complex)
    kept = min(num, n)
    half = kept // 2 + 1
    made[:half] = spectrum[:half]
    if kept > 2:
        made[half - kept:] = spectrum[half - kept:]
    if kept % 2 == 0:
        # The middle frequency stands for two of the longer signal.
        if num < n:
            made[kept // 2] = made[kept // 2] + spectrum[-(kept // 2)]
        elif num > n:
            made[kept // 2] = made[kept // 2] * 0.5
            made[num - kept // 2] = made[kept // 2]
    y = np.fft.ifft(made, axis=0) * (num / n)
    y = np.moveaxis(y.real if real else y, 0, axis)
    if t is None:
        return y
    return y, np.arange(0, num) * (t[1] - t[0]) * n / float(num) + t[0]


def _pieces(x, y, fs, window, nperseg, noverlap, nfft, detrended, onesided, scaling, axis, mode, boundary=None, padded=False):
    """The spectra of pieces of two signals: frequencies, times, and one column for each piece."""
    same = y is x
    x = np.moveaxis(np.asarray(x), axis, -1)
    y = x if same else np.moveaxis(np.asarray(y), axis, -1)
    n = x.shape[-1]
    if nperseg is not None and nperseg < 1:
        raise ValueError("nperseg must be a positive integer")
    if isinstance(window, (str, tuple)):
        if nperseg is None:
            nperseg = 256
        if nperseg > n:
            warnings.warn(f"nperseg = {nperseg:d} is greater than input length  = {n:d}, using nperseg = {n:d}", stacklevel=4)
            nperseg = n
        weights = get_window(window, nperseg)
    else:
        weights = np.asarray(window)
        nperseg = len(weights) if nperseg is None else nperseg
        if len(weights) != nperseg:
            raise ValueError("value specified for nperseg is different from length of window")
    nfft = nperseg if nfft is None else nfft
    if nfft < nperseg:
        raise ValueError("nfft must be greater than or equal to nperseg.")
    noverlap = nperseg // 2 if noverlap is None else noverlap
    if noverlap >= nperseg:
        raise ValueError("noverlap must be less than nperseg.")
    step = nperseg - noverlap
    pad = [(0, 0)] * (x.ndim - 1)
    if boundary == "zeros":
        x, y = (np.pad(part, [*pad, (nperseg // 2, nperseg // 2)]) for part in (x, y))
    elif boundary is not None:
        raise NotImplementedError(f"scipy.signal: boundary={boundary!r}")
    if padded:
        more = (-(x.shape[-1] - nperseg) % step) % nperseg
        x, y = (np.pad(part, [*pad, (0, more)]) for part in (x, y))
    if not detrended:
        still = lambda piece: piece
    elif callable(detrended):
        still = detrended
    else:
        still = lambda piece: detrend(piece, type=detrended)
    scale = 1.0 / (fs * (weights * weights).sum()) if scaling == "density" else 1.0 / weights.sum() ** 2
    if mode == "stft":
        scale = np.sqrt(scale)
    one_side = onesided and x.dtype.kind != "c" and y.dtype.kind != "c"
    transform = np.fft.rfft if one_side else np.fft.fft
    starts = range(0, x.shape[-1] - nperseg + 1, step)

    def spectra(part):
        pieces = np.stack([part[..., s:s + nperseg] for s in starts], -2)
        return transform(still(pieces) * weights, nfft)
    found = spectra(x)
    found = (np.conjugate(found) * (found if same else spectra(y)) if mode == "psd" else found) * scale
    if one_side and mode == "psd":
        last = found.shape[-1] if nfft % 2 else found.shape[-1] - 1
        found[..., 1:last] = found[..., 1:last] * 2
    at = np.fft.rfftfreq(nfft, 1 / fs) if one_side else np.fft.fftfreq(nfft, 1 / fs)
    time = np.arange(nperseg / 2, x.shape[-1] - nperseg / 2 + 1, step) / float(fs)
    if boundary is not None:
        time = time - (nperseg / 2) / fs
    found = np.moveaxis(np.swapaxes(found, -1, -2), -2, axis if axis >= 0 else axis - 1)
    return at, time, found.real if mode == "psd" and same else found


def csd(x, y, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True,
        scaling="density", axis=-1, average="mean"):
    f, _, found = _pieces(x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, "psd")
    if average == "median":
        raise NotImplementedError("scipy.signal: average='median'")
    if average != "mean":
        raise ValueError(f'average must be "median" or "mean", got {average}')
    return f, found.mean(axis=-1)


def welch(x, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True,
          scaling="density", axis=-1, average="mean"):
    f, found = csd(x, x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)
    return f, found.real


def periodogram(x, fs=1.0, window="boxcar", nfft=None, detrend="constant", return_onesided=True, scaling="density", axis=-1):
    x = np.asarray(x)
    n = x.shape[axis]
    if nfft is not None and nfft < n:
        raise NotImplementedError("scipy.signal.periodogram(nfft=) below the signal's length")
    return welch(x, fs, window or "boxcar", n, 0, nfft, detrend, return_onesided, scaling, axis)


def coherence(x, y, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", axis=-1):
    f, own = welch(x, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    _, other = welch(y, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    _, both = csd(x, y, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    return f, abs(both) ** 2 / own / other


def spectrogram(x, fs=1.0, window=("tukey", 0.25), nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True,
                scaling="density", axis=-1, mode="psd"):
    if mode not in ("psd", "complex", "magnitude", "angle", "phase"):
        raise ValueError(f"unknown value for mode {mode}, must be one of ['psd', 'complex', 'magnitude', 'angle', 'phase']")
    x = np.asarray(x)
    if nperseg is None and isinstance(window, (str, tuple)):
        nperseg = min(256, x.shape[axis])
    noverlap = nperseg // 8 if noverlap is None else noverlap
    kind = "psd" if mode == "psd" else "stft"
    f, t, found = _pieces(x, x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, kind)
    if mode == "magnitude":
        found = abs(found)
    elif mode in ("angle", "phase"):
        found = np.angle(found)
        found = np.unwrap(found, axis=-1 if axis >= 0 else axis - 1) if mode == "phase" else found
    return f, t, found


def stft(x, fs=1.0, window="hann", nperseg=256, noverlap=None, nfft=None, detrend=False, return_onesided=True, boundary="zeros",
         padded=True, axis=-1, scaling="spectrum"):
    return _pieces(x, x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, "density" if scaling == "psd" else "spectrum",
                   axis, "stft", boundary, padded)


def istft(Zxx, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, input_onesided=True, boundary=True, time_axis=-1,
          freq_axis=-2, scaling="spectrum"):
    Z = np.asarray(Zxx)
    if Z.ndim != 2 or scaling != "spectrum" or not input_onesided:
        raise NotImplementedError("scipy.signal.istft of more than one signal, of two sides or scaling='psd'")
    pieces = Z.shape[1]
    nperseg = 2 * (Z.shape[0] - 1) if nperseg is None else nperseg
    nfft = nperseg + (nperseg == 2 * (Z.shape[0] - 1) + 1) if nfft is None else nfft
    noverlap = nperseg // 2 if noverlap is None else noverlap
    step = nperseg - noverlap
    weights = get_window(window, nperseg) if isinstance(window, (str, tuple)) else np.asarray(window)
    parts = np.fft.irfft(Z, nfft, axis=0)[:nperseg] * weights.sum()
    x, total = np.zeros(nperseg + (pieces - 1) * step), np.zeros(nperseg + (pieces - 1) * step)
    for i in range(pieces):
        x[i * step:i * step + nperseg] += parts[:, i] * weights
        total[i * step:i * step + nperseg] += weights**2
    if boundary:
        x, total = (part[nperseg // 2:-(nperseg // 2)] for part in (x, total))
    x = x / np.where(total > 1e-10, total, 1.0)
    return np.arange(len(x)) / float(fs), x


def square(t, duty=0.5):
    t = np.asarray(t, dtype=float)
    turn = np.mod(t, 2 * np.pi)
    return np.where(turn < duty * 2 * np.pi, 1.0, -1.0)


def sawtooth(t, width=1):
    t = np.asarray(t, dtype=float)
    turn = np.mod(t, 2 * np.pi)
    rising = turn < width * 2 * np.pi
    return np.where(rising, turn / (np.pi * width) - 1 if width else 0.0,
                    (np.pi * (width + 1) - turn) / (np.pi * (1 - width)) if width < 1 else 0.0)


def chirp(t, f0, t1, f1, method="linear", phi=0, vertex_zero=True, *, complex=False):
    t = np.asarray(t)
    if method in ("linear", "lin", "li"):
        turn = 2 * np.pi * (f0 * t + 0.5 * (f1 - f0) / t1 * t * t)
    elif method in ("logarithmic", "log", "lo"):
        if f0 * f1 <= 0.0:
            raise ValueError("For a logarithmic chirp, f0 and f1 must be nonzero and have the same sign.")
        beta = t1 / np.log(f1 / f0)
        turn = 2 * np.pi * f0 * t if f0 == f1 else 2 * np.pi * beta * f0 * (np.power(f1 / f0, t / t1) - 1.0)
    elif method in ("quadratic", "quad", "q"):
        beta = (f1 - f0) / t1**2
        turn = 2 * np.pi * (f0 * t + beta * t**3 / 3 if vertex_zero else f1 * t + beta * ((t1 - t) ** 3 - t1**3) / 3)
    else:
        raise NotImplementedError(f"scipy.signal.chirp(method={method!r})")
    turn = turn + phi * np.pi / 180
    return np.exp(1j * turn) if complex else np.cos(turn)


def gausspulse(t, fc=1000, bw=0.5, bwr=-6, tpr=-60, retquad=False, retenv=False):
    if isinstance(t, str):
        raise NotImplementedError("scipy.signal.gausspulse('cutoff')")
    a = -((np.pi * fc * bw) ** 2) / (4.0 * np.log(10.0 ** (bwr / 20.0)))
    t = np.asarray(t)
    envelope = np.exp(-a * t * t)
    out = [envelope * np.cos(2 * np.pi * fc * t)]
    out += [envelope * np.sin(2 * np.pi * fc * t)] if retquad else []
    out += [envelope] if retenv else []
    return out[0] if len(out) == 1 else tuple(out)


def unit_impulse(shape, idx=None, dtype=float):
    made = np.zeros(shape, dtype)
    middle = tuple(n // 2 for n in made.shape)
    made[(0,) * made.ndim if idx is None else middle if idx == "mid" else idx if isinstance(idx, tuple) else (idx,) * made.ndim] = 1
    return made


def correlation_lags(in1_len, in2_len, mode="full"):
    if mode == "full":
        return np.arange(-in2_len + 1, in1_len)
    lags = np.arange(-in2_len + 1, in1_len)
    if mode == "same":
        middle, bound = lags.size // 2, in1_len // 2
        return lags[middle - bound:middle + bound + in1_len % 2]
    if mode == "valid":
        bound = in1_len - in2_len
        return np.arange(bound + 1) if bound >= 0 else np.arange(bound, 1)
    raise ValueError(f"Mode {mode} is invalid")
