"""Boosted trees over binned features: `HistGradientBoostingClassifier` and `HistGradientBoostingRegressor`."""

import heapq
import math

import numpy as np

from .base import ClassifierMixin, RegressorMixin, _Staged
from .utils import check_consistent_length, check_random_state
from .utils.class_weight import _weighted

_TINY = 1e-15
_LIGHTEST = 1e-3


def _wide(X):
    """A 2-D array of floats that may lack some (NaN) or be infinite."""
    kinds = getattr(X, "dtypes", None)
    if hasattr(X, "iloc") and any(str(kind) == "category" for kind in kinds):
        raise NotImplementedError("HistGradientBoosting: columns of categories aren't supported here; encode them as numbers")
    X = np.asarray(X)
    if X.dtype != np.float64:
        X = X.astype(np.float64)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead:\narray={X}.\nReshape your data either using array.reshape(-1, 1) if your "
                         "data has a single feature or array.reshape(1, -1) if it contains a single sample." if X.ndim == 1 else
                         f"Found array with dim {X.ndim}, while dim <= 2 is required.")
    return X


def _share(values, weights, share, between=False):
    """The value below which a share of all weight lies; `between`: the mean with the next one where the share ends between both."""
    order = np.argsort(values, kind="stable")
    values, heights = values[order], np.cumsum(weights[order])
    wanted = share * heights[-1]
    at = min(int(np.searchsorted(heights, wanted)), len(values) - 1)
    if between and not heights[at] - wanted > np.finfo(np.float64).eps:
        return (values[at] + values[min(at + 1, len(values) - 1)]) / 2
    return values[at]


def _thresholds(column, most, weights):
    """The upper bounds of the bins of a feature, without that of the last bin."""
    there = ~np.isnan(column)
    if weights is not None:
        there &= weights != 0
        weights = weights[there]
    column = column[there]
    distinct = np.unique(column)
    if len(distinct) <= 1:
        return np.zeros(0)
    if len(distinct) <= most:
        made = (distinct[:-1] + distinct[1:]) / 2
    else:
        shares = np.linspace(0, 100, num=most + 1)[1:-1]
        made = np.percentile(column, shares, method="averaged_inverted_cdf") if weights is None else \
            np.array([_share(column, weights, share / 100, True) for share in shares.tolist()])
    return np.minimum(np.unique(made), 1e300)


class _Node:
    """A node of a growing tree; the one that gains most is split first."""

    __slots__ = ("rows", "depth", "slope", "bend", "value", "split", "bins", "left", "right", "leaf")

    def __init__(self, rows, depth, slope, bend, value):
        self.rows, self.depth, self.slope, self.bend, self.value = rows, depth, slope, bend, value
        self.split = self.bins = self.left = self.right = None
        self.leaf = False

    def __lt__(self, other):
        return self.split[0] > other.split[0]


