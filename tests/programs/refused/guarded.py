# Names that aren't here cost nothing where the program expects that.
import torch

try:
    import apex_of_nobody
except ImportError:
    apex_of_nobody = None

try:
    torch.no_such_function(1)
except AttributeError:
    print("not here")

if hasattr(torch, "no_such_name"):
    print(torch.no_such_name)

x = torch.LongTensor([1, 2]).to("cpu")
torch.Tensor.added = lambda self: self + 1
print(x.added(), x.add(1))
embedding = torch.nn.Embedding(3, 2, sparse=False)
