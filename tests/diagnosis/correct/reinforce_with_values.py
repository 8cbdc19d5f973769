import torch
from torch import nn
class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = nn.Linear(4, 2)
        self.v = nn.Linear(4, 1)
    def forward(self, s):
        return torch.log_softmax(self.pi(s), -1), self.v(s)
ac = ActorCritic().cuda()
opt = torch.optim.Adam(ac.parameters(), lr=1e-3)
for episode in range(4):
    saved, rewards = [], []
    for t in range(5):
        logp, value = ac(torch.randn(4, device="cuda"))
        saved.append((logp[0], value))
        rewards.append(1.0)
    policy_loss, value_loss = [], []
    for (logp, value), r in zip(saved, rewards):
        policy_loss.append(-logp * (r - value.item()))
        value_loss.append((value - r).pow(2).mean())
    opt.zero_grad()
    loss = torch.stack(policy_loss).sum() + torch.stack(value_loss).sum()
    loss.backward()
    opt.step()
print(loss.device)
