"""Scores of predictions. Labels and predictions are arrays, lists or tensors of shape (n,)."""

import warnings

import numpy as np

from ..exceptions import UndefinedMetricWarning
from ..utils import check_consistent_length


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


def _several(y_true, y_pred):
    """Whether samples have several labels: both as a column of zeros and ones for each label; None for one label each."""
    true, said = np.asarray(y_true), np.asarray(y_pred)
    if true.ndim != 2 or said.ndim != 2 or true.shape[1] < 2:
        return None
    check_consistent_length(true, said)
    if true.shape != said.shape or not np.isin(true, (0, 1)).all() or not np.isin(said, (0, 1)).all():
        raise ValueError("multiclass-multioutput is not supported")
    return true == 1, said == 1


def accuracy_score(y_true, y_pred, *, normalize=True, sample_weight=None):
    """The share of right predictions, or their number."""
    both = _several(y_true, y_pred)
    if both is None:
        y_true, y_pred = _pair(y_true, y_pred)
        same = y_true == y_pred
    else:
        same = (both[0] == both[1]).all(axis=1)
    weights = _weights(sample_weight, same)
    right = float((same * weights).sum())
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
    both = _several(y_true, y_pred)
    if average not in (None, "micro", "macro", "weighted", "binary") and (average != "samples" or both is None):
        raise ValueError(f"average has to be one of (None, 'micro', 'macro', 'weighted', 'binary'), not {average!r}")
    y_true, y_pred = _pair(y_true, y_pred) if both is None else both
    weights = _weights(sample_weight, y_true)
    present = _seen(y_true, y_pred) if both is None else np.arange(y_true.shape[1])
    if both is not None and average == "binary":
        raise ValueError("Target is multilabel-indicator but average='binary'. Please choose another average setting, one of [None, "
                         "'micro', 'macro', 'weighted', 'samples'].")
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
    if both is None:
        y_true, y_pred = (y[:, None] == labels for y in (y_true, y_pred))
    else:
        y_true, y_pred = y_true[:, labels], y_pred[:, labels]
    of = (lambda found: found.sum(axis=1).astype(float)) if average == "samples" else (lambda found: weights @ found)
    hits, guessed, support = of(y_true & y_pred), of(y_pred), of(y_true)
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
    if average == "weighted" and support.sum() > 0 or average == "samples":
        shares = support / support.sum() if average == "weighted" else weights / weights.sum()
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
    if max_fpr is not None:
        raise NotImplementedError("sklearn.metrics.roc_auc_score(max_fpr=)")
    y_true = _labels(y_true, "y_true")
    classes = np.unique(y_true)
    y_score = np.asarray(y_score, dtype=float)
    if len(classes) > 2 or y_score.ndim == 2 and y_score.shape[1] > 2:
        return _several_auc(y_true, y_score, classes if labels is None else np.asarray(labels), multi_class, average, sample_weight)
    if len(classes) < 2:
        warnings.warn(
            "Only one class is present in y_true. ROC AUC score is not defined in that case.", UndefinedMetricWarning,
            stacklevel=2,
        )
        return float("nan")
    rates = roc_curve(y_true == classes[1], y_score, pos_label=True, sample_weight=sample_weight)
    return auc(rates[0], rates[1])


def _several_auc(y_true, y_score, classes, multi_class, average, sample_weight):
    if multi_class not in ("ovo", "ovr"):
        raise ValueError("multi_class must be in ('ovo', 'ovr')")
    if not np.allclose(1, y_score.sum(axis=1)):
        raise ValueError("Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum up to 1.0 over classes")
    if y_score.shape[1] != len(classes):
        raise ValueError("Number of classes in y_true not equal to the number of columns in 'y_score'")
    shares = np.array([(y_true == c).mean() for c in classes])
    if multi_class == "ovr":
        if average not in ("macro", "weighted", None):
            raise NotImplementedError(f"sklearn.metrics.roc_auc_score(multi_class='ovr', average={average!r})")
        found = np.array([auc(*roc_curve(y_true == c, y_score[:, i], pos_label=True, sample_weight=sample_weight)[:2])
                          for i, c in enumerate(classes)])
        if average is None:
            return found
        return float(found.mean() if average == "macro" else (found * shares).sum() / shares.sum())
    pairs, weights = [], []
    for i in range(len(classes)):
        for j in range(i + 1, len(classes)):
            both = (y_true == classes[i]) | (y_true == classes[j])
            right = y_true[both] == classes[i]
            pairs.append((auc(*roc_curve(right, y_score[both, i], pos_label=True)[:2])
                          + auc(*roc_curve(~right, y_score[both, j], pos_label=True)[:2])) / 2)
            weights.append(float(both.mean()))
    return float(np.mean(pairs) if average == "macro" else np.average(pairs, weights=weights))


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


