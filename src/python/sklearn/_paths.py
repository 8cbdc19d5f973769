"""Lasso and elastic nets whose strength is chosen by cross-validation."""

import warnings

import numpy as np

from .linear_model import ElasticNet, LogisticRegression, _Penalized
from .utils import _table, check_consistent_length


class ElasticNetCV(_Penalized):
    """An elastic net with the strength that does best on samples that it hasn't seen."""

    _net = ElasticNet

    def __init__(self, *, l1_ratio=0.5, eps=1e-3, alphas=100, fit_intercept=True, precompute="auto", max_iter=1000, tol=1e-4, cv=None,
                 copy_X=True, verbose=0, n_jobs=None, positive=False, random_state=None, selection="cyclic"):
        self.l1_ratio, self.eps, self.alphas, self.fit_intercept, self.precompute = l1_ratio, eps, alphas, fit_intercept, precompute
        self.max_iter, self.tol, self.cv, self.copy_X, self.verbose, self.n_jobs = max_iter, tol, cv, copy_X, verbose, n_jobs
        self.positive, self.random_state, self.selection = positive, random_state, selection

    def _made(self, alpha):
        return ElasticNet(alpha, l1_ratio=self.l1_ratio, fit_intercept=self.fit_intercept, max_iter=self.max_iter, tol=self.tol)

    def fit(self, X, y, sample_weight=None):
        from ._search import _splits

        share = getattr(self, "l1_ratio", 1.0)
        if self.positive or sample_weight is not None or self.selection != "cyclic" or np.ndim(share):
            raise NotImplementedError(f"{type(self).__name__}: positive, sample_weight, several l1_ratio and selection='random' aren't supported "
                                      "here")
        X, y = _table(X), np.asarray(y, dtype=float)
        check_consistent_length(X, y)
        if y.ndim > 1 and y.shape[1] > 1:
            raise ValueError(f"For multi-task outputs, use MultiTask{type(self).__name__}")
        y = y.ravel()
        if isinstance(self.alphas, int):
            pull = X.T @ (y - y.mean()) if not self.fit_intercept else (X - X.mean(axis=0)).T @ (y - y.mean())
            most = float(np.abs(pull if self.fit_intercept else X.T @ y).max()) / (len(X) * share)
            self.alphas_ = np.geomspace(most, most * self.eps, num=self.alphas)
        else:
            self.alphas_ = np.sort(np.asarray(self.alphas, dtype=float))[::-1]
        columns = []
        for train, test in _splits(self.cv, self, X, y, None):
            net, start, lost = self._made(1.0), None, []
            inner, right, around, level = net._centered(X[train], y[train])
            for alpha in self.alphas_.tolist():
                net.alpha = alpha
                start = net._descend(inner, right, start)[0]
                said = (X[test] - around) @ start + level
                lost.append(float(((said - y[test]) ** 2).mean()))
            columns.append(lost)
        self.mse_path_ = np.array(columns).T
        self.alpha_ = self.alphas_[int(self.mse_path_.mean(axis=1).argmin())]
        made = self._made(float(self.alpha_)).fit(X, y)
        self.coef_, self.intercept_, self.n_iter_, self.dual_gap_ = made.coef_, made.intercept_, made.n_iter_, made.dual_gap_
        self.n_features_in_ = X.shape[1]
        if hasattr(self, "l1_ratio"):
            self.l1_ratio_ = share
        return self


class LassoCV(ElasticNetCV):
    """Lasso with the strength that does best on samples that it hasn't seen."""

    def __init__(self, *, eps=1e-3, alphas=100, fit_intercept=True, precompute="auto", max_iter=1000, tol=1e-4, copy_X=True, cv=None, verbose=False,
                 n_jobs=None, positive=False, random_state=None, selection="cyclic"):
        self.eps, self.alphas, self.fit_intercept, self.precompute, self.max_iter, self.tol = eps, alphas, fit_intercept, precompute, max_iter, tol
        self.copy_X, self.cv, self.verbose, self.n_jobs, self.positive = copy_X, cv, verbose, n_jobs, positive
        self.random_state, self.selection = random_state, selection

    def _made(self, alpha):
        return ElasticNet(alpha, l1_ratio=1.0, fit_intercept=self.fit_intercept, max_iter=self.max_iter, tol=self.tol)


