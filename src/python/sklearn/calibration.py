"""Whether chances are what they say."""

import numpy as np


def calibration_curve(y_true, y_prob, *, pos_label=None, n_bins=5, strategy="uniform"):
    """The share of positive samples and the mean chance in each bin that isn't empty."""
    y, chance = np.asarray(y_true), np.asarray(y_prob, dtype=float)
    if chance.min() < 0 or chance.max() > 1:
        raise ValueError("y_prob has values outside [0, 1].")
    labels = np.unique(y)
    if len(labels) > 2:
        raise ValueError(f"Only binary classification is supported. Provided labels {labels}.")
    y = y == (labels[-1] if pos_label is None else pos_label)
    if strategy not in ("uniform", "quantile"):
        raise ValueError("Invalid entry to 'strategy' input. Strategy must be either 'quantile' or 'uniform'.")
    share = np.linspace(0, 1, n_bins + 1)
    bins = share if strategy == "uniform" else np.percentile(chance, share * 100)
    at = np.searchsorted(bins[1:-1], chance)
    size = np.bincount(at, minlength=len(bins))
    there = size != 0
    with np.errstate(all="ignore"):
        true, said = (np.bincount(at, v, len(bins)) / size for v in (y.astype(float), chance))
    return true[there], said[there]


def __getattr__(name):
    if not name.startswith("_"):
        raise NotImplementedError(f"sklearn.calibration.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.calibration' has no attribute '{name}'")
