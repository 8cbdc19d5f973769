//! Reductions over any set of dimensions.
//!
//! Float sums are accumulated in f64 for every dtype: the conversion costs nothing next to the memory traffic. In whatever
//! order the elements are added, the result is within a unit or two in the last place of an exact sum that is rounded once.

use super::dense;
use super::element::{Compute, narrow, native, with_compute};
use super::real::Real;
use super::simd::{GRAIN, Shared, parallel, vectorize};
use super::span::{Loops, Span, load, store};
use super::unsupported;
use crate::dtype::DType;
use crate::executor::{Done, ReduceOp, View};

/// Independent accumulators of one sum, so that additions don't have to wait for each other.
const LANES: usize = 32;

/// How many columns are accumulated together.
const COLUMNS: usize = 512;

/// A fold over elements of `C`.
trait Reducer<C>: Sync {
    type Acc: Compute;
    /// What a step knows about the output that it contributes to.
    type Param: Copy;
    fn identity(&self) -> Self::Acc;
    fn param(&self, output: usize) -> Self::Param;
    fn step(&self, acc: Self::Acc, x: C, param: Self::Param) -> Self::Acc;
    fn merge(&self, a: Self::Acc, b: Self::Acc) -> Self::Acc;
}

/// A fold defined by closures, without a parameter.
struct Fold<A, S, M> {
    identity: A,
    step: S,
    merge: M,
}

impl<C, A: Compute, S: Fn(A, C) -> A + Sync, M: Fn(A, A) -> A + Sync> Reducer<C> for Fold<A, S, M> {
    type Acc = A;
    type Param = ();
    #[inline(always)]
    fn identity(&self) -> A {
        self.identity
    }
    #[inline(always)]
    fn param(&self, _: usize) {}
    #[inline(always)]
    fn step(&self, acc: A, x: C, _: ()) -> A {
        (self.step)(acc, x)
    }
    #[inline(always)]
    fn merge(&self, a: A, b: A) -> A {
        (self.merge)(a, b)
    }
}

/// The sum of a function of each element and of a value known for its output, such as the mean.
struct SumAgainst<'a, F> {
    values: &'a [f64],
    f: F,
}

impl<C, F: Fn(C, f64) -> f64 + Sync> Reducer<C> for SumAgainst<'_, F> {
    type Acc = f64;
    type Param = f64;
    #[inline(always)]
    fn identity(&self) -> f64 {
        0.0
    }
    #[inline(always)]
    fn param(&self, output: usize) -> f64 {
        self.values[output]
    }
    #[inline(always)]
    fn step(&self, acc: f64, x: C, value: f64) -> f64 {
        acc + (self.f)(x, value)
    }
    #[inline(always)]
    fn merge(&self, a: f64, b: f64) -> f64 {
        a + b
    }
}

fn fold_of<A, S, M>(identity: A, step: S, merge: M) -> Fold<A, S, M> {
    Fold { identity, step, merge }
}

fn sum_against<F>(values: &[f64], f: F) -> SumAgainst<'_, F> {
    SumAgainst { values, f }
}

/// The order of a reduction: the kept dimensions in logical order, and the reduced ones in the order of memory.
struct Plan {
    ptr: *const u8,
    dtype: DType,
    /// Values are narrowed to this dtype after they're read, if there is one.
    narrow: Option<DType>,
    kept: Loops<1>,
    reduced: Loops<1>,
}

// SAFETY: read-only.
unsafe impl Sync for Plan {}

impl Plan {
    fn new(x: &Span, dims: &[bool], compute: DType) -> Plan {
        let part = |wanted: bool| {
            let pick = |values: &[usize]| -> Vec<usize> {
                values.iter().zip(dims).filter(|(_, reduced)| **reduced == wanted).map(|(v, _)| *v).collect()
            };
            (pick(&x.shape), pick(&x.strides))
        };
        let (kept, reduced) = (part(false), part(true));
        Plan {
            ptr: x.ptr_bytes(),
            dtype: x.dtype,
            narrow: (!native(compute) && x.dtype != compute).then_some(compute),
            kept: Loops::new(&kept.0, [&kept.1]),
            reduced: Loops::reordered(&reduced.0, [&reduced.1]),
        }
    }

