//! Launching kernels, and waiting for them: what each device has been given, in which order its errors come up, and what the
//! host waits for. The waits are in `wait.rs`, streams in `stream.rs`, captured graphs in `capture.rs`.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use super::devices::{Accelerator, DEVICE_ASSERT, Devices};
use super::hooks::Hooks;
use super::profile;
use super::settings::Settings;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::executor::{Buffer, Done, Fault, Kernel, Queue, complex};
use crate::trace::profile::SpanKind;
use crate::trace::{Clue, EventKind, StorageId, Trace};

/// See the module's documentation.
pub struct Launches {
    pub(super) trace: Rc<Trace>,
    pub(super) devices: Rc<Devices>,
    pub(super) settings: Rc<Settings>,
    pub(super) hooks: Rc<Hooks>,
    /// Whether launches wait for their kernels (`CUDA_LAUNCH_BLOCKING`). The first launch decides.
    pub(super) blocking: OnceCell<bool>,
    pub(super) next_capture: Cell<u64>,
    /// How many graphs executors have made and launched on their own, and the kernels in them.
    pub(super) steps: Cell<(u64, u64)>,
    /// How often the host has waited for a device.
    pub(super) waits: Cell<u64>,
    /// The latest reads of single elements: the line, the tensor, and how many.
    elements: Cell<(u32, StorageId, usize)>,
    /// When the devices worked, while a program is profiled.
    pub(super) times: profile::Times,
    /// What is launched for a list of tensors: see [`Launches::together`].
    merged: Cell<Option<Merged>>,
    /// Copies that stand in for what kernels read: what a kernel would write there would be lost.
    stand_ins: RefCell<Vec<*const Buffer>>,
}

/// Kernels that are reported together.
#[derive(Clone, Copy)]
struct Merged {
    device: Device,
    bytes: usize,
    flops: u64,
}

impl Launches {
    pub(super) fn new(trace: Rc<Trace>, devices: Rc<Devices>, settings: Rc<Settings>, hooks: Rc<Hooks>) -> Launches {
        Launches {
            trace,
            devices,
            settings,
            hooks,
            blocking: OnceCell::new(),
            next_capture: Cell::new(1),
            steps: Cell::default(),
            waits: Cell::new(0),
            elements: Cell::new((0, 0, 0)),
            times: profile::Times::default(),
            merged: Cell::new(None),
            stand_ins: RefCell::default(),
        }
    }

    /// Notes that a buffer is a copy of what a kernel reads, until [`Launches::drop_stand_in`].
    pub(crate) fn note_stand_in(&self, buffer: &Buffer) {
        self.stand_ins.borrow_mut().push(buffer);
    }

    pub(crate) fn drop_stand_in(&self, buffer: &Buffer) {
        self.stand_ins.borrow_mut().retain(|known| !std::ptr::eq(*known, buffer));
    }

    /// # Errors
    /// A kernel that would write to such a copy.
    fn check_written(&self, kernel: &Kernel<'_>) -> Result<()> {
        let stand_ins = self.stand_ins.borrow();
        let mut is_lost = false;
        if !stand_ins.is_empty() {
            kernel.written(&mut |view| is_lost |= stand_ins.iter().any(|known| std::ptr::eq(*known, view.buffer)));
        }
        match is_lost {
            true => Err(Error::not_implemented(format!(
                "{} can't write into a view of a conjugate here; use resolve_conj() first",
                kernel.name()
            ))),
            false => Ok(()),
        }
    }

