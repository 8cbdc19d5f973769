"""Columns: values of one dtype. Numbers are in a NumPy array, everything else in a list."""

import datetime
import operator

import numpy as np

OBJECT, INT, FLOAT, BOOL = np.dtype(object), np.dtype("int64"), np.dtype("float64"), np.dtype(bool)
NAN = float("nan")


class ExtensionDtype:
    """A dtype that NumPy doesn't have."""

    def __eq__(self, other):
        return other == self.name if isinstance(other, str) else type(other) is type(self)

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return self.name


class StringDtype(ExtensionDtype):
    name, kind, itemsize, type = "str", "O", 8, str
    na_value = NAN

    def __repr__(self):
        return "<StringDtype(storage='python', na_value=nan)>"


class CategoricalDtype(ExtensionDtype):
    name, kind, itemsize = "category", "O", 1

    def __init__(self, categories=None, ordered=False):
        self._categories = None if categories is None else list(categories)
        self.ordered = ordered

    @property
    def categories(self):
        from ._index import Index

        if self._categories and hasattr(self._categories[0], "closed"):
            from ._intervals import IntervalIndex as Index
        return None if self._categories is None else Index(self._categories)

    def __eq__(self, other):
        if isinstance(other, CategoricalDtype):
            return (self._categories, self.ordered) == (other._categories, other.ordered)
        return other == "category"

    __hash__ = ExtensionDtype.__hash__

    def __repr__(self):
        kind = infer(self._categories or []).dtype
        return f"CategoricalDtype(categories={self._categories}, ordered={self.ordered}, categories_dtype={kind})"


class _Time(ExtensionDtype):
    """Dates or lengths of time. They're kept in microseconds; the unit is that of the array that they become."""

    itemsize = 8

    def __init__(self, unit="us"):
        self.unit, self.name = unit, f"{self._called}[{unit}]"

    def __repr__(self):
        return f"dtype('<{self.kind}8[{self.unit}]')"


class _Datetime(_Time):
    kind, _called = "M", "datetime64"


class _Timedelta(_Time):
    kind, _called = "m", "timedelta64"


class PeriodDtype(ExtensionDtype):
    """The dtype of periods of one frequency."""

    kind, itemsize = "O", 8

    def __init__(self, freq):
        from ._periods import frequency, frequency_name

        self._freq = freq if isinstance(freq, tuple) else frequency(freq)
        self.name = f"period[{frequency_name(self._freq)}]"

    @property
    def freq(self):
        from ._periods import _step

        return _step(self._freq)

    @property
    def type(self):
        from ._periods import Period

        return Period

    na_value = property(lambda self: NaT)

    def __eq__(self, other):
        return other == self.name if isinstance(other, str) else isinstance(other, PeriodDtype) and other._freq == self._freq

    __hash__ = ExtensionDtype.__hash__

    def __repr__(self):
        return self.name


class NullableDtype(ExtensionDtype):
    """The dtype of numbers or bools that may be missing; a missing one is NA."""

    na_value = property(lambda self: NA)

    def __init__(self, name):
        self.name = name
        self.numpy_dtype = BOOL if name == "boolean" else np.dtype(name.lower())
        self.kind, self.itemsize, self.type = self.numpy_dtype.kind, self.numpy_dtype.itemsize, self.numpy_dtype.type

    def __eq__(self, other):
        return self.name == (other if isinstance(other, str) else getattr(other, "name", None))

    __hash__ = ExtensionDtype.__hash__

    def __repr__(self):
        return f"{self.name[0].upper()}{self.name[1:]}Dtype()"


STR, DATETIME, TIMEDELTA = StringDtype(), _Datetime(), _Timedelta()


def _time_dtype(d):
    """The dtype of a column for one of NumPy's dtypes of dates: units are seconds or finer."""
    unit = np.datetime_data(d)[0]
    unit = unit if unit in ("s", "ms", "us", "ns") else "s" if unit != "generic" else "us"
    return (_Datetime if d.kind == "M" else _Timedelta)(unit)


