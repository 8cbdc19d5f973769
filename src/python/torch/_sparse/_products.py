"""Matrix products. A COO matrix times a strided one reads the rows that its indices name and adds them up; every other product
comes to that one, or to pairs of elements of two sparse matrices."""

import _torch
import torch

from ._convert import _to_layout, sparse_mask, values_at
from ._errors import apart, missing
from ._parts import (
    add_at, coalesced, compressed_parts, coo, is_coalesced, is_coo, is_sparse, layout, like, outer_indices, parts, plain, record, rows_of,
    scalar_name, to_coo, values_of,
)


def _one_dtype(a, b):
    if a.dtype != b.dtype:
        raise RuntimeError(f"expected scalar type {scalar_name(a.dtype)} but found {scalar_name(b.dtype)}")


def _one_device(a, b):
    if a.device != b.device:
        raise apart("mm", "mat2", b, a)


def _rows_of_both(a, b):
    """A COO matrix times a strided one."""
    indices, values = parts(a)
    taken = b.index_select(0, indices[1]) * values.unsqueeze(1)
    return add_at(a.shape[0], indices[0], taken)


def _pairs(a, b):
    """The product of two COO matrices, coalesced."""
    (ai, av), b = parts(coalesced(a)), coalesced(b)
    bi, bv = parts(b)
    begin = outer_indices(bi[0], b.shape[0])
    counts = (begin[1:] - begin[:-1]).index_select(0, ai[1])
    left = torch.repeat_interleave(torch.arange(counts.shape[0], device=av.device), counts)
    inside = torch.arange(left.shape[0], device=av.device) - (counts.cumsum(0) - counts).index_select(0, left)
    right = begin.index_select(0, ai[1]).index_select(0, left) + inside
    places = torch.stack([ai[0].index_select(0, left), bi[1].index_select(0, right)])
    product = coo(places, av.index_select(0, left) * bv.index_select(0, right), (a.shape[0], b.shape[1]), False)
    return coo(*parts(coalesced(product)), product.shape, True)


def _product(a, b):
    """A matrix product outside the graph, of which one at least is sparse."""
    if is_coo(a) and values_of(a).dim() > 1:
        raise RuntimeError(f"addmm: scalar values expected, got {values_of(a).dim() - 1}D values")
    if a.dim() != 2 or b.dim() != 2:
        if is_coo(a) and not is_sparse(b):
            raise RuntimeError(f"addmm: 2D tensor expected, got {b.dim()}D tensor" if b.dim() != 2 else
                               f"addmm: matrices expected, got {a.dim()}D tensor")
        raise RuntimeError("matrices expected")
    if a.shape[1] != b.shape[0]:
        if is_coo(a) and is_coo(b):
            raise RuntimeError("_sparse_sparse_matmul: mat1 and mat2 shapes cannot be multiplied "
                               f"({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})")
        if is_coo(a):
            raise RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {a.shape[1]}, got {b.shape[0]}")
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})")
    _one_device(a, b)
    _one_dtype(a, b)
    if is_sparse(a) and is_sparse(b):
        if is_coo(a) and is_coo(b):
            return _pairs(a, b)
        kind = layout(a) if not is_coo(a) else layout(b)
        found = _pairs(a if is_coo(a) else to_coo(a), b if is_coo(b) else to_coo(b))
        return _to_layout(found, kind, a if layout(a) == kind else b)
    if is_sparse(a):
        return _rows_of_both(a if is_coo(a) else to_coo(a), plain(b))
    b = b if is_coo(b) else to_coo(b)
    indices, values = parts(b)
    turned = coo(indices.flip(0), values, (b.shape[1], b.shape[0]), False)
    return _rows_of_both(turned, plain(a).t()).t()


def _masked(g, like_):
    """A gradient at the places of a sparse matrix."""
    return sparse_mask(g, coalesced(like_) if is_coo(like_) else like_)


def _wants(t):
    return t.requires_grad


def _no_compressed_pair(g, a, b):
    if not is_coo(a) and not is_coo(b) and is_sparse(a) and is_sparse(b):
        raise RuntimeError("sparse_addmm_sparse_backward: unsupported combination of layouts, grad: SparseCsr, mat1: SparseCsr, mat2: "
                           "SparseCsr")


