"""Least squares and logistic regression."""

import math
import warnings

import numpy as np

from .base import BaseEstimator, ClassifierMixin, _Linear
from .exceptions import ConvergenceWarning
from .metrics import accuracy_score, r2_score
from .utils import _table, check_consistent_length
from .utils.class_weight import _weighted

# Loaded when a program asks for one.
_LATER = ("SGDClassifier", "SGDRegressor", "Perceptron", "LassoCV", "ElasticNetCV", "LogisticRegressionCV",
          "BayesianRidge", "HuberRegressor")
__all__ = ["ElasticNet", "Lasso", "LinearRegression", "LogisticRegression", "Ridge", "RidgeCV", "RidgeClassifier", "RidgeClassifierCV", *_LATER]


class LinearRegression(_Linear):
    """Ordinary least squares: X of shape (n, features), y of shape (n,) or (n, targets)."""

    def __init__(self, *, fit_intercept=True, copy_X=True, tol=1e-6, n_jobs=None, positive=False):
        self.fit_intercept, self.copy_X, self.tol, self.n_jobs, self.positive = fit_intercept, copy_X, tol, n_jobs, positive

    def fit(self, X, y, sample_weight=None):
        if self.positive:
            raise NotImplementedError("LinearRegression: positive=True isn't supported here")
        X, y = _table(X), np.asarray(y, dtype=float)
        check_consistent_length(X, y, sample_weight)
        # Centered columns make the intercept independent of the slopes.
        mass = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        around, level = (np.average(X, 0, mass), np.average(y, 0, mass)) if self.fit_intercept else (0.0, 0.0)
        left, right = X - around, y - level
        if mass is not None:
            left, right = left * np.sqrt(mass)[:, None], (right.T * np.sqrt(mass)).T
        slopes, _, self.rank_, self.singular_ = np.linalg.lstsq(left, right, rcond=None)
        self.coef_ = slopes.T
        self.intercept_ = level - np.dot(around, slopes) if self.fit_intercept else 0.0
        self.n_features_in_ = X.shape[1]
        return self


class _Penalized(_Linear):
    def _centered(self, X, y):
        X, y = _table(X), np.asarray(y, dtype=float)
        check_consistent_length(X, y)
        around, level = (X.mean(axis=0), y.mean(axis=0)) if self.fit_intercept else (np.zeros(X.shape[1]), 0.0)
        self.n_features_in_ = X.shape[1]
        return X - around, y - level, around, level

    def _placed(self, around, level):
        self.intercept_ = level - self.coef_ @ around if self.fit_intercept else 0.0


class Ridge(_Penalized):
    """Least squares with a penalty on squared weights."""

    def __init__(self, alpha=1.0, *, fit_intercept=True, copy_X=True, max_iter=None, tol=1e-4, solver="auto", positive=False,
                 random_state=None):
        self.alpha, self.fit_intercept, self.copy_X, self.max_iter, self.tol = alpha, fit_intercept, copy_X, max_iter, tol
        self.solver, self.positive, self.random_state = solver, positive, random_state

    def fit(self, X, y, sample_weight=None):
        if self.positive or sample_weight is not None:
            raise NotImplementedError("Ridge: positive=True and sample_weight aren't supported here")
        X, y, around, level = self._centered(X, y)
        inner = X.T @ X + np.diag(np.broadcast_to(np.asarray(self.alpha, dtype=float), (X.shape[1],)))
        self.coef_ = np.linalg.solve(inner, X.T @ y).T
        self._placed(around, level)
        self.n_iter_ = None
        return self


class RidgeClassifier(ClassifierMixin, BaseEstimator):
    """Ridge regression to -1 and 1, one class at a time."""

    _fitted = "coef_"

    def __init__(self, alpha=1.0, *, fit_intercept=True, copy_X=True, max_iter=None, tol=1e-4, class_weight=None, solver="auto",
                 positive=False, random_state=None):
        self.alpha, self.fit_intercept, self.copy_X, self.max_iter, self.tol = alpha, fit_intercept, copy_X, max_iter, tol
        self.class_weight, self.solver, self.positive, self.random_state = class_weight, solver, positive, random_state

    def fit(self, X, y, sample_weight=None):
        if self.class_weight is not None or sample_weight is not None or self.positive:
            raise NotImplementedError("RidgeClassifier: class_weight, sample_weight and positive=True aren't supported here")
        y = np.asarray(y)
        self.classes_ = np.unique(y)
        wanted = np.where(y[:, None] == self.classes_, 1.0, -1.0)
        inner = Ridge(self.alpha, fit_intercept=self.fit_intercept).fit(X, wanted[:, 1:] if len(self.classes_) == 2 else wanted)
        self.coef_, self.intercept_, self.n_features_in_ = np.atleast_2d(inner.coef_), np.atleast_1d(inner.intercept_), inner.n_features_in_
        return self

    decision_function = lambda self, X: LogisticRegression.decision_function(self, X)
    predict = lambda self, X: LogisticRegression.predict(self, X)


