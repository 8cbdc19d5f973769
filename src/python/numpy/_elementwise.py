"""The universal functions."""

import builtins
import cmath
import math
import struct

import _torch as _C

from numpy import _types as _t
from numpy._array import _Tensor, _listed, _quiet, asarray, cast, full, ndarray
from numpy._types import ALL, BOOL, FLOAT64, INT64, generic, promote
from numpy._ufunc import no_loop, of_numbers, operators, ufunc


def each(function, answer=None):
    """Calls a function of Python numbers for each element, where the engine has no kernel."""
    def safe(*values):
        try:
            return function(*values)
        except (ValueError, ZeroDivisionError):
            return math.nan
        except OverflowError:
            return math.inf

    def compute(d, *tensors):
        tensors = [t if isinstance(t, _Tensor) else full((), t, d) for t in tensors]
        if len(tensors) > 1:
            tensors = _quiet(_C.broadcast_tensors, *tensors)
        values = [safe(*row) for row in zip(*[_quiet(lambda: t.reshape(-1).tolist()) for t in tensors])]
        result = d if answer is None else answer
        return _quiet(_C.tensor, values, dtype=result._torch, device="cpu").reshape(tensors[0].shape)
    return compute


def _engine(function):
    return lambda d, *tensors: _quiet(function, *tensors)


def _mixed(function, of_complex):
    """The engine's function, and one of Python's for complex numbers."""
    slow = each(of_complex)
    return lambda d, *tensors: slow(d, *tensors) if d.kind == "c" else _quiet(function, *tensors)


def _whole(function):
    """Floor division and remainder. NumPy answers 0 where an integer is divided by zero."""
    def compute(d, a, b):
        if d.kind != "f":
            if not isinstance(b, _Tensor):
                b = full((), b, d)
            zero = _quiet(_C.eq, b, 0)
            if _quiet(zero.any).item():
                safe = _quiet(_C.where, zero, _quiet(_C.ones_like, b), b)
                return _quiet(_C.mul, _quiet(function, a, safe), cast(_quiet(_C.logical_not, zero), d))
        return _quiet(function, a, b)
    return compute


def _complex_power(x, y):
    if x == 0 and y != 0 and (y.imag or y.real < 0):
        return complex(math.nan, math.nan)
    return x ** y


def _power(d, a, b):
    if d.kind in "iu" and (b < 0 if not isinstance(b, _Tensor) else _quiet(_quiet(_C.lt, b, 0).any).item()):
        raise ValueError("Integers to negative integer powers are not allowed.")
    return each(_complex_power)(d, a, b) if d.kind == "c" else _quiet(_C.pow, a, b)


def _subtract(d, a, b):
    if d is BOOL:
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or "
                        "the logical_xor function instead.")
    return _quiet(_C.sub, a, b)


def _negative(d, a):
    if d is BOOL:
        raise TypeError("The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the "
                        "logical_not function instead.")
    return _quiet(_C.negative, a)


def _ordered(function, plain):
    """Comparisons; complex numbers by their real parts first."""
    slow = each(lambda x, y: plain((x.real, x.imag), (y.real, y.imag)), BOOL)
    return lambda d, a, b: slow(d, a, b) if d.kind == "c" else _quiet(function, a, b)


def _extreme(function, pick):
    slow = each(lambda x, y: x if x != x else y if y != y else pick(x, y, key=lambda v: (v.real, v.imag)))
    return lambda d, a, b: slow(d, a, b) if d.kind == "c" else _quiet(function, a, b)


def _truth(function):
    return lambda d, *tensors: _quiet(function, *[cast(t, BOOL) if isinstance(t, _Tensor) else builtins.bool(t) for t in tensors])


def _kept(function, kinds="biu"):
    return lambda d, t: _quiet(t.clone) if d.kind in kinds else _quiet(function, t)


def _test(function, otherwise):
    """A test of real numbers that has the same answer for every integer, such as `isnan`."""
    def compute(d, t):
        if d.kind in "biu":
            return full(tuple(t.shape), otherwise, BOOL)
        return _quiet(function, t)
    return compute


