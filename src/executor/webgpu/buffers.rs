//! Storage buffers, and a pool of freed ones.
//!
//! The engine's allocator plans blocks by PyTorch's rules; here every storage is one WebGPU buffer. Creating a buffer takes
//! far longer than encoding a kernel, so freed buffers wait in a pool by rounded size. A buffer may be handed out again while
//! recorded work still uses it, because there is one queue and it runs everything in order.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

/// One storage buffer. Returns to its pool when dropped.
pub(super) struct GpuBuffer {
    /// Unique in this executor, and kept while the buffer is in the pool: bind groups are cached by it.
    pub id: u64,
    /// The submission that last used it, which may still be recording or may be done.
    pub last_use: Cell<u64>,
    /// `None` without a device, for tests that only check shaders.
    raw: Option<wgpu::Buffer>,
    bytes: u64,
    home: Weak<RefCell<Idle>>,
}

impl GpuBuffer {
    /// The WebGPU buffer.
    pub(super) fn raw(&self) -> Option<&wgpu::Buffer> {
        self.raw.as_ref()
    }

    #[cfg(test)]
    pub(crate) fn fake(id: u64) -> GpuBuffer {
        GpuBuffer { id, last_use: Cell::new(0), raw: None, bytes: 0, home: Weak::new() }
    }
}

impl Drop for GpuBuffer {
    fn drop(&mut self) {
        if let (Some(raw), Some(home)) = (self.raw.take(), self.home.upgrade()) {
            home.borrow_mut().put(Spare { id: self.id, last_use: self.last_use.get(), raw, bytes: self.bytes });
        }
    }
}

struct Spare {
    id: u64,
    last_use: u64,
    raw: wgpu::Buffer,
    bytes: u64,
}

#[derive(Default)]
struct Idle {
    by_size: HashMap<u64, Vec<Spare>>,
    bytes: u64,
}

impl Idle {
    fn put(&mut self, spare: Spare) {
        self.bytes += spare.bytes;
        self.by_size.entry(spare.bytes).or_default().push(spare);
    }
}

/// If idle buffers have more bytes than this, the pool gives them back to the device.
const KEEP: u64 = 512 << 20;

pub(super) struct Pool {
    idle: Rc<RefCell<Idle>>,
    next: Cell<u64>,
    staging: RefCell<HashMap<u64, Vec<wgpu::Buffer>>>,
}

impl Pool {
    pub(super) fn new() -> Pool {
        Pool { idle: Rc::default(), next: Cell::new(1), staging: RefCell::default() }
    }

    pub(super) fn take(&self, device: &wgpu::Device, bytes: u64) -> GpuBuffer {
        let bytes = rounded(bytes);
        let home = Rc::downgrade(&self.idle);
        let mut idle = self.idle.borrow_mut();
        if let Some(spare) = idle.by_size.get_mut(&bytes).and_then(Vec::pop) {
            idle.bytes -= bytes;
            return GpuBuffer { id: spare.id, last_use: Cell::new(spare.last_use), raw: Some(spare.raw), bytes, home };
        }
        let raw = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: bytes,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let id = self.next.replace(self.next.get() + 1);
        GpuBuffer { id, last_use: Cell::new(0), raw: Some(raw), bytes, home }
    }

    /// Whether the pool has more idle memory than it keeps.
    pub(super) fn is_full(&self) -> bool {
        self.idle.borrow().bytes > KEEP
    }

    /// Gives all idle buffers back to the device. Only when no recorded work waits for submission.
    pub(super) fn release(&self) {
        let mut idle = self.idle.borrow_mut();
        for spare in idle.by_size.drain().flat_map(|(_, spares)| spares) {
            spare.raw.destroy();
        }
        idle.bytes = 0;
    }

    /// A buffer that the host can map for reading.
    pub(super) fn staging(&self, device: &wgpu::Device, bytes: u64) -> wgpu::Buffer {
        let bytes = rounded(bytes);
        if let Some(buffer) = self.staging.borrow_mut().get_mut(&bytes).and_then(Vec::pop) {
            return buffer;
        }
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read-back"),
            size: bytes,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }

    /// Takes back an unmapped staging buffer; large ones are not kept.
    pub(super) fn recycle(&self, buffer: wgpu::Buffer) {
        if buffer.size() <= 4 << 20 {
            self.staging.borrow_mut().entry(buffer.size()).or_default().push(buffer);
        } else {
            buffer.destroy();
        }
    }
}

/// The size that a buffer really gets: at most an eighth more than requested, so that the pool has few sizes.
fn rounded(bytes: u64) -> u64 {
    let bytes = bytes.max(256);
    let step = (bytes.next_power_of_two() / 16).max(256);
    bytes.div_ceil(step) * step
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn sizes_are_few_and_close() {
        assert_eq!(rounded(0), 256);
        assert_eq!(rounded(257), 512);
        assert_eq!(rounded(1 << 20), 1 << 20);
        for bytes in [1000u64, 5000, 70_000, 1 << 22, (1 << 22) + 4, 999_999_996] {
            let r = rounded(bytes);
            assert!(
                r >= bytes && r.is_multiple_of(4) && (r <= bytes + bytes / 8 || r - bytes <= 256),
                "{bytes} -> {r}"
            );
        }
    }
}
