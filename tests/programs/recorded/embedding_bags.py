"""Embeddings over bags. PyTorch 2.15 recorded `embedding_bags.txt` from this file."""

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


# ---- EmbeddingBag modes 2D
torch.manual_seed(0)
import torch.nn as nn
w=torch.arange(20.).view(10,2)
x=torch.tensor([[1,2,4],[4,3,9]])
for m in ("sum","mean","max"):
    e=nn.EmbeddingBag.from_pretrained(w,mode=m); print(m,e(x)); print(e)

# ---- offsets
torch.manual_seed(0)
import torch.nn as nn
w=torch.arange(20.).view(10,2)
x=torch.tensor([1,2,4,5,4,3,2,9]); o=torch.tensor([0,4])
for m in ("sum","mean","max"):
    e=nn.EmbeddingBag.from_pretrained(w,mode=m); print(m,e(x,o)); print(e(x,torch.tensor([0,3,3,8]))); print(e(x,torch.tensor([0,0,5])))

# ---- include_last_offset
torch.manual_seed(0)
import torch.nn as nn
w=torch.arange(20.).view(10,2)
x=torch.tensor([1,2,4,5]);
for m in ("sum","mean","max"):
    e=nn.EmbeddingBag.from_pretrained(w,mode=m,include_last_offset=True); print(e(x,torch.tensor([0,2,4]))); print(e(x,torch.tensor([0,4,4])))
print(e)

# ---- padding_idx
torch.manual_seed(0)
import torch.nn as nn
w=torch.arange(20.).view(10,2)
x=torch.tensor([[1,2,2],[2,2,2]])
for m in ("sum","mean","max"):
    e=nn.EmbeddingBag(10,2,mode=m,padding_idx=2); print(e, e.weight[2]); e=nn.EmbeddingBag.from_pretrained(w,mode=m,padding_idx=2,freeze=False); y=e(x); print(y); y.sum().backward(); print(e.weight.grad)

# ---- negative padding_idx and out of range
torch.manual_seed(0)
import torch.nn as nn
say("""
torch.nn.EmbeddingBag(10,2,padding_idx=-1).padding_idx
torch.nn.EmbeddingBag(10,2,padding_idx=10)
torch.nn.EmbeddingBag(10,2,padding_idx=-11)
torch.nn.EmbeddingBag(10,2,mode='median')(torch.tensor([[1]]))
torch.nn.EmbeddingBag(10,2,mode='max',scale_grad_by_freq=True)(torch.tensor([[1]]))
torch.nn.EmbeddingBag(10,2,mode='max',sparse=True)(torch.tensor([[1]]))
torch.nn.EmbeddingBag(10,2)(torch.tensor([1,2]))
torch.nn.EmbeddingBag(10,2)(torch.tensor([[1,2]]),torch.tensor([0]))
torch.nn.EmbeddingBag(10,2)(torch.tensor([1,2]),torch.tensor([1]))
torch.nn.EmbeddingBag(10,2)(torch.tensor([1,2]),torch.tensor([0,5]))
torch.nn.EmbeddingBag(10,2)(torch.tensor([1,2]),torch.tensor([[0]]))
torch.nn.EmbeddingBag(10,2)(torch.tensor([1,20]),torch.tensor([0]))
torch.nn.EmbeddingBag(10,2)(torch.tensor([1.,2]),torch.tensor([0]))
torch.nn.EmbeddingBag(10,2)(torch.tensor([1,2]),torch.tensor([0.]))
torch.nn.EmbeddingBag(10,2)(torch.tensor([1,2]),torch.tensor([0],dtype=torch.int32))
torch.nn.EmbeddingBag(10,2)(torch.tensor([[[1,2]]]))
torch.nn.EmbeddingBag(10,2)(torch.tensor([1,2]),torch.tensor([0]),per_sample_weights=torch.ones(2))
torch.nn.EmbeddingBag(10,2,mode='sum')(torch.tensor([1,2]),torch.tensor([0]),per_sample_weights=torch.ones(3))
torch.nn.EmbeddingBag(10,2,mode='sum')(torch.tensor([1,2]),torch.tensor([0]),per_sample_weights=torch.ones(2).double())
torch.nn.EmbeddingBag(10,2,_weight=torch.ones(9,2))
torch.nn.EmbeddingBag.from_pretrained(torch.ones(3))
torch.nn.EmbeddingBag(10,2,mode='sum')(torch.tensor([],dtype=torch.long),torch.tensor([0]))
torch.nn.EmbeddingBag(10,2,mode='max')(torch.tensor([],dtype=torch.long),torch.tensor([0,0]))
""")

# ---- per_sample_weights gradient
torch.manual_seed(0)
import torch.nn as nn
w=torch.arange(20.).view(10,2)
e=nn.EmbeddingBag.from_pretrained(w,mode="sum",freeze=False)
psw=torch.tensor([[.5,1,2],[1,1,0]],requires_grad=True)
y=e(torch.tensor([[1,2,4],[4,3,9]]),per_sample_weights=psw); print(y); (y*y).sum().backward(); print(psw.grad, e.weight.grad)
psw=torch.tensor([.5,1,2,3],requires_grad=True)
y=e(torch.tensor([1,2,2,4]),torch.tensor([0,1]),psw); print(y); (y*y).sum().backward(); print(psw.grad)

