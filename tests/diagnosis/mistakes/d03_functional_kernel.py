# rule: D03
# line: 7
import torch
import torch.nn.functional as F
kernel = torch.ones(1, 1, 3, 3) / 9
img = torch.rand(1, 1, 8, 8, device="cuda")
blurred = F.conv2d(img, kernel, padding=1)
print(blurred.shape)