def _scored(function, sign=1, needs="predict", **options):
    """A scorer: what `function` makes of the truth and of what the estimator answers."""
    def answers(estimator, X):
        if needs == "predict":
            return estimator.predict(X)
        if needs == "decision_function" and hasattr(estimator, "decision_function"):
            return estimator.decision_function(X)
        chances = estimator.predict_proba(X)
        return chances[:, 1] if chances.ndim == 2 and chances.shape[1] == 2 and function is not log_loss else chances

    return _Scorer(function, sign, needs, options, lambda estimator, X, y: sign * function(y, answers(estimator, X), **options))


class _Scorer:
    """A function of an estimator, X and y, which can be printed."""

    def __init__(self, function, sign, needs, options, score):
        self._function, self._sign, self._needs, self._options, self._score = function, sign, needs, options, score

    def __call__(self, estimator, X, y=None):
        return self._score(estimator, X, y)

    def __repr__(self):
        turned = "" if self._sign > 0 else ", greater_is_better=False"
        options = "".join(f", {name}={value}" for name, value in self._options.items())
        return f"make_scorer({self._function.__name__}{turned}, response_method={self._needs!r}{options})"


def make_scorer(score_func, *, response_method="predict", greater_is_better=True, **kwargs):
    """A function of an estimator, X and y out of one of the truth and the predictions."""
    needs = response_method[0] if isinstance(response_method, (list, tuple)) else response_method
    return _scored(score_func, 1 if greater_is_better else -1, needs, **kwargs)


def _known_scorers():
    known = {"accuracy": _scored(accuracy_score), "balanced_accuracy": _scored(balanced_accuracy_score), "r2": _scored(r2_score),
             "explained_variance": _scored(explained_variance_score), "matthews_corrcoef": _scored(matthews_corrcoef),
             "neg_log_loss": _scored(log_loss, -1, "predict_proba"), "neg_brier_score": _scored(brier_score_loss, -1, "predict_proba"),
             "roc_auc": _scored(roc_auc_score, 1, "decision_function"), "average_precision": _scored(average_precision_score, 1,
                                                                                                      "decision_function"),
             "roc_auc_ovr": _scored(roc_auc_score, 1, "predict_proba", multi_class="ovr"),
             "roc_auc_ovo": _scored(roc_auc_score, 1, "predict_proba", multi_class="ovo"),
             "adjusted_rand_score": _scored(adjusted_rand_score), "max_error": _scored(max_error),
             "neg_max_error": _scored(max_error, -1)}
    for name in ("mean_squared_error", "mean_absolute_error", "root_mean_squared_error", "mean_squared_log_error",
                 "median_absolute_error", "mean_absolute_percentage_error"):
        known["neg_" + name] = _scored(globals()[name], -1)
    for name, function in (("f1", f1_score), ("precision", precision_score), ("recall", recall_score), ("jaccard", jaccard_score)):
        known[name] = _scored(function, average="binary")
        known.update((f"{name}_{average}", _scored(function, average=average)) for average in ("macro", "micro", "weighted"))
    return known


def get_scorer_names():
    return sorted(_known_scorers())


def get_scorer(scoring):
    """The scorer of a name."""
    if callable(scoring):
        return scoring
    known = _known_scorers()
    if scoring not in known:
        raise ValueError(f"{scoring!r} is not a valid scoring value. Use sklearn.metrics.get_scorer_names() to get valid options.")
    return known[scoring]


def mean_squared_log_error(y_true, y_pred, *, sample_weight=None, multioutput="uniform_average"):
    y_true, y_pred = _regression(y_true, y_pred)
    if (y_true <= -1).any() or (y_pred <= -1).any():
        raise ValueError("Mean Squared Logarithmic Error cannot be used when targets contain values less than or equal to -1.")
    return mean_squared_error(np.log1p(y_true), np.log1p(y_pred), sample_weight=sample_weight, multioutput=multioutput)


