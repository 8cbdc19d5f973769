"""Padding and packing sequences. PyTorch 2.15 recorded `padded_sequences.txt` from this file."""

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


# ---- pad_sequence forms
torch.manual_seed(0)
from torch.nn.utils.rnn import *
a,b,c=torch.ones(3,2),torch.arange(4.).view(2,2),torch.zeros(1,2)
say("""
pad_sequence([a,b,c])
pad_sequence([a,b,c],batch_first=True)
pad_sequence([a,b,c],True,-1.)
pad_sequence([a,b,c],batch_first=True,padding_side='left')
pad_sequence([a,b,c],padding_value=7,padding_side='left')
pad_sequence([a,b,c],padding_side='middle')
pad_sequence((a,b))
pad_sequence(torch.ones(2,3))
pad_sequence([])
pad_sequence([1,2])
pad_sequence(5)
pad_sequence([torch.tensor([1,2]),torch.tensor([3])],True)
pad_sequence([torch.tensor([1,2]),torch.tensor([3])],True,padding_value=0.5)
pad_sequence([torch.tensor([True,False]),torch.tensor([True])],True)
pad_sequence([torch.ones(2,2),torch.ones(2,3)])
pad_sequence([torch.tensor([1,2]),torch.tensor([3.])],True)
pad_sequence([torch.tensor(1),torch.tensor(2)])
""")

# ---- unpad_sequence
torch.manual_seed(0)
from torch.nn.utils.rnn import *
p=pad_sequence([torch.ones(3,2),torch.arange(4.).view(2,2)])
say("""
unpad_sequence(p,torch.tensor([3,2]))
unpad_sequence(p.transpose(0,1),torch.tensor([3,2]),batch_first=True)
unpad_sequence(p,[3,2])
unpad_sequence(p,torch.tensor([3]))
unpad_sequence(p,torch.tensor([5,1]))
unpack_sequence(pack_sequence([torch.ones(3,2),torch.ones(1,2)]))
unpack_sequence(pack_sequence([torch.ones(1,2),torch.ones(3,2)],enforce_sorted=False))
""")

# ---- pack_padded_sequence
torch.manual_seed(0)
from torch.nn.utils.rnn import *
x=torch.arange(12.).view(3,2,2)
say("""
pack_padded_sequence(x,[3,1])
pack_padded_sequence(x,[1,3])
pack_padded_sequence(x,[1,3],enforce_sorted=False)
pack_padded_sequence(x,torch.tensor([3,2]))
pack_padded_sequence(x,torch.tensor([3,0]))
pack_padded_sequence(x,torch.tensor([3]))
pack_padded_sequence(x,torch.tensor([3.,2.]))
pack_padded_sequence(x,torch.tensor([[3,2]]))
pack_padded_sequence(x,[3,2,1],batch_first=True)
pack_padded_sequence(x,[2,2,1],batch_first=True)
pack_padded_sequence(x,[2,1,2],batch_first=True,enforce_sorted=False)
pack_padded_sequence(x,(3,2))
pack_padded_sequence(torch.tensor(1.),[1])
pack_padded_sequence(x,3)
pack_padded_sequence([1],[1])
pack_padded_sequence(x,torch.tensor([3,2],dtype=torch.int32))
""")

# ---- pack_sequence
torch.manual_seed(0)
from torch.nn.utils.rnn import *
a,b,c=torch.tensor([1,2,3]),torch.tensor([4,5]),torch.tensor([6])
say("""
pack_sequence([a,b,c])
pack_sequence([c,a,b])
pack_sequence([c,a,b],enforce_sorted=False)
pack_sequence([])
pad_packed_sequence(pack_sequence([c,a,b],enforce_sorted=False))
pad_packed_sequence(pack_sequence([c,a,b],enforce_sorted=False),batch_first=True,padding_value=-1,total_length=5)
pad_packed_sequence(pack_sequence([a,b,c]),total_length=2)
pad_packed_sequence(pack_sequence([a,b,c]),batch_first=True)
pad_packed_sequence(a)
""")

