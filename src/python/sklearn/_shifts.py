"""Clusters around the places where samples are densest."""

import warnings

import numpy as np

from .base import BaseEstimator
from .cluster import _squares
from .utils import _table, check_random_state


def _apart(X, Y):
    """Distances, without the rounding that products of large numbers leave."""
    return np.sqrt(sum((X[:, i][:, None] - Y[:, i][None]) ** 2 for i in range(X.shape[1])))


def estimate_bandwidth(X, *, quantile=0.3, n_samples=None, random_state=0, n_jobs=None):
    """The mean distance to the sample that closes a share of all samples in."""
    X, random = _table(X), check_random_state(random_state)
    if n_samples is not None:
        X = X[random.permutation(len(X))[:n_samples]]
    near = max(int(len(X) * quantile), 1)
    return np.float64(np.sort(_apart(X, X), axis=1)[:, near - 1].sum() / len(X))


def _bins(X, size, least):
    if size == 0:
        return X
    counts = {}
    for row in np.round(X / size).tolist():
        counts[tuple(row)] = counts.get(tuple(row), 0) + 1
    seeds = np.array([row for row, count in counts.items() if count >= least], dtype=float).reshape((-1, X.shape[1]))
    if len(seeds) == len(X):
        warnings.warn(f"Binning data failed with provided bin_size={size:f}, using data points as seeds.", UserWarning, stacklevel=4)
        return X
    return seeds * size


class MeanShift(BaseEstimator):
    """Each seed moves to the mean of the samples around it, until it stays."""

    _fitted = "cluster_centers_"

    def __init__(self, *, bandwidth=None, seeds=None, bin_seeding=False, min_bin_freq=1, cluster_all=True, n_jobs=None, max_iter=300):
        self.bandwidth, self.seeds, self.bin_seeding, self.min_bin_freq = bandwidth, seeds, bin_seeding, min_bin_freq
        self.cluster_all, self.n_jobs, self.max_iter = cluster_all, n_jobs, max_iter

    def _climb(self, seed, X, reach):
        for step in range(self.max_iter + 1):
            around = X[np.sqrt(((X - seed) ** 2).sum(axis=1)) <= reach]
            if not len(around):
                break
            before, seed = seed, around.mean(axis=0)
            if float(np.linalg.norm(seed - before)) <= 1e-3 * reach:
                break
        return tuple(seed.tolist()), len(around), step

    def fit(self, X, y=None):
        X = _table(X)
        reach = float(estimate_bandwidth(X) if self.bandwidth is None else self.bandwidth)
        seeds = _bins(X, reach, self.min_bin_freq) if self.seeds is None and self.bin_seeding else X if self.seeds is None else _table(self.seeds)
        found = [self._climb(seed, X, reach) for seed in seeds]
        tops = {place: count for place, count, _ in found if count}
        self.n_iter_ = max(step for *_, step in found)
        if not tops:
            raise ValueError(f"No point was within bandwidth={reach:f} of any seed. Try a different seeding strategy                              or "
                             "increase the bandwidth.")
        centers = np.array([place for place, _ in sorted(tops.items(), key=lambda item: (item[1], item[0]), reverse=True)])
        near, kept = _apart(centers, centers) <= reach, np.ones(len(centers), dtype=bool)
        for i in range(len(centers)):
            if kept[i]:
                kept = kept & ~near[i]
                kept[i] = True
        self.cluster_centers_, self.n_features_in_ = centers[kept], X.shape[1]
        away = _apart(X, self.cluster_centers_)
        self.labels_ = away.argmin(axis=1)
        if not self.cluster_all:
            self.labels_ = np.where(away.min(axis=1) <= reach, self.labels_, -1)
        return self

    def predict(self, X):
        X = self._read(X)
        return _squares(X, self.cluster_centers_).argmin(axis=1)

    def fit_predict(self, X, y=None):
        return self.fit(X).labels_
