import _torch

from .optimizer import Optimizer, check_capturable, check_one_element, first_count, real_parts


class Adadelta(Optimizer):
    """Adadelta (Zeiler, 2012). Its state is `step` (a CPU tensor, unless it is capturable), `square_avg` and `acc_delta`."""

    def __init__(
        self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False,
        differentiable=False,
    ):
        check_one_element(lr)
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        if not 0.0 <= eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        super().__init__(
            params,
            dict(
                lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize, capturable=capturable,
                foreach=foreach, differentiable=differentiable,
            ),
        )

    def _update(self, group, params, grads):
        rho, eps = group["rho"], group["eps"]
        with _torch._grad_mode("no_grad"):
            for p, g in zip(params, grads):
                own = self.state[p]
                if not own:
                    own["step"] = first_count(group, p)
                    own["square_avg"] = _torch.zeros_like(p.detach())
                    own["acc_delta"] = _torch.zeros_like(p.detach())
                p, g, own = real_parts(p, g, own)
                if group["capturable"]:
                    check_capturable([p], [own["step"]], with_xla=False)
                own["step"].add_(1)
                g = -g if group["maximize"] else g
                if group["weight_decay"] != 0:
                    g = g.add(p, alpha=group["weight_decay"])
                own["square_avg"].mul_(rho).addcmul_(g, g, value=1 - rho)
                deviation = own["square_avg"].add(eps).sqrt_()
                delta = own["acc_delta"].add(eps).sqrt_().div_(deviation).mul_(g)
                own["acc_delta"].mul_(rho).addcmul_(delta, delta, value=1 - rho)
                p.add_(delta, alpha=-group["lr"])
