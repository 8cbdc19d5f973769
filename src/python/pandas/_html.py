"""Frames as tables of HTML: `to_html`, and what notebooks show."""

from . import _columns as C
from ._format import OPTIONS, column_texts, index_texts, pretty

_STYLE = """<style scoped>
    .dataframe tbody tr th:only-of-type {
        vertical-align: middle;
    }

    .dataframe tbody tr th {
        vertical-align: top;
    }

    .dataframe thead th {
        text-align: right;
    }
</style>"""


def _spans(levels):
    """For each level, how many labels from a place on are the same one, as are those of the levels before it. The last one is alone."""
    count, made, ends = len(levels[0]) if levels else 0, [], {0}
    for level, labels in enumerate(levels):
        last = level == len(levels) - 1
        ends = set(range(count)) if last else ends | {i for i in range(1, count) if labels[i] != labels[i - 1]}
        starts = sorted(ends)
        made.append({a: b - a for a, b in zip(starts, [*starts[1:], count])})
    return made


def _with_gap(spans, labels, at):
    """Adds a row of dots to labels of several levels, where rows were left out."""
    inner, inserted = len(spans) - 1, False
    for level, records in enumerate(spans):
        new = {}
        for start, span in records.items():
            if start >= at:
                new[start + 1] = span
            elif start + span > at:
                new[start] = span + 1
                row = list(labels[at if inserted else at - 1])
                row[inner - level if inserted else -1] = "..."
                if inserted:
                    labels[at] = row
                else:
                    labels.insert(at, row)
                    inserted = True
            else:
                new[start] = span
            if start + span == at:
                new[at] = 1
                if level == 0:
                    labels.insert(at, ["..."] * len(spans))
                    inserted = True
                elif inserted:
                    labels[at] = [*labels[at]]
                    labels[at][inner - level] = "..."
        spans[level] = new
    spans[inner][at] = 1


