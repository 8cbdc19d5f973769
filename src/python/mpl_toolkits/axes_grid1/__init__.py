"""Places beside axes, and grids of images."""

from .axes_divider import make_axes_locatable
from .axes_grid import AxesGrid, ImageGrid
