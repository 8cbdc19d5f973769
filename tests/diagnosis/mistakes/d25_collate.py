# rule: D25
# line: 6
import torch
from torch.utils.data import DataLoader
def collate(items):
    return torch.stack(items).to("cuda")
model = torch.nn.Linear(2, 1).cuda()
loader = DataLoader([torch.ones(2) for _ in range(4)], batch_size=2, num_workers=2, collate_fn=collate)
for x in loader:
    print(model(x).shape)
