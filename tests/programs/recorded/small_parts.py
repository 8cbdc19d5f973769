"""Parts of torch that lessons use now and then. PyTorch 2.15 recorded `small_parts.txt` from this file."""

import warnings

warnings.simplefilter("ignore")
import torch
from torch import nn
from torch.autograd import gradcheck, gradgradcheck
from torch.nn.modules import AdaptiveLogSoftmaxWithLoss, LazyLinear, SyncBatchNorm


def attempt(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__, str(error)[:200])


print([c.__name__ for c in (AdaptiveLogSoftmaxWithLoss, LazyLinear, SyncBatchNorm)])

# Random numbers after a check are those that PyTorch draws.
x = torch.tensor([0.3, 0.6], dtype=torch.double, requires_grad=True)
torch.manual_seed(0)
print(gradcheck(torch.sin, x), gradgradcheck(torch.sin, x), torch.rand(1))


def pair(a):
    return a.sin(), a.prod()


print(gradcheck(pair, (x,), check_batched_grad=True, check_forward_ad=True, check_batched_forward_grad=True))
print(gradgradcheck(pair, (x,), check_batched_grad=True, check_fwd_over_rev=True, gen_non_contig_grad_outputs=True))
attempt(lambda: gradgradcheck(torch.sin, x, check_rev_over_rev=False))
attempt(lambda: gradcheck(torch.sin, x, check_batched_forward_grad=True))
attempt(lambda: gradcheck(torch.sin, x, check_batched_grad=True, check_backward_ad=False, check_forward_ad=True))

short = nn.Embedding(5, 3, max_norm=0.5)
for index in (torch.tensor([9]), torch.tensor([2.0]), torch.tensor([[1, 7], [8, 6]]), torch.tensor([-7])):
    attempt(lambda: short(index))
attempt(lambda: nn.BatchNorm1d(2).get_buffer("scale"))
attempt(lambda: nn.BatchNorm1d(2).get_buffer("weight"))

# A bias has no spread to start from when a layer has no inputs.
print(nn.Conv2d(0, 4, 3).bias, nn.Conv1d(3, 2, 0).bias, nn.Linear(0, 3).bias)
attempt(lambda: nn.utils.clip_grad_value_([], "a"))
print(torch.vmap(lambda x: x).__name__)

torch.manual_seed(0)
A = torch.randn(12, 12, dtype=torch.double)
A = A @ A.T + torch.eye(12, dtype=torch.double)
E, X = torch.lobpcg(A, k=2, niter=400)
print(E, (A @ X - X * E).abs().max() < 1e-4, X.shape, torch.rand(1))
print(torch.lobpcg(A, k=1, largest=False, niter=400)[0])
B = torch.diag(torch.arange(1.0, 13.0, dtype=torch.double))
E, X = torch.lobpcg(A, k=1, B=B, niter=400)
print(E, X.T @ B @ X)
attempt(lambda: torch.lobpcg(torch.eye(4), k=2))

print(torch.lstm_cell(torch.ones(1, 2), [torch.ones(1, 2)] * 2, torch.ones(8, 2), torch.ones(8, 2)))
print(torch.gru_cell(torch.ones(1, 2), torch.ones(1, 2), torch.ones(6, 2), torch.full((6, 2), 0.5)))
print(torch.rnn_tanh_cell(torch.ones(1, 2), torch.zeros(1, 2), torch.ones(2, 2), torch.ones(2, 2)))
print(torch.rnn_relu_cell(torch.ones(1, 2), torch.ones(1, 2), torch.ones(2, 2), torch.ones(2, 2)))
print(torch.conv_tbc(torch.ones(4, 2, 3), torch.ones(2, 3, 1), torch.zeros(1)).flatten())
print(torch.convolution(torch.ones(1, 1, 3), torch.ones(1, 1, 2), None, [1], [0], [1], False, [0], 1))
print(torch.convolution(torch.ones(1, 1, 3), torch.ones(1, 1, 2), None, [2], [0], [1], True, [0], 1))
print(torch.native_channel_shuffle(torch.arange(4.0).view(1, 4, 1), 2).flatten())
torch.manual_seed(0)
print(torch.binomial(torch.full((4,), 10.0), torch.full((4,), 0.3)))
attempt(lambda: torch.binomial(torch.tensor([3]), torch.tensor([0.5])))
torch.set_warn_always(False)
print(torch.is_warn_always_enabled())
attempt(lambda: torch.set_warn_always(3))

wide = torch.ones(2, 3)
for other in (torch.ones(3), torch.ones(3, 1), torch.ones(2, 2, 2), torch.ones(2)):
    attempt(lambda: torch.linalg.lstsq(wide, other).solution)
attempt(lambda: torch.svd(torch.ones(3)))
