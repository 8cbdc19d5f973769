"""How frames, series and labels are printed."""

import contextlib

import numpy as np

from . import _columns as C

OPTIONS = {
    "display.max_rows": 60,
    "display.min_rows": 10,
    "display.max_columns": 0,
    "display.width": 80,
    "display.precision": 6,
    "display.max_colwidth": 50,
    "display.float_format": None,
    "display.max_seq_items": 100,
    "display.show_dimensions": "truncate",
    "display.expand_frame_repr": True,
    "mode.chained_assignment": None,
    "mode.copy_on_write": True,
    "future.no_silent_downcasting": False,
    "display.notebook_repr_html": True,
    "plotting.backend": "matplotlib",
    "future.infer_string": True,
}
DEFAULTS = dict(OPTIONS)


@contextlib.contextmanager
def floats_as(form):
    """Numbers are shown as `form` says meanwhile: a function, or a format such as "%.2f" or "{:.2f}"; None changes nothing."""
    before = OPTIONS["display.float_format"]
    if form is not None:
        OPTIONS["display.float_format"] = form if callable(form) else lambda x: form % x if "%" in form else form.format(x)
    try:
        yield
    finally:
        OPTIONS["display.float_format"] = before


def width_of(text):
    return len(text)


def plain(x):
    """The text of one value as `str` has it, numbers without their type."""
    return str(x)


def pretty(x, nested=0, quoted=False):
    """The text of one object in a table. Strings in a list have no quotes, those in a dictionary have."""
    if isinstance(x, str):
        text = x.translate(_ESCAPES)
        return f"'{text}'" if quoted else text
    if isinstance(x, np.generic):
        return str(x)
    if isinstance(x, dict) and not hasattr(x, "_column") and nested < 3:
        inside = ", ".join(f"{pretty(k, nested + 1, True)}: {pretty(v, nested + 1, True)}" for k, v in x.items())
        return f"{{{inside}}}"
    if isinstance(x, (list, tuple, set, frozenset, range, np.ndarray)) and nested < 3:
        return _list_text(x if not isinstance(x, range) else tuple(x), nested, quoted)
    return str(x)


_ESCAPES = str.maketrans({"\n": "\\n", "\t": "\\t", "\r": "\\r"})


def _list_text(x, nested, quoted):
    limit = OPTIONS["display.max_seq_items"]
    inside = [pretty(item, nested + 1, quoted) for item in list(x)[:limit]]
    body = ", ".join(inside)
    if len(x) > limit:
        body += ", ..."
    elif isinstance(x, tuple) and len(x) == 1:
        body += ","
    if isinstance(x, (set, frozenset)):
        return f"{{{body}}}" if isinstance(x, set) else f"frozenset({{{body}}})"
    return f"({body})" if isinstance(x, tuple) else f"[{body}]"


def _cut_zeros(texts):
    """Removes the zeros at the end that all these numbers have in common."""
    at = [i for i, t in enumerate(texts) if "." in t and t.strip().lstrip("+-").replace(".", "").isdigit()]
    cut = [texts[i] for i in at]
    while cut and all(t.endswith("0") for t in cut):
        cut = [t[:-1] for t in cut]
    made = list(texts)
    for i, t in zip(at, cut):
        made[i] = t + "0" if t.endswith(".") else t
    return made


def float_texts(values, leading, gap="NaN"):
    """Floats as strings, all with the same number of decimals."""
    digits, form = OPTIONS["display.precision"], OPTIONS["display.float_format"]
    space = " " if leading else ""
    shown = lambda x: gap if x != x else "inf" if x == float("inf") else "-inf"
    known = [x == x and abs(x) != float("inf") for x in values]
    if form is not None:
        form = form if callable(form) else form.format
        return [form(x) if x == x else gap for x in values]

    def all_with(spec):
        return [format(x, spec) if k else (space + shown(x) if x == x and x > 0 else shown(x)) for x, k in zip(values, known)]

    made = all_with(f"{space}.{digits}f")
    made = _cut_zeros(made)
    long = bool(made) and max(map(len, made)) > digits + 6
    sizes = [abs(x) for x, k in zip(values, known) if k]
    infinite = any(x == x and abs(x) == float("inf") for x in values)
    large = any(x > 1e6 for x in sizes) or infinite
    small = any(0 < x < 10.0**-digits for x in sizes)
    if small or long and large:
        made = all_with(f"{space}.{digits}e")
    return made


