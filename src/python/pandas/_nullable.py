"""Numbers and truth values of which some are missing: the dtypes `Int64`, `Float64`, `boolean` and their like, and `pd.NA`."""

import numpy as np

from . import _columns as C
from ._arrays import _Array
from ._columns import NA, Column, NullableDtype, is_missing

KNOWN = {name: NullableDtype(name) for name in sorted(C._NULLABLE)}


def of_numpy(d):
    """The nullable dtype that goes with one of NumPy's."""
    return KNOWN["boolean" if d.kind == "b" else d.name.replace("uint", "UInt").replace("int", "Int").replace("float", "Float").replace(
        "UInt", "UInt")]


def _exact(d, x):
    if d.kind == "b":
        if isinstance(x, str) or not isinstance(x, (bool, np.bool_)) and x not in (0, 1):
            raise TypeError("Need to pass bool-like values")
        return bool(x)
    if d.kind == "f":
        return float(d.numpy_dtype.type(x))
    if isinstance(x, (float, np.floating)) and x != int(x):
        raise TypeError(f"cannot safely cast non-equivalent float64 to {d.numpy_dtype}")
    return int(x)


def of_items(items, d):
    return Column(d, [NA if is_missing(x) else _exact(d, x) for x in items])


def convert(column, d):
    """Converts any column to a nullable dtype."""
    if column.dtype == C.STR and d.kind != "f":
        return of_items([x if is_missing(x) else int(x) for x in column.items()], d)
    return of_items(column.items(), d)


def dense(column):
    """The same values as NumPy has them: NaN for what's missing."""
    gaps = any(x is NA for x in column.data)
    if not gaps:
        return Column(column.dtype.numpy_dtype, np.array(column.data, dtype=column.dtype.numpy_dtype))
    if column.dtype.kind == "b":
        return Column(C.OBJECT, list(column.data))
    return Column(C.FLOAT, np.array([C.NAN if x is NA else x for x in column.data], dtype=np.float64))


def there(column):
    """The values that aren't missing, as NumPy has them."""
    return dense(column.take([i for i, x in enumerate(column.data) if x is not NA]))


def _filled(x):
    """An operand with 1 in place of missing values, and a mask of those."""
    if isinstance(x, Column) and isinstance(x.dtype, NullableDtype):
        gaps = [v is NA for v in x.data]
        one = x.dtype.kind == "b"
        kind = x.dtype.numpy_dtype
        return Column(kind, np.array([one or 1 if gone else v for gone, v in zip(gaps, x.data)], dtype=kind)), gaps
    if isinstance(x, Column):
        gaps = x.missing()
        return (x.taken([-1 if gone else i for i, gone in enumerate(gaps)], 1) if any(gaps) else x), gaps
    return x, None


def compute(name, a, b, swapped):
    """`a op b` of which one is a column of a nullable dtype: what is missing in one is missing in the result."""
    length = len(a) if isinstance(a, Column) else len(b)
    for x in (a, b):
        if not isinstance(x, Column) and is_missing(x):
            kind = KNOWN["boolean"] if name in C.COMPARISON or name in ("and", "or", "xor") else \
                next(c.dtype for c in (a, b) if isinstance(c, Column))
            if name not in ("and", "or"):
                return Column(kind, [NA] * length)
    if name in ("and", "or", "xor"):
        left, right = ([*x.items()] if isinstance(x, Column) else [x] * length for x in (a, b))
        function = C.ARITHMETIC[name]
        return Column(KNOWN["boolean"], [_logic(name, function, p, q) for p, q in zip(left, right)])
    (x, gone), (y, other) = _filled(a), _filled(b)
    made = C.compute(name, x, y, swapped)
    gaps = [p or q for p, q in zip(gone or [False] * length, other or [False] * length)]
    return Column(of_numpy(made.dtype), [NA if gap else v for gap, v in zip(gaps, made.items())])


def _logic(name, function, p, q):
    p, q = (NA if is_missing(v) else v for v in (p, q))
    if p is NA or q is NA:
        known = q if p is NA else p
        return known if known is not NA and known == (name == "or") and name != "xor" else NA
    return function(bool(p), bool(q))


def inverted(column):
    """`~` of truth values or integers: what is missing stays missing."""
    if column.dtype.kind not in "bi":
        raise TypeError(f"ufunc 'invert' not supported for the input types ({column.dtype})")
    return Column(column.dtype, [NA if x is NA else not x if column.dtype.kind == "b" else ~x for x in column.data])


class _Nullable(_Array):
    def __invert__(self):
        return type(self)._of(inverted(self._column))

    def _reduced(self, name, **options):
        from ._series import Series

        return getattr(Series(self), name)(**options)

    def __repr__(self):
        name = type(self).__name__
        from ._format import sequence

        body = sequence(name, self._column, [str(x) for x in self._column.items()]).rstrip()[:-1]
        body = body[body.index("["):].replace("\n" + " " * (len(name) + 2), "\n ").rstrip(", ")
        return f"<{name}>\n{body}\nLength: {len(self)}, dtype: {self.dtype}"

    def __getitem__(self, key):
        if isinstance(key, (int, np.integer)):
            return self._column.boxed()[key]
        return _Array.__getitem__(self, key)


class IntegerArray(_Nullable):
    pass


class FloatingArray(_Nullable):
    pass


class BooleanArray(_Nullable):
    pass


def _operated(name, swapped):
    def method(self, other):
        other = C.infer(other) if isinstance(other, (list, np.ndarray)) else other._column if isinstance(other, _Array) else other
        if hasattr(other, "_data") or getattr(other, "ndim", 0):
            return NotImplemented
        return array_of(compute(name, self._column, other, swapped))

    return method


def _reducing(name):
    return lambda self, **options: self._reduced(name, **options)


for _name in C.ARITHMETIC:
    setattr(_Nullable, f"__{_name}__", _operated(_name, False))
    setattr(_Nullable, f"__r{_name}__", _operated(_name, True))
for _name in C.COMPARISON:
    setattr(_Nullable, f"__{_name}__", _operated(_name, False))
for _name in ("sum", "prod", "mean", "median", "std", "var", "min", "max", "any", "all"):
    setattr(_Nullable, _name, _reducing(_name))
_Nullable.__neg__ = lambda self: self * -1
_Nullable.__hash__ = None

for _made in (IntegerArray, FloatingArray, BooleanArray):
    _made.__module__ = "pandas.arrays"


def array_of(column):
    return {"f": FloatingArray, "b": BooleanArray}.get(column.dtype.kind, IntegerArray)._of(column)


def array(data, dtype=None, copy=True):
    """`pd.array`: numbers become nullable."""
    if dtype is not None:
        return C.infer(data, dtype).array()
    items = list(data)
    full = [x.item() if isinstance(x, np.generic) else x for x in items if not is_missing(x)]
    kinds = set(map(type, full))
    name = "boolean" if kinds == {bool} else "Int64" if kinds == {int} else "Float64" if kinds and kinds <= {int, float} else None
    return C.infer(data).array() if name is None else array_of(of_items(items, KNOWN[name]))
