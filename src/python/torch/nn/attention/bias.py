"""Masks for attention that say only which triangle they are, as in torch.nn.attention.bias."""

import enum
import warnings

import _torch
from torch.nn._attention import scaled_dot_product_attention

__all__ = ["causal_upper_left", "causal_lower_right", "CausalVariant", "CausalBias"]


class CausalVariant(enum.IntEnum):
    UPPER_LEFT = 1
    LOWER_RIGHT = 2


class CausalBias:
    """A triangle whose corner is the first query and the first key, or the last ones. It isn't a tensor here, because only
    attention knows what it means."""

    def __init__(self, variant, seq_len_q, seq_len_kv):
        if not isinstance(variant, CausalVariant):
            raise AssertionError(f"variant must be a CausalVariant, got {type(variant).__name__}")
        self.variant = variant
        self.seq_len_q = seq_len_q
        self.seq_len_kv = seq_len_kv
        if seq_len_q > seq_len_kv and variant == CausalVariant.LOWER_RIGHT:
            warnings.warn(
                "Lower right causal bias will produce NaNs in the output when seq_len_q > seq_len_kv!", stacklevel=2
            )

    def _materialize(self, device=None):
        later = self.seq_len_kv - self.seq_len_q if self.variant == CausalVariant.LOWER_RIGHT else 0
        whole = _torch.ones(self.seq_len_q, self.seq_len_kv, dtype=_torch.bool, device="cpu" if device is None else device)
        return whole.tril(later)

    def _attend(self, query, key, value, dropout_p, is_causal, scale, enable_gqa):
        if is_causal:
            raise ValueError("CausalBias should not be used with causal=True")
        if self.seq_len_q == self.seq_len_kv or self.variant == CausalVariant.UPPER_LEFT:
            return scaled_dot_product_attention(query, key, value, None, dropout_p, True, scale, enable_gqa)
        return scaled_dot_product_attention(
            query, key, value, self._materialize(query.device), dropout_p, False, scale, enable_gqa
        )

    def __repr__(self):
        return repr(self._materialize())


def causal_upper_left(*size):
    """The triangle that begins at the first query and the first key: what `is_causal=True` means."""
    if len(size) != 2:
        raise AssertionError("causal_upper_left only supports 2D tensors")
    return CausalBias(CausalVariant.UPPER_LEFT, *size)


def causal_lower_right(*size):
    """The triangle that ends at the last query and the last key."""
    if len(size) != 2:
        raise AssertionError("causal_lower_right only supports 2D tensors")
    return CausalBias(CausalVariant.LOWER_RIGHT, *size)
