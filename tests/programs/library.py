"""Every class of torch.nn against finite differences, and the rest against plain formulas.

Prints what disagrees, then `N of M`. A public class of torch.nn without a case here counts as one that disagrees.
"""

import math
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import gradcheck, gradgradcheck
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence, pad_sequence

warnings.simplefilter("ignore")
torch.set_default_dtype(torch.float64)
agree = total = 0


def case(name, holds):
    global agree, total
    total += 1
    torch.manual_seed(total)
    try:
        ok = holds()
    except Exception as error:
        ok, name = False, f"{name}: {type(error).__name__}: {str(error)[:300]}"
    agree += bool(ok)
    if not ok:
        print("--", name)


def leaf(*shape, low=-1.0, high=1.0):
    return (torch.rand(shape) * (high - low) + low).requires_grad_()


def differentiates(module, *inputs):
    """Central differences over inputs and parameters; modules that draw do so from one seed."""
    parameters = list(module.parameters())

    def run(*_):
        torch.manual_seed(7)
        out = module(*inputs)
        while isinstance(out, tuple):
            out = out[0]
        return out

    wanted = [i for i in inputs if isinstance(i, torch.Tensor) and i.requires_grad] + parameters
    return gradcheck(run, wanted)


def close(a, b, tolerance=1e-9):
    return torch.allclose(a, b, rtol=tolerance, atol=tolerance)


class Aligned(nn.Module):
    """CTC's gradient is that of distributions, which a softmax makes."""

    def forward(self, logits, *others):
        return nn.CTCLoss()(logits.log_softmax(2), *others)


line, image = lambda: leaf(2, 3, 6), lambda: leaf(1, 2, 5, 4)
space = lambda: leaf(1, 2, 3, 4, 3)
rows, other = lambda: leaf(3, 4), lambda: torch.rand(3, 4)
classes = lambda: torch.tensor([1, 3, 0])
signs = lambda: torch.tensor([1.0, -1.0, 1.0])
sequence = lambda: leaf(3, 2, 4)

