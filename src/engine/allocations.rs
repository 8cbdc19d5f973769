//! The devices' memory: taking it, giving it back and reporting both, for the host and for accelerators.

use std::rc::Rc;

use super::devices::{Accelerator, Devices};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::executor::recording::GraphPool;
use crate::executor::{Buffer, Done, Fault, Kernel, Pinned, View, complex, workspace_bytes};
use crate::memory::history::{Action, Entry, History, Keep, Stack};
use crate::memory::{BlockId, Placement, PoolId, SegmentId, StreamId, round_size};
use crate::shape::Layout;
use crate::trace::{EventKind, StorageId, Taken};

impl Devices {
    /// Bytes of the CPU tensors that are alive.
    pub fn cpu_allocated(&self) -> u64 {
        self.cpu_allocated.get()
    }

    /// Plans and takes memory for a storage on a resolved device.
    ///
    /// # Errors
    /// Out of memory, with PyTorch's message. Then nothing is taken.
    pub(crate) fn allocate(
        &self,
        device: Device,
        dtype: DType,
        shape: &[usize],
        numel: usize,
        pinned: bool,
    ) -> Result<Allocation> {
        let requested = numel.checked_mul(dtype.size()).ok_or_else(|| {
            Error::runtime(format!("Storage size calculation overflowed with sizes={}", crate::shape::show(shape)))
        })?;
        let storage = self.next_storage.get();
        self.next_storage.set(storage + 1);
        if device.is_meta() {
            return Ok(Allocation { storage, buffer: None, block: None, bytes: 0, address: None, hidden: false });
        }
        let Some(a) = self.accelerator(device) else {
            let memory = if pinned { self.lock(requested)? } else { None };
            let buffer = match memory {
                Some(memory) => self.cpu.adopt(memory, numel, dtype),
                None => self.cpu.allocate(numel, dtype),
            };
            let buffer = buffer.map_err(|f| self.error(device, f))?;
            let hidden = self.quiet.get();
            if !hidden {
                self.count_host(storage, dtype, shape, requested, pinned);
            }
            return Ok(Allocation {
                storage,
                buffer: Some(buffer),
                block: None,
                bytes: requested,
                address: None,
                hidden,
            });
        };
        let Some(p) = self.place(a, device, requested as u64)? else {
            let buffer = self.buffer(a, 0, dtype).map_err(|f| self.error(device, f))?;
            let allocated = a.planner.borrow().allocated();
            self.trace.emit_taken(|| Taken {
                device,
                storage,
                dtype,
                shape,
                requested: 0,
                bytes: 0,
                segment: 0,
                offset: 0,
                allocated,
                pinned: false,
            });
            return Ok(Allocation {
                storage,
                buffer: Some(buffer),
                block: None,
                bytes: 0,
                address: None,
                hidden: false,
            });
        };
        let buffer = match self.buffer(a, numel, dtype) {
            Ok(buffer) => buffer,
            Err(fault) => {
                a.planner.borrow_mut().free(p.block);
                return Err(self.error(device, fault));
            }
        };
        let address = self.report_taken(a, &p, storage, dtype, shape, requested);
        Ok(Allocation {
            storage,
            buffer: Some(buffer),
            block: Some(p.block),
            bytes: p.size as usize,
            address: Some(address),
            hidden: false,
        })
    }

    /// Page-locked memory for a tensor on the host; `None` if the devices have no use for it.
    ///
    /// # Errors
    /// The driver refuses to lock more memory.
    fn lock(&self, bytes: usize) -> Result<Option<Pinned>> {
        let Some(a) = self.accelerator(Device::cuda(self.current_cuda())) else { return Ok(None) };
        match a.executor.pin(bytes) {
            Err(Fault::OutOfMemory { .. }) => Err(Error::accelerator(NO_HOST_MEMORY)),
            other => other.map_err(|f| self.error(a.device(), f)),
        }
    }

    /// The error for a storage on a resolved device that is larger than this machine can address, as 4 GiB are in a browser.
    /// The message is PyTorch's wherever PyTorch would fail too.
    pub(crate) fn too_large(&self, device: Device, bytes: u64) -> Error {
        let Some(a) = self.accelerator(device) else { return self.no_room(device, bytes) };
        // If the storage would fit on the simulated card, this failed attempt must leave no segment behind.
        if bytes <= a.planner.borrow().free_bytes() {
            return self.no_room(device, bytes);
        }
        match self.place(a, device, bytes) {
            Err(error) => error,
            Ok(placement) => {
                if let Some(p) = placement {
                    a.planner.borrow_mut().free(p.block);
                }
                self.no_room(device, bytes)
            }
        }
    }

