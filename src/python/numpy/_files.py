"""Arrays in files: `.npy`, `.npz` and text."""

import io
import os
import re
import struct
import zlib

import numpy as np
from numpy._array import asarray, ndarray
from numpy._making import frombuffer
from numpy._types import as_dtype
from numpy.lib import format as _format


def save(file, arr, allow_pickle=True):
    if hasattr(file, "write"):
        _format.write_array(file, np.asanyarray(arr), allow_pickle=allow_pickle)
        return
    file = os.fspath(file)
    with open(file if file.endswith(".npy") else file + ".npy", "wb") as out:
        _format.write_array(out, np.asanyarray(arr), allow_pickle=allow_pickle)


def _pack(members, compress):
    """A zip file of named bytes."""
    out, index = [], []
    at = 0
    for name, data in members:
        packed = data
        if compress:
            engine = zlib.compressobj(6, zlib.DEFLATED, -15)
            packed = engine.compress(data) + engine.flush()
        raw = name.encode()
        common = struct.pack("<HHHHHIIIHH", 20, 0x800, 8 if compress else 0, 0, 0x21, zlib.crc32(data), len(packed), len(data),
                             len(raw), 0)
        local = b"PK\x03\x04" + common + raw
        index.append(b"PK\x01\x02" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, at) + raw)
        out += [local, packed]
        at += len(local) + len(packed)
    directory = b"".join(index)
    return b"".join(out) + directory + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, len(index), len(index), len(directory), at, 0)


def _unpack(data):
    """The names of a zip file's members, and where each is: (method, offset, packed size)."""
    end = data.rfind(b"PK\x05\x06")
    if end < 0:
        raise ValueError("File is not a zip file")
    count, _, at = struct.unpack("<HII", data[end + 10:end + 20])
    members = {}
    for _ in range(count):
        method, = struct.unpack("<H", data[at + 10:at + 12])
        size, whole, name, extra, comment = struct.unpack("<IIHHH", data[at + 20:at + 34])
        offset, = struct.unpack("<I", data[at + 42:at + 46])
        members[data[at + 46:at + 46 + name].decode()] = method, offset, size
        at += 46 + name + extra + comment
    return members


def _savez(file, args, named, compress):
    for i, a in enumerate(args):
        if f"arr_{i}" in named:
            raise ValueError(f"Cannot use un-named variables and keyword arr_{i}")
        named[f"arr_{i}"] = a
    members = []
    for name, a in named.items():
        out = io.BytesIO()
        _format.write_array(out, np.asanyarray(a))
        members.append((name + ".npy", out.getvalue()))
    data = _pack(members, compress)
    if hasattr(file, "write"):
        file.write(data)
        return
    file = os.fspath(file)
    with open(file if file.endswith(".npz") else file + ".npz", "wb") as out:
        out.write(data)


def savez(file, *args, allow_pickle=True, **kwds):
    _savez(file, args, kwds, False)


def savez_compressed(file, *args, allow_pickle=True, **kwds):
    _savez(file, args, kwds, True)


class NpzFile:
    """The arrays of an `.npz` file by name. Each is decoded every time a program asks for it."""

    def __init__(self, data, allow_pickle, name):
        self._data, self._members, self._pickle, self._name = data, _unpack(data), allow_pickle, name
        self.files = [n.removesuffix(".npy") for n in self._members]

    def __getitem__(self, key):
        name = key if key in self._members else key + ".npy"
        if name not in self._members:
            raise KeyError(f"{key} is not a file in the archive")
        method, at, size = self._members[name]
        skipped, extra = struct.unpack("<HH", self._data[at + 26:at + 30])
        raw = self._data[at + 30 + skipped + extra:at + 30 + skipped + extra + size]
        raw = zlib.decompress(raw, -15) if method else raw
        return _format.read_array(io.BytesIO(raw), self._pickle) if raw[:6] == _format.MAGIC_PREFIX else raw

    def __contains__(self, key):
        return key in self.files or key in self._members

    def __iter__(self):
        return iter(self.files)

    def __len__(self):
        return len(self.files)

    def __repr__(self):
        shown = ", ".join(self.files[:5]) + ("..." if len(self.files) > 5 else "")
        return f"NpzFile {self._name!r} with keys: {shown}"

    def keys(self):
        return self.files

    def values(self):
        return [self[name] for name in self.files]

    def items(self):
        return [(name, self[name]) for name in self.files]

    def get(self, key, default=None):
        return self[key] if key in self else default

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass


