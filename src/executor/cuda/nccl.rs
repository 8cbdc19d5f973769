//! NCCL: links between the GPUs of several processes.
//!
//! ```text
//! program's queue: kernels ─┬─► more kernels ─────────────┬─► after Flight::join
//!                     (mark)└─► links' queue: traffic ─(mark)
//! ```
//!
//! Traffic has a queue of its own, so that a collective runs while the kernels behind it do. The memory it uses is kept until
//! the program's queue has been told to wait for it: what is freed then may be used again by what comes later there.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::rc::Rc;

use libloading::Library;

use super::device::Device;
use super::library::{NCCL, NO_NCCL, function};
use super::memory::CudaBuffer;
use crate::distributed::ReduceOp;
use crate::dtype::DType;
use crate::executor::links::{Flight, Links, Span, Traffic};
use crate::executor::{Done, Fault, Mark, Queue};

type Status = c_int;
type Comm = *mut c_void;
type CuStream = *mut c_void;

/// `ncclUniqueId`.
#[repr(C)]
#[derive(Clone, Copy)]
struct UniqueId([u8; ID_BYTES]);

const ID_BYTES: usize = 128;

/// `ncclResult_t`.
const SUCCESS: Status = 0;
const IN_PROGRESS: Status = 7;

/// The functions of NCCL 2.10 and later.
pub struct Nccl {
    get_version: unsafe extern "C" fn(*mut c_int) -> Status,
    get_unique_id: unsafe extern "C" fn(*mut UniqueId) -> Status,
    init: unsafe extern "C" fn(*mut Comm, c_int, UniqueId, c_int) -> Status,
    destroy: unsafe extern "C" fn(Comm) -> Status,
    abort: unsafe extern "C" fn(Comm) -> Status,
    asynchronous: unsafe extern "C" fn(Comm, *mut Status) -> Status,
    words: unsafe extern "C" fn(Status) -> *const c_char,
    /// Since NCCL 2.13.
    last_error: Option<unsafe extern "C" fn(Comm) -> *const c_char>,
    begin: unsafe extern "C" fn() -> Status,
    end: unsafe extern "C" fn() -> Status,
    all_reduce: unsafe extern "C" fn(*const c_void, *mut c_void, usize, c_int, c_int, Comm, CuStream) -> Status,
    reduce: unsafe extern "C" fn(*const c_void, *mut c_void, usize, c_int, c_int, c_int, Comm, CuStream) -> Status,
    broadcast: unsafe extern "C" fn(*const c_void, *mut c_void, usize, c_int, c_int, Comm, CuStream) -> Status,
    all_gather: unsafe extern "C" fn(*const c_void, *mut c_void, usize, c_int, Comm, CuStream) -> Status,
    reduce_scatter: unsafe extern "C" fn(*const c_void, *mut c_void, usize, c_int, c_int, Comm, CuStream) -> Status,
    send: unsafe extern "C" fn(*const c_void, usize, c_int, c_int, Comm, CuStream) -> Status,
    receive: unsafe extern "C" fn(*mut c_void, usize, c_int, c_int, Comm, CuStream) -> Status,
    _library: Library,
}

impl Nccl {
    /// # Errors
    /// A plain sentence: what is missing and what to install.
    pub fn load() -> Result<Nccl, String> {
        let library = NCCL.load().ok_or(NO_NCCL)?;
        // SAFETY (all): the types are those of NCCL's header.
        unsafe {
            Ok(Nccl {
                get_version: function(&library, "ncclGetVersion")?,
                get_unique_id: function(&library, "ncclGetUniqueId")?,
                init: function(&library, "ncclCommInitRank")?,
                destroy: function(&library, "ncclCommDestroy")?,
                abort: function(&library, "ncclCommAbort")?,
                asynchronous: function(&library, "ncclCommGetAsyncError")?,
                words: function(&library, "ncclGetErrorString")?,
                last_error: function(&library, "ncclGetLastError").ok(),
                begin: function(&library, "ncclGroupStart")?,
                end: function(&library, "ncclGroupEnd")?,
                all_reduce: function(&library, "ncclAllReduce")?,
                reduce: function(&library, "ncclReduce")?,
                broadcast: function(&library, "ncclBroadcast")?,
                all_gather: function(&library, "ncclAllGather")?,
                reduce_scatter: function(&library, "ncclReduceScatter")?,
                send: function(&library, "ncclSend")?,
                receive: function(&library, "ncclRecv")?,
                _library: library,
            })
        }
    }

