import torch
try:
    torch.ones(2, device="cuda").reshape(3)
except RuntimeError as error:
    print("shape", "invalid" in str(error))