def as_floats(items):
    """Intervals of whole numbers with floats in them where something is missing, as pandas shows them."""
    if not any(C.is_missing(x) for x in items) or not any(isinstance(getattr(x, "left", None), int) for x in items):
        return items
    return [x if C.is_missing(x) else type(x)(float(x.left), float(x.right), x.closed) for x in items]


def column_texts(column, leading=True):
    """A column's values as strings, not yet padded to one width."""
    if column.numeric:
        kind = column.dtype.kind
        if kind == "f":
            return float_texts(column.data.tolist(), leading)
        if kind in "iu":
            return [f"{x: d}" if leading else f"{x:d}" for x in column.data.tolist()]
        if kind == "c":
            return _complex_texts(column.data.tolist(), leading)
        return [f" {x}" if leading else str(x) for x in column.data.tolist()]
    items = column.items()
    if isinstance(column.dtype, C.CategoricalDtype):
        inner = C.infer(items) if not any(C.is_missing(x) for x in items) else C.Column(C.OBJECT, list(items))
        return (
            [t if t.startswith(" ") or not leading else f" {t}" for t in column_texts(inner, leading)]
            if inner.numeric
            else [(" " if leading else "") + (pretty(x) if not C.is_missing(x) else "NaN") for x in as_floats(items)]
        )
    if column.dtype == C.DATETIME:
        return _date_texts(items)
    if column.dtype == C.TIMEDELTA:
        return _delta_texts(items)
    made = []
    floats = [isinstance(x, (float, np.floating)) and x == x for x in items]
    if leading is None:
        leading = any(floats)
    for x, is_float in zip(items, floats):
        if is_float:
            made.append(_one_float(float(x), leading))
        elif x is C.NA:
            made.append(" <NA>" if leading else "<NA>")
        elif x is None:
            made.append(" None" if leading else "None")
        elif C.is_missing(x):
            made.append(" NaN" if leading and x is not C.NaT else "NaT" if x is C.NaT else "NaN")
        else:
            made.append((" " if leading else "") + pretty(x))
    return made


def _one_float(x, leading):
    form = OPTIONS["display.float_format"]
    if form is not None:
        return (form if callable(form) else form.format)(x)
    text = float_texts([x], leading)[0]
    return text


def _complex_texts(values, leading):
    real = float_texts([x.real for x in values], leading)
    imaginary = float_texts([abs(x.imag) for x in values], False)
    return [f"{a}{'-' if x.imag < 0 else '+'}{b}j" for x, a, b in zip(values, real, imaginary)]


def _date_texts(items, labels=False):
    full = [x for x in items if x is not C.NaT]
    days = all((x.hour, x.minute, x.second, x.microsecond) == (0, 0, 0, 0) for x in full)
    # As many digits of a second as one of them needs. Labels have the digits that each of them needs.
    shown = "microseconds" if any(x.microsecond % 1000 for x in full) else "milliseconds" if any(x.microsecond for x in full) else \
        "seconds"
    shown = "auto" if labels else shown
    return ["NaT" if x is C.NaT else x.strftime("%Y-%m-%d") if days else x.isoformat(" ", shown) for x in items]


def _delta_texts(items):
    full = [x for x in items if x is not C.NaT]
    days = all(x.seconds == 0 and x.microseconds == 0 for x in full)
    return ["NaT" if x is C.NaT else f"{x.days} days" if days else str(x) for x in items]


def fixed(texts, justify="right", minimum=0):
    if not texts:
        return texts
    limit = OPTIONS["display.max_colwidth"]
    width = max(minimum, max(map(width_of, texts)))
    if limit is not None and width > limit:
        width = limit
        texts = [t[: limit - 3] + "..." if width_of(t) > limit else t for t in texts]
    return [aligned(t, width, justify) for t in texts]


def aligned(text, width, mode):
    return text.ljust(width) if mode == "left" else text.center(width) if mode == "center" else text.rjust(width)


def beside(space, *lists):
    """Columns of text beside each other."""
    widths = [max(map(width_of, part), default=0) + space for part in lists[:-1]]
    widths.append(max(map(width_of, lists[-1]), default=0))
    height = max(map(len, lists))
    full = []
    for part, width in zip(lists, widths):
        full.append([t.ljust(width) for t in part] + [" " * width] * (height - len(part)))
    return "\n".join("".join(row) for row in zip(*full))


