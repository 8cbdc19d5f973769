"""Arrays of Python objects, strings and bytes.

Such an array has a list of items, and an array of int64 with the place of each element in that list. Indexing, reshaping and
everything else that only picks elements works on the array of places. An array and its views have one list, in which each element
has its own place; an array that isn't a view has a list of its own.
"""

import builtins
import functools
import math
import operator
import struct

from numpy._array import _weak, asarray, axes_of, ndarray
from numpy._types import BOOL, OBJECT, as_dtype, generic, number, sized


class Boxed(ndarray):
    _boxed = True

    @classmethod
    def _of(cls, items, at, d):
        self = object.__new__(cls)
        self._items, self._at, self._d = items, at, d
        return self

    # PyTorch's functions look at this, to refuse such an array in their own words.
    _boxed_type = property(lambda self: self._d.type.__name__)

    def _like(self, at):
        if not isinstance(at, ndarray):
            return self._shown(self._items[int(at)])
        from _torch import _shares_memory
        if not at._negative and not _shares_memory(at._t, self._at._t):
            return picked(self._items, at, self._d)
        made = Boxed._of(self._items, at, self._d)
        made._base = self
        return made

    def _shown(self, item):
        return number(self._d, item) if self._d.kind != "O" else item

    @property
    def _t(self):
        from numpy._ufunc import UFuncTypeError
        if self._d.kind == "O":
            raise TypeError("this function is not supported for arrays of dtype object")
        raise UFuncTypeError(f"this function is not supported for arrays of dtype {self._d}")

    dtype = property(lambda self: self._d)
    shape = property(lambda self: self._at.shape, lambda self, value: setattr(self, "_at", self._at.reshape(value)))
    ndim = property(lambda self: self._at.ndim)
    size = property(lambda self: self._at.size)
    strides = property(lambda self: tuple(n // 8 * self.itemsize for n in self._at.strides))

    def __len__(self):
        return len(self._at)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key):
        return self._like(self._at[key])

    def __setitem__(self, key, value):
        self._writable()
        cut = self._d.itemsize // 4 if self._d.kind == "U" else self._d.itemsize
        # Text that's longer than the dtype is cut off, as in NumPy.
        fitted = lambda item: item if self._d.kind == "O" else (item if isinstance(item, (str, bytes)) else str(item))[:cut]
        places = self._at[key]
        if isinstance(value, (list, tuple, ndarray)) and (self._d.kind != "O" or isinstance(places, ndarray)):
            value = value if isinstance(value, Boxed) else asarray(value, self._d if self._d.kind == "O" else None)
            items = value._flat() if value._boxed else value.ravel().tolist()
            if isinstance(places, ndarray) and value.shape == places.shape:
                pairs = zip(places.ravel().tolist(), items)
            else:
                # An array of numbers knows how shapes fit, and what to say if they don't.
                marked = _counted(self.shape) * 0 - 1
                marked[key] = _counted(value.shape)
                pairs = [(place, items[i]) for place, i in zip(self._at.ravel().tolist(), marked.ravel().tolist()) if i >= 0]
            for place, item in pairs:
                self._items[place] = fitted(item)
            return
        item = fitted(value._v if isinstance(value, generic) else value)
        for place in places.ravel().tolist() if isinstance(places, ndarray) else [int(places)]:
            self._items[place] = item

    def __contains__(self, item):
        return item in self._flat()

    def _flat(self):
        return [self._items[i] for i in self._at.reshape(-1).tolist()]

    def tolist(self):
        def named(part):
            return [named(item) for item in part] if isinstance(part, list) else self._items[part]

        return named(self._at.tolist())

    def item(self, *args):
        return self._items[self._at.item(*args)]

    def copy(self, order="C"):
        return of(self._flat(), self.shape, self._d)

    __copy__ = copy

    def __deepcopy__(self, memo):
        import copy
        return of([copy.deepcopy(item, memo) for item in self._flat()], self.shape, self._d)

    def tobytes(self, order="C"):
        if self._d.kind == "O":
            raise NotImplementedError("numpy: the bytes of an array of objects")
        width, kind = self._d.itemsize, self._d.kind
        flat = (self.T if order == "F" else self).ravel()._flat()
        coded = [struct.pack(f"<{len(item)}I", *map(ord, item)) if kind == "U" else item for item in flat]
        return b"".join(item.ljust(width, b"\0") for item in coded)

    def reshape(self, *shape, **options):
        return self._like(self._at.reshape(*shape, **options))

    def ravel(self, order="C"):
        return self._like(self._at.ravel(order))

    def flatten(self, order="C"):
        return self._like(self._at.flatten(order)).copy()

    def transpose(self, *axes):
        return self._like(self._at.transpose(*axes))

    def swapaxes(self, axis1, axis2):
        return self._like(self._at.swapaxes(axis1, axis2))

    def squeeze(self, axis=None):
        return self._like(self._at.squeeze(axis))

    real = property(lambda self: self)
    imag = property(lambda self: of([{"O": 0, "U": "", "S": b""}[self._d.kind]] * self.size, self.shape, self._d))

    def view(self, dtype=None, type=None):
        if dtype is None or as_dtype(dtype) == self._d:
            return self._like(self._at)
        raise NotImplementedError("numpy: views of arrays of objects as another dtype")

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        d = as_dtype(dtype)
        if d == self._d or d.kind == self._d.kind and d.itemsize == 0:
            return self.copy() if copy else self
        if d.kind in "OUSmM":
            items = self._flat()
            if d.kind == "U":
                items = [item.decode("ascii") if isinstance(item, bytes) else str(item) for item in items]
            elif d.kind == "S":
                items = [item if isinstance(item, bytes) else str(item).encode("ascii") for item in items]
            return of(items, self.shape, d)
        import numpy
        read = {"f": lambda item: float("nan" if item is None else item), "i": int, "u": int, "c": complex, "b": builtins.bool}[d.kind]
        if d.kind == "b" and self._d.kind == "U":
            read = lambda text: len(text) > 0
        return numpy.array([read(item) for item in self._flat()], dtype=d).reshape(self.shape)


Boxed.__name__ = Boxed.__qualname__ = "ndarray"
Boxed.__module__ = "numpy"


def _counted(shape):
    import numpy
    count = 1
    for n in shape:
        count *= n
    return numpy.arange(count).reshape(tuple(shape))


def picked(items, at, d):
    """A new array of the items at these places."""
    return Boxed._of([items[i] for i in at.reshape(-1).tolist()], _counted(at.shape), d)


def of(items, shape, d):
    """An array of objects or strings; a dtype of strings without a width takes that of the longest."""
    if d.kind in "mM":
        from numpy import _dates
        return _dates.of(items, shape, d)
    if d.kind != "O":
        if d.kind == "S":
            items = [item if isinstance(item, bytes) else str(item).encode("ascii") for item in items]
        else:
            items = [item.decode("ascii") if isinstance(item, bytes) else str.__str__(item) if isinstance(item, str) else str(item)
                     for item in items]
        if d.itemsize == 0:
            d = sized(d.kind, max((len(item) for item in items), default=1) or 1)
        width = d.itemsize // 4 if d.kind == "U" else d.itemsize
        items = [item[:width] for item in items]
    else:
        items = [item._v if isinstance(item, generic) and item.dtype.kind not in "mM" else item for item in items]
    return Boxed._of(items, _counted(shape), d)


# ---- universal functions ---------------------------------------------------------------------------------------------

_OPERATORS = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "floor_divide": operator.floordiv, "remainder": operator.mod, "power": operator.pow, "divmod": divmod,
    "bitwise_and": operator.and_, "bitwise_or": operator.or_, "bitwise_xor": operator.xor, "left_shift": operator.lshift,
    "right_shift": operator.rshift, "negative": operator.neg, "positive": operator.pos, "absolute": abs,
    "invert": operator.invert, "maximum": lambda a, b: a if a >= b else b, "minimum": lambda a, b: a if a <= b else b,
    "fmax": lambda a, b: a if a >= b else b, "fmin": lambda a, b: a if a <= b else b, "square": lambda a: a * a,
    "reciprocal": lambda a: 1 / a, "sign": lambda a: -1 if a < 0 else int(a > 0), "floor": math.floor, "ceil": math.ceil,
    "trunc": math.trunc, "gcd": math.gcd, "lcm": math.lcm,
    "logical_and": lambda a, b: a and b, "logical_or": lambda a, b: a or b, "logical_not": lambda a: not a,
    "logical_xor": lambda a, b: bool(a) != bool(b),
}
_COMPARISONS = {"equal": operator.eq, "not_equal": operator.ne, "less": operator.lt, "less_equal": operator.le,
                "greater": operator.gt, "greater_equal": operator.ge}


