"""Searches over parameters, and what cross-validation returns."""

import itertools
import math
import numbers
import time
import traceback
import warnings

import numpy as np

from ._printing import built
from .base import BaseEstimator, clone
from .exceptions import NotFittedError
from .utils import _rows, check_random_state


class ParameterGrid:
    """All combinations of the values in a dictionary of lists."""

    def __init__(self, param_grid):
        if not isinstance(param_grid, (dict, list, tuple)):
            raise TypeError(f"Parameter grid should be a dict or a list, got: {param_grid!r} of type {type(param_grid).__name__}")
        self.param_grid = [param_grid] if isinstance(param_grid, dict) else param_grid
        for grid in self.param_grid:
            if not isinstance(grid, dict):
                raise TypeError(f"Parameter grid is not a dict ({grid!r})")
            for key, value in grid.items():
                if isinstance(value, str) or not hasattr(value, "__len__"):
                    raise TypeError(f"Parameter grid for parameter {key!r} needs to be a list or a numpy array, but got {value!r} (of "
                                    f"type {type(value).__name__}) instead. Single values need to be wrapped in a list with one element.")
                if not len(value):
                    raise ValueError(f"Parameter grid for parameter {key!r} need to be a non-empty sequence, got: {value!r}")

    def __iter__(self):
        for grid in self.param_grid:
            names = sorted(grid)
            for values in itertools.product(*(grid[name] for name in names)):
                yield dict(zip(names, values))

    def __len__(self):
        return sum(math.prod(len(v) for v in grid.values()) for grid in self.param_grid)

    def __getitem__(self, at):
        # In the other order than an iteration's.
        return dict(reversed(list(self)[at].items()))


class ParameterSampler:
    """Draws from lists and distributions."""

    def __init__(self, param_distributions, n_iter, *, random_state=None):
        self.n_iter, self.random_state = n_iter, random_state
        self.param_distributions = [param_distributions] if isinstance(param_distributions, dict) else param_distributions

    def __len__(self):
        return self.n_iter

    def __iter__(self):
        generator = check_random_state(self.random_state)
        if all(not hasattr(v, "rvs") for each in self.param_distributions for v in each.values()):
            grid = ParameterGrid(self.param_distributions)
            count = self.n_iter
            if len(grid) < count:
                warnings.warn(f"The total space of parameters {len(grid)} is smaller than n_iter={count}. Running {len(grid)} iterations. "
                              "For exhaustive searches, use GridSearchCV.", UserWarning, stacklevel=2)
                count = len(grid)
            for i in _sample_without_replacement(len(grid), count, generator):
                yield grid[i]
            return
        for _ in range(self.n_iter):
            each = self.param_distributions[int(generator.randint(len(self.param_distributions)))] \
                if len(self.param_distributions) > 1 else self.param_distributions[0]
            if len(self.param_distributions) == 1:
                generator.randint(1)
            yield {name: value.rvs(random_state=generator) if hasattr(value, "rvs") else value[int(generator.randint(len(value)))]
                   for name, value in sorted(each.items())}


def _sample_without_replacement(population, count, generator):
    """The draws of scikit-learn's function of this name, whose method depends on the share."""
    ratio = count / population if population else 1.0
    if ratio < 0.01:
        seen, drawn = set(), []
        while len(drawn) < count:
            at = int(generator.randint(population))
            if at not in seen:
                seen.add(at)
                drawn.append(at)
        return drawn
    if ratio < 0.99:
        return [int(i) for i in generator.permutation(population)[:count]]
    drawn = list(range(count))
    for i in range(count, population):
        at = int(generator.randint(0, i + 1))
        if at < count:
            drawn[at] = i
    return drawn


def _cv_of(cv, estimator):
    from .model_selection import KFold, StratifiedKFold, _classifies

    if cv is None or isinstance(cv, numbers.Integral):
        return (StratifiedKFold if _classifies(estimator) else KFold)(5 if cv is None else cv)
    return cv


