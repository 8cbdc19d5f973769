"""How PyTorch's version compares, and modules under the names of PyTorch's files. PyTorch 2.15 recorded
`version_and_modules.txt` from this file."""

import warnings

import torch
import torch.functional
import torch.nn.functional as F
import torch.nn.grad
from torch import nn
from torch.amp.autocast_mode import autocast
from torch.amp.grad_scaler import GradScaler
from torch.functional import norm
from torch.torch_version import TorchVersion

print(type(torch.__version__), isinstance(torch.__version__, str))
for other in ("1.9", "2.2", "2.15.1", "3.0", "text", (2, 0), (2, 2, 1), (3,)):
    print(other, torch.__version__ > other, torch.__version__ <= other, torch.__version__ == other, torch.__version__ != other)
try:
    print(torch.__version__ > 2)
except TypeError as e:
    print(e)
versions = [
    "1.0", "1.0.0", "1.0a1", "1.0.0a0", "1.0b2", "1.0rc1", "1.0.post1", "1.0.dev3", "1.0+cu118", "1.0+cpu", "1.10", "1.9", "2", "1!0.5",
    "1.0-1", "1.0.post1.dev2", "v1.0", "1.0a1.dev1", "abc", "1.0+1.2", "1.0+1.10", "",
]
for one in versions:
    print(one, [TorchVersion(one) < two for two in versions], [TorchVersion(one) == two for two in versions])
print(hash(TorchVersion("1.0")) == hash("1.0"), sorted(map(TorchVersion, ("1.10", "1.9"))))

print(autocast is torch.autocast, GradScaler is torch.amp.GradScaler, autocast, GradScaler)
print(torch.functional.einsum("i,i", torch.ones(2), torch.ones(2)), norm(torch.ones(4)))
x, w, g = torch.randn(1, 2, 5, 5), torch.randn(3, 2, 3, 3), torch.ones(1, 3, 3, 3)
own = [t.clone().requires_grad_() for t in (x, w)]
F.conv2d(*own).backward(g)
found = nn.grad.conv2d_input(x.shape, w, g), nn.grad.conv2d_weight(x, w.shape, g)
print([torch.allclose(a, b.grad, atol=1e-5) for a, b in zip(found, own)], found[0].requires_grad)
print(nn.grad.conv1d_input((1, 1, 4), torch.ones(1, 1, 2), torch.ones(1, 1, 3)))
print(nn.grad.conv1d_weight(torch.ones(1, 1, 4), (1, 1, 2), torch.ones(1, 1, 2), stride=2))
print(torch.get_num_interop_threads() > 0, torch.utils.dlpack.__name__, torch.utils.hooks.RemovableHandle)

warnings.simplefilter("always")
with warnings.catch_warnings(record=True) as caught:
    with torch.cpu.amp.autocast():
        print(nn.Linear(2, 2)(torch.ones(1, 2)).dtype, torch.is_autocast_cpu_enabled(), torch.get_autocast_cpu_dtype())
    print(torch.cpu.amp.GradScaler(init_scale=2.0).get_scale())
    torch.set_autocast_cpu_enabled(True)
    print(torch.is_autocast_enabled("cpu"), torch.is_autocast_cache_enabled())
    torch.set_autocast_enabled("cpu", False)
    print(torch.autocast_increment_nesting(), torch.autocast_decrement_nesting(), torch.clear_autocast_cache())
for warning in caught:
    print(warning.category.__name__, str(warning.message).split(" (Triggered")[0])
with warnings.catch_warnings(record=True) as caught:
    i, v = torch.LongTensor([[0, 1], [1, 0]]), torch.FloatTensor([3, 4])
    for args in ((i, v, torch.Size([2, 2])), (i, v), (2, 3), (), (i, v.double(), (2, 2)), (torch.Size([2, 2]),)):
        print(torch.sparse.FloatTensor(*args))
    print(torch.sparse.LongTensor(i, v.long(), (2, 2)).to_dense(), torch.sparse.FloatTensor)
print([isinstance(t, torch.sparse.FloatTensor) for t in (torch.eye(2).to_sparse(), torch.eye(2), torch.eye(2).double().to_sparse())])
for warning in caught:
    print(warning.category.__name__, str(warning.message).split(" (Triggered")[0])
