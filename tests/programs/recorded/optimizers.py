"""Adafactor, Muon, and what optimizers refuse. PyTorch 2.15 recorded `optimizers.txt` from this file."""

import torch
from torch import nn


def say(name, f):
    try:
        r = str(f())
    except Exception as e:
        r = f"{type(e).__name__}: {e}"
    print(name, "->", r)


def train(make, bias=True, dtype=torch.float32):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 4, bias=bias), nn.Tanh(), nn.Linear(4, 2, bias=bias)).to(dtype)
    opt = make(net.parameters())
    x, y = torch.randn(8, 3, dtype=dtype), torch.randn(8, 2, dtype=dtype)
    losses = []
    for _ in range(6):
        opt.zero_grad()
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return [round(l, 3) for l in losses], opt, {k: sorted(v) for k, v in opt.state_dict()["state"].items()}, net[0].weight


for options in ({}, {"lr": 0.1}, {"d": 2.0, "weight_decay": 0.1}, {"eps": (1e-6, 1e-2)}, {"maximize": True}, {"beta2_decay": -0.5}, {"lr": torch.tensor(0.05)}):
    say(f"Adafactor {options}", lambda: train(lambda p: torch.optim.Adafactor(p, **options)))
for options in ({}, {"lr": 0.02}, {"nesterov": False}, {"adjust_lr_fn": "match_rms_adamw"}, {"adjust_lr_fn": "spectral_unclamped"}, {"momentum": 0.5, "weight_decay": 0.0}, {"ns_steps": 2}):
    say(f"Muon {options}", lambda: train(lambda p: torch.optim.Muon(p, **options), bias=False)[1:3])
p = [torch.nn.Parameter(torch.ones(2, 2))]
for make in (
    lambda: torch.optim.Adafactor(p, lr=-1), lambda: torch.optim.Adafactor(p, beta2_decay=1.), lambda: torch.optim.Adafactor(p, eps=(-1, 1)), lambda: torch.optim.Adafactor(p, eps=(None, -1)),
    lambda: torch.optim.Adafactor(p, d=0.5), lambda: torch.optim.Adafactor(p, weight_decay=-1), lambda: torch.optim.Adafactor(p, lr=torch.ones(2)),
    lambda: torch.optim.Muon(p, lr=-1), lambda: torch.optim.Muon(p, momentum=-1), lambda: torch.optim.Muon(p, weight_decay=-1), lambda: torch.optim.Muon(p, adjust_lr_fn="x"),
    lambda: torch.optim.Muon([torch.nn.Parameter(torch.ones(2))]), lambda: torch.optim.Muon(p, ns_steps=100), lambda: torch.optim.SparseAdam(p, lr=0.), lambda: torch.optim.SparseAdam(p),
    lambda: torch.optim.SparseAdam([torch.nn.Parameter(torch.ones(2, dtype=torch.complex64))]),
    lambda: torch.optim.SGD([("a", p[0]), torch.nn.Parameter(torch.ones(1))]), lambda: torch.optim.SGD(p, lr=torch.ones(2)), lambda: torch.optim.ASGD(p, lambd=-1), lambda: torch.optim.ASGD(p, alpha=-1),
    lambda: torch.optim.Adam(p, betas=(0.9, torch.tensor(0.9))), lambda: torch.optim.Adam(p, betas=(1, 0.9)), lambda: torch.optim.Adam(p, betas=(torch.tensor(0.9), torch.tensor(0.99)), foreach=True),
    lambda: torch.optim.Adam(p, betas=(torch.tensor(0.9), torch.ones(2) * 0.9)), lambda: torch.optim.Adam([("a", p[0])]).add_param_group({"params": [torch.nn.Parameter(torch.ones(1))]}),
    lambda: torch.optim.Adam(p).add_param_group({"params": [("a", torch.nn.Parameter(torch.ones(1)))]}), lambda: torch.optim.RMSprop(p, lr=torch.ones(3)), lambda: torch.optim.NAdam(p, lr=torch.ones(3)),
):
    say("refused", make)
p[0].grad = torch.ones(2, 2)
say("dense", lambda: torch.optim.SparseAdam(p).step())
say("betas", lambda: torch.optim.Adam(p, betas=(torch.tensor(0.5), torch.tensor(0.75))).param_groups[0]["betas"])
for m in (lambda: nn.BatchNorm1d(2, eps=0.)(torch.randn(3, 2)), lambda: nn.BatchNorm1d(2, eps=0.).eval()(torch.zeros(1, 2)).shape, lambda: nn.CircularPad1d(1)(torch.ones(2, 3, 4, 5)), lambda: nn.CircularPad2d(1)(torch.ones(2)), lambda: nn.Softmax(1.5), lambda: nn.LogSoftmax(True), lambda: nn.HuberLoss(delta=1j)):
    say("module", m)
