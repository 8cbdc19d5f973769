//! Recurrent layers, composed of differentiable operators.
//!
//! Source of equations and texts: aten/src/ATen/native/RNN.cpp in PyTorch 2.15.

use crate::error::{Error, Result};
use crate::executor::UnaryOp;
use crate::ops::nn::activation;
use crate::ops::{self, matmul, shape, view};
use crate::tensor::Tensor;

/// The kinds of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    Tanh,
    Relu,
    Lstm,
    Gru,
}

impl Cell {
    /// Finds it by the name in `torch.nn.RNNBase.mode`.
    pub fn parse(mode: &str) -> Option<Cell> {
        match mode {
            "RNN_TANH" => Some(Cell::Tanh),
            "RNN_RELU" => Some(Cell::Relu),
            "LSTM" => Some(Cell::Lstm),
            "GRU" => Some(Cell::Gru),
            _ => None,
        }
    }

    /// How many tensors its state has.
    fn states(self) -> usize {
        if self == Cell::Lstm { 2 } else { 1 }
    }
}

/// The parameters of one direction of one layer; `ih` is [gates * hidden, input], `hh` [gates * hidden, hidden].
#[derive(Clone)]
pub struct Weights {
    pub ih: Tensor,
    pub hh: Tensor,
    pub b_ih: Option<Tensor>,
    pub b_hh: Option<Tensor>,
    /// [projected, hidden]: an LSTM's hidden state is multiplied by it before it's passed on and returned.
    pub hr: Option<Tensor>,
}

/// The structure of a stack of layers.
#[derive(Clone, Copy, Debug)]
pub struct Stack {
    pub cell: Cell,
    pub layers: usize,
    pub bidirectional: bool,
    pub dropout: f64,
    pub training: bool,
}

/// The next state, from the input's part of the gates, [batch, gates * hidden], and the previous state.
fn advance(cell: Cell, from_input: &Tensor, state: &[Tensor], w: &Weights) -> Result<Vec<Tensor>> {
    let from_state = matmul::linear(&state[0], &w.hh, w.b_hh.as_ref())?;
    let sigmoid = |t: &Tensor| ops::unary(UnaryOp::Sigmoid, t);
    match cell {
        Cell::Tanh => Ok(vec![ops::unary(UnaryOp::Tanh, &ops::add(&from_state, from_input)?)?]),
        Cell::Relu => Ok(vec![ops::unary(UnaryOp::Relu, &ops::add(&from_state, from_input)?)?]),
        Cell::Lstm => {
            let gates = shape::chunk(&ops::add(&from_state, from_input)?, 4, 1)?;
            let (i, f) = (sigmoid(&gates[0])?, sigmoid(&gates[1])?);
            let (g, o) = (ops::unary(UnaryOp::Tanh, &gates[2])?, sigmoid(&gates[3])?);
            let c = ops::add(&ops::mul(&f, &state[1])?, &ops::mul(&i, &g)?)?;
            let h = ops::mul(&o, &ops::unary(UnaryOp::Tanh, &c)?)?;
            let h = match &w.hr {
                Some(hr) => matmul::linear(&h, hr, None)?,
                None => h,
            };
            Ok(vec![h, c])
        }
        Cell::Gru => {
            let (x, h) = (shape::chunk(from_input, 3, 1)?, shape::chunk(&from_state, 3, 1)?);
            let reset = sigmoid(&ops::add(&h[0], &x[0])?)?;
            let update = sigmoid(&ops::add(&h[1], &x[1])?)?;
            let new = ops::unary(UnaryOp::Tanh, &ops::add(&x[2], &ops::mul(&h[2], &reset)?)?)?;
            let kept = ops::mul(&ops::sub(&state[0], &new)?, &update)?;
            Ok(vec![ops::add(&kept, &new)?])
        }
    }
}

fn check_one(name: &str, input: &Tensor, others: &[&Tensor]) -> Result<()> {
    for t in others {
        if t.device() != input.device() {
            return Err(Error::runtime(format!(
                "Input and {name} tensors are not at the same device, found input tensor at {} and {name} tensor at {}",
                input.device(),
                t.device()
            )));
        }
        if t.dtype() != input.dtype() {
            return Err(Error::runtime(format!(
                "Input and {name} tensors are not the same dtype, found input tensor with {} and {name} tensor with {}",
                input.dtype().scalar_name(),
                t.dtype().scalar_name()
            )));
        }
    }
    Ok(())
}

/// One step of a cell: `input` is [batch, features], every state is [batch, hidden].
///
/// # Errors
/// Sizes, dtypes and devices that don't fit.
pub fn cell(kind: Cell, input: &Tensor, state: &[Tensor], w: &Weights) -> Result<Vec<Tensor>> {
    if input.size(1) != w.ih.size(1) {
        return Err(Error::runtime(format!(
            "input has inconsistent input_size: got {} expected {}",
            input.size(1),
            w.ih.size(1)
        )));
    }
    for (i, s) in state.iter().enumerate() {
        if s.size(0) != input.size(0) {
            return Err(Error::runtime(format!(
                "Input batch size {} doesn't match hidden{i} batch size {}",
                input.size(0),
                s.size(0)
            )));
        }
        if s.size(1) != w.hh.size(1) {
            return Err(Error::runtime(format!(
                "hidden{i} has inconsistent hidden_size: got {}, expected {}",
                s.size(1),
                w.hh.size(1)
            )));
        }
    }
    advance(kind, &matmul::linear(input, &w.ih, w.b_ih.as_ref())?, state, w)
}