CASES = {
    "AdaptiveAvgPool3d": lambda: (nn.AdaptiveAvgPool3d((2, 3, 2)), space()),
    "AdaptiveMaxPool3d": lambda: (nn.AdaptiveMaxPool3d((2, 3, 2)), space()),
    "AvgPool3d": lambda: (nn.AvgPool3d(2, 1), space()),
    "ChannelShuffle": lambda: (nn.ChannelShuffle(2), leaf(1, 4, 3)),
    "CircularPad3d": lambda: (nn.CircularPad3d(1), space()),
    "Conv3d": lambda: (nn.Conv3d(2, 2, 2, stride=(2, 1, 1), padding=1, groups=2), space()),
    "ConvTranspose3d": lambda: (nn.ConvTranspose3d(2, 2, 2, stride=2, padding=1), space()),
    "CTCLoss": lambda: (Aligned(), leaf(5, 2, 4), torch.tensor([[1, 2], [3, 3]]), (5, 4), (2, 1)),
    "FractionalMaxPool2d": lambda: (nn.FractionalMaxPool2d(2, output_size=3), image()),
    "FractionalMaxPool3d": lambda: (nn.FractionalMaxPool3d(2, output_size=2), space()),
    "InstanceNorm3d": lambda: (nn.InstanceNorm3d(2, affine=True), space()),
    "LinearCrossEntropyLoss": lambda: (nn.LinearCrossEntropyLoss(4, 5, bias=True), rows(), classes()),
    "LPPool3d": lambda: (nn.LPPool3d(2.0, 2), space()),
    "MaxPool3d": lambda: (nn.MaxPool3d(2, 1), space()),
    "MaxUnpool1d": lambda: (nn.MaxUnpool1d(2), leaf(2, 2), torch.tensor([[0, 3], [1, 2]])),
    "MaxUnpool2d": lambda: (nn.MaxUnpool2d(2), leaf(1, 2, 2), torch.tensor([[[0, 3], [9, 14]]])),
    "MaxUnpool3d": lambda: (nn.MaxUnpool3d(2), leaf(1, 1, 1, 2), torch.tensor([[[[0, 15]]]])),
    "ReflectionPad3d": lambda: (nn.ReflectionPad3d(1), space()),
    "ReplicationPad3d": lambda: (nn.ReplicationPad3d(1), space()),
    "AdaptiveAvgPool1d": lambda: (nn.AdaptiveAvgPool1d(4), line()),
    "AdaptiveAvgPool2d": lambda: (nn.AdaptiveAvgPool2d((3, 2)), image()),
    "AdaptiveMaxPool1d": lambda: (nn.AdaptiveMaxPool1d(4), line()),
    "AdaptiveMaxPool2d": lambda: (nn.AdaptiveMaxPool2d((3, 2)), image()),
    "AlphaDropout": lambda: (nn.AlphaDropout(0.3), rows()),
    "AvgPool1d": lambda: (nn.AvgPool1d(3, 2, 1), line()),
    "AvgPool2d": lambda: (nn.AvgPool2d(2, 1), image()),
    "BCELoss": lambda: (nn.BCELoss(), leaf(3, 4, low=0.1, high=0.9), other()),
    "BCEWithLogitsLoss": lambda: (nn.BCEWithLogitsLoss(pos_weight=torch.rand(4)), rows(), other()),
    "BatchNorm1d": lambda: (nn.BatchNorm1d(4).eval(), rows()),
    "BatchNorm2d": lambda: (nn.BatchNorm2d(2, track_running_stats=False), leaf(2, 2, 3, 2)),
    "BatchNorm3d": lambda: (nn.BatchNorm3d(2, track_running_stats=False), leaf(2, 2, 2, 1, 2)),
    "Bilinear": lambda: (nn.Bilinear(4, 3, 2), rows(), leaf(3, 3)),
    "CELU": lambda: (nn.CELU(0.7), rows()),
    "CircularPad1d": lambda: (nn.CircularPad1d(2), line()),
    "CircularPad2d": lambda: (nn.CircularPad2d((1, 2, 0, 1)), image()),
    "ConstantPad1d": lambda: (nn.ConstantPad1d(1, 0.5), line()),
    "ConstantPad2d": lambda: (nn.ConstantPad2d((1, 0, 2, 1), 0.5), image()),
    "ConstantPad3d": lambda: (nn.ConstantPad3d(1, 0.5), leaf(1, 1, 2, 2, 1)),
    "Conv1d": lambda: (nn.Conv1d(3, 2, 4, padding="same", dilation=1), line()),
    "Conv2d": lambda: (nn.Conv2d(2, 4, 2, padding=1, groups=2, padding_mode="reflect"), image()),
    "ConvTranspose1d": lambda: (nn.ConvTranspose1d(3, 2, 3, stride=2, output_padding=1), line()),
    "ConvTranspose2d": lambda: (nn.ConvTranspose2d(2, 2, 2, stride=2, groups=2), image()),
    "CosineEmbeddingLoss": lambda: (nn.CosineEmbeddingLoss(0.1), rows(), leaf(3, 4), signs()),
    "CosineSimilarity": lambda: (nn.CosineSimilarity(), rows(), leaf(3, 4)),
    "CrossEntropyLoss": lambda: (nn.CrossEntropyLoss(torch.rand(4), label_smoothing=0.1), rows(), classes()),
    "Dropout": lambda: (nn.Dropout(0.3), rows()),
    "Dropout1d": lambda: (nn.Dropout1d(0.3), line()),
    "Dropout2d": lambda: (nn.Dropout2d(0.3), image()),
    "Dropout3d": lambda: (nn.Dropout3d(0.3), leaf(1, 3, 2, 1, 2)),
    "ELU": lambda: (nn.ELU(0.7), rows()),
    "Embedding": lambda: (nn.Embedding(4, 3), classes()),
    "EmbeddingBag": lambda: (nn.EmbeddingBag(4, 3), torch.tensor([1, 2, 3, 1]), torch.tensor([0, 3])),
    "FeatureAlphaDropout": lambda: (nn.FeatureAlphaDropout(0.3), line()),
    "Flatten": lambda: (nn.Flatten(), image()),
    "Fold": lambda: (nn.Fold((3, 3), 2), leaf(1, 4, 4)),
    "GELU": lambda: (nn.GELU("tanh"), rows()),
    "GLU": lambda: (nn.GLU(), rows()),
    "GRU": lambda: (nn.GRU(4, 2, 2, bidirectional=True), sequence()),
    "GRUCell": lambda: (nn.GRUCell(4, 2), rows(), leaf(3, 2)),
    "GaussianNLLLoss": lambda: (nn.GaussianNLLLoss(full=True), rows(), other(), leaf(3, 4, low=0.5, high=1.5)),
    "GroupNorm": lambda: (nn.GroupNorm(2, 4), leaf(2, 4, 3)),
    "Hardshrink": lambda: (nn.Hardshrink(0.3), rows()),
    "Hardsigmoid": lambda: (nn.Hardsigmoid(), rows()),
    "Hardswish": lambda: (nn.Hardswish(), rows()),
    "Hardtanh": lambda: (nn.Hardtanh(-0.4, 0.6), rows()),
    "HingeEmbeddingLoss": lambda: (nn.HingeEmbeddingLoss(), leaf(3), signs()),
    "HuberLoss": lambda: (nn.HuberLoss(delta=0.3), rows(), other()),
    "Identity": lambda: (nn.Identity(), rows()),
    "InstanceNorm1d": lambda: (nn.InstanceNorm1d(3, affine=True), line()),
    "InstanceNorm2d": lambda: (nn.InstanceNorm2d(2), image()),
    "KLDivLoss": lambda: (nn.KLDivLoss(reduction="batchmean"), rows(), other()),
    "L1Loss": lambda: (nn.L1Loss(), rows(), other()),
    "LPPool1d": lambda: (nn.LPPool1d(2, 2), leaf(1, 2, 6, low=0.2)),
    "LPPool2d": lambda: (nn.LPPool2d(3, 2), leaf(1, 1, 4, 4, low=0.2)),
    "LSTM": lambda: (nn.LSTM(4, 2, bidirectional=True, batch_first=True), sequence()),
    "LSTMCell": lambda: (nn.LSTMCell(4, 2), rows(), (torch.rand(3, 2), torch.rand(3, 2))),
    "LayerNorm": lambda: (nn.LayerNorm(4), rows()),
    "LeakyReLU": lambda: (nn.LeakyReLU(0.2), rows()),
    "Linear": lambda: (nn.Linear(4, 2), rows()),
    "LocalResponseNorm": lambda: (nn.LocalResponseNorm(2, alpha=0.5), line()),
    "LogSigmoid": lambda: (nn.LogSigmoid(), rows()),
    "LogSoftmax": lambda: (nn.LogSoftmax(1), rows()),
    "MSELoss": lambda: (nn.MSELoss(), rows(), other()),
    "MarginRankingLoss": lambda: (nn.MarginRankingLoss(0.1), leaf(3), leaf(3), signs()),
    "MaxPool1d": lambda: (nn.MaxPool1d(2), line()),
    "MaxPool2d": lambda: (nn.MaxPool2d(2, 1), image()),
    "Mish": lambda: (nn.Mish(), rows()),
    "MultiLabelMarginLoss": lambda: (nn.MultiLabelMarginLoss(), rows(), torch.tensor([[1, 2, -1, 0]] * 3)),
    "MultiLabelSoftMarginLoss": lambda: (nn.MultiLabelSoftMarginLoss(), rows(), (other() > 0.5).double()),
    "MultiMarginLoss": lambda: (nn.MultiMarginLoss(weight=torch.rand(4)), rows(), classes()),
    "MultiheadAttention": lambda: (nn.MultiheadAttention(4, 2, add_bias_kv=True), sequence(), leaf(2, 2, 4), leaf(2, 2, 4)),
    "NLLLoss": lambda: (nn.NLLLoss(), rows(), classes()),
    "NLLLoss2d": lambda: (nn.NLLLoss2d(), leaf(1, 3, 2, 2), torch.tensor([[[0, 2], [1, 1]]])),
    "PReLU": lambda: (nn.PReLU(4), rows()),
    "PairwiseDistance": lambda: (nn.PairwiseDistance(3.0), rows(), leaf(3, 4)),
    "PixelShuffle": lambda: (nn.PixelShuffle(2), leaf(1, 4, 2, 3)),
    "PixelUnshuffle": lambda: (nn.PixelUnshuffle(2), leaf(1, 1, 4, 2)),
    "PoissonNLLLoss": lambda: (nn.PoissonNLLLoss(full=True), rows(), other() * 3),
    "RMSNorm": lambda: (nn.RMSNorm(4), rows()),
    "RNN": lambda: (nn.RNN(4, 2, nonlinearity="relu", bias=False), sequence()),
    "RNNCell": lambda: (nn.RNNCell(4, 2), rows()),
    "RReLU": lambda: (nn.RReLU().eval(), rows()),
    "ReLU": lambda: (nn.ReLU(), rows()),
    "ReLU6": lambda: (nn.ReLU6(), leaf(3, 4, low=-3.0, high=9.0)),
    "ReflectionPad1d": lambda: (nn.ReflectionPad1d(2), line()),
    "ReflectionPad2d": lambda: (nn.ReflectionPad2d(1), image()),
    "ReplicationPad1d": lambda: (nn.ReplicationPad1d(2), line()),
    "ReplicationPad2d": lambda: (nn.ReplicationPad2d(1), image()),
    "SELU": lambda: (nn.SELU(), rows()),
    "Sequential": lambda: (nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 1)), rows()),
    "SiLU": lambda: (nn.SiLU(), rows()),
    "Sigmoid": lambda: (nn.Sigmoid(), rows()),
    "SmoothL1Loss": lambda: (nn.SmoothL1Loss(beta=0.3), rows(), other()),
    "SoftMarginLoss": lambda: (nn.SoftMarginLoss(), leaf(3), signs()),
    "Softmax": lambda: (nn.Softmax(1), rows()),
    "Softmax2d": lambda: (nn.Softmax2d(), image()),
    "Softmin": lambda: (nn.Softmin(1), rows()),
    "Softplus": lambda: (nn.Softplus(2.0), rows()),
    "Softshrink": lambda: (nn.Softshrink(0.3), rows()),
    "Softsign": lambda: (nn.Softsign(), rows()),
    "Tanh": lambda: (nn.Tanh(), rows()),
    "Tanhshrink": lambda: (nn.Tanhshrink(), rows()),
    "Threshold": lambda: (nn.Threshold(0.1, 2.0), rows()),
    "Transformer": lambda: (nn.Transformer(4, 2, 1, 1, 4, dropout=0.0), leaf(2, 1, 4), leaf(2, 1, 4)),
    "TransformerDecoderLayer": lambda: (nn.TransformerDecoderLayer(4, 2, 4, dropout=0.0), leaf(2, 1, 4), leaf(2, 1, 4)),
    "TransformerEncoder": lambda: (
        nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 4, dropout=0.0), 2, nn.LayerNorm(4)), leaf(2, 1, 4)),
    "TransformerEncoderLayer": lambda: (
        nn.TransformerEncoderLayer(4, 2, 4, dropout=0.0, activation="gelu", norm_first=True, batch_first=True),
        leaf(1, 2, 4)),
    "TripletMarginLoss": lambda: (nn.TripletMarginLoss(swap=True), rows(), leaf(3, 4), leaf(3, 4)),
    "TripletMarginWithDistanceLoss": lambda: (nn.TripletMarginWithDistanceLoss(), rows(), leaf(3, 4), leaf(3, 4)),
    "Unflatten": lambda: (nn.Unflatten(1, (2, 2)), rows()),
    "Unfold": lambda: (nn.Unfold(2, padding=1), image()),
    "Upsample": lambda: (nn.Upsample(scale_factor=1.5, mode="bilinear"), image()),
    "UpsamplingBilinear2d": lambda: (nn.UpsamplingBilinear2d(scale_factor=2), image()),
    "UpsamplingNearest2d": lambda: (nn.UpsamplingNearest2d((7, 3)), image()),
    "ZeroPad1d": lambda: (nn.ZeroPad1d(1), line()),
    "ZeroPad2d": lambda: (nn.ZeroPad2d((1, 2, 0, 1)), image()),
    "ZeroPad3d": lambda: (nn.ZeroPad3d(1), leaf(1, 1, 2, 1, 2)),
}
for name, made in CASES.items():
    case(name, lambda: differentiates(*made()))

