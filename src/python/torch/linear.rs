//! Matrix products.

use rustpython_vm::PyResult;

use super::args::Call;
use super::pointwise::answer;
use super::table::{F, FM, Row};
use crate::error::Result;
use crate::ops::matmul;
use crate::tensor::Tensor;

fn two(call: Call<'_>, names: &'static [&'static str; 2], f: fn(&Tensor, &Tensor) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(names, 2)?;
    answer(f(&a.tensor(0)?, &a.tensor(1)?), vm)
}

fn addmm(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "mat1", "mat2", "*beta", "*alpha"], 3)?;
    answer(
        matmul::addmm(&a.tensor(0)?, &a.tensor(1)?, &a.tensor(2)?, a.f64_or(3, 1.0)?, a.f64_or(4, 1.0)?),
        vm,
    )
}

fn linear(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "weight", "bias"], 2)?;
    answer(matmul::linear(&a.tensor(0)?, &a.tensor(1)?, a.tensor_or_none(2)?.as_ref()), vm)
}

pub const ROWS: &[&[Row]] = &[&[
    ("mm", FM, |c| two(c, &["input", "mat2"], matmul::mm)),
    ("bmm", FM, |c| two(c, &["input", "mat2"], matmul::bmm)),
    ("mv", FM, |c| two(c, &["input", "vec"], matmul::mv)),
    ("dot", FM, |c| two(c, &["input", "tensor"], matmul::dot)),
    ("inner", FM, |c| two(c, &["input", "other"], matmul::dot)),
    ("matmul", FM, |c| two(c, &["input", "other"], matmul::matmul)),
    ("addmm", FM, addmm),
    ("_linear", F, linear),
]];
