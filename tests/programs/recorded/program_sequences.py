"""VQ-VAE, Gumbel-softmax, RBM, Hopfield, S4/Mamba-like scan, KAN splines, NeRF encodings, linear attention, hyperdimensional tricks. PyTorch 2.15 recorded `program_sequences.txt` from this file."""

import math
import torch
from torch import nn, einsum
import torch.nn.functional as F

torch.manual_seed(11)


class VectorQuantizer(nn.Module):
    def __init__(self, n, d, beta=0.25):
        super().__init__()
        self.n, self.d, self.beta = n, d, beta
        self.embedding = nn.Embedding(n, d)
        self.embedding.weight.data.uniform_(-1 / n, 1 / n)

    def forward(self, z):
        z = z.permute(0, 2, 3, 1).contiguous()
        flat = z.view(-1, self.d)
        dist = (
            flat.pow(2).sum(1, keepdim=True)
            + self.embedding.weight.pow(2).sum(1)
            - 2 * flat @ self.embedding.weight.t()
        )
        idx = dist.argmin(1).unsqueeze(1)
        enc = torch.zeros(idx.shape[0], self.n).scatter_(1, idx, 1)
        zq = (enc @ self.embedding.weight).view(z.shape)
        loss = F.mse_loss(zq.detach(), z) * self.beta + F.mse_loss(zq, z.detach())
        zq = z + (zq - z).detach()
        p = enc.mean(0)
        return (
            loss,
            zq.permute(0, 3, 1, 2).contiguous(),
            torch.exp(-(p * (p + 1e-10).log()).sum()),
            idx.view(z.shape[:-1]),
        )


vq = VectorQuantizer(8, 4)
enc, dec = nn.Conv2d(1, 4, 4, 2, 1), nn.ConvTranspose2d(4, 1, 4, 2, 1)
x = torch.rand(2, 1, 8, 8)
loss, zq, perp, ids = vq(enc(x))
rec = dec(zq)
tot = F.mse_loss(rec, x) + loss
tot.backward()
print(
    vq,
    rec.shape,
    ids.shape,
    ids.dtype,
    type(zq.grad_fn).__name__,
    type(tot.grad_fn).__name__,
    perp >= 1,
    enc.weight.grad.abs().sum() > 0,
    vq.embedding.weight.grad.shape,
)
logits = torch.randn(3, 4, requires_grad=True)
soft = F.gumbel_softmax(logits, tau=0.5)
hard = F.gumbel_softmax(logits, tau=0.5, hard=True)
hard.sum().backward()
print(
    soft.sum(-1).detach(),
    hard.detach().sum(-1),
    hard.unique().detach(),
    type(hard.grad_fn).__name__,
    type(soft.grad_fn).__name__,
    logits.grad.shape,
)


class RBM(nn.Module):
    def __init__(self, v, h):
        super().__init__()
        self.W, self.a, self.b = (
            nn.Parameter(torch.randn(h, v) * 0.1),
            nn.Parameter(torch.zeros(v)),
            nn.Parameter(torch.zeros(h)),
        )

    def sample(self, p):
        return torch.bernoulli(p)

    def forward(self, v, k=2):
        for _ in range(k):
            h = self.sample(torch.sigmoid(F.linear(v, self.W, self.b)))
            v = self.sample(torch.sigmoid(F.linear(h, self.W.t(), self.a)))
        return v

    def free_energy(self, v):
        return -(v.mv(self.a)) - F.softplus(F.linear(v, self.W, self.b)).sum(1)


rbm = RBM(6, 3)
v0 = torch.bernoulli(torch.full((5, 6), 0.5))
vk = rbm(v0).detach()
l = (rbm.free_energy(v0) - rbm.free_energy(vk)).mean()
l.backward()
print(v0, vk.unique(), type(l.grad_fn).__name__, rbm.W.grad.shape, rbm)
pats = torch.tensor([[1.0, -1, 1, -1, 1, 1], [1, 1, -1, -1, -1, 1]])
W = pats.T @ pats / 6
W.fill_diagonal_(0)
s = pats[0].clone()
s[0] *= -1
for _ in range(3):
    s = torch.sign(W @ s)
print(W, s, s.equal(pats[0]), -0.5 * s @ W @ s)


