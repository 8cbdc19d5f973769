"""Linear algebra, as in torch.linalg. The last two dimensions are the matrix; the others are a batch."""

import math

import _torch
from torch import _modes, return_types as _types
from torch._functions import finfo

from _torch import _LinAlgError as LinAlgError
from _torch import linalg_cholesky as cholesky
from _torch import linalg_det as det
from _torch import linalg_eigvals as eigvals
from _torch import linalg_eigvalsh as eigvalsh
from _torch import linalg_inv as inv
from _torch import linalg_solve as solve
from _torch import linalg_svdvals as svdvals
from _torch import linalg_vector_norm as vector_norm
from _torch import Tensor, matmul


def _named(name, fields):
    return _types._make(name, fields)


_Qr = _named("linalg_qr", ("Q", "R"))
_Eig = _named("linalg_eig", ("eigenvalues", "eigenvectors"))
_Eigh = _named("linalg_eigh", ("eigenvalues", "eigenvectors"))
_Svd = _named("linalg_svd", ("U", "S", "Vh"))
_Slogdet = _named("linalg_slogdet", ("sign", "logabsdet"))


def slogdet(A):
    return _Slogdet(_torch._linalg_slogdet(A))


def qr(A, mode="reduced"):
    return _Qr(_torch._linalg_qr(A, mode))


def eig(A):
    return _Eig(_torch._linalg_eig(A))


def eigh(A, UPLO="L"):
    return _Eigh(_torch._linalg_eigh(A, UPLO))


def svd(A, full_matrices=True, *, driver=None):
    if driver is not None and not A.is_cuda:
        raise RuntimeError("torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.")
    return _Svd(_torch._linalg_svd(A, full_matrices))


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    if isinstance(ord, str) and isinstance(dim, int):
        dim = (dim,)
    if ord is None or dim is not None and not _is_pair(dim) and not isinstance(ord, str):
        return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)
    if dim is None:
        if A.dim() == 1 and not isinstance(ord, str):
            return vector_norm(A, ord, None, keepdim, dtype=dtype)
        if A.dim() != 2:
            raise RuntimeError(
                f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {A.dim()}D."
            )
        dim = (0, 1)
    return matrix_norm(A, ord, dim, keepdim, dtype=dtype)


def _is_pair(dim):
    return isinstance(dim, (tuple, list)) and len(dim) == 2


def _check_float(name, A, low=True):
    """Refuses integers and, unless `low`, dtypes of 16 bits."""
    kind = A.type().split(".")[-1].removesuffix("Tensor")
    if not (A.is_floating_point() or A.is_complex()):
        raise NotImplementedError(f"{name}: Expected a floating point or complex tensor as input. Got {kind}")
    if not low and A.dtype in (_torch.float16, _torch.bfloat16):
        raise NotImplementedError(f"{name}: Low precision dtypes not supported. Got {kind}")


def _check_square(name, A):
    if A.dim() < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if A.size(-1) != A.size(-2):
        raise RuntimeError(f"{name}: A must be batches of square matrices, but they are {A.size(-2)} by {A.size(-1)} matrices")


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    _check_float("linalg.matrix_norm", A, low=ord in ("fro", 1, -1, math.inf, -math.inf))
    if A.dim() < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    if not _is_pair(dim):
        raise RuntimeError("linalg.matrix_norm: dim must be a 2-tuple. Got " + " ".join(map(str, dim)))
    if dtype is not None:
        A = A.to(dtype)
    row, column = (d % A.dim() for d in dim)
    if row == column:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got ({dim[0]}, {dim[1]})")
    if ord == "fro":
        return vector_norm(A, 2, (row, column), keepdim)
    if ord in ("nuc", 2, -2):
        values = svdvals(A.movedim((row, column), (-2, -1)))
        out = values.sum(-1) if ord == "nuc" else values.amax(-1) if ord == 2 else values.amin(-1)
        return out.unsqueeze(min(row, column)).unsqueeze(max(row, column)) if keepdim else out
    if ord in (1, -1, math.inf, -math.inf):
        first, second = (row, column) if abs(ord) == 1 else (column, row)
        sums = vector_norm(A, 1, first, keepdim)
        second -= not keepdim and second > first
        return sums.amax(second, keepdim) if ord > 0 else sums.amin(second, keepdim)
    raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")


