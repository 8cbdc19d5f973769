"""Scores of predictions. Labels and predictions are arrays, lists or tensors of shape (n,)."""

import warnings

import numpy as np

from .exceptions import UndefinedMetricWarning
from .utils import check_consistent_length


def _labels(y, name):
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(f"{name} must be labels of shape (n,), got an array of shape {y.shape}")
    return y


def _pair(y_true, y_pred):
    y_true, y_pred = _labels(y_true, "y_true"), _labels(y_pred, "y_pred")
    check_consistent_length(y_true, y_pred)
    kinds = [_kind(y) for y in (y_true, y_pred)]
    if "continuous" in kinds:
        if kinds[0] == kinds[1]:
            raise ValueError("continuous is not supported")
        raise ValueError(f"Classification metrics can't handle a mix of {kinds[0]} and {kinds[1]} targets")
    return y_true, y_pred


def _kind(y):
    if y.dtype.kind == "f" and (y != np.floor(y)).any():
        return "continuous"
    return "multiclass" if len(np.unique(y)) > 2 else "binary"


def _weights(sample_weight, y):
    if sample_weight is None:
        return np.ones(len(y))
    check_consistent_length(y, sample_weight)
    return np.asarray(sample_weight, dtype=float)


def _seen(y_true, y_pred):
    return np.unique(np.concatenate([y_true, y_pred]))


def accuracy_score(y_true, y_pred, *, normalize=True, sample_weight=None):
    """The share of right predictions, or their number."""
    y_true, y_pred = _pair(y_true, y_pred)
    weights = _weights(sample_weight, y_true)
    right = float(((y_true == y_pred) * weights).sum())
    return right / float(weights.sum()) if normalize else right


def confusion_matrix(y_true, y_pred, *, labels=None, sample_weight=None, normalize=None):
    """Counts of shape (classes, classes): a row for each true class, a column for each predicted one."""
    y_true, y_pred = _pair(y_true, y_pred)
    weights = _weights(sample_weight, y_true)
    labels = _seen(y_true, y_pred) if labels is None else np.asarray(labels)
    if not (labels[:, None] == y_true).any():
        raise ValueError("At least one label specified must be in y_true")
    found = np.array([[((y_true == a) & (y_pred == b)) @ weights for b in labels.tolist()] for a in labels.tolist()])
    if normalize is None:
        return found if sample_weight is not None else found.astype(int)
    if normalize not in ("true", "pred", "all"):
        raise ValueError(
            "The 'normalize' parameter of confusion_matrix must be a str among {'pred', 'true', 'all'} or None. "
            f"Got {normalize!r} instead."
        )
    whole = found.sum() if normalize == "all" else found.sum(axis=1 if normalize == "true" else 0, keepdims=True)
    return np.where(whole == 0, 0.0, found / np.where(whole == 0, 1.0, whole))


def _divided(tops, bottoms, what, whose, zero_division, several, warn):
    """Quotients; where nothing is there to divide by, `zero_division` and a warning."""
    empty = bottoms == 0
    if empty.any() and zero_division == "warn" and warn:
        where = "in labels with" if several else "due to"
        warnings.warn(
            f"{what} is ill-defined and being set to 0.0 {where} no {whose} samples. "
            "Use `zero_division` parameter to control this behavior.",
            UndefinedMetricWarning, stacklevel=4,
        )
    instead = 0.0 if zero_division == "warn" else float(zero_division)
    return np.where(empty, instead, tops / np.where(empty, 1.0, bottoms))


def precision_recall_fscore_support(y_true, y_pred, *, beta=1.0, labels=None, pos_label=1, average=None,
                                    warn_for=("precision", "recall", "f-score"), sample_weight=None, zero_division="warn"):
    """(precision, recall, F-score, support): arrays of one entry a class, or numbers if `average` says how."""
    if average not in (None, "micro", "macro", "weighted", "binary"):
        raise ValueError(f"average has to be one of (None, 'micro', 'macro', 'weighted', 'binary'), not {average!r}")
    y_true, y_pred = _pair(y_true, y_pred)
    weights = _weights(sample_weight, y_true)
    present = _seen(y_true, y_pred)
    if average == "binary":
        if len(present) > 2:
            raise ValueError(
                "Target is multiclass but average='binary'. Please choose another average setting, one of "
                "[None, 'micro', 'macro', 'weighted']."
            )
        if not (present == pos_label).any() and len(present) >= 2:
            raise ValueError(f"pos_label={pos_label} is not a valid label. It should be one of {present.tolist()}")
        labels = [pos_label]
    labels = present if labels is None else np.asarray(labels)
    hits = np.array([((y_true == c) & (y_pred == c)) @ weights for c in labels.tolist()])
    guessed = np.array([(y_pred == c) @ weights for c in labels.tolist()])
    support = np.array([(y_true == c) @ weights for c in labels.tolist()])
    parts = hits, guessed, support
    if average == "micro":
        parts = tuple(np.array([part.sum()]) for part in parts)
    several = len(parts[0]) > 1
    precision = _divided(parts[0], parts[1], "Precision", "predicted", zero_division, several, "precision" in warn_for)
    recall = _divided(parts[0], parts[2], "Recall", "true", zero_division, several, "recall" in warn_for)
    squared = beta ** 2
    f_score = _divided(
        (1 + squared) * parts[0], parts[1] + squared * parts[2], "F-score", "true nor predicted", zero_division, several,
        "f-score" in warn_for,
    )
    if average is None:
        counts = support if sample_weight is not None else support.astype(int)
        return precision, recall, f_score, counts
    if average == "weighted" and support.sum() > 0:
        shares = support / support.sum()
        return float(precision @ shares), float(recall @ shares), float(f_score @ shares), None
    return float(precision.mean()), float(recall.mean()), float(f_score.mean()), None


