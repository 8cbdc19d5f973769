"""Views, indexing and joining. Nothing here shares memory with what it's made from, as in PyTorch."""

import _torch
import torch

from ._errors import apart, missing
from ._make import empty
from ._parts import (
    BLOCKS, coalesced, compressed, compressed_parts, coo, count, is_coalesced, is_coo, is_sparse, layout, parts,
    scalar_name, record, show, sparse_dims, to_coo, values_of,
)

_TURNED = {"sparse_csr": "sparse_csc", "sparse_csc": "sparse_csr", "sparse_bsr": "sparse_bsc", "sparse_bsc": "sparse_bsr"}


def _dim(d, ndim, extra=0):
    limit = ndim + extra
    if not -limit <= d < limit:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-limit}, {limit - 1}], but got {d})")
    return d % limit


def _swapped(t, a, b):
    if not is_coo(t):
        outer, inner, values = compressed_parts(t)
        size = list(t.shape)
        size[a], size[b] = size[b], size[a]
        if layout(t) in BLOCKS:
            values = values.transpose(outer.dim(), outer.dim() + 1)
        return compressed(_TURNED[layout(t)], outer, inner, values, size)
    indices, values = parts(t)
    depth = indices.shape[0]
    if (a < depth) != (b < depth):
        raise RuntimeError(f"sparse transpose: transposed dimensions must be sparse Got sparse_dim: {depth}, d0: {a}, d1: {b}")
    if a >= depth:
        return coo(indices, values.transpose(a - depth + 1, b - depth + 1), _reordered(t.shape, a, b), is_coalesced(t))
    order = list(range(depth))
    order[a], order[b] = order[b], order[a]
    return coo(indices[order], values, _reordered(t.shape, a, b), False)


def _reordered(shape, a, b):
    size = list(shape)
    size[a], size[b] = size[b], size[a]
    return size


def transpose(input, dim0, dim1):
    a, b = _dim(dim0, input.dim()), _dim(dim1, input.dim())
    if a == b:
        return input
    return record("TransposeBackward0", [input], _swapped(input, a, b), lambda g: [g.transpose(a, b)])


def t(input):
    depth = sparse_dims(input) if is_coo(input) else 2
    if depth > 2 or (is_coo(input) and input.dim() > depth):
        raise RuntimeError(f"t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got {depth} sparse and "
                           f"{input.dim() - depth} dense dimensions")
    if input.dim() < 2:
        return input
    return record("TBackward0" if is_coo(input) else "TransposeBackward0", [input], _swapped(input, 0, 1), lambda g: [g.t()])


def permute(input, *dims):
    dims = list(dims[0]) if len(dims) == 1 and not isinstance(dims[0], int) else list(dims)
    if not is_coo(input):
        raise missing("as_strided", input)
    if len(dims) != input.dim():
        raise RuntimeError("permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
                           f"ordering of dimensions i.e. input.dim() = {input.dim()} is not equal to len(dims) = {len(dims)}")
    order = [_dim(d, input.dim()) for d in dims]
    if len(set(order)) < len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    indices, values = parts(input)
    depth = indices.shape[0]
    if sorted(order[:depth]) != list(range(depth)):
        raise RuntimeError("permute(sparse_coo): transpositions between sparse and dense dimensions are not allowed."
                           f"Got an ordering {show(order)} that would make sparse and dense dimensions change places")
    out = coo(indices[order[:depth]], values.permute([0] + [d - depth + 1 for d in order[depth:]]), [input.shape[d] for d in order],
              is_coalesced(input) and order[:depth] == list(range(depth)))
    back = [order.index(d) for d in range(len(order))]
    return record("PermuteBackward0", [input], out, lambda g: [g.permute(back)])


def whole_transpose(self):
    return permute(self, tuple(reversed(range(self.dim()))))


def matrix_transpose(self):
    return transpose(self, -2, -1)


def adjoint(self):
    return matrix_transpose(self).conj() if self.is_complex() else matrix_transpose(self)


def unsqueeze(input, dim):
    if not is_coo(input):
        raise RuntimeError(f"Sparse {layout(input)[7:].upper()} tensors do not have strides")
    at = _dim(dim, input.dim(), 1)
    indices, values = parts(input)
    depth = indices.shape[0]
    size = list(input.shape)
    size.insert(at, 1)
    if at <= depth:
        rows = list(indices.unbind(0))
        rows.insert(at, torch.zeros(indices.shape[1], dtype=torch.int64, device=indices.device))
        out = coo(torch.stack(rows), values, size, False)
    else:
        out = coo(indices, values.unsqueeze(at - depth + 1), size, is_coalesced(input))

    def back(g):
        raise missing("as_strided", g)

    return record("UnsqueezeBackward0", [input], out, back)


