//! Tensors: a layout over a shared storage, a version counter, and a place in the autograd graph.

#![warn(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

pub(crate) mod destination;
mod flipped;
pub mod modes;
pub mod node;
pub mod parts;

use std::any::Any;
use std::cell::{Cell, OnceCell, Ref, RefCell};
use std::rc::{Rc, Weak};

use crate::device::Device;
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::View;
use crate::shape::{self, Dims, Layout};
use crate::storage::Storage;
use node::{Hook, HookFn, Node, ViewOf};

/// A handle. Its clones are the same tensor, like two Python names for one object.
#[derive(Clone)]
pub struct Tensor(Rc<Inner>);

struct Inner {
    id: u64,
    data: RefCell<Data>,
    /// Shared by views and by `detach()`.
    version: RefCell<Rc<Cell<u64>>>,
    meta: Meta,
}

/// The part of its storage that a tensor shows. `t.data = other` replaces all of this.
#[derive(Clone)]
struct Data {
    storage: Storage,
    layout: Layout,
    /// Whether what's in memory is negated when it's read: of a complex tensor the imaginary parts, which makes it a view of
    /// the conjugate, of a real one everything. PyTorch calls it the conjugate bit and the negative bit.
    flipped: bool,
}

/// A tensor's place in the graph.
#[derive(Default)]
pub(crate) struct Meta {
    pub requires_grad: Cell<bool>,
    pub grad: RefCell<Option<Tensor>>,
    /// The node that made this tensor, and the number of the node's output.
    pub grad_fn: RefCell<Option<Rc<Node>>>,
    pub output: Cell<usize>,
    pub retains_grad: Cell<bool>,
    pub hooks: RefCell<Vec<Hook>>,
    pub post_accumulate: RefCell<Vec<Hook>>,
    /// The node that adds to a leaf's `.grad`. It's made when it's first needed.
    pub accumulator: RefCell<Weak<Node>>,
    pub view: RefCell<Option<ViewOf>>,
    pub inference: Cell<bool>,
    /// What a layer above stores with the tensor: its Python object.
    pub slot: RefCell<Option<Box<dyn Any>>>,
}

/// Gradients that have gradients, however many, are dropped by a loop, not by recursion.
impl Drop for Inner {
    fn drop(&mut self) {
        let mut next = self.meta.grad.get_mut().take();
        while let Some(tensor) = next {
            next = Rc::into_inner(tensor.0).and_then(|mut inner| inner.meta.grad.get_mut().take());
        }
    }
}

/// The error for a tensor that can't exist with this layout: PyTorch's error about its storage comes first, then the
/// one about its elements (`counted`).
#[cold]
fn too_large(layout: &Layout, dtype: DType, device: Device, counted: Result<()>) -> Error {
    let words = |list: &[usize]| -> Vec<i64> { list.iter().map(|&n| n as i64).collect() };
    let (sizes, item) = (words(&layout.shape), dtype.size());
    let bytes = if layout.strides == shape::contiguous_strides(&layout.shape) {
        shape::contiguous_bytes(&sizes, item)
    } else {
        shape::storage_bytes(&sizes, &words(&layout.strides), item, 0)
    };
    match (bytes, counted) {
        (Err(error), _) => error,
        (Ok(bytes), _) if bytes > shape::most() => engine::current().devices.too_large(device, bytes),
        (_, Err(error)) => error,
        (Ok(bytes), Ok(())) => engine::current().devices.too_large(device, bytes),
    }
}

impl Tensor {
    /// Wraps a storage. The caller takes care of the graph.
    pub(crate) fn from_storage(storage: Storage, layout: Layout) -> Tensor {
        Tensor::with_version(Data { storage, layout, flipped: false }, Rc::default(), modes::is_inference())
    }

    fn with_version(data: Data, version: Rc<Cell<u64>>, inference: bool) -> Tensor {
        let storage = &data.storage;
        let id = storage.engine().devices.new_tensor_id();
        let meta = Meta { inference: Cell::new(inference), ..Meta::default() };
        let (data, version) = (RefCell::new(data), RefCell::new(version));
        Tensor(Rc::new(Inner { id, data, version, meta }))
    }

    /// An uninitialized, contiguous tensor on a device that may lack an index.
    ///
    /// # Errors
    /// An unusable device, overflow, out of memory.
    pub fn empty(shape: &[usize], dtype: DType, device: Device) -> Result<Tensor> {
        let device = engine::current().resolve(device)?;
        Tensor::empty_with(Layout::contiguous(shape), dtype, device, false)
    }

