"""Groups of rows that have the same labels."""

import itertools

import numpy as np

from . import _columns as C
from . import _reduce
from ._columns import FLOAT, INT, OBJECT, Column, infer, is_missing
from ._index import Index, MultiIndex
from ._series import Series
from ._shared import is_one


class NamedAgg(tuple):
    """A column and the function that aggregates it."""

    def __new__(cls, column, aggfunc):
        return super().__new__(cls, (column, aggfunc))

    column = property(lambda self: self[0])
    aggfunc = property(lambda self: self[1])


class Grouper:
    """How `groupby` groups: by a column, or by periods of time."""

    def __init__(self, key=None, level=None, freq=None, sort=False, closed=None, label=None, **options):
        if level is not None or options:
            raise NotImplementedError(f"pandas.Grouper({', '.join(['level', *options] if level is not None else options)}) isn't here")
        self.key, self.freq, self.closed, self.label = key, freq, closed, label


def _keys(of, by, level):
    """The columns that groups are made by, their names, and the names of the frame's columns among them."""
    if level is not None:
        levels = [level] if is_one(level) else list(level)
        index = of.index
        parts = [index.get_level_values(x) if index._multi else index for x in levels]
        return [p._column for p in parts], [p.name for p in parts], []
    by = [by] if is_one(by) or isinstance(by, (Series, Index, np.ndarray, dict)) or callable(by) else list(by)
    if by and of.ndim == 1 and len(by) == len(of) and all(is_one(x) for x in by):
        by = [infer(by)]
    if by and of.ndim == 2 and len(by) == len(of) and all(is_one(x) for x in by) and not all(x in of.columns for x in by):
        by = [infer(by)]
    columns, names, own = [], [], []
    for one in by:
        if isinstance(one, Column):
            columns.append(one)
            names.append(None)
        elif isinstance(one, Series):
            columns.append(one._column if one.index.equals(of.index) else one.reindex(of.index)._column)
            names.append(one.name)
        elif isinstance(one, Index):
            columns.append(one._column)
            names.append(one.name)
        elif isinstance(one, (np.ndarray, list)):
            columns.append(infer(one))
            names.append(None)
        elif isinstance(one, dict):
            columns.append(infer([one.get(x, C.NAN) for x in of.index]))
            names.append(None)
        elif isinstance(one, Grouper):
            moments = of[one.key] if one.key is not None else of.index.to_series()
            if one.freq is not None:
                from ._resample import periods

                moments = periods(moments, one.freq)[0]
            columns.append(moments._column)
            names.append(one.key)
            if one.key is not None:
                own.append(one.key)
        elif callable(one):
            columns.append(infer([one(x) for x in of.index]))
            names.append(None)
        elif of.ndim == 2 and one in of.columns:
            columns.append(of[one]._column)
            names.append(one)
            own.append(one)
        elif one in of.index.names and one is not None:
            columns.append((of.index.get_level_values(one) if of.index._multi else of.index)._column)
            names.append(one)
        else:
            raise KeyError(one)
    return columns, names, own


class _Groups(dict):
    """The labels of each group."""

    def __repr__(self):
        return "{" + ", ".join(f"{key!r}: {labels.tolist()!r}" for key, labels in self.items()) + "}"


def _pairs(funcs):
    """The names of results and the functions that make them, which can be given as pairs. Of several, those without a name are
    numbered."""
    found = [f if isinstance(f, tuple) else (_called(f), f) for f in funcs]
    if len(found) > 1:
        bare = iter(range(len(found)))
        found = [(f"<lambda_{next(bare)}>" if name == "<lambda>" else name, f) for name, f in found]
    return found


