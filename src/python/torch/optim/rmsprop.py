import _torch

from .optimizer import Optimizer, check_capturable, check_one_element, first_count


class RMSprop(Optimizer):
    """RMSprop (Hinton, 2012), optionally centered and with momentum."""

    def __init__(
        self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, capturable=False,
        foreach=None, maximize=False, differentiable=False,
    ):
        check_one_element(lr)
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 <= eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        if not 0.0 <= momentum:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if not 0.0 <= alpha:
            raise ValueError(f"Invalid alpha value: {alpha}")
        super().__init__(
            params,
            dict(
                lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered, weight_decay=weight_decay,
                capturable=capturable, foreach=foreach, maximize=maximize, differentiable=differentiable,
            ),
        )

    def _update(self, group, params, grads):
        momentum, centered = group["momentum"], group["centered"]
        states = []
        for p in params:
            own = self.state[p]
            if not own:
                own["step"] = first_count(group, p)
                own["square_avg"] = _torch.zeros_like(p.detach())
                if momentum > 0:
                    own["momentum_buffer"] = _torch.zeros_like(p.detach())
                if centered:
                    own["grad_avg"] = _torch.zeros_like(p.detach())
            states.append(own)
        # A capturable step counts in its single launch.
        steps = [own["step"] for own in states]
        if group["capturable"]:
            check_capturable(params, steps, with_xla=True)
        else:
            for step in steps:
                step.add_(1)
        _torch._rmsprop_step(
            params, grads, [own["square_avg"] for own in states],
            [own["momentum_buffer"] for own in states] if momentum > 0 else None,
            [own["grad_avg"] for own in states] if centered else None,
            group["lr"], group["alpha"], group["eps"], group["weight_decay"], momentum, centered, group["maximize"],
            steps if group["capturable"] else None,
        )
