"""`ndarray`: host memory with NumPy's semantics.

An array holds a host tensor, so that `tensor.numpy()` and `torch.from_numpy(array)` share memory. Everything is computed by
the operators of `torch`, after the operands were brought to the dtype that NumPy computes in; the engine neither counts nor
reports it, because it is not PyTorch's.
"""

import builtins
import operator
import types
import warnings

import _torch as _C

from numpy import _types as _t
from numpy._types import ALL, BOOL, COMPLEX128, FLOAT64, INT64, OBJECT, as_dtype, generic, number, promote

_quiet = _C._quietly
_Tensor = _C.Tensor
RANK = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3, "m": 4, "M": 4, "S": 4, "U": 5, "O": 6}


class AxisError(ValueError, IndexError):
    __module__ = "numpy.exceptions"

    def __init__(self, axis, ndim=None, msg_prefix=None):
        self.axis, self.ndim = axis, ndim
        text = axis if ndim is None else f"axis {axis} is out of bounds for array of dimension {ndim}"
        super().__init__(text if msg_prefix is None else f"{msg_prefix}: {text}")


class UFuncTypeError(TypeError):
    pass


def _wrap(t):
    """An array over a host tensor."""
    self = object.__new__(ndarray)
    self._t = t
    return self


def _answer(t):
    """The result of a computation as NumPy returns it: a number if there are no dimensions, otherwise an array."""
    if t.dim() == 0:
        return number(_t.OF_TORCH[t.dtype], _quiet(t.item))
    return _wrap(t)


def _call(function, *args, **options):
    return _answer(_quiet(function, *args, **options))


def cast(t, d):
    if t.dtype == d._torch:
        return t
    if d._torch is None:
        raise TypeError(f"Cannot cast array data from {_t.OF_TORCH[t.dtype]!r} to {d!r}")
    if t.dtype.is_complex and d.kind == "b":
        return _quiet(_C.ne, t, 0)
    return _quiet((_quiet(_C.real, t) if t.dtype.is_complex and d.kind != "c" else t).to, d._torch)


def tensor_of(x, d=None):
    """The host tensor of anything that `asarray` turns into an array of numbers."""
    if type(x) is ndarray:
        t = x._t
    elif isinstance(x, _Tensor):
        t = x.numpy()._t
    elif isinstance(x, generic) and x.dtype._torch is not None:
        t = _quiet(_C.full, (), x._v, dtype=x._torch, device="cpu")
    else:
        x = _made(x, d)
        if x._boxed and d is not None:
            x = x.astype(d)
        t = x._t
    return t if d is None else cast(t, d)


def full(shape, value, d):
    return _quiet(_C.full, shape, value, dtype=d._torch, device="cpu")


def _plain(x):
    """The same nested lists, with lists and Python numbers in place of arrays, tensors and NumPy's numbers."""
    if isinstance(x, (list, tuple, range)):
        return [_plain(item) for item in x]
    if isinstance(x, generic):
        return x if x.dtype.kind in "mM" else x._v
    if isinstance(x, _Tensor):
        return _plain(x.numpy())
    return (x.scalars() if x.dtype.kind in "mM" else x.tolist()) if isinstance(x, ndarray) else x


def _leaves(x, depth):
    if depth == 0:
        return [x]
    return [leaf for item in x for leaf in _leaves(item, depth - 1)]


def _shape_until_ragged(x):
    """The shape that nested lists have in common, and whether there is more below it."""
    shape, level = [], [x]
    while level and all(isinstance(item, list) for item in level):
        lengths = {len(item) for item in level}
        if len(lengths) > 1:
            break
        shape.append(lengths.pop())
        level = [inner for item in level for inner in item]
    return tuple(shape), any(isinstance(item, list) for item in level)


def _common(x, made):
    """The array of nested lists with the dtype that all of their numbers have in common."""
    if any(made.dtype is of for of in (FLOAT64, INT64, BOOL)) or not isinstance(x, (list, tuple)):
        return made
    kinds, level = set(), list(x)
    while level:
        kinds |= {of.dtype if hasattr(of, "dtype") and not isinstance(of, _Tensor) else type(of) for of in level
                  if not isinstance(of, (list, tuple, _Tensor))}
        level = [inner for of in level if isinstance(of, (list, tuple)) for inner in of]
    found = None
    for kind in kinds:
        one = as_dtype(kind)
        found = one if found is None else promote(found, one)
    return made if found is None or found is made.dtype or found._torch is None else _made(_plain(x)).astype(found)


