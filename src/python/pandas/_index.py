"""Labels of rows and columns."""

import datetime
import re

import numpy as np

from . import _columns as C
from ._columns import COMPARISON, INT, OBJECT, STR, Column, infer, is_missing


class Index:
    """Labels in order. A label can be looked up to find its places."""

    _multi = False

    @staticmethod
    def _of_steps(column, name=None):
        """Labels that are a column's: a range if they're integers one step apart."""
        if column.dtype.kind == "i" and column.numeric and len(column) > 1:
            numbers = column.data.tolist()
            step = numbers[1] - numbers[0]
            if step and numbers == list(range(numbers[0], numbers[-1] + step, step)):
                return RangeIndex._of_range(range(numbers[0], numbers[-1] + step, step), name)
        return Index._of(column, name)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        if method != "__call__":
            return NotImplemented
        made = ufunc(*[np.asarray(x) if isinstance(x, Index) else x for x in inputs], **options)
        return Index(made, name=self.name) if isinstance(made, np.ndarray) and made.dtype.kind != "b" else made

    def __new__(cls, data=None, dtype=None, copy=False, name=None):
        if isinstance(data, Index) and dtype is None:
            return data._renamed(data.name if name is None else name)
        if isinstance(data, range) and dtype is None:
            return RangeIndex._of_range(data, name)
        if data is None or isinstance(data, (str, bytes, int, float)):
            raise TypeError(f"{cls.__name__}(...) must be called with a collection of some kind, {data!r} was passed")
        if name is None:
            name = getattr(data, "name", None)
        if not hasattr(data, "_column") and not hasattr(data, "__array__"):
            data = list(data)
            if data and dtype is None and all(type(x) is tuple for x in data):
                return MultiIndex.from_tuples(data)
        return Index._of(infer(data, dtype), name)

    @classmethod
    def _of(cls, column, name=None):
        kind = DatetimeIndex if column.dtype == C.DATETIME else CategoricalIndex if isinstance(column.dtype, C.CategoricalDtype) else Index
        if isinstance(column.dtype, C.PeriodDtype):
            from ._periods import PeriodIndex as kind
        if column.dtype == C.TIMEDELTA:
            from ._lengths import TimedeltaIndex as kind
        self = object.__new__(kind)
        self._made, self.name, self._found = column, name, None
        return self

    @property
    def _column(self):
        return self._made

    def _renamed(self, name):
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.name = name
        return made

    # What it is.

    dtype = property(lambda self: self._column.dtype)
    size = property(lambda self: len(self))
    shape = property(lambda self: (len(self),))
    ndim = nlevels = 1
    empty = property(lambda self: len(self) == 0)
    values = property(lambda self: self._column.array())
    array = values
    is_unique = property(lambda self: len(self._places()) == len(self))
    has_duplicates = property(lambda self: not self.is_unique)
    is_monotonic_increasing = property(lambda self: _ordered(self._labels()))
    is_monotonic_decreasing = property(lambda self: _ordered(self._labels()[::-1]))
    hasnans = property(lambda self: any(self._column.missing()))
    T = property(lambda self: self)

    @property
    def names(self):
        return FrozenList([self.name])

    @names.setter
    def names(self, names):
        (self.name,) = names

    def __len__(self):
        return len(self._column)

    def _labels(self):
        """The labels as a list of Python objects."""
        return self._column.items()

    def _places(self):
        """For each label, the places where it is."""
        if self._found is None:
            found = {}
            for i, label in enumerate(self._labels()):
                found.setdefault(_key(label), []).append(i)
            self._found = found
        return self._found

    def __iter__(self):
        return iter(self._column.items())

    def __contains__(self, label):
        try:
            return _key(label) in self._places()
        except TypeError:
            raise TypeError(f"unhashable type: '{type(label).__name__}'") from None

    def __getitem__(self, key):
        if isinstance(key, slice):
            return Index._of(self._column.slice(key), self.name)
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            if not -len(self) <= key < len(self):
                raise IndexError(f"index {key} is out of bounds for axis 0 with size {len(self)}")
            return self._column.at(int(key))
        return self.take(places_of(key, len(self)))

    def take(self, places):
        return Index._of(self._column.take(places), self.name)

    def _taken(self, places):
        return Index._of(self._column.taken(places), self.name)

    def get_loc(self, key):
        found = self._places().get(_key(key))
        if found is None:
            raise KeyError(key)
        if len(found) == 1:
            return found[0]
        if found == list(range(found[0], found[-1] + 1)):
            return slice(found[0], found[-1] + 1)
        mask = np.zeros(len(self), dtype=bool)
        mask[np.array(found)] = True
        return mask

    def get_indexer(self, target):
        known = self._places()
        return np.array([known.get(_key(x), [-1])[0] for x in Index(target)._labels()], dtype=np.int64)

    def _bound(self, label, end):
        """Where a slice of labels begins or ends."""
        found = self._places().get(_key(label))
        if found is not None:
            return found[-1] + 1 if end else found[0]
        labels = self._labels()
        if not _ordered(labels):
            raise KeyError(label)
        label = self._as_label(label)
        try:
            return sum(1 for x in labels if x <= label) if end else sum(1 for x in labels if x < label)
        except TypeError:
            raise TypeError(
                f"cannot do slice indexing on {type(self).__name__} with these indexers [{label}] of type "
                f"{type(label).__name__}"
            ) from None

    def _as_label(self, label):
        return label

    # What it makes.

    def equals(self, other):
        if not isinstance(other, Index) or len(self) != len(other):
            return False
        return self is other or all(a == b or is_missing(a) and is_missing(b) for a, b in zip(self._labels(), other._labels()))

    identical = lambda self, other: self.equals(other) and self.names == other.names

    def tolist(self):
        return list(self._column.items())

    to_list = tolist

    def to_numpy(self, dtype=None, copy=False):
        found = self._column.numpy()
        return found if dtype is None else found.astype(dtype)

    def __array__(self, dtype=None, copy=None):
        return self.to_numpy(dtype)

    def to_series(self, index=None, name=None):
        from ._series import Series

        return Series._of(self._column, self if index is None else Index(index), self.name if name is None else name)

    def to_frame(self, index=True, name=None):
        from ._frame import DataFrame

        label = name if name is not None else 0 if self.name is None else self.name
        return DataFrame({label: self.to_series()._bare()}, index=self if index else None)

    def copy(self, name=None, deep=False):
        return self._renamed(self.name if name is None else name)

    def rename(self, name, inplace=False):
        if inplace:
            self.name = name
            return None
        return self._renamed(name)

    def set_names(self, names, level=None, inplace=False):
        return self.rename(names[0] if isinstance(names, (list, tuple)) else names, inplace)

    def astype(self, dtype, copy=True):
        return Index._of(self._column.astype(dtype), self.name)

    def map(self, mapper, na_action=None):
        made = self.to_series().map(mapper, na_action)
        return Index(made._column.items(), name=self.name) if made._column.dtype == OBJECT else Index._of(made._column, self.name)

    def append(self, other):
        others = list(other) if isinstance(other, (list, tuple)) else [other]
        name = self.name if all(o.name == self.name for o in others) else None
        return joined([self, *others])._renamed(name)

    def insert(self, loc, item):
        labels = self.tolist()
        labels.insert(loc, item)
        return Index(labels, name=self.name)

    def delete(self, loc):
        gone = {loc} if isinstance(loc, int) else set(loc)
        gone = {i % len(self) for i in gone}
        return self.take([i for i in range(len(self)) if i not in gone])

    def drop(self, labels, errors="raise"):
        labels = [labels] if isinstance(labels, (str, int, float)) else list(labels)
        lacking = [x for x in labels if x not in self]
        if lacking and errors != "ignore":
            raise KeyError(f"{lacking} not found in axis")
        gone = set(map(_key, labels))
        return self.take([i for i, x in enumerate(self._labels()) if _key(x) not in gone])

    def union(self, other, sort=None):
        other = Index(other)
        if self.equals(other):
            return self
        extra = [x for x in other._labels() if x not in self]
        return Index(_sorted(self.tolist() + extra, sort), name=self.name if self.name == other.name else None)

    def intersection(self, other, sort=False):
        other = Index(other)
        return Index(
            list(dict.fromkeys(x for x in self._labels() if x in other)),
            dtype=self._kept(),
            name=self.name if self.name == other.name else None,
        )

    def difference(self, other, sort=None):
        other = Index(other)
        return Index(
            _sorted([x for x in dict.fromkeys(self._labels()) if x not in other], sort), dtype=self._kept(), name=self.name
        )

    def _kept(self):
        return self.dtype if isinstance(self.dtype, np.dtype) or self.dtype == STR else None

    def unique(self, level=None):
        return self.take([places[0] for places in self._places().values()])

    def nunique(self, dropna=True):
        return len([x for x in self._places() if not (dropna and is_missing(x))])

    def duplicated(self, keep="first"):
        return self.to_series().duplicated(keep).to_numpy()

    def drop_duplicates(self, keep="first"):
        return self[~self.duplicated(keep)]

    def isin(self, values):
        return self.to_series().isin(values).to_numpy()

    def isna(self):
        return np.array(self._column.missing(), dtype=bool)

    isnull = isna

    def notna(self):
        return ~self.isna()

    def sort_values(self, ascending=True, return_indexer=False):
        order = C.order_of(self._column, ascending)
        return (self.take(order), np.array(order)) if return_indexer else self.take(order)

    def argsort(self):
        return np.array(C.order_of(self._column))

    def value_counts(self, **options):
        return self.to_series(index=range(len(self))).value_counts(**options)

    def min(self):
        return self.to_series().min()

    def max(self):
        return self.to_series().max()

    def argmin(self):
        return int(np.argmin(self.to_numpy()))

    def argmax(self):
        return int(np.argmax(self.to_numpy()))

    @property
    def str(self):
        return self.to_series(index=range(len(self))).str._for_index(self.name)

    def _operated(self, name, other, swapped=False):
        if isinstance(other, Index):
            other = other._column
        elif isinstance(other, (list, tuple, np.ndarray)):
            other = infer(other)
        if isinstance(other, Column) and len(other) != len(self):
            raise ValueError(
                "Lengths must match to compare" if name in COMPARISON else "operands could not be broadcast together"
            )
        made = C.compute(name, self._column, other, swapped)
        return made.data if name in COMPARISON else Index._of(made, self.name)

    def __eq__(self, other):
        return self._operated("eq", other)

    def __ne__(self, other):
        return self._operated("ne", other)

    __lt__ = lambda self, other: self._operated("lt", other)
    __le__ = lambda self, other: self._operated("le", other)
    __gt__ = lambda self, other: self._operated("gt", other)
    __ge__ = lambda self, other: self._operated("ge", other)
    __add__ = lambda self, other: self._operated("add", other)
    __radd__ = lambda self, other: self._operated("add", other, True)
    __sub__ = lambda self, other: self._operated("sub", other)
    __rsub__ = lambda self, other: self._operated("sub", other, True)
    __mul__ = __rmul__ = lambda self, other: self._operated("mul", other)
    __truediv__ = lambda self, other: self._operated("truediv", other)
    __floordiv__ = lambda self, other: self._operated("floordiv", other)
    __mod__ = lambda self, other: self._operated("mod", other)
    __hash__ = None

    def __setitem__(self, key, value):
        raise TypeError("Index does not support mutable operations")

    def __bool__(self):
        raise ValueError(
            f"The truth value of a {type(self).__name__} is ambiguous. Use a.empty, a.bool(), a.item(), a.any() or a.all()."
        )

    def _shown(self):
        from ._format import index_texts

        return index_texts(self._column)

    def __repr__(self):
        from ._format import index_repr

        return index_repr(self)

    def __reduce__(self):
        return Index, (self.tolist(), self._kept(), False, self.name)


