//! Two-dimensional convolution as a matrix product over unfolded patches.

mod small;

use std::ops::Range;

use super::dense::{self, Output, scratch};
use super::element::{Compute, with_float};
use super::matmul::{Gemm, Matrix, multiply};
use super::simd::{Shared, try_parallel};
use super::span::place;
use crate::executor::{Conv2d, Done, View};
use small::Small;

/// How many patch elements are unfolded at one time.
const STRIP: usize = 96 * 1024;

/// With this many multiply-adds, waking another thread is worth it.
const WORTHWHILE: usize = 1 << 19;

/// Sizes of one convolution, with one group's share of the channels.
#[derive(Clone, Copy)]
struct Sizes {
    batch: usize,
    groups: usize,
    /// Input channels of a group.
    c: usize,
    /// Output channels of a group.
    o: usize,
    input: [usize; 2],
    output: [usize; 2],
    kernel: [usize; 2],
    params: Conv2d,
}

impl Sizes {
    /// From the shapes of input [N, C, H, W], weight [O, C/groups, kh, kw] and output [N, O, oh, ow].
    fn new(x: &[usize], w: &[usize], y: &[usize], params: Conv2d) -> Sizes {
        Sizes {
            batch: x[0],
            groups: params.groups,
            c: w[1],
            o: w[0] / params.groups,
            input: [x[2], x[3]],
            output: [y[2], y[3]],
            kernel: [w[2], w[3]],
            params,
        }
    }

    /// Elements of an input plane.
    fn plane(&self) -> usize {
        self.input[0] * self.input[1]
    }

    /// Positions of the output.
    fn positions(&self) -> usize {
        self.output[0] * self.output[1]
    }

    /// Number of elements in one patch.
    fn patch(&self) -> usize {
        self.c * self.kernel[0] * self.kernel[1]
    }

    /// The fewest strips that are shared among threads. Smaller work is done before another thread is awake.
    fn grain(&self) -> usize {
        let work = [self.patch(), self.o, self.strip(), self.output[1]].into_iter().fold(1, usize::saturating_mul);
        (WORTHWHILE / work.max(1)).max(1)
    }

    /// Whether the patches are the input itself.
    fn pointwise(&self) -> bool {
        let Conv2d { stride, padding, .. } = self.params;
        self.kernel == [1, 1] && stride == [1, 1] && padding == [0, 0]
    }

    /// The place in the input plane (row, column) of the kernel's row `i` (column `j`) for an output position, if it's
    /// inside.
    #[inline(always)]
    fn source(&self, axis: usize, position: usize, tap: usize) -> Option<usize> {
        let at = position * self.params.stride[axis] + tap * self.params.dilation[axis];
        at.checked_sub(self.params.padding[axis]).filter(|&at| at < self.input[axis])
    }

    /// The output columns for which column `j` of the kernel is inside the input.
    fn inside(&self, j: usize) -> Range<usize> {
        let stride = self.params.stride[1];
        let tap = j * self.params.dilation[1];
        let from = self.params.padding[1].saturating_sub(tap).div_ceil(stride);
        let room = (self.input[1] + self.params.padding[1]).saturating_sub(tap);
        let to = room.div_ceil(stride).min(self.output[1]);
        from.min(to)..to
    }

    /// How many output rows are unfolded at one time: as many as fit into the second-level cache.
    fn strip(&self) -> usize {
        (STRIP / self.patch().saturating_mul(self.output[1]).max(1)).clamp(1, self.output[0].max(1))
    }

    /// The number of strips of output rows in one plane.
    fn strips(&self) -> usize {
        self.output[0].div_ceil(self.strip())
    }

    fn strip_rows(&self, strip: usize) -> Range<usize> {
        strip * self.strip()..((strip + 1) * self.strip()).min(self.output[0])
    }

    /// Calls `f(row of the patch matrix, output row, run)` for each row of the patches and each output row. The run is the
    /// input offset and the output columns of those patch elements that are inside the input; it's missing if there are
    /// none.
    #[inline(always)]
    fn rows(&self, rows: Range<usize>, mut f: impl FnMut(usize, usize, Option<(usize, Range<usize>)>)) {
        let [kh, kw] = self.kernel;
        for c in 0..self.c {
            for i in 0..kh {
                for j in 0..kw {
                    let row = (c * kh + i) * kw + j;
                    let columns = self.inside(j);
                    for y in rows.clone() {
                        let run = self.source(0, y, i).filter(|_| !columns.is_empty()).map(|source| {
                            let first = columns.start * self.params.stride[1] + j * self.params.dilation[1];
                            let offset = c * self.plane() + source * self.input[1] + first - self.params.padding[1];
                            (offset, columns.clone())
                        });
                        f(row, y - rows.start, run);
                    }
                }
            }
        }
    }

