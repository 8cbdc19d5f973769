"""Ridge regression that finds the strength of its penalty itself."""

import numpy as np

from .linear_model import _Penalized
from .utils import _table


class BayesianRidge(_Penalized):
    """Least squares in which the precision of the noise (`alpha_`) and of the weights (`lambda_`) are learned."""

    def __init__(self, *, max_iter=300, tol=1e-3, alpha_1=1e-6, alpha_2=1e-6, lambda_1=1e-6, lambda_2=1e-6, alpha_init=None, lambda_init=None,
                 compute_score=False, fit_intercept=True, copy_X=True, verbose=False):
        self.max_iter, self.tol, self.alpha_1, self.alpha_2 = max_iter, tol, alpha_1, alpha_2
        self.lambda_1, self.lambda_2, self.alpha_init, self.lambda_init = lambda_1, lambda_2, alpha_init, lambda_init
        self.compute_score, self.fit_intercept, self.copy_X, self.verbose = compute_score, fit_intercept, copy_X, verbose

    def fit(self, X, y, sample_weight=None):
        if self.compute_score or self.verbose or sample_weight is not None:
            raise NotImplementedError("BayesianRidge: compute_score, verbose and sample_weight aren't supported here")
        if np.ndim(y) != 1:
            raise ValueError(f"y should be a 1d array, got an array of shape {np.shape(y)} instead.")
        X, y, around, level = self._centered(X, y)
        count = len(X)
        alpha = self.alpha_init if self.alpha_init is not None else 1.0 / (y.var() + np.finfo(np.float64).eps)
        weight = 1.0 if self.lambda_init is None else self.lambda_init
        left, sizes, rows = np.linalg.svd(X, full_matrices=False)
        powers, along = sizes**2, left.T @ y * sizes

        def solved():
            weights = rows.T @ (along / (powers + weight / alpha))
            return weights, ((y - X @ weights) ** 2).sum()

        before = None
        for step in range(self.max_iter):
            weights, rest = solved()
            known = (alpha * powers / (weight + alpha * powers)).sum()
            weight = (known + 2 * self.lambda_1) / ((weights**2).sum() + 2 * self.lambda_2)
            alpha = (count - known + 2 * self.alpha_1) / (rest + 2 * self.alpha_2)
            if before is not None and np.abs(before - weights).sum() < self.tol:
                break
            before = weights
        self.n_iter_, self.alpha_, self.lambda_ = step + 1, alpha, weight
        self.coef_ = solved()[0]
        # Directions in which the samples don't vary are as uncertain as before.
        self.sigma_ = (rows.T * (1.0 / (alpha * powers + weight))) @ rows
        if len(sizes) < X.shape[1]:
            self.sigma_ = self.sigma_ + (np.eye(X.shape[1]) - rows.T @ rows) / weight
        self.X_offset_, self.X_scale_ = around, np.ones(X.shape[1])
        self._placed(around, level)
        return self

    def predict(self, X, return_std=False):
        mean = super().predict(X)
        if not return_std:
            return mean
        away = _table(X) - self.X_offset_
        return mean, np.sqrt((away @ self.sigma_ * away).sum(axis=1) + 1.0 / self.alpha_)
