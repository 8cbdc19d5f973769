"""A module's copies on several devices."""

from collections import OrderedDict

import _torch

from torch.cuda import _utils
from ._functions import Broadcast, _copy


def _on_each(tensors, devices, detach):
    """`tensors` on each device: a list of lists."""
    if not tensors:
        return [[] for _ in devices]
    if detach:
        return [[_copy(t, device, "scatter") for t in tensors] for device in devices]
    copies = Broadcast.apply(devices, *tensors)
    return [copies[at : at + len(tensors)] for at in range(0, len(copies), len(tensors))]


def replicate(network, devices, detach=False):
    """Copies of a module, one for each device. Gradients of the copies' parameters flow back to the module's own."""
    devices = [_utils._get_device_index(device, True) for device in devices]
    parameters, buffers = list(network.parameters()), list(network.buffers())
    copies = [
        {id(t): copy for t, copy in zip(parameters + buffers, [*ours, *theirs])}
        for ours, theirs in zip(_on_each(parameters, devices, detach), _on_each(buffers, devices, True))
    ]
    modules = list(network.modules())
    replicas = []
    for copy_of in copies:
        made = {id(module): module._replicate_for_data_parallel() for module in modules}
        for module in modules:
            replica = made[id(module)]
            replica._former_parameters = OrderedDict()
            for name, child in module._modules.items():
                replica._modules[name] = None if child is None else made[id(child)]
            for name, parameter in module._parameters.items():
                if parameter is None:
                    replica._parameters[name] = None
                else:
                    # A copy isn't a leaf, so it's a plain attribute of the replica.
                    setattr(replica, name, copy_of[id(parameter)])
                    replica._former_parameters[name] = copy_of[id(parameter)]
            for name, buffer in module._buffers.items():
                replica._buffers[name] = None if buffer is None else copy_of[id(buffer)]
        replicas.append(made[id(network)])
    return replicas
