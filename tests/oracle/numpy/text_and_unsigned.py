"""Arrays of text, and of the unsigned integers beyond 8 bits."""

import numpy as np

labels = np.array(["cat", "dog", "cat", "horse"])
print(repr(labels), labels, labels.dtype, labels.shape, labels.size, labels.ndim, labels.itemsize)
print(repr(labels[0]), labels[1], labels[-1] == "horse", isinstance(labels[0], str))
print(repr(labels[1:3]), repr(labels[np.array([3, 0])]), repr(labels[labels == "cat"]))
print(labels == "cat", labels != "cat", labels == np.array(["cat", "x", "cat", "y"]))
print(labels.tolist(), "dog" in labels, len(labels), [w.upper() for w in labels])
grid = np.array([["a", "bc"], ["d", "e"]])
print(repr(grid), grid)
print(repr(grid.T), repr(grid.reshape(-1)), repr(grid[0, 1]), grid.shape)
print(np.unique(labels), np.unique(labels, return_counts=True), np.unique(labels, return_inverse=True)[1])
print(np.array(["1.5", "2"]).astype(float), np.array(["7", "8"]).astype(int))
names = labels.copy()
names[0] = "elephants"
print(names, labels[0])
print(repr(np.array([f"word{i}" for i in range(14)])))
print(np.array("alone"), repr(np.array("alone")), np.array(["a", "b"], dtype=str).dtype)
for name in ["uint16", "uint32"]:
    a = np.array([1, 2, 70000 if name == "uint32" else 7000], dtype=name)
    print(repr(a), a.dtype, a.itemsize, a.nbytes, np.iinfo(name).min, np.iinfo(name).max)
    print(a + a, (a + 1).dtype, a * np.uint8(3), (a * np.uint8(3)).dtype, (a + np.int8(1)).dtype, (a + np.int64(1)).dtype)
    print((a / 2).dtype, (a + 0.5).dtype, a.astype(np.float32).dtype, a.max(), a.min(), a > 1, -a)
    print(a.astype("int64").sum(), np.zeros(2, name), a[::-1], a.dtype.kind, a.dtype.str, a.dtype == np.dtype(name))
print(np.uint16(65535) + np.uint16(0), np.array([65535], np.uint16) + np.array([1], np.uint16))
print((np.array([1], np.uint16) + np.array([1], np.int16)).dtype, (np.array([1], np.uint32) + np.array([1], np.int32)).dtype)
print((np.array([1], np.uint16) + np.array([1], np.uint32)).dtype, np.arange(3, dtype=np.uint16), np.ushort, np.uintc)
