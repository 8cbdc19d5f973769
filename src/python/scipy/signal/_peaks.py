"""Peaks of a signal: where they are, and how high, prominent and wide."""

import math
import warnings

import numpy as np


class PeakPropertyWarning(RuntimeWarning):
    pass


def _maxima(x):
    """The middles of the tops, flat ones too, and their edges."""
    middles, lefts, rights = [], [], []
    x = x.tolist()
    i, last = 1, len(x) - 1
    while i < last:
        if x[i - 1] < x[i]:
            ahead = i + 1
            while ahead < last and x[ahead] == x[i]:
                ahead += 1
            if x[ahead] < x[i]:
                lefts.append(i)
                rights.append(ahead - 1)
                middles.append((i + ahead - 1) // 2)
                i = ahead
        i += 1
    return (np.array(p, dtype=np.int64) for p in (middles, lefts, rights))


def _limits(interval, x, peaks):
    """The lowest and highest value that a condition allows; as arrays, one for each peak."""
    low, high = interval if isinstance(interval, tuple) and len(interval) == 2 else (interval, None)
    pick = lambda edge: edge[peaks] if isinstance(edge, np.ndarray) and edge.size == x.size else edge
    return pick(low), pick(high)


def _within(values, limits):
    low, high = limits
    kept = np.ones(values.size, dtype=bool)
    if low is not None:
        kept &= low <= values
    if high is not None:
        kept &= values <= high
    return kept


def _apart(peaks, heights, distance):
    """Drops the lower ones of peaks that are too near each other."""
    distance = math.ceil(distance)
    peaks, kept = peaks.tolist(), np.ones(len(peaks), dtype=bool)
    for j in np.argsort(heights, kind="stable")[::-1].tolist():
        if not kept[j]:
            continue
        k = j - 1
        while k >= 0 and peaks[j] - peaks[k] < distance:
            kept[k] = False
            k -= 1
        k = j + 1
        while k < len(peaks) and peaks[k] - peaks[j] < distance:
            kept[k] = False
            k += 1
    return kept


def _prominences(x, peaks, wlen):
    values = x.tolist()
    found, lefts, rights = [], [], []
    for peak in peaks.tolist():
        low, high = 0, len(values) - 1
        if wlen >= 2:
            low, high = max(peak - wlen // 2, low), min(peak + wlen // 2, high)
        top, sides = values[peak], []
        for step, end in ((-1, low - 1), (1, high + 1)):
            i, base, least = peak, peak, top
            while i != end and values[i] <= top:
                if values[i] < least:
                    least, base = values[i], i
                i += step
            sides.append((least, base))
        found.append(top - max(sides[0][0], sides[1][0]))
        lefts.append(sides[0][1])
        rights.append(sides[1][1])
    if any(p == 0 for p in found):
        warnings.warn("some peaks have a prominence of 0", PeakPropertyWarning, stacklevel=3)
    return np.array(found), np.array(lefts, dtype=np.int64), np.array(rights, dtype=np.int64)


def _wlen(wlen):
    if wlen is None:
        return -1
    if wlen <= 1:
        raise ValueError(f"`wlen` must be larger than 1, was {wlen}")
    return math.ceil(wlen)


def peak_prominences(x, peaks, wlen=None):
    return _prominences(_line(x), np.asarray(peaks, dtype=np.int64), _wlen(wlen))


def _line(x):
    x = np.asarray(x, dtype=np.float64)
    if x.ndim != 1:
        raise ValueError("`x` must be a 1-D array")
    return x


def _widths(x, peaks, rel_height, prominences):
    if rel_height < 0:
        raise ValueError("`rel_height` must be greater or equal to 0.0")
    values = x.tolist()
    out = []
    for peak, size, low, high in zip(peaks.tolist(), *(p.tolist() for p in prominences)):
        level = values[peak] - size * rel_height
        i = peak
        while low < i and level < values[i]:
            i -= 1
        left = float(i)
        if values[i] < level:
            left += (level - values[i]) / (values[i + 1] - values[i])
        i = peak
        while i < high and level < values[i]:
            i += 1
        right = float(i)
        if values[i] < level:
            right -= (level - values[i]) / (values[i - 1] - values[i])
        out.append((right - left, level, left, right))
    return tuple(np.array(column, dtype=float) for column in (zip(*out) if out else ([],) * 4))


def peak_widths(x, peaks, rel_height=0.5, prominence_data=None, wlen=None):
    x, peaks = _line(x), np.asarray(peaks, dtype=np.int64)
    return _widths(x, peaks, rel_height, prominence_data or _prominences(x, peaks, _wlen(wlen)))


def find_peaks(x, height=None, threshold=None, distance=None, prominence=None, width=None, wlen=None, rel_height=0.5, plateau_size=None):
    x = _line(x)
    if distance is not None and distance < 1:
        raise ValueError("`distance` must be greater or equal to 1")
    peaks, lefts, rights = _maxima(x)
    kept = {}

    def drop(which):
        nonlocal peaks, kept
        peaks = peaks[which]
        kept = {name: values[which] for name, values in kept.items()}

    if plateau_size is not None:
        sizes = rights - lefts + 1
        which = _within(sizes, _limits(plateau_size, x, peaks))
        kept = {"plateau_sizes": sizes, "left_edges": lefts, "right_edges": rights}
        drop(which)
    if height is not None:
        kept["peak_heights"] = x[peaks]
        drop(_within(x[peaks], _limits(height, x, peaks)))
    if threshold is not None:
        left, right = x[peaks] - x[peaks - 1], x[peaks] - x[peaks + 1]
        low, high = _limits(threshold, x, peaks)
        which = _within(np.minimum(left, right), (low, None)) & _within(np.maximum(left, right), (None, high))
        kept["left_thresholds"], kept["right_thresholds"] = left, right
        drop(which)
    if distance is not None:
        drop(_apart(peaks, x[peaks], distance))
    if prominence is not None or width is not None:
        kept.update(zip(("prominences", "left_bases", "right_bases"), _prominences(x, peaks, _wlen(wlen))))
    if prominence is not None:
        drop(_within(kept["prominences"], _limits(prominence, x, peaks)))
    if width is not None:
        found = _widths(x, peaks, rel_height, (kept["prominences"], kept["left_bases"], kept["right_bases"]))
        kept.update(zip(("widths", "width_heights", "left_ips", "right_ips"), found))
        drop(_within(kept["widths"], _limits(width, x, peaks)))
    return peaks, kept


def argrelextrema(data, comparator, axis=0, order=1, mode="clip"):
    if int(order) != order or order < 1:
        raise ValueError("Order must be an int >= 1")
    data = np.asarray(data)
    n = data.shape[axis]
    found = np.ones(data.shape, dtype=bool)
    for shift in range(1, order + 1):
        for step in (shift, -shift):
            at = np.arange(n) + step
            at = np.clip(at, 0, n - 1) if mode == "clip" else at % n
            found &= comparator(data, np.take(data, at, axis=axis))
    return np.nonzero(found)


def argrelmax(data, axis=0, order=1, mode="clip"):
    return argrelextrema(data, np.greater, axis, order, mode)


def argrelmin(data, axis=0, order=1, mode="clip"):
    return argrelextrema(data, np.less, axis, order, mode)