def _made(x, d=None):
    """Makes an array of anything that isn't one. A dtype says how to read the elements."""
    if isinstance(x, ndarray):
        return x
    if isinstance(x, (int, float, complex)) and not isinstance(x, generic) or isinstance(x, (list, tuple)) and \
            not (d is not None and d._torch is None):
        first = x
        while isinstance(first, (list, tuple)) and first:
            first = first[0]
        if not isinstance(first, (str, bytes, complex)) and not (isinstance(first, generic) and first.dtype._torch is None):
            try:
                return _common(x, _wrap(_C._host_tensor(_tensors(x) if isinstance(first, (_Tensor, ndarray)) else x)))
            except (TypeError, ValueError, RuntimeError):
                pass
    elif hasattr(x, "__array__") and not isinstance(x, (type, generic)):
        return x.__array__()
    if isinstance(x, (generic, str, bytes)) or x is None or isinstance(x, (dict, set)):
        nested = x
    elif hasattr(x, "__len__") and hasattr(x, "__getitem__"):
        nested = _plain(x if isinstance(x, (list, tuple, range)) else list(x))
    else:
        nested = x
    from numpy import _boxed
    shape, ragged = _shape_until_ragged(nested)
    if ragged and not (d is not None and d.kind == "O"):
        raise ValueError(
            "setting an array element with a sequence. The requested array has an inhomogeneous shape after "
            f"{len(shape)} dimensions. The detected shape was {shape} + inhomogeneous part.")
    # Lists and arrays that are elements themselves stay what they are.
    leaves = _leaves(x if ragged else nested, len(shape))
    kinds = {type(leaf) for leaf in leaves}
    if d is not None and d.kind in "OUSmM":
        return _boxed.of(leaves, shape, d)
    times = {leaf.dtype.kind if isinstance(leaf, generic) else "" for leaf in leaves}
    if times == {"M"} or times == {"m"}:
        return _boxed.of(leaves, shape, as_dtype(*times))
    if d is not None and kinds & {str, bytes}:
        return _wrap(_C._host_tensor([d.type(leaf) for leaf in leaves])).reshape(shape).astype(d)
    if kinds <= {int, float, builtins.bool, complex} and complex in kinds:
        return _wrap(_quiet(_C.tensor, nested, dtype=_C.complex128, device="cpu"))
    if kinds <= {int, float, builtins.bool}:
        large = [leaf for leaf in leaves if type(leaf) is int and not -1 << 63 <= leaf < 1 << 63]
        if not large:
            return _wrap(_C._host_tensor(nested))
        fits = max(leaves) < 1 << 64 and min(leaves) >= -1 << 63
        if float in kinds or fits and min(leaves) < 0:
            return _wrap(_C._host_tensor([float(leaf) for leaf in leaves])).reshape(shape)
        if not fits:
            return _boxed.of(leaves, shape, OBJECT)
        raise NotImplementedError("numpy arrays of dtype 'uint64'")
    if all(isinstance(leaf, str) for leaf in leaves) or all(isinstance(leaf, bytes) for leaf in leaves):
        return _boxed.of(leaves, shape, _t.sized("U" if isinstance(leaves[0], str) else "S", 0))
    if all(isinstance(leaf, (str, bytes, int, float, complex)) for leaf in leaves):
        found = None
        for leaf in leaves:
            one = _t.sized("U", len(leaf)) if isinstance(leaf, str) else _t.sized("S", len(leaf)) \
                if isinstance(leaf, bytes) else as_dtype(type(leaf))
            found = one if found is None else promote(found, one)
        return _boxed.of([str(leaf) if not isinstance(leaf, bytes) else leaf for leaf in leaves], shape, found)
    return _boxed.of(leaves, shape, OBJECT)


def _tensors(x):
    """Nested lists with tensors on the host in place of arrays and tensors, because PyTorch warns of lists of arrays."""
    if isinstance(x, (list, tuple)):
        return [_tensors(item) for item in x]
    x = x.numpy() if isinstance(x, _Tensor) else x
    return x if not isinstance(x, ndarray) or x._boxed else (x.copy() if x._negative else x)._t


def _copied(t, order):
    """A copy with an order in memory: rows ("C"), columns ("F"), as it is ("K"), or columns only if it has them now ("A")."""
    if order == "C":
        return t.clone() if t.is_contiguous() else t.contiguous()
    by_columns = t.permute(list(range(t.dim()))[::-1])
    if order == "F" or order == "A" and by_columns.is_contiguous():
        return _copied(by_columns, "C").permute(list(range(t.dim()))[::-1])
    return t.clone() if order in ("K", None) else _copied(t, "C")


def _is_ordered(t, order):
    if order in ("C", "F"):
        return (t if order == "C" else t.permute(list(range(t.dim()))[::-1])).is_contiguous()
    return True


