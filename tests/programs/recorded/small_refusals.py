"""What functions refuse or answer at the edges: products of several matrices, condition numbers, combinations, blocks, weighted and
complex losses, states of recurrent networks, fused layers, checks and grad modes."""

import math
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn import utils
from torch.nn.utils.rnn import pack_padded_sequence
from torch.utils.data import ConcatDataset

torch.manual_seed(0)
a = torch.tensor([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
x = torch.arange(6.0).reshape(2, 3)
p = x / 6
w = torch.ones(2, requires_grad=True)
z = torch.tensor([1 + 2j, -3 + 0.5j], requires_grad=True)
sequence = torch.randn(4, 3, 5)
packed = pack_padded_sequence(sequence, torch.tensor([2, 4, 1]), enforce_sorted=False)
pad = torch.tensor([[False, False, True], [False, True, True]])


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
    "torch.linalg.multi_dot([a, a[0], a])", "torch.linalg.tensorinv(torch.ones(2, 3), ind=0)", "torch.linalg.cond(a, 3)",
    "torch.linalg.cond(torch.zeros(2, 2), 1)", "torch.linalg.cond(torch.stack([a, a * 0]), 'fro')", "torch.linalg.cond(a, -math.inf)",
    "torch.linalg.norm(a, 'fro', dim=1)", "torch.linalg.lu(a, pivot=False)",
    "torch.combinations(torch.arange(3), 0)", "torch.cartesian_prod(torch.ones(2, 2))", "torch.block_diag()",
    "torch.block_diag(torch.ones(1, 1), torch.ones(1, 1, 1))",
):
    say(text)

for text in (
    "F.mse_loss(x, p, weight=p)", "F.mse_loss(x, p, weight=p, reduction='none')", "F.mse_loss(x, p, weight=p[0])",
    "F.mse_loss(x, p, weight=p, reduction='x')", "F.mse_loss(w, w * 2, weight=w).grad_fn.name()", "F.l1_loss(x, p, weight=p)",
    "F.l1_loss(z, z.detach() * 2)", "F.l1_loss(z, z.detach(), reduction='none').grad_fn.name()",
):
    say(text)

for text in (
    "nn.LSTM(4, 4)(packed)", "nn.LSTM(5, 4)(packed)[0].data.shape", "nn.GRU(4, 4)(packed)",
    "nn.LSTM(5, 4, 2, proj_size=2).get_expected_hidden_size(sequence, None)", "nn.LSTM(5, 4).get_expected_cell_size(sequence, None)",
    "nn.GRU(5, 4).check_input(sequence[0], None)", "nn.GRU(5, 4).check_hidden_size(sequence, (1, 3, 4))",
    "nn.GRU(5, 4).check_forward_args(sequence, torch.zeros(1, 3, 4), None)",
    "nn.GRU(5, 4).permute_hidden(torch.arange(3).reshape(1, 3), torch.tensor([2, 0, 1]))",
    "nn.MultiheadAttention(8, 2).merge_masks(torch.zeros(3, 3), pad, torch.ones(2, 3, 8))[0][:, 0]",
    "nn.MultiheadAttention(8, 2).merge_masks(None, None, None)",
    "utils.fuse_linear_bn_eval(nn.Linear(2, 3).eval(), nn.BatchNorm1d(2).eval())",
    "ConcatDataset([[1, 2], [3]]).cummulative_sizes",
):
    say(text)

for text in (
    "torch._check(False, lambda: 'checked')", "torch._check(False)", "torch._check_index(False, 'index')", "torch._check_type(3)",
    "torch._check_value(torch.tensor(True))", "torch._check(True)",
    "torch.finfo('x')", "torch.iinfo(3)", "torch.finfo(float)", "torch.iinfo(int).max",
    "torch.set_grad_enabled(True)", "torch.inference_mode, torch.no_grad", "torch.inference_mode('x').__enter__()",
    "torch.autograd.backward([w.sum()], grad_variables=[torch.ones(())])",
):
    say(text)

double = z.detach().to(torch.cdouble).requires_grad_()
print(torch.autograd.gradcheck(lambda t: (t * t).abs(), double), torch.autograd.gradcheck(lambda t: t.exp() * t.conj(), double))
try:
    torch.autograd.gradcheck(lambda t: t.detach() * 2 + t, double)
except Exception as error:
    print(type(error).__name__, error)

try:
    torch.testing.assert_close([x], [x + 1])
except AssertionError as error:
    print(error, error.__cause__, error.__suppress_context__)