def as_dtype(d):
    """The dtype for a name, a type or a dtype."""
    if isinstance(d, ExtensionDtype):
        return d
    if d in ("category",):
        return CategoricalDtype()
    if d is str or d in ("str", "string", "U"):
        return STR
    if d is object or d in ("object", "O"):
        return OBJECT
    if isinstance(d, str) and d[:1] in "IUFb" and d in _NULLABLE:
        return NullableDtype(d)
    if isinstance(d, str) and d[:7] == "period[":
        return PeriodDtype(d[7:-1])
    found = np.dtype(d)
    if found.kind in "mM":
        return _time_dtype(found)
    return STR if found.kind == "U" else found


_NULLABLE = {f"{kind}{bits}" for kind in ("Int", "UInt") for bits in (8, 16, 32, 64)} - {"UInt64"} | {"Float32", "Float64", "boolean"}


def is_missing(x):
    return x is None or x is NaT or x is NA or isinstance(x, (float, np.floating)) and x != x


def key_of(x):
    """What a value is looked up by: every NaN is the same one, though `nan != nan`."""
    if isinstance(x, tuple):
        return tuple(map(key_of, x))
    return NAN if isinstance(x, (float, np.floating)) and x != x else x


class NaTType:
    """The missing value among dates."""

    def __repr__(self):
        return "NaT"

    __str__ = __repr__

    def __eq__(self, other):
        return False

    def __ne__(self, other):
        return True

    __lt__ = __le__ = __gt__ = __ge__ = __eq__

    def __hash__(self):
        return 0

    def _self(self, other):
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = _self

    def __getattr__(self, name):
        if name in ("year", "month", "day", "hour", "minute", "second", "days", "dayofweek", "quarter", "dayofyear"):
            return NAN
        raise AttributeError(f"'NaTType' object has no attribute '{name}'")

    def isoformat(self, *args):
        return "NaT"

    def strftime(self, form):
        raise ValueError("NaTType does not support strftime")


NaT = NaTType()


class NAType:
    """The missing value of nullable dtypes. Anything that is computed from it, or compared with it, is missing as well."""

    def __repr__(self):
        return "<NA>"

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")

    def __hash__(self):
        return 2**61 - 1

    def __format__(self, spec):
        return format("<NA>", spec)

    def __reduce__(self):
        return "NA"

    def _self(self, *others):
        return self

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _self
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __neg__ = __pos__ = __abs__ = __invert__ = _self
    __xor__ = __rxor__ = _self

    def __pow__(self, other):
        return 1 if other is not self and other == 0 else self

    def __rpow__(self, other):
        return 1 if other == 1 else self

    def __and__(self, other):
        return False if other is False else self

    def __or__(self, other):
        return True if other is True else self

    __rand__, __ror__ = __and__, __or__


NA = NAType()