class RidgeCV(_Penalized):
    """Ridge regression with the strength that leaves out each sample best."""

    def __init__(self, alphas=(0.1, 1.0, 10.0), *, fit_intercept=True, scoring=None, cv=None, gcv_mode=None, store_cv_results=False,
                 alpha_per_target=False):
        self.alphas, self.fit_intercept, self.scoring, self.cv = alphas, fit_intercept, scoring, cv
        self.gcv_mode, self.store_cv_results, self.alpha_per_target = gcv_mode, store_cv_results, alpha_per_target

    def fit(self, X, y):
        if self.scoring is not None or self.cv is not None or self.store_cv_results or np.ndim(y) > 1:
            raise NotImplementedError("RidgeCV: scoring, cv, store_cv_results and several targets aren't supported here")
        self.best_score_, self.alpha_ = self._best(X, y)
        made = Ridge(self.alpha_, fit_intercept=self.fit_intercept).fit(X, y)
        self.coef_, self.intercept_, self.n_features_in_ = made.coef_, made.intercept_, made.n_features_in_
        return self

    def _best(self, X, y):
        """The score of the best strength, and this strength."""
        inner, right, _, _ = _Penalized._centered(self, X, y)
        left, sizes, _ = np.linalg.svd(inner, full_matrices=False)
        right = right.reshape(len(right), -1)
        seen, best = left.T @ right, None
        for alpha in np.atleast_1d(self.alphas).tolist():
            share = sizes ** 2 / (sizes ** 2 + alpha)
            hat = (left * left * share).sum(axis=1) + (1.0 / len(right) if self.fit_intercept else 0.0)
            error = float((((right - left @ (share[:, None] * seen)) / (1 - hat)[:, None]) ** 2).mean())
            if best is None or error < best[0]:
                best = (error, alpha)
        return -best[0], best[1]


class RidgeClassifierCV(ClassifierMixin, BaseEstimator):
    """Ridge regression to -1 and 1, with the strength that leaves out each sample best."""

    _fitted = "coef_"

    def __init__(self, alphas=(0.1, 1.0, 10.0), *, fit_intercept=True, scoring=None, cv=None, class_weight=None, store_cv_results=False):
        self.alphas, self.fit_intercept, self.scoring, self.cv = alphas, fit_intercept, scoring, cv
        self.class_weight, self.store_cv_results = class_weight, store_cv_results

    def fit(self, X, y, sample_weight=None):
        if self.scoring is not None or self.cv is not None or self.store_cv_results or self.class_weight is not None or sample_weight is not None:
            raise NotImplementedError("RidgeClassifierCV: scoring, cv, class_weight, sample_weight and store_cv_results aren't supported here")
        y = np.asarray(y)
        self.classes_ = np.unique(y)
        wanted = np.where(y[:, None] == self.classes_, 1.0, -1.0)
        wanted = wanted[:, 1:] if len(self.classes_) == 2 else wanted
        self.best_score_, self.alpha_ = RidgeCV._best(self, X, wanted)
        inner = Ridge(self.alpha_, fit_intercept=self.fit_intercept).fit(X, wanted)
        self.coef_, self.intercept_, self.n_features_in_ = inner.coef_, np.atleast_1d(inner.intercept_), inner.n_features_in_
        return self

    decision_function = lambda self, X: LogisticRegression.decision_function(self, X)
    predict = lambda self, X: LogisticRegression.predict(self, X)