    /// One accumulator for each output, in logical order.
    fn accumulate<C: Compute, R: Reducer<C>>(&self, r: &R) -> Vec<R::Acc> {
        let (outputs, inputs) = (self.kept.numel, self.reduced.numel);
        let mut accs = vec![r.identity(); outputs];
        if outputs == 0 || inputs == 0 {
            return accs;
        }
        if outputs < 2 * COLUMNS && inputs >= 2 * GRAIN {
            // Few outputs of many elements each: threads share the elements, and their results are merged in order.
            let pieces = (inputs / GRAIN).clamp(1, 32);
            let step = inputs.div_ceil(pieces);
            let mut partial = vec![r.identity(); outputs * pieces];
            let shared = Shared::new(&mut partial);
            parallel(pieces, 1, |range| {
                for piece in range {
                    // SAFETY: each piece has its own accumulators.
                    let accs = unsafe { shared.slice(piece * outputs..(piece + 1) * outputs) };
                    let start = (piece * step).min(inputs);
                    self.part(r, 0, accs, start, step.min(inputs - start));
                }
            });
            for piece in partial.chunks(outputs) {
                for (acc, p) in accs.iter_mut().zip(piece) {
                    *acc = r.merge(*acc, *p);
                }
            }
            return accs;
        }
        let shared = Shared::new(&mut accs);
        let grain = (GRAIN / inputs).max(if self.by_columns() { 64 } else { 1 });
        parallel(outputs, grain, |range| {
            // SAFETY: each thread has its own range.
            let accs = unsafe { shared.slice(range.clone()) };
            self.part(r, range.start, accs, 0, inputs);
        });
        accs
    }

    /// Whether neighboring outputs read neighboring elements, so that entire rows are added to rows of accumulators.
    fn by_columns(&self) -> bool {
        match (self.kept.strides[0].last(), self.reduced.strides[0].last()) {
            (Some(kept), Some(reduced)) => kept < reduced,
            (Some(_), None) => true,
            _ => false,
        }
    }

    /// Folds the elements `start..start + n` of each output from `output` on.
    fn part<C: Compute, R: Reducer<C>>(&self, r: &R, output: usize, accs: &mut [R::Acc], start: usize, n: usize) {
        if n == 0 {
            return;
        }
        let mut block = [C::default(); COLUMNS];
        let mut done = 0;
        let count = accs.len();
        self.kept.runs(output, count, |[base], outputs, [step]| {
            if !self.by_columns() {
                for j in 0..outputs {
                    let param = r.param(output + done);
                    let mut acc = accs[done];
                    self.reduced.runs(start, n, |[offset], len, [stride]| {
                        self.slices(base + j * step + offset, stride, len, &mut block, |slice, _| {
                            acc = fold(r, acc, slice, param);
                        });
                    });
                    accs[done] = acc;
                    done += 1;
                }
                return;
            }
            let mut column = 0;
            while column < outputs {
                let width = COLUMNS.min(outputs - column);
                let first = base + column * step;
                let row_accs = &mut accs[done..done + width];
                let first_output = output + done;
                self.reduced.runs(start, n, |[offset], rows, [stride]| {
                    for row in 0..rows {
                        self.slices(first + offset + row * stride, step, width, &mut block, |slice, at| {
                            fold_columns(r, &mut row_accs[at..at + slice.len()], slice, first_output + at);
                        });
                    }
                });
                done += width;
                column += width;
            }
        });
    }

    /// Passes the `n` elements from `offset` to `f` as slices, with each slice's position.
    #[inline]
    fn slices<C: Compute>(
        &self,
        offset: usize,
        stride: usize,
        n: usize,
        block: &mut [C; COLUMNS],
        mut f: impl FnMut(&[C], usize),
    ) {
        let size = self.dtype.size();
        // SAFETY (both): elements of a checked span.
        if self.dtype == C::DTYPE && (stride == 1 || n == 1) && self.narrow.is_none() {
            return f(unsafe { std::slice::from_raw_parts((self.ptr as *const C).add(offset), n) }, 0);
        }
        let mut at = 0;
        while at < n {
            let len = COLUMNS.min(n - at);
            let slice = &mut block[..len];
            unsafe { load(self.dtype, self.ptr.add((offset + at * stride) * size), stride, slice) };
            if let Some(dtype) = self.narrow {
                narrow(dtype, slice);
            }
            f(slice, at);
            at += len;
        }
    }
}

fn fold<C: Compute, R: Reducer<C>>(r: &R, acc: R::Acc, xs: &[C], param: R::Param) -> R::Acc {
    vectorize(
        #[inline(always)]
        || {
            let mut acc = acc;
            let (chunks, rest) = xs.as_chunks::<LANES>();
            if !chunks.is_empty() {
                let mut lanes = [r.identity(); LANES];
                for chunk in chunks {
                    for (lane, x) in lanes.iter_mut().zip(chunk) {
                        *lane = r.step(*lane, *x, param);
                    }
                }
                let mut width = LANES / 2;
                while width > 0 {
                    for i in 0..width {
                        lanes[i] = r.merge(lanes[i], lanes[i + width]);
                    }
                    width /= 2;
                }
                acc = r.merge(acc, lanes[0]);
            }
            for x in rest {
                acc = r.step(acc, *x, param);
            }
            acc
        },
    )
}