_NO_COPY = (
    "Unable to avoid copy while creating an array as requested.\nIf using `np.array(obj, copy=False)` replace it with "
    "`np.asarray(obj)` to allow a copy when needed (no behavior change in NumPy 1.x).\nFor more details, see "
    "https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword.")


def asarray(a, dtype=None, order=None, *, copy=None, device=None, like=None):
    """The array itself if it has the dtype, else a new one; of a tensor, one over its memory."""
    d = None if dtype is None else as_dtype(dtype)
    if not isinstance(a, ndarray):
        return array(a, d, copy=copy, order=order or "K")
    if a._called != "array(":
        a = a._bare()
    if d is not None and a.dtype != d:
        if copy is False:
            raise ValueError(_NO_COPY)
        return a.astype(d, order=order or "K")
    if copy or order is not None and not a._boxed and not _is_ordered(a._t, order):
        if copy is False:
            raise ValueError(_NO_COPY)
        return a.copy(order or "K")
    return a


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None):
    d = None if dtype is None else as_dtype(dtype)
    if isinstance(object, generic) and object.dtype._torch is not None:
        object = _wrap(tensor_of(object))
    try:
        made = object.numpy() if isinstance(object, _Tensor) else _made(object, d)
    except TypeError:
        if isinstance(object, _Tensor):
            # NumPy takes any TypeError for that of a parameter it does not find.
            warnings.warn(
                "__array__ implementation doesn't accept a copy keyword, so passing copy=False failed. __array__ must "
                "implement 'dtype' and 'copy' keyword arguments. To learn more, see the migration guide "
                "https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword",
                DeprecationWarning, stacklevel=2)
        raise
    shared = isinstance(object, (ndarray, _Tensor)) or hasattr(object, "__array__")
    if copy is False and (not shared or d is not None and made.dtype != d or not made._boxed and not _is_ordered(made._t, order)):
        raise ValueError(_NO_COPY)
    if d is not None and made.dtype != d and not (d.kind in "US" and d.itemsize == 0 and made.dtype.kind == d.kind):
        if d.kind in "iu" and not shared and made.dtype.kind in "iu" and made.size:
            _fit(int(made.min()), d)
            _fit(int(made.max()), d)
        made = made.astype(d, order=order)
    elif made._boxed:
        made = made.copy() if copy and shared else made
    elif copy and shared or not _is_ordered(made._t, order):
        made = _wrap(_quiet(lambda: _copied(made._t, order)))
    while made.ndim < ndmin:
        made = made[None]
    return made


# ---- operands --------------------------------------------------------------------------------------------------------


def _weak(x):
    """A Python int, float or complex takes the dtype of what it meets."""
    return type(x) in (int, float, complex)


def _fit(value, d):
    """Raises an error if the dtype of the other operand can't hold a Python int."""
    if d.kind in "iu" and type(value) is int:
        low, high = _t.limits(d)
        if not low <= value <= high:
            raise OverflowError(f"Python integer {value} out of bounds for {d}")
    return value


def meets(d, value):
    """The dtype of an operation between an array of dtype `d` and a Python number."""
    if type(value) is complex:
        return d if d.kind == "c" else ALL["complex64"] if d.kind == "f" and d.itemsize < 8 else COMPLEX128
    if type(value) is float:
        return d if d.kind in "fc" else FLOAT64
    return INT64 if d.kind == "b" else d


def pair(x, y):
    """Two operands as tensors or Python numbers, and the dtype in which the operation computes."""
    if _weak(y) and not _weak(x):
        t = tensor_of(x)
        d = meets(_t.OF_TORCH[t.dtype], y)
        return t, _fit(y, d), d
    if _weak(x) and not _weak(y):
        t = tensor_of(y)
        d = meets(_t.OF_TORCH[t.dtype], x)
        return _fit(x, d), t, d
    a, b = tensor_of(x), tensor_of(y)
    if a.shape != b.shape and a.dim() and b.dim():
        broadcast(a.shape, b.shape)
    return a, b, promote(_t.OF_TORCH[a.dtype], _t.OF_TORCH[b.dtype])


def broadcast(*shapes):
    """The shape that shapes broadcast to."""
    out = []
    for sizes in zip(*((1,) * (builtins.max(map(len, shapes)) - len(s)) + tuple(s) for s in shapes)):
        large = {n for n in sizes if n != 1}
        if len(large) > 1:
            listed = " ".join(map(_listed, shapes))
            raise ValueError(f"operands could not be broadcast together with shapes {listed} ")
        out.append(large.pop() if large else 1)
    return tuple(out)


def moved(a, function):
    """The array over what `function` makes of the tensor; of an array of objects, of the tensor of its places."""
    return a._like(_wrap(_quiet(function, a._at._t))) if a._boxed else _wrap(_quiet(function, a._t))


