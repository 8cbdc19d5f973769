# rule: D24
# line: 5
import torch
logits = torch.randn(8, 4, device="cuda")
best = logits.to("cpu", non_blocking=True).argmax(1)
print(best.shape)
