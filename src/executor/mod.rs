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
pub mod graph;
pub mod kernel;
pub mod links;
pub mod queue;
#[cfg(feature = "webgpu")]
pub mod webgpu;

use std::any::Any;
use std::rc::Rc;

pub use kernel::*;
use links::Links;
pub use queue::{Mark, Pinned, Queue};

use crate::dtype::DType;
use graph::{Draws, GraphPool, Listed, Recording};

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
    pub fn seen_as(&self, dtype: DType, numel: usize) -> Buffer {
        Buffer { inner: self.inner.clone(), numel, dtype }
    }

    /// The executor's own representation.
    pub fn downcast<T: 'static>(&self) -> Option<&T> {
        self.inner.downcast_ref()
    }
}

/// Why a kernel or a copy did not happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// An index read from a tensor lies outside `0..size`. Executors that run asynchronously report it from
    /// [`Executor::synchronize`] or [`Executor::read`].
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
pub fn workspace_bytes(capability: (i32, i32)) -> usize {
    match capability.0 {
        9 => 32 << 20,
        _ => (4096 * 2 + 16 * 8) << 10,
    }
}

/// A device's hardware.
///
/// Kernels launched on one executor run in order, or, where it has several queues, those launched on one queue. A launch may
/// return before the work is done; `read`, `synchronize` and `keep_pace` wait. No borrow may be held by a caller across them:
/// in the page they suspend the whole stack.
pub trait Executor: Any {
    /// `cpu`, `webgpu`, `cuda`.
    fn name(&self) -> &'static str;

    /// The hardware's own name.
    fn hardware(&self) -> String;

    /// Whether this is an NVIDIA card. Where it isn't, the cards of a machine are simulated, and their names say so.
    fn is_card(&self) -> bool {
        false
    }

    /// Whether its kernels can turn elements of this dtype into those of another.
    fn converts(&self, _dtype: DType) -> bool {
        true
    }

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

    /// Waits while more is queued than the host may be ahead of the device by; asks `stop`, which may suspend too, while it
    /// does. Asked for after every launch and every write, with no borrow held by a caller. Hardware whose driver holds a
    /// launch back by itself, as CUDA's does, has nothing to add.
    ///
    /// # Errors
    /// [`Fault::Interrupted`] where `stop` answers true; the device is lost.
    fn keep_pace(&self, _stop: &dyn Fn() -> bool) -> Done {
        Ok(())
    }

    /// A further queue, whose work may run beside that of others; those of a lower `priority` go first. An executor with one
    /// queue answers with that: in it everything runs in order, which is allowed.
    fn queue(&self, _priority: i32) -> Done<Queue> {
        Ok(Queue::default())
    }

    /// A queue that is a stream of another library's, by the hardware's handle. Whoever made it keeps it and destroys it.
    ///
    /// # Errors
    /// A handle of no stream of this device, where the hardware can tell; an executor without queues.
    fn foreign_queue(&self, _handle: u64) -> Done<Queue> {
        Err(Fault::Unsupported("a stream that another library made".into()))
    }

    /// The hardware's handle of a queue, by which other libraries know it.
    fn handle(&self, _queue: Queue) -> Option<u64> {
        None
    }

    /// What is allocated, written, read and launched from now on belongs to this queue.
    fn select(&self, _queue: Queue) {}

    /// As [`Executor::synchronize`], for the selected queue alone.
    fn synchronize_queue(&self) -> Done {
        self.synchronize()
    }

    /// Whether all that the selected queue was given is done.
    fn is_idle(&self) -> Done<bool> {
        Ok(true)
    }

    /// A mark behind all that the selected queue was given, with its time if `timed`. `None` where there is one queue.
    fn mark(&self, _timed: bool) -> Done<Option<Rc<dyn Mark>>> {
        Ok(None)
    }

    /// What the selected queue is given from now on runs after a mark, which another device may have made.
    fn wait_for(&self, _mark: &dyn Mark) -> Done {
        Ok(())
    }

    /// The selected queue uses a buffer that belongs to another one: freed, its memory is not used again before all that this
    /// queue was given until then is done.
    fn share(&self, _buffer: &Buffer) {}

    /// Reports what is known to have gone wrong, without waiting.
    fn check(&self) -> Done {
        Ok(())
    }

    /// Page-locked memory of the host. `None` where the device has no use for it.
    fn pin(&self, _bytes: usize) -> Done<Option<Pinned>> {
        Ok(None)
    }