class Column:
    """`data` is an array of numbers, a list of objects, or for categories the list of their codes."""

    __slots__ = ("dtype", "data")

    def __init__(self, dtype, data):
        self.dtype, self.data = dtype, data

    def __len__(self):
        return len(self.data)

    @property
    def numeric(self):
        """Whether the elements are numbers in an array."""
        return isinstance(self.dtype, np.dtype) and self.dtype.kind in "biufc"

    @property
    def temporal(self):
        """Whether what's missing is NaT."""
        return self.dtype in (DATETIME, TIMEDELTA) or isinstance(self.dtype, PeriodDtype)

    @property
    def nullable(self):
        """Whether what's missing is NA."""
        return isinstance(self.dtype, NullableDtype)

    @property
    def is_number(self):
        return (self.numeric or self.nullable) and self.dtype.kind != "b"

    def dense(self):
        """A column of a nullable dtype with NaN for missing numbers; any other column as it is."""
        if not self.nullable:
            return self
        from ._nullable import dense

        return dense(self)

    def items(self):
        """The values as a list of Python objects."""
        if self.numeric:
            return self.data.tolist()
        if isinstance(self.dtype, CategoricalDtype):
            known = self.dtype._categories
            return [NAN if code < 0 else known[code] for code in self.data]
        return self.data

    def boxed(self):
        """The values as pandas hands them out: numbers are NumPy's."""
        if self.numeric:
            make = self.dtype.type
            return [make(x) for x in self.data.tolist()]
        if self.nullable:
            return [x if x is NA else self.dtype.type(x) for x in self.data]
        return self.items()

    def at(self, i):
        return self.data[i] if self.numeric else self.boxed()[i] if self.nullable else self.items()[i]

    def missing(self):
        """A list with True for each missing value."""
        if self.numeric:
            return np.isnan(self.data).tolist() if self.dtype.kind in "fc" else [False] * len(self.data)
        if isinstance(self.dtype, CategoricalDtype):
            return [code < 0 for code in self.data]
        return [is_missing(x) for x in self.data]

    def copy(self):
        return Column(self.dtype, self.data.copy())

    def take(self, places):
        """The elements at these places, in their order."""
        if self.numeric:
            return Column(self.dtype, self.data[np.asarray(places, dtype=np.int64)])
        data = self.data
        return Column(self.dtype, [data[i] for i in places])

    def taken(self, places, fill=NAN):
        """The elements at these places, with a missing value where the place is -1."""
        if all(i >= 0 for i in places):
            return self.take(places)
        if self.dtype == STR and not is_missing(fill) and not isinstance(fill, str):
            raise TypeError(f"Invalid value '{fill}' for dtype 'str'. Value should be a string or missing value, got "
                            f"'{type(fill).__name__}' instead.")
        if not is_missing(fill) and not self.nullable:
            items = self.boxed()
            return infer([fill if i < 0 else items[i] for i in places])
        if isinstance(self.dtype, CategoricalDtype):
            return Column(self.dtype, [-1 if i < 0 else self.data[i] for i in places])
        items = self.items()
        gap = NaT if self.temporal else NAN
        if self.nullable:
            gap = NA if is_missing(fill) else fill
        found = [gap if i < 0 else items[i] for i in places]
        if not self.numeric:
            return Column(self.dtype, found)
        if self.dtype.kind == "b":
            return Column(OBJECT, found)
        kind = self.dtype if self.dtype.kind in "fc" else FLOAT
        return Column(kind, np.array(found, dtype=kind))

    def slice(self, s):
        return Column(self.dtype, self.data[s])

    def array(self):
        """What `.values` returns."""
        if self.numeric:
            return self.data
        if self.dtype == STR or isinstance(self.dtype, CategoricalDtype):
            from ._arrays import Categorical, StringArray

            return (StringArray if self.dtype == STR else Categorical)._of(self)
        if self.nullable:
            from ._nullable import array_of

            return array_of(self)
        if self.dtype in (DATETIME, TIMEDELTA):
            return np.array(self.data, dtype=self.dtype.name)
        return objects(self.data)

    def numpy(self):
        """What `to_numpy` returns."""
        if self.numeric:
            return self.data
        if self.dtype in (DATETIME, TIMEDELTA):
            return self.array()
        if self.nullable:
            made = self.dense()
            return made.data if made.numeric else objects(made.data)
        items = self.items()
        if isinstance(self.dtype, CategoricalDtype):
            inner = infer(self.dtype._categories or [])
            if inner.numeric:
                return np.array(items)
        return objects(items)

    def set(self, places, values):
        """A copy with other values at some places. If the dtype can't hold them, the copy has a wider one."""
        column = self
        new = infer(values) if not isinstance(values, Column) else values
        if isinstance(column.dtype, CategoricalDtype):
            return column._set_categories(places, new)
        if column.nullable:
            from ._nullable import of_items

            items = list(column.data)
            for at, value in zip(places, new.items()):
                items[at] = value
            return of_items(items, column.dtype)
        if column.numeric and new.numeric and (column.dtype == new.dtype or _holds(column.dtype, new)):
            data = column.data.copy()
            data[np.asarray(places, dtype=np.int64)] = new.data.astype(column.dtype)
            return Column(column.dtype, data)
        if column.numeric and all(new.missing()):
            new = Column(FLOAT, np.array([NAN] * len(new)))
            if column.dtype.kind in "fc":
                return column.set(places, new)
        items = list(column.boxed() if not column.numeric or not new.numeric else column.items())
        for at, value in zip(places, new.items()):
            items[at] = value
        if column.dtype == STR and not all(isinstance(x, str) or is_missing(x) for x in new.items()):
            raise TypeError(
                f"Invalid value for dtype 'str'. Value should be a string or missing value, got "
                f"'{type(new.boxed()[0]).__name__}' instead."
            )
        if column.dtype == STR:
            return Column(STR, [NAN if is_missing(x) else x for x in items])
        if column.numeric:
            shown = new.boxed()[0] if len(new) else None
            if (
                not new.numeric
                or column.dtype.kind == "b"
                or new.dtype.kind == "b"
                or (column.dtype.kind in "iu" and new.dtype.kind == "f")
            ):
                if len(places) != len(column):
                    from ._format import plain

                    raise TypeError(f"Invalid value '{plain(shown)}' for dtype '{column.dtype}'")
                return new
            common = np.promote_types(column.dtype, new.dtype)
            return Column(common, np.array(items, dtype=common))
        return Column(column.dtype, items)

    def _set_categories(self, places, new):
        codes = list(self.data)
        for at, value in zip(places, new.items()):
            if is_missing(value):
                codes[at] = -1
            elif value in self.dtype._categories:
                codes[at] = self.dtype._categories.index(value)
            else:
                raise TypeError("Cannot setitem on a Categorical with a new category " f"({value}), set the categories first")
        return Column(self.dtype, codes)

    def astype(self, d, errors="raise"):
        d = as_dtype(d)
        if d == self.dtype and not (isinstance(d, CategoricalDtype) and d._categories is None):
            return Column(d, self.data) if isinstance(d, _Time) else self
        if isinstance(d, CategoricalDtype):
            return categorical(self, d._categories, d.ordered)
        if isinstance(d, NullableDtype):
            from ._nullable import convert

            return convert(self, d)
        if self.nullable and isinstance(d, np.dtype) and d != OBJECT:
            if d.kind in "iub" and any(x is NA for x in self.data):
                raise ValueError(f"cannot convert NA to {'bool' if d.kind == 'b' else 'integer'}")
            return self.dense().astype(d)
        items = self.items()
        if d == STR and self.dtype in (DATETIME, TIMEDELTA):
            from ._format import column_texts

            return Column(STR, [NAN if x is NaT else text for x, text in zip(items, column_texts(self))])
        if d == STR:
            from ._format import plain

            return Column(STR, [NAN if is_missing(x) else plain(x) for x in self.boxed()])
        if d == OBJECT:
            return Column(OBJECT, list(items))
        if isinstance(d, PeriodDtype):
            from ._periods import to_column

            return to_column(self, d._freq)
        if isinstance(self.dtype, PeriodDtype):
            if d == DATETIME:
                return Column(d, [x if x is NaT else x.start_time for x in items])
            if d == INT:
                return Column(INT, np.array([np.iinfo(np.int64).min if x is NaT else x.ordinal for x in items], dtype=np.int64))
            raise TypeError(f"Cannot cast PeriodArray to dtype {d}")
        if d == DATETIME:
            from ._dates import to_column

            return Column(d, to_column(self, "mixed").data)
        if isinstance(self.dtype, CategoricalDtype) and isinstance(d, np.dtype):
            if d.kind in "iu" and any(is_missing(x) for x in items):
                raise ValueError("Cannot convert float NaN to integer")
            try:
                return infer(items).astype(d)
            except ValueError:
                raise ValueError(f"Cannot cast {infer(self.dtype._categories).dtype} dtype to {d}") from None
        if d == TIMEDELTA:
            from ._dates import Timedelta

            return Column(d, [NaT if is_missing(x) else Timedelta(x, d.unit if self.numeric else None) for x in items])
        if self.numeric:
            if d.kind in "iu" and self.dtype.kind == "f" and not bool(np.isfinite(self.data).all()):
                from .errors import IntCastingNaNError

                raise IntCastingNaNError(
                    "Cannot convert non-finite values (NA or inf) to integer. Replace or remove non-finite values or cast to an "
                    "integer type that supports these values (e.g. 'Int64')"
                )
            return Column(d, self.data.astype(d))
        if d.kind == "b":
            return Column(BOOL, np.array([bool(x) for x in items], dtype=bool))
        if self.dtype in (DATETIME, TIMEDELTA) and d == INT:
            return Column(INT, self.array().view(INT))
        if self.dtype in (DATETIME, TIMEDELTA):
            raise TypeError(f"Converting from {self.dtype} to {d} is not supported. Do obj.astype('int64').astype(dtype) instead")
        if d.kind in "iu" and any(is_missing(x) for x in items):
            if self.dtype == STR or isinstance(self.dtype, CategoricalDtype):
                raise ValueError(
                    "cannot convert float NaN to integer" if self.dtype == STR else "Cannot convert float NaN to integer"
                )
            first = next(x for x in items if is_missing(x))
            if first is None:
                raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'NoneType'")
            raise ValueError("cannot convert float NaN to integer")
        make = int if d.kind in "iu" else complex if d.kind == "c" else float
        return Column(d, np.array([NAN if x is None else make(x) for x in items], dtype=d))


