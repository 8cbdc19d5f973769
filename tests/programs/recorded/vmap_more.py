"""More functions under vmap, each argument a row or the same for all rows, with gradients through them."""
import itertools

import torch
import torch.nn.functional as F
from torch.func import grad, vmap

torch.manual_seed(0)
B = 3
small, vector, matrix, cube = torch.randn(B) * 0.5, torch.randn(B, 4), torch.randn(B, 4, 5), torch.randn(B, 2, 4, 5)
square, spd = torch.randn(B, 4, 4), None
spd = square @ square.mT + torch.eye(4)
images, kernel, bias = torch.randn(B, 2, 3, 8, 8), torch.randn(B, 4, 3, 3, 3), torch.randn(B, 4)
signal, kernel1 = torch.randn(B, 2, 3, 9), torch.randn(B, 4, 3, 3)
classes, places = torch.tensor([1, 0, 3]), torch.tensor([[0, 2, 1], [3, 3, 0], [1, 0, 2]])
weights, table = torch.randn(B, 6, 5), torch.randn(B, 7, 4)


def summary(t):
    if isinstance(t, (tuple, list)):
        return " ".join(summary(item) for item in t)
    text = f"{tuple(t.shape)} {str(t.dtype)[6:]}"
    if t.is_complex():
        t = torch.view_as_real(t)
    flat = t.detach().double().flatten().nan_to_num(7, 8, 9)
    return f"{text} {digits(flat.sum().item())} {digits((flat * torch.arange(1, len(flat) + 1)).sum().item())}"


def digits(number):
    return "0" if abs(number) < 5e-2 else f"{number:.3g}"


def show(name, call, *args, every=True):
    """Each way to map it: an argument's rows lie along its first dimension or its last, or all rows share its first row."""
    ways = itertools.product(*[(0, -1, None) if every else (0, None) for _ in args]) if len(args) > 1 else [(0,), (-1,)]
    for dims in ways:
        if all(dim is None for dim in dims):
            continue
        given = [a[0] if dim is None else a.movedim(0, -1).contiguous() if dim == -1 else a for a, dim in zip(args, dims)]
        try:
            line = summary(vmap(call, in_dims=dims)(*given))
        except Exception as error:
            line = f"{type(error).__name__} {str(error)[:90]}"
        floats = [i for i, a in enumerate(given) if a.is_floating_point()]
        slopes = ""
        if floats:
            def total(*chosen):
                whole = list(given)
                for i, t in zip(floats, chosen):
                    whole[i] = t
                out = vmap(call, in_dims=dims)(*whole)
                return sum(((o.abs() if o.is_complex() else o) ** 2).sum() for o in (out if isinstance(out, tuple) else (out,))
                           if o.is_floating_point() or o.is_complex())

            try:
                slopes = summary(grad(total, tuple(range(len(floats))))(*[given[i] for i in floats]))
            except Exception as error:
                slopes = type(error).__name__
        print(name, dims, "|", line, "|", slopes)


