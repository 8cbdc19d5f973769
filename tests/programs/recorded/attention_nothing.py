"""Queries that may look at nothing, and what attention checks. PyTorch 2.15 recorded `attention_nothing.txt` from this file."""

import torch
import torch.nn.functional as F
from torch import nn


def say(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, e)


torch.manual_seed(0)
keep = torch.tensor([[1, 0, 0], [1, 1, 0], [0, 0, 0]]).bool()
added = torch.zeros(3, 3).masked_fill(~keep, -torch.inf)
for shape in ((1, 2, 3, 4), (2, 3, 4), (3, 4)):
    q, k, v = (torch.randn(shape) for _ in range(3))
    for mask in (keep, added, torch.zeros(3, 3).bool()):
        say(shape, lambda: F.scaled_dot_product_attention(q, k, v, attn_mask=mask))
        grown = [t.clone().requires_grad_() for t in (q, k, v)]
        F.scaled_dot_product_attention(*grown, attn_mask=mask).sum().backward()
        print([t.grad for t in grown])
q = torch.randn(1, 2, 3, 4, requires_grad=True)
print(type(F.scaled_dot_product_attention(q, q, q).grad_fn).__name__, type(F.scaled_dot_product_attention(q[0], q[0], q[0]).grad_fn).__name__)
attention, x = nn.MultiheadAttention(4, 2, batch_first=True), torch.randn(2, 3, 4)
padding = torch.tensor([[0, 0, 1], [1, 1, 1]]).bool()
layer = nn.TransformerEncoderLayer(4, 2, 8, 0.0, batch_first=True)
for training in (True, False):
    for part in (attention, layer):
        part.train(training)
    for grad in (True, False):
        with torch.set_grad_enabled(grad):
            for masks in (dict(attn_mask=~keep), dict(attn_mask=added), dict(key_padding_mask=padding)):
                for weights in (True, False):
                    out, found = attention(x, x, x, need_weights=weights, **masks)
                    print(out.detach(), found is None)
            print(layer(x, src_key_padding_mask=padding).detach(), layer(x, added).detach())
say("dropout", lambda: F.scaled_dot_product_attention(q, q, q, dropout_p=2.0))
say("dims", lambda: F.scaled_dot_product_attention(q[0, 0, 0], q, q))
say("causal", lambda: attention(x, x, x, is_causal=True))
other = nn.MultiheadAttention(4, 2, kdim=3, vdim=5, batch_first=True)
say("values", lambda: other(x, torch.ones(2, 3, 3), torch.ones(2, 3, 3)))
biased = nn.MultiheadAttention(4, 2, add_bias_kv=True)
say("padding", lambda: biased(x, x, x, key_padding_mask=torch.zeros(3, 3).bool())[0].shape)
say("short padding", lambda: attention(x, x, x, key_padding_mask=torch.zeros(2, 2).bool()))
