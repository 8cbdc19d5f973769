"""Decision trees: every split is the best one, and ties go to the feature that scikit-learn's generator draws first."""

import heapq
import math

import numpy as np

from .base import BaseEstimator
from .metrics import accuracy_score, r2_score
from .utils import Bunch, _table, check_consistent_length, check_random_state
from .utils.class_weight import _weighted

_EPSILON = float(np.finfo(np.float64).eps)
_SAME = 1e-7


def missing(module, name, why):
    def __init__(self, *args, **options):
        raise NotImplementedError(f"sklearn.{module}.{name}: {why}")

    return type(name, (), {"__init__": __init__, "__module__": f"sklearn.{module}"})


class _Draws:
    """The generator of a tree: a shifting register of 32 bits."""

    def __init__(self, seed):
        self.seed = seed or 1

    def below(self, low, high):
        seed = self.seed
        seed ^= seed << 13 & 0xFFFFFFFF
        seed ^= seed >> 17
        seed ^= seed << 5 & 0xFFFFFFFF
        self.seed = seed
        return low + seed % 0x80000000 % (high - low)


class _Features:
    """The features that a node looks at, drawn in scikit-learn's order: `most` of them, or more until one isn't constant.

    `known` of `features` are constant in the whole node, as the nodes above found. A caller that finds another one sets `is_constant`.
    """

    def __init__(self, features, constants, known, draws, most):
        self.features, self.constants, self.known, self.draws, self.most = features, constants, known, draws, most
        self.constant, self.is_constant = known, False

    def __iter__(self):
        features, end, visited, drawn = self.features, len(self.features), 0, 0
        while end > self.constant and (visited < self.most or visited <= self.constant - self.known + drawn):
            visited += 1
            found = self.constant - self.known
            j = self.draws.below(drawn, end - found)
            if j < self.known:
                features[drawn], features[j] = features[j], features[drawn]
                drawn += 1
                continue
            j += found
            self.is_constant = False
            yield features[j]
            if self.is_constant:
                at = self.constant
                self.constant += 1
            else:
                end -= 1
                at = end
            features[at], features[j] = features[j], features[at]

    def end(self):
        """Remembers the constant features for the nodes below."""
        self.features[:self.known] = self.constants[:self.known]
        self.constants[self.known:self.constant] = self.features[self.known:self.constant]


class Tree:
    """The nodes of a tree in the order in which they were made: `tree_`."""

    def __init__(self, n_features, n_classes):
        self.n_features, self.n_classes, self.n_outputs = n_features, n_classes, 1
        self.nodes, self.max_depth = [], 0

    def finish(self):
        columns = list(zip(*self.nodes))
        whole = lambda values: np.array(values, dtype=np.int64)
        self.children_left, self.children_right, self.feature = (whole(columns[i]) for i in range(3))
        self.threshold, self.impurity = (np.array(columns[i], dtype=np.float64) for i in (3, 4))
        self.n_node_samples, self.weighted_n_node_samples = whole(columns[5]), np.array(columns[6], dtype=np.float64)
        self.value = np.array(columns[7], dtype=np.float64)[:, None, :]
        self.node_count = self.capacity = len(self.nodes)
        self.n_leaves = int((self.children_left == -1).sum())

    def apply(self, X):
        X, at = X.astype(np.float32), np.zeros(len(X), dtype=np.int64)
        rows = np.arange(len(X))
        while True:
            inner = self.children_left[at] >= 0
            if not inner.any():
                return at
            left = X[rows, np.where(inner, self.feature[at], 0)] <= self.threshold[at]
            at = np.where(inner, np.where(left, self.children_left[at], self.children_right[at]), at)

    def predict(self, X):
        return self.value[self.apply(X)][:, 0]

    def compute_feature_importances(self, normalize=True):
        made, mass = np.zeros(self.n_features), self.weighted_n_node_samples * self.impurity
        for node in np.flatnonzero(self.children_left >= 0).tolist():
            left, right = self.children_left[node], self.children_right[node]
            made[self.feature[node]] += mass[node] - mass[left] - mass[right]
        made /= self.weighted_n_node_samples[0]
        return made / made.sum() if normalize and made.sum() > 0 else made


