"""Programs about gradients, changes in place, `out=` and arguments, with what PyTorch gives:

    python tests/oracle/torch/record_findings_gradients.py

writes `findings_gradients.json` beside this file. A program leaves what counts in `out`.
"""

import math
import warnings

import torch

# Each line is a program: `import torch`, `nn`, `F`, `t` (a tensor of numbers) and `leaf` (one that requires gradients) are there.
PROGRAMS = """
# In place on a tensor that isn't a leaf, then backward.
x = leaf([-2., .5, 3.]); y = x * 1; y.clamp_min_(0.); y.sum().backward(); out = [y, x.grad]
x = leaf([-2., .5, 3.]); y = x * 1; y.clamp_max_(t([1., 1., 1.])); (y * t([1., 2., 3.])).sum().backward(); out = [y, x.grad]
x = leaf([-2., .5, 3.]); lo = leaf([0., 0., 4.]); y = x * 1; y.clamp_(min=lo); (y * y).sum().backward(); out = [y, x.grad, lo.grad]
x = leaf([-2., .5, 3.]); y = x * 1; y.clamp_(min=t([-1., -1., -1.]), max=t([2., 2., 2.])); (y * y).sum().backward(); out = [y, x.grad]
x = leaf([.5, 2., 3.]); y = x * 1; y.cumprod_(0); (y * t([1., 2., 3.])).sum().backward(); out = [y, x.grad]
x = leaf([.1, .5, .9]); y = x * 1; y.logit_(); y.sum().backward(); out = [y, x.grad]
x = leaf([.1, math.nan, math.inf]); y = x * 1; y.nan_to_num_(0., 2., -2.); y.sum().backward(); out = [y, x.grad]
x = leaf([[3., 4.], [.3, .4]]); y = x * 1; y.renorm_(2, 0, 1.); (y * y).sum().backward(); out = [y, x.grad]
x = leaf([.5, 2., 3.]); o = leaf([1., 2., 4.]); y = x * 1; y.xlogy_(o); y.sum().backward(); out = [y, x.grad, o.grad]
x = leaf([.5, -2., 3.]); o = leaf([1., 2., -4.]); y = x * 1; y.copysign_(o); (y * t([1., 2., 3.])).sum().backward(); out = [y, x.grad, o.grad]
x = leaf([5., -2., 3.]); y = x * 1; y.div_(2, rounding_mode='floor'); (y * y).sum().backward(); out = [y, x.grad]
x = leaf([5., -2., 3.]); y = x * 1; y.div_(t([2., 2., 2.]), rounding_mode='trunc'); (y * y).sum().backward(); out = [y, x.grad]
x = leaf([[1., 2.], [3., 4.]]); y = x * 1; y.tril_(); y.sum().backward(); out = [y, x.grad]
x = leaf([1., 2.]); e = leaf([3., 5.]); y = x * 1; y.lerp_(e, .25); (y * y).sum().backward(); out = [y, x.grad, e.grad]
y = t([1., 2.]); e = leaf([3., 5.]); y.lerp_(e, .25); (y * y).sum().backward(); out = [y, e.grad]
y = t([1., 2.]); a = leaf([3., 5.]); y.addcmul_(a, a, value=2.); (y * y).sum().backward(); out = [y, a.grad]
y = torch.zeros(3); s = leaf([3., 5.]); y.scatter_(0, torch.tensor([2, 0]), s); (y * t([1., 2., 3.])).sum().backward(); out = [y, s.grad]
x = leaf([[1., 2.], [3., 4.]]); y = x * 1; v = y[0]; v.clamp_max_(1.5); y.sum().backward(); out = [y, x.grad]
x = leaf([-1., 1.]); y = x * 1; F.silu(y, inplace=True); y.sum().backward(); out = [y, x.grad]
x = leaf([-1., 1.]); y = x * 1; F.elu(y, inplace=True); y.sum().backward(); out = [y, x.grad]
x = leaf([-1., 1.]); y = x * 1; F.hardswish(y, inplace=True); y.sum().backward(); out = [y, x.grad]
x = leaf([-1., 1.]); y = x * 1; F.leaky_relu(y, .1, inplace=True); y.sum().backward(); out = [y, x.grad]
x = leaf([-1., 1.]); x.clamp_min_(0.)
x = leaf([1., 2.]); y = x * 1; z = y * y; y.clamp_min_(1.5); z.sum().backward()
# Views that take a tensor's place.
x = leaf([[1., 2.], [3., 4.]]); y = x * 2; y.t_(); (y * t([[1., 2.], [3., 4.]])).sum().backward(); out = [y, x.grad]
x = leaf([[1.], [3.]]); y = x * 2; y.squeeze_(1); (y * t([1., 2.])).sum().backward(); out = [y, x.grad]
x = leaf([1., 3.]); y = x * 2; y.unsqueeze_(0); (y @ t([[1.], [2.]])).sum().backward(); out = [y, x.grad]
x = leaf([[1., 2., 5.], [3., 4., 6.]]); y = x * 2; y.transpose_(0, 1); (y * t([[1., 2.], [3., 4.], [5., 6.]])).sum().backward(); out = [y, x.grad]
x = leaf([[1., 2.], [3., 4.]]); y = x * 2; y.swapaxes_(0, 1).mul_(t([[1., 2.], [3., 4.]])); y.sum().backward(); out = [y, x.grad]
x = leaf([[1., 2.], [3., 4.]]); y = x * 2; v = y[0]; v.unsqueeze_(0); (v * t([[2., 3.]])).sum().backward(); out = [v, v._version, x.grad]
x = leaf([[1., 2.], [3., 4.]]); x.t_()
x = leaf([[1., 2.], [3., 4.]]); x[0].unsqueeze_(0)
x = t([[1., 2., 3.]]); x.t_(); x.squeeze_(); out = [x, x.stride()]
# Gradients that were missing.
x = leaf([0., 2., 3.]); (x.cumprod(0) * t([1., 2., 3.])).sum().backward(); out = x.grad
x = leaf([[2., 0., 3., 0., 4.], [1., 2., 0., 5., 6.]]); (x.cumprod(1) * t([1., 2., 3., 4., 5.])).sum().backward(); out = x.grad
x = leaf([2., 0., 3., 4.]); g, = torch.autograd.grad((x.cumprod(0) * t([1., 2., 3., 4.])).sum(), x, create_graph=True); (g * t([1., 2., 3., 4.])).sum().backward(); out = [g, x.grad]
x = leaf([2., 0., 0., 4.]); g, = torch.autograd.grad((x.cumprod(0) * t([1., 2., 3., 4.])).sum(), x, create_graph=True); (g * t([1., 2., 3., 4.])).sum().backward(); out = [g, x.grad]
x = leaf([.3, 1.5, -2.3, 7.]); torch.digamma(x).sum().backward(); out = x.grad
x = leaf([.3, 1.5, -2.3, 7.]); g, = torch.autograd.grad(torch.lgamma(x).sum(), x, create_graph=True); h, = torch.autograd.grad(g.sum(), x, create_graph=True); h.sum().backward(); out = [g, h, x.grad]
x = leaf([1., 2., 3., 4., 5.]); u = x.unfold(0, 3, 1); (u * t([1., 2., 3.])).sum().backward(); out = [u, x.grad]
x = leaf([[1., 2., 3., 4.], [5., 6., 7., 8.], [2., 2., 2., 2.]]); u = x.unfold(0, 2, 1).unfold(1, 2, 2); (u * u).sum().backward(); out = [u, x.grad]
x = leaf(3.); u = x.unfold(0, 1, 1); (u * 2).sum().backward(); out = [u, x.grad]
x = leaf([1., 2., 3., 4., 5.]); g, = torch.autograd.grad((x.unfold(0, 2, 2) ** 3).sum(), x, create_graph=True); g.sum().backward(); out = [g, x.grad]
x = leaf([1., 2., 3., 4., 5., 6.]); s = x.as_strided((2, 3), (1, 2), 0); (s * t([[1., 2., 3.], [4., 5., 6.]])).sum().backward(); out = [s, x.grad]
x = leaf([1., 2., 3., 4.]); s = x.as_strided((3, 2), (1, 1)); (s * s).sum().backward(); out = [s, x.grad]
x = leaf([[1., 2.], [3., 4.]]); s = x.t().as_strided((3,), (1,), 1); (s * t([1., 2., 3.])).sum().backward(); out = [s, x.grad]
x = leaf([2.]).expand(3).as_strided((2,), (0,)); out = x
x = leaf([1., 2.]); s = leaf([3., 5., 4.]); y = x.scatter_reduce(0, torch.tensor([0, 0, 1]), s, 'amax'); (y * t([2., 3.])).sum().backward(); out = [y, x.grad, s.grad]
x = leaf([3., 2.]); s = leaf([3., 3., 4.]); y = x.scatter_reduce(0, torch.tensor([0, 0, 1]), s, 'amax'); y.sum().backward(); out = [y, x.grad, s.grad]
x = leaf([3., 2.]); s = leaf([3., 3., 4.]); y = x.scatter_reduce(0, torch.tensor([0, 0, 1]), s, 'amin', include_self=False); y.sum().backward(); out = [y, x.grad, s.grad]
x = leaf([1., 2., 7.]); s = leaf([3., 5., 4.]); y = x.scatter_reduce(0, torch.tensor([0, 0, 1]), s, 'mean'); (y * t([2., 3., 4.])).sum().backward(); out = [y, x.grad, s.grad]
x = leaf([1., 2., 7.]); s = leaf([3., 5., 4.]); y = x.scatter_reduce(0, torch.tensor([0, 0, 1]), s, 'mean', include_self=False); y.sum().backward(); out = [y, x.grad, s.grad]
x = leaf([1., 2., 7.]); s = leaf([3., 5., 4.]); y = x.scatter_reduce(0, torch.tensor([0, 0, 1]), s, 'prod'); y.sum().backward(); out = [y, x.grad, s.grad]
x = leaf([1., 0., 7.]); s = leaf([0., 5., 4.]); y = x.scatter_reduce(0, torch.tensor([0, 0, 1]), s, 'prod'); y.sum().backward(); out = [y, x.grad, s.grad]
x = leaf([1., 2., 7.]); s = leaf([3., 5., 4.]); y = x.scatter_reduce(0, torch.tensor([0, 0, 1]), s, 'prod', include_self=False); y.sum().backward(); out = [y, x.grad, s.grad]
x = leaf([[1., 2.], [3., 4.]]); s = leaf([[3., 5., 4.], [1., 2., 3.]]); y = x.scatter_add(1, torch.tensor([[0, 1]]), s); y.sum().backward(); out = [y, x.grad, s.grad]
x = leaf([1., 2.]); i = torch.tensor([0, 1]); y = x * 1; y.scatter_reduce_(0, i, t([3., 1.]), 'amax'); y.sum().backward(); out = [y, x.grad]
x = leaf([1., 2., 3.]); v = leaf(5.); y = x.index_fill(0, torch.tensor([0, 2]), v); (y * t([1., 2., 3.])).sum().backward(); out = [y, x.grad, v.grad]
x = leaf([1., 2., 3.]); v = leaf(5.); y = x.index_fill(0, torch.tensor([0, 2, 0]), v); (y * t([1., 2., 3.])).sum().backward(); out = [y, x.grad, v.grad]
x = leaf([1., 2., 3.]); out = torch.index_fill(x, 0, torch.tensor([0]), t([2.]))
x = leaf([.5, .5]); y = torch.bernoulli(x); y.sum().backward(); out = [y.requires_grad, x.grad]
m = leaf([.5, .5]); s = leaf([1., 2.]); y = torch.normal(m, s); y.sum().backward(); out = [y.requires_grad, m.grad, s.grad]
x = leaf([[1., 2.], [3., 4.]]); y = torch.linalg.matrix_power(x, 0); y.sum().backward(); out = [y, x.grad]
x = leaf([1.]); y = torch.combinations(x); out = [y, y.requires_grad, torch.autograd.grad(y.sum(), x)[0]]
x = leaf([1., 2.]); o = leaf([-1., 3.]); (torch.copysign(x, o) * t([1., 2.])).sum().backward(); out = [x.grad, o.grad]
e = torch.empty(0, requires_grad=True); x = leaf([[1., 2.]]); torch.cat([e, x], 1).sum().backward(); out = [e.grad, x.grad]
x = leaf([0., 1., 2.]); lo = leaf([0., 2., 0.]); hi = leaf([1., 1., 1.]); (torch.clamp(x, lo, hi) * t([1., 2., 3.])).sum().backward(); out = [x.grad, lo.grad, hi.grad]
x = leaf([1.25, 2.35]); y = torch.round(x, decimals=1); y.sum().backward(); out = [y, x.grad]
x = leaf([1., 0., 3.]); y = torch.linalg.vector_norm(x, 0); y.backward(); out = [y, x.grad]
x = leaf([1., -2.]); y = x.angle(); y.sum().backward(); out = [y, x.grad]
x = torch.empty(0, 3, requires_grad=True); w = leaf([1., 2., 3.]); b = leaf([1., 2., 3.]); F.layer_norm(x, (3,), w, b).sum().backward(); out = [x.grad, w.grad, b.grad]
x = torch.empty(0, 3, requires_grad=True); m = nn.Bilinear(3, 3, 2); m(x, x).sum().backward(); out = [x.grad, m.weight.grad]
# Complex numbers.
z = leaf([1 + 2j, 3 - 4j]); (z.abs() * t([1., 2.])).sum().backward(); out = z.grad
z = leaf([1 + 2j, 0j]); z.abs().sum().backward(); out = z.grad
z = leaf([1 + 2j, 3 - 4j]); w = leaf([2 - 1j, 1j]); y = (z * w).sum(); (y.real + 2 * y.imag).backward(); out = [z.grad, w.grad]
z = leaf([1 + 2j, 3 - 4j]); w = leaf([2 - 1j, 1j]); y = (z / w).sum(); (y.real + 2 * y.imag).backward(); out = [z.grad, w.grad]
x = leaf([1., 2.]); y = (x * (2 - 1j) + 1j).sum(); (y.real * y.imag).backward(); out = [y, x.grad]
x = leaf([1., 2.]); w = leaf([2 - 1j, 1j]); y = (x * w - w / x).sum(); (y.real + 3 * y.imag).backward(); out = [x.grad, w.grad]
z = leaf([.1 + .2j, .3 - .4j]); y = z.exp().sum(); (y.real + 2 * y.imag).backward(); out = [y, z.grad]
z = leaf([1 + 2j, 3 - 4j]); y = (z.reciprocal() + z.square()).sum(); (y.real + 2 * y.imag).backward(); out = [y, z.grad]
z = leaf([1 + 2j, 3 - 4j]); torch.view_as_real(z * 2j).mul(t([[1., 2.], [3., 4.]])).sum().backward(); out = z.grad
x = leaf([[1., 2.], [3., 4.]]); z = torch.view_as_complex(x) * (1 + 1j); (z.real + 2 * z.imag).sum().backward(); out = x.grad
a = leaf([1., 2.]); b = leaf(3.); z = torch.complex(a, b.expand(2)); (z * z.conj() * (1 + 2j)).sum().real.backward(); out = [a.grad, b.grad]
a = leaf([1., 2.]); b = leaf([.5, -1.]); z = torch.polar(a, b); (z.real + 2 * z.imag).sum().backward(); out = [a.grad, b.grad]
z = leaf([1 + 2j, 3 - 4j, 0j]); (z.angle() * t([1., 2., 3.])).sum().backward(); out = z.grad
z = leaf([1 + 2j, 3 - 4j, 0j]); y = z.sgn() * t([1., 2., 3.]); (y.real + 2 * y.imag).sum().backward(); out = [y, z.grad]
z = leaf([[1 + 2j, 3 - 4j]]); w = leaf([[2j, 1.], [1 - 1j, 3j]]); y = z @ w; (y.real + 2 * y.imag).sum().backward(); out = [y, z.grad, w.grad]
z = leaf([[[1 + 2j, 3 - 4j]]]); w = leaf([[[2j], [1 - 1j]]]); y = torch.bmm(z, w); (y.real + 2 * y.imag).sum().backward(); out = [y, z.grad, w.grad]
z = leaf([1 + 2j, 3 - 4j]); w = leaf([2j, 1 - 1j]); y = torch.dot(z, w) + torch.vdot(z, w) + (torch.stack([z, w]) @ z).sum(); (y.real + 2 * y.imag).backward(); out = [y, z.grad, w.grad]
z = leaf([1 + 2j, 3 - 4j]); y = torch.einsum('i,j->ij', z, z); (y.real + 2 * y.imag).sum().backward(); out = [y, z.grad]
z = leaf([[1 + 2j, 3 - 4j], [1j, 2j]]); y = torch.cat([z.t(), z[:1]]).flip(0)[torch.tensor([0, 2])].mean(0).cumsum(0); (y.real + 2 * y.imag).sum().backward(); out = [y, z.grad]
z = leaf([1 + 2j, 3 - 4j]); y = torch.where(t([True, False]), z, z.conj() * 2).masked_fill(t([False, True]), 1j); (y.real + 2 * y.imag).sum().backward(); out = [y, z.grad]
z = leaf([1 + 2j, 3 - 4j]); y = z * 1; y.real.mul_(3.); y.imag[0] = 5.; (y.real + 2 * y.imag).sum().backward(); out = [y, z.grad]
z = leaf([1 + 2j, 3 - 4j]); y = z * 1; r = y.imag; y.mul_(2j); (r * r).sum().backward(); out = [r, z.grad]
x = leaf([1., 2.]); y = x.to(torch.complex64) * (1 + 2j); y.imag.sum().backward(); out = x.grad
z = leaf([1 + 2j, 3 - 4j]); g, = torch.autograd.grad((z * z * z).real.sum(), z, create_graph=True); g.abs().sum().backward(); out = [g, z.grad]
z = leaf([1 + 2j]); (z * 2).sum().backward()
z = leaf([1 + 2j]); torch.linalg.vector_norm(torch.view_as_real(z)).backward(); out = z.grad
z = leaf([1 + 2j, 3 - 4j]); y = z.sum() - 2 * z[1]; torch.autograd.backward(y, torch.tensor(1 - 1j)); out = z.grad
# out=
o = torch.empty(2); r = torch.diff(t([1., 4., 9.]), out=o); out = [r is o, o]
o = torch.empty(0); torch.quantile(t([1., 4., 9.]), .25, out=o); out = o
o = torch.empty(0); torch.histc(t([1., 2., 1.]), 3, 0, 3, out=o); out = o
o = torch.empty(0, dtype=torch.bool); torch.isin(t([1., 2.]), t([2.]), out=o); out = o
o = torch.empty(0); torch.kron(t([[1., 2.]]), t([[3.], [4.]]), out=o); out = o
o = torch.empty(0), torch.empty(0, dtype=torch.int64); r = torch.cummax(t([1., 3., 2.]), 0, out=o); out = [type(r).__name__, r.values is o[0], *o]
o = torch.empty(0), torch.empty(0, dtype=torch.int64); r = torch.sort(t([1., 3., 2.]), out=o); out = [type(r).__name__, *o]
o = torch.empty(0); torch.linalg.norm(t([[3., 4.]]), out=o); out = o
o = torch.empty(0), torch.empty(0); r = torch.linalg.eigh(t([[2., 0.], [0., 3.]]), out=o); out = [type(r).__name__, o[0]]
o = torch.empty(0, dtype=torch.int64); torch.bucketize(t([.5, 2.5]), t([1., 2., 3.]), out=o); out = o
o = torch.empty(0); F.gelu(t([1.]), out=o); out = o
o = torch.empty(0); F.softplus(t([1.]), out=o); out = o
o = torch.empty(0); F.normalize(t([[3., 4.]]), out=o); out = o
o = torch.empty(2, dtype=torch.float64); torch.deg2rad(t([180., 90.]), out=o); out = o
o = torch.empty(3)[::2]; torch.deg2rad(t([180., 90.]), out=o); out = o
with warnings.catch_warnings(record=True) as w: warnings.simplefilter('always'); o = torch.empty(5); torch.diff(t([1., 4.]), out=o); out = [str(w[0].message).split(' (Trig')[0], o]
with warnings.catch_warnings(record=True) as w: warnings.simplefilter('always'); o = torch.empty(5); o.resize_(0); torch.diff(t([1., 4.]), out=o); out = [len(w), o]
torch.diff(leaf([1., 2.]), out=torch.empty(1))
torch.kron(leaf([1., 2.]), t([1.]), out=torch.empty(2))
torch.exp(t([1., 2.]), out=torch.empty(2, requires_grad=True))
torch.deg2rad(t([1., 2.]), out=torch.empty(2, dtype=torch.int64))
torch.round(t([1., 2.]), out=torch.empty(2, dtype=torch.int64))
torch.mm(t([[1.]]), t([[1.]]), out=torch.empty(1, 1, dtype=torch.float64))
torch.isin(t([1.]), t([1.]), out=torch.empty(1))
torch.sinc(t([1., 2.]), out=torch.empty(1).expand(2))
torch.amax(t([1., 2.]), 0, out=torch.empty(1, dtype=torch.float64))
torch.matmul(t([1., 2.]), t([1., 2.]), out=torch.empty((), dtype=torch.float64))
torch.linalg.norm(t([1., 2.]), out=torch.empty((), dtype=torch.int64))
torch.cat([t([1., 2.])], out=torch.empty(0, dtype=torch.int64))
x = t([1., 2., 3.]); torch.exp(x[:2], out=x[1:])
x = t([1., 2., 3.]); torch.exp(x, out=x); out = x
torch.cummax(t([1.]), 0, out=torch.empty(1))
torch.diff(t([1., 2.]), out=3)
x = leaf([1., 4.]); o = torch.empty(0); torch.quantile(x, .25, out=o); o.sum().backward(); out = [o, x.grad]
# Arguments.
out = [torch.inner(t([[1., 2.], [3., 4.]]), t([[5., 6.]])), torch.inner(t([[1., 2.], [3., 4.]]), t([5., 6.])), torch.inner(t([1., 2.]), t(3.))]
torch.inner(t([[1., 2.]]), t([1., 2., 3.]))
x = leaf([[1., 2.], [3., 4.]]); y = leaf([5., 6.]); torch.inner(x, y).sum().backward(); out = [x.grad, y.grad]
i = torch.tensor([[0], [1]], dtype=torch.int32); x = leaf([[1., 2.], [3., 4.]]); y = x.gather(1, i); y.sum().backward(); out = [y, x.grad]
i = torch.tensor([1, 0], dtype=torch.int32); out = [torch.zeros(2).scatter(0, i, t([1., 2.])), torch.zeros(2).scatter_add(0, i, t([1., 2.])), torch.zeros(2).scatter_reduce(0, i, t([1., 2.]), 'amax')]
t([1.]).gather(0, torch.tensor([0], dtype=torch.int16))
t([1.]).scatter(0, t([0.]), 1.)
out = [*torch.tensor_split(torch.arange(6), torch.tensor(4, device='cpu')), *torch.tensor_split(torch.arange(6), torch.tensor([1, 4], device='cpu'))]
torch.tensor_split(torch.arange(6), torch.tensor([1., 4.], device='cpu'))
out = [torch.diag_embed(t([1., 2.]), dim1=0, dim2=1), torch.diag_embed(t([[1., 2.]]), 1, 0, 2), torch.diag_embed(t([[1., 2.]]), -1, 2, 0)]
x = leaf([[1., 2.]]); y = torch.diag_embed(x, 1, 0, 2); (y * torch.arange(9.).view(3, 1, 3)).sum().backward(); out = x.grad
out = [F.pixel_shuffle(torch.arange(4.).view(1, 4, 1, 1), upscale_factor=2), F.pixel_unshuffle(torch.arange(4.).view(1, 1, 2, 2), downscale_factor=2)]
s = t([1., 3., 5., 7.]); v = t([3., 4., 8., math.nan]); out = [torch.searchsorted(s, v), torch.searchsorted(s, v, side='right'), torch.searchsorted(s, v, right=True, out_int32=True)]
s = t([5., 1., 3.]); out = [torch.searchsorted(s, t([2., 3.]), sorter=torch.argsort(s)), torch.searchsorted(t([1., 3., 5.]), 4), torch.searchsorted(t([1., 3., 5.]), 3.5, side='left')]
out = torch.searchsorted(t([[1., 3., 5.], [2., 4., 6.]]), t([[3., 6.], [3., 6.]]))
out = [torch.searchsorted(t([[1., 3., 5.]]), torch.empty(1, 0)), torch.searchsorted(torch.empty(0), t([1.])), torch.bucketize(2, torch.tensor([1, 2]), right=True)]
torch.searchsorted(t([1.]), 1., side='left', right=True)
torch.searchsorted(t([1.]), 1., side='up')
torch.searchsorted(t([[1., 2.]]), t([1., 2.]))
out = [*torch.atleast_1d([t(1.), t([2.])]), *torch.atleast_2d((t(1.), t([2.]))), *torch.atleast_1d(t(1.), t(2.)), torch.atleast_2d(t(1.))]
out = torch.take_along_dim(t([[1., 2.], [3., 4.]]), torch.tensor([[-1], [0]]), 1)
x = leaf([[3., 0.], [0., 4.]]); y = torch.norm(x, 'nuc'); y.backward(); out = [y, x.grad, torch.norm(t([[[1., 2.]]]), 'nuc', dim=(1, 2), keepdim=True)]
torch.norm(t([1.]), 'nuc')
out = [torch.round(t([1.235, -2.5, 1234.]), decimals=2), torch.round(t([1250., 1350.]), decimals=-2), t([2.35]).round_(decimals=1)]
torch.round(torch.tensor([1]), decimals=1)
x = t([[2., 1.], [1., 5.], [2., 1.], [1., 3.]]); out = [torch.unique(x, dim=0), *torch.unique(x, return_inverse=True, return_counts=True, dim=0), torch.unique(x, dim=1)]
x = torch.tensor([[[1, 1], [0, 1]], [[1, 1], [0, 1]], [[0, 2], [2, 2]]]); out = [*torch.unique(x, dim=0, return_counts=True), *torch.unique(x, dim=2, return_inverse=True), *x.unique(dim=-2, return_inverse=True)]
x = torch.tensor([[1, 1, 2, 1], [3, 3, 4, 3]]); out = [torch.unique_consecutive(x, dim=1), *torch.unique_consecutive(x, return_inverse=True, return_counts=True, dim=1)]
out = [*torch.unique(torch.ones(2, 0), dim=1, return_inverse=True)]
torch.unique(torch.ones(2, 0), dim=0)
x = t([[0., 1., 2.], [2., 1., 0.5]]); out = [torch.cov(x, fweights=torch.tensor([1, 2, 3])), torch.cov(x, aweights=t([.5, .25, .25])), torch.cov(x, correction=0, fweights=torch.tensor([1, 2, 3]), aweights=t([.5, .25, .25]))]
torch.cov(t([[0., 1.]]), fweights=t([1., 2.]))
torch.cov(t([[0., 1.]]), aweights=t([1., -2.]))
m = torch.tensor([[True, False], [True, True]]); out = [torch.masked_scatter(t([[0., 9.]]), m, t([1., 2., 3., 4.])), t([[0., 9.], [8., 7.]]).masked_scatter_(torch.tensor([True, False]), t([1., 2., 3.]))]
x = leaf([[0., 9.]]); s = leaf([1., 2., 3., 4.]); y = x.masked_scatter(torch.tensor([[True, False], [True, True]]), s); (y * y).sum().backward(); out = [x.grad, s.grad]
t([1., 2.]).cpu().masked_scatter(torch.tensor([True, True], device='cpu'), t([1.]).cpu())
t([1., 2.]).masked_scatter(t([1., 0.]), t([1.]))
torch.quantile(torch.tensor([1, 2]), .5)
out = [torch.quantile(t(2.), .3, dim=0), torch.quantile(t(2.), t([.3, .5]), dim=-1), torch.quantile(t(2.), .3, dim=0, keepdim=True)]
torch.quantile(t([1., 2.]), 1.5)
torch.quantile(torch.empty(0), .5)
out = [torch.tensordot(t([[1.], [2.]]), t([[1., 2.], [3., 4.]]), dims=([1], [0])), torch.tensordot(t([[1., 2.]]), t([[3.]]), dims=1)]
out = [*torch.aminmax(torch.empty(0, 3), dim=1), torch.amax(torch.empty(0, 3), 1)]
torch.aminmax(torch.empty(0, 3), dim=0)
torch.amax(torch.empty(0, 3), 0)
torch.amin(torch.empty(0))
w = leaf([[0., 1.], [2., 3.], [4., 5.]]); i = torch.tensor([1, 2, 0, 1]); y = F.embedding_bag(i, w, torch.tensor([0, 2]), padding_idx=1); y.sum().backward(); out = [y, w.grad]
w = t([[0., 1.], [2., 3.], [4., 5.]]); i = torch.tensor([[1, 2], [1, 1]]); out = [F.embedding_bag(i, w, mode=m, padding_idx=-2) for m in ('sum', 'mean', 'max')]
b = nn.EmbeddingBag(3, 2, padding_idx=1); out = [repr(b), b.weight[1], b.padding_idx]
F.embedding_bag(torch.tensor([[0]]), t([[1.]]), padding_idx=2)
out = nn.GaussianNLLLoss()(t([[1., 2.], [3., 4.]]), t([[1., 3.], [2., 4.]]), t([[1., 2.]]))
nn.GaussianNLLLoss()(t([[1., 2.], [3., 4.]]), t([[1., 3.], [2., 4.]]), t([[1.]]).expand(3, 1))
n = nn.InstanceNorm2d(2, affine=True, bias=False); out = [repr(n), sorted(n.state_dict())]
out = [torch.linalg.matrix_rank(torch.ones(2, 0, 3)), torch.linalg.matrix_rank(torch.ones(0, 3)), torch.linalg.pinv(torch.ones(2, 0, 3))]
x = leaf([.1, .2, .7]); y = F.multi_margin_loss(x, torch.tensor(2)); y.backward(); out = [y, x.grad, F.multi_margin_loss(x, torch.tensor([1]), reduction='none'), F.multi_margin_loss(x, torch.tensor(1), reduction='none')]
torch.manual_seed(0); l = nn.LSTM(3, 4, 2, bidirectional=True, proj_size=2, device='cpu'); x = torch.randn(5, 2, 3, device='cpu'); y, (h, c) = l(x); (y * y).sum().backward(); out = [repr(l), [(n, p) for n, p in l.named_parameters()], y, h, c, l.weight_hr_l0.grad, l.weight_ih_l1_reverse.grad]
nn.LSTM(3, 4, proj_size=4)
nn.GRU(3, 4, proj_size=2)
nn.LSTM(3, 4, bias=1)
nn.GRU(-1, 4)
nn.RNN(1.5, 4)
torch.manual_seed(0); l = nn.LSTM(3, 4, proj_size=2, bias=False, device='cpu'); p = nn.utils.rnn.pack_sequence([torch.ones(3, 3, device='cpu'), torch.ones(2, 3, device='cpu')]); y, (h, c) = l(p); out = [y.data, h, c]
x = leaf([-1.5, 2.]); o = torch.optim.LBFGS([x], lr=1, max_iter=8, line_search_fn='strong_wolfe'); f = lambda: [o.zero_grad(), r := 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2, r.backward()][1]; out = [o.step(f), x, o.step(f), x, o.state[x]['func_evals'], o.state[x]['n_iter']]
x = leaf([-1.5, 2.]); o = torch.optim.LBFGS([x], line_search_fn='armijo'); o.step(lambda: [o.zero_grad(), r := (x * x).sum(), r.backward()][1])
""".strip().splitlines()
PROGRAMS = [line for line in PROGRAMS if line and not line.startswith("#")]

