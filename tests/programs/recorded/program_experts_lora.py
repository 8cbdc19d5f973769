"""Mixture of experts and LoRA. PyTorch 2.15 recorded `program_experts_lora.txt` from this file."""

import math
import re
import torch
from torch import nn, Tensor
import torch.nn.functional as F
from functools import partial
from collections import OrderedDict, defaultdict, Counter
from typing import NamedTuple

torch.manual_seed(0)


class RouterOut(NamedTuple):
    weights: Tensor
    indices: Tensor
    aux: Tensor


class Router(nn.Module):
    def __init__(self, d, n, k):
        super().__init__()
        self.k, self.n = k, n
        self.gate = nn.Linear(d, n, bias=False)
        self.noise = nn.Linear(d, n, bias=False)

    def forward(self, x):
        logits = self.gate(x)
        if self.training:
            logits = logits + torch.randn_like(logits) * F.softplus(self.noise(x))
        top, idx = logits.topk(self.k, dim=-1)
        sparse = torch.full_like(logits, float("-inf")).scatter(-1, idx, top)
        w = F.softmax(sparse, dim=-1)
        probs = F.softmax(logits, dim=-1)
        frac = F.one_hot(idx, self.n).float().sum(1).mean(0)
        return RouterOut(w, idx, self.n * (frac * probs.mean(0)).sum())


class MoE(nn.Module):
    def __init__(self, d, n=4, k=2):
        super().__init__()
        self.router = Router(d, n, k)
        self.experts = nn.ModuleList(
            [
                nn.Sequential(
                    OrderedDict(up=nn.Linear(d, 2 * d), act=nn.GELU(approximate="tanh"), down=nn.Linear(2 * d, d))
                )
                for _ in range(n)
            ]
        )

    def forward(self, x):
        shape = x.shape
        x = x.reshape(-1, shape[-1])
        r = self.router(x)
        out = torch.zeros_like(x)
        for i, e in enumerate(self.experts):
            rows, nth = torch.where(r.indices == i)
            if rows.numel() == 0:
                continue
            out.index_add_(0, rows, e(x[rows]) * r.weights[rows, i, None])
        return out.reshape(shape), r


moe = MoE(8)
x = torch.randn(2, 5, 8)
y, r = moe(x)
print(moe)
print(y.shape, type(y.grad_fn).__name__, r._fields, r.indices.shape, r.aux)
print(r.indices.flatten().bincount(minlength=4), Counter(r.indices.flatten().tolist()).most_common(1)[0][1] > 0)
(y.pow(2).mean() + 0.01 * r.aux).backward()
print([(n, tuple(p.grad.shape)) for n, p in moe.named_parameters() if "experts.0" in n or "gate" in n])
print(r.weights.sum(-1).allclose(torch.ones(10)), (r.weights > 0).sum(-1))


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, rank=2, alpha=4.0, dropout=0.0):
        super().__init__()
        self.base, self.rank, self.scaling = base, rank, alpha / rank
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.lora_A = nn.Parameter(torch.empty(rank, base.in_features))
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))
        self.drop = nn.Dropout(dropout) if dropout > 0 else nn.Identity()
        self.merged = False

    def forward(self, x):
        if self.merged:
            return self.base(x)
        return self.base(x) + self.drop(x) @ self.lora_A.T @ self.lora_B.T * self.scaling

    @torch.no_grad()
    def merge(self):
        self.base.weight += self.lora_B @ self.lora_A * self.scaling
        self.merged = True
        return self

    def extra_repr(self):
        return "rank={rank}, scaling={scaling}".format(**self.__dict__)


def inject(model, pattern, **kw):
    hits = []
    for name, m in list(model.named_modules()):
        if isinstance(m, nn.Linear) and re.search(pattern, name):
            parent = model.get_submodule(name.rpartition(".")[0]) if "." in name else model
            setattr(parent, name.rpartition(".")[2], LoRALinear(m, **kw))
            hits.append(name)
    return hits


enc = nn.TransformerEncoder(
    nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), 2, enable_nested_tensor=False
)
print(inject(enc, r"linear[12]$", rank=2))
print(enc.layers[0])
train = [n for n, p in enc.named_parameters() if "lora_" in n]
for n, p in enc.named_parameters():
    p.requires_grad = n in train
print(len(train), sum(p.numel() for p in enc.parameters() if p.requires_grad), sum(p.numel() for p in enc.parameters()))
enc.eval()
for mod in enc.modules():
    if isinstance(mod, LoRALinear):
        nn.init.normal_(mod.lora_B, std=0.1)
try:
    print(enc(x).shape)
except Exception as e:
    print(type(e).__name__, e)
lin = nn.Linear(8, 4)
lora = LoRALinear(lin, rank=2)
opt = torch.optim.SGD(filter(lambda p: p.requires_grad, lora.parameters()), lr=0.5, momentum=0.9)
print(opt, len(opt.param_groups[0]["params"]))
for i in range(3):
    opt.zero_grad()
    l = F.mse_loss(lora(x), torch.ones(2, 5, 4))
    l.backward()
    print(f"{l.item():.4f}", lora.lora_A.grad.abs().sum() > 0, lora.base.weight.grad)
    opt.step()
a = lora(x)
b = lora.merge()(x)
print(torch.allclose(a, b, atol=1e-6), lora, lora.base.weight.requires_grad, b.requires_grad, type(a.grad_fn).__name__)
sd = {k: v for k, v in lora.state_dict().items() if "lora_" in k}
print(sd.keys(), lora.load_state_dict(sd, strict=False))
try:
    lora.load_state_dict(sd)
except RuntimeError as e:
    print(e)
try:
    lora.load_state_dict({**lora.state_dict(), "lora_A": torch.zeros(3, 8), "extra": torch.zeros(1)})
except RuntimeError as e:
    print(e)
try:
    enc.get_submodule("layers.7")
except AttributeError as e:
    print(e)
try:
    enc.layers[0].linear9
except AttributeError as e:
    print(e)
print(enc.get_parameter("layers.1.linear1.lora_A").shape, enc.layers[0].linear1.base.weight.requires_grad)
gates = defaultdict(list)
h = [
    m.register_forward_hook(partial(lambda n, m, i, o: gates[n].append(tuple(o.shape)), n))
    for n, m in moe.named_modules()
    if isinstance(m, nn.Linear)
]
moe.eval()
moe(x)
print({k: len(v) for k, v in gates.items() if "router" in k}, len(h), h[0].__class__.__name__)
[k.remove() for k in h]
print(len(moe.router.gate._forward_hooks))
