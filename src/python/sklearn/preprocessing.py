"""Scaling, labels as numbers, one-hot columns and products of features."""

import itertools
import warnings

import numpy as np

from ._sparse import csr_matrix
from .base import BaseEstimator, TransformerMixin
from .utils import _no_series, _table


def _numbers(X):
    """A table in which NaN stands for what is missing: scalers skip it."""
    _no_series(X)
    X = np.asarray(X)
    if X.dtype.kind == "f" and X.ndim == 2 and np.isnan(X).any():
        _table(np.where(np.isnan(X), 0.0, X))
        return X
    return _table(X)


def _gappy(X):
    return bool(np.isnan(X).any())


class _Columns(TransformerMixin, BaseEstimator):
    """What makes one column out of each column keeps their names."""

    _fitted = "n_features_in_"

    def get_feature_names_out(self, input_features=None):
        self._need_fit()
        names = getattr(self, "feature_names_in_", None) if input_features is None else input_features
        return np.array([f"x{i}" for i in range(self.n_features_in_)] if names is None else list(names), dtype=object)


def _scale(spread):
    """A column that is constant is divided by 1."""
    return np.where(spread < 10 * np.finfo(float).eps, 1.0, spread)


class StandardScaler(_Columns):
    """Subtracts each column's mean and divides by its standard deviation: (n, features) to (n, features)."""

    def __init__(self, *, copy=True, with_mean=True, with_std=True):
        self.copy, self.with_mean, self.with_std = copy, with_mean, with_std

    def fit(self, X, y=None):
        X = _numbers(X)
        self.n_features_in_ = X.shape[1]
        self.n_samples_seen_ = float(X.shape[0])
        if _gappy(X):
            self.n_samples_seen_ = (~np.isnan(X)).sum(axis=0).astype(float)
            self.mean_ = np.nanmean(X, axis=0) if self.with_mean or self.with_std else None
            self.var_ = np.nanvar(X, axis=0) if self.with_std else None
        else:
            self.mean_ = X.mean(axis=0) if self.with_mean or self.with_std else None
            self.var_ = X.var(axis=0) if self.with_std else None
        self.scale_ = _scale(np.sqrt(self.var_)) if self.with_std else None
        return self

    def partial_fit(self, X, y=None):
        """Learns from one more part of the samples."""
        if not hasattr(self, "n_samples_seen_"):
            return self.fit(X)
        X, count = _numbers(X), self.n_samples_seen_
        self._need_width(X)
        if _gappy(X) or np.ndim(count):
            raise NotImplementedError("StandardScaler: partial_fit of missing values isn't supported here")
        total, before, more = count + len(X), self.mean_, X.mean(axis=0)
        self.n_samples_seen_ = total
        self.mean_ = (before * count + more * len(X)) / total
        if self.with_std:
            inside = self.var_ * count + X.var(axis=0) * len(X) + (before - more) ** 2 * count * len(X) / total
            self.var_ = inside / total
            self.scale_ = _scale(np.sqrt(self.var_))
        return self

    def transform(self, X):
        self._need_fit()
        X = _numbers(X)
        self._need_width(X)
        if self.with_mean:
            X = X - self.mean_
        return X / self.scale_ if self.with_std else X

    def inverse_transform(self, X):
        self._need_fit()
        X = _numbers(X)
        if self.with_std:
            X = X * self.scale_
        return X + self.mean_ if self.with_mean else X


class MinMaxScaler(_Columns):
    """Moves each column into `feature_range`: (n, features) to (n, features)."""

    _fitted = "scale_"

    def __init__(self, feature_range=(0, 1), *, copy=True, clip=False):
        self.feature_range, self.copy, self.clip = feature_range, copy, clip

    def fit(self, X, y=None):
        X = _numbers(X)
        low, high = self.feature_range
        if low >= high:
            raise ValueError(f"Minimum of desired feature range must be smaller than maximum. Got {self.feature_range}.")
        self.n_features_in_, self.n_samples_seen_ = X.shape[1], X.shape[0]
        least, most = (np.nanmin, np.nanmax) if _gappy(X) else (np.min, np.max)
        self.data_min_, self.data_max_ = least(X, axis=0), most(X, axis=0)
        self.data_range_ = self.data_max_ - self.data_min_
        self.scale_ = (high - low) / _scale(self.data_range_)
        self.min_ = low - self.data_min_ * self.scale_
        return self

    def transform(self, X):
        self._need_fit()
        X = _numbers(X)
        self._need_width(X)
        X = X * self.scale_ + self.min_
        return np.clip(X, *self.feature_range) if self.clip else X

    def inverse_transform(self, X):
        self._need_fit()
        return (_numbers(X) - self.min_) / self.scale_


