"""Copies that aren't allowed, sorts by name, and memory read as another dtype: recorded with NumPy 2.4.6."""

import numpy as np


def told(call):
    try:
        print(call())
    except (FloatingPointError, KeyError, TypeError, ValueError) as error:
        print(type(error).__name__, error)


x = np.arange(6)
told(lambda: np.array([1, 2], copy=False))
told(lambda: np.array(x, copy=False, dtype=float))
told(lambda: np.asarray([1], copy=False))
told(lambda: np.asarray(x, dtype=np.int32, copy=False))
told(lambda: np.shares_memory(np.array(x, copy=False), x))
told(lambda: np.array(x, copy=None).tolist())
told(lambda: np.asarray([1, 2], copy=None))

for kind in ("quick", "Q", "heapsort", "mergesort", "stable", "foo", "hello", "zz"):
    told(lambda: (np.sort([2, 1], kind=kind), np.argsort([2, 1], kind=kind)))
told(lambda: x.sort(kind="foo"))
told(lambda: x.argsort(kind="stable"))

told(lambda: x.view(np.int32))
told(lambda: x.view(np.uint8).shape)
told(lambda: np.arange(8, dtype=np.uint8).view(np.int32))
told(lambda: np.arange(6, dtype=np.uint8).view(np.int32))
told(lambda: np.arange(4, dtype=np.float32).view(np.int32))
told(lambda: np.array([1.5, -2.0]).view(np.int64))
told(lambda: np.array([True, False]).view(np.int8))
told(lambda: np.array([[1, 2], [3, 4]]).T.view(np.int32))
told(lambda: np.array([-1, 2], dtype=np.int16).view(np.uint16))
words = np.zeros(2)
words.view(np.int64)[:] = [1, 4607182418800017408]
print(words)

told(lambda: x.reshape(4, -1))
told(lambda: np.reshape(x, (-1, 4)))
told(lambda: np.random.choice(3, p=[0.2, 0.2, 0.2]))
told(lambda: np.random.default_rng(0).choice(3, p=[0.2, 0.2, 0.2]))
