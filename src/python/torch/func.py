"""Functions of functions, as in torch.func. Arguments and results may be trees: nests of tuples, lists and dictionaries.

Each transform differentiates new tensors of its own. What it returns stays in the graph where something outside may still
differentiate it: an enclosing transform, or a tensor of the program that requires gradients.
"""

import functools

import _torch
import torch
from _torch import Tensor
from torch import _batched, _transforms
from torch.utils._pytree import broadcast, tree_flatten, tree_leaves, tree_map

# How many transforms enclose what runs now, and the tensors that they made.
_depth = 0

# Whether a backward pass runs for forward mode, which calls the `jvp` of functions of your own: True in the first of its two
# passes, "seeds" in the second, which only goes to the first one's seeds.
_forwarding = False
_made = []


class _Level:
    """One transform. Inside, gradients are on."""

    def __enter__(self):
        global _depth
        # Not even inference mode keeps a transform from differentiating.
        self.enabled = [torch.inference_mode(False)] if torch.is_inference_mode_enabled() else []
        self.enabled.append(torch.enable_grad())
        for mode in self.enabled:
            mode.__enter__()
        self.outermost = _depth == 0
        _depth += 1
        self.transform = _transforms.Differentiation()
        _transforms.enter(self.transform)
        return self

    def __exit__(self, *error):
        global _depth
        _depth -= 1
        _transforms.leave(self.transform)
        if self.outermost:
            _made.clear()
        for mode in reversed(self.enabled):
            mode.__exit__(*error)

    def own(self, tree, check=None):
        """The tree with new tensors, and these. Tensors that something else differentiates stay connected to it."""
        leaves, spec = tree_flatten(tree)
        own = []
        for leaf in leaves:
            if not isinstance(leaf, Tensor):
                raise ValueError(f"Thing passed to transform API must be Tensor, got {type(leaf)}")
            if check is not None:
                check(leaf)
            given = leaf
            if leaf.is_inference():
                # No graph can keep it.
                leaf = leaf.clone()
            if _batched.running:
                # Each row has a gradient of its own, even for a tensor that is the same in all.
                leaf = _batched.spread(leaf)
            if leaf.requires_grad:
                own.append(leaf.view_as(leaf))
                self.transform.pairs.append((own[-1], given))
                continue
            if not (leaf.is_floating_point() or leaf.is_complex()):
                raise RuntimeError("only Tensors of floating point dtype can require gradients")
            own.append(leaf.detach())
            own[-1].requires_grad = True
            self.transform.pairs.append((own[-1], given))
            _made.append(own[-1])
        return spec.unflatten(own), own

    def is_connected(self, given, outputs):
        """Whether something outside may differentiate what was computed from `given`."""
        if not self.outermost or any(isinstance(t, Tensor) and t.requires_grad for t in tree_leaves(given)):
            return True
        return _reaches_outside([t.grad_fn if t.grad_fn is not None else t for t in outputs if t.requires_grad])


def _reaches_outside(waiting):
    """Whether a graph has a leaf that no transform made: a parameter that the function uses, for example."""
    seen = set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        if isinstance(node, Tensor) or hasattr(node, "variable"):
            leaf = node if isinstance(node, Tensor) else node.variable
            # A leaf that the function made itself ends with it.
            if not any(leaf is own for own in _made) and not _transforms.are_made_inside(leaf):
                return True
            continue
        seen.add(node)
        waiting += [following for following, _ in node.next_functions]
    return False


def _finished(tree, connected):
    if connected:
        return tree
    return tree_map(lambda leaf: leaf.detach() if isinstance(leaf, Tensor) else leaf, tree)


