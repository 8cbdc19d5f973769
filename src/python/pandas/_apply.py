"""`apply` and `agg` of frames."""

import numpy as np

from ._columns import OBJECT, Column, infer
from ._series import Series


def applied(frame, func, axis, raw, result_type, args, options):
    if isinstance(func, str):
        return getattr(frame, func)(*args, **options) if axis in (0, "index") else getattr(frame, func)(axis=1)
    if isinstance(func, (list, dict)):
        return frame.agg(func, axis)
    if isinstance(func, np.ufunc):
        return func(frame)
    across = axis in (1, "columns")
    if across:
        parts = [(label, frame._row_series(i)) for i, label in enumerate(frame.index)]
    else:
        parts = list(frame.items())
    found = [func(part.to_numpy() if raw else part, *args, **options) for _, part in parts]
    labels = frame.index if across else frame.columns
    if found and isinstance(found[0], Series):
        from ._frame import DataFrame

        if across:
            return DataFrame(found, index=labels)
        index = found[0].index
        for part in found[1:]:
            index = index if index.equals(part.index) else index.union(part.index)
        return DataFrame._of([p._column if p.index.equals(index) else p.reindex(index)._column for p in found], labels, index)
    if across and result_type == "expand" and found and isinstance(found[0], (list, tuple)):
        from ._frame import DataFrame

        made = DataFrame({i: list(row) for i, row in enumerate(found)}).T.infer_objects()
        made.index = labels
        return made
    if not found:
        return frame.copy() if across else Series([], dtype=object)
    if isinstance(found[0], (list, tuple, np.ndarray)) and getattr(found[0], "ndim", 1) > 0:
        if isinstance(found[0], np.ndarray) and not across and len(found[0]) == len(frame):
            from ._frame import DataFrame

            return DataFrame._of([infer(x) for x in found], labels, frame.index)
        return Series._of(Column(OBJECT, found), labels)
    return Series._of(infer(found), labels)


def _name(func):
    return func if isinstance(func, str) else func.__name__


def aggregated(frame, func, axis, args, options):
    from ._frame import DataFrame

    if func is None and options:
        parts = {}
        for label, (name, how) in options.items():
            parts.setdefault(name, {})[label] = frame[name].agg(how)
        labels = list(options)
        return DataFrame({n: [found.get(label, float("nan")) for label in labels] for n, found in parts.items()}, index=labels)
    if isinstance(func, str):
        return getattr(frame, func)(axis=axis, *args, **options)
    if isinstance(func, dict):
        for name in func:
            if name not in frame.columns:
                raise KeyError(f"Label(s) {[n for n in func if n not in frame.columns]} do not exist")
        if any(isinstance(f, (list, tuple)) for f in func.values()):
            names = list(dict.fromkeys(_name(f) for fs in func.values() for f in (fs if isinstance(fs, (list, tuple)) else [fs])))
            made = {}
            for name, fs in func.items():
                found = {_name(f): frame[name].agg(f) for f in (fs if isinstance(fs, (list, tuple)) else [fs])}
                made[name] = [found.get(n, float("nan")) for n in names]
            return DataFrame(made, index=names)
        return Series([frame[n].agg(f) for n, f in func.items()], index=list(func))
    if isinstance(func, (list, tuple)):
        made = {n: [s.agg(f) for f in func] for n, s in frame.items()}
        return DataFrame(made, index=[_name(f) for f in func])
    return applied(frame, lambda s: s.agg(func, 0, *args, **options), axis, False, None, (), {})
