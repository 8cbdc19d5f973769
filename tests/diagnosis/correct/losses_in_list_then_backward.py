import torch
from torch import nn
policy = nn.Linear(3, 2).to("cuda")
opt = torch.optim.Adam(policy.parameters())
for episode in range(3):
    log_probs = []
    for t in range(4):
        state = torch.randn(1, 3, device="cuda")
        logits = policy(state)
        log_probs.append(torch.log_softmax(logits, dim=1)[0, 0])
    loss = -torch.stack(log_probs).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(len(log_probs))
