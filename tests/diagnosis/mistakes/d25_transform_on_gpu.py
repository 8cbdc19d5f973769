# rule: D25
# line: 12
import torch
from torch.utils.data import DataLoader, Dataset
class Images(Dataset):
    def __init__(self, n):
        self.items = [torch.rand(3, 4, 4) for _ in range(n)]
    def __len__(self):
        return len(self.items)
    def __getitem__(self, i):
        img = self.items[i]
        img = img.to("cuda")
        return img * 2
net = torch.nn.Conv2d(3, 1, 1).cuda()
for batch in DataLoader(Images(4), batch_size=2, num_workers=2):
    print(net(batch.cuda()).shape)