def _holds(d, new):
    """Whether values can be stored in a dtype unchanged."""
    if d.kind == "f":
        return new.dtype.kind in "iuf"
    if d.kind in "iu":
        return new.dtype.kind in "iu" or new.dtype.kind == "f" and bool((np.floor(new.data) == new.data).all())
    return d.kind == new.dtype.kind


def objects(items):
    """An array of objects with one dimension, even if the objects are lists."""
    made = np.empty(len(items), dtype=object)
    for i, x in enumerate(items):
        made[i] = x
    return made


def categorical(column, categories=None, ordered=False):
    items = column.items()
    if categories is None:
        if isinstance(column.dtype, CategoricalDtype):
            categories, ordered = column.dtype._categories, ordered or column.dtype.ordered
        else:
            found = list(dict.fromkeys(x for x in items if not is_missing(x)))
            try:
                categories = sorted(found)
            except TypeError:
                categories = found
    place = {x: i for i, x in enumerate(categories)}
    return Column(CategoricalDtype(categories, ordered), [-1 if is_missing(x) else place.get(x, -1) for x in items])


def _unboxed(x):
    return timed(x.item() if x.dtype.kind not in "mM" else x) if isinstance(x, np.generic) else x


def timed(x):
    """One of NumPy's dates or lengths of time as pandas has it; anything else as it is."""
    if isinstance(x, np.generic) and x.dtype.kind in "mM":
        from ._dates import Timedelta, Timestamp

        return (Timestamp if x.dtype.kind == "M" else Timedelta)(x)
    return x


