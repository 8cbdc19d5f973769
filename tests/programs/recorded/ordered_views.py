# The views of an ordered dictionary, which programs print to see a model's names.
from collections import OrderedDict

import torch
from torch import nn

model = nn.Sequential(OrderedDict(hidden=nn.Linear(2, 3), act=nn.ReLU(), out=nn.Linear(3, 1, bias=False)))
print(model.state_dict().keys())
print(OrderedDict(a=1, b="two").items(), OrderedDict(a=1.5, b=None).values(), OrderedDict().keys())
print(repr(OrderedDict(a=1).keys()), f"{OrderedDict(a=1).values()}", str(OrderedDict(a=1).items()))
around = OrderedDict()
around["itself"] = around.values()
print(around.values())
print(OrderedDict(a=torch.zeros(2)).values())
