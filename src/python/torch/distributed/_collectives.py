"""Collectives, and messages between two processes.  Over MPI, each is done when the call returns, even with
`async_op=True`; only `isend` and `irecv` continue until they're waited for. If the GPUs of the processes are
linked, each is still running when the call returns, in parallel with the device's kernels."""

import _torch

from ._groups import Backend, GroupMember, ReduceOp, find, member


class Work:
    """A collective that is done when it's made."""

    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True

    def is_success(self):
        return True

    def synchronize(self):
        self.wait()


class _Flying(Work):
    """A collective that a device runs. After `wait`, the device's next kernels wait for it."""

    def __init__(self, flight):
        self._flight = flight

    def wait(self, timeout=None):
        self._flight.join()
        return True

    def is_completed(self):
        return self._flight.is_over()

    def is_success(self):
        return self.is_completed()


class _Message(_Flying):
    def __init__(self, flight, src=None):
        super().__init__(flight)
        self._src = src

    def _source_rank(self):
        return self._src


class _Sending(Work):
    def __init__(self, group, number):
        self._group, self._number = group, number

    def wait(self, timeout=None):
        _torch._group_sent(self._group._carrier, self._number)
        return True


class _Receiving(Work):
    """The tensor is filled by `wait`, and the messages of one sender arrive in the order of the receives."""

    def __init__(self, group, tensor, src, tag):
        self._group, self._tensor, self._src, self._tag = group, tensor, src, tag
        self._done = False
        group._receives.append(self)

    def _before(self):
        """Earlier receives that could match the same message."""
        queue = self._group._receives
        return [other for other in queue[: queue.index(self)]
                if other._tag == self._tag and (None in (other._src, self._src) or other._src == self._src)]

    def wait(self, timeout=None):
        if not self._done:
            for other in self._before():
                other.wait()
            self._group._receives.remove(self)
            self._done = True
            self._src = _torch._group_receive(self._group._carrier, self._tensor, self._src, self._tag)
        return True

    def is_completed(self):
        if not self._done and not self._before() and _torch._group_arrived(self._group._carrier, self._src, self._tag):
            self.wait()
        return self._done

    def _source_rank(self):
        return self._group._ranks[self._src]


def get_rank(group=None):
    found = find(group)
    return -1 if found is GroupMember.NON_GROUP_MEMBER else found.rank()


def get_world_size(group=None):
    found = find(group)
    return -1 if found is GroupMember.NON_GROUP_MEMBER else found.size()


def get_process_group_ranks(group):
    return list(find(group)._ranks)


def get_group_rank(group, global_rank):
    """A process's rank in a group, from its rank in the world."""
    ranks = find(group)._ranks
    if global_rank not in ranks:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return ranks.index(global_rank)


def get_global_rank(group, group_rank):
    """A process's rank in the world, from its rank in a group."""
    ranks = find(group)._ranks
    if not 0 <= group_rank < len(ranks):
        raise ValueError(f"Group rank {group_rank} is not part of group {group}")
    return ranks[group_rank]


def _root(name, group, rank, group_rank):
    """The rank in the group of a process that is given by its rank in the world, or in the group."""
    if group_rank is not None:
        if rank is not None:
            raise ValueError("Can't specify both group_rank and global_rank")
        rank = get_global_rank(group, group_rank)
    rank = 0 if rank is None else rank
    if group is find() and not 0 <= rank < group.size():
        raise RuntimeError(f"ProcessGroupGloo::{name}: invalid root rank: {rank}")
    return get_group_rank(group, rank)


def _enter(name, tensors, group, op=None):
    """The group that sends the tensors; None if this process isn't in it."""
    found = member(name, group)
    for tensor in tensors:
        if not isinstance(tensor, _torch.Tensor):
            raise TypeError("Invalid function argument. Expected parameter `tensor` of type torch.Tensor\n"
                            f"             but got {type(tensor)} instead.")
    if found is None:
        return None
    found._check(tensors)
    if op is ReduceOp.AVG and found._backend == Backend.GLOO:
        raise RuntimeError("Cannot use ReduceOp.AVG with Gloo")
    return found