def _splits(cv, estimator, X, y, groups=None):
    cv = _cv_of(cv, estimator)
    return list(cv.split(X, y, groups) if hasattr(cv, "split") else cv)


def _scorers(scoring, estimator):
    from .model_selection import _scorer

    if isinstance(scoring, (list, tuple, set)):
        return {name: _scorer(name) for name in scoring}
    if isinstance(scoring, dict):
        return {name: _scorer(one) for name, one in scoring.items()}
    return {"score": _scorer(scoring)}


def _one(estimator, X, y, train, test, scorers, with_train, error_score=np.nan):
    start = time.perf_counter()
    try:
        fitted = estimator.fit(_rows(X, train), _rows(y, train)) if y is not None else estimator.fit(_rows(X, train))
    except Exception:
        if error_score == "raise":
            raise
        found = {f"{part}_{name}": error_score for name in scorers for part in ("test", "train")}
        return estimator, time.perf_counter() - start, 0.0, found, traceback.format_exc()
    middle = time.perf_counter()
    found = {f"test_{name}": score(fitted, _rows(X, test), _rows(y, test)) for name, score in scorers.items()}
    end = time.perf_counter()
    if with_train:
        found.update((f"train_{name}", score(fitted, _rows(X, train), _rows(y, train))) for name, score in scorers.items())
    return fitted, middle - start, end - middle, found, None


def _failed(runs, error_score):
    """Warns of the fits that raised an error; if all did, that is an error."""
    errors = [run[4] for run in runs if run[4] is not None]
    if not errors:
        return
    said = "\n".join(f"{'-' * 80}\n{errors.count(one)} fits failed with the following error:\n{one}" for one in dict.fromkeys(errors))
    if len(errors) == len(runs):
        raise ValueError(f"\nAll the {len(runs)} fits failed.\nIt is very likely that your model is misconfigured.\nYou can try to debug the error by setting "
                         f"error_score='raise'.\n\nBelow are more details about the failures:\n{said}")
    from .exceptions import FitFailedWarning

    warnings.warn(f"\n{len(errors)} fits failed out of a total of {len(runs)}.\nThe score on these train-test partitions for these parameters will be set to "
                  f"{error_score}.\nIf these failures are not expected, you can try to debug them by setting error_score='raise'.\n\nBelow are more details "
                  f"about the failures:\n{said}", FitFailedWarning, stacklevel=3)


def cross_validate(estimator, X, y=None, *, groups=None, scoring=None, cv=None, n_jobs=None, verbose=0, params=None,
                   pre_dispatch="2*n_jobs", return_train_score=False, return_estimator=False, return_indices=False, error_score=np.nan):
    """Times and scores of each fold."""
    if params is not None:
        raise NotImplementedError("sklearn.model_selection.cross_validate(params=)")
    scorers, splits = _scorers(scoring, estimator), _splits(cv, estimator, X, y, groups)
    runs = [_one(clone(estimator), X, y, train, test, scorers, return_train_score, error_score) for train, test in splits]
    _failed(runs, error_score)
    found = {"fit_time": np.array([r[1] for r in runs]), "score_time": np.array([r[2] for r in runs])}
    if return_estimator:
        found["estimator"] = [r[0] for r in runs]
    if return_indices:
        found["indices"] = {"train": tuple(s[0] for s in splits), "test": tuple(s[1] for s in splits)}
    for name in scorers:
        found[f"test_{name}"] = np.array([r[3][f"test_{name}"] for r in runs])
        if return_train_score:
            found[f"train_{name}"] = np.array([r[3][f"train_{name}"] for r in runs])
    return found


def cross_val_predict(estimator, X, y=None, *, groups=None, cv=None, n_jobs=None, verbose=0, params=None, pre_dispatch="2*n_jobs",
                      method="predict"):
    """What each row gets from the estimator that hasn't seen it."""
    made = None
    for train, test in _splits(cv, estimator, X, y, groups):
        fitted = clone(estimator).fit(_rows(X, train), _rows(y, train))
        found = np.asarray(getattr(fitted, method)(_rows(X, test)))
        if made is None:
            made = np.zeros((len(X),) + found.shape[1:], dtype=found.dtype) if found.dtype.kind not in "UO" else \
                np.empty((len(X),) + found.shape[1:], dtype=np.asarray(y).dtype)
        made[test] = found
    return made


