"""Steps one after the other."""

from .base import BaseEstimator
from .exceptions import NotFittedError


class Pipeline(BaseEstimator):
    """Transformers, and an estimator at the end."""

    _fitted = "steps_"

    _passes = True

    def __init__(self, steps, *, transform_input=None, memory=None, verbose=False):
        self.steps, self.transform_input, self.memory, self.verbose = steps, transform_input, memory, verbose

    @property
    def named_steps(self):
        from .utils import Bunch

        return Bunch(**dict(self.steps))

    def get_params(self, deep=True):
        made = super().get_params()
        if deep:
            made.update(self.steps)
            made.update((f"{name}__{key}", value) for name, step in self.steps if hasattr(step, "get_params")
                        for key, value in step.get_params().items())
        return made

    def set_params(self, **params):
        known = dict(self.steps)
        # A step that is exchanged comes before the parameters that the new one is given.
        for key, value in sorted(params.items(), key=lambda item: "__" in item[0]):
            name, _, rest = key.partition("__")
            if rest and name in known:
                known[name].set_params(**{rest: value})
            elif name in known and not rest:
                self.steps = [(n, value if n == name else step) for n, step in self.steps]
                known[name] = value
            elif name not in self._names():
                known = ["memory", "steps", "transform_input", "verbose"]
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {known!r}.")
            else:
                super().set_params(**{key: value})
        return self

    def __len__(self):
        return len(self.steps)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return Pipeline(self.steps[at])
        return self.steps[at][1] if isinstance(at, int) else dict(self.steps)[at]

    def _need_fit(self):
        # A pipeline has no names of its own that its fit leaves: it's fitted when its last step is.
        try:
            if getattr(self._last, "_fitted", None) is not None:
                self._last._need_fit()
            elif hasattr(self._last, "predict") and not any(name.endswith("_") for name in vars(self._last)):
                super()._need_fit()
        except NotFittedError:
            super()._need_fit()

    def _before(self, X, y=None, fit=False):
        for name in ("transform_input", "memory", "verbose"):
            if getattr(self, name):
                raise NotImplementedError(f"sklearn.pipeline.Pipeline({name}=)")
        if not fit:
            self._need_fit()
        for _, step in self.steps[:-1]:
            if step in (None, "passthrough"):
                continue
            if fit:
                X = step.fit_transform(X, y) if hasattr(step, "fit_transform") else step.fit(X, y).transform(X)
            else:
                X = step.transform(X)
        return X

    @property
    def _last(self):
        return self.steps[-1][1]

    def fit(self, X, y=None):
        self._last.fit(self._before(X, y, True), y)
        return self

    def fit_transform(self, X, y=None):
        return self._last.fit_transform(self._before(X, y, True), y)

    def transform(self, X):
        return self._last.transform(self._before(X))

    def predict(self, X):
        return self._last.predict(self._before(X))

    def predict_proba(self, X):
        return self._last.predict_proba(self._before(X))

    def decision_function(self, X):
        return self._last.decision_function(self._before(X))

    def score(self, X, y=None):
        return self._last.score(self._before(X), y)

    def predict_log_proba(self, X):
        return self._last.predict_log_proba(self._before(X))

    def inverse_transform(self, X):
        for _, step in reversed(self.steps):
            X = X if step in (None, "passthrough") else step.inverse_transform(X)
        return X

    def get_feature_names_out(self, input_features=None):
        names = input_features
        for name, step in self.steps:
            if step in (None, "passthrough"):
                continue
            if not hasattr(step, "get_feature_names_out"):
                raise AttributeError(f"Estimator {name} does not provide get_feature_names_out. Did you mean to call "
                                     "pipeline[:-1].get_feature_names_out()?")
            names = step.get_feature_names_out(names)
        return names

    @property
    def n_features_in_(self):
        return self.steps[0][1].n_features_in_

    @property
    def feature_names_in_(self):
        return self.steps[0][1].feature_names_in_

    @property
    def classes_(self):
        return self._last.classes_


class FeatureUnion(BaseEstimator):
    """What several transformers make, side by side."""

    _passes = True

    def __init__(self, transformer_list, *, n_jobs=None, transformer_weights=None, verbose=False, verbose_feature_names_out=True):
        self.transformer_list, self.n_jobs, self.transformer_weights = transformer_list, n_jobs, transformer_weights
        self.verbose, self.verbose_feature_names_out = verbose, verbose_feature_names_out

    def get_params(self, deep=True):
        made = super().get_params(deep=False)
        if deep:
            made.update(self.transformer_list)
            made.update((f"{name}__{key}", value) for name, step in self.transformer_list if hasattr(step, "get_params")
                        for key, value in step.get_params().items())
        return made

    def set_params(self, **params):
        known = dict(self.transformer_list)
        for key, value in sorted(params.items(), key=lambda item: "__" in item[0]):
            name, _, rest = key.partition("__")
            if rest and name in known:
                known[name].set_params(**{rest: value})
            elif name in known:
                self.transformer_list = [(n, value if n == name else step) for n, step in self.transformer_list]
                known[name] = value
            else:
                super().set_params(**{key: value})
        return self

    @property
    def named_transformers(self):
        from .utils import Bunch

        return Bunch(**dict(self.transformer_list))

    def fit(self, X, y=None):
        for _, step in self.transformer_list:
            if not isinstance(step, str):
                step.fit(X, y)
        return self

    def transform(self, X):
        import numpy as np

        weights, parts = self.transformer_weights or {}, []
        for name, step in self.transformer_list:
            if step != "drop":
                made = np.asarray(X if step == "passthrough" else step.transform(X))
                parts.append(made * weights[name] if name in weights else made)
        return np.hstack(parts) if parts else np.zeros((len(X), 0))

    def fit_transform(self, X, y=None):
        return self.fit(X, y).transform(X)

    def get_feature_names_out(self, input_features=None):
        import numpy as np

        names = []
        for name, step in self.transformer_list:
            if step != "drop":
                own = step.get_feature_names_out(input_features)
                names += [f"{name}__{each}" for each in own] if self.verbose_feature_names_out else list(own)
        return np.array(names, dtype=object)


def make_union(*transformers, n_jobs=None, verbose=False, verbose_feature_names_out=True):
    """Transformers side by side that have the names of their classes."""
    return FeatureUnion(make_pipeline(*transformers).steps, n_jobs=n_jobs, verbose=verbose, verbose_feature_names_out=verbose_feature_names_out)


def make_pipeline(*steps, memory=None, transform_input=None, verbose=False):
    """A pipeline whose steps have the names of their classes."""
    names = [type(step).__name__.lower() for step in steps]
    seen, made = {}, []
    for name, step in zip(names, steps):
        seen[name] = seen.get(name, 0) + 1
        made.append((f"{name}-{seen[name]}" if names.count(name) > 1 else name, step))
    return Pipeline(made, transform_input=transform_input, memory=memory, verbose=verbose)
