"""One call on each device."""

import _torch

import torch.cuda
from torch._utils import ExceptionWrapper


def parallel_apply(modules, inputs, kwargs_tup=None, devices=None):
    """Runs each module with its inputs on its device.  PyTorch starts a thread for each. Here they run one after the
    other, in the order of the devices, which is one of the orders that threads may have."""
    if len(modules) != len(inputs):
        raise AssertionError(f"The number of modules {len(modules)} is not equal to the number of inputs {len(inputs)}")
    kwargs_tup = kwargs_tup if kwargs_tup is not None else ({},) * len(modules)
    devices = devices if devices is not None else [None] * len(modules)
    results = []
    for at, (module, args, kwargs, device) in enumerate(zip(modules, inputs, kwargs_tup, devices)):
        device = device if device is not None else _device_of(args)
        try:
            with torch.cuda.device(device):
                results.append(module(*(args if isinstance(args, (list, tuple)) else (args,)), **kwargs))
        except Exception as error:
            results.append(ExceptionWrapper(None, f"in replica {at} on device {device}"))
    for result in results:
        if isinstance(result, ExceptionWrapper):
            result.reraise()
    return results


def _device_of(obj):
    """The device of the first tensor in the arguments."""
    if isinstance(obj, _torch.Tensor):
        return obj.get_device()
    for item in obj.values() if isinstance(obj, dict) else obj if isinstance(obj, (list, tuple)) else ():
        device = _device_of(item)
        if device is not None:
            return device
    return None
