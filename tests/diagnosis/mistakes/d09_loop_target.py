# rule: D09
# line: 13
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
device = "cuda"
loader = DataLoader(TensorDataset(torch.randn(12, 2), torch.randint(0, 2, (12,))), batch_size=4)
net = nn.Linear(2, 2).to(device)
lossf = nn.CrossEntropyLoss()
for images, targets in loader:
    images = images.to(device)
    output = net(images)
    loss = lossf(output, targets)
    loss.backward()
print("done")
