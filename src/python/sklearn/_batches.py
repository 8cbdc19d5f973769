"""Means of clusters from small batches of samples."""

import warnings

import numpy as np

from .cluster import KMeans, _squares
from .utils import _table, check_random_state


class MiniBatchKMeans(KMeans):
    """Each batch moves the centers towards its samples. The batches are those that scikit-learn draws."""

    def __init__(self, n_clusters=8, *, init="k-means++", max_iter=100, batch_size=1024, verbose=0, compute_labels=True, random_state=None, tol=0.0,
                 max_no_improvement=10, init_size=None, n_init="auto", reassignment_ratio=0.01):
        self.n_clusters, self.init, self.max_iter, self.batch_size, self.verbose = n_clusters, init, max_iter, batch_size, verbose
        self.compute_labels, self.random_state, self.tol, self.max_no_improvement = compute_labels, random_state, tol, max_no_improvement
        self.init_size, self.n_init, self.reassignment_ratio = init_size, n_init, reassignment_ratio

    def _sizes(self, X):
        if len(X) < self.n_clusters:
            raise ValueError(f"n_samples={len(X)} should be >= n_clusters={self.n_clusters}.")
        if self.verbose:
            raise NotImplementedError("MiniBatchKMeans: verbose isn't supported here")
        self._batch, first = min(self.batch_size, len(X)), self.init_size
        if first is None:
            first = 3 * self._batch if 3 * self._batch >= self.n_clusters else 3 * self.n_clusters
        elif first < self.n_clusters:
            warnings.warn(f"init_size={first} should be larger than n_clusters={self.n_clusters}. Setting it to min(3*n_clusters, n_samples)",
                          RuntimeWarning, stacklevel=4)
            first = 3 * self.n_clusters
        self._part = min(first, len(X))
        self._counts, self._waited, self._level = np.zeros(self.n_clusters), 0, 0.0

    def _start(self, X, random):
        part = X[random.randint(0, len(X), self._part)] if self._part < len(X) else X
        return np.array(self._first(part, random))

    def _move(self, X, centers, random):
        self._waited += self._batch
        again = bool((self._counts == 0).any()) or self._waited >= 10 * self.n_clusters
        if again:
            self._waited = 0
        labels = _squares(X, centers).argmin(axis=1)
        off, made = float(((X - centers[labels]) ** 2).sum()), np.array(centers)
        for k in range(self.n_clusters):
            mine = X[labels == k]
            if len(mine):
                made[k] = (centers[k] * self._counts[k] + mine.sum(axis=0)) / (self._counts[k] + len(mine))
                self._counts[k] += len(mine)
        if again and self.reassignment_ratio > 0:
            # Centers that few samples belong to go elsewhere, at most half as many as there are samples.
            few = self._counts < self.reassignment_ratio * self._counts.max()
            if few.sum() > 0.5 * len(X):
                few[np.argsort(self._counts)[int(0.5 * len(X)):]] = False
            if few.any():
                made[few] = X[random.choice(len(X), replace=False, size=int(few.sum()))]
                self._counts[few] = self._counts[~few].min()
        return made, off

    def fit(self, X, y=None, sample_weight=None):
        if sample_weight is not None:
            raise NotImplementedError("MiniBatchKMeans: sample_weight isn't supported here")
        X = _table(X)
        self._sizes(X)
        random, count = check_random_state(self.random_state), len(X)
        tries = self.n_init
        if not isinstance(self.init, str):
            tries = 1
        elif tries == "auto":
            tries = 3 if self.init == "random" else 1
        seen, best = X[random.randint(0, count, self._part)], None
        for _ in range(tries):
            started = self._start(X, random)
            off = float(_squares(seen, started).min(axis=1).sum())
            if best is None or off < best:
                best, centers = off, started
        mean = least = None
        still, steps, limit = 0, (self.max_iter * count) // self._batch, float(X.var(axis=0).mean()) * self.tol
        for step in range(steps):
            rows = random.choice(count, self._batch, p=np.full(count, 1 / count), replace=True)
            before = centers
            centers, off = self._move(X[rows], centers, random)
            if step == 0:
                continue
            off, share = off / self._batch, min(self._batch * 2.0 / (count + 1), 1)
            mean = off if mean is None else mean * (1 - share) + off * share
            if limit > 0 and float(((centers - before) ** 2).sum()) <= limit:
                break
            still, least = (0, mean) if least is None or mean < least else (still + 1, least)
            if self.max_no_improvement is not None and still >= self.max_no_improvement:
                break
        self.cluster_centers_, self.n_features_in_ = centers, X.shape[1]
        self.n_steps_, self.n_iter_ = step + 1, int(np.ceil((step + 1) * self._batch / count))
        if self.compute_labels:
            self._label(X)
        else:
            self.inertia_ = mean * count
        return self

    def _label(self, X):
        labels = _squares(X, self.cluster_centers_).argmin(axis=1)
        self.labels_, self.inertia_ = labels.astype(np.int32), float(((X - self.cluster_centers_[labels]) ** 2).sum())

    def partial_fit(self, X, y=None, sample_weight=None):
        if sample_weight is not None:
            raise NotImplementedError("MiniBatchKMeans: sample_weight isn't supported here")
        X = _table(X)
        if not hasattr(self, "_random"):
            self._random = check_random_state(self.random_state)
        if not hasattr(self, "cluster_centers_"):
            self._sizes(X)
            self.cluster_centers_, self.n_features_in_, self.n_steps_ = self._start(X, self._random), X.shape[1], 0
        self.cluster_centers_, _ = self._move(X, self.cluster_centers_, self._random)
        if self.compute_labels:
            self._label(X)
        self.n_steps_ += 1
        return self