# ---- containers, and classes that are part of others -----------------------------------------------------------------


def containers():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
            self.heads = nn.ModuleDict({"a": nn.Linear(4, 2)})
            self.scales = nn.ParameterList([torch.rand(4), torch.rand(4)])
            self.shifts = nn.ParameterDict({"b": torch.rand(2)})

        def forward(self, x):
            for layer, scale in zip(self.layers, self.scales):
                x = torch.tanh(layer(x)) * scale
            return self.heads["a"](x) + self.shifts["b"]

    return len(list(Net().parameters())) == 9 and differentiates(Net(), rows())


def decoder():
    stack = nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 4, dropout=0.0), 2)
    x, memory = torch.rand(2, 1, 4), torch.rand(3, 1, 4)
    return close(stack(x, memory), stack.layers[1](stack.layers[0](x, memory), memory))


ELSEWHERE = {"Module", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "RNNBase", "RNNCellBase", "TransformerDecoder"}
case("containers", containers)
case("TransformerDecoder", decoder)
for name in nn.modules.__all__:
    if name not in CASES and name not in ELSEWHERE:
        case(f"no case for nn.{name}", lambda: False)

# ---- against plain formulas ------------------------------------------------------------------------------------------


def attention():
    q, k, v = torch.rand(1, 2, 3, 4), torch.rand(1, 2, 5, 4), torch.rand(1, 2, 5, 4)
    weights = (q @ k.transpose(-1, -2) / math.sqrt(4)).softmax(-1)
    mask = torch.ones(3, 3, dtype=torch.bool).tril()
    hidden = (q @ q.transpose(-1, -2) / 2).masked_fill(~mask, -math.inf).softmax(-1) @ q
    return close(F.scaled_dot_product_attention(q, k, v), weights @ v) and close(
        F.scaled_dot_product_attention(q, q, q, is_causal=True), hidden)


