import _torch

from .optimizer import Optimizer


class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015). Its state is `step` (a CPU tensor), `exp_avg` and `exp_avg_sq`."""

    _decoupled = False
    _counts_on_device = True

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None, maximize=False,
        capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False,
    ):
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 <= eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        if not 0.0 <= betas[0] < 1.0:
            raise ValueError(f"Invalid beta parameter at index 0: {betas[0]}")
        if not 0.0 <= betas[1] < 1.0:
            raise ValueError(f"Invalid beta parameter at index 1: {betas[1]}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        super().__init__(
            params,
            dict(
                lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize,
                foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused,
                decoupled_weight_decay=decoupled_weight_decay or self._decoupled,
            ),
        )

    def _update_group(self, group):
        if group["capturable"]:
            with _torch._grad_mode("no_grad"):
                for p in group["params"]:
                    if p.grad is not None:
                        self._step_on_device(group, p, p.grad)
            return
        beta1, beta2 = group["betas"]
        _torch._adam_group(
            group["params"], self.state, self._begin_amsgrad if group["amsgrad"] else self._begin, group["lr"], beta1, beta2,
            group["eps"], group["weight_decay"], group["amsgrad"], group["maximize"], group["decoupled_weight_decay"],
        )

    def _step_on_device(self, group, p, grad):
        """One parameter's step with its count on the device: nothing in it depends on a number that the host knows, so a
        captured step counts on at each replay. The order of operations is that of PyTorch's default on CUDA."""
        (beta1, beta2), lr = group["betas"], group["lr"]
        own = self.state[p]
        if not own:
            (self._begin_amsgrad if group["amsgrad"] else self._begin)(own, p)
            own["step"] = _torch.zeros((), dtype=_torch.float32, device=p.device)
        step, average, square = own["step"], own["exp_avg"], own["exp_avg_sq"]
        if not (p.is_cuda and step.is_cuda):
            raise AssertionError("If capturable=True, params and state_steps must be on supported devices: "
                                 "['cuda', 'xpu', 'hpu', 'privateuseone', 'xla'].")
        if group["maximize"]:
            grad = -grad
        step.add_(1)
        if group["weight_decay"] != 0:
            if group["decoupled_weight_decay"]:
                p.mul_(1 - lr * group["weight_decay"])
            else:
                grad = grad.add(p, alpha=group["weight_decay"])
        average.lerp_(grad, 1 - beta1)
        square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        # -lr / (1 - beta1^t), and the square root of 1 - beta2^t.
        size = (beta1**step).sub_(1).div_(lr).reciprocal_()
        correction = (beta2**step).sub_(1).neg_().sqrt_()
        if group["amsgrad"]:
            largest = own["max_exp_avg_sq"]
            largest.copy_(_torch.maximum(largest, square))
            square = largest
        p.addcdiv_(average, square.sqrt().div_(correction).add_(group["eps"]).div_(size))

    @staticmethod
    def _begin(own, p):
        """Makes the state of a parameter that has none."""
        own["step"] = _torch.tensor(0.0)
        own["exp_avg"] = _torch.zeros_like(p.detach())
        own["exp_avg_sq"] = _torch.zeros_like(p.detach())

    @staticmethod
    def _begin_amsgrad(own, p):
        Adam._begin(own, p)
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