class _Grower:
    """Grows one tree: `slopes` and `bends` are the derivatives of the loss, a number for each sample (`bends` is None if all are 1)."""

    def __init__(self, model, binned, slopes, bends):
        self.model, self.binned, self.slopes, self.bends = model, binned, slopes, bends
        self.leaves, waiting = [], []
        least, most = model.min_samples_leaf, model.max_leaf_nodes
        bins = self._bins(None)
        # scikit-learn adds up the bins of the first feature, of which there are as many as there may be.
        total = np.zeros((2, model.max_bins + 1))
        count = binned.counts[0]
        total[:, :count], total[:, -1] = bins[:2, 0, :count], bins[:2, 0, -1]
        root = self.root = _Node(np.arange(len(slopes)), 0, float(total[0].sum()),
                                 float(len(slopes)) if bends is None else float(total[1].sum()), 0.0)
        if len(slopes) < 2 * least or root.bend < _LIGHTEST:
            self._finish(root)
        else:
            root.bins = bins
            self._offer(root, waiting)
        while waiting:
            node = heapq.heappop(waiting)
            left, right = self._divide(node)
            if most is not None and len(self.leaves) + len(waiting) + 2 == most:
                for one in [left, right] + waiting[::-1]:
                    self._finish(one)
                break
            if left.depth == model.max_depth:
                self._finish(left)
                self._finish(right)
                continue
            for one in (left, right):
                if len(one.rows) < 2 * least:
                    self._finish(one)
            if not (left.leaf and right.leaf):
                small, large = (left, right) if len(left.rows) < len(right.rows) else (right, left)
                small.bins = self._bins(small.rows)
                large.bins = node.bins - small.bins
                for one in (left, right):
                    if not one.leaf:
                        self._offer(one, waiting)
            node.bins = None
        for leaf in self.leaves:
            leaf.value *= model.learning_rate

    def _finish(self, node):
        node.leaf = True
        self.leaves.append(node)

    def _bins(self, rows):
        """For each feature and bin the sums of slopes and bends and the number of samples: 3 × features × bins."""
        binned = self.binned
        codes = binned.codes if rows is None else binned.codes[rows]
        shape, wide = (codes.shape[1], binned.width), codes.shape[1]
        codes, every = codes.ravel(), codes.shape[1] * binned.width
        take = lambda a: np.repeat((a if rows is None else a[rows]).astype(np.float64), wide)
        count = np.bincount(codes, minlength=every).astype(np.float64)
        bends = count if self.bends is None else np.bincount(codes, take(self.bends), minlength=every)
        return np.stack([np.bincount(codes, take(self.slopes), minlength=every), bends, count]).reshape((3, *shape))

    def _gains(self, node, left, valid):
        """The gain of each split; `left`: the sums on the left, `valid`: which splits there are."""
        model = self.model
        l2, least = model.l2_regularization, model.min_samples_leaf
        right = np.array([node.slope, node.bend, float(len(node.rows))])[:, None, None] - left
        valid = valid & (np.minimum(left[2], right[2]) >= least) & (np.minimum(left[1], right[1]) >= _LIGHTEST)
        with np.errstate(all="ignore"):
            # Rounded as scikit-learn does, because the first of equally good splits is chosen.
            gains = node.slope * node.value - left[0] * (-left[0] / (left[1] + l2 + _TINY))
            gains -= right[0] * (-right[0] / (right[1] + l2 + _TINY))
        return np.where(valid, gains, -1.0)

    def _offer(self, node, waiting):
        """Finds the best split of a node, or makes it a leaf."""
        binned, bins = self.binned, node.bins[:, :, :-1]
        left = bins.cumsum(axis=2)
        gains = self._gains(node, left, binned.valid)
        at = gains.argmax(axis=1)
        features = np.arange(len(at))
        best, missing_left = gains[features, at], np.zeros(len(at), dtype=bool)
        if binned.any_missing:
            # Once more from the right, with the missing values on the left.
            right = bins[:, :, ::-1].cumsum(axis=2)[:, :, ::-1]
            other = np.zeros(left.shape)
            other[:, :, :-1] = np.array([node.slope, node.bend, float(len(node.rows))])[:, None, None] - right[:, :, 1:]
            back = self._gains(node, other, binned.valid_back)
            there = back.shape[1] - 1 - back[:, ::-1].argmax(axis=1)
            found = back[features, there]
            missing_left = found > best
            at, best = np.where(missing_left, there, at), np.where(missing_left, found, best)
        allowed = best
        if self.model.max_features < 1.0:
            drawn = np.zeros(len(at), dtype=bool)
            drawn[:max(1, math.ceil(self.model.max_features * len(at)))] = True
            self.model._feature_subsample_rng.shuffle(drawn)
            allowed = np.where(drawn, best, -1.0)
        feature = int(allowed.argmax())
        if not allowed[feature] > 0:
            self._finish(node)
            return
        goes, place = bool(missing_left[feature]), int(at[feature])
        sums = (other if goes else left)[:, feature, place]
        node.split = (float(allowed[feature]), feature, place, goes, float(sums[0]), float(sums[1]))
        heapq.heappush(waiting, node)

    def _divide(self, node):
        gain, feature, place, goes, slope, bend = node.split
        found = self.binned.bins[node.rows, feature]
        mask = found <= place
        if goes:
            mask |= found == self.binned.width - 1
        l2 = self.model.l2_regularization
        value = lambda slope, bend: -slope / (bend + l2 + _TINY)
        node.left = _Node(node.rows[mask], node.depth + 1, slope, bend, value(slope, bend))
        slope, bend = node.slope - slope, node.bend - bend
        node.right = _Node(node.rows[~mask], node.depth + 1, slope, bend, value(slope, bend))
        if not self.binned.missing[feature]:
            # Nothing was missing here, so a value that is missing later goes where most samples went.
            node.split = (gain, feature, place, len(node.left.rows) > len(node.right.rows), slope, bend)
        return node.left, node.right


