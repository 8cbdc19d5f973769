//! Streams and events of accelerators, and queued copies.
//!
//! If the executor has queues, each stream has a queue of its own. If it has only one, streams run in order, and only the
//! allocator tells them apart. Streams come from a pool, as in PyTorch: 32 for each priority of a device, handed out in turn.
//!
//! Source: c10/cuda/CUDAStream.cpp, aten/src/ATen/cuda/CUDAEvent.h and native/cuda/Copy.cu in PyTorch 2.15.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::devices::{Accelerator, Devices};
use super::launches::Launches;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::executor::{Buffer, Done, Fault, Mark, Queue, Stamp};
use crate::memory::{BlockId, StreamId};
use crate::trace::{Why, now_micros};

/// The number of streams of one priority on one device.
const POOL: usize = 32;

/// The most urgent priority; 0 is the least urgent one.
pub(crate) const HIGHEST_PRIORITY: i64 = -3;

/// The error of asking for the time between events that aren't done.
const NOT_COMPLETED: &str = "Both events must be completed before calculating elapsed time.";

/// The streams of one device.
#[derive(Default)]
pub struct Streams {
    current: Cell<Queue>,
    queues: RefCell<HashMap<StreamId, Queue>>,
    /// For each priority, from 0 down: the streams made, and how many have been handed out.
    pools: RefCell<[(Vec<StreamId>, usize); POOLS]>,
}

const POOLS: usize = 1 + HIGHEST_PRIORITY.unsigned_abs() as usize;

impl Streams {
    /// The queue of the current stream.
    pub fn queue(&self) -> Queue {
        self.current.get()
    }

    fn queue_of(&self, stream: StreamId) -> Queue {
        self.queues.borrow().get(&stream).copied().unwrap_or_default()
    }
}

/// A recorded event.
pub struct Event {
    launches: Rc<Launches>,
    device: Device,
    place: Place,
}

/// Where an event was recorded.
enum Place {
    /// In a queue of its device.
    Queue(Rc<dyn Mark>),
    /// On a device that does everything in order, when it had been given this many kernels. Its host knows that they are done
    /// when it has waited for them, or has asked.
    InOrder { launched: u64, asked: Cell<bool>, time: Time },
}

/// When a device that does everything in order gets to an event.
enum Time {
    /// Nobody wants to know.
    Unknown,
    /// On the host's clock, in microseconds: the work is done when a launch returns.
    Host(f64),
    Device(Rc<dyn Stamp>),
}

/// In milliseconds.
const NANOSECOND: f64 = 1e-6;

impl Event {
    /// Whether its stream has reached it.
    ///
    /// # Errors
    /// What went wrong on the device.
    pub(crate) fn is_reached(&self) -> Result<bool> {
        match &self.place {
            Place::Queue(mark) => self.say(mark.is_reached()),
            Place::InOrder { asked, .. } => {
                asked.set(true);
                Ok(true)
            }
        }
    }

    /// Whether the program knows that its stream has reached it.
    fn is_completed(&self) -> Result<bool> {
        match &self.place {
            Place::Queue(mark) => self.say(mark.is_reached()),
            Place::InOrder { launched, asked, .. } => {
                let device = self.launches.devices.accelerator(self.device);
                Ok(asked.get() || device.is_none_or(|a| a.finished.get() >= *launched))
            }
        }
    }

    /// Waits until its stream has reached it.
    ///
    /// # Errors
    /// What went wrong on the device, and Stop.
    pub fn synchronize(&self) -> Result<()> {
        let Place::Queue(mark) = &self.place else { return self.launches.wait_for(self.device, Why::Synchronize) };
        let Some(a) = self.launches.devices.accelerator(self.device) else { return Ok(()) };
        let over = || mark.is_reached();
        self.launches.wait(a, Why::Synchronize, Some(&over), || mark.wait().and_then(|()| a.executor.check()))
    }

    /// Milliseconds from `start` to this event.
    ///
    /// # Errors
    /// One of them isn't done.
    pub fn since(&self, start: &Event) -> Result<f64> {
        if !self.is_completed()? || !start.is_completed()? {
            return Err(Error::runtime(NOT_COMPLETED));
        }
        match (&start.place, &self.place) {
            (Place::Queue(start), Place::Queue(end)) => self.say(end.since(&**start)),
            (
                Place::InOrder { launched: before, time: start, .. },
                Place::InOrder { launched: after, time: end, .. },
            ) => match (start, end) {
                (Time::Host(start), Time::Host(end)) => Ok((end - start) / 1e3),
                (Time::Device(start), Time::Device(end)) => {
                    let millis = self.say(end.since(&**start))?;
                    // A browser rounds a device's times to tenths of a millisecond, but kernels never take no time at all.
                    Ok(if after > before { millis.max(NANOSECOND) } else { millis })
                }
                _ => Err(Error::runtime("The events have no time in common.")),
            },
            _ => Err(Error::runtime("The events have no time in common.")),
        }
    }

