"""Triangular systems, LU and what is made of them. Loaded when a program first asks for one of them.

The columns are eliminated one by one with operators on whole rows and blocks. Nothing here waits for the device except where
PyTorch waits: where an error has to be raised.
"""

import math

import _torch
from _torch import Tensor
from torch import contiguous_format, linalg, return_types
from torch._composed import _scalar_name
from torch._functions import finfo
from torch._said import warn_once
from torch.autograd.function import Function

_node = _torch._under_node


def _check(name, A, kernel, square=False):
    if square:
        linalg._check_square(name, A)
    if A.dim() < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if A.dtype not in (_torch.float32, _torch.float64, _torch.complex64, _torch.complex128):
        raise NotImplementedError(f'"{kernel}" not implemented for \'{_scalar_name(A)}\'')


def _check_floats(name, A, kernel):
    """The checks of a square matrix that are made before the kernel's own."""
    linalg._check_square(name, A)
    linalg._check_float(name, A)
    _check(name, A, kernel)


def _check_system(name, A, b):
    """Refuses what can't be a system `A X = b`."""
    if b.dtype != A.dtype:
        raise RuntimeError(f"Expected b and A to have the same dtype, but found b of type {_scalar_name(b)} and A of type "
                           f"{_scalar_name(A)} instead.")
    linalg._check_square(name, A)
    if b.size(-2) != A.size(-1):
        raise RuntimeError(f"Incompatible matrix sizes for {name}: each A matrix is {A.size(-1)} by {A.size(-1)} but each b matrix is "
                           f"{b.size(-2)} by {b.size(-1)}")


def _columns(t):
    """The same matrices with the elements of a column next to each other, as LAPACK returns them."""
    return t.mT.clone(memory_format=contiguous_format).mT


def _same_batch(A, B):
    """Both with the batch dimensions that theirs broadcast to."""
    from torch import broadcast_shapes

    lead = tuple(broadcast_shapes(tuple(A.shape[:-2]), tuple(B.shape[:-2])))
    return A.expand(lead + tuple(A.shape[-2:])), B.expand(lead + tuple(B.shape[-2:]))


# ---- triangular systems ----------------------------------------------------------------------------------------------


class _Triangular(Function):
    @staticmethod
    def forward(ctx, A, B, upper, unit):
        X = _torch._linalg_substituted(A, B, upper, unit)
        ctx.save_for_backward(A, X)
        ctx.options = upper, unit
        return X

    @staticmethod
    def backward(ctx, grad):
        (A, X), (upper, unit) = ctx.saved_tensors, ctx.options
        to_b = _Triangular.apply(A.mH, grad, not upper, unit)
        to_a = -to_b @ X.mH
        to_a = to_a.triu(1 if unit else 0) if upper else to_a.tril(-1 if unit else 0)
        return to_a, to_b, None, None


def solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    name = "linalg.solve_triangular"
    for word, t in (("A", A), ("B", B)):
        if t.dim() < 2:
            raise RuntimeError(f"{name}: The input tensor {word} must have at least 2 dimensions.")
    dtype = _torch.promote_types(A.dtype, B.dtype)
    A, B = A.to(dtype), B.to(dtype)
    _check(name, A, "triangular_solve_cpu", True)
    if A.size(-1) != B.size(-2 if left else -1):
        raise RuntimeError(f"{name}: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} "
                           f"({A.size(-2)}x{A.size(-1)} and {B.size(-2)}x{B.size(-1)})")
    if left:
        X = _columns(_Triangular.apply(*_same_batch(A, B), bool(upper), bool(unitriangular)))
    else:
        X = _Triangular.apply(*_same_batch(A.mT, B.mT), not upper, bool(unitriangular)).mT
    return _node(X, "LinalgSolveTriangularBackward0")


def triangular_solve(b, A, upper=True, transpose=False, unitriangular=False):
    warn_once("torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand will be removed in a future PyTorch "
              "release.\ntorch.linalg.solve_triangular has its arguments reversed and does not return a copy of one of the inputs.\nX = "
              "torch.triangular_solve(B, A).solution\nshould be replaced with\nX = torch.linalg.solve_triangular(A, B).")
    for word, t in (("b", b), ("A", A)):
        if t.dim() < 2:
            raise RuntimeError(f"torch.triangular_solve: Expected {word} to have at least 2 dimensions, but it has {t.dim()} dimensions instead")
    _check_system("triangular_solve", A, b)
    _check("triangular_solve", A, "triangular_solve_cpu")
    X = _Triangular.apply(*_same_batch(A.mT if transpose else A, b), bool(upper) != bool(transpose), bool(unitriangular))
    return return_types._make("triangular_solve", ("solution", "cloned_coefficient"))(
        (_node(_columns(X), "TriangularSolveBackward0"), _columns(A)))


def _from_symmetric(L, grad, upper):
    """The gradient of a factor from that of what it is a factor of, with both triangles, as PyTorch has it."""
    both = grad + grad.mH
    return -(L @ both) if upper else -(both @ L)


