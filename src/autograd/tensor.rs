//! What a program can ask a tensor about its history.

use std::rc::Rc;

use super::view_grad_fn;
use crate::engine;
use crate::error::{Error, Result};
use crate::tensor::Tensor;
use crate::tensor::modes::is_inference;
use crate::tensor::node::{Hook, HookFn, Node};

impl Tensor {
    pub(crate) fn is_leaf(&self) -> bool {
        self.grad_fn().is_none()
    }

    /// `t.requires_grad_(value)`.
    ///
    /// # Errors
    /// Non-float dtypes, non-leaves, inference tensors.
    pub fn set_requires_grad(&self, value: bool) -> Result<()> {
        if value && !self.dtype().is_inexact() {
            return Err(Error::runtime("only Tensors of floating point dtype can require gradients"));
        }
        if value && self.is_inference() && !is_inference() {
            return Err(Error::runtime(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.",
            ));
        }
        if !self.is_leaf() {
            if value {
                return Ok(());
            }
            return Err(Error::runtime(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().",
            ));
        }
        self.meta().requires_grad.set(value);
        Ok(())
    }

    /// `t.retain_grad()`: a non-leaf also keeps its gradient in `.grad`.
    ///
    /// # Errors
    /// The tensor is outside any graph.
    pub fn retain_grad(&self) -> Result<()> {
        if !self.requires_grad() {
            return Err(Error::runtime("can't retain_grad on Tensor that has requires_grad=False"));
        }
        if let Some(node) = self.grad_fn()
            && !self.meta().retains_grad.replace(true)
        {
            node.retain_grad(self.meta().output.get(), self);
        }
        Ok(())
    }

    /// `t.register_hook(f)`: calls `f` when this tensor's gradient is known. Returns a handle for
    /// [`Tensor::remove_hook`].
    ///
    /// # Errors
    /// The tensor is outside any graph.
    pub fn register_hook(&self, call: HookFn) -> Result<u64> {
        if !self.requires_grad() {
            return Err(Error::runtime("cannot register a hook on a tensor that doesn't require gradient"));
        }
        let handle = engine::current().devices.new_tensor_id();
        let hook = Hook { handle, call };
        match self.grad_fn() {
            Some(node) => node.add_pre_hook(self.meta().output.get(), hook),
            None => self.meta().hooks.borrow_mut().push(hook),
        }
        Ok(handle)
    }

    pub fn remove_hook(&self, handle: u64) {
        for list in [&self.meta().hooks, &self.meta().post_accumulate] {
            // Dropping a hook may run Python code that comes back here, so the list isn't borrowed then.
            let gone: Vec<_> = list.borrow_mut().extract_if(.., |h| h.handle == handle).collect();
            drop(gone);
        }
        if let Some(node) = self.grad_fn() {
            node.remove_pre_hook(handle);
        }
    }

    /// The node that made this tensor. For a view whose base has been changed in place since then, a new one.
    pub fn grad_fn(&self) -> Option<Rc<Node>> {
        view_grad_fn(self);
        self.meta().grad_fn.borrow().clone()
    }
}
