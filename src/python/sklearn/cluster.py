"""Clusters around means."""

import numpy as np

from .base import BaseEstimator, TransformerMixin
from .utils import _table, check_random_state


def _squares(X, centers):
    """Squared distances of every row from every center."""
    apart = (X * X).sum(axis=1)[:, None] - 2 * X @ centers.T + (centers * centers).sum(axis=1)[None]
    return np.maximum(apart, 0.0)


class KMeans(TransformerMixin, BaseEstimator):
    """Lloyd's algorithm; k-means++ draws its first centers as scikit-learn does."""

    _fitted = "cluster_centers_"

    def __init__(self, n_clusters=8, *, init="k-means++", n_init="auto", max_iter=300, tol=1e-4, verbose=0, random_state=None,
                 copy_x=True, algorithm="lloyd"):
        self.n_clusters, self.init, self.n_init, self.max_iter, self.tol = n_clusters, init, n_init, max_iter, tol
        self.verbose, self.random_state, self.copy_x, self.algorithm = verbose, random_state, copy_x, algorithm

    def _first(self, X, generator):
        if not isinstance(self.init, str):
            return np.array(self.init, dtype=float) - self._level
        count = len(X)
        if self.init == "random":
            return X[generator.choice(count, size=self.n_clusters, replace=False, p=np.full(count, 1 / count))]
        if self.init != "k-means++":
            raise ValueError(f"init should be either 'k-means++', 'random', an array-like or a callable, got '{self.init}' instead.")
        trials = 2 + int(np.log(self.n_clusters))
        chosen = [int(generator.choice(count, p=np.full(count, 1 / count)))]
        nearest = _squares(X, X[chosen])[:, 0]
        for _ in range(1, self.n_clusters):
            drawn = generator.uniform(size=trials) * nearest.sum()
            candidates = np.minimum(np.searchsorted(np.cumsum(nearest), drawn), count - 1)
            closer = np.minimum(nearest[:, None], _squares(X, X[candidates]))
            best = int(closer.sum(axis=0).argmin())
            nearest = closer[:, best]
            chosen.append(int(candidates[best]))
        return X[chosen]

    def _run(self, X, centers):
        limit = float(X.var(axis=0).mean()) * self.tol
        labels = np.full(len(X), -1)
        for step in range(self.max_iter):
            apart = _squares(X, centers)
            new = apart.argmin(axis=1)
            sums = np.stack([X[new == k].sum(axis=0) for k in range(self.n_clusters)])
            sizes = np.bincount(new, minlength=self.n_clusters)
            empty = np.nonzero(sizes == 0)[0]
            if len(empty):
                # A cluster that lost all its rows gets the row that is farthest from its own center.
                far = np.argsort(-apart[np.arange(len(X)), new])[:len(empty)]
                for k, row in zip(empty.tolist(), far.tolist()):
                    sums[new[row]] -= X[row]
                    sizes[new[row]] -= 1
                    sums[k], sizes[k] = X[row], 1
            moved = sums / sizes[:, None]
            change = float(((moved - centers) ** 2).sum())
            centers = moved
            if (new == labels).all():
                break
            labels = new
            if change <= limit:
                labels = _squares(X, centers).argmin(axis=1)
                break
        else:
            labels = _squares(X, centers).argmin(axis=1)
        inertia = float(((X - centers[labels]) ** 2).sum())
        return labels, inertia, centers, step + 1

    def fit(self, X, y=None, sample_weight=None):
        if sample_weight is not None:
            raise NotImplementedError("KMeans: sample_weight isn't supported here")
        X = _table(X)
        if len(X) < self.n_clusters:
            raise ValueError(f"n_samples={len(X)} should be >= n_clusters={self.n_clusters}.")
        generator = check_random_state(self.random_state)
        tries = self.n_init
        if tries == "auto":
            tries = 10 if isinstance(self.init, str) and self.init == "random" else 1
        if not isinstance(self.init, str):
            tries = 1
        self._level = X.mean(axis=0)
        around, best = X - self._level, None
        for _ in range(tries):
            found = self._run(around, self._first(around, generator))
            if best is None or found[1] < best[1]:
                best = found
        self.labels_, self.inertia_, self.cluster_centers_, self.n_iter_ = best[0], best[1], best[2] + self._level, best[3]
        self.labels_ = self.labels_.astype(np.int32)
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        X = self._read(X)
        return _squares(X, self.cluster_centers_).argmin(axis=1).astype(np.int32)

    def fit_predict(self, X, y=None):
        return self.fit(X).labels_

    def transform(self, X):
        self._need_fit()
        return np.sqrt(_squares(_table(X), self.cluster_centers_))

    def score(self, X, y=None):
        return -float(_squares(_table(X), self.cluster_centers_).min(axis=1).sum())


