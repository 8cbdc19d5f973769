//! Queues of an executor's work, and marks in them.

use std::any::Any;
use std::rc::Rc;

use super::{Buffer, Compute, Done, Executor, Fault};

/// A queue of an executor, which does its work in order. 0 is the one that is used unless another is selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Queue(pub u32);

/// A place in a queue.
pub trait Mark: Any {
    /// Whether the queue has reached it.
    ///
    /// # Errors
    /// What went wrong on the device.
    fn is_reached(&self) -> Done<bool>;

    /// Waits until the queue has reached it.
    ///
    /// # Errors
    /// What went wrong on the device.
    fn wait(&self) -> Done;

    /// Milliseconds from another timed mark to this one. Both have been reached.
    ///
    /// # Errors
    /// A mark that isn't timed, or that belongs to another device.
    fn since(&self, start: &dyn Mark) -> Done<f64>;
}

/// When the only queue of an executor gets to a place.
pub trait Stamp: Any {
    /// Milliseconds from another stamp of the same executor to this one. The host has waited for both. Reading the time may
    /// suspend.
    ///
    /// # Errors
    /// A stamp of another executor; the device is lost.
    fn since(&self, start: &dyn Stamp) -> Done<f64>;
}

/// Hardware with several queues that run at the same time. The defaults are for hardware with one queue, in which everything
/// runs in order.
pub trait Queues: Compute {
    /// Another queue, whose work may run at the same time as that of others. Queues with a lower `priority` number go first.
    /// An executor with one queue returns that one: running everything in order is allowed.
    fn queue(&self, _priority: i32) -> Done<Queue> {
        Ok(Queue::default())
    }

    /// A queue for a stream that another library made, by the hardware's handle. That library will destroy it.
    ///
    /// # Errors
    /// The handle isn't a stream of this device, if the hardware can tell; an executor without queues.
    fn foreign_queue(&self, _handle: u64) -> Done<Queue> {
        Err(Fault::Unsupported("a stream that another library made".into()))
    }

    /// The hardware's handle of a queue, for other libraries.
    fn handle(&self, _queue: Queue) -> Option<u64> {
        None
    }

    /// Memory that is allocated and work that is queued from now on belongs to this queue.
    fn select(&self, _queue: Queue) {}

    /// Like [`Compute::synchronize`], for the selected queue alone.
    fn synchronize_queue(&self) -> Done {
        self.synchronize()
    }

    /// Whether all work of the selected queue is done.
    fn is_idle(&self) -> Done<bool> {
        Ok(true)
    }

    /// A mark after all work of the selected queue so far, with its time if `timed`. `None` if there is only one queue.
    fn mark(&self, _timed: bool) -> Done<Option<Rc<dyn Mark>>> {
        Ok(None)
    }

    /// The time at which the device will have done all work so far, for an executor whose [`Queues::mark`] makes no marks.
    /// `None` if work is done when a launch returns, so that the host's clock has the time.
    fn stamp(&self) -> Done<Option<Rc<dyn Stamp>>> {
        Ok(None)
    }

    /// Makes later work of the selected queue wait for a mark, which may be on another device.
    fn wait_for(&self, _mark: &dyn Mark) -> Done {
        Ok(())
    }

    /// Notes that the selected queue uses a buffer that belongs to another queue. After the buffer is freed, its memory isn't
    /// reused until all work that this queue had been given by then is done.
    fn share(&self, _buffer: &Buffer) {}

    /// Queues a copy of `bytes` bytes, from an element of a buffer on this device to one on another device. It runs after all
    /// earlier work of both queues and before all later work. `false` if the bytes must go through the host.
    fn send(
        &self,
        _from: (Queue, &Buffer, usize),
        _other: &dyn Executor,
        _to: (Queue, &Buffer, usize),
        _bytes: usize,
    ) -> Done<bool> {
        Ok(false)
    }
}
