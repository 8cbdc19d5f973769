"""Scores of predicted classes: counts of right and wrong ones, and what follows from them."""

import warnings

import torch

_AVERAGES = ("micro", "macro", "weighted", "none", None)


def _divided(above, below):
    below = torch.where(below == 0, torch.ones_like(below), below).float()
    return above.float() / below


def _checked_average(average):
    if average not in _AVERAGES:
        raise ValueError(f"Expected argument `average` to be one of {_AVERAGES}, but got {average}")


def _checked(task, num_classes=None, num_labels=None, threshold=0.5, average="micro", top_k=1, multidim_average="global"):
    if multidim_average != "global":
        raise NotImplementedError("torchmetrics: multidim_average='samplewise' isn't here")
    if task == "binary":
        if not (isinstance(threshold, float) and 0 <= threshold <= 1):
            raise ValueError(f"Expected argument `threshold` to be a float in the [0,1] range, but got {threshold}.")
        return
    _checked_average(average)
    if task == "multiclass":
        if not isinstance(num_classes, int) or num_classes < 2:
            raise ValueError(f"Expected argument `num_classes` to be an integer larger than 1, but got {num_classes}")
        if not isinstance(top_k, int) or top_k < 1:
            raise ValueError(f"Expected argument `top_k` to be an integer larger than or equal to 1, but got {top_k}")
        if top_k > num_classes:
            raise ValueError(
                f"Expected argument `top_k` to be smaller or equal to `num_classes` but got {top_k} and {num_classes}"
            )
    elif not isinstance(num_labels, int) or num_labels < 2:
        raise ValueError(f"Expected argument `num_labels` to be an integer larger than 1, but got {num_labels}")


def binary_labels(preds, target, threshold, ignore_index, keep_scores=False):
    if preds.shape != target.shape:
        raise RuntimeError(
            "Predictions and targets are expected to have the same shape," f" but got {preds.shape} and {target.shape}."
        )
    allowed = [0, 1] if ignore_index is None else [0, 1, ignore_index]
    found = torch.unique(target)
    if not all(v in allowed for v in found.tolist()):
        raise RuntimeError(
            f"Detected the following values in `target`: {found} but expected only the following values {allowed}."
        )
    if not preds.is_floating_point():
        found = torch.unique(preds)
        if not all(v in (0, 1) for v in found.tolist()):
            raise RuntimeError(
                f"Detected the following values in `preds`: {found} but expected only the following values [0,1] since "
                "`preds` is a label tensor."
            )
    preds, target = preds.flatten(), target.flatten()
    if ignore_index is not None:
        kept = target != ignore_index
        preds, target = preds[kept], target[kept]
    if preds.is_floating_point():
        if not bool(torch.all((preds >= 0) * (preds <= 1))):
            preds = preds.sigmoid()
        if not keep_scores:
            preds = preds > threshold
    return preds if keep_scores else preds.long(), target.long()


def multiclass_checked(preds, target, num_classes, ignore_index):
    if preds.ndim == target.ndim + 1:
        if not preds.is_floating_point():
            raise ValueError("If `preds` have one dimension more than `target`, `preds` should be a float tensor.")
        if preds.shape[1] != num_classes:
            raise ValueError(
                "If `preds` have one dimension more than `target`, `preds.shape[1]` should be" " equal to number of classes."
            )
        if preds.shape[2:] != target.shape[1:]:
            raise ValueError(
                "If `preds` have one dimension more than `target`, the shape of `preds` should be"
                " (N, C, ...), and the shape of `target` should be (N, ...)."
            )
    elif preds.ndim == target.ndim:
        if preds.shape != target.shape:
            raise ValueError(
                "The `preds` and `target` should have the same shape,"
                f" got `preds` with shape={preds.shape} and `target` with shape={target.shape}."
            )
    else:
        raise ValueError(
            "Either `preds` and `target` both should have the (same) shape (N, ...), or `target` should be (N, ...)"
            " and `preds` should be (N, C, ...)."
        )
    most = num_classes if ignore_index is None else num_classes + 1
    for name, values in (("target", target), ("preds", preds)):
        if name == "preds" and preds.is_floating_point():
            continue
        found = torch.unique(values)
        if len(found) > most:
            raise RuntimeError(
                f"Detected more unique values in `{name}` than expected. Expected only {most} but found {len(found)} in "
                f"`{name}`. Found values: {found}."
            )


