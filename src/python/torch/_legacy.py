"""`torch.FloatTensor` and the like: dtype and device in one name, from the time before there were dtypes."""

import _torch
from _torch import Tensor

# By name, with the C++ name of the element type.
_KINDS = {
    "Float": (_torch.float32, "float"), "Double": (_torch.float64, "double"), "Half": (_torch.float16, "c10::Half"),
    "BFloat16": (_torch.bfloat16, "c10::BFloat16"), "Long": (_torch.int64, "long int"), "Int": (_torch.int32, "int"),
    "Short": (_torch.int16, "short int"), "Char": (_torch.int8, "signed char"), "Byte": (_torch.uint8, "unsigned char"),
    "Bool": (_torch.bool, "bool"),
}


class tensortype(type):
    """The type of these types: a tensor is an instance of the type that names its dtype and device."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor) and instance.dtype == cls.dtype and instance.device.type == cls._device

    def __getattr__(cls, name):
        # `torch.FloatTensor.abs` is the method of all tensors.
        if name.startswith("__"):
            raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")
        return getattr(Tensor, name)


# Errors use PyTorch's names.
tensortype.__name__ = tensortype.__qualname__ = "torch.tensortype"
tensortype.__module__ = "builtins"


def _options(dtype, device):
    named = next((name for known, name in _KINDS.values() if known == dtype), str(dtype))
    return (f"TensorOptions(dtype={named}, device={device}, layout=Strided, requires_grad=false (default), "
            "pinned_memory=false (default), memory_format=(nullopt))")


def _construct(dtype, device, args, named=None):
    if named:
        device = named.pop("device", None) or device
        if "size" in named and not args:
            args = tuple(named.pop("size"))
        elif "data" in named and not args:
            args = (named.pop("data"),)
        if named:
            raise _unknown(args, named)
    if all(type(n) is int for n in args):
        return _torch.empty(args or (0,), dtype=dtype, device=device)
    if len(args) > 1:
        got = ", ".join(type(a).__name__ for a in args)
        raise TypeError(
            f"new() received an invalid combination of arguments - got ({got}), but expected one of:\n"
            " * (*, torch.device device = None)\n"
            f"      didn't match because some of the arguments have invalid types: (!{got.replace(', ', '!, !')}!)\n"
            " * (torch.Storage storage)\n * (Tensor other)\n * (tuple of ints size, *, torch.device device = None)\n"
            " * (object data, *, torch.device device = None)\n")
    [data] = args
    if isinstance(data, Tensor):
        if data.dtype != dtype or data.device.type != _torch.device(device).type:
            raise TypeError(f"expected {_options(dtype, _torch.device(device).type)} (got {_options(data.dtype, data.device.type)})")
        # It shares the memory.
        return data.detach()
    if isinstance(data, _size()):
        return _torch.empty(tuple(data), dtype=dtype, device=device)
    if isinstance(data, str):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if not hasattr(data, "__len__") or not hasattr(data, "__getitem__"):
        raise TypeError(f"new(): data must be a sequence (got {type(data).__name__})")
    return _torch.tensor(data, dtype=dtype, device=device)


def _unknown(args, named):
    got = [type(a).__name__ for a in args] + [
        f"{k}=torch.dtype" if isinstance(v, _torch.dtype) else f"{k}={type(v).__name__}" for k, v in named.items()]
    wrong = f"      didn't match because some of the keywords were incorrect: {', '.join(named)}\n"
    # PyTorch's error for the overloads that the positional arguments match.
    first, others = ("", wrong) if len(args) > 1 else (wrong, "")
    return TypeError(
        f"new() received an invalid combination of arguments - got ({', '.join(got)}), but expected one of:\n"
        f" * (*, torch.device device = None)\n{first} * (torch.Storage storage)\n * (Tensor other)\n"
        f" * (tuple of ints size, *, torch.device device = None)\n{others}"
        f" * (object data, *, torch.device device = None)\n{others}")


def _size():
    from torch import Size

    return Size


def types(device):
    """The types for one kind of device, by name: classes that make tensors of one dtype there."""
    warned = device == "cpu"

    def make(name, dtype):
        own = device

        def new(cls, *args, device=None, **named):
            nonlocal warned
            if not warned:
                warned = True
                import warnings

                warnings.warn("The torch.cuda.*DtypeTensor constructors are no longer recommended. It's best to use methods "
                              "such as torch.tensor(data, dtype=*, device='cuda') to create tensors.", stacklevel=2)
            if device is not None and _torch.device(device).type != own:
                raise RuntimeError(
                    f"legacy constructor expects device type: {own} but device type: "
                    f"{_torch.device(device).type} was passed"
                )
            return _construct(dtype, own, args, named)

        module = "torch" if device == "cpu" else f"torch.{device}"
        return tensortype(name, (), {
            "__module__": module, "__new__": new, "dtype": dtype, "is_cuda": device == "cuda", "layout": _strided(),
            "_device": device,
        })

    return {f"{kind}Tensor": make(f"{kind}Tensor", dtype) for kind, (dtype, _) in _KINDS.items()}


def _strided():
    from torch import strided

    return strided


_type = Tensor.type


def converted(self, dtype=None, non_blocking=False, **kwargs):
    """The name of the tensor's legacy type, or the tensor converted to another dtype or type (itself if nothing
    changes)."""
    if isinstance(dtype, type):
        module = dtype.__module__
        dtype = dtype.__name__ if module == "builtins" else f"{module}.{dtype.__name__}"
    if dtype == "torch.Tensor":
        # The default type.
        default = _torch.get_default_dtype()
        dtype = next(f"torch.{kind}Tensor" for kind, (known, _) in _KINDS.items() if known == default)
    if kwargs or non_blocking:
        return _type(self, dtype, non_blocking, **kwargs)
    return _type(self) if dtype is None else _type(self, dtype)


converted.__name__ = converted.__qualname__ = "type"


def new(self, *args, **named):
    """A tensor with this tensor's dtype and device, from sizes or from data."""
    return _construct(self.dtype, str(self.device), args, named)
