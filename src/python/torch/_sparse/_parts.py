"""What a sparse tensor consists of, and the order of its indices. Every part is an ordinary tensor outside the graph; what a
sparse tensor's own history needs, `record` adds."""

import math

import _torch
import torch

COMPRESSED = ("sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc")
ROWS = ("sparse_csr", "sparse_bsr")
BLOCKS = ("sparse_bsr", "sparse_bsc")
# What PyTorch's errors call the layouts.
NAMES = {None: "Strided", "sparse_coo": "Sparse", "sparse_csr": "SparseCsr", "sparse_csc": "SparseCsc",
         "sparse_bsr": "SparseBsr", "sparse_bsc": "SparseBsc", "nested": "Strided"}


def layout(t):
    """The layout's name; None for a strided tensor."""
    return _torch._parts_layout(t) if isinstance(t, torch.Tensor) else None


def is_coo(t):
    return layout(t) == "sparse_coo"


def is_sparse(t):
    return layout(t) not in (None, "nested")


def scalar_name(dtype):
    """The name of a dtype in PyTorch's messages: `Float`."""
    return torch.empty((0,), dtype=dtype).type().split(".")[-1].removesuffix("Tensor")


def show(sizes):
    return "[" + ", ".join(str(n) for n in sizes) + "]"


def coo(indices, values, size, coalesced=False):
    """A COO tensor. With fewer than two elements there is nothing to coalesce."""
    return _torch._of_parts("sparse_coo", tuple(size), [indices], values, bool(coalesced) or indices.shape[1] < 2)


def compressed(kind, outer, inner, values, size):
    return _torch._of_parts(kind, tuple(size), [outer, inner], values, False)


def parts(t):
    """Indices and values of a COO tensor."""
    (indices,), values, _ = _torch._parts(t)
    return indices, values


def compressed_parts(t):
    (outer, inner), values, _ = _torch._parts(t)
    return outer, inner, values


def is_coalesced(t):
    return _torch._parts(t)[2]


def sparse_dims(t):
    return parts(t)[0].shape[0]


def count(t):
    """How many elements, or blocks, it holds."""
    return (parts(t)[0] if is_coo(t) else compressed_parts(t)[1]).shape[-1]


def like(t, values, coalesced=None):
    """A tensor with other values at the same places."""
    if is_coo(t):
        return coo(parts(t)[0], values, t.shape, is_coalesced(t) if coalesced is None else coalesced)
    outer, inner, _ = compressed_parts(t)
    return compressed(layout(t), outer, inner, values, t.shape)


def values_of(t):
    return _torch._parts(t)[1]


def record(node, inputs, out, backward):
    """Makes `out` the result of a node, if one of the inputs needs a gradient. `backward` gets the gradient and returns one for
    each input."""
    if torch.is_grad_enabled() and any(isinstance(t, torch.Tensor) and t.requires_grad for t in inputs):
        if out.is_floating_point() or out.is_complex():
            tensors = [t if isinstance(t, torch.Tensor) else None for t in inputs]
            _torch._record(node, tensors, [out], lambda grads: backward(grads[0]))
    return out


def plain(t):
    """A strided operand without its history."""
    return t.detach() if t.requires_grad else t


# ---- order ------------------------------------------------------------------------------------------------------------


def flat(indices, sizes):
    """One number for each column of indices, in row-major order."""
    out = torch.zeros(indices.shape[1], dtype=torch.int64, device=indices.device)
    for row, n in zip(indices.unbind(0), sizes):
        out = out * n + row
    return out


def unflat(numbers, sizes):
    """The opposite of `flat`."""
    rows = []
    for n in reversed(tuple(sizes)):
        n = max(n, 1)
        rows.append(numbers % n)
        numbers = torch.div(numbers, n, rounding_mode="floor")
    rows.reverse()
    if not rows:
        return torch.empty((0, numbers.shape[0]), dtype=torch.int64, device=numbers.device)
    return torch.stack(rows)


def add_at(count, places, values):
    """Adds rows of `values` into `count` rows of zeros. A bool is there if one of several is."""
    shape = (count,) + tuple(values.shape[1:])
    if values.dtype == torch.bool:
        return add_at(count, places, values.to(torch.int64)) != 0
    out = torch.zeros(shape, dtype=values.dtype, device=values.device)
    return out.index_add_(0, places, values) if values.shape[0] else out


