//! Two-dimensional convolution as a matrix product over unfolded patches.

use super::dense::{self, Output, scratch};
use super::element::{Compute, with_float};
use super::matmul::{Gemm, Matrix, multiply};
use super::simd::{Shared, parallel};
use crate::executor::{Conv2d, Done, View};

/// Sizes of one convolution, a group's share of the channels.
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

    /// Elements of one patch.
    fn patch(&self) -> usize {
        self.c * self.kernel[0] * self.kernel[1]
    }

    /// True if the patches are the input itself.
    fn pointwise(&self) -> bool {
        let Conv2d { stride, padding, .. } = self.params;
        self.kernel == [1, 1] && stride == [1, 1] && padding == [0, 0]
    }

    /// Where in the input plane (row, column) row `i` (column `j`) of the kernel lies for an output position, if inside.
    #[inline(always)]
    fn source(&self, axis: usize, position: usize, tap: usize) -> Option<usize> {
        let at = position * self.params.stride[axis] + tap * self.params.dilation[axis];
        at.checked_sub(self.params.padding[axis]).filter(|&at| at < self.input[axis])
    }

    /// The output columns whose column `j` of the kernel lies inside the input.
    fn inside(&self, j: usize) -> std::ops::Range<usize> {
        let stride = self.params.stride[1];
        let tap = j * self.params.dilation[1];
        let from = self.params.padding[1].saturating_sub(tap).div_ceil(stride);
        let room = (self.input[1] + self.params.padding[1]).saturating_sub(tap);
        let to = room.div_ceil(stride).min(self.output[1]);
        from.min(to)..to
    }

    /// Calls `f(row of the patch matrix, input offset of its first element, output columns, output row)` for each run of
    /// patch elements that lie inside the input, and `outside(row of the patch matrix, output row)` where none does.
    #[inline(always)]
    fn rows(&self, mut f: impl FnMut(usize, usize, Option<(usize, std::ops::Range<usize>)>)) {
        let [kh, kw] = self.kernel;
        for c in 0..self.c {
            for i in 0..kh {
                for j in 0..kw {
                    let row = (c * kh + i) * kw + j;
                    let columns = self.inside(j);
                    for y in 0..self.output[0] {
                        let run = self.source(0, y, i).filter(|_| !columns.is_empty()).map(|source| {
                            let first = columns.start * self.params.stride[1] + j * self.params.dilation[1];
                            let offset = c * self.plane() + source * self.input[1] + first - self.params.padding[1];
                            (offset, columns.clone())
                        });
                        f(row, y, run);
                    }
                }
            }
        }
    }

    /// Unfolds the planes of one group into [patch, positions].
    fn unfold<C: Compute>(&self, x: &[C], patches: &mut [C]) {
        let [_, ow] = self.output;
        let stride = self.params.stride[1];
        self.rows(|row, y, run| {
            let line = &mut patches[row * self.positions() + y * ow..][..ow];
            let Some((offset, columns)) = run else { return line.fill(C::default()) };
            line[..columns.start].fill(C::default());
            line[columns.end..].fill(C::default());
            let line = &mut line[columns];
            if stride == 1 {
                line.copy_from_slice(&x[offset..offset + line.len()]);
            } else {
                for (k, v) in line.iter_mut().enumerate() {
                    *v = x[offset + k * stride];
                }
            }
        });
    }

    /// Adds patches back to where they came from.
    fn fold<C: Compute>(&self, patches: &[C], x: &mut [C]) {
        let [_, ow] = self.output;
        let stride = self.params.stride[1];
        self.rows(|row, y, run| {
            let Some((offset, columns)) = run else { return };
            let line = &patches[row * self.positions() + y * ow..][..ow][columns];
            for (k, v) in line.iter().enumerate() {
                let place = &mut x[offset + k * stride];
                *place = place.plus(*v);
            }
        });
    }
}

pub fn forward(x: &View<'_>, w: &View<'_>, bias: Option<&View<'_>>, params: Conv2d, out: &View<'_>) -> Done {
    let sizes = Sizes::new(&x.shape, &w.shape, &out.shape, params);
    with_float!(out.dtype, "conv2d", C => {
        let (x, w) = (dense::read_view::<C>(x)?, dense::read_view::<C>(w)?);
        let bias = bias.map(dense::read_view::<C>).transpose()?;
        let mut out = Output::<C>::new(out)?;
        convolve(sizes, &x, &w, bias.as_deref(), &mut out);
        out.finish();
        Ok(())
    })
}

