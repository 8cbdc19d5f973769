"""Neighbors within a radius, middles of classes, densities and outliers."""

import math
import warnings

import numpy as np

from .base import BaseEstimator, ClassifierMixin, RegressorMixin
from .metrics.pairwise import pairwise_distances
from .neighbors import NearestNeighbors, _Neighbors
from .utils import _table, check_consistent_length


class _Radius(_Neighbors):
    def __init__(self, radius=1.0, *, weights="uniform", algorithm="auto", leaf_size=30, p=2, metric="minkowski", metric_params=None,
                 n_jobs=None):
        super().__init__(5, weights=weights, algorithm=algorithm, leaf_size=leaf_size, p=p, metric=metric, metric_params=metric_params,
                         n_jobs=n_jobs)
        self.radius = radius

    radius_neighbors = NearestNeighbors.radius_neighbors

    def get_params(self, deep=True):
        made = super().get_params(deep)
        made.pop("n_neighbors", None)
        return made


class RadiusNeighborsClassifier(ClassifierMixin, _Radius):
    """The class of most neighbors within a radius."""

    def __init__(self, radius=1.0, *, weights="uniform", algorithm="auto", leaf_size=30, p=2, metric="minkowski", outlier_label=None,
                 metric_params=None, n_jobs=None):
        super().__init__(radius, weights=weights, algorithm=algorithm, leaf_size=leaf_size, p=p, metric=metric, metric_params=metric_params,
                         n_jobs=n_jobs)
        self.outlier_label = outlier_label

    def fit(self, X, y):
        X, y = _table(X), np.asarray(y)
        check_consistent_length(X, y)
        if self.outlier_label is not None:
            raise NotImplementedError("RadiusNeighborsClassifier: outlier_label isn't supported here")
        self._keep(X)
        self.classes_, self._y = np.unique(y, return_inverse=True)
        return self

    def predict_proba(self, X):
        away, places = self.radius_neighbors(X)
        alone = [i for i, p in enumerate(places) if not len(p)]
        if alone:
            raise ValueError(f"No neighbors found for test samples {np.array(alone)!r}, you can try using larger radius, giving a label for "
                             "outliers, or considering removing them from your dataset.")
        made = np.zeros((len(places), len(self.classes_)))
        for i, (d, p) in enumerate(zip(away, places)):
            made[i] = np.bincount(self._y[p], weights=self._weights(d[None])[0], minlength=len(self.classes_))
        return made / made.sum(axis=1)[:, None]

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class RadiusNeighborsRegressor(RegressorMixin, _Radius):
    """The mean of the neighbors within a radius."""

    def fit(self, X, y):
        X, y = _table(X), np.asarray(y, dtype=float)
        check_consistent_length(X, y)
        self._keep(X)
        self._y = y
        return self

    def predict(self, X):
        away, places = self.radius_neighbors(X)
        if any(not len(p) for p in places):
            warnings.warn("One or more samples have no neighbors within specified radius; predicting NaN.", UserWarning, stacklevel=3)
        return np.array([np.average(self._y[p], weights=self._weights(d[None])[0]) if len(p) else np.nan for d, p in zip(away, places)])


