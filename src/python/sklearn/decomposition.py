"""Principal components, and singular value decompositions."""

import numpy as np

from .base import _Numbered, BaseEstimator, TransformerMixin
from .utils import _table, check_random_state


class PCA(_Numbered, TransformerMixin, BaseEstimator):
    """Turns a table so that its first columns vary most: (n, features) to (n, components)."""

    def __init__(self, n_components=None, *, copy=True, whiten=False, svd_solver="auto", tol=0.0, iterated_power="auto",
                 n_oversamples=10, power_iteration_normalizer="auto", random_state=None):
        self.n_components, self.copy, self.whiten, self.svd_solver, self.tol = n_components, copy, whiten, svd_solver, tol
        self.iterated_power, self.n_oversamples, self.random_state = iterated_power, n_oversamples, random_state
        self.power_iteration_normalizer = power_iteration_normalizer

    def fit(self, X, y=None):
        X = _table(X)
        rows, width = X.shape
        if self.svd_solver not in ("auto", "full", "covariance_eigh"):
            raise NotImplementedError(f"PCA: svd_solver={self.svd_solver!r} isn't supported here")
        wanted = min(rows, width) if self.n_components is None else self.n_components
        if isinstance(wanted, str):
            raise NotImplementedError(f"PCA: n_components={wanted!r} isn't supported here")
        if wanted >= 1 and not 0 <= wanted <= min(rows, width):
            solver = self.svd_solver
            if solver == "auto":
                solver = "covariance_eigh" if width <= 1000 and rows >= 10 * width else "full"
            raise ValueError(f"n_components={wanted} must be between 0 and min(n_samples, n_features)={min(rows, width)} with "
                             f"svd_solver={solver!r}")
        self.mean_ = X.mean(axis=0)
        _, sizes, turned = np.linalg.svd(X - self.mean_, full_matrices=False)
        turned = _signed(turned)
        variance = sizes ** 2 / (rows - 1)
        share = variance / variance.sum()
        if 0 < wanted < 1:
            wanted = int(np.searchsorted(np.cumsum(share), wanted, side="right")) + 1
        kept = int(wanted)
        self.noise_variance_ = float(variance[kept:].mean()) if kept < min(rows, width) else 0.0
        self.n_samples_, self.n_features_in_, self.n_components_ = rows, width, kept
        self.components_, self.explained_variance_ = turned[:kept], variance[:kept]
        self.explained_variance_ratio_, self.singular_values_ = share[:kept], sizes[:kept]
        return self

    def transform(self, X):
        self._need_fit("components_")
        X = _table(X)
        self._need_width(X)
        made = (X - self.mean_) @ self.components_.T
        return made / np.sqrt(self.explained_variance_) if self.whiten else made

    def inverse_transform(self, X):
        self._need_fit("components_")
        X = np.asarray(X)
        return (X * np.sqrt(self.explained_variance_) if self.whiten else X) @ self.components_ + self.mean_


def _signed(rows):
    """Each component's largest number is positive, so that its sign doesn't depend on the solver."""
    largest = np.abs(rows).argmax(axis=1)
    return rows * np.sign(rows[np.arange(len(rows)), largest])[:, None]


class TruncatedSVD(_Numbered, TransformerMixin, BaseEstimator):
    """The first columns of a singular value decomposition, without subtracting means: (n, features) to (n, components)."""

    def __init__(self, n_components=2, *, algorithm="randomized", n_iter=5, n_oversamples=10, power_iteration_normalizer="auto",
                 random_state=None, tol=0.0):
        self.n_components, self.algorithm, self.n_iter, self.n_oversamples = n_components, algorithm, n_iter, n_oversamples
        self.power_iteration_normalizer, self.random_state, self.tol = power_iteration_normalizer, random_state, tol

    def fit(self, X, y=None):
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X, y=None):
        if self.algorithm != "randomized":
            raise NotImplementedError(f"TruncatedSVD: algorithm={self.algorithm!r} isn't supported here")
        X = _table(X)
        rows, width = X.shape
        self.n_features_in_ = width
        if self.n_components > width:
            raise ValueError(f"n_components({self.n_components}) must be <= n_features({width}).")
        turn = rows < width
        M = X.T if turn else X
        # A random subspace that powers of the table bring near the one of its largest singular values.
        count = self.n_components + self.n_oversamples
        basis = check_random_state(self.random_state).normal(size=(M.shape[1], count))
        for _ in range(self.n_iter):
            basis = np.linalg.qr(M.T @ np.linalg.qr(M @ basis)[0])[0]
        basis = np.linalg.qr(M @ basis)[0]
        left, sizes, right = np.linalg.svd(basis.T @ M, full_matrices=False)
        right = (basis @ left).T if turn else right
        self.components_ = _signed(right[:self.n_components])
        made = X @ self.components_.T
        self.explained_variance_ = np.var(made, axis=0)
        self.explained_variance_ratio_ = self.explained_variance_ / np.var(X, axis=0).sum()
        self.singular_values_ = sizes[:self.n_components]
        return made

    def transform(self, X):
        self._need_fit("components_")
        X = _table(X)
        self._need_width(X)
        return X @ self.components_.T

    def inverse_transform(self, X):
        self._need_fit("components_")
        return np.asarray(X) @ self.components_


def __getattr__(name):
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.decomposition.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.decomposition' has no attribute '{name}'")
