"""What `bar`, `stem` and `errorbar` return."""

import numpy

from matplotlib._artists import Boxes as BarContainer

__all__ = ["BarContainer", "ErrorbarContainer", "PieContainer", "StemContainer"]


def _of_artists(self):
    return f"<{type(self).__name__} object of {len(self)} artists>"


class StemContainer(tuple):
    """What `stem` returns: the heads, the stems and the base line."""

    __repr__ = _of_artists
    markerline = property(lambda self: self[0])
    stemlines = property(lambda self: self[1])
    baseline = property(lambda self: self[2])


class ErrorbarContainer(tuple):
    """What `errorbar` returns: the line, the ends of the bars, which aren't drawn, and the bars."""

    __repr__ = _of_artists
    lines = property(tuple)
    has_xerr = has_yerr = True


class PieContainer:
    """What `pie` returns: the wedges, their texts and the numbers that they show."""

    def __init__(self, wedges, labels, shares, values, fractions):
        self.wedges, self.texts = wedges, [labels] if shares is None else [labels, shares]
        self.values, self.fracs = numpy.asarray(values), numpy.array(fractions)

    def __iter__(self):
        return iter((self.wedges, *self.texts))

    def __getitem__(self, key):
        return tuple(self)[key]
