"""Attention, of one head and of several; `torch.nn.functional` has these functions."""

import math
import warnings

import _torch
from torch.nn._dropouts import dropout

_C_NAMES = {
    _torch.float16: "c10::Half", _torch.bfloat16: "c10::BFloat16", _torch.float32: "float", _torch.float64: "double",
    _torch.int64: "long int", _torch.int32: "int", _torch.bool: "bool", _torch.uint8: "unsigned char", _torch.int8: "signed char",
    _torch.int16: "short int", _torch.uint16: "short unsigned int", _torch.uint32: "unsigned int",
    _torch.complex64: "c10::complex<float>", _torch.complex128: "c10::complex<double>",
}


# The ways of computing it that a program allows (torch.nn.attention.sdpa_kernel).
BACKENDS = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True, "overrideable": True}


def _why_not_flash(query, key, value, attn_mask, dropout_p, enable_gqa):
    """Why PyTorch's flash kernel of the CPU refuses such inputs; an empty text is a refusal without a reason."""
    dims = [t.dim() for t in (query, key, value)]
    if query.dtype not in (_torch.float32, _torch.float64, _torch.bfloat16, _torch.float16):
        names = [_C_NAMES.get(t.dtype, str(t.dtype)) for t in (query, key, value)]
        return ("Expected query, key and value to all be of dtype: {{Float, Double, BFloat16, Half}}. Got Query dtype: {}, "
                "Key dtype: {}, and Value dtype: {} instead.".format(*names))
    if dropout_p > 0:
        return "Both fused kernels do not support non-zero dropout."
    if dims != [4, 4, 4]:
        return ("All fused kernels requires query, key and value to be 4 dimensional, but got Query dim: {}, Key dim: {}, "
                "Value dim: {} instead.".format(*dims))
    sizes = [t.size(0) for t in (query, key, value)]
    if not sizes[0] == sizes[1] == sizes[2]:
        return ("For dense inputs, both fused kernels require query, key and value to have the same batch_size. Got Query "
                "batch_size: {}, Key batch_size: {}, Value batch_size: {} instead. To broadcast dense inputs, try using "
                "unsqueeze and expand_to before passing them into the kernel.".format(*sizes))
    heads = [t.size(1) for t in (query, key, value)]
    if not heads[0] == heads[1] == heads[2] and not enable_gqa:
        return ("For dense input, both fused kernels require query, key and value to have the same num_heads. Got Query "
                "num_heads: {}, Key num_heads: {}, Value num_heads: {} instead. To broadcast dense inputs, try using unsqueeze "
                "and expand_to before passing them into the kernel.".format(*heads))
    if attn_mask is not None:
        if attn_mask.requires_grad:
            return ""
        rows, columns = attn_mask.size(-2), attn_mask.size(-1)
        fits = rows in (1, query.size(2)) and columns in (1, key.size(2)) and attn_mask.dim() in (2, 4)
        if fits and attn_mask.dim() == 4:
            fits = attn_mask.size(0) in (1, sizes[0]) and attn_mask.size(1) in (1, heads[0])
        elif rows in (1, query.size(2)) and columns in (1, key.size(2)) and attn_mask.dim() not in (2, 4):
            return ("Please use the following attn mask shapes: 2d - ({Q_seq_len, 1}  x {KV_seq_len, 1}); 4d - ({Batch, 1} x "
                    "{Num_heads, 1} x {Q_seq_len, 1}  x {KV_seq_len, 1})")
        if not fits:
            return ""
    widths = [t.size(-1) for t in (query, key, value)]
    if not widths[0] == widths[1] == widths[2]:
        return ("Flash attention requires q,k,v to have the same last dimension. Got Query.size(-1): {}, Key.size(-1): {}, "
                "Value.size(-1): {} instead.".format(*widths))
    steps = [t.stride(-1) for t in (query, key, value)]
    if steps != [1, 1, 1]:
        return ("All fused kernels require the last dimension of the input to have stride 1. Got Query.stride(-1): {}, "
                "Key.stride(-1): {}, Value.stride(-1): {}".format(*steps))
    return None


