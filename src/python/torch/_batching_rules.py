"""How functions of one row are computed of all rows at once.

A rule is called as `rule(func, k, *args, **kwargs)`: the first `k` dimensions of every `Batched` tensor among the arguments are
rows, and other tensors are the same for all rows. It returns tensors whose first `k` dimensions are rows, or raises `NoRule`.
Rules run while no class is asked about functions, so `func` sees all rows.
"""

import torch
import torch.nn.functional as F
from _torch import Tensor, _elementwise_names
from torch import _transforms
from torch._batched import Batched, NoRule, levels_of, places, plain, rows_of, running, with_levels, wrap
from torch._batching_random import DRAWS, WRITES
from torch._batching_refusals import IN_PLACE, ITEM

_RULES = {}


def find(name):
    """The rule for a function of this name."""
    rule = _RULES.get(name)
    if rule is None and name[-1:] == "_" and name[-2:-1] != "_":
        # A method that writes into its tensor goes like the function it's named after, if that keeps the shape.
        rule = _pointwise if name[:-1] in _POINTWISE else None
    elif rule is None and name[:3] == "__i" and name[-2:] == "__" and name in IN_PLACE:
        rule = _pointwise
    return rule


def _rule(names):
    def decorate(rule):
        for name in names.split():
            _RULES[name] = rule
        return rule

    return decorate


def _product_of(sizes):
    count = 1
    for size in sizes:
        count *= size
    return count


def _rank(t, k):
    return t.dim() - k if type(t) is Batched else t.dim()


def _raised(t, k, rank):
    """A tensor whose rows have `rank` dimensions: new ones of size 1 come first."""
    missing = rank - _rank(t, k)
    if type(t) is not Batched or missing <= 0:
        return t
    return t.reshape(*t.shape[:k], *[1] * missing, *t.shape[k:])


def _full(t, k, counts):
    """A tensor with all rows, each in its place."""
    if type(t) is Batched:
        return t if t.shape[:k] == counts else t.expand(*counts, *t.shape[k:])
    return t.expand(*counts, *t.shape)


def _counts(args, k):
    """How many rows the tensors among arguments have."""
    counts = [1] * k
    for t in args:
        if type(t) is Batched:
            counts = [max(a, b) if 0 not in (a, b) else 0 for a, b in zip(counts, t.shape[:k])]
        elif type(t) in (list, tuple):
            counts = [max(a, b) if 0 not in (a, b) else 0 for a, b in zip(counts, _counts(t, k))]
    return tuple(counts)


def _bound(names, args, kwargs):
    """Arguments by name. A method may also be called with `self` by name, and a function with `input`."""
    if len(args) > len(names):
        raise NoRule
    given = dict(zip(names, args))
    for name, value in kwargs.items():
        if name in given:
            raise NoRule
        given[name] = value
    return given


def _shifted(dim, k, rank, extra=0):
    """A dimension of a row, or several, as one of all rows."""
    if isinstance(dim, (tuple, list)):
        return tuple(_shifted(d, k, rank, extra) for d in dim)
    if type(dim) is not int:
        raise NoRule
    if not -(rank + extra) <= dim < rank + extra:
        # The function itself says so, of one row.
        raise NoRule
    return dim if dim < 0 else dim + k


# ---- element by element ---------------------------------------------------------------------------------------------------

# Those whose rows say so, and functions made of others.
_POINTWISE = frozenset(_elementwise_names()) | frozenset("""
    positive sgn signbit round logit mvlgamma i0 sinc isreal isposinf isneginf deg2rad rad2deg nan_to_num relu6 gelu elu selu
    celu leaky_relu hardtanh softplus tanhshrink hardshrink softshrink threshold clamp clip clamp_min clamp_max conj
    conj_physical resolve_conj resolve_neg angle add sub subtract rsub div divide pow float_power lerp addcmul addcdiv copysign
    nextafter ldexp logaddexp logaddexp2 xlogy heaviside gcd lcm polar complex masked_fill isclose copy fill where
    __invert__ __neg__ __pos__ __abs__ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __div__
    __rdiv__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __pow__ __rpow__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __and__
    __rand__ __or__ __ror__ __xor__ __rxor__ __lshift__ __rlshift__ __rshift__ __rrshift__
    special.erf special.erfc special.erfinv special.expit special.exp2 special.expm1 special.log1p special.logit special.gammaln
    special.digamma special.psi special.i0 special.i0e special.i1 special.i1e special.sinc special.xlogy special.xlog1py
    special.entr special.ndtr special.ndtri special.log_ndtr special.round special.erfcx
    """.split())


