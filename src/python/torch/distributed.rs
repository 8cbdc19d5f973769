//! Process groups as `torch.distributed` sees them: its Python half checks arguments and calls these.

use std::rc::Rc;
use std::time::Duration;

use rustpython_vm::builtins::PyTypeRef;
use rustpython_vm::{Py, PyObjectRef, PyPayload, PyResult, VirtualMachine, pyclass};

use super::args::{Bound, Call};
use super::error::OrRaise;
use super::table::{F, Row};
use crate::distributed::{self, Alone, Communicator, ReduceOp, Sending, collective};
use crate::engine;

/// What carries the tensors of a process group.
#[pyclass(module = "torch._C._distributed_c10d", name = "_Communicator")]
#[derive(PyPayload)]
pub struct PyCommunicator {
    group: Rc<dyn Communicator>,
}

impl std::fmt::Debug for PyCommunicator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rank {} of {}", self.group.rank(), self.group.size())
    }
}

#[pyclass]
impl PyCommunicator {
    #[pymethod]
    fn rank(zelf: &Py<Self>) -> usize {
        zelf.group.rank()
    }

    #[pymethod]
    fn size(zelf: &Py<Self>) -> usize {
        zelf.group.size()
    }

    /// The members' ranks in the world.
    #[pymethod]
    fn members(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        vm.ctx.new_list(zelf.group.members().iter().map(|&rank| vm.ctx.new_int(rank).into()).collect()).into()
    }
}

pub fn communicator_class() -> PyTypeRef {
    use rustpython_vm::class::PyClassImpl;
    PyCommunicator::make_static_type()
}

fn object(group: Rc<dyn Communicator>, vm: &VirtualMachine) -> PyObjectRef {
    PyCommunicator { group }.into_ref(&vm.ctx).into()
}

/// The group that every function here takes first.
fn group_of<const N: usize>(a: &Bound<'_, N>) -> PyResult<Rc<dyn Communicator>> {
    let group = a.get(0).and_then(|o| o.downcast_ref::<PyCommunicator>());
    group.map(|g| g.group.clone()).ok_or_else(|| a.wrong(0, "ProcessGroup"))
}

/// A rank, which the Python half has found in the group.
fn rank<const N: usize>(a: &Bound<'_, N>, i: usize) -> PyResult<usize> {
    usize::try_from(a.int(i)?).map_err(|_| a.wrong(i, "rank"))
}

fn op<const N: usize>(a: &Bound<'_, N>, i: usize) -> PyResult<ReduceOp> {
    a.str(i)?.and_then(ReduceOp::named).ok_or_else(|| a.wrong(i, "ReduceOp"))
}

/// `_mpi()`: whether this build has MPI, and as one of how many processes MPI started this one (None: it did not).
fn mpi(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let started = distributed::started_as().map_or_else(|| vm.ctx.none(), |n| vm.ctx.new_int(n).into());
    Ok(vm.new_tuple((distributed::HAS_MPI, started)).into())
}

/// `_gpus_are_real()`: whether CUDA itself executes the machine's GPUs.
fn gpus_are_real(call: Call<'_>) -> PyResult {
    let engine = engine::current();
    let real = engine.accelerators().first().is_some_and(|gpu| gpu.executor.name() == "cuda");
    Ok(call.vm.ctx.new_bool(real).into())
}

/// `_group_alone()`: a group of this process.
fn alone(call: Call<'_>) -> PyResult {
    Ok(object(Rc::new(Alone), call.vm))
}

/// `_group_world(seconds)`: the group of all processes that MPI started; operations give up after that time.
fn world(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let seconds = call.bind(&["seconds"], 1)?.f64(0)?;
    let timeout = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    Ok(object(distributed::world(timeout).or_raise(vm)?, vm))
}

/// `_group_part(group, ranks)`: a group of some members, None for others.
fn part(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "ranks"], 2)?;
    let ranks: Vec<usize> = a.ints(1)?.iter().filter_map(|&rank| usize::try_from(rank).ok()).collect();
    let part = group_of(&a)?.part(&ranks).or_raise(vm)?;
    Ok(part.map_or_else(|| vm.ctx.none(), |group| object(group, vm)))
}

