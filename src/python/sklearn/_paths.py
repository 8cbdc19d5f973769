"""Lasso and elastic nets whose strength is chosen by cross-validation."""

import numpy as np

from .linear_model import ElasticNet, _Penalized
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
