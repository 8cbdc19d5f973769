"""A narrow place beside axes, where a color scale is drawn."""

from matplotlib.figure import BarPlace


class AxesDivider:
    def __init__(self, axes):
        self._axes = axes

    def append_axes(self, position, size, pad=None, **options):
        if position not in ("left", "right", "top", "bottom"):
            raise ValueError(f"'{position}' is not a valid value for position; supported values are 'left', 'right', 'bottom', 'top'")
        return BarPlace(self._axes.figure)


def make_axes_locatable(axes):
    """Makes places beside `axes`, each for `colorbar(image, cax=place)`."""
    return AxesDivider(axes)