class flatiter:
    """The elements in the order of rows."""

    def __init__(self, array):
        self.base, self.index = array, 0

    def __next__(self):
        if self.index >= self.base.size:
            raise StopIteration
        self.index += 1
        return self[self.index - 1]

    def __iter__(self):
        return self

    def __len__(self):
        return self.base.size

    def __getitem__(self, key):
        return self.base.reshape(-1)[key]

    def __setitem__(self, key, value):
        flat = self.base.reshape(-1)
        flat[key] = value
        self.base[...] = flat.reshape(self.base.shape)

    def __array__(self, dtype=None, copy=None):
        return self.base.flatten()

    def copy(self):
        return self.base.flatten()

    __eq__ = lambda self, other: self.copy() == other
    __ne__ = lambda self, other: self.copy() != other
    __hash__ = None


class flagsobj:
    """An array's layout in memory."""

    def __init__(self, array):
        t = array._at._t if array._boxed else array._t
        self.c_contiguous = self.contiguous = t.is_contiguous() and not array._negative
        self.f_contiguous = self.fortran = _is_ordered(t, "F") and not array._negative
        self.fnc = self.f_contiguous and not self.c_contiguous
        self.forc = self.f_contiguous or self.c_contiguous
        self.owndata = array._base is None
        self.writeable = array._writes
        self.aligned = self.behaved = True
        self.carray, self.farray = self.c_contiguous, self.f_contiguous and not self.c_contiguous
        self.writebackifcopy = False
        self._array = array

    def __setattr__(self, name, value):
        if name == "writeable" and "_array" in self.__dict__:
            self._array._writes = builtins.bool(value)
        self.__dict__[name] = value

    def __getitem__(self, name):
        return getattr(self, {"C": "c_contiguous", "F": "f_contiguous", "O": "owndata", "W": "writeable", "A": "aligned"}.get(
            name, name.lower()))

    def __repr__(self):
        names = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY")
        return "".join(f"  {name} : {self[name]}\n" for name in names)


# ---- the array -------------------------------------------------------------------------------------------------------