def _check_allowed(query, key, value, attn_mask, dropout_p, enable_gqa):
    """Raises PyTorch's error if no backend that the program allows computes such inputs. All give the same numbers here."""
    if BACKENDS["math"] or query.device.type != "cpu":
        return
    if not BACKENDS["flash"]:
        raise RuntimeError(
            "No viable backend for scaled_dot_product_attention was found. This is likely due to turning off both the math "
            "kernel and the fused kernels."
        )
    why = _why_not_flash(query, key, value, attn_mask, dropout_p, enable_gqa)
    if why is None:
        return
    warnings.warn("Flash attention kernel not used because:", stacklevel=3)
    if why:
        warnings.warn(why, stacklevel=3)
    raise RuntimeError("No available kernel.  Aborting execution.")


def _attention(query, key, value, attn_mask, dropout_p, is_causal, scale):
    narrow = query.dtype
    if narrow in (_torch.float16, _torch.bfloat16) and key.dtype == value.dtype == narrow:
        # PyTorch's kernels compute 16-bit inputs in float32. Scores that are rounded to 16 bits before the softmax would
        # become equal although they aren't.
        kind = query.device.type
        autocast = _torch._autocast_get(kind)
        if autocast[0]:
            # PyTorch applies autocast to the whole operator. Here it would lower the parts to 16 bits again.
            _torch._autocast_set(kind, False, autocast[1])
        try:
            wide = [t.float() for t in (query, key, value)]
            return _attention(*wide, attn_mask, dropout_p, is_causal, scale).to(narrow)
        finally:
            if autocast[0]:
                _torch._autocast_set(kind, *autocast)
    if query.dtype == _torch.bool:
        # PyTorch applies the scale before the product, which makes a bool query a float one.
        query, key = query.float(), key.float()
    scores = query @ key.transpose(-2, -1) * scale
    if is_causal:
        keep = _torch.ones(query.size(-2), key.size(-2), dtype=_torch.bool, device=query.device).tril()
        scores = scores.masked_fill(~keep, float("-inf"))
    if attn_mask is None:
        weights = _torch.softmax(scores, -1)
    else:
        if attn_mask.dtype == _torch.bool:
            nothing = ~attn_mask.any(-1, keepdim=True)
            scores = scores.masked_fill(~attn_mask, float("-inf"))
        else:
            nothing = (attn_mask.detach() == float("-inf")).all(-1, keepdim=True)
            scores = scores + attn_mask
        # A query that may look at nothing gets zeros.
        weights = _torch.softmax(scores.masked_fill(nothing, 0.0), -1).masked_fill(nothing, 0.0)
    return (dropout(weights, dropout_p, True) if dropout_p > 0 else weights) @ value


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    if attn_mask is not None and hasattr(attn_mask, "_attend"):
        return attn_mask._attend(query, key, value, dropout_p, is_causal, scale, enable_gqa)
    if query.is_nested:
        from torch import _nested

        return _nested._attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
    query, key, value = _torch._lower(query, key, value)
    if not query.device == key.device == value.device:
        raise RuntimeError(
            "Expected query, key, and value to have the same device type, but got query.device: "
            f"{query.device} key.device: {key.device} and value.device: {value.device} instead."
        )
    if not query.dtype == key.dtype == value.dtype:
        names = [_C_NAMES.get(t.dtype, str(t.dtype)) for t in (query, key, value)]
        raise RuntimeError("Expected query, key, and value to have the same dtype, but got query.dtype: {} key.dtype: {} and "
                           "value.dtype: {} instead.".format(*names))
    if attn_mask is not None and attn_mask.dtype not in (_torch.bool, _torch.float32, query.dtype):
        names = [_C_NAMES.get(t.dtype, str(t.dtype)) for t in (attn_mask, query)]
        raise RuntimeError("Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: {} and "
                           " query.dtype: {} instead.".format(*names))
    if attn_mask is not None and is_causal:
        raise RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
    if dropout_p > 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {dropout_p:g}")
    if query.dim() < 2 or key.dim() < 2 or value.dim() < 2:
        raise RuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
            f"{query.dim()} key.dim: {key.dim()} and value.dim: {value.dim()} instead."
        )
    if attn_mask is not None and attn_mask.dim() < 2 and BACKENDS["flash"] and query.device.type == "cpu":
        # PyTorch asks for the mask's rows before it decides, which raises here.
        _why_not_flash(query, key, value, attn_mask, dropout_p, enable_gqa)
    if not BACKENDS["math"]:
        shaped = [t.unsqueeze(1) if query.dim() == 3 else t for t in (query, key, value)]
        mask = attn_mask.unsqueeze(1) if attn_mask is not None and query.dim() == 3 and attn_mask.dim() == 3 else attn_mask
        _check_allowed(*shaped, mask, dropout_p, enable_gqa)
    if enable_gqa:
        repeats = query.size(-3) // key.size(-3)
        key, value = key.repeat_interleave(repeats, -3), value.repeat_interleave(repeats, -3)
    scale = 1.0 / math.sqrt(query.size(-1)) if scale is None else scale
    if attn_mask is not None:
        attn_mask = _mask_of_scores(attn_mask, query, key)
    if query.dim() == 3 and key.dim() == 3 and value.dim() == 3:
        # PyTorch's kernels need four dimensions, so inputs without a dimension for heads get one of size 1.
        mask = attn_mask.unsqueeze(1) if attn_mask is not None and attn_mask.dim() == 3 else attn_mask
        heads = (query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1))
        return _named(_attention(*heads, mask, dropout_p, is_causal, scale), *heads, mask, dropout_p).squeeze(1)
    return _named(_attention(query, key, value, attn_mask, dropout_p, is_causal, scale), query, key, value, attn_mask, dropout_p)


