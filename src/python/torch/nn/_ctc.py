"""Losses that few programs need. Loaded when a program first asks for one of them."""

import math

import _torch
from _torch import Tensor

# Stands for a probability of 0: an infinity would make gradients of dead paths NaN.
_NEVER = -1e30


def _lengths(name, lengths, count, device):
    if isinstance(lengths, Tensor):
        if lengths.is_floating_point():
            raise RuntimeError(f"{name} must be integral")
        lengths = lengths.reshape(-1).tolist()
    lengths = list(lengths)
    if len(lengths) != count:
        raise RuntimeError(f"{name} must be of size batch_size")
    return lengths


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """How improbable the targets are over all alignments with the steps of `log_probs` (Graves et al., 2006)."""
    from .functional import _reduction

    kind = reduction if isinstance(reduction, int) else _reduction(reduction)
    alone = log_probs.dim() == 2
    x = log_probs.unsqueeze(1) if alone else log_probs
    targets = targets.unsqueeze(0) if alone and targets.dim() == 1 else targets
    if x.dtype not in (_torch.float32, _torch.float64):
        raise NotImplementedError(f'"ctc_loss_cpu" not implemented for \'{x.type().split(".")[-1].removesuffix("Tensor")}\'')
    if targets.dtype not in (_torch.int32, _torch.int64):
        raise RuntimeError("Expected tensor for argument #2 'targets' to have one of the following scalar types: Long, Int; but got "
                           f"{targets.type()} instead (while checking arguments for ctc_loss_cpu)")
    steps, batch, classes = x.shape
    device = x.device
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    long = _lengths("input_lengths", input_lengths, batch, device)
    wide = _lengths("target_lengths", target_lengths, batch, device)
    where = " (while checking arguments for ctc_loss_cpu)"
    for name, given in (("input_lengths", long), ("target_lengths", wide)):
        for at, n in enumerate(given):
            if n < 0:
                raise RuntimeError(f"Expected {name} to have value at least 0, but got value {n}{where}")
    if targets.dim() == 1:
        starts, total = [], 0
        for n in wide:
            starts.append(total)
            total += n
        if total != targets.size(0):
            raise RuntimeError(f"Expected tensor to have size {total} at dimension 0, but got size {targets.size(0)} for argument #2 "
                               f"'targets'{where}")
        most = max(wide, default=0)
        at = _torch.tensor([[start + min(i, max(n - 1, 0)) for i in range(most)] for start, n in zip(starts, wide)],
                           dtype=_torch.int64, device=device).reshape(batch, most)
        labels = targets.to(_torch.int64)[at.clamp(max=max(total - 1, 0))] if total else at
    else:
        most = max(wide, default=0)
        if targets.size(0) != batch:
            raise RuntimeError(f"Expected tensor to have size {batch} at dimension 0, but got size {targets.size(0)} for argument #2 "
                               f"'targets'{where}")
        if targets.size(1) < most:
            raise RuntimeError(f"Expected tensor to have size at least {most} at dimension 1, but got size {targets.size(1)} for "
                               f"argument #2 'targets'{where}")
        labels = targets[:, :most].to(_torch.int64)
    for n in long:
        if n > steps:
            raise RuntimeError(f"Expected input_lengths to have value at most {steps}, but got value {n}"
                               " (while checking arguments for ctc_loss_allocate_outputs)")
    # Blanks stand before, between and behind the labels. What is beyond a target may be anything: it does not reach its end.
    states = _torch.full((batch, 2 * most + 1), blank, dtype=_torch.int64, device=device)
    states[:, 1::2] = labels.clamp(0, classes - 1)
    skip = _torch.full(states.shape, _NEVER, dtype=x.dtype, device=device)
    if most > 1:
        skip[:, 3::2] = _torch.where(labels[:, 1:] != labels[:, :-1], 0.0, _NEVER).to(x.dtype)
    own = x.gather(2, states.expand(steps, -1, -1)).clamp(min=_NEVER)
    ends, sizes = (_torch.tensor(values, dtype=_torch.int64, device=device) for values in (long, wide))
    place = _torch.arange(2 * most + 1, device=device)
    never = _torch.full_like(skip, _NEVER)
    reached = _torch.where(place == 0, 0.0, never)
    if steps:
        # The first step may be in one of the first two states.
        begin = _torch.where(place < 2, own[0], never)
        reached = _torch.where((ends > 0).unsqueeze(1), begin, reached) if min(long, default=1) == 0 else begin
    shortest = min(long, default=0)
    for t in range(1, max(long, default=0)):
        before = _torch.pad(reached, (2, 0), "constant", _NEVER)
        paths = _torch.stack([reached, before[:, 1:-1], before[:, :-2] + skip])
        after = paths.logsumexp(0) + own[t]
        reached = after if t < shortest else _torch.where((ends > t).unsqueeze(1), after, reached)
    last = reached.gather(1, (2 * sizes).unsqueeze(1))
    if most:
        but_one = reached.gather(1, (2 * sizes - 1).clamp(min=0).unsqueeze(1))
        if min(wide) == 0:
            but_one = _torch.where((sizes > 0).unsqueeze(1), but_one, _NEVER)
        last = _torch.cat([last, but_one], 1).logsumexp(1)
    else:
        last = last.squeeze(1)
    loss = _torch.where(last > _NEVER / 2, -last, math.inf)
    if x.requires_grad:
        # PyTorch's gradient takes each step for a distribution that sums to 1: it has this term besides.
        real = (_torch.arange(steps, device=device).view(-1, 1) < ends).unsqueeze(2)
        sums = _torch.where(real, x, -math.inf).exp().sum((0, 2))
        loss = loss + (sums - sums.detach())
    loss = _torch._under_node(loss, "CtcLossBackward0")
    if zero_infinity:
        loss = _torch.where(loss == math.inf, 0.0, loss)
    if kind == 1:
        return (loss / sizes.clamp(min=1).to(loss.dtype)).mean()
    return loss.sum() if kind == 2 else loss.squeeze(0) if alone else loss


