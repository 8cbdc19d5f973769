import torch
from torch import nn

class Trainer:
    def __init__(self, model, lr):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.loss_sum = 0.0
        self.steps = 0
    def step(self, x, y):
        x, y = x.to(self.device), y.to(self.device)
        self.opt.zero_grad(set_to_none=True)
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.opt.step()
        self.loss_sum += loss.item()
        self.steps += 1
    @property
    def mean(self):
        return self.loss_sum / self.steps

t = Trainer(nn.Linear(4, 1), 1e-2)
for _ in range(5):
    t.step(torch.randn(8, 4), torch.randn(8, 1))
print(t.mean > 0)
