"""`nn.DataParallel`: a batch split over the devices of one process."""

import itertools
import warnings

import _torch

import torch.cuda
from torch.cuda import _utils
from ..modules.module import Module
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter_kwargs


def _check_balance(device_ids):
    properties = [torch.cuda.get_device_properties(device) for device in device_ids]
    for value_of in (lambda p: p.total_memory, lambda p: p.multi_processor_count):
        values = [value_of(p) for p in properties]
        low, high = min(values), max(values)
        if low / high < 0.75:
            warnings.warn(f"""
    There is an imbalance between your GPUs. You may want to exclude GPU {device_ids[values.index(low)]} which
    has less than 75% of the memory or cores of GPU {device_ids[values.index(high)]}. You can do so by setting
    the device_ids argument to DataParallel, or by setting the CUDA_VISIBLE_DEVICES
    environment variable.""", stacklevel=3)
            return


class DataParallel(Module):
    """Splits a batch along `dim`, runs a copy of `module` on each device, and joins the outputs on `output_device`.
    The module must be on `device_ids[0]`, where gradients are added. Without a CUDA device it just calls the
    module."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        if not torch.cuda.is_available():
            self.module = module
            self.device_ids = []
            return
        device_ids = list(range(torch.cuda.device_count())) if device_ids is None else device_ids
        output_device = device_ids[0] if output_device is None else output_device
        self.dim = dim
        self.module = module
        self.device_ids = [_utils._get_device_index(device, True) for device in device_ids]
        self.output_device = _utils._get_device_index(output_device, True)
        self.src_device_obj = _torch.device("cuda", self.device_ids[0])
        _check_balance(self.device_ids)
        if len(self.device_ids) == 1:
            self.module.to(self.src_device_obj)

    def forward(self, *inputs, **kwargs):
        if not self.device_ids:
            return self.module(*inputs, **kwargs)
        for tensor in itertools.chain(self.module.parameters(), self.module.buffers()):
            if tensor.device != self.src_device_obj:
                raise RuntimeError(f"module must have its parameters and buffers on device {self.src_device_obj} "
                                   f"(device_ids[0]) but found one of them on device: {tensor.device}")
        inputs, kwargs = self.scatter(inputs, kwargs, self.device_ids)
        if not inputs and not kwargs:
            inputs, kwargs = ((),), ({},)
        if len(self.device_ids) == 1:
            return self.module(*inputs[0], **kwargs[0])
        replicas = self.replicate(self.module, self.device_ids[: len(inputs)])
        return self.gather(self.parallel_apply(replicas, inputs, kwargs), self.output_device)

    def replicate(self, module, device_ids):
        return replicate(module, device_ids, not _torch.is_grad_enabled())

    def scatter(self, inputs, kwargs, device_ids):
        return scatter_kwargs(inputs, kwargs, device_ids, dim=self.dim)

    def parallel_apply(self, replicas, inputs, kwargs):
        return parallel_apply(replicas, inputs, kwargs, self.device_ids[: len(replicas)])

    def gather(self, outputs, output_device):
        return gather(outputs, output_device, dim=self.dim)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """`DataParallel(module, ...)(*inputs)`, once."""
    inputs = inputs if isinstance(inputs, tuple) else (inputs,) if inputs is not None else ()
    return DataParallel(module, device_ids, output_device, dim)(*inputs, **(module_kwargs or {}))
