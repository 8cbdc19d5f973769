"""What assignments, numbers and layers leave in the graph. PyTorch 2.15 recorded `nodes_of_assignments.txt` from this file."""

import torch
from torch import nn

torch.manual_seed(0)
i, mask = torch.tensor([0, 2]), torch.tensor([True, False, True])


def attempt(code):
    b = torch.ones(3, requires_grad=True)
    scope = dict(
        y=torch.arange(3.0, requires_grad=True) * 1,
        z=torch.ones(3, 3, requires_grad=True) * 1,
        b=b,
        i=i,
        mask=mask,
        torch=torch,
        grid=torch.eye(3) > 0,
        w=torch.ones(3, requires_grad=True),
        v=torch.ones(3, 3, requires_grad=True),
    )
    try:
        exec(code, scope)
        t = scope[code[0]]
        print(
            code,
            "->",
            t.grad_fn.name(),
            [node.name() if node else None for node, _ in t.grad_fn.next_functions],
            t._version,
        )
        (g,) = torch.autograd.grad(t.sum(), b, allow_unused=True)
        print(t.detach().flatten().tolist(), g)
    except RuntimeError as e:
        print(code, "->", e)


for code in (
    "y[mask] = 0",
    "y[mask] = 1.5",
    "y[mask] = torch.tensor(0.)",
    "y[mask] = b[:2]",
    "y[i] = 0",
    "y[i] = b[:2]",
    "y[[0, 1]] = 0",
    "y[y < 1] = 0",
    "y[y > 0.5] *= 2",
    "y[i] += 1",
    "z[grid] = 0",
    "z[mask] = b",
    "z[i, i] = 0",
    "z[i] = b",
    "z[:, i] = 0",
    "z[0, i] = 0",
    "z[mask, 0] = 0",
    "z[0] = 0",
    "z[...] = 0",
    "z[:] = 0",
    "z[None] = 0",
    "z[:, mask] = 0",
    "z[...] = b",
    "y[:] = b",
    "y[-1] = 0",
    "y[...] = b[0]",
    "w[:] = 0",
    "w[0] = 0",
    "w[mask] = 0",
    "w[i] = 0",
    "v[i] = b",
    "w[0:1] = 0",
    "y.masked_fill_(mask, 0)",
    "y.index_fill_(0, i, 1)",
    "y **= 2",
    "y %= 2",
    "y.lerp_(b, 0.1)",
    "y.copy_(b)",
    "y = y.masked_fill(mask, 1.0)",
    "y = y.scatter(0, i, 1.0)",
    "y = y.index_fill(0, i, 1.0)",
):
    attempt(code)


def tree(node, depth=0):
    print(" " * depth + (node.name() if node else "-"))
    for following, _ in node.next_functions if node else ():
        tree(following, depth + 1)


a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
tree(((a**2 + b * 3 - a / b).exp().log().sqrt().mean() ** 0.5).grad_fn)
tree((2 / (1 - a) % 2 + 2**a).grad_fn)
tree(a.lerp(b, 0.5).fmod(3).grad_fn)
g = a * 2
g += 10.0 / g * 1e2
g.sum().backward()
print(g, a.grad, (1 / torch.tensor([3, 7])), 2 / torch.tensor([1 + 2j]), 10 / torch.tensor(3.0, dtype=torch.float64))
layer = nn.Linear(4, 2)
for name, x in dict(
    rows=torch.rand(2, 5, 4),
    turned=torch.rand(5, 2, 4).transpose(0, 1),
    part=torch.rand(2, 5, 8)[..., :4],
    spread=torch.rand(4).expand(2, 5, 4),
).items():
    out = layer(x)
    print(name, out.grad_fn.name(), [node.name() for node, _ in out.grad_fn.next_functions], out.stride())
    print(torch.allclose(out, x @ layer.weight.T + layer.bias))
