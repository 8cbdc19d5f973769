"""What few programs ask of frames and series, loaded when one does."""

import datetime

import numpy as np

from . import _columns as C
from ._columns import BOOL, Column, is_missing
from ._index import DatetimeIndex, Index, MultiIndex

NAMES = ("align", "at_time", "between_time", "boxplot", "compare", "convert_dtypes", "droplevel", "reorder_levels", "to_period", "to_timestamp")


class _IndexSlice:
    """`IndexSlice[...]`: what is between the brackets, for `loc`."""

    def __getitem__(self, key):
        return key


def _differ(a, b):
    return [not (is_missing(x) and is_missing(y)) and (is_missing(x) or is_missing(y) or bool(x != y)) for x, y in zip(a.items(), b.items())]


def compare(of, other, align_axis=1, keep_shape=False, keep_equal=False, result_names=("self", "other")):
    """Where two frames or series of the same shape differ."""
    from ._frame import DataFrame
    from ._series import Series

    kind = type(of).__name__
    if type(of) is not type(other):
        raise TypeError(f"can only compare '{kind}' (not '{type(other).__name__}') with '{kind}'")
    if not isinstance(result_names, tuple):
        raise TypeError(f"Passing 'result_names' as a {type(result_names)} is not supported. Provide 'result_names' as a tuple instead.")
    frame = of.ndim == 2
    if not of.index.equals(other.index) or frame and not of.columns.equals(other.columns):
        raise ValueError(f"Can only compare identically-labeled {'(both index and columns) DataFrame' if frame else 'Series'} objects")
    pairs = list(zip(of._data, other._data)) if frame else [(of._column, other._column)]
    masks, names = [_differ(a, b) for a, b in pairs], list(of.columns) if frame else [of.name]
    index = of.index
    if not keep_shape:
        rows = [i for i in range(len(of)) if any(m[i] for m in masks)]
        kept = [j for j, m in enumerate(masks) if any(m)] if frame else [0]
    else:
        rows, kept = list(range(len(of))), list(range(len(pairs)))

    def shown(column, mask):
        part = Series._of(column, index)
        return (part if keep_equal else part.where(Series._of(Column(BOOL, np.array(mask, dtype=bool)), index)))._column.take(rows)

    columns = [(shown(pairs[j][0], masks[j]), shown(pairs[j][1], masks[j])) for j in kept]
    index = index.take(rows)
    if align_axis in (1, "columns"):
        flat = [c for pair in columns for c in pair]
        if not frame:
            return DataFrame._of(flat, Index(list(result_names)), index)
        return DataFrame._of(flat, MultiIndex.from_tuples([(names[j], n) for j in kept for n in result_names], names=[of.columns.name, None]), index)
    count = len(rows)
    order = [k for i in range(count) for k in (i, count + i)]
    labels = MultiIndex.from_tuples([(*(label if isinstance(label, tuple) else (label,)), n) for label in index for n in result_names],
                                    names=[*index.names, None])
    mixed = [C.concat(list(pair)).take(order) for pair in columns]
    return DataFrame._of(mixed, Index([names[j] for j in kept]), labels) if frame else Series._of(mixed[0], labels, of.name)


def align(of, other, join="outer", axis=None, level=None, copy=None, fill_value=None):
    """Both with the same labels: those of one, of either or of both."""
    if level is not None:
        raise NotImplementedError("pandas: align(level=) isn't here")
    if not hasattr(other, "_column" if of.ndim == 1 else "_data"):
        if of.ndim == 2 and hasattr(other, "_column"):
            raise NotImplementedError("pandas: align of a frame with a series isn't here")
        raise TypeError(f"unsupported type: {type(other)}")
    if of.ndim == 1 and hasattr(other, "_data"):
        raise NotImplementedError("pandas: align of a series with a frame isn't here")
    if join not in ("outer", "inner", "left", "right"):
        raise ValueError(f"{join}")
    fill = C.NAN if fill_value is None else fill_value

    def joined(a, b):
        if a.equals(b) or join == "left":
            return a
        return b if join == "right" else a.union(b) if join == "outer" else a.intersection(b)

    index = joined(of.index, other.index) if axis in (None, 0, "index") else None
    if of.ndim == 1:
        return of.reindex(index, fill_value=fill), other.reindex(index, fill_value=fill)
    columns = joined(of.columns, other.columns) if axis in (None, 1, "columns") else None
    return of.reindex(index, columns, fill), other.reindex(index, columns, fill)


