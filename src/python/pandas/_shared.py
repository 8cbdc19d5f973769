"""What series and frames have in common: reading and writing by label and by place, operators, sums, missing values."""

import bisect
import functools

import numpy as np

from . import _columns as C
from . import _reduce
from ._columns import BOOL, OBJECT, STR, Column, is_missing
from ._index import Index, RangeIndex, as_index, mask_of, places_of
from .errors import warn_program

# pandas' own names that aren't here: using one says so, everything else is an AttributeError as in pandas.
ABSENT = set("""asfreq asof backfill bool combine ewm first_valid_index
flags from_records infer_objects isetitem last_valid_index pad reindex_like sparse struct style
to_clipboard to_excel to_feather to_gbq to_hdf to_latex to_orc to_parquet to_pickle to_records
to_sql to_stata to_xarray to_xml truncate tz_convert tz_localize view ravel searchsorted lookup
swapaxes list set_flags info""".split())


def late(of, name):
    """A method that is loaded when it's asked for; None if there's none of this name."""
    from . import _later

    if name not in _later.NAMES or name == "boxplot" and of.ndim == 1:
        return None
    made = functools.partial(getattr(_later, name), of)
    made.__name__ = name
    return made


def lacks(kind, name):
    if name in ABSENT:
        return NotImplementedError(f"pandas.{kind}.{name} isn't here")
    return AttributeError(f"'{kind}' object has no attribute '{name}'")


def is_one(key):
    """Whether a key is one label and not several."""
    return isinstance(key, (str, bytes, tuple)) or not hasattr(key, "__iter__") or getattr(key, "ndim", 1) == 0


def rows_by_label(index, key, axis="index"):
    """The place, slice or list of places for an argument of `loc`."""
    if isinstance(key, slice):
        first = 0 if key.start is None else index._bound(key.start, False)
        last = len(index) if key.stop is None else index._bound(key.stop, True)
        return slice(first, last, key.step)
    if is_one(key):
        if isinstance(key, np.generic):
            key = key.item()
        if index._multi and _several_labels(key):
            from ._later import places_of_levels

            return places_of_levels(index, key)
        if index._multi and not (isinstance(key, tuple) and len(key) == index.nlevels):
            return index._begin(key)[0]
        found = index.get_loc(key)
        return found if not isinstance(found, np.ndarray) else np.nonzero(found)[0].tolist()
    mask = _mask(key, index)
    if mask is not None:
        return mask
    labels = Index(key)._labels() if not isinstance(key, Index) else key._labels()
    if index._multi:
        return [i for label in labels for i in _several(rows_by_label(index, label))]
    known = index._places()
    lacking = (
        [x for x in labels if x not in known] if not isinstance(index, RangeIndex) else [x for x in labels if x not in index]
    )
    if lacking:
        if len(lacking) == len(labels):
            raise KeyError(f"None of [{Index(labels)!r}] are in the [{axis}]")
        raise KeyError(f"{lacking} not in index")
    return [i for x in labels for i in known[x]]


def _several_labels(key):
    """Whether a label has slices or lists of labels in its levels."""
    return isinstance(key, tuple) and any(isinstance(k, (slice, list)) for k in key)


def _several(found):
    return found if isinstance(found, list) else [found]


def _mask(key, index):
    """The places of a mask, if the key is one."""
    key = mask_of(key)
    column = getattr(key, "_column", None)
    if column is not None and not isinstance(key, Index):
        if (
            column.dtype == BOOL
            or column.dtype == OBJECT
            and all(isinstance(x, (bool, np.bool_)) for x in column.data)
            and column.data
        ):
            if not key.index.equals(index):
                if any(x not in key.index for x in index):
                    raise indexing_error(
                        "Unalignable boolean Series provided as indexer (index of the boolean Series and of the indexed "
                        "object do not match)."
                    )
                key = key.reindex(index)
                column = key._column
            return [i for i, x in enumerate(column.items()) if x]
        if (
            column.dtype == OBJECT
            and any(is_missing(x) for x in column.data)
            and all(is_missing(x) or isinstance(x, bool) for x in column.data)
        ):
            raise ValueError("Cannot mask with non-boolean array containing NA / NaN values")
        return None
    array = key if isinstance(key, np.ndarray) else None
    if array is None and hasattr(key, "__array__") and not isinstance(key, Index):
        array = np.asarray(key)
    if (
        array is not None
        and array.dtype.kind == "b"
        or isinstance(key, list)
        and key
        and all(isinstance(x, (bool, np.bool_)) for x in key)
    ):
        flags = array.tolist() if array is not None else key
        if len(flags) != len(index):
            raise IndexError(f"Boolean index has wrong length: {len(flags)} instead of {len(index)}")
        return [i for i, x in enumerate(flags) if x]
    return None


