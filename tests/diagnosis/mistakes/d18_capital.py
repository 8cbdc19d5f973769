# rule: D18
# line: 4
import torch
DEVICE = "GPU"
weights = torch.randn(4)
weights = weights.to(DEVICE)
print(weights.shape)
