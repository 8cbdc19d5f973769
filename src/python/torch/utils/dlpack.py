"""Handing tensors over without copying them, as in torch.utils.dlpack. A capsule can be used once."""

import enum

from _torch import Tensor

__all__ = ["DLDeviceType", "from_dlpack", "to_dlpack"]


class DLDeviceType(enum.IntEnum):
    """What kind of device a tensor is on, by DLPack's numbers."""

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLMetal = 8


class _Capsule:
    """The memory of a tensor on its way."""

    def __init__(self, tensor):
        self.tensor = tensor


_Capsule.__name__ = _Capsule.__qualname__ = "PyCapsule"


def to_dlpack(tensor):
    """A capsule with a tensor's memory, for `from_dlpack`."""
    return _Capsule(tensor.detach())


def _dlpack(self, *, stream=-1, max_version=None, dl_device=None, copy=None):
    """A capsule with this tensor's memory."""
    if self.requires_grad:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    if self.is_complex() and self.is_conj():
        raise BufferError("Can't export tensors with the conjugate bit set")
    if str(self.layout) != "torch.strided":
        raise BufferError("Can't export tensors with layout other than torch.strided")
    if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
        raise NotImplementedError("torch.Tensor.__dlpack__(dl_device=) of another device")
    return _Capsule(self.detach().clone() if copy else self.detach())


def _device(self):
    kinds = {"cpu": DLDeviceType.kDLCPU, "cuda": DLDeviceType.kDLCUDA, "mps": DLDeviceType.kDLMetal}
    if self.device.type not in kinds:
        raise ValueError(f"Unknown device type {self.device.type} for Dlpack")
    return kinds[self.device.type], self.device.index or 0


def from_dlpack(ext_tensor, *, device=None, copy=None):
    """A tensor over the memory of another tensor, an array or a capsule."""
    import torch

    if not isinstance(ext_tensor, _Capsule):
        if hasattr(ext_tensor, "__array__") and not isinstance(ext_tensor, Tensor):
            ext_tensor = _Capsule(torch.from_numpy(ext_tensor))
        elif hasattr(ext_tensor, "__dlpack__"):
            ext_tensor = ext_tensor.__dlpack__()
    tensor = getattr(ext_tensor, "tensor", None) if isinstance(ext_tensor, _Capsule) else None
    if tensor is None:
        raise RuntimeError("from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you "
                           "might have already constructed a tensor from it once.")
    ext_tensor.tensor = None
    if device is not None and torch.device(device) != tensor.device:
        if copy is False:
            raise ValueError(f"cannot move tensor from {tensor.device} to {device} without copying. Set copy=True is needed.")
        return tensor.to(device)
    return tensor.clone() if copy else tensor