def _pointwise(func, k, *args, **kwargs):
    """Elements of tensors that broadcast together."""
    tensors = [t for t in (*args, *kwargs.values()) if isinstance(t, Tensor)]
    if len(tensors) > 1:
        ranks = [_rank(t, k) for t in tensors]
        widest = max(ranks)
        if min(ranks) != widest or any(type(t) is not Batched for t in tensors):
            if any(t.dtype != tensors[0].dtype for t in tensors):
                args, kwargs = _promoted(func.__name__, args, kwargs, tensors, ranks, k)
            args = [_raised(t, k, widest) if isinstance(t, Tensor) else t for t in args]
            kwargs = {name: _raised(t, k, widest) if isinstance(t, Tensor) else t for name, t in kwargs.items()}
    return func(*args, **kwargs)


def _promoted(name, args, kwargs, tensors, ranks, k):
    """Arguments of different dtypes whose rows have no dimensions: all rows together have some, and would have a say in the result's
    dtype that one row doesn't have."""
    if max(ranks) == 0:
        # A tensor that is the same for all rows has none either.
        return [t.reshape(1) if isinstance(t, Tensor) and type(t) is not Batched else t for t in args], kwargs
    if 0 not in ranks or name in ("masked_fill", "masked_fill_", "copy_", "fill_"):
        return args, kwargs
    alone, wide = [t for t, r in zip(tensors, ranks) if not r], [t for t, r in zip(tensors, ranks) if r]
    if len(alone) != 1 or len(wide) != 1:
        raise NoRule
    dtype = torch.result_type(torch.empty((), dtype=alone[0].dtype), torch.empty(1, dtype=wide[0].dtype))

    def cast(t):
        return t if t is not alone[0] or t.dtype == dtype or type(t) is not Batched else wrap(t.to(dtype), t._levels)

    return [cast(t) for t in args], {name: cast(t) for name, t in kwargs.items()}


def _none():
    """For expressions: there is no rule for this case."""
    raise NoRule


for _name in _POINTWISE:
    _RULES[_name] = _pointwise


@_rule("to type float double half bfloat16 cfloat cdouble chalf int long short bool char byte cpu cuda clone detach type_as "
       "zeros_like ones_like empty_like full_like view_as_real view_as_complex contiguous")
def _same_form(func, k, input, *args, **kwargs):
    """Functions that do the same whatever the shape."""
    if type(input) is not Batched or "memory_format" in kwargs:
        raise NoRule
    args = [plain(a) if type(a) is Batched else a for a in args]
    return func(input, *args, **kwargs)


@_rule("tril triu linalg.inv linalg.det linalg.slogdet linalg.cholesky linalg.eigh linalg.eigvalsh linalg.eig linalg.eigvals linalg.svd "
       "linalg.svdvals linalg.qr linalg.matrix_power linalg.matrix_exp linalg.pinv inverse det slogdet logdet cholesky matrix_power "
       "matrix_exp linalg.lu linalg.lu_factor linalg.inv_ex linalg.cholesky_ex pinverse mT mH adjoint")
def _of_matrices(func, k, input, *args, **kwargs):
    """Functions of the last two dimensions."""
    if type(input) is not Batched or _rank(input, k) < 2 or any(type(a) is Batched for a in (*args, *kwargs.values())):
        raise NoRule
    return func(input, *args, **kwargs)


# ---- reductions -----------------------------------------------------------------------------------------------------------


def _all_dims(t, k):
    """A tensor whose rows are flat."""
    return t.flatten(k) if t.dim() > k else t.unsqueeze(-1)


def _reduced(names, one_dim, whole=None):
    names = names.split()

    def rule(func, k, *args, **kwargs):
        given = _bound(names, args, kwargs)
        t = given.pop("self", None) if "self" in given else given.pop("input", None)
        dim = given.pop("dim", None)
        if "axis" in given or type(t) is not Batched or isinstance(dim, bool) or type(dim) is str:
            raise NoRule
        rank = _rank(t, k)
        # No dimensions are all of them. `all` and `any` reduce none then, but under vmap PyTorch's reduce all as well.
        if dim is None or isinstance(dim, (tuple, list)) and not len(dim):
            if given.pop("keepdim", False):
                raise NoRule
            return (whole or func)(_all_dims(t, k), -1, **given)
        if not rank or isinstance(dim, (tuple, list)) and one_dim:
            raise NoRule
        return func(t, _shifted(dim, k, rank), **given)

    return rule


for _name in "sum mean amax amin nansum nanmean all any count_nonzero".split():
    _RULES[_name] = _reduced("input dim keepdim", False)
_RULES["logsumexp"] = _reduced("input dim keepdim", False, lambda *args, **kwargs: _none())
for _name in "prod argmax argmin".split():
    _RULES[_name] = _reduced("input dim keepdim", True)