fn fold_columns<C: Compute, R: Reducer<C>>(r: &R, accs: &mut [R::Acc], xs: &[C], output: usize) {
    vectorize(
        #[inline(always)]
        || {
            for (j, (acc, x)) in accs.iter_mut().zip(xs).enumerate() {
                *acc = r.step(*acc, *x, r.param(output.wrapping_add(j)));
            }
        },
    )
}

pub(super) fn reduce(op: ReduceOp, x: &View<'_>, dims: &[bool], compute: DType, out: &View<'_>) -> Done {
    let (x, out) = (Span::new(x)?, Span::new(out)?);
    let plan = Plan::new(&x, dims, compute);
    // Accumulators and the values made of them are wider than most outputs. If there is no memory for both, this is reported
    // first.
    if plan.kept.numel > 1 << 20 {
        drop(dense::room::<[u64; 3]>(plan.kept.numel)?);
    }
    // Every float except zero is true; read as an integer, one below 1 would be false.
    let read = if compute == DType::Bool && x.dtype.is_float() { x.dtype } else { compute };
    with_compute!(read, C => C::reduce(op, &plan, compute, &out))
}

/// The reductions a compute type has.
trait Reduce: Compute {
    fn reduce(op: ReduceOp, plan: &Plan, compute: DType, out: &Span) -> Done;
}

impl Reduce for f32 {
    fn reduce(op: ReduceOp, plan: &Plan, _: DType, out: &Span) -> Done {
        real::<f32>(op, plan, out);
        Ok(())
    }
}

impl Reduce for f64 {
    fn reduce(op: ReduceOp, plan: &Plan, _: DType, out: &Span) -> Done {
        real::<f64>(op, plan, out);
        Ok(())
    }
}

impl Reduce for i64 {
    fn reduce(op: ReduceOp, plan: &Plan, compute: DType, out: &Span) -> Done {
        integer(op, plan, compute, out)
    }
}

/// Writes one value for each output, in logical order.
fn write<A: Compute>(out: &Span, values: &[A]) {
    let size = out.dtype.size();
    let mut at = 0;
    Loops::new(&out.shape, [&out.strides]).all_runs(|[offset], n, [stride]| {
        // SAFETY: elements of a checked span.
        unsafe { store(out.dtype, &values[at..at + n], out.ptr_bytes().add(offset * size), stride) };
        at += n;
    });
}

fn finish<A: Compute, B: Compute>(out: &Span, accs: Vec<A>, f: impl Fn(A) -> B) {
    let values: Vec<B> = accs.into_iter().map(f).collect();
    write(out, &values);
}

/// The sum of a function of each element.
fn sum_of<C: Real>(plan: &Plan, f: impl Fn(C) -> f64 + Sync) -> Vec<f64> {
    plan.accumulate(&fold_of(
        0.0,
        #[inline(always)]
        |acc: f64, x: C| acc + f(x),
        #[inline(always)]
        |a: f64, b: f64| a + b,
    ))
}

fn largest<C: Real>(plan: &Plan, f: impl Fn(C) -> C + Sync) -> Vec<C> {
    plan.accumulate(&fold_of(
        -C::INFINITY,
        #[inline(always)]
        |acc: C, x: C| f(x).maximum(acc),
        #[inline(always)]
        |a: C, b: C| a.maximum(b),
    ))
}

fn smallest<C: Real>(plan: &Plan, f: impl Fn(C) -> C + Sync) -> Vec<C> {
    plan.accumulate(&fold_of(
        C::INFINITY,
        #[inline(always)]
        |acc: C, x: C| f(x).minimum(acc),
        #[inline(always)]
        |a: C, b: C| a.minimum(b),
    ))
}

fn count<C: Compute>(plan: &Plan, f: impl Fn(C) -> bool + Sync) -> Vec<i64> {
    plan.accumulate(&fold_of(
        0i64,
        #[inline(always)]
        |acc: i64, x: C| acc.wrapping_add(f(x) as i64),
        #[inline(always)]
        |a: i64, b: i64| a.wrapping_add(b),
    ))
}

