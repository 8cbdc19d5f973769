"""`Series`: a column with labels."""

import numpy as np

from . import _columns as C
from . import _reduce
from ._columns import BOOL, COMPARISON, FLOAT, INT, OBJECT, STR, Column, infer, is_missing
from ._index import Index, RangeIndex, as_index
from ._shared import Shared, extremes, is_one, lacks, late, operator_methods, refusing


def _arguments(data, index, dtype):
    """The column and the labels for the arguments of `Series`."""
    if isinstance(data, Series):
        if index is not None:
            return data.reindex(index)._column, as_index(index)
        return data._column, data.index
    if isinstance(data, dict):
        labels = list(data)
        if index is not None:
            index = as_index(index)
            return infer([data.get(label, C.NAN) for label in index]), index
        if not data:
            return Column(OBJECT, []), RangeIndex(0)
        return infer(list(data.values()), dtype), Index(labels)
    if data is None:
        if index is None:
            return Column(OBJECT, []), RangeIndex(0)
        index = as_index(index)
        return (Column(OBJECT, [C.NAN] * len(index)) if len(index) == 0 else C.constant(C.NAN, len(index))), index
    if isinstance(data, Index) and index is None:
        return infer(data, dtype), RangeIndex(len(data))
    if isinstance(data, (str, bytes)) or not hasattr(data, "__iter__") or getattr(data, "ndim", 1) == 0:
        index = RangeIndex(1) if index is None else as_index(index)
        return C.constant(data, len(index)), index
    column = infer(data if hasattr(data, "__len__") else list(data), dtype)
    index = as_index(index, len(column))
    if len(index) != len(column):
        raise ValueError(f"Length of values ({len(column)}) does not match length of index ({len(index)})")
    return column, index


