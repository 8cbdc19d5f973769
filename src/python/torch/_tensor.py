"""The methods of `torch.Tensor` that are written in Python."""

import warnings
import weakref
from collections import OrderedDict

import _torch
from _torch import Tensor

from torch import _legacy, _utils, storage
from torch._utils import _rebuild_from_type_v2


class HooksHandle:
    """Removes a hook: with `remove()`, or at the end of a `with` block. A program makes one for a dictionary of its own hooks, in which
    the hook's key is the handle's `id`."""

    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        extra = (extra_dict,) if isinstance(extra_dict, dict) else extra_dict if isinstance(extra_dict, list) else ()
        self.extra_dict_ref = tuple(weakref.ref(other) for other in extra)
        self._number()

    def _number(self):
        self.id = HooksHandle.next_id
        HooksHandle.next_id += 1

    def remove(self):
        for ref in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = ref()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self):
        return self.hooks_dict_ref(), self.id, tuple(ref() for ref in self.extra_dict_ref)

    def __setstate__(self, state):
        hooks, self.id, extra = (*state, None)[:3]
        # A handle without a dictionary removes nothing.
        self.hooks_dict_ref = weakref.ref(OrderedDict() if hooks is None else hooks)
        self.extra_dict_ref = tuple(weakref.ref(other) for other in extra or ())
        HooksHandle.next_id = max(HooksHandle.next_id, self.id + 1)

    def __enter__(self):
        return self

    def __exit__(self, type, value, tb):
        self.remove()


class RemovableHandle(HooksHandle):
    """The handle of the hook of a tensor or a node, which isn't in a dictionary."""

    def __init__(self, remove):
        self._remove = remove
        self._number()

    def remove(self):
        if self._remove is not None:
            self._remove()
            self._remove = None

    def __getstate__(self):
        return self.__dict__

    def __setstate__(self, state):
        self.__dict__.update(state)


# To a program, all handles are of one class.
HooksHandle.__module__ = RemovableHandle.__module__ = "torch.utils.hooks"
HooksHandle.__name__ = HooksHandle.__qualname__ = "RemovableHandle"


def check_replaced(name, grad, result):
    """Refuses what a hook made of a gradient, unless it has the gradient's form."""
    if not isinstance(result, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")
    if result.dtype != grad.dtype or result.device.type != grad.device.type:
        raise RuntimeError(f"hook '{name}' has changed the type of value (was {grad.type()} got {result.type()})")
    if result.shape != grad.shape:
        raise RuntimeError(f"hook '{name}' has changed the size of value")


def _checked_hook(hook):
    """The hook, whose result must be of the gradient's form."""
    def checked(grad):
        result = hook(grad)
        if result is not None:
            check_replaced(getattr(hook, "__name__", "<unknown>"), grad, result)
        return result

    return checked


def _register_hook(self, hook):
    """Calls `hook(grad)` when this tensor's gradient is known. A result of the hook replaces the gradient."""
    number = Tensor._register_hook(self, _checked_hook(hook))
    tensor = weakref.ref(self)

    def remove():
        t = tensor()
        if t is not None:
            t._remove_hook(number)

    return RemovableHandle(remove)


def _register_post_accumulate_grad_hook(self, hook):
    """Calls `hook(param)` after something was added to a leaf's `.grad`."""
    number = Tensor._register_post_accumulate(self, hook)
    tensor = weakref.ref(self)

    def remove():
        t = tensor()
        if t is not None:
            t._remove_hook(number)

    return RemovableHandle(remove)


def _is_shared(self):
    return storage.UntypedStorage._of(self).is_shared()


def _share_memory(self):
    storage.UntypedStorage._of(self).share_memory_()
    return self


def _dim_order(self):
    return tuple(sorted(range(self.dim()), key=lambda d: -self.stride(d)))


def _reduce_ex(self, protocol):
    """Pickles the tensor's storage, its layout, and attributes that the program has set."""
    state = _utils._get_obj_state(self)
    function, parts = _reduce_plain(self)
    if type(self) is Tensor and not state:
        return function, parts
    return _rebuild_from_type_v2, (function, type(self), parts, state)


def _reduce_plain(self):
    kind = _torch._parts_layout(self)
    if kind is not None:
        if kind == "nested":
            from torch import _nested

            return _utils._rebuild_nested_tensor, _nested.to_file(self)
        from torch import _sparse

        return _sparse._reduced(self)
    if self.is_meta:
        return _utils._rebuild_meta_tensor_no_storage, (self.dtype, tuple(self.size()), self.stride(), self.requires_grad)
    parts = (storage._typed_storage(self), self.storage_offset(), tuple(self.size()), tuple(self.stride()), self.requires_grad, OrderedDict())
    if _torch._is_flipped(self):
        parts += ({"conj" if self.is_complex() else "neg": True},)
    return _utils._rebuild_tensor_v2, parts


def _of_nested(name):
    def method(self):
        from torch import _nested

        if not self.is_nested:
            raise _nested.missing(name, self)
        return _nested._dispatch(name, True, self)

    method.__name__ = method.__qualname__ = name
    return method


def _as_subclass(self, cls):
    return _torch._as_class(self, cls)


def _fill_diagonal(self, fill_value, wrap=False):
    if self.dim() < 2:
        raise RuntimeError("dimensions must larger than 1")
    if self.dim() > 2 and any(n != self.shape[0] for n in self.shape):
        raise RuntimeError("all dimensions of input must be of equal length")
    if wrap and self.dim() == 2 and self.shape[0] > self.shape[1]:
        raise NotImplementedError("Tensor.fill_diagonal_(wrap=True) of a tall matrix")
    diagonal = self
    while diagonal.dim() > 1:
        diagonal = diagonal.diagonal()
        if diagonal.dim() > 1:
            # The rest of the first two dimensions is last now. It's moved to the front, next to the next dimension.
            diagonal = diagonal.movedim(-1, 0)
    diagonal.fill_(fill_value)
    return self


def _called_on(name, self, others, function):
    """`apply_`, `map_` and `map2_`: the results of a Python function of each element, or of those of several tensors."""
    if any(t.requires_grad for t in (self, *others)):
        raise RuntimeError(f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() instead.")
    for other in others:
        if other.dtype != self.dtype:
            raise TypeError(f"{name}: expected {self.type()} for 'other' (got {other.type()})")
    if not callable(function):
        raise TypeError(f"'{type(function).__name__}' object is not callable")
    if self.device.type == "meta":
        return self
    if self.device.type != "cpu":
        raise TypeError(f"{name} is only implemented on CPU tensors")
    columns = [t.expand_as(self).reshape(-1).tolist() for t in (self, *others)]
    values = list(map(function, *columns))
    for value in values:
        if not isinstance(value, (bool, int, float, complex, Tensor)):
            raise TypeError(f"must be real number, not {type(value).__name__}")
    # As in PyTorch, the change isn't counted.
    self.data.copy_(_torch.tensor(values, dtype=self.dtype).view(self.shape))
    return self


def _apply(self, callable):
    return _called_on("apply_", self, (), callable)


def _map(self, other, callable):
    if not isinstance(other, Tensor):
        raise TypeError(f"map_(): argument 'other' (position 1) must be Tensor, not {type(other).__name__}")
    return _called_on("map_", self, (other,), callable)


def _map2(self, x, y, callable):
    return _called_on("map2_", self, (x, y), callable)


def _volatile(self):
    warnings.warn("volatile was removed (Variable.volatile is always False)", stacklevel=2)
    return False


def _resize(self, *sizes):
    warnings.warn("non-inplace resize is deprecated", stacklevel=2)
    sizes = tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], (list, tuple)) else sizes
    count = 1
    for size in sizes:
        count *= size
    if count != self.numel():
        wanted, have = ("x".join(map(str, shape)) for shape in (sizes, self.shape))
        raise RuntimeError(f"requested resize to {wanted} ({count} elements in total), but the given tensor has a size of {have} "
                           f"({self.numel()} elements). autograd's resize can only change the shape of a given tensor, while "
                           "preserving the number of elements. ")
    return self.contiguous().view(sizes)


