"""BPE tokenizer, minGPT with config nodes, callbacks, weight-decay groups, generation. PyTorch 2.15 recorded `program_gpt.txt` from this file."""

import collections
import inspect
import json
import math
import os
import random
import re
import sys
import time
from ast import literal_eval
from collections import defaultdict
from contextlib import nullcontext
import numpy as np
import torch
import torch.nn as nn
from torch.nn import functional as F


class CfgNode:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)

    def __str__(self):
        return self._str_helper(0)

    def _str_helper(self, indent):
        parts = []
        for k, v in self.__dict__.items():
            if isinstance(v, CfgNode):
                parts.append("%s:\n" % k)
                parts.append(v._str_helper(indent + 1))
            else:
                parts.append("%s: %s\n" % (k, v))
        return "".join([" " * (indent * 4) + p for p in parts])

    def to_dict(self):
        return {k: v.to_dict() if isinstance(v, CfgNode) else v for k, v in self.__dict__.items()}

    def merge_from_args(self, args):
        for arg in args:
            keyval = arg.split("=")
            assert len(keyval) == 2
            key, val = keyval
            try:
                val = literal_eval(val)
            except ValueError:
                pass
            assert key[:2] == "--"
            keys = key[2:].split(".")
            obj = self
            for k in keys[:-1]:
                obj = getattr(obj, k)
            assert hasattr(obj, keys[-1]), f"{key} is not an attribute that exists in the config"
            print("command line overwriting config attribute %s with %s" % (key[2:], val))
            setattr(obj, keys[-1], val)


C = CfgNode(
    system=CfgNode(seed=3407, work_dir="./out"),
    model=CfgNode(n_layer=2, n_head=2, n_embd=16, block=8, drop=0.0),
    lr=1e-2,
)
C.merge_from_args(["--model.n_layer=1", "--lr=0.02", "--system.work_dir=here"])
print(C, C.to_dict(), sep="\n")
try:
    C.merge_from_args(["--nope=1"])
except AssertionError as e:
    print(e)
random.seed(C.system.seed)
np.random.seed(C.system.seed)
torch.manual_seed(C.system.seed)