def _logaddexp(base):
    def compute(d, a, b):
        wide = [cast(t, FLOAT64) for t in _quiet(_C.broadcast_tensors, a, b)]
        unit = math.log(base)
        r = _quiet(_C.logsumexp, _quiet(_C.stack, [_quiet(_C.mul, t, unit) for t in wide]), 0)
        return cast(_quiet(_C.true_divide, r, unit), d)
    return compute


def _sign(d, t):
    r = _quiet(_C.sgn if d.kind == "c" else _C.sign, t)
    return _quiet(_C.where, _quiet(_C.isnan, t), t, r) if d.kind == "f" else r


def _signbit(d, t):
    if d.kind != "f":
        return _quiet(_C.lt, t, 0) if d.kind == "i" else full(tuple(t.shape), False, BOOL)
    return each(lambda x: math.copysign(1.0, x) < 0, BOOL)(d, t)


def _isnat(d, t):
    raise TypeError("ufunc 'isnat' is only defined for np.datetime64 and np.timedelta64.")


def _pieces(function):
    """`frexp` and `modf`, which answer two arrays."""
    def compute(d, t):
        rows = [function(v) for v in t.reshape(-1).tolist()]
        whole = ALL["int32"] if function is math.frexp else d
        return tuple(_quiet(_C.tensor, [row[i] for row in rows], dtype=one._torch, device="cpu").reshape(t.shape)
                     for i, one in enumerate((d, whole)))
    return compute


def _modf(x):
    return (math.copysign(0.0, x), x) if math.isinf(x) else math.modf(x)


def _next(d, a, b):
    """The next number from `a` toward `b`: as an integer, its bits are one more or one less."""
    real, whole = {2: "eh", 4: "fi", 8: "dq"}[d.itemsize]

    def step(x, y):
        if x != x or y != y or x == y:
            return math.nan if x != x or y != y else y
        if x == 0:
            return math.copysign(struct.unpack(real, struct.pack(whole, 1))[0], y)
        bits, = struct.unpack(whole, struct.pack(real, x))
        return struct.unpack(real, struct.pack(whole, bits + (1 if (y > x) == (x > 0) else -1)))[0]
    return each(step)(d, a, b)


def _spacing(d, t):
    size = _quiet(_C.abs, t)
    up = _quiet(_C.sub, _next(d, size, full((), math.inf, d)), size)
    return _quiet(_C.where, _quiet(_C.lt, t, 0), _quiet(_C.neg, up), _quiet(_C.where, _quiet(_C.isinf, t), full(
        (), math.nan, d), up))


def _divmod(d, a, b):
    return _whole(_C.floor_divide)(d, a, b), _whole(_C.remainder)(d, a, b)


def _positive(x, y):
    return math.nan if x != x else y if x == 0 else float(x > 0)


def _cbrt(x):
    r = math.copysign(abs_of(x) ** (1 / 3), x)
    return r if r == 0 or math.isinf(r) else r - (r * r * r - x) / (3 * r * r)


abs_of = builtins.abs
_ONE, _LOG2 = complex(1), math.log(2)

