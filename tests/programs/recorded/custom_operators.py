# Operators of one's own: torch.library.
import numpy as np
import torch
from torch import Tensor


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split(" (with implementation")[0])


@torch.library.custom_op("lessons::numpy_sin", mutates_args=())
def numpy_sin(x: Tensor) -> Tensor:
    return torch.from_numpy(np.sin(x.cpu().numpy()))


@numpy_sin.register_fake
def _(x):
    return torch.empty_like(x)


def setup_context(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def backward(ctx, grad):
    x, = ctx.saved_tensors
    return grad * x.cos()


x = torch.tensor([0.5, -1.0, 2.0])
print(numpy_sin(x), numpy_sin, torch.ops.lessons.numpy_sin, torch.ops.lessons.numpy_sin.default)
attempt(lambda: numpy_sin(x.clone().requires_grad_()).sum().backward())
numpy_sin.register_autograd(backward, setup_context=setup_context)
x.requires_grad_()
y = torch.ops.lessons.numpy_sin(x)
print(y.grad_fn.name())
y.sum().backward()
print(torch.allclose(x.grad, x.detach().cos()), numpy_sin(torch.ones(2, device="meta")).shape)


@torch.library.custom_op("lessons::fill", mutates_args={"x"})
def fill(x: Tensor, value: float = 2.0, *, times: int = 1) -> None:
    x.fill_(value * times)


a = torch.zeros(2)
fill(a, times=3)
print(a, a._version)


@torch.library.custom_op("lessons::parts", mutates_args=())
def parts(x: Tensor, sizes: list[int], scale: float | None = None) -> tuple[Tensor, Tensor]:
    return x[: sizes[0]].clone(), x[sizes[0]:] * (scale or 1.0)


print(parts(torch.arange(4.0), [1], 10.0))
print(torch.library.infer_schema(parts._init_fn, mutates_args=()), torch.library.infer_schema(fill._init_fn, mutates_args={"x"}))


@torch.library.custom_op("lessons::same", mutates_args=())
def same(x: Tensor) -> Tensor:
    return x


attempt(lambda: same(torch.ones(2)))
attempt(lambda: numpy_sin(3))
attempt(lambda: torch.library.infer_schema(lambda x: x, mutates_args=()))
attempt(lambda: torch.ops.lessons.nothing)
library = torch.library.Library("lessons2", "DEF")
library.define("double(Tensor x) -> Tensor")
library.impl("double", lambda x: x * 2, "CompositeImplicitAutograd")
print(torch.ops.lessons2.double(x))
torch.library.define("lessons3::next", "(Tensor x, int by=1) -> Tensor")


@torch.library.impl("lessons3::next", "cpu")
def following(x, by=1):
    return x + by


print(torch.ops.lessons3.next(torch.ones(2)), torch.ops.lessons3.next(torch.ones(2), by=4))
print(torch.ops.aten.add(torch.ones(1), 2), torch.ops.aten.mm, repr(torch.ops.aten.add.Tensor))
