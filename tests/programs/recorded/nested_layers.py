"""Layers, gradients and programs over nested tensors. PyTorch 2.15 recorded `nested_layers.txt` from this file."""

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


# ---- embedding
torch.manual_seed(0)
import torch.nn as nn
ids=torch.nested.nested_tensor([torch.tensor([1,2,3]),torch.tensor([0])],layout=torch.jagged)
e=nn.Embedding(5,2); y=e(ids); print(y.shape==(2,ids.size(1),2), y.unbind()); y.sum().backward(); print(e.weight.grad)
b=nn.EmbeddingBag(5,2,mode="sum"); print(b(ids)); print(nn.functional.one_hot(ids,5) if False else "")

# ---- sdpa
torch.manual_seed(0)
import torch.nn.functional as F
q=torch.nested.nested_tensor([torch.randn(2,4),torch.randn(3,4)],layout=torch.jagged,requires_grad=True)
h=q.unflatten(-1,[2,2]).transpose(1,2); print(h.shape)
y=F.scaled_dot_product_attention(h,h,h); print(y.shape, y.is_nested); print(y.unbind()[0]); y.sum().backward(); print(q.grad.values())
out=y.transpose(1,2).flatten(-2); print(out.shape==q.shape, out.unbind())
say("""
F.scaled_dot_product_attention(h,h,h,attn_mask=torch.ones(2,2).bool())
F.scaled_dot_product_attention(h,h.detach()*1,torch.ones(2,2,3,2))
F.scaled_dot_product_attention(h,h,h,dropout_p=0.,scale=1.).shape==h.shape
""")

# ---- save/load, deepcopy, pickle
torch.manual_seed(0)
import io, copy, pickle
nt=torch.nested.nested_tensor([torch.ones(2),torch.zeros(3)],layout=torch.jagged)
c=copy.deepcopy(nt); print(c.unbind()); b=io.BytesIO(); torch.save(nt,b); b.seek(0)
try: print(torch.load(b, weights_only=False).unbind())
except Exception as e: print(type(e).__name__,str(e)[:80])
print(pickle.loads(pickle.dumps(nt)).unbind())

# ---- names
torch.manual_seed(0)
import torch.nested
say("""
torch.jagged
torch.nested.nested_tensor
sorted(torch.nested.__all__)
torch.strided
nt.values
torch.nested.nested_tensor([torch.ones(1)],layout='jagged')
torch.nested.nested_tensor([torch.ones(1)],layout=torch.sparse_csr)
""")

# ---- grads through unbind, select, padded mean
torch.manual_seed(0)
nt=torch.nested.nested_tensor([torch.arange(2.),torch.arange(3.)],layout=torch.jagged,requires_grad=True)
a,b=nt.unbind(); (a.sum()*2+b.pow(2).sum()).backward(); print(nt.grad.values()); print(a.grad_fn.name())
nt.grad=None; nt[1].sum().backward(); print(nt.grad, nt.grad.values())
nt.grad=None; nt.mean().backward(); print(nt.grad.values())
x=torch.autograd.grad((nt*nt).sum(),nt)[0]; print(x, x.values())
with torch.no_grad(): print((nt*2).requires_grad)
nt.requires_grad_(False); print(nt.requires_grad); nt.requires_grad=True; print(nt.requires_grad)
nt.grad.zero_(); print(nt.grad.values())
try: (nt*2).backward()
except RuntimeError as e: print(e)

