//! The host waits for a device where PyTorch calls `cudaStreamSynchronize`, and nowhere else.
//!
//! PyTorch's `memcpy_and_sync` copies and then waits for the current stream, in either direction and for any kind of
//! memory.
//! Only `non_blocking` copies and copies between devices don't make the host wait.
//!
//! Source: c10/cuda/CUDAFunctions.h and aten/src/ATen/native/cuda/Copy.cu in PyTorch 2.15.

use super::devices::Accelerator;
use super::hooks::IsOver;
use super::launches::Launches;
use super::settings::SyncDebug;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::executor::Done;
use crate::trace::{Clue, EventKind, Why};

/// The text of the warning about a wait, or of the error.
const SYNCHRONIZING: &str = "called a synchronizing CUDA operation";

/// If a line has waited this often to read results, it's worth checking whether it needs to.
const MANY_WAITS: u64 = 100;

impl Launches {
    /// What PyTorch does before it waits for a stream of a CUDA device. `torch.cuda.synchronize()` and events skip this.
    ///
    /// # Errors
    /// The program made waits errors, or made this warning an error.
    #[inline]
    pub(crate) fn warn_of_wait(&self, device: Device) -> Result<()> {
        match self.settings.sync_debug() {
            SyncDebug::Off => Ok(()),
            _ if !device.is_cuda() => Ok(()),
            SyncDebug::Warn => (self.hooks.warn.get())(SYNCHRONIZING),
            SyncDebug::Raise => Err(Error::runtime(SYNCHRONIZING)),
        }
    }

    /// What PyTorch does before an operation whose result can differ from run to run, and that has no other implementation.
    /// `name` is PyTorch's name of its kernel.
    ///
    /// # Errors
    /// The program wants deterministic operations only, or made this warning an error.
    pub(crate) fn alert_not_deterministic(&self, name: &str) -> Result<()> {
        let file = "at https://github.com/pytorch/pytorch/issues to help us prioritize adding deterministic support for this operation.";
        let none = "does not have a deterministic implementation, but you set";
        match (self.settings.is_deterministic(), self.settings.only_warns()) {
            (false, _) => Ok(()),
            (true, true) => (self.hooks.warn.get())(&format!(
                "{name} {none} 'torch.use_deterministic_algorithms(True, warn_only=True)'. You can file an issue {file}"
            )),
            (true, false) => Err(Error::runtime(format!(
                "{name} {none} 'torch.use_deterministic_algorithms(True)'. You can turn off determinism just for this operation, or you can use the 'warn_only=True' option, if that's acceptable for your application. You can also file an issue {file}"
            ))),
        }
    }

    /// Waits for a device: for all of its streams if the program asked for that, otherwise for the current stream.
    ///
    /// # Errors
    /// What went wrong since the last wait, and Stop.
    pub fn synchronize(&self, device: Device, why: Why) -> Result<()> {
        // Printing issues its own warnings: one for each wait that PyTorch makes for it.
        if !matches!(why, Why::Synchronize | Why::Print) {
            self.warn_of_wait(device)?;
        }
        self.wait_for(device, why)
    }

    /// Like [`Launches::synchronize`], for a wait that PyTorch's debug mode doesn't see, or has seen already.
    ///
    /// # Errors
    /// Those of [`Launches::synchronize`].
    pub(crate) fn wait_for(&self, device: Device, why: Why) -> Result<()> {
        let Some(a) = self.devices.accelerator(device) else { return self.hooks.check_interrupt() };
        if a.capture.borrow().is_some() && (why == Why::Synchronize || a.capturing().is_some()) {
            return Err(a.spoil());
        }
        match why {
            Why::Synchronize => self.wait(a, why, None, || a.executor.synchronize()),
            _ => self.wait(a, why, Some(&|| a.queued().is_idle()), || a.queued().synchronize_queue()),
        }
    }

    /// Waits for a copy from the host, and so for all earlier work of its stream. An executor that takes the bytes
    /// immediately has nothing to wait for if it was given no kernel since the last wait.
    ///
    /// # Errors
    /// Those of [`Launches::synchronize`].
    pub(crate) fn wait_for_upload(&self, device: Device, why: Why) -> Result<()> {
        let _uploading = self.trace.upload();
        match self.devices.accelerator(device) {
            Some(a) if !a.executor.is_card() && a.finished.get() == a.launched.get() => {
                if a.capturing().is_some() {
                    return Err(a.spoil());
                }
                self.wait(a, why, Some(&|| Ok(true)), || Ok(()))
            }
            _ => self.wait_for(device, why),
        }
    }

    /// Waits in the given way, and reports the wait. If only a part of the device's work is waited for, `over` says whether
    /// that part is done.
    pub(super) fn wait(
        &self,
        a: &Accelerator,
        why: Why,
        over: Option<IsOver<'_>>,
        wait: impl FnOnce() -> Done,
    ) -> Result<()> {
        let device = a.device();
        let begin = self.trace.now();
        if why.is_number() && self.trace.is_curious() && a.launched.get() > a.finished.get() {
            let (line, reads, waits) = self.trace.count_wait();
            if reads >= MANY_WAITS {
                self.trace.notice(|| Clue::WaitedOften { line, device, reads, waits });
            }
        }
        (self.hooks.watch.get())(device, over)?;
        let done = wait();
        self.report_steps(a);
        a.finished.set(a.launched.get());
        self.waits.set(self.waits.get() + 1);
        self.trace.emit(|| EventKind::Sync { device, why, micros: self.trace.now() - begin });
        done.map_err(|fault| self.devices.error(device, fault))?;
        if let Some(e) = &*a.pending.borrow() {
            return Err(e.clone());
        }
        self.hooks.check_interrupt()
    }

    /// How often the host has waited for a device.
    pub(crate) fn waits(&self) -> u64 {
        self.waits.get()
    }
}