def multiclass_labels(preds, target, top_k=1):
    if preds.ndim == target.ndim + 1 and top_k == 1:
        preds = preds.argmax(1)
    preds = preds.flatten() if top_k == 1 or preds.ndim == target.ndim else preds.movedim(1, -1).flatten(0, -2)
    return preds, target.flatten()


def multilabel_labels(preds, target, num_labels, threshold, ignore_index, keep_scores=False):
    _same_shape_multilabel(preds, target)
    if preds.shape[1] != num_labels:
        raise ValueError(
            "Expected both `target.shape[1]` and `preds.shape[1]` to be equal to the number of labels"
            f" but got {preds.shape[1]} and expected {num_labels}"
        )
    if preds.is_floating_point():
        if not bool(torch.all((preds >= 0) * (preds <= 1))):
            preds = preds.sigmoid()
        if not keep_scores:
            preds = preds > threshold
    preds = (preds if keep_scores else preds.long()).movedim(1, -1).flatten(0, -2)
    target = target.movedim(1, -1).flatten(0, -2).long()
    if ignore_index is not None and not keep_scores:
        # Counts look for 0 and 1 only.
        preds = torch.where(target == ignore_index, torch.full_like(preds, -1), preds)
        target = torch.where(target == ignore_index, torch.full_like(target, -1), target)
    return preds, target


def _same_shape_multilabel(preds, target):
    if preds.shape != target.shape:
        raise RuntimeError(
            "Predictions and targets are expected to have the same shape," f" but got {preds.shape} and {target.shape}."
        )


def counts(
    task,
    preds,
    target,
    num_classes=None,
    num_labels=None,
    threshold=0.5,
    average="micro",
    top_k=1,
    ignore_index=None,
    validate_args=True,
):
    """True positives, false positives, true negatives and false negatives."""
    if task == "binary":
        preds, target = binary_labels(preds, target, threshold, ignore_index)
        tp, fp = ((target == preds) & (target == 1)).sum(), ((target != preds) & (target == 0)).sum()
        return tp, fp, ((target == preds) & (target == 0)).sum(), ((target != preds) & (target == 1)).sum()
    if task == "multilabel":
        preds, target = multilabel_labels(preds, target, num_labels, threshold, ignore_index)
        tp, fp = ((target == preds) & (target == 1)).sum(0), ((target != preds) & (target == 0)).sum(0)
        return tp, fp, ((target == preds) & (target == 0)).sum(0), ((target != preds) & (target == 1)).sum(0)
    if validate_args:
        multiclass_checked(preds, target, num_classes, ignore_index)
    preds, target = multiclass_labels(preds, target, top_k)
    if ignore_index is not None:
        kept = target != ignore_index
        preds, target = preds[kept], target[kept]
    if top_k > 1 and preds.ndim > 1:
        best = preds.topk(top_k, 1).indices
        # A guess that has the target among its first few counts as that target, else as its first.
        inside = (best == target[:, None]).any(1)
        preds = torch.where(inside, target, best[:, 0])
    if average == "micro":
        tp = (preds == target).sum()
        fp = (preds != target).sum()
        return tp, fp, num_classes * preds.numel() - (fp + fp + tp), fp
    pairs = (target * num_classes + preds).long()
    table = torch.bincount(pairs, minlength=num_classes**2).reshape(num_classes, num_classes)
    tp = table.diag()
    fp, fn = table.sum(0) - tp, table.sum(1) - tp
    return tp, fp, table.sum() - (fp + fn + tp), fn


def _averaged(score, tp, fp, fn, average, multilabel=False):
    if average in (None, "none"):
        return score
    if average == "weighted":
        weights = (tp + fn).float()
    else:
        weights = torch.ones_like(score)
        if not multilabel:
            weights[tp + fp + fn == 0] = 0.0
    return _divided(weights * score, weights.sum(-1, keepdim=True)).sum(-1)