def infer(values, dtype=None):
    """Makes a column of any values, with the dtype that fits them."""
    if dtype is not None:
        d = as_dtype(dtype)
        if isinstance(d, np.dtype) and d.kind in "biufc" and not isinstance(values, Column):
            if isinstance(values, (list, tuple)) and values and d.kind == "f":
                values = [NAN if x is None else x for x in values]
            elif isinstance(values, (list, tuple)) and not values:
                return Column(d, np.array([], dtype=d))
            elif isinstance(values, (list, tuple)) and d.kind in "iu" and not any(isinstance(x, str) for x in values):
                found = infer(values)
                if (
                    found.numeric
                    and found.dtype.kind == "f"
                    and bool((np.isfinite(found.data)).all())
                    and not bool((np.floor(found.data) == found.data).all())
                ):
                    raise ValueError("Trying to coerce float values to integers")
                return found.astype(d)
        if d == OBJECT and isinstance(values, (list, tuple)):
            return Column(OBJECT, list(values))
        return infer(values).astype(d)
    if isinstance(values, Column):
        return values
    column = getattr(values, "_column", None)
    if column is not None:
        return column
    if isinstance(values, np.ndarray) or hasattr(values, "__array__") and not isinstance(values, np.generic):
        array = np.asarray(values) if isinstance(values, np.ndarray) else np.array(values)
        if array.ndim == 0:
            return infer([array.item()])
        if array.ndim > 1:
            raise ValueError(f"Data must be 1-dimensional, got ndarray of shape {array.shape} instead")
        if array.dtype.kind in "biufc":
            return Column(array.dtype, array.copy())
        if array.dtype.kind in "mM":
            dtype = _time_dtype(array.dtype)
            from ._dates import Timedelta, Timestamp

            make = Timestamp if dtype.kind == "M" else Timedelta
            return Column(dtype, [NaT if x is None else make(x) for x in array.astype(f"{dtype.kind}8[us]").tolist()])
        items = array.tolist()
        if (
            array.dtype.kind == "U"
            or items
            and all(isinstance(x, str) or is_missing(x) for x in items)
            and any(isinstance(x, str) for x in items)
        ):
            return Column(STR, [NAN if is_missing(x) else x for x in items])
        return Column(OBJECT, items)
    if isinstance(values, range):
        return Column(INT, np.arange(values.start, values.stop, values.step, dtype=np.int64))
    items = list(values)
    kinds = set(map(type, items))
    if kinds and kinds <= {int}:
        try:
            return Column(INT, np.array(items, dtype=np.int64))
        except (OverflowError, ValueError, TypeError):
            return Column(OBJECT, items)
    if kinds == {str}:
        return Column(STR, items)
    if kinds and kinds <= {float, int}:
        return Column(FLOAT, np.array(items, dtype=np.float64))
    if not any(
        k is str
        or k in (int, float, bool, complex)
        or k is type(None)
        or issubclass(k, (np.generic, datetime.date, datetime.timedelta))
        or k is NaTType
        or hasattr(k, "_periodic")
        for k in kinds
    ):
        return Column(OBJECT, items)
    return _mixed(items)