def _done(async_op, flight=None):
    """The result of a collective. `flight` is a running collective."""
    work = Work() if flight is None else _Flying(flight)
    if async_op:
        return work
    work.wait()
    return None


def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    """Combines a tensor over the group, in place on every rank."""
    found = _enter("all_reduce", [tensor], group, op)
    if found is None:
        return None
    return _done(async_op, _torch._group_all_reduce(found._carrier, tensor, op._name))


def reduce(tensor, dst=None, op=ReduceOp.SUM, group=None, async_op=False, group_dst=None):
    found = _enter("reduce", [tensor], group, op)
    if found is None:
        return None
    return _done(async_op, _torch._group_reduce(found._carrier, tensor, _root("reduce", found, dst, group_dst), op._name))


def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    found = _enter("broadcast", [tensor], group)
    if found is None:
        return None
    return _done(async_op, _torch._group_broadcast(found._carrier, tensor, _root("broadcast", found, src, group_src)))


def all_gather(tensor_list, tensor, group=None, async_op=False):
    found = _enter("all_gather", [*tensor_list, tensor], group)
    if found is None:
        return None
    if len(tensor_list) != found.size():
        raise ValueError(f"tensor_list must have one tensor for each of the group's {found.size()} processes, not "
                         f"{len(tensor_list)}")
    return _done(async_op, _torch._group_all_gather(found._carrier, tensor_list, tensor))


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    found = _enter("all_gather_into_tensor", [output_tensor, input_tensor], group)
    if found is None:
        return None
    return _done(async_op, _torch._group_all_gather(found._carrier, [output_tensor], input_tensor))


def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None):
    found = _enter("gather", [tensor, *(gather_list or [])], group)
    if found is None:
        return None
    root = _root("gather", found, dst, group_dst)
    if found.rank() == root and not gather_list:
        raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
    if found.rank() != root and gather_list:
        raise ValueError("Argument ``gather_list`` must NOT be specified on non-destination ranks.")
    return _done(async_op, _torch._group_gather(found._carrier, gather_list or [], tensor, root))


def scatter(tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    found = _enter("scatter", [tensor, *(scatter_list or [])], group)
    if found is None:
        return None
    root = _root("scatter", found, src, group_src)
    if found.rank() == root and not scatter_list:
        raise ValueError("Argument ``scatter_list`` must be specified on source rank.")
    if found.rank() != root and scatter_list:
        raise ValueError("Argument ``scatter_list`` must NOT be specified on non-source ranks.")
    return _done(async_op, _torch._group_scatter(found._carrier, tensor, scatter_list or [], root))


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None, async_op=False):
    found = _enter("reduce_scatter", [output, *input_list], group, op)
    if found is None:
        return None
    if len(input_list) != found.size():
        raise ValueError(f"input_list must have one tensor for each of the group's {found.size()} processes, not "
                         f"{len(input_list)}")
    return _done(async_op, _torch._group_reduce_scatter(found._carrier, output, input_list, op._name))


def reduce_scatter_tensor(output, input, op=ReduceOp.SUM, group=None, async_op=False):
    found = _enter("reduce_scatter_tensor", [output, input], group, op)
    if found is None:
        return None
    return _done(async_op, _torch._group_reduce_scatter(found._carrier, output, [input], op._name))


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    found = _enter("all_to_all", [*output_tensor_list, *input_tensor_list], group)
    if found is None:
        return None
    for tensors in (output_tensor_list, input_tensor_list):
        if len(tensors) != found.size():
            raise ValueError(f"all_to_all needs one tensor for each of the group's {found.size()} processes, not "
                             f"{len(tensors)}")
    return _done(async_op, _torch._group_all_to_all(found._carrier, output_tensor_list, input_tensor_list))


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
    found = _enter("all_to_all_single", [output, input], group)
    if found is None:
        return None
    splits = [[] if sizes is None else list(sizes) for sizes in (output_split_sizes, input_split_sizes)]
    return _done(async_op, _torch._group_all_to_all_single(found._carrier, output, input, *splits))


