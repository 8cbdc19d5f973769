"""What estimators have in common: parameters by name, printing, `fit_transform`, `score`."""

import inspect

from . import _printing
from .exceptions import NotFittedError


class BaseEstimator:
    """Keeps each argument of `__init__` in an attribute of the same name."""

    @classmethod
    def _names(cls):
        taken = inspect.signature(cls.__init__).parameters.values()
        return [p.name for p in taken if p.name != "self" and p.kind is not p.VAR_KEYWORD]

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

    def _need_fit(self, attribute):
        if not hasattr(self, attribute):
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before using "
                "this estimator."
            )

    def _need_width(self, X):
        if X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input."
            )


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
    return type(estimator)(**{name: clone(value, safe=False) for name, value in estimator.get_params(deep=False).items()})


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


class TransformerMixin:
    """`fit_transform` out of `fit` and `transform`."""

    def fit_transform(self, X, y=None):
        return self.fit(X, y).transform(X)
