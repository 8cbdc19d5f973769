"""Arrays of text: enough to hold labels, pick among them and compare them. What computes refuses them by name."""

import builtins

from numpy._array import ndarray
from numpy._types import as_dtype, dtype, generic


class character(generic):
    __slots__ = ()


class str_(str, character):
    """A Python str as well, as in NumPy."""

    __slots__ = ()

    def __new__(cls, value=""):
        return str.__new__(cls, value)

    @property
    def _v(self):
        return str.__str__(self)

    @property
    def dtype(self):
        return _dtype(len(self))

    def __repr__(self):
        return f"np.str_({str.__repr__(self)})"

    __str__ = str.__str__
    __hash__ = str.__hash__
    __format__ = str.__format__
    __eq__ = str.__eq__
    __bool__ = lambda self: len(self) > 0

    def item(self, *args):
        return str.__str__(self)

    tolist = item

    def __reduce__(self):
        return (str_, (self.item(),))


character.__module__ = str_.__module__ = "numpy"


def _dtype(width):
    made = object.__new__(dtype)
    made.name, made.kind, made.itemsize, made.char, made.type = f"str{32 * width}", "U", 4 * width, "U", str_
    made.str, made.num, made._torch = f"<U{width}", 19, None
    return made


class _Text(ndarray):
    """Positions in a list of words, so that whatever picks elements works on the positions."""

    _is_text = True

    @classmethod
    def _of(cls, words, at, width=None):
        self = object.__new__(cls)
        self._words, self._at = words, at
        self._width = max((len(word) for word in words), default=1) or 1 if width is None else width
        return self

    def _like(self, at):
        return str_(self._words[at]) if not isinstance(at, ndarray) else _Text._of(self._words, at, self._width)

    @property
    def _t(self):
        raise NotImplementedError("numpy: this operation on arrays of str")

    dtype = property(lambda self: _dtype(self._width))
    shape = property(lambda self: self._at.shape)
    ndim = property(lambda self: self._at.ndim)
    size = property(lambda self: self._at.size)
    itemsize = property(lambda self: 4 * self._width)
    T = property(lambda self: self._like(self._at.T))

    def __len__(self):
        return len(self._at)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key):
        picked = self._at[key]
        return self._like(picked if isinstance(picked, ndarray) else int(picked))

    def __setitem__(self, key, value):
        if not isinstance(value, str):
            raise NotImplementedError("numpy: assignment of an array to elements of an array of str")
        # What does not fit is cut off, as in NumPy.
        self._words.append(value[:self._width])
        self._at[key] = len(self._words) - 1

    def __contains__(self, word):
        return word in self._flat()

    def _flat(self):
        return [self._words[i] for i in self._at.reshape(-1).tolist()]

    def tolist(self):
        def named(part):
            return [named(item) for item in part] if isinstance(part, list) else self._words[part]

        return named(self._at.tolist())

    def item(self, *args):
        return self._words[self._at.item(*args)]

    def copy(self, order="C"):
        return _Text._of(list(self._words), self._at.copy(), self._width)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return (array, (self.tolist(),))

    def reshape(self, *shape, **options):
        return self._like(self._at.reshape(*shape, **options))

    def ravel(self, order="C"):
        return self._like(self._at.ravel())

    def flatten(self, order="C"):
        return self._like(self._at.flatten())

    def transpose(self, *axes):
        return self._like(self._at.transpose(*axes))

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        if dtype is str or dtype is str_:
            return self.copy()
        kind = as_dtype(dtype).kind
        read = {"f": float, "i": int, "u": int}.get(kind)
        if read is None:
            raise NotImplementedError(f"numpy: arrays of str as {dtype}")
        import numpy
        return numpy.array([read(word) for word in self._flat()], dtype=dtype).reshape(self.shape)

    def _compare(self, other, same):
        import numpy
        if isinstance(other, (list, tuple)):
            other = numpy.array(other)
        if isinstance(other, str):
            found = [(word == other) is same for word in self._flat()]
        elif isinstance(other, _Text) and other.shape == self.shape:
            found = [(a == b) is same for a, b in zip(self._flat(), other._flat())]
        elif isinstance(other, _Text):
            raise NotImplementedError("numpy: comparison of arrays of str of different shapes")
        else:
            return NotImplemented
        return numpy.array(found, dtype=builtins.bool).reshape(self.shape)

    def __eq__(self, other):
        return self._compare(other, True)

    def __ne__(self, other):
        return self._compare(other, False)

    __hash__ = None


_Text.__name__ = _Text.__qualname__ = "ndarray"
_Text.__module__ = "numpy"


def array(x):
    """The array of a str, or of nested lists of them; None if something else is among them."""
    words, shape = [], []

    def walk(part, depth):
        if isinstance(part, str):
            if depth != len(shape):
                return False
            words.append(str.__str__(part))
            return True
        if not isinstance(part, (list, tuple)) or depth == len(shape):
            return False
        return len(part) == shape[depth] and all([walk(item, depth + 1) for item in part])

    first = x
    while isinstance(first, (list, tuple)) and first:
        shape.append(len(first))
        first = first[0]
    if not walk(x, 0):
        return None
    import numpy
    return _Text._of(words, numpy.arange(len(words)).reshape(tuple(shape)))


def unique(ar, return_inverse, return_counts):
    import numpy
    flat = ar._flat()
    found = sorted(set(flat))
    place = {word: i for i, word in enumerate(found)}
    out = [array(found) if found else ar]
    if return_inverse:
        out.append(numpy.array([place[word] for word in flat], dtype="int64").reshape(ar.shape))
    if return_counts:
        out.append(numpy.array([flat.count(word) for word in found], dtype="int64"))
    return out[0] if len(out) == 1 else tuple(out)
