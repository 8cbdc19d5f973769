"""`rolling`, `expanding` and `ewm`."""

import datetime

import numpy as np

from . import _reduce
from ._columns import DATETIME, FLOAT, NAN, Column
from ._dates import Timedelta


def _starts(index, span):
    """For each moment the first one that a window of this length, which ends there, still holds."""
    moments = index.tolist()
    if index._column.dtype != DATETIME:
        raise ValueError("window must be an integer 0 or greater")
    if any(a > b for a, b in zip(moments, moments[1:])):
        raise ValueError("index must be monotonic")
    span, made, first = Timedelta(span if not span[:1].isalpha() else f"1{span}") if isinstance(span, str) else span, [], 0
    for moment in moments:
        while moments[first] <= moment - span:
            first += 1
        made.append(first)
    return made


class Window:
    def __repr__(self):
        if self._window is None and self._starts is None:
            return f"Expanding [min_periods={self._least},method=single]"
        return f"Rolling [window={self._told},center={self._center},method=single]"

    def __init__(self, of, window, least, center, closed="right"):
        if closed not in ("left", "right", "both", "neither"):
            raise ValueError("closed must be 'right', 'left', 'both' or 'neither'")
        self._closed = closed
        self._starts, self._told = None, window
        if isinstance(window, (str, datetime.timedelta)):
            self._starts, window = _starts(of.index, window), None
            if center:
                raise NotImplementedError("pandas: rolling over a time with center=True")
        elif window is not None and not isinstance(window, (int, np.integer)):
            raise ValueError("window must be an integer 0 or greater")
        if window is not None and window < 0:
            raise ValueError("window must be an integer 0 or greater")
        self._of, self._window, self._least, self._center = of, window, least, center

    def __getitem__(self, key):
        made = Window(self._of[key], self._window, self._least, self._center, self._closed)
        made._starts = self._starts
        return made

    def _each(self, function):
        def change(column):
            data, made = column.data.astype(np.float64), []
            count = len(data)
            ahead = (self._window - 1) // 2 if self._center and self._window else 0
            for i in range(count):
                end = min(i + 1 + ahead, count)
                start = self._starts[i] if self._starts else 0 if self._window is None else max(i + 1 + ahead - self._window, 0)
                # The ends of a window can be in it or not.
                start, end = max(start - (self._closed in ("left", "both")), 0), end - (self._closed in ("left", "neither"))
                part = data[start:end] if end > start else data[:0]
                full = part[~np.isnan(part)]
                made.append(float(function(full)) if len(full) >= self._least and (len(full) or self._least == 0) else NAN)
            return Column(FLOAT, np.array(made, dtype=np.float64))

        return self._of._mapped(change)

    def apply(self, func, raw=False, args=(), kwargs=None):
        from ._series import Series

        return self._each(lambda part: func(part if raw else Series(part), *args, **(kwargs or {})))

    def quantile(self, q, interpolation="linear"):
        return self._each(lambda part: np.percentile(part, 100 * q, method=interpolation))

    def skew(self, **options):
        return self._each(lambda part: _reduce.reduce("skew", Column(FLOAT, part)))

    def sem(self, ddof=1, **options):
        return self._each(lambda part: _reduce.reduce("std", Column(FLOAT, part), ddof=ddof) / len(part) ** 0.5)

    def _beside(self, other, function):
        from ._series import Series

        if self._of.ndim != 1 or not isinstance(other, Series) or self._center or self._closed != "right":
            raise NotImplementedError("pandas: rolling(...).corr and .cov are for two series here")
        a, b = self._of.to_numpy().astype(float), other.reindex(self._of.index).to_numpy().astype(float)
        made = []
        for i in range(len(a)):
            start = self._starts[i] if self._starts else 0 if self._window is None else max(i + 1 - self._window, 0)
            x, y = a[start:i + 1], b[start:i + 1]
            both = ~(np.isnan(x) | np.isnan(y))
            x, y = x[both], y[both]
            made.append(function(x, y) if len(x) >= max(self._least, 1) else NAN)
        return Series(np.array(made, dtype=np.float64), index=self._of.index)

    def cov(self, other, ddof=1):
        return self._beside(other, lambda x, y: float(((x - x.mean()) * (y - y.mean())).sum() / (len(x) - ddof)) if len(x) > ddof else NAN)

    def corr(self, other):
        def one(x, y):
            x, y = x - x.mean(), y - y.mean()
            size = float(np.sqrt((x * x).sum() * (y * y).sum()))
            return float((x * y).sum()) / size if size else NAN

        return self._beside(other, one)

    def agg(self, func):
        if isinstance(func, (list, tuple)):
            from ._merge import concat

            if self._of.ndim != 1:
                raise NotImplementedError("pandas: rolling(...).agg of a frame with several functions")
            names = [each if isinstance(each, str) else each.__name__ for each in func]
            return concat([self.agg(each) for each in func], axis=1, keys=names)
        return getattr(self, func)() if isinstance(func, str) else self.apply(func)

    aggregate = agg

    def __getattr__(self, name):
        if name in ("mean", "sum", "min", "max", "median", "count"):
            return lambda **options: self._each(lambda part: _reduce.reduce(name, Column(FLOAT, part)))
        if name in ("std", "var"):
            return lambda ddof=1, **options: self._each(lambda part: _reduce.reduce(name, Column(FLOAT, part), ddof=ddof))
        if name in ("kurt", "rank"):
            raise NotImplementedError(f"pandas: rolling(...).{name} isn't here")
        raise AttributeError(f"'Rolling' object has no attribute '{name}'")


