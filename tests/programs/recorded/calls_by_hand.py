"""Calls that PyTorch's own databases don't have: functions of `torch` beside those of `torch.nn.functional`, mixed dtypes,
dimensions and sizes that don't fit, arguments without a derivative."""

import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")
torch.manual_seed(0)


def tell(name, call):
    try:
        found = call()
    except Exception as error:
        print(name, "->", type(error).__name__, error)
        return
    print(name, "->", found)


def shape(found):
    if isinstance(found, torch.Tensor):
        return str(found.dtype)[6:], list(found.shape)
    return [shape(t) for t in found]


a = torch.tensor([[0.5, -1.25, 2.0], [-0.75, 1.5, 0.25]])
b, v = a + 1, torch.tensor([1.0, 2.0])


def needing():
    return a.clone().requires_grad_()


# ---- functions of torch that aren't those of torch.nn.functional -----------------------------------------------------

image = torch.arange(16.0).reshape(1, 1, 4, 4)
tell("max_pool2d", lambda: [torch.max_pool2d(image, 2), torch.max_pool2d(input=image, kernel_size=3, stride=1, padding=1)])
tell("max_pool2d", lambda: torch.max_pool2d(image, 2, return_indices=True))
tell("adaptive_max_pool1d", lambda: torch.adaptive_max_pool1d(image[0, 0], 2))
tell("max_pool1d_with_indices", lambda: torch.max_pool1d_with_indices(image[0, 0], 2))
tell("with_indices", lambda: F.adaptive_max_pool1d_with_indices(image[0, 0], 2, False))
tell("cosine_embedding_loss", lambda: torch.cosine_embedding_loss(a, b, torch.tensor([1.0, -1.0])))
tell("hinge_embedding_loss", lambda: [torch.hinge_embedding_loss(a, b).shape, torch.hinge_embedding_loss(a, b, reduction=1)])
tell("margin_ranking_loss", lambda: torch.margin_ranking_loss(a, a[0], b))
tell("triplet_margin_loss", lambda: [torch.triplet_margin_loss(a, b, a), torch.triplet_margin_loss(a, b, a, reduction=2)])
tell("dropout_", lambda: torch.dropout_(torch.ones(6), 0.5, True))
tell("alpha_dropout_", lambda: torch.alpha_dropout_(torch.ones(6), 0.5, True))
tell("native_dropout", lambda: torch.native_dropout(torch.ones(6), 0.5, True))
tell("in place", lambda: [torch.as_strided_(a.clone(), (2, 2), (1, 1)), torch.conj_physical_(torch.tensor([1 + 1j])), torch.i0_(v.clone())])

# ---- memory that results share or don't ------------------------------------------------------------------------------

channels = torch.arange(32.0).reshape(1, 2, 4, 4)
tell("channel_shuffle", lambda: F.channel_shuffle(channels, 2).data_ptr() == channels.data_ptr())
tell("histogram", lambda: torch.histogram(a, v).bin_edges.data_ptr() == v.data_ptr())
tell("as_strided_scatter", lambda: torch.as_strided_scatter(a.t(), torch.tensor([9.0, 8.0]), (2,), (1,)))
tall = torch.zeros(7, 3)
tell("fill_diagonal_", lambda: tall.fill_diagonal_(2.0, wrap=True).nonzero().tolist())
tell("fill_diagonal_", lambda: torch.zeros(3, 3, 3).fill_diagonal_(2.0).nonzero().tolist())
tell("fill_diagonal_", lambda: torch.zeros(3, 3, 2).fill_diagonal_(2.0))

# ---- dtypes ----------------------------------------------------------------------------------------------------------

for dtype in (torch.uint8, torch.int64, torch.bool):
    tell("logit", lambda: torch.logit(torch.tensor([0, 1, 3, 0], dtype=dtype)))
tell("logaddexp", lambda: [shape(torch.logaddexp(a.half(), torch.tensor([1, 2, 3]))), shape(torch.logaddexp2(a, torch.tensor(True)))])
tell("logaddexp", lambda: torch.logaddexp(torch.tensor([1]), torch.tensor([1])))
tell("vecdot", lambda: torch.linalg.vecdot(a, a.double()))
tell("mvlgamma", lambda: torch.mvlgamma(torch.tensor([True]), 1))
tell("adjoint", lambda: [torch.tensor(1 + 2j).adjoint(), torch.tensor(1.0).H, torch.tensor(2.0).mH])

