//! Process groups for `torch.distributed`: its Python half checks arguments and calls these functions.

use std::rc::Rc;
use std::time::Duration;

use rustpython_vm::builtins::PyTypeRef;
use rustpython_vm::{Py, PyObjectRef, PyPayload, PyResult, VirtualMachine, pyclass};

use super::args::{Bound, Call};
use super::binding::{F, Row};
use super::error::OrRaise;
use crate::distributed::collective::{self, Begun};
use crate::distributed::store::{self, Opening, Store};
use crate::distributed::wired::Meeting;
use crate::distributed::{self, Alone, Combine, Communicator, Flight, Sending};
use crate::engine;
use crate::error::Error;
use crate::python::{hosted, traceback};

/// The communicator of a process group.
#[pyclass(module = "torch._C._distributed_c10d", name = "_Communicator")]
#[derive(PyPayload)]
pub(super) struct PyCommunicator {
    group: Rc<dyn Communicator>,
}

impl std::fmt::Debug for PyCommunicator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rank {} of {}", self.group.rank(), self.group.size())
    }
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
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

pub(super) fn communicator_class() -> PyTypeRef {
    use rustpython_vm::class::PyClassImpl;
    PyCommunicator::make_static_type()
}

/// A running collective, which continues while the program does.
#[pyclass(module = "torch._C._distributed_c10d", name = "_Flight")]
#[derive(PyPayload)]
pub(super) struct PyFlight {
    flight: Flight,
}

impl std::fmt::Debug for PyFlight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a collective")
    }
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl PyFlight {
    /// Makes the device's next kernels wait for it. The program doesn't wait.
    #[pymethod]
    fn join(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<()> {
        zelf.flight.join().or_raise(vm)
    }

    #[pymethod]
    fn is_over(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<bool> {
        zelf.flight.is_over().or_raise(vm)
    }
}

pub(super) fn flight_class() -> PyTypeRef {
    use rustpython_vm::class::PyClassImpl;
    PyFlight::make_static_type()
}

/// A `_Flight`, or None for a collective that is done.
fn begun(begun: Begun, vm: &VirtualMachine) -> PyResult {
    let flight = begun.or_raise(vm)?;
    Ok(flight.map_or_else(|| vm.ctx.none(), |flight| PyFlight { flight }.into_ref(&vm.ctx).into()))
}

/// One process's connection to a store.
#[pyclass(module = "torch._C._distributed_c10d", name = "_Store")]
#[derive(PyPayload)]
pub(super) struct PyStore {
    store: Store,
}

impl std::fmt::Debug for PyStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.store.host(), self.store.port())
    }
}

