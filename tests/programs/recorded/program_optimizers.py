"""Optimizers from scratch on torch.optim.Optimizer: Lion, SAM, Lookahead, per-layer groups, states printed. PyTorch 2.15 recorded `program_optimizers.txt` from this file."""

import math
from collections import defaultdict
import torch
from torch import nn
from torch.optim import Optimizer
import torch.nn.functional as F

torch.manual_seed(0)


class Lion(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.99), weight_decay=0.0):
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                p.mul_(1 - group["lr"] * group["weight_decay"])
                state = self.state[p]
                if len(state) == 0:
                    state["exp_avg"] = torch.zeros_like(p, memory_format=torch.preserve_format)
                avg = state["exp_avg"]
                b1, b2 = group["betas"]
                update = avg * b1 + p.grad * (1 - b1)
                p.add_(torch.sign(update), alpha=-group["lr"])
                avg.mul_(b2).add_(p.grad, alpha=1 - b2)
        return loss


class SAM(Optimizer):
    def __init__(self, params, base, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base = base(self.param_groups, **kw)
        self.param_groups = self.base.param_groups
        self.defaults.update(self.base.defaults)

    @torch.no_grad()
    def first_step(self):
        n = torch.norm(
            torch.stack([p.grad.norm(p=2) for g in self.param_groups for p in g["params"] if p.grad is not None]), p=2
        )
        for g in self.param_groups:
            for p in g["params"]:
                e = p.grad * (g["rho"] / (n + 1e-12))
                p.add_(e)
                self.state[p]["e"] = e
        self.zero_grad()

    @torch.no_grad()
    def second_step(self):
        for g in self.param_groups:
            for p in g["params"]:
                p.sub_(self.state[p]["e"])
        self.base.step()
        self.zero_grad()

    @torch.no_grad()
    def step(self, closure=None):
        closure = torch.enable_grad()(closure)
        self.first_step()
        closure()
        self.second_step()


class Adam2(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        defaults = dict(lr=lr, betas=betas, eps=eps)
        super(Adam2, self).__init__(params, defaults)

    def __setstate__(self, state):
        super().__setstate__(state)
        for g in self.param_groups:
            g.setdefault("amsgrad", False)

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                g, st = p.grad.data, self.state[p]
                if not st:
                    st["step"], st["m"], st["v"] = 0, torch.zeros_like(p.data), torch.zeros_like(p.data)
                st["step"] += 1
                b1, b2 = group["betas"]
                st["m"].mul_(b1).add_(g, alpha=1 - b1)
                st["v"].mul_(b2).addcmul_(g, g, value=1 - b2)
                denom = (st["v"].sqrt() / math.sqrt(1 - b2 ** st["step"])).add_(group["eps"])
                p.data.addcdiv_(st["m"], denom, value=-group["lr"] / (1 - b1 ** st["step"]))


class Lookahead:
    def __init__(self, opt, k=2, alpha=0.5):
        self.opt, self.k, self.alpha, self.n = opt, k, alpha, 0
        self.slow = [[p.clone().detach() for p in g["params"]] for g in opt.param_groups]

    def step(self):
        self.opt.step()
        self.n += 1
        if self.n % self.k == 0:
            for g, ss in zip(self.opt.param_groups, self.slow):
                for p, s in zip(g["params"], ss):
                    s.add_(p.data - s, alpha=self.alpha)
                    p.data.copy_(s)


x = torch.randn(16, 3)
y = x @ torch.tensor([[1.0], [-2.0], [0.5]]) + 0.1


def run(make, steps=6):
    torch.manual_seed(1)
    m = nn.Linear(3, 1)
    o = make(m.parameters())

    def closure():
        (o.opt if isinstance(o, Lookahead) else o).zero_grad()
        l = F.mse_loss(m(x), y)
        l.backward()
        return l

    for _ in range(steps):
        l = closure()
        o.step(closure) if isinstance(o, (SAM,)) else o.step()
    return round(closure().item(), 4), [round(v, 4) for v in m.weight.flatten().tolist()]


O = torch.optim
for name, make in (
    ("lion", lambda p: Lion(p, lr=0.05)),
    ("sam", lambda p: SAM(p, O.SGD, lr=0.1, momentum=0.9)),
    ("adam2", lambda p: Adam2(p, lr=0.1)),
    ("adam", lambda p: O.Adam(p, lr=0.1)),
    ("look", lambda p: Lookahead(O.SGD(p, lr=0.1))),
    ("adamw", lambda p: O.AdamW(p, lr=0.1, weight_decay=0.1, amsgrad=True)),
    ("sgd", lambda p: O.SGD(p, lr=0.1, momentum=0.9, dampening=0.1, weight_decay=0.01)),
    ("nest", lambda p: O.SGD(p, lr=0.1, momentum=0.9, nesterov=True, maximize=False)),
    ("rms", lambda p: O.RMSprop(p, lr=0.05, centered=True, momentum=0.5)),
    ("adagrad", lambda p: O.Adagrad(p, lr=0.3, lr_decay=0.1)),
    ("adadelta", lambda p: O.Adadelta(p, lr=1.0)),
    ("adamax", lambda p: O.Adamax(p, lr=0.1)),
    ("nadam", lambda p: O.NAdam(p, lr=0.1)),
    ("radam", lambda p: O.RAdam(p, lr=0.1)),
    ("asgd", lambda p: O.ASGD(p, lr=0.1)),
    ("rprop", lambda p: O.Rprop(p, lr=0.05)),
    ("adafactor", lambda p: O.Adafactor(p, lr=0.1)),
    ("muon", lambda p: O.Muon([q for q in p if q.ndim == 2], lr=0.1)),
):
    try:
        print(name, run(make))
    except Exception as e:
        print(name, type(e).__name__, e)
net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))
decay, no = [], []
for n, p in net.named_parameters():
    (no if p.ndim < 2 or "bias" in n else decay).append(p)
