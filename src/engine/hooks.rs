//! Functions that the layers above supply to the engine: whether Stop was pressed, how to raise a warning, how to read the
//! environment, and where the program is.

use std::cell::Cell;

use crate::device::Device;
use crate::error::{Error, Result};
use crate::executor::Done;
use crate::memory::history::Frame;

/// Returns whether the awaited work is done.
pub type IsOver<'a> = &'a dyn Fn() -> Done<bool>;

/// Waits until the given check says so. With `None`, waits for all work on a device that other processes take part in: the
/// executor's own wait knows nothing about it.
pub type Watch = fn(Device, Option<IsOver<'_>>) -> Result<()>;

/// Functions that a layer above sets. Until then each behaves as if there were no such layer.
pub struct Hooks {
    /// Called at synchronization points: has the learner pressed Stop?
    pub(super) interrupt: Cell<fn() -> bool>,
    /// Called before the host waits for a device.
    pub(super) watch: Cell<Watch>,
    /// The program's environment.
    environment: Cell<fn(&str) -> Option<String>>,
    /// Raises a Python warning; the Python layer sets it.
    pub(super) warn: Cell<fn(&str) -> Result<()>>,
    /// Returns the calls that led here; the Python layer sets it.
    pub(super) stack: Cell<fn() -> Vec<Frame>>,
}

impl Default for Hooks {
    fn default() -> Hooks {
        Hooks {
            interrupt: Cell::new(|| false),
            watch: Cell::new(|_, _| Ok(())),
            environment: Cell::new(|_| None),
            warn: Cell::new(|_| Ok(())),
            stack: Cell::new(Vec::new),
        }
    }
}

impl Hooks {
    pub(crate) fn set_interrupt(&self, poll: fn() -> bool) {
        self.interrupt.set(poll);
    }

    pub(crate) fn set_watch(&self, watch: Watch) {
        self.watch.set(watch);
    }

    /// Sets how to read a variable of the program's environment; the Python layer calls it.
    pub fn set_environment(&self, read: fn(&str) -> Option<String>) {
        self.environment.set(read);
    }

    pub(super) fn variable(&self, name: &str) -> Option<String> {
        (self.environment.get())(name)
    }

    /// Sets how to raise a warning in the program; the Python layer calls it.
    pub(crate) fn set_warn(&self, warn: fn(&str) -> Result<()>) {
        self.warn.set(warn);
    }

    /// Sets how to find the calls that led here; the Python layer calls it.
    pub(crate) fn set_stack(&self, stack: fn() -> Vec<Frame>) {
        self.stack.set(stack);
    }

    /// # Errors
    /// `KeyboardInterrupt` if the learner has pressed Stop.
    pub(crate) fn check_interrupt(&self) -> Result<()> {
        if (self.interrupt.get())() { Err(Error::interrupt()) } else { Ok(()) }
    }
}
