"""Clusters of a graph: `SpectralClustering`."""

import warnings

import numpy as np

from .base import BaseEstimator
from .cluster import KMeans
from .metrics.pairwise import cosine_similarity, manhattan_distances, polynomial_kernel, rbf_kernel
from .neighbors import NearestNeighbors
from .utils import _table, check_random_state


def _connected(near):
    """Whether every sample can be reached from the first one."""
    seen = np.zeros(len(near), dtype=bool)
    seen[0] = True
    while True:
        more = seen | (near[seen] != 0).any(axis=0)
        if (more == seen).all():
            return bool(seen.all())
        seen = more


def _map(near, parts):
    """The vectors of the Laplacian's smallest eigenvalues, scaled back by the degrees: samples × parts."""
    if not _connected(near):
        warnings.warn("Graph is not fully connected, spectral embedding may not work as expected.", UserWarning, stacklevel=4)
    rest = near.copy()
    np.fill_diagonal(rest, 0.0)
    degrees = rest.sum(axis=0)
    sizes = np.where(degrees == 0, 1.0, np.sqrt(degrees))
    laplacian = -rest / sizes / sizes[:, None]
    np.fill_diagonal(laplacian, 1.0)
    made = np.linalg.eigh(laplacian)[1].T[:parts] / sizes
    largest = np.abs(made).argmax(axis=1)
    return (made * np.sign(made[np.arange(len(made)), largest])[:, None]).T


def _discrete(made, random):
    """Labels: the partition that a rotation of the map comes closest to."""
    count, parts = made.shape
    made = made / np.sqrt((made * made).sum(axis=0)) * np.sqrt(count)
    made = made * np.where(made[0] != 0, -np.sign(made[0]), 1.0)
    made = made / np.sqrt((made * made).sum(axis=1))[:, None]
    # The rows that are most nearly at right angles are the first axes.
    turn, used = np.zeros((parts, parts)), np.zeros(count)
    turn[:, 0] = made[random.randint(count)]
    for j in range(1, parts):
        used = used + np.abs(made @ turn[:, j - 1])
        turn[:, j] = made[used.argmin()]
    last = 0.0
    for step in range(1, 22):
        labels = (made @ turn).argmax(axis=1)
        left, sizes, right = np.linalg.svd((labels[:, None] == np.arange(parts)).astype(float).T @ made)
        value = 2.0 * (count - sizes.sum())
        if abs(value - last) < np.finfo(float).eps or step > 20:
            break
        last, turn = value, right.T @ left.T
    return labels


def _by_pivots(made):
    """Labels: the rows that span the map best are the corners of the clusters."""
    parts = made.shape[1]
    rest, chosen = made.T.copy(), []
    for _ in range(parts):
        at = int((rest * rest).sum(axis=0).argmax())
        chosen.append(at)
        axis = rest[:, at] / np.sqrt((rest[:, at] ** 2).sum())
        rest = rest - np.outer(axis, axis @ rest)
    left, _, right = np.linalg.svd(made[chosen].T)
    return np.abs(made @ (left @ right)).argmax(axis=1)


class SpectralClustering(BaseEstimator):
    """KMeans in a map of the samples that a graph of who is similar to whom gives.

    Every eigenvector is computed, whatever `eigen_solver` says: the time grows with the cube of the number of samples.
    """

    def __init__(self, n_clusters=8, *, eigen_solver=None, n_components=None, random_state=None, n_init=10, gamma=1.0, affinity="rbf",
                 n_neighbors=10, eigen_tol="auto", assign_labels="kmeans", degree=3, coef0=1, kernel_params=None, n_jobs=None, verbose=False):
        self.n_clusters, self.eigen_solver, self.n_components, self.random_state = n_clusters, eigen_solver, n_components, random_state
        self.n_init, self.gamma, self.affinity, self.n_neighbors, self.eigen_tol = n_init, gamma, affinity, n_neighbors, eigen_tol
        self.assign_labels, self.degree, self.coef0, self.kernel_params = assign_labels, degree, coef0, kernel_params
        self.n_jobs, self.verbose = n_jobs, verbose

    def _similar(self, X):
        kind, gamma = self.affinity, self.gamma
        if kind == "precomputed":
            return X, X
        if kind == "nearest_neighbors":
            from ._sparse import csr_matrix

            places = NearestNeighbors(n_neighbors=self.n_neighbors).fit(X).kneighbors(X, return_distance=False)
            near = np.zeros((len(X), len(X)))
            near[np.arange(len(X))[:, None], places] = 1.0
            near = 0.5 * (near + near.T)
            return near, csr_matrix(near)
        if callable(kind):
            made = np.array([[kind(a, b, **(self.kernel_params or {})) for b in X] for a in X], dtype=float)
        elif kind == "rbf":
            made = rbf_kernel(X, gamma=gamma)
        elif kind in ("poly", "polynomial"):
            made = polynomial_kernel(X, degree=self.degree, gamma=gamma, coef0=self.coef0)
        elif kind == "linear":
            made = X @ X.T
        elif kind == "sigmoid":
            made = np.tanh(gamma * (X @ X.T) + self.coef0)
        elif kind == "laplacian":
            made = np.exp(-gamma * manhattan_distances(X))
        elif kind == "cosine":
            made = cosine_similarity(X)
        else:
            raise NotImplementedError(f"SpectralClustering: affinity={kind!r} isn't supported here")
        return made, made

    def fit(self, X, y=None):
        if self.eigen_solver == "amg":
            raise ValueError("The eigen_solver was set to 'amg', but pyamg is not available.")
        X = _table(X).astype(np.float64)
        if len(X) < 2:
            raise ValueError(f"Found array with {len(X)} sample(s) (shape={X.shape}) while a minimum of 2 is required by SpectralClustering.")
        if X.shape[0] == X.shape[1] and self.affinity not in ("precomputed", "precomputed_nearest_neighbors"):
            warnings.warn("The spectral clustering API has changed. ``fit``now constructs an affinity matrix from data. To use a custom affinity "
                          "matrix, set ``affinity=precomputed``.", UserWarning, stacklevel=3)
        self.n_features_in_ = X.shape[1]
        near, self.affinity_matrix_ = self._similar(X)
        if near.shape[0] != near.shape[1]:
            raise ValueError(f"array must be 2-dimensional and square. shape = {near.shape}")
        if not np.allclose(near, near.T, atol=1e-10):
            warnings.warn("Array is not symmetric, and will be converted to symmetric by average with its transpose.", UserWarning, stacklevel=3)
            near = 0.5 * (near + near.T)
        random = check_random_state(self.random_state)
        # scikit-learn's search for eigenvectors begins anywhere; this one doesn't need it, but later draws do.
        random.uniform(-1, 1, size=len(X))
        made = _map(near, self.n_clusters if self.n_components is None else self.n_components)
        if self.verbose:
            print(f"Computing label assignment using {self.assign_labels}")
        if self.assign_labels == "kmeans":
            self.labels_ = KMeans(self.n_clusters, random_state=random, n_init=self.n_init).fit(made).labels_
        else:
            self.labels_ = _by_pivots(made) if self.assign_labels == "cluster_qr" else _discrete(made, random)
        return self

    def fit_predict(self, X, y=None):
        return self.fit(X).labels_
