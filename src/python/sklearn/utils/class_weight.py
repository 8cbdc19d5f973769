"""Weights that make classes of different sizes count alike."""

import numpy as np


def compute_class_weight(class_weight, *, classes, y, sample_weight=None):
    """The weight of each class."""
    classes, y = np.asarray(classes), np.asarray(y)
    if set(y.tolist()) - set(classes.tolist()):
        raise ValueError("classes should include all valid labels that can be in y")
    if class_weight is None or not len(class_weight):
        return np.ones(len(classes))
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ValueError(f"class_weight should be 'balanced', dict or None. Got {class_weight!r}.")
        mass = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        sizes = np.array([mass[y == label].sum() for label in classes])
        if not sizes.all():
            raise ValueError("classes should have valid labels that are in y")
        return mass.sum() / (len(classes) * sizes)
    known = {label: class_weight[label] for label in classes.tolist() if label in class_weight}
    if set(class_weight) - set(classes.tolist()):
        lacking = [label for label in classes.tolist() if label not in class_weight]
        if len(lacking) == len(classes) or lacking:
            raise ValueError(f"The classes, {lacking}, are not in class_weight")
    return np.array([float(known.get(label, 1.0)) for label in classes.tolist()])


def compute_sample_weight(class_weight, y, *, indices=None):
    """The weight of each sample: that of its class."""
    y = np.asarray(y)
    if y.ndim > 1 or indices is not None:
        raise NotImplementedError("sklearn.utils.class_weight.compute_sample_weight of several columns, or with indices=")
    classes, labels = np.unique(y, return_inverse=True)
    return compute_class_weight(class_weight, classes=classes, y=y)[labels]


def _weighted(class_weight, y, sample_weight):
    """The weights of samples for an estimator: those given times those of the classes; None if all count alike."""
    if class_weight is None:
        return None if sample_weight is None else np.asarray(sample_weight, dtype=float)
    made = compute_sample_weight(class_weight, y)
    return made if sample_weight is None else made * np.asarray(sample_weight, dtype=float)
