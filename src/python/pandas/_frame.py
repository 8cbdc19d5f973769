"""`DataFrame`: columns beside each other, with labels for both."""

import numpy as np

from . import _arranging, _reduce
from . import _columns as C
from ._columns import BOOL, INT, OBJECT, STR, Column, infer
from ._index import Index, RangeIndex, as_index
from ._series import _UFUNCS, Series
from ._making import frame_parts
from ._shared import is_one, lacks, late, operator_methods, refusing, rows_by_label


def _computed(made):
    return Column(made.dtype, made)


@operator_methods
class DataFrame(_arranging.DataFrame):
    ndim = 2

    def __init__(self, data=None, index=None, columns=None, dtype=None, copy=None):
        made, names, labels = frame_parts(data, index, columns)
        if dtype is not None:
            made = [c.astype(dtype) for c in made]
        self._set(list(made), names, labels)

    def _set(self, data, columns, index):
        put = object.__setattr__
        put(self, "_data", data)
        put(self, "_names", columns)
        put(self, "_labels", index)

    @classmethod
    def _of(cls, data, columns, index):
        self = object.__new__(DataFrame)
        self._set(list(data), columns, index)
        return self

    @classmethod
    def from_dict(cls, data, orient="columns", dtype=None, columns=None):
        if orient == "index":
            rows = list(data.values())
            return cls(rows, index=list(data), columns=columns, dtype=dtype)
        return cls(data, columns=columns, dtype=dtype)

    @classmethod
    def from_records(cls, data, index=None, columns=None):
        return cls(data, index=index, columns=columns)

    def _mapped(self, change):
        return DataFrame._of([change(c) for c in self._data], self.columns, self.index)

    def _take_over(self, made):
        self._set(made._data, made.columns, made.index)

    shape = property(lambda self: (len(self.index), len(self.columns)))
    size = property(lambda self: len(self.index) * len(self.columns))
    empty = property(lambda self: self.size == 0)
    axes = property(lambda self: [self.index, self.columns])
    T = property(lambda self: self.transpose())

    @property
    def columns(self):
        return self._names

    @columns.setter
    def columns(self, names):
        names = as_index(names)
        if len(names) != len(self._data):
            raise ValueError(
                f"Length mismatch: Expected axis has {len(self._data)} elements, new values have {len(names)} elements"
            )
        object.__setattr__(self, "_names", names)

    index = property(lambda self: self._labels, lambda self, labels: self._set_index(labels))

    def _set_index(self, labels):
        labels = as_index(labels)
        if len(labels) != len(self._labels) and self._data:
            raise ValueError(
                f"Length mismatch: Expected axis has {len(self._labels)} elements, new values have {len(labels)} elements"
            )
        object.__setattr__(self, "_labels", labels)

    @property
    def dtypes(self):
        return Series._of(Column(OBJECT, [c.dtype for c in self._data]), self.columns)

    @property
    def values(self):
        return self.to_numpy()

    def to_numpy(self, dtype=None, copy=False, na_value=C.NAN):
        rows, width = self.shape
        if not self._data:
            return np.empty((rows, 0))
        if any(c.nullable for c in self._data):
            return DataFrame._of([c.dense() for c in self._data], self.columns, self.index).to_numpy(dtype)
        numeric = all(c.numeric for c in self._data)
        if numeric and len({c.dtype.kind == "b" for c in self._data}) == 1:
            found = np.stack([c.data for c in self._data], 1)
        elif numeric and dtype is not None:
            found = np.stack([c.data.astype(dtype) for c in self._data], 1)
        else:
            if all(c.dtype == C.DATETIME for c in self._data) or all(c.dtype == C.TIMEDELTA for c in self._data):
                return np.stack([c.array() for c in self._data], 1)
            found = np.empty((rows, width), dtype=object)
            for j, c in enumerate(self._data):
                for i, x in enumerate(c.items()):
                    found[i, j] = x
        return found.astype(dtype) if dtype is not None and found.dtype != np.dtype(dtype) else found

    def __array__(self, dtype=None, copy=None):
        return self.to_numpy(dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        if method != "__call__" or options.get("out") is not None:
            return NotImplemented
        if len(inputs) == 2:
            sign = _UFUNCS.get(ufunc.__name__)
            a, b = (np.broadcast_to(x, self.shape).copy() if isinstance(x, np.ndarray) and x.ndim == 2 else x for x in inputs)
            if sign is not None:
                return a._operated(sign, b) if isinstance(a, DataFrame) else b._operated(sign, a, True)
            if isinstance(a, DataFrame) and np.ndim(b) == 0:
                return self._mapped(lambda c: _computed(ufunc(c.data, b, **options)))
            return NotImplemented
        if len(inputs) != 1:
            return NotImplemented

        return self._mapped(lambda c: _computed(ufunc(c.data, **options)))

    def __len__(self):
        return len(self.index)

    def __iter__(self):
        return iter(self.columns)

    def __contains__(self, name):
        return name in self.columns

    def __bool__(self):
        raise ValueError("The truth value of a DataFrame is ambiguous. Use a.empty, a.item(), a.any() or a.all().")

    def keys(self):
        return self.columns

    def items(self):
        return ((name, self._series_at(i)) for i, name in enumerate(self.columns))

    def iterrows(self):
        for i, label in enumerate(self.index):
            yield label, self._row_series(i)

    def itertuples(self, index=True, name="Pandas"):
        import collections

        fields = [str(n) for n in self.columns]
        parts = [c.items() for c in self._data]
        if index:
            fields, parts = ["Index", *fields], [list(self.index), *parts]
        if name is None:
            return iter(zip(*parts))
        make = collections.namedtuple(name, fields, rename=True)
        return map(make._make, zip(*parts))

    # Parts.

    def _series_at(self, i):
        return Series._of(self._data[i], self.index, self.columns[i])

    def _columns_at(self, places):
        if isinstance(places, slice):
            places = list(range(*places.indices(len(self._data))))
        return DataFrame._of([self._data[i] for i in places], self.columns.take(places), self.index)

    def _row_series(self, i):
        if self._data and all(c.numeric for c in self._data) and len({c.dtype.kind == "b" for c in self._data}) == 1:
            row = np.array([c.data[i] for c in self._data])
            kind = self._data[0].dtype
            for c in self._data[1:]:
                kind = np.promote_types(kind, c.dtype)
            column = Column(kind, row.astype(kind))
        else:
            kinds = {str(c.dtype) for c in self._data}
            values = [c.items()[i] if not c.numeric else c.data[i] for c in self._data]
            column = (
                infer(values, self._data[0].dtype)
                if len(kinds) == 1 and self._data[0].dtype in (STR, C.DATETIME)
                else Column(OBJECT, [x.item() if isinstance(x, np.generic) else x for x in values])
            )
        return Series._of(column, self.columns, self.index[i])

    def _rows(self, places):
        return DataFrame._of([c.take(places) for c in self._data], self.columns, self.index.take(places))

    def _rows_slice(self, s):
        return DataFrame._of([c.slice(s) for c in self._data], self.columns, self.index[s])

    def __getitem__(self, key):
        if callable(key):
            key = key(self)
        if isinstance(key, slice):
            numbers = all(x is None or isinstance(x, (int, np.integer)) for x in (key.start, key.stop, key.step))
            return self._rows_slice(key) if numbers else self.loc[key]
        if isinstance(key, DataFrame):
            return self.where(key)
        if is_one(key):
            if self.columns._multi:
                return self._of_level(key)
            try:
                found = rows_by_label(self.columns, key)
            except KeyError:
                raise KeyError(key) from None
            return self._series_at(found) if isinstance(found, int) else self._columns_at(found)
        from ._shared import _mask

        if isinstance(key, list) and len(key) != len(self) and key and all(isinstance(x, (bool, np.bool_)) for x in key):
            raise ValueError(f"Item wrong length {len(key)} instead of {len(self)}.")
        rows = _mask(key, self.index)
        if rows is not None:
            return self._rows(rows)
        return self._columns_at(rows_by_label(self.columns, key, "columns"))

    def _of_level(self, key):
        if isinstance(key, tuple) and len(key) == self.columns.nlevels:
            return self._series_at(self.columns.get_loc(key))
        places, rest = self.columns._begin(key)
        return DataFrame._of([self._data[i] for i in places], rest, self.index)

    def get(self, key, default=None):
        try:
            return self[key]
        except (KeyError, ValueError, IndexError):
            return default

    def _column_for(self, value):
        """The column for a value that is assigned."""
        count = len(self.index)
        if isinstance(value, Series):
            return (
                value._column
                if value.index.equals(self.index) or not self._data and count == 0
                else value.reindex(self.index)._column
            )
        if isinstance(value, DataFrame):
            if value.shape[1] != 1:
                raise ValueError("Columns must be same length as key")
            return self._column_for(value._series_at(0))
        if isinstance(value, dict):
            value = list(value.values())
        if is_one(value):
            return C.constant(value, count)
        column = infer(value if hasattr(value, "__len__") else list(value))
        if len(column) != count and (self._data or count):
            raise ValueError(f"Length of values ({len(column)}) does not match length of index ({count})")
        return column

    def __setitem__(self, key, value):
        if isinstance(key, DataFrame):
            self._take_over(self.mask(key, value))
            return
        if isinstance(key, slice):
            self.iloc[key] = value
            return
        if not is_one(key):
            from ._shared import _mask

            rows = _mask(key, self.index)
            if rows is not None:
                self._put(rows, list(range(len(self._data))), value, False, False)
                return
            names = list(key)
            if isinstance(value, DataFrame):
                parts = [value._series_at(i) for i in range(value.shape[1])]
            elif is_one(value):
                parts = [value] * len(names)
            else:
                array = np.asarray(value) if not isinstance(value, (list, tuple)) else value
                parts = (
                    [array[:, i] for i in range(array.shape[1])]
                    if getattr(array, "ndim", 1) == 2
                    else list(zip(*array)) if array and isinstance(array[0], (list, tuple)) else list(array)
                )
            if len(parts) != len(names):
                raise ValueError("Columns must be same length as key")
            for name, part in zip(names, parts):
                self[name] = part
            return
        if not self._data and len(self.index) == 0 and not is_one(value):
            labels = value.index if isinstance(value, Series) else RangeIndex(len(infer(value)))
            object.__setattr__(self, "_labels", labels)
        column = self._column_for(value)
        if key in self.columns:
            data = list(self._data)
            found = rows_by_label(self.columns, key)
            for i in (
                [found] if isinstance(found, int) else range(*found.indices(len(data))) if isinstance(found, slice) else found
            ):
                data[i] = column
            object.__setattr__(self, "_data", data)
        else:
            self.insert(len(self._data), key, column)

    def insert(self, loc, column, value, allow_duplicates=False):
        if column in self.columns and not allow_duplicates:
            raise ValueError(f"cannot insert {column}, already exists")
        if not isinstance(value, Column):
            value = self._column_for(value)
        names = self.columns
        if names._multi:
            from ._index import MultiIndex

            label = column if isinstance(column, tuple) else (column,) + ("",) * (names.nlevels - 1)
            labels = names.tolist()
            labels.insert(loc, label)
            names = MultiIndex.from_tuples(labels, names=names._names)
        else:
            labels = list(names)
            labels.insert(loc, column)
            names = (
                Index(labels, name=names.name) if labels != list(range(len(labels))) else RangeIndex(len(labels), name=names.name)
            )
        self._set([*self._data[:loc], value, *self._data[loc:]], names, self.index)

    def __delitem__(self, key):
        if key not in self.columns:
            raise KeyError(key)
        self._take_over(self.drop(columns=key))

    def pop(self, item):
        found = self[item]
        del self[item]
        return found

    def _append_row(self, label, columns, value):
        """Adds a row with a new label. Columns without a value get a missing one."""
        whole = isinstance(columns, slice)
        names = list(self.columns) if whole else [columns] if is_one(columns) else list(columns)
        if isinstance(value, (dict, Series)):
            row = dict(value.items())
        elif is_one(value):
            row = dict.fromkeys(names, value)
        else:
            values = list(value)
            if len(values) != len(names):
                raise ValueError("cannot set a row with mismatched columns")
            row = dict(zip(names, values))
        labels = Index([*self.index, label], name=self.index.name)
        if isinstance(self.index, RangeIndex) and label == len(self.index) and self.index.start == 0:
            labels = RangeIndex(label + 1)
        data = []
        for n, c in zip(self.columns, self._data):
            new = infer([row.get(n, C.NAN)])
            gone = new.missing()[0]
            if isinstance(c.dtype, C.CategoricalDtype) and row.get(n) in c.dtype._categories:
                new = Column(c.dtype, [c.dtype._categories.index(row[n])])
            data.append(c.taken([*range(len(c)), -1]) if gone and len(c) else new if not len(c) else C.concat([c, new]))
        self._set(data, self.columns, labels)
        for n in names:
            if n not in self.columns:
                self._append_column(n, row[n], [len(self) - 1])

    def _append_column(self, name, value, places):
        column = C.constant(C.NAN, len(self))
        if len(places) == len(self) or is_one(value) is False:
            values = infer(value) if not is_one(value) else C.constant(value, len(places))
        else:
            values = C.constant(value, len(places))
        where = {p: i for i, p in enumerate(places)}
        column = values.taken([where.get(i, -1) for i in range(len(self))])
        self.insert(len(self._data), name, column)

    def _put(self, places, at, value, single, at_one):
        data = list(self._data)
        count, width = len(places), len(at)
        if isinstance(value, Series) and not (at_one or single):
            if width == 1:
                value = value.reindex(self.index.take(places)).tolist()
            else:
                value = value.reindex(self.columns.take(at))
                parts = [[x] * count for x in value.tolist()]
        elif isinstance(value, Series) and at_one:
            same = self.index.take(places)
            value = value._column if value.index.equals(same) else value.reindex(same)._column
        if isinstance(value, DataFrame):
            rows = self.index.take(places)
            part = value.reindex(index=rows, columns=self.columns.take(at))
            parts = [c.items() for c in part._data]
        elif isinstance(value, dict):
            parts = [[value[self.columns[i]]] * count for i in at]
        elif isinstance(value, Series) and single:
            names = self.columns.take(at)
            parts = [[x] for x in (value if value.index.equals(names) else value.reindex(names)).tolist()]
        elif isinstance(value, Column):
            parts = [value]
        elif isinstance(value, Series):
            pass
        elif is_one(value):
            parts = [[value] * count] * width
        else:
            values = np.asarray(value).tolist() if hasattr(value, "__array__") else list(value)
            nested = values and isinstance(values[0], (list, tuple))
            if nested:
                parts = [list(part) for part in zip(*values)]
            elif single and not at_one:
                if len(values) != width:
                    raise ValueError("Must have equal len keys and value when setting with an iterable")
                parts = [[x] for x in values]
            elif at_one or width == 1:
                if single and count == 1 and len(values) != 1:
                    raise ValueError("Must have equal len keys and value when setting with an iterable")
                parts = [values]
            else:
                parts = [[x] * count for x in values]
            if len(parts) != width or any(len(p) != count for p in parts):
                raise ValueError(
                    "Must have equal len keys and value when setting with an iterable"
                    if not at_one
                    else "cannot set using a list-like indexer with a different length than the value"
                )
        for i, part in zip(at, parts):
            if count:
                data[i] = data[i].set(places, part)
        object.__setattr__(self, "_data", data)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(f"'DataFrame' object has no attribute '{name}'")
        columns = self.__dict__.get("_names")
        if columns is not None and name in columns:
            return self[name]
        found = late(self, name)
        if found is not None:
            return found
        raise lacks("DataFrame", name)

    def __setattr__(self, name, value):
        if not hasattr(type(self), name) and name in self._names:
            self[name] = value
        else:
            if not hasattr(type(self), name) and name[0] != "_" and not is_one(value):
                from .errors import warn_program

                warn_program("Pandas doesn't allow columns to be created via a new attribute name - see "
                             "https://pandas.pydata.org/docs/dev/user_guide/indexing.html#attribute-access")
            object.__setattr__(self, name, value)

    def __dir__(self):
        return [*object.__dir__(self), *(n for n in self.columns if isinstance(n, str) and n.isidentifier())]

    # Operators.

    def _operated(self, name, other, swapped=False, fill=None, axis="columns"):
        if isinstance(other, DataFrame):
            a, b = self, other
            if not (a.columns.equals(b.columns) and a.index.equals(b.index)):
                if name in C.COMPARISON:
                    raise ValueError("Can only compare identically-labeled (both index and columns) DataFrame objects")
                index, columns = a.index.union(b.index), a.columns.union(b.columns)
                a, b = a.reindex(index, columns), b.reindex(index, columns)
            if fill is not None:
                # What is missing in both stays missing.
                a, b = a.where(a.notna() | b.isna(), fill), b.where(b.notna() | a.isna(), fill)
            return DataFrame._of([C.compute(name, p, q, swapped) for p, q in zip(a._data, b._data)], a.columns, a.index)
        if isinstance(other, Series) and axis in (0, "index"):
            column = other.reindex(self.index)._column
            return self._mapped(lambda c: C.compute(name, c, column, swapped))
        if isinstance(other, (list, tuple, np.ndarray)) and getattr(other, "ndim", 1) == 1:
            if len(other) != len(self.columns):
                raise ValueError(f"Unable to coerce to Series, length must be {len(self.columns)}: given {len(other)}")
            other = Series(other, index=self.columns)
        if isinstance(other, np.ndarray) and other.ndim == 2:
            return self._operated(name, DataFrame(other, index=self.index, columns=self.columns), swapped)
        if isinstance(other, Series):
            frame = self
            if not self.columns.equals(other.index):
                names = self.columns.union(other.index)
                frame, other = self.reindex(columns=names), other.reindex(names)
            values = other._column.items()
            return DataFrame._of(
                [C.compute(name, c, x, swapped) for c, x in zip(frame._data, values)], frame.columns, frame.index
            )
        return self._mapped(lambda c: C.compute(name, c, other, swapped))

    def __neg__(self):
        return self._mapped(lambda c: Column(c.dtype, -c.data))

    def __invert__(self):
        return self._mapped(lambda c: Column(c.dtype, ~c.data))

    def abs(self):
        return self._mapped(lambda c: Column(c.dtype, np.abs(c.data)))

    __abs__ = abs

    def dot(self, other):
        if isinstance(other, DataFrame):
            made = np.dot(self.to_numpy(), other.to_numpy())
            return DataFrame(made, index=self.index, columns=other.columns)
        made = np.dot(self.to_numpy(), other.to_numpy() if isinstance(other, Series) else np.asarray(other))
        return Series(made, index=self.index) if made.ndim == 1 else DataFrame(made, index=self.index)

    __matmul__ = dot

    # Reductions.

    def _reduced(self, name, axis=0, skipna=True, numeric_only=False, **options):
        frame = self._numbers() if numeric_only else self
        if axis is None:
            if name in ("min", "max", "any", "all", "sum", "mean", "prod", "median"):
                return Series(frame.to_numpy().reshape(-1))._reduced(name, 0, skipna, **options)
            raise NotImplementedError(f"pandas: DataFrame.{name}(axis=None)")
        if axis in (1, "columns"):
            return frame._reduced_rows(name, skipna, options)
        found = [_reduce.reduce(name, c, skipna, **options) for c in frame._data]
        if not found:
            return Series([], index=frame.columns, dtype="float64")
        if (
            name in ("first", "last", "min", "max", "sum")
            and len({str(c.dtype) for c in frame._data}) > 1
            and not all(c.numeric and c.dtype.kind != "b" for c in frame._data)
        ):
            kinds = {"f" if c.numeric and c.dtype.kind in "f" else "b" if c.dtype == BOOL else "o" for c in frame._data}
            if not (name == "sum" and kinds <= {"f", "b", "i"} and all(c.numeric for c in frame._data)):
                return Series._of(Column(OBJECT, [x.item() if isinstance(x, np.generic) else x for x in found]), frame.columns)
        if any(c.nullable for c in frame._data) and name not in ("count", "nunique", "size"):
            from ._nullable import array

            return Series._of(array(found)._column, frame.columns)
        return Series._of(infer(found), frame.columns)

    def _reduced_rows(self, name, skipna, options):
        if all(c.numeric for c in self._data) and self._data:
            kind = self._data[0].dtype
            for c in self._data[1:]:
                kind = np.promote_types(kind, c.dtype)
            table = np.stack([c.data.astype(kind) for c in self._data], 1)
            rows = [Column(kind, table[i]) for i in range(len(self))]
        else:
            rows = [infer(list(r)) for r in zip(*[c.items() for c in self._data])]
        found = [_reduce.reduce(name, r, skipna, **options) for r in rows]
        return Series._of(infer(found) if found else Column(OBJECT, []), self.index)

    def _numbers(self, booleans=True):
        kept = [i for i, c in enumerate(self._data) if (c.numeric or c.nullable) and (booleans or c.dtype.kind != "b")]
        return self if len(kept) == len(self._data) else self._columns_at(kept)

    def nunique(self, axis=0, dropna=True):
        return self._reduced("nunique", axis, dropna=dropna)

    def quantile(self, q=0.5, axis=0, numeric_only=False, interpolation="linear"):
        frame = self._numbers() if numeric_only else self
        if axis in (1, "columns"):
            return frame.T.quantile(q, interpolation=interpolation)
        made = [s.quantile(q, interpolation) for _, s in frame.items()]
        if isinstance(q, (list, tuple, np.ndarray)):
            return DataFrame._of([s._column for s in made], frame.columns, made[0].index)
        return Series(made, index=frame.columns, name=q)

    def idxmax(self, axis=0, skipna=True, numeric_only=False):
        return (self._numbers() if numeric_only else self)._extremes("idxmax", axis)

    def idxmin(self, axis=0, skipna=True, numeric_only=False):
        return (self._numbers() if numeric_only else self)._extremes("idxmin", axis)

    def _extremes(self, name, axis):
        if axis in (1, "columns"):
            return Series([getattr(r, name)() for _, r in self.iterrows()], index=self.index)
        return Series([getattr(s, name)() for _, s in self.items()], index=self.columns)

    def mode(self, axis=0, numeric_only=False, dropna=True):
        if axis in (1, "columns"):
            return self.T.mode(0, numeric_only, dropna).T
        made = [s.mode(dropna) for _, s in (self._numbers() if numeric_only else self).items()]
        most = max(map(len, made), default=0)
        return DataFrame._of(
            [s.reindex(range(most))._column if len(s) < most else s._column for s in made],
            self._numbers().columns if numeric_only else self.columns,
            RangeIndex(most),
        )

    def corr(self, method="pearson", min_periods=1, numeric_only=False):
        from ._describe import correlations

        return correlations(self, method, numeric_only)

    def cov(self, min_periods=None, ddof=1, numeric_only=False):
        from ._describe import covariances

        return covariances(self, ddof, numeric_only)

    def corrwith(self, other, axis=0, drop=False, method="pearson", numeric_only=False):
        frame = self._numbers() if numeric_only else self
        return Series(
            [s.corr(other if isinstance(other, Series) else other[n], method) for n, s in frame.items()], index=frame.columns
        )

    def describe(self, percentiles=None, include=None, exclude=None):
        from ._describe import described_frame

        return described_frame(self, percentiles, include, exclude)

    def agg(self, func=None, axis=0, *args, **options):
        from ._apply import aggregated

        return aggregated(self, func, axis, args, options)

    aggregate = agg

    def apply(self, func, axis=0, raw=False, result_type=None, args=(), **options):
        from ._apply import applied

        return applied(self, func, axis, raw, result_type, args, options)

    def map(self, func, na_action=None, **options):
        return DataFrame._of(
            [s.map(lambda x: func(x, **options), na_action)._column for _, s in self.items()], self.columns, self.index
        )

    def transform(self, func, axis=0, *args, **options):
        if isinstance(func, (list, tuple)):
            from ._merge import concat

            return concat([series.agg(func) for _, series in self.items()], axis=1, keys=self.columns.tolist())
        if isinstance(func, str) and hasattr(type(self), func):
            return getattr(self, func)(*args, **options)
        return self.apply((lambda s: s.transform(func, *args, **options)) if isinstance(func, str) else func, axis, args=args, **options)

    def where(self, cond, other=C.NAN, inplace=False):
        return self._changed(self._chosen(cond, other, True), inplace)

    def mask(self, cond, other=C.NAN, inplace=False):
        return self._changed(self._chosen(cond, other, False), inplace)

    def _chosen(self, cond, other, keep):
        cond = cond(self) if callable(cond) else cond
        if not isinstance(cond, DataFrame):
            cond = (
                DataFrame(cond, index=self.index, columns=self.columns)
                if not isinstance(cond, Series)
                else DataFrame._of([cond._column] * len(self._data), self.columns, self.index)
            )
        made = []
        for i, (name, series) in enumerate(self.items()):
            part = other._series_at(i) if isinstance(other, DataFrame) else other
            made.append(series._chosen(cond[name], part, keep)._column)
        return DataFrame._of(made, self.columns, self.index)

    def isin(self, values):
        if isinstance(values, dict):
            return DataFrame._of([s.isin(values.get(n, []))._column for n, s in self.items()], self.columns, self.index)
        return DataFrame._of([s.isin(values)._column for _, s in self.items()], self.columns, self.index)

    def value_counts(self, subset=None, normalize=False, sort=True, ascending=False, dropna=True):
        from ._groupby import GroupBy

        names = list(self.columns) if subset is None else [subset] if isinstance(subset, str) else list(subset)
        found = GroupBy(self, names, None, True, False, dropna, observed=False).size()
        if sort:
            found = found.sort_values(ascending=ascending, kind="stable")
        if normalize:
            return (found / found.sum()).rename("proportion")
        return found.rename("count")

    # Elsewhere.

    def to_dict(self, orient="dict", into=dict, index=True):
        parts = [c.items() for c in self._data]
        names, labels = list(self.columns), list(self.index)
        if orient == "dict":
            return into((n, into(zip(labels, p))) for n, p in zip(names, parts))
        if orient == "list":
            return into((n, list(p)) for n, p in zip(names, parts))
        if orient == "records":
            return [into(zip(names, row)) for row in zip(*parts)]
        if orient == "index":
            return into((label, into(zip(names, row))) for label, row in zip(labels, zip(*parts)))
        if orient == "split":
            return into((("index", labels), ("columns", names), ("data", [list(r) for r in zip(*parts)])))
        if orient == "series":
            return into(self.items())
        raise ValueError(f"orient '{orient}' not understood")

    @property
    def plot(self):
        from ._plot import Plot

        return Plot(self)

    def hist(self, column=None, bins=10, figsize=None, layout=None, grid=True, **options):
        from ._plot import histograms

        return histograms(self, column, bins, figsize, layout, grid, options)

    def memory_usage(self, index=True, deep=False):
        from ._describe import bytes_of, index_bytes

        sizes = [bytes_of(c, deep) for c in self._data]
        labels = list(self.columns)
        if index:
            sizes, labels = [index_bytes(self.index), *sizes], ["Index", *labels]
        return Series._of(Column(INT, np.array(sizes, dtype=np.int64)), Index(labels))

    def info(self, verbose=None, buf=None, max_cols=None, memory_usage=None, show_counts=None):
        from ._describe import information

        information(self, buf, verbose, memory_usage, show_counts)

    def __repr__(self):
        import shutil

        from ._format import OPTIONS, frame_text

        # Without a limit of columns, wide frames lose some in the middle; with one, or None, they go on below.
        limit, rows, few = (OPTIONS[f"display.{name}"] for name in ("max_columns", "max_rows", "min_rows"))
        width = shutil.get_terminal_size().columns if limit == 0 else OPTIONS["display.width"]
        width = width if OPTIONS["display.expand_frame_repr"] else None
        return frame_text(self, rows, few, limit or None, width, fold=limit != 0)

    def to_string(
        self,
        buf=None,
        columns=None,
        col_space=None,
        header=True,
        index=True,
        na_rep="NaN",
        formatters=None,
        float_format=None,
        max_rows=None,
        max_cols=None,
        line_width=None,
        min_rows=None,
        index_names=True,
        justify=None,
        show_dimensions=False,
        **options,
    ):
        from ._format import floats_as, frame_text

        ways = {"na_rep": na_rep, "formatters": formatters, "justify": justify, "col_space": col_space}
        frame = self if columns is None else self[columns]
        with floats_as(float_format):
            text = frame_text(frame, max_rows, min_rows, max_cols, line_width, index, header, show_dimensions, index_names, max_cols != 0, ways)
        if buf is not None:
            buf.write(text)
            return None
        return text

    def to_html(self, buf=None, **options):
        from ._html import to_html

        return to_html(self, buf, **options)

    def _repr_html_(self):
        from ._html import shown

        return shown(self)

    def __reduce__(self):
        return _rebuilt, ([c.items() for c in self._data], [str(c.dtype) for c in self._data], self.columns, self.index)


refusing(DataFrame, """corr:min_periods corrwith:axis,drop cov:min_periods idxmax:skipna idxmin:skipna to_dict:index
to_string:options""")


def _rebuilt(data, kinds, columns, index):
    return DataFrame._of([infer(items, kind) for items, kind in zip(data, kinds)], columns, index)
