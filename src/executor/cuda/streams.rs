//! Streams, events, page-locked memory and copies that don't wait, on one GPU.
//!
//! Every queue is a stream that doesn't wait for CUDA's default stream. Streams live as long as the device.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cudarc::driver::{DriverError, result, sys};

use super::device::Device;
use super::driver::{Gpu, fault, refusal};
use crate::executor::{Done, Fault, Mark, Queue};

/// The queues of a device. A device with a single queue uses these defaults.
pub trait Streams {
    /// As [`crate::executor::queue::Queues::queue`].
    fn queue(&self, _priority: i32) -> Done<Queue> {
        Ok(Queue::default())
    }

    /// As [`crate::executor::queue::Queues::foreign_queue`].
    fn foreign_queue(&self, _handle: u64) -> Done<Queue> {
        Err(Fault::Unsupported("a stream that another library made".into()))
    }

    /// Selects the queue for all later work.
    fn select(&self, _queue: Queue) {}

    /// Waits for the selected queue.
    fn synchronize_queue(&self) -> Done {
        Ok(())
    }

    /// Whether all work of the selected queue is done.
    fn is_idle(&self) -> Done<bool> {
        Ok(true)
    }

    /// Makes later work of the selected queue wait for the mark.
    fn wait_for(&self, _mark: &dyn Mark) -> Done {
        Ok(())
    }

    /// Page-locked memory that every device may use; `None` if the driver supplies none.
    fn take_host(&self, _bytes: usize) -> Done<Option<NonNull<u8>>> {
        Ok(None)
    }

    /// Frees memory from [`Streams::take_host`]. Nothing may use it any more.
    fn give_back_host(&self, _at: NonNull<u8>) {}

    /// Queues a copy from page-locked memory, which is read when the copy runs.
    ///
    /// # Safety
    /// The memory must stay valid until the copy has run.
    unsafe fn upload_later(&self, _address: u64, _from: *const u8, _bytes: usize) -> Done {
        Err(Fault::Unsupported("a copy that does not wait".into()))
    }

    /// Queues a copy to page-locked memory, which is written when the copy runs.
    ///
    /// # Safety
    /// As for [`Streams::upload_later`].
    unsafe fn download_later(&self, _address: u64, _to: *mut u8, _bytes: usize) -> Done {
        Err(Fault::Unsupported("a copy that does not wait".into()))
    }

    /// Queues a copy to another device's memory. The caller orders it with that device's work. Returns `false` if this
    /// device can't copy there.
    fn send(&self, _address: u64, _other: &dyn Device, _target: u64, _bytes: usize) -> Done<bool> {
        Ok(false)
    }

    /// The driver's context, which [`Streams::send`] needs of the other device; `None` if it isn't a CUDA device.
    fn context(&self) -> Option<u64> {
        None
    }
}

thread_local! {
    /// The context that is current on this thread, so that it is set only if it changes.
    static CURRENT: Cell<usize> = const { Cell::new(0) };
}

/// All page-locked memory: the first byte and the size of each piece.
static LOCKED: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

fn locked() -> MutexGuard<'static, BTreeMap<usize, usize>> {
    // A panic while the lock is held can't leave a map of numbers inconsistent.
    LOCKED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The context of one device. Marks share it with the device.
pub(super) struct Context {
    handle: sys::CUcontext,
    /// The first error. Every later call returns the same error.
    lost: RefCell<Option<Fault>>,
    /// Whether the device still exists.
    alive: Cell<bool>,
}

impl Context {
    /// For a context that is retained and current.
    pub(super) fn new(handle: sys::CUcontext) -> Rc<Context> {
        CURRENT.set(handle as usize);
        Rc::new(Context { handle, lost: RefCell::default(), alive: Cell::new(true) })
    }

    /// Makes the device's context current. Fails if an earlier error has ended the context.
    pub(super) fn enter(&self) -> Done {
        if let Some(fault) = &*self.lost.borrow() {
            return Err(fault.clone());
        }
        self.make_current();
        Ok(())
    }

    pub(super) fn handle(&self) -> sys::CUcontext {
        self.handle
    }

