"""PyTorch's own parametrizations, as in torch.nn.utils.parametrizations."""

import math
from enum import Enum, auto

import _torch
import torch
from torch import Tensor

from .. import functional as F
from ..modules.module import Module
from . import parametrize

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def _is_orthogonal(q):
    n, k = q.size(-2), q.size(-1)
    identity = torch.eye(k, dtype=q.dtype, device=q.device)
    return torch.allclose(q.mT @ q, identity, atol=10.0 * n * torch.finfo(q.dtype).eps)


def _factored(a):
    """Householder vectors below the diagonal, R above it, and the factors `tau`: the form of LAPACK's geqrf."""
    a = a.clone()
    taus = []
    for i in range(a.size(-1)):
        column = a[..., i:, i]
        head, tail = column[..., :1], column[..., 1:]
        rest = tail.norm(dim=-1, keepdim=True)
        beta = -torch.where(head < 0, -1.0, 1.0) * torch.hypot(head, rest)
        done = rest == 0
        beta = torch.where(done, head, beta)
        tau = torch.where(done, torch.zeros_like(head), (beta - head) / torch.where(done, torch.ones_like(beta), beta))
        below = tail / torch.where(done, torch.ones_like(head), head - beta)
        v = torch.cat([torch.ones_like(head), below], -1)
        later = a[..., i:, i + 1:]
        later.sub_((tau * v).unsqueeze(-1) * (v.unsqueeze(-2) @ later))
        a[..., i:, i] = torch.cat([beta, below], -1)
        taus.append(tau)
    return a, torch.cat(taus, -1)


def _householder_product(a, tau):
    """The product of the reflections whose vectors are the columns of `a` below the diagonal."""
    n, k = a.size(-2), a.size(-1)
    q = torch.eye(n, k, dtype=a.dtype, device=a.device).expand(a.shape)
    vectors = a.tril(-1) + torch.eye(n, k, dtype=a.dtype, device=a.device)
    for i in reversed(range(k)):
        v = vectors[..., i]
        q = q - (tau[..., i, None] * v).unsqueeze(-1) * (v.unsqueeze(-2) @ q)
    return q


def _matrix_exp(a):
    """The Taylor series of the matrix, which is halved until it's small; the result is squared as often."""
    norm = a.detach().abs().sum(-2).max().item() if a.numel() else 0.0
    halvings = max(0, math.ceil(math.log2(norm)) + 2) if norm > 0 else 0
    a = a / 2**halvings
    identity = torch.eye(a.size(-1), dtype=a.dtype, device=a.device)
    total = identity + a
    term = a
    for i in range(2, 19):
        term = term @ a / i
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return _torch._under_node(total, "LinalgMatrixExpBackward0")


def _make_orthogonal(a):
    """The Q of a QR decomposition whose R has a positive diagonal."""
    packed, tau = _factored(a)
    return _householder_product(packed, tau) * packed.diagonal(dim1=-2, dim2=-1).sign().unsqueeze(-2)


class _OrthMaps(Enum):
    matrix_exp = auto()
    cayley = auto()
    householder = auto()


class _Orthogonal(Module):
    def __init__(self, weight, orthogonal_map, *, use_trivialization=True):
        super().__init__()
        if weight.is_complex() and orthogonal_map == _OrthMaps.householder:
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            # The map starts from this matrix, so that training starts near 0.
            self.register_buffer("base", None)

    def forward(self, X):
        n, k = X.size(-2), X.size(-1)
        wide = n < k
        if wide:
            X, n, k = X.mT, k, n
        if self.orthogonal_map == _OrthMaps.householder:
            below = X.tril(diagonal=-1)
            tau = 2.0 / (1.0 + (below * below).sum(dim=-2))
            Q = _householder_product(below, tau) * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        else:
            X = X.tril()
            if n != k:
                X = torch.cat([X, X.new_zeros(n, n - k).expand(*X.shape[:-2], -1, -1)], dim=-1)
            skew = X - X.mH
            if self.orthogonal_map == _OrthMaps.matrix_exp:
                Q = _matrix_exp(skew)
            else:
                identity = torch.eye(n, dtype=skew.dtype, device=skew.device)
                Q = torch.linalg.solve(torch.add(identity, skew, alpha=-0.5), torch.add(identity, skew, alpha=0.5))
            if n != k:
                Q = Q[..., :k]
        if hasattr(self, "base"):
            Q = self.base @ Q
        return Q.mT if wide else Q

    def right_inverse(self, Q):
        with torch.no_grad():
            if Q.shape != self.shape:
                raise ValueError(f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape "
                                 f"{Q.shape}.")
            given = Q
            wide = Q.size(-2) < Q.size(-1)
            if wide:
                Q = Q.mT
            n, k = Q.size(-2), Q.size(-1)
            if not hasattr(self, "base"):
                if self.orthogonal_map != _OrthMaps.householder:
                    raise NotImplementedError("It is not possible to assign to the matrix exponential or the Cayley "
                                              "parametrizations when use_trivialization=False.")
                packed, tau = _factored(Q)
                diagonal = packed.diagonal(dim1=-2, dim2=-1)
                diagonal.sign_()
                diagonal[tau == 0.0] *= -1
                return packed.mT if wide else packed
            if n != k:
                Q = torch.cat([Q, torch.randn(*(Q.size()[:-2] + (n, n - k)), dtype=Q.dtype, device=Q.device)], dim=-1)
                Q = _make_orthogonal(Q)
            else:
                Q = Q.clone() if _is_orthogonal(Q) else _make_orthogonal(Q)
            self.base = Q
            start = torch.zeros_like(given)
            start.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
            return start


