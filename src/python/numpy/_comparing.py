"""Functions that compare arrays and dtypes, and that walk over elements."""

import builtins
import itertools
import math
import operator

import _torch as _C

import numpy as np
from numpy import _boxed
from numpy._array import RANK, _is_int, asarray, axes_of, meets, ndarray
from numpy._types import FLOAT64, OBJECT, as_dtype, dtype, generic, limits, promote


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    x, y = asarray(a), asarray(b)
    d = promote(promote(x.dtype, y.dtype), FLOAT64)
    x, y = x.astype(d), y.astype(d)
    near = np.less_equal(np.absolute(x - y), atol + rtol * np.absolute(y))
    near = asarray(np.where(np.isfinite(y), near & np.isfinite(x), np.equal(x, y)))
    if equal_nan:
        near = near | (np.isnan(x) & np.isnan(y))
    return near[()] if isinstance(near, ndarray) else near


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return builtins.bool(np.all(isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a1, a2, equal_nan=False):
    try:
        a1, a2 = asarray(a1), asarray(a2)
    except Exception:
        return False
    if a1.shape != a2.shape:
        return False
    same = asarray(a1 == a2)
    if equal_nan and a1.dtype.kind in "fc" and a2.dtype.kind in "fc":
        same = same | (np.isnan(a1) & np.isnan(a2))
    return builtins.bool(np.all(same))


def array_equiv(a1, a2):
    try:
        return builtins.bool(np.all(asarray(asarray(a1) == asarray(a2))))
    except ValueError:
        return False


def shares_memory(a, b, max_work=None):
    a, b = asarray(a), asarray(b)
    if hasattr(a, "_items") and hasattr(b, "_items"):
        return a._items is b._items and not set(a._at.ravel().tolist()).isdisjoint(b._at.ravel().tolist())
    a, b = (v._at if v._boxed else v for v in (a, b))
    return _C._shares_memory(a._t, b._t)


may_share_memory = shares_memory


def isscalar(element):
    return isinstance(element, (generic, int, float, complex, str, bytes))


def iterable(y):
    try:
        iter(y)
    except TypeError:
        return False
    return True


def result_type(*arrays_and_dtypes):
    if not arrays_and_dtypes:
        raise ValueError("at least one array or dtype is required")
    found, weak = None, []
    for x in arrays_and_dtypes:
        if type(x) in (int, float, complex):
            weak.append(x)
            continue
        if isinstance(x, (ndarray, generic)):
            d = x.dtype
        elif isinstance(x, (str, type)) or isinstance(x, dtype) or x is None:
            d = as_dtype(x)
        else:
            d = asarray(x).dtype
        found = d if found is None else promote(found, d)
    for x in weak:
        found = as_dtype(type(x)) if found is None else meets(found, x)
    return found


def promote_types(type1, type2):
    return promote(as_dtype(type1), as_dtype(type2))


def can_cast(from_, to, casting="safe"):
    if isinstance(from_, (int, float, complex)) and not isinstance(from_, (generic, builtins.bool)):
        raise TypeError("can_cast() does not support Python ints, floats, and complex because the result used to depend on the "
                        "value.\nThis change was part of adopting NEP 50, we may explicitly allow them again in the future.")
    a, b = from_.dtype if isinstance(from_, (ndarray, generic)) else as_dtype(from_), as_dtype(to)
    if casting == "unsafe" or a == b:
        return True
    if casting in ("no", "equiv"):
        return False
    if casting == "same_kind":
        return RANK[a.kind] <= RANK[b.kind] and (a.kind != "i" or b.kind != "u")
    return promote(a, b) == b and not (b.kind in "US" and b.itemsize == 0)


def min_scalar_type(a):
    a = asarray(a)
    if a.ndim or a.dtype.kind not in "iufc" or a._boxed:
        return a.dtype
    value = a.item()
    if a.dtype.kind in "iu":
        names = ("uint8", "uint16", "uint32", "uint64") if value >= 0 else ("int8", "int16", "int32", "int64")
        return next(as_dtype(n) for n in names if n == "uint64" or limits(as_dtype(n))[0] <= value <= limits(as_dtype(n))[1])
    if a.dtype.kind == "c":
        big = builtins.max(builtins.abs(value.real), builtins.abs(value.imag))
        return as_dtype("complex64" if not big < math.inf or big < 3.4e38 else "complex128")
    size = builtins.abs(value)
    return as_dtype("float16" if not size < math.inf or size < 65000 else "float32" if size < 3.4e38 else "float64")


def common_type(*arrays):
    found = None
    for a in arrays:
        d = asarray(a).dtype
        if d.kind in "iu":
            d = FLOAT64
        if d.kind not in "fc":
            raise TypeError("can't get common type for non-numeric array")
        found = d if found is None else promote(found, d)
    return found.type


_GENERIC = {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
            "complex floating": "c", "numeric": "iufc"}


def isdtype(dtype, kind):
    d = as_dtype(dtype)
    kinds = kind if isinstance(kind, tuple) else (kind,)
    for one in kinds:
        if isinstance(one, str) and one not in _GENERIC:
            raise ValueError(f"kind argument is a string, but {one!r} is not a known kind name.")
    return builtins.any(d.kind in _GENERIC[one] if isinstance(one, str) else d == as_dtype(one) for one in kinds)


def issubdtype(arg1, arg2):
    def kind(x):
        return x if isinstance(x, type) and issubclass(x, generic) else as_dtype(x).type
    return issubclass(kind(arg1), kind(arg2))


_TYPES = {"S1": "character", "?": "bool", "B": "unsigned char", "D": "complex double precision", "F": "complex single precision",
          "I": "unsigned integer", "H": "unsigned short", "L": "unsigned long integer", "O": "object", "U": "unicode",
          "b": "signed char", "d": "double precision", "f": "single precision", "h": "short", "i": "integer", "l": "long integer",
          "q": "long long integer", "S": "string", "V": "void"}


def typename(char):
    return _TYPES[char]


def mintypecode(typechars, typeset="GDFgdf", default="d"):
    codes = [c if isinstance(c, str) else asarray(c).dtype.char for c in typechars]
    kept = [c for c in codes if c in typeset]
    if not kept:
        return default
    if "F" in kept and "d" in kept:
        return "D"
    return builtins.min(kept, key="GDFgdfFDG".index)


def _digits(number):
    return "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number]


def base_repr(number, base=2, padding=0):
    if base > 36:
        raise ValueError("Bases greater than 36 not handled in base_repr.")
    if base < 2:
        raise ValueError("Bases less than 2 not handled in base_repr.")
    n, out = builtins.abs(int(number)), ""
    while n:
        n, digit = builtins.divmod(n, base)
        out = _digits(digit) + out
    out = "0" * padding + out
    return ("-" if number < 0 else "") + (out or "0")


def binary_repr(num, width=None):
    num = operator.index(num)
    if num >= 0:
        text = f"{num:b}"
        if width is not None and len(text) > width:
            raise ValueError(f"Insufficient bit width={width} provided for binwidth={len(text)}")
        return text.zfill(width or 0)
    if width is None:
        return f"-{-num:b}"
    need = (-num - 1).bit_length() + 1
    if need > width:
        raise ValueError(f"Insufficient bit width={width} provided for binwidth={need}")
    return f"{(1 << width) + num:b}"


# ---- walking ---------------------------------------------------------------------------------------------------------


class ndenumerate:
    def __init__(self, arr):
        arr = asarray(arr)
        self.iter = zip(ndindex(arr.shape), arr.flat)

    def __next__(self):
        return next(self.iter)

    def __iter__(self):
        return self


class ndindex:
    def __init__(self, *shape):
        shape = shape[0] if len(shape) == 1 and not _is_int(shape[0]) else shape
        if builtins.any(n < 0 for n in shape):
            raise ValueError("negative dimensions are not allowed")
        self.shape = tuple(shape)
        self._places = itertools.product(*map(range, self.shape))

    def __next__(self):
        return next(self._places)

    def __iter__(self):
        return self


class nditer:
    """The elements one after the other, as arrays of no dimensions. `order="K"` goes through them as they are stored."""

    def __init__(self, op, flags=None, op_flags=None, op_dtypes=None, order="K", casting="safe", **options):
        flags = list(flags or ())
        refused = [flag for flag in flags if flag not in ("multi_index", "c_index", "f_index", "refs_ok", "zerosize_ok", "common_dtype")]
        if refused or op_dtypes is not None or any(v is not None for v in options.values()):
            raise NotImplementedError(f"numpy.nditer with the flags {refused}" if refused else "numpy.nditer with op_dtypes, op_axes or itershape")
        several = isinstance(op, (list, tuple))
        given = list(op) if several else [op]
        if any(a is None for a in given):
            raise NotImplementedError("numpy.nditer that makes its own output (None)")
        given = [asarray(a) for a in given]
        rights = list(op_flags or ())
        rights = [rights] * len(given) if rights and isinstance(rights[0], str) else rights or [["readonly"]] * len(given)
        writes = [any(flag in ("readwrite", "writeonly") for flag in one) for one in rights]
        shape = np.broadcast_shapes(*[a.shape for a in given])
        if any(w and a.shape != shape for w, a in zip(writes, given)):
            raise ValueError("output operand requires a reduction along dimension 0, but the reduction is not enabled")
        if math.prod(shape) == 0 and "zerosize_ok" not in flags:
            raise ValueError("Iteration of zero-sized operands is not enabled")
        self.operands = tuple(given)
        self.shape, self.ndim, self.itersize, self.nop = tuple(shape), len(shape), math.prod(shape), len(given)
        self._arrays = [a if a.shape == shape else np.broadcast_to(a, shape) for a in given]
        self._writes, self._flags, self._order = writes, flags, order
        self.has_multi_index, self.has_index = "multi_index" in flags, "c_index" in flags or "f_index" in flags
        self._places = self._in_order()
        self.reset()

    def _in_order(self):
        axes, backward = list(range(self.ndim)), [False] * self.ndim
        if self._order == "F" or self._order == "A" and all(a.flags.f_contiguous and not a.flags.c_contiguous for a in self._arrays):
            axes.reverse()
        elif self._order == "K":
            strides = next((a.strides for a in self._arrays if a.shape == self.shape and 0 not in a.strides), self._arrays[0].strides)
            axes.sort(key=lambda d: -abs(strides[d]))
            backward = [stride < 0 for stride in strides]
        ranges = [range(self.shape[d] - 1, -1, -1) if backward[d] else range(self.shape[d]) for d in axes]
        places = []
        for found in itertools.product(*ranges):
            place = [0] * self.ndim
            for d, i in zip(axes, found):
                place[d] = i
            places.append(tuple(place))
        return places

    def reset(self):
        self.iterindex, self._started = 0, False

    @property
    def finished(self):
        return self.iterindex >= self.itersize

    def iternext(self):
        """Goes to the next element. Returns whether there is one."""
        self.iterindex = min(self.iterindex + 1, self.itersize)
        return not self.finished

    def _place(self):
        if self.finished:
            raise ValueError("Iterator is past the end")
        return self._places[self.iterindex]

    @property
    def multi_index(self):
        if not self.has_multi_index:
            raise ValueError("Iterator is not tracking a multi-index")
        return self._place()

    @property
    def index(self):
        if not self.has_index:
            raise ValueError("Iterator does not have an index")
        found, forward = 0, "c_index" in self._flags
        place = self._place()
        for d in range(self.ndim) if forward else reversed(range(self.ndim)):
            found = found * self.shape[d] + place[d]
        return found

    def _cell(self, k):
        cell = self._arrays[k][self._place() + (Ellipsis,)]
        if not self._writes[k]:
            cell.flags.writeable = False
        return cell

    @property
    def value(self):
        cells = tuple(self._cell(k) for k in range(self.nop))
        return cells[0] if self.nop == 1 else cells

    def __getitem__(self, k):
        return self._cell(k)

    def __setitem__(self, k, value):
        if not self._writes[k]:
            raise ValueError(f"Iterator operand {k} is not writeable")
        self._arrays[k][self._place()] = value

    def __len__(self):
        return self.nop

    def __iter__(self):
        return self

    def __next__(self):
        # The element that a loop sees stays the current one until the next iteration.
        if self._started:
            self.iternext()
        self._started = True
        if self.finished:
            raise StopIteration
        return self.value

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class vectorize:
    def __init__(self, pyfunc, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        self.pyfunc, self.otypes, self.excluded, self.signature = pyfunc, otypes, set(excluded or ()), signature
        self.__name__ = getattr(pyfunc, "__name__", "vectorize")
        self.__doc__ = doc or getattr(pyfunc, "__doc__", None)

    def __call__(self, *args, **kwargs):
        if self.signature is not None:
            return self._of_parts(args, kwargs)
        fixed = {k: v for k, v in kwargs.items() if k in self.excluded}
        names = [k for k in kwargs if k not in self.excluded]
        places = [i for i in range(len(args)) if i not in self.excluded]
        arrays = np.broadcast_arrays(*[args[i] for i in places], *[kwargs[k] for k in names])
        shape = arrays[0].shape if arrays else ()
        if not math.prod(shape) and self.otypes is None:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        results = []
        for row in zip(*[a.flat for a in arrays]):
            given = list(args)
            for i, value in zip(places, row):
                given[i] = value
            results.append(self.pyfunc(*given, **dict(zip(names, row[len(places):])), **fixed))
        kinds = [None] if self.otypes is None else list(self.otypes)
        if results and isinstance(results[0], tuple):
            kinds = kinds if len(kinds) == len(results[0]) else [None] * len(results[0])
            return tuple(np.array([r[i] for r in results], dtype=k).reshape(shape) for i, k in enumerate(kinds))
        return np.array(results, dtype=kinds[0]).reshape(shape)


    def _of_parts(self, args, kwargs):
        """With a signature such as `(m,n),(n)->(m)` the function gets arrays of the last dimensions."""
        if kwargs or self.excluded:
            raise NotImplementedError("numpy.vectorize(signature=) with excluded or keyword arguments")
        left, _, right = self.signature.replace(" ", "").partition("->")
        parts = [[[n for n in part.split(",") if n] for part in side[1:-1].split("),(")] for side in (left, right)]
        if len(args) != len(parts[0]):
            raise TypeError(f"wrong number of positional arguments: expected {len(parts[0])}, got {len(args)}")
        arrays, sizes = [np.asarray(a) for a in args], {}
        for a, names in zip(arrays, parts[0]):
            if a.ndim < len(names):
                raise ValueError(f"{a.ndim}-dimensional argument does not have enough dimensions for all core dimensions {tuple(names)!r}")
            for size, name in zip(a.shape[a.ndim - len(names):], names):
                if sizes.setdefault(name, size) != size:
                    raise ValueError(f"inconsistent size for core dimension {name!r}: {size} vs {sizes[name]}")
        outer = np.broadcast_shapes(*[a.shape[:a.ndim - len(names)] for a, names in zip(arrays, parts[0])])
        arrays = [np.broadcast_to(a, outer + a.shape[a.ndim - len(names):]) for a, names in zip(arrays, parts[0])]
        rows = [self.pyfunc(*[a[place] for a in arrays]) for place in itertools.product(*map(range, outer))]
        if not rows:
            raise NotImplementedError("numpy.vectorize(signature=) of no elements")
        rows = [row if isinstance(row, tuple) else (row,) for row in rows]
        if len(rows[0]) != len(parts[1]):
            raise ValueError(f"wrong number of outputs from pyfunc: expected {len(parts[1])}, got {len(rows[0])}")
        kinds = [None] * len(parts[1]) if self.otypes is None else list(self.otypes)
        made = [np.stack([np.asarray(row[i], dtype=kinds[i]) for row in rows]).reshape(outer + np.shape(rows[0][i]))
                for i in range(len(parts[1]))]
        return made[0] if len(made) == 1 else tuple(made)


class frompyfunc:
    """Calls a function of Python objects for each element. The results are objects."""

    def __init__(self, func, nin, nout, *, identity=None):
        self._function, self.nin, self.nout, self.identity = func, nin, nout, identity
        self.__name__ = f"{getattr(func, '__name__', '?')} (vectorized)"

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def __call__(self, *args):
        arrays = np.broadcast_arrays(*args)
        shape = arrays[0].shape
        rows = [self._function(*row) for row in zip(*[a.ravel().tolist() for a in arrays])]
        columns = [rows] if self.nout == 1 else [[row[i] for row in rows] for i in range(self.nout)]
        made = [_boxed.of(column, shape, OBJECT) for column in columns]
        made = [m if shape else m[()] for m in made]
        return made[0] if self.nout == 1 else tuple(made)

    def reduce(self, array, axis=0):
        return _boxed.fold(asarray(array, OBJECT), self._function, axis, False)


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    arr = asarray(arr)
    axis = axes_of(axis, arr.ndim)[0]
    arr = np.moveaxis(arr, axis, -1)
    if not arr.size:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    rows = arr.reshape(-1, arr.shape[-1])
    found = np.stack([asarray(func1d(row, *args, **kwargs)) for row in rows])
    out = found.reshape(arr.shape[:-1] + found.shape[1:])
    return np.moveaxis(out, list(range(arr.ndim - 1, out.ndim)), list(range(axis, axis + found.ndim - 1))) if found.ndim > 1 else out


def apply_over_axes(func, a, axes):
    value = asarray(a)
    for axis in np.atleast_1d(axes).tolist():
        axis = axes_of(axis, asarray(a).ndim)[0]
        found = asarray(func(value, axis))
        value = found if found.ndim == value.ndim else np.expand_dims(found, axis)
    return value


__all__ = [_name for _name, _value in list(globals().items()) if not _name.startswith("_") and getattr(
    _value, "__module__", None) == __name__]
