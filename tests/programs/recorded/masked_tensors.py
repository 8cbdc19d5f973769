"""Masked tensors: making, printing, operators, reductions, shapes. PyTorch 2.15 recorded `masked_tensors.txt` from this file."""

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


# ---- overview tutorial 1
torch.manual_seed(0)
from torch.masked import masked_tensor, as_masked_tensor
data = torch.arange(24).reshape(2, 3, 4)
mask = data % 2 == 0
print("data:\n", data); print("mask:\n", mask)
mt = masked_tensor(data.float(), mask)
print("mt[0]:\n", mt[0]); print("mt[:, :, 2:4]:\n", mt[:, :, 2:4])
print(mt.get_data()); print(mt.get_mask()); print(mt)

# ---- printing floats, bools, big, negatives, nan
torch.manual_seed(0)
from torch.masked import masked_tensor
m=torch.tensor([True,False,True,True])
print(masked_tensor(torch.tensor([1.,2,-12345.678,float('nan')]),m))
print(masked_tensor(torch.tensor([True,False,False,True]),m))
print(masked_tensor(torch.tensor([1,222222222222,3,4]),m))
print(masked_tensor(torch.tensor([1,222222222222,3,4]),torch.tensor([False]*4)))
print(masked_tensor(torch.tensor([[1.,2,3,4]]).double(),m[None]))
print(masked_tensor(torch.tensor(3.5),torch.tensor(True)), masked_tensor(torch.tensor(3.5),torch.tensor(False)), masked_tensor(torch.tensor(3),torch.tensor(True)))
print(masked_tensor(torch.tensor([float('inf'),1e10,1e-10,-0.]),~m))
print(str(masked_tensor(torch.ones(2,2,2,dtype=torch.float16),torch.ones(2,2,2,dtype=torch.bool))))
print(f"{masked_tensor(torch.ones(2),torch.tensor([True,False]))}")

# ---- errors at creation
torch.manual_seed(0)
from torch.masked import masked_tensor, as_masked_tensor, MaskedTensor, is_masked_tensor
mt=masked_tensor(torch.ones(2),torch.tensor([True,False]))
say("""
masked_tensor([1,2],torch.tensor([True,False]))
masked_tensor(torch.ones(2),[True,False])
masked_tensor(torch.ones(2),torch.ones(2))
masked_tensor(torch.ones(2),torch.ones(3).bool())
masked_tensor(torch.ones(2),torch.ones(1,2).bool())
masked_tensor(mt,torch.ones(2).bool())
masked_tensor(torch.ones(2),mt)
masked_tensor(torch.ones(2,dtype=torch.bfloat16),torch.ones(2).bool())
masked_tensor(torch.ones(2,dtype=torch.complex64),torch.ones(2).bool())
masked_tensor(torch.ones(2,dtype=torch.uint8),torch.ones(2).bool())
masked_tensor(torch.ones(2).to_sparse(),torch.ones(2).bool())
masked_tensor(torch.ones(2))
MaskedTensor(torch.ones(2),torch.tensor([True,False]))
is_masked_tensor(mt)
is_masked_tensor(torch.ones(2))
isinstance(mt,torch.Tensor)
torch.is_tensor(mt)
masked_tensor(torch.ones(2),torch.ones(2).bool(),requires_grad=True)
masked_tensor(torch.ones(2),torch.ones(2).bool(),True).requires_grad
masked_tensor(torch.ones(2,requires_grad=True),torch.ones(2).bool())
masked_tensor(torch.ones(2,dtype=torch.int),torch.ones(2).bool(),requires_grad=True)
""")

# ---- nansum / nanmean tutorial
torch.manual_seed(0)
from torch.masked import masked_tensor
a = torch.tensor([1., 2., float('nan')])
b = torch.tensor(1.0, requires_grad=True)
c = a * b; c1 = torch.nansum(c); bgrad1, = torch.autograd.grad(c1, b, retain_graph=True); print(bgrad1)
a = torch.tensor([1., 2., float('nan')]); b = torch.tensor(1.0, requires_grad=True)
mt = masked_tensor(a, ~torch.isnan(a)); c = mt * b; print(c); c1 = torch.sum(c); print(c1)
bgrad1, = torch.autograd.grad(c1, b, retain_graph=True); print(bgrad1)