    /// Launches a kernel on a device and reports it. On an accelerator, an index out of bounds is a device-side assert,
    /// which is raised at the next synchronization. On the CPU, `out_of_bounds` makes the error.
    pub(crate) fn launch_with(
        &self,
        device: Device,
        kernel: &Kernel<'_>,
        out_of_bounds: impl FnOnce(i64, usize, usize) -> Error,
    ) -> Result<()> {
        if device.is_meta() {
            return Ok(());
        }
        self.check_written(kernel)?;
        if let Some(a) = self.devices.accelerator(device)
            && let Some(e) = &*a.pending.borrow()
        {
            return Err(e.clone());
        }
        if let Some(a) = self.devices.accelerator(device)
            && let Some(recorded) = self.record(a, kernel)
        {
            return recorded;
        }
        let merged = self.merge(device, kernel);
        if let Some(a) = self.devices.accelerator(device).filter(|_| !merged) {
            a.launched.set(a.launched.get() + 1);
        }
        let reported = !merged && !(device.is_cpu() && self.devices.quiet.get());
        if reported {
            self.trace.emit(|| EventKind::Kernel {
                device,
                name: kernel.name().into(),
                bytes: kernel.bytes(),
                flops: kernel.flops(),
            });
        }
        let span = match self.trace.profile().is_on() && reported {
            true => self.trace.begin(SpanKind::Kernel, kernel.name(), Some(device)),
            false => None,
        };
        let started = span.and_then(|_| self.start_work(device));
        let launched = complex::launch(kernel, |part| self.devices.executor(device).launch(part));
        self.end_work(started, span);
        if let Some(a) = self.devices.accelerator(device) {
            self.report_steps(a);
        }
        if let Some(at) = span {
            self.trace.profile().with(at, |span| span.flops = kernel.flops());
            self.trace.end(span);
        }
        match launched {
            Ok(()) => self.wait_for_launch(device),
            Err(Fault::IndexOutOfBounds { index, dim, size }) if device.is_cpu() => {
                Err(out_of_bounds(index, dim, size))
            }
            Err(fault) => self.fault(device, fault),
        }
    }

    pub fn launch(&self, device: Device, kernel: &Kernel<'_>) -> Result<()> {
        self.launch_with(device, kernel, |index, dim, size| {
            Error::index(format!("index {index} is out of bounds for dimension {dim} with size {size}"))
        })
    }

    /// Turns an executor's fault into the error that PyTorch raises on that device, or defers it as CUDA defers
    /// asserts.
    pub(super) fn fault(&self, device: Device, fault: Fault) -> Result<()> {
        match fault {
            Fault::IndexOutOfBounds { .. } | Fault::TargetOutOfBounds { .. } if !device.is_cpu() => {
                let (index, size) = match fault {
                    Fault::IndexOutOfBounds { index, size, .. } => (index, size),
                    Fault::TargetOutOfBounds { target, classes } => (target, classes),
                    _ => (0, 0),
                };
                self.trace.notice(|| Clue::OutOfBounds { line: self.trace.line(), index, size });
                if self.is_blocking() {
                    return Err(self.devices.error(device, fault));
                }
                if let Some(a) = self.devices.accelerator(device) {
                    *a.pending.borrow_mut() = Some(Error::accelerator(DEVICE_ASSERT));
                }
                Ok(())
            }
            other => Err(self.devices.error(device, other)),
        }
    }

    /// Reports `name` as a kernel of a device. `hand` passes work to the device's links to other processes; it is `bytes`
    /// long, and ordered after the current stream's work.
    ///
    /// # Errors
    /// Those of the links, with PyTorch's messages.
    pub(crate) fn linked<T>(
        &self,
        device: Device,
        name: &'static str,
        bytes: usize,
        hand: impl FnOnce(Queue) -> Done<T>,
    ) -> Result<T> {
        self.report_kernel(device, name, bytes);
        self.on_current_queue(device, hand)
    }

    /// Reports work that a device is about to get as a kernel, although it isn't launched as one.
    pub(crate) fn report_kernel(&self, device: Device, name: &'static str, bytes: usize) {
        if let Some(a) = self.devices.accelerator(device) {
            a.launched.set(a.launched.get() + 1);
        }
        self.trace.emit(|| EventKind::Kernel { device, name: name.into(), bytes, flops: 0 });
    }