def _met(product, t):
    """A product of sparse gradients at the places of an operand."""
    if not is_coalesced(t):
        return like(product, values_of(product) * _inside(product, t))
    return product * like(t, torch.ones_like(values_of(t)))


def _inside(product, t):
    """1 for each element of a product that is at a place of `t`."""
    indices, _ = parts(product)
    t = coalesced(t)
    return values_at(like(t, torch.ones_like(values_of(t))), indices, t.shape)


def _sparse_pair(a, b):
    def back(g):
        return [_met(coalesced(_pairs(g, b.detach().t())), a.detach()) if _wants(a) else None,
                _met(coalesced(_pairs(a.detach().t(), g)), b.detach()) if _wants(b) else None]

    return record("SparseSparseMatmulBackward0", [a, b], _product(a, b), back)


def mm(input, mat2, *, out=None, out_dtype=None):
    if is_coo(input) and is_coo(mat2):
        return _sparse_pair(input, mat2)

    def back(g):
        return [g @ _turn(mat2) if _wants(input) else None, _turn(input) @ g if _wants(mat2) else None]

    result = record("MmBackward0", [input, mat2], _product(input, mat2), back)
    return result if out is None else out.copy_(result)


def _turn(t):
    return t.detach().t()


def sparse_mm(input, mat2, reduce=None):
    """`torch.sparse.mm`, whose gradient for a sparse operand is sparse."""
    if reduce is not None:
        return _reduced(input, mat2, reduce)
    if is_coo(input) and is_coo(mat2):
        return mm(input, mat2)
    if not is_sparse(input) and not is_sparse(mat2):
        return torch.mm(input, mat2)
    if not is_sparse(input):
        return sparse_mm(mat2.t(), input.t()).t()

    def back(g):
        _no_compressed_pair(g, input, mat2)
        return [_masked(g @ _turn(mat2), input) if _wants(input) else None, _turn(input) @ g if _wants(mat2) else None]

    return record("SparseAddmmBackward0", [input, mat2], _product(input, mat2), back)


def _addmm(input, mat1, mat2, beta, alpha, node, sparse_gradient):
    if is_sparse(input) and not (not is_coo(input) and not is_coo(mat1)):
        if not is_sparse(mat1) or is_coo(input) and not is_sparse(mat2):
            raise RuntimeError("expand is unsupported for Sparse tensors")
        raise RuntimeError("addmm_sparse_dense: expected strided result tensor, got tensor with layout Sparse")
    for factor in (beta, alpha):
        # Raises if only a complex number could hold it.
        torch.full((), factor, dtype=input.dtype)
    product = _product(mat1, mat2)
    if is_sparse(input) or is_sparse(product):
        if is_sparse(product) and not is_sparse(input):
            raise RuntimeError("addmm: computation on CPU is not implemented for Strided + SparseCsr @ SparseCsr")
        out = input.detach() * beta + product * alpha
    else:
        out = product if alpha == 1 else product * alpha
        if beta != 0:
            out = out + (plain(input) if beta == 1 else plain(input) * beta)

    def back(g):
        ga = gb = None
        if _wants(mat1):
            ga = g @ _turn(mat2)
            ga = _masked(ga, mat1) if sparse_gradient and is_sparse(mat1) else ga
        if _wants(mat2):
            gb = _turn(mat1) @ g
        scaled = [ga if ga is None or alpha == 1 else ga * alpha, gb if gb is None or alpha == 1 else gb * alpha]
        first = (g if beta == 1 else g * beta).sum_to_size(input.shape) if _wants(input) else None
        return [first] + scaled

    return record(node, [input, mat1, mat2], out, back)


def addmm(input, mat1, mat2, *, beta=1, alpha=1, out=None, out_dtype=None):
    result = _addmm(input, mat1, mat2, beta, alpha, "AddmmBackward0", False)
    return result if out is None else out.copy_(result)


def sparse_addmm(mat, mat1, mat2, *, beta=1.0, alpha=1.0):
    return _addmm(mat, mat1, mat2, beta, alpha, "SparseAddmmBackward0", True)


def addmm_(self, mat1, mat2, *, beta=1, alpha=1):
    return self.copy_(addmm(self, mat1, mat2, beta=beta, alpha=alpha))