/// A complete stack over a sequence.
///
/// `input` is [length, batch, features] or, with `batch_sizes` (which never grow), the steps one after the other,
/// [sum of batch_sizes, features]. Every state is [layers * directions, batch, hidden]. Returns the outputs of the last
/// layer, in the input's form, and the final states.
///
/// # Errors
/// Dtypes and devices that don't fit.
pub fn run(
    stack: Stack,
    input: &Tensor,
    batch_sizes: Option<&[usize]>,
    states: &[Tensor],
    weights: &[Weights],
) -> Result<(Tensor, Vec<Tensor>)> {
    let directions = if stack.bidirectional { 2 } else { 1 };
    if states.len() != stack.cell.states() || weights.len() != stack.layers * directions {
        return Err(Error::runtime("rnn: expected one state for each of the cell's, and weights for every layer"));
    }
    check_one("hidden", input, &states.iter().collect::<Vec<_>>())?;
    let each = |w| {
        let Weights { ih, hh, b_ih, b_hh, hr }: &Weights = w;
        [Some(ih), Some(hh), b_ih.as_ref(), b_hh.as_ref(), hr.as_ref()]
    };
    let parameters: Vec<&Tensor> = weights.iter().flat_map(each).flatten().collect();
    check_one("parameter", input, &parameters)?;
    if batch_sizes.is_none() && input.size(0) == 0 {
        return Err(Error::runtime("Expected sequence length to be larger than 0 in RNN"));
    }
    let mut current = input.clone();
    let mut finals: Vec<Vec<Tensor>> = vec![Vec::new(); states.len()];
    for layer in 0..stack.layers {
        let mut outputs = Vec::new();
        for direction in 0..directions {
            let at = layer * directions + direction;
            let begin = states.iter().map(|s| view::select(s, 0, at as i64)).collect::<Result<Vec<_>>>()?;
            let (out, end) = one_direction(stack.cell, &current, batch_sizes, begin, &weights[at], direction == 1)?;
            outputs.push(out);
            for (all, end) in finals.iter_mut().zip(end) {
                all.push(end);
            }
        }
        current = match outputs.len() {
            1 => outputs.remove(0),
            _ => shape::cat(&outputs, -1)?,
        };
        if stack.dropout > 0.0 && stack.training && layer + 1 < stack.layers {
            current = activation::dropout(&current, stack.dropout, true)?;
        }
    }
    let finals = finals.iter().map(|all| shape::stack(all, 0)).collect::<Result<Vec<_>>>()?;
    Ok((current, finals))
}

fn one_direction(
    cell: Cell,
    input: &Tensor,
    batch_sizes: Option<&[usize]>,
    begin: Vec<Tensor>,
    w: &Weights,
    reverse: bool,
) -> Result<(Tensor, Vec<Tensor>)> {
    // The input's part of all gates is one product over the entire sequence.
    let gates = matmul::linear(input, &w.ih, w.b_ih.as_ref())?;
    let Some(sizes) = batch_sizes else {
        let steps = shape::unbind(&gates, 0)?;
        let mut state = begin;
        let mut outputs = Vec::with_capacity(steps.len());
        let order: Vec<usize> = if reverse { (0..steps.len()).rev().collect() } else { (0..steps.len()).collect() };
        for t in order {
            state = advance(cell, &steps[t], &state, w)?;
            outputs.push(state[0].clone());
        }
        if reverse {
            outputs.reverse();
        }
        return Ok((shape::stack(&outputs, 0)?, state));
    };
    let lengths: Vec<i64> = sizes.iter().map(|&n| n as i64).collect();
    let steps = shape::split_sizes(&gates, &lengths, 0)?;
    let rows = |t: &Tensor, start: usize, end: usize| view::narrow(t, 0, start as i64, (end - start) as i64);
    let parts = |state: &[Tensor], start: usize, end: usize| {
        state.iter().map(|s| rows(s, start, end)).collect::<Result<Vec<_>>>()
    };
    let mut outputs = Vec::with_capacity(steps.len());
    if reverse {
        // Going backward, shorter sequences join at their last step.
        let mut size = *sizes.last().unwrap_or(&0);
        let mut state = parts(&begin, 0, size)?;
        for t in (0..steps.len()).rev() {
            if sizes[t] > size {
                let joining = parts(&begin, size, sizes[t])?;
                state = state
                    .iter()
                    .zip(&joining)
                    .map(|(s, j)| shape::cat(&[s.clone(), j.clone()], 0))
                    .collect::<Result<Vec<_>>>()?;
                size = sizes[t];
            }
            state = advance(cell, &steps[t], &state, w)?;
            outputs.push(state[0].clone());
        }
        outputs.reverse();
        return Ok((shape::cat(&outputs, 0)?, state));
    }
    // Sequences that have ended keep their state.
    let mut state = begin;
    let mut ended: Vec<Vec<Tensor>> = vec![Vec::new(); cell.states()];
    for (t, step) in steps.iter().enumerate() {
        let before = state[0].size(0);
        if sizes[t] < before {
            for (all, s) in ended.iter_mut().zip(&state) {
                all.push(rows(s, sizes[t], before)?);
            }
            state = parts(&state, 0, sizes[t])?;
        }
        state = advance(cell, step, &state, w)?;
        outputs.push(state[0].clone());
    }
    for (all, s) in ended.iter_mut().zip(&state) {
        all.push(s.clone());
        all.reverse();
    }
    let state = ended.iter().map(|all| shape::cat(all, 0)).collect::<Result<Vec<_>>>()?;
    Ok((shape::cat(&outputs, 0)?, state))
}
