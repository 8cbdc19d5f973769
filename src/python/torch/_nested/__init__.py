"""Nested tensors of the strided layout: several tensors of one dtype in one buffer, and what each operator does with them. The
native half asks `_dispatch` for every call that has one among its arguments."""

import math

import _torch
import torch

from torch._said import warn_once
from torch._sparse._errors import _ENDING

_SIZES = "Internal error: NestedTensorImpl doesn't support sizes. Please file an issue."
_STRIDES = "Internal error: NestedTensorImpl doesn't support strides. Please file an issue."


def is_nested(t):
    return isinstance(t, torch.Tensor) and _torch._parts_layout(t) == "nested"


def missing(operator, t):
    backend = ("NestedTensor" if is_nested(t) else "") + ("CPU" if t.device.type == "cpu" else t.device.type.upper())
    return NotImplementedError(f"Could not run 'aten::{operator}' with arguments from the '{backend}' backend." + _ENDING)


# ---- parts --------------------------------------------------------------------------------------------------------------


def of_buffer(buffer, sizes):
    """A nested tensor over a buffer. `sizes` is a list of shapes."""
    depth = len(sizes[0]) if sizes else 0
    widest = [max(size[d] for size in sizes) for d in range(depth)]
    flat = torch.tensor([list(size) for size in sizes], dtype=torch.int64).reshape(len(sizes), depth)
    return _torch._of_parts("nested", (len(sizes), *widest) if sizes else (0,), [flat], buffer, False)


def of_pieces(pieces, dtype=None, device=None):
    if not pieces:
        return of_buffer(torch.empty((0,), dtype=dtype, device=device), [])
    return of_buffer(torch.cat([p.reshape(-1) for p in pieces]), [tuple(p.shape) for p in pieces])


def buffer_of(t):
    return _torch._parts(t)[1]


def sizes_of(t):
    return [tuple(row) for row in _torch._parts(t)[0][0].tolist()]


def pieces_of(t):
    buffer, before, out = buffer_of(t), 0, []
    for size in sizes_of(t):
        count = math.prod(size)
        out.append(buffer.narrow(0, before, count).reshape(size))
        before += count
    return out


def _record(node, inputs, out, backward):
    if torch.is_grad_enabled() and any(isinstance(t, torch.Tensor) and t.requires_grad for t in inputs):
        outs = list(out) if isinstance(out, tuple) else [out]
        if outs and (outs[0].is_floating_point() or outs[0].is_complex()):
            _torch._record(node, [t if isinstance(t, torch.Tensor) else None for t in inputs], outs, backward)
    return out


def _plain(t):
    """What an operator computes with: the pieces of a nested tensor, or a strided tensor, outside the graph."""
    return pieces_of(t) if is_nested(t) else t.detach() if isinstance(t, torch.Tensor) else t


def _apply(node, inputs, function, whole=False):
    """Computes `function` of pieces, or of the buffers if it goes element by element (`whole`), and records one node. Its gradient
    computes the function again, in a graph of its own."""
    read = (lambda t: buffer_of(t) if is_nested(t) else _plain(t)) if whole else _plain
    model = next(t for t in inputs if is_nested(t))

    def made(result):
        if whole:
            return of_buffer(result, sizes_of(model))
        return of_pieces(result, model.dtype, model.device) if isinstance(result, list) else result

    def back(grads):
        g = grads[0]
        leaves, given = [], []
        for t in inputs:
            value = read(t)
            items = value if isinstance(value, list) else [value]
            wanted = isinstance(t, torch.Tensor) and t.requires_grad
            items = [i.detach().clone().requires_grad_() if wanted else i for i in items]
            leaves.append(items if wanted else None)
            given.append(items if isinstance(value, list) else items[0])
        with torch.enable_grad():
            result = function(*given)
        seeds = _plain(g) if isinstance(result, list) else [buffer_of(g) if whole and is_nested(g) else g]
        results = result if isinstance(result, list) else [result]
        flat = [leaf for items in leaves if items for leaf in items]
        found = iter(torch.autograd.grad(results, flat, seeds, allow_unused=True))
        out = []
        for t, items in zip(inputs, leaves):
            if items is None:
                out.append(None)
                continue
            mine = [torch.zeros_like(i) if (f := next(found)) is None else f for i in items]
            out.append(of_buffer(mine[0], sizes_of(t)) if whole and is_nested(t) else of_pieces(mine) if is_nested(t) else mine[0])
        return out

    return _record(node, inputs, made(function(*(read(t) for t in inputs))), back)


