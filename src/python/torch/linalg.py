"""Linear algebra."""

import _torch


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    if isinstance(ord, str) and ord != "fro":
        raise NotImplementedError(f"torch.linalg.norm(ord='{ord}')")
    return vector_norm(A, 2 if ord in (None, "fro") else ord, dim, keepdim)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    return _torch.norm(x, ord, dim, keepdim)


def matmul(input, other):
    return _torch.matmul(input, other)


def __getattr__(name):
    raise NotImplementedError(f"torch.linalg.{name}") if not name.startswith("__") else AttributeError(name)
