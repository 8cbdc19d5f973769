"""Hierarchical clusters: trees of joined clusters, cut and drawn."""

import numpy as np

from scipy import lacking
from scipy.spatial import distance

_SQUARED = ("centroid", "median", "ward")


def _updated(method, ax, bx, ab, na, nb, nx):
    """How far a cluster x is from the union of a and b: the rule of Lance and Williams."""
    if method == "single":
        return np.minimum(ax, bx)
    if method == "complete":
        return np.maximum(ax, bx)
    if method == "average":
        return (na * ax + nb * bx) / (na + nb)
    if method == "weighted":
        return 0.5 * (ax + bx)
    if method == "centroid":
        return np.sqrt(((na * ax * ax) + (nb * bx * bx) - (na * nb * ab * ab) / (na + nb)) / (na + nb))
    if method == "median":
        return np.sqrt(0.5 * (ax * ax + bx * bx) - 0.25 * ab * ab)
    t = 1.0 / (na + nb + nx)
    return np.sqrt((na + nx) * t * ax * ax + (nb + nx) * t * bx * bx - nx * t * ab * ab)


def _labelled(joins, n):
    """Joins of points, in order of distance, as rows of a linkage: clusters get the numbers from n on."""
    order = np.argsort([d for _, _, d in joins], kind="stable").tolist()
    parent, size, Z = list(range(2 * n - 1)), [1] * (2 * n - 1), np.zeros((n - 1, 4))

    def root(x):
        while parent[x] != x:
            parent[x] = x = parent[parent[x]]
        return x

    for i, at in enumerate(order):
        a, b = sorted((root(joins[at][0]), root(joins[at][1])))
        size[n + i] = size[a] + size[b]
        parent[a] = parent[b] = n + i
        Z[i] = a, b, joins[at][2], size[n + i]
    return Z


def _single(square, n):
    """A minimum spanning tree, by Prim."""
    joins, left, near, x = [], np.ones(n, dtype=bool), np.full(n, np.inf), 0
    for _ in range(n - 1):
        left[x] = False
        near = np.minimum(near, square[x])
        y = int(np.argmin(np.where(left, near, np.inf)))
        joins.append((x, y, float(near[y])))
        x = y
    return _labelled(joins, n)


def _chained(square, n, method):
    """Joins the ends of chains of nearest neighbors."""
    D, size, chain, joins = square.copy(), [1] * n, [], []
    np.fill_diagonal(D, np.inf)
    alive = np.ones(n, dtype=bool)
    for _ in range(n - 1):
        if not chain:
            chain = [int(np.flatnonzero(alive)[0])]
        while True:
            x = chain[-1]
            row = np.where(alive, D[x], np.inf)
            row[x] = np.inf
            if len(chain) > 1:
                y, least = chain[-2], float(row[chain[-2]])
            else:
                y, least = x, np.inf
            nearer = int(np.argmin(row))
            if row[nearer] < least:
                y, least = nearer, float(row[nearer])
            if len(chain) > 1 and y == chain[-2]:
                break
            chain.append(y)
        del chain[-2:]
        x, y = min(x, y), max(x, y)
        nx, ny = size[x], size[y]
        joins.append((x, y, least))
        size[x], size[y] = 0, nx + ny
        alive[x] = False
        others = np.flatnonzero(alive & (np.arange(n) != y))
        if len(others):
            made = _updated(method, D[x, others], D[y, others], least, nx, ny, np.array([size[i] for i in others.tolist()], dtype=float))
            D[y, others] = D[others, y] = made
    return _labelled(joins, n)


def _stepwise(square, n, method):
    """Joins the two nearest clusters, again and again. Their union can be nearer to a third one than they were to each other."""
    D, ids, size = square.copy(), list(range(n)), [1] * n
    np.fill_diagonal(D, np.inf)
    Z, gone = np.zeros((n - 1, 4)), np.zeros(n, dtype=bool)
    for k in range(n - 1):
        table = np.where(gone[:, None] | gone[None], np.inf, D)
        table = np.where(np.tril(np.ones((n, n), dtype=bool)), np.inf, table)
        x, y = divmod(int(np.argmin(table)), n)
        least = float(table[x, y])
        a, b = sorted((ids[x], ids[y]))
        nx, ny = size[x], size[y]
        Z[k] = a, b, least, nx + ny
        gone[x] = True
        others = np.flatnonzero(~gone & (np.arange(n) != y))
        if len(others):
            made = _updated(method, D[x, others], D[y, others], least, nx, ny, np.array([size[i] for i in others.tolist()], dtype=float))
            D[y, others] = D[others, y] = made
        ids[y], size[y] = n + k, nx + ny
    return Z