class _CholeskySolve(Function):
    @staticmethod
    def forward(ctx, B, L, upper):
        lower = L.mH if upper else L
        X = _torch._linalg_substituted(lower.mH, _torch._linalg_substituted(lower, B, False, False), True, False)
        ctx.save_for_backward(L, X)
        ctx.upper = upper
        return X

    @staticmethod
    def backward(ctx, grad):
        L, X = ctx.saved_tensors
        to_b = _CholeskySolve.apply(grad, L, ctx.upper)
        return to_b, _from_symmetric(L, to_b @ X.mH, ctx.upper), None


class _CholeskyInverse(Function):
    @staticmethod
    def forward(ctx, L, upper):
        lower = L.mH if upper else L
        one = _torch.eye(L.size(-1), dtype=L.dtype, device=L.device).expand(L.shape)
        inverse = _torch._linalg_substituted(lower, one, False, False)
        found = inverse.mH @ inverse
        ctx.save_for_backward(L, found)
        ctx.upper = upper
        return found

    @staticmethod
    def backward(ctx, grad):
        L, found = ctx.saved_tensors
        return _from_symmetric(L, found @ grad @ found, ctx.upper), None


def cholesky_solve(B, L, upper=False):
    for word, t in (("b", B), ("u", L)):
        if t.dim() < 2:
            raise RuntimeError(f"{word} should have at least 2 dimensions, but has {t.dim()} dimensions instead")
    _check_system("cholesky_solve", L, B)
    _check("cholesky_solve", L, "cholesky_solve_cpu")
    L, B = _same_batch(L, B)
    return _node(_columns(_CholeskySolve.apply(B, L, bool(upper))), "CholeskySolveBackward0")


def cholesky_inverse(L, upper=False):
    _check("cholesky_inverse", L, "cholesky_inverse_out_cpu", True)
    return _node(_columns(_CholeskyInverse.apply(L, bool(upper))), "CholeskyInverseBackward0")


class _Cholesky(Function):
    @staticmethod
    def forward(ctx, A):
        L = _torch._linalg_cholesky_factors(A)
        bad = ~(L.diagonal(dim1=-2, dim2=-1).real > 0)
        info = bad.any(-1) * (bad.to(_torch.int32).argmax(-1) + 1) if A.size(-1) else bad.any(-1)
        ctx.save_for_backward(L)
        ctx.mark_non_differentiable(info)
        return L, info.to(_torch.int32)

    @staticmethod
    def backward(ctx, grad, _):
        (L,) = ctx.saved_tensors
        inner = (L.mH @ grad).tril()
        inner = inner - 0.5 * _torch.diag_embed(inner.diagonal(dim1=-2, dim2=-1))
        right = _Triangular.apply(L.mH, inner, True, False)
        out = _Triangular.apply(L.mH, right.mH, True, False)
        return 0.5 * (out + out.mH)


_CholeskyEx = return_types._make("linalg_cholesky_ex", ("L", "info"))
_InvEx = return_types._make("linalg_inv_ex", ("inverse", "info"))
_SolveEx = return_types._make("linalg_solve_ex", ("result", "info"))
_Factor = return_types._make("linalg_lu_factor", ("LU", "pivots"))
_FactorEx = return_types._make("linalg_lu_factor_ex", ("LU", "pivots", "info"))
_Lu = return_types._make("linalg_lu", ("P", "L", "U"))
_LuWithInfo = return_types._make("_lu_with_info", ("LU", "pivots", "info"))
_Lstsq = return_types._make("linalg_lstsq", ("solution", "residuals", "rank", "singular_values"))


def _raise(name, info, text, kind=linalg.LinAlgError):
    """Asks the device whether a factorization failed."""
    bad = info.reshape(-1).nonzero().reshape(-1).tolist()
    if bad:
        where = "" if info.dim() == 0 else f"(Batch element {bad[0]}): "
        raise kind(f"{name}: {where}" + text.format(info.reshape(-1)[bad[0]].item()))


def cholesky_ex(A, *, upper=False, check_errors=False):
    _check_floats("linalg.cholesky", A, "cholesky_cpu")
    L, info = _Cholesky.apply(A.mH if upper else A)
    if check_errors:
        _raise("linalg.cholesky_ex", info, "The factorization could not be completed because the input is not positive-definite "
               "(the leading minor of order {} is not positive-definite).")
    return _CholeskyEx((_node(L.mH if upper else _columns(L), "LinalgCholeskyExBackward0"), info))


# ---- LU --------------------------------------------------------------------------------------------------------------


def _with_order(matrix, order):
    """The rows of a matrix in another order."""
    return matrix.gather(-2, order.unsqueeze(-1).expand(matrix.shape))


def _order_of(pivots, rows):
    """`A[order] = L @ U`, from the exchanges that led there."""
    order = _torch.arange(rows, device=pivots.device).expand(*pivots.shape[:-1], rows)
    places = order
    for j, at in enumerate((pivots.to(_torch.int64) - 1).unbind(-1)):
        at = at.unsqueeze(-1)
        order = order.gather(-1, _torch.where(places == j, at, _torch.where(places == at, j, places)))
    return order


