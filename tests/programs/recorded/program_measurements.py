"""Measurements beside SciPy, scikit-learn and matplotlib: areas, clusters, searches, figures, and what they refuse."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import integrate, interpolate, linalg, stats
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier, SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

warnings.simplefilter("always")
warnings.showwarning = lambda message, category, *rest, **named: print("warning:", category.__name__, message)


def attempt(do):
    try:
        print(do())
    except Exception as error:
        print(type(error).__name__, error)


print("areas")
for name, f, a, b in (
    ("bell", lambda x: np.exp(-x * x), -np.inf, np.inf),
    ("root", lambda x: 1 / np.sqrt(x), 0, 1),
    ("log", np.log, 0, 1),
    ("pole", lambda x: x ** -0.9, 0, 1),
    ("wave", lambda x: np.sin(1 / x), 0.01, 1),
    ("step", lambda x: float(x > 0.7), 0, 1),
    ("tail", lambda x: np.exp(-x) * x ** 2, 0, np.inf),
    ("endless", lambda x: 1 / x, 0, 1),
    ("slow", lambda x: np.sin(x) / x, 0, np.inf),
):
    area, error = integrate.quad(f, a, b)
    print(name, round(area, 4), error < 1e-6)

print("matrices")
attempt(lambda: linalg.solve([[1, 2], [2, 4]], [1, 2]))
attempt(lambda: linalg.solve([[1, 2]], [1]))
attempt(lambda: linalg.inv(np.zeros((2, 2))))
attempt(lambda: linalg.cholesky([[1, 2], [2, 1]]))
attempt(lambda: linalg.solve_triangular([[0.0, 0], [1, 1]], [1, 2], lower=True))
attempt(lambda: stats.multivariate_normal([0, 0], [[1, 2], [2, 1]]))
attempt(lambda: stats.multivariate_normal([0, 0, 0], np.eye(2)))
attempt(lambda: stats.pearsonr([1, 2, 3], [1, 1, 1]).statistic)
attempt(lambda: interpolate.interp1d([0, 1, 2], [0, 1, 4])(3))

print("clusters")
points = np.random.default_rng(0).normal(size=(9, 2))
for method in ("single", "ward", "average"):
    tree = linkage(points, method)
    print(method, fcluster(tree, 1.0, "distance"), fcluster(tree, 3, "maxclust"))

print("models")
X, y = points, (points[:, 0] > 0).astype(int)
attempt(lambda: make_pipeline(StandardScaler(), LinearRegression()).predict(X))
attempt(lambda: make_pipeline(StandardScaler()).transform(X))
print(make_pipeline(StandardScaler(), LinearRegression()).fit(X, y).predict(X[:2]).round(3))
print(RidgeClassifier().fit(X, y).predict(X), SGDClassifier(random_state=0).fit(X, y).predict(X))
print(LocalOutlierFactor(n_neighbors=3).fit_predict(X), FunctionTransformer(np.abs).transform([[-1.0]]))
print(repr(DecisionTreeClassifier(random_state=0).fit(X, y).get_n_leaves()))
found = GridSearchCV(Ridge(), {"alpha": [0.1, 1, 10]}, cv=3).fit(X, y)
print(pd.DataFrame(found.cv_results_)[["param_alpha", "rank_test_score"]])

print("figures")
fig, (left, right) = plt.subplots(1, 2)
bars = left.barh([0, 1], [5, 6], height=0.5)
print([tuple(map(float, bar.get_bbox().bounds)) for bar in bars])
left.xaxis.set_major_locator(plt.MultipleLocator(2))
left.xaxis.set_major_formatter(plt.FuncFormatter(lambda v, at: f"{v:.0f} kg"))
print([float(v) for v in left.get_xbound()], float(fig.get_figwidth()))
right.pie([1, 2, 3], labels=["a", "b", "c"], autopct="%1.1f%%")
print([text.get_text() for text in right.texts])
counted = plt.figure().gca().hist(pd.Series(["u", "v", "u"]), bins=2)[0]
print(counted)
attempt(lambda: left.boxplot([[1, 2], [3, 4]], labels=["a", "b"]))
attempt(lambda: plt.get_cmap("nosuch"))
plt.close("all")