class _Binned:
    """A table of bins: what every tree of a model looks at."""

    def __init__(self, X, most, weights):
        self.thresholds = [_thresholds(X[:, j], most, weights) for j in range(X.shape[1])]
        self.counts = np.array([len(t) + 1 for t in self.thresholds])
        # The last bin is that of missing values.
        self.width = int(self.counts.max()) + 1
        self.bins = np.stack([np.where(np.isnan(x), self.width - 1, np.searchsorted(t, x)) for x, t in zip(X.T, self.thresholds)], axis=1)
        self.codes = self.bins + np.arange(X.shape[1]) * self.width
        self.missing = np.isnan(X).any(axis=0)
        self.any_missing = bool(self.missing.any())
        place = np.arange(self.width - 1)[None]
        self.valid = place < (self.counts - 1 + self.missing)[:, None]
        self.valid_back = (place < (self.counts - 1)[:, None]) & self.missing[:, None]


class _Tree:
    """The nodes of a tree that has been grown, in scikit-learn's order."""

    def __init__(self, grower):
        self.nodes = []
        waiting = [(grower.root, -1, 0)]
        while waiting:
            node, parent, side = waiting.pop()
            if parent >= 0:
                self.nodes[parent][side] = len(self.nodes)
            row = [-1, -1, 0, 0.0, False, float(node.value)]
            if not node.leaf:
                _, feature, place, goes, *_ = node.split
                bounds = grower.binned.thresholds[feature]
                row[2:5] = [feature, np.inf if place == len(bounds) else float(bounds[place]), goes]
                waiting += [(node.right, len(self.nodes), 1), (node.left, len(self.nodes), 0)]
            self.nodes.append(row)
        columns = list(zip(*self.nodes))
        self.left, self.right, self.feature = (np.array(c, dtype=np.int64) for c in columns[:3])
        self.threshold, self.goes, self.value = np.array(columns[3]), np.array(columns[4]), np.array(columns[5])
        self.nodes = len(columns[0])

    def predict(self, X):
        at, rows = np.zeros(len(X), dtype=np.int64), np.arange(len(X))
        while True:
            inner = self.left[at] >= 0
            if not inner.any():
                return self.value[at]
            x = X[rows, self.feature[at]]
            left = np.where(np.isnan(x), self.goes[at], x <= self.threshold[at])
            at = np.where(inner, np.where(left, self.left[at], self.right[at]), at)


# The losses: of the targets and the sums of the trees.
class _Squares:
    even = True

    def first(self, y, weights):
        return np.average(y, weights=weights)

    def link(self, sums):
        return sums

    def loss(self, y, sums):
        return 0.5 * (sums - y) ** 2

    def slopes(self, y, sums):
        return sums - y, None


class _Quantile(_Squares):
    """The absolute error too, with slopes of twice the size: the values of leaves are shares of what is left."""

    even = False

    def __init__(self, share, absolute=False):
        self.share, self.size, self.absolute = share, 2.0 if absolute else 1.0, absolute

    def first(self, y, weights):
        if weights is not None:
            return _share(y, weights, self.share)
        return np.median(y) if self.absolute else np.percentile(y, 100 * self.share)

    def loss(self, y, sums):
        return self.size * np.where(y >= sums, self.share * (y - sums), (1.0 - self.share) * (sums - y))

    def slopes(self, y, sums):
        return self.size * np.where(y >= sums, -self.share, 1.0 - self.share), None


