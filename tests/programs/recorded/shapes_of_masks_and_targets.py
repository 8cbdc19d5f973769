"""Shapes that fit together only in part: a mask and the scores of attention, class indices and the classes of a loss."""

import torch
import torch.nn.functional as F

torch.manual_seed(0)
q, k, v = (torch.randn(1, 2, 5, 4) for _ in range(3))


def attempt(action):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, "|", error)


masks = [(4, 4), (1, 5), (5, 1), (5, 4), (4, 5), (2, 5, 5), (3, 5, 5), (1, 2, 5, 5), (1, 3, 5, 5), (2, 2, 5, 5), (2, 1, 5, 5), (1, 1, 1, 5),
         (2, 5), (1, 1, 1, 1, 5)]
for name, (a, b, c) in {"4 dimensions": (q, k, v), "3": (q[0], k[0], v[0]), "2": (q[0, 0], k[0, 0], v[0, 0]), "one query": (q[:, :, :1], k, v)}.items():
    for shape in masks:
        mask = torch.arange(torch.Size(shape).numel()).view(shape) % 3 > 0
        attempt(lambda: (name, shape, F.scaled_dot_product_attention(a, b, c, attn_mask=mask).sum((-1, -2))))
        with_gradient = a.clone().requires_grad_()
        attempt(lambda: (name, shape, F.scaled_dot_product_attention(with_gradient, b, c, attn_mask=mask.float()).shape))
for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float64, torch.complex64):
    attempt(lambda: F.scaled_dot_product_attention(q, k, v, attn_mask=torch.ones(5, 5, dtype=dtype)))

for loss in (F.nll_loss, F.cross_entropy):
    for dtype in (torch.int64, torch.float32):
        for shape in ((2,), (1, 3), (4, 3), (1, 7, 24), (4, 5, 3), (4, 5, 3, 2), (2, 3, 4, 4, 4)):
            for target in ((), (1,), (4,), (1, 7), (4, 5), (4, 3), (4, 3, 2), (4, 2, 3), (4, 1), (2, 4, 4, 4), (2, 4, 4), (1, 24)):
                attempt(lambda: (loss.__name__, shape, target, loss(torch.zeros(shape), torch.zeros(target, dtype=dtype))))
