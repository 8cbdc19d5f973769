"""Distances between points, and between all points of two sets."""

import numpy as np
from scipy import lacking


def _vector(u):
    u = np.atleast_1d(np.asarray(u))
    if u.ndim > 1:
        raise ValueError("Input vector should be 1-D.")
    return u if u.dtype.kind in "fc" else u.astype(np.float64)


def minkowski(u, v, p=2, w=None):
    if p <= 0:
        raise ValueError("p must be greater than 0")
    away = np.abs(_vector(u) - _vector(v))
    away = away if w is None else away * np.asarray(w) ** (1 / p)
    return np.max(away) if p == np.inf else np.sqrt(np.sum(away * away)) if p == 2 else np.sum(away**p) ** (1 / p)


def euclidean(u, v, w=None):
    return minkowski(u, v, 2, w)


def sqeuclidean(u, v, w=None):
    away = _vector(u) - _vector(v)
    return np.sum(away * away if w is None else away * away * np.asarray(w))


def _whole(u):
    """A vector that keeps whole numbers."""
    u = np.asarray(u)
    return u if u.dtype.kind in "iu" and u.ndim == 1 else _vector(u)


def cityblock(u, v, w=None):
    away = np.abs(_whole(u) - _whole(v))
    return np.sum(away if w is None else away * np.asarray(w))


def chebyshev(u, v, w=None):
    away = np.abs(_whole(u) - _whole(v))
    return np.max(away if w is None else away * (np.asarray(w) > 0))


def correlation(u, v, w=None, centered=True):
    u, v = _vector(u), _vector(v)
    shares = np.full(u.shape, 1 / u.size) if w is None else np.asarray(w) / np.sum(w)
    if centered:
        u, v = u - np.sum(u * shares), v - np.sum(v * shares)
    away = 1.0 - np.sum(u * v * shares) / np.sqrt(np.sum(u * u * shares) * np.sum(v * v * shares))
    return np.clip(away, 0.0, 2.0)


def cosine(u, v, w=None):
    return correlation(u, v, w, centered=False)


def hamming(u, v, w=None):
    u, v = np.asarray(u), np.asarray(v)
    if u.shape != v.shape:
        raise ValueError("The 1d arrays must have equal lengths.")
    return np.average(u != v, weights=w)


def jaccard(u, v, w=None):
    u, v = np.asarray(u) != 0, np.asarray(v) != 0
    shares = np.ones(u.shape) if w is None else np.asarray(w)
    either = np.sum((u | v) * shares)
    return np.sum((u != v) * shares) / either if either != 0 else np.float64(0.0)


def braycurtis(u, v, w=None):
    u, v = _vector(u), _vector(v)
    away, both = np.abs(u - v), np.abs(u + v)
    return np.sum(away if w is None else away * w) / np.sum(both if w is None else both * w)


def canberra(u, v, w=None):
    u, v = _vector(u), _vector(v)
    whole = np.abs(u) + np.abs(v)
    away = np.where(whole == 0, 0.0, np.abs(u - v) / np.where(whole == 0, 1.0, whole))
    return np.sum(away if w is None else away * w)


def mahalanobis(u, v, VI):
    away = _vector(u) - _vector(v)
    return np.sqrt(np.dot(np.dot(away, np.atleast_2d(VI)), away))


def jensenshannon(p, q, base=None, *, axis=0, keepdims=False):
    from scipy.special import rel_entr

    p, q = np.asarray(p).astype(np.float64), np.asarray(q).astype(np.float64)
    p, q = p / np.sum(p, axis=axis, keepdims=True), q / np.sum(q, axis=axis, keepdims=True)
    m = (p + q) / 2.0
    total = np.sum(rel_entr(p, m), axis=axis, keepdims=keepdims) + np.sum(rel_entr(q, m), axis=axis, keepdims=keepdims)
    return np.sqrt((total if base is None else total / np.log(base)) / 2.0)