def get_stats(ids, counts=None):
    counts = {} if counts is None else counts
    for pair in zip(ids, ids[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def merge(ids, pair, idx):
    new, i = [], 0
    while i < len(ids):
        if ids[i] == pair[0] and i < len(ids) - 1 and ids[i + 1] == pair[1]:
            new.append(idx)
            i += 2
        else:
            new.append(ids[i])
            i += 1
    return new


class BasicTokenizer:
    def __init__(self):
        self.merges, self.vocab = {}, {i: bytes([i]) for i in range(256)}

    def train(self, text, size, verbose=False):
        ids = list(text.encode("utf-8"))
        for i in range(size - 256):
            stats = get_stats(ids)
            pair = max(stats, key=stats.get)
            idx = 256 + i
            ids = merge(ids, pair, idx)
            self.merges[pair] = idx
            self.vocab[idx] = self.vocab[pair[0]] + self.vocab[pair[1]]
            if verbose:
                print(f"merge {i + 1}/{size - 256}: {pair} -> {idx} ({self.vocab[idx]}) had {stats[pair]} occurrences")

    def decode(self, ids):
        return b"".join(self.vocab[i] for i in ids).decode("utf-8", errors="replace")

    def encode(self, text):
        ids = list(text.encode("utf-8"))
        while len(ids) >= 2:
            stats = get_stats(ids)
            pair = min(stats, key=lambda p: self.merges.get(p, float("inf")))
            if pair not in self.merges:
                break
            ids = merge(ids, pair, self.merges[pair])
        return ids


text = "the quick brown fox jumps over the lazy dog; the dog sleeps. Ünïcödé 🙂 the end. " * 3
tok = BasicTokenizer()
tok.train(text, 270, verbose=True)
enc = tok.encode(text)
print(len(text.encode()), len(enc), tok.decode(enc) == text, enc[:12], tok.decode([128]), repr(tok.decode(enc[:5])))
pat = re.compile(r"'(?:[sdmt]|ll|ve|re)|\s?\w+|\s+")
print(re.findall(pat, "Hello've world123 how's  it")[:8])


class CausalSelfAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        assert c.n_embd % c.n_head == 0
        self.c_attn, self.c_proj = nn.Linear(c.n_embd, 3 * c.n_embd), nn.Linear(c.n_embd, c.n_embd)
        self.n_head, self.n_embd = c.n_head, c.n_embd
        self.flash = hasattr(torch.nn.functional, "scaled_dot_product_attention")
        self.register_buffer("bias", torch.tril(torch.ones(c.block, c.block)).view(1, 1, c.block, c.block))

    def forward(self, x):
        B, T, Ch = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q, k, v = (t.view(B, T, self.n_head, Ch // self.n_head).transpose(1, 2) for t in (q, k, v))
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = F.softmax(att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf")), dim=-1)
        y = att @ v
        ref = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        assert torch.allclose(y, ref, atol=1e-5)
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, Ch))


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.ln_1, self.attn, self.ln_2 = nn.LayerNorm(c.n_embd), CausalSelfAttention(c), nn.LayerNorm(c.n_embd)
        self.mlp = nn.ModuleDict(
            dict(c_fc=nn.Linear(c.n_embd, 4 * c.n_embd), c_proj=nn.Linear(4 * c.n_embd, c.n_embd), act=nn.GELU())
        )
        m = self.mlp
        self.mlpf = lambda x: m.c_proj(m.act(m.c_fc(x)))

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlpf(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, c, vocab):
        super().__init__()
        self.c = c
        self.transformer = nn.ModuleDict(
            dict(
                wte=nn.Embedding(vocab, c.n_embd),
                wpe=nn.Embedding(c.block, c.n_embd),
                h=nn.ModuleList([Block(c) for _ in range(c.n_layer)]),
                ln_f=nn.LayerNorm(c.n_embd),
            )
        )
        self.lm_head = nn.Linear(c.n_embd, vocab, bias=False)
        print("number of parameters: %.4fM" % (sum(p.numel() for p in self.transformer.parameters()) / 1e6,))

    def configure_optimizers(self, lr, wd=0.1):
        decay, no_decay = set(), set()
        for mn, m in self.named_modules():
            for pn, p in m.named_parameters():
                fpn = "%s.%s" % (mn, pn) if mn else pn
                if pn.endswith("bias"):
                    no_decay.add(fpn)
                elif pn.endswith("weight") and isinstance(m, nn.Linear):
                    decay.add(fpn)
                elif pn.endswith("weight") and isinstance(m, (nn.LayerNorm, nn.Embedding)):
                    no_decay.add(fpn)
        pd = {n: p for n, p in self.named_parameters()}
        assert len(decay & no_decay) == 0 and len(pd.keys() - (decay | no_decay)) == 0
        fused = "fused" in inspect.signature(torch.optim.AdamW).parameters
        print(len(decay), len(no_decay), fused)
        return torch.optim.AdamW(
            [
                {"params": [pd[n] for n in sorted(decay)], "weight_decay": wd},
                {"params": [pd[n] for n in sorted(no_decay)], "weight_decay": 0.0},
            ],
            lr=lr,
            betas=(0.9, 0.95),
        )

    def forward(self, idx, targets=None):
        b, t = idx.size()
        assert t <= self.c.block, f"Cannot forward sequence of length {t}, block size is only {self.c.block}"
        x = self.transformer.wte(idx) + self.transformer.wpe(
            torch.arange(0, t, dtype=torch.long, device=idx.device).unsqueeze(0)
        )
        for blk in self.transformer.h:
            x = blk(x)
        logits = self.lm_head(self.transformer.ln_f(x))
        return logits, None if targets is None else F.cross_entropy(
            logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1
        )

    def crop_block_size(self, n):
        self.c.block = n
        self.transformer.wpe.weight = nn.Parameter(self.transformer.wpe.weight[:n])
        for blk in self.transformer.h:
            blk.attn.bias = blk.attn.bias[:, :, :n, :n]


class Trainer:
    def __init__(self, model, data, lr):
        self.model, self.data, self.callbacks = model, data, defaultdict(list)
        self.optimizer, self.iter_num = model.configure_optimizers(lr), 0

    def add_callback(self, e, f):
        self.callbacks[e].append(f)

    def trigger(self, e):
        for f in self.callbacks.get(e, []):
            f(self)

    def run(self, n):
        ctx = nullcontext()
        for self.iter_num in range(n):
            ix = torch.randint(len(self.data) - 8, (4,))
            x = torch.stack([torch.from_numpy((self.data[i : i + 8]).astype(np.int64)) for i in ix])
            y = torch.stack([torch.from_numpy((self.data[i + 1 : i + 9]).astype(np.int64)) for i in ix])
            with ctx:
                _, self.loss = self.model(x, y)
            self.model.zero_grad(set_to_none=True)
            self.loss.backward()
            self.norm = nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.trigger("on_batch_end")


data = np.array(enc, dtype=np.uint16)
print(data.dtype, data[:4], data.nbytes)
m = GPT(C.model, 270)
print(m)
tr = Trainer(m, data, C.lr)
tr.add_callback(
    "on_batch_end",
    lambda t: (
        print(f"iter {t.iter_num}: loss {t.loss.item():.2f}, norm {t.norm.item():.2f}") if t.iter_num % 2 == 0 else None
    ),
)
tr.run(5)
m.crop_block_size(4)
print(
    m.transformer.wpe,
    m.transformer.wpe.weight.shape,
    m.transformer["h"][0].attn.bias.shape,
    m.transformer.wpe.weight.is_leaf,
)
try:
    m(torch.zeros(1, 5, dtype=torch.long))
except AssertionError as e:
    print(e)
print(
    type(m.transformer.wpe.weight.grad_fn).__name__,
    list(m.transformer.keys()),
    "wte" in m.transformer,
    len(m.transformer),
)
print({k: v.shape for k, v in m.state_dict().items() if "attn.bias" in k})
