import io
import torch
from torch import nn
device = "cuda"
net = nn.Linear(2, 1).to(device)
opt = torch.optim.Adam(net.parameters())
net(torch.ones(1, 2, device=device)).sum().backward(); opt.step()
f = io.BytesIO()
torch.save({"net": net.state_dict(), "opt": opt.state_dict()}, f)
f.seek(0)
ckpt = torch.load(f, map_location=device)
net2 = nn.Linear(2, 1).to(device)
opt2 = torch.optim.Adam(net2.parameters())
net2.load_state_dict(ckpt["net"]); opt2.load_state_dict(ckpt["opt"])
opt2.zero_grad()
net2(torch.ones(1, 2, device=device)).sum().backward(); opt2.step()
print("resumed")
