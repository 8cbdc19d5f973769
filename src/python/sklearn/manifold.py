"""Maps of many dimensions: t-SNE, and how far a map can be trusted."""

import math
import time

import numpy as np

from .base import BaseEstimator, TransformerMixin
from .decomposition import PCA
from .metrics.pairwise import pairwise_distances
from .tree import missing
from .utils import _table, check_random_state

MDS, Isomap, LocallyLinearEmbedding, SpectralEmbedding = (
    missing("manifold", name, "this map isn't part of this sklearn; manifold.TSNE and decomposition.PCA are")
    for name in ("MDS", "Isomap", "LocallyLinearEmbedding", "SpectralEmbedding"))
__all__ = ["Isomap", "LocallyLinearEmbedding", "MDS", "SpectralEmbedding", "TSNE", "trustworthiness"]

_LEAST = float(np.finfo(np.float64).eps)


def trustworthiness(X, X_embedded, *, n_neighbors=5, metric="euclidean"):
    """How far the neighbors in a map are neighbors in the data too: 1 if all are, 0 if none is."""
    count = len(X)
    if n_neighbors >= count / 2:
        raise ValueError(f"n_neighbors ({n_neighbors}) should be less than n_samples / 2 ({count / 2})")
    ranks = np.empty((count, count), dtype=np.int64)
    order = _others(np.array(pairwise_distances(X, metric=metric), dtype=float))
    rows = np.arange(count)[:, None]
    ranks[rows, order] = np.arange(1, count + 1)
    near = _others(pairwise_distances(X_embedded))[:, :n_neighbors]
    late = ranks[rows, near] - n_neighbors
    return 1.0 - late[late > 0].sum() * (2.0 / (count * n_neighbors * (2.0 * count - 3.0 * n_neighbors - 1.0)))


def _others(apart):
    """The samples in the order of their distances from each sample, which comes last itself."""
    np.fill_diagonal(apart, np.inf)
    return apart.argsort(axis=1, kind="stable")


def _chances(squares, perplexity, itself):
    """For each row the chances of its neighbors: a bell whose width gives them the entropy of `perplexity` equal ones.

    `squares`: squared distances, a row for each sample; `itself`: whether column i is sample i, which has no chance in row i.
    Returns the chances and the precision of each bell.
    """
    squares = squares.astype(np.float32).astype(np.float64)
    rows = np.arange(len(squares))
    wanted = math.log(float(np.float32(perplexity)))
    low, high, beta = np.full(len(squares), -np.inf), np.full(len(squares), np.inf), np.ones(len(squares))
    made = np.zeros(squares.shape)
    for _ in range(100):
        there = squares[rows]
        part = np.exp(-there * beta[rows][:, None])
        if itself:
            part[np.arange(len(rows)), rows] = 0.0
        total = part.sum(axis=1)
        total[total == 0] = float(np.float32(1e-8))
        part /= total[:, None]
        made[rows] = part
        over = np.log(total) + beta[rows] * (there * part).sum(axis=1) - wanted
        # Rows whose entropy is near enough are done.
        kept = np.abs(over) > float(np.float32(1e-5))
        rows, over = rows[kept], over[kept]
        if not len(rows):
            break
        now, bottom, top, wide = beta[rows], low[rows], high[rows], over > 0
        bottom, top = np.where(wide, now, bottom), np.where(wide, top, now)
        low[rows], high[rows] = bottom, top
        with np.errstate(invalid="ignore"):
            half = (bottom + top) / 2.0
        beta[rows] = np.where(wide & np.isinf(top), now * 2.0, np.where(~wide & np.isinf(bottom), now / 2.0, half))
    return made, beta


