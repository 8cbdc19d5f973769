"""Sheets and shells, neighbors within a radius, densities, outliers, and columns that are bent."""
import warnings

import numpy as np
from sklearn.datasets import (
    load_diabetes, load_iris, make_friedman1, make_friedman2, make_friedman3, make_gaussian_quantiles, make_hastie_10_2, make_s_curve, make_swiss_roll,
)
from sklearn.neighbors import BallTree, KDTree, KernelDensity, LocalOutlierFactor, NearestCentroid, RadiusNeighborsClassifier, RadiusNeighborsRegressor
from sklearn.preprocessing import PowerTransformer, QuantileTransformer, StandardScaler

warnings.simplefilter("ignore")
for made in (make_swiss_roll(5, random_state=0, noise=0.1), make_swiss_roll(4, random_state=0, hole=True), make_s_curve(5, random_state=0, noise=0.1),
             make_friedman1(3, random_state=0, noise=0.1), make_friedman2(3, random_state=0, noise=0.1), make_friedman3(3, random_state=0), make_hastie_10_2(3, random_state=0),
             make_gaussian_quantiles(n_samples=7, random_state=0, n_classes=2)):
    print([part.round(5).tolist() for part in made])
X, y = load_iris(return_X_y=True)
D, d = load_diabetes(return_X_y=True)
r = RadiusNeighborsClassifier(1.0).fit(X, y)
print(r, r.predict_proba(X[::40]).round(4).tolist(), r.score(X, y))
print(RadiusNeighborsRegressor(1.0, weights="distance").fit(X[:, :3], X[:, 3]).predict(X[::40, :3] + 0.01).round(5).tolist())
n = NearestCentroid().fit(X, y)
print(n, n.centroids_.round(4).tolist(), n.score(X, y), NearestCentroid(metric="manhattan").fit(X, y).centroids_.tolist())
f = LocalOutlierFactor(10)
print(f, f.fit_predict(D)[::40].tolist(), f.negative_outlier_factor_[:4].round(5).tolist(), f.offset_)
f = LocalOutlierFactor(10, novelty=True, contamination=0.1).fit(D[:200])
print(f.predict(D[200::30]).tolist(), f.score_samples(D[200:203]).round(5).tolist(), round(float(f.offset_), 5))
for kernel in ("gaussian", "tophat", "epanechnikov", "exponential", "linear"):
    k = KernelDensity(kernel=kernel, bandwidth=0.7).fit(X)
    print(kernel, k.score_samples(X[:2]).round(5).tolist(), KernelDensity(kernel=kernel).fit(X[:, :1]).score_samples([[5.0]]).round(5).tolist())
print(KernelDensity(bandwidth="scott").fit(X).bandwidth_, round(KernelDensity(bandwidth="silverman").fit(X).score(X[:5]), 5))
print([part.round(5).tolist() for part in KDTree(D).query(D[:1], k=3)], BallTree(D).query_radius(D[:1], 0.1, count_only=True).tolist())
p = PowerTransformer().fit(X)
print(p, p.lambdas_.round(4).tolist(), p.transform(X[:2]).round(4).tolist(), p.inverse_transform(p.transform(X[:2])).round(4).tolist())
q = QuantileTransformer(n_quantiles=10).fit(X)
print(q.transform(X[:3]).round(5).tolist(), q.inverse_transform(q.transform(X[:2])).round(4).tolist(), q.quantiles_[:3].round(5).tolist())
print(QuantileTransformer(n_quantiles=20, output_distribution="normal").fit_transform(X)[::30].round(4).tolist(), QuantileTransformer().fit(X).n_quantiles_)
s = StandardScaler().partial_fit(X[:50]).partial_fit(X[50:90]).partial_fit(X[90:])
print(s.mean_.round(6).tolist(), s.var_.round(6).tolist(), s.n_samples_seen_, s.scale_.round(6).tolist())
for call in (lambda: RadiusNeighborsClassifier(0.001).fit(X, y).predict([[0, 0, 0, 0]]), lambda: LocalOutlierFactor().fit(D).predict(D), lambda: KernelDensity(bandwidth=-1).fit(X)):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error)[:60])
