"""Metrics of classes."""

import torch

from .functional import classification as F
from .metric import Metric


def _joined(parts):
    return torch.cat(parts) if parts else torch.tensor([])


class _Counts(Metric):
    """Gathers true and false positives and negatives."""

    is_differentiable, higher_is_better, full_state_update = False, True, False
    _kind = _task = None

    def _begin(self, size, options):
        Metric.__init__(self, **options)
        for name in ("tp", "fp", "tn", "fn"):
            self.add_state(name, torch.zeros(size, dtype=torch.long), dist_reduce_fx="sum")

    def update(self, preds, target):
        found = F.counts(
            self._task,
            preds,
            target,
            getattr(self, "num_classes", None),
            getattr(self, "num_labels", None),
            getattr(self, "threshold", 0.5),
            getattr(self, "average", None),
            getattr(self, "top_k", 1),
            self.ignore_index,
            self.validate_args,
        )
        for name, more in zip(("tp", "fp", "tn", "fn"), found):
            setattr(self, name, getattr(self, name) + more)

    def compute(self):
        parts = (self.tp, self.fp, self.tn, self.fn)
        if self._task == "binary" or self.average == "micro" and self._task == "multiclass":
            parts = tuple(x.squeeze() for x in parts)
        return F.score(self._kind, self._task, *parts, getattr(self, "average", "micro"), getattr(self, "beta", 1.0))


class _Binary(_Counts):
    _task = "binary"

    def __init__(self, threshold=0.5, multidim_average="global", ignore_index=None, validate_args=True, **options):
        F._checked("binary", threshold=threshold, multidim_average=multidim_average)
        self._begin(1, options)
        self.threshold, self.multidim_average, self.ignore_index, self.validate_args = (
            threshold,
            multidim_average,
            ignore_index,
            validate_args,
        )


class _Multiclass(_Counts):
    _task = "multiclass"

    def __init__(
        self, num_classes, top_k=1, average="macro", multidim_average="global", ignore_index=None, validate_args=True, **options
    ):
        F._checked("multiclass", num_classes, average=average, top_k=top_k, multidim_average=multidim_average)
        self._begin(1 if average == "micro" else num_classes, options)
        self.num_classes, self.top_k, self.average, self.ignore_index = num_classes, top_k, average, ignore_index
        self.multidim_average, self.validate_args = multidim_average, validate_args


class _Multilabel(_Counts):
    _task = "multilabel"

    def __init__(
        self,
        num_labels,
        threshold=0.5,
        average="macro",
        multidim_average="global",
        ignore_index=None,
        validate_args=True,
        **options,
    ):
        F._checked("multilabel", num_labels=num_labels, average=average, multidim_average=multidim_average)
        self._begin(num_labels, options)
        self.num_labels, self.threshold, self.average, self.ignore_index = num_labels, threshold, average, ignore_index
        self.multidim_average, self.validate_args = multidim_average, validate_args


class _Chosen:
    """A metric whose task decides its class."""


def _chooser(name):
    def __new__(
        cls,
        task,
        threshold=0.5,
        num_classes=None,
        num_labels=None,
        average="micro",
        multidim_average="global",
        top_k=1,
        ignore_index=None,
        validate_args=True,
        **options,
    ):
        F.checked_task(task)
        shared = {"multidim_average": multidim_average, "ignore_index": ignore_index, "validate_args": validate_args, **options}
        made = cls._classes[task]
        if task == "binary":
            return made(threshold=threshold, **shared)
        if task == "multiclass":
            if not isinstance(num_classes, int):
                raise F.lacking_count(made._kind, task, "num_classes", num_classes)
            return made(num_classes=num_classes, top_k=top_k, average=average, **shared)
        if not isinstance(num_labels, int):
            raise F.lacking_count(made._kind, task, "num_labels", num_labels)
        return made(num_labels=num_labels, threshold=threshold, average=average, **shared)

    __new__.__qualname__ = f"{name}.__new__"
    return __new__


def _make(kind, name):
    classes = {}
    for task, base in (("binary", _Binary), ("multiclass", _Multiclass), ("multilabel", _Multilabel)):
        title = f"{task.capitalize()}{name}"
        classes[task] = globals()[title] = type(title, (base,), {"_kind": kind, "__module__": __name__})
    globals()[name] = type(name, (_Chosen,), {"_classes": classes, "__module__": __name__, "__new__": _chooser(name)})


