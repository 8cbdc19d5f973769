"""Trees: nests of tuples, lists and dictionaries, as in torch.utils._pytree. Whatever is none of these is a leaf, None too.

Programs register classes of their own as inner nodes. `SUPPORTED_NODES` holds how each class is taken apart and built again.
"""

import functools
from collections import OrderedDict, defaultdict, deque, namedtuple

NodeDef = namedtuple("NodeDef", ["type", "flatten_fn", "unflatten_fn", "flatten_with_keys_fn"])
_Written = namedtuple("_Written", ["name", "to_dumpable", "from_dumpable"])

# The classes of inner nodes. `namedtuple` stands for every class that it made.
SUPPORTED_NODES = {}
# How a class is called in a file, and the class of each such name.
SUPPORTED_SERIALIZED_TYPES = {}
SERIALIZED_TYPE_TO_PYTHON_TYPE = {}
CONSTANT_NODES = set()
STANDARD_DICT_TYPES = frozenset({dict, OrderedDict, defaultdict})
BUILTIN_TYPES = frozenset({tuple, list, dict, namedtuple, OrderedDict, defaultdict, deque})
NO_SERIALIZED_TYPE_NAME_FOUND = "NO_SERIALIZED_TYPE_NAME_FOUND"
DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL = 1


class _Key:
    """One step from a node to a child."""

    __slots__ = ("_at",)
    _field = ""

    def __init__(self, at):
        object.__setattr__(self, "_at", at)

    def __setattr__(self, name, value):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __eq__(self, other):
        return self._at == other._at if type(other) is type(self) else NotImplemented

    def __hash__(self):
        return hash((self._at,))

    def __repr__(self):
        return f"{type(self).__name__}({self._field}={self._at!r})"

    def __str__(self):
        return f"[{self._at!r}]"

    def get(self, parent):
        return parent[self._at]


class SequenceKey(_Key):
    __slots__ = ()
    _field = "idx"
    idx = property(lambda self: self._at)

    def __init__(self, idx):
        super().__init__(idx)


class MappingKey(_Key):
    __slots__ = ()
    _field = "key"
    key = property(lambda self: self._at)

    def __init__(self, key):
        super().__init__(key)


class GetAttrKey(_Key):
    __slots__ = ()
    _field = "name"
    name = property(lambda self: self._at)

    def __init__(self, name):
        super().__init__(name)

    def __str__(self):
        return f".{self._at}"

    def get(self, parent):
        return getattr(parent, self._at)


def is_namedtuple_class(cls):
    if not (isinstance(cls, type) and issubclass(cls, tuple)):
        return False
    fields = getattr(cls, "_fields", None)
    return isinstance(fields, tuple) and all(isinstance(field, str) for field in fields)


def is_namedtuple_instance(obj):
    return is_namedtuple_class(type(obj))


def is_namedtuple(obj):
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


def is_structseq_class(cls):
    """Whether a class is one of torch.return_types, or a result of Python's own of that kind."""
    if not (isinstance(cls, type) and issubclass(cls, tuple)) or hasattr(cls, "_fields"):
        return False
    return all(isinstance(getattr(cls, name, None), int) for name in ("n_fields", "n_sequence_fields", "n_unnamed_fields"))


def is_structseq_instance(obj):
    return is_structseq_class(type(obj))


def is_structseq(obj):
    return is_structseq_class(obj if isinstance(obj, type) else type(obj))


def _get_node_type(tree):
    """The class under which a node is registered. It need not be registered at all."""
    kind = type(tree)
    if kind in SUPPORTED_NODES:
        return kind
    if is_namedtuple_class(kind):
        return namedtuple
    if kind.__module__ == "torch.return_types" and issubclass(kind, tuple):
        _private_register_pytree_node(kind, _children, lambda values, context: kind(values), flatten_with_keys_fn=_numbered,
                                      serialized_type_name=f"torch.return_types.{kind.__name__}")
    return kind


def _is_leaf(tree, is_leaf=None):
    return (is_leaf is not None and is_leaf(tree)) or _get_node_type(tree) not in SUPPORTED_NODES


tree_is_leaf = _is_leaf


