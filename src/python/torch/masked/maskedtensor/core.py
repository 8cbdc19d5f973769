"""torch.masked.MaskedTensor: a tensor of data with a mask that says which of its elements count.

A call with such tensors works on the data, which are in the graph, and on the mask. What the mask hides must not reach a
gradient, and a gradient has a mask of its own: each tensor that needs one has a `_trace`, a tensor of ones that goes through the
same changes of shape as the data. An element's gradient counts if its trace has one.
"""

import warnings

import _torch
import torch
from torch import _utils

__all__ = ["MaskedTensor", "is_masked_tensor"]

_PROTOTYPE = (
    "The PyTorch API of MaskedTensors is in prototype stage and will change in the near future. Please open a Github issue for "
    "feature requests and see our documentation on the torch.masked module for further information about the project.")
_KINDS = (torch.float16, torch.float32, torch.float64, torch.bool, torch.int8, torch.int16, torch.int32, torch.int64)


def is_masked_tensor(obj, /):
    """Whether it's a masked tensor."""
    return isinstance(obj, MaskedTensor)


def _match(a, b):
    """Whether two masks, or two tensors of indices, are the same."""
    if a.layout != b.layout:
        raise ValueError(f"`a` and `b` must have the same layout. Got {a.layout} and {b.layout}")
    if a.layout != torch.strided:
        return all(_match(x, y) for x, y in zip(_parts(a), _parts(b)))
    return a.dim() == b.dim() and torch.eq(a, b).all().item()


def _parts(t):
    return (t.indices(), t.values()) if t.layout == torch.sparse_coo else (t.crow_indices(), t.col_indices(), t.values())


def _of_values(like, values):
    if like.layout == torch.sparse_coo:
        return torch.sparse_coo_tensor(like.indices(), values, like.shape).coalesce()
    return torch.sparse_csr_tensor(like.crow_indices(), like.col_indices(), values, like.shape)


def _check(data, mask):
    if data.layout not in (torch.strided, torch.sparse_coo, torch.sparse_csr):
        raise TypeError(f"data layout of {data.layout} is not supported.")
    if data.layout != torch.strided:
        for a, b in list(zip(_parts(data), _parts(mask)))[:-1]:
            if not _match(a, b):
                raise ValueError("data and mask are both sparse COO tensors but do not have the same indices."
                                 if data.layout == torch.sparse_coo else
                                 "data and mask are both sparse CSR tensors but do not share either crow or col indices.")
    if mask.dtype != torch.bool:
        raise TypeError("mask must have dtype bool.")
    if data.dtype not in _KINDS:
        raise TypeError(f"{data.dtype} is not supported in MaskedTensor.")
    if data.dim() != mask.dim():
        raise ValueError("data.dim() must equal mask.dim()")
    if data.size() != mask.size():
        raise ValueError("data.size() must equal mask.size()")


def _prepared(data, mask):
    """The data as they're stored: sparse ones at the mask's places."""
    if data.layout != mask.layout:
        raise TypeError("data and mask must have the same layout.")
    if data.layout == torch.sparse_coo:
        data, mask = data.coalesce(), mask.coalesce()
    if data.layout in (torch.sparse_coo, torch.sparse_csr) and data._nnz() != mask._nnz():
        data = _of_values(mask, torch.where(mask.values(), data.sparse_mask(mask).values(), 0))
    return data, mask


def _ones(t):
    return torch.ones(t.shape, device=t.device)


def _wrap(data, mask, trace=None):
    """A masked tensor of these data, without copies and checks."""
    dense = data.layout == torch.strided
    out = _torch._as_class(data.detach() if dense else torch.empty(data.shape, dtype=data.dtype, device=data.device), MaskedTensor)
    out._masked_data, out._masked_mask = data, mask
    out._trace = trace if dense and data.requires_grad else None
    return out


# Whether a pass marks what depends on elements that are shown, instead of computing gradients.
_marking = []


