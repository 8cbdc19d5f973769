"""What becomes of a column: sums, means, quantiles, and columns that add up."""

import numpy as np

from . import _columns as C
from ._columns import FLOAT, OBJECT, STR, Column, is_missing

NAMES = (
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
    "skew",
    "kurt",
    "first",
    "last",
    "size",
    "idxmin",
    "idxmax",
    "quantile",
)


def _refused(name, column):
    kind = "string" if column.dtype == STR else column.dtype
    if column.dtype == STR:
        raise TypeError(f"Cannot perform reduction '{name}' with string dtype")
    if isinstance(column.dtype, C.CategoricalDtype):
        raise TypeError(f"'Categorical' with dtype category does not support operation '{name}'")
    if isinstance(column.dtype, C.PeriodDtype):
        if name in ("mean", "median"):
            raise TypeError(f"{name} is not implemented for PeriodArray since the meaning is ambiguous.  An alternative is "
                            f"obj.to_timestamp(how='start').{name}()")
        raise TypeError(f"'PeriodArray' with dtype {kind} does not support operation '{name}'")
    raise TypeError(f"{kind} dtype does not support reduction '{name}'")


def full(column):
    """The values that aren't missing."""
    if column.numeric:
        return column.data[~np.isnan(column.data)] if column.dtype.kind in "fc" else column.data
    return [x for x in column.items() if not is_missing(x)]


_OPTIONS = {"ddof", "q", "interpolation", "dropna", "min_count", "engine", "engine_kwargs", "bool_only"}


def reduce(name, column, skipna=True, **options):
    strange = options.keys() - _OPTIONS
    if strange:
        raise TypeError(f"{name}() got an unexpected keyword argument '{min(strange)}'")
    if name in ("sum", "prod") and len(column) - sum(column.missing()) < options.get("min_count", 0):
        return C.NAN
    if name == "count":
        return np.int64(len(column) - sum(column.missing()))
    if name == "size":
        return np.int64(len(column))
    if name == "nunique":
        items = column.items()
        dropna = options.get("dropna", True)
        return len({C.key_of(x) for x in items if not (dropna and is_missing(x))})
    if name in ("first", "last"):
        there = [i for i, gone in enumerate(column.missing()) if not gone]
        return (C.NaT if column.temporal else C.NAN) if not there else column.boxed()[there[0 if name == "first" else -1]]
    if column.nullable:
        if not skipna and any(x is C.NA for x in column.data):
            return C.NA
        from ._nullable import there as known

        column = known(column)
        if not len(column) and name not in ("sum", "prod", "any", "all"):
            return C.NA
    if column.numeric:
        return _of_numbers(name, column, skipna, options)
    items = column.items()
    there = [x for x in items if not is_missing(x)]
    if name in ("any", "all"):
        return bool({"any": any, "all": all}[name](bool(x) for x in there))
    if not skipna and len(there) < len(items):
        return C.NAN
    if name in ("min", "max"):
        if isinstance(column.dtype, C.CategoricalDtype):
            if not column.dtype.ordered:
                raise TypeError(
                    f"Categorical is not ordered for operation {name}\nyou can use .as_ordered() to change the Categorical "
                    "to an ordered one\n"
                )
            there = [column.dtype._categories.index(x) for x in there]
            return column.dtype._categories[{"min": min, "max": max}[name](there)]
        return {"min": min, "max": max}[name](there) if there else C.NAN
    if column.dtype == C.DATETIME and name in ("sum", "prod"):
        raise TypeError(f"'DatetimeArray' with dtype {column.dtype} does not support operation '{name}'")
    if column.dtype in (C.DATETIME, C.TIMEDELTA) and name in ("mean", "sum", "median") and there:
        from ._dates import mean

        return mean(name, there)
    if name == "sum" and column.dtype != C.DATETIME and not isinstance(column.dtype, (C.CategoricalDtype, C.PeriodDtype)):
        total = "" if column.dtype == STR else 0
        for i, x in enumerate(there):
            total = x if i == 0 else total + x
        return total
    if column.dtype == OBJECT and all(isinstance(x, (int, float, np.generic)) for x in there):
        return _of_numbers(name, Column(FLOAT, np.array([C.NAN if is_missing(x) else float(x) for x in items])), skipna, options)
    if column.dtype == OBJECT and name in ("mean", "median"):
        total = there[0]
        for x in there[1:]:
            total = total + x
        if isinstance(total, str):
            raise TypeError(f"Could not convert string '{total}' to numeric")
        return total / len(there)
    _refused(name, column)


