"""The part of scikit-learn that courses use beside torch: small data sets, splits, preprocessing, metrics and a few models."""

import importlib

__version__ = "1.9.1"

_PARTS = ("base", "calibration", "cluster", "compose", "datasets", "decomposition", "dummy", "ensemble", "exceptions", "feature_extraction",
          "gaussian_process", "impute", "inspection", "isotonic", "linear_model", "manifold", "metrics", "model_selection", "naive_bayes",
          "neighbors", "pipeline", "preprocessing", "svm", "tree", "utils")


def __getattr__(name):
    if name in _PARTS:
        return importlib.import_module(f"sklearn.{name}")
    raise AttributeError(f"module 'sklearn' has no attribute '{name}'")
