"""Grad modes that decorate generators and classes, and what anomaly mode and mark_dirty refuse."""
import torch, warnings
warnings.simplefilter('always')
def t(name, f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter('always')
        try:
            print(name, '->', f())
        except Exception as e:
            print(name, '!!', type(e).__name__, str(e))
        for i in w: print('   warn', i.category.__name__, str(i.message))
class Q:
    def __init__(self, a): self.g = torch.is_grad_enabled(); self.a = a
def mk(m):
    R = m(Q); return R, R(3).g if isinstance(R, type) or callable(R) else None
t('a', lambda: torch.no_grad()(Q)(3).g)
t('a2', lambda: torch.no_grad(Q)(3).g)
t('b', lambda: type(torch.no_grad()(Q)).__name__)
t('c', lambda: torch.inference_mode()(Q)(3).g)
t('c2', lambda: torch.inference_mode(Q)(3).g)
t('d', lambda: torch.set_grad_enabled(False)(Q)(3).g); print(torch.is_grad_enabled()); torch.set_grad_enabled(True)
t('e', lambda: torch.enable_grad(Q)(3).g)
@torch.no_grad()
def gen(n):
    try:
        for i in range(n):
            r = yield (i, torch.is_grad_enabled()); print('got', r, torch.is_grad_enabled())
    except ValueError as e:
        print('caught', e); yield 'x'
    finally: print('fin', torch.is_grad_enabled())
    return 'ret'
g = gen(3); print(torch.is_grad_enabled(), next(g), torch.is_grad_enabled(), g.send(5), torch.is_grad_enabled()); print(g.throw(ValueError('v')))
try: next(g)
except StopIteration as e: print(e.value)
g = gen(2); next(g); g.close(); print(torch.is_grad_enabled(), gen.__name__)
def outer(): return (yield from gen(1))
print(list(outer()))
@torch.enable_grad()
def g2():
    yield torch.is_grad_enabled()
with torch.no_grad(): print(list(g2()), torch.is_grad_enabled())
@torch.inference_mode()
def g3(): yield torch.ones(1).is_inference()
print(list(g3()))
@torch.autocast('cpu', dtype=torch.bfloat16)
def g4(): yield torch.is_autocast_enabled('cpu')
print(list(g4()), torch.is_autocast_enabled('cpu'))
@torch.set_grad_enabled(False)
def g5(): yield torch.is_grad_enabled()
print(list(g5()), torch.is_grad_enabled())


class Unreturned(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.mark_dirty(a)
        return a + 1


t('dirty', lambda: Unreturned.apply(torch.ones(2, requires_grad=True).clone()))
for mode in ('x', 1, torch.tensor(True)):
    t('anomaly', lambda: torch.autograd.set_detect_anomaly(mode))
print(torch.is_anomaly_enabled())
