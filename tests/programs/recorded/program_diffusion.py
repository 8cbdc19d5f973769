"""DDPM on points, flow matching, RealNVP, EMA. PyTorch 2.15 recorded `program_diffusion.txt` from this file."""

import copy
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn, get_ema_avg_fn, SWALR, update_bn
from torch.optim.lr_scheduler import (
    LambdaLR,
    CosineAnnealingLR,
    LinearLR,
    SequentialLR,
    ChainedScheduler,
    ExponentialLR,
)

torch.manual_seed(0)


class SinusoidalPosEmb(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        half = self.dim // 2
        e = math.log(10000) / (half - 1)
        e = torch.exp(torch.arange(half, device=x.device) * -e)
        e = x[:, None] * e[None, :]
        return torch.cat((e.sin(), e.cos()), dim=-1)


class Denoiser(nn.Module):
    def __init__(self, d=2, h=32):
        super().__init__()
        self.time = nn.Sequential(SinusoidalPosEmb(8), nn.Linear(8, h), nn.Mish())
        self.inp, self.mid, self.out = nn.Linear(d, h), nn.Linear(h, h), nn.Linear(h, d)

    def forward(self, x, t):
        h = F.mish(self.inp(x)) + self.time(t)
        return self.out(F.mish(self.mid(h)) + h)


def linear_beta_schedule(T):
    return torch.linspace(1e-4, 0.2, T)


def cosine_beta_schedule(T, s=0.008):
    x = torch.linspace(0, T, T + 1)
    ac = torch.cos(((x / T) + s) / (1 + s) * torch.pi * 0.5) ** 2
    ac = ac / ac[0]
    return torch.clip(1 - (ac[1:] / ac[:-1]), 0.0001, 0.9999)


def extract(a, t, shape):
    return a.gather(-1, t).reshape(t.shape[0], *((1,) * (len(shape) - 1)))


class Diffusion(nn.Module):
    def __init__(self, model, T=20, schedule="linear"):
        super().__init__()
        self.model, self.T = model, T
        betas = {"linear": linear_beta_schedule, "cosine": cosine_beta_schedule}[schedule](T)
        alphas = 1.0 - betas
        ac = torch.cumprod(alphas, dim=0)
        prev = F.pad(ac[:-1], (1, 0), value=1.0)
        for n, v in dict(
            betas=betas,
            ac=ac,
            sqrt_ac=ac.sqrt(),
            sqrt_om=(1 - ac).sqrt(),
            sqrt_recip=(1 / alphas).sqrt(),
            var=betas * (1 - prev) / (1 - ac),
        ).items():
            self.register_buffer(n, v)

    def q_sample(self, x0, t, noise):
        return extract(self.sqrt_ac, t, x0.shape) * x0 + extract(self.sqrt_om, t, x0.shape) * noise

    def forward(self, x0):
        t = torch.randint(0, self.T, (x0.shape[0],))
        noise = torch.randn_like(x0)
        return F.mse_loss(self.model(self.q_sample(x0, t, noise), t), noise)

    @torch.no_grad()
    def sample(self, n):
        x = torch.randn(n, 2)
        for i in reversed(range(self.T)):
            t = torch.full((n,), i, dtype=torch.long)
            mean = extract(self.sqrt_recip, t, x.shape) * (
                x - extract(self.betas, t, x.shape) * self.model(x, t) / extract(self.sqrt_om, t, x.shape)
            )
            x = mean if i == 0 else mean + extract(self.var, t, x.shape).sqrt() * torch.randn_like(x)
        return x


d = Diffusion(Denoiser())
print(d, [n for n, _ in d.named_buffers()])
print(d.ac[:4], cosine_beta_schedule(8))
ema = AveragedModel(d.model, multi_avg_fn=get_ema_multi_avg_fn(0.9))
print(type(ema).__name__, ema.n_averaged, [k for k in ema.state_dict()][:3])
opt = torch.optim.AdamW(d.parameters(), lr=1e-2, weight_decay=1e-4)
sched = SequentialLR(
    opt, [LinearLR(opt, 0.1, total_iters=4), CosineAnnealingLR(opt, T_max=12, eta_min=1e-4)], milestones=[4]
)
data = torch.randn(64, 2) * 0.1 + torch.tensor([1.0, -1.0])
lrs = []
for i in range(12):
    opt.zero_grad()
    l = d(data)
    l.backward()
    opt.step()
    sched.step()
    ema.update_parameters(d.model)
    lrs.append(f"{sched.get_last_lr()[0]:.5f}")
print(lrs)
print(ema.n_averaged, f"{l.item():.3f}", sched.state_dict().keys(), sched._milestones)
print(
    d.sample(5).shape,
    [round(v, 2) for v in (ema.module.inp.weight - d.model.inp.weight).abs().max().clamp(max=0).reshape(1).tolist()],
)
print(isinstance(ema.module, Denoiser), ema.module is d.model)


class Coupling(nn.Module):
    def __init__(self, dim, mask):
        super().__init__()
        self.register_buffer("mask", mask)
        self.s = nn.Sequential(nn.Linear(dim, 16), nn.LeakyReLU(), nn.Linear(16, dim), nn.Tanh())
        self.t = nn.Sequential(nn.Linear(dim, 16), nn.LeakyReLU(), nn.Linear(16, dim))

    def forward(self, x):
        xm = x * self.mask
        s, t = self.s(xm) * (1 - self.mask), self.t(xm) * (1 - self.mask)
        return xm + (1 - self.mask) * (x * s.exp() + t), s.sum(-1)

    def inverse(self, y):
        ym = y * self.mask
        s, t = self.s(ym) * (1 - self.mask), self.t(ym) * (1 - self.mask)
        return ym + (1 - self.mask) * ((y - t) * (-s).exp())


class RealNVP(nn.Module):
    def __init__(self, k=4):
        super().__init__()
        self.flows = nn.ModuleList(Coupling(2, torch.tensor([i % 2, 1 - i % 2], dtype=torch.float32)) for i in range(k))
        self.register_buffer("loc", torch.zeros(2))
        self.register_buffer("cov", torch.eye(2))

    @property
    def prior(self):
        return torch.distributions.MultivariateNormal(self.loc, self.cov)

    def log_prob(self, x):
        ld = x.new_zeros(x.shape[0])
        for f in self.flows:
            x, l = f(x)
            ld += l
        return self.prior.log_prob(x) + ld


nvp = RealNVP()
print(nvp.prior, nvp.flows[0])
o = torch.optim.Adam(nvp.parameters(), lr=1e-2)
s = LambdaLR(o, lr_lambda=lambda e: 0.95**e)
for i in range(4):
    o.zero_grad()
    l = -nvp.log_prob(data).mean()
    l.backward()
    o.step()
    s.step()
    print(i, f"{l.item():.3f}", s.get_last_lr())
z = data
for f in nvp.flows:
    z, _ = f(z)
back = z
for f in reversed(nvp.flows):
    back = f.inverse(back)
print(torch.allclose(back, data, atol=1e-5), type(z.grad_fn).__name__, type(l.grad_fn).__name__, s.state_dict())
J = torch.autograd.functional.jacobian(lambda q: nvp.flows[0](q[None])[0][0], data[0])
print(torch.allclose(J.det().abs().log(), nvp.flows[0](data[:1])[1][0], atol=1e-5), J.shape)
swa = AveragedModel(nvp)
sw = SWALR(o, swa_lr=0.05, anneal_epochs=3)
for _ in range(4):
    swa.update_parameters(nvp)
    o.step()
    sw.step()
    print([round(v, 5) for v in sw.get_last_lr()], end=" ")
print(swa.n_averaged.item())
bnm = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
update_bn([data[:32], data[32:]], bnm)
print(bnm[1].num_batches_tracked, bnm[1].momentum, bnm[1])
try:
    SequentialLR(opt, [LinearLR(opt)], milestones=[1, 2])
except ValueError as e:
    print(e)
try:
    LinearLR(opt, start_factor=2.0)
except ValueError as e:
    print(e)
