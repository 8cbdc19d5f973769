"""Scaling, labels as numbers, one-hot columns and products of features."""

import itertools

import numpy as np

from .base import BaseEstimator, TransformerMixin
from .utils import _table


def _numbers(X):
    """A table without NaN, which scikit-learn's scalers would skip."""
    X = np.asarray(X)
    if X.dtype.kind == "f" and np.isnan(X).any():
        raise NotImplementedError("X contains NaN, and the scalers here don't skip NaN as scikit-learn's do")
    return _table(X)


def _labels(y):
    """Labels in one dimension."""
    y = np.asarray(y)
    if y.ndim != 1 and not (y.ndim == 2 and y.shape[1] == 1):
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    return y.reshape(-1)


def _scale(spread):
    """A column that is constant is divided by 1."""
    return np.where(spread < 10 * np.finfo(float).eps, 1.0, spread)


class StandardScaler(TransformerMixin, BaseEstimator):
    """Subtracts each column's mean and divides by its standard deviation: (n, features) to (n, features)."""

    def __init__(self, *, copy=True, with_mean=True, with_std=True):
        self.copy, self.with_mean, self.with_std = copy, with_mean, with_std

    def fit(self, X, y=None):
        _names_of(self, X)
        X = _numbers(X)
        self.n_features_in_, self.n_samples_seen_ = X.shape[1], float(X.shape[0])
        self.mean_ = X.mean(axis=0) if self.with_mean or self.with_std else None
        self.var_ = X.var(axis=0) if self.with_std else None
        self.scale_ = _scale(np.sqrt(self.var_)) if self.with_std else None
        return self

    def get_feature_names_out(self, input_features=None):
        self._need_fit("n_features_in_")
        return np.array(_given_names(self, input_features), dtype=object)

    def transform(self, X):
        self._need_fit("n_features_in_")
        X = _numbers(X)
        self._need_width(X)
        if self.with_mean:
            X = X - self.mean_
        return X / self.scale_ if self.with_std else X

    def inverse_transform(self, X):
        self._need_fit("n_features_in_")
        X = _numbers(X)
        if self.with_std:
            X = X * self.scale_
        return X + self.mean_ if self.with_mean else X


class MinMaxScaler(TransformerMixin, BaseEstimator):
    """Moves each column into `feature_range`: (n, features) to (n, features)."""

    def __init__(self, feature_range=(0, 1), *, copy=True, clip=False):
        self.feature_range, self.copy, self.clip = feature_range, copy, clip

    def fit(self, X, y=None):
        _names_of(self, X)
        X = _numbers(X)
        low, high = self.feature_range
        if low >= high:
            raise ValueError(f"Minimum of desired feature range must be smaller than maximum. Got {self.feature_range}.")
        self.n_features_in_, self.n_samples_seen_ = X.shape[1], X.shape[0]
        self.data_min_, self.data_max_ = X.min(axis=0), X.max(axis=0)
        self.data_range_ = self.data_max_ - self.data_min_
        self.scale_ = (high - low) / _scale(self.data_range_)
        self.min_ = low - self.data_min_ * self.scale_
        return self

    def get_feature_names_out(self, input_features=None):
        self._need_fit("n_features_in_")
        return np.array(_given_names(self, input_features), dtype=object)

    def transform(self, X):
        self._need_fit("scale_")
        X = _numbers(X)
        self._need_width(X)
        X = X * self.scale_ + self.min_
        return np.clip(X, *self.feature_range) if self.clip else X

    def inverse_transform(self, X):
        self._need_fit("scale_")
        return (_numbers(X) - self.min_) / self.scale_


class LabelEncoder(TransformerMixin, BaseEstimator):
    """Numbers labels from 0 in sorted order: (n,) to (n,)."""

    def fit(self, y):
        self.classes_ = np.unique(_labels(y))
        return self

    def fit_transform(self, y):
        return self.fit(y).transform(y)

    def transform(self, y):
        self._need_fit("classes_")
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
        self._need_fit("classes_")
        y = np.asarray(y)
        unknown = sorted({int(code) for code in y if not 0 <= int(code) < len(self.classes_)})
        if unknown:
            raise ValueError(f"y contains previously unseen labels: {np.array(unknown)}")
        return self.classes_[y]


