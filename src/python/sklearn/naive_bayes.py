"""Classes from the chances of each feature on its own."""

import numpy as np

from .base import BaseEstimator, ClassifierMixin
from .utils import _table, check_consistent_length


class _Bayes(ClassifierMixin, BaseEstimator):
    _fitted = "classes_"

    def predict(self, X):
        return self.classes_[self._joint(self._checked(X)).argmax(axis=1)]

    def predict_log_proba(self, X):
        joint = self._joint(self._checked(X))
        top = joint.max(axis=1)[:, None]
        return joint - top - np.log(np.exp(joint - top).sum(axis=1))[:, None]

    def predict_joint_log_proba(self, X):
        return self._joint(self._checked(X))

    def predict_proba(self, X):
        return np.exp(self.predict_log_proba(X))

    def _checked(self, X):
        self._need_fit()
        X = _table(np.asarray(X))
        self._need_width(X)
        return X

    def _known(self, X, y):
        X, y = _table(np.asarray(X)), np.asarray(y)
        check_consistent_length(X, y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.n_features_in_ = X.shape[1]
        self.class_count_ = np.bincount(codes).astype(float)
        return X, codes


class GaussianNB(_Bayes):
    def __init__(self, *, priors=None, var_smoothing=1e-9):
        self.priors, self.var_smoothing = priors, var_smoothing

    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            raise NotImplementedError("GaussianNB: sample_weight isn't supported here")
        X, codes = self._known(X, y)
        self.epsilon_ = self.var_smoothing * X.var(axis=0).max()
        self.theta_ = np.stack([X[codes == k].mean(axis=0) for k in range(len(self.classes_))])
        self.var_ = np.stack([X[codes == k].var(axis=0) for k in range(len(self.classes_))]) + self.epsilon_
        self.class_prior_ = self.class_count_ / self.class_count_.sum() if self.priors is None else np.asarray(self.priors)
        return self

    def _joint(self, X):
        rows = []
        for k in range(len(self.classes_)):
            spread = -0.5 * np.log(2.0 * np.pi * self.var_[k]).sum()
            rows.append(np.log(self.class_prior_[k]) + spread - 0.5 * ((X - self.theta_[k]) ** 2 / self.var_[k]).sum(axis=1))
        return np.stack(rows, axis=1)


class _Counting(_Bayes):
    def _prior(self):
        if self.class_prior is not None:
            return np.log(np.asarray(self.class_prior, dtype=float))
        count = len(self.classes_)
        return np.log(self.class_count_ / self.class_count_.sum()) if self.fit_prior else np.full(count, -np.log(count))


class MultinomialNB(_Counting):
    def __init__(self, *, alpha=1.0, force_alpha=True, fit_prior=True, class_prior=None):
        self.alpha, self.force_alpha, self.fit_prior, self.class_prior = alpha, force_alpha, fit_prior, class_prior

    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            raise NotImplementedError("MultinomialNB: sample_weight isn't supported here")
        X, codes = self._known(X, y)
        if (X < 0).any():
            raise ValueError("Negative values in data passed to MultinomialNB (input X).")
        self.feature_count_ = np.stack([X[codes == k].sum(axis=0) for k in range(len(self.classes_))])
        smooth = self.feature_count_ + self.alpha
        self.feature_log_prob_ = np.log(smooth) - np.log(smooth.sum(axis=1))[:, None]
        self.class_log_prior_ = self._prior()
        return self

    def _joint(self, X):
        return X @ self.feature_log_prob_.T + self.class_log_prior_


class BernoulliNB(_Counting):
    def __init__(self, *, alpha=1.0, force_alpha=True, binarize=0.0, fit_prior=True, class_prior=None):
        self.alpha, self.force_alpha, self.binarize, self.fit_prior, self.class_prior = alpha, force_alpha, binarize, fit_prior, class_prior

    def _binary(self, X):
        return X if self.binarize is None else (X > self.binarize).astype(float)

    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            raise NotImplementedError("BernoulliNB: sample_weight isn't supported here")
        X, codes = self._known(X, y)
        X = self._binary(X)
        self.feature_count_ = np.stack([X[codes == k].sum(axis=0) for k in range(len(self.classes_))])
        self.feature_log_prob_ = np.log(self.feature_count_ + self.alpha) - np.log(self.class_count_ + 2 * self.alpha)[:, None]
        self.class_log_prior_ = self._prior()
        return self

    def _joint(self, X):
        X, unlikely = self._binary(X), np.log(1 - np.exp(self.feature_log_prob_))
        return X @ (self.feature_log_prob_ - unlikely).T + self.class_log_prior_ + unlikely.sum(axis=1)


class ComplementNB(_Counting):
    """Classes by what the others lack, for classes of different sizes."""

    def __init__(self, *, alpha=1.0, force_alpha=True, fit_prior=True, class_prior=None, norm=False):
        self.alpha, self.force_alpha, self.fit_prior, self.class_prior, self.norm = alpha, force_alpha, fit_prior, class_prior, norm

    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            raise NotImplementedError("ComplementNB: sample_weight isn't supported here")
        X, codes = self._known(X, y)
        if (X < 0).any():
            raise ValueError("Negative values in data passed to ComplementNB (input X).")
        self.feature_count_ = np.stack([X[codes == k].sum(axis=0) for k in range(len(self.classes_))])
        self.feature_all_ = self.feature_count_.sum(axis=0)
        others = self.feature_all_ + self.alpha - self.feature_count_
        logged = np.log(others / others.sum(axis=1, keepdims=True))
        self.feature_log_prob_ = logged / logged.sum(axis=1, keepdims=True) if self.norm else -logged
        self.class_log_prior_ = self._prior()
        return self

    def _joint(self, X):
        made = X @ self.feature_log_prob_.T
        return made + self.class_log_prior_ if len(self.classes_) == 1 else made


class CategoricalNB(_Counting):
    """Classes from features that are categories, counted from zero."""

    def __init__(self, *, alpha=1.0, force_alpha=True, fit_prior=True, class_prior=None, min_categories=None):
        self.alpha, self.force_alpha, self.fit_prior, self.class_prior, self.min_categories = alpha, force_alpha, fit_prior, class_prior, min_categories

    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            raise NotImplementedError("CategoricalNB: sample_weight isn't supported here")
        X, codes = self._known(X, y)
        if (X < 0).any():
            raise ValueError("Negative values in data passed to CategoricalNB (input X).")
        whole, least = X.astype(np.int64), np.broadcast_to(np.asarray(self.min_categories or 0), (X.shape[1],))
        self.n_categories_ = np.maximum(whole.max(axis=0) + 1, least)
        self.category_count_ = [np.stack([np.bincount(whole[codes == k, j], minlength=int(n)).astype(float) for k in range(len(self.classes_))])
                                for j, n in enumerate(self.n_categories_)]
        self.feature_log_prob_ = [np.log(c + self.alpha) - np.log((c + self.alpha).sum(axis=1))[:, None] for c in self.category_count_]
        self.class_log_prior_ = self._prior()
        return self

    def _joint(self, X):
        whole, total = X.astype(np.int64), self.class_log_prior_[None]
        for j, logs in enumerate(self.feature_log_prob_):
            if int(whole[:, j].max()) >= logs.shape[1]:
                raise IndexError(f"index {int(whole[:, j].max())} is out of bounds for axis 1 with size {logs.shape[1]}")
            total = total + logs[:, whole[:, j]].T
        return total


def __getattr__(name):
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.naive_bayes.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.naive_bayes' has no attribute '{name}'")
