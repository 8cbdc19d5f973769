"""`series.str`."""

import re

import numpy as np

from . import _columns as C
from ._columns import BOOL, FLOAT, INT, OBJECT, STR, Column, infer, is_missing

_PLAIN = (
    "lower",
    "upper",
    "title",
    "capitalize",
    "swapcase",
    "strip",
    "lstrip",
    "rstrip",
    "center",
    "ljust",
    "rjust",
    "zfill",
    "removeprefix",
    "removesuffix",
    "casefold",
    "translate",
    "expandtabs",
)
_ASKING = ("isalpha", "isdigit", "isalnum", "isspace", "islower", "isupper", "istitle", "isnumeric", "isdecimal", "isascii")


class Text:
    def __init__(self, series):
        column = series._column
        if isinstance(column.dtype, C.CategoricalDtype):
            column = Column(OBJECT, column.items())
        if column.dtype != STR and not (
            column.dtype == OBJECT
            and any(isinstance(x, (str, bytes, list, tuple)) or is_missing(x) for x in column.data)
            or column.dtype == OBJECT
            and not len(column)
        ):
            raise AttributeError("Can only use .str accessor with string values, not " + _kind(column))
        self._series, self._column, self._index = series, column, None

    def _for_index(self, name):
        self._index = (name,)
        return self

    def _out(self, column):
        if self._index is not None:
            from ._index import Index

            return column.data if column.dtype == BOOL else Index._of(column, self._index[0])
        return self._series._like(column)

    def _each(self, function, kind=None):
        items = self._column.items()
        gaps = [not isinstance(x, (str, bytes, list, tuple, dict)) for x in items]
        if kind == "bool":
            made = [
                (False if self._column.dtype == STR else C.NAN) if gone else bool(function(x)) for x, gone in zip(items, gaps)
            ]
            return self._out(
                Column(BOOL, np.array(made, dtype=bool)) if not any(gaps) or self._column.dtype == STR else Column(OBJECT, made)
            )
        made = [C.NAN if gone else function(x) for x, gone in zip(items, gaps)]
        if kind == "int":
            return self._out(
                Column(FLOAT, np.array(made, dtype=np.float64)) if any(gaps) else Column(INT, np.array(made, dtype=np.int64))
            )
        if kind == "object":
            return self._out(Column(OBJECT, made))
        return self._out(
            Column(
                self._column.dtype if self._column.dtype in (STR, OBJECT) else infer(made).dtype if made else OBJECT,
                [C.NAN if is_missing(x) else x for x in made],
            )
        )

    def __getitem__(self, key):
        return self.slice(key.start, key.stop, key.step) if isinstance(key, slice) else self.get(key)

    def get(self, i):
        found = self._each(lambda x: x[i] if isinstance(x, dict) or -len(x) <= i < len(x) else C.NAN, "object")
        return self._retyped(found)

    def _retyped(self, found):
        # Lists have no dtype of their own, so what is taken out of them stays objects.
        words = all(isinstance(x, str) or is_missing(x) for x in found._column.data)
        if hasattr(found, "_found") or self._column.dtype == OBJECT and words:
            return found
        return found._like(infer(found._column.data))

    def slice(self, start=None, stop=None, step=None):
        return self._each(lambda x: x[start:stop:step])

    def len(self):
        return self._each(len, "int")

    def _asked(self, test, na):
        """A bool for each string, and `na` for what's missing."""
        if na is not None and not is_missing(na):
            flags = [bool(test(x)) if isinstance(x, str) else bool(na) for x in self._column.items()]
            return self._out(Column(BOOL, np.array(flags, dtype=bool)))
        return self._each(test, "bool")

    def contains(self, pat, case=True, flags=0, na=None, regex=True):
        if regex:
            return self._asked(re.compile(pat, flags | (0 if case else re.IGNORECASE)).search, na)
        return self._asked(lambda x: (pat in x) if case else pat.lower() in x.lower(), na)

    def match(self, pat, case=True, flags=0, na=None):
        return self._asked(re.compile(pat, flags | (0 if case else re.IGNORECASE)).match, na)

    def fullmatch(self, pat, case=True, flags=0, na=None):
        return self._asked(re.compile(pat, flags | (0 if case else re.IGNORECASE)).fullmatch, na)

    def startswith(self, pat, na=None):
        return self._asked(lambda x: x.startswith(pat), na)

    def endswith(self, pat, na=None):
        return self._asked(lambda x: x.endswith(pat), na)

    def count(self, pat, flags=0):
        return self._each(lambda x: len(re.findall(pat, x, flags)), "int")

    def find(self, sub, start=0, end=None):
        return self._each(lambda x: x.find(sub, start, end), "int")

    def replace(self, pat, repl=None, n=-1, case=None, flags=0, regex=False):
        if isinstance(pat, dict):
            made = self
            for old, new in pat.items():
                made = Text(made.replace(old, new, n, case, flags, regex))
            return made._series
        if regex or hasattr(pat, "pattern") or callable(repl):
            found = pat if hasattr(pat, "pattern") else re.compile(pat, flags | (re.IGNORECASE if case is False else 0))
            return self._each(lambda x: found.sub(repl, x, count=max(n, 0)))
        if case is False:
            found = re.compile(re.escape(pat), re.IGNORECASE)
            return self._each(lambda x: found.sub(lambda m: repl, x, count=max(n, 0)))
        return self._each(lambda x: x.replace(pat, repl, n))

    def split(self, pat=None, n=-1, expand=False, regex=None):
        limit = n if n and n > 0 else -1
        if pat is not None and (regex or regex is None and len(pat) > 1 and pat != re.escape(pat)):
            cut = lambda x: re.split(pat, x, maxsplit=max(limit, 0))
        elif pat == "":
            # An empty pattern is between all letters, as for regular expressions.
            cut = lambda x: re.split(pat, x, maxsplit=max(limit, 0))
        else:
            cut = lambda x: x.split(pat, limit)
        return self._parts(cut, expand)

    def rsplit(self, pat=None, n=-1, expand=False):
        return self._parts(lambda x: x.rsplit(pat, n if n and n > 0 else -1), expand)

    def partition(self, sep=" ", expand=True):
        return self._parts(lambda x: x.partition(sep), expand)

    def _parts(self, cut, expand):
        if not expand:
            return self._each(cut, "object")
        from ._frame import DataFrame
        from ._index import RangeIndex

        rows = [cut(x) if isinstance(x, str) else None for x in self._column.items()]
        width = max((len(r) for r in rows if r is not None), default=0)
        gap = C.NAN if self._column.dtype == STR else None
        columns = [[gap if r is None or i >= len(r) else r[i] for r in rows] for i in range(width)]
        kind = STR if self._column.dtype == STR else OBJECT
        return DataFrame._of([Column(kind, c) for c in columns], RangeIndex(width), self._series.index)

    def join(self, sep):
        return self._retyped(self._each(sep.join, "object"))

    def cat(self, others=None, sep=None, na_rep=None):
        if others is None:
            return (sep or "").join(x for x in self._column.items() if isinstance(x, str))
        others = others if isinstance(others, (list, tuple)) and others and not isinstance(others[0], str) else [others]
        columns = [infer(o).items() for o in others]
        made = []
        for row in zip(self._column.items(), *columns):
            row = [na_rep if is_missing(x) and na_rep is not None else x for x in row]
            made.append(C.NAN if any(is_missing(x) for x in row) else (sep or "").join(row))
        return self._out(infer(made))

    def extract(self, pat, flags=0, expand=True):
        from ._frame import DataFrame
        from ._index import Index, RangeIndex

        found = re.compile(pat, flags)
        if not found.groups:
            raise ValueError("pattern contains no capture groups")
        rows = []
        for x in self._column.items():
            m = found.search(x) if isinstance(x, str) else None
            rows.append([C.NAN] * found.groups if m is None else [C.NAN if g is None else g for g in m.groups()])
        columns = [Column(STR if self._column.dtype == STR else OBJECT, list(c)) for c in zip(*rows)]
        names = {i - 1: n for n, i in found.groupindex.items()}
        labels = Index([names.get(i, i) for i in range(found.groups)]) if names else RangeIndex(found.groups)
        if found.groups == 1 and not expand:
            from ._series import Series

            return Series._of(columns[0], self._series.index, names.get(0))
        return DataFrame._of(columns, labels, self._series.index)

    def extractall(self, pat, flags=0):
        """A row for each match, with its number beside the label."""
        from ._frame import DataFrame
        from ._index import Index, MultiIndex, RangeIndex

        found = re.compile(pat, flags)
        if not found.groups:
            raise ValueError("pattern contains no capture groups")
        rows, places, numbers = [], [], []
        for i, x in enumerate(self._column.items()):
            for k, m in enumerate(found.finditer(x) if isinstance(x, str) else ()):
                rows.append([C.NAN if g is None else g for g in m.groups()])
                places.append(i)
                numbers.append(k)
        columns = [Column(STR if self._column.dtype == STR else OBJECT, [row[j] for row in rows]) for j in range(found.groups)]
        names = {i - 1: n for n, i in found.groupindex.items()}
        labels = Index([names.get(i, i) for i in range(found.groups)]) if names else RangeIndex(found.groups)
        index = self._series.index
        own = [c.take(places) for c in (index._columns if index._multi else [index._column])]
        return DataFrame._of(columns, labels, MultiIndex._of_columns([*own, infer(numbers)], [*index.names, "match"]))

    def wrap(self, width, **options):
        import textwrap

        plain = dict.fromkeys("expand_tabs replace_whitespace drop_whitespace break_long_words break_on_hyphens".split(), True)
        return self._each(lambda x: "\n".join(textwrap.wrap(x, width, **{**plain, **options})))

    def findall(self, pat, flags=0):
        return self._each(lambda x: re.findall(pat, x, flags), "object")

    def repeat(self, repeats):
        return self._each(lambda x: x * repeats)

    def pad(self, width, side="left", fillchar=" "):
        how = {"left": str.rjust, "right": str.ljust, "both": str.center}[side]
        return self._each(lambda x: how(x, width, fillchar))

    def encode(self, encoding, errors="strict"):
        return self._each(lambda x: x.encode(encoding, errors), "object")

    def decode(self, encoding, errors="strict"):
        return self._each(lambda x: x.decode(encoding, errors))

    def normalize(self, form):
        import unicodedata

        return self._each(lambda x: unicodedata.normalize(form, x))

    def get_dummies(self, sep="|"):
        from ._frame import DataFrame

        rows = [set(x.split(sep)) if isinstance(x, str) else set() for x in self._column.items()]
        names = sorted({n for r in rows for n in r if n})
        return DataFrame({n: [int(n in r) for r in rows] for n in names}, index=self._series.index)

    def __getattr__(self, name):
        if name in _PLAIN:
            return lambda *args: self._each(lambda x: getattr(x, name)(*args))
        if name in _ASKING:
            return lambda: self._each(lambda x: getattr(x, name)(), "bool")
        if name in ("wrap", "index", "rindex", "rfind", "slice_replace", "extractall", "rpartition"):
            raise NotImplementedError(f"pandas.Series.str.{name} isn't here")
        raise AttributeError(f"'StringMethods' object has no attribute '{name}'")


def _kind(column):
    if column.numeric:
        return {"b": "boolean", "f": "floating", "c": "complex"}.get(column.dtype.kind, "integer")
    return "datetime64" if column.dtype == C.DATETIME else "mixed"
