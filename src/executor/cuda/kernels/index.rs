//! Gather, scatter, advanced indexing, nonzero, joining, triangles and flips.

use smallvec::SmallVec;

use super::super::launch::{Launch, MAX_RANK, Number, Walk, address, cpp};
use super::super::source;
use super::{Sink, axis, unsupported};
use crate::dtype::{DType, Scalar};
use crate::executor::kernel::joined;
use crate::executor::{Done, Fault, Operand, ScatterOp, View};
use crate::shape::Dims;

fn check_index(index: &View<'_>) -> Done {
    match index.dtype {
        DType::I64 | DType::I32 | DType::I16 | DType::I8 | DType::U8 => Ok(()),
        other => Err(unsupported("index", other)),
    }
}

/// Strides for a walk of `rank` dimensions, with 0 for dimension `dim`. A 0-dim view counts as one element of any shape.
fn but(view: &View<'_>, dim: usize, rank: usize) -> Dims {
    let mut strides = view.strides.clone();
    if let Some(stride) = strides.get_mut(dim) {
        *stride = 0;
    }
    strides.resize(rank, 0);
    strides
}

pub(super) fn index_select(x: &View<'_>, dim: usize, index: &View<'_>, out: &View<'_>, sink: &dyn Sink) -> Done {
    let along: Dims =
        (0..out.shape.len()).map(|d| if d == dim { index.strides.first().copied().unwrap_or(0) } else { 0 }).collect();
    read_at(x, dim, index, &along, out, sink)
}

pub(super) fn gather(x: &View<'_>, dim: usize, index: &View<'_>, out: &View<'_>, sink: &dyn Sink) -> Done {
    read_at(x, dim, index, &index.strides, out, sink)
}

fn read_at(x: &View<'_>, dim: usize, index: &View<'_>, along: &[usize], out: &View<'_>, sink: &dyn Sink) -> Done {
    check_index(index)?;
    if out.numel() == 0 {
        return Ok(());
    }
    let (size, step) = axis(x, dim);
    let walk = Walk::of(&out.shape, &[&out.strides, &but(x, dim, out.shape.len()), along]);
    walk.check()?;
    let faults = sink.faults();
    let mut l = Launch::new(&source::INDEX, "gather");
    l.instance(format_args!(
        "{},{},{},{},{}",
        cpp(x.dtype),
        cpp(index.dtype),
        cpp(out.dtype),
        walk.rank(),
        walk.index()
    ));
    l.view(x).view(index).view(out).int(size).int(step).int(dim).words(&faults).walk(&walk).threads(walk.count);
    sink.dispatch(l)
}

pub(super) fn index_add(
    out: &View<'_>,
    dim: usize,
    index: &View<'_>,
    src: &View<'_>,
    alpha: f64,
    sink: &dyn Sink,
) -> Done {
    let along: Dims =
        (0..src.shape.len()).map(|d| if d == dim { index.strides.first().copied().unwrap_or(0) } else { 0 }).collect();
    let src = Operand::View(src.clone());
    let Operand::View(view) = &src else { return Ok(()) };
    let shape = view.shape.clone();
    write_at("ScatterAdd", out, dim, index, &along, &shape, &src, Scalar::Float(alpha), sink)
}

pub(super) fn scatter(
    op: ScatterOp,
    out: &View<'_>,
    dim: usize,
    index: &View<'_>,
    src: &Operand<'_>,
    sink: &dyn Sink,
) -> Done {
    write_at(named(op), out, dim, index, &index.strides, &index.shape, src, Scalar::Int(1), sink)
}

fn named(op: ScatterOp) -> &'static str {
    match op {
        ScatterOp::Set => "ScatterSet",
        ScatterOp::Add => "ScatterAdd",
        ScatterOp::Mul => "ScatterMul",
        ScatterOp::Max => "ScatterMax",
        ScatterOp::Min => "ScatterMin",
    }
}

#[allow(clippy::too_many_arguments)]
fn write_at(
    op: &str,
    out: &View<'_>,
    dim: usize,
    index: &View<'_>,
    along: &[usize],
    shape: &[usize],
    src: &Operand<'_>,
    alpha: Scalar,
    sink: &dyn Sink,
) -> Done {
    check_index(index)?;
    if shape.iter().product::<usize>() == 0 {
        return Ok(());
    }
    let (size, step) = axis(out, dim);
    let (view, value) = match src {
        Operand::View(view) => (Some(view), Number::default()),
        Operand::Scalar(value) => (None, Number::of(*value, out.dtype)),
    };
    let zero: Dims = shape.iter().map(|_| 0).collect();
    let from = view.map_or(&zero[..], |v| &v.strides[..]);
    let walk = Walk::of(shape, &[&but(out, dim, shape.len()), from, along]);
    walk.check()?;
    let faults = sink.faults();
    let mut l = Launch::new(&source::SCATTER, "scatter");
    l.instance(format_args!(
        "{op},{},{},{},{},{},{}",
        cpp(view.map_or(out.dtype, |v| v.dtype)),
        cpp(index.dtype),
        cpp(out.dtype),
        view.is_none(),
        walk.rank(),
        walk.index()
    ));
    l.view(out).view(index).option(view).number(value).number(Number::of(alpha, out.dtype));
    l.int(size).int(step).int(dim).words(&faults).walk(&walk).threads(walk.count);
    sink.dispatch(l)
}

