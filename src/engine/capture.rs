//! CUDA graphs: recording a stream's work instead of running it, and replaying it any number of times.
//!
//! What a capture forbids, and the messages for it, are PyTorch's and CUDA's (capture mode "global"). They're the same on
//! every executor, simulated or not, because only the form of the recorded kernels depends on the executor.
//!
//! Source: aten/src/ATen/cuda/CUDAGraph.cpp, CUDAGeneratorImpl.cpp and native/cuda/Copy.cu in PyTorch, and the CUDA driver's
//! rules for stream capture.

use std::cell::Cell;
use std::rc::Rc;

use super::devices::{Accelerator, Devices};
use super::launches::Launches;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::executor::recording::{Draws, GraphPool, Recording};
use crate::executor::{Done, Kernel, complex};
use crate::memory::{PoolId, StreamId};
use crate::rng::philox::Philox;
use crate::trace::EventKind;

/// The error of a call that isn't allowed during a capture. The call also invalidates the capture.
pub(crate) const NOT_PERMITTED: &str = "CUDA error: operation not permitted when stream is capturing\nSearch for `cudaErrorStreamCaptureUnsupported' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\n";
/// The error of every later call of an invalidated capture, including its end.
pub(crate) const INVALIDATED: &str = "CUDA error: operation failed due to a previous error during capture\nSearch for `cudaErrorStreamCaptureInvalidated' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\n";
pub(crate) const DEFAULT_STREAM: &str = "CUDA graphs must be captured on a non-default stream. (However, after capture, it's ok to replay them on the default stream.)";
pub(crate) const OTHER_STREAM: &str = "Capture must end on the same stream it began on.";
/// The error when a capture ends that forked to a stream and hasn't waited for it.
const UNJOINED: (&str, &str) = ("capturing stream has unjoined work", "cudaErrorStreamCaptureUnjoined");
/// The error when a captured stream is told to wait for work outside the capture. It invalidates the capture.
const ISOLATED: (&str, &str) =
    ("dependency created on uncaptured work in another stream", "cudaErrorStreamCaptureIsolation");
/// The error of an event that was recorded in a capture, when it is used outside that capture.
const CAPTURED_EVENT: (&str, &str) =
    ("operation not permitted on an event last recorded in a capturing stream", "cudaErrorCapturedEvent");
/// The error of a copy between host and device during a capture (2.15 uses it for both directions).
pub(crate) const PAGEABLE: &str = "Cannot copy between CPU and CUDA tensors during CUDA graph capture unless the CPU tensor is pinned. Please use tensor.pin_memory() or allocate the tensor with pin_memory=True.";
/// The error of reseeding a device's generator during a capture.
pub(crate) const SEEDED: &str = "CUDAGeneratorImpl::set_current_seed can be called during stream capture only if new seed is the same as the original seed.";
/// The error of a generator that the program made: it isn't registered with the graph.
pub(crate) const FOREIGN_GENERATOR: &str = "Attempt to increase offset for a CUDA generator not in capture mode.";

/// Wraps an error of CUDA in PyTorch's wording.
fn cuda_error((text, name): (&str, &str)) -> Error {
    Error::accelerator(format!(
        "CUDA error: {text}\nSearch for `{name}' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\n"
    ))
}

/// The recording of a device's stream.
pub(super) struct Capture {
    /// Its number among the engine's captures; 0 means none.
    id: u64,
    /// The stream on which it began and must end.
    stream: StreamId,
    /// Streams that wait for a stream of the capture, and whether the capture in turn waits for their work.
    forks: Vec<(StreamId, bool)>,
    pool: PoolId,
    recording: Recording,
    kernels: usize,
    bytes: usize,
    flops: u64,
    /// How far the draws so far move the generator's offset.
    drawn: u64,
    /// Something happened that a capture doesn't allow.
    spoilt: bool,
}

impl Capture {
    /// Whether work for `stream` is recorded here. Work of all its streams is recorded in the order in which it was issued.
    fn has(&self, stream: StreamId) -> bool {
        self.stream == stream || self.forks.iter().any(|(fork, _)| *fork == stream)
    }

    /// Notes whether the capture waits for a fork.
    fn set_joined(&mut self, stream: StreamId, joined: bool) {
        self.forks.iter_mut().filter(|(fork, _)| *fork == stream).for_each(|(_, is)| *is = joined);
    }
}

