import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(8, 8), nn.Linear(8, 1)]   # a list that nn.Module does not see

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


model = Net().to("cuda")
print(len(list(model.parameters())), "parameters")
print(model(torch.randn(4, 8, device="cuda")))