def cond(A, p=None):
    if A.dim() < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if A.numel() == 0:
        return _torch.zeros(A.shape[:-2], dtype=A.dtype.to_real(), device=A.device)
    if p in (None, 2, -2):
        values = svdvals(A)
        largest, smallest = values.narrow(-1, 0, 1), values.narrow(-1, values.size(-1) - 1, 1)
        return (smallest / largest if p == -2 else largest / smallest).squeeze(-1)
    if p not in ("fro", "nuc", 1, -1, math.inf, -math.inf):
        raise ValueError(f"linalg.cond got an invalid norm type: {p}")
    _check_square(f"linalg.cond(ord={p})", A)
    from torch._factors import inv_ex

    if A.dtype not in (_torch.float32, _torch.float64, _torch.complex64, _torch.complex128):
        return inv(A)  # It says why it has no inverse.
    inverse, info = inv_ex(A)
    # A singular matrix has no inverse, and its condition number is infinite.
    result = matrix_norm(A, p) * matrix_norm(inverse, p)
    return result.masked_fill(info > 0, math.inf)


def matrix_rank(A, tol=None, hermitian=False, *, atol=None, rtol=None):
    if A.dim() < 2:
        raise RuntimeError("torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions.")
    if A.dtype not in (_torch.float32, _torch.float64, _torch.complex64, _torch.complex128):
        raise RuntimeError("This function doesn't handle types other than float and double")
    if A.numel() == 0:
        return _torch.zeros(A.shape[:-2], dtype=_torch.int64, device=A.device)
    values = eigvalsh(A).abs() if hermitian else svdvals(A)
    if rtol is None:
        rtol = max(A.shape[-2:]) * finfo(A.dtype).eps if atol is None and tol is None else 0.0
    limit = values.amax(-1, True) * rtol
    if atol is not None or tol is not None:
        least = atol if atol is not None else tol
        limit = _torch.clamp(limit, min=least.unsqueeze(-1) if isinstance(least, Tensor) else least)
    return (values > limit).sum(-1)


def _widened(A):
    """The matrix in float64, so that what is made of its parts is rounded once; as it is on devices without float64."""
    if not _torch._computes_in_float64(A.device):
        return A
    return A.to(_torch.complex128 if A.is_complex() else _torch.float64)


def pinv(A, rcond=None, hermitian=False, *, atol=None, rtol=None):
    if A.dim() < 2 or A.dtype not in (_torch.float32, _torch.float64, _torch.complex64, _torch.complex128):
        kind = A.type().split(".")[-1].removesuffix("Tensor")
        raise RuntimeError(f"linalg.pinv({kind}{{{list(A.shape)}}}): expected a tensor with 2 or more dimensions of float, double, "
                           "cfloat or cdouble types")
    rtol = rcond if rtol is None else rtol
    if A.numel() == 0:
        # There is nothing to invert: the result has the transposed shape, as in PyTorch.
        return _torch._under_node(A.mT.contiguous().clone(), "LinalgPinvBackward0")
    with _torch._grad_mode("no_grad"):
        wide = _widened(A)
        if hermitian:
            values, left = eigh(wide)
            right, sizes = left.mH, values.abs()
        else:
            left, values, right = svd(wide, full_matrices=False)
            sizes = values
        if rtol is None:
            rtol = max(A.shape[-2:]) * finfo(A.dtype).eps if atol is None else 0.0
        column = lambda bound: bound.unsqueeze(-1) if isinstance(bound, Tensor) else bound
        limit = sizes.amax(-1, True) * column(rtol)
        if atol is not None:
            limit = limit.clamp(min=column(atol))
        inverse = _torch.where(sizes > limit, 1.0 / values, 0.0)
        found = (right.mH @ (inverse.unsqueeze(-1) * left.mH)).to(A.dtype)
    return _torch._linalg_pinv(A, found)


