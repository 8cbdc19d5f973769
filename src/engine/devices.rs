//! The devices of a machine as a program sees them: which exist, which one a name means, what executes each, and why one
//! can't be used. Their memory is in `allocations.rs`.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use super::hooks::Hooks;
use super::{capture, host, stream};
use crate::device::{Device, DeviceType};
use crate::error::{Error, Result};
use crate::executor::cpu::CpuExecutor;
use crate::executor::{Buffer, Executor, Fault, Pinned};
use crate::machine::{AcceleratorKind, Build, DeviceSpec, Machine};
use crate::memory::history::{History, Keep};
use crate::memory::{Planner, StreamId};
use crate::rng::CpuGenerator;
use crate::rng::philox::CudaGenerator;
use crate::trace::{Clue, EventKind, StorageId, Trace};

pub const NO_DRIVER: &str = "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx";
/// The CUDA runtime's error when there is no driver and PyTorch calls it without looking for devices first.
pub const INSUFFICIENT_DRIVER: &str = "CUDA error: CUDA driver version is insufficient for CUDA runtime version\nSearch for `cudaErrorInsufficientDriver' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.\nDevice-side assertions were explicitly omitted for this error check; the error probably arose while initializing the DSA handlers.";
pub const NO_CUDA_BUILD: &str = "Torch not compiled with CUDA enabled";
/// The error in a forked process that uses CUDA (PyTorch 2.15, torch/cuda/__init__.py).
pub const FORKED: &str = "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method";
pub const INVALID_ORDINAL: &str =
    "CUDA error: invalid device ordinal\nGPU device may be out of range, do you have enough GPUs?\n";

/// PyTorch's error when there is a driver but every GPU is hidden.
pub const NO_GPUS: &str = "No CUDA GPUs are available";

/// The variable that selects CUDA devices.
const VISIBLE: &str = "CUDA_VISIBLE_DEVICES";

/// The error of a failed bounds check in a CUDA kernel (PyTorch 2.15).
pub const DEVICE_ASSERT: &str = "CUDA error: device-side assert triggered\nSearch for `cudaErrorAssert' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\n";

/// An accelerator of the machine with its memory and generator.
pub struct Accelerator {
    /// The program's name for it.
    pub(super) device: Cell<Device>,
    pub spec: DeviceSpec,
    pub executor: Rc<dyn Executor>,
    pub planner: RefCell<Planner>,
    pub generator: RefCell<CudaGenerator>,
    /// The current stream; [`Accelerator::set_stream`] changes it.
    pub stream: Cell<StreamId>,
    pub(super) streams: stream::Streams,
    pub history: RefCell<History>,
    /// The graph that is being captured on one of its streams.
    pub(super) capture: RefCell<Option<capture::Capture>>,
    /// How many kernels have been launched, and how many of these the host has waited for.
    pub(super) launched: Cell<u64>,
    pub(super) finished: Cell<u64>,
    /// An error that was found after its launch had returned. It's raised at the next synchronization, and at every
    /// later one, as in CUDA.
    pub(super) pending: RefCell<Option<Error>>,
}

impl Accelerator {
    /// The number in its name: 1 for `cuda:1`.
    pub fn index(&self) -> usize {
        usize::try_from(self.device().index.unwrap_or(0)).unwrap_or(0)
    }

    /// `torch.cuda.get_device_name()`: the name in the machine's description, else the real card's name, or the
    /// simulated card's model.
    pub fn name(&self) -> String {
        match &self.spec.name {
            None if self.executor.is_card() => self.executor.hardware(),
            _ => self.spec.model(),
        }
    }

    /// The executor, with the queue of the current stream selected.
    pub fn queued(&self) -> &Rc<dyn Executor> {
        self.executor.select(self.streams.queue());
        &self.executor
    }

    /// The program's name for it: its number among the CUDA devices that the program sees.
    pub fn device(&self) -> Device {
        self.device.get()
    }
}

