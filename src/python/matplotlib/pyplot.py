"""The current figure and the current axes."""

import numpy

import matplotlib
from matplotlib import cm, rc_context, style
from matplotlib.cm import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.colors import colormap as get_cmap
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Polygon, Rectangle
from matplotlib.ticker import (  # noqa: F401
    AutoLocator, FixedFormatter, FixedLocator, FormatStrFormatter, FuncFormatter, LinearLocator, LogLocator, MaxNLocator, MultipleLocator,
    NullFormatter, NullLocator, ScalarFormatter)

rcParams, rcParamsDefault, rcdefaults = matplotlib.rcParams, matplotlib.rcParamsDefault, matplotlib.rcdefaults
_figures = {}
_current = None


def figure(num=None, figsize=None, dpi=None, clear=False, **others):
    """A new figure, or the existing one with this number."""
    global _current
    if num is None:
        num = max(_figures, default=0) + 1
    elif not isinstance(num, int):
        known = [k for k, f in _figures.items() if f.name == num]
        num, name = (known[0], num) if known else (max(_figures, default=0) + 1, num)
        if not known:
            fig = Figure(figsize, dpi, number=num, **others)
            fig.name = name
            _figures[num] = fig
    if num not in _figures:
        _figures[num] = Figure(figsize, dpi, number=num, **others)
        _figures[num].name = str(num)
    _current = _figures[num]
    if clear:
        _current.clf()
    return _current


def gcf():
    return _current if _current is not None else figure()


def gca():
    return gcf().gca()


def sca(ax):
    global _current
    _current = ax.figure
    _current.sca(ax)


def subplots(nrows=1, ncols=1, *, sharex=False, sharey=False, squeeze=True, figsize=None, dpi=None, width_ratios=None,
             height_ratios=None, subplot_kw=None, gridspec_kw=None, num=None, **others):
    fig = figure(num, figsize, dpi, **others)
    return fig, fig.subplots(nrows, ncols, squeeze, sharex, sharey, width_ratios, height_ratios, gridspec_kw, subplot_kw)


def subplot(*args, **others):
    """The axes at a place in a grid. They're made if they don't exist."""
    fig = gcf()
    if not args:
        args = (1, 1, 1)
    if len(args) == 1 and isinstance(args[0], int):
        if not 100 <= args[0] <= 999:
            raise ValueError(f"Single argument to subplot must be a three-digit integer, not {args[0]}")
        args = tuple(int(c) for c in str(args[0]))
    rows, columns, index = args
    if isinstance(index, int):
        place = (*divmod(index - 1, columns), [1.0] * rows, [1.0] * columns, (1, 1))
        for ax in fig._plots:
            if ax.cell == place and not others.keys() & {"projection", "polar"}:
                return fig.sca(ax)
    return fig.add_subplot(rows, columns, index, **others)


def axes(arg=None, **others):
    return gcf().add_axes(arg, **others)


def _of_axes(name, method=None):
    def call(*args, **options):
        return getattr(gca(), method or name)(*args, **options)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = getattr(Axes, method or name).__doc__
    return call


for _name in ("plot", "semilogy", "semilogx", "loglog", "step", "errorbar", "bar", "barh", "hist", "fill_between", "axhline",
              "axvline", "axvspan", "axhspan", "fill", "pie", "ecdf", "eventplot", "broken_barh",
              "pcolor", "stackplot", "hist2d", "hexbin", "bar_label", "margins",
              "minorticks_on", "axline", "arrow", "quiver", "fill_betweenx",
              "hlines", "vlines", "stem", "boxplot", "text", "annotate", "matshow", "legend", "grid",
              "axis", "tick_params", "cla", "violinplot", "spy", "clabel", "locator_params", "ticklabel_format", "autoscale"):
    globals()[_name] = _of_axes(_name)
for _name in ("title", "xlabel", "ylabel", "xscale", "yscale"):
    globals()[_name] = _of_axes(_name, f"set_{_name}")


def polar(*args, **options):
    """Lines on polar axes."""
    ax = gca() if gcf().axes else subplot(projection="polar")
    return ax.plot(*args, **options)


def twinx(ax=None):
    """A second y axis, which is the current one from now on."""
    made = (ax or gca()).twinx()
    sca(made)
    return made


def twiny(ax=None):
    """A second x axis, which is the current one from now on."""
    made = (ax or gca()).twiny()
    sca(made)
    return made


def scatter(*args, **options):
    return gca().scatter(*args, **options)


def contour(*args, **options):
    return gca().contour(*args, **options)


def contourf(*args, **options):
    return gca().contourf(*args, **options)


def pcolormesh(*args, **options):
    return gca().pcolormesh(*args, **options)


def imshow(*args, **options):
    return gca().imshow(*args, **options)


def xlim(*args, **options):
    return gca().set_xlim(*args, **options) if args or options else gca().get_xlim()


def ylim(*args, **options):
    return gca().set_ylim(*args, **options) if args or options else gca().get_ylim()


def xticks(ticks=None, labels=None, *, minor=False, **options):
    return _ticks("x", ticks, labels, minor, options)


def yticks(ticks=None, labels=None, *, minor=False, **options):
    return _ticks("y", ticks, labels, minor, options)


def _ticks(letter, ticks, labels, minor, options):
    ax = gca()
    if ticks is None and labels is not None:
        raise TypeError(f"{letter}ticks(): Parameter 'labels' can't be set without setting 'ticks'")
    if ticks is not None:
        ax._set_ticks(letter, ticks, labels, minor, options if labels is not None else {})
    if labels is None:
        ax._tick_look(letter, options)
    log = getattr(ax, f"_{letter}scale") == "log"
    return (None, None) if log else (ax._places(letter), ax._tick_texts(letter))