for _kind, _name in (
    ("accuracy", "Accuracy"),
    ("precision", "Precision"),
    ("recall", "Recall"),
    ("specificity", "Specificity"),
    ("f1_score", "F1Score"),
    ("hamming_distance", "HammingDistance"),
    ("stat_scores", "StatScores"),
):
    _make(_kind, _name)


class BinaryFBetaScore(_Binary):
    _kind = "fbeta"

    def __init__(self, beta, **options):
        super().__init__(**options)
        self.beta = beta


class MulticlassFBetaScore(_Multiclass):
    _kind = "fbeta"

    def __init__(self, beta, num_classes, **options):
        super().__init__(num_classes, **options)
        self.beta = beta


class MultilabelFBetaScore(_Multilabel):
    _kind = "fbeta"

    def __init__(self, beta, num_labels, **options):
        super().__init__(num_labels, **options)
        self.beta = beta


class FBetaScore:
    def __new__(cls, task, beta=1.0, num_classes=None, num_labels=None, average="micro", **options):
        F.checked_task(task)
        if task == "binary":
            return BinaryFBetaScore(beta, **options)
        if task == "multiclass":
            return MulticlassFBetaScore(beta, num_classes, average=average, **options)
        return MultilabelFBetaScore(beta, num_labels, average=average, **options)


class _Confusion(Metric):
    is_differentiable, full_state_update = False, False
    _task = None

    def update(self, preds, target):
        found = F.confusion(
            self._task,
            preds,
            target,
            getattr(self, "num_classes", None),
            getattr(self, "num_labels", None),
            getattr(self, "threshold", 0.5),
            self.ignore_index,
        )
        self.confmat = self.confmat + found

    def compute(self):
        return F.normalized(self.confmat, self.normalize)

    def _begin(self, shape, normalize, ignore_index, options):
        Metric.__init__(self, **options)
        if normalize not in ("true", "pred", "all", "none", None):
            raise ValueError(
                "Expected argument `normalize` to be one of ('true', 'pred', 'all', 'none', None), but got " f"{normalize}."
            )
        self.normalize, self.ignore_index = normalize, ignore_index
        self.add_state("confmat", torch.zeros(shape, dtype=torch.long), dist_reduce_fx="sum")


class BinaryConfusionMatrix(_Confusion):
    _task = "binary"

    def __init__(self, threshold=0.5, ignore_index=None, normalize=None, validate_args=True, **options):
        self._begin((2, 2), normalize, ignore_index, options)
        self.threshold = threshold


class MulticlassConfusionMatrix(_Confusion):
    _task = "multiclass"

    def __init__(self, num_classes, ignore_index=None, normalize=None, validate_args=True, **options):
        F._checked("multiclass", num_classes)
        self._begin((num_classes, num_classes), normalize, ignore_index, options)
        self.num_classes = num_classes


class MultilabelConfusionMatrix(_Confusion):
    _task = "multilabel"

    def __init__(self, num_labels, threshold=0.5, ignore_index=None, normalize=None, validate_args=True, **options):
        self._begin((num_labels, 2, 2), normalize, ignore_index, options)
        self.num_labels, self.threshold = num_labels, threshold


class ConfusionMatrix:
    def __new__(
        cls,
        task,
        threshold=0.5,
        num_classes=None,
        num_labels=None,
        normalize=None,
        ignore_index=None,
        validate_args=True,
        **options,
    ):
        F.checked_task(task)
        shared = {"normalize": normalize, "ignore_index": ignore_index, "validate_args": validate_args, **options}
        if task == "binary":
            return BinaryConfusionMatrix(threshold, **shared)
        if task == "multiclass":
            if not isinstance(num_classes, int):
                raise ValueError(f"`num_classes` is expected to be `int` but `{type(num_classes)} was passed.`")
            return MulticlassConfusionMatrix(num_classes, **shared)
        if not isinstance(num_labels, int):
            raise ValueError(f"`num_labels` is expected to be `int` but `{type(num_labels)} was passed.`")
        return MultilabelConfusionMatrix(num_labels, threshold, **shared)


