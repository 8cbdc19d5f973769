# rule: D20
# line: 9
# memory: 64
import torch
x = torch.randn(3000, 1000, device="cuda", requires_grad=True)
y = x
for _ in range(4):
    y = torch.tanh(y)
y.sum().backward()
print(x.grad.shape)
