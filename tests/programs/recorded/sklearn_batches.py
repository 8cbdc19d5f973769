"""Means of clusters from batches."""
import numpy as np
from sklearn.cluster import MiniBatchKMeans
from sklearn.datasets import load_digits, load_iris, make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, y = make_blobs(n_samples=600, centers=4, cluster_std=0.9, random_state=0)
for options in ({}, dict(batch_size=50), dict(batch_size=100, n_init=3), dict(init="random", batch_size=64), dict(max_iter=5, batch_size=32, tol=1e-2)):
    m = MiniBatchKMeans(n_clusters=4, random_state=42, **options).fit(X)
    print(m, m.n_iter_, m.n_steps_, round(m.inertia_, 4), m.cluster_centers_.round(4).tolist(), np.bincount(m.labels_).tolist())
print(m.predict(X[:8]).tolist(), m.transform(X[:2]).round(4).tolist(), round(m.score(X), 4))
D, d = load_digits(return_X_y=True)
m = MiniBatchKMeans(10, random_state=0, batch_size=256, n_init=3).fit(D)
print(m.n_iter_, round(m.inertia_, 2), round(adjusted_rand_score(d, m.labels_), 4))
p = make_pipeline(StandardScaler(), MiniBatchKMeans(3, random_state=1)).fit(load_iris().data)
print(p[-1].labels_[:10].tolist(), round(p[-1].inertia_, 4))
m = MiniBatchKMeans(4, random_state=0, batch_size=60)
for start in range(0, 600, 60):
    m.partial_fit(X[start:start + 60])
print(m.n_steps_, m.cluster_centers_.round(4).tolist(), m.predict(X[:10]).tolist())
for options in (dict(n_clusters=0), dict(batch_size=0), dict(n_clusters=700)):
    try:
        MiniBatchKMeans(**options).fit(X)
    except ValueError as e:
        print(e)