/// A captured graph: kernels on memory that stays in place for as long as this value lives.
pub struct Graph {
    launches: Rc<Launches>,
    device: Device,
    pool: PoolId,
    /// Dropped before the pool, because its memory is in the pool.
    recording: Option<Recording>,
    kernels: usize,
    bytes: usize,
    flops: u64,
    drawn: u64,
    /// Whether the executor has it in a form that it can replay.
    ended: bool,
    instantiated: Cell<bool>,
}

impl Graph {
    /// The device that it was captured on.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The pool that holds its tensors.
    pub fn pool(&self) -> PoolId {
        self.pool
    }

    /// How many kernels it launches.
    pub fn kernels(&self) -> usize {
        self.kernels
    }

    /// Makes it ready for replays, as `cudaGraphInstantiate` does. It may be called again.
    ///
    /// # Errors
    /// The device's error. The graph can't be replayed then.
    pub(crate) fn instantiate(&mut self) -> Result<()> {
        self.end()?;
        self.instantiated.set(true);
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        if self.ended {
            return Ok(());
        }
        let Some(recording) = self.recording.take() else { return Ok(()) };
        let devices = &self.launches.devices;
        let executor = devices.executor(self.device).clone();
        self.recording = Some(executor.end_graph(recording).map_err(|f| devices.error(self.device, f))?);
        self.ended = true;
        Ok(())
    }

    /// Writes the graph as a file in the DOT language, in the hardware's own form.
    ///
    /// # Errors
    /// The device's graphs are only lists of recorded kernels; or the file can't be written.
    pub(crate) fn dump(&mut self, path: &str, verbose: bool) -> Result<()> {
        self.end()?;
        let Some(recording) = &self.recording else { return Ok(()) };
        let devices = &self.launches.devices;
        let executor = devices.executor(self.device);
        executor.dump_graph(recording, path, verbose).map_err(|f| devices.error(self.device, f))
    }

    pub(crate) fn is_instantiated(&self) -> bool {
        self.instantiated.get()
    }

    /// Queues all of its kernels, as one event in the trace. Its draws continue from the current offset of the device's
    /// generator.
    ///
    /// # Errors
    /// An earlier error of the device; a stream that is capturing.
    pub fn replay(&self) -> Result<()> {
        let launches = &self.launches;
        let (Some(a), Some(recording)) = (launches.devices.accelerator(self.device), &self.recording) else {
            return Ok(());
        };
        if launches.devices.is_capturing(self.device) {
            return Err(Error::not_implemented("replaying a CUDA graph while another one is captured"));
        }
        if let Some(e) = &*a.pending.borrow() {
            return Err(e.clone());
        }
        a.launched.set(a.launched.get() + self.kernels as u64);
        let (device, kernels, bytes, flops) = (self.device, self.kernels, self.bytes, self.flops);
        launches.trace.emit(|| EventKind::Graph { device, kernels, bytes, flops, automatic: false });
        let draws = {
            let mut generator = a.generator.borrow_mut();
            let draws = Draws { seed: generator.initial_seed(), offset: generator.offset() };
            generator.skip(self.drawn);
            draws
        };
        let done = a.queued().replay(recording, draws);
        done.or_else(|fault| launches.fault(self.device, fault))?;
        launches.keep_pace(self.device)
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        self.recording = None;
        if let Some(a) = self.launches.devices.accelerator(self.device) {
            a.planner.borrow_mut().release_pool(self.pool);
        }
    }
}

impl Devices {
    /// A number for a pool that no graph has yet: `torch.cuda.graph_pool_handle()`.
    pub(crate) fn new_pool(&self) -> PoolId {
        let pool = PoolId(self.next_pool.get());
        self.next_pool.set(pool.0 + 1);
        pool
    }

    /// Whether kernels launched on a device now are recorded, because its current stream is capturing.
    pub(crate) fn is_capturing(&self, device: Device) -> bool {
        self.accelerator(device).is_some_and(|a| a.capturing().is_some())
    }

    /// The number of the capture that a stream takes part in; 0 for none.
    pub(crate) fn capture_of(&self, device: Device, stream: StreamId) -> u64 {
        let of = |a: &Accelerator| a.capture.borrow().as_ref().filter(|c| c.has(stream)).map(|c| c.id);
        self.accelerator(device).and_then(of).unwrap_or(0)
    }

