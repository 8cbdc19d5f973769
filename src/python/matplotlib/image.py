"""What `imshow` returns."""

from matplotlib._artists import AxesImage

__all__ = ["AxesImage"]
