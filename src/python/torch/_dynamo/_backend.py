"""`torch.compile(backend=f)` for a function `f` of the program: `torch.fx` traces a graph, and `f` gets it.

PyTorch's compiler reads bytecode: it splits what can't be one graph, and names nodes after the program's variables. Here there is one
graph or an error, and nodes have the names that `torch.fx` gives.
"""

import builtins
import functools
import inspect

import _torch
import torch
from torch import Tensor, fx, nn
from torch.fx._symbolic_trace import _recording
from torch.nn import Module
from torch.utils import _pytree


_RANDOM = ("rand", "randn", "randint", "randperm", "normal", "bernoulli", "rand_like", "randn_like", "multinomial")


class _Drawing:
    def __init__(self, call):
        self.call = call

    def __call__(self, *args, **kwargs):
        return self.call(*args, **kwargs)


def _no_print(*args, **kwargs):
    raise fx.proxy.TraceError("it prints")


class _Inlining(fx.Tracer):
    """Goes into modules, as PyTorch's compiler does."""

    def is_leaf_module(self, m, module_qualified_name):
        # These count their calls, or branch on what they are given.
        return isinstance(m, (nn.modules.batchnorm._BatchNorm, nn.RNNBase, nn.MultiheadAttention, nn.TransformerEncoder))

    def path_of_module(self, mod):
        try:
            return super().path_of_module(mod)
        except NameError:
            # A module that the function takes or knows from outside.
            name = f"module_{len(self.root._modules)}"
            self.root.add_module(name, mod)
            return name

    def trace(self, root, concrete_args=None):
        # The library's modules call the engine's functions by this module's names.
        space = vars(_torch)
        before = {name: value for name, value in space.items() if not name.startswith("_") and callable(value)
                  and not isinstance(value, (type, torch.dtype)) and hasattr(value, "__name__")}
        drawing = {name: getattr(torch, name) for name in _RANDOM}
        printing = builtins.print
        space.update({name: _recording(value) for name, value in before.items()})
        vars(torch).update({name: self._drawing(value) for name, value in drawing.items()})
        builtins.print = _no_print
        try:
            return super().trace(root, concrete_args)
        finally:
            builtins.print = printing
            vars(torch).update(drawing)
            space.update(before)

    def _drawing(self, function):
        """Random numbers are drawn in each call of the graph, not once when it is traced."""
        return _Drawing(lambda *args, **kwargs: self.create_proxy("call_function", function, args, kwargs))


def _key(values):
    return tuple((v.shape, v.dtype, v.device, v.requires_grad) if isinstance(v, Tensor) else (type(v), v) for v in values)


def _modules_key(module):
    return tuple(m.training for m in module.modules()) if isinstance(module, Module) else None


def _inputs(signature, args, kwargs):
    """The tensors among the arguments, with the name that each has in the graph."""
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    found = []

    def walk(value, name):
        if isinstance(value, Tensor):
            found.append((name, value))
        elif isinstance(value, (list, tuple)):
            for i, item in enumerate(value):
                walk(item, f"{name}_{i}_")
        elif isinstance(value, dict):
            for key, item in value.items():
                walk(item, f"{name}_{key}_")

    for name, value in bound.arguments.items():
        walk(value, f"L_{name}_")
    return found


