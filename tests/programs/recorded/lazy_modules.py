"""Lazy modules: before their first input, at it, and after it. PyTorch 2.15 recorded `lazy_modules.txt` from this file."""

import copy, io, warnings, torch
from torch import nn

def say(name, f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        try: r = f()
        except Exception as e: r = f"{type(e).__name__}: {e}"
    print(name, "->", r)
    for x in w: print("   warns", x.category.__name__, x.message)
torch.manual_seed(0)
say("repr", lambda: nn.LazyLinear(3))
l = nn.LazyLinear(3)
say("weight", lambda: l.weight); say("bias", lambda: repr(l.bias))
say("state", lambda: dict(l.state_dict()))
say("shape", lambda: l.weight.shape)
for m in ("mean","numel","size","dim","sum","zero_","detach","clone","is_contiguous","requires_grad_","tolist","item","uniform_","normal_","stride","element_size","nelement", "data_ptr", "type"):
    say(m, lambda: getattr(l.weight, m)())
for p in ("device","dtype","requires_grad","grad","is_leaf","ndim","data","is_cuda","is_meta", "layout", "itemsize","nbytes", "_version", "grad_fn", "names"):
    say(p, lambda: getattr(l.weight, p))
import operator as o
for n,f in dict(add=lambda w: w+1, radd=lambda w: 1+w, mul=lambda w: w*2, matmul=lambda w: w@w, neg=lambda w:-w, eq=lambda w:w==1, lt=lambda w: w<1, getitem=lambda w:w[0], bool=bool, float=float, iadd=lambda w:w.__iadd__(1), iter=lambda w: iter(w), str=str, abs=abs, inv=lambda w: ~w, truediv=lambda w: w/2, setitem=lambda w: w.__setitem__(0,1)).items():
    say(n, lambda: f(l.weight))
say("deepcopy", lambda: copy.deepcopy(l).weight)
say("to", lambda: l.to(torch.float64).weight.dtype)
say("call", lambda: l(torch.ones(2,5)))
say("call", lambda: l(torch.ones(2,5, dtype=torch.float64)))
say("after", lambda: (l, type(l), type(l.weight), l.weight, l.bias.dtype, list(l.state_dict())))
say("hooks", lambda: (l._forward_pre_hooks, l._load_state_dict_pre_hooks, l._forward_pre_hooks_with_kwargs, sorted(k for k in l.__dict__ )))
for c in (nn.LazyConv1d, nn.LazyConv2d, nn.LazyConvTranspose1d, nn.LazyConvTranspose2d):
    torch.manual_seed(1)
    m = c(4, 3)
    say("r", lambda: m); say("r", lambda: list(m.state_dict()))
    n = 1 if "1d" in c.__name__ else 2
    x = torch.randn(2, 3, *[5]*n)
    say("out", lambda: m(x).sum(-1)); say("r", lambda:m); say("in", lambda: m(torch.randn(5)))
    m = c(4,3,padding=1,stride=2,bias=False, groups=2)
    say("r", lambda: m); say("bad", lambda: m(torch.randn(5)));say("bad", lambda: m(x))
    m = c(4,3); say("unb", lambda: m(torch.randn(3, *[5]*n)).shape)
for c in (nn.LazyBatchNorm1d, nn.LazyBatchNorm2d, nn.LazyBatchNorm3d, nn.LazyInstanceNorm1d, nn.LazyInstanceNorm2d):
    for kw in ({}, dict(affine=False), dict(track_running_stats=True, affine=True), dict(affine=True, track_running_stats=False), dict(eps=.1, momentum=None), dict(bias=False)):
        say("new", lambda: c(**kw))
        try: m = c(**kw)
        except Exception: continue
        print(dict(m.state_dict()))
        n = int(c.__name__[-2])
        x = torch.arange(2.*3*2**n).view(2,3,*[2]*n)
        say("out", lambda: m(x).flatten()[:6]); say("r", lambda:m); print(dict(m.state_dict()))
        say("bad", lambda: c(**kw)(torch.randn(5)))
say("types", lambda: nn.LazyBatchNorm1d().running_mean)
say("types", lambda: type(nn.LazyBatchNorm1d().running_mean).__mro__[:2])
b = nn.LazyBatchNorm1d(); b(torch.randn(4,3)); say("t", lambda: type(b.running_mean))
say("mro", lambda: nn.LazyLinear.__mro__[:2])
net = nn.Sequential(nn.LazyLinear(4), nn.ReLU(), nn.LazyLinear(2))
say("net", lambda: net)
for O in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
    say("opt", lambda: O(net.parameters(), lr=.1))
opt = torch.optim.SGD(net.parameters(), lr=.1)
say("step0", lambda: opt.step())
say("zero", lambda: opt.zero_grad())
net(torch.ones(2,3)).sum().backward()
say("step", lambda: opt.step()); print([p.grad.sum() for p in net.parameters()])
say("nump", lambda: sum(p.numel() for p in nn.LazyLinear(3).parameters()))
say("init", lambda: nn.init.xavier_uniform_(nn.LazyLinear(3).weight))
say("init", lambda: nn.init.zeros_(nn.LazyLinear(3).bias))
full = nn.Linear(3,4); lz = nn.LazyLinear(4)
say("load full into lazy", lambda: lz.load_state_dict(full.state_dict())); say("r", lambda: lz); say("w", lambda: torch.equal(lz.weight, full.weight))
say("call", lambda: lz(torch.ones(1,5)))
say("call", lambda: lz(torch.ones(1,3))); say("r", lambda: lz)
say("load lazy into full", lambda: full.load_state_dict(nn.LazyLinear(4).state_dict()))
say("load lazy into lazy", lambda: nn.LazyLinear(4).load_state_dict(nn.LazyLinear(4).state_dict()))
say("wrong", lambda: nn.LazyLinear(5).load_state_dict(nn.LazyLinear(4).state_dict()))
say("assign", lambda: nn.LazyLinear(4).load_state_dict(full.state_dict(), assign=True))
f = io.BytesIO(); torch.save(nn.LazyLinear(4).state_dict(), f); f.seek(0)
say("loaded", lambda: dict(torch.load(f, weights_only=False)))
say("up", lambda: nn.UninitializedParameter()); say("up", lambda: nn.UninitializedParameter(requires_grad=False, dtype=torch.float64).dtype)
say("ub", lambda: nn.UninitializedBuffer()); say("ub", lambda: nn.parameter.UninitializedBuffer(dtype=torch.int64).dtype)
u = nn.UninitializedParameter(); say("mat", lambda: u.materialize((2,2))); say("t", lambda: (type(u), u.shape, u.dtype))
u = nn.UninitializedBuffer(); say("mat", lambda: u.materialize((2,2), dtype=torch.float64)); say("t", lambda: (type(u), u.shape, u.dtype))
u = nn.UninitializedParameter(); say("mat", lambda: u.materialize((2,2), device="meta")); say("t", lambda: (type(u), u.shape, u.device))
class My(nn.modules.lazy.LazyModuleMixin, nn.Module):
    def __init__(self):
        super().__init__(); self.w = nn.UninitializedParameter(); self.register_buffer("b", nn.UninitializedBuffer())
    def forward(self, x): return x @ self.w
m = My(); say("my", lambda: m(torch.ones(2,3))); print(m, m.has_uninitialized_params())
class My2(My):
    cls_to_become = nn.Identity
    def initialize_parameters(self, x):
        self.w.materialize((x.shape[-1], 2))
m = My2(); say("my", lambda: m(torch.ones(2,3)))
class My3(My2):
    def initialize_parameters(self, x, k=1):
        super().initialize_parameters(x); self.b.materialize((k,))
m = My3(); say("my", lambda: m(torch.ones(2,3), k=4).shape)
m = My3(); say("my", lambda: m(torch.ones(2,3)).shape); say("m", lambda: m)
say("dp", lambda: nn.LazyLinear(2)._replicate_for_data_parallel())
say("lin", lambda: nn.LazyLinear(2, bias=False)); say("lin", lambda: nn.LazyLinear(2, bias=False)(torch.ones(3)).shape)
say("lin", lambda: nn.LazyLinear(2)(torch.tensor(1.)))
say("share", lambda: nn.LazyLinear(2).share_memory())
say("clip", lambda: nn.utils.clip_grad_norm_(nn.LazyLinear(2).parameters(), 1.))
say("p2v", lambda: nn.utils.parameters_to_vector(nn.LazyLinear(2).parameters()))
say("zg", lambda: nn.LazyLinear(2).zero_grad()); say("rg", lambda: nn.LazyLinear(2).requires_grad_(False))
say("half", lambda: nn.LazyLinear(2).half().weight.dtype)
say("train", lambda: nn.LazyLinear(2).eval().training)
say("reset", lambda: nn.LazyLinear(2).reset_parameters())
say("dtype", lambda: nn.LazyLinear(2, dtype=torch.float64)(torch.ones(1,2,dtype=torch.float64)).dtype)
say("meta", lambda: nn.LazyLinear(2, device="meta").weight.device)
say("meta", lambda: nn.LazyLinear(2).to("meta")(torch.ones(1,2, device="meta")))
