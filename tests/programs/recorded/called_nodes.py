"""Calling nodes of the graph, what hooks for saved tensors are given, copies that share memory, norms of nothing, and what the old
constructor and read-only attributes refuse."""

import copy
import warnings

import torch
from torch.autograd import graph

w = torch.ones(2, requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
x = torch.ones(2, 3)
n = (w * b).grad_fn


def say(text):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            print(text, "->", repr(eval(text)))
        except Exception as error:
            print(text, "->", type(error).__name__, error)
    for one in caught:
        print("  warning:", one.category.__name__, str(one.message).split(" (Triggered")[0])


for text in (
    "n.requires_grad", "n._raw_saved_self.data", "n(torch.ones(2))", "n(torch.ones(3))", "n(2)", "n()", "n(torch.ones(2), torch.ones(2))",
    "n(None)", "(w * 2).grad_fn(torch.ones(2))", "w.sum().grad_fn(torch.tensor(1.0))", "w.view(2).grad_fn(torch.ones(2))",
    "torch.softmax(w, 0).grad_fn(torch.tensor([1.0, 0.0])).detach()",
    "n.next_functions[0][0](torch.ones(2))", "w.grad", "'variable' in dir(n), 'variable' in dir(n.next_functions[0][0])",
):
    say(text)


given = []


def pack(tensor):
    given.append((tuple(tensor.shape), tensor.requires_grad, tensor is w, tensor is b))
    return tensor.detach().clone()


with graph.saved_tensors_hooks(pack, lambda kept: kept):
    y = (w * b).sum()
y.backward()
print(w.grad, b.grad, sorted(given))
with graph.saved_tensors_hooks(lambda tensor: tensor.mul_(2), lambda kept: kept):
    say("w.detach() * b")

for text in (
    "torch.linalg.vector_norm(torch.zeros(0), float('inf'))", "torch.linalg.vector_norm(torch.zeros(0), -2)",
    "torch.linalg.vector_norm(torch.zeros(0), 0)", "torch.linalg.vector_norm(torch.zeros(2, 0), float('inf'), dim=1)",
    "torch.linalg.vector_norm(torch.zeros(2, 0), float('inf'), dim=0)", "torch.zeros(0).norm(-1)", "torch.zeros(0).norm()",
    "torch.linalg.vector_norm(torch.zeros(2, 0), -1.5, dim=1)",
    "torch.ones(3).masked_select(torch.tensor([True, False]))", "x.masked_fill(torch.ones(2, 2).bool(), 1)",
    "x.masked_scatter(torch.ones(2, 2).bool(), torch.ones(9))",
    "w.sum().backward(inputs=[torch.ones(1)])",
    "torch.Tensor(1.5)", "torch.Tensor(True)", "torch.Tensor(None)", "torch.Tensor([1], dtype=torch.long)",
    "torch.Tensor(2, requires_grad=True)", "torch.Tensor(size=(2,)).shape", "torch.Tensor(data=[1])", "torch.Tensor(2, 3).shape",
    "setattr(x, 'shape', (6,))", "setattr(w, 'grad_fn', None)", "setattr(w, 'is_leaf', True)", "setattr(x, 'T', None)",
    "delattr(x, 'data')", "delattr(w, 'requires_grad')", "delattr(w, 'grad')", "delattr(x, 'nothing')",
    "copy.deepcopy(torch.ones(4)[::2]).stride()", "copy.deepcopy(x.T).stride()", "copy.deepcopy(x[1]).storage_offset()",
):
    say(text)

first, second, other = copy.deepcopy([x, x[1], torch.ones(1)])
second.zero_()
print(first, x, other, second._base)