def _one_score(at, name, y_true, y_pred, beta=1.0, **how):
    return precision_recall_fscore_support(y_true, y_pred, beta=beta, warn_for=(name,), **how)[at]


def precision_score(y_true, y_pred, *, labels=None, pos_label=1, average="binary", sample_weight=None, zero_division="warn"):
    """How many of those predicted as a class belong to it."""
    return _one_score(0, "precision", y_true, y_pred, labels=labels, pos_label=pos_label, average=average,
                      sample_weight=sample_weight, zero_division=zero_division)


def recall_score(y_true, y_pred, *, labels=None, pos_label=1, average="binary", sample_weight=None, zero_division="warn"):
    """How many of a class are predicted as it."""
    return _one_score(1, "recall", y_true, y_pred, labels=labels, pos_label=pos_label, average=average,
                      sample_weight=sample_weight, zero_division=zero_division)


def fbeta_score(y_true, y_pred, *, beta, labels=None, pos_label=1, average="binary", sample_weight=None, zero_division="warn"):
    """The weighted harmonic mean of precision and recall."""
    return _one_score(2, "f-score", y_true, y_pred, beta, labels=labels, pos_label=pos_label, average=average,
                      sample_weight=sample_weight, zero_division=zero_division)


def f1_score(y_true, y_pred, *, labels=None, pos_label=1, average="binary", sample_weight=None, zero_division="warn"):
    """The harmonic mean of precision and recall."""
    return fbeta_score(y_true, y_pred, beta=1.0, labels=labels, pos_label=pos_label, average=average,
                       sample_weight=sample_weight, zero_division=zero_division)


def classification_report(y_true, y_pred, *, labels=None, target_names=None, sample_weight=None, digits=2, output_dict=False,
                          zero_division="warn"):
    """Precision, recall and F1 of each class and their means, as text or as dictionaries."""
    y_true, y_pred = _pair(y_true, y_pred)
    chosen = labels is not None
    labels = np.asarray(labels) if chosen else _seen(y_true, y_pred)
    # When the labels are not all that occur, right predictions are not all that count: no accuracy then.
    accuracy = not chosen or set(_seen(y_true, y_pred).tolist()) <= set(labels.tolist())
    names = [str(label) for label in labels] if target_names is None else [str(name) for name in target_names]
    if len(names) != len(labels):
        hint = ". Try specifying the labels parameter" if not chosen else ""
        raise ValueError(f"Number of classes, {len(labels)}, does not match size of target_names, {len(names)}{hint}")

    def scores(average):
        return precision_recall_fscore_support(
            y_true, y_pred, labels=labels, average=average, sample_weight=sample_weight, zero_division=zero_division
        )

    keys = ("precision", "recall", "f1-score", "support")
    by_class = scores(None)
    total = by_class[3].sum().item()
    rows = {name: dict(zip(keys, (float(p), float(r), float(f), float(s)))) for name, p, r, f, s in zip(names, *by_class)}
    means = {}
    for average in ("micro", "macro", "weighted"):
        values = scores(average)[:3]
        if average == "micro" and accuracy:
            means["accuracy"] = values[0]
        else:
            means[f"{average} avg"] = dict(zip(keys, (*values, float(total))))
    if output_dict:
        return {**rows, **means}
    width = max(*(len(name) for name in names), len("weighted avg"), digits)
    lines = [" ".join([" " * width, "".join(f" {key:>9}" for key in keys)]), ""]

    def line(name, values, count):
        return f"{name:>{width}} " + "".join(f" {value:>9.{digits}f}" for value in values) + f" {count:>9}"

    for (name, row), count in zip(rows.items(), by_class[3].tolist()):
        lines.append(line(name, [row[key] for key in keys[:3]], count))
    lines.append("")
    for name, row in means.items():
        if name == "accuracy":
            lines.append(f"{name:>{width}} " + " " * 21 + f"{row:>9.{digits}f} {total:>9}")
        else:
            lines.append(line(name, [row[key] for key in keys[:3]], total))
    return "\n".join(lines) + "\n"