class _Tree(BaseEstimator):
    _fitted = "tree_"

    _criteria = ()

    def _refuse(self):
        told = {"monotonic_cst": None}
        for name, only in told.items():
            if getattr(self, name, only) != only:
                raise NotImplementedError(f"{type(self).__name__}: {name}={getattr(self, name)!r} isn't supported here")
        if self.criterion not in self._criteria:
            raise NotImplementedError(f"{type(self).__name__}: criterion={self.criterion!r} isn't supported here")

    def _grow(self, X, targets, weights):
        """`targets`: for each sample one number of each class, or its value."""
        self._refuse()
        random = check_random_state(self.random_state)
        count, width = X.shape
        at = np.arange(count)
        if weights is None:
            weights = np.ones(count)
        else:
            weights = np.asarray(weights, dtype=np.float64)
            at = at[weights != 0]
        limit = self.max_features
        self.max_features_ = (width if limit is None else max(1, int(getattr(math, limit)(width))) if isinstance(limit, str) else
                              limit if isinstance(limit, int) else max(1, int(limit * width)))
        least = self.min_samples_leaf if isinstance(self.min_samples_leaf, int) else math.ceil(self.min_samples_leaf * count)
        split = self.min_samples_split if isinstance(self.min_samples_split, int) else math.ceil(self.min_samples_split * count)
        split = max(2, split, 2 * least)
        deepest = math.inf if self.max_depth is None else self.max_depth
        all_weight = float(weights[at].sum())
        lightest = self.min_weight_fraction_leaf * all_weight
        draws = _Draws(int(random.randint(0, 0x7FFFFFFF)))
        split_one = self._split if self.splitter == "best" else self._split_anywhere
        features, constants = list(range(width)), [0] * width
        tree = self.tree_ = Tree(width, self.classes_.size if hasattr(self, "classes_") else 1)
        sums, squares = weights[:, None] * targets, weights * (targets * targets).sum(axis=1)
        # With a limit of leaves, the node that gains most is split next; its children are made then.
        limited, made, spare = self.max_leaf_nodes is not None, [], (self.max_leaf_nodes or 0) - 1
        waiting = [(at, 0, -1, False, None, 0)]
        while waiting or made:
            if not waiting:
                _, _, node, best, at, depth = heapq.heappop(made)
                if spare <= 0:
                    tree.nodes[node][2:4] = [-2, -2.0]
                    continue
                spare -= 1
                left = best[2]
                waiting = [(at[~left], depth + 1, node, False, best[3], 0), (at[left], depth + 1, node, True, best[4], 0)]
            at, depth, parent, is_left, impurity, known = waiting.pop()
            weight, total = float(weights[at].sum()), sums[at].sum(axis=0)
            if impurity is None:
                impurity = float(self._impurity(total[None], np.array([weight]), np.array([squares[at].sum()]))[0])
            best = None
            if depth < deepest and len(at) >= split and weight >= 2 * lightest and impurity > _EPSILON:
                best, known = split_one(X, at, sums, squares, weights, total, weight, features, constants, known, draws, least, lightest)
                if best is not None:
                    gain = weight / all_weight * (impurity - best[5] / weight * best[4] - (weight - best[5]) / weight * best[3])
                    # best: feature, threshold, left places, impurity of the right, of the left, weight of the left
                    best = best if gain + _EPSILON >= self.min_impurity_decrease else None
            node = len(tree.nodes)
            if parent >= 0:
                tree.nodes[parent][0 if is_left else 1] = node
            tree.nodes.append([-1, -1, -2 if best is None else best[0], -2.0 if best is None else best[1], impurity, len(at), weight,
                               (total / weight).tolist()])
            tree.max_depth = max(tree.max_depth, depth)
            if best is not None and limited:
                heapq.heappush(made, (-gain, node, node, best, at, depth))
            elif best is not None:
                left = best[2]
                waiting.append((at[~left], depth + 1, node, False, best[3], known))
                waiting.append((at[left], depth + 1, node, True, best[4], known))
        tree.finish()
        if self.ccp_alpha > 0:
            self.tree_ = _pruned(tree, self.ccp_alpha)[0]
        self.n_features_in_, self.n_outputs_ = width, 1
        return self

    def cost_complexity_pruning_path(self, X, y, sample_weight=None):
        """The strengths of pruning at which the tree loses branches, and the impurity of its leaves then."""
        from .base import clone

        grown = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight=sample_weight)
        return Bunch(**dict(zip(("ccp_alphas", "impurities"), _pruned(grown.tree_, math.inf)[1])))

    def _parts(self, at, squares, total, weight, feature, threshold, goes, left, mass):
        """A split with the impurities of its right and its left part."""
        impurities = []
        for inside, part, heavy in ((~goes, total - left, weight - mass), (goes, left, mass)):
            impurities.append(float(self._impurity(part[None], np.array([heavy]), np.array([squares[at[inside]].sum()]))[0]))
        return feature, threshold, goes, *impurities, mass

    def _split_anywhere(self, X, at, sums, squares, weights, total, weight, features, constants, known, draws, least, lightest):
        """The best of one random threshold for each feature."""
        best, highest, count = None, -math.inf, len(at)
        drawn = _Features(features, constants, known, draws, self.max_features_)
        for feature in drawn:
            values = X[at, feature]
            low, high = float(values.min()), float(values.max())
            if np.float32(high) <= np.float32(low) + np.float32(_SAME):
                drawn.is_constant = True
                continue
            threshold = (high - low) * draws.below(0, 0x80000000) / 0x7FFFFFFF + low
            if threshold == high:
                threshold = low
            goes = values.astype(np.float64) <= threshold
            inside = int(goes.sum())
            if inside < least or count - inside < least:
                continue
            rows = at[goes]
            left, mass = sums[rows].sum(axis=0), float(weights[rows].sum())
            if mass < lightest or weight - mass < lightest:
                continue
            proxy = float(self._proxy(left[None], (total - left)[None], np.array([mass]), np.array([weight - mass]))[0])
            if proxy > highest:
                highest, best = proxy, (feature, threshold, left, mass, goes)
        drawn.end()
        if best is None:
            return None, drawn.constant
        feature, threshold, left, mass, goes = best
        return self._parts(at, squares, total, weight, feature, threshold, goes, left, mass), drawn.constant

    def _split(self, X, at, sums, squares, weights, total, weight, features, constants, known, draws, least, lightest):
        best, highest, count = None, -math.inf, len(at)
        drawn = _Features(features, constants, known, draws, self.max_features_)
        for feature in drawn:
            values = X[at, feature]
            order = np.argsort(values, kind="stable")
            values = values[order]
            if float(values[-1]) <= float(values[0]) + _SAME:
                drawn.is_constant = True
                continue
            wide = values.astype(np.float64)
            # The places at which the right part begins.
            places = np.flatnonzero(wide[1:] > wide[:-1] + _SAME) + 1
            places = places[(places >= least) & (count - places >= least)]
            if not len(places):
                continue
            rows = at[order]
            left = np.cumsum(sums[rows], axis=0)[places - 1]
            mass = np.cumsum(weights[rows])[places - 1]
            if lightest:
                heavy = (mass >= lightest) & (weight - mass >= lightest)
                places, left, mass = places[heavy], left[heavy], mass[heavy]
                if not len(places):
                    continue
            proxy = self._proxy(left, total - left, mass, weight - mass)
            pick = int(np.argmax(proxy))
            if float(proxy[pick]) > highest:
                highest, p = float(proxy[pick]), int(places[pick])
                threshold = float(wide[p - 1]) / 2.0 + float(wide[p]) / 2.0
                if threshold == float(wide[p]) or math.isinf(threshold):
                    threshold = float(wide[p - 1])
                best = (feature, threshold, left[pick], float(mass[pick]))
        drawn.end()
        if best is None:
            return None, drawn.constant
        feature, threshold, left, mass = best
        goes = X[at, feature] <= threshold
        return self._parts(at, squares, total, weight, feature, threshold, goes, left, mass), drawn.constant

    def apply(self, X):
        return self.tree_.apply(self._read(X))

    def decision_path(self, X):
        """Which nodes each sample passes."""
        from ._sparse import csr_matrix

        X = self._read(X).astype(np.float32)
        passed, tree = np.zeros((len(X), self.tree_.node_count), dtype=np.int64), self.tree_
        for i, row in enumerate(X):
            node = 0
            while node >= 0:
                passed[i, node] = 1
                left = tree.children_left[node]
                node = left if left < 0 or row[tree.feature[node]] <= tree.threshold[node] else tree.children_right[node]
        return csr_matrix(passed)

    def get_depth(self):
        self._need_fit()
        return self.tree_.max_depth

    def get_n_leaves(self):
        self._need_fit()
        return np.int64(self.tree_.n_leaves)

    @property
    def feature_importances_(self):
        self._need_fit()
        return self.tree_.compute_feature_importances()


