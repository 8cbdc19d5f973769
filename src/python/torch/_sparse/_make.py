"""Making sparse tensors, and what PyTorch checks when it does."""

import warnings

import _torch
import torch

from ._parts import BLOCKS, COMPRESSED, ROWS, compressed, coo, record, show

_STATE = {"said": set(), "checks": None}


def _say_once(key, text):
    if key not in _STATE["said"]:
        _STATE["said"].add(key)
        warnings.warn(text, stacklevel=4)


def _say_unchecked():
    if _STATE["checks"] is None:
        _say_once("unchecked", "Sparse invariant checks are implicitly disabled. Memory errors (e.g. SEGFAULT) will occur when "
                  "operating on a sparse tensor which violates the invariants, but checks incur performance overhead. To silence "
                  "this warning, explicitly opt in or out. See `torch.sparse.check_sparse_tensor_invariants.__doc__` for guidance. ")


def say_beta(kind):
    _say_once("beta", f"Sparse {kind[7:].upper()} tensor support is in beta state. If you miss a functionality in the sparse tensor "
              "support, please submit a feature request to https://github.com/pytorch/pytorch/issues.")


def checking(check):
    if check is None:
        return bool(_STATE["checks"])
    return check


def _given(data, dtype, device):
    """Values as a tensor; a tensor stays what it is if it fits."""
    if isinstance(data, torch.Tensor):
        if dtype is not None or device is not None:
            return data.to(device=device if device is not None else data.device, dtype=dtype or data.dtype)
        return data
    return torch.tensor(data, dtype=dtype, device=device)


def _places(data, device):
    if isinstance(data, torch.Tensor):
        return data.to(device=device, dtype=torch.int64)
    if not isinstance(data, (list, tuple)) or data:
        return torch.tensor(data, device=device).to(torch.int64)
    return torch.tensor(data, dtype=torch.int64, device=device)


def _lowest_and_highest(indices):
    return indices.amin(1).tolist(), indices.amax(1).tolist()


def _check_numel(size):
    total = 1
    for n in size:
        if n < 0:
            raise RuntimeError("numel: integer multiplication overflow")
        total *= n
    if total > 2**63 - 1:
        raise RuntimeError("numel: integer multiplication overflow")


def check_coo(indices, values, size, coalesced=None):
    """The complete checks, which a program asks for."""
    if indices.numel():
        low, high = _lowest_and_highest(indices)
        for d in range(indices.shape[0]):
            if low[d] < 0:
                raise RuntimeError(f"found negative index {low[d]} for dim {d}")
            if high[d] >= size[d]:
                raise RuntimeError(f"size is inconsistent with indices: for dim {d}, size is {size[d]} but found index {high[d]}")
    if coalesced:
        from ._parts import flat

        order = flat(indices, size)
        if order.shape[0] > 1 and bool((order[1:] <= order[:-1]).any()):
            raise RuntimeError("cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor")


def sparse_coo_tensor(*args, **kwargs):
    """`(indices, values, size=None)` or `(size)`."""
    names = ["indices", "values", "size"]
    only_size = (len(args) == 1 and "indices" not in kwargs and "values" not in kwargs) or (not args and "indices" not in kwargs)
    given = dict(zip(["size"] if only_size else names, args))
    given.update(kwargs)
    dtype, device = given.get("dtype"), given.get("device")
    requires_grad = given.get("requires_grad", False)
    if given.get("check_invariants") is None:
        _say_unchecked()
    check = checking(given.get("check_invariants"))
    size = given.get("size")
    if only_size:
        size = _given_size(size)
        _check_numel(size)
        place = torch.empty((len(size), 0), dtype=torch.int64, device=device)
        values = torch.empty((0,), dtype=dtype, device=device)
        return coo(place, values, size, True).requires_grad_(requires_grad)
    values = _given(given["values"], dtype, device)
    if values.dim() == 0:
        values = values.unsqueeze(0)
    indices = _places(given["indices"], values.device)
    if indices.dim() != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {show(indices.shape)}") if size is None or indices.dim() > 2 \
            else _wrong_dims(indices, values, size)
    depth = indices.shape[0]
    if size is None:
        _same_count(indices, values)
        if indices.numel():
            low, high = _lowest_and_highest(indices)
            for d in range(depth):
                if low[d] < 0:
                    raise RuntimeError(f"found negative index {low[d]} for dim {d}")
            size = tuple(n + 1 for n in high) + tuple(values.shape[1:])
        else:
            size = (0,) * depth + tuple(values.shape[1:])
    else:
        size = tuple(size)
        _check_numel(size)
        if len(size) != depth + values.dim() - 1:
            raise _wrong_dims(indices, values, size)
        _same_count(indices, values)
        if tuple(values.shape[1:]) != size[depth:]:
            wanted = (values.shape[0], *size[depth:])
            raise RuntimeError(f"values has incorrect size, expected {show(wanted)}, got {show(values.shape)}")
    coalesced = given.get("is_coalesced")
    if check:
        check_coo(indices, values, size, coalesced)
    out = coo(indices, values.detach(), size, coalesced)
    if requires_grad:
        return out.requires_grad_()
    return record("SparseCooTensorWithDimsAndTensorsBackward0", [values], out, lambda g: [_values_at(g, indices, size)])