class Windowed:
    """Windows in which each place has a weight: those of `scipy.signal.windows`."""

    def __init__(self, of, window, least, center, options):
        import scipy.signal.windows as known

        self._type = options.pop("win_type")
        if not isinstance(window, (int, np.integer)) or window < 0:
            raise ValueError("window must be an integer 0 or greater")
        if not isinstance(self._type, str) or not callable(getattr(known, self._type, None)):
            raise ValueError(f"Invalid win_type {self._type}")
        for name, value in options.items():
            if value is not None:
                raise NotImplementedError(f"pandas: rolling(win_type=, {name}=)")
        self._of, self._window, self._least, self._center = of, int(window), least, center
        self._weights = getattr(known, self._type)

    def __repr__(self):
        return f"Window [window={self._window},center={self._center},win_type={self._type},method=single]"

    def __getitem__(self, key):
        return Windowed(self._of[key], self._window, self._least, self._center, {"win_type": self._type})

    def _each(self, function, options):
        weights = np.asarray(self._weights(self._window, **options), dtype=np.float64)
        ahead = (len(weights) - 1) // 2 if self._center else 0

        def change(column):
            data = np.concatenate([column.data.astype(np.float64), np.full(ahead, NAN)])
            return Column(FLOAT, np.array(function(data, weights), dtype=np.float64)[ahead:])

        return self._of._mapped(change)

    def _sums(self, mean, options):
        def function(data, weights):
            for end in range(1, len(data) + 1):
                part = data[max(end - len(weights), 0):end]
                there = ~np.isnan(part)
                part, own = part[there], weights[len(weights) - len(there):][there]
                total = float(own.sum()) if mean else 1.0
                yield float((part * own).sum()) / total if len(part) >= self._least and total else NAN

        return self._each(lambda *of: list(function(*of)), options)

    def sum(self, numeric_only=False, **options):
        return self._sums(False, options)

    def mean(self, numeric_only=False, **options):
        return self._sums(True, options)

    def var(self, ddof=1, numeric_only=False, **options):
        # A value keeps the weight that it came in with, as in pandas: weights go round with the places.
        def function(data, weights):
            count, made = len(weights), []
            spread, total, mean, seen = np.float64(0), np.float64(0), np.float64(0), 0
            for i, x in enumerate(data):
                before = data[i - count] if i >= count else NAN
                for value, sign in ((before, -1), (x, 1)):
                    if np.isnan(value):
                        continue
                    weight = sign * weights[(i - count if sign < 0 else i) % count]
                    seen += sign
                    if not seen:
                        spread = total = mean = np.float64(0)
                        continue
                    away = value - mean
                    with np.errstate(all="ignore"):
                        step = away * weight / (total + weight)
                    mean, spread, total = mean + step, spread + step * total * away, total + weight
                with np.errstate(all="ignore"):
                    made.append(NAN if seen < self._least or seen <= ddof else 0.0 if seen == 1 else max(spread * count / ((count - ddof) * total), 0.0))
            return made

        return self._each(function, options)

    def std(self, ddof=1, numeric_only=False, **options):
        return np.sqrt(self.var(ddof, **options))

    def __getattr__(self, name):
        raise AttributeError(f"'Window' object has no attribute '{name}'")


