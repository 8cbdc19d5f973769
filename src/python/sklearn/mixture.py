"""Mixtures of normal distributions."""

import math

import numpy as np

from .base import BaseEstimator
from .utils import _table, check_random_state


class GaussianMixture(BaseEstimator):
    """Expectation and maximization in turn, from the clusters of k-means on."""

    _fitted = "means_"

    def __init__(self, n_components=1, *, covariance_type="full", tol=1e-3, reg_covar=1e-6, max_iter=100, n_init=1,
                 init_params="kmeans", weights_init=None, means_init=None, precisions_init=None, random_state=None, warm_start=False,
                 verbose=0, verbose_interval=10):
        self.n_components, self.covariance_type, self.tol, self.reg_covar = n_components, covariance_type, tol, reg_covar
        self.max_iter, self.n_init, self.init_params, self.weights_init = max_iter, n_init, init_params, weights_init
        self.means_init, self.precisions_init, self.random_state = means_init, precisions_init, random_state
        self.warm_start, self.verbose, self.verbose_interval = warm_start, verbose, verbose_interval

    def fit(self, X, y=None):
        self.fit_predict(X)
        return self

    def fit_predict(self, X, y=None):
        from .cluster import KMeans

        if self.init_params != "kmeans" or self.warm_start or any(
                given is not None for given in (self.weights_init, self.means_init, self.precisions_init)):
            raise NotImplementedError("GaussianMixture: it starts from k-means here, without first values of your own")
        if self.covariance_type not in ("full", "tied", "diag", "spherical"):
            raise ValueError(f"The 'covariance_type' parameter of GaussianMixture must be a str among {{'full', 'tied', 'diag', "
                             f"'spherical'}}. Got {self.covariance_type!r} instead.")
        X, random, best = _table(X), check_random_state(self.random_state), None
        if len(X) < self.n_components:
            raise ValueError("Expected n_samples >= n_components but got n_components = "
                             f"{self.n_components}, n_samples = {len(X)}")
        self.n_features_in_ = X.shape[1]
        for _ in range(self.n_init):
            labels = KMeans(self.n_components, n_init=1, random_state=random).fit(X).labels_
            self._maximize(X, (labels[:, None] == np.arange(self.n_components)).astype(float))
            before, done = -math.inf, False
            for step in range(1, self.max_iter + 1):
                logs = self._joint(X)
                whole = _total(logs)
                self._maximize(X, np.exp(logs - whole[:, None]))
                bound = float(whole.mean())
                done = abs(bound - before) < self.tol
                before = bound
                if done:
                    break
            if best is None or before > best[0]:
                best = (before, self.weights_, self.means_, self.covariances_, step, done)
        self.lower_bound_, self.weights_, self.means_, self.covariances_, self.n_iter_, self.converged_ = best
        self._prepare()
        return self._joint(X).argmax(axis=1)

    def _maximize(self, X, shares):
        mass = shares.sum(axis=0) + 10 * np.finfo(float).eps
        self.weights_, self.means_ = mass / mass.sum(), shares.T @ X / mass[:, None]
        kind, width = self.covariance_type, X.shape[1]
        if kind == "tied":
            spread = X.T @ X - (self.means_.T * mass) @ self.means_
            self.covariances_ = spread / mass.sum() + self.reg_covar * np.eye(width)
        elif kind == "full":
            made = []
            for k in range(len(mass)):
                away = X - self.means_[k]
                made.append((shares[:, k] * away.T) @ away / mass[k] + self.reg_covar * np.eye(width))
            self.covariances_ = np.stack(made)
        else:
            self.covariances_ = shares.T @ (X * X) / mass[:, None] - self.means_ ** 2 + self.reg_covar
            if kind == "spherical":
                self.covariances_ = self.covariances_.mean(axis=1)
        self._prepare()

    def _prepare(self):
        kind = self.covariance_type
        if kind in ("full", "tied"):
            roots = np.linalg.inv(np.linalg.cholesky(self.covariances_))
            self.precisions_cholesky_ = np.swapaxes(roots, -1, -2)
            self.precisions_ = self.precisions_cholesky_ @ roots
        else:
            self.precisions_cholesky_, self.precisions_ = 1 / np.sqrt(self.covariances_), 1 / self.covariances_

    def _joint(self, X):
        """The log of each component's density times its weight."""
        kind, width, roots, made = self.covariance_type, X.shape[1], self.precisions_cholesky_, []
        for k in range(len(self.weights_)):
            away = X - self.means_[k]
            if kind in ("full", "tied"):
                root = roots if kind == "tied" else roots[k]
                scaled, size = away @ root, np.log(np.diag(root)).sum()
            else:
                scaled, size = away * roots[k], np.log(roots[k]).sum() * (width if kind == "spherical" else 1)
            made.append(-0.5 * (width * math.log(2 * math.pi) + (scaled * scaled).sum(axis=1)) + size)
        return np.stack(made, axis=1) + np.log(self.weights_)

    def score_samples(self, X):
        return _total(self._joint(self._read(X)))

    def score(self, X, y=None):
        return self.score_samples(X).mean()

    def predict(self, X):
        return self._joint(self._read(X)).argmax(axis=1)

    def predict_proba(self, X):
        logs = self._joint(self._read(X))
        return np.exp(logs - _total(logs)[:, None])

    def _free(self):
        width, count = self.n_features_in_, self.n_components
        spread = {"full": count * width * (width + 1) / 2, "tied": width * (width + 1) / 2, "diag": count * width, "spherical": count}
        return int(spread[self.covariance_type] + width * count + count - 1)

    def bic(self, X):
        return -2 * self.score(X) * len(X) + self._free() * math.log(len(X))

    def aic(self, X):
        return -2 * self.score(X) * len(X) + 2 * self._free()


def _total(logs):
    top = logs.max(axis=1)
    return top + np.log(np.exp(logs - top[:, None]).sum(axis=1))


def __getattr__(name):
    if not name.startswith("_"):
        raise NotImplementedError(f"sklearn.mixture.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.mixture' has no attribute '{name}'")
