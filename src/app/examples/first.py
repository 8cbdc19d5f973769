import torch

x = torch.randn(256, 256)                 # born on the CPU
w = torch.randn(256, 256, device="cuda")  # born on the GPU

y = x.to("cuda") @ w                      # x crosses the link
score = y.abs().mean()

print(y.device, y.shape)
print(score.item())                       # 4 bytes come back
