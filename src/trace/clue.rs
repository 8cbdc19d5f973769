//! What the engine notices in addition to the event stream: things that PyTorch allows but a learner seldom intends.
//! They're collected only while the program may have to be explained. Otherwise each costs the test of a flag.

use crate::device::Device;
use crate::trace::StorageId;

/// One observation. Lines are those of the learner's program, counted from 1; 0 if unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clue {
    /// Two devices of one type compared unequal because one has no index, or because one is a string.
    DevicesCompared { line: u32, device: Device, with: String },
    /// The program read `.grad` of a result of `.to()`. `created` is the line that made the result.
    GradOfMoved { line: u32, created: u32, device: Device, shape: Vec<usize>, bytes: usize },
    /// The host read a tensor while nothing had waited for its copy from a device. `copied` is the line of the copy.
    ReadEarly { line: u32, copied: u32, storage: StorageId },
    /// A kernel on an accelerator used an index that doesn't exist. The error is raised later.
    OutOfBounds { line: u32, index: i64, size: usize },
    /// `CUDA_VISIBLE_DEVICES` got this value after CUDA had looked for its devices in `line`.
    HiddenLate { line: u32, value: String },
    /// Single elements of one tensor on an accelerator were read one after the other.
    ReadPiecewise { line: u32, storage: StorageId, device: Device, elements: usize, reads: usize },
    /// One line read numbers from an accelerator again and again, and the host waited for its kernels each time. `reads` counts
    /// the reads, `waits` the waits that PyTorch makes for them.
    WaitedOften { line: u32, device: Device, reads: u64, waits: u64 },
}

/// No program needs more than this to be explained, and with this limit none can fill the memory with them.
pub(super) const KEPT: usize = 256;
