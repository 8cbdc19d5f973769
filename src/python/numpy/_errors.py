"""Divisions by zero, overflows and invalid values: what `seterr` and `errstate` choose, and what is said of them.

The engine has no flags for these, so they're found in the results. They are told of a line of the program itself; the
libraries here compute in other steps than their models, so that nothing would be true of their lines.
"""

import functools
import sys
import warnings

import _torch as _C

from numpy import _types as _t
from numpy._array import _Tensor, _quiet, _weak, asarray, full
from numpy._types import generic

state = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
calls = {"call": None}
_TEXTS = {"divide": "divide by zero", "over": "overflow", "under": "underflow", "invalid": "invalid value"}
_FLAGS = {"divide": 1, "over": 2, "under": 4, "invalid": 8}
_MODES = ("ignore", "warn", "raise", "call", "print", "log")

# The modules between a program and what it asks for.
_WITHIN = frozenset("numpy." + name for name in ("_array", "_choosing", "_elementwise", "_errors", "_methods", "_products",
                                                "_reductions", "_tensors", "_types", "_ufunc"))
_LIBRARIES = frozenset(("IPython", "PIL", "einops", "matplotlib", "mlxtend", "mpl_toolkits", "numpy", "pandas", "scipy", "sklearn",
                        "torch", "torchinfo", "torchmetrics", "torchvision"))

# What NumPy says of PyTorch's method that makes a result a tensor again.
OUTDATED_WRAP = "__array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)"


def _depth(within=_WITHIN):
    """How far up the program's own line is, for `warnings.warn`; 0 if a library computes."""
    frame, depth = sys._getframe(1), 1
    while frame is not None and frame.f_globals.get("__name__") in within:
        frame, depth = frame.f_back, depth + 1
    name = frame.f_globals.get("__name__") or "" if frame is not None else "numpy"
    return 0 if name.partition(".")[0] in _LIBRARIES else depth


def warn(text, category=RuntimeWarning):
    depth = _depth()
    if depth:
        warnings.warn(text, category, stacklevel=depth)


def report(found, name):
    """Reports the kinds of errors that were found, in NumPy's order."""
    flags = sum(_FLAGS[kind] for kind in found)
    for kind in _TEXTS:
        if kind not in found or state[kind] == "ignore":
            continue
        depth, mode, text = _depth(), state[kind], f"{_TEXTS[kind]} encountered in {name}"
        if not depth:
            return
        if mode == "raise":
            raise FloatingPointError(text)
        if mode == "warn":
            warnings.warn(text, RuntimeWarning, stacklevel=depth)
        elif mode == "print":
            print(f"Warning: {text}", file=sys.stderr)
        elif calls["call"] is None:
            what = "callback" if mode == "call" else "object"
            raise NameError(f"python {what} specified for {_TEXTS[kind]} (in  {name}) but no "
                            f"{'function' if mode == 'call' else 'method'} found.")
        elif mode == "call":
            calls["call"](_TEXTS[kind], flags)
        else:
            calls["call"].write(f"Warning: {text}\n")


# ---- finding them ----------------------------------------------------------------------------------------------------

# Where a function has a pole. Elsewhere an infinite result of finite numbers is an overflow.
_POLES = {
    "divide": lambda a, b: b == 0, "floor_divide": lambda a, b: b == 0, "divmod": lambda a, b: b == 0,
    "power": lambda a, b: a == 0, "float_power": lambda a, b: a == 0, "reciprocal": lambda a: a == 0,
    "log": lambda a: a == 0, "log2": lambda a: a == 0, "log10": lambda a: a == 0, "log1p": lambda a: a == -1,
    "arctanh": lambda a: a * a == 1,
}
_PLAIN = {"add", "subtract", "multiply", "remainder", "fmod", "square", "sqrt", "exp", "exp2", "expm1", "sin", "cos", "tan", "sinh",
          "cosh", "arcsin", "arccos", "arccosh", "hypot", "ldexp", "matmul", "dot"}
WATCHED = _PLAIN | set(_POLES)
_BY_ZERO = {"floor_divide", "remainder", "fmod", "divmod", "reciprocal"}
_SMALL = {"multiply", "divide", "power", "float_power", "square", "exp", "exp2"}
# Powers that NumPy takes as another function.
_AS = {2: "square", 0.5: "sqrt", -1: "reciprocal"}


def _any(t):
    return _quiet(lambda: t.any().item())


def infinite(t):
    """Whether a number, or the sum of a tensor, is infinite or NaN. It's a cheap test that usually settles the matter."""
    total = _quiet(t.item) if t.dim() == 0 else _quiet(lambda: t.sum().item())
    return total - total != 0


