"""Process groups, of one process.

A program here is one process, so a group has one member: what collectives compute over it is exact, and more members are
refused.
"""

import os
from datetime import timedelta

import _torch

default_pg_timeout = timedelta(seconds=1800)


class ReduceOp:
    """How `all_reduce` and its like combine tensors."""

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f"<RedOpType.{self._name}: {list(_OPS).index(self._name)}>"


_OPS = {name: ReduceOp(name) for name in ("SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR")}
for _name, _op in _OPS.items():
    setattr(ReduceOp, _name, _op)
del _name, _op


class Backend(str):
    """The name of what carries the data."""

    UNDEFINED = "undefined"
    GLOO = "gloo"
    NCCL = "nccl"
    UCC = "ucc"
    MPI = "mpi"
    XCCL = "xccl"


class ProcessGroup:
    """The processes that take part in a collective."""

    def __init__(self, backend, options=None):
        self._backend = backend

    def rank(self):
        return 0

    def size(self):
        return 1

    def name(self):
        return self._backend

    def _check(self, tensors):
        """Each backend carries some devices' tensors."""
        carried = {"gloo": ("cpu", "cuda"), "nccl": ("cuda",)}.get(self._backend, ("cpu", "cuda"))
        for tensor in tensors:
            if tensor.device.type not in carried:
                raise RuntimeError(f"No backend type associated with device type {tensor.device.type}")


class Work:
    """A collective that is under way: over at once in a group of one."""

    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True

    def is_success(self):
        return True

    def synchronize(self):
        pass


class group:
    WORLD = None


class GroupMember:
    WORLD = None
    NON_GROUP_MEMBER = -100


_world = None


def is_available():
    return True


def is_initialized():
    return _world is not None


def is_nccl_available():
    return _torch._machine()[2]


def is_gloo_available():
    return True


def is_mpi_available():
    return False


def is_ucc_available():
    return False


def is_torchelastic_launched():
    return "TORCHELASTIC_RUN_ID" in os.environ


def _group(given=None):
    """The group that a call is about."""
    if given is not None:
        return given
    if _world is None:
        raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")
    return _world


def _from_environment(rank, world_size):
    def get(name):
        value = os.environ.get(name)
        if value is None:
            raise ValueError("Error initializing torch.distributed using env:// rendezvous: environment variable "
                             f"{name} expected, but not set")
        return value

    rank = rank if rank != -1 else int(get("RANK"))
    world_size = world_size if world_size != -1 else int(get("WORLD_SIZE"))
    get("MASTER_ADDR")
    int(get("MASTER_PORT"))
    return rank, world_size


def init_process_group(backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name="",
                       pg_options=None, device_id=None):
    """Makes the default group. The program must be its only member."""
    global _world
    if _world is not None:
        raise ValueError("trying to initialize the default process group twice!")
    if store is not None and init_method is not None:
        raise AssertionError("Cannot specify both init_method and store.")
    if store is not None:
        if world_size <= 0:
            raise AssertionError("world_size must be positive if using store")
        if rank < 0:
            raise AssertionError("rank must be non-negative if using store")
    elif init_method is None or init_method.startswith("env://"):
        rank, world_size = _from_environment(rank, world_size)
    elif init_method.split("://")[0] in ("tcp", "file"):
        if rank == -1 or world_size == -1:
            missing = "rank" if rank == -1 else "world size"
            kind = init_method.split("://")[0]
            raise ValueError(f"Error initializing torch.distributed using {kind}:// rendezvous: {missing} parameter missing")
    else:
        raise RuntimeError(f"No rendezvous handler for {init_method.split('://')[0]}://")
    if world_size != 1 or rank != 0:
        raise NotImplementedError(f"torch.distributed: rank {rank} of {world_size} processes; a program here is one process")
    name = str(backend).lower() if backend is not None else Backend.UNDEFINED
    if name == Backend.NCCL and _torch._machine()[0] == 0:
        if not _torch._machine()[2]:
            raise RuntimeError("Distributed package doesn't have NCCL built in")
        raise RuntimeError("nccl2 requires at least one CUDA device")
    if name == Backend.MPI:
        raise RuntimeError("Distributed package doesn't have MPI built in. MPI is only included if you build PyTorch from "
                           "source on a host that has MPI installed.")
    if name not in (Backend.UNDEFINED, Backend.GLOO, Backend.NCCL, "cpu:gloo,cuda:nccl"):
        raise AssertionError(f"Unknown c10d backend type {name.upper()}")
    _world = group.WORLD = GroupMember.WORLD = ProcessGroup(name)


