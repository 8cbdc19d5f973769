"""Digital filters: their design, and running a signal through them."""

import math

import numpy as np

from ._convolution import correlate
from .windows import get_window

# ---- forms of a filter -----------------------------------------------------------------------------------------------


def zpk2tf(z, p, k):
    z, p = np.atleast_1d(np.asarray(z)), np.atleast_1d(np.asarray(p))
    b, a = np.atleast_1d(k * np.poly(z)), np.atleast_1d(np.poly(p))
    return (b.real if b.dtype.kind == "c" and _paired(z) else b), (a.real if a.dtype.kind == "c" and _paired(p) else a)


def _paired(roots):
    roots = np.asarray(roots, dtype=complex)
    up = np.sort_complex(roots[roots.imag > 0])
    down = np.sort_complex(np.conjugate(roots[roots.imag < 0]))
    return len(up) == len(down) and np.all(up == down)


def _normalized(b, a):
    b, a = np.atleast_1d(np.asarray(b)), np.atleast_1d(np.asarray(a))
    if a.ndim != 1:
        raise ValueError("Denominator polynomial must be rank-1 array.")
    if not np.any(a):
        raise ValueError("Denominator must have at least on nonzero element.")
    a = np.trim_zeros(a, "f")
    return b / a[0], a / a[0]


def tf2zpk(b, a):
    b, a = _normalized(b, a)
    b, a = (b + 0.0) / a[0], (a + 0.0) / a[0]
    k = b[0]
    return np.roots(b / k), np.roots(a), k


def sos2tf(sos):
    b = a = np.array([1.0])
    for row in np.asarray(sos):
        b, a = np.polymul(b, row[:3]), np.polymul(a, row[3:])
    return b, a


def sos2zpk(sos):
    sos = np.asarray(sos)
    zeros, poles, gain = [], [], 1.0
    for row in sos:
        z, p, k = tf2zpk(row[:3], row[3:])
        zeros += list(z) + [0.0] * (2 - len(z))
        poles += list(p) + [0.0] * (2 - len(p))
        gain = gain * k
    return np.array(zeros, dtype=complex), np.array(poles, dtype=complex), gain


def _upper_and_real(values):
    """One root of each conjugate pair, and the real roots."""
    values = np.asarray(values, dtype=complex)
    order = np.lexsort((abs(values.imag), values.real))
    values = values[order]
    real = abs(values.imag) <= 100 * np.finfo(float).eps * abs(values)
    reals, others = values[real].real, values[~real]
    up = others[others.imag > 0]
    down = list(others[others.imag < 0])
    pairs = []
    for one in up:
        near = min(range(len(down)), key=lambda i: abs(down[i] - np.conjugate(one)))
        pairs.append((one + np.conjugate(down.pop(near))) / 2)
    return np.array(pairs, dtype=complex), reals


def _nearest(fro, to, which):
    order = np.argsort(abs(np.asarray(fro) - to))
    if which == "any":
        return int(order[0])
    wanted = np.isreal(np.asarray(fro)[order]) if which == "real" else ~np.isreal(np.asarray(fro)[order])
    return int(order[np.nonzero(wanted)[0][0]])


