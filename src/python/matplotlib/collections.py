"""What `scatter`, `fill_between`, `pcolormesh` and `hlines` return."""

from matplotlib._artists import Band as FillBetweenPolyCollection, Points as PathCollection
from matplotlib._grouped import LineCollection
from matplotlib._more import Mesh as QuadMesh

__all__ = ["FillBetweenPolyCollection", "LineCollection", "PathCollection", "QuadMesh"]


def __getattr__(name):
    if name in ("Collection", "PolyCollection", "PatchCollection", "CircleCollection", "EllipseCollection", "EventCollection", "RegularPolyCollection",
                "StarPolygonCollection", "TriMesh", "AsteriskPolygonCollection", "PolyQuadMesh", "QuadContourSet"):
        raise NotImplementedError(f"matplotlib.collections.{name} isn't here")
    raise AttributeError(f"module 'matplotlib.collections' has no attribute '{name}'")
