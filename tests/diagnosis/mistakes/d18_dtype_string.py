# rule: D18
# line: 5
import torch
pixels = torch.tensor([0, 128, 255])
pixels = pixels.to("float32")
print((pixels / 255).mean().item())
