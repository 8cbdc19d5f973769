"""Universal functions: how operands meet, and what calls, reductions and operators have in common."""

import builtins

import _torch as _C

from numpy import _types as _t
from numpy._array import (
    UFuncTypeError, _Tensor, _answer, _fit, _quiet, _weak, _wrap, asarray, axes_of, broadcast, cast, full, meets, ndarray,
    tensor_of,
)
from numpy import _errors
from numpy._types import ALL, BOOL, FLOAT64, as_dtype, generic, number, promote

_CLASSES = {"bool": "Bool", "object": "Object", "complex64": "Complex64", "complex128": "Complex128"}


def _class_of(x):
    if _weak(x):
        return {int: "_PyLongDType", float: "_PyFloatDType", complex: "_PyComplexDType"}[type(x)]
    if x.dtype.kind in "USmM":
        return {"U": "Str", "S": "Bytes", "m": "TimeDelta64", "M": "DateTime64"}[x.dtype.kind] + "DType"
    name = x.dtype.name
    return (_CLASSES.get(name) or name.replace("uint", "UInt").replace("int", "Int").replace("float", "Float").replace(
        "UInt", "UInt")) + "DType"


def no_loop(name, args):
    """NumPy's refusal of operands that no loop takes."""
    compares = name in ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")
    if len(args) > 1 and not compares and builtins.any(not _weak(a) and a.dtype.kind in "US" for a in args):
        types = ", ".join(repr(a.dtype) if not _weak(a) else repr(asarray(a).dtype) for a in args)
        types = f"({types})"
    else:
        types = ", ".join(f"<class 'numpy.dtypes.{_class_of(a)}'>" for a in args)
        types = types if len(args) == 1 else f"({types})"
    return UFuncTypeError(f"ufunc '{name}' did not contain a loop with signature matching types {types} -> None")


def unsupported(name):
    return TypeError(f"ufunc '{name}' not supported for the input types, and the inputs could not be safely coerced to any "
                     "supported types according to the casting rule ''safe''")


_OWN = {ndarray, _Tensor, bool, int, float, complex, str, list, tuple}


def _wrapped(t):
    """A tensor among the operands makes the result one, as PyTorch's `__array_wrap__` does; it has no truth values."""
    _errors.warn(_errors.OUTDATED_WRAP, DeprecationWarning)
    return _C.from_numpy(_wrap(t if t.dtype != _C.bool else cast(t, ALL["uint8"])))


