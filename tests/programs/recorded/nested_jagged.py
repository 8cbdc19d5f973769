"""Nested tensors of the jagged layout: making, sizes, padding, elementwise functions, reductions, shapes. PyTorch 2.15 recorded `nested_jagged.txt` from this file."""

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


# ---- creation and printing
torch.manual_seed(0)
a,b=torch.arange(6.).view(2,3),torch.arange(12.).view(4,3)+10
nt=torch.nested.nested_tensor([a,b],layout=torch.jagged)
print(nt); print(nt.shape, nt.dtype, nt.layout, nt.device, nt.is_nested, nt.dim(), nt.ndim, nt.requires_grad, nt.is_leaf, len(nt), type(nt))
print(nt.offsets(), nt.lengths(), nt.values()); print(nt.size(0), nt.size(1), nt.size(2), nt.size(-1), nt.numel(), nt.stride(), nt.is_contiguous())
print(nt.unbind()); print(nt[0], nt[1]); print([t.shape for t in nt])

# ---- repr forms and grad
torch.manual_seed(0)
nt=torch.nested.nested_tensor([torch.ones(2),torch.ones(3)],layout=torch.jagged,requires_grad=True)
print(nt); print((nt*2).grad_fn.name()); print(str(nt), f"{nt}"); print(nt.is_leaf)
(nt*nt).sum().backward(); print(nt.grad); print(nt.grad.values())

# ---- shape identity
torch.manual_seed(0)
a,b=torch.ones(2,3),torch.ones(4,3)
nt=torch.nested.nested_tensor([a,b],layout=torch.jagged); n2=torch.nested.nested_tensor([a,b],layout=torch.jagged)
print(nt.shape, n2.shape, nt.shape==nt.shape, nt.shape==n2.shape, (nt*2).shape==nt.shape, nt.size(1)==nt.size(1), nt.size(1)==n2.size(1), nt.size(1)==3)
say("""
nt+n2
nt.size(1)
type(nt.size(1))
nt.size(1)*2
nt.size(1)+1
nt.size(1)>1
nt.size(1)>=2
nt.size(1)<5
int(nt.size(1))
bool(nt.size(1))
tuple(nt.shape)
list(nt.shape)
nt.shape[0]
nt.shape[2:]
nt.size(3)
""")

# ---- from jagged
torch.manual_seed(0)
v=torch.arange(10.).view(5,2); o=torch.tensor([0,2,5])
nt=torch.nested.nested_tensor_from_jagged(v,offsets=o); print(nt); print(nt.unbind())
nl=torch.nested.nested_tensor_from_jagged(v,lengths=torch.tensor([2,3])); print(nl, nl.offsets(), nl.lengths())
nb=torch.nested.nested_tensor_from_jagged(v,offsets=torch.tensor([0,2,4]),lengths=torch.tensor([1,2])); print(nb, nb.lengths(), nb.unbind(), nb.is_contiguous())
say("""
torch.nested.nested_tensor_from_jagged(v)
torch.nested.nested_tensor_from_jagged(v,o)
torch.nested.nested_tensor_from_jagged(v,torch.tensor([0,2,3]))
torch.nested.nested_tensor_from_jagged(v,o,jagged_dim=1)
torch.nested.nested_tensor_from_jagged(v.t(),o,jagged_dim=2).shape
torch.nested.nested_tensor_from_jagged(v.t(),o,jagged_dim=2).unbind()
torch.nested.nested_tensor_from_jagged(v,o,min_seqlen=2,max_seqlen=3)
torch.nested.nested_tensor_from_jagged(v,o,jagged_dim=3)
torch.nested.nested_tensor_from_jagged(v,torch.tensor([[0,2,5]]))
torch.nested.nested_tensor_from_jagged(v,[0,2,5])
torch.nested.nested_tensor_from_jagged(v,o.int())
torch.nested.nested_tensor_from_jagged([1],o)
torch.nested.nested_tensor_from_jagged(v,lengths=torch.tensor([2,3]))._max_seqlen
nt._get_max_seqlen()
nt._min_seqlen
nb._max_seqlen
""")

# ---- from_jagged autograd
torch.manual_seed(0)
v=torch.randn(5,2,requires_grad=True); o=torch.tensor([0,2,5])
nt=torch.nested.nested_tensor_from_jagged(v,o); print(nt.requires_grad, nt.is_leaf, nt.grad_fn.name())
(nt*3).sum().backward(); print(v.grad)
v.grad=None; nt=torch.nested.nested_tensor_from_jagged(v,o); nt.values().sum().backward(); print(v.grad); print(nt.values().grad_fn.name())

