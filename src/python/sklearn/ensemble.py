"""Random forests, boosted trees and votes."""

import math
import warnings

import numpy as np

from .base import BaseEstimator, RegressorMixin, _Several, _Staged, clone
from .metrics import r2_score
from .tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor, _Classifier
from .utils import Bunch, _table, check_consistent_length, check_random_state
from .utils.class_weight import _weighted

# Loaded when a program asks for one.
_LATER = ("BaggingClassifier", "BaggingRegressor", "HistGradientBoostingClassifier", "HistGradientBoostingRegressor", "IsolationForest",
          "StackingClassifier", "StackingRegressor")
__all__ = ["AdaBoostClassifier", "AdaBoostRegressor", "ExtraTreesClassifier", "ExtraTreesRegressor", "GradientBoostingClassifier",
           "GradientBoostingRegressor", "RandomForestClassifier", "RandomForestRegressor", "VotingClassifier", "VotingRegressor", *_LATER]

_OF_TREES = ("criterion", "max_depth", "min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf", "max_features",
             "max_leaf_nodes", "min_impurity_decrease", "ccp_alpha", "monotonic_cst")


class _Forest(_Several):
    def _grow(self, X, y, sample_weight):
        if self.warm_start:
            raise NotImplementedError(f"{type(self).__name__}: warm_start=True isn't supported here")
        if not self.bootstrap and self.oob_score:
            raise ValueError("Out of bag estimation only available if bootstrap=True")
        random, count = check_random_state(self.random_state), len(X)
        made = [self._tree(**{name: getattr(self, name) for name in _OF_TREES}, random_state=int(random.randint(0x7FFFFFFF)))
                for _ in range(self.n_estimators)]
        given = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        share = getattr(self, "class_weight", None)
        each = share == "balanced_subsample" and self.bootstrap
        if share is not None and not each:
            names = {self.classes_.tolist().index(k): v for k, v in share.items()} if isinstance(share, dict) else "balanced"
            given = _weighted(names, y.astype(np.int64), given)
        most = self.max_samples
        if most is not None and not self.bootstrap:
            raise ValueError("`max_sample` cannot be set if `bootstrap=False`. Either switch to `bootstrap=True` or set `max_sample=None`.")
        most = count if most is None else most if isinstance(most, int) else max(int(most * (count if given is None else given.sum())), 1)
        if isinstance(self.max_samples, float) and most < max(10, count ** (1 / 3)):
            told = f"the number of samples is {count}" if given is None else f"the total sum of sample weights is {given.sum()}"
            warnings.warn(f"Using the fractional value max_samples={self.max_samples!r} when {told} results in a low number ({most}) of bootstrap "
                          "samples. We recommend passing `max_samples` as an integer instead.", UserWarning, stacklevel=3)
        unseen = []
        for tree in made:
            weights = given
            if self.bootstrap:
                # Samples that weigh more are drawn more often; none weighs more in the tree.
                own = check_random_state(tree.random_state)
                drawn = own.randint(0, count, most) if given is None else own.choice(count, most, replace=True, p=given / given.sum())
                weights = np.bincount(drawn, minlength=count).astype(np.float64)
                unseen.append(weights == 0)
                if each:
                    sizes = np.bincount(y[drawn].astype(np.int64), minlength=self.n_classes_)
                    there = sizes > 0
                    by_class = np.where(there, most / (there.sum() * np.where(there, sizes, 1)), 0.0)
                    weights = weights * by_class[y.astype(np.int64)]
            tree.fit(X, y, sample_weight=weights)
        self.estimators_, self.n_features_in_, self.n_outputs_ = made, X.shape[1], 1
        if self.oob_score:
            self._score_unseen(X, y, unseen)
        return self

    def _score_unseen(self, X, y, unseen):
        total, times = 0.0, np.zeros(len(X))
        for tree, mask in zip(self.estimators_, unseen):
            said = np.zeros((len(X), tree.tree_.value.shape[2]))
            said[mask] = tree.tree_.predict(X[mask])
            total, times = total + said, times + mask
        if (times == 0).any():
            warnings.warn("Some inputs do not have OOB scores. This probably means too few trees were used to compute any reliable OOB estimates.",
                          UserWarning, stacklevel=4)
            times[times == 0] = 1
        found, classes = total / times[:, None], hasattr(self, "classes_")
        if classes:
            self.oob_decision_function_ = found
        else:
            self.oob_prediction_ = found = found[:, 0]
        if callable(self.oob_score):
            self.oob_score_ = self.oob_score(y, self.classes_[found.argmax(axis=1)] if classes else found)
        else:
            self.oob_score_ = float((found.argmax(axis=1) == y).mean()) if classes else r2_score(y, found)

    def _sum(self, X):
        total = 0.0
        for tree in self.estimators_:
            total = tree.tree_.predict(X) + total
        return total / len(self.estimators_)

    def apply(self, X):
        X = self._read(X)
        return np.stack([tree.tree_.apply(X) for tree in self.estimators_], axis=1)

    @property
    def feature_importances_(self):
        self._need_fit()
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


