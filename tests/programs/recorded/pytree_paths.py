"""Trees of torch.utils._pytree: paths, forms, classes of a program's own, data classes, and forms as JSON."""
import torch, warnings
from collections import OrderedDict, namedtuple, defaultdict, deque
import dataclasses
import torch.utils._pytree as pytree
def t(name, f):
    try:
        print(name, '->', f())
    except Exception as e:
        print(name, '!!', type(e).__name__, str(e))
P = namedtuple('P', ['x', 'y'])
tree = {'a': [1, (2, 3)], 'b': P(4, {'c': 5}), 'd': None}
leaves, spec = pytree.tree_flatten(tree)
print(leaves); print(spec); print(repr(spec)); t("nums", lambda: (spec.num_leaves, spec.num_nodes, spec.num_children))
print(spec.type, spec.context)
t('unfl', lambda: pytree.tree_unflatten(leaves, spec))
t('unfl2', lambda: pytree.tree_unflatten([1, 2], spec))
kl, s2 = pytree.tree_flatten_with_path(tree)
for k, v in kl: print(k, pytree.keystr(k), v)
print(s2 == spec)
t('twp', lambda: pytree.tree_map_with_path(lambda p, x: pytree.keystr(p) + '=' + str(x), tree))
t('twp2', lambda: pytree.tree_map_with_path(lambda p, x, y: (pytree.keystr(p), x, y), [1, 2], [3, 4]))
t('map', lambda: pytree.tree_map(lambda x: x * 2 if x is not None else None, tree))
t('map2', lambda: pytree.tree_map(lambda x, y: x + y, {'a': 1, 'b': 2}, {'a': 10, 'b': 20}))
t('map3', lambda: pytree.tree_map(lambda x, y: x + y, {'a': 1, 'b': 2}, {'a': 10}))
t('map4', lambda: pytree.tree_map(lambda x, y: x + y, [1, 2], (1, 2)))
t('map5', lambda: pytree.tree_map(lambda x, y: x + y, [1, 2], [1, 2, 3]))
t('only', lambda: pytree.tree_map_only(int, lambda x: -x, [1, 'a', 2.0, (3,)]))
t('only2', lambda: pytree.tree_map_only((int, str), lambda x: x * 2, [1, 'a', 2.0, (3,)]))
t('only3', lambda: pytree.tree_map_only(torch.Tensor, lambda x: x.shape, {'w': torch.ones(2, 3), 'n': 3}))
t('all', lambda: pytree.tree_all(lambda x: x > 0, [1, 2, (3,)]))
t('any', lambda: pytree.tree_any(lambda x: x > 2, [1, 2, (3,)]))
t('all_only', lambda: pytree.tree_all_only(int, lambda x: x > 0, [1, 'z', (3,)]))
t('any_only', lambda: pytree.tree_any_only(int, lambda x: x > 5, [1, 'z', (3,)]))
t('leaves', lambda: pytree.tree_leaves({'z': 1, 'a': [2, 3]}))
t('leaves2', lambda: pytree.tree_leaves([[1, 2], [3]], is_leaf=lambda x: isinstance(x, list) and len(x) == 1))
t('iter', lambda: list(pytree.tree_iter((1, [2, {'k': 3}]))))
t('struct', lambda: pytree.tree_structure((1, [2, {'k': 3}])))
t('od', lambda: pytree.tree_flatten(OrderedDict([('z', 1), ('a', 2)])))
t('dd', lambda: pytree.tree_flatten(defaultdict(list, {'z': [1], 'a': 2})))
t('dq', lambda: pytree.tree_flatten(deque([1, 2], maxlen=4)))
t('leafspec', lambda: (pytree.LeafSpec(), pytree.tree_structure(5)))
t('is_leaf', lambda: pytree.LeafSpec().is_leaf())
t('children', lambda: spec.children_specs if hasattr(spec, 'children_specs') else spec.children())
t('upto', lambda: pytree.tree_structure([1, 2]).flatten_up_to([[1], {'a': 2}]))
t('upto2', lambda: pytree.tree_structure([1, 2]).flatten_up_to((1, 2)))
t('upto3', lambda: pytree.tree_structure([1, 2]).flatten_up_to([1]))
t('upto4', lambda: pytree.tree_structure({'a': 1}).flatten_up_to({'b': 1}))
t('size', lambda: pytree.tree_flatten(torch.Size([1, 2])))
t('broadcast', lambda: pytree._broadcast_to_and_flatten([1, 2], pytree.tree_structure([[1, 2], {'a': 3}])))
t('broadcast2', lambda: pytree._broadcast_to_and_flatten(0, pytree.tree_structure([[1, 2], {'a': 3}])))
t('dumps', lambda: pytree.treespec_dumps(spec) if False else pytree.treespec_dumps(pytree.tree_structure([1, {'a': 2}])))
t('loads', lambda: pytree.treespec_loads(pytree.treespec_dumps(pytree.tree_structure([1, {'a': 2}]))))
t('pprint', lambda: pytree.treespec_pprint(pytree.tree_structure([1, {'a': 2}])))
class Box:
    def __init__(self, a, b): self.a, self.b = a, b
    def __repr__(self): return f'Box({self.a}, {self.b})'
