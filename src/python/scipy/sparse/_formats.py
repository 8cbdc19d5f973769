"""The formats of sparse matrices: compressed rows and columns, triples, rows as lists, a dictionary, and diagonals."""

import numpy as np

from ._base import Sparse, is_number, summed


def _checked_shape(shape):
    shape = tuple(int(n) for n in shape)
    if len(shape) != 2:
        raise NotImplementedError("scipy.sparse: only two dimensions are supported here")
    return shape


def _triples_of(given, shape, dtype):
    """The entries that an argument of a constructor describes, the shape and the dtype."""
    if isinstance(given, Sparse):
        row, column, data = given._triples()
        shape = shape or given.shape
    elif isinstance(given, tuple) and len(given) == 2 and not isinstance(given[1], (tuple, list)) and is_number(given[0]):
        shape = _checked_shape(given)
        row = column = np.zeros(0, np.int32)
        data = np.zeros(0, dtype or np.float64)
    elif isinstance(given, tuple) and len(given) == 2:
        data, (row, column) = given
        row, column, data = np.atleast_1d(np.asarray(row)), np.atleast_1d(np.asarray(column)), np.atleast_1d(np.asarray(data))
        if not len(row) == len(column) == len(data):
            raise ValueError("all index and data arrays must have the same length")
        if shape is None:
            if not len(row):
                raise ValueError("cannot infer dimensions from zero sized index arrays")
            shape = (int(row.max()) + 1, int(column.max()) + 1)
        for name, place, size in ((0, row, shape[0]), (1, column, shape[1])):
            if len(place) and int(place.max()) >= size:
                raise ValueError(f"axis {name} index {int(place.max())} exceeds matrix dimension {size}")
            if len(place) and int(place.min()) < 0:
                raise ValueError(f"negative axis {name} index: {int(place.min())}")
    else:
        table = np.asarray(given)
        if table.dtype == object:
            raise TypeError("no supported conversion for types: (dtype('O'),)")
        table = table if table.ndim else table.reshape(1, 1)
        if table.ndim > 2:
            raise TypeError("Expected array with dimension 1 or 2")
        table = table if table.ndim == 2 else table[None]
        row, column = np.nonzero(table)
        data, shape = table[row, column], shape or table.shape
    data = np.asarray(data)
    if data.dtype == np.float16:
        raise ValueError("scipy.sparse does not support dtype float16. The only supported types are: bool, int8, uint8, int16, uint16, "
                         "int32, uint32, int64, uint64, int64, uint64, float32, float64, float64, complex64, complex128, complex128.")
    return row.astype(np.int32), column.astype(np.int32), data if dtype is None else data.astype(dtype), _checked_shape(shape)


