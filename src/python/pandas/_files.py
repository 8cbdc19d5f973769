"""CSV and JSON."""

import csv
import datetime
import io
import os
import re

import numpy as np

from . import _columns as C
from ._columns import BOOL, FLOAT, INT, OBJECT, STR, Column, NaT, infer, is_missing
from ._index import Index, MultiIndex, RangeIndex
from .errors import EmptyDataError, ParserError

_GAPS = {
    "",
    "#N/A",
    "#N/A N/A",
    "#NA",
    "-1.#IND",
    "-1.#QNAN",
    "-NaN",
    "-nan",
    "1.#IND",
    "1.#QNAN",
    "<NA>",
    "N/A",
    "NA",
    "NULL",
    "NaN",
    "None",
    "n/a",
    "nan",
    "null",
}


def _opened(source, encoding):
    if hasattr(source, "read"):
        text = source.read()
        return text.decode(encoding or "utf-8") if isinstance(text, bytes) else text
    name = os.fspath(source)
    if isinstance(name, str) and name.split("://")[0] in ("http", "https", "ftp", "s3"):
        from urllib.error import URLError

        raise URLError(f"there is no network here, so {name} can't be read: give the file to your program instead")
    if str(name).endswith((".gz", ".zip", ".bz2", ".xz")):
        if not str(name).endswith(".gz"):
            raise NotImplementedError("pandas: compressed files other than .gz")
        import gzip

        with gzip.open(name) as file:
            return file.read().decode(encoding or "utf-8")
    with open(name, encoding=encoding or "utf-8", newline="") as file:
        return file.read()


