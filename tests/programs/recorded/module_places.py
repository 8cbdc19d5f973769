# Names under the files where PyTorch has them.
import torch
from torch import nn
from torch.autograd.function import Function, InplaceFunction
from torch.nn.modules.dropout import _DropoutNd
from torch.nn.modules.module import _addindent
from torch.nn.modules.pooling import _MaxPoolNd
from torch.nn.modules.transformer import _get_activation_fn, _get_clones
from torch.nn.modules.utils import _ntuple, _pair, _quadruple, _reverse_repeat_tuple, _single, _triple, consume_prefix_in_state_dict_if_present
from torch.nn.utils.clip_grad import clip_grad_norm_, clip_grad_value_
from torch.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters
from torch.nn.utils.fusion import fuse_conv_bn_eval
from torch.optim.adamw import AdamW
from torch.types import Device, Number
from torch.utils.hooks import RemovableHandle
from torch.utils.model_zoo import load_url

print(_single(2), _pair(3), _triple((1, 2, 3)), _quadruple(0), _ntuple(5)(1), _pair([4, 5]), _reverse_repeat_tuple((1, 2), 2), _pair.__name__)
state = {"module.a": 1, "b": 2}
consume_prefix_in_state_dict_if_present(state, "module.")
print(state)
print(isinstance(nn.Dropout(), _DropoutNd), isinstance(nn.MaxPool2d(2), _MaxPoolNd), issubclass(InplaceFunction, Function))
print(_addindent("a\nb", 2), _get_activation_fn("relu") is nn.functional.relu, len(_get_clones(nn.Linear(1, 1), 3)))
p = nn.Parameter(torch.ones(2))
p.sum().backward()
print(clip_grad_norm_([p], 1.0), parameters_to_vector([p]), AdamW is torch.optim.AdamW)
h = nn.Linear(1, 1).register_forward_hook(lambda *a: None)
print(isinstance(h, RemovableHandle), 1 == 1.0 and isinstance(1, Number), callable(load_url))
torch.manual_seed(0)
c, b = nn.Conv2d(1, 2, 2).eval(), nn.BatchNorm2d(2).eval()
print(torch.allclose(fuse_conv_bn_eval(c, b)(torch.ones(1, 1, 3, 3)), b(c(torch.ones(1, 1, 3, 3))), atol=1e-6))

x = torch.tensor([-3.0, 0.12, 0.26, 1.0], requires_grad=True)
q = torch.fake_quantize_per_tensor_affine(x, 0.1, 0, -8, 7)
print(q)
q.sum().backward()
print(x.grad)
print(torch.fake_quantize_per_tensor_affine(torch.tensor([0.05, 0.15, 2.0]), 0.1, 3, 0, 15))
print(torch.fake_quantize_per_channel_affine(torch.tensor([[0.12, 1.0], [0.12, 1.0]]), torch.tensor([0.1, 0.5]), torch.tensor([0, 1], dtype=torch.int32), 0, 0, 7))
