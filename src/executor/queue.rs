//! Queues of an executor's work, marks in them, and the host's memory that devices reach themselves.

use std::any::Any;
use std::ptr::NonNull;
use std::rc::Rc;

use super::Done;

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

/// Page-locked memory of the host. Whoever drops it may have copies queued that use it: the owner keeps it until they are
/// done.
pub struct Pinned {
    at: NonNull<u8>,
    bytes: usize,
    owner: Rc<dyn Any>,
}

impl Pinned {
    /// # Safety
    /// `bytes` initialised bytes at `at`, a multiple of 64, belong to `owner` alone for as long as it lives.
    pub unsafe fn new(at: NonNull<u8>, bytes: usize, owner: Rc<dyn Any>) -> Pinned {
        Pinned { at, bytes, owner }
    }

    pub fn as_ptr(&self) -> *mut u8 {
        self.at.as_ptr()
    }

    pub fn len(&self) -> usize {
        self.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Whose it is.
    pub fn owner<T: 'static>(&self) -> Option<&T> {
        self.owner.downcast_ref()
    }
}