def _labels(y):
    """Labels in one dimension."""
    y = np.asarray(y)
    if y.ndim != 1 and not (y.ndim == 2 and y.shape[1] == 1):
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    return y.reshape(-1)


class _OfLabels(TransformerMixin, BaseEstimator):
    """Is fitted to labels alone."""

    def fit_transform(self, y):
        return self.fit(y).transform(y)


class LabelEncoder(_OfLabels):
    """Numbers labels from 0 in sorted order: (n,) to (n,)."""

    _fitted = "classes_"

    def fit(self, y):
        self.classes_ = np.unique(_labels(y))
        return self

    def transform(self, y):
        self._need_fit()
        codes = {label: code for code, label in enumerate(self.classes_.tolist())}
        labels = np.asarray(y).reshape(-1).tolist()
        unknown = [label for label in labels if label not in codes]
        if unknown:
            if self.classes_.dtype.kind == "U":
                # NumPy's strings are as wide as the longest class.
                shown = f"np.str_({str(unknown[0])[:max(len(label) for label in codes)]!r})"
            elif self.classes_.dtype.kind == "O":
                shown = repr(unknown[0])
            else:
                shown = [np.asarray(y).dtype.type(label) for label in sorted(set(unknown))]
            raise ValueError(f"y contains previously unseen labels: {shown}")
        return np.array([codes[label] for label in labels], dtype=int)

    def inverse_transform(self, y):
        self._need_fit()
        y = np.asarray(y)
        unknown = sorted({int(code) for code in y if not 0 <= int(code) < len(self.classes_)})
        if unknown:
            raise ValueError(f"y contains previously unseen labels: {np.array(unknown)}")
        return self.classes_[y]


def _columns(X):
    """The columns of a table, each an array of its own dtype."""
    _no_series(X)
    if hasattr(X, "iloc"):
        return [np.asarray(X.iloc[:, i]) for i in range(X.shape[1])]
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead:\narray={X}.\nReshape your data either using "
                         "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a single sample.")
    return [X[:, i] for i in range(X.shape[1])]


def _missing(value):
    return value is None or isinstance(value, float) and value != value


def _sorted_values(column):
    """The different values in order; what is missing is last."""
    if column.dtype.kind not in "OU":
        return np.unique(column)
    values = list(dict.fromkeys(v for v in column.tolist() if not _missing(v)))
    try:
        values.sort()
    except TypeError:
        kinds = sorted({type(v).__name__ for v in column.tolist()})
        raise TypeError(f"Encoders require their input argument must be uniformly strings or numbers. Got {kinds}") from None
    missing = [v for v in column.tolist() if _missing(v)]
    none = [None] if any(v is None for v in missing) else []
    values += none + ([np.nan] if any(v is not None for v in missing) else [])
    return np.array(values, dtype=column.dtype if column.dtype.kind == "U" else object)


def _categories(categories, columns, strict):
    if isinstance(categories, str):
        return [_sorted_values(column) for column in columns]
    if len(categories) != len(columns):
        raise ValueError("Shape mismatch: if categories is an array, it has to be of shape (n_features,).")
    made = []
    for i, (known, column) in enumerate(zip(categories, columns)):
        known = np.array(known, dtype=column.dtype if column.dtype.kind in "OU" and column.dtype.kind == "O" else None)
        codes = _codes(column, known)
        if strict and (codes < 0).any():
            raise ValueError(f"Found unknown categories {_unknown(column, codes)} in column {i} during fit")
        made.append(known)
    return made


def _codes(column, known):
    """The position of each value among the known ones, -1 for one that isn't there."""
    places, gap = {}, -1
    for k, value in enumerate(known.tolist()):
        if _missing(value) and value is not None:
            gap = k
        else:
            places[value] = k
    return np.array([gap if isinstance(v, float) and v != v else places.get(v, -1) for v in column.tolist()], dtype=int)


