import time
import torch
from torch.utils.data import DataLoader, TensorDataset
loader = DataLoader(TensorDataset(torch.randn(40, 3)), batch_size=10)
model = torch.nn.Linear(3, 1).cuda()
data_time = 0.0
end = time.time()
for (x,) in loader:
    data_time += time.time() - end
    model(x.cuda()).sum().item()
    end = time.time()
print(data_time >= 0)
