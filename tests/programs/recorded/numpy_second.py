"""Names of NumPy 1, arrays as numbers, arrays of lists and arrays: recorded with NumPy 2.4.6."""

import numpy as np


def told(call):
    try:
        print(repr(call()))
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)


for name in ("float_", "complex_", "NaN", "Inf", "NINF", "alltrue", "round_", "trapz", "product", "in1d", "int", "float", "bool8"):
    try:
        getattr(np, name)
    except AttributeError as error:
        print(error)

told(lambda: np.arange())
for array in (np.array(2.0), np.array([1.0]), np.array([[3]]), np.array([1.0, 2.0])):
    told(lambda: float(array))
    told(lambda: int(array))
told(lambda: [float(v) for v in np.ones(2)])

told(lambda: np.array([[1, 2], [3]], dtype=object))
told(lambda: np.array([np.zeros(2), np.zeros(3)], dtype=object))
told(lambda: [type(v).__name__ for v in np.array([np.zeros(2), np.zeros(3)], dtype=object)])
told(lambda: np.array([np.zeros(2), np.zeros(2)], dtype=object))
told(lambda: np.array([[1, 2], "ab", None, (3, 4)], dtype=object))
told(lambda: np.array([[[1], [2, 3]], [[4, 5], [6]]], dtype=object))
told(lambda: str(np.array([[1, 2], [3]], dtype=object)))
told(lambda: np.array([[1, 2], [3]]))
