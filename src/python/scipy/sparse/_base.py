"""What sparse matrices of every format have in common. Each format keeps its own arrays and can name its entries as triples."""

import numbers

import numpy as np

_NAMES = {"csr": "Compressed Sparse Row", "csc": "Compressed Sparse Column", "coo": "COOrdinate", "lil": "List of Lists",
          "dok": "Dictionary Of Keys", "dia": "DIAgonal"}


def is_number(x):
    return isinstance(x, (numbers.Number, np.generic)) or isinstance(x, np.ndarray) and x.ndim == 0


def summed(row, column, data, shape, by_column=False):
    """Entries in order of their rows, or of their columns, with those of one place added up."""
    row, column, data = np.asarray(row), np.asarray(column), np.asarray(data)
    order = np.lexsort((row, column) if by_column else (column, row))
    row, column, data = row[order], column[order], data[order]
    if len(row) > 1:
        new = np.concatenate([[True], (row[1:] != row[:-1]) | (column[1:] != column[:-1])])
        if not new.all():
            starts = np.flatnonzero(new)
            data = np.logical_or.reduceat(data, starts) if data.dtype == bool else np.add.reduceat(data, starts)
            row, column = row[starts], column[starts]
    return row, column, data


class Sparse:
    """A matrix of two dimensions that stores what isn't zero."""

    __array_priority__ = 10.1
    __array_ufunc__ = None
    ndim = 2
    _is_array = False

    # -- what it is --

    @property
    def nnz(self):
        return self.getnnz()

    @property
    def size(self):
        return self.getnnz()

    def getnnz(self, axis=None):
        row, column, data = self._triples()
        if axis is None:
            return len(data)
        axis %= 2
        return np.bincount(column if axis == 0 else row, minlength=self.shape[1 - axis]).astype(np.int32)

    def get_shape(self):
        return self.shape

    def getformat(self):
        return self.format

    def count_nonzero(self, axis=None):
        if axis is not None:
            raise NotImplementedError("scipy.sparse: count_nonzero(axis=)")
        return np.count_nonzero(self._triples()[2])

    def __repr__(self):
        kind = "array" if self._is_array else "matrix"
        more = f" ({len(self.offsets)} diagonals)" if self.format == "dia" else ""
        return (f"<{_NAMES[self.format]} sparse {kind} of dtype '{self.dtype}'\n\twith {self.nnz} stored elements{more} and shape "
                f"{self.shape}>")

    def __str__(self):
        row, column, data = self._triples()
        lines = [f"  ({r}, {c})\t{v}" for r, c, v in zip(row.tolist(), column.tolist(), data)]
        if len(lines) > 50:
            lines = [*lines[:25], "  :\t:", *lines[-25:]]
        return "\n".join([repr(self), *(["  Coords\tValues"] if lines else []), *lines])

    def __len__(self):
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __bool__(self):
        if self.shape == (1, 1):
            return self.nnz != 0
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all().")

    def __iter__(self):
        rows = self.tocsr()
        return (rows[i] for i in range(self.shape[0]))

    # -- other formats --

    def _like(self, format, triples, shape=None, dtype=None):
        """A matrix of another format, of the same family: arrays stay arrays."""
        from . import _formats
        kind = getattr(_formats, format + ("_array" if self._is_array else "_matrix"))
        row, column, data = triples
        return kind((data, (row, column)), shape=shape or self.shape, dtype=dtype)

    def asformat(self, format, copy=False):
        return self if format in (None, self.format) and not copy else getattr(self, "to" + (format or self.format))()

    def tocsr(self, copy=False):
        return self._like("csr", self._triples())

    def tocsc(self, copy=False):
        return self._like("csc", self._triples())

    def tocoo(self, copy=False):
        return self._like("coo", self._triples())

    def tolil(self, copy=False):
        return self._like("lil", self._triples())

    def todok(self, copy=False):
        return self._like("dok", self._triples())

    def todia(self, copy=False):
        return self._like("dia", self._triples())

    def tobsr(self, blocksize=None, copy=False):
        raise NotImplementedError("scipy.sparse: the BSR format isn't supported here")

    def toarray(self, order=None, out=None):
        if out is not None:
            raise NotImplementedError("scipy.sparse: toarray(out=)")
        row, column, data = summed(*self._triples(), self.shape)
        made = np.zeros(self.shape, dtype=self.dtype)
        made[row, column] = data
        return made

    def todense(self, order=None, out=None):
        made = self.toarray(order, out)
        return made if self._is_array else np.asmatrix(made)

    def astype(self, dtype, casting="unsafe", copy=True):
        row, column, data = self._triples()
        return self._like(self.format, (row, column, data.astype(dtype)))

    def copy(self):
        row, column, data = self._triples()
        return self._like(self.format, (row.copy(), column.copy(), data.copy()))

    def _with(self, data):
        """The same places with other numbers."""
        row, column, _ = self._triples()
        return self._like(self.format, (row, column, data))

    # -- numbers one by one --

    def __neg__(self):
        return self._with(-self._triples()[2])

    def __abs__(self):
        return self._with(abs(self._triples()[2]))

    def __round__(self, ndigits=0):
        return self._with(np.round(self._triples()[2], ndigits))

    def conj(self, copy=True):
        return self._with(np.conjugate(self._triples()[2]))

    conjugate = conj

    @property
    def real(self):
        return self._with(self._triples()[2].real)

    @property
    def imag(self):
        return self._with(self._triples()[2].imag)

    def power(self, n, dtype=None):
        if not is_number(n):
            raise NotImplementedError("input is not scalar")
        if not n:
            raise NotImplementedError("zero power is not supported as it would densify the matrix.\n"
                                      "Use `np.ones(A.shape, dtype=A.dtype)` for this case.")
        return self._with(self._triples()[2] ** n)

    # -- structure --

    def transpose(self, axes=None, copy=False):
        if axes is not None and tuple(axes) != (1, 0):
            raise ValueError("Sparse arrays/matrices do not support an 'axes' parameter because swapping dimensions is the only "
                             "logical permutation.")
        row, column, data = self._triples()
        turned = {"csr": "csc", "csc": "csr"}.get(self.format, self.format)
        return self._like(turned, (column, row, data), self.shape[::-1])

    T = property(transpose)

    def reshape(self, *shape, order="C", copy=False):
        shape = tuple(shape[0]) if len(shape) == 1 and not is_number(shape[0]) else tuple(shape)
        whole = self.shape[0] * self.shape[1]
        if -1 in shape:
            shape = tuple(whole // -(shape[0] * shape[1]) if n == -1 else n for n in shape)
        if len(shape) != 2 or shape[0] * shape[1] != whole:
            raise ValueError(f"cannot reshape array of size {whole} into shape {shape}")
        row, column, data = self._triples()
        if order == "C":
            row, column = np.divmod(row.astype(np.int64) * self.shape[1] + column, shape[1])
        else:
            column, row = np.divmod(row + column.astype(np.int64) * self.shape[0], shape[0])
        return self._like(self.format, (row, column, data), shape)

    def diagonal(self, k=0):
        size = min(self.shape[0] + min(k, 0), self.shape[1] - max(k, 0))
        if size <= 0:
            return np.empty(0, dtype=self.dtype)
        row, column, data = summed(*self._triples(), self.shape)
        on = column - row == k
        made = np.zeros(size, dtype=self.dtype)
        made[np.minimum(row, column)[on]] = data[on]
        return made

    def trace(self, offset=0):
        return self.diagonal(offset).sum()

    def nonzero(self):
        row, column, data = self._triples()
        kept = data != 0
        return row[kept], column[kept]

    # -- arithmetic --

    def _answer(self, values, axis):
        """What remains of the matrix along an axis: a row or a column, as a matrix unless it's an array."""
        return values if self._is_array else np.asmatrix(values.reshape((1, -1) if axis == 0 else (-1, 1)))

    def sum(self, axis=None, dtype=None, out=None):
        if out is not None:
            raise NotImplementedError("scipy.sparse: sum(out=)")
        row, column, data = self._triples()
        if axis is None:
            return data.sum(dtype=dtype)
        axis %= 2
        whole = np.zeros(self.shape[1 - axis], dtype=dtype or np.zeros(0, self.dtype).sum().dtype)
        np.add.at(whole, column if axis == 0 else row, data.astype(whole.dtype))
        return self._answer(whole, axis)

    def mean(self, axis=None, dtype=None, out=None):
        kind = dtype or (self.dtype if self.dtype.kind in "fc" else np.float64)
        count = self.shape[0] * self.shape[1] if axis is None else self.shape[axis % 2]
        found = self.astype(kind).sum(axis)
        return found / count if axis is None else found * np.asarray(1.0 / count, dtype=kind)

    def _extreme(self, axis, best, explicit):
        row, column, data = summed(*self._triples(), self.shape)
        if axis is None:
            found = best.reduce(data) if len(data) else self.dtype.type(0)
            return best(found, self.dtype.type(0)) if len(data) < self.shape[0] * self.shape[1] and not explicit else found
        axis %= 2
        place = column if axis == 0 else row
        table = np.zeros(self.shape[1 - axis], dtype=self.dtype)
        full = np.bincount(place, minlength=len(table)) == self.shape[axis]
        if full.any():
            # A line without a zero starts from one of its own numbers.
            table[place[full[place]]] = data[full[place]]
        best.at(table, place, data)
        found = np.flatnonzero(table)
        line = np.zeros(len(found), dtype=np.int32)
        triples = (line, found, table[found]) if axis == 0 else (found, line, table[found])
        return table if self._is_array else self._like("coo", triples, (1, len(table)) if axis == 0 else (len(table), 1))

    def max(self, axis=None, out=None, *, explicit=False):
        return self._extreme(axis, np.maximum, explicit)

    def min(self, axis=None, out=None, *, explicit=False):
        return self._extreme(axis, np.minimum, explicit)

    def argmax(self, axis=None, out=None):
        found = np.argmax(self.toarray(), axis)
        return found if axis is None else self._answer(found, axis % 2)

    def argmin(self, axis=None, out=None):
        found = np.argmin(self.toarray(), axis)
        return found if axis is None else self._answer(found, axis % 2)

    def _both(self, other, combine, keep_zeros=False):
        """Combines two sparse matrices place by place; where neither has an entry, the result has none."""
        if other.shape != self.shape:
            raise ValueError("inconsistent shapes")
        format = "csc" if self.format == "csc" else "csr"
        a, b = (summed(*m._triples(), self.shape) for m in (self, other))
        width = self.shape[1]
        places = [r.astype(np.int64) * width + c for r, c, _ in (a, b)]
        every = np.union1d(*places)
        sides = []
        for place, (_, _, data) in zip(places, (a, b)):
            side = np.zeros(len(every), dtype=data.dtype)
            side[np.searchsorted(every, place)] = data
            sides.append(side)
        found = combine(*sides)
        kept = found != 0
        row, column = np.divmod(every[kept], width)
        return self._like(format, (row, column, found[kept]))

    def _dense(self, other):
        other = np.asarray(other)
        if other.shape != self.shape and other.ndim == 2 and 1 not in other.shape:
            raise ValueError("inconsistent shapes")
        return other

    def _plain(self, made):
        return made if self._is_array else np.asmatrix(made)

    def __add__(self, other):
        if is_number(other):
            if other == 0:
                return self.copy()
            raise NotImplementedError("adding a nonzero scalar to a sparse array is not supported")
        if isinstance(other, Sparse):
            if self.format == other.format == "dia":
                return self._both(other, np.add).todia()
            return self._both(other, np.add)
        return self._plain(self.toarray() + self._dense(other))

    __radd__ = __add__

    def __sub__(self, other):
        if is_number(other):
            if other == 0:
                return self.copy()
            raise NotImplementedError("subtracting a nonzero scalar from a sparse array is not supported")
        if isinstance(other, Sparse):
            return self._both(other, np.subtract)
        return self._plain(self.toarray() - self._dense(other))

    def __rsub__(self, other):
        if is_number(other):
            if other == 0:
                return -self.copy()
            raise NotImplementedError("subtracting a sparse array from a nonzero scalar is not supported")
        return self._plain(self._dense(other) - self.toarray())

    def multiply(self, other):
        """The product place by place."""
        if is_number(other):
            return self._with(self._triples()[2] * other)
        if isinstance(other, Sparse):
            if other.shape != self.shape:
                other = other.toarray()
            else:
                return self._both(other, np.multiply)
        other = np.atleast_2d(np.asarray(other))
        shape = np.broadcast_shapes(self.shape, other.shape)
        if shape != self.shape:
            table = self.toarray() * other
            row, column = np.nonzero(table)
            return self._like("coo", (row, column, table[row, column]), shape)
        row, column, data = self._triples()
        other = np.broadcast_to(other, shape)
        return self._like("coo", (row, column, data * other[row, column]))

    def _over(self, other):
        if is_number(other):
            kind = np.result_type(self.dtype, np.float64) if self.dtype.kind in "biu" else self.dtype
            return self._with((self._triples()[2] * np.asarray(1.0 / other)).astype(kind))
        if isinstance(other, Sparse):
            with np.errstate(divide="ignore", invalid="ignore"):
                return self._plain(np.true_divide(self.toarray(), other.toarray()))
        row, column, data = self._triples()
        other = np.broadcast_to(np.asarray(other), self.shape)
        return self._like("coo", (row, column, data / other[row, column]))

    __truediv__ = _over

    def _times(self, other):
        """The matrix product."""
        if isinstance(other, Sparse):
            if self.shape[1] != other.shape[0]:
                raise ValueError(f"matmul: dimension mismatch with signature (n,k={self.shape[1]}),(k={other.shape[0]},m)->(n,m)")
            rows, others = self.tocsr(), other.tocsr()
            row, inner, data = rows._triples()
            count = np.diff(others.indptr)[inner]
            ends = np.cumsum(count)
            # Each entry of a row meets all entries of the row of the other matrix that its column names.
            at = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - count, count) + np.repeat(others.indptr[inner], count)
            lines, columns = np.repeat(row, count).astype(np.int64), others.indices[at]
            made = self._product(lines, columns, np.repeat(data, count) * others.data[at], (self.shape[0], other.shape[1]))
            return made.tocsc() if self.format == "csc" else made
        as_matrix = type(other).__name__ == "matrix"
        other = np.asarray(other)
        if other.ndim not in (1, 2):
            raise ValueError("could not interpret dimensions")
        if other.shape[0] != self.shape[1]:
            raise ValueError(f"matmul: dimension mismatch with signature (n,k={self.shape[1]}),(k={other.shape[0]}"
                             + (")->(n)" if other.ndim == 1 else ",m)->(n,m)"))
        row, column, data = self._triples()
        made = np.zeros((self.shape[0],) + other.shape[1:], dtype=np.result_type(self.dtype, other.dtype))
        if len(data):
            np.add.at(made, row, (data if other.ndim == 1 else data[:, None]) * other[column])
        return np.asmatrix(made) if as_matrix else made

    def _product(self, lines, columns, data, shape):
        """Adds up the terms of a product. In each row, SciPy keeps the columns in reverse of the order in which it met them."""
        from . import _formats
        keys, first, which = np.unique(lines * shape[1] + columns, return_index=True, return_inverse=True)
        sums = np.zeros(len(keys), dtype=data.dtype)
        np.add.at(sums, which.ravel(), data)
        line = keys // max(shape[1], 1)
        order = np.lexsort((-first, line))
        order = order[sums[order] != 0]
        indptr = np.concatenate([[0], np.cumsum(np.bincount(line[order], minlength=shape[0]))])
        kind = _formats.csr_array if self._is_array else _formats.csr_matrix
        return kind((sums[order], (keys % max(shape[1], 1))[order], indptr), shape=shape)

    def dot(self, other):
        return self._with(self._triples()[2] * other) if is_number(other) else self._times(other)

    def __matmul__(self, other):
        if is_number(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self._times(other)

    def __rmatmul__(self, other):
        if is_number(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self.T._times(np.asarray(other).T).T

    def __mul__(self, other):
        if is_number(other):
            return self._with(self._triples()[2] * other)
        return self.multiply(other) if self._is_array else self._times(other)

    def __rmul__(self, other):
        if is_number(other):
            return self._with(self._triples()[2] * other)
        return self.multiply(other) if self._is_array else self.__rmatmul__(other)

    def __pow__(self, n):
        if self._is_array:
            return self.power(n)
        if self.shape[0] != self.shape[1]:
            raise TypeError("sparse matrix is not square")
        if int(n) != n or n < 0:
            raise ValueError("exponent must be >= 0")
        made = self._like("csr", (np.arange(self.shape[0]), np.arange(self.shape[0]), np.ones(self.shape[0], dtype=self.dtype)))
        for _ in range(int(n)):
            made = made @ self
        return made

    def _compared(self, other, how, zero):
        """Which places compare true. `zero` says whether two zeros do: then nearly every place would be stored."""
        if not isinstance(other, (Sparse, np.ndarray)) and not is_number(other):
            return NotImplemented
        if isinstance(other, Sparse) and not zero:
            return self._both(other, how)
        if is_number(other) and not how(0, other):
            row, column, data = summed(*self._triples(), self.shape)
            kept = how(data, other)
            return self._like("csc" if self.format == "csc" else "csr", (row[kept], column[kept], kept[kept]))
        table = how(self.toarray(), other.toarray() if isinstance(other, Sparse) else other)
        if isinstance(other, np.ndarray):
            return table
        row, column = np.nonzero(table)
        return self._like("csr", (row, column, table[row, column]))

    def __eq__(self, other):
        return self._compared(other, np.equal, True)

    def __ne__(self, other):
        return self._compared(other, np.not_equal, False)

    def __lt__(self, other):
        return self._compared(other, np.less, False)

    def __gt__(self, other):
        return self._compared(other, np.greater, False)

    def __le__(self, other):
        return self._compared(other, np.less_equal, True)

    def __ge__(self, other):
        return self._compared(other, np.greater_equal, True)

    __hash__ = None

    def maximum(self, other):
        return self._both(other, np.maximum) if isinstance(other, Sparse) else self._plain(np.maximum(self.toarray(), other))

    def minimum(self, other):
        return self._both(other, np.minimum) if isinstance(other, Sparse) else self._plain(np.minimum(self.toarray(), other))

    # -- parts --

    def getrow(self, i):
        return self.tocsr()[[i]]

    def getcol(self, j):
        return self.tocsr()[:, [j]]

    def __getitem__(self, at):
        raise TypeError(f"'{type(self).__name__}' object is not subscriptable")

    def __setitem__(self, at, value):
        raise TypeError(f"'{type(self).__name__}' object does not support item assignment")

    def __getattr__(self, name):
        if name.startswith("_") or name in ("A", "A1", "H"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        raise AttributeError(f"scipy.sparse.{type(self).__name__}.{name} is not part of this scipy")


def _unary(name):
    def apply(self):
        return self._with(getattr(np, name)(self._triples()[2]))

    apply.__name__ = name
    return apply


for _name in ("arcsin", "arcsinh", "arctan", "arctanh", "ceil", "deg2rad", "expm1", "floor", "log1p", "rad2deg", "rint", "sign", "sin",
              "sinh", "sqrt", "tan", "tanh", "trunc"):
    setattr(Sparse, _name, _unary(_name))