class RangeIndex(Index):
    """The numbers of a range."""

    def __new__(cls, start=None, stop=None, step=None, name=None):
        if isinstance(start, range):
            return cls._of_range(start, name)
        first, last = (0, start) if stop is None else (start or 0, stop)
        return cls._of_range(range(first, last or 0, 1 if step is None else step), name)

    @classmethod
    def _of_range(cls, numbers, name=None):
        self = object.__new__(RangeIndex)
        self._range, self.name, self._found, self._made = numbers, name, None, None
        return self

    @property
    def _column(self):
        if self._made is None:
            self._made = infer(self._range)
        return self._made

    dtype = INT
    start = property(lambda self: self._range.start)
    stop = property(lambda self: self._range.stop)
    step = property(lambda self: self._range.step)

    def __len__(self):
        return len(self._range)

    def __iter__(self):
        return iter(self._range)

    def _labels(self):
        return self._range

    def __contains__(self, label):
        hash(label)
        try:
            return label in self._range
        except TypeError:
            return False

    def __getitem__(self, key):
        if isinstance(key, slice):
            return RangeIndex._of_range(self._range[key], self.name)
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            if not -len(self) <= key < len(self):
                raise IndexError(f"index {key} is out of bounds for axis 0 with size {len(self)}")
            return self._range[int(key)]
        return super().__getitem__(key)

    def take(self, places):
        labels = [self._range[int(i)] for i in places]
        step = labels[1] - labels[0] if len(labels) > 1 else self.step
        if not labels:
            return RangeIndex._of_range(range(0), self.name)
        made = range(labels[0], labels[0] + step * len(labels), step) if step else None
        return RangeIndex._of_range(made, self.name) if made is not None and labels == list(made) else super().take(places)

    def get_loc(self, key):
        try:
            return self._range.index(key)
        except (ValueError, TypeError):
            raise KeyError(key) from None

    is_unique = True

    def copy(self, name=None, deep=False):
        return self._renamed(self.name if name is None else name)

    def __reduce__(self):
        return RangeIndex, (self.start, self.stop, self.step, self.name)