def median_absolute_error(y_true, y_pred, *, multioutput="uniform_average", sample_weight=None):
    if sample_weight is not None:
        raise NotImplementedError("sklearn.metrics.median_absolute_error(sample_weight=)")
    y_true, y_pred = _regression(y_true, y_pred)
    return _over_outputs(np.median(np.abs(y_pred - y_true), axis=0), multioutput)


def mean_absolute_percentage_error(y_true, y_pred, *, sample_weight=None, multioutput="uniform_average"):
    y_true, y_pred = _regression(y_true, y_pred)
    share = np.abs(y_pred - y_true) / np.maximum(np.abs(y_true), np.finfo(np.float64).eps)
    return _over_outputs(_mean_over_rows(share, sample_weight), multioutput)


def max_error(y_true, y_pred):
    y_true, y_pred = _regression(y_true, y_pred)
    if y_true.ndim == 2 and y_true.shape[1] > 1:
        raise ValueError("Multioutput not supported in max_error")
    return float(np.abs(y_true - y_pred).max())


def explained_variance_score(y_true, y_pred, *, sample_weight=None, multioutput="uniform_average", force_finite=True):
    y_true, y_pred = _regression(y_true, y_pred)
    off = y_true - y_pred
    left = _mean_over_rows((off - _mean_over_rows(off, sample_weight)) ** 2, sample_weight)
    whole = _mean_over_rows((y_true - _mean_over_rows(y_true, sample_weight)) ** 2, sample_weight)
    found = np.where(whole != 0, 1 - left / np.where(whole == 0, 1.0, whole), np.where(left == 0, 1.0, 0.0))
    return _over_outputs(found, multioutput)


def zero_one_loss(y_true, y_pred, *, normalize=True, sample_weight=None):
    if normalize:
        return 1 - accuracy_score(y_true, y_pred, sample_weight=sample_weight)
    total = len(y_true) if sample_weight is None else float(np.sum(sample_weight))
    return total - accuracy_score(y_true, y_pred, normalize=False, sample_weight=sample_weight)


def hamming_loss(y_true, y_pred, *, sample_weight=None):
    both = _several(y_true, y_pred)
    if both is not None:
        return float(np.average((both[0] != both[1]).mean(axis=1), weights=sample_weight))
    return 1 - accuracy_score(y_true, y_pred, sample_weight=sample_weight)


def cohen_kappa_score(y1, y2, *, labels=None, weights=None, sample_weight=None):
    """How far two raters agree beyond chance."""
    counts = confusion_matrix(y1, y2, labels=labels, sample_weight=sample_weight).astype(float)
    size = len(counts)
    apart = np.abs(np.arange(size)[:, None] - np.arange(size)[None]).astype(float)
    cost = {None: (apart > 0).astype(float), "linear": apart, "quadratic": apart ** 2}[weights]
    expected = np.outer(counts.sum(axis=0), counts.sum(axis=1)) / counts.sum()
    return float(1 - (cost * counts).sum() / (cost * expected).sum())


def jaccard_score(y_true, y_pred, *, labels=None, pos_label=1, average="binary", sample_weight=None, zero_division="warn"):
    counts = confusion_matrix(y_true, y_pred, labels=labels, sample_weight=sample_weight).astype(float)
    known = (_seen(*_pair(y_true, y_pred)) if labels is None else np.asarray(labels)).tolist()
    hit, true, guessed = np.diag(counts), counts.sum(axis=1), counts.sum(axis=0)
    if average == "micro":
        return float(hit.sum() / (true + guessed - hit).sum())
    union = true + guessed - hit
    each = np.where(union > 0, hit / np.where(union == 0, 1.0, union), 0.0)
    if average is None:
        return each
    if average == "binary":
        if len(known) > 2:
            raise ValueError("Target is multiclass but average='binary'. Please choose another average setting, one of [None, 'micro', "
                             "'macro', 'weighted'].")
        return float(each[known.index(pos_label)])
    return float(each.mean() if average == "macro" else (each * true).sum() / true.sum())


