//! Kernels in CUDA C++ on NVIDIA GPUs.
//!
//! Reading order: [`source`] and [`launch`] (from a shader file to one launch), `kernels` (each [`Kernel`] as launches),
//! [`blocks`] (segments and blocks), [`device`] (what a device does for the executor), `captured` and `steps` (CUDA graphs:
//! those that the program captures, and those made from a step that repeats), then the real device: [`library`] (finding
//! driver, compiler, BLAS and NCCL at run time), [`compiler`] (NVRTC and its cache on disk), [`driver`] with [`streams`]
//! (queues, events, copies that don't wait), `product` (matrix products by cuBLAS and cuBLASLt), [`host`] (page-locked
//! memory), `nccl` (links to other processes), [`management`] (what `nvidia-smi` shows). `emulator` stands in for a GPU in tests.
//!
//! Nothing here links against CUDA: this builds and starts on a machine without it, and then reports what is missing.

mod blocks;
mod captured;
pub mod compiler;
pub mod device;
pub mod driver;
#[cfg(test)]
mod emulator;
mod host;
mod kernels;
mod launch;
pub mod library;
pub mod management;
mod nccl;
mod product;
mod source;
mod steps;
mod streams;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use self::blocks::{CudaBuffer, Pool};
use self::captured::{Building, Graph, Held, Node, Ready};
use self::device::{Device, Function};
use self::host::{HostBlock, HostPool};
use self::kernels::{Product, Sink};
use self::launch::Launch;
use self::nccl::Nccl;
use self::product::Workspace;
use crate::dtype::DType;
use crate::executor::links::Links;
use crate::executor::recording::{Draws, GraphPool, Recording};
use crate::executor::{
    Buffer, Compute, Done, Executor, Fault, Graphs, HostMemory, Kernel, Linkable, Mark, Pinned, Precision, Queue,
    Queues, complex, workspace_bytes,
};
use crate::memory::PoolId;

/// How many tables of pointers a queue keeps on the device. Before it would keep one more, it drops all of them.
const TABLES: usize = 64;

/// The pool that only tables are allocated from. In the general pool, a table could take the block that a gradient had in the
/// step before. The gradient would move to another address, and that would need another table.
const TABLE_POOL: PoolId = PoolId(u32::MAX);

/// The CUDA executor of one device.
pub struct CudaExecutor {
    device: Rc<dyn Device>,
    pool: Rc<Pool>,
    host: Rc<HostPool>,
    /// The compiled kernels by their names.
    functions: RefCell<HashMap<String, Function>>,
    /// Tables of pointers that are on the device, by their content: optimizer steps pass the same pointers every time. Each queue
    /// has its own, because a kernel on another queue could run before the upload.
    tables: RefCell<HashMap<Queue, HashMap<Vec<u64>, CudaBuffer>>>,
    /// Queues on which a kernel that may report a fault has run since they were last waited for.
    dirty: RefCell<HashSet<Queue>>,
    precision: Cell<Precision>,
    /// While this is set, work is recorded in this graph instead of being queued on the device.
    building: RefCell<Option<Building>>,
    /// The links to other processes, once they are needed; or the reason why there are none.
    nccl: OnceCell<Result<Rc<Nccl>, String>>,
}

impl CudaExecutor {
    /// The executor of the GPU with this number.
    ///
    /// # Errors
    /// What is missing on this machine and what to install, as a sentence.
    pub fn new(ordinal: usize) -> Result<CudaExecutor, String> {
        Ok(CudaExecutor::on(Rc::new(driver::Gpu::new(ordinal)?)))
    }

    /// Like [`CudaExecutor::new`], but launches that repeat become graphs automatically.
    ///
    /// # Errors
    /// Those of [`CudaExecutor::new`].
    pub fn capturing_steps(ordinal: usize) -> Result<CudaExecutor, String> {
        let gpu: Rc<dyn Device> = Rc::new(driver::Gpu::new(ordinal)?);
        Ok(CudaExecutor::on(Rc::new(steps::Stepping::new(gpu))))
    }

    fn on(device: Rc<dyn Device>) -> CudaExecutor {
        let pool = Pool::new(device.clone(), device.capacity());
        pool.retain(TABLE_POOL);
        CudaExecutor {
            pool,
            host: HostPool::new(device.clone()),
            functions: RefCell::default(),
            tables: RefCell::default(),
            dirty: RefCell::default(),
            precision: Cell::default(),
            building: RefCell::default(),
            nccl: OnceCell::new(),
            device,
        }
    }

