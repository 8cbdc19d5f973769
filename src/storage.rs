//! Storages: the memory that tensors share.

#![warn(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

use std::any::Any;
use std::cell::Cell;
use std::rc::{Rc, Weak};

use crate::device::Device;
use crate::dtype::DType;
use crate::engine::{self, Engine};
use crate::error::{Error, Result};
use crate::executor::Buffer;
use crate::memory::{BlockId, StreamId};
use crate::trace::{Clue, EventKind, StorageId, Why};

/// Memory on one device, shared by every view of it. It's given back when the last view is dropped.
#[derive(Clone)]
pub struct Storage(Rc<Inner>, Option<Rc<Seen>>);

/// Memory seen as elements of another dtype than it was taken for: complex numbers as their parts, or the opposite.
struct Seen {
    dtype: DType,
    numel: usize,
    /// `None` on `meta`.
    buffer: Option<Buffer>,
}

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
    /// Host memory of another library: neither counted nor reported until [`Storage::reveal`].
    hidden: Cell<bool>,
    /// The line that created it, and the line that last copied data from another device into it; 0 if unknown.
    created: u32,
    moved: Cell<u32>,
    /// The device from which this data was last copied, if it was another device.
    came_from: Cell<Option<Device>>,
    /// For a copy into it that the host didn't wait for: how often the engine had waited by then, plus 1. 0 if there is
    /// none.
    unready: Cell<u64>,
    /// What a tensor consists of whose elements are in other tensors. Such a storage has no memory of its own.
    parts: Option<Rc<dyn Any>>,
}

impl Storage {
    /// Uninitialized memory on a resolved device. `shape` is the shape of the tensor, for the trace.
    ///
    /// # Errors
    /// Out of memory.
    pub fn new(device: Device, dtype: DType, shape: &[usize], numel: usize, pinned: bool) -> Result<Storage> {
        let engine = engine::current();
        let a = engine.devices.allocate(device, dtype, shape, numel, pinned)?;
        let created = engine.trace.line();
        let inner = Inner {
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
            moved: Cell::new(0),
            came_from: Cell::new(None),
            unready: Cell::new(0),
            parts: None,
        };
        Ok(Storage(Rc::new(inner), None))
    }

    /// What stands for a storage in a tensor whose elements are in other tensors, its parts: it has a device and a dtype but
    /// no memory, and the trace doesn't know it.
    ///
    /// # Errors
    /// None; a number for the storage comes from the same place as for all others.
    pub(crate) fn of_parts(device: Device, dtype: DType, parts: Rc<dyn Any>) -> Result<Storage> {
        let engine = engine::current();
        let a = engine.devices.allocate(Device::META, dtype, &[], 0, false)?;
        let created = engine.trace.line();
        let inner = Inner {
            engine,
            id: a.storage,
            device,
            dtype,
            numel: 0,
            buffer: None,
            block: None,
            bytes: 0,
            address: None,
            pinned: false,
            hidden: Cell::new(true),
            created,
            moved: Cell::new(0),
            came_from: Cell::new(None),
            unready: Cell::new(0),
            parts: Some(parts),
        };
        Ok(Storage(Rc::new(inner), None))
    }

    /// The parts of a tensor whose elements are in other tensors.
    #[inline]
    pub(crate) fn parts(&self) -> Option<&Rc<dyn Any>> {
        self.0.parts.as_ref()
    }

    /// The same memory as elements of `dtype`, which the device's executor stores in the same form.
    pub(crate) fn seen_as(&self, dtype: DType) -> Storage {
        if dtype == self.0.dtype {
            return Storage(self.0.clone(), None);
        }
        let numel = self.nbytes() / dtype.size();
        let buffer = self.0.buffer.as_ref().map(|b| b.seen_as(dtype, numel));
        Storage(self.0.clone(), Some(Rc::new(Seen { dtype, numel, buffer })))
    }

    pub fn id(&self) -> StorageId {
        self.0.id
    }

    pub fn device(&self) -> Device {
        self.0.device
    }

    pub fn dtype(&self) -> DType {
        self.1.as_ref().map_or(self.0.dtype, |seen| seen.dtype)
    }

    /// The number of elements.
    pub fn numel(&self) -> usize {
        self.1.as_ref().map_or(self.0.numel, |seen| seen.numel)
    }

    /// Bytes in PyTorch's layout.
    pub(crate) fn nbytes(&self) -> usize {
        self.0.numel * self.0.dtype.size()
    }

    /// `Tensor.record_stream`: a stream uses this memory, which was taken for another stream.
    ///
    /// # Errors
    /// The storage is on `meta`.
    pub fn record_stream(&self, stream: StreamId) -> Result<()> {
        if let Some(block) = self.0.block {
            self.0.engine.devices.share(self.0.device, block, self.buffer()?, stream);
        }
        Ok(())
    }

    /// Memory of another library becomes that of a tensor of this shape: from now on it's counted and reported.
    pub(crate) fn reveal(&self, shape: &[usize]) {
        if self.0.hidden.replace(false) {
            self.0.engine.devices.count_host(self.0.id, self.0.dtype, shape, self.0.bytes, self.0.pinned);
        }
    }

    pub fn is_pinned(&self) -> bool {
        self.0.pinned
    }

    /// The learner's line that created it; 0 if unknown.
    pub fn created(&self) -> u32 {
        self.0.created
    }

    /// The learner's line that last copied data into it from another device; 0 if none did.
    pub fn moved(&self) -> u32 {
        self.0.moved.get()
    }