pytree.register_pytree_node(Box, lambda b: ([b.a, b.b], 'ctx'), lambda ch, ctx: Box(*ch), serialized_type_name='my.Box')
t('box', lambda: pytree.tree_flatten([Box(1, [2]), 3]))
t('boxmap', lambda: pytree.tree_map(lambda x: x + 1, Box(1, [2])))
t('boxpath', lambda: pytree.tree_flatten_with_path(Box(1, 2)))
t('boxagain', lambda: pytree.register_pytree_node(Box, lambda b: ([b.a, b.b], 'ctx'), lambda ch, ctx: Box(*ch)))
class Box2(Box): pass
pytree.register_pytree_node(Box2, lambda b: ([b.a, b.b], None), lambda ch, ctx: Box2(*ch),
    flatten_with_keys_fn=lambda b: ([(pytree.GetAttrKey('a'), b.a), (pytree.GetAttrKey('b'), b.b)], None))
t('box2', lambda: [(pytree.keystr(k), v) for k, v in pytree.tree_flatten_with_path({'q': Box2(1, [5])})[0]])
@dataclasses.dataclass
class D:
    u: int
    v: list
    name: str = 'n'
t('dc0', lambda: pytree.tree_flatten(D(1, [2])))
t('dcreg', lambda: pytree.register_dataclass(D))
t('dc1', lambda: pytree.tree_flatten(D(1, [2])))
t('dc2', lambda: pytree.tree_map(lambda x: x, D(1, [2], 'k')))
t('dc3', lambda: [pytree.keystr(k) for k, _ in pytree.tree_flatten_with_path(D(1, [2]))[0]])
class Color: pass
t('const', lambda: pytree.register_constant(Color))
t('keys', lambda: (pytree.SequenceKey(3), pytree.MappingKey('a'), pytree.GetAttrKey('z'), str(pytree.SequenceKey(3)), str(pytree.MappingKey('a')), str(pytree.GetAttrKey('z'))))
t('get', lambda: pytree.key_get({'a': [1, P(2, 3)]}, (pytree.MappingKey('a'), pytree.SequenceKey(1), pytree.GetAttrKey('y'))))
t('isnt', lambda: (pytree.is_namedtuple(P(1, 2)), pytree.is_namedtuple_class(P), pytree.is_namedtuple((1,)), pytree.is_structseq(torch.max(torch.ones(2, 2), 0)), ))
t('structseq', lambda: pytree.tree_flatten(torch.max(torch.tensor([[1., 2.], [3., 4.]]), 0)))
t('specs eq', lambda: (pytree.tree_structure([1, 2]) == pytree.tree_structure([3, 4]), pytree.tree_structure([1]) == pytree.tree_structure((1,)), hash(pytree.tree_structure([1])) == hash(pytree.tree_structure([2]))))
t('tree_map_', lambda: pytree.tree_map_(lambda x: x.mul_(2), [torch.ones(2), (torch.arange(3.),)]))
t('unflatten wrong', lambda: pytree.tree_unflatten(5, pytree.tree_structure([1])))
t('wrong spec', lambda: pytree.tree_unflatten([5], [1]))
t('arg', lambda: pytree.arg_tree_leaves(1, [2], k={'a': 3}))
t('norm', lambda: pytree.tree_structure(((1, 2), [3, {'b': 4, 'a': None}], P(1, [2]))))
big = pytree.tree_structure({'layer%d' % i: {'w': 1, 'b': [1, 2]} for i in range(3)})
print(big)
t('supp', lambda: sorted(x.__name__ for x in pytree.SUPPORTED_NODES if x.__module__ in ('builtins', 'collections')))
t('leaf', lambda: (pytree.tree_is_leaf(3), pytree.tree_is_leaf([3]), pytree.tree_is_leaf(None), pytree._is_leaf((1,))))
t('treespec0', lambda: pytree.TreeSpec(list, None, [pytree.LeafSpec()]))
