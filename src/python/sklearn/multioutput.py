"""Several targets by an estimator of one for each."""

import numpy as np

from .base import BaseEstimator, RegressorMixin, clone


class _Several(BaseEstimator):
    _fitted = "estimators_"

    _passes = True

    def __init__(self, estimator, *, n_jobs=None):
        self.estimator, self.n_jobs = estimator, n_jobs

    def fit(self, X, y, sample_weight=None):
        y = np.asarray(y)
        if y.ndim == 1:
            raise ValueError("y must have at least two dimensions for multi-output regression but has only one.")
        extra = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.estimators_ = [clone(self.estimator).fit(X, column, **extra) for column in y.T]
        return self

    def predict(self, X):
        self._need_fit()
        return np.stack([one.predict(X) for one in self.estimators_], axis=1)


class MultiOutputRegressor(RegressorMixin, _Several):
    pass


class MultiOutputClassifier(_Several):
    classes_ = property(lambda self: [one.classes_ for one in self.estimators_])

    def predict_proba(self, X):
        return [one.predict_proba(X) for one in self.estimators_]

    def score(self, X, y):
        return np.mean((np.asarray(y) == self.predict(X)).all(axis=1))


def __getattr__(name):
    if not name.startswith("_"):
        raise NotImplementedError(f"sklearn.multioutput.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.multioutput' has no attribute '{name}'")
