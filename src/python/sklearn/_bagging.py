"""Estimators that are each fitted on other samples, and estimators on top of estimators."""

import inspect
import math
import warnings

import numpy as np

from .base import BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin, _Several, clone
from .metrics import accuracy_score, r2_score
from .tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeRegressor
from .utils import Bunch, _table, check_consistent_length, check_random_state

_MOST = 0x7FFFFFFF


def _drawn(random, again, count, wanted):
    """Places, drawn with replacement or without."""
    if again:
        return random.randint(0, count, wanted)
    share = wanted / count
    if 0.01 < share < 0.99:
        return random.permutation(count)[:wanted]
    if share < 0.2:
        taken, out = set(), []
        for _ in range(wanted):
            j = int(random.randint(count))
            while j in taken:
                j = int(random.randint(count))
            taken.add(j)
            out.append(j)
        return np.array(out)
    made = np.arange(wanted)
    for i in range(wanted, count):
        j = int(random.randint(0, i + 1))
        if j < wanted:
            made[j] = i
    return made


class _Bagging(_Several):
    def _of(self):
        raise NotImplementedError

    def _settled(self, one, random):
        """Gives an estimator and all within it a seed."""
        for name in sorted(name for name in one.get_params(deep=True) if name == "random_state" or name.endswith("__random_state")):
            one.set_params(**{name: int(random.randint(_MOST))})
        return one

    def _bag(self, X, y, most_samples, depth=None, sample_weight=None):
        if self.warm_start:
            raise NotImplementedError(f"{type(self).__name__}: warm_start=True isn't supported here")
        again, wide = self.bootstrap, getattr(self, "bootstrap_features", False)
        random, (count, width) = check_random_state(self.random_state), X.shape
        if not again and most_samples > count:
            raise ValueError(f"Effective max_samples={most_samples} must be <= n_samples={count} to be able to sample without replacement.")
        features = self.max_features if isinstance(self.max_features, int) else int(self.max_features * width)
        if features > width:
            raise ValueError("max_features must be <= n_features")
        features = max(1, features)
        if not again and getattr(self, "oob_score", False):
            raise ValueError("Out of bag estimation only available if bootstrap=True")
        self.n_features_in_, self._max_samples, self._max_features = width, most_samples, features
        self.estimator_ = self._of()
        if depth is not None:
            self.estimator_.max_depth = depth
        self.estimators_, self.estimators_features_, self.estimators_samples_ = [], [], []
        weighs = "sample_weight" in inspect.signature(self.estimator_.fit).parameters
        for seed in random.randint(_MOST, size=self.n_estimators).tolist():
            one = self._settled(clone(self.estimator_), np.random.RandomState(seed))
            own = np.random.RandomState(seed)
            columns = _drawn(own, wide, width, features)
            if sample_weight is None:
                rows = _drawn(own, again, count, most_samples)
            else:
                mass = np.asarray(sample_weight, dtype=float)
                rows = own.choice(count, most_samples, replace=again, p=mass / mass.sum())
            part = X[:, columns] if wide or features != width else X
            try:
                if not weighs:
                    raise NotImplementedError
                one.fit(part, y, sample_weight=np.bincount(rows, minlength=count).astype(np.float64))
            except NotImplementedError:
                # An estimator without weights gets a sample as often as it was drawn.
                one.fit(part[rows], y[rows])
            self.estimators_.append(one)
            self.estimators_features_.append(columns)
            self.estimators_samples_.append(rows)
        return self

    def _most_samples(self, count):
        given = self.max_samples
        return count if given is None else given if isinstance(given, int) else max(int(given * count), 1)

    def _unseen(self, count):
        for one, rows, columns in zip(self.estimators_, self.estimators_samples_, self.estimators_features_):
            mask = np.ones(count, dtype=bool)
            mask[rows] = False
            yield one, mask, columns


_LACKING = ("Some inputs do not have OOB scores. This probably means too few estimators were used to compute any reliable oob estimates.")