def coalesced(t):
    """The tensor with every index once, in order. It may be the tensor itself."""
    if is_coalesced(t):
        return t
    indices, values = parts(t)
    sizes = t.shape[:indices.shape[0]]
    unique, places = torch.unique(flat(indices, sizes), return_inverse=True)
    return coo(unflat(unique, sizes), add_at(unique.shape[0], places, values), t.shape, True)


def dense(t):
    """Its elements as a strided tensor outside the graph."""
    if not is_coo(t):
        t = to_coo(t)
    indices, values = parts(t)
    sizes = tuple(t.shape[:indices.shape[0]])
    rows = add_at(math.prod(sizes), flat(indices, sizes), values)
    return rows.reshape(t.shape)


def outer_indices(places, count):
    """The compressed form of sorted row numbers: where each of `count` rows begins."""
    counts = torch.bincount(places, minlength=count) if places.shape[0] else torch.zeros(
        count, dtype=torch.int64, device=places.device)
    return torch.cat([torch.zeros(1, dtype=torch.int64, device=places.device), counts.cumsum(0)])


def rows_of(outer):
    """The row number of each element."""
    counts = (outer[..., 1:] - outer[..., :-1]).to(torch.int64)
    return torch.repeat_interleave(torch.arange(counts.shape[-1], device=outer.device), counts)


def block_of(t):
    """The size of a block of a BSR or BSC tensor."""
    values = values_of(t)
    batch = values_batch(t)
    return tuple(values.shape[batch + 1:batch + 3])


def values_batch(t):
    return compressed_parts(t)[0].dim() - 1


def to_coo(t):
    """A compressed tensor's elements in COO form, outside the graph."""
    kind = layout(t)
    outer, inner, values = compressed_parts(t)
    batches = tuple(outer.shape[:-1])
    if batches:
        pieces = []
        for at in range(math.prod(batches)):
            place = unflat(torch.tensor([at], device=outer.device), batches)[:, 0]
            one = compressed(kind, outer.reshape(-1, outer.shape[-1])[at], inner.reshape(-1, inner.shape[-1])[at],
                             values.reshape((-1,) + tuple(values.shape[len(batches):]))[at], t.shape[len(batches):])
            indices, found = parts(to_coo(one))
            pieces.append((torch.cat([place.unsqueeze(1).expand(-1, indices.shape[1]), indices]), found))
        return coo(torch.cat([p[0] for p in pieces], 1), torch.cat([p[1] for p in pieces]), t.shape,
                   kind in ROWS and kind not in BLOCKS)
    major, minor = rows_of(outer), inner.to(torch.int64)
    rows, columns = (major, minor) if kind in ROWS else (minor, major)
    if kind in BLOCKS:
        high, wide = values.shape[1:3]
        count = values.shape[0]
        down = torch.arange(high, device=outer.device).reshape(1, high, 1)
        across = torch.arange(wide, device=outer.device).reshape(1, 1, wide)
        rows = (rows.reshape(-1, 1, 1) * high + down).expand(count, high, wide).reshape(-1)
        columns = (columns.reshape(-1, 1, 1) * wide + across).expand(count, high, wide).reshape(-1)
        values = values.reshape((count * high * wide,) + tuple(values.shape[3:]))
    return coo(torch.stack([rows, columns]), values, t.shape, kind == "sparse_csr")


def merged(a, b):
    """Places and values of a sum of two COO tensors, as PyTorch's processors merge them: always the smaller of the two next
    indices, and equal ones together. `(numbers, which values of a and b each takes, -1 for none)`."""
    x, y = a.tolist(), b.tolist()
    first, second, i, j = [], [], 0, 0
    while i < len(x) and j < len(y):
        if x[i] == y[j]:
            first.append(i)
            second.append(j)
            i, j = i + 1, j + 1
        elif x[i] < y[j]:
            first.append(i)
            second.append(-1)
            i += 1
        else:
            first.append(-1)
            second.append(j)
            j += 1
    first += list(range(i, len(x))) + [-1] * (len(y) - j)
    second += [-1] * (len(x) - i) + list(range(j, len(y)))
    return first, second
