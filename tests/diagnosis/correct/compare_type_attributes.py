import torch
def pick(t):
    return "gpu" if t.device.type != "cpu" else "cpu"
print(pick(torch.ones(1)), pick(torch.ones(1).cuda()))
if torch.device("cuda").type == "cuda" and torch.device("cuda").index is None:
    print("no index")
