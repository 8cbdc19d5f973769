//! Tensors whose elements are in other tensors: sparse ones, as indices and values, and nested ones, as one buffer and the
//! places of the tensors in it.
//!
//! Such a tensor has a shape, a dtype and a device but no memory. Its parts are ordinary tensors: they're what moves, what
//! is counted, and what the page shows. An operator that doesn't know about parts can't read such a tensor, because its
//! storage has no buffer.

use std::any::Any;
use std::cell::Cell;
use std::rc::Rc;

use super::Tensor;
use crate::error::Result;
use crate::shape::Layout;
use crate::storage::Storage;

/// What the parts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Coo,
    Csr,
    Csc,
    Bsr,
    Bsc,
    Nested,
}

impl Kind {
    pub const ALL: [Kind; 6] = [Kind::Coo, Kind::Csr, Kind::Csc, Kind::Bsr, Kind::Bsc, Kind::Nested];

    /// The name of its `torch.layout`.
    pub fn layout(self) -> &'static str {
        match self {
            Kind::Coo => "sparse_coo",
            Kind::Csr => "sparse_csr",
            Kind::Csc => "sparse_csc",
            Kind::Bsr => "sparse_bsr",
            Kind::Bsc => "sparse_bsc",
            Kind::Nested => "strided",
        }
    }

    /// The methods that return the parts.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Kind::Coo => &["indices()", "values()"],
            Kind::Csr | Kind::Bsr => &["crow_indices()", "col_indices()", "values()"],
            Kind::Csc | Kind::Bsc => &["ccol_indices()", "row_indices()", "values()"],
            Kind::Nested => &["values()"],
        }
    }
}

/// The parts of one tensor.
#[derive(Debug)]
pub struct Parts {
    pub kind: Kind,
    /// Where the values are: one tensor of indices, or two for compressed rows or columns.
    pub places: Vec<Tensor>,
    pub values: Tensor,
    /// COO: no index is there twice, and they're in order.
    pub coalesced: Cell<bool>,
}

impl Parts {
    /// All of them, in the order of [`Kind::names`].
    pub fn all(&self) -> impl Iterator<Item = &Tensor> {
        self.places.iter().chain([&self.values])
    }
}

impl Tensor {
    /// A tensor of this shape that consists of parts, on the device and with the dtype of its values.
    ///
    /// # Errors
    /// Those of [`Storage::of_parts`].
    pub fn of_parts(shape: &[usize], parts: Parts) -> Result<Tensor> {
        let strides = shape.iter().map(|_| 0).collect();
        let layout = Layout { strides, ..Layout::contiguous(shape) };
        let (device, dtype) = (parts.values.device(), parts.values.dtype());
        let parts: Rc<dyn Any> = Rc::new(parts);
        Ok(Tensor::from_storage(Storage::of_parts(device, dtype, parts)?, layout))
    }

    /// Whether it consists of parts.
    #[inline]
    pub fn has_parts(&self) -> bool {
        self.with_data(|storage, _| storage.parts().is_some())
    }

    pub fn parts(&self) -> Option<Rc<Parts>> {
        let parts = self.with_data(|storage, _| storage.parts().cloned())?;
        parts.downcast().ok()
    }

    /// The kind of its parts, unless it's strided.
    pub fn kind(&self) -> Option<Kind> {
        self.parts().map(|parts| parts.kind)
    }
}
