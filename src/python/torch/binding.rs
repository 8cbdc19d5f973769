//! The form of a table of bindings: native functions with their Python names.

use rustpython_vm::PyResult;

use super::args::Call;

/// A native function: it gets a call and returns an object.
pub(super) type Native = fn(Call<'_>) -> PyResult;

/// In the module `torch`.
pub(super) const F: u8 = crate::ops::rows::FUNCTION;
/// On `torch.Tensor`.
pub(super) const M: u8 = crate::ops::rows::METHOD;
/// Both.
pub(super) const FM: u8 = F | M;

/// One row: name, forms, function.
pub(super) type Row = (&'static str, u8, Native);
