//! The engine of elementwise kernels. It works in blocks that fit into the first-level cache.
//!
//! Whatever the dtypes and strides are, an operator's own loop sees only contiguous slices of its compute type. Operands that
//! already are such slices are passed in place. Others (broadcast, strided, of another dtype, numbers, or the output itself)
//! are first copied, block by block, to a small array. So each operator is one vectorized loop, compiled once for each
//! compute type, and only operands that need the copy pay for it.

use std::mem::MaybeUninit;

use smallvec::SmallVec;

use super::element::{Compute, narrow, native, number};
use super::simd::{GRAIN, parallel, vectorize};
use super::span::{Loops, Span, load, store};
use crate::dtype::DType;
use crate::executor::{Done, Operand};
use crate::shape::Dims;

/// Bytes of one operand's block.
const BLOCK: usize = 8192;

/// An operand of an elementwise kernel.
pub(super) enum Input<C> {
    Span(Span),
    Value(C),
}

impl<C: Compute> Input<C> {
    pub(super) fn new(operand: &Operand<'_>, compute: DType) -> Done<Input<C>> {
        Ok(match operand {
            Operand::View(view) => Input::Span(Span::new(view)?),
            Operand::Scalar(value) => Input::Value(number(*value, compute)),
        })
    }
}

/// How a block of an operand becomes a slice.
enum Source<C> {
    /// In place, without a copy.
    Direct(*const C),
    /// Copied, converted, and narrowed to the compute dtype if that is narrower than `C`.
    Staged {
        ptr: *const u8,
        dtype: DType,
        strides: usize,
        narrow: bool,
    },
    Constant,
}

struct Job<C, const N: usize> {
    /// Loops over the output and those operands that are spans.
    loops: Loops<4>,
    sources: [Source<C>; N],
    constants: [C; N],
    compute: DType,
    out: *mut u8,
    out_dtype: DType,
    /// The output is dense and holds `C`, so operators write it in place.
    out_direct: bool,
    narrow_out: bool,
}

// SAFETY: the pointers are of checked spans; threads get disjoint parts of the output.
unsafe impl<C: Compute, const N: usize> Sync for Job<C, N> {}

/// An operator's loop over one block: operands and result have the same length.
type Body<'a, C, const N: usize> = &'a (dyn Fn([&[C]; N], &mut [C]) + Sync);

/// Runs `kernel` over all elements. `cost` is the cost of one element compared with an addition; it decides from which
/// size threads share the work.
pub(super) fn run<C: Compute, const N: usize>(
    out: &Span,
    inputs: [Input<C>; N],
    compute: DType,
    cost: usize,
    kernel: Body<'_, C, N>,
) {
    let numel = out.numel();
    if numel == 0 {
        return;
    }
    let zero: Dims = SmallVec::from_elem(0, out.shape.len());
    let mut strides: [&[usize]; 4] = [&out.strides, &zero, &zero, &zero];
    for (k, input) in inputs.iter().enumerate() {
        if let Input::Span(span) = input {
            strides[k + 1] = &span.strides;
        }
    }
    let flat = out.is_contiguous()
        && inputs.iter().all(|input| match input {
            Input::Span(span) => span.is_contiguous(),
            Input::Value(_) => true,
        });
    let loops = if flat { Loops::flat(numel) } else { Loops::reordered(&out.shape, strides) };
    let constants = std::array::from_fn(|k| match &inputs[k] {
        Input::Value(v) => *v,
        Input::Span(_) => C::default(),
    });
    let out_ptr = out.ptr_bytes();
    let sources = std::array::from_fn(|k| match &inputs[k] {
        Input::Value(_) => Source::Constant,
        Input::Span(span) => {
            let ptr = span.ptr_bytes();
            if span.dtype == C::DTYPE && loops.is_dense(k + 1) && ptr != out_ptr && native(compute) {
                Source::Direct(ptr as *const C)
            } else {
                let narrow = !native(compute) && span.dtype != compute;
                Source::Staged { ptr, dtype: span.dtype, strides: k + 1, narrow }
            }
        }
    });
    let job = Job {
        sources,
        constants,
        compute,
        out: out_ptr,
        out_dtype: out.dtype,
        out_direct: out.dtype == C::DTYPE && loops.is_dense(0) && native(compute),
        narrow_out: !native(compute) && out.dtype != compute && out.dtype != DType::Bool,
        loops,
    };
    parallel(numel, GRAIN / cost, |range| job.run(range.start, range.end, kernel));
}

