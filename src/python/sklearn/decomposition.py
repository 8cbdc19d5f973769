"""Principal components."""

import numpy as np

from .base import BaseEstimator, TransformerMixin
from .utils import _table


class PCA(TransformerMixin, BaseEstimator):
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
        # Each component's largest number is positive, so that its sign doesn't depend on the solver.
        largest = np.abs(turned).argmax(axis=1)
        turned = turned * np.sign(turned[np.arange(len(turned)), largest])[:, None]
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


def __getattr__(name):
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.decomposition.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.decomposition' has no attribute '{name}'")