    /// Unfolds the patches of some output rows of one group into [patch, positions of those rows].
    fn unfold<C: Compute>(&self, x: &[C], rows: Range<usize>, patches: &mut [C]) {
        let [_, ow] = self.output;
        let stride = self.params.stride[1];
        let width = rows.len() * ow;
        self.rows(rows, |row, y, run| {
            let line = &mut patches[row * width + y * ow..][..ow];
            let Some((offset, columns)) = run else { return line.fill(C::default()) };
            line[..columns.start].fill(C::default());
            line[columns.end..].fill(C::default());
            let line = &mut line[columns];
            if stride == 1 {
                line.copy_from_slice(&x[offset..offset + line.len()]);
            } else {
                for (k, v) in line.iter_mut().enumerate() {
                    *v = x[place(offset, k, stride)];
                }
            }
        });
    }

    /// Adds patches back to the places that they came from.
    fn fold<C: Compute>(&self, patches: &[C], rows: Range<usize>, x: &mut [C]) {
        let [_, ow] = self.output;
        let stride = self.params.stride[1];
        let width = rows.len() * ow;
        self.rows(rows, |row, y, run| {
            let Some((offset, columns)) = run else { return };
            let line = &patches[row * width + y * ow..][..ow][columns];
            if stride == 1 {
                for (place, v) in x[offset..offset + line.len()].iter_mut().zip(line) {
                    *place = place.plus(*v);
                }
            } else {
                for (k, v) in line.iter().enumerate() {
                    let element = &mut x[place(offset, k, stride)];
                    *element = element.plus(*v);
                }
            }
        });
    }

    /// Memory for the patches of a strip.
    fn patches<C: Compute>(&self) -> Done<Vec<C>> {
        let needed = self.patch().saturating_mul(self.strip()).saturating_mul(self.output[1]);
        scratch(if self.pointwise() { 0 } else { needed })
    }

    /// The patches of some output rows: the input itself, if possible.
    fn columns<C: Compute>(&self, x: &[C], rows: Range<usize>, patches: &mut [C]) -> Matrix<C> {
        let ow = self.output[1];
        if self.pointwise() {
            return Matrix::part(x.as_ptr().cast_mut(), self.positions(), rows.start * ow);
        }
        let width = rows.len() * ow;
        self.unfold(x, rows, patches);
        Matrix::of(patches, width)
    }
}

pub(super) fn forward(x: &View<'_>, w: &View<'_>, bias: Option<&View<'_>>, params: Conv2d, out: &View<'_>) -> Done {
    let sizes = Sizes::new(&x.shape, &w.shape, &out.shape, params);
    with_float!(out.dtype, "conv2d", C => {
        let (x, w) = (dense::read_view::<C>(x)?, dense::read_view::<C>(w)?);
        let bias = bias.map(dense::read_view::<C>).transpose()?;
        let mut out = Output::<C>::new(out)?;
        match Small::new(sizes) {
            Some(small) => small.forward(&x, &w, bias.as_deref(), &mut out)?,
            None => convolve(sizes, &x, &w, bias.as_deref(), &mut out)?,
        }
        out.finish();
        Ok(())
    })
}

fn convolve<C: Gemm>(s: Sizes, x: &[C], w: &[C], bias: Option<&[C]>, out: &mut [C]) -> Done {
    let (patch, positions, ow, strips) = (s.patch(), s.positions(), s.output[1], s.strips());
    let shared = Shared::new(out);
    let tasks = s.batch * s.groups * strips;
    try_parallel(tasks, s.grain(), |range| {
        let mut patches = s.patches::<C>()?;
        for task in range {
            let (plane, rows) = (task / strips, s.strip_rows(task % strips));
            let group = plane % s.groups;
            let x = &x[plane * s.c * s.plane()..][..s.c * s.plane()];
            let w = &w[group * s.o * patch..][..s.o * patch];
            let first = plane * s.o * positions + rows.start * ow;
            let width = rows.len() * ow;
            if let Some(bias) = bias {
                for (o, b) in bias[group * s.o..][..s.o].iter().enumerate() {
                    let start = first + o * positions;
                    // SAFETY: each task writes its own rows of its own planes.
                    unsafe { shared.slice(start..start + width) }.fill(*b);
                }
            }
            let columns = s.columns(x, rows, &mut patches);
            let keep = bias.map(|_| C::ONE);
            let target = Matrix::part(shared.get(), positions, first);
            // SAFETY: [o, patch] @ [patch, width] into the part of [o, positions] that only this task writes.
            unsafe { multiply([s.o, patch, width], Matrix::of(w, patch), columns, target, C::ONE, keep, tasks == 1) };
        }
        Ok(())
    })
}

