"""A variational autoencoder on synthetic strokes. PyTorch 2.15 recorded `program_vae.txt` from this file."""

import argparse
import logging
import math
from dataclasses import dataclass, asdict, field
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split
from torch.distributions import Normal, kl_divergence, Independent

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s", force=True)
log = logging.getLogger("vae")
import sys

log.handlers = [logging.StreamHandler(sys.stdout)]
log.propagate = False
log.handlers[0].setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))


@dataclass
class Config:
    size: int = 8
    hidden: int = 32
    latent: int = 4
    lr: float = 3e-3
    epochs: int = 3
    betas: tuple = (0.9, 0.999)
    names: list = field(default_factory=lambda: ["recon", "kl"])


def data(n, size, g):
    xs = torch.zeros(n, 1, size, size)
    for i in range(n):
        r = torch.randint(0, size, (1,), generator=g).item()
        if i % 2:
            xs[i, 0, r, :] = 1.0
        else:
            xs[i, 0, :, r] = 1.0
    return xs


class Encoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1),
            nn.SiLU(),
            nn.Conv2d(8, 16, 3, stride=2, padding=1),
            nn.SiLU(),
            nn.Flatten(1),
        )
        n = 16 * (c.size // 4) ** 2
        self.mu, self.logvar = nn.Linear(n, c.latent), nn.Linear(n, c.latent)

    def forward(self, x):
        h = self.body(x)
        return self.mu(h), self.logvar(h)


class VAE(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.encoder = Encoder(c)
        self.decoder = nn.Sequential(
            nn.Linear(c.latent, 16 * (c.size // 4) ** 2),
            nn.SiLU(),
            nn.Unflatten(1, (16, c.size // 4, c.size // 4)),
            nn.ConvTranspose2d(16, 8, 4, 2, 1),
            nn.SiLU(),
            nn.ConvTranspose2d(8, 1, 4, 2, 1),
        )

    @staticmethod
    def reparameterize(mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + std * torch.randn_like(std)

    def forward(self, x):
        mu, logvar = self.encoder(x)
        z = self.reparameterize(mu, logvar)
        return self.decoder(z), mu, logvar

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, self.c.latent)
        return torch.sigmoid(self.decoder(z))

    def extra_repr(self):
        return f"latent={self.c.latent}"


def elbo(logits, x, mu, logvar, beta=1.0):
    recon = F.binary_cross_entropy_with_logits(logits, x, reduction="sum") / x.size(0)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp()) / x.size(0)
    return recon + beta * kl, recon.detach(), kl.detach()


def main(argv):
    p = argparse.ArgumentParser(prog="vae", description="A small VAE")
    p.add_argument("--epochs", type=int, default=3, help="epochs (default: %(default)s)")
    p.add_argument("--beta", type=float, default=1.0)
    p.add_argument("--no-cuda", action="store_true")
    p.add_argument("--optimizer", choices=["adam", "adamw"], default="adamw")
    a = p.parse_args(argv)
    print(a, vars(a))
    c = Config(epochs=a.epochs)
    print(c, asdict(c))
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(1)
    print(g.initial_seed(), g.device)
    xs = data(64, c.size, g)
    train, val = random_split(TensorDataset(xs), [0.75, 0.25], generator=torch.Generator().manual_seed(2))
    print(len(train), len(val), train.indices[:5], type(train).__name__)
    dl = DataLoader(train, batch_size=16, shuffle=True, drop_last=True)
    m = VAE(c)
    print(m)
    print(sum(p.numel() for p in m.parameters()), [tuple(p.shape) for p in m.parameters()][:4])
    opt = torch.optim.AdamW(m.parameters(), lr=c.lr, betas=c.betas)
    print(opt)
    for e in range(c.epochs):
        total = 0.0
        for (x,) in dl:
            opt.zero_grad(set_to_none=True)
            logits, mu, logvar = m(x)
            loss, r, k = elbo(logits, x, mu, logvar, a.beta)
            loss.backward()
            norm = nn.utils.clip_grad_norm_(m.parameters(), 5.0)
            opt.step()
            total += loss.item() * len(x)
        log.info("epoch %d loss %.3f recon %.2f kl %.3f norm %.2f", e, total / len(train), r, k, norm)
    m.eval()
    with torch.no_grad():
        x = torch.stack([val[i][0] for i in range(4)])
        mu, logvar = m.encoder(x)
        q = Independent(Normal(mu, (0.5 * logvar).exp()), 1)
        p_ = Independent(Normal(torch.zeros_like(mu), torch.ones_like(mu)), 1)
        print(q, p_.batch_shape, p_.event_shape)
        print(kl_divergence(q, p_).shape, q.log_prob(mu).shape, q.entropy().dtype)
        a_, b_ = kl_divergence(q, p_).sum(), -0.5 * (1 + logvar - mu**2 - logvar.exp()).sum()
        print(torch.allclose(a_, b_, atol=1e-5))
    s = m.sample(3)
    print(s.shape, s.requires_grad, bool((s > 0).all()), f"{s.mean():.2f}")
    print(loss, loss.grad_fn.name(), m.decoder[2], type(logits.grad_fn).__name__)
    try:
        m.decoder(torch.zeros(2, 5))
    except RuntimeError as e:
        print("error:", e)
    try:
        p.parse_args(["--help"])
    except SystemExit as e:
        print("exit", e.code)


main(["--epochs", "2", "--beta", "0.5"])
