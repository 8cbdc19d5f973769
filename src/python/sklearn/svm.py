"""Support vector machines: libsvm's search for the pair of samples to change next, with every kernel value computed at first."""

import numpy as np

from .base import BaseEstimator, ClassifierMixin, RegressorMixin
from .utils import _table, check_consistent_length
from .utils.class_weight import compute_class_weight

_TINY = 1e-12


def _solve(kernel, rows, y, p, limit, tol, most):
    """The minimum of `a'Qa / 2 + p'a` with `0 <= a <= limit` and `y'a = 0`; `rows` says which kernel row belongs to each a."""
    alpha, slope = np.zeros(len(y)), p.copy()
    own, up, steps = kernel[rows, rows], y > 0, 0
    while True:
        low_free, high_free = alpha > 0, alpha < limit
        rising, falling = np.where(up, high_free, low_free), np.where(up, low_free, high_free)
        pull = -y * slope
        reach = np.where(rising, pull, -np.inf)
        # The last of equals, as libsvm finds it.
        i = len(y) - 1 - int(reach[::-1].argmax())
        ahead = float(reach[i])
        back = np.where(falling, pull, np.inf)
        if ahead - float(back.min()) < tol or steps == most:
            break
        steps += 1
        row = kernel[rows[i]][rows]
        away = ahead - back
        curve = np.maximum(own[i] + own - 2 * row, _TINY)
        gain = np.where(falling & (away > 0), away * away / curve, -np.inf)
        j = len(y) - 1 - int(gain[::-1].argmax())
        # Both move along the line on which y'a stays the same, as far as their limits let them.
        move = float(away[j] / curve[j])
        room = [float(limit[i] - alpha[i]) if up[i] else float(alpha[i]), float(alpha[j]) if up[j] else float(limit[j] - alpha[j])]
        move = min(move, *room)
        for k, sign in ((i, 1.0), (j, -1.0)):
            before = alpha[k]
            made = before + sign * y[k] * move
            alpha[k] = 0.0 if made < 1e-15 * limit[k] else limit[k] if made > limit[k] * (1 - 1e-15) else made
            slope += (alpha[k] - before) * y[k] * y * kernel[rows[k]][rows]
    pull = y * slope
    free = (alpha > 0) & (alpha < limit)
    if free.any():
        level = float(pull[free].mean())
    else:
        high = np.where(np.where(up, alpha < limit, alpha > 0), pull, np.inf).min()
        low = np.where(np.where(up, alpha > 0, alpha < limit), pull, -np.inf).max()
        level = float(high + low) / 2
    return alpha, level, steps


class _Machine(BaseEstimator):
    def _prepare(self, X):
        self.n_features_in_ = X.shape[1]
        gamma = self.gamma
        if isinstance(gamma, str):
            spread = X.var()
            gamma = 1.0 / (X.shape[1] * spread) if gamma == "scale" and spread else 1.0 / X.shape[1] if gamma == "auto" else 1.0
        self._gamma = float(gamma)

    def _kernel(self, X, Y):
        if callable(self.kernel):
            return np.asarray(self.kernel(X, Y), dtype=float)
        inner = X @ Y.T
        if self.kernel == "linear":
            return inner
        if self.kernel == "poly":
            return (self._gamma * inner + self.coef0) ** self.degree
        if self.kernel == "sigmoid":
            return np.tanh(self._gamma * inner + self.coef0)
        if self.kernel == "rbf":
            apart = (X * X).sum(axis=1)[:, None] + (Y * Y).sum(axis=1)[None] - 2 * inner
            return np.exp(-self._gamma * np.maximum(apart, 0.0))
        raise NotImplementedError(f"{type(self).__name__}: kernel={self.kernel!r} isn't supported here")

    @property
    def coef_(self):
        if self.kernel != "linear":
            raise AttributeError("coef_ is only available when using a linear kernel")
        self._need_fit("_slopes")
        return self._slopes


