import _torch
from _torch import Tensor

from .optimizer import Optimizer, check_one_element


class Adafactor(Optimizer):
    """Adafactor (Shazeer and Stern, 2018): for matrices, only the means of the second moments over rows and columns
    are kept."""

    _newer = ("foreach",)

    def __init__(
        self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *, foreach=None, maximize=False,
    ):
        check_one_element(lr)
        if not 0.0 <= lr:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not 0.0 >= beta2_decay:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None and not 0.0 <= eps[0]:
            raise ValueError(f"epsilon1 should be >= 0 but is: {eps[0]}")
        if not 0.0 <= eps[1]:
            raise ValueError(f"epsilon2 should be >= 0 but is: {eps[1]}")
        if not 1.0 <= d:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"weight_decay should be >= 0 but is: {weight_decay}")
        super().__init__(params, dict(lr=lr, beta2_decay=beta2_decay, eps=eps, d=d, weight_decay=weight_decay,
                                      foreach=foreach, maximize=maximize))

    def _begin(self, p):
        own = self.state[p]
        if own:
            return own
        own["step"] = _torch.tensor(0.0)
        shape = list(p.grad.shape)
        if len(shape) > 1:
            own["row_var"] = p.grad.new_zeros(shape[:-1] + [1])
            own["col_var"] = p.grad.new_zeros(shape[:-2] + [1, shape[-1]])
        else:
            own["variance"] = _torch.zeros_like(p.grad)
        return own

    def _update(self, group, params, grads):
        lr = group["lr"].item() if isinstance(group["lr"], Tensor) else group["lr"]
        eps1, eps2 = group["eps"]
        with _torch._grad_mode("no_grad"):
            for p, g in zip(params, grads):
                if p.is_complex():
                    raise RuntimeError("Adafactor does not support complex parameters")
                own = self._begin(p)
                g = -g if group["maximize"] else g
                floor = eps1 if eps1 is not None else _smallest(p.dtype)
                step = own["step"].add_(1).item()
                fresh = step ** group["beta2_decay"]
                length = max(eps2, p.norm(2).item() / p.numel() ** 0.5) * min(lr, 1 / step**0.5)
                if group["weight_decay"] != 0:
                    p.mul_(1 - lr * group["weight_decay"])
                estimate = self._estimate(own, g, fresh, floor)
                update = estimate.clamp_(min=floor * floor).rsqrt_().mul_(g)
                # An update longer than `d` is shortened to it.
                excess = max(1.0, update.norm(2).item() / (update.numel() ** 0.5 * group["d"]))
                p.add_(update, alpha=-length / excess)

    @staticmethod
    def _estimate(own, g, fresh, floor):
        """The second moments; for a matrix, computed from those of its rows and columns."""
        if g.dim() <= 1:
            own["variance"].lerp_(g * g, fresh)
            return own["variance"].clone()
        for name, dim in (("row_var", -1), ("col_var", -2)):
            mean = g.norm(2, dim, keepdim=True)
            own[name].lerp_(mean.square_().div_(g.size(dim)), fresh)
        estimate = own["row_var"] @ own["col_var"]
        return estimate.div_(own["row_var"].mean(dim=-2, keepdim=True).clamp_(min=floor))


def _smallest(dtype):
    from torch import finfo

    return finfo(dtype).eps
