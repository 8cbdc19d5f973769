//! The backward pass: runs nodes in the reverse order of their creation, each after all its gradients have arrived.

use std::cell::RefCell;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use super::anomaly;
use super::node::edge_of;
use crate::device::Device;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::memory::StreamId;
use crate::tensor::Tensor;
use crate::tensor::modes::{GradMode, is_grad_enabled};
use crate::tensor::node::{Edge, Gradients, Node, Operators};
use crate::trace::profile::SpanKind;

/// Hashes a node's address with a single multiplication, because addresses are already unique.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.0 = self.0 << 8 | u64::from(b);
        }
    }

    fn write_usize(&mut self, address: usize) {
        self.0 = (address as u64 >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type ByNode<T> = HashMap<*const Node, T, BuildHasherDefault<AddressHasher>>;
type Nodes = HashSet<*const Node, BuildHasherDefault<AddressHasher>>;

/// The gradients that have arrived for each output of a node.
type Arrived = Gradients;

struct Ready(Rc<Node>);

impl PartialEq for Ready {
    fn eq(&self, other: &Self) -> bool {
        self.0.sequence == other.0.sequence
    }
}
impl Eq for Ready {}
impl PartialOrd for Ready {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Ready {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.sequence.cmp(&other.0.sequence)
    }
}

/// A backward pass that a program asks for.
#[derive(Clone, Copy, Default)]
pub struct Pass<'a> {
    pub roots: &'a [Tensor],
    /// The gradient of each root. A root without one has a single element, and a gradient of 1.
    pub seeds: &'a [Option<Tensor>],
    /// Keeps what the nodes have saved, for another pass.
    pub retain_graph: bool,
    /// Records the pass itself, for gradients of gradients.
    pub create_graph: bool,
}

impl Pass<'_> {
    /// `torch.autograd.backward`: adds the gradients of the roots to the `.grad` of every leaf.
    ///
    /// # Errors
    /// Roots outside any graph, missing or misshapen gradients, freed graphs, saved tensors that were changed in place.
    pub fn to_leaves(&self, operators: &'static Operators) -> Result<()> {
        let seeds = seed_gradients(operators, self.roots, self.seeds)?;
        Walk::new(self, operators, Goal::Leaves).run(seeds).map(drop)
    }

    /// `torch.autograd.backward(inputs=)`: adds the gradients of the roots to the `.grad` of `inputs` alone. An input that isn't a
    /// leaf keeps its gradient, as after `retain_grad()`.
    ///
    /// # Errors
    /// Those of [`Pass::to_leaves`]; inputs that need no gradient.
    pub fn to_inputs(&self, inputs: &[Tensor], operators: &'static Operators) -> Result<()> {
        let seeds = seed_gradients(operators, self.roots, self.seeds)?;
        inputs.iter().try_for_each(Tensor::retain_grad)?;
        let edges = edges_of(inputs)?;
        Walk::new(self, operators, Goal::Inputs(&edges)).run(seeds).map(drop)
    }

    /// `torch.autograd.grad`: the gradients for `inputs`, without changing any `.grad`. `None` for an input that got no
    /// gradient.
    ///
    /// # Errors
    /// Those of [`Pass::to_leaves`]; inputs that aren't part of the graph, unless `allow_unused`.
    pub fn returned(
        &self,
        inputs: &[Tensor],
        allow_unused: bool,
        operators: &'static Operators,
    ) -> Result<Vec<Option<Tensor>>> {
        let seeds = seed_gradients(operators, self.roots, self.seeds)?;
        let edges = edges_of(inputs)?;
        let found = Walk::new(self, operators, Goal::Returned(&edges)).run(seeds)?;
        match found.iter().position(Option::is_none) {
            Some(i) if !allow_unused => Err(Error::runtime(format!(
                "The differentiated Tensor at index {i} appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior."
            ))),
            _ => Ok(found),
        }
    }
}

fn edges_of(inputs: &[Tensor]) -> Result<Vec<Edge>> {
    let edge = |t| edge_of(t).ok_or_else(|| Error::runtime("One of the differentiated Tensors does not require grad"));
    inputs.iter().map(edge).collect()
}