def linkage(y, method="single", metric="euclidean", optimal_ordering=False):
    y = np.asarray(y, dtype=float)
    if method not in ("single", "complete", "average", "weighted", "centroid", "median", "ward"):
        raise ValueError(f"Invalid method: {method}")
    if y.ndim == 1:
        square = distance.squareform(y)
    elif y.ndim == 2:
        if method in _SQUARED and metric != "euclidean":
            raise ValueError(f"Method '{method}' requires the distance metric to be Euclidean")
        if y.shape[0] == y.shape[1] and np.allclose(np.diag(y), 0) and np.all(y >= 0) and np.allclose(y, y.T):
            import warnings
            warnings.warn("The symmetric non-negative hollow observation matrix looks suspiciously like an uncondensed distance matrix",
                          ClusterWarning, stacklevel=2)
        square = distance.squareform(distance.pdist(y, metric))
    else:
        raise ValueError("`y` must be 1 or 2 dimensional.")
    if not np.all(np.isfinite(square)):
        raise ValueError("The condensed distance matrix must contain only finite values.")
    n = len(square)
    if n < 2:
        raise ValueError("The number of observations cannot be determined on an empty distance matrix.")
    Z = _single(square, n) if method == "single" else _stepwise(square, n, method) if method in ("centroid", "median") else \
        _chained(square, n, method)
    if optimal_ordering:
        raise NotImplementedError("scipy.cluster.hierarchy.linkage(optimal_ordering=True)")
    return Z


class ClusterWarning(UserWarning):
    pass


def _of(method):
    def link(y):
        return linkage(y, method=method, metric="euclidean")

    link.__name__ = method
    return link


single, complete, average, weighted, centroid, median, ward = (
    _of(m) for m in ("single", "complete", "average", "weighted", "centroid", "median", "ward"))


class ClusterNode:
    """A node of the tree of clusters."""

    def __init__(self, id, left=None, right=None, dist=0.0, count=1):
        if id < 0:
            raise ValueError("The id must be non-negative.")
        if (left is None) != (right is None):
            raise ValueError("Only full or proper binary trees are permitted. This node has one child.")
        self.id, self.left, self.right, self.dist = id, left, right, dist
        self.count = count if left is None else left.count + right.count

    def get_id(self):
        return self.id

    def get_count(self):
        return self.count

    def get_left(self):
        return self.left

    def get_right(self):
        return self.right

    def is_leaf(self):
        return self.left is None

    def pre_order(self, func=lambda x: x.id):
        waiting, found = [self], []
        while waiting:
            node = waiting.pop()
            if node.is_leaf():
                found.append(func(node))
            else:
                waiting += [node.right, node.left]
        return found

    def __lt__(self, other):
        return self.dist < other.dist

    def __gt__(self, other):
        return self.dist > other.dist

    def __eq__(self, other):
        return self.dist == other.dist

    __hash__ = None


def _checked(Z):
    Z = np.asarray(Z, dtype=float)
    if Z.ndim != 2 or Z.shape[1] != 4:
        raise ValueError("Linkage matrix 'Z' must have 4 columns.")
    return Z, len(Z) + 1


def is_valid_linkage(Z, warning=False, throw=False, name=None):
    try:
        Z, n = _checked(Z)
    except ValueError:
        if throw:
            raise
        return False
    return bool(np.all(Z >= 0) and np.all(Z[:, :2].max(axis=1) < n + np.arange(n - 1)))


def num_obs_linkage(Z):
    return len(np.asarray(Z)) + 1


def to_tree(Z, rd=False):
    Z, n = _checked(Z)
    nodes = [ClusterNode(i) for i in range(n)]
    for i, (a, b, d, _) in enumerate(Z.tolist()):
        nodes.append(ClusterNode(n + i, nodes[int(a)], nodes[int(b)], d))
    return (nodes[-1], nodes) if rd else nodes[-1]


def leaves_list(Z):
    return np.array(to_tree(Z).pre_order(), dtype=np.int32)


def _members(Z, n):
    """The points of every cluster, in the order of the tree."""
    members = [[i] for i in range(n)]
    for a, b, *_ in Z.tolist():
        members.append(members[int(a)] + members[int(b)])
    return members


def cophenet(Z, Y=None):
    """How high two points are joined, for each pair; with Y, how that correlates with their distances."""
    Z, n = _checked(Z)
    square, members = np.zeros((n, n)), _members(Z, n)
    for a, b, d, _ in Z.tolist():
        square[np.ix_(members[int(a)], members[int(b)])] = d
        square[np.ix_(members[int(b)], members[int(a)])] = d
    found = distance.squareform(square)
    if Y is None:
        return found
    Y = np.asarray(Y, dtype=float)
    y, z = Y - Y.mean(), found - found.mean()
    return (y * z).sum() / np.sqrt((y**2).sum() * (z**2).sum()), found


