"""NumPy's dtypes and numbers."""

import builtins
import math
import struct
import types

import _torch as _C


class dtype:
    """The type of an array's elements. There's one object for each dtype."""

    def __new__(cls, obj, align=False, copy=False):
        if type(obj) is SwappedDtype:
            return obj
        if isinstance(obj, str) and obj[:1] == ">" and obj[1:] in _ALIASES and _ALIASES[obj[1:]].itemsize > 1:
            return SwappedDtype(_ALIASES[obj[1:]])
        found = as_dtype(obj)
        if copy and found.kind in "mM":
            # A pickle makes a dtype of dates first, and then tells its unit.
            made = object.__new__(type(found))
            made.__dict__.update(found.__dict__)
            return made
        return found

    def __repr__(self):
        return "dtype('O')" if self.kind == "O" else f"dtype('{self.str if self.kind in 'mM' else self}')"

    def __str__(self):
        return self.str if self.kind in "US" else self.name

    def __eq__(self, other):
        try:
            other = as_dtype(other)
        except (TypeError, NotImplementedError):
            return False
        return self is other or self.kind in "USmM" and self.str == other.str

    def __hash__(self):
        return hash(self.str)

    def __lt__(self, other):
        other = as_dtype(other)
        return self != other and promote(self, other) == other

    def __le__(self, other):
        return promote(self, as_dtype(other)) == as_dtype(other)

    def __gt__(self, other):
        return as_dtype(other) < self

    def __ge__(self, other):
        return as_dtype(other) <= self

    def __reduce__(self):
        if self.kind in "mM":
            return dtype, (self.str,)
        width, alignment, flags = {"U": (self.itemsize, 4, 8), "S": (self.itemsize, 1, 0), "O": (-1, -1, 63)}.get(self.kind, (-1, -1, 0))
        name = "O8" if self.kind == "O" else self.str[1:]
        return dtype, (name, False, True), (3, self.str[0], None, None, None, width, alignment, flags)

    def __setstate__(self, state):
        """What a pickle adds to a dtype's name: the order of bytes, and the unit of dates."""
        if state[1] == ">" and self.itemsize > 1:
            raise NotImplementedError(f"numpy: a pickle of numbers of dtype '>{self.str[1:]}', whose first byte is the highest")
        if state[3] is not None:
            raise NotImplementedError("numpy arrays of records")
        if self.kind in "mM":
            unit, count = state[8][1][:2]
            unit = unit.decode() if isinstance(unit, bytes) else unit
            self.__dict__.update(as_dtype(f"{self.kind}8" if unit == "generic" else f"{self.kind}8[{count if count > 1 else ''}{unit}]").__dict__)

    def newbyteorder(self, order="S"):
        if order not in tuple("SLBN=|<>IslbnI"):
            raise ValueError(f"{order} is an unrecognized byteorder")
        swap = order in ("S", "s", ">", "B", "b")
        return SwappedDtype(self) if swap and self.itemsize > 1 and self.kind in "iufc" else self

    __class_getitem__ = classmethod(types.GenericAlias)
    names = fields = subdtype = metadata = None
    shape = ()
    ndim = flags = 0
    isnative = True
    isbuiltin = 1
    isalignedstruct = False
    base = property(lambda self: self)
    byteorder = property(lambda self: "|" if self.itemsize == 1 or self.kind in "OS" else "=")
    hasobject = property(lambda self: self.kind == "O")
    descr = property(lambda self: [("", self.str)])
    alignment = property(lambda self: {"U": 4, "S": 1, "c": self.itemsize // 2}.get(self.kind, self.itemsize))


class SwappedDtype(dtype):
    """Numbers whose first byte is the highest, as some files have them. They can be read, but no array has this dtype."""

    def __new__(cls, native):
        self = object.__new__(cls)
        self.__dict__.update(native.__dict__)
        self.native, self.str = native, ">" + native.str[1:]
        return self

    def __str__(self):
        return self.str

    def __eq__(self, other):
        return isinstance(other, (SwappedDtype, str)) and str(other) == self.str

    def __hash__(self):
        return hash(self.str)

    def __reduce__(self):
        return dtype, (self.str,)

    def newbyteorder(self, order="S"):
        if order in ("S", "s", "<", "L", "l", "N", "n", "="):
            return self.native
        return self

    isnative = False
    byteorder = ">"


def _old_repr():
    """Whether `set_printoptions(legacy="1.25")` asks for numbers as they were written before NumPy 2."""
    from numpy import _text
    return _text.options["legacy"] in ("1.21", "1.25")


class generic:
    """The base of NumPy's numbers. `_v` is the value as a Python number."""

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
    def imag(self):
        return number(self.dtype, 0)

    @property
    def nbytes(self):
        return self.dtype.itemsize

    itemsize = nbytes
    base = None
    strides = ()

    def __str__(self):
        from numpy import _text
        return _text.scalar(self._v, self.dtype)

    def __repr__(self):
        text = str(self)
        return text if _old_repr() else f"np.{type(self).__name__}({text.strip('()')})"

    def __getattr__(self, name):
        raise AttributeError(f"'numpy.{type(self).__name__}' object has no attribute '{name}'")

    def __format__(self, spec):
        return format(self._v, spec) if spec or self.dtype.kind in "fc" else str(self)

    def __hash__(self):
        return hash(self._v)

    def __bool__(self):
        return bool_of(self._v)

    def __float__(self):
        return float(self._v)

    def __int__(self):
        return int(self._v)

    def __complex__(self):
        return complex(self._v)

    def __reduce__(self):
        from numpy._core.multiarray import scalar
        return scalar, (self.dtype, self.tobytes())

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

    def bit_count(self):
        return abs(self._v).bit_count()

    def is_integer(self):
        return True

    numerator = property(lambda self: self)
    denominator = property(lambda self: number(self.dtype, 1))


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


class complexfloating(inexact):
    __slots__ = ()


number_.__name__ = number_.__qualname__ = "number"


class bool(generic):
    __slots__ = ("_v",)

    def __repr__(self):
        return str(self._v) if _old_repr() else f"np.{self._v}_"

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
        if hasattr(value, "__len__") and not isinstance(value, (str, bytes)):
            import numpy
            made = numpy.array(value, dtype="float64")
            return made if made.ndim else made[()]
        return float.__new__(cls, value)

    def __repr__(self):
        return str(self) if _old_repr() else f"np.float64({self})"

    def __str__(self):
        return float.__repr__(self)

    def __format__(self, spec):
        return float.__format__(self, spec) if spec else str(self)

    def __hash__(self):
        return float.__hash__(self)

    def __bool__(self):
        return float.__bool__(self)

    __float__ = float.__float__
    real = property(lambda self: self)
    imag = property(lambda self: float64(0.0))
    item = tolist = lambda self, *args: float.__float__(self)
    __int__ = float.__int__
    is_integer = float.is_integer
    as_integer_ratio = float.as_integer_ratio

    def __round__(self, digits=None):
        return float.__round__(self) if digits is None else float64(float.__round__(self, digits))

    __reduce__ = generic.__reduce__


class complex64(complexfloating):
    __slots__ = ("_v",)


class complex128(complex, complexfloating):
    """A Python complex as well, as in NumPy."""

    __slots__ = ()

    @property
    def _v(self):
        return complex.__complex__(self)

    def __new__(cls, value=0, imag=None):
        if hasattr(value, "__len__") and not isinstance(value, (str, bytes)):
            return number(cls.dtype, value)
        return complex.__new__(cls, value) if imag is None else complex.__new__(cls, value, imag)

    __repr__, __str__, __format__ = generic.__repr__, generic.__str__, generic.__format__
    __hash__, __bool__, __complex__ = complex.__hash__, complex.__bool__, complex.__complex__
    item = tolist = lambda self, *args: complex.__complex__(self)

    __reduce__ = generic.__reduce__


for _class in (complex64, complex128):
    _class.real = property(lambda self: number(FLOAT32 if type(self) is complex64 else FLOAT64, self._v.real))
    _class.imag = property(lambda self: number(FLOAT32 if type(self) is complex64 else FLOAT64, self._v.imag))

_CLASSES = {}


def _class_of(name):
    """The class of one kind of dtype, such as `numpy.dtypes.Float64DType`."""
    name = (name[:2].upper() if name.startswith("ui") else name[:1].upper()) + name[2 if name.startswith("ui") else 1:] + "DType"
    if name not in _CLASSES:
        names = {"__module__": "numpy.dtypes", "__new__": lambda cls, *args, **options: as_dtype(_CLASSES_NAMES[cls.__name__])}
        _CLASSES[name] = type(name, (dtype,), names)
    return _CLASSES[name]


# What a class of `numpy.dtypes` makes when it's called.
_CLASSES_NAMES = {"ObjectDType": "O", "StrDType": "U", "BytesDType": "S", "DateTime64DType": "M8", "TimeDelta64DType": "m8"}
ALL = {}
for _class, _kind, _size, _char, _tensor in [
    (bool, "b", 1, "?", _C.bool), (int8, "i", 1, "b", _C.int8), (uint8, "u", 1, "B", _C.uint8),
    (int16, "i", 2, "h", _C.int16), (uint16, "u", 2, "H", _C.uint16), (uint32, "u", 4, "I", _C.uint32),
    (int32, "i", 4, "i", _C.int32), (int64, "i", 8, "l", _C.int64),
    (float16, "f", 2, "e", _C.float16), (float32, "f", 4, "f", _C.float32), (float64, "f", 8, "d", _C.float64),
    (complex64, "c", 8, "F", _C.complex64), (complex128, "c", 16, "D", _C.complex128),
]:
    _d = object.__new__(_class_of(_class.__name__))
    _d.name, _d.kind, _d.itemsize, _d.char, _d.type, _d._torch = _class.__name__, _kind, _size, _char, _class, _tensor
    _d.str = ("|" if _size == 1 else "<") + ("b" if _kind == "b" else _kind) + str(_size)
    _d.num = "?bBhHiIlLqQfdgFDGOSUVMme".index(_char)
    ALL[_d.name] = _d
    _CLASSES_NAMES[type(_d).__name__] = _d.name
    _class.dtype = _d
    _class._torch = _tensor
    _class.__module__ = "numpy"
for _class in (generic, number_, integer, signedinteger, unsignedinteger, inexact, floating, complexfloating, dtype):
    _class.__module__ = "numpy"

BOOL, INT64, FLOAT64, FLOAT32, COMPLEX128 = (ALL[name] for name in ("bool", "int64", "float64", "float32", "complex128"))
OF_TORCH = {d._torch: d for d in ALL.values()}
_ALIASES = {"float": FLOAT64, "double": FLOAT64, "single": FLOAT32, "half": ALL["float16"], "int": INT64, "int_": INT64,
            "intp": INT64, "long": INT64, "longlong": INT64, "intc": ALL["int32"], "short": ALL["int16"],
            "byte": ALL["int8"], "ubyte": ALL["uint8"], "ushort": ALL["uint16"], "uintc": ALL["uint32"], "bool_": BOOL,
            "q": INT64, "p": INT64, "complex": COMPLEX128, "cdouble": COMPLEX128, "csingle": ALL["complex64"]}
for _d in ALL.values():
    _ALIASES[_d.char] = _ALIASES[_d.str] = _ALIASES[_d.str[1:]] = _ALIASES["=" + _d.str[1:]] = _d
    if _d.itemsize == 1:
        _ALIASES["<" + _d.str[1:]] = _ALIASES[">" + _d.str[1:]] = _d
# What NumPy has and the engine's tensors don't.
_ABSENT = {"uint64", "void", "longdouble", "float128", "complex256", "u8", "f16", "c32", "uint",
           "ulong", "ulonglong", "clongdouble", "L", "Q", "g", "G"}


class object_(generic):
    __slots__ = ()

    def __new__(cls, value=None):
        return value


class flexible(generic):
    __slots__ = ()


class character(flexible):
    __slots__ = ()


def _as_written(cls, base):
    """One of NumPy's numbers that is a Python str or bytes as well."""
    for name in ("__str__", "__hash__", "__format__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__len__",
                 "__getitem__", "__add__", "__mul__", "__rmul__", "__mod__", "__contains__", "__iter__"):
        if hasattr(base, name):
            setattr(cls, name, getattr(base, name))
    cls._v = property(lambda self: base(base.__getitem__(self, slice(None))))
    cls.dtype = property(lambda self: sized(cls.__name__[0].replace("s", "U").replace("b", "S"), base.__len__(self)))
    cls.__bool__ = lambda self: base.__len__(self) > 0
    cls.item = cls.tolist = lambda self, *args: self._v
    cls.__repr__ = lambda self: base.__repr__(self) if _old_repr() else f"np.{cls.__name__}({base.__repr__(self)})"
    cls.__reduce__ = generic.__reduce__
    cls.__float__ = lambda self: float(self._v)
    cls.__int__ = lambda self: int(self._v)
    return cls


class str_(str, character):
    __slots__ = ()

    def __new__(cls, value=""):
        return str.__new__(cls, value)


class bytes_(bytes, character):
    __slots__ = ()

    def __new__(cls, value=b""):
        return bytes.__new__(cls, value)


_as_written(str_, str)
_as_written(bytes_, bytes)
for _class in (object_, flexible, character, str_, bytes_):
    _class.__module__ = "numpy"


def _boxed(name, kind, size, text, cls, num):
    made = object.__new__(_class_of({"M": "dateTime64", "m": "timeDelta64", "U": "str", "S": "bytes"}.get(kind, name)))
    made.name, made.kind, made.itemsize, made.char, made.type, made.str, made.num = name, kind, size, kind, cls, text, num
    made._torch = None
    return made


OBJECT = object_.dtype = _boxed("object", "O", 8, "|O", object_, 17)


def sized(kind, width):
    """The dtype of strings ("U") or bytes ("S") of a width."""
    if kind == "U":
        return _boxed(f"str{32 * width}" if width else "str", "U", 4 * width, f"<U{width}", str_, 19)
    return _boxed(f"bytes{8 * width}" if width else "bytes", "S", width, f"|S{width}", bytes_, 18)


_WHOLE, _REAL = ("Converting 'np.integer' or 'np.signedinteger' to a dtype is not allowed",
                 "Converting `np.inexact` or `np.floating` to a dtype not allowed")
_KINDS = {"integer": _WHOLE, "signedinteger": _WHOLE, "unsignedinteger": "Converting `np.unsignedinteger` to a dtype is not allowed",
          "number": _REAL, "inexact": _REAL, "floating": _REAL,
          "complexfloating": "Converting `np.complex` to a dtype is not allowed.",
          "character": "Converting `np.character` to a dtype is not allowed"}


def as_dtype(obj):
    """The dtype that an object names. None names float64."""
    if isinstance(obj, dtype) and type(obj) is not SwappedDtype:
        return obj
    if type(obj) is SwappedDtype:
        raise NotImplementedError(f"numpy arrays of dtype '{obj}'; frombuffer and fromfile read such numbers into arrays of dtype "
                                  f"'{obj.native}'")
    if obj is None or obj is float:
        return FLOAT64
    simple = {int: INT64, builtins.bool: BOOL, complex: COMPLEX128, object: OBJECT}.get(obj) if isinstance(obj, type) else None
    if simple is not None:
        return simple
    if isinstance(obj, str):
        found = ALL.get(obj) or _ALIASES.get(obj)
        if found is not None:
            return found
        name = obj.lstrip("<>|=")
        if obj in ("object", "object_") or name in ("O", "O8"):
            return OBJECT
        if obj in ("str", "str_", "bytes", "bytes_"):
            return sized("U" if obj[0] == "s" else "S", 0)
        if name[:1] in ("U", "S", "a") and (name[1:].isdigit() or not name[1:]):
            return sized(name[0].replace("a", "S"), int(name[1:] or 0))
        if name[:1] in ("d", "t", "M", "m"):
            from numpy import _dates
            if (found := _dates.parse_dtype(name)) is not None:
                return found
        if name in _ABSENT or obj[0] == ">" and name in _ALIASES:
            raise NotImplementedError(f"numpy arrays of dtype '{obj}'")
        raise TypeError(f"data type {obj!r} not understood")
    if isinstance(obj, type):
        if obj in (str, str_):
            return sized("U", 0)
        if obj in (bytes, bytes_):
            return sized("S", 0)
        if obj.__name__ in ("datetime64", "timedelta64") and issubclass(obj, generic):
            return as_dtype(obj.__name__)
        if issubclass(obj, generic) and hasattr(obj, "dtype"):
            return obj.dtype
        if issubclass(obj, generic):
            raise TypeError(_KINDS.get(obj.__name__, "Converting `np.generic` to a dtype is not allowed."))
        if obj.__module__ == "datetime":
            return OBJECT
        if obj.__module__ != "builtins" and hasattr(obj, "dtype") and isinstance(obj.dtype, dtype):
            return obj.dtype
    if isinstance(obj, (list, tuple, dict)):
        raise NotImplementedError("numpy arrays of records")
    if hasattr(obj, "dtype") and isinstance(obj.dtype, dtype):
        return obj.dtype
    raise TypeError(f"Cannot interpret '{obj!r}' as a data type")


_LIMITS = {name: _C._limits(d._torch) for name, d in ALL.items() if d.kind in "iu"}


def limits(d):
    return _LIMITS[d.name]


def number(d, value):
    """NumPy's number of a dtype, from a Python number."""
    if d is FLOAT64:
        return float.__new__(float64, value.real if type(value) is complex else value)
    if d.kind in "mM":
        from numpy import _dates
        return _dates.one(d, value)
    if isinstance(value, generic):
        value = value._v
    elif hasattr(value, "__len__") and not isinstance(value, (str, bytes)) or hasattr(value, "_t"):
        import numpy
        made = numpy.asarray(value).astype(d)
        return made if made.ndim else made[()]
    kind = d.kind
    if kind == "O":
        return value
    if kind in "US":
        return d.type(value)
    if kind == "c":
        value = complex(value)
        if d is COMPLEX128:
            return complex.__new__(complex128, value)
        value = complex(number(FLOAT32, value.real)._v, number(FLOAT32, value.imag)._v)
    elif type(value) is complex:
        value = value.real
    self = object.__new__(d.type)
    if kind == "b":
        self._v = builtins.bool(value)
    elif kind == "c":
        self._v = value
    elif kind == "f":
        value = float(value)
        code = "f" if d is FLOAT32 else "e"
        try:
            value = struct.unpack(code, struct.pack(code, value))[0]
        except OverflowError:
            from numpy import _errors
            _errors.report({"over"}, "cast")
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
    if "O" in (a.kind, b.kind):
        return OBJECT
    if a.kind in "US" or b.kind in "US":
        widths = [d.itemsize // 4 if d.kind == "U" else d.itemsize if d.kind == "S" else
                  {"bool": 5, "int8": 4, "int16": 6, "int32": 11, "int64": 21, "uint8": 3, "uint16": 5, "uint32": 10,
                   "complex64": 64, "complex128": 64}.get(d.name, 32) for d in (a, b)]
        return sized("U" if "U" in (a.kind, b.kind) else "S", builtins.max(widths))
    if a.kind in "mM" or b.kind in "mM":
        from numpy import _dates
        return _dates.common(a, b)
    if a.kind == "b":
        return b
    if b.kind == "b":
        return a
    if a.kind == "c" or b.kind == "c":
        return COMPLEX128 if max(_real_size(a), _real_size(b)) == 8 else ALL["complex64"]
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


def _real_size(d):
    return d.itemsize // 2 if d.kind == "c" else to_float(d).itemsize


def to_real(d):
    """The dtype of a complex dtype's parts."""
    return d if d.kind != "c" else FLOAT32 if d.itemsize == 8 else FLOAT64


def to_float(d):
    """The dtype of the result of a function of real numbers, such as `sqrt`."""
    if d.kind in "fc":
        return d
    return ALL["float16"] if d.itemsize == 1 else FLOAT32 if d.itemsize == 2 else FLOAT64


class finfo:
    """Limits of a floating-point dtype."""

    def __init__(self, obj):
        d = as_dtype(obj)
        if d.kind not in "fc":
            raise ValueError(f"data type {d.type!r} not inexact")
        d = to_real(d)
        eps, high, tiny, smallest, resolution = _C._limits(d._torch)
        make = d.type
        self.dtype, self.bits = d, 8 * d.itemsize
        self.nmant = {2: 10, 4: 23, 8: 52}[d.itemsize]
        self.nexp, self.iexp = self.bits - 1 - self.nmant, self.bits - 1 - self.nmant
        self.precision = int(self.nmant * 0.30103)
        self.maxexp = 1 << self.nexp - 1
        self.minexp, self.machep, self.negep = 2 - self.maxexp, -self.nmant, -self.nmant - 1
        self.eps, self.epsneg, self.max, self.min, self.tiny = make(eps), make(eps / 2), make(high), make(-high), make(tiny)
        self.smallest_normal, self.smallest_subnormal = self.tiny, make(smallest)
        self.resolution = make(resolution)

    def __repr__(self):
        return f"finfo(resolution={self.resolution!s}, min={self._edge(self.min)}, max={self._edge(self.max)}, dtype={self.dtype})"

    def __str__(self):
        rule, text = "-" * 63, str
        return (f"Machine parameters for {self.dtype}\n{rule}\n"
                f"precision = {self.precision:3d}   resolution = {text(self.resolution)}\n"
                f"machep = {self.machep:6d}   eps =        {text(self.eps)}\n"
                f"negep =  {self.negep:6d}   epsneg =     {text(self.epsneg)}\n"
                f"minexp = {self.minexp:6d}   tiny =       {text(self.tiny)}\n"
                f"maxexp = {self.maxexp:6d}   max =        {text(self.max)}\n"
                f"nexp =   {self.nexp:6d}   min =        -max\n"
                f"smallest_normal = {text(self.smallest_normal)}   smallest_subnormal = {text(self.smallest_subnormal)}\n{rule}\n")

    def _edge(self, value):
        return str(value) if self.bits > 16 else f"{float(value):.5e}"


class iinfo:
    """Limits of an integer dtype."""

    def __init__(self, obj):
        d = obj.dtype if isinstance(obj, generic) else as_dtype(type(obj) if isinstance(obj, int) else obj)
        if d.kind not in "iu":
            raise ValueError(f"Invalid integer data type {d.kind!r}.")
        self.dtype, self.kind, self.bits = d, d.kind, 8 * d.itemsize
        self.min, self.max = limits(d)

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"

    def __str__(self):
        line = "-" * 63
        return (f"Machine parameters for {self.dtype}\n{line}\nmin = {self.min}\nmax = {self.max}\n{line}\n")