fn seed_gradients(operators: &Operators, roots: &[Tensor], seeds: &[Option<Tensor>]) -> Result<Vec<Tensor>> {
    let mut out = Vec::new();
    for (i, root) in roots.iter().enumerate() {
        match seeds.get(i).cloned().flatten() {
            Some(g) => {
                if g.shape() != root.shape() {
                    let show = crate::shape::show;
                    return Err(Error::runtime(format!(
                        "Mismatch in shape: grad_output[{i}] has a shape of torch.Size({}) and output[{i}] has a shape of torch.Size({}).",
                        show(&g.shape()),
                        show(&root.shape())
                    )));
                }
                if g.dtype().is_complex() != root.dtype().is_complex() {
                    return Err(Error::runtime(format!(
                        "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: \
                         grad_output[{i}] has a dtype of torch.{} and output[{i}] has a dtype of torch.{}.",
                        g.dtype().name(),
                        root.dtype().name()
                    )));
                }
                if g.device() != root.device() {
                    return Err(Error::runtime(format!(
                        "invalid gradient at index {i} - expected device {} but got {}",
                        root.device(),
                        g.device()
                    )));
                }
                out.push(g);
            }
            None => {
                if root.requires_grad() && root.numel() != 1 {
                    return Err(Error::runtime("grad can be implicitly created only for scalar outputs"));
                }
                if !root.requires_grad() {
                    return Err(no_graph(i));
                }
                if root.dtype().is_complex() {
                    return Err(Error::runtime(format!(
                        "grad can be implicitly created only for real scalar outputs but got {}",
                        root.dtype()
                    )));
                }
                let one = Tensor::empty_with(
                    crate::shape::Layout::contiguous(&root.shape()),
                    root.dtype(),
                    root.device(),
                    false,
                )?;
                (operators.fill)(&one, 1.0.into())?;
                out.push(one);
            }
        }
        if !root.requires_grad() {
            return Err(no_graph(i));
        }
    }
    Ok(out)
}

fn no_graph(i: usize) -> Error {
    Error::runtime(format!("element {i} of tensors does not require grad and does not have a grad_fn"))
}

fn key(node: &Rc<Node>) -> *const Node {
    Rc::as_ptr(node)
}

/// The streams of a backward pass. Each node runs on the stream of its forward operator, after what the pass has queued so
/// far. Work that the caller queues later runs after all of it.
struct Lanes {
    engine: Rc<Engine>,
    /// The caller's streams on the devices where the pass has used others.
    left: RefCell<Vec<(Device, StreamId)>>,
}

impl Lanes {
    /// Switches to a node's stream. Nodes that accumulate gradients run on the caller's stream.
    fn enter(&self, node: &Node, grads: &[Option<Tensor>]) -> Result<()> {
        let device = match &node.leaf {
            Some(_) => grads.iter().flatten().next().map(Tensor::device),
            None => node.device.get(),
        };
        let Some(device) = device.filter(|d| d.is_cuda()) else { return Ok(()) };
        let now = self.engine.devices.stream(device);
        let callers = self.left.borrow().iter().find(|(d, _)| *d == device).map_or(now, |(_, stream)| *stream);
        let stream = if node.leaf.is_some() { callers } else { node.stream.get() };
        if stream != now {
            let mut left = self.left.borrow_mut();
            if !left.iter().any(|(d, _)| *d == device) {
                left.push((device, now));
            }
            self.engine.launches.go_on(device, stream)?;
        }
        grads.iter().flatten().try_for_each(|g| self.uses(g))
    }

    /// Notes that the current stream uses a gradient whose memory belongs to the stream that made it.
    fn uses(&self, g: &Tensor) -> Result<()> {
        if self.left.borrow().is_empty() {
            return Ok(());
        }
        g.storage().record_stream(self.engine.devices.stream(g.device()))
    }
}

impl Drop for Lanes {
    fn drop(&mut self) {
        for (device, stream) in self.left.take() {
            // If the device has an error, the next call returns it.
            let _ = self.engine.launches.go_on(device, stream);
        }
    }
}

