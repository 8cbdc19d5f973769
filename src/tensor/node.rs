//! What a tensor knows of its history: nodes, edges between them, and hooks. What is done with them stands in `autograd`.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use smallvec::SmallVec;

use super::{Tensor, WeakTensor};
use crate::device::Device;
use crate::dtype::Scalar;
use crate::error::Result;
use crate::memory::StreamId;
use crate::shape::Layout;

/// One gradient an input, in the order of the operator's inputs; `None` where nothing flows.
pub type Gradients = SmallVec<[Option<Tensor>; 3]>;

/// Called with a gradient; may replace it.
pub type HookFn = Rc<dyn Fn(&Tensor) -> Result<Option<Tensor>>>;

/// A registered hook, with the handle that removes it.
#[derive(Clone)]
pub struct Hook {
    pub handle: u64,
    pub call: HookFn,
}

/// Where a gradient goes: an input slot of a node.
#[derive(Clone)]
pub struct Edge {
    pub node: Rc<Node>,
    pub slot: usize,
}

pub(crate) type Backward = Box<dyn Fn(&Context<'_>) -> Result<Gradients>>;

/// One step of the backward pass.
pub struct Node {
    /// `AddBackward0`.
    pub name: Cow<'static, str>,
    /// Later nodes run first.
    pub sequence: u64,
    /// An input's edge; `None` where no gradient is wanted.
    pub next: RefCell<SmallVec<[Option<Edge>; 3]>>,
    /// How many outputs of the forward operator gradients arrive for.
    pub outputs: usize,
    /// Where the forward operator's results are; not known of nodes made by hand.
    pub device: Cell<Option<Device>>,
    /// The stream on which the forward operator ran, there.
    pub(crate) stream: Cell<StreamId>,
    pub(crate) saved: RefCell<Vec<Saved>>,
    pub(crate) released: Cell<bool>,
    /// Set when the node runs, for whoever watches it; outlives the node.
    pub(crate) ran: RefCell<Option<Rc<Cell<bool>>>>,
    pub(crate) backward: Option<Backward>,
    /// Only for leaves: the tensor whose `.grad` is added to.
    pub(crate) leaf: Option<WeakTensor>,
    /// Keeps the leaf alive as long as the graph needs it.
    pub(crate) _keep: Option<Tensor>,
    /// Hooks on the outputs (by index), run before the node.
    pub(crate) pre_hooks: RefCell<Vec<(usize, Hook)>>,
    /// Outputs that keep their gradient.
    pub(crate) retain: RefCell<Vec<(usize, WeakTensor)>>,
}

#[derive(Clone)]
pub(crate) struct Saved {
    pub kept: Kept,
    pub version: u64,
    pub output: Option<usize>,
}

#[derive(Clone)]
pub(crate) enum Kept {
    Tensor(Tensor),
    /// What a saved-tensor hook made of it, and where its gradient goes.
    Packed(Unpack, Option<Edge>),
}

/// Brings a packed tensor back.
pub type Unpack = Rc<dyn Fn() -> Result<Tensor>>;

/// What a view is of.
#[derive(Clone)]
pub struct ViewOf {
    pub base: Tensor,
    /// The version at which `grad_fn` was right.
    pub version: u64,
}

/// What steps of the graph's own compute with: the only way from the graph to the operators, which are built on it. A backward
/// pass is given them when it begins (`ops::backward`).
pub struct Operators {
    /// Of two gradients of one shape; it takes part in the graph where gradients of gradients are wanted.
    pub add: fn(&Tensor, &Tensor) -> Result<Tensor>,
    /// Adds to a leaf's gradient in place, outside the graph.
    pub add_to: fn(&Tensor, &Tensor) -> Result<()>,
    /// As `add_to` for gradients whose shapes differ, because the leaf was given other data since.
    pub add_broadcast: fn(&Tensor, &Tensor) -> Result<()>,
    /// What becomes the `.grad` of a leaf: the gradient itself where nobody else holds it.
    pub own_gradient: fn(&Tensor, &Tensor) -> Result<Tensor>,
    pub fill: fn(&Tensor, Scalar) -> Result<()>,
    /// Copies the second tensor's elements into the first.
    pub copy: fn(&Tensor, &Tensor) -> Result<()>,
    pub clone: fn(&Tensor) -> Result<Tensor>,
    /// A copy laid out as something dense, at offset 0.
    pub laid_out: fn(&Tensor, &Layout) -> Result<Tensor>,
}

/// What a backward function gets.
pub struct Context<'a> {
    /// The incoming gradients, one an output; `None` means zero.
    pub grads: &'a [Option<Tensor>],
    pub saved: Vec<Tensor>,
    /// What it computes with, if it is a step of the graph's own.
    pub(crate) operators: &'static Operators,
    /// Whether each input wants a gradient.
    pub needs: SmallVec<[bool; 3]>,
}

impl Context<'_> {
    /// The gradient of a single output; a node does not call a function whose every gradient is `None`.
    pub fn grad(&self) -> &Tensor {
        self.grads[0].as_ref().expect("a node runs only with a gradient")
    }

    pub fn needs(&self, input: usize) -> bool {
        self.needs[input]
    }
}

/// A long chain of nodes is dropped by a loop, not by recursion: `total += loss` builds chains deeper than any stack.
impl Drop for Node {
    fn drop(&mut self) {
        let mut stack: Vec<Rc<Node>> = Vec::new();
        let take = |node: &mut Node, stack: &mut Vec<Rc<Node>>| {
            for edge in node.next.get_mut().drain(..).flatten() {
                stack.push(edge.node);
            }
            for saved in node.saved.get_mut().drain(..) {
                // A saved input that nobody else holds would drop its own node, and so on down the chain.
                match &saved.kept {
                    Kept::Tensor(t) => stack.extend(t.meta().grad_fn.borrow().clone()),
                    Kept::Packed(_, edge) => stack.extend(edge.as_ref().map(|e| e.node.clone())),
                }
            }
        };
        take(self, &mut stack);
        while let Some(node) = stack.pop() {
            if let Ok(mut node) = Rc::try_unwrap(node).map_err(drop) {
                take(&mut node, &mut stack);
            }
        }
    }
}
