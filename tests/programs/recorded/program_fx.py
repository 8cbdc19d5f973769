"""torch.fx passes, parametrizations, weight norm, state-dict hooks, module surgery. PyTorch 2.15 recorded `program_fx.txt` from this file."""

import operator
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.fx as fx
from torch.fx import symbolic_trace, GraphModule, Interpreter, Transformer, Proxy, replace_pattern
import torch.nn.utils.parametrize as P
from torch.nn.utils import parametrizations, weight_norm, remove_weight_norm, parameters_to_vector, vector_to_parameters
from torch.nn.utils.fusion import fuse_conv_bn_eval, fuse_linear_bn_eval

torch.manual_seed(0)


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2)
        self.lin = nn.Linear(2, 3)
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x, flag: bool = True):
        x = F.relu(self.bn(self.conv(x)))
        x = x.mean((-1, -2)) * self.scale
        x = torch.add(x, 1.0)
        return self.lin(x) + operator.neg(x).sum()


m = M().eval()
gm = symbolic_trace(m)
print(gm.code)
print(gm.graph)
for n in gm.graph.nodes:
    print(n.op, n.name, n.target if not callable(n.target) else n.target.__name__, n.args, n.kwargs, len(n.users))
x = torch.randn(2, 1, 5, 5)
print(torch.allclose(gm(x), m(x)), type(gm).__name__, isinstance(gm, GraphModule))
for n in gm.graph.nodes:
    if n.op == "call_function" and n.target is torch.add:
        with gm.graph.inserting_after(n):
            new = gm.graph.call_function(torch.mul, n.args, n.kwargs)
            n.replace_all_uses_with(new)
        gm.graph.erase_node(n)
gm.graph.lint()
print(gm.recompile().__class__.__name__, "torch.mul" in gm.code)


def fuse(model):
    model = fx.symbolic_trace(model)
    mods = dict(model.named_modules())
    for node in list(model.graph.nodes):
        if (
            node.op == "call_module"
            and isinstance(mods[node.target], nn.BatchNorm2d)
            and isinstance(mods.get(str(node.args[0].target)), nn.Conv2d)
        ):
            setattr(model, node.args[0].target, fuse_conv_bn_eval(mods[node.args[0].target], mods[node.target]))
            node.replace_all_uses_with(node.args[0])
            model.graph.erase_node(node)
    model.delete_all_unused_submodules()
    model.recompile()
    return model


fused = fuse(m)
print(fused, torch.allclose(fused(x), m(x), atol=1e-6))


class Shapes(Interpreter):
    def run_node(self, n):
        r = super().run_node(n)
        print(f"{n.op:14}{n.name:10}{tuple(r.shape) if isinstance(r, torch.Tensor) else r}")
        return r


Shapes(fused).run(x)


class Neg(Transformer):
    def call_function(self, target, args, kwargs):
        return super().call_function(
            torch.sigmoid if target is F.relu else target, args, {} if target is F.relu else kwargs
        )


print(Neg(symbolic_trace(m)).transform().code.count("sigmoid"))


def pat(a, b):
    return torch.cat([a, b]).sum()


def rep(a, b):
    return a.sum() + b.sum()


t = symbolic_trace(lambda a, b: pat(a, b) * 2)
print(len(replace_pattern(t, pat, rep)), t.code.strip())
g = fx.Graph()
a = g.placeholder("a")
b = g.call_function(torch.relu, (a,))
c = g.call_method("sum", (b,), {"dim": 0})
g.output(c)
print(g, GraphModule(nn.Module(), g)(torch.tensor([[-1.0, 2.0], [3.0, 4.0]])))
for f in (
    lambda x: x if x.sum() > 0 else -x,
    lambda x: [i for i in x],
    lambda x: len(x),
    lambda x: torch.zeros(x.shape[0]),
    lambda x: range(x),
    lambda x: bool(x),
    lambda x: x in [1],
):
    try:
        print(symbolic_trace(f).code.strip().split("\n")[-1])
    except Exception as e:
        print(type(e).__name__, str(e)[:100])


class Symmetric(nn.Module):
    def forward(self, X):
        return X.triu() + X.triu(1).transpose(-1, -2)

    def right_inverse(self, A):
        return A.triu()


class Exp(nn.Module):
    def forward(self, X):
        return torch.matrix_exp(X - X.mT)


lay = nn.Linear(3, 3)
P.register_parametrization(lay, "weight", Symmetric())
print(lay, lay.weight.allclose(lay.weight.T), type(lay).__name__, P.is_parametrized(lay), list(lay.state_dict()))
P.register_parametrization(lay, "weight", Exp())
print(
    lay.parametrizations.weight,
    (lay.weight.T @ lay.weight).allclose(torch.eye(3), atol=1e-5),
    lay.parametrizations.weight.original.shape,
)
with P.cached():
    print(lay.weight is lay.weight)
print(lay.weight is lay.weight)
P.remove_parametrizations(lay, "weight", leave_parametrized=True)
print(lay, list(lay.state_dict()))
ortho = parametrizations.orthogonal(nn.Linear(4, 2))
print((ortho.weight @ ortho.weight.T).allclose(torch.eye(2), atol=1e-5), ortho)
wn = parametrizations.weight_norm(nn.Linear(3, 2), dim=0)
print(wn, {k: tuple(v.shape) for k, v in wn.state_dict().items()})
sn = parametrizations.spectral_norm(nn.Linear(3, 2))
print([n for n, _ in sn.named_buffers()], torch.linalg.matrix_norm(sn.weight, 2) < 1.5)
import warnings

with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    old = weight_norm(nn.Linear(3, 2))
    print(w and w[0].category.__name__, old, list(old.state_dict()))
    print(remove_weight_norm(old))
for f in (
    lambda: P.register_parametrization(nn.Linear(2, 2), "nope", Symmetric()),
    lambda: P.register_parametrization(nn.Linear(2, 3), "weight", nn.Flatten(0)),
    lambda: setattr(ortho, "weight", torch.zeros(2, 4)),
    lambda: P.remove_parametrizations(lay, "weight"),
    lambda: parametrizations.orthogonal(nn.Linear(2, 2), "bias"),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e)[:300])
vec = parameters_to_vector(m.parameters())
print(vec.shape, type(vec.grad_fn).__name__)
vector_to_parameters(torch.zeros_like(vec), m.parameters())
print(sum(p.abs().sum() for p in m.parameters()), m.state_dict().keys())


class Renamed(nn.Module):
    def __init__(self):
        super().__init__()
        self.new = nn.Linear(1, 1)
        self.register_load_state_dict_pre_hook(self._rename)
        self.register_state_dict_post_hook(
            lambda mod, sd, prefix, meta: sd.__setitem__(prefix + "marker", torch.tensor(1))
        )

    @staticmethod
    def _rename(mod, sd, prefix, *args):
        for k in list(sd):
            if k.startswith(prefix + "old."):
                sd[prefix + "new." + k[len(prefix) + 4 :]] = sd.pop(k)
        sd.pop(prefix + "marker", None)


r = Renamed()
print(
    dict(r.state_dict()), r.load_state_dict({"old.weight": torch.ones(1, 1), "old.bias": torch.zeros(1)}), r.new.weight
)
print(
    r.register_load_state_dict_post_hook(lambda mod, inc: inc.missing_keys.clear()).__class__.__name__,
    r.load_state_dict({}),
    dict(r.state_dict()._metadata),
)