class NearestCentroid(ClassifierMixin, BaseEstimator):
    """The class whose middle is nearest."""

    _fitted = "centroids_"

    def __init__(self, metric="euclidean", *, shrink_threshold=None, priors="uniform"):
        self.metric, self.shrink_threshold, self.priors = metric, shrink_threshold, priors

    def fit(self, X, y):
        if self.shrink_threshold is not None or not isinstance(self.priors, str) or self.priors != "uniform":
            raise NotImplementedError("NearestCentroid: shrink_threshold and priors aren't supported here")
        X, y = _table(X), np.asarray(y)
        check_consistent_length(X, y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError(f"The number of classes has to be greater than one; got {len(self.classes_)} class")
        middle = np.median if self.metric == "manhattan" else np.mean
        self.centroids_ = np.stack([middle(X[y == k], axis=0) for k in self.classes_])
        self.class_prior_ = np.full(len(self.classes_), 1 / len(self.classes_))
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        X = self._read(X)
        return self.classes_[pairwise_distances(X, self.centroids_, metric=self.metric).argmin(axis=1)]


class LocalOutlierFactor(_Neighbors):
    """Outliers: samples in emptier places than their neighbors are."""

    def __init__(self, n_neighbors=20, *, algorithm="auto", leaf_size=30, metric="minkowski", p=2, metric_params=None, contamination="auto",
                 novelty=False, n_jobs=None):
        super().__init__(n_neighbors, algorithm=algorithm, leaf_size=leaf_size, p=p, metric=metric, metric_params=metric_params, n_jobs=n_jobs)
        self.contamination, self.novelty = contamination, novelty

    def get_params(self, deep=True):
        made = super().get_params(deep)
        made.pop("weights", None)
        return made

    def fit(self, X, y=None):
        X = _table(X)
        self._keep(X)
        if self.n_neighbors > len(X):
            warnings.warn(f"n_neighbors ({self.n_neighbors}) is greater than the total number of samples ({len(X)}). n_neighbors will be set to "
                          "(n_samples - 1) for estimation.", UserWarning, stacklevel=3)
        self.n_neighbors_ = max(1, min(self.n_neighbors, len(X) - 1))
        away, places = self.kneighbors(None, self.n_neighbors_)
        self._reach = away[:, -1]
        self._lrd = self._density(away, places)
        self.negative_outlier_factor_ = -(self._lrd[places] / self._lrd[:, None]).mean(axis=1)
        self.offset_ = -1.5 if self.contamination == "auto" else np.percentile(self.negative_outlier_factor_, 100.0 * self.contamination)
        return self

    def _density(self, away, places):
        return 1.0 / (np.maximum(away, self._reach[places]).mean(axis=1) + 1e-10)

    def fit_predict(self, X, y=None):
        if self.novelty:
            raise AttributeError("This 'LocalOutlierFactor' has no attribute 'fit_predict'")
        self.fit(X)
        return np.where(self.negative_outlier_factor_ < self.offset_, -1, 1)

    def score_samples(self, X):
        if not self.novelty:
            raise AttributeError("This 'LocalOutlierFactor' has no attribute 'score_samples'")
        self._need_fit()
        away, places = self.kneighbors(X, self.n_neighbors_)
        return -(self._lrd[places] / self._density(away, places)[:, None]).mean(axis=1)

    def decision_function(self, X):
        return self.score_samples(X) - self.offset_

    def predict(self, X):
        if not self.novelty:
            raise AttributeError("This 'LocalOutlierFactor' has no attribute 'predict'")
        return np.where(self.decision_function(X) < 0, -1, 1)


class KernelDensity(BaseEstimator):
    """A density: the mean of a bell around each sample."""

    _fitted = "bandwidth_"

    def __init__(self, *, bandwidth=1.0, algorithm="auto", kernel="gaussian", metric="euclidean", atol=0, rtol=0, breadth_first=True, leaf_size=40,
                 metric_params=None):
        self.bandwidth, self.algorithm, self.kernel, self.metric, self.atol, self.rtol = bandwidth, algorithm, kernel, metric, atol, rtol
        self.breadth_first, self.leaf_size, self.metric_params = breadth_first, leaf_size, metric_params

    def fit(self, X, y=None, sample_weight=None):
        if sample_weight is not None or self.kernel not in ("gaussian", "tophat", "epanechnikov", "linear", "exponential"):
            raise NotImplementedError("KernelDensity: sample_weight and the cosine kernel aren't supported here")
        self._X = X = _table(X)
        count, width = X.shape
        self.n_features_in_ = width
        self.bandwidth_ = {"scott": count ** (-1 / (width + 4)), "silverman": (count * (width + 2) / 4) ** (-1 / (width + 4))}[self.bandwidth] \
            if isinstance(self.bandwidth, str) else self.bandwidth
        return self

    def score_samples(self, X):
        X = self._read(X)
        h, n = self.bandwidth_, X.shape[1]
        away = pairwise_distances(X, self._X, metric=self.metric) / h
        ball = n / 2 * math.log(math.pi) - math.lgamma(n / 2 + 1)
        with np.errstate(all="ignore"):
            if self.kernel == "gaussian":
                logs, factor = -0.5 * away ** 2, 0.5 * n * math.log(2 * math.pi)
            elif self.kernel == "tophat":
                logs, factor = np.where(away < 1, 0.0, -np.inf), ball
            elif self.kernel == "epanechnikov":
                logs, factor = np.where(away < 1, np.log(1 - away ** 2), -np.inf), ball + math.log(2 / (n + 2))
            elif self.kernel == "exponential":
                logs, factor = -away, ball + math.log(n) + math.lgamma(n)
            else:
                logs, factor = np.where(away < 1, np.log(1 - away), -np.inf), ball - math.log(n + 1)
            top = logs.max(axis=1)
            total = np.where(np.isfinite(top), np.log(np.exp(logs - np.where(np.isfinite(top), top, 0.0)[:, None]).sum(axis=1)) + top, -np.inf)
        return total - factor - n * math.log(h) - math.log(len(self._X))

    def score(self, X, y=None):
        return float(self.score_samples(X).sum())


class _BruteTree:
    """Every distance is computed; the answers are those of a tree."""

    def __init__(self, X, leaf_size=40, metric="minkowski", **options):
        if options.keys() - {"p"}:
            raise NotImplementedError(f"{type(self).__name__}({', '.join(options)}=)")
        self.data = _table(X)
        self._near = NearestNeighbors(metric=metric, **options).fit(self.data)

    def query(self, X, k=1, return_distance=True, dualtree=False, breadth_first=False, sort_results=True):
        return self._near.kneighbors(X, k, return_distance)

    def query_radius(self, X, r, return_distance=False, count_only=False, sort_results=False):
        away, places = self._near.radius_neighbors(X, r)
        return np.array([len(p) for p in places]) if count_only else (places, away) if return_distance else places


class KDTree(_BruteTree):
    pass


class BallTree(_BruteTree):
    pass