    /// Call this after waiting for the selected queue. It returns the fault that kernels reported, if there is one.
    fn waited(&self) -> Done {
        let found = self.check();
        self.dirty.borrow_mut().remove(&self.pool.selected());
        found
    }

    fn nccl(&self) -> Result<&Rc<Nccl>, String> {
        self.nccl.get_or_init(|| Nccl::load().map(Rc::new)).as_ref().map_err(String::clone)
    }

    /// The address of element `offset` of a buffer, from which `bytes` bytes are copied.
    fn region(&self, buffer: &Buffer, offset: usize, bytes: usize) -> Done<u64> {
        let memory: &CudaBuffer = buffer
            .downcast()
            .ok_or_else(|| Fault::Unsupported("a copy from or to a buffer of another executor".into()))?;
        let start = offset.checked_mul(buffer.dtype.size());
        match start.and_then(|start| start.checked_add(bytes)) {
            Some(end) if end <= buffer.numel * buffer.dtype.size() => Ok(memory.address() + (end - bytes) as u64),
            _ => Err(Fault::Unsupported(format!(
                "a copy of {bytes} bytes at element {offset} of a buffer of {} elements of {}",
                buffer.numel, buffer.dtype
            ))),
        }
    }

    /// Adds a node to the graph that is being recorded. Returns false if there is none.
    fn build(&self, node: impl FnOnce() -> Node) -> bool {
        let building = &mut *self.building.borrow_mut();
        building.as_mut().map(|b| b.nodes.push(node())).is_some()
    }

    /// The pool for scratch memory: that of the graph that is being recorded, which keeps it for replays.
    fn scratch_pool(&self) -> PoolId {
        self.building.borrow().as_ref().map_or(PoolId::GENERAL, |b| b.pool.id)
    }

    /// The block behind page-locked memory, if it belongs to CUDA and contains the `bytes` bytes from `at` on.
    fn locked<'a>(&self, memory: &'a Pinned, at: usize, bytes: usize) -> Done<Option<&'a HostBlock>> {
        if at.checked_add(bytes).is_none_or(|end| end > memory.len()) {
            return Err(Fault::Unsupported(format!(
                "a copy of {bytes} bytes at byte {at} of {} bytes of page-locked memory",
                memory.len()
            )));
        }
        Ok(memory.owner())
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

impl Compute for CudaExecutor {
    fn name(&self) -> &'static str {
        "cuda"
    }

    fn hardware(&self) -> String {
        self.device.name()
    }

    fn is_card(&self) -> bool {
        true
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
        self.allocate_in(numel, dtype, GraphPool(PoolId::GENERAL.0))
    }

    fn write(&self, buffer: &Buffer, offset: usize, bytes: &[u8]) -> Done {
        if bytes.is_empty() {
            return Ok(());
        }
        self.device.upload(self.region(buffer, offset, bytes.len())?, bytes)
    }

    fn read(&self, buffer: &Buffer, offset: usize, out: &mut [u8]) -> Done {
        if out.is_empty() {
            return self.synchronize_queue();
        }
        self.device.download(self.region(buffer, offset, out.len())?, out)?;
        self.waited()
    }

    fn launch(&self, kernel: &Kernel<'_>) -> Done {
        if let Some(dtype) = complex::dtype(kernel) {
            return Err(complex::refused(kernel, dtype));
        }
        kernels::lower(kernel, self)
    }

    fn synchronize(&self) -> Done {
        self.device.synchronize()?;
        let found = self.check();
        self.dirty.borrow_mut().clear();
        found
    }

    fn check(&self) -> Done {
        if self.dirty.borrow().is_empty() {
            return Ok(());
        }
        self.device.take_fault().map_or(Ok(()), Err)
    }

    fn release_cache(&self) {
        // Without the tables, the segments of their pool are unused as well.
        self.tables.borrow_mut().clear();
        self.pool.release_private(TABLE_POOL);
        self.pool.release();
        self.pool.retain(TABLE_POOL);
    }
}

impl Queues for CudaExecutor {
    fn queue(&self, priority: i32) -> Done<Queue> {
        self.device.queue(priority)
    }

    fn foreign_queue(&self, handle: u64) -> Done<Queue> {
        self.device.foreign_queue(handle)
    }