class DatetimeIndex(Index):
    """Labels that are dates."""

    def __new__(cls, data=None, dtype=None, name=None, freq=None):
        from ._dates import to_column

        made = Index._of(to_column(infer(data), "mixed"), name)
        if freq is not None:
            from ._offsets import to_offset

            made.freq = to_offset(made.inferred_freq if freq == "infer" else freq)
            at = next((i for i, (a, b) in enumerate(zip(made, made[1:])) if a + made.freq != b), None) if freq != "infer" else None
            if at is not None:
                raise ValueError(f"Inferred frequency {made.inferred_freq} from passed values does not conform to passed frequency "
                                 f"{made.freq.freqstr}")
        return made

    freq = None
    freqstr = property(lambda self: None if self.freq is None else self.freq.freqstr)

    def _operated(self, name, other, swapped=False):
        made = Index._operated(self, name, other, swapped)
        # Days and shorter steps stay what they are when all dates are moved alike.
        if name in ("add", "sub") and not hasattr(other, "__len__") and self.freqstr and self.freqstr.lstrip("0123456789") in (
            "D", "h", "min", "s", "ms", "us"
        ):
            made.freq = self.freq
        return made

    @property
    def inferred_freq(self):
        from ._offsets import infer_freq

        try:
            return infer_freq(self)
        except ValueError:
            return None

    def _as_label(self, label):
        from ._dates import Timestamp

        return Timestamp(label)

    def __contains__(self, label):
        try:
            label = self._as_label(label)
        except (TypeError, ValueError):
            return False
        return Index.__contains__(self, label)

    def __getitem__(self, key):
        found = Index.__getitem__(self, key)
        # A part of a regular index is regular.
        if isinstance(key, slice) and key.step in (None, 1) and self.freq is not None:
            found.freq = self.freq
        return found

    def take(self, places):
        found = Index.take(self, places)
        places = [int(i) for i in places]
        if self.freq is not None and places and places == list(range(places[0], places[0] + len(places))):
            found.freq = self.freq
        return found

    def get_loc(self, key):
        span = self._span(key)
        if span is not None:
            labels = self._labels()
            places = [i for i, x in enumerate(labels) if span[0] <= x < span[1]]
            if not places:
                raise KeyError(key)
            if places == list(range(places[0], places[-1] + 1)):
                return slice(places[0], places[-1] + 1)
            mask = np.zeros(len(self), dtype=bool)
            mask[np.array(places)] = True
            return mask
        try:
            return Index.get_loc(self, self._as_label(key))
        except (KeyError, ValueError):
            raise KeyError(key) from None

    def _span(self, key):
        """The first moment of a year, a month or a day that a string names, and that of the next one. Days are spans only where
        labels are finer than days."""
        if not isinstance(key, str):
            return None
        from ._dates import Timestamp

        match = re.fullmatch(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?", key.strip())
        if match is None:
            return None
        year, month, day = (int(x) if x else None for x in match.groups())
        start = Timestamp(year, month or 1, day or 1)
        if day is not None:
            if all(x == x.normalize() for x in self._labels()):
                return None
            return start, start + datetime.timedelta(days=1)
        return start, Timestamp(year + 1, 1, 1) if month is None else Timestamp(year + month // 12, month % 12 + 1, 1)

    def _bound(self, label, end):
        span = self._span(label)
        if span is not None:
            labels = self._labels()
            if not _ordered(labels):
                raise KeyError("Value based partial slicing on non-monotonic DatetimeIndexes with non-existing keys is not allowed.")
            return sum(x < span[1] for x in labels) if end else sum(x < span[0] for x in labels)
        return Index._bound(self, self._as_label(label), end)

    def __getattr__(self, name):
        from ._dates import FIELDS, OUTDATED, warn_outdated

        if name in OUTDATED:
            warn_outdated("DatetimeIndex", name)
            name = OUTDATED[name]
        if name == "isocalendar":
            return lambda: Index.to_series(self).dt.isocalendar()
        if name == "to_period":
            from ._periods import of_dates

            return lambda freq=None: Index._of(of_dates(self, freq), self.name)
        if name in FIELDS or name in ("strftime", "normalize", "date", "time", "day_name", "month_name"):
            dates = Index.to_series(self, index=range(len(self))).dt
            found = getattr(dates, name)
            if callable(found):
                return lambda *args, **options: Index._of(found(*args, **options)._column, self.name)
            if name.startswith("is_"):
                return np.array(found._column.items(), dtype=bool)
            return Index._of(found._column, self.name)
        if name in ("tz", "tz_localize", "tz_convert"):
            raise NotImplementedError(f"pandas: DatetimeIndex.{name}: time zones aren't here")
        raise AttributeError(f"'DatetimeIndex' object has no attribute '{name}'")


class CategoricalIndex(Index):
    """Categories."""

    categories = property(lambda self: self.dtype.categories)
    codes = property(lambda self: np.array(self._column.data, dtype=np.int8))
    ordered = property(lambda self: self.dtype.ordered)


class MultiIndex(Index):
    """Labels that are tuples, with a name for each place in them."""

    _multi = True

    def __new__(cls, levels=None, codes=None, names=None):
        levels = [Index(level) for level in levels]
        tuples = [tuple(level[code] for level, code in zip(levels, row)) for row in zip(*codes)]
        return cls.from_tuples(tuples, names)

    @classmethod
    def _of_columns(cls, columns, names=None):
        self = object.__new__(MultiIndex)
        self._columns, self._found, self._made = list(columns), None, None
        self._names = list(names) if names is not None else [None] * len(self._columns)
        return self

    @classmethod
    def from_tuples(cls, tuples, sortorder=None, names=None):
        tuples = list(tuples)
        if sortorder is not None:
            names = sortorder
        if not tuples:
            raise TypeError("Cannot infer number of levels from empty list")
        return cls._of_columns([infer(list(level)) for level in zip(*tuples)], names)

    @classmethod
    def from_arrays(cls, arrays, sortorder=None, names=None):
        names = names if names is not None else [getattr(a, "name", None) for a in arrays]
        return cls._of_columns([infer(a) for a in arrays], names)

    @classmethod
    def from_product(cls, iterables, sortorder=None, names=None):
        import itertools

        return cls.from_tuples(itertools.product(*[list(i) for i in iterables]), names=names)

    @classmethod
    def from_frame(cls, frame, names=None):
        return cls._of_columns(frame._data, list(frame.columns) if names is None else names)

    name = property(lambda self: None, lambda self, value: None)

    @property
    def names(self):
        return FrozenList(self._names)

    @names.setter
    def names(self, names):
        self._names = list(names)

    dtype = OBJECT
    nlevels = property(lambda self: len(self._columns))

    @property
    def _column(self):
        if self._made is None:
            self._made = Column(OBJECT, list(zip(*[c.items() for c in self._columns])))
        return self._made

    @property
    def levels(self):
        levels = []
        for column, name in zip(self._columns, self._names):
            known = list(dict.fromkeys(x for x in column.items() if not is_missing(x)))
            if len({isinstance(x, str) for x in known}) <= 1:
                known.sort()
            levels.append(Index(known, name=name))
        return FrozenList(levels)

    @property
    def codes(self):
        codes = []
        for column, level in zip(self._columns, self.levels):
            places = {x: i for i, x in enumerate(level.tolist())}
            codes.append(np.array([-1 if is_missing(x) else places[x] for x in column.items()], dtype=np.int8))
        return FrozenList(codes)

    def to_frame(self, index=True, name=None, allow_duplicates=False):
        from ._frame import DataFrame

        names = list(name) if name is not None else [i if n is None else n for i, n in enumerate(self._names)]
        if len(names) != self.nlevels:
            raise ValueError("'name' should have same length as number of levels on index.")
        return DataFrame._of(self._columns, Index(names), self if index else RangeIndex(len(self)))

    def __len__(self):
        return len(self._columns[0])

    def _renamed(self, name):
        return self

    def _named(self, names):
        return MultiIndex._of_columns(self._columns, names)

    def take(self, places):
        return MultiIndex._of_columns([c.take(places) for c in self._columns], self._names)

    def _taken(self, places):
        return MultiIndex._of_columns([c.taken(places) for c in self._columns], self._names)

    def __getitem__(self, key):
        if isinstance(key, slice):
            return MultiIndex._of_columns([c.slice(key) for c in self._columns], self._names)
        return super().__getitem__(key)

    def set_names(self, names, level=None, inplace=False):
        return self._named(names)

    rename = set_names

    def copy(self, name=None, deep=False):
        return self._named(self._names)

    def get_level_values(self, level):
        return Index._of(self._columns[self._level(level)], self._names[self._level(level)])

    def _level(self, level):
        if level in self._names:
            return self._names.index(level)
        if isinstance(level, int) and -self.nlevels <= level < self.nlevels:
            return level % self.nlevels
        raise KeyError(f"Level {level} not found")

    def reorder_levels(self, order):
        return self._levels_at([self._level(one) for one in order])

    def droplevel(self, level=0):
        gone = {self._level(one) for one in (level if isinstance(level, (list, tuple)) and level not in self._names else [level])}
        if len(gone) >= self.nlevels:
            raise ValueError(
                f"Cannot remove {len(gone)} levels from an index with {self.nlevels} levels: at least one level must be left.")
        return self._levels_at([i for i in range(self.nlevels) if i not in gone])

    def _levels_at(self, kept):
        if len(kept) == 1:
            return Index._of(self._columns[kept[0]], self._names[kept[0]])
        return MultiIndex._of_columns([self._columns[i] for i in kept], [self._names[i] for i in kept])

    def _begin(self, key):
        """The places whose first labels are these, and the labels without them."""
        key = key if isinstance(key, tuple) else (key,)
        labels = self._column.data
        places = [i for i, label in enumerate(labels) if label[: len(key)] == key]
        if not places:
            raise KeyError(key[0] if len(key) == 1 else key)
        rest = self.take(places)
        for _ in key:
            if rest._multi:
                rest = rest.droplevel(0)
        return places, rest

    def __contains__(self, label):
        if isinstance(label, tuple) and len(label) == self.nlevels:
            return super().__contains__(label)
        try:
            self._begin(label)
        except KeyError:
            return False
        return True

    def __reduce__(self):
        return _rebuilt, (self.tolist(), self._names)


def _rebuilt(tuples, names):
    return MultiIndex.from_tuples(tuples, names=names)


class FrozenList(list):
    """A list that can't be changed."""

    def __repr__(self):
        return f"FrozenList({[x.tolist() if isinstance(x, (Index, np.ndarray)) else x for x in self]!r})"

    def __str__(self):
        return repr(self)[len("FrozenList("):-1]


def _key(label):
    """The key under which a label is found. All missing values have the same key."""
    if isinstance(label, float) and label != label:
        return None
    return tuple(map(_key, label)) if isinstance(label, tuple) else label


def _ordered(labels):
    try:
        return all(a <= b for a, b in zip(labels, labels[1:]))
    except TypeError:
        return False


def _sorted(labels, sort=None):
    if sort is False:
        return labels
    try:
        return sorted(labels, key=lambda x: (is_missing(x), 0 if is_missing(x) else x))
    except TypeError:
        return labels


def joined(indexes):
    """Labels one after the other."""
    indexes = [i for i in indexes if len(i)] or indexes[:1]
    if len(indexes) == 1:
        return indexes[0]
    if all(i._multi for i in indexes):
        columns = [C.concat([i._columns[k] for i in indexes]) for k in range(indexes[0].nlevels)]
        return MultiIndex._of_columns(columns, indexes[0]._names)
    if all(isinstance(i, RangeIndex) for i in indexes):
        end = indexes[0].stop
        if all(i.step == 1 for i in indexes) and all(a.stop == b.start for a, b in zip(indexes, indexes[1:])):
            end = indexes[-1].stop
            return RangeIndex(indexes[0].start, end, name=indexes[0].name)
    name = indexes[0].name if all(i.name == indexes[0].name for i in indexes) else None
    return Index._of(C.concat([i._column for i in indexes]), name)


def mask_of(key):
    """A mask of the dtype boolean with False where it's missing; any other key as it is."""
    column = getattr(key, "_column", None)
    if column is not None and column.nullable and column.dtype.kind == "b":
        made = C.Column(C.BOOL, np.array([x is True for x in column.data], dtype=bool))
        return key._like(made) if hasattr(key, "_like") else type(key)._of(made)
    return key


def places_of(key, length):
    """The places that a mask, a slice or a list of numbers picks, counted from the start."""
    if isinstance(key, slice):
        return list(range(*key.indices(length)))
    if hasattr(key, "_column"):
        key = mask_of(key)._column.numpy()
    if isinstance(key, np.ndarray) or hasattr(key, "__array__"):
        array = np.asarray(key)
        if array.dtype.kind == "b":
            if len(array) != length:
                raise IndexError(f"Boolean index has wrong length: {len(array)} instead of {length}")
            return np.nonzero(array)[0].tolist()
        key = array.tolist()
    key = list(key)
    if key and all(isinstance(x, (bool, np.bool_)) for x in key):
        if len(key) != length:
            raise IndexError(f"Boolean index has wrong length: {len(key)} instead of {length}")
        return [i for i, x in enumerate(key) if x]
    for i in key:
        if isinstance(i, bool) or not isinstance(i, (int, np.integer)):
            raise IndexError(f".iloc requires numeric indexers, got {key}")
        if not -length <= i < length:
            raise IndexError("positional indexers are out-of-bounds")
    return [int(i) % length for i in key]


def as_index(x, length=None):
    """The labels that an argument `index=` or `columns=` means."""
    if x is None:
        return RangeIndex(length)
    if isinstance(x, Index):
        return x
    if isinstance(x, (list, tuple)) and x and all(isinstance(level, (list, np.ndarray)) for level in x):
        return MultiIndex.from_arrays(x)
    return Index(x)
