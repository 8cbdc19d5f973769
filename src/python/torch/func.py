"""Functions of functions, as in torch.func."""

import functools

import torch
from _torch import Tensor


def _as_tuple(argnums):
    return (argnums,) if isinstance(argnums, int) else tuple(argnums)


def _inputs(args, argnums, name):
    """The arguments, with those that are differentiated replaced by new tensors of this call."""
    args = list(args)
    wanted = []
    for i in argnums:
        if not -len(args) <= i < len(args):
            raise RuntimeError(
                f"{name}(f, argnums={i})(*args): Tried to differentiate wrt argument {i} but only {len(args)} were given"
            )
        value = args[i]
        if not isinstance(value, Tensor):
            raise NotImplementedError(f"torch.func.{name} of an argument that is not a tensor ({type(value).__name__})")
        # Tensors that an enclosing grad differentiates stay connected to it.
        args[i] = value.view_as(value) if value.requires_grad else value.detach().requires_grad_()
        wanted.append(args[i])
    nested = any(isinstance(a, Tensor) and a.requires_grad for a in args) and any(not t.is_leaf for t in wanted)
    return args, wanted, nested


def grad_and_value(func, argnums=0, has_aux=False):
    """Turns `f` into a function that returns its gradient for some arguments, and its value."""

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        with torch.enable_grad():
            own, wanted, nested = _inputs(args, _as_tuple(argnums), "grad")
            output = func(*own, **kwargs)
            aux = None
            if has_aux:
                if not (isinstance(output, tuple) and len(output) == 2):
                    raise RuntimeError(
                        "grad_and_value(f)(*args): output of function f should be a tuple: (output, aux) if has_aux is True"
                    )
                output, aux = output
            if not isinstance(output, Tensor):
                raise RuntimeError(
                    "grad_and_value(f)(*args): Expected f(*args) to return a Tensor, "
                    f"got {type(output)}"
                )
            if output.dim() != 0:
                raise RuntimeError(
                    "grad_and_value(f)(*args): Expected f(*args) to return a scalar tensor, got tensor with "
                    f"{output.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            if output.requires_grad:
                # The graph of the gradient is kept: an enclosing grad may go through it.
                found = torch.autograd.grad(output, wanted, create_graph=True, allow_unused=True)
                found = tuple(torch.zeros_like(w) if g is None else g for g, w in zip(found, wanted))
            else:
                found = tuple(torch.zeros_like(w) for w in wanted)
        if not nested:
            found, output = tuple(g.detach() for g in found), output.detach()
        result = found[0] if isinstance(argnums, int) else found
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


def vjp(func, *primals, has_aux=False):
    """The value of `f`, and a function that maps a gradient of this value to gradients of the arguments."""
    with torch.enable_grad():
        own, wanted, nested = _inputs(primals, tuple(range(len(primals))), "vjp")
        output = func(*own)
        aux = None
        if has_aux:
            output, aux = output
    single = isinstance(output, Tensor)
    outputs = (output,) if single else tuple(output)

    def pull(*cotangents):
        seeds = cotangents if single or len(cotangents) != 1 else tuple(cotangents[0])
        found = torch.autograd.grad(outputs, wanted, seeds, retain_graph=True, create_graph=nested, allow_unused=True)
        found = tuple(torch.zeros_like(w) if g is None else g for g, w in zip(found, wanted))
        return found

    shown = outputs if nested else tuple(o.detach() for o in outputs)
    shown = shown[0] if single else shown
    return (shown, pull, aux) if has_aux else (shown, pull)


def jacrev(func, argnums=0, has_aux=False, *, chunk_size=None, _preallocate_and_copy=False):
    """The Jacobian, with one backward pass for each element of the output. Its shape is the output's, then the
    argument's."""
    if has_aux:
        raise NotImplementedError("torch.func.jacrev(has_aux=True)")

    @functools.wraps(func)
    def wrapper(*args):
        with torch.enable_grad():
            own, wanted, nested = _inputs(args, _as_tuple(argnums), "jacrev")
            output = func(*own)
            flat = output.reshape(-1)
            rows = []
            for i in range(flat.numel()):
                found = torch.autograd.grad(flat[i], wanted, retain_graph=True, create_graph=True, allow_unused=True)
                rows.append([torch.zeros_like(w) if g is None else g for g, w in zip(found, wanted)])
            columns = [torch.stack(list(c)).reshape(*output.shape, *w.shape) for c, w in zip(zip(*rows), wanted)]
        if not nested:
            columns = [c.detach() for c in columns]
        return columns[0] if isinstance(argnums, int) else tuple(columns)

    return wrapper


def hessian(func, argnums=0):
    """The Jacobian of the Jacobian."""
    return jacrev(jacrev(func, argnums), argnums)


class _Swapped:
    """Replaces a module's parameters and buffers by other tensors inside a block."""

    def __init__(self, module, tensors):
        self.module, self.tensors, self.before = module, tensors, []

    def __enter__(self):
        for path, tensor in self.tensors.items():
            owner, _, name = path.rpartition(".")
            module = self.module.get_submodule(owner)
            kind = module._parameters if name in module._parameters else module._buffers
            if name not in kind:
                raise RuntimeError(f"functional_call got unexpected keys: {path}")
            self.before.append((kind, name, kind[name]))
            kind[name] = tensor

    def __exit__(self, *exc):
        for kind, name, tensor in reversed(self.before):
            kind[name] = tensor


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """`module(*args, **kwargs)` with these tensors in place of its parameters and buffers."""
    if isinstance(parameter_and_buffer_dicts, (list, tuple)):
        tensors = {}
        for part in parameter_and_buffer_dicts:
            tensors.update(part)
    else:
        tensors = dict(parameter_and_buffer_dicts)
    if strict:
        known = {name for name, _ in module.named_parameters()} | {name for name, _ in module.named_buffers()}
        if known != set(tensors):
            raise RuntimeError(
                f"Missing key(s): {', '.join(sorted(known - set(tensors)))}. "
                f"Unexpected key(s): {', '.join(sorted(set(tensors) - known))}."
            )
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    with _Swapped(module, tensors):
        return module(*args, **(kwargs or {}))


def _map(f, tree):
    if isinstance(tree, dict):
        return {key: _map(f, value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)(_map(f, value) for value in tree)
    return f(tree)


def _leaves(tree):
    if isinstance(tree, dict):
        return [leaf for value in tree.values() for leaf in _leaves(value)]
    return [leaf for value in tree for leaf in _leaves(value)] if isinstance(tree, (list, tuple)) else [tree]


def _rows(tree, dim, name):
    """How many rows a nest of tensors has, and a function that selects one; None if all rows share it."""
    if dim is None:
        return None, lambda i: tree
    if isinstance(dim, (list, tuple, dict)):
        raise NotImplementedError("torch.func.vmap(in_dims=) of dimensions within an argument")
    sizes = set()
    for leaf in _leaves(tree):
        if not isinstance(leaf, Tensor):
            raise ValueError(f"vmap({name}, in_dims={dim}, ...)(<inputs>): Got in_dim={dim} for an input but the input is of "
                             f"type {type(leaf)}. We cannot vmap over non-Tensor arguments, please use None as the respective "
                             "in_dim")
        if not -leaf.dim() <= dim < leaf.dim():
            raise ValueError(f"vmap({name}, in_dims={dim}, ...)(<inputs>): Got in_dim={dim} for some input, but that input is "
                             f"a Tensor of dimensionality {leaf.dim()} so expected in_dim to satisfy -{leaf.dim()} <= in_dim "
                             f"< {leaf.dim()}.")
        sizes.add(leaf.size(dim))
    return sizes, lambda i: _map(lambda leaf: leaf.select(dim, i), tree)


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """Calls `func` for each row and stacks the results. PyTorch computes them together; here this is a loop."""

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        name = getattr(func, "__name__", repr(func))
        dims = (in_dims,) * len(args) if isinstance(in_dims, int) else tuple(in_dims)
        if len(dims) != len(args):
            raise ValueError(f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible with the structure "
                             "of inputs.")
        found = [_rows(arg, dim, name) for arg, dim in zip(args, dims)] + [_rows(v, 0, name) for v in kwargs.values()]
        sizes = set().union(*(size for size, _ in found if size is not None))
        if len(sizes) != 1:
            if not sizes:
                raise ValueError(f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): got no inputs to map over")
            raise ValueError(
                f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sorted(sizes)} for the "
                "mapped dimension"
            )
        (count,) = sizes
        if count == 0:
            raise NotImplementedError("torch.func.vmap over no rows")
        state = torch.get_rng_state() if randomness == "error" else None
        results = []
        for i in range(count):
            row = [pick(i) for _, pick in found]
            results.append(func(*row[: len(args)], **dict(zip(kwargs, row[len(args):]))))
        if state is not None and not torch.equal(state, torch.get_rng_state()):
            raise RuntimeError("vmap: called random operation while in randomness error mode. Please either use the 'same' or "
                               "'different' randomness flags on vmap or perform the randomness operation out of vmap")
        return _stacked(results, out_dims, name)

    if randomness == "same":
        raise NotImplementedError("torch.func.vmap(randomness='same')")
    return wrapper


def _stacked(results, dims, name):
    first = results[0]
    if isinstance(first, (list, tuple)):
        each = dims if isinstance(dims, (list, tuple)) else (dims,) * len(first)
        return type(first)(_stacked([r[i] for r in results], each[i], name) for i in range(len(first)))
    if isinstance(first, dict):
        return {key: _stacked([r[key] for r in results], dims, name) for key in first}
    if not isinstance(first, Tensor):
        raise ValueError(f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(first)}. Did you mean to set "
                         "out_dims= to None for output?")
    return first if dims is None else torch.stack(results, dims)


_ABSENT = frozenset((
    "debug_unwrap", "functionalize", "jacfwd", "jvp", "linearize", "replace_all_batch_norm_modules_", "stack_module_state",
))


def __getattr__(name):
    if name in _ABSENT:
        raise NotImplementedError(f"torch.func.{name}")
    raise AttributeError(f"module 'torch.func' has no attribute '{name}'")
