"""More data sets that are made: rolled sheets, shells and formulas."""

import numpy as np

from ..utils import check_random_state, shuffle as _shuffle


def make_swiss_roll(n_samples=100, *, noise=0.0, random_state=None, hole=False):
    """Points of a rolled-up sheet, and how far along it each is."""
    random = check_random_state(random_state)
    if hole:
        corners = np.array([[np.pi * (1.5 + i), j * 7] for i in range(3) for j in range(3) if (i, j) != (1, 1)])
        chosen = random.choice(8, n_samples)
        t, y = corners[chosen].T + random.uniform(size=(2, n_samples)) * np.array([[np.pi], [7.0]])
    else:
        t = 1.5 * np.pi * (1 + 2 * random.uniform(size=n_samples))
        y = 21 * random.uniform(size=n_samples)
    X = np.vstack((t * np.cos(t), y, t * np.sin(t)))
    return (X + noise * random.standard_normal(size=(3, n_samples))).T, t


def make_s_curve(n_samples=100, *, noise=0.0, random_state=None):
    """Points of a sheet in the form of an S, and how far along it each is."""
    random = check_random_state(random_state)
    t = 3 * np.pi * (random.uniform(size=(1, n_samples)) - 0.5)[0]
    X = np.stack([np.sin(t), 2.0 * random.uniform(size=n_samples), np.sign(t) * (np.cos(t) - 1)], axis=1)
    return X + noise * random.standard_normal(size=(3, n_samples)).T, t


def make_friedman1(n_samples=100, n_features=10, *, noise=0.0, random_state=None):
    if n_features < 5:
        raise ValueError(f"The 'n_features' parameter of make_friedman1 must be an int in the range [5, inf). Got {n_features} instead.")
    random = check_random_state(random_state)
    X = random.uniform(size=(n_samples, n_features))
    return X, (10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
               + noise * random.standard_normal(size=n_samples))


def _four(random, n_samples):
    X = random.uniform(size=(n_samples, 4))
    X[:, 0] = X[:, 0] * 100
    X[:, 1] = X[:, 1] * (520 * np.pi) + 40 * np.pi
    X[:, 3] = X[:, 3] * 10 + 1
    return X


def make_friedman2(n_samples=100, *, noise=0.0, random_state=None):
    random = check_random_state(random_state)
    X = _four(random, n_samples)
    return X, ((X[:, 0] ** 2 + (X[:, 1] * X[:, 2] - 1 / (X[:, 1] * X[:, 3])) ** 2) ** 0.5 + noise * random.standard_normal(size=n_samples))


def make_friedman3(n_samples=100, *, noise=0.0, random_state=None):
    random = check_random_state(random_state)
    X = _four(random, n_samples)
    return X, np.arctan((X[:, 1] * X[:, 2] - 1 / (X[:, 1] * X[:, 3])) / X[:, 0]) + noise * random.standard_normal(size=n_samples)


def make_hastie_10_2(n_samples=12000, *, random_state=None):
    random = check_random_state(random_state)
    X = random.normal(size=(n_samples, 10)).reshape(n_samples, 10)
    return X, np.where((X ** 2.0).sum(axis=1) > 9.34, 1.0, -1.0)


def make_gaussian_quantiles(*, mean=None, cov=1.0, n_samples=100, n_features=2, n_classes=3, shuffle=True, random_state=None):
    """Points around a middle; their classes are shells with equally many."""
    if n_samples < n_classes:
        raise ValueError("n_samples must be at least n_classes")
    random = check_random_state(random_state)
    mean = np.zeros(n_features) if mean is None else np.array(mean)
    X = random.multivariate_normal(mean, cov * np.identity(n_features), (n_samples,))
    X = X[np.argsort(((X - mean) ** 2).sum(axis=1))]
    step = n_samples // n_classes
    y = np.hstack([np.repeat(np.arange(n_classes), step), np.repeat(n_classes - 1, n_samples - step * n_classes)])
    return tuple(_shuffle(X, y, random_state=random)) if shuffle else (X, y)
