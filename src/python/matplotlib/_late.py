"""What few programs draw or set, loaded when one asks for it; and the names of what isn't here."""

import math

import numpy

from matplotlib._artists import Boxes, values
from matplotlib._more import undrawn
from matplotlib._options import Worded, known_as, refuse, words
from matplotlib.colors import CYCLE, to_rgb

# Methods of matplotlib's axes that draw, and what to use instead where there is something.
LACKING = {
    "streamplot": "quiver draws arrows",
    "table": "", "specgram": "", "tripcolor": "", "tricontour": "", "tricontourf": "", "triplot": "",
    "barbs": "", "stairs": "step draws stairs", "psd": "", "csd": "", "cohere": "", "xcorr": "", "acorr": "",
    "magnitude_spectrum": "", "angle_spectrum": "", "phase_spectrum": "",
    "pcolorfast": "pcolormesh draws fields", "secondary_xaxis": "twiny makes a second axis",
    "secondary_yaxis": "twinx makes a second axis", "indicate_inset": "", "grouped_bar": "bar draws bars",
    "add_line": "plot draws lines", "add_table": "", "add_image": "imshow draws images",
    "quiverkey": "", "bxp": "boxplot computes and draws", "violin": "violinplot computes and draws",
}


def lacking(place, name):
    return AttributeError(f"{place}.{name} is not here{': ' + LACKING[name] if LACKING[name] else ''}")


def density(numbers, places, factor=None):
    """The sum of a bell over each number, each as wide as Scott's rule says."""
    n = len(numbers)
    width = (n ** -0.2 if factor is None else factor) * math.sqrt(float(numpy.var(numbers, ddof=1)))
    away = (numpy.asarray(places)[:, None] - numpy.asarray(numbers)[None]) / width
    return numpy.exp(-0.5 * away * away).sum(1) / (n * width * math.sqrt(2 * math.pi))


def violinplot(ax, dataset, positions=None, vert=None, orientation="vertical", widths=0.5, showmeans=False, showextrema=True,
               showmedians=False, points=100, bw_method=None, side="both", **others):
    refuse("violinplot", others, set())
    if others or side != "both" or callable(bw_method) or isinstance(bw_method, str) and bw_method not in ("scott", "silverman"):
        raise NotImplementedError(f"matplotlib: violinplot({', '.join(others) or ('side' if side != 'both' else 'bw_method')}=)")
    many = isinstance(dataset, (list, tuple)) and dataset and hasattr(dataset[0], "__len__")
    data = [values(part) for part in dataset] if many else [values(part) for part in ax._columns(dataset)]
    at = [float(i + 1) for i in range(len(data))] if positions is None else values(positions)
    if len(at) != len(data):
        raise ValueError("List of violinplot statistics and `positions` values must have the same length")
    wide = [float(widths)] * len(at) if not hasattr(widths, "__len__") else values(widths)
    if len(wide) != len(at):
        raise ValueError("List of violinplot statistics and `widths` values must have the same length")
    upright = orientation == "vertical" if vert is None else bool(vert)
    color, found = ax._next_color(), {"bodies": []}
    ends = {"cmeans": [], "cmaxes": [], "cmins": [], "cmedians": []}
    for place, numbers, width in zip(at, data, wide):
        along = numpy.linspace(min(numbers), max(numbers), points)
        if min(numbers) == max(numbers):
            share = numpy.ones(points)
        else:
            factor = None if bw_method in (None, "scott") else (len(numbers) * 0.75) ** -0.2 if bw_method == "silverman" else bw_method
            share = density(numbers, along, factor)
        half = 0.5 * width * share / share.max()
        fill = ax.fill_betweenx if upright else ax.fill_between
        found["bodies"].append(fill(along, place - half, place + half, facecolor=color, alpha=0.3))
        for name, end in (("cmeans", numpy.mean), ("cmaxes", max), ("cmins", min), ("cmedians", numpy.median)):
            ends[name].append(float(end(numbers)))
    across, along = (ax.hlines, ax.vlines) if upright else (ax.vlines, ax.hlines)
    low, high = [p - 0.25 * w for p, w in zip(at, wide)], [p + 0.25 * w for p, w in zip(at, wide)]
    if showmeans:
        found["cmeans"] = across(ends["cmeans"], low, high, colors=color)
    if showextrema:
        found["cmaxes"] = across(ends["cmaxes"], low, high, colors=color)
        found["cmins"] = across(ends["cmins"], low, high, colors=color)
        found["cbars"] = along(at, ends["cmins"], ends["cmaxes"], colors=color)
    if showmedians:
        found["cmedians"] = across(ends["cmedians"], low, high, colors=color)
    return found


def spy(ax, Z, precision=0, marker=None, markersize=None, **options):
    """Where a matrix isn't zero."""
    if marker is not None or markersize is not None or options:
        raise NotImplementedError("matplotlib: spy(marker=)")
    return ax.imshow(numpy.abs(numpy.asarray(Z)) > precision, cmap="binary", interpolation="nearest", vmin=0, vmax=1)