def _guard(t, mask):
    """Has the gradient that arrives at `t` be zero where the mask hides it. In a pass that marks, it's NaN where the mask shows."""
    if t.requires_grad and t.grad_fn is not None:
        t.register_hook(lambda grad: torch.where(mask, torch.nan, torch.ones_like(grad)) if _marking else torch.where(mask, grad, 0))
    return t


def _marks(outputs, tensors, grad_outputs):
    """For each of these tensors without a mask, the mask that its gradient has in PyTorch: it shows what depends on an element that
    is shown. None for what no masked tensor is computed from."""
    _marking.append(True)
    try:
        found = torch.autograd.grad(outputs, tensors, grad_outputs, retain_graph=True, allow_unused=True)
    finally:
        _marking.pop()
    return [None if grad is None else grad.isnan() for grad in found]


def _leaves(t):
    """The leaves that a tensor is computed from, other than parameters and the data of masked tensors."""
    # Nodes that live have different ids.
    seen, kept, todo, found = set(), [], [t.grad_fn], []
    while todo:
        node = todo.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        kept.append(node)
        leaf = getattr(node, "variable", None)
        if leaf is not None and not isinstance(leaf, torch.nn.Parameter) and not hasattr(leaf, "_is_masked_data"):
            found.append(leaf)
        todo += [following for following, _ in node.next_functions]
    return found


def _show_masked_gradients():
    """Has `grad` of a tensor be a masked one if a masked tensor's `backward` computed it, as in PyTorch."""
    own = torch.Tensor.__dict__["grad"]
    if isinstance(own, property):
        return

    def grad(self):
        found = own.__get__(self)
        mask = self.__dict__.get("_masked_gradient") if found is not None and hasattr(self, "__dict__") else None
        return found if mask is None else _wrap(found, mask)

    def change(self, value):
        if hasattr(self, "_masked_gradient"):
            del self._masked_gradient
        own.__set__(self, value._masked_data if is_masked_tensor(value) else value)

    _torch._set_method("grad", property(grad, change))


def _constructed(data, mask):
    """What `as_masked_tensor` makes."""
    found = MaskedTensor(data, mask)
    if data.requires_grad and torch.is_grad_enabled() and data.layout == torch.strided:
        mask = found._masked_mask
        found._masked_data = _guard(_torch._under_node(data.clone(), "ConstructorBackward"), mask)
    return found