class DBSCAN(BaseEstimator):
    """Crowded places, and what can be reached from them."""

    def __init__(self, eps=0.5, *, min_samples=5, metric="euclidean", metric_params=None, algorithm="auto", leaf_size=30, p=None,
                 n_jobs=None):
        self.eps, self.min_samples, self.metric, self.metric_params, self.algorithm = eps, min_samples, metric, metric_params, algorithm
        self.leaf_size, self.p, self.n_jobs = leaf_size, p, n_jobs

    def fit(self, X, y=None, sample_weight=None):
        from .metrics.pairwise import pairwise_distances

        X = _table(X)
        near = (X if self.metric == "precomputed" else pairwise_distances(X, metric=self.metric)) <= self.eps
        mass = near.sum(axis=1) if sample_weight is None else near @ np.asarray(sample_weight, dtype=float)
        core, labels = mass >= self.min_samples, np.full(len(X), -1)
        places = [np.flatnonzero(row).tolist() for row in near]
        found = labels.tolist()
        count = 0
        for i, dense in enumerate(core.tolist()):
            if not dense or found[i] != -1:
                continue
            waiting = [i]
            while waiting:
                at = waiting.pop()
                if found[at] == -1:
                    found[at] = count
                    if core[at]:
                        waiting += [j for j in places[at] if found[j] == -1]
            count += 1
        self.labels_, self.core_sample_indices_ = np.array(found), np.flatnonzero(core)
        self.components_, self.n_features_in_ = X[self.core_sample_indices_], X.shape[1]
        return self

    def fit_predict(self, X, y=None, sample_weight=None):
        return self.fit(X, y, sample_weight).labels_


class AgglomerativeClustering(BaseEstimator):
    """The two nearest clusters become one, again and again."""

    def __init__(self, n_clusters=2, *, metric="euclidean", memory=None, connectivity=None, compute_full_tree="auto", linkage="ward",
                 distance_threshold=None, compute_distances=False):
        self.n_clusters, self.metric, self.memory, self.connectivity = n_clusters, metric, memory, connectivity
        self.compute_full_tree, self.linkage = compute_full_tree, linkage
        self.distance_threshold, self.compute_distances = distance_threshold, compute_distances

    def fit(self, X, y=None):
        from .metrics.pairwise import pairwise_distances

        if self.connectivity is not None:
            raise NotImplementedError("AgglomerativeClustering: connectivity isn't supported here")
        if (self.n_clusters is None) == (self.distance_threshold is None):
            raise ValueError("Exactly one of n_clusters and distance_threshold has to be set, and the other needs to be None.")
        if self.linkage == "ward" and self.metric != "euclidean":
            raise ValueError(f"{self.metric} was provided as metric. Ward can only work with euclidean distances.")
        X = _table(X)
        apart = np.array(X if self.metric == "precomputed" else pairwise_distances(X, metric=self.metric), dtype=float)
        count = len(apart)
        apart[np.arange(count), np.arange(count)] = np.inf
        sizes, names, steps = np.ones(count), list(range(count)), []
        for _ in range(count - 1):
            i, j = sorted(divmod(int(apart.argmin()), count))
            away, a, b = float(apart[i, j]), sizes[i], sizes[j]
            if self.linkage == "ward":
                with np.errstate(all="ignore"):
                    row = np.sqrt(((a + sizes) * apart[i] ** 2 + (b + sizes) * apart[j] ** 2 - sizes * away ** 2) / (a + b + sizes))
            elif self.linkage in ("complete", "single"):
                row = (np.maximum if self.linkage == "complete" else np.minimum)(apart[i], apart[j])
            else:
                row = (a * apart[i] + b * apart[j]) / (a + b)
            gone = np.isinf(apart[i]) | np.isinf(apart[j])
            row = np.where(gone, np.inf, row)
            apart[i], apart[:, i] = row, row
            apart[j], apart[:, j] = np.inf, np.inf
            apart[i, i] = np.inf
            steps.append((away, min(names[i], names[j]), max(names[i], names[j])))
            names[i], sizes[i] = count + len(steps) - 1, a + b
        self.children_ = np.array([step[1:] for step in steps]).reshape(-1, 2)
        self.n_leaves_, self.n_connected_components_, self.n_features_in_ = count, 1, X.shape[1]
        distances = np.array([step[0] for step in steps])
        if self.compute_distances or self.distance_threshold is not None:
            self.distances_ = distances
        self.n_clusters_ = self.n_clusters if self.n_clusters is not None else int((distances >= self.distance_threshold).sum()) + 1
        self.labels_ = self._cut()
        return self

    def _cut(self):
        import heapq

        # The newest nodes are divided first.
        nodes = [-(count := self.n_leaves_) - len(self.children_) + 1]
        for _ in range(self.n_clusters_ - 1):
            left, right = self.children_[-nodes[0] - count].tolist()
            heapq.heappush(nodes, -left)
            heapq.heappushpop(nodes, -right)
        labels = np.zeros(count, dtype=np.int64)
        for label, node in enumerate(nodes):
            waiting = [-node]
            while waiting:
                at = waiting.pop()
                if at < count:
                    labels[at] = label
                else:
                    waiting += self.children_[at - count].tolist()
        return labels

    def fit_predict(self, X, y=None):
        return self.fit(X, y).labels_


_LATER = ("MeanShift", "MiniBatchKMeans", "SpectralClustering", "estimate_bandwidth")
# What `from … import *` brings, with what is loaded later.
__all__ = ["AgglomerativeClustering", "DBSCAN", "KMeans", *_LATER]


def __getattr__(name):
    if name == "MiniBatchKMeans":
        from ._batches import MiniBatchKMeans

        return MiniBatchKMeans
    if name == "SpectralClustering":
        from ._spectral import SpectralClustering

        return SpectralClustering
    if name in ("MeanShift", "estimate_bandwidth"):
        from . import _shifts

        return getattr(_shifts, name)
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.cluster.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.cluster' has no attribute '{name}'")
