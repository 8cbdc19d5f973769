"""Comparing tensors."""

import math

import _torch
from _torch import Tensor

_TOLERANCE = {_torch.float16: (1e-3, 1e-5), _torch.bfloat16: (1.6e-2, 1e-5), _torch.float32: (1.3e-6, 1e-5),
              _torch.float64: (1e-7, 1e-7)}


def assert_close(actual, expected, *, rtol=None, atol=None, equal_nan=False, check_device=True, check_dtype=True, msg=None):
    """Raises unless two tensors, numbers or sequences of these are equal up to a tolerance."""
    if isinstance(actual, (list, tuple)):
        if len(actual) != len(expected):
            raise AssertionError(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}")
        for a, e in zip(actual, expected):
            assert_close(a, e, rtol=rtol, atol=atol, equal_nan=equal_nan, check_device=check_device,
                         check_dtype=check_dtype, msg=msg)
        return
    if not isinstance(actual, Tensor):
        actual, expected = _torch.tensor(actual, dtype=_torch.float64), _torch.tensor(expected, dtype=_torch.float64)
    if actual.shape != expected.shape:
        raise AssertionError(f"The values for attribute 'shape' do not match: {actual.shape} != {expected.shape}.")
    if check_device and actual.device != expected.device:
        raise AssertionError(f"The values for attribute 'device' do not match: {actual.device} != {expected.device}.")
    if check_dtype and actual.dtype != expected.dtype:
        raise AssertionError(f"The values for attribute 'dtype' do not match: {actual.dtype} != {expected.dtype}.")
    relative, absolute = _TOLERANCE.get(actual.dtype, (0.0, 0.0))
    relative = relative if rtol is None else rtol
    absolute = absolute if atol is None else atol
    near = _torch.isclose(actual, expected.to(actual.device, actual.dtype), relative, absolute, equal_nan)
    wrong = int((~near).sum())
    if wrong:
        raise AssertionError(msg or f"Tensor-likes are not close!\n\nMismatched elements: {wrong} / {actual.numel()} "
                             f"({100 * wrong / actual.numel():.1f}%)")
