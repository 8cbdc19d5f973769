# Walking over arrays with np.nditer.
import numpy as np

a = np.arange(6.0).reshape(2, 3)
it = np.nditer(a, flags=["multi_index"], op_flags=["readwrite"])
while not it.finished:
    i = it.multi_index
    print(i, it[0], type(i), end="; ")
    it[0] = it[0] * 2
    it.iternext()
print(a)
for x in np.nditer(a):
    print(x, end=" ")
print()
for x in np.nditer(a.T):
    print(x, end=" ")
print()
for x in np.nditer(a.T, order="C"):
    print(x, end=" ")
print()
for x in np.nditer(a, order="F"):
    print(x, end=" ")
print()
with np.nditer(a, op_flags=["readwrite"]) as it:
    for x in it:
        x[...] = x + 1
print(a)
it = np.nditer(a, flags=["c_index"])
print([(float(x), it.index) for x in it])
it = np.nditer(a, flags=["multi_index"])
print([(float(x), it.multi_index) for x in it])
print(it.itersize, it.ndim)
print([(int(x), int(y)) for x, y in np.nditer([np.arange(3), np.arange(6).reshape(2, 3)])])
it = np.nditer(a, flags=["f_index"])
print(it.index, it.iternext(), it.index, it.value, it.iterindex)
it.reset()
print(it.index, it.finished, it[0])
try:
    for x in np.nditer(a):
        x[...] = 0
except ValueError as e:
    print("ValueError", e)
it = np.nditer(np.array([1, 2, 3]), flags=["multi_index"])
while not it.finished:
    print(it.multi_index, int(it[0]) + 1)
    it.iternext()
print(it.iternext())
