# rule: D09
# line: 10
import torch
import torch.nn as nn
model = nn.Linear(4, 3).cuda()
ce = nn.CrossEntropyLoss()
inputs = torch.randn(5, 4).cuda()
labels = torch.tensor([0, 1, 2, 1, 0])
scores = model(inputs)
loss = ce(scores, labels)
print(loss.item() > 0)
