"""`plot` and `hist` of frames and series, drawn by matplotlib."""

import datetime
import functools

import numpy as np

from ._columns import is_missing
from ._shared import is_one

_ABSENT = ("kde", "density", "hexbin")
_OWN = "xlabel ylabel xlim ylim xticks yticks grid logx logy loglog rot fontsize".split()
_UNDRAWN = ("table", "xerr", "by", "backend", "weights")


def _axes(ax, figsize, series=False):
    import matplotlib.pyplot as plt

    if ax is None and series and plt.get_fignums():
        # A series is drawn on the current plot, a frame on a new one.
        ax = plt.gca()
    if ax is not None:
        if figsize is not None:
            ax.get_figure().set_size_inches(figsize)
        return ax
    return plt.subplots(figsize=figsize)[1] if figsize is not None else plt.subplots()[1]


def _text(label):
    return None if label is None else str(label)


def _inks(options, names, default=lambda i: None):
    """The color of each column, from `color=` or `colormap=`."""
    ink, cmap = options.pop("color", options.pop("c", None)), options.pop("colormap", options.pop("cmap", None))
    count = len(names)
    if ink is None and cmap is not None:
        import matplotlib.pyplot as plt

        return [plt.get_cmap(cmap)(i / max(count - 1, 1)) for i in range(count)]
    if isinstance(ink, dict):
        return [ink.get(name, f"C{i}") for i, name in enumerate(names)]
    if isinstance(ink, list) or isinstance(ink, tuple) and not isinstance(ink[0], (int, float)):
        return [ink[i % len(ink)] for i in range(count)]
    return [ink] * count if ink is not None else [default(i) for i in range(count)]


def _gaps_filled(column, value):
    return [value if is_missing(v) else v for v in column.tolist()]


