"""Training with sparse gradients, embeddings, and files. PyTorch 2.15 recorded `sparse_training.txt` from this file."""

import io
import pickle
import warnings

import torch

warnings.simplefilter("ignore")


def run(make,steps=3,**k):
    torch.manual_seed(0)
    w=torch.nn.Parameter(torch.arange(8.).reshape(4,2)/4)
    try:
        o=make([w])
        for st in range(steps):
            o.zero_grad()
            idx=torch.tensor([[0,1,0],[2,2,2],[1,3,1]][st])
            l=(torch.nn.functional.embedding(idx,w,sparse=True)**2).sum(); l.backward()
            o.step()
        print([round(x,5) for x in w.detach().flatten().tolist()], {k:(v if not isinstance(v,torch.Tensor) else (str(v.layout), v.to_dense().tolist() if v.layout!=torch.strided else v.tolist())) for k,v in o.state[w].items()})
    except BaseException as e: print(type(e).__name__, str(e).split('\n')[0][:200].split(' This could')[0])
O=torch.optim
for n,f in {'sgd':lambda p:O.SGD(p,lr=.1),'mom':lambda p:O.SGD(p,lr=.1,momentum=.9),'momd':lambda p:O.SGD(p,lr=.1,momentum=.9,dampening=.5),'nest':lambda p:O.SGD(p,lr=.1,momentum=.9,nesterov=True),'wd':lambda p:O.SGD(p,lr=.1,weight_decay=.1),'max':lambda p:O.SGD(p,lr=.1,maximize=True),'foreach':lambda p:O.SGD(p,lr=.1,foreach=True),'fused':lambda p:O.SGD(p,lr=.1,fused=True),'sa':lambda p:O.SparseAdam(p,lr=.1),'sam':lambda p:O.SparseAdam(p,lr=.1,maximize=True),'ag':lambda p:O.Adagrad(p,lr=.1),'agd':lambda p:O.Adagrad(p,lr=.1,lr_decay=.1,initial_accumulator_value=.1),'agwd':lambda p:O.Adagrad(p,lr=.1,weight_decay=.1),'agm':lambda p:O.Adagrad(p,lr=.1,maximize=True)}.items(): print(n,end=' '); run(f)
for c in 'Adam AdamW Adamax NAdam RAdam RMSprop Rprop Adadelta ASGD Adafactor'.split():
    print(c,end=' '); run(lambda p:getattr(O,c)(p,lr=.1))
print('dense for sparse', end=' ')
w=torch.nn.Parameter(torch.ones(2)); o=O.SparseAdam([w]); w.sum().backward()
try: o.step()
except Exception as e: print(e)
try: O.SparseAdam([torch.ones(2,2).to_sparse()])
except Exception as e: print(type(e).__name__,e)
# embedding
e=torch.nn.Embedding(5,2,sparse=True,padding_idx=1); print(e, e.sparse)
with torch.no_grad(): e.weight.copy_(torch.arange(10.).reshape(5,2))
out=e(torch.tensor([[0,1],[3,0]])); print(out, out.grad_fn.name())
out.sum().backward(); print(e.weight.grad, e.weight.grad.is_coalesced())
e(torch.tensor([2,2])).sum().backward(); print(e.weight.grad, e.weight.grad.is_coalesced()); print(e.weight.grad.coalesce())
(e(torch.tensor([2,2])).sum()+e.weight.sum()).backward(); print(e.weight.grad)
e=torch.nn.Embedding(5,2,sparse=True); 
with torch.no_grad(): e.weight.copy_(torch.arange(10.).reshape(5,2))
(e(torch.tensor([2,2])).sum()+2*e(torch.tensor([0,2])).sum()).backward(); print(e.weight.grad, e.weight.grad.is_coalesced())
print(torch.nn.utils.clip_grad_norm_(e.parameters(),1.0)); print(e.weight.grad)
e.zero_grad(set_to_none=False); print(e.weight.grad)
e=torch.nn.Embedding(5,2,sparse=True,scale_grad_by_freq=True); e.weight.data.fill_(1)
try: e(torch.tensor([2,2,1])).sum().backward(); print(e.weight.grad)
except Exception as x: print(type(x).__name__,x)
b=torch.nn.EmbeddingBag(5,2,sparse=True,mode='mean'); b.weight.data.copy_(torch.arange(10.).reshape(5,2)); print(b)
o=b(torch.tensor([1,2,2,4]),torch.tensor([0,3])); print(o); o.sum().backward(); print(b.weight.grad)
b=torch.nn.EmbeddingBag(5,2,sparse=True,mode='sum'); b.weight.data.copy_(torch.arange(10.).reshape(5,2))
o=b(torch.tensor([[1,2],[2,4]])); print(o); o.sum().backward(); print(b.weight.grad)
try: torch.nn.EmbeddingBag(5,2,sparse=True,mode='max')(torch.tensor([[1,2],[2,4]]))
except Exception as x: print(type(x).__name__,x)
g=torch.autograd.grad(torch.nn.functional.embedding(torch.tensor([1]),w2:=torch.ones(3,2,requires_grad=True),sparse=True).sum(),w2); print(g)
w2.grad=g[0]; print(w2.grad.layout, w2.grad is g[0])
f=io.BytesIO(); s=torch.sparse_coo_tensor([[0,1]],[1.,2.],(3,)); torch.save({'a':s,'c':torch.eye(2).to_sparse_csr(),'p':torch.nn.Parameter(s)},f); f.seek(0); print(torch.load(f))
f.seek(0); print(len(f.getvalue())>0)
print(pickle.loads(pickle.dumps(s)))
print(torch.nn.Parameter(s))
print(repr(torch.sparse_coo), pickle.loads(pickle.dumps(torch.sparse_coo)) is torch.sparse_coo)
