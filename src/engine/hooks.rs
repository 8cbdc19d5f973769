//! What the layers above tell the engine: how to ask for Stop, raise a warning, read the environment, and see where a program is.

use std::cell::Cell;

use crate::device::Device;
use crate::error::{Error, Result};
use crate::executor::Done;
use crate::memory::history::Frame;

/// Whether what is waited for is over.
pub type IsOver<'a> = &'a dyn Fn() -> Done<bool>;

/// Waits until that is over, or, with `None`, for all that other processes have a part in on a device: the executor's own wait
/// knows of none of them.
pub type Watch = fn(Device, Option<IsOver<'_>>) -> Result<()>;

/// Functions that a layer above sets; until then each answers as where there is nobody to ask.
pub struct Hooks {
    /// Asked at synchronisation points: has the learner pressed Stop?
    pub(super) interrupt: Cell<fn() -> bool>,
    /// Called before the host waits for a device.
    pub(super) watch: Cell<Watch>,
    /// The program's environment.
    environment: Cell<fn(&str) -> Option<String>>,
    /// Raises a Python warning; the Python layer sets it.
    pub(super) warn: Cell<fn(&str) -> Result<()>>,
    /// The calls that led here; the Python layer sets it.
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

    /// Says where to look for a variable of the program's environment; the Python layer sets it.
    pub fn set_environment(&self, read: fn(&str) -> Option<String>) {
        self.environment.set(read);
    }

    pub(super) fn variable(&self, name: &str) -> Option<String> {
        (self.environment.get())(name)
    }

    /// Says how to raise a warning in the program; the Python layer sets it.
    pub(crate) fn set_warn(&self, warn: fn(&str) -> Result<()>) {
        self.warn.set(warn);
    }

    /// Says how to find the calls that led here; the Python layer sets it.
    pub(crate) fn set_stack(&self, stack: fn() -> Vec<Frame>) {
        self.stack.set(stack);
    }

    /// # Errors
    /// `KeyboardInterrupt` if the learner pressed Stop.
    pub(crate) fn check_interrupt(&self) -> Result<()> {
        if (self.interrupt.get())() { Err(Error::interrupt()) } else { Ok(()) }
    }
}
