import _torch

from .optimizer import Optimizer, check_rate, first_count


def _checked(betas, capturable, foreach):
    """Both betas, two floats or two tensors without dimensions."""
    tensors = [isinstance(beta, _torch.Tensor) for beta in betas]
    if not (all(tensors) or all(isinstance(beta, float) for beta in betas)):
        raise ValueError("betas must be either both floats or both Tensors")
    if not any(tensors):
        return betas
    for i, beta in enumerate(betas):
        if not capturable and foreach:
            raise ValueError(f"betas[{i}] as a Tensor is not supported for capturable=False and foreach=True")
        if beta.numel() != 1:
            raise ValueError(f"Tensor betas[{i}] must be 1-element")
    return tuple(beta.squeeze() for beta in betas)


class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015). Its state is `step` (a CPU tensor, unless it is capturable), `exp_avg` and `exp_avg_sq`."""

    _decoupled = False

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None, maximize=False,
        capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False,
    ):
        check_rate(lr, foreach, capturable)
        if not 0.0 <= eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        if not 0.0 <= betas[0] < 1.0:
            raise ValueError(f"Invalid beta parameter at index 0: {betas[0]}")
        if not 0.0 <= betas[1] < 1.0:
            raise ValueError(f"Invalid beta parameter at index 1: {betas[1]}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        betas = _checked(betas, capturable, foreach)
        super().__init__(
            params,
            dict(
                lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize,
                foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused,
                decoupled_weight_decay=decoupled_weight_decay or self._decoupled,
            ),
        )

    def _update_group(self, group):
        beta1, beta2 = group["betas"]
        if isinstance(beta1, _torch.Tensor):
            beta1, beta2 = beta1.item(), beta2.item()
        _torch._adam_group(
            group["params"], self.state, self._begin, group, group["lr"], beta1, beta2, group["eps"], group["weight_decay"],
            group["amsgrad"], group["maximize"], group["decoupled_weight_decay"], group["capturable"],
        )

    @staticmethod
    def _begin(group, own, p):
        """Makes the state of a parameter that has none."""
        own["step"] = first_count(group, p)
        own["exp_avg"] = _torch.zeros_like(p.detach())
        own["exp_avg_sq"] = _torch.zeros_like(p.detach())
        if group["amsgrad"]:
            own["max_exp_avg_sq"] = _torch.zeros_like(p.detach())


class AdamW(Adam):
    """Adam with decoupled weight decay (Loshchilov and Hutter, 2019)."""

    _decoupled = True

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False,
        foreach=None, capturable=False, differentiable=False, fused=None,
    ):
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable,
            differentiable=differentiable, fused=fused, decoupled_weight_decay=True,
        )