def _positions(argnums, args):
    """The positions that `argnums` names."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    each = (argnums,) if isinstance(argnums, int) else argnums
    if not each:
        raise RuntimeError("argnums must be non-empty")
    for i in each:
        if not isinstance(i, int):
            raise RuntimeError(f"argnums elements must be int, got {type(i)}")
        if not -len(args) <= i < len(args):
            raise RuntimeError(f"Got argnum={i}, but only {len(args)} positional inputs")
    found = tuple(i % len(args) for i in each)
    if len(set(found)) != len(found):
        raise RuntimeError(f"argnums elements must be unique, got {found}")
    return found


def _chosen(args, argnums):
    """The arguments that `argnums` names: one tree, or a tuple of trees."""
    found = _positions(argnums, args)
    return args[found[0]] if isinstance(argnums, int) else tuple(args[i] for i in found)


def _replaced(args, argnums, chosen):
    args = list(args)
    for i, tree in zip(_positions(argnums, args), (chosen,) if isinstance(argnums, int) else chosen):
        args[i] = tree
    return args


def _split(output, has_aux, name):
    """The output, and what a function gives beside it."""
    if not has_aux:
        return output, None
    if not (isinstance(output, tuple) and len(output) == 2):
        raise RuntimeError(f"{name}: output of function f should be a tuple: (output, aux) if has_aux is True")
    for leaf in tree_leaves(output[1]):
        if not isinstance(leaf, Tensor):
            raise RuntimeError(f"Expected tensors, got unsupported type {type(leaf)}")
    return output


def _flat(output, name, function="f(*primals)"):
    """The tensors of an output and its form."""
    leaves, spec = tree_flatten(output)
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise RuntimeError(f"{name}: expected {function} to return only tensors, got unsupported type {type(leaf)}")
        if name == "vjp(f, *primals)" and not (leaf.is_floating_point() or leaf.is_complex()):
            raise RuntimeError("vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype "
                               f"{leaf.dtype}")
    if not leaves:
        raise RuntimeError(f"{name}: Expected f to be a function that has non-empty output (got output = {leaves})")
    return leaves, spec


def _gradients(outputs, own, seeds, create_graph, retain_graph=True):
    """The gradients of those outputs that have any; zeros for tensors on which nothing depends."""
    pairs = [(o, s) for o, s in zip(outputs, seeds) if o.requires_grad]
    if not pairs or not own:
        return [torch.zeros_like(t) for t in own]
    found = torch.autograd.grad([o for o, _ in pairs], own, [s for _, s in pairs], retain_graph=retain_graph,
                                create_graph=create_graph, allow_unused=True)
    return [torch.zeros_like(t) if g is None else g for g, t in zip(found, own)]


def grad_and_value(func, argnums=0, has_aux=False):
    """Turns `f` into a function that returns its gradient for some arguments, and its value."""
    name = "grad_and_value(f)(*args)"

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        with _Level() as level:
            given = _chosen(args, argnums)
            chosen, own = level.own(given)
            output, aux = _split(func(*_replaced(args, argnums, chosen), **kwargs), has_aux, name)
            if not isinstance(output, Tensor):
                raise RuntimeError(f"{name}: Expected f(*args) to return a Tensor, got {type(output)}")
            if output.dim() != 0:
                raise RuntimeError(f"{name}: Expected f(*args) to return a scalar Tensor, got tensor with {output.dim()} dims. "
                                   "Maybe you wanted to use the vjp or jacrev APIs instead?")
            if output.is_complex():
                raise RuntimeError(f"grad can be implicitly created only for real scalar outputs but got {output.dtype}")
            connected = level.is_connected([given, args, kwargs], [output])
            found = _gradients([output], own, [torch.ones_like(output)], connected, connected)
            result = tree_flatten(given)[1].unflatten(found)
            result, output, aux = _finished((result, output, aux), connected)
        return (result, (output, aux)) if has_aux else (result, output)

    return wrapper


def grad(func, argnums=0, has_aux=False):
    """Turns `f` into a function that returns its gradient for some arguments."""
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        result, value = both(*args, **kwargs)
        return (result, value[1]) if has_aux else result

    return wrapper


class _Leaf:
    def __repr__(self):
        return "*"


def vjp(func, *primals, has_aux=False):
    """The value of `f`, and a function that maps gradients of this value to gradients of the arguments."""
    name = "vjp(f, *primals)"
    with _Level() as level:
        chosen, own = level.own(primals)
        output, aux = _split(func(*chosen), has_aux, name)
        outputs, spec = _flat(output, name)
        connected = level.is_connected(primals, outputs)
    form = tree_flatten(primals)[1]

    def wrapper(cotangents, retain_graph=True, create_graph=None):
        seeds, given = tree_flatten(cotangents)
        if given != spec:
            star = _Leaf()
            raise RuntimeError("Expected pytree structure of cotangents to be the same as pytree structure of outputs to the "
                               f"function. cotangents: {tree_map(lambda _: star, cotangents)}, primal output: "
                               f"{tree_map(lambda _: star, output)}")
        keep = connected or _depth > 0 or any(s.requires_grad for s in seeds)
        return form.unflatten(_gradients(outputs, own, seeds, keep if create_graph is None else create_graph, retain_graph))

    shown, aux = _finished((output, aux), connected)
    return (shown, wrapper, aux) if has_aux else (shown, wrapper)


def _rows(output):
    """For each element of a tensor, a tensor that is one there and zero elsewhere."""
    for i in range(output.numel()):
        row = torch.zeros(output.shape, dtype=output.dtype, device=output.device)
        row.view(-1)[i] = 1
        yield row


def _check_chunks(chunk_size, text):
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(text)


def jacrev(func, argnums=0, has_aux=False, *, chunk_size=None, _preallocate_and_copy=False):
    """The Jacobian, with one backward pass for each element of the output. Its shape is the output's, then the
    argument's."""
    _check_chunks(chunk_size, "jacrev: `chunk_size` should be greater than 0.")
    name = "vjp(f, *primals)"

    @functools.wraps(func)
    def wrapper(*args):
        with _Level() as level:
            given = _chosen(args, argnums)
            chosen, own = level.own(given)
            output, aux = _split(func(*_replaced(args, argnums, chosen)), has_aux, name)
            outputs, spec = _flat(output, name)
            connected = level.is_connected([given, args], outputs)
            form = tree_flatten(given)[1]
            parts = []
            zeros = [torch.zeros_like(o) for o in outputs]
            for i, one in enumerate(outputs):
                rows = [_gradients(outputs, own, zeros[:i] + [row] + zeros[i + 1:], connected) for row in _rows(one)]
                columns = zip(*rows) if rows else ((),) * len(own)
                parts.append(form.unflatten(
                    torch.stack(list(c)).reshape(*one.shape, *t.shape) if c else t.new_zeros((*one.shape, *t.shape))
                    for c, t in zip(columns, own)))
            result, aux = _finished((spec.unflatten(parts), aux), connected)
        return (result, aux) if has_aux else result

    return wrapper