def brier_score_loss(y_true, y_proba, *, sample_weight=None, pos_label=None, labels=None, scale_by_half="auto"):
    """The mean squared distance between chances and what came."""
    y_proba = np.asarray(y_proba, dtype=float)
    if y_proba.ndim != 1:
        raise NotImplementedError("sklearn.metrics.brier_score_loss of more than two classes")
    right = _positive(_labels(y_true, "y_true"), pos_label)
    return float(np.average((right.astype(float) - y_proba) ** 2, weights=sample_weight)) * (2 if scale_by_half is False else 1)


def precision_recall_curve(y_true, y_score, *, pos_label=None, sample_weight=None, drop_intermediate=False):
    """Precisions, recalls and the thresholds that give them."""
    if drop_intermediate:
        raise NotImplementedError("sklearn.metrics.precision_recall_curve(drop_intermediate=True)")
    y_score = np.asarray(y_score, dtype=float)
    right = np.asarray(_positive(_labels(y_true, "y_true"), pos_label)).astype(float)
    weights = _weights(sample_weight, right)
    order = np.argsort(-y_score, kind="stable")
    scores, right, weights = y_score[order], right[order], weights[order]
    ends = np.concatenate([np.where(np.diff(scores) != 0)[0], [len(scores) - 1]])
    hits = np.cumsum(right * weights)[ends]
    taken = np.cumsum(weights)[ends]
    precision = np.where(taken > 0, hits / np.where(taken == 0, 1.0, taken), 0.0)
    if hits[-1] == 0:
        warnings.warn("No positive class found in y_true, recall is set to one for all thresholds.", stacklevel=2)
        recall = np.ones(len(hits))
    else:
        recall = hits / hits[-1]
    return np.concatenate([precision[::-1], [1.0]]), np.concatenate([recall[::-1], [0.0]]), scores[ends][::-1]


