# Gradients that are themselves views of a conjugate, and other functions that write into one. Adding 0 gives every zero one sign.
import torch

w = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
c = torch.tensor([1.0 + 0j, 1j])
for _ in range(3):
    (w.conj() * c).real.sum().backward()
    print(w.grad + 0)
w.grad.zero_()
(w.conj().imag * torch.tensor([1.0, 2.0])).sum().backward()
print(w.grad + 0)
d = torch.tensor([1 + 1j, 2.0]).conj()
d.requires_grad_()
(d * d).real.sum().backward()
print(d.grad + 0, d.is_conj())

x = torch.tensor([1 + 1j, 2.0])
y = x.conj()
y.addcmul_(y, y)
print(x + 0)
y.lerp_(x, 0.5)
print(x + 0)
y.cumsum_(0)
print(x + 0)
y.index_add_(0, torch.tensor([0]), torch.tensor([1j]))
print(x + 0)
y.scatter_(0, torch.tensor([1]), 5j)
print(x + 0)
y.put_(torch.tensor([0]), torch.tensor([2j]))
print(x + 0)
y.index_copy_(0, torch.tensor([1]), torch.tensor([1 + 3j]))
print(x + 0)
y.pow_(2)
y.div_(2j)
print(x + 0)
m = torch.eye(2, dtype=torch.complex64) * 1j
n = m.mH
n.addmm_(n, n)
print(m + 0)
n.triu_()
n.t_()
print(n + 0, n.is_conj())
n.fill_diagonal_(3j)
print(m + 0)
z = torch.tensor([1.0, 2.0], dtype=torch.complex64).conj().imag
z.add_(1)
z.clamp_(max=0.5)
z[0] = 7
print(z)
