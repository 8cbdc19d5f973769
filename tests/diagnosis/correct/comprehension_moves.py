import torch
tensors = [torch.ones(2), torch.zeros(2)]
tensors = [t.to("cuda") for t in tensors]
a, b = (t * 2 for t in tensors)
print((a + b).device)