/// Ends a wait early: Stop.
fn poll(_: &Store) -> crate::error::Result<()> {
    engine::current().hooks.check_interrupt()
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl PyStore {
    #[pymethod]
    fn port(zelf: &Py<Self>) -> u16 {
        zelf.store.port()
    }

    #[pymethod]
    fn set(zelf: &Py<Self>, key: String, value: Vec<u8>, vm: &VirtualMachine) -> PyResult<()> {
        zelf.store.set(&key, &value).or_raise(vm)
    }

    #[pymethod]
    fn get(zelf: &Py<Self>, key: String, vm: &VirtualMachine) -> PyResult {
        let value = zelf.store.get(&key, &poll).or_raise(vm)?;
        Ok(vm.ctx.new_bytes(value).into())
    }

    #[pymethod]
    fn add(zelf: &Py<Self>, key: String, number: i64, vm: &VirtualMachine) -> PyResult<i64> {
        zelf.store.add(&key, number).or_raise(vm)
    }

    #[pymethod]
    fn has(zelf: &Py<Self>, key: String, vm: &VirtualMachine) -> PyResult<bool> {
        zelf.store.look(&key).map(|value| value.is_some()).or_raise(vm)
    }

    #[pymethod]
    fn wait_for_clients(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult<()> {
        zelf.store.wait_for_clients(count, &poll).or_raise(vm)
    }

    /// Waits for keys, for this many seconds (below 0: the store's own timeout).
    #[pymethod]
    fn wait(zelf: &Py<Self>, keys: Vec<String>, seconds: f64, vm: &VirtualMachine) -> PyResult<()> {
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        zelf.store.wait(&keys, Duration::try_from_secs_f64(seconds).ok(), &poll).or_raise(vm)
    }
}

pub(super) fn store_class() -> PyTypeRef {
    use rustpython_vm::class::PyClassImpl;
    PyStore::make_static_type()
}

fn object(group: Rc<dyn Communicator>, vm: &VirtualMachine) -> PyObjectRef {
    PyCommunicator { group }.into_ref(&vm.ctx).into()
}

/// The group, which every function here takes as its first argument.
fn group_of(a: &Bound<'_>) -> PyResult<Rc<dyn Communicator>> {
    let group = a.get(0).and_then(|o| o.downcast_ref::<PyCommunicator>());
    group.map(|g| g.group.clone()).ok_or_else(|| a.wrong(0, "ProcessGroup"))
}

/// A rank. The Python half has checked that it's in the group.
fn rank(a: &Bound<'_>, i: usize) -> PyResult<usize> {
    usize::try_from(a.int(i)?).map_err(|_| a.wrong(i, "rank"))
}

fn op(a: &Bound<'_>, i: usize) -> PyResult<Combine> {
    a.str(i)?.and_then(Combine::named).ok_or_else(|| a.wrong(i, "ReduceOp"))
}

/// `_mpi()`: whether this build has MPI, and how many processes MPI started together with this one (None: MPI didn't
/// start it).
fn mpi(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    if hosted::is_hosted() {
        return Ok(vm.new_tuple((false, vm.ctx.none())).into());
    }
    let started = distributed::started_as().map_or_else(|| vm.ctx.none(), |n| vm.ctx.new_int(n).into());
    Ok(vm.new_tuple((distributed::HAS_MPI, started)).into())
}

/// `_rank_of_errors(rank)`: from now on, tracebacks show this rank.
fn rank_of_errors(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["rank"], 1)?;
    traceback::set_rank(Some(rank(&a, 0)?));
    Ok(vm.ctx.none())
}

/// `_gpus_are_real()`: whether CUDA itself executes the machine's GPUs.
fn gpus_are_real(call: Call<'_>) -> PyResult {
    let engine = engine::current();
    let real = engine.devices.accelerators().first().is_some_and(|gpu| gpu.executor.name() == "cuda");
    Ok(call.vm.ctx.new_bool(real).into())
}

/// `_cannot_link()`: why the machine's GPUs can't be linked to those of other processes, or None.
fn cannot_link(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let engine = engine::current();
    let missing = engine.devices.accelerators().first().and_then(|gpu| gpu.executor.can_link().err());
    Ok(missing.map_or_else(|| vm.ctx.none(), |text| vm.ctx.new_str(text).into()))
}

fn seconds(a: &Bound<'_>, i: usize) -> PyResult<Duration> {
    Ok(Duration::try_from_secs_f64(a.f64(i)?).unwrap_or(Duration::MAX))
}

fn port(a: &Bound<'_>, i: usize) -> PyResult<u16> {
    let port = a.int(i)?;
    u16::try_from(port).map_err(|_| {
        super::error::raise(Error::value(format!("port must have value from 0 to 65535 but was {port}.")), a.vm)
    })
}

/// `_store(host, port, is_master, seconds)`: a store whose waits have this limit.
fn store(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["host", "port", "is_master", "seconds"], 4)?;
    if hosted::is_hosted() {
        return Err(super::error::not_implemented("torch.distributed.TCPStore in the page", vm));
    }
    let host = a.str(0)?.ok_or_else(|| a.wrong(0, "str"))?;
    let is_master = a.bool_or(2, false)?;
    let token = store::token();
    let opening = Opening { host, port: port(&a, 1)?, is_master, rank: None, timeout: seconds(&a, 3)?, token: &token };
    let store = Store::open(&opening, &|| engine::current().hooks.check_interrupt()).or_raise(vm)?;
    Ok(PyStore { store }.into_ref(&vm.ctx).into())
}