def read_csv(
    filepath_or_buffer,
    sep=None,
    delimiter=None,
    header="infer",
    names=None,
    index_col=None,
    usecols=None,
    dtype=None,
    engine=None,
    converters=None,
    true_values=None,
    false_values=None,
    skipinitialspace=False,
    skiprows=None,
    skipfooter=0,
    nrows=None,
    na_values=None,
    keep_default_na=True,
    na_filter=True,
    parse_dates=None,
    thousands=None,
    decimal=".",
    quotechar='"',
    comment=None,
    encoding=None,
    skip_blank_lines=True,
    low_memory=True,
    on_bad_lines="error",
    **options,
):
    known = {
        "date_format",
        "dayfirst",
        "compression",
        "memory_map",
        "float_precision",
        "quoting",
        "doublequote",
        "escapechar",
        "encoding_errors",
        "dialect",
        "cache_dates",
        "iterator",
        "chunksize",
        "lineterminator",
        "dtype_backend",
        "storage_options",
    }
    for name, value in options.items():
        if name not in known:
            raise TypeError(f"read_csv() got an unexpected keyword argument '{name}'")
        if value not in (None, False, "infer", "strict") and name not in (
            "doublequote",
            "cache_dates",
            "quoting",
            "memory_map",
            "compression",
            "date_format",
            "dayfirst",
        ):
            raise NotImplementedError(f"pandas: read_csv({name}=)")
    sep = delimiter if delimiter is not None else sep
    sep = "," if sep is None else sep
    text = _opened(filepath_or_buffer, encoding)
    rows = _rows(text, sep, quotechar, skipinitialspace, comment, skip_blank_lines, skiprows, skipfooter)
    if not rows and names is None:
        raise EmptyDataError("No columns to parse from file")
    if header == "infer":
        header = 0 if names is None else None
    if isinstance(header, list):
        raise NotImplementedError("pandas: read_csv(header=[...])")
    labels = None
    if header is not None:
        labels, rows = rows[header], rows[header + 1 :]
        labels = _distinct([n if n != "" else f"Unnamed: {i}" for i, n in enumerate(labels)])
    if names is not None:
        labels = list(names)
    elif labels is None:
        labels = list(range(len(rows[0]) if rows else 0))
    first = len(rows[0]) if rows else len(labels)
    extra = 0
    if first > len(labels) and index_col is None and isinstance(labels[0] if labels else "", (str, int)):
        extra = first - len(labels)
    expected = len(labels) + extra
    good = []
    for i, row in enumerate(rows):
        if len(row) > expected and not (names is not None and index_col is False):
            if on_bad_lines == "skip":
                continue
            line = i + 1 + (0 if header is None else header + 1)
            raise ParserError(f"Error tokenizing data. C error: Expected {expected} fields in line {line}, saw {len(row)}\n")
        good.append(row + [None] * (expected - len(row)))
    rows = good[:nrows] if nrows is not None else good
    columns = [[r[i] for r in rows] for i in range(expected)]
    indexes, columns = columns[:extra], columns[extra:]
    gaps = set(_GAPS) if keep_default_na else set()
    per_column = {}
    if isinstance(na_values, dict):
        per_column = {n: {str(x) for x in (v if isinstance(v, (list, tuple, set)) else [v])} for n, v in na_values.items()}
    elif na_values is not None:
        gaps |= {str(x) for x in (na_values if isinstance(na_values, (list, tuple, set)) else [na_values])}
    if not na_filter:
        gaps = set()
    if usecols is not None:
        kept = [i for i, n in enumerate(labels) if (usecols(n) if callable(usecols) else n in usecols or i in usecols)]
        if not callable(usecols):
            lacking = [n for n in usecols if isinstance(n, str) and n not in labels]
            if lacking:
                raise ValueError(f"Usecols do not match columns, columns expected but not found: {lacking}")
        labels, columns = [labels[i] for i in kept], [columns[i] for i in kept]
    flags = (set(true_values or ()), set(false_values or ()))
    made = []
    for i, (name, values) in enumerate(zip(labels, columns)):
        wanted = dtype.get(name, dtype.get(i)) if isinstance(dtype, dict) else dtype
        if converters is not None and (name in converters or i in converters):
            convert = converters[name] if name in converters else converters[i]
            made.append(infer([convert(v if v is not None else "") for v in values]))
            continue
        made.append(_typed(values, gaps | per_column.get(name, set()), wanted, thousands, decimal, flags, name))
    if parse_dates is not None and parse_dates is not False:
        # True means the index.
        of_index = [] if index_col is None or index_col is False else index_col if isinstance(index_col, (list, tuple)) else [index_col]
        wanted = list(of_index if parse_dates is True else parse_dates)
        for i, name in enumerate(labels):
            if name in wanted or i in wanted:
                made[i] = _dated(made[i], options.get("date_format"), bool(options.get("dayfirst")))
    whole = all(isinstance(n, int) for n in labels)
    columns_index = RangeIndex(len(labels)) if whole and labels == list(range(len(labels))) else Index(labels)
    from ._frame import DataFrame

    index = RangeIndex(len(rows))
    if extra:
        parts = [_typed(v, gaps, None, thousands, decimal, flags, None) for v in indexes]
        index = Index._of(parts[0]) if len(parts) == 1 else MultiIndex._of_columns(parts)
    frame = DataFrame._of(made, columns_index, index)
    if index_col is not None and index_col is not False:
        keys = [index_col] if not isinstance(index_col, (list, tuple)) else list(index_col)
        keys = [labels[k] if isinstance(k, int) and k not in labels else k for k in keys]
        lacking = [k for k in keys if k not in labels]
        if lacking:
            raise ValueError(f"Index {lacking[0]} invalid")
        frame = frame.set_index(keys if len(keys) > 1 else keys[0])
        frame.index.names = [None if str(k).startswith("Unnamed: ") else k for k in keys]
    return frame


def _dated(column, form, dayfirst):
    """The dates of a column that is read, where numbers such as 20240131 are dates as well. A column of anything else stays as it is."""
    from ._dates import to_column

    try:
        return to_column(column.astype(STR) if column.numeric else column, form, dayfirst=dayfirst)
    except ValueError:
        return column


def read_table(filepath_or_buffer, sep="\t", **options):
    return read_csv(filepath_or_buffer, sep=sep, **options)


