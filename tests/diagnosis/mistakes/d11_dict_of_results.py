# rule: D11
# line: 6
import torch
results = {"acc": torch.tensor([0.5, 0.7], device="cuda")}
for name, value in results.items():
    arr = value.numpy()
    print(name, arr.mean() > 0)
