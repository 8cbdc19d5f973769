"""Tables turned around: `pivot`, `pivot_table`, `crosstab`, `melt`, `stack`, `unstack`."""

import numpy as np

from . import _columns as C
from ._columns import FLOAT, INT, Column, infer, is_missing
from ._index import Index, MultiIndex, RangeIndex
from ._series import Series
from ._shared import is_one


def _names(x):
    return [] if x is None else [x] if is_one(x) or hasattr(x, "_column") or isinstance(x, np.ndarray) else list(x)


def _others(data, rows, across):
    """The columns that aren't keys."""
    keys = [x for x in rows + across if is_one(x)]
    return [n for n in data.columns if n not in keys]


def pivot_table(data, values=None, index=None, columns=None, aggfunc="mean", fill_value=None, margins=False, dropna=True,
                margins_name="All", observed=True, sort=True, **options):
    from ._frame import DataFrame

    if margins:
        return _with_margins(data, values, index, columns, aggfunc, fill_value, margins_name)
    rows, across = _names(index), _names(columns)
    if not rows and not across:
        raise ValueError("No group keys passed!")
    if isinstance(aggfunc, dict):
        values = list(aggfunc)
    inside = _names(values) if values is not None else _others(data, rows, across)
    if isinstance(aggfunc, list):
        from ._merge import concat

        ways = {"dropna": dropna, "observed": observed, "sort": sort, **options}
        parts = [pivot_table(data, values, index, columns, f, fill_value, **ways) for f in aggfunc]
        return concat(parts, axis=1, keys=[f if isinstance(f, str) else f.__name__ for f in aggfunc])
    groups = data.groupby(rows + across, observed=observed, sort=sort, dropna=dropna)
    groups = (groups if isinstance(aggfunc, dict) else groups[inside]).agg(aggfunc, **options)
    if dropna and isinstance(groups, DataFrame) and len(groups.columns):
        groups = groups.dropna(how="all")
    if not across:
        return groups.sort_index(axis=1) if len(inside) > 1 else groups
    if not rows:
        return groups.T
    made = unstacked(groups, list(range(len(rows), len(rows) + len(across))), fill_value, sort)
    made = made.sort_index(axis=1) if sort and (len(across) > 1 or len(inside) > 1) else made
    if is_one(values) and values is not None:
        places, rest = made.columns._begin(values)
        made = DataFrame._of([made._data[i] for i in places], rest, made.index)
    if fill_value is not None:
        made = made.fillna(fill_value)
    return made


def _with_margins(data, values, index, columns, aggfunc, fill_value, name):
    """Adds a row and a column with the function of all values."""
    from ._frame import DataFrame

    rows, across = _names(index), _names(columns)
    if isinstance(aggfunc, list):
        from ._merge import concat

        parts = [_with_margins(data, values, index, columns, f, fill_value, name) for f in aggfunc]
        return concat(parts, axis=1, keys=[f if isinstance(f, str) else f.__name__ for f in aggfunc])
    if not rows or not all(is_one(key) for key in rows + across):
        raise NotImplementedError("pandas: pivot_table(margins=True) without index=, or by anything but names of columns")
    if isinstance(aggfunc, dict):
        values = list(aggfunc)
    inside = _others(data, rows, across) if values is None else _names(values)
    made = pivot_table(data, values, index, columns, aggfunc, fill_value)
    whole = data[rows + across + inside].dropna()
    way = lambda n: aggfunc[n] if isinstance(aggfunc, dict) else aggfunc
    total = {n: whole[n].agg(way(n)) for n in inside}
    bottom = name if len(rows) == 1 else (name, *[""] * (len(rows) - 1))
    left = made.index.tolist()
    labels = [*left, bottom]
    labels = Index(labels, name=made.index.name) if len(rows) == 1 else MultiIndex.from_tuples(labels, names=made.index.names)
    if not across:
        return DataFrame._of([infer([*c.items(), total[n]]) for n, c in zip(made.columns.tolist(), made._data)], made.columns, labels)
    by = lambda keys, n: (lambda s: dict(zip(s.index.tolist(), s.tolist())))(whole.groupby(keys)[n].agg(way(n)))
    alone = values is not None and is_one(values)
    tops, parts, names = made.columns.tolist(), [], []
    for n in dict.fromkeys([values] if alone else [top[0] for top in tops]):
        below, beside = by(across, n), by(rows, n)
        for top, column in zip(tops, made._data):
            if alone or top[0] == n:
                key = top if alone else top[1] if len(across) == 1 else top[1:]
                parts.append(infer([*column.items(), below.get(key, C.NAN)]))
                names.append(top)
        parts.append(infer([*[beside.get(r, C.NAN) for r in left], total[n]]))
        last = (*([] if alone else [n]), name, *[""] * (len(across) - 1))
        names.append(last[0] if len(last) == 1 else last)
    # The bottom row is one column of numbers before it's a row: beside fractions, whole numbers are fractions.
    # The row's entry in the last column of each value is the total itself.
    kinds = {part.dtype.kind for part in parts if part.numeric}
    if kinds == {"i", "f"}:
        last = [i for i, top in enumerate(names) if name in (top if isinstance(top, tuple) else (top,))]
        parts = [p if i in last or not p.numeric else Column(FLOAT, np.asarray(p.data, dtype=float)) for i, p in enumerate(parts)]
    single = not made.columns._multi
    return DataFrame._of(parts, Index(names, name=made.columns.name) if single else MultiIndex.from_tuples(names, names=made.columns.names), labels)


