import torch
from torch import nn
G, D = nn.Linear(2, 4).cuda(), nn.Linear(4, 1).cuda()
og = torch.optim.Adam(G.parameters())
od = torch.optim.Adam(D.parameters())
bce = nn.BCEWithLogitsLoss()
for i in range(3):
    z = torch.randn(6, 2, device="cuda")
    fake = G(z)
    real = torch.randn(6, 4, device="cuda")
    ones, zeros = torch.ones(6, 1, device="cuda"), torch.zeros(6, 1, device="cuda")
    d_loss = bce(D(real), ones) + bce(D(fake.detach()), zeros)
    od.zero_grad(); d_loss.backward(); od.step()
    g_loss = bce(D(fake), ones)
    og.zero_grad(); g_loss.backward(); og.step()
print(d_loss.item() > 0, g_loss.item() > 0)
