//! A real GPU, through the driver's own interface.
//!
//! Work goes to the selected stream among the non-blocking streams of the device's primary context (see [`super::streams`]).
//! A copy to the device has read its bytes when it returns: the driver stages pageable memory, and a copy from page-locked
//! memory is waited for. An error that the driver reports late is returned by the next call, as in CUDA, with CUDA's message.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ffi::{CStr, CString, c_void};
use std::rc::Rc;

use cudarc::driver::{DriverError, result, sys};

use super::blocks::Segments;
use super::captured::{self, Captured, Node, Ready};
use super::compiler::Compiler;
use super::device::{Device, Function, fault_of};
use super::kernels::Product;
use super::library::{NO_CUBLAS, NO_DRIVER, NO_GPU};
use super::product::{Products, Workspace};
use super::source::Family;
use super::streams::{Context, Streams, is_locked};
use crate::executor::{Done, Fault, Mark, Precision, Queue};

/// The driver's description of one GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    pub ordinal: usize,
    pub name: String,
    /// The size of its memory in bytes.
    pub memory: u64,
    pub multiprocessors: u32,
    /// Compute capability, major and minor.
    pub capability: (i32, i32),
}

/// The GPUs of this machine.
///
/// # Errors
/// A plain sentence: there is no driver, it doesn't work, or it finds no GPU.
pub fn cards() -> Result<Vec<Card>, String> {
    start()?;
    let count = result::device::get_count().map_err(say)?;
    if count <= 0 {
        return Err(NO_GPU.into());
    }
    (0..count as usize).map(card).collect()
}

/// Loads and starts the driver.
fn start() -> Result<(), String> {
    // SAFETY: only checks whether the library can be loaded. Without this check, a missing library would cause a panic.
    if !unsafe { sys::is_culib_present() } {
        return Err(NO_DRIVER.into());
    }
    result::init().map_err(|error| match error.0 {
        sys::CUresult::CUDA_ERROR_NO_DEVICE => NO_GPU.into(),
        // Toolkits contain this library in place of a driver, only to link against.
        sys::CUresult::CUDA_ERROR_STUB_LIBRARY => NO_DRIVER.into(),
        _ => format!("the NVIDIA driver does not start: {}", say(error)),
    })
}

