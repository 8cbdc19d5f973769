"""`DistributedDataParallel` for a process group of one process."""

import contextlib

from _torch import Tensor, device as _device

import torch.distributed as dist
from torch.cuda import _utils
from ..modules.module import Module


class DistributedDataParallel(Module):
    """Averages gradients over the processes of a group, each of which computes its share of a batch.

    In a group of one process the average is the gradient itself.
    """

    def __init__(self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, init_sync=True,
                 process_group=None, bucket_cap_mb=None, find_unused_parameters=False, check_reduction=False,
                 gradient_as_bucket_view=False, static_graph=False, delay_all_reduce_named_params=None,
                 param_to_hook_all_reduce=None, mixed_precision=None, device_mesh=None, skip_all_reduce_unused_params=False):
        super().__init__()
        for name, value in (("mixed_precision", mixed_precision), ("device_mesh", device_mesh),
                            ("delay_all_reduce_named_params", delay_all_reduce_named_params)):
            if value is not None:
                raise NotImplementedError(f"DistributedDataParallel({name}=...)")
        self.process_group = dist._group(process_group)
        parameters = list(module.parameters())
        if not any(p.requires_grad for p in parameters):
            raise RuntimeError("DistributedDataParallel is not needed when a module doesn't have any parameter that "
                               "requires a gradient.")
        if device_ids is not None and len(device_ids) > 1:
            raise ValueError("device_ids can only be None or contain a single element.")
        devices = sorted({p.device for p in parameters}, key=lambda d: (d.type, d.index or 0))
        kinds = {d.type for d in devices}
        if len(kinds) != 1:
            raise ValueError("DistributedDataParallel's input module must be on the same type of devices, but input module "
                             f"parameters locate in {kinds}.")
        self.device_type = devices[0].type
        self.is_multi_device_module = len(devices) > 1
        if not device_ids or self.device_type == "cpu" or self.is_multi_device_module:
            if device_ids or output_device:
                shown = ", ".join(map(repr, devices))
                raise ValueError("DistributedDataParallel device_ids and output_device arguments only work with "
                                 "single-device/multiple-device GPU modules or CPU modules, but got device_ids "
                                 f"{device_ids}, output_device {output_device}, and module parameters {{{shown}}}.")
            self.device_ids = self.output_device = None
        else:
            self.device_ids = [_utils._get_device_index(device, True) for device in device_ids]
            self.output_device = _utils._get_device_index(device_ids[0] if output_device is None else output_device, True)
        self.static_graph = static_graph
        self.dim = dim
        self.module = module
        self.device = devices[0]
        self.broadcast_buffers = broadcast_buffers
        self.find_unused_parameters = find_unused_parameters
        self.require_backward_grad_sync = True
        self.require_forward_param_sync = True
        self.gradient_as_bucket_view = gradient_as_bucket_view

    def forward(self, *inputs, **kwargs):
        if self.device_ids:
            device = _device(self.device_type, self.device_ids[0])
            inputs, kwargs = _moved(inputs, device), _moved(kwargs, device)
        return self.module(*inputs, **kwargs)

    @contextlib.contextmanager
    def no_sync(self):
        """Leaves gradients unaveraged inside a `with` block."""
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    @contextlib.contextmanager
    def join(self, divide_by_initial_world_size=True, enable=True, throw_on_early_termination=False):
        yield

    def train(self, mode=True):
        super().train(mode)
        return self

    def register_comm_hook(self, state, hook):
        raise NotImplementedError("DistributedDataParallel.register_comm_hook")


def _moved(obj, device):
    """Tensors on a device, through tuples, lists and dictionaries."""
    if isinstance(obj, Tensor):
        return obj.to(device)
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*(_moved(item, device) for item in obj))
    if isinstance(obj, (tuple, list)):
        return type(obj)(_moved(item, device) for item in obj)
    if isinstance(obj, dict):
        return type(obj)((key, _moved(value, device)) for key, value in obj.items())
    return obj
