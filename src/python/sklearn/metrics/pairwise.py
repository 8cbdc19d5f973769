"""Distances and similarities of all pairs of rows; `sklearn.metrics.pairwise`."""

import numpy as np

from ..utils import _table


def _both(X, Y):
    X = _table(np.asarray(X))
    return X, X if Y is None else _table(np.asarray(Y), "Y")


def euclidean_distances(X, Y=None, *, squared=False):
    same, (X, Y) = Y is None, _both(X, Y)
    apart = np.maximum((X * X).sum(axis=1)[:, None] - 2 * X @ Y.T + (Y * Y).sum(axis=1)[None], 0.0)
    if same:
        np.fill_diagonal(apart, 0.0)
    return apart if squared else np.sqrt(apart)


def manhattan_distances(X, Y=None):
    X, Y = _both(X, Y)
    return np.abs(X[:, None] - Y[None]).sum(axis=-1)


def _unit(X):
    size = np.sqrt((X * X).sum(axis=1))
    return X / np.where(size == 0, 1.0, size)[:, None]


def cosine_similarity(X, Y=None, dense_output=True):
    X, Y = _both(X, Y)
    return _unit(X) @ _unit(Y).T


def cosine_distances(X, Y=None):
    same = Y is None
    apart = np.clip(1 - cosine_similarity(X, Y), 0, 2)
    if same:
        np.fill_diagonal(apart, 0.0)
    return apart


def linear_kernel(X, Y=None, dense_output=True):
    X, Y = _both(X, Y)
    return X @ Y.T


def polynomial_kernel(X, Y=None, degree=3, gamma=None, coef0=1):
    X, Y = _both(X, Y)
    return (X @ Y.T * (1.0 / X.shape[1] if gamma is None else gamma) + coef0) ** degree


def rbf_kernel(X, Y=None, gamma=None):
    return np.exp(-(1.0 / np.asarray(X).shape[1] if gamma is None else gamma) * euclidean_distances(X, Y, squared=True))


def pairwise_distances(X, Y=None, metric="euclidean", *, n_jobs=None, ensure_all_finite=True, **options):
    known = {"euclidean": euclidean_distances, "l2": euclidean_distances, "manhattan": manhattan_distances, "l1": manhattan_distances,
             "cityblock": manhattan_distances, "cosine": cosine_distances}
    if metric == "precomputed":
        return np.asarray(X)
    if metric == "sqeuclidean":
        return euclidean_distances(X, Y, squared=True)
    if callable(metric):
        X, Y = _both(X, Y)
        return np.array([[metric(x, y, **options) for y in Y] for x in X])
    if metric not in known:
        raise NotImplementedError(f"sklearn.metrics.pairwise_distances(metric={metric!r}) isn't supported here")
    return known[metric](X, Y)
