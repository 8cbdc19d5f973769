"""Curves that only rise, or only fall."""

import math
import warnings

import numpy as np

from .base import BaseEstimator, RegressorMixin, TransformerMixin
from .utils import check_consistent_length


def isotonic_regression(y, *, sample_weight=None, y_min=None, y_max=None, increasing=True):
    """The nearest numbers that never fall: neighbors in the wrong order share their mean."""
    y = np.asarray(y, dtype=float)
    mass = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    blocks = []
    for value, weight in zip(*(v.tolist() if increasing else v[::-1].tolist() for v in (y, mass))):
        block = [value * weight, weight, 1, value]
        while blocks and blocks[-1][3] >= block[3]:
            one = blocks.pop()
            block = [a + b for a, b in zip(one[:3], block[:3])]
            block.append(block[0] / block[1])
        blocks.append(block)
    made = np.repeat([b[3] for b in blocks], [b[2] for b in blocks])
    made = made if increasing else made[::-1]
    return made if y_min is None and y_max is None else np.clip(made, y_min, y_max)


def check_increasing(x, y):
    """Whether a rising curve suits better, by Spearman's correlation."""
    from scipy.stats import spearmanr

    rho = spearmanr(x, y)[0]
    if rho not in (-1.0, 1.0) and len(x) > 3:
        middle, spread = 0.5 * math.log((1 + rho) / (1 - rho)), 1.96 / math.sqrt(len(x) - 3)
        if np.sign(math.tanh(middle - spread)) != np.sign(math.tanh(middle + spread)):
            warnings.warn("Confidence interval of the Spearman correlation coefficient spans zero. Determination of ``increasing`` may be "
                          "suspect.", stacklevel=3)
    return rho >= 0


class IsotonicRegression(RegressorMixin, TransformerMixin, BaseEstimator):
    """A curve that only rises or only falls, with straight lines between the samples."""

    _fitted = "X_thresholds_"

    def __init__(self, *, y_min=None, y_max=None, increasing=True, out_of_bounds="nan"):
        self.y_min, self.y_max, self.increasing, self.out_of_bounds = y_min, y_max, increasing, out_of_bounds

    @staticmethod
    def _flat(X):
        X = np.asarray(X, dtype=float)
        if X.ndim != 1 and not (X.ndim == 2 and X.shape[1] == 1):
            raise ValueError("Isotonic regression input X should be a 1d array or 2d array with 1 feature")
        return X.reshape(-1)

    def fit(self, X, y, sample_weight=None):
        X, y = self._flat(X), np.asarray(y, dtype=float)
        check_consistent_length(X, y)
        mass = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        self.increasing_ = check_increasing(X, y) if self.increasing == "auto" else self.increasing
        X, y, mass = X[mass > 0], y[mass > 0], mass[mass > 0]
        order = np.lexsort((y, X))
        X, y, mass = X[order], y[order], mass[order]
        places, at = np.unique(X, return_inverse=True)
        weights = np.bincount(at, weights=mass)
        y = isotonic_regression(np.bincount(at, weights=mass * y) / weights, sample_weight=weights, y_min=self.y_min, y_max=self.y_max,
                                increasing=bool(self.increasing_))
        self.X_min_, self.X_max_ = places[0], places[-1]
        kept = np.ones(len(y), dtype=bool)
        kept[1:-1] = (y[1:-1] != y[:-2]) | (y[1:-1] != y[2:])
        self.X_thresholds_, self.y_thresholds_ = places[kept], y[kept]
        return self

    def predict(self, T):
        self._need_fit()
        T, x, y = self._flat(T), self.X_thresholds_, self.y_thresholds_
        outside = (T < self.X_min_) | (T > self.X_max_)
        if self.out_of_bounds == "raise" and outside.any():
            low = T[T < self.X_min_]
            where, end = ("below", "minimum") if len(low) else ("above", "maximum")
            raise ValueError(f"A value ({low[0] if len(low) else T[outside][0]}) in x_new is {where} the interpolation range's {end} value "
                             f"({x[0] if len(low) else x[-1]}).")
        if len(x) == 1:
            return np.full(len(T), y[0])
        at = np.clip(np.searchsorted(x, T), 1, len(x) - 1)
        made = (y[at] - y[at - 1]) / (x[at] - x[at - 1]) * (np.clip(T, x[0], x[-1]) - x[at - 1]) + y[at - 1]
        return np.where(outside, np.nan, made) if self.out_of_bounds == "nan" else made

    transform = predict