class _Compiled:
    def __init__(self, backend, run, root, name):
        self.backend, self.run, self.root, self.name = backend, run, root, name
        self.signature = inspect.signature(root.forward if isinstance(root, Module) else root)
        self.graphs = {}

    def __call__(self, *args, **kwargs):
        leaves, form = _pytree.tree_flatten((args, kwargs))
        key = _key(leaves), str(form), torch.is_grad_enabled(), _modules_key(self.root)
        try:
            hash(key)
        except TypeError:
            raise self._refusal("it takes an argument that has no hash, so calls can't be told apart") from None
        if key not in self.graphs:
            self.graphs[key] = self._compile(args, kwargs)
        return self.graphs[key](args, kwargs)

    def _refusal(self, why):
        backend = getattr(self.backend, "__name__", type(self.backend).__name__)
        return NotImplementedError(f"torch.compile(backend={backend}): {self.name} can't be traced as one graph by torch.fx, so the "
                                   f"backend can't get it ({why}). PyTorch would split it into several graphs. Without backend=, it runs as "
                                   "it's written.")

    def _compile(self, args, kwargs):
        named = _inputs(self.signature, args, kwargs)
        places = {}
        for name, tensor in named:
            places.setdefault(id(tensor), name)
        names = list(dict.fromkeys(places.values()))
        form = {}

        def traced(*proxies):
            given = dict(zip(names, proxies))
            put = lambda value: given[places[id(value)]] if isinstance(value, Tensor) and id(value) in places else value
            a, k = _pytree.tree_map(put, (args, kwargs))
            leaves, form["of"] = _pytree.tree_flatten(self.run(*a, **k))
            form["leaves"] = leaves
            return tuple(leaf for leaf in leaves if isinstance(leaf, (fx.Proxy, Tensor)))

        space = {"traced": traced}
        exec(f"def forward(self, {', '.join(names)}):\n    return traced({', '.join(names)})", space)
        # The graph's root has the module's parts, but not its class.
        root = type("Root", (Module,), {"forward": space["forward"]})()
        if isinstance(self.root, Module):
            root.add_module("self", self.root)
        try:
            graph = _Inlining().trace(root)
        except (fx.proxy.TraceError, TypeError, NotImplementedError, AttributeError, NameError, RuntimeError) as error:
            raise self._refusal(str(error).split("\n")[0]) from None
        lifted = _lift(graph, root)
        module = fx.GraphModule(root, graph)
        compiled = self.backend(module, [lifted[n.target] if n.target in lifted else dict(named)[n.target]
                                         for n in graph.nodes if n.op == "placeholder"])
        if not callable(compiled):
            raise AssertionError(f"compiler_fn did not return callable, but returned {compiled}")
        inputs = [n.target for n in graph.nodes if n.op == "placeholder"]

        def call(args, kwargs):
            values = {name: tensor for name, tensor in _inputs(self.signature, args, kwargs)}
            results = iter(compiled(*[lifted[name] if name in lifted else values[name] for name in inputs]))
            leaves = [next(results) if isinstance(leaf, (fx.Proxy, Tensor)) else leaf for leaf in form["leaves"]]
            return _pytree.tree_unflatten(leaves, form["of"])

        return call


def _lift(graph, root):
    """Makes a module's tensors inputs of the graph. Inputs are in the order of their first use."""
    lifted, order = {}, []
    parameters = {name for name, _ in root.named_parameters()}
    for node in list(graph.nodes):
        if node.op != "get_attr":
            continue
        *path, name = node.target.split(".")
        owner = root
        for part in path:
            owner = getattr(owner, part)
        tensor = getattr(owner, name)
        kind = "parameters" if node.target in parameters else "buffers"
        # `self.0.weight` is `L_self_modules_0_parameters_weight_`.
        steps = "".join(f"{part}_modules_" for part in path[:-1]) + (path[-1] + "_" if path else "")
        label = f"L_{steps}{kind}_{name}_" if path else f"L_{name}_"
        lifted[label] = tensor
        known = next((n for n in graph.nodes if n.op == "placeholder" and n.target == label), None)
        if known is None:
            with graph.inserting_before(next(iter(graph.nodes))):
                known = graph.placeholder(label)
        node.replace_all_uses_with(known)
        graph.erase_node(node)
    for node in graph.nodes:
        if node.op != "placeholder":
            used = [n for n in node.all_input_nodes if n.op == "placeholder" and n not in order]
            order += sorted(used, key=lambda n: n.target not in lifted)
    for node in [n for n in graph.nodes if n.op == "placeholder" and n not in order]:
        graph.erase_node(node)
    first = next((n for n in graph.nodes if n.op != "placeholder"), None)
    for node in order:
        first.prepend(node)
    return lifted


def through(backend, model):
    """`model`, each of whose calls goes through what `backend` makes of its graph."""
    if isinstance(model, Module):
        return _Compiled(backend, model, model, type(model).__name__)
    compiled = _Compiled(backend, model, model, getattr(model, "__name__", "the function"))

    @functools.wraps(model)
    def call(*args, **kwargs):
        return compiled(*args, **kwargs)

    call._torchdynamo_orig_callable = model
    return call