def _mixed(items):
    plain = [_unboxed(x) for x in items]
    full = [x for x in plain if not is_missing(x)]
    kinds = set(map(type, full))
    gaps = len(full) < len(plain)
    if any(x is NA for x in items):
        return Column(OBJECT, list(items))
    if not kinds:
        if any(x is NaT for x in items):
            return Column(DATETIME, [NaT] * len(items))
        if all(x is None for x in items):
            return Column(OBJECT, list(items))
        return Column(FLOAT, np.array([NAN] * len(items)))
    if kinds <= {str}:
        return Column(STR, [NAN if is_missing(x) else x for x in plain])
    if kinds == {bool}:
        return Column(OBJECT, list(items)) if gaps else Column(BOOL, np.array(plain, dtype=bool))
    if kinds <= {int, float}:
        return (
            Column(FLOAT, np.array([NAN if is_missing(x) else x for x in plain], dtype=np.float64))
            if gaps or float in kinds
            else Column(INT, np.array(plain, dtype=np.int64))
        )
    if kinds <= {complex, int, float}:
        return Column(np.dtype(complex), np.array([complex(NAN) if is_missing(x) else x for x in plain]))
    if all(issubclass(k, datetime.datetime) for k in kinds):
        from ._dates import Timestamp

        return Column(DATETIME, [NaT if is_missing(x) else Timestamp(x) for x in plain])
    if all(hasattr(k, "_periodic") for k in kinds) and len({x._freq for x in full}) == 1:
        return Column(PeriodDtype(full[0]._freq), [NaT if is_missing(x) else x for x in items])
    if all(issubclass(k, datetime.timedelta) for k in kinds):
        from ._dates import Timedelta

        return Column(TIMEDELTA, [NaT if is_missing(x) else Timedelta(x) for x in plain])
    return Column(OBJECT, list(items))


def constant(value, length):
    """A column that repeats one value."""
    return infer([value] * length) if length else infer([value]).take([])


def of_objects(items):
    """A column of Python objects; if all that aren't missing are strings, it's one of strings."""
    full = [x for x in items if not is_missing(x)]
    return infer(items) if full and all(isinstance(x, str) for x in full) else Column(OBJECT, items)


def concat(columns):
    """Columns one after the other, in the dtype that holds them all."""
    columns = list(columns)
    if any(c.nullable for c in columns) and all(c.nullable or c.numeric for c in columns):
        from ._nullable import of_items, of_numpy

        kind = np.result_type(*[c.dtype.numpy_dtype if c.nullable else c.dtype for c in columns])
        return of_items([x for c in columns for x in c.items()], of_numpy(kind))
    kinds = [c.dtype for c in columns]
    if all(isinstance(k, CategoricalDtype) for k in kinds) and all(k == kinds[0] for k in kinds):
        return Column(kinds[0], [code for c in columns for code in c.data])
    if all(c.numeric for c in columns):
        booleans = {k.kind == "b" for k in kinds}
        if len(booleans) == 1:
            return Column(np.concatenate([c.data for c in columns]).dtype, np.concatenate([c.data for c in columns]))
        return Column(OBJECT, [x for c in columns for x in c.items()])
    items = [x for c in columns for x in c.items()]
    first = kinds[0]
    if all(k == first for k in kinds):
        return Column(first, items)
    full = {str(c.dtype) for c in columns if not all(c.missing())}
    if len(full) == 1 and not isinstance(first, CategoricalDtype):
        return infer(items)
    return Column(OBJECT, items)


ARITHMETIC = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}
COMPARISON = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge}


