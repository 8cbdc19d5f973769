"""Reductions, views, indexing, joining and functions of one sparse tensor. PyTorch 2.15 recorded `sparse_shapes.txt` from this file."""

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
s.sum()
s.sum(0)
s.sum(1)
s.sum((0,1))
s.sum(0,keepdim=True)
d.sum(1).is_coalesced()
h.sum(2)
h.sum(0)
SP.sum(s)
SP.sum(s,0)
SP.sum(s,(0,1))
SP.sum(s,1)
SP.sum(h,[0,1])
SP.sum(h,2)
SP.sum(h,(0,2))
SP.sum(s,dtype=torch.double)
SP.sum(s,5)
SP.sum(x)
SP.sum(s.int())
SP.sum(s.int(),0)
r.sum()
r.sum(0)
r.sum(1)
r.sum(1,keepdim=True)
SP.sum(r)
SP.softmax(s,1)
SP.softmax(s,0)
SP.softmax(s,-1)
SP.log_softmax(s,1)
SP.softmax(d,1)
SP.softmax(h,2)
SP.softmax(h,1)
SP.softmax(s,1,dtype=torch.double)
SP.softmax(x,1)
SP.softmax(s,2)
torch.softmax(s,1)
F.softmax(s,1)
s.norm()
torch.norm(s)
torch.norm(s,1)
s.norm(2,0)
torch.linalg.vector_norm(s)
s.t()
s.transpose(0,1)
torch.transpose(s,0,1)
s.t().is_coalesced()
sx.t().is_coalesced()
h.t()
h.transpose(0,1)
h.transpose(0,2)
s.permute(1,0)
s.permute(0,0)
s.permute(1)
s.T
s.mT
s.H
s.swapaxes(0,1)
s.unsqueeze(0)
s.unsqueeze(2)
s.unsqueeze(3)
s.squeeze()
s.index_select(0,T([1,0]))
s.index_select(1,T([2]))
s.index_select(1,T([2,2]))
s.index_select(0,T([5]))
h.index_select(2,T([1,1]))
torch.index_select(d,0,T([0,0]))
s.select(0,1)
s.select(1,2)
s[1]
s[:,0]
s[1,2]
s[0:1]
s[...]
s[None]
s[T([1,0])]
s[[0]]
s[s.to_dense()>0]
s[-1]
s[5]
h[0]
h[0,1]
h[...,0]
r[0]
r[0,1]
r[0:1]
torch.cat([s,d])
torch.cat([s,d],1)
torch.cat([s,d],2)
torch.cat([s,x])
torch.cat([s,m.to_sparse()])
torch.cat([h,h],2)
torch.stack([s,d])
torch.stack([s,d],1)
torch.stack([s,d],2)
torch.vstack([s,d])
torch.hstack([s,d])
torch.cat([r,r])
s.narrow(0,1,1)
s.narrow_copy(0,1,1)
s.narrow_copy(1,0,2)
s.chunk(2)
s.split(1)
s.unbind()
torch.zeros_like(s)
torch.ones_like(s)
torch.empty_like(s)
torch.rand_like(s)
torch.full_like(s,1)
torch.zeros(2,3,layout=torch.sparse_coo)
torch.empty(2,3,layout=torch.sparse_coo)
torch.ones(2,3,layout=torch.sparse_coo)
torch.zeros(2,3,layout=torch.sparse_csr)
torch.zeros_like(x,layout=torch.sparse_coo)
s.new_zeros(2)
s.new_zeros(2,2)
s.new_tensor([1.])
s.new_empty(2)
s.clone()
s.clone().is_coalesced()
sx.clone().is_coalesced()
s.detach()
s.to(torch.double)
s.to(torch.float) is s
s.double()
s.float() is s
s.long()
s.to("cpu") is s
s.cpu() is s
s.type()
s.type(torch.int64)
r.double()
r.to(torch.int)
s.bool()
s.is_pinned()
s.is_contiguous()
s.contiguous()
sx.contiguous()
r.is_contiguous()
r.contiguous()
s.data
s.any()
d.any(0)
s.all()
s.isnan()
s.isinf()
s.sign()
s.signbit()
s.relu()
F.relu(s)
F.relu(d)
torch.sqrt(d)
torch.sin(d)
torch.tanh(d)
torch.cos(d)
torch.exp(d)
torch.expm1(d)
torch.log1p(d)
torch.log(d)
torch.sigmoid(d)
torch.round(d)
torch.floor(s)
torch.square(s)
s.square()
s.pow(2)
d.pow(2)
s.abs()
s.neg()
torch.positive(s)
+s
s.clamp(0,1)
s.max()
s.min()
s.amax()
s.mean()
s.std()
s.prod()
s.cumsum(0)
s.argmax()
s.nonzero()
s.count_nonzero()
s.sort()
s.topk(1)
torch.where(x>0,s,s)
s.tril()
s.triu()
s.diag()
s.diagonal()
s.trace()
s.flatten()
s.view(-1)
s.reshape(-1)
s.expand(2,3)
s.repeat(2,1)
s.flip(0)
s.roll(1)
s.gather(1,T([[0]]))
s.masked_fill(x>0,0)
s.masked_select(x>0)
s.equal(s)
torch.equal(s,s)
torch.allclose(s,s)
torch.isclose(s,s)
torch.is_nonzero(s)
s.numpy()
s.tolist()
s.item()
T([5.]).to_sparse().item()
C('a')
C([[0, 1]])
float(T([5.]).to_sparse())
list(s)
len(s)
s.storage()
s.untyped_storage()
s.data_ptr()
s.numel()
str(s)==repr(s)
format(s)
s.sparse_mask(d)
x.sparse_mask(d)
x.sparse_mask(sx)
m.sparse_mask(sx)
x.sparse_mask(x)
x.sparse_mask(r)
s.sparse_mask(sx)
r.sparse_mask(r)
s.clone().sparse_resize_((3,4),2,0)
s.clone().sparse_resize_((1,1),2,0)
s.clone().sparse_resize_and_clear_((5,5),2,0)
x.is_coalesced()
x.sparse_dim()
x.dense_dim()
x._nnz()
x._indices()
x._values()
x.values()
x.crow_indices()
s.crow_indices()
r.indices()
r._indices()
r._nnz()
r.values()
r.crow_indices()
r.col_indices()
r.ccol_indices()
r.sparse_dim()
r.dense_dim()
r.coalesce()
r.is_coalesced()
r.layout
r.is_sparse
r.is_sparse_csr
r.stride()
r.type()
torch.is_tensor(s)
torch.numel(s)
isinstance(s,torch.Tensor)
type(s)
s.size(0)
s.size(-1)
s.size(5)
s.dim()
s.as_strided((1,),(1,))
s.random_()
s.uniform_()
torch.sum(s,0)
torch.diag(s)
torch.kron(s,s)
torch.outer(vec.to_sparse(),vec)
s.addmm(s,m)
F.dropout(s)
torch.nan_to_num(s)
s.bernoulli()
s.element_size()
copy.copy(s)
copy.deepcopy(d)
copy.deepcopy(d).is_coalesced()
""".strip().split("\n"):
    say(text)


def flagged(text):
    t = eval(text)
    print(text, t._indices().tolist(), t._values().tolist(), t.is_coalesced())


for text in """
s*d
sc*dc
sc*d
d*sc
s*dc
s*one
one*s
s*u
u*s
sc*u
s*sx
sx*sc
u*u
s*x
sc*x
sc*2
-sc
sc/2
sc+sc
sc.double()
sc.t()
torch.cat([sc,sc])
sc.unsqueeze(0)
x.sparse_mask(sc)
sc[1]
sx@sm
sc.sum(0)
sc.narrow_copy(0,1,1)
sc.detach()
torch.stack([sc])
torch.zeros_like(sc)
C([[0]],[1.])
C((2,3))
sc.clone()
d+d
u+s
s+u
sc*0
s.abs()
d.isnan()
sc.permute(0,1)
sc.sum(0,keepdim=True)
""".strip().split("\n"):
    flagged(text)