# ---- linear layers and products over jagged
torch.manual_seed(0)
import torch.nn as nn, torch.nn.functional as F
nt=torch.nested.nested_tensor([torch.randn(2,4),torch.randn(3,4)],layout=torch.jagged,requires_grad=True)
l=nn.Linear(4,5); y=l(nt); print(y.shape, y.grad_fn.name()); print(y.unbind()); y.sum().backward(); print(l.weight.grad, l.bias.grad, nt.grad.values())
ln=nn.LayerNorm(4); z=ln(nt); print(z.unbind(), z.grad_fn.name())
seq=nn.Sequential(nn.Linear(4,8),nn.ReLU(),nn.Dropout(0.),nn.Linear(8,1)); print(seq(nt).shape)
nd=nt.detach()
try: print(F.layer_norm(nd,(nd.size(1),4)).unbind())
except Exception as e: print(type(e).__name__, str(e)[:150])
say("""
nd@torch.ones(4,2)
(nd@torch.ones(4,2)).unbind()
torch.matmul(nd,nd.transpose(1,2))
nd.transpose(1,2)@nd
torch.bmm(nd,torch.ones(2,4,3)).unbind()
torch.matmul(nd,torch.ones(2,4,3)).unbind()
torch.ones(2,4)@nd.transpose(1,2)
torch.bmm(nd.transpose(1,2),nd)
F.linear(nd,torch.ones(3,4)).unbind()
F.linear(nd,torch.ones(3,5))
F.normalize(nd,dim=-1).unbind()
torch.einsum('bij,jk->bik',nd,torch.ones(4,2))
nn.Tanh()(nd).shape==nd.shape
nn.GELU()(nd).shape==nd.shape
nn.Softmax(-1)(nd).shape==nd.shape
nd@torch.ones(4)
nd+torch.ones(2,3,4)
(nd+torch.ones(2,3,4)).unbind()
nd+torch.ones(1,3,4)
nd+torch.ones(5)
nd+torch.ones(2,2,3,4)
nd+torch.ones(2,4)
nd+torch.ones(1,4)
F.scaled_dot_product_attention(nd,nd,torch.ones(2,3,4))
F.mse_loss(nd,nd)
nd[0,0,0]
nd[torch.tensor([0,1])]
nd[None]
nd[...,1:2].shape
nd[...,None].shape
torch.cat([nd,nd],0)
torch.stack([nd,nd],2).shape
nd.narrow(1,0,1)
nd.view(3,-1,4)
nd.expand(3,-1,4)
nd.permute(0,2)
nd.permute(1,0,2)
nd.chunk(3,0)
nd.transpose(1,2).sum(2)
nd.transpose(1,2).softmax(2)
nd.min(1)
nd.argmax()
nd.var()
nd.is_pinned()
torch.isclose(nd,nd).shape
nd.tril()
""")

# ---- products and losses with gradients
torch.manual_seed(0)
import torch.nn as nn, torch.nn.functional as F
nt=torch.nested.nested_tensor([torch.randn(2,4),torch.randn(3,4)],layout=torch.jagged,requires_grad=True)
w=torch.randn(4,3,requires_grad=True); b=torch.randn(2,1,3,requires_grad=True)
y=torch.tanh(nt@w+b); y.to_padded_tensor(0.).pow(2).sum().backward(); print(nt.grad.values(), w.grad, b.grad)
nt.grad=None; torch.bmm(nt,torch.ones(2,4,3)*torch.arange(3.)).sum().backward(); print(nt.grad.values())
nt.grad=None; (nt.transpose(1,2)@nt).sum().backward(); print(nt.grad.values())
nt.grad=None; torch.cat([nt,nt*2],-1).chunk(2,-1)[1].sum().backward(); print(nt.grad.values())
nt.grad=None; nt.unflatten(-1,[2,2]).transpose(1,2).flatten(2 if False else -1).sum().backward(); print(nt.grad.values())
nt.grad=None; torch.where(nt>0,nt,nt*0.1).sum().backward(); print(nt.grad.values())
nt.grad=None; nt.amax(2).sum().backward(); print(nt.grad.values())

# ---- mha on nested
torch.manual_seed(0)
import torch.nn as nn
m=nn.MultiheadAttention(8,2,batch_first=True).eval(); 
ns=torch.nested.nested_tensor([torch.randn(2,8),torch.randn(3,8)]); nj=torch.nested.nested_tensor([torch.randn(2,8),torch.randn(3,8)],layout=torch.jagged)
with torch.no_grad():
    for t in (ns,nj):
        for kw in ({"need_weights":False},{}):
            try: y,w=m(t,t,t,**kw); print(y.is_nested, [u.shape for u in y.unbind()], w if w is None else w.shape); print(y.unbind()[0][0,:3])
            except Exception as e: print(type(e).__name__, str(e)[:160])