def _size(t):
    """What pivots are compared by: for complex numbers the sum of their parts' sizes, as in LAPACK."""
    return t.real.abs() + t.imag.abs() if t.is_complex() else t.abs()


def _unit(L):
    """The part below the diagonal, with ones on it."""
    low = L[..., : min(L.shape[-2:])].tril(-1)
    low.diagonal(dim1=-2, dim2=-1).fill_(1)
    return low


class _LU(Function):
    @staticmethod
    def forward(ctx, A, pivot):
        lu, exchanges, order = _torch._linalg_factors(A, pivot)
        pivots = (exchanges + 1).to(_torch.int32)
        ctx.save_for_backward(lu, order)
        ctx.mark_non_differentiable(pivots, order)
        return lu, pivots, order

    @staticmethod
    def backward(ctx, grad, _, __):
        lu, order = ctx.saved_tensors
        m, n = lu.shape[-2:]
        k = min(m, n)
        first, upper = _unit(lu[..., :k, :]), lu[..., :k, :k].triu()
        to_l, to_u = grad[..., :k, :k].tril(-1), grad[..., :k, :k].triu()
        rest = None
        if n > m:
            rest = _Triangular.apply(first.mH, grad[..., k:], True, True)
            to_l = to_l - rest @ lu[..., k:].mH
        elif m > n:
            rest = _Triangular.apply(upper, grad[..., k:, :].mH, True, False).mH
            to_u = to_u - lu[..., k:, :].mH @ rest
        inner = (first.mH @ to_l).tril(-1) + (to_u @ upper.mH).triu()
        inner = _Triangular.apply(first.mH, inner, True, True)
        # From the right with the inverse of the transposed U.
        out = _Triangular.apply(upper, inner.mH, True, False).mH
        if rest is not None:
            out = _torch.cat([out, rest], -1 if n > m else -2)
        return _with_order(out, order.argsort(-1)), None


def _factor(name, A, pivot):
    if A.dim() < 2 and "lu" in name:
        name = name if name == "linalg.lu" else "torch.lu_factor"
        raise RuntimeError(f"{name}: Expected tensor with 2 or more dimensions. Got size: {list(A.shape)} instead")
    _check(name, A, "lu_cpu")
    if not pivot and A.device.type == "cpu":
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")
    lu, pivots, order = _LU.apply(A, bool(pivot))
    lu = _columns(lu)
    zero = lu.detach().diagonal(dim1=-2, dim2=-1) == 0
    info = zero.any(-1) * (zero.to(_torch.int32).argmax(-1) + 1) if zero.size(-1) else zero.any(-1)
    return lu, pivots, order, info.to(_torch.int32)


_ZERO = ("U[{0},{0}] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the "
         "factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)")


def lu_factor(A, *, pivot=True):
    lu, pivots, _, info = _factor("linalg.lu_factor", A, pivot)
    _raise("torch.linalg.lu_factor", info, _ZERO, RuntimeError)
    return _Factor((_node(lu, "LinalgLuFactorExBackward0"), pivots))


def lu_factor_ex(A, *, pivot=True, check_errors=False):
    lu, pivots, _, info = _factor("linalg.lu_factor", A, pivot)
    if check_errors:
        _raise("torch.linalg.lu_factor_ex", info, _ZERO, RuntimeError)
    return _FactorEx((_node(lu, "LinalgLuFactorExBackward0"), pivots, info))


def lu(A, pivot=True, get_infos=False, out=None):
    """`torch.lu`."""
    warn_once("torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and will be removed in a future "
              "PyTorch release.\nLU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\nLU, pivots = "
              "torch.linalg.lu_factor(A, compute_pivots)\nand\nLU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\n"
              "should be replaced with\nLU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)")
    found, pivots, _, info = _factor("linalg.lu_factor", A, pivot)
    found = _LuWithInfo((_node(found, "LinalgLuFactorExBackward0"), pivots, info))
    found = found if get_infos else tuple(found[:2])
    if out is None:
        return found
    if len(out) != len(found):
        raise TypeError(f"expected tuple of {len(found)} elements but got {len(out)}")
    for to, part in zip(out, found):
        to.resize_(part.shape).copy_(part)
    return out


def _permutation(order, like):
    return _torch.one_hot(order, order.size(-1)).mT.to(like.dtype).contiguous() if order.size(-1) else like.new_empty((*order.shape, 0))


def linalg_lu(A, *, pivot=True):
    found, _, order, _ = _factor("linalg.lu", A, pivot)
    P = _permutation(order, found) if pivot else found.new_empty(0)
    k = min(A.shape[-2:])
    return _Lu((P, _node(_unit(found), "LinalgLuBackward0"), _node(found[..., :k, :].triu(), "LinalgLuBackward0")))