def convert_dtypes(of, infer_objects=True, convert_string=True, convert_integer=True, convert_boolean=True, convert_floating=True,
                   dtype_backend="numpy_nullable"):
    """The dtypes that have `pd.NA`; strings stay as they are."""
    from ._nullable import convert, of_numpy

    if dtype_backend != "numpy_nullable":
        raise NotImplementedError(f"pandas: convert_dtypes(dtype_backend={dtype_backend!r}) isn't here")

    def change(column):
        if column.dtype == C.OBJECT and infer_objects:
            full = [x for x in column.data if not is_missing(x)]
            found = C.infer(full)
            if len(full) < len(column) and full and getattr(found.dtype, "kind", "") in "bif" and isinstance(found.dtype, np.dtype):
                return convert(column, of_numpy(found.dtype))
            column = C.infer(list(column.data))
        kind = column.dtype.kind if isinstance(column.dtype, np.dtype) else column.dtype.kind if column.nullable else ""
        if kind == "f" and convert_integer and (full := [x for x in column.items() if not is_missing(x)]) and all(x == int(x) for x in full
                                                                                                      if abs(x) < 2 ** 62):
            return convert(column, as_nullable("Int64"))
        wanted = {"f": convert_floating, "i": convert_integer, "u": convert_integer, "b": convert_boolean}.get(kind, False)
        return convert(column, of_numpy(column.dtype)) if wanted and not column.nullable else column

    return of._mapped(change)


def as_nullable(name):
    from ._nullable import KNOWN

    return KNOWN[name]


def _moment(time):
    if isinstance(time, datetime.time):
        return time
    for form in ("%H:%M", "%H%M", "%I:%M%p", "%I%M%p", "%H:%M:%S", "%H%M%S", "%I:%M:%S%p", "%I%M%S%p"):
        try:
            return datetime.datetime.strptime(time, form).time()
        except ValueError:
            pass
    raise ValueError(f"Cannot convert arg ['{time}'] to a time")


def _at(of, chosen):
    if not isinstance(of.index, DatetimeIndex):
        raise TypeError("Index must be DatetimeIndex")
    places = [i for i, x in enumerate(of.index) if not is_missing(x) and chosen(x.time())]
    whole = places and places == list(range(places[0], places[-1] + 1))
    return of._rows_slice(slice(places[0], places[-1] + 1)) if whole else of._rows(places)


def at_time(of, time, asof=False, axis=None):
    if asof:
        raise NotImplementedError("'asof' argument is not supported")
    if axis not in (None, 0, "index"):
        raise NotImplementedError("pandas: at_time(axis=1) isn't here")
    wanted = _moment(time)
    return _at(of, lambda t: t == wanted)


def between_time(of, start_time, end_time, inclusive="both", axis=None):
    if inclusive not in ("both", "neither", "left", "right"):
        raise ValueError("Inclusive has to be either 'both', 'neither', 'left' or 'right'")
    if axis not in (None, 0, "index"):
        raise NotImplementedError("pandas: between_time(axis=1) isn't here")
    first, last = _moment(start_time), _moment(end_time)
    after = (lambda t: t >= first) if inclusive in ("both", "left") else lambda t: t > first
    before = (lambda t: t <= last) if inclusive in ("both", "right") else lambda t: t < last
    return _at(of, (lambda t: after(t) and before(t)) if first <= last else lambda t: after(t) or before(t))


def _relabelled(of, axis, change):
    made = of.copy()
    if of.ndim == 2 and axis in (1, "columns"):
        made.columns = change(of.columns)
    else:
        made.index = change(of.index)
    return made


def droplevel(of, level, axis=0):
    """Without one or more levels of the labels."""

    def change(index):
        gone = level if isinstance(level, (list, tuple)) else [level]
        if not index._multi or len(gone) >= index.nlevels:
            raise ValueError(f"Cannot remove {len(gone)} levels from an index with {index.nlevels} levels: at least one level must be left.")
        places = {index._level(one) for one in gone}
        return index._levels_at([i for i in range(index.nlevels) if i not in places])

    return _relabelled(of, axis, change)


def reorder_levels(of, order, axis=0):
    def change(index):
        if not index._multi:
            raise TypeError("Can only reorder levels on a hierarchical axis.")
        if len(order) != index.nlevels:
            raise AssertionError(f"Length of order must be same as number of levels ({index.nlevels}), got {len(order)}")
        return index._levels_at([index._level(one) for one in order])

    return _relabelled(of, axis, change)