impl<C: Compute, const N: usize> Job<C, N> {
    fn run(&self, start: usize, end: usize, kernel: Body<'_, C, N>) {
        let block = BLOCK / size_of::<C>();
        let mut stage: [Stage<C>; N] = std::array::from_fn(|_| Stage::new());
        let mut result = Stage::new();
        for ((source, stage), constant) in self.sources.iter().zip(&mut stage).zip(self.constants) {
            if let Source::Constant = source {
                stage.take(block.min(end - start)).fill(constant);
            }
        }
        let mut at = start;
        while at < end {
            let n = block.min(end - at);
            for (source, stage) in self.sources.iter().zip(&mut stage) {
                if let Source::Staged { ptr, dtype, strides, narrow: narrows } = *source {
                    let slice = stage.take(n);
                    self.gather(ptr, dtype, strides, at, slice);
                    if narrows {
                        narrow(self.compute, slice);
                    }
                }
            }
            let slices: [&[C]; N] = std::array::from_fn(|k| match self.sources[k] {
                // SAFETY: the span is dense and holds `C`, and `at + n` does not pass its end.
                Source::Direct(ptr) => unsafe { std::slice::from_raw_parts(ptr.add(at), n) },
                _ => stage[k].filled(n),
            });
            if self.out_direct {
                // SAFETY: dense, holds `C`, inside the span; no operand's slice aliases it, and other threads have
                // other ranges.
                let out = unsafe { std::slice::from_raw_parts_mut((self.out as *mut C).add(at), n) };
                kernel(slices, out);
            } else {
                let out = result.take(n);
                kernel(slices, out);
                if self.narrow_out {
                    narrow(self.compute, out);
                }
                self.scatter(out, at);
            }
            at += n;
        }
    }

    fn gather(&self, ptr: *const u8, dtype: DType, strides: usize, at: usize, out: &mut [C]) {
        let size = dtype.size();
        let mut done = 0;
        self.loops.runs(at, out.len(), |offsets, n, steps| {
            // SAFETY: offsets of a checked span.
            unsafe { load(dtype, ptr.add(offsets[strides] * size), steps[strides], &mut out[done..done + n]) };
            done += n;
        });
    }

    fn scatter(&self, values: &[C], at: usize) {
        let size = self.out_dtype.size();
        let mut done = 0;
        self.loops.runs(at, values.len(), |offsets, n, steps| {
            // SAFETY: offsets of a checked span, in this thread's range.
            unsafe { store(self.out_dtype, &values[done..done + n], self.out.add(offsets[0] * size), steps[0]) };
            done += n;
        });
    }
}

/// The values of one block. The array isn't initialized until a block is taken.
struct Stage<C> {
    values: [MaybeUninit<C>; BLOCK / 4],
    /// How many of the values have ever been written.
    written: usize,
}

impl<C: Compute> Stage<C> {
    fn new() -> Stage<C> {
        Stage { values: [const { MaybeUninit::uninit() }; BLOCK / 4], written: 0 }
    }

    /// The first `n` values. The caller overwrites them.
    fn take(&mut self, n: usize) -> &mut [C] {
        if n > self.written {
            for v in &mut self.values[self.written..n] {
                v.write(C::default());
            }
            self.written = n;
        }
        // SAFETY: all of them have been written.
        unsafe { std::slice::from_raw_parts_mut(self.values.as_mut_ptr().cast(), n) }
    }

    /// The first `n` values, which were taken before.
    fn filled(&self, n: usize) -> &[C] {
        assert!(n <= self.written);
        // SAFETY: all of them have been written.
        unsafe { std::slice::from_raw_parts(self.values.as_ptr().cast(), n) }
    }
}

/// Runs a function of one value.
pub(super) fn map1<C: Compute>(out: &Span, x: Input<C>, compute: DType, cost: usize, f: impl Fn(C) -> C + Copy + Sync) {
    run(out, [x], compute, cost, &move |[x], out| {
        // A copy on the stack, so that the function's captured values are in registers and can't alias the output.
        let f = f;
        vectorize(
            #[inline(always)]
            || {
                for (o, x) in out.iter_mut().zip(x) {
                    *o = f(*x);
                }
            },
        )
    })
}

/// Runs a function of two values.
pub(super) fn map2<C: Compute>(
    out: &Span,
    [a, b]: [Input<C>; 2],
    compute: DType,
    cost: usize,
    f: impl Fn(C, C) -> C + Copy + Sync,
) {
    run(out, [a, b], compute, cost, &move |[a, b], out| {
        // A copy on the stack, so that the function's captured values are in registers and can't alias the output.
        let f = f;
        vectorize(
            #[inline(always)]
            || {
                for ((o, a), b) in out.iter_mut().zip(a).zip(b) {
                    *o = f(*a, *b);
                }
            },
        )
    })
}

/// Runs a function of three values.
pub(super) fn map3<C: Compute>(
    out: &Span,
    [a, b, c]: [Input<C>; 3],
    compute: DType,
    cost: usize,
    f: impl Fn(C, C, C) -> C + Copy + Sync,
) {
    run(out, [a, b, c], compute, cost, &move |[a, b, c], out| {
        // A copy on the stack, so that the function's captured values are in registers and can't alias the output.
        let f = f;
        vectorize(
            #[inline(always)]
            || {
                for (((o, a), b), c) in out.iter_mut().zip(a).zip(b).zip(c) {
                    *o = f(*a, *b, *c);
                }
            },
        )
    })
}