def _unknown(column, codes):
    return _sorted_values(column[codes < 0]).tolist()


def _need_columns(self, columns):
    if len(columns) != self.n_features_in_:
        raise ValueError(f"X has {len(columns)} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input.")


class OneHotEncoder(_Columns):
    """A column of 0 and 1 for each category of each column: (n, features) to (n, categories)."""

    _fitted = "categories_"

    def __init__(self, *, categories="auto", drop=None, sparse_output=True, dtype=np.float64, handle_unknown="error",
                 min_frequency=None, max_categories=None, feature_name_combiner="concat"):
        self.categories, self.drop, self.sparse_output, self.dtype = categories, drop, sparse_output, dtype
        self.handle_unknown, self.min_frequency, self.max_categories = handle_unknown, min_frequency, max_categories
        self.feature_name_combiner = feature_name_combiner

    def fit(self, X, y=None):
        rare = self.min_frequency is not None or self.max_categories is not None
        if rare or self.feature_name_combiner != "concat":
            raise NotImplementedError("OneHotEncoder: min_frequency, max_categories and feature_name_combiner aren't supported here")
        if self.handle_unknown not in ("error", "ignore"):
            raise NotImplementedError("OneHotEncoder: handle_unknown is 'error' or 'ignore' here")
        columns = self._columns(X)
        self.n_features_in_ = len(columns)
        self.categories_ = _categories(self.categories, columns, self.handle_unknown == "error")
        self.drop_idx_ = self._dropped()
        return self

    def _dropped(self):
        if self.drop is None:
            return None
        if isinstance(self.drop, str):
            return np.array([0 if self.drop == "first" or len(known) == 2 else None for known in self.categories_], dtype=object)
        return np.array([known.tolist().index(one) for known, one in zip(self.categories_, self.drop)], dtype=object)

    def _kept(self, i):
        """The positions of the categories of column i that get a column."""
        drop = None if self.drop_idx_ is None else self.drop_idx_[i]
        return [k for k in range(len(self.categories_[i])) if k != drop]

    def _columns(self, X):
        return _columns(X)

    def inverse_transform(self, X):
        self._need_fit()
        X, made, at = np.asarray(X), [], 0
        for i, known in enumerate(self.categories_):
            kept = self._kept(i)
            part, column = X[:, at:at + len(kept)], []
            at += len(kept)
            for row in part:
                hits = np.where(row != 0)[0]
                if len(hits):
                    column.append(known[kept[int(row.argmax())]])
                else:
                    column.append(None if self.drop_idx_ is None or self.drop_idx_[i] is None else known[self.drop_idx_[i]])
            made.append(column)
        kinds = {known.dtype for known in self.categories_}
        plain = len(kinds) == 1 and not any(v is None for column in made for v in column)
        table = np.array(made, dtype=next(iter(kinds)) if plain else object).T
        return table

    def transform(self, X):
        self._need_fit()
        columns = self._columns(X)
        _need_columns(self, columns)
        parts, strange = [], []
        for i, (column, known) in enumerate(zip(columns, self.categories_)):
            codes = _codes(column, known)
            if (codes < 0).any():
                strange.append(i)
                if self.handle_unknown == "error":
                    raise ValueError(f"Found unknown categories {_unknown(column, codes)} in column {i} during transform")
            hits = codes[:, None] == np.arange(len(known))
            parts.append(hits[:, np.array(self._kept(i), dtype=int)].astype(self.dtype))
        if strange and (self.drop is not None or self.handle_unknown == "warn"):
            warnings.warn(f"Found unknown categories in columns {strange} during transform. These unknown categories will be encoded as "
                          "all zeros", stacklevel=2)
        made = np.concatenate(parts, axis=1)
        return csr_matrix(made) if self.sparse_output else made

    def get_feature_names_out(self, input_features=None):
        self._need_fit()
        names = _Columns.get_feature_names_out(self, input_features)
        return np.array([f"{name}_{self.categories_[i][k]}" for i, name in enumerate(names) for k in self._kept(i)], dtype=object)


