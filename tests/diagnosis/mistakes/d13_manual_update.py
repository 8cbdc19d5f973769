# rule: D13
# line: 5
import torch
device = torch.device("cuda")
a = torch.randn((), requires_grad=True, device="cpu").to(device)
x = torch.linspace(-1, 1, 20, device=device)
y = 3 * x
for t in range(2):
    loss = (a * x - y).pow(2).sum()
    loss.backward()
    with torch.no_grad():
        a -= 1e-3 * a.grad
        a.grad = None
print("done")
