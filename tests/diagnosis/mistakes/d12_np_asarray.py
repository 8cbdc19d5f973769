# rule: D12
# line: 7
import numpy as np
import torch
x = torch.linspace(0, 1, 4, requires_grad=True)
y = torch.sin(x)
print(np.asarray(y).shape)
