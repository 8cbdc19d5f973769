"""`ndarray`: host memory with NumPy's semantics.

An array holds a host tensor, so that `tensor.numpy()` and `torch.from_numpy(array)` share memory. Everything is computed by
the operators of `torch`, after the operands were brought to the dtype that NumPy computes in; the engine neither counts nor
reports it, because it is not PyTorch's.
"""

import builtins
import math
import operator
import warnings

import _torch as _C

from numpy import _types as _t
from numpy._types import ALL, BOOL, FLOAT64, INT64, as_dtype, dtype, generic, number, promote, to_float

_quiet = _C._quietly
_Tensor = _C.Tensor


class AxisError(ValueError, IndexError):
    pass


class UFuncTypeError(TypeError):
    pass


def _wrap(t):
    """An array over a host tensor."""
    self = object.__new__(ndarray)
    self._t = t
    return self


def _answer(t):
    """What a computation answers: a number for no dimensions, else an array."""
    if t.dim() == 0:
        return number(_t.OF_TORCH[t.dtype], _quiet(t.item))
    return _wrap(t)


def _call(function, *args, **options):
    return _answer(_quiet(function, *args, **options))


def cast(t, d):
    return t if t.dtype == d._torch else _quiet(t.to, d._torch)


def tensor_of(x, d=None):
    """The host tensor of anything that `asarray` takes."""
    if type(x) is ndarray:
        t = x._t
    elif isinstance(x, ndarray):
        t = x._t
    elif isinstance(x, _Tensor):
        t = x.numpy()._t
    elif isinstance(x, generic):
        t = _quiet(_C.full, (), x._v, dtype=x._torch, device="cpu")
    elif isinstance(x, (str, bytes, dict, set, complex)) or x is None:
        raise NotImplementedError(f"numpy arrays of {type(x).__name__}")
    elif hasattr(x, "__array__"):
        t = x.__array__()._t
    else:
        if not isinstance(x, (list, tuple, int, float)) and not hasattr(x, "__len__"):
            raise NotImplementedError(f"numpy arrays of {type(x).__name__}")
        t = _from_list(x)
    return t if d is None else cast(t, d)


def _from_list(x):
    first = x
    while isinstance(first, (list, tuple)) and first:
        first = first[0]
    if isinstance(first, _Tensor):
        x = _arrays(x)
    try:
        return _C._host_tensor(x)
    except ValueError:
        if _has(x, (str, bytes)):
            raise NotImplementedError("numpy arrays of str") from None
        shape = _shape_until_ragged(x)
        raise ValueError(
            "setting an array element with a sequence. The requested array has an inhomogeneous shape after "
            f"{len(shape)} dimensions. The detected shape was {shape} + inhomogeneous part.") from None
    except (TypeError, RuntimeError) as error:
        if "numpy" in str(error):
            raise
        if _has(x, (str, bytes)):
            raise NotImplementedError("numpy arrays of str") from None
        shape = _shape_until_ragged(x)
        if isinstance(error, TypeError) and "expected sequence" in str(error):
            raise ValueError(
                "setting an array element with a sequence. The requested array has an inhomogeneous shape after "
                f"{len(shape)} dimensions. The detected shape was {shape} + inhomogeneous part.") from None
        raise NotImplementedError(f"numpy arrays of these elements ({error})") from None


def _arrays(x):
    """Nested lists with arrays in place of tensors, which must be on the host."""
    if isinstance(x, (list, tuple)):
        return [_arrays(item) for item in x]
    return x.numpy() if isinstance(x, _Tensor) else x


def _has(x, kinds):
    return isinstance(x, kinds) or isinstance(x, (list, tuple)) and any(_has(item, kinds) for item in x)


def _shape_until_ragged(x):
    shape, level = [], [x]
    while level and all(isinstance(item, (list, tuple)) for item in level):
        lengths = {len(item) for item in level}
        if len(lengths) > 1:
            break
        shape.append(lengths.pop())
        level = [inner for item in level for inner in item]
    return tuple(shape)


def _text_of(x, dtype):
    """An array of text, if that is what `x` holds and nothing else is asked for."""
    if dtype is not None and dtype is not str or not isinstance(x, (str, list, tuple, ndarray)):
        return None
    if isinstance(x, ndarray):
        return x if getattr(x, "_is_text", False) else None
    if not _has(x, str):
        return None
    from numpy import _strings
    return _strings.array(x)


