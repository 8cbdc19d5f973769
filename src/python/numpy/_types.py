"""NumPy's dtypes and numbers."""

import builtins
import math
import struct

import _torch as _C


class dtype:
    """What an array's elements are: one object for each."""

    def __new__(cls, obj, align=False, copy=False):
        return as_dtype(obj)

    def __repr__(self):
        return f"dtype('{self}')"

    def __str__(self):
        return self.str if self.kind == "U" else self.name

    def __eq__(self, other):
        try:
            if self.kind == "U":
                return type(other) is dtype and self.str == other.str
            return self is as_dtype(other)
        except (TypeError, NotImplementedError):
            return False

    def __hash__(self):
        return hash(self.name)

    def __reduce__(self):
        return (as_dtype, (self.name,))

    def newbyteorder(self, order="S"):
        raise NotImplementedError("numpy.dtype.newbyteorder")

    names = None
    fields = None
    shape = ()
    ndim = 0
    isnative = True
    byteorder = "="


class generic:
    """A number that an array holds: `_v` as a Python number."""

    __slots__ = ()
    shape = ()
    ndim = 0
    size = 1
    __array_priority__ = -1000000.0

    def __new__(cls, value=0, *args):
        if cls.__subclasses__():
            raise TypeError(f"cannot create 'numpy.{cls.__name__}' instances")
        return number(cls.dtype, value)

    def item(self, *args):
        return self._v

    tolist = item

    @property
    def T(self):
        return self

    @property
    def real(self):
        return self

    @property
    def nbytes(self):
        return self.dtype.itemsize

    itemsize = nbytes

    def __str__(self):
        from numpy import _text
        return _text.scalar(self._v, self.dtype)

    def __repr__(self):
        return f"np.{type(self).__name__}({self})"

    def __format__(self, spec):
        return format(self._v, spec) if spec else str(self)

    def __hash__(self):
        return hash(self._v)

    def __bool__(self):
        return bool_of(self._v)

    def __float__(self):
        return float(self._v)

    def __int__(self):
        return int(self._v)

    def __reduce__(self):
        return (number, (self.dtype, self._v))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __round__(self, digits=None):
        if digits is None:
            return round(self._v)
        return number(self.dtype, round(self._v, digits))


bool_of = builtins.bool


class number_(generic):
    __slots__ = ()


class integer(number_):
    __slots__ = ()

    def __index__(self):
        return self._v


class signedinteger(integer):
    __slots__ = ()


class unsignedinteger(integer):
    __slots__ = ()


class inexact(number_):
    __slots__ = ()


class floating(inexact):
    __slots__ = ()

    def is_integer(self):
        return float(self._v).is_integer()

    def as_integer_ratio(self):
        return float(self._v).as_integer_ratio()


number_.__name__ = number_.__qualname__ = "number"


class bool(generic):
    __slots__ = ("_v",)

    def __repr__(self):
        return f"np.{self._v}_"

    def __str__(self):
        return str(self._v)


class int8(signedinteger):
    __slots__ = ("_v",)


class int16(signedinteger):
    __slots__ = ("_v",)


class int32(signedinteger):
    __slots__ = ("_v",)


class int64(signedinteger):
    __slots__ = ("_v",)


class uint8(unsignedinteger):
    __slots__ = ("_v",)


class uint16(unsignedinteger):
    __slots__ = ("_v",)


class uint32(unsignedinteger):
    __slots__ = ("_v",)


class float16(floating):
    __slots__ = ("_v",)


class float32(floating):
    __slots__ = ("_v",)


class float64(float, floating):
    """A Python float as well, as in NumPy."""

    __slots__ = ()

    @property
    def _v(self):
        return float.__float__(self)

    def __new__(cls, value=0.0, *args):
        if hasattr(value, "__len__") and not isinstance(value, str):
            import numpy
            made = numpy.array(value, dtype="float64")
            return made if made.ndim else made[()]
        return float.__new__(cls, value)

    def __repr__(self):
        return f"np.float64({self})"

    def __str__(self):
        return float.__repr__(self)

    def __format__(self, spec):
        return float.__format__(self, spec) if spec else str(self)

    def __hash__(self):
        return float.__hash__(self)

    def __bool__(self):
        return float.__bool__(self)

    __float__ = float.__float__
    item = tolist = lambda self, *args: float.__float__(self)
    __int__ = float.__int__
    is_integer = float.is_integer
    as_integer_ratio = float.as_integer_ratio

    def __round__(self, digits=None):
        return float.__round__(self) if digits is None else float64(float.__round__(self, digits))

    def __reduce__(self):
        return (float64, (self._v,))


ALL = {}
for _class, _kind, _size, _char, _tensor in [
    (bool, "b", 1, "?", _C.bool), (int8, "i", 1, "b", _C.int8), (uint8, "u", 1, "B", _C.uint8),
    (int16, "i", 2, "h", _C.int16), (uint16, "u", 2, "H", _C.uint16), (uint32, "u", 4, "I", _C.uint32), (int32, "i", 4, "i", _C.int32), (int64, "i", 8, "l", _C.int64),
    (float16, "f", 2, "e", _C.float16), (float32, "f", 4, "f", _C.float32), (float64, "f", 8, "d", _C.float64),
]:
    _d = object.__new__(dtype)
    _d.name, _d.kind, _d.itemsize, _d.char, _d.type, _d._torch = _class.__name__, _kind, _size, _char, _class, _tensor
    _d.str = ("|" if _size == 1 else "<") + ("b" if _kind == "b" else _kind) + str(_size)
    _d.num = len(ALL)
    ALL[_d.name] = _d
    _class.dtype = _d
    _class._torch = _tensor
    _class.__module__ = "numpy"