def _resize_as(self, tensor):
    warnings.warn("non-inplace resize_as is deprecated", stacklevel=2)
    return self.clone().resize_as_(tensor)


def _storage_type(self):
    import torch

    return getattr(torch, storage._KINDS[self.dtype])


def _moved_to(kind, missing):
    """The method that moves a tensor to a kind of device that this PyTorch isn't built for."""
    def method(self, device=None, non_blocking=False, *, memory_format=None):
        if missing is not None:
            raise AssertionError(missing)
        return self.to(kind)

    return method


_NO_MTIA = ("Torch not compiled with MTIA enabled. Ensure you have `import mtia.host_runtime.torch_mtia.dynamic_library` in your "
            "python src file and include `//mtia/host_runtime/torch_mtia:torch_mtia` as your target dependency!")


def _of_dlpack(name):
    def method(self, **options):
        from torch.utils import dlpack

        return getattr(dlpack, name)(self, **options)

    return method


def _complete(cls, strided):
    """Adds the Python methods to the native class."""

    def layout(self):
        return strided if (name := _torch._parts_layout(self)) is None else _utils._layout(name)

    methods = {
        "register_hook": _register_hook,
        "register_post_accumulate_grad_hook": _register_post_accumulate_grad_hook,
        "is_shared": _is_shared,
        "share_memory_": _share_memory,
        "dim_order": _dim_order,
        "fill_diagonal_": _fill_diagonal,
        "apply_": _apply,
        "map_": _map,
        "map2_": _map2,
        "resize": _resize,
        "resize_as": _resize_as,
        "volatile": property(_volatile),
        "name": property(lambda self: None),
        "__reduce_ex__": _reduce_ex,
        "__dlpack__": _of_dlpack("_dlpack"),
        "__dlpack_device__": _of_dlpack("_device"),
        "as_subclass": _as_subclass,
        "_is_view": lambda self: self._base is not None,
        "untyped_storage": storage._untyped_storage,
        "_typed_storage": storage._typed_storage,
        "storage": storage._storage,
        "new": _legacy.new,
        "type": _legacy.converted,
        "layout": property(layout),
        "storage_type": _storage_type,
        "is_mkldnn": property(lambda self: False),
        "is_distributed": lambda self: False,
        "const_data_ptr": lambda self: self.data_ptr(),
        "xpu": _moved_to("xpu", "Torch not compiled with XPU enabled"),
        "mtia": _moved_to("mtia", _NO_MTIA),
        "ipu": _moved_to("ipu", None),
    }
    for name in ("ipu", "maia", "mtia", "vulkan", "xla", "xpu"):
        methods["is_" + name] = property(lambda self: False)
    for name in ("_nested_tensor_size", "_nested_tensor_strides", "_nested_tensor_storage_offsets"):
        methods[name] = _of_nested(name)
    for name, value in methods.items():
        if isinstance(value, type(_complete)):
            value.__name__, value.__qualname__ = name, f"Tensor.{name}"
        _torch._set_method(name, value)
