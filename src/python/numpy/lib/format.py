"""The `.npy` format: a header in Python's own syntax, then the elements."""

import ast
import struct

import numpy as np

MAGIC_PREFIX = b"\x93NUMPY"


def write_array(fp, array, version=None, allow_pickle=True, pickle_kwargs=None):
    array = np.asanyarray(array)
    by_columns = array.flags.f_contiguous and not array.flags.c_contiguous
    header = {"descr": array.dtype.str, "fortran_order": by_columns, "shape": array.shape}
    text = "{" + "".join(f"'{k}': {header[k]!r}, " for k in sorted(header)) + "}"
    start = len(MAGIC_PREFIX) + 4
    # NumPy leaves room for a first axis to grow, and ends the header at a multiple of 64.
    shape = array.shape
    grows = 21 - len(repr(shape[-1 if by_columns else 0])) if shape else 0
    text += " " * grows
    text += " " * (64 - (start + len(text) + 1) % 64) + "\n"
    fp.write(MAGIC_PREFIX + b"\x01\x00" + struct.pack("<H", len(text)) + text.encode("latin1"))
    if array.dtype.kind == "O":
        if not allow_pickle:
            raise ValueError("Object arrays cannot be saved when allow_pickle=False")
        import pickle
        pickle.dump((array.ravel().tolist(), array.shape), fp, protocol=4)
    else:
        fp.write(array.tobytes("F" if by_columns else "C"))


def read_array(fp, allow_pickle=False, pickle_kwargs=None, *, max_header_size=10000):
    magic = fp.read(8)
    if magic[:6] != MAGIC_PREFIX:
        raise ValueError(f"the magic string is not correct; expected {MAGIC_PREFIX!r}, got {magic[:6]!r}")
    wide = magic[6] > 1
    size = struct.unpack("<I" if wide else "<H", fp.read(4 if wide else 2))[0]
    header = ast.literal_eval(fp.read(size).decode("utf-8" if magic[6] > 2 else "latin1"))
    shape, d = header["shape"], np.dtype(header["descr"])
    if d.kind == "O":
        if not allow_pickle:
            raise ValueError("Object arrays cannot be loaded when allow_pickle=False")
        import pickle
        found = pickle.load(fp)
        from numpy import _boxed
        return _boxed.of(found[0], found[1], d) if isinstance(found, tuple) else np.asarray(found, dtype=object)
    count = 1
    for n in shape:
        count *= n
    data = fp.read(count * d.itemsize)
    if len(data) != count * d.itemsize:
        raise ValueError(f"cannot reshape array of size {len(data) // d.itemsize} into shape {shape}")
    flat = np.frombuffer(data, d)
    flat = flat.copy() if flat._boxed is False else flat
    return flat.reshape(shape[::-1]).T if header["fortran_order"] else flat.reshape(shape)
