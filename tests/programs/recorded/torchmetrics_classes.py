"""torchmetrics: scores of classes and of numbers, over batches."""

import warnings

import torch
import torchmetrics
from torch import nn
from torchmetrics import (AUROC, Accuracy, ConfusionMatrix, F1Score, MeanAbsoluteError, MeanMetric, MeanSquaredError, Metric,
                          MetricCollection, Precision, R2Score, Recall)
from torchmetrics.classification import BinaryAccuracy, MulticlassAccuracy, MulticlassConfusionMatrix, MulticlassPrecision
from torchmetrics.functional import accuracy, confusion_matrix, f1_score, mean_squared_error

torch.manual_seed(0)
warnings.simplefilter("always")
warnings.showwarning = lambda message, category, *rest: print("warned", category.__name__, message)
logits = torch.randn(12, 4)
labels = torch.randint(0, 4, (12,))
guesses = logits.argmax(1)
for average in ("micro", "macro", "weighted", "none", None):
    for make in (Accuracy, Precision, Recall, F1Score):
        metric = make(task="multiclass", num_classes=4, average=average)
        metric.update(logits, labels)
        print(average, metric, metric.compute())
metric = Accuracy(task="multiclass", num_classes=4)
print(metric, metric(logits[:5], labels[:5]), metric(guesses[5:], labels[5:]), metric.compute(), metric.update_count)
metric.reset()
print(metric.compute(), metric.update_called)
print(Accuracy(task="multiclass", num_classes=4, top_k=2)(logits, labels), MulticlassAccuracy(4)(logits, labels), accuracy(logits, labels, task="multiclass", num_classes=4))
print(Accuracy(task="multiclass", num_classes=4, ignore_index=1)(logits, labels))
print(ConfusionMatrix(task="multiclass", num_classes=4)(logits, labels))
print(MulticlassConfusionMatrix(4, normalize="true")(guesses, labels), confusion_matrix(guesses, labels, task="multiclass", num_classes=4).dtype)
scores = torch.tensor([0.1, 0.9, 0.6, 0.4, 0.8, 0.3])
truth = torch.tensor([0, 1, 1, 1, 0, 0])
for make in (Accuracy, Precision, Recall, F1Score, ConfusionMatrix, AUROC, torchmetrics.Specificity, torchmetrics.StatScores,
             torchmetrics.JaccardIndex, torchmetrics.AveragePrecision, torchmetrics.HammingDistance):
    metric = make(task="binary")
    print(metric, metric(scores, truth).tolist(), metric(torch.tensor([2.0, -1.0]), torch.tensor([1, 1])).tolist(), metric.compute())
print(BinaryAccuracy(threshold=0.7)(scores, truth), f1_score(scores, truth, task="binary"))
print(AUROC(task="multiclass", num_classes=4)(logits.softmax(1), labels), AUROC(task="multiclass", num_classes=4, average=None)(logits, labels))
many = torch.rand(5, 3)
flags = torch.randint(0, 2, (5, 3))
print(Accuracy(task="multilabel", num_labels=3)(many, flags), F1Score(task="multilabel", num_labels=3, average="macro")(many, flags))
maps = torch.randn(2, 3, 4, 4)
print(Accuracy(task="multiclass", num_classes=3)(maps, torch.randint(0, 3, (2, 4, 4))))
print(torchmetrics.JaccardIndex(task="multiclass", num_classes=3)(maps, torch.randint(0, 3, (2, 4, 4))))

a, b = torch.tensor([2.5, 0.0, 2.0, 8.0]), torch.tensor([3.0, -0.5, 2.0, 7.0])
for metric in (MeanSquaredError(), MeanSquaredError(squared=False), MeanAbsoluteError(), R2Score(), torchmetrics.MeanAbsolutePercentageError()):
    print(metric, metric(a, b), metric(b[:3], a[:3] * 2), metric.compute())
print(mean_squared_error(a, b), torchmetrics.functional.r2_score(a, b))
losses = MeanMetric()
for value in (1.0, 2.0, torch.tensor(6.0)):
    losses.update(value)
print(losses, losses.compute(), losses.compute().item())
losses.update(10.0, weight=3)
print(losses.compute(), torchmetrics.SumMetric()(torch.tensor([1.0, 2.0])), torchmetrics.MaxMetric()(3), torchmetrics.MinMetric()(torch.tensor([3.0, 1.0])))
nan = MeanMetric()
nan.update(float("nan"))
nan.update(2.0)
print(nan.compute(), MeanMetric(nan_strategy="ignore")(torch.tensor([float("nan"), 1.0])))
cat = torchmetrics.CatMetric()
cat.update(torch.tensor([1.0, 2.0]))
cat.update(3)
print(cat.compute())

both = MetricCollection({"acc": Accuracy(task="multiclass", num_classes=4), "f1": F1Score(task="multiclass", num_classes=4, average="macro")}, prefix="val_")
print(both)
print(both(logits, labels))
both.update(guesses, labels)
print(both.compute(), list(both.keys()), len(both))
both.reset()
some = MetricCollection([Precision(task="multiclass", num_classes=4), MulticlassAccuracy(4)])
some.update(logits, labels)
print(some.compute(), some.clone(prefix="test_").keys())


class Wrong(Metric):
    def __init__(self):
        super().__init__()
        self.add_state("wrong", default=torch.tensor(0), dist_reduce_fx="sum")
        self.add_state("seen", default=[], dist_reduce_fx="cat")

    def update(self, preds, target):
        self.wrong += (preds != target).sum()
        self.seen.append(target)

    def compute(self):
        return self.wrong.float() / len(torch.cat(self.seen))


wrong = Wrong()
print(wrong(guesses, labels), wrong(labels, labels), wrong.compute(), wrong.metric_state["wrong"], list(wrong.state_dict()))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 3)
        self.acc = Accuracy(task="multiclass", num_classes=3)


print(Model(), [name for name, _ in Model().named_parameters()], list(Model().state_dict()))
print(torchmetrics.functional.classification.multiclass_accuracy(logits, labels, 4), Accuracy(task="binary").device)
for what in (lambda: Accuracy(task="multiclass"), lambda: Accuracy(task="cats"), lambda: Accuracy("multiclass", num_classes=4, average="all"),
             lambda: Accuracy(task="multiclass", num_classes=4)(logits, labels[:5]), lambda: Accuracy(task="multiclass", num_classes=3)(logits, labels),
             lambda: Accuracy(task="multiclass", num_classes=2)(guesses, labels), lambda: Accuracy(task="binary")(scores, truth * 2),
             lambda: Accuracy(task="binary")(scores, truth[:2]), lambda: MeanSquaredError()(a, b[:2]), lambda: Accuracy(task="binary", threshold=2.0),
             lambda: Accuracy(), lambda: MetricCollection(5), lambda: MeanMetric(nan_strategy="drop"), lambda: R2Score()(a[:1], b[:1]),
             lambda: Accuracy(task="multiclass", num_classes=4, best=1), lambda: MulticlassPrecision(4, top_k=9)):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, error)
