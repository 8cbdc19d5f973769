"""The part of torchmetrics that courses use: scores that gather over batches, on the device of what they score."""

from . import aggregation, classification, functional, regression
from .aggregation import CatMetric, MaxMetric, MeanMetric, MinMetric, SumMetric
from .classification import (
    AUROC,
    Accuracy,
    AveragePrecision,
    ConfusionMatrix,
    F1Score,
    FBetaScore,
    HammingDistance,
    JaccardIndex,
    Precision,
    Recall,
    Specificity,
    StatScores,
)
from .collections import MetricCollection
from .metric import Metric
from .regression import CosineSimilarity, MeanAbsoluteError, MeanAbsolutePercentageError, MeanSquaredError, R2Score

__version__ = "1.9.0"


def __getattr__(name):
    if name.startswith("__") or name in ("text", "image", "audio", "detection", "wrappers"):
        raise AttributeError(f"module 'torchmetrics' has no attribute '{name}'")
    raise NotImplementedError(f"torchmetrics.{name} isn't here")
