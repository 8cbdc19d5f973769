//! The native functions behind `torch.cuda.CUDAGraph`. Its Python half has PyTorch's checks and messages.

use std::cell::RefCell;

use rustpython_vm::builtins::{PyTypeRef, PyUtf8StrRef};
use rustpython_vm::{AsObject, Py, PyPayload, PyResult, VirtualMachine, pyclass};

use super::args::Call;
use super::binding::{F, Row};
use super::error::OrRaise;
use crate::device::Device;
use crate::engine;
use crate::engine::capture::Graph;
use crate::memory::{PoolId, StreamId};

/// A captured graph. It lives, together with its memory, until it's dropped.
#[pyclass(module = "torch._C", name = "_CapturedGraph")]
#[derive(PyPayload)]
pub(super) struct PyGraph {
    graph: RefCell<Graph>,
}

impl std::fmt::Debug for PyGraph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a graph of {} kernels", self.graph.borrow().kernels())
    }
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl PyGraph {
    #[pymethod]
    fn kernels(zelf: &Py<Self>) -> usize {
        zelf.graph.borrow().kernels()
    }

    #[pymethod]
    fn pool(zelf: &Py<Self>) -> u32 {
        zelf.graph.borrow().pool().0
    }

    #[pymethod]
    fn is_instantiated(zelf: &Py<Self>) -> bool {
        zelf.graph.borrow().is_instantiated()
    }

    #[pymethod]
    fn instantiate(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<()> {
        zelf.graph.borrow_mut().instantiate().or_raise(vm)
    }

    #[pymethod]
    fn dump(zelf: &Py<Self>, path: PyUtf8StrRef, verbose: bool, vm: &VirtualMachine) -> PyResult<()> {
        zelf.graph.borrow_mut().dump(path.as_str(), verbose).or_raise(vm)
    }

    #[pymethod]
    fn replay(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<()> {
        zelf.graph.borrow().replay().or_raise(vm)
    }
}

/// The device with an index.
fn device(call: &Call<'_>) -> PyResult<Device> {
    let index = call.positional().first().cloned();
    let index = super::device::cuda_index(index.as_ref().map(|o| o.as_object()), call.vm)?;
    engine::current().resolve(super::device::cuda(index)).or_raise(call.vm)
}

/// `_graph_begin(device, pool)`: starts recording the current stream, with memory from the pool of this number or from
/// a new one.
fn begin(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let device = device(&call)?;
    let a = call.bind(&["device", "pool"], 1)?;
    let pool = match a.some(1) {
        Some(_) => Some(PoolId(u32::try_from(a.int(1)?.max(0)).unwrap_or(u32::MAX))),
        None => None,
    };
    engine::current().launches.begin_capture(device, pool).or_raise(vm)?;
    Ok(vm.ctx.none())
}

const EMPTY: &str = "The CUDA Graph is empty. This usually means that the graph was attempted to be captured on wrong device or stream.";

/// `_graph_end(device)`: the graph.
fn end(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let device = device(&call)?;
    let graph = engine::current().launches.end_capture(device).or_raise(vm)?;
    if graph.kernels() == 0 {
        super::error::warn(EMPTY, vm)?;
    }
    Ok(PyGraph { graph: RefCell::new(graph) }.into_ref(&vm.ctx).into())
}

/// `_graph_pool()`: a number that no pool has yet.
fn pool(call: Call<'_>) -> PyResult {
    Ok(call.vm.ctx.new_int(engine::current().devices.new_pool().0).into())
}

/// `_is_capturing(device)`: whether the device's current stream is being recorded.
fn is_capturing(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let e = engine::current();
    // This query doesn't initialize CUDA.
    let capturing = e.devices.is_cuda_used() && e.devices.is_capturing(Device::cuda(e.devices.current_cuda()));
    Ok(vm.ctx.new_bool(capturing).into())
}

fn cuda(index: i64) -> Device {
    super::device::cuda(index)
}

fn stream(number: i64) -> StreamId {
    super::streams::id(number)
}

/// `_capture_of(device, stream)`: the number of the capture that a stream takes part in; 0 for none.
fn capture_of(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device", "stream"], 2)?;
    let number = engine::current().devices.capture_of(cuda(a.int(0)?), stream(a.int(1)?));
    Ok(vm.ctx.new_int(number).into())
}

/// `_capture_waits(device, waiter, other device, recorder, captured)`: whether a capture has noted the wait.
fn capture_waits(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device", "waiter", "other", "recorder", "captured"], 5)?;
    let waiter = (cuda(a.int(0)?), stream(a.int(1)?));
    let recorder = (cuda(a.int(2)?), stream(a.int(3)?));
    let noted =
        engine::current().launches.capture_waits(waiter, recorder, a.int(4)?.max(0).cast_unsigned()).or_raise(vm)?;
    Ok(vm.ctx.new_bool(noted).into())
}

/// `_captured_event(device)`: the error when the host queries a captured event.
fn captured_event(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device"], 1)?;
    Err(super::error::raise(engine::current().launches.captured_event(cuda(a.int(0)?)), vm))
}

pub(super) fn class() -> PyTypeRef {
    use rustpython_vm::class::PyClassImpl;
    PyGraph::make_static_type()
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("_graph_begin", F, begin),
    ("_graph_end", F, end),
    ("_graph_pool", F, pool),
    ("_is_capturing", F, is_capturing),
    ("_capture_of", F, capture_of),
    ("_capture_waits", F, capture_waits),
    ("_captured_event", F, captured_event),
]];
