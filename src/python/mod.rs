//! The Python that runs a learner's program: RustPython with frozen standard modules and the `torch` package.
//!
//! Invariant: this layer allocates no tensor and computes nothing. It parses arguments, calls the engine and returns
//! the results.

pub mod cells;
mod compile;
mod deep;
mod frozen;
mod guard;
mod hosted;
pub mod interrupt;
mod large;
mod libraries;
mod looking;
mod marshal;
pub mod output;
mod page;
mod patient;
mod program;
mod regex;
#[cfg(not(target_arch = "wasm32"))]
mod sealed;
mod shell;
mod sites;
pub mod torch;
mod traceback;
mod vm;
mod watched;

#[cfg(not(target_arch = "wasm32"))]
pub use libraries::LEFT_OUT;
pub use output::{Output, Stream};
pub use program::{Finished, Observer};
pub use traceback::Raised;
pub use vm::{Ended, Prepared, Program, learner_line, run};
