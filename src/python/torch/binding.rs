//! The form of a table of bindings: native functions with their Python names.

use super::function::Native;

/// In the module `torch`.
pub const F: u8 = crate::ops::rows::FUNCTION;
/// On `torch.Tensor`.
pub const M: u8 = crate::ops::rows::METHOD;
/// Both.
pub const FM: u8 = F | M;

/// One row: name, forms, function.
pub type Row = (&'static str, u8, Native);