def _pruned(tree, alpha):
    """The tree without the branches that are worth less than `alpha`, and the path of strengths and impurities that led there."""
    count, left, right = tree.node_count, tree.children_left.tolist(), tree.children_right.tolist()
    mass = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    own = (tree.impurity * mass).tolist()
    parent, leaf, gone = [-1] * count, [c < 0 for c in left], [False] * count
    for i in range(count):
        if not leaf[i]:
            parent[left[i]] = parent[right[i]] = i
    branch, leaves = [0.0] * count, [0] * count
    for i in range(count):
        if leaf[i]:
            j = i
            while j >= 0:
                branch[j] += own[i]
                leaves[j] += 1
                j = parent[j]
    alphas, impurities = [0.0], [branch[0]]
    while not leaf[0]:
        best, weakest = math.inf, -1
        for i in range(count):
            if not leaf[i] and not gone[i]:
                worth = (own[i] - branch[i]) / (leaves[i] - 1)
                if worth < best:
                    best, weakest = worth, i
        if alpha < best:
            break
        stack = [weakest]
        while stack:
            i = stack.pop()
            if not leaf[i] or i != weakest:
                if i != weakest:
                    gone[i] = True
                if left[i] >= 0:
                    stack += [left[i], right[i]]
            leaf[i] = True
        fewer, more = leaves[weakest] - 1, own[weakest] - branch[weakest]
        j = weakest
        while j >= 0:
            leaves[j] -= fewer
            branch[j] += more
            j = parent[j]
        alphas.append(best)
        impurities.append(branch[0])
    made = Tree(tree.n_features, tree.n_classes)
    stack = [(0, -1, False, 0)]
    while stack:
        i, above, is_left, depth = stack.pop()
        node = len(made.nodes)
        if above >= 0:
            made.nodes[above][0 if is_left else 1] = node
        inner = not leaf[i]
        made.nodes.append([-1, -1, int(tree.feature[i]) if inner else -2, float(tree.threshold[i]) if inner else -2.0, float(tree.impurity[i]),
                           int(tree.n_node_samples[i]), float(tree.weighted_n_node_samples[i]), tree.value[i, 0].tolist()])
        made.max_depth = max(made.max_depth, depth)
        if inner:
            stack += [(right[i], node, False, depth + 1), (left[i], node, True, depth + 1)]
    made.finish()
    return made, (np.array(alphas), np.array(impurities))


