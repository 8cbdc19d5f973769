"""Layers in three dimensions, resampling, unpooling and CTC. PyTorch 2.15 recorded `spatial.txt` from this file."""

import warnings

import torch
import torch.nn.functional as F
from torch import nn

warnings.simplefilter("ignore")


def t(*shape, k=1.0, dtype=torch.float32):
    n = torch.Size(shape).numel()
    return (torch.arange(n, dtype=torch.float64) * 1.7 * k + 0.3).sin().mul(2).reshape(shape).to(dtype).requires_grad_()


def say(name, f, *args, **kwargs):
    """The result's shape, sums of it and of the gradients, and its node; or the error."""
    try:
        out = f(*args, **kwargs)
    except Exception as error:
        print(name, type(error).__name__, error)
        return
    outs = out if isinstance(out, tuple) else (out,)
    words = []
    for o in outs:
        weights = (torch.arange(o.numel(), dtype=torch.float64) * 0.7).cos().reshape(o.shape)
        words += [tuple(o.shape), o.dtype, o.is_contiguous(), f"{(o.detach().double() * weights).sum().item():.5f}"]
    first = outs[0]
    leaves = [a for a in list(args) + list(kwargs.values()) if isinstance(a, torch.Tensor) and a.requires_grad]
    if first.requires_grad and leaves:
        words.append(type(first.grad_fn).__name__)
        weights = (torch.arange(first.numel()) * 0.9).sin().reshape(first.shape).to(first.dtype)
        for g in torch.autograd.grad((first * weights).sum(), leaves):
            weights = (torch.arange(g.numel(), dtype=torch.float64) * 0.3).cos().reshape(g.shape)
            words.append(f"{(g.double() * weights).sum().item():.5f}")
    print(name, *words)