class ElasticNet(_Penalized):
    """Least squares with a penalty on weights and on squared weights, one weight after the other."""

    def __init__(self, alpha=1.0, *, l1_ratio=0.5, fit_intercept=True, precompute=False, max_iter=1000, copy_X=True, tol=1e-4,
                 warm_start=False, positive=False, random_state=None, selection="cyclic"):
        self.alpha, self.l1_ratio, self.fit_intercept, self.precompute, self.max_iter = alpha, l1_ratio, fit_intercept, precompute, max_iter
        self.copy_X, self.tol, self.warm_start, self.positive = copy_X, tol, warm_start, positive
        self.random_state, self.selection = random_state, selection

    def fit(self, X, y, sample_weight=None, check_input=True):
        if self.positive or sample_weight is not None or self.selection != "cyclic" or self.warm_start:
            raise NotImplementedError(f"{type(self).__name__}: positive, sample_weight, warm_start and selection='random' aren't supported "
                                      "here")
        X, y, around, level = self._centered(X, y)
        flat = y.ndim == 1
        found = [self._descend(X, column) for column in (y[:, None] if flat else y).T]
        self.coef_ = found[0][0] if flat else np.stack([f[0] for f in found])
        gaps, steps = [f[1] for f in found], [f[2] for f in found]
        self.dual_gap_, self.n_iter_ = (gaps[0], steps[0]) if flat else (np.array(gaps), steps)
        self._placed(around, level)
        return self

    def _descend(self, X, y, start=None):
        n = len(X)
        first, second = self.alpha * self.l1_ratio * n, self.alpha * (1 - self.l1_ratio) * n
        # Products of columns are all that the steps need. Plain numbers are faster than short arrays.
        inner, wanted, total = (X.T @ X).tolist(), (X.T @ y).tolist(), float(y @ y)
        count = len(wanted)
        w, fitted = [0.0] * count, [0.0] * count
        if start is not None:
            w = start.tolist()
            fitted = [sum(a * b for a, b in zip(row, w)) for row in inner]
        tolerance, gap = self.tol * total, float("inf")
        for step in range(1, self.max_iter + 1):
            largest = change = 0.0
            for j in range(count):
                own = inner[j][j]
                if own == 0.0:
                    continue
                before = w[j]
                pull = wanted[j] - fitted[j] + own * before
                w[j] = (pull - first if pull > first else pull + first if pull < -first else math.copysign(0.0, pull)) / (own + second)
                moved = w[j] - before
                if moved:
                    row = inner[j]
                    fitted = [f + moved * r for f, r in zip(fitted, row)]
                change, largest = max(change, abs(moved)), max(largest, abs(w[j]))
            if largest == 0.0 or change / largest < self.tol or step == self.max_iter:
                left = total - 2 * sum(a * b for a, b in zip(w, wanted)) + sum(a * b for a, b in zip(w, fitted))
                squares = sum(v * v for v in w)
                dual = max(abs(a - b - second * v) for a, b, v in zip(wanted, fitted, w)) if count else 0.0
                share = first / dual if dual > first else 1.0
                gap = 0.5 * left * (1 + share ** 2) if dual > first else left
                along = total - sum(a * b for a, b in zip(w, wanted))
                gap += first * sum(map(abs, w)) - share * along + 0.5 * second * (1 + share ** 2) * squares
                if gap <= tolerance:
                    break
        else:
            step = self.max_iter
        if gap > tolerance:
            warnings.warn("Objective did not converge. You might want to increase the number of iterations, check the scale of the "
                          f"features or consider increasing regularisation. Duality gap: {gap:.3e}, tolerance: {tolerance:.3e}", ConvergenceWarning,
                          stacklevel=3)
        return np.array(w), gap / n, step


class Lasso(ElasticNet):
    """Least squares with a penalty on weights, which makes some of them zero."""

    def __init__(self, alpha=1.0, *, fit_intercept=True, precompute=False, copy_X=True, max_iter=1000, tol=1e-4, warm_start=False,
                 positive=False, random_state=None, selection="cyclic"):
        super().__init__(alpha, l1_ratio=1.0, fit_intercept=fit_intercept, precompute=precompute, max_iter=max_iter, copy_X=copy_X, tol=tol,
                         warm_start=warm_start, positive=positive, random_state=random_state, selection=selection)


