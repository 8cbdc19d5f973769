"""`DistributedDataParallel`: each process of a group computes its share of a batch."""

import contextlib
import functools

import _torch
from _torch import Tensor, device as _device

import torch.distributed as dist
from torch.cuda import _utils
from ..modules.module import Module


_MIB = 1 << 20
_FIRST_BUCKET = _MIB
_DEFAULT_CAP_MB = 25


def _assign(parameters, first, cap):
    """Indices of parameters, bucket by bucket: last parameters first, because their gradients come first.  A bucket
    has parameters of one dtype and device, and is full once it has `cap` bytes. The first one has `first` bytes, so
    that sending begins soon."""
    full, filling = [], {}
    for at in reversed(range(len(parameters))):
        parameter = parameters[at]
        kind = (parameter.dtype, parameter.device)
        places, held, limit = filling.get(kind, ([], 0, first))
        places.append(at)
        held += parameter.numel() * parameter.element_size()
        if held >= limit:
            full.append(places)
            places, held, limit = [], 0, cap
        filling[kind] = (places, held, limit)
    return full + [places for places, _, _ in filling.values() if places]


class _Bucket:
    """Gradients that are sent as one tensor, of which each is a view."""

    def __init__(self, places, parameters):
        self.places = places
        first = parameters[places[0]]
        self.flat = _torch.zeros(sum(parameters[at].numel() for at in places), dtype=first.dtype, device=first.device)
        sizes = [parameters[at].numel() for at in places]
        self.views = [piece.view(parameters[at].shape) for at, piece in zip(places, self.flat.split(sizes))]
        self.missing = 0
        self.work = None


class _Reducer:
    """Averages the gradients of parameters over a group, while a backward pass goes on.

    ```text
    forward: prepare() ──► backward: a hook a parameter ──► a bucket is full: it is on its way   ┐ in one order on
                                                        ──► the last one: all are waited for     ┘ every rank
    ```
    """

    def __init__(self, parameters, group, find_unused, first_bucket, bucket_cap, as_views):
        self._parameters = list(dict.fromkeys(p for p in parameters if p.requires_grad))
        self._group = group
        self._find_unused = find_unused
        self._as_views = as_views
        with _torch._grad_mode("no_grad"):
            assigned = _assign(self._parameters, first_bucket, bucket_cap)
            self._buckets = [_Bucket(places, self._parameters) for places in assigned]
        self._bucket_of = {at: bucket for bucket in self._buckets for at in bucket.places}
        # Indices of the parameters whose gradients haven't arrived; None between backward passes.
        self._missing = None
        # Buckets that are being sent.
        self._sent = 0
        for at, parameter in enumerate(self._parameters):
            parameter.register_post_accumulate_grad_hook(functools.partial(self._arrived, at))

    def check_finished(self):
        if not self._missing:
            return
        places = " ".join(map(str, sorted(self._missing)))
        raise RuntimeError(
            "Expected to have finished reduction in the prior iteration before starting a new one. This error indicates that "
            "your module has parameters that were not used in producing loss. You can enable unused parameter detection by "
            "passing the keyword argument `find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and "
            "by \nmaking sure all `forward` function outputs participate in calculating loss. \nIf you already have done the "
            "above, then the distributed data parallel module wasn't able to locate the output tensors in the return value "
            "of your module's `forward` function. Please include the loss function and the structure of the return value of "
            "`forward` of your module when reporting this issue (e.g. list, dict, iterable).\nParameter indices which did "
            f"not receive grad for rank {self._group.rank()}: {places}\n In addition, you can set the environment variable "
            "TORCH_DISTRIBUTED_DEBUG to either INFO or DETAIL to print out information about which particular parameters did "
            "not receive gradient on this rank as part of this error")

    def prepare(self, outputs):
        """A forward pass has ended, and its backward pass must average gradients."""
        self._unused = set()
        if self._find_unused:
            used = _leaves(outputs)
            self._unused = {at for at, parameter in enumerate(self._parameters) if id(parameter) not in used}
        self._missing = set(range(len(self._parameters))) - self._unused
        self._sent = 0
        for bucket in self._buckets:
            bucket.missing = sum(at in self._missing for at in bucket.places)

    def _arrived(self, at, parameter):
        if self._missing is None or at not in self._missing:
            return
        self._missing.discard(at)
        self._bucket_of[at].missing -= 1
        with _torch._grad_mode("no_grad"):
            # Buckets are sent in a fixed order, which is the same on every rank, whatever the order in which they fill
            # here.
            while self._sent < len(self._buckets) and self._buckets[self._sent].missing == 0:
                self._send(self._buckets[self._sent])
                self._sent += 1
            if not self._missing:
                self._missing = None
                self._finish()

    def _send(self, bucket):
        for at, view in zip(bucket.places, bucket.views):
            grad = self._parameters[at].grad
            if at in self._unused or grad is None:
                view.zero_()
            elif grad.data_ptr() != view.data_ptr():
                view.copy_(grad)
        bucket.flat.div_(self._group.size())
        bucket.work = dist.all_reduce(bucket.flat, group=self._group, async_op=True)

    def _finish(self):
        used_by = [1] * len(self._parameters)
        if self._find_unused:
            used = _torch.tensor([int(at not in self._unused) for at in range(len(used_by))], dtype=_torch.int32,
                                 device=self._parameters[0].device)
            dist.all_reduce(used, group=self._group)
            used_by = used.tolist()
        for bucket in self._buckets:
            bucket.work.wait()
            bucket.work = None
            for at, view in zip(bucket.places, bucket.views):
                # If no rank's loss depends on it, its gradient doesn't change.
                if used_by[at]:
                    self._take(self._parameters[at], view)

    def _take(self, parameter, view):
        grad = parameter.grad
        if self._as_views:
            if grad is None or grad.data_ptr() != view.data_ptr():
                parameter.grad = view
        elif grad is not None and grad.is_contiguous():
            grad.copy_(view)
        else:
            # Either None, or one expanded element, which can't be written to.
            parameter.grad = view.clone()


