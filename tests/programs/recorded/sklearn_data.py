"""scikit-learn: data sets drawn from a seed, and splits."""

import warnings

import numpy as np
from sklearn.datasets import make_blobs, make_circles, make_classification, make_moons, make_regression
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split

np.set_printoptions(precision=6, suppress=True)


def show(title, X, y):
    print(title, X.shape, y.shape, X.dtype, y.dtype)
    print(np.round(X[:3, :3], 6).tolist(), np.round(y[:8], 6).tolist(), round(float(X.sum()), 4), round(float(y.sum()), 4))


show("circles", *make_circles(n_samples=50, noise=0.03, random_state=42))
show("circles", *make_circles((6, 4), shuffle=False, factor=0.5))
show("moons", *make_moons(n_samples=31, noise=0.07, random_state=3))
show("blobs", *make_blobs(n_samples=40, n_features=2, centers=4, cluster_std=1.5, random_state=42))
show("blobs", *make_blobs(n_samples=[3, 5], centers=[[0, 0], [9, 9]], cluster_std=[0.1, 2.0], random_state=1, shuffle=False))
print(make_blobs(random_state=5, return_centers=True)[2].round(5).tolist())
show("regression", *make_regression(n_samples=20, n_features=5, noise=0.5, random_state=0))
show("regression", *make_regression(20, 6, n_informative=2, n_targets=2, bias=3.0, random_state=0))
print(make_regression(20, 6, n_informative=2, coef=True, random_state=4)[2].round(4).tolist())
show("classes", *make_classification(n_samples=40, random_state=7))
uneven = {"n_classes": 3, "weights": [0.5, 0.2], "shift": None, "scale": None}
show("classes", *make_classification(60, 8, n_informative=5, n_repeated=1, random_state=1, **uneven))
show("classes", *make_classification(30, 12, n_informative=11, n_redundant=0, hypercube=False, shuffle=False, random_state=1))
np.random.seed(3)
show("global", *make_moons(10, noise=0.1))

X, y = np.arange(24).reshape(12, 2), np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2])
for options in ({}, {"test_size": 0.2}, {"test_size": 3}, {"train_size": 0.5}, {"test_size": 0.3, "train_size": 0.3},
                {"shuffle": False}, {"stratify": y}, {"stratify": y, "test_size": 4}):
    seed = {} if options.get("shuffle") is False else {"random_state": 42}
    parts = train_test_split(X, y, list(range(12)), **options, **seed)
    print(sorted(options), [type(p).__name__ for p in parts], [len(p) for p in parts])
    print(parts[2].tolist(), parts[3].tolist(), parts[4], parts[5])
words = np.array(["b", "a", "c", "a", "b", "c", "a", "b"])
print(train_test_split(words, stratify=words, test_size=0.5, random_state=0)[0].tolist())
for folds in (KFold(3), KFold(5, shuffle=True, random_state=1), StratifiedKFold(3),
              StratifiedKFold(3, shuffle=True, random_state=1)):
    print(folds, folds.get_n_splits())
    for train, test in folds.split(X, y):
        print(train.tolist(), test.tolist())
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print([test.tolist() for _, test in StratifiedKFold(4).split(np.zeros((12, 1)), y[::-1])])
print([str(w.message) for w in caught])


def fails(call):
    try:
        print("no error:", call())
    except Exception as error:
        print(type(error).__name__, error)


fails(lambda: train_test_split())
fails(lambda: train_test_split([1, 2], [1]))
fails(lambda: train_test_split([1, 2], test_size=1.5))
fails(lambda: train_test_split([1, 2], test_size=2))
fails(lambda: train_test_split([1], random_state=0))
fails(lambda: train_test_split([1, 2, 3, 4], test_size=3, train_size=3))
fails(lambda: train_test_split([1, 2, 3, 4], test_size=0.7, train_size=0.7))
fails(lambda: train_test_split([1, 2, 3], stratify=[0, 0, 1]))
fails(lambda: train_test_split(list(range(8)), stratify=[0, 1] * 4, test_size=1))
fails(lambda: train_test_split([1, 2, 3], stratify=[0, 0, 1], shuffle=False))
fails(lambda: train_test_split([1, 2], test_size=0))
fails(lambda: make_circles(factor=1.0))
fails(lambda: KFold(1))
fails(lambda: KFold(3, random_state=1))
fails(lambda: list(KFold(3).split([1, 2])))
fails(lambda: list(StratifiedKFold(5).split(X, y * 0.5)))
fails(lambda: make_classification(n_informative=1))
fails(lambda: make_classification(n_features=3))
fails(lambda: make_blobs([3, 4], centers=[[0, 0]]))
