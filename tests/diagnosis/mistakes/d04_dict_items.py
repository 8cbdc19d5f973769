# rule: D04
# line: 6
import torch
sample = {"left": torch.ones(3), "right": torch.ones(3)}
for name, tensor in sample.items():
    tensor.to("cuda")
anchor = torch.ones(3, device="cuda")
print((anchor + sample["left"]).sum().item())
