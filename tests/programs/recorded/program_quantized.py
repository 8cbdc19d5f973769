"""Quantization by hand, pruning, sparsity, binarized nets, half precision, model size. PyTorch 2.15 recorded `program_quantized.txt` from this file."""

import copy
import os
import tempfile
import time
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.prune as prune

torch.manual_seed(0)


def quantize(x, bits=8, symmetric=True):
    if symmetric:
        qmax = 2 ** (bits - 1) - 1
        scale = x.abs().max() / qmax
        zp = torch.zeros((), dtype=torch.int32)
        q = (x / scale).round().clamp(-qmax - 1, qmax)
    else:
        qmax = 2**bits - 1
        scale = (x.max() - x.min()) / qmax
        zp = (-x.min() / scale).round().to(torch.int32).clamp(0, qmax)
        q = (x / scale + zp).round().clamp(0, qmax)
    return q.to(torch.int8 if symmetric else torch.uint8), scale, zp


def dequantize(q, scale, zp):
    return scale * (q.to(torch.float32) - zp)


w = torch.randn(4, 8)
for sym in (True, False):
    q, s, z = quantize(w, 8, sym)
    err = (dequantize(q, s, z) - w).abs().max()
    print(q.dtype, q.shape, s.dtype, z, err <= s, q[0], f"{s:.4f}")
per = w.abs().amax(dim=1, keepdim=True) / 127
print(per.shape, (w / per).round().to(torch.int8).abs().amax(1), torch.int8.itemsize)


class W8A8Linear(nn.Module):
    def __init__(self, lin):
        super().__init__()
        q, s, _ = quantize(lin.weight.data)
        self.register_buffer("qweight", q)
        self.register_buffer("scale", s)
        self.bias = lin.bias

    def forward(self, x):
        qx, sx, _ = quantize(x)
        acc = qx.to(torch.int32) @ self.qweight.to(torch.int32).t()
        return acc * (sx * self.scale) + self.bias

    def extra_repr(self):
        return f"{self.qweight.shape[1]}, {self.qweight.shape[0]}, int8"


def replace(module, skip=()):
    for name, child in module.named_children():
        if isinstance(child, nn.Linear) and name not in skip:
            setattr(module, name, W8A8Linear(child))
        else:
            replace(child, skip)
    return module


net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Sequential(nn.Linear(16, 16), nn.Hardtanh()), nn.Linear(16, 4))
x = torch.randn(3, 8)
qn = replace(copy.deepcopy(net), skip=("3",))
print(qn)
print((qn(x) - net(x)).abs().max() < 0.1, {k: (tuple(v.shape), v.dtype) for k, v in qn.state_dict().items()})
half = copy.deepcopy(net).half()
bf = copy.deepcopy(net).to(torch.bfloat16)
print(half[0].weight.dtype, bf(x.bfloat16()).dtype, half(x.half()).dtype, next(bf.parameters()).element_size())


def size(m):
    with tempfile.TemporaryDirectory() as d:
        f = os.path.join(d, "m.pt")
        torch.save(m.state_dict(), f)
        return os.path.getsize(f)


print(size(half) < size(net), sum(p.nelement() * p.element_size() for p in net.parameters()))
m = copy.deepcopy(net)
print(prune.random_unstructured(m[0], name="weight", amount=0.3))
print(
    list(m[0].named_parameters())[0][0],
    [n for n, _ in m[0].named_buffers()],
    m[0].weight.grad_fn.name(),
    [type(h).__name__ for h in m[0]._forward_pre_hooks.values()],
)
print((m[0].weight == 0).sum(), m[0].weight_mask.mean())
prune.l1_unstructured(m[0], name="bias", amount=3)
prune.ln_structured(m[3], name="weight", amount=0.5, n=2, dim=0)
print(m[3].weight_mask[:, 0], m.state_dict().keys())
prune.ln_structured(m[0], "weight", amount=0.25, n=1, dim=1)
print([type(h).__name__ for h in m[0]._forward_pre_hooks.values()], prune.is_pruned(m))
prune.remove(m[0], "weight")
print(list(m[0].named_parameters())[-1][0], m[0])
prune.global_unstructured([(m[2][0], "weight"), (m[3], "bias")], pruning_method=prune.L1Unstructured, amount=0.2)
tot = sum(int((p == 0).sum()) for p in (m[2][0].weight, m[3].bias))
print(tot, "sparsity {:.2f}%".format(100.0 * tot / (m[2][0].weight.nelement() + 4)))


