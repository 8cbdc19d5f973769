# rule: D19
# line: 5
import torch
result = torch.ones(3)
value = result if result.device == "cpu" else result.cpu()
print(value.sum().item())
