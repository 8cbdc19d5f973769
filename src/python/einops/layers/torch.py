"""`Rearrange`, `Reduce` and `EinMix`, modules of torch."""

import string
import warnings

import torch

from .. import EinopsError
from ..einops import _apply, _check, _product
from ..parsing import ParsedExpression, _ellipsis

__all__ = ["EinMix", "Rearrange", "Reduce"]


def _given(lengths):
    return "".join(f", {axis}={length}" for axis, length in lengths.items())


class _Pattern(torch.nn.Module):
    def __init__(self, pattern, operation, axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.axes_lengths = axes_lengths
        self._operation = operation
        try:
            left, right = (ParsedExpression(side) for side in pattern.split("->"))
            _check(left, right, pattern, operation, tuple(axes_lengths))
            for name in axes_lengths:
                if name not in left.identifiers | right.identifiers:
                    raise EinopsError(f"Axis {name} is not used in transform")
            for axes in left.composition:
                unknown = {name for name in axes if isinstance(name, str) and name not in axes_lengths}
                if len(unknown) > 1:
                    raise EinopsError(f"Could not infer sizes for {unknown}")
        except EinopsError as e:
            raise EinopsError(f" Error while preparing {self!r}\n {e}") from None
        axes = len(left.composition)
        self._dims = range(axes - 1, axes + 7) if left.has_ellipsis else (axes,)

    def forward(self, input):
        if input.ndim not in self._dims:
            raise KeyError(input.ndim)
        return _apply(input, self.pattern, self._operation, self.axes_lengths)


class Rearrange(_Pattern):
    """`rearrange` as a layer."""

    def __init__(self, pattern, **axes_lengths):
        super().__init__(pattern, "rearrange", axes_lengths)

    def __repr__(self):
        return f"{type(self).__name__}({self.pattern!r}{_given(self.axes_lengths)})"


class Reduce(_Pattern):
    """`reduce` as a layer."""

    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__(pattern, reduction, axes_lengths)

    @property
    def reduction(self):
        return self._operation

    def __repr__(self):
        return f"{type(self).__name__}({self.pattern!r}, {self.reduction!r}{_given(self.axes_lengths)})"


def _report(axes, message):
    if axes:
        raise EinopsError(message.format(axes))


class EinMix(torch.nn.Module):
    """A linear layer whose input, weight and output are described by a pattern."""

    def __init__(self, pattern, weight_shape, bias_shape=None, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.weight_shape = weight_shape
        self.bias_shape = bias_shape
        self.axes_lengths = axes_lengths
        left_text, right_text = pattern.split("->")
        left, right, weight = map(ParsedExpression, (left_text, right_text, weight_shape))
        self._check(left, right, weight)
        self.pre_rearrange = self.post_rearrange = None
        if any(len(axes) != 1 for axes in left.composition):
            names = self._names(left)
            lengths = {name: length for name, length in axes_lengths.items() if name in names}
            self.pre_rearrange = Rearrange(f"{left_text}-> {' '.join(names)}", **lengths)
        if any(len(axes) != 1 for axes in right.composition) or right.has_ellipsis_parenthesized:
            self.post_rearrange = Rearrange(f"{' '.join(self._names(right))} ->{right_text}")
        for axis in weight.identifiers:
            if axis not in axes_lengths:
                raise EinopsError(f"Dimension {axis} of weight should be specified")
        _report(set(axes_lengths) - left.identifiers - weight.identifiers, "Axes {} are not used in pattern")
        _report(weight.identifiers - left.identifiers - right.identifiers, "Weight axes {} are redundant")
        if not weight.identifiers:
            warnings.warn("EinMix: weight has no dimensions (means multiplication by a number)", stacklevel=2)
        axes = [axis for (axis,) in weight.composition]
        mixed = _product(axes_lengths[axis] for axis in axes if axis not in right.identifiers)
        shape = None if bias_shape is None else self._bias(bias_shape, right)
        self.weight = self._parameter([axes_lengths[axis] for axis in axes], (3 / mixed) ** 0.5)
        self.bias = None if shape is None else self._parameter(shape, (1 / mixed) ** 0.5)
        names = sorted((left.identifiers | right.identifiers | weight.identifiers) - {_ellipsis})
        letters = {**dict(zip(names, string.ascii_lowercase)), _ellipsis: "..."}
        sides = ["".join(letters[axis] for axes in side.composition for axis in axes) for side in (left, weight, right)]
        self.einsum_pattern = f"{sides[0]},{sides[1]}->{sides[2]}"

    @staticmethod
    def _names(side):
        return ["..." if name == _ellipsis else name for axes in side.composition for name in axes]

    @staticmethod
    def _parameter(shape, bound):
        return torch.nn.Parameter(torch.zeros(shape).uniform_(-bound, bound))

    def _check(self, left, right, weight):
        unknown = right.identifiers - left.identifiers - weight.identifiers
        _report(unknown, "Unrecognized identifiers on the right side of EinMix {}")
        if weight.has_ellipsis:
            raise EinopsError("Ellipsis is not supported in weight, as its shape should be fully specified")
        if left.has_ellipsis != right.has_ellipsis:
            raise EinopsError(f"Ellipsis in EinMix should be on both sides, {self.pattern}")
        if left.has_ellipsis_parenthesized:
            raise EinopsError(f"Ellipsis on left side can't be in parenthesis, got {self.pattern}")
        if any(side.has_non_unitary_anonymous_axes for side in (left, right, weight)):
            raise EinopsError("Anonymous axes (numbers) are not allowed in EinMix")
        if "(" in self.weight_shape or ")" in self.weight_shape:
            raise EinopsError(f"Parenthesis is not allowed in weight shape: {self.weight_shape}")

    def _bias(self, bias_shape, right):
        if not isinstance(bias_shape, str):
            raise EinopsError("bias shape should be string specifying which axes bias depends on")
        names = ParsedExpression(bias_shape).identifiers
        _report(names - right.identifiers, "Bias axes {} not present in output")
        _report(names - set(self.axes_lengths), "Sizes not provided for bias axes {}")
        shape = []
        for axis in (axis for axes in right.composition for axis in axes):
            if axis != _ellipsis:
                shape.append(self.axes_lengths[axis] if axis in names else 1)
            elif names & {name for axes in right.composition[: len(shape)] for name in axes}:
                raise EinopsError("all bias dimensions should go after ellipsis in the output")
        return shape

    def forward(self, input):
        if self.pre_rearrange is not None:
            input = self.pre_rearrange(input)
        result = torch.einsum(self.einsum_pattern, input, self.weight)
        if self.bias is not None:
            result += self.bias
        return result if self.post_rearrange is None else self.post_rearrange(result)

    def __repr__(self):
        shapes = "".join(f", '{shape}'" for shape in (self.weight_shape, self.bias_shape) if shape is not None)
        return f"{type(self).__name__}({self.pattern!r}{shapes}{_given(self.axes_lengths)})"