class Checker(prune.BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        mask = default_mask.clone()
        mask.view(-1)[::2] = 0
        return mask


def checker(module, name):
    Checker.apply(module, name)
    return module


print(
    checker(nn.Linear(2, 2), "bias").bias_mask,
    prune.identity(nn.Linear(1, 1), "weight").weight_mask,
    prune.custom_from_mask(nn.Linear(2, 1), "weight", torch.tensor([[1, 0]])).weight,
)
for f in (
    lambda: prune.l1_unstructured(nn.Linear(2, 2), "weight", 1.5),
    lambda: prune.l1_unstructured(nn.Linear(2, 2), "weight", 9),
    lambda: prune.remove(nn.Linear(1, 1), "weight"),
    lambda: prune.l1_unstructured(nn.Linear(2, 2), "w", 1),
    lambda: prune.random_structured(nn.Linear(2, 2), "bias", 1, 3),
    lambda: prune.l1_unstructured(nn.Linear(2, 2), "weight", "a"),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


class BinActive(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.abs().le(1).to(g.dtype)


class BinLinear(nn.Linear):
    def forward(self, x):
        alpha = self.weight.abs().mean(1, keepdim=True).detach()
        return F.linear(BinActive.apply(x), alpha * BinActive.apply(self.weight), self.bias)


b = BinLinear(8, 2)
o = b(x)
o.sum().backward()
print(b, type(o.grad_fn).__name__, b.weight.grad.abs().max() > 0, o.shape)
packed = (x > 0).to(torch.uint8)
bits = (packed << torch.arange(8, dtype=torch.uint8)).sum(-1)
print(
    bits.dtype,
    ((bits[:, None] >> torch.arange(8)) & 1).equal(packed.long()),
    packed.bitwise_xor(1)[0],
    ~packed[0],
    (x > 0).logical_not()[0, :2],
    torch.bitwise_left_shift(torch.tensor(1), 3),
)
i4 = torch.randint(-8, 8, (4,), dtype=torch.int8)
pk = (i4[::2] & 0xF) | (i4[1::2] << 4)
lo = ((pk & 0xF) ^ 8) - 8
print(
    pk.dtype,
    lo.equal(i4[::2]),
    (pk >> 4).equal(i4[1::2]),
    torch.tensor(200, dtype=torch.uint8) + torch.tensor(100, dtype=torch.uint8),
    torch.tensor([127], dtype=torch.int8) + 1,
    torch.tensor([1], dtype=torch.uint8) - 2,
)
print(
    torch.histc(w, 4, -2, 2),
    torch.quantile(w, torch.tensor([0.1, 0.9])),
    torch.kthvalue(w.flatten(), 5).values,
    w.flatten().topk(2, largest=False).values,
    torch.bucketize(torch.tensor([0.3, 1.2]), torch.tensor([0.0, 0.5, 1.0])),
    torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 4]), right=True),
)
for f in (
    lambda: torch.ones(2, dtype=torch.int8) @ torch.ones(2, dtype=torch.int32),
    lambda: torch.ones(2, 2, dtype=torch.half) @ torch.ones(2, 2),
    lambda: half(x),
    lambda: torch.tensor([1.0]) & 1,
    lambda: torch.tensor(1.5) << 1,
    lambda: torch.tensor([300], dtype=torch.uint8),
    lambda: nn.Linear(2, 2, dtype=torch.int8),
    lambda: torch.ones(2, dtype=torch.bool) - torch.ones(2, dtype=torch.bool),
    lambda: -torch.ones(2, dtype=torch.bool),
    lambda: torch.ones(2, dtype=torch.int64, requires_grad=True),
    lambda: torch.ones(2).int().mean(),
    lambda: torch.ones(2, dtype=torch.int).add_(1.5),
    lambda: torch.tensor([2]) ** -1,
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
