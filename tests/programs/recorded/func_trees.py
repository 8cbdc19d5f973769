# Functions of functions whose arguments and results are trees, and what torch.func refuses.
import torch
from torch import nn
from torch.func import (functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize,
                        replace_all_batch_norm_modules_, stack_module_state, vjp, vmap)
from torch.utils._pytree import tree_flatten, tree_leaves, tree_map, tree_structure, tree_unflatten

torch.manual_seed(0)
x = torch.arange(3.)
m = nn.Linear(3, 2)


def show(call):
    try:
        print("OK", call())
    except Exception as error:
        print(type(error).__name__, "|", error)


for call in [
    lambda: jvp(torch.sin, x, x),
    lambda: jvp(torch.sin, (x,), x),
    lambda: jvp(torch.sin, (), ()),
    lambda: jvp(torch.sin, (x,), (x,x)),
    lambda: jvp(torch.sin, (x,), (x[:2],)),
    lambda: jvp(torch.sin, (1.0,), (1.0,)),
    lambda: jvp(lambda x: 3, (x,), (x,)),
    lambda: jvp(lambda x: (x.sin(), {"a": x*2}), (x,), (x,)),
    lambda: jvp(lambda x: x.sin(), (x,), (x,), has_aux=True),
    lambda: jvp(lambda x: (x.sin(), x), (x,), (x,), has_aux=True),
    lambda: jvp(lambda x: x.detach()*2, (x,), (x,)),
    lambda: jvp(lambda x: torch.ones(2), (x,), (x,), strict=True),
    lambda: vjp(lambda x: 3, x),
    lambda: vjp(lambda x: (x, x*2), x, has_aux=True)[2],
    lambda: vjp(lambda x: x*2, x, has_aux=True),
    lambda: vjp(lambda x: (x*2,), x)[1](x),
    lambda: vjp(lambda x: (x*2,x), x)[1]((x,x)),
    lambda: vjp(lambda x: (x*2,x), x)[1](x),
    lambda: vjp(lambda d: d["a"]*2, {"a": x, "b": x})[1](x),
    lambda: vjp(lambda d: d["a"]*2, {"a": 3})[1](x),
    lambda: vjp(lambda x: x*2, x)[1](x[:2]),
    lambda: grad(lambda x: x*2)(x),
    lambda: grad(lambda x: 3)(x),
    lambda: grad(lambda x: (x.sum(),))(x),
    lambda: grad(lambda x: (x.sum(),x), has_aux=True)(x),
    lambda: grad(lambda x: x.sum(), has_aux=True)(x),
    lambda: grad(lambda x: x.sum(), argnums=1)(x),
    lambda: grad(lambda x: x.sum(), argnums="a")(x),
    lambda: grad(lambda x: x.sum(), argnums=(0,0))(x),
    lambda: grad(lambda x: x.sum(), argnums=())(x),
    lambda: grad(lambda x,y: (x*y).sum(), argnums=(0,-1))(x,x),
    lambda: grad(lambda x,y: (x*y).sum(), argnums=(1,0))(x,x),
    lambda: grad(lambda d: d["w"].sum()*2)({"w": x, "b": torch.ones(1)}),
    lambda: grad(lambda d: d["w"].sum()*2)({"w": x, "b": 3}),
    lambda: grad(lambda x: x.sum())(3.0),
    lambda: grad(lambda x: x.sum())(torch.arange(3)),
    lambda: grad(lambda x: x.to(torch.cfloat).sum())(x),
    lambda: grad(lambda x: (m(x)).sum())(x),
    lambda: grad(lambda x: (x**3).sum())(x.clone().requires_grad_()),
    lambda: grad(lambda y: grad(lambda x: (x*y).sum())(x).sum())(x),
    lambda: grad_and_value(lambda x: (x.sum(),x), has_aux=True)(x),
    lambda: jacrev(lambda x: (x.sin(), {"c": x.sum()}))(x),
    lambda: jacrev(lambda d, y: d["a"]*y, argnums=(0,1))({"a":x}, x),
    lambda: jacrev(lambda x: (x.sin(),x), has_aux=True)(x),
    lambda: jacrev(lambda x: 3)(x),
    lambda: jacrev(torch.sin, argnums=2)(x),
    lambda: jacrev(torch.sin, chunk_size=0)(x),
    lambda: jacfwd(lambda x: (x.sin(), {"c": x.sum()}))(x),
    lambda: jacfwd(lambda d, y: d["a"]*y, argnums=(0,1))({"a":x}, x),
    lambda: jacfwd(lambda x: (x.sin(),x), has_aux=True)(x),
    lambda: jacfwd(lambda x: 3)(x),
    lambda: jacfwd(torch.sin, argnums=2)(x),
    lambda: jacfwd(torch.sin, randomness="x")(x),
    lambda: hessian(lambda x: (x**3).sum())(x),
    lambda: hessian(lambda d: (d["a"]**3).sum()*d["b"].sum())({"a": x, "b": x}),
    lambda: linearize(torch.sin, x)[1](x),
    lambda: linearize(torch.sin, x)[0],
    lambda: linearize(lambda x,y: (x*y, x), x, x)[1](x,x),
    lambda: linearize(torch.sin, x)[1](x[:2]),
    lambda: stack_module_state([]),
    lambda: stack_module_state([nn.Linear(1,1), nn.ReLU()]),
    lambda: stack_module_state([nn.Linear(1,1), nn.Linear(1,1).eval()]),
    lambda: {k:(v.shape,v.requires_grad,v.is_leaf) for k,v in stack_module_state([nn.Linear(2,1), nn.Linear(2,1)])[0].items()},
    lambda: functional_call(m, {"weight": torch.ones(2,3), "bias": torch.zeros(2)}, x),
    lambda: functional_call(m, {"weight": torch.ones(2,3)}, (x,)).grad_fn is not None,
    lambda: functional_call(m, {"quux": torch.ones(2,3)}, (x,)),
    lambda: functional_call(m, {"quux": torch.ones(2,3)}, (x,), strict=True),
    lambda: functional_call(m, [{"weight": torch.ones(2,3)}, {"weight": torch.ones(2,3)}], (x,)),
    lambda: functional_call(m, 3, (x,)),
    lambda: functional_call(m, {"weight": 3}, (x,)),
    lambda: functional_call(nn.Sequential(m), {"0.quux": x}, (x,)),
    lambda: functional_call(nn.Sequential(m), {"1.weight": x}, (x,)),
    lambda: vmap(torch.sin)(3),
    lambda: vmap(torch.sin)(),
    lambda: vmap(torch.sin, in_dims=None)(x),
    lambda: vmap(torch.sin, in_dims=(0,0))(x),
    lambda: vmap(torch.sin, in_dims="a")(x),
    lambda: vmap(torch.sin, in_dims=1)(x),
    lambda: vmap(lambda x,y: x*y)(x,x[:2]),
    lambda: vmap(lambda x,y: x*y, in_dims=(0,None))(x,x),
    lambda: vmap(lambda d: d["a"]*d["b"], in_dims=({"a":0,"b":None},))({"a":x,"b":x}),
    lambda: vmap(lambda d: d["a"]*d["b"], in_dims=({"a":0},))({"a":x,"b":x}),
    lambda: vmap(lambda x: (x, x*2), out_dims=(0,0))(x),
    lambda: vmap(lambda x: (x, x*2), out_dims=(0,))(x),
    lambda: vmap(lambda x: 3)(x),
    lambda: vmap(lambda x: x, out_dims=1)(x),
    lambda: vmap(lambda x: x*2, out_dims=None)(x),
    lambda: vmap(lambda x: x, randomness="foo")(x),
    lambda: vmap(lambda x: x*2, chunk_size=0)(x),
    lambda: vmap(lambda x: x*2, chunk_size=2)(x),
    lambda: vmap(lambda x: {"a": x*2, "b": (x, [x])})(x),
    lambda: vmap(lambda x: x*2)(torch.ones(0,3)),
    lambda: vmap(lambda x, y=None: x*y)(x, y=x),
    lambda: vmap(vmap(lambda a,b: a*b, (None,0)), (0,None))(x,x),
    lambda: vmap(torch.dot)(torch.ones(2,3), torch.ones(2,3)),
    lambda: vmap(grad(lambda w, a: (w@a)**2), in_dims=(None,0))(x, torch.eye(3)),
    lambda: vmap(lambda x: x.sum(0), in_dims=-1, out_dims=0)(torch.arange(6.).reshape(2,3)),
    lambda: replace_all_batch_norm_modules_(nn.Sequential(nn.BatchNorm1d(2)))[0].running_mean,
]:
    show(call)


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False)
        self.b.weight = self.a.weight
        self.scale = torch.ones(1)
        self.register_buffer("buf", torch.zeros(1))

    def forward(self, x, k=1):
        return self.b(self.a(x)) * self.scale * k + self.buf