def indexing_error(text):
    from .errors import InvalidIndexError

    return type("IndexingError", (InvalidIndexError,), {"__module__": "pandas.errors"})(text)


def rows_by_place(length, key):
    if isinstance(key, slice):
        return key
    if (
        isinstance(key, (int, np.integer))
        and not isinstance(key, bool)
        or hasattr(key, "__index__")
        and not hasattr(key, "__len__")
    ):
        key = int(key)
        if not -length <= key < length:
            raise IndexError("single positional indexer is out-of-bounds")
        return key % length
    if isinstance(key, (str, float)):
        raise TypeError("Cannot index by location index with a non-integer key")
    if hasattr(key, "index") and hasattr(key, "_column") and key._column.dtype == BOOL:
        raise NotImplementedError("iLocation based boolean indexing on an integer type is not available")
    return places_of(key, length)


def _labels_like(given, index):
    """New labels: a list keeps the name of the old ones."""
    labels = as_index(given)
    if hasattr(given, "name") or labels._multi or index._multi or index.name is None:
        return labels
    return labels._renamed(index.name)



class _Indexer:
    def __init__(self, of):
        self._of = of

    def __call__(self, axis=None):
        return self

    def __getitem__(self, key):
        of = self._of
        if callable(key):
            key = key(of)
        if of.ndim == 1:
            if isinstance(key, tuple) and not of.index._multi:
                if len(key) > 1:
                    raise indexing_error("Too many indexers")
                (key,) = key
            found = self._rows(key)
            if isinstance(found, int):
                return of._column.at(found)
            if isinstance(found, slice):
                return of._rows_slice(found)
            made = of._rows(found)
            return self._shorter(made, key)
        rows, columns = self._both(key)
        if columns is None:
            return self._row(rows, key)
        if isinstance(columns, int):
            series = of._series_at(columns)
            if isinstance(rows, int):
                return series._column.at(rows)
            return series._rows_slice(rows) if isinstance(rows, slice) else self._shorter(series._rows(rows), key[0])
        part = of._columns_at(columns)
        return self._row(rows, key[0]) if part is of else type(self)(part)._row(rows, key[0])

    def _row(self, rows, key):
        of = self._of
        if isinstance(rows, int):
            return of._row_series(rows)
        if isinstance(rows, slice):
            return of._rows_slice(rows)
        return self._shorter(of._rows(rows), key)

    def _shorter(self, made, key):
        """Drops the leading levels of labels by which rows were chosen."""
        index = self._of.index
        if not isinstance(self, Loc) or not index._multi or not is_one(key) or isinstance(key, slice):
            return made
        if _several_labels(key):
            # A Series drops the levels of single labels; a frame keeps them all.
            single = [level for level, one in enumerate(key) if not isinstance(one, (slice, list))]
            if self._of.ndim == 1 and single:
                made.index = made.index.droplevel(single)
            return made
        made.index = index._begin(key)[1]
        return made

    def _both(self, key):
        of = self._of
        if isinstance(key, tuple) and not (of.index._multi and self._is_label(key)):
            if len(key) > 2:
                raise indexing_error("Too many indexers")
            rows = self._rows(key[0](of) if callable(key[0]) else key[0])
            return rows, self._columns(key[1]) if len(key) > 1 else None
        return self._rows(key), None

    def _is_label(self, key):
        return False

    def __setitem__(self, key, value):
        of = self._of
        if of.ndim == 1:
            if callable(key):
                key = key(of)
            try:
                found = self._rows(key)
            except KeyError:
                if not isinstance(self, Loc) or not is_one(key):
                    raise
                of._append_label(key, value)
                return
            of._put(_list(found, len(of)), value, isinstance(found, slice))
            return
        self._set_frame(key, value)

    def _set_frame(self, key, value):
        of = self._of
        rows, columns = key if isinstance(key, tuple) and not (of.index._multi and self._is_label(key)) else (key, slice(None))
        rows = rows(of) if callable(rows) else rows
        try:
            places = self._rows(rows)
        except KeyError:
            if not isinstance(self, Loc) or not is_one(rows):
                raise
            of._append_row(rows, columns, value)
            return
        single = isinstance(places, int)
        places = _list(places, len(of))
        try:
            at = self._columns(columns)
        except KeyError:
            if not isinstance(self, Loc) or not is_one(columns):
                raise
            of._append_column(columns, value, places)
            return
        at_one = isinstance(at, int)
        at = _list(at, len(of.columns))
        of._put(places, at, value, single, at_one)


