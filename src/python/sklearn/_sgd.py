"""Stochastic gradient descent in scikit-learn's order of samples: linear models with one of several losses."""

import math
import operator
import warnings

import numpy as np

from .base import BaseEstimator, ClassifierMixin, _Linear
from .exceptions import ConvergenceWarning
from .linear_model import LogisticRegression
from .utils import _table, check_consistent_length, check_random_state
from .utils.class_weight import compute_class_weight

_MOST = 0x7FFFFFFF


def _hinge(threshold):
    def both(y, p):
        z = p * y
        return (threshold - z, -y) if z <= threshold else (0.0, 0.0)

    return both


def _squared_hinge(y, p):
    z = 1.0 - p * y
    return (z * z, -2 * y * z) if z > 0 else (0.0, 0.0)


def _modified_huber(y, p):
    z = p * y
    return (0.0, 0.0) if z >= 1.0 else ((1.0 - z) ** 2, 2.0 * (1.0 - z) * -y) if z >= -1.0 else (-4.0 * z, -4.0 * y)


def _log(y, p):
    y = 1.0 if y > 0 else 0.0
    if p <= -37:
        return math.exp(p) - y * p, math.exp(p) - y
    small = math.exp(-p)
    lost = math.log1p(math.exp(p)) if p <= -2 else math.log(1.0 + math.exp(p)) if p <= 18 else p + small if p <= 33.3 else p
    return lost - y * p, ((1 - y) - y * small) / (1 + small)


def _squared(y, p):
    return 0.5 * (p - y) ** 2, p - y


def _huber(epsilon):
    def both(y, p):
        away = p - y
        if abs(away) <= epsilon:
            return 0.5 * away * away, away
        return epsilon * (abs(away) - 0.5 * epsilon), epsilon if away >= 0 else -epsilon

    return both


def _insensitive(epsilon, squared):
    def both(y, p):
        over = abs(y - p) - epsilon
        if over <= 0:
            return 0.0, 0.0
        sign = -1.0 if y > p else 1.0
        return (over * over, 2 * sign * over) if squared else (over, sign)

    return both


class _Descent(BaseEstimator):
    _fitted = "coef_"

    def _loss(self):
        made = {"hinge": _hinge(1.0), "perceptron": _hinge(0.0), "squared_hinge": _squared_hinge, "modified_huber": _modified_huber,
                "log_loss": _log, "squared_error": _squared, "huber": _huber(self.epsilon),
                "epsilon_insensitive": _insensitive(self.epsilon, False), "squared_epsilon_insensitive": _insensitive(self.epsilon, True)}
        return made[self.loss]

    def _check(self):
        for name in ("early_stopping", "average", "warm_start"):
            if getattr(self, name):
                raise NotImplementedError(f"{type(self).__name__}: {name}={getattr(self, name)!r} isn't supported here")
        if self.learning_rate in ("pa1", "pa2"):
            raise NotImplementedError(f"{type(self).__name__}: learning_rate={self.learning_rate!r} isn't supported here")

    def _descend(self, X, y, mass, w, intercept, seed, most, heavy, light):
        """The weights, the intercept, and how many times all samples were seen. `heavy` and `light`: the weights of both classes."""
        loss, rate, alpha, eta, t = self._loss(), self.learning_rate, self.alpha, self.eta0, self.t_
        share = {"l2": 0.0, "l1": 1.0, "elasticnet": self.l1_ratio, None: 0.0}[self.penalty]
        thin, order, count = self.penalty in ("l1", "elasticnet"), list(range(len(y))), len(y)
        rows, y, mass, squares = X.tolist(), y.tolist(), mass.tolist(), (X * X).sum(axis=1).tolist()
        # The weights are kept without a common factor, and their square is carried along, rounded as in scikit-learn.
        w, u, q, scale = w.tolist(), 0.0, [0.0] * X.shape[1], 1.0
        square = sum(map(operator.mul, w, w))
        tol, stalled, best, epoch = -math.inf if self.tol is None else self.tol, 0, math.inf, -1
        if rate == "optimal":
            typical = math.sqrt(1.0 / math.sqrt(alpha)) if alpha else math.inf
            first = 1.0 / (typical / max(1.0, loss(1.0, -typical)[1]) * alpha)
        for epoch in range(most):
            total = 0.0
            if self.shuffle:
                now = seed or 1
                for i in range(count - 1):
                    now ^= now << 13 & 0xFFFFFFFF
                    now ^= now >> 17
                    now ^= now << 5 & 0xFFFFFFFF
                    j = i + now % 0x80000000 % (count - i)
                    order[i], order[j] = order[j], order[i]
            for k in order:
                x, target = rows[k], y[k]
                inner = sum(map(operator.mul, w, x))
                p = inner * scale + intercept
                if rate == "optimal":
                    eta = 1.0 / (alpha * (first + t - 1))
                elif rate == "invscaling":
                    eta = self.eta0 / t ** self.power_t
                lost, slope = loss(target, p)
                total += lost
                if self.penalty is not None:
                    total += alpha * ((1 - share) * 0.5 * square + (share * sum(map(abs, w)) * scale if share else 0.0))
                update = -eta * min(max(slope, -1e12), 1e12) * (heavy if target > 0 else light) * mass[k]
                if self.penalty is not None:
                    shrink = max(0.0, 1.0 - (1.0 - share) * eta * alpha)
                    scale *= shrink
                    square *= shrink * shrink
                    if scale < 1e-9:
                        w, scale = [v * scale for v in w], 1.0
                        inner = sum(map(operator.mul, w, x))
                if update:
                    step = update / scale
                    w = [v + c * step for v, c in zip(w, x)]
                    square += squares[k] * update * update + 2.0 * inner * scale * update
                if self.fit_intercept:
                    intercept += update
                if thin:
                    u += share * eta * alpha
                    for i, v in enumerate(w):
                        w[i] = max(0.0, v - (u + q[i]) / scale) if v > 0 else min(0.0, v + (u - q[i]) / scale) if v < 0 else v
                        q[i] += scale * (w[i] - v)
                t += 1
            if not all(map(math.isfinite, w)) or not math.isfinite(intercept):
                raise ValueError(f"Floating-point under-/overflow occurred at epoch #{epoch + 1}. Scaling input data with StandardScaler or "
                                 "MinMaxScaler might help.")
            stalled = stalled + 1 if tol > -math.inf and total / count > best - tol else 0
            best = min(best, total / count)
            if stalled >= self.n_iter_no_change:
                if rate != "adaptive" or eta <= 1e-6:
                    break
                eta, stalled = eta / 5, 0
        return np.array(w) * scale, intercept, epoch + 1

    def _ended(self, most):
        if self.tol is not None and self.n_iter_ == most:
            warnings.warn("Maximum number of iteration reached before convergence. Consider increasing max_iter to improve the fit.",
                          ConvergenceWarning, stacklevel=4)


