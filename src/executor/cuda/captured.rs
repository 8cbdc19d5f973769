//! CUDA graphs: launches that the executor recorded, and the driver's graphs made from them.
//!
//! A kernel is lowered when it is recorded. So its scratch memory is given back and reused within the graph, and modules
//! are loaded and tables uploaded before the driver captures. The driver then sees one capture of a stream that contains
//! nothing a capture forbids.

use std::ffi::{CStr, CString, c_void};
use std::rc::Rc;

use cudarc::driver::{DriverError, result, sys};
use smallvec::SmallVec;

use super::blocks::{CudaBuffer, Pool};
use super::device::{Device, Function};
use super::kernels::Product;
use super::product::Workspace;
use crate::executor::recording::Draws;
use crate::executor::{Done, Fault, Precision};
use crate::memory::PoolId;

/// One piece of work for a stream.
pub enum Node {
    Launch(Ready),
    Zero {
        address: u64,
        bytes: u64,
    },
    /// A product by the vendor's library, in memory lent for it.
    Product {
        product: Product,
        precision: Precision,
        lent: Workspace,
    },
}

/// A launch with its arguments.
pub struct Ready {
    pub function: Function,
    pub grid: [u32; 3],
    pub block: u32,
    pub words: SmallVec<[u64; 32]>,
    /// Where each argument begins in `words`.
    pub starts: SmallVec<[u16; 16]>,
    /// For a draw: where in `words` the generator's seed and its offset (divided by four) are, and the offset at recording.
    pub draw: Option<(u16, u64)>,
}

impl Node {
    /// Queues it.
    pub fn launch(&mut self, device: &dyn Device) -> Done {
        match self {
            Node::Launch(r) => device.launch(r.function, r.grid, r.block, &mut r.words, &r.starts),
            Node::Zero { address, bytes } => device.zero(*address, *bytes),
            Node::Product { product, precision, lent } => device.product(product, *precision, *lent),
        }
    }

    /// Sets the place in the generator's stream where the draws of a replay begin.
    fn set_draws(&mut self, draws: Draws) {
        if let Node::Launch(Ready { words, draw: Some((at, offset)), .. }) = self {
            let at = usize::from(*at);
            words[at] = draws.seed;
            words[at + 1] = offset.wrapping_add(draws.offset) / 4;
        }
    }

    fn draws(&self) -> bool {
        matches!(self, Node::Launch(Ready { draw: Some(_), .. }))
    }
}

/// Handles of the driver: a graph, its instance, and the node of each launch.
pub struct Captured {
    graph: sys::CUgraph,
    instance: sys::CUgraphExec,
    nodes: Vec<sys::CUgraphNode>,
}

/// The state of a recording.
pub(super) struct Building {
    pub nodes: Vec<Node>,
    /// Memory that was filled while recording. No kernel of the graph may use it for anything else.
    pub tables: Vec<CudaBuffer>,
    pub pool: Held,
}

/// A private pool in use. Dropping this releases its memory.
pub(super) struct Held {
    pool: Rc<Pool>,
    pub id: PoolId,
}

impl Held {
    pub(super) fn new(pool: Rc<Pool>, id: PoolId) -> Held {
        pool.retain(id);
        Held { pool, id }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.pool.release_private(self.id);
    }
}

/// A graph that can be launched.
pub(super) struct Graph {
    device: Rc<dyn Device>,
    nodes: Vec<Node>,
    /// `None` if the device has no graphs. Then its nodes are launched one by one.
    captured: Option<Captured>,
    draws: Option<Draws>,
    _tables: Vec<CudaBuffer>,
    _pool: Held,
}

impl Graph {
    /// # Errors
    /// The driver's error.
    pub(super) fn new(device: Rc<dyn Device>, building: Building) -> Done<Graph> {
        let Building { mut nodes, tables, pool } = building;
        let captured = device.capture(&mut nodes)?;
        Ok(Graph { device, nodes, captured, draws: None, _tables: tables, _pool: pool })
    }

    /// # Errors
    /// The driver's error.
    pub(super) fn launch(&mut self, draws: Draws) -> Done {
        let device = &*self.device;
        if self.draws.replace(draws) != Some(draws) {
            for (index, node) in self.nodes.iter_mut().enumerate().filter(|(_, node)| node.draws()) {
                node.set_draws(draws);
                if let (Some(captured), Node::Launch(ready)) = (&self.captured, node) {
                    device.update(captured, index, ready)?;
                }
            }
        }
        match &self.captured {
            Some(captured) => device.launch_captured(captured),
            None => self.nodes.iter_mut().try_for_each(|node| node.launch(device)),
        }
    }

    /// Writes it as a DOT file, in the form that the driver captured.
    ///
    /// # Errors
    /// A device without graphs; a file that can't be written.
    pub(super) fn dump(&self, path: &str, verbose: bool) -> Done {
        let Some(captured) = &self.captured else {
            return Err(Fault::Unsupported("writing down a graph that is not the driver's own".into()));
        };
        let path = CString::new(path).map_err(|_| Fault::Refused("embedded null byte".into()))?;
        self.device.dump(captured, &path, verbose)
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        if let Some(captured) = self.captured.take() {
            self.device.forget(captured);
        }
    }
}

