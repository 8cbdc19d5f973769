//! A repeated training step becomes a graph by itself: `tensoryard run --capture-steps`.
//!
//! Between two moments at which something else happens (the host waits, bytes are uploaded, memory goes back to the driver)
//! a device is given a sequence of launches. Once one has been seen twice, it is captured; from then on launches that match
//! it are held back and, when it is complete, launched as one graph, whose kernels get the arguments of this time first.
//! Nobody looks in between, so nobody can tell the difference. A launch that does not match, and whatever ends a sequence,
//! sends what was held back as it came, in order.
//!
//! Two launches match if function and grid are the same; arguments may differ. Zeros and cuBLAS products are nodes of the
//! graph that cannot be changed, so they match only if all of theirs is the same.

use std::cell::RefCell;
use std::ffi::{CStr, c_void};
use std::ptr::NonNull;
use std::rc::Rc;

use super::blocks::Segments;
use super::captured::{Captured, Node, Ready};
use super::device::{Device, Function};
use super::kernels::Product;
use super::product::Workspace;
use super::source::Family;
use super::streams::Streams;
use crate::executor::{Done, Fault, Mark, Precision, Queue};

/// Shorter sequences gain nothing.
const SHORTEST: usize = 4;
/// A sequence that has not ended by then ends here.
const LONGEST: usize = 8192;
/// Sequences that are remembered, the latest ones.
const KNOWN: usize = 16;

/// A sequence that was seen.
struct Known {
    nodes: Vec<Node>,
    captured: Option<Captured>,
}

#[derive(Default)]
struct State {
    /// The latest last.
    known: Vec<Known>,
    /// This sequence so far, launched.
    trail: Vec<Node>,
    /// Which known sequence this one has matched so far, and what was held back: it ends the trail.
    matching: Option<usize>,
    held: Vec<Node>,
    /// Kernels of the graphs launched.
    launched: Vec<usize>,
}

/// A device whose repeated sequences of launches become graphs.
pub(super) struct Stepping {
    device: Rc<dyn Device>,
    state: RefCell<State>,
}

/// Whether two nodes are the same place of a sequence.
fn same(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Node::Launch(a), Node::Launch(b)) => {
            (a.function, a.grid, a.block, &a.starts) == (b.function, b.grid, b.block, &b.starts)
                && a.words.len() == b.words.len()
        }
        (Node::Zero { address: a, bytes: m }, Node::Zero { address: b, bytes: n }) => (a, m) == (b, n),
        (Node::Product { product: a, precision: m, lent: k }, Node::Product { product: b, precision: n, lent: l }) => {
            (a, m, k) == (b, n, l)
        }
        _ => false,
    }
}