def zpk2sos(z, p, k, pairing=None, *, analog=False):
    """Second-order sections: each zero goes with the pole that it's nearest to, the pole nearest the unit circle last."""
    if analog or pairing not in (None, "nearest"):
        raise NotImplementedError("scipy.signal.zpk2sos(pairing=, analog=True)")
    z, p = np.atleast_1d(np.asarray(z, dtype=complex)), np.atleast_1d(np.asarray(p, dtype=complex))
    if len(z) == len(p) == 0:
        return np.array([[k, 0.0, 0.0, 1.0, 0.0, 0.0]])
    p = np.concatenate([p, np.zeros(max(len(z) - len(p), 0))])
    z = np.concatenate([z, np.zeros(max(len(p) - len(z), 0))])
    count = (max(len(p), len(z)) + 1) // 2
    if len(p) % 2 == 1:
        p, z = np.concatenate([p, [0.0]]), np.concatenate([z, [0.0]])
    z, p = np.concatenate(_upper_and_real(z)), np.concatenate(_upper_and_real(p))
    sos = np.zeros((count, 6))
    for at in range(count - 1, -1, -1):
        worst = int(np.argmin(abs(1 - abs(p))))
        p1, p = p[worst], np.delete(p, worst)
        if np.isreal(p1) and np.isreal(p).sum() == 0:
            near = _nearest(z, p1, "real")
            z1, z = z[near], np.delete(z, near)
            pair = (np.array([z1, 0]), np.array([p1, 0]))
        elif len(p) + 1 == len(z) and not np.isreal(p1) and np.isreal(p).sum() == 1 and np.isreal(z).sum() == 1:
            near = _nearest(z, p1, "complex")
            z1, z = z[near], np.delete(z, near)
            pair = (np.array([z1, np.conjugate(z1)]), np.array([p1, np.conjugate(p1)]))
        else:
            if np.isreal(p1):
                reals = np.flatnonzero(np.isreal(p))
                second = int(reals[np.argmin(abs(abs(p[reals]) - 1))])
                p2, p = p[second], np.delete(p, second)
            else:
                p2 = np.conjugate(p1)
            if len(z):
                near = _nearest(z, p1, "any")
                z1, z = z[near], np.delete(z, near)
                if not np.isreal(z1):
                    pair = (np.array([z1, np.conjugate(z1)]), np.array([p1, p2]))
                elif len(z):
                    near = _nearest(z, p1, "real")
                    z2, z = z[near], np.delete(z, near)
                    pair = (np.array([z1, z2]), np.array([p1, p2]))
                else:
                    pair = (np.array([z1]), np.array([p1, p2]))
            else:
                pair = (np.array([]), np.array([p1, p2]))
        b, a = (np.poly(part).real for part in pair)
        # `poly` puts the highest power first.
        sos[at, :3] = np.concatenate([b, np.zeros(3 - len(b))])
        sos[at, 3:] = np.concatenate([a, np.zeros(3 - len(a))])
    sos[0, :3] *= k
    return sos


def tf2sos(b, a, pairing=None, *, analog=False):
    return zpk2sos(*tf2zpk(b, a), pairing=pairing, analog=analog)


# ---- design ----------------------------------------------------------------------------------------------------------


def _butterworth(n):
    return np.array([]), -np.exp(1j * np.pi * np.arange(-n + 1, n, 2) / (2 * n)), 1.0


def _chebyshev1(n, rp):
    eps = math.sqrt(10 ** (0.1 * rp) - 1.0)
    mu = 1.0 / n * math.asinh(1 / eps)
    theta = np.pi * np.arange(-n + 1, n, 2) / (2 * n)
    p = -(np.sinh(mu) * np.cos(theta) + 1j * np.cosh(mu) * np.sin(theta))
    k = np.prod(-p).real
    return np.array([]), p, k / math.sqrt(1 + eps * eps) if n % 2 == 0 else k


def _chebyshev2(n, rs):
    de = 1.0 / math.sqrt(10 ** (0.1 * rs) - 1)
    mu = math.asinh(1.0 / de) / n
    m = np.concatenate([np.arange(-n + 1, 0, 2), np.arange(2, n, 2)]) if n % 2 else np.arange(-n + 1, n, 2)
    z = -np.conjugate(1j / np.sin(m * np.pi / (2.0 * n)))
    p = -np.exp(1j * np.pi * np.arange(-n + 1, n, 2) / (2 * n))
    p = 1.0 / (np.sinh(mu) * p.real + 1j * np.cosh(mu) * p.imag)
    return z, p, (np.prod(-p) / np.prod(-z)).real