def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    kind = return_types._make("lu_unpack", ("P", "L", "U"))
    none = LU_data.new_empty(0)
    P = _permutation(_order_of(LU_pivots, LU_data.size(-2)), LU_data) if unpack_pivots else none
    if not unpack_data:
        return kind((P, none, none))
    k = min(LU_data.shape[-2:])
    return kind((P, _node(_unit(LU_data), "LuUnpackBackward0"), _node(LU_data[..., :k, :].triu(), "LuUnpackBackward0")))


def _solve_factored(found, order, B, adjoint=False):
    low = _unit(found)
    if adjoint:
        y = _Triangular.apply(low.mH, _Triangular.apply(found.mH, B, False, False), True, True)
        return _with_order(y, order.argsort(-1))
    return _Triangular.apply(found, _Triangular.apply(low, _with_order(B, order), False, True), True, False)


def linalg_lu_solve(LU, pivots, B, *, left=True, adjoint=False):
    if LU.dtype != B.dtype:
        raise RuntimeError(f"linalg.lu_solve: Expected LU and B to have the same dtype, but found LU of type {_scalar_name(LU)} and B of "
                           f"type {_scalar_name(B)} instead")
    _check("linalg.lu_solve", LU, "lu_solve_cpu", True)
    if B.dim() < 2:
        raise RuntimeError("linalg.lu_solve: The input tensor B must have at least 2 dimensions.")
    if LU.size(-1) != B.size(-2 if left else -1):
        raise RuntimeError(f"linalg.lu_solve: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} "
                           f"({LU.size(-2)}x{LU.size(-1)} and {B.size(-2)}x{B.size(-1)})")
    order = _order_of(pivots, LU.size(-2))
    B = B if left else B.mH
    found, B = _same_batch(LU, B)
    X = _solve_factored(found, order.expand(found.shape[:-1]), B, adjoint if left else not adjoint)
    return _node(_columns(X) if left else X.mH, "LinalgLuSolveBackward0")


def lu_solve(b, LU_data, LU_pivots):
    warn_once("torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a future PyTorch release.\n"
              "Note that torch.linalg.lu_solve has its arguments reversed.\nX = torch.lu_solve(B, LU, pivots)\nshould be replaced with\n"
              "X = torch.linalg.lu_solve(LU, pivots, B)")
    return linalg_lu_solve(LU_data, LU_pivots, b)


_SINGULAR = "The diagonal element {} is zero, the inversion could not be completed because the input matrix is singular."


def inv_ex(A, *, check_errors=False):
    linalg._check_square("linalg.inv", A)
    linalg._check_float("linalg.inv", A, low=False)
    found, _, order, info = _factor("linalg.inv_ex", A, True)
    one = _torch.eye(A.size(-1), dtype=A.dtype, device=A.device).expand(A.shape)
    if check_errors:
        _raise("linalg.inv_ex", info, _SINGULAR)
    return _InvEx((_node(_columns(_solve_factored(found, order, one)), "LinalgInvExBackward0"), info))


def solve_ex(A, B, *, left=True, check_errors=False):
    _check("linalg.solve_ex", A, "lu_cpu", True)
    vector = B.dim() == 1 or B.dim() == A.dim() - 1 and B.shape == A.shape[:-1]
    found, _, order, info = _factor("linalg.solve_ex", A if left else A.mT, True)
    if check_errors:
        _raise("torch.linalg.solve_ex", info, "The solver failed because the input matrix is singular.")
    B = B.unsqueeze(-1) if vector else B if left else B.mT
    found, B = _same_batch(found, B)
    X = _solve_factored(found, order.expand(found.shape[:-1]), B)
    X = X.squeeze(-1) if vector else _columns(X) if left else X.mT
    return _SolveEx((_node(X, "LinalgSolveExBackward0"), info))


# ---- LDL -------------------------------------------------------------------------------------------------------------

_Ldl = return_types._make("linalg_ldl_factor", ("LD", "pivots"))
_LdlEx = return_types._make("linalg_ldl_factor_ex", ("LD", "pivots", "info"))
# Bunch and Kaufman's bound on the growth of the elements.
_GROWTH = (1 + math.sqrt(17)) / 8


def _largest(column):
    """The position and the size of a column's largest element, as numbers."""
    sizes = _size(column)
    at = sizes.argmax().item()
    return at, sizes[at].item()


def _exchange(first, second):
    kept = first.clone()
    first.copy_(second)
    second.copy_(kept)


def _pivot(A, k):
    """The row to exchange with row `k` and the size of the block, 1 or 2, as in LAPACK's sytf2; None for a column of zeros."""
    n = A.size(0)
    here = _size(A[k, k]).item()
    at, below = _largest(A[k + 1 :, k]) if k + 1 < n else (0, 0.0)
    if max(here, below) == 0 or here != here:
        return None
    if here >= _GROWTH * below:
        return k, 1
    row = k + 1 + at
    across = _largest(A[row, k:row])[1]
    if row + 1 < n:
        across = max(across, _largest(A[row + 1 :, row])[1])
    if here >= _GROWTH * below * (below / across):
        return k, 1
    return row, 1 if _size(A[row, row]).item() >= _GROWTH * across else 2


