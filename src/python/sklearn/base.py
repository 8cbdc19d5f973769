"""What estimators have in common: parameters by name, printing, `fit_transform`, `score`."""

import inspect

from .exceptions import NotFittedError


class BaseEstimator:
    """Keeps each argument of `__init__` in an attribute of the same name."""

    @classmethod
    def _names(cls):
        taken = inspect.signature(cls.__init__).parameters.values()
        return [p.name for p in taken if p.name != "self" and p.kind is not p.VAR_KEYWORD]

    def get_params(self, deep=True):
        return {name: getattr(self, name) for name in sorted(self._names())}

    def set_params(self, **params):
        names = self._names()
        for name, value in params.items():
            if name not in names:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {sorted(names)!r}.")
            setattr(self, name, value)
        return self

    def __repr__(self):
        defaults = inspect.signature(type(self).__init__).parameters
        changed = []
        for name in sorted(self._names()):
            value = getattr(self, name)
            # Comparing arrays gives arrays; their representations give one answer.
            if repr(value) != repr(defaults[name].default):
                changed.append(f"{name}={value!r}")
        # Lines of at most 80 letters, each of which begins below the first parameter.
        start = f"{type(self).__name__}("
        lines = [start]
        for i, part in enumerate(changed):
            part += ")" if i == len(changed) - 1 else ","
            if i and len(lines[-1]) + len(part) + 1 > 80:
                lines.append(" " * len(start))
            lines[-1] += part if lines[-1].endswith("(") or not lines[-1].strip() else " " + part
        return "\n".join(lines) + (")" if not changed else "")

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


class TransformerMixin:
    """`fit_transform` out of `fit` and `transform`."""

    def fit_transform(self, X, y=None):
        return self.fit(X, y).transform(X)
