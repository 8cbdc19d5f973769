import _torch

from .optimizer import Optimizer, check_one_element


class Adagrad(Optimizer):
    """Adagrad (Duchi et al., 2011)."""

    def __init__(
        self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *,
        maximize=False, differentiable=False, fused=None,
    ):
        check_one_element(lr)
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 <= lr_decay:
            raise ValueError(f"Invalid lr_decay value: {lr_decay}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if not 0.0 <= initial_accumulator_value:
            raise ValueError(f"Invalid initial_accumulator_value value: {initial_accumulator_value}")
        if not 0.0 <= eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        super().__init__(
            params,
            dict(
                lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay,
                initial_accumulator_value=initial_accumulator_value, foreach=foreach, maximize=maximize,
                differentiable=differentiable, fused=fused,
            ),
        )
        # Unlike the others, Adagrad makes its state immediately.
        for group in self.param_groups:
            for p in group["params"]:
                own = self.state[p]
                own["step"] = _torch.tensor(0.0)
                own["sum"] = _torch.full_like(p.detach(), initial_accumulator_value)

    def _update_sparse_group(self, group):
        from torch._sparse import _steps

        if group["fused"]:
            raise RuntimeError("`fused` Adagrad does not support sparse gradients")
        self._update_rows(group, _steps.adagrad)

    def _update(self, group, params, grads):
        states = [self.state[p] for p in params]
        by_step = {}
        for p, g, own in zip(params, grads, states):
            step = own["step"].add_(1).item()
            by_step.setdefault(step, []).append((p, g, own["sum"]))
        for step, entries in by_step.items():
            _torch._adagrad_step(
                [p for p, _, _ in entries], [g for _, g, _ in entries], [s for _, _, s in entries],
                group["lr"] / (1 + (step - 1) * group["lr_decay"]), group["eps"], group["weight_decay"], group["maximize"],
            )
