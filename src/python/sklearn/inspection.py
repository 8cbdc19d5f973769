"""What a fitted model relies on."""

import numpy as np

from .utils import Bunch, check_random_state


def permutation_importance(estimator, X, y, *, scoring=None, n_repeats=5, n_jobs=None, random_state=None, sample_weight=None,
                           max_samples=1.0):
    """How much the score falls when a column is shuffled."""
    from .model_selection import _scorer

    if sample_weight is not None or max_samples != 1.0:
        raise NotImplementedError("sklearn.inspection.permutation_importance(sample_weight=, max_samples=)")
    score, frame = _scorer(scoring), hasattr(X, "iloc")
    X = X if frame else np.asarray(X)
    generator = check_random_state(random_state)
    seed = int(generator.randint(np.iinfo(np.int32).max + 1))
    base = score(estimator, X, y)
    drops = np.zeros((X.shape[1], n_repeats))
    for column in range(X.shape[1]):
        own, order = np.random.RandomState(seed), np.arange(X.shape[0])
        changed = X.copy()
        for k in range(n_repeats):
            own.shuffle(order)
            if frame:
                mixed = changed.iloc[order, column]
                mixed.index = changed.index
                changed[changed.columns[column]] = mixed
            else:
                changed[:, column] = changed[order, column]
            drops[column, k] = base - score(estimator, changed, y)
    return Bunch(importances_mean=drops.mean(axis=1), importances_std=drops.std(axis=1), importances=drops)


def __getattr__(name):
    if name[:1].isupper() or name == "partial_dependence":
        raise NotImplementedError(f"sklearn.inspection.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.inspection' has no attribute '{name}'")
