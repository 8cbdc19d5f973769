//! The native half of the `torch` package. The other half is the Python files in this folder, which `build.rs` freezes
//! under their path: `nn/__init__.py` here is `torch.nn`.

use rustpython_vm::Context;
use rustpython_vm::builtins::PyModuleDef;

/// Every native module that the Python half imports.
pub fn native_modules(ctx: &Context) -> Vec<&'static PyModuleDef> {
    vec![_torch::module_def(ctx)]
}

#[rustpython_vm::pymodule]
mod _torch {
    /// The PyTorch whose semantics and texts these are.
    #[pyattr]
    const VERSION: &str = "2.15.0";
}
