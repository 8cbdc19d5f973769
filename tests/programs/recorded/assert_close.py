# The texts of torch.testing.assert_close, and make_tensor.
import warnings

import torch
from torch.testing import assert_close, make_tensor

T = torch.tensor
nan = float("nan")
for actual, expected, options in [
        (T([1.0, 2.0]), T([1.0, 2.1]), {}), (T(1.0), T(2.0), {}), (T([1, 2]), T([1, 3]), {}), (T([1.0]), T([1.0], dtype=torch.double), {}),
        (T([1.0]), T([1.0, 2.0]), {}), (1, 2, {}), (1.0, 1.0 + 1e-9, {}), (1, 1.0, {}), ([1, 2], [1, 3], {}),
        ([T([1.0])], [T([2.0])], {}), ({"a": 1}, {"a": 2}, {}), ({"a": 1}, {"b": 2}, {}), ([1], [1, 2], {}), ("a", "b", {}),
        (T([nan]), T([nan]), {}), (T([nan]), T([nan]), {"equal_nan": True}), (T([1.0]), T([2.0]), {"msg": "mine"}),
        (T([1.0]), T([2.0]), {"msg": lambda text: "Mine: " + text}), (T([1.0]), T([1.05]), {"rtol": 0.1, "atol": 0.0}),
        (T([1.0]), T([2.0]), {"rtol": 0.1}), (T([True]), T([False]), {}), (None, T([1.0]), {}), (None, None, {}),
        (T([[1.0, 2.0], [3.0, 4.0]]), T([[1.0, 2.0], [3.0, 5.0]]), {}),
        (T([[1.0, 2.0], [3.0, 4.0]]).T, T([[1.0, 3.0], [2.0, 4.0]]), {"check_stride": True}), (T([1 + 2j]), T([1 + 3j]), {}), (1, T(1), {}),
        (T([]), T([]), {}), (True, False, {}), (1 + 1j, 1 + 2j, {}), (T([1], dtype=torch.int32), T([1]), {"check_dtype": False}),
        (torch.eye(2).to_sparse(), (torch.eye(2) * 2).to_sparse(), {}), (T([1.0]), torch.nn.Parameter(T([1.0])), {"allow_subclasses": False})]:
    try:
        assert_close(actual, expected, **options)
        print("close")
    except Exception as e:
        print(type(e).__name__, e)
torch.manual_seed(0)
print(make_tensor((2, 3), dtype=torch.float32, device="cpu"), make_tensor(3, dtype=torch.int64, device="cpu", low=0, high=5))
print(make_tensor(4, dtype=torch.bool, device="cpu"), make_tensor((2,), dtype=torch.float64, device="cpu", requires_grad=True))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    torch.testing.assert_allclose(T([1.0]), T([1.00001]))
print(caught[0].category.__name__, caught[0].message)