class _Counts:
    """Poisson's deviance of the logarithm, and with `gamma` that of the gamma distribution."""

    even = True

    def __init__(self, gamma=False):
        self.gamma = gamma

    def first(self, y, weights):
        mean = np.average(y, weights=weights)
        return np.log(np.maximum(mean, 10 * np.finfo(np.float64).eps))

    def link(self, sums):
        return np.exp(sums)

    def loss(self, y, sums):
        return sums + y * np.exp(-sums) if self.gamma else np.exp(sums) - y * sums

    def slopes(self, y, sums):
        if self.gamma:
            part = np.exp(-sums)
            return 1.0 - y * part, part * y
        part = np.exp(sums)
        return part - y, part


class _Odds:
    """The log loss of two classes."""

    even = True

    def first(self, y, weights):
        eps = 10 * np.finfo(np.float64).eps
        mean = np.clip(np.average(y, weights=weights), eps, 1 - eps)
        return np.log(mean / (1 - mean))

    def loss(self, y, sums):
        return np.logaddexp(0, sums) - y * sums

    def slopes(self, y, sums):
        part = np.exp(-np.maximum(sums, -37.0))
        low = np.exp(np.minimum(sums, -37.0))
        return np.where(sums > -37, ((1 - y) - y * part) / (1 + part), low - y), np.where(sums > -37, part / (1 + part) ** 2, low)

    def chances(self, sums):
        one = 1 / (1 + np.exp(-sums[:, 0]))
        return np.stack([1 - one, one], axis=1)


class _Classes:
    """The log loss of several classes; the sums have a column for each."""

    even = True

    def __init__(self, count):
        self.count = count

    def first(self, y, weights):
        eps = np.finfo(np.float64).eps
        share = np.array([np.average(y == k, weights=weights) for k in range(self.count)])
        logs = np.log(np.clip(share, eps, 1 - eps))
        return logs - logs.mean()

    def chances(self, sums):
        made = np.exp(sums - sums.max(axis=1)[:, None])
        return made / made.sum(axis=1)[:, None]

    def loss(self, y, sums):
        top = sums.max(axis=1)
        return np.log(np.exp(sums - top[:, None]).sum(axis=1)) + top - sums[np.arange(len(y)), y.astype(np.int64)]

    def slopes(self, y, sums):
        made = self.chances(sums)
        return made - (y[:, None] == np.arange(self.count)), made * (1.0 - made)


