"""From strided to sparse and back, between sparse layouts, and to other devices and dtypes."""

import math

import _torch
import torch

from ._errors import apart, missing
from ._make import say_beta
from ._parts import (
    BLOCKS, COMPRESSED, NAMES, ROWS, block_of, coalesced, compressed, compressed_parts, coo, count, dense, flat, is_coalesced, is_coo,
    is_sparse, layout, like, outer_indices, parts, plain, record, show, sparse_dims, to_coo, unflat, values_of,
)


def values_at(t, indices, size):
    """The elements of a strided or COO tensor at the given places; zeros where a COO tensor has none."""
    depth = indices.shape[0]
    wanted = flat(indices, size[:depth])
    if not is_sparse(t):
        rows = plain(t).reshape((math.prod(size[:depth]),) + tuple(size[depth:]))
        return rows.index_select(0, wanted)
    t = coalesced(t if is_coo(t) else to_coo(t))
    own, values = parts(t)
    zeros = torch.zeros((wanted.shape[0],) + tuple(values.shape[1:]), dtype=values.dtype, device=values.device)
    if not own.shape[1] or not wanted.shape[0]:
        return zeros
    known = flat(own, size[:depth])
    at = torch.searchsorted(known, wanted).clamp(max=known.shape[0] - 1)
    found = known.index_select(0, at) == wanted
    return torch.where(found.reshape((-1,) + (1,) * (values.dim() - 1)), values.index_select(0, at), zeros)


def values_like(t, mask):
    """The elements of `t` at the places of a compressed tensor, in its order."""
    if layout(t) == layout(mask) and count(t) == count(mask):
        return values_of(t)
    whole = plain(t) if not is_sparse(t) else dense(t)
    outer, inner, values = compressed_parts(mask)
    if layout(mask) in BLOCKS or outer.dim() > 1:
        return _compress_blocks(mask, whole)
    indices, _ = parts(to_coo(mask))
    return values_at(whole, indices, mask.shape)


def _compress_blocks(mask, whole):
    kind = layout(mask)
    outer, inner, values = compressed_parts(mask)
    ones = compressed(kind, outer, inner, torch.arange(values.numel(), device=values.device).reshape(values.shape), mask.shape)
    indices, order = parts(to_coo(ones))
    found = values_at(whole, indices, mask.shape)
    out = torch.empty((values.numel(),), dtype=found.dtype, device=found.device)
    out[order.reshape(-1)] = found.reshape(-1)
    return out.reshape(values.shape)


# ---- to strided -------------------------------------------------------------------------------------------------------


def to_dense(self, dtype=None, *, masked_grad=None):
    if layout(self) == "nested":
        raise missing("to_dense", self)
    if not is_sparse(self):
        return self if dtype is None else self.to(dtype)
    if dtype is not None:
        raise RuntimeError("dtype argument is not supported by sparse_to_dense")
    masked = masked_grad is None or masked_grad
    return record("ToDenseBackward0", [self], dense(self), lambda g: [sparse_mask(g, coalesced(self) if is_coo(self) else self)
                                                                      if masked else _in_layout(g, self)])


def _in_layout(t, other):
    return t if is_sparse(t) else _to_layout(t, layout(other), other)


def sparse_mask(self, mask):
    if not is_sparse(mask):
        raise missing("sparse_mask", self)
    if tuple(self.shape) != tuple(mask.shape):
        raise RuntimeError("sparse_mask(): operands have incompatible sizes; self has size "
                           f"{show(self.shape)} but mask has size {show(mask.shape)}")
    if self.device != mask.device:
        raise apart("sparse_mask", "mask", mask, self)
    if is_coo(mask):
        indices, _ = parts(mask)
        out = coo(indices.clone(), values_at(self, indices, self.shape), self.shape, is_coalesced(mask))
    else:
        out = like(mask, values_like(self, mask))
    back = (lambda g: [g.to_dense()]) if not is_sparse(self) else (lambda g: [sparse_mask(g, mask)])
    return record("SparseMaskBackward0", [self], out, back)


# ---- to sparse --------------------------------------------------------------------------------------------------------