def _copied(t, order):
    """A copy in an order of memory: by rows, by columns, as it is ("K"), or by columns if it is so ("A")."""
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


def asarray(a, dtype=None, order=None, *, copy=None, device=None, like=None):
    """The array itself if it has the dtype, else a new one; of a tensor, one over its memory."""
    text = _text_of(a, dtype)
    if text is not None:
        return text.copy() if copy else text
    d = None if dtype is None else as_dtype(dtype)
    if isinstance(a, ndarray) and (d is None or a.dtype is d):
        if copy or order is not None and not _is_ordered(a._t, order):
            return a.copy(order or "K")
        return a
    t = tensor_of(a, d)
    if copy or order is not None and not _is_ordered(t, order):
        t = _quiet(lambda: _copied(t, order or "K"))
    return _wrap(t)


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None):
    text = _text_of(object, dtype)
    if text is not None:
        while text.ndim < ndmin:
            text = text[None]
        return text.copy() if copy else text
    d = None if dtype is None else as_dtype(dtype)
    try:
        source = tensor_of(object)
    except TypeError:
        if isinstance(object, _Tensor):
            # NumPy takes any TypeError for that of a parameter it does not find.
            warnings.warn(
                "__array__ implementation doesn't accept a copy keyword, so passing copy=False failed. __array__ must "
                "implement 'dtype' and 'copy' keyword arguments. To learn more, see the migration guide "
                "https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword",
                DeprecationWarning, stacklevel=2)
        raise
    t = source if d is None else cast(source, d)
    if copy and t is source and isinstance(object, (ndarray, _Tensor)) or copy and hasattr(object, "__array__"):
        t = _quiet(lambda: _copied(t, order))
    elif not _is_ordered(t, order):
        t = _quiet(lambda: _copied(t, order))
    while t.dim() < ndmin:
        t = t.unsqueeze(0)
    return _wrap(t)


# ---- operands --------------------------------------------------------------------------------------------------------


def _is_foreign(x):
    """What arithmetic leaves to the other operand."""
    return isinstance(x, (_Tensor, str, bytes, dict, set)) or x is None


def _weak(x):
    """A Python int or float takes the dtype of what it meets."""
    return type(x) in (int, float)


def _fit(value, d):
    """Refuses a Python int that its partner's dtype cannot hold."""
    if d.kind in "iu" and type(value) is int:
        low, high = _t.limits(d)
        if not low <= value <= high:
            raise OverflowError(f"Python integer {value} out of bounds for {d}")
    return value


def _meets(d, value):
    """The dtype of an array with a Python number."""
    if type(value) is float:
        return d if d.kind == "f" else FLOAT64
    return INT64 if d.kind == "b" else d


def dtype_of(x):
    if isinstance(x, (ndarray, generic)):
        return x.dtype
    if type(x) is builtins.bool:
        return BOOL
    return _t.OF_TORCH[tensor_of(x).dtype]


def pair(x, y):
    """Two operands as tensors or Python numbers, and the dtype that they meet in."""
    if _weak(x) and _weak(y):
        d = FLOAT64 if float in (type(x), type(y)) else INT64
        return tensor_of(x, d), y, d
    if _weak(y):
        t = tensor_of(x)
        d = _meets(_t.OF_TORCH[t.dtype], y)
        return t, _fit(y, d), d
    if _weak(x):
        t = tensor_of(y)
        d = _meets(_t.OF_TORCH[t.dtype], x)
        return _fit(x, d), t, d
    a, b = tensor_of(x), tensor_of(y)
    if a.shape != b.shape and a.dim() and b.dim():
        broadcast(a.shape, b.shape)
    return a, b, promote(_t.OF_TORCH[a.dtype], _t.OF_TORCH[b.dtype])


def broadcast(*shapes):
    """The shape that shapes broadcast to."""
    out = []
    for sizes in zip(*((1,) * (max(map(len, shapes)) - len(s)) + tuple(s) for s in shapes)):
        large = {n for n in sizes if n != 1}
        if len(large) > 1:
            listed = " ".join(map(_listed, shapes))
            raise ValueError(f"operands could not be broadcast together with shapes {listed} ")
        out.append(large.pop() if large else 1)
    return tuple(out)


