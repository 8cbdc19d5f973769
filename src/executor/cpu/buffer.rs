//! Host memory: aligned blocks that are recycled by size class.
//!
//! Taking a large block from the system costs a page fault for every 4 KiB of it, more than most kernels that fill it. So
//! freed blocks wait in a pool for the next request of their class.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::cell::{Cell, OnceCell, RefCell};
use std::ptr::NonNull;
use std::rc::Rc;

use crate::executor::{Done, Fault, Pinned};

/// Alignment of every block in bytes: a cache line, and the widest vector register.
pub(super) const ALIGNMENT: usize = 64;

/// How many bytes freed blocks may hold. Beyond that they go back to the system.
#[cfg(not(target_arch = "wasm32"))]
const POOL_LIMIT: usize = 1 << 30;
#[cfg(target_arch = "wasm32")]
const POOL_LIMIT: usize = 64 << 20;

/// Four classes for each power of two, from 64 bytes up.
const CLASSES: usize = 4 * usize::BITS as usize;

/// The class of a request, and the size of the blocks in this class.
fn class(bytes: usize) -> Option<(usize, usize)> {
    let bytes = bytes.max(ALIGNMENT);
    let base = 1usize << (usize::BITS - 1 - bytes.leading_zeros());
    let step = base / 4;
    let steps = (bytes - base).div_ceil(step);
    let size = base.checked_add(steps * step)?;
    let base = 1usize << (usize::BITS - 1 - size.leading_zeros());
    let index = base.trailing_zeros() as usize * 4 + (size - base) / (base / 4);
    Some((index, size))
}

/// One block of `size` bytes at `base`, a multiple of [`ALIGNMENT`]. `origin` is the address that the system returned.
#[derive(Clone, Copy)]
struct Block {
    origin: NonNull<u8>,
    base: NonNull<u8>,
    class: usize,
    size: usize,
}

impl Block {
    /// The system zeroes the block. Fresh pages are zero anyway, and so no byte is ever uninitialized.
    fn fresh(class: usize, size: usize) -> Option<Block> {
        let layout = Block::layout(size)?;
        // SAFETY: the layout has more than zero bytes.
        let origin = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let skip = origin.as_ptr().align_offset(ALIGNMENT);
        // SAFETY: the block is ALIGNMENT bytes larger than `size`, so the aligned start and `size` bytes are inside.
        let base = unsafe { origin.add(skip) };
        Some(Block { origin, base, class, size })
    }

    /// With this alignment, `calloc` supplies the memory without touching its pages.
    fn layout(size: usize) -> Option<Layout> {
        Layout::from_size_align(size.checked_add(ALIGNMENT)?, 16).ok()
    }

    fn release(self) {
        if let Some(layout) = Block::layout(self.size) {
            // SAFETY: `origin` came from `alloc_zeroed` with this very layout and is released once.
            unsafe { dealloc(self.origin.as_ptr(), layout) }
        }
    }
}

/// Freed blocks by class.
pub(super) struct Pool {
    free: RefCell<Vec<Vec<Block>>>,
    held: Cell<usize>,
    limit: Option<usize>,
}

impl Pool {
    pub(super) fn new() -> Rc<Pool> {
        let free = (0..CLASSES).map(|_| Vec::new()).collect();
        Rc::new(Pool { free: RefCell::new(free), held: Cell::new(0), limit: physical_memory() })
    }

    /// A block of at least `bytes` bytes. Its content is unspecified.
    pub(super) fn allocate(self: &Rc<Pool>, bytes: usize) -> Done<HostBuffer> {
        let refuse = || Fault::OutOfMemory { bytes };
        // Some systems promise any amount of memory, and end the process when it's touched.
        if self.limit.is_some_and(|limit| bytes > limit) {
            return Err(refuse());
        }
        let (class, size) = class(bytes).ok_or_else(refuse)?;
        let recycled = self.free.borrow_mut()[class].pop();
        let block = match recycled {
            Some(block) => {
                self.held.set(self.held.get() - block.size);
                block
            }
            None => match Block::fresh(class, size) {
                Some(block) => block,
                None => {
                    self.trim();
                    Block::fresh(class, size).ok_or_else(refuse)?
                }
            },
        };
        Ok(HostBuffer { block: block.into(), pinned: None, bytes, pool: self.clone() })
    }

