//! What a device can do: allocate, move bytes, launch kernels, wait.
//!
//! Operators (`ops`) lower PyTorch's semantics to [`Kernel`]s, and an executor runs them on its hardware. Shapes, dtypes,
//! broadcasting, the same-device rule and error messages are settled before a kernel exists, so an executor only computes. It
//! never asks another executor for help: it refuses what it can't do with [`Fault::Unsupported`].

pub mod complex;
pub mod cpu;
#[cfg(all(feature = "cuda", not(target_arch = "wasm32")))]
pub mod cuda;
#[cfg(test)]
pub mod every;
pub mod host_memory;
pub mod kernel;
pub mod links;
pub mod queue;
pub mod recording;
#[cfg(feature = "webgpu")]
pub mod webgpu;

use std::any::Any;
use std::rc::Rc;

pub use host_memory::{HostMemory, Pinned};
pub use kernel::*;
pub use links::Linkable;
pub use queue::{Mark, Queue, Queues, Stamp};
pub use recording::Graphs;

use crate::dtype::DType;

/// Memory of one storage, in its executor's own form. Cheap to clone; freed with the last clone.
#[derive(Clone)]
pub struct Buffer {
    inner: Rc<dyn Any>,
    /// The number of elements.
    pub numel: usize,
    pub dtype: DType,
}

impl Buffer {
    pub fn new(inner: Rc<dyn Any>, numel: usize, dtype: DType) -> Buffer {
        Buffer { inner, numel, dtype }
    }

    /// The same memory as `numel` elements of another dtype, whose elements have the same form in memory.
    pub(crate) fn seen_as(&self, dtype: DType, numel: usize) -> Buffer {
        Buffer { inner: self.inner.clone(), numel, dtype }
    }

    /// The executor's own representation.
    pub(crate) fn downcast<T: 'static>(&self) -> Option<&T> {
        self.inner.downcast_ref()
    }
}

/// Why a kernel or a copy failed.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// An index that was read from a tensor is outside `0..size`. Executors that run asynchronously report it from
    /// [`Compute::synchronize`] or [`Compute::read`].
    IndexOutOfBounds { index: i64, dim: usize, size: usize },
    /// A class index outside the classes: `nll_loss`.
    TargetOutOfBounds { target: i64, classes: usize },
    /// Integer division or remainder by zero.
    ZeroDivision,
    /// This executor has no such kernel for these dtypes.
    Unsupported(String),
    /// The hardware has no memory left for the buffer, although the planner had.
    OutOfMemory { bytes: usize },
    /// The device is gone, and with it every buffer.
    Lost(String),
    /// The driver refuses a call, with its own message; nothing else is affected.
    Refused(String),
    /// Stop was pressed while waiting.
    Interrupted,
}

pub type Done<T = ()> = Result<T, Fault>;

/// The precision that products and convolutions must have. The default is PyTorch's, for a program that sets nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precision {
    /// Products of float32 may be computed in TF32.
    pub products_in_tf32: bool,
    /// Convolutions of float32 may be computed in TF32.
    pub convolutions_in_tf32: bool,
    /// Partial sums of products of float16 and of bfloat16 may be added in these types.
    pub float16: Reduction16,
    pub bfloat16: Reduction16,
    /// Products of float16 may do all their additions in float16.
    pub float16_throughout: bool,
}

impl Default for Precision {
    fn default() -> Precision {
        Precision {
            products_in_tf32: false,
            convolutions_in_tf32: true,
            float16: Reduction16::Reduced,
            bfloat16: Reduction16::Reduced,
            float16_throughout: false,
        }
    }
}

/// How a product of 16-bit floats may add the parts of one element that several blocks have computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction16 {
    /// In the 16-bit type.
    #[default]
    Reduced,
    /// In float32.
    Exact,
    /// There are no parts: the inner dimension isn't split.
    Whole,
}

