# rule: D13
# line: 4
import torch
theta = torch.zeros(2, requires_grad=True).cuda()
opt = torch.optim.SGD([theta], lr=0.1)
loss = (theta - 1).pow(2).sum()
loss.backward()
opt.step()
print(theta.tolist())
