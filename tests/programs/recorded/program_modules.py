"""Modules of all kinds printed, module containers, buffers, children, apply, train/eval, state dicts, extra reprs. PyTorch 2.15 recorded `program_modules.txt` from this file."""

import torch
from torch import nn
from collections import OrderedDict
import torch.nn.functional as F

torch.manual_seed(0)
mods = [
    nn.Linear(2, 3, bias=False),
    nn.Bilinear(2, 3, 4),
    nn.Conv1d(1, 2, 3, stride=2, padding=1, dilation=2),
    nn.Conv2d(2, 4, (3, 1), padding="same", groups=2, bias=False, padding_mode="reflect"),
    nn.Conv3d(1, 1, 2),
    nn.ConvTranspose1d(1, 2, 3, output_padding=1, stride=2),
    nn.ConvTranspose2d(1, 2, 3, 2, 1, 1),
    nn.MaxPool2d(2, ceil_mode=True),
    nn.AvgPool2d(3, 2, 1, count_include_pad=False),
    nn.AdaptiveAvgPool2d((1, None)),
    nn.AdaptiveMaxPool1d(2),
    nn.FractionalMaxPool2d(2, output_ratio=0.5),
    nn.LPPool2d(2, 2),
    nn.MaxUnpool2d(2),
    nn.BatchNorm1d(3, momentum=None, affine=False),
    nn.BatchNorm2d(3, track_running_stats=False),
    nn.BatchNorm3d(1),
    nn.SyncBatchNorm(2),
    nn.InstanceNorm1d(3, affine=True),
    nn.LayerNorm((2, 3), elementwise_affine=False),
    nn.RMSNorm(4),
    nn.GroupNorm(2, 4, eps=1e-3),
    nn.LocalResponseNorm(3),
    nn.Dropout(0.3, inplace=True),
    nn.AlphaDropout(),
    nn.FeatureAlphaDropout(0.1),
    nn.ReLU(),
    nn.ReLU6(True),
    nn.LeakyReLU(0.2),
    nn.PReLU(),
    nn.RReLU(),
    nn.ELU(0.5),
    nn.SELU(),
    nn.CELU(),
    nn.GELU("tanh"),
    nn.SiLU(),
    nn.Mish(),
    nn.Softplus(2, 10),
    nn.Softshrink(0.3),
    nn.Hardshrink(),
    nn.Hardtanh(-2, 2),
    nn.Hardswish(),
    nn.Hardsigmoid(),
    nn.LogSigmoid(),
    nn.Softsign(),
    nn.Tanhshrink(),
    nn.Threshold(0.1, 20),
    nn.GLU(1),
    nn.Softmin(1),
    nn.Softmax(dim=-1),
    nn.LogSoftmax(1),
    nn.AdaptiveLogSoftmaxWithLoss(8, 20, [5, 10]),
    nn.Embedding(5, 3, max_norm=1),
    nn.EmbeddingBag(5, 3, mode="max"),
    nn.Flatten(),
    nn.Unflatten(1, (2, 2)),
    nn.Identity(),
    nn.PixelShuffle(2),
    nn.Upsample(size=(4, 4)),
    nn.Fold((4, 4), 2),
    nn.Unfold(2),
    nn.ChannelShuffle(2),
    nn.ZeroPad2d((1, 2, 3, 4)),
    nn.ConstantPad1d(2, 3.5),
    nn.CosineSimilarity(dim=0),
    nn.PairwiseDistance(1),
    nn.RNN(2, 3, 2, bias=False),
    nn.LSTM(2, 3, bidirectional=True),
    nn.GRUCell(2, 3),
    nn.L1Loss(),
    nn.BCELoss(),
    nn.BCEWithLogitsLoss(pos_weight=torch.ones(1)),
    nn.CrossEntropyLoss(label_smoothing=0.1),
    nn.PoissonNLLLoss(),
    nn.GaussianNLLLoss(),
    nn.HingeEmbeddingLoss(),
    nn.MultiLabelMarginLoss(),
    nn.HuberLoss(delta=2.0),
    nn.SmoothL1Loss(),
    nn.CosineEmbeddingLoss(),
    nn.CTCLoss(),
    nn.KLDivLoss(log_target=True),
    nn.ParameterList([nn.Parameter(torch.zeros(2, 3)), nn.Parameter(torch.ones(1))]),
    nn.ParameterDict({"a": nn.Parameter(torch.zeros(2))}),
    nn.ModuleList([nn.ReLU()] * 3),
    nn.ModuleDict({"x": nn.Linear(1, 1), "y": nn.Tanh()}),
    nn.Sequential(),
    nn.ModuleList(),
]
for m in mods:
    print(m, sum(p.numel() for p in m.parameters()), len(list(m.buffers())))
net = nn.Sequential(
    OrderedDict(
        [("conv", nn.Conv2d(1, 2, 3)), ("act", nn.ReLU()), ("head", nn.Sequential(nn.Flatten(), nn.Linear(8, 2)))]
    )
)
print(
    [n for n, _ in net.named_children()],
    [n for n, _ in net.named_modules()],
    net.conv,
    net[-1][1].weight.shape,
    len(net),
    net.head[0],
)
try:
    net.insert(1, nn.Identity())