class TreeSpec:
    """The form of a tree without its leaves. `context` is what its class keeps beside the children, such as keys."""

    __slots__ = ("type", "_context", "_children", "num_leaves", "num_nodes", "num_children")

    def __init__(self, type, context, children_specs):
        self.type, self._context, self._children = type, context, list(children_specs)
        if type is None:
            self.num_nodes, self.num_leaves, self.num_children = 1, 1, 0
            return
        self.num_nodes = 1 + sum(child.num_nodes for child in self._children)
        self.num_leaves = sum(child.num_leaves for child in self._children)
        self.num_children = len(self._children)

    @property
    def context(self):
        return self._context

    @property
    def children_specs(self):
        return self._children

    def children(self):
        return self._children.copy()

    def child(self, index):
        return self._children[index]

    def is_leaf(self):
        return self.num_nodes == 1 and self.num_leaves == 1

    def __eq__(self, other):
        if self is other:
            return True
        if not isinstance(other, TreeSpec):
            return NotImplemented
        mine = (self.type, self._context, self._children)
        return mine == (other.type, other._context, other._children)

    def __hash__(self):
        return hash((self.type, repr(self._context), tuple(self._children)))

    def _shown(self, indent):
        if self.type is None:
            return "*"
        inner = indent + 2
        children = (",\n" + " " * inner).join(child._shown(inner) for child in self._children)
        return f"TreeSpec({self.type.__name__}, {self._context}, [{children}])"

    def __repr__(self):
        return self._shown(0)

    def flatten_up_to(self, tree):
        """The parts of a tree that stand where this form has its leaves."""
        if self.type is None:
            return [tree]
        kind = _get_node_type(tree)
        if self.type not in BUILTIN_TYPES:
            if kind != self.type:
                raise ValueError(f"Type mismatch; expected {self.type!r}, but got {kind!r}.")
            children, context = SUPPORTED_NODES[kind].flatten_fn(tree)
            children = list(children)
            if len(children) != self.num_children:
                raise ValueError(f"Node arity mismatch; expected {self.num_children}, but got {len(children)}.")
            if context != self._context:
                raise ValueError(f"Node context mismatch for custom node type {self.type!r}.")
        else:
            children = self._children_like(tree, kind)
        return [part for child, own in zip(children, self._children) for part in own.flatten_up_to(child)]

    def _children_like(self, tree, kind):
        """The children of a node of a class of Python's own. A dictionary of any of the three classes may stand for another,
        with its keys in any order."""
        dictionaries = self.type in STANDARD_DICT_TYPES and kind in STANDARD_DICT_TYPES
        if not dictionaries and kind != self.type:
            raise ValueError(f"Node type mismatch; expected {self.type!r}, but got {kind!r}.")
        if len(tree) != self.num_children:
            raise ValueError(f"Node arity mismatch; expected {self.num_children}, but got {len(tree)}.")
        if dictionaries:
            keys = self._context[1] if self.type is defaultdict else self._context
            missing, extra = set(keys).difference(tree), set(tree).difference(keys)
            if missing or extra:
                told = f"; missing key(s): {missing}" if missing else ""
                told += f"; extra key(s): {extra}" if extra else ""
                raise ValueError(f"Node keys mismatch{told}.")
            return [tree[key] for key in keys]
        children, context = SUPPORTED_NODES[kind].flatten_fn(tree)
        if kind is not deque and context != self._context:
            raise ValueError(f"Node context mismatch for node type {self.type!r}; expected {self._context!r}, but got "
                             f"{context!r}.")
        return children

    def unflatten(self, leaves):
        if not isinstance(leaves, (list, tuple)):
            leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a pytree "
                             f"that holds {self.num_leaves} items ({self}).")
        return self._built(iter(leaves))

    def _built(self, leaves):
        if self.type is None:
            return next(leaves)
        children = [child._built(leaves) for child in self._children]
        return SUPPORTED_NODES[self.type].unflatten_fn(children, self._context)


PyTreeSpec = TreeSpec
_LEAF = TreeSpec(None, None, [])


def LeafSpec():
    return _LEAF


treespec_leaf = LeafSpec


def _specs(given, what, shown):
    given = list(given)
    if not all(isinstance(spec, TreeSpec) for spec in given):
        raise ValueError(f"Expected a {what} of TreeSpec values, got: {shown!r}.")
    return given


