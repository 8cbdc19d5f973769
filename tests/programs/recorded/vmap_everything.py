"""What vmap computes of many functions, with each argument a row or the same for all rows, and gradients through it."""
import itertools

import torch
import torch.nn.functional as F
from torch.func import functional_call, grad, hessian, jacfwd, jacrev, jvp, vjp, vmap

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


one_tensor = {
    "sum": lambda a: a.sum(), "sum dim": lambda a: a.sum(0), "sum dims": lambda a: a.sum((0, -1)), "keepdim": lambda a: a.sum(-1, keepdim=True),
    "mean": lambda a: a.mean(), "mean dim": lambda a: torch.mean(a, dim=1), "amax": lambda a: a.amax(), "max": lambda a: a.max(),
    "max dim": lambda a: tuple(a.max(0)), "min dim": lambda a: tuple(torch.min(a, -1)), "argmax": lambda a: a.argmax(),
    "argmax dim": lambda a: a.argmax(0), "std": lambda a: a.std(), "var dim": lambda a: a.var(0, unbiased=False),
    "var_mean": lambda a: torch.var_mean(a, dim=1), "prod": lambda a: a.prod(), "prod dim": lambda a: a.prod(0), "norm": lambda a: a.norm(),
    "norm dim": lambda a: a.norm(dim=0), "vector_norm": lambda a: torch.linalg.vector_norm(a, 3), "matrix_norm": torch.linalg.matrix_norm,
    "logsumexp": lambda a: a.logsumexp(0), "any": lambda a: (a > 0.5).any(), "all": lambda a: (a > 0.5).all(0), "median": lambda a: a.median(),
    "count": lambda a: (a > 0).sum(), "count_nonzero": lambda a: torch.count_nonzero(a > 0, 0), "nansum": lambda a: a.nansum(0),
    "softmax": lambda a: a.softmax(0), "log_softmax": lambda a: F.log_softmax(a, dim=-1), "cumsum": lambda a: a.cumsum(0),
    "cumprod": lambda a: torch.cumprod(a, 1), "cummax": lambda a: tuple(a.cummax(0)), "sort": lambda a: tuple(a.sort()),
    "sort dim": lambda a: tuple(a.sort(0, descending=True)), "argsort": lambda a: a.argsort(0), "topk": lambda a: tuple(a.topk(2)),
    "kthvalue": lambda a: tuple(a.kthvalue(2, 0)), "diff": lambda a: a.diff(), "flip": lambda a: a.flip(0), "flip two": lambda a: a.flip(0, 1),
    "roll": lambda a: a.roll(2), "roll dim": lambda a: a.roll(1, 0), "T": lambda a: a.T, "t": lambda a: a.t(), "mT": lambda a: a.mT,
    "transpose": lambda a: a.transpose(0, 1), "permute": lambda a: a.permute(1, 0), "movedim": lambda a: a.movedim(0, 1),
    "reshape": lambda a: a.reshape(2, -1), "view": lambda a: a.contiguous().view(-1), "flatten": lambda a: a.flatten(),
    "unflatten": lambda a: a.unflatten(0, (2, 2)), "unsqueeze": lambda a: a.unsqueeze(0), "unsqueeze last": lambda a: a.unsqueeze(-1),
    "squeeze": lambda a: a[:1].squeeze(), "squeeze dim": lambda a: a[:1].squeeze(0), "expand": lambda a: a.expand(2, 4, 5),
    "expand_as": lambda a: a[:1].expand_as(a), "repeat": lambda a: a.repeat(2, 1, 3), "tile": lambda a: a.tile(2), "chunk": lambda a: a.chunk(2),
    "repeat_interleave": lambda a: a.repeat_interleave(2, 0), "split": lambda a: a.split(3), "split sizes": lambda a: a.split([1, 4], dim=1),
    "unbind": lambda a: a.unbind(), "select": lambda a: a.select(0, -1), "narrow": lambda a: a.narrow(1, 1, 3), "diagonal": lambda a: a.diagonal(),
    "diag": lambda a: a[0].diag(), "diag of a matrix": lambda a: a[:, :4].diag(), "diag_embed": lambda a: a.diag_embed(), "tril": lambda a: a.tril(),
    "trace": lambda a: a[:, :4].trace(), "unfold": lambda a: a.unfold(1, 2, 2), "index": lambda a: a[1], "index two": lambda a: a[1, 2],
    "slices": lambda a: a[1:, ::2], "None": lambda a: a[:, None], "dots": lambda a: a[..., 0], "list": lambda a: a[[0, 2]],
    "list behind": lambda a: a[:, [0, 2]], "lists": lambda a: a[[0, 1], [2, 3]], "int and list": lambda a: a[0, [2, 3]],
    "mask of all": lambda a: a[torch.tensor([True, False, True, False])], "stack": lambda a: torch.stack([a, a * 2]),
    "cat": lambda a: torch.cat([a, torch.ones(1, 5)]), "cat dim": lambda a: torch.cat([torch.ones(4, 2), a], dim=-1), "clamp": lambda a: a.clamp(-1, 0.5),
    "where": lambda a: torch.where(a > 0, a, -1.0), "masked_fill": lambda a: a.masked_fill(a > 0, 2.0), "gelu": F.gelu, "relu": torch.relu,
    "layer_norm": lambda a: F.layer_norm(a, (5,)), "normalize": F.normalize, "glu": lambda a: F.glu(a[:, :4]), "pad": lambda a: F.pad(a, (1, 2)),
    "pad reflect": lambda a: F.pad(a, (1, 2), mode="reflect"), "to": lambda a: a.to(torch.float64), "int": lambda a: a.int(), "fft": torch.fft.fft,
    "rfft": lambda a: torch.fft.rfft(a, dim=0), "zeros_like": torch.zeros_like, "new_ones": lambda a: a.new_ones(2, 3), "pow": lambda a: a ** 3,
    "rsub": lambda a: 1 - a, "rpow": lambda a: 2 ** a, "rdiv": lambda a: 1 / (a + 5), "floor": lambda a: a // 0.3, "mod": lambda a: a % 0.7,
    "neg": lambda a: -a, "abs": abs, "gram": lambda a: a @ a.T, "einsum": lambda a: torch.einsum("ij,kj->ik", a, a), "svdvals": torch.linalg.svdvals,
    "cov": torch.cov, "pairwise": lambda a: torch.cdist(a, a + 1), "clone": lambda a: a.clone().mul_(2), "setitem": lambda a: changed(a),
    "iadd": lambda a: added(a), "unfold all": lambda a: sum(row.sum() for row in a), "len": lambda a: a * len(a), "numel": lambda a: a / a.numel(),
    "shape": lambda a: a.reshape(a.shape[1], a.shape[0]), "size": lambda a: a / a.size(0), "dim": lambda a: a * a.dim(), "logit": lambda a: a.sigmoid().logit(),
    "quantile": lambda a: a.quantile(0.3, dim=0), "bincount": lambda a: torch.bincount(torch.zeros(2, dtype=torch.int64)), "std_mean": lambda a: torch.std_mean(a),
    "renorm": lambda a: a.renorm(2, 0, 1.0), "nan_to_num": lambda a: a.log().nan_to_num(), "tensordot": lambda a: torch.tensordot(a, a, ([0, 1], [0, 1])),
    "kron": lambda a: torch.kron(a, a), "addmm": lambda a: torch.addmm(a, a[:, :4], a, beta=0.5, alpha=2),
    "multi_dot": lambda a: torch.linalg.multi_dot([a, a.T, a]), "interpolate": lambda a: F.interpolate(a[None], scale_factor=2),
    "atleast_3d": torch.atleast_3d, "hstack": lambda a: torch.hstack([a, a]), "vstack": lambda a: torch.vstack([a, a]), "meshgrid": lambda a: torch.meshgrid(a[0], a[1], indexing="ij"),
    "cartesian": lambda a: torch.cartesian_prod(a[0], a[1]), "block_diag": lambda a: torch.block_diag(a, a), "trapezoid": torch.trapezoid,
    "bucketize": lambda a: torch.bucketize(a, torch.tensor([-1.0, 0.0, 1.0])), "histc": lambda a: a.round().mode(0)[0], "logcumsumexp": lambda a: a.logcumsumexp(0),
    "rot90": lambda a: a.rot90(), "triu": lambda a: torch.triu(a, 1), "dist": lambda a: torch.dist(a, a + 1), "aminmax": lambda a: tuple(a.aminmax()),
    "take": lambda a: a.take(torch.tensor([0, 7])), "ravel": lambda a: a.ravel(), "softplus": F.softplus, "cosine": lambda a: F.cosine_similarity(a, a + 1),
}