def pivot(data, columns, index=None, values=None):
    from ._frame import DataFrame

    if index is None:
        labels = data.index
    else:
        labels = (
            Index._of(data[index]._column, index)
            if is_one(index)
            else MultiIndex._of_columns([data[n]._column for n in index], list(index))
        )
    inside = _names(values) if values is not None else [n for n in data.columns if n not in _names(index) + _names(columns)]
    tops = data[columns]._column if is_one(columns) else data[columns[0]]._column
    name = columns if is_one(columns) else columns[0]
    parts = []
    for n in inside:
        series = Series._of(
            data[n]._column,
            MultiIndex._of_columns([*(labels._columns if labels._multi else [labels._column]), tops], [*labels.names, name]),
            n,
        )
        parts.append(unstacked(series, -1, None))
    if values is not None and is_one(values):
        return parts[0]
    made = [c for p in parts for c in p._data]
    top = MultiIndex._of_columns(
        [infer([n for n, p in zip(inside, parts) for _ in p._data]), C.concat([p.columns._column for p in parts])], [None, name]
    )
    return DataFrame._of(made, top, parts[0].index)


def _alike(columns):
    """Gives all columns of numbers the dtype that one of them needs for missing values."""
    if not all(c.numeric for c in columns) or len({c.dtype for c in columns}) < 2 or any(c.dtype.kind == "b" for c in columns):
        return columns
    kind = np.result_type(*[c.dtype for c in columns])
    return [Column(kind, c.data.astype(kind)) for c in columns]


def unstacked(of, level=-1, fill_value=None, sort=True):
    """Turns a level of the row labels into columns."""
    from ._frame import DataFrame

    index = of.index
    if not index._multi:
        raise (
            ValueError("index must be a MultiIndex to unstack, " f"{type(index)} was passed")
            if of.ndim == 1
            else NotImplementedError("pandas: unstack of a frame with one level of labels")
        )
    at = [index._level(x) for x in (level if isinstance(level, (list, tuple)) else [level])]
    tops, rest = index._levels_at(at), index._levels_at([i for i in range(index.nlevels) if i not in at])
    order = lambda labels: (
        C.order_of(labels._column) if not labels._multi else sorted(range(len(labels)), key=labels._column.data.__getitem__)
    )
    columns, rows = tops.unique(), rest.unique()
    if sort:
        # pandas leaves the columns from several levels in the order in which they appear.
        columns, rows = columns if columns._multi else columns.take(order(columns)), rows.take(order(rows))
    places = {}
    for i, (r, c) in enumerate(zip(rest._labels(), tops._labels())):
        if (r, c) in places:
            raise ValueError("Index contains duplicate entries, cannot reshape")
        places[r, c] = i
    grid = [[places.get((r, c), -1) for r in rows._labels()] for c in columns._labels()]
    fill = C.NAN if fill_value is None else fill_value
    if of.ndim == 1:
        return DataFrame._of(_alike([of._column.taken(g, fill) for g in grid]), columns, rows)
    made = [part for c in of._data for part in _alike([c.taken(g, fill) for g in grid])]
    first = of.columns._columns if of.columns._multi else [of.columns._column]
    repeat = [i for i in range(len(of._data)) for _ in grid]
    names = [*of.columns.names, *tops.names]
    inner = [c.take(list(range(len(columns))) * len(of._data)) for c in (columns._columns if columns._multi else [columns._column])]
    top = MultiIndex._of_columns([*[c.take(repeat) for c in first], *inner], names)
    return DataFrame._of(made, top, rows)


