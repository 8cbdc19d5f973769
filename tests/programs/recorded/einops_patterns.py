"""einops: patterns of tensors and arrays, their errors, packing, and the layers of torch."""

import numpy as np
import torch
from einops import EinopsError, asnumpy, einsum, pack, parse_shape, rearrange, reduce, repeat, unpack
from einops.layers.torch import EinMix, Rearrange, Reduce
from torch import nn


def attempt(f, *args, **kwargs):
    try:
        r = f(*args, **kwargs)
        print("ok", tuple(r.shape) if hasattr(r, "shape") else r)
    except Exception as e:
        print(type(e).__name__, e, isinstance(e, EinopsError))


x = torch.arange(48.0).view(2, 3, 4, 2)
print(rearrange(x, "b c h w -> b (h w) c").shape, rearrange(x, "b c h w -> b (h w) c")[1, :3])
print(rearrange(x, "b c (h p) (w q) -> (b h w) (p q c)", p=2, q=1).sum(0)[:4])
print(rearrange(x, "b ... -> (...) b")[:2], rearrange(x, "... (w two) -> two ... w", two=2).shape)
print(rearrange(x, "b c h w -> b 1 (c h) w 1").shape, rearrange(x[:1], "1 c h w -> h () (c w)")[0])
print(rearrange([x[0], x[1]], "b c h w -> h (b w) c").shape, rearrange(x, "b c h w -> (b c h w)").is_contiguous())
for how in ("min", "max", "sum", "mean", "prod", "any", "all"):
    print(how, reduce(x + 1, "b c (h 2) w -> c h", how).flatten()[:3])
print(reduce(x, "b c h w -> c", torch.amax), reduce(x, "b c h w -> ", "mean"), reduce(x, "b ... -> b", "sum"))
print(reduce(x, "b c h w -> b c 1 1", "max").shape, reduce(x, "b c h w -> h", lambda t, axes: t.var(axes)))
print(repeat(x[0, 0], "h w -> c (h r) w", c=2, r=2)[0], repeat(torch.tensor([1, 2]), "n -> n 3"))
print(repeat(x[0, 0, :2], "h w -> h (repeat w)", repeat=2), repeat(torch.tensor(5), " -> a b", a=1, b=2))
a = np.arange(12).reshape(3, 4)
print(rearrange(a, "h (w t) -> t w h", t=2).tolist(), reduce(a, "h w -> w", "max"), repeat(a[0], "w -> 2 w"))
print(reduce(a.astype(float), "(h 3) w -> h", "mean"), type(asnumpy(x)).__name__, asnumpy(a) is a)
print(parse_shape(x, "batch _ h w"), parse_shape(x, "b ... w"), parse_shape(a, "3 w"))
attempt(parse_shape, x, "a b c")
attempt(parse_shape, x, "a (b c) d e")
attempt(parse_shape, x, "a b c 3")
attempt(parse_shape, x, "1 b c d")
q, k = torch.ones(2, 3, 4), torch.full((2, 5, 4), 2.0)
print(einsum(q, k, "batch i d, batch j d -> batch i j")[0, 0], einsum(q, "b i i2 -> i2"), einsum(a, a, "i j, i j ->"))
print(einsum(x, torch.ones(3), "b c ..., c -> b ...").shape)
attempt(einsum, q, k, "b i d, b j d")
attempt(einsum, q, k, "b i d, b j d -> b z")
attempt(einsum, q, "b (i d) -> b")
attempt(einsum, q, "b i 4 -> b")
attempt(einsum, q, "b i () -> b")
attempt(einsum, "b i -> b")
attempt(einsum, q, k)
for call in (
    (rearrange, "b c h -> b c h"),
    (rearrange, "b c h w -> b c h"),
    (rearrange, "b c h w -> b c h w ..."),
    (rearrange, "b c h 2 -> b c h"),
    (rearrange, "b b h w -> b h w"),
    (rearrange, "b c h w -> (b (c h)) w"),
    (rearrange, "b c h w -> (b c h w"),
    (rearrange, "b c h w -> b c) h w"),
    (rearrange, "b c h-1 w -> b c h w"),
    (rearrange, "b _c h w -> b h w _c"),
    (rearrange, "b c .. -> b"),
    (rearrange, "... b ... -> b"),
    (rearrange, "(b ...) w -> b w ..."),
    (rearrange, "b c d e f ... -> b c d e f ..."),
    (rearrange, "b c h 1 -> b c h"),
    (rearrange, "b 2c h w -> b 2c h w"),
    (repeat, "b c h w -> b c h"),
    (repeat, "b c h w -> b c h w r"),
):
    attempt(call[0], x, call[1])
