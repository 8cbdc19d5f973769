# rule: D01
# line: 9
import torch
def huber(pred, goal, delta=1.0):
    err = (pred - goal).abs()
    return torch.where(err < delta, 0.5 * err ** 2, delta * (err - 0.5 * delta)).mean()
goal = torch.rand(5)
pred = torch.rand(5).to("cuda")
print(huber(pred, goal).item() >= 0)