def _list(found, length):
    return [found] if isinstance(found, int) else list(range(*found.indices(length))) if isinstance(found, slice) else found


def _nearest_places(known, asked, method):
    """For each label that's asked for, the place of the last one before it, or of the first one after it; -1 if there's none."""
    import bisect

    if any(a > b for a, b in zip(known, known[1:])):
        raise ValueError("index must be monotonic increasing or decreasing")
    if method in ("ffill", "pad"):
        return [bisect.bisect_right(known, x) - 1 for x in asked]
    found = [bisect.bisect_left(known, x) for x in asked]
    return [-1 if i == len(known) else i for i in found]


def _renamed_axis(index, name):
    """Labels with another name. A dictionary or a function renames the names that there are."""
    if not isinstance(name, dict) and not callable(name):
        return index.rename(name)
    new = (lambda n: name.get(n, n)) if isinstance(name, dict) else name
    return index.rename([new(n) for n in index.names] if index._multi else new(index.name))


class Loc(_Indexer):
    def _rows(self, key):
        return rows_by_label(self._of.index, key)

    def _columns(self, key):
        return rows_by_label(self._of.columns, key(self._of) if callable(key) else key, "columns")

    def _is_label(self, key):
        return (
            len(key) == self._of.index.nlevels
            and all(is_one(k) and not isinstance(k, slice) for k in key)
            and (len(key) > 2 or key in self._of.index or key[1] not in self._of.columns)
        )


class ILoc(_Indexer):
    def _rows(self, key):
        return rows_by_place(len(self._of), key)

    def _columns(self, key):
        count = len(self._of.columns)
        if isinstance(key, (int, np.integer)) and not -count <= key < count:
            raise IndexError(f"index {key} is out of bounds for axis 0 with size {count}")
        return rows_by_place(count, key)


class At(Loc):
    def __getitem__(self, key):
        rows = key[0] if isinstance(key, tuple) and self._of.ndim > 1 else key
        if not is_one(rows) or isinstance(rows, slice):
            raise (
                indexing_error("Invalid call for scalar access (getting)!")
                if self._of.ndim == 1
                else ValueError("Invalid call for scalar access (getting)!")
            )
        return super().__getitem__(key)


class IAt(ILoc):
    def __getitem__(self, key):
        if any(not isinstance(k, (int, np.integer)) for k in (key if isinstance(key, tuple) else (key,))):
            raise ValueError("iAt based indexing can only have integer indexers")
        return super().__getitem__(key)