def score(kind, task, tp, fp, tn, fn, average="micro", beta=1.0):
    """The score that four counts make."""
    multilabel = task == "multilabel"
    if task != "binary" and average == "micro":
        tp, fp, tn, fn = (x.sum() if x.ndim else x for x in (tp, fp, tn, fn))
    if kind == "stat_scores":
        found = torch.stack([tp, fp, tn, fn, tp + fn], -1)
        if average in ("macro", "weighted") and task != "binary":
            return found.float().mean(0) if average == "macro" else (found * ((tp + fn) / (tp + fn).sum())[:, None]).sum(0)
        return found
    if kind == "accuracy":
        whole = tp + tn + fp + fn if task == "binary" or multilabel else tp + fn
        found = _divided(tp + tn if task == "binary" or multilabel else tp, whole)
    elif kind == "precision":
        found = _divided(tp, tp + fp)
    elif kind == "recall":
        found = _divided(tp, tp + fn)
    elif kind == "specificity":
        found = _divided(tn, tn + fp)
    elif kind == "hamming_distance":
        whole = tp + tn + fp + fn if task == "binary" or multilabel else tp + fn
        found = 1 - _divided(tp + tn if task == "binary" or multilabel else tp, whole)
    else:
        found = _divided((1 + beta**2) * tp, (1 + beta**2) * tp + beta**2 * fn + fp)
    if task == "binary" or average == "micro":
        return found
    return _averaged(found, tp, fp, fn, average, multilabel)


def confusion(task, preds, target, num_classes=None, num_labels=None, threshold=0.5, ignore_index=None):
    if task == "binary":
        preds, target = binary_labels(preds, target, threshold, ignore_index)
        return torch.bincount(target * 2 + preds, minlength=4).reshape(2, 2)
    if task == "multilabel":
        tp, fp, tn, fn = counts(task, preds, target, num_labels=num_labels, threshold=threshold, ignore_index=ignore_index)
        return torch.stack([torch.stack([tn, fp], -1), torch.stack([fn, tp], -1)], -2)
    multiclass_checked(preds, target, num_classes, ignore_index)
    preds, target = multiclass_labels(preds, target)
    if ignore_index is not None:
        kept = target != ignore_index
        preds, target = preds[kept], target[kept]
    return torch.bincount((target * num_classes + preds).long(), minlength=num_classes**2).reshape(num_classes, num_classes)


def normalized(table, normalize):
    if normalize in (None, "none"):
        return table
    if normalize not in ("true", "pred", "all"):
        raise ValueError("Argument `normalize` needs to one of the following: ('true', 'pred', 'all', 'none', None)")
    table = table.float()
    below = (
        table.sum(-1, keepdim=True)
        if normalize == "true"
        else table.sum(-2, keepdim=True) if normalize == "pred" else table.sum((-2, -1), keepdim=True)
    )
    made = table / below
    return torch.where(torch.isnan(made), torch.zeros_like(made), made)


def curve(scores, labels):
    """How many are found, right and wrong, at each threshold, from the highest on."""
    order = torch.argsort(scores, descending=True, stable=True)
    scores, labels = scores[order], labels[order]
    ends = torch.nonzero(scores[1:] - scores[:-1]).flatten()
    ends = torch.cat([ends, torch.tensor([len(labels) - 1], device=labels.device)])
    tps = torch.cumsum(labels, 0)[ends]
    return 1 + ends - tps, tps, scores[ends]


def roc_of(scores, labels):
    fps, tps, thresholds = curve(scores, labels)
    zero = torch.zeros(1, dtype=tps.dtype, device=tps.device)
    fps, tps = torch.cat([zero, fps]), torch.cat([zero, tps])
    thresholds = torch.cat([torch.ones(1, dtype=thresholds.dtype, device=thresholds.device), thresholds])
    fpr, tpr = _shares(fps, thresholds, "negative", "false positive"), _shares(tps, thresholds, "positive", "true positive")
    return fpr, tpr, thresholds


def _shares(counts, thresholds, kind, value):
    if counts[-1] > 0:
        return counts / counts[-1]
    warnings.warn(
        f"No {kind} samples in targets, {value} value should be meaningless. Returning zero tensor in {value} score",
        UserWarning,
        stacklevel=5,
    )
    return torch.zeros_like(thresholds)


def auroc_of(scores, labels):
    fpr, tpr, _ = roc_of(scores, labels)
    return torch.trapezoid(tpr, fpr)


def average_precision_of(scores, labels):
    fps, tps, _ = curve(scores, labels)
    precision, recall = tps / (tps + fps), tps / tps[-1]
    before = torch.cat([torch.zeros(1, device=recall.device), recall[:-1]])
    return ((recall - before) * precision).sum()