_METRICS = {name: of for of, names in (
    (euclidean, "euclidean euclid eu e"), (sqeuclidean, "sqeuclidean sqe sqeuclid"), (cosine, "cosine cos"),
    (cityblock, "cityblock cblock cb c manhattan"), (chebyshev, "chebyshev chebychev cheby cheb ch"), (hamming, "hamming hamm ha h"),
    (correlation, "correlation co"), (jaccard, "jaccard jacc ja j"), (minkowski, "minkowski mi m pnorm"),
    (braycurtis, "braycurtis"), (canberra, "canberra"), (mahalanobis, "mahalanobis mahal mah"),
    (jensenshannon, "jensenshannon js")) for name in names.split()}


def _metric(metric):
    if callable(metric):
        return metric
    if str(metric).lower() not in _METRICS:
        raise ValueError(f"Unknown Distance Metric: {metric}")
    return _METRICS[metric.lower()]


def _fast(a, b, metric, options):
    """All distances at once, for the metrics that most programs use; None for the others."""
    if options:
        return None
    a, b = a.astype(np.float64), b.astype(np.float64)
    if metric in (euclidean, sqeuclidean, cityblock, chebyshev):
        if len(a) * len(b) * a.shape[1] > 50_000_000:
            return np.concatenate([_fast(row[None], b, metric, options) for row in a])
        away = np.abs(a[:, None, :] - b[None, :, :])
        if metric is cityblock:
            return away.sum(-1)
        if metric is chebyshev:
            return away.max(-1)
        total = (away * away).sum(-1)
        return np.sqrt(total) if metric is euclidean else total
    if metric is cosine:
        a, b = (x / np.sqrt((x * x).sum(-1, keepdims=True)) for x in (a, b))
        return 1 - np.clip(a @ b.T, -1.0, 1.0)
    return None


def cdist(XA, XB, metric="euclidean", *, out=None, **options):
    a, b = np.asarray(XA), np.asarray(XB)
    for x, name in ((a, "XA"), (b, "XB")):
        if x.ndim != 2:
            raise ValueError(f"{name} must be a 2-dimensional array.")
    if a.shape[1] != b.shape[1]:
        raise ValueError("XA and XB must have the same number of columns (i.e. feature dimension.)")
    function = _metric(metric)
    if function is mahalanobis and "VI" not in options:
        raise NotImplementedError("scipy.spatial.distance.cdist(metric='mahalanobis') without VI")
    made = _fast(a, b, function, options)
    if made is None:
        made = np.array([[float(function(u, v, **options)) for v in b] for u in a]).reshape(len(a), len(b))
    if out is not None:
        out[...] = made
        return out
    return made


def pdist(X, metric="euclidean", *, out=None, **options):
    x = np.asarray(X)
    if x.ndim != 2:
        raise ValueError("A 2-dimensional array must be passed.")
    function = _metric(metric)
    if function is mahalanobis and "VI" not in options:
        raise NotImplementedError("scipy.spatial.distance.pdist(metric='mahalanobis') without VI")
    n = len(x)
    whole = _fast(x, x, function, options)
    made = np.array([float(whole[i, j]) if whole is not None else float(function(x[i], x[j], **options))
                     for i in range(n) for j in range(i + 1, n)], dtype=np.float64)
    if out is not None:
        out[...] = made
        return out
    return made


def squareform(X, force="no", checks=True):
    x = np.asarray(X)
    if x.ndim == 1:
        n = int(np.ceil(np.sqrt(len(x) * 2)))
        if n * (n - 1) != len(x) * 2:
            raise ValueError("Incompatible vector size. It must be a binomial coefficient n choose 2 for some integer n >= 2.")
        n = max(n, 1)
        out = np.zeros((n, n), dtype=x.dtype)
        k = 0
        for i in range(n):
            out[i, i + 1:] = out[i + 1:, i] = x[k:k + n - 1 - i]
            k += n - 1 - i
        return out
    if x.ndim != 2:
        raise ValueError(f"The first argument must be one or two dimensional array. A {x.ndim}-dimensional array is not permitted")
    if x.shape[0] != x.shape[1]:
        raise ValueError("The matrix argument must be square.")
    if checks and not np.allclose(x, x.T):
        raise ValueError("Distance matrix 'X' must be symmetric.")
    return np.concatenate([x[i, i + 1:] for i in range(len(x))])


__getattr__ = lacking("scipy.spatial.distance")