# ---- as_nested_tensor
torch.manual_seed(0)
a=torch.arange(3.,requires_grad=True); b=torch.arange(5.,requires_grad=True)
nt=torch.nested.as_nested_tensor([a,b],layout=torch.jagged); print(nt.shape, nt.is_leaf)
buffer=torch.cat([torch.ones_like(a),torch.zeros_like(b)]); fake=torch.nested.nested_tensor_from_jagged(buffer,nt.offsets()); nt.backward(fake); print(a.grad,b.grad)
c=torch.randn(3,5,requires_grad=True); n2=torch.nested.as_nested_tensor(c,layout=torch.jagged); print(n2.shape, n2.offsets(), n2.values().shape)
n2.sum().backward(); print(c.grad)
say("""
torch.nested.as_nested_tensor(nt,layout=torch.jagged) is nt
torch.nested.as_nested_tensor(nt,layout=torch.strided)
torch.nested.as_nested_tensor(nt,layout=torch.jagged,dtype=torch.float64)
torch.nested.as_nested_tensor([a,b],layout=torch.sparse_coo)
torch.nested.as_nested_tensor(torch.ones(3),layout=torch.jagged)
torch.nested.as_nested_tensor((a,b),layout=torch.jagged)
torch.nested.as_nested_tensor([1,2],layout=torch.jagged)
torch.nested.as_nested_tensor([],layout=torch.jagged)
torch.nested.as_nested_tensor([torch.ones(2,3),torch.ones(2,4)],layout=torch.jagged)
torch.nested.as_nested_tensor([torch.ones(2,3),torch.ones(3)],layout=torch.jagged)
torch.nested.as_nested_tensor([torch.tensor(1.),torch.tensor(2.)],layout=torch.jagged)
torch.nested.as_nested_tensor([torch.ones(2,3),torch.ones(3,4)],layout=torch.jagged)
torch.nested.as_nested_tensor([torch.ones(2),torch.ones(3).double()],layout=torch.jagged)
torch.nested.as_nested_tensor(torch.ones(2,3,4),layout=torch.jagged).shape
torch.nested.nested_tensor([[1.,2],[3.]],layout=torch.jagged).values()
torch.nested.nested_tensor([[1,2],[3]],layout=torch.jagged)
torch.nested.nested_tensor([a,b],layout=torch.jagged,dtype=torch.float64).dtype
torch.nested.nested_tensor([],layout=torch.jagged)
torch.nested.nested_tensor([torch.ones(2,2),torch.ones(3,3)],layout=torch.jagged)
torch.nested.nested_tensor([torch.ones(2),torch.ones(0)],layout=torch.jagged).unbind()
torch.nested.nested_tensor(torch.ones(2,3),layout=torch.jagged)
torch.nested.nested_tensor([torch.ones(2,requires_grad=True)],layout=torch.jagged).requires_grad
torch.nested.nested_tensor(5,layout=torch.jagged)
""")

# ---- to_padded_tensor
torch.manual_seed(0)
a,b=torch.arange(6.).view(2,3),torch.arange(12.).view(4,3)
nt=torch.nested.nested_tensor([a,b],layout=torch.jagged,requires_grad=True)
print(nt.to_padded_tensor(-1.)); print(torch.nested.to_padded_tensor(nt,0.)); print(nt.to_padded_tensor(0,output_size=(2,5,3)))
say("""
nt.to_padded_tensor(0,(2,3,3))
nt.to_padded_tensor(0,(2,5,4))
nt.to_padded_tensor(0.).grad_fn.name()
torch.nested.to_padded_tensor(torch.nested.nested_tensor([torch.ones(2),torch.ones(1)],layout=torch.jagged),0)
torch.nested.to_padded_tensor(torch.nested.nested_tensor([torch.tensor([1,2]),torch.tensor([3])],layout=torch.jagged),-1)
nt.transpose(1,2).to_padded_tensor(0.)
""")
nt.to_padded_tensor(0.).sum().backward(); print(nt.grad.values())

# ---- narrow
torch.manual_seed(0)
x=torch.arange(15.).view(3,5); 
nt=torch.nested.narrow(x,1,torch.tensor([0,1,2]),torch.tensor([2,3,1]),layout=torch.jagged); print(nt, nt.offsets(), nt.lengths(), nt.is_contiguous()); print(nt.unbind()); print(nt.values())
c=nt.contiguous(); print(c, c.values())
say("""
torch.nested.narrow(x,1,0,torch.tensor([2,3,1]),layout=torch.jagged).unbind()
torch.nested.narrow(x,1,1,2,layout=torch.jagged).unbind()
torch.nested.narrow(x,0,0,torch.tensor([2,3,1]),layout=torch.jagged)
torch.nested.narrow(x,1,0,torch.tensor([2,3,1]))
torch.nested.narrow(x,1,0,torch.tensor([2,3,1]),layout=torch.strided)
torch.nested.narrow(x,2,0,torch.tensor([2,3,1]),layout=torch.jagged)
torch.nested.narrow(x,1,0,torch.tensor([2,3]),layout=torch.jagged)
torch.nested.narrow(x,1,torch.tensor([0,1]),torch.tensor([2,3]),layout=torch.jagged)
(nt*2)
nt.sum()
nt.to_padded_tensor(0.)
torch.nested.narrow(x[...,None].expand(3,5,2),1,0,torch.tensor([2,3,1]),layout=torch.jagged).to_padded_tensor(0.)
nt.contiguous().to_padded_tensor(0.)
nt+nt
nt.sin()
""")