def _moved(z, p, k, band, warped):
    """An analog lowpass filter of cutoff 1 as another kind of filter."""
    degree = len(p) - len(z)
    if band == "lowpass":
        return z * warped, p * warped, k * warped**degree
    if band == "highpass":
        gain = np.real(np.prod(-z) / np.prod(-p))
        return np.concatenate([warped / z, np.zeros(degree)]), warped / p, k * gain
    width, middle = warped[1] - warped[0], math.sqrt(warped[0] * warped[1])
    if band == "bandpass":
        z, p = (part * width / 2 + 0j for part in (z, p))
        both = lambda part: np.concatenate([part + np.sqrt(part**2 - middle**2), part - np.sqrt(part**2 - middle**2)])
        return np.concatenate([both(z), np.zeros(degree)]), both(p), k * width**degree
    gain = np.real(np.prod(-z) / np.prod(-p))
    z, p = ((width / 2) / part + 0j for part in (z, p))
    both = lambda part: np.concatenate([part + np.sqrt(part**2 - middle**2), part - np.sqrt(part**2 - middle**2)])
    return np.concatenate([both(z), np.full(degree, 1j * middle), np.full(degree, -1j * middle)]), both(p), k * gain


_BANDS = {"band": "bandpass", "bandpass": "bandpass", "pass": "bandpass", "bp": "bandpass", "bs": "bandstop", "bandstop": "bandstop",
          "bands": "bandstop", "stop": "bandstop", "l": "lowpass", "low": "lowpass", "lowpass": "lowpass", "lp": "lowpass",
          "high": "highpass", "highpass": "highpass", "h": "highpass", "hp": "highpass"}


def iirfilter(N, Wn, rp=None, rs=None, btype="band", analog=False, ftype="butter", output="ba", fs=None):
    Wn = np.atleast_1d(np.asarray(Wn, dtype=float))
    if fs is not None:
        if analog:
            raise ValueError("fs cannot be specified for an analog filter")
        Wn = Wn / (fs / 2)
    if np.any(Wn <= 0):
        raise ValueError("filter critical frequencies must be greater than 0")
    if Wn.size > 1 and not Wn[0] < Wn[1]:
        raise ValueError("Wn[0] must be less than Wn[1]")
    if btype.lower() not in _BANDS:
        raise ValueError(f"'{btype}' is an invalid bandtype for filter.")
    if output.lower() not in ("ba", "zpk", "sos"):
        raise ValueError(f"'{output.lower()}' is not a valid output form.")
    band = _BANDS[btype.lower()]
    if ftype in ("butter", "butterworth"):
        z, p, k = _butterworth(N)
    elif ftype in ("cheby1", "chebyshev1"):
        z, p, k = _chebyshev1(N, rp)
    elif ftype in ("cheby2", "chebyshev2"):
        z, p, k = _chebyshev2(N, rs)
    else:
        raise NotImplementedError(f"scipy.signal.iirfilter(ftype={ftype!r})")
    if analog:
        warped = Wn
    else:
        if np.any(Wn >= 1):
            if fs is not None:
                raise ValueError(f"Digital filter critical frequencies must be 0 < Wn < fs/2 (fs={fs} -> fs/2={fs / 2})")
            raise ValueError("Digital filter critical frequencies must be 0 < Wn < 1")
        warped = 4.0 * np.tan(np.pi * Wn / 2.0)
    if band in ("lowpass", "highpass"):
        if Wn.size != 1:
            raise ValueError("Must specify a single critical frequency Wn for lowpass or highpass filter")
        warped = float(warped[0])
    elif Wn.size != 2:
        raise ValueError("Wn must specify start and stop frequencies for bandpass or bandstop filter")
    z, p, k = _moved(z, p, k, band, warped)
    if not analog:
        degree = len(p) - len(z)
        k = k * np.real(np.prod(4.0 - z) / np.prod(4.0 - p))
        z, p = np.concatenate([(4.0 + z) / (4.0 - z), -np.ones(degree)]), (4.0 + p) / (4.0 - p)
    if output.lower() == "zpk":
        return z, p, k
    if output.lower() == "sos":
        return zpk2sos(z, p, k, analog=analog)
    b, a = k * np.poly(z), np.poly(p)
    return np.real(b), np.real(a)