for _name in "median nanmedian".split():
    _RULES[_name] = _reduced("input dim keepdim", True, lambda t, dim, f=getattr(torch, _name): f(t, dim)[0])
_RULES["mode"] = _reduced("input dim keepdim", True, lambda *args, **kwargs: _none())


@_rule("max min")
def _extreme(func, k, input, *args, **kwargs):
    other = args[0] if args else kwargs.get("other")
    if isinstance(other, Tensor):
        return _pointwise(torch.maximum if func.__name__ == "max" else torch.minimum, k, input, other)
    return _extremes[func.__name__](func, k, input, *args, **kwargs)


_extremes = {"max": _reduced("input dim keepdim", True, torch.amax), "min": _reduced("input dim keepdim", True, torch.amin)}


@_rule("std var std_mean var_mean")
def _spread(func, k, *args, **kwargs):
    if len(args) > 1 and isinstance(args[1], bool):
        args, kwargs = (args[0], *args[2:]), {**kwargs, "correction": int(args[1])}
    if len(args) > 2:
        args, kwargs = (args[0], args[1]), {**kwargs, **dict(zip(("correction", "keepdim"), map(int, args[2:])))}
    unbiased = kwargs.pop("unbiased", None)
    if unbiased is not None:
        kwargs["correction"] = int(unbiased)
    if "keepdim" in kwargs:
        kwargs["keepdim"] = bool(kwargs["keepdim"])
    return _spreads(func, k, *args, **kwargs)


_spreads = _reduced("input dim", False)


@_rule("linalg.vector_norm")
def _vector_norm(func, k, x, ord=2, dim=None, keepdim=False, **kwargs):
    if type(x) is not Batched or dim is None and keepdim:
        raise NoRule
    if dim is None:
        return func(_all_dims(x, k), ord, -1, **kwargs)
    return func(x, ord, _shifted(dim, k, _rank(x, k)), keepdim, **kwargs)


@_rule("norm")
def _norm(func, k, input, p="fro", dim=None, keepdim=False, dtype=None):
    if type(input) is not Batched or dim is None and keepdim or type(p) is str and p != "fro" or p is None:
        raise NoRule
    order = 2 if p == "fro" else p
    if dim is None:
        return torch.linalg.vector_norm(_all_dims(input, k), order, -1, dtype=dtype)
    return torch.linalg.vector_norm(input, order, _shifted(dim, k, _rank(input, k)), keepdim, dtype=dtype)


@_rule("linalg.norm linalg.matrix_norm")
def _matrix_norm(func, k, A, ord=None, dim=None, keepdim=False, **kwargs):
    rank = _rank(A, k) if type(A) is Batched else _none()
    if func.__name__ == "norm" and ord is None:
        return _vector_norm(torch.linalg.vector_norm, k, A, 2, dim, keepdim, **kwargs)
    if dim is None:
        dim = (-2, -1) if func.__name__ == "matrix_norm" or rank == 2 else -1 if rank == 1 else _none()
    order = () if ord is None else (ord,)
    return func(A, *order, dim=_shifted(dim, k, rank), keepdim=keepdim, **kwargs)


# ---- along a dimension ----------------------------------------------------------------------------------------------------


def _along(form):
    """A rule for a function whose rows are its first argument alone: its parameters, those of dimensions with their default."""
    names, defaults = [], {}
    for word in form.split():
        name, _, default = word.partition("=")
        names.append(name)
        if default:
            defaults[name] = None if default == "None" else int(default)

    def rule(func, k, *args, **kwargs):
        given = _bound(names, args, kwargs)
        first = given.pop(names[0], None)
        if type(first) is not Batched or any(type(v) is Batched for v in given.values()):
            raise NoRule
        rank = _rank(first, k)
        if not rank:
            raise NoRule
        for name, default in defaults.items():
            dim = given.get(name, default)
            if dim is None:
                raise NoRule
            given[name] = _shifted(dim, k, rank)
        if given.get("dtype") is not None and type(given["dtype"]) is not torch.dtype:
            raise NoRule
        # Methods and functions don't agree on the names, only on the order.
        ordered = []
        for name in names[1:]:
            if name not in given or name == "dtype":
                break
            ordered.append(given.pop(name))
        return func(first, *ordered, **given)

    return rule


