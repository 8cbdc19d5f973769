"""Clusters around dense places."""
import numpy as np
from sklearn.cluster import MeanShift, estimate_bandwidth
from sklearn.datasets import load_iris, make_blobs

X, _ = make_blobs(n_samples=200, centers=3, cluster_std=0.7, random_state=3)
b = estimate_bandwidth(X, quantile=0.2, n_samples=100)
print(round(b, 6), round(estimate_bandwidth(X), 6))
for options in (dict(bandwidth=b), dict(bandwidth=b, bin_seeding=True), {}, dict(bandwidth=1.0, bin_seeding=True, cluster_all=False, min_bin_freq=3)):
    m = MeanShift(**options).fit(X)
    print(m.cluster_centers_.round(4).tolist(), np.bincount(m.labels_ + 1).tolist(), m.n_iter_, m.predict(X[:6]).tolist())
print(MeanShift(bandwidth=2, bin_seeding=True))
print(MeanShift(bandwidth=0.8).fit_predict(load_iris().data).tolist())
try:
    MeanShift(bandwidth=0).fit(X)
except ValueError as e:
    print(e)
