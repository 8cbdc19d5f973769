"""torchinfo: tables of models, exactly as torchinfo prints them."""

import torch
from torch import nn
from torchinfo import summary


class TinyVGG(nn.Module):
    def __init__(self, hidden=10, classes=3):
        super().__init__()
        self.block_1 = nn.Sequential(nn.Conv2d(3, hidden, 3), nn.ReLU(), nn.Conv2d(hidden, hidden, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.block_2 = nn.Sequential(nn.Conv2d(hidden, hidden, 3), nn.BatchNorm2d(hidden), nn.ReLU(), nn.MaxPool2d(2))
        self.classifier = nn.Sequential(nn.Flatten(), nn.Linear(hidden * 14 * 14, classes))

    def forward(self, x):
        return self.classifier(self.block_2(self.block_1(x)))


class Patches(nn.Module):
    """Parameters of its own, a list of blocks, and a layer that's used twice."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Conv2d(3, 8, 4, stride=4, bias=False)
        self.token = nn.Parameter(torch.zeros(1, 1, 8))
        self.position = nn.Parameter(torch.zeros(1, 17, 8))
        self.blocks = nn.ModuleList([nn.TransformerEncoderLayer(8, 2, 16, batch_first=True) for _ in range(2)])
        self.norm = nn.LayerNorm(8)
        self.head = nn.Linear(8, 5)
        self.unused = nn.Linear(4, 4)

    def forward(self, x):
        x = self.embed(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(len(x), -1, -1), x], 1) + self.position
        for block in self.blocks:
            x = self.norm(block(x))
        return self.head(x[:, 0])


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(100, 16)
        self.lstm = nn.LSTM(16, 32, num_layers=2, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(32, 100)

    def forward(self, ids):
        return self.out(self.drop(self.lstm(self.table(ids))[0]))


mlp = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
summary(mlp)
summary(mlp, input_size=(32, 1, 28, 28))
torch.manual_seed(0)
summary(TinyVGG(), input_size=(1, 3, 64, 64))
summary(TinyVGG(), (4, 3, 64, 64), col_names=["input_size", "output_size", "num_params", "kernel_size", "mult_adds", "trainable"],
        col_width=20, row_settings=["var_names"])
summary(TinyVGG(), input_size=(1, 3, 64, 64), depth=1)
summary(TinyVGG())
summary(Patches(), input_size=(2, 3, 16, 16))
summary(Patches(), input_size=(2, 3, 16, 16), depth=2, row_settings=["var_names", "depth"])
summary(Words(), input_data=torch.zeros(4, 12, dtype=torch.long))
summary(Words(), input_size=(4, 12), dtypes=[torch.long], col_names=("output_size", "num_params", "params_percent"))
frozen = TinyVGG()
for parameter in frozen.block_1.parameters():
    parameter.requires_grad = False
summary(frozen, (1, 3, 64, 64), col_names=["output_size", "num_params", "trainable"], row_settings=["ascii_only"])
found = summary(nn.Linear(3, 4), (2, 3), verbose=0)
print(found.total_params, found.trainable_params, found.total_mult_adds, found.total_input, found.total_output_bytes, found.total_param_bytes)
print(str(found))
print(summary(nn.Sequential(), verbose=0))
