"""Choosing columns."""

import numpy as np

from .base import BaseEstimator, TransformerMixin, clone
from .utils import _table, check_consistent_length


def _right_of_f(statistic, first, second):
    from scipy.special import betainc

    with np.errstate(all="ignore"):
        return betainc(second / 2, first / 2, second / (second + first * np.asarray(statistic, dtype=float)))


def f_classif(X, y):
    """The F statistic of each column between classes, and its p value."""
    X, y = _table(X), np.asarray(y)
    check_consistent_length(X, y)
    groups = [X[y == label] for label in np.unique(y)]
    count, classes = len(X), len(groups)
    total = X.sum(axis=0)
    whole = (X * X).sum(axis=0) - total * total / count
    between = sum(g.sum(axis=0) ** 2 / len(g) for g in groups) - total * total / count
    with np.errstate(all="ignore"):
        f = between / (classes - 1) / ((whole - between) / (count - classes))
    return f, _right_of_f(f, classes - 1, count - classes)


def r_regression(X, y, *, center=True, force_finite=True):
    """Pearson's correlation of each column with the target."""
    X, y = _table(X), np.asarray(y, dtype=float)
    if center:
        X, y = X - X.mean(axis=0), y - y.mean()
    with np.errstate(all="ignore"):
        made = y @ X / np.sqrt((X * X).sum(axis=0)) / np.sqrt((y * y).sum())
    return np.where(np.isnan(made), 0.0, made) if force_finite else made


def f_regression(X, y, *, center=True, force_finite=True):
    r = r_regression(X, y, center=center, force_finite=force_finite)
    left = len(y) - (2 if center else 1)
    with np.errstate(all="ignore"):
        f = r * r / (1 - r * r) * left
    return f, _right_of_f(f, 1, left)


def chi2(X, y):
    """The chi-squared statistic of each column of counts between classes, and its p value."""
    from scipy.special import gammaincc

    X, y = _table(X), np.asarray(y)
    if (X < 0).any():
        raise ValueError("Input X must be non-negative.")
    classes = np.unique(y)
    seen = np.stack([X[y == label].sum(axis=0) for label in classes])
    share = np.array([(y == label).mean() for label in classes])
    hoped = share[:, None] * X.sum(axis=0)[None]
    with np.errstate(all="ignore"):
        made = ((seen - hoped) ** 2 / hoped).sum(axis=0)
    return made, gammaincc((len(classes) - 1) / 2, made / 2)


class _Selector(TransformerMixin, BaseEstimator):
    _fitted = "n_features_in_"

    def get_support(self, indices=False):
        self._need_fit()
        mask = self._mask()
        return np.flatnonzero(mask) if indices else mask

    def transform(self, X):
        if hasattr(X, "iloc"):
            X = X.to_numpy()
        X = _table(X)
        self._need_width(X)
        return X[:, self.get_support()]

    def inverse_transform(self, X):
        made = np.zeros((len(X), self.n_features_in_))
        made[:, self.get_support()] = X
        return made

    def get_feature_names_out(self, input_features=None):
        names = getattr(self, "feature_names_in_", None) if input_features is None else input_features
        names = [f"x{i}" for i in range(self.n_features_in_)] if names is None else names
        return np.array([str(n) for n, kept in zip(names, self.get_support()) if kept], dtype=object)

    def _taken(self, X):
        if hasattr(X, "columns"):
            self.feature_names_in_ = np.array([str(n) for n in X.columns], dtype=object)
        X = _table(X)
        self.n_features_in_ = X.shape[1]
        return X

    def fit_transform(self, X, y=None):
        return self.fit(X, y).transform(X)


class _Scored(_Selector):
    def fit(self, X, y=None):
        found = self.score_func(self._taken(X), y)
        self.scores_, self.pvalues_ = found if isinstance(found, tuple) else (np.asarray(found), None)
        return self

    def _top(self, count):
        scores = np.where(np.isnan(self.scores_), -np.inf, self.scores_)
        mask = np.zeros(len(scores), dtype=bool)
        mask[np.argsort(scores, kind="mergesort")[len(scores) - count:]] = True
        return mask


