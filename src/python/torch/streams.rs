//! The native functions behind `torch.cuda.Stream` and `torch.cuda.Event`.

use rustpython_vm::builtins::PyTypeRef;
use rustpython_vm::{AsObject, Py, PyObject, PyPayload, PyRef, PyResult, VirtualMachine, pyclass};

use super::args::Call;
use super::binding::{F, Row};
use super::error::OrRaise;
use super::tensor::tensor_of;
use crate::device::Device;
use crate::engine;
use crate::engine::stream::Event;
use crate::memory::StreamId;

/// A recorded event.
#[pyclass(module = "torch._C", name = "_RecordedEvent")]
#[derive(PyPayload)]
pub(super) struct PyMark {
    event: Event,
}

impl std::fmt::Debug for PyMark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a recorded event")
    }
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl PyMark {
    #[pymethod]
    fn query(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<bool> {
        zelf.event.is_reached().or_raise(vm)
    }

    #[pymethod]
    fn synchronize(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<()> {
        zelf.event.synchronize().or_raise(vm)
    }

    #[pymethod]
    fn since(zelf: &Py<Self>, start: PyRef<PyMark>, vm: &VirtualMachine) -> PyResult<f64> {
        zelf.event.since(&start.event).or_raise(vm)
    }

    /// `hold(device, stream)`: makes the stream wait for it.
    #[pymethod]
    fn hold(zelf: &Py<Self>, device: i64, stream: u32, vm: &VirtualMachine) -> PyResult<()> {
        zelf.event.hold(super::device::cuda(device), StreamId(stream)).or_raise(vm)
    }
}

/// The stream with this number. An invalid number becomes one that no stream has.
pub(super) fn id(number: i64) -> StreamId {
    StreamId(u32::try_from(number.max(0)).unwrap_or(u32::MAX))
}

/// The device and the stream that a call names first.
fn place(device: Option<&PyObject>, stream: i64, vm: &VirtualMachine) -> PyResult<(Device, StreamId)> {
    let index = super::device::cuda_index(device, vm)?;
    let device = engine::current().resolve(super::device::cuda(index)).or_raise(vm)?;
    Ok((device, id(stream)))
}

/// `_stream_new(device, priority)`: returns the stream's number.
fn new(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device", "priority"], 2)?;
    let (device, _) = place(a.get(0).map(|o| o.as_object()), 0, vm)?;
    let stream = engine::current().devices.new_stream(device, a.int(1)?).or_raise(vm)?;
    Ok(vm.ctx.new_int(stream.0).into())
}

/// `_stream_external(device, handle)`: the number of the stream that other libraries know by this handle.
fn external(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device", "handle"], 2)?;
    let (device, _) = place(a.get(0).map(|o| o.as_object()), 0, vm)?;
    let stream = engine::current().devices.external_stream(device, a.int(1)?.cast_unsigned()).or_raise(vm)?;
    Ok(vm.ctx.new_int(stream.0).into())
}

/// `_stream_handle(device, stream)`: the handle by which other libraries know a stream.
fn handle(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device", "stream"], 2)?;
    let (device, stream) = place(a.get(0).map(|o| o.as_object()), a.int(1)?, vm)?;
    Ok(vm.ctx.new_int(engine::current().devices.stream_handle(device, stream)).into())
}

fn synchronize(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device", "stream"], 2)?;
    let (device, stream) = place(a.get(0).map(|o| o.as_object()), a.int(1)?, vm)?;
    engine::current().launches.synchronize_stream(device, stream).or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn query(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device", "stream"], 2)?;
    let (device, stream) = place(a.get(0).map(|o| o.as_object()), a.int(1)?, vm)?;
    Ok(vm.ctx.new_bool(engine::current().launches.is_stream_idle(device, stream).or_raise(vm)?).into())
}

/// `_stream_record(device, stream, timed)`: the event.
fn record(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device", "stream", "timed"], 3)?;
    let (device, stream) = place(a.get(0).map(|o| o.as_object()), a.int(1)?, vm)?;
    let event = engine::current().launches.record_event(device, stream, a.bool_or(2, false)?).or_raise(vm)?;
    Ok(event.map_or_else(|| vm.ctx.none(), |event| PyMark { event }.into_ref(&vm.ctx).into()))
}

/// `_stream_uses(tensor, stream)`: see `Tensor.record_stream`.
fn uses(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["tensor", "stream"], 2)?;
    let stream = id(a.int(1)?);
    if let Some(t) = a.get(0).and_then(|o| tensor_of(o)) {
        t.storage().record_stream(stream).or_raise(vm)?;
    }
    Ok(vm.ctx.none())
}

pub(super) fn class() -> PyTypeRef {
    use rustpython_vm::class::PyClassImpl;
    PyMark::make_static_type()
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("_stream_new", F, new),
    ("_stream_external", F, external),
    ("_stream_handle", F, handle),
    ("_stream_synchronize", F, synchronize),
    ("_stream_query", F, query),
    ("_stream_record", F, record),
    ("_stream_uses", F, uses),
]];
