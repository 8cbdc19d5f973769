"""Gradients of masked tensors, and sparse ones. PyTorch 2.15 recorded `masked_gradients.txt` from this file."""

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


# ---- gradient: masked leaf
torch.manual_seed(0)
from torch.masked import masked_tensor
data=torch.arange(6.).view(2,3); mask=torch.tensor([[True,False,True],[False,True,True]])
mt=masked_tensor(data,mask,requires_grad=True)

# ---- as_masked_tensor and grads to data
torch.manual_seed(0)
from torch.masked import as_masked_tensor
data=torch.arange(6.).view(2,3).requires_grad_(); mask=torch.tensor([[True,False,True],[False,True,True]])
mt=as_masked_tensor(data,mask); print(mt, mt.requires_grad, mt.is_leaf, mt.grad_fn.name())
s=mt.exp().sum(); s.backward(); print(data.grad); print(type(data.grad).__name__)

# ---- nan grad tutorial: torch.where
torch.manual_seed(0)
from torch.masked import masked_tensor
x = torch.tensor([-10., -5, 0, 5, 10, 50, 60, 70, 80, 90, 100], requires_grad=True)
mask = x < 0
mx = masked_tensor(x, mask, requires_grad=True)
my = masked_tensor(torch.ones_like(x), ~mask, requires_grad=True)
y = torch.where(mask, torch.exp(mx), my)
print(y)
s = y.sum(); print(s)
s.backward()
print(mx.grad); print(my.grad); print(x.grad)

# ---- advanced: another torch.where
torch.manual_seed(0)
from torch.masked import masked_tensor, as_masked_tensor
a = torch.randn((), requires_grad=True)
b = torch.tensor(False)
c = torch.ones(())
print(torch.where(b, a/0, c)); print(torch.autograd.grad(torch.where(b, a/0, c), a))
a = masked_tensor(torch.randn(()), torch.tensor(True), requires_grad=True)
b = torch.tensor(False)
c = torch.ones(())
print(torch.where(b, a/0, c))
print(torch.autograd.grad(torch.where(b, a/0, c), a))

# ---- sparsity tutorial
torch.manual_seed(0)
from torch.masked import masked_tensor, as_masked_tensor
values = torch.tensor([[0, 0, 3],[4, 0, 5]])
mask = torch.tensor([[False, False, True],[False, False, True]])
mt = masked_tensor(values, mask)
sparse_coo_mt = mt.to_sparse_coo()
print("mt:\n", mt); print("mt (sparse coo):\n", sparse_coo_mt); print("mt data (sparse coo):\n", sparse_coo_mt.get_data())
sparse_csr_mt = mt.to_sparse_csr()
print("mt (sparse csr):\n", sparse_csr_mt); print("mt data (sparse csr):\n", sparse_csr_mt.get_data())
print(sparse_coo_mt.to_dense(), sparse_csr_mt.to_dense(), sparse_coo_mt.is_sparse_coo(), sparse_csr_mt.is_sparse_csr(), mt.is_sparse_coo(), sparse_coo_mt.layout, sparse_csr_mt.layout, sparse_coo_mt.is_sparse)

# ---- sparse masked from parts, unary and binary
torch.manual_seed(0)
from torch.masked import masked_tensor, as_masked_tensor
i=torch.tensor([[0,1,1],[2,0,2]]); v=torch.tensor([3.,4,5]); data=torch.sparse_coo_tensor(i,v,(2,3)); mask=torch.sparse_coo_tensor(i,torch.tensor([True,False,True]),(2,3))
mt=masked_tensor(data,mask); print(mt)
print(mt.sin()); print((mt+mt)); print(mt.sum(), mt.mean(), mt.amax(), mt.prod())
crow=torch.tensor([0,2,4]); col=torch.tensor([0,1,0,1]); vals=torch.tensor([1.,2,3,4])
csr=torch.sparse_csr_tensor(crow,col,vals); mcsr=torch.sparse_csr_tensor(crow,col,torch.tensor([True,False,False,True]))
mt2=masked_tensor(csr,mcsr); print(mt2, mt2.dtype, mt2.layout, mt2.shape); print(mt2.get_data()); print(mt2.get_mask()); print(mt2.tan()); print(mt2*mt2); print(mt2.sum()); print(mt2.to_dense())
say("""
mt.sum(0)
mt+mt2
mt2+1
mt.to_tensor(0)
mt[0]
mt.is_contiguous()
mt.contiguous()
mt.values()
mt.argmax()
""")

