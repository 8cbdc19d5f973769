"""A line that outliers move little."""
import warnings

import numpy as np
from sklearn.datasets import load_diabetes, make_regression
from sklearn.linear_model import HuberRegressor, LinearRegression

print(HuberRegressor(), HuberRegressor(epsilon=1.1, alpha=0.5))
rng = np.random.RandomState(0)
X, y, coef = make_regression(n_samples=200, n_features=2, noise=4.0, coef=True, random_state=0)
X[:4] = rng.uniform(10, 20, (4, 2))
y[:4] = rng.uniform(10, 20, 4)
for options in ({}, dict(epsilon=1.05), dict(alpha=10.0), dict(fit_intercept=False), dict(epsilon=3.0, max_iter=500)):
    m = HuberRegressor(**options).fit(X, y)
    print(m.coef_.round(3).tolist(), round(float(m.intercept_), 3), round(float(m.scale_), 3), np.flatnonzero(m.outliers_)[:12].tolist())
    print(round(m.score(X, y), 3), m.predict(X[:3]).round(2).tolist(), m.n_features_in_)
print(LinearRegression().fit(X, y).coef_.round(4).tolist())
m = HuberRegressor().fit(X, y, sample_weight=np.arange(200) % 3)
print(m.coef_.round(3).tolist(), round(float(m.scale_), 3), m.outliers_.sum())
X, y = load_diabetes(return_X_y=True)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    m = HuberRegressor(max_iter=5).fit(X, y)
print(m.n_iter_, told[0].category.__name__, str(told[0].message).splitlines()[0], str(told[0].message).splitlines()[3:])
for options in (dict(epsilon=0.9), dict(alpha=-1), dict(max_iter=-1), dict(tol=-1.0)):
    try:
        HuberRegressor(**options).fit(X, y)
    except ValueError as e:
        print(type(e).__name__, e)
try:
    HuberRegressor().predict(X)
except Exception as e:
    print(type(e).__name__, e)
