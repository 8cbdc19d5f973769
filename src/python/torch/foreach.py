"""Operators over lists of tensors, and their private forms `torch._foreach_add` and so on.

On a GPU, PyTorch launches one kernel for many tensors if they're alike, and the kernels of such a list are reported as that one.
Everywhere else it goes through the list, and so do these functions.
"""

from builtins import list as _list, range as _range, tuple as _tuple, zip as _zip

import _torch
from _torch import Tensor

_UNARY = (
    "abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round rsqrt sigmoid "
    "sign sin sinh sqrt tan tanh trunc"
).split()
# For integers, these compute in float, and PyTorch goes through the list.
_TO_FLOAT = frozenset(_UNARY) - frozenset("abs ceil floor frac neg round sign trunc".split()) | {"div"}
_BINARY = "add sub mul div clamp_max clamp_min maximum minimum pow".split()
# A number stands where these methods take a tensor.
_WITH_NUMBER = {"maximum": "clamp_min", "minimum": "clamp_max"}

# How many tensors one kernel takes, by how many lists it reads and writes, without and with a list of numbers.
_MOST_TENSORS = (110, 64, 48, 36, 30)
_MOST_TENSORS_AND_NUMBERS = (96, 64, 48, 36, 30)
_MOST_BLOCKS = 320
_CHUNK = 65536


def _is_number(value):
    return isinstance(value, (bool, int, float, complex))


def _is_list(value, kind):
    return isinstance(value, (_list, _tuple)) and all(isinstance(item, kind) for item in value)


def _wrong(name, args):
    got = ", ".join(type(arg).__name__ for arg in args)
    return TypeError(f"{name}() received an invalid combination of arguments - got ({got})")


