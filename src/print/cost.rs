//! What PyTorch does on the GPU to print a tensor that is there.
//!
//! PyTorch formats on the GPU: it selects the finite values that aren't 0, takes their minimum and maximum, and then reads
//! single numbers, with one copy and one wait for each: is this value an integer, is the ratio of the values large, how wide
//! is each one. Each row needs one more copy to become text. This module repeats torch/_tensor_str.py of PyTorch 2.15 step by
//! step and counts. `tests/oracle/print_cost.py` records the same counts from PyTorch itself.

use super::{PrintOptions, Printer, TensorText};
use crate::dtype::{DType, Scalar};
use crate::error::Result;

/// Carries out the steps, or only counts them.
pub trait Stage {
    /// Memory of the device. It's dropped when PyTorch frees it.
    type Block;

    /// # Errors
    /// Out of memory.
    fn take(&mut self, shape: &[usize], dtype: DType) -> Result<Self::Block>;

    /// The blocks taken from now on repeat those of an earlier step.
    fn repeats(&mut self, again: bool);

    /// Copies bytes to the host, which waits for them.
    ///
    /// # Errors
    /// The debug mode makes waits errors.
    fn read(&mut self, bytes: usize) -> Result<()>;
}

/// The counts, without the memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Number of launched kernels.
    pub kernels: usize,
    /// Number of copies to the host, which waits for each, and their bytes.
    pub copies: usize,
    pub bytes: usize,
}

/// The tensor that is printed, apart from the properties that its text shows.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub text: &'a TensorText<'a>,
    pub strides: &'a [usize],
}

/// Carries out the steps. `at` returns the values as in [`super::tensor_repr`].
///
/// # Errors
/// Those of the stage.
pub fn play<S: Stage>(
    stage: &mut S,
    source: Source<'_>,
    options: &PrintOptions,
    at: impl Fn(usize) -> Scalar,
) -> Result<Cost> {
    let text = source.text;
    if text.device.is_meta() || text.shape.contains(&0) {
        return Ok(Cost::default());
    }
    let printer = Printer::new(text, options, &at);
    let shown = printer.measured(options);
    let mut player = Player { stage, cost: Cost::default(), source, options, summarize: printer.summarize };
    // Whether the notation is read from a tensor on the device for each element, for the real and the imaginary parts.
    let mut notations = Vec::new();
    if text.dtype.is_complex() {
        for part in [|z: (f64, f64)| z.0, |z: (f64, f64)| z.1] {
            let values: Vec<Scalar> = shown.iter().map(|z| Scalar::Float(part(z.as_complex()))).collect();
            notations.push(player.formatter(&values, text.dtype.part())?);
        }
    } else {
        notations.push(player.formatter(&shown, text.dtype)?);
    }
    let asked = notations.iter().flatten().count();
    player.write(0, asked)?;
    Ok(player.cost)
}

struct Player<'a, S: Stage> {
    stage: &'a mut S,
    cost: Cost,
    source: Source<'a>,
    options: &'a PrintOptions,
    summarize: bool,
}

/// The memory that cub needs to select from a few thousand elements.
const SELECT_BYTES: usize = 1024;

