"""Lines, for plots and as samples in a legend."""

import matplotlib
from matplotlib import _artists
from matplotlib._options import Counting
from matplotlib.colors import to_hex


class Line2D(_artists.Line2D, metaclass=Counting):
    counted = _artists.Line2D, _artists.Rule

    def __init__(self, xdata, ydata, *, linewidth=None, linestyle=None, color=None, marker=None, markersize=None, label=None,
                 alpha=None, lw=None, ls=None, c=None, ms=None, markerfacecolor=None, **others):
        if others:
            raise NotImplementedError(f"matplotlib: Line2D({', '.join(others)}=)")
        given = matplotlib.rcParams
        ink = color if color is not None else c if c is not None else markerfacecolor
        super().__init__(_artists.values(xdata), _artists.values(ydata), to_hex("C0" if ink is None else ink),
                         linewidth or lw or given["lines.linewidth"], linestyle or ls or "-", marker,
                         markersize or ms or given["lines.markersize"], label, alpha)