/// A hosted program must not reach other processes.
fn refuse_hosted(vm: &VirtualMachine) -> PyResult<()> {
    match hosted::is_hosted() {
        true => Err(super::error::not_implemented("torch.distributed: several processes in the page", vm)),
        false => Ok(()),
    }
}

/// `_group_wired(rank, size, host, port, seconds)`: the group of all processes that meet at an address and link their
/// GPUs.
fn wired(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["rank", "size", "host", "port", "seconds"], 5)?;
    refuse_hosted(vm)?;
    let host = a.str(2)?.ok_or_else(|| a.wrong(2, "str"))?;
    let meeting =
        Meeting { host, port: port(&a, 3)?, rank: rank(&a, 0)?, size: rank(&a, 1)?, timeout: seconds(&a, 4)? };
    Ok(object(distributed::meet(&meeting).or_raise(vm)?, vm))
}

/// `_group_messages(group, sent, tensors, peers)`: messages that are sent together, in a group whose GPUs are linked.
fn messages(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "sent", "tensors", "peers"], 4)?;
    let (sent, peers) = (a.ints(1)?, a.ints(3)?);
    let each = sent.iter().zip(a.tensors(2)?).zip(peers.iter());
    let messages: Vec<_> = each.map(|((&sent, t), &peer)| (sent != 0, t, crate::shape::clamped(peer))).collect();
    let group = group_of(&a)?;
    let wired = group.wired().ok_or_else(|| a.wrong(0, "ProcessGroup of linked GPUs"))?;
    begun(wired.messages(&messages).map(Some), vm)
}

/// `_group_is_wired(group)`: whether its GPUs are linked, so that it carries their memory and none of the host's.
fn is_wired(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group"], 1)?;
    Ok(vm.ctx.new_bool(group_of(&a)?.wired().is_some()).into())
}

/// `_group_alone()`: a group with only this process.
fn alone(call: Call<'_>) -> PyResult {
    Ok(object(Rc::new(Alone), call.vm))
}

/// `_group_world(seconds)`: the group of all processes that MPI started. Operations give up after this time.
fn world(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let seconds = call.bind(&["seconds"], 1)?.f64(0)?;
    refuse_hosted(vm)?;
    let timeout = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    Ok(object(distributed::world(timeout).or_raise(vm)?, vm))
}

/// `_group_part(group, ranks)`: a group of some members; None for the others.
fn part(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "ranks"], 2)?;
    let ranks: Vec<usize> = a.ints(1)?.iter().filter_map(|&rank| usize::try_from(rank).ok()).collect();
    let part = group_of(&a)?.part(&ranks).or_raise(vm)?;
    Ok(part.map_or_else(|| vm.ctx.none(), |group| object(group, vm)))
}

/// `_group_barrier(group, device)`: in a group whose GPUs are linked, uses the device with this index. None means one that
/// the group has used, or else one chosen by the rank among all processes, as in PyTorch.
fn barrier(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "device"], 1)?;
    let group = group_of(&a)?;
    match group.wired() {
        Some(wired) => {
            let device = a.int_or_none(1)?.map(super::device::cuda);
            wired.meet(device).or_raise(vm)?;
        }
        None => group.barrier().or_raise(vm)?,
    }
    Ok(vm.ctx.none())
}

fn broadcast(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor", "src"], 3)?;
    begun(collective::broadcast(&*group_of(&a)?, &a.tensor(1)?, rank(&a, 2)?), vm)
}

fn all_reduce(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor", "op"], 3)?;
    begun(collective::all_reduce(&*group_of(&a)?, &a.tensor(1)?, op(&a, 2)?), vm)
}