def _node(name):
    return "".join(part.capitalize() for part in name.split("_")) + "Backward0"


# ---- elementwise ----------------------------------------------------------------------------------------------------------


def _single(x):
    return not isinstance(x, torch.Tensor) or (not is_nested(x) and x.dim() == 0)


def _binary(name, function):
    def operator(input, other, *, alpha=1, rounding_mode=None, out=None):
        if not isinstance(input, torch.Tensor):
            if name in ("add", "mul"):
                return operator(other, input)
            raise missing("rsub.Scalar" if name == "sub" else "reciprocal", other)
        extra = {"alpha": alpha} if alpha != 1 else {} if rounding_mode is None else {"rounding_mode": rounding_mode}
        _check_pair(input, other)
        return _apply(_node(name), [input, other], lambda a, b: function(a, b, **extra), whole=True)

    return operator


def _check_pair(input, other):
    if _single(other) or _single(input):
        return
    if is_nested(input) != is_nested(other):
        kinds = [("nested" if is_nested(t) else "non-nested") for t in (input, other)]
        raise RuntimeError(f"Expected both self and other to be nested, but got a {kinds[0]} self and {kinds[1]} other")
    if sizes_of(input) != sizes_of(other):
        raise RuntimeError("The sizes of the nested tensors must match")
    if input.device != other.device:
        raise RuntimeError(f"Expected all tensors to be on the same device, but found at least two devices, {input.device} and "
                           f"{other.device}!")


def _in_place(name):
    def operator(self, *args, **kwargs):
        if self.requires_grad and torch.is_grad_enabled():
            if self.is_leaf:
                raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
            raise NotImplementedError("torch.nested: changing a tensor with a history in place")
        if args:
            _check_pair(self, args[0])
        getattr(buffer_of(self), name)(*(buffer_of(a) if is_nested(a) else a for a in args), **kwargs)
        return _torch._take_parts(self, self)

    return operator


def _unary(name, function=None):
    function = function or (lambda x, *args, **kwargs: getattr(torch, name)(x, *args, **kwargs))

    def operator(input, *args, **kwargs):
        kwargs.pop("inplace", None)
        return _apply(_node(name), [input], lambda x: function(x, *args, **kwargs), whole=True)

    return operator


def _compared(name):
    def operator(input, other):
        if isinstance(other, torch.Tensor) and is_nested(other):
            raise RuntimeError(f"{name} does not support nested tensor as other value.")
        return of_buffer(getattr(torch, name)(buffer_of(input), other), sizes_of(input))

    return operator


# ---- shapes -----------------------------------------------------------------------------------------------------------------


def _dim(d, t):
    n = t.dim()
    if not -n <= d < n:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {d})")
    return d % n


def _size(self, dim=None):
    if dim is None:
        raise RuntimeError(_SIZES)
    d = _dim(dim, self)
    sizes = sizes_of(self)
    if d == 0:
        return len(sizes)
    found = {size[d - 1] for size in sizes}
    if len(found) > 1:
        raise RuntimeError(f"Given dimension {d} is irregular and does not have a size.")
    return found.pop()


def _refuse(text):
    def operator(self, *args, **kwargs):
        raise RuntimeError(text)

    return operator


def _unbind(input, dim=0):
    if dim not in (0, -input.dim()):
        raise RuntimeError(f"NestedTensor can only be unbound along dimension 0 got dimension {dim % input.dim()} instead.")

    def back(grads):
        return [of_pieces([torch.zeros_like(p) if g is None else g for g, p in zip(grads, pieces_of(input))])]

    return _record("UnbindBackwardAutogradNestedTensor0", [input], tuple(pieces_of(input)), back)


