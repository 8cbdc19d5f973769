"""`rearrange`, `reduce`, `repeat`, `einsum` and `parse_shape`."""

import functools
import string

from . import EinopsError, _arrays
from .parsing import AnonymousAxis, ParsedExpression, _ellipsis

_reductions = ("min", "max", "sum", "mean", "prod", "any", "all")


def _product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def _check(left, right, pattern, operation, names):
    """Whether both sides fit the operation."""
    if not left.has_ellipsis and right.has_ellipsis:
        raise EinopsError(f"Ellipsis found in right side, but not left side of a pattern {pattern}")
    if left.has_ellipsis and left.has_ellipsis_parenthesized:
        raise EinopsError(f"Ellipsis inside parenthesis in the left side is not allowed: {pattern}")
    if operation == "rearrange":
        if left.has_non_unitary_anonymous_axes or right.has_non_unitary_anonymous_axes:
            raise EinopsError("Non-unitary anonymous axes are not supported in rearrange (exception is length 1)")
        if wrong := left.identifiers ^ right.identifiers:
            raise EinopsError(f"Identifiers only on one side of expression (should be on both): {wrong}")
    elif operation == "repeat":
        if wrong := left.identifiers - right.identifiers:
            raise EinopsError(f"Unexpected identifiers on the left side of repeat: {wrong}")
        new = {axis for axis in right.identifiers if not isinstance(axis, AnonymousAxis)}
        if wrong := new - left.identifiers - set(names):
            raise EinopsError(f"Specify sizes for new axes in repeat: {wrong}")
    elif operation in _reductions or callable(operation):
        if wrong := right.identifiers - left.identifiers:
            raise EinopsError(f"Unexpected identifiers on the right side of reduce {operation}: {wrong}")
    else:
        raise EinopsError(f"Unknown reduction {operation}. Expect one of {_reductions}.")


@functools.lru_cache(256)
def _prepared(pattern, operation, names, ndim):
    """The names of each axis, on the left and on the right, with numbered names in place of the ellipsis."""
    left_text, right_text = pattern.split("->")
    left, right = ParsedExpression(left_text), ParsedExpression(right_text)
    _check(left, right, pattern, operation, names)
    others = len(left.composition) - left.has_ellipsis
    if left.has_ellipsis:
        if ndim < others:
            raise EinopsError(f"Wrong shape: expected >={others} dims. Received {ndim}-dim tensor.")
    elif ndim != others:
        raise EinopsError(f"Wrong shape: expected {others} dims. Received {ndim}-dim tensor.")
    rest = [_ellipsis + str(i) for i in range(ndim - others)]

    def spread(composition):
        axes = []
        for names in composition:
            if names == _ellipsis:
                axes += [[name] for name in rest]
            else:
                axes.append([each for name in names for each in (rest if name == _ellipsis else [name])])
        return axes

    before, after = spread(left.composition), spread(right.composition)
    used = {name for axes in before + after for name in axes}
    for name in names:
        if not ParsedExpression.check_axis_name(name):
            raise EinopsError("Invalid name for an axis", name)
        if name not in used:
            raise EinopsError(f"Axis {name} is not used in transform")
    for axes in before:
        unknown = {name for name in axes if isinstance(name, str) and name not in names}
        if len(unknown) > 1:
            raise EinopsError(f"Could not infer sizes for {unknown}")
    return before, after


def _lengths(before, shape, given):
    """The length of each name."""
    lengths = dict(given)
    for axes in before:
        lengths.update({axis: axis.value for axis in axes if isinstance(axis, AnonymousAxis)})
    for axes, length in zip(before, shape):
        unknown = [axis for axis in axes if axis not in lengths]
        known = _product(lengths[axis] for axis in axes if axis in lengths)
        if not unknown:
            if length != known:
                raise EinopsError(f"Shape mismatch, {length} != {known}")
        elif length % known:
            raise EinopsError(f"Shape mismatch, can't divide axis of length {length} in chunks of {known}")
        else:
            lengths[unknown[0]] = length // known
    return lengths


def _apply(x, pattern, operation, given):
    before, after = _prepared(pattern, operation, tuple(given), len(x.shape))
    lengths = _lengths(before, x.shape, given)
    start = [axis for axes in before for axis in axes]
    if any(len(axes) != 1 for axes in before):
        x = x.reshape([lengths[axis] for axis in start])
    end = [axis for axes in after for axis in axes]
    kept = [axis for axis in end if axis in start]
    gone = [axis for axis in start if axis not in end]
    x = _arrays.permuted(x, [start.index(axis) for axis in kept + gone])
    if gone:
        axes = tuple(range(len(kept), len(start)))
        if callable(operation):
            x = operation(x, axes)
        elif operation == "mean" and not _arrays.is_float(x):
            raise NotImplementedError("reduce_mean is not available for non-floating tensors")
        else:
            x = _arrays.reduced(x, operation, axes)
    lengths.update({axis: axis.value for axis in end if isinstance(axis, AnonymousAxis)})
    if len(kept) != len(end):
        x = x.reshape([lengths[axis] if axis in start else 1 for axis in end])
        x = _arrays.expanded(x, [lengths[axis] for axis in end])
    if any(len(axes) != 1 for axes in after):
        x = x.reshape([_product(lengths[axis] for axis in axes) for axes in after])
    return x


