"""Small data sets: real ones, and ones drawn from a seed; the same seeds give scikit-learn's own numbers."""

import numbers

import numpy as np

from ..exceptions import InvalidParameterError
from ..utils import check_random_state, shuffle as _shuffle
from ._real import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine


def _halves(n_samples):
    if isinstance(n_samples, numbers.Integral):
        return int(n_samples) // 2, int(n_samples) - int(n_samples) // 2
    try:
        first, second = n_samples
    except ValueError as error:
        raise ValueError("`n_samples` can be either an int or a two-element tuple.") from error
    return first, second


def _two_curves(first, second, shuffle, noise, random_state):
    """Points on two curves, each given as x and y, labeled 0 and 1."""
    generator = check_random_state(random_state)
    X = np.stack([np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])], axis=1)
    y = np.concatenate([np.zeros(len(first[0]), dtype=int), np.ones(len(second[0]), dtype=int)])
    if shuffle:
        X, y = _shuffle(X, y, random_state=generator)
    if noise is not None:
        X = X + generator.normal(scale=noise, size=X.shape)
    return X, y


def make_circles(n_samples=100, *, shuffle=True, noise=None, random_state=None, factor=0.8):
    """A circle within a circle: X of shape (n, 2), y of shape (n,)."""
    if not 0 <= factor < 1:
        raise InvalidParameterError(
            f"The 'factor' parameter of make_circles must be a float in the range [0.0, 1.0). Got {factor!r} instead."
        )
    outer, inner = _halves(n_samples)
    outer = np.linspace(0, 2 * np.pi, outer, endpoint=False)
    inner = np.linspace(0, 2 * np.pi, inner, endpoint=False)
    first = np.cos(outer), np.sin(outer)
    second = np.cos(inner) * factor, np.sin(inner) * factor
    return _two_curves(first, second, shuffle, noise, random_state)


def make_moons(n_samples=100, *, shuffle=True, noise=None, random_state=None):
    """Two half circles that reach into each other: X of shape (n, 2), y of shape (n,)."""
    outer, inner = _halves(n_samples)
    outer, inner = np.linspace(0, np.pi, outer), np.linspace(0, np.pi, inner)
    first = np.cos(outer), np.sin(outer)
    second = 1 - np.cos(inner), 1 - np.sin(inner) - 0.5
    return _two_curves(first, second, shuffle, noise, random_state)


