"""Functions of the module `pandas`."""

import numpy as np

from . import _columns as C
from ._columns import Column, infer
from ._series import Series


def isna(obj):
    if hasattr(obj, "isna"):
        return obj.isna()
    if isinstance(obj, (list, np.ndarray)):
        column = infer(obj)
        return np.array(column.missing(), dtype=bool)
    return C.is_missing(obj)


def notna(obj):
    found = isna(obj)
    return not found if isinstance(found, bool) else ~found


isnull, notnull = isna, notna


def unique(values):
    return Series(values).unique()


def value_counts(values, **options):
    return Series(values).value_counts(**options)


def to_numeric(arg, errors="raise", downcast=None):
    column = arg._column if hasattr(arg, "_column") else infer(arg if isinstance(arg, (list, tuple, np.ndarray)) else [arg])
    made, whole = [], True
    for i, x in enumerate(column.items()):
        if C.is_missing(x):
            made.append(C.NAN)
            whole = False
            continue
        try:
            try:
                made.append(int(x) if not isinstance(x, float) else x)
            except ValueError:
                made.append(float(x))
            whole = whole and isinstance(made[-1], int)
        except (ValueError, TypeError):
            if errors == "raise":
                raise ValueError(f"Unable to parse string {x!r} at position {i}") from None
            made.append(C.NAN)
            whole = False
    made = Column(C.INT, np.array(made, dtype=np.int64)) if whole else Column(C.FLOAT, np.array(made, dtype=np.float64))
    if column.numeric:
        made = column
    if downcast is not None:
        made = _smaller(made, downcast)
    if isinstance(arg, Series):
        return Series._of(made, arg.index, arg.name)
    return made.data if not isinstance(arg, (int, float, str)) else made.at(0)


def _smaller(column, downcast):
    if downcast == "float":
        return column.astype("float32")
    kinds = ("int8", "int16", "int32", "int64") if downcast in ("integer", "signed") else ("uint8", "uint16", "uint32", "uint64")
    items = column.items()
    if any(x != x or int(x) != x for x in items):
        return column
    for kind in kinds:
        info = np.iinfo(kind)
        if all(info.min <= x <= info.max for x in items):
            return column.astype(kind)
    return column