for _form in """
    softmax:input,dim=None,dtype log_softmax:input,dim=None,dtype softmin:input,dim=None cumsum:input,dim=None,dtype
    cumprod:input,dim=None,dtype logcumsumexp:input,dim=None cummax:input,dim=None cummin:input,dim=None
    argsort:input,dim=-1,descending,stable topk:input,k,dim=-1,largest,sorted kthvalue:input,k,dim=-1,keepdim
    diff:input,n,dim=-1 glu:input,dim=-1 select:input,dim=None,index narrow:input,dim=None,start,length
    unbind:input,dim=0 split:input,split_size_or_sections,dim=0 chunk:input,chunks,dim=0 tensor_split:input,indices_or_sections,dim=0
    index_select:input,dim=None,index transpose:input,dim0=None,dim1=None swapaxes:input,axis0=None,axis1=None
    swapdims:input,dim0=None,dim1=None movedim:input,source=None,destination=None moveaxis:input,source=None,destination=None
    diagonal:input,offset,dim1=0,dim2=1
    unflatten:input,dim=None,sizes
    """.split():
    _name, _, _parameters = _form.partition(":")
    _RULES[_name] = _along(_parameters.replace(",", " "))
_sorted = _along("input dim=-1 descending stable")


@_rule("sort")
def _sort(func, k, *args, **kwargs):
    return func(args[0]) if len(args) == 1 and not kwargs and _rank(args[0], k) else _sorted(func, k, *args, **kwargs)


def _turned(t, k):
    """A tensor whose rows have their dimensions in reverse order."""
    return t.permute(*range(k), *range(t.dim() - 1, k - 1, -1))


@_rule("t")
def _t(func, k, input):
    return _turned(input, k) if _rank(input, k) <= 2 else _none()


@_rule("permute")
def _permute(func, k, input, *dims, **kwargs):
    dims = _sizes(dims, kwargs, "dims")
    rank = _rank(input, k)
    if len(dims) != rank:
        raise NoRule
    return input.permute(*range(k), *[k + d % rank for d in dims if _shifted(d, k, rank) is not None])


def _sizes(given, kwargs, name):
    """Sizes that were given one by one, or as one sequence."""
    if name in kwargs:
        given = (kwargs.pop(name),)
    if kwargs:
        raise NoRule
    if len(given) == 1 and isinstance(given[0], (tuple, list)):
        given = given[0]
    if not all(type(size) is int for size in given):
        raise NoRule
    return tuple(given)


@_rule("flip")
def _flip(func, k, input, *dims, **kwargs):
    return input.flip(_shifted(_sizes(dims, kwargs, "dims"), k, _rank(input, k)))


@_rule("roll")
def _roll(func, k, input, shifts, dims=None):
    rank = _rank(input, k)
    if dims is None or isinstance(dims, (tuple, list)) and not len(dims):
        if isinstance(shifts, (tuple, list)):
            shifts, *more = shifts
            if more:
                raise NoRule
        return input.flatten(k).roll(shifts, -1).reshape(input.shape) if rank else input.clone()
    return input.roll(shifts, _shifted(dims, k, rank))


@_rule("unsqueeze")
def _unsqueeze(func, k, input, dim):
    return input.unsqueeze(_shifted(dim, k, _rank(input, k), 1))


@_rule("squeeze")
def _squeeze(func, k, input, dim=None):
    rank = _rank(input, k)
    if dim is None:
        dim = tuple(range(-rank, 0))
    elif not rank:
        raise NoRule
    else:
        dim = _shifted(dim, k, rank)
    return input.squeeze(dim) if rank else plain(input)


@_rule("flatten")
def _flatten(func, k, input, start_dim=0, end_dim=-1):
    rank = _rank(input, k)
    if not rank:
        return input.unsqueeze(-1)
    return input.flatten(_shifted(start_dim, k, rank), _shifted(end_dim, k, rank))


@_rule("ravel")
def _ravel(func, k, input):
    return _flatten(func, k, input)


@_rule("view reshape")
def _view(func, k, input, *shape, **kwargs):
    if len(shape) == 1 and isinstance(shape[0], torch.dtype):
        return input.view(shape[0]) if _rank(input, k) else _none()
    sizes = _sizes(shape, kwargs, "shape")
    if -1 in sizes and 0 in input.shape[:k]:
        # Of no elements nobody can tell how many there are in a row.
        raise NoRule
    method = Tensor.view if func.__name__ == "view" else Tensor.reshape
    return method(input, (*input.shape[:k], *sizes))


@_rule("view_as reshape_as expand_as")
def _like(func, k, input, other):
    if type(input) is not Batched:
        raise NoRule
    shape = other.shape[k:] if type(other) is Batched else other.shape
    if func.__name__ == "expand_as":
        return _expand(func, k, input, *shape)
    return (Tensor.view if func.__name__ == "view_as" else Tensor.reshape)(input, (*input.shape[:k], *shape))


@_rule("expand broadcast_to")
def _expand(func, k, input, *sizes, **kwargs):
    sizes = _sizes(sizes, kwargs, "size")
    if len(sizes) < _rank(input, k):
        raise NoRule
    return _raised(input, k, len(sizes)).expand(*input.shape[:k], *sizes)


