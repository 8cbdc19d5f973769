import torch
x = torch.ones(3)
y = x.to("cuda")
z = y.to("cpu")
print(torch.equal(x, z), z.device == x.device)
