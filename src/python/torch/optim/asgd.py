import _torch

from .optimizer import Optimizer


class ASGD(Optimizer):
    """Averaged stochastic gradient descent (Polyak and Juditsky, 1992)."""

    def __init__(
        self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False,
        differentiable=False, capturable=False,
    ):
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
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
                    own["step"] = _torch.tensor(0.0)
                    own["eta"] = _torch.tensor(float(group["lr"]))
                    own["mu"] = _torch.tensor(1.0)
                    own["ax"] = _torch.zeros_like(p.detach())
                step, eta, mu = own["step"].add_(1).item(), own["eta"].item(), own["mu"].item()
                g = -g if group["maximize"] else g
                if group["weight_decay"] != 0:
                    g = g.add(p, alpha=group["weight_decay"])
                p.mul_(1 - group["lambd"] * eta)
                p.add_(g, alpha=-eta)
                if mu != 1:
                    own["ax"].add_(p.sub(own["ax"]).mul_(mu))
                else:
                    own["ax"].copy_(p)
                own["eta"].fill_(group["lr"] / (1 + group["lambd"] * group["lr"] * step) ** group["alpha"])
                own["mu"].fill_(1 / max(1, step - group["t0"]))