attempt(rearrange, x, "b c (h p) w -> b c h p w", p=3)
attempt(rearrange, x, "b c (h p) w -> b c h p w", p=2, h=3)
attempt(rearrange, x, "b c h w -> b c h w", z=3)
attempt(rearrange, x, "b c h w -> b c h w", b=3)
attempt(reduce, x, "b c h w -> b z", "max")
attempt(reduce, x, "b c h w -> b", "median")
attempt(reduce, x.long(), "b c h w -> b", "mean")
attempt(rearrange, [], "b -> b")
attempt(rearrange, (1, 2), "b -> b")
attempt(rearrange, x, "b c h w")
inputs = [torch.zeros(2, 5), torch.ones(2, 3, 5), torch.full((2, 2, 2, 5), 2.0)]
packed, ps = pack(inputs, "b * d")
print(packed.shape, ps, [t.shape for t in unpack(packed, ps, "b * d")], packed[0, :, 0])
print([t.shape for t in unpack(packed, [(2,), (-1, 2)], "b * d")])
print([t.shape for t in unpack(np.zeros((2, 7)), [[3], [2, 2]], "b *")], pack([np.ones(2), np.zeros((2, 2))], "i *")[1])
attempt(pack, inputs, "b d")
attempt(pack, inputs, "b * b")
attempt(pack, inputs, "b * 1d")
attempt(pack, inputs, "a b * d")
attempt(unpack, packed, ps, "b *")
attempt(unpack, packed, [(-1,), (-1,)], "b * d")
attempt(unpack, packed, [(3,), (5,)], "b * d")

torch.manual_seed(0)
model = nn.Sequential(
    Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=2, p2=1),
    nn.Linear(6, 8),
    Reduce("b n (g d) -> b d", "mean", g=2),
    EinMix("b d -> b e", weight_shape="d e", bias_shape="e", d=4, e=3),
)
print(model)
out = model(x / 48)
out.sum().backward()
print(out, [(n, tuple(p.shape)) for n, p in model.named_parameters()], f"{model[1].weight.grad.norm():.4f}")
heads = EinMix("b n (h c) -> b h n d", "h c d", bias_shape="h d", h=2, c=3, d=5)
print(heads, heads(torch.ones(2, 4, 6)).shape, heads.weight.shape, heads.bias.shape, heads.einsum_pattern)
print(EinMix("... c -> ... d", "c d", c=6, d=2)(torch.ones(2, 4, 6)).shape, list(model.state_dict()))
attempt(EinMix, "b c -> b d", "c", c=3)
attempt(EinMix, "b c -> b d", "c d", c=3)
attempt(EinMix, "b c -> b d", "c d e", c=3, d=2, e=1)
attempt(EinMix, "b c -> b d", "c d", bias_shape="z", c=3, d=2)
attempt(EinMix, "b c -> b d", "(c d)", c=3, d=2)
attempt(EinMix, "b c ... -> b d", "c d", c=3, d=2)
attempt(EinMix, "b 2 c -> b d", "c d", c=3, d=2)
attempt(EinMix, "b c -> b d", "c d", c=3, d=2, k=1)
attempt(Rearrange, "b c -> b")
attempt(Reduce("a b c d ... -> a", "sum"), torch.ones(2))
attempt(Reduce, "b c -> b", "median")
attempt(Rearrange("b c -> c b"), torch.ones(2, 3, 4))
g = torch.ones(2, 3, requires_grad=True)
repeat(g, "a b -> a (b r)", r=3).pow(2).sum().backward()
print(g.grad)
rearrange(x, "b c h w -> b (c h w)")[0, 0] = 9
print(x[0, 0, 0])
