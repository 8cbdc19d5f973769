"""Nested tensors of the strided layout. PyTorch 2.15 recorded `nested.txt` from this file."""

import warnings

import torch

warnings.simplefilter("ignore")


def say(text):
    """What an expression gives, and its node; or its error, as far as that doesn't tell how PyTorch was built."""
    try:
        value = eval(text)
    except Exception as error:
        print(text, "!!", type(error).__name__ + ":", str(error).split("resolutions.")[0].split(chr(10))[0])
        return
    node = value.grad_fn if isinstance(value, torch.Tensor) else None
    print(text, "->", repr(value), node.name() if node is not None else "")


T, N = torch.tensor, torch.nested
a, b = torch.arange(3.0), torch.arange(5.0) + 3
n = N.nested_tensor([a, b])
m = N.nested_tensor([torch.ones(2, 3), torch.ones(4, 3) * 2])
k = N.nested_tensor([[1.0, 2], [3.0]])
for text in """
n
m
k
N.nested_tensor([a,b],dtype=torch.double)
N.nested_tensor([])
N.nested_tensor([a,torch.ones(2,2)])
N.nested_tensor(a)
N.nested_tensor(5)
N.nested_tensor([a,b],requires_grad=True)
N.nested_tensor([a.int(),b])
N.nested_tensor([1,2])
N.as_nested_tensor([a,b])
N.as_nested_tensor(torch.ones(2,3))
N.to_padded_tensor(n,0)
n.to_padded_tensor(-1.)
m.to_padded_tensor(0)
m.to_padded_tensor(0,(2,5,4))
m.to_padded_tensor(0,(2,3,4))
torch.ones(2).to_padded_tensor(0)
n.unbind()
n.unbind(1)
list(n)
len(n)
n[0]
n[-1]
n[5]
n[0:1]
n[0,1]
m[0,1]
m[0][1]
n.size()
n.shape
n.size(0)
n.size(1)
m.size(2)
m.size(1)
m.size(3)
n.dim()
n.ndim
n.numel()
n.is_nested
n.layout
n.dtype
n.device
n.is_contiguous()
n.contiguous()
n.stride()
n._nested_tensor_size()
n._nested_tensor_strides()
n._nested_tensor_storage_offsets()
n.values()
n.offsets()
n+n
n+1
n*2
n*n
n-n
n/2
n/n
n+a
-n
n.abs()
torch.exp(n)
torch.relu(n)
torch.sin(n)
torch.cos(n)
torch.tanh(n)
torch.sigmoid(n)
torch.sqrt(n)
torch.nn.functional.gelu(n)
torch.nn.functional.silu(n)
torch.nn.functional.softmax(n,-1)
torch.nn.functional.softmax(m,-1)
torch.nn.functional.softmax(m,1)
torch.nn.functional.dropout(n,0.0)
torch.nn.functional.linear(m,torch.ones(2,3))
torch.nn.functional.layer_norm(m,(3,))
torch.nn.Linear(3,1)(m).is_nested
torch.matmul(m,m.transpose(1,2))
m@torch.ones(3,2)
torch.bmm(m,m.transpose(1,2))
m.transpose(1,2)
m.transpose(0,1)
m.sum(-1)
m.sum()
m.sum(0)
n.sum()
m.mean()
m.mean(-1)
n.max()
n==n
n>1
n.clone()
n.detach()
n.to(torch.double)
n.double()
n.half()
n.float() is n
n.to("cpu") is n
torch.ones_like(n)
torch.zeros_like(n)
torch.empty_like(n).is_nested
torch.rand_like(n).is_nested
torch.cat([n,n])
torch.stack([n,n])
n.view(2,-1)
m.reshape(2,-1,3)
m.view(2,-1,1,3)
m.flatten()
m.unsqueeze(0)
n.expand(2)
n.numpy()
n.item()
n.to_dense()
n.to_sparse()
n.fill_(1)
n.zero_()
n.add_(1)
n.mul_(2)
torch.add(n,n,alpha=2)
n**2
n.pow(2)
n.clamp(0,1)
n.masked_fill(n>1,0)
n.chunk(2)
m.chunk(3,-1)
m.split(1,-1)
m.select(0,1)
m.select(1,0)
N.nested_tensor([a,b],layout=torch.sparse_coo)
n.is_leaf
n.requires_grad
n.squeeze()
torch.where(n>1,n,n)
isinstance(n,torch.Tensor)
type(n)
str(n)
torch.nested.nested_tensor([a.tolist(),b.tolist()])
n.is_pinned()
n.storage_offset()
n.element_size()
n.nbytes
N.nested_tensor([torch.ones(2,2),torch.ones(2,3)])
N.nested_tensor([T(1.),T(2.)])
n.any()
n.all()
n.norm()
n.logical_not()
torch.equal(n,n)
n.copy_(n)
n.T
n.eq(1)
n.int()
n.bool()
m*torch.ones(2,1,1)
m*torch.ones(2,1,3)
m+m.to_padded_tensor(0)
n*T(2.)
n+T(1.)
T(2.)*n
2*n
1+n
1-n
2/n
n//2
n%2
torch.sub(n,n)
""".strip().split("\n"):
    say(text)

# Gradients.
x, y = a.clone().requires_grad_(), b.clone().requires_grad_()
q = N.as_nested_tensor([x, y])
say("q")
say("q * 2")
p = (q * 2 + q * q).to_padded_tensor(0)
say("p")
p.sum().backward()
print(x.grad, y.grad)
leaf = N.nested_tensor([a, b], requires_grad=True)
(leaf * leaf).to_padded_tensor(0).sum().backward()
print(leaf.grad)
w = torch.ones(2, 3, requires_grad=True)
rows = N.nested_tensor([torch.arange(6.0).reshape(2, 3), torch.ones(1, 3)])
torch.nn.functional.linear(rows, w).to_padded_tensor(0).sum().backward()
print(w.grad)
u = N.as_nested_tensor([x, y]).unbind()
(u[0].sum() * 3 + u[1].sum()).backward()
print(x.grad, y.grad)
