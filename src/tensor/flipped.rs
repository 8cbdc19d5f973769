//! Tensors that are negated when they're read: views of a conjugate, and of its imaginary part.
//!
//! Such a tensor has the memory of the one that it's a view of. As in PyTorch, no kernel negates what it reads: it gets a copy
//! ([`Tensor::resolved`]), which [`super::Pin`] makes.

use super::{Data, Tensor};
use crate::engine;
use crate::error::Result;
use crate::executor::{Kernel, UnaryOp, View};
use crate::shape::Layout;

impl Tensor {
    /// Whether what's in memory is negated when it's read: a complex tensor's imaginary parts, a real tensor's elements.
    pub fn is_flipped(&self) -> bool {
        self.0.data.borrow().flipped
    }

    /// The same memory, negated when it's read if it wasn't before, outside the graph.
    pub(crate) fn flip(&self) -> Tensor {
        let data = self.0.data.borrow().clone();
        self.over(Data { flipped: !data.flipped, ..data })
    }

    /// The same memory as it is, outside the graph.
    pub(crate) fn unflipped(&self) -> Tensor {
        if self.is_flipped() { self.flip() } else { self.clone() }
    }

    /// A row-major copy whose memory holds what the tensor shows, outside the graph; the tensor itself if it isn't negated when
    /// it's read.
    ///
    /// # Errors
    /// Out of memory, device errors that come up here.
    pub(crate) fn resolved(&self) -> Result<Tensor> {
        if !self.is_flipped() {
            return Ok(self.clone());
        }
        let (dtype, device) = (self.dtype(), self.device());
        let out = Tensor::empty_with(Layout::contiguous(&self.shape()), dtype, device, false)?;
        if device.is_meta() || self.numel() == 0 {
            return Ok(out);
        }
        let (from, to) = (self.0.data.borrow().clone(), out.0.data.borrow().clone());
        let view = View::new(to.storage.buffer()?, &to.layout);
        let engine = engine::current();
        engine.launch(
            device,
            &Kernel::Copy { src: View::new(from.storage.buffer()?, &from.layout), out: view.clone() },
        )?;
        let mut negated = to.clone();
        if dtype.is_complex() {
            // The imaginary parts are every second number.
            negated.storage = to.storage.seen_as(dtype.part());
            negated.layout.offset = 2 * to.layout.offset + 1;
            negated.layout.strides.iter_mut().for_each(|stride| *stride *= 2);
        }
        let parts = View::new(negated.storage.buffer()?, &negated.layout);
        let compute = parts.dtype;
        engine.launch(device, &Kernel::Unary { op: UnaryOp::Neg, x: parts.clone(), compute, out: parts })?;
        Ok(out)
    }
}
