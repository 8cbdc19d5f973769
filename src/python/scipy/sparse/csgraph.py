"""Graphs whose edges are the entries of a matrix."""

import heapq

import numpy as np

from scipy import lacking

from ._base import Sparse
from ._formats import csr_matrix


def _edges(graph):
    return graph.tocsr() if isinstance(graph, Sparse) else csr_matrix(np.asarray(graph, dtype=float))


def connected_components(csgraph, directed=True, connection="weak", return_labels=True):
    edges = _edges(csgraph)
    n = edges.shape[0]
    row, column, _ = edges._triples()
    if directed and connection == "strong":
        raise NotImplementedError("scipy.sparse.csgraph.connected_components(connection='strong')")
    near = [[] for _ in range(n)]
    for a, b in zip(row.tolist(), column.tolist()):
        near[a].append(b)
        near[b].append(a)
    labels, count = [-1] * n, 0
    for start in range(n):
        if labels[start] >= 0:
            continue
        labels[start], waiting = count, [start]
        while waiting:
            for b in near[waiting.pop()]:
                if labels[b] < 0:
                    labels[b] = count
                    waiting.append(b)
        count += 1
    return (count, np.array(labels, dtype=np.int32)) if return_labels else count


def dijkstra(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False, limit=np.inf, min_only=False):
    if min_only:
        raise NotImplementedError("scipy.sparse.csgraph.dijkstra(min_only=True)")
    edges = _edges(csgraph)
    row, column, data = edges._triples()
    near = [[] for _ in range(edges.shape[0])]
    for a, b, w in zip(row.tolist(), column.tolist(), data.tolist()):
        near[a].append((b, 1.0 if unweighted else w))
        if not directed:
            near[b].append((a, 1.0 if unweighted else w))
    starts = range(edges.shape[0]) if indices is None else np.atleast_1d(indices).tolist()
    far, before = [], []
    for start in starts:
        reach, source, heap = {start: 0.0}, {}, [(0.0, start)]
        while heap:
            d, a = heapq.heappop(heap)
            if d > reach[a]:
                continue
            for b, w in near[a]:
                if d + w < reach.get(b, np.inf) and d + w <= limit:
                    reach[b], source[b] = d + w, a
                    heapq.heappush(heap, (d + w, b))
        far.append([reach.get(i, np.inf) for i in range(edges.shape[0])])
        before.append([source.get(i, -9999) for i in range(edges.shape[0])])
    far, before = np.array(far), np.array(before, dtype=np.int32)
    if indices is not None and np.ndim(indices) == 0:
        far, before = far[0], before[0]
    return (far, before) if return_predecessors else far


def shortest_path(csgraph, method="auto", directed=True, return_predecessors=False, unweighted=False, overwrite=False, indices=None):
    if (_edges(csgraph).data < 0).any():
        raise NotImplementedError("scipy.sparse.csgraph.shortest_path of negative weights")
    return dijkstra(csgraph, directed, indices, return_predecessors, unweighted)


def minimum_spanning_tree(csgraph, overwrite=False):
    """Kruskal's tree. Each pair of nodes is joined by the lighter of its two edges."""
    edges = _edges(csgraph)
    row, column, data = (part.tolist() for part in edges._triples())
    parent = list(range(edges.shape[0]))

    def root(a):
        while parent[a] != a:
            parent[a] = a = parent[parent[a]]
        return a

    kept = []
    for i in np.argsort(np.array(data), kind="stable").tolist():
        a, b = root(row[i]), root(column[i])
        if a != b:
            parent[a] = b
            kept.append(i)
    kept.sort()
    return csr_matrix(([float(data[i]) for i in kept], ([row[i] for i in kept], [column[i] for i in kept])), shape=edges.shape)


def laplacian(csgraph, normed=False, return_diag=False, use_out_degree=False, **options):
    if options:
        raise NotImplementedError(f"scipy.sparse.csgraph.laplacian({next(iter(options))}=)")
    table = (csgraph.toarray() if isinstance(csgraph, Sparse) else np.array(csgraph)).copy()
    table = table.astype(float) if normed and table.dtype.kind in "biu" else table
    np.fill_diagonal(table, 0)
    degree = table.sum(axis=1 if use_out_degree else 0)
    made = -table
    if normed:
        alone = degree == 0
        degree = np.where(alone, 1, np.sqrt(degree))
        made = made / degree / degree[:, None]
        np.fill_diagonal(made, 1 - alone)
    else:
        np.fill_diagonal(made, degree)
    if isinstance(csgraph, Sparse):
        made = csgraph._like("coo", csr_matrix(made)._triples())
    return (made, degree) if return_diag else made


__getattr__ = lacking("scipy.sparse.csgraph")
