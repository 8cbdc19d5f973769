"""`concat`, `merge` and `join`."""

from bisect import bisect_left, bisect_right

from . import _columns as C
from ._columns import OBJECT, Column, is_missing
from ._index import Index, MultiIndex, RangeIndex, joined
from ._shared import is_one


def concat(objs, axis=0, join="outer", ignore_index=False, keys=None, names=None, sort=False, verify_integrity=False, copy=None):
    from ._frame import DataFrame
    from ._series import Series

    if isinstance(objs, dict):
        keys, objs = list(objs) if keys is None else keys, list(objs.values()) if keys is None else [objs[k] for k in keys]
    if hasattr(objs, "columns") or isinstance(objs, str):
        raise TypeError(
            "first argument must be an iterable of pandas objects, you passed an object of type " f'"{type(objs).__name__}"'
        )
    objs = list(objs)
    if keys is None:
        objs = [o for o in objs if o is not None]
    if not objs:
        raise ValueError("No objects to concatenate")
    for o in objs:
        if not isinstance(o, (DataFrame, Series)):
            raise TypeError(f"cannot concatenate object of type '{type(o)}'; only Series and DataFrame objs are valid")
    series = all(isinstance(o, Series) for o in objs)
    if verify_integrity and not ignore_index and keys is None:
        beside = axis in (1, "columns")
        labels = [o.columns if beside and o.ndim == 2 else Index([o.name]) if beside else o.index for o in objs]
        whole = joined(labels)
        if not whole.is_unique:
            raise ValueError(f"Indexes have overlapping values: {Index(whole[whole.duplicated()].unique())}")
    if axis in (1, "columns"):
        return _beside(objs, join, ignore_index, keys, sort)
    if series:
        name = objs[0].name if all(o.name == objs[0].name for o in objs) else None
        index = RangeIndex(sum(map(len, objs))) if ignore_index else _labels(objs, keys, names)
        return Series._of(C.concat([o._column for o in objs]), index, name)
    frames = [o.to_frame() if isinstance(o, Series) else o for o in objs]
    columns = frames[0].columns
    for f in frames[1:]:
        if not columns.equals(f.columns):
            columns = columns.intersection(f.columns) if join == "inner" else columns.union(f.columns, sort=bool(sort))
    index = RangeIndex(sum(map(len, frames))) if ignore_index else _labels(frames, keys, names)
    made = []
    for name in columns:
        parts = []
        for f in frames:
            if name in f.columns:
                parts.append(f[name]._column)
            elif len(f):
                parts.append(None)
        full = [p for p in parts if p is not None]
        if None in parts:
            total = C.concat(full) if full else Column(OBJECT, [])
            places, at = [], 0
            for f in frames:
                there = name in f.columns
                places += range(at, at + len(f)) if there else [-1] * len(f)
                at += len(f) if there else 0
            made.append(total.taken(places))
        else:
            filled = [p for p in full if len(p)] or full
            made.append(C.concat(filled))
    return DataFrame._of(made, columns, index)


def _labels(objs, keys, names):
    index = joined([o.index for o in objs])
    if keys is None:
        return index
    outer = C.infer([k for k, o in zip(keys, objs) for _ in range(len(o))])
    depth = objs[0].index.nlevels
    if objs[0].index._multi and all(o.index._multi and o.index.nlevels == depth for o in objs):
        inner = [C.concat([o.index._columns[i] for o in objs]) for i in range(depth)]
        own = objs[0].index.names if all(o.index.names == objs[0].index.names for o in objs) else [None] * depth
        return MultiIndex._of_columns([outer, *inner], list(names) if names and len(names) > 1 else [names[0] if names else None, *own])
    inner = C.concat([o.index._column for o in objs])
    return MultiIndex._of_columns(
        [outer, inner],
        list(names) if names else [None, objs[0].index.name] if names is None or len(names) != 1 else [names[0], None],
    )


def _beside(objs, join, ignore_index, keys, sort):
    from ._frame import DataFrame
    from ._series import Series

    index = objs[0].index
    for o in objs[1:]:
        if not index.equals(o.index):
            index = index.intersection(o.index) if join == "inner" else index.union(o.index, sort=None)
    made, labels, number = [], [], 0
    for o in objs:
        part = o if o.index.equals(index) else o.reindex(index)
        if isinstance(part, Series):
            made.append(part._column)
            if part.name is None:
                labels.append(number)
                number += 1
            else:
                labels.append(part.name)
        else:
            made += part._data
            labels += part.columns.tolist()
    if keys is not None:
        if all(isinstance(o, Series) for o in objs):
            labels = list(keys)
        else:
            labels = [(k, *(n if isinstance(n, tuple) else (n,))) for k, o in zip(keys, objs) for n in o.columns]
            inner = objs[0].columns.names if all(o.columns.names == objs[0].columns.names for o in objs) else None
            return DataFrame._of(made, MultiIndex.from_tuples(labels, names=None if inner is None else [None, *inner]), index)
    names = RangeIndex(len(made)) if ignore_index or labels == list(range(len(labels))) else Index(labels)
    return DataFrame._of(made, names, index)