class _Forward:
    """Products of a Jacobian with vectors. A backward pass is linear in its seed, and the gradient for this seed is the product
    that forward mode would have computed."""

    def __init__(self, outputs, own, connected):
        self.outputs, self.own, self.connected = outputs, own, connected
        self.seeds = [torch.zeros_like(o) for o in outputs]
        for seed in self.seeds:
            seed.requires_grad = True
        if _depth:
            _made.extend(self.seeds)
        pairs = [(o, s) for o, s in zip(outputs, self.seeds) if o.requires_grad]
        self.back = [None] * len(own)
        if pairs and own:
            global _forwarding
            before, _forwarding = _forwarding, True
            try:
                self.back = torch.autograd.grad([o for o, _ in pairs], own, [s for _, s in pairs], create_graph=True,
                                                allow_unused=True)
            finally:
                _forwarding = before

    def times(self, tangents):
        """The product with vectors of the inputs' shapes; None stands for zeros."""
        pairs = [(b, t) for b, t in zip(self.back, tangents) if b is not None and t is not None and b.requires_grad]
        if not pairs:
            return [torch.zeros_like(o) for o in self.outputs]
        keep = self.connected or any(t.requires_grad for _, t in pairs)
        global _forwarding
        before, _forwarding = _forwarding, "seeds"
        try:
            found = torch.autograd.grad([b for b, _ in pairs], self.seeds, [t for _, t in pairs], retain_graph=True,
                                        create_graph=keep, allow_unused=True)
        finally:
            _forwarding = before
        return [torch.zeros_like(o) if g is None else g for g, o in zip(found, self.outputs)]


