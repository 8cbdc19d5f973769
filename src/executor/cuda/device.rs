//! What one GPU does for the executor. There are two implementations: [`super::driver::Gpu`], and an emulated GPU for
//! tests.
//!
//! Work goes to the selected queue, a stream of the device (see [`Streams`]). `download` waits for it.

use std::ffi::{CStr, c_void};

use super::blocks::Segments;
use super::captured::{Captured, Node, Ready};
use super::kernels::Product;
use super::product::Workspace;
use super::source::Family;
use super::streams::Streams;
use crate::executor::{Done, Fault, Precision, Queue};

/// A kernel that is ready to launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function(pub u64);

pub trait Device: Segments + Streams {
    fn name(&self) -> String;

    /// The size of its memory in bytes.
    fn capacity(&self) -> u64;

    fn multiprocessors(&self) -> usize;

    /// Compute capability, major and minor.
    fn capability(&self) -> (i32, i32);

    /// Compiles and loads one instantiation of a family's kernel.
    fn function(&self, family: &Family, name: &str) -> Done<Function>;

    /// Queues a launch. `starts` says where in `words` each argument begins. Both are read before the call returns.
    fn launch(&self, function: Function, grid: [u32; 3], block: u32, words: &mut [u64], starts: &[u16]) -> Done;

    /// Queues a copy to the device. The bytes are read before the call returns.
    fn upload(&self, address: u64, bytes: &[u8]) -> Done;

    /// Waits for the selected queue, and copies from the device.
    fn download(&self, address: u64, out: &mut [u8]) -> Done;

    /// Queues zeros.
    fn zero(&self, address: u64, bytes: u64) -> Done;

    /// Waits for all queued work, on every stream.
    fn synchronize(&self) -> Done;

    /// Makes the device current for libraries that are called from this thread.
    fn enter(&self) -> Done;

    /// The CUDA stream of a queue, for such libraries.
    fn stream(&self, queue: Queue) -> *mut c_void;

    /// Where kernels report faults: the pointers of a `Faults` argument.
    fn faults(&self) -> [u64; 2];

    /// Waits, and returns the fault reported since the last call.
    fn take_fault(&self) -> Option<Fault>;

    fn has_products(&self) -> bool;

    /// Whether a product can add a bias row itself, if it may use this many bytes.
    fn adds_bias(&self, product: &Product, precision: Precision, bytes: usize) -> Done<bool>;

    /// Queues a matrix product, in memory lent for it. Only if [`Device::has_products`]; with a bias row, only if
    /// [`Device::adds_bias`].
    fn product(&self, product: &Product, precision: Precision, lent: Workspace) -> Done;

    /// Captures the work of `nodes` in one graph; `None` if the device has no graphs.
    fn capture(&self, _nodes: &mut [Node]) -> Done<Option<Captured>> {
        Ok(None)
    }

    /// Replaces the arguments of one launch in a captured graph.
    fn update(&self, _graph: &Captured, _index: usize, _launch: &mut Ready) -> Done {
        Err(Fault::Unsupported("graphs on this device".into()))
    }

    /// Queues a captured graph.
    fn launch_captured(&self, _graph: &Captured) -> Done {
        Err(Fault::Unsupported("graphs on this device".into()))
    }

    /// Writes a captured graph as a DOT file; if `verbose`, with everything that the driver knows about its nodes.
    fn dump(&self, _graph: &Captured, _path: &CStr, _verbose: bool) -> Done {
        Err(Fault::Unsupported("graphs on this device".into()))
    }

    /// Destroys a captured graph. Launches of it that are running continue.
    fn forget(&self, _graph: Captured) {}

    /// The number of kernels in each graph that the device has made and launched on its own since the last call.
    fn take_steps(&self) -> Vec<usize> {
        Vec::new()
    }
}

/// The `Fault` of `shaders/prelude.cu`: what, (unused), index, dimension, size.
pub(crate) fn fault_of(words: [u64; 4]) -> Option<Fault> {
    let [what, index, dim, size] = words;
    match what as u32 {
        1 => Some(Fault::IndexOutOfBounds { index: index as i64, dim: dim as usize, size: size as usize }),
        2 => Some(Fault::TargetOutOfBounds { target: index as i64, classes: size as usize }),
        3 => Some(Fault::ZeroDivision),
        _ => None,
    }
}
