"""Transformer layers (Vaswani et al., 2017)."""

import copy
import functools
import warnings

import _torch
import torch
from _torch import Tensor
from torch._said import warn_once

from .. import functional as F
from .. import init
from .._attention import _as_addend
from .activation import GELU, MultiheadAttention, ReLU
from .container import ModuleList
from .dropout import Dropout
from .linear import Linear
from .module import Module
from .normalization import LayerNorm

__all__ = [
    "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
]


def _get_activation_fn(activation):
    if activation == "relu":
        return F.relu
    if activation == "gelu":
        return F.gelu
    if isinstance(activation, str):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return activation


def _get_clones(module, count):
    return ModuleList([copy.deepcopy(module) for _ in range(count)])


def _is_causal(mask, is_causal, size):
    """Whether a mask hides exactly the future. Checked only if the caller didn't say."""
    if is_causal is not None or mask is None:
        return bool(is_causal)
    if size is None or mask.dim() != 2 or tuple(mask.shape) != (size, size):
        return False
    future = _torch.triu(_torch.full((size, size), float("-inf"), dtype=mask.dtype, device=mask.device), 1)
    return bool((mask == future).all())


def _sequence_length(src, batch_first):
    if src.is_nested:
        return None
    if src.dim() == 2:
        return src.size(0)
    return src.size(1 if batch_first else 0)


class TransformerEncoderLayer(Module):
    """Self-attention and two linear layers, each with its residual connection and norm."""

    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5,
        batch_first=False, norm_first=False, bias=True, device=None, dtype=None,
    ):
        super().__init__()
        made = dict(device=device, dtype=dtype)
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **made
        )
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **made)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = _get_activation_fn(activation)
        relu = self.activation is F.relu or isinstance(self.activation, ReLU)
        self.activation_relu_or_gelu = 1 if relu else 2 if self.activation is F.gelu or isinstance(self.activation, GELU) else 0

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        src_key_padding_mask = _as_addend(src_key_padding_mask, "src_key_padding_mask", src.dtype, src_mask, "src_mask")
        src_mask = _as_addend(src_mask, "src_mask", src.dtype)
        x = src
        fast = src.dim() == 3 and not self.training and self._could_be_fast()
        if fast:
            # PyTorch's fast path looks for these, whatever stands in their place.
            for part in (self.norm1, self.norm2, self.linear1, self.linear2):
                part.weight, part.bias
        attend = self._sa_block
        if fast and (src_mask is not None or src_key_padding_mask is not None) and self._is_fast(src):
            attend = functools.partial(TransformerEncoderLayer._sa_block, self, need_weights=True)
        if self.norm_first:
            x = x + attend(self.norm1(x), src_mask, src_key_padding_mask, is_causal)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + attend(x, src_mask, src_key_padding_mask, is_causal))
        return self.norm2(x + self._ff_block(x))

    def _is_fast(self, src):
        """Whether PyTorch takes its fast path, which gives NaN for a query that may look at nothing."""
        parts = (self.norm1, self.norm2, self.linear1, self.linear2)
        return self.self_attn._takes_fast_path(src, *(p for part in parts for p in part.parameters()))

    def _could_be_fast(self):
        """Whether PyTorch looks at the weights to find out if it takes its fast path."""
        attention = self.self_attn
        return (
            attention.batch_first and attention.in_proj_bias is not None and attention._qkv_same_embed_dim
            and bool(self.activation_relu_or_gelu) and self.norm1.eps == self.norm2.eps and attention.num_heads % 2 == 0
            and torch.backends.mha.get_fastpath_enabled() and not torch.is_autocast_enabled()
            and not any(m._forward_hooks or m._forward_pre_hooks for m in self.modules())
        )

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False, need_weights=False):
        x = self.self_attn(
            x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=need_weights, is_causal=is_causal
        )[0]
        return self.dropout1(x)

    def _ff_block(self, x):
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return self.dropout2(x)