# LDL factors, and gradients that were not as PyTorch's.
PROGRAMS += [
    "A = t([[0., 1., 2., 0.], [1., 0., 3., 1.], [2., 3., 0., 2.], [0., 1., 2., 5.]]); f = torch.linalg.ldl_factor_ex(A); out = [*f, torch.linalg.ldl_solve(f[0], f[1], A)]",
    "A = t([[4., 1., .3], [1., -3., .2], [.3, .2, 2.]], dtype=torch.float64).expand(2, 3, 3); f = torch.linalg.ldl_factor(A); out = [*f, torch.linalg.ldl_solve(*f, A[0])]",
    "out = [*torch.linalg.ldl_factor_ex(torch.zeros(2, 2, 2)), *torch.linalg.ldl_factor(torch.zeros(3, 0, 0))]",
    "torch.linalg.ldl_factor(torch.ones(2, 3))",
    "torch.linalg.ldl_factor(torch.ones(2, 2, dtype=torch.float16))",
    "torch.linalg.ldl_solve(torch.ones(2, 2), torch.ones(2), torch.ones(2, 1))",
    "A = leaf([[2., 1.], [1., 3.]]); L, p = torch.linalg.ldl_factor(A); L.sum().backward()",
    "A = leaf([[4., 1., .3], [2., 3., .2], [.5, .1, 2.]]); y = torch.linalg.matrix_sqrth(A); (y * t([[1., 2., 3.], [4., 5., 6.], [7., 8., 9.]])).sum().backward(); out = [y, A.grad]",
    "A = leaf([[2., 0.], [0., 2.]]); y = torch.linalg.matrix_sqrth(A); (y * t([[1., 2.], [3., 4.]])).sum().backward(); out = A.grad",
    "x = leaf([1., 2., 3., 4.]); s = leaf([5., 6.]); y = torch.as_strided_scatter(x, s, (2,), (2,), 1); (y * t([1., 2., 3., 4.])).sum().backward(); out = [y, x.grad, s.grad]",
    "x = leaf([10000., 9999., 9998., 3.]); y = x.logcumsumexp(0); (y * t([1., -2., 3., .5])).sum().backward(); out = [y, x.grad]",
    "a = leaf([[1.], [2.]])[:0]; tau = leaf([1.])[:0]; o = leaf([[1., 2.], [3., 4.]])[:, :0]; y = torch.ormqr(a, tau, o, left=False); y.sum().backward(); out = [y, a.requires_grad]",
]