def _regression(y_true, y_pred):
    y_true, y_pred = (np.asarray(y, dtype=float) for y in (y_true, y_pred))
    check_consistent_length(y_true, y_pred)
    y_true, y_pred = (y.reshape(-1, 1) if y.ndim == 1 else y for y in (y_true, y_pred))
    if y_true.shape[1] != y_pred.shape[1]:
        raise ValueError(f"y_true and y_pred have different number of output ({y_true.shape[1]}!={y_pred.shape[1]})")
    return y_true, y_pred


def _over_outputs(values, multioutput):
    if isinstance(multioutput, str):
        if multioutput not in ("raw_values", "uniform_average"):
            raise NotImplementedError(f"multioutput={multioutput!r} isn't supported here")
        return values if multioutput == "raw_values" else float(values.mean())
    return float(np.average(values, weights=np.asarray(multioutput, dtype=float)))


def _mean_over_rows(values, sample_weight):
    return np.average(values, axis=0, weights=None if sample_weight is None else np.asarray(sample_weight, dtype=float))


def mean_squared_error(y_true, y_pred, *, sample_weight=None, multioutput="uniform_average"):
    """The mean of the squared differences."""
    y_true, y_pred = _regression(y_true, y_pred)
    return _over_outputs(_mean_over_rows((y_true - y_pred) ** 2, sample_weight), multioutput)


def root_mean_squared_error(y_true, y_pred, *, sample_weight=None, multioutput="uniform_average"):
    """The root of the mean of the squared differences."""
    squares = mean_squared_error(y_true, y_pred, sample_weight=sample_weight, multioutput="raw_values")
    return _over_outputs(np.sqrt(squares), multioutput)


def mean_absolute_error(y_true, y_pred, *, sample_weight=None, multioutput="uniform_average"):
    """The mean of the absolute differences."""
    y_true, y_pred = _regression(y_true, y_pred)
    return _over_outputs(_mean_over_rows(np.abs(y_true - y_pred), sample_weight), multioutput)


def r2_score(y_true, y_pred, *, sample_weight=None, multioutput="uniform_average"):
    """The coefficient of determination: 1 is perfect, 0 as good as the mean."""
    y_true, y_pred = _regression(y_true, y_pred)
    if len(y_true) < 2:
        warnings.warn("R^2 score is not well-defined with less than two samples.", UndefinedMetricWarning, stacklevel=2)
        return float("nan")
    weights = _weights(sample_weight, y_true).reshape(-1, 1)
    rest = (weights * (y_true - y_pred) ** 2).sum(axis=0)
    around = (weights * (y_true - _mean_over_rows(y_true, sample_weight)) ** 2).sum(axis=0)
    # A target that never varies: perfect or not is all that can be said.
    constant = np.where(rest == 0, 1.0, 0.0)
    return _over_outputs(np.where(around == 0, constant, 1 - rest / np.where(around == 0, 1.0, around)), multioutput)


def _positive(y_true, pos_label):
    y_true = _labels(y_true, "y_true")
    classes = np.unique(y_true)
    if len(classes) > 2:
        raise ValueError("multiclass format is not supported")
    if pos_label is None:
        if classes.dtype.kind in "US" or not set(classes.tolist()) <= {0, 1, -1}:
            raise ValueError(
                f"y_true takes value in {{{', '.join(map(repr, classes.tolist()))}}} and pos_label is not specified: either make "
                "y_true take value in {0, 1} or {-1, 1} or pass pos_label explicitly."
            )
        pos_label = 1
    return y_true == pos_label


