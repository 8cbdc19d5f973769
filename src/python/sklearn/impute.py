"""Values for what is missing."""

import numpy as np

from .base import BaseEstimator, TransformerMixin
from .utils import _no_series


class SimpleImputer(TransformerMixin, BaseEstimator):
    """Fills each column's gaps with its mean, median, most frequent value, or a constant."""

    _fitted = "statistics_"

    def __init__(self, *, missing_values=np.nan, strategy="mean", fill_value=None, copy=True, add_indicator=False,
                 keep_empty_features=False):
        self.missing_values, self.strategy, self.fill_value, self.copy = missing_values, strategy, fill_value, copy
        self.add_indicator, self.keep_empty_features = add_indicator, keep_empty_features

    def _gaps(self, X):
        if self.missing_values is None or isinstance(self.missing_values, float) and self.missing_values != self.missing_values:
            if X.dtype.kind == "O":
                return np.array([[v is None or v != v for v in row] for row in X.tolist()], dtype=bool).reshape(X.shape)
            return np.isnan(X) if X.dtype.kind == "f" else np.zeros(X.shape, dtype=bool)
        return X == self.missing_values

    def _input(self, X):
        self._titles = list(X.columns) if hasattr(X, "columns") else None
        _no_series(X)
        X = np.asarray(X)
        if X.dtype.kind in "iub" and self.strategy in ("mean", "median"):
            X = X.astype(float)
        if X.ndim != 2:
            raise ValueError(f"Expected 2D array, got {X.ndim}D array instead:\narray={X}.\nReshape your data either using "
                             "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a single "
                             "sample.")
        if self.strategy in ("mean", "median") and X.dtype.kind in "OU":
            try:
                X = X.astype(float)
            except (TypeError, ValueError) as error:
                raise ValueError(f"Cannot use {self.strategy} strategy with non-numeric data:\n{error}") from None
        return X

    def fit(self, X, y=None):
        if self.strategy not in ("mean", "median", "most_frequent", "constant"):
            raise NotImplementedError(f"SimpleImputer(strategy={self.strategy!r}) isn't supported here")
        X = self._input(X)
        if self._titles is not None:
            self.feature_names_in_ = np.array(self._titles, dtype=object)
        gaps, values = self._gaps(X), []
        for i in range(X.shape[1]):
            known = X[:, i][~gaps[:, i]]
            if self.strategy == "constant":
                default = "missing_value" if X.dtype.kind in "OU" else 0
                values.append(default if self.fill_value is None else self.fill_value)
            elif not len(known):
                values.append(0 if self.keep_empty_features else np.nan)
            elif self.strategy == "mean":
                values.append(known.mean())
            elif self.strategy == "median":
                values.append(np.median(known))
            else:
                counts = {}
                for value in known.tolist():
                    counts[value] = counts.get(value, 0) + 1
                most = max(counts.values())
                values.append(min(value for value, count in counts.items() if count == most))
        self.n_features_in_ = X.shape[1]
        self.statistics_ = np.array(values, dtype=object if X.dtype.kind in "OU" else float)
        self._gappy = np.where(gaps.any(axis=0))[0]
        return self

    def transform(self, X):
        self._need_fit()
        X = self._input(X)
        self._need_width(X)
        gaps = self._gaps(X)
        made = X.copy()
        empty = [i for i, v in enumerate(self.statistics_.tolist()) if isinstance(v, float) and v != v]
        for i, value in enumerate(self.statistics_.tolist()):
            if i not in empty:
                made[gaps[:, i], i] = value
        if empty:
            made = np.delete(made, empty, axis=1)
        return np.concatenate([made, gaps[:, self._gappy].astype(made.dtype)], axis=1) if self.add_indicator else made

    def get_feature_names_out(self, input_features=None):
        self._need_fit()
        names = input_features if input_features is not None else getattr(self, "feature_names_in_", None)
        return np.array([f"x{i}" for i in range(self.n_features_in_)] if names is None else list(names), dtype=object)


class KNNImputer(TransformerMixin, BaseEstimator):
    """The mean of the nearest samples that have the value; distances are of the values that both samples have."""

    _fitted = "n_features_in_"

    def __init__(self, *, missing_values=np.nan, n_neighbors=5, weights="uniform", metric="nan_euclidean", copy=True, add_indicator=False,
                 keep_empty_features=False):
        self.missing_values, self.n_neighbors, self.weights, self.metric = missing_values, n_neighbors, weights, metric
        self.copy, self.add_indicator, self.keep_empty_features = copy, add_indicator, keep_empty_features

    def _numbers(self, X):
        X = np.asarray(X, dtype=float)
        return X if self.missing_values != self.missing_values else np.where(X == self.missing_values, np.nan, X)

    def fit(self, X, y=None):
        if self.weights not in ("uniform", "distance") or self.metric != "nan_euclidean" or self.add_indicator:
            raise NotImplementedError("KNNImputer: weights of your own, other metrics and add_indicator aren't supported here")
        self._fit_X = self._numbers(X)
        if np.isnan(self._fit_X).all(axis=0).any():
            raise NotImplementedError("KNNImputer: columns without any value aren't supported here")
        self.n_features_in_ = self._fit_X.shape[1]
        return self

    def transform(self, X):
        self._need_fit()
        X, known = self._numbers(X).copy(), self._fit_X
        self._need_width(X)
        gaps = np.isnan(X)
        for i in np.flatnonzero(gaps.any(axis=1)).tolist():
            both = ~np.isnan(known) & ~gaps[i]
            count = both.sum(axis=1)
            with np.errstate(all="ignore"):
                away = np.sqrt(np.where(both, (known - X[i]) ** 2, 0.0).sum(axis=1) * X.shape[1] / count)
            away = np.where(count == 0, np.inf, away)
            for j in np.flatnonzero(gaps[i]).tolist():
                there = np.flatnonzero(~np.isnan(known[:, j]) & np.isfinite(away))
                if not len(there):
                    X[i, j] = np.nanmean(known[:, j])
                    continue
                near = there[np.argsort(away[there], kind="stable")[:self.n_neighbors]]
                mass = np.ones(len(near))
                if self.weights == "distance":
                    mass = (away[near] == 0).astype(float) if (away[near] == 0).any() else 1 / away[near]
                X[i, j] = (known[near, j] * mass).sum() / mass.sum()
        return X


def __getattr__(name):
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.impute.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.impute' has no attribute '{name}'")