fn convolve<C: Gemm>(s: Sizes, x: &[C], w: &[C], bias: Option<&[C]>, out: &mut [C]) {
    let (patch, positions) = (s.patch(), s.positions());
    let shared = Shared::new(out);
    let tasks = s.batch * s.groups;
    parallel(tasks, 1, |range| {
        let mut patches = vec![C::default(); if s.pointwise() { 0 } else { patch * positions }];
        for task in range {
            let group = task % s.groups;
            let x = &x[task * s.c * s.plane()..][..s.c * s.plane()];
            let w = &w[group * s.o * patch..][..s.o * patch];
            // SAFETY: each task writes its own planes.
            let out = unsafe { shared.slice(task * s.o * positions..(task + 1) * s.o * positions) };
            if let Some(bias) = bias {
                for (plane, b) in out.chunks_exact_mut(positions.max(1)).zip(&bias[group * s.o..]) {
                    plane.fill(*b);
                }
            }
            let columns = if s.pointwise() {
                Matrix::of(x, positions)
            } else {
                s.unfold(x, &mut patches);
                Matrix::of(&patches, positions)
            };
            let keep = bias.map(|_| C::ONE);
            // SAFETY: [o, patch] @ [patch, positions] into [o, positions].
            unsafe {
                multiply(
                    [s.o, patch, positions],
                    Matrix::of(w, patch),
                    columns,
                    Matrix::of_mut(out, positions),
                    C::ONE,
                    keep,
                    tasks == 1,
                )
            };
        }
    });
}

pub fn grad_input(grad: &View<'_>, w: &View<'_>, params: Conv2d, out: &View<'_>) -> Done {
    let s = Sizes::new(&out.shape, &w.shape, &grad.shape, params);
    with_float!(out.dtype, "conv2d_grad_input", C => {
        let (grad, w) = (dense::read_view::<C>(grad)?, dense::read_view::<C>(w)?);
        let mut out = Output::<C>::new(out)?;
        let (patch, positions) = (s.patch(), s.positions());
        let shared = Shared::new(&mut out);
        let tasks = s.batch * s.groups;
        parallel(tasks, 1, |range| {
            let mut patches = vec![C::default(); if s.pointwise() { 0 } else { patch * positions }];
            for task in range {
                let grad = &grad[task * s.o * positions..][..s.o * positions];
                let w = &w[task % s.groups * s.o * patch..][..s.o * patch];
                // SAFETY: each task writes its own planes.
                let out = unsafe { shared.slice(task * s.c * s.plane()..(task + 1) * s.c * s.plane()) };
                let target: &mut [C] = if s.pointwise() { &mut *out } else { &mut patches };
                // SAFETY: [patch, o] @ [o, positions] into [patch, positions].
                unsafe {
                    multiply(
                        [patch, s.o, positions],
                        Matrix::of(w, patch).transposed(),
                        Matrix::of(grad, positions),
                        Matrix::of_mut(target, positions),
                        C::ONE,
                        None,
                        tasks == 1,
                    )
                };
                if !s.pointwise() {
                    out.fill(C::default());
                    s.fold(&patches, out);
                }
            }
        });
        out.finish();
        Ok(())
    })
}

pub fn grad_weight(grad: &View<'_>, x: &View<'_>, params: Conv2d, out: &View<'_>) -> Done {
    let s = Sizes::new(&x.shape, &out.shape, &grad.shape, params);
    with_float!(out.dtype, "conv2d_grad_weight", C => {
        let (grad, x) = (dense::read_view::<C>(grad)?, dense::read_view::<C>(x)?);
        let mut out = Output::<C>::new(out)?;
        let (patch, positions) = (s.patch(), s.positions());
        let size = out.len();
        // Parts of the batch are summed apart and added in order, so that the result does not depend on timing.
        let parts = s.batch.clamp(1, 8);
        let mut sums = scratch::<C>(parts * size)?;
        let shared = Shared::new(&mut sums);
        parallel(parts, 1, |range| {
            let mut patches = vec![C::default(); if s.pointwise() { 0 } else { patch * positions }];
            for part in range {
                for n in part * s.batch / parts..(part + 1) * s.batch / parts {
                    for group in 0..s.groups {
                        let task = n * s.groups + group;
                        let grad = &grad[task * s.o * positions..][..s.o * positions];
                        let x = &x[task * s.c * s.plane()..][..s.c * s.plane()];
                        let columns = if s.pointwise() {
                            Matrix::of(x, positions)
                        } else {
                            s.unfold(x, &mut patches);
                            Matrix::of(&patches, positions)
                        };
                        let start = part * size + group * s.o * patch;
                        // SAFETY: each part has its own sums; [o, positions] @ [positions, patch] into [o, patch].
                        unsafe {
                            let sum = shared.slice(start..start + s.o * patch);
                            multiply(
                                [s.o, positions, patch],
                                Matrix::of(grad, positions),
                                columns.transposed(),
                                Matrix::of_mut(sum, patch),
                                C::ONE,
                                Some(C::ONE),
                                parts == 1,
                            )
                        };
                    }
                }
            }
        });
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