@operator_methods
class Series(Shared):
    ndim = 1

    def __init__(self, data=None, index=None, dtype=None, name=None, copy=None):
        column, labels = _arguments(data, index, dtype)
        if dtype is not None:
            column = (
                infer(column.items() if isinstance(column.dtype, C.CategoricalDtype) else column, dtype)
                if not isinstance(column, Column)
                else column.astype(dtype)
            )
        if name is None:
            name = getattr(data, "name", None) if isinstance(data, (Series, Index)) else None
        elif isinstance(name, list):
            raise TypeError("Series.name must be a hashable type")
        self._set(column, labels, name)

    def _set(self, column, index, name):
        put = object.__setattr__
        put(self, "_column", column)
        put(self, "_labels", index)
        put(self, "_name", name)

    @classmethod
    def _of(cls, column, index, name=None):
        self = object.__new__(Series)
        self._set(column, index, name)
        return self

    def _like(self, column):
        return Series._of(column, self._labels, self._name)

    def _bare(self):
        return Series._of(self._column, RangeIndex(len(self)), None)

    name = property(lambda self: self._name, lambda self, name: object.__setattr__(self, "_name", name))
    dtype = dtypes = property(lambda self: self._column.dtype)
    values = array = property(lambda self: self._column.array())
    shape = property(lambda self: (len(self._column),))
    size = property(lambda self: len(self._column))
    empty = property(lambda self: len(self._column) == 0)
    nbytes = property(lambda self: len(self._column) * self.dtype.itemsize)
    hasnans = property(lambda self: any(self._column.missing()))
    is_unique = property(lambda self: len(set(map(C.key_of, self._column.items()))) == len(self))
    T = property(lambda self: self)
    axes = property(lambda self: [self.index])

    @property
    def is_monotonic_increasing(self):
        return Index._of(self._column).is_monotonic_increasing

    @property
    def is_monotonic_decreasing(self):
        return Index._of(self._column).is_monotonic_decreasing

    @property
    def index(self):
        return self._labels

    @index.setter
    def index(self, labels):
        labels = as_index(labels)
        if len(labels) != len(self):
            raise ValueError(f"Length mismatch: Expected axis has {len(self)} elements, new values have {len(labels)} elements")
        object.__setattr__(self, "_labels", labels)

    def __len__(self):
        return len(self._column)

    def __iter__(self):
        return iter(self._column.items())

    def __contains__(self, label):
        return label in self.index

    def items(self):
        return zip(self.index, self._column.items())

    def keys(self):
        return self.index

    def __array__(self, dtype=None, copy=None):
        found = self.to_numpy()
        return found if dtype is None else found.astype(dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        if method != "__call__":
            return NotImplemented
        signs = _UFUNCS.get(ufunc.__name__)
        if len(inputs) == 2 and signs is not None:
            a, b = inputs
            return a._operated(signs, b) if isinstance(a, Series) else b._operated(signs, a, True)
        made = ufunc(*[x.to_numpy() if isinstance(x, Series) else x for x in inputs], **options)
        return self._like(Column(made.dtype, made)) if isinstance(made, np.ndarray) and len(made) == len(self) else made

    def __bool__(self):
        raise ValueError("The truth value of a Series is ambiguous. Use a.empty, a.item(), a.any() or a.all().")

    def __float__(self):
        if len(self) != 1:
            raise TypeError("cannot convert the series to <class 'float'>")
        return float(self.iloc[0])

    def __int__(self):
        if len(self) != 1:
            raise TypeError("cannot convert the series to <class 'int'>")
        return int(self.iloc[0])

    def item(self):
        if len(self) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._column.items()[0]

    # Reading and writing.

    def _rows(self, places):
        return Series._of(self._column.take(places), self.index.take(places), self._name)

    def _rows_slice(self, s):
        return Series._of(self._column.slice(s), self.index[s], self._name)

    def __getitem__(self, key):
        if isinstance(key, slice):
            numbers = all(x is None or isinstance(x, (int, np.integer)) for x in (key.start, key.stop, key.step))
            if numbers and not (self.index.dtype == FLOAT):
                return self._rows_slice(key)
            return self.loc[key]
        if callable(key):
            key = key(self)
        if (
            hasattr(key, "_column")
            and key._column.dtype in (BOOL, OBJECT)
            or isinstance(key, np.ndarray)
            and key.dtype.kind == "b"
            or isinstance(key, list)
            and key
            and all(isinstance(x, (bool, np.bool_)) for x in key)
        ):
            return self.loc[key]
        if isinstance(key, tuple) and not self.index._multi:
            raise KeyError("key of type tuple not found and not a MultiIndex")
        if isinstance(key, tuple) and all(is_one(x) or isinstance(x, slice) and x == slice(None) for x in key):
            # A label at some levels: these levels aren't among the result's.
            found = self
            for level in sorted((i for i, x in enumerate(key) if is_one(x)), reverse=True):
                if found.index._multi:
                    found = found.xs(key[level], level=level)
                else:
                    return found.loc[key[level]]
            return found
        return self.loc[key]

    def __setitem__(self, key, value):
        if isinstance(key, slice) and all(x is None or isinstance(x, (int, np.integer)) for x in (key.start, key.stop, key.step)):
            self.iloc[key] = value
        else:
            self.loc[key] = value

    def _put(self, places, value, slices=False):
        if isinstance(value, Series):
            value = value._column if len(value) == len(places) else value.reindex(self.index.take(places))._column
        elif isinstance(value, (list, tuple, np.ndarray, Index)) and getattr(value, "ndim", 1) > 0:
            value = infer(value)
            if len(value) != len(places):
                raise ValueError(
                    "cannot set using a list-like indexer with a different length than the value"
                    if not slices
                    else "cannot set using a slice indexer with a different length than the value"
                )
        else:
            value = [value] * len(places)
        if len(places):
            object.__setattr__(self, "_column", self._column.set(places, value))

    def _append_label(self, label, value):
        labels = Index([*self.index, label], name=self.index.name)
        column = C.concat([self._column, infer([value])]) if len(self) else infer([value])
        self._set(column, labels, self._name)

    def get(self, key, default=None):
        try:
            return self[key]
        except (KeyError, ValueError, IndexError):
            return default

    def pop(self, label):
        found = self[label]
        left = self.drop(label)
        self._set(left._column, left.index, self._name)
        return found

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(f"'Series' object has no attribute '{name}'")
        if name in ("str", "dt", "cat"):
            # Python comes here when one of these accessors raised an AttributeError: it's raised again.
            return getattr(type(self), name).fget(self)
        labels = self.__dict__.get("_labels")
        if labels is not None and name in labels:
            return self.loc[name]
        found = late(self, name)
        if found is not None:
            return found
        raise lacks("Series", name)

    def __setattr__(self, name, value):
        if not hasattr(type(self), name) and name in self._labels:
            self.loc[name] = value
        else:
            object.__setattr__(self, name, value)

    # Operators.

    def _operated(self, name, other, swapped=False, fill=None):
        index, a = self.index, self._column
        out = self._name
        if isinstance(other, Series):
            if name in COMPARISON and not index.equals(other.index):
                raise ValueError("Can only compare identically-labeled Series objects")
            index, a, b = aligned(self, other)
            if out != other._name:
                out = None
            other = b
        elif isinstance(other, Shared):
            return NotImplemented
        elif isinstance(other, Index):
            other = other._column
        elif (
            isinstance(other, (list, tuple, range, np.ndarray))
            or hasattr(other, "__array__")
            and not isinstance(other, np.generic)
        ):
            if getattr(other, "ndim", 1) == 0:
                other = np.asarray(other).item()
            else:
                other = infer(other)
        if isinstance(other, Column) and len(other) != len(a):
            if name in COMPARISON:
                raise ValueError(f"('Lengths must match to compare', ({len(a)},), ({len(other)},))")
            raise ValueError(f"operands could not be broadcast together with shapes ({len(a)},) ({len(other)},) ")
        if fill is not None:
            gaps = [x.missing() if isinstance(x, Column) else [x is None or x != x] * len(a) for x in (a, other)]
            a, other = (
                x.taken([-1 if gone and not rest else i for i, (gone, rest) in enumerate(zip(own, both))], fill) if isinstance(x, Column) else x
                for x, own, both in zip((a, other), gaps, gaps[::-1])
            )
        return Series._of(C.compute(name, a, other, swapped), index, out)

    def __neg__(self):
        return self._like(Column(self.dtype, -self._column.data))

    def __pos__(self):
        return self.copy()

    def __invert__(self):
        if self._column.nullable:
            from ._nullable import inverted

            return self._like(inverted(self._column))
        if not self._column.numeric:
            return self._like(infer([~x for x in self._column.items()]))
        made = ~self._column.data
        return self._like(Column(made.dtype, made))

    def __abs__(self):
        made = np.abs(self._column.data)
        return self._like(Column(made.dtype, made))

    abs = __abs__

    def __matmul__(self, other):
        return self.dot(other)

    def dot(self, other):
        return np.dot(self.to_numpy(), other.to_numpy() if isinstance(other, Shared) else np.asarray(other))

    def divmod(self, other):
        return self // other, self % other

    # Reductions.

    def _reduced(self, name, axis=0, skipna=True, numeric_only=False, **options):
        return _reduce.reduce(name, self._column, skipna, **options)

    def agg(self, func=None, axis=0, *args, **options):
        if isinstance(func, str):
            return self._by_name(func, args, options)
        if isinstance(func, (list, tuple)):
            parts = [self.agg(f) for f in func]
            if parts and all(isinstance(part, Series) and len(part) == len(self) for part in parts):
                from ._frame import DataFrame

                return DataFrame({f if isinstance(f, str) else f.__name__: part for f, part in zip(func, parts)})
            return Series(
                parts, index=[f if isinstance(f, str) else f.__name__ for f in func], name=self._name
            )
        if isinstance(func, dict):
            return Series([self.agg(f) for f in func.values()], index=list(func), name=self._name)
        known = _NUMPY.get(getattr(func, "__name__", None)) if (getattr(func, "__module__", None) or "").startswith("numpy") else None
        return getattr(self, known)() if known else func(self, *args, **options)

    aggregate = agg

    def _by_name(self, name, args, options):
        """A method of that name, or a function of NumPy."""
        if not hasattr(type(self), name) and isinstance(getattr(np, name, None), np.ufunc):
            return getattr(np, name)(self, *args, **options)
        return getattr(self, name)(*args, **options)

    def transform(self, func, *args, **options):
        if isinstance(func, (list, tuple)):
            return self.agg(func)
        return self._by_name(func, args, options) if isinstance(func, str) else func(self, *args, **options)

    def case_when(self, caselist):
        """The value of the first condition that holds in each row, or what was there."""
        if not isinstance(caselist, list):
            raise TypeError(f"The caselist argument should be a list; instead got {type(caselist)}")
        if not caselist:
            raise ValueError("provide at least one boolean condition, with a corresponding replacement.")
        made = self
        for cond, value in reversed(caselist):
            cond, value = (x(self) if callable(x) else x for x in (cond, value))
            made = made.mask(np.asarray(cond, dtype=bool) if isinstance(cond, list) else cond, value)
        return made

    def nunique(self, dropna=True):
        return _reduce.reduce("nunique", self._column, dropna=dropna)

    def _extreme_place(self, name, skipna=True):
        gaps = self._column.missing()
        there = [i for i in range(len(self)) if not gaps[i]]
        if not there:
            word = {"idxmax": "argmax", "idxmin": "argmin"}[name]
            raise ValueError(f"attempt to get {word} of an empty sequence" if not len(self) else "Encountered all NA values")
        if self.dtype == STR or self.dtype == OBJECT and any(isinstance(self._column.data[i], str) for i in there):
            items = self._column.items()
            return (max if name == "idxmax" else min)(there, key=items.__getitem__)
        items = self._column.items()
        return (max if name == "idxmax" else min)(there, key=items.__getitem__)

    def idxmax(self, axis=0, skipna=True):
        return self.index[self._extreme_place("idxmax")]

    def idxmin(self, axis=0, skipna=True):
        return self.index[self._extreme_place("idxmin")]

    def argmax(self, axis=None, skipna=True):
        return np.int64(self._extreme_place("idxmax"))

    def argmin(self, axis=None, skipna=True):
        return np.int64(self._extreme_place("idxmin"))

    def argsort(self, axis=0, kind="quicksort", order=None):
        return self._like(Column(INT, np.array(C.order_of(self._column), dtype=np.int64)))

    def quantile(self, q=0.5, interpolation="linear"):
        if isinstance(q, (list, tuple, np.ndarray)):
            found = [_reduce.reduce("quantile", self._column, q=p, interpolation=interpolation) for p in q]
            return Series(found, index=Index([float(p) for p in q]), name=self._name)
        return _reduce.reduce("quantile", self._column, q=q, interpolation=interpolation)

    def mode(self, dropna=True):
        counts = {}
        for x in self._column.items():
            if not (dropna and is_missing(x)):
                x = C.key_of(x)
                counts[x] = counts.get(x, 0) + 1
        most = max(counts.values(), default=0)
        found = [x for x, n in counts.items() if n == most]
        try:
            found.sort(key=lambda x: (is_missing(x), 0 if is_missing(x) else x))
        except TypeError:
            pass
        return Series._of(
            infer(found, self.dtype if len(found) or self._column.numeric else None), RangeIndex(len(found)), self._name
        )

    def value_counts(self, normalize=False, sort=True, ascending=False, bins=None, dropna=True):
        if bins is not None:
            from ._bins import cut

            made = cut(self, bins, include_lowest=True).value_counts(normalize, sort, ascending)
            made.index.name = None
            return made
        counts = {}
        for x in self._column.items():
            if not (dropna and is_missing(x)):
                key = C.key_of(x)
                counts[key] = counts.get(key, 0) + 1
        labels = list(counts)
        if isinstance(self.dtype, C.CategoricalDtype):
            labels = [*self.dtype._categories, *(x for x in labels if x is C.NAN)]
        numbers = [counts.get(x, 0) for x in labels]
        if sort:
            order = sorted(range(len(labels)), key=numbers.__getitem__, reverse=not ascending)
            labels, numbers = [labels[i] for i in order], [numbers[i] for i in order]
        if isinstance(self.dtype, C.CategoricalDtype):
            index = Index._of(C.categorical(Column(OBJECT, labels), self.dtype._categories, self.dtype.ordered), self._name)
        else:
            kind = infer(labels) if labels else Column(self.dtype, self._column.data[:0])
            same = self._column.numeric or self._column.nullable
            kind = Column(OBJECT, labels) if self.dtype == OBJECT else kind.astype(self.dtype) if same else kind
            index = Index._of(kind, self._name)
        if normalize:
            total = sum(numbers)
            return Series._of(Column(FLOAT, np.array([n / total for n in numbers], dtype=np.float64)), index, "proportion")
        found = Column(INT, np.array(numbers, dtype=np.int64))
        return Series._of(found.astype("Int64") if self._column.nullable else found, index, "count")

    def unique(self):
        seen, places = {}, []
        for i, x in enumerate(self._column.items()):
            key = C.key_of(x)
            if key not in seen:
                seen[key] = True
                places.append(i)
        found = self._column.take(places)
        if isinstance(self.dtype, C.PeriodDtype):
            from ._periods import PeriodArray

            return PeriodArray._of(found)
        return found.array()

    def describe(self, percentiles=None, include=None, exclude=None):
        from ._describe import described

        return described(self, percentiles)

    def corr(self, other, method="pearson", min_periods=None):
        from ._describe import correlation

        _, a, b = aligned(self, other)
        return correlation(a, b, method)

    def cov(self, other, min_periods=None, ddof=1):
        from ._describe import covariance

        _, a, b = aligned(self, other)
        return covariance(a, b, ddof)

    def autocorr(self, lag=1):
        return self.corr(self.shift(lag))

    def nlargest(self, n=5, keep="first"):
        self._ranked("nlargest")
        return self._rows(extremes(self._column, n, keep, True))

    def nsmallest(self, n=5, keep="first"):
        self._ranked("nsmallest")
        return self._rows(extremes(self._column, n, keep, False))

    def _ranked(self, method):
        """Refuses a column whose values have no size."""
        if self.dtype == STR or self.dtype == OBJECT or isinstance(self.dtype, C.CategoricalDtype):
            raise TypeError(f"Cannot use method '{method}' with dtype {self.dtype}")

    # New columns.

    def map(self, func=None, na_action=None, engine=None, **options):
        if func is None:
            raise ValueError("The `func` parameter is required")
        if isinstance(func, dict) or isinstance(func, Series):
            if isinstance(func, Series):
                func = dict(func.items())
            default = getattr(func, "__missing__", None)
            known = {C.key_of(key): value for key, value in func.items()}
            found = [
                known[x] if x in known else default(x) if default else C.NAN
                for x in (C.NAN if is_missing(x) and C.NAN in known else x for x in self._column.items())
            ]
            return self._like(infer(found)) if len(found) else self
        if not callable(func):
            raise TypeError(f"'{type(func).__name__}' object is not callable")
        found = [x if na_action == "ignore" and is_missing(x) else func(x) for x in self._column.items()]
        return self._like(infer(found)) if found else self

    def apply(self, func, convert_dtype=True, args=(), by_row="compat", **options):
        if isinstance(func, str):
            return getattr(self, func)(*args, **options)
        if isinstance(func, (list, dict)):
            return self.agg(func)
        if isinstance(func, np.ufunc):
            return func(self)
        found = [func(x, *args, **options) for x in self._column.items()]
        if found and isinstance(found[0], Series):
            from ._frame import DataFrame

            return DataFrame(found, index=self.index)
        return self._like(self._kept(infer(found))) if found else self

    def _kept(self, column):
        """The new values, in a nullable dtype if the old ones had one and the new ones are numbers."""
        if self._column.nullable and all(C.is_missing(x) or isinstance(x, (int, float)) for x in column.items()):
            from ._nullable import array

            return array(column.items())._column
        return column

    def where(self, cond, other=C.NAN, inplace=False):
        return self._changed(self._chosen(cond, other, True), inplace)

    def mask(self, cond, other=C.NAN, inplace=False):
        return self._changed(self._chosen(cond, other, False), inplace)

    def _chosen(self, cond, other, keep):
        cond = cond(self) if callable(cond) else cond
        other = other(self) if callable(other) else other
        cond = infer(cond).items()
        places = [i for i, x in enumerate(cond) if (x is not C.NA and bool(x)) != keep]
        if not places:
            return self.copy()
        if isinstance(other, (Series, np.ndarray, list)):
            values = infer(other).take(places)
        else:
            values = [other] * len(places)
        made = self.copy()
        if isinstance(self.dtype, C.CategoricalDtype) and is_one(other) and not is_missing(other) and other not in self.dtype._categories:
            raise TypeError(f"Cannot setitem on a Categorical with a new category ({other}), set the categories first")
        if (
            self.dtype == BOOL
            and not (isinstance(other, (bool, np.bool_)) or isinstance(values, Column) and values.dtype == BOOL)
            or self._column.numeric
            and self.dtype.kind in "iu"
            and not isinstance(values, Column)
            and isinstance(other, float)
        ):
            items = self._column.items()
            for i, x in zip(places, values if isinstance(values, list) else values.items()):
                items[i] = x
            made._set(Column(OBJECT, items) if self.dtype == BOOL else infer(items), self.index, self._name)
        else:
            items = list(self._column.items())
            for i, x in zip(places, values if isinstance(values, list) else values.items()):
                items[i] = x
            own = isinstance(self.dtype, (C.CategoricalDtype, C.NullableDtype))
            column = self._column.set(places, values) if own else infer(items)
            if self._column.numeric and column.numeric and self.dtype.kind == "f":
                column = column.astype(self.dtype)
            made._set(column if self.dtype != OBJECT else Column(OBJECT, items), self.index, self._name)
        return made

    def between(self, left, right, inclusive="both"):
        low = self >= left if inclusive in ("both", "left") else self > left
        high = self <= right if inclusive in ("both", "right") else self < right
        return low & high

    def isin(self, values):
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise TypeError(f"only list-like objects are allowed to be passed to isin(), you passed a `{type(values).__name__}`")
        known = {None if is_missing(x) else x for x in infer(list(values) if isinstance(values, (set, dict)) else values).items()}
        return self._like(
            Column(BOOL, np.array([(None if is_missing(x) else x) in known for x in self._column.items()], dtype=bool))
        )

    def duplicated(self, keep="first"):

        return self._like(Column(BOOL, _reduce.doubles(self._column.items(), keep)))

    def drop_duplicates(self, keep="first", inplace=False, ignore_index=False):
        found = self[~self.duplicated(keep)]
        return found.reset_index(drop=True) if ignore_index else self._done(found, inplace)

    def dropna(self, *, axis=0, inplace=False, how=None, ignore_index=False):
        gaps = self._column.missing()
        kept = [i for i, gap in enumerate(gaps) if not gap]
        whole = bool(kept) and kept == list(range(kept[0], kept[-1] + 1))
        made = self.copy() if len(kept) == len(self) else self._rows_slice(slice(kept[0], kept[-1] + 1)) if whole else self._rows(kept)
        return self._done(made.reset_index(drop=True) if ignore_index else made, inplace)

    def _valid(self):
        return [i for i, gap in enumerate(self._column.missing()) if not gap]

    def first_valid_index(self):
        kept = self._valid()
        return self.index[kept[0]] if kept else None

    def last_valid_index(self):
        kept = self._valid()
        return self.index[kept[-1]] if kept else None

    def factorize(self, sort=False, use_na_sentinel=True):
        from ._bins import factorize

        return factorize(self, sort, use_na_sentinel)

    def to_frame(self, name=None):
        from ._frame import DataFrame

        label = name if name is not None else 0 if self._name is None else self._name
        return DataFrame._of(
            [self._column], Index([label]) if label != 0 or isinstance(label, bool) else RangeIndex(1), self.index
        )

    def reset_index(self, level=None, drop=False, name=None, inplace=False):
        if drop:
            return self._done(Series._of(self._column, RangeIndex(len(self)), self._name), inplace)
        return self.to_frame(name).reset_index(level)

    def rename(self, index=None, inplace=False, **options):
        if index is None or isinstance(index, (str, int, float, tuple)):
            return self._done(Series._of(self._column, self.index, index), inplace)
        change = index if callable(index) else lambda x: index.get(x, x)
        return self._done(
            Series._of(self._column, Index([change(x) for x in self.index], name=self.index.name), self._name), inplace
        )

    def sort_values(
        self, axis=0, ascending=True, inplace=False, kind="quicksort", na_position="last", ignore_index=False, key=None
    ):
        column = self._column if key is None else infer(key(self))
        found = self._rows(C.order_of(column, ascending, na_position))
        return self._done(found.reset_index(drop=True) if ignore_index else found, inplace)

    def tolist(self):
        return list(self._column.items())

    to_list = tolist

    def to_dict(self, into=dict):
        return into(zip(self.index, self._column.items()))

    def to_numpy(self, dtype=None, copy=False, na_value=C.NAN):
        if self._column.nullable and not C.is_missing(na_value):
            return self.fillna(na_value).to_numpy(dtype)
        found = self._column.numpy()
        return found.astype(dtype) if dtype is not None and found.dtype != np.dtype(dtype) else found.copy() if copy else found

    def repeat(self, repeats):
        counts = [repeats] * len(self) if isinstance(repeats, int) else list(repeats)
        return self._rows([i for i, n in enumerate(counts) for _ in range(n)])

    def explode(self, ignore_index=False):
        places, values = [], []
        for i, x in enumerate(self._column.items()):
            inside = list(x) if isinstance(x, (list, tuple, set, np.ndarray)) else [x]
            for value in inside or [C.NAN]:
                places.append(i)
                values.append(value)
        index = RangeIndex(len(places)) if ignore_index else self.index.take(places)
        return Series._of(C.of_objects(values), index, self._name)

    def unstack(self, level=-1, fill_value=None):
        from ._reshape import unstacked

        return unstacked(self, level, fill_value)

    def groupby(self, by=None, level=None, as_index=True, sort=True, group_keys=True, observed=True, dropna=True):
        from ._groupby import GroupBy

        return GroupBy(self, by, level, as_index, sort, dropna, observed, group_keys)

    def combine_first(self, other):
        from ._resample import combined

        return combined(self, other)

    def combine(self, other, func, fill_value=None):
        if not isinstance(other, Series):
            return self._like(infer([func(x, other) for x in self._column.boxed()]))
        labels = self.index.union(other.index)
        a, b = ((x.reindex(labels) if fill_value is None else x.reindex(labels).fillna(fill_value)) for x in (self, other))
        return Series._of(infer([func(x, y) for x, y in zip(a._column.boxed(), b._column.boxed())]), labels)

    def searchsorted(self, value, side="left", sorter=None):
        return np.searchsorted(self.to_numpy(), value, side, sorter)

    @property
    def str(self):
        from ._text import Text

        return Text(self)

    @property
    def dt(self):
        from ._dates import Dates

        return Dates(self)

    @property
    def cat(self):
        from ._arrays import Categories

        return Categories(self)

    @property
    def plot(self):
        from ._plot import Plot

        return Plot(self)

    def hist(self, bins=10, ax=None, figsize=None, grid=True, **options):
        from ._plot import histogram

        return histogram(self, bins, ax, figsize, grid, options)

    def memory_usage(self, index=True, deep=False):
        from ._describe import bytes_of, index_bytes

        return bytes_of(self._column, deep) + (index_bytes(self.index) if index else 0)

    def info(self, verbose=None, buf=None, show_counts=True, memory_usage=None):
        raise lacks("Series", "info")

    # Text.

    def __repr__(self):
        from ._format import OPTIONS, series_text

        rows, few = OPTIONS["display.max_rows"], OPTIONS["display.min_rows"]
        return series_text(self, min(few or rows, rows) if rows and len(self) > rows else None)

    def to_string(
        self,
        buf=None,
        na_rep="NaN",
        float_format=None,
        header=True,
        index=True,
        length=False,
        dtype=False,
        name=False,
        max_rows=None,
        min_rows=None,
    ):
        from ._format import floats_as, series_text

        with floats_as(float_format):
            return series_text(self, max_rows, name, dtype, length, index, header, na_rep)

    def __reduce__(self):
        return _rebuilt, (self._column.items(), str(self.dtype), self.index, self._name)


refusing(Series, """argmax:skipna argmin:skipna corr:min_periods cov:min_periods idxmax:skipna idxmin:skipna
rename:options to_string:buf,min_rows""")


def _rebuilt(items, dtype, index, name):
    return Series._of(infer(items, dtype), index, name)


def aligned(a, b):
    """The labels of both series, and both columns in the order of these labels."""
    if a.index is b.index or a.index.equals(b.index):
        return a.index, a._column, b._column
    if a.index.is_unique and b.index.is_unique:
        labels = a.index.union(b.index)
        return labels, a.reindex(labels)._column, b.reindex(labels)._column
    raise ValueError("cannot reindex on an axis with duplicate labels")


_UFUNCS = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "truediv",
    "true_divide": "truediv",
    "floor_divide": "floordiv",
    "remainder": "mod",
    "power": "pow",
    "equal": "eq",
    "not_equal": "ne",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "bitwise_and": "and",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
}
_NUMPY = {
    "mean": "mean",
    "sum": "sum",
    "std": "std",
    "var": "var",
    "min": "min",
    "max": "max",
    "median": "median",
    "prod": "prod",
    "amin": "min",
    "amax": "max",
    "size": "count",
}
