"""Uses of nested tensors of the jagged layout: slices of a cache, statistics, activation functions. PyTorch 2.15 recorded `nested_uses.txt` from this file."""

import re
import warnings

import torch

warnings.simplefilter("ignore")


def say(lines):
    """What each expression gives, or its error, as far as that doesn't tell how PyTorch was built."""
    for text in lines.strip().split("\n"):
        try:
            value = repr(eval(text, globals()))
        except Exception as error:
            value = "!! " + type(error).__name__ + ": " + str(error).split("resolutions.")[0].split("\n")[0][:300]
        print(text, "->", re.sub("0x[0-9a-f]+", "0x", value))


# ---- testing and comparisons
torch.manual_seed(0)
import torch.testing
nt=torch.nested.nested_tensor([torch.ones(2),torch.ones(3)],layout=torch.jagged)
say("""
torch.testing.assert_close(nt,nt)
torch.testing.assert_close(nt.values(),nt.values())
nt is nt
nt in [nt]
hash(nt)==hash(nt)
torch.is_floating_point(nt)
torch.numel(nt)
nt.max(dim=1)
torch.max(nt,nt)
torch.min(nt,dim=1).values
(nt==nt).all()
(nt==nt).all().item()
torch.all(nt>0)
torch.nested.nested_tensor([__import__('numpy').ones(2),__import__('numpy').ones(3)],layout=torch.jagged)
nt.sum(dim=-1)
nt.mean(dim=(0,1))
nt.sum(dim=(0,1))
nt.softmax(dim=-1)
nt.offsets().diff()
nt.offsets().diff().max()
nt.unbind()[0].is_nested
torch.stack(nt.unbind()[:1])
torch.nn.utils.rnn.pad_sequence(nt.unbind(),batch_first=True)
torch.nn.utils.rnn.pad_sequence(list(nt))
[t.sum().item() for t in nt]
sum(t.numel() for t in nt.unbind())
torch.cat(nt.unbind())
torch.cat(list(nt))
len(list(nt))
nt.to(dtype=torch.float16).dtype
nt.to(nt.device) is nt
nt.to(device='cpu',dtype=torch.float64).dtype
nt.type(torch.float64)
nt.new_tensor([1.])
nt.new_ones(2)
nt.tolist()
torch.zeros_like(nt).values()
torch.full_like(nt,7).values()
torch.ones_like(nt,dtype=torch.int64).values()
torch.empty_like(nt).shape
torch.rand_like(nt)
torch.clamp(nt,min=2).values()
nt.clamp_(max=.5).values()
nt.neg_().values()
nt.sub_(1).values()
nt.div_(2).values()
nt.relu_().values()
nt.exp_().values()
nt.mul(nt).values()
nt.__add__(1).values()
torch.sub(nt,1,alpha=2).values()
nt.float().int().float().values()
torch.nested.as_nested_tensor(list(nt),layout=torch.jagged).values()
nt.data.values()
nt.detach().requires_grad
nt.is_leaf
nt.grad
nt.grad_fn
nt.retains_grad
nt.is_cpu
nt.is_meta
nt.is_sparse
nt.is_quantized
nt.itemsize
nt.output_nr
nt._version
nt.names
nt.is_inference()
nt.is_contiguous()
nt.storage_offset()
nt.dim()
nt.__class__.__name__
type(nt).__module__
isinstance(nt,torch.Tensor)
issubclass(type(nt),torch.Tensor)
torch.typename(nt)
""")

# ---- kv cache with narrow
torch.manual_seed(0)
import torch.nn.functional as F
cache=torch.arange(24.).view(2,6,2); lens=torch.tensor([3,5])
k=torch.nested.narrow(cache,1,0,lens,layout=torch.jagged); print(k.unbind(), k.is_contiguous(), k.shape[0])
cache[0,0]=100; print(k.unbind()[0])
print(torch.nested.narrow(cache,1,torch.tensor([1,0]),2,layout=torch.jagged).contiguous().values())
full=torch.nested.narrow(cache,1,0,6,layout=torch.jagged); print(full.is_contiguous(), full.shape[1]*1 if False else '')
print(torch.nested.narrow(torch.arange(10.).view(2,5).requires_grad_(),1,0,torch.tensor([1,2]),layout=torch.jagged).unbind())

# ---- stats per sequence
torch.manual_seed(0)
vals=torch.randn(9,3); nt=torch.nested.nested_tensor_from_jagged(vals,lengths=torch.tensor([2,4,3]))
mu=nt.mean(1,keepdim=True); c=nt-mu; print(c.sum(1).abs().max()<1e-5, (c*c).sum(1)/nt.offsets().diff()[:,None])
w=nt.softmax(1); print(torch.allclose(w.sum(1),torch.ones(3,3)))
print((nt*w).sum(1), nt.max(1).values, nt.amin(1))
print(nt.sum(-1).values(), nt.sum(-1).shape==nt.shape[:2])