class SVC(ClassifierMixin, _Machine):
    def __init__(self, *, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, shrinking=True, probability="deprecated", tol=1e-3,
                 cache_size=200, class_weight=None, verbose=False, max_iter=-1, decision_function_shape="ovr", break_ties=False,
                 random_state=None):
        self.C, self.kernel, self.degree, self.gamma, self.coef0, self.shrinking = C, kernel, degree, gamma, coef0, shrinking
        self.probability, self.tol, self.cache_size, self.class_weight = probability, tol, cache_size, class_weight
        self.verbose, self.max_iter, self.decision_function_shape = verbose, max_iter, decision_function_shape
        self.break_ties, self.random_state = break_ties, random_state

    def fit(self, X, y, sample_weight=None):
        if self.probability is True:
            raise NotImplementedError("SVC: probability=True isn't supported here; decision_function says how sure a machine is")
        X, y = _table(X), np.asarray(y)
        check_consistent_length(X, y)
        self._prepare(X)
        self.classes_, labels = np.unique(y, return_inverse=True)
        count = len(self.classes_)
        if count < 2:
            raise ValueError(f"The number of classes has to be greater than one; got {count} class")
        self.class_weight_ = compute_class_weight(self.class_weight, classes=self.classes_, y=y)
        limits = self.C * self.class_weight_[labels] * (1.0 if sample_weight is None else np.asarray(sample_weight, dtype=float))
        order = np.argsort(labels, kind="stable")
        kernel = self._kernel(X, X)
        self._pairs, used, levels, steps, weights = [], np.zeros(len(X), dtype=bool), [], [], []
        for i in range(count):
            for j in range(i + 1, count):
                at = order[(labels[order] == i) | (labels[order] == j)]
                sign = np.where(labels[at] == i, 1.0, -1.0)
                alpha, level, n = _solve(kernel, at, sign, -np.ones(len(at)), limits[at], self.tol, self.max_iter)
                whole = np.zeros(len(X))
                whole[at] = alpha * sign
                weights.append(whole)
                used |= whole != 0
                levels.append(-level)
                steps.append(n)
                self._pairs.append((i, j))
        self.support_ = order[used[order]].astype(np.int32)
        self.support_vectors_ = X[self.support_]
        self.n_support_ = np.bincount(labels[self.support_], minlength=count).astype(np.int32)
        self._weights = np.stack(weights)[:, self.support_]
        self.n_iter_ = np.array(steps, dtype=np.int32)
        # With two classes the second one is the positive one.
        turn = -1.0 if count == 2 else 1.0
        self.intercept_ = turn * np.array(levels)
        self._slopes = turn * self._weights @ self.support_vectors_
        if count == 2:
            self.dual_coef_ = -self._weights
        self.fit_status_ = 0
        return self

    def _sums(self, X):
        self._need_fit("support_")
        X = _table(X)
        self._need_width(X)
        turn = -1.0 if len(self.classes_) == 2 else 1.0
        return turn * self._kernel(X, self.support_vectors_) @ self._weights.T + self.intercept_

    def decision_function(self, X):
        sums, count = self._sums(X), len(self.classes_)
        if count == 2:
            return sums[:, 0]
        if self.decision_function_shape != "ovr":
            return sums
        votes, sure = np.zeros((len(sums), count)), np.zeros((len(sums), count))
        for k, (i, j) in enumerate(self._pairs):
            sure[:, i] += sums[:, k]
            sure[:, j] -= sums[:, k]
            votes[:, i] += sums[:, k] >= 0
            votes[:, j] += sums[:, k] < 0
        return votes + sure / (3 * (np.abs(sure) + 1))

    def predict(self, X):
        sums, count = self._sums(X), len(self.classes_)
        if count == 2:
            return self.classes_[(sums[:, 0] > 0).astype(int)]
        if self.break_ties:
            return self.classes_[self.decision_function(X).argmax(axis=1)]
        votes = np.zeros((len(sums), count))
        for k, (i, j) in enumerate(self._pairs):
            votes[:, i] += sums[:, k] > 0
            votes[:, j] += sums[:, k] <= 0
        return self.classes_[votes.argmax(axis=1)]