def butter(N, Wn, btype="low", analog=False, output="ba", fs=None):
    return iirfilter(N, Wn, btype=btype, analog=analog, output=output, ftype="butter", fs=fs)


def cheby1(N, rp, Wn, btype="low", analog=False, output="ba", fs=None):
    return iirfilter(N, Wn, rp=rp, btype=btype, analog=analog, output=output, ftype="cheby1", fs=fs)


def cheby2(N, rs, Wn, btype="low", analog=False, output="ba", fs=None):
    return iirfilter(N, Wn, rs=rs, btype=btype, analog=analog, output=output, ftype="cheby2", fs=fs)


def ellip(N, rp, rs, Wn, btype="low", analog=False, output="ba", fs=None):
    raise NotImplementedError("scipy.signal.ellip")


def bessel(N, Wn, btype="low", analog=False, output="ba", norm="phase", fs=None):
    raise NotImplementedError("scipy.signal.bessel")


def buttord(wp, ws, gpass, gstop, analog=False, fs=None):
    raise NotImplementedError("scipy.signal.buttord")


def _second_order(w0, Q, kind, fs):
    w0 = 2 * float(w0) / fs
    if not 0 < w0 < 1:
        raise ValueError("w0 should be such that 0 < w0 < 1")
    width, at = w0 / float(Q) * np.pi, w0 * np.pi
    beta = np.tan(width / 2.0)
    gain = 1.0 / (1.0 + beta)
    b = gain * np.array([1.0, -2.0 * np.cos(at), 1.0]) if kind == "notch" else (1.0 - gain) * np.array([1.0, 0.0, -1.0])
    return b, np.array([1.0, -2.0 * gain * np.cos(at), 2.0 * gain - 1.0])


def iirnotch(w0, Q, fs=2.0):
    return _second_order(w0, Q, "notch", fs)


def iirpeak(w0, Q, fs=2.0):
    return _second_order(w0, Q, "peak", fs)


def firwin(numtaps, cutoff, *, width=None, window="hamming", pass_zero=True, scale=True, fs=2):
    """A finite filter: the ideal one's answer, cut by a window."""
    if width is not None:
        raise NotImplementedError("scipy.signal.firwin(width=)")
    cutoff = np.atleast_1d(np.asarray(cutoff, dtype=float)) / (0.5 * fs)
    if cutoff.min() <= 0 or cutoff.max() >= 1:
        raise ValueError("Invalid cutoff frequency: frequencies must be greater than 0 and less than fs/2.")
    if np.any(np.diff(cutoff) <= 0):
        raise ValueError("Invalid cutoff frequencies: the frequencies must be strictly increasing.")
    if isinstance(pass_zero, str):
        pass_zero = pass_zero in ("bandstop", "lowpass")
    at_end = bool(cutoff.size & 1) ^ bool(pass_zero)
    if at_end and numtaps % 2 == 0:
        raise ValueError("A filter with an even number of coefficients must have zero response at the Nyquist frequency.")
    edges = np.concatenate([[0.0] * bool(pass_zero), cutoff, [1.0] * at_end]).reshape(-1, 2)
    m = np.arange(0, numtaps) - 0.5 * (numtaps - 1)
    h = np.zeros(numtaps)
    for left, right in edges.tolist():
        h = h + right * np.sinc(right * m) - left * np.sinc(left * m)
    h = h * get_window(window, numtaps, fftbins=False)
    if scale:
        left, right = edges[0].tolist()
        at = 0.0 if left == 0 else 1.0 if right == 1 else 0.5 * (left + right)
        h = h / np.sum(h * np.cos(np.pi * m * at))
    return h


