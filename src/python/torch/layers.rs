//! The native functions behind recurrent layers, resampling and sliding blocks.

use rustpython_vm::{PyObjectRef, PyResult};

use super::args::{Bound, Call};
use super::binding::{F, Row};
use super::error::OrRaise;
use super::tensor::{answer, tuple};
use crate::ops::nn::{fold, rnn, upsample};
use crate::tensor::Tensor;

// ---- recurrent layers ------------------------------------------------------------------------------------------------

fn cell_of(a: &Bound<'_>, i: usize) -> PyResult<rnn::Cell> {
    let mode = a.str(i)?.unwrap_or_default();
    rnn::Cell::parse(mode).ok_or_else(|| a.vm.new_value_error(format!("Unrecognized RNN mode: {mode}")))
}

/// Splits the flat list of parameters into one group for each layer and direction.
fn weights(flat: &[Tensor], biased: bool, groups: usize) -> Vec<rnn::Weights> {
    let biases = if biased { 2 } else { 0 };
    flat.chunks((flat.len() / groups.max(1)).max(1))
        .map(|w| {
            // A projection comes after the other parameters.
            let (hr, bias) = (w.get(2 + biases).cloned(), |i: usize| w[2..2 + biases].get(i).cloned());
            rnn::Weights { ih: w[0].clone(), hh: w[1].clone(), b_ih: bias(0), b_hh: bias(1), hr }
        })
        .collect()
}

/// `_rnn(mode, input, batch_sizes, states, weights, bias, num_layers, dropout, train, bidirectional, batch_first)`: returns a
/// list with the output and the final states.
fn run_rnn(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(
        &[
            "mode",
            "input",
            "batch_sizes",
            "states",
            "weights",
            "bias",
            "num_layers",
            "dropout",
            "train",
            "bidirectional",
            "batch_first",
        ],
        11,
    )?;
    let stack = rnn::Stack {
        cell: cell_of(&a, 0)?,
        layers: crate::shape::clamped(a.int(6)?),
        bidirectional: a.bool_or(9, false)?,
        dropout: a.f64(7)?,
        training: a.bool_or(8, false)?,
    };
    let sizes: Option<Vec<usize>> = match a.some(2) {
        None => None,
        Some(_) => Some(a.ints(2)?.iter().map(|&n| crate::shape::clamped(n)).collect()),
    };
    let flip = a.bool_or(10, false)? && sizes.is_none();
    let turned = |t: &Tensor| if flip { crate::ops::view::transpose(t, 0, 1) } else { Ok(t.clone()) };
    let input = turned(&a.tensor(1)?).or_raise(vm)?;
    let groups = stack.layers * if stack.bidirectional { 2 } else { 1 };
    let weights = weights(&a.tensors(4)?, a.bool_or(5, true)?, groups);
    let (output, states) = rnn::run(stack, &input, sizes.as_deref(), &a.tensors(3)?, &weights).or_raise(vm)?;
    let mut all = vec![turned(&output).or_raise(vm)?];
    all.extend(states);
    Ok(tuple(all, vm))
}

/// `_rnn_cell(mode, input, states, w_ih, w_hh, b_ih, b_hh)`: the next states.
fn run_cell(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["mode", "input", "states", "w_ih", "w_hh", "b_ih", "b_hh"], 7)?;
    let (b_ih, b_hh) = (a.tensor_or_none(5)?, a.tensor_or_none(6)?);
    let w = rnn::Weights { ih: a.tensor(3)?, hh: a.tensor(4)?, b_ih, b_hh, hr: None };
    let next = rnn::cell(cell_of(&a, 0)?, &a.tensor(1)?, &a.tensors(2)?, &w).or_raise(vm)?;
    Ok(tuple(next, vm))
}

// ---- resampling ------------------------------------------------------------------------------------------------------

/// `_upsample(input, size, mode, align_corners, scales)`.
fn resample(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "size", "mode", "align_corners", "scales"], 5)?;
    let size = a.ints(1)?;
    let mode = a.str(2)?.unwrap_or_default();
    let Some(kind) = upsample::Interpolation::parse(mode, a.bool_or(3, false)?) else {
        return Err(super::error::not_implemented(&format!("interpolate(mode='{mode}')"), vm));
    };
    let scales: Option<Vec<f64>> = match a.some(4).and_then(|o| super::convert::sequence(o)) {
        None => None,
        Some(items) => {
            let number = |o: &PyObjectRef| super::convert::scalar(o, vm).map(|s| s.map_or(0.0, |s| s.as_f64()));
            Some(items.iter().map(number).collect::<PyResult<_>>()?)
        }
    };
    answer(upsample::upsample(&a.tensor(0)?, &size, kind, scales.as_deref()), vm)
}

fn shuffle(call: Call<'_>, f: fn(&Tensor, i64) -> crate::error::Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(f(&a.tensor(0)?, a.int(1)?), vm)
}

fn pair(a: &Bound<'_>, i: usize, name: &str) -> PyResult<[i64; 2]> {
    let list = a.ints(i)?;
    <[i64; 2]>::try_from(list.as_slice())
        .map_err(|_| a.vm.new_runtime_error(format!("It is expected {name} equals to 2, but got size {}", list.len())))
}

/// The window arguments of `F.unfold` and `F.fold`, which begin at parameter `at`.
fn blocks(a: &Bound<'_>, at: usize) -> PyResult<fold::Blocks> {
    Ok(fold::Blocks {
        kernel: pair(a, at, "kernel_size")?,
        dilation: pair(a, at + 1, "dilation")?,
        padding: pair(a, at + 2, "padding")?,
        stride: pair(a, at + 3, "stride")?,
    })
}

fn im2col(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let o = blocks(&a, 1)?;
    answer(fold::im2col(&a.tensor(0)?, o), vm)
}

fn col2im(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let o = blocks(&a, 2)?;
    answer(fold::col2im(&a.tensor(0)?, pair(&a, 1, "output_size")?, o), vm)
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("_rnn", F, run_rnn),
    ("_lstm", F, run_rnn),
    ("_rnn_cell", F, run_cell),
    ("_upsample", F, resample),
    ("pixel_shuffle", F, |c| shuffle(c, upsample::pixel_shuffle)),
    ("pixel_unshuffle", F, |c| shuffle(c, upsample::pixel_unshuffle)),
    ("im2col", F, im2col),
    ("col2im", F, col2im),
]];