    /// Runs `f`, which launches kernels for each tensor of a list, and reports them as the `count` kernels that PyTorch launches
    /// for the list.
    pub(crate) fn together<T>(&self, device: Device, name: &str, count: u64, f: impl FnOnce() -> T) -> T {
        let Some(a) = self.devices.accelerator(device).filter(|_| count > 0 && !self.devices.is_capturing(device))
        else {
            return f();
        };
        let span = self.trace.begin(SpanKind::Kernel, name, Some(device));
        let started = span.and_then(|_| self.start_work(device));
        /// Kernels are reported again, even if a panic goes by.
        struct Restored<'a>(&'a Cell<Option<Merged>>, Option<Merged>);
        impl Drop for Restored<'_> {
            fn drop(&mut self) {
                self.0.set(self.1);
            }
        }
        let outer = self.merged.replace(Some(Merged { device, bytes: 0, flops: 0 }));
        let restored = Restored(&self.merged, outer);
        let out = f();
        let merged = self.merged.get();
        drop(restored);
        self.end_work(started, span);
        self.trace.end(span);
        let Some(Merged { bytes, flops, .. }) = merged else { return out };
        a.launched.set(a.launched.get() + count);
        for _ in 0..count {
            self.trace.emit(|| EventKind::Kernel {
                device,
                name: name.to_string().into(),
                bytes: bytes / count as usize,
                flops: flops / count,
            });
        }
        out
    }

    /// Whether a kernel is one of those that [`Launches::together`] reports.
    fn merge(&self, device: Device, kernel: &Kernel<'_>) -> bool {
        let Some(merged) = self.merged.get().filter(|merged| merged.device == device) else { return false };
        let (bytes, flops) = (merged.bytes + kernel.bytes(), merged.flops + kernel.flops());
        self.merged.set(Some(Merged { bytes, flops, ..merged }));
        true
    }

    /// Runs `f` on the links of a device, with the queue of its current stream selected.
    ///
    /// # Errors
    /// Those of [`Launches::linked`].
    pub(crate) fn on_current_queue<T>(&self, device: Device, f: impl FnOnce(Queue) -> Done<T>) -> Result<T> {
        let queue = self.devices.accelerator(device).map(|a| {
            a.queued();
            a.streams.queue()
        });
        f(queue.unwrap_or_default()).map_err(|fault| self.devices.link_error(device, fault))
    }

    /// Kernels launched on all accelerators, and how many of them the host has waited for.
    pub fn queue(&self) -> (u64, u64) {
        let sum = |count: fn(&Accelerator) -> u64| self.devices.accelerators.iter().map(count).sum();
        (sum(|a| a.launched.get()), sum(|a| a.finished.get()))
    }

    /// Notes that one element of a larger tensor on an accelerator was read.
    pub(crate) fn element_read(&self, device: Device, storage: StorageId, elements: usize) {
        if !self.trace.is_curious() {
            return;
        }
        let line = self.trace.line();
        let reads = match self.elements.get() {
            (l, s, reads) if (l, s) == (line, storage) => reads + 1,
            _ => 1,
        };
        self.elements.set((line, storage, reads));
        // Small programs read a few numbers of a small tensor, and that's fine.
        if reads >= MANY_READS {
            self.trace.notice(|| Clue::ReadPiecewise { line, storage, device, elements, reads });
        }
    }

    pub(crate) fn read_device(&self, device: Device, buffer: &Buffer, offset: usize, out: &mut [u8]) -> Result<()> {
        self.devices.executor(device).read(buffer, offset, out).map_err(|f| self.devices.error(device, f))?;
        match self.devices.accelerator(device).and_then(|a| a.pending.borrow().clone()) {
            Some(e) => Err(e),
            None => Ok(()),
        }
    }

    pub(crate) fn write_device(&self, device: Device, buffer: &Buffer, offset: usize, bytes: &[u8]) -> Result<()> {
        self.devices.check_copy(Device::CPU, device, false, false)?;
        self.devices.executor(device).write(buffer, offset, bytes).map_err(|f| self.devices.error(device, f))?;
        self.keep_pace(device)
    }
}

/// If a program has read this many single elements of a tensor on an accelerator, it's worth a hint.
const MANY_READS: usize = 24;