    /// Plans memory on an accelerator, and reports the segments that were taken and given back; `None` for 0 bytes.
    ///
    /// # Errors
    /// Out of memory, with PyTorch's message.
    fn place(&self, a: &Accelerator, device: Device, requested: u64) -> Result<Option<Placement>> {
        let private = a.capturing().unwrap_or(PoolId::GENERAL);
        let placement = a.planner.borrow_mut().alloc_in(requested, a.stream.get(), private);
        self.remember_freed(a);
        let p = match placement {
            Ok(Some(p)) => p,
            Ok(None) => return Ok(None),
            Err(oom) => {
                self.report_freed(a, &oom.freed_segments, 0);
                let entry =
                    |stack| self.entry(Action::OutOfMemory, oom.free, round_size(oom.requested), a.stream.get(), stack);
                self.remember(a, |history, keep, stack| history.add(entry(stack), keep));
                return Err(oom.error(device));
            }
        };
        self.report_freed(a, &p.freed_segments, p.new_segment.map_or(0, |s| s.1));
        if let Some((segment, bytes)) = p.new_segment {
            let reserved = a.planner.borrow().reserved();
            self.trace.emit(|| EventKind::SegmentAlloc { device, segment: segment.0, bytes: bytes as usize, reserved });
            self.remember(a, |history, keep, stack| {
                let address = segment.address(a.index());
                history.add(self.entry(Action::SegmentAlloc, address, bytes, a.stream.get(), stack.clone()), keep);
                history.segment_taken(segment, stack);
            });
        }
        Ok(Some(p))
    }

    /// Reports a block that was taken. Returns its address.
    fn report_taken(
        &self,
        a: &Accelerator,
        p: &Placement,
        storage: StorageId,
        dtype: DType,
        shape: &[usize],
        requested: usize,
    ) -> u64 {
        let address = p.segment.address(a.index()) + p.offset;
        self.trace.emit_taken(|| Taken {
            device: a.device(),
            storage,
            dtype,
            shape,
            requested,
            bytes: p.size as usize,
            segment: p.segment.0,
            offset: p.offset as usize,
            allocated: a.planner.borrow().allocated(),
            pinned: false,
        });
        self.remember(a, |history, keep, stack| {
            history.add(self.entry(Action::Alloc, address, requested as u64, a.stream.get(), stack.clone()), keep);
            history.block_taken(p.block, stack);
        });
        address
    }

    /// Takes the memory that cuBLAS works in, for as long as the returned value lives; `None` on devices without cuBLAS.
    ///
    /// PyTorch 2.15 takes it from its caching allocator for every product and gives it back after the call, so only
    /// peaks and reserved memory show it. Here it is planned and reported; an executor that needs such memory takes its
    /// own.
    ///
    /// # Errors
    /// Out of memory, with PyTorch's message.
    pub(crate) fn workspace(self: &Rc<Self>, device: Device) -> Result<Option<Workspace>> {
        let Some(a) = self.accelerator(device).filter(|_| device.is_cuda()) else { return Ok(None) };
        let bytes = workspace_bytes(a.executor.capability());
        let Some(p) = self.place(a, device, bytes as u64)? else { return Ok(None) };
        let storage = self.next_storage.get();
        self.next_storage.set(storage + 1);
        self.report_taken(a, &p, storage, DType::U8, &[bytes], bytes);
        if self.trace.is_on() {
            self.trace.emit(|| EventKind::Name { storage, name: CUBLAS_NAME.into() });
        }
        Ok(Some(Workspace { devices: self.clone(), device, storage, block: p.block, bytes: p.size as usize }))
    }

    /// Takes memory for a result that PyTorch computes on the device and this engine doesn't need. The allocator counts it
    /// until the returned value is dropped.
    ///
    /// # Errors
    /// Out of memory, with PyTorch's message.
    pub(crate) fn scratch(self: &Rc<Self>, device: Device, dtype: DType, shape: &[usize]) -> Result<Option<Workspace>> {
        let Some(a) = self.accelerator(device) else { return Ok(None) };
        let requested = shape.iter().product::<usize>() * dtype.size();
        let Some(p) = self.place(a, device, requested as u64)? else { return Ok(None) };
        let storage = self.next_storage.get();
        self.next_storage.set(storage + 1);
        self.report_taken(a, &p, storage, dtype, shape, requested);
        Ok(Some(Workspace { devices: self.clone(), device, storage, block: p.block, bytes: p.size as usize }))
    }

