# What arguments of a wrong shape, dtype, count or kind are told, and the arguments beside them that are right.
import operator

import torch
from torch import linalg
from torch.nn import functional as F


def show(label, call):
    try:
        result = call()
        print(label, "->", result.dtype, list(result.shape)) if isinstance(result, torch.Tensor) else print(label, "->", result)
    except Exception as error:
        print(label, "!!", type(error).__name__, str(error).replace("\n", "|"))


MATRICES = """det slogdet inv inv_ex eigh eigvalsh eig eigvals cholesky cholesky_ex lu lu_factor lu_factor_ex ldl_factor qr svd
svdvals pinv matrix_rank cond""".split()
for dtype in (torch.int64, torch.float16, torch.bool):
    for shape in ((2, 3), (3,)):
        A, B = torch.ones(shape).to(dtype), torch.ones(2, 2).to(dtype)
        label = f"{dtype} {shape}"
        for name in MATRICES:
            show(f"{name} {label}", lambda: getattr(linalg, name)(A))
        show(f"matrix_exp {label}", lambda: linalg.matrix_exp(A) if dtype != torch.float16 else None)
        show(f"solve {label}", lambda: linalg.solve(A, B))
        show(f"solve_triangular {label}", lambda: linalg.solve_triangular(A, B, upper=True))
        show(f"lstsq {label}", lambda: linalg.lstsq(A, B))
        show(f"matrix_power {label}", lambda: linalg.matrix_power(A, 2))
        show(f"logdet {label}", lambda: torch.logdet(A))
    A = torch.ones(2, 2).to(dtype)
    for name in ("det", "slogdet", "inv", "inv_ex", "eigh", "eig", "cholesky", "cholesky_ex", "lu_factor", "ldl_factor", "qr", "svd"):
        show(f"{name} of squares {dtype}", lambda: getattr(linalg, name)(A))
    show(f"lstsq of squares {dtype}", lambda: linalg.lstsq(A, A))

for left in (torch.float32, torch.float64, torch.int64):
    for right in (torch.float32, torch.float64, torch.int64):
        a, b = torch.ones(3, dtype=left), torch.ones(3, dtype=right)
        show(f"cross {left} {right}", lambda: linalg.cross(a, b))

SHAPES = [(), (3,), (3, 3), (1, 3, 3), (1, 1, 3, 3), (1, 1, 1, 3, 3), (1, 1, 1, 1, 3, 3)]
for shape in SHAPES[1:]:
    for name in ("avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool1d", "max_pool2d", "max_pool3d"):
        for size in (2, (2, 2)):
            show(f"{name} {shape} {size}", lambda: getattr(F, name)(torch.ones(shape), size))
for shape in [*SHAPES, (0, 3), (0, 3, 3), (2, 0, 3, 3), (2, 3, 0, 3)]:
    for name in ("avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool1d", "max_pool2d", "max_pool3d"):
        for size in (1, (2, 2), (None, 1), (2, 2, 2), (1,), None):
            show(f"adaptive_{name} {shape} {size}", lambda: getattr(F, f"adaptive_{name}")(torch.ones(shape), size))
row, block = torch.ones(1, 3, 6), torch.ones(1, 1, 6, 6, 6)
for options in ({"stride": (1, 1)}, {"padding": (0, 0)}, {"dilation": (1, 1)}):
    show(f"max_pool1d {options}", lambda: F.max_pool1d(row, 2, **options))
    show(f"max_pool1d with indices {options}", lambda: F.max_pool1d(row, 2, return_indices=True, **options))
    show(f"max_pool3d {options}", lambda: F.max_pool3d(block, 2, **options))
    if "dilation" not in options:
        show(f"avg_pool1d {options}", lambda: F.avg_pool1d(row, 2, **options))
        show(f"avg_pool3d {options}", lambda: F.avg_pool3d(block, 2, **options))

for shape in SHAPES[1:]:
    for kernel in ((1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1, 1)):
        for name in ("conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"):
            show(f"{name} {shape} {kernel}", lambda: getattr(F, name)(torch.ones(shape), torch.ones(kernel)))

