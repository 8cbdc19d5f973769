"""Reductions and softmax over a mask, and small uses of masked tensors. PyTorch 2.15 recorded `masked_functions.txt` from this file."""

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


# ---- torch.masked functions
torch.manual_seed(0)
import torch.masked as M
x=torch.tensor([[1.,2,3],[4,5,6],[7,8,9]],requires_grad=True); m=torch.tensor([[True,False,True],[False,False,False],[True,True,True]])
say("""
M.sum(x,1,mask=m)
M.sum(x,mask=m)
M.sum(x,(0,1),mask=m,keepdim=True)
M.sum(x.int(),1,mask=m)
M.sum(x,1,dtype=torch.float64,mask=m)
M.prod(x,1,mask=m)
M.prod(x,mask=m)
M.prod(x,(0,1),mask=m)
M.mean(x,1,mask=m)
M.mean(x.int(),1,mask=m)
M.mean(x,1)
M.amax(x,1,mask=m)
M.amin(x,1,mask=m)
M.amax(x.int(),1,mask=m)
M.argmax(x,1,mask=m)
M.argmin(x,1,mask=m)
M.argmax(x,mask=m)
M.median(x,1,mask=m)
M.median(x,mask=m)
M.logsumexp(x,1,mask=m)
M.norm(x,2,1,mask=m)
M.norm(x,1.,1,mask=m)
M.norm(x,float('inf'),1,mask=m)
M.norm(x,mask=m)
M.var(x,1,mask=m)
M.var(x,1,False,mask=m)
M.std(x,1,True,mask=m)
M.std(x,mask=m)
M.var(x,1,correction=0,mask=m)
M.softmax(x,1,mask=m)
M.softmax(x,0,mask=m)
M.log_softmax(x,1,mask=m)
M.softmin(x,1,mask=m)
M.normalize(x,2.,1,mask=m)
M.cumsum(x,1,mask=m)
M.cumprod(x,1,mask=m)
M.logaddexp(x,x,input_mask=m,other_mask=~m)
M.sum(x,1,mask=m[0])
M.sum(x,1,mask=torch.tensor([[True],[False],[True]]))
M.sum(x,5,mask=m)
M.sum(x,(1,1),mask=m)
M.softmax(x,mask=m)
M.sum(x,1,mask=m.int())
M.sum(x,1,mask=m.float())
M.sum(x,1,mask=torch.ones(2,3).bool())
M.sum(x,1,mask=torch.ones(1,3,3).bool())
M.sum(x.bool(),1,mask=m)
M.amax(x,(0,1),mask=m)
M.sum(x.half(),1,mask=m)
M.mean(x,mask=m)
M.mean(x,(0,1),keepdim=True,mask=m)
M.sum(x[0,0],mask=torch.tensor(False))
M.softmax(x,1,mask=m).sum(1)
""")
for f in (lambda: M.sum(x,1,mask=m).pow(2).sum(), lambda: M.mean(x,1,mask=m)[[0,2]].sum(), lambda: M.softmax(x,1,mask=m)[[0,2]].pow(2).sum(), lambda: M.amax(x,1,mask=m)[[0,2]].sum(), lambda: M.var(x,1,mask=m)[[0,2]].sum(), lambda: M.prod(x,1,mask=m).sum(), lambda: M.logsumexp(x,1,mask=m)[[0,2]].sum(), lambda: M.norm(x,2,1,mask=m)[[0,2]].sum(), lambda: M.log_softmax(x,1,mask=m)[m].sum(), lambda: M.normalize(x,2.,1,mask=m).sum(), lambda: M.median(x,1,mask=m)[[0,2]].sum(), lambda: M.std(x,mask=m), lambda: M.cumsum(x,1,mask=m).sum()):
    try: print(torch.autograd.grad(f(),x)[0])
    except RuntimeError as e: print(type(e).__name__, str(e)[:100])

# ---- masked testing
torch.manual_seed(0)
from torch.masked import masked_tensor
a=masked_tensor(torch.tensor([1.,2]),torch.tensor([True,False]))
say("""
a.get_data().sum()
a.sum().get_data()
a.sum().item()
a.mean().get_mask()
a.to_tensor(0).sum()
str(a)
a.add(1).mul(2).to_tensor(-1)
a.sub(1)
a.rsub(1)
1/a
a.neg()
a.float()
a+True
a.square()
a.sqrt().sum()
a*a.get_data()
a.get_data()*a
a/torch.tensor(2.)
torch.stack([a,a]).sum(0)
a.expand(3,2).sum(0)
a.expand(3,2).mean(1)
a.unsqueeze(1).sum(0)
(a>1)
(a>1).sum()
(a>0).all()
a.requires_grad
a.is_leaf
len(a)
a.shape
torch.exp(a).sum()
torch.sum(a,0)
torch.sum(a,dim=0,keepdim=True)
torch.mean(a,dim=0)
torch.prod(a)
torch.amax(a)
torch.amax(a,0)
torch.argmax(a)
torch.argmax(a,0)
torch.var(a)
torch.std(a,0)
torch.norm(a)
torch.all(a>0)
torch.softmax(a,0)
torch.nn.functional.softmax(a,0)
torch.nn.functional.softmax(a,dim=0)
torch.where(a.get_mask(),a,a)
a.ndim
a.dim()
a.device
a.is_floating_point()
a.var(0,unbiased=False)
a.var(unbiased=False)
a.std(0,True)
a.var(0,correction=0)
a.sum(axis=0)
""")