# Functions that have loops for text or dates in NumPy as well. For a dtype without a loop, they raise another error than the rest.
_LOOPED = {"absolute", "negative", "positive", "sign", "add", "subtract", "multiply", "maximum", "minimum", "fmax", "fmin", "gcd",
           "lcm", *_COMPARISONS}


def _elements(arrays):
    import numpy
    arrays = numpy.broadcast_arrays(*arrays)
    return arrays[0].shape, [a._flat() if a._boxed else a.ravel().tolist() for a in arrays]


def call(function, args, d):
    """Calls a universal function where at least one of the arrays holds objects or strings."""
    from numpy._ufunc import no_loop, unsupported
    if d.kind in "mM":
        from numpy import _dates
        return _dates.call(function, args)
    name = function.__name__
    plain = _COMPARISONS.get(name) or _OPERATORS.get(name)
    if d.kind != "O":
        kinds = {asarray(a).dtype.kind for a in args}
        repeats = name == "multiply" and len(kinds) == 2 and kinds & set("iu") and kinds & set("US")
        if repeats:
            raise TypeError("The 'out' kwarg is necessary when using the string multiply ufunc directly. Use numpy.strings.multiply "
                            "to multiply strings without specifying 'out'.")
        if name in ("logical_and", "logical_or", "logical_xor"):
            plain = {"logical_and": lambda a, b: bool(a and b), "logical_or": lambda a, b: bool(a or b)}.get(name, plain)
            shape, columns = _elements([asarray(a) for a in args])
            import numpy
            return numpy.array([plain(*row) for row in zip(*columns)], dtype=BOOL).reshape(shape)[()]
        if name == "isnat":
            raise TypeError("ufunc 'isnat' is only defined for np.datetime64 and np.timedelta64.")
        if name not in _LOOPED:
            raise unsupported(name)
        if not (len(kinds) == 1 and (name in _COMPARISONS or name == "add")):
            raise no_loop(name, args)
    elif name == "isnat":
        raise TypeError("ufunc 'isnat' is only defined for np.datetime64 and np.timedelta64.")
    elif plain is None:
        if name in ("isfinite", "isinf", "isnan", "signbit", "copysign", "heaviside", "nextafter", "spacing", "frexp", "modf",
                    "ldexp", "logaddexp", "logaddexp2"):
            raise unsupported(name)

        def plain(x, *others):
            asked = {"bitwise_count": "bit_count"}.get(name, name)
            method = getattr(x, asked, None)
            if method is None and others:
                raise AttributeError(f"'{type(x).__name__}' object has no attribute '{name}'")
            if method is None:
                raise TypeError(f"loop of ufunc does not support argument 0 of type {type(x).__name__} which has no callable "
                                f"{asked} method")
            return method(*others)
    shape, columns = _elements([asarray(a, OBJECT) if d.kind == "O" and _weak(a) else asarray(a) for a in args])
    values = [plain(*row) for row in zip(*columns)]
    if function.nout == 2:
        return tuple(of([v[i] for v in values], shape, d) for i in (0, 1))
    if name in _COMPARISONS or name in ("logical_not",) and d.kind != "O":
        import numpy
        made = numpy.array([builtins.bool(v) for v in values], dtype=BOOL).reshape(shape)
    else:
        made = of(values, shape, d if d.kind == "O" else sized(d.kind, 0))
    return made if shape else made[()]