fn card(ordinal: usize) -> Result<Card, String> {
    let device = result::device::get(ordinal as i32).map_err(say)?;
    let attribute = |which| {
        // SAFETY: a device that the driver gave.
        unsafe { result::device::get_attribute(device, which) }.map_err(say)
    };
    use sys::CUdevice_attribute as A;
    Ok(Card {
        ordinal,
        name: result::device::get_name(device).map_err(say)?.trim_end_matches('\0').to_string(),
        // SAFETY: as above.
        memory: unsafe { result::device::total_mem(device) }.map_err(say)? as u64,
        multiprocessors: attribute(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u32,
        capability: (
            attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
    })
}

/// The driver's message for an error.
fn say(error: DriverError) -> String {
    match error.error_string() {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => format!("{:?}", error.0),
    }
}

/// The fault for an error. An error that ends a context ends the device for the program, as in PyTorch.
pub(super) fn fault(error: DriverError) -> Fault {
    match error.0 {
        sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Fault::OutOfMemory { bytes: 0 },
        _ => Fault::Lost(format!(
            "CUDA error: {}\nSearch for `{}' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more \
             information.\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below \
             might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\n",
            say(error),
            runtime_name(error.0)
        )),
    }
}

/// The driver's error for a call that it refused. It works as before afterwards.
pub(super) fn refusal(error: DriverError) -> Fault {
    match fault(error) {
        Fault::Lost(text) => Fault::Refused(text),
        other => other,
    }
}

/// The name that CUDA's runtime, which PyTorch uses, has for the driver's error.
fn runtime_name(error: sys::CUresult) -> &'static str {
    use sys::CUresult as E;
    match error {
        E::CUDA_ERROR_ILLEGAL_ADDRESS => "cudaErrorIllegalAddress",
        E::CUDA_ERROR_LAUNCH_FAILED => "cudaErrorLaunchFailure",
        E::CUDA_ERROR_LAUNCH_TIMEOUT => "cudaErrorLaunchTimeout",
        E::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES => "cudaErrorLaunchOutOfResources",
        E::CUDA_ERROR_MISALIGNED_ADDRESS => "cudaErrorMisalignedAddress",
        E::CUDA_ERROR_ILLEGAL_INSTRUCTION => "cudaErrorIllegalInstruction",
        E::CUDA_ERROR_INVALID_PC => "cudaErrorInvalidPc",
        E::CUDA_ERROR_ASSERT => "cudaErrorAssert",
        E::CUDA_ERROR_ECC_UNCORRECTABLE => "cudaErrorECCUncorrectable",
        E::CUDA_ERROR_INVALID_VALUE => "cudaErrorInvalidValue",
        E::CUDA_ERROR_OPERATING_SYSTEM => "cudaErrorOperatingSystem",
        E::CUDA_ERROR_INVALID_HANDLE => "cudaErrorInvalidResourceHandle",
        E::CUDA_ERROR_NOT_READY => "cudaErrorNotReady",
        E::CUDA_ERROR_NO_BINARY_FOR_GPU => "cudaErrorNoKernelImageForDevice",
        E::CUDA_ERROR_NOT_SUPPORTED => "cudaErrorNotSupported",
        _ => "cudaErrorUnknown",
    }
}

/// Size of the `Fault` of `shaders/prelude.cu` in bytes. The lock is separate.
const FAULT_BYTES: usize = 32;

pub struct Gpu {
    card: Card,
    device: sys::CUdevice,
    context: Rc<Context>,
    /// By queue.
    streams: RefCell<Vec<sys::CUstream>>,
    /// The streams that other libraries made.
    foreign: RefCell<HashSet<usize>>,
    /// The stream of the selected queue.
    stream: Cell<sys::CUstream>,
    /// Contexts of other devices whose memory this device was told to access.
    peers: RefCell<HashSet<usize>>,
    compiler: Compiler,
    architecture: String,
    functions: RefCell<HashMap<String, Function>>,
    products: Option<Products>,
    /// Host memory that the device writes: kernels leave faults there.
    fault: *mut [u64; 4],
    fault_address: u64,
    /// Device memory: decides which kernel reports first.
    lock: u64,
    /// Whether nothing has waited since the last launch.
    busy: Cell<bool>,
}

impl Gpu {
    /// # Errors
    /// A plain sentence: what is missing and what to install.
    pub fn new(ordinal: usize) -> Result<Gpu, String> {
        start()?;
        let card = card(ordinal)?;
        let compiler = Compiler::load()?;
        let architecture = compiler.architecture(card.capability);
        let device = result::device::get(ordinal as i32).map_err(say)?;
        // SAFETY (all): the context is retained until `drop`, and what is made belongs to it.
        unsafe {
            let context = result::primary_ctx::retain(device).map_err(say)?;
            result::ctx::set_current(context).map_err(say)?;
            let context = Context::new(context);
            let stream = result::stream::create(result::stream::StreamKind::NonBlocking).map_err(say)?;
            let host = result::malloc_host(FAULT_BYTES, sys::CU_MEMHOSTALLOC_DEVICEMAP).map_err(say)?;
            std::ptr::write_bytes(host.cast::<u8>(), 0, FAULT_BYTES);
            let mut fault_address = 0;
            sys::cuMemHostGetDevicePointer_v2(&mut fault_address, host, 0).result().map_err(say)?;
            let lock = result::malloc_sync(256).map_err(say)?;
            result::memset_d8_async(lock, 0, 256, stream).map_err(say)?;
            // Every stream may use it.
            result::stream::synchronize(stream).map_err(say)?;
            let products = Products::find();
            Ok(Gpu {
                card,
                device,
                context,
                streams: RefCell::new(vec![stream]),
                foreign: RefCell::default(),
                stream: Cell::new(stream),
                peers: RefCell::default(),
                compiler,
                architecture,
                functions: RefCell::default(),
                products,
                fault: host.cast(),
                fault_address,
                lock,
                busy: Cell::new(false),
            })
        }
    }

    fn enter(&self) -> Done {
        self.context.enter()
    }

    fn done<T>(&self, result: Result<T, DriverError>) -> Done<T> {
        self.context.done(result)
    }

    pub(super) fn context(&self) -> &Rc<Context> {
        &self.context
    }

    /// The stream of a queue.
    pub(super) fn stream(&self, queue: Queue) -> sys::CUstream {
        let streams = self.streams.borrow();
        streams.get(queue.0 as usize).copied().unwrap_or(streams[0])
    }

    /// The stream of the selected queue, which is about to get work.
    pub(super) fn selected(&self) -> sys::CUstream {
        self.busy.set(true);
        self.stream.get()
    }

    pub(super) fn select_stream(&self, stream: sys::CUstream) {
        self.stream.set(stream);
    }

    /// Adds a stream that lives as long as the device, as a new queue.
    pub(super) fn add_stream(&self, stream: sys::CUstream) -> Queue {
        let mut streams = self.streams.borrow_mut();
        streams.push(stream);
        Queue(streams.len() as u32 - 1)
    }

    /// Adds a stream that another library made, as a new queue.
    pub(super) fn add_foreign(&self, stream: sys::CUstream) -> Queue {
        self.foreign.borrow_mut().insert(stream as usize);
        self.add_stream(stream)
    }

    /// Lets this device access another one's memory, so that copies go directly between them. If it can't, the driver copies
    /// through the host. The context is current.
    pub(super) fn reach(&self, other: sys::CUcontext) {
        if !self.peers.borrow_mut().insert(other as usize) {
            return;
        }
        let (mut there, mut can) = (0, 0);
        // SAFETY (all): each writes one number; the context is alive. If they refuse, copies are slower, not wrong.
        unsafe {
            let _ = result::ctx::set_current(other);
            let known = sys::cuCtxGetDevice(&mut there).result();
            let _ = result::ctx::set_current(self.context.handle());
            if known.is_ok() && sys::cuDeviceCanAccessPeer(&mut can, self.device, there).result().is_ok() && can != 0 {
                let _ = sys::cuCtxEnablePeerAccess(other, 0).result();
            }
        }
    }
}

impl Segments for Gpu {
    fn take(&self, bytes: u64) -> Done<Option<u64>> {
        self.enter()?;
        // SAFETY: given back by `give_back`.
        match unsafe { result::malloc_sync(bytes as usize) } {
            Ok(address) => Ok(Some(address)),
            Err(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => Ok(None),
            Err(error) => self.done(Err(error)),
        }
    }

    fn mark(&self, queue: Queue, timed: bool) -> Done<Option<Rc<dyn Mark>>> {
        self.record(queue, timed).map(Some)
    }

    fn give_back(&self, address: u64, _: u64) {
        self.context.make_current();
        // SAFETY: from `take`, once. Freeing waits for the work that uses it. The next call reports an error, if there is
        // one.
        let _ = unsafe { result::free_sync(address) };
    }
}

impl Device for Gpu {
    fn name(&self) -> String {
        self.card.name.clone()
    }

    fn capacity(&self) -> u64 {
        self.card.memory
    }

    fn multiprocessors(&self) -> usize {
        self.card.multiprocessors as usize
    }

    fn capability(&self) -> (i32, i32) {
        self.card.capability
    }

    fn function(&self, family: &Family, name: &str) -> Done<Function> {
        self.enter()?;
        if let Some(function) = self.functions.borrow().get(name) {
            return Ok(*function);
        }
        let made = self.compiler.cached(family, name, &self.architecture).map_err(Fault::Unsupported)?;
        let entry = made.names.first().and_then(|n| CString::new(n.as_str()).ok());
        let entry = entry.ok_or_else(|| Fault::Unsupported(format!("a kernel called {name}")))?;
        // PTX is text, and the driver needs a zero byte at its end. Machine code isn't affected by it.
        let mut image = made.image;
        image.push(0);
        // SAFETY: an image from NVRTC; the module stays loaded until the context is destroyed.
        let function = unsafe {
            let module = self.done(result::module::load_data(image.as_ptr().cast()))?;
            self.done(result::module::get_function(module, entry))?
        };
        let function = Function(function as u64);
        self.functions.borrow_mut().insert(name.into(), function);
        Ok(function)
    }

    fn launch(&self, function: Function, grid: [u32; 3], block: u32, words: &mut [u64], starts: &[u16]) -> Done {
        self.enter()?;
        let mut arguments: smallvec::SmallVec<[*mut c_void; 24]> =
            starts.iter().map(|&s| (&raw mut words[s as usize]).cast()).collect();
        // SAFETY: the arguments have the kernel's types (its template and its lowering are tested together), and are copied
        // before this returns; the memory they name stays allocated for what is queued.
        let launched = unsafe {
            result::launch_kernel(
                function.0 as sys::CUfunction,
                (grid[0], grid[1], grid[2]),
                (block, 1, 1),
                0,
                self.selected(),
                &mut arguments,
            )
        };
        self.done(launched)
    }

    fn upload(&self, address: u64, bytes: &[u8]) -> Done {
        self.enter()?;
        // SAFETY: the caller checked the region. The driver copies pageable memory to its own buffer before it returns, so
        // the bytes may be freed.
        self.done(unsafe { result::memcpy_htod_async(address, bytes, self.selected()) })?;
        if is_locked(bytes.as_ptr()) { self.synchronize_queue() } else { Ok(()) }
    }

    fn download(&self, address: u64, out: &mut [u8]) -> Done {
        self.enter()?;
        // SAFETY: the caller checked the region, and `out` lives until the stream is done.
        let queued = unsafe { result::memcpy_dtoh_async(out, address, self.selected()) };
        // Waits even if the copy wasn't queued: nothing may write to `out` afterwards.
        let waited = self.synchronize_queue();
        self.done(queued)?;
        waited
    }

    fn zero(&self, address: u64, bytes: u64) -> Done {
        self.enter()?;
        // SAFETY: the caller's memory.
        self.done(unsafe { result::memset_d8_async(address, 0, bytes as usize, self.selected()) })
    }

    fn synchronize(&self) -> Done {
        self.enter()?;
        self.busy.set(false);
        if !self.foreign.borrow().is_empty() {
            // Other libraries may have destroyed their stream, so this waits for everything without naming the stream.
            return self.done(result::ctx::synchronize());
        }
        for &stream in &*self.streams.borrow() {
            // SAFETY: our stream.
            self.done(unsafe { result::stream::synchronize(stream) })?;
        }
        Ok(())
    }

    fn enter(&self) -> Done {
        Gpu::enter(self)
    }

    fn stream(&self, queue: Queue) -> *mut c_void {
        self.busy.set(true);
        Gpu::stream(self, queue).cast()
    }

    fn faults(&self) -> [u64; 2] {
        [self.fault_address, self.lock]
    }

    fn take_fault(&self) -> Option<Fault> {
        // SAFETY (both): the host's side of the memory. A kernel on another stream may write there, and it writes its kind
        // last.
        let what = unsafe { std::ptr::read_volatile(self.fault.cast::<u64>()) };
        if what == 0 {
            return None;
        }
        let words = unsafe { std::ptr::read_volatile(self.fault) };
        let found = fault_of(words)?;
        // SAFETY: as above; the lock is released in the stream's order.
        unsafe {
            std::ptr::write_volatile(self.fault, [0; 4]);
            let _ = result::memset_d8_async(self.lock, 0, 4, self.selected());
        }
        Some(found)
    }

    fn has_products(&self) -> bool {
        self.products.is_some()
    }

    fn adds_bias(&self, product: &Product, precision: Precision, bytes: usize) -> Done<bool> {
        self.enter()?;
        let products = self.products.as_ref().ok_or_else(|| Fault::Unsupported(NO_CUBLAS.into()))?;
        products.adds_bias(product, precision, bytes).map_err(Fault::Lost)
    }

    fn product(&self, product: &Product, precision: Precision, lent: Workspace) -> Done {
        self.enter()?;
        let stream = self.selected() as *mut c_void;
        let products = self.products.as_ref().ok_or_else(|| Fault::Unsupported(NO_CUBLAS.into()))?;
        products.run(stream, product, precision, lent).map_err(Fault::Lost)
    }

    fn capture(&self, nodes: &mut [Node]) -> Done<Option<Captured>> {
        self.context.enter()?;
        // Changing a kernel's arguments in a graph needs CUDA 12. With an older driver, kernels are launched one by
        // one.
        let mut version = 0;
        // SAFETY: writes one number.
        self.context.done(unsafe { sys::cuDriverGetVersion(&mut version) }.result())?;
        if version < 12000 {
            return Ok(None);
        }
        // SAFETY: our stream, and our context is current.
        unsafe { captured::capture(self.selected(), nodes.len(), |at| nodes[at].launch(self), fault) }.map(Some)
    }

    fn update(&self, graph: &Captured, index: usize, launch: &mut Ready) -> Done {
        self.context.enter()?;
        // SAFETY: the arguments are those of this node's own kernel.
        self.context.done(unsafe { graph.update(index, launch) })
    }

    fn launch_captured(&self, graph: &Captured) -> Done {
        self.context.enter()?;
        self.busy.set(true);
        // SAFETY: our stream; the owner of the graph keeps the memory.
        self.context.done(unsafe { graph.launch(self.selected()) })
    }

    fn dump(&self, graph: &Captured, path: &CStr, verbose: bool) -> Done {
        self.context.enter()?;
        // SAFETY: our context is current.
        unsafe { graph.dump(path, verbose) }.map_err(refusal)
    }

    fn forget(&self, graph: Captured) {
        self.context.make_current();
        // SAFETY: made by `capture`.
        unsafe { graph.destroy() }
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        self.context.make_current();
        // SAFETY (all): each was made by `new` and is given back once, after everything queued.
        unsafe {
            let foreign = self.foreign.take();
            if self.busy.get() && !foreign.is_empty() {
                let _ = result::ctx::synchronize();
            }
            let mut streams = self.streams.take();
            streams.retain(|&stream| !foreign.contains(&(stream as usize)));
            if self.busy.get() {
                streams.iter().for_each(|&stream| _ = result::stream::synchronize(stream));
            }
            self.products = None;
            let _ = result::free_sync(self.lock);
            let _ = result::free_host(self.fault.cast());
            streams.iter().for_each(|&stream| _ = result::stream::destroy(stream));
            self.context.end();
            let _ = result::primary_ctx::release(self.device);
        }
    }
}