class _Boosting(_Staged):
    _fitted = "_predictors"

    def _refuse(self):
        told = {"monotonic_cst": None, "interaction_cst": None, "warm_start": False}
        for name, only in told.items():
            if getattr(self, name) is not only:
                raise NotImplementedError(f"{type(self).__name__}: {name}={getattr(self, name)!r} isn't supported here")
        if not (self.categorical_features is None or isinstance(self.categorical_features, str)):
            raise NotImplementedError(f"{type(self).__name__}: categorical_features isn't supported here; encode the columns as numbers")
        if self.scoring != "loss":
            raise NotImplementedError(f"{type(self).__name__}: scoring={self.scoring!r} isn't supported here, only 'loss'")
        if self.verbose:
            raise NotImplementedError(f"{type(self).__name__}: verbose={self.verbose!r} isn't supported here")

    def _boost(self, X, y, weights, loss):
        """`y`: numbers, those of the classes for a classifier."""
        self._refuse()
        random = check_random_state(self.random_state)
        seed = int(random.randint(0xFFFFFFFF))
        self._feature_subsample_rng = np.random.default_rng(int(random.randint(0xFFFFFFFF)))
        self._loss, self.n_features_in_, self.is_categorical_ = loss, X.shape[1], None
        self.do_early_stopping_ = len(X) > 10_000 if isinstance(self.early_stopping, str) else bool(self.early_stopping)
        tested = None
        if self.do_early_stopping_ and self.validation_fraction is not None:
            from .model_selection import train_test_split

            parts = train_test_split(X, y, *([] if weights is None else [weights]), test_size=self.validation_fraction,
                                     stratify=y if hasattr(loss, "chances") else None, random_state=seed)
            X, y, weights = parts[0], parts[2], None if weights is None else parts[4]
            tested = (parts[1], parts[3], None if weights is None else parts[5])
        if len(X) > 200_000:
            raise NotImplementedError(f"{type(self).__name__}: more than 200000 samples aren't supported here")
        binned = _Binned(X, self.max_bins, weights)
        self._first = np.reshape(loss.first(y, weights), (1, -1))
        sums = np.tile(self._first, (len(X), 1))
        beside = None if tested is None else np.tile(self._first, (len(tested[0]), 1))
        self._predictors, train, validation = [], [], []
        column = lambda a: a[:, 0] if self.n_trees_per_iteration_ == 1 else a

        def score():
            train.append(-np.average(loss.loss(y, column(sums)), weights=weights))
            if tested is not None:
                validation.append(-np.average(loss.loss(tested[1], column(beside)), weights=tested[2]))

        if self.do_early_stopping_:
            score()
        for _ in range(self.max_iter):
            slopes, bends = loss.slopes(y, column(sums))
            if weights is not None:
                each = weights if slopes.ndim == 1 else weights[:, None]
                slopes, bends = slopes * each, np.broadcast_to(each, slopes.shape) if bends is None else bends * each
            # The sums of a bin add up numbers of single precision.
            slopes = slopes.astype(np.float32).reshape(len(y), -1)
            bends = None if bends is None else bends.astype(np.float32).reshape(len(y), -1)
            row = []
            for k in range(self.n_trees_per_iteration_):
                grower = _Grower(self, binned, slopes[:, k], None if bends is None else bends[:, k])
                for leaf in grower.leaves:
                    if not loss.even:
                        left = y[leaf.rows] - sums[leaf.rows, k]
                        leaf.value = self.learning_rate * loss.first(left, None if weights is None else weights[leaf.rows])
                for leaf in grower.leaves:
                    sums[leaf.rows, k] += leaf.value
                row.append(_Tree(grower))
                if beside is not None:
                    beside[:, k] += row[-1].predict(tested[0])
            self._predictors.append(row)
            if self.do_early_stopping_:
                score()
                told = validation if tested is not None else train
                last = self.n_iter_no_change
                if len(told) > last and not any(one > told[-last - 1] + self.tol for one in told[-last:]):
                    break
        self.train_score_, self.validation_score_ = np.array(train), np.array(validation)
        return self

    @property
    def n_iter_(self):
        self._need_fit()
        return len(self._predictors)

    def _read(self, X):
        self._need_fit()
        X = _wide(X)
        self._need_width(X)
        return X

    def _added(self, tree, X):
        return tree.predict(X)


class HistGradientBoostingRegressor(RegressorMixin, _Boosting):
    """Boosted trees that look at bins of the features, not at each value; missing values (NaN) go where they help most."""

    def __init__(self, loss="squared_error", *, quantile=None, learning_rate=0.1, max_iter=100, max_leaf_nodes=31, max_depth=None,
                 min_samples_leaf=20, l2_regularization=0.0, max_features=1.0, max_bins=255, categorical_features="from_dtype",
                 monotonic_cst=None, interaction_cst=None, warm_start=False, early_stopping="auto", scoring="loss",
                 validation_fraction=0.1, n_iter_no_change=10, tol=1e-7, verbose=0, random_state=None):
        self.loss, self.quantile, self.learning_rate, self.max_iter = loss, quantile, learning_rate, max_iter
        self.max_leaf_nodes, self.max_depth, self.min_samples_leaf = max_leaf_nodes, max_depth, min_samples_leaf
        self.l2_regularization, self.max_features, self.max_bins = l2_regularization, max_features, max_bins
        self.categorical_features, self.monotonic_cst, self.interaction_cst = categorical_features, monotonic_cst, interaction_cst
        self.warm_start, self.early_stopping, self.scoring = warm_start, early_stopping, scoring
        self.validation_fraction, self.n_iter_no_change, self.tol = validation_fraction, n_iter_no_change, tol
        self.verbose, self.random_state = verbose, random_state

    def fit(self, X, y, sample_weight=None):
        X, y = _wide(X), np.asarray(y, dtype=np.float64)
        if y.ndim == 2 and y.shape[1] == 1:
            y = y.ravel()
        check_consistent_length(X, y)
        if np.isnan(y).any():
            raise ValueError("Input y contains NaN.")
        if self.loss == "gamma" and not (y > 0).all():
            raise ValueError("loss='gamma' requires strictly positive y.")
        if self.loss == "poisson" and not ((y >= 0).all() and y.sum() > 0):
            raise ValueError("loss='poisson' requires non-negative y and sum(y) > 0.")
        if self.loss == "quantile" and self.quantile is None:
            raise TypeError("quantile must be an instance of float, not NoneType.")
        made = {"squared_error": _Squares, "absolute_error": lambda: _Quantile(0.5, True), "quantile": lambda: _Quantile(self.quantile),
                "poisson": _Counts, "gamma": lambda: _Counts(True)}
        self.n_trees_per_iteration_ = 1
        return self._boost(X, y, None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64), made[self.loss]())

    def predict(self, X):
        return self._loss.link(self._sums(X)[:, 0])

    def staged_predict(self, X):
        for sums in self._staged(X):
            yield self._loss.link(sums[:, 0].copy())


