"""What `bar`, `stem` and `errorbar` return."""

from matplotlib._artists import Boxes as BarContainer
from matplotlib.axes import ErrorbarContainer, StemContainer

__all__ = ["BarContainer", "ErrorbarContainer", "StemContainer"]
