"""Lines that samples far from them move little: `HuberRegressor`."""

import warnings

import numpy as np
from scipy.optimize import minimize

from .base import _Linear
from .exceptions import ConvergenceWarning
from .utils import _table, check_consistent_length


def _loss(X, y, mass, epsilon, alpha, level):
    """The loss as a function of the slopes, the intercept (if `level`) and the scale; it returns the loss and its gradient."""
    width, count = X.shape[1], mass.sum()

    def at(place):
        slopes, scale = place[:width], place[-1]
        left = y - X @ slopes - (place[-2] if level else 0.0)
        far = np.abs(left) > epsilon * scale
        # Samples near the line count by their square, the others by their distance.
        heavy, near = mass * far, mass * ~far * left
        squares, outside = (near @ left) / scale, heavy.sum()
        pull = 2.0 / scale * near + 2.0 * epsilon * heavy * np.where(left < 0, -1.0, 1.0)
        slope = np.zeros_like(place)
        slope[:width] = 2.0 * alpha * slopes - pull @ X
        if level:
            slope[-2] = -pull.sum()
        slope[-1] = count - outside * epsilon ** 2 - squares / scale
        value = count * scale + squares + 2.0 * epsilon * (heavy @ np.abs(left)) - scale * outside * epsilon ** 2 + alpha * (slopes @ slopes)
        return value, slope

    return at


class HuberRegressor(_Linear):
    """Least squares for samples near the line, and absolute distances for those farther than `epsilon` times the scale, which is fitted too."""

    def __init__(self, *, epsilon=1.35, max_iter=100, alpha=0.0001, warm_start=False, fit_intercept=True, tol=1e-05):
        self.epsilon, self.max_iter, self.alpha = epsilon, max_iter, alpha
        self.warm_start, self.fit_intercept, self.tol = warm_start, fit_intercept, tol

    def fit(self, X, y, sample_weight=None):
        X, y = _table(X), np.asarray(y, dtype=float)
        check_consistent_length(X, y, sample_weight)
        mass = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, dtype=float) * np.ones(len(X))
        width = X.shape[1]
        if self.warm_start and hasattr(self, "coef_"):
            start = np.concatenate([self.coef_, [self.intercept_, self.scale_] if self.fit_intercept else [self.scale_]])
        else:
            start = np.zeros(width + 1 + self.fit_intercept)
            start[-1] = 1.0
        bounds = [(None, None)] * (len(start) - 1) + [(10 * np.finfo(np.float64).eps, None)]
        found = minimize(_loss(X, y, mass, self.epsilon, self.alpha, self.fit_intercept), start, method="L-BFGS-B", jac=True, bounds=bounds,
                         options={"maxiter": self.max_iter, "gtol": self.tol})
        if found.status == 2:
            raise ValueError(f"HuberRegressor convergence failed: l-BFGS-b solver terminated with {found.message}")
        self.n_iter_ = min(found.nit, self.max_iter)
        if found.status != 0:
            more = f"\nIncrease the number of iterations to improve the convergence (max_iter={self.max_iter})."
            warnings.warn(f"lbfgs failed to converge after {self.n_iter_} iteration(s) (status={found.status}):\n{found.message}\n"
                          f"{more if self.n_iter_ == self.max_iter else ''}\nYou might also want to scale the data as shown in:\n"
                          "    https://scikit-learn.org/stable/modules/preprocessing.html",
                          ConvergenceWarning, stacklevel=3)
        self.coef_, self.scale_ = found.x[:width], found.x[-1]
        self.intercept_ = found.x[-2] if self.fit_intercept else 0.0
        self.n_features_in_ = width
        self.outliers_ = np.abs(y - X @ self.coef_ - self.intercept_) > self.scale_ * self.epsilon
        return self