class LogisticRegression(BaseEstimator):
    """Classes from weighted sums: with scikit-learn's own search for `lbfgs`; Newton's method finds the minimum for the other solvers."""

    _fitted = "coef_"

    def __init__(self, penalty="deprecated", *, C=1.0, l1_ratio=0.0, dual=False, tol=1e-4, fit_intercept=True, intercept_scaling=1,
                 class_weight=None, random_state=None, solver="lbfgs", max_iter=100, verbose=0, warm_start=False, n_jobs=None):
        self.penalty, self.C, self.l1_ratio, self.dual, self.tol, self.fit_intercept = penalty, C, l1_ratio, dual, tol, fit_intercept
        self.intercept_scaling, self.class_weight, self.random_state, self.solver = intercept_scaling, class_weight, random_state, solver
        self.max_iter, self.verbose, self.warm_start, self.n_jobs = max_iter, verbose, warm_start, n_jobs

    def fit(self, X, y, sample_weight=None):
        kind, strength = self._penalty()
        if self.n_jobs is not None:
            warnings.warn(f"'n_jobs' has no effect since 1.8 and will be removed in 1.10. You provided 'n_jobs={self.n_jobs}', please leave it "
                          "unspecified.", FutureWarning, stacklevel=2)
        X, y = _table(X), np.asarray(y)
        check_consistent_length(X, y)
        mass = _weighted(self.class_weight, y, sample_weight)
        self._mass = np.ones(len(y)) if mass is None else mass
        self.classes_, labels = np.unique(y, return_inverse=True)
        count = len(self.classes_)
        if count < 2:
            raise ValueError("This solver needs samples of at least 2 classes in the data, but the data contains only one class: "
                             f"{self.classes_[0]!r}")
        if self.solver == "liblinear" and count > 2:
            raise ValueError("The 'liblinear' solver does not support multiclass classification (n_classes >= 3). Either use another solver or "
                             "wrap the estimator in a OneVsRestClassifier to keep applying a one-versus-rest scheme.")
        self.n_features_in_ = X.shape[1]
        wide = np.concatenate([X, np.ones((len(X), 1))], axis=1) if self.fit_intercept else X
        penalized = np.ones(wide.shape[1])
        if self.fit_intercept:
            # liblinear's intercept is a weight like the others.
            penalized[-1] = 1.0 / self.intercept_scaling ** 2 if self.solver == "liblinear" else 0.0
        if self.solver == "lbfgs":
            found = self._lbfgs(wide, labels, penalized, count, strength)
        elif strength == math.inf:
            raise NotImplementedError(f"LogisticRegression: solver={self.solver!r} without a penalty isn't supported here; 'lbfgs' is")
        else:
            found = self._newton(wide, labels, penalized, count)
        self.coef_ = found[:, :X.shape[1]]
        self.intercept_ = found[:, -1] if self.fit_intercept else np.zeros(len(found))
        return self

    def _penalty(self):
        """The kind of penalty and its inverse strength, which is infinite without one."""
        kind = self.penalty
        if kind == "deprecated":
            kind = "l2" if self.l1_ratio in (0, None) else "l1" if self.l1_ratio == 1 else "elasticnet"
            kind = None if self.C == math.inf else kind
        else:
            warnings.warn("'penalty' was deprecated in version 1.8 and will be removed in 1.10. To avoid this warning, leave 'penalty' set to its "
                          "default value and use 'l1_ratio' or 'C' instead. Use l1_ratio=0 instead of penalty='l2', l1_ratio=1 instead of "
                          "penalty='l1', l1_ratio set to a float between 0 and 1 instead of penalty='elasticnet', and C=np.inf instead of "
                          "penalty=None.", FutureWarning, stacklevel=3)
        if self.solver not in ("liblinear", "saga") and kind not in ("l2", None):
            raise ValueError(f"Solver {self.solver} supports only 'l2' or None penalties, got {kind} penalty.")
        if self.solver == "liblinear" and kind is None:
            raise ValueError("penalty=None is not supported for the liblinear solver")
        if kind == "l2" and self.penalty == "l2" and self.l1_ratio:
            warnings.warn(f"Inconsistent values: penalty={kind} with l1_ratio={self.l1_ratio}. penalty is deprecated. Please use l1_ratio only.",
                          UserWarning, stacklevel=3)
        if self.penalty is None and self.C != 1.0:
            warnings.warn("Setting penalty=None will ignore the C and l1_ratio parameters", UserWarning, stacklevel=3)
        if kind not in ("l2", None) or self.dual:
            raise NotImplementedError("LogisticRegression: only the L2 penalty, and no dual problem, is supported here")
        return kind, math.inf if kind is None else self.C

    def _lbfgs(self, X, labels, penalized, count, strength):
        from ._lbfgs import minimize

        rows, width = 1 if count == 2 else count, X.shape[1]
        mass = self._mass / self._mass.sum()
        pull = 0.0 if strength == math.inf else 1.0 / (strength * float(self._mass.sum()))
        wanted = (labels == 1).astype(float) if rows == 1 else (labels[:, None] == np.arange(count)).astype(float)
        at = np.arange(len(X))

        def loss(w):
            w = w.reshape(rows, width)
            sums = X @ w.T
            if rows == 1:
                sums = sums[:, 0]
                lost = np.logaddexp(0.0, sums) - wanted * sums
                slope = mass * (1 / (1 + np.exp(-np.clip(sums, -500, 500))) - wanted)
                slope = (slope @ X)[None]
            else:
                top = sums.max(axis=1)
                grown = np.exp(sums - top[:, None])
                total = grown.sum(axis=1)
                lost = np.log(total) + top - sums[at, labels]
                slope = ((grown / total[:, None] - wanted) * mass[:, None]).T @ X
            small = w * penalized
            return float(mass @ lost + 0.5 * pull * (small * w).sum()), (slope + pull * small).reshape(-1)

        first = getattr(self, "_start", None)
        found, steps, ended = minimize(loss, np.zeros(rows * width) if first is None else first.reshape(-1), most=self.max_iter, gtol=self.tol, ftol=64 * float(np.finfo(float).eps))
        self.n_iter_ = np.array([steps], dtype=np.int32)
        if ended is not None:
            advice = "Increase the number of iterations to improve the convergence" if ended[:4] == "STOP" else "Please review the data"
            warnings.warn(
                f"lbfgs failed to converge after {steps} iteration(s) (status={1 if ended[:4] == 'STOP' else 2}):\n{ended}\n\n"
                f"{advice} (max_iter={self.max_iter}).\nYou might also want to scale the data as shown in:\n    "
                "https://scikit-learn.org/stable/modules/preprocessing.html\nPlease also refer to the documentation for alternative solver "
                "options:\n    https://scikit-learn.org/stable/modules/linear_model.html#logistic-regression", ConvergenceWarning, stacklevel=3)
        return found.reshape(rows, width)

    def _newton(self, X, labels, penalized, count):
        rows = 1 if count == 2 else count
        wanted = (labels == 1).astype(float)[:, None] if rows == 1 else (labels[:, None] == np.arange(count)).astype(float)
        weights, width = np.zeros((rows, X.shape[1])), X.shape[1]

        def loss(w):
            sums = X @ w.T
            if rows == 1:
                sums = np.concatenate([np.zeros((len(X), 1)), sums], axis=1)
            top = sums.max(axis=1)
            picked = sums[np.arange(len(X)), labels]
            lost = self._mass * (np.log(np.exp(sums - top[:, None]).sum(axis=1)) + top - picked)
            return float(self.C * lost.sum() + 0.5 * (w * w * penalized).sum())

        for _ in range(100):
            sums = X @ weights.T
            if rows == 1:
                chances = 1 / (1 + np.exp(-np.clip(sums, -500, 500)))
            else:
                chances = np.exp(sums - sums.max(axis=1)[:, None])
                chances = chances / chances.sum(axis=1)[:, None]
            slope = self.C * ((chances - wanted) * self._mass[:, None]).T @ X + weights * penalized
            curved = np.zeros((rows * width, rows * width))
            for i in range(rows):
                for j in range(rows):
                    share = self._mass * chances[:, i] * ((1.0 if i == j else 0.0) - chances[:, j])
                    curved[i * width:(i + 1) * width, j * width:(j + 1) * width] = self.C * (X * share[:, None]).T @ X
            # The intercepts of several classes may all grow by the same number: a tiny penalty keeps their sum where it is.
            curved = curved + np.diag(np.tile(np.where(penalized == 0, 1e-9, penalized), rows))
            step = np.linalg.solve(curved, slope.reshape(-1)).reshape(rows, width)
            before, size = loss(weights), 1.0
            largest = float(np.abs(step).max())
            # Near the minimum a whole step is right, and the loss is too flat to compare.
            while largest > 1e-3 and size > 1e-3 and loss(weights - size * step) > before:
                size /= 2
            weights = weights - size * step
            if largest < 1e-7:
                break
        return weights

    def decision_function(self, X):
        X = self._read(X)
        sums = X @ self.coef_.T + self.intercept_
        return sums[:, 0] if sums.shape[1] == 1 else sums

    def predict_proba(self, X):
        sums = self.decision_function(X)
        if sums.ndim == 1:
            right = 1 / (1 + np.exp(-sums))
            return np.stack([1 - right, right], axis=1)
        made = np.exp(sums - sums.max(axis=1)[:, None])
        return made / made.sum(axis=1)[:, None]

    def predict_log_proba(self, X):
        return np.log(self.predict_proba(X))

    def predict(self, X):
        sums = self.decision_function(X)
        return self.classes_[(sums > 0).astype(int) if sums.ndim == 1 else sums.argmax(axis=1)]

    def score(self, X, y):
        return accuracy_score(y, self.predict(X))


def __getattr__(name):
    if name == "BayesianRidge":
        from ._bayes_ridge import BayesianRidge

        return BayesianRidge
    if name == "HuberRegressor":
        from ._huber import HuberRegressor

        return HuberRegressor
    if name in _LATER:
        from . import _paths, _sgd

        return getattr(_paths if name[-2:] == "CV" else _sgd, name)
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.linear_model.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.linear_model' has no attribute '{name}'")
