"""Axes inside of axes, placed by a corner."""

from matplotlib._more import undrawn
from matplotlib.figure import place_of

_PLACES = {"upper right": 1, "upper left": 2, "lower left": 3, "lower right": 4, "right": 5, "center left": 6, "center right": 7,
           "lower center": 8, "upper center": 9, "center": 10}
# For each place, the shares of the free space on the left and below.
_FREE = {1: (1, 1), 2: (0, 1), 3: (0, 0), 4: (1, 0), 5: (1, 0.5), 6: (0, 0.5), 7: (1, 0.5), 8: (0.5, 0), 9: (0.5, 1), 10: (0.5, 0.5)}


def inset_axes(parent_axes, width, height, loc="upper right", bbox_to_anchor=None, bbox_transform=None, axes_class=None,
               axes_kwargs=None, borderpad=0.5):
    """Axes in a corner: width and height are inches, or a share of the axes such as "30%"."""
    if bbox_to_anchor is not None or axes_class is not None:
        raise NotImplementedError("mpl_toolkits.axes_grid1.inset_locator.inset_axes(bbox_to_anchor=, axes_class=)")
    _, _, wide, tall = place_of(parent_axes)
    inches = [share * size for share, size in zip((wide, tall), parent_axes.figure.figsize)]
    sizes = [float(v[:-1]) / 100 if isinstance(v, str) else v / inch for v, inch in zip((width, height), inches)]
    pads = [borderpad * 10 / 72 / inch for inch in inches]
    free = _FREE[_PLACES[loc] if isinstance(loc, str) else loc]
    starts = [pad + (1 - size - 2 * pad) * share for pad, size, share in zip(pads, sizes, free)]
    return parent_axes.inset_axes([*starts, *sizes], **(axes_kwargs or {}))


def mark_inset(parent_axes, inset_axes, loc1, loc2, **options):
    undrawn("the lines from a part of a plot to its inset (mark_inset)")
    return parent_axes.indicate_inset_zoom(inset_axes, edgecolor=options.get("ec", options.get("edgecolor", "0.5")))


def zoomed_inset_axes(*args, **options):
    raise NotImplementedError("mpl_toolkits.axes_grid1.inset_locator.zoomed_inset_axes: inset_axes with limits shows a part of a plot")
