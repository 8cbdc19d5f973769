//! The engine of one program: its machine, what executes each device, the trace, and the modes that PyTorch keeps globally.
//!
//! One engine is current on a thread. Everything in it is behind cells that are borrowed for a moment only: no borrow is
//! alive while an executor reads or synchronises, because in the page those suspend the whole stack.

pub mod graph;
pub mod host;
mod memory;
mod precision;
pub mod profile;
pub mod stream;
mod wait;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use crate::device::{Device, DeviceType};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::executor::cpu::CpuExecutor;
use crate::executor::{Buffer, Done, Executor, Fault, Kernel, Pinned, Queue, complex};
use crate::machine::{AcceleratorKind, Build, DeviceSpec, Machine};
use crate::memory::history::{Frame, History, Keep};
use crate::memory::{Planner, StreamId};
use crate::rng::CpuGenerator;
use crate::rng::philox::CudaGenerator;
use crate::trace::profile::SpanKind;
use crate::trace::{Clue, EventKind, StorageId, Trace};

pub(crate) use memory::Workspace;
pub use precision::{Half, Settings};
pub use wait::SyncDebug;

pub const NO_DRIVER: &str = "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx";
/// What the CUDA runtime says where there is no driver, when PyTorch asks it without looking for devices first.
pub const INSUFFICIENT_DRIVER: &str = "CUDA error: CUDA driver version is insufficient for CUDA runtime version\nSearch for `cudaErrorInsufficientDriver' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.\nDevice-side assertions were explicitly omitted for this error check; the error probably arose while initializing the DSA handlers.";
pub const NO_CUDA_BUILD: &str = "Torch not compiled with CUDA enabled";
/// What a forked process is told when it uses CUDA (PyTorch 2.15, torch/cuda/__init__.py).
pub const FORKED: &str = "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method";
pub const INVALID_ORDINAL: &str =
    "CUDA error: invalid device ordinal\nGPU device may be out of range, do you have enough GPUs?\n";

/// The variable that selects CUDA devices.
const VISIBLE: &str = "CUDA_VISIBLE_DEVICES";

/// What PyTorch says where there is a driver and every GPU is hidden.
pub const NO_GPUS: &str = "No CUDA GPUs are available";

/// An accelerator of the machine with its memory and generator.
pub struct Accelerator {
    /// What the program calls it.
    device: Cell<Device>,
    pub spec: DeviceSpec,
    pub executor: Rc<dyn Executor>,
    pub planner: RefCell<Planner>,
    pub generator: RefCell<CudaGenerator>,
    /// The current stream; [`Engine::set_stream`] changes it.
    pub stream: Cell<StreamId>,
    streams: stream::Streams,
    pub history: RefCell<History>,
    /// The graph that one of its streams records.
    capture: RefCell<Option<graph::Capture>>,
    /// Kernels launched so far, and how many of them the host has waited for.
    launched: Cell<u64>,
    finished: Cell<u64>,
    /// An error found after its launch returned; raised at the next synchronisation, and ever after, as CUDA does.
    pending: RefCell<Option<Error>>,
}

impl Accelerator {
    /// The number in its name: 1 for `cuda:1`.
    pub fn index(&self) -> usize {
        usize::try_from(self.device().index.unwrap_or(0)).unwrap_or(0)
    }

    /// `torch.cuda.get_device_name()`: as the machine says, else the card's own name, or the simulated card's model.
    pub fn name(&self) -> String {
        match &self.spec.name {
            None if self.executor.is_card() => self.executor.hardware(),
            _ => self.spec.model(),
        }
    }

    /// What executes it, with the queue of the current stream selected.
    pub fn queued(&self) -> &Rc<dyn Executor> {
        self.executor.select(self.streams.queue());
        &self.executor
    }

    /// What the program calls it: among the CUDA devices it sees, its number.
    pub fn device(&self) -> Device {
        self.device.get()
    }
}

/// Whether what is waited for is over.
pub type IsOver<'a> = &'a dyn Fn() -> Done<bool>;