def _tensors(name, place, tensors):
    if not isinstance(tensors, (_list, _tuple)):
        raise TypeError(f"{name}(): argument 'self' (position {place + 1}) must be tuple of Tensors, not {type(tensors).__name__}")
    for i, tensor in enumerate(tensors):
        if not isinstance(tensor, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument {place}, but got {type(tensor).__name__}")
    return tensors


def _same_length(tensors, *lists):
    if not tensors:
        raise RuntimeError("Tensor list must have at least one tensor.")
    for other in lists:
        if len(other) != len(tensors):
            raise RuntimeError(f"Tensor lists must have the same number of tensors, got {len(tensors)} and {len(other)}")


def _as_many(tensors, numbers):
    if not tensors:
        raise RuntimeError("Tensor list must have at least one tensor.")
    if len(numbers) != len(tensors):
        raise RuntimeError("Tensor list must have same number of elements as scalar list.")


# ---- one kernel for a list -------------------------------------------------------------------------------------------


def _are_alike(lists, numbers, to_float):
    """Whether PyTorch's kernels for lists take these tensors."""
    import torch

    first = lists[0][0]
    dtype, device = first.dtype, first.device
    if device.type != "cuda":
        return False
    for tensors in lists:
        for tensor, model in _zip(tensors, lists[0]):
            if (
                tensor.dtype != dtype or tensor.device != device or tensor.layout != torch.strided or tensor.shape != model.shape
                or tensor.stride() != model.stride() or not _is_dense(tensor)
            ):
                return False
    if dtype.is_floating_point or dtype.is_complex:
        return dtype.is_complex or not any(isinstance(number, complex) for number in numbers)
    if to_float or any(isinstance(number, (float, complex)) for number in numbers):
        return False
    return dtype != _torch.bool or all(isinstance(number, bool) for number in numbers)


def _is_dense(tensor):
    if tensor.is_contiguous():
        return True
    expected = 1
    for stride, size in sorted(_zip(tensor.stride(), tensor.shape)):
        if size != 1:
            if stride != expected:
                return False
            expected *= size
    return True


def _launches(tensors, depth, with_numbers):
    """How many kernels PyTorch launches for a list: each takes this many tensors, and this many pieces of them, at most."""
    most = (_MOST_TENSORS_AND_NUMBERS if with_numbers else _MOST_TENSORS)[depth - 1]
    launches = held = blocks = 0
    for tensor in tensors:
        chunks = -(-tensor.numel() // _CHUNK)
        held += chunks > 0
        for chunk in _range(chunks):
            blocks += 1
            last = chunk == chunks - 1
            if blocks == _MOST_BLOCKS or (held == most and last):
                launches, blocks, held = launches + 1, 0, 0 if last else 1
    return launches + (blocks > 0)


def _each(name, function, lists, numbers=(), *, inplace=False, to_float=False, extra=0):
    """What `function` returns for the first, second, … tensors of the lists."""
    alike = _are_alike(lists, numbers, to_float)
    results = lambda: _tuple([function(*group) for group in _zip(*lists, *([numbers] if isinstance(numbers, _list) else []))])
    if not alike:
        return results()
    count = _launches(lists[0], len(lists) + (not inplace), isinstance(numbers, _list))
    return _torch._together(lists[0][0].device, "foreach_" + name, count + extra, results) if count else results()


# ---- the private functions -------------------------------------------------------------------------------------------


def _named(name, positions, args, kwargs):
    """The arguments by position. Several names may stand for the same one, as in PyTorch's overloads."""
    if len(args) > len(positions):
        raise TypeError(f"{name}() takes {len(positions)} positional argument{'s' if len(positions) > 1 else ''} but {len(args)} were given")
    found = _list(args) + [None] * (len(positions) - len(args))
    for key, value in kwargs.items():
        place = next((i for i, names in enumerate(positions) if key in names), None)
        if place is None:
            raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
        found[place] = value
    return found


def _host_number(value):
    """A tensor of one number stands for the number, which the host reads."""
    return value.item() if isinstance(value, Tensor) and value.dim() == 0 and not value.requires_grad else value


def _unary(op, inplace):
    name = f"_foreach_{op}{'_' if inplace else ''}"

    def function(*args, **kwargs):
        [tensors] = _named(name, [("self",)], args, kwargs)
        _same_length(_tensors(name, 0, tensors))
        results = _each(op, getattr(Tensor, op + "_" if inplace else op), [tensors], inplace=inplace, to_float=op in _TO_FLOAT)
        return tensors if inplace else results

    return name, function


def _binary(op, inplace):
    name = f"_foreach_{op}{'_' if inplace else ''}"
    mark = "_" if inplace else ""
    with_number = getattr(Tensor, _WITH_NUMBER.get(op, op) + mark)
    # `maximum` has no in-place form, and `clamp_min_` takes tensors.
    with_tensor = with_number if inplace else getattr(Tensor, op)
    takes_alpha = op in ("add", "sub")

    def function(*args, alpha=None, **kwargs):
        tensors, other = _named(name, [("self",), ("other", "scalar", "scalars", "tensor", "exponent")], args, kwargs)
        more = {} if alpha is None else {"alpha": alpha}
        if alpha is not None and not takes_alpha:
            raise TypeError(f"{name}() got an unexpected keyword argument 'alpha'")
        if op == "pow" and not inplace and not isinstance(tensors, (_list, _tuple)):
            base = _host_number(tensors)
            if not _is_number(base):
                raise _wrong(name, (tensors, other))
            _same_length(_tensors(name, 1, other))
            return _each(op, lambda t: _torch.pow(base, t), [other], (base,))
        if not isinstance(tensors, (_list, _tuple)):
            raise _wrong(name, (tensors, other))
        _tensors(name, 0, tensors)
        to_float = op in _TO_FLOAT
        if _is_list(other, Tensor) and (other or not tensors):
            _same_length(tensors, other)
            results = _each(op, lambda t, o: with_tensor(t, o, **more), [tensors, other], inplace=inplace, to_float=to_float)
        elif isinstance(other, Tensor) and op in ("add", "mul", "div") and (alpha is not None or other.dim() or other.requires_grad):
            _same_length(tensors)
            if other.dim() or other.numel() != 1:
                raise RuntimeError(
                    f"scalar tensor expected to be 0 dim but it has {other.dim()} dimensions and {other.numel()} elements.")
            results = _each(op, lambda t: with_tensor(t, other, **more), [tensors], inplace=inplace, to_float=to_float)
        elif alpha is not None:
            raise _wrong(name, (tensors, other))
        elif isinstance(other, (_list, _tuple)):
            numbers = [_host_number(number) for number in other]
            if not all(map(_is_number, numbers)):
                raise _wrong(name, (tensors, other))
            _as_many(tensors, numbers)
            results = _each(op, with_number, [tensors], numbers, inplace=inplace, to_float=to_float)
        else:
            number = _host_number(other)
            if not _is_number(number):
                raise _wrong(name, (tensors, other))
            _same_length(tensors)
            results = _each(op, lambda t: with_number(t, number), [tensors], (number,), inplace=inplace, to_float=to_float)
        return tensors if inplace else results

    return name, function


def _pointwise(op, inplace):
    name = f"_foreach_{op}{'_' if inplace else ''}"
    method = getattr(Tensor, op + "_" if inplace else op)

    def function(*args, **kwargs):
        tensors, one, two, value = _named(name, [("self",), ("tensor1",), ("tensor2",), ("value", "scalars")], args, kwargs)
        for place, given in enumerate((tensors, one, two)):
            _tensors(name, place, given)
        lists = [tensors, one, two]
        value = 1 if value is None else _host_number(value)
        if isinstance(value, Tensor):
            if value.dim() != 1 or value.device.type != "cpu":
                raise RuntimeError("Expected packed scalar Tensor to be of dimension 1 and on the CPU.")
            if len(value) != len(tensors):
                raise RuntimeError(f"Expected length of scalars to match input of length {len(tensors)} but got {len(value)} instead.")
            value = value.tolist()
        if isinstance(value, (_list, _tuple)):
            _same_length(tensors, one, two)
            numbers = [_host_number(number) for number in value]
            _as_many(tensors, numbers)
            results = _each(op, lambda t, a, b, v: method(t, a, b, value=v), lists, numbers, inplace=inplace)
        elif _is_number(value):
            _same_length(tensors, one, two)
            results = _each(op, lambda t, a, b: method(t, a, b, value=value), lists, (value,), inplace=inplace)
        else:
            raise _wrong(name, (tensors, one, two, value))
        return tensors if inplace else results

    return name, function


def _between(inplace):
    name = "_foreach_lerp_" if inplace else "_foreach_lerp"
    method = Tensor.lerp_ if inplace else Tensor.lerp

    def function(*args, **kwargs):
        tensors, end, weight = _named(name, [("self",), ("tensors1",), ("weight", "weights")], args, kwargs)
        _tensors(name, 0, tensors), _tensors(name, 1, end)
        weight = _host_number(weight)
        if _is_list(weight, Tensor) and weight:
            _same_length(tensors, end, weight)
            results = _each("lerp", method, [tensors, end, weight], inplace=inplace, to_float=True)
        elif isinstance(weight, (_list, _tuple)):
            _same_length(tensors, end)
            _as_many(tensors, weight)
            results = _each("lerp", method, [tensors, end], _list(weight), inplace=inplace, to_float=True)
        elif _is_number(weight):
            _same_length(tensors, end)
            results = _each("lerp", lambda t, e: method(t, e, weight), [tensors, end], (weight,), inplace=inplace, to_float=True)
        else:
            raise _wrong(name, (tensors, end, weight))
        return tensors if inplace else results

    return name, function


def _foreach_copy_(*args, **kwargs):
    tensors, src, later = _named("_foreach_copy_", [("self",), ("src",), ("non_blocking",)], args, kwargs)
    _same_length(_tensors("_foreach_copy_", 0, tensors), _tensors("_foreach_copy_", 1, src))
    _each("copy", lambda t, s: t.copy_(s, non_blocking=bool(later)), [tensors, src], inplace=True)
    return tensors


def _foreach_zero_(*args, **kwargs):
    [tensors] = _named("_foreach_zero_", [("self",)], args, kwargs)
    _same_length(_tensors("_foreach_zero_", 0, tensors))
    _each("zero", Tensor.zero_, [tensors], inplace=True)
    return tensors


def _foreach_clone(*args, memory_format=None, **kwargs):
    [tensors] = _named("_foreach_clone", [("self",)], args, kwargs)
    _same_length(_tensors("_foreach_clone", 0, tensors))
    more = {} if memory_format is None else {"memory_format": memory_format}
    return _each("clone", lambda t: t.clone(**more), [tensors])


def _foreach_mm(*args, **kwargs):
    tensors, others = _named("_foreach_mm", [("self",), ("mat2",)], args, kwargs)
    _same_length(_tensors("_foreach_mm", 0, tensors), _tensors("_foreach_mm", 1, others))
    return _tuple([_torch.mm(t, o) for t, o in _zip(tensors, others)])


# The kernels for lists reduce each piece of a tensor, into zeros that were made before, and a last one reduces the results.
_AROUND = 2


def _foreach_max(*args, **kwargs):
    [tensors] = _named("_foreach_max", [("self",)], args, kwargs)
    _same_length(_tensors("_foreach_max", 0, tensors))
    return _reduced("max", _torch.max, tensors)


def _foreach_norm(*args, dtype=None, **kwargs):
    tensors, order, kind = _named("_foreach_norm", [("self",), ("ord",), ("dtype",)], args, kwargs)
    _same_length(_tensors("_foreach_norm", 0, tensors))
    order, dtype = 2 if order is None else order, kind if dtype is None else dtype
    from torch import linalg

    norm = lambda t: linalg.vector_norm(t, order, dtype=dtype)
    return _reduced("norm", norm, tensors) if order in (1, 2, float("inf")) else _tuple([norm(t) for t in tensors])


def _foreach_powsum(*args, dtype=None, **kwargs):
    tensors, order, kind = _named("_foreach_powsum", [("self",), ("ord",), ("dtype",)], args, kwargs)
    _same_length(_tensors("_foreach_powsum", 0, tensors))
    order, dtype = 2 if order is None else order, kind if dtype is None else dtype
    power = lambda t: (t if dtype is None else t.to(dtype)).abs().pow(order).sum()
    return _reduced("powsum", power, tensors) if order in (1, 2) else _tuple([power(t) for t in tensors])


def _reduced(name, function, tensors):
    return _each(name, function, [tensors], inplace=True, to_float=name != "max", extra=_AROUND)


_PRIVATE = dict(
    [_unary(op, inplace) for op in _UNARY for inplace in (False, True)]
    + [_binary(op, inplace) for op in _BINARY for inplace in (False, True)]
    + [_pointwise(op, inplace) for op in ("addcdiv", "addcmul") for inplace in (False, True)]
    + [_between(inplace) for inplace in (False, True)]
)
_PRIVATE.update({f.__name__: f for f in (
    _foreach_copy_, _foreach_zero_, _foreach_clone, _foreach_mm, _foreach_max, _foreach_norm, _foreach_powsum)})
for _name, _function in _PRIVATE.items():
    _function.__name__ = _function.__qualname__ = _name
globals().update(_PRIVATE)


# ---- the public functions --------------------------------------------------------------------------------------------


def _public(op):
    """The function of `torch.foreach`. A function that writes into its tensors returns the list that it was given."""
    private = _PRIVATE["_foreach_" + op]
    base = op.rstrip("_")
    if base in ("add", "sub"):
        def function(inputs, other, /, *, alpha=None):
            return private(inputs, other) if alpha is None else private(inputs, other, alpha=alpha)
    elif base in ("addcdiv", "addcmul"):
        def function(inputs, tensor1, tensor2, /, *, value=1):
            return private(inputs, tensor1, tensor2, value)
    elif base == "lerp":
        def function(inputs, end, weight, /):
            return private(inputs, end, weight)
    elif base == "copy":
        def function(inputs, src, /, *, non_blocking=False):
            return private(inputs, src, non_blocking)
    elif base == "clone":
        def function(inputs, /, *, memory_format=None):
            return private(inputs, memory_format=memory_format)
    elif base == "norm":
        def function(inputs, /, *, ord=2, dtype=None):
            return private(inputs, ord, dtype=dtype)
    elif base in _BINARY or base == "mm":
        def function(inputs, other, /):
            return private(inputs, other)
    else:
        def function(inputs, /):
            return private(inputs)
    function.__name__ = function.__qualname__ = op
    return function


__all__ = sorted(name.removeprefix("_foreach_") for name in _PRIVATE if name != "_foreach_powsum")
globals().update((op, _public(op)) for op in __all__)