def make_blobs(n_samples=100, n_features=2, *, centers=None, cluster_std=1.0, center_box=(-10.0, 10.0), shuffle=True,
               random_state=None, return_centers=False):
    """Normally distributed clusters: X of shape (n, features), y of shape (n,)."""
    generator = check_random_state(random_state)
    whole = isinstance(n_samples, numbers.Integral)
    if centers is None:
        centers = 3 if whole else len(n_samples)
    given = centers
    if isinstance(centers, numbers.Integral):
        centers = generator.uniform(center_box[0], center_box[1], size=(int(centers), n_features))
    else:
        centers = np.asarray(centers, dtype=float)
        n_features = centers.shape[1]
    count = len(centers)
    if whole:
        sizes = [n_samples // count + (k < n_samples % count) for k in range(count)]
    else:
        sizes = list(n_samples)
        if len(sizes) != count:
            raise ValueError(
                "Length of `n_samples` not consistent with number of centers. "
                f"Got n_samples = {n_samples} and centers = {given}"
            )
    spreads = [cluster_std] * count if isinstance(cluster_std, numbers.Real) else list(cluster_std)
    if len(spreads) != count:
        raise ValueError(
            "Length of `clusters_std` not consistent with number of centers. "
            f"Got centers = {given} and cluster_std = {cluster_std}"
        )
    drawn = [
        generator.normal(loc=center, scale=spread, size=(size, n_features))
        for center, spread, size in zip(centers, spreads, sizes)
    ]
    X, y = np.concatenate(drawn), np.repeat(np.arange(count), sizes)
    if shuffle:
        X, y = _shuffle(X, y, random_state=generator)
    return (X, y, centers) if return_centers else (X, y)


def _mixed(X, y, generator):
    """Rows and then columns in a new order, and that order of columns."""
    X, y = _shuffle(X, y, random_state=generator)
    columns = np.arange(X.shape[1])
    generator.shuffle(columns)
    return X[:, columns], y, columns


def make_regression(n_samples=100, n_features=100, *, n_informative=10, n_targets=1, bias=0.0, effective_rank=None,
                    tail_strength=0.5, noise=0.0, shuffle=True, coef=False, random_state=None):
    """A linear model of a few features plus noise: X of shape (n, features), y of shape (n,) or (n, targets)."""
    if effective_rank is not None:
        raise NotImplementedError("make_regression: effective_rank isn't supported here, only independent features are")
    n_informative = min(n_features, n_informative)
    generator = check_random_state(random_state)
    X = generator.standard_normal(size=(n_samples, n_features))
    truth = np.zeros((n_features, n_targets))
    truth[:n_informative, :] = 100 * generator.uniform(size=(n_informative, n_targets))
    y = X @ truth + bias
    if noise > 0.0:
        y = y + generator.normal(scale=noise, size=y.shape)
    if shuffle:
        X, y, columns = _mixed(X, y, generator)
        truth = truth[columns]
    y = np.squeeze(y)
    return (X, y, np.squeeze(truth)) if coef else (X, y)


def _corners(count, dimensions, generator):
    """Different corners of a hypercube: shape (count, dimensions), of 0 and 1."""
    if dimensions > 30:
        raise NotImplementedError("make_classification: n_informative may be at most 30 here")
    population = 2 ** dimensions
    share = count / population
    if 0.01 < share < 0.99:
        chosen = [int(i) for i in generator.permutation(population)[:count]]
    elif share < 0.2:
        chosen = []
        while len(chosen) < count:
            number = int(generator.randint(population))
            if number not in chosen:
                chosen.append(number)
    else:
        # Only for a share of 0.99 and more: all corners first, then each later one may replace one of them.
        chosen = list(range(count))
        for i in range(count, population):
            number = int(generator.randint(0, i + 1))
            if number < count:
                chosen[number] = i
    return np.array([[number >> bit & 1 for bit in reversed(range(dimensions))] for number in chosen], dtype=float)


def make_classification(n_samples=100, n_features=20, *, n_informative=2, n_redundant=2, n_repeated=0, n_classes=2,
                        n_clusters_per_class=2, weights=None, flip_y=0.01, class_sep=1.0, hypercube=True, shift=0.0, scale=1.0,
                        shuffle=True, random_state=None):
    """Clusters at the corners of a hypercube, with redundant and useless features: X of shape (n, features), y of shape (n,)."""
    generator = check_random_state(random_state)
    if n_informative + n_redundant + n_repeated > n_features:
        raise ValueError(
            "Number of informative, redundant and repeated features must sum to less than the number of total features"
        )
    clusters = n_classes * n_clusters_per_class
    if n_informative < np.log2(clusters):
        raise ValueError(
            f"n_classes({n_classes}) * n_clusters_per_class({n_clusters_per_class}) must be smaller or equal "
            f"2**n_informative({n_informative})={2 ** n_informative}"
        )
    if weights is None:
        weights = [1.0 / n_classes] * n_classes
    elif len(weights) not in (n_classes, n_classes - 1):
        raise ValueError("Weights specified but incompatible with number of classes.")
    elif len(weights) == n_classes - 1:
        weights = list(weights) + [1.0 - sum(weights)]
    sizes = [int(n_samples * weights[k % n_classes] / n_clusters_per_class) for k in range(clusters)]
    for i in range(n_samples - sum(sizes)):
        sizes[i % clusters] += 1

    centers = _corners(clusters, n_informative, generator) * (2 * class_sep) - class_sep
    if not hypercube:
        centers = centers * generator.uniform(size=(clusters, 1))
        centers = centers * generator.uniform(size=(1, n_informative))
    informative = generator.standard_normal(size=(n_samples, n_informative))
    y = np.zeros(n_samples, dtype=int)
    end = 0
    for k, (center, size) in enumerate(zip(centers, sizes)):
        start, end = end, end + size
        y[start:end] = k % n_classes
        turned = 2 * generator.uniform(size=(n_informative, n_informative)) - 1
        informative[start:end] = np.dot(informative[start:end], turned) + center
    parts = [informative]
    if n_redundant > 0:
        parts.append(np.dot(informative, 2 * generator.uniform(size=(n_informative, n_redundant)) - 1))
    if n_repeated > 0:
        known = np.concatenate(parts, axis=1)
        parts.append(known[:, ((known.shape[1] - 1) * generator.uniform(size=n_repeated) + 0.5).astype(int)])
    useless = n_features - n_informative - n_redundant - n_repeated
    if useless > 0:
        parts.append(generator.standard_normal(size=(n_samples, useless)))
    X = np.concatenate(parts, axis=1)
    if flip_y >= 0.0:
        flipped = generator.uniform(size=n_samples) < flip_y
        y[flipped] = generator.randint(n_classes, size=int(flipped.sum()))
    if shift is None:
        shift = (2 * generator.uniform(size=n_features) - 1) * class_sep
    X = X + shift
    if scale is None:
        scale = 1 + 100 * generator.uniform(size=n_features)
    X = X * scale
    if shuffle:
        X, y, _ = _mixed(X, y, generator)
    return X, y


# What scikit-learn says to programs that ask for a data set it no longer has.
_BOSTON = r"""
`load_boston` has been removed from scikit-learn since version 1.2.

The Boston housing prices dataset has an ethical problem: as
investigated in [1], the authors of this dataset engineered a
non-invertible variable "B" assuming that racial self-segregation had a
positive impact on house prices [2]. Furthermore the goal of the
research that led to the creation of this dataset was to study the
impact of air quality but it did not give adequate demonstration of the
validity of this assumption.

The scikit-learn maintainers therefore strongly discourage the use of
this dataset unless the purpose of the code is to study and educate
about ethical issues in data science and machine learning.

In this special case, you can fetch the dataset from the original
source::

    import pandas as pd
    import numpy as np

    data_url = "http://lib.stat.cmu.edu/datasets/boston"
    raw_df = pd.read_csv(data_url, sep="\s+", skiprows=22, header=None)
    data = np.hstack([raw_df.values[::2, :], raw_df.values[1::2, :2]])
    target = raw_df.values[1::2, 2]

Alternative datasets include the California housing dataset and the
Ames housing dataset. You can load the datasets as follows::

    from sklearn.datasets import fetch_california_housing
    housing = fetch_california_housing()

for the California housing dataset and::

    from sklearn.datasets import fetch_openml
    housing = fetch_openml(name="house_prices", as_frame=True)

for the Ames housing dataset.

[1] M Carlisle.
"Racist data destruction?"
<https://medium.com/@docintangible/racist-data-destruction-113e3eff54a8>

[2] Harrison Jr, David, and Daniel L. Rubinfeld.
"Hedonic housing prices and the demand for clean air."
Journal of environmental economics and management 5.1 (1978): 81-102.
<https://www.researchgate.net/publication/4974606_Hedonic_housing_prices_and_the_demand_for_clean_air>
"""


def __getattr__(name):
    if name in ("make_swiss_roll", "make_s_curve", "make_friedman1", "make_friedman2", "make_friedman3", "make_hastie_10_2",
                "make_gaussian_quantiles"):
        from . import _made

        return getattr(_made, name)
    if name == "load_boston":
        raise ImportError(_BOSTON)
    if name.startswith(("load_", "fetch_")):
        raise NotImplementedError(f"sklearn.datasets.{name}: its data isn't part of this sklearn, and there's no network to fetch it from")
    raise AttributeError(f"module 'sklearn.datasets' has no attribute '{name}'")