    fn handle(&self, queue: Queue) -> Option<u64> {
        Some(self.device.stream(queue) as u64)
    }

    fn select(&self, queue: Queue) {
        if self.pool.selected() != queue {
            self.pool.select(queue);
            self.device.select(queue);
        }
    }

    fn synchronize_queue(&self) -> Done {
        self.device.synchronize_queue()?;
        self.waited()
    }

    fn is_idle(&self) -> Done<bool> {
        self.device.is_idle()
    }

    fn mark(&self, timed: bool) -> Done<Option<Rc<dyn Mark>>> {
        self.device.mark(self.pool.selected(), timed)
    }

    fn wait_for(&self, mark: &dyn Mark) -> Done {
        self.device.wait_for(mark)
    }

    fn share(&self, buffer: &Buffer) {
        if let Some(memory) = buffer.downcast::<CudaBuffer>() {
            memory.share(self.pool.selected());
        }
    }

    fn send(
        &self,
        (queue, from, offset): (Queue, &Buffer, usize),
        other: &dyn Executor,
        (target, to, at): (Queue, &Buffer, usize),
        bytes: usize,
    ) -> Done<bool> {
        let Some(other) = (other as &dyn Any).downcast_ref::<CudaExecutor>() else { return Ok(false) };
        let (from, to) = (self.region(from, offset, bytes)?, other.region(to, at, bytes)?);
        // The copy must not overwrite what the target's queue still uses, and later work on that queue must not run before the
        // copy has arrived.
        let Some(ready) = other.device.mark(target, false)? else { return Ok(false) };
        self.select(queue);
        self.device.wait_for(&*ready)?;
        let sent = self.device.send(from, &*other.device, to, bytes)?;
        if let Some(done) = self.device.mark(queue, false)? {
            other.select(target);
            other.device.wait_for(&*done)?;
        }
        Ok(sent)
    }
}

impl HostMemory for CudaExecutor {
    fn pin(&self, bytes: usize) -> Done<Option<Pinned>> {
        self.host.allocate(bytes)
    }

    fn write_later(&self, buffer: &Buffer, offset: usize, from: &Pinned, at: usize, bytes: usize) -> Done<bool> {
        let Some(block) = self.locked(from, at, bytes)? else { return Ok(false) };
        let address = self.region(buffer, offset, bytes)?;
        // SAFETY: the region is in the block, which its pool keeps until the queue is done with it.
        unsafe { self.device.upload_later(address, from.as_ptr().add(at), bytes)? };
        block.used_by(&self.device, self.pool.selected());
        Ok(true)
    }

    fn read_later(&self, buffer: &Buffer, offset: usize, to: &Pinned, at: usize, bytes: usize) -> Done<bool> {
        let Some(block) = self.locked(to, at, bytes)? else { return Ok(false) };
        let address = self.region(buffer, offset, bytes)?;
        // SAFETY: the region is in the block, which its pool keeps until the queue is done with it.
        unsafe { self.device.download_later(address, to.as_ptr().add(at), bytes)? };
        block.used_by(&self.device, self.pool.selected());
        Ok(true)
    }
}

impl Graphs for CudaExecutor {
    fn allocate_in(&self, numel: usize, dtype: DType, pool: GraphPool) -> Done<Buffer> {
        if dtype.is_barebones() {
            return Err(Fault::Unsupported(format!("tensors of {dtype}")));
        }
        let bytes = numel.checked_mul(dtype.size()).ok_or(Fault::OutOfMemory { bytes: usize::MAX })?;
        Ok(Buffer::new(Rc::new(self.pool.allocate_in(bytes as u64, PoolId(pool.0))?), numel, dtype))
    }

    fn begin_graph(&self, pool: GraphPool) -> Done<Recording> {
        let pool = Held::new(self.pool.clone(), PoolId(pool.0));
        Ok(Recording::new(Some(Building { nodes: Vec::new(), tables: Vec::new(), pool })))
    }

    fn record(&self, graph: &mut Recording, kernel: &Kernel<'_>) -> Done {
        let building = graph.own_mut::<Option<Building>>()?;
        *self.building.borrow_mut() = building.take();
        let recorded = self.launch(kernel);
        *building = self.building.borrow_mut().take();
        recorded
    }

