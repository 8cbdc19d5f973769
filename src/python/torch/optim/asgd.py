import _torch

from .optimizer import Optimizer, check_capturable, check_one_element, first_count, real_parts


class ASGD(Optimizer):
    """Averaged stochastic gradient descent (Polyak and Juditsky, 1992)."""

    def __init__(
        self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False,
        differentiable=False, capturable=False,
    ):
        check_one_element(lr)
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if not 0.0 <= lambd:
            raise ValueError(f"Invalid lambd value: {lambd}")
        if not 0.0 <= alpha:
            raise ValueError(f"Invalid alpha value: {alpha}")
        super().__init__(
            params,
            dict(
                lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
                differentiable=differentiable, capturable=capturable,
            ),
        )

    def _update(self, group, params, grads):
        with _torch._grad_mode("no_grad"):
            for p, g in zip(params, grads):
                own = self.state[p]
                if not own:
                    own["step"] = first_count(group, p)
                    own["eta"] = first_count(group, p, float(group["lr"]))
                    own["mu"] = first_count(group, p, 1.0)
                    own["ax"] = _torch.zeros_like(p.detach())
                p, g, own = real_parts(p, g, own)
                g = -g if group["maximize"] else g
                if group["weight_decay"] != 0:
                    g = g.add(p, alpha=group["weight_decay"])
                if group["capturable"]:
                    check_capturable(
                        [p], [own["mu"], own["eta"], own["step"]], "params, mus, etas, and state_steps",
                    )
                    self._step_on_device(group, p, g, own)
                    continue
                step, eta, mu = own["step"].add_(1).item(), own["eta"].item(), own["mu"].item()
                p.mul_(1 - group["lambd"] * eta)
                p.add_(g, alpha=-eta)
                if mu != 1:
                    own["ax"].add_(p.sub(own["ax"]).mul_(mu))
                else:
                    own["ax"].copy_(p)
                own["eta"].fill_(group["lr"] / (1 + group["lambd"] * group["lr"] * step) ** group["alpha"])
                own["mu"].fill_(1 / max(1, step - group["t0"]))

    @staticmethod
    def _step_on_device(group, p, g, own):
        """The same with step, eta and mu on the device. The average moves by mu even if that is 1."""
        lr, lambd = group["lr"], group["lambd"]
        step, eta, mu = own["step"].add_(1), own["eta"], own["mu"]
        p.mul_(1 - lambd * eta)
        p.addcmul_(g, eta, value=-1)
        own["ax"].add_(p.sub(own["ax"]).mul_(mu))
        eta.copy_(lr / (1 + lambd * lr * step) ** group["alpha"])
        mu.copy_(1 / (step - group["t0"]).clamp_(min=1.0))
