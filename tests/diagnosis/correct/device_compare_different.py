import torch
device = torch.device("cpu")
if device == torch.device("cuda:0"):
    print("gpu")
else:
    print("no gpu")