# ---- picking --------------------------------------------------------------------------------------------------------------


def _back_to(node, operator):
    def back(g):
        raise missing(operator, g)

    return back


def _selected(t, dim, at):
    """A slice of a COO tensor, which may be strided."""
    indices, values = parts(t)
    depth = indices.shape[0]
    size = list(t.shape)
    del size[dim]
    if dim >= depth:
        return coo(indices, values.select(dim - depth + 1, at), size, is_coalesced(t))
    here = (indices[dim] == at).nonzero().reshape(-1)
    values = values.index_select(0, here)
    if depth == 1:
        return values.sum(0, dtype=values.dtype) if values.shape[0] != 1 else values[0]
    left = [d for d in range(depth) if d != dim]
    return coo(indices[left].index_select(1, here), values, size, False)


def select(input, dim, index):
    dim = _dim(dim, input.dim())
    n = input.shape[dim]
    if not -n <= index < n:
        raise IndexError(f"select(): index {index} out of range for tensor of size {show(input.shape)} at dimension {dim}")
    return _select(input, dim, index % n)


def _select(input, dim, index):
    source = input if is_coo(input) else coalesced(to_coo(input))
    if not is_coo(input) and layout(input) in BLOCKS:
        raise NotImplementedError("torch.select: blocked sparse tensors")
    shape = input.shape

    def back(g):
        if is_sparse(g):
            raise missing("select_backward", g)
        out = torch.zeros(shape, dtype=g.dtype, device=g.device)
        out.select(dim, index).copy_(g)
        return [out]

    return record("SelectBackward0", [input], _selected(source, dim, index), back)


def index_select(input, dim, index, *, out=None):
    if not is_coo(input):
        raise missing("index_select", input)
    dim = _dim(dim, input.dim())
    if index.dim() != 1:
        raise IndexError("index_select() argument index must be 1-D tensor.")
    if index.dtype not in (torch.int32, torch.int64):
        raise RuntimeError(f"index_select(): Expected dtype int32 or int64 for index but got: {scalar_name(index.dtype)}")
    if index.device != input.device:
        raise apart("index_select", "index", index, input)
    n = input.shape[dim]
    wrong = ((index < -n) | (index >= n)).nonzero().reshape(-1)
    if wrong.shape[0]:
        raise IndexError(f"index_select(): index contains {int(index[wrong[0]])} that is out of range for tensor of size "
                         f"{show(input.shape)} at dimension {dim}")
    index = torch.where(index < 0, index + n, index).to(torch.int64)
    indices, values = parts(input)
    depth = indices.shape[0]
    size = list(input.shape)
    size[dim] = index.shape[0]
    if dim >= depth:
        result = coo(indices, values.index_select(dim - depth + 1, index), size, is_coalesced(input))
    else:
        own = indices[dim]
        order = torch.argsort(own, stable=True)
        ranked = own.index_select(0, order)
        begin, end = torch.searchsorted(ranked, index), torch.searchsorted(ranked, index, right=True)
        counts = end - begin
        target = torch.repeat_interleave(torch.arange(index.shape[0], device=index.device), counts)
        before = counts.cumsum(0) - counts
        inside = torch.arange(target.shape[0], device=index.device) - before.index_select(0, target)
        taken = order.index_select(0, begin.index_select(0, target) + inside)
        rows = list(indices.index_select(1, taken).unbind(0))
        rows[dim] = target
        result = coo(torch.stack(rows), values.index_select(0, taken), size, False)
    return record("IndexSelectBackward0", [input], result, _back_to("index_select", "index_add_"))


def narrow_copy(input, dim, start, length):
    if not is_coo(input):
        raise missing("narrow_copy", input)
    dim = _dim(dim, input.dim())
    n = input.shape[dim]
    if not -n <= start <= n:
        raise IndexError(f"start out of range (expected to be in range of [{-n}, {n}], but got {start})")
    start = start + n if start < 0 else start
    if length < 0 or start + length > n:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({n}).")
    indices, values = parts(input)
    depth = indices.shape[0]
    size = list(input.shape)
    size[dim] = length
    if dim >= depth:
        out = coo(indices, values.narrow(dim - depth + 1, start, length).clone(), size, is_coalesced(input))
    else:
        here = ((indices[dim] >= start) & (indices[dim] < start + length)).nonzero().reshape(-1)
        found = indices.index_select(1, here)
        found[dim] -= start
        out = coo(found, values.index_select(0, here), size)
        _torch._set_coalesced(out, is_coalesced(input))
    return record("NarrowCopyBackward0", [input], out, _back_to("narrow_copy", "as_strided"))