def _at(x, d):
    """An operand in a dtype; a Python number stays, for it takes the dtype by itself."""
    return cast(x, d) if isinstance(x, _Tensor) else x


# ---- universal functions ---------------------------------------------------------------------------------------------


class ufunc:
    """A function of each element."""

    def __init__(self, name, inputs, compute, reduce=None, accumulate=None, identity=None):
        self.__name__ = self.__qualname__ = name
        self.nin, self.nout = inputs, 1
        self._compute = compute
        self._reduce, self._accumulate, self.identity = reduce, accumulate, identity

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def __call__(self, *args, out=None, where=True, dtype=None, casting="same_kind", order="K", subok=True):
        if len(args) == self.nin + 1 and out is None:
            args, out = args[:-1], args[-1]
        if len(args) != self.nin:
            given = "argument" if len(args) == 1 else "arguments"
            raise TypeError(f"{self.__name__}() takes from {self.nin} to {self.nin + 1} positional arguments but "
                            f"{len(args)} were given")
        if where is not True and out is None:
            raise NotImplementedError(f"numpy.{self.__name__}(where=) without out=")
        if isinstance(out, tuple):
            out = out[0]
        if dtype is not None:
            args = [asarray(a, dtype) for a in args]
        t = self._compute(*args)
        if out is None:
            if any(isinstance(a, _Tensor) for a in args):
                # As PyTorch's `__array_wrap__`: a tensor among the operands makes the result one.
                return _C.from_numpy(_wrap(t))
            return _answer(t)
        if where is not True:
            t = _quiet(_C.where, cast(tensor_of(where), BOOL), t, out._t)
        out._assign(t)
        return out

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, **options):
        if self._reduce is None:
            raise NotImplementedError(f"numpy.{self.__name__}.reduce")
        return self._reduce(array, axis=axis, keepdims=keepdims)

    def accumulate(self, array, axis=0, dtype=None, out=None):
        if self._accumulate is None:
            raise NotImplementedError(f"numpy.{self.__name__}.accumulate")
        return self._accumulate(array, axis=axis)

    def outer(self, a, b):
        a, b = asarray(a), asarray(b)
        return self(a.reshape(a.shape + (1,) * b.ndim), b)

    def at(self, *args):
        raise NotImplementedError(f"numpy.{self.__name__}.at")

    def reduceat(self, *args):
        raise NotImplementedError(f"numpy.{self.__name__}.reduceat")


def _refuse_bool(name, d, advice):
    if d is BOOL:
        raise TypeError(f"numpy boolean {name}, {advice}")


def _add(x, y):
    a, b, d = pair(x, y)
    if d is BOOL:
        return _quiet(_C.logical_or, a, b)
    return _quiet(_C.add, _at(a, d), _at(b, d))


def _subtract(x, y):
    a, b, d = pair(x, y)
    _refuse_bool("subtract, the `-` operator, is not supported", d,
                 "use the bitwise_xor, the `^` operator, or the logical_xor function instead.")
    return _quiet(_C.sub, _at(a, d), _at(b, d))


def _multiply(x, y):
    a, b, d = pair(x, y)
    if d is BOOL:
        return _quiet(_C.logical_and, a, b)
    return _quiet(_C.mul, _at(a, d), _at(b, d))


def _divide(x, y):
    a, b, d = pair(x, y)
    d = d if d.kind == "f" else FLOAT64
    return _quiet(_C.true_divide, _at(a, d), _at(b, d))


def _whole(function):
    """Floor division and remainder. NumPy answers 0 where an integer is divided by zero."""
    def compute(x, y):
        a, b, d = pair(x, y)
        if d is BOOL:
            d = ALL["int8"]
        a, b = _at(a, d), _at(b, d)
        if d.kind != "f":
            if not isinstance(b, _Tensor):
                b = _quiet(_C.full, (), b, dtype=d._torch, device="cpu")
            zero = _quiet(_C.eq, b, 0)
            if _quiet(zero.any).item():
                safe = _quiet(_C.where, zero, _quiet(_C.ones_like, b), b)
                return _quiet(_C.mul, _quiet(function, a, safe), cast(_quiet(_C.logical_not, zero), d))
        return _quiet(function, a, b)
    return compute