# ---- dimensions and sizes --------------------------------------------------------------------------------------------

tell("aminmax", lambda: [torch.aminmax(a, keepdim=True), shape(torch.aminmax(torch.tensor(1.0), keepdim=True))])
tell("nanmean", lambda: [torch.nanmean(a, keepdim=True), torch.nanmean(a, (0, 1)), torch.nanmean(a, -1, True)])
tell("cummax", lambda: torch.cummax(a, 5))
tell("cummin", lambda: torch.tensor(1.0).cummin(1))
tell("renorm", lambda: torch.renorm(a, 1, 4, 1.0))
tell("take_along_dim", lambda: torch.take_along_dim(a, torch.tensor([[0]]), 4))
tell("take_along_dim", lambda: torch.take_along_dim(a.t(), torch.tensor([[0, 1]])))
tell("hsplit", lambda: [list(t.shape) for t in a.hsplit(0, 1)])
tell("trapezoid", lambda: [torch.trapezoid(torch.zeros(2, 0)), shape(torch.cumulative_trapezoid(torch.zeros(2, 0)))])
tell("slice_scatter", lambda: torch.slice_scatter(a, torch.tensor([1.0, 2.0, 3.0])))
tell("select_scatter", lambda: torch.select_scatter(a, v, 0, 0))
tell("diagonal_scatter", lambda: torch.diagonal_scatter(a, torch.tensor([1.0])))
tell("histc", lambda: [torch.histc(torch.zeros(0), 4), torch.histc(torch.tensor([1.0, float("inf")]), 4)])
tell("pdist", lambda: torch.pdist(a, -1))
tell("pdist", lambda: torch.pdist(a[None]))
tell("soft_margin_loss", lambda: F.soft_margin_loss(a, torch.zeros(3, 2, 3)))
tell("matrix_power", lambda: torch.matrix_power(v, 2))
tell("matrix_rank", lambda: [torch.linalg.matrix_rank(a @ a.t(), torch.tensor(0.1)), torch.linalg.matrix_rank(a @ a.t(), 0.1, True)])
tell("cond", lambda: [torch.linalg.cond(torch.zeros(2, 0, 0)), torch.linalg.cond(torch.zeros(2, 3, 0))])
tell("fftshift", lambda: torch.fft.fftshift(a, ()))
tell("max_pool3d", lambda: shape(F.max_pool3d(torch.zeros(0, 3, 4, 4, 4), 2, return_indices=True)))
tell("grid_sample", lambda: shape(F.grid_sample(torch.zeros(0, 2, 4, 4), torch.zeros(0, 3, 3, 2))))

# ---- derivatives -----------------------------------------------------------------------------------------------------

tell("heaviside", lambda: torch.heaviside(needing(), a).sum().backward())
tell("histogram", lambda: torch.histogram(needing(), 3).hist.sum().backward())
tell("weight", lambda: F.binary_cross_entropy(a.sigmoid(), a.sigmoid(), weight=needing()))
tell("weight", lambda: F.binary_cross_entropy_with_logits(a, a.sigmoid(), pos_weight=needing()))
tell("nodes", lambda: [(needing() * 1).deg2rad_().grad_fn.name(), (needing() * 1).rad2deg_().grad_fn.name(),
                       (needing() * 1).ldexp_(torch.tensor([1, 2, 3])).grad_fn.name()])
x = torch.tensor([0.5, -0.2, 1.2], requires_grad=True)
torch.logit(x).sum().backward()
tell("logit", lambda: x.grad)

# ---- polynomials of degrees that no loop should count to --------------------------------------------------------------

huge = torch.tensor([4.6e18, 1.0, 2.0, float("nan")])
for name in ("chebyshev_polynomial_t", "shifted_chebyshev_polynomial_t", "hermite_polynomial_h"):
    tell(name, lambda: getattr(torch.special, name)(torch.tensor([1.0, 0.5, 2.0, 2.0]), huge))