def mv(input, vec, *, out=None):
    if input.dim() != 2:
        raise RuntimeError("mv: two dim tensor 'self' expected, got "
                           f"{input.dim()}D")
    if vec.dim() != 1:
        raise RuntimeError(f"mv: one dim tensor 'vec' expected, got {vec.dim()}D")
    if input.shape[1] != vec.shape[0]:
        raise RuntimeError("mv: expected self.size(-1) == vec.size(-1)")
    if not is_sparse(input):
        raise missing("mv", vec)

    def back(g):
        return [g.unsqueeze(1) * vec.detach().unsqueeze(0) if _wants(input) else None, _turn(input) @ g if _wants(vec) else None]

    return record("MvBackward0", [input, vec], _product(input, plain(vec).unsqueeze(1)).squeeze(1), back)


def matmul(input, other, *, out=None):
    a, b = input.dim(), other.dim()
    if a == 2 and b == 2:
        return mm(input, other)
    if a == 2 and b == 1:
        return mv(input, other)
    if a == 1 and b == 2:
        return mm(input.unsqueeze(0), other).squeeze(0)
    if a == 1 and b == 1:
        raise missing("dot", input if is_sparse(input) else other)
    raise RuntimeError("expand is unsupported for Sparse tensors")


def bmm(input, mat2, *, out=None, out_dtype=None):
    if not is_coo(input) or is_sparse(mat2):
        raise missing("bmm", input if is_sparse(input) else mat2)
    if input.dim() != 3 or mat2.dim() != 3:
        raise RuntimeError("bmm_sparse: Tensor 'self' must have 3 dims, but has "
                           f"{input.dim()}" if input.dim() != 3 else f"bmm_sparse: Tensor 'mat2' must have 3 dims, but has {mat2.dim()}")
    if input.shape[0] != mat2.shape[0]:
        raise RuntimeError("bmm_sparse: 'self.size(0)' and 'mat2.size(0)' must match")
    if input.shape[2] != mat2.shape[1]:
        raise RuntimeError("bmm_sparse: 'self.size(2)' and 'mat2.size(1)' must match")
    _one_dtype(input, mat2)
    indices, values = parts(input)
    batch, rows, columns = input.shape
    m = plain(mat2).reshape(batch * columns, mat2.shape[2])
    taken = m.index_select(0, indices[0] * columns + indices[2]) * values.unsqueeze(1)
    out_ = add_at(batch * rows, indices[0] * rows + indices[1], taken).reshape(batch, rows, mat2.shape[2])

    def back(g):
        turned = input.detach().transpose(1, 2)
        return [torch.bmm(g, mat2.detach().transpose(1, 2)) if _wants(input) else None, bmm(turned, g) if _wants(mat2) else None]

    return record("BmmBackward0", [input, mat2], out_, back)


def linear(input, weight, bias=None):
    out = matmul(input, weight.t())
    return out if bias is None else out + bias


def _underivable(operator):
    def back(g):
        raise RuntimeError(f"derivative for aten::{operator} is not implemented")

    return back


def hspmm(mat1, mat2, *, out=None):
    """A product whose rows without elements are left out."""
    if not is_coo(mat1):
        raise missing("hspmm", mat1)
    _one_dtype(mat1, mat2)
    a = coalesced(mat1)
    indices, values = parts(a)
    unique, places = torch.unique(indices[0], return_inverse=True)
    rows = add_at(unique.shape[0], places, plain(mat2).index_select(0, indices[1]) * values.unsqueeze(1))
    out_ = coo(unique.unsqueeze(0), rows, (mat1.shape[0], mat2.shape[1]), False)
    return record("NotImplemented", [mat1, mat2], out_, _underivable("hspmm"))


def sspaddmm(input, mat1, mat2, *, beta=1, alpha=1, out=None):
    if not is_coo(mat1):
        raise missing("sspaddmm", mat1)
    a = coalesced(mat1)
    indices, values = parts(a)
    wide = mat2.shape[1]
    places = torch.stack([indices[0].repeat_interleave(wide), torch.arange(wide, device=values.device).repeat(indices.shape[1])])
    taken = (plain(mat2).index_select(0, indices[1]) * values.unsqueeze(1)).reshape(-1)
    product = coalesced(coo(places, taken, (mat1.shape[0], wide), False))
    (own, mine), (new, theirs) = parts(input), parts(product)
    out_ = coo(torch.cat([own, new], 1), torch.cat([mine * beta, theirs * alpha]), input.shape, False)
    return record("NotImplemented", [input, mat1, mat2], out_, _underivable("sspaddmm"))