m, x, e = Tied(), torch.ones(2), torch.eye(2)
for call in [
    lambda: functional_call(m, {"a.weight": e}, x),
    lambda: functional_call(m, {"b.weight": e}, x),
    lambda: functional_call(m, {"b.weight": e}, x, tie_weights=False).shape,
    lambda: functional_call(m, {"a.weight": e, "b.weight": 2*e}, x),
    lambda: functional_call(m, {"a.weight": e, "b.weight": 2*e}, x, tie_weights=False),
    lambda: functional_call(m, {"a.weight": e, "b.weight": e}, x),
    lambda: functional_call(m, {"a.weight": e, "scale": torch.full((1,),3.)}, (x,), {"k": 2}),
    lambda: functional_call(m, {"a.weight": e}, (x,), strict=True),
    lambda: functional_call(m, {"a.weight": e, "buf": torch.ones(1)}, (x,), strict=True),
    lambda: functional_call(m, {"a.weight": e, "buf": torch.ones(1), "zz": e, "yy": e}, (x,), strict=True),
    lambda: functional_call(m, {"c.weight": e}, (x,)),
    lambda: functional_call(m, {"training": e}, (x,)),
    lambda: functional_call(m, {"a": e}, (x,)),
    lambda: functional_call(m, {"": e}, (x,)),
    lambda: functional_call(m, ({"a.weight": e}, {"buf": torch.ones(1)}), (x,)),
    lambda: functional_call(m, [{"a.weight": e}, 3], (x,)),
    lambda: functional_call(m, [], x).shape,
    lambda: functional_call(3, {}, x).shape,
]:
    show(call)
