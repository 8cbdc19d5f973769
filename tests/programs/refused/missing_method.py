import torch

x = torch.ones(3).to(torch.float64)
x.frobnicate_all()