/// Where the gradients of a backward pass go.
enum Goal<'a> {
    /// Into the `.grad` of every leaf.
    Leaves,
    /// Into the `.grad` of these inputs.
    Inputs(&'a [Edge]),
    /// To the caller, for these inputs; no `.grad` is changed.
    Returned(&'a [Edge]),
}

impl Goal<'_> {
    fn inputs(&self) -> Option<&[Edge]> {
        match self {
            Goal::Leaves => None,
            Goal::Inputs(edges) | Goal::Returned(edges) => Some(edges),
        }
    }
}

/// The way of one backward pass through the graph.
struct Walk<'a> {
    operators: &'static Operators,
    retain_graph: bool,
    create_graph: bool,
    starts: Vec<Edge>,
    goal: Goal<'a>,
    /// With inputs as the goal, only nodes run that lead to one: the others' functions and hooks aren't called, and they keep what
    /// they saved.
    leading: Option<Nodes>,
    lanes: Lanes,
    /// How many nodes still have to give a gradient to each node.
    waiting: ByNode<usize>,
    inbox: ByNode<Arrived>,
    ready: BinaryHeap<Ready>,
    queued: Nodes,
    /// The gradients that a [`Goal::Returned`] asks for.
    found: Vec<Option<Tensor>>,
}

