"""Rare helpers of torch.nn.utils. PyTorch 2.15 recorded `utils_more.txt` from this file."""

import torch
from torch import nn
from torch.nn import utils


def say(name, f):
    try:
        r = str(f())
    except Exception as e:
        r = f"{type(e).__name__}: {e}"
    print(name, "->", r)


torch.manual_seed(0)
for conv, bn, shape in ((nn.Conv2d(2, 3, 2), nn.BatchNorm2d(3), (4, 2, 5, 5)), (nn.Conv1d(2, 3, 2, bias=False), nn.BatchNorm1d(3), (4, 2, 5)), (nn.Linear(2, 3), nn.BatchNorm1d(3), (4, 2)), (nn.Conv2d(2, 3, 2), nn.BatchNorm2d(3, affine=False), (4, 2, 5, 5)), (nn.ConvTranspose2d(2, 3, 2), nn.BatchNorm2d(3), (4, 2, 3, 3))):
    x = torch.randn(shape)
    bn(conv(x)); conv.eval(); bn.eval()
    more = (True,) if isinstance(conv, nn.ConvTranspose2d) else ()
    fuse = utils.fuse_linear_bn_eval if isinstance(conv, nn.Linear) else utils.fuse_conv_bn_eval
    fused = fuse(conv, bn, *more)
    say("fused", lambda: (fused, torch.allclose(fused(x), bn(conv(x)), atol=1e-5), fused.bias, fused.weight.flatten()[:4]))
say("training", lambda: utils.fuse_conv_bn_eval(nn.Conv2d(1, 1, 1), nn.BatchNorm2d(1)))
say("no statistics", lambda: utils.fuse_conv_bn_eval(nn.Conv2d(1, 1, 1).eval(), nn.BatchNorm2d(1, track_running_stats=False).eval()))
lin = nn.Linear(2, 2); lin(torch.ones(1, 2)).sum().backward()
total = utils.get_total_norm([p.grad for p in lin.parameters()])
say("clip", lambda: (utils.clip_grads_with_norm_(lin.parameters(), 0.5, total), lin.weight.grad, total))
say("skip", lambda: (utils.skip_init(nn.Linear, 2, 3), utils.skip_init(nn.Linear, 2, 3).weight.shape, utils.skip_init(nn.Linear, 2, 3).weight.device))
say("refused", lambda: utils.skip_init(nn.ReLU))
say("refused", lambda: utils.skip_init(int))