add = ufunc("add", 2, lambda d, a, b: _quiet(_C.logical_or if d is BOOL else _C.add, a, b), "biufc", 0, fold="sum")
subtract = ufunc("subtract", 2, _subtract, "biufc")
multiply = ufunc("multiply", 2, lambda d, a, b: _quiet(_C.logical_and if d is BOOL else _C.mul, a, b), "biufc", 1, fold="prod")
divide = true_divide = ufunc("divide", 2, _engine(_C.true_divide), "fc", wide=True)
floor_divide = ufunc("floor_divide", 2, _whole(_C.floor_divide), "iuf")
remainder = mod = ufunc("remainder", 2, _whole(_C.remainder), "iuf")
fmod = ufunc("fmod", 2, _whole(_C.fmod), "iuf")
divmod = ufunc("divmod", 2, _divmod, "iuf", nout=2)
power = pow = ufunc("power", 2, _power, "iufc")
float_power = ufunc("float_power", 2, lambda d, a, b: _power(*_widest(d, a, b)), "fc", wide=True, solid=True)
maximum = ufunc("maximum", 2, _extreme(_C.maximum, builtins.max), "biufc", solid=True, fold="max")
minimum = ufunc("minimum", 2, _extreme(_C.minimum, builtins.min), "biufc", solid=True, fold="min")
fmax = ufunc("fmax", 2, _extreme(_C.fmax, builtins.max), "biufc", solid=True)
fmin = ufunc("fmin", 2, _extreme(_C.fmin, builtins.min), "biufc", solid=True)
equal = ufunc("equal", 2, _engine(_C.eq), "biufc", compares=True)
not_equal = ufunc("not_equal", 2, _engine(_C.ne), "biufc", compares=True)
less = ufunc("less", 2, _ordered(_C.lt, lambda x, y: x < y), "biufc", compares=True)
less_equal = ufunc("less_equal", 2, _ordered(_C.le, lambda x, y: x <= y), "biufc", compares=True)
greater = ufunc("greater", 2, _ordered(_C.gt, lambda x, y: x > y), "biufc", compares=True)
greater_equal = ufunc("greater_equal", 2, _ordered(_C.ge, lambda x, y: x >= y), "biufc", compares=True)
logical_and = ufunc("logical_and", 2, _truth(_C.logical_and), "biufc", True, solid=True, compares=True, fold="all")
logical_or = ufunc("logical_or", 2, _truth(_C.logical_or), "biufc", False, solid=True, compares=True, fold="any")
logical_xor = ufunc("logical_xor", 2, _truth(_C.logical_xor), "biufc", False, solid=True, compares=True)
logical_not = ufunc("logical_not", 1, _truth(_C.logical_not), "biufc")
bitwise_and = ufunc("bitwise_and", 2, _engine(_C.bitwise_and), "biu", -1)
bitwise_or = ufunc("bitwise_or", 2, _engine(_C.bitwise_or), "biu", 0)
bitwise_xor = ufunc("bitwise_xor", 2, _engine(_C.bitwise_xor), "biu", 0)
left_shift = bitwise_left_shift = ufunc("left_shift", 2, _engine(_C.bitwise_left_shift), "iu")
right_shift = bitwise_right_shift = ufunc("right_shift", 2, _engine(_C.bitwise_right_shift), "iu")
invert = bitwise_not = bitwise_invert = ufunc("invert", 1, _engine(_C.bitwise_not), "biu")
bitwise_count = ufunc("bitwise_count", 1, each(lambda x: abs_of(x).bit_count(), ALL["uint8"]), "iu")
gcd = ufunc("gcd", 2, each(math.gcd), "iu", 0, strict=True)
lcm = ufunc("lcm", 2, each(math.lcm), "iu", strict=True)
arctan2 = atan2 = ufunc("arctan2", 2, _engine(_C.arctan2), "f", solid=True)
hypot = ufunc("hypot", 2, _engine(_C.hypot), "f", 0, solid=True)
copysign = ufunc("copysign", 2, each(math.copysign), "f", solid=True)
nextafter = ufunc("nextafter", 2, _next, "f", solid=True)
heaviside = ufunc("heaviside", 2, each(_positive), "f", solid=True)
logaddexp = ufunc("logaddexp", 2, _logaddexp(math.e), "f", -math.inf, solid=True)
logaddexp2 = ufunc("logaddexp2", 2, _logaddexp(2), "f", -math.inf, solid=True)
negative = ufunc("negative", 1, _negative, "biufc")
positive = ufunc("positive", 1, _engine(_C.clone), "iufc", strict=True)
absolute = abs = ufunc("absolute", 1, _kept(_C.abs, "bu"), "biufc")
fabs = ufunc("fabs", 1, _engine(_C.abs), "f")
conjugate = conj = ufunc("conjugate", 1, _kept(_C.conj_physical, "biuf"), "biufc")
square = ufunc("square", 1, _engine(_C.square), "iufc")
sign = ufunc("sign", 1, lambda d, t: _sign(d, t), "iufc", strict=True)
floor = ufunc("floor", 1, _kept(_C.floor), "biuf")
ceil = ufunc("ceil", 1, _kept(_C.ceil), "biuf")
trunc = ufunc("trunc", 1, _kept(_C.trunc), "biuf")
rint = ufunc("rint", 1, lambda d, t: _parts(_C.round, t) if d.kind == "c" else _quiet(_C.round, t), "fc")
isnan = ufunc("isnan", 1, _test(_C.isnan, False), "biufc")
isinf = ufunc("isinf", 1, _test(_C.isinf, False), "biufc")
isfinite = ufunc("isfinite", 1, _test(_C.isfinite, True), "biufc")
isnat = ufunc("isnat", 1, _isnat, "biufc")
signbit = ufunc("signbit", 1, _signbit, "f")
spacing = ufunc("spacing", 1, _spacing, "f")
cbrt = ufunc("cbrt", 1, each(_cbrt), "f")
frexp = ufunc("frexp", 1, _pieces(math.frexp), "f", nout=2)
modf = ufunc("modf", 1, _pieces(_modf), "f", nout=2)
reciprocal = ufunc("reciprocal", 1, lambda d, t: each(lambda x: int(1 / x) if x else 0)(d, t) if d.kind in "iu" else _quiet(
    _C.reciprocal, t), "iufc")