def smm(input, mat2):
    zeros = coo(torch.empty((2, 0), dtype=torch.int64, device=input.device), torch.empty((0,), dtype=input.dtype, device=input.device),
                (input.shape[0], mat2.shape[1]), True)
    return sspaddmm(zeros, input, mat2)


def saddmm(input, mat1, mat2, *, beta=1, alpha=1, out=None):
    return sspaddmm(input, mat1, mat2, beta=beta, alpha=alpha) if is_coo(input) else addmm(input, mat1, mat2, beta=beta, alpha=alpha)


def sampled_addmm(input, mat1, mat2, *, beta=1.0, alpha=1.0, out=None):
    if layout(input) != "sparse_csr":
        if is_sparse(input):
            raise missing("sparse_sampled_addmm", input)
        raise missing("sparse_sampled_addmm", input)
    outer, inner, values = compressed_parts(input)
    rows = rows_of(outer)
    a, b = plain(mat1), plain(mat2)
    found = (a.index_select(0, rows) * b.t().index_select(0, inner.to(torch.int64))).sum(1)
    out_ = like(input, values * beta + found * alpha)

    def back(g):
        sparse_g = g if is_sparse(g) else sparse_mask(g, input)
        return [sparse_g * beta if _wants(input) else None, (sparse_g @ b.t()) * alpha if _wants(mat1) else None,
                (a.t() @ sparse_g) * alpha if _wants(mat2) else None]

    return record("SparseSampledAddmmBackward0", [input, mat1, mat2], out_, back)


def _reduced(input, mat2, reduce):
    if reduce not in ("sum", "prod", "mean", "amax", "amin"):
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    if layout(input) != "sparse_csr":
        raise missing("_sparse_mm_reduce_impl", input)
    if reduce == "prod":
        raise NotImplementedError("torch.sparse.mm(reduce='prod')")
    outer, inner, values = compressed_parts(input)
    rows, columns = rows_of(outer), inner.to(torch.int64)
    b = plain(mat2)
    taken = b.index_select(0, columns) * values.unsqueeze(1)
    count = input.shape[0]
    sizes = (outer[1:] - outer[:-1]).to(b.dtype).clamp(min=1).unsqueeze(1)
    total = add_at(count, rows, taken)
    if reduce in ("sum", "mean"):
        out = total if reduce == "sum" else total / sizes
        share = torch.ones_like(taken) if reduce == "sum" else (1 / sizes).index_select(0, rows).expand(taken.shape)
    else:
        worst = -float("inf") if reduce == "amax" else float("inf")
        out = torch.full((count, b.shape[1]), worst, dtype=b.dtype, device=b.device)
        out = out.scatter_reduce(0, rows.unsqueeze(1).expand(taken.shape), taken, reduce)
        out = torch.where(torch.isinf(out) & (outer[1:] == outer[:-1]).unsqueeze(1), 0, out)
        share = _first_of(rows, taken == out.index_select(0, rows), count).to(taken.dtype)

    def back(g):
        spread = g.index_select(0, rows) * share
        own = like(input, (spread * b.index_select(0, columns)).sum(1)) if _wants(input) else None
        theirs = add_at(b.shape[0], columns, spread * values.unsqueeze(1)) if _wants(mat2) else None
        return [own, theirs]

    return record("SparseMmReduceImplBackward0", [input, mat2], out, back)


def _first_of(rows, there, count):
    """Of the elements of each row that are there, the first."""
    order = torch.arange(rows.shape[0], device=rows.device).unsqueeze(1).expand(there.shape)
    late = torch.full((count, there.shape[1]), rows.shape[0], dtype=torch.int64, device=rows.device)
    first = late.scatter_reduce(0, rows.unsqueeze(1).expand(there.shape), torch.where(there, order, rows.shape[0]), "amin")
    return there & (order == first.index_select(0, rows))