def treespec_tuple(iterable=(), /):
    children = list(iterable)
    return TreeSpec(tuple, None, _specs(children, "tuple", children))


def treespec_dict(mapping=(), /, **kwargs):
    named = dict(mapping, **kwargs)
    return TreeSpec(dict, list(named), _specs(named.values(), "dictionary", named))


def _flatten(tree, leaves, is_leaf):
    if is_leaf is not None and is_leaf(tree):
        leaves.append(tree)
        return _LEAF
    kind = _get_node_type(tree)
    node = SUPPORTED_NODES.get(kind)
    if node is None:
        leaves.append(tree)
        return _LEAF
    children, context = node.flatten_fn(tree)
    return TreeSpec(kind, context, [_flatten(child, leaves, is_leaf) for child in children])


def tree_flatten(tree, is_leaf=None):
    """The leaves in order, and the form from which `tree_unflatten` builds the tree again."""
    leaves = []
    spec = _flatten(tree, leaves, is_leaf)
    return leaves, spec


def tree_unflatten(leaves, treespec):
    if not isinstance(treespec, TreeSpec):
        if not isinstance(leaves, TreeSpec):
            raise TypeError(f"Expected `treespec` to be an instance of PyTreeSpec but got item of type {type(treespec)}.")
        leaves, treespec = treespec, leaves
    return treespec.unflatten(leaves)


def tree_leaves(tree, is_leaf=None):
    leaves = []
    _flatten(tree, leaves, is_leaf)
    return leaves


def tree_iter(tree, is_leaf=None):
    if _is_leaf(tree, is_leaf):
        yield tree
        return
    for child in SUPPORTED_NODES[_get_node_type(tree)].flatten_fn(tree)[0]:
        yield from tree_iter(child, is_leaf)


def arg_tree_leaves(*args, **kwargs):
    return [leaf for tree in (*args, *kwargs.values()) for leaf in tree_leaves(tree)]


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    """The tree with `func(leaf, ...)` in place of each leaf; `rests` have the same form."""
    leaves, spec = tree_flatten(tree, is_leaf)
    return spec.unflatten(map(func, leaves, *[spec.flatten_up_to(rest) for rest in rests]))