class _Compressed(Sparse):
    """Rows, or columns, one after the other: `indptr` says where each begins."""

    def __init__(self, arg1, shape=None, dtype=None, copy=False):
        if isinstance(arg1, tuple) and len(arg1) == 3:
            data, indices, indptr = (np.asarray(part) for part in arg1)
            if shape is None:
                lines, width = len(indptr) - 1, int(indices.max()) + 1 if len(indices) else 0
                shape = (lines, width) if self.format == "csr" else (width, lines)
            self.shape = _checked_shape(shape)
            self.data = data if dtype is None else data.astype(dtype)
            self.indices, self.indptr = indices.astype(np.int32), indptr.astype(np.int32)
            lines = self.shape[0 if self.format == "csr" else 1]
            if len(self.indptr) != lines + 1:
                raise ValueError(f"index pointer size {len(self.indptr)} should be {lines + 1}")
            return
        row, column, data, self.shape = _triples_of(arg1, shape, dtype)
        row, column, self.data = summed(row, column, data, self.shape, self.format == "csc")
        line, self.indices = (row, column) if self.format == "csr" else (column, row)
        lines = self.shape[0 if self.format == "csr" else 1]
        self.indptr = np.concatenate([[0], np.cumsum(np.bincount(line, minlength=lines))]).astype(np.int32)

    @property
    def dtype(self):
        return self.data.dtype

    has_sorted_indices = True
    has_canonical_format = True

    def _triples(self):
        line = np.repeat(np.arange(len(self.indptr) - 1, dtype=np.int32), np.diff(self.indptr))
        return (line, self.indices, self.data) if self.format == "csr" else (self.indices, line, self.data)

    def _with(self, data):
        made = type(self)((data, self.indices.copy(), self.indptr.copy()), shape=self.shape)
        return made

    def copy(self):
        return self._with(self.data.copy())

    def astype(self, dtype, casting="unsafe", copy=True):
        return self._with(self.data.astype(dtype))

    def transpose(self, axes=None, copy=False):
        if axes is not None and tuple(axes) != (1, 0):
            return Sparse.transpose(self, axes)
        from . import _formats
        other = ("csc" if self.format == "csr" else "csr") + ("_array" if self._is_array else "_matrix")
        return getattr(_formats, other)((self.data, self.indices, self.indptr), shape=self.shape[::-1])

    T = property(transpose)

    def _same(self, format):
        return self if self.format == format else self._like(format, self._triples())

    def tocsr(self, copy=False):
        return self.copy() if copy and self.format == "csr" else self._same("csr")

    def tocsc(self, copy=False):
        return self.copy() if copy and self.format == "csc" else self._same("csc")

    def sum_duplicates(self):
        made = type(self)(((t := self._triples())[2], t[:2]), shape=self.shape)
        self.data, self.indices, self.indptr = made.data, made.indices, made.indptr

    def sort_indices(self):
        self.sum_duplicates()

    def eliminate_zeros(self):
        row, column, data = self._triples()
        kept = data != 0
        made = type(self)((data[kept], (row[kept], column[kept])), shape=self.shape)
        self.data, self.indices, self.indptr = made.data, made.indices, made.indptr

    def __getitem__(self, at):
        row, column = at if isinstance(at, tuple) else (at, slice(None))
        row, column = (part.nonzero()[0] if isinstance(part, np.ndarray) and part.dtype == bool else part for part in (row, column))
        if isinstance(row, Sparse):
            table = self.toarray()[row.toarray().astype(bool)]
            return table if self._is_array else np.asmatrix(table)
        if is_number(row) and is_number(column):
            i, j = (self._place(p, n) for p, n in zip((row, column), self.shape))
            r, c, data = self._triples()
            return data[(r == i) & (c == j)].sum().astype(self.dtype) if len(data) else self.dtype.type(0)
        both = not isinstance(row, slice) and not isinstance(column, slice) and not is_number(row) and not is_number(column)
        if both and np.ndim(row) == 1 and np.ndim(column) == 1:
            found = self.toarray()[np.asarray(row), np.asarray(column)]
            return found if self._is_array else np.asmatrix(found)
        rows, columns = (np.array([self._place(part, n)]) if is_number(part) else
                         np.arange(n)[part if isinstance(part, slice) else np.asarray(part).ravel()]
                         for part, n in zip((row, column), self.shape))
        if self._is_array and (is_number(row) or is_number(column)):
            raise NotImplementedError("scipy.sparse: arrays of one dimension aren't supported here; index with a list, such as A[[0]]")
        made = self._taken(rows, 0)
        return made if isinstance(column, slice) and column == slice(None) else made._taken(columns, 1)

    @staticmethod
    def _place(i, n):
        if not -n <= i < n:
            raise IndexError(f"index ({i}) out of range")
        return int(i) % n

    def _taken(self, places, axis):
        """The rows or columns of these numbers, in this order."""
        triples = self._triples()
        line, other, data = triples[axis], triples[1 - axis], triples[2]
        order = np.argsort(line, kind="stable")
        count = np.bincount(line, minlength=self.shape[axis])
        starts = np.cumsum(count) - count
        count = count[places]
        ends = np.cumsum(count)
        at = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - count, count) + np.repeat(starts[places], count)
        at = order[at]
        found = np.repeat(np.arange(len(places)), count)
        row, column = (found, other[at]) if axis == 0 else (other[at], found)
        shape = (len(places), self.shape[1]) if axis == 0 else (self.shape[0], len(places))
        return self._like(self.format, (row, column, data[at]), shape)

    def __setitem__(self, at, value):
        entries = self.todok()
        before = entries.nnz
        entries[at] = value
        if entries.nnz != before:
            import warnings
            warnings.warn(f"Changing the sparsity structure of a {self.format}_{'array' if self._is_array else 'matrix'} is expensive. "
                          "lil and dok are more efficient.", SparseEfficiencyWarning, stacklevel=2)
        made = type(self)(entries)
        self.data, self.indices, self.indptr = made.data.astype(self.dtype), made.indices, made.indptr

    def setdiag(self, values, k=0):
        entries = self.todok()
        size = min(self.shape[0] + min(k, 0), self.shape[1] - max(k, 0))
        for i, value in enumerate(np.broadcast_to(np.asarray(values), (size,)).tolist()):
            entries[i - min(k, 0), i + max(k, 0)] = value
        made = type(self)(entries)
        self.data, self.indices, self.indptr = made.data.astype(self.dtype), made.indices, made.indptr


