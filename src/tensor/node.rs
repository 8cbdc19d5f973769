//! What a tensor knows about its history: nodes, edges between them, and hooks. The code that uses them is in `autograd`.

use std::any::Any;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use smallvec::SmallVec;

use super::{Tensor, WeakTensor};
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::error::Result;
use crate::memory::StreamId;
use crate::shape::Layout;

/// One gradient for each input of the operator, in order; `None` if there is none.
pub type Gradients = SmallVec<[Option<Tensor>; 3]>;

/// Called with a gradient. May return a replacement.
pub type HookFn = Rc<dyn Fn(&Tensor) -> Result<Option<Tensor>>>;

/// A registered hook, with the handle that removes it.
#[derive(Clone)]
pub struct Hook {
    pub handle: u64,
    pub call: HookFn,
}

/// Called with the gradients of a node's outputs before it runs. May return replacements.
pub type Before = Rc<dyn Fn(&[Option<Tensor>]) -> Result<Option<Gradients>>>;

/// Called after a node with what it computed, the gradients of its inputs, and with what it was given, the gradients of its
/// outputs. May return replacements of the first.
pub type After = Rc<dyn Fn(&[Option<Tensor>], &[Option<Tensor>]) -> Result<Option<Gradients>>>;

/// A hook of a node itself.
#[derive(Clone)]
pub enum Around {
    Before(Before),
    After(After),
}

/// Where a gradient goes: an input of a node.
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
    /// The edge for each input; `None` if it needs no gradient.
    pub next: RefCell<SmallVec<[Option<Edge>; 3]>>,
    /// The number of outputs of the forward operator that receive gradients.
    pub outputs: usize,
    /// The device of the forward operator's results; unknown for nodes made by hand.
    pub device: Cell<Option<Device>>,
    /// The stream on that device on which the forward operator ran.
    pub(crate) stream: Cell<StreamId>,
    pub(crate) saved: RefCell<Vec<Saved>>,
    pub(crate) released: Cell<bool>,
    /// Set when the node has run, for code that watches it. It outlives the node.
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
    /// The node's own hooks, with the handles that remove them.
    pub(crate) around: RefCell<Vec<(u64, Around)>>,
    /// What stands for the node in a program that wrote its function: it asks for what is saved when it needs it.
    pub(crate) function: Option<Box<dyn Any>>,
    /// What the program's view of the node keeps with it.
    pub(crate) view: RefCell<Option<Box<dyn Any>>>,
}

impl Node {
    /// A node without a function, without edges, and with one output.
    pub(crate) fn new(name: Cow<'static, str>, sequence: u64) -> Node {
        Node {
            name,
            sequence,
            next: RefCell::default(),
            outputs: 1,
            device: Cell::new(None),
            stream: Cell::default(),
            saved: RefCell::default(),
            released: Cell::new(false),
            ran: RefCell::default(),
            backward: None,
            leaf: None,
            _keep: None,
            pre_hooks: RefCell::default(),
            retain: RefCell::default(),
            around: RefCell::default(),
            function: None,
            view: RefCell::default(),
        }
    }
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
    /// The value that a saved-tensor hook returned, and where the tensor's gradient goes.
    Packed(Unpack, Option<Edge>),
    /// No tensor: something that's part of the function.
    Constant,
}

/// Unpacks a packed tensor.
pub type Unpack = Rc<dyn Fn() -> Result<Tensor>>;

/// The base of a view.
#[derive(Clone)]
pub struct ViewOf {
    pub base: Tensor,
    /// The version for which `grad_fn` is right.
    pub version: u64,
    pub made: Made,
}

/// How a view came to be. In-place changes of a view are part of the graph only for [`Made::Usually`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    Usually,
    WithoutGrad,
    InInferenceMode,
    /// By an operator that returns several views, as the one with this number.
    OneOfMany(usize),
    /// In a program's `autograd.Function`.
    InFunction,
}

/// The operators that the graph itself computes with. Operators are built on the graph, so the graph gets them this way:
/// they're passed in when a backward pass begins (`ops::backward`).
pub struct Operators {
    /// Adds two gradients of one shape. The addition is recorded if gradients of gradients are wanted.
    pub add: fn(&Tensor, &Tensor) -> Result<Tensor>,
    /// Adds to a leaf's gradient in place, outside the graph.
    pub add_to: fn(&Tensor, &Tensor) -> Result<()>,
    /// Like `add_to`, for gradients whose shapes differ because the leaf's data was replaced.
    pub add_broadcast: fn(&Tensor, &Tensor) -> Result<()>,
    /// The gradient that becomes the `.grad` of a leaf: the gradient itself, if nothing else holds it.
    pub own_gradient: fn(&Tensor, &Tensor) -> Result<Tensor>,
    pub fill: fn(&Tensor, Scalar) -> Result<()>,
    /// Copies the second tensor's elements into the first.
    pub copy: fn(&Tensor, &Tensor) -> Result<()>,
    pub clone: fn(&Tensor) -> Result<Tensor>,
    /// Called before a node of this name runs on a device, if the program wants deterministic operations.
    pub steady: fn(&str, Device) -> Result<()>,
    /// A dense copy with the given layout, at offset 0.
    pub laid_out: fn(&Tensor, &Layout) -> Result<Tensor>,
    /// A view of the part of a gradient that a layout of elements of this dtype shows. It's recorded if gradients of
    /// gradients are wanted.
    pub part: fn(&Tensor, DType, &Layout, bool) -> Result<Tensor>,
    /// Like `copy`, and recorded.
    pub write: fn(&Tensor, &Tensor) -> Result<()>,
    /// Whether an element is NaN.
    pub has_nan: fn(&Tensor) -> Result<bool>,
}

/// The arguments of a backward function.
pub struct Context<'a> {
    /// The incoming gradients, one for each output; `None` means zero.
    pub grads: &'a [Option<Tensor>],
    pub saved: Vec<Tensor>,
    /// The operators for nodes that belong to the graph itself.
    pub(crate) operators: &'static Operators,
    /// Whether each input needs a gradient.
    pub needs: SmallVec<[bool; 3]>,
}

impl Context<'_> {
    /// The gradient of a single output. A node isn't run if all of its gradients are `None`.
    pub fn grad(&self) -> &Tensor {
        self.grads[0].as_ref().expect("a node runs only with a gradient")
    }

    pub fn needs(&self, input: usize) -> bool {
        self.needs[input]
    }
}

/// A long chain of nodes is dropped in a loop and not by recursion: `total += loss` builds chains deeper than any
/// stack.
impl Drop for Node {
    fn drop(&mut self) {
        let mut stack: Vec<Rc<Node>> = Vec::new();
        let take = |node: &mut Node, stack: &mut Vec<Rc<Node>>| {
            for edge in node.next.get_mut().drain(..).flatten() {
                stack.push(edge.node);
            }
            for saved in node.saved.get_mut().drain(..) {
                // A saved input that nothing else holds would drop its own node, and so on down the chain.
                match &saved.kept {
                    Kept::Tensor(t) => stack.extend(t.meta().grad_fn.borrow().clone()),
                    Kept::Packed(_, edge) => stack.extend(edge.as_ref().map(|e| e.node.clone())),
                    Kept::Constant => {}
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