fn all_same(a: &[Node], b: &[Node]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

/// The length of the sequence that `nodes` repeats from beginning to end; all of it if it repeats none.
fn period(nodes: &[Node]) -> usize {
    // The longest proper beginning that is also an end, for every prefix (Knuth, Morris and Pratt, 1977).
    let mut border = vec![0; nodes.len()];
    for at in 1..nodes.len() {
        let mut length: usize = border[at - 1];
        while length > 0 && !same(&nodes[at], &nodes[length]) {
            length = border[length - 1];
        }
        border[at] = length + usize::from(same(&nodes[at], &nodes[length]));
    }
    let period = nodes.len() - border.last().copied().unwrap_or(0);
    if nodes.len().is_multiple_of(period.max(1)) { period } else { nodes.len() }
}

impl Stepping {
    pub(super) fn new(device: Rc<dyn Device>) -> Stepping {
        Stepping { device, state: RefCell::default() }
    }

    /// Takes the next launch.
    fn take_node(&self, mut node: Node) -> Done {
        let state = &mut *self.state.borrow_mut();
        if state.matching.is_none() && state.trail.is_empty() {
            state.matching = state.known.iter().rposition(|k| k.captured.is_some() && same(&k.nodes[0], &node));
        }
        if let Some(at) = state.matching {
            let known = &state.known[at];
            if same(&known.nodes[state.held.len()], &node) {
                state.held.push(node);
                return if state.held.len() == known.nodes.len() { self.launch_held(state, at) } else { Ok(()) };
            }
            // Another sequence that began alike: buffers may come in turns.
            let so_far = state.held.len();
            let fits = |k: &Known| {
                k.captured.is_some()
                    && k.nodes.len() > so_far
                    && same(&k.nodes[so_far], &node)
                    && all_same(&k.nodes[..so_far], &state.held)
            };
            if let Some(other) = state.known.iter().rposition(fits) {
                state.matching = Some(other);
                state.held.push(node);
                let complete = state.held.len() == state.known[other].nodes.len();
                return if complete { self.launch_held(state, other) } else { Ok(()) };
            }
            self.send_held(state)?;
        }
        node.launch(&*self.device)?;
        state.trail.push(node);
        if state.trail.len() >= LONGEST { self.end(state) } else { Ok(()) }
    }

    /// Launches a complete sequence as a graph.
    fn launch_held(&self, state: &mut State, at: usize) -> Done {
        state.matching = None;
        let held = std::mem::take(&mut state.held);
        let known = &mut state.known[at];
        let Some(captured) = &known.captured else { return Ok(()) };
        let mut kernels = 0;
        for (index, mut node) in held.into_iter().enumerate() {
            if let (Node::Launch(now), Node::Launch(before)) = (&mut node, &known.nodes[index]) {
                kernels += 1;
                if now.words != before.words {
                    self.device.update(captured, index, now)?;
                }
            }
            known.nodes[index] = node;
        }
        kernels += known.nodes.iter().filter(|n| matches!(n, Node::Product { .. })).count();
        self.device.launch_captured(captured)?;
        state.launched.push(kernels);
        Ok(())
    }

    /// Launches what was held back, one after the other.
    fn send_held(&self, state: &mut State) -> Done {
        state.matching = None;
        for mut node in std::mem::take(&mut state.held) {
            node.launch(&*self.device)?;
            state.trail.push(node);
        }
        Ok(())
    }

    /// Ends the sequence: sends what was held back, and remembers or captures it.
    fn end(&self, state: &mut State) -> Done {
        self.send_held(state)?;
        let mut nodes = std::mem::take(&mut state.trail);
        if nodes.len() < SHORTEST {
            return Ok(());
        }
        // A sequence that is another one several times over; one that is too short stays as it came.
        let part = Some(period(&nodes)).filter(|part| *part >= SHORTEST).unwrap_or(nodes.len());
        let repeated = part < nodes.len();
        nodes.drain(..nodes.len() - part);
        let before = state.known.iter().position(|k| all_same(&k.nodes, &nodes));
        let mut captured = before.and_then(|at| state.known.remove(at).captured);
        if captured.is_none() && (before.is_some() || repeated) {
            captured = self.device.capture(&mut nodes)?;
        } else if let Some(captured) = &captured {
            // The arguments that the captured kernels have are those of the nodes kept with them.
            for (index, node) in nodes.iter_mut().enumerate() {
                if let Node::Launch(ready) = node {
                    self.device.update(captured, index, ready)?;
                }
            }
        }
        if state.known.len() >= KNOWN
            && let Some(captured) = state.known.remove(0).captured
        {
            self.device.forget(captured);
        }
        state.known.push(Known { nodes, captured });
        Ok(())
    }

    /// Before anything that isn't a launch.
    fn limit(&self) -> Done {
        self.end(&mut self.state.borrow_mut())
    }
}

impl Drop for Stepping {
    fn drop(&mut self) {
        let state = self.state.get_mut();
        for captured in state.known.drain(..).filter_map(|k| k.captured) {
            self.device.forget(captured);
        }
    }
}

impl Segments for Stepping {
    fn take(&self, bytes: u64) -> Done<Option<u64>> {
        self.device.take(bytes)
    }

    fn give_back(&self, address: u64, bytes: u64) {
        // What was held back may use it. An error ends the context: the next call reports it.
        let _ = self.limit();
        self.device.give_back(address, bytes);
    }

    fn mark(&self, queue: Queue, timed: bool) -> Done<Option<Rc<dyn Mark>>> {
        self.limit()?;
        self.device.mark(queue, timed)
    }

    fn apart(&self) -> bool {
        self.device.apart()
    }
}

impl Streams for Stepping {
    fn queue(&self, priority: i32) -> Done<Queue> {
        self.device.queue(priority)
    }

    fn foreign_queue(&self, handle: u64) -> Done<Queue> {
        self.device.foreign_queue(handle)
    }

    fn select(&self, queue: Queue) {
        // What was held back belongs to the queue before. An error ends the context: the next call reports it.
        let _ = self.limit();
        self.device.select(queue);
    }

    fn synchronize_queue(&self) -> Done {
        self.limit()?;
        self.device.synchronize_queue()
    }

    fn is_idle(&self) -> Done<bool> {
        self.limit()?;
        self.device.is_idle()
    }

    fn wait_for(&self, mark: &dyn Mark) -> Done {
        self.limit()?;
        self.device.wait_for(mark)
    }

    fn take_host(&self, bytes: usize) -> Done<Option<NonNull<u8>>> {
        self.device.take_host(bytes)
    }

    fn give_back_host(&self, at: NonNull<u8>) {
        self.device.give_back_host(at);
    }

    unsafe fn upload_later(&self, address: u64, from: *const u8, bytes: usize) -> Done {
        self.limit()?;
        // SAFETY: the caller's promise.
        unsafe { self.device.upload_later(address, from, bytes) }
    }

    unsafe fn download_later(&self, address: u64, to: *mut u8, bytes: usize) -> Done {
        self.limit()?;
        // SAFETY: the caller's promise.
        unsafe { self.device.download_later(address, to, bytes) }
    }

    fn send(&self, address: u64, other: &dyn Device, target: u64, bytes: usize) -> Done<bool> {
        self.limit()?;
        self.device.send(address, other, target, bytes)
    }

    fn context(&self) -> Option<u64> {
        self.device.context()
    }
}

impl Device for Stepping {
    fn name(&self) -> String {
        self.device.name()
    }

    fn capacity(&self) -> u64 {
        self.device.capacity()
    }

    fn multiprocessors(&self) -> usize {
        self.device.multiprocessors()
    }

    fn capability(&self) -> (i32, i32) {
        self.device.capability()
    }

    fn function(&self, family: &Family, name: &str) -> Done<Function> {
        self.device.function(family, name)
    }

    fn launch(&self, function: Function, grid: [u32; 3], block: u32, words: &mut [u64], starts: &[u16]) -> Done {
        let (words, starts) = ((&*words).into(), starts.into());
        self.take_node(Node::Launch(Ready { function, grid, block, words, starts, draw: None }))
    }

    fn upload(&self, address: u64, bytes: &[u8]) -> Done {
        self.limit()?;
        self.device.upload(address, bytes)
    }

    fn download(&self, address: u64, out: &mut [u8]) -> Done {
        self.limit()?;
        self.device.download(address, out)
    }

    fn zero(&self, address: u64, bytes: u64) -> Done {
        self.take_node(Node::Zero { address, bytes })
    }

    fn synchronize(&self) -> Done {
        self.limit()?;
        self.device.synchronize()
    }

    fn enter(&self) -> Done {
        // A library queues work by itself next, after what was held back.
        self.limit()?;
        self.device.enter()
    }

    fn stream(&self, queue: Queue) -> *mut c_void {
        self.device.stream(queue)
    }

    fn faults(&self) -> [u64; 2] {
        self.device.faults()
    }

    fn take_fault(&self) -> Option<Fault> {
        self.device.take_fault()
    }

    fn has_products(&self) -> bool {
        self.device.has_products()
    }

    fn adds_bias(&self, product: &Product, precision: Precision, bytes: usize) -> Done<bool> {
        self.device.adds_bias(product, precision, bytes)
    }

    fn product(&self, product: &Product, precision: Precision, lent: Workspace) -> Done {
        self.take_node(Node::Product { product: product.clone(), precision, lent })
    }

    fn capture(&self, nodes: &mut [Node]) -> Done<Option<Captured>> {
        self.limit()?;
        self.device.capture(nodes)
    }

    fn update(&self, graph: &Captured, index: usize, launch: &mut Ready) -> Done {
        self.device.update(graph, index, launch)
    }

    fn launch_captured(&self, graph: &Captured) -> Done {
        self.limit()?;
        self.device.launch_captured(graph)
    }

    fn dump(&self, graph: &Captured, path: &CStr, verbose: bool) -> Done {
        self.device.dump(graph, path, verbose)
    }

    fn forget(&self, graph: Captured) {
        self.device.forget(graph);
    }

    fn take_steps(&self) -> Vec<usize> {
        std::mem::take(&mut self.state.borrow_mut().launched)
    }
}
