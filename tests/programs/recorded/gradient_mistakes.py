"""Common mistakes with gradients."""
import torch, torch.nn as nn, torch.nn.functional as F, warnings
warnings.simplefilter('ignore')
def t(n,f):
    try: r=f(); print(n, r.detach().reshape(-1)[:6].tolist() if isinstance(r,torch.Tensor) else r)
    except Exception as e: print(n, type(e).__name__, str(e)[:300])
W=lambda: torch.ones(3,requires_grad=True)
def f():
    w=W(); y=w.exp(); y.add_(1); y.sum().backward()
t('exp inplace',f)
def f():
    w=W(); y=w*2; y.mul_(y); y.sum().backward(); return w.grad
t('mul self',f)
def f():
    w=W(); y=(w*2).sum(); y.backward(); y.backward()
t('twice',f)
def f():
    w=W(); h=w**2; a=h.sum(); b=h.mean(); a.backward(); b.backward()
t('shared',f)
def f():
    w=W(); w.data.add_(1); return (w*w).sum().backward() or w.grad
t('data',f)
def f():
    w=W(); y=w*w; w.data.mul_(3); y.sum().backward(); return w.grad
t('data after',f)
def f():
    w=W()
    with torch.no_grad(): y=w*2
    y.sum().backward()
t('nograd backward',f)
def f():
    w=W(); y=w*2; y.backward()
t('nonscalar',f)
def f():
    w=W(); y=w*2; y.backward(torch.ones(2))
t('badgrad',f)
def f():
    w=W(); y=w*2; y.retain_grad(); y.sum().backward(); return y.grad
t('retain',f)
def f():
    w=W(); y=w.detach(); y[0]=5; return (w*w).sum().backward() or w.grad
t('detach shares',f)
def f():
    w=W(); z=w*w; w.detach()[0]=5; z.sum().backward(); return w.grad
t('detach inplace saved',f)
def f():
    x=torch.zeros(3); w=W(); x[0]=w[0]*2; x.sum().backward(); return w.grad
t('setitem grad',f)
def f():
    x=torch.zeros(3); w=W(); x[:2]=w[:2]; x[1]=7; x.sum().backward(); return w.grad
t('setitem overwritten',f)
def f():
    w=W(); x=w.clone(); x[x>0]=0; x.sum().backward(); return w.grad
t('mask assign',f)
def f():
    w=W(); x=w.clone(); v=x[1:]; v*=3; x.sum().backward(); return w.grad
t('view mul',f)
def f():
    w=W(); x=w.clone(); v=x.view(3,1); x+=1; v.sum().backward(); return w.grad, type(v.grad_fn).__name__
t('base changed',f)
def f():
    w=torch.ones(3,requires_grad=True); o=torch.optim.SGD([w],lr=.1); l=(w*2).sum(); l.backward(); o.step(); l2=(w**2).sum(); l2.backward(); return w.grad
t('accumulate',f)
def f():
    w=W(); w.grad=torch.zeros(2)
t('grad shape',f)
def f():
    w=W(); w.grad=torch.ones(3,dtype=torch.float64)
t('grad dtype',f)
def f():
    w=W(); w=w.to(torch.float64); w.sum().backward(); return w.grad
t('nonleaf grad',f)
def f():
    w=torch.ones(3,dtype=torch.int64,requires_grad=True)
t('int grad',f)
def f():
    m=nn.Linear(2,2); o=torch.optim.SGD(m.parameters(),lr=.1); x=torch.ones(1,2); l=m(x).sum(); m.weight.data+=1; l.backward(); return m.weight.grad
t('param data',f)
def f():
    m=nn.Linear(2,2); x=torch.ones(1,2,requires_grad=True); l=m(x).sum()
    with torch.no_grad(): m.weight+=1
    l.backward(); return x.grad
def f():
    x=torch.ones(2,2,requires_grad=True); y=x.relu_()
t('relu_ leaf',f)
def f():
    x=torch.ones(2,2,requires_grad=True); y=F.relu(x*1,inplace=True); z=(x*1); r=F.relu(z,inplace=True)+z; r.sum().backward(); return x.grad
t('relu inplace',f)
def f():
    x=W(); y=x.sigmoid(); y.zero_(); y.sum().backward(); return x.grad
t('sigmoid zero_',f)
def f():
    x=W(); y=torch.tanh(x); y+=1; y.sum().backward()
t('tanh inplace',f)
def f():
    x=W(); y=x.sum(); y+=1; y.backward(); return x.grad
t('sum inplace',f)
def f():
    x=W(); return torch.autograd.grad((x**3).sum(),x,create_graph=True)[0].grad_fn is not None
