"""Transformers that bend columns until they look normal or uniform."""

import warnings

import numpy as np
from scipy.optimize import minimize_scalar

from .preprocessing import _Columns, StandardScaler
from .utils import _table, check_random_state, resample


def _yeo_johnson(x, power):
    made, up = np.zeros(x.shape), x >= 0
    made[up] = np.log1p(x[up]) if abs(power) < np.spacing(1.0) else (np.power(x[up] + 1, power) - 1) / power
    made[~up] = -np.log1p(-x[~up]) if abs(power - 2) <= np.spacing(1.0) else -(np.power(-x[~up] + 1, 2 - power) - 1) / (2 - power)
    return made


def _back(x, power):
    made, up = np.zeros(x.shape), x >= 0
    made[up] = np.expm1(x[up]) if abs(power) < np.spacing(1.0) else np.power(x[up] * power + 1, 1 / power) - 1
    made[~up] = 1 - np.exp(-x[~up]) if abs(power - 2) <= np.spacing(1.0) else 1 - np.power(-(2 - power) * x[~up] + 1, 1 / (2 - power))
    return made


class PowerTransformer(_Columns):
    """Columns raised to the powers that make them most normal."""

    _fitted = "lambdas_"

    def __init__(self, method="yeo-johnson", *, standardize=True, copy=True):
        self.method, self.standardize, self.copy = method, standardize, copy

    def fit(self, X, y=None):
        X = _table(X)
        if self.method == "box-cox" and (X <= 0).any():
            raise ValueError("The Box-Cox transformation can only be applied to strictly positive data")
        self.n_features_in_ = X.shape[1]
        if self.method == "box-cox":
            raise NotImplementedError("PowerTransformer: method='box-cox' isn't supported here; 'yeo-johnson' is")
        self.lambdas_ = np.array([self._best(column) for column in X.T])
        made = self._powers(X)
        if self.standardize:
            self._scaler = StandardScaler().fit(made)
        return self

    def _best(self, x):
        count, sides = len(x), float((np.sign(x) * np.log1p(np.abs(x))).sum())
        if float(x.min()) == float(x.max()):
            return 1.0
        tiny = np.finfo(np.float64).tiny

        def loss(power):
            spread = float(_yeo_johnson(x, power).var())
            return np.inf if spread < tiny else -(-count / 2 * np.log(spread) + (power - 1) * sides)

        return minimize_scalar(loss, bracket=(-2, 2)).x

    def _powers(self, X):
        return np.stack([_yeo_johnson(column, power) for column, power in zip(X.T, self.lambdas_.tolist())], axis=1)

    def transform(self, X):
        X = self._read(X)
        made = self._powers(X)
        return self._scaler.transform(made) if self.standardize else made

    def inverse_transform(self, X):
        self._need_fit()
        X = self._scaler.inverse_transform(X) if self.standardize else _table(X)
        return np.stack([_back(column, power) for column, power in zip(X.T, self.lambdas_.tolist())], axis=1)


class QuantileTransformer(_Columns):
    """Columns by their ranks: uniform, or normal."""

    _fitted = "quantiles_"

    def __init__(self, *, n_quantiles=1000, output_distribution="uniform", ignore_implicit_zeros=False, subsample=10000, random_state=None,
                 copy=True):
        self.n_quantiles, self.output_distribution, self.ignore_implicit_zeros = n_quantiles, output_distribution, ignore_implicit_zeros
        self.subsample, self.random_state, self.copy = subsample, random_state, copy

    def fit(self, X, y=None):
        X = _table(X)
        if self.subsample is not None and self.n_quantiles > self.subsample:
            raise ValueError(f"The number of quantiles cannot be greater than the number of samples used. Got {self.n_quantiles} quantiles and "
                             f"{self.subsample} samples.")
        if self.n_quantiles > len(X):
            warnings.warn(f"n_quantiles ({self.n_quantiles}) is greater than the total number of samples ({len(X)}). n_quantiles is set to "
                          "n_samples.", UserWarning, stacklevel=3)
        self.n_quantiles_, self.n_features_in_ = max(1, min(self.n_quantiles, len(X))), X.shape[1]
        self.references_ = np.linspace(0, 1, self.n_quantiles_, endpoint=True)
        part = X if self.subsample is None or len(X) <= self.subsample else resample(
            X, replace=False, n_samples=self.subsample, random_state=check_random_state(self.random_state))
        self.quantiles_ = np.maximum.accumulate(np.stack([np.percentile(c, (self.references_ * 100).tolist()) for c in part.T], axis=1))
        return self

    def _each(self, X, change):
        X = self._read(X)
        return np.stack([change(c, q) for c, q in zip(X.T, self.quantiles_.T)], axis=1)

    def transform(self, X):
        from scipy.special import ndtri

        normal, r = self.output_distribution == "normal", self.references_

        def change(x, q):
            low, high = x - 1e-7 < q[0], x + 1e-7 > q[-1]
            made = 0.5 * (np.interp(x, q, r) - np.interp(-x, -q[::-1], -r[::-1]))
            if not normal:
                low, high = x == q[0], x == q[-1]
            made = np.where(high, 1.0, made)
            made = np.where(low, 0.0, made)
            if not normal:
                return made
            least, most = ndtri(1e-7 - np.spacing(1.0)), ndtri(1 - (1e-7 - np.spacing(1.0)))
            return np.clip(ndtri(made), least, most)

        return self._each(X, change)

    def inverse_transform(self, X):
        from scipy.special import ndtr

        return self._each(X, lambda x, q: np.interp(ndtr(x) if self.output_distribution == "normal" else x, self.references_, q))