class BaggingClassifier(ClassifierMixin, _Bagging):
    """The mean of the chances that estimators give, each fitted on samples that were drawn."""

    def __init__(self, estimator=None, n_estimators=10, *, max_samples=None, max_features=1.0, bootstrap=True, bootstrap_features=False,
                 oob_score=False, warm_start=False, n_jobs=None, random_state=None, verbose=0):
        self.estimator, self.n_estimators, self.max_samples, self.max_features = estimator, n_estimators, max_samples, max_features
        self.bootstrap, self.bootstrap_features, self.oob_score, self.warm_start = bootstrap, bootstrap_features, oob_score, warm_start
        self.n_jobs, self.random_state, self.verbose = n_jobs, random_state, verbose

    def _of(self):
        return DecisionTreeClassifier() if self.estimator is None else clone(self.estimator)

    def fit(self, X, y, sample_weight=None):
        X, y = _table(X), np.asarray(y).ravel()
        check_consistent_length(X, y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        self._bag(X, labels, self._most_samples(len(X)), sample_weight=sample_weight)
        if self.oob_score:
            total = np.zeros((len(X), self.n_classes_))
            for one, mask, columns in self._unseen(len(X)):
                total[mask] += self._said(one, X[mask][:, columns])
            if (total.sum(axis=1) == 0).any():
                warnings.warn(_LACKING, UserWarning, stacklevel=2)
            with np.errstate(all="ignore"):
                self.oob_decision_function_ = total / total.sum(axis=1)[:, None]
            self.oob_score_ = float(accuracy_score(labels, total.argmax(axis=1)))
        return self

    def _said(self, one, X):
        made = np.zeros((len(X), self.n_classes_))
        if hasattr(one, "predict_proba"):
            made[:, np.asarray(one.classes_, dtype=int)] += one.predict_proba(X)
        else:
            made[np.arange(len(X)), one.predict(X)] += 1
        return made

    def predict_proba(self, X):
        X = self._read(X)
        total = sum(self._said(one, X[:, columns]) for one, columns in zip(self.estimators_, self.estimators_features_))
        return total / self.n_estimators

    def predict_log_proba(self, X):
        with np.errstate(all="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class BaggingRegressor(RegressorMixin, _Bagging):
    """The mean of the values that estimators give, each fitted on samples that were drawn."""

    __init__ = BaggingClassifier.__init__

    def _of(self):
        return DecisionTreeRegressor() if self.estimator is None else clone(self.estimator)

    def fit(self, X, y, sample_weight=None):
        X, y = _table(X), np.asarray(y, dtype=float).ravel()
        check_consistent_length(X, y)
        self._bag(X, y, self._most_samples(len(X)), sample_weight=sample_weight)
        if self.oob_score:
            total, times = np.zeros(len(X)), np.zeros(len(X))
            for one, mask, columns in self._unseen(len(X)):
                total[mask] += one.predict(X[mask][:, columns])
                times[mask] += 1
            if (times == 0).any():
                warnings.warn(_LACKING, UserWarning, stacklevel=2)
                times[times == 0] = 1
            self.oob_prediction_ = total / times
            self.oob_score_ = r2_score(y, self.oob_prediction_)
        return self

    def predict(self, X):
        X = self._read(X)
        return sum(one.predict(X[:, columns]) for one, columns in zip(self.estimators_, self.estimators_features_)) / self.n_estimators


def _path(counts):
    """The mean depth of a leaf in a tree of this many samples."""
    counts = np.asarray(counts, dtype=float)
    many = np.maximum(counts, 3.0)
    return np.where(counts <= 1, 0.0, np.where(counts == 2, 1.0, 2.0 * (np.log(many - 1.0) + np.euler_gamma) - 2.0 * (many - 1.0) / many))


class IsolationForest(_Bagging):
    """Outliers: samples that few random splits set apart."""

    def __init__(self, *, n_estimators=100, max_samples="auto", contamination="auto", max_features=1.0, bootstrap=False, n_jobs=None,
                 random_state=None, verbose=0, warm_start=False):
        self.n_estimators, self.max_samples, self.contamination, self.max_features = n_estimators, max_samples, contamination, max_features
        self.bootstrap, self.n_jobs, self.random_state, self.verbose, self.warm_start = bootstrap, n_jobs, random_state, verbose, warm_start

    def _of(self):
        return ExtraTreeRegressor(max_features=1)

    def fit(self, X, y=None, sample_weight=None):
        X = _table(X)
        random, count = check_random_state(self.random_state), len(X)
        targets = random.uniform(size=count)
        most = min(256, count) if self.max_samples == "auto" else self.max_samples
        if isinstance(most, int) and most > count:
            warnings.warn(f"max_samples ({most}) is greater than the total number of samples ({count}). max_samples will be set to n_samples "
                          "for estimation.", UserWarning, stacklevel=2)
            most = count
        most = most if isinstance(most, int) else int(most * count)
        self.max_samples_ = most
        self._bag(X, targets, most, math.ceil(math.log2(max(most, 2))), sample_weight)
        if self.contamination == "auto":
            self.offset_ = -0.5
        else:
            self.offset_ = np.percentile(self.score_samples(X), 100.0 * self.contamination)
        return self

    def score_samples(self, X):
        X = self._read(X)
        depths = np.zeros(len(X))
        for one, columns in zip(self.estimators_, self.estimators_features_):
            tree, below = one.tree_, np.ones(one.tree_.node_count)
            for node in range(tree.node_count):
                for child in (tree.children_left[node], tree.children_right[node]):
                    if child >= 0:
                        below[child] = below[node] + 1
            leaves = tree.apply(X[:, columns])
            depths += below[leaves] + _path(tree.n_node_samples[leaves]) - 1.0
        most = float(_path([self._max_samples])[0]) * len(self.estimators_)
        return -(2.0 ** (-(depths / most if most else np.ones(len(X)))))

    def decision_function(self, X):
        return self.score_samples(X) - self.offset_

    def predict(self, X):
        return np.where(self.decision_function(X) < 0, -1, 1)

    def fit_predict(self, X, y=None):
        return self.fit(X).predict(X)


class _Stacking(TransformerMixin, BaseEstimator):
    _fitted = "estimators_"

    _passes = True

    def _stack(self, X, y, sample_weight):
        from .model_selection import cross_val_predict

        if sample_weight is not None or self.cv == "prefit":
            raise NotImplementedError(f"{type(self).__name__}: sample_weight and cv='prefit' aren't supported here")
        if not self.estimators:
            raise ValueError("Invalid 'estimators' attribute, 'estimators' should be a non-empty list of (string, estimator) tuples.")
        kept = [(name, one) for name, one in self.estimators if not isinstance(one, str)]
        if not kept:
            raise ValueError("All estimators are dropped. At least one is required to be an estimator.")
        self.estimators_ = [clone(one).fit(X, y) for _, one in kept]
        self.named_estimators_ = Bunch(**{name: "drop" for name, _ in self.estimators})
        self.named_estimators_.update({name: one for (name, _), one in zip(kept, self.estimators_)})
        self.stack_method_ = [self._method(name, one) for name, one in kept]
        found = [cross_val_predict(clone(one), X, y, cv=self.cv, method=method) for (_, one), method in zip(kept, self.stack_method_)]
        self.final_estimator_ = clone(self._last() if self.final_estimator is None else self.final_estimator)
        self.final_estimator_.fit(self._beside(X, found), y)
        self.n_features_in_ = self.estimators_[0].n_features_in_
        return self

    def _method(self, name, one):
        given = getattr(self, "stack_method", "predict")
        wanted = ["predict_proba", "decision_function", "predict"] if given == "auto" else [given]
        for method in wanted:
            if hasattr(one, method):
                return method
        raise ValueError(f"Underlying estimator {name} does not implement the method {given}.")

    def _beside(self, X, found):
        parts = []
        for method, made in zip(self.stack_method_, found):
            made = np.asarray(made)
            parts.append(made.reshape(-1, 1) if made.ndim == 1 else made[:, 1:] if method == "predict_proba" and made.shape[1] == 2 else made)
        return np.hstack([*parts, np.asarray(X)] if self.passthrough else parts)

    def transform(self, X):
        self._need_fit()
        return self._beside(X, [getattr(one, method)(X) for one, method in zip(self.estimators_, self.stack_method_)])

    @property
    def named_estimators(self):
        return Bunch(**dict(self.estimators))


class StackingClassifier(ClassifierMixin, _Stacking):
    """A classifier of what other estimators say about samples that they haven't seen."""

    def __init__(self, estimators, final_estimator=None, *, cv=None, stack_method="auto", n_jobs=None, passthrough=False, verbose=0):
        self.estimators, self.final_estimator, self.cv, self.stack_method = estimators, final_estimator, cv, stack_method
        self.n_jobs, self.passthrough, self.verbose = n_jobs, passthrough, verbose

    def _last(self):
        from .linear_model import LogisticRegression

        return LogisticRegression()

    def fit(self, X, y, sample_weight=None):
        self.classes_, labels = np.unique(np.asarray(y), return_inverse=True)
        return self._stack(X, labels, sample_weight)

    def predict(self, X):
        return self.classes_[self.final_estimator_.predict(self.transform(X))]

    def predict_proba(self, X):
        return self.final_estimator_.predict_proba(self.transform(X))

    def decision_function(self, X):
        return self.final_estimator_.decision_function(self.transform(X))


class StackingRegressor(RegressorMixin, _Stacking):
    """A regressor of what other estimators say about samples that they haven't seen."""

    def __init__(self, estimators, final_estimator=None, *, cv=None, n_jobs=None, passthrough=False, verbose=0):
        self.estimators, self.final_estimator, self.cv = estimators, final_estimator, cv
        self.n_jobs, self.passthrough, self.verbose = n_jobs, passthrough, verbose

    def _last(self):
        from .linear_model import RidgeCV

        return RidgeCV()

    def fit(self, X, y, sample_weight=None):
        return self._stack(X, np.asarray(y, dtype=float).ravel(), sample_weight)

    def predict(self, X):
        return self.final_estimator_.predict(self.transform(X))
