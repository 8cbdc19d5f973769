import _torch

from .optimizer import Optimizer, check_betas, check_capturable, first_count, power_less_one, real_parts


class Adamax(Optimizer):
    """Adamax (Kingma and Ba, 2015): Adam with the largest gradient instead of the mean square."""

    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False,
        differentiable=False, capturable=False,
    ):
        check_betas(lr, betas, eps, weight_decay)
        super().__init__(
            params,
            dict(
                lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
                differentiable=differentiable, capturable=capturable,
            ),
        )

    def _update(self, group, params, grads):
        beta1, beta2 = group["betas"]
        with _torch._grad_mode("no_grad"):
            for p, g in zip(params, grads):
                own = self.state[p]
                if not own:
                    own["step"] = first_count(group, p)
                    own["exp_avg"] = _torch.zeros_like(p.detach())
                    own["exp_inf"] = _torch.zeros_like(p.detach())
                p, g, own = real_parts(p, g, own)
                if group["capturable"]:
                    check_capturable([p], [own["step"]])
                step = own["step"].add_(1)
                g = -g if group["maximize"] else g
                if group["weight_decay"] != 0:
                    g = g.add(p, alpha=group["weight_decay"])
                own["exp_avg"].lerp_(g, 1 - beta1)
                largest = _torch.maximum(own["exp_inf"].mul_(beta2), g.abs().add_(group["eps"]))
                own["exp_inf"].copy_(largest)
                if group["capturable"]:
                    # This number is on the device: dividing by -(1 - beta1^t) / lr avoids multiplying by a number that
                    # the host would have to read.
                    p.addcdiv_(own["exp_avg"], own["exp_inf"] * power_less_one(beta1, step).div_(group["lr"]))
                else:
                    p.addcdiv_(own["exp_avg"], own["exp_inf"], value=-group["lr"] / (1 - beta1 ** step.item()))