class _Page:
    def __init__(self, frame, options):
        self.frame, self.lines = frame, []
        self.__dict__.update(options)

    def _text(self, x):
        x = str(x).strip()
        return x.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") if self.escape else x

    def _cell(self, text, head, indent, rest=""):
        kind = "th" if head else "td"
        self.lines.append(f"{' ' * indent}<{kind}{rest}>{self._text(text)}</{kind}>")

    def _row(self, cells, heads, style=""):
        self.lines.append(f"    <tr{style}>")
        for i, cell in enumerate(cells):
            text, rest = cell if isinstance(cell, tuple) else (cell, "")
            self._cell(text, heads is True or i < heads, 6, rest)
        self.lines.append("    </tr>")

    def _values(self, column, i):
        formatter = self.formatters
        if isinstance(formatter, dict):
            formatter = formatter.get(self.frame.columns[i])
        elif formatter is not None:
            formatter = formatter[i]
        if formatter is not None:
            return [self.na_rep if isinstance(x, float) and x != x else formatter(x) for x in column.items()]
        texts = column_texts(column)
        gaps = column.missing()
        told = ("NaN", "NaT") if self.na_rep != "NaN" else ("NaN",)
        return [self.na_rep if gone and text.strip() in told else text for text, gone in zip(texts, gaps)]

    def text(self):
        frame = self.frame
        count, wide = frame.shape
        rows, columns, self.row_cut, self.column_cut = list(range(count)), list(range(wide)), None, None
        most = self.max_rows
        if most and count > most:
            most = min(self.min_rows or most, most)
            self.row_cut = max(most // 2, 1)
            rows = rows[:self.row_cut] + rows[count - self.row_cut:] if most > 1 else rows[:1]
        if self.max_cols and wide > self.max_cols and not frame.columns._multi:
            self.column_cut = max(self.max_cols // 2, 1)
            columns = columns[:self.column_cut] + columns[wide - self.max_cols // 2:]
        data = [self._values(frame._data[i].take(rows) if self.row_cut is not None else frame._data[i], i) for i in columns]
        names, index = frame.columns.take(columns), frame.index.take(rows) if self.row_cut is not None else frame.index
        name = " ".join(["dataframe", *(self.classes.split() if isinstance(self.classes, str) else self.classes or [])])
        border = "" if self.border in (0, False) else f' border="{1 if self.border in (None, True) else self.border}"'
        self.lines.append(f'<table{border} class="{name}"' + (f' id="{self.table_id}"' if self.table_id else "") + ">")
        if self.header:
            self._head(names, index)
        self._body(data, index)
        self.lines.append("</table>")
        if self.dimensions is True or self.dimensions == "truncate" and (self.row_cut is not None or self.column_cut is not None):
            self.lines.append(f"<p>{count} rows × {wide} columns</p>")
        return "\n".join(self.lines)

    def _head(self, names, index):
        self.lines.append("  <thead>")
        before = index.nlevels if self.index else 0
        levels = names._columns if names._multi else [names._column]
        labels = [index_texts(c) if not hasattr(names, "_range") else [str(x) for x in names] for c in levels]
        called = [pretty(n) if n is not None and self.index_names else "" for n in names.names]
        for level, (texts, spans, own) in enumerate(zip(labels, _spans(labels), called)):
            cells = [""] * (before - 1) + [own] if before else []
            for i, text in enumerate(texts):
                if self.column_cut == i:
                    cells.append("...")
                if i in spans:
                    cells.append((text, f' colspan="{spans[i]}" halign="left"') if spans[i] > 1 else text)
            style = "" if names._multi else f' style="text-align: {self.justify or "right"};"'
            if level == 0 and self.col_space is not None:
                cells = [(cell, f' style="min-width: {self.col_space}px;"') for cell in cells]
            self._row(cells, True, style)
        if self.index and self.index_names and any(n is not None for n in index.names):
            width = len(names) + (self.column_cut is not None)
            self._row([pretty(n) if n is not None else "" for n in index.names] + [""] * width, True)
        self.lines.append("  </thead>")

    def _body(self, data, index):
        self.lines.append("  <tbody>")
        count = len(index)
        rows = [[part[i] for part in data] for i in range(count)]
        if self.column_cut is not None:
            for row in rows:
                row.insert(self.column_cut, "...")
        cut, bold = self.row_cut, self.bold_rows
        if not self.index:
            if cut is not None:
                rows.insert(cut, ["..."] * len(rows[0]))
            for row in rows:
                self._row(row, 0)
        elif not index._multi:
            labels = [str(x) for x in index] if hasattr(index, "_range") else index_texts(index._column)
            if cut is not None:
                rows.insert(cut, ["..."] * len(rows[0]))
                labels.insert(cut, "...")
            for label, row in zip(labels, rows):
                self._row([label, *row], bool(bold) and 1)
        else:
            levels = [["nan" if C.is_missing(x) and x is not C.NaT else t for x, t in zip(c.items(), index_texts(c))] for c in index._columns]
            spans, labels = _spans(levels), [list(row) for row in zip(*levels)]
            if not self.sparsify:
                spans = [{i: 1 for i in range(count)} for _ in levels]
            if cut is not None:
                _with_gap(spans, labels, cut)
                rows.insert(cut, ["..."] * len(rows[0]))
            for i, (label, row) in enumerate(zip(labels, rows)):
                cells = [(text, f' rowspan="{of[i]}" valign="top"' if of[i] > 1 else "") for text, of in zip(label, spans) if i in of]
                self._row([*cells, *row], len(cells) if bold else 0)
        self.lines.append("  </tbody>")


def to_html(of, buf=None, *, columns=None, col_space=None, header=True, index=True, na_rep="NaN", formatters=None, float_format=None, sparsify=None,
            index_names=True, justify=None, max_rows=None, max_cols=None, show_dimensions=False, decimal=".", bold_rows=True, classes=None,
            escape=True, notebook=False, border=None, table_id=None, render_links=False, encoding=None, **others):
    few = others.pop("_few", None)
    if others:
        raise TypeError(f"DataFrame.to_html() got an unexpected keyword argument '{next(iter(others))}'")
    for name, given in (("decimal", decimal != "."), ("render_links", render_links), ("header", not isinstance(header, bool)),
                        ("col_space", isinstance(col_space, (list, dict, str)))):
        if given:
            raise NotImplementedError(f"pandas: to_html({name}=) isn't here")
    frame = of if columns is None else of[list(columns)]
    before = OPTIONS["display.float_format"]
    try:
        if float_format is not None:
            OPTIONS["display.float_format"] = float_format if callable(float_format) else \
                lambda x: float_format % x if "%" in float_format else float_format.format(x)
        text = _Page(frame, {
            "col_space": col_space, "header": header, "index": index, "na_rep": na_rep, "formatters": formatters, "index_names": index_names,
            "sparsify": True if sparsify is None else sparsify, "justify": justify, "max_rows": max_rows, "min_rows": few, "max_cols": max_cols,
            "dimensions": show_dimensions, "bold_rows": bold_rows, "classes": classes, "escape": escape, "border": border, "table_id": table_id,
        }).text()
    finally:
        OPTIONS["display.float_format"] = before
    if notebook:
        text = f"<div>\n{_STYLE}\n{text}\n</div>"
    if buf is None:
        return text
    if hasattr(buf, "write"):
        buf.write(text)
    else:
        with open(buf, "w", encoding=encoding or "utf-8") as file:
            file.write(text)
    return None


def shown(of):
    """What a notebook shows of a frame, or None if it shows text."""
    if not OPTIONS["display.notebook_repr_html"]:
        return None
    return to_html(of, max_rows=OPTIONS["display.max_rows"], _few=OPTIONS["display.min_rows"], max_cols=OPTIONS["display.max_columns"] or 20,
                   show_dimensions=OPTIONS["display.show_dimensions"], notebook=True)