def changed(a):
    a = a.clone()
    a[0] = a[1] * 2
    a[:, 1] = 3.0
    a[2, 2:4] = torch.tensor([8.0, 9.0])
    return a


def added(a):
    b = torch.zeros_like(a)
    b += a
    b.sub_(1).mul_(a)
    return b


for name, call in one_tensor.items():
    show(name, call, matrix)
for name, call in {"sum": torch.sum, "max": torch.max, "exp": torch.exp, "unsqueeze": lambda a: a.unsqueeze(0), "reshape": lambda a: a.reshape(1, 1),
                   "expand": lambda a: a.expand(3), "stack": lambda a: torch.stack([a, a]), "prod": lambda a: a.prod(), "flatten": lambda a: a.flatten(),
                   "norm": lambda a: a.norm(), "squeeze": lambda a: a.squeeze(), "int": lambda a: a + torch.arange(3), "wide": lambda a: a + torch.ones(2, dtype=torch.float64),
                   "double": lambda a: a * torch.tensor(2.0, dtype=torch.float64), "repeat": lambda a: a.repeat(2, 2)}.items():
    show(name, call, small)
for name, call in {"det": torch.det, "inv": torch.inverse, "slogdet": lambda a: tuple(torch.linalg.slogdet(a)), "matrix_power": lambda a: a.matrix_power(3),
                   "matrix_exp": lambda a: torch.matrix_exp(a * 0.1), "pinv": torch.linalg.pinv}.items():
    show(name, call, square)
