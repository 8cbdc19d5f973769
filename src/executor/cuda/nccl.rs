//! NCCL: links between the GPUs of several processes.
//!
//! ```text
//! program's queue: kernels ─┬─► more kernels ─────────────┬─► after Queued::join
//! (mark)└─► links' queue: traffic ─(mark)
//! ```
//!
//! Traffic has its own queue, so that a collective runs at the same time as the kernels after it. Its memory is kept until
//! the program's queue has been told to wait for the traffic: after that, only later work of that queue can reuse it.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::rc::Rc;

use cudarc::nccl::sys::{self, cudaStream_t, ncclComm_t, ncclDataType_t, ncclRedOp_t, ncclResult_t, ncclUniqueId};

use super::blocks::CudaBuffer;
use super::device::Device;
use super::library::{NCCL, NO_NCCL, as_numbers, as_they_are, bindings};
use crate::dtype::DType;
use crate::executor::links::{Combine, Links, Queued, Stretch, Traffic};
use crate::executor::{Done, Fault, Mark, Queue};

/// An `ncclResult_t`. Newer versions of NCCL may have values that aren't listed here.
type Status = u32;

/// Size of an `ncclUniqueId`.
const ID_BYTES: usize = size_of::<ncclUniqueId>();

const SUCCESS: Status = ncclResult_t::ncclSuccess as Status;
const IN_PROGRESS: Status = ncclResult_t::ncclInProgress as Status;

as_numbers!(ncclResult_t);
as_they_are!(ncclDataType_t, ncclRedOp_t, ncclUniqueId);

bindings! {
    /// The functions of NCCL 2.10 and later.
    pub(super) struct Nccl of sys {
        get_version: ncclGetVersion(*mut c_int) -> ncclResult_t;
        get_unique_id: ncclGetUniqueId(*mut ncclUniqueId) -> ncclResult_t;
        init: ncclCommInitRank(*mut ncclComm_t, c_int, ncclUniqueId, c_int) -> ncclResult_t;
        destroy: ncclCommDestroy(ncclComm_t) -> ncclResult_t;
        abort: ncclCommAbort(ncclComm_t) -> ncclResult_t;
        asynchronous: ncclCommGetAsyncError(ncclComm_t, *mut ncclResult_t) -> ncclResult_t;
        words: ncclGetErrorString(ncclResult_t) -> *const c_char;
        begin: ncclGroupStart() -> ncclResult_t;
        end: ncclGroupEnd() -> ncclResult_t;
        all_reduce: ncclAllReduce(
            *const c_void, *mut c_void, usize, ncclDataType_t, ncclRedOp_t, ncclComm_t, cudaStream_t) -> ncclResult_t;
        reduce: ncclReduce(
            *const c_void, *mut c_void, usize, ncclDataType_t, ncclRedOp_t, c_int, ncclComm_t, cudaStream_t) -> ncclResult_t;
        broadcast: ncclBroadcast(
            *const c_void, *mut c_void, usize, ncclDataType_t, c_int, ncclComm_t, cudaStream_t) -> ncclResult_t;
        all_gather: ncclAllGather(
            *const c_void, *mut c_void, usize, ncclDataType_t, ncclComm_t, cudaStream_t) -> ncclResult_t;
        reduce_scatter: ncclReduceScatter(
            *const c_void, *mut c_void, usize, ncclDataType_t, ncclRedOp_t, ncclComm_t, cudaStream_t) -> ncclResult_t;
        send: ncclSend(*const c_void, usize, ncclDataType_t, c_int, ncclComm_t, cudaStream_t) -> ncclResult_t;
        receive: ncclRecv(*mut c_void, usize, ncclDataType_t, c_int, ncclComm_t, cudaStream_t) -> ncclResult_t;
    }
    or none {
        /// Since NCCL 2.13.
        last_error: ncclGetLastError(ncclComm_t) -> *const c_char;
    }
}

impl Nccl {
    /// # Errors
    /// A plain sentence: what is missing and what to install.
    pub(super) fn load() -> Result<Nccl, String> {
        Nccl::bind(NCCL.load().ok_or(NO_NCCL)?)
    }

    /// Such as `2.27.3`. NCCL before 2.9 encoded its version differently.
    fn version(&self) -> String {
        let mut code = 0;
        // SAFETY: writes one number.
        unsafe { (self.get_version)(&mut code) };
        let base = if code < 10_000 { 1000 } else { 10_000 };
        format!("{}.{}.{}", code / base, code % base / 100, code % 100)
    }

