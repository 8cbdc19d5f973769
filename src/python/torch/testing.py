"""Comparing tensors, and making some to compare."""

import cmath
import dataclasses
import math
import warnings
from collections.abc import Mapping, Sequence

import _torch
from _torch import Tensor

__all__ = ["assert_allclose", "assert_close", "make_tensor"]

_TOLERANCE = {_torch.float16: (1e-3, 1e-5), _torch.bfloat16: (1.6e-2, 1e-5), _torch.float32: (1.3e-6, 1e-5),
              _torch.float64: (1e-7, 1e-7), _torch.complex64: (1.3e-6, 1e-5), _torch.complex128: (1e-7, 1e-7)}
_NUMBERS = {int: _torch.int64, float: _torch.float64, complex: _torch.complex128}


class _Different(Exception):
    """What is wrong with a pair of values, and where it is in the nest that was given."""

    def __init__(self, text, place, kind=AssertionError):
        self.text, self.place, self.kind = text, place, kind

    def to_error(self, msg):
        text = self.text
        if self.place:
            text += f"\n\nThe failure occurred for item {''.join(str([item]) for item in self.place)}"
        return self.kind(msg if isinstance(msg, str) else msg(text) if callable(msg) else text)


def _pairs(actual, expected, options, place=()):
    """A comparison for each pair of values in two nests. None of them has run yet: a wrong type is found first."""
    if all(isinstance(x, Sequence) and not isinstance(x, str) for x in (actual, expected)):
        if len(actual) != len(expected):
            raise _Different(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}", place)
        return [p for i in range(len(actual)) for p in _pairs(actual[i], expected[i], options, (*place, i))]
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        mine, theirs = set(actual), set(expected)
        if mine != theirs:
            raise _Different(f"The keys of the mappings do not match:\nMissing keys in the actual mapping: {sorted(theirs - mine)}\n"
                             f"Additional keys in the actual mapping: {sorted(mine - theirs)}", place)
        try:
            mine = sorted(mine)
        except TypeError:
            pass
        return [p for key in mine for p in _pairs(actual[key], expected[key], options, (*place, key))]
    if type(actual) is type(expected) and dataclasses.is_dataclass(actual) and not isinstance(actual, type):
        try:
            equal = actual == expected
        except RuntimeError:
            equal = None
        if type(equal) is bool:
            return [_plain(equal, f"{actual} != {expected}", place)]
        return [p for field in dataclasses.fields(actual) if field.compare
                for p in _pairs(getattr(actual, field.name), getattr(expected, field.name), options, (*place, field.name))]
    if actual is None or expected is None:
        return [_plain(actual is expected, f"None mismatch: {actual} is not {expected}", place)]
    both = [x.item() if hasattr(x, "item") and not isinstance(x, Tensor) and not getattr(x, "shape", True) else x
            for x in (actual, expected)]
    if all(isinstance(x, bool) for x in both):
        return [_plain(both[0] is both[1], f"Booleans mismatch: {both[0]} is not {both[1]}", place)]
    if all(isinstance(x, (int, float, complex)) for x in both):
        tolerances = _tolerances([_NUMBERS[type(x)] for x in both], options, place)
        return [lambda: _compare_numbers(*both, tolerances, options, place)]
    related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
    if related and (options["allow_subclasses"] or type(actual) is type(expected)):
        try:
            import torch

            tensors = [x if isinstance(x, Tensor) else torch.as_tensor(x) for x in (actual, expected)]
        except (TypeError, ValueError, RuntimeError):
            pass
        else:
            tolerances = _tolerances([t.dtype for t in tensors], options, place)
            return [lambda: _compare_tensors(*tensors, tolerances, options, place)]
    raise _Different(f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}.", place, TypeError)


def _plain(same, text, place):
    def compare():
        if not same:
            raise _Different(text, place)

    return compare


def _tolerances(dtypes, options, place):
    relative, absolute = options["rtol"], options["atol"]
    if (relative is None) != (absolute is None):
        raise _Different("Both 'rtol' and 'atol' must be either specified or omitted, but got no "
                         f"{'rtol' if relative is None else 'atol'}.", place, ValueError)
    if relative is not None:
        return relative, absolute
    return tuple(map(max, zip(*(_TOLERANCE.get(dtype, (0.0, 0.0)) for dtype in dtypes))))


def _mismatch(what, extra, tolerances, absolute, relative, places=(None, None)):
    equality = tolerances == (0, 0)
    lines = []
    for kind, difference, tolerance, place in zip(("absolute", "relative"), (absolute, relative), reversed(tolerances), places):
        where = f"{kind.title()} difference: {difference}" if place is None else (
            f"Greatest {kind} difference: {difference} at index {place}")
        lines.append(where + ("" if equality else f" (up to {tolerance} allowed)"))
    return f"{what} are not {'equal' if equality else 'close'}!\n\n{extra}\n" + "\n".join(lines)