pub(super) fn grad_input(grad: &View<'_>, w: &View<'_>, params: Conv2d, out: &View<'_>) -> Done {
    let s = Sizes::new(&out.shape, &w.shape, &grad.shape, params);
    with_float!(out.dtype, "conv2d_grad_input", C => {
        let (grad, w) = (dense::read_view::<C>(grad)?, dense::read_view::<C>(w)?);
        let mut out = Output::<C>::new(out)?;
        if let Some(small) = Small::new(s) {
            small.grad_input(&grad, &w, &mut out)?;
            out.finish();
            return Ok(());
        }
        let (patch, positions, ow) = (s.patch(), s.positions(), s.output[1]);
        let shared = Shared::new(&mut out);
        let tasks = s.batch * s.groups;
        try_parallel(tasks, s.grain().div_ceil(s.strips().max(1)), |range| {
            let mut patches = s.patches::<C>()?;
            for task in range {
                let grad = &grad[task * s.o * positions..][..s.o * positions];
                let w = Matrix::of(&w[task % s.groups * s.o * patch..][..s.o * patch], patch).transposed();
                // SAFETY: each task writes its own planes.
                let out = unsafe { shared.slice(task * s.c * s.plane()..(task + 1) * s.c * s.plane()) };
                if !s.pointwise() {
                    out.fill(C::default());
                }
                for strip in 0..s.strips() {
                    let rows = s.strip_rows(strip);
                    let (start, width) = (rows.start * ow, rows.len() * ow);
                    let grad = Matrix::part(grad.as_ptr().cast_mut(), positions, start);
                    let target = if s.pointwise() {
                        Matrix::part(out.as_mut_ptr(), positions, start)
                    } else {
                        Matrix::of_mut(&mut patches, width)
                    };
                    // SAFETY: [patch, o] @ [o, width] into [patch, width].
                    unsafe { multiply([patch, s.o, width], w, grad, target, C::ONE, None, tasks == 1) };
                    if !s.pointwise() {
                        s.fold(&patches, rows, out);
                    }
                }
            }
            Ok(())
        })?;
        out.finish();
        Ok(())
    })
}

pub(super) fn grad_weight(grad: &View<'_>, x: &View<'_>, params: Conv2d, out: &View<'_>) -> Done {
    let s = Sizes::new(&x.shape, &out.shape, &grad.shape, params);
    with_float!(out.dtype, "conv2d_grad_weight", C => {
        let (grad, x) = (dense::read_view::<C>(grad)?, dense::read_view::<C>(x)?);
        let mut out = Output::<C>::new(out)?;
        if let Some(small) = Small::new(s) {
            small.grad_weight(&grad, &x, &mut out)?;
            out.finish();
            return Ok(());
        }
        let (patch, positions, ow, strips) = (s.patch(), s.positions(), s.output[1], s.strips());
        let size = out.len();
        // Parts of the work have separate sums, which are added in order, so the result doesn't depend on timing.
        let work = s.batch * strips;
        let parts = work.clamp(1, 8);
        let mut sums = scratch::<C>(parts * size)?;
        let shared = Shared::new(&mut sums);
        try_parallel(parts, s.grain().div_ceil((work * s.groups).div_ceil(parts).max(1)), |range| {
            let mut patches = s.patches::<C>()?;
            for part in range {
                for item in part * work / parts..(part + 1) * work / parts {
                    let (n, rows) = (item / strips, s.strip_rows(item % strips));
                    let (start, width) = (rows.start * ow, rows.len() * ow);
                    for group in 0..s.groups {
                        let plane = n * s.groups + group;
                        let grad = &grad[plane * s.o * positions..][..s.o * positions];
                        let grad = Matrix::part(grad.as_ptr().cast_mut(), positions, start);
                        let x = &x[plane * s.c * s.plane()..][..s.c * s.plane()];
                        let columns = s.columns(x, rows.clone(), &mut patches).transposed();
                        let first = part * size + group * s.o * patch;
                        let target = Matrix::part(shared.get(), patch, first);
                        let keep = Some(C::ONE);
                        // SAFETY: each part has its own sums; [o, width] @ [width, patch] into [o, patch].
                        unsafe { multiply([s.o, width, patch], grad, columns, target, C::ONE, keep, parts == 1) };
                    }
                }
            }
            Ok(())
        })?;
        out.copy_from_slice(&sums[..size]);
        for part in sums.chunks_exact(size.max(1)).skip(1) {
            for (o, v) in out.iter_mut().zip(part) {
                *o += *v;
            }
        }
        out.finish();
        Ok(())
    })
}
