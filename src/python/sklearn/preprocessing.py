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


def _scale(spread):
    """A column that is constant is divided by 1."""
    return np.where(spread < 10 * np.finfo(float).eps, 1.0, spread)


class StandardScaler(TransformerMixin, BaseEstimator):
    """Subtracts each column's mean and divides by its standard deviation: (n, features) to (n, features)."""

    def __init__(self, *, copy=True, with_mean=True, with_std=True):
        self.copy, self.with_mean, self.with_std = copy, with_mean, with_std

    def fit(self, X, y=None):
        X = _numbers(X)
        self.n_features_in_, self.n_samples_seen_ = X.shape[1], float(X.shape[0])
        self.mean_ = X.mean(axis=0) if self.with_mean or self.with_std else None
        self.var_ = X.var(axis=0) if self.with_std else None
        self.scale_ = _scale(np.sqrt(self.var_)) if self.with_std else None
        return self

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
        self.classes_ = np.unique(np.asarray(y))
        return self

    def fit_transform(self, y):
        return self.fit(y).transform(y)

    def transform(self, y):
        self._need_fit("classes_")
        codes = {label.item(): code for code, label in enumerate(self.classes_)}
        labels = [label.item() for label in np.asarray(y)]
        unknown = sorted({label for label in labels if label not in codes})
        if unknown:
            raise ValueError(f"y contains previously unseen labels: {unknown}")
        return np.array([codes[label] for label in labels], dtype=int)

    def inverse_transform(self, y):
        self._need_fit("classes_")
        y = np.asarray(y)
        unknown = sorted({int(code) for code in y if not 0 <= int(code) < len(self.classes_)})
        if unknown:
            raise ValueError(f"y contains previously unseen labels: {unknown}")
        return self.classes_[y]


class OneHotEncoder(TransformerMixin, BaseEstimator):
    """A column of 0 and 1 for each category of each column: (n, features) to (n, categories)."""

    def __init__(self, *, categories="auto", drop=None, sparse_output=True, dtype=np.float64, handle_unknown="error",
                 min_frequency=None, max_categories=None, feature_name_combiner="concat"):
        self.categories, self.drop, self.sparse_output, self.dtype = categories, drop, sparse_output, dtype
        self.handle_unknown, self.min_frequency, self.max_categories = handle_unknown, min_frequency, max_categories
        self.feature_name_combiner = feature_name_combiner

    def fit(self, X, y=None):
        if self.sparse_output:
            raise NotImplementedError("OneHotEncoder: sparse matrices can't be had here, so pass sparse_output=False")
        rare = self.min_frequency is not None or self.max_categories is not None
        if rare or self.drop is not None or self.feature_name_combiner != "concat":
            raise NotImplementedError(
                "OneHotEncoder: drop, min_frequency, max_categories and feature_name_combiner aren't supported here"
            )
        if self.handle_unknown not in ("error", "ignore"):
            raise NotImplementedError("OneHotEncoder: handle_unknown is 'error' or 'ignore' here")
        X = self._columns(X)
        self.n_features_in_ = X.shape[1]
        if isinstance(self.categories, str):
            self.categories_ = [np.unique(X[:, i]) for i in range(X.shape[1])]
        else:
            self.categories_ = [np.asarray(known) for known in self.categories]
        return self

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
            parts.append(hits.astype(self.dtype))
        return np.concatenate(parts, axis=1)

    def get_feature_names_out(self, input_features=None):
        self._need_fit("categories_")
        names = [f"x{i}" for i in range(self.n_features_in_)] if input_features is None else list(input_features)
        return np.array([f"{name}_{value}" for name, known in zip(names, self.categories_) for value in known], dtype=object)


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