def average_precision_score(y_true, y_score, *, average="macro", pos_label=1, sample_weight=None):
    y_true = np.asarray(y_true)
    classes = np.unique(y_true)
    if y_true.ndim == 2 or len(classes) > 2:
        # Each class against the rest.
        hits, y_score = (y_true == 1 if y_true.ndim == 2 else y_true[:, None] == classes), np.asarray(y_score)
        one = lambda a, b: average_precision_score(a.astype(int), b, sample_weight=sample_weight)
        if average == "micro":
            if sample_weight is not None:
                sample_weight = np.repeat(np.asarray(sample_weight), hits.shape[1])
            return one(hits.ravel(), y_score.ravel())
        found = np.array([one(hits[:, i], y_score[:, i]) for i in range(hits.shape[1])])
        if average is None:
            return found
        return float(np.average(found, weights=hits.sum(axis=0) if average == "weighted" else None))
    precision, recall, _ = precision_recall_curve(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return float(max(0.0, -(np.diff(recall) * precision[:-1]).sum()))


def top_k_accuracy_score(y_true, y_score, *, k=2, normalize=True, sample_weight=None, labels=None):
    y_true, y_score = _labels(y_true, "y_true"), np.asarray(y_score)
    classes = np.unique(y_true) if labels is None else np.asarray(labels)
    if y_score.ndim == 1:
        threshold = 0.5 if y_score.min() >= 0 and y_score.max() <= 1 else 0
        hits = (y_score > threshold).astype(int) == np.searchsorted(classes, y_true) if k == 1 else np.ones(len(y_true), dtype=bool)
    else:
        if y_score.shape[1] != len(classes):
            raise ValueError(f"Number of classes in 'y_true' ({len(classes)}) not equal to the number of classes in 'y_score' "
                             f"({y_score.shape[1]}).You can provide a list of all known classes by assigning it to the `labels` parameter.")
        best = np.argsort(y_score, axis=1, kind="mergesort")[:, ::-1][:, :k]
        hits = (best == np.searchsorted(classes, y_true)[:, None]).any(axis=1)
    weights = _weights(sample_weight, y_true)
    return float((hits * weights).sum() / weights.sum()) if normalize else float((hits * weights).sum())


def _contingency(labels_true, labels_pred):
    _, a = np.unique(np.asarray(labels_true), return_inverse=True)
    _, b = np.unique(np.asarray(labels_pred), return_inverse=True)
    check_consistent_length(a, b)
    table = np.zeros((int(a.max()) + 1, int(b.max()) + 1))
    np.add.at(table, (a, b), 1.0)
    return table


def rand_score(labels_true, labels_pred):
    (tn, fp), (fn, tp) = _pairs(_contingency(labels_true, labels_pred))
    return 1.0 if tn + fp + fn + tp == 0 else float((tp + tn) / (tn + fp + fn + tp))


def _pairs(table):
    """How many pairs of rows are apart or together in the one and in the other."""
    n, together = table.sum(), (table ** 2).sum()
    fp = (table.sum(axis=0) ** 2).sum() - together
    fn = (table.sum(axis=1) ** 2).sum() - together
    return (n * n - fp - fn - together, fp), (fn, together - n)


def adjusted_rand_score(labels_true, labels_pred):
    (tn, fp), (fn, tp) = _pairs(_contingency(labels_true, labels_pred))
    if fn == 0 and fp == 0:
        return 1.0
    return float(2.0 * (tp * tn - fn * fp) / ((tp + fn) * (fn + tn) + (tp + fp) * (fp + tn)))


def _entropy(counts):
    share = counts[counts > 0] / counts.sum()
    return float(-(share * np.log(share)).sum())


def mutual_info_score(labels_true, labels_pred, *, contingency=None):
    table = _contingency(labels_true, labels_pred) if contingency is None else np.asarray(contingency, dtype=float)
    found = _entropy(table.sum(axis=0)) + _entropy(table.sum(axis=1)) - _entropy(table.reshape(-1))
    return max(found, 0.0) if abs(found) >= np.finfo(float).eps else 0.0


def normalized_mutual_info_score(labels_true, labels_pred, *, average_method="arithmetic"):
    table = _contingency(labels_true, labels_pred)
    a, b = _entropy(table.sum(axis=1)), _entropy(table.sum(axis=0))
    if a == b == 0:
        return 1.0
    shared = mutual_info_score(None, None, contingency=table)
    mean = {"arithmetic": (a + b) / 2, "geometric": (a * b) ** 0.5, "min": min(a, b), "max": max(a, b)}[average_method]
    return float(shared / mean) if shared else 0.0


def homogeneity_completeness_v_measure(labels_true, labels_pred, *, beta=1.0):
    table = _contingency(labels_true, labels_pred)
    shared, a, b = mutual_info_score(None, None, contingency=table), _entropy(table.sum(axis=1)), _entropy(table.sum(axis=0))
    first, second = shared / a if a else 1.0, shared / b if b else 1.0
    both = beta * first + second
    return first, second, (1 + beta) * first * second / both if both else 0.0


def homogeneity_score(labels_true, labels_pred):
    return homogeneity_completeness_v_measure(labels_true, labels_pred)[0]


def completeness_score(labels_true, labels_pred):
    return homogeneity_completeness_v_measure(labels_true, labels_pred)[1]


def v_measure_score(labels_true, labels_pred, *, beta=1.0):
    return homogeneity_completeness_v_measure(labels_true, labels_pred, beta=beta)[2]


def silhouette_samples(X, labels, *, metric="euclidean"):
    """How much nearer each row is to its own cluster than to the next one."""
    from .pairwise import pairwise_distances

    apart = pairwise_distances(X, metric=metric)
    known, codes = np.unique(np.asarray(labels), return_inverse=True)
    if not 1 < len(known) < len(codes):
        raise ValueError(f"Number of labels is {len(known)}. Valid values are 2 to n_samples - 1 (inclusive)")
    counts = np.bincount(codes)
    sums = np.stack([apart[:, codes == k].sum(axis=1) for k in range(len(known))], axis=1)
    rows = np.arange(len(codes))
    own = sums[rows, codes] / np.maximum(counts[codes] - 1, 1)
    means = sums / counts
    means[rows, codes] = np.inf
    other = means.min(axis=1)
    return np.where(counts[codes] == 1, 0.0, (other - own) / np.maximum(np.maximum(own, other), 1e-300))


def silhouette_score(X, labels, *, metric="euclidean", sample_size=None, random_state=None):
    if sample_size is not None:
        raise NotImplementedError("sklearn.metrics.silhouette_score(sample_size=)")
    return float(silhouette_samples(X, labels, metric=metric).mean())


def multilabel_confusion_matrix(y_true, y_pred, *, sample_weight=None, labels=None, samplewise=False):
    """Two rows and two columns for each class: whether samples are of it, and whether they're said to be."""
    if samplewise or sample_weight is not None:
        raise NotImplementedError("sklearn.metrics.multilabel_confusion_matrix(samplewise=, sample_weight=)")
    true, said = np.asarray(y_true), np.asarray(y_pred)
    if true.ndim == 1:
        labels = np.unique(np.concatenate([true, said])) if labels is None else np.asarray(labels)
        true, said = (v[:, None] == labels for v in (true, said))
    true, said = true.astype(bool), said.astype(bool)
    cells = [(a & b).sum(axis=0) for a in (~true, true) for b in (~said, said)]
    return np.stack(cells, axis=1).reshape(-1, 2, 2)


def _clusters(X, labels):
    X, labels = np.asarray(X, dtype=float), np.unique(np.asarray(labels), return_inverse=True)[1]
    count = int(labels.max()) + 1
    if not 1 < count < len(X):
        raise ValueError(f"Number of labels is {count}. Valid values are 2 to n_samples - 1 (inclusive)")
    return X, labels, count, np.stack([X[labels == k].mean(axis=0) for k in range(count)])


def davies_bouldin_score(X, labels):
    """How wide clusters are, compared with how far apart their centers are; less is better."""
    X, labels, count, centers = _clusters(X, labels)
    wide = np.array([np.sqrt(((X[labels == k] - centers[k]) ** 2).sum(axis=1)).mean() for k in range(count)])
    apart = np.sqrt(((centers[:, None] - centers[None]) ** 2).sum(axis=-1))
    if np.allclose(wide, 0) or np.allclose(apart, 0):
        return 0.0
    apart[apart == 0] = np.inf
    return float(((wide[:, None] + wide[None]) / apart).max(axis=1).mean())


def calinski_harabasz_score(X, labels):
    """How far clusters are from the middle, compared with how wide they are; more is better."""
    X, labels, count, centers = _clusters(X, labels)
    between = (np.bincount(labels) * ((centers - X.mean(axis=0)) ** 2).sum(axis=1)).sum()
    within = ((X - centers[labels]) ** 2).sum()
    return 1.0 if within == 0 else float(between * (len(X) - count) / (within * (count - 1.0)))


def mean_pinball_loss(y_true, y_pred, *, sample_weight=None, alpha=0.5, multioutput="uniform_average"):
    away = np.asarray(y_true, dtype=float) - np.asarray(y_pred, dtype=float)
    if away.ndim > 1:
        raise NotImplementedError("sklearn.metrics.mean_pinball_loss of several targets")
    return float(np.average(np.where(away >= 0, alpha * away, (alpha - 1) * away), weights=sample_weight))


_RARE = ("root_mean_squared_log_error", "fowlkes_mallows_score", "adjusted_mutual_info_score", "hinge_loss", "mean_poisson_deviance",
         "mean_gamma_deviance", "d2_absolute_error_score", "dcg_score", "ndcg_score")
# What `from … import *` brings, with what is loaded later.
__all__ = [name for name, of in list(globals().items()) if name[0] != "_" and getattr(of, "__module__", "").startswith(__name__)]
__all__ += ["ConfusionMatrixDisplay", "PrecisionRecallDisplay", "RocCurveDisplay", "euclidean_distances", "pairwise_distances", *_RARE]


def __getattr__(name):
    if name in ("RocCurveDisplay", "PrecisionRecallDisplay"):
        from .. import _display

        return getattr(_display, name)
    if name in ("pairwise", "pairwise_distances", "euclidean_distances"):
        import importlib

        pairwise = importlib.import_module("sklearn.metrics.pairwise")
        return pairwise if name == "pairwise" else getattr(pairwise, name)
    if name == "ConfusionMatrixDisplay":
        from .._display import ConfusionMatrixDisplay

        return ConfusionMatrixDisplay
    if name in _RARE:
        from . import _rare

        return getattr(_rare, name)
    if not name.startswith("_"):
        raise NotImplementedError(f"sklearn.metrics.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.metrics' has no attribute '{name}'")
