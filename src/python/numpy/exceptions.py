"""What NumPy raises beside Python's own."""

from numpy._array import AxisError


class ComplexWarning(RuntimeWarning):
    pass


class VisibleDeprecationWarning(UserWarning):
    pass