impl<S: Stage> Player<'_, S> {
    /// The result of an operator with one kernel, or with none if there is nothing to compute.
    fn made(&mut self, _operator: &str, shape: &[usize], dtype: DType) -> Result<Option<S::Block>> {
        if shape.contains(&0) {
            return Ok(None);
        }
        self.cost.kernels += 1;
        self.stage.take(shape, dtype).map(Some)
    }

    fn read(&mut self, bytes: usize) -> Result<()> {
        self.cost.copies += 1;
        self.cost.bytes += bytes;
        self.stage.read(bytes)
    }

    /// `get_summarized_data`: the edges joined, dimension by dimension; `None` if the result is a view or the tensor
    /// itself.
    fn summarized(&mut self, dim: usize, dtype: DType) -> Result<Option<S::Block>> {
        let shape = self.source.text.shape;
        let edge = self.options.edgeitems;
        let ends = |n: usize| if n > 2 * edge { 2 * edge } else { n };
        let Some(&size) = shape.get(dim) else { return Ok(None) };
        if dim + 1 == shape.len() {
            // Without edges, the entire vector is joined with an empty one.
            let length = if edge == 0 { size } else { 2 * edge };
            return if size > 2 * edge { self.made("cat", &[length], dtype) } else { Ok(None) };
        }
        if edge == 0 {
            return Ok(None);
        }
        let mut parts = Vec::new();
        for _ in 0..ends(size) {
            parts.push(self.summarized(dim + 1, dtype)?);
        }
        let joined: Vec<usize> = shape[dim..].iter().map(|&n| ends(n)).collect();
        self.made("stack", &joined, dtype)
    }

    /// Whether the elements, or their parts, can be viewed as one dimension without a copy.
    fn is_flat(&self) -> bool {
        let (shape, strides) = (self.source.text.shape, self.source.strides);
        let dims: Vec<usize> = (0..shape.len()).filter(|&d| shape[d] != 1).collect();
        dims.windows(2).all(|d| strides[d[0]] == strides[d[1]] * shape[d[1]])
    }

    /// `_Formatter(tensor)` over the elements shown. Returns the tensor that says whether notation is scientific, if PyTorch
    /// keeps one.
    fn formatter(&mut self, values: &[Scalar], dtype: DType) -> Result<Option<S::Block>> {
        let _data = if self.summarize { self.summarized(0, dtype)? } else { None };
        let n = values.len();
        let _flat = match self.summarize || self.is_flat() {
            true => None,
            false => self.made("clone", &[n], dtype)?,
        };
        if !dtype.is_float() {
            values.iter().try_for_each(|_| self.read(dtype.size()))?;
            return Ok(None);
        }
        let telling: Vec<f64> = values.iter().map(|v| v.as_f64()).filter(|v| v.is_finite() && *v != 0.0).collect();
        let k = telling.len();
        let Some(chosen) = self.chosen(n, k, dtype)? else { return Ok(None) };
        let large =
            if self.source.text.device.kind == crate::device::DeviceType::MPS { DType::F32 } else { DType::F64 };
        let mut absolute = self.made("abs", &[k], dtype)?;
        if dtype != large {
            absolute = self.made("_to_copy", &[k], large)?;
        }
        let (_least, _most) = (self.made("min", &[], large)?, self.made("max", &[], large)?);
        let whole = |v: f64| v == v.ceil();
        let looked = telling.iter().position(|&v| !whole(v)).map_or(k, |at| at + 1);
        for i in 0..looked {
            self.stage.repeats(i > 0);
            let _ceiling = self.made("ceil", &[], dtype)?;
            let _differs = self.made("ne", &[], DType::Bool)?;
            self.read(1)?;
        }
        self.stage.repeats(false);
        let notation = self.notation(&telling, large)?;
        if notation.is_some() {
            self.read(1)?;
        }
        telling.iter().try_for_each(|_| self.read(dtype.size()))?;
        drop((chosen, absolute));
        Ok(notation)
    }

    /// `masked_select(x, isfinite(x) & x.ne(0))`; `None` if there are no such values.
    fn chosen(&mut self, n: usize, k: usize, dtype: DType) -> Result<Option<S::Block>> {
        let finite = {
            let _same = self.made("eq", &[n], DType::Bool)?;
            let _absolute = self.made("abs", &[n], dtype)?;
            let _bounded = self.made("ne", &[n], DType::Bool)?;
            self.made("mul", &[n], DType::Bool)?
        };
        let nonzero = self.made("ne", &[n], DType::Bool)?;
        let _mask = self.made("bitwise_and", &[n], DType::Bool)?;
        drop((finite, nonzero));
        // Counts the values, tells the host how many there are, finds their places, and gathers them.
        let count = self.stage.take(&[1], DType::I32)?;
        drop(self.stage.take(&[1], DType::U8)?);
        self.read(4)?;
        self.cost.kernels += if n == 0 { 0 } else { 3 + usize::from(k > 0) };
        let places = if k > 0 { Some(self.stage.take(&[k, 1], DType::I64)?) } else { None };
        drop(self.stage.take(&[SELECT_BYTES], DType::U8)?);
        drop(count);
        let chosen = if k > 0 { Some(self.stage.take(&[k], dtype)?) } else { None };
        drop(places);
        Ok(chosen)
    }

    /// `max / min > 1000.0 or max > 1.0e8 or min < 1.0e-4`: a tensor, of which all conditions but the last are read.
    fn notation(&mut self, telling: &[f64], large: DType) -> Result<Option<S::Block>> {
        if self.options.sci_mode.is_some() {
            return Ok(None);
        }
        let (least, most) = super::range(telling);
        let apart = {
            let _ratio = self.made("div", &[], large)?;
            self.made("gt", &[], DType::Bool)?
        };
        self.read(1)?;
        if most / least > super::APART {
            return Ok(apart);
        }
        drop(apart);
        let high = self.made("gt", &[], DType::Bool)?;
        self.read(1)?;
        if most > super::LARGE {
            return Ok(high);
        }
        drop(high);
        self.made("lt", &[], DType::Bool)
    }

    /// The text from dimension `dim` on: an element with `item()`, a vector with `tolist()`, and the notation of each.
    fn write(&mut self, dim: usize, asked: usize) -> Result<()> {
        let (shape, dtype) = (self.source.text.shape, self.source.text.dtype);
        let Some(&size) = shape.get(dim) else {
            let parts = if dtype.is_complex() { 2 } else { 1 };
            (0..parts).try_for_each(|_| self.read(dtype.part().size()))?;
            return (0..asked).try_for_each(|_| self.read(1));
        };
        let edge = self.options.edgeitems;
        let cut = self.summarize && size > 2 * edge;
        if dim + 1 < shape.len() {
            let rows = if cut { 2 * edge } else { size };
            return (0..rows).try_for_each(|_| self.write(dim + 1, asked));
        }
        let pieces = match (self.summarize && edge == 0, cut) {
            (true, _) => &[][..],
            (_, true) => &[edge, edge],
            _ => &[size],
        };
        for &length in pieces {
            // Elements that aren't adjacent are first gathered on the device.
            let _row = match length == 1 || self.source.strides[dim] == 1 {
                true => None,
                false => self.made("contiguous", &[length], dtype)?,
            };
            self.read(length * dtype.size())?;
            (0..length * asked).try_for_each(|_| self.read(1))?;
        }
        Ok(())
    }
}