    /// A dense copy of a view, in memory that no allocator counts.
    ///
    /// # Errors
    /// The device has no room left, or the executor can't gather such a view.
    pub(crate) fn gather(&self, device: Device, src: View<'_>) -> Result<Option<Buffer>> {
        let Some(a) = self.accelerator(device) else { return Ok(None) };
        if a.capturing().is_some() {
            return Err(a.spoil());
        }
        let layout = Layout::contiguous(&src.shape);
        let buffer = self.buffer(a, layout.numel(), src.dtype).map_err(|f| self.error(device, f))?;
        let kernel = Kernel::Copy { src, out: View::new(&buffer, &layout) };
        complex::launch(&kernel, |part| a.queued().launch(part)).map_err(|f| self.error(device, f))?;
        Ok(Some(buffer))
    }

    /// Starts recording who takes and gives back the accelerators' memory. `None` stops it.
    pub(crate) fn record_memory(&self, keep: Option<Keep>) {
        self.keep.set(keep);
    }

    /// Adds to a device's history if one is recorded.
    pub(crate) fn remember(&self, a: &Accelerator, add: impl FnOnce(&mut History, &Keep, Stack)) {
        let Some(keep) = self.keep.get() else { return };
        let stack: Stack = if keep.stacks { (self.hooks.stack.get())().into() } else { Rc::new([]) };
        add(&mut a.history.borrow_mut(), &keep, stack);
    }

    /// Adds to a device's history the blocks that its allocator has freed for good: at once, or after other streams were
    /// done with them.
    fn remember_freed(&self, a: &Accelerator) {
        let freed = a.planner.borrow_mut().take_completed();
        for (segment, offset, requested, stream) in freed {
            self.remember(a, |history, keep, stack| {
                let address = segment.address(a.index()) + offset;
                history.add(self.entry(Action::FreeCompleted, address, requested, stream, stack), keep);
            });
        }
    }

    /// An entry for a device's history, with the current time.
    pub fn entry(&self, action: Action, address: u64, size: u64, stream: StreamId, stack: Stack) -> Entry {
        Entry { action, address, size, stream, stack, micros: crate::trace::now_micros() }
    }

    /// Counts and reports a storage in host memory.
    pub(crate) fn count_host(&self, storage: StorageId, dtype: DType, shape: &[usize], bytes: usize, pinned: bool) {
        let allocated = self.cpu_allocated.get() + bytes as u64;
        self.cpu_allocated.set(allocated);
        self.trace.emit_taken(|| Taken {
            device: Device::CPU,
            storage,
            dtype,
            shape,
            requested: bytes,
            bytes,
            segment: 0,
            offset: 0,
            allocated,
            pinned,
        });
    }

    /// Gives a storage's memory back to its planner.
    pub(crate) fn release(&self, device: Device, storage: StorageId, block: Option<BlockId>, bytes: usize) {
        if device.is_meta() {
            return;
        }
        let allocated = match self.accelerator(device) {
            Some(a) => {
                let mut planner = a.planner.borrow_mut();
                if let Some(block) = block {
                    self.remember(a, |history, keep, stack| {
                        let Some((segment, offset, requested, stream)) = planner.locate(block) else { return };
                        let address = segment.address(a.index()) + offset;
                        history.add(self.entry(Action::FreeRequested, address, requested, stream, stack), keep);
                        history.block_given_back(block);
                    });
                    planner.free(block);
                }
                let allocated = planner.allocated();
                drop(planner);
                self.remember_freed(a);
                allocated
            }
            None => {
                let left = self.cpu_allocated.get().saturating_sub(bytes as u64);
                self.cpu_allocated.set(left);
                left
            }
        };
        self.trace.emit(|| EventKind::Free { device, storage, bytes, allocated });
    }

