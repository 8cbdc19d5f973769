//! What a device can do: allocate, move bytes, launch kernels, wait.
//!
//! Operators (`ops`) lower PyTorch's semantics to [`Kernel`]s; an executor runs them on its hardware. Shapes, dtypes,
//! broadcasting, the same-device rule and error texts are settled before a kernel exists, so an executor only computes.
//! It never asks another executor for help: what it cannot do it refuses with [`Fault::Unsupported`].

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
pub use queue::{Mark, Queue, Queues};
pub use recording::Graphs;

use crate::dtype::DType;

/// Memory of one storage, as its executor keeps it. Cheap to clone; freed with the last clone.
#[derive(Clone)]
pub struct Buffer {
    inner: Rc<dyn Any>,
    /// Elements it holds.
    pub numel: usize,
    pub dtype: DType,
}

impl Buffer {
    pub fn new(inner: Rc<dyn Any>, numel: usize, dtype: DType) -> Buffer {
        Buffer { inner, numel, dtype }
    }

    /// The same memory as `numel` elements of another dtype, whose elements lie in it as those of this one do.
    pub(crate) fn seen_as(&self, dtype: DType, numel: usize) -> Buffer {
        Buffer { inner: self.inner.clone(), numel, dtype }
    }

    /// The executor's own representation.
    pub(crate) fn downcast<T: 'static>(&self) -> Option<&T> {
        self.inner.downcast_ref()
    }
}

/// Why a kernel or a copy did not happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// An index read from a tensor lies outside `0..size`. Executors that run asynchronously report it from
    /// [`Compute::synchronize`] or [`Compute::read`].
    IndexOutOfBounds { index: i64, dim: usize, size: usize },
    /// A class index outside the classes: `nll_loss`.
    TargetOutOfBounds { target: i64, classes: usize },
    /// Integer division or remainder by zero.
    ZeroDivision,
    /// This executor has no such kernel for these dtypes.
    Unsupported(String),
    /// The hardware has no memory left for the buffer (beneath the planner's capacity).
    OutOfMemory { bytes: usize },
    /// The device is gone; every buffer with it.
    Lost(String),
    /// The driver refuses what it was asked, in its own words; nothing else is affected.
    Refused(String),
    /// Stop was pressed while waiting.
    Interrupted,
}

pub type Done<T = ()> = Result<T, Fault>;

/// How exactly products and convolutions have to be computed; by default as PyTorch does where a program sets nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precision {
    /// Products of float32 may be computed in TF32.
    pub products_in_tf32: bool,
    /// Convolutions of float32 may be computed in TF32.
    pub convolutions_in_tf32: bool,
    /// Partial sums of products of float16 and of bfloat16 may be added in these types.
    pub float16: Reduction16,
    pub bfloat16: Reduction16,
    /// Products of float16 may add in float16 throughout.
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

/// How a product of 16-bit floats may add what several blocks made of one element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction16 {
    /// In the 16-bit type.
    #[default]
    Reduced,
    /// In float32.
    Exact,
    /// Not at all: the inner dimension is not split.
    Whole,
}

/// Bytes that PyTorch 2.15 gives cuBLAS to work in: its `CUBLAS_WORKSPACE_CONFIG` is `:4096:2:16:8`, in KiB, where nobody sets
/// it; on Hopper it is 32 MiB.
pub(crate) fn workspace_bytes(capability: (i32, i32)) -> usize {
    match capability.0 {
        9 => 32 << 20,
        _ => (4096 * 2 + 16 * 8) << 10,
    }
}

/// A device's hardware: what it computes with, and what it can do besides.
///
/// A new executor writes the eight methods of [`Compute`] that have no default, and an empty `impl` of each of the others:
/// [`Queues`], [`HostMemory`], [`Graphs`] and [`Linkable`]. Their defaults are right for hardware that has one queue and
/// nothing more; what it does have, it says there.
pub trait Executor: Compute + Queues + HostMemory + Graphs + Linkable {}

impl<T: Compute + Queues + HostMemory + Graphs + Linkable> Executor for T {}

/// Memory, kernels and waiting.
///
/// Kernels launched on one executor run in order, or, where it has several queues, those launched on one queue. A launch may
/// return before the work is done; `read`, `synchronize` and `keep_pace` wait. No borrow may be held by a caller across them:
/// in the page they suspend the whole stack.
pub trait Compute: Any {
    /// `cpu`, `webgpu`, `cuda`.
    fn name(&self) -> &'static str;

    /// The hardware's own name.
    fn hardware(&self) -> String;

    /// True if launches may return before the work is done.
    fn is_async(&self) -> bool;

    /// Uninitialised memory for `numel` elements of `dtype`. How they lie is the executor's affair: one without byte
    /// access may keep a `bool` in a word. `numel` may be 0.
    fn allocate(&self, numel: usize, dtype: DType) -> Done<Buffer>;

    /// Copies host bytes (PyTorch's layout, little-endian, dense) to elements `offset..` of a buffer.
    /// The bytes are taken before it returns.
    fn write(&self, buffer: &Buffer, offset: usize, bytes: &[u8]) -> Done;

    /// Waits for the selected queue, then copies elements `offset..` to host bytes (PyTorch's layout); `out.len()` decides how many.
    fn read(&self, buffer: &Buffer, offset: usize, out: &mut [u8]) -> Done;

    /// Queues a kernel. Views may overlap only where the kernel says so.
    fn launch(&self, kernel: &Kernel<'_>) -> Done;

    /// Waits for everything queued, and reports what went wrong since the last call.
    fn synchronize(&self) -> Done;

    // ---- what most hardware has nothing to say of ---------------------------------------------------------------------

    /// Whether this is an NVIDIA card. Where it isn't, the cards of a machine are simulated, and their names say so.
    fn is_card(&self) -> bool {
        false
    }

    /// Whether its kernels can turn elements of this dtype into those of another.
    fn converts(&self, _dtype: DType) -> bool {
        true
    }

    /// Waits while more is queued than the host may be ahead of the device by; asks `stop`, which may suspend too, while it
    /// does. Asked for after every launch and every write, with no borrow held by a caller. Hardware whose driver holds a
    /// launch back by itself, as CUDA's does, has nothing to add.
    ///
    /// # Errors
    /// [`Fault::Interrupted`] where `stop` answers true; the device is lost.
    fn keep_pace(&self, _stop: &dyn Fn() -> bool) -> Done {
        Ok(())
    }

    /// Reports what is known to have gone wrong, without waiting.
    fn check(&self) -> Done {
        Ok(())
    }

    /// Gives memory that waits to be used again back to the hardware.
    fn release_cache(&self) {}

    /// Compute capability of the NVIDIA GPU that it is; that of an A100 where one is simulated.
    fn capability(&self) -> (i32, i32) {
        (8, 0)
    }

    /// How exactly products and convolutions have to be computed from now on. An executor may be more exact.
    fn set_precision(&self, _precision: Precision) {}
}
