"""What `imshow` returns."""

from matplotlib import _artists
from matplotlib._more import ContourSet, Mesh
from matplotlib._options import Counting, known_as


@known_as("AxesImage", "image")
class AxesImage(metaclass=Counting):
    counted = _artists.AxesImage
    uncounted = Mesh, ContourSet

    def __init__(self, *args, **others):
        raise NotImplementedError("matplotlib: AxesImage(): imshow makes one")
