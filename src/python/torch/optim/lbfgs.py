import _torch

from .optimizer import Optimizer


class LBFGS(Optimizer):
    """Limited-memory BFGS with steps of a fixed length; `step(closure)` computes the loss several times."""

    def __init__(
        self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9, history_size=100,
        line_search_fn=None, maximize=False,
    ):
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if line_search_fn is not None:
            raise NotImplementedError(f"torch.optim.LBFGS(line_search_fn={line_search_fn!r})")
        super().__init__(
            params,
            dict(
                lr=lr, max_iter=max_iter, max_eval=max_iter * 5 // 4 if max_eval is None else max_eval,
                tolerance_grad=tolerance_grad, tolerance_change=tolerance_change, history_size=history_size,
                line_search_fn=line_search_fn, maximize=maximize,
            ),
        )
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def _params(self):
        return self.param_groups[0]["params"]

    def _flat_grad(self):
        zeros = _torch.zeros_like
        flat = _torch.cat([(zeros(p) if p.grad is None else p.grad).reshape(-1) for p in self._params()])
        return -flat if self.param_groups[0]["maximize"] else flat

    def _move(self, length, direction):
        start = 0
        for p in self._params():
            p.add_(direction[start : start + p.numel()].view_as(p), alpha=length)
            start += p.numel()

    def step(self, closure):
        with _torch._grad_mode("no_grad"):
            return self._minimize(closure)

    def _minimize(self, closure):
        def evaluate():
            with _torch._grad_mode("enable_grad"):
                return closure()

        group = self.param_groups[0]
        lr, tolerance = group["lr"], group["tolerance_change"]
        state = self.state[self._params()[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        sign = -1 if group["maximize"] else 1
        first_loss = evaluate()
        loss = sign * float(first_loss)
        evaluations = 1
        state["func_evals"] += 1
        grad = self._flat_grad()
        if grad.abs().max() <= group["tolerance_grad"]:
            return first_loss
        d, t = state.get("d"), state.get("t")
        dirs, steps, ro = state.get("old_dirs"), state.get("old_stps"), state.get("ro")
        scale, before, loss_before = state.get("H_diag"), state.get("prev_flat_grad"), state.get("prev_loss")
        iterations = 0
        while iterations < group["max_iter"]:
            iterations += 1
            state["n_iter"] += 1
            if state["n_iter"] == 1:
                d, dirs, steps, ro, scale = grad.neg(), [], [], [], 1
            else:
                y, s = grad.sub(before), d.mul(t)
                ys = y.dot(s)
                if ys > 1e-10:
                    if len(dirs) == group["history_size"]:
                        dirs.pop(0)
                        steps.pop(0)
                        ro.pop(0)
                    dirs.append(y)
                    steps.append(s)
                    ro.append(1.0 / ys)
                    scale = ys / y.dot(y)
                # The two-loop recursion: the inverse Hessian times the gradient.
                weights = [None] * len(dirs)
                q = grad.neg()
                for i in range(len(dirs) - 1, -1, -1):
                    weights[i] = steps[i].dot(q) * ro[i]
                    q.add_(dirs[i] * -weights[i])
                d = q.mul(scale)
                for i in range(len(dirs)):
                    d.add_(steps[i] * (weights[i] - dirs[i].dot(d) * ro[i]))
            before = grad.clone()
            loss_before = loss
            t = min(1.0, 1.0 / grad.abs().sum().item()) * lr if state["n_iter"] == 1 else lr
            slope = grad.dot(d)
            if slope > -tolerance:
                break
            self._move(t, d)
            used = 0
            if iterations != group["max_iter"]:
                loss = sign * float(evaluate())
                grad = self._flat_grad()
                used = 1
            evaluations += used
            state["func_evals"] += used
            if (
                evaluations >= group["max_eval"]
                or grad.abs().max() <= group["tolerance_grad"]
                or d.mul(t).abs().max() <= tolerance
                or abs(loss - loss_before) < tolerance
            ):
                break
        state.update(d=d, t=t, old_dirs=dirs, old_stps=steps, ro=ro, H_diag=scale, prev_flat_grad=before,
                     prev_loss=loss_before)
        return first_loss
