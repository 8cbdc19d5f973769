"""Chances of classes from a Gaussian process, by Laplace's approximation: `GaussianProcessClassifier`."""

import math
import warnings

import numpy as np
from scipy.optimize import minimize
from scipy.special import erf

from ..base import BaseEstimator, ClassifierMixin
from ..exceptions import ConvergenceWarning
from ..multiclass import OneVsOneClassifier, OneVsRestClassifier
from ..utils import _table, check_consistent_length, check_random_state
from . import GaussianProcessRegressor
from .kernels import RBF, CompoundKernel, ConstantKernel

# A sum of error functions that is close to the logistic function, so that its mean under a bell has a formula (Williams and Barber, 1998).
_WIDTHS = np.array([0.41, 0.4, 0.37, 0.44, 0.39])[:, None]
_SHARES = np.array([-1854.8214151, 3516.89893646, 221.29346712, 128.12323805, -2010.49422654])[:, None]


class _TwoClasses(BaseEstimator):
    """The process for two classes. Its function is positive where the second one is likely."""

    def __init__(self, kernel=None, optimizer="fmin_l_bfgs_b", n_restarts_optimizer=0, max_iter_predict=100, warm_start=False,
                 random_state=None):
        self.kernel, self.optimizer, self.n_restarts_optimizer = kernel, optimizer, n_restarts_optimizer
        self.max_iter_predict, self.warm_start, self.random_state = max_iter_predict, warm_start, random_state

    def fit(self, X, y):
        self.kernel_ = ConstantKernel(1.0, "fixed") * RBF(1.0, "fixed") if self.kernel is None else self.kernel.clone()
        random = check_random_state(self.random_state)
        self.X_train_ = np.array(X, dtype=float)
        self.classes_, self.y_train_ = np.unique(y, return_inverse=True)
        self._found = None
        if self.optimizer is not None and self.kernel_.n_dims:
            bounds = self.kernel_.bounds
            found = [self._search(self.kernel_.theta, bounds)]
            if self.n_restarts_optimizer and not np.isfinite(bounds).all():
                raise ValueError("Multiple optimizer restarts (n_restarts_optimizer>0) requires that all bounds are finite.")
            for _ in range(self.n_restarts_optimizer):
                found.append(self._search(np.exp(random.uniform(bounds[:, 0], bounds[:, 1])), bounds))
            best = int(np.argmin([value for _, value in found]))
            self.kernel_.theta, self.log_marginal_likelihood_value_ = found[best][0], -found[best][1]
            GaussianProcessRegressor._check_bounds(self)
        else:
            self.log_marginal_likelihood_value_ = self.log_marginal_likelihood(self.kernel_.theta)
        self.pi_, self.W_sr_, self.L_, _ = self._mode(self.kernel_(self.X_train_))[1]
        return self

    def _search(self, start, bounds):
        def lack(theta, eval_gradient=True):
            if not eval_gradient:
                return -self.log_marginal_likelihood(theta)
            value, slope = self.log_marginal_likelihood(theta, True)
            return -value, -slope

        if callable(self.optimizer):
            return self.optimizer(lack, start, bounds=bounds)
        found = minimize(lack, start, method="L-BFGS-B", jac=True, bounds=bounds)
        if found.status != 0:
            warnings.warn(f"lbfgs failed to converge after {found.nit} iteration(s) (status={found.status}):\n{found.message}\n\nYou might also want "
                          "to scale the data as shown in:\n    https://scikit-learn.org/stable/modules/preprocessing.html",
                          ConvergenceWarning, stacklevel=4)
        return found.x, found.fun

    def _mode(self, K):
        """The likelihood of the most likely function, and what led there: chances, roots of weights, a factor, coefficients."""
        y = self.y_train_
        f = self._found if self.warm_start and self._found is not None else np.zeros(len(y))
        before = -np.inf
        for _ in range(self.max_iter_predict):
            chances = 1 / (1 + np.exp(-f))
            weights = chances * (1 - chances)
            roots = np.sqrt(weights)
            wide = roots[:, None] * K
            L = np.linalg.cholesky(np.eye(len(y)) + wide * roots)
            b = weights * f + (y - chances)
            a = b - roots * np.linalg.solve(L.T, np.linalg.solve(L, wide @ b))
            f = K @ a
            value = -0.5 * (a @ f) - np.log1p(np.exp(-(y * 2 - 1) * f)).sum() - np.log(np.diag(L)).sum()
            if value - before < 1e-10:
                break
            before = value
        self._found = f
        return before, (chances, roots, L, a)

    def log_marginal_likelihood(self, theta=None, eval_gradient=False, clone_kernel=True):
        if theta is None:
            if eval_gradient:
                raise ValueError("Gradient can only be evaluated for theta!=None")
            return self.log_marginal_likelihood_value_
        kernel = self.kernel_.clone_with_theta(theta)
        K, slopes = kernel(self.X_train_, eval_gradient=True) if eval_gradient else (kernel(self.X_train_), None)
        value, (chances, roots, L, a) = self._mode(K)
        if not eval_gradient:
            return value
        R = roots[:, None] * np.linalg.solve(L.T, np.linalg.solve(L, np.diag(roots)))
        C = np.linalg.solve(L, roots[:, None] * K)
        # The third derivative of the likelihood tells how the most likely function moves.
        third = -0.5 * (np.diag(K) - (C * C).sum(axis=0)) * (chances * (1 - chances) * (1 - 2 * chances))
        made = np.empty(len(theta))
        for j in range(len(theta)):
            slope = slopes[:, :, j]
            b = slope @ (self.y_train_ - chances)
            made[j] = 0.5 * (a @ slope @ a) - 0.5 * (R.T * slope).sum() + third @ (b - K @ (R @ b))
        return value, made

    def latent_mean_and_variance(self, X):
        across = self.kernel_(self.X_train_, X)
        inner = np.linalg.solve(self.L_, self.W_sr_[:, None] * across)
        return across.T @ (self.y_train_ - self.pi_), self.kernel_.diag(X) - (inner * inner).sum(axis=0)

    def predict(self, X):
        return np.where(self.kernel_(self.X_train_, X).T @ (self.y_train_ - self.pi_) > 0, self.classes_[1], self.classes_[0])

    def predict_proba(self, X):
        mean, spread = self.latent_mean_and_variance(X)
        narrow, scaled = 1 / (2 * spread), _WIDTHS * mean
        parts = np.sqrt(math.pi / narrow) * erf(scaled * np.sqrt(narrow / (narrow + _WIDTHS**2))) / (2 * np.sqrt(spread * 2 * math.pi))
        chance = (_SHARES * parts).sum(axis=0) + 0.5 * _SHARES.sum()
        return np.stack([1 - chance, chance], axis=1)