class _Classifier:
    """What a tree and a forest make of the chances of the classes."""

    def predict_log_proba(self, X):
        with np.errstate(all="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X):
        chances = self.predict_proba(X)
        return self.classes_[chances.argmax(axis=1)]

    def score(self, X, y):
        return accuracy_score(y, self.predict(X))


class DecisionTreeClassifier(_Classifier, _Tree):
    _criteria = ("gini", "entropy", "log_loss")

    def __init__(self, *, criterion="gini", splitter="best", max_depth=None, min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, max_features=None, random_state=None, max_leaf_nodes=None, min_impurity_decrease=0.0,
                 class_weight=None, ccp_alpha=0.0, monotonic_cst=None):
        self.criterion, self.splitter, self.max_depth, self.min_samples_split = criterion, splitter, max_depth, min_samples_split
        self.min_samples_leaf, self.min_weight_fraction_leaf, self.max_features = min_samples_leaf, min_weight_fraction_leaf, max_features
        self.random_state, self.max_leaf_nodes, self.min_impurity_decrease = random_state, max_leaf_nodes, min_impurity_decrease
        self.class_weight, self.ccp_alpha, self.monotonic_cst = class_weight, ccp_alpha, monotonic_cst

    def fit(self, X, y, sample_weight=None):
        X, y = _table(X), np.asarray(y).ravel()
        check_consistent_length(X, y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        sample_weight = _weighted(self.class_weight, y, sample_weight)
        return self._grow(X.astype(np.float32), (labels[:, None] == np.arange(self.n_classes_)).astype(np.float64), sample_weight)

    def _impurity(self, sums, weights, squares):
        if self.criterion == "gini":
            return 1.0 - (sums * sums).sum(axis=1) / (weights * weights)
        share = sums / weights[:, None]
        safe = np.where(share > 0, share, 1.0)
        return 0.0 - (share * (np.log(safe) / math.log(2.0))).sum(axis=1)

    def _proxy(self, left, right, left_weight, right_weight):
        return -right_weight * self._impurity(right, right_weight, None) - left_weight * self._impurity(left, left_weight, None)

    def predict_proba(self, X):
        X = self._read(X)
        return self.tree_.predict(X)


class DecisionTreeRegressor(_Tree):
    _criteria = ("squared_error",)

    def __init__(self, *, criterion="squared_error", splitter="best", max_depth=None, min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, max_features=None, random_state=None, max_leaf_nodes=None, min_impurity_decrease=0.0,
                 ccp_alpha=0.0, monotonic_cst=None):
        self.criterion, self.splitter, self.max_depth, self.min_samples_split = criterion, splitter, max_depth, min_samples_split
        self.min_samples_leaf, self.min_weight_fraction_leaf, self.max_features = min_samples_leaf, min_weight_fraction_leaf, max_features
        self.random_state, self.max_leaf_nodes, self.min_impurity_decrease = random_state, max_leaf_nodes, min_impurity_decrease
        self.ccp_alpha, self.monotonic_cst = ccp_alpha, monotonic_cst

    def fit(self, X, y, sample_weight=None):
        X, y = _table(X), np.asarray(y, dtype=np.float64)
        check_consistent_length(X, y)
        if y.ndim > 1 and y.shape[1] > 1:
            raise NotImplementedError("DecisionTreeRegressor: several targets aren't supported here")
        return self._grow(X.astype(np.float32), y.reshape(-1, 1), sample_weight)

    def _impurity(self, sums, weights, squares):
        level = sums[:, 0] / weights
        return squares / weights - level * level

    def _proxy(self, left, right, left_weight, right_weight):
        left, right = left[:, 0], right[:, 0]
        return left * left / left_weight + right * right / right_weight

    def predict(self, X):
        X = self._read(X)
        return self.tree_.predict(X)[:, 0]

    def score(self, X, y):
        return r2_score(y, self.predict(X))


class ExtraTreeClassifier(DecisionTreeClassifier):
    """A tree of random thresholds."""

    def __init__(self, *, criterion="gini", splitter="random", max_depth=None, min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, max_features="sqrt", random_state=None, max_leaf_nodes=None, min_impurity_decrease=0.0,
                 class_weight=None, ccp_alpha=0.0, monotonic_cst=None):
        super().__init__(criterion=criterion, splitter=splitter, max_depth=max_depth, min_samples_split=min_samples_split,
                         min_samples_leaf=min_samples_leaf, min_weight_fraction_leaf=min_weight_fraction_leaf, max_features=max_features,
                         random_state=random_state, max_leaf_nodes=max_leaf_nodes, min_impurity_decrease=min_impurity_decrease,
                         class_weight=class_weight, ccp_alpha=ccp_alpha, monotonic_cst=monotonic_cst)


class ExtraTreeRegressor(DecisionTreeRegressor):
    """A tree of random thresholds."""

    def __init__(self, *, criterion="squared_error", splitter="random", max_depth=None, min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, max_features=1.0, random_state=None, min_impurity_decrease=0.0, max_leaf_nodes=None,
                 ccp_alpha=0.0, monotonic_cst=None):
        super().__init__(criterion=criterion, splitter=splitter, max_depth=max_depth, min_samples_split=min_samples_split,
                         min_samples_leaf=min_samples_leaf, min_weight_fraction_leaf=min_weight_fraction_leaf, max_features=max_features,
                         random_state=random_state, max_leaf_nodes=max_leaf_nodes, min_impurity_decrease=min_impurity_decrease,
                         ccp_alpha=ccp_alpha, monotonic_cst=monotonic_cst)


def export_text(decision_tree, *, feature_names=None, class_names=None, max_depth=10, spacing=3, decimals=2, show_weights=False):
    """The rules of a tree as text."""
    decision_tree._need_fit()
    tree, lines = decision_tree.tree_, []
    names = [f"feature_{i}" for i in range(tree.n_features)] if feature_names is None else list(feature_names)
    if len(names) != tree.n_features:
        raise ValueError(f"feature_names must contain {tree.n_features} elements, got {len(names)}")
    classes = class_names if class_names is not None else getattr(decision_tree, "classes_", None)

    def below(node):
        left = tree.children_left[node]
        return 1 if left < 0 else 1 + max(below(left), below(tree.children_right[node]))

    def walk(node, depth):
        indent = (("|" + " " * spacing) * depth)[:-spacing] + "-" * spacing
        if depth > max_depth + 1:
            steps = below(node)
            lines.append(f"{indent} truncated branch of depth {steps}" if steps > 1 else leaf(node, indent))
        elif tree.children_left[node] < 0:
            lines.append(leaf(node, indent))
        else:
            name, cut = names[tree.feature[node]], f"{tree.threshold[node]:.{decimals}f}"
            lines.append(f"{indent} {name} <= {cut}")
            walk(tree.children_left[node], depth + 1)
            lines.append(f"{indent} {name} >  {cut}")
            walk(tree.children_right[node], depth + 1)

    def leaf(node, indent):
        value = tree.value[node][0]
        if classes is None:
            return f"{indent} value: [{', '.join(f'{v:.{decimals}f}' for v in value.tolist())}]"
        shown = ""
        if show_weights:
            weights = value / value.sum() * float(tree.weighted_n_node_samples[node])
            shown = f" weights: [{', '.join(f'{v:.{decimals}f}' for v in weights.tolist())}]"
        return f"{indent}{shown} class: {classes[int(value.argmax())]}"

    walk(0, 1)
    return "\n".join(lines) + "\n"


_LATER = ("plot_tree", "export_graphviz")
# What `from … import *` brings, with what is loaded later.
__all__ = ["DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor", "export_text", *_LATER]


def __getattr__(name):
    if name in _LATER:
        from . import _drawn

        return getattr(_drawn, name)
    raise AttributeError(f"module 'sklearn.tree' has no attribute '{name}'")
