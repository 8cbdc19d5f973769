# rule: D03
# line: 9
import torch
from torch import nn
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(2 * 36, 3)).to(device)
loader = [(torch.rand(4, 1, 8, 8), torch.randint(0, 3, (4,))) for _ in range(2)]
for images, labels in loader:
    loss = nn.functional.cross_entropy(net(images), labels)
    loss.backward()
print("finished")