    /// The library's message for an error, put together as in PyTorch.
    fn fault(&self, status: Status, comm: ncclComm_t) -> Fault {
        let text = |pointer: *const c_char| match pointer.is_null() {
            true => String::new(),
            // SAFETY: a string of the library, which is terminated and stays valid.
            false => unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned(),
        };
        // SAFETY: takes any number.
        let words = text(unsafe { (self.words)(status) });
        // SAFETY: null is allowed as the communicator.
        let last = self.last_error.map(|last| text(unsafe { last(comm) })).unwrap_or_default();
        let (name, meaning) = meaning(status);
        Fault::Lost(format!(
            "NCCL error: {words}, NCCL version {}\n{name}: {meaning}\nLast error:\n{last}",
            self.version()
        ))
    }

    fn done(&self, status: Status, comm: ncclComm_t) -> Done {
        match status {
            SUCCESS | IN_PROGRESS => Ok(()),
            other => Err(self.fault(other, comm)),
        }
    }

    /// The id that the first rank makes for all ranks.
    pub(super) fn id(&self) -> Done<Vec<u8>> {
        let mut id = ncclUniqueId { internal: [0; ID_BYTES] };
        // SAFETY: writes the id.
        let status = unsafe { (self.get_unique_id)(&mut id) };
        self.done(status, std::ptr::null_mut())?;
        Ok(id.internal.map(|byte| byte as u8).to_vec())
    }
}

/// PyTorch's explanation of each `ncclResult_t`.
const MEANINGS: [(ncclResult_t, &str); 6] = [
    (ncclResult_t::ncclUnhandledCudaError, "Call to CUDA function failed."),
    (
        ncclResult_t::ncclSystemError,
        "System call (e.g. socket, malloc) or external library call failed or device error. ",
    ),
    (ncclResult_t::ncclInternalError, "Internal check failed."),
    (ncclResult_t::ncclInvalidArgument, "Invalid value for an argument."),
    (ncclResult_t::ncclInvalidUsage, "This usually reflects invalid usage of NCCL library."),
    (
        ncclResult_t::ncclRemoteError,
        "A call failed possibly due to a network error or a remote process exiting prematurely.",
    ),
];

/// The name of a status and its explanation.
fn meaning(status: Status) -> (String, &'static str) {
    let known = MEANINGS.into_iter().find(|(result, _)| *result as Status == status);
    known.map_or(("Unknown NCCL error".into(), "Unexpected error."), |(result, meaning)| {
        (format!("{result:?}"), meaning)
    })
}

fn kind(dtype: DType) -> Option<ncclDataType_t> {
    Some(match dtype {
        DType::I8 => ncclDataType_t::ncclInt8,
        DType::U8 | DType::Bool => ncclDataType_t::ncclUint8,
        DType::I32 => ncclDataType_t::ncclInt32,
        DType::U32 => ncclDataType_t::ncclUint32,
        DType::I64 => ncclDataType_t::ncclInt64,
        DType::F16 => ncclDataType_t::ncclFloat16,
        DType::F32 => ncclDataType_t::ncclFloat32,
        DType::F64 => ncclDataType_t::ncclFloat64,
        DType::BF16 => ncclDataType_t::ncclBfloat16,
        _ => return None,
    })
}

/// Booleans are sent as bytes. For them, a sum is "or" and a product is "and".
fn operation(op: Combine, dtype: DType) -> Option<ncclRedOp_t> {
    let truth = dtype == DType::Bool;
    Some(match op {
        Combine::Sum if truth => ncclRedOp_t::ncclMax,
        Combine::Product if truth => ncclRedOp_t::ncclMin,
        Combine::Sum => ncclRedOp_t::ncclSum,
        Combine::Product => ncclRedOp_t::ncclProd,
        Combine::Max => ncclRedOp_t::ncclMax,
        Combine::Min => ncclRedOp_t::ncclMin,
        Combine::Avg if !truth => ncclRedOp_t::ncclAvg,
        _ => return None,
    })
}

/// One GPU's end of a communicator.
struct Wires {
    nccl: Rc<Nccl>,
    device: Rc<dyn Device>,
    comm: RefCell<ncclComm_t>,
    queue: Queue,
}

/// Links the device of this `rank` to those of the other ranks. Waits for all of them.
///
/// # Errors
/// NCCL's errors.
pub(super) fn link(
    nccl: &Rc<Nccl>,
    device: &Rc<dyn Device>,
    id: &[u8],
    rank: usize,
    size: usize,
) -> Done<Rc<dyn Links>> {
    let id: [u8; ID_BYTES] =
        id.try_into().map_err(|_| Fault::Unsupported(format!("an ncclUniqueId of {} bytes", id.len())))?;
    device.enter()?;
    let queue = device.queue(0)?;
    let mut comm: ncclComm_t = std::ptr::null_mut();
    // SAFETY: the device's context is current, and the communicator is destroyed by `drop`.
    let status = unsafe {
        (nccl.init)(&mut comm, size as c_int, ncclUniqueId { internal: id.map(|byte| byte as c_char) }, rank as c_int)
    };
    nccl.done(status, comm)?;
    Ok(Rc::new(Wires { nccl: nccl.clone(), device: device.clone(), comm: RefCell::new(comm), queue }))
}

