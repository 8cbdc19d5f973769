"""The module that defines Axes3D in matplotlib."""

from matplotlib._space import Axes3D
