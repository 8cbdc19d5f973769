# rule: D13
# line: 5
import torch
device = "cuda"
noise = torch.zeros(1, 3, 2, 2, requires_grad=True).to(device, dtype=torch.float32)
for step in range(2):
    loss = (noise - 1).pow(2).sum()
    loss.backward()
    grad = noise.grad
    if grad is None:
        print("nothing")