class OneHotEncoder(TransformerMixin, BaseEstimator):
    """A column of 0 and 1 for each category of each column: (n, features) to (n, categories)."""

    def __init__(self, *, categories="auto", drop=None, sparse_output=True, dtype=np.float64, handle_unknown="error",
                 min_frequency=None, max_categories=None, feature_name_combiner="concat"):
        self.categories, self.drop, self.sparse_output, self.dtype = categories, drop, sparse_output, dtype
        self.handle_unknown, self.min_frequency, self.max_categories = handle_unknown, min_frequency, max_categories
        self.feature_name_combiner = feature_name_combiner

    def fit(self, X, y=None):
        if self.sparse_output and not self._dense:
            raise NotImplementedError("OneHotEncoder: sparse matrices can't be had here, so pass sparse_output=False")
        rare = self.min_frequency is not None or self.max_categories is not None
        if rare or self.drop not in (None, "first", "if_binary") or self.feature_name_combiner != "concat":
            raise NotImplementedError("OneHotEncoder: drop is None, 'first' or 'if_binary' here, and min_frequency, max_categories and "
                                      "feature_name_combiner aren't supported")
        if self.handle_unknown not in ("error", "ignore"):
            raise NotImplementedError("OneHotEncoder: handle_unknown is 'error' or 'ignore' here")
        _names_of(self, X)
        X = self._columns(X)
        self.n_features_in_ = X.shape[1]
        if isinstance(self.categories, str):
            self.categories_ = [np.unique(X[:, i]) for i in range(X.shape[1])]
        else:
            self.categories_ = [np.asarray(known) for known in self.categories]
        gone = [self.drop == "first" or self.drop == "if_binary" and len(known) == 2 for known in self.categories_]
        self.drop_idx_ = np.array([0 if g else None for g in gone], dtype=object) if any(gone) else None
        return self

    # A transformer that puts columns together asks for a dense result.
    _dense = False

    def _first(self, i):
        return 0 if self.drop_idx_ is None or self.drop_idx_[i] is None else 1

    @staticmethod
    def _columns(X):
        X = np.asarray(X)
        if X.ndim != 2:
            raise ValueError(f"Expected 2D array, got {X.ndim}D array instead")
        return X

    def transform(self, X):
        self._need_fit("categories_")
        X = self._columns(X)
        self._need_width(X)
        parts = []
        for i, known in enumerate(self.categories_):
            hits = X[:, i][:, None] == known
            unknown = ~hits.any(axis=1)
            if unknown.any() and self.handle_unknown == "error":
                found = np.unique(X[:, i][unknown]).tolist()
                raise ValueError(f"Found unknown categories {found} in column {i} during transform")
            parts.append(hits[:, self._first(i):].astype(self.dtype))
        return np.concatenate(parts, axis=1)

    def get_feature_names_out(self, input_features=None):
        self._need_fit("categories_")
        return np.array([f"{name}_{value}" for i, (name, known) in enumerate(zip(_given_names(self, input_features), self.categories_))
                         for value in known.tolist()[self._first(i):]], dtype=object)


class OrdinalEncoder(TransformerMixin, BaseEstimator):
    """Numbers the categories of each column from 0 in sorted order."""

    def __init__(self, *, categories="auto", dtype=np.float64, handle_unknown="error", unknown_value=None, encoded_missing_value=np.nan,
                 min_frequency=None, max_categories=None):
        self.categories, self.dtype, self.handle_unknown, self.unknown_value = categories, dtype, handle_unknown, unknown_value
        self.encoded_missing_value, self.min_frequency, self.max_categories = encoded_missing_value, min_frequency, max_categories

    def fit(self, X, y=None):
        if self.min_frequency is not None or self.max_categories is not None:
            raise NotImplementedError("OrdinalEncoder: min_frequency and max_categories aren't supported here")
        if self.handle_unknown not in ("error", "use_encoded_value"):
            raise ValueError("handle_unknown should be either 'error' or 'use_encoded_value', got {self.handle_unknown}.")
        _names_of(self, X)
        X = OneHotEncoder._columns(X)
        self.n_features_in_ = X.shape[1]
        auto = isinstance(self.categories, str)
        self.categories_ = [np.unique(X[:, i]) if auto else np.asarray(self.categories[i]) for i in range(X.shape[1])]
        return self

    def transform(self, X):
        self._need_fit("categories_")
        X = OneHotEncoder._columns(X)
        self._need_width(X)
        columns = []
        for i, known in enumerate(self.categories_):
            codes = {value: code for code, value in enumerate(known.tolist())}
            values = X[:, i].tolist()
            unknown = [value for value in values if value not in codes]
            if unknown and self.handle_unknown == "error":
                raise ValueError(f"Found unknown categories {np.unique(np.array(unknown)).tolist()} in column {i} during transform")
            columns.append([codes.get(value, self.unknown_value) for value in values])
        return np.array(columns, dtype=self.dtype).T

    def inverse_transform(self, X):
        self._need_fit("categories_")
        rows = [[known.tolist()[int(code)] for known, code in zip(self.categories_, row)] for row in np.asarray(X).tolist()]
        return np.array(rows, dtype=self.categories_[0].dtype)

    def get_feature_names_out(self, input_features=None):
        self._need_fit("categories_")
        return np.array(_given_names(self, input_features), dtype=object)


