"""Functions that several distributions use."""

from numbers import Number

import torch

euler_constant = 0.57721566490153286060  # Euler-Mascheroni


def broadcast_all(*values):
    """Numbers and tensors, broadcast to tensors of one shape. A number gets the dtype and device of the first tensor.
    """
    if not all(isinstance(v, (torch.Tensor, Number)) for v in values):
        raise ValueError("Input arguments must all be instances of Number, torch.Tensor or objects implementing "
                         "__torch_function__.")
    first = next((v for v in values if isinstance(v, torch.Tensor)), None)
    options = {"dtype": torch.get_default_dtype()} if first is None else {"dtype": first.dtype, "device": first.device}
    return torch.broadcast_tensors(*(v if isinstance(v, torch.Tensor) else torch.tensor(v, **options) for v in values))


def all_numbers(*originals):
    """Whether none of them is a tensor: `Normal(0, 1)` has no batch."""
    return all(isinstance(v, Number) for v in originals)


def _standard_normal(shape, dtype, device):
    # Not `torch.normal`, which reads its deviations: a GPU's program would wait for that.
    return torch.empty(shape, dtype=dtype, device=device).normal_()


def _sum_rightmost(value, dim):
    """The sum over the last `dim` dimensions."""
    return value if dim == 0 else value.reshape(value.shape[:-dim] + (-1,)).sum(-1)


def logits_to_probs(logits, is_binary=False):
    return torch.sigmoid(logits) if is_binary else torch.softmax(logits, dim=-1)


def clamp_probs(probs):
    """Moves probabilities away from 0 and 1, whose logits are infinite."""
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs, is_binary=False):
    clamped = clamp_probs(probs)
    return torch.log(clamped) - torch.log1p(-clamped) if is_binary else torch.log(clamped)


class lazy_property:
    """A property that is computed once, when it's first read."""

    def __init__(self, wrapped):
        self.wrapped = wrapped
        self.__doc__ = wrapped.__doc__
        self.__name__ = wrapped.__name__

    def __get__(self, instance, kind=None):
        if instance is None:
            return self
        with torch.enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


def tril_matrix_to_vec(mat, diag=0):
    n = mat.shape[-1]
    if diag < -n or diag >= n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    rows = torch.arange(n, device=mat.device)
    return mat[..., rows < rows.view(n, 1) + (diag + 1)]


def vec_to_tril_matrix(vec, diag=0):
    n = (-(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    eps = torch.finfo(vec.dtype).eps
    if not (round(n) - n <= eps):
        raise ValueError(f"The size of last dimension is {vec.shape[-1]} which cannot be expressed as the lower triangular "
                         "part of a square D x D matrix.")
    n = round(n)
    matrix = vec.new_zeros(vec.shape[:-1] + (n, n))
    rows = torch.arange(n, device=vec.device)
    matrix[..., rows < rows.view(n, 1) + (diag + 1)] = vec
    return matrix