def attention_by_hand():
    m = nn.MultiheadAttention(4, 2, batch_first=True)
    x = torch.rand(2, 3, 4)
    q, k, v = (F.linear(x, w, b) for w, b in zip(m.in_proj_weight.chunk(3), m.in_proj_bias.chunk(3)))
    split = lambda t: t.view(2, 3, 2, 2).transpose(1, 2)
    weights = (split(q) @ split(k).mT / math.sqrt(2)).softmax(-1)
    out = m.out_proj((weights @ split(v)).transpose(1, 2).reshape(2, 3, 4))
    found, average = m(x, x, x)
    return close(found, out) and close(average, weights.mean(1)) and close(m(x, x, x, need_weights=False)[0], out)


def lstm_by_hand():
    m, x = nn.LSTM(3, 2), torch.rand(4, 1, 3)
    h = c = torch.zeros(1, 2)
    for step in x:
        i, f, g, o = (F.linear(step, m.weight_ih_l0, m.bias_ih_l0) + F.linear(h, m.weight_hh_l0, m.bias_hh_l0)).chunk(4, 1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
    out, (hn, cn) = m(x)
    return close(out[-1], h) and close(hn[0], h) and close(cn[0], c)


def packed():
    m = nn.GRU(3, 2, 2, bidirectional=True)
    parts = [torch.rand(n, 3) for n in (2, 4, 1)]
    packed_out, h = m(pack_sequence(parts, enforce_sorted=False))
    padded, lengths = pad_packed_sequence(packed_out)
    alone = [m(p.unsqueeze(1)) for p in parts]
    ok = lengths.tolist() == [2, 4, 1]
    for i, (out, end) in enumerate(alone):
        ok = ok and close(padded[: lengths[i], i], out[:, 0]) and close(h[:, i], end[:, 0])
    again = pack_padded_sequence(pad_sequence(parts), torch.tensor([2, 4, 1]), enforce_sorted=False)
    return ok and close(again.data, pack_sequence(parts, enforce_sorted=False).data)


def linear_algebra():
    a, b = torch.rand(2, 4, 4), torch.rand(2, 4, 3)
    one = torch.eye(4)
    s = a @ a.mT + one
    q, r = torch.linalg.qr(b)
    l = torch.linalg.cholesky(s)
    values, vectors = torch.linalg.eigh(s)
    u, sigma, vh = torch.linalg.svd(b)
    sign, log = torch.linalg.slogdet(a)
    checks = [
        (torch.linalg.inv(a) @ a, one.expand(2, 4, 4)), (a @ torch.linalg.solve(a, b), b), (q @ r, b), (l @ l.mT, s),
        (vectors @ torch.diag_embed(values) @ vectors.mT, s), (u[..., :3] @ torch.diag_embed(sigma) @ vh, b),
        (u.mT @ u, one.expand(2, 4, 4)), (sign * log.exp(), torch.linalg.det(a)),
        (torch.linalg.matrix_norm(b), (b * b).sum((1, 2)).sqrt()), (torch.linalg.matrix_norm(b, 2), sigma[:, 0]),
        (torch.linalg.matrix_norm(b, "nuc"), sigma.sum(1)), (torch.linalg.matrix_norm(b, 1), b.abs().sum(1).amax(1)),
        (torch.linalg.vector_norm(b, 3), (b**3).sum() ** (1 / 3)), (torch.linalg.matrix_power(a, 3), a @ a @ a),
        (torch.linalg.pinv(b) @ b, torch.eye(3).expand(2, 3, 3)), (torch.linalg.multi_dot([a[0], a[1], b[0]]), a[0] @ a[1] @ b[0]),
        (torch.linalg.cross(b, b + 1), torch.stack([b[..., 1] - b[..., 2], b[..., 2] - b[..., 0], b[..., 0] - b[..., 1]], -1)),
    ]
    ranks = torch.linalg.matrix_rank(torch.ones(3, 2)).item() == 1
    return ranks and all(close(x, y, 1e-8) for x, y in checks)


def einsum():
    a, b = torch.rand(2, 3, 4), torch.rand(2, 4, 5)
    return close(torch.einsum("bij,bjk->bik", a, b), a @ b) and close(torch.einsum("bij->b", a), a.sum((1, 2))) and close(
        torch.einsum("ii", b[:, :2, 0]), b[0, 0, 0] + b[1, 1, 0])


def orthogonal():
    w = nn.init.orthogonal_(torch.empty(3, 5))
    return close(w @ w.T, torch.eye(3), 1e-8)


def clipping():
    p = nn.Parameter(torch.zeros(3))
    p.grad = torch.tensor([3.0, 4.0, 0.0])
    norm = nn.utils.clip_grad_norm_([p], 1.0)
    short = p.grad.norm().item() <= 1.0
    nn.utils.clip_grad_value_([p], 0.3)
    flat = nn.utils.parameters_to_vector([p, nn.Parameter(torch.ones(2))])
    nn.utils.vector_to_parameters(flat + 1, [p])
    return norm.item() == 5.0 and short and p.grad.max().item() == 0.3 and p.tolist() == [1, 1, 1] and flat.tolist()[3:] == [1, 1]


def minimises(make):
    p = nn.Parameter(torch.tensor([1.0, -2.0]))
    optimizer = make([p])

    def loss_of():
        optimizer.zero_grad()
        loss = ((p - torch.tensor([0.5, 0.25])) ** 2).sum()
        loss.backward()
        return loss

    before = loss_of().item()
    for _ in range(30):
        optimizer.step(loss_of)
    copy = make([nn.Parameter(torch.zeros(2))])
    copy.load_state_dict(optimizer.state_dict())
    return loss_of().item() < before * 0.9999 and str(copy) == str(optimizer)


def schedule(make, expected):
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=1.0)
    scheduler = make(optimizer)
    seen = []
    for _ in expected:
        seen.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return all(math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-15) for a, b in zip(seen, expected))


