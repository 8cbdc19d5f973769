# rule: D14
# line: 12
import torch
from torch import nn
def train(model, opt, x):
    opt.zero_grad()
    model(x).sum().backward()
    opt.step()
model = nn.Linear(2, 1)
opt = torch.optim.AdamW(model.parameters())
train(model, opt, torch.ones(1, 2))
model.cuda()
train(model, opt, torch.ones(1, 2, device="cuda"))
print("done")