    /// A buffer in page-locked memory: only of an executor whose memory is the host's.
    fn adopt(&self, _memory: Pinned, _numel: usize, _dtype: DType) -> Done<Buffer> {
        Err(Fault::Unsupported("page-locked memory as a buffer".into()))
    }

    /// The page-locked memory that a buffer lies in.
    fn pinned<'a>(&self, _buffer: &'a Buffer) -> Option<&'a Pinned> {
        None
    }

    /// Queues a copy of `bytes` bytes from page-locked memory, `at` bytes from its start, to elements `offset..` of a buffer.
    /// They are read when the copy runs. `false` where it has to be written at once.
    fn write_later(&self, _buffer: &Buffer, _offset: usize, _from: &Pinned, _at: usize, _bytes: usize) -> Done<bool> {
        Ok(false)
    }

    /// Queues a copy to page-locked memory, whose bytes change when the copy runs. `false` where it has to be read at once.
    fn read_later(&self, _buffer: &Buffer, _offset: usize, _to: &Pinned, _at: usize, _bytes: usize) -> Done<bool> {
        Ok(false)
    }

    /// Queues a copy of `bytes` bytes from a queue's buffer here, from an element on, to one of another device: after what
    /// either queue was given before, and before what it is given later. `false` where the bytes have to go through the host.
    fn send(
        &self,
        _from: (Queue, &Buffer, usize),
        _other: &dyn Executor,
        _to: (Queue, &Buffer, usize),
        _bytes: usize,
    ) -> Done<bool> {
        Ok(false)
    }

    /// As [`Executor::allocate`], for a tensor of a graph: an executor that decides itself where memory lies takes it from that
    /// pool.
    fn allocate_in(&self, numel: usize, dtype: DType, _pool: GraphPool) -> Done<Buffer> {
        self.allocate(numel, dtype)
    }

    /// Begins a graph, whose memory comes from `pool`. Work may go on beside it; nothing is launched by recording.
    fn begin_graph(&self, _pool: GraphPool) -> Done<Recording> {
        Ok(Recording::new(Listed::default()))
    }

    /// Adds a kernel to a graph in place of launching it.
    fn record(&self, graph: &mut Recording, kernel: &Kernel<'_>) -> Done {
        graph.own_mut::<Listed>()?.keep(kernel);
        Ok(())
    }

    /// Makes a graph ready for replays.
    fn end_graph(&self, graph: Recording) -> Done<Recording> {
        Ok(graph)
    }

    /// Queues all of a graph's kernels, in order; its draws begin at `draws`.
    fn replay(&self, graph: &Recording, draws: Draws) -> Done {
        graph.own::<Listed>()?.each(draws, |kernel| self.launch(kernel))
    }

    /// Writes a graph that is ready for replays as a file in the DOT language, with all that is known of its nodes if
    /// `verbose`.
    ///
    /// # Errors
    /// A graph that is none of the hardware's; a file that cannot be written.
    fn dump_graph(&self, _graph: &Recording, _path: &str, _verbose: bool) -> Done {
        Err(Fault::Unsupported("writing down a graph that is not the hardware's own".into()))
    }

    /// Kernels of each graph that the executor made by itself, of launches that repeat, and launched since the last call.
    fn take_steps(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Gives memory that waits to be used again back to the hardware.
    fn release_cache(&self) {}

    /// Compute capability of the NVIDIA GPU that it is; that of an A100 where one is simulated.
    fn capability(&self) -> (i32, i32) {
        (8, 0)
    }

    /// How exactly products and convolutions have to be computed from now on. An executor may be more exact.
    fn set_precision(&self, _precision: Precision) {}

    /// Whether it can be linked to the devices of other processes; if not, a sentence that says what is missing.
    fn can_link(&self) -> std::result::Result<(), String> {
        Err(format!("the executor '{}' cannot be linked to other processes", self.name()))
    }

    /// What one of several processes makes, and all of them are given, to link their devices.
    fn link_id(&self) -> Done<Vec<u8>> {
        self.can_link().map_err(Fault::Unsupported).map(|()| Vec::new())
    }

    /// Links this device, as that of `rank` of `size` processes, to those of the others: waits for all of them.
    fn link(&self, _id: &[u8], _rank: usize, _size: usize) -> Done<Rc<dyn Links>> {
        Err(Fault::Unsupported(format!("links of the executor '{}'", self.name())))
    }

    /// The bytes of a buffer if the host can read them in place.
    fn host_bytes<'a>(&self, _buffer: &'a Buffer) -> Option<&'a [u8]> {
        None
    }
}
