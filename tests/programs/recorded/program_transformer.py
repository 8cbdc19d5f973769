"""nn.Transformer, BERT-like masked LM, MultiheadAttention, positional encodings, masks, Noam schedule, label smoothing, beam. PyTorch 2.15 recorded `program_transformer.txt` from this file."""

import copy
import math
from collections import Counter
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn import (
    Transformer,
    TransformerEncoder,
    TransformerEncoderLayer,
    TransformerDecoder,
    TransformerDecoderLayer,
)
from torch.optim.lr_scheduler import LambdaLR

torch.manual_seed(0)


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=64):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0).transpose(0, 1))

    def forward(self, x):
        return self.dropout(x + self.pe[: x.size(0), :])


pe = PositionalEncoding(8, 0.0)
print(pe.pe[:2, 0], pe.pe.shape, pe.pe.stride(), pe)
t = Transformer(d_model=8, nhead=2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=16, dropout=0.0)
print(t)
src, tgt = torch.rand(5, 2, 8), torch.rand(4, 2, 8)
mask = t.generate_square_subsequent_mask(4)
out = t(src, tgt, tgt_mask=mask, src_key_padding_mask=torch.tensor([[False] * 5, [False] * 3 + [True] * 2]))
print(mask, out.shape, type(out.grad_fn).__name__, Transformer.generate_square_subsequent_mask(2).dtype)
out2 = t(src, torch.cat([tgt[:3], tgt[3:] * 5]), tgt_mask=mask)
out3 = t(src, tgt, tgt_mask=mask)
print(torch.allclose(out2[:3], out3[:3], atol=1e-5))
mha = nn.MultiheadAttention(8, 2, batch_first=True)
q = torch.rand(2, 3, 8)
o, w = mha(q, q, q)
o2, w2 = mha(
    q, q, q, need_weights=True, average_attn_weights=False, attn_mask=torch.triu(torch.ones(3, 3, dtype=torch.bool), 1)
)
print(mha, o.shape, w.shape, w.sum(-1).detach(), w2.shape, w2[0, 0].detach() > 0, mha(q, q, q, need_weights=False)[1])
print(
    [(n, tuple(p.shape)) for n, p in mha.named_parameters()],
    [(n) for n, p in nn.MultiheadAttention(8, 2, kdim=4, vdim=6, add_bias_kv=True).named_parameters()],
)
ref = (q @ mha.in_proj_weight.T + mha.in_proj_bias).chunk(3, -1)
qh, kh, vh = (r.view(2, 3, 2, 4).transpose(1, 2) for r in ref)
sd = F.scaled_dot_product_attention(qh, kh, vh)
print(
    torch.allclose(mha.out_proj(sd.transpose(1, 2).reshape(2, 3, 8)), o, atol=1e-6),
    type(sd.grad_fn).__name__,
    sd.shape,
    F.scaled_dot_product_attention(qh, kh, vh, is_causal=True).shape,
)
vocab = ["[PAD]", "[CLS]", "[SEP]", "[MASK]"] + "how are you i am fine thanks bye".split()
stoi = {w: i for i, w in enumerate(vocab)}
sents = ["how are you", "i am fine thanks", "bye"]


def encode(a, b, n=12):
    ids = [1] + [stoi[w] for w in a.split()] + [2] + [stoi[w] for w in b.split()] + [2]
    seg = [0] * (2 + len(a.split())) + [1] * (1 + len(b.split()))
    return ids + [0] * (n - len(ids)), seg + [0] * (n - len(seg))