def tree_map_(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    for each in zip(leaves, *[spec.flatten_up_to(rest) for rest in rests]):
        func(*each)
    return tree


def _chooser(kinds):
    """The function that tells whether a leaf is of these classes, or for which your function is true."""
    if isinstance(kinds, (type, tuple)):
        return lambda leaf: isinstance(leaf, kinds)
    if callable(kinds):
        return kinds
    raise TypeError("Argument must be a type, a tuple of types, or a callable.")


def map_only(type_or_types_or_pred, /):
    """A decorator: the function then changes only some leaves and gives the others back."""
    chosen = _chooser(type_or_types_or_pred)

    def wrapper(func):
        @functools.wraps(func)
        def wrapped(x):
            return func(x) if chosen(x) else x

        return wrapped

    return wrapper


def tree_map_only(type_or_types_or_pred, /, func, tree, is_leaf=None):
    """Like `tree_map`, for leaves of these classes."""
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types_or_pred, /, func, tree, is_leaf=None):
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    return all(map(pred, tree_iter(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    return any(map(pred, tree_iter(tree, is_leaf)))


def tree_all_only(type_or_types, /, pred, tree, is_leaf=None):
    return all(pred(leaf) for leaf in tree_iter(tree, is_leaf) if isinstance(leaf, type_or_types))


def tree_any_only(type_or_types, /, pred, tree, is_leaf=None):
    return any(pred(leaf) for leaf in tree_iter(tree, is_leaf) if isinstance(leaf, type_or_types))


def broadcast(prefix, spec, is_leaf=None):
    """The leaves of a tree whose form begins like `spec`: a leaf stands for everything below it. None if it begins otherwise."""
    if _is_leaf(prefix, is_leaf):
        return [prefix] * spec.num_leaves
    kind = _get_node_type(prefix)
    if kind is not spec.type:
        return None
    children, context = SUPPORTED_NODES[kind].flatten_fn(prefix)
    children = list(children)
    if len(children) != spec.num_children or context != spec.context:
        return None
    leaves = []
    for child, below in zip(children, spec.children_specs):
        found = broadcast(child, below, is_leaf)
        if found is None:
            return None
        leaves += found
    return leaves


_broadcast_to_and_flatten = broadcast


def _with_paths(path, tree, is_leaf):
    if _is_leaf(tree, is_leaf):
        yield path, tree
        return
    kind = _get_node_type(tree)
    keyed = SUPPORTED_NODES[kind].flatten_with_keys_fn
    if keyed is None:
        raise ValueError(f"Did not find a flatten_with_keys_fn for type: {kind}. Please pass a flatten_with_keys_fn argument to "
                         "register_pytree_node.")
    for key, child in keyed(tree)[0]:
        yield from _with_paths((*path, key), child, is_leaf)


def tree_leaves_with_path(tree, is_leaf=None):
    """Each leaf after its path: the keys that lead to it."""
    return list(_with_paths((), tree, is_leaf))


def tree_flatten_with_path(tree, is_leaf=None):
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_map_with_path(func, tree, *rests, is_leaf=None):
    """Like `tree_map`, for `func(path, leaf, ...)`."""
    found, spec = tree_flatten_with_path(tree, is_leaf)
    paths, leaves = list(zip(*found)) if found else ((), ())
    return spec.unflatten(func(*each) for each in zip(paths, leaves, *[spec.flatten_up_to(rest) for rest in rests]))


def keystr(kp):
    """A path as the program would write it: `['a'][0].x`."""
    return "".join(map(str, kp))


def key_get(obj, kp):
    for key in kp:
        obj = key.get(obj)
    return obj


def _private_register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, to_dumpable_context=None,
                                  from_dumpable_context=None, flatten_with_keys_fn=None):
    if (to_dumpable_context is None) != (from_dumpable_context is None):
        raise ValueError(f"Both to_dumpable_context and from_dumpable_context for {cls} must be None or registered.")
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn)
    name = NO_SERIALIZED_TYPE_NAME_FOUND if serialized_type_name is None else serialized_type_name
    SUPPORTED_SERIALIZED_TYPES[cls] = _Written(name, to_dumpable_context, from_dumpable_context)
    SERIALIZED_TYPE_TO_PYTHON_TYPE[name] = cls


def register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, to_dumpable_context=None,
                         from_dumpable_context=None, flatten_with_keys_fn=None):
    """Makes a class one of inner nodes. `flatten_fn(node)` gives the children and a context, `unflatten_fn(children, context)` a
    node. Raises ValueError if it's one already."""
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _private_register_pytree_node(
        cls, flatten_fn, unflatten_fn, serialized_type_name=serialized_type_name, to_dumpable_context=to_dumpable_context,
        from_dumpable_context=from_dumpable_context, flatten_with_keys_fn=flatten_with_keys_fn)


def _register_namedtuple(cls, *, serialized_type_name):
    _private_register_pytree_node(
        cls, lambda node: (list(node), cls), _named_built, serialized_type_name=serialized_type_name,
        to_dumpable_context=lambda context: serialized_type_name,
        from_dumpable_context=lambda written: SERIALIZED_TYPE_TO_PYTHON_TYPE[written], flatten_with_keys_fn=_fields)
    # Its nodes are flattened as those of every named tuple; only a file names the class.
    del SUPPORTED_NODES[cls]


def _deregister_pytree_node(cls):
    written = SUPPORTED_SERIALIZED_TYPES.pop(cls)
    del SUPPORTED_NODES[cls]
    del SERIALIZED_TYPE_TO_PYTHON_TYPE[written.name]
    CONSTANT_NODES.discard(cls)