for _class in (generic, number_, integer, signedinteger, unsignedinteger, inexact, floating, dtype):
    _class.__module__ = "numpy"

BOOL, INT64, FLOAT64, FLOAT32 = ALL["bool"], ALL["int64"], ALL["float64"], ALL["float32"]
OF_TORCH = {d._torch: d for d in ALL.values()}
_ALIASES = {"float": FLOAT64, "double": FLOAT64, "single": FLOAT32, "half": ALL["float16"], "int": INT64, "int_": INT64,
            "intp": INT64, "long": INT64, "longlong": INT64, "intc": ALL["int32"], "short": ALL["int16"],
            "byte": ALL["int8"], "ubyte": ALL["uint8"], "ushort": ALL["uint16"], "uintc": ALL["uint32"], "bool_": BOOL, "float_": FLOAT64, "q": INT64}
for _d in ALL.values():
    _ALIASES[_d.char] = _ALIASES[_d.str] = _ALIASES[_d.str[1:]] = _d
_ABSENT = {"uint64", "complex64", "complex128", "complex", "object", "str", "bytes", "void",
           "datetime64", "timedelta64", "longdouble", "float128", "u8", "c8", "c16", "O", "S", "U", "V", "M8",
           "m8", "uint", "ulong"}


def as_dtype(obj):
    """The dtype that an object names. None names float64."""
    if type(obj) is dtype:
        return obj
    if obj is None or obj is float:
        return FLOAT64
    if obj is int:
        return INT64
    if obj is builtins.bool:
        return BOOL
    if isinstance(obj, str):
        found = ALL.get(obj) or _ALIASES.get(obj)
        if found is not None:
            return found
        name = obj.lstrip("<>|=")
        if name in _ABSENT or name[:1] in ("U", "S"):
            raise NotImplementedError(f"numpy arrays of dtype '{obj}'")
        raise TypeError(f"data type {obj!r} not understood")
    if isinstance(obj, type):
        if issubclass(obj, generic) and hasattr(obj, "dtype"):
            return obj.dtype
        if obj in (str, bytes, object, complex):
            raise NotImplementedError(f"numpy arrays of dtype '{obj.__name__}'")
        if issubclass(obj, generic):
            return {"floating": FLOAT64, "inexact": FLOAT64}.get(obj.__name__, INT64)
    if hasattr(obj, "dtype") and type(obj.dtype) is dtype:
        return obj.dtype
    raise TypeError(f"Cannot interpret '{obj!r}' as a data type")


_LIMITS = {name: _C._limits(d._torch) for name, d in ALL.items() if d.kind in "iu"}


def limits(d):
    return _LIMITS[d.name]


def number(d, value):
    """NumPy's number of a dtype, from a Python number."""
    if d is FLOAT64:
        return float.__new__(float64, value)
    if isinstance(value, generic):
        value = value._v
    elif hasattr(value, "__len__") or hasattr(value, "_t"):
        import numpy
        made = numpy.asarray(value).astype(d)
        return made if made.ndim else made[()]
    self = object.__new__(d.type)
    kind = d.kind
    if kind == "b":
        self._v = builtins.bool(value)
    elif kind == "f":
        value = float(value)
        code = "f" if d is FLOAT32 else "e"
        try:
            value = struct.unpack(code, struct.pack(code, value))[0]
        except OverflowError:
            value = math.copysign(math.inf, value)
        self._v = value
    else:
        value = int(value)
        low, high = _LIMITS[d.name]
        if not low <= value <= high:
            raise OverflowError(f"Python integer {value} out of bounds for {d}")
        self._v = value
    return self


def promote(a, b):
    """The dtype of arithmetic between two dtypes."""
    if a is b:
        return a
    if a.kind == "b":
        return b
    if b.kind == "b":
        return a
    if a.kind == "f" or b.kind == "f":
        if a.kind == b.kind:
            return a if a.itemsize > b.itemsize else b
        real, whole = (a, b) if a.kind == "f" else (b, a)
        need = 2 if whole.itemsize == 1 else 4 if whole.itemsize == 2 else 8
        return ALL[f"float{8 * max(need, real.itemsize)}"]
    if a.kind == b.kind:
        return a if a.itemsize > b.itemsize else b
    signed, other = (a, b) if a.kind == "i" else (b, a)
    return signed if signed.itemsize > other.itemsize else ALL[f"int{16 * other.itemsize}"]


def to_float(d):
    """The dtype that a function of reals answers for a dtype."""
    if d.kind == "f":
        return d
    return ALL["float16"] if d.itemsize == 1 else FLOAT32 if d.itemsize == 2 else FLOAT64


class finfo:
    """Limits of a floating-point dtype."""

    def __init__(self, obj):
        d = as_dtype(obj)
        if d.kind != "f":
            raise ValueError(f"data type {d.type!r} not inexact")
        eps, high, tiny, smallest, resolution = _C._limits(d._torch)
        make = d.type
        self.dtype, self.bits = d, 8 * d.itemsize
        self.eps, self.max, self.min, self.tiny = make(eps), make(high), make(-high), make(tiny)
        self.smallest_normal, self.smallest_subnormal = self.tiny, make(smallest)
        self.resolution = make(resolution)


class iinfo:
    """Limits of an integer dtype."""

    def __init__(self, obj):
        d = as_dtype(obj)
        if d.kind not in "iu":
            raise ValueError(f"Invalid integer data type {d.kind!r}.")
        self.dtype, self.kind, self.bits = d, d.kind, 8 * d.itemsize
        self.min, self.max = limits(d)

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"