class _Coo(Sparse):
    format = "coo"

    def __init__(self, arg1, shape=None, dtype=None, copy=False):
        self.row, self.col, self.data, self.shape = _triples_of(arg1, shape, dtype)

    @property
    def dtype(self):
        return self.data.dtype

    @property
    def coords(self):
        return self.row, self.col

    def _triples(self):
        return self.row, self.col, self.data

    def tocoo(self, copy=False):
        return self.copy() if copy else self

    def sum_duplicates(self):
        self.row, self.col, self.data = summed(self.row, self.col, self.data, self.shape)

    def eliminate_zeros(self):
        kept = self.data != 0
        self.row, self.col, self.data = self.row[kept], self.col[kept], self.data[kept]


class _Entries(Sparse):
    """The formats that are made for assigning: a dictionary of places."""

    def __init__(self, arg1, shape=None, dtype=None, copy=False):
        row, column, data, self.shape = _triples_of(arg1, shape, dtype)
        row, column, data = summed(row, column, data, self.shape)
        self.dtype = data.dtype
        self._kept = dict(zip(zip(row.tolist(), column.tolist()), data))

    def _triples(self):
        places = sorted(self._kept) if self.format == "lil" else list(self._kept)
        place = np.array(places, dtype=np.int32).reshape(-1, 2)
        return place[:, 0], place[:, 1], np.array([self._kept[p] for p in places], dtype=self.dtype)

    def _lines(self, part, n):
        if is_number(part):
            if not -n <= part < n:
                raise IndexError(f"index ({part}) out of range")
            return [int(part) % n]
        return np.arange(n)[part if isinstance(part, slice) else np.asarray(part)].tolist()

    def __getitem__(self, at):
        if isinstance(at, tuple) and len(at) == 2 and is_number(at[0]) and is_number(at[1]):
            place = tuple(self._lines(part, n)[0] for part, n in zip(at, self.shape))
            return self._kept.get(place, self.dtype.type(0))
        return self.tocsr()[at].asformat(self.format)

    def __setitem__(self, at, value):
        row, column = at if isinstance(at, tuple) else (at, slice(None))
        rows, columns = self._lines(row, self.shape[0]), self._lines(column, self.shape[1])
        value = value.toarray() if isinstance(value, Sparse) else np.asarray(value)
        lists = not any(isinstance(part, slice) or is_number(part) for part in (row, column))
        if lists:
            places = list(zip(rows, columns)) if len(rows) == len(columns) else [(r, c) for r in rows for c in columns]
            values = np.broadcast_to(value, (len(places),))
        else:
            places = [(r, c) for r in rows for c in columns]
            values = np.broadcast_to(value, (len(rows), len(columns))).ravel()
        for place, one in zip(places, values.astype(self.dtype)):
            if one == 0:
                self._kept.pop(place, None)
            else:
                self._kept[place] = one

    def setdiag(self, values, k=0):
        _Compressed.setdiag(self, values, k)