def inconsistent(Z, d=2):
    Z, n = _checked(Z)
    out = np.zeros((n - 1, 4))
    for i in range(n - 1):
        heights, level = [], [(i, 1)]
        while level:
            at, depth = level.pop()
            heights.append(Z[at, 2])
            if depth < d:
                level += [(int(child) - n, depth + 1) for child in Z[at, :2] if child >= n]
        mean = float(np.mean(heights))
        spread = float(np.std(heights, ddof=1)) if len(heights) > 1 else 0.0
        out[i] = mean, spread, len(heights), (Z[i, 2] - mean) / spread if spread > 0 else 0.0
    return out


def _greatest(Z, n, values):
    """For each cluster, the greatest value in its subtree."""
    most = np.array(values, dtype=float)
    for i in range(n - 1):
        for child in Z[i, :2]:
            if child >= n:
                most[i] = max(most[i], most[int(child) - n])
    return most


def maxdists(Z):
    Z, n = _checked(Z)
    return _greatest(Z, n, Z[:, 2])


def _flat(Z, n, most, t):
    """Numbers the clusters whose greatest value is at most t, in the order of the tree."""
    labels, count, leader = np.zeros(n, dtype=np.int32), 0, None
    waiting, seen = [2 * n - 2], set()
    while waiting:
        at = waiting[-1]
        left, right = int(Z[at - n, 0]), int(Z[at - n, 1])
        if leader is None and most[at - n] <= t:
            leader = at
            count += 1
        below = next((child for child in (left, right) if child >= n and child not in seen), None)
        if below is not None:
            seen.add(below)
            waiting.append(below)
            continue
        # Leaves that are clusters of their own are counted after the branches beside them.
        for child in (left, right):
            if child < n:
                count += leader is None
                labels[child] = count
        if leader == at:
            leader = None
        waiting.pop()
    return labels


def fcluster(Z, t, criterion="inconsistent", depth=2, R=None, monocrit=None):
    Z, n = _checked(Z)
    if criterion == "distance":
        return _flat(Z, n, maxdists(Z), t)
    if criterion == "inconsistent":
        return _flat(Z, n, _greatest(Z, n, (inconsistent(Z, depth) if R is None else np.asarray(R))[:, 3]), t)
    if criterion == "monocrit":
        return _flat(Z, n, np.asarray(monocrit), t)
    if criterion in ("maxclust", "maxclust_monocrit"):
        most = maxdists(Z) if criterion == "maxclust" else np.asarray(monocrit)
        if t >= n:
            return _flat(Z, n, most, -1.0)
        for level in np.sort(np.unique(most)).tolist():
            labels = _flat(Z, n, most, level)
            if labels.max() <= t:
                return labels
        return np.ones(n, dtype=np.int32)
    raise ValueError(f"Invalid cluster formation criterion: {criterion}")


def fclusterdata(X, t, criterion="inconsistent", metric="euclidean", depth=2, method="single", R=None):
    return fcluster(linkage(distance.pdist(X, metric), method), t, criterion, depth, R)


def cut_tree(Z, n_clusters=None, height=None):
    Z, n = _checked(Z)
    if n_clusters is not None and height is not None:
        raise ValueError("At least one of either height or n_clusters must be None")
    if height is not None:
        columns = [n - int(np.searchsorted(Z[:, 2], h, side="right")) for h in np.atleast_1d(height).tolist()]
    elif n_clusters is not None:
        columns = np.atleast_1d(n_clusters).tolist()
    else:
        columns = list(range(n, 0, -1))
    labels, members, found = list(range(n)), _members(Z, n), {n: list(range(n))}
    for i in range(n - 1):
        group = members[n + i]
        lowest = min(labels[p] for p in group)
        gone = max({labels[p] for p in group})
        for p in group:
            labels[p] = lowest
        labels = [label - (label > gone) for label in labels]
        found[n - 1 - i] = list(labels)
    return np.array([found[c] for c in columns]).T


_palette = ["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9"]


def set_link_color_palette(palette):
    _palette[:] = ["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9"] if palette is None else palette