class ufunc:
    """A function of each element. `kinds` are those it computes in; others are taken as the next that can hold them."""

    def __init__(self, name, nin, compute, kinds, identity=None, wide=False, solid=False, compares=False, nout=1,
                 strict=False, fold=None):
        self.__name__ = self.__qualname__ = name
        self.nin, self.nout, self.nargs = nin, nout, nin + nout
        self.identity, self.signature, self.ntypes = identity, None, len(kinds)
        self._compute, self._kinds, self._wide, self._solid = compute, kinds, wide, solid
        self._compares, self._strict, self._fold = compares, strict, fold
        self._watched = name in _errors.WATCHED

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def _loop(self, d, args):
        """The dtype in which operands of dtype `d` are computed."""
        if d.kind in self._kinds:
            return d
        if d.kind == "b" and "i" in self._kinds and not self._strict:
            return ALL["int8"]
        if d.kind in "biu" and "f" in self._kinds and not self._strict:
            return FLOAT64 if self._wide else _t.to_float(d)
        if self._strict:
            raise no_loop(self.__name__, args)
        raise unsupported(self.__name__)

    def _resolve(self, args, dtype=None):
        args = [a if _weak(a) or type(a) is ndarray else asarray(a) for a in args]
        found = None
        for a in args:
            if not _weak(a):
                found = a.dtype if found is None else promote(found, a.dtype)
        if found is not None and found._torch is None:
            return args, found
        for a in args:
            if _weak(a):
                found = as_dtype(type(a)) if found is None else meets(found, a)
        return args, self._loop(found if dtype is None else as_dtype(dtype), args)

    def _tensors(self, args, d):
        out = []
        for a in args:
            if not _weak(a):
                out.append(cast(a._t, d))
            elif self._compares and d.kind in "iu" and not _t.limits(d)[0] <= a <= _t.limits(d)[1]:
                return [cast(tensor_of(v), FLOAT64) for v in args]
            else:
                out.append(_fit(a, d))
        shapes = [tuple(t.shape) for t in out if isinstance(t, _Tensor)]
        if len(shapes) == 2 and shapes[0] != shapes[1] and shapes[0] and shapes[1]:
            broadcast(*shapes)
        if self._solid or not shapes:
            out = [t if isinstance(t, _Tensor) else full((), t, d) for t in out]
        return out

    def _of(self, *args, dtype=None):
        """The results as one or several tensors, or as an array if the operands aren't numbers."""
        args, d = self._resolve(args, dtype)
        if d._torch is None:
            from numpy import _boxed
            return _boxed.call(self, args, d)
        return self._compute(d, *self._tensors(args, d))

    def _handed_on(self, args, options):
        for a in args:
            if type(a) not in _OWN and getattr(type(a), "__array_ufunc__", None) is not None:
                found = a.__array_ufunc__(self, "__call__", *args, **options)
                if found is not NotImplemented:
                    return found
        shown = ", ".join(repr(a) for a in args)
        raise TypeError(f"operand type(s) all returned NotImplemented from __array_ufunc__({self!r}, '__call__', {shown}): "
                        + ", ".join(repr(type(a).__name__) for a in args))

    def __call__(self, *args, out=None, where=True, dtype=None, casting="same_kind", order="K", subok=True, **others):
        if others:
            raise TypeError(f"{self.__name__}() got an unexpected keyword argument '{next(iter(others))}'")
        if not self.nin <= len(args) <= self.nargs:
            given = f"{len(args)} were" if len(args) != 1 else "1 was"
            raise TypeError(f"{self.__name__}() takes from {self.nin} to {self.nargs} positional arguments but {given} given")
        if len(args) > self.nin and out is None:
            args, out = args[:self.nin], args[self.nin:]
        for a in args:
            # Classes of other libraries decide themselves what a function of NumPy makes of them.
            if type(a) not in _OWN and getattr(type(a), "__array_ufunc__", None) is not None:
                options = {"out": out if isinstance(out, tuple) else (out,)} if out is not None else {}
                options.update({k: v for k, v, usual in (("where", where, True), ("dtype", dtype, None)) if v is not usual})
                return self._handed_on(args, options)
        t = self._of(*args, dtype=dtype)
        if self._watched and where is True:
            _errors.check(self, args, t)
        if out is None and where is True:
            is_wrapped = builtins.any(isinstance(a, _Tensor) for a in args)
            if isinstance(t, tuple):
                return tuple(_wrapped(part) if is_wrapped else _answer(part) for part in t)
            if not isinstance(t, _Tensor):
                return t
            return _wrapped(t) if is_wrapped else _answer(t)
        outs = out if isinstance(out, tuple) else (out,)
        parts = t if isinstance(t, tuple) else (t,)
        results = []
        for part, place in zip(parts, outs + (None,) * len(parts)):
            part = part if isinstance(part, _Tensor) else asarray(part)._t
            if place is None:
                place = _wrap(_quiet(_C.empty_like, part))
            if not isinstance(place, ndarray):
                raise TypeError("return arrays must be of ArrayType")
            if where is not True:
                part = _quiet(_C.where, cast(tensor_of(where), BOOL), part, cast(place._t, _t.OF_TORCH[part.dtype]))
            self._into(place, part, casting)
            results.append(place)
        return results[0] if len(results) == 1 else tuple(results)

    def _into(self, place, t, casting="same_kind"):
        refused = place._assign(cast(t, place.dtype) if casting == "unsafe" and not place._boxed else t)
        if refused is not None:
            raise UFuncTypeError(f"Cannot cast ufunc '{self.__name__}' output from {refused!r} to {place.dtype!r} with casting "
                                 f"rule '{casting}'")

    def _needs_two(self, what):
        if self.nin != 2:
            raise ValueError(f"{what} only supported for binary functions")

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, **options):
        self._needs_two("reduce")
        a = asarray(array)
        if self._fold is not None and not a._boxed:
            import numpy
            if dtype is not None and self._fold in ("sum", "prod"):
                options["dtype"] = dtype
            return getattr(numpy, self._fold)(a, axis=axis, out=out, keepdims=keepdims, **options)
        if a.ndim == 0:
            return a[()]
        axes = sorted(axes_of(range(a.ndim) if axis is None else axis, a.ndim), reverse=True)
        r = a if dtype is None else a.astype(dtype)
        for one in axes:
            key = (slice(None),) * one
            n = r.shape[one]
            if n == 0 and "initial" not in options and self.identity is None:
                raise ValueError(f"zero-size array to reduction operation {self.__name__} which has no identity")
            found = options["initial"] if "initial" in options else r[key + (0,)] if n else self.identity
            for i in range("initial" not in options, n):
                found = self(found, r[key + (i,)])
            r = found if not keepdims else asarray(found)[key + (None,)] if isinstance(found, ndarray) else \
                asarray(found).reshape(1)
        if out is not None:
            out[...] = r
            return out
        return r

    def accumulate(self, array, axis=0, dtype=None, out=None):
        self._needs_two("accumulate")
        import numpy
        a = asarray(array, dtype)
        if a.ndim == 0:
            raise TypeError("cannot accumulate on a scalar")
        if self.__name__ in ("add", "multiply") and not a._boxed:
            return (numpy.cumsum if self.__name__ == "add" else numpy.cumprod)(a, axis=axis, dtype=dtype, out=out)
        key = (slice(None),) * axes_of(axis, a.ndim)[0]
        rows = []
        for i in range(a.shape[axis]):
            rows.append(a[key + (i,)] if not i else self(rows[-1], a[key + (i,)]))
        return numpy.stack(rows, axis) if rows else a.copy()

    def reduceat(self, array, indices, axis=0, dtype=None, out=None):
        self._needs_two("reduceat")
        import numpy
        a = asarray(array)
        ends = [*asarray(indices).tolist()[1:], a.shape[axis]]
        key = (slice(None),) * axes_of(axis, a.ndim)[0]
        parts = [self.reduce(a[key + (slice(i, j if j > i else i + 1),)], axis, dtype)
                 for i, j in zip(asarray(indices).tolist(), ends)]
        return numpy.stack(parts, axis, out=out)

    def outer(self, a, b, **options):
        self._needs_two("outer")
        a, b = asarray(a), asarray(b)
        return self(a.reshape(a.shape + (1,) * b.ndim), b, **options)

    def at(self, a, indices, *others):
        import numpy
        if not isinstance(indices, tuple):
            places = asarray(indices)
            places = numpy.flatnonzero(places) if places.dtype is BOOL else places
            values = [asarray(b) for b in others]
            values = [numpy.broadcast_to(b, places.shape + a.shape[1:]) for b in values]
            for i, place in enumerate(places.ravel().tolist()):
                a[place] = self(a[place], *[b.reshape((-1,) + a.shape[1:])[i] for b in values])
            return
        spread = numpy.broadcast_arrays(*indices)
        values = [numpy.broadcast_to(asarray(b), spread[0].shape).ravel() for b in others]
        for i, place in enumerate(zip(*[s.ravel().tolist() for s in spread])):
            a[place] = self(a[place], *[b[i] for b in values])