class LogisticRegressionCV(LogisticRegression):
    """Logistic regression with the strength that does best on samples that it hasn't seen."""

    def __init__(self, *, Cs=10, l1_ratios="warn", fit_intercept=True, cv=None, dual=False, penalty="deprecated", scoring="warn", solver="lbfgs",
                 tol=1e-4, max_iter=100, class_weight=None, n_jobs=None, verbose=0, refit=True, intercept_scaling=1.0, random_state=None,
                 use_legacy_attributes="warn"):
        self.Cs, self.l1_ratios, self.fit_intercept, self.cv, self.dual, self.penalty, self.scoring = (
            Cs, l1_ratios, fit_intercept, cv, dual, penalty, scoring)
        self.solver, self.tol, self.max_iter, self.class_weight, self.n_jobs, self.verbose, self.refit = (
            solver, tol, max_iter, class_weight, n_jobs, verbose, refit)
        self.intercept_scaling, self.random_state, self.use_legacy_attributes = intercept_scaling, random_state, use_legacy_attributes

    def _one(self, C, start):
        made = LogisticRegression(C=C, fit_intercept=self.fit_intercept, tol=self.tol, max_iter=self.max_iter, class_weight=self.class_weight)
        made._start = start
        return made

    def fit(self, X, y, sample_weight=None):
        from ._search import _scorers, _splits

        known = self.l1_ratios in ("warn", None) or list(np.atleast_1d(self.l1_ratios)) == [0]
        if self.solver != "lbfgs" or self.penalty not in ("deprecated", "l2") or not known or self.dual or not self.refit or sample_weight is not None:
            raise NotImplementedError("LogisticRegressionCV: only solver='lbfgs' with the L2 penalty and refit=True, without sample_weight, is "
                                      "supported here")
        if self.l1_ratios == "warn":
            warnings.warn("The default value for l1_ratios will change from None to (0.0,) in version 1.10. From version 1.10 onwards, only "
                          "array-like with values in [0, 1] will be allowed, None will be forbidden. To avoid this warning, explicitly set a value, "
                          "e.g. l1_ratios=(0,).", FutureWarning, stacklevel=2)
        if self.scoring == "warn":
            warnings.warn("The default value of the parameter 'scoring' will change from None, i.e. accuracy, to 'neg_log_loss' in version 1.11. To "
                          "silence this warning, explicitly set the scoring parameter: scoring='neg_log_loss' for the new, scoring='accuracy' or "
                          "scoring=None for the old default.", FutureWarning, stacklevel=2)
        if self.use_legacy_attributes == "warn":
            warnings.warn("The fitted attributes of LogisticRegressionCV will be simplified in scikit-learn 1.10 to remove redundancy. Set"
                          "`use_legacy_attributes=False` to enable the new behavior now, or set it to `True` to silence this warning during the "
                          "transition period while keeping the deprecated behavior for the time being. The default value of use_legacy_attributes will "
                          "change from True to False in scikit-learn 1.10. See the docstring of LogisticRegressionCV for more details.", FutureWarning,
                          stacklevel=2)
        X, y = _table(X), np.asarray(y)
        check_consistent_length(X, y)
        self.Cs_ = np.logspace(-4, 4, self.Cs) if isinstance(self.Cs, (int, np.integer)) else np.asarray(self.Cs, dtype=float)
        scorer = _scorers(None if self.scoring == "warn" else self.scoring, LogisticRegression())["score"]
        paths, scores, steps = [], [], []
        for train, test in _splits(self.cv, LogisticRegression(), X, y):
            start, path, row, taken = None, [], [], []
            for C in self.Cs_.tolist():
                one = self._one(C, start).fit(X[train], y[train])
                start = np.concatenate([one.coef_, one.intercept_[:, None]], axis=1) if self.fit_intercept else one.coef_
                path.append(start)
                row.append(scorer(one, X[test], y[test]))
                taken.append(int(one.n_iter_[0]))
            for into, part in ((paths, path), (scores, row), (steps, taken)):
                into.append(part)
        paths, scores, steps = np.array(paths), np.array(scores), np.array(steps, dtype=np.int32)
        best = int(scores.sum(axis=0).argmax())
        one = self._one(float(self.Cs_[best]), paths[:, best].mean(axis=0)).fit(X, y)
        self.coef_, self.intercept_, self.classes_, self.n_features_in_ = one.coef_, one.intercept_, one.classes_, one.n_features_in_
        several = len(self.classes_) > 2
        if self.use_legacy_attributes is False:
            self.C_, self.scores_ = float(self.Cs_[best]), scores[:, None, :]
            self.n_iter_ = steps[:, None, :]
            self.l1_ratio_ = 0.0
            self.coefs_paths_ = paths[:, None]
        else:
            labels = self.classes_ if several else self.classes_[1:]
            self.C_ = np.full(len(labels), self.Cs_[best])
            self.scores_ = {label: scores for label in labels}
            self.coefs_paths_ = {label: paths[:, :, i] for i, label in enumerate(labels)}
            self.n_iter_, self.l1_ratios_ = steps[None], np.array([None])
        return self

    def score(self, X, y):
        from ._search import _scorers

        return _scorers(None if self.scoring == "warn" else self.scoring, LogisticRegression())["score"](self, X, y) if self.scoring not in (
            "warn", None) else super().score(X, y)
