# rule: D23
# line: 17
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
data = TensorDataset(torch.randn(480, 5), torch.randint(0, 3, (480,)))
loader = DataLoader(data, batch_size=4, shuffle=True)
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 3)).cuda()
optimizer = torch.optim.Adam(net.parameters())
for i, (xb, yb) in enumerate(loader):
    loss = F.cross_entropy(net(xb.cuda()), yb.cuda())
    optimizer.zero_grad()
    loss.backward()
    print(f"batch {i}: {loss}")
    optimizer.step()
