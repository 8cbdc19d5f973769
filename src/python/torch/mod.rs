//! The native half of the `torch` package. The other half is the Python files in this folder, which `build.rs` freezes
//! under their path: `nn/__init__.py` here is `torch.nn`.
//!
//! Modules in reading order: Python objects as values and back ([`tensor`], [`arrays`], [`convert`], [`error`]), how a call
//! gets here ([`function`], [`overrides`], [`parse`], [`args`], [`out`], [`autocast`]), the types ([`class`], [`device`], [`dtype`],
//! [`shape`]), and one file for each family of functions, listed in [`tables`].

#![warn(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

mod algebra;
mod args;
mod arrays;
mod autocast;
mod autograd;
mod binding;
mod class;
mod composed;
mod convert;
mod creation;
mod cuda;
mod data;
mod device;
mod distributed;
mod dtype;
mod error;
mod figure;
mod files;
mod function;
mod functional;
mod graph;
mod host;
mod index;
mod indexed;
mod inplace;
mod layers;
mod linear;
mod module;
pub mod names;
mod node;
mod operators;
mod out;
mod outdated;
pub mod overrides;
mod parse;
mod parts;
pub mod patched;
mod pointwise;
mod printing;
mod profile;
mod random;
mod reductions;
mod saved;
mod shape;
mod sparse;
mod state;
mod streams;
mod tensor;
#[cfg(test)]
mod tests;
mod transfer;
mod views;

pub(super) use device::{describing, without_defaults};
pub use tensor::tensor_of;

use rustpython_vm::builtins::{PyModuleDef, PyType};
use rustpython_vm::{Context, Py};

/// Every native module that the Python half imports.
pub(crate) fn native_modules(ctx: &Context) -> Vec<&'static PyModuleDef> {
    vec![_torch::module_def(ctx)]
}

/// Every table of functions, except the elementwise operators, which are bound from their rows.
fn tables() -> [&'static [&'static [binding::Row]]; 26] {
    [
        pointwise::ROWS,
        reductions::ROWS,
        views::ROWS,
        creation::ROWS,
        random::ROWS,
        indexed::ROWS,
        inplace::ROWS,
        composed::ROWS,
        transfer::ROWS,
        linear::ROWS,
        algebra::ROWS,
        layers::ROWS,
        autocast::ROWS,
        functional::ROWS,
        state::ROWS,
        cuda::ROWS,
        graph::ROWS,
        streams::ROWS,
        host::ROWS,
        profile::ROWS,
        files::ROWS,
        figure::ROWS,
        distributed::ROWS,
        saved::ROWS,
        sparse::ROWS,
        overrides::ROWS,
    ]
}

/// Every native function: name, forms, function.
fn rows() -> Vec<binding::Row> {
    let mut rows = pointwise::elementwise();
    rows.extend(tables().into_iter().flatten().copied().flatten());
    rows
}

/// Puts the methods on the class, once per process.
fn install_methods(class: &Py<PyType>, ctx: &Context) {
    for (name, kind, call) in rows() {
        if kind & binding::M != 0 {
            class.set_attr(ctx.intern_str(name), function::method(name, call, ctx));
        }
    }
}

/// The functions, for the module's dictionary.
fn functions() -> impl Iterator<Item = (&'static str, binding::Native)> {
    rows().into_iter().filter(|(_, kind, _)| kind & binding::F != 0).map(|(name, _, call)| (name, call))
}

/// Like [`error::warn`], for the engine, which doesn't know the interpreter.
pub(crate) fn warn_here(message: &str) -> crate::error::Result<()> {
    rustpython_vm::vm::thread::with_current_vm(|vm| error::warn(message, vm).map_err(|e| error::lower(e, vm)))
}

#[rustpython_vm::pymodule]
mod _torch {
    use rustpython_vm::builtins::PyModule;
    use rustpython_vm::class::PyClassImpl;
    use rustpython_vm::{AsObject, Py, PyResult, VirtualMachine};

    use super::{
        autograd, composed, device, distributed, dtype, error, files, function, functions, graph, host,
        install_methods, module as modules, node, patched, random, saved, state, streams, tensor,
    };

    /// The version of PyTorch whose semantics and messages these are.
    #[pyattr]
    const VERSION: &str = "2.15.0";

    pub(crate) fn module_exec(vm: &VirtualMachine, module: &Py<PyModule>) -> PyResult<()> {
        __module_exec(vm, module);
        let ctx = &vm.ctx;
        state::reset(vm);
        super::overrides::torch_is_loading();
        function::init();
        composed::init();
        files::init();
        let tensor_class = tensor::PyTensor::make_static_type();
        // A program that crashed inside the interpreter may have left changes.
        patched::restore(vm);
        patched::open(vm);
        tensor_class.set_attr(ctx.intern_str("__module__"), ctx.new_str("torch").into());
        install_methods(&tensor_class, ctx);
        let set = |name: &'static str, value: rustpython_vm::PyObjectRef| {
            module.as_object().set_attr(ctx.intern_str(name), value, vm)
        };
        set("Tensor", tensor_class.into())?;
        set("device", device::PyDevice::make_static_type().into())?;
        set("dtype", dtype::PyDType::make_static_type().into())?;
        set("Generator", random::PyGenerator::make_static_type().into())?;
        set("Node", node::PyNode::make_static_type().into())?;
        set("SavedTensor", saved::PySaved::make_static_type().into())?;
        set("_NodeReference", node::PyNodeReference::make_static_type().into())?;
        set("GradMode", autograd::PyGradMode::make_static_type().into())?;
        set("_Legacy", host::legacy_class().into())?;
        set("_Pcg64", host::pcg64_class().into())?;
        set("_CapturedGraph", graph::class().into())?;
        set("_RecordedEvent", streams::class().into())?;
        set("_Communicator", distributed::communicator_class().into())?;
        set("_Flight", distributed::flight_class().into())?;
        set("_Store", distributed::store_class().into())?;
        let classes = error::init(vm);
        set("OutOfMemoryError", classes.out_of_memory.into())?;
        set("AcceleratorError", classes.accelerator.into())?;
        set("_LinAlgError", classes.lin_alg.into())?;
        set("_DistError", classes.dist.into())?;
        set("_DistBackendError", classes.dist_backend.into())?;
        set("_DistNetworkError", classes.dist_network.into())?;
        set("_DistStoreError", classes.dist_store.into())?;
        for (name, dtype) in dtype::NAMES {
            set(name, dtype::object(dtype, vm))?;
        }
        set("_module_call", function::method("__call__", modules::call, ctx))?;
        set("_module_getattr", function::method("__getattr__", modules::getattr, ctx))?;
        for (name, call) in functions() {
            set(name, function::function(name, call, ctx))?;
        }
        Ok(())
    }
}
