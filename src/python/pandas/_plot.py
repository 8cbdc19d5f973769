"""`plot` and `hist` of frames and series, drawn by matplotlib."""

import datetime

from ._columns import is_missing

_ABSENT = ("kde", "density", "hexbin")


def _axes(ax, figsize):
    import matplotlib.pyplot as plt

    if ax is not None:
        return ax
    return plt.subplots(figsize=figsize)[1] if figsize is not None else plt.subplots()[1]


class Plot:
    def __init__(self, of):
        self._of = of

    def __call__(self, *args, **options):
        kind = options.pop("kind", "line")
        if self._of.ndim == 2 and args:
            for name, value in zip(("x", "y", "kind"), args):
                if name == "kind":
                    kind = value
                else:
                    options[name] = value
        elif args:
            kind = args[0]
        return getattr(self, kind)(**options)

    def __getattr__(self, name):
        if name in _ABSENT:
            raise NotImplementedError(f"pandas: plot.{name} isn't here")
        raise ValueError(f"{name} is not a valid plot kind") if not name.startswith("_") else AttributeError(name)

    def _columns(self, x, y):
        of = self._of
        if of.ndim == 1:
            return list(of.index), [("None" if of.name is None else str(of.name), of)], None
        places = list(of.index) if x is None else of[x].tolist()
        names = (
            [n for n in of.columns if n != x and of[n]._column.numeric] if y is None else [y] if isinstance(y, str) else list(y)
        )
        if not names:
            raise TypeError("no numeric data to plot")
        return places, [(str(n), of[n]) for n in names], None if x is None else str(x)

    def _finish(self, ax, options, label=None):
        for name, setter in (
            ("title", "set_title"),
            ("xlabel", "set_xlabel"),
            ("ylabel", "set_ylabel"),
            ("xlim", "set_xlim"),
            ("ylim", "set_ylim"),
        ):
            if options.get(name) is not None:
                getattr(ax, setter)(options[name])
        if options.get("xlabel") is None and label:
            ax.set_xlabel(label)
        if options.get("grid"):
            ax.grid(True)
        if options.get("logy"):
            ax.set_yscale("log")
        if options.get("logx"):
            ax.set_xscale("log")
        return ax

    @staticmethod
    def _style(options, number=0):
        colors = options.get("color", options.get("c"))
        made = {} if colors is None else {"color": colors[number % len(colors)] if isinstance(colors, (list, tuple)) else colors}
        for name in ("alpha", "linewidth", "lw", "linestyle", "ls", "marker", "markersize"):
            if name in options:
                made[{"lw": "linewidth", "ls": "linestyle"}.get(name, name)] = options[name]
        return made

    def _numbers(self, places):
        """Where points are along x, and their labels. Numbers and dates are places; anything else is counted and has a label."""
        if all(isinstance(p, (int, float, datetime.date)) for p in places):
            return places, None
        return list(range(len(places))), [str(p).replace(" 00:00:00", "") for p in places]

    def line(self, x=None, y=None, ax=None, figsize=None, subplots=False, legend=True, style=None, **options):
        if subplots:
            return self._subplots(x, y, figsize, options)
        places, columns, label = self._columns(x, y)
        at, texts = self._numbers(places)
        ax = _axes(ax, figsize)
        for i, (name, column) in enumerate(columns):
            args = (style[i % len(style)] if isinstance(style, (list, tuple)) else style,) if style else ()
            ax.plot(
                at,
                [float("nan") if is_missing(v) else v for v in column.tolist()],
                *args,
                label=options.get("label", name),
                **self._style(options, i),
            )
        if texts is not None:
            step = max(len(texts) // 6, 1)
            ax.set_xticks(at[::step])
            ax.set_xticklabels(texts[::step], rotation=options.get("rot", 0))
        if at and isinstance(at[0], datetime.date):
            # As in pandas, the axis of dates has no margins.
            ax.set_xlim(min(at), max(at))
            ax.tick_params(axis="x", rotation=options.get("rot", 30))
        if legend and (self._of.ndim == 2 or "label" in options):
            ax.legend()
        return self._finish(ax, options, label or (None if self._of.index.name is None else str(self._of.index.name)))

    def _subplots(self, x, y, figsize, options):
        import matplotlib.pyplot as plt

        places, columns, label = self._columns(x, y)
        at, _ = self._numbers(places)
        _, axes = plt.subplots(len(columns), 1, figsize=figsize) if figsize else plt.subplots(len(columns), 1)
        axes = axes if len(columns) > 1 else [axes]
        for i, (ax, (name, column)) in enumerate(zip(axes, columns)):
            ax.plot(at, column.tolist(), label=name, **self._style(options, i))
            ax.legend()
        return axes

    def _bars(self, flat, x, y, ax, figsize, stacked, legend, options):
        places, columns, label = self._columns(x, y)
        ax = _axes(ax, figsize)
        count = len(columns)
        width = options.get("width", 0.5) / (1 if stacked else count)
        base = [0.0] * len(places)
        for i, (name, column) in enumerate(columns):
            values = [0.0 if is_missing(v) else v for v in column.tolist()]
            at = [k + (0 if stacked else (i - (count - 1) / 2) * width) for k in range(len(places))]
            style = self._style(options, i)
            if flat:
                ax.barh(at, values, height=width, left=base if stacked else None, label=name, **style)
            else:
                ax.bar(at, values, width=width, bottom=base if stacked else None, label=name, **style)
            if stacked:
                base = [a + b for a, b in zip(base, values)]
        texts = [str(p) for p in places]
        if flat:
            ax.set_yticks(range(len(places)))
            ax.set_yticklabels(texts)
        else:
            ax.set_xticks(range(len(places)))
            ax.set_xticklabels(texts, rotation=options.get("rot", 90))
        if legend and self._of.ndim == 2:
            ax.legend()
        label = label or (None if self._of.index.name is None else str(self._of.index.name))
        return self._finish(ax, options, None if flat else label)

    def bar(self, x=None, y=None, ax=None, figsize=None, stacked=False, legend=True, **options):
        return self._bars(False, x, y, ax, figsize, stacked, legend, options)

    def barh(self, x=None, y=None, ax=None, figsize=None, stacked=False, legend=True, **options):
        return self._bars(True, x, y, ax, figsize, stacked, legend, options)

    def hist(self, bins=10, ax=None, figsize=None, by=None, legend=True, **options):
        _, columns, _ = self._columns(None, options.pop("y", None))
        ax = _axes(ax, figsize)
        for i, (name, column) in enumerate(columns):
            ax.hist(column.dropna().to_numpy(), bins=bins, label=name, **self._style(options, i))
        ax.set_ylabel("Frequency")
        if legend and self._of.ndim == 2:
            ax.legend()
        return self._finish(ax, options)

    def scatter(self, x, y, s=None, c=None, ax=None, figsize=None, colormap=None, cmap=None, **options):
        of = self._of
        ax = _axes(ax, figsize)
        style = self._style(options)
        if c is not None:
            style["c"] = of[c].tolist() if isinstance(c, str) and c in of.columns else c
        if colormap or cmap:
            style["cmap"] = colormap or cmap
        if s is not None:
            style["s"] = of[s].tolist() if isinstance(s, str) else s
        ax.scatter(of[x].to_numpy(), of[y].to_numpy(), **style)
        self._finish(ax, options, str(x))
        if options.get("ylabel") is None:
            ax.set_ylabel(str(y))
        return ax

    def box(self, ax=None, figsize=None, **options):
        _, columns, _ = self._columns(None, options.pop("y", None))
        ax = _axes(ax, figsize)
        ax.boxplot([column.dropna().to_numpy() for _, column in columns])
        ax.set_xticks(range(1, len(columns) + 1))
        ax.set_xticklabels([name for name, _ in columns])
        return self._finish(ax, options)

    def area(self, x=None, y=None, ax=None, figsize=None, alpha=None, **options):
        places, columns, label = self._columns(x, y)
        at, _ = self._numbers(places)
        ax = _axes(ax, figsize)
        base = [0.0] * len(at)
        for name, column in columns:
            top = [a + b for a, b in zip(base, column.tolist())]
            ax.fill_between(at, base, top, alpha=1.0 if alpha is None else alpha, label=name)
            base = top
        ax.legend()
        return self._finish(ax, options, label)

    def pie(self, y=None, ax=None, figsize=None, autopct=None, labels=None, **options):
        of = self._of if self._of.ndim == 1 else self._of[y]
        ax = _axes(ax, figsize)
        ax.pie(of.to_numpy(), labels=[str(x) for x in of.index] if labels is None else labels, autopct=autopct)
        ax.set_ylabel("" if of.name is None else str(of.name))
        return self._finish(ax, options)


def histogram(series, bins, ax, figsize, grid, options):
    ax = _axes(ax, figsize)
    ax.hist(series.dropna().to_numpy(), bins=bins, **options)
    ax.grid(grid)
    return ax


def histograms(frame, column, bins, figsize, grid, options):
    import math

    import matplotlib.pyplot as plt

    names = (
        [n for n in frame.columns if frame[n]._column.is_number]
        if column is None
        else [column] if isinstance(column, str) else list(column)
    )
    wide = math.ceil(math.sqrt(len(names)))
    high = math.ceil(len(names) / wide)
    _, axes = plt.subplots(high, wide, figsize=figsize) if figsize else plt.subplots(high, wide)
    flat = [axes] if high * wide == 1 else list(axes.flat)
    for ax, name in zip(flat, names):
        ax.hist(frame[name].dropna().to_numpy(), bins=bins, **options)
        ax.set_title(str(name))
        ax.grid(grid)
    for ax in flat[len(names) :]:
        ax.axis("off")
    return axes


def scatter_matrix(frame, alpha=0.5, figsize=None, diagonal="hist", **options):
    import matplotlib.pyplot as plt

    names = [n for n in frame.columns if frame[n]._column.numeric]
    count = len(names)
    _, axes = plt.subplots(count, count, figsize=figsize) if figsize else plt.subplots(count, count)
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            ax = axes[i][j]
            if i == j:
                ax.hist(frame[a].dropna().to_numpy())
            else:
                ax.scatter(frame[b].to_numpy(), frame[a].to_numpy(), alpha=alpha)
            if i == count - 1:
                ax.set_xlabel(str(b))
            if j == 0:
                ax.set_ylabel(str(a))
    return axes
