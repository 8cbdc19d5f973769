"""Scores that few programs ask for."""

import math

import numpy as np

from . import _contingency, _entropy, mean_squared_log_error, mutual_info_score
from ..utils import check_consistent_length


def root_mean_squared_log_error(y_true, y_pred, *, sample_weight=None, multioutput="uniform_average"):
    each = np.sqrt(mean_squared_log_error(y_true, y_pred, sample_weight=sample_weight, multioutput="raw_values"))
    return each if isinstance(multioutput, str) and multioutput == "raw_values" else float(
        np.average(each, weights=None if isinstance(multioutput, str) else multioutput))


def fowlkes_mallows_score(labels_true, labels_pred):
    table = _contingency(labels_true, labels_pred)
    count = table.sum()
    both = float((table.astype(float) ** 2).sum() - count)
    rows, columns = (float((table.sum(axis=k).astype(float) ** 2).sum() - count) for k in (0, 1))
    return math.sqrt(both / rows) * math.sqrt(both / columns) if both != 0.0 else 0.0


def adjusted_mutual_info_score(labels_true, labels_pred, *, average_method="arithmetic"):
    table = _contingency(labels_true, labels_pred)
    a, b, total = table.sum(axis=1), table.sum(axis=0), int(table.sum())
    if len(a) == len(b) == 1:
        return 1.0
    if len(a) == 1 or len(b) == 1:
        return 0.0
    found, expected = mutual_info_score(None, None, contingency=table), 0.0
    lgamma = math.lgamma
    for u in a.astype(int).tolist():
        for v in b.astype(int).tolist():
            fixed = lgamma(u + 1) + lgamma(v + 1) + lgamma(total - u + 1) + lgamma(total - v + 1) - lgamma(total + 1)
            for n in range(max(1, u - total + v), min(u, v) + 1):
                chance = fixed - lgamma(n + 1) - lgamma(u - n + 1) - lgamma(v - n + 1) - lgamma(total - u - v + n + 1)
                expected += n / total * (math.log(total * n) - math.log(u) - math.log(v)) * math.exp(chance)
    ways = {"min": min, "max": max, "arithmetic": lambda x, y: (x + y) / 2, "geometric": lambda x, y: math.sqrt(x * y)}
    away, eps = ways[average_method](float(_entropy(a)), float(_entropy(b))) - expected, float(np.finfo(float).eps)
    away = min(away, -eps) if away < 0 else max(away, eps)
    return float((found - expected) / away)


def hinge_loss(y_true, pred_decision, *, labels=None, sample_weight=None):
    y_true, said = np.asarray(y_true), np.asarray(pred_decision, dtype=float)
    known = np.unique(y_true if labels is None else labels)
    if len(known) > 2:
        if said.ndim <= 1:
            raise ValueError("The shape of pred_decision cannot be 1d arraywith a multiclass target. pred_decision shape must be (n_samples, "
                             f"n_classes), that is ({len(y_true)}, {len(known)}). Got: {said.shape}")
        codes = np.searchsorted(known, y_true)
        rows, others = np.arange(len(codes)), said.copy()
        others[rows, codes] = -np.inf
        margin = said[rows, codes] - others.max(axis=1)
    else:
        margin = np.where(y_true == known[-1], 1.0, -1.0) * said.ravel()
    return float(np.average(np.maximum(1 - margin, 0), weights=sample_weight))


def _deviance(y_true, y_pred, weights, each, fits, what):
    y, p = np.asarray(y_true, dtype=float), np.asarray(y_pred, dtype=float)
    check_consistent_length(y, p, weights)
    if not fits(y, p):
        raise ValueError(what)
    return float(np.average(each(y, p), weights=weights))


def mean_poisson_deviance(y_true, y_pred, *, sample_weight=None):
    return _deviance(y_true, y_pred, sample_weight, lambda y, p: 2 * (np.where(y > 0, y * np.log(np.where(y > 0, y, 1.0) / p), 0.0) - y + p),
                     lambda y, p: (y >= 0).all() and (p > 0).all(),
                     "Mean Tweedie deviance error with power=1 can only be used on non-negative y and strictly positive y_pred.")


def mean_gamma_deviance(y_true, y_pred, *, sample_weight=None):
    return _deviance(y_true, y_pred, sample_weight, lambda y, p: 2 * (np.log(p / y) + y / p - 1), lambda y, p: (y > 0).all() and (p > 0).all(),
                     "Mean Tweedie deviance error with power=2 can only be used on strictly positive y and y_pred.")


def d2_absolute_error_score(y_true, y_pred, *, sample_weight=None, multioutput="uniform_average"):
    y, p = np.asarray(y_true, dtype=float), np.asarray(y_pred, dtype=float)
    if sample_weight is not None or y.ndim > 1:
        raise NotImplementedError("sklearn.metrics.d2_absolute_error_score(sample_weight=), or of several targets")
    most = np.abs(y - np.median(y)).mean()
    return float(1 - np.abs(y - p).mean() / most) if most else 1.0 if (y == p).all() else 0.0


def _gains(y_true, y_score, k, base, ties):
    y, s = np.asarray(y_true, dtype=float), np.asarray(y_score, dtype=float)
    if y.ndim != 2:
        raise ValueError("Only ('multilabel-indicator', 'continuous-multioutput', 'multiclass-multioutput') formats are supported.")
    falls = 1 / (np.log(np.arange(y.shape[1]) + 2) / math.log(base))
    if k is not None:
        falls[k:] = 0
    out = []
    for row, score in zip(y, s):
        if ties:
            order = np.argsort(score, kind="stable")[::-1]
            out.append(float(falls @ row[order]))
            continue
        # Samples with equal scores share the gains of their places.
        _, code, counts = np.unique(-score, return_inverse=True, return_counts=True)
        mean = np.bincount(code, weights=row) / counts
        ends = np.cumsum(counts) - 1
        sums = np.cumsum(falls)[ends]
        sums[1:] = sums[1:] - np.cumsum(falls)[ends][:-1]
        out.append(float((mean * sums).sum()))
    return np.array(out)


def dcg_score(y_true, y_score, *, k=None, log_base=2, sample_weight=None, ignore_ties=False):
    return float(np.average(_gains(y_true, y_score, k, log_base, ignore_ties), weights=sample_weight))


def ndcg_score(y_true, y_score, *, k=None, sample_weight=None, ignore_ties=False):
    if np.asarray(y_true).min() < 0:
        raise ValueError("ndcg_score should not be used on negative y_true values.")
    if np.asarray(y_true).ndim > 1 and np.asarray(y_true).shape[1] <= 1:
        raise ValueError(f"Computing NDCG is only meaningful when there is more than 1 document. Got {np.asarray(y_true).shape[1]} instead.")
    found, most = _gains(y_true, y_score, k, 2, ignore_ties), _gains(y_true, y_true, k, 2, True)
    return float(np.average(np.where(most == 0, 0.0, found / np.where(most == 0, 1.0, most)), weights=sample_weight))