def _select(input, dim, index):
    d = _dim(dim, input)
    if d == 0:
        n = len(sizes_of(input))
        if not -n <= index < n:
            raise IndexError(f"index {index} is out of bounds for dimension 0 with size {n}")
        return _apply("SelectBackwardAutogradNestedTensor0", [input], lambda pieces: pieces[index])
    return _apply("SelectBackwardAutogradNestedTensor0", [input], lambda pieces: [p.select(d - 1, index) for p in pieces])


def _getitem(self, key):
    keys = key if isinstance(key, tuple) else (key,)
    out, d = self, 0
    for at, k in enumerate(keys):
        if isinstance(k, int) and not isinstance(k, bool) and is_nested(out):
            out = _select(out, d, k)
        elif k is Ellipsis and is_nested(out):
            d = out.dim() - sum(key is not None for key in keys[at + 1:])
        elif not is_nested(out):
            return out[keys[at:]]
        else:
            raise missing("slice.Tensor" if isinstance(k, slice) else "index.Tensor", self)
    return out


def _to_padded(self, padding, output_size=None):
    sizes = sizes_of(self)
    if not sizes or not sizes[0]:
        raise RuntimeError("sizes_size_1 > 0 INTERNAL ASSERT FAILED, please report a bug to PyTorch. ")
    widest = [max(size[d] for size in sizes) for d in range(len(sizes[0]))]
    if output_size is not None:
        wanted = list(output_size)
        if any(n > m for n, m in zip([len(sizes), *widest], wanted)):
            raise RuntimeError("Value in output_size is less than NestedTensor padded size. Truncation is not supported.")
    rows, *widest = wanted if output_size is not None else (len(sizes), *widest)

    def padded(pieces):
        out = torch.full((rows, *widest), padding, dtype=pieces[0].dtype, device=pieces[0].device)
        for at, piece in enumerate(pieces):
            out[(at, *(slice(0, n) for n in piece.shape))] = piece
        return out

    return _apply("ToPaddedTensorBackward0", [self], padded)


def _transpose(input, dim0, dim1):
    a, b = _dim(dim0, input), _dim(dim1, input)
    if a == b:
        return input
    if 0 in (a, b):
        raise RuntimeError("Nested tensor dimension 0 cannot be transposed")
    return _apply("TransposeBackward0", [input], lambda pieces: [p.transpose(a - 1, b - 1) for p in pieces])