class ndarray:
    """An array of numbers of one dtype."""

    __array_priority__ = 0.0
    __class_getitem__ = classmethod(types.GenericAlias)
    # A view of negative strides in NumPy; here a copy in that order.
    _negative = False
    _boxed = False
    _boxed_type = None
    _called = "array("
    _writes = True
    _base = None

    def __new__(cls, shape, dtype=float, buffer=None, offset=0, strides=None, order=None):
        if buffer is not None:
            import numpy
            return numpy.frombuffer(buffer, dtype, offset=offset)[:_count(_shape(shape))].reshape(shape)
        if as_dtype(dtype)._torch is None:
            import numpy
            return numpy.empty(shape, dtype)
        return _wrap(_quiet(_C.empty, _shape(shape), dtype=as_dtype(dtype)._torch, device="cpu"))

    # -- what it is --

    @property
    def shape(self):
        return tuple(self._t.shape)

    @shape.setter
    def shape(self, value):
        self._t = self.reshape(value)._t

    @property
    def dtype(self):
        return _t.OF_TORCH[self._t.dtype]

    @property
    def ndim(self):
        return self._t.dim()

    @property
    def size(self):
        return self._t.numel()

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.size * self.itemsize

    @property
    def strides(self):
        return tuple(n * self.itemsize for n in self._t.stride())

    @property
    def T(self):
        return self.transpose()

    @property
    def mT(self):
        if self.ndim < 2:
            raise ValueError("matrix transpose with ndim < 2 is undefined")
        return self.swapaxes(-1, -2)

    @property
    def real(self):
        return _wrap(_quiet(_C.view_as_real, self._t).select(-1, 0)) if self.dtype.kind == "c" else self

    @real.setter
    def real(self, value):
        self.real[...] = value

    @property
    def imag(self):
        if self.dtype.kind == "c":
            return _wrap(_quiet(_C.view_as_real, self._t).select(-1, 1))
        return _wrap(full(self.shape, 0, self.dtype))

    @imag.setter
    def imag(self, value):
        if self.dtype.kind != "c":
            raise TypeError("array does not have imaginary part to set")
        self.imag[...] = value

    @property
    def base(self):
        return self._base

    @property
    def flat(self):
        return flatiter(self)

    @flat.setter
    def flat(self, value):
        import numpy
        self[...] = numpy.resize(asarray(value), self.shape)

    @property
    def flags(self):
        return flagsobj(self)

    def setflags(self, write=None, align=None, uic=None):
        if write is not None:
            self._writes = builtins.bool(write)

    device = "cpu"

    def to_device(self, device, /, *, stream=None):
        if device != "cpu":
            raise ValueError(f'Unsupported device: "{device}". Only "cpu" is accepted.')
        return self

    @property
    def data(self):
        return memoryview(self.tobytes())

    @property
    def __array_interface__(self):
        return {"data": (self._t.data_ptr(), not self._writes), "strides": None if self.flags.c_contiguous else self.strides,
                "descr": self.dtype.descr, "typestr": self.dtype.str, "shape": self.shape, "version": 3}

    def __getattr__(self, name):
        raise AttributeError(f"'numpy.ndarray' object has no attribute '{name}'")

    def __len__(self):
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self._t.shape[0]

    def __iter__(self):
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        if self.ndim == 1:
            d = self.dtype
            return iter([number(d, v) for v in self.tolist()])
        return iter([_wrap(t) for t in _quiet(self._t.unbind, 0)])

    def __contains__(self, value):
        return builtins.bool((self == value).any())

    def item(self, *args):
        if args:
            key = args[0] if len(args) == 1 else args
            if isinstance(key, int) and not -self.size <= key < self.size:
                raise IndexError(f"index {key} is out of bounds for size {self.size}")
            return (self.reshape(-1)[key] if isinstance(key, int) else self[tuple(key)]).item()
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return _quiet(self._t.item)

    def tolist(self):
        return _quiet(self._t.tolist)

    def tobytes(self, order="C"):
        _order(order)
        return _quiet(lambda: _C._storage_bytes((self.T if order == "F" else self)._t.contiguous().clone()))

    def tofile(self, fid, sep="", format="%s"):
        data = self.tobytes() if not sep else sep.join(format % v for v in self.ravel().tolist())
        if hasattr(fid, "write"):
            fid.write(data)
            return
        with open(fid, "w" if sep else "wb") as file:
            file.write(data)

    def dumps(self):
        import pickle
        return pickle.dumps(self)

    def dump(self, file):
        with open(file, "wb") as out:
            out.write(self.dumps())

    def byteswap(self, inplace=False):
        size = self.itemsize // (2 if self.dtype.kind == "c" else 1)
        data = self.tobytes()
        import numpy
        turned = b"".join(data[i:i + size][::-1] for i in range(0, len(data), size))
        turned = numpy.frombuffer(turned, self.dtype).reshape(self.shape)
        if inplace:
            self[...] = turned
            return self
        return turned

    def _one(self, what):
        if self.size != 1:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        if self._boxed:
            return self.reshape(-1)[0]
        return _quiet(self._t.reshape(()).item)

    def _scalar(self, what):
        if self.ndim:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self._one(what)

    def __float__(self):
        return float(self._scalar("float"))

    def __int__(self):
        return int(self._scalar("int"))

    def __complex__(self):
        return complex(self._scalar("complex"))

    def __index__(self):
        if self.ndim or self.dtype.kind not in "iu":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self._one("int")

    def __bool__(self):
        if self.size == 1:
            return builtins.bool(self._one("bool"))
        if self.size == 0:
            raise ValueError("The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is "
                             "not empty.")
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")

    def __repr__(self):
        from numpy import _text
        return _text.array_repr(self)

    def __str__(self):
        from numpy import _text
        return _text.array_str(self)

    def __format__(self, spec):
        if self.ndim == 0:
            return format(self[()], spec)
        if spec:
            raise TypeError("unsupported format string passed to numpy.ndarray.__format__")
        return str(self)

    def __hash__(self):
        raise TypeError("unhashable type: 'numpy.ndarray'")

    def __array__(self, dtype=None, copy=None):
        return self if dtype is None else self.astype(dtype, copy=False)

    def __copy__(self, memo=None):
        return self.copy()

    __deepcopy__ = __copy__

    def __reduce__(self):
        from numpy._core.multiarray import reduced
        return reduced(self)

    def __setstate__(self, state):
        from numpy._core.multiarray import restore
        restore(self, state)

    # -- elements --

    def __getitem__(self, key):
        keys, flips, plain = _keys(self._t.shape, key)
        t = _quiet(_Tensor.__getitem__, self._t, keys)
        if flips:
            out = _wrap(_quiet(t.flip, flips))
            out._negative, out._base = True, self if self._base is None else self._base
            return out
        if plain and t.dim() == 0:
            return _answer(t)
        out = _wrap(t)
        if plain:
            out._base = self if self._base is None else self._base
        if self._negative:
            out._negative = True
        if not self._writes and plain:
            out._writes = False
        return out

    def __setitem__(self, key, value):
        self._writable()
        keys, flips, _ = _keys(self._t.shape, key)
        if type(value) in (int, float, builtins.bool):
            if self.dtype.kind in "iu":
                if type(value) is float and value - value != 0:
                    raise (ValueError("cannot convert float NaN to integer") if value != value else
                           OverflowError("cannot convert float infinity to integer"))
                value = _fit(value if type(value) is not float else int(value), self.dtype)
            _quiet(_Tensor.__setitem__, self._t, keys, value)
            return
        if type(value) is complex and self.dtype.kind != "c":
            kind = "float" if self.dtype.kind == "f" else "int"
            raise TypeError(f"{kind}() argument must be a string or a real number, not 'complex'")
        t = tensor_of(float("nan") if value is None and self.dtype.kind == "f" else value, self.dtype)
        if _C._shares_memory(t, self._t):
            # NumPy reads all before it writes.
            t = _quiet(t.clone)
        place = tuple(_quiet(_Tensor.__getitem__, self._t, keys).shape)
        if not place and key is not Ellipsis and self.dtype is not BOOL and (t.dim() or isinstance(value, (list, tuple))):
            if self.dtype.kind == "f" or not isinstance(value, (list, tuple)):
                raise ValueError("setting an array element with a sequence.")
            if self.dtype.kind == "c":
                raise TypeError(f"must be real number, not {type(value).__name__}")
            raise TypeError(f"int() argument must be a string, a bytes-like object or a real number, not {type(value).__name__!r}")
        while t.dim() > len(place) and t.shape[0] == 1:
            t = t.reshape(t.shape[1:])
        try:
            if len(t.shape) > len(place) or any(n not in (1, m) for n, m in zip(tuple(t.shape)[::-1], place[::-1])):
                raise IndexError
            if flips:
                t = _quiet(_quiet(_C.broadcast_to, t, place).flip, flips)
            _quiet(_Tensor.__setitem__, self._t, keys, t)
        except (RuntimeError, IndexError):
            mask = key if isinstance(key, ndarray) and key.dtype is BOOL else None
            if mask is not None and t.dim() == 1:
                raise ValueError(f"NumPy boolean array indexing assignment cannot assign {t.shape[0]} input values to the "
                                 f"{place[0]} output values where the mask is true") from None
            fancy = any(isinstance(k, _Tensor) for k in (keys if isinstance(keys, tuple) else (keys,)))
            if fancy:
                raise ValueError(f"shape mismatch: value array of shape {_listed(t.shape)} could not be broadcast to "
                                 f"indexing result of shape {_listed(place)}") from None
            raise ValueError(f"could not broadcast input array from shape {_listed(t.shape)} into shape {_listed(place)}") from None

    def __delitem__(self, key):
        raise ValueError("cannot delete array elements")

    def _writable(self):
        if not self._writes:
            raise ValueError("assignment destination is read-only")
        if self._negative:
            raise NotImplementedError("numpy: writing into a view with a negative step; write into a copy()")

    def _assign(self, t):
        """Writes the result of `out=` or `a += b`. If this array can't hold it, returns its dtype."""
        self._writable()
        if t.shape != self._t.shape:
            broadcast(tuple(t.shape), self.shape)
            if tuple(t.shape) != self.shape and broadcast(tuple(t.shape), self.shape) != self.shape:
                raise ValueError(f"non-broadcastable output operand with shape {_listed(self.shape)} doesn't match the "
                                 f"broadcast shape {_listed(broadcast(tuple(t.shape), self.shape))}")
        have = _t.OF_TORCH[t.dtype]
        if RANK[have.kind] > RANK[self.dtype.kind]:
            return have
        _quiet(self._t.copy_, t)
        return None

    def _like(self, array):
        return array

    def fill(self, value):
        self[...] = value

    def copy(self, order="C"):
        _order(order)
        return _wrap(_quiet(lambda: _copied(self._t, order)))

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        d = as_dtype(dtype)
        if d is self.dtype and not copy:
            return self
        import numpy
        if casting != "unsafe" and not numpy.can_cast(self.dtype, d, casting):
            raise TypeError(f"Cannot cast array data from {self.dtype!r} to {d!r} according to the rule '{casting}'")
        if d._torch is None:
            from numpy import _boxed
            return _boxed.of(self.reshape(-1).tolist(), self.shape, d if d.itemsize else promote(d, self.dtype))
        t = cast(self._t, d)
        if t is not self._t:
            numpy._errors.check_cast(self._t, t, d)
        return _wrap(_quiet(_copied, t, order) if t is self._t or order in "CF" else t)

    def view(self, dtype=None, type=None):
        if dtype is None or as_dtype(dtype) is self.dtype:
            return _wrap(self._t.detach())
        d = as_dtype(dtype)
        if self.ndim == 0 and d.itemsize != self.itemsize:
            raise ValueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
        if self.ndim and self.shape[-1] * self.itemsize % d.itemsize:
            raise ValueError("When changing to a larger dtype, its size must be a divisor of the total size in bytes of the "
                             "last axis of the array.")
        # Complex numbers are pairs of reals; other views would need the engine to read memory as another dtype.
        if self.dtype.kind == "c" and d is _t.to_real(self.dtype) and self.ndim:
            return _wrap(_quiet(_C.view_as_real, self._t).reshape(self.shape[:-1] + (-1,)))
        if d.kind == "c" and self.dtype is _t.to_real(d) and self.ndim:
            return _wrap(_quiet(_C.view_as_complex, self._t.reshape(self.shape[:-1] + (-1, 2))))
        if d._torch is not None and "c" not in (d.kind, self.dtype.kind):
            if d.itemsize != self.itemsize and self.shape[-1] > 1 and self._t.stride(-1) != 1:
                raise ValueError("To change to a dtype of a different size, the last axis must be contiguous")
            return _wrap(_quiet(self._t.detach().view, d._torch))
        raise NotImplementedError(f"numpy.ndarray.view({d!r}) of {self.dtype}: copy with astype() or frombuffer(a.tobytes())")

    # -- shape --

    def reshape(self, *shape, order="C", copy=None):
        shape = shape[0] if len(shape) == 1 and not _is_int(shape[0]) else shape
        shape = _shape(shape)
        if order == "F" or order == "A" and _is_ordered(self._t, "F") and not self._t.is_contiguous():
            known = [n for n in shape if n >= 0]
            if len(known) < len(shape) and 0 not in known:
                shape = tuple(self.size // _count(known) if n < 0 else n for n in shape)
            return self.T.reshape(shape[::-1]).T
        if sum(n < 0 for n in shape) > 1:
            raise ValueError("can only specify one unknown dimension")
        try:
            out = _wrap(_quiet(self._t.reshape, shape))
        except RuntimeError:
            raise ValueError(f"cannot reshape array of size {self.size} into shape "
                             f"{_listed(shape)}") from None
        out._negative = self._negative
        if _C._shares_memory(out._t, self._t):
            out._base = self if self._base is None else self._base
        return out

    def ravel(self, order="C"):
        _order(order)
        if order == "K":
            order = "F" if not self._t.is_contiguous() and _is_ordered(self._t, "F") else "C"
        return self.reshape(-1, order=order)

    def flatten(self, order="C"):
        return self.ravel(order).copy()

    def transpose(self, *axes):
        axes = axes[0] if len(axes) == 1 and not _is_int(axes[0]) else axes
        if axes is None or not len(axes):
            axes = range(self.ndim)[::-1]
        if len(axes) != self.ndim:
            raise ValueError("axes don't match array")
        axes = [axes_of(a, self.ndim)[0] for a in axes]
        if len(set(axes)) < len(axes):
            raise ValueError("repeated axis in transpose")
        return self._viewed(self._t.permute(*axes)) if self.ndim else self

    def _bare(self):
        """What `asarray` makes of an array of a class of its own."""
        return self._viewed(self._t)

    def _viewed(self, t):
        out = _wrap(t)
        out._negative, out._writes, out._base = self._negative, self._writes, self if self._base is None else self._base
        return out

    def swapaxes(self, axis1, axis2):
        places = []
        for name, axis in (("axis1", axis1), ("axis2", axis2)):
            try:
                places += axes_of(axis, self.ndim)
            except AxisError:
                raise AxisError(axis, self.ndim, name) from None
        return self._viewed(self._t.transpose(*places))

    def squeeze(self, axis=None):
        if axis is None:
            return self._viewed(self._t.squeeze())
        for a in sorted(axes_of(axis, self.ndim)):
            if self.shape[a] != 1:
                raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        return self._viewed(self._t.squeeze(tuple(axes_of(axis, self.ndim))))

    def resize(self, *shape, refcheck=True):
        import numpy
        shape = _shape(shape[0] if len(shape) == 1 else shape)
        flat = self.ravel()[:_count(shape)]
        made = numpy.zeros(_count(shape), self.dtype)
        made[:flat.size] = flat
        self._t = made.reshape(shape)._t


def _count(shape):
    n = 1
    for size in shape:
        n *= size
    return n


def _order(order):
    if order is not None and not isinstance(order, str):
        raise TypeError(f"order must be str, not {type(order).__name__}")


def _listed(shape):
    """A shape as NumPy's errors show it."""
    # An unknown size is an axis without a name, and NumPy leaves out the first ones.
    first = next((i for i, n in enumerate(shape) if n >= 0), 0)
    return "(" + ",".join("newaxis" if n < 0 else str(n) for n in shape[first:]) + ("," if len(shape) == 1 else "") + ")"


def _whole(n):
    try:
        return operator.index(n)
    except TypeError:
        raise TypeError(f"'{type(n).__name__}' object cannot be interpreted as an integer") from None


def _shape(shape):
    if _is_int(shape):
        return (operator.index(shape),)
    if not isinstance(shape, (str, bytes)) and hasattr(shape, "__len__"):
        return tuple(_whole(n) for n in shape)
    raise TypeError(f"expected a sequence of integers or a single integer, got '{shape}'"
                    if isinstance(shape, float) else f"'{type(shape).__name__}' object cannot be interpreted as an integer")


def _is_int(x):
    return isinstance(x, (int, _t.integer)) or isinstance(x, ndarray) and x.ndim == 0 and x.dtype.kind in "iu"


def axes_of(axis, ndim):
    """Axes from 0, checked."""
    out = []
    for a in axis if isinstance(axis, (tuple, list)) else (axis,):
        a = _whole(a)
        if not -ndim <= a < ndim:
            raise AxisError(a, ndim)
        out.append(a % ndim)
    if len(set(out)) < len(out):
        raise ValueError("duplicate value in 'axis'")
    return out


_BAD_INDEX = ("only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid "
              "indices")


def _keys(shape, key):
    """A key as tensors take it; the dimensions of the result to reverse; whether only integers and slices were given."""
    ndim = len(shape)
    if type(key) is int and ndim:
        n = shape[0]
        if not -n <= key < n:
            raise IndexError(f"index {key} is out of bounds for axis 0 with size {n}")
        return key, None, True
    keys = key if type(key) is tuple else (key,)
    found = []
    used = 0
    for k in keys:
        if k is None or k is Ellipsis or isinstance(k, slice):
            used += isinstance(k, slice)
        elif isinstance(k, (builtins.bool, _t.bool)):
            k = _C.tensor(builtins.bool(k), device="cpu")
        elif _is_int(k):
            k = operator.index(k)
            used += 1
        elif isinstance(k, (list, tuple, range, ndarray, _Tensor)) or hasattr(k, "__array__"):
            bare = not isinstance(k, (list, tuple, range))
            if isinstance(k, range):
                k = list(k)
            k = tensor_of(k if isinstance(k, (list, tuple, ndarray, _Tensor)) else asarray(k))
            if k.numel() == 0 and k.dtype.is_floating_point:
                k = cast(k, INT64)
            if k.dtype.is_floating_point:
                raise IndexError("arrays used as indices must be of integer (or boolean) type" if bare else
                                 _BAD_INDEX)
            used += k.dim() if k.dtype == _C.bool else 1
        else:
            raise IndexError(_BAD_INDEX)
        found.append(k)
    if used > ndim:
        raise IndexError(f"too many indices for array: array is {ndim}-dimensional, but {used} were indexed")
    axis = place = 0
    out, flips, plain, ellipsis = [], [], True, False
    for k in found:
        if k is Ellipsis:
            if ellipsis:
                raise IndexError("an index can only have a single ellipsis ('...')")
            ellipsis, plain = True, False
            axis += ndim - used
            place += ndim - used
        elif k is None:
            place += 1
        elif isinstance(k, slice):
            n = shape[axis]
            if k.step is not None and k.step < 0:
                steps = range(*k.indices(n))
                k = slice(steps[-1], steps[0] + 1, -steps.step) if steps else slice(0, 0)
                flips.append(place)
            axis += 1
            place += 1
        elif isinstance(k, int):
            n = shape[axis]
            if not -n <= k < n:
                raise IndexError(f"index {k} is out of bounds for axis {axis} with size {n}")
            axis += 1
        else:
            plain = False
            if k.dtype == _C.bool:
                for i, size in enumerate(k.shape):
                    if size != shape[axis + i]:
                        raise IndexError(
                            f"boolean index did not match indexed array along axis {axis + i}; size of axis is "
                            f"{shape[axis + i]} but size of corresponding boolean axis is {size}")
                axis += k.dim()
            else:
                n = shape[axis]
                if k.numel():
                    low, high = _quiet(k.min).item(), _quiet(k.max).item()
                    bad = low if low < -n else high if high >= n else None
                    if bad is not None:
                        raise IndexError(f"index {bad} is out of bounds for axis {axis} with size {n}")
                axis += 1
            if flips:
                raise NotImplementedError("numpy: a negative step beside an index array")
        out.append(k)
    if flips and not plain and any(isinstance(k, _Tensor) for k in out):
        raise NotImplementedError("numpy: a negative step beside an index array")
    return tuple(out), flips, plain