def autocast():
    a = torch.rand(3, 3, dtype=torch.float32, requires_grad=True)
    with torch.autocast("cpu"):
        product = a @ a
        kept = (a + a).dtype == torch.float32 and F.mse_loss(product, product.detach()).dtype == torch.float32
        mixed = torch.cat([product, a]).dtype == torch.float32
        with torch.autocast("cpu", enabled=False):
            off = (a @ a).dtype == torch.float32
    product.float().sum().backward()
    return kept and mixed and off and product.dtype == torch.bfloat16 and a.grad.dtype == torch.float32


def scaler():
    p = nn.Parameter(torch.zeros(2))
    optimizer, scaler = torch.optim.SGD([p], lr=1.0), torch.amp.GradScaler("cpu", init_scale=4.0, growth_interval=2)
    scales = []
    for step in range(4):
        optimizer.zero_grad()
        scaler.scale(p.sum()).backward()
        scaled = p.grad.tolist()
        if step == 2:
            p.grad.fill_(math.inf)
        scaler.step(optimizer)
        scaler.update()
        scales.append(scaler.get_scale())
    return scaled == [4.0, 4.0] and scales == [4.0, 8.0, 4.0, 4.0] and p.tolist() == [-3.0, -3.0]


def checkpointed():
    from torch.utils.checkpoint import checkpoint, checkpoint_sequential

    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Dropout(0.5), nn.Linear(8, 2))
    x, found = torch.rand(3, 4).requires_grad_(), []
    ways = [net, lambda x: checkpoint(net, x, use_reentrant=True), lambda x: checkpoint(net, x, use_reentrant=False)]
    for way in ways:
        torch.manual_seed(3)
        net.zero_grad()
        x.grad = None
        way(x).sin().sum().backward()
        found.append([x.grad.clone()] + [p.grad.clone() for p in net.parameters()])
    saved = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: saved.append(t) or t, lambda t: t):
        checkpoint_sequential(net, 2, x, use_reentrant=False)
    return all(torch.equal(a, b) for other in found[1:] for a, b in zip(found[0], other)) and 0 < len(saved) < 8


