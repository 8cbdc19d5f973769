"""Transformers for some of a table's columns."""

import numpy as np

from .base import BaseEstimator, TransformerMixin, clone
from .pipeline import Pipeline
from .preprocessing import OneHotEncoder, _names_of


class ColumnTransformer(TransformerMixin, BaseEstimator):
    """Each transformer gets its columns; their results are put side by side."""

    def __init__(self, transformers, *, remainder="drop", sparse_threshold=0.3, n_jobs=None, transformer_weights=None, verbose=False,
                 verbose_feature_names_out=True, force_int_remainder_cols="deprecated"):
        self.transformers, self.remainder, self.sparse_threshold, self.n_jobs = transformers, remainder, sparse_threshold, n_jobs
        self.transformer_weights, self.verbose, self.verbose_feature_names_out = transformer_weights, verbose, verbose_feature_names_out
        self.force_int_remainder_cols = force_int_remainder_cols

    @staticmethod
    def _places(columns, X, names):
        if callable(columns):
            columns = columns(X)
        one = isinstance(columns, (str, int))
        if isinstance(columns, slice):
            if isinstance(columns.start, str) or isinstance(columns.stop, str):
                raise NotImplementedError("ColumnTransformer: a slice of names")
            return list(range(X.shape[1]))[columns], False
        columns = [columns] if one else np.asarray(columns).tolist()
        if columns and isinstance(columns[0], bool):
            return [i for i, chosen in enumerate(columns) if chosen], False
        if columns and isinstance(columns[0], str):
            if names is None:
                raise ValueError("Specifying the columns using strings is only supported for dataframes.")
            for column in columns:
                if column not in names:
                    raise ValueError("A given column is not a column of the dataframe")
            return [names.index(column) for column in columns], one
        return [i % X.shape[1] for i in columns], one

    @staticmethod
    def _part(X, places, one):
        if hasattr(X, "iloc"):
            return X.iloc[:, places[0]] if one else X.iloc[:, places]
        X = np.asarray(X)
        return X[:, places[0]] if one else X[:, places]

    def _chosen(self, X):
        names = list(X.columns) if hasattr(X, "columns") else None
        used, steps = set(), []
        for name, step, columns in self.transformers:
            places, one = self._places(columns, X, names)
            used.update(places)
            steps.append((name, step, places, one))
        rest = [i for i in range(X.shape[1]) if i not in used]
        if rest:
            steps.append(("remainder", self.remainder, rest, False))
        return steps

    @staticmethod
    def _dense(step):
        """Lets encoders answer with dense columns. Says whether scikit-learn's answer would be sparse."""
        last = step.steps[-1][1] if isinstance(step, Pipeline) else step
        if isinstance(last, OneHotEncoder) and last.sparse_output:
            last._dense = True
            return True
        return False

    def fit(self, X, y=None):
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X, y=None):
        if self.transformer_weights is not None:
            raise NotImplementedError("ColumnTransformer(transformer_weights=)")
        if not hasattr(X, "iloc"):
            X = np.asarray(X)
        _names_of(self, X)
        self.n_features_in_ = X.shape[1]
        self.transformers_, parts, sparse = [], [], False
        for name, step, places, one in self._chosen(X):
            if isinstance(step, str):
                if step not in ("drop", "passthrough"):
                    raise ValueError(f"{step!r} is neither a transformer nor 'drop' or 'passthrough'")
            else:
                step = clone(step)
                # A clone knows nothing of what its original was asked for.
                sparse = self._dense(step) or sparse
            self.transformers_.append((name, step, places, one))
            if step == "drop" or not places:
                continue
            part = self._part(X, places, one)
            if step == "passthrough":
                parts.append(np.asarray(part))
            else:
                parts.append(step.fit_transform(part, y) if hasattr(step, "fit_transform") else step.fit(part, y).transform(part))
        made = self._joined(parts, X)
        if sparse and made.size and np.count_nonzero(made) / made.size < self.sparse_threshold:
            raise NotImplementedError("ColumnTransformer: the result would be a sparse matrix, which can't be had here. Pass "
                                      "sparse_threshold=0, or sparse_output=False to OneHotEncoder")
        return made

    @staticmethod
    def _joined(parts, X):
        parts = [np.asarray(part) for part in parts]
        return np.concatenate([part if part.ndim == 2 else part.reshape(-1, 1) for part in parts], axis=1) if parts else np.zeros((len(X), 0))

    def transform(self, X):
        self._need_fit("transformers_")
        if not hasattr(X, "iloc"):
            X = np.asarray(X)
        names = getattr(self, "feature_names_in_", None)
        if names is not None and hasattr(X, "columns"):
            missing = [name for name in names.tolist() if name not in list(X.columns)]
            if missing:
                raise ValueError(f"columns are missing: {set(missing)}")
            X = X[names.tolist()]
        parts = []
        for _, step, places, one in self.transformers_:
            if (isinstance(step, str) and step == "drop") or not places:
                continue
            part = self._part(X, places, one)
            parts.append(np.asarray(part) if isinstance(step, str) else step.transform(part))
        return self._joined(parts, X)

    @property
    def named_transformers_(self):
        from .utils import Bunch

        return Bunch(**{name: step for name, step, _, _ in self.transformers_})

    def get_feature_names_out(self, input_features=None):
        self._need_fit("transformers_")
        known = input_features if input_features is not None else getattr(self, "feature_names_in_", None)
        known = [f"x{i}" for i in range(self.n_features_in_)] if known is None else list(known)
        made = []
        for name, step, places, _ in self.transformers_:
            if isinstance(step, str) and step == "drop":
                continue
            given = [known[i] for i in places]
            if not isinstance(step, str):
                if not hasattr(step, "get_feature_names_out"):
                    raise NotImplementedError(f"{type(step).__name__} has no get_feature_names_out here")
                given = list(step.get_feature_names_out(given))
            made += [f"{name}__{one}" for one in given] if self.verbose_feature_names_out else given
        return np.array(made, dtype=object)


def make_column_transformer(*transformers, **options):
    """A transformer whose parts have the names of their classes."""
    from .pipeline import make_pipeline

    kept = [(step, columns) for step, columns in transformers]
    names = [name for name, _ in make_pipeline(*[step for step, _ in kept if not isinstance(step, str)]).steps]
    for i, (step, _) in enumerate(kept):
        if isinstance(step, str):
            names.insert(i, step)
    return ColumnTransformer([(name, step, columns) for name, (step, columns) in zip(names, kept)], **options)


def __getattr__(name):
    if name[:1].isupper() or name == "make_column_selector":
        raise NotImplementedError(f"sklearn.compose.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.compose' has no attribute '{name}'")
