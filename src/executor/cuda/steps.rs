//! A repeated training step automatically becomes a graph: `tensoryard run --capture-steps`.
//!
//! Launches form a sequence, which ends when something else happens: the host waits, bytes are uploaded, or memory goes back
//! to the driver. A sequence that has been seen twice is captured. After that, launches that match it are held back. When the
//! sequence is complete, it's launched as one graph, after its kernels have got the present arguments. Nothing reads results
//! in between, so no program can tell the difference. A launch that doesn't match, or the end of the sequence, sends the
//! launches that were held back one by one, in order.
//!
//! Two launches match if function and grid are equal; the arguments may differ. Fills with zeros and cuBLAS products are
//! nodes that can't be changed in a graph, so they match only if everything is equal.

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

/// Capturing shorter sequences gains nothing.
const SHORTEST: usize = 4;
/// A sequence that reaches this length ends.
const LONGEST: usize = 8192;
/// How many of the latest sequences are remembered.
const KNOWN: usize = 16;

/// A sequence that was seen.
struct Known {
    nodes: Vec<Node>,
    captured: Option<Captured>,
}

#[derive(Default)]
struct State {
    /// The latest one is last.
    known: Vec<Known>,
    /// The launches of the present sequence so far.
    trail: Vec<Node>,
    /// The known sequence that this one has matched so far, and the launches held back, which come at the end of the
    /// trail.
    matching: Option<usize>,
    held: Vec<Node>,
    /// The number of kernels in each graph that was launched.
    launched: Vec<usize>,
}

/// A device whose repeated sequences of launches become graphs.
pub(super) struct Stepping {
    device: Rc<dyn Device>,
    state: RefCell<State>,
}

/// Whether two nodes match.
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

/// The length of the sequence that `nodes` repeats from beginning to end. If it repeats none, the full length.
fn period(nodes: &[Node]) -> usize {
    // For every prefix, the length of its longest proper prefix that is also its suffix (Knuth, Morris and Pratt,
    // 1977).
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

    /// Handles the next launch.
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
            // Another sequence that begins in the same way, for example when two sets of buffers alternate.
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

    /// Launches the nodes that were held back, one by one.
    fn send_held(&self, state: &mut State) -> Done {
        state.matching = None;
        for mut node in std::mem::take(&mut state.held) {
            node.launch(&*self.device)?;
            state.trail.push(node);
        }
        Ok(())
    }

    /// Ends the sequence: sends the launches that were held back, and remembers or captures the sequence.
    fn end(&self, state: &mut State) -> Done {
        self.send_held(state)?;
        let mut nodes = std::mem::take(&mut state.trail);
        if nodes.len() < SHORTEST {
            return Ok(());
        }
        // If the sequence repeats a shorter one, use that; unless it's too short.
        let part = Some(period(&nodes)).filter(|part| *part >= SHORTEST).unwrap_or(nodes.len());
        let repeated = part < nodes.len();
        nodes.drain(..nodes.len() - part);
        let before = state.known.iter().position(|k| all_same(&k.nodes, &nodes));
        let mut captured = before.and_then(|at| state.known.remove(at).captured);
        if captured.is_none() && (before.is_some() || repeated) {
            captured = self.device.capture(&mut nodes)?;
        } else if let Some(captured) = &captured {
            // The kernels were captured with the arguments of the nodes that are kept with them.
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

    /// Called before anything that isn't a launch.
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
        // Launches that were held back may use it. An error ends the context, so the next call reports it.
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
        // Launches that were held back belong to the previous queue. An error ends the context, so the next call
        // reports it.
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
        // A library is about to queue work of its own, which must come after the launches held back.
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