def register_dataclass(cls, *, field_names=None, drop_field_names=None, serialized_type_name=None):
    """Makes a data class one of inner nodes: its fields are the children, except those in `drop_field_names`, which the class
    must be able to set itself."""
    import dataclasses

    dropped = [] if drop_field_names is None else drop_field_names
    if not dataclasses.is_dataclass(cls):
        if field_names is None:
            raise ValueError(f"field_names must be specified with a list of all fields used to initialize {cls}, as it is not a "
                             "dataclass.")
    elif field_names is None:
        field_names = [f.name for f in dataclasses.fields(cls) if f.init and f.name not in dropped]
    else:
        fields = {f.name for f in dataclasses.fields(cls) if f.init} - set(dropped)
        told = "field_names does not include all dataclass fields.\n"
        if missing := fields - set(field_names):
            told += (f"Missing fields in `field_names`: {missing}. If you want to include these fields in the pytree, please add "
                     "them to `field_names`, otherwise please add them to `drop_field_names`.\n")
        if unexpected := set(field_names) - fields:
            told += (f"Unexpected fields in `field_names`: {unexpected}. Please remove these fields, or add them to "
                     "`drop_field_names`.\n")
        if missing or unexpected:
            raise ValueError(told)

    # Fields that are None aren't children: the context names them.
    def keyed(node):
        present = [name for name in field_names if getattr(node, name) is not None]
        absent = [name for name in field_names if getattr(node, name) is None]
        return [(GetAttrKey(name), getattr(node, name)) for name in present], [present, absent]

    def flat(node):
        children, context = keyed(node)
        return [child for _, child in children], context

    def built(values, context):
        present, absent = context
        return cls(**dict(zip(present, values)), **dict.fromkeys(absent))

    register_pytree_node(cls, flat, built, serialized_type_name=serialized_type_name, flatten_with_keys_fn=keyed)