class Weighted:
    def __repr__(self):
        return f"ExponentialMovingWindow [{self._told},min_periods=1,adjust={self._adjust},ignore_na=False,method=single]"

    def __init__(self, of, com, span, halflife, alpha, adjust):
        named = {"com": com, "span": span, "halflife": halflife, "alpha": alpha}
        self._told = ",".join(f"{name}={value}" for name, value in named.items() if value is not None)
        given = [x for x in (com, span, halflife, alpha) if x is not None]
        if len(given) != 1:
            raise ValueError(
                "comass, span, halflife, and alpha are mutually exclusive"
                if given
                else "Must pass one of comass, span, halflife, or alpha"
            )
        self._of, self._adjust = of, adjust
        self._alpha = (
            alpha
            if alpha is not None
            else 1 / (1 + com) if com is not None else 2 / (span + 1) if span is not None else 1 - 0.5 ** (1 / halflife)
        )

    def mean(self):
        def change(column):
            made, total, weight, keep = [], None, 1.0, 1 - self._alpha
            for x in column.data.tolist():
                x = float(x)
                if total is None:
                    total = x if x == x else None
                elif x == x:
                    weight *= keep
                    # With a center of mass of 1, pandas lets a gap take weight from what was before it.
                    new = 1.0 if self._adjust else 1 - weight if self._alpha == 0.5 else self._alpha
                    total = (weight * total + new * x) / (weight + new)
                    weight = weight + new if self._adjust else 1.0
                else:
                    weight *= keep
                made.append(NAN if total is None else total)
            return Column(FLOAT, np.array(made, dtype=np.float64))

        return self._of._mapped(change)

    def sum(self):
        if not self._adjust:
            raise NotImplementedError("sum is not implemented with adjust=False")

        def change(column):
            made, total = [], NAN
            for x in column.data.tolist():
                x = float(x)
                if total != total:
                    total = x
                else:
                    total = total * (1 - self._alpha) + (x if x == x else 0.0)
                made.append(total)
            return Column(FLOAT, np.array(made, dtype=np.float64))

        return self._of._mapped(change)

    def var(self, bias=False):
        """The weighted mean of squared differences; without `bias` it's corrected for the weights."""
        def change(column):
            made, keep, new = [], 1 - self._alpha, 1.0 if self._adjust else self._alpha
            mean = None
            spread, weights, squares, old, seen = 0.0, 1.0, 1.0, 1.0, 0
            for x in column.data.tolist():
                x = float(x)
                if mean is None:
                    mean = x if x == x else None
                    seen += x == x
                else:
                    weights, squares, old = weights * keep, squares * keep * keep, old * keep
                    if x == x:
                        seen += 1
                        before = mean
                        mean = (old * before + new * x) / (old + new)
                        spread = (old * (spread + (before - mean) ** 2) + new * (x - mean) ** 2) / (old + new)
                        weights, squares, old = weights + new, squares + new * new, old + new
                        if not self._adjust:
                            weights, squares, old = weights / old, squares / (old * old), 1.0
                if mean is None or not bias and seen < 2:
                    made.append(NAN)
                elif bias:
                    made.append(spread)
                else:
                    whole = weights * weights
                    made.append(whole / (whole - squares) * spread if whole > squares else NAN)
            return Column(FLOAT, np.array(made, dtype=np.float64))

        return self._of._mapped(change)

    def std(self, bias=False):
        return np.sqrt(self.var(bias))

    def __getattr__(self, name):
        raise NotImplementedError(f"pandas: ewm(...).{name} isn't here")