class BinaryJaccardIndex(BinaryConfusionMatrix):
    def compute(self):
        return F.jaccard("binary", self.confmat, None)


class MulticlassJaccardIndex(MulticlassConfusionMatrix):
    def __init__(self, num_classes, average="macro", ignore_index=None, validate_args=True, **options):
        super().__init__(num_classes, ignore_index, None, validate_args, **options)
        self.average = average

    def compute(self):
        return F.jaccard("multiclass", self.confmat, self.average)


class JaccardIndex:
    def __new__(cls, task, threshold=0.5, num_classes=None, num_labels=None, average="macro", ignore_index=None, **options):
        F.checked_task(task)
        if task == "multilabel":
            raise NotImplementedError("torchmetrics: JaccardIndex for the task 'multilabel'")
        return (
            BinaryJaccardIndex(threshold, ignore_index, **options)
            if task == "binary"
            else MulticlassJaccardIndex(num_classes, average, ignore_index, **options)
        )


class _Curve(Metric):
    """Keeps all scores until a curve is asked for."""

    is_differentiable, higher_is_better, full_state_update = False, True, False
    _task = _function = None

    def _begin(self, thresholds, ignore_index, options):
        Metric.__init__(self, **options)
        F._exact(thresholds, getattr(self, "max_fpr", None))
        self.thresholds, self.ignore_index = thresholds, ignore_index
        self.add_state("preds", [], dist_reduce_fx="cat")
        self.add_state("target", [], dist_reduce_fx="cat")

    def update(self, preds, target):
        preds, target = F.scores_of(
            self._task, preds, target, getattr(self, "num_classes", None), getattr(self, "num_labels", None), self.ignore_index
        )
        if preds.device != self._device:
            raise RuntimeError(
                f"Expected all tensors to be on the same device, but found at least two devices, {preds.device} and "
                f"{self._device}!"
            )
        self.preds.append(preds)
        self.target.append(target)

    def compute(self):
        return F.ranked(
            self._task, type(self)._function, _joined(self.preds), _joined(self.target), getattr(self, "average", None)
        )


class _BinaryCurve(_Curve):
    _task = "binary"

    def __init__(self, max_fpr=None, thresholds=None, ignore_index=None, validate_args=True, **options):
        F._exact(thresholds, max_fpr)
        self._begin(thresholds, ignore_index, options)


class _MulticlassCurve(_Curve):
    _task = "multiclass"

    def __init__(self, num_classes, average="macro", thresholds=None, ignore_index=None, validate_args=True, **options):
        self._begin(thresholds, ignore_index, options)
        self.num_classes, self.average = num_classes, average


class _MultilabelCurve(_Curve):
    _task = "multilabel"

    def __init__(self, num_labels, average="macro", thresholds=None, ignore_index=None, validate_args=True, **options):
        self._begin(thresholds, ignore_index, options)
        self.num_labels, self.average = num_labels, average


def _make_curve(function, name):
    classes = {}
    for task, base in (("binary", _BinaryCurve), ("multiclass", _MulticlassCurve), ("multilabel", _MultilabelCurve)):
        title = f"{task.capitalize()}{name}"
        classes[task] = globals()[title] = type(title, (base,), {"_function": staticmethod(function), "__module__": __name__})

    def chosen(
        cls,
        task,
        thresholds=None,
        num_classes=None,
        num_labels=None,
        average="macro",
        ignore_index=None,
        validate_args=True,
        **options,
    ):
        F.checked_task(task)
        shared = {"thresholds": thresholds, "ignore_index": ignore_index, **options}
        if task == "binary":
            return classes[task](**shared)
        if task == "multiclass":
            if not isinstance(num_classes, int):
                raise ValueError(f"`num_classes` is expected to be `int` but `{type(num_classes)} was passed.`")
            return classes[task](num_classes, average, **shared)
        return classes[task](num_labels, average, **shared)

    globals()[name] = type(name, (), {"__new__": chosen, "__module__": __name__})


_make_curve(F.auroc_of, "AUROC")
_make_curve(F.average_precision_of, "AveragePrecision")


def __getattr__(name):
    raise (
        NotImplementedError(f"torchmetrics.classification.{name} isn't here")
        if not name.startswith("__")
        else AttributeError(name)
    )