class ConstantNode:
    """What a constant is in the context of a form."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value if isinstance(other, ConstantNode) else NotImplemented

    def __hash__(self):
        return hash((self.value,))

    def __repr__(self):
        return f"ConstantNode(value={self.value!r})"


def register_constant(cls):
    """Makes a class a node without leaves: its value is part of the form. Raises TypeError unless values can be compared."""
    if cls.__eq__ is object.__eq__:
        raise TypeError("register_constant(cls) expects `cls` to have a non-default `__eq__` implementation.")
    if cls.__hash__ is None:
        raise TypeError("register_constant(cls) expects `cls` to have a non-default `__hash__` implementation.")
    _private_register_pytree_node(cls, lambda node: ([], ConstantNode(node)), lambda values, context: context.value,
                                  flatten_with_keys_fn=lambda node: ([], ConstantNode(node)))
    CONSTANT_NODES.add(cls)


def is_constant_class(cls):
    return isinstance(cls, type) and cls in CONSTANT_NODES


def _written(spec):
    """A form as what json writes."""
    if spec.is_leaf():
        return {"type": None, "context": None, "children_spec": []}
    import json

    if spec.type not in SUPPORTED_SERIALIZED_TYPES:
        raise NotImplementedError(f"Serializing {spec.type} in pytree is not registered.")
    how = SUPPORTED_SERIALIZED_TYPES[spec.type]
    if how.name == NO_SERIALIZED_TYPE_NAME_FOUND:
        raise NotImplementedError(f"No registered serialization name for {spec.type} found. Please update your "
                                  "_register_pytree_node call with a `serialized_type_name` kwarg.")
    if how.to_dumpable is not None:
        context = how.to_dumpable(spec.context)
    else:
        try:
            context = json.dumps(spec.context)
        except TypeError as error:
            raise TypeError("Unable to serialize context. Please make the context json dump-able, or register a custom "
                            "serializer using _register_pytree_node.") from error
    return {"type": how.name, "context": context, "children_spec": [_written(child) for child in spec.children_specs]}


def _read(schema):
    import json

    if schema["type"] is None and schema["context"] is None and not schema["children_spec"]:
        return _LEAF
    kind = SERIALIZED_TYPE_TO_PYTHON_TYPE.get(schema["type"])
    if kind is None:
        raise NotImplementedError(f"Deserializing {schema['type']} in pytree failed because the serialized type is not registered "
                                  "in this process. If this type is defined in another package, import that package before "
                                  "loading this artifact so its pytree registrations run. If you control the type, register it "
                                  "with `torch.utils._pytree.register_pytree_node(..., serialized_type_name=...)` or "
                                  "`torch.export.register_dataclass(..., serialized_type_name=...)` before deserializing. The "
                                  f"`serialized_type_name` must match {schema['type']!r}.")
    how = SUPPORTED_SERIALIZED_TYPES[kind]
    if how.from_dumpable is not None:
        context = how.from_dumpable(schema["context"])
    else:
        try:
            context = json.loads(schema["context"])
        except TypeError as error:
            raise TypeError("Unable to deserialize context. Please make the context json load-able, or register a custom "
                            "serializer using _register_pytree_node.") from error
    return TreeSpec(kind, context, [_read(child) for child in schema["children_spec"]])


def _check_protocol(protocol):
    if protocol != DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL:
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: {[DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL]}")


def treespec_dumps(treespec, protocol=None):
    """A form as JSON."""
    import json

    if not isinstance(treespec, TreeSpec):
        raise TypeError(f"Expected `treespec` to be an instance of PyTreeSpec but got item of type {type(treespec)}.")
    protocol = DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL if protocol is None else protocol
    _check_protocol(protocol)
    return json.dumps([protocol, _written(treespec)])


def treespec_loads(serialized):
    """The form that `treespec_dumps` wrote."""
    import json

    protocol, schema = json.loads(serialized)
    _check_protocol(protocol)
    return _read(schema)


def treespec_pprint(treespec):
    """A form as its tree, with a star for each leaf."""
    return repr(treespec.unflatten([_Star()] * treespec.num_leaves))


class _Star:
    def __repr__(self):
        return "*"


def _children(node):
    return list(node), None


def _numbered(node):
    return [(SequenceKey(i), child) for i, child in enumerate(node)], _context(node)


def _context(node):
    return node.maxlen if isinstance(node, deque) else None


def _keyed(node):
    return [(MappingKey(key), child) for key, child in node.items()], SUPPORTED_NODES[type(node)].flatten_fn(node)[1]


def _fields(node):
    return [(GetAttrKey(name), child) for name, child in zip(node._fields, node)], type(node)


def _named_built(values, context):
    return context(*values)


def _named_to_file(context):
    how = SUPPORTED_SERIALIZED_TYPES.get(context)
    if how is None:
        raise NotImplementedError(f"Can't serialize TreeSpec of namedtuple class {context} because we didn't register a "
                                  "serialized_type_name. Please register using `_register_namedtuple`.")
    return how.name


def _named_from_file(name):
    if name not in SERIALIZED_TYPE_TO_PYTHON_TYPE:
        raise NotImplementedError(f"Can't deserialize TreeSpec of namedtuple class {name} because we couldn't find a serialized "
                                  "name.")
    return SERIALIZED_TYPE_TO_PYTHON_TYPE[name]


def _default_to_file(context):
    factory, keys = context
    return {"default_factory_module": factory.__module__, "default_factory_name": factory.__qualname__, "dict_context": keys}


def _default_from_file(written):
    import importlib

    factory = getattr(importlib.import_module(written["default_factory_module"]), written["default_factory_name"])
    return [factory, written["dict_context"]]


def _register_own():
    """The classes of Python's own that are inner nodes from the start."""
    import torch

    for cls, name in ((tuple, "builtins.tuple"), (list, "builtins.list"), (torch.Size, "torch.Size")):
        _private_register_pytree_node(cls, _children, lambda values, context, cls=cls: cls(values), serialized_type_name=name,
                                      flatten_with_keys_fn=_numbered)
    for cls, name in ((dict, "builtins.dict"), (OrderedDict, "collections.OrderedDict")):
        _private_register_pytree_node(cls, lambda node: (list(node.values()), list(node)),
                                      lambda values, keys, cls=cls: cls(zip(keys, values)), serialized_type_name=name,
                                      flatten_with_keys_fn=_keyed)
    _private_register_pytree_node(
        defaultdict, lambda node: (list(node.values()), [node.default_factory, list(node)]),
        lambda values, context: defaultdict(context[0], zip(context[1], values)), serialized_type_name="collections.defaultdict",
        to_dumpable_context=_default_to_file, from_dumpable_context=_default_from_file, flatten_with_keys_fn=_keyed)
    _private_register_pytree_node(deque, lambda node: (list(node), node.maxlen),
                                  lambda values, maxlen: deque(values, maxlen=maxlen), serialized_type_name="collections.deque",
                                  flatten_with_keys_fn=_numbered)
    _private_register_pytree_node(namedtuple, lambda node: (list(node), type(node)), _named_built,
                                  serialized_type_name="collections.namedtuple", to_dumpable_context=_named_to_file,
                                  from_dumpable_context=_named_from_file, flatten_with_keys_fn=_fields)


_register_own()