# Functions of complex numbers: the values, and the gradient of a real number that depends on both parts of each.
PROGRAMS += [
    f"z = leaf([1+2j, -.5+.3j, 2-1j, .1-.2j]); y = z.{name}(); w = t([1-1j, 2+.5j, -1j, 3.]); "
    "((y * w).real.sum() + (y * y.conj()).real.sum()).backward(); out = [y, z.grad]"
    for name in ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "exp2", "expm1", "log", "log10", "log1p", "log2",
                 "reciprocal", "rsqrt", "sigmoid", "sin", "sinc", "sinh", "sqrt", "square", "tan", "tanh")
]
PROGRAMS += """
out = [getattr(t([-4.+0j, complex(-4., -0.), 2.+0j, complex(2., -0.), 0j, -2.+0j, complex(0., 2.), complex(-0., -2.)]), n)() for n in ('sqrt', 'log', 'acos', 'asin', 'acosh', 'atanh', 'atan')]
out = [getattr(t([1e-8+1e-9j, 1e4-1e4j, 30.+2j, -30.+2j, 1e-3j, 1.+1e-4j], dtype=torch.complex128), n)() for n in ('acos', 'asin', 'atan', 'log', 'log1p', 'expm1', 'tanh', 'sqrt', 'atanh', 'acosh', 'asinh')]
z = leaf([1+2j, -.5+.3j]); w = leaf([.5-1j, 2+0j]); y = z ** w; (y * (1-2j)).real.sum().backward(); out = [y, z.grad, w.grad]
z = leaf([1+2j, -.5+.3j]); y = z ** (1.5-.5j); (y * (1-2j)).real.sum().backward(); out = [y, z.grad]
z = leaf([1+2j, -.5+.3j, 0j]); y = (-2.) ** z; y.real.sum().backward(); out = [y, z.grad]
x = leaf([1., 2.]); w = leaf([.5-1j, 2+1j]); y = x ** w; y.imag.sum().backward(); out = [y, x.grad, w.grad]
z = leaf([0j, 1+1j]); y = z ** 0; y.real.sum().backward(); out = [y, z.grad, t([0j, 0j]) ** t([2+0j, 0j])]
z = leaf([[1+2j, -.5+.3j], [2j, 3.]]); y = z.prod(1); (y * t([1-1j, 2.])).real.sum().backward(); out = [y, z.prod(), z.grad]
z = leaf([[1+2j, -.5+.3j], [2j, 0]]); y = z.cumprod(1); (y * t([[1-1j, 2.], [1j, .5]])).real.sum().backward(); out = [y, z.grad]
z = leaf([[1+2j, -.5+.3j], [2j, 3.]]); y = z.logsumexp(1); (y * t([1-1j, 2.])).real.sum().backward(); out = [y, z.grad]
z = leaf([[1+2j, -.5+.3j], [2j, 3.]]); y = z.logcumsumexp(1); (y * t([[1-1j, 2.], [1j, .5]])).real.sum().backward(); out = [y, z.grad]
z = leaf([1+2j, -.5+.3j]); w = leaf([.5-1j, 2+1j]); y = torch.logaddexp(z, w); (y * t([1-1j, 2.])).real.sum().backward(); out = [y, z.grad, w.grad]
z = leaf([1+2j, -.5+.3j, 2j]); y = torch.stack([z.std(), z.var(), z.var(unbiased=False)]); (y * t([1., 2., 3.])).sum().backward(); out = [y, z.grad]
z = leaf([1+2j, -.5+.3j, 0j]); y = torch.stack([torch.linalg.vector_norm(z, p) for p in (0, 1, 2, 3, math.inf, -math.inf)]); y[1:5].sum().backward(); out = [y, z.grad]
z = leaf([1+2j, -.5+.3j]); a = leaf([2j, 1.+0j]); b = leaf([1-1j, .5+2j]); y = torch.addcmul(z, a, b, value=1-.5j) + torch.addcdiv(z, a, b, value=2j); (y * t([1-1j, 2.])).real.sum().backward(); out = [y, z.grad, a.grad, b.grad]
z = leaf([1+2j, -.5+.3j]); a = leaf([2j, 1.+0j]); b = leaf([.2-.1j, .5+2j]); y = torch.lerp(z, a, b) + torch.lerp(z, a, .3-.1j); (y * t([1-1j, 2.])).real.sum().backward(); out = [y, z.grad, a.grad, b.grad]
z = t([1+2j, 0j]); w = t([0j, 0j]); out = [torch.logical_and(z, w), torch.logical_or(z, w), torch.logical_xor(z, w), torch.logical_not(z), torch.nan_to_num(t([complex(math.nan, 1.), complex(math.inf, 2.)]))]
z = leaf([1+2j, -.5+.3j]); y = F.softsign(z); (y * t([1-1j, 2.])).real.sum().backward(); out = [y, z.grad, F.silu(z.detach())]
z = leaf([1+2j]); F.silu(z)
m = t([[1+2j, 1.], [.5j, 3.]]); b = t([[1., 1j], [2., 0.]]); out = [torch.addmm(b, m, m, beta=2j, alpha=1-1j), torch.baddbmm(b[None], m[None], m[None], beta=1j, alpha=2.), torch.constant_pad_nd(m, (1, 0), 1j)]
F.pad(t([1+2j]), (1, 0), value=1j)
Twice = type('Twice', (torch.autograd.Function,), dict(forward=staticmethod(lambda ctx, z: 2 * z), backward=staticmethod(lambda ctx, g: 2 * g))); z = leaf([1+2j]); y = Twice.apply(z); y.real.sum().backward(); out = [y, z.grad]
""".strip().splitlines()
# Linear algebra. `M` is any matrix and `H` a positive one; what a loss says of singular and eigenvectors doesn't depend on their phases.
_MATRICES = ("M = leaf([[1+2j, .5-.3j, 2j], [-1., .7+.1j, .2-1j], [.3j, 1.5-.4j, -2.+.6j]]); H = leaf([[4., 1-.5j, .3j], [1+.5j, 3., .2-.1j], "
             "[-.3j, .2+.1j, 2.]]); W = t([[1-1j, .5, 2j], [.3, -1., .1j], [2., 1j, .7]]); X = (H + H.mH) / 2; ")
