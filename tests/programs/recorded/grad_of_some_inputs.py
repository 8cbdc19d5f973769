"""Gradients for some inputs: nodes that don't lead to one don't run."""
import torch


class Loud(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, name):
        ctx.name = name
        ctx.save_for_backward(x)
        return x * 1

    @staticmethod
    def backward(ctx, grad):
        print("backward of", ctx.name, ctx.saved_tensors[0].tolist())
        return grad, None


a = torch.tensor([1., 2.], requires_grad=True)
b = torch.tensor([3., 4.], requires_grad=True)
print(torch.autograd.grad((Loud.apply(a, "a") * b).sum(), b))
print(torch.autograd.grad((Loud.apply(a, "a") * Loud.apply(b, "b")).sum(), [a]))
(Loud.apply(a, "a") * b).sum().backward(inputs=[b])
print(a.grad, b.grad)
h = Loud.apply(a, "h")
y = (h * Loud.apply(b, "b")).sum()
print(torch.autograd.grad(y, h, retain_graph=True))
print(torch.autograd.grad(y, [h, a], retain_graph=True))
h.register_hook(lambda g: print("hook of h", g.tolist()))
print(torch.autograd.grad(y, b, retain_graph=True))
print(torch.autograd.grad(y, h, retain_graph=True))
y.backward()
z = Loud.apply(a, "z")
left, right = (z * 2).sum(), (z * b).sum()
print(torch.autograd.grad([left, right], [b], allow_unused=True))
print(torch.autograd.grad(left, b, allow_unused=True))
x = torch.tensor(2., requires_grad=True)
u = Loud.apply(x ** 2, "u")
g, = torch.autograd.grad(u ** 2, u, create_graph=True)
print(g, torch.autograd.grad(g, x))
print(torch.autograd.grad(x * 3, x), torch.autograd.grad(x, x))
w = torch.ones(2, requires_grad=True)
v = w * 2
first = torch.autograd.grad(v.sum(), v)
print(first, torch.autograd.grad(v.sum(), w))
