"""Backward hooks of modules. PyTorch 2.15 recorded `backward_hooks.txt` from this file."""

import torch, copy
from torch import nn
def say(name, f):
    try: r = str(f())
    except Exception as e: r = f"{type(e).__name__}: {e}"
    print(name, "->", r)
torch.manual_seed(0)
import warnings; warnings.simplefilter("ignore")
def show(name): return lambda m, gi, go: print(name, type(m).__name__, gi, go)
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)); x = torch.randn(2, 3)
hs = [m.register_full_backward_hook(show(str(i))) for i, m in enumerate(net)]; hs.append(net.register_full_backward_hook(show("net")))
out = net(x); print(out); out.sum().backward(); print([p.grad for p in net.parameters()])
net.zero_grad(); y = x.clone().requires_grad_(); net(y).pow(2).sum().backward(); print(y.grad)
with torch.no_grad(): print(net(x).requires_grad)
for h in hs: h.remove()
print(type(net(x).grad_fn).__name__, len(net._forward_pre_hooks), len(net[0]._backward_hooks))
lin = nn.Linear(2, 2); h = lin.register_full_backward_hook(lambda m, gi, go: (gi[0] * 10,)); z = torch.ones(1, 2, requires_grad=True); lin(z).sum().backward(); print(z.grad, lin.weight.grad); h.remove()
h = lin.register_full_backward_pre_hook(lambda m, go: (go[0] * 3,)); z.grad = None; lin.zero_grad(); lin(z).sum().backward(); print(z.grad, lin.weight.grad); h.remove()
class Two(nn.Module):
    def forward(self, a, n, b=None): return a * b, a + n
two = Two(); two.register_full_backward_hook(show("two")); two.register_full_backward_pre_hook(lambda m, go: print("pre", go)); two.register_full_backward_hook(lambda m, gi, go: None, prepend=True)
a, b = torch.ones(2, requires_grad=True), torch.full((2,), 3., requires_grad=True); o = two(a, 2, b); print(o); (o[0] * 2 + o[1]).sum().backward(); print(a.grad, b.grad)
a.grad = None; o = two(a, 2, b=b); o[0].sum().backward(); print(a.grad)
say("bad number", lambda: [h := lin.register_full_backward_hook(lambda m, gi, go: (None, None)), lin(z).sum().backward()]); lin._backward_hooks.clear(); lin._forward_pre_hooks.clear()
order = []
lin.register_full_backward_hook(lambda m, gi, go: order.append("full")); lin.register_full_backward_pre_hook(lambda m, go: order.append("pre")); lin.register_forward_pre_hook(lambda m, i: order.append("fpre")); lin.register_forward_hook(lambda m, i, o: order.append("f")); lin(z).sum().backward(); print(order)
acts, grads = {}, {}
cnn = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8, 2)); cnn[0].register_forward_hook(lambda m, i, o: acts.setdefault("a", o)); cnn[0].register_full_backward_hook(lambda m, gi, go: grads.update(g=go[0])); cnn(torch.ones(1, 1, 4, 4))[0, 1].backward(); print((grads["g"].mean((2, 3), keepdim=True) * acts["a"]).sum(1).relu(), grads["g"].shape)
say("copy", lambda: copy.deepcopy(cnn)(torch.ones(1, 1, 4, 4)).shape)
