"""Steps with `differentiable=True`: single operators in PyTorch's order, which autograd records."""

import _torch
from _torch import Tensor

from .optimizer import first_count


def _decayed(group, grad, p):
    decay = group["weight_decay"]
    if not isinstance(decay, Tensor):
        return grad.add(p, alpha=decay) if decay else grad
    return grad.addcmul_(p.clone(), decay) if decay.requires_grad else grad.add(p, alpha=decay.item())


def _sgd(optimizer, group, p, grad):
    own, momentum, lr = optimizer.state[p], group["momentum"], group["lr"]
    grad = _decayed(group, grad, p)
    if momentum:
        buffer = own.get("momentum_buffer")
        if buffer is None:
            buffer = own["momentum_buffer"] = grad.detach().clone()
        else:
            buffer.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
        grad = grad.add(buffer, alpha=momentum) if group["nesterov"] else buffer
    if isinstance(lr, Tensor) and lr.requires_grad:
        p.addcmul_(grad, lr.squeeze(), value=-1)
    else:
        p.add_(grad, alpha=-float(lr))


def _adam(optimizer, group, p, grad):
    own, lr, (beta1, beta2) = optimizer.state[p], group["lr"], group["betas"]
    if not own:
        with _torch._grad_mode("no_grad"):
            optimizer._begin(group, own, p)
    first, second, step = own["exp_avg"], own["exp_avg_sq"], own["step"]
    step += 1
    if not group["decoupled_weight_decay"]:
        grad = _decayed(group, grad, p)
    elif group["weight_decay"]:
        p.mul_(1 - lr * group["weight_decay"])
    first.lerp_(grad, 1 - beta1)
    if isinstance(beta2, Tensor) and beta2.requires_grad:
        second.lerp_(grad.square(), 1 - beta2)
    else:
        second.mul_(beta2).addcmul_(grad, grad, value=float(1 - beta2))
    rates = [1 - beta ** (step.clone() if isinstance(beta, Tensor) and beta.requires_grad else step) for beta in (beta1, beta2)]
    size, root = (lr / rates[0]).neg(), rates[1].sqrt()
    if group["amsgrad"]:
        second = own["max_exp_avg_sq"].copy_(_torch.maximum(own["max_exp_avg_sq"].clone(), second))
    p.addcdiv_(first.clone(), (second.sqrt() / (root * size)).add_(group["eps"] / size))


def _rmsprop(optimizer, group, p, grad):
    own, lr, alpha, momentum = optimizer.state[p], group["lr"], group["alpha"], group["momentum"]
    if not own:
        own["step"] = first_count(group, p)
        own["square_avg"] = _torch.zeros_like(p.detach())
        if momentum > 0:
            own["momentum_buffer"] = _torch.zeros_like(p.detach())
        if group["centered"]:
            own["grad_avg"] = _torch.zeros_like(p.detach())
    own["step"] += 1
    grad = _decayed(group, grad, p)
    square = own["square_avg"].mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
    if group["centered"]:
        mean = own["grad_avg"].lerp_(grad, 1 - alpha)
        root = square.addcmul(mean, mean, value=-1).sqrt_()
    else:
        root = square.sqrt()
    root = root.add(group["eps"])
    if momentum > 0:
        p.add_(own["momentum_buffer"].mul_(momentum).addcdiv_(grad, root), alpha=-float(lr))
    else:
        p.addcdiv_(grad, root, value=-float(lr))


_STEPS = {"SGD": _sgd, "Adam": _adam, "AdamW": _adam, "RMSprop": _rmsprop}


def update(optimizer, group):
    """One step of a group. Refuses optimizers that have no such step here."""
    name = next(c.__name__ for c in type(optimizer).__mro__ if c.__module__.startswith("torch.optim"))
    if name not in _STEPS or any(p.is_complex() for p in group["params"]):
        kind = " with complex parameters" if name in _STEPS else ""
        raise NotImplementedError(f"torch.optim.{name}(differentiable=True){kind}")
    with _torch._grad_mode("enable_grad"):
        for p in group["params"]:
            if p.grad is not None:
                _STEPS[name](optimizer, group, p, -p.grad if group["maximize"] else p.grad)