class LabelBinarizer(TransformerMixin, BaseEstimator):
    """A column for each class, or a single one for two classes."""

    def __init__(self, *, neg_label=0, pos_label=1, sparse_output=False):
        self.neg_label, self.pos_label, self.sparse_output = neg_label, pos_label, sparse_output

    def fit(self, y):
        if self.sparse_output:
            raise NotImplementedError("LabelBinarizer(sparse_output=True): sparse matrices can't be had here")
        self.classes_ = np.unique(_labels(y))
        return self

    def fit_transform(self, y):
        return self.fit(y).transform(y)

    def transform(self, y):
        self._need_fit("classes_")
        hits = _labels(y)[:, None] == self.classes_
        if len(self.classes_) == 2:
            hits = hits[:, 1:]
        return np.where(hits, self.pos_label, self.neg_label).astype(int)

    def inverse_transform(self, Y, threshold=None):
        self._need_fit("classes_")
        Y = np.asarray(Y)
        if len(self.classes_) == 2:
            middle = (self.pos_label + self.neg_label) / 2 if threshold is None else threshold
            return self.classes_[(Y.reshape(-1) > middle).astype(int)]
        return self.classes_[Y.argmax(axis=1)]


def label_binarize(y, *, classes, neg_label=0, pos_label=1, sparse_output=False):
    made = LabelBinarizer(neg_label=neg_label, pos_label=pos_label, sparse_output=sparse_output).fit(np.asarray(classes))
    made.classes_ = np.asarray(classes)
    return made.transform(y)


class MaxAbsScaler(TransformerMixin, BaseEstimator):
    """Divides each column by its largest absolute value."""

    def __init__(self, *, clip=False, copy=True):
        self.clip, self.copy = clip, copy

    def fit(self, X, y=None):
        _names_of(self, X)
        X = _numbers(X)
        self.n_features_in_ = X.shape[1]
        self.n_samples_seen_ = X.shape[0]
        self.max_abs_ = np.abs(X).max(axis=0)
        self.scale_ = _scale(self.max_abs_)
        return self

    def transform(self, X):
        self._need_fit("scale_")
        X = _numbers(X)
        self._need_width(X)
        X = X / self.scale_
        return np.clip(X, -1.0, 1.0) if self.clip else X

    def inverse_transform(self, X):
        self._need_fit("scale_")
        return _numbers(X) * self.scale_


class RobustScaler(TransformerMixin, BaseEstimator):
    """Subtracts the median and divides by the distance of two quantiles."""

    def __init__(self, *, with_centering=True, with_scaling=True, quantile_range=(25.0, 75.0), copy=True, unit_variance=False):
        self.with_centering, self.with_scaling, self.quantile_range = with_centering, with_scaling, quantile_range
        self.copy, self.unit_variance = copy, unit_variance

    def fit(self, X, y=None):
        if self.unit_variance:
            raise NotImplementedError("RobustScaler(unit_variance=True)")
        low, high = self.quantile_range
        if not 0 <= low <= high <= 100:
            raise ValueError(f"Invalid quantile range: {self.quantile_range}")
        _names_of(self, X)
        X = _numbers(X)
        self.n_features_in_ = X.shape[1]
        self.center_ = np.median(X, axis=0) if self.with_centering else None
        self.scale_ = _scale(np.percentile(X, high, axis=0) - np.percentile(X, low, axis=0)) if self.with_scaling else None
        return self

    def transform(self, X):
        self._need_fit("center_")
        X = _numbers(X)
        self._need_width(X)
        X = X - self.center_ if self.with_centering else X
        return X / self.scale_ if self.with_scaling else X

    def inverse_transform(self, X):
        self._need_fit("center_")
        X = _numbers(X)
        X = X * self.scale_ if self.with_scaling else X
        return X + self.center_ if self.with_centering else X


def normalize(X, norm="l2", *, axis=1, copy=True, return_norm=False):
    """Rows (or with `axis=0`, columns) of length 1."""
    if norm not in ("l1", "l2", "max"):
        raise ValueError(f"The 'norm' parameter of normalize must be a str among {{'l1', 'l2', 'max'}}. Got {norm!r} instead.")
    X = _numbers(X)
    size = np.abs(X).sum(axis=axis) if norm == "l1" else np.sqrt((X * X).sum(axis=axis)) if norm == "l2" else np.abs(X).max(axis=axis)
    made = X / np.expand_dims(np.where(size == 0, 1.0, size), axis)
    return (made, size) if return_norm else made