def _rows(text, sep, quotechar, skipinitialspace, comment, skip_blank, skiprows, skipfooter):
    if text.startswith("\ufeff"):
        text = text[1:]
    if callable(skiprows) or isinstance(skiprows, (list, tuple, set, range)) or skiprows:
        lines = text.splitlines(True)
        gone = (
            skiprows
            if callable(skiprows)
            else (lambda i: i < skiprows) if isinstance(skiprows, int) else (lambda i, set=set(skiprows): i in set)
        )
        text = "".join(line for i, line in enumerate(lines) if not gone(i))
    if comment is not None:
        text = "\n".join(line.split(comment)[0] for line in text.splitlines() if not line.startswith(comment))
    if len(sep) > 1 or sep in (r"\s",):
        import re

        pattern = re.compile(sep)
        rows = [
            pattern.split(line.strip() if sep == r"\s+" else line) for line in text.splitlines() if line.strip() or not skip_blank
        ]
    else:
        rows = list(
            csv.reader(io.StringIO(text, newline=""), delimiter=sep, quotechar=quotechar, skipinitialspace=skipinitialspace)
        )
        if skip_blank:
            rows = [r for r in rows if r and not (len(r) == 1 and not r[0].strip() and sep != " ")]
    return rows[:-skipfooter] if skipfooter else rows


def _distinct(labels):
    seen, made = {}, []
    for n in labels:
        if n in seen:
            new = f"{n}.{seen[n]}"
            while new in seen or new in labels:
                seen[n] += 1
                new = f"{n}.{seen[n]}"
            seen[n] += 1
            seen[new] = 1
            made.append(new)
        else:
            seen[n] = 1
            made.append(n)
    return made


def _is_int(x):
    y = x.strip()
    return (y[1:] if y[:1] in "+-" else y).isdecimal()


def _typed(values, gaps, wanted, thousands, decimal, flags, name):
    """Makes a column of the strings of a file."""
    there = [None if v is None or v in gaps else v for v in values]
    if wanted is not None:
        kind = C.as_dtype(wanted)
        if kind == STR:
            return Column(STR, [C.NAN if v is None else v for v in there])
        if kind == OBJECT:
            return Column(OBJECT, [C.NAN if v is None else v for v in there])
        if isinstance(kind, C.CategoricalDtype):
            return (
                _typed(values, gaps, None, thousands, decimal, flags, name).astype(kind)
                if kind._categories is not None and not all(isinstance(x, str) for x in kind._categories)
                else C.categorical(infer([C.NAN if v is None else v for v in there]), kind._categories, kind.ordered)
            )
        made = _typed(values, gaps, None, thousands, decimal, flags, name)
        if isinstance(kind, np.dtype) and kind.kind in "iu":
            if any(v is None for v in there):
                raise ValueError(
                    f"Integer column has NA values in column {values.index(next(v for v in values if v is None or v in gaps))}"
                    if name is None
                    else f"Integer column has NA values in column {name if isinstance(name, int) else 0}"
                )
            if not made.numeric:
                bad = next(v for v in there if not _is_int(v))
                raise ValueError(f"invalid literal for int() with base 10: {bad!r}")
        return made.astype(kind)
    full = [v for v in there if v is not None]
    if thousands is not None:
        # Only numbers have such marks. Text keeps them.
        marked = re.compile(rf"[+-]?\d[\d{re.escape(thousands)}]*({re.escape(decimal)}\d*)?([eE][+-]?\d+)?|[+-]?{re.escape(decimal)}\d+")
        if all(marked.fullmatch(v.strip()) for v in full):
            full = [v.replace(thousands, "") for v in full]
            there = [None if v is None else v.replace(thousands, "") for v in there]
    if not full:
        return Column(FLOAT, np.array([C.NAN] * len(there), dtype=np.float64)) if there else Column(OBJECT, [])
    if all(map(_is_int, full)):
        numbers = [int(v) for v in full]
        if len(full) == len(there) and all(-1 << 63 <= n < 1 << 63 for n in numbers):
            return Column(INT, np.array(numbers, dtype=np.int64))
    try:
        point = (lambda v: float(v)) if decimal == "." else lambda v: float(v.replace(decimal, "."))
        if not any("_" in v for v in full):
            made = [C.NAN if v is None else point(v) for v in there]
            return Column(FLOAT, np.array(made, dtype=np.float64))
    except ValueError:
        pass
    true, false = {"True", "TRUE", "true"} | flags[0], {"False", "FALSE", "false"} | flags[1]
    if all(v in true or v in false for v in full):
        made = [C.NAN if v is None else v in true for v in there]
        return Column(BOOL, np.array(made, dtype=bool)) if len(full) == len(there) else Column(OBJECT, made)
    return Column(STR, [C.NAN if v is None else v for v in there])


