"""Hooks of all modules, swap_tensors, and backends of torch.compile. PyTorch 2.15 recorded the output."""

import torch
from torch import nn

module, log = nn.modules.module, []
lin = nn.Sequential(nn.Linear(2,2), nn.ReLU())


hs = [module.register_module_forward_hook(lambda mod, i, o: log.append(("fwd", type(mod).__name__))),
 module.register_module_forward_pre_hook(lambda mod, i: log.append(("pre", type(mod).__name__))),
 module.register_module_full_backward_hook(lambda mod, gi, go: log.append(("bw", type(mod).__name__))),
 module.register_module_full_backward_pre_hook(lambda mod, go: log.append(("bwpre", type(mod).__name__)))]
lin(torch.ones(1,2, requires_grad=True)).sum().backward()
print(log)
for h in hs: h.remove()
log.clear()
lin(torch.ones(1,2)); print(log)
h = module.register_module_parameter_registration_hook(lambda mod, n, p: print("param", type(mod).__name__, n, None if p is None else tuple(p.shape)))
h2 = module.register_module_buffer_registration_hook(lambda mod, n, p: print("buf", type(mod).__name__, n))
h3 = module.register_module_module_registration_hook(lambda mod, n, p: print("mod", type(mod).__name__, n, type(p).__name__))
nn.Sequential(nn.Linear(2,2), nn.BatchNorm1d(2))
class A(nn.Module):
    def __init__(self):
        super().__init__(); self.l = nn.Linear(1,1,bias=False); self.p = nn.Parameter(torch.zeros(1)); self.register_buffer("b", torch.ones(1)); self.b = torch.zeros(2); self.l = nn.ReLU()
A()
h.remove(); h2.remove(); h3.remove()
A()
h = module.register_module_forward_hook(lambda mod, i, o: o*0+5)
print(nn.Linear(1,1)(torch.ones(1)))
h.remove()
h = module.register_module_forward_pre_hook(lambda mod, i: (i[0]*0,))
l = nn.Linear(1,1,bias=False)
print(l(torch.ones(1)))
h.remove()
l.register_forward_hook(lambda *a: log.append("own")); l.register_forward_pre_hook(lambda *a: log.append("ownpre"))
h=module.register_module_forward_hook(lambda *a: log.append("global")); h2=module.register_module_forward_pre_hook(lambda *a: log.append("globalpre"))
l(torch.ones(1)); print(log); h.remove(); h2.remove()
log.clear()
def boom(self,x): raise ValueError("boom")
class B(nn.Module): forward = boom
b = B()
b.register_forward_hook(lambda m,i,o: log.append(("always", o)), always_call=True)
b.register_forward_hook(lambda m,i,o: log.append(("not", o)))
try: b(1)
except ValueError as e: print(e, log)
log.clear()
h=module.register_module_forward_hook(lambda *a: log.append("galways"), always_call=True)
try: b(1)
except ValueError as e: print(e, log)
h.remove()
try: module.register_module_backward_hook(lambda *a: None)
except RuntimeError as e: print(e)

print(log)
h=nn.Linear(2,3)
h(torch.ones(1,2,requires_grad=True)).sum().backward()
h(torch.ones(2)).sum().backward()
s = nn.Sequential(nn.Linear(2,3), nn.ReLU())
s(torch.ones(1,2,requires_grad=True)).sum().backward()
a, b = torch.ones(2), torch.zeros(3); a.foo = 1
torch.utils.swap_tensors(a, b); print(a, b, hasattr(a,"foo"), b.foo)
p, q = nn.Parameter(torch.ones(2)), nn.Parameter(torch.zeros(2, dtype=torch.float64))
r = p
torch.utils.swap_tensors(p, q); print(p, q, r is p, r)
p.requires_grad, q.requires_grad
y = p*2
try: torch.utils.swap_tensors(p, q)
except RuntimeError as e: print(e)

calls = []


def backend(graph, inputs):
    calls.append([tuple(t.shape) for t in inputs])
    print([(n.op, n.name) for n in graph.graph.nodes if n.op == "placeholder"])
    return graph.forward


@torch.compile(backend=backend)
def noisy(x):
    return x * 2 + torch.rand(3)


torch.manual_seed(0)
print(noisy(torch.zeros(3)), noisy(torch.zeros(3)), calls)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(4, 8), nn.Linear(8, 2)
        self.register_buffer("scale", torch.ones(2))

    def forward(self, x):
        return {"out": self.fc2(torch.relu(self.fc1(x))) * self.scale, "number": 3}


net = torch.compile(Net(), backend=backend)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    result = net(torch.ones(3, 4))
    loss = result["out"].pow(2).mean()
    loss.backward()
    optimizer.step()
print(loss, result["number"], calls)