def index_texts(column):
    """The labels at the left of rows, as strings."""
    if column.dtype in (C.OBJECT, C.STR):
        return ["NaN" if C.is_missing(x) and x is not None and x is not C.NaT else pretty(x) for x in column.items()]
    if isinstance(column.dtype, C.CategoricalDtype):
        return ["NaN" if C.is_missing(x) else pretty(x) for x in column.items()]
    texts = column_texts(column, None if not column.numeric else False)
    if column.numeric and column.dtype.kind in "f":
        texts = float_texts(column.data.tolist(), True, " NaN")
        while texts and all(t.startswith(" ") for t in texts):
            texts = [t[1:] for t in texts]
    return texts


def _quoted(column):
    """Labels as they are in the text of an index."""
    if column.dtype in (C.OBJECT, C.STR):
        return [
            repr(x) if isinstance(x, str) else "nan" if C.is_missing(x) and x is not None else pretty(x, 1, True)
            for x in column.items()
        ]
    if isinstance(column.dtype, C.CategoricalDtype):
        return [repr(x) if isinstance(x, str) else "nan" if C.is_missing(x) else str(x) for x in as_floats(column.items())]
    if column.dtype == C.DATETIME:
        return [f"'{t}'" for t in _date_texts(column.items(), labels=True)]
    if isinstance(column.dtype, C.PeriodDtype):
        return [f"'{x}'" for x in column.items()]
    if column.dtype == C.TIMEDELTA:
        return ["NaT" if t == "NaT" else f"'{t}'" for t in _delta_texts(column.items())]
    if column.numeric and column.dtype.kind == "f":
        return [t.strip() if t.strip() != "NaN" else "nan" for t in _index_floats(column)]
    return [str(x) for x in column.items()]


def _index_floats(column):
    return [str(x) for x in column.data.tolist()]


