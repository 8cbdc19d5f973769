//! The Python that runs a learner's program: RustPython with frozen standard modules and the `torch` package.
//!
//! Invariant: this layer launches no kernel and copies no data. It turns a call's arguments into values, calls the
//! operators, and turns the results into Python objects.

mod abstracts;
pub mod cells;
mod compile;
mod deep;
mod frames;
mod frozen;
mod guard;
mod hosted;
pub mod interrupt;
mod large;
mod left;
mod libraries;
mod looking;
pub mod output;
mod page;
mod patient;
mod program;
#[cfg(not(target_arch = "wasm32"))]
mod sealed;
mod shell;
mod sites;
pub mod torch;
mod traceback;
mod views;
mod vm;
mod watched;

pub use frames::learner_line;
#[cfg(not(target_arch = "wasm32"))]
pub use libraries::LEFT_OUT;
pub use output::{Output, Stream};
pub use program::{Finished, Observer};
pub use traceback::Raised;
pub use vm::{Ended, Prepared, Program, run};