print(hasattr(m, "zz"), m.scale, m.a.weight is m.b.weight)

# Gradients of each example by itself, by a dictionary of parameters.
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
data, target = torch.randn(5, 3), torch.randn(5, 1)
params = {name: p.detach() for name, p in net.named_parameters()}


def loss(params, one, wanted):
    return nn.functional.mse_loss(functional_call(net, params, (one.unsqueeze(0),)), wanted.unsqueeze(0))


each = vmap(grad(loss), in_dims=(None, 0, 0))(params, data, target)
for name, g in each.items():
    print(name, tuple(g.shape), g.requires_grad, round(g.square().sum().item(), 4))
together = grad(lambda p: sum(loss(p, a, b) for a, b in zip(data, target)))(params)
print(all(torch.allclose(each[k].sum(0), together[k], atol=1e-5) for k in params))

# An ensemble.
models = [nn.Linear(3, 2) for _ in range(4)]
stacked, buffers = stack_module_state(models)
base = models[0]
out = vmap(lambda p, b, x: functional_call(base, (p, b), (x,)), in_dims=(0, 0, None))(stacked, buffers, data)
print(out.shape, torch.allclose(out[2], models[2](data), atol=1e-6), out.requires_grad)

# What surrounds a transform may still differentiate what it returns.
w = torch.tensor(2.0, requires_grad=True)
slope = grad(lambda t: (w * t ** 3).sum())(torch.tensor([1.0, 2.0]))
slope.sum().backward()
print(slope, w.grad)
print(grad(lambda y: grad(lambda t: (t ** 2 * y).sum())(torch.ones(2)).sum())(torch.tensor(3.0)))
print(grad(lambda t: jvp(torch.sin, (t,), (torch.ones(()),))[1])(torch.tensor(1.0)))
print(grad(lambda t: jacrev(lambda u: u ** 3)(t).sum())(torch.tensor([1.0, 2.0])))
print(jacfwd(jacfwd(lambda t: t ** 3))(torch.tensor([1.0, 2.0])))

tree = {"a": [1, (2, None)], "b": torch.ones(1)}
leaves, spec = tree_flatten(tree)
print(leaves, spec)
print(tree_unflatten(leaves, spec), tree_structure((1, [2])) == tree_structure((3, [4])))
print(tree_map(lambda leaf: leaf * 2, {"x": [1, 2], "y": (3.5,)}), tree_leaves(((), {})))
