import torch


def show(what):
    allocated = torch.cuda.memory_allocated() // 2**20
    reserved = torch.cuda.memory_reserved() // 2**20
    print(f"{what:<20} {allocated:>4} MiB allocated {reserved:>4} MiB reserved")


show("at first")
a = torch.zeros(4, 1024, 1024, device="cuda")
b = torch.zeros(8, 1024, 1024, device="cuda")
show("two tensors")

del a
show("after del a")               # the block is free, PyTorch keeps its segment

c = torch.zeros(4, 1024, 1024, device="cuda")
show("another of its size")       # and uses it again

del b, c
torch.cuda.empty_cache()
show("after empty_cache")         # what holds no tensor goes back to the driver
# Look at the memory map, and step back and forward.