# ---- sparse grads
torch.manual_seed(0)
from torch.masked import masked_tensor
mt=masked_tensor(torch.tensor([[1.,2],[3,4]]),torch.tensor([[True,False],[True,True]]),requires_grad=True)

# ---- adagrad tutorial
torch.manual_seed(0)
from torch.masked import masked_tensor, as_masked_tensor
def _make_sparse(grad, grad_indices, values):
    size = grad.size()
    return torch.sparse_coo_tensor(grad_indices, values, size)
grad = torch.sparse_coo_tensor(torch.tensor([[0, 0, 1],[0, 3, 2]]), torch.tensor([2., 3., 4.]), [4, 4]).coalesce()
param=torch.arange(8).reshape(2, 4).float(); state_sum = torch.full_like(param, 0.5)
i = torch.tensor([[0, 1, 1],[2, 0, 2]]); v = torch.tensor([5, 2, 1], dtype=torch.float32)
grad = torch.sparse_coo_tensor(i, v, [2, 4])
mask = (grad.to_dense() != 0).to_sparse(); masked_grad = masked_tensor(grad, mask)
print("masked_grad:\n", masked_grad)
param2 = masked_tensor(param, torch.ones(2,4).bool())
state_sum2 = masked_tensor(state_sum, torch.ones_like(state_sum).to(dtype=torch.bool))
mask = masked_grad.get_mask()
state_sum2=as_masked_tensor(state_sum.sparse_mask(mask),mask)
state_sum2 = state_sum2 + masked_grad.pow(2).get_data()
print("state_sum:\n", state_sum2)
std2 = masked_tensor(state_sum2.get_data().sqrt_() if False else state_sum2.get_data().sqrt(), mask); print(std2)
clr=0.1
p2=masked_tensor(param.sparse_mask(mask),mask)
p2=(p2).get_data() + (-clr*(masked_grad / (std2+1e-10))).get_data() if False else masked_grad/(std2+1e-10); print(p2)

# ---- torch.masked functional reductions on masked tensors
torch.manual_seed(0)
import torch.masked as M
from torch.masked import masked_tensor
mt=masked_tensor(torch.arange(6.).view(2,3), torch.tensor([[True,False,True],[False,True,True]]))
say("""
M.sum(mt)
M.sum(mt,1)
M.mean(mt,0)
M.amax(mt,1)
M.softmax(mt,1)
M.norm(mt,2,1)
M.var(mt,1)
M.sum(mt,mask=torch.tensor([True,True,False]))
M.sum(torch.arange(6.).view(2,3),0,mask=mt.get_mask())
M.sum(torch.arange(6.).view(2,3),mask=torch.tensor([True,False,True]))
M.is_masked_tensor(mt)
""")

# ---- more grads
torch.manual_seed(0)
from torch.masked import masked_tensor, as_masked_tensor
m=torch.tensor([[True,False,True],[False,True,True]])
x=masked_tensor(torch.tensor([[1.,0,3],[0,5,6]]),m,requires_grad=True)
for f in (lambda: x.log().sum(), lambda: x.softmax(1).log().sum(), lambda: x[0].sum(), lambda: x.mean(), lambda: x.amax(1).sum(), lambda: x.prod(), lambda: x.std(), lambda: x.var(), lambda: (x/x).sum(1).sum(), lambda: x.t().exp().sum(0).mean(), lambda: torch.stack([x,x]).sum(), lambda: x.view(-1)[2:4].sum(), lambda: x.clone().sum(), lambda: x.reciprocal().mean(1).sum(), lambda: x.amin(), lambda: (x*torch.tensor([1.,2,3])).sum(), lambda: x.sqrt().sum(), lambda: (2/x).sum(), lambda: x.double().sum(), lambda: (-x).abs().sum(),lambda: x.to_tensor(0).sum(),lambda: x.get_data().sum()):
    x.grad=None
    try:
        y=f(); y.backward(); print(y); print(x.grad)
    except ValueError as e: print(type(e).__name__, str(e)[:100])

