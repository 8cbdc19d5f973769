import _torch

from .optimizer import Optimizer, check_capturable, check_one_element, first_count, real_parts


class Rprop(Optimizer):
    """Resilient backpropagation (Riedmiller and Braun, 1993): each weight has its own step size, and only the
    gradient's sign is used."""

    def __init__(
        self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None, maximize=False,
        differentiable=False,
    ):
        check_one_element(lr)
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(
            params,
            dict(
                lr=lr, etas=etas, step_sizes=step_sizes, foreach=foreach, maximize=maximize,
                differentiable=differentiable, capturable=capturable,
            ),
        )

    def _update(self, group, params, grads):
        (down, up), (low, high) = group["etas"], group["step_sizes"]
        with _torch._grad_mode("no_grad"):
            for p, g in zip(params, grads):
                own = self.state[p]
                if not own:
                    own["step"] = first_count(group, p)
                    own["prev"] = _torch.zeros_like(p.detach())
                    own["step_size"] = _torch.full_like(g, complex(group["lr"], group["lr"]) if g.is_complex() else group["lr"])
                p, g, own = real_parts(p, g, own)
                if group["capturable"]:
                    check_capturable([p], [own["step"]], with_xla=True)
                own["step"].add_(1)
                g = -g if group["maximize"] else g
                agreement = g.mul(own["prev"])
                turned = agreement < 0
                factor = _torch.where(turned, down, _torch.where(agreement > 0, up, _torch.ones_like(g)))
                own["step_size"].mul_(factor).clamp_(low, high)
                # After the gradient's sign changes, the weight doesn't move for one step.
                g = g.masked_fill(turned, 0.0)
                p.addcmul_(g.sign(), own["step_size"], value=-1)
                own["prev"].copy_(g)