    /// Like [`Pool::allocate`], but the block is only taken when its bytes are first needed.
    pub(super) fn promise(self: &Rc<Pool>, bytes: usize) -> HostBuffer {
        HostBuffer { block: OnceCell::new(), pinned: None, bytes, pool: self.clone() }
    }

    /// A buffer in memory that a device's driver supplied.
    pub(super) fn adopt(self: &Rc<Pool>, memory: Pinned, bytes: usize) -> HostBuffer {
        HostBuffer { block: OnceCell::new(), pinned: Some(memory), bytes, pool: self.clone() }
    }

    /// Gives every freed block back to the system.
    fn trim(&self) {
        for list in self.free.borrow_mut().iter_mut() {
            list.drain(..).for_each(Block::release);
        }
        self.held.set(0);
    }

    fn recycle(&self, block: Block) {
        let held = self.held.get() + block.size;
        if held > POOL_LIMIT {
            return block.release();
        }
        self.held.set(held);
        self.free.borrow_mut()[block.class].push(block);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.trim();
    }
}

/// The memory of one storage.
///
/// Kernels write through a shared reference: the executor runs one kernel at a time, callers hold no slice across a launch,
/// and threads of one kernel write disjoint elements. A device may write page-locked memory at any time. Code that reads it
/// before waiting for the device sees what a program on CUDA would see.
pub(super) struct HostBuffer {
    /// Empty until the memory of a promised block is needed.
    block: OnceCell<Block>,
    /// The page-locked memory that it uses instead of a block.
    pinned: Option<Pinned>,
    bytes: usize,
    pool: Rc<Pool>,
}

impl HostBuffer {
    /// # Errors
    /// The block was only promised, and the system has no room for it.
    pub(super) fn as_ptr(&self) -> Done<*mut u8> {
        if let Some(memory) = &self.pinned {
            return Ok(memory.as_ptr());
        }
        let block = match self.block.get() {
            Some(block) => *block,
            None => {
                let mut taken = self.pool.allocate(self.bytes)?;
                let block = taken.block.take().ok_or(Fault::OutOfMemory { bytes: self.bytes })?;
                *self.block.get_or_init(|| block)
            }
        };
        Ok(block.base.as_ptr())
    }

    pub(super) fn pinned(&self) -> Option<&Pinned> {
        self.pinned.as_ref()
    }

    /// The number of bytes requested.
    pub(super) fn len(&self) -> usize {
        self.bytes
    }
}

impl Drop for HostBuffer {
    fn drop(&mut self) {
        if let Some(block) = self.block.take() {
            self.pool.recycle(block);
        }
    }
}

/// The size of this machine's memory in bytes, if the system tells.
fn physical_memory() -> Option<usize> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_classes_hold_what_was_asked_and_waste_at_most_a_quarter() {
        for bytes in (0..5000).chain([1 << 20, (1 << 20) + 1, 3 << 20, usize::MAX / 2]) {
            let (index, size) = class(bytes).unwrap();
            assert!(size >= bytes && size <= bytes.max(64) / 4 * 5 + 64, "{bytes} {size}");
            assert!(index < CLASSES);
            assert_eq!(class(size), Some((index, size)), "{bytes}");
        }
    }

    #[test]
    fn cpu_blocks_are_aligned_and_recycled() {
        let pool = Pool::new();
        let first = pool.allocate(1000).unwrap();
        let address = first.as_ptr().unwrap();
        assert_eq!(address as usize % ALIGNMENT, 0);
        drop(first);
        assert_eq!(pool.allocate(1001).unwrap().as_ptr().unwrap(), address);
    }

    #[test]
    fn cpu_promised_blocks_are_taken_when_they_are_needed() {
        let pool = Pool::new();
        let huge = pool.promise(usize::MAX / 2);
        assert_eq!(huge.len(), usize::MAX / 2);
        assert!(matches!(huge.as_ptr(), Err(Fault::OutOfMemory { .. })));
        let small = pool.promise(1000);
        let address = small.as_ptr().unwrap();
        assert_eq!(small.as_ptr().unwrap(), address);
        drop(small);
        assert_eq!(pool.allocate(1000).unwrap().as_ptr().unwrap(), address);
    }

    #[test]
    fn cpu_impossible_sizes_are_refused() {
        for bytes in [usize::MAX, usize::MAX / 2, usize::MAX / 1024] {
            assert!(matches!(Pool::new().allocate(bytes), Err(Fault::OutOfMemory { .. })));
        }
    }
}