def _ldl(A, hermitian):
    """Factors the lower triangle of one matrix in place: the pivots, and where the first block of zeros is, counted from 1."""
    n, k, pivots, info = A.size(0), 0, [], 0
    turned = (lambda t: t.conj()) if hermitian else (lambda t: t)
    while k < n:
        if hermitian:
            A[k, k] = A[k, k].real
        found = _pivot(A, k)
        if found is None:
            info = info or k + 1
            pivots.append(k + 1)
            k += 1
            continue
        row, size = found
        last = k + size - 1
        if row != last:
            _exchange(A[row + 1 :, last], A[row + 1 :, row])
            kept = A[last + 1 : row, last].clone()
            A[last + 1 : row, last] = turned(A[row, last + 1 : row])
            A[row, last + 1 : row] = turned(kept)
            _exchange(A[last, last], A[row, row])
            A[row, last] = turned(A[row, last])
            if size == 2:
                _exchange(A[k + 1, k], A[row, k])
        rest = A[k + size :, k + size :]
        block = A[k : k + size, k : k + size].tril()
        block = block + turned(block.tril(-1)).T
        if hermitian:
            real = block.diagonal().real
            block.diagonal().copy_(real)
            A[k : k + size, k : k + size].diagonal().copy_(real)
        if rest.size(0):
            left = A[k + size :, k : k + size]
            factor = left @ linalg.inv(block) if size == 2 else left / block
            rest.sub_((factor @ turned(left).T).tril())
            left.copy_(factor)
        pivots += [row + 1] if size == 1 else [-row - 1] * 2
        k += size
    return pivots, info


def _ldl_factor(name, A, hermitian):
    _check_floats(name, A, "ldl_factor_kernel_cpu")
    found = A.detach().tril()
    matrices = found.reshape(math.prod(A.shape[:-2]), *A.shape[-2:])
    pivots, info = [], []
    for matrix in matrices.unbind(0):
        of_one, bad = _ldl(matrix, hermitian and A.is_complex())
        pivots.append(of_one)
        info.append(bad)
    as_ints = lambda numbers, shape: _torch.tensor(numbers, dtype=_torch.int32, device=A.device).reshape(shape)
    found = _columns(matrices.reshape(A.shape))
    return found, as_ints(pivots, A.shape[:-1]), as_ints(info, A.shape[:-2])


def _no_ldl_gradient(A, found):
    if A.requires_grad and _torch.is_grad_enabled():
        def refuse(grads):
            raise RuntimeError("derivative for aten::linalg_ldl_factor_ex is not implemented")

        _torch._record("NotImplemented", [A], [found], refuse)
    return found


def ldl_factor_ex(A, *, hermitian=False, check_errors=False):
    found, pivots, info = _ldl_factor("torch.linalg.ldl_factor_ex", A, hermitian)
    if check_errors:
        _raise_ldl("torch.linalg.ldl_factor_ex", info)
    return _LdlEx((_no_ldl_gradient(A, found), pivots, info))


def ldl_factor(A, *, hermitian=False):
    found, pivots, info = _ldl_factor("torch.linalg.ldl_factor_ex", A, hermitian)
    _raise_ldl("torch.linalg.ldl_factor", info)
    return _Ldl((_no_ldl_gradient(A, found), pivots))


def _raise_ldl(name, info):
    _raise(name, info, "Unknown error code: {}.", RuntimeError)


def _ldl_solve(LD, pivots, X, hermitian):
    """Solves with one factored matrix, in place, as LAPACK's sytrs does."""
    n = LD.size(0)
    turned = (lambda t: t.conj()) if hermitian else (lambda t: t)
    blocks, k = [], 0
    while k < n:
        size = 1 if pivots[k] > 0 else 2
        blocks.append((k, size, abs(pivots[k]) - 1))
        k += size
    for k, size, row in blocks:
        end = k + size
        if row != end - 1:
            _exchange(X[end - 1], X[row])
        X[end:].sub_(LD[end:, k:end] @ X[k:end])
        block = LD[k:end, k:end].tril()
        block = block + turned(block.tril(-1)).T
        X[k:end] = linalg.solve(block, X[k:end])
    for k, size, row in reversed(blocks):
        end = k + size
        X[k:end].sub_(turned(LD[end:, k:end]).T @ X[end:])
        if row != end - 1:
            _exchange(X[end - 1], X[row])