def _of_numbers(name, column, skipna, options):
    data = column.data
    if column.dtype.kind == "f":
        gaps = np.isnan(data)
        if bool(gaps.any()):
            if not skipna:
                return np.float64(C.NAN)
            data = data[~gaps]
    count = len(data)
    if name in ("any", "all"):
        return np.bool_(getattr(np, name)(data))
    if column.dtype.kind == "b" and name in ("mean", "median", "std", "var", "quantile", "sem", "skew", "kurt"):
        if name == "quantile":
            raise TypeError(
                "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the "
                "logical_xor function instead."
            )
        data = data.astype(np.float64)
    if name == "sum":
        return np.sum(data) if count else column.dtype.type(0) if column.dtype.kind in "iuf" else np.int64(0)
    if name == "prod":
        return np.prod(data)
    if count == 0:
        return np.float64(C.NAN)
    if name in ("min", "max"):
        return getattr(np, name)(data)
    if name in ("idxmin", "idxmax"):
        raise NotImplementedError(f"pandas: {name} here")
    wide = data if data.dtype.kind in "fc" else data.astype(np.float64)
    if name == "mean":
        return np.mean(wide)
    if name == "median":
        return np.median(wide)
    if name == "quantile":
        return np.quantile(wide, options.get("q", 0.5), method=options.get("interpolation", "linear"))
    ddof = options.get("ddof", 1)
    if name in ("std", "var", "sem"):
        if count <= ddof:
            return np.float64(C.NAN)
        variance = np.sum((wide - np.mean(wide)) ** 2) / (count - ddof)
        return variance if name == "var" else np.sqrt(variance if name == "std" else variance / count)
    away = wide - np.mean(wide)
    second, third, fourth = (np.sum(away**k) for k in (2, 3, 4))
    if name == "skew":
        if count < 3:
            return np.float64(C.NAN)
        return np.float64(0.0) if second == 0 else count * (count - 1) ** 0.5 / (count - 2) * third / second**1.5
    if count < 4:
        return np.float64(C.NAN)
    if second == 0:
        return np.float64(0.0)
    adjust = 3 * (count - 1) ** 2 / ((count - 2) * (count - 3))
    return count * (count + 1) * (count - 1) * fourth / ((count - 2) * (count - 3) * second**2) - adjust


def running(name, column):
    """`cumsum` and its like."""
    if column.nullable:
        from ._nullable import of_items

        known = [i for i, x in enumerate(column.data) if x is not C.NA]
        made = running(name, column.take(known).dense())
        return of_items([C.NA] * len(column), column.dtype).set(known, made)
    if not column.numeric:
        gaps = column.missing()
        if column.dtype in (STR, OBJECT) and name == "cumsum" and not any(gaps):
            made, total = [], None
            for x in column.items():
                total = x if total is None else total + x
                made.append(total)
            return Column(column.dtype, made)
        if isinstance(column.dtype, C.CategoricalDtype):
            raise TypeError(f"Accumulation {name} not supported for <class 'pandas.Categorical'>")
        raise TypeError(f"operation '{name}' not supported for dtype '{column.dtype}'")
    data = column.data
    if data.dtype.kind == "b":
        data = data.astype(np.int64)
    gaps = np.isnan(data) if data.dtype.kind == "f" else None
    if gaps is not None and bool(gaps.any()):
        neutral = {"cumsum": 0.0, "cumprod": 1.0, "cummax": -float("inf"), "cummin": float("inf")}[name]
        data = np.where(gaps, neutral, data)
    made = _RUN[name](data)
    if gaps is not None and bool(gaps.any()):
        made = np.where(gaps, C.NAN, made)
    return Column(made.dtype, made)


def _extreme(larger):
    def run(data):
        made, best = [], None
        for x in data.tolist():
            best = x if best is None or (x > best if larger else x < best) else best
            made.append(best)
        return np.array(made, dtype=data.dtype)

    return run


_RUN = {"cumsum": np.cumsum, "cumprod": np.cumprod, "cummax": _extreme(True), "cummin": _extreme(False)}


def shifted(column, periods, fill):
    count = len(column)
    places = [i - periods if 0 <= i - periods < count else -1 for i in range(count)]
    return column.taken(places, fill)


def ranks(column, method, ascending, pct):
    gaps, items = column.missing(), column.items()
    order = [i for i in range(len(items)) if not gaps[i]]
    order.sort(key=items.__getitem__, reverse=not ascending)
    made = [C.NAN] * len(items)
    at, dense = 0, 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and items[order[end + 1]] == items[order[at]]:
            end += 1
        dense += 1
        for k in range(at, end + 1):
            made[order[k]] = {"average": (at + end) / 2 + 1, "min": at + 1, "max": end + 1, "first": k + 1, "dense": dense}[
                method
            ]
        at = end + 1
    most = dense if method == "dense" else len(order)
    return Column(FLOAT, np.array([x / most if pct else x for x in made], dtype=np.float64))


def doubles(items, keep):
    """Which elements are duplicates."""
    if keep not in ("first", "last", False):
        raise ValueError('keep must be either "first", "last" or False')
    keys = [C.key_of(x) for x in items]
    if keep is False:
        counts = {}
        for key in keys:
            counts[key] = counts.get(key, 0) + 1
        return np.array([counts[key] > 1 for key in keys], dtype=bool)
    seen, made = set(), [False] * len(keys)
    for i in range(len(keys)) if keep == "first" else range(len(keys) - 1, -1, -1):
        made[i] = keys[i] in seen
        seen.add(keys[i])
    return np.array(made, dtype=bool)
