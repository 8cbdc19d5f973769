# Forward mode with dual tensors.
import torch
import torch.autograd.forward_ad as fwAD
from torch import nn

torch.manual_seed(0)
x, t = torch.arange(3.), torch.ones(3)


def show(call):
    try:
        print("OK", call())
    except Exception as error:
        print(type(error).__name__, "|", error)


show(lambda: fwAD.make_dual(x, t))
show(lambda: fwAD.unpack_dual(x))
show(fwAD.exit_dual_level)
with fwAD.dual_level():
    dual = fwAD.make_dual(x, t)
    print(fwAD.unpack_dual(dual).tangent is t)
    y = dual.sin() * 2
    print(fwAD.unpack_dual(y), fwAD.unpack_dual(y).primal.requires_grad)
    print(fwAD.unpack_dual(x + 1), fwAD.unpack_dual(dual.detach()))
    show(lambda: fwAD.make_dual(x, t[:2]))
    show(lambda: fwAD.make_dual(torch.arange(3), torch.arange(3)))
    show(lambda: fwAD.make_dual(x, torch.arange(3)))
    show(lambda: fwAD.make_dual(x, 3))
    show(lambda: fwAD.dual_level().__enter__())
    show(lambda: fwAD.unpack_dual(3))
    other = fwAD.make_dual(torch.ones(2), torch.tensor([1.0, 2.0]))
    primal, tangent = fwAD.unpack_dual(dual.sum() * other)
    print(primal, tangent)

model, data = nn.Sequential(nn.Linear(5, 4), nn.Tanh(), nn.Linear(4, 2)), torch.randn(3, 5)
params = dict(model.named_parameters())
tangents = {name: torch.rand_like(p) for name, p in params.items()}
value, expected = torch.func.jvp(lambda p: torch.func.functional_call(model, p, (data,)), (params,), (tangents,))
with fwAD.dual_level():
    for name, p in params.items():
        owner = model.get_submodule(name.rpartition(".")[0])
        attribute = name.rpartition(".")[2]
        delattr(owner, attribute)
        setattr(owner, attribute, fwAD.make_dual(p, tangents[name]))
    found = fwAD.unpack_dual(model(data)).tangent
print(found.detach(), torch.allclose(found, expected, atol=1e-6))

with fwAD.dual_level():
    g = torch.ones(3, requires_grad=True)
    fwAD.unpack_dual(fwAD.make_dual(g, t) ** 2).tangent.sum().backward()
    print(g.grad)