# ---- accumulate, detach, leaf, retain
torch.manual_seed(0)
from torch.masked import masked_tensor
x=masked_tensor(torch.ones(3),torch.tensor([True,True,False]),requires_grad=True)
x.sum().backward(); (x*2).sum().backward(); print(x.grad); print(x.detach().requires_grad, x.is_leaf, (x*2).is_leaf, (x*2).requires_grad)
with torch.no_grad(): y=x*2; print(y.requires_grad)
x.grad=None; print(x.grad)
y=x.sum(); y.backward(retain_graph=True); y.backward(); print(x.grad)
try: y.backward()
except RuntimeError as e: print(str(e)[:60])
try: (x*2).backward()
except RuntimeError as e: print(e)
(x*2).backward(masked_tensor(torch.tensor([1.,2,3]),x.get_mask())); print(x.grad)
try: x.add_(1)
except RuntimeError as e: print(e)
import copy; z=copy.deepcopy(x); print(z, z.requires_grad)

# ---- autograd.grad several
torch.manual_seed(0)
from torch.masked import masked_tensor
x=masked_tensor(torch.ones(3),torch.tensor([True,True,False]),requires_grad=True); w=torch.tensor([1.,2,3],requires_grad=True)
print(torch.autograd.grad((x*w).sum(),[x,w]))
y=torch.autograd.grad((x*x).sum(),x,create_graph=True); print(y)
w=torch.tensor(2.,requires_grad=True); l=(x*w).mean(); l.backward(); print(x.grad, w.grad)

# ---- devices and dtype texts
torch.manual_seed(0)
from torch.masked import masked_tensor
x=masked_tensor(torch.arange(4),torch.tensor([True,False,True,True]))
say("""
x.dtype
x.device
x.float().dtype
x.to(torch.float64).dtype
x.to(dtype=torch.int32)
x.size()
x.shape
x.ndim
len(x)
x.numel()
x.stride()
x.element_size()
x.is_contiguous()
x.requires_grad
x.grad
x.grad_fn
x.is_cuda
x.is_sparse
x.is_sparse_coo()
x.is_floating_point()
x.storage_offset()
x.get_mask().dtype
type(x).__module__
type(x).__mro__[1].__name__
hash(x) == hash(x)
x in [x]
x.mean()
x.float().mean()
x.sum()
x.sum().dtype
x.prod()
x.amax()
x.amax().dtype
x.argmax()
x.std()
x+1.5
x/2
x*2
x//2
x.to('cpu') is x
x.int() is x
x.long() is x
bool(x[0]==0)
int(x[2])
x[1].item()
x[x>1]
x[:2]+x[2:]
torch.cat([x,x]).get_mask()
x.view(2,2).sum(0)
torch.is_floating_point(x)
x.ne(1)
1<x
x.shape==(4,)
x.sum(0,keepdim=True)
""")

# ---- gradients of leaves that aren't masked
torch.manual_seed(0)
from torch.masked import masked_tensor, as_masked_tensor
top=torch.tensor([2.,3,4],requires_grad=True); bottom=torch.tensor([1.,0,2]); shown=bottom!=0
as_masked_tensor(top/bottom,shown).sum().backward(); print(top.grad, type(top.grad).__name__)
top.grad=None; print(top.grad)
scale=torch.tensor(3.,requires_grad=True); v=masked_tensor(torch.tensor([1.,float('nan'),5]),shown)
(v*scale).mean().backward(); print(scale.grad); print(torch.autograd.grad((v*scale).sum(),scale))
row=torch.ones(3,requires_grad=True); grid=masked_tensor(torch.arange(6.).view(2,3),torch.tensor([[True,False,False],[True,False,True]]))
(grid*row).sum().backward(); print(row.grad); print(row.grad.get_mask(), row.grad.to_tensor(0))
other=torch.zeros(3,requires_grad=True); torch.where(shown,v,other).sum().backward(); print(other.grad)
x=torch.ones(3,requires_grad=True); (x*2).sum().backward(); print(x.grad); x.grad.zero_(); x.grad=torch.ones(3); print(x.grad)
lin=torch.nn.Parameter(torch.ones(3)); y=as_masked_tensor(lin.detach().requires_grad_()*2,shown); y.sum().backward(); print(lin.grad)
a=as_masked_tensor(x.exp(),shown); b=(a*a).sum(); x.grad=None; b.backward(); print(x.grad)