    /// An uninitialized tensor with the given strides, on a resolved device.
    pub fn empty_with(layout: Layout, dtype: DType, device: Device, pinned: bool) -> Result<Tensor> {
        let fits = |n: &usize| n.checked_mul(dtype.size()).is_some_and(|bytes| bytes as u64 <= shape::most());
        let counted = shape::checked_numel(&layout.shape).and_then(|_| shape::check_strides(&layout.strides));
        let span = match (layout.end().filter(fits), counted) {
            (Some(span), Ok(())) => span,
            (_, counted) => return Err(too_large(&layout, dtype, device, counted)),
        };
        if !pinned && let Some(place) = destination::laid_out(&layout, dtype, device) {
            return Ok(place);
        }
        let storage = Storage::new(device, dtype, &layout.shape, span, pinned)?;
        Ok(Tensor::from_storage(storage, layout))
    }

    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// True if no other handle, and no other tensor over the same storage, exists.
    pub(crate) fn is_unshared(&self) -> bool {
        Rc::strong_count(&self.0) == 1 && self.0.data.borrow().storage.is_unshared()
    }

    /// Whether this tensor and `base`, which only this tensor holds, are the only ones over their storage.
    pub(crate) fn shares_with_alone(&self, base: &Tensor) -> bool {
        let alone = |t: &Tensor| Rc::strong_count(&t.0) == 1;
        alone(self) && alone(base) && self.0.data.borrow().storage.is_shared_by(2)
    }

    pub fn is_same(&self, other: &Tensor) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    pub fn storage(&self) -> Storage {
        self.0.data.borrow().storage.clone()
    }

    pub fn layout(&self) -> Layout {
        self.0.data.borrow().layout.clone()
    }

    pub(crate) fn with_data<R>(&self, f: impl FnOnce(&Storage, &Layout) -> R) -> R {
        let data = self.0.data.borrow();
        f(&data.storage, &data.layout)
    }

    pub fn device(&self) -> Device {
        self.0.data.borrow().storage.device()
    }

    pub fn dtype(&self) -> DType {
        self.0.data.borrow().storage.dtype()
    }

    pub fn shape(&self) -> Dims {
        Dims::from_slice(&self.0.data.borrow().layout.shape)
    }

    pub fn strides(&self) -> Dims {
        Dims::from_slice(&self.0.data.borrow().layout.strides)
    }

    /// Number of elements before its first one in the storage.
    pub fn offset(&self) -> usize {
        self.0.data.borrow().layout.offset
    }

    pub(crate) fn ndim(&self) -> usize {
        self.0.data.borrow().layout.ndim()
    }

    pub fn size(&self, dim: usize) -> usize {
        self.0.data.borrow().layout.shape[dim]
    }

    pub fn numel(&self) -> usize {
        self.0.data.borrow().layout.numel()
    }

    pub(crate) fn is_contiguous(&self) -> bool {
        self.0.data.borrow().layout.is_contiguous()
    }

    pub fn is_pinned(&self) -> bool {
        self.0.data.borrow().storage.is_pinned()
    }

    /// A stable, made-up address. For an empty view it may wrap around, which is harmless because nothing reads there.
    pub(crate) fn data_ptr(&self) -> u64 {
        self.with_data(|s, l| {
            if s.numel() == 0 {
                0
            } else {
                s.address().wrapping_add((l.offset as u64).wrapping_mul(s.dtype().size() as u64))
            }
        })
    }

    /// `t.data = other`: the same object with other contents. Its version and graph stay.
    pub(crate) fn set_data(&self, other: &Tensor) {
        let data = other.0.data.borrow().clone();
        drop(self.0.data.replace(data));
    }

    /// Like [`Tensor::alias`], with the memory seen as elements of another dtype ([`Storage::seen_as`]), as it is.
    pub(crate) fn alias_as(&self, dtype: DType, layout: Layout) -> Tensor {
        self.over(Data { storage: self.storage().seen_as(dtype), layout, flipped: false })
    }

    /// Another tensor over the same storage, sharing the version counter, outside the graph.
    pub fn alias(&self, layout: Layout) -> Tensor {
        let data = self.0.data.borrow().clone();
        self.over(Data { layout, ..data })
    }

    /// The elements of a dense tensor in another shape of the same size, outside the graph. They stay in place in the
    /// storage.
    pub(crate) fn dense_as(&self, shape: &[usize]) -> Tensor {
        self.alias(Layout { offset: self.offset(), ..Layout::contiguous(shape) })
    }

    /// The tensor itself; or a 0-dim tensor with one dimension of size 1, for kernels that work along a dimension.
    pub(crate) fn at_least_1d(&self) -> Tensor {
        if self.ndim() == 0 { self.dense_as(&[1]) } else { self.clone() }
    }

    /// A tensor that shares its version counter with this one.
    fn over(&self, data: Data) -> Tensor {
        Tensor::with_version(data, self.0.version.borrow().clone(), self.0.meta.inference.get())
    }

    /// `t.detach()`.
    pub fn detach(&self) -> Tensor {
        self.alias(self.layout())
    }

