"""Trees: nests of tuples, lists and dictionaries, as in torch.utils._pytree. Whatever is none of these is a leaf, None too."""

from collections import OrderedDict, defaultdict, deque

_KINDS = (tuple, list, dict, OrderedDict, defaultdict, deque)


def _is_named(kind):
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def _is_result(kind):
    return kind.__module__ == "torch.return_types" and issubclass(kind, tuple)


def _kind(tree):
    """The class of an inner node; None for a leaf."""
    kind = type(tree)
    return kind if kind in _KINDS or _is_named(kind) or _is_result(kind) else None


class TreeSpec:
    """The form of a tree without its leaves. `context` is what its class keeps beside the children, such as keys."""

    __slots__ = ("type", "context", "children_specs", "num_leaves")

    def __init__(self, type, context, children_specs):
        self.type, self.context, self.children_specs = type, context, children_specs
        self.num_leaves = 1 if type is None else sum(child.num_leaves for child in children_specs)

    @property
    def num_children(self):
        return len(self.children_specs)

    def is_leaf(self):
        return self.type is None

    def __eq__(self, other):
        if not isinstance(other, TreeSpec):
            return NotImplemented
        mine = (self.type, self.context, self.children_specs)
        return mine == (other.type, other.context, other.children_specs)

    def __hash__(self):
        return hash((self.type, repr(self.context), tuple(self.children_specs)))

    def _shown(self, indent):
        if self.type is None:
            return "*"
        inner = indent + 2
        children = (",\n" + " " * inner).join(child._shown(inner) for child in self.children_specs)
        context = list(self.context) if isinstance(self.context, tuple) else self.context
        return f"TreeSpec({self.type.__name__}, {context}, [{children}])"

    def __repr__(self):
        return self._shown(0)

    def unflatten(self, leaves):
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a pytree "
                             f"that holds {self.num_leaves} items ({self}).")
        return self._built(iter(leaves))

    def _built(self, leaves):
        if self.type is None:
            return next(leaves)
        children = [child._built(leaves) for child in self.children_specs]
        if self.type is defaultdict:
            default, keys = self.context
            return defaultdict(default, zip(keys, children))
        if self.type in (dict, OrderedDict):
            return self.type(zip(self.context, children))
        if self.type is deque:
            return deque(children, maxlen=self.context)
        return self.type(*children) if _is_named(self.type) else self.type(children)


_LEAF = TreeSpec(None, None, [])


def LeafSpec():
    return _LEAF


def _flatten(tree, leaves, is_leaf):
    kind = None if is_leaf is not None and is_leaf(tree) else _kind(tree)
    if kind is None:
        leaves.append(tree)
        return _LEAF
    context, children = None, tree
    if kind in (dict, OrderedDict, defaultdict):
        context, children = tuple(tree), tree.values()
        if kind is defaultdict:
            context = (tree.default_factory, context)
    elif kind is deque:
        context = tree.maxlen
    elif _is_named(kind):
        context = kind
    return TreeSpec(kind, context, [_flatten(child, leaves, is_leaf) for child in children])


def tree_flatten(tree, is_leaf=None):
    """The leaves in order, and the form from which `tree_unflatten` builds the tree again."""
    leaves = []
    return leaves, _flatten(tree, leaves, is_leaf)


def tree_unflatten(leaves, treespec):
    return treespec.unflatten(leaves)


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_iter(tree, is_leaf=None):
    return iter(tree_leaves(tree, is_leaf))


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    """The tree with `func(leaf, ...)` in place of each leaf; `rests` have the same form."""
    leaves, spec = tree_flatten(tree, is_leaf)
    return spec.unflatten(map(func, leaves, *(_like(spec, rest) for rest in rests)))


def _like(spec, tree):
    """The parts of a tree that stand where `spec` has its leaves."""
    if spec.type is None:
        return [tree]
    found = TreeSpec(None, None, []) if _kind(tree) is None else _flatten(tree, [], lambda inner: inner is not tree)
    if found.type is not spec.type or found.context != spec.context or found.num_children != spec.num_children:
        raise ValueError(f"Node type mismatch; expected {spec.type}, but got {type(tree)}.")
    children = tree.values() if isinstance(tree, dict) else tree
    return [part for child, own in zip(children, spec.children_specs) for part in _like(own, child)]


def tree_map_(func, tree, *rests, is_leaf=None):
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def tree_map_only(kind, func, tree, is_leaf=None):
    """Like `tree_map`, for leaves of these classes."""
    return tree_map(lambda leaf: func(leaf) if isinstance(leaf, kind) else leaf, tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    return any(map(pred, tree_leaves(tree, is_leaf)))


def broadcast(prefix, spec):
    """The leaves of a tree whose form begins like `spec`: a leaf stands for everything below it. None if it begins otherwise."""
    kind = _kind(prefix)
    if kind is None:
        return [prefix] * spec.num_leaves
    own = _flatten(prefix, [], lambda inner: inner is not prefix)
    if own.type is not spec.type or own.context != spec.context or own.num_children != spec.num_children:
        return None
    leaves = []
    for child, below in zip(prefix.values() if isinstance(prefix, dict) else prefix, spec.children_specs):
        found = broadcast(child, below)
        if found is None:
            return None
        leaves += found
    return leaves
