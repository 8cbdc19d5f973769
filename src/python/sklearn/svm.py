"""Support vector machines: libsvm's search for the pair of samples to change next, with every kernel value computed at first."""

import numpy as np

from .base import BaseEstimator, ClassifierMixin, RegressorMixin
from .utils import _table, check_consistent_length
from .utils.class_weight import compute_class_weight

_TINY = 1e-12


def _nu_pair(kernel, rows, own, up, slope, low_free, high_free):
    """The two samples of one side to change next, and how far from the end the search is."""
    rising = np.where(up, high_free, low_free)
    reach = np.where(rising, np.where(up, -slope, slope), -np.inf)
    best, found = {}, []
    for side in (True, False):
        own_reach = np.where(up == side, reach, -np.inf)
        best[side] = len(slope) - 1 - int(own_reach[::-1].argmax())
    ahead = {side: float(reach[i]) if up[i] == side else -np.inf for side, i in best.items()}
    falling = np.where(up, low_free, high_free)
    back = np.where(up, slope, -slope)
    away = np.where(up, ahead[True], ahead[False]) + back
    rest = max(ahead[side] + float(np.where(falling & (up == side), back, -np.inf).max()) for side in (True, False))
    row = np.where(up, kernel[rows[best[True]]][rows], kernel[rows[best[False]]][rows])
    curve = np.maximum(np.where(up, own[best[True]], own[best[False]]) + own - 2 * row, _TINY)
    gain = np.where(falling & (away > 0), away * away / curve, -np.inf)
    j = len(slope) - 1 - int(gain[::-1].argmax())
    return best[bool(up[j])], j, float(away[j] / curve[j]), rest


def _nu_levels(slope, up, alpha, limit):
    """The margin, and where the middle between the sides is."""
    found = []
    for side in (True, False):
        free = (alpha > 0) & (alpha < limit) & (up == side)
        if free.any():
            found.append(float(slope[free].mean()))
        else:
            above = np.where((up == side) & (alpha <= 0), slope, np.inf).min()
            below = np.where((up == side) & (alpha >= limit), slope, -np.inf).max()
            found.append(float(above + below) / 2)
    return (found[0] + found[1]) / 2, (found[0] - found[1]) / 2


def _solve(kernel, rows, y, p, limit, tol, most, alpha=None, nu=False):
    """The minimum of `a'Qa / 2 + p'a` with `0 <= a <= limit` and `y'a = 0`; `rows` says which kernel row belongs to each a."""
    slope, own, up, steps = p.copy(), kernel[rows, rows], y > 0, 0
    # libsvm keeps all other values of the kernel in single precision.
    kernel = kernel.astype(np.float32).astype(float)
    if alpha is None:
        alpha = np.zeros(len(y))
    else:
        slope = slope + y * (kernel[rows][:, rows] @ (y * alpha))
    while True:
        low_free, high_free = alpha > 0, alpha < limit
        if nu:
            i, j, move, rest = _nu_pair(kernel, rows, own, up, slope, low_free, high_free)
            if rest < tol or steps == most:
                return alpha, _nu_levels(slope, up, alpha, limit), steps
            steps += 1
            slope = _moved(kernel, rows, y, up, alpha, slope, limit, i, j, move)
            continue
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
        slope = _moved(kernel, rows, y, up, alpha, slope, limit, i, j, float(away[j] / curve[j]))
    pull = y * slope
    free = (alpha > 0) & (alpha < limit)
    if free.any():
        level = float(pull[free].mean())
    else:
        high = np.where(np.where(up, alpha < limit, alpha > 0), pull, np.inf).min()
        low = np.where(np.where(up, alpha > 0, alpha < limit), pull, -np.inf).max()
        level = float(high + low) / 2
    return alpha, level, steps