def reduce(tensor, pattern, reduction, **axes_lengths):
    """Rearranges axes, and reduces those that are missing on the right of the pattern."""
    if isinstance(tensor, list):
        if not tensor:
            raise TypeError("Rearrange/Reduce/Repeat can't be applied to an empty list")
        tensor = _arrays.library(tensor[0]).stack(tensor)
    else:
        _arrays.library(tensor)
    try:
        return _apply(tensor, pattern, reduction, axes_lengths)
    except EinopsError as e:
        raise EinopsError(
            f' Error while processing {reduction}-reduction pattern "{pattern}".\n Input tensor shape: {tensor.shape}. '
            f"Additional info: {axes_lengths}.\n {e}"
        ) from None


def rearrange(tensor, pattern, **axes_lengths):
    """Reorders, splits and joins axes."""
    return reduce(tensor, pattern, "rearrange", **axes_lengths)


def repeat(tensor, pattern, **axes_lengths):
    """Rearranges axes, and repeats elements along new ones."""
    return reduce(tensor, pattern, "repeat", **axes_lengths)


def parse_shape(x, pattern):
    """The length of each axis that the pattern names; `_` skips one."""
    exp = ParsedExpression(pattern, allow_underscore=True)
    _arrays.library(x)
    shape, composition = x.shape, exp.composition
    if exp.has_composed_axes():
        raise RuntimeError(f"Can't parse shape with composite axes: {pattern} {shape}")
    if exp.has_ellipsis:
        if len(shape) < len(composition) - 1:
            raise RuntimeError(f"Can't parse shape with this number of dimensions: {pattern} {shape}")
        at = composition.index(_ellipsis)
        composition = [*composition[:at], *[["_"]] * (len(shape) - len(composition) + 1), *composition[at + 1 :]]
    elif len(shape) != len(composition):
        raise RuntimeError(f"Can't parse shape with different number of dimensions: {pattern} {shape}")
    result = {}
    for axes, length in zip(composition, shape):
        if not axes:
            if length != 1:
                raise RuntimeError(f"Length of axis is not 1: {pattern} {shape}")
        elif isinstance(axes[0], AnonymousAxis):
            if length != axes[0].value:
                raise RuntimeError(f"Length of anonymous axis does not match: {pattern} {shape}")
        elif axes[0] != "_":
            result[axes[0]] = length
    return result


def asnumpy(tensor):
    """The tensor as an array."""
    return tensor.detach().cpu().numpy() if _arrays.is_torch(tensor) else tensor


@functools.lru_cache(256)
def _compact(pattern):
    """The pattern with a letter for each name."""
    if "->" not in pattern:
        raise ValueError("Einsum pattern must contain '->'.")
    left, right = pattern.split("->")
    sides = [ParsedExpression(side, allow_underscore=True, allow_duplicates=True) for side in left.split(",")]
    letters = {_ellipsis: "..."}

    def letter(axes, is_new):
        if axes != _ellipsis:
            if not axes:
                raise NotImplementedError("Singleton () axes are not yet supported in einsum.")
            if len(axes) > 1:
                raise NotImplementedError("Shape rearrangement is not yet supported in einsum.")
            (axes,) = axes
            if isinstance(axes, AnonymousAxis):
                raise NotImplementedError("Anonymous axes are not yet supported in einsum.")
        if axes not in letters:
            if not is_new:
                raise EinopsError(f"Unknown axis {axes} on right side of einsum {pattern}.")
            if len(letters) > len(string.ascii_letters):
                raise RuntimeError("Too many axes in einsum.")
            letters[axes] = string.ascii_letters[len(letters) - 1]
        return letters[axes]

    inputs = ["".join(letter(axes, True) for axes in side.composition) for side in sides]
    output = ParsedExpression(right, allow_underscore=True)
    return ",".join(inputs) + "->" + "".join(letter(axes, False) for axes in output.composition)


def einsum(*tensors_and_pattern):
    """A sum of products, whose axes have names of any length."""
    if len(tensors_and_pattern) <= 1:
        raise ValueError(
            "`einops.einsum` takes at minimum two arguments: the tensors (at least one), followed by the pattern."
        )
    *tensors, pattern = tensors_and_pattern
    if not isinstance(pattern, str):
        raise ValueError("The last argument passed to `einops.einsum` must be a string, representing the einsum pattern.")
    return _arrays.library(tensors[0]).einsum(_compact(pattern), *tensors)