    pub fn version(&self) -> u64 {
        self.0.version.borrow().get()
    }

    /// Whether a change of one is also a new version of the other.
    pub(crate) fn shares_version(&self, other: &Tensor) -> bool {
        Rc::ptr_eq(&self.0.version.borrow(), &other.0.version.borrow())
    }

    pub(crate) fn bump_version(&self) {
        let version = self.0.version.borrow();
        version.set(version.get() + 1);
    }

    pub(crate) fn meta(&self) -> &Meta {
        &self.0.meta
    }

    /// What a layer above stores with this tensor.
    pub(crate) fn slot(&self) -> Ref<'_, Option<Box<dyn Any>>> {
        self.0.meta.slot.borrow()
    }

    pub(crate) fn set_slot(&self, value: Option<Box<dyn Any>>) {
        drop(self.0.meta.slot.replace(value));
    }

    pub(crate) fn downgrade(&self) -> WeakTensor {
        WeakTensor(Rc::downgrade(&self.0))
    }

    // ---- the graph, as far as the tensor itself knows it; the rest stands in `autograd` ------------------------------

    pub fn requires_grad(&self) -> bool {
        let meta = &self.0.meta;
        // A view requires a gradient if what it shows does, although its own history may not say so.
        meta.requires_grad.get()
            || meta.grad_fn.borrow().is_some()
            || meta.view.borrow().as_ref().is_some_and(|view| view.base.requires_grad())
    }

    pub fn is_inference(&self) -> bool {
        self.0.meta.inference.get()
    }

    pub fn grad(&self) -> Option<Tensor> {
        self.0.meta.grad.borrow().clone()
    }

    /// `t.grad = value`, unchecked; the caller has compared sizes, dtypes and devices.
    pub fn set_grad(&self, grad: Option<Tensor>) {
        // The old gradient's graph may hold Python objects, whose `__del__` may look at this tensor.
        drop(self.0.meta.grad.replace(grad));
    }

    pub(crate) fn retains_grad(&self) -> bool {
        self.0.meta.retains_grad.get()
    }

    /// Called with the leaf after something was added to its `.grad`.
    pub fn register_post_accumulate_hook(&self, call: HookFn) -> u64 {
        let handle = engine::current().devices.new_tensor_id();
        self.0.meta.post_accumulate.borrow_mut().push(Hook { handle, call });
        handle
    }
}

/// A reference that doesn't keep the tensor alive.
#[derive(Clone)]
pub struct WeakTensor(Weak<Inner>);

impl WeakTensor {
    pub(crate) fn upgrade(&self) -> Option<Tensor> {
        self.0.upgrade().map(Tensor)
    }
}

/// A tensor's storage and layout, held for the duration of one launch.
pub(crate) struct Pin {
    data: Data,
    /// What a kernel reads in place of a tensor that is negated when it's read.
    resolved: OnceCell<Data>,
}

impl Pin {
    pub(crate) fn of(t: &Tensor) -> Pin {
        Pin { data: t.0.data.borrow().clone(), resolved: OnceCell::new() }
    }

    /// What a kernel reads or writes. As in PyTorch, no kernel negates what it reads: it gets a copy.
    fn data(&self) -> Result<&Data> {
        if !self.data.flipped {
            return Ok(&self.data);
        }
        if let Some(resolved) = self.resolved.get() {
            return Ok(resolved);
        }
        let tensor = Tensor::with_version(self.data.clone(), Rc::default(), false);
        let made = tensor.resolved()?.0.data.borrow().clone();
        engine::current().launches.note_stand_in(made.storage.buffer()?);
        Ok(self.resolved.get_or_init(|| made))
    }

    /// # Errors
    /// The tensor is on `meta`; no memory for a copy of a tensor that is negated when it's read.
    pub(crate) fn view(&self) -> Result<View<'_>> {
        let data = self.data()?;
        Ok(View::new(data.storage.buffer()?, &data.layout))
    }

    /// The view expanded to `shape`, to which the tensor must be broadcastable.
    ///
    /// # Errors
    /// Those of [`Pin::view`].
    pub(crate) fn broadcast(&self, shape: &[usize]) -> Result<View<'_>> {
        let Data { storage, layout, .. } = self.data()?;
        Ok(View {
            buffer: storage.buffer()?,
            dtype: storage.dtype(),
            shape: Dims::from_slice(shape),
            strides: layout.broadcast_strides(shape),
            offset: layout.offset,
        })
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        if let Some(buffer) = self.resolved.get().and_then(|made| made.storage.buffer().ok()) {
            engine::current().launches.drop_stand_in(buffer);
        }
    }
}

impl std::fmt::Debug for Tensor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tensor({:?}, {}, {})", self.shape().as_slice(), self.dtype(), self.device())
    }
}
