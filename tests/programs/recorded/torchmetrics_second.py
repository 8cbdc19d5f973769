"""torchmetrics: written after the implementation."""

import copy
import warnings

import torch
import torchmetrics
from torch import nn
from torchmetrics.classification import (BinaryAUROC, BinaryConfusionMatrix, BinaryF1Score, BinaryPrecision, BinaryRecall, MulticlassAUROC,
                                         MulticlassF1Score, MulticlassFBetaScore, MulticlassJaccardIndex, MulticlassRecall, MultilabelAccuracy,
                                         MultilabelConfusionMatrix)
from torchmetrics.functional.classification import binary_accuracy, multiclass_confusion_matrix, multiclass_precision

warnings.simplefilter("ignore")
torch.manual_seed(7)
for classes in (2, 3, 5):
    logits = torch.randn(30, classes)
    labels = torch.randint(0, classes, (30,))
    labels[labels == classes - 1] = 0
    for average in ("micro", "macro", "weighted", None):
        row = [make(task="multiclass", num_classes=classes, average=average)(logits, labels) for make in
               (torchmetrics.Accuracy, torchmetrics.Precision, torchmetrics.Recall, torchmetrics.F1Score, torchmetrics.Specificity, torchmetrics.StatScores)]
        for value in row:
            print(classes, average, value.dtype, value.shape, [round(v, 4) for v in value.flatten().tolist()])
    print(MulticlassFBetaScore(2.0, classes)(logits, labels), MulticlassJaccardIndex(classes)(logits, labels), multiclass_precision(logits, labels, classes))
    for normalize in (None, "true", "pred", "all"):
        print(multiclass_confusion_matrix(logits, labels, classes, normalize=normalize))
    print(torchmetrics.Accuracy("multiclass", num_classes=classes, ignore_index=0, average="macro")(logits, labels),
          torchmetrics.Accuracy("multiclass", num_classes=classes, top_k=min(2, classes))(logits, labels))
scores, truth = torch.rand(40), torch.randint(0, 2, (40,))
for make in (BinaryPrecision, BinaryRecall, BinaryF1Score, BinaryAUROC, BinaryConfusionMatrix):
    metric = make()
    for part in range(0, 40, 8):
        print(make.__name__, metric(scores[part:part + 8], truth[part:part + 8]))
    print(metric.compute(), metric._update_count)
print(BinaryF1Score(threshold=0.3)(scores, truth), BinaryRecall(ignore_index=-1)(scores, torch.where(torch.arange(40) < 5, -1, truth)))
print(binary_accuracy(scores.round().long(), truth), BinaryConfusionMatrix(normalize="true")(scores, truth), binary_accuracy(scores.reshape(4, 10), truth.reshape(4, 10)))
probabilities = torch.randn(30, 4).softmax(1)
labels = torch.randint(0, 4, (30,))
print(MulticlassAUROC(4)(probabilities, labels), MulticlassAUROC(4, average="weighted")(probabilities, labels), torchmetrics.functional.auroc(probabilities, labels, task="multiclass", num_classes=4))
flags = torch.randint(0, 2, (10, 3))
many = torch.randn(10, 3)
print(MultilabelAccuracy(3)(many, flags), MultilabelAccuracy(3, average=None)(many, flags), MultilabelConfusionMatrix(3)(many, flags))
metric = MulticlassRecall(4)
other = copy.deepcopy(metric)
metric.update(probabilities, labels)
print(metric.compute(), other.tp, metric.tp, metric.clone().compute(), metric.metric_state)
metric.reset()
print(metric.tp, metric.update_called, [name for name, _ in metric.named_buffers()], len(list(metric.parameters())))
mse = torchmetrics.MeanSquaredError(num_outputs=2)
print(mse(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[1.0, 3.0], [5.0, 4.0]])), torchmetrics.R2Score()(torch.tensor([2.5, 0.0, 2.0, 8.0]), torch.tensor([3, -0.5, 2, 7])))
print(torchmetrics.MeanAbsoluteError()(torch.tensor([1, 2]), torch.tensor([2, 4])), torchmetrics.CosineSimilarity(reduction="mean")(torch.ones(2, 3), torch.arange(6.0).reshape(2, 3)))


class Tracker(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 4)
        self.metrics = torchmetrics.MetricCollection([torchmetrics.Accuracy(task="multiclass", num_classes=4), torchmetrics.F1Score(task="multiclass", num_classes=4)], postfix="_train")


tracker = Tracker()
print(tracker)
for step in range(3):
    x = torch.randn(8, 4)
    print(tracker.metrics(tracker.net(x).detach(), torch.randint(0, 4, (8,))))
print(tracker.metrics.compute())
mean = torchmetrics.MeanMetric()
print(mean(torch.tensor([1.0, 3.0]), torch.tensor([1.0, 3.0])), mean(4), mean.compute(), torchmetrics.MeanMetric(nan_strategy=0.0)(torch.tensor([float("nan"), 2.0])))
