"""The steps of optimizers that take sparse gradients. Only the rows that a gradient names change."""

import math

import torch

from ._parts import coo, is_sparse, parts


def _rows(gradient):
    """A gradient with each row once, and a function that makes a tensor of other values at its places."""
    gradient = gradient.coalesce()
    indices, values = parts(gradient)
    return gradient, values, lambda new: coo(indices, new, gradient.shape, False)


def split(group):
    """The parameters of a group with sparse gradients, and the others with their gradients."""
    sparse, params, grads = [], [], []
    for p in group["params"]:
        if p.grad is None:
            continue
        if is_sparse(p.grad):
            sparse.append(p)
        else:
            params.append(p)
            grads.append(p.grad)
    return sparse, params, grads


def sgd(group, p, state):
    gradient = -p.grad if group["maximize"] else p.grad
    if group["weight_decay"] != 0:
        gradient = gradient.add(p.detach(), alpha=group["weight_decay"])
    momentum = group["momentum"]
    if momentum != 0:
        buffer = state.get("momentum_buffer")
        if buffer is None:
            buffer = gradient.detach().clone()
            state["momentum_buffer"] = buffer
        else:
            buffer.mul_(momentum).add_(gradient, alpha=1 - group["dampening"])
        gradient = gradient.add(buffer, alpha=momentum) if group["nesterov"] else buffer
    p.add_(gradient, alpha=-float(group["lr"]))


def sparse_adam(group, p, state):
    gradient = -p.grad if group["maximize"] else p.grad
    if not state:
        state["step"] = 0
        state["exp_avg"] = torch.zeros_like(p.detach())
        state["exp_avg_sq"] = torch.zeros_like(p.detach())
    state["step"] += 1
    step, (beta1, beta2) = state["step"], group["betas"]
    gradient, values, there = _rows(gradient)
    if not values.numel():
        return
    first, second = state["exp_avg"], state["exp_avg_sq"]
    old = first.sparse_mask(gradient)._values()
    change = (values - old) * (1 - beta1)
    first.add_(there(change))
    old_squares = second.sparse_mask(gradient)._values()
    squares = (values.pow(2) - old_squares) * (1 - beta2)
    second.add_(there(squares))
    size = (squares + old_squares).sqrt() + group["eps"]
    rate = float(group["lr"]) * math.sqrt(1 - beta2 ** step) / (1 - beta1 ** step)
    p.add_(there((change + old) / size * -rate))


def adagrad(group, p, state):
    state["step"] += 1
    if group["weight_decay"] != 0:
        raise RuntimeError("weight_decay option is not compatible with sparse gradients")
    gradient, values, there = _rows(-p.grad if group["maximize"] else p.grad)
    rate = group["lr"] / (1 + (float(state["step"]) - 1) * group["lr_decay"])
    if not values.numel():
        return
    total = state["sum"]
    total.add_(there(values.pow(2)))
    size = total.sparse_mask(gradient)._values().sqrt() + group["eps"]
    p.add_(there(values / size), alpha=-float(rate))