def _leaves(outputs):
    """The ids of the leaves on which tensors in tuples, lists and dictionaries depend."""
    nodes, seen, leaves = [], set(), set()

    def roots(obj):
        if isinstance(obj, Tensor):
            if obj.grad_fn is not None:
                nodes.append(obj.grad_fn)
            elif obj.requires_grad:
                leaves.add(id(obj))
        elif isinstance(obj, (tuple, list)):
            for item in obj:
                roots(item)
        elif isinstance(obj, dict):
            for item in obj.values():
                roots(item)

    roots(outputs)
    while nodes:
        node = nodes.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.name() == "torch::autograd::AccumulateGrad":
            leaves.add(id(node.variable))
        nodes.extend(after for after, _ in node.next_functions if after is not None)
    return leaves


class DistributedDataParallel(Module):
    """Averages gradients over the processes of a group, each of which computes its share of a batch.  Parameters and
    buffers start with those of the first process. In a group of one process, the average is the gradient itself."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, init_sync=True,
                 process_group=None, bucket_cap_mb=None, find_unused_parameters=False, check_reduction=False,
                 gradient_as_bucket_view=False, static_graph=False, delay_all_reduce_named_params=None,
                 param_to_hook_all_reduce=None, mixed_precision=None, device_mesh=None, skip_all_reduce_unused_params=False,
                 bucket_cap_mb_list=None):
        super().__init__()
        for name, value in (("mixed_precision", mixed_precision), ("device_mesh", device_mesh),
                            ("delay_all_reduce_named_params", delay_all_reduce_named_params),
                            ("param_to_hook_all_reduce", param_to_hook_all_reduce),
                            ("skip_all_reduce_unused_params", skip_all_reduce_unused_params or None),
                            ("bucket_cap_mb_list", bucket_cap_mb_list)):
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
        self.bucket_bytes_cap = int((_DEFAULT_CAP_MB if bucket_cap_mb is None else bucket_cap_mb) * _MIB)
        # If a size is given, it's also the size of the first bucket.
        first = _FIRST_BUCKET if bucket_cap_mb is None else self.bucket_bytes_cap
        self._reducer = None
        if self.process_group.size() > 1:
            if init_sync:
                self._copy_from_first([*module.parameters(), *module.buffers()])
            # A static graph never uses what it doesn't use now, so looking each time finds the same parameters.
            looks = find_unused_parameters or static_graph
            self._reducer = _Reducer(parameters, self.process_group, looks, first, self.bucket_bytes_cap,
                                     gradient_as_bucket_view)

    def _copy_from_first(self, tensors):
        with _torch._grad_mode("no_grad"):
            for tensor in tensors:
                dist.broadcast(tensor.detach(), group=self.process_group, group_src=0)

    def forward(self, *inputs, **kwargs):
        if self.device_ids:
            device = _device(self.device_type, self.device_ids[0])
            inputs, kwargs = _moved(inputs, device), _moved(kwargs, device)
        if self._reducer is None:
            return self.module(*inputs, **kwargs)
        learns = _torch.is_grad_enabled()
        if learns and self.require_backward_grad_sync:
            self._reducer.check_finished()
        if self.broadcast_buffers and self.require_forward_param_sync:
            self._copy_from_first(self.module.buffers())
        outputs = self.module(*inputs, **kwargs)
        self.require_forward_param_sync = learns and self.require_backward_grad_sync
        if self.require_forward_param_sync:
            self._reducer.prepare(outputs)
        return outputs

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
        if self._reducer is not None:
            raise NotImplementedError("DistributedDataParallel.join of several processes")
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
