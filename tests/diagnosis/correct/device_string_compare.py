import torch
name = "cuda" if torch.cuda.is_available() else "cpu"
if name == "cuda":
    print("will use", name)
x = torch.ones(1, device=name)
print(x.item())