def _moved(kernel, rows, y, up, alpha, slope, limit, i, j, move):
    """Moves two along the line on which y'a stays the same, as far as their limits let them, and returns the slopes there."""
    room = [float(limit[i] - alpha[i]) if up[i] else float(alpha[i]), float(alpha[j]) if up[j] else float(limit[j] - alpha[j])]
    move = min(move, *room)
    for k, sign in ((i, 1.0), (j, -1.0)):
        before = alpha[k]
        made = before + sign * y[k] * move
        alpha[k] = 0.0 if made < 1e-15 * limit[k] else limit[k] if made > limit[k] * (1 - 1e-15) else made
        slope = slope + (alpha[k] - before) * y[k] * y * kernel[rows[k]][rows]
    return slope


def _spread(total, limits, chosen):
    """As much as each of the chosen may have, one after the other, until nothing is left."""
    made = np.zeros(len(limits))
    for k in np.flatnonzero(chosen).tolist():
        made[k] = min(float(limits[k]), total)
        total -= made[k]
    return made


class _Machine(BaseEstimator):
    _fitted = "_slopes"

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
        self._need_fit()
        return self._slopes


class SVC(ClassifierMixin, _Machine):
    _fitted = "support_"

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
                alpha, level, n = self._two(kernel, at, sign, limits[at])
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
        else:
            # A row for each other class.
            own = labels[self.support_]
            self.dual_coef_ = np.zeros((count - 1, len(own)))
            for k, (i, j) in enumerate(self._pairs):
                for mine, row in ((i, j - 1), (j, i)):
                    self.dual_coef_[row, own == mine] = self._weights[k, own == mine]
        self.fit_status_ = 0
        return self

    def _two(self, kernel, at, sign, limits):
        return _solve(kernel, at, sign, -np.ones(len(at)), limits, self.tol, self.max_iter)

    def _sums(self, X):
        X = self._read(X)
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


class NuSVC(SVC):
    """A machine that is told what part of the samples may be support vectors and errors."""

    C = 1.0

    def __init__(self, *, nu=0.5, kernel="rbf", degree=3, gamma="scale", coef0=0.0, shrinking=True, probability="deprecated", tol=1e-3,
                 cache_size=200, class_weight=None, verbose=False, max_iter=-1, decision_function_shape="ovr", break_ties=False,
                 random_state=None):
        self.nu, self.kernel, self.degree, self.gamma, self.coef0, self.shrinking = nu, kernel, degree, gamma, coef0, shrinking
        self.probability, self.tol, self.cache_size, self.class_weight = probability, tol, cache_size, class_weight
        self.verbose, self.max_iter, self.decision_function_shape = verbose, max_iter, decision_function_shape
        self.break_ties, self.random_state = break_ties, random_state

    def fit(self, X, y, sample_weight=None):
        if self.class_weight is not None or sample_weight is not None:
            raise NotImplementedError("NuSVC: class_weight and sample_weight aren't supported here")
        counts = np.unique(np.asarray(y), return_counts=True)[1].tolist()
        for k, one in enumerate(counts):
            for other in counts[k + 1:]:
                if self.nu * (one + other) / 2 > min(one, other):
                    raise ValueError("specified nu is infeasible")
        return super().fit(X, y)

    def _two(self, kernel, at, sign, limits):
        each = self.nu * float(limits.sum()) / 2
        start = _spread(each, limits, sign > 0) + _spread(each, limits, sign < 0)
        alpha, (margin, level), n = _solve(kernel, at, sign, np.zeros(len(at)), limits, self.tol, self.max_iter, start, True)
        return alpha / margin, level / margin, n


