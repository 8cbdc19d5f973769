"""Distances between numbers and what was predicted for them."""

import torch


def checked(preds, target):
    if preds.shape != target.shape:
        raise RuntimeError(
            f"Predictions and targets are expected to have the same shape, but got {preds.shape} and {target.shape}."
        )
    return preds if preds.is_floating_point() else preds.float(), target if target.is_floating_point() else target.float()


def squared(preds, target, num_outputs=1):
    preds, target = checked(preds, target)
    if num_outputs == 1:
        preds, target = preds.reshape(-1), target.reshape(-1)
    away = preds - target
    return (away * away).sum(0), target.shape[0]


def mean_squared_error(preds, target, squared_=True, num_outputs=1, *, squared=None):
    total, count = _squared(preds, target, num_outputs)
    keep = squared_ if squared is None else squared
    return total / count if keep else (total / count).sqrt()


_squared = squared


def absolute(preds, target, num_outputs=1):
    preds, target = checked(preds, target)
    if num_outputs == 1:
        preds, target = preds.reshape(-1), target.reshape(-1)
    return (preds - target).abs().sum(0), target.shape[0]


def mean_absolute_error(preds, target, num_outputs=1):
    total, count = absolute(preds, target, num_outputs)
    return total / count


def mean_absolute_percentage_error(preds, target):
    preds, target = checked(preds, target)
    return ((preds - target).abs() / target.abs().clamp(min=1.17e-06)).sum() / target.numel()


def r2_sums(preds, target):
    preds, target = checked(preds, target)
    return (target * target).sum(0), target.sum(0), ((target - preds) ** 2).sum(0), target.size(0)


def r2_from(squares, total, residual, count, adjusted=0, multioutput="uniform_average"):
    if count < 2:
        raise ValueError("Needs at least two samples to calculate r2 score.")
    variance = squares - total * (total / count)
    found = 1 - residual / variance
    if multioutput == "uniform_average":
        found = found.mean()
    elif multioutput == "variance_weighted":
        found = (variance / variance.sum() * found).sum()
    elif multioutput != "raw_values":
        raise ValueError(
            "Argument `multioutput` must be either `raw_values`, `uniform_average` or `variance_weighted`. Received "
            f"{multioutput}."
        )
    return 1 - (1 - found) * (count - 1) / (count - adjusted - 1) if adjusted else found


def r2_score(preds, target, adjusted=0, multioutput="uniform_average"):
    return r2_from(*r2_sums(preds, target), adjusted, multioutput)


def cosine_similarity(preds, target, reduction="sum"):
    found = torch.nn.functional.cosine_similarity(preds.float(), target.float(), dim=-1)
    return found.sum() if reduction == "sum" else found.mean() if reduction == "mean" else found