def load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding="ASCII", *, max_header_size=10000):
    """Reads a file of `save` or `savez`. `mmap_mode` changes nothing: files can't be mapped into memory here."""
    if hasattr(file, "read"):
        data, name = file.read(), "object"
    else:
        name = os.fspath(file)
        with open(name, "rb") as opened:
            data = opened.read()
    if not data:
        raise EOFError("No data left in file")
    if data[:2] == b"PK":
        return NpzFile(data, allow_pickle, name)
    if data[:6] == _format.MAGIC_PREFIX:
        return _format.read_array(io.BytesIO(data), allow_pickle)
    if not allow_pickle:
        raise ValueError("This file contains pickled (object) data. If you trust the file you can load it unsafely using the "
                         "`allow_pickle=` keyword argument or `pickle.load()`.")
    import pickle
    return pickle.loads(data)


_MODES = {"readonly": "r", "copyonwrite": "c", "readwrite": "r+", "write": "w+"}


class memmap(ndarray):
    """A file's numbers, to read ("r") or to change in memory only ("c"). All of them are read when the array is made."""

    __module__ = "numpy"
    _called = "memmap("

    def __new__(cls, filename, dtype="uint8", mode="r+", offset=0, shape=None, order="C"):
        mode = _MODES.get(mode, mode)
        if mode not in _MODES.values():
            known = ["r", "c", "r+", "w+", *_MODES]
            raise ValueError(f"mode must be one of {known!r} (got {mode!r})")
        if mode in ("r+", "w+"):
            raise NotImplementedError(f"numpy.memmap with mode {mode!r}: files can't be written through an array here; tofile and save "
                                      "write them, and mode='r' or 'c' reads them")
        d = as_dtype(dtype)
        if hasattr(filename, "read"):
            filename.seek(offset)
            data = filename.read()
        else:
            with open(filename, "rb") as file:
                file.seek(offset)
                data = file.read()
        if shape is None:
            if len(data) % d.itemsize:
                raise ValueError("Size of available data is not a multiple of the data-type size.")
            shape = (len(data) // d.itemsize,)
        shape = (shape,) if isinstance(shape, int) or hasattr(shape, "__index__") else tuple(int(n) for n in shape)
        count = 1
        for n in shape:
            count *= n
        if count * d.itemsize > len(data):
            raise ValueError("mmap length is greater than file size")
        made = frombuffer(data[:count * d.itemsize], d).reshape(shape, order=order)
        made._writes = mode == "c"
        self = cls._over(made)
        self.filename = getattr(filename, "name", filename)
        self.filename = os.path.abspath(self.filename) if isinstance(self.filename, (str, os.PathLike)) else None
        self.mode, self.offset = mode, offset
        return self

    @classmethod
    def _over(cls, array, whole=None):
        self = object.__new__(cls)
        self.__dict__.update(array.__dict__)
        if whole is not None:
            self.filename, self.mode, self.offset = whole.filename, whole.mode, whole.offset
        return self

    def flush(self):
        """Does nothing, because changes are never written to the file."""

    def __getitem__(self, key):
        found = ndarray.__getitem__(self, key)
        return self._over(found, self) if isinstance(found, ndarray) and found._base is not None else found


def _as_map(name):
    method = getattr(ndarray, name)

    def call(self, *args, **options):
        return self._over(method(self, *args, **options), self)
    call.__name__ = name
    return call


for _name in ("astype", "copy", "reshape", "transpose", "swapaxes", "squeeze"):
    setattr(memmap, _name, _as_map(_name))


# ---- text ------------------------------------------------------------------------------------------------------------


def _lines(fname, encoding):
    if isinstance(fname, (str, os.PathLike)):
        if str(fname).endswith(".gz"):
            with open(fname, "rb") as opened:
                text = zlib.decompress(opened.read(), 31).decode("utf-8")
        else:
            with open(fname, encoding=None if encoding in (None, "bytes") else encoding) as opened:
                text = opened.read()
        return text.splitlines()
    return [line.decode("latin1") if isinstance(line, bytes) else line for line in fname]


def _fields(line, delimiter, quotechar=None):
    if quotechar is None or quotechar not in line:
        return [part.strip() for part in line.split(delimiter)] if delimiter is not None else line.split()
    fields, field, inside = [], "", False
    for c in line.rstrip("\r\n"):
        if c == quotechar:
            inside = not inside
        elif c == (delimiter or " ") and not inside:
            fields.append(field)
            field = ""
        else:
            field += c
    return [*fields, field]


def _number(text, d, row, column):
    try:
        if "_" in text:
            raise ValueError
        if d.kind in "iu":
            return int(text)
        if d.kind == "b":
            return bool(int(text))
        return complex(text) if d.kind == "c" else float(text)
    except ValueError:
        raise ValueError(f"could not convert string {text!r} to {d.name} at row {row}, column {column}.") from None


def _shaped(made, ndmin, unpack):
    if ndmin not in (0, 1, 2):
        raise ValueError(f"Illegal value of ndmin keyword: {ndmin}")
    if made.ndim > ndmin:
        made = np.squeeze(made)
    while made.ndim < ndmin:
        made = np.atleast_1d(made) if ndmin == 1 else np.atleast_2d(made).T
    return made.T if unpack else made


def loadtxt(fname, dtype=float, comments="#", delimiter=None, converters=None, skiprows=0, usecols=None, unpack=False, ndmin=0,
            encoding=None, max_rows=None, *, quotechar=None, like=None):
    d = as_dtype(dtype)
    marks = [] if comments is None else [comments] if isinstance(comments, str) else list(comments)
    columns = None if usecols is None else [usecols] if isinstance(usecols, int) else list(usecols)
    rows, width = [], None
    for line in _lines(fname, encoding)[skiprows:]:
        for mark in marks:
            line = line.split(mark, 1)[0]
        if not line.strip():
            continue
        if max_rows is not None and len(rows) >= max_rows:
            break
        fields = _fields(line, delimiter, quotechar)
        if columns is not None:
            for c in columns:
                if not -len(fields) <= c < len(fields):
                    raise ValueError(f"invalid column index {c} at row {len(rows) + 1} with {len(fields)} columns")
        if width is not None and len(fields) != width and columns is None:
            raise ValueError(f"the number of columns changed from {width} to {len(fields)} at row {len(rows) + 1}; use `usecols` "
                             "to select a subset and avoid this error")
        width = len(fields)
        places = range(len(fields)) if columns is None else columns
        row = []
        for place, c in enumerate(places):
            text = fields[c]
            convert = converters if callable(converters) else (converters or {}).get(c)
            row.append(convert(text) if convert else text if d.kind in "USO" else _number(text, d, len(rows), place + 1))
        rows.append(row)
    if not rows:
        import warnings
        warnings.warn(f'loadtxt: input contained no data: "{fname}"', UserWarning, stacklevel=2)
        return _shaped(np.zeros((0,), d), ndmin, unpack)
    return _shaped(np.array(rows, dtype=d), ndmin, unpack)


def genfromtxt(fname, dtype=float, comments="#", delimiter=None, skip_header=0, skip_footer=0, converters=None, missing_values=None,
               filling_values=None, usecols=None, names=None, autostrip=False, unpack=None, usemask=False, max_rows=None,
               encoding=None, ndmin=0, **others):
    if names or usemask or others or dtype is None:
        raise NotImplementedError("numpy.genfromtxt(names=, usemask=, dtype=None), which makes arrays of records")
    d = as_dtype(dtype)
    lines = _lines(fname, encoding)[skip_header:]
    lines = lines[:len(lines) - skip_footer] if skip_footer else lines
    gone = set([missing_values] if isinstance(missing_values, str) else missing_values or []) | {""}
    fill = (float("nan") if d.kind in "fc" else -1) if filling_values is None else filling_values
    columns = None if usecols is None else [usecols] if isinstance(usecols, int) else list(usecols)
    rows, wrong = [], []
    for number, line in enumerate(lines, skip_header + 1):
        line = line.split(comments, 1)[0] if comments else line
        if not line.strip():
            continue
        if max_rows is not None and len(rows) >= max_rows:
            break
        fields = _fields(line, delimiter)
        if columns is not None:
            fields = [fields[c] for c in columns]
        if rows and len(fields) != len(rows[0]):
            wrong.append(f"    Line #{number} (got {len(fields)} columns instead of {len(rows[0])})")
            continue
        row = []
        for c, text in enumerate(fields):
            convert = (converters or {}).get(c if columns is None else columns[c])
            if convert:
                row.append(convert(text))
            elif d.kind in "USO":
                row.append(text)
            elif text in gone:
                row.append(fill)
            else:
                try:
                    row.append(int(text) if d.kind in "iu" else complex(text) if d.kind == "c" else float(text))
                except ValueError:
                    row.append(fill)
        rows.append(row)
    if wrong:
        raise ValueError("Some errors were detected !\n" + "\n".join(wrong))
    made = np.array(rows, dtype=d) if rows else np.zeros(0, d)
    return _shaped(made, ndmin, bool(unpack))


def fromregex(file, regexp, dtype, encoding=None):
    text = "\n".join(_lines(file, encoding))
    return np.array(re.findall(regexp, text), dtype=dtype)


def savetxt(fname, X, fmt="%.18e", delimiter=" ", newline="\n", header="", footer="", comments="# ", encoding=None):
    X = asarray(X)
    if X.ndim not in (1, 2):
        raise ValueError(f"Expected 1D or 2D array, got {X.ndim}D array instead")
    rows = X.tolist() if X.ndim == 2 else [[v] for v in X.tolist()]
    width = X.shape[1] if X.ndim == 2 else 1
    if isinstance(fmt, (list, tuple)):
        if len(fmt) != width:
            raise AttributeError(f"fmt has wrong shape.  {fmt}")
        pattern = delimiter.join(fmt)
    elif fmt.count("%") == 1:
        one = f" ({fmt}+{fmt}j)" if X.dtype.kind == "c" else fmt
        pattern = delimiter.join([one] * width)
    else:
        pattern = fmt
    out = []
    if header:
        out.append(comments + header.replace("\n", "\n" + comments) + newline)
    for row in rows:
        values = tuple(part for v in row for part in (v.real, v.imag)) if X.dtype.kind == "c" else tuple(row)
        try:
            line = pattern % values
        except TypeError:
            raise TypeError(f"Mismatch between array dtype ('{X.dtype}') and format specifier ('{pattern}')") from None
        out.append((line.replace("+-", "-") if X.dtype.kind == "c" else line) + newline)
    if footer:
        out.append(comments + footer.replace("\n", "\n" + comments) + newline)
    text = "".join(out)
    if hasattr(fname, "write"):
        try:
            fname.write(text)
        except TypeError:
            fname.write(text.encode(encoding or "latin1"))
        return
    with open(fname, "w", encoding=encoding or "latin1") as file:
        file.write(text)
