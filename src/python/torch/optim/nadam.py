import math

import _torch

from .optimizer import Optimizer, check_betas, check_capturable, first_count, power_less_one, real_parts


class NAdam(Optimizer):
    """Adam with Nesterov momentum (Dozat, 2016)."""

    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3,
        decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False,
    ):
        check_betas(lr, betas, eps, weight_decay)
        if not 0.0 <= momentum_decay:
            raise ValueError(f"Invalid momentum_decay value: {momentum_decay}")
        super().__init__(
            params,
            dict(
                lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay,
                decoupled_weight_decay=decoupled_weight_decay, maximize=maximize, foreach=foreach, capturable=capturable,
                differentiable=differentiable,
            ),
        )

    def _update(self, group, params, grads):
        beta1, beta2 = group["betas"]
        lr, decay = group["lr"], group["momentum_decay"]
        with _torch._grad_mode("no_grad"):
            for p, g in zip(params, grads):
                own = self.state[p]
                if not own:
                    own["step"] = first_count(group, p)
                    own["mu_product"] = first_count(group, p, 1.0)
                    own["exp_avg"] = _torch.zeros_like(p.detach())
                    own["exp_avg_sq"] = _torch.zeros_like(p.detach())
                p, g, own = real_parts(p, g, own)
                if group["capturable"]:
                    check_capturable(
                        [p], [own["mu_product"], own["step"]], "params, mu_products and state_steps",
                        "params, mu_products, and state_steps",
                    )
                # Numbers on the device if it's capturable, otherwise on the host.
                step = own["step"].add_(1)
                step = step if group["capturable"] else step.item()
                g = -g if group["maximize"] else g
                if group["weight_decay"] != 0:
                    if group["decoupled_weight_decay"]:
                        p.mul_(1 - lr * group["weight_decay"])
                    else:
                        g = g.add(p, alpha=group["weight_decay"])
                mu = beta1 * (1.0 - 0.5 * 0.96 ** (step * decay))
                mu_next = beta1 * (1.0 - 0.5 * 0.96 ** ((step + 1) * decay))
                product = own["mu_product"].mul_(mu)
                own["exp_avg"].lerp_(g, 1 - beta1)
                own["exp_avg_sq"].mul_(beta2).addcmul_(g, g, value=1 - beta2)
                if group["capturable"]:
                    denominator = own["exp_avg_sq"].div(-power_less_one(beta2, step)).sqrt_().add_(group["eps"])
                    p.addcdiv_(g * (-lr * (1.0 - mu) / (1.0 - product)), denominator)
                    p.addcdiv_(own["exp_avg"] * (-lr * mu_next / (1.0 - product * mu_next)), denominator)
                    continue
                product = product.item()
                denominator = own["exp_avg_sq"].div(1 - beta2**step).sqrt_().add_(group["eps"])
                p.addcdiv_(g, denominator, value=-lr * (1.0 - mu) / (1.0 - product))
                p.addcdiv_(own["exp_avg"], denominator, value=-lr * mu_next / (1.0 - product * mu_next))


class RAdam(Optimizer):
    """Rectified Adam (Liu et al., 2020): plain momentum until the mean square is reliable."""

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, *, foreach=None,
        maximize=False, capturable=False, differentiable=False,
    ):
        check_betas(lr, betas, eps, weight_decay)
        super().__init__(
            params,
            dict(
                lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize, foreach=foreach,
                capturable=capturable, decoupled_weight_decay=decoupled_weight_decay, differentiable=differentiable,
            ),
        )

    def _update(self, group, params, grads):
        beta1, beta2 = group["betas"]
        lr = group["lr"]
        with _torch._grad_mode("no_grad"):
            for p, g in zip(params, grads):
                own = self.state[p]
                if not own:
                    own["step"] = first_count(group, p)
                    own["exp_avg"] = _torch.zeros_like(p.detach())
                    own["exp_avg_sq"] = _torch.zeros_like(p.detach())
                p, g, own = real_parts(p, g, own)
                if group["capturable"]:
                    check_capturable([p], [own["step"]])
                step = own["step"].add_(1)
                g = -g if group["maximize"] else g
                if group["weight_decay"] != 0:
                    if group["decoupled_weight_decay"]:
                        p.mul_(1 - lr * group["weight_decay"])
                    else:
                        g = g.add(p, alpha=group["weight_decay"])
                own["exp_avg"].lerp_(g, 1 - beta1)
                own["exp_avg_sq"].mul_(beta2).addcmul_(g, g, value=1 - beta2)
                # How many steps the average of squares covers after infinitely many steps. How many it covers now depends on `step`.
                longest = 2 / (1 - beta2) - 1
                if group["capturable"]:
                    self._move_on_device(group, p, own, longest)
                    continue
                step = step.item()
                correction2 = 1 - beta2**step
                move = own["exp_avg"] / (1 - beta1**step) * lr
                length = longest - 2 * step * beta2**step / correction2
                if length > 5.0:
                    rectify = math.sqrt(
                        (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
                    )
                    move = move * (math.sqrt(correction2) / own["exp_avg_sq"].sqrt().add_(group["eps"])) * rectify
                p.add_(move, alpha=-1.0)

    @staticmethod
    def _move_on_device(group, p, own, longest):
        """The same with the step number on the device, where both cases are computed and one is selected."""
        beta1, beta2 = group["betas"]
        step = own["step"]
        correction2 = -power_less_one(beta2, step)
        move = own["exp_avg"] / -power_less_one(beta1, step) * group["lr"]
        length = longest - 2 * step * beta2**step / correction2
        # Where it isn't selected, it may be negative, and its root isn't used.
        rectify = ((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)).sqrt_()
        adapted = rectify * (correction2.sqrt() / own["exp_avg_sq"].sqrt().add_(group["eps"]))
        p.add_(move * _torch.where(length > 5.0, adapted, 1.0), alpha=-1.0)
