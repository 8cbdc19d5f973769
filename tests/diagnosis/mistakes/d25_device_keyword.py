# rule: D25
# line: 9
import torch
from torch.utils.data import DataLoader, Dataset
class Random(Dataset):
    def __len__(self):
        return 6
    def __getitem__(self, index):
        return torch.tensor([float(index)], device="cuda")
warm = torch.zeros(1, device="cuda")
for batch in DataLoader(Random(), batch_size=3, num_workers=1):
    print(batch.shape)
