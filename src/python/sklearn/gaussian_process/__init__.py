"""Gaussian processes: functions that are likely, given some of their values."""

import math
import warnings

import numpy as np

from ..base import BaseEstimator, RegressorMixin
from ..exceptions import ConvergenceWarning
from ..utils import _table, check_random_state
from . import kernels
from .kernels import RBF, ConstantKernel


def _solved(L, right):
    """The solution of a lower triangular system, row by row: as exact as nearly singular matrices allow."""
    x = np.array(right, dtype=float)
    for i in range(len(L)):
        x[i] = (x[i] - L[i, :i] @ x[:i]) / L[i, i] if i else x[i] / L[i, i]
    return x


def _solved_twice(L, right):
    """The solution of a system whose matrix is L times its transpose."""
    back = L.T[::-1, ::-1]
    return _solved(back, _solved(L, right)[::-1])[::-1]


def _least(function, start, bounds):
    """The place of a minimum within bounds: quasi-Newton steps, projected onto the box."""
    low, high = bounds[:, 0], bounds[:, 1]
    x = np.clip(start, low, high)
    value, slope = function(x)
    H = np.eye(len(x))
    for _ in range(500):
        fixed = ((x <= low) & (slope > 0)) | ((x >= high) & (slope < 0))
        if float(abs(np.clip(x - slope, low, high) - x).max()) < 1e-5:
            break
        inner = np.where(fixed[:, None] | fixed[None], 0.0, H)
        step = -inner @ np.where(fixed, 0.0, slope)
        if float(step @ slope) >= 0:
            H = np.eye(len(x))
            step = -np.where(fixed, 0.0, slope)
        size = min(1.0, 2.0 / max(float(abs(step).max()), 1e-300))
        while True:
            there = np.clip(x + size * step, low, high)
            new_value, new_slope = function(there)
            if new_value <= value + 1e-4 * float(slope @ (there - x)) or size < 1e-10:
                break
            size *= 0.5
        if size < 1e-10 or value - new_value < 1e-12 * max(1.0, abs(value)) and float(abs(there - x).max()) < 1e-9:
            break
        s, y = there - x, new_slope - slope
        sy = float(s @ y)
        if sy > 1e-12:
            r = 1.0 / sy
            left = np.eye(len(x)) - r * np.outer(s, y)
            H = left @ H @ left.T + r * np.outer(s, s)
        x, value, slope = there, new_value, new_slope
    return x, value