class SSM(nn.Module):
    def __init__(self, d, n=4):
        super().__init__()
        A = torch.arange(1, n + 1, dtype=torch.float32).repeat(d, 1)
        self.A_log, self.D = nn.Parameter(torch.log(A)), nn.Parameter(torch.ones(d))
        self.A_log._no_weight_decay = True
        self.x_proj, self.dt = nn.Linear(d, 2 * n + 1, bias=False), nn.Linear(1, d)
        self.conv = nn.Conv1d(d, d, 3, groups=d, padding=2)

    def forward(self, x):
        b, l, d = x.shape
        x = F.silu(self.conv(x.transpose(1, 2))[:, :, :l].transpose(1, 2))
        A = -torch.exp(self.A_log.float())
        n = A.shape[1]
        delta, B, C = self.x_proj(x).split([1, n, n], dim=-1)
        delta = F.softplus(self.dt(delta))
        dA = torch.exp(einsum("bld,dn->bldn", delta, A))
        dBu = einsum("bld,bln,bld->bldn", delta, B, x)
        h, ys = torch.zeros(b, d, n), []
        for i in range(l):
            h = dA[:, i] * h + dBu[:, i]
            ys.append(einsum("bdn,bn->bd", h, C[:, i]))
        return torch.stack(ys, 1) + x * self.D


ssm = SSM(4)
y = ssm(torch.randn(2, 6, 4))
y.sum().backward()
print(
    y.shape,
    type(y.grad_fn).__name__,
    ssm.A_log.grad.shape,
    hasattr(ssm.A_log, "_no_weight_decay"),
    ssm.A_log.exp()[0].detach(),
    ssm,
)
a = torch.rand(5) * 0.5 + 0.5
u = torch.randn(5)
h, seq = torch.zeros(()), []
for t in range(5):
    h = a[t] * h + u[t]
    seq.append(h)
la = a.log().cumsum(0)
par = la.exp() * (u / la.exp()).cumsum(0)
print(torch.allclose(torch.stack(seq), par, atol=1e-4), torch.cumprod(a, 0).allclose(la.exp(), atol=1e-5))
K = torch.randn(8)
sig = torch.randn(8)
fftconv = torch.fft.irfft(torch.fft.rfft(sig, n=16) * torch.fft.rfft(K, n=16), n=16)[:8]
direct = F.conv1d(F.pad(sig, (7, 0)).view(1, 1, -1), K.flip(0).view(1, 1, -1)).view(-1)
print(
    torch.allclose(fftconv, direct, atol=1e-4),
    torch.fft.rfft(sig).dtype,
    torch.fft.fftfreq(8),
    torch.fft.fftshift(torch.arange(4)),
)


def bspline(x, grid, k=2):
    x = x.unsqueeze(-1)
    B = ((x >= grid[:-1]) & (x < grid[1:])).to(x.dtype)
    for p in range(1, k + 1):
        B = (x - grid[: -(p + 1)]) / (grid[p:-1] - grid[: -(p + 1)]) * B[..., :-1] + (grid[p + 1 :] - x) / (
            grid[p + 1 :] - grid[1:-p]
        ) * B[..., 1:]
    return B


B = bspline(torch.tensor([-0.5, 0.1, 0.9]), torch.linspace(-2, 2, 9))
print(B.shape, B.sum(-1), B[1])


def posenc(x, L=3):
    f = 2.0 ** torch.arange(L) * math.pi
    z = (x[..., None] * f).flatten(-2)
    return torch.cat([x, z.sin(), z.cos()], -1)


print(posenc(torch.tensor([[0.25, 0.5]])).round(decimals=4), posenc(torch.rand(3, 4, 2)).shape)
sigma, dts = torch.rand(2, 5), torch.full((2, 5), 0.2)
alpha = 1 - torch.exp(-sigma * dts)
T = torch.cumprod(torch.cat([torch.ones(2, 1), 1 - alpha + 1e-10], -1), -1)[:, :-1]
w = alpha * T
print(w.sum(-1) <= 1, w.shape, torch.sum(w[..., None] * torch.rand(2, 5, 3), -2).shape)
q, k, v = (torch.rand(1, 2, 6, 4) for _ in range(3))
phi = lambda t: F.elu(t) + 1
kv = torch.einsum("bhnd,bhne->bhde", phi(k), v)
z = 1 / torch.einsum("bhnd,bhd->bhn", phi(q), phi(k).sum(2))
lin = torch.einsum("bhnd,bhde,bhn->bhne", phi(q), kv, z)
full = phi(q) @ phi(k).mT
print(
    torch.allclose(lin, full / full.sum(-1, keepdim=True) @ v, atol=1e-5),
    lin.stride(),
    torch.einsum("...ij,...jk", q, k.mT).shape,
    torch.einsum("ii->i", torch.eye(3)),
    torch.einsum("bij->bji", torch.rand(1, 2, 3)).shape,
)
hv = torch.sign(torch.randn(3, 1000))
bound = hv[0] * hv[1]
print(
    (bound * hv[1]).equal(hv[0]),
    F.cosine_similarity(hv[0:1], hv[1:]).abs() < 0.2,
    torch.fft.ifft(torch.fft.fft(hv[0]).conj() * torch.fft.fft(hv[0])).real.argmax(),
)