def _need_float(t, what="primal"):
    if not (t.is_floating_point() or t.is_complex()):
        raise ValueError(f"Expected {what} to be floating point or complex, but got: {t.dtype}")


def _check_tangent(primal, tangent):
    """Whether a tensor can have this direction."""
    _need_float(primal)
    _need_float(tangent, "tangent")
    if primal.shape != tangent.shape:
        raise RuntimeError("Trying to set a forward gradient that has a different size than that of the original Tensor, this is "
                           f"not supported. Tensor is of size {list(primal.shape)} while the given forward gradient is of size "
                           f"{list(tangent.shape)}.")


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """The value of `f` for a tuple of arguments, and its derivative in the direction of `tangents`, of the same form."""
    name = "jvp(f, primals, tangents)"
    if not isinstance(primals, tuple):
        raise RuntimeError(f"{name}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")
    given, form = tree_flatten(primals)
    directions, other = tree_flatten(tangents)
    if form != other:
        raise RuntimeError(f"{name}: Expected primals and tangents to have the same python structure. For example, if primals "
                           f"is a tuple of 3 tensors, tangents also must be. Got primals with structure {form} and tangents "
                           f"with structure {other}")
    for what, leaves in (("primals", given), ("tangents", directions)):
        if not leaves:
            raise RuntimeError(f"{name}: Expected {what} to contain at least one Tensor.")
        for leaf in leaves:
            if not isinstance(leaf, Tensor):
                raise RuntimeError(f"{name}: Expected {what} to only contain Tensors, got {type(leaf)}")
    for primal, tangent in zip(given, directions):
        _check_tangent(primal, tangent)
    with _Level() as level:
        chosen, own = level.own(primals)
        output, aux = _split(func(*chosen), has_aux, name)
        outputs, spec = _flat(output, name)
        if strict and not any(o.requires_grad for o in outputs):
            raise RuntimeError("jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is "
                               "not allowed with strict=True.")
        connected = level.is_connected([primals, tangents], outputs)
        found = spec.unflatten(_Forward(outputs, own, connected).times(directions))
        shown, found, aux = _finished((output, found, aux), connected)
    return (shown, found, aux) if has_aux else (shown, found)


def jacfwd(func, argnums=0, has_aux=False, *, chunk_size=None, randomness="error"):
    """The Jacobian, with one pass for each element of the arguments. Its shape is the output's, then the argument's."""
    _check_chunks(chunk_size, "jacfwd: `chunk_size` should be greater than 0.")
    name = "jvp(f, primals, tangents)"

    @functools.wraps(func)
    def wrapper(*args):
        _check_randomness(randomness)
        # PyTorch computes all columns at once by a vmap around, which counts as a transform and refuses random numbers.
        columns = _batched.Vmap(None, randomness)
        _transforms.enter(columns)
        states = _torch._random_states() if randomness == "error" else None
        try:
            result = by_columns(args)
        finally:
            _transforms.leave(columns)
        _check_drawn(states)
        return result

    def by_columns(args):
        with _Level() as level:
            given = _chosen(args, argnums)
            chosen, own = level.own(given, _need_float)
            output, aux = _split(func(*_replaced(args, argnums, chosen)), has_aux, name)
            outputs, spec = _flat(output, name)
            connected = level.is_connected([given, args], outputs)
            forward = _Forward(outputs, own, connected)
            # For each argument one Jacobian of every output.
            by_argument = []
            for k, one in enumerate(own):
                columns = [forward.times([None] * k + [row] + [None] * (len(own) - k - 1)) for row in _rows(one)]
                by_argument.append([
                    torch.stack([c[i] for c in columns], dim=-1).reshape(*o.shape, *one.shape)
                    if columns else o.new_zeros((*o.shape, *one.shape)) for i, o in enumerate(outputs)])
            form = tree_flatten(given)[1]
            parts = [form.unflatten(columns[i] for columns in by_argument) for i in range(len(outputs))]
            result, aux = _finished((spec.unflatten(parts), aux), connected)
        return (result, aux) if has_aux else result

    return wrapper


