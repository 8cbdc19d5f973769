# flex_attention with functions for scores and masks, and its block masks.
import warnings

import torch
from torch.nn.attention.flex_attention import (AuxRequest, and_masks, create_block_mask, create_mask, flex_attention, noop_mask,
                                               or_masks)

warnings.simplefilter("ignore")
torch.manual_seed(0)
q, k, v = (torch.randn(2, 2, 12, 8) for _ in range(3))


def causal(b, h, q_idx, kv_idx):
    return q_idx >= kv_idx


def window(b, h, q_idx, kv_idx):
    return (q_idx - kv_idx).abs() <= 2


document = torch.tensor([0] * 5 + [1] * 7)
slopes = torch.tensor([0.5, 0.25])
table = torch.randn(2, 2)


def same_document(b, h, q_idx, kv_idx):
    return document[q_idx] == document[kv_idx]


def row_by_row(score, b, h, q_idx, kv_idx):
    return score + table[b][h]


print(flex_attention(q, k, v)[0, 0, 0])
mask = create_block_mask(causal, None, None, 12, 12, device="cpu", BLOCK_SIZE=4)
print(mask)
print(repr(mask))
print(mask.kv_num_blocks, mask.kv_indices, mask.full_kv_num_blocks, mask.to_dense(), mask.numel())
causally = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
print(torch.allclose(flex_attention(q, k, v, block_mask=mask), causally, atol=1e-6))
for score_mod in (lambda score, b, h, q_idx, kv_idx: score + (q_idx - kv_idx),
                  lambda score, b, h, q_idx, kv_idx: score + slopes[h] * (kv_idx - q_idx),
                  lambda score, b, h, q_idx, kv_idx: 20 * torch.tanh(score / 20), row_by_row):
    print(flex_attention(q, k, v, score_mod=score_mod)[1, 1, 3, :4])
mask = create_block_mask(and_masks(causal, same_document), None, None, 12, 12, device="cpu", BLOCK_SIZE=4)
print(mask.sparsity(), flex_attention(q, k, v, block_mask=mask)[0, 0, 7, :4])
mask = create_block_mask(or_masks(window, lambda b, h, q_idx, kv_idx: kv_idx == h), 1, 2, 12, 12, device="cpu", BLOCK_SIZE=2)
print(mask.shape, mask[0, 1].shape, mask[:, :, 1].shape, mask.to_dense()[0, 1], mask._adjust(6, 6).shape)
print(create_mask(causal, 1, 1, 3, 4, device="cpu"), create_mask(noop_mask, 1, 1, 1, 2, device="cpu"))
out, aux = flex_attention(q, k, v, return_aux=AuxRequest(lse=True))
print(aux.lse[0, 0, :3], aux.max_scores)
print(flex_attention(q, k[:, :1], v[:, :1], enable_gqa=True, scale=0.1)[0, 1, 0, :3])


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: flex_attention(q.clone().requires_grad_(), k, v))
attempt(lambda: flex_attention(q, k[:, :1], v[:, :1]))
attempt(lambda: flex_attention(q[0], k, v))
attempt(lambda: flex_attention(q[:, :, :6], k, v, block_mask=mask))
attempt(lambda: flex_attention(q, k, v, block_mask=mask[0, 1]))
attempt(lambda: create_block_mask(lambda q_idx, kv_idx: q_idx >= kv_idx, None, None, 4, 4, device="cpu"))
attempt(lambda: and_masks(3))