# ---- jagged more
torch.manual_seed(0)
import torch.nn as nn, torch.nn.functional as F
nt=torch.nested.nested_tensor([torch.arange(4.).view(2,2),torch.arange(6.).view(3,2)],layout=torch.jagged)
say("""
nt.type(torch.float64)
nt.new_ones(2)
nt.round(decimals=1).values()
nt.clamp(torch.tensor(1.)).values()
nt.lerp(nt*2,.5).values()
nt.mul(torch.tensor([1.,2])).values()
nt&nt
nt.bool()|nt.bool()
nt.addmm(nt,nt)
nt.mm(nt)
nt.mv(torch.ones(2))
nt.bmm(torch.ones(2,2,2)).values()
nt.matmul(torch.ones(2,2)).values()
nt.tril()
nt.cumsum(-1)
nt.mean(dtype=torch.float64)
nt.sum(dtype=torch.int64)
nt.sum(-3)
nt.size(-3)
nt.select(-3,0)
nt.transpose(-1,1).shape
nt.unsqueeze(-2).shape
nt.expand(2,nt.size(1),2).shape
nt.unsqueeze(-1).expand(-1,-1,-1,4).shape
nt.where(nt>1,nt*0).values()
torch.where(nt>1,nt,0.).values()
torch.where(nt>1,1.,0.).values()
nt.masked_fill(nt>1,float('-inf')).values()
F.softmax(nt,-1).values()
F.softmin(nt,-1).values()
F.glu(nt,-1)
F.relu6(nt).values()
F.mish(nt).values()
F.selu(nt).values()
F.celu(nt).values()
F.threshold(nt,1.,0.).values()
F.gelu(nt,approximate='tanh').values()
F.leaky_relu(nt,.2).values()
F.hardsigmoid(nt).values()
F.softsign(nt).values()
F.logsigmoid(nt)
F.huber_loss(nt,nt)
F.embedding(nt,torch.ones(3,2))
F.embedding(nt.long(),torch.ones(9,2)).shape
F.dropout(nt,1.).values()
F.dropout(nt,.5,training=False).values()
F.alpha_dropout(nt,.5,training=False).values()
nn.Identity()(nt).values()
nn.Flatten()(nt)
nn.Unflatten(-1,(1,2))(nt).shape
nn.Sequential(nn.Linear(2,2),nn.SiLU())(nt).shape
""")

# ---- indices of nested tensors of the strided layout
torch.manual_seed(0)
n=torch.nested.nested_tensor([torch.arange(6.).view(2,3),torch.arange(3.).view(1,3)])
say("""
n[...,0]
n[0,...,1]
n[0,1:]
n[0,None]
n[:,0]
n.narrow(0,1,1)
n.narrow(1,0,1)
n.squeeze(1)
n.view(-1)
torch.nested.narrow(torch.arange(12.).view(3,4),0,1,2)
torch.nested.as_nested_tensor(n)
torch.nested.as_nested_tensor(n,layout=torch.strided) is n
""")

# ---- comparisons with None, batches of nested tensors, a plain tensor among masked ones
torch.manual_seed(0)
from torch.masked import masked_tensor
n=torch.nested.nested_tensor([torch.ones(2),torch.ones(3)],layout=torch.jagged); m=masked_tensor(torch.ones(2),torch.tensor([True,False]))
say("""
n == None
n != None
m == None
m != None
torch.utils.data.default_collate([n,n])
torch.utils.data.default_collate([torch.nested.nested_tensor([torch.ones(2)])])
torch.stack([torch.ones(2),m])
torch.utils.data.default_collate([torch.eye(2).to_sparse()]*2)
torch.utils.data.default_collate([torch.eye(2).to_sparse_csr()]*2)
""")

# ---- constructors
torch.manual_seed(0)
from torch.masked import masked_tensor
n=torch.nested.nested_tensor([torch.ones(2),torch.ones(3)],layout=torch.jagged); m=masked_tensor(torch.ones(2),torch.tensor([True,False]))
say("""
torch.tensor(n)
torch.tensor(n,dtype=torch.float64).dtype
torch.as_tensor(n) is n
torch.as_tensor(m,dtype=torch.float64)
torch.tensor(m)
torch.tensor([1,2])
torch.tensor(torch.ones(2))
torch.asarray(n) is n
torch.as_tensor([1,2.])
""")

# ---- backward to some inputs, checkpoints, mixed precision, second derivatives, an optimizer
torch.manual_seed(0)
import torch.nn as nn
from torch.masked import masked_tensor
from torch.utils.checkpoint import checkpoint
layer=nn.Linear(3,3); n=torch.nested.nested_tensor([torch.ones(2,3),torch.ones(1,3)],layout=torch.jagged,requires_grad=True)
(n*n).sum().backward(inputs=[n]); print(n.grad.values())
n.grad=None; checkpoint(lambda x: torch.tanh(layer(x)),n,use_reentrant=False).sum().backward(); print(n.grad.values(), layer.bias.grad)
with torch.autocast("cpu",dtype=torch.bfloat16): print(layer(n).dtype)
first,=torch.autograd.grad((n**3).sum(),n); print(first.values())
n.grad=None; optimizer=torch.optim.SGD([n],lr=.1); n.sum().backward(); optimizer.step(); print(n.values().detach())
m=masked_tensor(torch.ones(3),torch.tensor([True,False,True]),requires_grad=True); (m*3).sum().backward(inputs=[m]); print(m.grad)
m.grad=None; m.to_tensor(0.).sum().backward(); print(m.grad)