class OrdinalEncoder(_Columns):
    """A number for each category of each column: (n, features) to (n, features)."""

    _fitted = "categories_"

    def __init__(self, *, categories="auto", dtype=np.float64, handle_unknown="error", unknown_value=None, encoded_missing_value=np.nan,
                 min_frequency=None, max_categories=None):
        self.categories, self.dtype, self.handle_unknown, self.unknown_value = categories, dtype, handle_unknown, unknown_value
        self.encoded_missing_value, self.min_frequency, self.max_categories = encoded_missing_value, min_frequency, max_categories

    def fit(self, X, y=None):
        if self.min_frequency is not None or self.max_categories is not None:
            raise NotImplementedError("OrdinalEncoder: min_frequency and max_categories aren't supported here")
        if self.handle_unknown == "use_encoded_value" and self.unknown_value is None:
            raise TypeError("unknown_value should be an integer or np.nan when handle_unknown is 'use_encoded_value', got None.")
        if self.handle_unknown == "error" and self.unknown_value is not None:
            raise TypeError("unknown_value should only be set when handle_unknown is 'use_encoded_value', got "
                            f"{self.unknown_value}.")
        columns = _columns(X)
        self.n_features_in_ = len(columns)
        self.categories_ = _categories(self.categories, columns, self.handle_unknown == "error")
        return self

    def transform(self, X):
        self._need_fit()
        columns = _columns(X)
        _need_columns(self, columns)
        made = np.zeros((len(columns[0]), len(columns)), dtype=self.dtype)
        for i, (column, known) in enumerate(zip(columns, self.categories_)):
            codes = _codes(column, known)
            if (codes < 0).any() and self.handle_unknown == "error":
                raise ValueError(f"Found unknown categories {_unknown(column, codes)} in column {i} during transform")
            made[:, i] = codes
            gaps = [k for k, value in enumerate(known.tolist()) if _missing(value)]
            for k in gaps:
                made[codes == k, i] = self.encoded_missing_value
            if self.handle_unknown != "error":
                made[codes < 0, i] = self.unknown_value
        return made

    def inverse_transform(self, X):
        self._need_fit()
        X, made = np.asarray(X), []
        for i, known in enumerate(self.categories_):
            made.append([None if self.handle_unknown != "error" and code == self.unknown_value else
                         known[-1] if code != code else known[int(code)] for code in X[:, i].tolist()])
        kinds = {known.dtype for known in self.categories_}
        plain = len(kinds) == 1 and not any(v is None for column in made for v in column)
        return np.array(made, dtype=next(iter(kinds)) if plain else object).T


class RobustScaler(_Columns):
    """Subtracts each column's median and divides by the distance between its quartiles."""

    def __init__(self, *, with_centering=True, with_scaling=True, quantile_range=(25.0, 75.0), copy=True, unit_variance=False):
        self.with_centering, self.with_scaling, self.quantile_range = with_centering, with_scaling, quantile_range
        self.copy, self.unit_variance = copy, unit_variance

    def fit(self, X, y=None):
        X = _numbers(X)
        low, high = self.quantile_range
        if not 0 <= low <= high <= 100:
            raise ValueError(f"Invalid quantile range: {self.quantile_range}")
        if self.unit_variance:
            raise NotImplementedError("RobustScaler: unit_variance isn't supported here")
        self.n_features_in_ = X.shape[1]
        self.center_ = np.nanmedian(X, axis=0) if self.with_centering else None
        self.scale_ = None
        if self.with_scaling:
            ends = np.nanpercentile(X, self.quantile_range, axis=0)
            self.scale_ = _scale(ends[1] - ends[0])
        return self

    def transform(self, X):
        self._need_fit()
        X = _numbers(X)
        self._need_width(X)
        X = X - self.center_ if self.with_centering else X
        return X / self.scale_ if self.with_scaling else X

    def inverse_transform(self, X):
        self._need_fit()
        X = _numbers(X)
        X = X * self.scale_ if self.with_scaling else X
        return X + self.center_ if self.with_centering else X


