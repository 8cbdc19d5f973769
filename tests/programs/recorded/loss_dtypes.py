# The dtypes of losses whose input and target have different ones.
import torch
import torch.nn.functional as F

D = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
torch.manual_seed(0)
a, b = torch.rand(4), torch.rand(4)
losses = {
    "huber": F.huber_loss, "mse": F.mse_loss, "l1": F.l1_loss, "smooth_l1": F.smooth_l1_loss, "soft_margin": F.soft_margin_loss,
    "bce_logits": F.binary_cross_entropy_with_logits, "bce": F.binary_cross_entropy, "kl": F.kl_div, "poisson": F.poisson_nll_loss,
    "hinge": F.hinge_embedding_loss,
    "huber none": lambda x, y: F.huber_loss(x, y, reduction="none"),
    "mse none": lambda x, y: F.mse_loss(x, y, reduction="none"),
    "soft none": lambda x, y: F.soft_margin_loss(x, y, reduction="none"),
    "bce_logits none": lambda x, y: F.binary_cross_entropy_with_logits(x, y, reduction="none"),
    "smooth none": lambda x, y: F.smooth_l1_loss(x, y, reduction="none"),
    "gaussian": lambda x, y: F.gaussian_nll_loss(x, y, torch.ones(4)),
    "cosine": lambda x, y: F.cosine_embedding_loss(x[None], y[None], torch.ones(1)),
    "margin_ranking": lambda x, y: F.margin_ranking_loss(x, y, torch.ones(4)),
    "multilabel_soft": lambda x, y: F.multilabel_soft_margin_loss(x[None], y[None]),
    "ce": lambda x, y: F.cross_entropy(x[None], y[None]),
    "cos_sim": lambda x, y: F.cosine_similarity(x, y, dim=0),
    "pairwise": lambda x, y: F.pairwise_distance(x[None], y[None]),
    "triplet": lambda x, y: F.triplet_margin_loss(x[None], y[None], x[None]),
}
for name, f in losses.items():
    for d in D:
        for e in D + [torch.int64]:
            x, y = a.detach().to(d, copy=True).requires_grad_(), b.to(e)
            try:
                out = f(x, y)
                text = str(out.dtype)
                out.sum().backward()
                text += " " + str(x.grad.dtype)
            except Exception as err:
                text = locals().get("text", "") + type(err).__name__ + " " + str(err)[:90]
            print(name, str(d)[6:], str(e)[6:], text)
            text = ""