class BERT(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.tok, self.seg, self.pos = (
            nn.Embedding(len(vocab), d, padding_idx=0),
            nn.Embedding(2, d),
            nn.Embedding(12, d),
        )
        self.norm = nn.LayerNorm(d)
        self.enc = TransformerEncoder(
            TransformerEncoderLayer(d, 4, 32, 0.1, activation="gelu", batch_first=True, norm_first=True),
            2,
            norm=nn.LayerNorm(d),
            enable_nested_tensor=False,
        )
        self.nsp = nn.Sequential(nn.Linear(d, d), nn.Tanh(), nn.Linear(d, 2))
        self.bias = nn.Parameter(torch.zeros(len(vocab)))
        self.apply(self.init)

    @staticmethod
    def init(m):
        if isinstance(m, nn.Linear):
            m.weight.data.normal_(mean=0.0, std=0.02)
            if m.bias is not None:
                m.bias.data.zero_()
        elif isinstance(m, nn.LayerNorm):
            m.bias.data.zero_()
            m.weight.data.fill_(1.0)

    def forward(self, ids, seg, masked):
        p = torch.arange(ids.size(1)).unsqueeze(0).expand_as(ids)
        h = self.enc(self.norm(self.tok(ids) + self.seg(seg) + self.pos(p)), src_key_padding_mask=ids.eq(0))
        hm = torch.gather(h, 1, masked[:, :, None].expand(-1, -1, h.size(-1)))
        return F.linear(hm, self.tok.weight, self.bias), self.nsp(h[:, 0])


b = BERT()
print(b)
ids, seg = map(torch.tensor, zip(*[encode(sents[0], sents[1]), encode(sents[1], sents[2])]))
print(ids, seg)
masked = torch.tensor([[2, 5], [1, 3]])
labels = ids.gather(1, masked)
ids = ids.scatter(1, masked, 3)


def noam(step, d=16, warmup=4):
    step = max(step, 1)
    return d**-0.5 * min(step**-0.5, step * warmup**-1.5)


opt = torch.optim.Adam(b.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
sch = LambdaLR(opt, noam)
for i in range(4):
    opt.zero_grad()
    lm, nsp = b(ids, seg, masked)
    loss = F.cross_entropy(lm.transpose(1, 2), labels) + F.cross_entropy(nsp, torch.tensor([1, 0]))
    loss.backward()
    opt.step()
    sch.step()
    print(i, f"{loss.item():.2f}", f"{opt.param_groups[0]['lr']:.4f}", lm.shape)


class LabelSmoothing(nn.Module):
    def __init__(self, size, pad, smoothing=0.0):
        super().__init__()
        self.criterion = nn.KLDivLoss(reduction="sum")
        self.size, self.pad, self.smoothing = size, pad, smoothing

    def forward(self, x, target):
        d = x.data.clone()
        d.fill_(self.smoothing / (self.size - 2))
        d.scatter_(1, target.data.unsqueeze(1), 1 - self.smoothing)
        d[:, self.pad] = 0
        m = torch.nonzero(target.data == self.pad)
        if m.dim() > 0:
            d.index_fill_(0, m.squeeze(), 0.0)
        self.true_dist = d
        return self.criterion(x, d.clone().detach())


ls = LabelSmoothing(5, 0, 0.4)
print(ls(torch.tensor([[0, 0.2, 0.7, 0.1, 0]] * 3).clamp(min=1e-6).log(), torch.tensor([2, 1, 0])), ls.true_dist)
dec = TransformerDecoder(TransformerDecoderLayer(8, 2, 16, batch_first=True), 2)
print(
    dec(torch.rand(2, 3, 8), torch.rand(2, 5, 8)).shape,
    dec.layers[0] is dec.layers[1],
    len({p.data_ptr() for p in dec.parameters()}),
)
rel = torch.arange(4)[:, None] - torch.arange(4)[None]
slopes = 2.0 ** (-8.0 / 2 * torch.arange(1, 3))
alibi = -slopes[:, None, None] * rel.abs()
win = (rel >= 0) & (rel < 2)
print(
    alibi[0],
    win.int(),
    torch.tril(torch.ones(3, 3)).masked_fill(torch.tril(torch.ones(3, 3)) == 0, float("-inf")),
    torch.block_diag(torch.ones(2, 2), torch.ones(1, 1)),
)
for f in (
    lambda: nn.MultiheadAttention(7, 2),
    lambda: mha(q, q[:, :2], q),
    lambda: mha(q, q, q, attn_mask=torch.zeros(2, 2)),
    lambda: mha(q, q, q, key_padding_mask=torch.zeros(2, 4, dtype=torch.bool)),
    lambda: TransformerEncoderLayer(8, 2, activation="swish"),
    lambda: t(src, tgt[:, :1]),
    lambda: t(src[..., :4], tgt),
    lambda: F.scaled_dot_product_attention(qh, kh, vh, attn_mask=torch.ones(3, 3), is_causal=True),
    lambda: F.scaled_dot_product_attention(qh, kh[..., :2], vh),
    lambda: t(src, tgt, tgt_mask=mask[:2, :2]),
    lambda: F.gumbel_softmax(torch.zeros(2, dtype=torch.long)),
    lambda: nn.LayerNorm(8)(torch.zeros(2, 7)),
    lambda: nn.GLU()(torch.zeros(3)),
    lambda: mha(q[0], q, q),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
