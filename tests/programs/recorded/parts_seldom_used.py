"""What layers, schedulers, storages and hooks have besides what training needs. PyTorch 2.15 recorded
`parts_seldom_used.txt` from this file."""

import warnings
import torch
from torch import nn
from torch.utils.data import IterableDataset
warnings.showwarning = lambda m, c, f, l, file=None, line=None: print("WARN", c.__name__, str(m)[:70])
def tell(f):
    try: print("->", f())
    except Exception as e: print(type(e).__name__, str(e)[:90])
for m in (nn.LayerNorm((2,)), nn.LayerNorm(2, bias=False), nn.LayerNorm(2, elementwise_affine=False), nn.RMSNorm(2), nn.GroupNorm(1, 2), nn.PReLU(2, 0.3)):
    for p in m.parameters(): p.data.fill_(7.)
    m.reset_parameters(); print(type(m).__name__, [p.tolist() for p in m.parameters()])
m = nn.Linear(2, 1)
tell(lambda: m.xpu()); tell(lambda: m.ipu()); tell(lambda: torch.ones(1).xpu()); tell(lambda: torch.ones(1).mtia())
o = torch.optim.SGD(m.parameters(), 0.1, momentum=0.9); s = torch.optim.lr_scheduler.CyclicLR(o, 0.01, 0.1, 2)
print({k: v for k, v in o.param_groups[0].items() if k != "params"})
p = m.parameters(); list(p); print(nn.utils.clip_grad_norm_(p, 1.0))
print(torch.fft.fftfreq(0), torch.fft.fftfreq(3, 0.)); tell(lambda: IterableDataset())
s = torch.arange(3.).storage()
for n in "float double int long bool byte half bfloat16 complex_float short char".split(): print(n, getattr(s, n)().tolist(), getattr(s, n)().dtype)
print(s.type(), s.int().type(), s.resizable(), s.filename, s.untyped().float().tolist(), s.pickle_storage_type(), torch.ones(1).storage_type(), torch.ones(1).is_mkldnn)
m = nn.Linear(2, 2); x = torch.ones(1, 2, requires_grad=True)
for wrong in (torch.ones(9), torch.ones(1, 2).double(), 3.0):
    h = m.register_full_backward_hook(lambda s, i, o: (wrong,)); tell(lambda: m(x).sum().backward()); h.remove()
    h = m.register_full_backward_pre_hook(lambda s, o: (wrong,)); tell(lambda: m(x).sum().backward()); h.remove()
h = m.register_full_backward_hook(lambda s, i, o: (i[0] * 0 + 5,)); x.grad = None; m(x).sum().backward(); print(x.grad)
y = torch.rand(2, 3, 4, 5).to(memory_format=torch.channels_last); F = nn.functional
print(F.adaptive_max_pool2d(y, 2).stride(), [t.stride() for t in F.adaptive_max_pool2d(y, 2, return_indices=True)], F.interpolate(y, size=7, mode="bicubic").stride(), F.interpolate(y, size=7, mode="bilinear", antialias=True).stride(), F.interpolate(y.contiguous(), size=7, mode="bicubic").stride())
print(F.adaptive_max_pool2d(y.requires_grad_(), 2).grad_fn.name(), F.interpolate(y, size=7, mode="bicubic").grad_fn.name())
F.interpolate(y, size=3, mode="bicubic").sum().backward(); print(y.grad.stride())