class MaskedTensor(torch.Tensor):
    """A tensor whose mask says which elements count. See `masked_tensor` and `as_masked_tensor`."""

    # Operators apply to its tensors, so a function of yours can't.
    _of_several = True

    def __new__(cls, data, mask, requires_grad=False):
        if is_masked_tensor(data) or not torch.is_tensor(data):
            raise TypeError("data must be a Tensor")
        if is_masked_tensor(mask) or not torch.is_tensor(mask):
            raise TypeError("mask must be a Tensor")
        warnings.warn(_PROTOTYPE, UserWarning, stacklevel=2)
        if data.requires_grad:
            warnings.warn("It is not recommended to create a MaskedTensor with a tensor that requires_grad. To avoid this, you can use "
                          "data.detach().clone()", UserWarning, stacklevel=2)
        if requires_grad and not (data.is_floating_point() or data.is_complex()):
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        data, mask = _prepared(data.detach(), mask)
        _check(data, mask)
        out = _wrap(data.clone(), mask.clone())
        return _require(out) if requires_grad else out

    def __init__(self, data, mask, requires_grad=False):
        pass

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = func.__name__
        if name in ("__get__", "__set__"):
            attribute = func.__self__.__name__
            if name == "__set__":
                return _set(attribute, *args)
            return _get(attribute, args[0])
        from . import _calls

        return _calls.call(name, func, args, kwargs)

    def __repr__(self):
        if self.dim() == 0:
            text = _element(self._masked_data.item()) if self._masked_mask.item() else "--"
            return f"MaskedTensor({text}, {self._masked_mask.item()})"
        inside = "\n".join("  " + line for line in _text(self._masked_data.detach(), self._masked_mask).split("\n"))
        return "MaskedTensor(\n" + inside + "\n)"

    def __format__(self, spec):
        return format(repr(self), spec)

    def __lt__(self, other):
        return _wrap(self._masked_data < (other._masked_data if is_masked_tensor(other) else other), self._masked_mask)

    def __deepcopy__(self, memo):
        return _wrap(self._masked_data.detach().clone(), self._masked_mask.clone()).requires_grad_(self.requires_grad)

    def __reduce_ex__(self, protocol):
        return _restored, (self._masked_data.detach(), self._masked_mask, self.requires_grad)

    def to_tensor(self, value):
        """The data, with `value` where the mask hides them."""
        return self.get_data().masked_fill(~self._masked_mask, value)

    def get_data(self):
        data = self._masked_data
        if not data.requires_grad:
            return data.detach()
        return _guard(_torch._under_node(data.clone(), "GetDataBackward"), self._masked_mask)

    def get_mask(self):
        return self._masked_mask

    def is_sparse_coo(self):
        return self.layout == torch.sparse_coo

    def is_sparse_csr(self):
        return self.layout == torch.sparse_csr

    @property
    def is_sparse(self):
        return self.layout != torch.strided

    def new_tensor(self, data, **options):
        return self._masked_data.new_tensor(data, **options)

    def register_hook(self, hook):
        def hooked(grad):
            found = hook(_wrap(grad, self._masked_mask))
            return found._masked_data if is_masked_tensor(found) else found

        return self._masked_data.register_hook(hooked)


MaskedTensor.__module__ = "torch.masked.maskedtensor.core"
_utils._keep_own(MaskedTensor)


def _restored(data, mask, requires_grad):
    return _wrap(data, mask).requires_grad_(requires_grad)


def _require(self, requires_grad=True):
    self._masked_data.requires_grad_(requires_grad)
    self._masked_data._is_masked_data = True
    if requires_grad and self._trace is None and self._masked_data.layout == torch.strided:
        self._trace = _ones(self._masked_data).requires_grad_()
    return self


# ---- text ---------------------------------------------------------------------------------------------------------------


def _element(value):
    return f"{value:8.4f}" if isinstance(value, float) else str(value)


def _text(data, mask):
    if data.layout != torch.strided:
        data, mask = data.to_dense(), mask.to_dense()
    if data.dim() == 1:
        shown, texts = mask.tolist(), [_element(value) for value in data.tolist()]
        width = max(len(text) if yes else 8 for text, yes in zip(texts, shown))
        return "[" + ", ".join(text if yes else "--".rjust(width) for text, yes in zip(texts, shown)) + "]"
    rows = ["\n".join("  " + line for line in _text(d, m).split("\n")) for d, m in zip(data, mask)]
    return "[\n" + ",\n".join(rows) + "\n]"


# ---- attributes -----------------------------------------------------------------------------------------------------------


def _get(name, self):
    data = self._masked_data
    if name == "grad":
        grad = data.grad
        if grad is None:
            return None
        trace = self._trace.grad if self._trace is not None else None
        return _wrap(grad, self._masked_mask if trace is None else trace != 0)
    if name == "data":
        return _wrap(data.detach(), self._masked_mask)
    if name in ("T", "mT", "H", "mH", "_conjugate_transpose"):
        from . import _calls

        raise _calls.refused("permute")
    return getattr(data, name)


def _set(name, self, value):
    if name == "grad":
        self._masked_data.grad = value._masked_data if is_masked_tensor(value) else value
        if self._trace is not None:
            self._trace.grad = value._masked_mask.float() if is_masked_tensor(value) else None
    elif name == "requires_grad":
        _require(self, value)
    else:
        raise NotImplementedError(f"MaskedTensor: setting {name!r}")
