"""Checks of inputs and of estimators."""

import numpy as np

from . import _table, check_consistent_length, check_random_state


def check_array(array, accept_sparse=False, *, dtype="numeric", ensure_2d=True, ensure_min_samples=1, **options):
    made = np.asarray(array)
    if ensure_2d:
        _table(made)
    if made.ndim and len(made) < ensure_min_samples:
        raise ValueError(f"Found array with {len(made)} sample(s) (shape={made.shape}) while a minimum of {ensure_min_samples} is "
                         "required.")
    return made if dtype in (None, "numeric") else made.astype(dtype)


def check_X_y(X, y, **options):
    X, y = check_array(X, **{k: v for k, v in options.items() if k != "multi_output"}), np.asarray(y)
    check_consistent_length(X, y)
    return X, y if options.get("multi_output") else y.ravel()


def check_is_fitted(estimator, attributes=None, *, msg=None, all_or_any=all):
    from ..exceptions import NotFittedError

    names = [attributes] if isinstance(attributes, str) else attributes
    known = (all_or_any(hasattr(estimator, name) for name in names) if names is not None else
             any(name.endswith("_") and not name.startswith("__") for name in vars(estimator)))
    if not known:
        raise NotFittedError((msg or "This %(name)s instance is not fitted yet. Call 'fit' with appropriate arguments before using this "
                              "estimator.") % {"name": type(estimator).__name__})


def column_or_1d(y, *, dtype=None, warn=False):
    y = np.asarray(y, dtype=dtype)
    if y.ndim == 1 or y.ndim == 2 and y.shape[1] == 1:
        return y.ravel()
    raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
