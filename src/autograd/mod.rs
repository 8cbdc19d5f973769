//! Reverse-mode differentiation: the graph that operators record, and the engine that walks it.
//!
//! ```text
//!   leaf w ──► AccumulateGrad ◄─┐
//!                               ├─ MulBackward0 ◄─ SumBackward0 ◄─ loss.grad_fn
//!   leaf x ──► AccumulateGrad ◄─┘        │
//!                                        └ saved: w and x, each with the version it had
//! ```
//!
//! Source of the rules and texts: torch/csrc/autograd in PyTorch 2.15.

pub mod anomaly;
mod backward;
mod node;
pub mod picture;
mod tensor;
mod view;

pub use backward::Pass;
pub use node::{
    Pack, Save, accumulator, edge_of, needs_grad, pop_saved_hook, push_saved_hook, record, record_function,
    record_in_place, record_unchecked, under,
};
pub use view::{
    adopt, become_view, check_filled, check_history, check_in_place, check_leaf, check_no_overlap, cut, mark_made,
    mark_one_of_many, mark_view, stand_in, view_grad_fn,
};

pub use crate::tensor::modes::{
    GradMode, enabled_flag, is_grad_enabled, is_inference, set_grad_enabled, set_inference,
};
pub use crate::tensor::node::{
    After, Around, Before, Context, Edge, Gradients, Hook, HookFn, Made, Node, Operators, Unpack, ViewOf,
};
