"""torchinfo: written after the implementation."""

import torch
from torch import nn
from torchinfo import summary


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(4, 4)
        self.stages = nn.ModuleDict({"a": nn.Sequential(nn.Linear(4, 4), nn.Tanh()), "b": nn.Sequential(self.one, nn.Tanh())})
        self.register_buffer("scale", torch.ones(4))

    def forward(self, x, twice=False):
        x = self.stages["a"](x) * self.scale
        x = self.one(x)
        return {"out": self.stages["b"](x) if twice else x, "more": x}


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(3, 8), nn.Linear(5, 8)
        self.mix = nn.Bilinear(8, 8, 2)

    def forward(self, a, b):
        return self.mix(self.left(a), self.right(b))


class Unet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([nn.Conv2d(1, 4, 3, padding=1), nn.Conv2d(4, 8, 3, stride=2, padding=1)])
        self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.norm = nn.GroupNorm(2, 4)
        self.out = nn.Conv2d(8, 1, 1)

    def forward(self, x):
        skip = torch.relu(self.down[0](x))
        x = self.norm(self.up(torch.relu(self.down[1](skip))))
        return self.out(torch.cat([skip, x], 1))


summary(Shared(), input_size=(2, 4))
summary(Shared(), input_size=(2, 4), twice=True, row_settings=["var_names", "depth"], col_names=["input_size", "output_size", "num_params"])
summary(Shared(), input_size=(2, 4), twice=True, row_settings=["hide_recursive_layers"])
summary(Pair(), input_size=[(2, 3), (2, 5)])
summary(Pair(), input_data=[torch.zeros(1, 3), torch.zeros(1, 5)], col_names=["mult_adds", "trainable", "params_percent"], col_width=16)
summary(Pair(), input_data={"a": torch.zeros(1, 3), "b": torch.zeros(1, 5)})
summary(Unet(), input_size=(1, 28, 28), batch_dim=0)
summary(Unet(), input_size=(8, 1, 28, 28), verbose=2, col_names=["kernel_size", "output_size", "num_params", "mult_adds"], col_width=18)
summary(nn.GRU(5, 6, bidirectional=True), (7, 3, 5))
summary(nn.Transformer(16, 2, 1, 1, 32), [(5, 2, 16), (4, 2, 16)], depth=3)
summary(nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 2), (3, 1, 8), depth=4)
summary(nn.Sequential(nn.Linear(1000, 1000), nn.Linear(1000, 1000)), (5000, 1000), depth=0)
summary(nn.Sequential(nn.Conv1d(1, 2, 3), nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.LazyLinear(3)), (2, 1, 10))
model = nn.Sequential(nn.Linear(2, 2), nn.Dropout())
model.train()
found = summary(model, (1, 2), verbose=0, mode="train")
print(model.training, [i.class_name for i in found.summary_list], found.summary_list, found.formatting.col_width)
print(found.total_params, found.trainable_params, found.total_param_bytes, found.total_output_bytes, found.total_mult_adds)
for call in (lambda: summary(model, 5), lambda: summary(model, (1, -2)), lambda: summary(model, (1, 2), col_names=["size"]),
             lambda: summary(model, col_names=["output_size"]), lambda: summary(model, (1, 2), input_data=torch.zeros(1, 2)),
             lambda: summary(model, (1, 3)), lambda: summary(model, (1, 2), verbose=5), lambda: summary(model, (1, 2), row_settings=["name"])):
    try:
        call()
    except Exception as error:
        print(type(error).__name__, str(error)[:160])
