//! Kernels in WGSL: WebGPU in the page, Vulkan natively.
//!
//! Reading order: [`words`] (how elements are stored in buffers), [`source`] and [`launch`] (from a shader file to one
//! pipeline), [`buffers`], [`stream`] and [`pace`] (buffers, recording and submitting, and the limit on both), [`stamp`] (the
//! device's clock), [`device`] (adapter, faults, waiting), then `kernels`, which lowers each [`crate::executor::Kernel`] to dispatches.
//!
//! A limit of this hardware: there is no float64 arithmetic in WGSL. float64 tensors can be stored, copied and
//! converted; computing with them is refused.

mod buffers;
pub mod device;
mod kernels;
mod launch;
mod pace;
mod source;
mod stamp;
mod stream;
mod words;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use self::buffers::{GpuBuffer, Pool};
use self::device::Gpu;
use self::kernels::Sink;
use self::stream::Stream;
use crate::dtype::DType;
use crate::executor::{Buffer, Compute, Done, Fault, Graphs, HostMemory, Kernel, Linkable, Queues, Stamp, complex};

/// The size of the buffer in which kernels report a fault, in words: kind, index (low, high), dimension or classes,
/// size.
const FAULT_WORDS: u64 = 8;
const FAULT_BYTES: u64 = FAULT_WORDS * 4;

/// The WebGPU executor.
pub struct WebGpuExecutor {
    gpu: Rc<Gpu>,
    pool: Pool,
    stream: RefCell<Stream>,
    faults: FaultBuffer,
    /// Where the device puts the time of a stamp, if it has a clock.
    clock: OnceCell<wgpu::QuerySet>,
}

struct FaultBuffer {
    buffer: GpuBuffer,
    /// Whether a kernel that may report a fault has run since the last check.
    dirty: std::cell::Cell<bool>,
}

impl WebGpuExecutor {
    /// Waits for an adapter and a device. The error is a plain sentence.
    pub async fn request() -> Result<WebGpuExecutor, String> {
        Ok(WebGpuExecutor::with(Gpu::request().await?))
    }

    /// The same, blocking.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new() -> Result<WebGpuExecutor, String> {
        Ok(WebGpuExecutor::with(device::block_on(Gpu::request())?))
    }

    fn with(gpu: Gpu) -> WebGpuExecutor {
        let pool = Pool::new();
        let stream = Stream::new(&gpu.device, &gpu.queue);
        let buffer = pool.take(&gpu.device, FAULT_BYTES);
        WebGpuExecutor {
            pool,
            stream: RefCell::new(stream),
            faults: FaultBuffer { buffer, dirty: std::cell::Cell::new(false) },
            clock: OnceCell::new(),
            gpu: Rc::new(gpu),
        }
    }

    /// Whether the device is gone, so that this executor can't do anything any more.
    pub fn is_lost(&self) -> bool {
        self.gpu.lost().is_err()
    }

    /// As soon as the device is lost, calls `tell` with the reason.
    pub fn when_lost(&self, tell: impl FnOnce(&str) + Send + 'static) {
        self.gpu.when_lost(tell);
    }

    /// Whether the adapter runs shaders on the processor (SwiftShader, lavapipe).
    pub fn is_software(&self) -> bool {
        self.gpu.software
    }

    /// How many kernels the device has been given and may not have finished. A write counts as one, a large one as
    /// more.
    pub fn ahead(&self) -> u64 {
        self.stream.borrow().pace.ahead()
    }

    /// Copies `bytes` from a buffer to the host, after everything queued, and reports faults.
    fn fetch<R>(&self, from: Option<(&wgpu::Buffer, u64, u64)>, take: impl FnOnce(&[u8]) -> R) -> Done<R> {
        self.gpu.check()?;
        let bytes = from.map_or(0, |(_, _, bytes)| bytes);
        let look = self.faults.dirty.replace(false);
        let staging = self.pool.staging(&self.gpu.device, bytes + FAULT_BYTES);
        {
            let mut stream = self.stream.borrow_mut();
            if let Some((buffer, offset, bytes)) = from {
                stream.copy(buffer, offset, &staging, 0, bytes);
            }
            // Even without data to copy, the host waits for this copy.
            if let Some(faults) = self.faults.buffer.raw().filter(|_| look || from.is_none()) {
                stream.copy(faults, 0, &staging, bytes, FAULT_BYTES);
            }
            stream.submit(&self.pool);
        }
        self.gpu.map(&staging, bytes + FAULT_BYTES)?;
        self.stream.borrow_mut().pace.caught_up();
        let result = {
            let view = staging
                .slice(..bytes + FAULT_BYTES)
                .get_mapped_range()
                .map_err(|e| Fault::Lost(format!("reading back failed: {e}")))?;
            let fault = if look { kernel_fault(&view[bytes as usize..]) } else { None };
            match fault {
                Some(fault) => Err(fault),
                None => Ok(take(&view[..bytes as usize])),
            }
        };
        staging.unmap();
        self.pool.recycle(staging);
        if let (Err(_), Some(faults)) = (&result, self.faults.buffer.raw()) {
            self.gpu.queue.write_buffer(faults, 0, &[0; FAULT_BYTES as usize]);
        }
        self.gpu.check()?;
        result
    }

    fn buffer<'a>(&self, buffer: &'a Buffer) -> Done<(&'a GpuBuffer, &'a wgpu::Buffer)> {
        let gpu: &GpuBuffer =
            buffer.downcast().ok_or_else(|| Fault::Unsupported("a buffer of another executor".into()))?;
        let raw = gpu.raw().ok_or_else(|| Fault::Lost("the buffer was freed".into()))?;
        Ok((gpu, raw))
    }
}

