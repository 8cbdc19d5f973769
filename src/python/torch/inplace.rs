//! Methods that replace a tensor's contents by the result of another function.

use rustpython_vm::PyResult;
use rustpython_vm::function::FuncArgs;

use super::args::Call;
use super::binding::{F, Row};
use super::error::{OrRaise, raise};
use super::function::Over;
use super::tensor::{tensor_of, wrap};
use crate::autograd;
use crate::error::Error;
use crate::ops::arith;
use crate::ops::transfer::check_overlap;
use crate::tensor::{Tensor, destination};

/// Functions whose in-place forms may read memory that partly overlaps what they write. The others refuse it.
const OF_ANY_MEMORY: &[&str] = &["addbmm", "addmm", "addmv", "baddbmm", "index_copy", "ldexp", "masked_scatter"];

/// `_replace(self, f, ...)`: `self` becomes `f(self, ...)`, in the same memory and with the result's history.
fn replace(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let target = call.self_tensor()?;
    let mut rest = call.rest();
    let function = rest.args.remove(0);
    let others: Vec<Tensor> =
        rest.args.iter().chain(rest.kwargs.values()).filter_map(|o| tensor_of(o).cloned()).collect();
    let others: Vec<&Tensor> = others.iter().collect();
    let name = function.get_attr("__name__", vm)?.str(vm)?;
    if !OF_ANY_MEMORY.contains(&&*name.to_string_lossy()) {
        others.iter().try_for_each(|other| check_overlap(&target, other)).or_raise(vm)?;
    }
    let over = Over::of(&function);
    let run = |before: &Tensor| {
        let mut args = vec![wrap(before.clone(), vm)];
        args.append(&mut rest.args);
        let args = FuncArgs::new(args, std::mem::take(&mut rest.kwargs));
        let made = match over {
            Some(Over { one_kernel: true, .. }) => destination::last(|| function.call(args, vm))?,
            Some(_) => function.call(args, vm)?,
            // A function of several steps may read the tensor again after any of them.
            None => destination::with(Vec::new(), || function.call(args, vm))?,
        };
        tensor_of(&made).cloned().ok_or_else(|| vm.new_type_error("a function that changes a tensor gives one"))
    };
    arith::replace_by(&target, &others, over.is_none_or(|over| over.keeps), run, |e| raise(e, vm))?;
    Ok(object)
}

/// `_become(self, f, ...)`: `self` becomes the view `f(self, ...)` of itself.
fn become_view(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let target = call.self_tensor()?;
    let mut rest = call.rest();
    let function = rest.args.remove(0);
    let mut raised = None;
    let made = autograd::become_view(&target, |before| {
        let mut args = vec![wrap(before.clone(), vm)];
        args.append(&mut rest.args);
        let view = function
            .call(FuncArgs::new(args, std::mem::take(&mut rest.kwargs)), vm)
            .and_then(|o| tensor_of(&o).cloned().ok_or_else(|| vm.new_type_error("a view is a tensor")));
        view.map_err(|e| {
            raised = Some(e);
            Error::runtime("a view could not be made")
        })
    });
    match raised {
        Some(error) => Err(error),
        None => made.or_raise(vm).map(|()| object),
    }
}

/// `_without_gradient(out, name, inputs)`: makes `out` the result of a node with this name over tensors on which it doesn't
/// depend.
fn without_gradient(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "name", "inputs"], 3)?;
    let name = match a.str(1)? {
        Some("CopysignBackward1") => "CopysignBackward1",
        Some("IndexBackward0") => "IndexBackward0",
        Some("LinalgLstsqBackward0") => "LinalgLstsqBackward0",
        _ => "CopyBackwards",
    };
    let (out, inputs) = (a.tensor(0)?, a.tensors(2)?);
    crate::ops::record_zero(name, &inputs.iter().collect::<Vec<_>>(), &out).or_raise(vm)?;
    Ok(wrap(out, vm))
}

pub(super) const ROWS: &[&[Row]] =
    &[&[("_replace", F, replace), ("_become", F, become_view), ("_without_gradient", F, without_gradient)]];