class MaxAbsScaler(_Columns):
    """Divides each column by its largest magnitude."""

    _fitted = "scale_"

    def __init__(self, *, copy=True, clip=False):
        self.copy, self.clip = copy, clip

    def fit(self, X, y=None):
        X = _numbers(X)
        self.n_features_in_, self.n_samples_seen_ = X.shape[1], X.shape[0]
        self.max_abs_ = np.nanmax(np.abs(X), axis=0)
        self.scale_ = _scale(self.max_abs_)
        return self

    def transform(self, X):
        self._need_fit()
        X = _numbers(X)
        self._need_width(X)
        X = X / self.scale_
        return np.clip(X, -1, 1) if self.clip else X

    def inverse_transform(self, X):
        self._need_fit()
        return _numbers(X) * self.scale_


def normalize(X, norm="l2", *, axis=1, copy=True, return_norm=False):
    """Rows (or columns) of length 1."""
    if norm not in ("l1", "l2", "max"):
        raise ValueError(f"'{norm}' is not a supported norm")
    X = _table(np.asarray(X))
    if norm == "l2":
        size = np.sqrt((X * X).sum(axis=axis))
    else:
        size = np.abs(X).sum(axis=axis) if norm == "l1" else np.abs(X).max(axis=axis)
    made = X / np.expand_dims(_scale(size), axis)
    return (made, size) if return_norm else made


class Normalizer(_Columns):
    """Rows of length 1."""

    def __init__(self, norm="l2", *, copy=True):
        self.norm, self.copy = norm, copy

    def fit(self, X, y=None):
        self.n_features_in_ = _table(np.asarray(X)).shape[1]
        return self

    def transform(self, X, copy=None):
        return normalize(X, self.norm)


def binarize(X, *, threshold=0.0, copy=True):
    X = _table(np.asarray(X))
    return (X > threshold).astype(X.dtype)


class Binarizer(_Columns):
    """1 for what is above the threshold, else 0."""

    def __init__(self, *, threshold=0.0, copy=True):
        self.threshold, self.copy = threshold, copy

    def fit(self, X, y=None):
        self.n_features_in_ = _table(np.asarray(X)).shape[1]
        return self

    def transform(self, X, copy=None):
        return binarize(X, threshold=self.threshold)


class FunctionTransformer(_Columns):
    """A function as a step. It needs no fit."""

    _fitted = None

    def __init__(self, func=None, inverse_func=None, *, validate=False, accept_sparse=False, check_inverse=True, feature_names_out=None,
                 kw_args=None, inv_kw_args=None):
        self.func, self.inverse_func, self.validate, self.accept_sparse = func, inverse_func, validate, accept_sparse
        self.check_inverse, self.feature_names_out, self.kw_args, self.inv_kw_args = check_inverse, feature_names_out, kw_args, inv_kw_args

    def fit(self, X, y=None):
        self.n_features_in_ = X.shape[1] if getattr(X, "ndim", 1) > 1 else 1
        return self

    def transform(self, X):
        X = _table(np.asarray(X)) if self.validate else X
        return X if self.func is None else self.func(X, **(self.kw_args or {}))

    def inverse_transform(self, X):
        return X if self.inverse_func is None else self.inverse_func(X, **(self.inv_kw_args or {}))

    def __getattribute__(self, name):
        if name == "get_feature_names_out" and object.__getattribute__(self, "feature_names_out") is None:
            raise AttributeError("This 'FunctionTransformer' has no attribute 'get_feature_names_out'")
        return object.__getattribute__(self, name)


class LabelBinarizer(_OfLabels):
    """A column of 0 and 1 for each class; one column for two classes."""

    _fitted = "classes_"

    def __init__(self, *, neg_label=0, pos_label=1, sparse_output=False):
        self.neg_label, self.pos_label, self.sparse_output = neg_label, pos_label, sparse_output

    def fit(self, y):
        if self.neg_label >= self.pos_label:
            raise ValueError(f"neg_label={self.neg_label} must be strictly less than pos_label={self.pos_label}.")
        self.classes_ = np.unique(_labels(y))
        return self

    def transform(self, y):
        self._need_fit()
        made = label_binarize(y, classes=self.classes_, neg_label=self.neg_label, pos_label=self.pos_label)
        return csr_matrix(made) if self.sparse_output else made

    def inverse_transform(self, Y, threshold=None):
        self._need_fit()
        Y = np.asarray(Y)
        if Y.ndim == 1 or Y.shape[1] == 1:
            threshold = (self.pos_label + self.neg_label) / 2.0 if threshold is None else threshold
            return self.classes_[(Y.reshape(-1) > threshold).astype(int)]
        return self.classes_[Y.argmax(axis=1)]