PROGRAMS += [
    _MATRICES + f"y = {of}; y = y if isinstance(y, (tuple, list)) else [y]; sum((a * (W[: a.size(-2), : a.size(-1)] if a.dim() > 1 else W[0])).real.sum() "
    "if a.is_complex() else a.sum() for a in y).backward(); out = [y, M.grad, H.grad]"
    for of in ("torch.linalg.inv(M)", "torch.linalg.det(M).reshape(1)", "torch.linalg.solve(M, W)", "torch.linalg.cholesky(X)",
               "torch.linalg.cholesky_ex(X)[0]", "torch.linalg.qr(M)", "torch.linalg.qr(M[:, :2])", "torch.linalg.qr(M[:2])",
               "torch.linalg.eigvalsh(X)", "torch.linalg.svdvals(M)", "torch.linalg.eigh(X)[1].abs()", "torch.linalg.svd(M)[0].abs()",
               "torch.linalg.eigvals(X).abs()", "torch.linalg.eig(X).eigenvectors.abs().sum(1)", "torch.linalg.pinv(M[:, :2])",
               "torch.linalg.slogdet(M)[0].reshape(1)", "torch.linalg.slogdet(M)[1].reshape(1)", "torch.linalg.lu_factor(M)[0]",
               "torch.linalg.lu_factor(M[:, :2])[0]", "torch.linalg.lu(M)[1:]", "torch.linalg.solve_triangular(M, W, upper=True)",
               "torch.linalg.solve_triangular(M, W, upper=False, left=False)", "torch.cholesky_solve(W, X.tril())", "torch.cholesky_inverse(X.tril())",
               "torch.linalg.inv_ex(M)[0]", "torch.linalg.solve_ex(M, W, left=False)[0]", "torch.linalg.matrix_exp(M)",
               "torch.linalg.lstsq(M[:, :2], W)[0]", "torch.linalg.matrix_sqrth(H)", "torch.linalg.polar(M)", "torch.linalg.cross(M, W)",
               "torch.linalg.matrix_norm(M, 'nuc').reshape(1)", "torch.linalg.cond(M).reshape(1)",
               "torch.linalg.lu_solve(*torch.linalg.lu_factor(M), W, adjoint=True)", "torch.linalg.lu_solve(*torch.linalg.lu_factor(M), W, left=False)")
]
PROGRAMS += [
    _MATRICES + "M, H = M.detach(), H.detach(); " + line for line in (
        "out = list(torch.geqrf(M)) + list(torch.geqrf(M[:, :2]))",
        "a, tau = torch.geqrf(M); out = [torch.linalg.householder_product(a, tau), torch.ormqr(a, tau, W), torch.ormqr(a, tau, W, left=False, transpose=True)]",
        "f = torch.linalg.ldl_factor(M); out = [*f, torch.linalg.ldl_solve(*f, W)]",
        "f = torch.linalg.ldl_factor(H, hermitian=True); out = [*f, torch.linalg.ldl_solve(*f, W, hermitian=True)]",
        "A = t([[0., 1., 2., 0.], [1., 0., 3., 1.], [2., 3., 0., 2.], [0., 1., 2., 5.]]); f = torch.linalg.ldl_factor_ex(A); out = [*f, torch.linalg.ldl_solve(f[0], f[1], A)]",
        "A = t([[0., 1., 2.], [-1., 0., 3.], [4., -3., 0.]]); L, V = torch.linalg.eig(A); out = [L, (A + 0j) @ V - V * L]",
        "torch.linalg.eig(torch.full((2, 2), math.nan))",
        "torch.linalg.eig(torch.ones(2, 3))",
        "torch.linalg.eigvals(torch.ones(2, 2, dtype=torch.int64))",
    )
]
# A product that's added to an input: an input that is multiplied by 0 doesn't count, but has a gradient of zeros.
PROGRAMS += [
    f"a, b = leaf([[1+2j, 1.], [.5j, 3.]]), leaf([[1., 1j], [2., -1+.5j]]); x = leaf({x}); y = torch.{call}, beta={beta}, alpha=1-.5j); "
    "(y * y.conj()).real.sum().backward(); out = [y, y.grad_fn.name(), x.grad, a.grad, b.grad]"
    for beta in ("0", "2j")
    for x, call in (("[1j, complex(2.)]" if beta == "2j" else "[complex(math.nan, 1.), 0]", "addmm(x, a, b"),
                    ("[[[1j, 2.], [3., 1+1j]]]", "baddbmm(x, a[None], b[None]"), ("[1j, 2.]", "addbmm(x, a[None], b[None]"),
                    ("[1j, 2.]", "addmv(x, a, b[0]"), ("[1j, 2.]", "addr(x, a[0], b[1]"))
]
PROGRAMS += """
z = leaf([[1+2j, -.5+.3j], [2j, 3.]]); y = torch.logdet(z); y.real.backward(); out = [y, y.grad_fn.name(), z.grad]
z = leaf([[1+2j, -.5+.3j, 1j], [2j, 3., .5]]); y = torch.corrcoef(z); (y * t([[1-1j, 2.], [1j, .5]])).real.sum().backward(); out = [y, torch.cov(z), z.grad]
""".strip().splitlines()
# In place, and numbers that are drawn.
PROGRAMS += [
    "torch.manual_seed(3); out = [torch.empty(5, device='cpu').cauchy_(), torch.empty(4, dtype=torch.float64, device='cpu').cauchy_(2., .5), torch.empty(5, device='cpu').geometric_(.3), torch.empty(6, dtype=torch.int32, device='cpu').geometric_(.6)]",
    "x = leaf([1., 2.]); y = x * 2; y.cauchy_(); z = x * 3; z.geometric_(.5); (y + z).sum().backward(); out = x.grad",
    "torch.empty(2).geometric_(1.5)",
    "torch.empty(2).cauchy_(sigma=-1.)",
    "torch.empty(2, dtype=torch.int64).cauchy_()",
    "torch.manual_seed(3); out = [torch.randn(3, dtype=torch.complex64, device='cpu'), torch.rand(2, dtype=torch.complex128, device='cpu'), torch.empty(2, dtype=torch.complex64, device='cpu').normal_(1., 2.)]",
    "x = leaf([1., 2., 3.]); y = x.gather(0, torch.empty(2, 0, dtype=torch.int64)); y.sum().backward(); out = [y, x.grad]",
    "x = leaf([1., 2., 3., 4.]); s = leaf([5., 6.]); y = torch.as_strided_scatter(x, s, (2,), (2,), 1); (y * t([1., 2., 3., 4.])).sum().backward(); out = [y, x.grad, s.grad]",
    "x = leaf([10000., 9999., 9998., 3.]); (x.logcumsumexp(0) * t([1., -2., 3., .5])).sum().backward(); out = x.grad",
    "out = F.batch_norm(torch.empty(0), torch.empty(0), torch.empty(0), training=True)",
]


def described(value):
    """What can be written down of a value: numbers for tensors, as text where JSON has none."""
    if isinstance(value, torch.Tensor):
        dtype, shape, value = str(value.dtype), list(value.shape), value.detach().cpu().reshape(-1)
        parts = torch.view_as_real(value.resolve_conj()).reshape(-1) if value.is_complex() else value
        return {"dtype": dtype, "shape": shape, "data": described(parts.tolist())}
    if isinstance(value, (list, tuple)):
        return [described(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def outcome(code, device=None):
    space = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "math": math, "warnings": warnings,
             "t": torch.tensor, "leaf": lambda data: torch.tensor(data, requires_grad=True)}
    try:
        exec(compile(code, "<case>", "exec"), space)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return described(space.get("out"))


def main():
    import json
    import os

    cases = [{"id": f"gradients-{number:03}", "code": code, "want": outcome(code)} for number, code in enumerate(PROGRAMS, 1)]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "findings_gradients.json")
    with open(path, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")


if __name__ == "__main__":
    main()