# ---- safe softmax
torch.manual_seed(0)
from torch.masked import masked_tensor
data = torch.randn(3, 3)
mask = torch.tensor([[True, False, False], [True, False, True], [False, False, False]])
x = data.masked_fill(~mask, float('-inf')); mt = masked_tensor(data, mask)
print(x.softmax(0)); print(mt.softmax(0)); print(mt.softmax(-1)); print(torch.softmax(mt,1))

# ---- implementing missing nan ops
torch.manual_seed(0)
from torch.masked import masked_tensor, as_masked_tensor
x = torch.arange(16).float(); y = x * x.fmod(4); z = y.masked_fill(y == 0, float('nan'))
print(z); print(z.mean()); print(torch.nanmean(z))
y = x.masked_fill(x == 0, float('nan'))
print(torch.mean(masked_tensor(torch.tensor([[1.,2],[3,4]]),torch.tensor([[True,False],[False,False]])),1))
print(torch.amax(masked_tensor(torch.tensor([[1.,2],[3,4]]),torch.tensor([[True,False],[False,False]])),1))

# ---- reductions with dim
torch.manual_seed(0)
from torch.masked import masked_tensor
mt=masked_tensor(torch.arange(12.).view(3,4), torch.tensor([[True,False,True,True],[False]*4,[True]*4]))
say("""
mt.sum(0)
mt.sum(1)
mt.sum(dim=1,keepdim=True)
mt.sum((0,1))
torch.sum(mt,1)
mt.mean(1)
mt.amax(1)
mt.amin(0)
mt.prod(1)
mt.argmax(1)
mt.argmin(0)
mt.var(1)
mt.std(1)
mt.norm()
mt.all()
(mt>1).all()
(mt>1).all(1)
(mt>1).any()
mt.max()
mt.min(1)
mt.median()
mt.cumsum(0)
mt.logsumexp(1)
mt.sum(1,True)
mt.sum(1,dtype=torch.float64)
mt.mean(dim=0)
mt.std()
mt.sum(-1)
mt.amax(-1)
mt.mean()
mt.sum(dim=None)
""")

# ---- unary list
torch.manual_seed(0)
from torch.masked import masked_tensor
mt=masked_tensor(torch.tensor([[.1,.2],[.3,-.4]]), torch.tensor([[True,False],[True,True]]))
for n in "abs absolute acos asin asinh atan atanh ceil cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 fix floor frac lgamma log log10 log1p log2 logit i0 isnan nan_to_num neg negative positive rad2deg reciprocal round rsqrt sigmoid sign sgn signbit sin sinc sinh sqrt square tan tanh trunc".split():
    try: print(n, getattr(torch,n)(mt))
    except Exception as e: print(n, type(e).__name__, str(e)[:100])
say("""
mt.clamp(0,.2)
mt.pow(2)
mt**2
-mt
abs(mt)
~(mt>0)
mt.relu()
torch.nn.functional.relu(mt)
torch.nn.functional.gelu(mt)
torch.logical_not(mt)
mt.atan2(mt)
mt.round()
mt.round(decimals=1)
mt.clamp(min=0)
torch.clamp(mt,max=.2)
""")