def _key_columns(frame, on, by_index, side):
    if by_index:
        index = frame.index
        return (index._columns if index._multi else [index._column]), [None] * index.nlevels
    names = [on] if is_one(on) or hasattr(on, "_column") else list(on)
    columns, labels = [], []
    for n in names:
        if is_one(n):
            if n in frame.columns:
                columns.append(frame[n]._column)
            elif n in frame.index.names and n is not None:
                columns.append((frame.index.get_level_values(n) if frame.index._multi else frame.index)._column)
            else:
                raise KeyError(n)
            labels.append(n)
        else:
            columns.append(C.infer(n))
            labels.append(None)
    return columns, labels


def merge(
    left,
    right,
    how="inner",
    on=None,
    left_on=None,
    right_on=None,
    left_index=False,
    right_index=False,
    sort=False,
    suffixes=("_x", "_y"),
    copy=None,
    indicator=False,
    validate=None,
):
    from .errors import MergeError
    from ._series import Series

    if isinstance(right, Series):
        right = right.to_frame()
    if isinstance(left, Series):
        left = left.to_frame()
    for of in (left, right):
        if getattr(of, "ndim", None) != 2 or not hasattr(of, "_data"):
            raise TypeError(f"Can only merge Series or DataFrame objects, a {type(of)} was passed")
    if how not in ("inner", "left", "right", "outer", "cross"):
        raise ValueError(f"'{how}' is not a valid Merge type: left, right, inner, outer, left_anti, right_anti, cross, asof")
    if how == "cross":
        if on is not None or left_on is not None or right_on is not None or left_index or right_index:
            raise MergeError("Can not pass on, right_on, left_on or set right_index=True or left_index=True")
        pairs = [(i, j) for i in range(len(left)) for j in range(len(right))]
        return _together(left, right, pairs, [], suffixes, RangeIndex(len(pairs)))
    if on is None and left_on is None and right_on is None and not left_index and not right_index:
        on = [n for n in left.columns if n in right.columns]
        if not on:
            raise MergeError(
                "No common columns to perform merge on. Merge options: left_on=None, right_on=None, left_index=False, "
                "right_index=False"
            )
    if on is not None:
        left_on = right_on = on
    a, a_names = _key_columns(left, left_on, left_index, "left")
    b, b_names = _key_columns(right, right_on, right_index, "right")
    if len(a) != len(b):
        raise ValueError(
            "len(right_on) must equal len(left_on)"
            if not (left_index or right_index)
            else 'len(left_on) must equal the number of levels in the index of "right"'
        )
    for p, q, n in zip(a, b, a_names):
        _check_kinds(p, q, n)
    key = lambda columns: [tuple(None if is_missing(x) else x for x in row) for row in zip(*[c.items() for c in columns])]
    x, y = key(a), key(b)
    if validate is not None:
        _validate(validate, x, y, (a_names, b_names), MergeError)
    places = {}
    for j, k in enumerate(y):
        places.setdefault(k, []).append(j)
    pairs = _pairs(x, y, places, how, sort)
    shared = [(n, m, i) for i, (n, m) in enumerate(zip(a_names, b_names)) if n is not None and n == m]
    if left_index and right_index:
        index = (
            Index._of(_keyed(left.index._column, right.index._column, pairs), left.index.name)
            if not left.index._multi
            else left.index._taken([i for i, _ in pairs])
        )
    elif left_index:
        index = right.index._taken([j for _, j in pairs])
    elif right_index:
        index = left.index._taken([i for i, _ in pairs])
    else:
        index = RangeIndex(len(pairs))
    made = _together(left, right, pairs, shared, suffixes, index)
    if left_index != right_index:
        # The column on the other side has the key of rows that only the index's side has.
        name, (p, q) = (a_names[0], (a[0], b[0])) if right_index else (b_names[0], (a[0], b[0]))
        if name is not None and name in made.columns and how in ("right", "outer"):
            made[name] = Series._of(_keyed(p, q, pairs), made.index)
    if indicator:
        side = ["both" if i >= 0 and j >= 0 else "left_only" if i >= 0 else "right_only" for i, j in pairs]
        labels = ["left_only", "right_only", "both"]
        made["_merge" if indicator is True else indicator] = Series._of(
            Column(C.CategoricalDtype(labels), [labels.index(s) for s in side]), made.index
        )
    return made