class SVR(RegressorMixin, _Machine):
    def __init__(self, *, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-3, C=1.0, epsilon=0.1, shrinking=True,
                 cache_size=200, verbose=False, max_iter=-1):
        self.kernel, self.degree, self.gamma, self.coef0, self.tol, self.C, self.epsilon = kernel, degree, gamma, coef0, tol, C, epsilon
        self.shrinking, self.cache_size, self.verbose, self.max_iter = shrinking, cache_size, verbose, max_iter

    def fit(self, X, y, sample_weight=None):
        X, y = _table(X), np.asarray(y, dtype=float)
        check_consistent_length(X, y)
        self._prepare(X)
        n = len(X)
        rows, sign = np.tile(np.arange(n), 2), np.repeat([1.0, -1.0], n)
        limits = np.tile(self.C * (np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=float)), 2)
        alpha, level, steps = _solve(self._kernel(X, X), rows, sign, np.concatenate([self.epsilon - y, self.epsilon + y]), limits,
                                     self.tol, self.max_iter)
        weights = alpha[:n] - alpha[n:]
        self.support_ = np.flatnonzero(weights).astype(np.int32)
        self.support_vectors_, self.dual_coef_ = X[self.support_], weights[self.support_][None]
        self.n_support_, self.n_iter_ = np.array([len(self.support_)], dtype=np.int32), steps
        self.intercept_, self._slopes = np.array([-level]), self.dual_coef_ @ self.support_vectors_
        self.fit_status_ = 0
        return self

    def predict(self, X):
        self._need_fit("support_")
        X = _table(X)
        self._need_width(X)
        return (self._kernel(X, self.support_vectors_) @ self.dual_coef_.T)[:, 0] + self.intercept_[0]


class LinearSVC(ClassifierMixin, BaseEstimator):
    """The squared hinge loss. It's convex, and Newton's method finds its minimum."""

    def __init__(self, penalty="l2", loss="squared_hinge", *, dual="auto", tol=1e-4, C=1.0, multi_class="ovr", fit_intercept=True,
                 intercept_scaling=1, class_weight=None, verbose=0, random_state=None, max_iter=1000):
        self.penalty, self.loss, self.dual, self.tol, self.C, self.multi_class = penalty, loss, dual, tol, C, multi_class
        self.fit_intercept, self.intercept_scaling, self.class_weight = fit_intercept, intercept_scaling, class_weight
        self.verbose, self.random_state, self.max_iter = verbose, random_state, max_iter

    def fit(self, X, y, sample_weight=None):
        if self.penalty != "l2" or self.loss != "squared_hinge" or self.multi_class != "ovr":
            raise NotImplementedError("LinearSVC: only the squared hinge loss with the L2 penalty is supported here, one class at a time")
        X, y = _table(X), np.asarray(y)
        check_consistent_length(X, y)
        self.n_features_in_ = X.shape[1]
        self.classes_, labels = np.unique(y, return_inverse=True)
        count = len(self.classes_)
        if count < 2:
            raise ValueError("This solver needs samples of at least 2 classes in the data, but the data contains only one class: "
                             f"{self.classes_[0]!r}")
        mass = self.C * compute_class_weight(self.class_weight, classes=self.classes_, y=y)[labels]
        mass = mass if sample_weight is None else mass * np.asarray(sample_weight, dtype=float)
        # The intercept is the weight of one more column, and is penalized like the others.
        wide = np.concatenate([X, np.full((len(X), 1), float(self.intercept_scaling))], axis=1) if self.fit_intercept else X
        found = np.stack([self._newton(wide, np.where(labels == k, 1.0, -1.0), mass) for k in ([1] if count == 2 else range(count))])
        self.coef_ = found[:, :X.shape[1]]
        self.intercept_ = found[:, -1] * self.intercept_scaling if self.fit_intercept else 0.0
        return self

    def _newton(self, X, sign, mass):
        weights = np.zeros(X.shape[1])

        def loss(w):
            lack = np.maximum(1 - sign * (X @ w), 0.0)
            return 0.5 * float(w @ w) + float((mass * lack * lack).sum())

        for self.n_iter_ in range(1, 101):
            lack = 1 - sign * (X @ weights)
            near = lack > 0
            slope = weights - 2 * X[near].T @ (mass * sign * lack)[near]
            curve = np.eye(X.shape[1]) + 2 * (X[near] * mass[near][:, None]).T @ X[near]
            step, size, before = np.linalg.solve(curve, slope), 1.0, loss(weights)
            while size > 1e-4 and loss(weights - size * step) > before - 1e-4 * size * float(slope @ step):
                size /= 2
            weights = weights - size * step
            if float(np.abs(slope).max()) < 1e-9 * max(1.0, float(mass.sum())):
                break
        return weights

    def decision_function(self, X):
        self._need_fit("coef_")
        X = _table(X)
        self._need_width(X)
        sums = X @ self.coef_.T + self.intercept_
        return sums[:, 0] if sums.shape[1] == 1 else sums

    def predict(self, X):
        sums = self.decision_function(X)
        return self.classes_[(sums > 0).astype(int) if sums.ndim == 1 else sums.argmax(axis=1)]


def __getattr__(name):
    if not name.startswith("_"):
        raise NotImplementedError(f"sklearn.svm.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.svm' has no attribute '{name}'")