/// See the module's documentation.
pub struct Devices {
    pub machine: Machine,
    pub(super) trace: Rc<Trace>,
    pub(super) hooks: Rc<Hooks>,
    pub(super) accelerators: Vec<Accelerator>,
    pub(super) cpu: Rc<dyn Executor>,
    pub cpu_generator: RefCell<CpuGenerator>,
    pub(super) cpu_allocated: Cell<u64>,
    /// Which of the machine's CUDA devices the program sees, in its order. Decided when CUDA is first used.
    visible: OnceCell<Vec<usize>>,
    /// The value of `CUDA_VISIBLE_DEVICES` that was already applied when the machine's devices were listed.
    applied: RefCell<Option<String>>,
    /// The line that decided it, and the value of `CUDA_VISIBLE_DEVICES` at that time.
    settled: RefCell<(u32, Option<String>)>,
    current_cuda: Cell<i8>,
    /// Whether CUDA has been used, not just queried.
    cuda_used: Cell<bool>,
    /// Whether CUDA had been used, if the code that runs now stands for a process forked since then.
    initialized: Cell<bool>,
    forked: Cell<bool>,
    /// The number of streams made so far on all devices.
    pub(super) next_stream: Cell<u32>,
    pub(super) next_storage: Cell<StorageId>,
    /// The number of graph pools made so far.
    pub(super) next_pool: Cell<u32>,
    next_tensor: Cell<u64>,
    /// Host memory and host kernels belong to a library other than PyTorch for now: see [`Devices::quietly`].
    pub(super) quiet: Cell<bool>,
    /// Set while a program records its memory history.
    pub(super) keep: Cell<Option<Keep>>,
}

impl Devices {
    /// `executor_of` returns the executor of each accelerator. Several accelerators may share one.
    pub(super) fn new(
        machine: Machine,
        trace: Rc<Trace>,
        hooks: Rc<Hooks>,
        executor_of: impl Fn(Device) -> Rc<dyn Executor>,
    ) -> Devices {
        let accelerators = machine
            .accelerators()
            .into_iter()
            .map(|(device, spec)| Accelerator {
                device: device.into(),
                spec: spec.clone(),
                executor: executor_of(device),
                planner: RefCell::new(Planner::new(spec.capacity())),
                generator: RefCell::new(CudaGenerator::default()),
                stream: Cell::new(StreamId(0)),
                streams: stream::Streams::default(),
                history: RefCell::default(),
                capture: RefCell::default(),
                launched: Cell::new(0),
                finished: Cell::new(0),
                pending: RefCell::new(None),
            })
            .collect();
        Devices {
            machine,
            trace,
            hooks,
            accelerators,
            cpu: Rc::new(CpuExecutor::new()),
            cpu_generator: RefCell::new(CpuGenerator::default()),
            cpu_allocated: Cell::new(0),
            visible: OnceCell::new(),
            applied: RefCell::default(),
            settled: RefCell::default(),
            current_cuda: Cell::new(0),
            cuda_used: Cell::new(false),
            initialized: Cell::new(false),
            forked: Cell::new(false),
            next_stream: Cell::new(1),
            next_storage: Cell::new(1),
            next_pool: Cell::new(1),
            next_tensor: Cell::new(1),
            quiet: Cell::new(false),
            keep: Cell::new(None),
        }
    }

    /// Runs `f` for another library, such as NumPy. The host memory it takes and the kernels it launches on the host
    /// aren't PyTorch's, so they're neither counted nor reported. What happens on accelerators always is.
    pub(crate) fn quietly<T>(&self, f: impl FnOnce() -> T) -> T {
        let before = self.quiet.replace(true);
        let out = f();
        self.quiet.set(before);
        out
    }

    pub(crate) fn new_tensor_id(&self) -> u64 {
        let id = self.next_tensor.get();
        self.next_tensor.set(id + 1);
        id
    }

    pub fn accelerators(&self) -> &[Accelerator] {
        &self.accelerators
    }

    /// How many CUDA devices the program sees. This counts as CUDA's first use, which decides the number.
    pub fn cuda_count(&self) -> usize {
        self.visible().len()
    }

    /// Like [`Devices::cuda_count`], for a query that doesn't count as use: `CUDA_VISIBLE_DEVICES` may still change the
    /// answer.
    pub(crate) fn cuda_count_so_far(&self) -> usize {
        self.visible.get().map_or_else(|| self.selected(self.hooks.variable(VISIBLE).as_deref()).len(), Vec::len)
    }

