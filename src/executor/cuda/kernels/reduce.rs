//! Reductions.

use super::super::launch::{Launch, Walk, address, cpp};
use super::super::source;
use super::{Sink, unsupported};
use crate::dtype::DType;
use crate::executor::{Done, Fault, ReduceOp, View};
use crate::shape::Dims;

/// The largest accumulator in bytes (`Var` in double).
const ACCUMULATOR: usize = 24;

/// Threads of a block in `shaders/reduce.cu`.
const THREADS: usize = 256;

/// Where results go: `first` gets the reduction's output or the values of an extreme, `second` its indices.
struct Outputs<'a, 'b> {
    first: Option<&'a View<'b>>,
    second: Option<&'a View<'b>>,
}

/// The operator's type in `shaders/reduce.cu` and its number.
fn named(op: ReduceOp, compute: DType) -> Done<(&'static str, f64)> {
    Ok(match op {
        ReduceOp::Mean | ReduceOp::Var { .. } | ReduceOp::LogSumExp | ReduceOp::Norm { .. } if !compute.is_float() => {
            return Err(unsupported(op.name(), compute));
        }
        ReduceOp::Var { correction } => (op.variant(), correction),
        ReduceOp::Norm { p } => match p {
            0.0 => (ReduceOp::CountNonzero.variant(), 0.0),
            1.0 => ("NormOne", 0.0),
            2.0 => ("NormTwo", 0.0),
            f64::INFINITY => ("NormMax", 0.0),
            f64::NEG_INFINITY => ("NormMin", 0.0),
            p => ("NormP", p),
        },
        _ => (op.variant(), 0.0),
    })
}

pub(super) fn reduce(
    op: ReduceOp,
    x: &View<'_>,
    dims: &[bool],
    compute: DType,
    out: &View<'_>,
    sink: &dyn Sink,
) -> Done {
    let (name, number) = named(op, compute)?;
    fold(name, number, x, dims, compute, Outputs { first: Some(out), second: None }, sink)
}

pub(super) fn arg_reduce(
    largest: bool,
    x: &View<'_>,
    dim: usize,
    values: Option<&View<'_>>,
    indices: &View<'_>,
    sink: &dyn Sink,
) -> Done {
    if x.shape.get(dim) == Some(&0) && indices.numel() > 0 {
        return Err(Fault::Unsupported("the extreme of no elements".into()));
    }
    let dims: Vec<bool> = (0..x.shape.len()).map(|d| d == dim).collect();
    let name = if largest { "ArgMax" } else { "ArgMin" };
    fold(name, 0.0, x, &dims, x.dtype, Outputs { first: values, second: Some(indices) }, sink)
}

/// How the work of a reduction is distributed over threads.
#[derive(Debug, PartialEq)]
struct Layout {
    /// How many threads share one output.
    lanes: usize,
    /// Whether neighboring threads compute neighboring outputs.
    columns: bool,
    /// How many parts of each output are folded separately.
    pieces: usize,
}

impl Layout {
    fn new(outputs: usize, count: usize, columns: bool, multiprocessors: usize) -> Layout {
        let lanes = match (columns, count) {
            (true, 0..=32) => 1,
            (true, _) => 8,
            (false, 0..=8) => 1,
            (false, 9..=1024) => 32,
            (false, _) => 256,
        };
        let blocks = outputs.div_ceil(THREADS / lanes).max(1);
        // Enough blocks to fill the device twice, as long as each lane keeps several elements.
        let wanted = (multiprocessors * 16).div_ceil(blocks);
        let pieces = if blocks >= multiprocessors * 4 { 1 } else { wanted.min(count / (lanes * 16)).clamp(1, 1024) };
        Layout { lanes, columns, pieces }
    }
}

