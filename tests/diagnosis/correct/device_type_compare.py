import torch
x = torch.zeros(2, device="cuda")
if x.device.type == "cuda":
    print("on a GPU")
if x.device == torch.device("cuda:0"):
    print("the first")
print(x.is_cuda, str(x.device) == "cuda:0")
