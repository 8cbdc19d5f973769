"""Classes as normal distributions."""

import numpy as np

from .base import BaseEstimator, ClassifierMixin, TransformerMixin
from .utils import _table, check_consistent_length


class _Normal(ClassifierMixin, BaseEstimator):
    def _taken(self, X, y):
        X, y = _table(X), np.asarray(y)
        check_consistent_length(X, y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("The number of classes has to be greater than one; got 1 class")
        self.n_features_in_ = X.shape[1]
        self.priors_ = np.bincount(labels) / len(y) if self.priors is None else np.asarray(self.priors, dtype=float)
        self.means_ = np.stack([X[labels == k].mean(axis=0) for k in range(len(self.classes_))])
        return X, labels

    def _chances(self, sums):
        made = np.exp(sums - sums.max(axis=1)[:, None])
        return made / made.sum(axis=1)[:, None]

    def predict(self, X):
        return self.classes_[self._sums(X).argmax(axis=1)]

    def predict_proba(self, X):
        return self._chances(self._sums(X))

    def predict_log_proba(self, X):
        return np.log(self.predict_proba(X))

    def decision_function(self, X):
        sums = self._sums(X)
        return sums[:, 1] - sums[:, 0] if len(self.classes_) == 2 else sums


class LinearDiscriminantAnalysis(TransformerMixin, _Normal):
    """One covariance for all classes."""

    _fitted = "coef_"

    def __init__(self, solver="svd", shrinkage=None, priors=None, n_components=None, store_covariance=False, tol=1e-4,
                 covariance_estimator=None):
        self.solver, self.shrinkage, self.priors, self.n_components = solver, shrinkage, priors, n_components
        self.store_covariance, self.tol, self.covariance_estimator = store_covariance, tol, covariance_estimator

    def fit(self, X, y):
        if self.solver != "svd" or self.shrinkage is not None or self.covariance_estimator is not None:
            raise NotImplementedError("LinearDiscriminantAnalysis: only solver='svd' is supported here, without shrinkage")
        X, labels = self._taken(X, y)
        count, classes = len(X), len(self.classes_)
        most = min(classes - 1, X.shape[1])
        if self.n_components is not None and self.n_components > most:
            raise ValueError("n_components cannot be larger than min(n_features, n_classes - 1).")
        self.xbar_ = self.priors_ @ self.means_
        inner = X - self.means_[labels]
        spread = inner.std(axis=0)
        spread[spread == 0] = 1.0
        factor = 1.0 / count
        _, sizes, axes = np.linalg.svd(np.sqrt(factor) * (inner / spread), full_matrices=False)
        rank = int((sizes > self.tol).sum())
        scaled = (axes[:rank] / spread).T / sizes[:rank]
        factor = 1.0 if classes == 1 else 1.0 / (classes - 1)
        between = (np.sqrt(count * self.priors_ * factor) * (self.means_ - self.xbar_).T).T @ scaled
        _, sizes, axes = np.linalg.svd(between, full_matrices=False)
        self.explained_variance_ratio_ = (sizes ** 2 / (sizes ** 2).sum())[:most if self.n_components is None else self.n_components]
        rank = int((sizes > self.tol * sizes[0]).sum())
        self.scalings_ = scaled @ axes.T[:, :rank]
        slopes = (self.means_ - self.xbar_) @ self.scalings_
        self.intercept_ = -0.5 * (slopes ** 2).sum(axis=1) + np.log(self.priors_)
        self.coef_ = slopes @ self.scalings_.T
        self.intercept_ = self.intercept_ - self.xbar_ @ self.coef_.T
        self._most = most if self.n_components is None else self.n_components
        if classes == 2:
            self.coef_, self.intercept_ = (self.coef_[1] - self.coef_[0])[None], (self.intercept_[1] - self.intercept_[0])[None]
        return self

    def _sums(self, X):
        X = self._read(X)
        sums = X @ self.coef_.T + self.intercept_
        return np.concatenate([np.zeros((len(X), 1)), sums], axis=1) if len(self.classes_) == 2 else sums

    def transform(self, X):
        self._need_fit()
        return ((_table(X) - self.xbar_) @ self.scalings_)[:, :self._most]


class QuadraticDiscriminantAnalysis(_Normal):
    """A covariance for each class."""

    _fitted = "rotations_"

    def __init__(self, *, solver="svd", shrinkage=None, priors=None, reg_param=0.0, store_covariance=False, tol=1e-4,
                 covariance_estimator=None):
        self.solver, self.shrinkage, self.priors, self.reg_param = solver, shrinkage, priors, reg_param
        self.store_covariance, self.tol, self.covariance_estimator = store_covariance, tol, covariance_estimator

    def fit(self, X, y):
        if self.solver != "svd" or self.shrinkage is not None or self.covariance_estimator is not None:
            raise NotImplementedError("QuadraticDiscriminantAnalysis: only solver='svd' is supported here, without shrinkage")
        X, labels = self._taken(X, y)
        self.rotations_, self.scalings_ = [], []
        for k, mean in enumerate(self.means_):
            part = X[labels == k] - mean
            if len(part) < 2:
                raise ValueError(f"y has only 1 sample in class {self.classes_[k]}, covariance is ill defined.")
            _, sizes, axes = np.linalg.svd(part, full_matrices=False)
            spread = sizes ** 2 / len(part)
            self.scalings_.append((1 - self.reg_param) * spread + self.reg_param)
            self.rotations_.append(axes.T)
        return self

    def _sums(self, X):
        self._need_fit()
        X, made = _table(X), []
        self._need_width(X)
        for turn, spread, mean in zip(self.rotations_, self.scalings_, self.means_):
            away = (X - mean) @ (turn * spread ** -0.5)
            made.append(-0.5 * ((away ** 2).sum(axis=1) + np.log(spread).sum()))
        return np.stack(made, axis=1) + np.log(self.priors_)