def merge_asof(
    left,
    right,
    on=None,
    left_on=None,
    right_on=None,
    left_index=False,
    right_index=False,
    by=None,
    left_by=None,
    right_by=None,
    suffixes=("_x", "_y"),
    tolerance=None,
    allow_exact_matches=True,
    direction="backward",
):
    """Every row of `left` with the row of `right` whose key is the nearest."""
    from .errors import MergeError

    if direction not in ("backward", "forward", "nearest"):
        raise MergeError(f"direction invalid: {direction}")
    if by is not None:
        left_by = right_by = by
    if on is not None:
        left_on = right_on = on
    (a,), a_names = _key_columns(left, left_on, left_index, "left")
    (b,), b_names = _key_columns(right, right_on, right_index, "right")
    groups = [(), ()]
    by_names = [[], []]
    for i, (frame, names) in enumerate(((left, left_by), (right, right_by))):
        if names is not None:
            columns, by_names[i] = _key_columns(frame, names, False, "")
            groups[i] = list(zip(*[c.items() for c in columns]))
        else:
            groups[i] = [()] * len(frame)
    if a.numeric != b.numeric or a.numeric and a.dtype != b.dtype or not a.numeric and a.dtype != b.dtype:
        raise MergeError(f"incompatible merge keys [0] {a.dtype!r} and {b.dtype!r}, must be the same type")
    if tolerance is not None:
        if a.dtype == C.DATETIME and not hasattr(tolerance, "total_seconds") or a.numeric and not isinstance(tolerance, (int, float)):
            raise MergeError(f"incompatible tolerance {type(tolerance)}, must be compat with type {a.dtype!r}")
    x, y = a.items(), b.items()
    for side, keys in (("left", x), ("right", y)):
        if any(map(is_missing, keys)):
            raise ValueError(f"Merge keys contain null values on {side} side")
        if any(p > q for p, q in zip(keys, keys[1:])):
            raise ValueError(f"{side} keys must be sorted")
    places = {}
    for j, group in enumerate(groups[1]):
        places.setdefault(group, []).append(j)
    pairs = []
    for i, key in enumerate(x):
        rows = places.get(groups[0][i], [])
        keys = [y[j] for j in rows]
        low = (bisect_right if allow_exact_matches else bisect_left)(keys, key) - 1
        high = (bisect_left if allow_exact_matches else bisect_right)(keys, key)
        before = low if low >= 0 and direction != "forward" else None
        after = high if high < len(rows) and direction != "backward" else None
        if before is not None and after is not None:
            before, after = (None, after) if keys[after] - key < key - keys[before] else (before, None)
        at = before if before is not None else after
        if at is not None and tolerance is not None and abs(keys[at] - key) > tolerance:
            at = None
        pairs.append((i, -1 if at is None else rows[at]))
    names = [*zip(a_names, b_names), *zip(*by_names)]
    shared = [(n, m, i) for i, (n, m) in enumerate(names) if n is not None and n == m]
    index = left.index if left_index or right_index else RangeIndex(len(pairs))
    return _together(left, right, pairs, shared, suffixes, index)


def merge_ordered(left, right, on=None, left_on=None, right_on=None, left_by=None, right_by=None, fill_method=None,
                  suffixes=("_x", "_y"), how="outer"):
    if left_by is not None or right_by is not None:
        raise NotImplementedError("pandas: merge_ordered(left_by=, right_by=)")
    if fill_method not in (None, "ffill"):
        raise ValueError("fill_method must be 'ffill' or None")
    made = merge(left, right, how, on, left_on, right_on, sort=True, suffixes=suffixes)
    if fill_method is None:
        return made
    kinds = {n: c.dtype for frame in (left, right) for n, c in zip(frame.columns, frame._data)}
    made = made.ffill()
    # Whole numbers stay whole where no gap is left.
    return made.astype({n: kinds[n] for n, c in zip(made.columns, made._data) if n in kinds and c.numeric and not any(c.missing())})


def _repeated(keys, names, side):
    """The first repeated keys of a frame, for an error."""
    from ._frame import DataFrame

    seen, again = set(), []
    for key in keys:
        if key in seen:
            again.append(key if isinstance(key, tuple) else (key,))
        seen.add(key)
    table = DataFrame._of([C.infer(list(column)) for column in zip(*again[:5])], Index(names), RangeIndex(len(again[:5])))
    return f"\nDuplicates in {side}:\n {table.to_string(index=False)} ..."


