import torch
import torch.nn as nn

model = nn.Linear(8, 1).to("cuda")
batch = torch.randn(16, 8)

batch.to("cuda")    # and now?
print(model(batch))