class Plot:
    def __init__(self, of):
        self._of = of

    def __call__(self, *args, **options):
        options.update(zip(("kind", "ax") if self._of.ndim == 1 else ("x", "y", "kind"), args))
        return getattr(self, options.pop("kind", "line"))(**options)

    def __getattr__(self, name):
        if name in ("line", "area", "bar", "barh", "hist", "box", "pie"):
            # The first argument of the last three is `y`.
            return functools.partial(self._draw, name, *([None] if name in ("hist", "box", "pie") else []))
        if name in _ABSENT:
            raise NotImplementedError(f"pandas: plot.{name} isn't here")
        if name.startswith("_"):
            raise AttributeError(name)
        raise ValueError(f"{name} is not a valid plot kind Valid plot kinds: ('line', 'bar', 'barh', 'kde', 'density', 'area', 'hist', "
                         "'box', 'pie', 'scatter', 'hexbin')")

    def _columns(self, x, y):
        of = self._of
        if of.ndim == 1:
            kind = of._column.dtype
            if kind == "str" or str(kind) == "category":
                raise TypeError("no numeric data to plot")
            return list(of.index), [("None" if of.name is None else str(of.name), of)], _text(of.index.name)
        places = list(of.index) if x is None else of[x].tolist()
        names = [n for n in of.columns if n != x and of[n]._column.numeric] if y is None else [y] if is_one(y) else list(y)
        if not names:
            raise TypeError("no numeric data to plot")
        return places, [(str(n), of[n]) for n in names], _text(of.index.name if x is None else x)

    def _draw(self, kind, x=None, y=None, ax=None, figsize=None, subplots=False, layout=None, sharex=None, sharey=False, title=None,
              legend=None, label=None, use_index=True, **options):
        """Draws the columns on one plot, or each on its own, and adds what every kind of plot has."""
        import matplotlib.pyplot as plt

        strange = [n for n in _UNDRAWN if options.pop(n, None) is not None]
        if strange:
            raise NotImplementedError(f"pandas: plot.{kind}({strange[0]}=) isn't here")
        if kind == "pie" and self._of.ndim == 2 and y is None and not subplots:
            raise ValueError("pie requires either y column or 'subplots=True'")
        places, columns, named = self._columns(x, y)
        if not use_index:
            places, named = list(range(len(places))), None
        if label is not None:
            texts = list(label) if isinstance(label, (list, tuple)) else [label] * len(columns)
            columns = [(str(text), column) for text, (_, column) in zip(texts, columns)]
        legend = legend if legend is not None else self._of.ndim == 2
        own = {n: options.pop(n, None) for n in _OWN}
        draw = getattr(self, "_" + kind)
        if kind == "hist":
            # All columns have the same bins.
            every = np.concatenate([column.dropna().to_numpy() for _, column in columns])
            options["bins"] = np.histogram_bin_edges(every, bins=options.pop("bins", 10), range=options.pop("range", None))
        if not subplots:
            ax = _axes(ax, figsize, self._of.ndim == 1)
            if title is not None:
                ax.set_title(title)
            before = ax.get_legend()
            before = [] if before is None else [(a, a.label) for a in before.legend_handles]
            if kind in ("bar", "barh") and self._of.ndim == 1 and isinstance(options.get("color"), (list, tuple)):
                # The bars of a series may each have a color.
                options["color"] = [list(options["color"])]
            inks = _inks(options, [n for n, _ in columns], lambda i: f"C{i}" if kind in ("bar", "barh") else None)
            drawn, shown = draw(ax, places, columns, inks, options, own, named)
            if legend and drawn and kind != "box":
                drawn = before + (drawn[::-1] if legend == "reverse" else drawn)
                top = self._of.columns.name if self._of.ndim == 2 else None
                ax.legend([a for a, _ in drawn], [text for _, text in drawn], title=_text(top))
            self._finish(ax, own)
            return shown
        count = len(columns)
        across = kind in ("pie", "box")
        rows, wide = layout or ((1, count) if across else (count, 1))
        rows, wide = (-(-count // wide) if rows < 0 else rows), (-(-count // rows) if wide < 0 else wide)
        if rows * wide < count:
            raise ValueError(f"Layout of {rows}x{wide} must be larger than required size {count}")
        if ax is None:
            figure, axes = plt.subplots(rows, wide, figsize=figsize, sharex=not across if sharex is None else sharex, sharey=sharey,
                                        squeeze=False)
            if isinstance(title, str):
                figure.suptitle(title)
            for spare in list(axes.ravel())[count:]:
                spare.axis("off")
        else:
            axes = np.array(ax, dtype=object)
        flat = list(axes.ravel())
        inks = _inks(options, [n for n, _ in columns], lambda i: f"C{i}")
        for i, (one, column, ink) in enumerate(zip(flat, columns, inks)):
            drawn, _ = draw(one, places, [column], [ink], dict(options), own, named)
            if isinstance(title, (list, tuple)):
                one.set_title(title[i])
            elif kind in ("bar", "barh"):
                one.set_title(column[0])
            if legend and drawn and kind != "box":
                one.legend([a for a, _ in drawn], [text for _, text in drawn])
            self._finish(one, own)
        return axes if layout else axes.ravel()

    @staticmethod
    def _finish(ax, own):
        for name in ("xlabel", "ylabel", "xlim", "ylim", "xticks", "yticks"):
            if own[name] is not None:
                getattr(ax, "set_" + name)(own[name])
        if own["grid"] is not None:
            ax.grid(own["grid"])
        for name, letter in (("logx", "x"), ("logy", "y")):
            if own[name] or own["loglog"]:
                getattr(ax, f"set_{letter}scale")("symlog" if own[name] == "sym" or own["loglog"] == "sym" else "log")
        if own["rot"] is not None:
            ax.tick_params(axis="x", rotation=own["rot"])

    def _ticks(self, ax, places, rot):
        """Ticks for labels that aren't numbers: matplotlib chooses which of the counted places have one."""
        at = [int(t) for t in ax.get_xticks() if t == int(t) and 0 <= t < len(places)]
        ax.set_xticks(at)
        ax.set_xticklabels([str(places[i]) for i in at], rotation=rot or 0)

    def _lines(self, ax, places, columns, inks, options, own, named, stroke):
        """Draws columns over one x axis with `stroke(axes, x, number, name, column, style)`, which returns what a legend shows."""
        counted = not all(isinstance(p, (int, float, datetime.date)) for p in places)
        at = list(range(len(places))) if counted else places
        second, marked = options.pop("secondary_y", False), options.pop("mark_right", True)
        on_right = lambda name: second is True or name in [str(s) for s in ([second] if is_one(second) else second)]
        styles, drawn, right = options.pop("style", None), [], None
        for i, ((name, column), ink) in enumerate(zip(columns, inks)):
            style = styles.get(name) if isinstance(styles, dict) else styles[i % len(styles)] if isinstance(styles, list) else styles
            target = ax
            if second is not False and on_right(name):
                right = target = right or ax.twinx()
                ink = ink or f"C{i}"
                name = f"{name} (right)" if marked else name
            made = dict(options) if ink is None or style and any(c in "rgbcmykw" for c in style) else {**options, "color": ink}
            drawn.append((stroke(target, at, i, name, column, made, style), name))
        if counted:
            self._ticks(ax, places, own["rot"])
        elif at and isinstance(at[0], datetime.date):
            # As in pandas, the axis of dates has no margins.
            ax.set_xlim(min(at), max(at))
            ax.tick_params(axis="x", rotation=30 if own["rot"] is None else own["rot"])
        if named is not None:
            ax.set_xlabel(named)
        if right is not None and all(on_right(name) for name, _ in columns):
            ax.set_yticks([])
            return drawn, right
        return drawn, ax

    def _line(self, ax, places, columns, inks, options, own, named):
        def stroke(ax, at, i, name, column, made, style):
            return ax.plot(at, _gaps_filled(column, float("nan")), *([style] if style else []), label=name, **made)[0]

        return self._lines(ax, places, columns, inks, options, own, named, stroke)

    def _area(self, ax, places, columns, inks, options, own, named):
        stacked, alpha = options.pop("stacked", True), options.pop("alpha", None)
        alpha = 0.5 if alpha is None and not stacked else alpha
        signs = [{v > 0 for v in _gaps_filled(c, 0.0) if v} for _, c in columns]
        if stacked and any(len(s) > 1 for s in signs):
            name = next(n for (n, _), s in zip(columns, signs) if len(s) > 1)
            raise ValueError("When stacked is True, each column must be either all positive or all negative. Column "
                             f"'{name}' contains both positive and negative values")
        above, below = [0.0] * len(places), [0.0] * len(places)

        def stroke(ax, at, i, name, column, made, style):
            values = _gaps_filled(column, 0.0)
            base = [0.0] * len(values) if not stacked else below if True in [v < 0 for v in values] else above
            tops = [a + b for a, b in zip(base, values)]
            line, = ax.plot(at, tops, *([style] if style else []), alpha=alpha, **made)
            band = ax.fill_between(at, list(base), tops, color=line.get_color(), alpha=alpha, label=name)
            if stacked:
                base[:] = tops
            return band

        found = self._lines(ax, places, columns, inks, options, own, named, stroke)
        every = [v for s in signs for v in s]
        if False not in every:
            ax.set_ylim(bottom=0)
        elif True not in every:
            ax.set_ylim(top=0)
        return found

    def _bars(self, flat, ax, places, columns, inks, options, own, named):
        stacked, count, drawn = options.pop("stacked", False), len(columns), []
        width, errors = options.pop("width", 0.5), options.pop("yerr", None)
        if options.pop("secondary_y", False) is not False or options.get("position") is not None or options.get("align") == "edge":
            raise NotImplementedError("pandas: plot.bar(secondary_y=), position= and align='edge' aren't here")
        if errors is not None and (flat or stacked):
            raise NotImplementedError("pandas: plot.barh(yerr=) and plot.bar(stacked=True, yerr=) aren't here")
        if own["logy"] and flat:
            own["logx"], own["logy"] = own["logy"], None
        each = width / (1 if stacked else count)
        above, below = [0.0] * len(places), [0.0] * len(places)
        for i, ((name, column), ink) in enumerate(zip(columns, inks)):
            values = _gaps_filled(column, 0.0)
            at = [k + (0 if stacked else (i - (count - 1) / 2) * each) for k in range(len(places))]
            base = [a if v > 0 else b for v, a, b in zip(values, above, below)] if stacked else None
            if stacked:
                above = [a + max(v, 0) for a, v in zip(above, values)]
                below = [b + min(v, 0) for b, v in zip(below, values)]
            if flat:
                made = ax.barh(at, values, height=each, left=base, label=name, color=ink, **options)
            else:
                error = errors[name] if hasattr(errors, "columns") or isinstance(errors, dict) else errors
                error = [error] * len(values) if isinstance(error, (int, float)) else error
                made = ax.bar(at, values, width=each, bottom=base, label=name, color=ink, yerr=error, **options)
            drawn.append((made, name))
        ends = (-0.25 - width / 2, len(places) - 1 + 0.25 + width / 2)
        texts = [str(p) for p in places]
        if flat:
            ax.set_yticks(range(len(places)))
            ax.set_yticklabels(texts)
            ax.set_ylim(*ends)
        else:
            own["rot"] = 90 if own["rot"] is None else own["rot"]
            ax.set_xticks(range(len(places)))
            ax.set_xticklabels(texts, rotation=own["rot"])
            ax.set_xlim(*ends)
        if named is not None:
            (ax.set_ylabel if flat else ax.set_xlabel)(named)
        return drawn, ax

    _bar, _barh = functools.partialmethod(_bars, False), functools.partialmethod(_bars, True)

    def _hist(self, ax, places, columns, inks, options, own, named):
        data = [column.dropna().to_numpy() for _, column in columns]
        stacked, names = options.pop("stacked", False), [name for name, _ in columns]
        if stacked and len(data) > 1:
            if options.get("density"):
                raise NotImplementedError("pandas: plot.hist(stacked=True, density=True) isn't here")
            inks = [ink or f"C{i}" for i, ink in enumerate(inks)]
            parts = ax.hist(data, stacked=True, label=names, color=inks, **options)[2]
        else:
            parts = [ax.hist(v, label=n, color=ink, **options)[2] for v, n, ink in zip(data, names, inks)]
        (ax.set_xlabel if options.get("orientation") == "horizontal" else ax.set_ylabel)("Frequency")
        return list(zip(parts, names)), ax

    def _box(self, ax, places, columns, inks, options, own, named):
        parts = ax.boxplot([column.dropna().to_numpy() for _, column in columns], **options)
        for name, ink in (("boxes", "C0"), ("whiskers", "C0"), ("medians", "C2"), ("caps", "C0")):
            for artist in parts[name]:
                artist.set_color(inks[0] or ink)
        at, names = list(range(1, len(columns) + 1)), [name for name, _ in columns]
        flat = options.get("vert") is False or options.get("orientation") == "horizontal"
        (ax.set_yticks if flat else ax.set_xticks)(at)
        (ax.set_yticklabels if flat else ax.set_xticklabels)(names)
        return [], ax

    def _pie(self, ax, places, columns, inks, options, own, named):
        name, column = columns[0]
        values = _gaps_filled(column, 0.0)
        if any(v < 0 for v in values):
            raise ValueError("pie plot doesn't allow negative values")
        labels = options.pop("labels", [str(p) for p in places])
        shown = None if labels is None else ["" if v == 0 else text for text, v in zip(labels, values)]
        wedges = ax.pie(values, labels=shown, **options)[0]
        return list(zip(wedges, labels or map(str, places))), ax

    def scatter(self, x, y, s=None, c=None, ax=None, figsize=None, colormap=None, colorbar=None, label=None, title=None, **options):
        of = self._of
        ax = _axes(ax, figsize)
        colormap, color = options.pop("cmap", colormap), options.pop("color", None)
        if c is not None and color is not None:
            raise TypeError("Specify exactly one of `c` and `color`")
        own = {n: options.pop(n, None) for n in _OWN}
        legend = options.pop("legend", True)
        column = of[c] if is_one(c) and c in of.columns else None
        ink, words = color if c is None else c if column is None else column, None
        if column is not None and column.dtype == "category":
            raise NotImplementedError("pandas: plot.scatter(c=) of categories isn't here")
        numbers = column is not None and column._column.numeric
        if column is not None and not numbers:
            import matplotlib.pyplot as plt
            from matplotlib.colors import is_color_like

            if not all(is_color_like(v) for v in column):
                words = sorted(set(column))
                cmap = plt.get_cmap(colormap)
                chosen = {v: cmap(i / max(len(words) - 1, 1)) for i, v in enumerate(words)}
                for v in words:
                    rows = of[column == v]
                    ax.scatter(rows[x].to_numpy(), rows[y].to_numpy(), s=20 if s is None else s, color=[chosen[v]], label=v, **options)
                ax.legend()
            ink = column.tolist()
        if words is None:
            if numbers and colormap is None and column.dtype.kind in "iu":
                colormap = "Greys"
            if numbers:
                options["cmap"], ink = colormap, column.tolist()
            size = 20 if s is None else of[s].tolist() if is_one(s) and s in of.columns else s
            made = ax.scatter(of[x].to_numpy(), of[y].to_numpy(), s=size, c="C0" if ink is None else ink, label=label, **options)
            if colorbar or colorbar is None and numbers:
                ax.get_figure().colorbar(made, ax=ax, label=str(c) if numbers else "")
        if label is not None and legend:
            ax.legend()
        if title is not None:
            ax.set_title(title)
        own["xlabel"] = own["xlabel"] if own["xlabel"] is not None else str(x)
        own["ylabel"] = own["ylabel"] if own["ylabel"] is not None else str(y)
        self._finish(ax, own)
        return ax


def histogram(series, bins, ax, figsize, grid, options):
    ax = _axes(ax, figsize, True)
    ax.hist(series.dropna().to_numpy(), bins=bins, **options)
    ax.grid(grid)
    return ax


def histograms(frame, column, bins, figsize, layout, grid, options):
    import matplotlib.pyplot as plt

    names = (
        [n for n in frame.columns if frame[n]._column.is_number]
        if column is None
        else [column] if isinstance(column, str) else list(column)
    )
    count = len(names)
    side = next(k for k in range(1, count + 1) if k * k >= count)
    high, wide = layout or {2: (1, 2), 3: (2, 2)}.get(count, (side, side - 1 if (side - 1) * side >= count else side))
    high, wide = (-(-count // wide) if high < 0 else high), (-(-count // high) if wide < 0 else wide)
    if options.get("ax") is not None:
        axes = np.array(options.pop("ax"), dtype=object)
    else:
        axes = plt.subplots(high, wide, figsize=figsize, squeeze=False)[1]
    flat = list(axes.ravel())
    for ax, name in zip(flat, names):
        ax.hist(frame[name].dropna().to_numpy(), bins=bins, **options)
        ax.set_title(str(name))
        ax.grid(grid)
    for ax in flat[len(names) :]:
        ax.axis("off")
    return axes


def scatter_matrix(frame, alpha=0.5, figsize=None, diagonal="hist", marker=".", hist_kwds=None, **options):
    import matplotlib.pyplot as plt

    if diagonal != "hist":
        raise NotImplementedError(f"pandas: scatter_matrix(diagonal={diagonal!r}) isn't here")
    names = [n for n in frame.columns if frame[n]._column.numeric]
    count = len(names)
    _, axes = plt.subplots(count, count, figsize=figsize) if figsize else plt.subplots(count, count)
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            ax = axes[i][j]
            if i == j:
                ax.hist(frame[a].dropna().to_numpy(), **(hist_kwds or {}))
            else:
                ax.scatter(frame[b].to_numpy(), frame[a].to_numpy(), alpha=alpha, marker=marker, **options)
            if i == count - 1:
                ax.set_xlabel(str(b))
            if j == 0:
                ax.set_ylabel(str(a))
    return axes
