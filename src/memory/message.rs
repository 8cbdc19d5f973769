//! The out-of-memory error and its message.
//!
//! Source of the wording: c10/cuda/CUDACachingAllocator.cpp in PyTorch 2.15; for `mps`, messages that users of 2.7 and
//! later reported.

use super::SegmentId;
use crate::device::Device;
use crate::error::Error;

/// The device had no room for another segment, even with the cache empty. All values are bytes at the moment of the
/// failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// The bytes that the tensor asked for.
    pub requested: u64,
    /// The size of the segment that was tried: `requested` after rounding. `None` if that exceeds 1 EB, which is never
    /// tried.
    pub tried: Option<u64>,
    pub capacity: u64,
    /// The bytes that the device had left.
    pub free: u64,
    /// The limit that `set_per_process_memory_fraction` set, if any.
    pub allowed: Option<u64>,
    pub allocated: u64,
    pub reserved: u64,
    /// Cached segments that were given back to make room, with their sizes.
    pub freed_segments: Vec<(SegmentId, u64)>,
}

impl OutOfMemory {
    /// The message of `torch.OutOfMemoryError` on `cuda:{device_index}`.
    pub fn message(&self, device_index: usize) -> String {
        let Some(tried) = self.tried else {
            return "CUDA out of memory. Tried to allocate more than 1EB memory.".into();
        };
        let allowed = self.allowed.map(|a| format!("{} allowed; ", format_size(a))).unwrap_or_default();
        format!(
            "CUDA out of memory. Tried to allocate {}. GPU {device_index} has a total capacity of {} of which {} is free. \
             {allowed}Of the allocated memory {} is allocated by PyTorch, and {} is reserved by PyTorch but unallocated. \
             If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to \
             avoid fragmentation.  See documentation for Memory Management  \
             (https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)",
            format_size(tried),
            format_size(self.capacity),
            format_size(self.free),
            format_size(self.allocated),
            format_size(self.reserved - self.allocated.min(self.reserved)),
        )
    }

    /// The message of the `RuntimeError` on `mps`. Its allocator has one limit, and nothing but this program uses the
    /// GPU.
    fn mps_message(&self) -> String {
        format!(
            "MPS backend out of memory (MPS allocated: {}, other allocations: {}, max allowed: {}). Tried to allocate {} on \
             private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may cause \
             system failure).",
            format_size(self.reserved),
            format_size(0),
            format_size(self.allowed.unwrap_or(self.capacity)),
            format_size(self.tried.unwrap_or(self.requested)),
        )
    }

    /// The error that PyTorch raises on this device.
    pub fn error(&self, device: Device) -> Error {
        if device.is_cuda() {
            Error::out_of_memory(self.message(device.index.map_or(0, |n| usize::from(n.unsigned_abs()))))
        } else {
            Error::runtime(self.mps_message())
        }
    }
}

/// `4.80 GiB`: a size as the allocator's messages show it.
pub fn format_size(bytes: u64) -> String {
    let b = bytes as f64;
    if bytes <= 1 << 10 {
        format!("{bytes} bytes")
    } else if bytes <= 1 << 20 {
        format!("{:.2} KiB", b / 1024.0)
    } else if bytes <= 1 << 30 {
        format!("{:.2} MiB", b / 1_048_576.0)
    } else {
        format!("{:.2} GiB", b / 1_073_741_824.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_switch_unit_above_a_full_one() {
        assert_eq!(format_size(0), "0 bytes");
        assert_eq!(format_size(1024), "1024 bytes");
        assert_eq!(format_size(1025), "1.00 KiB");
        assert_eq!(format_size(1 << 20), "1024.00 KiB");
        assert_eq!(format_size(20 << 20), "20.00 MiB");
        assert_eq!(format_size(85_094_825_984), "79.25 GiB");
    }
}
