//! Functions that reduce dimensions.

use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

use super::args::Call;
use super::binding::{F, FM, Row};
use super::error::OrRaise;
use super::tensor::{answer, wrap};
use crate::dtype::DType;
use crate::error::Error;
use crate::executor::{BinaryOp, ReduceOp, ScanOp};
use crate::ops::rows::Family;
use crate::ops::{self, reduce, rows};
use crate::tensor::Tensor;

/// `torch.return_types.max(values=…, indices=…)`, which the Python half makes.
pub(super) fn pair(kind: &'static str, values: Tensor, indices: Tensor, vm: &VirtualMachine) -> PyResult {
    named(kind, vec![wrap(values, vm), wrap(indices, vm)], vm)
}

/// A result tuple with named fields.
pub(super) fn named(kind: &'static str, items: Vec<PyObjectRef>, vm: &VirtualMachine) -> PyResult {
    let module = vm.import("torch.return_types", 0)?;
    let _ = module;
    let types = vm.sys_module.get_attr("modules", vm)?.get_item("torch.return_types", vm)?;
    types.get_attr(kind, vm)?.call((vm.ctx.new_tuple(items),), vm)
}

fn sum(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let name = if a.get("dim").is_some() { rows::nodes::SUM_DIM } else { rows::SUM.node };
    let (dims, keep) = (a.dims("dim")?, a.bool_or("keepdim", false)?);
    answer(reduce::sum_named(&a.tensor(0)?, &dims, keep, a.dtype("dtype")?, name), vm)
}

/// A reduction that its row describes.
pub(super) fn by_row(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let Some(Family::Reduction(op)) = call.operator.map(|o| o.family) else {
        return Err(vm.new_system_error("not a reduction"));
    };
    let a = call.args()?;
    let dtype = if op.row().knows("dtype") { a.dtype("dtype")? } else { None };
    answer(reduce::reduction(op, &a.tensor(0)?, &a.dims("dim")?, a.bool_or("keepdim", false)?, dtype), vm)
}

fn mean(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let name = if a.get("dim").is_some() { rows::nodes::MEAN_DIM } else { rows::MEAN.node };
    let (dims, keep) = (a.dims("dim")?, a.bool_or("keepdim", false)?);
    answer(reduce::mean_named(&a.tensor(0)?, &dims, keep, a.dtype("dtype")?, name), vm)
}

fn prod(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(reduce::prod(&a.tensor(0)?, a.int_or_none("dim")?, a.bool_or("keepdim", false)?, a.dtype("dtype")?), vm)
}

/// `max` and `min` in their three forms: of all, along a dimension, of two tensors.
fn extreme(call: Call<'_>, largest: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    if a.get("other").is_some() {
        let op = if largest { BinaryOp::Maximum } else { BinaryOp::Minimum };
        return answer(ops::binary(op, &a.operand(0)?, &a.operand(1)?), vm);
    }
    let t = a.tensor(0)?;
    if a.some("dim").is_none() {
        let node = if largest { rows::MAX.node } else { rows::MIN.node };
        return answer(reduce::extreme(&t, largest, &[], false, node), vm);
    }
    let (values, indices) =
        reduce::extreme_dim(&t, largest, a.int("dim")?, a.bool_or("keepdim", false)?).or_raise(vm)?;
    pair(if largest { "max" } else { "min" }, values, indices, vm)
}

fn amax(call: Call<'_>, largest: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let node = if largest { rows::AMAX.node } else { rows::AMIN.node };
    answer(reduce::extreme(&a.tensor(0)?, largest, &a.dims("dim")?, a.bool_or("keepdim", false)?, node), vm)
}

fn arg_extreme(call: Call<'_>, largest: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(reduce::arg_extreme(&a.tensor(0)?, largest, a.int_or_none("dim")?, a.bool_or("keepdim", false)?), vm)
}

fn logical(call: Call<'_>, op: ReduceOp) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, dims) = (a.tensor(0)?, a.dims("dim")?);
    if a.some("dim").is_some() && dims.is_empty() {
        // Unlike the sums, these reduce nothing if no dimension is named.
        let one = ops::view::unsqueeze(&t, -1).or_raise(vm)?;
        return answer(reduce::logical(&one, op, &[-1], false), vm);
    }
    answer(reduce::logical(&t, op, &dims, a.bool_or("keepdim", false)?), vm)
}