for name, call in {"cholesky": torch.linalg.cholesky, "eigvalsh": torch.linalg.eigvalsh, "logdet": torch.logdet}.items():
    show(name, call, spd)
show("solve", torch.linalg.solve, spd, matrix)
show("solve vector", torch.linalg.solve, spd, vector)
for name, call in {
    "add": torch.add, "sub alpha": lambda a, b: torch.sub(a, b, alpha=2), "mul": lambda a, b: a * b, "div": lambda a, b: a / (b + 9), "maximum": torch.maximum,
    "gt": lambda a, b: a > b, "eq": torch.eq, "atan2": torch.atan2, "lerp": lambda a, b: torch.lerp(a, b, 0.3), "where": lambda a, b: torch.where(a > b, a, b),
    "mse": F.mse_loss, "l1 sum": lambda a, b: F.l1_loss(a, b, reduction="sum"), "huber": F.huber_loss, "bce": lambda a, b: F.binary_cross_entropy_with_logits(a, b.sigmoid()),
    "kl": lambda a, b: F.kl_div(a.log_softmax(-1), b.softmax(-1), reduction="batchmean"), "outer": lambda a, b: torch.outer(a[0], b[0]),
    "dot": lambda a, b: torch.dot(a[1], b[2]), "stack": lambda a, b: torch.stack([a, b], -1), "cat": lambda a, b: torch.cat((a, b), 1), "mv": lambda a, b: torch.mv(a, b[0]),
    "einsum": lambda a, b: torch.einsum("ij,ij->i", a, b), "cosine": F.cosine_similarity, "soft labels": lambda a, b: F.cross_entropy(a, b.softmax(-1)),
    "addcmul": lambda a, b: torch.addcmul(a, a, b, value=2), "hypot": torch.hypot, "triplet": lambda a, b: F.triplet_margin_loss(a, b, a + b), "linear": lambda a, b: F.linear(a, b),
    "attention": lambda a, b: F.scaled_dot_product_attention(a, b, b), "cross": lambda a, b: torch.linalg.cross(a[:, :3], b[:, :3]), "bilinear": lambda a, b: a @ b.T @ a,
}.items():
    show(name, call, matrix, matrix.flip(0) * 0.5)
