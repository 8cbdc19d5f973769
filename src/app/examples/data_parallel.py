import torch
import torch.nn as nn

# Choose "Two GPUs" above. The batch is split, the model is copied, the results are gathered.
model = nn.DataParallel(nn.Linear(32, 8).to("cuda:0"))
x = torch.randn(16, 32, device="cuda:0")

y = model(x)
print(y.device, y.shape)
