"""Functions that PyTorch has removed, named results, nodes by the form of their arguments, and arrays of complex numbers."""

import numpy as np
import torch
import torch.nn as nn

a = torch.eye(2) + 1


def say(text):
    try:
        print(text, "->", repr(eval(text)))
    except Exception as error:
        print(text, "->", type(error).__name__, error)


for text in (
    "torch.cholesky(a)", "a.cholesky()", "torch.symeig(a)", "a.symeig()", "torch.eig(a)", "a.eig()", "torch.lstsq(a, a)",
    "a.lstsq(a)", "torch.qr(a)", "torch.qr(a, some=False)", "a.qr()", "torch.solve(a, a)", "a.solve(a)", "torch.matrix_rank(a)",
    "torch._linalg_utils.eig(a)",
):
    say(text)

for text in (
    "torch.slogdet(a)", "a.slogdet()", "torch.linalg.slogdet(a)", "type(torch.svd(a))", "type(a.svd()).__name__", "torch.svd(a).S",
    "[t.shape for t in torch.svd(torch.ones(3, 2))]", "[t.shape for t in torch.svd(torch.ones(3, 2), some=False)]",
    "torch.svd(a, compute_uv=False).V",
):
    say(text)
u, s, v = torch.svd(a)
print(torch.allclose(u @ s.diag() @ v.T, a, atol=1e-6))

for text in (
    "torch.hamming_window(4, True, 0.5)", "torch.hamming_window(4, True, 0.5, 0.3)", "torch.hamming_window(4, False, 0.5, 0.1)",
    "torch.hamming_window(4, True, 0.5, 0.3, dtype=torch.float64)", "torch.hamming_window(4, True, 1)", "torch.hamming_window(4)",
):
    say(text)

x = torch.ones(1, 2, 1, requires_grad=True)
value = torch.tensor(2.0, requires_grad=True)


def node(text):
    print(text, type(eval(text).grad_fn).__name__)


for text in (
    "x.squeeze((0,))", "x.squeeze([0])", "x.squeeze((0, 2))", "x.squeeze(0)", "x.squeeze()", "torch.squeeze(x, (0,))",
    "x.clone().fill_(torch.tensor(1.0))", "x.clone().fill_(1.0)", "x.clone().fill_(value)", "torch.fill(x, value)",
    "torch.fill(x, 1.0)",
):
    node(text)
y = x.clone().fill_(value)
(y * 3).sum().backward()
print(value.grad, x.grad.tolist())
z = torch.arange(3.0)
print(z.fill_(z[1]), torch.ones(2, dtype=torch.int32).fill_(torch.tensor(1.7)), torch.zeros(2, dtype=torch.bool).fill_(torch.tensor(3)))
say("torch.ones(3).fill_(torch.ones(2))")

for text in (
    "torch.tensor([1 + 2j]).numpy()", "torch.tensor([1 + 2j], dtype=torch.complex128).numpy().dtype", "np.asarray(torch.tensor([1 + 2j]))",
    "torch.tensor(1 + 2j).numpy()", "np.array(torch.tensor([[1 + 2j]])).shape", "torch.tensor([1 + 2j]).imag.numpy()",
):
    say(text)
shared = torch.zeros(2, dtype=torch.complex64)
shared.numpy()[1] = 3 - 4j
print(shared)

for text in ("np.poly('abc')", "np.poly('')", "np.poly(['a'])", "np.poly([1, 2])", "np.poly(5)", "np.lexsort('ab')", "np.lexsort(5)",
             "np.lexsort(([1, 2], [2, 1]))"):
    say(text)

for name in ("ReflectionPad2d", "ReplicationPad3d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d", "ConstantPad2d", "CircularPad3d"):
    print([cls.__name__ for cls in getattr(nn, name).__mro__])
print(isinstance(nn.ReflectionPad2d(1), nn.ReflectionPad1d), nn.ZeroPad2d(1), nn.ConstantPad1d(1, 2.5), nn.CircularPad2d(1))
print(nn.ZeroPad2d(1)(torch.ones(1, 1, 1)), nn.ReflectionPad1d(1)(torch.arange(3.0)[None]))