def fold(a, function, axis, keepdims, initial=None):
    """Reduces an array of objects over axes with a function of two elements."""
    axes = list(range(a.ndim)) if axis is None else axes_of(axis, a.ndim)
    for one in sorted(axes, reverse=True):
        rest = a._at.transpose([i for i in range(a.ndim) if i != one] + [one])
        rows = rest.reshape(-1, rest.shape[-1]).tolist()
        if not rest.shape[-1] and initial is None:
            raise ValueError("zero-size array to reduction operation which has no identity")
        items = [functools.reduce(function, [a._items[i] for i in row] or [initial]) for row in rows]
        shape = tuple(n for i, n in enumerate(a.shape) if i != one)
        if keepdims:
            shape = a.shape[:one] + (1,) + a.shape[one + 1:]
        a = of(items, shape, a.dtype)
    return a if a.ndim else a[()]


def order(a, axis):
    """The indices that sort an array along an axis, as `argsort` returns them."""
    import numpy
    if a.dtype.kind in "mM":
        return numpy.argsort(a.keys(), axis)
    rows = numpy.moveaxis(a, axis, -1)
    lists = rows.tolist() if rows.ndim > 1 else [rows.tolist()]

    def walk(part, depth):
        return [walk(p, depth - 1) for p in part] if depth else sorted(range(len(part)), key=part.__getitem__)

    found = numpy.array(walk(lists, rows.ndim - 1) if rows.ndim > 1 else walk(lists[0], 0), dtype="int64").reshape(rows.shape)
    return numpy.moveaxis(found, -1, axis)
