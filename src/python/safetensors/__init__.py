"""The safetensors file format: a header that says where each tensor is, and their bytes."""

import os

import _torch


class SafetensorError(Exception):
    """A file that is damaged or whose header is false."""


def _read(data):
    try:
        return _torch._safetensors_read(bytes(data))
    except ValueError as error:
        raise SafetensorError(str(error)) from None


def _write(rows, metadata):
    for key, value in (metadata or {}).items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise SafetensorError(f"metadata must be a dictionary of text, not {key!r}: {value!r}")
    try:
        return _torch._safetensors_write(rows, metadata)
    except ValueError as error:
        raise SafetensorError(str(error)) from None


def deserialize(bytes):
    """Each tensor's name, with its dtype's name in the file, its shape and its data."""
    _, rows = _read(bytes)
    return [(name, {"dtype": _NAMES[dtype], "shape": list(shape), "data": data}) for name, dtype, shape, data in rows]


_NAMES = {
    _torch.bool: "BOOL", _torch.uint8: "U8", _torch.int8: "I8", _torch.int16: "I16", _torch.int32: "I32",
    _torch.int64: "I64", _torch.float16: "F16", _torch.bfloat16: "BF16", _torch.float32: "F32", _torch.float64: "F64",
}


class safe_open:
    """A file whose tensors are made when they're accessed."""

    def __init__(self, filename, framework, device="cpu"):
        if framework not in ("pt", "torch", "pytorch"):
            raise NotImplementedError(f"safetensors.safe_open(framework={framework!r})")
        if not os.path.exists(filename):
            raise FileNotFoundError(f"No such file or directory: \"{os.fspath(filename)}\"")
        with open(filename, "rb") as file:
            self._metadata, rows = _read(file.read())
        self._rows = {name: row for name, *row in rows}
        self._device = device

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self._rows = None

    def _open(self):
        if self._rows is None:
            raise SafetensorError("File is closed")
        return self._rows

    def keys(self):
        return sorted(self._open())

    def offset_keys(self):
        return list(self._open())

    def metadata(self):
        self._open()
        return self._metadata

    def get_tensor(self, name):
        if name not in self._open():
            raise SafetensorError(f"File does not contain tensor {name}")
        return _tensor(*self._rows[name], self._device)

    def get_slice(self, name):
        return _Slice(*self._open()[name], self._device)


class _Slice:
    """A tensor in a file, of which a part may be read."""

    def __init__(self, dtype, shape, data, device):
        self._row = dtype, shape, data, device

    def get_shape(self):
        return list(self._row[1])

    def get_dtype(self):
        return _NAMES[self._row[0]]

    def __getitem__(self, index):
        *row, device = self._row
        return _tensor(*row, "cpu")[index].contiguous().to(device)


def _tensor(dtype, shape, data, device):
    flat = _torch._storage_move(_torch._storage_from(data, dtype), device)
    return _torch._storage_view(flat, 0, shape, _strides(shape))


def _strides(shape):
    strides = [1] if shape else []
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * max(size, 1))
    return strides


__version__ = "0.7.0"
__all__ = ["SafetensorError", "deserialize", "safe_open"]
