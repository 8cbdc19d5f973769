"""Making sparse tensors, converting and asking them. PyTorch 2.15 recorded `sparse_making.txt` from this file."""

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
C(i,v)
C([[0,1],[1,0]],[1,2])
C([[0,1],[1,0]],[1,2],dtype=torch.float64)
C([[0.5,1],[1,0]],[1,2])
C((2,3))
C(size=(2,3),dtype=torch.int32)
C([[0,-1],[1,0]],[1.,2.],(2,2))
C([[0,5],[1,0]],[1.,2.],(2,2))
C([[0,-1],[1,0]],[1.,2.])
C([[0,1],[1,0]],[1.,2.,3.])
C([[0,1],[1,0]],[1.,2.,3.],(2,2))
C([0,1],[1.,2.])
C([0,1],[1.,2.],(2,))
C([[0,1],[1,0]],[1.,2.],(2,2,2))
C([[0,1],[1,0]],[1.,2.],(2,))
C([[0,1],[1,0]],[[1.,2.],[3.,4.]])
C([[0,1],[1,0]],[[1.,2.],[3.,4.]],(2,2,3))
C([[0,1],[1,0]],[[1.,2.],[3.,4.]],(2,2,2))
C(torch.empty(2,0,dtype=torch.long),torch.empty(0),(3,4))
C(torch.empty(2,0,dtype=torch.long),torch.empty(0))
C([[0,5],[1,0]],[1.,2.],(2,2),check_invariants=True)
C([[0,-5],[1,0]],[1.,2.],(2,2),check_invariants=True)
C(i,v,requires_grad=True)
C(i,v.clone().requires_grad_())
C(i,v.clone().requires_grad_(),(2,3))
C(i,v,(2,3),is_coalesced=True).is_coalesced()
C(i.int(),v,(2,3))._indices().dtype
C(torch.empty(0,1,dtype=torch.long),T([5.]))
C([[0,1]],[True,False])
C([[0,1]],[1+2j,3])
C([[0,1]],[1,3],dtype=torch.half)
C([[0]],5.)
C([[0]],"a")
C([[0,1]],[1.,2.],[4])
C([[0,1]],[1.,2.],[-4])
sc.coalesce() is sc
s.is_coalesced()
d
d.coalesce()
d.to_dense()
d._nnz()
d.coalesce().indices()
d.coalesce().values()
x.to_sparse()
x.to_sparse(1)
x.to_sparse().is_coalesced()
x.to_sparse(3)
x.to_sparse(0)
x.to_sparse(-1)
T(5.).to_sparse()
x.to_sparse(layout=torch.sparse_csr)
x.to_sparse(layout=torch.strided)
x.to_sparse(layout=torch.sparse_coo)
x.to_sparse_csr()
x.to_sparse_csc()
x.to_sparse_bsr((1,3))
x.to_sparse_bsr((2,2))
x.to_sparse_bsr()
x.to_sparse_bsc((2,1))
torch.ones(2,2,2).to_sparse_csr()
torch.ones(2).to_sparse_csr()
x.to_sparse_csr().to_dense()
x.to_sparse_csr().to_sparse()
d.to_sparse_csr()
s.to_sparse() is s
s.to_sparse(1)
x.to_dense() is x
s.to_dense(dtype=torch.float64)
x.double().to_sparse()
x.to_sparse_csr().to_sparse_csc()
x.clone().requires_grad_().to_sparse()
x.clone().requires_grad_().to_sparse_csr()
x.clone().requires_grad_().to_sparse().to_dense()
x.clone().requires_grad_().to_sparse().values()
C(i,v.clone().requires_grad_(),(2,3)).coalesce()
x.clone().requires_grad_().to_sparse()._values()
s.layout
s.is_sparse
s.is_sparse_csr
s.shape
s.dtype
s.device
s.ndim
s.requires_grad
s.is_leaf
s.itemsize
s.T
s.is_coalesced()
s.sparse_dim()
s.dense_dim()
s._nnz()
s.numel()
s.dim()
s.size()
s._indices()
s._values()
s.indices()
s.values()
s.element_size()
s.stride()
s.storage_offset()
s.is_contiguous()
s.is_cuda
s.is_nested
s._version
s.get_device()
s.nelement()
s.type()
""".strip().split("\n"):
    say(text)