    /// As `2.27.3`; NCCL before 2.9 counted otherwise.
    fn version(&self) -> String {
        let mut code = 0;
        // SAFETY: writes one number.
        unsafe { (self.get_version)(&mut code) };
        let base = if code < 10_000 { 1000 } else { 10_000 };
        format!("{}.{}.{}", code / base, code % base / 100, code % 100)
    }

    /// The library's words for what went wrong, as PyTorch puts them together.
    fn fault(&self, status: Status, comm: Comm) -> Fault {
        let text = |pointer: *const c_char| match pointer.is_null() {
            true => String::new(),
            // SAFETY: a text of the library's, which ends and stays.
            false => unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned(),
        };
        // SAFETY: takes any number.
        let words = text(unsafe { (self.words)(status) });
        // SAFETY: takes no communicator too.
        let last = self.last_error.map(|last| text(unsafe { last(comm) })).unwrap_or_default();
        let (name, meaning) = meaning(status);
        Fault::Lost(format!(
            "NCCL error: {words}, NCCL version {}\n{name}: {meaning}\nLast error:\n{last}",
            self.version()
        ))
    }

    fn done(&self, status: Status, comm: Comm) -> Done {
        match status {
            SUCCESS | IN_PROGRESS => Ok(()),
            other => Err(self.fault(other, comm)),
        }
    }

    /// What the first rank makes for all.
    pub fn id(&self) -> Done<Vec<u8>> {
        let mut id = UniqueId([0; ID_BYTES]);
        // SAFETY: writes the id.
        let status = unsafe { (self.get_unique_id)(&mut id) };
        self.done(status, std::ptr::null_mut())?;
        Ok(id.0.to_vec())
    }
}

/// The name of an `ncclResult_t`, and what PyTorch says that it means.
fn meaning(status: Status) -> (&'static str, &'static str) {
    match status {
        1 => ("ncclUnhandledCudaError", "Call to CUDA function failed."),
        2 => ("ncclSystemError", "System call (e.g. socket, malloc) or external library call failed or device error. "),
        3 => ("ncclInternalError", "Internal check failed."),
        4 => ("ncclInvalidArgument", "Invalid value for an argument."),
        5 => ("ncclInvalidUsage", "This usually reflects invalid usage of NCCL library."),
        6 => (
            "ncclRemoteError",
            "A call failed possibly due to a network error or a remote process exiting prematurely.",
        ),
        _ => ("Unknown NCCL error", "Unexpected error."),
    }
}

/// `ncclDataType_t`.
fn kind(dtype: DType) -> Option<c_int> {
    Some(match dtype {
        DType::I8 => 0,
        DType::U8 | DType::Bool => 1,
        DType::I32 => 2,
        DType::U32 => 3,
        DType::I64 => 4,
        DType::F16 => 6,
        DType::F32 => 7,
        DType::F64 => 8,
        DType::BF16 => 9,
        _ => return None,
    })
}

const SUM: c_int = 0;
const PRODUCT: c_int = 1;
const MAX: c_int = 2;
const MIN: c_int = 3;
const AVERAGE: c_int = 4;

/// `ncclRedOp_t`. Of truth values, which go as bytes, a sum is "or" and a product "and".
fn operation(op: ReduceOp, dtype: DType) -> Option<c_int> {
    let truth = dtype == DType::Bool;
    Some(match op {
        ReduceOp::Sum if truth => MAX,
        ReduceOp::Product if truth => MIN,
        ReduceOp::Sum => SUM,
        ReduceOp::Product => PRODUCT,
        ReduceOp::Max => MAX,
        ReduceOp::Min => MIN,
        ReduceOp::Avg if !truth => AVERAGE,
        _ => return None,
    })
}

