"""Nearest neighbors."""

import numpy as np

from ._ties import nearest
from .base import BaseEstimator
from .metrics import accuracy_score, r2_score
from .utils import _table, check_consistent_length


class _Neighbors(BaseEstimator):
    _fitted = "n_samples_fit_"

    def __init__(self, n_neighbors=5, *, weights="uniform", algorithm="auto", leaf_size=30, p=2, metric="minkowski",
                 metric_params=None, n_jobs=None):
        self.n_neighbors, self.weights, self.algorithm, self.leaf_size, self.p = n_neighbors, weights, algorithm, leaf_size, p
        self.metric, self.metric_params, self.n_jobs = metric, metric_params, n_jobs

    def _keep(self, X):
        if self.metric not in ("minkowski", "euclidean", "manhattan"):
            raise NotImplementedError(f"{type(self).__name__}: metric={self.metric!r} isn't supported here")
        if self.weights not in ("uniform", "distance"):
            raise NotImplementedError(f"{type(self).__name__}: weights={self.weights!r} isn't supported here")
        self._fit_X, self.n_features_in_, self.n_samples_fit_ = np.asarray(X, dtype=float), X.shape[1], X.shape[0]
        self.effective_metric_ = "euclidean" if self.metric == "minkowski" and self.p == 2 else self.metric

    def kneighbors(self, X=None, n_neighbors=None, return_distance=True):
        self._need_fit()
        own = X is None
        X = self._fit_X if own else _table(X)
        self._need_width(X)
        count = self.n_neighbors if n_neighbors is None else n_neighbors
        if count + own > self.n_samples_fit_:
            raise ValueError(f"Expected n_neighbors {'<' if own else '<='} n_samples_fit, but n_neighbors = {count}, n_samples_fit = "
                             f"{self.n_samples_fit_}, n_samples = {len(X)}")
        power = {"euclidean": 2, "manhattan": 1}.get(self.metric, self.p)
        X = np.asarray(X, dtype=float)
        places, away = nearest(self, X, count + own, power)
        away = np.sqrt(away) if power == 2 else away if power == 1 else away ** (1 / power)
        if own:
            # Without the sample itself, or without the first of its duplicates.
            kept = places != np.arange(len(X))[:, None]
            kept[kept.all(axis=1), 0] = False
            places, away = places[kept].reshape(len(X), count), away[kept].reshape(len(X), count)
        return (away, places) if return_distance else places

    def _weights(self, away):
        if self.weights == "uniform":
            return np.ones(away.shape)
        same = away == 0
        with np.errstate(all="ignore"):
            made = 1.0 / away
        # A neighbor at the very place counts alone.
        return np.where(same.any(axis=1)[:, None], same.astype(float), made)


class NearestNeighbors(_Neighbors):
    """The neighbors themselves."""

    def __init__(self, *, n_neighbors=5, radius=1.0, algorithm="auto", leaf_size=30, metric="minkowski", p=2, metric_params=None,
                 n_jobs=None):
        super().__init__(n_neighbors, algorithm=algorithm, leaf_size=leaf_size, p=p, metric=metric, metric_params=metric_params,
                         n_jobs=n_jobs)
        self.radius = radius

    @classmethod
    def _names(cls):
        return [*(name for name in _Neighbors._names() if name != "weights"), "radius"]

    def fit(self, X, y=None):
        self._keep(_table(X))
        return self

    def radius_neighbors(self, X=None, radius=None, return_distance=True, sort_results=False):
        self._need_fit()
        away, places = self.kneighbors(X, self.n_samples_fit_ - (X is None))
        reach = self.radius if radius is None else radius
        near = away <= reach
        if {"euclidean": 2, "manhattan": 1}.get(self.metric, self.p) == 2:
            # scikit-learn compares squared distances, which decide at exactly this radius.
            rows = self._fit_X if X is None else _table(X)
            near = np.stack([((self._fit_X[p] - row) ** 2).sum(-1) <= reach * reach for row, p in zip(rows, places)])
        found = []
        for of, kept in zip((away, places), (near, near)):
            column = np.empty(len(of), dtype=object)
            for i in range(len(of)):
                # Without `sort_results` they come in the order of the samples.
                part = of[i][kept[i]]
                column[i] = part if sort_results else part[np.argsort(places[i][kept[i]])]
            found.append(column)
        return tuple(found) if return_distance else found[1]


class KNeighborsClassifier(_Neighbors):
    """The class of most neighbors."""

    _fitted = "classes_"

    def fit(self, X, y):
        X, y = _table(X), np.asarray(y)
        check_consistent_length(X, y)
        self._keep(X)
        self.classes_, self._y = np.unique(y, return_inverse=True)
        return self

    def predict_proba(self, X):
        away, places = self.kneighbors(X)
        weights, labels = self._weights(away), self._y[places]
        made = np.stack([(weights * (labels == k)).sum(axis=1) for k in range(len(self.classes_))], axis=1)
        return made / made.sum(axis=1)[:, None]

    def predict(self, X):
        self._need_fit()
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def score(self, X, y):
        return accuracy_score(y, self.predict(X))


class KNeighborsRegressor(_Neighbors):
    """The mean of the neighbors."""

    def fit(self, X, y):
        X, y = _table(X), np.asarray(y)
        check_consistent_length(X, y)
        self._keep(X)
        self._y = y
        return self

    def predict(self, X):
        away, places = self.kneighbors(X)
        weights = self._weights(away)
        if self._y.ndim == 2:
            weights = weights[:, :, None]
        return (self._y[places] * weights).sum(axis=1) / weights.sum(axis=1)

    def score(self, X, y):
        return r2_score(y, self.predict(X))


_LATER = ("RadiusNeighborsClassifier", "RadiusNeighborsRegressor", "NearestCentroid", "LocalOutlierFactor", "KernelDensity", "KDTree", "BallTree")
# What `from … import *` brings, with what is loaded later.
__all__ = ["KNeighborsClassifier", "KNeighborsRegressor", "NearestNeighbors", *_LATER]


def __getattr__(name):
    if name in _LATER:
        from . import _near

        return getattr(_near, name)
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.neighbors.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.neighbors' has no attribute '{name}'")
