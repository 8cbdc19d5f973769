# rule: D09
# line: 10
import torch
import torch.nn.functional as F
def loss_fn(logits, labels, weights):
    return F.cross_entropy(logits, labels, weight=weights)
w = torch.tensor([1.0, 2.0, 0.5])
logits = torch.randn(4, 3, device="cuda")
labels = torch.tensor([0, 1, 2, 1], device="cuda")
print(loss_fn(logits, labels, w).item() > 0)
