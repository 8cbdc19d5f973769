# rule: D23
# line: 17
import torch
from torch import nn

torch.manual_seed(4)
x = torch.randn(50, 4, device="cuda")
y = (x[:, 0] > 0).long()
clf = nn.Linear(4, 2).cuda()
opt = torch.optim.SGD(clf.parameters(), lr=0.5)
for step in range(200):
    logits = clf(x)
    loss = nn.functional.cross_entropy(logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    acc = (logits.argmax(1) == y).float().mean().item()
    if (step + 1) % 100 == 0:
        print(f"{step + 1}: accuracy {acc:.2f}")
