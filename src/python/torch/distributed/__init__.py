"""Several processes that train one model.  `tensoryard torchrun` starts them. With the backend `nccl`, NCCL sends the
tensors of real GPUs; MPI sends those of any other group. docs/distributed.md explains each backend. A program that
runs alone is a group of one process."""

import os
import sys
import warnings
from datetime import timedelta

import _torch
from _torch import _DistBackendError as DistBackendError
from _torch import _DistError as DistError
from _torch import _DistNetworkError as DistNetworkError
from _torch import _DistStoreError as DistStoreError

from ._collectives import (P2POp, Work, all_gather, all_gather_into_tensor, all_reduce, all_to_all, all_to_all_single,
                           barrier, batch_isend_irecv, broadcast, gather, get_global_rank, get_group_rank,
                           get_process_group_ranks, get_rank, get_world_size, irecv, isend, monitored_barrier, recv, reduce,
                           reduce_scatter, reduce_scatter_tensor, scatter, send)
from ._groups import Backend, GroupMember, ProcessGroup, ReduceOp, carrier_of_world, group, note, set_world
from ._groups import find as _group
from ._store import Store, TCPStore
from ._objects import all_gather_object, broadcast_object_list, gather_object, scatter_object_list

default_pg_timeout = timedelta(seconds=1800)
_NCCL_TIMEOUT = timedelta(seconds=600)


def is_available():
    return True


def is_initialized():
    return group.WORLD is not None


def is_nccl_available():
    return _torch._machine()[2] and not (_torch._gpus_are_real() and _torch._cannot_link())


def is_gloo_available():
    return True


def is_mpi_available():
    return _torch._mpi()[0]


def is_ucc_available():
    return False


def is_torchelastic_launched():
    return "TORCHELASTIC_RUN_ID" in os.environ


def _from_environment(rank, world_size):
    def get(name):
        value = os.environ.get(name)
        if value is None:
            raise ValueError("Error initializing torch.distributed using env:// rendezvous: environment variable "
                             f"{name} expected, but not set")
        return value

    rank = rank if rank != -1 else int(get("RANK"))
    world_size = world_size if world_size != -1 else int(get("WORLD_SIZE"))
    return rank, world_size, (get("MASTER_ADDR"), int(get("MASTER_PORT")))


def _rendezvous(init_method, world_size, rank, store):
    """The rank of this process, the number of processes, and where they meet: a host and a port, or None without one.
    """
    if store is not None:
        if world_size <= 0:
            raise AssertionError("world_size must be positive if using store")
        if rank < 0:
            raise AssertionError("rank must be non-negative if using store")
        return rank, world_size, None
    if init_method is None or init_method.startswith("env://"):
        return _from_environment(rank, world_size)
    kind, _, place = init_method.partition("://")
    if kind not in ("tcp", "file"):
        raise RuntimeError(f"No rendezvous handler for {kind}://")
    if rank == -1 or world_size == -1:
        missing = "rank" if rank == -1 else "world size"
        raise ValueError(f"Error initializing torch.distributed using {kind}:// rendezvous: {missing} parameter missing")
    if kind == "file":
        return rank, world_size, None
    host, colon, port = place.split("/")[0].rpartition(":")
    if not colon:
        raise ValueError("Error initializing torch.distributed using tcp:// rendezvous: port number missing")
    return rank, world_size, (host, int(port))


def _rendezvous_of_mpi(world_size, rank):
    """Like `_rendezvous`, for the backend `mpi`: MPI itself knows the ranks."""
    if world_size != -1 or rank != -1:
        warnings.warn(f"For MPI backend, world_size ({world_size}) and rank ({rank}) are ignored since they are assigned by "
                      "the MPI runtime.", stacklevel=3)
    built, started = _torch._mpi()
    if not built:
        raise RuntimeError("Distributed package doesn't have MPI built in. MPI is only included if you build PyTorch from "
                           "source on a host that has MPI installed.")
    if started is None:
        # Without a launcher, MPI makes a world of one process. A process that expects others must not continue alone.
        return int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1")), None
    return None, started, None


