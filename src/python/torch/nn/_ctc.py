"""Losses that few programs need. Loaded when a program first asks for one of them."""

import math

import _torch
from _torch import Tensor
from torch.autograd.function import Function


def _log_sum(*parts):
    """The logarithm of the sum of probabilities that are given as logarithms, with PyTorch's arithmetic."""
    largest = parts[0]
    for part in parts[1:]:
        largest = _torch.maximum(largest, part)
    largest = _torch.where(largest == -math.inf, 0.0, largest)
    total = (parts[0] - largest).exp()
    for part in parts[1:]:
        total = total + (part - largest).exp()
    return total.log() + largest


class _Ctc(Function):
    """The loss of each sequence. In float32, logarithms of improbable paths have few digits behind the point, so the gradient is
    computed as PyTorch's kernel computes it: from the paths up to a state and those from it on."""

    @staticmethod
    def forward(ctx, x, states, ends, sizes, zero_infinity):
        steps, batch, _ = x.shape
        place = _torch.arange(states.size(1), device=x.device)
        # The states of a target that is shorter than the longest one.
        own = place <= 2 * sizes.unsqueeze(1)
        chances = _torch.where(own, x.gather(2, states.expand(steps, -1, -1)), -math.inf)
        never = x.new_full(states.shape, -math.inf)
        # A label may follow another directly, unless they are alike.
        skips = _torch.zeros(states.shape, dtype=_torch.bool, device=x.device)
        skips[:, 2:] = states[:, 2:] != states[:, :-2]
        # The first step may be in one of the first two states.
        reached = [_torch.where(place < 2, chances[0], never)] if steps else []
        for t in range(1, steps):
            before = _torch.pad(reached[-1], (2, 0), "constant", -math.inf)
            two = _torch.where(skips, before[:, :-2], -math.inf)
            reached.append(_log_sum(reached[-1], before[:, 1:-1], two) + chances[t])
        if steps:
            paths = _torch.stack(reached)
            last = paths.gather(0, (ends - 1).clamp(min=0).view(1, -1, 1).expand(1, batch, place.numel()))[0]
            whole = last.gather(1, (2 * sizes).unsqueeze(1)).squeeze(1)
            but_one = last.gather(1, (2 * sizes - 1).clamp(min=0).unsqueeze(1)).squeeze(1)
            loss = -_log_sum(whole, _torch.where(sizes > 0, but_one, -math.inf))
        else:
            paths = x.new_empty(0, *states.shape)
            loss = x.new_zeros(batch)
        loss = _torch.where(ends == 0, _torch.where(sizes == 0, 0.0, math.inf).to(x.dtype), loss)
        ctx.save_for_backward(x, states, ends, sizes, chances, skips, paths, loss)
        ctx.zero_infinity = zero_infinity
        return loss.clone()

    @staticmethod
    def backward(ctx, grad):
        with _torch._grad_mode("no_grad"):
            found = _Ctc.slope(ctx, grad)
        if _torch.is_grad_enabled():
            def refuse(grads):
                raise RuntimeError("derivative for aten::_ctc_loss_backward is not implemented")

            _torch._record("NotImplemented", [ctx.saved_tensors[0]], [found], refuse)
        return found, None, None, None, None

    @staticmethod
    def slope(ctx, grad):
        x, states, ends, sizes, chances, skips, paths, loss = ctx.saved_tensors
        steps = x.size(0)
        place = _torch.arange(states.size(1), device=x.device)
        final = (place == 2 * sizes.unsqueeze(1)) | (place == 2 * sizes.unsqueeze(1) - 1)
        left = x.new_full(states.shape, -math.inf)
        skips = _torch.pad(skips, (0, 2))[:, 2:]
        through = []
        for t in range(steps - 1, -1, -1):
            after = _torch.pad(left, (0, 2), "constant", -math.inf)
            going = _log_sum(left, after[:, 1:-1], _torch.where(skips, after[:, 2:], -math.inf)) + chances[t]
            begin = _torch.where(final, chances[t], -math.inf)
            left = _torch.where((ends == t + 1).unsqueeze(1), begin, _torch.where((ends > t + 1).unsqueeze(1), going, -math.inf))
            through.append(left)
        # For each class, the paths through any of its states.
        total = x.new_full(x.shape, -math.inf)
        if steps:
            through = paths + _torch.stack(through[::-1])
            for s in range(states.size(1) - 1, -1, -1):
                at = states[:, s].view(1, -1, 1).expand(steps, -1, 1)
                so_far, more = total.gather(2, at), through[:, :, s : s + 1]
                total.scatter_(2, at, _torch.where(so_far == -math.inf, more, _log_sum(so_far, more)))
        found = (x.exp() - (total + loss.unsqueeze(1) - x).exp()) * grad.unsqueeze(1)
        found = _torch.where((_torch.arange(steps, device=x.device).unsqueeze(1) < ends).unsqueeze(2), found, 0.0)
        if ctx.zero_infinity:
            found = _torch.where((loss == math.inf).unsqueeze(1), 0.0, found)
        return found


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
    if targets.dtype != _torch.int32:
        targets = targets.long()
    steps, batch, classes = x.shape
    device = x.device
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    long = _lengths("input_lengths", input_lengths, batch, device)
    wide = _lengths("target_lengths", target_lengths, batch, device)
    where = " (while checking arguments for ctc_loss_allocate_outputs)"
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
    ends, sizes = (_torch.tensor(values, dtype=_torch.int64, device=device) for values in (long, wide))
    loss = _torch._under_node(_Ctc.apply(x, states, ends, sizes, bool(zero_infinity)), "CtcLossBackward0")
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