    pub(super) fn make_current(&self) {
        if CURRENT.get() != self.handle as usize {
            // SAFETY: retained while it's alive. If this fails, the next call on the context reports why.
            let _ = unsafe { result::ctx::set_current(self.handle) };
            CURRENT.set(self.handle as usize);
        }
    }

    /// Remembers an error that ends the context.
    pub(super) fn done<T>(&self, result: Result<T, DriverError>) -> Done<T> {
        result.map_err(|error| {
            let fault = fault(error);
            if let Fault::Lost(_) = fault {
                *self.lost.borrow_mut() = Some(fault.clone());
            }
            fault
        })
    }

    /// Whether the work is done, from the status that a query of a stream or an event returns.
    fn ready(&self, answer: Result<(), DriverError>) -> Done<bool> {
        match answer {
            Ok(()) => Ok(true),
            Err(DriverError(sys::CUresult::CUDA_ERROR_NOT_READY)) => Ok(false),
            Err(error) => self.done(Err(error)),
        }
    }

    /// The device is being destroyed: nothing of its context may be used any more.
    pub(super) fn end(&self) {
        self.alive.set(false);
        CURRENT.set(0);
    }
}

/// An event, recorded once.
struct EventMark {
    context: Rc<Context>,
    event: sys::CUevent,
}

impl EventMark {
    fn enter(&self) -> Done {
        if !self.context.alive.get() {
            return Err(Fault::Lost("the device is gone".into()));
        }
        self.context.enter()
    }
}

impl Mark for EventMark {
    fn is_reached(&self) -> Done<bool> {
        self.enter()?;
        // SAFETY: an event of ours.
        self.context.ready(unsafe { result::event::query(self.event) })
    }

    fn wait(&self) -> Done {
        self.enter()?;
        // SAFETY: an event of ours.
        self.context.done(unsafe { result::event::synchronize(self.event) })
    }

    fn since(&self, start: &dyn Mark) -> Done<f64> {
        self.enter()?;
        let start: &EventMark = (start as &dyn Any)
            .downcast_ref()
            .ok_or_else(|| Fault::Unsupported("the time between events of different executors".into()))?;
        // SAFETY: events of ours. An error here doesn't end the context.
        let time = unsafe { result::event::elapsed(start.event, self.event) };
        time.map(f64::from).map_err(refusal)
    }
}

impl Drop for EventMark {
    fn drop(&mut self) {
        if self.context.alive.get() {
            self.context.make_current();
            // SAFETY: created, and destroyed once. The driver keeps it for work that still waits for it.
            let _ = unsafe { result::event::destroy(self.event) };
        }
    }
}

/// Whether an address is in page-locked memory. A copy from there reads it only when the copy runs.
pub(super) fn is_locked(at: *const u8) -> bool {
    locked().range(..=at as usize).next_back().is_some_and(|(start, bytes)| at as usize - start < *bytes)
}

impl Gpu {
    /// An event after all work of a queue so far. Its time is recorded only if `timed`.
    pub(super) fn record(&self, queue: Queue, timed: bool) -> Done<Rc<dyn Mark>> {
        let context = self.context();
        context.enter()?;
        let kind = match timed {
            true => sys::CUevent_flags::CU_EVENT_DEFAULT,
            false => sys::CUevent_flags::CU_EVENT_DISABLE_TIMING,
        };
        let event = context.done(result::event::create(kind))?;
        let mark = EventMark { context: context.clone(), event };
        // SAFETY: an event that was just made, and a stream of this device.
        context.done(unsafe { result::event::record(event, self.stream(queue)) })?;
        Ok(Rc::new(mark))
    }
}

impl Streams for Gpu {
    fn queue(&self, priority: i32) -> Done<Queue> {
        let context = self.context();
        context.enter()?;
        let mut stream: sys::CUstream = std::ptr::null_mut();
        let kind = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: writes a handle, which `drop` destroys. The driver clamps a priority that the device doesn't have.
        context.done(unsafe { sys::cuStreamCreateWithPriority(&mut stream, kind, priority).result() })?;
        Ok(self.add_stream(stream))
    }

