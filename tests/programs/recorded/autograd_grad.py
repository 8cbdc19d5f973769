# torch.autograd.grad of batches, iterators and dictionaries; once_differentiable; gradcheck after its module was imported.
import torch
x=torch.arange(3.,requires_grad=True); w=torch.ones(2,requires_grad=True)
y=x**2
J=torch.autograd.grad(y,x,torch.eye(3),is_grads_batched=True)
print(J)
y=torch.stack([x.sum()*2,(x**3).sum()])
print(torch.autograd.grad([y],(t for t in [x]),[torch.eye(2)],is_grads_batched=True,create_graph=True)[0].detach())
print(torch.autograd.grad(x.sum(),{'a':x}))
print(torch.autograd.grad(x.sum(),[x,w],materialize_grads=True,create_graph=True))
print(torch.autograd.grad((t for t in [x.sum(),(x*x).sum()]),iter([x])))
m=torch.nn.Linear(3,2)
for f in [lambda: torch.autograd.grad(x.sum(),[]), lambda: torch.autograd.grad(x.sum(),[w]), lambda: torch.autograd.grad(y,x,torch.ones(1,3),is_grads_batched=True),lambda:torch.autograd.grad(x.sum(),x,materialize_grads=True,allow_unused=False), lambda: torch.autograd.backward(x.sum(),inputs=[]), lambda: torch.autograd.grad(x*2,x)]:
    try: print(f())
    except Exception as e: print(type(e).__name__,e)
torch.autograd.backward((t for t in [x.sum(),m(x).sum()]),inputs=m.parameters())
print(x.grad,m.bias.grad)
m(x).sum().backward(inputs=list(m.parameters())); print(m.bias.grad)


from torch.autograd.function import once_differentiable
from torch.autograd.gradcheck import gradcheck


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.save_for_backward(x)
        return x ** 2 * k

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, = ctx.saved_tensors
        print(torch.is_grad_enabled())
        return g * 2 * x, None


v = torch.tensor(3., requires_grad=True)
first, = torch.autograd.grad(Square.apply(v, 1), v, create_graph=True)
print(first, first.requires_grad)
weight = torch.tensor(2., requires_grad=True)
first, = torch.autograd.grad(Square.apply(v, 1) * weight, v, create_graph=True)
print(first.requires_grad)
try:
    first.backward()
except RuntimeError as e:
    print(e)
print(torch.autograd.gradcheck(lambda x: x ** 3, (torch.ones(2, dtype=torch.double, requires_grad=True),)))
import warnings
single, plain = torch.ones(2, requires_grad=True), torch.ones(2)
for inputs in ((plain, single), (torch.ones(2, dtype=torch.complex128, requires_grad=True),), (single.double().detach().requires_grad_(), single)):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        torch.autograd.gradcheck(lambda *given: sum(t.sum() for t in given), inputs, raise_exception=False)
    print([str(warning.message).split(" requires")[0] for warning in said])