class SelectKBest(_Scored):
    def __init__(self, score_func=f_classif, *, k=10):
        self.score_func, self.k = score_func, k

    def _mask(self):
        return np.ones(len(self.scores_), dtype=bool) if self.k == "all" else self._top(min(self.k, len(self.scores_)))


class SelectPercentile(_Scored):
    def __init__(self, score_func=f_classif, *, percentile=10):
        self.score_func, self.percentile = score_func, percentile

    def _mask(self):
        if self.percentile in (0, 100):
            return np.full(len(self.scores_), self.percentile == 100)
        limit = np.percentile(self.scores_, 100 - self.percentile)
        mask = self.scores_ > limit
        ties = np.flatnonzero(self.scores_ == limit)
        if len(ties):
            mask[ties[:int(len(self.scores_) * self.percentile / 100) - int(mask.sum())]] = True
        return mask


class VarianceThreshold(_Selector):
    def __init__(self, threshold=0.0):
        self.threshold = threshold

    def fit(self, X, y=None):
        X = self._taken(X)
        self.variances_ = X.var(axis=0)
        if self.threshold == 0:
            # Rounding can leave a variance where all values are the same.
            self.variances_ = np.minimum(self.variances_, X.max(axis=0) - X.min(axis=0))
        if (self.variances_ <= self.threshold).all():
            raise ValueError(f"No feature in X meets the variance threshold {self.threshold:.5f}")
        return self

    def _mask(self):
        return self.variances_ > self.threshold


def _importances(estimator):
    made = getattr(estimator, "coef_", None)
    if made is None:
        made = estimator.feature_importances_
        return np.asarray(made)
    made = np.abs(np.asarray(made))
    return made if made.ndim == 1 else made.sum(axis=0)


class RFE(_Selector):
    """Columns are dropped one after the other, those that an estimator finds least important first."""

    def __init__(self, estimator, *, n_features_to_select=None, step=1, verbose=0, importance_getter="auto"):
        self.estimator, self.n_features_to_select, self.step = estimator, n_features_to_select, step
        self.verbose, self.importance_getter = verbose, importance_getter

    def fit(self, X, y):
        if self.importance_getter != "auto":
            raise NotImplementedError("RFE: importance_getter isn't supported here")
        X = self._taken(X)
        width, goal = X.shape[1], self.n_features_to_select
        goal = width // 2 if goal is None else goal if isinstance(goal, int) else int(width * goal)
        step = int(max(1, self.step * width)) if 0 < self.step < 1 else int(self.step)
        kept, ranks = np.ones(width, dtype=bool), np.ones(width, dtype=int)
        while kept.sum() > goal:
            places = np.flatnonzero(kept)
            one = clone(self.estimator).fit(X[:, places], y)
            weights = getattr(one, "coef_", None)
            made = _importances(one) ** 2 if weights is None or np.ndim(weights) == 1 else (np.asarray(weights) ** 2).sum(axis=0)
            gone = places[np.argsort(made)[:min(step, int(kept.sum()) - goal)]]
            kept[gone] = False
            ranks[~kept] += 1
        self.estimator_ = clone(self.estimator).fit(X[:, kept], y)
        self.support_, self.ranking_, self.n_features_ = kept, ranks, int(kept.sum())
        return self

    def _mask(self):
        return self.support_

    def predict(self, X):
        return self.estimator_.predict(self.transform(X))

    def score(self, X, y):
        return self.estimator_.score(self.transform(X), y)


