"""Orders of memory, and what importing and seeding leave alone."""

import random

random.seed(1)

import numpy as np

np.random.RandomState()
np.random.default_rng()
print(random.random(), random.randrange(100))

a = np.arange(6).reshape(2, 3)
for code in (
    "np.ascontiguousarray(a) is a",
    "np.ascontiguousarray(a, dtype=a.dtype) is a",
    "np.ascontiguousarray(a, dtype=float) is a",
    "np.ascontiguousarray(a.T).strides",
    "np.ascontiguousarray(a.T, dtype=float).strides",
    "np.shares_memory(np.ascontiguousarray(a.T), a)",
    "np.shares_memory(np.ascontiguousarray(a[1:]), a)",
    "np.shares_memory(np.ascontiguousarray(a[:, ::2]), a)",
    "np.ascontiguousarray(a[:, 1]).strides",
    "np.ascontiguousarray([1, 2])",
    "np.ascontiguousarray(3.0).shape",
    "a.T.copy().strides",
    "a.T.copy('F').strides",
    "a.T.copy('K').strides",
    "a.T.copy(order='A').strides",
    "np.array(a.T).strides",
    "np.array(a.T, order='C').strides",
    "np.array(a, order='F').strides",
    "np.asarray(a.T, order='C').strides",
    "np.asarray(a, order='C') is a",
    "np.copy(a.T).strides",
    "np.copy(a.T, order='C').strides",
    "a.T.astype(float).strides",
):
    print(code, eval(code))
