"""Helpers of scikit-learn: random states, checks of inputs, shuffling."""

import numbers

import numpy as np


class Bunch(dict):
    """A dictionary whose keys are attributes too."""

    def __getattr__(self, key):
        try:
            return self[key]
        except KeyError:
            raise AttributeError(key) from None

    def __setattr__(self, key, value):
        self[key] = value

    def __dir__(self):
        return list(self)


def check_random_state(seed):
    """The generator for a seed; None is NumPy's global one, as far as `np.random` draws from it."""
    if seed is None or seed is np.random:
        return np.random.rand.__self__
    if isinstance(seed, numbers.Integral):
        return np.random.RandomState(int(seed))
    if isinstance(seed, np.random.RandomState):
        return seed
    raise ValueError(f"{seed!r} cannot be used to seed a numpy.random.RandomState instance")


def check_consistent_length(*arrays):
    lengths = [len(a) for a in arrays if a is not None]
    if len(set(lengths)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {lengths}")


def _no_series(X):
    """Refuses a column of a frame where a table is asked for."""
    if hasattr(X, "iloc") and getattr(X, "ndim", 0) == 1:
        raise ValueError(
            f"Expected a 2-dimensional container but got {type(X)} instead. Pass a DataFrame containing a single row (i.e. single sample) or a "
            "single column (i.e. single feature) instead.")


def _table(X, name="X"):
    """A 2-D array of finite floats."""
    _no_series(X)
    X = np.asarray(X)
    if X.dtype.kind != "f":
        X = X.astype(float)
    if X.ndim != 2:
        shown = "a scalar array" if X.ndim == 0 else f"{X.ndim}D array"
        if X.ndim > 2:
            raise ValueError(f"Found array with dim {X.ndim}, while dim <= 2 is required.")
        raise ValueError(
            f"Expected 2D array, got {shown.replace('a scalar', 'scalar')} instead:\narray={X}.\nReshape your data either using "
            "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a single sample."
        )
    if np.isnan(X).any():
        raise ValueError(f"Input {name} contains NaN.")
    if np.isinf(X).any():
        raise ValueError(f"Input {name} contains infinity or a value too large for {X.dtype!r}.")
    return X


def _rows(a, indices):
    """The chosen rows of an array, a tensor or a list."""
    if isinstance(a, (list, tuple, range)):
        return [a[int(i)] for i in indices]
    if a is None:
        return None
    if not hasattr(a, "shape"):
        raise TypeError(f"rows are taken from lists, arrays and tensors, not from {type(a).__name__}")
    return a.iloc[indices] if hasattr(a, "iloc") else a[indices]


def shuffle(*arrays, random_state=None, n_samples=None):
    """All arrays in the same new order."""
    check_consistent_length(*arrays)
    generator = check_random_state(random_state)
    count = len(arrays[0])
    if n_samples is not None and n_samples > count:
        raise ValueError(f"Cannot sample {n_samples} out of arrays with dim {count} when replace is False")
    indices = np.arange(count)
    generator.shuffle(indices)
    indices = indices[:n_samples]
    mixed = [_rows(a, indices) for a in arrays]
    return mixed[0] if len(mixed) == 1 else mixed


def resample(*arrays, replace=True, n_samples=None, random_state=None, stratify=None):
    """Rows drawn from all arrays alike."""
    if stratify is not None:
        raise NotImplementedError("sklearn.utils.resample(stratify=)")
    check_consistent_length(*arrays)
    generator, count = check_random_state(random_state), len(arrays[0])
    wanted = count if n_samples is None else n_samples
    if wanted > count and not replace:
        raise ValueError(f"Cannot sample {wanted} out of arrays with dim {count} when replace is False")
    if replace:
        indices = generator.randint(0, count, size=(wanted,))
    else:
        indices = np.arange(count)
        generator.shuffle(indices)
        indices = indices[:wanted]
    drawn = [_rows(a, indices) for a in arrays]
    return drawn[0] if len(drawn) == 1 else drawn