class GroupBy:
    def __init__(self, of, by, level=None, as_index=True, sort=True, dropna=True, observed=True, group_keys=True):
        self._group_keys = group_keys
        self._of, self._as_index, self._sort, self._dropna = of, as_index, sort, dropna
        self._columns, self._names, self._own = _keys(of, by, level)
        self._single = len(self._columns) == 1 and (level is not None or not isinstance(by, list))
        self._chosen = None
        parts = [c.items() for c in self._columns]
        found = {}
        for i, row in enumerate(zip(*parts)):
            if any(is_missing(x) for x in row):
                if dropna:
                    continue
                row = tuple(None if is_missing(x) else x for x in row)
            found.setdefault(row, []).append(i)
        keys = list(found)
        if sort:
            keys = self._ordered(keys)
        if len(self._columns) == 1 and isinstance(self._columns[0].dtype, C.CategoricalDtype):
            known = self._columns[0].dtype._categories
            keys = [(x,) for x in known if (x,) in found]
        named = [isinstance(c.dtype, C.CategoricalDtype) for c in self._columns]
        if not observed and any(named):
            # Categories that no row has are groups as well.
            levels = [c.dtype._categories if known else dict.fromkeys(key[j] for key in keys)
                      for j, (c, known) in enumerate(zip(self._columns, named))]
            keys = list(itertools.product(*levels))
        self._groups = [(key, found.get(key, [])) for key in keys]

    def __repr__(self):
        kind = "Series" if self._selected().ndim == 1 else "DataFrame"
        return f"<pandas.api.typing.{kind}GroupBy object at 0x{id(self):x}>"

    @staticmethod
    def _ordered(keys):
        try:
            return sorted(keys)
        except TypeError:
            return sorted(
                keys,
                key=lambda row: tuple(
                    (x is None, str(type(x)) if not isinstance(x, (int, float)) else "", x if x is not None else 0) for x in row
                ),
            )

    # What there is.

    ngroups = property(lambda self: len(self._groups))

    def __len__(self):
        return len(self._groups)

    def _key(self, key):
        return key[0] if len(self._columns) == 1 else key

    @property
    def groups(self):
        return _Groups((self._key(key), self._of.index.take(places)) for key, places in self._groups)

    @property
    def indices(self):
        return {self._key(key): np.array(places, dtype=np.int64) for key, places in self._groups}

    def __iter__(self):
        part = self._selected(True)
        for key, places in self._groups:
            yield (key[0] if self._single else key), part._rows(places)

    def get_group(self, name):
        wanted = name if isinstance(name, tuple) else (name,)
        for key, places in self._groups:
            if key == wanted:
                return self._selected(True)._rows(places)
        raise KeyError(name)

    def ngroup(self):
        made = [-1] * len(self._of)
        for number, (_, places) in enumerate(self._groups):
            for i in places:
                made[i] = number
        return Series(made, index=self._of.index)

    def cumcount(self, ascending=True):
        made = [0] * len(self._of)
        for _, places in self._groups:
            for n, i in enumerate(places if ascending else places[::-1]):
                made[i] = n
        return Series(made, index=self._of.index)

    def __getitem__(self, key):
        made = object.__new__(GroupBy)
        made.__dict__.update(self.__dict__)
        if self._of.ndim == 2:
            names = [key] if is_one(key) else list(key)
            lacking = [n for n in names if n not in self._of.columns]
            if lacking:
                raise KeyError(f"Column not found: {key}" if is_one(key) else f"Columns not found: {str(lacking)[1:-1]}")
        made._chosen = key
        return made

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if self._of.ndim == 2 and name in self._of.columns:
            return self[name]
        kind = "SeriesGroupBy" if self._of.ndim == 1 else "DataFrameGroupBy"
        if name in ("ewm", "hist", "plot", "boxplot"):
            raise NotImplementedError(f"pandas: groupby(...).{name} isn't here")
        raise AttributeError(f"'{kind}' object has no attribute '{name}'")

    def _selected(self, whole=False):
        """The frame or the series that is aggregated."""
        of = self._of
        if of.ndim == 1:
            return of
        if self._chosen is not None:
            return of[self._chosen] if is_one(self._chosen) else of[list(self._chosen)]
        return of if whole else of[[n for n in of.columns if n not in self._own]]

    def _index(self):
        made = []
        for j, column in enumerate(self._columns):
            labels = [key[j] for key, _ in self._groups]
            firsts = {key[j]: places[0] for key, places in self._groups if places}
            made.append(
                C.categorical(Column(OBJECT, labels), column.dtype._categories, column.dtype.ordered)
                if isinstance(column.dtype, C.CategoricalDtype)
                else column.take([firsts[x] for x in labels])
            )
        return Index._of(made[0], self._names[0]) if len(made) == 1 else MultiIndex._of_columns(made, self._names)

    def _framed(self, made):
        """With `as_index=False`, the groups' labels as columns."""
        if self._as_index:
            return made
        if made.ndim == 1:
            made = made.to_frame(made.name if made.name is not None else "size")
        return made.reset_index()

    # What becomes of groups.

    def _reduced(self, name, numeric_only=False, skipna=True, **options):
        part, index = self._selected(), self._index()
        reduce_one = lambda c: self._per_group(name, c, skipna, options)
        if part.ndim == 1:
            return self._framed(Series._of(reduce_one(part._column), index, part.name))
        frame = part._numbers() if numeric_only else part
        for n, c in zip(frame.columns, frame._data):
            if (
                not c.numeric
                and not c.nullable
                and name in ("mean", "median", "std", "var", "prod", "sem", "skew")
                and c.dtype not in (C.DATETIME, C.TIMEDELTA)
                and not (c.dtype == OBJECT and all(isinstance(x, (int, float)) or is_missing(x) for x in c.data))
            ):
                if c.dtype == C.STR:
                    raise TypeError(f"dtype 'str' does not support operation '{name}'")
                if isinstance(c.dtype, C.CategoricalDtype):
                    raise TypeError(f"category dtype does not support aggregation '{name}'")
                raise TypeError(f"agg function failed [how->{name},dtype->{c.dtype}]")
        made = self._of._of([reduce_one(c) for c in frame._data], frame.columns, index)
        return self._framed(made)

    def _per_group(self, name, column, skipna, options):
        found = [_reduce.reduce(name, column.take(places), skipna, **options) for _, places in self._groups]
        if name in ("min", "max", "first", "last") and len(found):
            if isinstance(column.dtype, C.CategoricalDtype):
                return C.categorical(Column(OBJECT, found), column.dtype._categories, column.dtype.ordered)
            made = infer(found) if column.dtype != C.DATETIME else Column(C.DATETIME, found)
            return made.astype(column.dtype) if column.numeric and made.numeric and not any(made.missing()) else made
        if not found:
            return Column(FLOAT if name in ("mean", "std", "var", "median") else column.dtype, column.data[:0])
        if name in ("any", "all"):
            return Column(C.BOOL, np.array([bool(x) for x in found], dtype=bool)) if not column.nullable else infer(found)
        made = infer(found)
        if column.nullable and name not in ("nunique", "size"):
            from ._nullable import of_items, of_numpy

            whole = all(isinstance(x, (int, np.integer)) or is_missing(x) for x in found)
            return of_items(found, of_numpy(INT if whole else FLOAT))
        if column.numeric and column.dtype.kind == "f" and made.numeric and name not in ("count", "nunique", "size"):
            return made.astype(column.dtype)
        return made

    def size(self):
        made = Series._of(
            Column(INT, np.array([len(p) for _, p in self._groups], dtype=np.int64)),
            self._index(),
            self._of.name if self._of.ndim == 1 else self._chosen if isinstance(self._chosen, str) else None,
        )
        return self._framed(made if self._as_index else made.rename("size"))

    def pipe(self, func, *args, **kwargs):
        if isinstance(func, tuple):
            func, name = func
            return func(*args, **{**kwargs, name: self})
        return func(self, *args, **kwargs)

    def rolling(self, window, min_periods=None, center=False, **options):
        return _GroupWindow(self, "rolling", dict(window=window, min_periods=min_periods, center=center, **options))

    def ohlc(self):
        from ._merge import concat

        if self._selected().ndim != 1:
            raise NotImplementedError("pandas: groupby(...).ohlc of several columns isn't here")
        return concat([getattr(self, n)() for n in ("first", "max", "min", "last")], axis=1, keys=["open", "high", "low", "close"])

    def resample(self, rule, *args, **options):
        if args:
            raise TypeError("DataFrameGroupBy.resample() takes 2 positional arguments but more were given")
        made = _GroupResample(self, rule, options)
        made._key = self._chosen
        return made

    def expanding(self, min_periods=1, **options):
        return _GroupWindow(self, "expanding", dict(min_periods=min_periods, **options))

    def quantile(self, q=0.5, interpolation="linear", numeric_only=False):
        if not is_one(q):
            from ._merge import concat

            parts = [self._reduced("quantile", numeric_only, q=each, interpolation=interpolation) for each in q]
            count, size = len(parts), len(parts[0])
            order = [k * size + i for i in range(size) for k in range(count)]
            names = [*parts[0].index.names, None]
            keys = [c.take([i for i in range(size) for _ in range(count)]) for c in
                    (parts[0].index._columns if parts[0].index._multi else [parts[0].index._column])]
            made = concat(parts)._rows(order)
            made.index = MultiIndex._of_columns([*keys, infer(list(q) * size)], names)
            return made
        return self._reduced("quantile", numeric_only, q=q, interpolation=interpolation)

    def agg(self, func=None, *args, **options):
        part, index = self._selected(), self._index()
        from ._frame import DataFrame

        if func is None:
            if not options:
                raise TypeError("Must provide 'func' or tuples of '**kwargs'.")
            if part.ndim == 1:
                made = DataFrame._of([self._one(part, f) for f in options.values()], Index(list(options)), index)
            else:
                made = DataFrame._of([self._one(self._of[n], f) for n, f in options.values()], Index(list(options)), index)
            return self._framed(made)
        if isinstance(func, str) and func not in ("size",):
            if not hasattr(type(self), func):
                raise AttributeError(
                    f"'{func}' is not a valid function for " f"'{'Series' if part.ndim == 1 else 'DataFrame'}GroupBy' object"
                )
            return getattr(self, func)(*args, **options)
        if func == "size":
            return self.size()
        if isinstance(func, dict):
            if part.ndim == 1:
                raise _specification("nested renamer is not supported")
            lacking = [n for n in func if n not in self._of.columns]
            if lacking:
                raise KeyError(f"Label(s) {lacking} do not exist")
            several = any(isinstance(f, (list, tuple)) for f in func.values())
            columns, labels = [], []
            for n, f in func.items():
                for name, one in _pairs(f if isinstance(f, (list, tuple)) else [f]):
                    columns.append(self._one(self._of[n], one))
                    labels.append((n, name) if several else n)
            names = MultiIndex.from_tuples(labels) if several else Index(labels)
            return self._framed(DataFrame._of(columns, names, index))
        if isinstance(func, (list, tuple)):
            func = _pairs(func)
            if part.ndim == 1:
                return self._framed(DataFrame._of([self._one(part, f) for _, f in func], Index([name for name, _ in func]), index))
            columns = [self._one(s, f) for _, s in part.items() for _, f in func]
            labels = [(n, name) for n in part.columns for name, _ in func]
            return self._framed(DataFrame._of(columns, MultiIndex.from_tuples(labels), index))
        if part.ndim == 1:
            return self._framed(Series._of(self._one(part, func, args, options), index, part.name))
        return self._framed(DataFrame._of([self._one(s, func, args, options) for _, s in part.items()], part.columns, index))

    aggregate = agg

    def _one(self, series, func, args=(), options={}):
        known = func if isinstance(func, str) else None
        if known is None and (getattr(func, "__module__", None) or "").startswith("numpy"):
            from ._series import _NUMPY

            known = _NUMPY.get(func.__name__)
        if known in _reduce.NAMES and known not in ("idxmin", "idxmax"):
            return self._per_group(known, series._column, True, {})
        call = (lambda s: getattr(s, func)()) if isinstance(func, str) else (lambda s: func(s, *args, **options))
        return infer([call(series._rows(places)) for _, places in self._groups])

    def apply(self, func, *args, include_groups=False, **options):
        part = self._selected(False)
        found = []
        for key, places in self._groups:
            rows = part._rows(places)
            try:
                object.__setattr__(rows, "name", self._key(key)) if rows.ndim == 2 else None
            except AttributeError:
                pass
            found.append(func(rows, *args, **options))
        index = self._index()
        if found and all(isinstance(x, Series) for x in found):
            if all(x.index.equals(found[0].index) for x in found) and part.ndim == 2:
                from ._frame import DataFrame

                made = DataFrame(found)
                made.index = index
                made.columns = found[0].index
                return self._framed(made)
            return self._stacked(found, index)
        if found and all(getattr(x, "ndim", 0) == 2 and hasattr(x, "_data") for x in found):
            return self._stacked(found, index)
        return self._framed(Series._of(infer(found), index, part.name if part.ndim == 1 else None))

    def _stacked(self, parts, index):
        from ._merge import concat

        made = concat(parts)
        if not self._group_keys:
            alike = all(p.index.equals(self._of.index.take(rows)) for p, (_, rows) in zip(parts, self._groups))
            if not alike:
                return made
            order = sorted(range(len(made)), key=[i for _, rows in self._groups for i in rows].__getitem__)
            return made._rows(order)
        keys = [
            c.take([i for i, p in enumerate(parts) for _ in range(len(p))])
            for c in (index._columns if index._multi else [index._column])
        ]
        inner = made.index
        made.index = MultiIndex._of_columns([*keys, inner._column], [*index.names, inner.name])
        return made

    def transform(self, func, *args, **options):
        part = self._selected()
        if part.ndim == 1:
            return self._spread(part, func, args, options)
        return self._of._of([self._spread(s, func, args, options)._column for _, s in part.items()], part.columns, part.index)

    def _spread(self, series, func, args, options):
        made = [C.NAN] * len(series)
        call = (lambda s: getattr(s, func)(*args, **options)) if isinstance(func, str) else (lambda s: func(s, *args, **options))
        if func in ("cumcount", "ngroup"):
            return getattr(self, func)(*args, **options)
        if func in ("first", "last"):
            call = lambda s: _reduce.reduce(func, s._column, **options)
        if func == "size":
            call = len
        for _, places in self._groups:
            found = call(series._rows(places))
            values = (
                found._column.boxed()
                if isinstance(found, Series)
                else list(found) if isinstance(found, np.ndarray) else [found] * len(places)
            )
            for i, x in zip(places, values):
                made[i] = x
        return Series._of(infer(made), series.index, series.name)

    def pct_change(self, periods=1, fill_method=None, freq=None):
        if fill_method is not None or freq is not None:
            raise NotImplementedError("pandas: groupby(...).pct_change(fill_method=, freq=) isn't here")
        return self.transform("pct_change", periods)

    def filter(self, func, dropna=True):
        part = self._selected(True)
        kept = sorted(i for _, places in self._groups if func(part._rows(places)) for i in places)
        return part._rows(kept)

    def _picked(self, choose):
        part = self._selected(True)
        return part._rows(sorted(i for _, places in self._groups for i in choose(places)))

    def _extreme(self, name, n, keep):
        part = self._selected()
        if part.ndim == 2:
            raise AttributeError(f"'DataFrameGroupBy' object has no attribute '{name}'")
        return self._stacked([getattr(part._rows(places), name)(n, keep) for _, places in self._groups], self._index())

    def nlargest(self, n=5, keep="first"):
        return self._extreme("nlargest", n, keep)

    def nsmallest(self, n=5, keep="first"):
        return self._extreme("nsmallest", n, keep)

    def corr(self, method="pearson", min_periods=1, numeric_only=False):
        part = self._selected()
        if part.ndim == 1:
            raise NotImplementedError("pandas: groupby(...).corr of one column isn't here")
        return self._stacked([part._rows(places).corr(method, min_periods, numeric_only) for _, places in self._groups], self._index())

    def head(self, n=5):
        return self._picked(lambda places: places[:n])

    def tail(self, n=5):
        return self._picked(lambda places: places[-n:] if n else [])

    def nth(self, n):
        return self._picked(lambda places: places[n : n + 1 or None] if -len(places) <= n < len(places) else [])

    def sample(self, n=None, frac=None, replace=False, weights=None, random_state=None):
        part, places = self._selected(True), []
        draw = np.random.RandomState(random_state) if isinstance(random_state, int) else random_state or np.random
        for _, group in self._groups:
            size = n if n is not None else 1 if frac is None else round(frac * len(group))
            places += [group[i] for i in draw.choice(len(group), size=size, replace=replace).tolist()]
        return part._rows(places)

    def value_counts(self, subset=None, normalize=False, sort=True, ascending=False, dropna=True, **options):
        part = self._selected()
        if part.ndim == 1:
            # A series has `bins` where a frame has `subset`.
            if isinstance(subset, bool):
                normalize = subset
            if options:
                raise NotImplementedError("pandas: groupby(...).value_counts(bins=) isn't here")
            names, inner = [part.name], [part._column]
        else:
            names = list(part.columns) if subset is None else [subset] if isinstance(subset, str) else list(subset)
            lacking = {n for n in names if n not in part.columns}
            if lacking:
                raise ValueError(f"Keys {lacking} in subset do not exist in the DataFrame.")
            inner = [part[n]._column for n in names]
        groups = [-1] * len(part)
        for number, (_, places) in enumerate(self._groups):
            for i in places:
                groups[i] = number
        counts, first = {}, {}
        for i, row in enumerate(zip(groups, *(c.items() for c in inner))):
            if row[0] < 0 or dropna and any(is_missing(x) for x in row[1:]):
                continue
            key = tuple(None if is_missing(x) else x for x in row)
            counts[key] = counts.get(key, 0) + 1
            first.setdefault(key, i)
        keys = list(counts)
        if sort:
            keys.sort(key=counts.__getitem__, reverse=not ascending)
        if self._sort:
            keys.sort(key=lambda key: key[0])
        rows = [first[key] for key in keys]
        found = np.array([counts[key] for key in keys], dtype=np.int64)
        if normalize:
            sums = {}
            for key, n in counts.items():
                sums[key[0]] = sums.get(key[0], 0) + n
            found = found / np.array([sums[key[0]] for key in keys])
        index = MultiIndex._of_columns([c.take(rows) for c in [*self._columns, *inner]], [*self._names, *names])
        made = Series._of(infer(found), index, "proportion" if normalize else "count")
        return made if self._as_index else made.reset_index()

    def describe(self, percentiles=None):
        part = self._selected()
        from ._frame import DataFrame

        if part.ndim == 1:
            made = DataFrame([part._rows(p).describe() for _, p in self._groups])
            made.index = self._index()
            return made
        tables = [(n, self[n].describe()) for n in part.columns if part[n]._column.is_number]
        columns = [c for _, t in tables for c in t._data]
        labels = [(n, label) for n, t in tables for label in t.columns]
        return DataFrame._of(columns, MultiIndex.from_tuples(labels), self._index())

    def unique(self):
        part = self._selected()
        return Series._of(Column(OBJECT, [part._rows(p).unique() for _, p in self._groups]), self._index(), part.name)

    def idxmax(self, **options):
        return self.agg(lambda s: s.idxmax())

    def idxmin(self, **options):
        return self.agg(lambda s: s.idxmin())