for batch in ((2, 2), (2, 2, 2)):
    for other in ((2, 2), (2, 2, 2)):
        show(f"baddbmm {batch} {other}", lambda: torch.baddbmm(torch.ones(2, 2), torch.ones(batch), torch.ones(other)))
        show(f"addbmm {batch} {other}", lambda: torch.addbmm(torch.ones(2, 2), torch.ones(batch), torch.ones(other)))

x = torch.ones(2, 3)
for equation in ("ij,jk->il", "ij,jk->ii", "ij,jk->iz", "ij,jk->", "ij,jk->i...", "...ij,jk->ik", "ij,jk->I", "ij,jk->i1", "ij,jk->i."):
    show(f"einsum {equation}", lambda: torch.einsum(equation, x, x))
show("einsum iij,jk->il", lambda: torch.einsum("iij,jk->il", torch.ones(2, 3, 3), x))

for order in ("x", "fro", "nuc", "inf", "-inf", None):
    for shape in ((3,), (2, 3)):
        show(f"norm {order} {shape}", lambda: torch.ones(shape).norm(order))
        show(f"norm {order} {shape} dim", lambda: torch.norm(torch.ones(shape), order, dim=0))

for dim in (4, -1, "a", 1.5, None, (0,), True):
    for name in ("softmax", "log_softmax", "softmin"):
        show(f"{name} {dim}", lambda: getattr(F, name)(x, dim=dim))
    for name in ("softmax", "sum", "mean", "argmax", "cumsum", "sort", "unsqueeze", "squeeze"):
        show(f"Tensor.{name} {dim}", lambda: operator.methodcaller(name, dim)(x) if name != "sort" else list(x.sort(dim)[0].shape))

for text in ("x", "float32", "int64", "cuda:x", "cpu:1", "cuda:-1", "cuda:1:2", "", "cuda:", "CPU", "CPU:0", "gpu", "cuda:01", "cpu:0", " cpu"):
    show(f"device {text!r}", lambda: torch.device(text))
    show(f"to {text!r}", lambda: str(x.to(text).device))
    show(f"Module.to {text!r}", lambda: str(torch.nn.Linear(1, 1).to(text).weight.device))
show("device()", lambda: torch.device())
show("device('cpu', 'x')", lambda: torch.device("cpu", "x"))

for name in ("add", "sub", "mul", "div"):
    show(f"{name}(1, 2)", lambda: getattr(x, name)(1, 2).tolist())
    show(f"{name}_(1, 2)", lambda: getattr(x.clone(), name + "_")(1, 2).tolist())
    show(f"torch.{name}(x, 1, 2)", lambda: getattr(torch, name)(x, 1, 2).tolist())


def set_requires_grad(value):
    w = torch.ones(2)
    w.requires_grad = value
    return w.requires_grad


for value in ("x", 1, 0, None, 1.5, [], torch.tensor(True), True):
    show(f"requires_grad = {value!r}", lambda: set_requires_grad(value))
for value in ((1,), "a", {}, None, {1}):
    for f in (operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ipow, operator.iand, operator.ior):
        show(f"{f.__name__} x {value!r}", lambda: f(x.clone(), value))

for index in (torch.tensor([5]), torch.tensor([-1]), torch.tensor([[0]]), torch.tensor([0.0]), torch.tensor([0, 1]), torch.tensor(0)):
    for source in (torch.ones(1), torch.ones(2), torch.ones(1, 1), torch.tensor(1.0), torch.ones(1, dtype=torch.int64)):
        label = f"{index.tolist()} {source.tolist()}"
        show(f"index_add {label}", lambda: torch.zeros(3).index_add(0, index, source).tolist())
        show(f"index_copy {label}", lambda: torch.zeros(3).index_copy(0, index, source).tolist())
        show(f"index_reduce {label}", lambda: torch.zeros(3).index_reduce(0, index, source, "amax").tolist())
    show(f"index_add of rows {index.tolist()}", lambda: torch.zeros(3, 2).index_add(0, index, torch.ones(1, 2)).tolist())

for data in (b"ab", [b"ab"], bytearray(b"ab"), {1: 2}, {1}, [None], "ab", ["ab"], [[1], [2, 3]], [1, [2]]):
    show(f"tensor {data!r}", lambda: torch.tensor(data))
show("mse_loss of a number", lambda: F.mse_loss(x, 3))
show("iter", lambda: type(iter(x)).__name__)