impl<'a> Walk<'a> {
    fn new(pass: &Pass<'_>, operators: &'static Operators, goal: Goal<'a>) -> Walk<'a> {
        let starts: Vec<Edge> = pass.roots.iter().filter_map(edge_of).collect();
        Walk {
            operators,
            retain_graph: pass.retain_graph,
            create_graph: pass.create_graph,
            leading: goal.inputs().map(|edges| leading_to(&starts, edges)),
            found: vec![None; goal.inputs().map_or(0, <[Edge]>::len)],
            goal,
            starts,
            lanes: Lanes { engine: crate::engine::current(), left: RefCell::default() },
            waiting: ByNode::default(),
            inbox: ByNode::default(),
            ready: BinaryHeap::new(),
            queued: Nodes::default(),
        }
    }

    /// Goes from the roots, which have the gradients `seeds`, to the goal.
    fn run(mut self, seeds: Vec<Tensor>) -> Result<Vec<Option<Tensor>>> {
        let _mode = GradMode::set(self.create_graph);
        let starts = std::mem::take(&mut self.starts);
        self.count_dependencies(&starts);
        for (edge, seed) in starts.iter().zip(seeds) {
            self.deliver(edge, seed)?;
        }
        for edge in &starts {
            if !self.waiting.contains_key(&key(&edge.node)) {
                self.queue(&edge.node);
            }
        }
        while let Some(Ready(node)) = self.ready.pop() {
            let grads = self.inbox.remove(&key(&node));
            let grads = grads.unwrap_or_else(|| smallvec::smallvec![None; node.outputs]);
            if self.runs(&node) || self.is_wanted(&node) {
                anomaly::around(&node, || self.visit(&node, grads))?;
            }
        }
        Ok(self.found)
    }

    fn runs(&self, node: &Rc<Node>) -> bool {
        self.leading.as_ref().is_none_or(|leading| leading.contains(&key(node)))
    }

    /// Whether the goal is a gradient that arrives at this node.
    fn is_wanted(&self, node: &Rc<Node>) -> bool {
        self.goal.inputs().is_some_and(|edges| edges.iter().any(|edge| Rc::ptr_eq(&edge.node, node)))
    }

    fn queue(&mut self, node: &Rc<Node>) {
        if self.queued.insert(key(node)) {
            self.ready.push(Ready(node.clone()));
        }
    }

    fn count_dependencies(&mut self, starts: &[Edge]) {
        let mut seen = Nodes::default();
        let mut stack: Vec<Rc<Node>> = starts.iter().map(|e| e.node.clone()).collect();
        while let Some(node) = stack.pop() {
            if !self.runs(&node) || !seen.insert(key(&node)) {
                continue;
            }
            for edge in node.next.borrow().iter().flatten() {
                *self.waiting.entry(key(&edge.node)).or_insert(0) += 1;
                stack.push(edge.node.clone());
            }
        }
    }

    /// Adds a gradient to those that have arrived for a node's input.
    fn deliver(&mut self, edge: &Edge, g: Tensor) -> Result<()> {
        let slots = self.inbox.entry(key(&edge.node)).or_insert_with(|| smallvec::smallvec![None; edge.node.outputs]);
        let slot = &mut slots[edge.slot];
        *slot = Some(match slot.take() {
            Some(old) => {
                self.lanes.uses(&old)?;
                self.lanes.uses(&g)?;
                (self.operators.add)(&old, &g)?
            }
            None => g,
        });
        Ok(())
    }

    /// What happens at a node whose gradients have all arrived.
    fn visit(&mut self, node: &Rc<Node>, mut grads: Arrived) -> Result<()> {
        self.lanes.enter(node, &grads)?;
        let leaf = node.leaf();
        call_hooks(node, leaf.as_ref(), &mut grads)?;
        if let Some(edges) = self.goal.inputs() {
            for (slot, edge) in self.found.iter_mut().zip(edges) {
                if Rc::ptr_eq(&edge.node, node) {
                    *slot = grads[edge.slot].clone();
                }
            }
        }
        if node.leaf.is_some() {
            return match leaf {
                Some(leaf) if !matches!(self.goal, Goal::Returned(_)) => self.keep(node, &leaf, grads),
                _ => Ok(()),
            };
        }
        if self.runs(node) { self.evaluate(node, grads) } else { Ok(()) }
    }

    /// Adds what arrived at a leaf to its `.grad`.
    fn keep(&self, node: &Node, leaf: &Tensor, mut grads: Arrived) -> Result<()> {
        if grads[0].is_none() {
            return Ok(());
        }
        node.call_before(&mut grads)?;
        // A gradient that somebody else holds would be copied.
        let given = node.has_hooks().then(|| grads.clone());
        let Some(g) = grads[0].take() else { return Ok(()) };
        let trace = &self.lanes.engine.trace;
        let span = trace.begin(SpanKind::Node, "torch::autograd::AccumulateGrad", None);
        accumulate(self.operators, leaf, g, self.create_graph)?;
        trace.end(span);
        given.map_or(Ok(()), |given| node.call_after(&mut Gradients::new(), &given))
    }

    /// Computes the gradients of a node's inputs, and sends each to the node that the input came from.
    fn evaluate(&mut self, node: &Rc<Node>, mut grads: Arrived) -> Result<()> {
        if self.lanes.engine.settings.is_deterministic()
            && let Some(device) = node.device.get()
        {
            (self.operators.steady)(&node.name, device)?;
        }
        node.call_before(&mut grads)?;
        let mut results = profiled(node, || node.run(&grads, self.operators))?;
        node.call_after(&mut results, &grads)?;
        // They need not live as long as what is computed from them.
        drop(grads);
        if !self.retain_graph {
            node.release();
        }
        anomaly::check(node, &results, self.operators)?;
        let next: smallvec::SmallVec<[Option<Edge>; 3]> = node.next.borrow().iter().cloned().collect();
        let mut results = results.into_iter();
        for edge in &next {
            let result = results.next().flatten();
            let Some(edge) = edge else { continue };
            if let Some(g) = result {
                self.deliver(edge, g)?;
            }
            if let Some(left) = self.waiting.get_mut(&key(&edge.node)) {
                *left -= 1;
                if *left == 0 {
                    self.queue(&edge.node);
                }
            }
        }
        Ok(())
    }
}

/// Passes what has arrived at a node through its tensors' hooks, and gives it to the tensors that keep their gradients.
fn call_hooks(node: &Node, leaf: Option<&Tensor>, grads: &mut Arrived) -> Result<()> {
    if let (Some(leaf), Some(Some(g))) = (leaf, grads.first_mut()) {
        // Not borrowed while they run: a hook may remove itself.
        let hooks = leaf.meta().hooks.borrow().clone();
        for hook in hooks {
            if let Some(new) = (hook.call)(g)? {
                *g = new;
            }
        }
    }
    for output in node.hooked_outputs() {
        // The hooks that are registered now: a hook may remove itself or another one, or add one for the next pass.
        for hook in node.hooks_of(output) {
            if let Some(g) = &grads[output]
                && let Some(new) = (hook.call)(g)?
            {
                grads[output] = Some(new);
            }
        }
    }
    for (output, t) in node.retaining() {
        if let Some(g) = &grads[output] {
            t.set_grad(Some(g.clone()));
        }
    }
    Ok(())
}

/// Runs a node in a span of its own, as PyTorch's profiler shows it.
fn profiled<T>(node: &Node, run: impl FnOnce() -> T) -> T {
    let engine = crate::engine::current();
    if !engine.trace.profile().is_on() {
        return run();
    }
    let around = format!("autograd::engine::evaluate_function: {}", node.name);
    let (outer, inner) =
        (engine.trace.begin(SpanKind::Node, &around, None), engine.trace.begin(SpanKind::Node, &node.name, None));
    let out = run();
    engine.trace.end(inner);
    engine.trace.end(outer);
    out
}

/// The nodes from which one of `wanted` is reached.
fn leading_to(starts: &[Edge], wanted: &[Edge]) -> Nodes {
    let targets: Nodes = wanted.iter().map(|edge| key(&edge.node)).collect();
    let (mut seen, mut leading) = (Nodes::default(), Nodes::default());
    // A node comes back after all that it leads to.
    let mut stack: Vec<(Rc<Node>, bool)> = starts.iter().map(|edge| (edge.node.clone(), false)).collect();
    while let Some((node, again)) = stack.pop() {
        if again {
            let leads = |edge: &Edge| targets.contains(&key(&edge.node)) || leading.contains(&key(&edge.node));
            if node.next.borrow().iter().flatten().any(leads) {
                leading.insert(key(&node));
            }
        } else if seen.insert(key(&node)) {
            stack.push((node.clone(), true));
            stack.extend(node.next.borrow().iter().flatten().map(|edge| (edge.node.clone(), false)));
        }
    }
    leading
}

/// Adds to a leaf's `.grad`. The first gradient is kept without a copy if nothing else holds it, just as PyTorch steals
/// it.
impl Node {
    /// How many gradients the node is called with.
    pub fn arity(&self) -> usize {
        self.outputs.max(1)
    }