    /// # Errors
    /// The copy is between two devices, or between the host and a device, and a current stream of theirs is capturing.
    pub(crate) fn check_copy(&self, from: Device, to: Device, pinned: bool, non_blocking: bool) -> Result<()> {
        for device in [from, to] {
            let Some(a) = self.accelerator(device).filter(|a| a.capturing().is_some()) else { continue };
            if !from.is_cpu() && !to.is_cpu() {
                return Err(Error::not_implemented("a copy between devices while a CUDA graph is captured"));
            }
            return Err(match (pinned, non_blocking) {
                (false, _) => Error::runtime(PAGEABLE),
                (true, false) => a.spoil(),
                (true, true) => {
                    Error::not_implemented("a copy from or to pinned memory while a CUDA graph is captured")
                }
            });
        }
        Ok(())
    }
}

impl Launches {
    /// From now on, records the work of a device's current stream. Its memory comes from a pool of its own, or from one
    /// that graphs share.
    ///
    /// # Errors
    /// The current stream is the default stream; a capture is already running.
    pub(crate) fn begin_capture(&self, device: Device, pool: Option<PoolId>) -> Result<()> {
        let Some(a) = self.devices.accelerator(device) else {
            return Err(Error::not_implemented("a graph on this device"));
        };
        let stream = a.stream.get();
        if stream == StreamId(0) {
            return Err(Error::runtime(DEFAULT_STREAM));
        }
        if a.capture.borrow().is_some() {
            return Err(Error::not_implemented("capturing two CUDA graphs of one device at once"));
        }
        let pool = pool.unwrap_or_else(|| self.devices.new_pool());
        let recording = a.queued().begin_graph(GraphPool(pool.0)).map_err(|f| self.devices.error(device, f))?;
        a.planner.borrow_mut().retain_pool(pool);
        let id = self.next_capture.get();
        self.next_capture.set(id + 1);
        let forks = Vec::new();
        *a.capture.borrow_mut() = Some(Capture {
            id,
            stream,
            forks,
            pool,
            recording,
            kernels: 0,
            bytes: 0,
            flops: 0,
            drawn: 0,
            spoilt: false,
        });
        Ok(())
    }

    /// Ends the capture that [`Launches::begin_capture`] began. The graph isn't instantiated yet.
    ///
    /// # Errors
    /// The current stream isn't the one on which it began (the capture continues then); there is no capture; it was
    /// invalidated.
    pub(crate) fn end_capture(self: &Rc<Self>, device: Device) -> Result<Graph> {
        let Some(a) = self.devices.accelerator(device) else { return Err(Error::runtime(OTHER_STREAM)) };
        if a.capture.borrow().as_ref().is_none_or(|c| c.stream != a.stream.get()) {
            return Err(Error::runtime(OTHER_STREAM));
        }
        let Some(Capture { pool, recording, kernels, bytes, flops, drawn, spoilt, forks, .. }) = a.capture.take()
        else {
            return Err(Error::runtime(OTHER_STREAM));
        };
        if spoilt || forks.iter().any(|(_, joined)| !joined) {
            drop(recording);
            a.planner.borrow_mut().release_pool(pool);
            return Err(if spoilt { Error::accelerator(INVALIDATED) } else { cuda_error(UNJOINED) });
        }
        Ok(Graph {
            launches: self.clone(),
            device,
            pool,
            recording: Some(recording),
            kernels,
            bytes,
            flops,
            drawn,
            ended: false,
            instantiated: Cell::new(false),
        })
    }

    /// Records a kernel if the device's current stream is capturing; otherwise `None`.
    pub(super) fn record(&self, a: &Accelerator, kernel: &Kernel<'_>) -> Option<Result<()>> {
        let capture = &mut *a.capture.borrow_mut();
        let capture = capture.as_mut().filter(|c| c.has(a.stream.get()))?;
        capture.set_joined(a.stream.get(), false);
        if capture.spoilt {
            return Some(Err(Error::accelerator(INVALIDATED)));
        }
        let recording = &mut capture.recording;
        let recorded: Done = complex::launch(kernel, |part| a.queued().record(recording, part));
        capture.kernels += 1;
        capture.bytes = capture.bytes.saturating_add(kernel.bytes());
        capture.flops = capture.flops.saturating_add(kernel.flops());
        Some(recorded.map_err(|fault| self.devices.error(a.device(), fault)))
    }

