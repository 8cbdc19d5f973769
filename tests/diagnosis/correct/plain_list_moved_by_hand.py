import torch
import torch.nn as nn
layers = [nn.Linear(4, 4) for _ in range(2)]
for layer in layers:
    layer.to("cuda")
x = torch.randn(3, 4).cuda()
for layer in layers:
    x = layer(x)
print(x.device)
