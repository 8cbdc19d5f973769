"""Which of equally distant neighbors scikit-learn names: those that its tree, or its list of all distances, meets first."""

import numpy as np


def method(of, count):
    """How scikit-learn searches: with a tree, or by every distance."""
    if of.algorithm != "auto":
        return of.algorithm
    wide = of._fit_X.shape[1] > 15 or of.n_neighbors is not None and of.n_neighbors >= of.n_samples_fit_ // 2
    return "brute" if wide else "kd_tree"


def _halve(items, middle):
    """C++'s `nth_element`, with the order in which it leaves the others."""
    first, last = 0, len(items)
    while last - first > 3:
        a, b, c = first + 1, first + (last - first) // 2, last - 1
        x, y, z = items[a], items[b], items[c]
        chosen = (b if y < z else c if x < z else a) if x < y else a if x < z else c if y < z else b
        items[first], items[chosen] = items[chosen], items[first]
        pivot, low, high = items[first], first + 1, last
        while True:
            while items[low] < pivot:
                low += 1
            high -= 1
            while pivot < items[high]:
                high -= 1
            if low >= high:
                break
            items[low], items[high] = items[high], items[low]
            low += 1
        if low <= middle:
            first = low
        else:
            last = low
    items[first:last] = sorted(items[first:last])


class Tree:
    """The nodes of scikit-learn's KDTree or BallTree: the order of their samples, and how near each may be."""

    def __init__(self, X, leaf_size, kind, power):
        self.X, self.kind, self.power = X, kind, power
        size = 2 ** (1 + max(0, int(np.floor(np.log2(max(1, (len(X) - 1) / leaf_size)))))) - 1
        self.nodes = [list(range(len(X)))] + [None] * (size - 1)
        for at in range(size // 2):
            rows = self.nodes[at]
            part = X[rows]
            column = part[:, int(np.argmax(part.max(axis=0) - part.min(axis=0)))].tolist()
            items, half = list(zip(column, rows)), len(rows) // 2
            _halve(items, half)
            order = [i for _, i in items]
            self.nodes[2 * at + 1], self.nodes[2 * at + 2] = order[:half], order[half:]
        if kind == "kd_tree":
            self.low = np.stack([X[n].min(axis=0) for n in self.nodes])
            self.high = np.stack([X[n].max(axis=0) for n in self.nodes])
        else:
            self.middle = np.stack([X[n].mean(axis=0) for n in self.nodes])
            self.reach = np.array([reduced(m[None], X[n], power).max() ** (1 / power) for n, m in zip(self.nodes, self.middle)])

    def bounds(self, points):
        if self.kind == "kd_tree":
            made = np.zeros((len(points), len(self.nodes)))
            for j in range(points.shape[1]):
                x = points[:, j:j + 1]
                away = np.maximum(self.low[:, j] - x, 0) + np.maximum(x - self.high[:, j], 0)
                made += away ** self.power
            return made
        return np.maximum(reduced(points, self.middle, self.power) ** (1 / self.power) - self.reach, 0) ** self.power

    def walk(self, near, away, count):
        heap, inner, todo = _Heap(count), len(self.nodes) // 2, [0]
        while todo:
            at = todo.pop()
            if near[at] > heap.away[0]:
                continue
            if at >= inner:
                for i in self.nodes[at]:
                    if away[i] < heap.away[0]:
                        heap.push(away[i], i)
            else:
                a, b = 2 * at + 1, 2 * at + 2
                todo += [b, a] if near[a] <= near[b] else [a, b]
        return heap.sorted()


class _Heap:
    def __init__(self, count):
        self.away, self.places = [float("inf")] * count, [0] * count

    def push(self, away, place):
        at, size, values = 0, len(self.away), self.away
        while True:
            low = 2 * at + 1
            if low >= size:
                break
            if low + 1 < size and values[low] < values[low + 1]:
                low += 1
            if away >= values[low]:
                break
            values[at], self.places[at] = values[low], self.places[low]
            at = low
        values[at], self.places[at] = away, place

    def sorted(self):
        self._sort(0, len(self.away))
        return self.places

    def _swap(self, i, j):
        for of in (self.away, self.places):
            of[i], of[j] = of[j], of[i]

    def _sort(self, start, end):
        v = self.away
        while end - start > 15:
            last, half = end - 1, start + (end - start) // 2
            if v[start] > v[last]:
                self._swap(start, last)
            if v[last] > v[half]:
                self._swap(last, half)
                if v[start] > v[last]:
                    self._swap(start, last)
            pivot, i, j = v[last], start + 1, last - 1
            while True:
                while i <= j and v[i] < pivot:
                    i += 1
                while i <= j and v[j] > pivot:
                    j -= 1
                if i >= j:
                    break
                self._swap(i, j)
                i, j = i + 1, j - 1
            self._swap(i, last)
            self._sort(start, i)
            start = i + 1
        order = sorted(range(start, end), key=v.__getitem__)
        for of in (v, self.places):
            of[start:end] = [of[i] for i in order]


def _listed(away, count, queries):
    """Of all distances. With few queries each thread keeps its nearest of 256 samples, and those are put together."""
    made = _Heap(count)
    for start in range(0, len(away), 256):
        part = _Heap(count) if queries <= 2048 else made
        for j, x in enumerate(away[start:start + 256], start):
            if x < part.away[0]:
                part.push(x, j)
        if part is not made:
            for x, j in zip(part.away, part.places):
                if x < made.away[0]:
                    made.push(x, j)
    return made.sorted()


def reduced(A, B, power):
    """The sums below the root of every distance, added column by column."""
    made = np.zeros((len(A), len(B)))
    for j in range(A.shape[1]):
        apart = np.abs(A[:, j:j + 1] - B[:, j])
        made += apart * apart if power == 2 else apart if power == 1 else apart ** power
    return made


def nearest(of, X, count, power):
    """The places of the nearest samples and how far they are, ties as in scikit-learn."""
    fitted, how = of._fit_X, method(of, count)
    tree, places, sums = None, [], []
    for start in range(0, len(X), 64):
        part = X[start:start + 64]
        exact = reduced(part, fitted, power)
        away = exact
        if how == "brute" and power == 2:
            away = np.maximum((part * part).sum(axis=1)[:, None] - 2 * (part @ fitted.T) + (fitted * fitted).sum(axis=1), 0)
            away = np.where(np.isclose(away, exact, rtol=1e-9, atol=1e-9), away, exact)
        order = np.argsort(away, axis=1, kind="stable")[:, :count + 1]
        ordered = np.take_along_axis(away, order, axis=1)
        tied = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
        order = order[:, :count]
        if len(tied):
            if how == "brute":
                for i in tied:
                    order[i] = _listed(away[i].tolist(), count, len(X))
            else:
                tree = tree or Tree(fitted, of.leaf_size, how, power)
                for i, near in zip(tied, tree.bounds(part[tied])):
                    order[i] = tree.walk(near.tolist(), away[i].tolist(), count)
        places.append(order)
        sums.append(np.take_along_axis(exact, order, axis=1))
    return np.concatenate(places), np.concatenate(sums)
