"""Parametrizations, normalized weights, averaged models. PyTorch 2.15 recorded `parametrize.txt` from this file."""

import copy, torch, warnings
from torch import nn
import torch.nn.utils.parametrize as P
from torch.nn.utils import parametrizations as Z
import torch.nn.utils
def say(name, f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        try: r = str(f())
        except Exception as e: r = f"{type(e).__name__}: {e}"
    print(name, "->", r)
    for x in w: print("   warns", x.category.__name__, x.message)
class Sym(nn.Module):
    def forward(self, X): return X.triu() + X.triu(1).transpose(-1, -2)
class SymI(Sym):
    def right_inverse(self, A): return A.triu()
class Exp(nn.Module):
    def forward(self, X): return X.exp()
    def right_inverse(self, X): return X.log()
class Pair(nn.Module):
    def forward(self, a, b): return a * b
    def right_inverse(self, W): return W.abs(), W.sign()
class Bad(nn.Module):
    def forward(self, X): return 3
class BadShape(nn.Module):
    def forward(self, X): return X[0]
class BadType(nn.Module):
    def forward(self, X): return X.double()
torch.manual_seed(0)
m = nn.Linear(3, 3)
P.register_parametrization(m, "weight", Sym())
say("m", lambda: m); say("type", lambda: (type(m).__name__, type(m.weight), P.is_parametrized(m), P.is_parametrized(m, "bias"), P.type_before_parametrizations(m)))
say("w", lambda: m.weight); say("orig", lambda: m.parametrizations.weight.original); say("names", lambda: [n for n, _ in m.named_parameters()]); say("state", lambda: list(m.state_dict()))
say("call", lambda: m(torch.ones(1, 3))); m(torch.ones(1, 3)).sum().backward(); say("grad", lambda: m.parametrizations.weight.original.grad)
say("set", lambda: setattr(m, "weight", torch.ones(3, 3))); say("setp", lambda: setattr(m, "weight", nn.Parameter(torch.ones(3, 3))))
say("copy", lambda: copy.deepcopy(m).weight.equal(m.weight))
import pickle
say("pickle", lambda: len(pickle.dumps(m)))
with P.cached(): say("cached", lambda: m.weight is m.weight)
say("not", lambda: m.weight is m.weight)
say("rm", lambda: P.remove_parametrizations(m, "weight")); say("w", lambda: (m.weight, type(m)))
m = nn.Linear(2, 2)
P.register_parametrization(m, "weight", SymI()); P.register_parametrization(m, "weight", Exp()); say("m", lambda: m); say("w", lambda: m.weight)
m.weight = torch.tensor([[1., 2.], [2., 4.]]); say("w", lambda: m.weight); say("rm", lambda: P.remove_parametrizations(m, "weight", leave_parametrized=False).weight)
m = nn.Linear(2, 2); P.register_parametrization(m, "weight", Pair()); say("m", lambda: (m, list(m.state_dict()))); say("rm", lambda: P.remove_parametrizations(m, "weight", leave_parametrized=False)); say("rm", lambda: P.remove_parametrizations(m, "weight"))
for b in (Bad(), BadShape(), BadType()): say("bad", lambda: P.register_parametrization(nn.Linear(2, 2), "weight", b))
say("bad", lambda: P.register_parametrization(nn.Linear(2, 2), "x", Sym())); say("bad", lambda: P.remove_parametrizations(nn.Linear(2, 2), "weight")); say("unsafe", lambda: P.register_parametrization(nn.Linear(2, 2), "weight", BadShape(), unsafe=True).weight.shape); say("none", lambda: P.ParametrizationList([], torch.ones(2)))
a, b = nn.Linear(2, 2), nn.Linear(2, 2); P.register_parametrization(a, "weight", Sym()); say("transfer", lambda: P.transfer_parametrizations_and_params(a, b).weight.equal(a.weight))
m2 = nn.Linear(3, 3); P.register_parametrization(m2, "weight", Sym()); m3 = nn.Linear(3, 3); say("load", lambda: m3.load_state_dict(m2.state_dict()))
for kind in (None, "matrix_exp", "cayley", "householder", "x"):
    for shape in ((3, 3), (2, 4), (4, 2)):
        for t in (True, False):
            torch.manual_seed(1)
            def f():
                m = Z.orthogonal(nn.Linear(*shape), orthogonal_map=kind, use_trivialization=t)
                W = m.weight; n = W if W.size(0) <= W.size(1) else W.T
                (W * torch.arange(W.numel()).view_as(W)).sum().backward()
                return m, (n @ n.T).detach().round(decimals=4) + 0., W, m.parametrizations.weight.original.grad
            say(f"orth {kind} {shape} {t}", f)
m = Z.orthogonal(nn.Linear(3, 3)); torch.manual_seed(3); q = torch.linalg.qr(torch.randn(3, 3))[0]; m.weight = q; say("assign", lambda: (m.weight - q).abs().max() < 1e-5); say("wrong", lambda: setattr(m, "weight", torch.ones(2, 2)))
opt = torch.optim.SGD(m.parameters(), lr=.1)
for _ in range(3): opt.zero_grad(); (m(torch.ones(1, 3)) ** 2).sum().backward(); opt.step()
say("trained", lambda: m.weight)
say("e", lambda: Z.orthogonal(nn.Linear(2, 2), "bias")); say("e", lambda: Z.orthogonal(nn.Linear(2, 2), "x"))
for dim in (0, 1, None):
    torch.manual_seed(1); m = Z.weight_norm(nn.Linear(2, 3), dim=dim); say("wn", lambda: (m, m.weight, dict(m.state_dict()))); m(torch.ones(1, 2)).pow(2).sum().backward(); say("g", lambda: [p.grad for p in m.parameters()])
say("old names", lambda: m.load_state_dict({"bias": torch.ones(3), "weight_g": torch.ones(()), "weight_v": torch.ones(3, 2)})); say("w", lambda: m.weight)
for mod in (lambda: nn.Linear(2, 3), lambda: nn.Conv2d(2, 3, 2), lambda: nn.ConvTranspose2d(2, 3, 2)):
    torch.manual_seed(1); m = Z.spectral_norm(mod()); say("sn", lambda: (m, m.weight, list(m.state_dict()), m.parametrizations.weight[0]._u)); m.weight.pow(3).sum().backward(); say("g", lambda: m.parametrizations.weight.original.grad); m.eval(); say("eval", lambda: m.weight.equal(m.weight)); say("rm", lambda: P.remove_parametrizations(m, "weight"))
say("e", lambda: Z.spectral_norm(nn.Linear(2, 2), n_power_iterations=0)); say("e", lambda: Z.spectral_norm(nn.Linear(2, 2), dim=2)); say("e", lambda: Z.spectral_norm(nn.Linear(2, 2), "x")); say("1d", lambda: Z.spectral_norm(nn.Linear(2, 2), "bias").bias.norm())
print("==== old")
U = torch.nn.utils
torch.manual_seed(1); m = nn.Linear(2, 3); say("wn", lambda: U.weight_norm(m)); say("s", lambda: dict(m.state_dict())); say("w", lambda: (m.weight, type(m.weight))); say("twice", lambda: U.weight_norm(m)); m(torch.ones(1, 2)).pow(2).sum().backward(); say("g", lambda: m.weight_v.grad); say("rm", lambda: U.remove_weight_norm(m)); say("rm", lambda: U.remove_weight_norm(m)); say("s", lambda: dict(m.state_dict()))
torch.manual_seed(1); m = nn.Linear(2, 3); say("sn", lambda: U.spectral_norm(m)); say("call", lambda: m(torch.ones(1, 2))); say("s", lambda: dict(m.state_dict())); m(torch.ones(1, 2)).pow(2).sum().backward(); say("g", lambda: m.weight_orig.grad); say("twice", lambda: U.spectral_norm(m)); say("rm", lambda: U.remove_spectral_norm(m).weight); say("rm", lambda: U.remove_spectral_norm(m))
print("==== swa")
from torch.optim.swa_utils import *
torch.manual_seed(0)
for kw in (dict(), dict(avg_fn=get_ema_avg_fn(.9)), dict(multi_avg_fn=get_ema_multi_avg_fn(.9)), dict(multi_avg_fn=get_swa_multi_avg_fn()), dict(use_buffers=True), dict(avg_fn=lambda a, b, n: .5 * a + .5 * b)):
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)); avg = AveragedModel(net, **kw); opt = torch.optim.SGD(net.parameters(), lr=.01)
    for i in range(4): opt.zero_grad(); net(torch.randn(8, 2)).pow(3).sum().backward(); opt.step(); avg.update_parameters(net)
    say("avg", lambda: (avg, avg.n_averaged, dict(avg.state_dict()))); update_bn([torch.randn(8, 2) for _ in range(3)], avg); say("bn", lambda: (avg.module[1].running_mean, avg.module[1].running_var, avg.module[1].momentum)); say("out", lambda: avg(torch.ones(2, 2)))
say("e", lambda: get_ema_avg_fn(2.)); say("e", lambda: get_ema_multi_avg_fn(-1.)); say("e", lambda: AveragedModel(net, avg_fn=1, multi_avg_fn=2))
for strat in ("cos", "linear"):
    for epochs in (0, 1, 4):
        opt = torch.optim.SGD([{"params": nn.Linear(1, 1).parameters(), "lr": .5}, {"params": nn.Linear(1, 1).parameters()}], lr=1.); s = SWALR(opt, swa_lr=.05, anneal_strategy=strat, anneal_epochs=epochs); out = []
        for _ in range(6): opt.step(); s.step(); out.append([round(x, 5) for x in s.get_last_lr()])
        say("swalr", lambda: out)
say("e", lambda: SWALR(opt, .1, anneal_strategy="x")); say("e", lambda: SWALR(opt, .1, anneal_epochs=-1)); say("e", lambda: SWALR(opt, [.1]))