def init_process_group(backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name="",
                       pg_options=None, device_id=None):
    """Makes the default group of all processes that were started together."""
    if group.WORLD is not None:
        raise ValueError("trying to initialize the default process group twice!")
    if store is not None and init_method is not None:
        raise AssertionError("Cannot specify both init_method and store.")
    name = str(backend).lower() if backend is not None else Backend.UNDEFINED
    if name == Backend.MPI:
        rank, world_size, meeting = _rendezvous_of_mpi(world_size, rank)
    else:
        rank, world_size, meeting = _rendezvous(init_method, world_size, rank, store)
    if name == Backend.NCCL and _torch._machine()[0] == 0:
        if not _torch._machine()[2]:
            raise RuntimeError("Distributed package doesn't have NCCL built in")
        raise RuntimeError("nccl2 requires at least one CUDA device")
    if name not in (Backend.UNDEFINED, Backend.GLOO, Backend.NCCL, Backend.MPI, "cpu:gloo,cuda:nccl"):
        raise AssertionError(f"Unknown c10d backend type {name.upper()}")
    if name == Backend.NCCL and world_size > 1 and _torch._gpus_are_real():
        _require_nccl()
        if meeting is None:
            raise NotImplementedError("torch.distributed: processes with the backend 'nccl' that meet elsewhere than at env:// "
                                      "or tcp://")
    if timeout is None:
        timeout = _NCCL_TIMEOUT if name == Backend.NCCL else default_pg_timeout
    carrier = carrier_of_world(rank, world_size, timeout, name, meeting)
    set_world(ProcessGroup(name, carrier, device_id))
    _torch._rank_of_errors(group.WORLD.rank())
    if world_size > 1 and name != Backend.MPI and not group.WORLD._wired:
        note(_CARRIED[name] if name in _CARRIED else "the process group is carried by MPI")


def _require_nccl():
    missing = _torch._cannot_link()
    if missing is not None:
        print(f"tensoryard: {missing}", file=sys.stderr, flush=True)
        raise RuntimeError("Distributed package doesn't have NCCL built in")


_CARRIED = {
    Backend.GLOO: "the backend 'gloo' is carried by MPI",
    Backend.NCCL: "the backend 'nccl' is simulated: MPI carries the tensors of GPUs through host memory",
}


def destroy_process_group(group=None):
    """Ends a group. Ending the default group ends all others."""
    if group is None or group is GroupMember.WORLD:
        if GroupMember.WORLD is None:
            raise AssertionError("Process group cannot be None")
        set_world(None)


def new_group(ranks=None, timeout=None, backend=None, pg_options=None, use_local_synchronization=False, group_desc=None,
              device_id=None):
    """A group of some of the processes. All of them call it, in the same order."""
    world = _group()
    ranks = sorted(ranks) if ranks is not None else list(range(world.size()))
    if len(ranks) > world.size():
        raise ValueError("the new group's world size should be less or equal to the world size set by init_process_group")
    for rank in ranks:
        if not 0 <= rank < world.size():
            raise ValueError("The new group's rank should be within the world_size set by init_process_group")
    if len(set(ranks)) != len(ranks):
        raise ValueError("The new group's ranks should be distinct")
    carrier = _torch._group_part(world._carrier, ranks)
    if carrier is None:
        return GroupMember.NON_GROUP_MEMBER
    device = device_id if device_id is not None else world._device
    return ProcessGroup(str(backend).lower() if backend is not None else world._backend, carrier, device)


def get_backend(group=None):
    return _group(group)._backend


def get_node_local_rank(fallback_rank=None):
    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    if fallback_rank is not None:
        return int(fallback_rank)
    raise RuntimeError("LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow "
                       "`get_node_local_rank` to work, assuming you are not running in a multi-device context and want the "
                       "code to run locally instead.")
