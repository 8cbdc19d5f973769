import torch

cpu = torch.device("cpu")
gpu = torch.device("cuda")        # "the current CUDA device"
first = torch.device("cuda:0")    # this one and no other

print(cpu, gpu, first)
print(first.type, first.index, gpu.index)

# One has an index, the other has none: they are not equal.
print(torch.device("cuda") == torch.device("cuda:0"))

x = torch.ones(2, device=gpu)
print(x.device)                   # a tensor always knows its index
print(x.device == first, x.device.type == gpu.type)