# ---- masked_select
torch.manual_seed(0)
t=torch.arange(12.).view(3,4); m=t%2==0
say("""
torch.nested.masked_select(t,m)
torch.nested.masked_select(t,m).unbind()
torch.nested.masked_select(t,m).offsets()
torch.nested.masked_select(t,torch.tensor([True,False,True,True])).unbind()
torch.nested.masked_select(t,m.int())
""")

# ---- elementwise
torch.manual_seed(0)
nt=torch.nested.nested_tensor([torch.arange(6.).view(2,3),torch.arange(3.).view(1,3)],layout=torch.jagged)
o=nt*2
for e in "nt+nt;nt+1;1+nt;nt-nt;2-nt;nt*nt;nt/2;1/nt;nt**2;-nt;nt+o;nt.abs();nt.exp();torch.sin(nt);torch.relu(nt);torch.sigmoid(nt);nt.tanh();nt.sqrt();nt==o;nt>1;nt<o;nt.clamp(0,1);torch.nn.functional.gelu(nt);torch.nn.functional.silu(nt);torch.nn.functional.relu(nt);nt.masked_fill(nt>1,0.);torch.where(nt>1,nt,o);nt.float();nt.double();nt.half();nt.long();nt.to(torch.int32);nt.clone();nt.detach();nt.add(nt,alpha=2);nt//2;nt%2;torch.maximum(nt,o);nt.isnan();~(nt>1);(nt>1)&(nt<4);nt+torch.ones(3);nt*torch.tensor(2.);nt+torch.ones(2,1,3);nt+torch.ones(2,1,1);torch.ones(3)*nt;nt.log();nt.pow(o);torch.add(nt,1);torch.nan_to_num(nt);nt.bool();nt.round();nt.floor();nt.sign();nt.neg();torch.nn.functional.leaky_relu(nt);torch.nn.functional.elu(nt);torch.nn.functional.softplus(nt);torch.nn.functional.dropout(nt,0.);torch.nn.functional.tanh(nt);torch.ones_like(nt);torch.zeros_like(nt);torch.full_like(nt,3.);torch.empty_like(nt).shape==nt.shape;torch.rand_like(nt).shape==nt.shape;torch.randn_like(nt).shape==nt.shape;nt.add_(1);nt.mul_(2);nt.zero_();nt.fill_(2);nt.copy_(o);torch.logical_not(nt);nt.ne(1);nt.reciprocal();nt.square();nt.cos();nt.rsqrt();nt.expm1();nt.log1p();nt.erf();nt.bfloat16();torch.nn.functional.hardtanh(nt);torch.nn.functional.logsigmoid(nt);nt.type_as(o.double());torch.lerp(nt,o,.5);nt.addcmul(nt,nt);torch.nn.functional.mse_loss(nt,o);torch.nn.functional.threshold(nt,1,0);torch.allclose(nt,nt);nt.cumsum(2);nt.sort(-1);nt.argmax(-1);nt.topk(1,-1)".split(";"):
    try:
        r=eval(e)
        print(e, "->", (r.unbind() if r.layout==torch.jagged else r) if isinstance(r,torch.Tensor) else r)
    except Exception as x: print(e, "!!", type(x).__name__, str(x).split("resolutions.")[0].split("\n")[0][:200])