class TSNE(TransformerMixin, BaseEstimator):
    """t-SNE: a map in which samples that are near each other in the data are near each other, found by gradient descent.

    The gradient is computed from all pairs, even with `method="barnes_hut"`, which means the nearest neighbors only in the data: the time
    of an iteration grows with the square of the number of samples, and `angle` changes nothing.
    """

    _fitted = "embedding_"

    _EXPLORATION_MAX_ITER, _N_ITER_CHECK = 250, 50

    def __init__(self, n_components=2, *, perplexity=30.0, early_exaggeration=12.0, learning_rate="auto", max_iter=1000,
                 n_iter_without_progress=300, min_grad_norm=1e-7, metric="euclidean", metric_params=None, init="pca", verbose=0,
                 random_state=None, method="barnes_hut", angle=0.5, n_jobs=None):
        self.n_components, self.perplexity, self.early_exaggeration = n_components, perplexity, early_exaggeration
        self.learning_rate, self.max_iter, self.n_iter_without_progress = learning_rate, max_iter, n_iter_without_progress
        self.min_grad_norm, self.metric, self.metric_params, self.init = min_grad_norm, metric, metric_params, init
        self.verbose, self.random_state, self.method, self.angle, self.n_jobs = verbose, random_state, method, angle, n_jobs

    def fit(self, X, y=None):
        self.fit_transform(X)
        return self

    def fit_transform(self, X, y=None):
        """The map: an array of n_samples × n_components."""
        given = np.shape(X)
        if given and self.perplexity >= given[0]:
            raise ValueError(f"perplexity ({self.perplexity}) must be less than n_samples ({given[0]})")
        X = _table(X)
        count = len(X)
        self.learning_rate_ = (np.maximum(count / self.early_exaggeration / 4, 50) if self.learning_rate == "auto" else self.learning_rate)
        if self.method == "barnes_hut" and count < 2:
            raise ValueError(f"Found array with {count} sample(s) (shape={X.shape}) while a minimum of 2 is required by TSNE.")
        if self.metric == "precomputed":
            if isinstance(self.init, str) and self.init == "pca":
                raise ValueError('The parameter init="pca" cannot be used with metric="precomputed".')
            if X.shape[0] != X.shape[1]:
                raise ValueError("X should be a square distance matrix")
            if (X < 0).any():
                raise ValueError("Negative values in data passed to TSNE.fit(). With metric='precomputed', X should contain positive distances.")
        if self.method == "barnes_hut" and self.n_components > 3:
            raise ValueError("'n_components' should be inferior to 4 for the barnes_hut algorithm as it relies on quad-tree or oct-tree.")
        self.n_features_in_ = X.shape[1]
        random = check_random_state(self.random_state)
        P = self._joint(X)
        if not isinstance(self.init, str):
            start = np.array(self.init)
        elif self.init == "pca":
            start = PCA(n_components=self.n_components, random_state=random).fit_transform(X).astype(np.float32)
            start = start / np.std(start[:, 0]) * 1e-4
        else:
            start = 1e-4 * random.standard_normal(size=(count, self.n_components)).astype(np.float32)
        freedom = max(self.n_components - 1, 1)
        shape = (count, self.n_components)
        place, error, last = self._descend(P * self.early_exaggeration, start.ravel(), shape, freedom, 0, self._EXPLORATION_MAX_ITER, 0.5,
                                           self._EXPLORATION_MAX_ITER)
        if self.verbose:
            print(f"[t-SNE] KL divergence after {last + 1} iterations with early exaggeration: {error:f}")
        if last < self._EXPLORATION_MAX_ITER or self.max_iter > self._EXPLORATION_MAX_ITER:
            place, error, last = self._descend(P, place, shape, freedom, last + 1, self.max_iter, 0.8, self.n_iter_without_progress)
        if self.verbose:
            print(f"[t-SNE] KL divergence after {last + 1} iterations: {error:f}")
        self.n_iter_, self.kl_divergence_ = last, float(error) if self.method == "barnes_hut" else error
        self.embedding_ = place.reshape(shape)
        return self.embedding_

    def get_feature_names_out(self, input_features=None):
        self._need_fit()
        return np.array([f"tsne{i}" for i in range(self.n_components)], dtype=object)

    def _joint(self, X):
        """How near each pair of samples is in the data: chances that add up to 1, n_samples × n_samples."""
        count, exact, begun = len(X), self.method == "exact", time.time()
        near = min(count - 1, int(3.0 * self.perplexity + 1))
        if self.verbose:
            print("[t-SNE] Computing pairwise distances..." if exact else f"[t-SNE] Computing {near} nearest neighbors...")
        if self.verbose and not exact:
            # There's no tree of samples to build: every distance is computed.
            print(f"[t-SNE] Indexed {count} samples in {time.time() - begun:.3f}s...")
        if self.metric == "euclidean":
            squares = pairwise_distances(X.astype(np.float64), metric="sqeuclidean")
        else:
            squares = np.array(pairwise_distances(X, metric=self.metric, **(self.metric_params or {})), dtype=np.float64)
            if (squares < 0).any():
                raise ValueError("All distances should be positive, the metric given is not correct")
            squares = squares ** 2
        rows = np.arange(count)[:, None]
        if not exact:
            order = _others(squares)[:, :near]
            squares = squares[rows, order]
        if self.verbose and not exact:
            print(f"[t-SNE] Computed neighbors for {count} samples in {time.time() - begun:.3f}s...")
        begun = time.time()
        found, beta = _chances(squares, self.perplexity, exact)
        if self.verbose:
            for done in range(1, count + 1):
                if done % 1000 == 0 or done == count:
                    print(f"[t-SNE] Computed conditional probabilities for sample {done} / {count}")
            print(f"[t-SNE] Mean sigma: {math.sqrt(count / beta.sum()):f}")
        if not exact:
            P = np.zeros((count, count))
            P[rows, order] = found
            P = P + P.T
            P = P / max(P.sum(), _LEAST)
            if self.verbose >= 2:
                print(f"[t-SNE] Computed conditional probabilities in {time.time() - begun:.3f}s")
            return P
        P = found + found.T
        P = np.maximum(P / max(P.sum(), _LEAST), _LEAST)
        np.fill_diagonal(P, 0.0)
        return P

    def _slope(self, P, place, freedom, measure):
        """The divergence of a map from the data, if it's to be measured, and its gradient."""
        Y = place.astype(np.float64)
        sizes, ones = (Y * Y).sum(axis=1)[:, None] / freedom, np.ones((len(Y), 1))
        # One product of matrices gives 1 + squared distance / freedom.
        near = np.concatenate([Y * (-2.0 / freedom), sizes, ones], axis=1) @ np.concatenate([Y, ones, sizes + 1.0], axis=1).T
        near = 1.0 / near if freedom == 1 else near ** ((freedom + 1.0) / -2.0)
        total = float((near @ ones).sum()) - len(Y)
        pull, push, moved = P * near, near * near, np.concatenate([Y, ones], axis=1)
        force = pull @ moved - (push @ moved) / total
        slope = (force[:, -1:] * Y - force[:, :-1]) * (2.0 * (freedom + 1.0) / freedom)
        if not measure:
            return np.nan, slope
        there = P > 0
        wanted = P[there]
        return (wanted * np.log(wanted / np.maximum(near[there] / total, _LEAST))).sum(), slope

    def _descend(self, P, start, shape, freedom, first, most, momentum, patience):
        """Gradient descent with momentum and a gain for each number; the place, its divergence and the last iteration."""
        place = start.copy()
        kind = np.dtype(np.float32) if self.method == "barnes_hut" else place.dtype
        update, gains = np.zeros_like(place), np.ones_like(place)
        error = best = float(np.finfo(float).max)
        best_at = at = first
        begun = time.time()
        for at in range(first, most):
            check = (at + 1) % self._N_ITER_CHECK == 0
            error, slope = self._slope(P, place.reshape(shape), freedom, check or at == most - 1)
            slope = slope.ravel().astype(kind)
            gains = np.maximum(np.where(update * slope < 0.0, gains + 0.2, gains * 0.8), 0.01).astype(gains.dtype)
            slope = slope * gains
            update = momentum * update - self.learning_rate_ * slope
            place = (place + update).astype(place.dtype)
            if not check:
                continue
            steep = float(np.linalg.norm(slope))
            if self.verbose >= 2:
                print(f"[t-SNE] Iteration {at + 1}: error = {error:.7f}, gradient norm = {steep:.7f} ({self._N_ITER_CHECK} iterations in "
                      f"{time.time() - begun:0.3f}s)")
                begun = time.time()
            if error < best:
                best, best_at = error, at
            elif at - best_at > patience:
                if self.verbose >= 2:
                    print(f"[t-SNE] Iteration {at + 1}: did not make any progress during the last {patience} episodes. Finished.")
                break
            if steep <= self.min_grad_norm:
                if self.verbose >= 2:
                    print(f"[t-SNE] Iteration {at + 1}: gradient norm {steep:f}. Finished.")
                break
        return place, error, at
