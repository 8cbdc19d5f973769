"""micrograd beside torch, makemore (bigram, MLP, BatchNorm by hand, manual backprop), broadcasting and views. PyTorch 2.15 recorded `program_micrograd.txt` from this file."""

import math
import random
import torch
import torch.nn.functional as F
import numpy as np
import matplotlib.pyplot as plt


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad = data, 0.0
        self._backward = lambda: None
        self._prev, self._op = set(_children), _op

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, other):
        assert isinstance(other, (int, float)), "only supporting int/float powers for now"
        out = Value(self.data**other, (self,), f"**{other}")

        def _backward():
            self.grad += (other * self.data ** (other - 1)) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = Value(0 if self.data < 0 else self.data, (self,), "ReLU")

        def _backward():
            self.grad += (out.data > 0) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        topo, visited = [], set()

        def build(v):
            if v not in visited:
                visited.add(v)
                for c in v._prev:
                    build(c)
                topo.append(v)

        build(self)
        self.grad = 1
        for v in reversed(topo):
            v._backward()

    __neg__ = lambda self: self * -1
    __radd__ = lambda self, o: self + o
    __sub__ = lambda self, o: self + (-o)
    __rsub__ = lambda self, o: o + (-self)
    __rmul__ = lambda self, o: self * o
    __truediv__ = lambda self, o: self * o**-1
    __rtruediv__ = lambda self, o: o * self**-1

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"


def f(a, b):
    c = a + b
    d = a * b + b**3
    c += c + 1
    c += 1 + c + (-a)
    d += d * 2 + (b + a).relu()
    d += 3 * d + (b - a).relu()
    e = c - d
    g = e**2 / 2.0
    g += 10.0 / g * 1e2
    return g


a, b = Value(-4.0), Value(2.0)
g = f(a, b)
g.backward()
ta, tb = torch.Tensor([-4.0]).double().requires_grad_(), torch.Tensor([2.0]).double().requires_grad_()
tg = f(ta, tb)
tg.backward()
print(
    f"{g.data:.4f} {a.grad:.4f} {b.grad:.4f}", tg.data.item(), ta.grad.item(), tb.grad, abs(g.data - tg.item()) < 1e-6
)
try:
    a**b
except AssertionError as e:
    print(e)
words = "emma olivia ava isabella sophia charlotte mia amelia harper evelyn abigail emily elizabeth".split()
chars = sorted(list(set("".join(words))))
stoi = {s: i + 1 for i, s in enumerate(chars)}
stoi["."] = 0
itos = {i: s for s, i in stoi.items()}
V = len(itos)
N = torch.zeros((V, V), dtype=torch.int32)
for w in words:
    chs = ["."] + list(w) + ["."]
    for ch1, ch2 in zip(chs, chs[1:]):
        N[stoi[ch1], stoi[ch2]] += 1
print(N[0], N.sum(), N.dtype, N[0].sum().item())
P = (N + 1).float()
P /= P.sum(1, keepdims=True)
gen = torch.Generator().manual_seed(2147483647)
out = []
for i in range(3):
    ix, w = 0, ""
    while True:
        ix = torch.multinomial(P[ix], num_samples=1, replacement=True, generator=gen).item()
        w += itos[ix]
        if ix == 0 or len(w) > 12:
            break
    out.append(w)
print(out)
ll, n = 0.0, 0
for w in words:
    for a_, b_ in zip("." + w, w + "."):
        ll += torch.log(P[stoi[a_], stoi[b_]])
        n += 1
print(f"{ll=}", f"{-ll / n:.4f}", f"{n=}")
xs, ys = [], []
block = 3
for w in words:
    context = [0] * block
    for ch in w + ".":
        xs.append(context)
        ys.append(stoi[ch])
        context = context[1:] + [stoi[ch]]
X, Y = torch.tensor(xs), torch.tensor(ys)
print(X.shape, X.dtype, Y.shape, X[:3])
g = torch.Generator().manual_seed(2147483647)
C = torch.randn((V, 4), generator=g)
W1 = torch.randn((12, 20), generator=g) * (5 / 3) / (12**0.5)
b1 = torch.randn(20, generator=g) * 0.1
W2 = torch.randn((20, V), generator=g) * 0.1
b2 = torch.randn(V, generator=g) * 0.1
bngain, bnbias = torch.randn((1, 20)) * 0 + 1.1, torch.zeros((1, 20)) + 0.05
parameters = [C, W1, b1, W2, b2, bngain, bnbias]
for p in parameters:
    p.requires_grad = True
print(sum(p.nelement() for p in parameters))


def cmp(s, dt, t):
    ex = torch.all(dt == t.grad).item()
    app = torch.allclose(dt, t.grad, atol=1e-6)
    print(f"{s:15s} | approximate: {str(app):5s} | shape {tuple(dt.shape)}")