# ---- reductions
torch.manual_seed(0)
nt=torch.nested.nested_tensor([torch.arange(6.).view(2,3),torch.arange(3.).view(1,3)],layout=torch.jagged)
for e in "nt.sum();nt.sum(0);nt.sum(1);nt.sum(2);nt.sum(-1);nt.sum(-1,keepdim=True);nt.sum(1,keepdim=True);nt.sum((1,2));nt.sum((0,1));nt.sum((0,1,2));nt.sum(dim=1);nt.sum((0,2));nt.mean();nt.mean(0);nt.mean(1);nt.mean(2);nt.mean(-1,keepdim=True);nt.mean((1,2));nt.mean(1,keepdim=True);nt.amax(1);nt.amax(2);nt.amin(1);nt.max();nt.min();nt.max(1);nt.max(dim=2);nt.argmax(1);nt.any();nt.all();nt.any(1);(nt>1).all(1);nt.all(2);nt.prod();nt.prod(1);nt.var(-1);nt.std(-1);nt.var(1);nt.norm();nt.norm(dim=-1);nt.logsumexp(-1);nt.softmax(-1);nt.softmax(1);torch.softmax(nt,dim=1);torch.nn.functional.softmax(nt,dim=2);torch.nn.functional.softmax(nt,dim=0);torch.nn.functional.log_softmax(nt,-1);torch.nn.functional.log_softmax(nt,1);nt.count_nonzero();nt.median();nt.cumsum(1);torch.nn.functional.normalize(nt,dim=-1);torch.sum(nt,1);torch.mean(nt,1);nt.aminmax();nt.sum(1,dtype=torch.float64)".split(";"):
    try:
        r=eval(e)
        print(e, "->", (r.unbind() if r.layout==torch.jagged else r) if isinstance(r,torch.Tensor) else r)
    except Exception as x: print(e, "!!", type(x).__name__, str(x).split("resolutions.")[0].split("\n")[0][:200])

# ---- shapes
torch.manual_seed(0)
nt=torch.nested.nested_tensor([torch.arange(12.).view(2,6),torch.arange(6.).view(1,6)],layout=torch.jagged)
for e in "nt.transpose(1,2);nt.transpose(1,2).shape;nt.transpose(0,1);nt.transpose(-1,-2).transpose(1,2);nt.mT.shape;nt.permute(0,2,1).shape;nt.unsqueeze(-1).shape;nt.unsqueeze(1).shape;nt.unsqueeze(0).shape;nt.unsqueeze(2);nt.squeeze();nt.squeeze(-1).shape;nt.unsqueeze(-1).squeeze(-1).shape;nt.view(2,-1,2,3);nt.view(2,-1,2,3).shape;nt.reshape(2,-1,2,3).shape;nt.view(-1,6);nt.reshape(-1);nt.flatten(1,2);nt.unflatten(-1,(2,3)).shape;nt.unflatten(-1,[2,3]).transpose(1,2).shape;nt.unflatten(-1,[2,3]).transpose(1,2).transpose(1,2).flatten(-2).shape;nt.view(nt.size(0),nt.size(1),2,3).shape;nt.reshape(nt.shape[0],nt.shape[1],3,2).shape;nt.expand(2,-1,6).shape;nt.chunk(2,-1);nt.chunk(2,0);nt.chunk(2,1);nt.split(3,-1);nt.split([2,4],-1);nt.split(1,0);nt[0];nt[-1];nt[5];nt[:,0];nt[...,0];nt[:,:,1:3];nt[0:1];nt[:,0:1];nt[0,1];nt[0,:,2];nt.select(0,1);nt.select(-1,0);nt.select(1,0);nt.narrow(-1,0,2);nt.narrow(0,0,1);nt.unbind(0);nt.unbind(1);torch.cat([nt,nt],-1);torch.cat([nt,nt],0);torch.cat([nt,nt],1);torch.stack([nt,nt]);torch.stack([nt,nt],-1).shape;nt.flatten();nt.contiguous().is_contiguous();nt.transpose(1,2).is_contiguous();nt.transpose(1,2).contiguous().shape;nt.index_select(0,torch.tensor([1]));nt[torch.tensor([1,0])];nt.repeat(1,1,2);nt.flip(-1);nt.roll(1,-1);nt.gather(-1,nt);nt.numpy();nt.tolist();nt.item();nt.to_dense();nt.view_as(nt).shape;nt.expand_as(nt).shape;nt.reshape_as(nt).shape;nt.size();nt.stride();nt.storage_offset();nt.data_ptr()!=0;nt.element_size();nt.nbytes;nt.is_cuda;nt.is_floating_point();len(nt);list(nt);bool(nt.is_nested);nt.movedim(1,2).shape;nt.swapaxes(1,2).shape;torch.is_tensor(nt);nt.to('cpu') is nt;nt.cpu() is nt;nt.float() is nt;nt.data;nt.type();nt.new_zeros(2);nt.new_empty(1).shape;nt.is_same_size(nt);nt.dim();nt.nelement();torch.numel(nt);nt.flatten(0,1).shape;nt.flatten(2);nt.flatten(-2)".split(";"):
    try:
        r=eval(e)
        print(e, "->", (r.unbind() if r.layout==torch.jagged else r) if isinstance(r,torch.Tensor) else [x.unbind() if x.is_nested else x for x in r] if isinstance(r,(tuple,list)) and not isinstance(r,torch.Size) and r and isinstance(r[0],torch.Tensor) else r)
    except Exception as x: print(e, "!!", type(x).__name__, str(x).split("resolutions.")[0].split("\n")[0][:200])
