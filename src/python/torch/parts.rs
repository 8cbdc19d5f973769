//! Calls with tensors that consist of parts ([`crate::tensor::parts`]): sparse and nested ones.
//!
//! What an operator does with them is written in Python, in `torch/_sparse` and `torch/_nested`, over the operators of their
//! parts. Each of these packages has a table of what it can do; everything else raises PyTorch's error for an operator
//! without such a kernel. The packages are libraries: they're loaded when a program first makes such a tensor. Until then, a
//! call costs one test of a flag.

use std::cell::Cell;

use rustpython_vm::function::{FuncArgs, KwArgs};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::args::Call;
use super::convert::{self, text};
use super::tensor::{tensor_of, wrap};
use super::{device, dtype};
use crate::device::Device;
use crate::dtype::DType;
use crate::ops::rows::Operator;
use crate::tensor::Tensor;
use crate::tensor::parts::Kind;

thread_local! {
    /// Whether the program has made a tensor of parts.
    static EXIST: Cell<bool> = const { Cell::new(false) };
}

/// Whether there may be tensors of parts.
#[inline]
pub(super) fn exist() -> bool {
    EXIST.get()
}

/// Notes whether the program has made such a tensor.
pub(super) fn set_exist(yes: bool) {
    EXIST.set(yes);
}

/// The module that knows what can be done with a kind.
fn package(kind: Kind) -> &'static str {
    if kind == Kind::Nested { "torch._nested" } else { "torch._sparse" }
}

pub(super) fn module(name: &'static str, vm: &VirtualMachine) -> PyResult {
    vm.import(name, 0)?;
    vm.sys_module.get_attr("modules", vm)?.get_item(name, vm)
}

/// The kind of the first tensor of parts among arguments, or in lists among them.
fn found(args: &[PyObjectRef]) -> Option<Kind> {
    args.iter().find_map(|object| match tensor_of(object) {
        Some(t) => t.kind(),
        None => convert::sequence(object)?.iter().find_map(|o| tensor_of(o)?.kind()),
    })
}

/// The result of a call with tensors of parts among its arguments; `None` if there are none, or if the call doesn't depend
/// on them.
///
/// # Errors
/// Operators that can't do it, in PyTorch's words, and everything that these operators raise.
#[inline]
pub(super) fn call(
    name: &'static str,
    operator: Option<&'static Operator>,
    method: bool,
    args: &[PyObjectRef],
    positional: usize,
    names: Option<&[PyObjectRef]>,
    vm: &VirtualMachine,
) -> PyResult<Option<PyObjectRef>> {
    if !exist() {
        return Ok(None);
    }
    answer(name, operator, method, args, positional, names, vm)
}

#[cold]
fn answer(
    name: &'static str,
    operator: Option<&'static Operator>,
    method: bool,
    args: &[PyObjectRef],
    positional: usize,
    names: Option<&[PyObjectRef]>,
    vm: &VirtualMachine,
) -> PyResult<Option<PyObjectRef>> {
    let Some(kind) = found(args) else { return Ok(None) };
    let ways = operator.map_or(&[][..], |o| if method { o.method_signatures() } else { o.function_signatures() });
    // Functions that take any number of tensors are checked by their own bindings.
    let listed = ways.iter().any(|way| way.python) || name == "einsum";
    if !ways.is_empty() && !listed {
        let given = Call::new(name, operator, args.to_vec(), positional, names, vm);
        if method { given.on_object() } else { given }.args()?.read_lists()?;
    }
    // By the operator's own name, also if the program used another one.
    let own = operator.map(|o| match name.ends_with('_') && !o.name.ends_with('_') {
        true => format!("{}_", o.name),
        false => o.name.to_string(),
    });
    dispatch(kind, own.as_deref().unwrap_or(name), method, args, positional, names, vm)
}

/// Asks the package. Its `NotImplemented` means that the call works with these tensors as with all others.
fn dispatch(
    kind: Kind,
    name: &str,
    method: bool,
    args: &[PyObjectRef],
    positional: usize,
    names: Option<&[PyObjectRef]>,
    vm: &VirtualMachine,
) -> PyResult<Option<PyObjectRef>> {
    let mut kwargs = KwArgs::default();
    for (key, value) in names.unwrap_or_default().iter().zip(&args[positional..]) {
        kwargs.insert(text(key).unwrap_or_default().into(), value.clone());
    }
    let mut given: Vec<PyObjectRef> = vec![vm.ctx.new_str(name).into(), vm.ctx.new_bool(method).into()];
    given.extend(args[..positional].iter().cloned());
    let result = module(package(kind), vm)?.get_attr("_dispatch", vm)?.call(FuncArgs::new(given, kwargs), vm)?;
    Ok((!result.is(&vm.ctx.not_implemented)).then_some(result))
}

/// As [`call`], for Python's own operators and for attributes.
#[inline]
pub(super) fn operator(name: &str, operands: &[&PyObject], vm: &VirtualMachine) -> PyResult<Option<PyObjectRef>> {
    if !exist() {
        return Ok(None);
    }
    let args: Vec<PyObjectRef> = operands.iter().map(|&o| o.to_owned()).collect();
    let Some(kind) = found(&args) else { return Ok(None) };
    dispatch(kind, name, true, &args, args.len(), None, vm)
}

/// What an attribute of a tensor of parts is.
pub(super) fn attribute(t: &Tensor, name: &str, vm: &VirtualMachine) -> PyResult<Option<PyObjectRef>> {
    if !exist() || !t.has_parts() {
        return Ok(None);
    }
    operator(name, &[&wrap(t.clone(), vm)], vm)
}

/// The parts by the names of the methods that return them, for what lists a program's tensors.
pub(super) fn named_parts(t: &Tensor) -> Vec<(&'static str, Tensor)> {
    let Some(parts) = t.parts() else { return Vec::new() };
    parts.kind.names().iter().copied().zip(parts.all().cloned()).collect()
}

/// What `torch.zeros` and the like make in a sparse layout.
pub(super) fn created(
    name: &str,
    size: &[i64],
    dtype: DType,
    device: Device,
    layout: &str,
    requires_grad: bool,
    vm: &VirtualMachine,
) -> PyResult {
    let size = vm.ctx.new_tuple(size.iter().map(|&n| vm.ctx.new_int(n).into()).collect());
    let make = module("torch._sparse", vm)?.get_attr("_created", vm)?;
    let (dtype, device) = (dtype::object(dtype, vm), device::object(device, vm));
    make.call((name.to_string(), size, dtype, device, layout.to_string(), requires_grad), vm)
}
