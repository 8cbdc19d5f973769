"""What `.values` is for text and for categories, and the accessor `.cat`."""

import numpy as np

from . import _columns as C
from ._columns import Column, infer


class _Array:
    @classmethod
    def _of(cls, column):
        self = object.__new__(cls)
        self._column = column
        return self

    dtype = property(lambda self: self._column.dtype)
    shape = property(lambda self: (len(self._column),))
    ndim = 1
    size = property(lambda self: len(self._column))

    def __len__(self):
        return len(self._column)

    def __iter__(self):
        return iter(self._column.items())

    def __getitem__(self, key):
        if isinstance(key, (int, np.integer)):
            return self._column.items()[key]
        from ._index import places_of

        return type(self)._of(self._column.take(places_of(key, len(self))))

    def tolist(self):
        return list(self._column.items())

    def to_numpy(self, dtype=None, copy=False):
        found = C.objects(self._column.items()) if self.dtype == C.STR else self._column.numpy()
        return found if dtype is None else found.astype(dtype)

    def __array__(self, dtype=None, copy=None):
        return self.to_numpy(dtype)

    def astype(self, dtype):
        made = self._column.astype(dtype)
        return made.array()

    def isna(self):
        return np.array(self._column.missing(), dtype=bool)

    def unique(self):
        from ._series import Series

        return Series(self).unique()

    def __eq__(self, other):
        return C.compute("eq", self._column, other._column if isinstance(other, _Array) else other).data

    def __ne__(self, other):
        return ~(self == other)

    __hash__ = None


class StringArray(_Array):
    """An array of strings."""

    def __repr__(self):
        texts = [repr(x) for x in self._column.items()]
        from ._format import sequence

        body = sequence("StringArray", self._column, texts).rstrip()[:-1]
        if "\n" in body:
            body = body.replace("\n" + " " * 13, "\n ")
        return f"<StringArray>\n{body}\nLength: {len(self)}, dtype: str"


StringArray.__module__ = "pandas.arrays"


class Categorical(_Array):
    """Values, each of which is one of a few categories."""

    def __init__(self, values, categories=None, ordered=False, dtype=None):
        column = infer(values)
        if isinstance(dtype, C.CategoricalDtype):
            categories, ordered = dtype._categories, dtype.ordered
        self._column = C.categorical(column, None if categories is None else list(categories), ordered)

    @classmethod
    def from_codes(cls, codes, categories=None, ordered=False):
        return cls._of(Column(C.CategoricalDtype(list(categories), ordered), [int(c) for c in codes]))

    categories = property(lambda self: self.dtype.categories)
    codes = property(lambda self: np.array(self._column.data, dtype=np.int8))
    ordered = property(lambda self: self.dtype.ordered)

    def __repr__(self):
        from ._format import as_floats, categories_text

        items = [repr(x) if isinstance(x, str) else "NaN" if C.is_missing(x) else str(x) for x in as_floats(self._column.items())]
        long = len(items) > 10
        body = ", ".join(items if not long else items[:5] + ["..."] + items[-5:])
        return f"[{body}]\n" + (f"Length: {len(items)}\n" if long else "") + categories_text(self.dtype)


class Categories:
    """`series.cat`."""

    def __init__(self, series):
        if not isinstance(series.dtype, C.CategoricalDtype):
            raise AttributeError("Can only use .cat accessor with a 'category' dtype")
        self._series = series

    categories = property(lambda self: self._series.dtype.categories)
    ordered = property(lambda self: self._series.dtype.ordered)

    @property
    def codes(self):
        from ._series import Series

        return Series._of(Column(np.dtype("int8"), np.array(self._series._column.data, dtype=np.int8)), self._series.index)

    def _with(self, categories, ordered=None):
        column = C.categorical(
            Column(C.OBJECT, self._series._column.items()), list(categories), self.ordered if ordered is None else ordered
        )
        return self._series._like(column)

    def rename_categories(self, new_categories):
        old = self._series.dtype._categories
        change = new_categories
        new = (
            [change.get(x, x) for x in old]
            if isinstance(change, dict)
            else [change(x) for x in old] if callable(change) else list(change)
        )
        return self._series._like(Column(C.CategoricalDtype(new, self.ordered), self._series._column.data))

    def reorder_categories(self, new_categories, ordered=None):
        return self._with(new_categories, ordered)

    def set_categories(self, new_categories, ordered=None, rename=False):
        return self._with(new_categories, ordered)

    def add_categories(self, new_categories):
        more = [new_categories] if isinstance(new_categories, str) else list(new_categories)
        return self._with([*self._series.dtype._categories, *more])

    def remove_categories(self, removals):
        gone = [removals] if isinstance(removals, str) else list(removals)
        return self._with([x for x in self._series.dtype._categories if x not in gone])

    def remove_unused_categories(self):
        used = set(self._series._column.items())
        return self._with([x for x in self._series.dtype._categories if x in used])

    def as_ordered(self):
        return self._with(self._series.dtype._categories, True)

    def as_unordered(self):
        return self._with(self._series.dtype._categories, False)