def hessian(func, argnums=0):
    """The Jacobian of the Jacobian."""
    return jacfwd(jacrev(func, argnums), argnums)


def linearize(func, *primals):
    """The value of `f`, and a function that multiplies vectors with its Jacobian at these arguments."""
    with _Level() as level:
        chosen, own = level.own(primals)
        output = func(*chosen)
        outputs, spec = _flat(output, "linearize(f, *primals)")
        connected = level.is_connected(primals, outputs)
        forward = _Forward(outputs, own, connected)
    form = tree_flatten(primals)[1]

    def jvp_fn(*tangents):
        given, other = tree_flatten(tangents)
        if other != form:
            raise RuntimeError(f"Expected the tangents {other} to have the same argspec as the primals {form}")
        for i, (primal, tangent) in enumerate(zip(own, given)):
            for what in ("shape", "device", "dtype"):
                mine, theirs = getattr(tangent, what), getattr(primal, what)
                if mine != theirs:
                    raise RuntimeError(f"tangent:{i} with {what} {mine} in flattened pytree doesn't match the {what} {theirs} "
                                       "of the corresponding primal.")
        return spec.unflatten(forward.times(given))

    return _finished(output, connected), jvp_fn


class _Swapped:
    """Replaces a module's parameters, buffers and attributes by other tensors inside a block."""

    def __init__(self, module, tensors):
        self.module, self.tensors, self.before = module, tensors, []

    def __enter__(self):
        try:
            for path, tensor in self.tensors.items():
                self.replace(path, tensor)
        except BaseException:
            self.__exit__()
            raise

    def replace(self, path, tensor):
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{tensor} is not an instance of torch.Tensor")
        prefix, _, name = path.rpartition(".")
        if not name:
            raise KeyError('tensor name can\'t be empty string ""')
        module = self.module.get_submodule(prefix)
        kind = next((k for k in (module._parameters, module._buffers) if name in k), None)
        if kind is None:
            before = getattr(module, name, _NOTHING)
            if before is not _NOTHING and not isinstance(before, Tensor):
                raise TypeError(f"attribute `{name}`: {before} is not an instance of torch.Tensor")
            kind = module.__dict__
        self.before.append((kind, name, kind.get(name, _NOTHING)))
        kind[name] = tensor

    def __exit__(self, *exc):
        for kind, name, tensor in reversed(self.before):
            if tensor is _NOTHING:
                kind.pop(name, None)
            else:
                kind[name] = tensor


_NOTHING = object()