fn fold(
    name: &str,
    number: f64,
    x: &View<'_>,
    dims: &[bool],
    compute: DType,
    outputs: Outputs<'_, '_>,
    sink: &dyn Sink,
) -> Done {
    let Some(some) = outputs.first.or(outputs.second) else { return Ok(()) };
    if some.numel() == 0 {
        return Ok(());
    }
    let pick = |values: &[usize], wanted: bool| -> Dims {
        values.iter().zip(dims).filter(|(_, reduced)| **reduced == wanted).map(|(v, _)| *v).collect()
    };
    let none: Dims = x.shape.iter().map(|_| 0).collect();
    let of = |view: Option<&View<'_>>| pick(view.map_or(&none[..], |v| &v.strides[..]), false);
    let (first, second) = (of(outputs.first), of(outputs.second));
    let kept = Walk::of(&pick(&x.shape, false), &[&pick(&x.strides, false), &first, &second]);
    let reduced = Walk::of(&pick(&x.shape, true), &[&pick(&x.strides, true)]);
    kept.check()?;
    reduced.check()?;
    // Neighboring outputs read neighboring elements if the innermost kept stride is the smaller one.
    let columns = match (kept.strides[0].last(), reduced.strides[0].last()) {
        (Some(k), Some(r)) => k < r && *k != 0,
        (Some(_), None) => true,
        _ => false,
    };
    let layout = Layout::new(kept.count, reduced.count, columns, sink.multiprocessors());
    let index = wider(wider(kept.index(), reduced.index()), total(x));
    let out_type = outputs.first.map_or(DType::I64, |v| v.dtype);
    let pieces = layout.pieces;
    let partial = match pieces {
        1 => None,
        _ => Some(sink.scratch(pieces * kept.count * ACCUMULATOR)?),
    };
    let pack = pack(x, &kept, &reduced, &layout)?;
    let information = [reduced.count as u64, number.to_bits()];
    let mut l = Launch::new(&source::REDUCE, "reduce");
    l.instance(format_args!(
        "{name},{},{},{},{},{},{pack},{},{},{index}",
        cpp(x.dtype),
        cpp(compute),
        cpp(out_type),
        layout.lanes,
        layout.columns,
        kept.rank(),
        reduced.rank()
    ));
    l.view(x).option(outputs.first).option(outputs.second);
    l.word(partial.as_ref().map_or(0, |p| p.address()));
    l.walk(&kept).walk(&reduced).words(&information);
    l.blocks(kept.count.div_ceil(THREADS / layout.lanes) as u64).blocks_y(pieces);
    sink.dispatch(l)?;
    let Some(partial) = partial else { return Ok(()) };
    let mut l = Launch::new(&source::REDUCE, "reduce_rest");
    let lanes = if pieces > 128 { THREADS } else { 32 };
    l.instance(format_args!("{name},{},{},{lanes},{},{index}", cpp(compute), cpp(out_type), kept.rank()));
    l.option(outputs.first).option(outputs.second).word(partial.address()).int(pieces);
    l.walk(&kept).words(&information).blocks(kept.count.div_ceil(THREADS / lanes) as u64);
    sink.dispatch(l)
}

/// How many elements one instruction reads: several if an output's elements are adjacent and begin aligned.
fn pack(x: &View<'_>, kept: &Walk, reduced: &Walk, layout: &Layout) -> Done<usize> {
    let pack = (16 / x.dtype.size()).min(8);
    let neighbors = !layout.columns && layout.lanes >= 32 && reduced.rank() == 1 && reduced.strides[0][0] == 1;
    let aligned = address(x)?.is_multiple_of((pack * x.dtype.size()) as u64)
        && kept.strides[0].iter().all(|&s| (s as usize).is_multiple_of(pack));
    Ok(if neighbors && aligned { pack } else { 1 })
}

fn wider(a: &'static str, b: &'static str) -> &'static str {
    if a == "u64" { a } else { b }
}

/// The index type that a view's furthest element needs.
fn total(x: &View<'_>) -> &'static str {
    Walk::of(&x.shape, &[&x.strides]).index()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuda_reductions_fill_the_device() {
        // All of 64 Mi elements: one output in many pieces.
        let whole = Layout::new(1, 64 << 20, false, 132);
        assert_eq!((whole.lanes, whole.pieces), (256, 1024));
        // The rows of a large matrix need no pieces, but a bias gradient does.
        assert_eq!(Layout::new(1 << 16, 4096, false, 132).pieces, 1);
        let bias = Layout::new(512, 65_536, true, 132);
        assert!(bias.columns && bias.lanes == 8 && bias.pieces > 100, "{bias:?}");
        // Outputs are written even if there is nothing to reduce.
        assert_eq!(Layout::new(10, 0, false, 132), Layout { lanes: 1, columns: false, pieces: 1 });
    }
}
