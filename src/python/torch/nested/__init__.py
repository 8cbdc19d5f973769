"""Nested tensors: several tensors, of sizes that may differ, as one."""

import torch

from torch._nested import _record, missing, of_pieces, pieces_of, say_prototype

__all__ = ["as_nested_tensor", "masked_select", "narrow", "nested_tensor", "nested_tensor_from_jagged", "to_padded_tensor"]


def _is_jagged(layout):
    if layout is None or layout is torch.strided:
        return False
    if layout is torch.jagged:
        return True
    raise RuntimeError(f"Specified layout is unsupported for nested tensors: {layout}")


def _check_dims(pieces):
    for at, piece in enumerate(pieces[1:], 1):
        if piece.dim() != pieces[0].dim():
            raise RuntimeError("All Tensors given to nested_tensor must have the same dimension. Found dimension "
                               f"{piece.dim()} for Tensor at index {at} and dimension {pieces[0].dim()} for Tensor at index 0.")


def nested_tensor(tensor_list, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """A nested tensor with copies of the given tensors or lists, outside the graph."""
    if _is_jagged(layout):
        from torch.nested._internal import nested_tensor as jagged

        kind = {} if dtype is None else {"dtype": dtype}
        tensors = [t.detach() if isinstance(t, torch.Tensor) else torch.tensor(t, **kind) for t in tensor_list]
        with torch.no_grad():
            found, _ = jagged.jagged_from_list(tensors, None, dtype, device)
        return found.requires_grad_(requires_grad)
    say_prototype()
    if not isinstance(tensor_list, (list, tuple)):
        raise TypeError("Only lists (List[Tensor] and List[List...[Scalar]]) are accepted in nested_tensor")
    pieces = [t.detach() if isinstance(t, torch.Tensor) else torch.tensor(t) for t in tensor_list]
    _check_dims(pieces)
    if pieces:
        kind, place = dtype or pieces[0].dtype, device if device is not None else pieces[0].device
        pieces = [p.to(device=place, dtype=kind) for p in pieces]
    return of_pieces(pieces, dtype, device).requires_grad_(requires_grad)


def as_nested_tensor(ts, dtype=None, device=None, layout=None):
    """As `nested_tensor`, in the graph of the tensors that it's made of."""
    if isinstance(ts, torch.Tensor) and ts.is_nested:
        if layout is not ts.layout:
            raise RuntimeError("as_nested_tensor(): Converting between nested tensor layouts is not supported")
        return ts.to(device=device or ts.device, dtype=dtype or ts.dtype)
    if not isinstance(ts, (list, tuple, torch.Tensor)):
        raise TypeError("as_nested_tensor(): Expected first argument to be a tensor or a list / tuple of tensors ")
    if not isinstance(ts, torch.Tensor) and not all(isinstance(t, torch.Tensor) for t in ts):
        raise TypeError("as_nested_tensor(): Expected first argument to be a tensor or a list / tuple of tensors ")
    if isinstance(ts, torch.Tensor) and ts.dim() < 2:
        raise RuntimeError("as_nested_tensor(): Expected tensor argument to have dim() > 1")
    if _is_jagged(layout):
        from torch.nested._internal import nested_tensor as jagged

        if not isinstance(ts, torch.Tensor):
            return jagged.jagged_from_list(list(ts), None, dtype, device)[0]
        ts = ts.to(device=device or ts.device, dtype=dtype or ts.dtype).contiguous()
        batch, length = ts.shape[:2]
        offsets = torch.arange(0, batch * length + 1, length, device=ts.device, dtype=torch.int64)
        return jagged.nested_view_from_values_offsets(ts.flatten(0, 1), offsets, 1, length, length)
    say_prototype()
    given = list(ts.unbind(0)) if isinstance(ts, torch.Tensor) else list(ts)
    _check_dims(given)
    if not given:
        return of_pieces([], dtype, device)
    kind, place = dtype or given[0].dtype, device if device is not None else given[0].device
    given = [t.to(device=place, dtype=kind) for t in given]
    return _record("NestedTensorFromTensorListBackward0", given, of_pieces([t.detach() for t in given]),
                   lambda grads: [p.clone() for p in pieces_of(grads[0])])


def to_padded_tensor(input, padding, output_size=None):
    """A strided tensor in which the pieces are padded to one size."""
    if not input.is_nested:
        raise missing("to_padded_tensor", input)
    return input.to_padded_tensor(padding, output_size)


def nested_tensor_from_jagged(values, offsets=None, lengths=None, jagged_dim=None, min_seqlen=None, max_seqlen=None):
    """A nested tensor of the jagged layout over `values`: `offsets` say where each tensor begins, and `lengths` how long it is."""
    from torch.nested._internal import nested_tensor as jagged

    if offsets is None:
        if lengths is None:
            raise RuntimeError("nested_tensor_from_jagged(): At least one of offsets or lengths is required.")
        offsets, lengths = torch.nn.functional.pad(lengths.cumsum(0), (1, 0)), None
    if jagged_dim is not None and jagged_dim < 1:
        raise ValueError(f"Expected jagged_dim >=1, but got {jagged_dim}.")
    return jagged.nested_view_from_values_offsets_lengths(values, offsets, lengths, jagged_dim or 1, min_seqlen, max_seqlen)


def narrow(tensor, dim, start, length, layout=torch.strided):
    """A slice of each row, from its own `start` and of its own `length`. In the jagged layout, it's a view."""
    for name, value in (("start", start), ("length", length)):
        if not isinstance(value, (int, torch.Tensor)):
            raise RuntimeError(f"{name} must be an integer or a tensor")
    if layout is torch.strided:
        if isinstance(start, torch.Tensor) or isinstance(length, torch.Tensor):
            raise RuntimeError("start and length must be integers for the strided layout NT impl")
        return as_nested_tensor(tensor.unbind()).narrow(dim, start, length)
    if layout is not torch.jagged:
        raise RuntimeError(f"Specified layout is unsupported for nested narrow: {layout}")
    if dim != 1:
        raise RuntimeError("jagged layout only supports dim=1")
    from torch.nested._internal import nested_tensor as jagged

    start, length = (n if isinstance(n, torch.Tensor) else torch.tensor([n], device=tensor.device) for n in (start, length))
    return jagged.jagged_from_tensor_and_lengths(tensor, start, length)[0]


def masked_select(tensor, mask):
    """The elements of each row that the mask shows, as a nested tensor of the jagged layout."""
    for what, t in (("tensor, given ", tensor), ("mask, given: ", mask)):
        if t.layout != torch.strided:
            raise RuntimeError(f"torch.nested.masked_select requires a strided {what}{t.layout}")
    from torch.nested._internal import nested_tensor as jagged

    values = tensor.masked_select(mask)
    counts = mask.expand(tensor.shape).sum(tensor.ndim - 1).view(-1)
    return jagged.nested_view_from_values_offsets(values, torch.nn.functional.pad(counts.cumsum(0), (1, 0)))
