"""Clusters of a graph of similar samples."""
import warnings

import numpy as np
from sklearn.cluster import SpectralClustering
from sklearn.datasets import load_iris, make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel

print(SpectralClustering(), SpectralClustering(2, affinity="nearest_neighbors", random_state=0))
blobs, parts = make_blobs(n_samples=60, centers=3, cluster_std=1.0, random_state=3)
moons, _ = make_moons(n_samples=80, noise=0.05, random_state=0)
circles, _ = make_circles(n_samples=80, factor=0.4, noise=0.04, random_state=1)
for table, options in ((blobs, dict(n_clusters=3)), (blobs, dict(n_clusters=3, assign_labels="discretize")),
                       (blobs, dict(n_clusters=3, assign_labels="cluster_qr", gamma=0.3)), (moons, dict(n_clusters=2, gamma=20.0)),
                       (moons, dict(n_clusters=2, affinity="nearest_neighbors", n_neighbors=6)),
                       (circles, dict(n_clusters=2, affinity="nearest_neighbors", n_neighbors=8, assign_labels="discretize")),
                       (load_iris().data[::3], dict(n_clusters=3, affinity="laplacian")), (blobs + 20, dict(n_clusters=2, affinity="cosine")),
                       (blobs, dict(n_clusters=4, n_components=3, gamma=0.5))):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        m = SpectralClustering(random_state=0, **options).fit(table)
    print(options, sorted({str(w.message) for w in told}))
    print(m.labels_.tolist(), m.affinity_matrix_.shape, m.n_features_in_)
m = SpectralClustering(3, affinity="precomputed", random_state=1)
print(adjusted_rand_score(parts, m.fit_predict(rbf_kernel(blobs, gamma=0.2))), m.labels_.dtype)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    SpectralClustering(2, random_state=0).fit(np.arange(9.0).reshape(3, 3))
print(told[0].message)
for options in (dict(n_clusters=0), dict(assign_labels="best"), dict(n_neighbors=0), dict(gamma=-1.0), dict(n_init=0)):
    try:
        SpectralClustering(**options).fit(blobs)
    except ValueError as e:
        print(type(e).__name__, str(e).split("{")[0])