class RFECV(RFE):
    """Columns are dropped one after the other, as many as cross-validation finds best."""

    def __init__(self, estimator, *, step=1, min_features_to_select=1, cv=None, scoring=None, verbose=0, n_jobs=None, importance_getter="auto"):
        self.estimator, self.step, self.min_features_to_select, self.cv, self.scoring = estimator, step, min_features_to_select, cv, scoring
        self.verbose, self.n_jobs, self.importance_getter = verbose, n_jobs, importance_getter

    def fit(self, X, y):
        from ._search import _scorers, _splits

        X = self._taken(X)
        y, width = np.asarray(y), X.shape[1]
        least = min(self.min_features_to_select, width)
        step = int(max(1, self.step * width)) if 0 < self.step < 1 else int(self.step)
        counts = [least]
        left, later = width, []
        while left > least:
            later.append(left)
            left -= min(step, left - least)
        counts += later[::-1]
        scorer = _scorers(self.scoring, self.estimator)["score"]
        scores, supports, ranks = [], [], []
        for train, test in _splits(self.cv, self.estimator, X, y):
            # The sets of columns are those on the way to the smallest.
            kept, rank, found = np.ones(width, dtype=bool), np.ones(width, dtype=int), []
            while True:
                places = np.flatnonzero(kept)
                one = clone(self.estimator).fit(X[train][:, places], y[train])
                found.append((scorer(one, X[test][:, places], y[test]), kept.copy(), rank.copy()))
                if len(places) <= least:
                    break
                weights = getattr(one, "coef_", None)
                made = _importances(one) ** 2 if weights is None or np.ndim(weights) == 1 else (np.asarray(weights) ** 2).sum(axis=0)
                kept[places[np.argsort(made)[:min(step, len(places) - least)]]] = False
                rank[~kept] += 1
            for into, part in zip((scores, supports, ranks), zip(*found[::-1])):
                into.append(np.array(part))
        best = counts[int(np.argmax(np.sum(scores, axis=0)))]
        inner = RFE(self.estimator, n_features_to_select=int(best), step=self.step, importance_getter=self.importance_getter).fit(X, y)
        self.support_, self.n_features_, self.ranking_, self.estimator_ = inner.support_, inner.n_features_, inner.ranking_, inner.estimator_
        self.cv_results_ = {"mean_test_score": np.mean(scores, axis=0), "std_test_score": np.std(scores, axis=0)}
        for name, of in (("test_score", scores), ("ranking", ranks), ("support", supports)):
            self.cv_results_.update((f"split{i}_{name}", part) for i, part in enumerate(of))
        self.cv_results_["n_features"] = np.array(counts)
        return self


class SelectFromModel(_Selector):
    """The columns that an estimator finds important."""

    def __init__(self, estimator, *, threshold=None, prefit=False, norm_order=1, max_features=None, importance_getter="auto"):
        self.estimator, self.threshold, self.prefit, self.norm_order = estimator, threshold, prefit, norm_order
        self.max_features, self.importance_getter = max_features, importance_getter

    def fit(self, X, y=None):
        if self.norm_order != 1 or self.importance_getter != "auto":
            raise NotImplementedError("SelectFromModel: norm_order and importance_getter aren't supported here")
        X = self._taken(X)
        self.estimator_ = self.estimator if self.prefit else clone(self.estimator).fit(X, y)
        return self

    @property
    def threshold_(self):
        made, told = _importances(self.estimator_), self.threshold
        if told is None:
            lasso = type(self.estimator_).__name__ in ("Lasso", "LassoCV") or getattr(self.estimator_, "l1_ratio", 0) == 1
            return 1e-5 if lasso else made.mean()
        if not isinstance(told, str):
            return float(told)
        factor, _, name = told.rpartition("*")
        return (float(factor) if factor else 1.0) * {"mean": np.mean, "median": np.median}[name.strip()](made)

    def _mask(self):
        made = _importances(self.estimator_)
        mask = made >= self.threshold_
        if self.max_features is not None:
            best = np.zeros(len(made), dtype=bool)
            best[np.argsort(-made, kind="mergesort")[:self.max_features]] = True
            mask = mask & best
        return mask


def __getattr__(name):
    if not name.startswith("_"):
        raise NotImplementedError(f"sklearn.feature_selection.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.feature_selection' has no attribute '{name}'")