def _mask_of_scores(mask, query, key):
    """Refuses a mask that can't be added to the scores in place, as PyTorch adds it; it has no more dimensions than they have."""
    shape = [max(a, b) for a, b in zip(query.shape[:-2], key.shape[:-2])] + [query.size(-2), key.size(-2)]
    if query.dim() != key.dim() or any(a != b and 1 not in (a, b) for a, b in zip(query.shape[:-2], key.shape[:-2])):
        # Their product, which comes first, is refused.
        return mask
    # PyTorch computes three dimensions with a first one of size 1.
    more = query.dim() == 3
    shape = [1] * more + shape
    given = list(mask.shape)
    length = max(len(shape), len(given))
    a, b = ([1] * (length - len(sizes)) + sizes for sizes in (shape, given))
    for at in reversed(range(length)):
        if a[at] != b[at] and 1 not in (a[at], b[at]):
            raise RuntimeError(f"The size of tensor a ({a[at]}) must match the size of tensor b ({b[at]}) at non-singleton "
                               f"dimension {at}")
    both = [m if n == 1 else n for n, m in zip(a, b)]
    if both != shape:
        raise RuntimeError(f"output with shape {shape} doesn't match the broadcast shape {both}")
    return mask.squeeze(0) if more and mask.dim() == 4 else mask


def _named(out, query, key, value, attn_mask, dropout_p):
    """The result in the query's layout and under the name of PyTorch's node, if its flash kernel of the CPU would compute it."""
    is_dense = query.is_contiguous()
    if out.device.type != "cpu" or not BACKENDS["flash"] or (is_dense and not out.requires_grad):
        return out
    if attn_mask is not None and attn_mask.dim() < 2:
        return out
    if _why_not_flash(query, key, value, attn_mask, dropout_p, False) is not None:
        return out
    if not is_dense:
        out = _torch.empty_like(query, requires_grad=False).copy_(out)
    if not out.requires_grad:
        return out
    return _torch._under_node(out, "ScaledDotProductFlashAttentionForCpuBackward0")


