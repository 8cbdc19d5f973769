//! Sparse and nested tensors: what their packages need from this side ([`super::parts`]), and the functions by which a program
//! makes such tensors.

use std::cell::Cell;
use std::rc::Rc;

use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

use super::args::Call;
use super::binding::{F, FM, M, Row};
use super::class;
use super::convert;
use super::error::OrRaise;
use super::parts::{exist, module, set_exist};
use super::tensor::{tensor_of, wrap};
use crate::ops;
use crate::ops::rows;
use crate::tensor::Tensor;
use crate::tensor::parts::{Kind, Parts};

/// Forgets an earlier program.
pub(super) fn reset() {
    set_exist(false);
    ops::set_add_parts(add);
}

/// Adds gradients of which at least one consists of parts.
fn add(a: &Tensor, b: &Tensor, in_place: bool) -> crate::error::Result<Tensor> {
    super::error::with_vm(|vm| {
        let add = module("torch._sparse", vm)?.get_attr("_add_gradients", vm)?;
        let sum = add.call((wrap(a.clone(), vm), wrap(b.clone(), vm), in_place), vm)?;
        tensor_of(&sum).cloned().ok_or_else(|| vm.new_type_error("a sum of gradients is a tensor"))
    })
}

/// A function or method of the package `torch._sparse`, loaded when it's first called.
fn later(call: Call<'_>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    if let Some(operator) = call.operator {
        let ways = if call.hidden == 1 { operator.method_signatures() } else { operator.function_signatures() };
        if !ways.is_empty() {
            let checked = Call::new(name, call.operator, call.args.clone(), call.positional, call.keywords, vm);
            if call.hidden == 1 { checked.on_object() } else { checked }.args()?.read_lists()?;
        }
    }
    let function = module("torch._sparse", vm)?.get_attr("_ALL", vm)?.get_item(name, vm)?;
    call.pass_to(&function)
}

/// `_of_parts(layout, size, places, values, coalesced)`: a tensor of parts.
fn of_parts(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["layout", "size", "places", "values", "coalesced"], 5)?;
    let layout = a.str(0)?.unwrap_or_default();
    let Some(kind) = Kind::ALL.into_iter().find(|kind| match kind {
        Kind::Nested => layout == "nested",
        kind => kind.layout() == layout,
    }) else {
        return Err(vm.new_value_error(format!("no layout is called {layout}")));
    };
    let size = a.ints(1)?;
    let values = a.tensor(3)?;
    let shape = ops::create::sizes(&size, values.dtype(), values.device()).or_raise(vm)?;
    crate::shape::checked_numel(&shape).or_raise(vm)?;
    let places = a.tensors(2)?;
    // Parts of parts would be dropped by a recursion as deep as a program likes.
    if places.iter().chain([&values]).any(Tensor::has_parts) {
        return Err(vm.new_type_error("a part has no parts"));
    }
    let parts = Parts { kind, places, values, coalesced: Cell::new(a.bool_or(4, false)?) };
    set_exist(true);
    Ok(wrap(Tensor::of_parts(&shape, parts).or_raise(vm)?, vm))
}

fn parts_of(t: &Tensor, vm: &VirtualMachine) -> PyResult<Rc<Parts>> {
    t.parts().ok_or_else(|| vm.new_type_error("not a tensor of parts"))
}

/// `_parts(t)`: its places, its values, and whether it's coalesced.
fn parts(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let parts = parts_of(&call.bind(&["input"], 1)?.tensor(0)?, vm)?;
    let places: Vec<PyObjectRef> = parts.places.iter().map(|t| wrap(t.clone(), vm)).collect();
    let values = wrap(parts.values.clone(), vm);
    Ok(vm.new_tuple((vm.ctx.new_tuple(places), values, parts.coalesced.get())).into())
}

/// `_parts_layout(t)`: the layout's name, `"nested"`, or None for a strided tensor.
fn parts_layout(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input"], 1)?;
    Ok(match a.get(0).and_then(|o| tensor_of(o)).and_then(Tensor::kind) {
        None => vm.ctx.none(),
        Some(Kind::Nested) => vm.ctx.new_str("nested").into(),
        Some(kind) => vm.ctx.new_str(kind.layout()).into(),
    })
}

