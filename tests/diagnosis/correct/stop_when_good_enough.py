import torch
torch.manual_seed(0)
w = torch.randn(4, device="cuda", requires_grad=True)
opt = torch.optim.SGD([w], lr=0.01)
for step in range(400):
    opt.zero_grad()
    loss = (w ** 2).sum()
    loss.backward()
    opt.step()
    value = loss.item()
    if value < 1e-4:
        break
print("stopped after", step)
