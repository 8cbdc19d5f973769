"""The text of a sparse tensor."""

import _torch
import torch

from ._parts import ROWS, compressed_parts, count, layout, parts

_PREFIX = "tensor("


def _piece(name, t, ending):
    """`indices=tensor(…)`: a part with its size if it has no elements."""
    begin = name + "=tensor("
    text = begin + _torch._numbers_text(t, len(_PREFIX) + len(begin))
    if t.numel() == 0 or t.is_meta:
        text += f", size={tuple(t.shape)}"
    return text + ")" + ending


def text(t):
    kind = layout(t)
    remarks = []
    if _torch._shows_device(t):
        remarks.append(f"device='{t.device}'")
    remarks.append(f"size={tuple(t.shape)}")
    if not t.is_meta:
        remarks.append(f"nnz={count(t)}")
    default = torch.get_default_dtype()
    complex_default = {torch.float64: torch.complex128}.get(default, torch.complex64)
    if t.dtype not in (default, complex_default, torch.int64, torch.bool):
        remarks.append(f"dtype={t.dtype}")
    gap = "\n" + " " * len(_PREFIX)
    if kind == "sparse_coo":
        indices, values = parts(t)
        numbers = _piece("indices", indices, ",") + gap + _piece("values", values, ",")
    else:
        outer, inner, values = compressed_parts(t)
        names = ("crow_indices", "col_indices") if kind in ROWS else ("ccol_indices", "row_indices")
        numbers = _piece(names[0], outer, ",") + gap + _piece(names[1], inner, ",") + gap + _piece("values", values, "")
    remarks.append(f"layout=torch.{kind}")
    node = t.grad_fn
    if node is not None:
        remarks.append(f"grad_fn=<{type(node).__name__}>")
    elif t.requires_grad:
        remarks.append("requires_grad=True")
    out = _PREFIX + numbers
    last = len(out) - out.rfind("\n") - 1 + 2
    # PyTorch puts the remarks of a COO tensor on a line of their own.
    first = kind == "sparse_coo"
    if first:
        last = len(_PREFIX)
    for remark in remarks:
        if first:
            out += gap + remark
            last += len(remark)
            first = False
        elif last + len(remark) + 2 > _torch._linewidth():
            out += "," + gap + remark
            last = len(_PREFIX) + len(remark)
        else:
            out += ", " + remark
            last += len(remark) + 2
    return out + ")"