/// One GPU's end of a communicator.
struct Wires {
    nccl: Rc<Nccl>,
    device: Rc<dyn Device>,
    comm: RefCell<Comm>,
    queue: Queue,
}

/// Joins the device, as that of `rank`, to those of the others; waits for all of them.
///
/// # Errors
/// NCCL's own.
pub fn link(nccl: &Rc<Nccl>, device: &Rc<dyn Device>, id: &[u8], rank: usize, size: usize) -> Done<Rc<dyn Links>> {
    let id: [u8; ID_BYTES] =
        id.try_into().map_err(|_| Fault::Unsupported(format!("an ncclUniqueId of {} bytes", id.len())))?;
    device.enter()?;
    let queue = device.queue(0)?;
    let mut comm: Comm = std::ptr::null_mut();
    // SAFETY: the device's context is current, and the communicator is destroyed by `drop`.
    let status = unsafe { (nccl.init)(&mut comm, size as c_int, UniqueId(id), rank as c_int) };
    nccl.done(status, comm)?;
    Ok(Rc::new(Wires { nccl: nccl.clone(), device: device.clone(), comm: RefCell::new(comm), queue }))
}

fn memory(span: &Span) -> Done<&CudaBuffer> {
    span.buffer.downcast().ok_or_else(|| Fault::Unsupported("a buffer of another executor".into()))
}

impl Traffic {
    fn spans(&self) -> [Option<&Span>; 2] {
        match self {
            Traffic::AllReduce { from, to, .. }
            | Traffic::Reduce { from, to, .. }
            | Traffic::Broadcast { from, to, .. }
            | Traffic::AllGather { from, to }
            | Traffic::ReduceScatter { from, to, .. } => [Some(from), Some(to)],
            Traffic::Send { from: span, .. } | Traffic::Receive { to: span, .. } => [Some(span), None],
        }
    }
}

impl Wires {
    fn address(&self, span: &Span) -> Done<*mut c_void> {
        let buffer = &span.buffer;
        let memory = memory(span)?;
        if span.offset.checked_add(span.numel).is_none_or(|end| end > buffer.numel) {
            return Err(Fault::Unsupported("traffic outside its buffer".into()));
        }
        Ok((memory.address() + (span.offset * buffer.dtype.size()) as u64) as *mut c_void)
    }

    /// Hands one thing to NCCL, between its `begin` and `end`.
    fn hand_over(&self, comm: Comm, traffic: &Traffic) -> Done {
        let (nccl, stream) = (&self.nccl, self.device.stream(self.queue));
        let kind_of = |span: &Span| {
            let dtype = span.buffer.dtype;
            kind(dtype).ok_or_else(|| Fault::Unsupported(format!("NCCL of {dtype}")))
        };
        let op_of = |op: ReduceOp, span: &Span| {
            let dtype = span.buffer.dtype;
            operation(op, dtype).ok_or_else(|| Fault::Unsupported(format!("ReduceOp {op:?} of {dtype} by NCCL")))
        };
        // SAFETY (all): the spans lie in their buffers, which live until the traffic has been joined; the communicator is this
        // one's, and the stream its device's.
        let status = unsafe {
            match traffic {
                Traffic::AllReduce { from, to, op } => (nccl.all_reduce)(
                    self.address(from)?,
                    self.address(to)?,
                    from.numel,
                    kind_of(from)?,
                    op_of(*op, from)?,
                    comm,
                    stream,
                ),
                Traffic::Reduce { from, to, op, root } => (nccl.reduce)(
                    self.address(from)?,
                    self.address(to)?,
                    from.numel,
                    kind_of(from)?,
                    op_of(*op, from)?,
                    *root as c_int,
                    comm,
                    stream,
                ),
                Traffic::Broadcast { from, to, root } => (nccl.broadcast)(
                    self.address(from)?,
                    self.address(to)?,
                    to.numel,
                    kind_of(to)?,
                    *root as c_int,
                    comm,
                    stream,
                ),
                Traffic::AllGather { from, to } => {
                    (nccl.all_gather)(self.address(from)?, self.address(to)?, from.numel, kind_of(from)?, comm, stream)
                }
                Traffic::ReduceScatter { from, to, op } => (nccl.reduce_scatter)(
                    self.address(from)?,
                    self.address(to)?,
                    to.numel,
                    kind_of(from)?,
                    op_of(*op, from)?,
                    comm,
                    stream,
                ),
                Traffic::Send { from, peer } => {
                    (nccl.send)(self.address(from)?, from.numel, kind_of(from)?, *peer as c_int, comm, stream)
                }
                Traffic::Receive { to, peer } => {
                    (nccl.receive)(self.address(to)?, to.numel, kind_of(to)?, *peer as c_int, comm, stream)
                }
            }
        };
        nccl.done(status, comm)
    }
}

