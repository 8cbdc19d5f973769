# rule: D14
# line: 18
import torch
from torch import nn
class Phase:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    def fit(self, x, steps):
        for _ in range(steps):
            loss = self.model(x).pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
m = nn.Linear(4, 2)
phase = Phase(m)
phase.fit(torch.randn(3, 4), 2)
m.to("cuda")
phase.fit(torch.randn(3, 4, device="cuda"), 2)
print("fitted")