def stacked(frame, level=-1, options=()):
    if options and options.get("dropna", False):
        raise NotImplementedError("pandas: stack(dropna=True) isn't here")
    count, width = frame.shape
    if frame.columns._multi:
        return _stacked_level(frame, level)
    rows = frame.index
    outer = [c.take([i for i in range(count) for _ in range(width)]) for c in (rows._columns if rows._multi else [rows._column])]
    inner = frame.columns._column.take(list(range(width)) * count)
    total = C.concat(frame._data)
    column = total.take([j * count + i for i in range(count) for j in range(width)])
    return Series._of(column, MultiIndex._of_columns([*outer, inner], [*rows.names, frame.columns.name]))


def _stacked_level(frame, level):
    """One level of the column labels as a level of the row labels."""
    from ._frame import DataFrame

    top, rows = frame.columns, frame.index
    at = top._level(level)
    inner = top.get_level_values(at).unique()
    rest = top.droplevel(at)
    places = {(r, c): i for i, (r, c) in enumerate(zip(rest._labels(), top.get_level_values(at)._labels()))}
    names, count, width = rest.unique(), len(frame), len(inner)
    order = [k * count + i for i in range(count) for k in range(width)]
    parts = []
    for r in names._labels():
        columns = [frame._data[places[r, c]] if (r, c) in places else C.constant(C.NAN, count) for c in inner._labels()]
        parts.append(C.concat(columns).take(order))
    outer = [c.take([i for i in range(count) for _ in range(width)]) for c in (rows._columns if rows._multi else [rows._column])]
    labels = MultiIndex._of_columns([*outer, inner._column.take(list(range(width)) * count)], [*rows.names, inner.name])
    return DataFrame._of(parts, names, labels)


def melt(frame, id_vars=None, value_vars=None, var_name=None, value_name="value", **options):
    from ._frame import DataFrame

    kept = _names(id_vars)
    inside = _names(value_vars) if value_vars is not None else [n for n in frame.columns if n not in kept]
    lacking = [n for n in kept + inside if n not in frame.columns]
    if lacking:
        raise KeyError(f"The following id_vars or value_vars are not present in the DataFrame: {lacking}")
    count = len(frame)
    made = {n: Series._of(C.concat([frame[n]._column] * len(inside)), RangeIndex(count * len(inside))) for n in kept}
    name = var_name if var_name is not None else frame.columns.name if frame.columns.name is not None else "variable"
    made[name] = Series._of(infer([n for n in inside for _ in range(count)]), RangeIndex(count * len(inside)))
    made[value_name] = Series._of(C.concat([frame[n]._column for n in inside]), RangeIndex(count * len(inside)))
    return DataFrame(made)