class _Classes(ClassifierMixin, _Descent):
    def fit(self, X, y, coef_init=None, intercept_init=None, sample_weight=None):
        if coef_init is not None or intercept_init is not None:
            raise NotImplementedError(f"{type(self).__name__}: coef_init and intercept_init aren't supported here")
        for name in ("classes_", "coef_", "t_"):
            vars(self).pop(name, None)
        self._partly(X, y, None, sample_weight, self.max_iter)
        self._ended(self.max_iter)
        return self

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        if self.class_weight == "balanced":
            raise ValueError("class_weight 'balanced' is not supported for partial_fit. In order to use 'balanced' weights, use "
                             "compute_class_weight('balanced', classes=classes, y=y). In place of y you can use a large enough sample of the "
                             "full training set target to properly estimate the class frequency distributions. Pass the resulting weights as "
                             "the class_weight parameter.")
        if not hasattr(self, "classes_") and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        return self._partly(X, y, classes, sample_weight, 1)

    def _partly(self, X, y, classes, sample_weight, most):
        self._check()
        X, y = _table(X), np.asarray(y).ravel()
        check_consistent_length(X, y, sample_weight)
        mass = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        if not hasattr(self, "classes_"):
            self.classes_ = np.unique(y if classes is None else classes)
            if len(self.classes_) < 2:
                raise ValueError(f"The number of classes has to be greater than one; got {len(self.classes_)} class")
            rows = 1 if len(self.classes_) == 2 else len(self.classes_)
            self.coef_, self.intercept_ = np.zeros((rows, X.shape[1])), np.zeros(rows)
            self.n_features_in_, self.t_ = X.shape[1], 1.0
        self._need_width(X)
        weights = compute_class_weight(self.class_weight, classes=self.classes_, y=y).tolist()
        random, count = check_random_state(self.random_state), len(self.classes_)
        steps = []
        several = count > 2
        seeds = random.randint(_MOST, size=count).tolist() if several else [None]
        coefs, intercepts = [], []
        for i, seed in enumerate(seeds):
            own = check_random_state(seed) if several else random
            own.randint(1, _MOST)
            signs = np.where(y == self.classes_[i if several else 1], 1.0, -1.0)
            heavy, light = (weights[i], 1.0) if several else (weights[1], weights[0])
            w, intercept, n = self._descend(X, signs, mass, self.coef_[i], float(self.intercept_[i]), int(own.randint(_MOST)), most, heavy, light)
            coefs.append(w)
            intercepts.append(intercept)
            steps.append(n)
        self.coef_, self.intercept_ = np.stack(coefs), np.array(intercepts)
        self.n_iter_ = max(steps)
        self.t_ += self.n_iter_ * len(y)
        return self

    decision_function = lambda self, X: LogisticRegression.decision_function(self, X)
    predict = lambda self, X: LogisticRegression.predict(self, X)


