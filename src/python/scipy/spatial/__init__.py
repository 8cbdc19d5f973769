"""Distances, and the nearest of many points."""

import numpy as np
from scipy import lacking
from scipy.spatial import distance
from scipy.spatial.distance import cdist


def distance_matrix(x, y, p=2, threshold=1000000):
    return cdist(np.asarray(x, dtype=float), np.asarray(y, dtype=float), "minkowski", p=p)


class KDTree:
    """The nearest of many points. Every distance is computed, and of equally distant points the first is named."""

    def __init__(self, data, leafsize=10, compact_nodes=True, copy_data=False, balanced_tree=True, boxsize=None):
        if boxsize is not None:
            raise NotImplementedError("scipy.spatial.KDTree(boxsize=)")
        self.data = np.array(data, dtype=float)
        if self.data.ndim != 2:
            raise ValueError("data must be 2 dimensions")
        self.n, self.m, self.leafsize = *self.data.shape, leafsize
        self.mins, self.maxes = self.data.min(axis=0), self.data.max(axis=0)

    def _away(self, x, p):
        x = np.asarray(x, dtype=float)
        if x.shape[-1] != self.m:
            raise ValueError(f"x must consist of vectors of length {self.m} but has shape {x.shape}")
        flat = x.reshape(-1, self.m)
        if p == 2:
            return sum((flat[:, j:j + 1] - self.data[:, j]) ** 2 for j in range(self.m)) ** 0.5, x.shape[:-1]
        return cdist(flat, self.data, "minkowski", p=p) if p != np.inf else cdist(flat, self.data, "chebyshev"), x.shape[:-1]

    def query(self, x, k=1, eps=0.0, p=2.0, distance_upper_bound=np.inf, workers=1):
        away, shape = self._away(x, p)
        wanted = list(range(1, k + 1)) if isinstance(k, (int, np.integer)) else list(k)
        most = max(wanted)
        order = np.argsort(away, axis=1, kind="stable")[:, :most]
        near = np.take_along_axis(away, order, axis=1)
        if most > self.n:
            more = ((0, 0), (0, most - self.n))
            near, order = np.pad(near, more, constant_values=np.inf), np.pad(order, more, constant_values=self.n)
        order = np.where(near < distance_upper_bound, order, self.n)
        near = np.where(near < distance_upper_bound, near, np.inf)
        at = [i - 1 for i in wanted]
        near, order = near[:, at], order[:, at]
        if isinstance(k, (int, np.integer)) and k == 1:
            near, order = near[:, 0].reshape(shape), order[:, 0].reshape(shape)
            return (float(near), np.int64(order)) if not shape else (near, order)
        return near.reshape(*shape, len(at)), order.reshape(*shape, len(at))

    def query_ball_point(self, x, r, p=2.0, eps=0, workers=1, return_sorted=None, return_length=False):
        away, shape = self._away(x, p)
        reach = np.broadcast_to(np.asarray(r, dtype=float), shape).reshape(-1)
        if not shape and not return_sorted and not return_length:
            raise NotImplementedError("scipy.spatial.KDTree.query_ball_point of one point lists places in the order of the tree; "
                                      "return_sorted=True is here")
        found = [np.flatnonzero(row <= limit).tolist() for row, limit in zip(away, reach)]
        if return_length:
            return np.array([len(f) for f in found]).reshape(shape) if shape else len(found[0])
        if not shape:
            return found[0]
        made = np.empty(len(found), dtype=object)
        for i, f in enumerate(found):
            made[i] = f
        return made.reshape(shape)

    def query_pairs(self, r, p=2.0, eps=0, output_type="set"):
        away = np.triu(self._away(self.data, p)[0] <= r, 1)
        if output_type == "ndarray":
            raise NotImplementedError("scipy.spatial.KDTree.query_pairs(output_type='ndarray')")
        return {(int(i), int(j)) for i, j in np.argwhere(away)}


cKDTree = KDTree
__getattr__ = lacking("scipy.spatial")