def multi_head_attention_forward(
    query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn,
    dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True, attn_mask=None,
    use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None,
    static_v=None, average_attn_weights=True, is_causal=False,
):
    """Attention of several heads (Vaswani et al., 2017); inputs are [length, batch, embed] or [length, embed]."""
    if static_k is not None or static_v is not None:
        raise NotImplementedError("torch.nn.functional.multi_head_attention_forward(static_k, static_v)")
    batched = _check_attention_shapes(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    length, batch, embed = query.shape
    source = key.size(0)
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
                           "`generate_square_subsequent_mask` to create this mask.")
    key_padding_mask = _as_addend(key_padding_mask, "key_padding_mask", query.dtype, attn_mask, "attn_mask")
    if is_causal and key_padding_mask is None and not need_weights:
        attn_mask = None
    else:
        attn_mask = _as_addend(attn_mask, "attn_mask", query.dtype)
        is_causal = False if key_padding_mask is not None else is_causal
    assert embed == embed_dim_to_check, f"was expecting embedding dimension of {embed_dim_to_check}, but got {embed}"
    head = embed // num_heads
    assert head * num_heads == embed, f"embed_dim {embed} not divisible by num_heads {num_heads}"
    if use_separate_proj_weight:
        assert key.shape[:2] == value.shape[:2], (
            f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}"
        )
        for name, w, t in (("query", q_proj_weight, query), ("key", k_proj_weight, key), ("value", v_proj_weight, value)):
            assert w.shape == (embed, t.size(-1)), f"expecting {name} weights shape of {(embed, t.size(-1))}, but got {w.shape}"
        biases = (None, None, None) if in_proj_bias is None else in_proj_bias.chunk(3)
        q, k, v = (
            _torch.linear(x, w, b)
            for x, w, b in zip((query, key, value), (q_proj_weight, k_proj_weight, v_proj_weight), biases)
        )
    else:
        assert key.shape == value.shape, f"key shape {key.shape} does not match value shape {value.shape}"
        q, k, v = _in_projection(query, key, value, in_proj_weight, in_proj_bias)
    if attn_mask is not None:
        if attn_mask.dim() == 2:
            if tuple(attn_mask.shape) != (length, source):
                raise RuntimeError(
                    f"The shape of the 2D attn_mask is {attn_mask.shape}, but should be {(length, source)}."
                )
            attn_mask = attn_mask.unsqueeze(0)
        elif tuple(attn_mask.shape) != (batch * num_heads, length, source):
            raise RuntimeError(
                f"The shape of the 3D attn_mask is {attn_mask.shape}, but should be {(batch * num_heads, length, source)}."
            )
    if bias_k is not None and bias_v is not None:
        k = _torch.cat([k, bias_k.repeat(1, batch, 1)])
        v = _torch.cat([v, bias_v.repeat(1, batch, 1)])
        attn_mask = None if attn_mask is None else _torch.pad(attn_mask, (0, 1), "constant", None)
        key_padding_mask = None if key_padding_mask is None else _torch.pad(key_padding_mask, (0, 1), "constant", None)
    q = q.view(length, batch * num_heads, head).transpose(0, 1)
    k = k.view(k.size(0), batch * num_heads, head).transpose(0, 1)
    v = v.view(v.size(0), batch * num_heads, head).transpose(0, 1)
    if add_zero_attn:
        zeros = _torch.zeros((batch * num_heads, 1, head), dtype=k.dtype, device=k.device)
        k, v = _torch.cat([k, zeros], 1), _torch.cat([v, zeros], 1)
        attn_mask = None if attn_mask is None else _torch.pad(attn_mask, (0, 1), "constant", None)
        key_padding_mask = None if key_padding_mask is None else _torch.pad(key_padding_mask, (0, 1), "constant", None)
    source = k.size(1)
    if key_padding_mask is not None:
        assert key_padding_mask.shape[0] == batch, (
            f"Expected key_padded_mask.shape[0] to be {batch}, but got {key_padding_mask.shape[0]}"
        )
        assert key_padding_mask.shape[1] == source, (
            f"Expected key_padded_mask.shape[1] to be {source}, but got {key_padding_mask.shape[1]}"
        )
        spread = key_padding_mask.view(batch, 1, 1, source).expand(-1, num_heads, -1, -1)
        spread = spread.reshape(batch * num_heads, 1, source)
        attn_mask = spread if attn_mask is None else attn_mask + spread
    dropout_p = dropout_p if training else 0.0
    if need_weights:
        scaled = q * math.sqrt(1.0 / float(head))
        if attn_mask is not None:
            scores = _torch.baddbmm(attn_mask, scaled, k.transpose(-2, -1))
        else:
            scores = _torch.bmm(scaled, k.transpose(-2, -1))
        weights = _torch.softmax(scores, -1)
        if dropout_p > 0.0:
            weights = dropout(weights, dropout_p)
        out = _torch.bmm(weights, v).transpose(0, 1).contiguous().view(length * batch, embed)
        out = _torch.linear(out, out_proj_weight, out_proj_bias).view(length, batch, out_proj_weight.size(0))
        weights = weights.view(batch, num_heads, length, source)
        if average_attn_weights:
            weights = weights.mean(1)
        return (out, weights) if batched else (out.squeeze(1), weights.squeeze(0))
    if attn_mask is not None:
        if attn_mask.size(0) == 1 and attn_mask.dim() == 3:
            attn_mask = attn_mask.unsqueeze(0)
        else:
            attn_mask = attn_mask.view(batch, num_heads, -1, source)
    q, k, v = (t.view(batch, num_heads, -1, head) for t in (q, k, v))
    out = scaled_dot_product_attention(q, k, v, attn_mask, dropout_p, is_causal)
    out = out.permute(2, 0, 1, 3).contiguous().view(batch * length, embed)
    out = _torch.linear(out, out_proj_weight, out_proj_bias).view(length, batch, out_proj_weight.size(0))
    return (out if batched else out.squeeze(1)), None