fn memory(span: &Stretch) -> Done<&CudaBuffer> {
    span.buffer.downcast().ok_or_else(|| Fault::Unsupported("a buffer of another executor".into()))
}

impl Traffic {
    fn spans(&self) -> [Option<&Stretch>; 2] {
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
    fn address(&self, span: &Stretch) -> Done<*mut c_void> {
        let buffer = &span.buffer;
        let memory = memory(span)?;
        if span.offset.checked_add(span.numel).is_none_or(|end| end > buffer.numel) {
            return Err(Fault::Unsupported("traffic outside its buffer".into()));
        }
        Ok((memory.address() + (span.offset * buffer.dtype.size()) as u64) as *mut c_void)
    }

    /// Passes one operation to NCCL, between `begin` and `end`.
    fn hand_over(&self, comm: ncclComm_t, traffic: &Traffic) -> Done {
        let (nccl, stream) = (&self.nccl, self.device.stream(self.queue).cast());
        let kind_of = |span: &Stretch| {
            let dtype = span.buffer.dtype;
            kind(dtype).ok_or_else(|| Fault::Unsupported(format!("NCCL of {dtype}")))
        };
        let op_of = |op: Combine, span: &Stretch| {
            let dtype = span.buffer.dtype;
            operation(op, dtype).ok_or_else(|| Fault::Unsupported(format!("ReduceOp {op:?} of {dtype} by NCCL")))
        };
        // SAFETY (all): the spans are in their buffers, which live until the traffic has been joined; the communicator is this
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
    fn hand(&self, after: Queue, traffic: &[Traffic]) -> Done<Rc<dyn Queued>> {
        self.check()?;
        let (device, nccl, comm) = (&self.device, &self.nccl, *self.comm.borrow());
        device.enter()?;
        if let Some(before) = device.mark(after, false)? {
            device.select(self.queue);
            let ordered = device.wait_for(&*before);
            device.select(after);
            ordered?;
        }
        // SAFETY: a call without arguments; the matching call follows in every case.
        nccl.done(unsafe { (nccl.begin)() }, comm)?;
        let handed = traffic.iter().try_for_each(|one| self.hand_over(comm, one));
        // SAFETY: as above.
        let ended = nccl.done(unsafe { (nccl.end)() }, comm);
        // The error of the operation says more than the error of its group.
        handed.and(ended)?;
        let kept: Vec<Stretch> = traffic.iter().flat_map(Traffic::spans).flatten().cloned().collect();
        for span in &kept {
            let memory = memory(span)?;
            if memory.queue() != after {
                // The queue that will wait isn't the memory's own queue.
                memory.share(self.queue);
            }
        }
        let end = device.mark(self.queue, false)?;
        Ok(Rc::new(InFlight { device: device.clone(), end, kept: RefCell::new(kept) }))
    }

    fn check(&self) -> Done {
        let comm = *self.comm.borrow();
        if comm.is_null() {
            return Err(Fault::Lost("NCCL communicator was aborted".into()));
        }
        let mut found = SUCCESS;
        // SAFETY: the communicator lives; writes one number.
        let status = unsafe { (self.nccl.asynchronous)(comm, (&raw mut found).cast()) };
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
            // SAFETY: created once and not aborted. It waits for running traffic.
            unsafe { (self.nccl.destroy)(comm) };
        }
    }
}

/// Traffic on the queue of the links.
struct InFlight {
    device: Rc<dyn Device>,
    /// A mark after it; `None` if there is only one queue.
    end: Option<Rc<dyn Mark>>,
    /// The memory that it uses, until it has been joined.
    kept: RefCell<Vec<Stretch>>,
}

impl Queued for InFlight {
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

    /// The numbers in NCCL's header.
    #[test]
    fn what_nccl_carries() {
        let number = |dtype| kind(dtype).map(|kind| kind as u32);
        assert_eq!([DType::F32, DType::Bool, DType::BF16, DType::I16].map(number), [Some(7), Some(1), Some(9), None]);
        assert_eq!(operation(Combine::Sum, DType::Bool), Some(ncclRedOp_t::ncclMax));
        assert_eq!(operation(Combine::Avg, DType::Bool), None);
        assert_eq!(operation(Combine::BitAnd, DType::I64), None);
    }

    /// A status of a newer NCCL has no name here, and that isn't a bug of ours.
    #[test]
    fn nccl_statuses_have_names() {
        assert_eq!(meaning(5).0, "ncclInvalidUsage");
        assert_eq!(meaning(4711), ("Unknown NCCL error".into(), "Unexpected error."));
    }
}