    fn visible(&self) -> &[usize] {
        self.visible.get_or_init(|| {
            let value = self.hooks.variable(VISIBLE);
            let selected = self.selected(value.as_deref());
            if selected != self.selected(None) {
                self.trace.emit(|| EventKind::Selected { places: selected.clone() });
            }
            *self.settled.borrow_mut() = (self.trace.line(), value);
            for (index, &at) in selected.iter().enumerate() {
                let device = i8::try_from(index).map(Device::cuda);
                if let (Some(a), Ok(device)) = (self.accelerators.get(at), device) {
                    a.device.set(device);
                }
            }
            selected
        })
    }

    /// The places of the accelerators that `CUDA_VISIBLE_DEVICES` selects, in its order.
    fn selected(&self, value: Option<&str>) -> Vec<usize> {
        let is_cuda = |&i: &usize| self.accelerators[i].spec.kind == AcceleratorKind::Cuda;
        let all: Vec<usize> = (0..self.accelerators.len()).filter(is_cuda).collect();
        match value {
            Some(value) if Some(value) != self.applied.borrow().as_deref() => {
                crate::machine::visible_devices(value, all.len()).into_iter().map(|i| all[i]).collect()
            }
            _ => all,
        }
    }

    /// Notes that the driver has already hidden the devices that this value of `CUDA_VISIBLE_DEVICES` hides.
    pub fn set_applied(&self, value: Option<String>) {
        *self.applied.borrow_mut() = value;
    }

    /// Notices a `CUDA_VISIBLE_DEVICES` that was set too late to select anything.
    pub(crate) fn notice_late_selection(&self) {
        let Some(visible) = self.visible.get().filter(|_| self.trace.is_curious()) else { return };
        let (line, before) = self.settled.borrow().clone();
        match self.hooks.variable(VISIBLE) {
            Some(value) if Some(&value) != before.as_ref() && self.selected(Some(&value)) != *visible => {
                self.trace.notice(|| Clue::HiddenLate { line, value });
            }
            _ => {}
        }
    }

    /// Index of the current CUDA device, whether or not there is one.
    pub(crate) fn current_cuda(&self) -> i8 {
        self.current_cuda.get()
    }

    /// # Errors
    /// There is no device with this index, or no CUDA at all.
    pub(crate) fn set_current_cuda(&self, index: i8) -> Result<()> {
        self.resolve(Device::cuda(index))?;
        self.current_cuda.set(index);
        Ok(())
    }

    /// `torch.cuda.is_initialized()`: CUDA is initialized when it is first used.
    pub(crate) fn is_cuda_used(&self) -> bool {
        self.cuda_used.get()
    }

    /// `Ok` if CUDA can be used on this machine; otherwise the error that its PyTorch build would raise.
    pub(crate) fn require_cuda(&self) -> Result<()> {
        if self.cuda_count() > 0 {
            self.cuda_used.set(true);
            return Ok(());
        }
        Err(match self.machine.build {
            Build::Cuda if self.machine.cuda_count() > 0 => Error::runtime(NO_GPUS),
            Build::Cuda => Error::runtime(NO_DRIVER),
            Build::Cpu => Error::assertion(NO_CUDA_BUILD),
        })
    }

    /// Marks CUDA as initialized, as its first use does.
    ///
    /// # Errors
    /// Those of [`Devices::require_cuda`].
    pub(crate) fn initialize_cuda(&self) -> Result<()> {
        self.require_cuda()?;
        self.initialized.set(true);
        Ok(())
    }

    /// Says that the code running from now on stands for a worker process that was forked from the program (`true`), or
    /// no longer does. Such a process may use CUDA only if the program hadn't used it before.
    pub(crate) fn set_forked(&self, forked: bool) {
        self.forked.set(forked && self.initialized.get());
    }

