"""Guesses that don't look at the data, to compare with."""

import numpy as np

from .base import BaseEstimator, ClassifierMixin, RegressorMixin


class DummyClassifier(ClassifierMixin, BaseEstimator):
    _fitted = "classes_"

    def __init__(self, *, strategy="prior", random_state=None, constant=None):
        self.strategy, self.random_state, self.constant = strategy, random_state, constant

    def fit(self, X, y, sample_weight=None):
        if self.strategy not in ("prior", "most_frequent", "constant"):
            raise NotImplementedError(f"DummyClassifier(strategy={self.strategy!r}) isn't supported here")
        self.classes_, counts = np.unique(np.asarray(y), return_counts=True)
        self.class_prior_, self.n_classes_ = counts / counts.sum(), len(self.classes_)
        self._guess = self.classes_[self.class_prior_.argmax()] if self.strategy != "constant" else self.constant
        return self

    def predict(self, X):
        self._need_fit()
        return np.array([self._guess] * len(X), dtype=self.classes_.dtype)

    def predict_proba(self, X):
        self._need_fit()
        share = self.class_prior_ if self.strategy == "prior" else (self.classes_ == self._guess).astype(float)
        return np.tile(share, (len(X), 1))


class DummyRegressor(RegressorMixin, BaseEstimator):
    _fitted = "constant_"

    def __init__(self, *, strategy="mean", constant=None, quantile=None):
        self.strategy, self.constant, self.quantile = strategy, constant, quantile

    def fit(self, X, y, sample_weight=None):
        y = np.asarray(y, dtype=float)
        found = {"mean": lambda: y.mean(axis=0), "median": lambda: np.median(y, axis=0),
                 "quantile": lambda: np.percentile(y, q=self.quantile * 100.0, axis=0), "constant": lambda: np.asarray(self.constant)}
        self.constant_ = np.reshape(found[self.strategy](), (1, -1))
        self._flat = y.ndim == 1
        return self

    def predict(self, X):
        self._need_fit()
        made = np.tile(self.constant_, (len(X), 1))
        return made[:, 0] if self._flat else made
