"""Parameters and classes with the switched-off method."""
import torch
class PP(torch.nn.Parameter):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print(func.__name__, [t.__name__ for t in types])
        return super().__torch_function__(func, types, args, kwargs or {})
p=PP(torch.ones(2)); r=p+1; print(type(r).__name__, r); print(type(torch.relu(p)).__name__)
class Q(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl
q=torch.ones(2).as_subclass(Q); print(type(q).__name__, type(q+1).__name__)