fn reduce(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor", "dst", "op"], 4)?;
    begun(collective::reduce(&*group_of(&a)?, &a.tensor(1)?, rank(&a, 2)?, op(&a, 3)?), vm)
}

fn reduce_scatter(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "output", "input_list", "op"], 4)?;
    begun(collective::reduce_scatter(&*group_of(&a)?, &a.tensor(1)?, &a.tensors(2)?, op(&a, 3)?), vm)
}

fn all_gather(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor_list", "tensor"], 3)?;
    begun(collective::all_gather(&*group_of(&a)?, &a.tensors(1)?, &a.tensor(2)?), vm)
}

fn gather(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "gather_list", "tensor", "dst"], 4)?;
    begun(collective::gather(&*group_of(&a)?, &a.tensors(1)?, &a.tensor(2)?, rank(&a, 3)?), vm)
}

fn scatter(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor", "scatter_list", "src"], 4)?;
    begun(collective::scatter(&*group_of(&a)?, &a.tensor(1)?, &a.tensors(2)?, rank(&a, 3)?), vm)
}

fn all_to_all(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "output_tensor_list", "input_tensor_list"], 3)?;
    begun(collective::all_to_all(&*group_of(&a)?, &a.tensors(1)?, &a.tensors(2)?), vm)
}

/// `_group_all_to_all_single(group, output, input, output_split_sizes, input_split_sizes)`: rows of single tensors, in equal
/// parts if the sizes are empty.
fn all_to_all_single(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "output", "input", "output_split_sizes", "input_split_sizes"], 5)?;
    let (out, input) = (a.tensor(1)?, a.tensor(2)?);
    begun(collective::all_to_all_single(&*group_of(&a)?, &out, &input, &a.ints(3)?, &a.ints(4)?), vm)
}

/// The tag of a message: an int of MPI's.
fn tag(a: &Bound<'_>, i: usize) -> PyResult<i32> {
    i32::try_from(a.int(i)?).map_err(|_| a.wrong(i, "int of 32 bits"))
}

/// `_group_send(group, tensor, dst, tag)`: starts sending, and returns the number for `_group_sent`.
fn send(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor", "dst", "tag"], 4)?;
    let sending = collective::send(&*group_of(&a)?, &a.tensor(1)?, rank(&a, 2)?, tag(&a, 3)?).or_raise(vm)?;
    Ok(vm.ctx.new_int(sending.0).into())
}

/// `_group_sent(group, number)`: waits until the message has been sent.
fn sent(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "number"], 2)?;
    group_of(&a)?.sent(Sending(a.int(1)?.cast_unsigned())).or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn source(a: &Bound<'_>, i: usize) -> PyResult<Option<usize>> {
    if a.some(i).is_none() { Ok(None) } else { rank(a, i).map(Some) }
}

/// `_group_receive(group, tensor, src or None, tag)`: returns the sender.
fn receive(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "tensor", "src", "tag"], 4)?;
    let from = collective::receive(&*group_of(&a)?, &a.tensor(1)?, source(&a, 2)?, tag(&a, 3)?).or_raise(vm)?;
    Ok(vm.ctx.new_int(from).into())
}

/// `_group_arrived(group, src or None, tag)`: whether a message is waiting to be received.
fn arrived(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["group", "src", "tag"], 3)?;
    Ok(vm.ctx.new_bool(group_of(&a)?.arrived(source(&a, 1)?, tag(&a, 2)?)).into())
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("_mpi", F, mpi),
    ("_rank_of_errors", F, rank_of_errors),
    ("_gpus_are_real", F, gpus_are_real),
    ("_cannot_link", F, cannot_link),
    ("_store", F, store),
    ("_group_wired", F, wired),
    ("_group_is_wired", F, is_wired),
    ("_group_messages", F, messages),
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
    ("_group_all_to_all_single", F, all_to_all_single),
    ("_group_send", F, send),
    ("_group_sent", F, sent),
    ("_group_receive", F, receive),
    ("_group_arrived", F, arrived),
]];
