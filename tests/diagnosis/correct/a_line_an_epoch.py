import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
data = DataLoader(TensorDataset(torch.randn(12, 2), torch.randn(12, 1)), batch_size=4)
net = nn.Linear(2, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(110):
    losses = []
    for x, y in data:
        loss = nn.functional.mse_loss(net(x.cuda()), y.cuda())
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.detach())
    print(f"epoch {epoch}: {torch.stack(losses).mean():.4f}")
