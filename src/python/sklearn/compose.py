"""Different steps for different columns."""

import numbers
import re

import numpy as np

from ._sparse import csr_matrix
from .base import BaseEstimator, RegressorMixin, TransformerMixin, clone


class make_column_selector:
    """Chooses columns of a frame by name or dtype."""

    def __init__(self, pattern=None, *, dtype_include=None, dtype_exclude=None):
        self.pattern, self.dtype_include, self.dtype_exclude = pattern, dtype_include, dtype_exclude

    def __call__(self, df):
        if not hasattr(df, "iloc"):
            raise ValueError("make_column_selector can only be applied to pandas dataframes")
        if self.dtype_include is not None or self.dtype_exclude is not None:
            df = df.select_dtypes(include=self.dtype_include, exclude=self.dtype_exclude)
        return [name for name in df.columns.tolist() if self.pattern is None or re.search(self.pattern, name)]


class ColumnTransformer(TransformerMixin, BaseEstimator):
    """Each transformer gets its columns; what they make is put side by side."""

    _fitted = "transformers_"

    _passes = True

    def __init__(self, transformers, *, remainder="drop", sparse_threshold=0.3, n_jobs=None, transformer_weights=None, verbose=False,
                 verbose_feature_names_out=True):
        self.transformers, self.remainder, self.sparse_threshold, self.n_jobs = transformers, remainder, sparse_threshold, n_jobs
        self.transformer_weights, self.verbose, self.verbose_feature_names_out = transformer_weights, verbose, verbose_feature_names_out

    def get_params(self, deep=True):
        made = super().get_params()
        if deep:
            for name, step, _ in self.transformers:
                made[name] = step
                if hasattr(step, "get_params"):
                    made.update((f"{name}__{key}", value) for key, value in step.get_params().items())
        return made

    def set_params(self, **params):
        known = {name: step for name, step, _ in self.transformers}
        for key, value in params.items():
            name, _, rest = key.partition("__")
            if rest and name in known:
                known[name].set_params(**{rest: value})
            elif name in known:
                self.transformers = [(n, value if n == name else step, c) for n, step, c in self.transformers]
            else:
                super().set_params(**{key: value})
        return self

    @property
    def named_transformers_(self):
        from .utils import Bunch

        return Bunch(**{name: step for name, step, _ in self.transformers_})

    def _places(self, X, columns):
        """Positions of the chosen columns, and whether a step gets one column of shape (n,)."""
        if callable(columns):
            columns = columns(X)
        names = X.columns.tolist() if hasattr(X, "columns") else None
        count, single = X.shape[1], isinstance(columns, (str, numbers.Integral)) and not isinstance(columns, bool)
        if isinstance(columns, slice):
            if isinstance(columns.start, str) or isinstance(columns.stop, str):
                start = 0 if columns.start is None else names.index(columns.start)
                stop = count if columns.stop is None else names.index(columns.stop) + 1
                return list(range(start, stop)), False
            return list(range(*columns.indices(count))), False
        chosen = [columns] if single else list(columns.tolist() if hasattr(columns, "tolist") else columns)
        if chosen and all(isinstance(c, (bool, np.bool_)) for c in chosen):
            return [i for i, yes in enumerate(chosen) if yes], False
        places = []
        for c in chosen:
            if isinstance(c, str):
                if names is None:
                    raise ValueError("Specifying the columns using strings is only supported for dataframes.")
                if c not in names:
                    strange = {each for each in chosen if each not in names}
                    raise ValueError(f"Some column names are not columns of the dataframe: {strange}")
                places.append(names.index(c))
            else:
                places.append(int(c) % count)
        return places, single

    @staticmethod
    def _taken(X, places, single):
        if hasattr(X, "iloc"):
            return X.iloc[:, places[0]] if single else X.iloc[:, places]
        return X[:, places[0]] if single else X[:, np.array(places, dtype=int)]

    def fit_transform(self, X, y=None):
        X = X if hasattr(X, "iloc") else np.asarray(X)
        self.n_features_in_ = X.shape[1]
        if hasattr(X, "columns"):
            self.feature_names_in_ = np.array(X.columns.tolist(), dtype=object)
        self._chosen, used = [], set()
        for name, step, columns in self.transformers:
            places, single = self._places(X, columns)
            used.update(places)
            self._chosen.append([name, step, columns, places, single])
        rest = [i for i in range(X.shape[1]) if i not in used]
        labels = [str(n) for n in self.feature_names_in_[rest]] if hasattr(self, "feature_names_in_") else rest
        if rest:
            self._chosen.append(["remainder", self.remainder, labels, rest, False])
        parts = []
        for entry in self._chosen:
            step = entry[1]
            if isinstance(step, str) and step == "passthrough" and entry[3]:
                from .preprocessing import FunctionTransformer

                step = FunctionTransformer(accept_sparse=True, check_inverse=False, feature_names_out="one-to-one")
            if isinstance(step, str) or not entry[3]:
                continue
            entry[1] = step = clone(step)
            part = self._taken(X, entry[3], entry[4])
            parts.append((entry, step.fit_transform(part, y) if hasattr(step, "fit_transform") else step.fit(part, y).transform(part)))
        self.transformers_ = [(e[0], e[1], e[2]) for e in self._chosen]
        widths = [(e, np.asarray(p).shape[1] if getattr(p, "ndim", 2) == 2 else 1) for e, p in parts]
        self.output_indices_, at = {}, 0
        for entry, width in widths:
            self.output_indices_[entry[0]] = slice(at, at + width)
            at += width
        for entry in self._chosen:
            self.output_indices_.setdefault(entry[0], slice(0, 0))
        self.output_indices_.setdefault("remainder", slice(0, 0))
        self.sparse_output_ = False
        if any(isinstance(p, csr_matrix) for _, p in parts):
            total = sum(np.asarray(p).size for _, p in parts)
            full = sum(p.nnz if isinstance(p, csr_matrix) else np.asarray(p).size for _, p in parts)
            self.sparse_output_ = full / total < self.sparse_threshold
        return self._beside([(e[0], p) for e, p in parts])

    def _beside(self, parts):
        tables = []
        for name, part in parts:
            table = np.asarray(part)
            if table.ndim != 2:
                raise ValueError(f"The output of the '{name}' transformer should be 2D (numpy array, scipy sparse array, dataframe).")
            weight = (self.transformer_weights or {}).get(name)
            tables.append(table if weight is None else table * weight)
        if not tables:
            return np.zeros((0, 0))
        if any(t.dtype.kind in "OU" for t in tables):
            tables = [t.astype(object) for t in tables]
        made = np.concatenate(tables, axis=1)
        return csr_matrix(made) if self.sparse_output_ else made

    def fit(self, X, y=None):
        self.fit_transform(X, y)
        return self

    def transform(self, X):
        self._need_fit()
        X = X if hasattr(X, "iloc") else np.asarray(X)
        if hasattr(X, "columns") and hasattr(self, "feature_names_in_"):
            given = X.columns.tolist()
            used = [e for e in self._chosen if not (isinstance(e[1], str) and e[1] == "drop")]
            missing = {n for e in used for n in self.feature_names_in_[e[3]]} - set(given)
            if missing:
                raise ValueError(f"columns are missing: {missing}")
            X = X[[n for n in self.feature_names_in_.tolist()]] if set(self.feature_names_in_.tolist()) <= set(given) else X
        elif X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but ColumnTransformer is expecting {self.n_features_in_} features as input.")
        return self._beside([(e[0], e[1].transform(self._taken(X, e[3], e[4]))) for e in self._chosen
                             if not isinstance(e[1], str) and e[3]])

    def get_feature_names_out(self, input_features=None):
        self._need_fit()
        known = list(self.feature_names_in_) if hasattr(self, "feature_names_in_") else [f"x{i}" for i in range(self.n_features_in_)]
        made = []
        for name, step, _, places, _ in self._chosen:
            if isinstance(step, str) or not places:
                continue
            if not hasattr(step, "get_feature_names_out"):
                raise AttributeError(f"Transformer {name} (type {type(step).__name__}) does not provide get_feature_names_out.")
            for each in step.get_feature_names_out([known[i] for i in places]):
                made.append(f"{name}__{each}" if self.verbose_feature_names_out else each)
        return np.array(made, dtype=object)