# ---- running ---------------------------------------------------------------------------------------------------------


def _along(function, x, axis, *states):
    """Calls a function of one line for every line along an axis."""
    x = np.asarray(x)
    if x.ndim == 1:
        return function(x, *states)
    rows = np.moveaxis(x, axis, -1)
    flat = rows.reshape(-1, rows.shape[-1])
    made = np.stack([function(row) for row in flat])
    return np.moveaxis(made.reshape(rows.shape[:-1] + made.shape[-1:]), -1, axis)


def _run(b, a, x, state):
    """One line through a filter, in the transposed direct form II. The state's list is changed."""
    out = []
    rest = list(zip(range(len(b) - 1), b[1:], a[1:]))
    first, last = b[0], len(b) - 2
    for value in x:
        y = first * value + (state[0] if state else 0.0)
        for i, bi, ai in rest:
            state[i] = (state[i + 1] if i < last else 0.0) + bi * value - ai * y
        out.append(y)
    return out


def _coefficients(b, a):
    b, a = np.atleast_1d(np.asarray(b)), np.atleast_1d(np.asarray(a))
    if a[0] == 0:
        raise ValueError("Filter coefficients 'a[0] == 0'")
    size = max(len(a), len(b))
    b, a = (np.concatenate([part / a[0], np.zeros(size - len(part))]) for part in (b, a))
    return b.tolist(), a.tolist()


def lfilter(b, a, x, axis=-1, zi=None):
    b, a = _coefficients(b, a)
    x = np.asarray(x)
    x = x if x.dtype.kind in "fc" else x.astype(float)
    if zi is not None:
        if x.ndim != 1:
            raise NotImplementedError("scipy.signal.lfilter(zi=) of more than one dimension")
        state = np.asarray(zi).tolist()
        return np.array(_run(b, a, x.tolist(), state)), np.array(state)
    return _along(lambda line: np.array(_run(b, a, line.tolist(), [0.0] * (len(b) - 1)), dtype=x.dtype), x, axis)


def lfilter_zi(b, a):
    """The state in which a filter answers a step with a step."""
    b, a = _coefficients(b, a)
    n = len(a) - 1
    companion = np.zeros((n, n))
    companion[0] = [-v for v in a[1:]]
    companion[np.arange(1, n), np.arange(n - 1)] = 1
    right = np.array(b[1:]) - np.array(a[1:]) * b[0]
    return np.linalg.solve(np.eye(n) - companion.T, right)


def lfiltic(b, a, y, x=None):
    b, a = (np.asarray(c, dtype=float) / np.asarray(a, dtype=float)[0] for c in (b, a))
    n, m = len(a) - 1, len(b) - 1
    y = np.concatenate([np.atleast_1d(y), np.zeros(max(0, n - np.size(y)))])
    x = np.zeros(m) if x is None else np.concatenate([np.atleast_1d(x), np.zeros(max(0, m - np.size(x)))])
    zi = np.zeros(max(m, n))
    for i in range(m):
        zi[i] = np.sum(b[i + 1:] * x[:m - i])
    for i in range(n):
        zi[i] -= np.sum(a[i + 1:] * y[:n - i])
    return zi


def _extended(x, padtype, edge):
    if padtype is None or edge == 0:
        return x
    if edge >= len(x):
        raise ValueError(f"The length of the input vector x must be greater than padlen, which is {edge}.")
    if padtype == "constant":
        return np.concatenate([np.full(edge, x[0]), x, np.full(edge, x[-1])])
    left, right = x[edge:0:-1], x[-2:-edge - 2:-1]
    return np.concatenate([2 * x[0] - left, x, 2 * x[-1] - right] if padtype == "odd" else [left, x, right])


