"""Nested tensors of the jagged layout: the tensors in one of `_values`, one after the other along their ragged dimension, and
`_offsets` that say where each begins. `_values` is in the graph."""

import math
import weakref

import _torch
import torch
from torch import _utils

__all__ = ["NestedTensor"]


class SymInt:
    """The size of a ragged dimension, which differs between the tensors: `j1`, or a multiple of it."""

    __module__ = "torch"

    def __init__(self, number, coefficient=1):
        self._number, self._coefficient = number, coefficient

    def __repr__(self):
        return ("" if self._coefficient == 1 else f"{self._coefficient}*") + f"j{self._number}"

    def _key(self):
        return self._number, self._coefficient

    def __eq__(self, other):
        return isinstance(other, SymInt) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __mul__(self, other):
        return SymInt(self._number, self._coefficient * other) if isinstance(other, int) else NotImplemented

    __rmul__ = __mul__

    def __bool__(self):
        return True

    # How large it is isn't known when a program compares it; PyTorch takes it to be at least 2.
    def __ge__(self, other):
        if self == other or isinstance(other, int) and other <= 2:
            return True
        raise ValueError("ge: relation is indeterminate")

    def __gt__(self, other):
        if isinstance(other, int) and other < 2:
            return True
        raise ValueError("gt: relation is indeterminate")

    def __lt__(self, other):
        return not self >= other

    def __le__(self, other):
        return not self > other

    def _refuse(name):
        def operator(self, *args):
            raise AttributeError(f"'NestedIntNode' object has no attribute '{name}'")

        return operator

    __add__, __radd__, __sub__, __rsub__ = _refuse("add"), _refuse("add"), _refuse("sub"), _refuse("sub")
    __floordiv__, __truediv__, __mod__, __pow__ = _refuse("int_floordiv"), _refuse("int_truediv"), _refuse("mod"), _refuse("pow")
    __int__ = __index__ = _refuse("int_")


# The tensors of offsets or lengths that have a number: their ids, with a reference to be sure.
_numbered = {}


def _size_of(source):
    """The ragged size of a tensor of offsets or lengths: one number for each such tensor."""
    reference, size = _numbered.get(id(source), (None, None))
    if reference is None or reference() is not source:
        if len(_numbered) > 256:
            for key in [key for key, (r, _) in _numbered.items() if r() is None]:
                del _numbered[key]
        _size_of.count += 1
        size = SymInt(_size_of.count - 1)
        _numbered[id(source)] = weakref.ref(source), size
    return size


# As in PyTorch, the first size that a program sees is `j1`.
_size_of.count = 1


def _nested(values, offsets, lengths=None, ragged=1, cache=None, cls=None):
    """A nested tensor with these parts, in the graph of `values`."""
    t = _torch._as_class(values.detach(), cls or NestedTensor)
    size, r = tuple(values.shape), ragged - 1
    j = _size_of(offsets if lengths is None else lengths)
    if not 0 <= r < len(size):
        raise IndexError("tuple index out of range")
    t._values, t._offsets, t._lengths, t._ragged_idx = values, offsets, lengths, ragged
    t._size = (offsets.shape[0] - 1, *size[:r], j, *size[r + 1:])
    t._metadata_cache = {} if cache is None else cache
    return t


def _like(nt, values, ragged=None):
    """A nested tensor with other values that are as ragged as `nt`."""
    return _nested(values, nt._offsets, nt._lengths, nt._ragged_idx if ragged is None else ragged, nt._metadata_cache)


def _under(node, t):
    return _torch._under_node(t, node) if t.grad_fn is not None else t