def ranked(task, function, preds, target, average):
    """A score of a curve: one for two classes, else the mean of one against the rest."""
    if task == "binary":
        return function(preds, target)
    width = preds.shape[1]
    columns = [(preds[:, c], (target == c).long() if task == "multiclass" else target[:, c]) for c in range(width)]
    if average == "micro" and task == "multilabel":
        return function(preds.flatten(), target.flatten())
    found = torch.stack([function(*pair) for pair in columns])
    if average in (None, "none"):
        return found
    there = ~torch.isnan(found)
    if average == "weighted":
        weights = torch.stack([labels.sum() for _, labels in columns]).float()
        weights = weights[there] / weights[there].sum()
        return (found[there] * weights).sum()
    return found[there].mean()


def scores_of(task, preds, target, num_classes=None, num_labels=None, ignore_index=None):
    """Probabilities and labels, flat over all but the classes."""
    if task == "binary":
        if not preds.is_floating_point():
            raise ValueError(
                f"Expected argument `preds` to be an floating tensor with probability/logit scores, but got tensor with dtype "
                f"{preds.dtype}"
            )
        return binary_labels(preds, target, 0.5, ignore_index, keep_scores=True)
    if task == "multilabel":
        return multilabel_labels(preds, target, num_labels, 0.5, ignore_index, keep_scores=True)
    if not preds.is_floating_point():
        raise ValueError(f"Expected `preds` to be a float tensor, but got {preds.dtype}")
    multiclass_checked(preds, target, num_classes, ignore_index)
    preds, target = preds.movedim(1, -1).flatten(0, -2), target.flatten()
    if ignore_index is not None:
        kept = target != ignore_index
        preds, target = preds[kept], target[kept]
    if not bool(torch.all((preds >= 0) * (preds <= 1))):
        preds = preds.softmax(1)
    return preds, target


def _functions():
    """`multiclass_accuracy` and its like."""

    def of_counts(kind, task):
        def binary(preds, target, threshold=0.5, multidim_average="global", ignore_index=None, validate_args=True):
            _checked("binary", threshold=threshold, multidim_average=multidim_average)
            return score(kind, "binary", *counts("binary", preds, target, threshold=threshold, ignore_index=ignore_index))

        def multiclass(
            preds, target, num_classes, average="macro", top_k=1, multidim_average="global", ignore_index=None, validate_args=True
        ):
            _checked("multiclass", num_classes, average=average, top_k=top_k, multidim_average=multidim_average)
            found = counts("multiclass", preds, target, num_classes, average=average, top_k=top_k, ignore_index=ignore_index)
            return score(kind, "multiclass", *found, average)

        def multilabel(
            preds,
            target,
            num_labels,
            threshold=0.5,
            average="macro",
            multidim_average="global",
            ignore_index=None,
            validate_args=True,
        ):
            _checked("multilabel", num_labels=num_labels, average=average, multidim_average=multidim_average)
            found = counts("multilabel", preds, target, num_labels=num_labels, threshold=threshold, ignore_index=ignore_index)
            return score(kind, "multilabel", *found, average)

        return {"binary": binary, "multiclass": multiclass, "multilabel": multilabel}[task]

    for kind in ("accuracy", "precision", "recall", "specificity", "hamming_distance", "stat_scores", "f1_score"):
        for task in ("binary", "multiclass", "multilabel"):
            made = of_counts(kind, task)
            made.__name__ = made.__qualname__ = f"{task}_{kind}"
            globals()[made.__name__] = made


_functions()


def binary_confusion_matrix(preds, target, threshold=0.5, normalize=None, ignore_index=None, validate_args=True):
    return normalized(confusion("binary", preds, target, threshold=threshold, ignore_index=ignore_index), normalize)


def multiclass_confusion_matrix(preds, target, num_classes, normalize=None, ignore_index=None, validate_args=True):
    return normalized(confusion("multiclass", preds, target, num_classes, ignore_index=ignore_index), normalize)


def multilabel_confusion_matrix(preds, target, num_labels, threshold=0.5, normalize=None, ignore_index=None, validate_args=True):
    return normalized(
        confusion("multilabel", preds, target, num_labels=num_labels, threshold=threshold, ignore_index=ignore_index), normalize
    )


def binary_auroc(preds, target, max_fpr=None, thresholds=None, ignore_index=None, validate_args=True):
    _exact(thresholds, max_fpr)
    return auroc_of(*scores_of("binary", preds, target, ignore_index=ignore_index))