def to_period(of, freq=None, axis=0, copy=None):
    from ._periods import relabelled

    return relabelled(of, "to_period", freq, axis=axis)


def to_timestamp(of, freq=None, how="start", axis=0, copy=None):
    from ._periods import relabelled

    return relabelled(of, "to_timestamp", freq, how, axis)


def places_of_levels(index, key):
    """The places for a label with slices or lists in some of its levels."""
    rows = list(range(len(index)))
    for level, one in enumerate(key):
        labels = index._columns[level].items()
        if isinstance(one, slice):
            if one.step is not None:
                raise NotImplementedError("pandas: a slice of labels with a step")
            if one == slice(None):
                continue
            ordered = index._column.data
            if any(a > b for a, b in zip(ordered, ordered[1:])):
                from .errors import UnsortedIndexError

                raise UnsortedIndexError(f"MultiIndex slicing requires the index to be lexsorted: slicing on levels [{level}], lexsort depth 0")
            rows = [i for i in rows if (one.start is None or labels[i] >= one.start) and (one.stop is None or labels[i] <= one.stop)]
        elif isinstance(one, (list, tuple, np.ndarray, Index)):
            wanted = list(one)
            lacking = [x for x in wanted if x not in labels]
            if lacking:
                raise KeyError(lacking[0])
            rows = [i for i in rows if labels[i] in wanted]
        else:
            if one not in labels:
                raise KeyError(one)
            rows = [i for i in rows if labels[i] == one]
    return rows


def boxplot(of, column=None, by=None, ax=None, fontsize=None, rot=0, grid=True, figsize=None, layout=None, return_type=None, backend=None, **options):
    """Boxes of columns, or of the groups of one column."""
    from . import _plot

    if return_type not in (None, "axes", "dict", "both"):
        raise ValueError("return_type must be {'axes', 'dict', 'both'}")
    if backend is not None:
        raise NotImplementedError("pandas: boxplot(backend=) isn't here")
    names = [column] if isinstance(column, str) else list(column) if column is not None else [
        n for n in of.columns if of[n]._column.is_number]
    lacking = [n for n in names if n not in of.columns]
    if lacking:
        raise KeyError(f"None of [{Index(lacking)!r}] are in the [columns]")

    def drawn(on, parts, labels):
        made = on.boxplot([p.dropna().to_numpy() for p in parts], tick_labels=[str(n) for n in labels], **options)
        on.tick_params(axis="both", **({"labelsize": fontsize} if fontsize is not None else {}))
        if rot:
            on.tick_params(axis="x", rotation=rot)
        on.grid(grid)
        return made

    if by is None:
        on = _plot._axes(ax, figsize)
        made = drawn(on, [of[n] for n in names], names)
        return made if return_type == "dict" else on if return_type != "both" else (on, made)
    if return_type is not None:
        raise NotImplementedError("pandas: boxplot(by=, return_type=) isn't here")
    import matplotlib.pyplot as plt

    keys = [by] if isinstance(by, str) else list(by)
    names = [n for n in names if n not in keys]
    count = len(names)
    side = next(k for k in range(1, count + 1) if k * k >= count)
    high, wide = layout or {2: (1, 2), 3: (2, 2)}.get(count, (side, side))
    if ax is not None:
        axes = np.array([ax] if count == 1 else list(ax), dtype=object)
    else:
        axes = plt.subplots(high, wide, figsize=figsize, squeeze=False, sharex=True, sharey=True)[1].ravel()
    groups = list(of.groupby(by if isinstance(by, str) else keys))
    for on, name in zip(axes, names):
        drawn(on, [part[name] for _, part in groups], [label if not isinstance(label, tuple) else f"({', '.join(map(str, label))})" for label, _ in groups])
        on.set_title(str(name))
        on.set_xlabel(keys[0] if count == 1 and len(keys) == 1 else f"[{', '.join(keys)}]")
    for on in axes[count:]:
        on.set_visible(False) if hasattr(on, "set_visible") else on.axis("off")
    axes[0].get_figure().suptitle(f"Boxplot grouped by {keys[0] if len(keys) == 1 else keys}")
    return axes[0] if count == 1 else axes[:count] if count <= 2 or layout else axes.reshape(high, wide)