def _viewed(name):
    def operator(self, *shape):
        shape = list(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else list(shape)
        n = len(sizes_of(self))
        if not shape or shape[0] not in (n, -1) or len(shape) == 1:
            raise RuntimeError(f"{name}: For now nested {name} cannot change or infer the implicit batch dimension")

        def change(pieces):
            out = []
            for piece in pieces:
                # -1 keeps what a piece has in this dimension.
                size = [piece.shape[d] if m == -1 and d < piece.dim() else m for d, m in enumerate(shape[1:])]
                out.append(piece.reshape(size))
            return out

        return _apply(_node(name), [self], change)

    return operator


def _unsqueeze(input, dim):
    n = input.dim() + 1
    d = dim % n
    if d == 0:
        raise RuntimeError("unsqueeze(): For nested tensors, unsqueezing dimension 0 is not supported at the moment if you need this "
                           "feature, please open an issue on github describing your use case.")
    return _apply("UnsqueezeBackward0", [input], lambda pieces: [p.unsqueeze(d - 1) for p in pieces])


def _squeeze(input, dim=None):
    if dim is None:
        raise RuntimeError("squeeze(): For nested tensors, squeeze without the dim argument is not supported at the moment, however you "
                           "can use squeeze(Tensor self, int dim) instead if you need this feature, please open an issue on github "
                           "describing your use case.")
    d = _dim(dim, input)
    if d and any(size[d - 1] != 1 for size in sizes_of(input)):
        return input
    if d == 0:
        raise RuntimeError("squeeze(): For nested tensors, squeezing dimension 0 is not supported at the moment if you need this feature, "
                           "please open an issue on github describing your use case.")
    return _apply("SqueezeBackward1", [input], lambda pieces: [p.squeeze(d - 1) for p in pieces])


def _narrow(input, dim, start, length):
    if _dim(dim, input):
        raise RuntimeError(f"narrow(): only dim=0 supported for nested tensors, but got: {dim}")
    return _apply("NarrowBackward0", [input], lambda pieces: pieces[start:start + length])


def _chunk(input, chunks, dim=0):
    if _dim(dim, input) != input.dim() - 1:
        raise RuntimeError("Chunk for nested tensors is currently only supported for the last dimension.")
    if _size(input, -1) % chunks:
        raise RuntimeError("Chunk for nested tensors is only supported for nested tensors with trailing dimension divisible by chunks.")
    return tuple(_apply("ChunkBackwardNestedTensor0", [input], lambda pieces, i=i: [p.chunk(chunks, -1)[i] for p in pieces])
                 for i in range(chunks))


def _cat(tensors, dim=0):
    tensors = list(tensors)
    if not all(is_nested(t) for t in tensors):
        raise RuntimeError("cat(): expected each tensor in given list to be nested")
    if dim != 0:
        raise RuntimeError("NestedTensor cat is only supported along dimension 0 here")
    return _apply("CatBackward0", tensors, lambda *lists: [p for pieces in lists for p in pieces])


# ---- sums, products, layers ---------------------------------------------------------------------------------------------------


def _sum(input, dim=None, keepdim=False, *, dtype=None):
    if dim is None:
        raise missing("sum", input)
    dims = [dim] if isinstance(dim, int) else list(dim)
    if len(dims) != 1 or _dim(dims[0], input) != input.dim() - 1:
        raise RuntimeError("NestedTensor can only be reduced across the last dimension for now got dimension "
                           f"{dims[0] % input.dim()} instead.")
    if not keepdim:
        raise RuntimeError("NestedTensor always requires keepdim=True for now.")
    return _apply("SumBackward1", [input], lambda pieces: [p.sum(-1, keepdim=True, dtype=dtype) for p in pieces])


def _softmax(name):
    def operator(input, dim=None, dtype=None, _stacklevel=3):
        d = _dim(dim, input)
        if d == 0:
            raise RuntimeError("Cannot apply softmax across nested dimension 0")
        return _apply(_node(name), [input], lambda pieces: [getattr(torch, name)(p, d - 1, dtype=dtype) for p in pieces])

    return operator


def _linear(input, weight, bias=None):
    if not is_nested(input):
        raise missing("linear", weight)
    inputs = [input, weight] if bias is None else [input, weight, bias]
    return _apply("LinearBackward0", inputs, lambda pieces, w, *b: [torch.nn.functional.linear(p, w, *b) for p in pieces])


def _matmul(input, other):
    if is_nested(input) != is_nested(other):
        kinds = [("nested" if is_nested(t) else "non-nested") for t in (input, other)]
        raise RuntimeError(f"Expected both to be nested, but got a {kinds[0]} self and {kinds[1]} other")
    a, b = sizes_of(input), sizes_of(other)
    if len(a) != len(b):
        raise RuntimeError(f"matmul: Expected size for the 1st dimension of 2nd input tensor to be: {len(a)} but got: {len(b)}.")
    for at, (x, y) in enumerate(zip(a, b)):
        if x[-1] != y[-2]:
            raise RuntimeError("matmul: Nested tensors cannot be matrix multiplied: "
                               f"self has {x[-1]} columns and other {y[-2]} rows at index {at}")
    return _apply("BmmBackward0", [input, other], lambda p, q: [x @ y for x, y in zip(p, q)])


def _attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    if attn_mask is not None:
        raise RuntimeError("Scaled_dot_product_attention: Nested tensors for query / key are not supported when an explicit attn_mask is set")
    if is_causal:
        raise RuntimeError("_scaled_dot_product_attention: Nested tensors for query / key are not supported when is_causal=True")
    if not is_nested(key) or not is_nested(value):
        raise NotImplementedError("torch.nested: attention of a nested tensor of the strided layout and a tensor that isn't nested")

    def attended(q, k, v):
        options = {"dropout_p": dropout_p, "scale": scale, "enable_gqa": enable_gqa}
        return [torch.nn.functional.scaled_dot_product_attention(*piece, **options) for piece in zip(q, k, v)]

    return _apply("MatmulBackward0", [query, key, value], attended)


def _why_slow(layer, query, key, value, masked):
    """Why PyTorch's fast path wouldn't do an attention, in its words; None if it would."""
    weights = (query, layer.in_proj_weight, layer.in_proj_bias, layer.out_proj.weight, layer.out_proj.bias)
    reasons = (
        (not torch.backends.mha.get_fastpath_enabled(), "torch.backends.mha.get_fastpath_enabled() was not True"),
        (query.dim() != 3, f"input not batched; expected query.dim() of 3 but got {query.dim()}"),
        (query is not key or key is not value, "non-self attention was used (query, key, and value are not the same Tensor)"),
        (layer.in_proj_weight is None, "in_proj_weight was None"),
        (layer.in_proj_weight is not None and query.dtype != layer.in_proj_weight.dtype,
         f"dtypes of query ({query.dtype}) and self.in_proj_weight ({getattr(layer.in_proj_weight, 'dtype', None)}) don't match"),
        (layer.training, "training is enabled"),
        (layer.num_heads % 2 != 0, "self.num_heads is not even"),
        (not layer.batch_first, "batch_first was not True"),
        (layer.bias_k is not None, "self.bias_k was not None"),
        (layer.add_zero_attn, "add_zero_attn was enabled"),
        (masked, "supplying both src_key_padding_mask and src_mask at the same time                                  is not supported with "
                 "NestedTensor input"),
        (torch.is_autocast_enabled(), "autocast is enabled"),
        (not is_nested(query), "some Tensor argument has_torch_function"),
        (torch.is_grad_enabled() and any(t is not None and t.requires_grad for t in weights),
         "grad is enabled and at least one of query or the input/output projection weights or biases requires_grad"))
    return next((text for found, text in reasons if found), None)


def _self_attention(layer, query, key, value, key_padding_mask, need_weights, attn_mask, average_attn_weights):
    why = _why_slow(layer, query, key, value, key_padding_mask is not None or attn_mask is not None)
    if why:
        raise AssertionError("MultiheadAttention does not support NestedTensor outside of its fast path. The fast path was not hit because "
                             + why)
    found = [layer(p[None], p[None], p[None], need_weights=need_weights, average_attn_weights=average_attn_weights) for p in pieces_of(query)]
    out = of_pieces([y[0] for y, _ in found])
    if not need_weights:
        return out, None
    return out, of_pieces([w[0] for _, w in found]).to_padded_tensor(0.0)


def _layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    if weight is None or bias is None:
        raise ValueError("NestedTensor layer_norm requires weight and bias")

    def normed(pieces, w, b):
        return [torch.nn.functional.layer_norm(p, normalized_shape, w, b, eps) for p in pieces]

    return _apply("NativeLayerNormBackward0", [input, weight, bias], normed)


def _dropout(input, p=0.5, training=True, inplace=False):
    if p == 0 and training:
        # PyTorch draws its numbers even so.
        torch.empty_like(buffer_of(input)).bernoulli_(1.0)
    return _apply("NativeDropoutBackward0", [input], lambda x: torch.nn.functional.dropout(x, p, training), whole=True)


def _masked_fill(self, mask, value):
    return _apply("MaskedFillBackward0", [self], lambda x: x.masked_fill(buffer_of(mask) if is_nested(mask) else mask, value), whole=True)


# ---- others -------------------------------------------------------------------------------------------------------------------


def _text(t):
    def piece(p):
        if t.requires_grad and t.is_floating_point():
            p = p.detach().requires_grad_()
        return "\n".join("  " + line for line in repr(p).split("\n"))

    inside = ",\n".join(piece(p) for p in pieces_of(t))
    node = t.grad_fn
    ending = f", grad_fn=<{type(node).__name__}>" if node is not None else ", requires_grad=True" if t.requires_grad else ""
    return f"nested_tensor([\n{inside}\n]{ending})"


def _moved(self, device=None, dtype=None, non_blocking=False, copy=False):
    buffer = buffer_of(self)
    there = buffer.to(device=device or buffer.device, dtype=dtype or buffer.dtype, non_blocking=non_blocking, copy=copy)
    if there is buffer:
        return self
    home, kind = self.device, self.dtype
    return _record("ToCopyBackward0", [self], of_buffer(there, sizes_of(self)), lambda grads: [grads[0].to(device=home, dtype=kind)])


def _to(self, *args, **kwargs):
    device, dtype, non_blocking = _torch._parse_to(self, *args, **kwargs)
    return _moved(self, device, dtype, non_blocking, kwargs.get("copy", False))


def _cast(dtype):
    return lambda self, memory_format=None: _moved(self, dtype=dtype)


def _cuda(self, device=None, non_blocking=False, memory_format=None):
    device = "cuda" if device is None else device
    return _moved(self, torch.device("cuda", device) if isinstance(device, int) else torch.device(device), None, non_blocking)


def _like(name):
    def operator(input, *args, dtype=None, device=None, layout=None, requires_grad=False, pin_memory=False, memory_format=None):
        made = getattr(torch, name)(buffer_of(input), *args, dtype=dtype, device=device)
        return of_buffer(made, sizes_of(input)).requires_grad_(requires_grad)

    return operator


def _item(self):
    if self.numel() != 1:
        raise RuntimeError(f"a Tensor with {buffer_of(self).numel()} elements cannot be converted to Scalar")
    return buffer_of(self).reshape(())


def _strides(self):
    rows = [[math.prod(size[d + 1:]) for d in range(len(size))] for size in sizes_of(self)]
    return torch.tensor(rows, dtype=torch.int64)


def _offsets(self):
    counts = [0]
    for size in sizes_of(self)[:-1]:
        counts.append(counts[-1] + math.prod(size))
    return torch.tensor(counts, dtype=torch.int64)


def to_file(t):
    """What a file holds of a nested tensor: its buffer, the sizes, strides and first elements of its parts."""
    buffer = buffer_of(t).detach().requires_grad_(t.requires_grad)
    return buffer, torch.tensor(sizes_of(t), dtype=torch.int64), _strides(t), _offsets(t)


def of_file(buffer, sizes, strides, offsets):
    shapes = [tuple(row) for row in sizes.tolist()]
    out = of_buffer(buffer.detach(), shapes)
    if not torch.equal(_strides(out), strides) or not torch.equal(_offsets(out), offsets):
        raise NotImplementedError("torch.load: a nested tensor whose parts aren't contiguous")
    return _record("NestedViewFromBufferBackward0", [buffer], out, lambda grads: [buffer_of(grads[0])])


_CALLED = {"mean": "mean", "remainder": "remainder.Scalar", "floor_divide": "floor_divide", "pow": "pow.Tensor_Scalar",
           "norm": "linalg_vector_norm", "to_sparse": "_to_sparse", "split": "split.Tensor", "T": "permute"}


def _missing(name, args, kwargs):
    t = next(a for a in list(args) + [i for a in args if isinstance(a, (list, tuple)) for i in a] if is_nested(a))
    called = _CALLED.get(name, name)
    if name == "mean" and (len(args) > 1 or "dim" in kwargs):
        called = "mean.dim"
    return missing(called, t)


def _where(*args, **kwargs):
    raise RuntimeError("self must not be nested")


def say_prototype():
    """PyTorch's warning about nested tensors of the strided layout, once."""
    warn_once("The PyTorch API of nested tensors is in prototype stage and will change in the near future. We recommend specifying "
              "layout=torch.jagged when constructing a nested tensor, as this layout receives active development, has better "
              "operator coverage, and works with torch.compile.", 4)


_AS_ALL = frozenset((
    "dim ndimension element_size is_floating_point is_complex is_signed is_tensor requires_grad_ retain_grad get_device is_inference "
    "storage_offset detach detach_ is_conj is_neg register_hook backward grad is_pinned is_shared typename type"
).split())
_TABLE = {
    "add": _binary("add", torch.add), "sub": _binary("sub", torch.sub), "mul": _binary("mul", torch.mul),
    "div": _binary("div", torch.div), "gelu": _unary("gelu", lambda x, *a, **k: torch.nn.functional.gelu(x, *a, **k)),
    "silu": _unary("silu", lambda x: torch.nn.functional.silu(x)), "relu": _unary("relu"), "masked_fill": _masked_fill,
    "dropout": _dropout, "linear": _linear, "matmul": _matmul, "bmm": _matmul, "layer_norm": _layer_norm, "softmax": _softmax("softmax"),
    "log_softmax": _softmax("log_softmax"), "sum": _sum, "size": _size,
    "stride": _refuse(_STRIDES), "tolist": _refuse(_STRIDES), "numpy": _refuse(_SIZES), "flatten": _refuse(_SIZES),
    "__iter__": lambda self: iter(_unbind(self)), "numel": lambda self: buffer_of(self).numel(), "nelement": lambda self: buffer_of(self).numel(),
    "nbytes": lambda self: buffer_of(self).nbytes, "data_ptr": lambda self: buffer_of(self).data_ptr(), "unbind": _unbind,
    "select": _select, "__getitem__": _getitem, "to_padded_tensor": _to_padded, "transpose": _transpose, "view": _viewed("view"),
    "reshape": _viewed("reshape"), "unsqueeze": _unsqueeze, "squeeze": _squeeze, "chunk": _chunk, "narrow": _narrow, "cat": _cat, "__repr__": _text,
    "__item__": _item, "item": lambda self: _item(self).item(), "to": _to, "cuda": _cuda,
    "cpu": lambda self, memory_format=None: _moved(self, torch.device("cpu")), "is_contiguous": lambda self, memory_format=None: True,
    "contiguous": lambda self, memory_format=None: self, "to_dense": lambda self, dtype=None, *, masked_grad=None: self,
    "clone": lambda input, memory_format=None: _apply("CloneBackward0", [input], torch.clone, whole=True),
    "values": lambda self: buffer_of(self).detach(), "_nested_tensor_size": lambda self: _torch._parts(self)[0][0].detach(),
    "_nested_tensor_strides": _strides, "_nested_tensor_storage_offsets": _offsets, "where": _where,
    "zero_": _in_place("zero_"), "fill_": _in_place("fill_"), "add_": _in_place("add_"), "mul_": _in_place("mul_"),
    "copy_": _in_place("copy_"),
}
_TABLE.update((name, _unary(name)) for name in "abs neg sgn sin cos tanh sqrt logical_not isinf isnan isneginf isposinf".split())
_TABLE.update((name, _in_place(name)) for name in "abs_ neg_ sgn_ tanh_ sqrt_ relu_ normal_".split())
_TABLE.update((name, _compared(name)) for name in ("eq", "ge", "gt"))
_TABLE.update((name, _like(name)) for name in ("zeros_like", "ones_like", "empty_like", "full_like", "randn_like"))
_TABLE.update((name, _cast(getattr(torch, kind))) for name, kind in (
    ("double", "float64"), ("float", "float32"), ("half", "float16"), ("bfloat16", "bfloat16"), ("long", "int64"), ("int", "int32"),
    ("short", "int16"), ("char", "int8"), ("byte", "uint8"), ("bool", "bool")))


def _dispatch(name, method, *args, **kwargs):
    function = _TABLE.get(name)
    if function is not None:
        return function(*args, **kwargs)
    if name in _AS_ALL:
        return NotImplemented
    raise _missing(name, args, kwargs)
