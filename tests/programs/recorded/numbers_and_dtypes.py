"""Tensors without dimensions where dimensions are asked for, weights of another dtype, and results without a derivative."""

import itertools
import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")
x = torch.tensor(2.5)
g = torch.tensor([1.0, 2.0, 2.0, 1.0], requires_grad=True)

EXPRESSIONS = """
x.mT
x.T
x.H
x.mH
x.adjoint()
torch.ones(3).mT
torch.ones(3).mH
torch.ones(3).adjoint()
torch.ones(3, 4, 5).H
x[:1]
x[0:]
x[...]
x[..., :1]
x[None, :1]
x[0]
x.repeat_interleave(2, 0)
x.repeat_interleave(2, -1)
x.repeat_interleave(2, 1)
x.repeat_interleave(2)
x.unbind(0)
x.unbind(1)
x.index_put((torch.tensor([0]),), torch.tensor(1.0))
torch.ones(2).index_put((torch.tensor([0]), torch.tensor([0])), torch.tensor(1.0))
x[torch.tensor([0])]
x.slice_scatter(x, 0, 0, 1)
torch.unique(g)
torch.unique(g, sorted=False)
torch.unique(g, return_inverse=True, return_counts=True)
torch.unique(g, dim=0)
torch.unique_consecutive(g, return_inverse=True, return_counts=True)
torch.unique_consecutive(g, dim=0)
torch.unique(g.detach())
torch.unique(g).sum().backward()
torch.unique(g, dim=0).sum().backward()
torch.unique_consecutive(g).sum().backward()
F.batch_norm(torch.ones(3), None, None, training=True)
F.batch_norm(torch.ones(3), torch.zeros(3), torch.ones(3))
F.instance_norm(torch.ones(3))
torch.addmm(torch.zeros(3, 3), torch.ones(3), torch.ones(3, 3))
torch.addmm(torch.zeros(3, 3), torch.ones(3, 3), torch.ones(3))
torch.corrcoef(torch.ones(1, 1, 1))
"""


def show(label, f):
    try:
        result = f()
    except (RuntimeError, IndexError, ValueError, TypeError) as error:
        print(label, "->", type(error).__name__, error)
        return
    print(label, "->", result)


for expression in EXPRESSIONS.split("\n")[1:-1]:
    show(expression, lambda: eval(expression))

DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int64, torch.uint8, torch.bool, torch.complex64]
for f, (a, b) in itertools.product((F.conv2d, F.conv1d, F.conv_transpose2d), itertools.permutations(DTYPES, 2)):
    for batch, groups in ((1, 1), (2, 1), (1, 3)):
        image, weight = torch.ones(batch, 3, 4, 4).to(a), torch.ones(3, 3 // groups, 2, 2).to(b)
        if f is F.conv1d:
            image, weight = image[..., 0], weight[..., 0]
        show(f"{f.__name__} {a} {b} {batch} {groups}", lambda: f(image, weight, groups=groups).dtype)
