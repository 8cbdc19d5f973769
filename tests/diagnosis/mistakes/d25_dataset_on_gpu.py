# rule: D25
# line: 11
import torch
from torch.utils.data import DataLoader, Dataset
class Squares(Dataset):
    def __init__(self):
        self.x = torch.arange(8.0)
    def __len__(self):
        return 8
    def __getitem__(self, i):
        return (self.x[i] ** 2).cuda()
torch.cuda.init()
for b in DataLoader(Squares(), batch_size=4, num_workers=2):
    print(b.shape)