    fn end_graph(&self, mut graph: Recording) -> Done<Recording> {
        let building = graph.own_mut::<Option<Building>>()?.take();
        let building = building.ok_or_else(|| Fault::Unsupported("ending a graph twice".into()))?;
        if !building.tables.is_empty() {
            // The graph may be replayed on other queues than the one that uploaded its tables.
            self.device.synchronize_queue()?;
        }
        Ok(Recording::new(RefCell::new(Graph::new(self.device.clone(), building)?)))
    }

    fn replay(&self, graph: &Recording, draws: Draws) -> Done {
        // Its kernels may report a fault.
        self.dirty.borrow_mut().insert(self.pool.selected());
        graph.own::<RefCell<Graph>>()?.borrow_mut().launch(draws)
    }

    fn dump_graph(&self, graph: &Recording, path: &str, verbose: bool) -> Done {
        graph.own::<RefCell<Graph>>()?.borrow().dump(path, verbose)
    }

    fn take_steps(&self) -> Vec<usize> {
        self.device.take_steps()
    }
}

impl Linkable for CudaExecutor {
    fn can_link(&self) -> Result<(), String> {
        self.nccl().map(drop)
    }

    fn link_id(&self) -> Done<Vec<u8>> {
        self.nccl().map_err(Fault::Unsupported)?.id()
    }

    fn link(&self, id: &[u8], rank: usize, size: usize) -> Done<Rc<dyn Links>> {
        nccl::link(self.nccl().map_err(Fault::Unsupported)?, &self.device, id, rank, size)
    }
}

impl Sink for CudaExecutor {
    fn dispatch(&self, mut launch: Launch) -> Done {
        let function = self.function(&launch)?;
        let (grid, block, draw) = (launch.grid, launch.block, launch.draw);
        let (words, starts) = launch.arguments()?;
        let ready =
            || Node::Launch(Ready { function, grid, block, words: (&*words).into(), starts: starts.into(), draw });
        if self.build(ready) {
            return Ok(());
        }
        self.device.launch(function, grid, block, words, starts)
    }

    fn scratch(&self, bytes: usize) -> Done<CudaBuffer> {
        self.pool.allocate_in(bytes as u64, self.scratch_pool())
    }

    fn zero(&self, address: u64, bytes: usize) -> Done {
        let bytes = bytes as u64;
        if self.build(|| Node::Zero { address, bytes }) {
            return Ok(());
        }
        self.device.zero(address, bytes)
    }

    fn table(&self, words: &[u64]) -> Done<u64> {
        // A graph owns its tables for as long as it lives.
        let recording = self.building.borrow().is_some();
        let queue = self.pool.selected();
        let known = |tables: &HashMap<Vec<u64>, CudaBuffer>| tables.get(words).map(CudaBuffer::address);
        if let Some(address) = self.tables.borrow().get(&queue).filter(|_| !recording).and_then(known) {
            return Ok(address);
        }
        let memory = self.pool.allocate_in((words.len() * 8) as u64, TABLE_POOL)?;
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        self.device.upload(memory.address(), &bytes)?;
        let address = memory.address();
        if let Some(building) = &mut *self.building.borrow_mut() {
            building.tables.push(memory);
            return Ok(address);
        }
        let mut tables = self.tables.borrow_mut();
        let tables = tables.entry(queue).or_default();
        if tables.len() >= TABLES {
            // Launches that still read them were queued before any later use of the memory on the same queue.
            tables.clear();
        }
        tables.insert(words.to_vec(), memory);
        Ok(address)
    }

    fn faults(&self) -> [u64; 2] {
        self.dirty.borrow_mut().insert(self.pool.selected());
        self.device.faults()
    }

    fn has_products(&self) -> bool {
        self.device.has_products()
    }

    fn adds_bias(&self, product: &Product) -> Done<bool> {
        let bytes = workspace_bytes(self.device.capability());
        self.device.adds_bias(product, self.precision.get(), bytes)
    }

    fn product(&self, product: &Product) -> Done {
        // Lent for this call, as in PyTorch. Later work on the queue may reuse the memory.
        let bytes = workspace_bytes(self.device.capability());
        let memory = self.scratch(bytes)?;
        let (precision, lent) = (self.precision.get(), Workspace { address: memory.address(), bytes });
        if self.build(|| Node::Product { product: product.clone(), precision, lent }) {
            return Ok(());
        }
        self.device.product(product, precision, lent)
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
