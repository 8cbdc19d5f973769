//! Kernels that walk one dimension in order: running sums, and the position of an extreme.

use super::element::{Compute, with_compute};
use super::simd::{GRAIN, parallel};
use super::span::{Loops, Span, load, store};
use crate::executor::{Done, Fault, ScanOp, View};

/// How many elements of a line are converted at one time.
const BLOCK: usize = 512;

/// Calls `f` with the offsets of every line along `dim`. The spans have the same shape except in `dim`.
fn lines<const N: usize>(spans: [&Span; N], dim: usize, length: usize, f: impl Fn([usize; N]) + Sync) {
    let rest = spans.map(|span| if span.shape.is_empty() { span.clone() } else { span.without(dim) });
    let loops: Loops<N> = Loops::new(&rest[0].shape, std::array::from_fn(|k| rest[k].strides.as_slice()));
    parallel(loops.numel, (GRAIN / length.max(1)).max(1), |range| {
        loops.runs(range.start, range.len(), |offsets, n, steps| {
            for i in 0..n {
                f(std::array::from_fn(|k| offsets[k] + i * steps[k]));
            }
        });
    });
}

pub(super) fn scan(op: ScanOp, x: &View<'_>, dim: usize, out: &View<'_>) -> Done {
    let (x, out) = (Span::new(x)?, Span::new(out)?);
    with_compute!(out.dtype, C => scan_as::<C>(op, &x, dim, &out));
    Ok(())
}

fn scan_as<C: Scan>(op: ScanOp, x: &Span, dim: usize, out: &Span) {
    let (n, x_stride) = x.axis(dim);
    let (_, out_stride) = out.axis(dim);
    lines([out, x], dim, n, |[o, i]| {
        let mut block = [C::default(); BLOCK];
        let mut state = C::start(op);
        let mut at = 0;
        while at < n {
            let values = &mut block[..BLOCK.min(n - at)];
            // SAFETY: elements of a line of checked spans; each line belongs to one thread.
            unsafe { load(x.dtype, x.ptr_bytes().add((i + at * x_stride) * x.dtype.size()), x_stride, values) };
            for v in values.iter_mut() {
                state = C::next(op, state, *v);
                *v = C::value(state);
            }
            unsafe {
                store(out.dtype, values, out.ptr_bytes().add((o + at * out_stride) * out.dtype.size()), out_stride)
            };
            at += values.len();
        }
    });
}

/// Running values; floats are summed in f64.
trait Scan: Compute {
    type State: Copy;
    fn start(op: ScanOp) -> Self::State;
    fn next(op: ScanOp, state: Self::State, x: Self) -> Self::State;
    fn value(state: Self::State) -> Self;
}

macro_rules! real_scan {
    ($t:ty) => {
        impl Scan for $t {
            type State = f64;
            fn start(op: ScanOp) -> f64 {
                match op {
                    ScanOp::Sum => 0.0,
                    ScanOp::Prod => 1.0,
                    ScanOp::Max => f64::NEG_INFINITY,
                    ScanOp::Min => f64::INFINITY,
                }
            }
            #[inline(always)]
            fn next(op: ScanOp, state: f64, x: Self) -> f64 {
                let x = x as f64;
                match op {
                    ScanOp::Sum => state + x,
                    ScanOp::Prod => state * x,
                    ScanOp::Max => {
                        if x > state || x != x {
                            x
                        } else {
                            state
                        }
                    }
                    ScanOp::Min => {
                        if x < state || x != x {
                            x
                        } else {
                            state
                        }
                    }
                }
            }
            #[inline(always)]
            fn value(state: f64) -> Self {
                state as $t
            }
        }
    };
}
real_scan!(f32);
real_scan!(f64);

impl Scan for i64 {
    type State = i64;
    fn start(op: ScanOp) -> i64 {
        match op {
            ScanOp::Sum => 0,
            ScanOp::Prod => 1,
            ScanOp::Max => i64::MIN,
            ScanOp::Min => i64::MAX,
        }
    }
    #[inline(always)]
    fn next(op: ScanOp, state: i64, x: i64) -> i64 {
        match op {
            ScanOp::Sum => state.wrapping_add(x),
            ScanOp::Prod => state.wrapping_mul(x),
            ScanOp::Max => state.max(x),
            ScanOp::Min => state.min(x),
        }
    }
    #[inline(always)]
    fn value(state: i64) -> i64 {
        state
    }
}

pub(super) fn arg_reduce(
    largest: bool,
    x: &View<'_>,
    dim: usize,
    values: Option<&View<'_>>,
    indices: &View<'_>,
) -> Done {
    let (x, indices) = (Span::new(x)?, Span::new(indices)?);
    let values = values.map(Span::new).transpose()?;
    if x.axis(dim).0 == 0 && indices.numel() > 0 {
        return Err(Fault::Unsupported("the extreme of no elements".into()));
    }
    with_compute!(x.dtype, C => extreme::<C>(largest, &x, dim, values.as_ref(), &indices));
    Ok(())
}

fn extreme<C: Compute>(largest: bool, x: &Span, dim: usize, values: Option<&Span>, indices: &Span) {
    let (n, stride) = x.axis(dim);
    let found = values.unwrap_or(indices);
    lines([indices, x, found], dim, n, |[o, i, v]| {
        let mut block = [C::default(); BLOCK];
        let mut best = C::default();
        let mut position = 0;
        let mut at = 0;
        while at < n {
            let line = &mut block[..BLOCK.min(n - at)];
            // SAFETY (all): elements of a line of checked spans; each line belongs to one thread.
            unsafe { load(x.dtype, x.ptr_bytes().add((i + at * stride) * x.dtype.size()), stride, line) };
            if at == 0 {
                best = line[0];
            }
            for (k, x) in line.iter().enumerate() {
                let better = if largest { *x > best } else { *x < best };
                if (better || x.is_nan()) && !best.is_nan() {
                    best = *x;
                    position = at + k;
                }
            }
            at += line.len();
        }
        unsafe {
            store(indices.dtype, &[position as i64], indices.ptr_bytes().add(o * indices.dtype.size()), 1);
            if let Some(values) = values {
                store(values.dtype, &[best], values.ptr_bytes().add(v * values.dtype.size()), 1);
            }
        }
    });
}