    /// A stream is told to wait for an event that another stream recorded while it took part in the capture `captured`.
    /// Returns true if the capture has noted the wait, false if neither of them is captured.
    ///
    /// # Errors
    /// CUDA's error if only one of them is captured.
    pub(crate) fn capture_waits(
        &self,
        (device, waiter): (Device, StreamId),
        (other, recorder): (Device, StreamId),
        captured: u64,
    ) -> Result<bool> {
        let waiting = self.devices.capture_of(device, waiter) != 0;
        let Some(a) = self.devices.accelerator(device).filter(|_| waiting || captured != 0) else { return Ok(false) };
        if captured == 0 {
            a.spoil();
            return Err(cuda_error(ISOLATED));
        }
        if device != other {
            return Err(Error::not_implemented("one CUDA graph captured on two devices"));
        }
        let capture = &mut *a.capture.borrow_mut();
        let Some(capture) = capture.as_mut().filter(|c| c.id == captured) else {
            return Err(cuda_error(CAPTURED_EVENT));
        };
        if waiter == recorder {
            return Ok(true);
        }
        if !waiting {
            capture.forks.push((waiter, false));
        }
        capture.set_joined(waiter, false);
        capture.set_joined(recorder, true);
        Ok(true)
    }

    /// The error when the host queries or waits for a captured event. It invalidates the capture.
    pub(crate) fn captured_event(&self, device: Device) -> Error {
        if let Some(a) = self.devices.accelerator(device) {
            a.spoil();
        }
        cuda_error(CAPTURED_EVENT)
    }

    /// Counts and reports the graphs that an executor made and launched on its own.
    pub(super) fn report_steps(&self, a: &Accelerator) {
        for kernels in a.executor.take_steps() {
            let (graphs, all) = self.steps.get();
            self.steps.set((graphs + 1, all + kernels as u64));
            let device = a.device();
            self.trace.emit(|| EventKind::Graph { device, kernels, bytes: 0, flops: 0, automatic: true });
        }
    }

    /// How many graphs executors have made and launched on their own, and the kernels in them.
    pub fn captured_steps(&self) -> (u64, u64) {
        self.steps.get()
    }
}

impl Accelerator {
    /// Invalidates the device's capture, if there is one. Returns the error that says why the host can't wait now.
    pub(super) fn spoil(&self) -> Error {
        if let Some(capture) = &mut *self.capture.borrow_mut() {
            capture.spoilt = true;
        }
        Error::accelerator(NOT_PERMITTED)
    }

    /// # Errors
    /// The stream is capturing, so it can't be queried or waited for. This invalidates the capture.
    pub(super) fn check_stream(&self, stream: StreamId) -> Result<()> {
        let captures = self.capture.borrow().as_ref().is_some_and(|c| c.has(stream));
        if captures { Err(self.spoil()) } else { Ok(()) }
    }

    /// The offset at which a draw of `n` elements begins in a device's own generator, which advances past it. During a
    /// capture the offset is relative to the one that each replay starts from.
    pub(crate) fn draw(&self, n: usize, per_thread: u64) -> Philox {
        let processors = self.spec.multiprocessors;
        let capture = &mut *self.capture.borrow_mut();
        match capture.as_mut().filter(|c| c.has(self.stream.get())) {
            None => self.generator.borrow_mut().launch(n, per_thread, processors),
            Some(capture) => {
                let seed = self.generator.borrow().initial_seed();
                let philox = Philox { seed, offset: capture.drawn, multiprocessors: processors };
                capture.drawn += philox.advance(n, per_thread);
                philox
            }
        }
    }

    /// Seeds a device's own generator.
    ///
    /// # Errors
    /// The device's current stream is capturing and the seed differs.
    pub fn seed(&self, seed: u64) -> Result<()> {
        let mut generator = self.generator.borrow_mut();
        match self.capturing() {
            None => generator.manual_seed(seed),
            Some(_) if generator.initial_seed() == seed => {}
            Some(_) => return Err(Error::runtime(SEEDED)),
        }
        Ok(())
    }

    /// The pool of the graph that the current stream captures.
    pub(super) fn capturing(&self) -> Option<PoolId> {
        let capture = self.capture.borrow();
        capture.as_ref().filter(|c| c.has(self.stream.get())).map(|c| c.pool)
    }
}
