"""Axes of three dimensions. Importing this is all that older programs do with it: `projection="3d"` works without it."""

from matplotlib._space import Axes3D

__all__ = ["Axes3D"]