# It has pandas' name for it, which Python says in errors about arguments: `NDFrame.fillna() got an unexpected keyword argument`.
class NDFrame:
    loc = property(lambda self: Loc(self))

    def interpolate(self, method="linear", *, axis=0, limit=None, inplace=False, limit_direction=None, limit_area=None, **options):
        from ._resample import interpolated

        return self._changed(interpolated(self, method, axis, limit, limit_direction, limit_area), inplace)

    def resample(self, rule, closed=None, label=None, convention=None, on=None, level=None, origin="start_day", offset=None,
                 group_keys=False):
        from ._resample import resampled

        return resampled(self, rule, closed, label, on, level, origin, offset)

    def combine_first(self, other):
        """Fills missing values, rows and columns from another object."""
        from ._resample import combined

        return combined(self, other)

    iloc = property(lambda self: ILoc(self))
    at = property(lambda self: At(self))
    iat = property(lambda self: IAt(self))
    attrs = property(lambda self: {})
    __hash__ = None

    def _done(self, made, inplace):
        """The return value of a method with `inplace`: the result, or None after the object was changed."""
        if not inplace:
            return made
        self._take_over(made)
        return None

    def _changed(self, made, inplace):
        """As `_done`, for methods that return the changed object."""
        if inplace:
            self._take_over(made)
        return self if inplace else made

    def _take_over(self, made):
        self.__dict__.update(made.__dict__)

    def _mapped(self, change):
        """A copy with the same labels, in which a function has changed each column."""
        return self._like(change(self._column))

    def head(self, n=5):
        return self.iloc[:n]

    def tail(self, n=5):
        return self.iloc[max(len(self) - n, 0) :] if n >= 0 else self.iloc[-n:]

    def copy(self, deep=True):
        return self._mapped(lambda c: c)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def pipe(self, func, *args, **options):
        return func(self, *args, **options)

    def squeeze(self, axis=None):
        if self.ndim == 1:
            return self.iloc[0] if len(self) == 1 else self
        if self.shape == (1, 1):
            return self.iloc[0, 0]
        return self.iloc[:, 0] if self.shape[1] == 1 else self.iloc[0] if self.shape[0] == 1 else self

    def take(self, indices, axis=0):
        return self.iloc[list(indices)] if axis in (0, "index") else self.iloc[:, list(indices)]

    def set_axis(self, labels, axis=0):
        made = self.copy()
        if axis in (1, "columns"):
            made.columns = labels
        else:
            made.index = labels
        return made

    def rename_axis(self, mapper=None, axis=0, index=None, columns=None):
        made = self.copy()
        if columns is not None or axis in (1, "columns"):
            made.columns = _renamed_axis(self.columns, columns if columns is not None else mapper)
        if index is not None or axis in (0, "index") and columns is None:
            made.index = _renamed_axis(self.index, mapper if index is None else index)
        return made

    def add_prefix(self, prefix, axis=None):
        return self.set_axis(
            [f"{prefix}{x}" for x in (self.index if self.ndim == 1 else self.columns)], 0 if self.ndim == 1 else 1
        )

    def add_suffix(self, suffix, axis=None):
        return self.set_axis(
            [f"{x}{suffix}" for x in (self.index if self.ndim == 1 else self.columns)], 0 if self.ndim == 1 else 1
        )

    def sample(self, n=None, frac=None, replace=False, weights=None, random_state=None, axis=0, ignore_index=False):
        if axis in (1, "columns"):
            raise NotImplementedError("pandas: sample(axis=1)")
        if n is not None and frac is not None:
            raise ValueError("Please enter a value for `frac` OR `n`, not both")
        draw = (
            np.random.RandomState(random_state)
            if isinstance(random_state, (int, np.integer))
            else np.random if random_state is None else random_state
        )
        size = round(frac * len(self)) if frac is not None else 1 if n is None else n
        if size < 0:
            raise ValueError("A negative number of rows requested. Please provide `n` >= 0")
        if weights is not None:
            weights = self[weights] if isinstance(weights, str) else weights
            weights = np.asarray(weights.to_numpy() if isinstance(weights, Shared) else weights, dtype=np.float64)
            weights = weights / weights.sum()
        if size > len(self) and not replace:
            if frac is not None:
                raise ValueError("Replace has to be set to `True` when upsampling the population `frac` > 1.")
            raise ValueError("Cannot take a larger sample than population when 'replace=False'")
        places = draw.choice(len(self), size=size, replace=replace, p=weights)
        made = self.iloc[places.tolist()]
        return made.reset_index(drop=True) if ignore_index else made

    def sort_index(
        self,
        axis=0,
        level=None,
        ascending=True,
        inplace=False,
        kind="quicksort",
        na_position="last",
        sort_remaining=True,
        ignore_index=False,
        key=None,
    ):
        labels = self.columns if axis in (1, "columns") else self.index
        column = labels._column
        if level is not None and labels._multi:
            levels = list(level) if isinstance(level, (list, tuple)) else [level]
            if sort_remaining:
                places = [labels._level(one) for one in levels]
                levels = places + [i for i in range(labels.nlevels) if i not in places]
            if isinstance(ascending, (list, tuple)):
                raise NotImplementedError("pandas: sort_index(level=, ascending=[...])")
            columns = [labels.get_level_values(one)._column for one in levels]
            column = columns[0] if len(columns) == 1 else Column(C.OBJECT, list(zip(*[c.items() for c in columns])))
        order = C.order_of(column if key is None else key(labels)._column, ascending, na_position)
        made = self.iloc[:, order] if axis in (1, "columns") else self.iloc[order]
        return self._done(made.reset_index(drop=True) if ignore_index else made, inplace)

    def reindex(self, index=None, columns=None, fill_value=C.NAN, labels=None, axis=None, method=None):
        if method is not None:
            if method not in ("ffill", "pad", "bfill", "backfill") or columns is not None or axis in (1, "columns"):
                raise NotImplementedError(f"pandas: reindex(method={method!r}) of columns, or of this method")
            labels = as_index(index if index is not None else labels)
            places = _nearest_places(self.index.tolist(), labels.tolist(), method)
            if self.ndim == 1:
                return type(self)._of(self._column.taken(places, fill_value), labels, self._name)
            return self._of([c.taken(places, fill_value) for c in self._data], self.columns, labels)
        if self.ndim == 1:
            labels = _labels_like(index if index is not None else labels, self.index)
            return type(self)._of(self._column.taken(self._places_for(self.index, labels), fill_value), labels, self._name)
        if labels is not None or axis is not None:
            index, columns = (
                (None, labels if labels is not None else index)
                if axis in (1, "columns")
                else (labels if labels is not None else index, columns)
            )
        made = self
        if index is not None:
            labels = _labels_like(index, self.index)
            places = self._places_for(self.index, labels)
            made = made._of([c.taken(places, fill_value) for c in made._data], made.columns, labels)
        if columns is not None:
            labels = _labels_like(columns, made.columns)
            places = self._places_for(made.columns, labels)
            empty = lambda: C.constant(fill_value, len(made))
            made = made._of([made._data[i] if i >= 0 else empty() for i in places], labels, made.index)
        return made

    @staticmethod
    def _places_for(index, labels):
        if index is labels:
            return list(range(len(index)))
        if not index.is_unique:
            raise ValueError("cannot reindex on an axis with duplicate labels")
        known = index._places()
        return [known.get(None if is_missing(x) else x, [-1])[0] for x in labels._labels()]

    def drop(self, labels=None, axis=0, index=None, columns=None, level=None, inplace=False, errors="raise"):
        if labels is not None:
            if index is not None or columns is not None:
                raise ValueError("Cannot specify both 'labels' and 'index'/'columns'")
            index, columns = (None, labels) if axis in (1, "columns") else (labels, None)
        elif index is None and columns is None:
            raise ValueError("Need to specify at least one of 'labels', 'index' or 'columns'")
        made = self
        if index is not None:
            made = made.iloc[_kept(made.index, index, errors)]
        if columns is not None and self.ndim == 2:
            made = made._columns_at(_kept(made.columns, columns, errors))
        return self._done(made if made is not self else self.copy(), inplace)

    # Missing values.

    def isna(self):
        return self._mapped(lambda c: Column(BOOL, np.array(c.missing(), dtype=bool)))

    isnull = isna

    def notna(self):
        return self._mapped(lambda c: Column(BOOL, ~np.array(c.missing(), dtype=bool)))

    notnull = notna

    def _filled(self, method, limit=None):
        def change(column):
            gaps, places, last, run = column.missing(), [], -1, 0
            order = range(len(gaps)) if method == "ffill" else range(len(gaps) - 1, -1, -1)
            found = [0] * len(gaps)
            for i in order:
                last, run = (i, 0) if not gaps[i] else (last, run + 1)
                found[i] = i if not gaps[i] or last < 0 or limit is not None and run > limit else last
            places = found
            return column.take(places)

        return self._mapped(change)

    def ffill(self, axis=None, inplace=False, limit=None):
        return self._changed(self._along(axis, lambda of: of._filled("ffill", limit)), inplace)

    def bfill(self, axis=None, inplace=False, limit=None):
        return self._changed(self._along(axis, lambda of: of._filled("bfill", limit)), inplace)

    def _along(self, axis, change):
        """`change` of the columns, or of the rows if that is the axis."""
        return change(self.T).T.infer_objects() if axis in (1, "columns") else change(self)

    def xs(self, key, axis=0, level=None, drop_level=True):
        """Rows that have one label at a level."""
        if axis not in (0, "index"):
            raise NotImplementedError("pandas: xs(axis=1)")
        if level is None:
            if drop_level:
                return self.loc[key]
            if isinstance(key, tuple):
                raise NotImplementedError("pandas: xs(drop_level=False) of several labels")
            level = 0
        at = self.index._level(level)
        labels = self.index._labels()
        places = [i for i, label in enumerate(labels) if label[at] == key]
        if not places and isinstance(key, str):
            # A date or a length of time that is written as a string.
            key = self.index.get_level_values(at)._as_label(key)
            places = [i for i, label in enumerate(labels) if label[at] == key]
        if not places:
            raise KeyError(key)
        made = self._rows(places)
        if drop_level:
            made.index = made.index.droplevel(at)
        return made

    def swaplevel(self, i=-2, j=-1, axis=0):
        if axis not in (0, "index"):
            raise NotImplementedError("pandas: swaplevel(axis=1)")
        made, index = self.copy(), self.index
        order = list(range(index.nlevels))
        a, b = index._level(i), index._level(j)
        order[a], order[b] = b, a
        made.index = type(index)._of_columns([index._columns[k] for k in order], [index._names[k] for k in order])
        return made

    def fillna(self, value=None, axis=None, inplace=False, limit=None):
        if value is None:
            raise TypeError("NDFrame.fillna() missing 1 required positional argument: 'value'")
        if self.ndim == 1:
            made = self._like(_fill(self._column, value, self.index))
        elif isinstance(value, dict) or getattr(value, "ndim", 0) == 1:
            values = value if isinstance(value, dict) else dict(value.items())
            made = self._of(
                [_fill(c, values[n], self.index) if n in values else c for n, c in zip(self.columns, self._data)],
                self.columns,
                self.index,
            )
        else:
            made = self._mapped(lambda c: _fill(c, value, self.index))
        return self._changed(made, inplace)

    def replace(self, to_replace=None, value=C.NAN, inplace=False, regex=False, limit=None, method=None):
        from ._replace import replaced

        return self._changed(replaced(self, to_replace, value, regex), inplace)

    def clip(self, lower=None, upper=None, axis=None, inplace=False):
        def change(column):
            made = column.data
            for bound, function in ((lower, np.maximum), (upper, np.minimum)):
                if bound is not None:
                    bound = bound.to_numpy() if isinstance(bound, Shared) else bound
                    made = function(made, bound)
            return Column(made.dtype, made)

        return self._changed(self._mapped(change), inplace)

    def round(self, decimals=0):
        def change(column, digits):
            if column.dtype in (C.DATETIME, C.TIMEDELTA) or isinstance(column.dtype, C.PeriodDtype):
                warn_program("obj.round has no effect with datetime, timedelta, or period dtypes. Use obj.dt.round(...) instead.")
            if not column.numeric or column.dtype.kind not in "f":
                return column
            made = np.round(column.data, digits)
            return Column(made.dtype, made)

        if self.ndim == 1 or isinstance(decimals, int):
            return self._mapped(lambda c: change(c, decimals))
        return self._of(
            [change(c, decimals[n]) if n in decimals else c for n, c in zip(self.columns, self._data)], self.columns, self.index
        )

    def shift(self, periods=1, freq=None, axis=0, fill_value=C.NAN):
        if freq is not None:
            from ._offsets import moved

            made = self.copy()
            made.index = moved(self.index, freq, periods)
            return made
        return self._along(axis, lambda of: of._mapped(lambda c: _reduce.shifted(c, periods, fill_value)))

    def diff(self, periods=1, axis=0):
        def change(column):
            if column.dtype == BOOL:
                column = Column(OBJECT, column.items())
            return C.compute("sub", column, _reduce.shifted(column, periods, C.NAN))

        return self._along(axis, lambda of: of._mapped(change))

    def pct_change(self, periods=1):
        return self / self.shift(periods) - 1

    def rank(self, axis=0, method="average", numeric_only=False, na_option="keep", ascending=True, pct=False):
        of = self._numbers() if numeric_only and self.ndim == 2 else self
        return of._along(axis, lambda of: of._mapped(lambda c: _reduce.ranks(c, method, ascending, pct)))

    def rolling(self, window, min_periods=None, center=False, **options):
        from ._window import Window, Windowed

        if options.get("win_type") is not None:
            return Windowed(self, window, window if min_periods is None else min_periods, center, options)
        for name, value in options.items():
            if name not in ("win_type", "on", "closed", "step", "method"):
                raise TypeError(f"{type(self).__name__}.rolling() got an unexpected keyword argument '{name}'")
            if value not in (None, "single") and (name != "closed" or not isinstance(window, (int, np.integer)) or center):
                raise NotImplementedError(f"pandas: rolling({name}=) isn't here")
        least = (window if isinstance(window, (int, np.integer)) else 1) if min_periods is None else min_periods
        return Window(self, window, least, center, options.get("closed") or "right")

    def asfreq(self, freq, method=None, fill_value=C.NAN):
        from ._offsets import date_range

        moments = date_range(self.index.min(), self.index.max(), freq=freq, name=self.index.name)
        if method is None:
            return self.reindex(moments, fill_value=fill_value)
        known, after = self.index.tolist(), method in ("bfill", "backfill")
        made = self._rows([bisect.bisect_left(known, x) if after else bisect.bisect_right(known, x) - 1 for x in moments])
        made.index = moments
        return made

    def infer_objects(self, copy=None):
        return self._mapped(lambda c: C.infer(list(c.data)) if c.dtype == OBJECT else c)

    def truncate(self, before=None, after=None, axis=0, copy=None):
        if not self.index.is_monotonic_increasing:
            raise ValueError("truncate requires a sorted index")
        return self.loc[before:after]

    def first_valid_index(self):
        there = [i for i, row in enumerate(zip(*[c.missing() for c in self._columns_of()])) if not all(row)]
        return self.index[there[0]] if there else None

    def last_valid_index(self):
        there = [i for i, row in enumerate(zip(*[c.missing() for c in self._columns_of()])) if not all(row)]
        return self.index[there[-1]] if there else None

    def _columns_of(self):
        return [self._column] if self.ndim == 1 else self._data

    def expanding(self, min_periods=1):
        from ._window import Window

        return Window(self, None, min_periods, False)

    def ewm(self, com=None, span=None, halflife=None, alpha=None, min_periods=0, adjust=True):
        from ._window import Weighted

        return Weighted(self, com, span, halflife, alpha, adjust)

    def equals(self, other):
        if type(self) is not type(other) or self.shape != other.shape or not self.index.equals(other.index):
            return False
        if self.ndim == 2 and not self.columns.equals(other.columns):
            return False
        pairs = [(self._column, other._column)] if self.ndim == 1 else zip(self._data, other._data)
        return all(
            a.dtype == b.dtype and all(x == y or is_missing(x) and is_missing(y) for x, y in zip(a.items(), b.items()))
            for a, b in pairs
        )

    def astype(self, dtype, copy=True, errors="raise"):
        if errors == "ignore":
            try:
                return self.astype(dtype)
            except (TypeError, ValueError):
                return self
        if self.ndim == 1:
            if isinstance(dtype, dict):
                (dtype,) = dtype.values()
            return self._like(self._column.astype(dtype))
        if isinstance(dtype, dict):
            for name in dtype:
                if name not in self.columns:
                    raise KeyError(
                        f"Only a column name can be used for the key in a dtype mappings argument. '{name}' not found in "
                        "columns."
                    )
            made = []
            for n, c in zip(self.columns, self._data):
                try:
                    made.append(c.astype(dtype[n]) if n in dtype else c)
                except ValueError as e:
                    e.args = (f"{e}: Error while type casting for column '{n}'",)
                    raise
            return self._of(made, self.columns, self.index)
        return self._mapped(lambda c: c.astype(dtype))

    def to_csv(
        self,
        path_or_buf=None,
        sep=",",
        na_rep="",
        float_format=None,
        columns=None,
        header=True,
        index=True,
        index_label=None,
        mode="w",
        encoding=None,
        quoting=None,
        lineterminator=None,
        date_format=None,
        **options,
    ):
        from ._files import written

        for name in options:
            if name not in _OPTIONS["to_csv"]:
                raise TypeError(f"NDFrame.to_csv() got an unexpected keyword argument '{name}'")
            raise NotImplementedError(f"pandas: to_csv({name}=) isn't here")
        options = {"date_format": date_format}

        return written(
            self if self.ndim == 2 else self.to_frame(),
            path_or_buf,
            sep,
            na_rep,
            float_format,
            columns,
            header,
            index,
            index_label,
            mode,
            encoding,
            quoting,
            lineterminator,
            options,
        )

    def to_json(
        self, path_or_buf=None, orient=None, date_format=None, double_precision=10, force_ascii=True, date_unit="ms", default_handler=None,
        lines=False, indent=None, index=None, **options,
    ):
        from ._files import JsonForm, written_json

        form = JsonForm(date_format, double_precision, date_unit, default_handler, force_ascii, index)
        return written_json(self, path_or_buf, orient, lines, indent, form)

    def to_markdown(self, *args, **options):
        raise ImportError("`Import tabulate` failed.  Use pip, conda, or your preferred package management tool to install the tabulate package.")