def barrier(group=None, async_op=False, device_ids=None):
    found = member("barrier", group)
    if found is None:
        return None
    if found._wired:
        given = device_ids[0] if device_ids else found._device
        _torch._group_barrier(found._carrier, given)
    else:
        _torch._group_barrier(found._carrier)
    return _done(async_op)


def monitored_barrier(group=None, timeout=None, wait_all_ranks=False):
    barrier(group)


def _peer(found, side, rank, group_rank):
    """The rank in the group of the other side of a message."""
    if group_rank is not None:
        if rank is not None:
            raise ValueError("Can't specify both group_rank and global_rank")
        rank = get_global_rank(found, group_rank)
    if rank is None:
        raise ValueError("Must specify global_rank or group_rank")
    if rank == find().rank():
        raise ValueError(f"Invalid {side} rank: {side} rank should not be the same as the rank of the current process.")
    return get_group_rank(found, rank)


def isend(tensor, dst=None, group=None, tag=0, group_dst=None):
    found = _enter("isend", [tensor], group)
    if found is None:
        return None
    to = _peer(found, "destination", dst, group_dst)
    if found._wired:
        return _Message(_torch._group_messages(found._carrier, [1], [tensor], [to]))
    return _Sending(found, _torch._group_send(found._carrier, tensor, to, tag))


def irecv(tensor, src=None, group=None, tag=0, group_src=None):
    found = _enter("irecv", [tensor], group)
    if found is None:
        return None
    anyone = src is None and group_src is None
    if found._wired:
        if anyone:
            raise RuntimeError("Backend nccl does not support recvAnysource")
        peer = _peer(found, "source", src, group_src)
        return _Message(_torch._group_messages(found._carrier, [0], [tensor], [peer]), found._ranks[peer])
    return _Receiving(found, tensor, None if anyone else _peer(found, "source", src, group_src), tag)


def send(tensor, dst=None, group=None, tag=0, group_dst=None):
    work = isend(tensor, dst, group, tag, group_dst)
    if work is not None:
        work.wait()


def recv(tensor, src=None, group=None, tag=0, group_src=None):
    """Fills a tensor with the message of a process, or of the first that sends. Returns the sender's rank."""
    work = irecv(tensor, src, group, tag, group_src)
    if work is None:
        return -1
    work.wait()
    return work._source_rank()


class P2POp:
    """A message for `batch_isend_irecv`."""

    def __init__(self, op, tensor, peer=None, group=None, tag=0, group_peer=None):
        if op not in (isend, irecv):
            raise ValueError("Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or "
                             "``torch.distributed.irecv``.")
        self.op, self.tensor, self.peer, self.group, self.tag, self.group_peer = op, tensor, peer, group, tag, group_peer


def batch_isend_irecv(p2p_op_list):
    first = find(p2p_op_list[0].group)
    if first is GroupMember.NON_GROUP_MEMBER or not first._wired:
        return [p.op(p.tensor, p.peer, p.group, p.tag, p.group_peer) for p in p2p_op_list]
    if any(find(p.group) is not first for p in p2p_op_list):
        raise ValueError("All ops need to use the same group.")
    first._check([p.tensor for p in p2p_op_list])
    # Sent together, so that none waits for another.
    sides = ["destination" if p.op is isend else "source" for p in p2p_op_list]
    peers = [_peer(first, side, p.peer, p.group_peer) for side, p in zip(sides, p2p_op_list)]
    sent = [int(p.op is isend) for p in p2p_op_list]
    return [_Flying(_torch._group_messages(first._carrier, sent, [p.tensor for p in p2p_op_list], peers))]