def _train_sizes(sizes, most):
    sizes = np.asarray(sizes)
    if sizes.dtype.kind == "f":
        if sizes.min() <= 0 or sizes.max() > 1:
            raise ValueError("train_sizes has been interpreted as fractions of the maximum number of training samples and must be within "
                             f"(0, 1], but is within [{sizes.min():f}, {sizes.max():f}].")
        sizes = np.clip((sizes * most).astype(int), 1, most)
    elif sizes.min() <= 0 or sizes.max() > most:
        raise ValueError("train_sizes has been interpreted as absolute numbers of training samples and must be within "
                         f"(0, {most}], but is within [{sizes.min()}, {sizes.max()}].")
    return np.unique(sizes)


def learning_curve(estimator, X, y, *, groups=None, train_sizes=np.linspace(0.1, 1.0, 5), cv=None, scoring=None,
                   exploit_incremental_learning=False, n_jobs=None, pre_dispatch="all", verbose=0, shuffle=False, random_state=None,
                   error_score=np.nan, return_times=False, params=None):
    """Scores by the number of rows to learn from."""
    if exploit_incremental_learning or params is not None:
        raise NotImplementedError("sklearn.model_selection.learning_curve(exploit_incremental_learning=, params=)")
    splits, scorers = _splits(cv, estimator, X, y, groups), _scorers(scoring, estimator)
    sizes = _train_sizes(train_sizes, len(splits[0][0]))
    if shuffle:
        generator = check_random_state(random_state)
        splits = [(generator.permutation(train), test) for train, test in splits]
    runs = [[_one(clone(estimator), X, y, train[:size], test, scorers, True, error_score) for size in sizes.tolist()] for train, test in splits]
    _failed([run for row in runs for run in row], error_score)
    parts = [np.array([[r[3][f"{part}_score"] for r in row] for row in runs]).T for part in ("train", "test")]
    times = [np.array([[r[k] for r in row] for row in runs]).T for k in (1, 2)] if return_times else []
    return (sizes, *parts, *times)


def validation_curve(estimator, X, y, *, param_name, param_range, groups=None, cv=None, scoring=None, n_jobs=None, pre_dispatch="all",
                     verbose=0, error_score=np.nan, params=None):
    """Scores by the values of one parameter."""
    splits, scorers = _splits(cv, estimator, X, y, groups), _scorers(scoring, estimator)
    runs = [[_one(clone(estimator).set_params(**{param_name: value}), X, y, train, test, scorers, True, error_score) for value in param_range]
            for train, test in splits]
    return tuple(np.array([[r[3][f"{part}_score"] for r in row] for row in runs]).T for part in ("train", "test"))


_MASKED = type("MaskedConstant", (), {"__repr__": lambda self: "masked", "__str__": lambda self: "--"})()


class _Masked:
    """A column of values, some of which aren't given. NumPy's masked arrays look the same."""

    def __init__(self, data, mask):
        self.data, self.mask = data, np.array(mask)

    shape = property(lambda self: self.data.shape)
    dtype = property(lambda self: self.data.dtype)
    ndim, size = 1, property(lambda self: self.data.size)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, at):
        if isinstance(at, (int, np.integer)):
            return _MASKED if self.mask[at] else self.data[at]
        return _Masked(self.data[at], self.mask[at])

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __array__(self, dtype=None, copy=None):
        return self.data if dtype is None else self.data.astype(dtype)

    def tolist(self):
        return [None if hidden else value for value, hidden in zip(self.data.tolist(), self.mask.tolist())]

    def _words(self, separator):
        if not self.mask.any():
            return np.array2string(self.data, separator=separator)
        return "[" + separator.join("--" if hidden else repr(value) for value, hidden in zip(self.data.tolist(), self.mask.tolist())) + "]"

    def __str__(self):
        return self._words(" ")

    def __repr__(self):
        lines = [f"masked_array(data={self._words(', ')}", f"             mask={np.array2string(self.mask, separator=', ')}"]
        fill = {"i": 999999, "f": 1e20, "b": True}.get(self.dtype.kind, "?")
        lines.append(f"       fill_value={fill!r}" if self.dtype.kind != "O" else "       fill_value='?'")
        if self.dtype.kind == "O":
            lines.append("            dtype=object")
        return ",\n".join(lines) + ")"