@_rule("repeat tile")
def _repeat(func, k, input, *sizes, **kwargs):
    sizes = _sizes(sizes, kwargs, "repeats")
    rank = _rank(input, k)
    if len(sizes) < rank:
        if func.__name__ == "repeat":
            raise NoRule
        sizes = (*[1] * (rank - len(sizes)), *sizes)
    return _raised(input, k, len(sizes)).repeat(*[1] * k, *sizes)


@_rule("repeat_interleave")
def _repeat_interleave(func, k, input, repeats, dim=None, **kwargs):
    if type(input) is not Batched or type(repeats) is not int or kwargs:
        raise NoRule
    if dim is None:
        return _all_dims(input, k).repeat_interleave(repeats, -1)
    return input.repeat_interleave(repeats, _shifted(dim, k, _rank(input, k)))


@_rule("new_zeros new_ones new_empty")
def _new(func, k, input, *sizes, **kwargs):
    sizes = _sizes(sizes, {"size": kwargs.pop("size")} if "size" in kwargs else {}, "size")
    return func(input, (*input.shape[:k], *sizes), **kwargs)


@_rule("new_full")
def _new_full(func, k, input, size, fill_value, **kwargs):
    if isinstance(fill_value, Tensor):
        raise NoRule
    return input.new_full((*input.shape[:k], *size), fill_value, **kwargs)


@_rule("diag_embed")
def _diag_embed(func, k, input, offset=0, dim1=-2, dim2=-1):
    rank = _rank(input, k)
    return input.diag_embed(offset, _shifted(dim1, k, rank, 1), _shifted(dim2, k, rank, 1))


@_rule("diag")
def _diag(func, k, input, diagonal=0):
    rank = _rank(input, k)
    return input.diag_embed(diagonal) if rank == 1 else input.diagonal(diagonal, -2, -1).clone() if rank == 2 else _none()


@_rule("trace")
def _trace(func, k, input):
    return input.diagonal(0, -2, -1).sum(-1) if _rank(input, k) == 2 else _none()


# ---- several tensors ------------------------------------------------------------------------------------------------------


@_rule("cat concat concatenate")
def _cat(func, k, tensors, dim=0, **kwargs):
    ranks = {_rank(t, k) for t in tensors}
    if len(ranks) != 1 or kwargs or not all(isinstance(t, Tensor) for t in tensors):
        raise NoRule
    counts = _counts(tensors, k)
    return torch.cat([_full(t, k, counts) for t in tensors], _shifted(dim, k, ranks.pop()))


@_rule("stack")
def _stack(func, k, tensors, dim=0, **kwargs):
    ranks = {_rank(t, k) for t in tensors}
    if len(ranks) != 1 or kwargs:
        raise NoRule
    counts = _counts(tensors, k)
    return torch.stack([_full(t, k, counts) for t in tensors], _shifted(dim, k, ranks.pop(), 1))


@_rule("gather scatter scatter_ scatter_add scatter_add_")
def _gather(func, k, input, dim, index, *src, **kwargs):
    more = [v for v in (*src, *kwargs.values()) if isinstance(v, Tensor)]
    rank = _rank(input, k)
    if not rank or dim is None or any(_rank(t, k) != rank for t in (index, *more)):
        raise NoRule
    counts = _counts((input, index, *more), k)

    def full(v):
        return _full(v, k, counts) if isinstance(v, Tensor) else v

    target = input if func.__name__[-1] == "_" else full(input)
    return func(target, _shifted(dim, k, rank), full(index), *map(full, src), **{n: full(v) for n, v in kwargs.items()})


@_rule("take_along_dim")
def _take_along_dim(func, k, input, indices, dim=None):
    rank = _rank(input, k)
    if not rank or dim is None or _rank(indices, k) != rank:
        raise NoRule
    counts = _counts((input, indices), k)
    return torch.take_along_dim(_full(input, k, counts), _full(indices, k, counts), _shifted(dim, k, rank))


def _key(key, k):
    """An index of rows as one of all rows, if it needs no tensor that differs by row."""
    keys = key if isinstance(key, tuple) else (key,)
    advanced = [i for i, item in enumerate(keys) if isinstance(item, (Tensor, list)) or type(item) not in (
        int, slice, type(None), type(Ellipsis))]
    if advanced and (advanced[-1] - advanced[0] + 1 != len(advanced) or any(type(item) is int for item in keys)):
        # The new dimensions would come first.
        raise NoRule
    if any(type(item) is bool for item in keys):
        raise NoRule
    return (slice(None),) * k + tuple(keys)