try: print(m(ns,ns,ns,need_weights=False))
except Exception as e: print(type(e).__name__, str(e)[:200])

# ---- encoder layer on nested
torch.manual_seed(0)
import torch.nn as nn
l=nn.TransformerEncoderLayer(8,2,16,batch_first=True).eval()
ns=torch.nested.nested_tensor([torch.randn(2,8),torch.randn(3,8)]); nj=torch.nested.nested_tensor([torch.randn(2,8),torch.randn(3,8)],layout=torch.jagged)
with torch.no_grad():
    for t in (ns,nj):
        try: y=l(t); print(y.is_nested, y.unbind()[0][0,:3])
        except Exception as e: print(type(e).__name__, str(e)[:160])
    e=nn.TransformerEncoder(l,2); 
    try: y=e(ns); print(y.is_nested, y.unbind()[0][0,:3])
    except Exception as e: print(type(e).__name__, str(e)[:160])

# ---- mha weights of nested
torch.manual_seed(0)
import torch.nn as nn
m=nn.MultiheadAttention(8,2,batch_first=True).eval(); ns=torch.nested.nested_tensor([torch.randn(2,8),torch.randn(3,8)])
with torch.no_grad():
    print(m(ns,ns,ns)); print(m(ns,ns,ns,average_attn_weights=False)[1])
    try: m(ns,ns*1,ns)
    except AssertionError as e: print(e)
    m.train()
    try: m(ns,ns,ns)
    except AssertionError as e: print(e)
l=nn.TransformerEncoderLayer(8,2,16,batch_first=True,norm_first=True,activation="gelu").eval()
with torch.no_grad(): print(l(ns)); print(nn.TransformerEncoder(l,2,norm=nn.LayerNorm(8))(ns).to_padded_tensor(0.))

# ---- tutorial: creation strided
torch.manual_seed(0)
nt = torch.nested.nested_tensor([torch.arange(12).reshape(2, 6), torch.arange(18).reshape(3, 6)], dtype=torch.float)
print(nt); print(f"{nt=}")
padded = torch.nested.to_padded_tensor(nt, padding=0.0); print(padded)
print(nt.is_nested, padded.is_nested, nt.size(0), nt.size(-1))
try: print(nt.size(1))
except RuntimeError as e: print(e)
print("First tensor component:", nt[0]); print("last column of 2nd:", nt[1][:, -1]); print("unbind", nt.unbind())
print(nt[1,1])

# ---- tutorial: reshape, transpose, others
torch.manual_seed(0)
nt = torch.nested.nested_tensor([torch.arange(12.).reshape(2, 6), torch.arange(18.).reshape(3, 6)])
r = nt.reshape(2, -1, 2, 3); print(r); print(nt.transpose(1, 2))
nt1=nt.transpose(1,2); print(torch.bmm(nt1, nt)); print(torch.matmul(nt,nt1))
n3=torch.matmul(nt,nt1); print(torch.nn.functional.dropout(n3,.0)); print(torch.softmax(n3,-1))

# ---- tutorial mha strided
torch.manual_seed(0)
import torch.nn.functional as F
def mha_nested(q,k,v,H,Wq,Wk,Wv,Wo,bq=None,bk=None,bv=None,bo=None,p=0.):
    N=q.size(0); Eh=Wq.size(0)//H
    q=F.linear(q,Wq,bq); k=F.linear(k,Wk,bk); v=F.linear(v,Wv,bv)
    q=q.reshape(N,-1,H,Eh).transpose(1,2); k=k.reshape(N,-1,H,Eh).transpose(1,2); v=v.reshape(N,-1,H,Eh).transpose(1,2)
    w=torch.matmul(q,k.transpose(-1,-2))*(Eh**-.5)
    w=F.softmax(w,dim=-1); w=F.dropout(w,p=p)
    o=torch.matmul(w,v)
    o=o.transpose(1,2).reshape(N,-1,H*Eh)
    return F.linear(o,Wo,bo)