/// How many index tensors one launch can take (`MAX_INDICES` of the shaders).
const MAX_INDICES: usize = 8;

/// What a kernel of advanced indexing gets: the words of an `Indices` struct, and a walk over every element.
///
/// `indexed` is the tensor that is indexed: its first dimensions have an index tensor each, the rest stay. `other` is the shape
/// and the strides of the tensor on the other side: first the shape that the index tensors have in common, then the rest.
/// The walk has the strides of both (`other_first` says in which order), then those of every index tensor.
fn advanced(
    other: (&[usize], &[usize]),
    indexed: &View<'_>,
    indices: &[View<'_>],
    other_first: bool,
) -> Done<(SmallVec<[u64; 32]>, Walk)> {
    let count = indices.len();
    if count > MAX_INDICES {
        return Err(Fault::Unsupported(format!("advanced indexing with {count} index tensors; at most {MAX_INDICES}")));
    }
    let (shape, strides) = other;
    let rest = indexed.shape.len() - count;
    let common = shape.len() - rest;
    let over_rest: Dims =
        (0..shape.len()).map(|d| if d < common { 0 } else { indexed.strides[d - common + count] }).collect();
    let mut words: SmallVec<[u64; 32]> = SmallVec::from_elem(0, 1 + 3 * MAX_INDICES);
    words[0] = count as u64;
    let mut each: SmallVec<[Dims; 8]> = SmallVec::new();
    for (k, index) in indices.iter().enumerate() {
        if index.dtype != DType::I64 {
            return Err(unsupported("index", index.dtype));
        }
        words[1 + k] = address(index)?;
        words[1 + MAX_INDICES + k] = indexed.shape[k] as u64;
        words[1 + 2 * MAX_INDICES + k] = indexed.strides[k] as u64;
        // An index has the common shape, possibly with broadcast strides.
        let skip = common - index.strides.len();
        each.push(
            (0..shape.len()).map(|d| if d >= skip && d < common { index.strides[d - skip] } else { 0 }).collect(),
        );
    }
    let mut views: SmallVec<[&[usize]; 10]> = SmallVec::new();
    if other_first {
        views.extend([strides, &over_rest[..]]);
    } else {
        views.extend([&over_rest[..], strides]);
    }
    views.extend(each.iter().map(|s| &s[..]));
    let walk = Walk::of(shape, &views);
    walk.check()?;
    Ok((words, walk))
}

pub(super) fn index(x: &View<'_>, indices: &[View<'_>], out: &View<'_>, sink: &dyn Sink) -> Done {
    if out.numel() == 0 {
        return Ok(());
    }
    let (words, walk) = advanced((&out.shape, &out.strides), x, indices, true)?;
    let faults = sink.faults();
    let mut l = Launch::new(&source::INDEX, "index_get");
    l.instance(format_args!("{},{},{},{}", cpp(x.dtype), cpp(out.dtype), indices.len(), walk.rank()));
    l.view(x).view(out).words(&words).words(&faults).walk(&walk).threads(walk.count);
    sink.dispatch(l)
}