deg2rad = ufunc("deg2rad", 1, lambda d, t: _quiet(_C.mul, t, math.pi / 180), "f")
rad2deg = ufunc("rad2deg", 1, lambda d, t: _quiet(_C.mul, t, 180 / math.pi), "f")
radians = ufunc("radians", 1, deg2rad._compute, "f")
degrees = ufunc("degrees", 1, rad2deg._compute, "f")
sqrt, exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan, sinh, cosh, tanh, arcsin, arccos, arctan, arcsinh, arccosh, \
    arctanh = (ufunc(name, 1, _mixed(getattr(_C, inner), plain), "fc") for name, inner, plain in [
        ("sqrt", "sqrt", cmath.sqrt), ("exp", "exp", cmath.exp), ("exp2", "exp2", lambda z: cmath.exp(z * _LOG2)),
        ("expm1", "expm1", lambda z: complex(math.expm1(z.real) * math.cos(z.imag) - 2 * math.sin(z.imag / 2) ** 2,
                                             math.exp(z.real) * math.sin(z.imag))),
        ("log", "log", lambda z: cmath.log(z) if z else complex(-math.inf, 0)),
        ("log2", "log2", lambda z: cmath.log(z) / _LOG2 if z else complex(-math.inf, 0)),
        ("log10", "log10", lambda z: cmath.log10(z) if z else complex(-math.inf, 0)),
        ("log1p", "log1p", lambda z: cmath.log(z + _ONE)), ("sin", "sin", cmath.sin), ("cos", "cos", cmath.cos),
        ("tan", "tan", cmath.tan), ("sinh", "sinh", cmath.sinh), ("cosh", "cosh", cmath.cosh), ("tanh", "tanh", cmath.tanh),
        ("arcsin", "asin", cmath.asin), ("arccos", "acos", cmath.acos), ("arctan", "atan", cmath.atan),
        ("arcsinh", "asinh", cmath.asinh), ("arccosh", "acosh", cmath.acosh), ("arctanh", "atanh", cmath.atanh)])
asin, acos, atan, asinh, acosh, atanh = arcsin, arccos, arctan, arcsinh, arccosh, arctanh


def _widest(d, a, b):
    d = ALL["complex128"] if d.kind == "c" else FLOAT64
    return d, cast(a, d), cast(b, d)


def _parts(function, t):
    return _quiet(_C.view_as_complex, _quiet(lambda: function(_C.view_as_real(t)).contiguous()))


class _Ldexp(ufunc):
    """`ldexp`, whose operands, a float and an integer, keep their own dtypes."""

    def _of(self, *args, dtype=None):
        x, e = (asarray(a) for a in args)
        if e.dtype.kind not in "biu" or x.dtype.kind not in "biuf":
            from numpy._ufunc import unsupported
            raise unsupported("ldexp")
        d = x.dtype if x.dtype.kind == "f" else promote(_t.to_float(x.dtype), ALL["float16"])
        return each(lambda v, n: math.ldexp(v, int(n)))(d, cast(x._t, d), cast(e._t, FLOAT64))


ldexp = _Ldexp("ldexp", 2, None, "f")


