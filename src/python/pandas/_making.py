"""What a frame is made of: the columns and labels of dictionaries, rows, arrays, series."""

import numpy as np

from . import _columns as C
from ._columns import OBJECT, Column, infer
from ._index import Index, RangeIndex, as_index
from ._series import Series
from ._shared import is_one
from .errors import warn_later


def _from_dict(data, index, columns):
    names = list(data)
    if columns is not None:
        columns = as_index(columns)
        kept = [n for n in columns]
    else:
        kept = names
    series = [v for v in data.values() if isinstance(v, Series)]
    if index is None:
        # The labels of all series; lists and arrays must be as long.
        lists = [v for v in data.values() if not isinstance(v, (Series, dict)) and not is_one(v)]
        inner = [v for v in data.values() if isinstance(v, dict)]
        if series or inner:
            index = None
            for v in [*series, *(Series(d) for d in inner)]:
                index = v.index if index is None or index.equals(v.index) else index.union(v.index)
            for v in lists:
                if len(v) != len(index):
                    raise ValueError(f"array length {len(v)} does not match index length {len(index)}")
        elif lists:
            lengths = {len(v if hasattr(v, "__len__") else list(v)) for v in lists}
            if len(lengths) > 1:
                raise ValueError("All arrays must be of the same length")
            index = RangeIndex(lengths.pop())
        elif data:
            raise ValueError("If using all scalar values, you must pass an index")
        else:
            index = RangeIndex(0)
    else:
        index = as_index(index)
    made = []
    for name in kept:
        if name not in data:
            made.append(C.constant(C.NAN, len(index)) if len(index) else Column(OBJECT, []))
            continue
        value = data[name]
        if isinstance(value, dict):
            value = Series(value)
        if isinstance(value, Series):
            made.append(value._column if value.index.equals(index) else value.reindex(index)._column)
        elif is_one(value):
            made.append(C.constant(value, len(index)))
        else:
            column = infer(value if hasattr(value, "__len__") else list(value))
            if len(column) == 1:
                # One value is that of all rows.
                column = column.take([0] * len(index))
            if len(column) != len(index):
                raise ValueError(f"Length of values ({len(column)}) does not match length of index ({len(index)})")
            made.append(column)
    names = columns if columns is not None else Index(kept) if kept else RangeIndex(0)
    return made, names, index


def _from_rows(rows, index, columns):
    """A frame from a list of dictionaries, series, lists or values."""
    rows = list(rows)
    if rows and all(isinstance(r, dict) for r in rows):
        names = list(columns) if columns is not None else list(dict.fromkeys(n for r in rows for n in r))
        made = [infer([r.get(n, C.NAN) for r in rows]) for n in names]
        return made, as_index(columns) if columns is not None else Index(names), as_index(index, len(rows))
    if rows and all(isinstance(r, Series) for r in rows):
        labels = rows[0].index
        for r in rows[1:]:
            labels = labels if labels.equals(r.index) else labels.union(r.index, sort=False)
        found = [r if r.index.equals(labels) else r.reindex(labels) for r in rows]
        items = [r._column.items() for r in found]
        made = [infer(list(column)) for column in zip(*items)]
        if index is None:
            names = [r._name for r in rows]
            index = (
                RangeIndex(len(rows))
                if all(n is None for n in names)
                else Index([n if n is not None else f"Unnamed {i}" for i, n in enumerate(names)])
            )
        made = _chosen(made, labels, as_index(index, len(rows)), columns)
        return made
    nested = rows and isinstance(rows[0], (list, tuple, np.ndarray)) and getattr(rows[0], "ndim", 1) > 0
    if not nested:
        if rows and hasattr(rows[0], "__array__") and getattr(rows[0], "ndim", 0) > 0:
            return _from_rows([r.tolist() for r in rows], index, columns)
        width = None if columns is None else len(as_index(columns))
        if width is not None and width != 1 and rows:
            raise ValueError(f"Shape of passed values is ({len(rows)}, 1), indices imply ({len(rows)}, {width})")
        if index is not None and rows and len(as_index(index)) != len(rows):
            raise ValueError(f"Shape of passed values is ({len(rows)}, 1), indices imply ({len(as_index(index))}, {width or 1})")
        return [infer(rows)] * (1 if rows or width else 0), as_index(columns, 1 if rows else 0), as_index(index, len(rows))
    if hasattr(rows[0], "_fields") and columns is None:
        columns = list(rows[0]._fields)
    rows = [r.tolist() if isinstance(r, np.ndarray) else list(r) for r in rows]
    width = max(map(len, rows))
    if columns is not None and len(as_index(columns)) != width:
        raise ValueError(f"{len(as_index(columns))} columns passed, passed data had {width} columns")
    if index is not None and len(as_index(index)) != len(rows):
        raise ValueError(f"Length of values ({len(rows)}) does not match length of index ({len(as_index(index))})")
    if len({*map(len, rows)}) > 1:
        warn_later(
            "Constructing a DataFrame from a list of sequences with mismatched lengths is deprecated and will raise in a future version. The "
            "shorter sequences are currently padded with NaN; make all sequences the same length before constructing instead.")
    made = [infer([r[i] if i < len(r) else None for r in rows]) for i in range(width)]
    return made, as_index(columns, width), as_index(index, len(rows))


def _chosen(made, names, index, columns):
    if columns is None:
        return made, names, index
    from ._frame import DataFrame

    frame = DataFrame._of(made, names, index).reindex(columns=columns)
    return frame._data, frame.columns, index


def frame_parts(data, index, columns):
    from ._frame import DataFrame

    if isinstance(data, DataFrame):
        frame = data
        if index is not None:
            frame = frame.reindex(index)
        if columns is not None:
            frame = frame.reindex(columns=columns)
        return list(frame._data), frame.columns, frame.index
    if data is None:
        index, columns = as_index(index if index is not None else [] if columns is not None else None, 0), as_index(columns, 0)
        if len(index) == 0 and not isinstance(index, RangeIndex):
            index = RangeIndex(0)
        return [C.constant(C.NAN, len(index)) if len(index) else Column(OBJECT, []) for _ in columns], columns, index
    if isinstance(data, dict):
        return _from_dict(data, index, columns)
    if isinstance(data, (Series, Index)):
        name = data.name
        labels = data.index if isinstance(data, Series) and index is None else as_index(index, len(data))
        column = data.reindex(labels)._column if isinstance(data, Series) and index is not None else data._column
        if columns is not None:
            return [column], as_index(columns), labels
        return [column], RangeIndex(1) if name is None else Index([name]), labels
    if isinstance(data, np.ndarray) or hasattr(data, "__array__"):
        array = np.asarray(data) if isinstance(data, np.ndarray) else np.array(data)
        if array.ndim == 1:
            array = array.reshape(-1, 1)
        if array.ndim != 2:
            raise ValueError(f"Must pass 2-d input. shape={array.shape}")
        rows, width = array.shape
        index, names = as_index(index, rows), as_index(columns, width)
        if len(names) != width or len(index) != rows:
            raise ValueError(f"Shape of passed values is {array.shape}, indices imply ({len(index)}, {len(names)})")
        return [infer(array[:, i]) for i in range(width)], names, index
    if is_one(data):
        if index is None or columns is None:
            raise ValueError("DataFrame constructor not properly called!")
        index, columns = as_index(index), as_index(columns)
        return [C.constant(data, len(index)) for _ in columns], columns, index
    return _from_rows(data, index, columns)