def _validate(validate, x, y, names, error):
    kinds = {"1:1": "one-to-one", "1:m": "one-to-many", "m:1": "many-to-one", "m:m": "many-to-many"}
    kinds.update({kind.replace("-", "_"): kind for kind in kinds.values()})
    if validate not in kinds:
        raise ValueError(f'"{validate}" is not a valid argument. Valid arguments are:\n' + "\n".join(f'- "{kind}"' for kind in kinds))
    kind = kinds[validate]
    left, right = (bad and _repeated(keys, own, side) for bad, keys, own, side in (
        (kind.startswith("one") and len(set(x)) < len(x), x, names[0], "left"),
        (kind.endswith("one") and len(set(y)) < len(y), y, names[1], "right")))
    if left and right:
        raise error(f"Merge keys are not unique in either left or right dataset; not a one-to-one merge.{left}{right}")
    if left:
        raise error(f"Merge keys are not unique in left dataset; not a {kind} merge{left}")
    if right:
        more = "\n" if kind == "many-to-one" else ""
        raise error(f"Merge keys are not unique in right dataset; not a {kind} merge{more}{right}")


def _pairs(x, y, places, how, sort):
    if how == "right":
        other = {}
        for i, k in enumerate(x):
            other.setdefault(k, []).append(i)
        return [(i, j) for j, k in enumerate(y) for i in other.get(k, [-1])]
    pairs = []
    for i, k in enumerate(x):
        found = places.get(k)
        if found is not None:
            pairs += [(i, j) for j in found]
        elif how in ("left", "outer"):
            pairs.append((i, -1))
    if how == "outer":
        known = set(x)
        pairs += [(-1, j) for j, k in enumerate(y) if k not in known]
    if how == "outer" or sort:
        label = lambda pair: x[pair[0]] if pair[0] >= 0 else y[pair[1]]
        try:
            pairs.sort(key=lambda p: tuple((v is None, v if v is not None else 0) for v in label(p)))
        except TypeError:
            pass
    return pairs


def _keyed(a, b, pairs):
    """The key columns of a row that may be on only one side, from the side that has it."""
    if all(i >= 0 for i, _ in pairs):
        return a.take([i for i, _ in pairs])
    total = C.concat([a, b])
    return total.take([i if i >= 0 else len(a) + j for i, j in pairs])


def _together(left, right, pairs, shared, suffixes, index):
    from .errors import MergeError
    from ._frame import DataFrame

    left_at, right_at = [i for i, _ in pairs], [j for _, j in pairs]
    keys = {n for n, _, _ in shared}
    both = {n for n in left.columns if n in right.columns and n not in keys}
    if both and not (suffixes[0] or suffixes[1]):
        raise ValueError(f"columns overlap but no suffix specified: {Index(sorted(both))!r}")
    made, labels = [], []
    for n, c in zip(left.columns, left._data):
        made.append(_keyed(c, right[n]._column, pairs) if n in keys else c.taken(left_at))
        labels.append(f"{n}{suffixes[0] or ''}" if n in both else n)
    for n, c in zip(right.columns, right._data):
        if n not in keys:
            made.append(c.taken(right_at))
            labels.append(f"{n}{suffixes[1] or ''}" if n in both else n)
    if len(set(labels)) < len(labels):
        twice = {n for n in labels if labels.count(n) > 1}
        raise MergeError(f"Passing 'suffixes' which cause duplicate columns {twice} is not allowed.")
    return DataFrame._of(made, Index(labels) if labels else RangeIndex(0), index)


def _check_kinds(p, q, name):
    """Strings never equal numbers."""
    text = lambda c: c.dtype == C.STR
    if text(p) != text(q) and (p.numeric or q.numeric) and len(p) and len(q):
        raise ValueError(
            f"You are trying to merge on {p.dtype} and {q.dtype} columns for key '{name}'. If you wish to proceed you "
            "should use pd.concat"
        )


def join(left, other, on, how, suffixes, sort, validate=None):
    from ._series import Series

    if isinstance(other, (list, tuple)):
        return concat([left, *other], axis=1, join="outer" if how != "inner" else "inner").reindex(left.index)
    if isinstance(other, Series):
        if other.name is None:
            raise ValueError("Other Series must have a name")
        other = other.to_frame()
    both = [n for n in left.columns if n in other.columns]
    if on is not None and is_one(on) and not other.index._multi:
        _check_kinds(left[on]._column if on in left.columns else left.index.get_level_values(on)._column, other.index._column, on)
    if both and not any(suffixes):
        raise ValueError(f"columns overlap but no suffix specified: {Index(both)!r}")
    return merge(left, other, how, left_on=on, left_index=on is None, right_index=True, suffixes=suffixes, sort=sort,
                 validate=validate)