fn barrier(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group"], 1)?;
    group_of(&a)?.barrier().or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn broadcast(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor", "src"], 3)?;
    collective::broadcast(&*group_of(&a)?, &a.tensor(1)?, rank(&a, 2)?).or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn all_reduce(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor", "op"], 3)?;
    collective::all_reduce(&*group_of(&a)?, &a.tensor(1)?, op(&a, 2)?).or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn reduce(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor", "dst", "op"], 4)?;
    collective::reduce(&*group_of(&a)?, &a.tensor(1)?, rank(&a, 2)?, op(&a, 3)?).or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn reduce_scatter(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "output", "input_list", "op"], 4)?;
    collective::reduce_scatter(&*group_of(&a)?, &a.tensor(1)?, &a.tensors(2)?, op(&a, 3)?).or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn all_gather(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor_list", "tensor"], 3)?;
    collective::all_gather(&*group_of(&a)?, &a.tensors(1)?, &a.tensor(2)?).or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn gather(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "gather_list", "tensor", "dst"], 4)?;
    collective::gather(&*group_of(&a)?, &a.tensors(1)?, &a.tensor(2)?, rank(&a, 3)?).or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn scatter(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor", "scatter_list", "src"], 4)?;
    collective::scatter(&*group_of(&a)?, &a.tensor(1)?, &a.tensors(2)?, rank(&a, 3)?).or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn all_to_all(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "output_tensor_list", "input_tensor_list"], 3)?;
    collective::all_to_all(&*group_of(&a)?, &a.tensors(1)?, &a.tensors(2)?).or_raise(vm)?;
    Ok(vm.ctx.none())
}

/// `_group_send(group, tensor, dst, tag)`: begins, and answers the number for `_group_sent`.
fn send(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor", "dst", "tag"], 4)?;
    let sending = collective::send(&*group_of(&a)?, &a.tensor(1)?, rank(&a, 2)?, a.int(3)? as i32).or_raise(vm)?;
    Ok(vm.ctx.new_int(sending.0).into())
}

/// `_group_sent(group, number)`: waits until a sending is over.
fn sent(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "number"], 2)?;
    group_of(&a)?.sent(Sending(a.int(1)? as u64)).or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn source<const N: usize>(a: &Bound<'_, N>, i: usize) -> PyResult<Option<usize>> {
    if a.some(i).is_none() { Ok(None) } else { rank(a, i).map(Some) }
}

/// `_group_receive(group, tensor, src or None, tag)`: answers who sent.
fn receive(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor", "src", "tag"], 4)?;
    let from = collective::receive(&*group_of(&a)?, &a.tensor(1)?, source(&a, 2)?, a.int(3)? as i32).or_raise(vm)?;
    Ok(vm.ctx.new_int(from).into())
}

/// `_group_arrived(group, src or None, tag)`: whether a message waits to be received.
fn arrived(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "src", "tag"], 3)?;
    Ok(vm.ctx.new_bool(group_of(&a)?.arrived(source(&a, 1)?, a.int(2)? as i32)).into())
}

pub const ROWS: &[&[Row]] = &[&[
    ("_mpi", F, mpi),
    ("_gpus_are_real", F, gpus_are_real),
    ("_group_alone", F, alone),
    ("_group_world", F, world),
    ("_group_part", F, part),
    ("_group_barrier", F, barrier),
    ("_group_broadcast", F, broadcast),
    ("_group_all_reduce", F, all_reduce),
    ("_group_reduce", F, reduce),
    ("_group_reduce_scatter", F, reduce_scatter),
    ("_group_all_gather", F, all_gather),
    ("_group_gather", F, gather),
    ("_group_scatter", F, scatter),
    ("_group_all_to_all", F, all_to_all),
    ("_group_send", F, send),
    ("_group_sent", F, sent),
    ("_group_receive", F, receive),
    ("_group_arrived", F, arrived),
]];
