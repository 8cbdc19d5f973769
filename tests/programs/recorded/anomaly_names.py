# Anomaly detection names the function, and shows the stack of its forward call. Nodes are objects with a metadata of their own.
import warnings
import torch


def attempt(f):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            f()
            print("fine")
        except RuntimeError as e:
            print("RuntimeError:", str(e)[:150])
    for w in said:
        lines = str(w.message).split(" (Triggered")[0].splitlines()
        print("  ", w.category.__name__, [line for line in lines if "File" not in line][:1], lines[-1:], len(lines) > 2)


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sqrt()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 0 / x.sqrt()


class Fails(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        raise RuntimeError("on purpose")


x = torch.tensor([0.0, 1.0], requires_grad=True)


def changed():
    y = x.exp()
    z = y * y
    y += 1
    z.sum().backward()


def second():
    y = (x ** 0.5).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    g.sum().backward()


def forward_outside():
    with torch.autograd.set_detect_anomaly(False):
        y = (x.sqrt() * 0).sum()
    y.backward()


programs = [
    lambda: (x.sqrt() * 0).sum().backward(),
    lambda: torch.log(x * 0).mul(0).sum().backward(),
    lambda: Root.apply(x).sum().backward(),
    lambda: Fails.apply(x).sum().backward(),
    lambda: torch.autograd.grad((x / (x * 0)).sum(), x),
    changed,
    second,
    forward_outside,
    lambda: (x * 2).sum().backward(),
    lambda: (x[0:1].sqrt() * 0).sum().backward(),
]
torch.autograd.set_detect_anomaly(True)
for f in programs:
    attempt(f)
torch.autograd.set_detect_anomaly(True, check_nan=False)
for f in programs:
    attempt(f)
torch.autograd.set_detect_anomaly(False)

y = (x * 3).sum()
print(y.grad_fn is y.grad_fn, y.grad_fn.next_functions[0][0] is y.grad_fn.next_functions[0][0])
f = y.grad_fn
f.metadata["note"] = 1
print(y.grad_fn.metadata, f.next_functions[0][0].metadata)
del f
print(y.grad_fn.metadata)
print(len({y.grad_fn, y.grad_fn}))
r = Root.apply(x)
r.grad_fn.metadata["a"] = 2
print(r.grad_fn.metadata, r.grad_fn is r.grad_fn)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    with torch.autograd.detect_anomaly():
        y = x * 2
print(sorted(y.grad_fn.metadata), type(y.grad_fn.metadata["traceback_"]), y.grad_fn.metadata["traceback_"][-1].splitlines()[-1])
