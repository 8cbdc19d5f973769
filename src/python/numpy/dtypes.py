"""The classes of dtypes: `type(np.dtype("float64"))` is `Float64DType`."""

from numpy import _dates
from numpy._types import _CLASSES, sized

_dates.dtype_of("M"), _dates.dtype_of("m"), sized("U", 0), sized("S", 0)
__all__ = sorted(_CLASSES)
globals().update(_CLASSES)