for name, call in {
    "mode": lambda a: tuple(a.round().mode(0)), "nanmedian": lambda a: tuple(a.nanmedian(1)), "median dim": lambda a: tuple(torch.median(a, 0, True)),
    "swapaxes": lambda a: a.swapaxes(0, 1), "swapdims": lambda a: torch.swapdims(a, -1, 0), "moveaxis": lambda a: torch.moveaxis(a, (0, 1), (1, 0)),
    "tensor_split": lambda a: torch.tensor_split(a, 3), "tensor_split at": lambda a: a.tensor_split((1, 3), dim=1), "hsplit": lambda a: a.hsplit([2]),
    "vsplit": lambda a: torch.vsplit(a, 2), "logsumexp dims": lambda a: a.logsumexp((0, 1)), "logsumexp keep": lambda a: torch.logsumexp(a, -1, keepdim=True),
    "rms_norm": lambda a: F.rms_norm(a, (5,)), "sum dtype": lambda a: a.sum(0, dtype=torch.float64), "mean keep": lambda a: a.mean((0, 1), keepdim=True),
    "sum keep": lambda a: a.sum(dim=None, keepdim=True), "amin dims": lambda a: a.amin((0, 1)), "std keep": lambda a: a.std(1, keepdim=True),
    "std correction": lambda a: torch.std(a, dim=0, correction=0), "var": lambda a: a.var(), "var unbiased": lambda a: a.var(False), "prod keep": lambda a: a.prod(1, True),
    "argmin": lambda a: torch.argmin(a, dim=-1, keepdim=True), "max keep": lambda a: a.max(1, True)[0], "norm 1": lambda a: torch.norm(a, 1), "norm inf": lambda a: a.norm(float("inf"), 0),
    "linalg.norm": torch.linalg.norm, "linalg.norm 1": lambda a: torch.linalg.norm(a, 1), "linalg.norm vector": lambda a: torch.linalg.norm(a, dim=1), "nuc": lambda a: torch.linalg.norm(a, "nuc"),
    "vector_norm dims": lambda a: torch.linalg.vector_norm(a, dim=(0, 1), keepdim=True), "matrix_norm inf": lambda a: torch.linalg.matrix_norm(a, float("inf")),
    "flatten part": lambda a: a[None, None].flatten(0, 2), "squeeze two": lambda a: a[None, :, None].squeeze((0, 2)), "expand -1": lambda a: a.expand(3, -1, -1),
    "unflatten -1": lambda a: a.unflatten(0, (2, -1)), "tile many": lambda a: a.tile(2, 1, 2), "diff two": lambda a: a.diff(n=2, dim=0), "cumulative": lambda a: torch.cumulative_trapezoid(a, dim=0),
    "float_power": lambda a: a.abs().float_power(1.5), "fmod": lambda a: torch.fmod(a, 0.7), "sign": torch.sign, "clamp one": lambda a: a.clamp(max=0.1), "round": lambda a: torch.round(a, decimals=1),
    "sinc": torch.sinc, "erfinv": lambda a: torch.erfinv(a.tanh()), "lgamma": lambda a: torch.lgamma(a.abs() + 1), "complex": lambda a: torch.complex(a, a + 1).abs(),
    "view_as_real": lambda a: torch.view_as_real(torch.complex(a, -a)), "real": lambda a: torch.complex(a, a * 2).imag, "conj": lambda a: (torch.complex(a, a) * torch.complex(a, a).conj()).real,
    "polar": lambda a: torch.polar(a.abs(), a).real, "fft2": torch.fft.fft2, "irfft": lambda a: torch.fft.irfft(torch.fft.rfft(a)), "fftshift": torch.fft.fftshift,
    "log_softmax float64": lambda a: a.log_softmax(0, dtype=torch.float64), "softmin": lambda a: F.softmin(a, dim=0), "glu first": lambda a: F.glu(a, 0), "prelu": lambda a: F.prelu(a, torch.tensor([0.3])),
    "instance_norm": lambda a: F.instance_norm(a[None]), "local_response": lambda a: F.local_response_norm(a[None], 2), "alpha": lambda a: F.alpha_dropout(a, 0.5, False),
    "pixel_shuffle": lambda a: F.pixel_shuffle(a[:, :, None].expand(4, 5, 2), 2), "lp_pool": lambda a: F.lp_pool1d(a, 2, 2), "max_pool1d": lambda a: F.max_pool1d(a, 2), "unfold": lambda a: a.unfold(0, 2, 1),
    "index_fill": lambda a: a.index_fill(0, torch.tensor([1]), 7.0), "index_copy": lambda a: a.index_copy(0, torch.tensor([2, 0]), a[:2]), "masked_scatter": lambda a: a.masked_scatter(a > 0, a.flatten()),
    "take": lambda a: torch.take(a, torch.tensor([[0, 3], [5, 6]])), "put": lambda a: a.put(torch.tensor([0, 3]), torch.tensor([1.0, 2.0])), "fill_diagonal": lambda a: a.clone().fill_diagonal_(3.0),
    "diagonal_scatter": lambda a: a.diagonal_scatter(torch.ones(4)), "select_scatter": lambda a: a.select_scatter(torch.zeros(5), 0, 1), "slice_scatter": lambda a: a.slice_scatter(torch.zeros(2, 5), 0, 1, 3),
    "baddbmm": lambda a: torch.baddbmm(a[None] @ a.T[None], a[None], a.T[None], beta=2), "addmv": lambda a: torch.addmv(a[:, 0], a, a[0]), "addr": lambda a: torch.addr(a, a[:, 0], a[0]), "inner": lambda a: torch.inner(a, a),
    "chain": lambda a: torch.linalg.multi_dot([a.T, a, a.T]), "vecdot": lambda a: torch.linalg.vecdot(a, a * 2), "cumprod": lambda a: a.cumprod(-1), "trapz": lambda a: torch.trapz(a, dx=0.5),
    "new_full": lambda a: a.new_full((2,), 3.0) * a[:2, 0], "full_like": lambda a: torch.full_like(a, 2.0), "type_as": lambda a: torch.ones(2).type_as(a), "repeat_interleave": lambda a: a.repeat_interleave(torch.tensor([1, 0, 2, 1]), dim=0),
    "isin": lambda a: torch.isin(a.round(), torch.tensor([0.0, 1.0])), "nonneg": lambda a: (a >= 0).float().cumsum(0), "bits": lambda a: (a * 4).int() & 3, "shift": lambda a: (a * 4).int() << 1, "not": lambda a: ~(a > 0),
    "maximum number": lambda a: torch.maximum(a, torch.tensor(0.25)), "lerp tensor": lambda a: torch.lerp(a, a * 2, a.sigmoid()), "addcdiv": lambda a: torch.addcdiv(a, a, a.abs() + 1, value=0.5),
    "corrcoef": torch.corrcoef, "logaddexp": lambda a: torch.logaddexp(a, -a), "swish": lambda a: F.silu(a), "mish": F.mish, "hardswish": F.hardswish, "threshold": lambda a: F.threshold(a, 0.1, 20.0),
    "embedding_bag": lambda a: F.embedding_bag(torch.tensor([[0, 1], [2, 3]]), a), "grid": lambda a: F.grid_sample(a[None, None], torch.zeros(1, 2, 2, 2), align_corners=False), "upsample": lambda a: F.interpolate(a[None], size=3, mode="linear"),
    "attention": lambda a: F.scaled_dot_product_attention(a[None], a[None], a[None], is_causal=True), "mha": lambda a: F.softmax(a @ a.T / 2, dim=-1) @ a, "pairwise_distance": lambda a: F.pairwise_distance(a, a * 2), "pdist": F.pdist,
    "stack nested": lambda a: torch.stack([torch.stack([a[0], a[1]]), a[2:]]), "dstack": lambda a: torch.dstack([a, a]), "broadcast_to": lambda a: torch.broadcast_to(a, (2, 4, 5)),
    "dtype": lambda a: a.to(a.dtype) + a.double().sum(), "half": lambda a: a.half().float(), "sum of list": lambda a: sum([a[i] * i for i in range(4)]), "matmul out": lambda a: a.T.matmul(a).matmul(a.T), "cumsum of mask": lambda a: (a > 0).cumsum(1),
}.items():
    show(name, call, matrix)
