"""Names for annotations."""

from typing import Any as ArrayLike
from typing import Any as DTypeLike

from numpy import ndarray


class NDArray:
    def __class_getitem__(cls, item):
        return ndarray