# ---- per_sample_weights with padding_idx
torch.manual_seed(0)
import torch.nn as nn
e=nn.EmbeddingBag.from_pretrained(torch.arange(20.).view(10,2),mode="sum",freeze=False,padding_idx=4)
psw=torch.tensor([.5,1,2,3],requires_grad=True)
y=e(torch.tensor([1,4,2,4]),torch.tensor([0,2]),psw); print(y); (y*y).sum().backward(); print(psw.grad, e.weight.grad)

# ---- max grads with ties
torch.manual_seed(0)
import torch.nn as nn
w=torch.tensor([[1.,5],[1,2],[3,5],[0,9]])
e=nn.EmbeddingBag.from_pretrained(w,mode="max",freeze=False)
y=e(torch.tensor([0,1,2,0,3]),torch.tensor([0,2,2])); print(y); (y*torch.tensor([[1.,2],[3,4],[5,6]])).sum().backward(); print(e.weight.grad)

# ---- sparse grads + optimizer
torch.manual_seed(0)
import torch.nn as nn
for m in ("sum","mean"):
    e=nn.EmbeddingBag.from_pretrained(torch.arange(20.).view(10,2),mode=m,freeze=False,sparse=True)
    y=e(torch.tensor([1,2,2,4]),torch.tensor([0,1])); y.sum().backward(); print(e.weight.grad); print(e.weight.grad.coalesce()); print(e.weight.grad.to_dense())
    torch.optim.SGD(e.parameters(),lr=.1).step(); print(e.weight)
    e.weight.grad=None; y=e(torch.tensor([1,2,2,4]),torch.tensor([0,1])); y.sum().backward(); torch.optim.SparseAdam(e.parameters(),lr=.1).step(); print(e.weight)

# ---- scale_grad_by_freq, max_norm
torch.manual_seed(0)
import torch.nn as nn
e=nn.EmbeddingBag.from_pretrained(torch.arange(20.).view(10,2),mode="sum",freeze=False,scale_grad_by_freq=True)
y=e(torch.tensor([1,2,2,4]),torch.tensor([0,1])); y.sum().backward(); print(e.weight.grad)
e=nn.EmbeddingBag.from_pretrained(torch.arange(20.).view(10,2).clone(),mode="sum",freeze=False,max_norm=1.)
y=e(torch.tensor([1,2,2,4]),torch.tensor([0,1])); print(y); print(e.weight); print(e)

# ---- functional
torch.manual_seed(0)
import torch.nn.functional as F
w=torch.arange(6.).view(3,2)
say("""
F.embedding_bag(torch.tensor([[0,1]]),w)
F.embedding_bag(torch.tensor([[0,1]]),w,mode='sum')
F.embedding_bag(torch.tensor([0,1]),w,torch.tensor([0]),mode='max')
F.embedding_bag(torch.tensor([0,1]),w,torch.tensor([0,1]),None,2.,False,'sum')
F.embedding_bag(w,torch.tensor([0,1]),torch.tensor([0]))
F.embedding_bag(torch.tensor([0,1]),w,torch.tensor([0,2]),include_last_offset=True,padding_idx=0)
""")

# ---- state dict, deepcopy, double, text-classifier training
torch.manual_seed(0)
import torch.nn as nn
class T(nn.Module):
    def __init__(s):
        super().__init__(); s.embedding=nn.EmbeddingBag(20,8,sparse=False); s.fc=nn.Linear(8,3); s.init_weights()
    def init_weights(s):
        s.embedding.weight.data.uniform_(-.5,.5); s.fc.weight.data.uniform_(-.5,.5); s.fc.bias.data.zero_()
    def forward(s,t,o): return s.fc(s.embedding(t,o))
m=T(); print(m); print(list(m.state_dict()))
opt=torch.optim.SGD(m.parameters(),lr=5.); 
x=torch.tensor([1,2,3,4,5,6,7]); o=torch.tensor([0,3,5]); y=torch.tensor([0,2,1])
for i in range(4):
    opt.zero_grad(); l=nn.functional.cross_entropy(m(x,o),y); l.backward(); nn.utils.clip_grad_norm_(m.parameters(),.1); opt.step(); print(l.item())
print(m.embedding(x,o).grad_fn.name())

# ---- scale + padding + sparse
torch.manual_seed(0)
import torch.nn as nn
w=torch.randn(10,4)
x=torch.randint(10,(20,)); o=torch.tensor([0,5,5,13])
for kw in ({"scale_grad_by_freq":True},{"sparse":True,"padding_idx":3},{"scale_grad_by_freq":True,"padding_idx":3}):
  for m in ("sum","mean"):
    e=nn.EmbeddingBag.from_pretrained(w.clone(),mode=m,freeze=False,**kw)
    y=e(x,o); (y*y).sum().backward(); print(y); print(e.weight.grad)
e=nn.EmbeddingBag.from_pretrained(w.clone(),mode="mean",scale_grad_by_freq=True,freeze=False); y=e(x.view(4,5)); y.sum().backward(); print(e.weight.grad)
e=nn.EmbeddingBag(10,4,sparse=True); print(e); 
e=nn.EmbeddingBag(10,4,device="cpu",dtype=torch.float64); print(e(x.view(4,5)).dtype)
print(e(x.int(),o.int()).shape)
say("""
e(x.view(4,5),per_sample_weights=torch.ones(4,5))
e.forward(input=x,offsets=o).shape
""")
