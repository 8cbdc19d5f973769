# torch.poisson with the CPU generator's stream, and small modules that programs import.
import warnings

import torch
from torch.overrides import handle_torch_function, has_torch_function, is_tensor_like
from torch.nn.utils import convert_conv2d_weight_memory_format, stateless
import torch.__config__
import torch.hub

torch.manual_seed(0)
rates = [0., .5, 3., 9.9, 10., 40., 1e4]
for dtype in torch.float32, torch.float64, torch.float16, torch.bfloat16:
    print(torch.poisson(torch.tensor(rates, dtype=dtype)).tolist())
print(torch.poisson(torch.ones(5) * 4, generator=torch.Generator().manual_seed(3)), torch.rand(2))
x = torch.ones(3, requires_grad=True)
torch.poisson(x).sum().backward()
print(x.grad)
for bad in torch.tensor([-1.]), torch.tensor([float("nan")]), torch.tensor([1]), torch.tensor([1j]), torch.tensor(True), 3:
    try:
        print(torch.poisson(bad))
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__, error)


class Mine:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func.__name__, [t.__name__ for t in types]


def twice(a):
    return handle_torch_function(twice, (a,), a) if has_torch_function((a,)) else a * 2


print(twice(Mine()), twice(torch.ones(2)), [is_tensor_like(v) for v in (torch.ones(1), Mine(), 1, [torch.ones(1)])])
model = torch.nn.Sequential(torch.nn.Conv2d(2, 3, 2), torch.nn.Linear(2, 2))
print(convert_conv2d_weight_memory_format(model, torch.channels_last) is model, model[0].weight.stride())
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    print(stateless.functional_call(model[1], {"weight": torch.zeros(2, 2), "bias": torch.ones(2)}, torch.ones(1, 2)))
print(said[0].category.__name__, said[0].message)
print(type(torch.__config__.show()).__name__, type(torch.__config__.parallel_info()).__name__)