def filtfilt(b, a, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    if method != "pad":
        raise NotImplementedError("scipy.signal.filtfilt(method='gust')")
    edge = 3 * max(np.size(a), np.size(b)) if padlen is None else padlen
    edge = 0 if padtype is None else edge
    zi = lfilter_zi(b, a)
    there = _coefficients(b, a)

    def line(x):
        long = _extended(x, padtype, edge)
        y = _run(*there, long.tolist(), (zi * long[0]).tolist())
        y = _run(*there, y[::-1], (zi * y[-1]).tolist())[::-1]
        return np.array(y[edge:len(y) - edge])
    return _along(line, np.asarray(x, dtype=float), axis)


def sosfilt(sos, x, axis=-1, zi=None):
    sos = np.asarray(sos, dtype=float)
    if sos.ndim != 2 or sos.shape[1] != 6:
        raise ValueError("sos array must be shape (n_sections, 6)")

    def line(x):
        y, states = x.tolist(), [[0.0, 0.0] for _ in sos] if zi is None else np.asarray(zi).tolist()
        for row, state in zip(sos.tolist(), states):
            y = _run(row[:3], row[3:], y, state)
        return (np.array(y), np.array(states)) if zi is not None else np.array(y)
    x = np.asarray(x, dtype=float)
    if zi is not None and x.ndim != 1:
        raise NotImplementedError("scipy.signal.sosfilt(zi=) of more than one dimension")
    return _along(line, x, axis)


def sosfilt_zi(sos):
    sos, scale, out = np.asarray(sos, dtype=float), 1.0, []
    for row in sos:
        out.append(scale * lfilter_zi(row[:3], row[3:]))
        scale *= row[:3].sum() / row[3:].sum()
    return np.array(out)


def sosfiltfilt(sos, x, axis=-1, padtype="odd", padlen=None):
    sos = np.asarray(sos, dtype=float)
    taps = 2 * len(sos) + 1
    taps -= min(int((sos[:, 2] == 0).sum()), int((sos[:, 5] == 0).sum()))
    edge = (0 if padtype is None else 3 * taps) if padlen is None else padlen
    zi = sosfilt_zi(sos)

    def line(x):
        long = _extended(x, padtype, edge)
        y, _ = sosfilt(sos, long, zi=zi * long[0])
        y, _ = sosfilt(sos, y[::-1], zi=zi * y[-1])
        y = y[::-1]
        return y[edge:len(y) - edge]
    return _along(line, np.asarray(x, dtype=float), axis)


def freqz(b, a=1, worN=512, whole=False, plot=None, fs=2 * np.pi, include_nyquist=False):
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    last = 2 * np.pi if whole else np.pi
    if np.ndim(worN) == 0:
        w = np.linspace(0, last, int(512 if worN is None else worN), endpoint=include_nyquist and not whole)
    else:
        w = 2 * np.pi * np.asarray(worN, dtype=float) / fs
    turn = np.exp(-1j * w)
    h = np.polyval(b[::-1], turn) / np.polyval(a[::-1], turn)
    return w * (fs / (2 * np.pi)), h


def freqz_zpk(z, p, k, worN=512, whole=False, fs=2 * np.pi):
    w = np.linspace(0, 2 * np.pi if whole else np.pi, worN, endpoint=False) if np.ndim(worN) == 0 else \
        2 * np.pi * np.asarray(worN, dtype=float) / fs
    turn = np.exp(1j * w)
    return w * (fs / (2 * np.pi)), k * np.polyval(np.poly(z), turn) / np.polyval(np.poly(p), turn)


def sosfreqz(sos, worN=512, whole=False, fs=2 * np.pi):
    h = 1.0
    for row in np.asarray(sos):
        w, one = freqz(row[:3], row[3:], worN, whole, fs=fs)
        h = h * one
    return w, h


def deconvolve(signal, divisor):
    num, den = np.atleast_1d(np.asarray(signal)), np.atleast_1d(np.asarray(divisor))
    if len(den) > len(num):
        return np.array([]), num
    step = np.zeros(len(num) - len(den) + 1)
    step[0] = 1
    quotient = lfilter(num, den, step)
    from ._convolution import convolve
    return quotient, num - convolve(den, quotient, mode="full")


# ---- smoothing -------------------------------------------------------------------------------------------------------


def savgol_coeffs(window_length, polyorder, deriv=0, delta=1.0, pos=None, use="conv"):
    if polyorder >= window_length:
        raise ValueError("polyorder must be less than window_length.")
    half, odd = divmod(window_length, 2)
    if pos is None:
        pos = half if odd else half - 0.5
    if deriv > polyorder:
        return np.zeros(window_length)
    x = np.arange(-pos, window_length - pos, dtype=float)
    x = x[::-1] if use == "conv" else x
    A = x[None] ** np.arange(polyorder + 1)[:, None]
    y = np.zeros(polyorder + 1)
    y[deriv] = math.factorial(deriv) / delta**deriv
    return np.linalg.lstsq(A, y, rcond=None)[0]


def savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0):
    if mode not in ("mirror", "constant", "nearest", "interp", "wrap"):
        raise ValueError("mode must be 'mirror', 'constant', 'nearest' 'wrap' or 'interp'.")
    weights = savgol_coeffs(window_length, polyorder, deriv, delta)
    x = np.asarray(x)
    x = x if x.dtype in (np.float64, np.float32) else x.astype(float)
    from scipy.ndimage import convolve1d
    if mode != "interp":
        return convolve1d(x, weights, axis=axis, mode=mode, cval=cval)
    if window_length > x.shape[axis]:
        raise ValueError("If mode is 'interp', window_length must be less than or equal to the size of x.")

    def line(row):
        y, half, n = convolve1d(row, weights, mode="constant"), window_length // 2, len(row)
        for first, last, low, high in ((0, window_length, 0, half), (n - window_length, n, n - half, n)):
            fit = np.polyfit(np.arange(0, last - first), row[first:last], polyorder)
            if deriv > 0:
                fit = np.polyder(fit, deriv)
            y[low:high] = np.polyval(fit, np.arange(low - first, high - first)) / delta**deriv
        return y
    return _along(line, x, axis)


