# The conjugate is a view: it reads the same memory, and what is written into it is written into the memory negated.
import copy
import io

import torch


def attempt(name, f):
    try:
        print(name, f())
    except Exception as error:
        print(name, type(error).__name__, error)


x = torch.tensor([[1 + 2j, 3 - 1j], [0.5j, -2 + 0.25j]])
y = x.conj()
print(y, y.is_conj(), x.is_conj(), y._is_view(), y.data_ptr() == x.data_ptr(), y.stride())
x[0, 0] = 7 + 7j
print(y)
print(y.conj().is_conj(), y.conj().data_ptr() == x.data_ptr(), torch.conj(y) is y)
print(y.resolve_conj().is_conj(), y.resolve_conj().data_ptr() == x.data_ptr(), x.resolve_conj() is x, y.conj_physical().is_conj())
for name in ("clone", "contiguous", "detach", "t", "mT", "mH", "H", "adjoint", "flatten", "ravel", "squeeze", "unbind", "real", "imag", "abs", "sum",
             "exp", "neg", "sqrt", "angle", "cpu", "tolist", "item", "isnan"):
    def call(name=name):
        made = getattr(y, name)
        made = made() if callable(made) else made
        if isinstance(made, tuple):
            return [(one.is_conj(), one) for one in made]
        if isinstance(made, torch.Tensor):
            return made, made.is_conj(), made.is_neg(), made.is_contiguous()
        return made

    attempt(name, call)
print(y[0], y[0].is_conj(), y[:, 1].is_conj(), y[0, 1].item(), complex(y[1, 1]), y.transpose(0, 1)[0].is_conj())
print(y.view(4).is_conj(), y.reshape(1, 4).is_conj(), y.expand(2, 2, 2).is_conj(), y.unsqueeze(0).is_conj(), y.T.reshape(4).is_conj())
attempt("view_as_real", lambda: torch.view_as_real(y))
attempt("numpy", lambda: y.numpy())
attempt("numpy of imag", lambda: y.imag.numpy())
attempt("numpy forced", lambda: y.numpy(force=True))
attempt("resolved", lambda: (y.resolve_conj().numpy(), y.imag.resolve_neg().numpy()))
attempt("to", lambda: (y.to(torch.complex128), y.to(torch.complex128).is_conj(), y.to(torch.complex64) is y))
attempt("view float", lambda: y.view(torch.float32))

print("products", y @ x, y.mm(y), torch.vdot(y[0], x[1]), torch.dot(y[0], y[1]), x.mH @ x, torch.linalg.inv(y), torch.matmul(y, x[0]))
print("elementwise", y + 1, y * y, 2j * y, y == x, torch.where(x.real > 0, y, x), torch.cat([x, y]), torch.stack([y, y]).is_conj())
print("reductions", y.mean(), y.sum(0), y.prod(), y.norm(), torch.linalg.norm(y), y.cumsum(0), torch.linalg.det(y), torch.fft.fft(y))

# What's written into it.
y[0, 0] = 1 + 1j
print(x, y)
y.add_(1j)
print(x, y)
y.mul_(2).neg_()
print(x, y)
y[1] = torch.tensor([5 + 5j, 6.0])
print(x, y)
y.fill_(1 - 1j)
print(x, y)
y[0].zero_()
y[1, 0].copy_(torch.tensor(3 + 4j))
print(x, y)
y.imag.mul_(10)
y.real[0] = 9.0
print(x, y)
y.imag[1] = torch.tensor([1.0, 2.0])
print(x, y, y.imag, x.imag)
y.masked_fill_(torch.tensor([[True, False], [False, False]]), 2j)
print(x, y)
y.index_fill_(0, torch.tensor([1]), 1j)
y[torch.tensor([0]), torch.tensor([1])] = 8j
print(x, y)
y.sqrt_()
print(x, y)
torch.add(x, x, out=y)
print(x, y)
x.copy_(y)
print(x, y)
y.copy_(y.clone() * 1j)
print(x, y)
z = torch.ones(2, 2)
z.copy_(x.real)
print(z)

# Copies and files.
d = copy.deepcopy(y)
print(d, d.is_conj(), d.data_ptr() == y.data_ptr())
memory = io.BytesIO()
torch.save({"x": x, "y": y}, memory)
memory.seek(0)
back = torch.load(memory)
print(back["y"], back["y"].is_conj(), back["y"].data_ptr() == back["x"].data_ptr())
print(y.data.is_conj(), y.new_zeros(2).is_conj(), torch.empty_like(y).is_conj(), torch.zeros_like(y).is_conj())

# Gradients.
w = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
v = w.conj()
print(v)
print(v.is_conj(), v.requires_grad, v.grad_fn.next_functions[0][0] is not None)
(v * w).real.sum().backward()
print(w.grad, w.grad.is_conj())
w.grad = None
(v.imag * torch.tensor([1.0, 2.0])).sum().backward()
print(w.grad, v.imag.grad_fn.name())
w.grad = None
(w.mH if w.dim() == 2 else w.conj()).abs().sum().backward()
print(w.grad)
u = w * 2
c = u.conj()
c.mul_(1j)
print(u, c, u.grad_fn.name(), c.grad_fn.name())
w.grad = None
(u * torch.tensor([1.0, 1j])).real.sum().backward()
print(w.grad)
u = w * 1
c = u.conj()
u[0] = 0
w.grad = None
(c * torch.tensor([2.0, 3j])).real.sum().backward()
print(w.grad, c)
print(torch.autograd.gradcheck(lambda a: a.conj() * a.conj().imag, torch.tensor([1 + 2j, 0.5 - 1j], dtype=torch.complex128, requires_grad=True)))
print(torch.autograd.gradgradcheck(lambda a: a.conj() * a.conj().imag, torch.tensor([1 + 2j], dtype=torch.complex128, requires_grad=True)))
r = torch.ones(2)
print(r.conj() is r, r.conj().is_conj(), r.is_neg(), torch.is_conj(x), torch.is_conj(y))