/// Waits until that is over, or, with `None`, for all that other processes have a part in on a device: the executor's own wait
/// knows of none of them.
pub type Watch = fn(Device, Option<IsOver<'_>>) -> Result<()>;

/// See the module's documentation.
pub struct Engine {
    pub machine: Machine,
    pub trace: Trace,
    accelerators: Vec<Accelerator>,
    cpu: Rc<dyn Executor>,
    pub cpu_generator: RefCell<CpuGenerator>,
    cpu_allocated: Cell<usize>,
    /// Which of the machine's CUDA devices the program sees, in its order; settled when CUDA is first touched.
    visible: OnceCell<Vec<usize>>,
    /// The value of `CUDA_VISIBLE_DEVICES` that the machine's devices are already what is left by.
    applied: RefCell<Option<String>>,
    /// The line that settled it, and the value of `CUDA_VISIBLE_DEVICES` then.
    settled: RefCell<(u32, Option<String>)>,
    /// The program's environment.
    environment: Cell<fn(&str) -> Option<String>>,
    /// Launches wait for their kernels (`CUDA_LAUNCH_BLOCKING`); settled by the first one.
    blocking: OnceCell<bool>,
    /// Streams made so far, on all devices.
    next_stream: Cell<u32>,
    /// `torch.backends.cudnn.enabled`: whose texts convolutions have.
    cudnn: Cell<bool>,
    precision: RefCell<Settings>,
    current_cuda: Cell<i8>,
    /// CUDA has been used, not only asked about.
    cuda_used: Cell<bool>,
    default_dtype: Cell<DType>,
    next_storage: Cell<StorageId>,
    /// Numbers of the pools of graphs.
    next_pool: Cell<u32>,
    next_capture: Cell<u64>,
    /// Graphs that executors made by themselves and launched, and the kernels in them.
    steps: Cell<(u64, u64)>,
    next_tensor: Cell<u64>,
    /// CUDA has been used; and what runs now stands for a process forked since.
    initialized: Cell<bool>,
    forked: Cell<bool>,
    /// How often the host has waited for a device, and what `torch.cuda.set_sync_debug_mode` makes of a wait.
    waits: Cell<u64>,
    sync_debug: Cell<SyncDebug>,
    /// Raises a Python warning; the Python layer sets it.
    warn: Cell<fn(&str) -> Result<()>>,
    /// The last reads of single elements: line, tensor, how many.
    elements: Cell<(u32, StorageId, usize)>,
    /// Asked at synchronisation points: has the learner pressed Stop?
    interrupt: Cell<fn() -> bool>,
    /// Called before the host waits for a device.
    watch: Cell<Watch>,
    /// Host memory and host kernels belong to a library beside PyTorch now: see [`Engine::quietly`].
    quiet: Cell<bool>,
    /// The times of devices, while a program is profiled.
    times: profile::Times,
    /// Set while a program records its memory history.
    keep: Cell<Option<Keep>>,
    /// The calls that led here; the Python layer sets it.
    stack: Cell<fn() -> Vec<Frame>>,
}

thread_local! {
    static CURRENT: RefCell<Rc<Engine>> = RefCell::new(Rc::new(Engine::new(default_machine(), |_| Rc::new(CpuExecutor::new()))));
}

fn default_machine() -> Machine {
    Machine {
        name: "cpu".into(),
        build: Build::Cuda,
        devices: Vec::new(),
        host_link: crate::machine::Link::pcie4(),
        peer_link: crate::machine::Link::nvlink3(),
    }
}

/// The engine of this thread.
pub fn current() -> Rc<Engine> {
    CURRENT.with(|e| e.borrow().clone())
}

/// Makes `engine` this thread's. Tensors of the former one keep it alive until they go.
pub fn install(engine: Engine) -> Rc<Engine> {
    let engine = Rc::new(engine);
    CURRENT.with(|e| *e.borrow_mut() = engine.clone());
    engine
}

impl Engine {
    /// `executor_of` says what executes each accelerator; several may share one.
    pub fn new(machine: Machine, executor_of: impl Fn(Device) -> Rc<dyn Executor>) -> Engine {
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
        Engine {
            machine,
            trace: Trace::default(),
            accelerators,
            cpu: Rc::new(CpuExecutor::new()),
            cpu_generator: RefCell::new(CpuGenerator::default()),
            cpu_allocated: Cell::new(0),
            visible: OnceCell::new(),
            applied: RefCell::default(),
            settled: RefCell::default(),
            environment: Cell::new(|_| None),
            blocking: OnceCell::new(),
            next_stream: Cell::new(1),
            cudnn: Cell::new(true),
            precision: RefCell::default(),
            current_cuda: Cell::new(0),
            cuda_used: Cell::new(false),
            default_dtype: Cell::new(DType::F32),
            next_storage: Cell::new(1),
            next_pool: Cell::new(1),
            next_capture: Cell::new(1),
            steps: Cell::default(),
            next_tensor: Cell::new(1),
            initialized: Cell::new(false),
            forked: Cell::new(false),
            waits: Cell::new(0),
            sync_debug: Cell::default(),
            warn: Cell::new(|_| Ok(())),
            elements: Cell::new((0, 0, 0)),
            interrupt: Cell::new(|| false),
            watch: Cell::new(|_, _| Ok(())),
            quiet: Cell::new(false),
            times: profile::Times::default(),
            keep: Cell::new(None),
            stack: Cell::new(Vec::new),
        }
    }

    /// An engine whose accelerators are simulated by the CPU executor.
    pub fn on_cpu(machine: Machine) -> Engine {
        let cpu: Rc<dyn Executor> = Rc::new(CpuExecutor::simulating());
        Engine::new(machine, |_| cpu.clone())
    }

    pub fn default_dtype(&self) -> DType {
        self.default_dtype.get()
    }

    pub fn set_default_dtype(&self, dtype: DType) {
        self.default_dtype.set(dtype);
    }

    pub fn set_interrupt(&self, poll: fn() -> bool) {
        self.interrupt.set(poll);
    }

    pub fn set_watch(&self, watch: Watch) {
        self.watch.set(watch);
    }

    /// Runs `f` for a library beside PyTorch, such as NumPy: the host memory it takes and the kernels it launches on the
    /// host are not PyTorch's, so they are neither counted nor reported. What happens on accelerators always is.
    pub fn quietly<T>(&self, f: impl FnOnce() -> T) -> T {
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

    // ---- devices -----------------------------------------------------------------------------------------------------

    pub fn accelerators(&self) -> &[Accelerator] {
        &self.accelerators
    }

    /// How many CUDA devices the program sees. CUDA's first touch settles that.
    pub fn cuda_count(&self) -> usize {
        self.visible().len()
    }

    /// As [`Engine::cuda_count`] for a question that is no touch: `CUDA_VISIBLE_DEVICES` may still change it.
    pub fn cuda_count_so_far(&self) -> usize {
        self.visible.get().map_or_else(|| self.selected(self.variable(VISIBLE).as_deref()).len(), Vec::len)
    }

    fn visible(&self) -> &[usize] {
        self.visible.get_or_init(|| {
            let value = self.variable(VISIBLE);
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

    /// Places of the accelerators that `CUDA_VISIBLE_DEVICES` leaves, in its order.
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

    /// Says where to look for a variable of the program's environment; the Python layer sets it.
    pub fn set_environment(&self, read: fn(&str) -> Option<String>) {
        self.environment.set(read);
    }

    fn variable(&self, name: &str) -> Option<String> {
        (self.environment.get())(name)
    }

    /// The driver has already left out what this value of `CUDA_VISIBLE_DEVICES` hides.
    pub fn set_applied(&self, value: Option<String>) {
        *self.applied.borrow_mut() = value;
    }

    /// Notices a `CUDA_VISIBLE_DEVICES` that was set too late to select anything.
    pub fn notice_late_selection(&self) {
        let Some(visible) = self.visible.get().filter(|_| self.trace.is_curious()) else { return };
        let (line, before) = self.settled.borrow().clone();
        match self.variable(VISIBLE) {
            Some(value) if Some(&value) != before.as_ref() && self.selected(Some(&value)) != *visible => {
                self.trace.notice(|| Clue::HiddenLate { line, value });
            }
            _ => {}
        }
    }

    pub fn uses_cudnn(&self) -> bool {
        self.cudnn.get()
    }

    pub fn set_cudnn(&self, enabled: bool) {
        self.cudnn.set(enabled);
    }

    /// What the program set about the precision of products and convolutions.
    pub fn precision(&self) -> std::cell::Ref<'_, Settings> {
        self.precision.borrow()
    }

    /// Changes it, and tells the executors.
    ///
    /// # Errors
    /// Those of the change, which then leaves everything as it was.
    pub fn change_precision(&self, change: impl FnOnce(&mut Settings) -> Result<()>) -> Result<()> {
        change(&mut self.precision.borrow_mut())?;
        let wanted = self.precision.borrow().wanted();
        for a in &self.accelerators {
            a.executor.set_precision(wanted);
        }
        Ok(())
    }

    /// Index of the current CUDA device, whether or not there is one.
    pub fn current_cuda(&self) -> i8 {
        self.current_cuda.get()
    }

    /// # Errors
    /// An index without a device, or no CUDA at all.
    pub fn set_current_cuda(&self, index: i8) -> Result<()> {
        self.resolve(Device::cuda(index))?;
        self.current_cuda.set(index);
        Ok(())
    }

    /// `torch.cuda.is_initialized()`: CUDA starts when it is first used.
    pub fn is_cuda_used(&self) -> bool {
        self.cuda_used.get()
    }

    /// Why CUDA cannot be used on this machine, in the words of its PyTorch build; `Ok` if it can.
    pub fn require_cuda(&self) -> Result<()> {
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

    /// Says that CUDA has been initialised, as its first use does.
    ///
    /// # Errors
    /// As [`Engine::require_cuda`].
    pub fn initialize_cuda(&self) -> Result<()> {
        self.require_cuda()?;
        self.initialized.set(true);
        Ok(())
    }

    /// What runs from now on (`true`) stands for a worker process that was forked from the program: it may use CUDA only
    /// if the program had not.
    pub fn set_forked(&self, forked: bool) {
        self.forked.set(forked && self.initialized.get());
    }

    /// The device a tensor would be on: fills in the current index, and checks that it exists.
    ///
    /// # Errors
    /// PyTorch's texts for no driver, a CPU build, a bad ordinal, an unlinked backend.
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

    /// The accelerator behind a resolved device; `None` for `cpu` and `meta`.
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

    /// What executes a resolved device, with the queue of its current stream selected. `meta` has nothing to execute.
    pub fn executor(&self, device: Device) -> &Rc<dyn Executor> {
        self.accelerator(device).map_or(&self.cpu, Accelerator::queued)
    }

    // ---- kernels and waiting -----------------------------------------------------------------------------------------

    /// Launches a kernel on a device and reports it. An index out of bounds on an accelerator is a device-side assert: it
    /// surfaces at the next synchronisation. On the CPU `out_of_bounds` words the error.
    pub fn launch_with(
        &self,
        device: Device,
        kernel: &Kernel<'_>,
        out_of_bounds: impl FnOnce(i64, usize, usize) -> Error,
    ) -> Result<()> {
        if device.is_meta() {
            return Ok(());
        }
        if let Some(a) = self.accelerator(device)
            && let Some(e) = &*a.pending.borrow()
        {
            return Err(e.clone());
        }
        if let Some(a) = self.accelerator(device) {
            if let Some(recorded) = self.record(a, kernel) {
                return recorded;
            }
            a.launched.set(a.launched.get() + 1);
        }
        if !(device.is_cpu() && self.quiet.get()) {
            self.trace.emit(|| EventKind::Kernel {
                device,
                name: kernel.name().into(),
                bytes: kernel.bytes(),
                flops: kernel.flops(),
            });
        }
        let span = match self.trace.profile().is_on() && !(device.is_cpu() && self.quiet.get()) {
            true => self.trace.begin(SpanKind::Kernel, kernel.name(), Some(device)),
            false => None,
        };
        let started = span.and_then(|_| self.start_work(device));
        let launched = complex::launch(kernel, |part| self.executor(device).launch(part));
        self.end_work(started, span);
        if let Some(a) = self.accelerator(device) {
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

    /// Turns an executor's fault into the error PyTorch raises on that device, or defers it as CUDA defers asserts.
    fn fault(&self, device: Device, fault: Fault) -> Result<()> {
        match fault {
            Fault::IndexOutOfBounds { .. } | Fault::TargetOutOfBounds { .. } if !device.is_cpu() => {
                let (index, size) = match fault {
                    Fault::IndexOutOfBounds { index, size, .. } => (index, size),
                    Fault::TargetOutOfBounds { target, classes } => (target, classes),
                    _ => (0, 0),
                };
                self.trace.notice(|| Clue::OutOfBounds { line: self.trace.line(), index, size });
                if self.is_blocking() {
                    return Err(self.error(device, fault));
                }
                if let Some(a) = self.accelerator(device) {
                    *a.pending.borrow_mut() = Some(Error::accelerator(DEVICE_ASSERT));
                }
                Ok(())
            }
            other => Err(self.error(device, other)),
        }
    }

    fn error(&self, device: Device, fault: Fault) -> Error {
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
            // CUDA's own words, which PyTorch passes on.
            Fault::Lost(text) | Fault::Refused(text) if text.starts_with("CUDA error: ") => Error::accelerator(text),
            Fault::Refused(text) => Error::runtime(text),
            Fault::Lost(why) => Error::accelerator(format!(
                "the device beneath {device} was lost: {why}. Its tensors are gone; run the program again."
            )),
            Fault::Interrupted => Error::interrupt(),
        }
    }

    /// What a device says that has no room beneath what its allocator planned.
    fn no_room(&self, device: Device, bytes: u64) -> Error {
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

    /// Reports `name` as a kernel of a device: what `hand` hands to its links to other processes, so many bytes, behind what
    /// the current stream's queue was given.
    ///
    /// # Errors
    /// Those of the links, as PyTorch words them.
    pub fn linked<T>(
        &self,
        device: Device,
        name: &'static str,
        bytes: usize,
        hand: impl FnOnce(Queue) -> Done<T>,
    ) -> Result<T> {
        self.report_kernel(device, name, bytes);
        self.on_current_queue(device, hand)
    }

    /// Reports what a device is about to be given as a kernel, if it is not launched as one.
    pub(crate) fn report_kernel(&self, device: Device, name: &'static str, bytes: usize) {
        if let Some(a) = self.accelerator(device) {
            a.launched.set(a.launched.get() + 1);
        }
        self.trace.emit(|| EventKind::Kernel { device, name: name.into(), bytes, flops: 0 });
    }

    /// Does something about the links of a device with the queue of its current stream selected.
    ///
    /// # Errors
    /// As [`Engine::linked`].
    pub fn on_current_queue<T>(&self, device: Device, f: impl FnOnce(Queue) -> Done<T>) -> Result<T> {
        let queue = self.accelerator(device).map(|a| {
            a.queued();
            a.streams.queue()
        });
        f(queue.unwrap_or_default()).map_err(|fault| self.link_error(device, fault))
    }

    /// The error for what went wrong on links between processes.
    pub fn link_error(&self, device: Device, fault: Fault) -> Error {
        match fault {
            Fault::Lost(why) => Error::dist_backend(why),
            other => self.error(device, other),
        }
    }

    /// Kernels launched on all accelerators, and how many of them the host has waited for.
    pub fn queue(&self) -> (u64, u64) {
        let sum = |count: fn(&Accelerator) -> u64| self.accelerators.iter().map(count).sum();
        (sum(|a| a.launched.get()), sum(|a| a.finished.get()))
    }

    /// One element of a larger tensor on an accelerator was read.
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
        // Reading a few numbers of a small tensor is what small programs do.
        if reads >= MANY_READS {
            self.trace.notice(|| Clue::ReadPiecewise { line, storage, device, elements, reads });
        }
    }

    /// # Errors
    /// `KeyboardInterrupt` if the learner pressed Stop.
    pub fn check_interrupt(&self) -> Result<()> {
        if (self.interrupt.get())() { Err(Error::interrupt()) } else { Ok(()) }
    }

    /// The page-locked memory of a buffer on the host, if its driver gave it.
    pub(crate) fn pinned<'a>(&self, buffer: &'a Buffer) -> Option<&'a Pinned> {
        self.cpu.pinned(buffer)
    }

    pub(crate) fn read_device(&self, device: Device, buffer: &Buffer, offset: usize, out: &mut [u8]) -> Result<()> {
        self.executor(device).read(buffer, offset, out).map_err(|f| self.error(device, f))?;
        match self.accelerator(device).and_then(|a| a.pending.borrow().clone()) {
            Some(e) => Err(e),
            None => Ok(()),
        }
    }

    pub(crate) fn read_host(&self, buffer: &Buffer, offset: usize, out: &mut [u8]) -> Result<()> {
        self.cpu.read(buffer, offset, out).map_err(|f| self.error(Device::CPU, f))
    }

    pub(crate) fn write_device(&self, device: Device, buffer: &Buffer, offset: usize, bytes: &[u8]) -> Result<()> {
        self.check_copy(Device::CPU, device, false, false)?;
        self.executor(device).write(buffer, offset, bytes).map_err(|f| self.error(device, f))?;
        self.keep_pace(device)
    }
}

/// From here on, reading single elements of a tensor on an accelerator is worth a word.
const MANY_READS: usize = 24;

/// The text of a failed bounds check in a CUDA kernel (PyTorch 2.15).
pub const DEVICE_ASSERT: &str = "CUDA error: device-side assert triggered\nSearch for `cudaErrorAssert' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\n";