def multiclass_auroc(preds, target, num_classes, average="macro", thresholds=None, ignore_index=None, validate_args=True):
    _exact(thresholds)
    return ranked(
        "multiclass", auroc_of, *scores_of("multiclass", preds, target, num_classes, ignore_index=ignore_index), average
    )


def multilabel_auroc(preds, target, num_labels, average="macro", thresholds=None, ignore_index=None, validate_args=True):
    _exact(thresholds)
    return ranked("multilabel", auroc_of, *scores_of("multilabel", preds, target, num_labels=num_labels), average)


def _exact(thresholds, max_fpr=None):
    if thresholds is not None or max_fpr is not None:
        raise NotImplementedError("torchmetrics: `thresholds` and `max_fpr` of curves aren't here")


def multiclass_jaccard_index(preds, target, num_classes, average="macro", ignore_index=None, validate_args=True):
    return jaccard("multiclass", confusion("multiclass", preds, target, num_classes, ignore_index=ignore_index), average)


def binary_jaccard_index(preds, target, threshold=0.5, ignore_index=None, validate_args=True):
    return jaccard("binary", confusion("binary", preds, target, threshold=threshold, ignore_index=ignore_index), None)


def jaccard(task, table, average):
    if task == "binary":
        return _divided(table[1, 1], table[0, 1] + table[1, 0] + table[1, 1])
    inside = table.diag()
    whole = table.sum(0) + table.sum(1) - inside
    if average == "micro":
        return _divided(inside.sum(), whole.sum())
    found = _divided(inside, whole)
    if average in (None, "none"):
        return found
    weights = table.sum(1).float() if average == "weighted" else torch.ones_like(found)
    if average == "macro":
        weights[table.sum(1) + table.sum(0) == 0] = 0.0
    return (weights * found / weights.sum()).sum()


def by_task(kind):
    """`accuracy(preds, target, task=...)` and its like."""

    def chosen(
        preds,
        target,
        task,
        threshold=0.5,
        num_classes=None,
        num_labels=None,
        average="micro",
        multidim_average="global",
        top_k=1,
        ignore_index=None,
        validate_args=True,
        **more,
    ):
        task = checked_task(task)
        function = globals().get(f"{task}_{kind}")
        if function is None:
            raise NotImplementedError(f"torchmetrics.functional.{kind} for the task {task!r}")
        options = {"ignore_index": ignore_index, "validate_args": validate_args, **more}
        if task == "binary":
            return (
                function(preds, target, threshold=threshold, **options)
                if kind not in ("auroc",)
                else function(preds, target, **options)
            )
        if kind in ("confusion_matrix",):
            return function(preds, target, num_classes if task == "multiclass" else num_labels, **options)
        if task == "multiclass":
            if not isinstance(num_classes, int):
                raise lacking_count(kind, task, "num_classes", num_classes)
            if kind in ("auroc", "jaccard_index"):
                return function(preds, target, num_classes, average=average, **options)
            return function(preds, target, num_classes, average=average, top_k=top_k, **options)
        if not isinstance(num_labels, int):
            raise lacking_count(kind, task, "num_labels", num_labels)
        if kind == "auroc":
            return function(preds, target, num_labels, average=average, **options)
        return function(preds, target, num_labels, threshold=threshold, average=average, **options)

    chosen.__name__ = chosen.__qualname__ = kind
    return chosen


def lacking_count(kind, task, name, value):
    """The error for a task without the number of its classes."""
    if kind == "accuracy":
        return ValueError(
            f"Optional arg `{name}` must be type `int` when task is ClassificationTask.{task.upper()}. Got {type(value)}"
        )
    return ValueError(f"`{name}` is expected to be `int` but `{type(value)} was passed.`")


def checked_task(task):
    if task not in ("binary", "multiclass", "multilabel"):
        raise ValueError(f"Invalid Classification: expected one of ['BINARY', 'MULTICLASS', 'MULTILABEL'], but got {task}.")
    return task


accuracy, precision, recall, specificity = (by_task(k) for k in ("accuracy", "precision", "recall", "specificity"))
f1_score, hamming_distance, stat_scores = by_task("f1_score"), by_task("hamming_distance"), by_task("stat_scores")
confusion_matrix, auroc, jaccard_index = by_task("confusion_matrix"), by_task("auroc"), by_task("jaccard_index")
