# rule: D12
# line: 7
import torch
from torch import nn
model = nn.Linear(3, 2).to("cuda")
out = model(torch.ones(1, 3, device="cuda"))
array = out.cpu().numpy()
print(array.shape)
