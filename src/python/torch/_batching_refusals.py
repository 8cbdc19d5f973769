"""What isn't possible of one row under `torch.vmap`, in PyTorch's words."""

import torch
from _torch import Tensor
from torch._transforms import NO_BACKWARD, NO_POINTER, NO_REQUIRES_GRAD
from torch._batched import Batched, rows_of, running

IN_PLACE = frozenset(f"__i{n}__" for n in "add sub mul truediv floordiv mod pow and or xor lshift rshift".split())

# These change the form of a tensor and nothing else. Done row by row, they would change nothing.
MOVES_IN_PLACE = frozenset("t_ transpose_ swapaxes_ swapdims_ squeeze_ unsqueeze_ resize_ resize_as_ as_strided_ set_ rename_ detach_ "
                           "__set__.names".split())

ITEM = ("vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a Tensor, please try to "
         "rewrite what you're doing with other operations. If error is occurring somewhere inside PyTorch internals, please file a bug "
         "report.")
_FLOW = ("vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't support that yet, please "
         "file an issue at https://github.com/pytorch/pytorch/issues .")
_DYNAMIC = ("vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over aten::{}. Please file an "
            "issue at https://github.com/pytorch/pytorch/issues if you need this feature.")
_REFUSED = {name: _DYNAMIC.format(own) for name, own in (
    ("unique", "_unique2"), ("unique_consecutive", "unique_consecutive"), ("where", "where"), ("argwhere", "nonzero"),
    ("nonzero", "nonzero"))}
_REFUSED |= dict.fromkeys("item __int__ __float__ __complex__ __index__ __contains__ arange range full scalar_tensor".split(), ITEM)
_REFUSED |= dict.fromkeys(("__bool__", "is_nonzero"), _FLOW)
_REFUSED |= dict.fromkeys(("numpy", "tolist", "data_ptr", "__array__", "__dlpack__"), NO_POINTER)
_REFUSED |= {
    "allclose": "vmap over torch.allclose isn't supported yet. Please file an issue at https://github.com/pytorch/pytorch/issues if you "
                "need this feature.",
    "equal": "Batching rule not implemented for aten::equal. We could not generate a fallback.",
    "masked_select": "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot support this because for each "
                     "batch this would return a differently shaped Tensor. Please file an issue at "
                     "https://github.com/pytorch/pytorch/issues if you need this feature.",
    "requires_grad_": NO_REQUIRES_GRAD,
    "backward": NO_BACKWARD,
    ".data": "accessing `data` under vmap transform is not allowed",
    "__set__.data": "mutating directly with `.data` under vmap transform is not allowed.",
    "tensor": "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and "
              "gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these "
              "gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/nn/parallel/distributed.py as a "
              "solution.",
}
_REFUSED["new_tensor"] = _REFUSED["tensor"]


def refusal(name, args, kwargs):
    """Why a call isn't possible under vmap, if it isn't."""
    text = _REFUSED.get(name)
    if text is not None:
        if name == "where" and len(args) + len(kwargs) > 1:
            return None
        return ITEM if name == "tensor" and not isinstance(args[0], Tensor) else text
    if name == "__getitem__":
        keys = args[1] if isinstance(args[1], tuple) else (args[1],)
        if any(type(k) is Batched and k.dtype in (torch.bool, torch.uint8) for k in keys):
            return ("vmap: We do not support batching operators that can support dynamic shape. Attempting to batch over indexing with a "
                    "boolean mask.")
    elif name in ("as_tensor", "asarray") and not isinstance(args[0], Tensor):
        return ITEM
    elif name == "batch_norm":
        return _batch_norm_refusal(*args, **kwargs)
    elif name == "one_hot":
        if (args[1] if len(args) > 1 else kwargs.get("num_classes", -1)) == -1:
            return "When vmap-ing torch.nn.functional.one_hot, please provide an explicit positive num_classes argument."
    if kwargs and kwargs.get("out") is not None:
        return f"Batching rule not implemented for aten::{name}.out; the fallback path doesn't work on out= or view ops."
    return None


def _batch_norm_refusal(input, running_mean=None, running_var=None, weight=None, bias=None, training=False, *args, **kwargs):
    if training and running_mean is not None and type(running_mean) is not Batched:
        return ("Batch norm got a batched tensor as input while the running_mean or running_var, which will be updated in place, were not "
                "batched.\nIf you are using a module and do not need eval mode, please set `track_running_stats` to be False.If you are "
                "using a prebuilt module and do not need eval mode, please see the functorch website for resources on how to patch your "
                "module to work with vmap")
    return None


def writes(name):
    """Whether a function of this name changes its first argument."""
    return name == "__setitem__" or name[-1:] == "_" and name[-2:-1] != "_" and name != "requires_grad_" or name in IN_PLACE


def check_written(name, args, levels):
    """Refuses to write rows that differ into a tensor that is the same for all rows."""
    target = args[0]
    own = target._levels if type(target) is Batched else ()
    if own == levels and all(a == b for a, b in zip(target.shape, rows_of(levels))):
        return
    if name in ("add_", "sub_", "__iadd__", "__isub__"):
        shape = torch.broadcast_shapes(target.shape[len(own):], args[1].shape[len(args[1]._levels):])
        raise RuntimeError(f"output with shape {list(target.shape[len(own):])} doesn't match the broadcast shape "
                           f"{[running[levels[-1] - 1].count, *shape]}")
    shown = name if name in ("index_put_", "masked_fill_") else "inplace arithmetic"
    where = "in a vmap"
    if name.startswith(("index_", "scatter_")) and name != "index_put_":
        shown, where = "aten::" + name, "at level 1"
    raise RuntimeError(
        f"vmap: {shown}(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args that has more "
        f"elements than `self`. This happened due to `other` being vmapped over but `self` not being vmapped over {where}. "
        f"Please try to use out-of-place operators instead of {shown}. If said operator is being called inside the PyTorch "
        "framework, please file a bug report instead.")
