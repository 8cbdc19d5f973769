# rule: D12
# line: 9
import torch
curve = []
p = torch.tensor([1.0], requires_grad=True)
for i in range(3):
    loss = (p - 3).pow(2).sum()
    loss.backward()
    curve.append(float(loss.numpy()))
print(len(curve))