def _power(x, y):
    a, b, d = pair(x, y)
    if d is BOOL:
        d = ALL["int8"]
    a, b = _at(a, d), _at(b, d)
    if d.kind != "f":
        negative = b < 0 if not isinstance(b, _Tensor) else _quiet(_quiet(_C.lt, b, 0).any).item()
        if negative:
            raise ValueError("Integers to negative integer powers are not allowed.")
    return _quiet(_C.pow, a, b)


def _compare(function):
    def compute(x, y):
        a, b, d = pair_unchecked(x, y)
        return _quiet(function, _at(a, d), _at(b, d))
    return compute


def pair_unchecked(x, y):
    """As `pair` for comparisons, which take every Python int."""
    for number_, other in ((x, y), (y, x)):
        if type(number_) is int and isinstance(other, (ndarray, generic)) and other.dtype.kind in "iu":
            low, high = _t.limits(other.dtype)
            if not low <= number_ <= high:
                a, b = tensor_of(x, INT64), tensor_of(y, INT64)
                return a, b, INT64
    return pair(x, y)


def _extreme(function):
    def compute(x, y):
        a, b, d = pair(x, y)
        a, b = (v if isinstance(v, _Tensor) else _quiet(_C.full, (), v, dtype=d._torch, device="cpu") for v in (a, b))
        return _quiet(function, cast(a, d), cast(b, d))
    return compute


def _logical(function):
    def compute(x, y):
        return _quiet(function, cast(tensor_of(x), BOOL), cast(tensor_of(y), BOOL))
    return compute


def _bits(name, function):
    def compute(x, y):
        a, b, d = pair(x, y)
        if d.kind == "f":
            raise TypeError(f"ufunc '{name}' not supported for the input types, and the inputs could not be safely coerced "
                            "to any supported types according to the casting rule ''safe''")
        return _quiet(function, _at(a, d), _at(b, d))
    return compute


def _real_pair(function):
    def compute(x, y):
        a, b, d = pair(x, y)
        d = to_float(d)
        a, b = (v if isinstance(v, _Tensor) else _quiet(_C.full, (), v, dtype=d._torch, device="cpu") for v in (a, b))
        return _quiet(function, cast(a, d), cast(b, d))
    return compute


def _real(function):
    """A function of reals: integers are taken as floats."""
    def compute(x):
        t = tensor_of(x)
        return _quiet(function, cast(t, to_float(_t.OF_TORCH[t.dtype])))
    return compute


def _same(function, name=None):
    """A function that keeps the dtype."""
    def compute(x):
        t = tensor_of(x)
        if name and t.dtype == _C.bool:
            raise TypeError(name)
        return _quiet(function, t)
    return compute


def _rounding(function):
    """Rounding leaves integers alone."""
    def compute(x):
        t = tensor_of(x)
        return _quiet(t.clone) if not t.dtype.is_floating_point else _quiet(function, t)
    return compute


def _test(function):
    return lambda x: _quiet(function, tensor_of(x))


# ---- the array -------------------------------------------------------------------------------------------------------


