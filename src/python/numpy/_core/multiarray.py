"""How arrays and numbers are written in pickles: under NumPy's own names, so that such files can be read here and with NumPy."""

from numpy._types import as_dtype


def scalar(dtype, obj=None):
    """A number of a dtype, from its bytes."""
    if dtype.kind == "O":
        return obj
    data = obj.encode("latin1") if isinstance(obj, str) else obj
    return restored((), dtype, False, bytes(dtype.itemsize) if data is None else data)[()]


def _reconstruct(subtype, shape, dtype):
    """An array that `__setstate__` fills."""
    return object.__new__(subtype)


def state(array):
    """What a pickle holds of an array: a version, shape, dtype, whether the first dimension is the fastest, and the bytes."""
    is_fortran = bool(array.flags.f_contiguous and not array.flags.c_contiguous)
    if array.dtype.kind == "O":
        data = (array.T if is_fortran else array).ravel().tolist()
    else:
        data = array.tobytes("F" if is_fortran else "C")
    return 1, array.shape, array.dtype, is_fortran, data


def reduced(array):
    """`array.__reduce__()`."""
    from numpy import ndarray

    # Arrays of objects, strings and dates have classes of their own here, which are all called numpy.ndarray.
    cls = ndarray if type(array).__module__ == "numpy" and type(array).__name__ == "ndarray" else type(array)
    return _reconstruct, (cls, (0,), b"b"), state(array)


def restore(array, state):
    """`array.__setstate__(state)`."""
    from numpy import ndarray

    made = restored(*state[-4:])
    if type(made) is not ndarray:
        array.__class__ = type(made)
    array.__dict__.update(made.__dict__)


def restored(shape, dtype, is_fortran, data):
    """The array of a pickle's bytes, or of its list of objects."""
    from numpy import _boxed, _dates, frombuffer, int64

    # A pickle makes dtypes of dates anew.
    d = as_dtype(dtype.str)
    data = data.encode("latin1") if isinstance(data, str) else data
    width = d.itemsize
    if d.kind == "O":
        made = _boxed.of(list(data), (len(data),), d)
    elif d.kind in "US":
        items = [data[at:at + width] for at in range(0, len(data), width)] if width else []
        read = {"U": lambda item: item.decode("utf-32-le").rstrip("\0"), "S": lambda item: bytes(item).rstrip(b"\0")}[d.kind]
        made = _boxed.of([read(item) for item in items], (len(items),), d)
    elif d.kind in "mM":
        made = _dates.Dates._of(frombuffer(data, int64).copy(), d)
    else:
        made = frombuffer(data, d).copy()
    return made.reshape(shape[::-1]).T if is_fortran else made.reshape(shape)