Shared = NDFrame


def _kept(index, labels, errors):
    """The places of the labels that stay."""
    labels = [labels] if is_one(labels) else list(labels)
    if index._multi:
        gone = set()
        for label in labels:
            gone.update(_several(rows_by_label(index, label)))
        return [i for i in range(len(index)) if i not in gone]
    lacking = [x for x in labels if x not in index]
    if lacking and errors != "ignore":
        raise KeyError(f"{lacking} not found in axis")
    gone = {
        i for x in labels if x in index for i in ([index.get_loc(x)] if isinstance(index, RangeIndex) else index._places()[x])
    }
    return [i for i in range(len(index)) if i not in gone]


def _fill(column, value, index):
    gaps = column.missing()
    places = [i for i, gone in enumerate(gaps) if gone]
    if not places:
        return column
    if isinstance(value, Shared):
        found = value.reindex(index)._column.take(places).items()
    elif isinstance(value, dict):
        found = [value.get(index[i], C.NAN) for i in places]
    else:
        found = [value] * len(places)
    if column.dtype == OBJECT or column.dtype == STR and not all(isinstance(x, str) or is_missing(x) for x in found):
        items = list(column.data)
        for i, x in zip(places, found):
            items[i] = x
        return Column(OBJECT, items)
    return column.set(places, found)


