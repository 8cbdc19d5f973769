"""Sums, products and quotients of sparse tensors. PyTorch 2.15 recorded `sparse_operators.txt` from this file."""

import copy
import io
import pickle
import warnings

import torch
import torch.nn.functional as F

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


T, C, SP, O = torch.tensor, torch.sparse_coo_tensor, torch.sparse, torch.optim
i, v = T([[0, 1, 1], [2, 0, 2]]), T([3.0, 4.0, 5.0])
s = C(i, v, (2, 3))
x = T([[0.0, 1.0, 0.0], [2.0, 0.0, 3.0]])
sx, r = x.to_sparse(), x.to_sparse_csr()
m = T([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
sm, rm = m.to_sparse(), m.to_sparse_csr()
vec = T([1.0, 2.0, 3.0])
d = C([[0, 0, 1], [1, 1, 0]], [1.0, 2.0, 3.0], (2, 3))
h = C([[0, 1], [1, 0]], [[1.0, 2.0], [3.0, 4.0]])
sc, dc = s.coalesce(), d.coalesce()
one = C([[0], [2]], [10.0], (2, 3))
u = C([[0, 0], [2, 2]], [10.0, 1.0], (2, 3))

for text in """
s@m
torch.mm(s,m)
torch.sparse.mm(s,m)
s@sm
torch.sparse.mm(s,sm)
torch.mm(s,sm)
torch.spmm(s,m)
m.T@s.t()
torch.mm(x,sm)
torch.mm(m,s)
m@s
torch.sparse.mm(m,s)
s@vec
torch.mv(s,vec)
vec@sm
s@vec[:2]
torch.mm(s,s)
s@s.t()
r@m
r@vec
r@rm
torch.sparse.mm(r,m)
torch.sparse.mm(r,rm)
m@r
torch.addmm(torch.ones(2,2),s,m)
torch.addmm(torch.ones(2,2),s,m,beta=2,alpha=3)
torch.sparse.addmm(torch.ones(2,2),s,m)
torch.addmm(torch.ones(2,2),r,m)
torch.addmm(torch.ones(2),s,m)
torch.addmm(sx@sm,s,sm)
torch.sparse.mm(s,m,"sum")
torch.sparse.mm(r,m,"sum")
torch.sparse.mm(r,m,"mean")
torch.sparse.mm(r,m,"amax")
torch.sparse.mm(r,m,"foo")
torch.bmm(torch.stack([s,s]),torch.stack([m,m]))
torch.hspmm(s,m)
torch.smm(s,m)
torch.sspaddmm(sx@sm,s,m)
torch.matmul(s,torch.stack([m,m]))
torch.dot(vec.to_sparse(),vec)
torch.sparse.mm(s.double(),m)
torch.sparse.mm(s.int(),m.int())
torch.nn.functional.linear(x,s)
torch.nn.functional.linear(s,x)
s.matmul(m)
s.mm(m)
torch.chain_matmul(s,m)
torch.sparse.mm(h,m)
torch.sparse.spsolve(r,vec)
torch.sparse.sampled_addmm(r,x@m@x if 0 else torch.ones(2,2),torch.ones(2,3))
r.t()
r.transpose(0,1)
r.transpose(0,1).layout
s+s
s+d
(s+d).is_coalesced()
sx+sx
(sx+sx).is_coalesced()
x+s
s+x
x-s
s-s
s-x
s*s
s*x
x*s
s*d
(s*x).is_coalesced()
s*2
2*s
s/2
s/s
s/x
x/s
2/s
s//2
s%2
s**2
s**0
s**-1
2**s
-s
abs(s)
s+0
1+s
s-1
1-s
s*T(2.)
T(2.)*s
s*T([2.])
s*vec
s*vec.to_sparse()
s*2.5
s.int()*2.5
s.int()/2
s*True
s+s.double()
s+s.int()
s.int()+s
s*s.double()
torch.add(s,s,alpha=3)
torch.sub(s,s,alpha=2)
s+T([[1.]]).to_sparse()
s+m.to_sparse()
r+r
r+x
x+r
r*2
r*r
r*x
x*r
r-r
-r
r/2
s+r
r+1
s==s
s!=0
s<1
s & s
~s
s.bool() & s.bool()
r==r
s.add(s)
s.mul(3)
s.clone().add_(s)
s.clone().mul_(2)
s.clone().div_(2)
s.clone().sub_(s)
s.clone().neg_()
x.clone().add_(s)
x.clone().sub_(s)
x.clone().mul_(s)
x.clone().add_(s,alpha=2)
s.clone().add_(x)
s.clone().mul_(x)
s.clone().zero_()
s.clone().abs_()
s.clone().sqrt_()
s.clone().pow_(2)
s.clone().copy_(d)
s.clone().copy_(x)
x.clone().copy_(s)
s.clone().fill_(2)
s.clone().resize_(3,3)
torch.floor_divide(s,2)
torch.true_divide(s,2)
torch.div(s,2,rounding_mode="floor")
torch.div(s,2,rounding_mode="trunc")
""".strip().split("\n"):
    say(text)
