import torch
import torch.nn as nn

# Choose another machine above and run again: the program stays the same.
if torch.cuda.is_available():
    device = torch.device("cuda")
elif torch.backends.mps.is_available():
    device = torch.device("mps")
else:
    device = torch.device("cpu")

model = nn.Linear(8, 2).to(device)
batch = torch.randn(4, 8, device=device)

print("runs on", device)
print(model(batch).shape)
