"""Values for those that are missing."""

import warnings

import numpy as np

from .base import BaseEstimator, TransformerMixin
from .preprocessing import _given_names, _names_of


class SimpleImputer(TransformerMixin, BaseEstimator):
    """Replaces what is missing in a column by its mean, its median, its most frequent value or a constant."""

    def __init__(self, *, missing_values=np.nan, strategy="mean", fill_value=None, copy=True, add_indicator=False,
                 keep_empty_features=False):
        self.missing_values, self.strategy, self.fill_value, self.copy = missing_values, strategy, fill_value, copy
        self.add_indicator, self.keep_empty_features = add_indicator, keep_empty_features

    def _columns(self, X):
        X = np.asarray(X)
        if X.ndim != 2:
            raise ValueError(f"Expected 2D array, got {X.ndim}D array instead")
        if self.strategy in ("mean", "median") and X.dtype.kind != "f":
            try:
                return X.astype(float)
            except ValueError as e:
                raise ValueError(f"Cannot use {self.strategy} strategy with non-numeric data:\n{e}") from None
        return X if X.dtype.kind in "fOU" else X.astype(float) if X.dtype.kind in "iub" and self._is_nan else X

    @property
    def _is_nan(self):
        return isinstance(self.missing_values, float) and self.missing_values != self.missing_values

    def _gaps(self, X):
        if X.dtype.kind == "f" and self._is_nan:
            return np.isnan(X)
        if X.dtype.kind == "O":
            gap = (lambda v: v != v) if self._is_nan else (lambda v: v is self.missing_values or v == self.missing_values)
            return np.array([[bool(gap(v)) for v in row] for row in X.tolist()]).reshape(X.shape)
        if self._is_nan:
            return np.zeros(X.shape, dtype=bool)
        return X == self.missing_values

    def fit(self, X, y=None):
        if self.strategy not in ("mean", "median", "most_frequent", "constant"):
            raise NotImplementedError(f"SimpleImputer(strategy={self.strategy!r})")
        if self.add_indicator or self.keep_empty_features:
            raise NotImplementedError("SimpleImputer: add_indicator and keep_empty_features aren't supported here")
        _names_of(self, X)
        X = self._columns(X)
        self.n_features_in_ = X.shape[1]
        gaps, found = self._gaps(X), []
        for i in range(X.shape[1]):
            column = X[:, i][~gaps[:, i]]
            if len(column) == 0:
                found.append(np.nan)
            elif self.strategy == "constant":
                found.append(self.fill_value if self.fill_value is not None else 0 if X.dtype.kind in "fiub" else "missing_value")
            elif self.strategy == "most_frequent":
                values = column.tolist()
                counts = {}
                for value in values:
                    counts[value] = counts.get(value, 0) + 1
                most = max(counts.values())
                found.append(min(value for value, count in counts.items() if count == most))
            else:
                found.append(float(np.mean(column) if self.strategy == "mean" else np.median(column)))
        self.statistics_ = np.array(found, dtype=object if X.dtype.kind in "OU" else float)
        return self

    def transform(self, X):
        self._need_fit("statistics_")
        X = self._columns(X)
        self._need_width(X)
        gaps = self._gaps(X)
        empty = [i for i, s in enumerate(self.statistics_.tolist()) if s != s]
        if empty:
            named = getattr(self, "feature_names_in_", None)
            shown = np.array(empty) if named is None else named[empty]
            warnings.warn(f"Skipping features without any observed values: {shown}. At least one non-missing value is needed for "
                          f"imputation with strategy={self.strategy!r}.", stacklevel=2)
        kept = [i for i in range(X.shape[1]) if i not in empty]
        X, gaps, statistics = X[:, kept], gaps[:, kept], self.statistics_[kept]
        if X.dtype.kind == "O":
            rows = [[s if gap else v for v, gap, s in zip(row, missing, statistics.tolist())]
                    for row, missing in zip(X.tolist(), gaps.tolist())]
            return np.array(rows, dtype=object).reshape(X.shape)
        return np.where(gaps, statistics.astype(X.dtype), X)

    def get_feature_names_out(self, input_features=None):
        self._need_fit("statistics_")
        return np.array([n for n, s in zip(_given_names(self, input_features), self.statistics_.tolist()) if s == s], dtype=object)


def __getattr__(name):
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.impute.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.impute' has no attribute '{name}'")