q=torch.nested.nested_tensor([torch.randn(2,8),torch.randn(3,8)])
Ws=[torch.randn(8,8) for _ in range(4)]
y=mha_nested(q,q,q,2,*Ws); print(y)
c=lambda w: F.linear(q,w).reshape(2,-1,2,4).transpose(1,2).contiguous()
z=F.scaled_dot_product_attention(*(c(w) for w in Ws[:3])).transpose(1,2).reshape(2,-1,8); print(z)

# ---- grads strided
torch.manual_seed(0)
a=torch.ones(2,3,requires_grad=True); b=torch.ones(4,3,requires_grad=True)
nt=torch.nested.as_nested_tensor([a,b]); y=torch.nn.Linear(3,2)(nt).to_padded_tensor(0.); y.sum().backward(); print(a.grad.shape,b.grad.shape)
n=torch.nested.nested_tensor([torch.ones(2),torch.ones(3)],requires_grad=True); (n*n).to_padded_tensor(0.).sum().backward(); print(n.grad)
print(n, n.grad_fn, (n*2).grad_fn.name()); print(n.detach(), n.requires_grad)

# ---- strided others
torch.manual_seed(0)
n=torch.nested.nested_tensor([torch.arange(6.).view(2,3),torch.arange(3.).view(1,3)])
say("""
torch.nested.narrow(torch.arange(12.).view(3,4),1,1,2)
torch.nested.narrow(torch.arange(12.).view(3,4),1,1,2,layout=torch.strided)
torch.nested.as_nested_tensor(n,layout=torch.jagged)
torch.nested.as_nested_tensor(n)
torch.nested.as_nested_tensor(torch.ones(3))
torch.nested.nested_tensor([[1,2],[3]])
n.to(torch.float64).dtype
n.cpu() is n
n.layout
n.is_contiguous()
n.sum(-1,keepdim=True)
torch.nn.functional.relu(n)
torch.nn.functional.gelu(n)
torch.relu(n)
n.unbind()[0]
n.size(2)
n*n
n*2+1
n*torch.tensor(2.)
n+torch.ones(3)
torch.nn.LayerNorm(3)(n)
n.contiguous().is_contiguous()
torch.nn.functional.softmax(n,dim=-1)
torch.cat([n,n],0)
torch.stack([n,n])
n.chunk(3,-1)
n.to_padded_tensor(0.,output_size=(2,3,4)).shape
n==n
n.cos()
n.exp()
n.mean(-1)
list(n)
len(n)
n.numel()
torch.is_tensor(n)
isinstance(n,torch.Tensor)
n.masked_fill(n.abs()>1,0)
n.squeeze(1)
n.unsqueeze(1).unbind()[0].shape
n.flatten(1)
n.view(2,-1,3)
n.view(-1)
n.expand(2,-1,3)
n.to_padded_tensor(0,None)
""")

# ---- transformer encoder on jagged built from padded data
torch.manual_seed(0)
import torch.nn as nn
lens=torch.tensor([3,1,2]); pad=torch.randn(3,3,4)
vals=torch.cat([pad[i,:n] for i,n in enumerate(lens)]); off=torch.cat([torch.zeros(1,dtype=torch.long),lens.cumsum(0)])
nt=torch.nested.nested_tensor_from_jagged(vals,off,max_seqlen=3,min_seqlen=1); print(nt.shape, nt.to_padded_tensor(0.).shape)
m=(torch.arange(3)[None]<lens[:,None]); print(torch.allclose(nt.to_padded_tensor(0.), pad*m[...,None]))
print(nt.sum(1)/nt.offsets().diff()[:,None]); print(nt.mean(1))
B,L,D=nt.shape; print(B,L,D); print(nt.view(B,L,2,2).transpose(1,2).shape)