    /// `torch.cuda.empty_cache()` for every accelerator.
    ///
    /// # Errors
    /// While a graph is captured.
    pub fn empty_cache(&self) -> Result<()> {
        if self.accelerators.iter().any(|a| a.capture.borrow().is_some()) {
            return Err(Error::not_implemented("torch.cuda.empty_cache() while a CUDA graph is captured"));
        }
        for a in &self.accelerators {
            let freed = a.planner.borrow_mut().empty_cache();
            self.remember_freed(a);
            self.report_freed(a, &freed, 0);
            a.executor.release_cache();
        }
        Ok(())
    }

    /// Reports segments that were given back. `taken` is the segment that the same call took afterwards, which isn't
    /// reported yet.
    fn report_freed(&self, a: &Accelerator, freed: &[(SegmentId, u64)], taken: u64) {
        let total: u64 = freed.iter().map(|f| f.1).sum();
        let mut reserved = a.planner.borrow().reserved() - taken + total;
        for &(segment, bytes) in freed {
            reserved -= bytes;
            self.trace.emit(|| EventKind::SegmentFree {
                device: a.device(),
                segment: segment.0,
                bytes: bytes as usize,
                reserved,
            });
            self.remember(a, |history, keep, stack| {
                let address = segment.address(a.index());
                history.add(self.entry(Action::SegmentFree, address, bytes, a.stream.get(), stack), keep);
                history.segment_given_back(segment);
            });
        }
    }

    /// An executor's memory for a tensor. If the current stream captures a graph, the memory belongs to that graph.
    pub(super) fn buffer(&self, a: &Accelerator, numel: usize, dtype: DType) -> Done<Buffer> {
        match a.capturing() {
            Some(pool) => a.queued().allocate_in(numel, dtype, GraphPool(pool.0)),
            None => a.queued().allocate(numel, dtype),
        }
    }
}

/// The memory that was taken for a storage.
pub(crate) struct Allocation {
    pub storage: StorageId,
    pub buffer: Option<crate::executor::Buffer>,
    pub block: Option<BlockId>,
    /// The number of bytes that `release` gives back.
    pub bytes: usize,
    /// The address of the block; only on an accelerator.
    pub address: Option<u64>,
    /// PyTorch wouldn't have this storage, so it's neither counted nor reported.
    pub hidden: bool,
}

/// Memory that is planned but never used, such as the workspace of a product. Dropping it gives it back.
pub(crate) struct Workspace {
    devices: Rc<Devices>,
    device: Device,
    storage: StorageId,
    block: BlockId,
    bytes: usize,
}

impl Drop for Workspace {
    fn drop(&mut self) {
        self.devices.release(self.device, self.storage, Some(self.block), self.bytes);
    }
}

/// The driver's message when it can't lock more host memory.
const NO_HOST_MEMORY: &str = "CUDA error: out of memory\nSearch for `cudaErrorMemoryAllocation' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\n";

/// The name shown on the block, where other blocks show a variable's name.
const CUBLAS_NAME: &str = "cuBLAS workspace";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine;
    use crate::machine::Machine;
    use crate::ops;
    use crate::shape::narrow::as_in_a_browser;
    use crate::tensor::Tensor;

    /// A browser can't address what this test asks PyTorch for, but the message is the same.
    #[test]
    fn what_cannot_be_addressed_is_refused_in_the_same_words() {
        let engine = engine::install(engine::Engine::on_cpu(Machine::preset("cuda:1").unwrap()));
        for device in [Device::cuda(0), Device::CPU] {
            for sizes in [&[1_i64 << 50][..], &[1 << 20, 1 << 30], &[1 << 40, 1 << 40]] {
                let empty = || {
                    let shape = ops::create::sizes(sizes, DType::F32, device)?;
                    Tensor::empty(&shape, DType::F32, device)
                };
                let (there, here) = (empty().unwrap_err(), as_in_a_browser(empty).unwrap_err());
                assert_eq!((here.kind, here.message), (there.kind, there.message), "{device} {sizes:?}");
            }
        }
        // 8 GiB fit on the simulated card but not into a browser. The allocator's counts must not change.
        let wide = || ops::create::sizes(&[1 << 31], DType::F32, Device::cuda(0)).map(|_| ());
        let error = as_in_a_browser(wide).unwrap_err();
        assert!(error.message.contains("no room for 8589934592 bytes"), "{}", error.message);
        let planner = engine.devices.accelerators()[0].planner.borrow();
        assert_eq!((planner.allocated(), planner.reserved()), (0, 0));
    }
}
