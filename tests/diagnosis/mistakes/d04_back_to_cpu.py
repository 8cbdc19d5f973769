# rule: D04
# line: 5
import torch
result = torch.ones(3, device="cuda") * 2
result.cpu()
print(result.device)
print(result + 1)