class MultiLabelBinarizer(_OfLabels):
    """A column for each label: whether a sample has it."""

    _fitted = "classes_"

    def __init__(self, *, classes=None, sparse_output=False):
        self.classes, self.sparse_output = classes, sparse_output

    def fit(self, y):
        if self.sparse_output:
            raise NotImplementedError("MultiLabelBinarizer: sparse_output=True isn't supported here")
        known = sorted({label for labels in y for label in labels}) if self.classes is None else list(self.classes)
        kind = int if all(isinstance(label, int) for label in known) else object
        self.classes_ = np.array(known, dtype=kind)
        return self

    def transform(self, y):
        self._need_fit()
        place = {label: i for i, label in enumerate(self.classes_.tolist())}
        made = np.zeros((len(y), len(place)), dtype=int)
        strange = set()
        for i, labels in enumerate(y):
            for label in labels:
                if label in place:
                    made[i, place[label]] = 1
                else:
                    strange.add(label)
        if strange:
            import warnings

            warnings.warn(f"unknown class(es) {sorted(strange, key=str)} will be ignored", stacklevel=2)
        return made

    def fit_transform(self, y):
        return self.fit(y).transform(y)

    def inverse_transform(self, yt):
        return [tuple(self.classes_[np.asarray(row) == 1].tolist()) for row in yt]


class KBinsDiscretizer(_Columns):
    """Numbers as the numbers of intervals."""

    _fitted = "n_bins_"

    def __init__(self, n_bins=5, *, encode="onehot", strategy="quantile", quantile_method="warn", dtype=None, subsample=200000,
                 random_state=None):
        self.n_bins, self.encode, self.strategy, self.quantile_method = n_bins, encode, strategy, quantile_method
        self.dtype, self.subsample, self.random_state = dtype, subsample, random_state

    def fit(self, X, y=None, sample_weight=None):
        if self.strategy not in ("uniform", "quantile", "kmeans") or self.encode not in ("onehot", "onehot-dense", "ordinal"):
            raise ValueError("KBinsDiscretizer: strategy is 'uniform', 'quantile' or 'kmeans', encode 'onehot', 'onehot-dense' or "
                             "'ordinal'")
        X = _table(X)
        counts = [self.n_bins] * X.shape[1] if np.ndim(self.n_bins) == 0 else list(self.n_bins)
        edges = []
        for column, count in zip(X.T, counts):
            low, high = column.min(), column.max()
            if low == high:
                edges.append(np.array([-np.inf, np.inf]))
                continue
            if self.strategy == "quantile":
                way = "averaged_inverted_cdf" if self.quantile_method in ("warn", "averaged_inverted_cdf") else self.quantile_method
                made = np.percentile(column, np.linspace(0, 100, count + 1), method=way)
            else:
                made = np.linspace(low, high, count + 1)
            if self.strategy == "kmeans":
                from .cluster import KMeans

                first = ((made[1:] + made[:-1]) / 2)[:, None]
                centers = np.sort(KMeans(count, init=first, n_init=1).fit(column[:, None]).cluster_centers_[:, 0])
                made = np.concatenate([[low], (centers[1:] + centers[:-1]) / 2, [high]])
            if self.strategy != "uniform":
                made = made[np.concatenate([[True], np.diff(made) > 1e-8])]
            edges.append(made)
        self.n_bins_, self.n_features_in_ = np.array([len(e) - 1 for e in edges]), X.shape[1]
        self.bin_edges_ = np.empty(len(edges), dtype=object)
        for i, made in enumerate(edges):
            self.bin_edges_[i] = made
        return self

    def transform(self, X):
        X = self._read(X)
        at = np.stack([np.searchsorted(e[1:-1], column, side="right") for e, column in zip(self.bin_edges_, X.T)], axis=1)
        if self.encode == "ordinal":
            return at.astype(float)
        made = OneHotEncoder(categories=[np.arange(n) for n in self.n_bins_.tolist()], sparse_output=self.encode == "onehot")
        return made.fit_transform(at)

    def inverse_transform(self, X):
        if self.encode != "ordinal":
            raise NotImplementedError("KBinsDiscretizer: inverse_transform of columns for each bin")
        middle = [(e[1:] + e[:-1]) / 2 for e in self.bin_edges_]
        return np.stack([m[column.astype(int)] for m, column in zip(middle, np.asarray(X).T)], axis=1)