def _scalars(actual, expected, tolerances, what="Scalars"):
    absolute = abs(actual - expected)
    return _mismatch(what, f"Expected {expected} but got {actual}.", tolerances, absolute,
                     math.inf if expected == 0 else absolute / abs(expected))


def _compare_numbers(actual, expected, tolerances, options, place):
    if options["check_dtype"] and type(actual) is not type(expected):
        raise _Different(f"The (d)types do not match: {type(actual)} != {type(expected)}.", place)
    if actual == expected or (options["equal_nan"] and cmath.isnan(actual) and cmath.isnan(expected)):
        return
    difference = abs(actual - expected)
    if not (cmath.isfinite(difference) and difference <= tolerances[1] + tolerances[0] * abs(expected)):
        raise _Different(_scalars(actual, expected, tolerances), place)


def _compare_tensors(actual, expected, tolerances, options, place):
    import torch

    def attribute(name, a, b):
        if a != b:
            raise _Different(f"The values for attribute '{name}' do not match: {a} != {b}.", place)

    attribute("shape", actual.shape, expected.shape)
    if str(actual.layout) != str(expected.layout):
        if options["check_layout"]:
            attribute("layout", actual.layout, expected.layout)
    elif options["check_stride"] and actual.layout == torch.strided:
        attribute("stride()", actual.stride(), expected.stride())
    if options["check_device"]:
        attribute("device", actual.device, expected.device)
    if options["check_dtype"]:
        attribute("dtype", actual.dtype, expected.dtype)
    if "meta" in (actual.device.type, expected.device.type):
        return
    if actual.device != expected.device:
        actual, expected = actual.cpu(), expected.cpu()
    if actual.dtype != expected.dtype:
        dtype = torch.promote_types(actual.dtype, expected.dtype)
        actual, expected = actual.to(dtype), expected.to(dtype)
    if actual.layout != expected.layout:
        actual, expected = (t if t.layout == torch.strided else t.to_dense() for t in (actual, expected))
    if actual.is_nested:
        actual, expected = actual.values(), expected.values()
    parts = [(actual, expected, tolerances, None)]
    if actual.layout != torch.strided:
        parts = _sparse_parts(actual, expected, tolerances, place)
    for a, b, allowed, what in parts:
        _compare_values(a.detach().as_subclass(Tensor), b.detach().as_subclass(Tensor), allowed, what, options, place)


def _sparse_parts(actual, expected, tolerances, place):
    coo = actual.is_sparse
    kind = "COO" if coo else str(actual.layout)[-3:].upper()
    counts = [("dimensions", t.sparse_dim) for t in (actual, expected)] if coo else []
    counts += [("values", t._nnz) for t in (actual, expected)]
    for (what, a), (_, b) in zip(counts[::2], counts[1::2]):
        if a() != b():
            text = f"number of sparse {what} in sparse COO tensors" if what == "dimensions" else (
                f"number of specified values in sparse {kind} tensors")
            raise _Different(f"The {text} does not match: {a()} != {b()}", place)
    if coo:
        return [(actual._indices(), expected._indices(), (0, 0), "Sparse COO indices"),
                (actual._values(), expected._values(), tolerances, "Sparse COO values")]
    names = ("crow_indices", "col_indices") if kind.endswith("SR") else ("ccol_indices", "row_indices")
    return [(getattr(actual, name)(), getattr(expected, name)(), (0, 0), f"Sparse {kind} {name}") for name in names] + [
        (actual.values(), expected.values(), tolerances, f"Sparse {kind} values")]