def _values_at(gradient, indices, size):
    """The gradient's values at the given places."""
    from ._convert import values_at

    return values_at(gradient, indices, size)


def _given_size(size):
    """The size of a tensor without elements, or the error for anything else in its place."""
    where = "sparse_coo_tensor(): argument 'size' (position 1) must be tuple of ints, "
    if not isinstance(size, (tuple, list)):
        raise TypeError(where + f"not {type(size).__name__}")
    for at, n in enumerate(size):
        if not isinstance(n, int):
            raise TypeError(where + f"but found element of type {type(n).__name__} at pos {at}")
    return tuple(size)


def _same_count(indices, values):
    if indices.shape[1] != values.shape[0]:
        raise RuntimeError("indices and values must have same nnz, but got nnz from indices: "
                           f"{indices.shape[1]}, nnz from values: {values.shape[0]}")


def _wrong_dims(indices, values, size):
    depth, rest = indices.shape[0], values.dim() - 1
    return RuntimeError("'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = "
                        f"{len(size)}, sparse_dim = {depth}, dense_dim = {rest}")


# ---- compressed -------------------------------------------------------------------------------------------------------


def _check_compressed(kind, outer, inner, values, size):
    """The invariants of a compressed tensor, which a program asks to check."""
    rows = kind in ROWS
    names = ("crow_indices", "col_indices") if rows else ("ccol_indices", "row_indices")
    if outer.dim() < 1:
        raise RuntimeError(f"{names[0]} must have dimensionality >= 1 but got {outer.dim()}")
    if inner.dim() < 1:
        raise RuntimeError(f"{names[1]} must have dimensionality >= 1 but got {inner.dim()}")
    if outer.dim() != inner.dim():
        raise RuntimeError(f"number of dimensions of {names[0]} and {names[1]} must be the same but got {outer.dim()} and "
                           f"{inner.dim()}, respectively")
    batch, block = outer.dim() - 1, 2 if kind in BLOCKS else 0
    dense = len(size) - batch - 2
    if values.dim() < batch + 1 + block:
        raise RuntimeError(f"values must have dimensionality > sum of batch and block dimensionalities (={batch} + {block}) but "
                           f"got {values.dim()}")
    if dense < 0:
        raise RuntimeError(f"tensor dimensionality must be sum of batch, base, and dense dimensionalities (={batch} + 2 + "
                           f"{values.dim() - batch - 1 - block}) but got {len(size)}")
    if dense != values.dim() - batch - 1 - block:
        raise RuntimeError(f"tensor dimensionality must be sum of batch, base, and dense dimensionalities (={batch} + 2 + "
                           f"{values.dim() - batch - 1 - block}) but got {len(size)}")
    if outer.device != inner.device or outer.device != values.device:
        raise RuntimeError(f"device of {names[0]} (={outer.device}) must match device of values (={values.device})")
    high, wide = tuple(values.shape[batch + 1:batch + 3]) if block else (1, 1)
    lines = size[batch] // high if rows else size[batch + 1] // wide
    cells = size[batch + 1] // wide if rows else size[batch] // high
    if outer.shape[-1] != lines + 1:
        what = "rows" if rows else "columns"
        what = f"{what} blocks" if block else what
        base = ("nrows" if rows else "ncols") if not block else ("nrowblocks" if rows else "ncolblocks")
        raise RuntimeError(f"{names[0]}.shape[-1] must be equal to the number of {what} plus one (={lines + 1}), but got "
                           f"{outer.shape[-1]}") if not base else RuntimeError(
            f"{names[0]}.shape[-1] must be equal to the number of {what} + 1 (={lines + 1}), but got {outer.shape[-1]}")
    if inner.shape[-1] != values.shape[batch]:
        raise RuntimeError(f"number of dimensions of {names[1]} and values must match: {inner.shape[-1]} != {values.shape[batch]}")
    if outer.numel():
        begin, end = outer[..., 0], outer[..., -1]
        nnz = inner.shape[-1]
        if bool((begin != 0).any()):
            raise RuntimeError(f"`{names[0]}[..., 0] == 0` is not satisfied.")
        if bool((end != nnz).any()):
            raise RuntimeError(f"`{names[0]}[..., -1] == nnz` is not satisfied.")
        steps = outer[..., 1:] - outer[..., :-1]
        if bool(((steps < 0) | (steps > cells)).any()):
            cells_name = "ncols" if rows else "nrows"
            raise RuntimeError(f"`0 <= {names[0]}[..., 1:] - {names[0]}[..., :-1] <= {cells_name}` is not satisfied.")
        if nnz and (int(inner.min()) < 0):
            raise RuntimeError(f"`0 <= {names[1]} < {'ncols' if rows else 'nrows'}` is not satisfied.")
        if nnz and int(inner.max()) >= cells:
            raise RuntimeError(f"`0 <= {names[1]} < {'ncols' if rows else 'nrows'}` is not satisfied.")