def subplot_mosaic(mosaic, figsize=None, **options):
    fig = figure(figsize=figsize)
    return fig, fig.subplot_mosaic(mosaic, **options)


def clim(vmin=None, vmax=None):
    if gcf()._mapped is None:
        raise RuntimeError("You must first define an image, e.g., with imshow")
    gcf()._mapped[1].set_clim(vmin, vmax)


def subplot2grid(shape, loc, rowspan=1, colspan=1, fig=None, **others):
    """Axes at a row and a column of a grid."""
    (row, column), grid = loc, GridSpec(*shape)
    return (fig or gcf()).add_subplot(grid[row:row + rowspan, column:column + colspan], **others)


def imsave(fname, arr, vmin=None, vmax=None, cmap=None, format=None, origin=None, **others):
    """Writes an array as a PNG file, with the colors of a map if it has one number for each pixel."""
    import numpy
    from PIL import Image

    if others:
        raise NotImplementedError(f"matplotlib: imsave({', '.join(others)}=)")
    arr = numpy.asarray(arr)
    if arr.ndim == 2:
        low = float(arr.min()) if vmin is None else float(vmin)
        high = float(arr.max()) if vmax is None else float(vmax)
        # The map has 256 colors.
        share = (arr.astype(float) - low) / (high - low) if high > low else numpy.zeros(arr.shape)
        at = numpy.clip((share * 256).astype(int), 0, 255)
        colors = numpy.array([[round(255 * v) for v in get_cmap(cmap)(k / 255)] for k in range(256)], dtype=numpy.uint8)
        arr = colors[at]
    elif arr.dtype.kind == "f":
        if float(arr.min()) < 0 or float(arr.max()) > 1:
            raise ValueError("Floating point image RGB values must be in the [0,1] range")
        arr = (arr * 255 + 0.5).astype(numpy.uint8)
    if (origin or rcParams["image.origin"]) == "lower":
        arr = arr[::-1]
    kind = format or (str(fname).rsplit(".", 1)[-1] if isinstance(fname, str) or hasattr(fname, "__fspath__") else "png")
    Image.fromarray(numpy.ascontiguousarray(arr)).save(fname, format=kind.upper())


def imread(fname, format=None):
    """The pixels of a PNG file, from 0 to 1."""
    import numpy
    from PIL import Image

    image = Image.open(fname)
    if image.mode == "P":
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
    return (numpy.asarray(image) / (65535 if image.mode.startswith("I") else 255)).astype(numpy.float32)


def box(on=None):
    gca().set_frame_on(bool(on))


def figtext(x, y, s, **options):
    return gcf().text(x, y, s, **options)


def suptitle(t, **options):
    return gcf().suptitle(t, **options)


def colorbar(mappable=None, cax=None, ax=None, **options):
    fig = gcf()
    if mappable is None:
        if fig._mapped is None:
            raise RuntimeError("No mappable was found to use for colorbar creation. First define a mappable such as an image "
                               "(with imshow) or a contour set (with contourf).")
        mappable = fig._mapped[1]
    return fig.colorbar(mappable, cax, ax, **options)


def tight_layout(**options):
    gcf().tight_layout(**options)


def subplots_adjust(*args, **options):
    gcf().subplots_adjust(*args, **options)


def savefig(fname, **options):
    gcf().savefig(fname, **options)


def show(*args, **options):
    """Shows every open figure and closes it."""
    for fig in list(_figures.values()):
        if fig._plots:
            fig.show()
    close("all")


def draw():
    """Figures are drawn when they are shown."""


def pause(interval):
    """There is nothing to wait for: figures are drawn when they are shown."""


_interactive = False


def _interact(on):
    """Remembered; a figure is drawn when it is shown."""
    from contextlib import ExitStack

    stack = ExitStack()
    stack.callback(globals().__setitem__, "_interactive", _interactive)
    globals()["_interactive"] = on
    return stack


def ion():
    return _interact(True)


def ioff():
    return _interact(False)


def get_figlabels():
    return [_figures[number].get_label() for number in get_fignums()]


def get_backend():
    return matplotlib.get_backend()


def isinteractive():
    return _interactive


def delaxes(ax=None):
    (ax or gca()).remove()


def clf():
    gcf().clf()


def close(fig=None):
    global _current
    if fig == "all":
        _figures.clear()
        _current = None
    else:
        fig = _current if fig is None else _figures.get(fig) if isinstance(fig, int) else fig
        for number, known in list(_figures.items()):
            if known is fig:
                del _figures[number]
        if fig is _current:
            _current = list(_figures.values())[-1] if _figures else None


def get_fignums():
    return sorted(_figures)


def fignum_exists(num):
    return num in _figures


def rc(group, **settings):
    matplotlib.rc(group, **settings)


def setp(obj, *args, **options):
    """Sets properties of one thing, or of each in a list."""
    if len(args) % 2:
        raise NotImplementedError("matplotlib.pyplot.setp, which lists properties")
    options = {**dict(zip(args[::2], args[1::2])), **options}
    several = isinstance(obj, (list, tuple, numpy.ndarray))
    return [getattr(one, f"set_{name}")(value) for one in (obj if several else [obj]) for name, value in options.items()]


def getp(obj, property=None):
    """A property of something that's drawn, by its name."""
    if property is None:
        raise NotImplementedError("matplotlib.pyplot.getp, which lists properties")
    return getattr(obj, f"get_{property}")()


get = getp


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    from matplotlib import _late

    if name in _late.LACKING:
        raise _late.lacking("matplotlib.pyplot", name)
    raise AttributeError(f"matplotlib.pyplot.{name} is not here")
