"""Centers of clusters, moved until they stay."""

import numpy as np

from scipy import lacking


def whiten(obs, check_finite=None):
    obs = np.asarray(obs)
    spread = obs.std(axis=0)
    return obs / np.where(spread == 0, 1.0, spread)


def vq(obs, code_book, check_finite=True):
    """The nearest center of each row, and how far it is."""
    obs, code_book = np.asarray(obs, dtype=float), np.asarray(code_book, dtype=float)
    wide, centers = (part[:, None] if part.ndim == 1 else part for part in (obs, code_book))
    apart = np.sqrt(((wide[:, None] - centers[None]) ** 2).sum(-1))
    return apart.argmin(axis=1).astype(np.int32), apart.min(axis=1)


def _means(obs, code, count):
    sums = np.zeros((count,) + obs.shape[1:])
    np.add.at(sums, code, obs)
    size = np.bincount(code, minlength=count)
    return sums / np.where(size == 0, 1, size)[:, None] if obs.ndim > 1 else sums / np.where(size == 0, 1, size), size > 0


def _moved(obs, centers, thresh):
    """Moves centers until the mean distance changes by no more than `thresh`. Those without rows are dropped."""
    before, change = None, np.inf
    while change > thresh:
        code, apart = vq(obs, centers)
        now = float(apart.mean())
        change = np.inf if before is None else abs(before - now)
        before = now
        if change > thresh:
            centers, used = _means(obs, code, len(centers))
            centers = centers[used]
    return centers, np.float64(before)


def _generator(rng):
    if isinstance(rng, (np.random.RandomState, np.random.Generator)):
        return rng
    return np.random.RandomState(rng) if rng is not None else np.random.mtrand._rand


def kmeans(obs, k_or_guess, iter=20, thresh=1e-5, check_finite=True, *, rng=None, seed=None):
    if iter < 1:
        raise ValueError(f"iter must be at least 1, got {iter}")
    obs, guess = np.asarray(obs, dtype=float), np.asarray(k_or_guess, dtype=float)
    if guess.size != 1:
        return _moved(obs, guess, thresh)
    k = int(guess)
    if k != guess:
        raise ValueError("If k_or_guess is a scalar, it must be an integer.")
    if k < 1:
        raise ValueError(f"Asked for {k} clusters.")
    rng, best, centers = _generator(rng if seed is None else seed), np.inf, None
    for _ in range(iter):
        found, apart = _moved(obs, obs[rng.choice(obs.shape[0], size=k, replace=False)], thresh)
        if apart < best:
            best, centers = apart, found
    return centers, best


def kmeans2(data, k, iter=10, thresh=1e-5, minit="random", missing="warn", check_finite=True, *, rng=None, seed=None):
    data = np.asarray(data, dtype=float)
    if minit == "matrix" or np.ndim(k) > 0:
        centers = np.array(k, dtype=float)
    elif minit == "points":
        generator = _generator(rng if seed is None else seed)
        centers = data[generator.choice(data.shape[0], size=int(k), replace=False)]
    else:
        raise NotImplementedError(f"scipy.cluster.vq.kmeans2(minit={minit!r}); 'points' and 'matrix' are supported here")
    for _ in range(iter):
        code, _apart = vq(data, centers)
        found, used = _means(data, code, len(centers))
        if not used.all():
            if missing == "raise":
                raise ClusterError("One of the clusters is empty. Re-run kmeans with a different initialization.")
            import warnings
            warnings.warn("One of the clusters is empty. Re-run kmeans with a different initialization.", stacklevel=3)
            found[~used] = centers[~used]
        centers = found
    return centers, code


class ClusterError(Exception):
    pass


__getattr__ = lacking("scipy.cluster.vq")
