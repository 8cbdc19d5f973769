//! What the engine notices beside the event stream: things that PyTorch allows and that a learner seldom means. They are
//! gathered only while someone wants to explain the program, and each costs a flag's test where it could arise.

use crate::device::Device;
use crate::trace::StorageId;

/// One thing noticed. Lines are the learner's, from 1; 0 when unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clue {
    /// Two devices of one type were compared and found unequal because one has no index, or because one is text.
    DevicesCompared { line: u32, device: Device, with: String },
    /// `.grad` of a result of `.to()` was asked for. `created` is the line that made the result.
    GradOfMoved { line: u32, created: u32, device: Device, shape: Vec<usize>, bytes: usize },
    /// The host read a tensor whose copy from a device nobody had waited for. `copied` is the line of the copy.
    ReadEarly { line: u32, copied: u32, storage: StorageId },
    /// A kernel on an accelerator met an index that does not exist; the error is raised later.
    OutOfBounds { line: u32, index: i64, size: usize },
    /// `CUDA_VISIBLE_DEVICES` got this value after CUDA had looked for its devices, in `line`.
    HiddenLate { line: u32, value: String },
    /// Single elements of one tensor on an accelerator were read one after the other.
    ReadPiecewise { line: u32, storage: StorageId, device: Device, elements: usize, reads: usize },
    /// One line asked an accelerator for numbers again and again, and the host waited for its kernels each time: `reads` counts
    /// how often it asked, `waits` the waits that PyTorch makes for it.
    WaitedOften { line: u32, device: Device, reads: u64, waits: u64 },
}

/// No program needs more to be explained, and none can fill the memory with them.
pub(super) const KEPT: usize = 256;