def _from_dense(t, depth):
    t = plain(t)
    if t.dim() == 0:
        there = t.reshape(1)
        at = there != 0
        return coo(torch.empty((0, int(at.sum())), dtype=torch.int64, device=t.device), there[at], (), True)
    there = t != 0
    if depth < t.dim():
        there = there.reshape(tuple(t.shape[:depth]) + (-1,)).any(-1)
    indices = there.nonzero().t().contiguous()
    return coo(indices, t[tuple(indices.unbind(0))], t.shape, True)


def _blocked(t, kind, size):
    """A coalesced COO tensor in blocks."""
    (high, wide), (rows, columns) = size, t.shape[-2:]
    indices, values = parts(t)
    down, across = rows // high, columns // wide
    r, c = indices
    places = (r // high) * across + c // wide if kind == "sparse_bsr" else (c // wide) * down + r // high
    unique, at = torch.unique(places, return_inverse=True)
    inside = (at * high + r % high) * wide + c % wide
    cells = torch.zeros((unique.shape[0] * high * wide,), dtype=values.dtype, device=values.device)
    cells[inside] = values
    lines = across if kind == "sparse_bsr" else down
    outer = outer_indices(unique // lines, down if kind == "sparse_bsr" else across)
    return compressed(kind, outer, unique % lines, cells.reshape(unique.shape[0], high, wide), t.shape)


def _compress(t, kind, blocksize=None):
    """A COO tensor in a compressed layout."""
    t = coalesced(t)
    indices, values = parts(t)
    if indices.shape[0] > 2:
        return _compress_batches(t, kind, blocksize)
    if kind in BLOCKS:
        return _blocked(t, kind, blocksize)
    rows, columns = indices.unbind(0)
    if kind == "sparse_csr":
        return compressed(kind, outer_indices(rows, t.shape[0]), columns.contiguous(), values, t.shape)
    order = torch.argsort(columns, stable=True)
    return compressed(kind, outer_indices(columns.index_select(0, order), t.shape[1]), rows.index_select(0, order),
                      values.index_select(0, order), t.shape)


def _compress_batches(t, kind, blocksize):
    indices, values = parts(t)
    sizes = tuple(t.shape[:indices.shape[0] - 2])
    number = flat(indices[:-2], sizes)
    pieces = []
    for at in range(math.prod(sizes)):
        here = (number == at).nonzero().reshape(-1)
        one = coo(indices[-2:].index_select(1, here), values.index_select(0, here), t.shape[len(sizes):], True)
        pieces.append(compressed_parts(_compress(one, kind, blocksize)))
    if len({p[1].shape[0] for p in pieces}) > 1:
        raise RuntimeError("Expect the same number of specified elements per batch.")
    stacked = [torch.stack([p[i] for p in pieces]) for i in range(3)]
    return compressed(kind, *(s.reshape(sizes + tuple(s.shape[1:])) for s in stacked), t.shape)


def _to_layout(self, kind, model=None, blocksize=None):
    """A strided or sparse tensor in another layout, outside the graph."""
    if kind == "sparse_coo":
        return _from_dense(self, self.dim() if model is None else sparse_dims(model)) if not is_sparse(self) else to_coo(self)
    if model is not None and kind in BLOCKS:
        blocksize = block_of(model)
    if is_sparse(self):
        source = self if is_coo(self) else to_coo(self)
    else:
        source = _from_dense(self, self.dim())
    return _compress(source, kind, blocksize)


def to_sparse(self, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
    kind = None if layout is None else str(layout).removeprefix("torch.")
    own = _torch._parts_layout(self)
    if kind == "strided":
        return self.to_dense()
    if kind in COMPRESSED:
        return _ALL_TO[kind](self, blocksize) if kind in BLOCKS else _ALL_TO[kind](self)
    if own == "sparse_coo":
        if sparse_dim is not None and sparse_dim != sparse_dims(self):
            raise RuntimeError("to_sparse: conversion from Sparse to Sparse with sparse_dim argument !=self.sparse_dim() is not "
                               "supported")
        return self
    if own is not None:
        if sparse_dim not in (None, 2):
            raise RuntimeError("sparse dim 1 is not supported by sparse_csr_to_dense")
        return record("ToSparseBackward1", [self], to_coo(self), lambda g: [_in_layout(g, self)])
    depth = self.dim() if sparse_dim is None else sparse_dim
    if depth == 0 and self.dim() > 0:
        raise RuntimeError("dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0")
    if not 0 <= depth <= self.dim():
        raise RuntimeError(f"dense_to_sparse: sparse_dim argument must be in [0,{self.dim()}] range, but {depth} is given")
    node = "ToSparseBackward1" if sparse_dim is None else "ToSparseBackward0"
    return record(node, [self], _from_dense(self, depth), lambda g: [g.to_dense() if is_sparse(g) else g])


def _to_compressed(self, kind, blocksize=None):
    own = layout(self)
    if own == kind and (blocksize is None or tuple(blocksize) == block_of(self)):
        return self
    say_beta(kind)
    name = kind[7:]
    if own in BLOCKS and kind not in BLOCKS:
        raise RuntimeError(f"sparse_compressed_to_sparse_{name}: expected SparseCsr or SparseCsc layout but got {NAMES[own]}")
    if self.dim() < 2:
        raise IndexError(f"select(): index 1 out of range for tensor of size [{self.numel()}, 1] at dimension 1")
    if own == "sparse_coo" and self.dim() - sparse_dims(self) == 0 and sparse_dims(self) != 2:
        raise RuntimeError(f"coo_to_sparse_{name}: conversion from Sparse to {NAMES[kind]} for input tensors with sparse_dim()!=2 is "
                           "not supported")
    if kind in BLOCKS:
        if blocksize is None:
            if own in BLOCKS:
                blocksize = block_of(self)
            else:
                raise RuntimeError(f"to_sparse: conversion from {NAMES[own]} to {NAMES[kind]} requires blocksize specified")
        blocksize = tuple(blocksize)
        rows, columns = self.shape[-2:]
        if len(blocksize) != 2 or min(blocksize) <= 0:
            raise RuntimeError(f"to_sparse_{name}: blocksize must be positive")
        if rows % blocksize[0] or columns % blocksize[1]:
            whence = "dense" if own is None else "coo" if own == "sparse_coo" else "csr"
            raise RuntimeError(f"{whence}_to_sparse_{name}: tensor sparse size ({rows},{columns}) must be divisible by given "
                               f"blocksize ({blocksize[0]},{blocksize[1]})")
    back = (lambda g: [g.to_dense()]) if own is None else (lambda g: [sparse_mask(g, self)])
    node = "ToSparse" + kind[7:].capitalize() + "Backward0"
    return record(node, [self], _to_layout(self, kind, None, blocksize), back)


def to_sparse_csr(self, dense_dim=None):
    return _to_compressed(self, "sparse_csr")


def to_sparse_csc(self, dense_dim=None):
    return _to_compressed(self, "sparse_csc")


def to_sparse_bsr(self, blocksize=None, dense_dim=None):
    if blocksize is None:
        raise TypeError('to_sparse_bsr() missing 1 required positional arguments: "blocksize"')
    return _to_compressed(self, "sparse_bsr", blocksize)


def to_sparse_bsc(self, blocksize=None, dense_dim=None):
    if blocksize is None:
        raise TypeError('to_sparse_bsc() missing 1 required positional arguments: "blocksize"')
    return _to_compressed(self, "sparse_bsc", blocksize)


_ALL_TO = {"sparse_csr": to_sparse_csr, "sparse_csc": to_sparse_csc, "sparse_bsr": to_sparse_bsr, "sparse_bsc": to_sparse_bsc}


def to_sparse_coo(self):
    return to_sparse(self)


# ---- parts ------------------------------------------------------------------------------------------------------------


def _expect_coo(name, self):
    if not is_coo(self):
        raise RuntimeError(f"{name} expected sparse coordinate tensor layout but got {NAMES[layout(self)]}")


def coalesce(self):
    _expect_coo("coalesce", self)
    if is_coalesced(self):
        return self
    return record("CoalesceBackward0", [self], coalesced(self), lambda g: [g])


def is_coalesced_(self):
    _expect_coo("is_coalesced", self)
    return is_coalesced(self)


def _coalesced_(self, coalesced):
    _torch._set_coalesced(self, coalesced)
    return self


def indices(self):
    _expect_coo("indices", self)
    if not is_coalesced(self):
        raise RuntimeError("Cannot get indices on an uncoalesced tensor, please call .coalesce() first")
    return parts(self)[0].detach()


def values(self):
    kind = layout(self)
    if kind in (None, "nested"):
        raise RuntimeError("values expected sparse tensor layout but got Strided")
    if kind != "sparse_coo":
        return record("ValuesBackward0", [self], values_of(self).detach(), lambda g: [like(self, g)])
    if not is_coalesced(self):
        raise RuntimeError("Cannot get values on an uncoalesced tensor, please call .coalesce() first")
    return record("ValuesBackward0", [self], parts(self)[1].detach(), lambda g: [like(self, g, True)])


def _indices(self):
    if not is_coo(self):
        raise missing("_indices", self)
    return parts(self)[0].detach()


def _values(self):
    if not is_coo(self):
        raise missing("_values", self)
    return parts(self)[1].detach()


def _nnz(self):
    if not is_sparse(self):
        raise missing("_nnz", self)
    return count(self)


def sparse_dim(self):
    return 0 if not is_sparse(self) else sparse_dims(self) if is_coo(self) else 2


def dense_dim(self):
    if not is_sparse(self):
        return self.dim()
    if is_coo(self):
        return parts(self)[1].dim() - 1
    outer, _, found = compressed_parts(self)
    return found.dim() - outer.dim() - (2 if layout(self) in BLOCKS else 0)


def _dim_i(self):
    if not is_coo(self):
        raise missing("_dimI", self)
    return sparse_dims(self)


def _dim_v(self):
    if not is_coo(self):
        raise missing("_dimV", self)
    return dense_dim(self)


def _part(name, rows, at):
    what = "row" if rows else "column"

    def part(self):
        kind = layout(self)
        if kind not in COMPRESSED or (kind in ROWS) != rows:
            raise RuntimeError(f"{name} expected sparse {what} compressed tensor layout but got {NAMES[kind]}")
        return compressed_parts(self)[at].detach()

    return part


crow_indices, col_indices = _part("crow_indices", True, 0), _part("col_indices", True, 1)
ccol_indices, row_indices = _part("ccol_indices", False, 0), _part("row_indices", False, 1)


# ---- other devices and dtypes -----------------------------------------------------------------------------------------


def moved(self, device=None, dtype=None, non_blocking=False, copy=False):
    """On another device, in another dtype. The indices and the values move, each by a copy of its own."""
    places, found, _ = _torch._parts(self)
    if not copy and (device is None or places[0].to(device) is places[0]) and dtype in (None, found.dtype):
        return self
    shifted = [p.to(device=device or p.device, non_blocking=non_blocking, copy=copy) for p in places]
    there = found.to(device=device or found.device, dtype=dtype or found.dtype, non_blocking=non_blocking, copy=copy)
    if is_coo(self):
        out = coo(shifted[0], there, self.shape, is_coalesced(self))
    else:
        out = compressed(layout(self), *shifted, there, self.shape)
    home, kind = self.device, self.dtype
    return record("ToCopyBackward0", [self], out, lambda g: [g.to(device=home, dtype=kind)])


def to(self, *args, **kwargs):
    given = dict(kwargs)
    copy = given.get("copy", False)
    device, dtype, non_blocking = _torch._parse_to(self, *args, **kwargs)
    if args and isinstance(args[-1], bool) and len([a for a in args if isinstance(a, bool)]) == 2:
        copy = args[-1]
    return moved(self, device, dtype, non_blocking, copy)


def clone(input, *, memory_format=None):
    places, found, _ = _torch._parts(input)
    copies = [p.clone() for p in places]
    if is_coo(input):
        out = coo(copies[0], found.clone(), input.shape, is_coalesced(input))
    else:
        out = compressed(layout(input), *copies, found.clone(), input.shape)
    return record("CloneBackward0", [input], out, lambda g: [g])