class ndarray:
    """An array of numbers of one dtype."""

    __array_priority__ = 0.0
    # A view of negative strides in NumPy; here a copy in that order.
    _negative = False

    def __new__(cls, shape, dtype=float, buffer=None, offset=0, strides=None, order=None):
        if buffer is not None:
            raise NotImplementedError("numpy.ndarray(buffer=)")
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

    mT = property(lambda self: self.swapaxes(-1, -2))
    real = property(lambda self: self)

    @property
    def base(self):
        raise NotImplementedError("numpy.ndarray.base")

    @property
    def flat(self):
        return iter(self.reshape(-1))

    @property
    def flags(self):
        raise NotImplementedError("numpy.ndarray.flags")

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
            return (self.reshape(-1)[key] if isinstance(key, int) else self[tuple(key)]).item()
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return _quiet(self._t.item)

    def tolist(self):
        return _quiet(self._t.tolist)

    def tobytes(self, order="C"):
        import struct
        code = {"?": "?"}.get(self.dtype.char, self.dtype.char.replace("l", "q"))
        values = self.reshape(-1).tolist()
        return struct.pack(f"<{len(values)}{code}", *values)

    def _one(self, what):
        if self.size != 1:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return _quiet(self._t.reshape(()).item)

    def __float__(self):
        return float(self._one("float"))

    def __int__(self):
        return int(self._one("int"))

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

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return (_rebuild, (self.reshape(-1).tolist(), self.shape, self.dtype.name))

    # -- elements --

    def __getitem__(self, key):
        keys, flips, plain = _keys(self._t.shape, key)
        t = _quiet(_Tensor.__getitem__, self._t, keys)
        if flips:
            out = _wrap(_quiet(t.flip, flips))
            out._negative = True
            return out
        if plain and t.dim() == 0:
            return _answer(t)
        out = _wrap(t)
        if self._negative:
            out._negative = True
        return out

    def __setitem__(self, key, value):
        self._writable()
        keys, flips, _ = _keys(self._t.shape, key)
        if type(value) in (int, float, builtins.bool):
            if self.dtype.kind in "iu":
                value = _fit(value if type(value) is not float else int(value), self.dtype)
            _quiet(_Tensor.__setitem__, self._t, keys, value)
            return
        t = tensor_of(value, self.dtype)
        if _C._shares_memory(t, self._t):
            # NumPy reads all before it writes.
            t = _quiet(t.clone)
        if flips:
            place = _quiet(_Tensor.__getitem__, self._t, keys)
            t = _quiet(_quiet(_C.broadcast_to, t, tuple(place.shape)).flip, flips)
        if t.dim() == 1 and t.shape[0] == 1:
            t = t.reshape(())
        try:
            _quiet(_Tensor.__setitem__, self._t, keys, t)
        except (RuntimeError, IndexError):
            place = tuple(_quiet(_Tensor.__getitem__, self._t, keys).shape)
            raise ValueError(f"could not broadcast input array from shape {_listed(t.shape)} into shape {_listed(place)}") from None

    def __delitem__(self, key):
        raise ValueError("cannot delete array elements")

    def _writable(self):
        if self._negative:
            raise NotImplementedError("numpy: writing into a view with a negative step; write into a copy()")

    def _assign(self, t):
        """What `out=` and `a += b` do."""
        self._writable()
        if t.shape != self._t.shape:
            broadcast(tuple(t.shape), self.shape)
            if tuple(t.shape) != self.shape and broadcast(tuple(t.shape), self.shape) != self.shape:
                raise ValueError(f"non-broadcastable output operand with shape {_listed(self.shape)} doesn't match the "
                                 f"broadcast shape {_listed(broadcast(tuple(t.shape), self.shape))}")
        have = _t.OF_TORCH[t.dtype]
        if "biuf".index(have.kind.replace("u", "i")) > "biuf".index(self.dtype.kind.replace("u", "i")):
            return have
        _quiet(self._t.copy_, t)
        return None

    def fill(self, value):
        self[...] = value

    def copy(self, order="C"):
        return _wrap(_quiet(lambda: _copied(self._t, order)))

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        d = as_dtype(dtype)
        if d is self.dtype and not copy:
            return self
        return _wrap(_quiet(self._t.to, d._torch, copy=True))

    def view(self, dtype=None, type=None):
        if dtype is None or as_dtype(dtype) is self.dtype:
            return _wrap(self._t.detach())
        raise NotImplementedError("numpy.ndarray.view(dtype)")

    # -- shape --

    def reshape(self, *shape, order="C", copy=None):
        if order not in ("C", "A", "K"):
            raise NotImplementedError("numpy.reshape(order='F')")
        shape = shape[0] if len(shape) == 1 and not _is_int(shape[0]) else shape
        shape = tuple(operator.index(n) for n in shape)
        try:
            out = _wrap(_quiet(self._t.reshape, shape))
        except RuntimeError:
            raise ValueError(f"cannot reshape array of size {self.size} into shape {_listed(shape)}") from None
        out._negative = self._negative
        return out

    def ravel(self, order="C"):
        return self.reshape(-1, order=order)

    def flatten(self, order="C"):
        return self.reshape(-1, order=order).copy()

    def transpose(self, *axes):
        axes = axes[0] if len(axes) == 1 and not _is_int(axes[0]) else axes
        if not axes:
            axes = range(self.ndim)[::-1]
        if len(axes) != self.ndim:
            raise ValueError("axes don't match array")
        return _wrap(self._t.permute(*[operator.index(a) for a in axes])) if self.ndim else self

    def swapaxes(self, a, b):
        return _wrap(self._t.transpose(a, b))

    def squeeze(self, axis=None):
        if axis is None:
            return _wrap(self._t.squeeze())
        for a in sorted(axes_of(axis, self.ndim)):
            if self.shape[a] != 1:
                raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        return _wrap(self._t.squeeze(tuple(axes_of(axis, self.ndim))))

    def repeat(self, repeats, axis=None):
        import numpy
        return numpy.repeat(self, repeats, axis)

    def resize(self, *shape):
        raise NotImplementedError("numpy.ndarray.resize")