def _compare_values(actual, expected, tolerances, what, options, place):
    import torch

    near = torch.isclose(actual, expected, *tolerances, options["equal_nan"])
    if near.all():
        return
    if not actual.shape:
        raise _Different(_scalars(actual.item(), expected.item(), tolerances, what or "Scalars"), place)
    count = near.numel()
    wrong = count - int(near.sum())
    if not (actual.is_floating_point() or actual.is_complex()):
        actual, expected = actual.long(), expected.long()
    absolute = (actual - expected).abs().masked_fill(near, 0)
    differences, places = [], []
    for difference in (absolute, (absolute / expected.abs()).masked_fill(near, 0)):
        value, at = difference.flatten().max(0)
        differences.append(value.item())
        places.append(tuple(int(i) for i in torch.unravel_index(at, near.shape)))
    raise _Different(_mismatch(what or "Tensor-likes", f"Mismatched elements: {wrong} / {count} ({wrong / count:.1%})", tolerances,
                               *differences, places), place)


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True,
                 check_dtype=True, check_layout=True, check_stride=False, msg=None):
    """Raises unless two tensors, numbers or nests of these are equal up to a tolerance."""
    options = {"allow_subclasses": allow_subclasses, "rtol": rtol, "atol": atol, "equal_nan": equal_nan, "check_device": check_device,
               "check_dtype": check_dtype, "check_layout": check_layout, "check_stride": check_stride}
    differing = []
    try:
        pairs = _pairs(actual, expected, options)
    except _Different as found:
        differing.append(found)
    if differing:
        raise differing[0].to_error(None)
    # All of them are compared, and the first one that differs is named.
    for compare in pairs:
        try:
            compare()
        except _Different as found:
            differing.append(found)
    if differing:
        raise differing[0].to_error(msg)


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    """The old name of `assert_close`, with other tolerances."""
    warnings.warn("`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future release. Please use "
                  "`torch.testing.assert_close()` instead. You can find detailed upgrade instructions in "
                  "https://github.com/pytorch/pytorch/issues/61844.", FutureWarning, stacklevel=2)
    import torch

    actual = actual if isinstance(actual, Tensor) else torch.tensor(actual)
    expected = expected if isinstance(expected, Tensor) else torch.tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        known = {_torch.float16: (1e-3, 1e-3), _torch.float32: (1e-4, 1e-5), _torch.float64: (1e-5, 1e-8)}
        rtol, atol = map(max, zip(*(known.get(t.dtype, (0.0, 0.0)) for t in (actual, expected))))
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, check_stride=False, msg=msg or None)


def _limits(dtype, low, high, exact):
    """`low` and `high`, or what they are if they aren't given, as far as the dtype goes."""
    import torch

    if dtype is torch.bool:
        least, most, standard = 0, 2, (0, 2)
    elif exact:
        least, most = torch.iinfo(dtype).min, torch.iinfo(dtype).max + (dtype is not torch.int64)
        standard = -9, 10
    else:
        least, most, standard = torch.finfo(dtype).min, torch.finfo(dtype).max, (-9, 9)
    low, high = (standard[i] if value is None else value for i, value in enumerate((low, high)))
    if any(isinstance(value, float) and math.isnan(value) for value in (low, high)):
        raise ValueError(f"`low` and `high` cannot be NaN, but got {low=} and {high=}")
    if low == high and not exact:
        warnings.warn("Passing `low==high` to `torch.testing.make_tensor` for floating or complex types is deprecated since 2.1 and "
                      "will be removed in 2.3. Use `torch.full(...)` instead.", FutureWarning, stacklevel=3)
    elif low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    elif high < least or low >= most:
        raise ValueError(f"The value interval specified by `low` and `high` is [{low}, {high}), but {dtype} only supports "
                         f"[{least}, {most})")
    low, high = (min(max(value, least), most) for value in (low, high))
    return (math.ceil(low), math.ceil(high)) if exact else (low, high)


def make_tensor(*shape, dtype, device, low=None, high=None, requires_grad=False, noncontiguous=False, exclude_zero=False,
                memory_format=None):
    """A tensor of random numbers between `low` and `high`."""
    import torch

    if len(shape) == 1 and isinstance(shape[0], Sequence):
        shape = shape[0]
    shape = tuple(shape)
    exact = not (dtype.is_floating_point or dtype.is_complex)
    if noncontiguous and memory_format is not None:
        raise ValueError("The parameters `noncontiguous` and `memory_format` are mutually exclusive, "
                         f"but got {noncontiguous=} and {memory_format=}")
    if requires_grad and exact:
        raise ValueError(f"`requires_grad=True` is not supported for boolean and integral dtypes, but got {dtype=}")
    noncontiguous = noncontiguous and math.prod(shape) > 1
    if noncontiguous:
        shape = (*shape[:-1], 2 * shape[-1])
    low, high = _limits(dtype, low, high, exact)
    if exact:
        result = torch.randint(low, high, shape, device=device, dtype=dtype)
    else:
        result = torch.empty(shape, device=device, dtype=dtype)
        numbers = torch.view_as_real(result) if dtype.is_complex else result
        if high - low >= torch.finfo(dtype).max:
            numbers.uniform_(low / 2, high / 2).mul_(2)
        else:
            numbers.uniform_(low, high)
    if noncontiguous:
        result = result[..., 1::2]
    elif memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        result[result == 0] = 1 if exact else torch.finfo(dtype).tiny
    if not exact:
        result.requires_grad = requires_grad
    return result
