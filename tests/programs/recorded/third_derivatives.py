"""Second and third derivatives through functions that change their input in place, and through views. PyTorch 2.15 recorded
`third_derivatives.txt` from this file."""

import torch
from torch.nn import functional as F


def show(name, f):
    torch.manual_seed(0)
    x, v = (torch.rand(2, 3).add(0.2).requires_grad_() for _ in range(2))
    try:
        o = f(x * v)
        (g,) = torch.autograd.grad(o.pow(2).sum(), x, create_graph=True)
        second = torch.autograd.grad(g.pow(2).sum(), [x, v], create_graph=True)
        print(name, f"{g.norm():.3e}", [f"{q.norm():.3e}" for q in second])
        third = torch.autograd.grad(sum(q.pow(2).sum() for q in second), [x, v])
        print("  ", [f"{q.norm():.3e}" for q in third])
    except RuntimeError as error:
        print(name, str(error).split(";")[0])


at = torch.tensor([[0, 2], [1, 1]])
row = torch.tensor([1, 0])
functions = {
    "mul_": lambda h: h.mul_(h.clone()),
    "div_": lambda h: h.div_(h.clone() + 1),
    "add_": lambda h: h.add_(h.exp(), alpha=2),
    "pow_": lambda h: h.pow_(3),
    "pow_ tensor": lambda h: h.pow_(h.clone()),
    "exp_": lambda h: h.exp_(),
    "log_": lambda h: h.log_(),
    "tanh_": lambda h: h.tanh_(),
    "sigmoid_": lambda h: h.sigmoid_(),
    "sin_": lambda h: h.sin_(),
    "cos_": lambda h: h.cos_(),
    "reciprocal_": lambda h: h.reciprocal_(),
    "square_": lambda h: h.square_(),
    "clamp_": lambda h: h.clamp_(0.1, 0.5),
    "addcmul_": lambda h: h.addcmul_(h.clone(), h.exp()),
    "addcdiv_": lambda h: h.addcdiv_(h.clone(), h.exp()),
    "lerp_": lambda h: h.lerp_(h.exp(), 0.3),
    "atan2_": lambda h: h.atan2_(h.clone() + 1),
    "erf_": lambda h: h.erf_(),
    "rsqrt_": lambda h: h.rsqrt_(),
    "log1p_": lambda h: h.log1p_(),
    "hypot_": lambda h: h.hypot_(h.exp()),
    "xlogy_": lambda h: h.xlogy_(h.clone()),
    "silu in place": lambda h: F.silu(h, inplace=True),
    "elu_": lambda h: F.elu_(h - 0.3),
    "mish in place": lambda h: F.mish(h, inplace=True),
    "hardswish in place": lambda h: F.hardswish(h, inplace=True),
    "masked_fill_": lambda h: h.masked_fill_(h.detach() > 0.3, 2.0),
    "index_add_": lambda h: h.index_add_(0, row, h.exp()),
    "index_copy_": lambda h: h.index_copy_(0, row, h.exp()),
    "scatter_": lambda h: h.scatter_(1, at, h.exp()),
    "scatter_add_": lambda h: h.scatter_add_(1, at, h.exp()),
    "index_put_": lambda h: h.index_put_((row,), h.exp()),
    "copy_": lambda h: h.copy_(h.exp()),
    "cumsum_": lambda h: h.cumsum_(0),
    "cumprod_": lambda h: h.cumprod_(1),
    "row mul_": lambda h: (h[0].mul_(h[1]), h)[1],
    "part mul_": lambda h: (h[:, 1:].mul_(h[:, :2].clone()), h)[1],
    "assigned": lambda h: (h.__setitem__((0, slice(1, None)), h[1, 1:].clone() ** 2), h)[1],
    "row": lambda h: h[1] * h[0],
    "part": lambda h: h[:, 1:] * h[:, :-1].tanh(),
    "step": lambda h: h[:, ::2].exp(),
    "diagonal": lambda h: h.diagonal() * h[0, 0],
    "unbind": lambda h: torch.stack([a * b for a, b in zip(h.unbind(1), h.unbind(1)[::-1])]),
    "chunk": lambda h: torch.cat([c * c for c in h.chunk(2, 1)], 1),
    "narrow": lambda h: h.narrow(1, 1, 2).sin(),
    "unfold": lambda h: h.unfold(1, 2, 1).exp(),
    "as_strided": lambda h: (h * 1).as_strided((2, 2), (1, 2)).exp(),
    "expand": lambda h: h[:, :1].expand(2, 3) * h,
    "permute": lambda h: h.t() @ h,
    "view": lambda h: h.view(3, 2).tanh() @ h,
    "gather": lambda h: h.gather(1, at).exp(),
    "index": lambda h: h[row, [0, 2]] * h[0, :2],
    "index_select": lambda h: h.index_select(1, at[0]).exp(),
    "masked": lambda h: h[h.detach() > 0.3].exp(),
    "where": lambda h: torch.where(h.detach() > 0.3, h, h * h),
    "pad": lambda h: F.pad(h, (1, 1)).exp() * 0.5,
    "reflect": lambda h: F.pad(h[None], (1, 1), mode="reflect").exp(),
    "roll": lambda h: h.roll(1, 1) * h,
    "flip": lambda h: h.flip(1) * h,
    "repeat": lambda h: h.repeat(2, 1).exp(),
    "tril": lambda h: h.tril().exp(),
    "prod": lambda h: h.prod(1).exp(),
    "cumsum": lambda h: h.cumsum(1).exp(),
    "cumprod": lambda h: h.cumprod(1).exp(),
    "sum": lambda h: h.sum(0).exp(),
    "mean": lambda h: h.mean(1, keepdim=True) * h,
    "var": lambda h: h.var(1).exp(),
    "std": lambda h: h.std(1).exp(),
    "norm": lambda h: h.norm(dim=1).exp(),
    "max": lambda h: h.max(1).values.exp(),
    "sort": lambda h: h.sort(1).values.exp() * h,
    "topk": lambda h: h.topk(2, 1).values.exp(),
    "logsumexp": lambda h: h.logsumexp(1).exp(),
    "softmax": lambda h: h.softmax(1) * h,
    "log_softmax": lambda h: h.log_softmax(1) * h,
    "linear": lambda h: F.linear(h, h, h[:, 0]).tanh(),
    "bmm": lambda h: torch.bmm(h[None], h.t()[None]).tanh(),
    "einsum": lambda h: torch.einsum("ij,kj->ik", h, h).tanh(),
    "conv1d": lambda h: F.conv1d(h[None], h[None, :, :2]).tanh(),
    "conv2d": lambda h: F.conv2d(h[None, None], h[None, None, :, :2]).tanh(),
    "max_pool": lambda h: F.max_pool1d(h[None], 2, 1).exp(),
    "avg_pool": lambda h: F.avg_pool1d(h[None], 2, 1).exp(),
    "interpolate": lambda h: F.interpolate(h[None], size=5, mode="linear").exp(),
    "gelu": lambda h: F.gelu(h) * h,
    "softplus": lambda h: F.softplus(h) * h,
    "logsigmoid": lambda h: F.logsigmoid(h) * h,
    "mse": lambda h: F.mse_loss(h[0], h[1]).exp(),
    "bce": lambda h: F.binary_cross_entropy_with_logits(h, h.detach().clamp(0, 1)).exp(),
    "cross_entropy": lambda h: F.cross_entropy(h, row).exp(),
    "cosine": lambda h: F.cosine_similarity(h[0], h[1], dim=0).exp(),
    "cdist": lambda h: torch.cdist(h, h + 1).exp(),
    "cross": lambda h: torch.linalg.cross(h[0], h[1]).exp(),
    "inv": lambda h: torch.linalg.inv(h @ h.t() + torch.eye(2)),
    "det": lambda h: torch.linalg.det(h @ h.t() + torch.eye(2)).exp(),
    "solve": lambda h: torch.linalg.solve(h @ h.t() + torch.eye(2), h),
    "cholesky": lambda h: torch.linalg.cholesky(h @ h.t() + torch.eye(2)),
    "embedding": lambda h: F.embedding(row, h).exp(),
    "glu": lambda h: F.glu(h[:, :2]) * h[:, :1],
    "prelu": lambda h: F.prelu(h - 0.4, h[0, :1]) * h,
    "attention": lambda h: (h @ h.t() / 2).softmax(-1) @ h,
}
for name, f in functions.items():
    show(name, f)