def _tensor_of(module, name):
    tensor = getattr(module, name, None)
    if not isinstance(tensor, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return tensor


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    """Keeps the rows or columns of a matrix orthonormal while it is trained."""
    weight = _tensor_of(module, name)
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1) or weight.is_complex()
        orthogonal_map = "matrix_exp" if square else "householder"
    kind = getattr(_OrthMaps, orthogonal_map, None)
    if kind is None:
        raise ValueError('orthogonal_map has to be one of "matrix_exp", "cayley", "householder". '
                         f"Got: {orthogonal_map}")
    made = _Orthogonal(weight, kind, use_trivialization=use_trivialization)
    parametrize.register_parametrization(module, name, made, unsafe=True)
    return module


def norm_except_dim(v, dim):
    """The norm of every slice along `dim`, with all dimensions kept; for -1, of the entire tensor."""
    if dim == -1:
        return v.norm(2)
    return v.norm(2, [d for d in range(v.dim()) if d != dim], keepdim=True)


def weight_from(v, g, dim):
    """The direction of `v` with the length `g`."""
    weight = v * (g / norm_except_dim(v, dim))
    # PyTorch has an operator for the first and the last dimension.
    return _torch._under_node(weight, "WeightNormInterfaceBackward0") if dim in (0, v.dim() - 1) else weight


class _WeightNorm(Module):
    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return weight_from(weight_v, weight_g, self.dim)

    def right_inverse(self, weight):
        return norm_except_dim(weight, self.dim), weight


def weight_norm(module, name="weight", dim=0):
    """A weight split into direction and length (Salimans and Kingma, 2016)."""
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def accept_old_names(state_dict, prefix, *_):
        old = [f"{prefix}{name}_g", f"{prefix}{name}_v"]
        if all(key in state_dict for key in old):
            for i, key in enumerate(old):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(accept_old_names)
    return module


class _SpectralNorm(Module):
    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        ndim = weight.ndim
        if dim >= ndim or dim < -ndim:
            raise IndexError(f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})")
        if n_power_iterations <= 0:
            raise ValueError("Expected n_power_iterations to be positive, but got n_power_iterations="
                             f"{n_power_iterations}")
        self.dim = dim if dim >= 0 else dim + ndim
        self.eps = eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._matrix(weight)
            for name, size in zip(("_u", "_v"), matrix.size()):
                self.register_buffer(name, matrix.new_empty(size).normal_(0, 1))
            self._u, self._v = (F.normalize(t, dim=0, eps=eps) for t in (self._u, self._v))
            self._power_method(matrix, 15)

    def _matrix(self, weight):
        if self.dim != 0:
            weight = weight.permute(self.dim, *(d for d in range(weight.dim()) if d != self.dim))
        return weight.flatten(1)

    def _power_method(self, matrix, times):
        with torch.no_grad():
            for _ in range(times):
                self._u.copy_(F.normalize(torch.mv(matrix, self._v), dim=0, eps=self.eps))
                self._v.copy_(F.normalize(torch.mv(matrix.mT, self._u), dim=0, eps=self.eps))

    def forward(self, weight):
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        # Copies: the next call changes the buffers, which the backward pass may still need.
        u, v = self._u.clone(), self._v.clone()
        return weight / torch.vdot(u, torch.mv(matrix, v))

    def right_inverse(self, value):
        return value


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Divides a weight by its largest singular value (Miyato et al., 2018)."""
    weight = _tensor_of(module, name)
    if dim is None:
        dim = 1 if getattr(module, "_transposed", False) else 0
    parametrize.register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))
    return module