    /// Makes later work of a device's stream wait for this event.
    ///
    /// # Errors
    /// What went wrong on the device.
    pub fn hold(&self, device: Device, stream: StreamId) -> Result<()> {
        let Some(a) = self.launches.devices.accelerator(device) else { return Ok(()) };
        // On a device that does everything in order, later work waits anyway.
        let Place::Queue(mark) = &self.place else { return Ok(()) };
        a.on_stream(stream, |e| e.wait_for(&**mark)).map_err(|f| self.launches.devices.error(device, f))
    }

    fn say<T>(&self, answer: Done<T>) -> Result<T> {
        answer.map_err(|fault| self.launches.devices.error(self.device, fault))
    }
}

impl Accelerator {
    /// Makes a stream of a device the current one.
    pub(crate) fn set_stream(&self, stream: StreamId) {
        self.stream.set(stream);
        self.streams.current.set(self.streams.queue_of(stream));
    }

    /// Runs `f` with a stream's queue selected.
    pub(super) fn on_stream<T>(&self, stream: StreamId, f: impl FnOnce(&dyn crate::executor::Executor) -> T) -> T {
        self.executor.select(self.streams.queue_of(stream));
        f(&*self.executor)
    }
}

impl Devices {
    /// Notes that a stream uses memory that was taken for another stream of the device.
    pub(crate) fn share(&self, device: Device, block: BlockId, buffer: &Buffer, stream: StreamId) {
        if let Some(a) = self.accelerator(device) {
            a.planner.borrow_mut().record_stream(block, stream);
            a.on_stream(stream, |e| e.share(buffer));
        }
    }

    /// A stream of a device, from the pool of its priority.
    ///
    /// # Errors
    /// A priority above 0; the device's error.
    pub(crate) fn new_stream(&self, device: Device, priority: i64) -> Result<StreamId> {
        let Some(a) = self.accelerator(device) else { return Ok(StreamId(0)) };
        if priority > 0 {
            return Err(Error::runtime(format!(
                "Expected cuda stream priority to be less than or equal to 0, got {priority}"
            )));
        }
        let priority = priority.max(HIGHEST_PRIORITY);
        let place = priority.unsigned_abs() as usize;
        let (made, asked) = {
            let (made, asked) = &mut a.streams.pools.borrow_mut()[place];
            *asked += 1;
            (made.get((*asked - 1) % POOL).copied(), *asked)
        };
        if let Some(stream) = made {
            return Ok(stream);
        }
        debug_assert!(asked <= POOL);
        let queue = a.executor.queue(priority as i32).map_err(|f| self.error(device, f))?;
        let stream = StreamId(self.next_stream.get());
        self.next_stream.set(stream.0 + 1);
        a.streams.queues.borrow_mut().insert(stream, queue);
        a.streams.pools.borrow_mut()[place].0.push(stream);
        Ok(stream)
    }

    /// The stream with a handle that other libraries know: one of [`Devices::new_stream`]'s, the default stream for 0, or a
    /// stream that another library made and will destroy. If streams are only numbers here, it's the stream with that number.
    ///
    /// # Errors
    /// The handle isn't a stream of this device, if the hardware can tell.
    pub(crate) fn external_stream(&self, device: Device, handle: u64) -> Result<StreamId> {
        let Some(a) = self.accelerator(device).filter(|a| a.executor.handle(Queue::default()).is_some()) else {
            return Ok(StreamId(handle as u32));
        };
        let known = |(_, queue): &(&StreamId, &Queue)| a.executor.handle(**queue) == Some(handle);
        let found = a.streams.queues.borrow().iter().find(known).map(|(stream, _)| *stream);
        if handle == 0 || found.is_some() {
            return Ok(found.unwrap_or_default());
        }
        let queue = a.executor.foreign_queue(handle).map_err(|f| self.error(device, f))?;
        let stream = StreamId(self.next_stream.get());
        self.next_stream.set(stream.0 + 1);
        a.streams.queues.borrow_mut().insert(stream, queue);
        Ok(stream)
    }

    /// The handle of a stream, for other libraries: 0 for the default stream, as in PyTorch. If streams are only numbers here,
    /// the number.
    pub(crate) fn stream_handle(&self, device: Device, stream: StreamId) -> u64 {
        let handle = |a: &Accelerator| a.executor.handle(a.streams.queue_of(stream));
        let own = self.accelerator(device).filter(|_| stream != StreamId(0)).and_then(handle);
        own.unwrap_or(u64::from(stream.0))
    }

    /// The current stream of a device.
    pub fn stream(&self, device: Device) -> StreamId {
        self.accelerator(device).map_or_else(StreamId::default, |a| a.stream.get())
    }
}

impl Launches {
    /// Makes a stream the current one. Its later work waits for the work of the previous current stream.
    ///
    /// # Errors
    /// What went wrong on the device; the stream is current all the same.
    pub(crate) fn go_on(&self, device: Device, stream: StreamId) -> Result<()> {
        let Some(a) = self.devices.accelerator(device).filter(|a| a.stream.get() != stream) else { return Ok(()) };
        let before = a.stream.get();
        let noted = self.capture_waits((device, stream), (device, before), self.devices.capture_of(device, before));
        if !matches!(noted, Ok(false)) {
            a.set_stream(stream);
            return noted.map(drop);
        }
        let mark = a.queued().mark(false);
        a.set_stream(stream);
        let held = mark.and_then(|mark| mark.map_or(Ok(()), |mark| a.queued().wait_for(&*mark)));
        held.map_err(|fault| self.devices.error(device, fault))
    }