impl Compute for WebGpuExecutor {
    fn name(&self) -> &'static str {
        "webgpu"
    }

    fn hardware(&self) -> String {
        self.gpu.name.clone()
    }

    fn converts(&self, dtype: DType) -> bool {
        !matches!(dtype, DType::F64 | DType::C128)
    }

    fn is_async(&self) -> bool {
        true
    }

    /// A `bool` takes a word here, and so do the narrow integers and floats.
    fn stores_alike(&self, one: DType, other: DType) -> bool {
        let whole = |dtype| matches!(dtype, DType::F32 | DType::I32);
        one == other || whole(one) && whole(other)
    }

    fn allocate(&self, numel: usize, dtype: DType) -> Done<Buffer> {
        self.gpu.lost()?;
        if dtype.is_barebones() {
            return Err(Fault::Unsupported(format!("tensors of {dtype}")));
        }
        let buffer = self.storage(numel.saturating_mul(words::words_of(dtype)))?;
        Ok(Buffer::new(Rc::new(buffer), numel, dtype))
    }

    fn write(&self, buffer: &Buffer, offset: usize, bytes: &[u8]) -> Done {
        self.gpu.lost()?;
        if bytes.is_empty() {
            return Ok(());
        }
        let (gpu, raw) = self.buffer(buffer)?;
        {
            let mut stream = self.stream.borrow_mut();
            if stream.uses(gpu) {
                stream.submit(&self.pool);
            }
        }
        let at = (offset * words::words_of(buffer.dtype) * 4) as u64;
        if words::is_plain(buffer.dtype) {
            self.gpu.queue.write_buffer(raw, at, bytes);
        } else {
            self.gpu.queue.write_buffer(raw, at, bytemuck::cast_slice(&words::widen(buffer.dtype, bytes)));
        }
        self.stream.borrow_mut().wrote(bytes.len(), &self.pool);
        Ok(())
    }

    fn read(&self, buffer: &Buffer, offset: usize, out: &mut [u8]) -> Done {
        if out.is_empty() {
            return self.synchronize();
        }
        let (_, raw) = self.buffer(buffer)?;
        let word_bytes = words::words_of(buffer.dtype) * 4;
        let count = out.len() / buffer.dtype.size();
        let from = (raw, (offset * word_bytes) as u64, (count * word_bytes) as u64);
        self.fetch(Some(from), |bytes| words::narrow(buffer.dtype, bytes, out))
    }

    fn launch(&self, kernel: &Kernel<'_>) -> Done {
        self.gpu.lost()?;
        if let Some(dtype) = complex::dtype(kernel) {
            return Err(complex::refused(kernel, dtype));
        }
        kernels::lower(kernel, self)
    }

    fn synchronize(&self) -> Done {
        self.fetch(None, |_| ())
    }

    fn keep_pace(&self, stop: &dyn Fn() -> bool) -> Done {
        loop {
            let (mark, reached) = {
                let mut stream = self.stream.borrow_mut();
                match stream.pace.behind() {
                    Some(mark) => (mark, stream.pace.reached.clone()),
                    None => return Ok(()),
                }
            };
            if stop() {
                return Err(Fault::Interrupted);
            }
            // The callback may have let the event loop run, so the mark may have been reached.
            if !reached.is_past(&mark) {
                self.gpu.wait_for(&mark, &reached)?;
            }
            self.gpu.lost()?;
        }
    }
}

impl Queues for WebGpuExecutor {
    fn stamp(&self) -> Done<Option<Rc<dyn Stamp>>> {
        self.gpu.lost()?;
        let mut stream = self.stream.borrow_mut();
        Ok(Some(Rc::new(stamp::GpuStamp::new(&self.gpu, &self.clock, &mut stream, &self.pool))))
    }
}
impl HostMemory for WebGpuExecutor {}
impl Graphs for WebGpuExecutor {}
impl Linkable for WebGpuExecutor {}

impl Sink for WebGpuExecutor {
    fn dispatch(&self, launch: launch::Launch<'_>) -> Done {
        self.stream.borrow_mut().dispatch(launch, &self.pool)
    }

    fn storage(&self, words: usize) -> Done<GpuBuffer> {
        let bytes = words.saturating_mul(4);
        if bytes as u64 > self.gpu.largest {
            return Err(Fault::OutOfMemory { bytes });
        }
        Ok(self.pool.take(&self.gpu.device, bytes as u64))
    }

    fn fault_buffer(&self) -> &GpuBuffer {
        self.faults.dirty.set(true);
        &self.faults.buffer
    }

    fn is_software(&self) -> bool {
        self.gpu.software
    }
}

/// The fault in the fault buffer, if a kernel reported one.
fn kernel_fault(bytes: &[u8]) -> Option<Fault> {
    let word = |i: usize| {
        let b = bytes.get(i * 4..i * 4 + 4)?;
        Some(u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    };
    let index = i64::from(word(1)?) | i64::from(word(2)?) << 32;
    match word(0)? {
        1 => Some(Fault::IndexOutOfBounds { index, dim: word(3)? as usize, size: word(4)? as usize }),
        2 => Some(Fault::TargetOutOfBounds { target: index, classes: word(4)? as usize }),
        _ => None,
    }
}
