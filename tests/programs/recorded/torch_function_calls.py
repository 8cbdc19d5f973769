"""Of which calls a class with `__torch_function__` hears, and the classes of their results."""
import io, torch, torch.nn.functional as F
log=[]
class L(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        log.append(func.__name__)
        return super().__torch_function__(func, types, args, kwargs or {})
def t(name, f):
    log.clear()
    try:
        r=f(); 
        rr = type(r).__name__
        if isinstance(r,tuple): rr+=str([type(x).__name__ for x in r])
    except Exception as e: rr=f"{type(e).__name__}: {e}"
    print(name, [str(x) for x in log], rr)
x=torch.tensor([[1.,2.],[3.,4.]]).as_subclass(L)
print(type(x))
for s in """x+1
1+x
x-1
1-x
x*2
2*x
x/2
2/x
x//2
x%2
x**2
2**x
x@x
-x
abs(x)
+x
~(x>1)
x>1
x==1
x!=x
x[0]
x[0,0]
len(x)
x.shape
x.size()
x.dim()
x.dtype
x.device
x.T
x.grad
x.requires_grad
x.data
x.is_leaf
x.grad_fn
x.sum()
x.max(0)
x.mean()
torch.add(x,1)
torch.sum(x)
torch.cat([x,x])
torch.stack([x,x])
torch.einsum('ij,jk->ik',x,x)
torch.split(x,1)
x.split(1)
torch.norm(x)
x.norm()
F.relu(x)
F.softmax(x,dim=0)
F.linear(x,x)
F.mse_loss(x,x)
F.dropout(x,0.)
torch.relu(x)
torch.nn.Linear(2,2)(x)
torch.nn.ReLU()(x)
float(x.sum())
int(x.sum())
bool(x.sum())
x.tolist()
x.numpy()
repr(x)
str(x)
f'{x.sum()}'
x.clone()
x.detach()
x.to('cpu')
x.float()
x.double()
x.cpu()
x.add_(1)
x.new_zeros(2)
torch.zeros_like(x)
torch.ones_like(x)
torch.as_tensor(x)
list(x)
x.unbind()
2 in x
hash(x) and 1
x.backward
x.view(-1)
x.reshape(4)
isinstance(x, torch.Tensor)
x.is_cuda
torch.is_tensor(x)
torch.equal(x,x)
torch.allclose(x,x)
x.where(x>0,x)
torch.where(x>0,x,0.)
x.masked_fill(x>0,0)
torch.linalg.norm(x)
torch.linalg.inv(x)
torch.fft.fft(x)
x.copy_(x)
x.sort()
torch.topk(x,1)
x.numel()
x.element_size()
x.unique()
torch.unique(x)
x.register_hook
x.requires_grad_()
x.stride()
x.is_contiguous()
x.contiguous()
x.nonzero()
x.storage_offset()
x.untyped_storage() and 1
x.argmax()
x.ndim
x.mT
x.real
x.itemsize
x.nbytes
torch.nn.Parameter(x)
x.__array__()
torch.tensordot(x,x)
torch.cdist(x,x)
torch.chunk(x,2)
x.expand(2,2)
x.rsub(1)
x.is_floating_point()
torch.is_floating_point(x)
torch.numel(x)
torch.sigmoid(x)
x.pow(2)
torch.matmul(x,x)
torch.max(x)
torch.max(x,0)
torch.manual_seed(0) and 1
x.stft
torch.rand_like(x)
torch.result_type(x,x)
x.type()
x.__dict__
x.foo
""".splitlines():
    t(s, lambda: eval(s))
def st(s):
    log.clear()
    try: exec(s, globals()); rr=''
    except Exception as e: rr=f"{type(e).__name__}: {e}"
    print(s.replace('\n','; '), [str(x) for x in log], rr)
for s in ["x[0]=1","x+=1","x.data=torch.ones(2,2)","x-=1","x*=2","x.requires_grad=True","y=(x*2).sum(); y.backward()","x.grad=None","del x.grad","x.foo=3","import copy; z=copy.copy(x)","z=copy.deepcopy(x.detach())","a,b=x","import pickle; pickle.dumps(x.detach())","torch.save(x.detach(), io.BytesIO())","for r in x: pass", "torch.autograd.grad(x.sum(), x)","torch.add(x.detach(),1,out=torch.empty(2,2))","x.retain_grad()"]:
    st(s)