# ---- loss over jagged values
torch.manual_seed(0)
import torch.nn as nn, torch.nn.functional as F
nt=torch.nested.nested_tensor([torch.randn(2,4),torch.randn(3,4)],layout=torch.jagged)
tgt=torch.nested.nested_tensor([torch.tensor([0,1]),torch.tensor([2,1,0])],layout=torch.jagged)
net=nn.Linear(4,3); logits=net(nt); loss=F.cross_entropy(logits.values(),tgt.values()); print(loss); loss.backward()
print(logits.values().argmax(-1)==tgt.values()); print((logits.argmax(-1).values()==tgt.values()).shape)

# ---- dataloader collate to jagged
torch.manual_seed(0)
from torch.utils.data import DataLoader
ds=[torch.arange(n+1.) for n in range(5)]
for b in DataLoader(ds,batch_size=2,collate_fn=lambda x: torch.nested.nested_tensor(x,layout=torch.jagged)): print(b.shape[0], b.unbind(), b.to_padded_tensor(-1))

# ---- inplace, setitem, grads
torch.manual_seed(0)
nt=torch.nested.nested_tensor([torch.zeros(2),torch.zeros(3)],layout=torch.jagged)
nt[0]=5; print(nt.values()); nt[1][0]=7; print(nt.values()); nt.values().add_(1); print(nt.values()); nt.values()[0]=100; print(nt.unbind())
t=torch.nested.nested_tensor([torch.ones(2),torch.ones(3)],layout=torch.jagged,requires_grad=True)
try: (t*2).backward()
except RuntimeError as e: print(e)
g=torch.autograd.grad((t*t).sum(),t)[0]; print(g, g.values())
with torch.no_grad(): t.add_(1); print((t*2).requires_grad)
print(t.values().detach(), t.is_leaf)
h=t.register_hook(lambda g: g*10); (t*1).sum().backward(); print(t.grad.values())
c=t.clone(); print(c.requires_grad, t.detach().requires_grad); 
print(t.float() is t, t.double().dtype, t.to(torch.float16).grad_fn.name())

# ---- shape texts in f-strings and comparisons
torch.manual_seed(0)
nt=torch.nested.nested_tensor([torch.zeros(2,3),torch.zeros(3,3)],layout=torch.jagged)
o=torch.nested.nested_tensor_from_jagged(torch.ones(5,3),nt.offsets())
print(nt.shape==o.shape, (nt+o).shape, nt.size()[1]==o.size()[1], f"{nt.size(0)} {nt.size(2)}", nt.shape[0], nt.shape[-1])
print(torch.cat([nt,o],-1).shape, torch.where(nt>0,nt,o).sum(), nt.max(), (nt+o).softmax(1).sum(1))
print(nt.dim(), nt.ndim, nt.is_nested, nt.layout==torch.jagged, nt.layout is torch.jagged, str(nt.layout), nt.dtype, nt.device)

# ---- list of mixed devices / dtypes / requires_grad
torch.manual_seed(0)
say("""
torch.nested.nested_tensor([torch.ones(2),torch.ones(3).double()],layout=torch.jagged)
torch.nested.nested_tensor([torch.ones(2),torch.ones(3).int()])
torch.nested.nested_tensor([torch.ones(2),[1.,2]],layout=torch.jagged).values()
torch.nested.nested_tensor([torch.ones(2,dtype=torch.int64)],layout=torch.jagged,requires_grad=True)
torch.nested.nested_tensor((torch.ones(2),torch.ones(3)),layout=torch.jagged).shape[0]
torch.nested.nested_tensor([torch.ones(2)],layout=torch.jagged,device='cpu').device
torch.nested.nested_tensor([torch.ones(2)],layout=torch.jagged,dtype=torch.float16).dtype
torch.nested.nested_tensor([],layout=torch.jagged)
""")