class _GroupResample:
    """`groupby(...).resample(...)`: periods in each group; results have the group's label before theirs."""

    def __init__(self, groups, rule, options):
        self._groups, self._rule, self._options, self._key = groups, rule, options, None

    def __getitem__(self, key):
        made = _GroupResample(self._groups, self._rule, self._options)
        made._key = key
        return made

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if self._key is None and name in self._groups._of.columns:
            return self[name]
        if name not in ("sum", "mean", "count", "min", "max", "median", "std", "var", "first", "last", "nunique", "prod", "size", "ffill", "bfill",
                        "asfreq", "agg", "aggregate"):
            raise NotImplementedError(f"pandas: groupby(...).resample(...).{name} isn't here")

        def call(*args, **kwargs):
            from ._merge import concat

            groups = self._groups
            part = groups._of.drop(columns=groups._own) if groups._own else groups._of
            parts, keys = [], []
            for key, places in groups._groups:
                found = part._rows(places).resample(self._rule, **self._options)
                parts.append(getattr(found if self._key is None else found[self._key], name)(*args, **kwargs))
                keys += [places[0]] * len(parts[-1])
            made = concat(parts)
            own, dates = made.index._column, part.index.name if self._options.get("on") is None else self._options["on"]
            made.index = MultiIndex._of_columns([*(c.take(keys) for c in groups._columns), own], [*groups._names, dates])
            return made

        return call