class Normalizer(TransformerMixin, BaseEstimator):
    """Rows of length 1."""

    def __init__(self, norm="l2", *, copy=True):
        self.norm, self.copy = norm, copy

    def fit(self, X, y=None):
        _names_of(self, X)
        self.n_features_in_ = _numbers(X).shape[1]
        return self

    def transform(self, X):
        return normalize(X, self.norm)


class Binarizer(TransformerMixin, BaseEstimator):
    """1 above the threshold, 0 elsewhere."""

    def __init__(self, *, threshold=0.0, copy=True):
        self.threshold, self.copy = threshold, copy

    def fit(self, X, y=None):
        self.n_features_in_ = _numbers(X).shape[1]
        return self

    def transform(self, X):
        X = _numbers(X)
        return np.where(X > self.threshold, 1, 0).astype(X.dtype)


class FunctionTransformer(TransformerMixin, BaseEstimator):
    """A function as a transformer."""

    def __init__(self, func=None, inverse_func=None, *, validate=False, accept_sparse=False, check_inverse=True,
                 feature_names_out=None, kw_args=None, inv_kw_args=None):
        self.func, self.inverse_func, self.validate, self.accept_sparse = func, inverse_func, validate, accept_sparse
        self.check_inverse, self.feature_names_out, self.kw_args, self.inv_kw_args = check_inverse, feature_names_out, kw_args, inv_kw_args

    def fit(self, X, y=None):
        if np.ndim(X) == 2:
            self.n_features_in_ = np.shape(X)[1]
        return self

    def transform(self, X):
        X = _table(X) if self.validate else X
        return X if self.func is None else self.func(X, **(self.kw_args or {}))

    def inverse_transform(self, X):
        return X if self.inverse_func is None else self.inverse_func(X, **(self.inv_kw_args or {}))


def scale(X, *, axis=0, with_mean=True, with_std=True, copy=True):
    """`StandardScaler` as a function."""
    made = StandardScaler(with_mean=with_mean, with_std=with_std)
    X = np.asarray(X)
    if X.ndim == 1:
        return made.fit_transform(X.reshape(-1, 1)).reshape(-1)
    return made.fit_transform(X) if axis == 0 else made.fit_transform(X.T).T


def minmax_scale(X, feature_range=(0, 1), *, axis=0, copy=True):
    """`MinMaxScaler` as a function."""
    made = MinMaxScaler(feature_range=feature_range)
    X = np.asarray(X)
    if X.ndim == 1:
        return made.fit_transform(X.reshape(-1, 1)).reshape(-1)
    return made.fit_transform(X) if axis == 0 else made.fit_transform(X.T).T


def _names_of(estimator, X):
    """Keeps the names of a DataFrame's columns."""
    names = getattr(X, "columns", None)
    if names is not None and all(isinstance(name, str) for name in names):
        estimator.feature_names_in_ = np.array(list(names), dtype=object)


def _given_names(estimator, names):
    if names is not None:
        return list(names)
    known = getattr(estimator, "feature_names_in_", None)
    return [f"x{i}" for i in range(estimator.n_features_in_)] if known is None else known.tolist()


class PolynomialFeatures(TransformerMixin, BaseEstimator):
    """All products of columns up to a degree: (n, features) to (n, products)."""

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
        self._need_fit("n_features_in_")
        return np.array([[product.count(column) for column in range(self.n_features_in_)] for product in self._products])

    def get_feature_names_out(self, input_features=None):
        self._need_fit("n_features_in_")
        names = [f"x{i}" for i in range(self.n_features_in_)] if input_features is None else list(input_features)
        shown = []
        for product in self._products:
            powers = [(names[i], product.count(i)) for i in sorted(set(product))]
            shown.append(" ".join(name if power == 1 else f"{name}^{power}" for name, power in powers) or "1")
        return np.array(shown, dtype=object)

    def transform(self, X):
        self._need_fit("n_features_in_")
        X = _table(X)
        self._need_width(X)
        columns = []
        for product in self._products:
            column = np.ones(X.shape[0], dtype=X.dtype)
            for i in product:
                column = column * X[:, i]
            columns.append(column)
        return np.stack(columns, axis=1)


def __getattr__(name):
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.preprocessing.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.preprocessing' has no attribute '{name}'")
