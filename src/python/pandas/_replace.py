"""`replace`."""

import re

from . import _columns as C
from ._columns import OBJECT, STR, Column, infer, is_missing


def _pairs(to_replace, value):
    """What is replaced, and by what."""
    if isinstance(to_replace, dict):
        return list(to_replace.items())
    if isinstance(to_replace, (list, tuple)):
        if isinstance(value, (list, tuple)):
            if len(to_replace) != len(value):
                raise ValueError(f"Replacement lists must match in length. Expecting {len(to_replace)} got {len(value)} ")
            return list(zip(to_replace, value))
        return [(x, value) for x in to_replace]
    return [(to_replace, value)]


def _changed(column, pairs, regex):
    if not pairs:
        return column
    known = {}
    for old, new in pairs:
        known.setdefault(None if is_missing(old) else old, new)
    patterns = [(re.compile(old), new) for old, new in pairs if isinstance(old, str)] if regex else []

    def one(x):
        if regex and isinstance(x, str):
            for pattern, new in patterns:
                if pattern.search(x):
                    x = pattern.sub(new, x) if isinstance(new, str) else new
                    if not isinstance(x, str):
                        return x
            return x
        key = None if is_missing(x) else x
        if isinstance(x, bool) is not isinstance(key, bool):
            return x
        try:
            return (
                known[key] if key in known and isinstance(next(k for k in known if k == key), bool) == isinstance(x, bool) else x
            )
        except TypeError:
            return x

    items = column.items()
    made = [one(x) for x in items]
    if all(a is b or a == b for a, b in zip(items, made)):
        return column
    if isinstance(column.dtype, C.CategoricalDtype):
        return column.set(
            [i for i, (a, b) in enumerate(zip(items, made)) if a is not b], [b for a, b in zip(items, made) if a is not b]
        )
    found = infer(made)
    if column.nullable:
        return found.astype(column.dtype)
    if column.numeric and found.numeric:
        return found if found.dtype.kind != column.dtype.kind else found.astype(column.dtype)
    if column.dtype == OBJECT or column.dtype == STR and found.dtype != STR:
        return Column(OBJECT, made)
    return found


def replaced(of, to_replace, value, regex):
    if isinstance(regex, (str, dict, list)):
        to_replace, regex = regex, True
    if of.ndim == 1:
        return of._like(_changed(of._column, _pairs(to_replace, value), regex))
    nested = isinstance(to_replace, dict) and to_replace and all(isinstance(v, dict) for v in to_replace.values())
    per_column = isinstance(to_replace, dict) and not nested and value is not C.NAN and not isinstance(value, float)
    made = []
    for name, column in zip(of.columns, of._data):
        if nested:
            pairs = _pairs(to_replace[name], None) if name in to_replace else []
        elif per_column:
            new = value[name] if isinstance(value, dict) and name in value else value
            pairs = _pairs(to_replace[name], new) if name in to_replace else []
        else:
            pairs = _pairs(to_replace, value)
        made.append(_changed(column, pairs, regex))
    return of._of(made, of.columns, of.index)