show("mask and value", lambda a, m, v: a.masked_fill(m > 0, 1.5) + v, matrix, matrix.flip(0), small)
show("pos_weight", lambda a, b: F.binary_cross_entropy_with_logits(a, b.sigmoid(), pos_weight=torch.arange(1.0, 6.0)), matrix, matrix.flip(0))
show("smooth", lambda a, b: F.smooth_l1_loss(a, b, beta=0.5, reduction="none"), matrix, matrix.flip(0))
show("log_target", lambda a, b: F.kl_div(a.log_softmax(0), b.log_softmax(0), log_target=True, reduction="sum"), matrix, matrix.flip(0))
show("poisson", lambda a, b: F.poisson_nll_loss(a, b.abs()), matrix, matrix.flip(0))
show("margin", lambda a, b: F.margin_ranking_loss(a, b, torch.ones(4, 5), margin=0.5), matrix, matrix.flip(0))
show("hinge", lambda a, b: F.hinge_embedding_loss(a, b.sign()), matrix, matrix.flip(0))
show("gaussian", lambda a, b: F.gaussian_nll_loss(a, b, torch.ones(4, 5)), matrix, matrix.flip(0))
show("cosine loss", lambda a, b: F.cosine_embedding_loss(a, b, torch.ones(4)), matrix, matrix.flip(0))
show("mixed dtypes", lambda a, n: a + (n * 3).int() + n.double(), matrix, small)
show("int and float", lambda n, a: (n * 4).long() * a, small, matrix)
show("whole row", lambda a, n: torch.where(a > n, a, n), matrix, small)
show("pow", lambda a, n: a.abs() ** n, matrix, small)
show("index of index", lambda t, i: t[i[0], :2] + t[0, i[0]], table, places, every=False)
show("two indices", lambda t, i: t[i, i], table[:, :4, :4], places.clamp(max=3), every=False)
show("assign at", lambda t, i: torch.zeros_like(t).index_put((i,), t[:3]), table, places, every=False)
show("bilinear", lambda a, w: F.bilinear(a[:2], a[2:], w, None), matrix, torch.randn(B, 3, 5, 5), every=False)
