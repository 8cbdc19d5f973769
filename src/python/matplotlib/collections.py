"""What `scatter`, `fill_between` and `pcolormesh` return."""

from matplotlib._artists import Band as FillBetweenPolyCollection, Points as PathCollection
from matplotlib._more import Mesh as QuadMesh

__all__ = ["FillBetweenPolyCollection", "PathCollection", "QuadMesh"]
