//! Storages: the memory that tensors share.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::device::Device;
use crate::dtype::DType;
use crate::engine::{self, Engine};
use crate::error::{Error, Result};
use crate::executor::Buffer;
use crate::memory::BlockId;
use crate::trace::{EventKind, StorageId, Why};

/// Memory on one device, shared by every view of it; given back when the last one goes.
#[derive(Clone)]
pub struct Storage(Rc<Inner>);

struct Inner {
    engine: Rc<Engine>,
    id: StorageId,
    device: Device,
    dtype: DType,
    numel: usize,
    /// `None` on `meta`.
    buffer: Option<Buffer>,
    block: Option<BlockId>,
    bytes: usize,
    address: Option<u64>,
    pinned: bool,
    /// Host memory of a library beside PyTorch: neither counted nor reported until [`Storage::reveal`].
    hidden: Cell<bool>,
    /// Line that created it, line that last copied data from another device into it; 0 when unknown.
    created: u32,
    moved: RefCell<u32>,
}

impl Storage {
    /// Uninitialised memory on a resolved device. `shape` is that of the tensor it is for, for the trace.
    ///
    /// # Errors
    /// Out of memory.
    pub fn new(device: Device, dtype: DType, shape: &[usize], numel: usize, pinned: bool) -> Result<Storage> {
        let engine = engine::current();
        let a = engine.allocate(device, dtype, shape, numel, pinned)?;
        let created = engine.trace.line();
        Ok(Storage(Rc::new(Inner {
            engine,
            id: a.storage,
            device,
            dtype,
            numel,
            buffer: a.buffer,
            block: a.block,
            bytes: a.bytes,
            address: a.address,
            pinned,
            hidden: Cell::new(a.hidden),
            created,
            moved: RefCell::new(0),
        })))
    }

    pub fn id(&self) -> StorageId {
        self.0.id
    }

    pub fn device(&self) -> Device {
        self.0.device
    }

    pub fn dtype(&self) -> DType {
        self.0.dtype
    }

    /// Elements it holds.
    pub fn numel(&self) -> usize {
        self.0.numel
    }

    /// Bytes in PyTorch's layout.
    pub fn nbytes(&self) -> usize {
        self.0.numel * self.0.dtype.size()
    }

    /// Bytes that the allocator counts for it: the block's size on an accelerator.
    pub fn block_bytes(&self) -> usize {
        self.0.bytes
    }

    /// Memory that another library made becomes a tensor's, of this shape: from here on it is counted and reported.
    pub fn reveal(&self, shape: &[usize]) {
        if self.0.hidden.replace(false) {
            self.0.engine.count_host(self.0.id, self.0.dtype, shape, self.0.bytes, self.0.pinned);
        }
    }

    pub fn is_pinned(&self) -> bool {
        self.0.pinned
    }

    /// Learner's line that created it; 0 when unknown.
    pub fn created(&self) -> u32 {
        self.0.created
    }

    /// Learner's line that last copied data into it from another device; 0 when none did.
    pub fn moved(&self) -> u32 {
        *self.0.moved.borrow()
    }

    pub(crate) fn set_moved(&self, line: u32) {
        *self.0.moved.borrow_mut() = line;
    }

    pub fn engine(&self) -> &Rc<Engine> {
        &self.0.engine
    }

    pub fn same(&self, other: &Storage) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// True if exactly one tensor uses it.
    pub(crate) fn is_unshared(&self) -> bool {
        Rc::strong_count(&self.0) == 1
    }

    /// # Errors
    /// On `meta`, which has no data.
    pub fn buffer(&self) -> Result<&Buffer> {
        self.0.buffer.as_ref().ok_or_else(|| Error::not_implemented("Cannot copy out of meta tensor; no data!"))
    }

    /// A stable, made-up address for `data_ptr()`: storages alive at one time differ, views of one storage lie within it.
    /// On an accelerator it is the block's, as the memory snapshot shows it.
    pub fn address(&self) -> u64 {
        self.0.address.unwrap_or(0x7f00_0000_0000 + self.0.id * 0x1_0000_0000)
    }

    /// Copies elements to host bytes in PyTorch's layout, waiting for the device. Reports a transfer off an accelerator.
    pub fn read(&self, offset: usize, numel: usize, why: Why) -> Result<Vec<u8>> {
        let mut out = vec![0u8; numel * self.0.dtype.size()];
        if numel == 0 {
            return Ok(out);
        }
        let buffer = self.buffer()?;
        let engine = &self.0.engine;
        if self.0.device.is_cpu() {
            engine.read_host(buffer, offset, &mut out)?;
            return Ok(out);
        }
        engine.synchronize(self.0.device, why)?;
        let begin = engine.trace.now();
        engine.read_device(self.0.device, buffer, offset, &mut out)?;
        engine.trace.emit(|| EventKind::Transfer {
            from: self.0.device,
            to: Device::CPU,
            bytes: out.len(),
            source: self.0.id,
            target: 0,
            pinned: false,
            non_blocking: false,
            micros: engine.trace.now() - begin,
            why,
        });
        Ok(out)
    }

    /// Fills elements from host bytes without reporting a transfer: for CPU storages, and for halves of a reported copy.
    pub(crate) fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() || self.0.device.is_meta() {
            return Ok(());
        }
        self.0.engine.write_device(self.0.device, self.buffer()?, offset, bytes)
    }

    /// As [`Storage::read`], but silent: one half of a reported copy.
    pub(crate) fn read_silent(&self, offset: usize, numel: usize) -> Result<Vec<u8>> {
        let mut out = vec![0u8; numel * self.0.dtype.size()];
        if numel > 0 {
            self.0.engine.read_device(self.0.device, self.buffer()?, offset, &mut out)?;
        }
        Ok(out)
    }

    /// The bytes themselves, if the host can see them.
    pub fn host_bytes(&self) -> Option<&[u8]> {
        let buffer = self.0.buffer.as_ref()?;
        self.0.engine.executor(self.0.device).host_bytes(buffer)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if !self.hidden.get() {
            self.engine.release(self.device, self.id, self.block, self.bytes);
        }
    }
}