def _together(given):
    """One dictionary of the one or several that `functional_call` takes."""
    if isinstance(given, dict):
        return dict(given)
    if not isinstance(given, (list, tuple)):
        raise ValueError(f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(given)}")
    if not all(isinstance(part, dict) for part in given):
        raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
    names = [name for part in given for name in part]
    repeated = [name for i, name in enumerate(names) if names.count(name) > 1 and names.index(name) == i]
    if repeated:
        raise ValueError(f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous")
    return {name: tensor for part in given for name, tensor in part.items()}


def _with_tied(tensors, named):
    """The replacements, also under the other names of the same parameter."""
    groups = {}
    for name, tensor in named.items():
        groups.setdefault(id(tensor), []).append(name)
    for names in groups.values():
        given = [name for name in names if name in tensors]
        if len(names) < 2 or not given:
            continue
        if any(tensors[name] is not tensors[given[0]] for name in given):
            raise ValueError(f"functional_call got multiple values for keys {sorted(given)}, which are tied. Consider using "
                             "tie_weights=False")
        tensors.update(dict.fromkeys(names, tensors[given[0]]))
    return tensors


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """`module(*args, **kwargs)` with these tensors in place of its parameters and buffers."""
    tensors = _together(parameter_and_buffer_dicts)
    named = dict(module.named_parameters(remove_duplicate=False)) | dict(module.named_buffers(remove_duplicate=False))
    if tie_weights:
        tensors = _with_tied(tensors, named)
    unexpected, missing = sorted(set(tensors) - set(named)), sorted(set(named) - set(tensors))
    if strict and (unexpected or missing):
        lines = [f"Error(s) in reparametrizing for {type(module).__name__}:"]
        for what, names in (("Unexpected", unexpected), ("Missing", missing)):
            if names:
                lines.append(f"{what} key(s): {', '.join(map(repr, names))}.")
        raise RuntimeError("\n\t".join(lines))
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    with _Swapped(module, tensors):
        return module(*args, **(kwargs or {}))


def stack_module_state(models):
    """The parameters of models of one class, each name's stacked, and their buffers: what `functional_call` under `vmap` takes
    for an ensemble."""
    models = list(models)
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if not (all(m.training for m in models) or all(not m.training for m in models)):
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if not all(type(m) is type(models[0]) for m in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")

    def stacked(each):
        each = [dict(named) for named in each]
        return {name: _stacked_leaf(name, [named[name] for named in each]) for name in each[0]}

    return stacked(m.named_parameters() for m in models), stacked(m.named_buffers() for m in models)


def _stacked_leaf(name, tensors):
    wanted = {t.requires_grad for t in tensors}
    if len(wanted) != 1:
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    with torch.no_grad():
        result = torch.stack(tensors)
    return result.requires_grad_() if wanted.pop() else result


def replace_all_batch_norm_modules_(root):
    """Makes every batch normalization of a module compute with the statistics of its batch alone."""
    for module in root.modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm) and module.track_running_stats:
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root


def _check_randomness(randomness):
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")


def _check_drawn(states):
    """Raises an error if random numbers were drawn since the generators had these states."""
    if states is not None and states != _torch._random_states():
        # PyTorch refuses before it draws.
        _torch._draw_again(states)
        raise RuntimeError("vmap: called random operation while in randomness error mode. Please either use the 'same' or "
                           "'different' randomness flags on vmap or perform the randomness operation out of vmap")


def _dims(name, in_dims, args):
    """The leaves of all arguments, the dimension over which each is mapped, their form, and the number of rows."""
    start = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): "
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(f"{start}expected `in_dims` to be int or a (potentially nested) tuple matching the structure of "
                         f"inputs, got: {type(in_dims)}.")
    if not args:
        raise ValueError(f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over "
                         "a function with no inputs. The latter is unsupported.")
    leaves, spec = tree_flatten(args)
    dims = broadcast(in_dims, spec)
    if dims is None:
        raise ValueError(f"{start}in_dims is not compatible with the structure of `inputs`. in_dims has structure "
                         f"{tree_flatten(in_dims)[1]} but inputs has structure {spec}.")
    sizes = []
    for i, (leaf, dim) in enumerate(zip(leaves, dims)):
        if dim is None:
            continue
        if not isinstance(dim, int):
            raise ValueError(f"{start}Got in_dim={dim} for an input but in_dim must be either an integer dimension or None.")
        if not isinstance(leaf, Tensor):
            raise ValueError(f"{start}Got in_dim={dim} for an input but the input is of type {type(leaf)}. We cannot vmap over "
                             "non-Tensor arguments, please use None as the respective in_dim")
        if not -leaf.dim() <= dim < leaf.dim():
            raise ValueError(f"{start}Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {leaf.dim()} "
                             f"so expected in_dim to satisfy -{leaf.dim()} <= in_dim < {leaf.dim()}.")
        sizes.append(leaf.size(dim))
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if len(set(sizes)) != 1:
        raise ValueError(f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the "
                         "mapped dimension")
    return leaves, dims, spec, sizes[0]


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """Maps `func` over rows: it's called once, with tensors that stand for all rows (torch/_batched.py). Keyword arguments are the
    same for every row."""
    _check_randomness(randomness)
    _check_chunks(chunk_size, f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    name = getattr(func, "__name__", repr(func))

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        leaves, dims, spec, count = _dims(name, in_dims, args)

        def mapped(leaves, count):
            return _mapped(func, name, leaves, dims, spec, kwargs, out_dims, randomness, count)

        if chunk_size is None or count <= chunk_size:
            return mapped(leaves, count)
        states = _torch._random_states() if randomness == "same" else ()
        parts = []
        for begin in range(0, count, chunk_size):
            _torch._draw_again(states)
            size = min(chunk_size, count - begin)
            parts.append(mapped([leaf if dim is None else leaf.narrow(dim, begin, size) for leaf, dim in zip(leaves, dims)], size))
        flat = [tree_flatten(part) for part in parts]
        placed = _out_dims(flat[0][1], out_dims, name)
        return flat[0][1].unflatten(torch.cat([part[i] for part, _ in flat], dim) if dim is not None else flat[0][0][i]
                                    for i, dim in enumerate(placed))

    return wrapped


def _mapped(func, name, leaves, dims, spec, kwargs, out_dims, randomness, count):
    """What `func` gives for all rows, with the rows where `out_dims` says."""
    # The rules are loaded with the first call.
    from torch import _batching_networks, _batching_random

    states = None if randomness == "different" else _torch._random_states()
    running = _batched.running
    running.append(_batched.Vmap(count, randomness))
    level = len(running)
    _transforms.enter(running[-1])
    try:
        with _torch.DisableTorchFunctionSubclass():
            rows = [leaf if dim is None else _batched.rows_along(leaf, dim, level) for leaf, dim in zip(leaves, dims)]
        if randomness == "different":
            with _batching_random.draws(count, level):
                result = func(*spec.unflatten(rows), **kwargs)
        else:
            result = func(*spec.unflatten(rows), **kwargs)
        if randomness == "error":
            _check_drawn(states)
        with _torch.DisableTorchFunctionSubclass():
            return _taken_out(result, out_dims, name, level, count)
    finally:
        _transforms.leave(running[level - 1])
        del running[level - 1:]


def _out_dims(spec, out_dims, name):
    """For each tensor of a result, the dimension along which its rows go."""
    if not all(dim is None or isinstance(dim, int) for dim in tree_leaves(out_dims)):
        raise ValueError(f"vmap({name}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a python collection of "
                         "ints representing where in the outputs the vmapped dimension should appear.")
    # A tensor by itself may have its dimension in a tuple.
    dims = list(out_dims) if not spec.num_children and isinstance(out_dims, tuple) and len(out_dims) == 1 else (
        broadcast(out_dims, spec))
    if dims is None:
        raise ValueError(f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of "
                         f"`outputs`. out_dims has structure {tree_flatten(out_dims)[1]} but outputs has structure {spec}.")
    return dims


def _taken_out(result, out_dims, name, level, count):
    leaves, spec = tree_flatten(result)
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise ValueError(f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(leaf)}. Did you mean to set "
                             "out_dims= to None for output?")
    found = []
    for leaf, dim in zip(leaves, _out_dims(spec, out_dims, name)):
        if dim is not None:
            found.append(_batched.take_out(leaf, dim, level, count))
        elif type(leaf) is _batched.Batched and level in leaf._levels:
            raise ValueError(f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None")
        else:
            found.append(leaf)
    return spec.unflatten(found)


def functionalize(func, *, remove="mutations"):
    """`f`, whose results are the same. PyTorch replaces the operators that it calls by some that change nothing, which a trace
    shows; there are no such traces here."""
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(
            f"functionalize(f, remove='mutations'): received invalid argument for remove={remove}. Valid options are:\n"
            "     remove='mutations': all inplace and out= operators will be removed from the program, and replaced with their "
            "out-of-place equivalents.\n"
            "     remove='mutations_and_views': In addition to the above, all aliasing operators {view} will be replaced with their "
            "non-aliasing counterparts, {view}_copy.\n")

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        return func(*args, **kwargs)

    return wrapper


def debug_unwrap(tensor, *, recurse=True):
    """What transforms wrap: the numbers of all rows, without a gradient. With `recurse=False`, what the innermost one wraps."""
    return _transforms.unwrapped(tensor, recurse)