def extremes(column, n, keep, largest):
    """The places of the largest or smallest items; of equal ones the first, the last or all."""
    if keep not in ("first", "last", "all"):
        raise ValueError('keep must be either "first", "last" or "all"')
    order = C.order_of(column, not largest)
    if keep == "first":
        return order[:n]
    items = column.items()
    known = [i for i in order if not is_missing(items[i])]
    if keep == "last":
        known.sort(key=lambda i: -i)
        known.sort(key=items.__getitem__, reverse=largest)
        return known[:n]
    return [i for k, i in enumerate(known) if k < n or items[i] == items[known[n - 1]]] if n > 0 else []


# The options that pandas has beside those that are here. Others have no meaning there, either.
_OPTIONS = {
    "rename": {"level"}, "rolling": {"on", "closed", "step", "method"}, "query": {"parser", "engine", "local_dict", "level", "target"},
    "to_csv": {"compression", "quotechar", "chunksize", "doublequote", "escapechar", "decimal", "errors", "storage_options"},
}


def refusing(cls, table):
    """Makes methods refuse options that they have but don't heed, by name. `table` has `method:option,option`."""

    def refused(function, options):
        names = function.__code__.co_varnames[: function.__code__.co_argcount + function.__code__.co_kwonlyargcount]
        values = function.__defaults__ or ()
        usual = dict(zip(names[function.__code__.co_argcount - len(values):], values), **(function.__kwdefaults__ or {}))

        @functools.wraps(function)
        def method(*args, **named):
            for option in options:
                at = names.index(option) if option in names else len(args)
                given = args[at] if at < len(args) else named.get(option, usual.get(option))
                same = given is usual.get(option) or given is None or option == "axis" and given in (0, "index", "rows")
                if not same and not (type(given) in (bool, int, str) and given == usual.get(option)):
                    raise NotImplementedError(f"pandas: {function.__name__}({option}=) isn't here")
            if "options" in options:
                strange = [name for name in named if name not in names and name != "copy"]
                if strange:
                    if strange[0] not in _OPTIONS.get(function.__name__, strange):
                        raise TypeError(f"{function.__qualname__}() got an unexpected keyword argument '{strange[0]}'")
                    raise NotImplementedError(f"pandas: {function.__name__}({strange[0]}=) isn't here")
            return function(*args, **named)

        return method

    for part in table.split():
        name, _, options = part.partition(":")
        setattr(cls, name, refused(vars(cls)[name], options.split(",")))


