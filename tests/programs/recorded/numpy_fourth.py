"""NumPy: numbers whose first byte is the highest, files read in parts, vectorize with a signature. Recorded with NumPy 2.4.6."""

import numpy as np, struct, io, os
raw = struct.pack(">IIII", 2051, 2, 2, 2) + bytes(range(8))
print(np.frombuffer(raw, dtype=">i4", count=4).tolist(), repr(np.dtype(">i4")), np.dtype(">i4"), np.dtype(np.uint32).newbyteorder(">"), np.frombuffer(raw, np.dtype(np.uint32).newbyteorder(">"), 4)[1])
print(np.dtype("<i4"), np.dtype(">f4").newbyteorder(), np.dtype(">i4").itemsize, np.dtype(">i4").byteorder, np.dtype(">u1"), np.dtype(">i4") == np.dtype("i4"), np.dtype(">i4") == ">i4", np.dtype(">i4").kind, np.dtype(">i4").name)
print(np.frombuffer(struct.pack(">dd", 1.5, -2), ">f8").tolist(), np.frombuffer(raw, ">u2", 3, 2).astype(int))
with open("numbers.bin", "wb") as f:
    f.write(raw)
with open("numbers.bin","rb") as f:
    magic, n, r, c = np.fromfile(f, dtype=">i4", count=4).tolist()
    print(magic, n, r, c, np.fromfile(f, dtype=np.uint8).reshape(n, r, c).tolist(), np.fromfile(f, np.uint8).shape)
print(np.fromfile("numbers.bin", np.uint8, 3, offset=3).tolist(), np.fromfile("numbers.bin", ">u4", offset=4)[:2].tolist())
os.remove("numbers.bin")
print(np.vectorize(np.mean, signature="(n)->()")([[1,2],[3,5]]), np.vectorize(np.dot, signature="(m,n),(n)->(m)")(np.ones((3,2,2)), [1,2]), np.vectorize(lambda a: (a.sum(), a*2), signature="(n)->(),(n)")([[1,2],[3,5]]))
for f in (lambda: np.vectorize(np.dot, signature="(n),(n)->()")([1,2],[1,2,3]), lambda: np.vectorize(np.mean, signature="(n,m)->()")([1])):
    try: f()
    except (ValueError, TypeError) as e: print(e)
with np.printoptions(sign="+", floatmode="fixed", precision=2): print(np.array([1e-10, np.nan, -2, np.inf]))
with np.printoptions(sign=" "): print(np.array([1.5, np.nan])); print(np.array([np.nan, 1.0, -1]))
with np.printoptions(sign="+"): print(np.array([np.nan, 1.0])); print(np.array([np.inf, 1.0]))
