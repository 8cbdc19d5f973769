"""`read_fwf`: files whose columns have fixed widths."""

import csv
import io
import re

from ._files import _opened, read_csv
from .errors import EmptyDataError


def _found(lines):
    """Where columns are: the places in which some line has a letter."""
    if not lines:
        raise EmptyDataError("No rows from which to infer column width")
    taken = set()
    for line in lines:
        for part in re.finditer(r"[^\n\r\t ]+", line):
            taken.update(range(*part.span()))
    edges = [i for i in range(max(map(len, lines)) + 1) if (i in taken) != (i - 1 in taken)]
    return list(zip(edges[::2], edges[1::2]))


def read_fwf(filepath_or_buffer, *, colspecs="infer", widths=None, infer_nrows=100, delimiter=None, comment=None, skiprows=None, encoding=None,
             **options):
    """A frame of the columns between the given places, or where the first lines have spaces in between."""
    if colspecs is None and widths is None:
        raise ValueError("Must specify either colspecs or widths")
    if colspecs not in (None, "infer") and widths is not None:
        raise ValueError("You must specify only one of 'widths' and 'colspecs'")
    if delimiter is not None:
        raise NotImplementedError("pandas: read_fwf(delimiter=)")
    lines = _opened(filepath_or_buffer, encoding).splitlines()
    if skiprows is not None:
        gone = skiprows if callable(skiprows) else (lambda i: i < skiprows) if isinstance(skiprows, int) else set(skiprows).__contains__
        lines = [line for i, line in enumerate(lines) if not gone(i)]
    if comment is not None:
        lines = [line.partition(comment)[0] for line in lines]
    lines = [line for line in lines if line.strip()]
    if widths is not None:
        colspecs = [(sum(widths[:i]), sum(widths[:i + 1])) for i in range(len(widths))]
    elif isinstance(colspecs, str):
        colspecs = _found(lines[:infer_nrows])
    elif not isinstance(colspecs, (list, tuple)):
        raise TypeError(f"column specifications must be a list or tuple, input was a {type(colspecs).__name__!r}")
    names, keys = options.get("names"), options.get("index_col")
    if names is not None and options.get("usecols") is None:
        more = 0 if keys is None or keys is False else len(keys) if isinstance(keys, (list, tuple)) else 1
        if len(names) != len(colspecs) and len(names) + more != len(colspecs):
            raise ValueError("Length of colspecs must match length of names")
    text = io.StringIO()
    csv.writer(text).writerows([line[first:last].strip() for first, last in colspecs] for line in lines)
    return read_csv(io.StringIO(text.getvalue()), **options)