def getitem(self, key):
    keys = list(key) if isinstance(key, tuple) else [key]
    if any_tensor(keys):
        raise missing("index.Tensor", self)
    if all(k is Ellipsis for k in keys):
        if is_coo(self):
            raise NotImplementedError("Cannot access storage of SparseTensorImpl")
        raise NotImplementedError("Cannot access storage of SparseCsrTensorImpl")
    named = sum_of(isinstance(k, (int, slice)) and not isinstance(k, bool) for k in keys)
    if named > self.dim():
        raise IndexError(f"too many indices for tensor of dimension {self.dim()}")
    out, dim = self, 0
    for k in keys:
        if k is Ellipsis:
            dim = out.dim() - (named - sum_of(isinstance(j, (int, slice)) for j in keys[:keys.index(Ellipsis)]))
        elif k is None:
            out, dim = out.unsqueeze(dim), dim + 1
        elif isinstance(k, slice):
            if k.indices(out.shape[dim]) != (0, out.shape[dim], 1):
                if is_sparse(out) and not is_coo(out):
                    raise RuntimeError(f"Sparse {layout(out)[7:].upper()} tensors do not have strides")
                raise missing("as_strided", out)
            dim += 1
        else:
            n = out.shape[dim]
            if not -n <= k < n:
                raise IndexError(f"index {k} is out of bounds for dimension {dim} with size {n}")
            out = _select(out, dim, k % n) if is_sparse(out) else out.select(dim, k)
    return out


def sum_of(flags):
    total = 0
    for flag in flags:
        total += bool(flag)
    return total


def any_tensor(keys):
    for k in keys:
        if isinstance(k, (torch.Tensor, list, bool)) or type(k).__name__ == "ndarray":
            return True
    return False


def unbind(input, dim=0):
    if not is_coo(input):
        raise missing("unbind.int", input)
    dim = _dim(dim, input.dim())
    return tuple(_select(input, dim, i) for i in range(input.shape[dim]))


# ---- joining --------------------------------------------------------------------------------------------------------------


def cat(tensors, dim=0, *, out=None):
    tensors = list(tensors)
    first = tensors[0]
    for at, each in enumerate(tensors):
        kind = layout(each)
        if kind not in (None, "sparse_coo"):
            raise RuntimeError(f"Sparse {kind[7:].upper()} tensors do not have is_contiguous")
        if kind is None:
            raise RuntimeError(f"Concatenating sparse tensors, but a dense tensor was found at position {at}.") if at else missing(
                "cat", tensors[1])
    dim = _dim(dim, first.dim())
    depth = sparse_dims(first)
    for at, each in enumerate(tensors):
        same = each.dim() == first.dim() and all_equal(n for d, n in enumerate(zip(first.shape, each.shape)) if d != dim)
        if not same:
            raise RuntimeError(f"All tensors must have the same shape: {show(first.shape)} (except in the concatenating dimension), but "
                               f"found shape: {show(each.shape)} at position {at}.")
        if sparse_dims(each) != depth:
            raise RuntimeError("All tensors must have the same sparse_dim and dense_dim: "
                               f"{depth}, {first.dim() - depth}, but tensor at position {at} has {sparse_dims(each)}, "
                               f"{each.dim() - sparse_dims(each)}.")
        if each.device != first.device:
            raise RuntimeError("Expected all tensors to be on the same device, but got tensors is on "
                               f"{each.device}, different from other tensors on {first.device} (when checking argument in method "
                               f"wrapper_Sparse{first.device.type.upper()}__cat)")
    size = list(first.shape)
    size[dim] = sum_of_sizes(each.shape[dim] for each in tensors)
    places, found, before = [], [], 0
    for each in tensors:
        indices, values = parts(each)
        if dim < depth:
            rows = list(indices.unbind(0))
            rows[dim] = rows[dim] + before
            indices = torch.stack(rows)
        else:
            wide = list(values.shape)
            at = dim - depth + 1
            wide[at] = size[dim]
            spread = torch.zeros(wide, dtype=values.dtype, device=values.device)
            spread.narrow(at, before, each.shape[dim]).copy_(values)
            values = spread
        before += each.shape[dim]
        places.append(indices)
        found.append(values)
    result = coo(torch.cat(places, 1), torch.cat(found), size, False)
    return record("CatBackward0", tensors, result, _back_to("cat", "as_strided"))


def all_equal(pairs):
    for a, b in pairs:
        if a != b:
            return False
    return True


def sum_of_sizes(sizes):
    total = 0
    for n in sizes:
        total += n
    return total


