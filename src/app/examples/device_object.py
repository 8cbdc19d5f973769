import torch

cpu = torch.device("cpu")
gpu = torch.device("cuda")        # "the current CUDA device"
first = torch.device("cuda:0")    # this one and no other

print(cpu, gpu, first)
print(first.type, first.index)
print(gpu == first)               # False: one has an index, the other has none

x = torch.ones(2, device=gpu)
print(x.device)                   # a tensor always knows its index
print(x.device == first, x.is_cuda)