fn real<C: Real>(op: ReduceOp, plan: &Plan, out: &Span) {
    let n = plan.reduced.numel as f64;
    let zero = C::default();
    match op {
        ReduceOp::Sum => write(
            out,
            &sum_of(
                plan,
                #[inline(always)]
                |x: C| x.as_f64(),
            ),
        ),
        ReduceOp::Mean => finish(
            out,
            sum_of(
                plan,
                #[inline(always)]
                |x: C| x.as_f64(),
            ),
            |sum| sum / n,
        ),
        ReduceOp::NanSum => write(
            out,
            &sum_of(
                plan,
                #[inline(always)]
                |x: C| if x.is_nan() { 0.0 } else { x.as_f64() },
            ),
        ),
        ReduceOp::Prod => {
            let products = plan.accumulate(&fold_of(
                1.0f64,
                #[inline(always)]
                |acc: f64, x: C| acc * x.as_f64(),
                #[inline(always)]
                |a: f64, b: f64| a * b,
            ));
            write(out, &products);
        }
        ReduceOp::Max => write(
            out,
            &largest(
                plan,
                #[inline(always)]
                |x: C| x,
            ),
        ),
        ReduceOp::Min => write(
            out,
            &smallest(
                plan,
                #[inline(always)]
                |x: C| x,
            ),
        ),
        ReduceOp::Any => finish(
            out,
            count(
                plan,
                #[inline(always)]
                |x: C| x != zero,
            ),
            |n| (n != 0) as i64,
        ),
        ReduceOp::All => finish(
            out,
            count(
                plan,
                #[inline(always)]
                |x: C| x == zero,
            ),
            |n| (n == 0) as i64,
        ),
        ReduceOp::CountNonzero => write(
            out,
            &count(
                plan,
                #[inline(always)]
                |x: C| x != zero,
            ),
        ),
        ReduceOp::Var { correction } => {
            let mut means = sum_of(
                plan,
                #[inline(always)]
                |x: C| x.as_f64(),
            );
            means.iter_mut().for_each(|mean| *mean /= n);
            let squares = plan.accumulate(&sum_against(
                &means,
                #[inline(always)]
                |x: C, mean: f64| {
                    let d = x.as_f64() - mean;
                    d * d
                },
            ));
            // With too few elements, the result is NaN if they're equal, otherwise infinity.
            let divisor = (n - correction).max(0.0);
            finish(out, squares, |sum| sum / divisor);
        }
        ReduceOp::Norm { p } => norm::<C>(p, plan, out),
        ReduceOp::LogSumExp => {
            let tops: Vec<f64> = largest(
                plan,
                #[inline(always)]
                |x: C| x,
            )
            .into_iter()
            .map(|top| if top.as_f64().is_infinite() { 0.0 } else { top.as_f64() })
            .collect();
            let mut sums = plan.accumulate(&sum_against(
                &tops,
                #[inline(always)]
                |x: C, top: f64| (x - C::of(top)).exp().as_f64(),
            ));
            for (sum, top) in sums.iter_mut().zip(&tops) {
                *sum = sum.ln() + top;
            }
            write(out, &sums);
        }
    }
}

fn norm<C: Real>(p: f64, plan: &Plan, out: &Span) {
    let zero = C::default();
    if p == 0.0 {
        write(
            out,
            &count(
                plan,
                #[inline(always)]
                |x: C| x != zero,
            ),
        );
    } else if p == 1.0 {
        write(
            out,
            &sum_of(
                plan,
                #[inline(always)]
                |x: C| x.as_f64().abs(),
            ),
        );
    } else if p == 2.0 {
        finish(
            out,
            sum_of(
                plan,
                #[inline(always)]
                |x: C| x.as_f64() * x.as_f64(),
            ),
            f64::sqrt,
        );
    } else if p == f64::INFINITY {
        let empty = plan.reduced.numel == 0;
        finish(
            out,
            largest(
                plan,
                #[inline(always)]
                |x: C| Real::abs(x),
            ),
            |v| if empty { zero } else { v },
        );
    } else if p == f64::NEG_INFINITY {
        write(
            out,
            &smallest(
                plan,
                #[inline(always)]
                |x: C| Real::abs(x),
            ),
        );
    } else {
        finish(out, sum_of(plan, |x: C| x.as_f64().abs().powf(p)), |sum| sum.powf(1.0 / p));
    }
}

fn integer(op: ReduceOp, plan: &Plan, compute: DType, out: &Span) -> Done {
    macro_rules! fold {
        ($identity:expr, $f:expr) => {
            plan.accumulate(&fold_of($identity, $f, $f))
        };
    }
    match op {
        ReduceOp::Sum | ReduceOp::NanSum => write(out, &fold!(0i64, |a: i64, b: i64| a.wrapping_add(b))),
        ReduceOp::Prod => write(out, &fold!(1i64, |a: i64, b: i64| a.wrapping_mul(b))),
        ReduceOp::Max => write(out, &fold!(i64::MIN, |a: i64, b: i64| a.max(b))),
        ReduceOp::Min => write(out, &fold!(i64::MAX, |a: i64, b: i64| a.min(b))),
        ReduceOp::Any => finish(out, count(plan, |x: i64| x != 0), |n| (n != 0) as i64),
        ReduceOp::All => finish(out, count(plan, |x: i64| x == 0), |n| (n == 0) as i64),
        ReduceOp::CountNonzero => write(out, &count(plan, |x: i64| x != 0)),
        _ => return Err(unsupported(op.name(), compute)),
    }
    Ok(())
}