def _listed(shape):
    """A shape as NumPy's errors show it."""
    return "(" + ",".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def _rebuild(values, shape, name):
    return array(values, dtype=name).reshape(shape)


def _shape(shape):
    return (operator.index(shape),) if _is_int(shape) else tuple(operator.index(n) for n in shape)


def _is_int(x):
    return isinstance(x, (int, _t.integer)) or isinstance(x, ndarray) and x.ndim == 0


def axes_of(axis, ndim):
    """Axes from 0, checked."""
    out = []
    for a in axis if isinstance(axis, (tuple, list)) else (axis,):
        a = operator.index(a)
        if not -ndim <= a < ndim:
            raise AxisError(f"axis {a} is out of bounds for array of dimension {ndim}")
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
        elif isinstance(k, (list, tuple, ndarray, _Tensor)):
            k = tensor_of(k)
            if k.numel() == 0 and k.dtype.is_floating_point:
                k = cast(k, INT64)
            if k.dtype.is_floating_point:
                raise IndexError("arrays used as indices must be of integer (or boolean) type")
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


# ---- operators -------------------------------------------------------------------------------------------------------


def _operators(functions):
    """Gives arrays and numbers their operators. `functions`: name of the operator, sign, universal function."""

    def forward(sign, function):
        def method(self, other):
            if isinstance(other, _Tensor):
                if isinstance(self, generic):
                    return NotImplemented
                raise TypeError(f"unsupported operand type(s) for {sign}: 'numpy.ndarray' and 'Tensor'")
            if other is None:
                kind = {"b": "bool", "i": "int", "u": "int", "f": "float"}[self.dtype.kind]
                raise TypeError(f"unsupported operand type(s) for {sign}: '{kind}' and 'NoneType'")
            return NotImplemented if _is_foreign(other) else function(self, other)
        return method

    def backward(function):
        def method(self, other):
            return NotImplemented if _is_foreign(other) and not isinstance(other, _Tensor) else function(other, self)
        return method

    def in_place(function):
        def method(self, other):
            if _is_foreign(other):
                return NotImplemented
            refused = self._assign(function._compute(self, other))
            if refused is not None:
                raise UFuncTypeError(f"Cannot cast ufunc '{function.__name__}' output from dtype('{refused}') to "
                                     f"dtype('{self.dtype}') with casting rule 'same_kind'")
            return self
        return method

    def compared(name, function):
        def method(self, other):
            if isinstance(other, _Tensor) and isinstance(self, generic):
                return NotImplemented
            if other is None or isinstance(other, (str, bytes, dict, set)):
                if name in ("eq", "ne"):
                    import numpy
                    return numpy.full(self.shape, name == "ne") if self.ndim else name == "ne"
                return NotImplemented
            return function(self, other)
        return method

    def quick(plain, slow, compares):
        # Between two Python floats, Python's arithmetic is NumPy's.
        def method(self, other):
            if type(other) in (float, int, _t.float64):
                value = plain(self, other)
                if value is not NotImplemented:
                    return number(BOOL if compares else FLOAT64, value)
            return slow(self, other)
        return method

    for name, sign, function in functions:
        for cls in (ndarray, generic, _t.float64):
            method = compared(name, function) if sign is None else forward(sign, function)
            if cls is _t.float64 and (sign is None or name in ("add", "sub", "mul")):
                method = quick(getattr(float, f"__{name}__"), method, sign is None)
            setattr(cls, f"__{name}__", method)
            if sign is not None:
                setattr(cls, f"__r{name}__", backward(function))
        if sign is not None:
            setattr(ndarray, f"__i{name}__", in_place(function))