def stack(tensors, dim=0, *, out=None):
    tensors = list(tensors)
    for at, each in enumerate(tensors):
        if tuple(each.shape) != tuple(tensors[0].shape):
            raise RuntimeError(f"stack expects each tensor to be equal size, but got {show(tensors[0].shape)} at entry 0 and "
                               f"{show(each.shape)} at entry {at}")
    at = _dim(dim, tensors[0].dim(), 1)
    with _torch._grad_mode("no_grad"):
        result = cat([unsqueeze(each.detach(), at) for each in tensors], at)
    return record("StackBackward0", tensors, result, lambda g: [g.select(at, i) for i in range(len(tensors))])


def vstack(tensors, *, out=None):
    return cat([unsqueeze(each, 0) if each.dim() < 2 else each for each in tensors], 0)


def hstack(tensors, *, out=None):
    tensors = list(tensors)
    return cat(tensors, 0 if tensors[0].dim() < 2 else 1)


# ---- like others ----------------------------------------------------------------------------------------------------------


def zeros_like(input, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, memory_format=None):
    kind = _torch._parts_layout(input) if layout is None else str(layout).removeprefix("torch.")
    dtype, device = dtype or input.dtype, device or input.device
    if kind in (None, "strided"):
        return torch.zeros(tuple(input.shape), dtype=dtype, device=device, requires_grad=requires_grad)
    if is_coo(input) and kind == "sparse_coo" and sparse_dims(input) < input.dim():
        depth = sparse_dims(input)
        out = coo(torch.empty((depth, 0), dtype=torch.int64, device=device),
                  torch.empty((0,) + tuple(input.shape[depth:]), dtype=dtype, device=device), input.shape, True)
        return out.requires_grad_(requires_grad)
    return empty(input.shape, dtype, device, kind, requires_grad)


def new_zeros(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    size = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size
    kind = _torch._parts_layout(self) if layout is None else str(layout).removeprefix("torch.")
    return empty(size, dtype or self.dtype, device or self.device, kind, requires_grad)


def sparse_resize_(self, size, sparse_dim, dense_dim, clear=False):
    size = tuple(size)
    if sparse_dim + dense_dim != len(size):
        raise RuntimeError("'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = "
                           f"{len(size)}, sparse_dim = {sparse_dim}, dense_dim = {dense_dim}")
    indices, values = parts(self)
    if not clear and count(self):
        depth = indices.shape[0]
        if sparse_dim != depth:
            raise RuntimeError(f"changing the number of sparse dimensions (from {depth} to {sparse_dim}) on a non-empty sparse tensor is "
                               "not supported.")
        if dense_dim != values.dim() - 1:
            raise RuntimeError(f"changing the number of dense dimensions (from {values.dim() - 1} to {dense_dim}) on a non-empty sparse "
                               "tensor is not supported.")
        old, new = tuple(self.shape[:depth]), size[:depth]
        if [1 for a, b in zip(old, new) if b < a]:
            raise RuntimeError(f"shrinking the size of sparse dimensions (from {show(old)} to {show(new)}) on a non-empty sparse tensor "
                               "is not supported.")
        return _torch._take_parts(self, coo(indices, values, size, is_coalesced(self)))
    return _torch._take_parts(self, coo(torch.empty((sparse_dim, 0), dtype=torch.int64, device=self.device),
                                    torch.empty((0,) + size[sparse_dim:], dtype=self.dtype, device=self.device), size, True))


def sparse_resize_and_clear_(self, size, sparse_dim, dense_dim):
    return sparse_resize_(self, size, sparse_dim, dense_dim, True)


def zero_(self):
    if is_coo(self):
        indices, values = parts(self)
        return _torch._take_parts(self, coo(indices[:, :0], values[:0], self.shape, True))
    values_of(self).zero_()
    return _torch._take_parts(self, self)


def copy_(self, src, non_blocking=False):
    if not is_sparse(self) or not is_sparse(src):
        raise RuntimeError("copy_() between dense and sparse Tensors is not implemented! Found self type = "
                           f"{self.type()} and src type = {src.type()}")
    from ._convert import moved

    return _torch._take_parts(self, moved(src.detach(), self.device, self.dtype, non_blocking, True))


def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    rows = index_select(weight, 0, indices.reshape(-1))
    if indices.dim() == 1:
        return rows
    raise RuntimeError("reshape is not implemented for sparse tensors")


def type_(self, dtype=None, non_blocking=False):
    place = "cuda." if self.is_cuda else ""
    if dtype is None:
        if not is_coo(self):
            raise RuntimeError(f"Unimplemented backend SparseCsr{self.device.type.upper()}")
        return f"torch.{place}sparse.{scalar_name(self.dtype)}Tensor"
    return self.to(dtype)