n = 16
ix = torch.randint(0, X.shape[0], (n,), generator=g)
Xb, Yb = X[ix], Y[ix]
emb = C[Xb]
embcat = emb.view(emb.shape[0], -1)
hprebn = embcat @ W1 + b1
bnmeani = 1 / n * hprebn.sum(0, keepdim=True)
bndiff = hprebn - bnmeani
bndiff2 = bndiff**2
bnvar = 1 / (n - 1) * bndiff2.sum(0, keepdim=True)
bnvar_inv = (bnvar + 1e-5) ** -0.5
bnraw = bndiff * bnvar_inv
hpreact = bngain * bnraw + bnbias
h = torch.tanh(hpreact)
logits = h @ W2 + b2
logit_maxes = logits.max(1, keepdim=True).values
norm_logits = logits - logit_maxes
counts = norm_logits.exp()
counts_sum = counts.sum(1, keepdims=True)
counts_sum_inv = counts_sum**-1
probs = counts * counts_sum_inv
logprobs = probs.log()
loss = -logprobs[range(n), Yb].mean()
for p in parameters:
    p.grad = None
for t in [
    logprobs,
    probs,
    counts,
    counts_sum,
    counts_sum_inv,
    norm_logits,
    logit_maxes,
    logits,
    h,
    hpreact,
    bnraw,
    bnvar_inv,
    bnvar,
    bndiff2,
    bndiff,
    hprebn,
    bnmeani,
    embcat,
    emb,
]:
    t.retain_grad()
loss.backward()
print(
    loss,
    type(loss.grad_fn).__name__,
    type(logprobs.grad_fn).__name__,
    type(counts_sum_inv.grad_fn).__name__,
    type(bnvar_inv.grad_fn).__name__,
    type(logit_maxes.grad_fn).__name__,
    type(emb.grad_fn).__name__,
    type(embcat.grad_fn).__name__,
    type(hprebn.grad_fn).__name__,
    type(norm_logits.grad_fn).__name__,
)
print(torch.allclose(loss, F.cross_entropy(logits, Yb)))
dlogprobs = torch.zeros_like(logprobs)
dlogprobs[range(n), Yb] = -1.0 / n
dprobs = (1.0 / probs) * dlogprobs
dcounts_sum_inv = (counts * dprobs).sum(1, keepdim=True)
dcounts = counts_sum_inv * dprobs
dcounts_sum = (-(counts_sum**-2)) * dcounts_sum_inv
dcounts += torch.ones_like(counts) * dcounts_sum
dnorm = counts * dcounts
dlogits = dnorm.clone()
dmax = (-dnorm).sum(1, keepdim=True)
dlogits += F.one_hot(logits.max(1).indices, num_classes=logits.shape[1]) * dmax
dh = dlogits @ W2.T
dW2, db2 = h.T @ dlogits, dlogits.sum(0)
dhpre = (1.0 - h**2) * dh
dbngain, dbnbias = (bnraw * dhpre).sum(0, keepdim=True), dhpre.sum(0, keepdim=True)
dhprebn = bngain * bnvar_inv / n * (n * dhpre - dhpre.sum(0) - n / (n - 1) * bnraw * (dhpre * bnraw).sum(0))
dembcat, dW1 = dhprebn @ W1.T, embcat.T @ dhprebn
demb = dembcat.view(emb.shape)
dC = torch.zeros_like(C)
for k in range(Xb.shape[0]):
    for j in range(Xb.shape[1]):
        dC[Xb[k, j]] += demb[k, j]
for s, d, t in (
    ("logprobs", dlogprobs, logprobs),
    ("probs", dprobs, probs),
    ("counts_sum_inv", dcounts_sum_inv, counts_sum_inv),
    ("counts_sum", dcounts_sum, counts_sum),
    ("counts", dcounts, counts),
    ("norm_logits", dnorm, norm_logits),
    ("logit_maxes", dmax, logit_maxes),
    ("logits", dlogits, logits),
    ("h", dh, h),
    ("W2", dW2, W2),
    ("b2", db2, b2),
    ("hpreact", dhpre, hpreact),
    ("bngain", dbngain, bngain),
    ("bnbias", dbnbias, bnbias),
    ("hprebn", dhprebn, hprebn),
    ("W1", dW1, W1),
    ("C", dC, C),
):
    cmp(s, d, t)
lre = torch.linspace(-3, 0, 5)
print(10**lre, h.abs().gt(0.97).float().mean(), (h.view(-1).tolist()[0]) < 2)
print(
    torch.arange(18).storage().data_ptr() > 0,
    torch.arange(18).view(2, 9).untyped_storage().nbytes(),
    torch.unbind(emb, 1)[0].shape,
    torch.cat(torch.unbind(emb, 1), 1).equal(embcat),
)
fig, ax = plt.subplots(figsize=(4, 3))
ax.plot(lre.numpy(), [1.0] * 5)
print(type(fig).__name__, ax.get_xlim()[0] < -3, len(ax.lines))
plt.close(fig)