class ExtraTreesClassifier(RandomForestClassifier):
    """The mean of the chances that trees of random thresholds give."""

    _tree = ExtraTreeClassifier

    def __init__(self, n_estimators=100, *, criterion="gini", max_depth=None, min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, max_features="sqrt", max_leaf_nodes=None, min_impurity_decrease=0.0, bootstrap=False,
                 oob_score=False, n_jobs=None, random_state=None, verbose=0, warm_start=False, class_weight=None, ccp_alpha=0.0,
                 max_samples=None, monotonic_cst=None):
        given = dict(locals())
        del given["self"], given["__class__"]
        super().__init__(**given)


class ExtraTreesRegressor(RandomForestRegressor):
    """The mean of the values that trees of random thresholds give."""

    _tree = ExtraTreeRegressor

    def __init__(self, n_estimators=100, *, criterion="squared_error", max_depth=None, min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, max_features=1.0, max_leaf_nodes=None, min_impurity_decrease=0.0, bootstrap=False,
                 oob_score=False, n_jobs=None, random_state=None, verbose=0, warm_start=False, ccp_alpha=0.0, max_samples=None,
                 monotonic_cst=None):
        given = dict(locals())
        del given["self"], given["__class__"]
        super().__init__(**given)


class _BoostedTree(DecisionTreeRegressor):
    """Friedman's gain: the squared difference of the two means, weighed by both sides."""

    _criteria = ("friedman_mse",)

    def _proxy(self, left, right, left_weight, right_weight):
        apart = right_weight * left[:, 0] - left_weight * right[:, 0]
        return apart * apart / (left_weight * right_weight)


_OF_BOOSTED = ("max_depth", "min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf", "max_features", "max_leaf_nodes",
               "min_impurity_decrease", "ccp_alpha")