class NestedTensor(torch.Tensor):
    """A nested tensor of the jagged layout."""

    # Operators apply to its tensors, so a function of yours can't.
    _of_several = True

    def __new__(cls, values, offsets, *, lengths=None, **kwargs):
        if offsets is None:
            raise AssertionError("offsets must not be None")
        _check(values, offsets, lengths)
        requires_grad = kwargs.get("requires_grad", False)
        t = _nested(values.detach() if requires_grad else values, offsets, lengths, kwargs.get("_ragged_idx", 1),
                    kwargs.get("_metadata_cache"), cls)
        if requires_grad:
            t._values.requires_grad_()
        return t

    def __init__(self, values, offsets, *, lengths=None, **kwargs):
        pass

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        from . import ops

        return ops.call(func, args, kwargs or {})

    def values(self):
        values = self._values
        return _under("NestedGetValuesBackward0", _torch._as_class(values, torch.Tensor)) if values.requires_grad else values.detach()

    def offsets(self):
        return self._offsets

    def lengths(self):
        return self._lengths

    def _sizes(self):
        """How long each tensor is, as a tensor."""
        return self._offsets.diff() if self._lengths is None else self._lengths

    def _get_max_seqlen(self):
        if "max_seqlen" not in self._metadata_cache:
            self._metadata_cache["max_seqlen"] = int(self._sizes().max().item())
        return self._metadata_cache["max_seqlen"]

    def _get_min_seqlen(self):
        if "min_seqlen" not in self._metadata_cache:
            self._metadata_cache["min_seqlen"] = int(self._sizes().min().item())
        return self._metadata_cache["min_seqlen"]

    _max_seqlen = property(_get_max_seqlen)
    _min_seqlen = property(_get_min_seqlen)

    @property
    def _maybe_max_seqlen(self):
        return self._metadata_cache.get("max_seqlen")

    @property
    def _maybe_min_seqlen(self):
        return self._metadata_cache.get("min_seqlen")

    def _contiguous(self):
        return self._lengths is None and self._values.is_contiguous()

    def __repr__(self):
        grad = f", grad_fn={self.grad_fn}" if self.grad_fn else f", requires_grad={self.requires_grad}" if self.requires_grad else ""
        return f"NestedTensor(size={self._size}, offsets={self._offsets}{grad}, contiguous={self._contiguous()})"

    def __format__(self, spec):
        return format(repr(self), spec)

    def __iter__(self):
        return iter(self.unbind())

    def __reduce_ex__(self, protocol):
        return _rebuild_njt, ({"values": self._values.detach(), "offsets": self._offsets, "lengths": self._lengths,
                               "_ragged_idx": self._ragged_idx, "_metadata_cache": self._metadata_cache,
                               "requires_grad": self.requires_grad},)

    def __deepcopy__(self, memo):
        if self._values.grad_fn is not None:
            raise RuntimeError("Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
                               "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, "
                               "see https://github.com/pytorch/pytorch/pull/103001")
        return _like(self, self._values.detach().clone()).requires_grad_(self.requires_grad)

    def new_tensor(self, data, **options):
        return self._values.new_tensor(data, **options)

    def register_hook(self, hook):
        def hooked(grad):
            found = hook(_like(self, grad))
            return found._values if isinstance(found, NestedTensor) else found

        return self._values.register_hook(hooked)


_utils._keep_own(NestedTensor)


def _rebuild_njt(constructor_kwargs):
    return NestedTensor(**constructor_kwargs)


def _check(values, offsets, lengths):
    if offsets.ndim != 1:
        raise AssertionError(f"offsets must be 1D, but got {offsets.ndim}D")
    if values.device != offsets.device:
        raise AssertionError(f"values and offsets must be on the same device, but got values.device={values.device} and "
                             f"offsets.device={offsets.device}")
    if lengths is not None and offsets.shape[0] - 1 != lengths.shape[0]:
        raise AssertionError(f"offsets and lengths batch sizes must match: offsets.shape[0] - 1 = {offsets.shape[0] - 1}, "
                             f"lengths.shape[0] = {lengths.shape[0]}")


# ---- making --------------------------------------------------------------------------------------------------------------


def nested_view_from_values_offsets_lengths(values, offsets, lengths, ragged_idx=1, min_seqlen=None, max_seqlen=None):
    for at, (name, t) in enumerate((("input", values), ("offsets", offsets)), 1):
        if not isinstance(t, torch.Tensor):
            raise TypeError(f"_nested_view_from_jagged(): argument '{name}' (position {at}) must be Tensor, not {type(t).__name__}")
    _check(values, offsets, lengths)
    cache = {key: int(n) for key, n in (("min_seqlen", min_seqlen), ("max_seqlen", max_seqlen)) if n is not None}
    view = _torch._as_class(values, torch.Tensor) if values.requires_grad and torch.is_grad_enabled() else values.detach()
    return _nested(_under("NestedViewFromJaggedBackward0", view), offsets, lengths, ragged_idx, cache)


def nested_view_from_values_offsets(values, offsets, ragged_idx=1, min_seqlen=None, max_seqlen=None):
    return nested_view_from_values_offsets_lengths(values, offsets, None, ragged_idx, min_seqlen, max_seqlen)


