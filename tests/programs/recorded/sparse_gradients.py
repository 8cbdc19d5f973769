"""Gradients through sparse operators, and which of them are sparse. PyTorch 2.15 recorded `sparse_gradients.txt` from this file."""

import warnings

import torch

warnings.simplefilter("ignore")
T, C = torch.tensor, torch.sparse_coo_tensor
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
mm = torch.sparse.mm


def shown(t, alone):
    if t is None:
        return None
    # Of several gradients, the last one to be stored is taken over without its flag.
    coalesced = t.is_coalesced() if alone and t.layout is torch.sparse_coo else ""
    count = t._nnz() if t.layout is not torch.strided else ""
    return str(t.layout), coalesced, count, t.to_dense().tolist()


def gr(name, function, *inputs):
    """The node of a result, and the gradients of what it's made of."""
    leaves = [t.clone().detach() for t in inputs]
    leaves = [t.requires_grad_() if t.is_floating_point() else t for t in leaves]
    try:
        out = function(*leaves)
        print(name, "=>", out.grad_fn.name() if out.grad_fn else None, out.layout,
              out.is_coalesced() if out.layout is torch.sparse_coo else "")
        dense = out if out.layout is torch.strided else out.to_dense()
        (dense * (torch.arange(dense.numel(), dtype=dense.dtype).reshape(dense.shape) + 1)).sum().backward()
        for leaf in leaves:
            print("   ", shown(leaf.grad, len(leaves) == 1))
    except Exception as error:
        print(name, "!!", type(error).__name__ + ":", str(error).split("resolutions.")[0].split(chr(10))[0])


gr('mm s m',mm,s,m)
gr('@ s m',torch.matmul,s,m)
gr('torch.mm',torch.mm,s,m)
gr('mm d m',mm,d,m)
gr('mm coal',mm,sx,m)
gr('ss',mm,sx,sm)
gr('ss un',mm,s,sm)
gr('addmm',torch.sparse.addmm,torch.ones(2,2),s,m)
gr('t addmm',torch.addmm,torch.ones(2,2),s,m)
gr('mv',torch.mv,s,vec)
gr('r m',mm,r,m)
gr('r@m',torch.matmul,r,m)
gr('m s',torch.mm,m,s)
gr('bmm',torch.bmm,torch.stack([s,s]),torch.stack([m,m]))
gr('sum',torch.sparse.sum,s)
gr('sum0',lambda t:torch.sparse.sum(t,0),s)
gr('sum1',lambda t:torch.sparse.sum(t,1),d)
gr('sumh',lambda t:torch.sparse.sum(t,(0,1)),h)
gr('sumh2',lambda t:torch.sparse.sum(t,2),h)
gr('t.sum',lambda t:t.sum(),s)
gr('t.sum0',lambda t:t.sum(0),s)
gr('softmax',lambda t:torch.sparse.softmax(t,1),s)
gr('logsm',lambda t:torch.sparse.log_softmax(t,1),s)
gr('sm0',lambda t:torch.sparse.softmax(t,0),s)
gr('smh',lambda t:torch.sparse.softmax(t,2),h)
gr('todense',lambda t:t.to_dense(),s)
gr('tosparse',lambda t:t.to_sparse(),x)
gr('tocsr',lambda t:t.to_sparse_csr(),x)
gr('coal',lambda t:t.coalesce(),d)
gr('vals',lambda t:t.coalesce().values(),d)
gr('ctor',lambda t:C(i,t,(2,3)),v)
gr('ctor dup',lambda t:C([[0,0,1],[1,1,0]],t,(2,3)),v)
gr('csr ctor',lambda t:torch.sparse_csr_tensor([0,1,3],[1,0,2],t,(2,3)),v)
gr('s+s',lambda a,b:a+b,s,d)
gr('x+s',lambda a,b:a+b,x,s)
gr('s*s',lambda a,b:a*b,s,sx)
gr('s*x',lambda a,b:a*b,s,x)
gr('s*2',lambda a:a*2,s)
gr('s/2',lambda a:a/2,s)
gr('-s',lambda a:-a,s)
gr('t',lambda a:a.t(),s)
gr('transpose',lambda a:a.transpose(0,1),s)
gr('isel',lambda a:a.index_select(0,T([1,1])),s)
gr('cat',lambda a,b:torch.cat([a,b]),s,d)
gr('stack',lambda a,b:torch.stack([a,b]),s,d)
gr('relu',lambda a:a.relu(),s)
gr('sin',lambda a:a.sin(),sx)
gr('sqrt',lambda a:a.sqrt(),sx)
gr('pow',lambda a:a.pow(2),sx)
gr('abs',lambda a:a.abs(),sx)
gr('norm',lambda a:a.norm(),s)
gr('mask',lambda a:a.sparse_mask(sx),x)
gr('sel',lambda a:a[1],s)
gr('sel2',lambda a:a[1,2],s)
gr('unsq',lambda a:a.unsqueeze(0),s)
gr('double',lambda a:a.double(),s)
gr('clone',lambda a:a.clone(),s)
gr('permute',lambda a:a.permute(1,0),s)
gr('sampled',lambda a,b,c:torch.sparse.sampled_addmm(a,b,c),r,torch.ones(2,2),torch.ones(2,3))
gr('narrowc',lambda a:a.narrow_copy(0,0,1),s)
gr('mul_ vec',lambda a,b:a*b,s,vec)
gr('x*s',lambda a,b:a*b,x,s)
gr('zeros',lambda a:torch.zeros_like(a),s)
gr('r*2',lambda a:a*2,r)
gr('r+r',lambda a,b:a+b,r,r)
gr('sub',lambda a,b:a-b,s,d)
gr('sin un',lambda a:a.sin(),d)
gr('tanh',lambda a:a.tanh(),sx)
gr('hspmm',torch.hspmm,s,m)
gr('smm',torch.smm,s,m)
gr('todense2',lambda t:t.to_dense(),d)
gr('csr dense',lambda t:t.to_dense(),r)
gr('csr vals',lambda t:t.values(),r)
gr('reduce',lambda a,b:mm(a,b,'mean'),r,m)
gr('mm x s', torch.mm,x,sm)