def crosstab(
    index, columns, values=None, rownames=None, colnames=None, aggfunc=None, margins=False, margins_name="All", dropna=True,
    normalize=False,
):
    from ._frame import DataFrame

    if normalize not in (False, True, "all", "index", "columns", 0, 1):
        raise ValueError("Not a valid normalize argument")
    normalize = {0: "index", 1: "columns"}[normalize] if type(normalize) is int else "all" if normalize is True else normalize
    if (values is None) != (aggfunc is None):
        raise ValueError("values cannot be used without an aggfunc." if aggfunc is None else "aggfunc cannot be used without values.")
    several = lambda keys: isinstance(keys, list) and keys and hasattr(keys[0], "__len__") and not isinstance(keys[0], str)
    if values is not None or several(index) or several(columns):
        if normalize and margins:
            raise NotImplementedError("pandas: crosstab(normalize=, margins=True) of several columns or of values")
        named = lambda keys, names, word: {
            name or getattr(k, "name", None) or f"{word}_{i}": k
            for i, (k, name) in enumerate(zip(keys if several(keys) else [keys], names or [None] * len(keys)))
        }
        parts, tops = named(index, rownames, "row"), named(columns, colnames, "col")
        table = DataFrame({**parts, **tops, "__value": 1 if values is None else values})
        if margins:
            ways = ("sum", 0) if values is None else (aggfunc, None)
            return _with_margins(table, "__value", [*parts], [*tops], *ways, margins_name)
        made = table.groupby([*parts, *tops])["__value"].agg("sum" if values is None else aggfunc)
        made = unstacked(made, list(range(len(parts), len(parts) + len(tops))), 0 if values is None else None)
        made = made.sort_index(axis=1)
        if normalize:
            whole = {"all": lambda: made.to_numpy().sum(), "columns": lambda: made.sum(), "index": lambda: made.sum(axis=1)}[normalize]()
            made = made.div(whole, axis="index" if normalize == "index" else "columns").fillna(0)
        return made
    a, b = Series(index), Series(columns)
    rows, tops = ([x for x in Index(s.unique()).sort_values() if not (dropna and is_missing(x))] for s in (a, b))
    counts = {}
    for pair in map(C.key_of, zip(a, b)):
        counts[pair] = counts.get(pair, 0) + 1
    row_name = (rownames or [getattr(index, "name", None) or "row_0"])[0]
    top_name = (colnames or [getattr(columns, "name", None) or "col_0"])[0]
    made = DataFrame._of(
        [Column(INT, np.array([counts.get(C.key_of((r, t)), 0) for r in rows], dtype=np.int64)) for t in tops],
        Index(tops, name=top_name),
        Index(rows, name=row_name),
    )
    if not margins and not normalize:
        return made
    table = made.to_numpy()
    by_row, by_top, total = table.sum(axis=1), table.sum(axis=0), table.sum()
    if margins and normalize != "columns":
        table, rows, by_row = np.vstack([table, by_top]), [*rows, margins_name], np.append(by_row, total)
    if margins and normalize != "index":
        table, tops, by_top = np.column_stack([table, by_row[: len(table)]]), [*tops, margins_name], np.append(by_top, total)
    if normalize:
        table = table / {"all": total, "index": by_row[:, None], "columns": by_top}[normalize]
    return DataFrame(table, Index(rows, name=row_name), Index(tops, name=top_name)).fillna(0)


def wide_to_long(df, stubnames, i, j, sep="", suffix=r"\d+"):
    """Columns such as `x1` and `x2` as rows of a column `x`."""
    import re

    stubs, keys = ([x] if isinstance(x, str) else list(x) for x in (stubnames, i))
    found = {stub: [n for n in df.columns if re.fullmatch(re.escape(stub + sep) + suffix, str(n))] for stub in stubs}
    rest = sorted(n for n in df.columns if n not in keys and not any(n in names for names in found.values()))
    made = None
    for stub, names in found.items():
        part = melt(df, id_vars=[*keys, *(rest if made is None else [])], value_vars=names, var_name=j, value_name=stub)
        endings = [str(x)[len(stub + sep):] for x in part[j]]
        part[j] = [int(x) for x in endings] if all(x.isdigit() for x in endings) else endings
        if len(keys) > 1:
            part = part._rows([k * len(df) + row for row in range(len(df)) for k in range(len(names))])
        part = part.set_index([*keys, j])
        made = part if made is None else made.join(part)
    return made