t('create_graph',f)
def f():
    x=W(); y=x*2; del x; y.sum().backward(); return y.grad_fn.next_functions[0][0].variable.grad
t('variable',f)
def f():
    x=W(); y=x.numpy()
t('numpy',f)
def f():
    x=torch.ones(3); x.requires_grad=True; y=x.expand(2,3); y.add_(1)
t('expand inplace',f)
def f():
    x=torch.zeros(3); y=x.expand(2,3); y[0]=1; return y
t('expand assign',f)
def f():
    x=torch.arange(4.); x[1:]=x[:-1]; return x
t('overlap copy',f)
def f():
    x=torch.arange(4.); x[1:].add_(x[:-1]); return x
t('overlap add',f)
def f():
    x=torch.arange(4.); torch.add(x[1:],x[:-1],out=x[:-1]); return x
t('overlap out',f)
def f():
    l=[]; w=W()
    for i in range(3): l.append(w*i)
    s=torch.stack(l); s.sum().backward(); return w.grad
t('stack',f)
def f():
    with torch.inference_mode(): a=torch.ones(2)
    w=torch.ones(2,requires_grad=True); return (a*w).sum().backward()
t('inference saved',f)
def f():
    with torch.inference_mode(): a=torch.ones(2)
    a.add_(1)
t('inference inplace',f)
def f():
    w=W(); h=w.register_hook(lambda g: g*2); (w*3).sum().backward(); return w.grad
t('hook',f)
def f():
    w=W(); h=w.register_hook(lambda g: g.mul_(2) and None); (w*3).sum().backward(); return w.grad
t('hook inplace',f)
def f():
    w=W(); w.register_hook(lambda g: torch.ones(2)); (w*3).sum().backward(); return w.grad
def f():
    w=W(); torch.nn.utils.clip_grad_norm_(w,1.); (w*10).sum().backward(); n=torch.nn.utils.clip_grad_norm_(w,1.); return float(n), w.grad
t('clip',f)
def f():
    w=W(); a=w.max(); a.backward(); return w.grad
t('max ties',f)
def f():
    w=W(); a=w.amax(); a.backward(); return w.grad
t('amax ties',f)
def f():
    w=torch.zeros(3,requires_grad=True); w.abs().sum().backward(); return w.grad
t('abs 0',f)
def f():
    w=torch.zeros(3,requires_grad=True); w.norm().backward(); return w.grad
t('norm 0',f)
def f():
    w=torch.zeros(3,requires_grad=True); w.sqrt().sum().backward(); return w.grad
t('sqrt 0',f)
def f():
    w=torch.zeros(3,requires_grad=True); torch.where(w>0,w.log(),w).sum().backward(); return w.grad
t('where log',f)
def f():
    w=torch.zeros(2,requires_grad=True); (w/w).sum().backward(); return w.grad
t('0/0',f)
def f():
    w=W(); v=w.view(3); return v.is_leaf, v._is_view(), v._base is w, v._version
t('view attrs',f)
def f():
    x=torch.ones(3); v=x[:2]; v.add_(1); return x._version, v._version
t('versions',f)
def f():
    m=nn.BatchNorm1d(2); m.train(); m(torch.ones(1,2))
t('bn',f)
def f():
    m=nn.Linear(2,2); s=m.state_dict(); s['weight'].zero_(); return m.weight
t('state dict shares',f)
def f():
    p=nn.Parameter(torch.ones(2)); return p[:1].requires_grad, p.data.requires_grad, p.detach().is_leaf, p.clone().is_leaf
t('flags',f)
def f():
    w=W(); y=w*2; y.requires_grad=False
t('rg false',f)
def f():
    w=W(); y=w*2; y.detach_(); return y.requires_grad, y.is_leaf
t('detach_',f)
def f():
    w=W(); y=(w*2)[0]; y.detach_()
t('detach_ view',f)
def f():
    w=W(); w2=w.clone().detach().requires_grad_(True); return w2.is_leaf
t('clone detach',f)
def f():
    x=W(); y=x.clone(); y.set_(torch.ones(3)); return y
t('set_',f)
def f():
    x=W(); y=(x*2).resize_(2)
t('resize_',f)
def f():
    x=torch.ones(2,2,requires_grad=True); y=x.t(); y.mul_(2)
t('t inplace leaf',f)
def f():
    x=torch.ones(2,2,requires_grad=True); y=(x*1).t_(); return y.grad_fn.name()
t('t_',f)
def f():
    x=W(); s=torch.cuda.is_available(); return s
