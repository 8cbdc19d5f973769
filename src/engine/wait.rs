//! The host waits for a device: where PyTorch calls `cudaStreamSynchronize`, and nowhere else.
//!
//! PyTorch's `memcpy_and_sync` copies and then waits for the current stream, whichever way the bytes go and whatever memory
//! they are in. Only `non_blocking` copies and those between devices leave the host free.
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

/// What a wait warns of, or raises.
const SYNCHRONIZING: &str = "called a synchronizing CUDA operation";

/// From here on, it is worth a look whether a line that reads results has to do it so often.
const MANY_WAITS: u64 = 100;

impl Launches {
    /// What PyTorch does before it waits for a stream of a CUDA device. `torch.cuda.synchronize()` and events wait without it.
    ///
    /// # Errors
    /// The program asked for waits to be errors, or for this warning to be one.
    #[inline]
    pub(crate) fn warn_of_wait(&self, device: Device) -> Result<()> {
        match self.settings.sync_debug() {
            SyncDebug::Off => Ok(()),
            _ if !device.is_cuda() => Ok(()),
            SyncDebug::Warn => (self.hooks.warn.get())(SYNCHRONIZING),
            SyncDebug::Raise => Err(Error::runtime(SYNCHRONIZING)),
        }
    }

    /// Waits for a device: for all of its streams if the program asks for that, else for the current one.
    ///
    /// # Errors
    /// What went wrong since the last wait, and Stop.
    pub fn synchronize(&self, device: Device, why: Why) -> Result<()> {
        // Printing warns by itself, once for each wait that PyTorch makes for it.
        if !matches!(why, Why::Synchronize | Why::Print) {
            self.warn_of_wait(device)?;
        }
        self.wait_for(device, why)
    }

    /// As [`Launches::synchronize`], for a wait that PyTorch's debug mode does not see, or has seen.
    ///
    /// # Errors
    /// As there.
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

    /// Waits for a copy from the host, and so for all that its stream was given before. An executor that takes the bytes at
    /// once has nothing to wait for when it has been given no kernel since the last wait.
    ///
    /// # Errors
    /// As [`Launches::synchronize`].
    pub(crate) fn wait_for_upload(&self, device: Device, why: Why) -> Result<()> {
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

    /// Waits in one of the ways there are, and reports it. `over` says whether there is nothing to wait for any more, where
    /// not the whole device is waited for.
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