opt = O.AdamW(
    [{"params": decay, "weight_decay": 0.1, "name": "decay"}, {"params": no, "weight_decay": 0.0, "lr": 1e-4}],
    lr=1e-3,
    fused=False,
    foreach=False,
)
print(opt, len(opt.param_groups), opt.param_groups[0]["name"], opt.defaults)
opt.add_param_group({"params": nn.Parameter(torch.zeros(2)), "lr": 0.5})
F.mse_loss(net(x), y).backward()
print(
    opt.step(),
    len(opt.state),
    [k for k in opt.state[decay[0]]],
    opt.state[decay[0]]["step"],
    opt.state[decay[0]]["exp_avg"].shape,
)
sd = opt.state_dict()
print(sd["param_groups"], sorted(sd["state"]), sd["state"][0]["step"].dtype)
h1 = opt.register_step_pre_hook(lambda o, a, k: print("pre", type(o).__name__, a, k))
h2 = opt.register_step_post_hook(lambda o, a, k: print("post"))
opt.step()
h1.remove(), h2.remove()
opt.zero_grad()
print(net[0].weight.grad, opt.zero_grad(set_to_none=False), Adam2(net.parameters()), Lion(net.parameters()))
for g in opt.param_groups:
    g["lr"] *= 0.1
print([g["lr"] for g in opt.param_groups], isinstance(opt.state, defaultdict), O.Optimizer.__name__)
w = torch.tensor([1.0, 2.0], requires_grad=True)
o = O.SGD([w], lr=0.1)
for i in range(2):
    w.pow(2).sum().backward()
    print(w.grad, end=" ")
    o.step()
print(w, type(w.grad_fn).__name__, o.state_dict())
with torch.no_grad():
    w -= 0.1 * w.grad
w.grad.zero_()
print(w, w.grad)
try:
    w -= 0.1
except RuntimeError as e:
    print(e)
try:
    w.add_(1)
except RuntimeError as e:
    print(e)
for f in (
    lambda: Lion(net.parameters(), lr=-1),
    lambda: Optimizer(net.parameters(), {}).step(),
    lambda: O.SGD(None, lr=0.1),
    lambda: O.Adam(net.parameters(), eps=-1),
    lambda: O.AdamW(net.parameters(), weight_decay=-1),
    lambda: opt.add_param_group({"params": decay}),
    lambda: opt.add_param_group([decay]),
    lambda: O.RMSprop(net.parameters(), alpha=-1),
    lambda: O.LBFGS([{"params": decay}, {"params": no}]),
    lambda: O.SGD([{"lr": 1}], lr=1),
    lambda: O.Adam(net.parameters(), fused=True, foreach=True),
    lambda: O.SGD(net.parameters(), lr=0.1, momentum=-0.5),
    lambda: O.LBFGS(net.parameters()).step(),
    lambda: O.SparseAdam(net.parameters()).step(),
    lambda: O.Foo,
    lambda: O.SGD(net.named_parameters(), lr=0.1).param_groups[0]["param_names"],
    lambda: O.SGD([w, w], lr=0.1) and "dup",
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