class GaussianProcessRegressor(RegressorMixin, BaseEstimator):
    def __init__(self, kernel=None, *, alpha=1e-10, optimizer="fmin_l_bfgs_b", n_restarts_optimizer=0, normalize_y=False, copy_X_train=True,
                 n_targets=None, random_state=None):
        self.kernel, self.alpha, self.optimizer, self.n_restarts_optimizer = kernel, alpha, optimizer, n_restarts_optimizer
        self.normalize_y, self.copy_X_train, self.n_targets, self.random_state = normalize_y, copy_X_train, n_targets, random_state

    def fit(self, X, y):
        X, y = _table(X), np.asarray(y, dtype=float)
        if y.ndim > 1:
            raise NotImplementedError("GaussianProcessRegressor: several targets aren't supported here")
        self.n_features_in_ = X.shape[1]
        self.kernel_ = ConstantKernel() * RBF() if self.kernel is None else self.kernel.clone()
        rng = check_random_state(self.random_state)
        self._y_train_mean, self._y_train_std = (y.mean(), y.std() or 1.0) if self.normalize_y else (0.0, 1.0)
        y = (y - self._y_train_mean) / self._y_train_std
        if np.ndim(self.alpha) and len(self.alpha) != len(y):
            raise ValueError(f"alpha must be a scalar or an array with same number of entries as y. ({len(self.alpha)} != {len(y)})")
        self.X_train_, self.y_train_ = X.copy(), y.copy()
        if self.optimizer is not None and self.kernel_.n_dims:
            if self.optimizer != "fmin_l_bfgs_b":
                raise NotImplementedError("GaussianProcessRegressor: an optimizer of your own isn't supported here")

            def lack(theta):
                value, slope = self.log_marginal_likelihood(theta, True)
                return -value, -slope

            bounds = self.kernel_.bounds
            found = [_least(lack, self.kernel_.theta, bounds)]
            for _ in range(self.n_restarts_optimizer):
                found.append(_least(lack, rng.uniform(bounds[:, 0], bounds[:, 1]), bounds))
            best = min(range(len(found)), key=lambda i: found[i][1])
            self.kernel_.theta = found[best][0]
            self._check_bounds()
            self.log_marginal_likelihood_value_ = np.float64(-found[best][1])
        else:
            self.log_marginal_likelihood_value_ = self.log_marginal_likelihood(self.kernel_.theta)
        K = self.kernel_(X) + np.diag(np.broadcast_to(np.asarray(self.alpha, dtype=float), (len(X),)))
        try:
            self.L_ = np.linalg.cholesky(K)
        except np.linalg.LinAlgError as error:
            raise np.linalg.LinAlgError(f"The kernel, {self.kernel_}, is not returning a positive definite matrix. Try gradually increasing "
                                        "the 'alpha' parameter of your GaussianProcessRegressor estimator.", *error.args) from None
        self.alpha_ = _solved_twice(self.L_, y)
        return self

    def _check_bounds(self):
        at, near = 0, lambda a, b: math.isclose(float(a), float(b), rel_tol=1e-5, abs_tol=1e-8)
        theta, bounds = self.kernel_.theta, self.kernel_.bounds
        for h in self.kernel_.hyperparameters:
            for i in range(0 if h.fixed else h.n_elements):
                for end, side, change in ((0, "lower", "Decreasing"), (1, "upper", "Increasing")):
                    if near(theta[at], bounds[at, end]):
                        warnings.warn(f"The optimal value found for dimension {i} of parameter {h.name} is close to the specified {side} "
                                      f"bound {h.bounds[i, end]}. {change} the bound and calling fit again may find a better value.",
                                      ConvergenceWarning, stacklevel=3)
                at += 1

    def log_marginal_likelihood(self, theta=None, eval_gradient=False, clone_kernel=True):
        if theta is None:
            return self.log_marginal_likelihood_value_
        kernel = self.kernel_.clone_with_theta(theta)
        X, y = self.X_train_, self.y_train_
        K, slopes = kernel(X, eval_gradient=True) if eval_gradient else (kernel(X), None)
        K = K + np.diag(np.broadcast_to(np.asarray(self.alpha, dtype=float), (len(X),)))
        try:
            L = np.linalg.cholesky(K)
        except np.linalg.LinAlgError:
            return (-np.inf, np.zeros_like(theta)) if eval_gradient else -np.inf
        weights = _solved_twice(L, y)
        value = -0.5 * (y @ weights) - np.log(np.diag(L)).sum() - len(X) / 2 * math.log(2 * math.pi)
        if not eval_gradient:
            return value
        inverse = _solved_twice(L, np.eye(len(X)))
        inner = np.outer(weights, weights) - inverse
        return value, 0.5 * np.einsum("ij,ijk->k", inner, slopes)

    def predict(self, X, return_std=False, return_cov=False):
        if return_std and return_cov:
            raise RuntimeError("At most one of return_std or return_cov can be requested.")
        X = _table(X)
        if not hasattr(self, "X_train_"):
            kernel = ConstantKernel(1.0, "fixed") * RBF(1.0, "fixed") if self.kernel is None else self.kernel
            mean = np.zeros(len(X))
            return (mean, kernel(X)) if return_cov else (mean, np.sqrt(kernel.diag(X))) if return_std else mean
        across = self.kernel_(X, self.X_train_)
        mean = self._y_train_std * (across @ self.alpha_) + self._y_train_mean
        if not (return_std or return_cov):
            return mean
        V = _solved(self.L_, across.T)
        if return_cov:
            return mean, (self.kernel_(X) - V.T @ V) * self._y_train_std**2
        spread = self.kernel_.diag(X) - (V * V).sum(0)
        if np.any(spread < 0):
            warnings.warn("Predicted variances smaller than 0. Setting those variances to 0.", stacklevel=2)
            spread = np.maximum(spread, 0.0)
        return mean, np.sqrt(spread * self._y_train_std**2)

    def sample_y(self, X, n_samples=1, random_state=0):
        mean, spread = self.predict(X, return_cov=True)
        return check_random_state(random_state).multivariate_normal(mean, spread, n_samples).T


def __getattr__(name):
    if name == "GaussianProcessClassifier":
        from ._classes import GaussianProcessClassifier

        return GaussianProcessClassifier
    raise AttributeError(f"module 'sklearn.gaussian_process' has no attribute '{name}'")