class _GroupWindow:
    """`groupby(...).rolling(...)`: a window in each group; results have the group's label before their own."""

    def __init__(self, groups, kind, options):
        self._groups, self._kind, self._options = groups, kind, options

    def __getitem__(self, key):
        return _GroupWindow(self._groups[key], self._kind, self._options)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

        def call(*args, **kwargs):
            from ._merge import concat

            groups, parts, keys, own = self._groups, [], [], []
            part = groups._selected()
            for key, places in groups._groups:
                rows = part._rows(places)
                parts.append(getattr(getattr(rows, self._kind)(**self._options), name)(*args, **kwargs))
                keys += [places[0]] * len(places)
                own += places
            made = concat(parts)
            index = part.index
            made.index = MultiIndex._of_columns(
                [*(c.take(keys) for c in groups._columns), *(c.take(own) for c in (index._columns if index._multi else [index._column]))],
                [*groups._names, *index.names])
            return made

        return call


def _specification(text):
    return type("SpecificationError", (Exception,), {"__module__": "pandas.errors"})(text)


def _called(func):
    return func if isinstance(func, str) else "<lambda>" if func.__name__ == "<lambda>" else func.__name__


def _add_methods():
    def reduction(name):
        def method(self, numeric_only=False, **options):
            options.pop("engine", None)
            return self._reduced(name, numeric_only, **options)

        return method

    def spread(name):
        return lambda self, *args, **options: self.transform(name, *args, **options)

    for name in (
        "sum",
        "prod",
        "mean",
        "median",
        "std",
        "var",
        "sem",
        "min",
        "max",
        "count",
        "nunique",
        "any",
        "all",
        "first",
        "last",
        "skew",
    ):
        setattr(GroupBy, name, reduction(name))
    for name in ("cumsum", "cumprod", "cummax", "cummin", "shift", "diff", "rank", "ffill", "bfill", "fillna"):
        setattr(GroupBy, name, spread(name))


_add_methods()