def label_binarize(y, *, classes, neg_label=0, pos_label=1, sparse_output=False):
    """A column for each class."""
    y, classes = np.asarray(y), np.asarray(classes)
    hits = y[:, None] == np.sort(classes)
    if len(classes) == 2:
        hits = hits[:, 1:]
    elif len(classes) == 1:
        hits = np.zeros((len(y), 1), dtype=bool)
    made = np.where(hits, pos_label, neg_label)
    return csr_matrix(made) if sparse_output else made


def scale(X, *, axis=0, with_mean=True, with_std=True, copy=True):
    X = np.asarray(X, dtype=float)
    if axis == 1:
        return scale(X.T, with_mean=with_mean, with_std=with_std).T
    if X.ndim == 1:
        return StandardScaler(with_mean=with_mean, with_std=with_std).fit_transform(X[:, None])[:, 0]
    return StandardScaler(with_mean=with_mean, with_std=with_std).fit_transform(X)


def minmax_scale(X, feature_range=(0, 1), *, axis=0, copy=True):
    X = np.asarray(X, dtype=float)
    if axis == 1:
        return minmax_scale(X.T, feature_range).T
    return MinMaxScaler(feature_range).fit_transform(X[:, None])[:, 0] if X.ndim == 1 else MinMaxScaler(feature_range).fit_transform(X)


class PolynomialFeatures(TransformerMixin, BaseEstimator):
    """All products of columns up to a degree: (n, features) to (n, products)."""

    _fitted = "n_features_in_"

    def __init__(self, degree=2, *, interaction_only=False, include_bias=True):
        self.degree, self.interaction_only, self.include_bias = degree, interaction_only, include_bias

    def fit(self, X, y=None):
        X = _table(X)
        lowest, highest = (0, self.degree) if isinstance(self.degree, int) else self.degree
        choose = itertools.combinations if self.interaction_only else itertools.combinations_with_replacement
        self._products = [
            product for size in range(max(lowest, 1), highest + 1) for product in choose(range(X.shape[1]), size)
        ]
        if self.include_bias and lowest == 0:
            self._products.insert(0, ())
        self.n_features_in_, self.n_output_features_ = X.shape[1], len(self._products)
        return self

    @property
    def powers_(self):
        self._need_fit()
        return np.array([[product.count(column) for column in range(self.n_features_in_)] for product in self._products])

    def get_feature_names_out(self, input_features=None):
        names = _Columns.get_feature_names_out(self, input_features)
        shown = []
        for product in self._products:
            powers = [(names[i], product.count(i)) for i in sorted(set(product))]
            shown.append(" ".join(name if power == 1 else f"{name}^{power}" for name, power in powers) or "1")
        return np.array(shown, dtype=object)

    def transform(self, X):
        X = self._read(X)
        columns = []
        for product in self._products:
            column = np.ones(X.shape[0], dtype=X.dtype)
            for i in product:
                column = column * X[:, i]
            columns.append(column)
        return np.stack(columns, axis=1)


_LATER = ("PowerTransformer", "QuantileTransformer")
# What `from … import *` brings, with what is loaded later.
__all__ = ["Binarizer", "FunctionTransformer", "KBinsDiscretizer", "LabelBinarizer", "LabelEncoder", "MaxAbsScaler", "MinMaxScaler",
           "MultiLabelBinarizer", "Normalizer", "OneHotEncoder", "OrdinalEncoder", "PolynomialFeatures", "RobustScaler", "StandardScaler",
           "binarize", "label_binarize", "minmax_scale", "normalize", "scale", *_LATER]


def __getattr__(name):
    if name in _LATER:
        from . import _bent

        return getattr(_bent, name)
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.preprocessing.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.preprocessing' has no attribute '{name}'")