    /// The device that a tensor would be on: adds the current index if there is none, and checks that the device
    /// exists.
    ///
    /// # Errors
    /// PyTorch's errors for a missing driver, a CPU build, an invalid ordinal, or a backend that isn't linked.
    pub fn resolve(&self, device: Device) -> Result<Device> {
        match device.kind {
            DeviceType::CPU => Ok(Device::CPU),
            DeviceType::META => Ok(Device::META),
            DeviceType::CUDA => {
                self.require_cuda()?;
                if self.forked.get() {
                    return Err(Error::runtime(FORKED));
                }
                self.initialized.set(true);
                let index = device.index.unwrap_or(self.current_cuda.get());
                if index < 0 || index as usize >= self.cuda_count() {
                    return Err(Error::accelerator(INVALID_ORDINAL));
                }
                Ok(Device::cuda(index))
            }
            DeviceType::MPS if self.machine.has_mps() => Ok(Device::mps()),
            kind => Err(Error::runtime(format!("PyTorch is not linked with support for {} devices", kind.name()))),
        }
    }

    /// The accelerator of a resolved device; `None` for `cpu` and `meta`.
    pub fn accelerator(&self, device: Device) -> Option<&Accelerator> {
        match device.kind {
            DeviceType::CUDA => {
                let at = self.visible().get(usize::try_from(device.index?).ok()?)?;
                self.accelerators.get(*at)
            }
            DeviceType::MPS => self.accelerators.iter().find(|a| a.spec.kind == AcceleratorKind::Mps),
            _ => None,
        }
    }

    /// The executor of a resolved device, with the queue of its current stream selected. `meta` has nothing to execute.
    pub fn executor(&self, device: Device) -> &Rc<dyn Executor> {
        self.accelerator(device).map_or(&self.cpu, Accelerator::queued)
    }

    pub(super) fn error(&self, device: Device, fault: Fault) -> Error {
        match fault {
            Fault::IndexOutOfBounds { .. } | Fault::TargetOutOfBounds { .. } if !device.is_cpu() => {
                let error = Error::accelerator(DEVICE_ASSERT);
                if let Some(a) = self.accelerator(device) {
                    *a.pending.borrow_mut() = Some(error.clone());
                }
                error
            }
            Fault::IndexOutOfBounds { index, dim, size } => {
                Error::index(format!("index {index} is out of bounds for dimension {dim} with size {size}"))
            }
            Fault::TargetOutOfBounds { target, .. } => Error::index(format!("Target {target} is out of bounds.")),
            Fault::ZeroDivision => Error::runtime("ZeroDivisionError"),
            Fault::Unsupported(what) => {
                Error::not_implemented(format!("{what} (executor '{}', device {device})", self.executor(device).name()))
            }
            Fault::OutOfMemory { bytes } => self.no_room(device, bytes as u64),
            // A message of CUDA itself, which PyTorch passes on.
            Fault::Lost(text) | Fault::Refused(text) if text.starts_with("CUDA error: ") => Error::accelerator(text),
            Fault::Refused(text) => Error::runtime(text),
            Fault::Lost(why) => Error::accelerator(format!(
                "the device beneath {device} was lost: {why}. Its tensors are gone; run the program again."
            )),
            Fault::Interrupted => Error::interrupt(),
        }
    }

    /// The error when a device has no room although its allocator's plan had.
    pub(super) fn no_room(&self, device: Device, bytes: u64) -> Error {
        match device.kind {
            DeviceType::CPU => host::no_memory(bytes),
            DeviceType::META => Error::not_implemented(format!("a tensor of {bytes} bytes on meta, here")),
            _ => Error::out_of_memory(format!(
                "{} out of memory: the hardware beneath {device} ({}) has no room for {bytes} bytes",
                if device.is_cuda() { "CUDA" } else { "MPS backend" },
                self.executor(device).hardware()
            )),
        }
    }

    /// The error for a failure on the links between processes.
    pub(crate) fn link_error(&self, device: Device, fault: Fault) -> Error {
        match fault {
            Fault::Lost(why) => Error::dist_backend(why),
            other => self.error(device, other),
        }
    }

    /// The page-locked memory of a host buffer, if the driver supplied it.
    pub(crate) fn pinned<'a>(&self, buffer: &'a Buffer) -> Option<&'a Pinned> {
        self.cpu.pinned(buffer)
    }

    pub(crate) fn read_host(&self, buffer: &Buffer, offset: usize, out: &mut [u8]) -> Result<()> {
        self.cpu.read(buffer, offset, out).map_err(|f| self.error(Device::CPU, f))
    }
}
