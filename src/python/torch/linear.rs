//! Matrix products.

use rustpython_vm::builtins::PyInt;
use rustpython_vm::{PyObjectRef, PyResult};

use super::args::{Bound, Call};
use super::binding::{F, FM, Row};
use super::error::OrRaise;
use super::tensor::{answer, tensor_of};
use super::views::{tensors, unpacked};
use crate::error::Result;
use crate::ops::{self, matmul};
use crate::tensor::Tensor;

fn two(call: Call<'_>, f: fn(&Tensor, &Tensor) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(f(&a.tensor(0)?, &a.tensor(1)?), vm)
}

/// Like [`two`], for functions with an argument for the result's dtype.
fn typed(call: Call<'_>, f: fn(&Tensor, &Tensor) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    same_dtype(&a)?;
    answer(f(&a.tensor(0)?, &a.tensor(1)?), vm)
}

fn addmm(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    same_dtype(&a)?;
    let (beta, alpha) = (a.number_or("beta", 1.0)?, a.number_or("alpha", 1.0)?);
    answer(matmul::addmm(&a.tensor(0)?, &a.tensor(1)?, &a.tensor(2)?, beta, alpha), vm)
}

/// Refuses a product whose dtype differs from its factors'.
pub(super) fn same_dtype(a: &Bound<'_>) -> PyResult<()> {
    match a.get("out_dtype") {
        Some(_) => Err(super::error::not_implemented(&format!("{}(out_dtype=...)", a.name), a.vm)),
        None => Ok(()),
    }
}

fn linear(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(matmul::linear(&a.tensor(0)?, &a.tensor(1)?, a.tensor_or_none(2)?.as_ref()), vm)
}

fn einsum(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    call.refuse_keywords(&[])?;
    let [equation, given @ ..] = call.positional() else { return Err(vm.new_value_error(EINSUM)) };
    if given.is_empty() {
        return Err(vm.new_value_error(EINSUM));
    }
    let Some(text) = super::convert::text(equation) else {
        if tensor_of(equation).is_some() {
            return Err(super::error::not_implemented("einsum with sublists", vm));
        }
        let got = super::convert::type_name(equation);
        return Err(vm.new_type_error(format!("einsum(): argument 'equation' (position 1) must be str, not {got}")));
    };
    let operands = tensors(&unpacked(given), 1, vm)?;
    answer(ops::einsum::einsum(text, &operands), vm)
}

const EINSUM: &str = "einsum(): must specify the equation string and at least one operand, or at least one operand and its subscripts list";

fn tensordot(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    if let Some(dims) = a.some(2).filter(|o| o.downcast_ref::<PyInt>().is_none() && tensor_of(o).is_none()) {
        let Some(pair) = super::convert::sequence(dims) else {
            let dims = dims.str(vm)?;
            return Err(vm.new_runtime_error(format!(
                "tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] containing two lists, but got dims={dims}"
            )));
        };
        let [left, right] = &pair[..] else {
            let (is, count) = (if pair.len() > 2 { "too many" } else { "not enough" }, pair.len());
            let got = if count > 2 { String::new() } else { format!(", got {count}") };
            return Err(vm.new_value_error(format!("{is} values to unpack (expected 2{got})")));
        };
        let list = |object: &PyObjectRef, name: &str, position: usize| -> PyResult<super::convert::Ints> {
            super::convert::ints(object, vm)?.map_err(|_| {
                let kind = super::convert::type_name(object);
                vm.new_type_error(format!(
                    "tensordot(): argument '{name}' (position {position}) must be tuple of ints, not {kind}"
                ))
            })
        };
        let (left, right) = (list(left, "dims_self", 3)?, list(right, "dims_other", 4)?);
        return answer(ops::einsum::tensordot(&x, &y, &left, &right), vm);
    }
    let n = a.int_or(2, 2)?;
    if n < 0 {
        return Err(vm.new_runtime_error(format!("tensordot expects dims >= 0, but got dims={n}")));
    }
    if n > x.ndim().min(y.ndim()) as i64 {
        return Err(vm.new_runtime_error(format!("tensordot expects dims < ndim_a or ndim_b, but got dims={n}")));
    }
    let left: Vec<i64> = (-n..0).collect();
    let right: Vec<i64> = (0..n).collect();
    answer(ops::einsum::tensordot(&x, &y, &left, &right), vm)
}

fn outer(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    for (name, t) in [("self", &x), ("vec2", &y)] {
        if t.ndim() != 1 {
            let text = format!("outer: Expected 1-D argument {name}, but got {}-D", t.ndim());
            return Err(vm.new_runtime_error(text));
        }
    }
    let column = ops::view::unsqueeze(&x, -1).or_raise(vm)?;
    answer(ops::mul(&column, &y), vm)
}

fn cdist(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(ops::distance::cdist(&a.tensor(0)?, &a.tensor(1)?, a.f64_or(2, 2.0)?), vm)
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("mm", FM, |c| typed(c, matmul::mm)),
    ("bmm", FM, |c| typed(c, matmul::bmm)),
    ("mv", FM, |c| two(c, matmul::mv)),
    ("dot", FM, |c| two(c, matmul::dot)),
    ("inner", FM, |c| two(c, ops::einsum::inner)),
    ("matmul", FM, |c| two(c, matmul::matmul)),
    ("addmm", FM, addmm),
    ("linear", F, linear),
    ("einsum", F, einsum),
    ("tensordot", F, tensordot),
    ("outer", FM, outer),
    ("ger", FM, outer),
    ("cdist", F, cdist),
]];