def functions():
    from torch.func import functional_call, grad, grad_and_value, hessian, jacrev, vjp

    x, f = torch.rand(3), lambda x: (x.sin() ** 2).sum()
    value, pull = vjp(torch.sin, x)
    net = nn.Linear(3, 2)
    zero = functional_call(net, {n: torch.zeros_like(p) for n, p in net.named_parameters()}, x)
    return (close(grad(f)(x), (2 * x).sin()) and close(hessian(f)(x), torch.diag(2 * (2 * x).cos()))
            and close(grad(grad(lambda t: t**3))(torch.tensor(2.0)), torch.tensor(12.0))
            and close(jacrev(torch.sin)(x), torch.diag(x.cos())) and close(pull(torch.ones(3))[0], x.cos())
            and close(value, x.sin()) and close(grad_and_value(f)(x)[1], f(x)) and zero.tolist() == [0.0, 0.0])


def mapped():
    """Row by row, as one sweep would."""
    from torch.func import grad, vmap

    x, w, net = torch.rand(4, 3), torch.rand(3), nn.Linear(3, 2)
    each = vmap(grad(lambda w, row: (row @ w) ** 2), in_dims=(None, 0))(w, x)
    by_hand = torch.stack([2 * (row @ w) * row for row in x])
    pairs = vmap(lambda a, b: {"sum": a + b, "product": a * b}, in_dims=(0, 1))(x, x.t().contiguous())
    try:
        vmap(lambda row: row + torch.rand(3))(x)
        return False
    except RuntimeError as error:
        refused = "randomness error mode" in str(error)
    return (close(each, by_hand) and close(vmap(net)(x), net(x)) and close(pairs["sum"], 2 * x) and refused
            and close(pairs["product"], x * x) and close(vmap(torch.sin, out_dims=1)(x), x.sin().t()))