show("row and matrix", lambda a, b: a + b, vector, torch.randn(B, 5, 4))
show("matrix and row", lambda a, b: b * a, vector, torch.randn(B, 5, 4))
show("number and matrix", lambda a, b: a * b, small, matrix)
show("vector matrix", lambda a, b: a @ b, vector, matrix)
show("matrix vector", lambda a, b: b.T @ a, vector, matrix)
show("matrix cube", lambda a, b: a.T @ b, matrix, cube)
show("cube matrix", lambda a, b: b.mT @ a, matrix, cube)
show("bmm", lambda a, b: torch.bmm(a, b.mT), cube, cube)
show("linear", F.linear, vector, torch.randn(B, 2, 4), torch.randn(B, 2))
show("linear of rows", F.linear, matrix, weights, torch.randn(B, 6))
show("layer_norm", lambda a, w, b: F.layer_norm(a, (5,), w, b), matrix, torch.randn(B, 5), torch.randn(B, 5))
show("group_norm", lambda a, w: F.group_norm(a, 3, w), signal, torch.randn(B, 3))
show("batch_norm", lambda a, w: F.batch_norm(a, None, None, w, training=True), signal, torch.randn(B, 3))
show("batch_norm eval", lambda a: F.batch_norm(a, torch.zeros(3), torch.ones(3) * 2), signal)
show("conv2d", F.conv2d, images, kernel, bias, every=False)
show("conv2d of one", lambda x, w: F.conv2d(x[0], w, padding=1, stride=2), images, kernel, every=False)
show("conv1d", lambda x, w: F.conv1d(x, w, dilation=2), signal, kernel1, every=False)
show("conv_transpose", lambda x, w: F.conv_transpose2d(x[:, :1], w[:1, :2]), images, kernel, every=False)
show("patches", lambda x: F.unfold(x, 2), images)
show("patches of one", lambda x: F.unfold(x[0], 2, padding=1), images)
show("fold", lambda x: F.fold(F.unfold(x, 2), 8, 2), images)
show("solve of all", torch.linalg.solve, torch.randn(B, 3, 3) + 2 * torch.eye(3), torch.randn(B, 3, 3))
show("torch's batch_norm", lambda x, w: torch.batch_norm(x, w, None, torch.zeros(3), torch.ones(3), False, 0.1, 1e-5, True), signal, torch.randn(B, 3))
show("max_pool", lambda x: F.max_pool2d(x, 2), images)
show("avg_pool of one", lambda x: F.avg_pool2d(x[0], 2), images)
show("adaptive", lambda x: F.adaptive_avg_pool2d(x, 2), images)
show("cross_entropy", F.cross_entropy, torch.randn(B, 4), classes)
show("cross_entropy of samples", lambda a, i: F.cross_entropy(a[:3], i), torch.randn(B, 4, 5), places)
show("ignored", lambda a, i: F.cross_entropy(a[:3], i, ignore_index=0), torch.randn(B, 4, 5), places)
show("weighted", lambda a, i: F.nll_loss(a[:3], i, weight=torch.tensor([1.0, 2.0, 0.5, 1.5, 1.0])), torch.randn(B, 4, 5), places)
show("embedding", F.embedding, places, table, every=False)
show("lookup", lambda t, i: t[i], table, places, every=False)
show("lookup of one", lambda t, i: t[i], table, classes, every=False)
show("gather", lambda t, i: t.gather(0, i[:, None]), table, places, every=False)
show("scatter_add", lambda t, i: torch.zeros(4, dtype=t.dtype).scatter_add(0, i, t[:3, 0]), table, places, every=False)
show("index_add", lambda t, i: t.index_add(0, i, t[:3]), table, places, every=False)
show("index_select", lambda t, i: t.index_select(0, i), table, places, every=False)
show("one_hot", lambda i: F.one_hot(i, 5), places)
show("take_along_dim", lambda t, i: torch.take_along_dim(t, i[:, None], 0), table, places, every=False)
show("searchsorted", lambda t, v: torch.searchsorted(t.sort()[0], v), vector, small[:, None], every=False)