class _SearchCV(BaseEstimator):
    _passes = True

    def fit(self, X, y=None, **params):
        if params:
            raise NotImplementedError(f"{type(self).__name__}.fit: {sorted(params)} can't be passed on here")
        scorers = _scorers(self.scoring, self.estimator)
        several = list(scorers) != ["score"]
        if several and (self.refit is True or not isinstance(self.refit, (str, bool)) and not callable(self.refit)):
            raise ValueError("For multi-metric scoring, the parameter refit must be set to a scorer key or a callable to refit an "
                             "estimator "
                             f"with the best parameter setting on the whole data and make the best_* attributes available for that "
                             f"metric. If this is not needed, refit should be set to False explicitly. {self.refit!r} was passed.")
        splits = _splits(self.cv, self.estimator, X, y)
        candidates = list(self._candidates())
        if self.verbose > 0:
            print(f"Fitting {len(splits)} folds for each of {len(candidates)} candidates, totalling {len(splits) * len(candidates)} fits")
        runs = []
        for values in candidates:
            made = lambda: clone(self.estimator).set_params(**{k: clone(v, safe=False) for k, v in values.items()})
            runs.append([_one(made(), X, y, train, test, scorers, self.return_train_score, self.error_score) for train, test in splits])
        _failed([run for row in runs for run in row], self.error_score)
        results = {}

        def put(name, table, ranked=False, each=True):
            if each:
                for k in range(table.shape[1]):
                    results[f"split{k}_{name}"] = table[:, k]
            results[f"mean_{name}"] = table.mean(axis=1)
            results[f"std_{name}"] = table.std(axis=1)
            if ranked:
                mean = results[f"mean_{name}"]
                if not np.isfinite(mean).all():
                    warnings.warn(f"One or more of the {name.partition('_')[0]} scores are non-finite: {mean}", UserWarning, stacklevel=4)
                    mean = np.where(np.isnan(mean), -np.inf, mean)
                results[f"rank_{name}"] = np.array([1 + int((mean > value).sum()) for value in mean], dtype=np.int32)

        for k, name in ((1, "fit_time"), (2, "score_time")):
            put(name, np.array([[r[k] for r in row] for row in runs]), each=False)
        for name in sorted({name for values in candidates for name in values}):
            column = [values.get(name, _MASKED) for values in candidates]
            known = [v for v in column if v is not _MASKED]
            # Whole numbers beside fractions are fractions, as in an array.
            kinds = {type(v) for v in known}
            kind = kinds.pop() if len(kinds) == 1 and kinds <= {int, float, bool} else float if kinds == {int, float} else object
            results[f"param_{name}"] = _Masked(_boxed([known[0] if v is _MASKED else v for v in column], kind),
                                               [v is _MASKED for v in column])
        results["params"] = candidates
        for name in scorers:
            put(f"test_{name}", np.array([[r[3][f"test_{name}"] for r in row] for row in runs]), True)
            if self.return_train_score:
                put(f"train_{name}", np.array([[r[3][f"train_{name}"] for r in row] for row in runs]))
        self.cv_results_, self.n_splits_, self.multimetric_ = results, len(splits), several
        self.scorer_ = scorers if several else scorers["score"]
        if self.refit or not several:
            name = self.refit if several else "score"
            self.best_index_ = self.refit(results) if callable(self.refit) else int(np.argmin(results[f"rank_test_{name}"]))
            if not callable(self.refit):
                self.best_score_ = results[f"mean_test_{name}"][self.best_index_]
            self.best_params_ = candidates[self.best_index_]
        if self.refit:
            self.best_estimator_ = clone(self.estimator).set_params(**{k: clone(v, safe=False) for k, v in self.best_params_.items()})
            start = time.perf_counter()
            self.best_estimator_.fit(X, y) if y is not None else self.best_estimator_.fit(X)
            self.refit_time_ = time.perf_counter() - start
        return self

    def _best(self, method):
        if not self.refit:
            raise AttributeError(f"This {type(self).__name__!r} has no attribute {method!r}")
        if not hasattr(self, "best_estimator_"):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before "
                                 "using this estimator.")
        return getattr(self.best_estimator_, method)

    def predict(self, X):
        return self._best("predict")(X)

    def predict_proba(self, X):
        return self._best("predict_proba")(X)

    def decision_function(self, X):
        return self._best("decision_function")(X)

    def transform(self, X):
        return self._best("transform")(X)

    def score(self, X, y=None):
        from .model_selection import _scorer

        self._best("fit")
        scorer = self.scorer_[self.refit] if self.multimetric_ else _scorer(self.scoring)
        return scorer(self.best_estimator_, X, y)

    @property
    def classes_(self):
        return self._best("classes_")

    @property
    def _last(self):
        return self.estimator


