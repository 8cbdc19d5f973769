"""Pruning, and products with Jacobians and Hessians. PyTorch 2.15 recorded `prune.txt` from this file."""

import torch, warnings
from torch import nn
import torch.nn.utils.prune as prune
import torch.autograd.functional as AF
from torch.autograd.functional import jacobian, hessian
def say(name, f):
    try: r = str(f())
    except Exception as e: r = f"{type(e).__name__}: {e}"
    print(name, "->", r)
def state(m): return {k: v for k, v in m.state_dict().items()}
for name, f in dict(l1=lambda m: prune.l1_unstructured(m, "weight", 2), l1f=lambda m: prune.l1_unstructured(m, "weight", .3), rnd=lambda m: prune.random_unstructured(m, "weight", .5), ln=lambda m: prune.ln_structured(m, "weight", .34, n=2, dim=0), ln1=lambda m: prune.ln_structured(m, "weight", 1, n=float("inf"), dim=-1), rs=lambda m: prune.random_structured(m, "weight", 1, dim=1), ident=lambda m: prune.identity(m, "bias"), mask=lambda m: prune.custom_from_mask(m, "bias", torch.tensor([1., 0., 1.])), l0=lambda m: prune.l1_unstructured(m, "weight", 0), scores=lambda m: prune.l1_unstructured(m, "weight", 2, importance_scores=torch.arange(12.).view(3, 4))).items():
    torch.manual_seed(0); m = nn.Linear(4, 3)
    say(name, lambda: f(m)); say("state", lambda: state(m)); say("w", lambda: (m.weight, m.bias)); say("hooks", lambda: [type(h).__name__ for h in m._forward_pre_hooks.values()]); say("names", lambda: [n for n, _ in m.named_parameters()])
    say("out", lambda: m(torch.ones(1, 4))); m(torch.ones(1, 4)).sum().backward(); say("grads", lambda: [p.grad for p in m.parameters()]); say("pruned", lambda: prune.is_pruned(m))
    n = "bias" if name in ("ident", "mask") else "weight"; say("again", lambda: prune.l1_unstructured(m, n, 1)); say("state", lambda: state(m)); say("hooks", lambda: [(type(h).__name__, len(h) if hasattr(h, "__len__") else 0) for h in m._forward_pre_hooks.values()])
    say("again", lambda: prune.ln_structured(m, "weight", 1, n=1, dim=0)); say("state", lambda: state(m))
    say("rm", lambda: prune.remove(m, n)); say("w", lambda: (m.weight, type(m.weight).__name__)); say("rm", lambda: prune.remove(m, n)); say("pruned", lambda: prune.is_pruned(m))
torch.manual_seed(0); net = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 2)); say("global", lambda: prune.global_unstructured([(net[0], "weight"), (net[2], "weight"), (net[0], "bias")], pruning_method=prune.L1Unstructured, amount=.4)); say("s", lambda: state(net)); say("global", lambda: prune.global_unstructured([(net[0], "weight"), (net[2], "weight")], pruning_method=prune.L1Unstructured, amount=2)); say("s", lambda: state(net))
opt = torch.optim.SGD(net.parameters(), lr=.1); net(torch.ones(1, 3)).sum().backward(); opt.step(); say("still", lambda: (net(torch.ones(1, 3)), net[0].weight))
m = nn.Linear(2, 2)
for f in (lambda: prune.l1_unstructured(m, "weight", 2.5), lambda: prune.l1_unstructured(m, "weight", -1), lambda: prune.l1_unstructured(m, "weight", "a"), lambda: prune.l1_unstructured(m, "weight", 5), lambda: prune.l1_unstructured(m, "x", 1), lambda: prune.ln_structured(m, "bias", 1, 2, 0), lambda: prune.ln_structured(m, "weight", 1, 2, 5), lambda: prune.global_unstructured(3, prune.L1Unstructured, amount=1), lambda: prune.global_unstructured([(m, "weight")], prune.LnStructured, amount=1, n=2), lambda: prune.global_unstructured([(m, "weight")], prune.L1Unstructured, importance_scores=3, amount=1), lambda: prune.custom_from_mask(m, "weight", torch.ones(3)), lambda: prune.l1_unstructured(m, "weight", 1, importance_scores=torch.ones(3)), lambda: prune.L1Unstructured(2).prune(torch.tensor([3., -1., 2.])), lambda: state(m), lambda: prune.PruningContainer(3)):
    say("e", f)
