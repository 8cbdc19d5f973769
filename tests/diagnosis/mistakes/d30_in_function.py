# rule: D30
# line: 5
import torch
def to_batch(rows, device):
    return torch.FloatTensor(rows, device=device)
print(to_batch([[1.0, 2.0], [3.0, 4.0]], "cuda").mean().item())