def _boxed(values, kind):
    if kind is not object:
        return np.array(values, dtype=kind)
    made = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        made[i] = value
    return made


class GridSearchCV(_SearchCV):
    """Tries all combinations of parameters, and keeps the one with the best mean score."""

    def __init__(self, estimator, param_grid, *, scoring=None, n_jobs=None, refit=True, cv=None, verbose=0, pre_dispatch="2*n_jobs",
                 error_score=np.nan, return_train_score=False):
        self.estimator, self.param_grid, self.scoring, self.n_jobs, self.refit, self.cv = estimator, param_grid, scoring, n_jobs, refit, cv
        self.verbose, self.pre_dispatch, self.error_score, self.return_train_score = verbose, pre_dispatch, error_score, return_train_score

    def _candidates(self):
        return ParameterGrid(self.param_grid)


class RandomizedSearchCV(_SearchCV):
    """Tries some combinations of parameters, drawn at random."""

    def __init__(self, estimator, param_distributions, *, n_iter=10, scoring=None, n_jobs=None, refit=True, cv=None, verbose=0,
                 pre_dispatch="2*n_jobs", random_state=None, error_score=np.nan, return_train_score=False):
        self.estimator, self.param_distributions, self.n_iter = estimator, param_distributions, n_iter
        self.scoring, self.n_jobs = scoring, n_jobs
        self.refit, self.cv, self.verbose, self.pre_dispatch, self.random_state = refit, cv, verbose, pre_dispatch, random_state
        self.error_score, self.return_train_score = error_score, return_train_score

    def _candidates(self):
        return ParameterSampler(self.param_distributions, self.n_iter, random_state=self.random_state)


class LeaveOneOut:
    """Each row is the test part once."""

    def split(self, X, y=None, groups=None):
        rows = np.arange(len(X))
        for i in range(len(X)):
            yield rows[rows != i], rows[i:i + 1]

    def get_n_splits(self, X=None, y=None, groups=None):
        if X is None:
            raise ValueError("The 'X' parameter should not be None.")
        return len(X)

    def __repr__(self):
        return "LeaveOneOut()"


