"""Process groups, and a list of all of them."""

import os
import sys
import warnings

import _torch


class ReduceOp:
    """How `all_reduce` and similar functions combine tensors."""

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f"<RedOpType.{self._name}: {list(_OPS).index(self._name)}>"


_OPS = {name: ReduceOp(name) for name in ("SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR")}
for _name, _op in _OPS.items():
    setattr(ReduceOp, _name, _op)
del _name, _op


class Backend(str):
    """The name of the library that sends the data."""

    UNDEFINED = "undefined"
    GLOO = "gloo"
    NCCL = "nccl"
    UCC = "ucc"
    MPI = "mpi"
    XCCL = "xccl"


class ProcessGroup:
    """The processes that take part in a collective. `_carrier` sends their tensors."""

    def __init__(self, backend, carrier, device=None):
        self._backend = backend
        # The index of the GPU to which it is bound, if it is.
        self._device = device.index if isinstance(device, _torch.device) else device
        self._carrier = carrier
        self._ranks = carrier.members()
        # Whether the GPUs of its processes are linked. Then it sends their memory and none of the host's.
        self._wired = _torch._group_is_wired(carrier)
        # Receives that have begun and haven't been waited for, in order.
        self._receives = []

    def rank(self):
        return self._carrier.rank()

    def size(self):
        return self._carrier.size()

    def name(self):
        return self._backend

    def _check(self, tensors):
        """Each backend sends the tensors of some devices."""
        carried = ("cuda",) if self._wired or self._backend == Backend.NCCL else ("cpu", "cuda")
        for tensor in tensors:
            if tensor.device.type not in carried:
                raise RuntimeError(f"No backend type associated with device type {tensor.device.type}")
            if self._backend == Backend.MPI and tensor.is_cuda:
                raise RuntimeError("CUDA tensor detected and the MPI used doesn't have CUDA-aware MPI support")


class group:
    WORLD = None


class GroupMember:
    WORLD = None
    NON_GROUP_MEMBER = -100


def set_world(world):
    group.WORLD = GroupMember.WORLD = world


def find(given=None):
    """The group for a call; `GroupMember.NON_GROUP_MEMBER` if this process isn't in it."""
    if given is not None:
        return given
    if group.WORLD is None:
        raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")
    return group.WORLD


def member(name, given):
    """Like `find`; None, with a warning, if this process isn't in it."""
    found = find(given)
    if found is GroupMember.NON_GROUP_MEMBER:
        warnings.warn(f"Running {name} on global rank {find().rank()} which does not belong to the given group.",
                      stacklevel=3)
        return None
    return found


_said = set()


def note(text):
    """Prints a line to standard error once, only from the first process."""
    if find().rank() == 0 and text not in _said:
        _said.add(text)
        print(f"tensoryard: {text}", file=sys.stderr, flush=True)


def carrier_of_world(rank, world_size, timeout, backend, meeting):
    """The carrier for the tensors of `world_size` processes; this is number `rank` (None: MPI knows it).  `meeting` is
    the host and port where processes without MPI meet. Raises RuntimeError if neither way works."""
    if world_size == 1 and rank in (0, None):
        return _torch._group_alone()
    built, started = _torch._mpi()
    real = _torch._gpus_are_real()
    if real and (backend == Backend.NCCL or started is None and backend in (Backend.UNDEFINED, "cpu:gloo,cuda:nccl")):
        # MPI isn't initialized, however this process was started.
        return _torch._group_wired(rank, world_size, *meeting, timeout.total_seconds())
    how = f"run 'tensoryard torchrun --nproc-per-node {world_size} FILE'"
    if not built:
        raise RuntimeError(f"torch.distributed: rank {rank} of {world_size} processes need MPI, which this build of "
                           "tensoryard leaves out: build with '--features mpi' (docs/distributed.md)")
    if started is None and os.environ.get("TENSORYARD_TORCHRUN_DIR"):
        raise RuntimeError(f"torch.distributed: the backend '{backend}' of {world_size} processes needs MPI, and torchrun "
                           "started them without it: install Open MPI (Debian's openmpi-bin), and leave out '--launcher own'")
    if started is None:
        raise RuntimeError(f"torch.distributed: the world size is {world_size}, but MPI has not started this process as one "
                           f"of {world_size}: {how}")
    carrier = _torch._group_world(timeout.total_seconds())
    if carrier.size() != world_size or rank not in (carrier.rank(), None):
        raise RuntimeError(f"torch.distributed: rank {rank} of {world_size} is asked for, but MPI started this process as rank "
                           f"{carrier.rank()} of {carrier.size()}: {how}")
    return carrier
