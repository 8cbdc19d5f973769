"""Several classes by estimators of two."""

import numpy as np

from .base import BaseEstimator, ClassifierMixin, clone


def _sure(one, X):
    if hasattr(one, "decision_function"):
        return one.decision_function(X)
    return one.predict_proba(X)[:, 1]


class OneVsRestClassifier(ClassifierMixin, BaseEstimator):
    """One estimator for each class."""

    _fitted = "estimators_"

    _passes = True

    def __init__(self, estimator, *, n_jobs=None, verbose=0):
        self.estimator, self.n_jobs, self.verbose = estimator, n_jobs, verbose

    def fit(self, X, y):
        y = np.asarray(y)
        if y.ndim > 1:
            raise NotImplementedError("OneVsRestClassifier: several labels for one sample aren't supported here")
        self.classes_ = np.unique(y)
        labels = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        self.estimators_ = [clone(self.estimator).fit(X, (y == label).astype(int)) for label in labels]
        return self

    n_classes_ = property(lambda self: len(self.classes_))

    def decision_function(self, X):
        self._need_fit()
        made = np.stack([one.decision_function(X) for one in self.estimators_], axis=1)
        return made[:, 0] if made.shape[1] == 1 else made

    def predict_proba(self, X):
        self._need_fit()
        made = np.stack([one.predict_proba(X)[:, 1] for one in self.estimators_], axis=1)
        return np.concatenate([1 - made, made], axis=1) if made.shape[1] == 1 else made / made.sum(axis=1)[:, None]

    def predict(self, X):
        self._need_fit()
        if len(self.estimators_) == 1:
            return self.classes_[self.estimators_[0].predict(X)]
        return self.classes_[np.stack([_sure(one, X) for one in self.estimators_], axis=1).argmax(axis=1)]


class OneVsOneClassifier(ClassifierMixin, BaseEstimator):
    """One estimator for each pair of classes, and a vote."""

    _fitted = "estimators_"

    _passes = True

    def __init__(self, estimator, *, n_jobs=None):
        self.estimator, self.n_jobs = estimator, n_jobs

    def fit(self, X, y):
        X, y = np.asarray(X), np.asarray(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.estimators_, self._pairs = [], []
        for i in range(len(self.classes_)):
            for j in range(i + 1, len(self.classes_)):
                at = (labels == i) | (labels == j)
                self.estimators_.append(clone(self.estimator).fit(X[at], (labels[at] == j).astype(int)))
                self._pairs.append((i, j))
        return self

    n_classes_ = property(lambda self: len(self.classes_))

    def decision_function(self, X):
        self._need_fit()
        votes = np.zeros((len(X), len(self.classes_)))
        sure = votes.copy()
        for one, (i, j) in zip(self.estimators_, self._pairs):
            said, how = one.predict(X), _sure(one, X)
            sure[:, i] -= how
            sure[:, j] += how
            votes[:, i] += said == 0
            votes[:, j] += said == 1
        return votes + sure / (3 * (np.abs(sure) + 1))

    def predict(self, X):
        return self.classes_[self.decision_function(X).argmax(axis=1)]


def __getattr__(name):
    if not name.startswith("_"):
        raise NotImplementedError(f"sklearn.multiclass.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.multiclass' has no attribute '{name}'")