x = t(2, 4, 5, 6, 7)
for stride, padding, dilation, groups in (((1, 1, 1), 0, 1, 1), ((2, 1, 3), (1, 2, 0), (2, 1, 1), 2), (1, "same", 1, 4), (1, "valid", 2, 1)):
    say(f"conv3d {stride} {padding}", F.conv3d, x, t(4, 4 // groups, 3, 2, 3, k=1.3), t(4), stride, padding, dilation, groups)
    if padding not in ("same", "valid"):
        extra = (1, 0, 1) if groups == 2 else 0
        say(f"transposed {stride} {padding}", F.conv_transpose3d, x, t(4, 6 // groups, 3, 2, 3, k=1.3), t(6), stride, padding, extra,
            groups, dilation)
say("alone", F.conv3d, t(4, 5, 6, 7), t(4, 4, 1, 1, 1))
say("too large", F.conv3d, x, t(4, 4, 9, 2, 3))
say("channels", F.conv3d, x, t(4, 3, 1, 2, 3))
say("dims", F.conv3d, t(3, 4), t(4, 3, 1, 2, 3))
say("stride 0", F.conv3d, x, t(4, 4, 1, 2, 3), stride=0)
say("max", F.max_pool3d, x, 2, return_indices=True)
say("max", F.max_pool3d, x, (2, 3, 2), (1, 2, 3), (1, 1, 0), 1, True, True)
say("max alone", F.max_pool3d, t(4, 5, 6, 7), 3, 1, 1)
say("max dilated", F.max_pool3d, x, 2, 1, 0, 2)
holes = t(1, 1, 4, 4, 4).detach()
holes[0, 0, 1, 2, 3] = holes[0, 0, 2, 0, 0] = torch.nan
print(*F.max_pool3d(holes, 2, return_indices=True)[1].flatten().tolist())
say("average", F.avg_pool3d, x, 2)
say("average", F.avg_pool3d, x, (2, 3, 2), (1, 2, 3), (1, 1, 0), True, False)
say("average", F.avg_pool3d, x, (2, 3, 2), (1, 2, 3), (1, 1, 0), True, True)
say("average", F.avg_pool3d, x, 3, 2, 1, divisor_override=5)
say("lp", F.lp_pool3d, x, 3.0, 2)
say("adaptive", F.adaptive_avg_pool3d, x, (3, None, 2))
say("adaptive 1", F.adaptive_avg_pool3d, x, 1)
say("adaptive max", F.adaptive_max_pool3d, x, (3, 4, 2), return_indices=True)
samples = t(2, 4, 3).detach().abs() / 2.1
say("fractional 2", F.fractional_max_pool2d, t(2, 4, 9, 8), 2, (4, 5), return_indices=True, _random_samples=samples[..., :2].clone())
say("fractional 3", F.fractional_max_pool3d, x, 2, (2, 4, 3), return_indices=True, _random_samples=samples)
say("fractional ratio", F.fractional_max_pool2d, t(4, 9, 8), 2, output_ratio=(0.5, 0.6), _random_samples=samples[:1, :, :2].clone())
for n, data in ((1, t(2, 3, 9)), (2, t(2, 3, 8, 6)), (3, t(2, 3, 4, 6, 8))):
    pooled, at = getattr(F, f"max_pool{n}d")(data.detach(), 2, return_indices=True)
    say(f"unpool {n}", getattr(F, f"max_unpool{n}d"), pooled.requires_grad_(), at, 2)
    say(f"unpool {n} wrong", getattr(F, f"max_unpool{n}d"), pooled, at, 2, output_size=(3,) * n)
    say(f"unpool {n} sized", getattr(F, f"max_unpool{n}d"), pooled, at, 2, output_size=data.shape)
for mode in ("reflect", "replicate", "circular"):
    say(mode, F.pad, x, (1, 2, 3, 1, 2, 0), mode)
    say(mode + " alone", F.pad, t(3, 4, 5, 6), (1, 2, 3, 1, 2, 0), mode)
say("reflect too far", F.pad, x, (1, 2, 3, 1, 5, 0), "reflect")
for mode, data, sizes in (("trilinear", x, ((3, 9, 7), 5)), ("nearest", x, ((3, 9, 7), 5)), ("nearest-exact", x, ((3, 9, 8), 5)),
                          ("area", x, ((3, 4, 7), 5)), ("bicubic", t(2, 3, 5, 6), ((3, 9), 5)), ("bicubic", t(1, 1, 1, 1), (3,))):
    for size in sizes:
        say(f"{mode} {size}", F.interpolate, data, size, mode=mode)
        if mode in ("trilinear", "bicubic"):
            say(f"{mode} {size} corners", F.interpolate, data, size, mode=mode, align_corners=True)
    say(f"{mode} scaled", F.interpolate, data, scale_factor=1.6, mode=mode)
    say(f"{mode} again", F.interpolate, data, scale_factor=1.6, mode=mode, recompute_scale_factor=True)
for mode in ("bilinear", "bicubic", "lanczos"):
    for size in ((3, 4), (11, 5)):
        say(f"smooth {mode} {size}", F.interpolate, t(2, 3, 8, 9), size, mode=mode, antialias=True)
say("rank", F.interpolate, x, 3, mode="bilinear")
say("smooth rank", F.interpolate, x, 3, mode="nearest", antialias=True)
say("no size", F.interpolate, x, (3, 0, 2), mode="trilinear")
for corners in (False, True):
    theta = t(2, 2, 3, k=0.4)
    say("affine 2", F.affine_grid, theta, (2, 3, 4, 5), corners)
    say("affine 3", F.affine_grid, t(2, 3, 4, k=0.4), (2, 3, 4, 5, 1), align_corners=corners)
    for mode in ("bilinear", "nearest", "bicubic"):
        for border in ("zeros", "border", "reflection"):
            say(f"grid {mode} {border}", F.grid_sample, t(2, 3, 5, 6), t(2, 4, 3, 2, k=0.9), mode, border, corners)
            say(f"grid {mode} {border} 3", F.grid_sample, t(2, 3, 3, 5, 6), t(2, 2, 4, 3, 3, k=0.9), mode, border, corners)
say("affine size", F.affine_grid, t(2, 2, 2), (2, 3, 4, 5), False)
say("grid dtype", F.grid_sample, t(1, 1, 2, 2), t(1, 1, 1, 2, dtype=torch.float64), align_corners=False)
say("grid batch", F.grid_sample, t(1, 1, 2, 2), t(2, 1, 1, 2), align_corners=False)
say("shuffle", F.channel_shuffle, t(2, 6, 3), 3)
logits = t(12, 3, 5)
labels = torch.tensor([[1, 1, 2, 4], [3, 0, 0, 0], [2, 4, 2, 2]])
for reduction in ("none", "mean", "sum"):
    say("ctc " + reduction, lambda x: F.ctc_loss(x.log_softmax(2), labels, (12, 7, 5), (4, 1, 4), reduction=reduction), logits)
say("ctc leaf", F.ctc_loss, logits, labels, torch.tensor([12, 7, 12]), torch.tensor([4, 0, 3]))
say("ctc in a row", F.ctc_loss, logits, torch.tensor([1, 2, 2, 4, 3]), (12, 9, 7), (2, 1, 2), 0)
say("ctc blank", F.ctc_loss, logits, labels, (12, 9, 7), (2, 1, 2), 3, "sum")
say("ctc infinite", F.ctc_loss, logits, labels, (3, 9, 2), (4, 1, 4), 0, "none", True)
say("ctc infinite", lambda x: F.ctc_loss(x, labels, (3, 9, 2), (4, 1, 4), 0, "none"), logits.detach())
say("ctc alone", F.ctc_loss, t(6, 5), torch.tensor([1, 2]), torch.tensor(6), torch.tensor(2), reduction="none")
say("ctc too long", F.ctc_loss, logits, labels, (13, 9, 7), (2, 1, 2))
say("ctc label", F.ctc_loss, logits, labels, (12, 9, 7), (2, 1, 2), 7)
for layer, args, shape in (
    (nn.Conv3d, (4, 2, 2), (2, 4, 3, 4, 5)), (nn.ConvTranspose3d, (4, 2, 2, 2), (2, 4, 3, 4, 5)), (nn.InstanceNorm3d, (4,), (2, 4, 3, 4, 5)),
    (nn.MaxPool3d, (2,), (2, 4, 4, 4, 5)), (nn.AvgPool3d, (2,), (2, 4, 4, 4, 5)), (nn.AdaptiveMaxPool3d, (2,), (2, 4, 4, 4, 5)),
    (nn.AdaptiveAvgPool3d, (2,), (2, 4, 4, 4, 5)), (nn.LPPool3d, (2, 2), (2, 4, 4, 4, 5)), (nn.ReflectionPad3d, (1,), (2, 4, 4, 4, 5)),
    (nn.ReplicationPad3d, (1,), (2, 4, 4, 4, 5)), (nn.CircularPad3d, (1,), (2, 4, 4, 4, 5)), (nn.ChannelShuffle, (2,), (2, 4, 4)),
    (nn.LazyConv3d, (2, 2), (2, 4, 3, 4, 5)), (nn.FractionalMaxPool2d, (2, 3), (2, 4, 6, 7)),
):
    torch.manual_seed(1)
    module = layer(*args)
    say(repr(module), module, t(*shape))
    print(repr(module), type(module).__module__, isinstance(module, (nn.Conv2d, nn.AvgPool2d, nn.MaxPool2d)), list(module.state_dict()))
torch.manual_seed(0)
adaptive = nn.AdaptiveLogSoftmaxWithLoss(8, 20, [5, 12], 2.0)
print(adaptive)
output, loss = adaptive(t(6, 8), torch.tensor([0, 4, 7, 12, 19, 5]))
print(output, loss, adaptive.predict(t(6, 8)), adaptive.log_prob(t(6, 8)).sum().item())
say("target", adaptive, t(2, 8), torch.tensor([0, 20]))
say("cutoffs", nn.AdaptiveLogSoftmaxWithLoss, 8, 20, [5, 5])
say("linear", F.linear_cross_entropy, t(4, 3), t(5, 3), torch.tensor([0, 1, 2, 4]), linear_bias=t(5))
print(nn.LinearCrossEntropyLoss(3, 5), nn.CTCLoss(), nn.MaxUnpool2d(2), nn.FractionalMaxPool3d(2, output_ratio=0.5))