class _Lil(_Entries):
    format = "lil"

    def tolil(self, copy=False):
        return self.copy() if copy else self

    def setdiag(self, values, k=0):
        size = min(self.shape[0] + min(k, 0), self.shape[1] - max(k, 0))
        for i, value in enumerate(np.broadcast_to(np.asarray(values), (size,)).tolist()):
            self[i - min(k, 0), i + max(k, 0)] = value

    @property
    def rows(self):
        made = np.empty(self.shape[0], dtype=object)
        made[:] = [[c for r, c in sorted(self._kept) if r == i] for i in range(self.shape[0])]
        return made


class _Dok(_Entries):
    format = "dok"
    setdiag = _Lil.setdiag

    def todok(self, copy=False):
        return self.copy() if copy else self

    def keys(self):
        return self._kept.keys()

    def values(self):
        return self._kept.values()

    def items(self):
        return self._kept.items()

    def get(self, key, default=0.0):
        return self._kept.get(key, default)

    def __contains__(self, key):
        return key in self._kept


class _Dia(Sparse):
    """Diagonals, each as long as a row; `offsets` says how far right of the main one each is."""

    format = "dia"

    def __init__(self, arg1, shape=None, dtype=None, copy=False):
        if isinstance(arg1, tuple) and len(arg1) == 2 and shape is not None and not isinstance(arg1[1], tuple):
            data, offsets = np.atleast_2d(np.asarray(arg1[0])), np.atleast_1d(np.asarray(arg1[1]))
            self.data, self.offsets, self.shape = data if dtype is None else data.astype(dtype), offsets.astype(np.int32), \
                _checked_shape(shape)
            return
        row, column, data, self.shape = _triples_of(arg1, shape, dtype)
        row, column, data = summed(row, column, data, self.shape)
        self.offsets, which = np.unique(column - row, return_inverse=True)
        self.offsets = self.offsets.astype(np.int32)
        self.data = np.zeros((len(self.offsets), int(column.max()) + 1 if len(column) else 0), dtype=data.dtype)
        self.data[which, column] = data

    @property
    def dtype(self):
        return self.data.dtype

    def getnnz(self, axis=None):
        if axis is not None:
            return Sparse.getnnz(self, axis)
        rows, columns = self.shape
        return sum(max(0, min(rows + min(k, 0), min(columns, self.data.shape[1]) - max(k, 0))) for k in self.offsets.tolist())

    def _triples(self):
        width = min(self.data.shape[1], self.shape[1])
        which, column = np.nonzero(self.data[:, :width])
        row = column - self.offsets[which]
        kept = (row >= 0) & (row < self.shape[0])
        return row[kept].astype(np.int32), column[kept].astype(np.int32), self.data[which, column][kept]

    def todia(self, copy=False):
        return self.copy() if copy else self


class SparseWarning(Warning):
    pass


class SparseEfficiencyWarning(SparseWarning):
    pass


class spmatrix:
    """The family whose `*` is the matrix product."""


class sparray:
    """The family that computes as arrays do."""

    _is_array = True


def _family(base, name, format):
    for end, family in (("matrix", spmatrix), ("array", sparray)):
        made = type(f"{name}_{end}", (family, base), {"format": format, "__module__": "scipy.sparse"})
        globals()[made.__name__] = made


for _base, _format in ((_Compressed, "csr"), (_Compressed, "csc"), (_Coo, "coo"), (_Lil, "lil"), (_Dok, "dok"), (_Dia, "dia")):
    _family(_base, _format, _format)
