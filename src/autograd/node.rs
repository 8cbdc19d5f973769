//! Nodes of the graph: what an operator records so that its gradient can be computed.

use std::any::Any;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use smallvec::SmallVec;

use super::{anomaly, view};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::tensor::modes::{GradMode, is_grad_enabled};
use crate::tensor::node::{Around, Backward, Context, Edge, Gradients, Hook, Kept, Node, Operators, Saved, Unpack};
use crate::tensor::{Tensor, WeakTensor};

/// What an operator keeps for its backward pass.
pub enum Save<'a> {
    Input(&'a Tensor),
    /// The operator's own output number `n`. It's kept without its graph, because node and tensor would otherwise keep
    /// each other alive.
    Output(&'a Tensor, usize),
    /// The input as it was before the operator wrote to its memory: a backward pass finds that it's gone.
    Before(&'a Tensor),
    /// Something besides tensors, such as a factor or the places of an index. It's part of the function here; what counts is that
    /// PyTorch saves it, so that a second backward pass needs `retain_graph`.
    Constant,
}

/// Called with every tensor that an operator saves. Returns a function that restores the tensor.
pub type Pack = Rc<dyn Fn(&Tensor) -> Result<Unpack>>;

thread_local! {
    static PACK: RefCell<Vec<Pack>> = const { RefCell::new(Vec::new()) };
}

/// Passes everything that operators save through `pack`, until [`pop_saved_hook`].
pub fn push_saved_hook(pack: Pack) {
    PACK.with_borrow_mut(|all| all.push(pack));
}

/// Ends the innermost [`push_saved_hook`]. If there is none, nothing happens.
pub fn pop_saved_hook() {
    let last = PACK.with_borrow_mut(Vec::pop);
    drop(last);
}

thread_local! {
    static SEQUENCE: Cell<u64> = const { Cell::new(1) };
}

fn next_sequence() -> u64 {
    SEQUENCE.replace(SEQUENCE.get() + 1)
}

impl Node {
    /// Notes where the forward operator ran: on which device, and on its current stream.
    fn set_place(&self, device: Option<Device>) {
        self.device.set(device);
        if let Some(device) = device.filter(|d| !d.is_cpu()) {
            self.stream.set(crate::engine::current().devices.stream(device));
        }
    }

    /// Fails if a node whose tensors were released is run again: a second backward pass needs `retain_graph`.
    fn check_released(&self) -> Result<()> {
        if self.released.get() {
            return Err(Error::runtime(
                "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.",
            ));
        }
        Ok(())
    }

    /// Computes the gradients of the inputs.
    ///
    /// # Errors
    /// Saved tensors that were freed or overwritten; errors of the operators in it.
    pub(super) fn run(self: &Rc<Node>, grads: &[Option<Tensor>], operators: &'static Operators) -> Result<Gradients> {
        let Some(backward) = &self.backward else { return Ok(Gradients::new()) };
        if let Some(ran) = &*self.ran.borrow() {
            ran.set(true);
        }
        let needs: SmallVec<[bool; 3]> = self.next.borrow().iter().map(Option::is_some).collect();
        if grads.iter().all(Option::is_none) {
            return Ok(needs.iter().map(|_| None).collect());
        }
        let saved = if self.function.is_some() { Vec::new() } else { self.unpack()? };
        backward(&Context { grads, saved, operators, needs })
    }

    /// What the operator saved.
    ///
    /// # Errors
    /// A saved tensor has been overwritten, or was released.
    pub fn unpack(self: &Rc<Node>) -> Result<Vec<Tensor>> {
        self.check_released()?;
        // An unpack hook is Python code, which may run this node and release what it saved. So the list isn't borrowed
        // while the hook runs.
        let saved: SmallVec<[Saved; 3]> = self.saved.borrow().iter().cloned().collect();
        saved.into_iter().filter_map(|s| self.unpack_one(s).transpose()).collect()
    }

    /// The saved tensor with this number; `None` if there isn't one at this place.
    ///
    /// # Errors
    /// Those of [`Node::unpack`].
    pub fn unpack_number(self: &Rc<Node>, number: Option<usize>) -> Result<Option<Tensor>> {
        self.check_released()?;
        let saved = number.and_then(|number| self.saved.borrow().get(number).cloned());
        saved.map_or(Ok(None), |saved| self.unpack_one(saved))
    }

    /// Passes a saved tensor through hooks, as [`push_saved_hook`] does for those that are saved later.
    ///
    /// # Errors
    /// There is no such tensor any more, or it has hooks already; errors of the hook.
    pub fn pack_number(&self, number: Option<usize>, pack: &Pack) -> Result<()> {
        const NOTHING: &str = "Calling register_hooks on a saved tensor with value None is forbidden";
        if self.released.get() {
            return Err(Error::runtime(
                "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved variables after calling backward.",
            ));
        }
        let saved = number.and_then(|number| Some((number, self.saved.borrow().get(number).cloned()?)));
        let Some((number, saved)) = saved else { return Err(Error::runtime(NOTHING)) };
        let t = match saved.kept {
            Kept::Tensor(t) => t,
            Kept::Constant => return Err(Error::runtime(NOTHING)),
            Kept::Packed(..) => {
                return Err(Error::runtime(
                    "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of hooks is allowed at a time.",
                ));
            }
        };
        let kept = packed(&t, saved.output, pack)?;
        // The hook is Python code, and may have released what was saved.
        let before = self.saved.borrow_mut().get_mut(number).map(|place| std::mem::replace(&mut place.kept, kept));
        drop(before);
        Ok(())
    }

    fn unpack_one(self: &Rc<Node>, saved: Saved) -> Result<Option<Tensor>> {
        let t = match saved.kept {
            Kept::Constant => return Ok(None),
            Kept::Tensor(t) => t,
            Kept::Packed(unpack, history) => {
                let t = unpack()?.detach();
                let edge = match saved.output {
                    Some(slot) => Some(Edge { node: self.clone(), slot }),
                    None => history,
                };
                match edge {
                    // A leaf: its gradient goes where that of the tensor goes that was packed.
                    Some(edge) if edge.node.leaf.is_some() => {
                        t.meta().requires_grad.set(true);
                        drop(t.meta().accumulator.replace(Rc::downgrade(&edge.node)));
                    }
                    Some(edge) => {
                        drop(t.meta().grad_fn.replace(Some(edge.node)));
                        t.meta().output.set(edge.slot);
                    }
                    None => {}
                }
                return Ok(Some(t));
            }
        };
        if t.version() != saved.version {
            let cuda = if t.device().is_cuda() { "cuda." } else { "" };
            let made_by = match saved.output {
                Some(n) => Some((n, self.name.to_string())),
                None => t.grad_fn().map(|f| (t.meta().output.get(), f.name.to_string())),
            };
            let made_by = made_by.map_or(String::new(), |(n, name)| {
                let short =
                    name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches("Backward").to_string();
                format!(", which is output {n} of {short},")
            });
            return Err(Error::runtime(format!(
                "one of the variables needed for gradient computation has been modified by an inplace operation: [torch.{cuda}{}Tensor {}]{made_by} is at version {}; expected version {} instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).",
                t.dtype().scalar_name(),
                crate::shape::show(&t.shape()),
                t.version(),
                saved.version
            )));
        }
        if let Some(output) = saved.output {
            let t = t.detach();
            drop(t.meta().grad_fn.replace(Some(self.clone())));
            t.meta().output.set(output);
            return Ok(Some(t));
        }
        Ok(Some(t))
    }

    /// Notes the version that the operator's outputs have now, because they're in memory that has had versions before.
    pub(super) fn written(&self, version: u64) {
        self.saved.borrow_mut().iter_mut().filter(|s| s.output.is_some()).for_each(|s| s.version = version);
    }

    /// Releases the saved tensors, once the backward pass is over.
    pub(super) fn release(&self) {
        let saved = self.saved.take();
        if !saved.is_empty() {
            self.released.set(true);
        }
        // Dropping them may run Python code (`__del__`) that may ask this node for its saved tensors.
        drop(saved);
    }

    /// A flag that is set when this node runs. It outlives the node.
    pub(crate) fn watch(&self) -> Rc<Cell<bool>> {
        self.ran.borrow_mut().get_or_insert_with(Rc::default).clone()
    }

    /// Whether a backward pass has released the saved tensors.
    pub(crate) fn is_released(&self) -> bool {
        self.released.get()
    }

    /// How much the operator saved.
    pub fn saves(&self) -> usize {
        self.saved.borrow().len()
    }

    /// The tensors kept for the backward pass, without version checks, for pictures of the graph.
    pub(crate) fn saved_tensors(&self) -> Vec<Tensor> {
        let saved = self.saved.borrow();
        let kept = saved.iter().filter_map(|s| match &s.kept {
            Kept::Tensor(t) => Some(t.clone()),
            Kept::Packed(..) | Kept::Constant => None,
        });
        kept.collect()
    }

    /// The leaf of an `AccumulateGrad` node.
    pub fn leaf(&self) -> Option<Tensor> {
        self.leaf.as_ref().and_then(WeakTensor::upgrade)
    }

    pub(crate) fn add_pre_hook(&self, output: usize, hook: Hook) {
        self.pre_hooks.borrow_mut().push((output, hook));
    }

    /// `t.retain_grad()` for output number `output`.
    pub fn retain_grad(&self, output: usize, t: &Tensor) {
        self.retain.borrow_mut().push((output, t.downgrade()));
    }

    pub(crate) fn remove_pre_hook(&self, handle: u64) {
        // Dropping a hook may run Python code that comes back here, so the list isn't borrowed then.
        let gone: Vec<_> = self.pre_hooks.borrow_mut().extract_if(.., |(_, h)| h.handle == handle).collect();
        drop(gone);
    }

    /// Adds a hook of the node itself. Returns a handle for [`Node::remove_hook`].
    pub fn add_hook(&self, hook: Around) -> u64 {
        let handle = crate::engine::current().devices.new_tensor_id();
        self.around.borrow_mut().push((handle, hook));
        handle
    }

    /// Removes a hook that [`Node::add_hook`] has added.
    pub fn remove_hook(&self, handle: u64) {
        let gone: Vec<_> = self.around.borrow_mut().extract_if(.., |(h, _)| *h == handle).collect();
        drop(gone);
    }

    /// Passes gradients through the hooks that want to see them before the node runs.
    pub(super) fn call_before(&self, grads: &mut Gradients) -> Result<()> {
        for hook in self.hooks_around() {
            if let Around::Before(call) = hook
                && let Some(new) = call(grads)?
            {
                *grads = new;
            }
        }
        Ok(())
    }

    /// Passes what the node computed through the hooks that want to see it.
    pub(super) fn call_after(&self, results: &mut Gradients, grads: &[Option<Tensor>]) -> Result<()> {
        for hook in self.hooks_around() {
            if let Around::After(call) = hook
                && let Some(new) = call(results, grads)?
            {
                *results = new;
            }
        }
        Ok(())
    }

    /// Whether the node itself has hooks.
    pub(super) fn has_hooks(&self) -> bool {
        !self.around.borrow().is_empty()
    }

    /// The present hooks: one may remove itself while it runs.
    fn hooks_around(&self) -> SmallVec<[Around; 1]> {
        self.around.borrow().iter().map(|(_, hook)| hook.clone()).collect()
    }

    /// The node's name with the namespace of those that belong to the engine itself: `torch::autograd::AccumulateGrad`.
    pub fn full_name(&self) -> String {
        let of_engine =
            self.leaf.is_some() || ["CopyBackwards", "CopySlices", "NotImplemented"].contains(&self.name.as_ref());
        let namespace = if of_engine { "torch::autograd::" } else { "" };
        format!("{namespace}{}", self.name)
    }

    /// The object that stands for a function of the program.
    pub fn function(&self) -> Option<&dyn Any> {
        self.function.as_deref()
    }

    /// The outputs that have hooks, in the order in which each got its first hook.
    pub(super) fn hooked_outputs(&self) -> SmallVec<[usize; 2]> {
        let mut outputs = SmallVec::new();
        for (output, _) in &*self.pre_hooks.borrow() {
            if !outputs.contains(output) {
                outputs.push(*output);
            }
        }
        outputs
    }

    /// The present hooks of an output, copied so that they can change the list while they run.
    pub(super) fn hooks_of(&self, output: usize) -> Vec<Hook> {
        self.pre_hooks.borrow().iter().filter(|(of, _)| *of == output).map(|(_, hook)| hook.clone()).collect()
    }

    /// The tensors that keep their gradient, and which output each one is.
    pub(super) fn retaining(&self) -> SmallVec<[(usize, Tensor); 1]> {
        self.retain.borrow().iter().filter_map(|(output, t)| Some((*output, t.upgrade()?))).collect()
    }
}

/// Whether an operator with these inputs must be recorded.
pub fn needs_grad<'a>(inputs: impl IntoIterator<Item = &'a Tensor>) -> bool {
    is_grad_enabled() && inputs.into_iter().any(Tensor::requires_grad)
}

/// Where a tensor's gradient goes, if it needs one.
pub fn edge_of(t: &Tensor) -> Option<Edge> {
    if let Some(node) = t.grad_fn() {
        return Some(Edge { node, slot: t.meta().output.get() });
    }
    t.requires_grad().then(|| Edge { node: accumulator(t), slot: 0 })
}

/// The node that adds to a leaf's `.grad`.
pub fn accumulator(t: &Tensor) -> Rc<Node> {
    if let Some(node) = t.meta().accumulator.borrow().upgrade() {
        return node;
    }
    // Leaves get the highest number, as in PyTorch, so they run as soon as their gradient is complete.
    let mut node = Node::new("AccumulateGrad".into(), u64::MAX);
    node.leaf = Some(t.downgrade());
    node._keep = Some(t.clone());
    let node = Rc::new(node);
    drop(t.meta().accumulator.replace(Rc::downgrade(&node)));
    node
}

/// What a hook keeps of a tensor.
fn packed(t: &Tensor, output: Option<usize>, pack: &Pack) -> Result<Kept> {
    let history = if output.is_some() { None } else { edge_of(t) };
    let _no_grad = GradMode::set(false);
    // A hook that keeps what it's given would keep an output and its node alive by each other.
    let given = if output.is_some() { t.detach() } else { t.clone() };
    let version = given.version();
    let unpack = pack(&given)?;
    if given.version() != version {
        return Err(Error::runtime(
            "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need to perform in-place operations on the input to a pack hook.",
        ));
    }
    Ok(Kept::Packed(unpack, history))
}

fn make(
    name: Cow<'static, str>,
    inputs: &[Option<&Tensor>],
    save: &[Save<'_>],
    outputs: usize,
    backward: Backward,
) -> Result<Node> {
    for input in inputs.iter().flatten() {
        view::check_history(input)?;
    }
    let mut saved = Vec::with_capacity(save.len());
    for s in save {
        let (t, output) = match *s {
            Save::Input(t) => (t, None),
            Save::Output(t, n) => (t, Some(n)),
            Save::Before(t) => (t, None),
            Save::Constant => {
                saved.push(CONSTANT);
                continue;
            }
        };
        if t.is_inference() {
            return Err(Error::runtime(
                "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.",
            ));
        }
        let hook = PACK.with_borrow(|all| all.last().cloned());
        let kept = match hook {
            Some(pack) => packed(t, output, &pack)?,
            None if output.is_some() => Kept::Tensor(t.detach()),
            None => Kept::Tensor(t.clone()),
        };
        let version = t.version() - u64::from(matches!(s, Save::Before(_)));
        saved.push(Saved { version, kept, output });
    }
    let mut node = Node::new(name, next_sequence());
    node.next = RefCell::new(inputs.iter().map(|t| t.and_then(edge_of)).collect());
    node.outputs = outputs;
    node.saved = RefCell::new(saved);
    node.backward = Some(backward);
    Ok(node)
}

/// The names of operators whose gradients are also right for complex numbers. In PyTorch's convention the gradient of a real
/// loss is its derivative by the conjugate, so the factor of a linear operator comes back conjugated.
#[rustfmt::skip]
const OF_COMPLEX: &[&str] = &[
    "AbsBackward0", "AcosBackward0", "AcoshBackward0", "AddBackward0", "AddcdivBackward0", "AddcmulBackward0",
    "AddmmBackward0", "AliasBackward0", "AngleBackward0", "AsStridedBackward0", "AsinBackward0", "AsinhBackward0",
    "AtanBackward0", "AtanhBackward0", "BaddbmmBackward0", "CatBackward0", "CloneBackward0", "Col2ImBackward0",
    "ComplexBackward0", "ConjBackward0", "ConjPhysicalBackward0", "ConstantPadNdBackward0", "CopyBackwards",
    "CopySlices", "CosBackward0", "CoshBackward0", "CumprodBackward0", "CumsumBackward0", "DiagEmbedBackward0",
    "DiagonalBackward0", "DiagonalBackwardBackward0", "DivBackward0", "Exp2Backward0", "ExpBackward0",
    "ExpandBackward0", "Expm1Backward0", "FftC2CBackward0", "FftC2RBackward0", "FftR2CBackward0", "FillBackward2",
    "FillBackward3", "FlipBackward0", "GatherBackward0", "Im2ColBackward0", "IndexAddBackward0", "IndexBackward0",
    "IndexCopyBackward0", "IndexFillBackward0", "IndexFillBackward1", "IndexPutBackward0", "IndexSelectBackward0",
    "LerpBackward0", "LerpBackward1", "LinalgCholeskyExBackward0", "LinalgCrossBackward0", "LinalgDetBackward0",
    "LinalgEigBackward0", "LinalgEighBackward0", "LinalgInvExBackward0", "LinalgLstsqBackward0", "LinalgPinvBackward0",
    "LinalgQrBackward0", "LinalgSlogdetBackward0", "LinalgSolveExBackward0", "LinalgSvdBackward0",
    "LinalgVectorNormBackward0", "Log10Backward0", "Log1PBackward0", "Log2Backward0", "LogBackward0",
    "LogsumexpBackward0", "MaskedFillBackward0", "MaskedFillBackward1", "MaskedSelectBackward0", "MeanBackward0",
    "MeanBackward1", "MulBackward0", "NegBackward0", "NormBackward1", "NormalBackward0", "PermuteBackward0",
    "PixelShuffleBackward0", "PixelUnshuffleBackward0", "PolarBackward0", "PowBackward0", "PowBackward1",
    "PowBackward2", "ProdBackward0", "ProdBackward1", "ReciprocalBackward0", "ReflectionPad1DBackward0",
    "ReflectionPad2DBackward0", "ReflectionPad3DBackward0", "RepeatBackward0", "ReplicationPad1DBackward0",
    "ReplicationPad2DBackward0", "ReplicationPad3DBackward0", "RollBackward0", "RsqrtBackward0", "RsubBackward0",
    "RsubBackward1", "ScatterAddBackward0", "ScatterBackward0", "ScatterBackward1", "SelectBackward0",
    "SelectBackwardBackward0", "SgnBackward0", "SigmoidBackward0", "SinBackward0", "SinhBackward0", "SliceBackward0",
    "SliceBackwardBackward0", "SplitBackward0", "SplitWithSizesBackward0", "SqrtBackward0", "SqueezeBackward0",
    "SqueezeBackward1", "SqueezeBackward2", "SqueezeBackward4", "StackBackward0", "StdBackward0", "SubBackward0",
    "SumBackward0", "SumBackward1", "TBackward0", "TakeBackward0", "TanBackward0", "TanhBackward0", "ToCopyBackward0",
    "TraceBackward0", "TransposeBackward0", "TrilBackward0", "TriuBackward0", "UnbindBackward0", "UnfoldBackward0",
    "UniformBackward0", "UnsafeViewBackward0", "UnsqueezeBackward0", "VarBackward0", "ViewAsComplexBackward0",
    "ViewAsRealBackward0", "ViewBackward0", "WhereBackward0", "ZeroBackward0",
];

/// The other operators have no derivatives for complex numbers. An operator that needs one raises an error that says
/// so.
fn check_complex<'a>(name: &str, mut tensors: impl Iterator<Item = &'a &'a Tensor>) -> Result<()> {
    match tensors.find(|t| t.dtype().is_complex()) {
        Some(_) if name == "SiluBackward0" => Err(Error::not_implemented(
            "silu does not support automatic differentiation for outputs with complex dtype.",
        )),
        Some(t) if !OF_COMPLEX.contains(&name) => {
            Err(Error::not_implemented(format!("autograd of {} tensors ({name})", t.dtype())))
        }
        _ => Ok(()),
    }
}

/// The same values as the result of a node with this name, for functions that are one operator in PyTorch and several here.
/// Whether the gradients are right for complex numbers was asked for each of the parts.
pub fn under(t: &Tensor, name: impl Into<Cow<'static, str>>) -> Result<Tensor> {
    let name = name.into();
    if !super::needs_grad([t]) || t.grad_fn().is_none_or(|node| node.name == name) {
        return Ok(t.clone());
    }
    let out = t.detach();
    record_unchecked(name, &[Some(t)], &[], &[&out], |ctx| Ok(Gradients::from_iter([Some(ctx.grad().clone())])))?;
    Ok(out)
}

/// Records an operator: `outputs` become results of a node with these `inputs`. Call it only if [`needs_grad`].
/// An input that is `None` gets no gradient. Integer outputs stay outside the graph.
pub fn record(
    name: impl Into<Cow<'static, str>>,
    inputs: &[Option<&Tensor>],
    save: &[Save<'_>],
    outputs: &[&Tensor],
    backward: impl Fn(&Context<'_>) -> Result<Gradients> + 'static,
) -> Result<()> {
    let name = name.into();
    check_complex(&name, inputs.iter().flatten().chain(outputs))?;
    record_unchecked(name, inputs, save, outputs, backward)
}

/// As [`record`], where it's known that the gradients are right for complex numbers, or for somebody else to know.
pub fn record_unchecked(
    name: impl Into<Cow<'static, str>>,
    inputs: &[Option<&Tensor>],
    save: &[Save<'_>],
    outputs: &[&Tensor],
    backward: impl Fn(&Context<'_>) -> Result<Gradients> + 'static,
) -> Result<()> {
    begin(make(name.into(), inputs, save, outputs.len(), Box::new(backward))?, outputs).map(drop)
}

/// As [`record_unchecked`], for a function that a program wrote, and that `function` stands for. It isn't given what is saved:
/// it calls [`Node::unpack`] when it needs that.
pub fn record_function(
    name: String,
    inputs: &[Option<&Tensor>],
    save: &[Save<'_>],
    outputs: &[&Tensor],
    function: Box<dyn Any>,
    backward: impl Fn(&Context<'_>) -> Result<Gradients> + 'static,
) -> Result<Rc<Node>> {
    let mut node = make(name.into(), inputs, save, outputs.len(), Box::new(backward))?;
    node.function = Some(function);
    begin(node, outputs)
}

/// Makes `outputs` the results of a node.
fn begin(node: Node, outputs: &[&Tensor]) -> Result<Rc<Node>> {
    let node = Rc::new(node);
    anomaly::made(&node)?;
    node.set_place(outputs.first().map(|t| t.device()));
    for (i, t) in outputs.iter().enumerate() {
        if t.dtype().is_inexact() {
            drop(t.meta().grad_fn.replace(Some(node.clone())));
            t.meta().output.set(i);
        }
    }
    Ok(node)
}

/// Records an operator that wrote into `target`, which is its first input. The version has already been increased, and
/// [`view::check_in_place`] has succeeded. If `target` is a view, its base's history changes too.
pub fn record_in_place(
    name: impl Into<Cow<'static, str>>,
    target: &Tensor,
    others: &[Option<&Tensor>],
    save: &[Save<'_>],
    backward: impl Fn(&Context<'_>) -> Result<Gradients> + 'static,
) -> Result<()> {
    let mut inputs: SmallVec<[Option<&Tensor>; 4]> = SmallVec::new();
    inputs.push(Some(target));
    inputs.extend_from_slice(others);
    let name = name.into();
    check_complex(&name, inputs.iter().flatten())?;
    let node = Rc::new(make(name, &inputs, save, 1, Box::new(backward))?);
    anomaly::made(&node)?;
    node.set_place(Some(target.device()));
    view::rebase(target, node)
}

/// Stands for one or more constants among what a node has saved.
pub(super) const CONSTANT: Saved = Saved { version: 0, kept: Kept::Constant, output: None };

/// A node that wraps another one: its edges are given, not computed from inputs.
pub(super) fn raw(
    name: &'static str,
    next: SmallVec<[Option<Edge>; 3]>,
    backward: impl Fn(&Context<'_>) -> Result<Gradients> + 'static,
) -> Rc<Node> {
    let mut node = Node::new(name.into(), next_sequence());
    node.next = RefCell::new(next);
    node.backward = Some(Box::new(backward));
    Rc::new(node)
}
