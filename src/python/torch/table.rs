//! Which native functions there are, by the names that Python knows them by.

use rustpython_vm::builtins::PyType;
use rustpython_vm::{Context, Py};

use super::function::{self, Native};

/// In the module `torch`.
pub const F: u8 = 1;
/// On `torch.Tensor`.
pub const M: u8 = 2;
/// Both.
pub const FM: u8 = F | M;

/// One row: name, where, what.
pub type Row = (&'static str, u8, Native);

/// Every table.
pub fn tables() -> [&'static [&'static [Row]]; 22] {
    [
        super::pointwise::ROWS,
        super::reductions::ROWS,
        super::views::ROWS,
        super::creation::ROWS,
        super::random::ROWS,
        super::indexed::ROWS,
        super::inplace::ROWS,
        super::out::ROWS,
        super::transfer::ROWS,
        super::linear::ROWS,
        super::algebra::ROWS,
        super::layers::ROWS,
        super::functional::ROWS,
        super::state::ROWS,
        super::cuda::ROWS,
        super::graph::ROWS,
        super::streams::ROWS,
        super::host::ROWS,
        super::profile::ROWS,
        super::files::ROWS,
        super::figure::ROWS,
        super::distributed::ROWS,
    ]
}

/// Puts the methods on the class, once a process.
pub fn install_methods(class: &Py<PyType>, ctx: &Context) {
    for (name, kind, call) in tables().into_iter().flatten().copied().flatten() {
        if kind & M != 0 {
            class.set_attr(ctx.intern_str(*name), function::method(name, *call, ctx));
        }
    }
}

/// The functions, for the module's dictionary.
pub fn functions() -> impl Iterator<Item = (&'static str, Native)> {
    tables()
        .into_iter()
        .flatten()
        .copied()
        .flatten()
        .filter(|(_, kind, _)| kind & F != 0)
        .map(|(name, _, call)| (*name, *call))
}