pub(super) fn index_put(
    out: &View<'_>,
    indices: &[View<'_>],
    src: &Operand<'_>,
    accumulate: bool,
    sink: &dyn Sink,
) -> Done {
    let (view, value, shape, strides) = match src {
        Operand::View(view) => (Some(view), Number::default(), view.shape.clone(), view.strides.clone()),
        Operand::Scalar(value) => {
            let mut shape: Dims = indices.first().map_or(Dims::new(), |i| i.shape.clone());
            shape.extend(out.shape[indices.len()..].iter().copied());
            let strides = shape.iter().map(|_| 0).collect();
            (None, Number::of(*value, out.dtype), shape, strides)
        }
    };
    if shape.iter().product::<usize>() == 0 {
        return Ok(());
    }
    let (words, walk) = advanced((&shape, &strides), out, indices, false)?;
    let faults = sink.faults();
    let mut l = Launch::new(&source::SCATTER, "index_put");
    l.instance(format_args!(
        "{},{},{},{},{},{}",
        if accumulate { "ScatterAdd" } else { "ScatterSet" },
        cpp(view.map_or(out.dtype, |v| v.dtype)),
        cpp(out.dtype),
        view.is_none(),
        indices.len(),
        walk.rank()
    ));
    l.view(out).option(view).number(value).words(&words).words(&faults).walk(&walk).threads(walk.count);
    sink.dispatch(l)
}

pub(super) fn nonzero(x: &View<'_>, out: &View<'_>, sink: &dyn Sink) -> Done {
    const TILE: usize = 2048;
    if x.numel() == 0 || out.shape[0] == 0 {
        return Ok(());
    }
    let walk = Walk::of(&x.shape, &[&x.strides]);
    walk.check()?;
    if x.shape.len() > 64 {
        return Err(Fault::Unsupported("nonzero of more than 64 dimensions".into()));
    }
    let tiles = walk.count.div_ceil(TILE);
    let counts = sink.scratch(tiles * 8)?;
    let mut l = Launch::new(&source::NONZERO, "nonzero_count");
    l.instance(format_args!("{},{}", cpp(x.dtype), walk.rank()));
    l.view(x).word(counts.address()).walk(&walk).blocks(tiles as u64);
    sink.dispatch(l)?;
    let mut l = Launch::new(&source::NONZERO, "nonzero_scan");
    l.instance(format_args!("0"));
    l.word(counts.address()).int(tiles);
    sink.dispatch(l)?;
    let mut sizes = [0u64; 65];
    sizes[0] = x.shape.len() as u64;
    for (place, &size) in sizes[1..].iter_mut().zip(&x.shape) {
        *place = size as u64;
    }
    let mut l = Launch::new(&source::NONZERO, "nonzero_write");
    l.instance(format_args!("{},{}", cpp(x.dtype), walk.rank()));
    l.view(x).word(counts.address()).view(out).int(out.shape[0]).int(out.strides[0]).int(out.strides[1]);
    l.words(&sizes).walk(&walk).blocks(tiles as u64);
    sink.dispatch(l)
}

pub(super) fn triangle(upper: bool, diagonal: i64, x: &View<'_>, out: &View<'_>, sink: &dyn Sink) -> Done {
    if out.numel() == 0 {
        return Ok(());
    }
    let rank = x.shape.len();
    let walk = Walk::of(&out.shape, &[&out.strides, &x.strides]);
    walk.check()?;
    let mut l = Launch::new(&source::INDEX, "triangle");
    l.instance(format_args!("{},{},{upper},{}", cpp(x.dtype), cpp(out.dtype), walk.rank()));
    l.view(x).view(out).int(x.shape[rank - 2]).int(x.shape[rank - 1]).signed(diagonal).walk(&walk).threads(walk.count);
    sink.dispatch(l)
}

pub(super) fn flip(x: &View<'_>, dims: &[bool], out: &View<'_>, sink: &dyn Sink) -> Done {
    if out.numel() == 0 {
        return Ok(());
    }
    // Walking backward starts at the end.
    let mut start = address(x)?;
    let mut strides: SmallVec<[i64; MAX_RANK]> = SmallVec::new();
    for (d, &stride) in x.strides.iter().enumerate() {
        if dims[d] {
            start += ((x.shape[d] - 1) * stride * x.dtype.size()) as u64;
        }
        strides.push(if dims[d] { -(stride as i64) } else { stride as i64 });
    }
    let to: SmallVec<[i64; MAX_RANK]> = out.strides.iter().map(|&s| s as i64).collect();
    let walk = Walk::new(&out.shape, &[&to, &strides]);
    walk.check()?;
    let mut l = Launch::new(&source::INDEX, "flip");
    l.instance(format_args!("{},{},{}", cpp(x.dtype), cpp(out.dtype), walk.rank()));
    l.word(start).view(out).walk(&walk).threads(walk.count);
    sink.dispatch(l)
}

/// How many tensors one launch joins (`MAX_PARTS` of the shader).
const MAX_PARTS: usize = 128;

/// How far apart two lines of `out` are, each of which is one line of every part: elements from `dim` on, adjacent. `None` if
/// they aren't.
fn line_step(dim: usize, out: &View<'_>) -> Option<usize> {
    let mut inner: usize = 1;
    for d in (dim..out.shape.len()).rev() {
        if out.strides[d] != inner && out.shape[d] != 1 {
            return None;
        }
        inner *= out.shape[d];
    }
    let Some(last) = dim.checked_sub(1) else { return Some(0) };
    let even = (0..last).all(|d| out.strides[d] == out.strides[d + 1] * out.shape[d + 1]);
    even.then_some(out.strides[last])
}

pub(super) fn cat(parts: &[View<'_>], dim: usize, out: &View<'_>, sink: &dyn Sink) -> Done {
    if out.numel() == 0 {
        return Ok(());
    }
    let alike = parts.iter().all(|part| part.is_contiguous() && part.dtype == out.dtype);
    let Some(step) = line_step(dim, out).filter(|_| alike && parts.len() <= MAX_PARTS) else {
        return joined(parts, dim, out).try_for_each(|(part, place)| super::elementwise::copy(part, &place, sink));
    };
    let inner: usize = out.shape[dim + 1..].iter().product();
    let mut words = [0u64; 2 * MAX_PARTS];
    let mut end = 0;
    for (k, part) in parts.iter().enumerate() {
        end += part.shape[dim] * inner;
        words[k] = address(part)?;
        words[MAX_PARTS + k] = end as u64;
    }
    let element = match out.dtype.size() {
        1 => "u8",
        2 => "i16",
        4 => "i32",
        _ => "i64",
    };
    let mut l = Launch::new(&source::INDEX, "cat");
    l.instance(format_args!("{element}"));
    l.words(&words).int(parts.len()).view(out).int(out.numel()).int(end).int(step).threads(out.numel());
    sink.dispatch(l)
}
