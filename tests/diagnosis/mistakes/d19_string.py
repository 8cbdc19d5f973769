# rule: D19
# line: 6
import torch
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.randn(3)
if device == "cuda":
    x = x.cuda()
print(x.shape)