class _Product(ufunc):
    """`matmul` and its relations."""

    def __call__(self, x1, x2, /, out=None, **options):
        return ufunc.__call__(self, x1, x2, out=out)

    def _of(self, *args, dtype=None):
        a, b = (asarray(v) for v in args)
        if a._boxed or b._boxed:
            raise no_loop(self.__name__, [a, b])
        for i, v in enumerate((a, b)):
            if not v.ndim:
                least = {"matvec": 2 - i, "vecmat": 1 + i}.get(self.__name__, 1)
                raise ValueError(f"{self.__name__}: Input operand {i} does not have enough dimensions (has 0, gufunc core with "
                                 f"signature {self._kinds} requires {least})")
        d = promote(a.dtype, b.dtype)
        x, y = a._t, b._t
        left, right = x.shape[-1], y.shape[-2 if self.__name__ in ("matmul", "vecmat") and y.dim() > 1 else -1]
        if left != right:
            raise ValueError(f"{self.__name__}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
                             f"{self._kinds} (size {right} is different from {left})")
        return self._compute(d, x, y)


def product(d, a, b):
    """The matrix product of tensors."""
    if d is BOOL:
        return cast(_quiet(_C.matmul, cast(a, INT64), cast(b, INT64)), BOOL)
    if a.dim() > 2 and b.dim() > 2 and a.shape[:-2] != b.shape[:-2]:
        from numpy._array import broadcast
        try:
            broadcast(tuple(a.shape[:-2]), tuple(b.shape[:-2]))
        except ValueError:
            raise ValueError("operands could not be broadcast together with remapped shapes [original->remapped]: "
                             f"{_listed(a.shape)}->({','.join(map(str, a.shape[:-2]))},newaxis,newaxis) "
                             f"{_listed(b.shape)}->({','.join(map(str, b.shape[:-2]))},newaxis,newaxis)  and requested shape "
                             f"({a.shape[-2]},{b.shape[-1]})") from None
    return _quiet(_C.matmul, cast(a, d), cast(b, d))


def _vecdot(d, a, b):
    a, b = cast(a, d), cast(b, d)
    return _quiet(lambda: (((a.conj() if d.kind == "c" else a) * b).sum(-1)))


matmul = _Product("matmul", 2, product, "(n?,k),(k,m?)->(n?,m?)")
matvec = _Product("matvec", 2, lambda d, a, b: _quiet(lambda: product(d, a, b.unsqueeze(-1)).squeeze(-1)), "(m,n),(n)->(m)")
vecmat = _Product("vecmat", 2, lambda d, a, b: _quiet(lambda: product(
    d, (a.conj() if d.kind == "c" else a).unsqueeze(-2), b).squeeze(-2)), "(n),(n,m)->(m)")
vecdot = _Product("vecdot", 2, _vecdot, "(n),(n)->()")

operators([
    ("add", "+", add), ("sub", "-", subtract), ("mul", "*", multiply), ("truediv", "/", divide),
    ("floordiv", "//", floor_divide), ("mod", "%", remainder), ("pow", "** or pow()", power), ("and", "&", bitwise_and),
    ("or", "|", bitwise_or), ("xor", "^", bitwise_xor), ("lshift", "<<", left_shift), ("rshift", ">>", right_shift),
    ("matmul", "@", matmul), ("eq", None, equal), ("ne", None, not_equal), ("lt", None, less), ("le", None, less_equal),
    ("gt", None, greater), ("ge", None, greater_equal),
])


def _conjugates(name):
    def method(self, *args, **options):
        if options:
            raise TypeError(f"ndarray.{name}() takes no keyword arguments")
        if args and not isinstance(args[0], ndarray):
            raise TypeError("output must be an array")
        if args:
            return conjugate(self, out=args[0])
        return conjugate(self) if self.dtype.kind == "c" else self
    return method


def _unary_operators():
    for cls in (ndarray, generic, _t.float64, _t.complex128):
        call = (lambda function, *values: function(*values)) if cls is ndarray else of_numbers
        cls.__neg__ = lambda self, call=call: call(negative, self)
        cls.__pos__ = lambda self: positive(self)
        cls.__abs__ = lambda self, call=call: call(absolute, self)
        cls.__invert__ = lambda self: invert(self)
        cls.__divmod__ = lambda self, other, call=call: call(divmod, self, other)
        cls.__rdivmod__ = lambda self, other, call=call: call(divmod, other, self)
        cls.conj, cls.conjugate = _conjugates("conj"), _conjugates("conjugate")


_unary_operators()

__all__ = [_name for _name, _value in list(globals().items()) if isinstance(_value, ufunc)]