def dealt():
    """Every process gets as many indices, together all of them."""
    from torch.utils.data.distributed import DistributedSampler

    data = list(range(10))
    parts = [DistributedSampler(data, num_replicas=3, rank=r, shuffle=False) for r in range(3)]
    plain = [list(p) for p in parts] == [[0, 3, 6, 9], [1, 4, 7, 0], [2, 5, 8, 1]] and len(parts[0]) == 4
    short = [list(DistributedSampler(data, 3, r, shuffle=False, drop_last=True)) for r in range(3)]
    mixed = [DistributedSampler(data, 2, r) for r in range(2)]
    first = [list(m) for m in mixed]
    for m in mixed:
        m.set_epoch(1)
    order = torch.randperm(10, generator=torch.Generator().manual_seed(0)).tolist()
    return (plain and short == [[0, 3, 6], [1, 4, 7], [2, 5, 8]] and first == [order[0::2], order[1::2]]
            and [list(m) for m in mixed] != first)


def truths():
    """What is computed in bool: every float but zero is true."""
    x = torch.tensor([[0.5, 0.0], [0.25, 0.3], [0.0, 0.0], [math.nan, 0.0]])
    some = [True, True, False, True]
    good = all(t.sum(1, dtype=torch.bool).tolist() == some for t in (x, x.float(), x.half()))
    good = good and x.prod(1, dtype=torch.bool).tolist() == [False, True, False, False] and bool(x.sum(dtype=torch.bool))
    good = good and x.any(1).tolist() == some and x.all(1).tolist() == [False, True, False, False]
    try:
        x.cumsum(0, dtype=torch.bool)
    except NotImplementedError as error:
        good = good and str(error) == "\"cumsum_out_cpu\" not implemented for 'Bool'"
    counts = torch.tensor([200, 100], dtype=torch.uint8).cumsum(0, dtype=torch.uint8)
    return good and counts.dtype == torch.uint8 and counts.tolist() == [200, 44]


def unsigned():
    """Stored, printed, converted; promoted with few."""
    x = torch.tensor([1, 65535], dtype=torch.uint16)
    try:
        x + torch.tensor([1, 2], dtype=torch.int32)
        return False
    except RuntimeError as error:
        refused = str(error).endswith("is not supported, attempted to promote UInt16 and Int")
    return (refused and repr(x) == "tensor([    1, 65535], dtype=torch.uint16)" and x.to(torch.int16).tolist() == [1, -1]
            and (x + 0.5).dtype == torch.float64 and torch.tensor([2**32 - 1], dtype=torch.uint32).item() == 4294967295)


def singular():
    """Singular matrices are refused."""
    for call in (lambda: torch.linalg.inv(torch.zeros(2, 2)), lambda: torch.linalg.solve(torch.zeros(2, 2), torch.ones(2)),
                 lambda: torch.linalg.cholesky(-torch.eye(2))):
        try:
            call()
            return False
        except torch.linalg.LinAlgError as error:
            good = isinstance(error, RuntimeError) and type(error) is torch._C._LinAlgError
    return good


def ordered():
    """Memory formats."""
    x = torch.rand(2, 3, 4, 5)
    y = x.to(memory_format=torch.channels_last)
    net = nn.Conv2d(3, 2, 3).to(memory_format=torch.channels_last)
    return (y.stride() == (60, 1, 15, 3) and torch.equal(x, y) and not y.is_contiguous()
            and y.is_contiguous(memory_format=torch.channels_last) and y.contiguous().stride() == x.stride()
            and y.contiguous(memory_format=torch.channels_last) is y and net.weight.stride() == (27, 1, 9, 3)
            and close(net(y), F.conv2d(x, net.weight, net.bias)))