except Exception as e:
    print(type(e).__name__, e)
net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Linear(8, 2))
net.append(nn.Softmax(-1)).insert(1, nn.Identity())
net.conv, net.head = nn.Conv2d(1, 2, 3), nn.Flatten()
net.extend([nn.Tanh()])
print(net, net[1:3], list(net._modules))
del net[1]
print(
    list(net._modules),
    nn.Sequential(nn.ReLU()) + nn.Sequential(nn.Tanh()),
    [type(l).__name__ for l in reversed(nn.ModuleList([nn.ReLU(), nn.Tanh()]))],
)
net.eval()
print(
    net.training,
    net[0].training,
    net.train() is net,
    net.requires_grad_(False) is net,
    all(not p.requires_grad for p in net.parameters()),
    net.double()[0].weight.dtype,
    net.float()[0].weight.dtype,
    net.to(torch.float64) is net,
    net.zero_grad(),
)


class Odd(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.tensor(0), persistent=True)
        self.register_buffer("tmp", torch.zeros(1), persistent=False)
        self.register_buffer("none", None)
        self.register_parameter("bias", None)
        self.w = nn.Parameter(torch.ones(2), requires_grad=False)
        self.b = nn.Buffer(torch.zeros(1)) if hasattr(nn, "Buffer") else None
        self.plain = torch.zeros(1)
        self.ls = [nn.Linear(1, 1)]

    def forward(self, x, *, scale=1.0):
        self.steps += 1
        return x * self.w * scale

    def get_extra_state(self):
        return {"n": int(self.steps)}

    def set_extra_state(self, s):
        self.restored = s


o = Odd()
o(torch.ones(2), scale=2)
print(
    o,
    dict(o.state_dict()),
    dict(o.named_buffers()),
    [n for n, _ in o.named_parameters()],
    o.bias,
    o._non_persistent_buffers_set,
    list(o._buffers),
    o.__dict__.keys() >= {"training", "_parameters"},
)
q = Odd()
print(
    q.load_state_dict(o.state_dict()),
    q.restored,
    q.steps,
    q.get_buffer("steps"),
    o.type(torch.float64).w.dtype,
    hasattr(o, "zzz"),
)
for f in (
    lambda: o.zzz,
    lambda: setattr(o, "w", torch.zeros(2)),
    lambda: o.register_parameter("w.x", None),
    lambda: o.register_buffer("steps2", 3),
    lambda: o.register_parameter("p", torch.zeros(1)),
    lambda: o.add_module("m", 3),
    lambda: o.register_module("", nn.ReLU()),
    lambda: o(torch.ones(3)),
    lambda: o(),
    lambda: o(1, 2, 3),
    lambda: nn.Module()(1),
    lambda: nn.Sequential(3),
    lambda: nn.ModuleList([1]),
    lambda: nn.ModuleDict({"a": 1}),
    lambda: nn.ModuleList([nn.ReLU()])[3],
    lambda: nn.ModuleList([nn.ReLU()])(1),
    lambda: nn.ModuleDict({})["k"],
    lambda: nn.Linear(2, 3)(torch.zeros(1, 3)),
    lambda: nn.Linear(2),
    lambda: nn.Linear("a", 2),
    lambda: nn.Linear(2, 3, foo=1),
    lambda: nn.Conv2d(1, 2),
    lambda: nn.Conv2d(1, 2, 3)(torch.zeros(1, 3, 8, 8)),
    lambda: nn.BatchNorm2d(3)(torch.zeros(2, 3)),
    lambda: nn.BatchNorm1d(3)(torch.zeros(2, 4)),
    lambda: nn.BatchNorm1d(3)(torch.zeros(1, 3)),
    lambda: nn.Embedding(3, 2)(torch.zeros(2)),
    lambda: nn.Flatten(3)(torch.zeros(2)),
    lambda: nn.Unflatten(1, (2, 3))(torch.zeros(2, 4)),
    lambda: nn.BCELoss()(torch.tensor([2.0]), torch.tensor([1.0])),
    lambda: nn.GroupNorm(3, 4),
    lambda: nn.Bilinear(2, 2, 1)(torch.zeros(1, 2), torch.zeros(1, 3)),
    lambda: nn.Softmax(3)(torch.zeros(2)),
    lambda: nn.Parameter([1]),
    lambda: nn.Parameter(torch.tensor([1])),
    lambda: o.load_state_dict(3),
    lambda: o.load_state_dict({"w": 3}),
    lambda: o.get_parameter("q"),
    lambda: o.get_buffer("w"),
    lambda: o.half().to(torch.int32),
    lambda: nn.Identity(1, 2, x=3)(5),
    lambda: nn.CrossEntropyLoss(weight=[1, 2]),
    lambda: nn.GELU("fast")(torch.zeros(1)),
    lambda: nn.Upsample()(torch.zeros(1, 1, 2, 2)),
    lambda: nn.LayerNorm(3)(torch.zeros(3, dtype=torch.long)),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e)[:400])


class Forgot(nn.Module):
    def __init__(self):
        self.l = nn.Linear(1, 1)


class NoForward(nn.Module):
    pass


for f in (Forgot, lambda: NoForward()(1)):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