def roc_curve(y_true, y_score, *, pos_label=None, sample_weight=None, drop_intermediate=True):
    """(false positive rates, true positive rates, thresholds), one entry for each threshold."""
    positive, y_score = _positive(y_true, pos_label), np.asarray(y_score)
    check_consistent_length(positive, y_score)
    weights = _weights(sample_weight, positive)
    order = np.argsort(-y_score, kind="stable")
    positive, y_score, weights = positive[order], y_score[order], weights[order]
    last = np.concatenate([np.where(np.diff(y_score) != 0)[0], np.array([len(y_score) - 1])])
    hits, alarms = np.cumsum(positive * weights)[last], np.cumsum((1 - positive) * weights)[last]
    thresholds = y_score[last]
    if drop_intermediate and len(alarms) > 2:
        bend = (np.diff(alarms, n=2) != 0) | (np.diff(hits, n=2) != 0)
        keep = np.where(np.concatenate([np.array([True]), bend, np.array([True])]))[0]
        hits, alarms, thresholds = hits[keep], alarms[keep], thresholds[keep]
    hits, alarms = np.concatenate([np.zeros(1), hits]), np.concatenate([np.zeros(1), alarms])
    thresholds = np.concatenate([np.array([np.inf]), thresholds])
    rates = []
    for counts, whose, name in ((alarms, "negative", "false"), (hits, "positive", "true")):
        if counts[-1] <= 0:
            warnings.warn(
                f"No {whose} samples in y_true, {name} positive value should be meaningless", UndefinedMetricWarning, stacklevel=2
            )
            rates.append(np.full(counts.shape, np.nan))
        else:
            rates.append(counts / counts[-1])
    return rates[0], rates[1], thresholds


def auc(x, y):
    """The area under a curve, by the trapezoidal rule."""
    x, y = np.asarray(x), np.asarray(y)
    check_consistent_length(x, y)
    if len(x) < 2:
        raise ValueError(f"At least 2 points are needed to compute area under curve, but x.shape = {x.shape}")
    steps = np.diff(x)
    if (steps < 0).any() and not (steps <= 0).all():
        raise ValueError(f"x is neither increasing nor decreasing : {x}.")
    return abs(float((steps * (y[1:] + y[:-1]) / 2).sum()))


def roc_auc_score(y_true, y_score, *, average="macro", sample_weight=None, max_fpr=None, multi_class="raise", labels=None):
    """The area under the ROC curve of two classes."""
    if max_fpr is not None or multi_class != "raise":
        raise NotImplementedError("roc_auc_score is for two classes here, without max_fpr")
    y_true = _labels(y_true, "y_true")
    classes = np.unique(y_true)
    if len(classes) > 2:
        raise ValueError("multi_class must be in ('ovo', 'ovr')")
    if len(classes) < 2:
        warnings.warn(
            "Only one class is present in y_true. ROC AUC score is not defined in that case.", UndefinedMetricWarning,
            stacklevel=2,
        )
        return float("nan")
    rates = roc_curve(y_true == classes[1], y_score, pos_label=True, sample_weight=sample_weight)
    return auc(rates[0], rates[1])


def balanced_accuracy_score(y_true, y_pred, *, sample_weight=None, adjusted=False):
    """The mean of the recall of each class."""
    table = confusion_matrix(y_true, y_pred, sample_weight=sample_weight)
    with np.errstate(all="ignore"):
        each = np.diag(table) / table.sum(axis=1)
    if np.isnan(each).any():
        warnings.warn("y_pred contains classes not in y_true", stacklevel=2)
        each = each[~np.isnan(each)]
    score = float(np.mean(each))
    chance = 1 / len(each)
    return (score - chance) / (1 - chance) if adjusted else score


def matthews_corrcoef(y_true, y_pred, *, sample_weight=None):
    """The correlation of the classes and their predictions."""
    table = confusion_matrix(y_true, y_pred, sample_weight=sample_weight).astype(float)
    true, told, total = table.sum(axis=1), table.sum(axis=0), table.sum()
    both = float(np.trace(table)) * total - float(np.dot(true, told))
    spread = (total**2 - float(np.dot(told, told))) * (total**2 - float(np.dot(true, true)))
    return float(both / np.sqrt(spread)) if spread else 0.0


def log_loss(y_true, y_pred, *, normalize=True, sample_weight=None, labels=None):
    """The negative logarithm of the chances that were given to the right classes."""
    y_true, chances = _labels(y_true, "y_true"), np.asarray(y_pred, dtype=float)
    classes = np.unique(y_true if labels is None else labels)
    if len(classes) == 1:
        raise ValueError("The number of classes in labels is different from that in y_pred. Classes found in labels: "
                         f"{classes}" if labels is not None else
                         f"y_true contains only one label ({classes[0]}). Please provide the true labels explicitly through the labels "
                         "argument.")
    chances = np.stack([1 - chances, chances], axis=1) if chances.ndim == 1 else chances
    eps = float(np.finfo(chances.dtype).eps)
    given = np.clip(chances, eps, 1 - eps)[np.arange(len(y_true)), np.searchsorted(classes, y_true)]
    weights = _weights(sample_weight, y_true)
    total = float((-np.log(given) * weights).sum())
    return total / float(weights.sum()) if normalize else total


def __getattr__(name):
    if name == "ConfusionMatrixDisplay":
        from ._display import ConfusionMatrixDisplay

        return ConfusionMatrixDisplay
    if not name.startswith("_"):
        raise NotImplementedError(f"sklearn.metrics.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.metrics' has no attribute '{name}'")
