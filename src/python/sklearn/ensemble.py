"""Random forests. Boosted trees aren't here: their names can be imported, and making one says so."""

import numpy as np

from .base import BaseEstimator
from .metrics import r2_score
from .tree import DecisionTreeClassifier, DecisionTreeRegressor, _Classifier, missing
from .utils import _table, check_consistent_length, check_random_state

_OF_TREES = ("criterion", "max_depth", "min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf", "max_features",
             "max_leaf_nodes", "min_impurity_decrease", "ccp_alpha", "monotonic_cst")


class _Forest(BaseEstimator):
    def _grow(self, X, y, sample_weight):
        told = {"oob_score": False, "warm_start": False, "class_weight": None, "max_samples": None}
        for name, only in told.items():
            if getattr(self, name, only) != only:
                raise NotImplementedError(f"{type(self).__name__}: {name}={getattr(self, name)!r} isn't supported here")
        random, count = check_random_state(self.random_state), len(X)
        made = [self._tree(**{name: getattr(self, name) for name in _OF_TREES}, random_state=int(random.randint(0x7FFFFFFF)))
                for _ in range(self.n_estimators)]
        for tree in made:
            weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
            if self.bootstrap:
                drawn = check_random_state(tree.random_state).randint(0, count, count, dtype=np.int32)
                times = np.bincount(drawn, minlength=count).astype(np.float64)
                weights = times if weights is None else weights * times
            tree.fit(X, y, sample_weight=weights)
        self.estimators_, self.n_features_in_, self.n_outputs_ = made, X.shape[1], 1
        return self

    def _read(self, X):
        self._need_fit("estimators_")
        X = _table(X)
        self._need_width(X)
        return X

    def _sum(self, X):
        total = 0.0
        for tree in self.estimators_:
            total = tree.tree_.predict(X) + total
        return total / len(self.estimators_)

    def __len__(self):
        return len(self.estimators_)

    def __iter__(self):
        return iter(self.estimators_)

    def __getitem__(self, i):
        return self.estimators_[i]

    def apply(self, X):
        X = self._read(X)
        return np.stack([tree.tree_.apply(X) for tree in self.estimators_], axis=1)

    @property
    def feature_importances_(self):
        self._need_fit("estimators_")
        found = [tree.feature_importances_ for tree in self.estimators_ if tree.tree_.node_count > 1]
        if not found:
            return np.zeros(self.n_features_in_)
        mean = np.mean(found, axis=0)
        return mean / mean.sum()


class RandomForestClassifier(_Classifier, _Forest):
    """The mean of the chances that trees give, each grown on samples that were drawn with replacement."""

    _tree = DecisionTreeClassifier

    def __init__(self, n_estimators=100, *, criterion="gini", max_depth=None, min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, max_features="sqrt", max_leaf_nodes=None, min_impurity_decrease=0.0, bootstrap=True,
                 oob_score=False, n_jobs=None, random_state=None, verbose=0, warm_start=False, class_weight=None, ccp_alpha=0.0,
                 max_samples=None, monotonic_cst=None):
        self.n_estimators, self.criterion, self.max_depth, self.min_samples_split = n_estimators, criterion, max_depth, min_samples_split
        self.min_samples_leaf, self.min_weight_fraction_leaf, self.max_features = min_samples_leaf, min_weight_fraction_leaf, max_features
        self.max_leaf_nodes, self.min_impurity_decrease, self.bootstrap = max_leaf_nodes, min_impurity_decrease, bootstrap
        self.oob_score, self.n_jobs, self.random_state, self.verbose = oob_score, n_jobs, random_state, verbose
        self.warm_start, self.class_weight, self.ccp_alpha = warm_start, class_weight, ccp_alpha
        self.max_samples, self.monotonic_cst = max_samples, monotonic_cst

    def fit(self, X, y, sample_weight=None):
        X, y = _table(X), np.asarray(y).ravel()
        check_consistent_length(X, y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        return self._grow(X, labels.astype(np.float64), sample_weight)

    def predict_proba(self, X):
        return self._sum(self._read(X))


class RandomForestRegressor(_Forest):
    """The mean of the values that trees give, each grown on samples that were drawn with replacement."""

    _tree = DecisionTreeRegressor

    def __init__(self, n_estimators=100, *, criterion="squared_error", max_depth=None, min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, max_features=1.0, max_leaf_nodes=None, min_impurity_decrease=0.0, bootstrap=True,
                 oob_score=False, n_jobs=None, random_state=None, verbose=0, warm_start=False, ccp_alpha=0.0, max_samples=None,
                 monotonic_cst=None):
        self.n_estimators, self.criterion, self.max_depth, self.min_samples_split = n_estimators, criterion, max_depth, min_samples_split
        self.min_samples_leaf, self.min_weight_fraction_leaf, self.max_features = min_samples_leaf, min_weight_fraction_leaf, max_features
        self.max_leaf_nodes, self.min_impurity_decrease, self.bootstrap = max_leaf_nodes, min_impurity_decrease, bootstrap
        self.oob_score, self.n_jobs, self.random_state, self.verbose = oob_score, n_jobs, random_state, verbose
        self.warm_start, self.ccp_alpha, self.max_samples, self.monotonic_cst = warm_start, ccp_alpha, max_samples, monotonic_cst

    def fit(self, X, y, sample_weight=None):
        X, y = _table(X), np.asarray(y, dtype=np.float64)
        check_consistent_length(X, y)
        return self._grow(X, y, sample_weight)

    def predict(self, X):
        return self._sum(self._read(X))[:, 0]

    def score(self, X, y):
        return r2_score(y, self.predict(X))


GradientBoostingClassifier, GradientBoostingRegressor = (
    missing("ensemble", name) for name in ("GradientBoostingClassifier", "GradientBoostingRegressor"))


def __getattr__(name):
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.ensemble.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.ensemble' has no attribute '{name}'")