def ldl_solve(LD, pivots, B, *, hermitian=False):
    name = "torch.linalg.ldl_solve"
    linalg._check_square(name, LD)
    if B.size(-2) != LD.size(-1):
        raise RuntimeError(f"Incompatible matrix sizes for {name}: each A matrix is {LD.size(-1)} by {LD.size(-1)} but each b matrix is "
                           f"{B.size(-2)} by {B.size(-1)}")
    if B.dtype != LD.dtype:
        raise RuntimeError(f"Expected b and A to have the same dtype, but found b of type {_scalar_name(B)} and A of type "
                           f"{_scalar_name(LD)} instead.")
    if pivots.is_floating_point() or pivots.is_complex() or pivots.dtype == _torch.bool:
        raise RuntimeError(f"{name}: Expected pivots to be integers. Got {_scalar_name(pivots)}")
    if tuple(LD.shape[:-1]) != tuple(pivots.shape):
        raise RuntimeError(f"{name}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape "
                           f"{list(pivots.shape)} instead")
    _check(name, LD, "ldl_solve_kernel_cpu", True)
    factors, X = _same_batch(LD.detach(), B.detach())
    X, n = X.clone(), LD.size(-1)
    count = math.prod(X.shape[:-2])
    orders = pivots.expand(factors.shape[:-1]).reshape(count, n).tolist()
    wide = X.reshape(count, n, X.size(-1))
    for matrix, order, part in zip(factors.reshape(count, n, n).unbind(0), orders, wide.unbind(0)):
        _ldl_solve(matrix, order, part, hermitian and LD.is_complex())
    X = _columns(wide.reshape(X.shape))
    if _torch.is_grad_enabled() and (LD.requires_grad or B.requires_grad):
        def refuse(grads):
            raise RuntimeError("derivative for aten::linalg_ldl_solve is not implemented")

        _torch._record("NotImplemented", [LD, B], [X], refuse)
    return X


# ---- of other operators ----------------------------------------------------------------------------------------------


def tensorinv(A, ind=2):
    if ind <= 0:
        raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
    lead, rest = A.shape[:ind], A.shape[ind:]
    m, n = math.prod(lead), math.prod(rest)
    if m != n:
        raise RuntimeError("Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got "
                           f"{n} != {m}")
    return _node(linalg.inv(A.reshape(m, n)).reshape(*rest, *lead), "ReshapeAliasBackward0")


def tensorsolve(A, B, dims=None):
    if dims is not None:
        A = A.movedim(tuple(dims), tuple(range(A.dim() - len(dims), A.dim())))
    shape = A.shape[A.dim() - (A.dim() - B.dim()) :]
    m, n = B.numel(), math.prod(shape)
    if m != n:
        raise RuntimeError("Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), "
                           f"but got {n} != {m}")
    return linalg.solve(A.reshape(m, n), B.reshape(-1)).reshape(shape)