def jagged_from_list(tensors, offsets=None, dtype=None, device=None):
    """A nested tensor of a list of tensors, in their graph, and its offsets."""
    if not tensors:
        raise RuntimeError("Cannot construct a nested tensor from an empty tensor list")
    for what, read in (("have the same dtype", lambda t: t.dtype), ("be on the same device", lambda t: t.device),
                       ("have the same dim", lambda t: t.dim())):
        if len({read(t) for t in tensors}) != 1:
            raise RuntimeError("When constructing a nested tensor, all tensors in list must " + what)
    if tensors[0].dim() == 0:
        raise RuntimeError("Cannot construct a nested tensor from a list of zero-dim tensors")
    shapes = [tuple(t.shape) for t in tensors]
    differ = [d for d in range(tensors[0].dim()) if len({shape[d] for shape in shapes}) > 1]
    if len(differ) > 1:
        raise RuntimeError("Cannot represent given tensor list as a nested tensor with the jagged layout. Note that the jagged layout only "
                           "allows for a single ragged dimension. For example: (B, *, D_0, D_1, ..., D_N), with ragged * dim.")
    d = differ[0] if differ else 0
    values = torch.cat(tensors, d)
    values = values.to(device=device or values.device, dtype=dtype or values.dtype)
    counts = [shape[d] for shape in shapes]
    if offsets is None:
        offsets = torch.tensor([sum(counts[:at]) for at in range(len(counts) + 1)], dtype=torch.int64, device=values.device)
    return nested_view_from_values_offsets(values, offsets, d + 1, min(counts), max(counts)), offsets


def jagged_from_tensor_and_lengths(tensor, starts, lengths):
    """A nested tensor of slices of a tensor's rows, its offsets, and its lengths if it has holes."""
    batch = tensor.shape[0]
    if any(t.dim() > 1 or t.dim() == 1 and t.shape[0] not in (1, batch) for t in (starts, lengths)):
        raise RuntimeError("When constructing a jagged nested tensor using narrow(), your start and length must be Tensors that broadcast "
                           "to input.shape[0]")
    if tensor.dim() < 2:
        raise AssertionError("tensor must at least be 2D for the nested narrow op to work")
    starts, sizes = starts.expand(batch), lengths.expand(batch)
    width = tensor.shape[1]
    rows = width * torch.arange(batch, dtype=torch.int64, device=tensor.device)
    offsets = torch.cat([starts + rows, (starts[-1] + rows[-1] + sizes[-1]).unsqueeze(0)])
    values = tensor.view(-1, *tensor.shape[2:])
    bounds = int(torch.min(lengths).item()), int(torch.max(lengths).item())
    whole = (not sizes[1:-1].ne(width).any() and not offsets[1:-2].diff().ne(width).any() and bool(offsets[0] + sizes[0] == width))
    if whole:
        found = nested_view_from_values_offsets(values[int(offsets[0]):int(offsets[-1])], offsets - offsets[0], 1, *bounds)
    else:
        found = nested_view_from_values_offsets_lengths(values, offsets, sizes, 1, *bounds)
    return found, offsets, None if whole else sizes


def nested_from_padded(padded, offsets, ragged_idx=1, min_seqlen=None, max_seqlen=None, sum_S=None):
    """A nested tensor of what isn't padding."""
    cache = {key: n for key, n in (("min_seqlen", min_seqlen), ("max_seqlen", max_seqlen)) if n is not None}
    rows, places = _places(offsets)
    values = padded.movedim(ragged_idx, 1)[rows, places].movedim(0, ragged_idx - 1)
    return _nested(values, offsets, None, ragged_idx, cache)


def _places(offsets):
    """For each row of the values: to which tensor it belongs, and its place there."""
    counts = offsets.diff()
    rows = torch.repeat_interleave(torch.arange(counts.shape[0], device=offsets.device), counts)
    return rows, torch.arange(rows.shape[0], device=offsets.device) + (offsets[0] - offsets[:-1])[rows]


def _padded(nt, padding, width):
    """The values in a strided tensor of this width along the ragged dimension."""
    values = nt._values.movedim(nt._ragged_idx - 1, 0)
    rows, places = _places(nt._offsets)
    first = int(nt._offsets[0])
    values = values[first:first + rows.shape[0]]
    if rows.shape[0] and width < int(nt._sizes().max()):
        kept = places < width
        rows, places, values = rows[kept], places[kept], values[kept]
    out = torch.full((nt._offsets.shape[0] - 1, width, *values.shape[1:]), padding, dtype=values.dtype, device=values.device)
    return out.index_put((rows, places), values).movedim(1, nt._ragged_idx)


def _numel(nt):
    rest = math.prod(n for at, n in enumerate(nt._size) if at not in (0, nt._ragged_idx))
    return nt._values.numel() if nt._lengths is None else int(nt._lengths.sum()) * rest