def _in_projection(query, key, value, weight, bias):
    """Projects query, key and value: in one product if all three are the same tensor, in two if only key and value are."""
    embed = query.size(-1)
    if key is value:
        if query is key:
            joint = _torch.linear(query, weight, bias).unflatten(-1, (3, embed)).unsqueeze(0).transpose(0, -2).squeeze(-2)
            joint = joint.contiguous()
            return joint[0], joint[1], joint[2]
        w_q, w_kv = weight.split([embed, embed * 2])
        b_q, b_kv = (None, None) if bias is None else bias.split([embed, embed * 2])
        joint = _torch.linear(key, w_kv, b_kv).unflatten(-1, (2, embed)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
        return _torch.linear(query, w_q, b_q), joint[0], joint[1]
    weights = weight.chunk(3)
    biases = (None, None, None) if bias is None else bias.chunk(3)
    return tuple(_torch.linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases))


def _as_addend(mask, name, dtype, other=None, other_name=None):
    """The mask in a form that can be added to the scores. A bool mask becomes -inf where it is True, which hides a position.
    `other` is the mask that should have the same type."""
    if mask is None:
        return None
    if mask.dtype != _torch.bool and not mask.is_floating_point():
        raise AssertionError(f"only bool and floating types of {name} are supported")
    if other is not None and other.dtype != mask.dtype:
        warnings.warn(
            f"Support for mismatched {name} and {other_name} is deprecated. Use same type for both instead.", stacklevel=3
        )
    if mask.is_floating_point():
        return mask
    return _torch.zeros_like(mask, dtype=dtype).masked_fill_(mask, float("-inf"))


def _check_attention_shapes(query, key, value, key_padding_mask, attn_mask, num_heads):
    """Checks the dimensions. Returns whether there is a batch dimension."""
    if query.dim() == 3:
        assert key.dim() == 3 and value.dim() == 3, (
            "For batched (3-D) `query`, expected `key` and `value` to be 3-D"
            f" but found {key.dim()}-D and {value.dim()}-D tensors respectively"
        )
        if key_padding_mask is not None:
            assert key_padding_mask.dim() == 2, (
                "For batched (3-D) `query`, expected `key_padding_mask` to be `None` or 2-D"
                f" but found {key_padding_mask.dim()}-D tensor instead"
            )
        if attn_mask is not None:
            assert attn_mask.dim() in (2, 3), (
                "For batched (3-D) `query`, expected `attn_mask` to be `None`, 2-D or 3-D"
                f" but found {attn_mask.dim()}-D tensor instead"
            )
        return True
    if query.dim() == 2:
        assert key.dim() == 2 and value.dim() == 2, (
            "For unbatched (2-D) `query`, expected `key` and `value` to be 2-D"
            f" but found {key.dim()}-D and {value.dim()}-D tensors respectively"
        )
        if key_padding_mask is not None:
            assert key_padding_mask.dim() == 1, (
                "For unbatched (2-D) `query`, expected `key_padding_mask` to be `None` or 1-D"
                f" but found {key_padding_mask.dim()}-D tensor instead"
            )
        if attn_mask is not None:
            assert attn_mask.dim() in (2, 3), (
                "For unbatched (2-D) `query`, expected `attn_mask` to be `None`, 2-D or 3-D"
                f" but found {attn_mask.dim()}-D tensor instead"
            )
        return False
    raise AssertionError(
        f"query should be unbatched 2D or batched 3D tensor but received {query.dim()}-D query tensor"
    )
