"""Methods of frames that choose, sort, label and reshape their rows."""

import numpy as np

from . import _columns as C
from . import _reduce
from ._columns import BOOL, OBJECT, STR, Column, is_missing
from ._index import Index, RangeIndex
from ._series import Series
from ._shared import Shared, extremes, is_one, refusing
from .errors import warn_later


# It has the name of the class that it's a part of, because Python says that name in errors about arguments.
class DataFrame(Shared):
    # Rows.

    def sort_values(
        self, by, axis=0, ascending=True, inplace=False, kind="quicksort", na_position="last", ignore_index=False, key=None
    ):
        names = [by] if is_one(by) else list(by)
        ways = [ascending] * len(names) if isinstance(ascending, (bool, int)) else list(ascending)
        if len(ways) != len(names):
            raise ValueError(f"Length of ascending ({len(ways)}) != length of by ({len(names)})")
        order = list(range(len(self)))
        for name, way in list(zip(names, ways))[::-1]:
            if name in self.columns:
                column = self[name]
                column = (column if key is None else key(column))._column
            elif name in self.index.names:
                column = (self.index.get_level_values(name) if self.index._multi else self.index)._column
            else:
                raise KeyError(name)
            part = C.order_of(column.take(order), way, na_position)
            order = [order[i] for i in part]
        made = self._rows(order)
        return self._done(made.reset_index(drop=True) if ignore_index else made, inplace)

    def nlargest(self, n, columns, keep="first"):
        return self._most(n, columns, keep, True)

    def nsmallest(self, n, columns, keep="first"):
        return self._most(n, columns, keep, False)

    def _most(self, n, columns, keep, largest):
        names = [columns] if is_one(columns) else list(columns)
        for name in names:
            kind = self[name].dtype
            if kind in (STR, OBJECT) or isinstance(kind, C.CategoricalDtype):
                method = "nlargest" if largest else "nsmallest"
                raise TypeError(f"Column {name!r} has dtype {kind}, cannot use method {method!r} with this dtype")
        if len(names) == 1:
            return self._rows(extremes(self[names[0]]._column, n, keep, largest))
        if keep != "first":
            raise NotImplementedError("pandas: nlargest and nsmallest of several columns with keep=")
        return self.sort_values(names, ascending=not largest, kind="stable").head(n)

    def dropna(self, *, axis=0, how=None, thresh=None, subset=None, inplace=False, ignore_index=False):
        if how is not None and thresh is not None:
            raise TypeError("You cannot set both the how and thresh arguments at the same time.")
        how = "any" if how is None else how
        if how not in ("any", "all"):
            raise ValueError(f"invalid how option: {how}")
        if axis in (1, "columns"):
            parts = [c.missing() for c in self._data]
            kept = [i for i, gaps in enumerate(parts) if _enough(gaps, how, thresh)]
            return self._done(self._columns_at(kept), inplace)
        names = self.columns if subset is None else [subset] if is_one(subset) else list(subset)
        lacking = [n for n in names if n not in self.columns]
        if lacking:
            raise KeyError(lacking)
        parts = [self[n]._column.missing() for n in names]
        kept = [i for i in range(len(self)) if _enough([p[i] for p in parts], how, thresh)]
        made = self._rows(kept) if len(kept) < len(self) else self.copy()
        return self._done(made.reset_index(drop=True) if ignore_index else made, inplace)

    def duplicated(self, subset=None, keep="first"):
        names = list(self.columns) if subset is None else [subset] if is_one(subset) else list(subset)
        lacking = [n for n in names if n not in self.columns]
        if lacking:
            raise KeyError(Index(lacking))
        rows = list(zip(*[self[n]._column.items() for n in names]))
        rows = [tuple(None if is_missing(x) else x for x in r) for r in rows]
        return Series._of(Column(BOOL, _reduce.doubles(rows, keep)), self.index)

    def drop_duplicates(self, subset=None, keep="first", inplace=False, ignore_index=False):
        made = self[~self.duplicated(subset, keep)]
        return self._done(made.reset_index(drop=True) if ignore_index else made, inplace)

    def eval(self, expr, inplace=False, **options):
        """What an expression over columns gives; `name = expression` adds a column."""
        from ._query import evaluated

        name, sign, rest = expr.partition("=")
        if sign and name.strip().isidentifier() and not rest.startswith("="):
            made = self.copy()
            made[name.strip()] = evaluated(self, rest)
            return self._done(made, inplace)
        return evaluated(self, expr)

    def query(self, expr, inplace=False, **options):
        from ._query import evaluated

        return self._done(self[evaluated(self, expr)], inplace)

    def filter(self, items=None, like=None, regex=None, axis=None):
        import re

        labels = self.index if axis in (0, "index") else self.columns
        if items is not None:
            kept = [x for x in items if x in labels]
        elif like is not None:
            kept = [x for x in labels if like in str(x)]
        else:
            kept = [x for x in labels if re.search(regex, str(x))]
        return self.loc[kept] if axis in (0, "index") else self[kept]

    def select_dtypes(self, include=None, exclude=None):
        from ._describe import matches

        for asked, said, does in ((include, "included", "include"), (exclude, "excluded", "exclude")):
            several = asked if isinstance(asked, (list, tuple, set)) else [asked]
            strings = any(x in ("str", "string") or x is str for x in several)
            if not strings and any(x is object or x in ("object", "O") for x in several) and any(c.dtype == STR for c in self._data):
                remedy = "to select them, or to `exclude` to remove" if does == "include" else "to remove them, or to `include` to keep"
                warn_later(
                    f"For backward compatibility, 'str' dtypes are {said} by select_dtypes when 'object' dtype is specified. This behavior is "
                    f"deprecated and will be removed in a future version. Explicitly pass 'str' to `{does}` {remedy} them and silence this "
                    "warning.\nSee https://pandas.pydata.org/docs/dev/user_guide/migration.html#string-migration-select-dtypes for details on "
                    "how to write code that works with pandas 2 and 3.")
        kept = [
            i
            for i, c in enumerate(self._data)
            if (include is None or matches(c.dtype, include)) and not (exclude is not None and matches(c.dtype, exclude))
        ]
        return self._columns_at(kept)

    # Labels.

    def rename(self, mapper=None, index=None, columns=None, axis=None, inplace=False, errors="ignore", **options):
        if mapper is not None:
            index, columns = (None, mapper) if axis in (1, "columns") else (mapper, None)
        made = self.copy()
        for change, which in ((index, "index"), (columns, "columns")):
            if change is None:
                continue
            labels = getattr(made, which)
            if errors == "raise" and isinstance(change, dict):
                lacking = [x for x in change if x not in labels]
                if lacking:
                    raise KeyError(f"{lacking} not found in axis")
            function = change if callable(change) else lambda x: change[x] if x in change else x
            if labels._multi:
                from ._index import MultiIndex

                new = MultiIndex.from_tuples([tuple(map(function, t)) for t in labels.tolist()], names=labels._names)
            else:
                new = Index([function(x) for x in labels], name=labels.name)
            setattr(made, which, new)
        return self._done(made, inplace)

    def set_index(self, keys, drop=True, append=False, inplace=False, verify_integrity=None):
        from ._index import MultiIndex

        names = [keys] if is_one(keys) or isinstance(keys, (Series, Index, np.ndarray)) else list(keys)
        lacking = [n for n in names if is_one(n) and n not in self.columns]
        if lacking:
            raise KeyError(f"None of {lacking!r} are in the columns")
        parts = [self[n] if is_one(n) else None if isinstance(n, MultiIndex) else Series(n) for n in names]
        made = self.drop(columns=[n for n in names if is_one(n)]) if drop else self.copy()
        columns, labels = [], []
        for key in ([self.index] if append else []) + [n if isinstance(n, MultiIndex) else p for n, p in zip(names, parts)]:
            if isinstance(key, MultiIndex):
                columns += key._columns
                labels += key._names
            else:
                columns.append(key._column)
                labels.append(key.name)
        index = Index._of_steps(columns[0], labels[0]) if len(columns) == 1 else MultiIndex._of_columns(columns, labels)
        if verify_integrity is not None:
            warn_later(
                "The 'verify_integrity' keyword in DataFrame.set_index is deprecated and will be removed in a future version. "
                "Directly check the result.index.is_unique instead.")
            if verify_integrity and not index.is_unique:
                raise ValueError(f"Index has duplicate keys: {index[index.duplicated()].unique()}")
        return self._done(self._of(made._data, made.columns, index), inplace)

    def reset_index(self, level=None, drop=False, inplace=False, names=None):
        made = self._of(self._data, self.columns, RangeIndex(len(self)))
        if not drop:
            index = self.index
            levels = [(index._column, index.name)] if not index._multi else list(zip(index._columns, index._names))
            kept = None
            if level is not None and index._multi:
                gone = [index._level(x) for x in ([level] if is_one(level) else level)]
                rest = [i for i in range(index.nlevels) if i not in gone]
                levels = [levels[i] for i in gone]
                kept = index
                for i in sorted(gone, reverse=True):
                    kept = kept.droplevel(i)
                if not rest:
                    kept = None
            for i, (column, name) in enumerate(levels):
                label = (
                    name
                    if name is not None
                    else f"level_{i}" if len(levels) > 1 else "index" if "index" not in self.columns else "level_0"
                )
                if names is not None:
                    label = names if isinstance(names, str) else names[i]
                made.insert(i, label, column)
            if kept is not None:
                made.index = kept
        return self._done(made, inplace)

    def assign(self, **columns):
        made = self.copy()
        for name, value in columns.items():
            made[name] = value(made) if callable(value) else value
        return made

    # Shapes.

    def transpose(self, *args, copy=None):
        kinds = {str(c.dtype) for c in self._data}
        if all(c.numeric for c in self._data) and len({c.dtype.kind == "b" for c in self._data}) <= 1:
            table = self.to_numpy()
            return self._of([Column(table.dtype, table[i]) for i in range(len(self))], self.index, self.columns)
        rows = zip(*[c.items() for c in self._data])
        same = self._data[0].dtype if len(kinds) == 1 and self._data else None
        return self._of([Column(same or OBJECT, list(r)) for r in rows], self.index, self.columns)

    def update(self, other, join="left", overwrite=True, filter_func=None, errors="ignore"):
        """Overwrites values with those of another frame that aren't missing."""
        if join != "left" or filter_func is not None or errors != "ignore":
            raise NotImplementedError("pandas: DataFrame.update(join=, filter_func=, errors=)")
        other = other if other.ndim == 2 else other.to_frame()
        for name in self.columns:
            if name in other.columns:
                given, own = other[name].reindex(self.index), self[name]
                keep = given.isna() if overwrite else own.notna() | given.isna()
                self[name] = own.where(keep, given)

    def groupby(self, by=None, level=None, as_index=True, sort=True, group_keys=True, observed=True, dropna=True, axis=0):
        from ._groupby import GroupBy, Grouper

        if by is None and level is None:
            raise TypeError("You have to supply one of 'by' and 'level'")
        if type(by) is list and len(by) == 1 and isinstance(by[0], Grouper):
            by = by[0]
        if isinstance(by, Grouper) and by.freq is not None:
            return self.resample(by.freq, by.closed, by.label, on=by.key)
        return GroupBy(self, by, level, as_index, sort, dropna, observed, group_keys)

    def merge(
        self,
        right,
        how="inner",
        on=None,
        left_on=None,
        right_on=None,
        left_index=False,
        right_index=False,
        sort=False,
        suffixes=("_x", "_y"),
        indicator=False,
        validate=None,
        **options,
    ):
        from ._merge import merge

        return merge(
            self,
            right,
            how,
            on,
            left_on,
            right_on,
            left_index,
            right_index,
            sort,
            suffixes,
            indicator=indicator,
            validate=validate,
            **options,
        )

    def join(self, other, on=None, how="left", lsuffix=None, rsuffix=None, sort=False, validate=None, *, suffixes=None):
        from ._merge import join

        if lsuffix is not None or rsuffix is not None:
            warn_later("The 'lsuffix' and 'rsuffix' keywords in DataFrame.join are deprecated and will be removed in a future version. "
                       "Use the 'suffixes' keyword instead.")
            suffixes = (lsuffix or "", rsuffix or "")
        return join(self, other, on, how, suffixes or ("", ""), sort, validate)

    def pivot(self, columns, index=None, values=None):
        from ._reshape import pivot

        return pivot(self, columns, index, values)

    def pivot_table(self, *args, **options):
        from ._reshape import pivot_table

        return pivot_table(self, *args, **options)

    def melt(self, id_vars=None, value_vars=None, var_name=None, value_name="value", ignore_index=True):
        from ._reshape import melt

        return melt(self, id_vars, value_vars, var_name, value_name)

    def stack(self, level=-1, **options):
        from ._reshape import stacked

        return stacked(self, level, options)

    def unstack(self, level=-1, fill_value=None):
        from ._reshape import unstacked

        return unstacked(self, level, fill_value)

    def explode(self, column, ignore_index=False):
        series = self[column]
        places, values = [], []
        for i, x in enumerate(series._column.items()):
            inside = list(x) if isinstance(x, (list, tuple, set, np.ndarray)) else [x]
            for value in inside or [C.NAN]:
                places.append(i)
                values.append(value)
        made = self._rows(places)
        made[column] = Series._of(C.of_objects(values), made.index)
        return made.reset_index(drop=True) if ignore_index else made


refusing(DataFrame, """eval:options melt:ignore_index query:options rename:options
sort_values:axis""")


def _enough(gaps, how, thresh):
    if thresh is not None:
        return len(gaps) - sum(gaps) >= thresh
    return not any(gaps) if how == "any" else not all(gaps)
