"""Batches of sequences of different lengths, as torch.nn.utils.rnn."""

from collections import namedtuple

import _torch
from _torch import Tensor

__all__ = ["PackedSequence", "invert_permutation", "pack_padded_sequence", "pad_packed_sequence", "pad_sequence",
           "unpad_sequence", "pack_sequence", "unpack_sequence"]

_Fields = namedtuple("PackedSequence", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])


def invert_permutation(permutation):
    """The permutation that undoes this one."""
    if permutation is None:
        return None
    output = _torch.empty_like(permutation)
    output.scatter_(0, permutation, _torch.arange(0, permutation.numel(), device=permutation.device))
    return output


class PackedSequence(_Fields):
    """All first steps, then all second steps, and so on: `data` is [sum of lengths, features], and `batch_sizes` (on the
    CPU) says how many sequences have each step."""

    __slots__ = ()

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is not None and batch_sizes.device.type != "cpu":
            raise ValueError(
                "batch_sizes should always be on CPU. Instances of PackedSequence should never be created manually. They "
                "should be instantiated by functions like pack_sequence and pack_padded_sequences in nn.utils.rnn. "
                "https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence"
            )
        if batch_sizes is None:
            if not (isinstance(data, (list, tuple)) and len(data) == 2):
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        moved = (None if i is None else i.to(data.device) for i in (self.sorted_indices, self.unsorted_indices))
        return type(self)(data, self.batch_sizes, *moved)

    def _on(self, kind, args, kwargs):
        example = _torch.tensor((), dtype=self.data.dtype, device=self.data.device).to(*args, **kwargs)
        return self.to(*args, **kwargs) if example.device.type == kind else self.to(*args, **{**kwargs, "device": kind})

    def cuda(self, *args, **kwargs):
        return self._on("cuda", args, kwargs)

    def cpu(self, *args, **kwargs):
        return self._on("cpu", args, kwargs)

    def double(self):
        return self.to(dtype=_torch.float64)

    def float(self):
        return self.to(dtype=_torch.float32)

    def half(self):
        return self.to(dtype=_torch.float16)

    def long(self):
        return self.to(dtype=_torch.int64)

    def int(self):
        return self.to(dtype=_torch.int32)

    def short(self):
        return self.to(dtype=_torch.int16)

    def char(self):
        return self.to(dtype=_torch.int8)

    def byte(self):
        return self.to(dtype=_torch.uint8)

    def pin_memory(self):
        pinned = (None if i is None else i.pin_memory() for i in (self.sorted_indices, self.unsorted_indices))
        return type(self)(self.data.pin_memory(), self.batch_sizes, *pinned)

    @property
    def is_cuda(self):
        return self.data.is_cuda

    def is_pinned(self):
        return self.data.is_pinned()


def _under(node, t):
    return _torch._under_node(t, node) if t.grad_fn is not None else t


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Removes the padding from a batch."""
    if not isinstance(lengths, Tensor):
        lengths = _torch.tensor(lengths, dtype=_torch.int64, device="cpu")
    if lengths.dim() != 1 or lengths.device.type != "cpu":
        kind = lengths.type().removeprefix("torch.").removeprefix("cuda.").removesuffix("Tensor")
        raise RuntimeError(
            f"'lengths' argument should be a 1D CPU int64 tensor, but got {lengths.dim()}D {lengths.device} {kind} tensor"
        )
    lengths = lengths.to(_torch.int64)
    if not isinstance(input, Tensor):
        raise TypeError(f"_pack_padded_sequence(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
    if enforce_sorted:
        sorted_indices = None
    else:
        lengths, sorted_indices = _torch.sort(lengths, descending=True)
        sorted_indices = sorted_indices.to(input.device)
        input = input.index_select(0 if batch_first else 1, sorted_indices)
    if batch_first:
        input = input.transpose(0, 1)
    if input.numel() == 0:
        raise RuntimeError("Cannot pack empty tensors.")
    sizes = lengths.tolist()
    if input.size(1) != len(sizes):
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(sizes)} (batch_size={input.size(1)})"
        )
    if any(n <= 0 for n in sizes):
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if any(a < b for a, b in zip(sizes, sizes[1:])):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do "
            "not need ONNX exportability."
        )
    batch_sizes = [sum(n > t for n in sizes) for t in range(sizes[0])]
    # As in PyTorch, a length beyond the input's end isn't an error.
    data = _torch.cat([step[:count] for step, count in zip(input, batch_sizes)])
    batch_sizes = _torch.tensor(batch_sizes, dtype=_torch.int64, device="cpu")
    return PackedSequence(_under("PackPaddedSequenceBackward0", data), batch_sizes, sorted_indices, None)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """The batch with its padding, and the lengths."""
    sizes = sequence.batch_sizes.tolist()
    longest = len(sizes)
    if total_length is not None:
        if total_length < longest:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in input, but got "
                f"total_length={total_length} and max sequence length being {longest}"
            )
        longest = total_length
    batch = sizes[0]
    rows, start = [], 0
    rest = sequence.data.shape[1:]
    for count in sizes:
        step = sequence.data[start : start + count]
        start += count
        if count < batch:
            step = _torch.cat([step, step.new_full((batch - count, *rest), padding_value)])
        rows.append(step)
    rows += [rows[0].new_full((batch, *rest), padding_value)] * (longest - len(sizes))
    padded = _under("torch::autograd::CopySlices", _torch.stack(rows))
    padded = padded.transpose(0, 1) if batch_first else padded
    lengths = _torch.tensor([sum(count > i for count in sizes) for i in range(batch)], device="cpu")
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(0 if batch_first else 1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices.cpu()]
    return padded, lengths


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Sequences of different lengths as one tensor, filled up with `padding_value`."""
    if not hasattr(sequences, "__iter__"):
        raise RuntimeError(f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}")
    sequences = list(sequences)
    for i, s in enumerate(sequences):
        if not isinstance(s, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(s).__name__}")
    if isinstance(padding_value, bool) or not isinstance(padding_value, (int, float, Tensor)):
        kind = type(padding_value).__name__
        raise TypeError(f"pad_sequence(): argument 'padding_value' (position 3) must be float, not {kind}")
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    if sequences[0].dim() == 0:
        raise RuntimeError("ArrayRef: invalid slice, N = 1; size = 0")
    longest, count = max(s.size(0) for s in sequences), len(sequences)
    # In the dtype and on the device of the first sequence.
    padded = sequences[0].new_full(((count, longest) if batch_first else (longest, count)) + sequences[0].shape[1:], padding_value)
    for i, s in enumerate(sequences):
        start = longest - s.size(0) if padding_side == "left" else 0
        place = padded.select(0, i) if batch_first else padded.narrow(0, start, s.size(0))
        (place.narrow(0, start, s.size(0)) if batch_first else place.select(1, i)).copy_(s)
    return padded


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """The sequences of a batch. As in PyTorch, a batch with the steps first is transposed in place."""
    if not batch_first:
        padded_sequences.transpose_(0, 1)
    steps = _torch.arange(padded_sequences.shape[1], device=lengths.device)
    return [s[steps < n] for s, n in zip(padded_sequences, lengths, strict=True)]


def pack_sequence(sequences, enforce_sorted=True):
    lengths = _torch.tensor([s.size(0) for s in sequences], device="cpu")
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