nested = vmap(vmap(lambda a, b: (a * b).sum() + a.max(), in_dims=(0, None)), in_dims=(None, 0))
print("nested", summary(nested(matrix[0], torch.randn(6, 5))))
print("pairs", summary(vmap(lambda a: vmap(lambda b: (a - b).norm())(vector))(vector + 1)))
print("outer level", summary(vmap(lambda a: vmap(lambda b: a, in_dims=0)(vector))(matrix)))
print("matmul of levels", summary(vmap(lambda a: vmap(lambda b: a @ b)(matrix.mT))(matrix)))
print("two dims", summary(vmap(lambda a, b: {"x": (a + b, a - b), "y": a}, in_dims=(0, 1), out_dims=1)(matrix, matrix.movedim(0, 1))["x"]))
f = lambda w, x: (x @ w).tanh().sum()
print("grads", summary(vmap(grad(f), in_dims=(None, 0))(torch.randn(5), matrix)))
print("hessians", summary(vmap(hessian(f), in_dims=(None, 0))(torch.randn(5), matrix)))
print("jacrev", summary(vmap(jacrev(lambda x: x.sin() * x.sum()))(vector)))
print("jacfwd", summary(vmap(jacfwd(lambda x: x.sin() * x.sum()))(vector)))
print("jvp", summary(vmap(lambda x, v: jvp(torch.sin, (x,), (v,)))(vector, vector + 1)))
print("directions", summary(vmap(lambda v: jvp(lambda x: x.sin() * x[0], (vector[0],), (v,))[1])(torch.eye(4))))
out, back = vjp(lambda x: x.sin() * x.sum(), vector[0])
print("rows of vjp", summary(vmap(back)(torch.eye(4))[0]))
print("vjp", summary(vmap(lambda x, v: vjp(lambda x: x.exp() * x[0], x)[1](v)[0])(vector, vector * 2)))
print("grad of vmap", summary(grad(lambda w: vmap(lambda x: (x @ w).square().sum())(matrix).mean())(torch.randn(5))))
print("grad of vmap of grad", summary(grad(lambda w: vmap(grad(lambda x: (x @ w).pow(3).sum()))(matrix).sum())(torch.randn(5))))
net = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.GroupNorm(2, 4), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(144, 3))
state = {name: p.detach() for name, p in net.named_parameters()}
loss = lambda p, x, y: F.cross_entropy(functional_call(net, p, (x[None],)), y[None])
for name, g in vmap(grad(loss), in_dims=(None, 0, 0))(state, images[:, 0], classes.clamp(max=2)).items():
    print("per sample", name, summary(g))
block = torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
print("transformer", summary(vmap(lambda x: functional_call(block, dict(block.named_parameters()), (x,)))(torch.randn(3, 2, 5, 8))))
lstm = torch.nn.GRUCell(4, 6)
print("cell", summary(vmap(lambda x: lstm(x))(torch.randn(3, 2, 4))))
vmap(lambda a: (print(a, a.sum().shape), a)[1])(vector[:2])
vmap(lambda a: vmap(lambda b: (print(b), b)[1])(a))(matrix[:2, :1])
print("chunks", summary(vmap(lambda a: a.cumsum(0), chunk_size=2)(matrix)))
print("no rows", vmap(lambda a: a.sum(0))(torch.zeros(0, 4, 5)).shape)
torch.manual_seed(1)
print("different", vmap(lambda a: a + torch.rand(2), randomness="different")(torch.zeros(3, 1)))
print("same", vmap(lambda a: a + torch.rand(2), randomness="same")(torch.zeros(3, 1)))
print("dropout", vmap(lambda a: F.dropout(a), randomness="different")(torch.ones(3, 4)))
print("dropout", vmap(lambda a: F.dropout(a), randomness="same")(torch.ones(3, 4)))


class Cube(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x ** 3

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * 3 * x ** 2


class Scaled(Cube):
    generate_vmap_rule = False

    @staticmethod
    def vmap(info, in_dims, x):
        print(info.batch_size, info.randomness, in_dims, tuple(x.shape))
        return x * 10, in_dims[0]


print("function", summary(vmap(Cube.apply)(vector)), summary(vmap(grad(lambda x: Cube.apply(x).sum()))(vector)))
print("own rule", summary(vmap(Scaled.apply, in_dims=1)(vector)))