    /// The device from which its data was last copied, if it was another device.
    pub(crate) fn came_from(&self) -> Option<Device> {
        self.0.came_from.get()
    }

    /// Notes that data came from another device. Unless the copy `waits`, the host may read the data before it has
    /// arrived.
    pub(crate) fn set_moved(&self, line: u32, from: Device, waits: bool) {
        self.0.moved.set(line);
        self.0.came_from.set(Some(from));
        let unready = !waits && self.0.device.is_cpu() && !from.is_cpu() && self.0.engine.trace.is_curious();
        self.0.unready.set(if unready { self.0.engine.launches.waits() + 1 } else { 0 });
    }

    /// Notices a read of data whose copy nothing has waited for.
    #[cold]
    fn look_early(&self) {
        let engine = &self.0.engine;
        if self.0.unready.replace(0) == engine.launches.waits() + 1 {
            let (copied, storage) = (self.moved(), self.0.id);
            engine.trace.notice(|| Clue::ReadEarly { line: engine.trace.line(), copied, storage });
        }
    }

    pub(crate) fn downgrade(&self) -> WeakStorage {
        WeakStorage(Rc::downgrade(&self.0))
    }

    pub fn engine(&self) -> &Rc<Engine> {
        &self.0.engine
    }

    pub fn same(&self, other: &Storage) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// True if exactly one tensor uses it.
    pub(crate) fn is_unshared(&self) -> bool {
        self.is_shared_by(1)
    }

    /// Whether exactly this many tensors use it.
    pub(crate) fn is_shared_by(&self, tensors: usize) -> bool {
        Rc::strong_count(&self.0) == tensors
    }

    /// # Errors
    /// The storage is on `meta`, which has no data, or its data is in other tensors.
    pub fn buffer(&self) -> Result<&Buffer> {
        if self.0.unready.get() != 0 {
            self.look_early();
        }
        let buffer = match &self.1 {
            Some(seen) => seen.buffer.as_ref(),
            None => self.0.buffer.as_ref(),
        };
        buffer.ok_or_else(|| match self.0.parts {
            None => Error::not_implemented("Cannot copy out of meta tensor; no data!"),
            Some(_) => Error::runtime("Cannot access data pointer of Tensor that doesn't have storage"),
        })
    }

    /// A stable, made-up address for `data_ptr()`. Storages that are alive at the same time don't overlap, and views of
    /// one storage are within it. On an accelerator it's the block's address, as in the memory snapshot.
    pub fn address(&self) -> u64 {
        self.0.address.unwrap_or(0x7f00_0000_0000 + self.0.id * 0x1_0000_0000)
    }

    /// Copies elements to host bytes in PyTorch's layout, waiting for the device. If the storage is on an accelerator,
    /// reports a transfer.
    pub fn read(&self, offset: usize, numel: usize, why: Why) -> Result<Vec<u8>> {
        let mut out = engine::host::filled(0u8, numel * self.dtype().size())?;
        if numel == 0 {
            return Ok(out);
        }
        let buffer = self.buffer()?;
        if self.0.device.is_cpu() {
            self.0.engine.devices.read_host(buffer, offset, &mut out)?;
            return Ok(out);
        }
        self.fetch(buffer, offset, &mut out, why)?;
        if numel == 1 && self.numel() > 1 {
            self.0.engine.launches.element_read(self.0.device, self.0.id, self.numel());
        }
        Ok(out)
    }

    /// Copies elements of its buffer on an accelerator, or of a buffer made from it, to the host. Waits, and reports the
    /// copy.
    ///
    /// # Errors
    /// What went wrong on the device.
    pub(crate) fn fetch(&self, buffer: &Buffer, offset: usize, out: &mut [u8], why: Why) -> Result<()> {
        let engine = &self.0.engine;
        if matches!(why, Why::Tolist | Why::Save | Why::Numpy) {
            engine.devices.check_copy(self.0.device, Device::CPU, false, false)?;
        }
        engine.launches.synchronize(self.0.device, why)?;
        let begin = engine.trace.now();
        let started = engine.launches.start_work(self.0.device);
        engine.launches.read_device(self.0.device, buffer, offset, out)?;
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
        engine.launches.end_work(started, None);
        Ok(())
    }

    /// Fills elements from host bytes without reporting a transfer: for CPU storages, and for one half of a copy that is
    /// reported elsewhere.
    pub(crate) fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() || self.0.device.is_meta() {
            return Ok(());
        }
        self.0.engine.launches.write_device(self.0.device, self.buffer()?, offset, bytes)
    }

    /// Like [`Storage::read`], but reports nothing: it's one half of a copy that is reported elsewhere.
    pub(crate) fn read_silent(&self, offset: usize, numel: usize) -> Result<Vec<u8>> {
        let mut out = engine::host::filled(0u8, numel * self.dtype().size())?;
        if numel > 0 {
            self.0.engine.launches.read_device(self.0.device, self.buffer()?, offset, &mut out)?;
        }
        Ok(out)
    }

    /// The bytes themselves, if the host can access them.
    pub(crate) fn host_bytes(&self) -> Option<&[u8]> {
        let buffer = self.buffer().ok()?;
        self.0.engine.devices.executor(self.0.device).host_bytes(buffer)
    }
}

/// A reference that doesn't keep the storage alive.
#[derive(Clone)]
pub struct WeakStorage(Weak<Inner>);

impl WeakStorage {
    pub(crate) fn is_alive(&self) -> bool {
        self.0.strong_count() > 0
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if !self.hidden.get() {
            self.engine.devices.release(self.device, self.id, self.block, self.bytes);
        }
    }
}
