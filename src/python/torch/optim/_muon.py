import math

import _torch
from _torch import Tensor

from .optimizer import Optimizer, check_one_element

_RATES = ("original", "match_rms_adamw", "spectral_unclamped")


def _orthogonalized(grad, coefficients, steps, eps):
    """A matrix with the same singular vectors and singular values near 1: a Newton-Schulz iteration of degree 5, in
    bfloat16, with coefficients that are steep at 0."""
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if grad.dim() != 2:
        raise ValueError("Input tensor gradient must be a 2D matrix")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    x = grad.to(dtype=_torch.bfloat16, copy=True)
    tall = grad.size(0) > grad.size(1)
    if tall:
        x = x.T
    x.div_(x.norm().clamp(min=eps))
    for _ in range(steps):
        gram = x @ x.T
        x = _torch.addmm(x, _torch.addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.T if tall else x


class Muon(Optimizer):
    """Momentum whose update is made orthogonal, for the matrices of hidden layers (Jordan, 2024)."""

    def __init__(
        self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True, ns_coefficients=(3.4445, -4.7750, 2.0315),
        eps=1e-7, ns_steps=5, adjust_lr_fn=None,
    ):
        check_one_element(lr)
        if not 0.0 <= lr:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not 0.0 <= momentum:
            raise ValueError(f"momentum should be >= 0 but is: {momentum}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"weight decay should be >= 0 but is: {weight_decay}")
        if adjust_lr_fn is not None and adjust_lr_fn not in _RATES:
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        super().__init__(params, dict(
            lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov, ns_coefficients=ns_coefficients, eps=eps,
            ns_steps=ns_steps, adjust_lr_fn=adjust_lr_fn))
        for group in self.param_groups:
            for p in group["params"]:
                if p.dim() != 2:
                    raise ValueError(f"Muon only supports 2D parameters whereas we found a parameter with size: {p.size()}")

    def _update(self, group, params, grads):
        lr = group["lr"].item() if isinstance(group["lr"], Tensor) else group["lr"]
        momentum = group["momentum"]
        with _torch._grad_mode("no_grad"):
            for p, g in zip(params, grads):
                if p.is_complex():
                    raise RuntimeError("Muon does not support complex parameters")
                own = self.state[p]
                if "momentum_buffer" not in own:
                    own["momentum_buffer"] = _torch.zeros_like(g)
                buffer = own["momentum_buffer"].lerp_(g, 1 - momentum)
                update = g.lerp(buffer, momentum) if group["nesterov"] else buffer
                update = _orthogonalized(update, group["ns_coefficients"], group["ns_steps"], group["eps"])
                p.mul_(1 - lr * group["weight_decay"])
                p.add_(update, alpha=-lr * self._ratio(group["adjust_lr_fn"], *p.shape))

    @staticmethod
    def _ratio(kind, rows, columns):
        if kind == "match_rms_adamw":
            return 0.2 * math.sqrt(max(rows, columns))
        return math.sqrt(rows / columns if kind == "spectral_unclamped" else max(1, rows / columns))
