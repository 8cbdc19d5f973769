"""A small Llama: RMSNorm, rotary positions, grouped-query attention, SwiGLU, KV cache, weight tying. PyTorch 2.15 recorded `program_llama.txt` from this file."""

import math
from dataclasses import dataclass
from typing import Optional, Tuple
import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class ModelArgs:
    dim: int = 32
    n_layers: int = 2
    n_heads: int = 4
    n_kv_heads: Optional[int] = 2
    vocab_size: int = 64
    multiple_of: int = 8
    norm_eps: float = 1e-5
    max_seq_len: int = 32
    dropout: float = 0.0


class RMSNorm(torch.nn.Module):
    def __init__(self, dim: int, eps: float):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        return self._norm(x.float()).type_as(x) * self.weight


def precompute_freqs_cis(dim: int, end: int, theta: float = 10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=freqs.device)
    freqs = torch.outer(t, freqs).float()
    return torch.polar(torch.ones_like(freqs), freqs)


def apply_rotary(xq, xk, freqs_cis):
    q_ = torch.view_as_complex(xq.float().reshape(*xq.shape[:-1], -1, 2))
    k_ = torch.view_as_complex(xk.float().reshape(*xk.shape[:-1], -1, 2))
    f = freqs_cis.view(*[d if i == 1 or i == q_.ndim - 1 else 1 for i, d in enumerate(q_.shape)])
    return torch.view_as_real(q_ * f).flatten(3).type_as(xq), torch.view_as_real(k_ * f).flatten(3).type_as(xk)


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def repeat_kv(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    bs, slen, n_kv, hd = x.shape
    if n_rep == 1:
        return x
    return x[:, :, :, None, :].expand(bs, slen, n_kv, n_rep, hd).reshape(bs, slen, n_kv * n_rep, hd)


class Attention(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.n_kv_heads = args.n_heads if args.n_kv_heads is None else args.n_kv_heads
        self.n_heads, self.n_rep, self.head_dim = (
            args.n_heads,
            args.n_heads // self.n_kv_heads,
            args.dim // args.n_heads,
        )
        self.wq = nn.Linear(args.dim, args.n_heads * self.head_dim, bias=False)
        self.wk = nn.Linear(args.dim, self.n_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(args.dim, self.n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(args.n_heads * self.head_dim, args.dim, bias=False)
        mask = torch.full((1, 1, args.max_seq_len, args.max_seq_len), float("-inf"))
        self.register_buffer("mask", torch.triu(mask, diagonal=1), persistent=False)
        self.cache = None

    def forward(self, x, freqs_cis, use_cache=False):
        b, s, _ = x.shape
        q, k, v = self.wq(x), self.wk(x), self.wv(x)
        q = q.view(b, s, self.n_heads, self.head_dim)
        k, v = (t.view(b, s, self.n_kv_heads, self.head_dim) for t in (k, v))
        q, k = apply_rotary(q, k, freqs_cis)
        if use_cache:
            if self.cache is not None:
                k, v = torch.cat([self.cache[0], k], 1), torch.cat([self.cache[1], v], 1)
            self.cache = (k, v)
        k, v = repeat_kv(k, self.n_rep), repeat_kv(v, self.n_rep)
        q, k, v = (t.transpose(1, 2) for t in (q, k, v))
        scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(self.head_dim)
        if s > 1:
            scores = scores + self.mask[:, :, :s, :s]
        out = torch.matmul(F.softmax(scores.float(), dim=-1).type_as(q), v)
        return self.wo(out.transpose(1, 2).contiguous().view(b, s, -1))


class FeedForward(nn.Module):
    def __init__(self, dim, multiple_of):
        super().__init__()
        h = multiple_of * ((int(2 * 4 * dim / 3) + multiple_of - 1) // multiple_of)
        self.w1, self.w2, self.w3 = (
            nn.Linear(dim, h, bias=False),
            nn.Linear(h, dim, bias=False),
            nn.Linear(dim, h, bias=False),
        )

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self, i, args):
        super().__init__()
        self.layer_id = i
        self.attention, self.feed_forward = Attention(args), FeedForward(args.dim, args.multiple_of)
        self.attention_norm, self.ffn_norm = RMSNorm(args.dim, args.norm_eps), RMSNorm(args.dim, args.norm_eps)

    def forward(self, x, f, c=False):
        h = x + self.attention(self.attention_norm(x), f, c)
        return h + self.feed_forward(self.ffn_norm(h))


class Transformer(nn.Module):
    last_loss: Optional[torch.Tensor]

    def __init__(self, params: ModelArgs):
        super().__init__()
        self.params = params
        self.tok_embeddings = nn.Embedding(params.vocab_size, params.dim)
        self.layers = torch.nn.ModuleList(Block(i, params) for i in range(params.n_layers))
        self.norm = RMSNorm(params.dim, eps=params.norm_eps)
        self.output = nn.Linear(params.dim, params.vocab_size, bias=False)
        self.tok_embeddings.weight = self.output.weight
        self.register_buffer(
            "freqs_cis", precompute_freqs_cis(params.dim // params.n_heads, params.max_seq_len * 2), persistent=False
        )
        self.apply(self._init)
        for pn, p in self.named_parameters():
            if pn.endswith("w3.weight") or pn.endswith("wo.weight"):
                torch.nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * params.n_layers))
        self.last_loss = None

    def _init(self, m):
        if isinstance(m, (nn.Linear, nn.Embedding)):
            torch.nn.init.normal_(m.weight, mean=0.0, std=0.02)

    def forward(self, tokens, targets=None, start=0, cache=False):
        h = self.tok_embeddings(tokens)
        f = self.freqs_cis[start : start + tokens.shape[1]]
        for l in self.layers:
            h = l(h, f, cache)
        h = self.norm(h)
        if targets is not None:
            logits = self.output(h)
            self.last_loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        else:
            logits = self.output(h[:, [-1], :])
            self.last_loss = None
        return logits

    def configure_optimizers(self, wd, lr):
        ps = {n: p for n, p in self.named_parameters() if p.requires_grad}
        groups = [
            {"params": [p for p in ps.values() if p.dim() >= 2], "weight_decay": wd},
            {"params": [p for p in ps.values() if p.dim() < 2], "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(groups, lr=lr, betas=(0.9, 0.95))

    @torch.inference_mode()
    def generate(self, idx, n, temperature=1.0, top_k=None):
        for _ in range(n):
            logits = self(idx if idx.size(1) <= 32 else idx[:, -32:])[:, -1, :]
            if temperature == 0.0:
                _, nxt = torch.topk(logits, k=1, dim=-1)
            else:
                logits = logits / temperature
                if top_k is not None:
                    v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                    logits[logits < v[:, [-1]]] = -float("Inf")
                nxt = torch.multinomial(F.softmax(logits, dim=-1), num_samples=1)
            idx = torch.cat((idx, nxt), dim=1)
        return idx


torch.manual_seed(1337)
m = Transformer(ModelArgs())
print(m)
print(sum(p.numel() for p in m.parameters()), len(list(m.parameters())), len(m.state_dict()), list(m.state_dict())[:3])
print(
    m.freqs_cis[:2, :3], m.freqs_cis.dtype, m.layers[0].attention.mask.shape, m.tok_embeddings.weight is m.output.weight
)
opt = m.configure_optimizers(0.1, 1e-2)
print(opt)
data = torch.randint(0, 64, (200,))
for it in range(4):
    ix = torch.randint(len(data) - 8, (4,))
    x, y = torch.stack([data[i : i + 8] for i in ix]), torch.stack([data[i + 1 : i + 9] for i in ix])
    m(x, y)
    loss = m.last_loss
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    print(it, round(loss.item(), 3))
m.eval()
x = torch.randint(0, 64, (2, 6))
with torch.no_grad():
    full = m(x)[:, -1]
    for i in range(6):
        step = m(x[:, i : i + 1], start=i, cache=True)[:, -1]
print(
    torch.allclose(full, step, atol=1e-5), m.layers[0].attention.cache[0].shape, m.layers[0].attention.cache[0].stride()
)
g = m.generate(x, 5, top_k=5)
print(g.shape, g.dtype, g.is_inference(), g[:, :6].equal(x), torch.is_inference(g))
print(m.generate(x, 3, temperature=0.0).shape)
try:
    g.add_(1)
    print("added", g.requires_grad)
    m.output.weight[g[0]].sum().backward()
except RuntimeError as e:
    print(e)
