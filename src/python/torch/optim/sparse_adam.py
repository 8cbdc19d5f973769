from .optimizer import Optimizer, check_one_element


class SparseAdam(Optimizer):
    """Adam for sparse gradients: only the rows that a gradient names change, and only their averages."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        check_one_element(lr)
        if not 0.0 < lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 < eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for i in (0, 1):
            if not 0.0 <= betas[i] < 1.0:
                raise ValueError(f"Invalid beta parameter at index {i}: {betas[i]}")
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, maximize=maximize))
        sparse_at = [[i, j] for i, group in enumerate(self.param_groups) for j, p in enumerate(group["params"]) if p.is_sparse]
        if sparse_at:
            raise ValueError(f"Sparse params at indices {sparse_at}: SparseAdam requires dense parameter tensors")
        complex_at = [[i, j] for i, group in enumerate(self.param_groups) for j, p in enumerate(group["params"])
                      if p.is_complex()]
        if complex_at:
            raise ValueError(f"Complex params at indices {complex_at}: SparseAdam does not support complex parameters")

    def _update_sparse_group(self, group):
        from torch._sparse import _steps

        self._update_rows(group, _steps.sparse_adam)

    def _update(self, group, params, grads):
        raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")