class GaussianProcessClassifier(ClassifierMixin, BaseEstimator):
    """Classes by the sign of a smooth function; more than two by one such function for each class or for each pair."""

    _fitted = "base_estimator_"

    def __init__(self, kernel=None, *, optimizer="fmin_l_bfgs_b", n_restarts_optimizer=0, max_iter_predict=100, warm_start=False,
                 copy_X_train=True, random_state=None, multi_class="one_vs_rest", n_jobs=None):
        self.kernel, self.optimizer, self.n_restarts_optimizer = kernel, optimizer, n_restarts_optimizer
        self.max_iter_predict, self.warm_start, self.copy_X_train = max_iter_predict, warm_start, copy_X_train
        self.random_state, self.multi_class, self.n_jobs = random_state, multi_class, n_jobs

    def fit(self, X, y):
        if isinstance(self.kernel, CompoundKernel):
            raise ValueError("kernel cannot be a CompoundKernel")
        X, y = _table(X), np.asarray(y)
        if y.ndim == 2 and y.shape[1] == 1:
            y = y.ravel()
        check_consistent_length(X, y)
        self.classes_, self.n_features_in_ = np.unique(y), X.shape[1]
        self.n_classes_ = len(self.classes_)
        if self.n_classes_ == 1:
            raise ValueError("GaussianProcessClassifier requires 2 or more distinct classes; got 1 class (only class "
                             f"{self.classes_[0]} is present)")
        made = _TwoClasses(self.kernel, self.optimizer, self.n_restarts_optimizer, self.max_iter_predict, self.warm_start, self.random_state)
        if self.n_classes_ > 2:
            made = OneVsRestClassifier(made) if self.multi_class == "one_vs_rest" else OneVsOneClassifier(made)
        self.base_estimator_ = made.fit(X, y)
        self.log_marginal_likelihood_value_ = np.mean([one.log_marginal_likelihood_value_ for one in self._parts()])
        return self

    def _parts(self):
        return self.base_estimator_.estimators_ if self.n_classes_ > 2 else [self.base_estimator_]

    @property
    def kernel_(self):
        found = [one.kernel_ for one in self._parts()]
        return found[0] if self.n_classes_ == 2 else CompoundKernel(found)

    def predict(self, X):
        return self.base_estimator_.predict(self._read(X))

    def predict_proba(self, X):
        X = self._read(X)
        if self.n_classes_ > 2 and self.multi_class == "one_vs_one":
            raise ValueError("one_vs_one multi-class mode does not support predicting probability estimates. Use one_vs_rest mode instead.")
        return self.base_estimator_.predict_proba(X)

    def latent_mean_and_variance(self, X):
        X = self._read(X)
        if self.n_classes_ > 2:
            raise ValueError("Returning the mean and variance of the latent function f is only supported for binary classification, received "
                             f"{self.n_classes_} classes.")
        return self.base_estimator_.latent_mean_and_variance(X)

    def log_marginal_likelihood(self, theta=None, eval_gradient=False, clone_kernel=True):
        self._need_fit()
        if theta is None:
            if eval_gradient:
                raise ValueError("Gradient can only be evaluated for theta!=None")
            return self.log_marginal_likelihood_value_
        theta = np.asarray(theta, dtype=float)
        if self.n_classes_ == 2:
            return self.base_estimator_.log_marginal_likelihood(theta, eval_gradient)
        if eval_gradient:
            raise NotImplementedError("Gradient of log-marginal-likelihood not implemented for multi-class GPC.")
        parts = self._parts()
        each = parts[0].kernel_.n_dims
        if len(theta) not in (each, each * self.n_classes_):
            raise ValueError(f"Shape of theta must be either {each} or {each * self.n_classes_}. Obtained theta with shape {len(theta)}.")
        return np.mean([one.log_marginal_likelihood(theta if len(theta) == each else theta[each * i:each * (i + 1)])
                        for i, one in enumerate(parts)])
