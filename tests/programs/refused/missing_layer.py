from torch import nn

model = nn.Sequential(nn.Linear(2, 3), nn.NoSuchLayer(3))