def label_outer(ax):
    """Keeps the names and the numbers of the axes at the edges of the grid only."""
    row, column, heights, widths, (tall, wide) = ax.cell
    if row + tall < len(heights):
        ax._labeled["x"], ax._xlabel = False, ""
    if column > 0:
        ax._labeled["y"], ax._ylabel = False, ""


def name(known, named, names):
    """Gives what is drawn the names of the legend, and no name to what isn't in the legend."""
    for artists, drawn in known if named is not None or names else ():
        for artist, made in zip(artists, drawn):
            for i, spec in enumerate(made):
                for kind in spec.values():
                    if "label" not in kind:
                        continue
                    if named is not None and not any(artist is a for a in named):
                        kind["label"] = None
                    elif id(artist) in names and (i == 0 or kind["label"] is not None):
                        kind["label"] = names[id(artist)]


def sample(artist, name=None):
    """The spec of an artist that is only in the legend: its style, without any points."""
    from matplotlib.patches import Patch

    name = artist.label if name is None else name
    if isinstance(artist, Patch):
        return Boxes([], [artist.face if artist.fill else "none"], name, artist.alpha, None).spec()
    made = artist.spec()
    for of in made.values():
        of["label"] = None if name is None else str(name)
        for name in ("x", "y", "low", "high", "boxes"):
            if name in of:
                of[name] = []
    return made


@known_as("Legend", "legend")
class Legend:
    """What `legend` returns."""

    def __init__(self, axes):
        self.axes, self.figure, self._look = axes, axes.figure, axes._legend

    def __str__(self):
        return "Legend"

    @classmethod
    def of(cls, axes):
        """The axes' legend: the same one until there's a new one."""
        known = getattr(axes, "_legend_made", None)
        if known is None or known._look is not axes._legend:
            known = axes._legend_made = cls(axes)
        return known

    def get_lines(self):
        return [h for h in self.legend_handles if hasattr(h, "get_xdata")]

    def get_patches(self):
        return [h for h in self.legend_handles if hasattr(h, "get_facecolor") and not hasattr(h, "get_offsets")]

    @property
    def legend_handles(self):
        return list(self.axes.get_legend_handles_labels()[0] if self.axes._handles is None else self.axes._handles)

    def get_texts(self):
        return [Named(a, self) for a in self.legend_handles]

    def set_title(self, title, **options):
        words({name: value for name, value in options.items() if name != "prop"})
        self.axes._legend["title"] = None if title is None else str(title)

    def get_title(self):
        return Title(self)

    def set_visible(self, visible):
        if not visible:
            self.remove()

    def remove(self):
        self.axes._legend = None

    def get_frame(self):
        return self

    def get_frame_on(self):
        return bool(self.axes._legend_look.get("frameon", True))

    def __getattr__(self, name):
        if name.startswith("set_"):
            return lambda *args, **options: undrawn(f"{name} of a legend")
        raise AttributeError(f"'Legend' object has no attribute {name!r}")


@known_as("Text", "text")
class Title(Worded):
    """The title of a legend."""

    kind = "legend"

    def __init__(self, legend):
        self._legend, self.set_text = legend, legend.set_title

    def get_text(self):
        return self._legend.axes._legend["title"] or ""

    def get_position(self):
        return (0, 0)

    def _own(self):
        return {"fontsize": float(self._legend.axes._legend["size"]), "color": "black"}


@known_as("Text", "text")
class Named(Title):
    """The text of something in a legend."""

    def __init__(self, artist, legend):
        self._artist, self._legend = artist, legend

    def get_text(self):
        return self._legend.axes._names.get(id(self._artist), str(self._artist.label))

    def set_text(self, text):
        self._legend.axes._names[id(self._artist)] = str(text)


class Cycle:
    """The colors that follow one another: `rcParams["axes.prop_cycle"]`."""

    keys = {"color"}

    def __init__(self, colors=None):
        self._colors = [to_rgb(color) for color in CYCLE] if colors is None else list(colors)

    def by_key(self):
        return {"color": list(self._colors)}

    def __iter__(self):
        return iter([{"color": color} for color in self._colors])

    def __len__(self):
        return len(self._colors)

    def __repr__(self):
        return f"cycler('color', {self.by_key()['color']!r})"


def cycler(*args, **keys):
    """Colors that follow one another, for `rcParams["axes.prop_cycle"]` and `set_prop_cycle`."""
    if len(args) == 2:
        keys = {args[0]: args[1]}
    elif len(args) == 1 and isinstance(args[0], Cycle):
        return args[0]
    keys = {"color" if name == "c" else name: value for name, value in keys.items()}
    if list(keys) != ["color"]:
        raise NotImplementedError(f"matplotlib: cycler of {', '.join(keys) or 'nothing'}: only colors follow one another here")
    return Cycle(keys["color"])
