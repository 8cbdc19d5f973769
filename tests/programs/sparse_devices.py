"""A sparse tensor on a GPU: its indices and its values are there, each in a block of its own."""

import warnings

import torch

warnings.simplefilter("ignore")
host = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3.0, 4.0, 5.0], (2, 3))
before = torch.cuda.memory_allocated()
s = host.to("cuda")
print(s)
print(s.device, s._indices().device, s._values().device, s.is_cuda, torch.cuda.memory_allocated() - before)
print(s.to("cuda") is s, s.cpu().device, host.cuda().is_coalesced())
m = torch.ones(3, 2, device="cuda")
print(s @ m)
print(torch.sparse_coo_tensor([[0], [1]], torch.ones(1, device="cuda"), (2, 2))._indices().device)
for make in (lambda: s @ torch.ones(3, 2), lambda: host @ m, lambda: s + host, lambda: torch.ones(2, 3, device="cuda") + host,
             lambda: s.index_select(0, torch.tensor([0]))):
    try:
        print(make())
    except RuntimeError as error:
        print(error)
c = host.to_sparse_csr().cuda()
print(c.crow_indices().device, c.col_indices().device, c.values().device)
table = torch.nn.Embedding(5, 2, sparse=True, device="cuda")
table(torch.tensor([1, 1, 3], device="cuda")).sum().backward()
print(table.weight.grad)
torch.optim.SGD(table.parameters(), lr=0.1).step()
del s, c
n = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], device="cuda")
print(n.device, n.values().device, n.to_padded_tensor(0).device)