@_rule("__getitem__")
def _getitem(func, k, input, key):
    keys = key if isinstance(key, tuple) else (key,)
    batched = [i for i, item in enumerate(keys) if type(item) is Batched]
    if not batched:
        try:
            return input[_key(key, k)]
        except IndexError:
            # One row says which of its dimensions is too short.
            raise NoRule from None
    if type(input) is not Batched and batched == [0] and not any(isinstance(item, (Tensor, list)) for item in keys[1:]):
        # Rows look up the same table.
        return input[(plain(keys[0]), *keys[1:])]
    if type(input) is Batched and batched == [0] and len(keys) == 1 and _rank(input, k):
        return _looked_up(input, keys[0], k)
    raise NoRule


def _looked_up(table, index, k):
    """`table[index]`, where each row has its own table and its own index."""
    if index.dtype in (torch.bool, torch.uint8):
        raise NoRule
    counts = _counts((table, index), k)
    table, index = _full(table, k, counts), _full(index, k, counts)
    place = []
    for d, count in enumerate(counts):
        place.append(torch.arange(count, device=table.device).reshape([-1 if i == d else 1 for i in range(index.dim())]))
    return table[(*place, plain(index) if type(index) is Batched else index)]


@_rule("__setitem__")
def _setitem(func, k, input, key, value):
    keys = key if isinstance(key, tuple) else (key,)
    if any(type(item) is Batched for item in keys):
        raise NoRule
    key = _key(key, k)
    if isinstance(value, Tensor):
        value = _raised(value, k, input[key].dim() - k)
    input[key] = value


# ---- products -------------------------------------------------------------------------------------------------------------


def _product(a, b, k):
    """`a @ b`."""
    ranks = _rank(a, k), _rank(b, k)
    if 0 in ranks:
        raise NoRule
    if type(b) is not Batched and ranks[1] <= 2:
        # All rows times one matrix is one product.
        return torch.matmul(a, b)
    if type(a) is not Batched and ranks == (2, 1):
        return torch.matmul(b, a.mT)
    left, right = a.unsqueeze(-2) if ranks[0] == 1 else a, b.unsqueeze(-1) if ranks[1] == 1 else b
    # They were plain after `unsqueeze`; their rows still come first.
    widest = max(ranks[0], ranks[1], 2)
    left = _widened(left, k if type(a) is Batched else 0, widest)
    right = _widened(right, k if type(b) is Batched else 0, widest)
    out = torch.matmul(left, right)
    if ranks[1] == 1:
        out = out.squeeze(-1)
    return out.squeeze(-1 if ranks[1] == 1 else -2) if ranks[0] == 1 else out


def _widened(t, k, rank):
    missing = rank - (t.dim() - k)
    return t.reshape(*t.shape[:k], *[1] * missing, *t.shape[k:]) if k and missing > 0 else t


_FORMS = {"mm": (2, 2), "mv": (2, 1), "dot": (1, 1), "bmm": (3, 3), "inner": (1, 1)}


@_rule("matmul __matmul__ __rmatmul__ mm mv dot bmm linalg.matmul inner")
def _matmul(func, k, input, other, **kwargs):
    name = func.__name__
    if kwargs or _FORMS.get(name, 0) not in (0, (_rank(input, k), _rank(other, k))):
        raise NoRule
    return _product(other, input, k) if name == "__rmatmul__" else _product(input, other, k)


@_rule("outer ger")
def _outer(func, k, input, vec2):
    if (_rank(input, k), _rank(vec2, k)) != (1, 1):
        raise NoRule
    return input.unsqueeze(-1) * vec2.unsqueeze(-2)


@_rule("addmm addmv baddbmm")
def _add_product(func, k, input, a, b, *, beta=1, alpha=1, **kwargs):
    forms = {"addmm": (2, 2), "addmv": (2, 1), "baddbmm": (3, 3)}.get(func.__name__)
    if kwargs or forms != (_rank(a, k), _rank(b, k)):
        raise NoRule
    product = _product(a, b, k)
    rank = forms[0] if func.__name__ != "addmv" else 1
    return torch.add(_raised(input, k, rank) * beta, product, alpha=alpha)


@_rule("linear")
def _linear(func, k, input, weight, bias=None):
    rank = _rank(input, k)
    if _rank(weight, k) != 2 or not rank or bias is not None and _rank(bias, k) != 1:
        raise NoRule
    if type(weight) is not Batched and type(bias) is not Batched:
        return F.linear(input, weight, bias)
    # The last two dimensions of the weights change places; the rows stay.
    turned = wrap(weight.mT, weight._levels) if type(weight) is Batched else weight.mT
    out = _product(input, turned, k)
    if bias is None:
        return out
    return out + (_raised(bias, k, max(rank, 1)) if type(bias) is Batched else bias)


