import copy
import torch
from torch import nn
model = nn.Linear(3, 3).cuda()
frozen = copy.deepcopy(model).cpu()
x = torch.randn(2, 3)
print(torch.allclose(frozen(x), model(x.cuda()).cpu(), atol=1e-5))
