import _torch

from .optimizer import Optimizer, check_one_element


def _cubic_minimum(x1, f1, g1, x2, f2, g2, bounds=None):
    """The minimum, within the bounds, of the cubic through two points with these values and slopes."""
    low, high = bounds if bounds is not None else (x1, x2) if x1 <= x2 else (x2, x1)
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1**2 - g1 * g2
    if not square >= 0:  # Nor is it where a loss or slope has overflowed and made it NaN.
        return (low + high) / 2.0
    d2 = square.sqrt()
    if x1 <= x2:
        at = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
    else:
        at = x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    return min(max(at, low), high)


def _strong_wolfe(evaluate, t, d, f, g, slope, tolerance, most, c1=1e-4, c2=0.9):
    """A step along `d` that satisfies the strong Wolfe conditions (Nocedal and Wright, 2006, algorithms 3.5 and 3.6):
    the loss falls enough, and so does its slope. `evaluate(t)` returns loss and gradient. Returns both, the step,
    and the number of evaluations."""
    width = d.abs().max()
    start = (0, f, g.clone(), slope)
    before = start
    f_new, g_new = evaluate(t)
    calls, tries = 1, 0
    slope_new = g_new.dot(d)
    bracket = None
    while tries < most:
        now = (t, f_new, g_new.clone(), slope_new)
        if f_new > f + c1 * t * slope or (tries > 1 and f_new >= before[1]):
            bracket = [before, now]
            break
        if abs(slope_new) <= -c2 * slope:
            return f_new, g_new, t, calls
        if slope_new >= 0:
            bracket = [before, now]
            break
        t = _cubic_minimum(before[0], before[1], before[3], t, f_new, slope_new, (t + 0.01 * (t - before[0]), t * 10))
        before = now
        f_new, g_new = evaluate(t)
        calls += 1
        slope_new = g_new.dot(d)
        tries += 1
    if bracket is None:
        bracket = [start, (t, f_new, g_new, slope_new)]
    low, high = (0, 1) if bracket[0][1] <= bracket[1][1] else (1, 0)
    stuck = False
    while tries < most:
        ends = [point[0] for point in bracket]
        if abs(ends[1] - ends[0]) * width < tolerance:
            break
        (x1, f1, _, g1), (x2, f2, _, g2) = bracket
        t = _cubic_minimum(x1, f1, g1, x2, f2, g2)
        # If it's too near an end for the second time, or beyond it, the step goes a tenth of the way inward.
        margin = 0.1 * (max(ends) - min(ends))
        if min(max(ends) - t, t - min(ends)) < margin:
            if stuck or t >= max(ends) or t <= min(ends):
                t = max(ends) - margin if abs(t - max(ends)) < abs(t - min(ends)) else min(ends) + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        f_new, g_new = evaluate(t)
        calls += 1
        slope_new = g_new.dot(d)
        tries += 1
        point = (t, f_new, g_new.clone(), slope_new)
        if f_new > f + c1 * t * slope or f_new >= bracket[low][1]:
            bracket[high] = point
            low, high = (0, 1) if bracket[0][1] <= bracket[1][1] else (1, 0)
            continue
        done = abs(slope_new) <= -c2 * slope
        if not done and slope_new * (bracket[high][0] - bracket[low][0]) >= 0:
            bracket[high] = bracket[low]
        bracket[low] = point
        if done:
            break
    t, f_new, g_new, _ = bracket[low]
    return f_new, g_new, t, calls


def _real(tensor):
    return _torch.view_as_real(tensor) if tensor.is_complex() else tensor


class LBFGS(Optimizer):
    """Limited-memory BFGS with steps of a fixed length, or as `line_search_fn="strong_wolfe"` finds them; `step(closure)`
    computes the loss several times."""

    def __init__(
        self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9, history_size=100,
        line_search_fn=None, *, maximize=False,
    ):
        check_one_element(lr)
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
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
        flat = _torch.cat([_real(_torch.zeros_like(p) if p.grad is None else p.grad.to_dense()).reshape(-1)
                           for p in self._params()])
        return -flat if self.param_groups[0]["maximize"] else flat

    def _move(self, length, direction):
        start = 0
        for p in map(_real, self._params()):
            p.add_(direction[start : start + p.numel()].view_as(p), alpha=length)
            start += p.numel()

    def step(self, closure):
        with _torch._grad_mode("no_grad"):
            return self._minimize(closure)

    def _minimize(self, closure):
        def evaluate():
            with _torch._grad_mode("enable_grad"):
                return closure()

        if not self._params():
            return evaluate()
        group = self.param_groups[0]
        lr, tolerance, search = group["lr"], group["tolerance_change"], group["line_search_fn"]
        lr = lr.squeeze() if isinstance(lr, _torch.Tensor) else lr
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
                weights = state.setdefault("al", [None] * group["history_size"])
                q = grad.neg()
                for i in range(len(dirs) - 1, -1, -1):
                    weights[i] = steps[i].dot(q) * ro[i]
                    q.add_(dirs[i], alpha=-weights[i])
                d = q.mul(scale)
                for i in range(len(dirs)):
                    d.add_(steps[i], alpha=weights[i] - dirs[i].dot(d) * ro[i])
            before = grad.clone()
            loss_before = loss
            t = min(1.0, 1.0 / grad.abs().sum()) * lr if state["n_iter"] == 1 else lr
            slope = grad.dot(d)
            if slope > -tolerance:
                break
            used = 0
            if search is not None:
                if search != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                own = [p.clone() for p in self._params()]

                def trial(step):
                    self._move(step, d)
                    loss = sign * float(evaluate())
                    grad = self._flat_grad()
                    for p, value in zip(self._params(), own):
                        p.copy_(value)
                    return loss, grad

                most = group["max_eval"] - evaluations
                loss, grad, t, used = _strong_wolfe(trial, t, d, loss, grad, slope, tolerance, most)
                self._move(t, d)
            else:
                self._move(t, d)
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
