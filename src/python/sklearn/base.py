"""What estimators have in common: parameters by name, printing, `fit_transform`, `score`."""

import inspect

import numpy as np

from . import _checks, _printing
from .exceptions import NotFittedError
from .utils import _table


class BaseEstimator:
    """Keeps each argument of `__init__` in an attribute of the same name."""

    # Estimators around others leave the names of columns to them.
    _passes = False
    # What only a fitted estimator has; None where no method needs a fit.
    _fitted = None

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if cls.__module__.startswith("sklearn."):
            _checks.checked(cls)

    @classmethod
    def _names(cls):
        if "_arguments" not in vars(cls):
            taken = inspect.signature(cls.__init__).parameters.values()
            cls._arguments = [p.name for p in taken if p.name != "self" and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
        return cls._arguments

    def get_params(self, deep=True):
        made = {}
        for name in sorted(self._names()):
            value = made[name] = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                made.update((f"{name}__{key}", inner) for key, inner in value.get_params().items())
        return made

    def set_params(self, **params):
        names, nested = self._names(), {}
        for name, value in params.items():
            own, _, rest = name.partition("__")
            if own not in names:
                raise ValueError(f"Invalid parameter {own!r} for estimator {self}. Valid parameters are: {sorted(names)!r}.")
            if rest:
                nested.setdefault(own, {})[rest] = value
            else:
                setattr(self, name, value)
        for own, values in nested.items():
            getattr(self, own).set_params(**values)
        return self

    def __repr__(self):
        return _printing.shown(self)

    def _need_fit(self):
        if self._fitted is not None and not hasattr(self, self._fitted):
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before using "
                "this estimator."
            )

    def _need_width(self, X):
        if X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input."
            )

    def _read(self, X):
        """A table of the width that the estimator was fitted with: (n, features)."""
        self._need_fit()
        X = _table(X)
        self._need_width(X)
        return X


def clone(estimator, *, safe=True):
    """An estimator with the same parameters that hasn't been fitted."""
    if isinstance(estimator, (list, tuple, set)):
        return type(estimator)(clone(one, safe=safe) for one in estimator)
    if not hasattr(estimator, "get_params") or isinstance(estimator, type):
        if not safe:
            import copy

            return copy.deepcopy(estimator)
        raise TypeError(f"Cannot clone object '{estimator!r}' (type {type(estimator)}): it does not seem to be a scikit-learn "
                        "estimator as it does not implement a 'get_params' method.")
    made = type(estimator)(**{name: clone(value, safe=False) for name, value in estimator.get_params(deep=False).items()})
    if "_output" in vars(estimator):
        made._output = estimator._output
    return made


def _kind(estimator):
    """What an estimator is. A mixin that comes after `BaseEstimator` says nothing, as in scikit-learn."""
    if hasattr(type(estimator), "_last") or hasattr(type(estimator), "_best"):
        return _kind(estimator._last if hasattr(type(estimator), "_last") else estimator.estimator)
    kind, plain = None, (BaseEstimator, ClassifierMixin, RegressorMixin)
    for cls in type(estimator).__mro__:
        if cls in plain or cls.__module__.startswith("sklearn."):
            kind = vars(cls).get("_estimator_type") if cls in plain else getattr(cls, "_estimator_type", "classifier" if hasattr(cls, "predict_proba") else None)
            if kind is not None or cls is BaseEstimator or cls not in plain and not cls.__name__.endswith("Mixin"):
                break
    inner = getattr(estimator, "_last", getattr(estimator, "estimator", None)) if kind is None else None
    return kind if inner is None else _kind(inner)


def is_classifier(estimator):
    return _kind(estimator) == "classifier"


def is_regressor(estimator):
    return _kind(estimator) == "regressor"


class ClassifierMixin:
    """`score` for classes."""

    _estimator_type = "classifier"

    def score(self, X, y, sample_weight=None):
        from .metrics import accuracy_score

        return accuracy_score(y, self.predict(X), sample_weight=sample_weight)


class RegressorMixin:
    """`score` for values."""

    _estimator_type = "regressor"

    def score(self, X, y, sample_weight=None):
        from .metrics import r2_score

        return r2_score(y, self.predict(X), sample_weight=sample_weight)


class _Linear(RegressorMixin, BaseEstimator):
    """A regression whose prediction is linear: slopes of shape (features,) or (targets, features), and an intercept."""

    _fitted = "coef_"

    def predict(self, X):
        return self._read(X) @ self.coef_.T + self.intercept_


class _Staged(BaseEstimator):
    """Rounds of trees, one for each column, that are added to the first values: (n, columns) each."""

    def _staged(self, X):
        """The sums after each round. It's the same array every time."""
        X = self._read(X)
        sums = np.tile(self._first, (len(X), 1))
        for row in getattr(self, self._fitted):
            for k, tree in enumerate(row):
                sums[:, k] += self._added(tree, X)
            yield sums

    def _sums(self, X):
        made = None
        for made in self._staged(X):
            pass
        return made


class _Several(BaseEstimator):
    """An estimator that is a sequence of the estimators it has fitted."""

    _fitted = "estimators_"

    def __len__(self):
        return len(self.estimators_)

    def __iter__(self):
        return iter(self.estimators_)

    def __getitem__(self, i):
        return self.estimators_[i]


class _Numbered:
    """The names of columns that are made of all columns together: that of the class, and a number."""

    def get_feature_names_out(self, input_features=None):
        self._need_fit()
        return np.array([f"{type(self).__name__.lower()}{i}" for i in range(len(self.components_))], dtype=object)


class TransformerMixin:
    """`fit_transform` out of `fit` and `transform`."""

    def set_output(self, *, transform=None):
        """What `transform` returns from now on: an array or a frame of pandas."""
        if transform not in (None, "default", "pandas"):
            raise NotImplementedError(f"{type(self).__name__}: set_output(transform={transform!r}) isn't supported here")
        if transform == "pandas" and not (hasattr(self, "get_feature_names_out") and type(self).__module__.startswith("sklearn.")):
            raise NotImplementedError(f"{type(self).__name__}: set_output isn't supported here, because its columns have no names")
        if transform is not None:
            self._output = transform
        return self

    def fit_transform(self, X, y=None):
        return self.fit(X, y).transform(X)