class HistGradientBoostingClassifier(ClassifierMixin, _Boosting):
    """Boosted trees for the log odds of classes that look at bins of the features; missing values (NaN) go where they help most."""

    def __init__(self, loss="log_loss", *, learning_rate=0.1, max_iter=100, max_leaf_nodes=31, max_depth=None, min_samples_leaf=20,
                 l2_regularization=0.0, max_features=1.0, max_bins=255, categorical_features="from_dtype", monotonic_cst=None,
                 interaction_cst=None, warm_start=False, early_stopping="auto", scoring="loss", validation_fraction=0.1,
                 n_iter_no_change=10, tol=1e-7, verbose=0, random_state=None, class_weight=None):
        self.loss, self.learning_rate, self.max_iter = loss, learning_rate, max_iter
        self.max_leaf_nodes, self.max_depth, self.min_samples_leaf = max_leaf_nodes, max_depth, min_samples_leaf
        self.l2_regularization, self.max_features, self.max_bins = l2_regularization, max_features, max_bins
        self.categorical_features, self.monotonic_cst, self.interaction_cst = categorical_features, monotonic_cst, interaction_cst
        self.warm_start, self.early_stopping, self.scoring = warm_start, early_stopping, scoring
        self.validation_fraction, self.n_iter_no_change, self.tol = validation_fraction, n_iter_no_change, tol
        self.verbose, self.random_state, self.class_weight = verbose, random_state, class_weight

    def fit(self, X, y, sample_weight=None):
        X, y = _wide(X), np.asarray(y)
        if y.ndim == 2 and y.shape[1] == 1:
            y = y.ravel()
        check_consistent_length(X, y)
        weights = _weighted(self.class_weight, y, sample_weight)
        self.classes_, labels = np.unique(y, return_inverse=True)
        count = len(self.classes_)
        self.n_trees_per_iteration_ = 1 if count <= 2 else count
        return self._boost(X, labels.astype(np.float64), weights, _Odds() if count <= 2 else _Classes(count))

    def _said(self, sums):
        return self.classes_[(sums[:, 0] > 0).astype(np.int64) if sums.shape[1] == 1 else sums.argmax(axis=1)]

    def decision_function(self, X):
        sums = self._sums(X)
        return sums[:, 0] if sums.shape[1] == 1 else sums

    def predict(self, X):
        return self._said(self._sums(X))

    def predict_proba(self, X):
        return self._loss.chances(self._sums(X))

    def staged_decision_function(self, X):
        for sums in self._staged(X):
            yield sums[:, 0].copy() if sums.shape[1] == 1 else sums.copy()

    def staged_predict(self, X):
        for sums in self._staged(X):
            yield self._said(sums)

    def staged_predict_proba(self, X):
        for sums in self._staged(X):
            yield self._loss.chances(sums)