def dendrogram(Z, p=30, truncate_mode=None, color_threshold=None, get_leaves=True, orientation="top", labels=None, count_sort=False,
               distance_sort=False, show_leaf_counts=True, no_plot=False, no_labels=False, leaf_font_size=None, leaf_rotation=None,
               leaf_label_func=None, show_contracted=False, link_color_func=None, ax=None, above_threshold_color="C0"):
    Z, n = _checked(Z)
    if orientation not in ("top", "left", "bottom", "right"):
        raise ValueError("orientation must be one of 'top', 'left', 'bottom', or 'right'")
    if labels is not None and len(labels) != n:
        raise ValueError("Dimensions of Z and labels must be consistent.")
    if show_contracted:
        raise NotImplementedError("scipy.cluster.hierarchy.dendrogram(show_contracted=True)")
    if truncate_mode not in (None, "none", "lastp", "level"):
        raise ValueError("truncate_mode must be one of 'lastp', 'level' or None")
    if color_threshold is None or color_threshold == "default":
        color_threshold = float(Z[:, 2].max()) * 0.7
    icoord, dcoord, colors, ivl, leaves = [], [], [], [], []
    below = [None]

    def color(at, height):
        """A color for each tree below the threshold, and one for everything above."""
        if link_color_func is not None:
            return link_color_func(at)
        if height < color_threshold:
            if below[0] is None:
                below[0] = _next()
            return below[0]
        below[0] = None
        return above_threshold_color

    turn = [0]

    def _next():
        made = _palette[turn[0] % len(_palette)]
        turn[0] += 1
        return made

    def leaf(at, x):
        leaves.append(at)
        if leaf_label_func is not None:
            ivl.append(leaf_label_func(at))
        elif at < n:
            ivl.append(labels[at] if labels is not None else str(at))
        else:
            ivl.append(f"({int(Z[at - n, 3])})" if show_leaf_counts else "")
        return x + 5.0, 10.0, 0.0

    def ordered(a, b):
        """The children from left to right."""
        heights = [Z[c - n, 2] if c >= n else 0.0 for c in (a, b)]
        counts = [Z[c - n, 3] if c >= n else 1 for c in (a, b)]
        for sort, sizes in ((count_sort, counts), (distance_sort, heights)):
            if sort in ("ascending", True):
                return (a, b) if sizes[0] <= sizes[1] else (b, a)
            if sort in ("descending", "descendent"):
                return (a, b) if sizes[0] > sizes[1] else (b, a)
        return a, b

    def visit(at, x, level):
        """Draws a cluster from x on: its middle, its width and its height."""
        if at < n or truncate_mode == "lastp" and at < 2 * n - p or truncate_mode == "level" and level > p:
            return leaf(at, x)
        height = Z[at - n, 2]
        a, b = ordered(int(Z[at - n, 0]), int(Z[at - n, 1]))
        left, wide_a, high_a = visit(a, x, level + 1)
        mark = color(at, height) if height >= color_threshold or link_color_func else None
        right, wide_b, high_b = visit(b, x + wide_a, level + 1)
        mark = color(at, height) if mark is None else mark
        if height >= color_threshold:
            below[0] = None
        icoord.append([left, left, right, right])
        dcoord.append([high_a, height, height, high_b])
        colors.append(mark)
        return (left + right) / 2, wide_a + wide_b, height

    import sys
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 4 * n + 1000))
    visit(2 * n - 2, 0.0, 0)
    leaves_colors = _leaf_colors(icoord, dcoord, colors, len(leaves), above_threshold_color)
    found = {"icoord": icoord, "dcoord": dcoord, "ivl": [] if no_labels else ivl, "leaves": leaves, "color_list": colors}
    if not get_leaves:
        found["leaves"] = None
    if not no_plot:
        _draw(found, orientation, no_labels, leaf_font_size, leaf_rotation, ax)
    found["leaves_color_list"] = leaves_colors
    return found


def _leaf_colors(icoord, dcoord, colors, count, above):
    made = [above] * count
    for x, y, color in zip(icoord, dcoord, colors):
        for xi, yi in zip(x, y):
            if yi == 0 and xi % 5 == 0 and xi % 2 == 1:
                made[(int(xi) - 5) // 10] = color
    return made


def _draw(found, orientation, no_labels, font_size, rotation, ax):
    import matplotlib.pyplot as plt
    ax = plt.gca() if ax is None else ax
    upright = orientation in ("top", "bottom")
    top = max(max(d) for d in found["dcoord"])
    width = 10 * len(found["leaves"] or found["ivl"])
    for x, y, color in zip(found["icoord"], found["dcoord"], found["color_list"]):
        ax.plot(*((x, y) if upright else (y, x)), color=color)
    places = [10 * i + 5 for i in range(width // 10)]
    high = top + top * 0.05
    ends = (0, high) if orientation in ("top", "right") else (high, 0)
    if upright:
        ax.set_ylim(*ends)
        ax.set_xlim(0, width)
        ax.set_xticks([] if no_labels else places, [] if no_labels else found["ivl"])
    else:
        ax.set_xlim(*ends)
        ax.set_ylim(0, width)
        ax.set_yticks([] if no_labels else places, [] if no_labels else found["ivl"])
    turned = rotation if rotation is not None else 0 if len(found["ivl"]) <= 20 else 45 if len(found["ivl"]) <= 40 else 90
    if not no_labels and upright and turned:
        ax.tick_params(axis="x", rotation=turned)
    if font_size is not None and not no_labels:
        ax.tick_params(axis="x" if upright else "y", labelsize=font_size)


__getattr__ = lacking("scipy.cluster.hierarchy")
