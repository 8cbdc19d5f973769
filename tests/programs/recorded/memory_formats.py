"""Which memory format results have. PyTorch 2.15 recorded `memory_formats.txt` from this file."""

import torch
from torch import nn
from torch.nn import functional as F

x = torch.arange(288.0).reshape(2, 4, 6, 6).to(memory_format=torch.channels_last)
y = torch.arange(512.0).reshape(2, 4, 4, 4, 4).to(memory_format=torch.channels_last_3d)
flat = dict(
    batch_norm=nn.BatchNorm2d(4),
    evaluated=nn.BatchNorm2d(4).eval(),
    group_norm=nn.GroupNorm(2, 4),
    instance_norm=nn.InstanceNorm2d(4),
    nearest=nn.Upsample(scale_factor=2),
    exact=nn.Upsample(scale_factor=2, mode="nearest-exact"),
    bilinear=nn.Upsample(scale_factor=2, mode="bilinear"),
    reflect=nn.ReflectionPad2d(1),
    zeros=nn.ZeroPad2d(1),
    replicate=nn.ReplicationPad2d(1),
    circular=nn.CircularPad2d(1),
    constant=nn.ConstantPad2d(1, 2.0),
    max_pool=nn.MaxPool2d(2),
    avg_pool=nn.AvgPool2d(2),
    conv=nn.Conv2d(4, 5, 3),
    relu=nn.ReLU(),
    layer_norm=nn.LayerNorm([4, 6, 6]),
    cropped=lambda t: F.pad(t, (-1, -1)),
)
for name, f in flat.items():
    out = f(x)
    print(name, tuple(out.shape), out.stride(), out.is_contiguous(memory_format=torch.channels_last))
deep = dict(batch_norm=nn.BatchNorm3d(4), group_norm=nn.GroupNorm(2, 4), constant=nn.ConstantPad3d(1, 0.0))
for name, f in deep.items():
    print(name, f(y).stride())
plain = x.contiguous()
for name in ("batch_norm", "group_norm", "bilinear", "nearest", "reflect", "replicate", "circular"):
    print(name, torch.allclose(flat[name](x), flat[name](plain), atol=1e-5))
for mode in ("reflect", "replicate"):
    a = x.detach().clone().requires_grad_()
    out = F.pad(a, (1, 2, 2, 1), mode=mode)
    print(mode, type(out.grad_fn).__name__, type(out.grad_fn.next_functions[0][0]).__name__)
    (g,) = torch.autograd.grad((out * torch.arange(out.numel()).reshape(out.shape)).sum(), a)
    print(g[0, 0, :2], g.sum())
a = torch.arange(4.0, requires_grad=True)
(g,) = torch.autograd.grad(F.pad(a[None], (2, 1), mode="reflect").pow(3).sum(), a, create_graph=True)
print(g, torch.autograd.grad(g.sum(), a))
