"""The graph's nodes, and hooks for the tensors that they save."""

import abc

import _torch

from torch.autograd.function import BackwardCFunction


class Node(abc.ABC):
    """A node of the graph: `tensor.grad_fn`."""

    @classmethod
    def __subclasshook__(cls, subclass):
        if cls is Node and issubclass(subclass, (_torch.Node, BackwardCFunction)):
            return True
        return NotImplemented


class saved_tensors_hooks:
    """Inside the block, `pack` is called with every tensor that an operator saves, and `unpack` with the result of
    `pack`."""

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self):
        _torch._push_saved_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *exc):
        _torch._pop_saved_hooks()


class save_on_cpu(saved_tensors_hooks):
    """Keeps saved tensors in host memory until the backward pass needs them."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        def pack(tensor):
            if not pin_memory:
                return tensor.device, tensor.cpu()
            packed = _torch.empty(
                tensor.size(), dtype=tensor.dtype, pin_memory=_torch._machine()[0] and not tensor.device.type == "cpu"
            )
            packed.copy_(tensor)
            return tensor.device, packed

        def unpack(packed):
            device, tensor = packed
            return tensor.to(device, non_blocking=pin_memory)

        super().__init__(pack, unpack)

