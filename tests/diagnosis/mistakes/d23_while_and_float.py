# rule: D23
# line: 12
import torch
torch.manual_seed(0)
w = torch.zeros(3, device="cuda", requires_grad=True)
target = torch.tensor([1.0, -2.0, 0.5], device="cuda")
step = 0
while step < 120:
    loss = ((w - target) ** 2).sum()
    loss.backward()
    with torch.no_grad():
        print("step", step, "loss", float(loss))
        w -= 0.1 * w.grad
        w.grad = None
    step += 1
