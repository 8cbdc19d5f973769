import torch
import torch.nn as nn

# Choose "Two GPUs" above. One half of the model lives on each.
first = nn.Linear(32, 64).to("cuda:0")
second = nn.Linear(64, 8).to("cuda:1")

x = torch.randn(16, 32, device="cuda:0")
h = torch.relu(first(x))
y = second(h.to("cuda:1"))        # the activations cross NVLink

print(h.device, y.device)
loss = y.square().mean()
loss.backward()                   # and the gradients cross it back
print(first.weight.grad.device, second.weight.grad.device)