# ---- binary
torch.manual_seed(0)
from torch.masked import masked_tensor
m=torch.tensor([True,False,True])
a=masked_tensor(torch.tensor([1.,2,3]),m);  b=masked_tensor(torch.tensor([4.,5,6]),m); c=masked_tensor(torch.tensor([4.,5,6]),~m)
t=torch.tensor([1.,1,1])
say("""
a+b
a-b
a*b
a/b
a//b
a%b
a+1
1+a
2/a
2*a
a+t
t+a
t*a
t-a
a+c
a==b
a!=b
a<b
a>b
a<=2
a>=b
a<c
torch.maximum(a,b)
torch.minimum(a,b)
torch.fmax(a,b)
torch.add(a,b)
torch.add(a,b,alpha=2)
a.add(b)
torch.atan2(a,b)
torch.logaddexp(a,b)
torch.eq(a,b)
a+torch.ones(2,3)
a.div(b,rounding_mode='floor')
(a>1)&(b>1)
(a>1)|(b>1)
torch.dot(a,b)
torch.remainder(a,2)
torch.equal(a,b)
torch.allclose(a,b)
a.add_(1)
a
a.mul_(b)
a.sub_(c)
a.exp_()
a.abs_()

""")
a += 1; print(a)

# ---- shape ops
torch.manual_seed(0)
from torch.masked import masked_tensor
mt=masked_tensor(torch.arange(12.).view(3,4), torch.arange(12).view(3,4)%3!=0)
say("""
mt[0]
mt[0,1]
mt[0,0]
mt[:,1]
mt[1:,::2]
mt[...,0]
mt[None]
mt[torch.tensor([0,2])]
mt[mt.get_mask()]
mt[-1]
mt.T
mt.t()
mt.transpose(0,1)
mt.view(4,3)
mt.view(-1)
mt.reshape(2,6)
mt.flatten()
mt.unsqueeze(0)
mt.squeeze()
mt.expand(2,3,4)
mt.permute(1,0)
mt.split(2)
mt.chunk(2)
mt.unbind()
torch.stack([mt,mt])
torch.cat([mt,mt])
mt.contiguous()
mt.t().contiguous()
mt.select(0,1)
mt.narrow(0,0,2)
mt.unfold(0,2,1)
mt.repeat(2,1)
mt.roll(1)
mt.flip(0)
mt.diagonal()
list(mt)[0]
mt.index_select(0,torch.tensor([0]))
mt.view(2,2,3)
""")

# ---- conversions
torch.manual_seed(0)
from torch.masked import masked_tensor
mt=masked_tensor(torch.arange(4.).view(2,2), torch.tensor([[True,False],[True,True]]))
say("""
mt.to_tensor(0)
mt.to_tensor(-1.5)
mt.to_tensor(float('nan'))
mt.get_data()
mt.get_mask()
mt.to(torch.float64)
mt.double()
mt.long()
mt.half()
mt.to('cpu')
mt.cpu()
mt.clone()
mt.detach()
mt.numpy()
mt.tolist()
mt.item()
mt[0,0].item()
mt[0,1].item()
torch.ones_like(mt)
torch.zeros_like(mt)
torch.rand_like(mt)
torch.empty_like(mt)
mt.new_zeros(2)
mt.masked_fill(mt.get_mask(),0)
mt.fill_(1)
mt.zero_()
mt.copy_(mt)
mt.data
mt.bool()
mt.float()
mt.int()
mt.type()
torch.nan_to_num(mt)
mt.isnan()
float(mt[0,0])
bool(mt[0,0]>-1)
mt.element_size()
mt.nonzero()
mt.sort()
mt.topk(1)
torch.where(mt.get_mask(),mt,mt)
torch.where(mt.get_mask(),mt,0)
torch.where(mt.get_mask(),mt,torch.zeros(2,2))
""")

# ---- unsupported
torch.manual_seed(0)
from torch.masked import masked_tensor
mt=masked_tensor(torch.arange(4.).view(2,2), torch.tensor([[True,False],[True,True]]))
say("""
torch.matmul(mt,mt)
torch.nn.functional.linear(mt,torch.ones(2,2))
torch.nn.Linear(2,2)(mt)
torch.nn.functional.layer_norm(mt,(2,))
torch.nn.functional.cross_entropy(mt,torch.tensor([0,1]))
torch.nn.functional.dropout(mt,.5)
torch.linalg.norm(mt)
torch.einsum('ij->i',mt)
torch.fft.fft(mt)
mt.numpy()
mt.max(0)
""")