# ---- PackedSequence methods
torch.manual_seed(0)
from torch.nn.utils.rnn import *
p=pack_sequence([torch.tensor([1.]),torch.tensor([4.,5.])],enforce_sorted=False)
say("""
p
p.data
p.batch_sizes
p.sorted_indices
p.unsorted_indices
p.is_cuda
p.is_pinned()
p.double()
p.float() is p
p.half()
p.int()
p.long()
p.short()
p.char()
p.byte()
p.cpu() is p
p.cpu()
p.to(torch.float64)
p.to('cpu') is p
p.to('cpu',torch.float16)
p.to(p.data.double())
p.pin_memory
p._replace(data=p.data*2)
p[0]
p[1]
p[2]
len(p)
tuple(p)
p._asdict()
p._fields
isinstance(p,tuple)
p==p
invert_permutation(torch.tensor([2,0,1]))
invert_permutation(None)
PackedSequence(torch.ones(3),torch.tensor([2,1]))
PackedSequence(torch.ones(3))
PackedSequence(torch.ones(3),torch.tensor([2,1]),torch.tensor([1,0]))
PackedSequence(torch.ones(3),torch.tensor([2,1]),torch.tensor([1,0]),torch.tensor([1,0]))
type(p)
p.bfloat16()
p.bool()
p.numel()
p.shape
""")
import pickle,copy
q=copy.deepcopy(p); print(q)

# ---- packed through LSTM and back, grads
torch.manual_seed(0)
from torch.nn.utils.rnn import *
import torch.nn as nn
l=nn.LSTM(2,3,batch_first=True,bidirectional=True,num_layers=2)
x=torch.randn(3,4,2,requires_grad=True)
p=pack_padded_sequence(x,[2,4,1],batch_first=True,enforce_sorted=False)
o,(h,c)=l(p)
print(type(o).__name__, o.data.shape, o.batch_sizes, o.sorted_indices, h.shape)
y,n=pad_packed_sequence(o,batch_first=True)
print(y.shape,n)
y.sum().backward(); print(x.grad)
print(y.grad_fn.name() if hasattr(y.grad_fn,'name') else y.grad_fn, p.data.grad_fn.name())

# ---- packed through GRU and RNN with h0
torch.manual_seed(0)
from torch.nn.utils.rnn import *
import torch.nn as nn
g=nn.GRU(2,3)
p=pack_sequence([torch.ones(2,2),torch.zeros(3,2)],enforce_sorted=False)
h0=torch.arange(6.).view(1,2,3)
o,h=g(p,h0); print(pad_packed_sequence(o)); print(h)
r=nn.RNN(2,3,nonlinearity='relu'); o,h=r(p); print(o); print(h)

# ---- packed as embedding input; typical text classifier
torch.manual_seed(0)
from torch.nn.utils.rnn import *
import torch.nn as nn
emb=nn.Embedding(10,4,padding_idx=0); lstm=nn.LSTM(4,5,batch_first=True); fc=nn.Linear(5,2)
seqs=[torch.tensor([1,2,3]),torch.tensor([4]),torch.tensor([5,6])]
lens=torch.tensor([len(s) for s in seqs])
x=pad_sequence(seqs,batch_first=True)
packed=pack_padded_sequence(emb(x),lens,batch_first=True,enforce_sorted=False)
_,(h,_)=lstm(packed); out=fc(h[-1]); loss=nn.functional.cross_entropy(out,torch.tensor([0,1,0])); loss.backward()
print(loss, emb.weight.grad)

# ---- lengths on wrong device-type and from len list errors
torch.manual_seed(0)
from torch.nn.utils.rnn import *
say("""
pack_padded_sequence(torch.ones(2,2,1),torch.tensor([2,-1]))
pad_packed_sequence(pack_sequence([torch.ones(2,1)]),total_length=4)
pad_packed_sequence(pack_sequence([torch.ones(2,1)]),padding_value=float('nan'),total_length=3)
pack_padded_sequence(torch.ones(0,2,1),[0,0])
pack_padded_sequence(torch.ones(2,2),[2,1])
pack_padded_sequence(torch.ones(2,2).int(),[2,1])
pack_padded_sequence(torch.ones(2),[2])
pack_padded_sequence(input=torch.ones(2,1),lengths=[2],batch_first=False)
pack_padded_sequence(input=torch.ones(1,2),lengths=[2],batch_first=True,enforce_sorted=True)
""")
