"""Nested tensors: several tensors, of sizes that may differ, as one. Only the strided layout is here."""

import torch

from torch._nested import _record, missing, of_pieces, pieces_of, is_nested

__all__ = ["as_nested_tensor", "masked_select", "narrow", "nested_tensor", "nested_tensor_from_jagged", "to_padded_tensor"]


def _check_layout(layout):
    if layout is None or layout is torch.strided:
        return
    if str(layout) == "torch.jagged":
        raise NotImplementedError("torch.nested: layout=torch.jagged")
    raise RuntimeError(f"Specified layout is unsupported for nested tensors: {layout}")


def _check_dims(pieces):
    for at, piece in enumerate(pieces[1:], 1):
        if piece.dim() != pieces[0].dim():
            raise RuntimeError("All Tensors given to nested_tensor must have the same dimension. Found dimension "
                               f"{piece.dim()} for Tensor at index {at} and dimension {pieces[0].dim()} for Tensor at index 0.")


def nested_tensor(tensor_list, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """A nested tensor with copies of the given tensors or lists, outside the graph."""
    _check_layout(layout)
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
    _check_layout(layout)
    if isinstance(ts, torch.Tensor) and is_nested(ts):
        return ts.to(device=device or ts.device, dtype=dtype or ts.dtype)
    if not isinstance(ts, (list, tuple, torch.Tensor)):
        raise TypeError("as_nested_tensor(): Expected first argument to be a tensor or a list / tuple of tensors ")
    if not isinstance(ts, torch.Tensor) and not all(isinstance(t, torch.Tensor) for t in ts):
        raise TypeError("as_nested_tensor(): Expected first argument to be a tensor or a list / tuple of tensors ")
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
    if not is_nested(input):
        raise missing("to_padded_tensor", input)
    return input.to_padded_tensor(padding, output_size)


def nested_tensor_from_jagged(values, offsets=None, lengths=None, jagged_dim=None, min_seqlen=None, max_seqlen=None):
    raise NotImplementedError("torch.nested.nested_tensor_from_jagged")


def narrow(tensor, dim, start, length, layout=None):
    raise NotImplementedError("torch.nested.narrow")


def masked_select(tensor, mask):
    raise NotImplementedError("torch.nested.masked_select")