def check(function, args, made, scalar="", operator=False):
    """Reports what went wrong in a call, if anything did: of two numbers, or of an array by an operator."""
    first = made[0] if type(made) is tuple else made
    if not isinstance(first, _Tensor):
        return
    d, name = _t.OF_TORCH[first.dtype], function.__name__
    if d.kind in "iu":
        if scalar:
            _whole(name, args, first.item(), d)
        by = args[-1]
        if name in _BY_ZERO and (by == 0 if _weak(by) else _any(_quiet(_C.eq, asarray(by)._t, 0))):
            report({"divide", "invalid"} if name == "reciprocal" else {"divide"}, scalar + name)
        return
    if d.kind != "f" or not first.numel() or not (infinite(first) or state["under"] != "ignore"):
        return
    if name == "ldexp":
        found = {"over"}
    elif name in ("matmul", "dot"):
        found = _quiet(_kinds, name, [asarray(a)._t for a in args], first, True)
    else:
        args, loop = function._resolve(args)
        terms = [t if isinstance(t, _Tensor) else full((), t, loop) for t in function._tensors(args, loop)]
        found = _quiet(_kinds, name, terms, first)
        if type(made) is tuple and "divide" in found:
            found.add("invalid")
        if operator and name == "power" and _weak(args[1]) and args[1] in _AS:
            name = _AS[args[1]]
    report(found, scalar + name)


def _kinds(name, terms, made, reduced=False):
    if reduced:
        finite = all(not infinite(t) for t in terms if t.is_floating_point())
        return ({"over"} if finite and _any(made.isinf()) else set()) | ({"invalid"} if finite and _any(made.isnan()) else set())
    nan, finite = terms[0].isnan(), terms[0].isfinite()
    for t in terms[1:]:
        nan, finite = nan | t.isnan(), finite & t.isfinite()
    found = {"invalid"} if _any(made.isnan() & ~nan) else set()
    high = made.isinf() & finite
    if _any(high):
        pole = _POLES[name](*terms) if name in _POLES else None
        if pole is not None and _any(high & pole):
            found.add("divide")
        if pole is None or _any(high & ~pole):
            found.add("over")
    if state["under"] != "ignore" and name in _SMALL:
        low = (made.abs() < _C._limits(made.dtype)[2]) & finite
        if name not in ("exp", "exp2"):
            low = low & (terms[0] != 0)
            if name == "multiply":
                low = low & (terms[1] != 0) & (terms[0] != 1) & (terms[1] != 1)
        if _any(low):
            found.add("under")
    return found


def _whole(name, args, made, d):
    """Reports an integer that overflowed its dtype."""
    values = [int(a._v if isinstance(a, generic) else a) for a in args]
    exact = {"add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
             "negative": lambda a: -a, "absolute": abs}.get(name)
    if exact is not None and exact(*values) != made:
        report({"over"}, "scalar " + name)


def check_sum(t, made, name="reduce"):
    """Reports a sum or product of finite numbers that is infinite."""
    if made.is_floating_point() and t.numel() and infinite(made) and _any(_quiet(lambda: t.isfinite().all())):
        report({"over"} if _any(_quiet(made.isinf)) else {"invalid"}, name)


def check_cast(t, made, d):
    """Reports a cast of a number that the new dtype can't hold."""
    if not t.is_floating_point() or not t.numel():
        return
    if d.kind == "f":
        if d.itemsize < t.element_size() and infinite(made) and _any(_quiet(lambda: made.isinf() & t.isfinite())):
            report({"over"}, "cast")
    elif d.kind in "iu":
        low, high = (-2.0 ** 63, 2.0 ** 63) if d.itemsize == 8 or d.name == "uint32" else (-2.0 ** 31, 2.0 ** 31)
        if infinite(t) or _any(_quiet(lambda: (t >= high) | (t < low))):
            if not _quiet(lambda: ((t < high) & (t >= low)).all().item()):
                report({"invalid"}, "cast")


# ---- choosing --------------------------------------------------------------------------------------------------------


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    before = dict(state)
    given = {"divide": divide, "over": over, "under": under, "invalid": invalid}
    given = {kind: all if mode is None else mode for kind, mode in given.items()}
    for mode in given.values():
        if mode is not None and mode not in _MODES:
            raise ValueError(f"invalid error mode {mode!r}")
    state.update((kind, mode) for kind, mode in given.items() if mode is not None)
    return before


def geterr():
    return dict(state)


def geterrcall():
    return calls["call"]


def seterrcall(func):
    if func is not None and not callable(func) and not callable(getattr(func, "write", None)):
        raise TypeError("python object must be callable or have a callable write method")
    before, calls["call"] = calls["call"], func
    return before


class errstate:
    """What is done about errors in a block, or in a function."""

    def __init__(self, *, call=calls, all=None, divide=None, over=None, under=None, invalid=None):
        self._call, self._given, self._before = call, (all, divide, over, under, invalid), None

    def __enter__(self):
        if self._before is not None:
            raise TypeError("Cannot enter `np.errstate` twice.")
        self._before = (seterr(*self._given), calls["call"])
        if self._call is not calls:
            seterrcall(self._call)

    def __exit__(self, *exc):
        state.update(self._before[0])
        calls["call"] = self._before[1]

    def __call__(self, function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            all, divide, over, under, invalid = self._given
            with errstate(call=self._call, all=all, divide=divide, over=over, under=under, invalid=invalid):
                return function(*args, **kwargs)
        return inner