# ---- operators -------------------------------------------------------------------------------------------------------


def of_numbers(function, *values):
    """An operator on numbers: NumPy computes it without the universal function, and says so where it goes wrong."""
    if builtins.any(isinstance(v, (str, bytes)) or not isinstance(v, (generic, int, float, complex)) for v in values):
        return function(*values)
    t = function._of(*values)
    _errors.check(function, values, t, "scalar ")
    return tuple(_answer(part) for part in t) if isinstance(t, tuple) else _answer(t) if isinstance(t, _Tensor) else t


def operators(functions):
    """Gives arrays and numbers their operators. `functions`: name of the operator, sign, universal function."""

    def forward(name, sign, function):
        def method(self, other):
            if isinstance(other, _Tensor):
                if isinstance(self, generic):
                    return NotImplemented
                if name == "truediv":
                    return other.reciprocal() * self
                if name == "add":
                    raise TypeError("Concatenation operation is not implemented for NumPy arrays, use np.concatenate() instead. Please "
                                    "do not rely on this error; it may not be given on all Python implementations.")
                raise TypeError(f"unsupported operand type(s) for {sign}: 'numpy.ndarray' and 'Tensor'")
            if name == "mul" and isinstance(self, _t.integer) and isinstance(other, (str, list, tuple, bytes)):
                return other * int(self)
            if isinstance(self, generic):
                return of_numbers(function, self, other)
            if name != "pow":
                return function(self, other)
            t = function._of(self, other)
            _errors.check(function, (self, other), t, operator=True)
            return _answer(t) if isinstance(t, _Tensor) else t
        return method

    def backward(name, function):
        def method(self, other):
            if name == "mul" and isinstance(self, _t.integer) and isinstance(other, (str, list, tuple, bytes)):
                return other * int(self)
            return of_numbers(function, other, self) if isinstance(self, generic) else function(other, self)
        return method

    def in_place(name, sign, function):
        def method(self, other):
            if isinstance(other, _Tensor):
                if name in ("add", "truediv"):
                    return NotImplemented
                raise TypeError(f"unsupported operand type(s) for {sign.split()[0]}=: 'numpy.ndarray' and 'Tensor'")
            made = function._of(self, other)
            if isinstance(made, _Tensor):
                if function._watched:
                    _errors.check(function, (self, other), made, operator=True)
                function._into(self, made)
            else:
                self[...] = made
            return self
        return method

    def compared(name, function):
        def method(self, other):
            if isinstance(other, _Tensor):
                if isinstance(self, generic):
                    return NotImplemented
                if name == "ne":
                    return True
                if name != "eq":
                    sign = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}[name]
                    raise TypeError(f"'{sign}' not supported between instances of 'numpy.ndarray' and 'Tensor'")
                return _C.from_numpy(function(self, other.numpy()))
            try:
                return function(self, other)
            except UFuncTypeError:
                if name not in ("eq", "ne"):
                    raise
                import numpy
                whole = numpy.broadcast_shapes(self.shape, asarray(other).shape)
                return numpy.full(whole, name == "ne") if whole else number(BOOL, name == "ne")
        return method

    def quick(plain, slow, compares):
        # Between two Python floats, Python's arithmetic is NumPy's.
        def method(self, other):
            if type(other) in (float, int, _t.float64):
                value = plain(self, other)
                if value is not NotImplemented and (
                        compares or value - value == 0 and (value * value or _errors.state["under"] == "ignore")):
                    return number(BOOL if compares else FLOAT64, value)
            return slow(self, other)
        return method

    for name, sign, function in functions:
        for cls in (ndarray, generic, _t.float64, _t.complex128):
            method = compared(name, function) if sign is None else forward(name, sign, function)
            if cls is _t.float64 and (sign is None or name in ("add", "sub", "mul")):
                method = quick(getattr(float, f"__{name}__"), method, sign is None)
            setattr(cls, f"__{name}__", method)
            if sign is not None:
                setattr(cls, f"__r{name}__", backward(name, function))
        if sign is not None:
            setattr(ndarray, f"__i{name}__", in_place(name, sign, function))