class SVR(RegressorMixin, _Machine):
    _fitted = "support_"

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
        alpha, level, steps = self._both(self._kernel(X, X), rows, sign, y, limits)
        weights = alpha[:n] - alpha[n:]
        self.support_ = np.flatnonzero(weights).astype(np.int32)
        self.support_vectors_, self.dual_coef_ = X[self.support_], weights[self.support_][None]
        self.n_support_, self.n_iter_ = np.array([len(self.support_)], dtype=np.int32), steps
        self.intercept_, self._slopes = np.array([-level]), self.dual_coef_ @ self.support_vectors_
        self.fit_status_ = 0
        return self

    def _both(self, kernel, rows, sign, y, limits):
        return _solve(kernel, rows, sign, np.concatenate([self.epsilon - y, self.epsilon + y]), limits, self.tol, self.max_iter)

    def predict(self, X):
        X = self._read(X)
        return (self._kernel(X, self.support_vectors_) @ self.dual_coef_.T)[:, 0] + self.intercept_[0]


class NuSVR(SVR):
    """A regression that chooses its tube so that a part of the samples is outside."""

    def __init__(self, *, nu=0.5, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, shrinking=True, tol=1e-3, cache_size=200,
                 verbose=False, max_iter=-1):
        self.nu, self.C, self.kernel, self.degree, self.gamma, self.coef0, self.tol = nu, C, kernel, degree, gamma, coef0, tol
        self.shrinking, self.cache_size, self.verbose, self.max_iter = shrinking, cache_size, verbose, max_iter

    def _both(self, kernel, rows, sign, y, limits):
        n = len(y)
        start = np.tile(_spread(self.nu * float(limits[:n].sum()) / 2, limits[:n], np.ones(n, dtype=bool)), 2)
        alpha, (_, level), n = _solve(kernel, rows, sign, np.concatenate([-y, y]), limits, self.tol, self.max_iter, start, True)
        return alpha, level, n


class OneClassSVM(_Machine):
    """Which samples are like most others."""

    _fitted = "support_"

    def __init__(self, *, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-3, nu=0.5, shrinking=True, cache_size=200,
                 verbose=False, max_iter=-1):
        self.kernel, self.degree, self.gamma, self.coef0, self.tol, self.nu = kernel, degree, gamma, coef0, tol, nu
        self.shrinking, self.cache_size, self.verbose, self.max_iter = shrinking, cache_size, verbose, max_iter

    def fit(self, X, y=None, sample_weight=None):
        if sample_weight is not None:
            raise NotImplementedError("OneClassSVM: sample_weight isn't supported here")
        X = _table(X)
        self._prepare(X)
        ones = np.ones(len(X))
        start = _spread(self.nu * len(X), ones, ones > 0)
        alpha, level, self.n_iter_ = _solve(self._kernel(X, X), np.arange(len(X)), ones, np.zeros(len(X)), ones, self.tol, self.max_iter, start)
        self.support_ = np.flatnonzero(alpha).astype(np.int32)
        self.support_vectors_, self.dual_coef_ = X[self.support_], alpha[self.support_][None]
        self.n_support_, self.fit_status_ = np.array([len(self.support_)], dtype=np.int32), 0
        self.intercept_, self.offset_, self._slopes = np.array([-level]), np.array([level]), self.dual_coef_ @ self.support_vectors_
        return self

    def score_samples(self, X):
        X = self._read(X)
        return (self._kernel(X, self.support_vectors_) @ self.dual_coef_.T)[:, 0]

    def decision_function(self, X):
        return self.score_samples(X) - self.offset_

    def predict(self, X):
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def fit_predict(self, X, y=None):
        return self.fit(X).predict(X)


class LinearSVC(ClassifierMixin, BaseEstimator):
    """The squared hinge loss. It's convex, and Newton's method finds its minimum."""

    _fitted = "coef_"

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
        X = self._read(X)
        sums = X @ self.coef_.T + self.intercept_
        return sums[:, 0] if sums.shape[1] == 1 else sums

    def predict(self, X):
        sums = self.decision_function(X)
        return self.classes_[(sums > 0).astype(int) if sums.ndim == 1 else sums.argmax(axis=1)]


def __getattr__(name):
    if not name.startswith("_"):
        raise NotImplementedError(f"sklearn.svm.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.svm' has no attribute '{name}'")