def _operand(x):
    """An operand as NumPy takes it: a column of numbers as its array, a number, or nothing."""
    if isinstance(x, Column):
        return x.data if x.numeric else None
    if isinstance(x, (bool, int, float, complex, np.generic)) and not isinstance(x, (np.str_, np.bytes_)):
        return x
    return None


def compute(name, a, b, swapped=False):
    """`a op b` element by element; `b` is a column or one value."""
    b = timed(b)
    if isinstance(a, Column) and a.nullable or isinstance(b, Column) and b.nullable:
        from ._nullable import compute as computed

        return computed(name, a, b, swapped)
    if swapped:
        a, b = b, a
    x, y = _operand(a), _operand(b)
    length = len(a) if isinstance(a, Column) else len(b)
    if name in _LOGICAL:
        found = _logical(name, a, b, swapped)
        if found is not None:
            return found
    if x is not None and y is not None:
        return _numbers(name, x, y)
    if name in COMPARISON:
        return _compared(name, a, b, length)
    function = ARITHMETIC[name]
    if isinstance(a, str) and y is not None and isinstance(b, Column) or isinstance(b, str) and x is not None and isinstance(a, Column):
        # NumPy says that it has no such sum.
        return function(a if isinstance(a, str) else x, b if isinstance(b, str) else y)
    left = a.items() if isinstance(a, Column) else [a] * length
    right = b.items() if isinstance(b, Column) else [b] * length
    if name in ("and", "or", "xor"):
        made = [False if is_missing(p) or is_missing(q) else function(p, q) for p, q in zip(left, right)]
        return infer(made)
    kinds = [c.dtype for c in (a, b) if isinstance(c, Column)]
    if DATETIME in kinds and name in ("add", "sub"):
        _refuse_dates(name, a, b)
    gap = NaT if any(c.temporal for c in (a, b) if isinstance(c, Column)) else NAN
    for c in (a, b):
        if isinstance(c, Column) and isinstance(c.dtype, CategoricalDtype):
            raise TypeError(f"unsupported operand type(s) for {_SIGNS[name]}: 'Categorical' and '{type(b).__name__}'")
    made = [gap if is_missing(p) or is_missing(q) else function(p, q) for p, q in zip(left, right)]
    if kinds and all(k == OBJECT for k in kinds):
        return Column(OBJECT, made)
    if kinds and all(k == STR for k in kinds) and all(isinstance(v, str) or is_missing(v) for v in made):
        return Column(STR, made)
    return infer(made)


_LOGICAL = {"and": "&", "or": "|", "xor": "^"}


def _logical(name, a, b, swapped):
    """Refuses `&`, `|` and `^` of numbers with fractions and of strings, as pandas does. A whole number and a bool give a bool."""
    columns = [c for c in (a, b) if isinstance(c, Column)]
    kinds = [c.dtype.kind if c.numeric else "" for c in columns]
    sign = _LOGICAL[name]
    if len(columns) == 2:
        if STR in (a.dtype, b.dtype):
            shown = ["StringArray" if c.dtype == STR else "ndarray" for c in (a, b)]
            if a.dtype == b.dtype:
                raise TypeError(f"unsupported operand type(s) for {sign}: '{shown[0]}' and '{shown[1]}'")
        elif "f" in kinds and all(kinds):
            named = [{"f": "float", "i": "int", "u": "int", "b": "bool"}[kind] for kind in kinds]
            raise TypeError(f"unsupported operand type(s) for {sign}: '{named[0]}' and '{named[1]}'")
        return None
    column, one = columns[0], b if isinstance(a, Column) else a
    if column.dtype == STR:
        names = ["StringArray", type(one).__name__]
        names = names[::-1] if swapped else names
        raise TypeError(f"unsupported operand type(s) for {sign}: '{names[0]}' and '{names[1]}'")
    if kinds[0] == "f" or kinds[0] in "iu" and isinstance(one, (float, str)) and kinds[0]:
        raise TypeError(
            f"Cannot perform '{'r' * swapped}{name}{'_' if name != 'xor' else ''}' with a dtyped [{column.dtype}] array and scalar of type [bool]")
    if kinds[0] in "iu" and kinds[0] and isinstance(one, (bool, np.bool_)):
        found = ARITHMETIC[name](column.data, np.int64(one)) != 0
        return Column(BOOL, found)
    return None


