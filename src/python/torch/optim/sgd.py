import _torch

from .optimizer import Optimizer, check_one_element


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum."""

    def __init__(
        self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None,
        differentiable=False, fused=None,
    ):
        check_one_element(lr)
        if lr < 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            dict(
                lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov,
                maximize=maximize, foreach=foreach, differentiable=differentiable, fused=fused,
            ),
        )

    def _update_sparse_group(self, group):
        from torch._sparse import _steps

        if group["fused"]:
            raise RuntimeError("`_fused_sgd` does not support sparse gradients")
        self._update_rows(group, _steps.sgd)

    def _update(self, group, params, grads):
        momentum = group["momentum"]
        if not momentum:
            return self._launch(group, params, grads, None, False)
        # In a parameter's first step, its buffer is set to the gradient; later steps blend the gradient in.
        fresh, old = [], []
        for p, g in zip(params, grads):
            (old if self.state[p].get("momentum_buffer") is not None else fresh).append((p, g))
        for p, _ in fresh:
            self.state[p]["momentum_buffer"] = _torch.zeros_like(p.detach())
        for pairs, first in ((fresh, True), (old, False)):
            if pairs:
                ps = [p for p, _ in pairs]
                self._launch(group, ps, [g for _, g in pairs], [self.state[p]["momentum_buffer"] for p in ps], first)

    def _launch(self, group, params, grads, buffers, first):
        _torch._sgd_step(
            params, grads, buffers, group["lr"], group["momentum"], group["dampening"], group["weight_decay"],
            group["nesterov"], group["maximize"], first,
        )
