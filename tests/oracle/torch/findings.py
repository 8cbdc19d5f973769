"""Records `findings.json`: programs whose numbers, shapes, dtypes or refusals once differed from PyTorch's.

    python findings.py        with PyTorch 2.15

A case is a line: statements apart by "; ", of which the last is an expression whose `repr` is recorded, or the error it raises.
Those under a heading with "CPU" are about kernels or generators of the CPU and run there alone; all others run on every device.
"""

import json
import pathlib
import re
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

CASES = """
# medians
torch.tensor([5., 1., 3., 2.]).median(0)
torch.tensor([[5., 1., 3., 2.]]).median(1)
torch.tensor([[5.], [1.], [3.], [2.]]).median(0)
torch.tensor([[5.], [1.], [3.]]).median(0, keepdim=True)
torch.tensor([[5, 1, 3, 2], [4, 9, 7, 8]]).median(0)
torch.tensor([5., float("nan"), 3., float("nan")]).median(0)
torch.tensor([[5., float("nan"), 3.], [1., 2., 3.]]).median(1)
torch.tensor([[5., float("nan"), 3.], [1., 2., 3.]]).median()
torch.tensor([4., 1., 3., 2.]).median()
torch.kthvalue(torch.tensor([3., 1., 2.]), 2)
torch.kthvalue(torch.tensor([[3., 1., 2.]]), 3)
torch.kthvalue(torch.tensor([[3.], [1.], [2.]]), 2, 0)
torch.kthvalue(torch.empty(0), 1)
x = torch.tensor([5., 1., 3., 2.], requires_grad=True); x.median(0)[0].backward(); x.grad
x = torch.tensor([[5., 1., 3., 2.]], requires_grad=True); x.kthvalue(3, 1)[0].sum().backward(); x.grad
x = torch.tensor([1., 2., 2., 5.], requires_grad=True); x.median().backward(); x.grad
x = torch.tensor([1., float("nan"), float("nan")], requires_grad=True); x.median().backward(); x.grad
# sums over nothing
torch.ones(1, 2, 0) @ torch.ones(0, 3)
torch.ones(2, 3, 0) @ torch.ones(0)
torch.ones(2, 0) @ torch.ones(0)
torch.ones(0) @ torch.ones(0, 2)
torch.ones(0) @ torch.ones(0)
torch.ones(2, 1, 2, 0) @ torch.ones(3, 0, 2)
torch.mm(torch.ones(2, 0), torch.ones(0, 3))
torch.bmm(torch.ones(2, 2, 0), torch.ones(2, 0, 2))
torch.addmm(torch.ones(2, 2), torch.ones(2, 0), torch.ones(0, 2), beta=3)
torch.addmv(torch.ones(2), torch.ones(2, 0), torch.ones(0), beta=3)
torch.addbmm(torch.ones(2, 2), torch.ones(3, 2, 0), torch.ones(3, 0, 2), beta=2)
torch.addbmm(torch.ones(2, 2), torch.ones(0, 2, 2), torch.ones(0, 2, 2))
torch.baddbmm(torch.ones(1, 2, 2), torch.ones(1, 2, 0), torch.ones(1, 0, 2), beta=3)
torch.tensordot(torch.ones(2, 0), torch.ones(0, 2), 1)
torch.einsum("ij,jk", torch.ones(2, 0), torch.ones(0, 3))
torch.linalg.multi_dot([torch.ones(2, 0), torch.ones(0, 3)])
F.linear(torch.ones(1, 2, 0), torch.ones(3, 0), torch.arange(3.))
F.linear(torch.ones(1, 2, 0), torch.ones(3, 0))
F.linear(torch.ones(0), torch.ones(3, 0), torch.arange(3.))
nn.Linear(0, 2)(torch.ones(2, 3, 0)).shape
x = torch.ones(1, 2, 0, requires_grad=True); w = torch.ones(0, 3, requires_grad=True); (x @ w).sum().backward(); (x.grad, w.grad)
# half-width numbers
F.rms_norm(torch.tensor([[300., -400., 500.]], dtype=torch.float16), (3,))
F.rms_norm(torch.full((1, 3), 1e-4, dtype=torch.float16), (3,))
F.rms_norm(torch.tensor([[300., -400., 500.]], dtype=torch.bfloat16), (3,), torch.tensor([1., 2., 3.], dtype=torch.bfloat16))
F.rms_norm(torch.full((2, 3), 1e-9, dtype=torch.float64), (3,))
nn.RMSNorm(3)(torch.tensor([[3., -4., 5.]]))
x = torch.tensor([[300., -400., 500.]], dtype=torch.float16, requires_grad=True); F.rms_norm(x, (3,))[0, 0].backward(); (x.grad * 1000).round()
F.layer_norm(torch.tensor([[300., -400., 500.]], dtype=torch.float16), (3,))
F.group_norm(torch.tensor([[300., -400., 500., 0.]], dtype=torch.float16), 2, torch.tensor([1., 2., 3., 4.], dtype=torch.float16))
x = torch.tensor([[300., -400., 500., 100.]], dtype=torch.float16, requires_grad=True); (F.group_norm(x, 1) * torch.tensor([1., 2., 3., 5.], dtype=torch.float16)).sum().backward(); (x.grad * 1000).round()
torch.tensor([300., -400.], dtype=torch.float16).std()
torch.softmax(torch.tensor([60000., 59000.], dtype=torch.float16), 0)
q, k = torch.full((1, 1, 8), 4.).bfloat16(), torch.full((1, 4, 8), 9.).bfloat16(); k[0, :, 0] += torch.arange(4) / 2; (F.scaled_dot_product_attention(q, k, torch.eye(4).bfloat16().unsqueeze(0)) * 100).round()
q, k = torch.full((1, 1, 8), 4.).bfloat16().requires_grad_(), torch.full((1, 4, 8), 9.).bfloat16(); k[0, :, 0] += torch.arange(4) / 2; F.scaled_dot_product_attention(q, k, torch.eye(4).bfloat16().unsqueeze(0))[0, 0, 0].backward(); (q.grad[0, 0, 0] * 100).round()
q = (torch.arange(32.).reshape(1, 4, 8) % 7 - 3).half() * 100; v = (torch.arange(32.).reshape(1, 4, 8) % 5).half(); F.scaled_dot_product_attention(q, q, v, is_causal=True)
# nothing of what is added to counts
torch.addmm(torch.full((2, 2), float("nan")), torch.ones(2, 2), torch.ones(2, 2), beta=0)
torch.addmv(torch.full((2,), float("nan")), torch.ones(2, 2), torch.ones(2), beta=0)
torch.addr(torch.full((2, 2), float("nan")), torch.ones(2), torch.ones(2), beta=0)
torch.addbmm(torch.full((2, 2), float("nan")), torch.ones(2, 2, 2), torch.ones(2, 2, 2), beta=0)
torch.baddbmm(torch.full((1, 2, 2), float("nan")), torch.ones(1, 2, 2), torch.ones(1, 2, 2), beta=0)
torch.full((2,), float("inf")).addmv_(torch.ones(2, 2), torch.ones(2), beta=0, alpha=2)
x = torch.ones(2, 2, requires_grad=True); y = torch.arange(2., requires_grad=True); torch.addr(x, y, y + 1, beta=0, alpha=2).sum().backward(); (x.grad, y.grad)
x = torch.ones(2, requires_grad=True); y = torch.arange(4.).reshape(2, 2).requires_grad_(); torch.addmv(x, y, torch.ones(2), beta=3, alpha=2).sum().backward(); (x.grad, y.grad)
x = torch.ones(2, requires_grad=True); y = torch.arange(8.).reshape(2, 2, 2).requires_grad_(); torch.addbmm(x, y, y + 1, beta=3, alpha=2).sum().backward(); (x.grad, y.grad)
# tensors without dimensions
torch.tensor(3.).index_add(0, torch.tensor([0]), torch.tensor(2.))
torch.tensor(3.).index_add(0, torch.tensor(0), torch.tensor(2.), alpha=3)
torch.tensor(3.).index_copy(0, torch.tensor([0]), torch.tensor(2.))
torch.tensor([3.]).index_copy(0, torch.tensor([0]), torch.tensor(2.))
torch.tensor(3.).index_copy(0, torch.tensor([0]), torch.tensor([2.]))
torch.tensor(3.).index_fill(0, torch.tensor([0]), 2.)
torch.tensor(3.).index_fill(0, torch.tensor([], dtype=torch.int64), 2.)
torch.tensor(3.).index_select(0, torch.tensor([0]))
torch.tensor(3.).gather(0, torch.tensor([0, 0]))
torch.tensor([3.]).gather(0, torch.tensor(0))
torch.tensor(3.).scatter(0, torch.tensor(0), torch.tensor(2.))
torch.tensor(3.).scatter(0, torch.tensor([0, 0]), torch.tensor([2., 2.]))
torch.tensor(3.).scatter(0, torch.tensor(0), 2.)
torch.tensor(3.).scatter_add(0, torch.tensor(0), torch.tensor(2.))
torch.tensor(3.).scatter_add(0, torch.tensor([0, 0]), torch.tensor([2., 4.]))
torch.tensor([3.]).scatter_add(0, torch.tensor(0), torch.tensor(2.))
torch.tensor(3.).scatter_reduce(0, torch.tensor(0), torch.tensor(2.), "sum")
torch.tensor(3.).scatter_reduce(0, torch.tensor(0), torch.tensor(2.), "sum", include_self=False)
torch.tensor(3.).scatter_reduce(0, torch.tensor(0), torch.tensor(2.), "prod")
torch.tensor(3.).scatter_reduce(0, torch.tensor(0), torch.tensor(2.), "mean")
torch.tensor(3.).scatter_reduce(0, torch.tensor(0), torch.tensor(5.), "amax")
torch.tensor(3.).scatter_reduce(0, torch.tensor(0), torch.tensor(5.), "amin", include_self=False)
torch.tensor(3.).take(torch.tensor(0))
torch.tensor(3.).put_(torch.tensor(0), torch.tensor(4.))
x = torch.tensor(3., requires_grad=True); torch.gather(x, 0, torch.tensor(0)).backward(); x.grad
x = torch.tensor(3., requires_grad=True); torch.gather(x, 0, torch.tensor([0, 0])).sum().backward(); x.grad
x = torch.tensor(3., requires_grad=True); s = torch.tensor(2., requires_grad=True); (x.index_add(0, torch.tensor(0), s) * 3).backward(); (x.grad, s.grad)
x = torch.tensor(3., requires_grad=True); s = torch.tensor(2., requires_grad=True); (x.index_copy(0, torch.tensor(0), s) * 3).backward(); (x.grad, s.grad)
x = torch.tensor(3., requires_grad=True); s = torch.tensor(2., requires_grad=True); (x.scatter(0, torch.tensor(0), s) * 3).backward(); (x.grad, s.grad)
x = torch.tensor(3., requires_grad=True); s = torch.tensor(2., requires_grad=True); (x.scatter_add(0, torch.tensor(0), s) * 3).backward(); (x.grad, s.grad)
x = torch.tensor(3., requires_grad=True); (x.index_select(0, torch.tensor(0)) * 3).backward(); x.grad
torch.tensor(3.).index_add(0, torch.tensor([0]), torch.tensor([2.]))
torch.tensor([3.]).index_add(0, torch.tensor([0]), torch.tensor(2.))
torch.ones(2, 3).index_add(1, torch.tensor([0, 1]), torch.ones(2, 3))
torch.ones(2, 3).index_add(1, torch.tensor([[0, 1]]), torch.ones(2, 3))
torch.ones(2, 3).index_add(1, torch.tensor([0., 1.]), torch.ones(2, 3))
torch.ones(2, 3).index_add(1, torch.tensor([0, 1]), torch.ones(2, 2, dtype=torch.int64))
torch.ones(2, 3).index_add(1, torch.tensor([0, 1]), torch.ones(2))
torch.ones(2, 3).index_copy(1, torch.tensor([0, 1]), torch.ones(2, 3))
torch.ones(2, 3).index_copy(1, torch.tensor([0., 1.]), torch.ones(2, 3))
torch.ones(2, 3).index_copy(1, torch.tensor([0, 1]), torch.ones(2))
torch.ones(2, 3).index_copy(1, torch.tensor([0, 1]), torch.ones(3, 2))
torch.ones(2, 3, 4).index_copy(1, torch.tensor([0]), torch.ones(2, 1, 3))
torch.tensor(3.).index_select(0, torch.tensor([0, 0]))
torch.ones(2, 3).index_fill(1, torch.tensor([[0, 1]]), 3.)
# sequences and ranges
torch.arange(0, 5, 1.5, dtype=torch.int64)
torch.arange(5, 0, -.5, dtype=torch.int32)
torch.arange(5, 0, -.5, dtype=torch.int64)
torch.arange(0.5, 5.7, 1, dtype=torch.int64)
torch.arange(0.5, 5.7, 1, dtype=torch.int32)
torch.arange(-3, 5, 1.5, dtype=torch.int8)
torch.arange(0, 5, 1.5, dtype=torch.uint8)
torch.arange(2**53, 2**53 + 3)
torch.arange(0, 1, 0.25)
torch.diff(torch.tensor([1., 2.]), n=0, prepend=torch.tensor([1.]))
torch.diff(torch.tensor([1., 2., 4.]), n=2)
torch.diff(torch.tensor([1., 2.]), n=5)
torch.diff(torch.tensor([1., 2.]), n=-1)
torch.diff(torch.tensor(1.))
torch.diff(torch.ones(2, 2), prepend=torch.ones(2))
F.pad(torch.arange(12.).reshape(1, 1, 3, 4), (-1, 1, -2, 1), "circular")
F.pad(torch.arange(12.).reshape(1, 1, 3, 4), (-1, -1, 1, -2), "circular")
F.pad(torch.arange(12.).reshape(1, 1, 3, 4), (2, 1, 1, 3), "circular")
F.pad(torch.arange(12.).reshape(1, 1, 3, 4), (-1, -4, 1, -2), "circular")
F.pad(torch.arange(12.).reshape(1, 1, 3, 4), (-1, 1, -2, 1), "reflect")
F.pad(torch.arange(12.).reshape(1, 1, 3, 4), (-1, 1, -2, 1), "replicate")
x = torch.arange(4., requires_grad=True); F.pad(x.reshape(1, 4), (-1, 2), "circular").sum().backward(); x.grad
torch.tril_indices(2, 2, dtype=torch.int32)
torch.triu_indices(2, 3, 1, dtype=torch.int32)
torch.tril_indices(2, 2)
torch.tril_indices(-2, 2)
torch.unravel_index(torch.tensor([3], dtype=torch.uint8), (2, 2))
torch.unravel_index(torch.tensor(5, dtype=torch.int32), (2, 3))
torch.unravel_index(torch.tensor(-1), (2, 4))
torch.unravel_index(torch.tensor(4), 6)
torch.unravel_index(torch.tensor(3.), (2, 2))
torch.searchsorted(torch.tensor([1., 2., 3.]), torch.tensor([2.]), out_int32=True)
torch.bucketize(torch.tensor([2.5]), torch.tensor([1., 2., 3.]), out_int32=True)
torch.linalg.vander(torch.tensor(2.), N=2)
torch.linalg.vander(torch.tensor([2., 3.]), N=3)
torch.linalg.vander(torch.tensor([2., 3.]), N=1)
torch.vander(torch.tensor(2.))
# spreads
torch.var_mean(torch.tensor([1., 2.]), False)
torch.std_mean(torch.tensor([[1., 2.], [3., 5.]]), True)
torch.std_mean(torch.tensor([[1., 2.], [3., 5.]]), 1, False)
torch.var_mean(torch.tensor([[1., 2.], [3., 5.]]), 1, False, True)
torch.var_mean(torch.tensor([[1., 2.], [3., 5.]]), (0, 1), correction=0, keepdim=True)
torch.var_mean(torch.tensor([[1., 2.], [3., 5.]]), dim=None, unbiased=False)
torch.cov(torch.tensor([[1., 2., 3.]]))
torch.cov(torch.tensor([[1, 2, 3], [3, 1, 1]]))
torch.corrcoef(torch.tensor([[1., 2., 3.]]))
torch.corrcoef(torch.tensor([[1., 2., 4.], [1., 2., 3.], [2., 1., 1.]]))
torch.cov(torch.ones(2, 2, 2))
# edges of functions
F.kl_div(torch.tensor([-1., -2.]), torch.tensor([-.5, .5]), reduction="none")
F.kl_div(torch.tensor([-1., -2.]), torch.tensor([0., .5]), reduction="none")
F.kl_div(torch.tensor(-1.), torch.tensor(.5), reduction="batchmean")
F.kl_div(torch.tensor([-1., -2.]), torch.tensor([0, 1]), reduction="none")
x = torch.tensor([-1., -2.], requires_grad=True); F.kl_div(x, torch.tensor([-.5, .5]), reduction="sum").backward(); x.grad
torch.xlogy(torch.tensor([0., 0., 2.]), torch.tensor([float("nan"), 0., 1.]))
torch.logit(torch.tensor([.1, .5, .7]), eps=.6)
torch.logit(torch.tensor([.1, .5, .97]), eps=.1)
torch.logit(torch.tensor([1, 0]), eps=.1)
x = torch.tensor([.05, .5, .97], requires_grad=True); torch.logit(x, eps=.1).sum().backward(); x.grad
F.dropout(torch.tensor([1., 2.]), 1.0)
F.dropout1d(torch.ones(2, 2), 1.0)
F.dropout1d(torch.ones(2, 2, 2), 1.0)
F.dropout2d(torch.ones(1, 2, 2, 2), 1.0)
F.dropout3d(torch.ones(2, 1, 2, 2), 1.0)
F.alpha_dropout(torch.ones(2, 2), 1.0, True)
F.feature_alpha_dropout(torch.ones(2, 2), 1.0, True)
F.feature_alpha_dropout(torch.ones(2), .5, True)
torch.manual_seed(0); [len(set(c.flatten().tolist())) for c in F.dropout3d(torch.ones(4, 2, 2, 2), 0.5)]
torch.linalg.pinv(torch.tensor([[1., 2.], [0., 3.]]), hermitian=True)
torch.linalg.pinv(torch.tensor([[2., 1.], [1., 4.], [1., 1.]]))
torch.linalg.pinv(torch.ones(2, 0))
x = torch.eye(2, requires_grad=True); (torch.linalg.pinv(x) * torch.tensor([[1., 2.], [3., 5.]])).sum().backward(); x.grad
x = torch.tensor([[1., 1.], [1., 1.]], requires_grad=True); (torch.linalg.pinv(x) * torch.tensor([[1., 2.], [3., 5.]])).sum().backward(); x.grad
x = torch.tensor([[1., 0., 1.], [0., 2., 0.]], requires_grad=True); (torch.linalg.pinv(x) * torch.tensor([[1., 2.], [3., 5.], [7., 8.]])).sum().backward(); x.grad
x = torch.tensor([[1., 0.], [0., 2.], [1., 1.]], requires_grad=True); (torch.linalg.pinv(x) * torch.tensor([[1., 2., 3.], [3., 5., 4.]])).sum().backward(); x.grad
torch.ones(1, 1, 3).squeeze(()).shape
torch.ones(1, 1, 3).squeeze([]).shape
torch.ones(1, 1, 3).squeeze().shape
# dtypes of results
torch.copysign(torch.tensor([1, 2]), torch.tensor([-1, 1]))
torch.copysign(torch.tensor([1, 2]), -1)
torch.copysign(torch.tensor([True]), torch.tensor([True]))
torch.copysign(torch.tensor([1, 2]), torch.tensor([-0., 1.], dtype=torch.float16))
torch.copysign(torch.tensor([1., 2.], dtype=torch.float16), torch.tensor([-1., 1.]))
torch.tensor([1, 2]).copysign_(-1)
torch.ones(2, dtype=torch.bool).square()
torch.ones(2, dtype=torch.bool).square_()
torch.ones(2, dtype=torch.uint8).square()
torch.addr(torch.ones(2, 2, dtype=torch.bool), torch.ones(2, dtype=torch.bool), torch.zeros(2, dtype=torch.bool))
torch.addr(torch.ones(2, 2, dtype=torch.bool), torch.ones(2, dtype=torch.bool), torch.zeros(2, dtype=torch.bool), beta=False)
torch.addr(torch.ones(2, 2, dtype=torch.int64), torch.ones(2), torch.ones(2))
torch.addr(torch.ones(2, 2, dtype=torch.int64), torch.ones(2, dtype=torch.int64), torch.ones(2, dtype=torch.int64), beta=.2)
torch.addr(torch.ones(2, 2, dtype=torch.int64), torch.ones(2, dtype=torch.int64), torch.ones(2, dtype=torch.int64), beta=True)
torch.ldexp(torch.ones(2, dtype=torch.float16), torch.tensor([1, 3], dtype=torch.int32))
torch.ldexp(torch.ones(2, dtype=torch.bfloat16), torch.tensor([1, -3]))
torch.ldexp(torch.ones(2, dtype=torch.int32), torch.tensor([1, -1], dtype=torch.int32))
torch.ldexp(torch.ones(2, dtype=torch.float16), torch.ones(2))
torch.ldexp(torch.tensor(1.), torch.tensor(2.5))
torch.ldexp(torch.full((2,), 2.**-100), torch.tensor(200))
torch.ones(2, dtype=torch.int32).ldexp_(torch.ones(2, dtype=torch.int32))
torch.ones(2, 3, dtype=torch.int32).sum_to_size(2, 1)
torch.arange(3, dtype=torch.int32).sum_to_size(3)
torch.ones(2, 3).sum_to_size(2, 2)
torch.einsum("ij->i", torch.ones(2, 3, dtype=torch.int32))
torch.einsum("ij,kl->", torch.ones(2, 3, dtype=torch.uint8), torch.ones(3, 2, dtype=torch.uint8))
torch.einsum("i,i->i", torch.tensor([True, False]), torch.tensor([True, True]))
torch.einsum("i,j->ij", torch.arange(2, dtype=torch.int32), torch.arange(3, dtype=torch.int32))
torch.einsum("bi,bj->bij", torch.arange(4.).reshape(2, 2), torch.arange(6.).reshape(2, 3))
torch.einsum("i,ij,j->ij", torch.arange(2.), torch.arange(6.).reshape(2, 3), torch.arange(3.))
torch.ones(3).float_power_(2)
torch.ones(3, dtype=torch.int32).float_power_(2)
torch.autograd.Variable(torch.ones(2), requires_grad=True).requires_grad
torch.autograd.Variable(torch.ones(2, requires_grad=True) * 2).requires_grad
isinstance(torch.ones(2), torch.autograd.Variable)
torch.autograd.Variable(torch.ones(2, dtype=torch.int64), requires_grad=True)
p = nn.Parameter(torch.ones(1)); o = torch.optim.SGD([p], lr=.1); said = []; o.register_step_pre_hook(lambda opt, args, kwargs: said.append(("pre", len(args), args[0] is o))); o.register_step_post_hook(lambda opt, args, kwargs: said.append("post")); o.step(lambda: said.append("closure")); o.step(); said
p = nn.Parameter(torch.ones(1)); o = torch.optim.Adam([p]); said = []; o.register_step_pre_hook(lambda opt, args, kwargs: ((opt, None), {})); o.step(lambda: said.append("closure")); said
p = nn.Parameter(torch.ones(1)); o = torch.optim.LBFGS([p], max_iter=1); said = []; o.register_step_pre_hook(lambda *a: said.append("pre")); o.register_step_post_hook(lambda *a: said.append("post")); o.step(lambda: said.append("closure") or (p * p).sum()); said[:2] + said[-1:]
# refusals in the same words everywhere
torch.tensor([1.], names=["a"])
torch.zeros(2, names=["a"])
torch.profiler.profile(use_cuda=True)
torch.autograd.profiler.profile(use_cuda=True)
torch.ones(2, dtype=torch.bool).relu()
-torch.ones(2, dtype=torch.bool)
+torch.ones(2, dtype=torch.bool)
torch.ones(2) - True
torch.ones(2) - torch.ones(2, dtype=torch.bool)
True - torch.ones(2)
torch.ones(2, dtype=torch.bool) - torch.ones(2, dtype=torch.bool)
torch.ones(2).sub_(True)
F.group_norm(torch.ones(1, 0, 2), 1)
F.group_norm(torch.ones(1, 2, 0), 1)
F.rms_norm(torch.ones(2), ())
torch.ones(2, dtype=torch.float64).scatter_add(0, torch.tensor([0]), torch.ones(1))
F.l1_loss(torch.ones(2), torch.ones(2, dtype=torch.bool))
F.binary_cross_entropy_with_logits(torch.ones(2), torch.ones(2, dtype=torch.bool))
torch.ones(2, dtype=torch.bool) ** True
torch.ones(2, dtype=torch.bool) ** False
torch.ones(2, dtype=torch.bool) ** 2
torch.ones(2, dtype=torch.bool) // 2
torch.ones(2, dtype=torch.bool).clamp(0, 1)
torch.ones(2, dtype=torch.bool).clamp(min=torch.tensor(False))
torch.ones(2, dtype=torch.bool).sign()
torch.ones(2, dtype=torch.bool).argmax()
torch.ones(2, dtype=torch.bool).var()
torch.ones(2, dtype=torch.int64).std()
torch.std_mean(torch.ones(2, dtype=torch.int64))
torch.ones(2, dtype=torch.int64).norm()
torch.ones(2, dtype=torch.int64).nanmean()
torch.dist(torch.ones(2, dtype=torch.int64), torch.ones(2, dtype=torch.int64))
torch.linalg.vecdot(torch.ones(2, dtype=torch.int64), torch.ones(2, dtype=torch.int64))
torch.linalg.matrix_norm(torch.ones(2, 2, dtype=torch.int64))
torch.ones(2, 2, dtype=torch.int64).inverse()
torch.ones(2, 2, dtype=torch.float16).inverse()
torch.ones(2, dtype=torch.int64).quantile(.5)
torch.trapezoid(torch.ones(2, dtype=torch.bool))
torch.cov(torch.ones(2, dtype=torch.bool))
torch.isin(torch.ones(2, dtype=torch.bool), torch.ones(2, dtype=torch.bool))
F.pdist(torch.ones(2, 2, dtype=torch.int64))
F.hardtanh(torch.ones(2, dtype=torch.bool))
torch.ones(2, dtype=torch.int64).exponential_()
torch.ones(2, 2, dtype=torch.bool).outer(torch.ones(2, dtype=torch.bool))
# refusals of CPU kernels
torch.ones(2, dtype=torch.bool).abs()
abs(torch.ones(2, dtype=torch.bool))
torch.ones(2, dtype=torch.bool).ceil()
torch.ones(2, dtype=torch.bool).floor_()
torch.ones(2, dtype=torch.bool).round()
torch.ones(2, dtype=torch.bool).trunc()
torch.ones(2, dtype=torch.int64).frac()
torch.ones(2, dtype=torch.bool).clamp(False, True)
torch.ones(2, dtype=torch.bool).clamp(min=False)
torch.ones(2, dtype=torch.bool).clamp_max(True)
torch.ones(2, dtype=torch.bool).clamp(torch.tensor(False), torch.tensor(True))
torch.ones(2, dtype=torch.bool) // True
torch.ones(2, dtype=torch.bool) % True
torch.ones(2, dtype=torch.bool) ** torch.ones(2, dtype=torch.bool)
True ** torch.ones(2, dtype=torch.bool)
torch.ones(2, dtype=torch.bool) << True
torch.ones(2) << 1
torch.ones(2, dtype=torch.bool).fmod(True)
torch.ones(2, dtype=torch.int64).hypot(torch.ones(2, dtype=torch.int64))
torch.ones(2, dtype=torch.int64).logaddexp(torch.tensor(1))
torch.ones(2, dtype=torch.bool).addcmul(torch.tensor(True), torch.tensor(True))
torch.ones(2, dtype=torch.int64).lerp(torch.tensor(1), 1)
torch.ones(2, dtype=torch.int64).lerp(torch.tensor(1), torch.tensor(1))
torch.ones(2, 2, dtype=torch.bool) @ torch.ones(2, 2, dtype=torch.bool)
torch.ones(2, 2, dtype=torch.bool) @ torch.ones(2, dtype=torch.bool)
torch.ones(2, dtype=torch.bool) @ torch.ones(2, dtype=torch.bool)
torch.ones(2, 2, 2, dtype=torch.bool) @ torch.ones(2, 2, 2, dtype=torch.bool)
torch.ones(2, 2, dtype=torch.bool).trace()
torch.ones(2, dtype=torch.bool).topk(1)
torch.ones(2, dtype=torch.bool).median()
torch.ones(2, dtype=torch.bool).kthvalue(1)
torch.arange(0, 5, dtype=torch.bool)
torch.linspace(0, 1, 2, dtype=torch.bool)
torch.randperm(2, dtype=torch.bool)
torch.tril_indices(2, 2, dtype=torch.bool)
torch.triu_indices(2, 2, dtype=torch.float32)
torch.ones(2, dtype=torch.int64).bernoulli()
torch.ones(2, dtype=torch.bool).bernoulli()
torch.ones(2, dtype=torch.int64).log_normal_()
torch.randn(2, dtype=torch.int64)
torch.rand(2, dtype=torch.bool)
F.gelu(torch.ones(2, dtype=torch.int64))
F.silu(torch.ones(2, dtype=torch.int64))
F.elu(torch.ones(2, dtype=torch.int64))
F.leaky_relu(torch.ones(2, dtype=torch.int64))
F.softplus(torch.ones(2, dtype=torch.int64))
F.logsigmoid(torch.ones(2, dtype=torch.int64))
F.threshold(torch.ones(2, dtype=torch.bool), 0, 0)
F.hardshrink(torch.ones(2, dtype=torch.int64))
F.softshrink(torch.ones(2, dtype=torch.int64))
F.glu(torch.ones(2, dtype=torch.int64))
F.softsign(torch.ones(2, dtype=torch.bool))
F.mse_loss(torch.ones(2, dtype=torch.int64), torch.ones(2, dtype=torch.int64))
F.huber_loss(torch.ones(2, dtype=torch.int64), torch.ones(2, dtype=torch.int64))
F.smooth_l1_loss(torch.ones(2, dtype=torch.int64), torch.ones(2, dtype=torch.int64))
F.binary_cross_entropy_with_logits(torch.ones(2, dtype=torch.int64), torch.ones(2, dtype=torch.int64))
F.multi_margin_loss(torch.ones(2, 2, dtype=torch.int64), torch.ones(2, dtype=torch.int64))
F.layer_norm(torch.ones(2, 2, dtype=torch.int64), (2,))
F.rms_norm(torch.ones(2, 2, dtype=torch.int64), (2,))
F.group_norm(torch.ones(2, 2, dtype=torch.int64), 1)
F.batch_norm(torch.ones(2, 2, dtype=torch.int64), None, None, training=True)
F.conv2d(torch.ones(1, 1, 2, 2, dtype=torch.bool), torch.ones(1, 1, 1, 1, dtype=torch.bool))
F.max_pool2d(torch.ones(1, 1, 2, 2, dtype=torch.bool), 2)
F.avg_pool2d(torch.ones(1, 1, 2, 2, dtype=torch.bool), 2)
F.adaptive_avg_pool2d(torch.ones(1, 1, 2, 2, dtype=torch.int64), 1)
F.interpolate(torch.ones(1, 1, 2, 2, dtype=torch.int64), size=4)
F.pad(torch.ones(1, 2, 2, dtype=torch.bool), (1, 1), "reflect")
F.unfold(torch.ones(1, 1, 2, 2, dtype=torch.int64), 2)
torch.searchsorted(torch.ones(2, dtype=torch.bool), torch.ones(2, dtype=torch.bool))
torch.histc(torch.ones(2, dtype=torch.int64))
F.adaptive_max_pool2d(torch.ones(1, 1, 2, 2, dtype=torch.int64), 1)
F.embedding_bag(torch.tensor([[0, 1]]), torch.ones(2, 2, dtype=torch.int64))
F.embedding_bag(torch.tensor([[0, 1]]), torch.ones(2, 2, dtype=torch.bool))
torch.ones(2, dtype=torch.int64).clamp_(min=.5)
torch.ones(2, dtype=torch.bool).clamp_(0, 1)
F.local_response_norm(torch.ones(1, 2, 2, dtype=torch.bool), 2)
F.margin_ranking_loss(*[torch.ones(2, dtype=torch.bool)] * 3)
F.binary_cross_entropy_with_logits(torch.ones(2, dtype=torch.bool), torch.ones(2, dtype=torch.bool))
torch.cdist(torch.ones(2, 2, dtype=torch.float16), torch.ones(2, 2, dtype=torch.float16))
torch.cdist(torch.ones(2, 2, dtype=torch.int64), torch.ones(2, 2, dtype=torch.int64))
torch.einsum("ij,jk->k", torch.ones(2, 3, dtype=torch.int32), torch.ones(3, 2, dtype=torch.int32))
torch.baddbmm(torch.ones(1, 2, 2).double(), torch.ones(1, 2, 2), torch.ones(1, 2, 2))
torch.ones(2, dtype=torch.complex64).amax()
torch.ones(2, dtype=torch.complex64).clamp_min(torch.ones(2))
torch.ones(2, dtype=torch.int64).lerp(torch.ones(2, dtype=torch.int64), .5)
torch.bincount(torch.ones(2))
torch.bincount(torch.ones(2, dtype=torch.bool))
torch.linalg.svd(torch.eye(2).half())
torch.linalg.cholesky(torch.eye(2).half())
torch.linalg.det(torch.eye(2).half())
torch.linalg.slogdet(torch.eye(2).half())
torch.linalg.eigh(torch.eye(2).long())
torch.linalg.pinv(torch.eye(2).half())
torch.linalg.matrix_rank(torch.eye(2).half())
# integer products of CPU kernels
torch.addbmm(torch.ones(2, 2, dtype=torch.int32), torch.ones(3, 2, 2, dtype=torch.int32), torch.ones(3, 2, 2, dtype=torch.int32))
torch.addbmm(torch.ones(2, 2, dtype=torch.uint8), torch.ones(3, 2, 2, dtype=torch.uint8), torch.ones(3, 2, 2, dtype=torch.uint8), beta=.2)
torch.addmv(torch.ones(2, dtype=torch.int64), torch.ones(2, 2, dtype=torch.int64), torch.ones(2, dtype=torch.int64), beta=.2)
torch.addmv(torch.ones(2, dtype=torch.int64), torch.ones(2, 2, dtype=torch.int64), torch.ones(2, dtype=torch.int64), beta=1.7)
torch.mm(torch.ones(2, 0, dtype=torch.int64), torch.ones(0, 3, dtype=torch.int64))
# errors that the CPU reports at once
torch.ones(2, 3).index_fill(1, torch.tensor([0, 9]), 3.)
torch.ones(2, 3)[:, torch.tensor([0, 9])]
torch.ones(2, 3)[torch.tensor([0]), torch.tensor([9])]
torch.tensor(3.).index_select(0, torch.tensor([1]))
torch.tensor(3.).gather(0, torch.tensor(1))
torch.tensor(3.).scatter(0, torch.tensor(1), 2.)
torch.tensor(3.).index_fill(0, torch.tensor([1]), 2.)
F.scaled_dot_product_attention(torch.ones(2, 2).half(), torch.ones(2, 2), torch.ones(2, 2))
# random numbers of the CPU
torch.manual_seed(0); torch.empty(3).log_normal_()
torch.manual_seed(0); torch.empty(17).log_normal_(0, .5)
torch.manual_seed(0); torch.empty(3, dtype=torch.float16).log_normal_()
torch.manual_seed(0); torch.empty(2, 2, dtype=torch.float64).t().log_normal_(1, .1)
torch.manual_seed(0); F.dropout3d(torch.ones(2, 2, 2, 2), 0.5)
torch.manual_seed(0); F.feature_alpha_dropout(torch.ones(3, 2), 0.5, True)
torch.empty(3).log_normal_(0, 0)
torch.manual_seed(0); torch.empty(3, 2).t().uniform_()
torch.manual_seed(0); torch.empty(3, 2).t().normal_()
torch.manual_seed(0); torch.empty(3, 2).t().bernoulli_()
torch.manual_seed(0); torch.empty(3, 4)[:, ::2].uniform_()
torch.manual_seed(0); torch.empty(2, 3, 4).permute(2, 0, 1).exponential_()
torch.manual_seed(0); torch.empty(3, 2, dtype=torch.int64).t().random_(100)
torch.manual_seed(0); torch.rand_like(torch.empty(3, 2).t())
torch.manual_seed(0); F.dropout(torch.ones(3, 2).t())
torch.manual_seed(0); torch.bernoulli(torch.full((3, 2), .5).t())
# tensors without dimensions, and sizes that are not there
torch.rand(()).stride(-1)
torch.rand(()).stride(0)
torch.rand(()).stride(1)
torch.rand(()).size(-1)
torch.rand(()).size(1)
torch.linalg.solve(torch.eye(2), torch.tensor(1.))
torch.linalg.solve(torch.eye(0), torch.tensor(1.))
torch.linalg.solve(torch.ones(3, 2, 2), torch.tensor(1.))
F.adaptive_avg_pool1d(torch.ones(3), (1,))
F.adaptive_avg_pool1d(torch.ones(2, 3), ())
F.adaptive_avg_pool1d(torch.ones(2, 3), (2, 2))
F.adaptive_avg_pool1d(torch.ones(1, 2, 3, 4), (1,))
F.adaptive_avg_pool2d(torch.ones(3), ())
F.adaptive_avg_pool2d(torch.ones(0), torch.ones(0))
F.adaptive_avg_pool2d(torch.ones(3), (2, 2))
F.adaptive_avg_pool2d(torch.ones(1, 2, 3), ())
F.adaptive_avg_pool2d(torch.ones(1, 2, 3), (1,))
F.adaptive_avg_pool2d(torch.ones(1, 2, 3), (1, 1, 1))
F.adaptive_avg_pool2d(torch.ones(1, 2, 3, 4), (1, 1, 1))
# counts at the edges of bins
torch.histc(torch.linspace(-3, 3, 50), 7)
torch.histc(torch.linspace(-1, 1, 90), 30)
torch.histc(torch.arange(20.) * .1, 20, 0, 2)
torch.histc(torch.arange(20., dtype=torch.float64) * .1, 20, 0, 2)
torch.histc(torch.arange(100.) / 7, 49, 0, 14)
torch.histc(torch.linspace(0, 1e-5, 12), 1000, 0, 1e-5).nonzero().flatten().tolist()
torch.histc(torch.tensor([.1, .3, .6, .7, .9]), 10, .1, .9)
torch.histc(torch.tensor([1., 1., 1.]), 3)
# spreads of too few elements
torch.tensor([1., 2.]).var(correction=2)
torch.tensor([1., 2.]).std(correction=3)
torch.tensor([2., 2.]).var(correction=2)
torch.tensor([[1., 2.], [3., 3.]]).var(1, correction=2)
torch.tensor([[1., 2.], [3., 3.]], dtype=torch.float64).std(1, correction=5)
torch.tensor([1.]).var()
torch.ones(1, 3).std(0)
torch.zeros(0, 3).var(0)
torch.zeros(3, 0).var(0)
import warnings; c = warnings.catch_warnings(record=True); w = c.__enter__(); warnings.simplefilter("always"); torch.ones(1).var(); c.__exit__(None, None, None); [str(m.message).split(" (Triggered")[0] for m in w]
import warnings; c = warnings.catch_warnings(record=True); w = c.__enter__(); warnings.simplefilter("always"); torch.ones(1, 3).std(0); c.__exit__(None, None, None); [str(m.message).split(" (Triggered")[0] for m in w]
import warnings; c = warnings.catch_warnings(record=True); w = c.__enter__(); warnings.simplefilter("always"); torch.ones(3, 1).var(1, correction=2); c.__exit__(None, None, None); [str(m.message).split(" (Triggered")[0] for m in w]
import warnings; c = warnings.catch_warnings(record=True); w = c.__enter__(); warnings.simplefilter("always"); torch.zeros(3, 0).var(0); c.__exit__(None, None, None); [str(m.message).split(" (Triggered")[0] for m in w]
import warnings; c = warnings.catch_warnings(record=True); w = c.__enter__(); warnings.simplefilter("always"); torch.zeros(0).std(); c.__exit__(None, None, None); [str(m.message).split(" (Triggered")[0] for m in w]
import warnings; c = warnings.catch_warnings(record=True); w = c.__enter__(); warnings.simplefilter("always"); torch.ones(1).var(correction=0); c.__exit__(None, None, None); [str(m.message).split(" (Triggered")[0] for m in w]
import warnings; c = warnings.catch_warnings(record=True); w = c.__enter__(); warnings.simplefilter("always"); torch.ones(2, 1).std(0); c.__exit__(None, None, None); [str(m.message).split(" (Triggered")[0] for m in w]
import warnings; c = warnings.catch_warnings(record=True); w = c.__enter__(); warnings.simplefilter("always"); torch.ones(2).var(unbiased=False); c.__exit__(None, None, None); [str(m.message).split(" (Triggered")[0] for m in w]
# rows by how often they are looked up
x = torch.arange(6.).reshape(3, 2).requires_grad_(); F.embedding_bag(torch.tensor([[0, 1], [1, 1]]), x, scale_grad_by_freq=True).pow(2).sum().backward(); x.grad
x = torch.arange(6.).reshape(3, 2).requires_grad_(); F.embedding_bag(torch.tensor([[0, 1], [1, 1]]), x, scale_grad_by_freq=True, mode="sum").pow(2).sum().backward(); x.grad
x = torch.arange(6.).reshape(3, 2).requires_grad_(); F.embedding_bag(torch.tensor([0, 1, 1, 2]), x, torch.tensor([0, 3]), scale_grad_by_freq=True, mode="sum").pow(2).sum().backward(); x.grad
x = torch.arange(6.).reshape(3, 2).requires_grad_(); F.embedding(torch.tensor([[0, 1], [1, 1]]), x, scale_grad_by_freq=True).pow(2).sum().backward(); x.grad
x = torch.arange(6.).reshape(3, 2).requires_grad_(); F.embedding(torch.tensor([0, 2, 2, 1, 2]), x, padding_idx=1, scale_grad_by_freq=True).pow(2).sum().backward(); x.grad
F.embedding_bag(torch.tensor([[0, 1]]), torch.ones(2, 2), scale_grad_by_freq=True, mode="max")
F.embedding_bag(torch.tensor([[0, 1]]), torch.ones(2, 2), sparse=True, mode="max")
nn.Embedding(3, 2, scale_grad_by_freq=True)
nn.Embedding(3, 2, padding_idx=1, max_norm=2., norm_type=3., scale_grad_by_freq=True)
nn.EmbeddingBag(3, 2, scale_grad_by_freq=True)
nn.EmbeddingBag(3, 2, max_norm=1., scale_grad_by_freq=True, mode="sum", padding_idx=0)
F.local_response_norm(torch.zeros(0, 2, 3, dtype=torch.int64), 2)
F.local_response_norm(torch.zeros(0, 2, 3), 2)
# views of more elements than there is memory for, on the CPU
torch.ones(1).expand(2**36)
torch.arange(3.).reshape(3, 1).expand(3, 2**34)
torch.arange(8).reshape(8, 1).expand(8, 2**20)
torch.tensor([1 + 2j]).expand(2**36)
torch.ones(1, dtype=torch.bool).expand(2**18, 2**18)
torch.ones(1, requires_grad=True).expand(2**33)
torch.ones(1).expand(2, 3, 2**30)
torch.tensor([1., 1e9]).reshape(2, 1).expand(2, 2**32)
torch.tensor([1., float("nan")]).reshape(2, 1).expand(2, 2**32)
torch.arange(5.).reshape(5, 1, 1).expand(5, 7, 2**30)
torch.arange(7.).reshape(1, 7, 1).expand(2**30, 7, 6)
torch.arange(2**21)
torch.arange(2**21).reshape(2**10, 2**11).t()[5:]
# arguments that PyTorch takes, on the CPU
torch.repeat_interleave(torch.tensor([1, 2]))
torch.asarray([1.], requires_grad=True)
torch.asarray(obj=[1])
x = torch.ones(2); torch.asarray(x, copy=True) is x
torch.asarray([1], copy=False)
torch.ones(2).copy_(2)
torch.zeros(2).copy_(other=torch.ones(2))
torch.ones(2).to(True)
torch.ones(2, 2).split(split_size=1)
torch.arange(3.).tensor_split(sections=2)
torch.atleast_1d()
torch.ones(2).norm(dtype=torch.float64)
F.avg_pool2d(torch.ones(1, 2, 2), 2, [])
torch.kl_div(torch.tensor([1., 2.]), torch.tensor([.5, .5]))
torch.xlogy(torch.tensor([1., 2.]), 3)
torch.xlogy(2, torch.tensor([1., 2.]))
torch.rand_like(torch.ones(2), generator=torch.Generator().manual_seed(1))
torch.linspace(torch.ones(2), 1, 2)
torch.ones(2, 3).new((2, 3))
torch.ones(2, 3).new(torch.Size([2, 0]))
import copy; [copy.deepcopy(f) is f for f in (torch.tanh, F.gelu, torch.quantile, torch.Tensor.exp, torch.Tensor.quantile)]
import pickle; [pickle.loads(pickle.dumps(f)) is f for f in (torch.tanh, torch.quantile, torch.Tensor.exp, torch.Tensor.quantile)]
"""


def written(value):
    return re.sub(r", device='cuda:0'", "", repr(value))


def answer(code):
    """What a case's expression is, or what it raises."""
    space = {"torch": torch, "nn": nn, "F": F}
    *before, last = code.split("; ")
    try:
        exec("; ".join(before), space)
        return written(eval(last, space))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def main():
    warnings.simplefilter("ignore")
    cases, heading = [], ""
    for line in CASES.strip().splitlines():
        if line.startswith("#"):
            heading = line[2:]
            continue
        case = {"id": f"{heading.split(' ')[0]}_{len(cases)}", "code": line, "want": answer(line)}
        cases.append(case | ({"cpu": True} if "CPU" in heading else {}))
    path = pathlib.Path(__file__).with_name("findings.json")
    path.write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")


if __name__ == "__main__":
    main()
