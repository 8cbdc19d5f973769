"""`pack` and `unpack`."""

from . import EinopsError, _arrays
from .einops import _product
from .parsing import ParsedExpression


def analyze_pattern(pattern, opname):
    """How many axes are before `*`, how many after it, and how many that makes."""
    axes = pattern.split()
    if len(axes) != len(set(axes)):
        raise EinopsError(f'Duplicates in axes names in {opname}(..., "{pattern}")')
    if "*" not in axes:
        raise EinopsError(f'No *-axis in {opname}(..., "{pattern}")')
    for axis in axes:
        if axis != "*" and not ParsedExpression.check_axis_name(axis):
            raise EinopsError(f'Invalid axis name {axis} in {opname}(..., "{pattern}")')
    before = axes.index("*")
    return before, len(axes) - before - 1, len(axes) - 1


def pack(tensors, pattern):
    """Joins tensors along the axis `*`, and tells what each had in its place."""
    before, after, least = analyze_pattern(pattern, "pack")
    _arrays.library(tensors[0])
    flat, shapes = [], []
    for i, tensor in enumerate(tensors):
        shape = tensor.shape
        if len(shape) < least:
            raise EinopsError(
                f"packed tensor #{i} (enumeration starts with 0) has shape {shape}, "
                f"while pattern {pattern} assumes at least {least} axes"
            )
        end = len(shape) - after
        shapes.append(shape[before:end])
        flat.append(tensor.reshape((*shape[:before], -1, *shape[end:])))
    return _arrays.joined(flat, before), shapes


def unpack(tensor, packed_shapes, pattern):
    """The opposite of `pack`. One length may be -1."""
    before, after, least = analyze_pattern(pattern, "unpack")
    _arrays.library(tensor)
    shape = tensor.shape
    if len(shape) != least + 1:
        raise EinopsError(f"unpack(..., {pattern}) received input of wrong dim with shape {shape}")
    lengths = [-1 if -1 in packed else _product(packed) for packed in packed_shapes]
    if lengths.count(-1) > 1:
        raise EinopsError(f"unpack(..., {pattern}) received more than one -1 in {packed_shapes} and can't infer dimensions")
    whole = shape[before]
    ends = [*[0] * len(lengths), whole]
    unknown = lengths.index(-1) if -1 in lengths else len(lengths) - 1
    for i in range(unknown):
        ends[i + 1] = ends[i] + lengths[i]
    for i in reversed(range(unknown + 1, len(lengths))):
        ends[i] = ends[i + 1] - lengths[i]
    every = (slice(None),) * before
    try:
        return [
            tensor[(*every, slice(ends[i], ends[i + 1]))].reshape((*shape[:before], *packed, *shape[before + 1 :]))
            for i, packed in enumerate(packed_shapes)
        ]
    except Exception as e:
        raise EinopsError(
            f'Error during unpack(..., "{pattern}"): could not split axis of size {whole} into requested {packed_shapes}'
        ) from e