@_rule("einsum")
def _einsum(func, k, equation, *operands):
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = operands[0]
    if not isinstance(equation, str) or not all(isinstance(t, Tensor) for t in operands):
        raise NoRule
    equation = equation.replace(" ", "")
    free = [c for c in "ZYXWVUTSRQPONMLKJIHGFEDCBA" if c not in equation]
    if len(free) < k:
        raise NoRule
    rows = "".join(free[:k])
    inputs, arrow, output = equation.partition("->")
    if not arrow:
        if "." in inputs:
            raise NoRule
        output = "".join(sorted(c for c in set(inputs) - {","} if inputs.count(c) == 1))
    inputs = inputs.split(",")
    if len(inputs) != len(operands):
        raise NoRule
    inputs = [rows + part if type(t) is Batched else part for part, t in zip(inputs, operands)]
    return torch.einsum(",".join(inputs) + "->" + rows + output, *operands)


@_rule("linalg.solve")
def _solve(func, k, A, B, *, left=True, **kwargs):
    if _rank(A, k) != 2 or kwargs:
        raise NoRule
    # Both with all rows: how many dimensions they have says what is a vector.
    counts = _counts((A, B), k)
    rank, A, B = _rank(B, k), _full(A, k, counts), _full(B, k, counts)
    if rank == 1:
        return torch.linalg.solve(A, B.unsqueeze(-1), left=left).squeeze(-1)
    return torch.linalg.solve(A, B, left=left) if rank == 2 else _none()


@_rule("cdist")
def _cdist(func, k, x1, x2, p=2.0, *args, **kwargs):
    if (_rank(x1, k), _rank(x2, k)) != (2, 2):
        raise NoRule
    return torch.cdist(x1, x2, p, *args, **kwargs)


# ---- random numbers -------------------------------------------------------------------------------------------------------

@_rule(" ".join(DRAWS | WRITES))
def _drawn(func, k, input, *args, **kwargs):
    if type(input) is not Batched or any(type(v) is Batched for v in (*args, *kwargs.values())):
        raise NoRule
    if running[input._levels[-1] - 1].randomness == "same":
        raise NoRule
    return func(input, *args, **kwargs)


# ---- gradients ------------------------------------------------------------------------------------------------------------


def _listed(tensors):
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def gradients(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
              is_grads_batched=False, materialize_grads=False):
    """`torch.autograd.grad` of rows. They don't depend on each other, so the gradients of all rows are computed in one pass."""
    if is_grads_batched:
        raise NotImplementedError("torch.autograd.grad(is_grads_batched=True) under torch.vmap")
    if type(inputs) is dict:
        found = gradients(outputs, list(inputs.values()), grad_outputs, retain_graph, create_graph, True, allow_unused, False, materialize_grads)
        return dict(zip(inputs, found))
    outputs, inputs = _listed(outputs), _listed(inputs)
    seeds = [None] * len(outputs) if grad_outputs is None else _listed(grad_outputs)
    own = levels_of([outputs], {})
    beyond = tuple(level for level in levels_of([seeds], {}) if level not in own)
    if beyond:
        return _row_by_seed(outputs, inputs, seeds, beyond, create_graph, allow_unused, materialize_grads)
    for t in inputs:
        if any(level not in (t._levels if type(t) is Batched else ()) for level in own):
            raise NotImplementedError("torch.autograd.grad() under torch.vmap for a tensor that is the same in all rows: torch.func.grad "
                                      "gives the gradient of each row")
    found = torch.autograd.grad(outputs, inputs, [_seed(s, o) for s, o in zip(seeds, outputs)], retain_graph, create_graph,
                                allow_unused=allow_unused, materialize_grads=materialize_grads)
    return tuple(wrap(g, t._levels) if g is not None and type(t) is Batched else g for g, t in zip(found, inputs))


def _seed(seed, output):
    """The gradient of all rows of an output."""
    levels = output._levels if type(output) is Batched else ()
    if seed is None:
        # One pass for all rows: each begins with a one.
        return torch.ones_like(plain(output)) if levels and output.dim() == len(levels) else None
    if not levels:
        return seed
    rank = output.dim() - len(levels)
    t = plain(with_levels(seed, levels)) if type(seed) is Batched else seed
    missing = rank - (t.dim() - (len(levels) if type(seed) is Batched else 0))
    return t.expand(output.shape) if not missing else t


