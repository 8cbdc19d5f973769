# Ranges and other sequences as indices.
import numpy as np
import pandas as pd

p = np.arange(12).reshape(4, 3)
y = np.array([2, 0, 1, 1])
print(p[range(4), y], p[range(2)], p[:, range(1, 3)], p[range(0)].shape)
p[range(4), y] = -1
p[range(2), 0] += 10
print(p, p[pd.Series([0, 3])], p[pd.Series([True, False, False, True])])
a = np.zeros((2, 3, 2))
print(a[:, range(2), 0].shape, a[range(2), :, range(2)].shape)
try:
    p["a"]
except IndexError as e:
    print(e)