    /// Waits for one stream.
    ///
    /// # Errors
    /// Those of [`Launches::synchronize`].
    pub(crate) fn synchronize_stream(&self, device: Device, stream: StreamId) -> Result<()> {
        let Some(a) = self.devices.accelerator(device) else { return self.hooks.check_interrupt() };
        self.warn_of_wait(device)?;
        a.check_stream(stream)?;
        let over = || a.on_stream(stream, |e| e.is_idle());
        self.wait(a, Why::Synchronize, Some(&over), || a.on_stream(stream, |e| e.synchronize_queue()))
    }

    /// Whether all work of a stream is done.
    ///
    /// # Errors
    /// What went wrong on the device.
    pub(crate) fn is_stream_idle(&self, device: Device, stream: StreamId) -> Result<bool> {
        let Some(a) = self.devices.accelerator(device) else { return Ok(true) };
        a.check_stream(stream)?;
        let done = a.on_stream(stream, |e| e.is_idle().and_then(|idle| e.check().map(|()| idle)));
        done.map_err(|fault| self.devices.error(device, fault))
    }

    /// Records an event after all work of a stream so far. The host waits for nothing. `None` if the device isn't an
    /// accelerator.
    ///
    /// # Errors
    /// What went wrong on the device.
    pub fn record_event(self: &Rc<Self>, device: Device, stream: StreamId, timed: bool) -> Result<Option<Event>> {
        let Some(a) = self.devices.accelerator(device) else { return Ok(None) };
        let fail = |fault| self.devices.error(device, fault);
        let place = match a.on_stream(stream, |e| e.mark(timed)).map_err(fail)? {
            Some(mark) => Place::Queue(mark),
            None => {
                let time = match timed {
                    false => Time::Unknown,
                    true => a.queued().stamp().map_err(fail)?.map_or_else(|| Time::Host(now_micros()), Time::Device),
                };
                Place::InOrder { launched: a.launched.get(), asked: Cell::new(false), time }
            }
        };
        Ok(Some(Event { launches: self.clone(), device, place }))
    }

    /// Whether the program wants launches to wait: `CUDA_LAUNCH_BLOCKING=1` was set before the first one.
    pub(super) fn is_blocking(&self) -> bool {
        *self.blocking.get_or_init(|| self.hooks.variable("CUDA_LAUNCH_BLOCKING").is_some_and(|value| value == "1"))
    }

    /// Called after a launch; waits if launches should.
    pub(super) fn wait_for_launch(&self, device: Device) -> Result<()> {
        match self.devices.accelerator(device) {
            Some(a) if self.is_blocking() => {
                a.queued().synchronize_queue().map_err(|fault| self.devices.error(device, fault))
            }
            Some(_) => self.keep_pace(device),
            None => Ok(()),
        }
    }

    /// Waits while a device is too far behind. CUDA's launches do that silently, so nothing is reported.
    pub(super) fn keep_pace(&self, device: Device) -> Result<()> {
        let Some(a) = self.devices.accelerator(device) else { return Ok(()) };
        let stop = self.hooks.interrupt.get();
        a.executor.keep_pace(&stop).map_err(|fault| self.devices.error(device, fault))
    }

    /// Queues a copy from or to a page-locked buffer of the host, or between accelerators. The elements begin at the given
    /// offsets. `false` if this copy can't be queued and must be done in another way.
    ///
    /// # Errors
    /// What went wrong on a device.
    pub(crate) fn copy_later(
        &self,
        (from, source, offset): (Device, &Buffer, usize),
        (to, target, at): (Device, &Buffer, usize),
        bytes: usize,
    ) -> Result<bool> {
        let size = source.dtype.size();
        match (self.devices.accelerator(from), self.devices.accelerator(to)) {
            (None, Some(a)) => match self.devices.pinned(source) {
                Some(memory) => self.queue_copy(to, a.queued().write_later(target, at, memory, offset * size, bytes)),
                None => Ok(false),
            },
            (Some(a), None) => match self.devices.pinned(target) {
                Some(memory) => self.queue_copy(from, a.queued().read_later(source, offset, memory, at * size, bytes)),
                None => Ok(false),
            },
            (Some(a), Some(b)) => {
                let (here, there) = ((a.streams.queue(), source, offset), (b.streams.queue(), target, at));
                self.queue_copy(from, a.executor.send(here, &*b.executor, there, bytes))
            }
            (None, None) => Ok(false),
        }
    }

    fn queue_copy(&self, device: Device, queued: std::result::Result<bool, Fault>) -> Result<bool> {
        let queued = queued.map_err(|fault| self.devices.error(device, fault))?;
        if queued {
            self.wait_for_launch(device)?;
        }
        Ok(queued)
    }
}
