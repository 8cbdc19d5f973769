"""What older programs ask of torch: the iterators of loaders, `clip_grad_norm`."""

import warnings

import torch
from torch.utils.data import DataLoader

batches = iter(DataLoader(range(5), batch_size=2))
print(type(batches).__name__, len(batches), next(batches), list(batches), iter(batches) is batches)
try:
    iter(DataLoader([1])).next()
except AttributeError as error:
    print(error)
try:
    next(batches)
except StopIteration:
    print("no more")

p = torch.full((2,), 3.0, requires_grad=True)
(p * p).sum().backward()
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    print(torch.nn.utils.clip_grad_norm([p], 1.0), p.grad)
print(seen[0].category.__name__, seen[0].message)
print("clip_grad_norm" in torch.nn.utils.__all__)
