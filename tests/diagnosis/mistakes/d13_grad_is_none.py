# rule: D13
# line: 4
import torch
w = torch.randn(3, requires_grad=True).to("cuda")
loss = (w ** 2).sum()
loss.backward()
print(w.grad)