class _Boosted(_Staged):
    _fitted = "estimators_"

    def __init__(self, *, loss=None, learning_rate=0.1, n_estimators=100, subsample=1.0, criterion="deprecated", min_samples_split=2,
                 min_samples_leaf=1, min_weight_fraction_leaf=0.0, max_depth=3, min_impurity_decrease=0.0, init=None, random_state=None,
                 max_features=None, verbose=0, max_leaf_nodes=None, warm_start=False, validation_fraction=0.1, n_iter_no_change=None,
                 tol=1e-4, ccp_alpha=0.0):
        self.loss, self.learning_rate, self.n_estimators, self.subsample = loss, learning_rate, n_estimators, subsample
        self.criterion, self.min_samples_split, self.min_samples_leaf = criterion, min_samples_split, min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_depth, self.min_impurity_decrease, self.init, self.random_state = max_depth, min_impurity_decrease, init, random_state
        self.max_features, self.verbose, self.max_leaf_nodes, self.warm_start = max_features, verbose, max_leaf_nodes, warm_start
        self.validation_fraction, self.n_iter_no_change, self.tol, self.ccp_alpha = validation_fraction, n_iter_no_change, tol, ccp_alpha

    def _boost(self, X, wanted, first):
        """`wanted`: a column for each sum that trees add up to."""
        told = {"subsample": 1.0, "init": None, "warm_start": False, "n_iter_no_change": None, "ccp_alpha": 0.0}
        for name, only in told.items():
            if getattr(self, name) != only:
                raise NotImplementedError(f"{type(self).__name__}: {name}={getattr(self, name)!r} isn't supported here")
        if self.loss not in (self._loss, None):
            raise NotImplementedError(f"{type(self).__name__}: loss={self.loss!r} isn't supported here")
        random = check_random_state(self.random_state)
        sums, made, scores = np.tile(first, (len(X), 1)), [], []
        self._first = first
        for _ in range(self.n_estimators):
            left, row = wanted - self._link(sums), []
            # All trees of a step see the sums before it.
            for k in range(wanted.shape[1]):
                tree = _BoostedTree(criterion="friedman_mse", random_state=random, **{n: getattr(self, n) for n in _OF_BOOSTED})
                tree.fit(X, left[:, k])
                at = tree.tree_.apply(X)
                self._leaves(tree.tree_, at, wanted[:, k], left[:, k], wanted.shape[1])
                sums[:, k] += self.learning_rate * tree.tree_.value[at, 0, 0]
                row.append(tree)
            made.append(row)
            scores.append(self._deviance(wanted, sums))
        self.estimators_ = np.empty((len(made), wanted.shape[1]), dtype=object)
        for i, row in enumerate(made):
            for k, tree in enumerate(row):
                self.estimators_[i, k] = tree
        self.train_score_, self.n_estimators_, self.n_features_in_ = np.array(scores), len(made), X.shape[1]
        return self

    def _leaves(self, tree, at, wanted, left, columns):
        pass

    def _added(self, tree, X):
        return self.learning_rate * tree.tree_.predict(X)[:, 0]

    @property
    def feature_importances_(self):
        self._need_fit()
        found = [tree.tree_.compute_feature_importances(normalize=False) for row in self.estimators_ for tree in row
                 if tree.tree_.node_count > 1]
        if not found:
            return np.zeros(self.n_features_in_)
        mean = np.mean(found, axis=0)
        return mean / mean.sum()


class GradientBoostingRegressor(RegressorMixin, _Boosted):
    """Trees, each of which is grown on what those before it leave."""

    _loss = "squared_error"

    def __init__(self, *, loss="squared_error", alpha=0.9, **options):
        super().__init__(loss=loss, **options)
        self.alpha = alpha

    @classmethod
    def _names(cls):
        return [*_Boosted._names(), "alpha"]

    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            raise NotImplementedError("GradientBoostingRegressor: sample_weight isn't supported here")
        X, y = _table(X), np.asarray(y, dtype=np.float64)
        check_consistent_length(X, y)
        return self._boost(X, y[:, None], np.array([y.mean()]))

    def _link(self, sums):
        return sums

    def _deviance(self, wanted, sums):
        return float(((wanted - sums) ** 2).mean())

    def predict(self, X):
        return self._sums(X)[:, 0]

    def staged_predict(self, X):
        for sums in self._staged(X):
            yield sums[:, 0].copy()