    fn foreign_queue(&self, handle: u64) -> Done<Queue> {
        let context = self.context();
        context.enter()?;
        let (stream, mut of) = (handle as sys::CUstream, std::ptr::null_mut());
        // SAFETY: writes a handle. The caller guarantees that this is a stream, as in PyTorch. A driver that can tell returns
        // an error and isn't damaged.
        unsafe { sys::cuStreamGetCtx(stream, &mut of).result() }.map_err(refusal)?;
        if of != context.handle {
            return Err(refusal(DriverError(sys::CUresult::CUDA_ERROR_INVALID_HANDLE)));
        }
        Ok(self.add_foreign(stream))
    }

    fn select(&self, queue: Queue) {
        self.select_stream(self.stream(queue));
    }

    fn synchronize_queue(&self) -> Done {
        let context = self.context();
        context.enter()?;
        // SAFETY: our stream.
        context.done(unsafe { result::stream::synchronize(self.selected()) })
    }

    fn is_idle(&self) -> Done<bool> {
        let context = self.context();
        context.enter()?;
        // SAFETY: our stream.
        context.ready(unsafe { sys::cuStreamQuery(self.selected()).result() })
    }

    fn wait_for(&self, mark: &dyn Mark) -> Done {
        let Some(mark) = (mark as &dyn Any).downcast_ref::<EventMark>() else {
            return Err(Fault::Unsupported("waiting for an event of another executor".into()));
        };
        let context = self.context();
        context.enter()?;
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: a stream and an event of ours, of any device.
        context.done(unsafe { result::stream::wait_event(self.selected(), mark.event, flags) })
    }

    fn take_host(&self, bytes: usize) -> Done<Option<NonNull<u8>>> {
        let context = self.context();
        context.enter()?;
        // SAFETY: given back by `give_back_host`.
        let at = unsafe { result::malloc_host(bytes, sys::CU_MEMHOSTALLOC_PORTABLE) };
        let at = NonNull::new(context.done(at)?.cast::<u8>());
        if let Some(at) = at {
            // SAFETY: memory that was just taken. It's written once, so that it's initialized.
            unsafe { at.write_bytes(0, bytes) };
            locked().insert(at.as_ptr() as usize, bytes);
        }
        Ok(at)
    }

    fn give_back_host(&self, at: NonNull<u8>) {
        self.context().make_current();
        locked().remove(&(at.as_ptr() as usize));
        // SAFETY: from `take_host`, once.
        let _ = unsafe { result::free_host(at.as_ptr().cast()) };
    }

    unsafe fn upload_later(&self, address: u64, from: *const u8, bytes: usize) -> Done {
        let context = self.context();
        context.enter()?;
        // SAFETY: promised by the caller, who also checked the device's region.
        let copy = unsafe { sys::cuMemcpyHtoDAsync_v2(address, from.cast::<c_void>(), bytes, self.selected()) };
        context.done(copy.result())
    }

    unsafe fn download_later(&self, address: u64, to: *mut u8, bytes: usize) -> Done {
        let context = self.context();
        context.enter()?;
        // SAFETY: as above.
        let copy = unsafe { sys::cuMemcpyDtoHAsync_v2(to.cast::<c_void>(), address, bytes, self.selected()) };
        context.done(copy.result())
    }

    fn send(&self, address: u64, other: &dyn Device, target: u64, bytes: usize) -> Done<bool> {
        let Some(there) = other.context() else { return Ok(false) };
        let here = self.context();
        here.enter()?;
        let there = there as sys::CUcontext;
        // SAFETY (both): the regions were checked, and the contexts live as long as their devices.
        let copy = unsafe {
            if there == here.handle {
                result::memcpy_dtod_async(target, address, bytes, self.selected())
            } else {
                self.reach(there);
                result::memcpy_peer_async(there, target, here.handle, address, bytes, self.selected())
            }
        };
        here.done(copy)?;
        Ok(true)
    }

    fn context(&self) -> Option<u64> {
        Some(Gpu::context(self).handle as u64)
    }
}
