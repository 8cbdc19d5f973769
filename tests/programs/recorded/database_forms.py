"""Forms of calls that PyTorch's own databases have and few programs use: nodes' names, layouts, bytes, `out=` and errors."""

import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")


def tell(name, call):
    try:
        found = call()
    except Exception as error:
        print(name, "->", type(error).__name__, error)
        return
    for t in found if isinstance(found, (tuple, list)) else [found]:
        if isinstance(t, torch.Tensor):
            print(name, "->", list(t.shape), list(t.stride()), t.grad_fn and t.grad_fn.name())
        else:
            print(name, "->", t)


x, z = torch.rand(3, 4, requires_grad=True), torch.rand((), requires_grad=True)
tell("sum", lambda: [x.sum(), x.sum(()), x.sum(0), z.sum(())])
tell("mean", lambda: [x.mean(), x.mean(()), x.mean(0)])
tell("sort", lambda: [x.sort()[0], x.sort(stable=True)[0], torch.sort(x, stable=False)[0]])
tell("rsub", lambda: [2 - x, x.__rsub__(2), x.__rsub__(x), torch.rsub(x, 2)])
tell("kron", lambda: torch.kron(x, z))
tell("H", lambda: [x.H, x.T, x.mT])
tell("masked_scatter_", lambda: x.clone().masked_scatter_(x > 0.5, torch.ones(12)))
target, weight = torch.rand(3, 4), torch.rand(4)
for how in ("none", "mean", "sum"):
    tell(f"logits {how}", lambda: F.binary_cross_entropy_with_logits(x, target, weight, reduction=how))
    tell(f"logits {how}", lambda: F.binary_cross_entropy_with_logits(x, target, pos_weight=weight, reduction=how))

c, d = x.cfloat(), torch.rand(4, 3, dtype=torch.cfloat)
tell("complex", lambda: [c @ d, c @ d[:, 0], torch.dot(c[0], d[:, 0]), torch.bmm(c[None], d[None]), c.sgn(), c.nan_to_num()])
tell("ravel", lambda: [torch.rand(6)[::2].ravel(), torch.rand(3, 4).t().ravel(), z.ravel(), x[0].ravel()])

A, B = torch.rand(3, 3) + 3 * torch.eye(3), torch.rand(3, 2)
L = torch.linalg.cholesky(A @ A.mT)
tell("cholesky_solve", lambda: torch.cholesky_solve(B, L))
tell("triangular_solve", lambda: torch.triangular_solve(B, A))
tell("solve_triangular", lambda: torch.linalg.solve_triangular(A, torch.rand(3, 1), upper=True))
tell("solve_ex", lambda: torch.linalg.solve_ex(A, B)[0])
tell("lu", lambda: torch.linalg.lu(A))
tell("lu_solve", lambda: torch.lu_solve(B, *torch.linalg.lu_factor(A)))
tell("ldl", lambda: torch.linalg.ldl_factor(A @ A.mT))
tell("lstsq", lambda: torch.linalg.lstsq(torch.rand(5, 3), torch.rand(5, 2))[0])
tell("ormqr", lambda: torch.ormqr(*torch.geqrf(A), B))
tell("unique", lambda: torch.randint(0, 2, (4, 3, 5)).unique(dim=1).stride()[1:])
tell("conv3d", lambda: F.conv3d(torch.rand(1, 1, 4, 4, 4), torch.rand(1, 1, 1, 2, 2)))
print(torch.linalg.svd(torch.zeros(0, 3))[2])

image = (torch.arange(2 * 3 * 7 * 5) * 37 % 256).to(torch.uint8).view(2, 3, 7, 5)
for mode in ("nearest", "nearest-exact", "bilinear", "bicubic"):
    for size in ((3, 4), (12, 9)):
        y = F.interpolate(image, size, mode=mode)
        print(mode, y.dtype, y[1, 2, 1].tolist())
for mode in ("bilinear", "bicubic"):
    print(mode, F.interpolate(image, (4, 3), mode=mode, antialias=True)[0, 1].tolist())
print(F.interpolate(image[0], 3)[0].tolist())

index, source = torch.tensor([[0, 0, 1]]), torch.tensor([[1.0, 2.0, 3.0]])
y = torch.arange(6.0).reshape(2, 3)
for how in ("add", "multiply"):
    print(y.scatter(0, index, source, reduce=how), y.long().scatter(1, index, 2, reduce=how), y.clone().scatter_(0, index, 1.5, reduce=how))
tell("scatter", lambda: y.scatter(0, index, source, reduce="sum"))
tell("scatter", lambda: x.scatter(0, index, 1.0, reduce="add").sum().backward())

parts = [torch.empty(0), torch.empty(0)]
print(torch.unbind_copy(torch.ones(2, 2), out=parts), parts)
print(torch.split_with_sizes_copy(torch.ones(4, 2), [1, 3], out=parts), parts)
tell("split", lambda: torch.split_with_sizes_copy(torch.ones(4, 2), [1, 3], out=parts[:1]))
for split in (torch.hsplit, torch.vsplit):
    tell("split", lambda: split(y, 0))
for join in (torch.hstack, torch.vstack, torch.dstack, torch.stack, torch.cat):
    tell("join", lambda: join([]))
tell("narrow", lambda: y.narrow(0, torch.tensor(1), 1))
tell("narrow", lambda: y.narrow(0, torch.tensor([1]), 1))
tell("narrow_copy", lambda: torch.narrow_copy(y, 0, 0, -1))
tell("multinomial", lambda: torch.multinomial(torch.ones(3), 1, out=torch.empty(1)))
tell("complex", lambda: torch.complex(torch.ones(2), torch.ones(2), out=torch.empty(2, dtype=torch.cdouble)))
tell("threshold", lambda: F.threshold(c.detach(), 1, 1))
tell("threshold", lambda: F.threshold(y, 1j, 1))
tell("max_pool3d", lambda: F.max_pool3d(torch.ones(1, 1, 1, 1, 1), 2))
tell("max_pool3d", lambda: F.max_pool3d(torch.ones(1, 1, 0, 2, 2), 2))
tell("as_strided_", lambda: y.clone().as_strided_((2, 2), (1, 2), 1))
print(torch.tensor([1 + 2j]).conj_physical_(), type(A.lu(get_infos=True)).__name__)

torch.manual_seed(0)
for dtype in (torch.uint8, torch.int16, torch.int32, torch.int64):
    pixels = torch.randint(0, 100, (1, 2, 5, 6)).to(dtype) * 3
    kernel = torch.randint(0, 100, (2, 1, 3, 2)).to(dtype) * 5
    print(dtype, F.conv2d(pixels, kernel, torch.tensor([1, 2]).to(dtype), stride=2, padding=1, groups=2).tolist())
    print(F.conv1d(pixels[:, :, 0], kernel[:, :, 0], groups=2).tolist())
    tell("conv_transpose2d", lambda: F.conv_transpose2d(pixels, kernel).sum().item())
    tell("dilated", lambda: F.conv2d(pixels, kernel, dilation=2, groups=2).sum().item())
    tell("avg_pool2d", lambda: F.avg_pool2d(pixels, 2).sum().item())
big = torch.tensor([[[2**62 + 1, -(2**61) + 7, 3, 5]]])
print(F.conv1d(big, torch.tensor([[[3, -5]]])))
print(F.avg_pool1d(torch.tensor([[[-7, 2, 5, -8, 1]]]), 2))
