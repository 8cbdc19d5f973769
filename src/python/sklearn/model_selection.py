"""Splits into parts to train on and to test on. The same seeds give scikit-learn's own splits."""

import math
import numbers
import warnings

import numpy as np

from .exceptions import InvalidParameterError
from .utils import _rows, check_consistent_length, check_random_state


def _size(size, name, count):
    """How many rows a size means, a share or a number; None stays None."""
    if size is None:
        return None
    whole = isinstance(size, numbers.Integral) and not isinstance(size, bool)
    if not (whole and size >= 1 or isinstance(size, float) and 0 < size < 1):
        raise InvalidParameterError(
            f"The '{name}' parameter of train_test_split must be a float in the range (0.0, 1.0), an int in the range "
            f"[1, inf) or None. Got {size!r} instead."
        )
    if whole and size >= count:
        raise ValueError(
            f"{name}={size} should be either positive and smaller than the number of samples {count} or a float in the "
            "(0, 1) range"
        )
    if whole:
        return int(size)
    return math.ceil(size * count) if name == "test_size" else math.floor(size * count)


def _sizes(count, test_size, train_size):
    if test_size is None and train_size is None:
        test_size = 0.25
    test, train = _size(test_size, "test_size", count), _size(train_size, "train_size", count)
    if isinstance(test_size, float) and isinstance(train_size, float) and test_size + train_size > 1:
        raise ValueError(
            f"The sum of test_size and train_size = {test_size + train_size}, should be in the (0, 1) range. "
            "Reduce test_size and/or train_size."
        )
    train = count - test if train is None else train
    test = count - train if test is None else test
    if train + test > count:
        raise ValueError(
            f"The sum of train_size and test_size = {train + test}, should be smaller than the number of samples {count}. "
            "Reduce test_size and/or train_size."
        )
    if train == 0:
        raise ValueError(
            f"With n_samples={count}, test_size={test_size} and train_size={train_size}, the resulting train set will be empty. "
            "Adjust any of the aforementioned parameters."
        )
    return train, test


def _share_out(counts, draws, generator):
    """How many of `draws` each class gets: its share, and what is left over to the largest remainders."""
    exact = counts / counts.sum() * draws
    given = np.floor(exact)
    left = int(draws - given.sum())
    remainders = exact - given
    for value in np.unique(remainders)[::-1]:
        if left == 0:
            break
        (tied,) = np.where(remainders == value)
        take = min(len(tied), left)
        given[generator.choice(tied, size=take, replace=False)] += 1
        left -= take
    return given.astype(int)


def _stratified(labels, train, test, generator):
    labels = np.asarray(labels)
    if labels.ndim != 1:
        raise NotImplementedError("stratify takes labels of one dimension here")
    classes, codes = np.unique(labels, return_inverse=True)
    counts = np.bincount(codes)
    if counts.min() < 2:
        raise ValueError(
            "The least populated classes in y have only 1 member, which is too few. The minimum number of groups for any class "
            f"cannot be less than 2. Classes with too few members are: {[c.item() for c in classes[counts < 2]]}"
        )
    for size, name in ((train, "train_size"), (test, "test_size")):
        if size < len(classes):
            raise ValueError(
                f"The {name} = {size} should be greater or equal to the number of classes = {len(classes)}"
            )
    in_train = _share_out(counts, train, generator)
    in_test = _share_out(counts - in_train, test, generator)
    first, second = [], []
    for k in range(len(classes)):
        mixed = np.where(codes == k)[0][generator.permutation(int(counts[k]))]
        end = int(in_train[k])
        first.append(mixed[:end])
        second.append(mixed[end:end + int(in_test[k])])
    return generator.permutation(np.concatenate(first)), generator.permutation(np.concatenate(second))


def train_test_split(*arrays, test_size=None, train_size=None, random_state=None, shuffle=True, stratify=None):
    """Two parts of each array: [a_train, a_test, b_train, b_test, …]."""
    if not arrays:
        raise ValueError("At least one array required as input")
    check_consistent_length(*arrays)
    count = len(arrays[0])
    train, test = _sizes(count, test_size, train_size)
    if not shuffle:
        if stratify is not None:
            raise ValueError("Stratified train/test split is not implemented for shuffle=False")
        first, second = np.arange(train), np.arange(train, train + test)
    elif stratify is not None:
        check_consistent_length(arrays[0], stratify)
        first, second = _stratified(stratify, train, test, check_random_state(random_state))
    else:
        mixed = check_random_state(random_state).permutation(count)
        first, second = mixed[test:test + train], mixed[:test]
    return [_rows(a, part) for a in arrays for part in (first, second)]


