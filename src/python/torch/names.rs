//! Which variables of the learner's program hold which tensors, and the numbers they read.

use rustpython_vm::VirtualMachine;

use crate::dtype::Scalar;

/// A number was read by `.item()`.
pub fn value_read(_value: Scalar, _vm: &VirtualMachine) {}