def destroy_process_group(group=None):
    global _world
    if group is None or group is _world:
        if _world is None:
            raise AssertionError("Process group cannot be None")
        _world = None
        globals()["group"].WORLD = GroupMember.WORLD = None


def new_group(ranks=None, timeout=None, backend=None, pg_options=None, use_local_synchronization=False, group_desc=None,
              device_id=None):
    world = _group()
    if ranks is not None and list(ranks) != [0]:
        raise ValueError("the new group's rank should be within the world_size set by init_process_group")
    return ProcessGroup(str(backend).lower() if backend is not None else world._backend)


def get_rank(group=None):
    return _group(group).rank()


def get_world_size(group=None):
    return _group(group).size()


def get_backend(group=None):
    return _group(group)._backend


def get_process_group_ranks(group):
    return [0]


def get_node_local_rank(fallback_rank=None):
    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    if fallback_rank is not None:
        return int(fallback_rank)
    raise RuntimeError("LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow "
                       "`get_node_local_rank` to work, assuming you are not running in a multi-device context and want the "
                       "code to run locally instead.")


def _root(rank, group_rank, what):
    if (rank if rank is not None else group_rank if group_rank is not None else 0) != 0:
        raise ValueError(f"Invalid {what} rank: the group has one process, whose rank is 0")


def _done(async_op):
    return Work() if async_op else None


def _checked(tensors, group, op=None):
    member = _group(group)
    for tensor in tensors:
        if not isinstance(tensor, _torch.Tensor):
            raise TypeError("Invalid function argument. Expected parameter `tensor` of type torch.Tensor\n"
                            f"             but got {type(tensor)} instead.")
    member._check(tensors)
    if op is ReduceOp.AVG and member._backend == Backend.GLOO:
        raise RuntimeError("Cannot use ReduceOp.AVG with Gloo")
    return member


def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    """Combines a tensor over the group; of one member it stays as it is."""
    _checked([tensor], group, op)
    return _done(async_op)


def reduce(tensor, dst=None, op=ReduceOp.SUM, group=None, async_op=False, group_dst=None):
    _checked([tensor], group, op)
    _root(dst, group_dst, "destination")
    return _done(async_op)


def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    _checked([tensor], group)
    _root(src, group_src, "source")
    return _done(async_op)


def _copied(targets, source, what):
    if len(targets) != 1:
        raise ValueError(f"{what} must have one tensor for each of the group's 1 process, not {len(targets)}")
    with _torch._grad_mode("no_grad"):
        targets[0].copy_(source)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    _checked([*tensor_list, tensor], group)
    _copied(tensor_list, tensor, "tensor_list")
    return _done(async_op)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    _checked([output_tensor, input_tensor], group)
    with _torch._grad_mode("no_grad"):
        output_tensor.view(-1).copy_(input_tensor.reshape(-1))
    return _done(async_op)


def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None):
    _checked([tensor], group)
    _root(dst, group_dst, "destination")
    if not gather_list:
        raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
    _copied(gather_list, tensor, "gather_list")
    return _done(async_op)


def scatter(tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    _checked([tensor], group)
    _root(src, group_src, "source")
    if not scatter_list:
        raise ValueError("Argument ``scatter_list`` must be specified on source rank.")
    _copied([tensor], scatter_list[0], "scatter_list")
    return _done(async_op)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None, async_op=False):
    _checked([output, *input_list], group, op)
    _copied([output], input_list[0], "input_list")
    return _done(async_op)


def all_gather_object(object_list, obj, group=None):
    import copy

    _group(group)
    object_list[0] = copy.deepcopy(obj)


def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    _group(group)
    _root(src, group_src, "source")


def barrier(group=None, async_op=False, device_ids=None):
    _group(group)
    return _done(async_op)


def monitored_barrier(group=None, timeout=None, wait_all_ranks=False):
    _group(group)


def _no_peer(name, side):
    def peer(tensor, peer=None, group=None, tag=0, **options):
        _checked([tensor], group)
        if peer in (0, None):
            raise ValueError(f"Invalid {side} rank: {side} rank should not be the same as the rank of the current process.")
        raise ValueError(f"Invalid {side} rank: the group has one process, whose rank is 0")

    peer.__name__ = peer.__qualname__ = name
    return peer


send, isend = _no_peer("send", "destination"), _no_peer("isend", "destination")
recv, irecv = _no_peer("recv", "source"), _no_peer("irecv", "source")