def lstsq(A, B, rcond=None, *, driver=None):
    name = "torch.linalg.lstsq"
    if A.dim() < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if B.dim() < 1:
        raise RuntimeError(f"{name}: other must have at least 1 dimension.")
    if A.dtype != B.dtype:
        raise RuntimeError(f"{name}: Expected input and other to have the same dtype, but got input's dtype {_scalar_name(A)} and "
                           f"other's dtype {_scalar_name(B)}")
    if not 0 <= A.dim() - B.dim() <= 1:
        raise RuntimeError(f"{name}: input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1")
    cuda = A.device.type == "cuda"
    driver = ("gels" if cuda else "gelsy") if driver is None else driver
    if cuda and driver != "gels":
        raise RuntimeError(f"{name}: `driver` other than `gels` is not supported on CUDA")
    if driver not in ("gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError(f"{name}: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")
    if A.dtype not in (_torch.float32, _torch.float64, _torch.complex64, _torch.complex128):
        raise RuntimeError("This function doesn't handle types other than float and double")
    vector = B.dim() == 1 or A.dim() - 1 == B.dim() and A.shape[:-1] == B.shape
    b = B.unsqueeze(-1) if vector else B
    m, n = A.shape[-2:]
    if m != b.size(-2):
        raise RuntimeError(f"{name}: input.size(-2) should match other.size({-1 if vector else -2})")
    rcond = finfo(A.dtype).eps * max(m, n) if rcond is None or driver == "gels" else float(rcond)
    solution = linalg.pinv(A, rtol=rcond) @ b
    none = A.new_empty(0, dtype=A.dtype.to_real())
    rank, values = _torch.empty(0, dtype=_torch.int64, device=A.device), none
    if driver != "gels":
        sizes = linalg.svdvals(A.detach())
        rank = (sizes > rcond * sizes.amax(-1, True)).sum(-1) if sizes.numel() else rank.new_zeros(A.shape[:-2])
        values = sizes if driver != "gelsy" else none
    if m > n and driver != "gelsy" and (driver == "gels" or bool((rank == n).all())):
        gap = A @ solution - b
        residuals = _node((gap.abs().square() if gap.is_complex() else gap * gap).sum(-2), "LinalgLstsqBackward0")
    else:
        residuals = _torch._without_gradient(A.new_empty(0, dtype=none.dtype), "LinalgLstsqBackward0", [A, B])
    # LAPACK leaves the solution in the rows of `B` that it needs, column by column.
    if m > n:
        solution = _torch.cat([solution, solution.new_zeros((*solution.shape[:-2], m - n, solution.size(-1)))], -2)
    solution = _columns(solution)[..., :n, :]
    solution = _node(solution.squeeze(-1) if vector else solution, "LinalgLstsqBackward0")
    return _Lstsq((solution, residuals, rank, values))


def matrix_exp(A):
    linalg._check_square("linalg.matrix_exp", A)
    linalg._check_float("linalg.matrix_exp", A)
    if A.dtype in (_torch.float16, _torch.bfloat16):
        return _node(matrix_exp(A.float()).to(A.dtype), "LinalgMatrixExpBackward0")
    if A.numel() == 0:
        return A.clone()
    size = A.detach().abs().sum(-2).max().item()
    halvings = max(0, math.ceil(math.log2(size / 0.5))) if 0 < size < math.inf else 0
    X = A / 2**halvings if halvings else A
    one = _torch.eye(A.size(-1), dtype=A.dtype, device=A.device)
    degree = 15 if A.dtype in (_torch.float64, _torch.complex128) else 10
    out = one + X / degree
    for k in range(degree - 1, 0, -1):
        out = one + X @ out / k
    for _ in range(halvings):
        out = out @ out
    return _node(out, "LinalgMatrixExpBackward0")


def householder_product(A, tau):
    name = "torch.linalg.householder_product"
    if A.dim() < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    m, n = A.shape[-2:]
    if m < n:
        raise RuntimeError(f"{name}: input.shape[-2] must be greater than or equal to input.shape[-1]")
    if n < tau.size(-1):
        raise RuntimeError(f"{name}: input.shape[-1] must be greater than or equal to tau.shape[-1]")
    _check("linalg.householder_product", A, "orgqr_cpu")
    if A.dtype != tau.dtype:
        raise RuntimeError(f"{name}: tau dtype {_scalar_name(tau)} does not match input dtype {_scalar_name(A)}")
    one = _torch.eye(m, n, dtype=A.dtype, device=A.device)
    Q, low = one.expand(A.shape), A.tril(-1) + one
    for i in range(tau.size(-1) - 1, -1, -1):
        v = low[..., i : i + 1]
        Q = Q - tau[..., i : i + 1].unsqueeze(-1) * (v @ (v.mH @ Q))
    if not tau.size(-1):
        Q = _torch._without_gradient(Q.clone(), "LinalgHouseholderProductBackward0", [tau])
    return _node(_columns(Q), "LinalgHouseholderProductBackward0")


orgqr = householder_product


def geqrf(input):
    """The triangular factor of QR on and above the diagonal, and below it the reflections whose product is Q."""
    if input.dim() < 2:
        raise RuntimeError("torch.geqrf: input must have at least 2 dimensions.")
    _check("geqrf", input, "geqrf_cpu")
    a = input.detach().clone()
    m, n = a.shape[-2:]
    k = min(m, n)
    tau = a.new_zeros(tuple(a.shape[:-2]) + (k,))
    for j in range(k):
        head, tail = a[..., j, j], a[..., j + 1 :, j]
        rest = tail.abs().square().sum(-1)
        size = (head.abs().square() + rest).sqrt()
        beta = _torch.where(head.real > 0, -size, size)
        # A column that is 0 below the diagonal, and real on it, is left as it is.
        moved = (rest > 0) | (head.imag != 0) if a.is_complex() else rest > 0
        safe = _torch.where(moved, beta, 1.0)
        factor = _torch.where(moved, (safe - head) / safe, 0.0)
        v = tail / _torch.where(moved, head - safe, 1.0).unsqueeze(-1)
        v = _torch.where(moved.unsqueeze(-1), v, 0.0)
        whole = _torch.cat([_torch.ones_like(head).unsqueeze(-1), v], -1).unsqueeze(-1)
        block = a[..., j:, j + 1 :]
        block.sub_(factor.conj()[..., None, None] * (whole @ (whole.mH @ block)))
        head.copy_(_torch.where(moved, beta.to(head.dtype), head))
        tail.copy_(v)
        tau[..., j] = factor
    a = _columns(a)
    if input.requires_grad and _torch.is_grad_enabled():
        def refuse(grads):
            raise NotImplementedError("the derivative for 'geqrf' is not implemented.")

        _torch._record("GeqrfBackward0", [input], [a, tau], refuse)
    return return_types.geqrf((a, tau))


def ormqr(input, tau, other, left=True, transpose=False):
    """`Q @ other`, with the Q whose reflections geqrf gave; with `left=False`, `other @ Q`."""
    if input.dim() < 2:
        raise RuntimeError("torch.ormqr: input must have at least 2 dimensions.")
    if other.dim() < 2:
        raise RuntimeError("torch.ormqr: other must have at least 2 dimensions.")
    side = other.size(-2) if left else other.size(-1)
    at = -2 if left else -1
    if tau.size(-1) != min(side, input.size(-1)):
        raise RuntimeError(f"torch.ormqr: tau.shape[-1] must be equal to min(other.shape[{at}], input.shape[-1])")
    if other.size(at) < tau.size(-1):
        raise RuntimeError(f"torch.ormqr: other.shape[{at}] must be greater than or equal to tau.shape[-1]")
    if other.size(at) != input.size(-2):
        raise RuntimeError(f"torch.ormqr: other.shape[{at}] must be equal to input.shape[-2]")
    _check("ormqr", input, "ormqr_cpu")
    for name, t in (("tau", tau), ("other", other)):
        if t.dtype != input.dtype:
            raise RuntimeError("torch.ormqr: Expected input and " + name + " to have the same dtype, but input has dtype "
                               f"{_scalar_name(input)} and {name} has dtype {_scalar_name(t)}")
    if other.numel() == 0:
        # Then only `other` is in the graph.
        input, tau = input.detach(), tau.detach()
    k = tau.size(-1)
    low = input[..., :k].tril(-1) + _torch.eye(input.size(-2), k, dtype=input.dtype, device=input.device)
    out = other if left else other.mH
    # The adjoint of the product is the product of the adjoint reflections in the other order.
    adjoint = transpose == left
    tau = tau.conj() if adjoint else tau
    for i in range(k) if adjoint else range(k - 1, -1, -1):
        v = low[..., i : i + 1]
        out = out - tau[..., i : i + 1].unsqueeze(-1) * (v @ (v.mH @ out))
    return _node(_columns(out if left else out.mH), "OrmqrBackward0")


def _check_matrix(name, A):
    if A.dim() < 2:
        raise RuntimeError(f"linalg.{name}: The input tensor A must have at least 2 dimensions.")
    if not (A.is_floating_point() or A.is_complex()):
        raise NotImplementedError(f"linalg.{name}: Expected a floating point or complex tensor as input. Got {_scalar_name(A)}")


def polar(A):
    """`A = U H`: U has orthonormal columns, H is symmetric and positive semidefinite."""
    _check_matrix("polar", A)
    m, n = A.shape[-2:]
    if m < n:
        raise RuntimeError("linalg.polar: Expected a tall or square matrix with A.size(-2) >= A.size(-1), but got A with shape "
                           f"{list(A.shape)}")
    left, S, right = linalg.svd(A, full_matrices=False)
    U, H = left @ right, right.mH @ (S.unsqueeze(-1) * right)
    return return_types.linalg_polar((_node(U, "LinalgPolarBackward0"), _node(H, "LinalgPolarBackward0")))


def matrix_sqrth(A):
    """The symmetric root of a symmetric positive matrix, of which the lower triangle is read."""
    _check_matrix("matrix_sqrth", A)
    linalg._check_square("linalg.matrix_sqrth", A)
    linalg._check_float("linalg.matrix_sqrth", A, low=False)
    return _node(_Root.apply(A), "LinalgMatrixSqrthBackward0")


class _Root(Function):
    @staticmethod
    def forward(ctx, A):
        values, vectors = linalg.eigh(A)
        sizes = values.sqrt()
        ctx.save_for_backward(sizes, vectors)
        return vectors @ (sizes.unsqueeze(-1) * vectors.mH)

    @staticmethod
    def backward(ctx, grad):
        # The derivative of `R R = A` is `dR R + R dR = dA`, which is solved where R is diagonal.
        sizes, vectors = ctx.saved_tensors
        inner = vectors.mH @ ((grad + grad.mH) / 2) @ vectors
        return vectors @ (inner / (sizes.unsqueeze(-1) + sizes.unsqueeze(-2))) @ vectors.mH


def svd_lowrank(A, q=6, niter=2, M=None):
    q, niter = 6 if q is None else q, 2 if niter is None else niter
    A = A if M is None else A - M.expand(A.shape)
    wide = A.size(-2) < A.size(-1)
    A = A.mH if wide else A
    dtype = A.dtype if A.is_floating_point() or A.is_complex() else _torch.float32
    Q = linalg.qr(A @ _torch.randn(A.size(-1), q, dtype=dtype, device=A.device))[0]
    for _ in range(niter):
        Q = linalg.qr(A @ linalg.qr(A.mH @ Q)[0])[0]
    U, S, Vh = linalg.svd(Q.mH @ A, full_matrices=False)
    U, V = Q @ U, Vh.mH
    return (V, S, U) if wide else (U, S, V)


def pca_lowrank(A, q=None, center=True, niter=2):
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - A.mean((-2,), keepdim=True) if center else A, q, niter)


for _name in ("cholesky_ex", "householder_product", "inv_ex", "ldl_factor", "ldl_factor_ex", "ldl_solve", "lu_factor", "lu_factor_ex", "matrix_sqrth", "polar", "solve_ex", "solve_triangular",
              "tensorinv", "tensorsolve"):
    globals()[_name] = _torch._with_out("linalg_" + _name, globals()[_name])
for _name in ("cholesky_inverse", "cholesky_solve", "geqrf", "lu_solve", "ormqr", "lu_unpack", "triangular_solve"):
    globals()[_name] = _torch._with_out(_name, globals()[_name])
lstsq = _torch._composed("linalg_lstsq", lstsq)
linalg_lu = _torch._with_out("linalg_lu", linalg_lu)
linalg_lu_solve = _torch._with_out("linalg_lu_solve", linalg_lu_solve)
orgqr = _torch._with_out("orgqr", orgqr)
