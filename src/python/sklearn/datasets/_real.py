"""The small real data sets that come with scikit-learn, each loaded when it's first asked for."""

import numpy as np

from ..utils import Bunch

_TEXT = """{title}

{about}

Here are the same numbers as in scikit-learn {version}, which distributes them under the BSD-3-Clause license."""


def _described(title, about):
    from .. import __version__
    return _TEXT.format(title=title, about=about, version=__version__)


def _result(data, target, target_names, feature_names, text, return_X_y, as_frame, **more):
    frame = None
    if as_frame:
        import pandas as pd
        inside = pd.DataFrame(data, columns=[str(n) for n in feature_names])
        frame = inside.copy()
        frame["target"] = target
        data, target = inside, frame["target"]
    if return_X_y:
        return data, target
    names = {} if target_names is None else {"target_names": target_names}
    return Bunch(data=data, target=target, frame=frame, **names, DESCR=text, feature_names=feature_names, **more)


def _table(data):
    """The classes and the rows of a file whose first line has them."""
    lines = data.decode().splitlines()
    names = lines[0].split(",")[2:]
    rows = np.array([[float(x) for x in line.split(",")] for line in lines[1:]])
    return np.array(names), rows[:, :-1].copy(), rows[:, -1].astype(int)


def load_iris(*, return_X_y=False, as_frame=False):
    from ._iris import data
    names, inside, target = _table(data)
    features = ["sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)"]
    text = _described("Iris plants", "150 flowers of three kinds, each measured four times: R.A. Fisher's data of 1936, from the UCI "
                      "repository.")
    return _result(inside, target, names, features, text, return_X_y, as_frame, filename="iris.csv",
                   data_module="sklearn.datasets.data")


def load_wine(*, return_X_y=False, as_frame=False):
    from ._wine import data
    names, inside, target = _table(data)
    features = ["alcohol", "malic_acid", "ash", "alcalinity_of_ash", "magnesium", "total_phenols", "flavanoids", "nonflavanoid_phenols",
                "proanthocyanins", "color_intensity", "hue", "od280/od315_of_diluted_wines", "proline"]
    text = _described("Wine", "178 wines of three growers, each with 13 measurements of a chemical analysis, from the UCI repository.")
    return _result(inside, target, names, features, text, return_X_y, as_frame)


def load_breast_cancer(*, return_X_y=False, as_frame=False):
    from ._breast_cancer import data
    names, inside, target = _table(data)
    ten = ["radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity", "concave points", "symmetry",
           "fractal dimension"]
    features = np.array([f"mean {n}" for n in ten] + [f"{n} error" for n in ten] + [f"worst {n}" for n in ten])
    text = _described("Breast cancer Wisconsin (diagnostic)", "569 tumors, malignant or benign, each with 30 measurements of the nuclei "
                      "of its cells, from the UCI repository.")
    return _result(inside, target, names, features, text, return_X_y, as_frame, filename="breast_cancer.csv",
                   data_module="sklearn.datasets.data")


def load_diabetes(*, return_X_y=False, as_frame=False, scaled=True):
    from ._diabetes import data
    rows = np.array([[float(x) for x in line.split(",")] for line in data.decode().splitlines()])
    inside, target = rows[:, :-1].copy(), rows[:, -1].copy()
    if scaled:
        # Each column has the mean 0 and the sum of squares 1.
        inside = (inside - inside.mean(0)) / inside.std(0)
        inside = inside / len(inside) ** 0.5
    text = _described("Diabetes", "442 patients: ten measurements, and how far the disease was a year later (Efron, Hastie, Johnstone and "
                      "Tibshirani, 2004).")
    more = {"data_filename": "diabetes_data_raw.csv.gz", "target_filename": "diabetes_target.csv.gz",
            "data_module": "sklearn.datasets.data"}
    return _result(inside, target, None, ["age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"], text, return_X_y, as_frame,
                   **more)


def load_digits(*, n_class=10, return_X_y=False, as_frame=False):
    from ._digits import data
    rows = np.frombuffer(data, dtype=np.uint8).reshape(-1, 65)
    target, inside = rows[:, -1].astype(int), rows[:, :-1].astype(float)
    if n_class < 10:
        kept = target < n_class
        inside, target = inside[kept], target[kept]
    images = inside.reshape(-1, 8, 8)
    features = [f"pixel_{row}_{column}" for row in range(8) for column in range(8)]
    text = _described("Handwritten digits", "1,797 pictures of digits, 8 by 8 pixels with values from 0 to 16: the test set of the UCI "
                      "repository's optical recognition of handwritten digits.")
    return _result(inside, target, np.arange(10), features, text, return_X_y, as_frame, images=images)