def linear_cross_entropy(input, linear_weight, target, *, linear_bias=None, weight=None, reduction="mean",
                         ignore_index=None, label_smoothing=0.0, options=None):
    """The cross entropy of `linear(input, linear_weight)`."""
    from . import functional as F

    if options is not None:
        raise NotImplementedError("torch.nn.functional.linear_cross_entropy(options)")
    if not 1 <= input.dim() <= 2:
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {input.dim()}")
    if linear_weight.dim() < 2:
        raise RuntimeError(f"expected linear_weight with dimensionality at least 2, got {linear_weight.dim()}")
    features, (classes, *out) = input.shape[-1], linear_weight.shape[:-1]
    if features != linear_weight.shape[-1]:
        raise RuntimeError("expected equal input and linear_weight last dimensions (in_features), "
                           f"got {features} and {linear_weight.shape[-1]}, respectively")
    if linear_bias is not None and tuple(linear_bias.shape) != (classes, *out):
        raise RuntimeError(f"expected linear_bias shape {(classes, *out)}, got {tuple(linear_bias.shape)}")
    if out and input.dim() == 1:
        raise RuntimeError(f"K-dimensional loss defined by linear_weight shape {tuple(linear_weight.shape)} requires batched input, "
                           f"(N, {features}), got unbatched input with shape {tuple(input.shape)}")
    shape = (*input.shape[:-1], classes, *out)
    if tuple(target.shape) == shape and ignore_index is not None:
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    if out:
        linear_weight = linear_weight.reshape(-1, features)
        linear_bias = None if linear_bias is None else linear_bias.reshape(-1)
    logits = F.linear(input, linear_weight, linear_bias).reshape(shape)
    return F.cross_entropy(logits, target, weight=weight, reduction=reduction, ignore_index=-100 if ignore_index is None else
                           ignore_index, label_smoothing=label_smoothing)
