# The training loop of tests/programs/training_day.py, timed by itself: the same file runs under PyTorch and here.
# Prints the median microseconds a step over repeated epochs, with and without the DataLoader.
import time
import warnings

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

features = torch.randn(1024, 16)
targets = torch.randn(1024, 1)
# Workers would time process start-up, not training.
batches = DataLoader(TensorDataset(features, targets), batch_size=64, shuffle=True, num_workers=0)
model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
measure = nn.MSELoss()
optimizer = optim.Adam(model.parameters(), lr=0.001)


def step(x, y):
    loss = measure(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def with_loader():
    count = 0
    for x, y in batches:
        loss = step(x.to(device), y.to(device))
        count += 1
    loss.item()
    return count


x, y = features[:64].to(device), targets[:64].to(device)


def without_loader():
    for _ in range(16):
        loss = step(x, y)
    loss.item()
    return 16


for name, epoch in (("loader", with_loader), ("plain", without_loader)):
    for _ in range(5):
        epoch()
    times = []
    for _ in range(40):
        begin = time.perf_counter()
        count = epoch()
        times.append((time.perf_counter() - begin) / count * 1e6)
    times.sort()
    print(f"{name} {times[len(times) // 2]:.1f}")