/// `_set_coalesced(t, yes)`.
fn set_coalesced(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "coalesced"], 2)?;
    parts_of(&a.tensor(0)?, vm)?.coalesced.set(a.bool_or(1, false)?);
    Ok(vm.ctx.none())
}

/// `_take_parts(t, other)`: `t`, changed in place, now consists of what `other` consists of.
fn take_parts(call: Call<'_>) -> PyResult {
    let object = call.self_object()?;
    let a = call.bind(&["input", "other"], 2)?;
    let t = a.tensor(0)?;
    t.set_data(&a.tensor(1)?);
    t.bump_version();
    Ok(object)
}

/// `_numbers_text(t, indent)`: a tensor's numbers as its text shows them, for a string in which they begin at column `indent`.
fn numbers_text(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "indent"], 2)?;
    let indent = crate::shape::clamped(a.int(1)?);
    Ok(vm.ctx.new_str(class::numbers(&a.tensor(0)?, indent, vm)?).into())
}

/// `_has_sparse_gradient(params)`: whether an optimizer meets a gradient that isn't strided.
fn has_sparse_gradient(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let params = call.positional().first().filter(|_| exist()).and_then(|list| convert::sequence(list));
    let sparse = |o: &PyObjectRef| tensor_of(o).and_then(Tensor::grad).is_some_and(|g| g.has_parts());
    Ok(vm.ctx.new_bool(params.is_some_and(|list| list.iter().any(sparse))).into())
}

/// `_linewidth()`: the most characters in a line of a tensor's text.
fn linewidth(call: Call<'_>) -> PyResult {
    Ok(call.vm.ctx.new_int(super::printing::options().linewidth).into())
}

/// `_is_elementwise(name)`: whether PyTorch computes an operator element by element, with an iterator.
fn is_elementwise(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["name"], 1)?;
    let name = a.str(0)?.unwrap_or_default();
    let operator = rows::find(name).or_else(|| rows::find(name.strip_suffix('_')?));
    Ok(vm.ctx.new_bool(operator.is_some_and(|o| o.rule == rows::SameDevice::Elementwise)).into())
}

/// `_shows_device(t)`: whether a tensor's text names its device.
fn shows_device(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let t = call.bind(&["input"], 1)?.tensor(0)?;
    Ok(vm.ctx.new_bool(class::shows_device(t.device())).into())
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("_of_parts", F, of_parts),
    ("_parts", F, parts),
    ("_parts_layout", F, parts_layout),
    ("_set_coalesced", F, set_coalesced),
    ("_take_parts", F, take_parts),
    ("_has_sparse_gradient", F, has_sparse_gradient),
    ("_linewidth", F, linewidth),
    ("_is_elementwise", F, is_elementwise),
    ("_shows_device", F, shows_device),
    ("_numbers_text", F, numbers_text),
    ("sparse_coo_tensor", F, later),
    ("sparse_compressed_tensor", F, later),
    ("sparse_csr_tensor", F, later),
    ("sparse_csc_tensor", F, later),
    ("sparse_bsr_tensor", F, later),
    ("sparse_bsc_tensor", F, later),
    ("hspmm", F, later),
    ("hsmm", F, later),
    ("smm", FM, later),
    ("spmm", F, later),
    ("dsmm", F, later),
    ("saddmm", F, later),
    ("sspaddmm", FM, later),
    ("indices", M, later),
    ("values", M, later),
    ("_indices", M, later),
    ("_values", M, later),
    ("_nnz", M, later),
    ("_dimI", M, later),
    ("_dimV", M, later),
    ("coalesce", M, later),
    ("is_coalesced", M, later),
    ("_coalesced_", M, later),
    ("sparse_dim", M, later),
    ("dense_dim", M, later),
    ("crow_indices", M, later),
    ("col_indices", M, later),
    ("ccol_indices", M, later),
    ("row_indices", M, later),
    ("sparse_mask", M, later),
    ("sparse_resize_", M, later),
    ("sparse_resize_and_clear_", M, later),
    ("to_dense", M, later),
    ("to_sparse", M, later),
    ("to_sparse_coo", M, later),
    ("to_sparse_csr", M, later),
    ("to_sparse_csc", M, later),
    ("to_sparse_bsr", M, later),
    ("to_sparse_bsc", M, later),
    ("to_padded_tensor", M, later),
]];
