"""Scores as functions."""

from . import classification, regression
from .classification import (
    accuracy,
    auroc,
    confusion_matrix,
    f1_score,
    hamming_distance,
    jaccard_index,
    precision,
    recall,
    specificity,
    stat_scores,
)
from .regression import cosine_similarity, mean_absolute_error, mean_absolute_percentage_error, mean_squared_error, r2_score


def __getattr__(name):
    raise NotImplementedError(f"torchmetrics.functional.{name} isn't here") if not name.startswith("__") else AttributeError(name)
