"""Tools for use with tensors, as in torch.utils."""

from . import data, deterministic


def swap_tensors(t1, t2):
    """Swaps the contents of two tensors: each object stays, and becomes the other tensor."""
    import weakref

    for name, t in (("t1", t1), ("t2", t2)):
        if weakref.getweakrefs(t):
            raise RuntimeError(f"Cannot swap {name} because it has weakref associated with it")
        if t.grad_fn is not None or t.is_nested:
            raise NotImplementedError(f"torch.utils.swap_tensors: {name} was computed from other tensors, and only leaves can be "
                                      "swapped here")
        if getattr(t, "_backward_hooks", None):
            raise NotImplementedError(f"torch.utils.swap_tensors: {name} has hooks, which can't be swapped here")
    contents = [(t.detach(), t.requires_grad, t.grad, type(t), dict(t.__dict__)) for t in (t1, t2)]
    for t, (data, needed, grad, kind, own) in zip((t1, t2), reversed(contents)):
        t.grad = None
        t.requires_grad_(False)
        t.data = data
        t.requires_grad_(needed)
        t.grad = grad
        t.__class__ = kind
        t.__dict__.clear()
        t.__dict__.update(own)


def __getattr__(name):
    if name == "checkpoint":
        # The module and its function have the same name; and it needs all of torch.
        import importlib

        return importlib.import_module("torch.utils.checkpoint")
    if name in ("dlpack", "hooks"):
        import importlib

        return importlib.import_module("torch.utils." + name)
    raise AttributeError(f"module 'torch.utils' has no attribute '{name}'")
