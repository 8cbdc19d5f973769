# rule: D02
# line: 14
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
device = "cuda"
ds = TensorDataset(torch.randn(32, 6), torch.randint(0, 4, (32,)))
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 4))
model.to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for features, labels in DataLoader(ds, batch_size=8):
    optimizer.zero_grad()
    logits = model(features)
    criterion(logits, labels).backward()
    optimizer.step()
print("trained")
