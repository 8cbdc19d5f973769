"""Whether chances are what they say."""

import math

import numpy as np

from .base import BaseEstimator, ClassifierMixin, clone
from .utils import _rows, check_consistent_length


def calibration_curve(y_true, y_prob, *, pos_label=None, n_bins=5, strategy="uniform"):
    """The share of positive samples and the mean chance in each bin that isn't empty."""
    y, chance = np.asarray(y_true), np.asarray(y_prob, dtype=float)
    if chance.min() < 0 or chance.max() > 1:
        raise ValueError("y_prob has values outside [0, 1].")
    labels = np.unique(y)
    if len(labels) > 2:
        raise ValueError(f"Only binary classification is supported. Provided labels {labels}.")
    y = y == (labels[-1] if pos_label is None else pos_label)
    if strategy not in ("uniform", "quantile"):
        raise ValueError("Invalid entry to 'strategy' input. Strategy must be either 'quantile' or 'uniform'.")
    share = np.linspace(0, 1, n_bins + 1)
    bins = share if strategy == "uniform" else np.percentile(chance, share * 100)
    at = np.searchsorted(bins[1:-1], chance)
    size = np.bincount(at, minlength=len(bins))
    there = size != 0
    with np.errstate(all="ignore"):
        true, said = (np.bincount(at, v, len(bins)) / size for v in (y.astype(float), chance))
    return true[there], said[there]


class _Sigmoid:
    """Platt's curve from decisions to chances."""

    def fit(self, sums, y):
        from ._lbfgs import minimize

        scale = float(np.abs(sums).max())
        scale = scale if scale >= 30 else 1.0
        sums, right = sums / scale, y > 0
        few = float((~right).sum())
        many = len(y) - few
        wanted = np.where(right, (many + 1) / (many + 2), 1 / (few + 2))

        def loss(w):
            raw = -(w[0] * sums + w[1])
            slope = 1 / (1 + np.exp(-raw)) - wanted
            return float((np.logaddexp(0.0, raw) - wanted * raw).sum()), np.array([-(slope @ sums), -slope.sum()])

        (a, b), _, _ = minimize(loss, [0.0, math.log((few + 1) / (many + 1))], most=15000, gtol=1e-6, ftol=64 * float(np.finfo(float).eps),
                                trials=20)
        self.a_, self.b_ = a / scale, b
        return self

    def predict(self, sums):
        return 1 / (1 + np.exp(self.a_ * sums + self.b_))


class _Calibrated:
    """A classifier and the curve of each class."""

    def __init__(self, estimator, classes, method):
        self.estimator, self.classes, self.method = estimator, classes, method

    @staticmethod
    def sums(estimator, X):
        made = np.asarray(estimator.decision_function(X) if hasattr(estimator, "decision_function") else estimator.predict_proba(X)[:, 1:]
                          if len(estimator.classes_) == 2 else estimator.predict_proba(X), dtype=float)
        return made[:, None] if made.ndim == 1 else made

    def fit(self, sums, y):
        from .isotonic import IsotonicRegression

        classes = self.classes[1:] if len(self.classes) == 2 else self.classes
        self.calibrators = [(IsotonicRegression(out_of_bounds="clip") if self.method == "isotonic" else _Sigmoid()).fit(
            column, (y == label).astype(float)) for column, label in zip(sums.T, classes)]
        return self

    def predict_proba(self, X):
        made = np.stack([c.predict(column) for c, column in zip(self.calibrators, self.sums(self.estimator, X).T)], axis=1)
        if len(self.classes) == 2:
            made = np.concatenate([1 - made, made], axis=1)
        else:
            whole = made.sum(axis=1, keepdims=True)
            made = np.where(whole != 0, made / np.where(whole != 0, whole, 1), 1 / len(self.classes))
        return np.where((made > 1) & (made <= 1 + 1e-5), 1.0, made)


class CalibratedClassifierCV(ClassifierMixin, BaseEstimator):
    """A classifier whose chances are corrected on samples that it hasn't seen."""

    _fitted = "calibrated_classifiers_"

    def __init__(self, estimator=None, *, method="sigmoid", cv=None, n_jobs=None, ensemble="auto"):
        self.estimator, self.method, self.cv, self.n_jobs, self.ensemble = estimator, method, cv, n_jobs, ensemble

    def fit(self, X, y, sample_weight=None):
        from ._search import _splits

        if sample_weight is not None or self.method not in ("sigmoid", "isotonic") or isinstance(self.cv, str):
            raise NotImplementedError("CalibratedClassifierCV: sample_weight, method='temperature' and cv='prefit' aren't supported here")
        if self.estimator is None:
            from .svm import LinearSVC

            estimator = LinearSVC(random_state=0)
        else:
            estimator = self.estimator
        check_consistent_length(X, y)
        y = np.asarray(y)
        self.classes_, sizes = np.unique(y, return_counts=True)
        folds = 5 if self.cv is None else self.cv
        if isinstance(folds, int) and (sizes < folds).any():
            raise ValueError(f"Requesting {folds}-fold cross-validation but provided less than {folds} examples for at least one class.")
        parts = _splits(self.cv, self, X, y)
        self.calibrated_classifiers_ = []
        if self.ensemble in ("auto", True):
            for train, test in parts:
                one = clone(estimator).fit(_rows(X, train), y[train])
                sums = _Calibrated.sums(one, _rows(X, test))
                self.calibrated_classifiers_.append(_Calibrated(one, self.classes_, self.method).fit(sums, y[test]))
        else:
            sums = None
            for train, test in parts:
                made = _Calibrated.sums(clone(estimator).fit(_rows(X, train), y[train]), _rows(X, test))
                sums = np.empty((len(y), made.shape[1])) if sums is None else sums
                sums[test] = made
            self.calibrated_classifiers_.append(_Calibrated(clone(estimator).fit(X, y), self.classes_, self.method).fit(sums, y))
        self.n_features_in_ = self.calibrated_classifiers_[0].estimator.n_features_in_
        return self

    def predict_proba(self, X):
        self._need_fit()
        return sum(c.predict_proba(X) for c in self.calibrated_classifiers_) / len(self.calibrated_classifiers_)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def __getattr__(name):
    if not name.startswith("_"):
        raise NotImplementedError(f"sklearn.calibration.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.calibration' has no attribute '{name}'")