class _Folds:
    def __init__(self, n_splits, shuffle, random_state):
        if not isinstance(n_splits, numbers.Integral):
            raise ValueError(
                f"The number of folds must be of Integral type. {n_splits} of type {type(n_splits)} was passed."
            )
        if n_splits <= 1:
            raise ValueError(
                "k-fold cross-validation requires at least one train/test split by setting n_splits=2 or more, got "
                f"n_splits={n_splits}."
            )
        if not isinstance(shuffle, bool):
            raise TypeError(f"shuffle must be True or False; got {shuffle}")
        if not shuffle and random_state is not None:
            raise ValueError(
                "Setting a random_state has no effect since shuffle is False. You should leave random_state to its default "
                "(None), or set shuffle=True."
            )
        self.n_splits, self.shuffle, self.random_state = int(n_splits), shuffle, random_state

    def __repr__(self):
        return f"{type(self).__name__}(n_splits={self.n_splits}, random_state={self.random_state!r}, shuffle={self.shuffle})"

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits

    def split(self, X, y=None, groups=None):
        """Pairs of indices: the rows to train on, the rows to test on."""
        check_consistent_length(X, y)
        count = len(X)
        if self.n_splits > count:
            raise ValueError(
                f"Cannot have number of splits n_splits={self.n_splits} greater than the number of samples: n_samples={count}."
            )
        fold = self._fold_of_each(count, y)
        for k in range(self.n_splits):
            yield np.where(fold != k)[0], np.where(fold == k)[0]


class KFold(_Folds):
    """`n_splits` folds of nearly equal size; each is the test part once."""

    def __init__(self, n_splits=5, *, shuffle=False, random_state=None):
        super().__init__(n_splits, shuffle, random_state)

    def _fold_of_each(self, count, y):
        order = np.arange(count)
        if self.shuffle:
            check_random_state(self.random_state).shuffle(order)
        sizes = [count // self.n_splits + (k < count % self.n_splits) for k in range(self.n_splits)]
        fold = np.zeros(count, dtype=int)
        fold[order] = np.repeat(np.arange(self.n_splits), sizes)
        return fold


class StratifiedKFold(_Folds):
    """Folds in which each class has its share."""

    def __init__(self, n_splits=5, *, shuffle=False, random_state=None):
        super().__init__(n_splits, shuffle, random_state)

    def _fold_of_each(self, count, y):
        if y is None:
            raise TypeError("StratifiedKFold splits by classes, so split() needs y")
        y = np.asarray(y)
        y = y[:, 0] if y.ndim == 2 and y.shape[1] == 1 else y
        if y.ndim != 1 or y.dtype.kind == "f" and (y != np.floor(y)).any():
            kind = "continuous" if y.ndim == 1 else "multilabel-indicator"
            raise ValueError(f"Supported target types are: ('binary', 'multiclass'). Got {kind!r} instead.")
        # Classes are numbered in the order in which they appear.
        _, firsts, inverse = np.unique(y, return_index=True, return_inverse=True)
        codes = np.argsort(np.argsort(firsts))[inverse]
        counts = np.bincount(codes)
        if (counts < self.n_splits).all():
            raise ValueError(f"n_splits={self.n_splits} cannot be greater than the number of members in each class.")
        if counts.min() < self.n_splits:
            warnings.warn(
                f"The least populated class in y has only {counts.min()} members, which is less than n_splits={self.n_splits}.",
                UserWarning, stacklevel=3,
            )
        generator = check_random_state(self.random_state)
        ordered = np.sort(codes)
        shares = [np.bincount(ordered[k::self.n_splits], minlength=len(counts)) for k in range(self.n_splits)]
        fold = np.zeros(count, dtype=int)
        for c in range(len(counts)):
            folds = np.repeat(np.arange(self.n_splits), [int(share[c]) for share in shares])
            if self.shuffle:
                generator.shuffle(folds)
            fold[codes == c] = folds
        return fold


def _classifies(estimator):
    from .base import is_classifier

    last = getattr(estimator, "_last", estimator)
    if not type(last).__module__.startswith("sklearn."):
        return is_classifier(last)
    return getattr(last, "_estimator_type", "classifier" if hasattr(last, "predict_proba") else None) == "classifier"


def _scorer(scoring):
    """How well a fitted estimator does."""
    from . import metrics

    if scoring is None:
        return lambda estimator, X, y: estimator.score(X, y)
    if callable(scoring):
        return scoring
    return metrics.get_scorer(scoring)


def cross_val_score(estimator, X, y=None, *, groups=None, scoring=None, cv=None, n_jobs=None, verbose=0, params=None,
                    pre_dispatch="2*n_jobs", error_score=np.nan):
    """The score of each fold, by an estimator that was fitted to the others."""
    if params is not None:
        raise NotImplementedError("sklearn.model_selection.cross_val_score(params=)")
    return cross_validate(estimator, X, y, groups=groups, scoring={"score": scoring}, cv=cv, error_score=error_score)["test_score"]


from ._search import (GridSearchCV, GroupKFold, LeaveOneOut, ParameterGrid, ParameterSampler, RandomizedSearchCV, RepeatedKFold,
                      RepeatedStratifiedKFold, ShuffleSplit, StratifiedShuffleSplit, TimeSeriesSplit, cross_val_predict, cross_validate,
                      learning_curve, validation_curve)


def __getattr__(name):
    if name[:1].isupper() or name == "permutation_test_score":
        raise NotImplementedError(f"sklearn.model_selection.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.model_selection' has no attribute '{name}'")