impl Links for Wires {
    fn hand(&self, after: Queue, traffic: &[Traffic]) -> Done<Rc<dyn Flight>> {
        self.check()?;
        let (device, nccl, comm) = (&self.device, &self.nccl, *self.comm.borrow());
        device.enter()?;
        if let Some(before) = device.mark(after, false)? {
            device.select(self.queue);
            let ordered = device.wait_for(&*before);
            device.select(after);
            ordered?;
        }
        // SAFETY: a call without arguments, whose other half follows in any case.
        nccl.done(unsafe { (nccl.begin)() }, comm)?;
        let handed = traffic.iter().try_for_each(|one| self.hand_over(comm, one));
        // SAFETY: as above.
        let ended = nccl.done(unsafe { (nccl.end)() }, comm);
        // The traffic's own error says more than that of the group it was in.
        handed.and(ended)?;
        let kept: Vec<Span> = traffic.iter().flat_map(Traffic::spans).flatten().cloned().collect();
        for span in &kept {
            let memory = memory(span)?;
            if memory.queue() != after {
                // Its own queue is not the one that will wait.
                memory.share(self.queue);
            }
        }
        let end = device.mark(self.queue, false)?;
        Ok(Rc::new(Queued { device: device.clone(), end, kept: RefCell::new(kept) }))
    }

    fn check(&self) -> Done {
        let comm = *self.comm.borrow();
        if comm.is_null() {
            return Err(Fault::Lost("NCCL communicator was aborted".into()));
        }
        let mut found = SUCCESS;
        // SAFETY: the communicator lives; writes one number.
        let status = unsafe { (self.nccl.asynchronous)(comm, &mut found) };
        self.nccl.done(status, comm)?;
        self.nccl.done(found, comm)
    }

    fn abort(&self) {
        let comm = self.comm.replace(std::ptr::null_mut());
        if !comm.is_null() {
            // SAFETY: nobody uses it from here on.
            unsafe { (self.nccl.abort)(comm) };
        }
    }
}

impl Drop for Wires {
    fn drop(&mut self) {
        let comm = self.comm.replace(std::ptr::null_mut());
        if !comm.is_null() && self.device.enter().is_ok() {
            // SAFETY: created once and not aborted; it waits for what is on its way.
            unsafe { (self.nccl.destroy)(comm) };
        }
    }
}

/// Traffic on the links' queue.
struct Queued {
    device: Rc<dyn Device>,
    /// Behind it; `None` where there is one queue.
    end: Option<Rc<dyn Mark>>,
    /// Memory that it uses, until it has been joined.
    kept: RefCell<Vec<Span>>,
}

impl Flight for Queued {
    fn join(&self, _: Queue) -> Done {
        if let Some(end) = &self.end {
            self.device.wait_for(&**end)?;
        }
        self.kept.borrow_mut().clear();
        Ok(())
    }

    fn is_over(&self) -> Done<bool> {
        self.end.as_ref().map_or(Ok(true), |end| end.is_reached())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue 5: the numbers of NCCL's header.
    #[test]
    fn what_nccl_carries() {
        assert_eq!((kind(DType::F32), kind(DType::Bool), kind(DType::I16)), (Some(7), Some(1), None));
        assert_eq!(operation(ReduceOp::Sum, DType::Bool), Some(MAX));
        assert_eq!(operation(ReduceOp::Avg, DType::Bool), None);
        assert_eq!(operation(ReduceOp::BitAnd, DType::I64), None);
    }
}