def _texts(column, na_rep, float_format, date_format):
    made = []
    shown = (
        (lambda x: float_format % x)
        if isinstance(float_format, str) and "%" in float_format
        else float_format.format if isinstance(float_format, str) else float_format if callable(float_format) else repr
    )
    days = None
    if column.dtype == C.DATETIME:
        from ._format import _date_texts

        days = iter(_date_texts(column.items()) if date_format is None else ["" if is_missing(x) else x.strftime(date_format) for x in column.items()])
    for x in column.items():
        day = next(days) if days is not None else None
        if is_missing(x):
            made.append(na_rep)
        elif day is not None:
            made.append(day)
        elif isinstance(x, float) and column.numeric and column.dtype == np.dtype("float32") and float_format is None:
            made.append(str(np.float32(x)))
        else:
            made.append(shown(x) if isinstance(x, float) else x)
    return made


def written(
    frame, path, sep, na_rep, float_format, columns, header, index, index_label, mode, encoding, quoting, lineterminator, options
):
    frame = frame if columns is None else frame[list(columns)]
    buffer = io.StringIO(newline="")
    write = csv.writer(
        buffer,
        delimiter=sep,
        lineterminator=lineterminator or "\n",
        quoting=quoting if quoting is not None else csv.QUOTE_MINIMAL,
    )
    labels = frame.index
    levels = (labels._columns if labels._multi else [labels._column]) if index else []
    if header is not False:
        names = list(header) if isinstance(header, (list, tuple)) else frame.columns.tolist()
        first = []
        if index:
            given = index_label if isinstance(index_label, (list, tuple)) else [index_label]
            first = list(given) if index_label is not None else ["" if n is None else n for n in labels.names]
        write.writerow([*first, *names])
    parts = [_texts(c, na_rep, float_format, options["date_format"]) for c in [*levels, *frame._data]]
    for row in zip(*parts) if parts else ():
        write.writerow(row)
    text = buffer.getvalue()
    if path is None:
        return text
    if hasattr(path, "write"):
        path.write(text)
        return None
    if str(path).endswith(".gz"):
        import gzip

        with gzip.open(path, "wb") as file:
            file.write(text.encode(encoding or "utf-8"))
        return None
    with open(path, mode, encoding=encoding or "utf-8", newline="") as file:
        file.write(text)
    return None


def _plain(x):
    if is_missing(x):
        return None
    if isinstance(x, datetime.datetime):
        # Milliseconds since 1970.
        return (x.to_pydatetime() - datetime.datetime(1970, 1, 1)) // datetime.timedelta(milliseconds=1)
    return x.item() if isinstance(x, np.generic) else x


def json_normalize(data, record_path=None, meta=None, meta_prefix=None, record_prefix=None, errors="raise", sep=".", max_level=None):
    """A frame of nested dictionaries: the names of columns are paths."""
    from ._frame import DataFrame

    def flat(item, before="", level=0):
        made = {}
        for name, value in item.items():
            path = f"{before}{name}"
            if isinstance(value, dict) and (max_level is None or level < max_level):
                made.update(flat(value, path + sep, level + 1))
            else:
                made[path] = value
        # Plain values come before nested ones, on each level.
        return {**{k: v for k, v in made.items() if k[len(before):] in item}, **made}

    def at(item, path):
        for name in [path] if isinstance(path, str) else path:
            if not isinstance(item, dict) or name not in item:
                if errors == "ignore":
                    return float("nan")
                raise KeyError(f"Key {name!r} not found. To replace missing values of {name!r} with np.nan, pass in errors='ignore'")
            item = item[name]
        return item

    items = [data] if isinstance(data, dict) else list(data)
    if record_path is None:
        return DataFrame([flat(item) for item in items])
    paths = [] if meta is None else [meta] if isinstance(meta, str) else meta
    paths = {(meta_prefix or "") + (path if isinstance(path, str) else sep.join(path)): path for path in paths}
    rows = []
    for item in items:
        for record in at(item, record_path):
            row = flat(record) if isinstance(record, dict) else {0: record}
            row = {f"{record_prefix}{k}" if record_prefix else k: v for k, v in row.items()}
            row.update({name: at(item, path) for name, path in paths.items()})
            rows.append(row)
    made = DataFrame(rows)
    return made.astype(dict.fromkeys(paths, object)) if paths and rows else made


