"""Least squares."""

import numpy as np

from .base import BaseEstimator
from .metrics import r2_score
from .utils import _table, check_consistent_length


class LinearRegression(BaseEstimator):
    """Ordinary least squares: X of shape (n, features), y of shape (n,) or (n, targets)."""

    def __init__(self, *, fit_intercept=True, copy_X=True, tol=1e-6, n_jobs=None, positive=False):
        self.fit_intercept, self.copy_X, self.tol, self.n_jobs, self.positive = fit_intercept, copy_X, tol, n_jobs, positive

    def fit(self, X, y, sample_weight=None):
        if self.positive:
            raise NotImplementedError("LinearRegression: positive=True isn't supported here")
        if sample_weight is not None:
            raise NotImplementedError("LinearRegression: sample_weight isn't supported here")
        X, y = _table(X), np.asarray(y, dtype=float)
        check_consistent_length(X, y)
        # Centered columns make the intercept independent of the slopes.
        around, level = (X.mean(axis=0), y.mean(axis=0)) if self.fit_intercept else (0.0, 0.0)
        slopes, _, self.rank_, self.singular_ = np.linalg.lstsq(X - around, y - level, rcond=None)
        self.coef_ = slopes.T
        self.intercept_ = level - np.dot(around, slopes) if self.fit_intercept else 0.0
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        self._need_fit("coef_")
        X = _table(X)
        self._need_width(X)
        return X @ self.coef_.T + self.intercept_

    def score(self, X, y):
        """The coefficient of determination."""
        return r2_score(y, self.predict(X))


def __getattr__(name):
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.linear_model.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.linear_model' has no attribute '{name}'")