/// Calls `give` for each of `count` nodes, captures what it launches on `stream`, and instantiates the graph.
///
/// # Safety
/// The stream is valid and its context is current.
pub(super) unsafe fn capture(
    stream: sys::CUstream,
    count: usize,
    mut give: impl FnMut(usize) -> Done,
    say: impl Fn(DriverError) -> Fault,
) -> Done<Captured> {
    // SAFETY (all): handles from the driver, used while they're valid; every capture that begins is ended.
    unsafe {
        // Only launches happen before the capture ends, so there is nothing to forbid.
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        result::stream::begin_capture(stream, mode).map_err(&say)?;
        let mut nodes = Vec::with_capacity(count);
        let given = (0..count).try_for_each(|index| {
            give(index)?;
            nodes.push(latest(stream).map_err(&say)?);
            Ok(())
        });
        let ended = result::stream::end_capture(stream).map_err(&say);
        let graph = match (given, ended) {
            (Ok(()), Ok(graph)) => graph,
            (given, ended) => {
                if let Ok(graph) = ended
                    && !graph.is_null()
                {
                    let _ = result::graph::destroy(graph);
                }
                return Err(given.err().or(ended.err()).unwrap_or(Fault::Interrupted));
            }
        };
        // PyTorch uses the same flag: memory that a library takes inside the graph is given back before the next
        // launch.
        let flags = sys::CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
        match result::graph::instantiate(graph, flags) {
            Ok(instance) => Ok(Captured { graph, instance, nodes }),
            Err(error) => {
                let _ = result::graph::destroy(graph);
                Err(say(error))
            }
        }
    }
}

/// The latest node of a capturing stream.
///
/// # Safety
/// As for [`capture`].
unsafe fn latest(stream: sys::CUstream) -> Result<sys::CUgraphNode, DriverError> {
    let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    let (mut id, mut graph, mut nodes, mut count) = (0, std::ptr::null_mut(), std::ptr::null(), 0);
    // SAFETY: writes only to the pointers it gets; the list belongs to the stream until its next call.
    unsafe {
        sys::cuStreamGetCaptureInfo_v2(stream, &mut status, &mut id, &mut graph, &mut nodes, &mut count).result()?;
        match count {
            0 => Ok(std::ptr::null_mut()),
            _ => Ok(*nodes),
        }
    }
}

impl Captured {
    /// Replaces a launch's arguments, for all later launches of the graph.
    ///
    /// # Safety
    /// The context is current, and the arguments have the kernel's types.
    pub unsafe fn update(&self, index: usize, ready: &mut Ready) -> Result<(), DriverError> {
        let words = &mut ready.words;
        let mut arguments: SmallVec<[*mut c_void; 24]> =
            ready.starts.iter().map(|&s| (&raw mut words[s as usize]).cast()).collect();
        let [x, y, z] = ready.grid;
        let parameters = sys::CUDA_KERNEL_NODE_PARAMS {
            func: ready.function.0 as sys::CUfunction,
            gridDimX: x,
            gridDimY: y,
            gridDimZ: z,
            blockDimX: ready.block,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: 0,
            kernelParams: arguments.as_mut_ptr(),
            extra: std::ptr::null_mut(),
            kern: std::ptr::null_mut(),
            ctx: std::ptr::null_mut(),
        };
        // SAFETY: our handles; the arguments are copied before it returns.
        unsafe { sys::cuGraphExecKernelNodeSetParams_v2(self.instance, self.nodes[index], &parameters) }.result()
    }

    /// Writes the captured graph as a DOT file.
    ///
    /// # Safety
    /// The context is current.
    pub(crate) unsafe fn dump(&self, path: &CStr, verbose: bool) -> Result<(), DriverError> {
        let all = sys::CUgraphDebugDot_flags::CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE as u32;
        // SAFETY: our graph, and a string that ends with a zero byte.
        unsafe { sys::cuGraphDebugDotPrint(self.graph, path.as_ptr(), if verbose { all } else { 0 }) }.result()
    }

    /// # Safety
    /// The stream is valid and its context is current; the memory that the graph uses is allocated.
    pub unsafe fn launch(&self, stream: sys::CUstream) -> Result<(), DriverError> {
        // SAFETY: the caller's promise.
        unsafe { result::graph::launch(self.instance, stream) }
    }

    /// # Safety
    /// The context is current. Launches that are running continue.
    pub(crate) unsafe fn destroy(self) {
        // SAFETY: ours, and destroyed once. The next call reports an error, if there is one.
        unsafe {
            let _ = result::graph::exec_destroy(self.instance);
            let _ = result::graph::destroy(self.graph);
        }
    }
}
