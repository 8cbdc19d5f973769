import io
import torch
from torch import nn
net = nn.Linear(2, 1).cuda()
buffer = io.BytesIO()
torch.save(net.state_dict(), buffer)
buffer.seek(0)
state = torch.load(buffer, map_location="cpu")
fresh = nn.Linear(2, 1)
fresh.load_state_dict(state)
print(fresh.weight.device)
