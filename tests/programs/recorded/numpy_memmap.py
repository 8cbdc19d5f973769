"""Files as arrays: `numpy.memmap` to read, recorded with NumPy 2.4.6."""

import os
import tempfile

import numpy as np
import torch

folder = tempfile.mkdtemp()
path = os.path.join(folder, "m.bin")
np.arange(6, dtype=np.uint16).tofile(path)
m = np.memmap(path, dtype=np.uint16, mode="r")


def told(call):
    try:
        print(repr(call()))
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
    except OSError as error:
        print(type(error).__name__, error.strerror)


def changed():
    c = np.memmap(path, np.uint16, "c")
    c[0] = 9
    return c, np.fromfile(path, np.uint16)


for call in (
    lambda: m, lambda: m.shape, lambda: m[1:3], lambda: m[2], lambda: m[1:3].astype(np.int64), lambda: np.array(m),
    lambda: np.asarray(m[:2]),
    lambda: m + 1, lambda: int(m.sum()), lambda: m.mode, lambda: os.path.basename(m.filename), lambda: m.offset, lambda: m.dtype,
    lambda: len(m), lambda: isinstance(m, np.ndarray), lambda: isinstance(m[1:3], np.memmap), lambda: type(m[2]).__name__,
    lambda: m.flags.writeable, lambda: m.__setitem__(0, 1), lambda: m.reshape(2, 3), lambda: np.memmap(path, np.uint16, "r", 4, (2,)),
    lambda: np.memmap(path, np.uint16, "r", shape=(2, 3)), lambda: np.memmap(path, np.int32, "r", 0, 3),
    lambda: np.memmap(path, np.float64, "r"), lambda: np.memmap(path + "nosuch", "u1", "r"), lambda: np.memmap(path, np.uint16, "z"),
    lambda: np.memmap(path, np.uint16, "r", shape=(99,)), changed, lambda: torch.from_numpy(m[1:3].astype(np.int64)),
    lambda: m.tolist(), lambda: m.flush(), lambda: m.T, lambda: m[None, :2], lambda: m[[0, 1]], lambda: m[m > 3], lambda: m.copy(),
    lambda: str(m), lambda: m == m, lambda: m.max(), lambda: np.memmap(path, mode="r"), lambda: np.memmap.__name__,
    lambda: np.concatenate([m, m])[:2], lambda: [int(v) for v in m],
):
    told(call)
data, block = m, 3
starts = torch.tensor([0, 2, 1])
print(torch.stack([torch.from_numpy(data[i:i + block].astype(np.int64)) for i in starts]))