def composed():
    """Functions of `torch` that are several others in a row."""
    x, w = torch.rand(3, 4) - 0.5, torch.rand(2, 2)
    values, places = x.cummax(1)
    checks = [
        (torch.kron(w, x)[:3, :4], w[0, 0] * x), (x.quantile(0.5, dim=1), x.sort(1)[0][:, 1:3].mean(1)),
        (torch.logaddexp(x, x), x + math.log(2)), (torch.logit(x.sigmoid()), x), (torch.diff(x), x[:, 1:] - x[:, :-1]),
        (torch.cov(x).diagonal(), x.var(1)), (torch.corrcoef(x).diagonal(), torch.ones(3)), (torch.dist(x, x + 1), torch.tensor(12.0).sqrt()),
        (torch.rot90(torch.rot90(x, 1), 3), x), (torch.trapezoid(x), (x[:, 1:] + x[:, :-1]).sum(1) / 2),
        (torch.renorm(x, 2, 0, 0.1).norm(2, 1), torch.full((3,), 0.1)), (values, x.gather(1, places)), (values[:, -1], x.amax(1)),
        (torch.zeros(3, 2).scatter_reduce(1, torch.tensor([[0, 1, 1, 0]] * 3), x, "sum").sum(1), x.sum(1)),
        (torch.histc(x, 4, -1, 1).sum(), torch.tensor(12.0)), (torch.vander(w[0]), torch.stack([w[0], torch.ones(2)], 1)),
        (torch.take_along_dim(x, x.argsort(1), 1), x.sort(1)[0]), (torch.logdet(w @ w.t() + torch.eye(2)).exp(), torch.linalg.det(w @ w.t() + torch.eye(2))),
        (x.clone().unsqueeze_(0).squeeze_(0).t_().t_(), x), (x.clone().clamp_min_(0), x.relu()), (torch.sinc(torch.zeros(1)), torch.ones(1)),
        (torch.hann_window(4), torch.tensor([0.0, 0.5, 1.0, 0.5])), (torch.nanmean(torch.tensor([1.0, math.nan, 3.0])), torch.tensor(2.0)),
    ]
    grads = [
        lambda x: x.cummax(1)[0], lambda x: torch.quantile(x, 0.3, dim=1), lambda x: torch.logaddexp(x, 2 * x), torch.sinc,
        lambda x: torch.logit(x.sigmoid()), lambda x: torch.renorm(x, 2, 0, 0.1), lambda x: torch.kron(x, x), torch.cov,
    ]
    return all(close(a, b, 1e-6) for a, b in checks) and all(gradcheck(f, leaf(3, 4)) for f in grads)


def refuses_overlap():
    wide = torch.zeros(1).expand(3)
    for write in (lambda: wide.add_(1), lambda: wide.copy_(torch.ones(3)), lambda: wide.relu_(), lambda: wide.normal_()):
        try:
            write()
            return False
        except RuntimeError as error:
            if "single memory location" not in str(error):
                return False
    return True


def absent():
    for name in (lambda: nn.quantized, lambda: torch.quantize_per_tensor, lambda: torch.hash_tensor):
        try:
            name()
            return False
        except NotImplementedError:
            pass
    return not hasattr(nn, "Quux") and not hasattr(torch.optim, "Quux")


for holds in (attention, attention_by_hand, lstm_by_hand, packed, linear_algebra, einsum, orthogonal, clipping, autocast, scaler,
              checkpointed, functions, mapped, dealt, truths, unsigned, singular, ordered, composed, refuses_overlap, absent):
    case(holds.__name__, holds)
case("gradgradcheck", lambda: gradgradcheck(lambda x: F.gelu(x) * x.tanh(), leaf(3)))
for name in ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "Rprop", "ASGD", "LBFGS"):
    case(name, lambda: minimises(getattr(torch.optim, name)))

rates = torch.optim.lr_scheduler
half = lambda o: rates.ExponentialLR(o, 0.5)
SCHEDULES = {
    "MultiplicativeLR": (lambda o: rates.MultiplicativeLR(o, lambda e: 0.5), [1, 0.5, 0.25, 0.125]),
    "ConstantLR": (lambda o: rates.ConstantLR(o, 0.5, 2), [0.5, 0.5, 1, 1]),
    "PolynomialLR": (lambda o: rates.PolynomialLR(o, 4), [1, 0.75, 0.5, 0.25, 0]),
    "CosineAnnealingWarmRestarts": (
        lambda o: rates.CosineAnnealingWarmRestarts(o, 2, 2),
        [1, 0.5] + [(1 + math.cos(math.pi * k / 4)) / 2 for k in range(4)] + [1]),
    "CyclicLR": (lambda o: rates.CyclicLR(o, 0.1, 0.5, 2, cycle_momentum=False), [0.1, 0.3, 0.5, 0.3, 0.1, 0.3]),
    "SequentialLR": (
        lambda o: rates.SequentialLR(o, [rates.ConstantLR(o, 0.1, 2), half(o)], [2]), [0.1, 0.1, 1, 0.5, 0.25]),
    "ChainedScheduler": (lambda o: rates.ChainedScheduler([half(o), rates.StepLR(o, 2, 0.1)]), [1, 0.5, 0.025, 0.0125]),
}
for name, (make, expected) in SCHEDULES.items():
    case(name, lambda: schedule(make, expected))
print(f"{agree} of {total}")
