//! Queues of an executor's work, and marks in them.

use std::any::Any;
use std::rc::Rc;

use super::{Buffer, Compute, Done, Executor, Fault};

/// A queue of an executor: what it is given runs in order. 0 is the one that takes what no other is selected for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Queue(pub u32);

/// A place in a queue.
pub trait Mark: Any {
    /// Whether the queue has come there.
    ///
    /// # Errors
    /// What went wrong on the device.
    fn is_reached(&self) -> Done<bool>;

    /// Waits until it has.
    ///
    /// # Errors
    /// What went wrong on the device.
    fn wait(&self) -> Done;

    /// Milliseconds from another timed mark to this one; both have been reached.
    ///
    /// # Errors
    /// A mark that is not timed, or of another device.
    fn since(&self, start: &dyn Mark) -> Done<f64>;
}

/// Hardware that runs several queues beside each other. The defaults are those of one queue, in which everything runs in order.
pub trait Queues: Compute {
    /// A further queue, whose work may run beside that of others; those of a lower `priority` go first. An executor with one
    /// queue answers with that: in it everything runs in order, which is allowed.
    fn queue(&self, _priority: i32) -> Done<Queue> {
        Ok(Queue::default())
    }

    /// A queue that is a stream of another library's, by the hardware's handle. Whoever made it keeps it and destroys it.
    ///
    /// # Errors
    /// A handle of no stream of this device, where the hardware can tell; an executor without queues.
    fn foreign_queue(&self, _handle: u64) -> Done<Queue> {
        Err(Fault::Unsupported("a stream that another library made".into()))
    }

    /// The hardware's handle of a queue, by which other libraries know it.
    fn handle(&self, _queue: Queue) -> Option<u64> {
        None
    }

    /// What is allocated, written, read and launched from now on belongs to this queue.
    fn select(&self, _queue: Queue) {}

    /// As [`Compute::synchronize`], for the selected queue alone.
    fn synchronize_queue(&self) -> Done {
        self.synchronize()
    }

    /// Whether all that the selected queue was given is done.
    fn is_idle(&self) -> Done<bool> {
        Ok(true)
    }

    /// A mark behind all that the selected queue was given, with its time if `timed`. `None` where there is one queue.
    fn mark(&self, _timed: bool) -> Done<Option<Rc<dyn Mark>>> {
        Ok(None)
    }

    /// What the selected queue is given from now on runs after a mark, which another device may have made.
    fn wait_for(&self, _mark: &dyn Mark) -> Done {
        Ok(())
    }

    /// The selected queue uses a buffer that belongs to another one: freed, its memory is not used again before all that this
    /// queue was given until then is done.
    fn share(&self, _buffer: &Buffer) {}

    /// Queues a copy of `bytes` bytes from a queue's buffer here, from an element on, to one of another device: after what
    /// either queue was given before, and before what it is given later. `false` where the bytes have to go through the host.
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