class Mine(prune.BasePruningMethod):
    PRUNING_TYPE = "unstructured"
    def compute_mask(self, t, default_mask):
        mask = default_mask.clone(); mask.view(-1)[::2] = 0; return mask
say("own", lambda: (Mine.apply(m, "weight"), m.weight)[1])
print("==== functional")
x, y = torch.tensor([1., 2.]), torch.tensor([3., 4.])
f = lambda a: a.exp().sum(); g = lambda a: a ** 2 * torch.tensor([1., 3.]); h = lambda a, b: (a * b.sum(), b ** 3); k = lambda a, b: (a ** 2 * b).sum(); lin = lambda a: (3 * a).sum(); con = lambda a: torch.ones(2); two = lambda a, b: (a * 2).sum()
for name, call in dict(
    jac=lambda: jacobian(f, x), jac2=lambda: jacobian(g, x), jac3=lambda: jacobian(h, (x, y)), jac4=lambda: jacobian(two, (x, y)), vec=lambda: jacobian(g, x, vectorize=True), vec2=lambda: jacobian(h, (x, y), vectorize=True), fwd=lambda: jacobian(g, x, strategy="forward-mode", vectorize=True), cg=lambda: jacobian(g, x.clone().requires_grad_(), create_graph=True).requires_grad,
    hes=lambda: hessian(f, x), hes2=lambda: hessian(k, (x, y)), hes3=lambda: hessian(lin, x), hes4=lambda: hessian(k, (x, y), vectorize=True), m=lambda: jacobian(lambda a: a.view(2, 1) @ a.view(1, 2), x).shape,
    vjp=lambda: AF.vjp(f, x), vjp2=lambda: AF.vjp(g, x, x), vjp3=lambda: AF.vjp(h, (x, y), (x, y)), jvp=lambda: AF.jvp(f, x, x), jvp2=lambda: AF.jvp(g, x, y), jvp3=lambda: AF.jvp(h, (x, y), (y, x)), vhp=lambda: AF.vhp(f, x, y), vhp2=lambda: AF.vhp(k, (x, y), (y, x)), hvp=lambda: AF.hvp(f, x, y), hvp2=lambda: AF.hvp(k, (x, y), (y, x)), one=lambda: AF.jvp(lambda a: a * 3, torch.tensor(2.)), cg2=lambda: AF.vjp(g, x.clone().requires_grad_(), x, create_graph=True),
    e1=lambda: AF.vjp(g, x), e2=lambda: AF.jvp(g, x), e3=lambda: AF.vhp(f, x), e4=lambda: AF.hvp(g, x, x), e5=lambda: AF.hvp(h, (x, y), (x, y)), e6=lambda: AF.vjp(g, x, torch.ones(3)), e7=lambda: AF.vjp(h, (x, y), x), e8=lambda: AF.jvp(h, (x, y), (x, torch.ones(3))), e9=lambda: AF.vjp(g, x, (x, x)), e10=lambda: jacobian(g, 3), e11=lambda: jacobian(g, (3,)), e12=lambda: jacobian(lambda a: 3, x), e13=lambda: jacobian(g, x, strategy="x"), e14=lambda: jacobian(g, x, strategy="forward-mode"), e15=lambda: jacobian(g, x, strategy="forward-mode", create_graph=True), e16=lambda: jacobian(g, x, strict=True, vectorize=True), e17=lambda: hessian(g, x), e18=lambda: hessian(h, (x, y)), e19=lambda: hessian(k, (x, y), outer_jacobian_strategy="x"),
    s1=lambda: jacobian(con, x, strict=True), s2=lambda: jacobian(two, (x, y), strict=True), s3=lambda: hessian(lin, x, strict=True), s4=lambda: AF.vjp(con, x, x, strict=True), s5=lambda: AF.vjp(two, (x, y), strict=True), s6=lambda: AF.jvp(lin, x, x, strict=True), s7=lambda: AF.vhp(lin, x, x, strict=True), s8=lambda: AF.hvp(lin, x, x, strict=True), s9=lambda: AF.jvp(con, x, x), s10=lambda: AF.vhp(lin, x, x), s11=lambda: jacobian(lin, x.clone().requires_grad_(), strict=True, create_graph=True)).items():
    say(name, call)