def _refuse_dates(name, a, b):
    """Dates have no sum with whole numbers or with other dates."""
    one = b if isinstance(a, Column) and a.dtype == DATETIME else a
    if isinstance(one, Column) and one.numeric and one.dtype.kind in "iu" or isinstance(one, (int, np.integer)) and not isinstance(one, bool):
        raise TypeError(
            "Addition/subtraction of integers and integer-arrays with DatetimeArray is no longer supported.  Instead of adding/subtracting "
            "`n`, use `n * obj.freq`")
    if name == "add" and isinstance(one, Column) and one.dtype == DATETIME:
        raise TypeError("cannot add DatetimeArray and DatetimeArray")


_SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**"}


def _numbers(name, x, y):
    with np.errstate(all="ignore"):
        if name in COMPARISON:
            found = COMPARISON[name](x, y)
        else:
            if name in ("floordiv", "mod", "truediv"):
                kind = lambda v: (
                    v.dtype.kind if isinstance(v, (np.ndarray, np.generic)) else {bool: "b", int: "i"}.get(type(v), "f")
                )
                if kind(x) in "biu" and kind(y) in "biu" and (bool((y == 0).any()) if isinstance(y, np.ndarray) else y == 0):
                    x = x.astype(np.float64) if isinstance(x, np.ndarray) else float(x)
                    if name == "floordiv":
                        found = np.true_divide(x, y)
                        whole = np.isfinite(found)
                        found = np.where(whole, np.floor(found), found)
                        return Column(found.dtype, found)
                    y = y.astype(np.float64) if isinstance(y, np.ndarray) else np.float64(y)
            if name == "add" and isinstance(x, np.ndarray) and x.dtype.kind == "b" and type(y) is bool:
                y = np.bool_(y)
            found = ARITHMETIC[name](np.asarray(x) if not isinstance(x, np.ndarray) and not isinstance(y, np.ndarray) else x, y)
    return Column(found.dtype, found)


def _compared(name, a, b, length):
    function = COMPARISON[name]
    left = a.items() if isinstance(a, Column) else [a] * length
    right = b.items() if isinstance(b, Column) else [b] * length
    for c, other in ((a, b), (b, a)):
        if isinstance(c, Column) and c.dtype == DATETIME and isinstance(other, (str, datetime.date)) and other is not NaT:
            from ._dates import Timestamp

            moment = Timestamp(other)
            left, right = ([moment] * length if x is other else y for x, y in ((a, left), (b, right)))
        elif isinstance(c, Column) and c.dtype == DATETIME and isinstance(other, (int, float)) and name not in ("eq", "ne") and other == other:
            raise TypeError(f"Invalid comparison between dtype=datetime64[us] and {type(other).__name__}")
        if isinstance(c, Column) and isinstance(c.dtype, PeriodDtype) and isinstance(other, str):
            from ._periods import Period, frequency_name

            period = Period(other, frequency_name(c.dtype._freq))
            left, right = ([period] * length if x is other else y for x, y in ((a, left), (b, right)))
        if isinstance(c, Column) and isinstance(c.dtype, CategoricalDtype) and name not in ("eq", "ne"):
            if not c.dtype.ordered:
                raise TypeError("Unordered Categoricals can only compare equality or not")
            order = {x: i for i, x in enumerate(c.dtype._categories)}
            left = [order.get(x, NAN) for x in left]
            right = [order.get(x, NAN) for x in right]
            break
    empty = name == "ne"
    made = [empty if is_missing(p) or is_missing(q) else bool(function(p, q)) for p, q in zip(left, right)]
    return Column(BOOL, np.array(made, dtype=bool))


def order_of(column, ascending=True, na_position="last", stable=True):
    """The indices that sort a column."""
    gaps = column.missing()
    items = column.data if isinstance(column.dtype, CategoricalDtype) else column.items()
    full = [i for i in range(len(gaps)) if not gaps[i]]
    try:
        full.sort(key=items.__getitem__, reverse=not ascending)
    except TypeError:
        # Tuples of labels, some of which are missing.
        if not all(isinstance(items[i], tuple) for i in full):
            raise
        full.sort(key=lambda i: [(is_missing(x), 0 if is_missing(x) else x) for x in items[i]], reverse=not ascending)
    empty = [i for i in range(len(gaps)) if gaps[i]]
    return empty + full if na_position == "first" else full + empty
