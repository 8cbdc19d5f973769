"""Views with shapes and steps of one's own."""

import _torch as _C

from numpy._array import asarray, axes_of, moved


def as_strided(x, shape=None, strides=None, subok=False, writeable=True, *, check_bounds=None):
    x = asarray(x)
    shape = x.shape if shape is None else tuple(shape)
    strides = x.strides if strides is None else tuple(strides)
    steps = [n // x.itemsize for n in strides]
    made = moved(x, lambda t: _C.as_strided(t, shape, steps, t.storage_offset()))
    made._base, made._writes = x, writeable
    return made


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    x = asarray(x)
    window = (window_shape,) if not hasattr(window_shape, "__len__") else tuple(window_shape)
    if any(n < 0 for n in window):
        raise ValueError("`window_shape` cannot contain negative values")
    axes = tuple(range(x.ndim)) if axis is None else tuple(axes_of(axis, x.ndim))
    if len(window) != len(axes):
        raise ValueError(f"Since axis is None, must provide window_shape for all dimensions of `x`; got {len(window)} window_shape "
                         f"elements and `x.ndim` is {x.ndim}." if axis is None else
                         f"Must provide matching length window_shape and axis; got {len(window)} window_shape elements and "
                         f"{len(axes)} axes elements.")
    shape = list(x.shape)
    for a, n in zip(axes, window):
        if shape[a] < n:
            raise ValueError("window shape cannot be larger than input array shape")
        shape[a] -= n - 1
    return as_strided(x, tuple(shape) + window, x.strides + tuple(x.strides[a] for a in axes), writeable=writeable)