/// `count_nonzero`, which has no `keepdim`.
fn count_nonzero(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(reduce::logical(&a.tensor(0)?, ReduceOp::CountNonzero, &a.dims("dim")?, false), vm)
}

/// `var(unbiased)`, `var(dim, unbiased, keepdim)`, `var(dim, correction=…)`.
fn var(call: Call<'_>, root: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let correction = match a.some("correction") {
        Some(_) => a.f64("correction")?,
        None if a.bool_or("unbiased", true)? => 1.0,
        None => 0.0,
    };
    let f = if root { reduce::std } else { reduce::var };
    let t = a.tensor(0)?;
    let out = f(&t, &a.dims("dim")?, correction, a.bool_or("keepdim", false)?).or_raise(vm)?;
    let reduced = t.numel().checked_div(out.numel()).unwrap_or(0);
    if reduced as f64 - correction <= 0.0 {
        let name = if root { "std" } else { "var" };
        super::error::warn(
            &format!(
                "{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input numel divided by output numel)."
            ),
            vm,
        )?;
    }
    answer(Ok(out), vm)
}

fn norm(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let t = match a.dtype("dtype")? {
        Some(dtype) => ops::transfer::cast(&a.tensor(0)?, dtype).or_raise(vm)?,
        None => a.tensor(0)?,
    };
    let p = match a.some(1) {
        None => 2.0,
        Some(o) => match super::convert::text(o) {
            Some("fro") => 2.0,
            Some("nuc") => return answer(ops::linalg::nuclear_norm(&t, &a.dims(2)?, a.bool_or(3, false)?), vm),
            Some(other) => {
                return Err(vm.new_runtime_error(format!("linalg.matrix_norm: Order {other} not supported.")));
            }
            None => a.f64(1)?,
        },
    };
    answer(reduce::norm(&t, p, &a.dims(2)?, a.bool_or(3, false)?, rows::NORM.node), vm)
}

fn scan(call: Call<'_>, op: ScanOp) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.args()?;
    let (t, dim) = (a.tensor(0)?, a.int("dim")?);
    let Some(dtype) = a.dtype("dtype")? else { return answer(reduce::scan(op, &t, dim), vm) };
    if dtype == DType::Bool {
        let place = if t.device().is_cuda() { "cuda" } else { "out_cpu" };
        let text = format!("\"{name}_{place}\" not implemented for 'Bool'");
        return answer(Err(Error::not_implemented(text)), vm);
    }
    // Integers are summed in int64, whose low bits are those of the requested dtype.
    let made = ops::transfer::cast(&t, dtype).and_then(|t| reduce::scan(op, &t, dim));
    answer(made.and_then(|t| ops::transfer::cast(&t, dtype)), vm)
}

/// `_running_extreme(x, dim, largest)`: the largest (or smallest) so far.
fn running_extreme(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "dim", "largest"], 3)?;
    let op = if a.bool_or(2, true)? { ScanOp::Max } else { ScanOp::Min };
    answer(reduce::scan(op, &a.tensor(0)?, a.int(1)?), vm)
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("_running_extreme", F, running_extreme),
    ("sum", FM, sum),
    ("mean", FM, mean),
    ("prod", FM, prod),
    ("max", FM, |c| extreme(c, true)),
    ("min", FM, |c| extreme(c, false)),
    ("amax", FM, |c| amax(c, true)),
    ("amin", FM, |c| amax(c, false)),
    ("argmax", FM, |c| arg_extreme(c, true)),
    ("argmin", FM, |c| arg_extreme(c, false)),
    ("any", FM, |c| logical(c, ReduceOp::Any)),
    ("all", FM, |c| logical(c, ReduceOp::All)),
    ("count_nonzero", FM, count_nonzero),
    ("var", FM, |c| var(c, false)),
    ("std", FM, |c| var(c, true)),
    ("norm", FM, norm),
    ("cumsum", FM, |c| scan(c, ScanOp::Sum)),
    ("cumprod", FM, |c| scan(c, ScanOp::Prod)),
]];