def medfilt(volume, kernel_size=None):
    volume = np.atleast_1d(np.asarray(volume))
    size = np.asarray([3] * volume.ndim if kernel_size is None else kernel_size)
    size = np.repeat(size.item(), volume.ndim) if size.shape == () else size
    if np.any(size % 2 == 0):
        raise ValueError("Each element of kernel_size should be odd.")
    from scipy.ndimage import median_filter
    return median_filter(volume, size=tuple(size.tolist()), mode="constant", cval=0)


def wiener(im, mysize=None, noise=None):
    im = np.asarray(im)
    size = np.asarray([3] * im.ndim if mysize is None else mysize)
    size = np.repeat(size.item(), im.ndim) if size.shape == () else size
    ones, count = np.ones(size.tolist()), float(np.prod(size))
    mean = correlate(im, ones, "same") / count
    spread = correlate(im**2, ones, "same") / count - mean**2
    noise = np.mean(spread.ravel()) if noise is None else noise
    return np.where(spread < noise, mean, (im - mean) * (1 - noise / spread) + mean)


def decimate(x, q, n=None, ftype="iir", axis=-1, zero_phase=True):
    if ftype != "iir":
        raise NotImplementedError("scipy.signal.decimate(ftype='fir')")
    sos = cheby1(8 if n is None else n, 0.05, 0.8 / q, output="sos")
    y = (sosfiltfilt if zero_phase else sosfilt)(sos, np.asarray(x), axis=axis)
    at = [slice(None)] * y.ndim
    at[axis] = slice(None, None, q)
    return y[tuple(at)]