/// How many bytes of workspace PyTorch 2.15 gives cuBLAS: the default `CUBLAS_WORKSPACE_CONFIG` is `:4096:2:16:8`, in KiB; on
/// Hopper it is 32 MiB.
pub(crate) fn workspace_bytes(capability: (i32, i32)) -> usize {
    match capability.0 {
        9 => 32 << 20,
        _ => (4096 * 2 + 16 * 8) << 10,
    }
}

/// A device's hardware: how it computes, and what else it can do.
///
/// A new executor implements the eight methods of [`Compute`] that have no default, and has an `impl` of each of the others:
/// [`Queues`], [`HostMemory`], [`Graphs`] and [`Linkable`]. Those may be empty: their defaults are right for hardware with
/// one queue and nothing more.
pub trait Executor: Compute + Queues + HostMemory + Graphs + Linkable {}

impl<T: Compute + Queues + HostMemory + Graphs + Linkable> Executor for T {}

/// Memory, kernels and waiting.
///
/// Kernels launched on one executor run in order; if it has several queues, those launched on one queue do. A launch may
/// return before the work is done; `read`, `synchronize` and `keep_pace` wait. A caller must hold no borrow across these
/// three: in the page they suspend the whole stack.
pub trait Compute: Any {
    /// `cpu`, `webgpu`, `cuda`.
    fn name(&self) -> &'static str;

    /// The hardware's own name.
    fn hardware(&self) -> String;

    /// Whether launches may return before the work is done.
    fn is_async(&self) -> bool;

    /// Uninitialized memory for `numel` elements of `dtype`. The executor decides how they are stored: one without byte
    /// access may use a word for a `bool`. `numel` may be 0.
    fn allocate(&self, numel: usize, dtype: DType) -> Done<Buffer>;

    /// Copies host bytes (PyTorch's layout, little-endian, dense) to elements `offset..` of a buffer. The bytes are
    /// read before the call returns.
    fn write(&self, buffer: &Buffer, offset: usize, bytes: &[u8]) -> Done;

    /// Waits for the selected queue, then copies elements `offset..` to host bytes (PyTorch's layout). `out.len()` says how
    /// many.
    fn read(&self, buffer: &Buffer, offset: usize, out: &mut [u8]) -> Done;

    /// Queues a kernel. Views may overlap only if the kernel's documentation says so.
    fn launch(&self, kernel: &Kernel<'_>) -> Done;

    /// Waits for all queued work, and reports what went wrong since the last call.
    fn synchronize(&self) -> Done;

    // ---- what most hardware has nothing to say of ---------------------------------------------------------------------

    /// Whether this is a real NVIDIA card. If not, the cards of a machine are simulated, and their names say so.
    fn is_card(&self) -> bool {
        false
    }

    /// Whether its kernels can convert elements of this dtype to another one.
    fn converts(&self, _dtype: DType) -> bool {
        true
    }

    /// Whether it has the kernels that decompose matrices and solve triangular systems.
    fn decomposes(&self) -> bool {
        false
    }

    /// Whether the bytes of one dtype can be seen as elements of the other, as in PyTorch's memory.
    fn stores_alike(&self, _one: DType, _other: DType) -> bool {
        true
    }

    /// Waits while more work is queued than the host may be ahead of the device. Meanwhile it calls `stop`, which may suspend
    /// as well. Called after every launch and every write; the caller holds no borrow. Hardware whose driver already holds
    /// back launches, as CUDA's does, has nothing to add.
    ///
    /// # Errors
    /// [`Fault::Interrupted`] if `stop` returns true; the device is lost.
    fn keep_pace(&self, _stop: &dyn Fn() -> bool) -> Done {
        Ok(())
    }

    /// Reports an error that is already known, without waiting.
    fn check(&self) -> Done {
        Ok(())
    }

    /// Gives cached memory back to the hardware.
    fn release_cache(&self) {}

    /// Compute capability of this NVIDIA GPU; for a simulated one, that of an A100.
    fn capability(&self) -> (i32, i32) {
        (8, 0)
    }

    /// The precision that products and convolutions must have from now on. An executor may be more precise.
    fn set_precision(&self, _precision: Precision) {}
}