class JsonForm:
    """How `to_json` writes dates, numbers and other values."""

    def __init__(self, date_format, digits, unit, handler, force_ascii, index):
        self.iso, self.digits, self.unit, self.handler, self.force_ascii, self.index = date_format == "iso", digits, unit, handler, force_ascii, index
        self.silent = date_format is not None

    def __call__(self, x):
        from ._dates import Timestamp

        if isinstance(x, datetime.timedelta):
            if not self.iso:
                return self._count(x)
            seconds = x.seconds
            part = f".{x.microseconds:06d}".rstrip("0") if x.microseconds else ""
            return f"P{x.days}DT{seconds // 3600}H{seconds // 60 % 60}M{seconds % 60}{part}S"
        if isinstance(x, datetime.datetime) and x is not NaT:
            if not self.iso:
                return self._count(x - datetime.datetime(1970, 1, 1))
            # Nanoseconds are more than a date has here; they're zeros.
            named = {"s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "microseconds"}[self.unit]
            return Timestamp(x).isoformat("T", named) + ("000" if self.unit == "ns" else "")
        x = _plain(x)
        if isinstance(x, float):
            return round(x, self.digits)
        if self.handler is not None and not isinstance(x, (str, int, float, bool, list, tuple, dict, type(None))):
            return self.handler(x)
        return x

    def _count(self, length):
        if not self.silent:
            from .errors import warn_later

            self.silent = True
            warn_later(
                'The default formatting of datetime/timedelta values will change from numbers ("epoch") to strings ("iso") in a future version. '
                'Specify `date_format="iso"` explicitly in the `to_json()` call to opt-in to the future behaviour and silence this warning.'
            )
        steps = length // datetime.timedelta(microseconds=1)
        return steps * 1000 if self.unit == "ns" else steps // {"s": 1_000_000, "ms": 1000, "us": 1}[self.unit]


def written_json(of, path, orient, lines, indent, _plain):
    import json

    if of.ndim == 1:
        orient = orient or "index"
        made = {str(k): _plain(v) for k, v in of.items()} if orient == "index" else [_plain(v) for v in of.tolist()]
    else:
        orient = orient or "columns"
        rows = [[_plain(v) for v in r] for r in zip(*[c.items() for c in of._data])]
        names, labels = list(of.columns), list(of.index)
        if orient == "records":
            made = [dict(zip(map(str, names), r)) for r in rows]
        elif orient == "columns":
            made = {str(n): {str(_plain(k)): _plain(v) for k, v in zip(labels, c.items())} for n, c in zip(names, of._data)}
        elif orient == "index":
            made = {str(k): dict(zip(map(str, names), r)) for k, r in zip(labels, rows)}
        elif orient == "values":
            made = rows
        elif orient == "split":
            made = {"columns": names, "index": [_plain(x) for x in labels], "data": rows}
            if _plain.index is False:
                del made["index"]
        else:
            raise ValueError(f"Invalid value '{orient}' for option 'orient'")
    dump = lambda x: json.dumps(
        x, indent=indent, separators=(",", ":"), ensure_ascii=_plain.force_ascii
    ).replace("/", "\\/")
    text = "\n".join(map(dump, made)) + "\n" if lines else dump(made)
    if path is None:
        return text
    if hasattr(path, "write"):
        path.write(text)
        return None
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return None


def read_json(path_or_buf, orient=None, lines=False, **options):
    import json
    from ._frame import DataFrame

    text = _opened(path_or_buf, None)
    data = [json.loads(line) for line in text.splitlines() if line.strip()] if lines else json.loads(text)
    if isinstance(data, dict):
        if orient == "split":
            return DataFrame(data["data"], index=data["index"], columns=data["columns"])
        if orient == "index":
            return DataFrame(list(data.values()), index=list(data))
        frame = DataFrame(data)
        if all(isinstance(v, dict) for v in data.values()) and all(_is_int(str(x)) for x in frame.index):
            frame.index = Index([int(x) for x in frame.index])
        return frame
    return DataFrame(data)
