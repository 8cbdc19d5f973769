"""Optimizers with `capturable=True`: they count on the device, one by one as in a graph, and give what they give when the host
counts."""

import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore", message="This instance was constructed with capturable=True")

MADE = {
    "Adam": lambda p, **k: torch.optim.Adam(p, lr=0.01, weight_decay=0.1, **k),
    "Adam amsgrad": lambda p, **k: torch.optim.Adam(p, lr=0.01, betas=(0.6, 0.95), amsgrad=True, maximize=True, **k),
    "AdamW": lambda p, **k: torch.optim.AdamW(p, lr=0.01, betas=(0.0, 0.99), **k),
    "RMSprop": lambda p, **k: torch.optim.RMSprop(p, lr=0.01, momentum=0.9, centered=True, **k),
    "Adadelta": lambda p, **k: torch.optim.Adadelta(p, lr=0.1, **k),
    "Adamax": lambda p, **k: torch.optim.Adamax(p, lr=0.01, weight_decay=0.1, **k),
    "NAdam": lambda p, **k: torch.optim.NAdam(p, lr=0.01, weight_decay=0.1, decoupled_weight_decay=True, **k),
    "RAdam": lambda p, **k: torch.optim.RAdam(p, lr=0.01, **k),
    "RAdam short": lambda p, **k: torch.optim.RAdam(p, lr=0.01, betas=(0.5, 0.6), **k),
    "ASGD": lambda p, **k: torch.optim.ASGD(p, lr=0.01, lambd=0.1, t0=3, **k),
    "Rprop": lambda p, **k: torch.optim.Rprop(p, lr=0.01, **k),
}

torch.manual_seed(0)
FIRST = [torch.randn(5), torch.randn(2, 3)]
GRADS = [[torch.randn(5), torch.randn(2, 3)] for _ in range(9)]


class Training:
    """Parameters and an optimizer, given gradients that stay at their addresses."""

    def __init__(self, make, dtypes=(torch.float32, torch.float32), **options):
        self.params = [nn.Parameter(t.to("cuda", d)) for t, d in zip(FIRST, dtypes)]
        for p in self.params:
            p.grad = torch.zeros_like(p)
        self.optimizer = make(self.params, **options)

    def give(self, grads):
        for p, g in zip(self.params, grads):
            if p.grad is not None:
                p.grad.copy_(g)

    def steps(self, count, begin=0):
        for grads in GRADS[begin:begin + count]:
            self.give(grads)
            self.optimizer.step()

    def replays(self, begin=3):
        """The rest of the steps as replays of one graph."""
        self.steps(begin)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.optimizer.step()
        for grads in GRADS[begin:]:
            self.give(grads)
            graph.replay()

    def values(self):
        return [p.detach().float().cpu() for p in self.params]

    def state(self):
        return [{k: v.tolist() for k, v in self.optimizer.state[p].items()} for p in self.params]


def apart(a, b):
    return max((x - y).abs().max().item() for x, y in zip(a.values(), b.values()))


for name, make in MADE.items():
    host, device, graph = Training(make), Training(make, capturable=True), Training(make, capturable=True)
    host.steps(9)
    device.steps(9)
    graph.replays()
    step = graph.optimizer.state[graph.params[0]]["step"]
    print(
        name, apart(host, device) < 1e-6, graph.values()[0].tolist() == device.values()[0].tolist(), graph.state() == device.state(),
        step.item(), step.device, step.dtype,
    )

# Parameters of several dtypes in one group, and one whose gradient is missing at first.
mixed = (torch.float16, torch.bfloat16)
host, graph = Training(MADE["AdamW"], mixed), Training(MADE["AdamW"], mixed, capturable=True)
host.steps(9)
graph.replays()
print(apart(host, graph) == 0, [p.dtype for p in graph.params])
late = Training(MADE["Adam"], capturable=True)
kept, late.params[1].grad = late.params[1].grad, None
late.steps(2)
late.params[1].grad = kept
late.steps(1, 2)
print([late.optimizer.state[p]["step"].item() for p in late.params])

# A state that is saved and loaded goes on where it was; what the host counted is counted on the device from there.
whole, half = Training(MADE["Adam amsgrad"], capturable=True), Training(MADE["Adam amsgrad"], capturable=True)
whole.steps(9)
half.steps(4)
for saved in (half.optimizer.state_dict(), None):
    loaded = Training(MADE["Adam amsgrad"], capturable=True)
    if saved is None:
        plain = Training(MADE["Adam amsgrad"])
        plain.steps(4)
        saved = plain.optimizer.state_dict()
        saved["param_groups"][0]["capturable"] = True
    loaded.optimizer.load_state_dict(saved)
    for p, q in zip(loaded.params, half.params):
        p.detach().copy_(q.detach())
    loaded.steps(5, 4)
    state = loaded.optimizer.state[loaded.params[0]]
    print(apart(loaded, whole) < 1e-6, state["step"].item(), state["step"].device, state["step"].dtype)

# A learning rate on the device is read at each replay; one on the CPU is a number.
for name in ("Adam", "AdamW", "RMSprop"):
    kind = {"Adam": torch.optim.Adam, "AdamW": torch.optim.AdamW, "RMSprop": torch.optim.RMSprop}[name]
    host = Training(kind, lr=0.5, foreach=False)
    rate = torch.tensor(0.5, device="cuda")
    device = Training(lambda p, **k: kind(p, **k), lr=0.5, capturable=True)
    device.optimizer.param_groups[0]["lr"] = rate
    device.steps(2)
    host.steps(2)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        device.optimizer.step()
    for i, lr in enumerate((0.25, 0.125, 0.5)):
        host.optimizer.param_groups[0]["lr"] = lr
        rate.fill_(lr)
        host.steps(1, 2 + i)
        device.give(GRADS[2 + i])
        graph.replay()
    print(name, apart(host, device) < 2e-6)
print(torch.optim.Adam([nn.Parameter(FIRST[0].cuda())], lr=torch.tensor(0.01), capturable=True).defaults["lr"])


def said(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
    else:
        print("no error")


p = [nn.Parameter(FIRST[0].cuda())]
said(lambda: torch.optim.Adam(p, lr=torch.ones(2)))
said(lambda: torch.optim.Adam(p, lr=torch.tensor(0.01), foreach=True))
said(lambda: torch.optim.Adam(p, lr=torch.tensor(-1.0)))

# What is not on a GPU is refused, before anything is changed.
for name in MADE:
    on_host = nn.Parameter(FIRST[0].clone())
    on_host.grad = torch.ones(5)
    said(MADE[name]([on_host], capturable=True).step)
    moved = Training(MADE[name], capturable=True)
    moved.steps(1)
    state = moved.optimizer.state[moved.params[0]]
    state["step"] = state["step"].cpu()
    said(moved.optimizer.step)
