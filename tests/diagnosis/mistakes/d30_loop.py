# rule: D30
# line: 7
import torch
rows = [[0.5, 0.1], [0.2, 0.9]]
device = "cuda"
for row in rows:
    t = torch.FloatTensor(row, device=device)
    print(t.max().item() > 0)
