"""The matrix that text and one-hot columns come in. scikit-learn's keeps only what isn't zero; this one keeps all and looks the same."""

import numpy as np


class csr_matrix:
    """A table that says of itself that it is sparse."""

    __array_priority__ = 20
    format = "csr"

    def __init__(self, table, rank=None):
        self._table = np.asarray(table)
        # The order of a row's entries when printed: that of the columns, unless they were counted in another one.
        self._rank = rank

    shape = property(lambda self: self._table.shape)
    dtype = property(lambda self: self._table.dtype)
    ndim = 2
    nnz = property(lambda self: int(np.count_nonzero(self._table)))
    data = property(lambda self: self._table[self._table != 0])
    T = property(lambda self: csr_matrix(self._table.T))

    def __array__(self, dtype=None, copy=None):
        return self._table if dtype is None else self._table.astype(dtype)

    def toarray(self):
        return self._table.copy()

    todense = toarray

    def tocsr(self):
        return self

    def astype(self, dtype):
        return csr_matrix(self._table.astype(dtype))

    def nonzero(self):
        return np.nonzero(self._table)

    def sum(self, axis=None):
        found = self._table.sum(axis=axis)
        return found if axis is None else np.expand_dims(found, axis)

    def mean(self, axis=None):
        found = self._table.mean(axis=axis)
        return found if axis is None else np.expand_dims(found, axis)

    def __len__(self):
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def getnnz(self):
        return self.nnz

    def __getitem__(self, at):
        found = self._table[at]
        whole = not isinstance(at, tuple) or len(at) == 1 or isinstance(at[1], slice) and at[1] == slice(None)
        return csr_matrix(np.atleast_2d(found), self._rank if whole else None) if isinstance(found, np.ndarray) else found

    def __iter__(self):
        return (self[i] for i in range(self.shape[0]))

    def __matmul__(self, other):
        if isinstance(other, csr_matrix):
            return csr_matrix(self._table @ other._table)
        return self._table @ np.asarray(other)

    dot = __matmul__

    def __repr__(self):
        return (f"<Compressed Sparse Row sparse matrix of dtype '{self.dtype}'\n\twith {self.nnz} stored elements and shape "
                f"{self.shape}>")

    def __str__(self):
        rows, columns = np.nonzero(self._table)
        if self._rank is not None:
            order = np.lexsort((self._rank[columns], rows))
            rows, columns = rows[order], columns[order]
        lines = [f"  ({r}, {c})\t{self._table[r, c]}" for r, c in zip(rows.tolist(), columns.tolist())]
        if len(lines) > 50:
            lines = [*lines[:25], "  :\t:", *lines[-25:]]
        return "\n".join([repr(self), *(["  Coords\tValues"] if lines else []), *lines])