def _row_by_seed(outputs, inputs, seeds, beyond, create_graph, allow_unused, materialize_grads):
    """A graph of fewer vmaps than its seeds have: one pass for each row of the seeds."""
    counts, results = rows_of(beyond), []
    for place in places(counts):
        at = dict(zip(beyond, place))
        picked = []
        for seed in seeds:
            if type(seed) is Batched:
                left = tuple(level for level in seed._levels if level not in at)
                t = plain(seed)[tuple(at.get(level, slice(None)) for level in seed._levels)]
                seed = wrap(t, left) if left else t
            picked.append(seed)
        results.append(gradients(outputs, inputs, picked, True, create_graph, allow_unused=allow_unused, materialize_grads=materialize_grads))
    stacked = []
    for column in zip(*results):
        if column[0] is None:
            stacked.append(None)
            continue
        levels = column[0]._levels if type(column[0]) is Batched else ()
        t = torch.stack([plain(g) for g in column])
        t = t.reshape(*counts, *t.shape[1:])
        now, order = (*beyond, *levels), tuple(sorted((*beyond, *levels)))
        t = t.permute(*[now.index(level) for level in order], *range(len(now), t.dim())) if now != order else t
        stacked.append(wrap(t, order))
    return tuple(stacked)


# What is asked about tensors themselves, and not about values: a tensor of another shape would be another tensor.
WHOLE = {"grad": gradients}


# ---- attributes -----------------------------------------------------------------------------------------------------------


def _wrapped_as(read):
    return lambda t: wrap(read(t), t._levels)


def _row_shape(t):
    return torch.Size(t.shape[len(t._levels):])


def _row_numel(t):
    return _product_of(t.shape[len(t._levels):])


def _last_two(read):
    def of(t):
        if t.dim() - len(t._levels) < 2:
            read(plain(t)[(0,) * len(t._levels)])
        return wrap(read(t), t._levels)

    return of


def _grad_of(t):
    return t.grad if t.grad is None else wrap(t.grad, t._levels)


# What a row says of itself.
ATTRIBUTES = {
    ".shape": _row_shape, ".ndim": lambda t: t.dim() - len(t._levels), "dim": lambda t: t.dim() - len(t._levels),
    "ndimension": lambda t: t.dim() - len(t._levels), "numel": _row_numel, "nelement": _row_numel,
    ".nbytes": lambda t: _row_numel(t) * t.element_size(), ".grad": _grad_of,
    ".T": _wrapped_as(lambda t: _turned(t, len(t._levels))),
    ".mT": _last_two(lambda t: t.mT), ".mH": _last_two(lambda t: t.mH), ".H": _last_two(lambda t: t.mH),
    ".real": _wrapped_as(lambda t: t.real), ".imag": _wrapped_as(lambda t: t.imag),
}
ATTRIBUTES |= {f".{name}": (lambda t, name=name: getattr(t, name)) for name in (
    "dtype device requires_grad is_leaf grad_fn layout is_cuda is_cpu is_sparse is_quantized is_meta is_mps is_xpu is_nested itemsize "
    "names _version output_nr retains_grad _backward_hooks").split()}
ATTRIBUTES |= {name: (lambda t, name=name: getattr(t, name)()) for name in (
    "is_floating_point is_complex is_signed element_size get_device is_conj is_neg is_inference is_shared is_pinned retain_grad").split()}


@_rule("size")
def _size(func, k, input, dim=None):
    shape = input.shape[k:]
    return torch.Size(shape) if dim is None else shape[dim] if _rank(input, k) and _shifted(dim, k, _rank(input, k)) is not None else _none()


@_rule("stride")
def _stride(func, k, input, dim=None):
    strides = input.stride()[k:]
    return strides if dim is None else strides[dim]


@_rule("is_contiguous")
def _is_contiguous(func, k, input, **kwargs):
    return plain(input)[(0,) * k].is_contiguous(**kwargs) if 0 not in input.shape[:k] else True


@_rule("__len__")
def _len(func, k, input):
    if not _rank(input, k):
        raise TypeError("len() of a 0-d tensor")
    return input.shape[k]


@_rule("as_tensor asarray")
def _itself(func, k, input, *args, **kwargs):
    return input if type(input) is Batched else _none()


@_rule("__deepcopy__")
def _deepcopy(func, k, input, memo):
    return plain(input).clone()


@_rule("__repr__ __str__")
def _repr(func, k, input, **kwargs):
    return _transforms.text(input)


@_rule("__format__")
def _format(func, k, input, spec=""):
    if not _rank(input, k):
        raise RuntimeError(ITEM)
    return format(_repr(func, k, input), spec)


@_rule("__set__.requires_grad __set__.grad")
def _set(func, k, input, value):
    func(input, value)


@_rule("register_hook")
def _register_hook(func, k, input, hook):
    levels = input._levels

    def wrapped(grad):
        found = hook(wrap(grad, levels))
        return None if found is None else plain(found)

    return input.register_hook(wrapped)
