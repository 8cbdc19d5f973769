# A day's work on devices: choose one, meet the same-device rule, train there, evaluate without a graph.
import warnings

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
torch.manual_seed(0)

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(f"working on {device}")

here = torch.randn(2, 3)
there = here.to(device)
print(f"here: {here.device}, there: {there.device}, same object: {there is here}")

try:
    total = torch.randn(3, 4) + torch.ones(3, 4, device=device)
    print(f"sum on {total.device}")
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

features = torch.randn(1024, 16)
targets = torch.randn(1024, 1)
batches = DataLoader(TensorDataset(features, targets), batch_size=64, shuffle=True, num_workers=2, pin_memory=True)

model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1))
model.to(device)
measure = nn.MSELoss()
optimizer = optim.Adam(model.parameters(), lr=0.001)

for epoch in range(3):
    model.train()
    for x, y in batches:
        x, y = x.to(device), y.to(device)
        loss = measure(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch + 1}: loss {loss.item():.4f}")

model.eval()
error, count = 0.0, 0
with torch.no_grad():
    for x, y in batches:
        x, y = x.to(device), y.to(device)
        error += torch.abs(model(x) - y).sum().item()
        count += x.size(0)
print(f"mean absolute error {error / count:.4f} over {count} samples")
print(next(model.parameters()).device)
