import torch
from torch import nn
model = nn.Linear(2, 2).cuda()
probe = torch.ones(1, 2, device="cuda")
print(model(probe).cpu().detach().shape)
exported = model.to("cpu")
print(exported(torch.ones(1, 2)).shape)