def make_column_transformer(*transformers, remainder="drop", sparse_threshold=0.3, n_jobs=None, verbose=False,
                            verbose_feature_names_out=True):
    """A `ColumnTransformer` whose steps have the names of their classes."""
    names = [step if isinstance(step, str) else type(step).__name__.lower() for step, _ in transformers]
    seen, made = {}, []
    for name, (step, columns) in zip(names, transformers):
        seen[name] = seen.get(name, 0) + 1
        made.append((f"{name}-{seen[name]}" if names.count(name) > 1 else name, step, columns))
    return ColumnTransformer(made, remainder=remainder, sparse_threshold=sparse_threshold, n_jobs=n_jobs, verbose=verbose,
                             verbose_feature_names_out=verbose_feature_names_out)


class TransformedTargetRegressor(RegressorMixin, BaseEstimator):
    """A regressor of a function of the target."""

    _fitted = "regressor_"

    _passes = True

    def __init__(self, regressor=None, *, transformer=None, func=None, inverse_func=None, check_inverse=True):
        self.regressor, self.transformer, self.func = regressor, transformer, func
        self.inverse_func, self.check_inverse = inverse_func, check_inverse

    def fit(self, X, y, **fit_params):
        from .linear_model import LinearRegression
        from .preprocessing import FunctionTransformer

        if self.transformer is not None and (self.func is not None or self.inverse_func is not None):
            raise ValueError("'transformer' and functions 'func'/'inverse_func' cannot both be set.")
        y = np.asarray(y, dtype=float)
        self._flat, columns = y.ndim == 1, y.reshape(len(y), -1)
        self.transformer_ = clone(self.transformer) if self.transformer is not None else FunctionTransformer(self.func, self.inverse_func)
        wanted = self.transformer_.fit_transform(columns)
        self.regressor_ = clone(self.regressor) if self.regressor is not None else LinearRegression()
        self.regressor_.fit(X, wanted[:, 0] if wanted.shape[1] == 1 else wanted, **fit_params)
        return self

    def predict(self, X):
        self._need_fit()
        made = self.regressor_.predict(X)
        made = self.transformer_.inverse_transform(made.reshape(len(made), -1))
        return made[:, 0] if self._flat else made


def __getattr__(name):
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.compose.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.compose' has no attribute '{name}'")
