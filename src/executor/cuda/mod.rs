//! Kernels in CUDA C++ on NVIDIA GPUs.
//!
//! Reading order: [`source`] and [`launch`] (from a shader file to one launch), `kernels` (each [`Kernel`] as launches),
//! [`memory`] (segments and blocks), [`device`] (what a device does for the executor), then the real one: [`library`]
//! (finding driver, compiler and BLAS at run time), [`compiler`] (NVRTC and its cache on disk), [`driver`].
//!
//! Nothing here links against CUDA: a machine without it builds and starts this, and is told what is missing.

pub mod compiler;
pub mod device;
pub mod driver;
#[cfg(test)]
mod emulator;
mod kernels;
mod launch;
pub mod library;
pub mod management;
mod memory;
mod product;
mod source;
#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use self::device::{Device, Function};
use self::kernels::{Product, Sink};
use self::launch::Launch;
use self::memory::{CudaBuffer, Pool};
use self::product::Workspace;
use crate::dtype::DType;
use crate::executor::{Buffer, Done, Executor, Fault, Kernel, Precision, complex, workspace_bytes};

/// Tables of pointers kept on the device before they are forgotten.
const TABLES: usize = 64;

/// The CUDA executor of one device.
pub struct CudaExecutor {
    device: Rc<dyn Device>,
    pool: Rc<Pool>,
    functions: RefCell<HashMap<String, Function>>,
    /// Optimizer steps pass the same pointers every time.
    tables: RefCell<HashMap<Vec<u64>, CudaBuffer>>,
    /// A kernel that may leave a fault ran since the last look.
    dirty: Cell<bool>,
    /// How exactly products and convolutions have to be computed.
    precision: Cell<Precision>,
}

impl CudaExecutor {
    /// The executor of the GPU with this number.
    ///
    /// # Errors
    /// A plain sentence: what is missing and what to install.
    pub fn new(ordinal: usize) -> Result<CudaExecutor, String> {
        Ok(CudaExecutor::on(Rc::new(driver::Gpu::new(ordinal)?)))
    }

    fn on(device: Rc<dyn Device>) -> CudaExecutor {
        CudaExecutor {
            pool: Pool::new(device.clone(), device.capacity()),
            functions: RefCell::default(),
            tables: RefCell::default(),
            dirty: Cell::new(false),
            precision: Cell::default(),
            device,
        }
    }

    /// Looks for what kernels reported; only after waiting.
    fn check(&self) -> Done {
        if !self.dirty.replace(false) {
            return Ok(());
        }
        self.device.take_fault().map_or(Ok(()), Err)
    }

    fn region(&self, buffer: &Buffer, offset: usize, bytes: usize) -> Done<u64> {
        let memory: &CudaBuffer =
            buffer.downcast().ok_or_else(|| Fault::Unsupported("a buffer of another executor".into()))?;
        let start = offset.checked_mul(buffer.dtype.size());
        match start.and_then(|start| start.checked_add(bytes)) {
            Some(end) if end <= buffer.numel * buffer.dtype.size() => Ok(memory.address() + (end - bytes) as u64),
            _ => Err(Fault::Unsupported("a copy outside its buffer".into())),
        }
    }

    fn function(&self, launch: &Launch) -> Done<Function> {
        if let Some(function) = self.functions.borrow().get(&launch.name) {
            return Ok(*function);
        }
        let function = self.device.function(launch.family, &launch.name)?;
        self.functions.borrow_mut().insert(launch.name.clone(), function);
        Ok(function)
    }
}

impl Executor for CudaExecutor {
    fn name(&self) -> &'static str {
        "cuda"
    }

    fn hardware(&self) -> String {
        self.device.name()
    }

    fn is_async(&self) -> bool {
        true
    }

    fn capability(&self) -> (i32, i32) {
        self.device.capability()
    }

    fn set_precision(&self, precision: Precision) {
        self.precision.set(precision);
    }

    fn allocate(&self, numel: usize, dtype: DType) -> Done<Buffer> {
        if dtype.is_barebones() {
            return Err(Fault::Unsupported(format!("tensors of {dtype}")));
        }
        let bytes = numel.checked_mul(dtype.size()).ok_or(Fault::OutOfMemory { bytes: usize::MAX })?;
        Ok(Buffer::new(Rc::new(self.pool.allocate(bytes as u64)?), numel, dtype))
    }

    fn write(&self, buffer: &Buffer, offset: usize, bytes: &[u8]) -> Done {
        if bytes.is_empty() {
            return Ok(());
        }
        self.device.upload(self.region(buffer, offset, bytes.len())?, bytes)
    }

    fn read(&self, buffer: &Buffer, offset: usize, out: &mut [u8]) -> Done {
        if out.is_empty() {
            return self.synchronize();
        }
        self.device.download(self.region(buffer, offset, out.len())?, out)?;
        self.check()
    }

    fn launch(&self, kernel: &Kernel<'_>) -> Done {
        if let Some(dtype) = complex::dtype(kernel) {
            return Err(complex::refused(kernel, dtype));
        }
        kernels::lower(kernel, self)
    }

    fn synchronize(&self) -> Done {
        self.device.synchronize()?;
        self.check()
    }

    fn release_cache(&self) {
        // Freed tables are memory too.
        self.tables.borrow_mut().clear();
        self.pool.release();
    }
}

impl Sink for CudaExecutor {
    fn dispatch(&self, mut launch: Launch) -> Done {
        let function = self.function(&launch)?;
        let (grid, block) = (launch.grid, launch.block);
        let (words, starts) = launch.arguments()?;
        self.device.launch(function, grid, block, words, starts)
    }

    fn scratch(&self, bytes: usize) -> Done<CudaBuffer> {
        self.pool.allocate(bytes as u64)
    }

    fn zero(&self, address: u64, bytes: usize) -> Done {
        self.device.zero(address, bytes as u64)
    }

    fn table(&self, words: &[u64]) -> Done<u64> {
        if let Some(memory) = self.tables.borrow().get(words) {
            return Ok(memory.address());
        }
        let memory = self.pool.allocate((words.len() * 8) as u64)?;
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        self.device.upload(memory.address(), &bytes)?;
        let address = memory.address();
        let mut tables = self.tables.borrow_mut();
        if tables.len() >= TABLES {
            // Launches that still read them were queued before whatever the memory is used for next.
            tables.clear();
        }
        tables.insert(words.to_vec(), memory);
        Ok(address)
    }

    fn faults(&self) -> [u64; 2] {
        self.dirty.set(true);
        self.device.faults()
    }

    fn has_products(&self) -> bool {
        self.device.has_products()
    }

    fn product(&self, product: &Product) -> Done<bool> {
        // Lent for the call, as PyTorch lends it: what is queued later may have the memory again.
        let bytes = workspace_bytes(self.device.capability());
        let memory = self.pool.allocate(bytes as u64)?;
        self.device.product(product, self.precision.get(), Workspace { address: memory.address(), bytes })
    }

    fn precision(&self) -> Precision {
        self.precision.get()
    }

    fn capability(&self) -> (i32, i32) {
        self.device.capability()
    }

    fn multiprocessors(&self) -> usize {
        self.device.multiprocessors()
    }
}