    /// Calls the node alone, as `grad_fn(gradient)` does: without hooks, and what it saved stays.
    ///
    /// # Errors
    /// Saved tensors that were freed or overwritten; errors of the operators in it.
    pub fn called(self: &Rc<Node>, grads: &[Option<Tensor>], operators: &'static Operators) -> Result<Gradients> {
        if let Some(leaf) = self.leaf() {
            if let Some(Some(g)) = grads.first() {
                accumulate(operators, &leaf, g.clone(), is_grad_enabled())?;
            }
            return Ok(Gradients::new());
        }
        let mut results = self.run(grads, operators)?;
        results.resize_with(self.next.borrow().len(), || None);
        Ok(results)
    }
}

fn accumulate(operators: &Operators, leaf: &Tensor, g: Tensor, create_graph: bool) -> Result<()> {
    match leaf.grad() {
        None => {
            let g = if create_graph && is_grad_enabled() { g } else { (operators.own_gradient)(&g, leaf)? };
            leaf.set_grad(Some(g));
        }
        Some(old) if create_graph => leaf.set_grad(Some((operators.add)(&old, &g)?)),
        // The shapes differ if the leaf's data was replaced.
        Some(old) if old.shape() != g.shape() => (operators.add_broadcast)(&old, &g)?,
        Some(old) => (operators.add_to)(&old, &g)?,
    }
    let hooks = leaf.meta().post_accumulate.borrow().clone();
    for hook in hooks {
        (hook.call)(leaf)?;
    }
    Ok(())
}
