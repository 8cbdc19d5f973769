# machine: cpu
import torch
from torch import nn
device = "cuda" if torch.cuda.is_available() else "cpu"
m = nn.Linear(2, 1).to(device)
print(m(torch.ones(1, 2, device=device)).device)