def matrix_power(A, n):
    _check_square("linalg.matrix_power", A)
    if n == 0:
        one = _torch.eye(A.size(-1), dtype=A.dtype, device=A.device).expand(A.shape).clone()
        return _torch._without_gradient(one, "CopyBackwards", [A])
    if n < 0:
        A, n = inv(A), -n
    result = None
    while n:
        if n & 1:
            result = A if result is None else result @ A
        n >>= 1
        if n:
            A = A @ A
    return result


def multi_dot(tensors):
    if len(tensors) < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {len(tensors)}")
    for i, t in enumerate(tensors[1:-1], 1):
        if t.dim() != 2:
            raise RuntimeError(f"multi_dot(): tensor {i} must be 2D but got {t.dim()}D")
    for i, (a, b) in enumerate(zip(tensors, tensors[1:])):
        if a.size(-1) != b.size(0):
            raise RuntimeError(f"multi_dot(): tensors {i} and {i + 1} with shapes {list(a.shape)} and {list(b.shape)} cannot be multiplied")
    result = tensors[0]
    for t in tensors[1:]:
        result = result @ t
    return result.view(result.shape)


def cross(input, other, *, dim=-1):
    return _torch.cross(input, other, dim)


def vecdot(x, y, *, dim=-1):
    _check_float("linalg.vecdot", x)
    if x.dtype != y.dtype:
        names = [t.type().split(".")[-1].removesuffix("Tensor") for t in (x, y)]
        raise RuntimeError("linalg.vecdot: Expected x and y to have the same dtype, but found x of type {} and y of type {} "
                           "instead".format(*names))
    if x.dim() == 1 and y.dim() == 1:
        from torch import vdot

        return vdot(x, y)
    return (x.conj() * y).sum(dim)


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return A.diagonal(offset, dim1, dim2)


def vander(x, N=None):
    if x.dtype in (_torch.bool, _torch.float16, _torch.bfloat16):
        name = x.type().split(".")[-1].removesuffix("Tensor")
        raise NotImplementedError(f"linalg.vander supports floating point, complex, and integer tensors, but got {name}")
    x = x.unsqueeze(-1) if x.dim() == 0 else x
    n = x.size(-1) if N is None else N
    if n <= 1:
        raise RuntimeError("N must be greater than 1.")
    powers = x.unsqueeze(-1).expand(*x.shape, n - 1).cumprod(-1)
    return _torch.cat([powers.new_ones((*x.shape, 1)), powers], -1)


for _name in ("cond", "cross", "diagonal", "eig", "eigh", "matrix_norm", "matrix_power", "matrix_rank", "multi_dot", "norm", "pinv",
              "qr", "slogdet", "svd", "vander", "vecdot"):
    globals()[_name] = _torch._composed("linalg_" + _name, globals()[_name])


# What `_factors` has, which is loaded when a program first asks for it.
_LATER = dict.fromkeys((
    "cholesky_ex", "householder_product", "inv_ex", "ldl_factor", "ldl_factor_ex", "ldl_solve", "lstsq", "lu_factor", "lu_factor_ex", "matrix_exp", "matrix_sqrth", "polar", "solve_ex",
    "solve_triangular", "tensorinv", "tensorsolve",
))
_LATER.update(lu="linalg_lu", lu_solve="linalg_lu_solve")


def __getattr__(name):
    if name in _LATER:
        from torch import _factors

        globals()[name] = _modes.loaded_later(getattr(_factors, _LATER[name] or name))
        return globals()[name]
    raise AttributeError(f"module 'torch.linalg' has no attribute '{name}'")