def operator_methods(cls):
    """`+` and its like, and the methods that do the same."""

    def binary(name, swapped):
        def method(self, other):
            return self._operated(name, other, swapped)

        return method

    def named(name, swapped):
        def method(self, other, axis="columns", level=None, fill_value=None):
            return (
                self._operated(name, other, swapped, fill_value)
                if self.ndim == 1
                else self._operated(name, other, swapped, fill_value, axis)
            )

        return method

    for name in C.ARITHMETIC:
        setattr(cls, f"__{name}__", binary(name, False))
        setattr(cls, f"__r{name}__", binary(name, True))
        if name not in ("and", "or", "xor"):
            setattr(cls, name, named(name, False))
            setattr(cls, f"r{name}", named(name, True))
    for name in C.COMPARISON:
        setattr(cls, f"__{name}__", binary(name, False))
        setattr(cls, name, named(name, False))
    cls.div = cls.divide = cls.truediv
    cls.rdiv = cls.rtruediv
    cls.multiply, cls.subtract = cls.mul, cls.sub

    def reduction(name):
        def method(self, axis=0, skipna=True, numeric_only=False, **options):
            return self._reduced(name, axis, skipna, numeric_only, **options)

        method.__name__ = name
        return method

    for name in ("sum", "prod", "mean", "median", "std", "var", "sem", "min", "max", "count", "any", "all", "skew", "kurt"):
        setattr(cls, name, reduction(name))
    cls.product, cls.kurtosis = cls.prod, cls.kurt

    def running(name):
        def method(self, axis=0, skipna=True, numeric_only=False):
            if numeric_only and self.ndim == 2:
                self = self._numbers()
            if axis not in (None, 0, "index", "rows") and (self.ndim == 1 or axis not in (1, "columns")):
                raise ValueError(f"No axis named {axis} for object type {type(self).__name__}")
            if not skipna and self.isna().to_numpy().any():
                raise NotImplementedError(f"pandas: {name}(skipna=False) of missing values isn't here")
            if axis in (1, "columns"):
                return method(self.T).T
            return self._mapped(lambda c: _reduce.running(name, c))

        return method

    for name in ("cumsum", "cumprod", "cummax", "cummin"):
        setattr(cls, name, running(name))
    cls.__hash__ = None
    return cls


refusing(Shared, """add_prefix:axis add_suffix:axis clip:axis drop:level ewm:min_periods fillna:axis,limit interpolate:options rank:na_option
replace:limit,method resample:convention sort_index:sort_remaining squeeze:axis
truncate:axis""")