class GradientBoostingClassifier(_Classifier, _Boosted):
    """Trees that add up to the log odds of classes, each grown on what those before it leave."""

    _loss = "log_loss"

    def __init__(self, *, loss="log_loss", **options):
        super().__init__(loss=loss, **options)

    @classmethod
    def _names(cls):
        return _Boosted._names()

    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            raise NotImplementedError("GradientBoostingClassifier: sample_weight isn't supported here")
        X, y = _table(X), np.asarray(y)
        check_consistent_length(X, y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        if self.n_classes_ < 2:
            raise ValueError(f"y contains 1 class after sample_weight trimmed classes with zero weights, while a minimum of 2 classes are "
                             "required.")
        share = np.bincount(labels) / len(labels)
        if self.n_classes_ == 2:
            return self._boost(X, labels[:, None].astype(np.float64), np.log(share[1:] / share[:1]))
        first = np.log(share)
        return self._boost(X, (labels[:, None] == np.arange(self.n_classes_)).astype(np.float64), first - first.mean())

    def _link(self, sums):
        if sums.shape[1] == 1:
            return 1 / (1 + np.exp(-sums))
        made = np.exp(sums - sums.max(axis=1)[:, None])
        return made / made.sum(axis=1)[:, None]

    def _leaves(self, tree, at, wanted, left, columns):
        top = np.bincount(at, left, tree.node_count) * (1.0 if columns == 1 else (columns - 1) / columns)
        rest = wanted - left
        low = np.bincount(at, rest * (1 - rest), tree.node_count)
        flat = np.abs(low) < 1e-150
        tree.value[:, 0, 0] = np.where(tree.children_left < 0, np.where(flat, 0.0, top / np.where(flat, 1.0, low)), tree.value[:, 0, 0])

    def _deviance(self, wanted, sums):
        if sums.shape[1] == 1:
            return float(2 * (np.logaddexp(0, sums) - wanted * sums).mean())
        top = sums.max(axis=1)
        return float((np.log(np.exp(sums - top[:, None]).sum(axis=1)) + top - (wanted * sums).sum(axis=1)).mean())

    def decision_function(self, X):
        sums = self._sums(X)
        return sums[:, 0] if sums.shape[1] == 1 else sums

    def _chances(self, sums):
        made = self._link(sums)
        return np.concatenate([1 - made, made], axis=1) if made.shape[1] == 1 else made

    def predict_proba(self, X):
        return self._chances(self._sums(X))

    def staged_predict_proba(self, X):
        for sums in self._staged(X):
            yield self._chances(sums)

    def staged_predict(self, X):
        for chances in self.staged_predict_proba(X):
            yield self.classes_[chances.argmax(axis=1)]


class AdaBoostClassifier(_Classifier, BaseEstimator):
    """Estimators in turn: samples that one of them gets wrong weigh more for the next."""

    _fitted = "estimators_"

    def __init__(self, estimator=None, *, n_estimators=50, learning_rate=1.0, random_state=None):
        self.estimator, self.n_estimators, self.learning_rate, self.random_state = estimator, n_estimators, learning_rate, random_state

    def fit(self, X, y, sample_weight=None):
        X, y = _table(X), np.asarray(y)
        check_consistent_length(X, y)
        self.classes_ = np.unique(y)
        self.n_classes_, self.n_features_in_ = len(self.classes_), X.shape[1]
        mass = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        mass, random = mass / mass.sum(), check_random_state(self.random_state)
        least = np.finfo(mass.dtype).eps
        self.estimators_, weights, errors = [], [], []
        for step in range(self.n_estimators):
            mass = np.maximum(mass, least)
            one = clone(DecisionTreeClassifier(max_depth=1) if self.estimator is None else self.estimator)
            if "random_state" in one.get_params():
                one.set_params(random_state=int(random.randint(2**31 - 1)))
            wrong = one.fit(X, y, sample_weight=mass).predict(X) != y
            error = float((mass * wrong).sum() / mass.sum())
            if error >= 1 - 1 / self.n_classes_:
                if not self.estimators_:
                    raise ValueError("BaseClassifier in AdaBoostClassifier ensemble is worse than random, ensemble can not be fit.")
                break
            weight = 1.0 if error <= 0 else self.learning_rate * (math.log((1 - error) / error) + math.log(self.n_classes_ - 1.0))
            self.estimators_.append(one)
            weights.append(weight)
            errors.append(max(error, 0.0))
            if error <= 0:
                break
            if step < self.n_estimators - 1:
                mass = np.exp(np.log(mass) + weight * wrong)
                mass = mass / mass.sum()
        self.estimator_weights_ = np.array(weights + [0.0] * (self.n_estimators - len(weights)))
        self.estimator_errors_ = np.array(errors + [1.0] * (self.n_estimators - len(errors)))
        return self

    def _votes(self, X):
        self._need_fit()
        total = 0.0
        for one, weight in zip(self.estimators_, self.estimator_weights_.tolist()):
            hit = one.predict(X)[:, None] == self.classes_
            total = total + np.where(hit, weight, -weight / (self.n_classes_ - 1))
        return total / self.estimator_weights_.sum()

    def decision_function(self, X):
        votes = self._votes(X)
        return votes[:, 1] - votes[:, 0] if self.n_classes_ == 2 else votes

    def predict_proba(self, X):
        votes = self._votes(X)
        if self.n_classes_ == 2:
            apart = votes[:, 1] - votes[:, 0]
            votes = np.stack([-apart, apart], axis=1) / 2
        else:
            votes = votes / (self.n_classes_ - 1)
        made = np.exp(votes - votes.max(axis=1)[:, None])
        return made / made.sum(axis=1)[:, None]

    def predict(self, X):
        found = self.decision_function(X)
        return self.classes_[(found > 0).astype(int) if found.ndim == 1 else found.argmax(axis=1)]

    @property
    def feature_importances_(self):
        self._need_fit()
        total = sum(w * one.feature_importances_ for w, one in zip(self.estimator_weights_.tolist(), self.estimators_))
        return total / self.estimator_weights_.sum()


class AdaBoostRegressor(RegressorMixin, BaseEstimator):
    """Estimators in turn: samples that one of them misses by far are drawn more often for the next."""

    _fitted = "estimators_"

    def __init__(self, estimator=None, *, n_estimators=50, learning_rate=1.0, loss="linear", random_state=None):
        self.estimator, self.n_estimators, self.learning_rate, self.loss, self.random_state = estimator, n_estimators, learning_rate, loss, random_state

    def fit(self, X, y, sample_weight=None):
        X, y = _table(X), np.asarray(y, dtype=np.float64).ravel()
        check_consistent_length(X, y)
        mass = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        mass, random = mass / mass.sum(), check_random_state(self.random_state)
        self.n_features_in_, none = X.shape[1], mass == 0
        self.estimators_, weights, errors = [], [], []
        for step in range(self.n_estimators):
            mass = np.where(none, 0.0, np.maximum(mass, np.finfo(float).eps))
            one = clone(DecisionTreeRegressor(max_depth=3) if self.estimator is None else self.estimator)
            if "random_state" in one.get_params():
                one.set_params(random_state=int(random.randint(2**31 - 1)))
            drawn = random.choice(np.arange(len(y)), size=len(y), replace=True, p=mass)
            one.fit(X[drawn], y[drawn])
            self.estimators_.append(one)
            away = np.abs(one.predict(X) - y)
            away = away / (away[mass > 0].max() or 1.0)
            away = away ** 2 if self.loss == "square" else 1.0 - np.exp(-away) if self.loss == "exponential" else away
            error = float((mass * away).sum())
            if error <= 0:
                weights.append(1.0)
                errors.append(0.0)
                break
            if error >= 0.5:
                if len(self.estimators_) > 1:
                    self.estimators_.pop()
                break
            share = error / (1.0 - error)
            weights.append(self.learning_rate * math.log(1.0 / share))
            errors.append(error)
            if step < self.n_estimators - 1:
                mass = mass * np.power(share, (1.0 - away) * self.learning_rate)
                mass = mass / mass.sum()
        self.estimator_weights_ = np.array(weights + [0.0] * (self.n_estimators - len(weights)))
        self.estimator_errors_ = np.array(errors + [1.0] * (self.n_estimators - len(errors)))
        return self

    def predict(self, X):
        self._need_fit()
        said = np.stack([one.predict(X) for one in self.estimators_], axis=1)
        order = np.argsort(said, axis=1, kind="stable")
        heights = np.cumsum(self.estimator_weights_[order], axis=1)
        middle = (heights >= 0.5 * heights[:, -1:]).argmax(axis=1)
        rows = np.arange(len(said))
        return said[rows, order[rows, middle]]

    @property
    def feature_importances_(self):
        self._need_fit()
        total = sum(w * one.feature_importances_ for w, one in zip(self.estimator_weights_.tolist(), self.estimators_))
        return total / self.estimator_weights_.sum()


class _Voting(BaseEstimator):
    _passes = True

    def _fit_all(self, X, y, sample_weight):
        kept = [(name, one) for name, one in self.estimators if one != "drop"]
        if not kept:
            raise ValueError("All estimators are dropped. At least one is required to be an estimator.")
        extra = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.estimators_ = [clone(one).fit(X, y, **extra) for _, one in kept]
        self.named_estimators_ = Bunch(**{name: one for (name, _), one in zip(kept, self.estimators_)})
        self._kept = None if self.weights is None else [w for (_, one), w in zip(self.estimators, self.weights) if one != "drop"]
        return self

    @property
    def named_estimators(self):
        return Bunch(**dict(self.estimators))


class VotingClassifier(_Classifier, _Voting):
    """What most of several estimators say, or the mean of their chances."""

    _fitted = "estimators_"

    def __init__(self, estimators, *, voting="hard", weights=None, n_jobs=None, flatten_transform=True, verbose=False):
        self.estimators, self.voting, self.weights, self.n_jobs = estimators, voting, weights, n_jobs
        self.flatten_transform, self.verbose = flatten_transform, verbose

    def fit(self, X, y, sample_weight=None):
        self.classes_, labels = np.unique(np.asarray(y), return_inverse=True)
        return self._fit_all(X, labels, sample_weight)

    def predict_proba(self, X):
        if self.voting == "hard":
            raise AttributeError("This 'VotingClassifier' has no attribute 'predict_proba'")
        self._need_fit()
        return np.average(np.stack([one.predict_proba(X) for one in self.estimators_]), axis=0, weights=self._kept)

    def predict(self, X):
        self._need_fit()
        if self.voting == "soft":
            return self.classes_[self.predict_proba(X).argmax(axis=1)]
        said = np.stack([one.predict(X) for one in self.estimators_], axis=1)
        counts = np.stack([((said == k) * np.asarray(1.0 if self._kept is None else self._kept)).sum(axis=1)
                           for k in range(len(self.classes_))], axis=1)
        return self.classes_[counts.argmax(axis=1)]


class VotingRegressor(RegressorMixin, _Voting):
    """The mean of what several estimators say."""

    _fitted = "estimators_"

    def __init__(self, estimators, *, weights=None, n_jobs=None, verbose=False):
        self.estimators, self.weights, self.n_jobs, self.verbose = estimators, weights, n_jobs, verbose

    def fit(self, X, y, sample_weight=None):
        return self._fit_all(X, y, sample_weight)

    def predict(self, X):
        self._need_fit()
        return np.average(np.stack([one.predict(X) for one in self.estimators_], axis=1), axis=1, weights=self._kept)


def __getattr__(name):
    if name.startswith("HistGradientBoosting") and name in _LATER:
        from . import _binned

        return getattr(_binned, name)
    if name in _LATER:
        from . import _bagging

        return getattr(_bagging, name)
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.ensemble.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.ensemble' has no attribute '{name}'")