class SGDClassifier(_Classes):
    """Classes from weighted sums, by small steps for one sample after the other."""

    def __init__(self, loss="hinge", *, penalty="l2", alpha=0.0001, l1_ratio=0.15, fit_intercept=True, max_iter=1000, tol=1e-3, shuffle=True,
                 verbose=0, epsilon=0.1, n_jobs=None, random_state=None, learning_rate="optimal", eta0=0.01, power_t=0.5, early_stopping=False,
                 validation_fraction=0.1, n_iter_no_change=5, class_weight=None, warm_start=False, average=False):
        self.loss, self.penalty, self.alpha, self.l1_ratio, self.fit_intercept = loss, penalty, alpha, l1_ratio, fit_intercept
        self.max_iter, self.tol, self.shuffle, self.verbose, self.epsilon, self.n_jobs = max_iter, tol, shuffle, verbose, epsilon, n_jobs
        self.random_state, self.learning_rate, self.eta0, self.power_t = random_state, learning_rate, eta0, power_t
        self.early_stopping, self.validation_fraction, self.n_iter_no_change = early_stopping, validation_fraction, n_iter_no_change
        self.class_weight, self.warm_start, self.average = class_weight, warm_start, average

    def __getattr__(self, name):
        if name in ("predict_proba", "predict_log_proba"):
            if self.loss not in ("log_loss", "modified_huber"):
                raise AttributeError(f"This 'SGDClassifier' has no attribute '{name}'")
            return self._chances if name == "predict_proba" else lambda X: np.log(self._chances(X))
        raise AttributeError(f"'SGDClassifier' object has no attribute '{name}'")

    def _chances(self, X):
        sums = self.decision_function(X)
        if self.loss == "log_loss":
            made = 1 / (1 + np.exp(-sums))
        else:
            made = (np.clip(sums, -1, 1) + 1) / 2.0
        if made.ndim == 1:
            return np.stack([1 - made, made], axis=1)
        total = made.sum(axis=1)[:, None]
        return np.where(total == 0, 1.0 / made.shape[1], made / np.where(total == 0, 1.0, total))


class Perceptron(_Classes):
    """Classes from weighted sums that change by each sample on the wrong side."""

    loss, learning_rate, epsilon, power_t, average = "perceptron", "constant", 0.1, 0.5, False

    def __init__(self, *, penalty=None, alpha=0.0001, l1_ratio=0.15, fit_intercept=True, max_iter=1000, tol=1e-3, shuffle=True, verbose=0,
                 eta0=1.0, n_jobs=None, random_state=0, early_stopping=False, validation_fraction=0.1, n_iter_no_change=5, class_weight=None,
                 warm_start=False):
        self.penalty, self.alpha, self.l1_ratio, self.fit_intercept, self.max_iter = penalty, alpha, l1_ratio, fit_intercept, max_iter
        self.tol, self.shuffle, self.verbose, self.eta0, self.n_jobs, self.random_state = tol, shuffle, verbose, eta0, n_jobs, random_state
        self.early_stopping, self.validation_fraction, self.n_iter_no_change = early_stopping, validation_fraction, n_iter_no_change
        self.class_weight, self.warm_start = class_weight, warm_start


class SGDRegressor(_Linear, _Descent):
    """Least squares and the like, by small steps for one sample after the other."""

    def __init__(self, loss="squared_error", *, penalty="l2", alpha=0.0001, l1_ratio=0.15, fit_intercept=True, max_iter=1000, tol=1e-3,
                 shuffle=True, verbose=0, epsilon=0.1, random_state=None, learning_rate="invscaling", eta0=0.01, power_t=0.25,
                 early_stopping=False, validation_fraction=0.1, n_iter_no_change=5, warm_start=False, average=False):
        self.loss, self.penalty, self.alpha, self.l1_ratio, self.fit_intercept = loss, penalty, alpha, l1_ratio, fit_intercept
        self.max_iter, self.tol, self.shuffle, self.verbose, self.epsilon = max_iter, tol, shuffle, verbose, epsilon
        self.random_state, self.learning_rate, self.eta0, self.power_t = random_state, learning_rate, eta0, power_t
        self.early_stopping, self.validation_fraction, self.n_iter_no_change = early_stopping, validation_fraction, n_iter_no_change
        self.warm_start, self.average = warm_start, average

    def fit(self, X, y, coef_init=None, intercept_init=None, sample_weight=None):
        if coef_init is not None or intercept_init is not None:
            raise NotImplementedError("SGDRegressor: coef_init and intercept_init aren't supported here")
        for name in ("coef_", "t_"):
            vars(self).pop(name, None)
        self._partly(X, y, sample_weight, self.max_iter)
        self._ended(self.max_iter)
        return self

    def partial_fit(self, X, y, sample_weight=None):
        return self._partly(X, y, sample_weight, 1)

    def _partly(self, X, y, sample_weight, most):
        self._check()
        X, y = _table(X), np.asarray(y, dtype=float).ravel()
        check_consistent_length(X, y, sample_weight)
        mass = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        if not hasattr(self, "coef_"):
            self.coef_, self.intercept_, self.n_features_in_, self.t_ = np.zeros(X.shape[1]), np.zeros(1), X.shape[1], 1.0
        self._need_width(X)
        seed = int(check_random_state(self.random_state).randint(0, _MOST))
        self.coef_, intercept, self.n_iter_ = self._descend(X, y, mass, self.coef_, float(self.intercept_[0]), seed, most, 1.0, 1.0)
        self.intercept_ = np.array([intercept])
        self.t_ += self.n_iter_ * len(y)
        return self
