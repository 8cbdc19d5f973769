import torch
from torch import nn
class RNN(nn.Module):
    def __init__(self, n_in, n_hidden):
        super().__init__()
        self.n = n_hidden
        self.ih = nn.Linear(n_in, n_hidden)
        self.hh = nn.Linear(n_hidden, n_hidden)
    def forward(self, seq):
        h = seq.new_zeros(seq.size(1), self.n)
        out = []
        for x in seq:
            h = torch.tanh(self.ih(x) + self.hh(h))
            out.append(h)
        return torch.stack(out)
net = RNN(2, 4).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = net(torch.randn(5, 3, 2, device="cuda")).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item() >= 0)
