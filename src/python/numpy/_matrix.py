"""`np.matrix`: arrays of two dimensions whose `*` is the matrix product. NumPy advises against them; sparse matrices return them."""

import numpy as np
from numpy._array import _wrap, asarray, ndarray
from numpy._types import generic


def _of(x):
    """A result as a matrix, if it's an array."""
    if not isinstance(x, ndarray) or x._boxed:
        return x
    x = asarray(x)
    if x.ndim > 2:
        return x
    made = object.__new__(matrix)
    made._t = (x if x.ndim == 2 else x.reshape(1, -1))._t
    return made


def _rows(text):
    """The numbers of "1 2; 3 4"."""
    import ast

    rows = [[ast.literal_eval(part) for part in row.replace(",", " ").split()] for row in text.split(";")]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("Rows not the same size.")
    return rows


class matrix(ndarray):
    _called = "matrix("
    __array_priority__ = 10.0

    def __new__(cls, data, dtype=None, copy=True):
        a = np.array(_rows(data) if isinstance(data, str) else data, dtype=dtype, copy=True if copy else None)
        if a.ndim > 2:
            raise ValueError("matrix must be 2-dimensional")
        return _of(a)

    def _bare(self):
        return _wrap(self._t)

    A = property(_bare)
    A1 = property(lambda self: self._bare().ravel())
    T = property(lambda self: _of(self._bare().T))
    H = property(lambda self: _of(np.conjugate(self._bare().T)))
    I = property(lambda self: _of(np.linalg.inv(self._bare()) if self.shape[0] == self.shape[1] else np.linalg.pinv(self._bare())))

    def getA(self):
        return self._bare()

    def getA1(self):
        return self.A1

    def getT(self):
        return self.T

    def getI(self):
        return self.I

    def getH(self):
        return self.H

    def __getitem__(self, key):
        found = self._bare()[key]
        if not isinstance(found, ndarray) or found.ndim == 2:
            return _of(found)
        column = isinstance(key, tuple) and len(key) > 1 and (isinstance(key[1], (int, generic)))
        return _of(found.reshape(-1, 1) if column else found.reshape(1, -1))

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __mul__(self, other):
        if isinstance(other, (ndarray, list, tuple)):
            return _of(np.dot(self._bare(), asarray(matrix(other, copy=False))))
        return _of(self._bare() * other)

    def __rmul__(self, other):
        if isinstance(other, (ndarray, list, tuple)):
            return _of(np.dot(asarray(matrix(other, copy=False)), self._bare()))
        return _of(other * self._bare())

    def __imul__(self, other):
        self[:] = self * other
        return self

    def __pow__(self, n):
        return _of(np.linalg.matrix_power(self._bare(), n))

    def flatten(self, order="C"):
        return _of(self._bare().flatten(order))

    def ravel(self, order="C"):
        return _of(self._bare().ravel(order=order))

    def squeeze(self, axis=None):
        return _of(self._bare().squeeze(axis))

    def tolist(self):
        return self._bare().tolist()


def _same(name):
    def call(self, *args, **options):
        return _of(getattr(self._bare(), name)(*args, **options))

    call.__name__ = name
    return call


def _along(name):
    """What is left along an axis stays a row or a column."""
    def call(self, axis=None, *args, **options):
        found = getattr(self._bare(), name)(axis, *args, **options)
        return found if axis is None else _of(asarray(found).reshape((1, -1) if axis % 2 == 0 else (-1, 1)))

    call.__name__ = name
    return call


for _name in ("__add__ __radd__ __sub__ __rsub__ __truediv__ __rtruediv__ __floordiv__ __mod__ __neg__ __abs__ __matmul__ __rmatmul__ "
              "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ transpose reshape astype copy round clip conj conjugate dot").split():
    setattr(matrix, _name, _same(_name))
for _name in "sum mean std var prod max min any all argmax argmin".split():
    setattr(matrix, _name, _along(_name))
matrix.__hash__ = None
matrix.__module__ = "numpy"


def asmatrix(data, dtype=None):
    return matrix(data, dtype=dtype, copy=False)


def bmat(obj, ldict=None, gdict=None):
    if isinstance(obj, str):
        raise NotImplementedError("numpy.bmat of a string")
    if isinstance(obj, ndarray):
        return matrix(obj)
    rows = [np.concatenate([asarray(b) for b in row], -1) if isinstance(row, (list, tuple)) else asarray(row) for row in obj]
    return matrix(np.concatenate(rows, 0 if isinstance(obj[0], (list, tuple)) else -1))