class TransformerEncoder(Module):
    """A stack of copies of an encoder layer."""

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check
        self.use_nested_tensor = enable_nested_tensor
        if enable_nested_tensor:
            reason = ""
            if not isinstance(encoder_layer, TransformerEncoderLayer):
                reason = "encoder_layer was not TransformerEncoderLayer"
            elif encoder_layer.norm_first:
                reason = "encoder_layer.norm_first was True"
            elif not encoder_layer.self_attn.batch_first:
                reason = "encoder_layer.self_attn.batch_first was not True" \
                         "(use batch_first for better inference performance)"
            elif not encoder_layer.self_attn._qkv_same_embed_dim:
                reason = "encoder_layer.self_attn._qkv_same_embed_dim was not True"
            elif encoder_layer.self_attn.in_proj_bias is None:
                reason = "encoder_layer.self_attn was passed bias=False"
            elif not encoder_layer.activation_relu_or_gelu:
                reason = "encoder_layer.activation_relu_or_gelu was not True"
            elif encoder_layer.norm1.eps != encoder_layer.norm2.eps:
                reason = "encoder_layer.norm1.eps was not equal to encoder_layer.norm2.eps"
            elif encoder_layer.self_attn.num_heads % 2 == 1:
                reason = "encoder_layer.self_attn.num_heads is odd"
            if reason:
                warnings.warn(
                    f"enable_nested_tensor is True, but self.use_nested_tensor is False because {reason}", stacklevel=2
                )
                self.use_nested_tensor = False

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        src_key_padding_mask = _as_addend(src_key_padding_mask, "src_key_padding_mask", src.dtype, mask, "mask")
        mask = _as_addend(mask, "mask", src.dtype)
        length = _sequence_length(src, self.layers[0].self_attn.batch_first)
        is_causal = _is_causal(mask, is_causal, length)
        padding = self._unused(src, mask, src_key_padding_mask)
        output = src
        for layer in self.layers:
            output = layer(
                output, src_mask=mask, is_causal=is_causal, src_key_padding_mask=src_key_padding_mask
            )
        if padding is not None:
            output = output.masked_fill(padding.unsqueeze(-1), 0.0)
        return output if self.norm is None else self.norm(output)

    def _unused(self, src, mask, padding):
        """The positions that PyTorch's fast path leaves out of its nested tensors, so that their results are zero. None if
        PyTorch wouldn't take that path."""
        first = self.layers[0]
        if (padding is None or mask is not None or src.dim() != 3 or first.training or not getattr(self, "use_nested_tensor", False)
                or not torch.backends.mha.get_fastpath_enabled() or torch.is_autocast_enabled() or type(src) is not Tensor):
            return None
        hidden = padding != 0
        if self.mask_check and bool((hidden[:, :-1] & ~hidden[:, 1:]).any()):
            return None
        attention = first.self_attn
        involved = (src, attention.in_proj_weight, attention.in_proj_bias, *attention.out_proj.parameters(), *first.norm1.parameters(),
                    *first.norm2.parameters(), *first.linear1.parameters(), *first.linear2.parameters())
        if torch.is_grad_enabled() and any(t.requires_grad for t in involved):
            return None
        warn_once("The PyTorch API of nested tensors is in prototype stage and will change in the near future. We recommend specifying "
                  "layout=torch.jagged when constructing a nested tensor, as this layout receives active development, has better "
                  "operator coverage, and works with torch.compile.", 4)
        return hidden


class TransformerDecoderLayer(Module):
    """Self-attention, attention to the encoder's output and two linear layers, each with residual and norm."""

    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5,
        batch_first=False, norm_first=False, bias=True, device=None, dtype=None,
    ):
        super().__init__()
        made = dict(device=device, dtype=dtype)
        attention = dict(dropout=dropout, batch_first=batch_first, bias=bias, **made)
        self.self_attn = MultiheadAttention(d_model, nhead, **attention)
        self.multihead_attn = MultiheadAttention(d_model, nhead, **attention)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **made)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **made)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _get_activation_fn(activation)

    def forward(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None,
        tgt_is_causal=False, memory_is_causal=False,
    ):
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory_mask, memory_key_padding_mask, memory_is_causal)
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), *own)
            x = x + self._mha_block(self.norm2(x), memory, *other)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, *own))
        x = self.norm2(x + self._mha_block(x, memory, *other))
        return self.norm3(x + self._ff_block(x))

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        x = self.self_attn(
            x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, is_causal=is_causal, need_weights=False
        )[0]
        return self.dropout1(x)

    def _mha_block(self, x, memory, attn_mask, key_padding_mask, is_causal=False):
        x = self.multihead_attn(
            x, memory, memory, attn_mask=attn_mask, key_padding_mask=key_padding_mask, is_causal=is_causal,
            need_weights=False,
        )[0]
        return self.dropout2(x)

    def _ff_block(self, x):
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return self.dropout3(x)


class TransformerDecoder(Module):
    """A stack of copies of a decoder layer."""

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None,
        tgt_is_causal=None, memory_is_causal=False,
    ):
        length = _sequence_length(tgt, self.layers[0].self_attn.batch_first)
        tgt_is_causal = _is_causal(tgt_mask, tgt_is_causal, length)
        output = tgt
        for layer in self.layers:
            output = layer(
                output, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
                memory_is_causal=memory_is_causal,
            )
        return output if self.norm is None else self.norm(output)


class Transformer(Module):
    """An encoder and a decoder."""

    def __init__(
        self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1,
        activation=F.relu, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5, batch_first=False,
        norm_first=False, bias=True, device=None, dtype=None,
    ):
        super().__init__()
        made = dict(device=device, dtype=dtype)
        layer = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            encoder_layer = TransformerEncoderLayer(*layer, **made)
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **made)
            self.encoder = TransformerEncoder(encoder_layer, num_encoder_layers, norm)
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            decoder_layer = TransformerDecoderLayer(*layer, **made)
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **made)
            self.decoder = TransformerDecoder(decoder_layer, num_decoder_layers, norm)
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def forward(
        self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
        tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None,
        memory_is_causal=False,
    ):
        batched = src.dim() == 3
        if batched and src.size(0 if self.batch_first else 1) != tgt.size(0 if self.batch_first else 1):
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        return self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        return _torch.triu(_torch.full((sz, sz), float("-inf"), dtype=dtype, device=device), diagonal=1)

    def _reset_parameters(self):
        for p in self.parameters():
            if p.dim() > 1:
                init.xavier_uniform_(p)