def _compressed(kind, outer, inner, values, size, dtype, device, requires_grad, check):
    if check is None:
        _say_unchecked()
    say_beta(kind)
    values = _given(values, dtype, device)
    outer, inner = _kept(outer, values.device), _kept(inner, values.device)
    batch = max(outer.dim() - 1, 0)
    if size is None:
        high, wide = tuple(values.shape[batch + 1:batch + 3]) if kind in BLOCKS else (1, 1)
        lines, cells = outer.shape[-1] - 1, int(inner.max()) + 1 if inner.numel() else 0
        sizes = (lines * high, cells * wide) if kind in ROWS else (cells * high, lines * wide)
        size = tuple(outer.shape[:-1]) + sizes + tuple(values.shape[batch + 1 + (2 if kind in BLOCKS else 0):])
    size = tuple(size)
    if checking(check):
        _check_compressed(kind, outer, inner, values, size)
    out = compressed(kind, outer, inner, values.detach(), size)
    if requires_grad:
        return out.requires_grad_()
    from ._convert import values_like

    return record("SparseCompressedTensorBackward0", [values], out, lambda g: [values_like(g, out)])


def _kept(indices, device):
    """Indices of a compressed tensor keep int32."""
    if isinstance(indices, torch.Tensor):
        wanted = indices.dtype if indices.dtype in (torch.int32, torch.int64) else torch.int64
        return indices.to(device=device, dtype=wanted)
    return torch.tensor(indices, dtype=torch.int64, device=device)


def _maker(kind):
    def make(outer, inner, values, size=None, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False,
             check_invariants=None):
        return _compressed(kind, outer, inner, values, size, dtype, device, requires_grad, check_invariants)

    def named(*args, **kwargs):
        for name, ours in (("crow_indices", "outer"), ("ccol_indices", "outer"), ("compressed_indices", "outer"),
                           ("col_indices", "inner"), ("row_indices", "inner"), ("plain_indices", "inner")):
            if name in kwargs:
                kwargs[ours] = kwargs.pop(name)
        return make(*args, **kwargs)

    return named


sparse_csr_tensor = _maker("sparse_csr")
sparse_csc_tensor = _maker("sparse_csc")
sparse_bsr_tensor = _maker("sparse_bsr")
sparse_bsc_tensor = _maker("sparse_bsc")


def sparse_compressed_tensor(compressed_indices, plain_indices, values, size=None, *, dtype=None, layout=None, device=None,
                             pin_memory=False, requires_grad=False, check_invariants=None):
    kind = str(layout).removeprefix("torch.")
    if layout is None:
        raise RuntimeError("sparse_compressed_tensor expected sparse compressed tensor layout but got nullopt")
    if kind not in COMPRESSED:
        raise RuntimeError("sparse_compressed_tensor expected sparse compressed tensor layout but got "
                           f"{ {'strided': 'Strided', 'sparse_coo': 'Sparse'}.get(kind, kind)}")
    return _compressed(kind, compressed_indices, plain_indices, values, size, dtype, device, requires_grad, check_invariants)


def empty(size, dtype, device, kind, requires_grad=False):
    """A sparse tensor without elements: what `torch.zeros(…, layout=…)` gives."""
    size = tuple(size)
    if kind == "sparse_coo":
        out = coo(torch.empty((len(size), 0), dtype=torch.int64, device=device), torch.empty((0,), dtype=dtype, device=device),
                  size, True)
    else:
        lines = size[-2] if kind in ROWS else size[-1]
        batch = size[:-2]
        out = compressed(kind, torch.zeros(batch + (lines + 1,), dtype=torch.int64, device=device),
                         torch.empty(batch + (0,), dtype=torch.int64, device=device),
                         torch.empty(batch + (0,), dtype=dtype, device=device), size)
    return out.requires_grad_(requires_grad)