def sequence(name, column, quoted=None):
    """Values between brackets, broken at the width of the screen."""
    texts = _quoted(column) if quoted is None else quoted
    count, width, limit = len(texts), OPTIONS["display.width"], OPTIONS["display.max_seq_items"]
    if count == 0:
        return "[], "
    if count <= 2:
        return f"[{', '.join(texts)}], "
    cut = count > limit
    few = min(limit // 2, 10)
    head, tail = (texts[:few], texts[-few:]) if cut else ([], texts)
    loose = column.dtype in (C.OBJECT, C.STR) or isinstance(column.dtype, C.CategoricalDtype)
    if not loose and (cut or not (len(", ".join(head)) < width and len(", ".join(tail)) < width)):
        most = max(map(len, head + tail))
        head, tail = [t.rjust(most) for t in head], [t.rjust(most) for t in tail]
    start = " " * (len(name) + 2)
    lines, line = [], start

    def put(word, room):
        nonlocal line
        if len(line.rstrip()) + len(word.rstrip()) + 1 >= room:
            lines.append(line.rstrip())
            line = start
        line += word

    for word in head:
        put(word + ", ", width)
    if cut:
        lines += [line.rstrip(), start + "..."]
        line = start
    for word in tail[:-1]:
        put(word + ", ", width)
    put(tail[-1], width - 2)
    text = "\n".join([*lines, line]) + "],"
    text += "\n" + " " * (len(name) + 1) if len(text) + 1 > width else " "
    return "[" + text[len(start) :]


def index_repr(index):
    if index._multi:
        return _multi_repr(index)
    kind = type(index).__name__
    named = "" if index.name is None else f", name={index.name!r}"
    if kind == "RangeIndex":
        return f"RangeIndex(start={index.start}, stop={index.stop}, step={index.step}{named})"
    kind_parts = [f"dtype='{index.dtype}'"]
    if kind == "CategoricalIndex":
        known = [str(x) if hasattr(x, "closed") else repr(x) for x in index.dtype._categories]
        known = ", ".join(known if len(known) <= 8 else [*known[:4], "...", *known[-4:]])
        kind_parts = [f"categories=[{known}]", f"ordered={index.dtype.ordered}", "dtype='category'"]
    long = f", length={len(index)}" if len(index) > OPTIONS["display.max_seq_items"] else ""
    freq = (
        ", freq=None"
        if kind in ("DatetimeIndex", "TimedeltaIndex") and index.freq is None
        else f", freq='{index.freq.freqstr}'" if kind in ("DatetimeIndex", "TimedeltaIndex") else ""
    )
    data = sequence(kind, index._column)
    parts = [*kind_parts, *(part[2:] for part in (named, long, freq) if part)]
    # Each attribute begins a line if it would end beyond the screen.
    indent, width = len(kind) + 1, OPTIONS["display.width"]
    room = len(data.rsplit("\n", 1)[-1]) if "\n" in data else indent + len(data)
    made = ""
    for i, part in enumerate(parts):
        comma, between = int(i < len(parts) - 1), ", " if i else ""
        if room + len(between) + len(part) + comma > width:
            made += between.rstrip() + "\n" + " " * indent + part
            room = indent + len(part)
        else:
            made += between + part
            room += len(between) + len(part)
    return f"{kind}({data.rstrip() if made.startswith(chr(10)) else data}{made})"


def _multi_repr(index):
    limit = OPTIONS["display.max_seq_items"]
    columns = [
        [repr(t) for t in index_texts(c)] if c.dtype in (C.DATETIME, C.TIMEDELTA)
        else [repr(x) if isinstance(x, str) else str(x) for x in c.items()]
        for c in index._columns
    ]
    widths = [max(map(len, c), default=0) for c in columns]
    rows = ["(" + ", ".join(t.rjust(w) for t, w in zip(row, widths)) + ")" for row in zip(*columns)]
    if len(rows) > limit:
        rows = rows[:10] + ["..."] + rows[-10:]
    names = f"names={index._names!r}" if any(n is not None for n in index._names) else ""
    long = f"length={len(index)}" if len(index) > limit else ""
    pad = " " * len("MultiIndex([")
    body = (",\n" + pad).join(rows)
    body = body.replace(pad + "...,", pad + "...")
    rest = ", ".join(part for part in (names, long) if part)
    return f"MultiIndex([{body}],\n           {rest})"


def index_columns(index, names=True):
    """Each level of labels as texts, the first of which is its name."""
    if not index._multi:
        name = "" if index.name is None or not names else pretty(index.name)
        texts = [str(x) for x in index._range] if hasattr(index, "_range") else index_texts(index._column)
        return [[name] + texts]
    made = []
    before = [None] * len(index)
    for level, (column, name) in enumerate(zip(index._columns, index._names)):
        texts, shown = index_texts(column), []
        keys = list(zip(before, texts)) if level else texts
        last = level == index.nlevels - 1
        for i, t in enumerate(texts):
            shown.append("" if i and not last and keys[i] == keys[i - 1] else t)
        before = keys
        made.append([pretty(name) if name is not None and names else ""] + shown)
    return made


def series_text(series, limit=None, name=True, dtype=True, length=False, index=True, header=True, gap="NaN"):
    count = len(series)
    shown, cut = series, None
    if limit and count > limit:
        cut = max(limit // 2, 1)
        shown = series.iloc[list(range(cut)) + list(range(count - cut, count))] if limit > 1 else series.iloc[:1]
    footer = []
    if getattr(series.index, "freq", None) is not None:
        footer.append(f"Freq: {series.index.freqstr}")
    if series.name is not None and name:
        footer.append(f"Name: {pretty(series.name)}")
    if length or cut:
        footer.append(f"Length: {count}")
    if dtype:
        footer.append(f"dtype: {series.dtype}")
    foot = ", ".join(footer)
    if isinstance(series.dtype, C.CategoricalDtype) and dtype:
        foot += "\n" + categories_text(series.dtype)
    if count == 0:
        return f"Series([], {foot})" if foot else "Series([], )"
    values = fixed(with_gaps(shown._column, column_texts(shown._column, index), gap))
    labels = index_columns(shown.index)
    head = labels_lines(labels, 2) if shown.index._multi else labels[0]
    have_header = any(n is not None for n in shown.index.names)
    if cut:
        width = len(values[cut - 1])
        values.insert(cut, ("..." if width > 3 else "..").center(width))
        head.insert(cut + 1, "")
    text = beside(3, head[1:], values) if index else "\n".join(values)
    if header and have_header and index:
        text = head[0] + "\n" + text
    return text + ("\n" + foot if foot else "")


def categories_text(dtype):
    known = dtype._categories
    kind = C.infer(known).dtype
    if known and hasattr(known[0], "closed"):
        inner = "float64" if isinstance(known[0].left, float) else "int64"
        kind = f"interval[{inner}, {known[0].closed}]"
    texts = [f"'{x}'" if isinstance(x, str) else str(x) for x in known]
    join = " < " if dtype.ordered else ", "
    if len(texts) > 10:
        texts = texts[:5] + ["..."] + texts[-5:]
    start, width = f"Categories ({len(known)}, {kind}): ", OPTIONS["display.width"]
    parts, room = [], len(start)
    for i, text in enumerate(texts):
        if room + len(join) + len(text) > width:
            parts.append(join.rstrip() + "\n" + " " * (len(start) + 1))
            room = len(start) + 1
        elif i:
            parts.append(join)
            room += len(join)
        parts.append(text)
        room += len(text)
    return f"{start}[{''.join(parts).replace(' < ... < ', ' ... ')}]"


def labels_lines(labels, space=1):
    """The lines of labels: levels side by side, each padded to one width."""
    full = [fixed(part, "left") for part in labels]
    return beside(space, *full).split("\n")


class _Table:
    """Lays out a frame as text."""

    def __init__(self, frame, rows, few, columns, width, index=True, header=True, names=True, fold=False, ways=None):
        self.ways, self.aliases = ways or {}, None
        if isinstance(header, (list, tuple)):
            if len(header) != frame.shape[1]:
                raise ValueError(f"Writing {frame.shape[1]} cols but got {len(header)} aliases")
            self.aliases, header = header, True
        self.frame, self.index, self.header, self.names, self.fold = frame, index, header, names, fold
        self.width, self.fitted = width, False
        count = len(frame)
        self.rows = min(few or rows, rows) if rows and count > rows else None
        self.columns = columns if columns and frame.shape[1] > columns else None

    def _places(self):
        count, wide = self.frame.shape
        rows = list(range(count))
        self.row_cut = self.column_cut = None
        if self.rows:
            self.row_cut = max(self.rows // 2, 1)
            rows = rows[: self.row_cut] + rows[count - self.row_cut :]
        columns = list(range(wide))
        if self.columns and self.columns < wide:
            left = self.columns // 2
            self.column_cut = max(left, 1)
            columns = columns[: self.column_cut] + (columns[wide - left :] if left else [])
        return rows, columns

    def parts(self):
        rows, columns = self._places()
        frame = self.frame
        at = None if self.row_cut is None else rows
        data = [frame._data[i] if at is None else frame._data[i].take(at) for i in columns]
        names, labels = frame.columns.take(columns), frame.index if at is None else frame.index.take(at)
        if self.fitted:
            # Columns that don't fit are dropped after the headers are made: a group's name is above its first column alone.
            headers = _headers(frame.columns, frame._data)
            headers = [headers[i] for i in columns]
        else:
            headers = _headers(names, data)
        made = []
        if self.aliases is not None:
            headers = [[str(self.aliases[i])] for i in columns]
        justify = {"left": str.ljust, "center": str.center}.get(self.ways.get("justify"), str.rjust)
        for head, column, i in zip(headers, data, columns):
            texts, least = self._texts(column, i), self._least(i)
            if self._formatter(i) is not None and self.aliases is None and (column.numeric or column.nullable):
                # The space before the name of a column of numbers is one for their signs.
                head = [*head[:-1], head[-1].removeprefix(" ")]
            if self.header:
                width = max(least, *map(len, head))
                texts = fixed(texts, "right", width)
                width = max([width, *map(len, texts)])
                made.append([justify(t, width) for t in head] + texts)
            else:
                made.append(fixed(texts, "right", least))
        index_named = any(n is not None for n in labels.names) and self.names
        if index_named and self.header:
            height = len(headers[0]) if headers else 0
            made = [part[:height] + [""] + part[height:] for part in made]
        if self.index:
            lines = labels_lines(index_columns(labels, index_named))
            if not index_named:
                lines = lines[1:]
            if self.header:
                top = [pretty(n) if n is not None else "" for n in names.names]
                lines = top + lines
            made.insert(0, lines)
        self._dots(made, len(rows))
        return made

    def _formatter(self, i):
        formatter = self.ways.get("formatters")
        if formatter is None:
            return None
        return formatter.get(self.frame.columns[i]) if isinstance(formatter, dict) else formatter[i]

    def _texts(self, column, i):
        """The values of column `i` as a caller of `to_string` wants them."""
        formatter, gap = self._formatter(i), self.ways.get("na_rep", "NaN")
        if formatter is not None:
            return [gap if C.is_missing(x) and x is not C.NaT else "NaT" if C.is_missing(x) else formatter(x) for x in column.items()]
        return with_gaps(column, column_texts(column, self.index), gap)

    def _least(self, i):
        """How wide column `i` must be."""
        space = self.ways.get("col_space")
        if isinstance(space, dict):
            space = space.get(self.frame.columns[i])
        elif isinstance(space, (list, tuple)):
            space = space[i]
        return int(space or 0)

    def _dots(self, made, shown):
        offset = 1 if self.index else 0
        if self.column_cut is not None:
            height = len(made[0])
            made.insert(self.column_cut + offset, [" ..."] * height)
        if self.row_cut is not None:
            first = len(made[0]) - shown
            for i, part in enumerate(made):
                # The line above the gap tells how wide it may be.
                width = len(part[self.row_cut])
                dot_column = self.column_cut is not None and i == self.column_cut + offset
                dots = "..." if width > 3 or dot_column else ".."
                part.insert(self.row_cut + first, aligned(dots, width, "left" if i == 0 and self.index else "right"))

    def _folded(self, made):
        """Columns below each other, where they're too wide for one line."""
        labels = made.pop(0) if self.index else None
        room = self.width - (max(map(len, labels)) + 1 if self.index else 0)
        blocks, block, taken = [], [], 0
        for i, part in enumerate(made):
            wide = max(map(len, part), default=0) + 1
            taken += wide
            if i and taken + (1 if i == len(made) - 1 else 2) > room:
                blocks.append(block)
                block, taken = [], wide
            block.append(part)
        blocks.append(block)
        texts = []
        for i, block in enumerate(blocks):
            rows = [labels, *block] if self.index else list(block)
            if len(blocks) > 1:
                last, count = i == len(blocks) - 1, len(rows[-1])
                rows.append([" "] * count if last else [" \\"] + ["  "] * (count - 1))
            texts.append(beside(1, *rows))
        return "\n\n".join(texts)

    def text(self):
        made = self.parts()
        if self.width is None:
            return beside(1, *made)
        if self.fold:
            return self._folded(made)
        widths = [max(map(len, part)) for part in made]
        over = sum(widths) + len(widths) - self.width
        if over > 0 and self.columns is None:
            # The dots take room as well.
            over += 5
            left = list(widths)
            while over > 0 and len(left) > 1:
                over -= left.pop(round(len(left) / 2)) + 1
            self.columns, self.fitted = max(len(left) - (1 if self.index else 0), 2), True
            made = self.parts()
        return beside(1, *made)

    @property
    def is_cut(self):
        return self.row_cut is not None or self.column_cut is not None


def _headers(columns, data):
    """The lines above each column."""
    bools = lambda column, text: " " + text if column.numeric or column.nullable else text
    if not columns._multi:
        texts = index_columns(columns, False)[0][1:]
        if hasattr(columns, "_range") or columns._column.numeric and columns._column.dtype.kind in "iufb":
            texts = [t.ljust(max(map(len, texts))) for t in texts]
        return [[bools(column, t)] for column, t in zip(data, texts)]
    levels = [index_texts(c) for c in columns._columns]
    rows = list(zip(*levels))
    made = []
    for i, row in enumerate(rows):
        shown = list(row)
        for level in range(len(row) - 1):
            if i and rows[i - 1][: level + 1] == row[: level + 1]:
                shown[level] = ""
        made.append(shown)
    return made


def with_gaps(column, texts, gap):
    """The texts of a column's values, with `gap` for what's missing."""
    if gap == "NaN":
        return texts
    return [gap if gone and text.strip() in ("NaN", "NaT", "None") else text for text, gone in zip(texts, column.missing())]


def frame_text(frame, rows=None, few=None, columns=None, width=None, index=True, header=True, dimensions="truncate", names=True,
               fold=False, ways=None):
    if frame.shape[0] == 0 or frame.shape[1] == 0:
        shown = ", ".join(pretty(x) for x in frame.columns) if len(frame.columns) else ""
        labels = (
            ", ".join(pretty(x) for x in frame.index)
            if len(frame.index) <= 100
            else ", ".join(
                [*(pretty(x) for x in frame.index[:10]._labels()), "...", *(pretty(x) for x in frame.index[-10:]._labels())]
            )
        )
        return f"Empty DataFrame\nColumns: [{shown}]\nIndex: [{labels}]"
    table = _Table(frame, rows, few, columns, width, index, header, names, fold, ways)
    text = table.text()
    if dimensions is True or dimensions == "truncate" and table.is_cut:
        text += f"\n\n[{frame.shape[0]} rows x {frame.shape[1]} columns]"
    return text


def memory(count):
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1024 or unit == "GB":
            return f"{count:3.1f} {unit}"
        count /= 1024
    return None