class TimeSeriesSplit:
    """Folds in order: later rows are never learned from."""

    def __init__(self, n_splits=5, *, max_train_size=None, test_size=None, gap=0):
        self.n_splits, self.max_train_size, self.test_size, self.gap = n_splits, max_train_size, test_size, gap

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits

    def split(self, X, y=None, groups=None):
        count, folds = len(X), self.n_splits + 1
        size = self.test_size if self.test_size is not None else count // folds
        if folds > count:
            raise ValueError(f"Cannot have number of folds={folds} greater than the number of samples={count}.")
        if count - self.gap - size * self.n_splits <= 0:
            raise ValueError(f"Too many splits={self.n_splits} for number of samples={count} with test_size={size} and gap={self.gap}.")
        rows = np.arange(count)
        for start in range(count - self.n_splits * size, count, size):
            end = start - self.gap
            first = max(0, end - self.max_train_size) if self.max_train_size and self.max_train_size < end else 0
            yield rows[first:end], rows[start:start + size]

    def __repr__(self):
        return built(self, gap=self.gap, max_train_size=self.max_train_size, n_splits=self.n_splits, test_size=self.test_size)


class ShuffleSplit:
    """Random splits, each drawn anew."""

    def __init__(self, n_splits=10, *, test_size=None, train_size=None, random_state=None):
        self.n_splits, self.test_size, self.train_size, self.random_state = n_splits, test_size, train_size, random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits

    def _sized(self, count):
        from .model_selection import _sizes

        neither = self.test_size is None and self.train_size is None
        return _sizes(count, 0.1 if neither else self.test_size, self.train_size)

    def split(self, X, y=None, groups=None):
        train, test = self._sized(len(X))
        generator = check_random_state(self.random_state)
        for _ in range(self.n_splits):
            mixed = generator.permutation(len(X))
            yield mixed[test:test + train], mixed[:test]

    def __repr__(self):
        return built(self, n_splits=self.n_splits, random_state=self.random_state, test_size=self.test_size, train_size=self.train_size)


class StratifiedShuffleSplit(ShuffleSplit):
    """Random splits in which each class has its share."""

    def split(self, X, y, groups=None):
        from .model_selection import _stratified

        train, test = self._sized(len(X))
        generator = check_random_state(self.random_state)
        for _ in range(self.n_splits):
            yield _stratified(y, train, test, generator)


class _Repeated:
    def __init__(self, *, n_splits=5, n_repeats=10, random_state=None):
        self.n_splits, self.n_repeats, self.random_state = n_splits, n_repeats, random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits * self.n_repeats

    def split(self, X, y=None, groups=None):
        from . import model_selection

        generator = check_random_state(self.random_state)
        for _ in range(self.n_repeats):
            folds = getattr(model_selection, self._of)(self.n_splits, shuffle=True, random_state=generator)
            yield from folds.split(X, y)

    def __repr__(self):
        return built(self, n_repeats=self.n_repeats, n_splits=self.n_splits, random_state=self.random_state)


class RepeatedKFold(_Repeated):
    _of = "KFold"


class RepeatedStratifiedKFold(_Repeated):
    _of = "StratifiedKFold"


class GroupKFold:
    """Folds that never split a group."""

    def __init__(self, n_splits=5, *, shuffle=False, random_state=None):
        if shuffle:
            raise NotImplementedError("sklearn.model_selection.GroupKFold(shuffle=True)")
        self.n_splits, self.shuffle, self.random_state = n_splits, shuffle, random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits

    def split(self, X, y=None, groups=None):
        if groups is None:
            raise ValueError("The 'groups' parameter should not be None.")
        names, codes = np.unique(np.asarray(groups), return_inverse=True)
        if self.n_splits > len(names):
            raise ValueError(f"Cannot have number of splits n_splits={self.n_splits} greater than the number of groups: {len(names)}.")
        counts = np.bincount(codes)
        filled, fold = [0] * self.n_splits, np.zeros(len(names), dtype=int)
        # The largest group first, each into the fold that has least.
        for group in np.argsort(counts)[::-1].tolist():
            lightest = filled.index(min(filled))
            filled[lightest] += int(counts[group])
            fold[group] = lightest
        of_row = fold[codes]
        for k in range(self.n_splits):
            yield np.where(of_row != k)[0], np.where(of_row == k)[0]

    def __repr__(self):
        return f"GroupKFold(n_splits={self.n_splits}, random_state={self.random_state!r}, shuffle={self.shuffle})"
