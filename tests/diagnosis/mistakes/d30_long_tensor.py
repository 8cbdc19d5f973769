# rule: D30
# line: 5
import torch
labels = [0, 1, 1]
y = torch.LongTensor(labels, device=torch.device("cuda"))
print(y.tolist())
