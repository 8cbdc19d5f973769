# What may be written to `out=` or in place: sizes, warnings, memory that the arguments share; integers to negative powers.
import warnings
import torch


def attempt(name, f):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            print(name, f().shape)
        except Exception as e:
            print(name, type(e).__name__, str(e)[:160])
    for w in said:
        print("   ", w.category.__name__, str(w.message).split(" (Triggered")[0][:400])


o = lambda dtype=torch.float32: torch.ones(2, dtype=dtype)
attempt("empty", lambda: torch.empty(3, out=o()))
attempt("zeros", lambda: torch.zeros(3, out=o()))
attempt("ones", lambda: torch.ones(3, out=o()))
attempt("full", lambda: torch.full((3,), 2.0, out=o()))
attempt("rand", lambda: torch.rand(3, out=o()))
attempt("randn", lambda: torch.randn(3, out=o()))
attempt("randint", lambda: torch.randint(3, (3,), out=o()))
attempt("randperm", lambda: torch.randperm(3, out=o(torch.int64)))
attempt("linspace", lambda: torch.linspace(0, 1, 3, out=o()))
attempt("logspace", lambda: torch.logspace(0, 1, 3, out=o()))
attempt("eye", lambda: torch.eye(3, out=o()))
attempt("arange", lambda: torch.arange(3, out=o()))
attempt("normal", lambda: torch.normal(0.0, 1.0, (3,), out=o()))
attempt("add", lambda: torch.add(torch.ones(3), 1, out=o()))
attempt("cat", lambda: torch.cat([torch.ones(3)], out=o()))
attempt("complex", lambda: torch.complex(torch.ones(3), torch.ones(3), out=o(torch.complex64)))
attempt("nonzero", lambda: torch.nonzero(torch.ones(3), out=torch.ones(1, 1, dtype=torch.int64)))
attempt("masked_select", lambda: torch.masked_select(torch.ones(3), torch.ones(3) > 0, out=o()))
attempt("gather", lambda: torch.gather(torch.ones(3), 0, torch.tensor([0, 0, 0]), out=o()))
attempt("sort", lambda: torch.sort(torch.ones(3), out=(o(), o(torch.int64)))[0])
attempt("topk", lambda: torch.topk(torch.ones(3), 3, out=(o(), o(torch.int64)))[0])
attempt("mm", lambda: torch.mm(torch.ones(3, 3), torch.ones(3, 3), out=torch.ones(2, 2)))
attempt("sum", lambda: torch.sum(torch.ones(3, 3), 0, out=o()))
attempt("stack", lambda: torch.stack([torch.ones(3)], out=o()))
attempt("index_select", lambda: torch.index_select(torch.ones(3), 0, torch.tensor([0, 0, 0]), out=o()))
attempt("cumsum", lambda: torch.cumsum(torch.ones(3), 0, out=o()))
attempt("multinomial", lambda: torch.multinomial(torch.ones(3), 3, out=o(torch.int64)))
attempt("bernoulli", lambda: torch.bernoulli(torch.ones(3), out=o()))
attempt("where", lambda: torch.where(torch.ones(3) > 0, torch.ones(3), torch.ones(3), out=o()))
attempt("diag", lambda: torch.diag(torch.ones(3, 3), out=o()))
attempt("tril", lambda: torch.tril(torch.ones(3, 3), out=o()))
attempt("bmm", lambda: torch.bmm(torch.ones(1, 3, 3), torch.ones(1, 3, 3), out=torch.ones(2, 2)))
attempt("dot", lambda: torch.dot(torch.ones(3), torch.ones(3), out=o()))
attempt("norm", lambda: torch.norm(torch.ones(3), out=o()))
attempt("max", lambda: torch.max(torch.ones(3, 3), 0, out=(o(), o(torch.int64)))[0])
attempt("max3", lambda: torch.max(torch.ones(3)*2, torch.ones(3), out=o()))
attempt("roll", lambda: torch.clamp(torch.ones(3), 0, 1, out=o()))
attempt("pow-1", lambda: torch.tensor([3]) ** -1)
attempt("ipow-1", lambda: torch.tensor([3]).__ipow__(-1))
attempt("pow 0d", lambda: torch.tensor([3]) ** torch.tensor(-1))
attempt("pow_", lambda: torch.tensor([3]).pow_(-1))
attempt("rpow", lambda: 2 ** torch.tensor([-1]))
attempt("powbool", lambda: torch.tensor([True]) ** -1)
attempt("float_power", lambda: torch.float_power(torch.tensor([3]), -1))
x = torch.arange(6.0)
for name, f in {
    "lerp_": lambda: x[1:].lerp_(x[:-1], 0.5), "addcmul_": lambda: x[1:].addcmul_(x[:-1], x[:-1]),
    "addcdiv_": lambda: x[1:].addcdiv_(x[:-1], x[:-1] + 1), "clamp_": lambda: x[1:].clamp_(x[:-1]),
    "clamp_ max": lambda: x[1:].clamp_(max=x[:-1]), "lerp_ w": lambda: x[1:].lerp_(x[1:] + 1, x[:-1]),
    "where_": lambda: torch.where(x[1:] > 0, x[1:], x[:-1], out=x[1:]), "copysign_": lambda: x[1:].copysign_(x[:-1]),
    "masked_fill_": lambda: x[1:].masked_fill_(x[:-1] > 0, 1), "atan2_": lambda: x[1:].atan2_(x[:-1]),
    "eq_": lambda: x[1:].eq_(x[:-1]), "hypot_": lambda: x[1:].hypot_(x[:-1]), "xlogy_": lambda: x[1:].xlogy_(x[:-1]),
    "fmod_": lambda: x[1:].fmod_(x[:-1]), "logical_and_": lambda: x[1:].logical_and_(x[:-1]),
    "nextafter_": lambda: x[1:].nextafter_(x[:-1]), "maximum out": lambda: torch.maximum(x[1:], x[:-1], out=x[1:]),
    "heaviside_": lambda: x[1:].heaviside_(x[:-1]), "ldexp_": lambda: x[1:].ldexp_(x[:-1]),
    "floor_divide_": lambda: x[1:].floor_divide_(x[:-1] ), "addmm_": lambda: x[:4].view(2, 2).addmm_(x[1:5].view(2, 2), x[1:5].view(2, 2)),
    "index_copy_": lambda: x[1:].index_copy_(0, torch.tensor([0]), x[:1]), "scatter_": lambda: x[1:].scatter_(0, torch.tensor([0, 1]), x[:2]),
    "index_add_": lambda: x[1:].index_add_(0, torch.tensor([0]), x[1:2]), "put": lambda: x[1:].index_put_((torch.tensor([0]),), x[0]),
    "baddbmm_": lambda: x[:4].view(1, 2, 2).baddbmm_(x[1:5].view(1, 2, 2), x[1:5].view(1, 2, 2)),
    "addmv_": lambda: x[:2].addmv_(x[1:5].view(2, 2), x[1:3]), "addr_": lambda: x[:4].view(2, 2).addr_(x[1:3], x[1:3]),
    "cumsum_": lambda: x[1:].cumsum_(0), "masked_scatter_": lambda: x[1:].masked_scatter_(x[1:] > 0, x[:5]),
    "gather": lambda: torch.gather(x, 0, torch.tensor([0, 1]), out=x[:2]), "swap": lambda: x.copy_(x.flip(0)),
    "setitem": lambda: x.__setitem__(slice(1, None), x[:-1]) or x, "bitwise": lambda: torch.arange(6)[1:].bitwise_and_(torch.arange(6)[:-1]),
}.items():
    attempt(name, f)
