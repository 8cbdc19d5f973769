//! Pooling over planes.

use std::ops::Range;

use super::dense::{self, Output};
use super::element::{Compute, with_compute, with_float};
use super::real::Real;
use super::simd::{GRAIN, Shared, parallel};
use crate::executor::{Done, Fault, Pool2d, View};

/// The size of a plane of a [.., H, W] shape, and the number of planes.
fn planes(shape: &[usize]) -> (usize, [usize; 2]) {
    let rank = shape.len();
    (shape[..rank - 2].iter().product(), [shape[rank - 2], shape[rank - 1]])
}

/// Runs `f(plane)` for each plane of `size` elements.
fn each(planes: usize, size: usize, f: impl Fn(usize) + Sync) {
    parallel(planes, (GRAIN / 4 / size.max(1)).max(1), |range| range.for_each(&f));
}

pub(super) fn max(x: &View<'_>, p: Pool2d, out: &View<'_>, indices: &View<'_>) -> Done {
    let (count, [h, w]) = planes(&x.shape);
    let (_, [oh, ow]) = planes(&out.shape);
    with_compute!(out.dtype, C => {
        let x = dense::read_view::<C>(x)?;
        let mut out = Output::<C>::new(out)?;
        let mut indices = Output::<i64>::new(indices)?;
        let (to, at) = (Shared::new(&mut out), Shared::new(&mut indices));
        // A window covers no more input elements than the input has.
        each(count, (oh * ow).saturating_mul(p.kernel[0].min(h)).saturating_mul(p.kernel[1].min(w)), |plane| {
            let x = &x[plane * h * w..(plane + 1) * h * w];
            let place = plane * oh * ow..(plane + 1) * oh * ow;
            // SAFETY: each plane belongs to one thread.
            let (out, indices) = unsafe { (to.slice(place.clone()), at.slice(place)) };
            for oy in 0..oh {
                let rows = taps(oy, 0, &p, h);
                for ox in 0..ow {
                    let columns = taps(ox, 1, &p, w);
                    let mut best = rows.clone().next().unwrap_or(0) * w + columns.clone().next().unwrap_or(0);
                    for y in rows.clone() {
                        for x_at in columns.clone() {
                            let i = y.wrapping_mul(w).wrapping_add(x_at);
                            if (x[i] > x[best] || x[i].is_nan()) && !x[best].is_nan() {
                                best = i;
                            }
                        }
                    }
                    out[oy * ow + ox] = x[best];
                    indices[oy * ow + ox] = best as i64;
                }
            }
        });
        out.finish();
        indices.finish();
        Ok(())
    })
}

/// The input rows (or columns) of the window at an output position. A window may be far larger than the input, and the
/// operator has checked that no position overflows.
fn taps(position: usize, axis: usize, p: &Pool2d, size: usize) -> impl Iterator<Item = usize> + Clone {
    let start = position * p.stride[axis];
    let (padding, dilation) = (p.padding[axis], p.dilation[axis]);
    let skipped = padding.saturating_sub(start).div_ceil(dilation);
    let end = (size + padding).saturating_sub(start).div_ceil(dilation).min(p.kernel[axis]);
    let first = (start + skipped * dilation).wrapping_sub(padding);
    (0..end.saturating_sub(skipped)).map(move |tap| first.wrapping_add(tap.wrapping_mul(dilation)))
}

pub(super) fn max_backward(grad: &View<'_>, indices: &View<'_>, out: &View<'_>) -> Done {
    let (count, [h, w]) = planes(&out.shape);
    let (_, [oh, ow]) = planes(&grad.shape);
    with_float!(out.dtype, "max_pool2d_backward", C => {
        let grad = dense::read_view::<C>(grad)?;
        let indices = dense::read_view::<i64>(indices)?;
        if let Some(&index) = indices.iter().find(|&&i| i < 0 || i as usize >= h * w) {
            return Err(Fault::IndexOutOfBounds { index, dim: 2, size: h * w });
        }
        let mut out = Output::<C>::new(out)?;
        let to = Shared::new(&mut out);
        each(count, h * w, |plane| {
            // SAFETY: each plane belongs to one thread.
            let out = unsafe { to.slice(plane * h * w..(plane + 1) * h * w) };
            out.fill(C::default());
            let place = plane * oh * ow..(plane + 1) * oh * ow;
            for (g, i) in grad[place.clone()].iter().zip(&indices[place]) {
                out[*i as usize] += *g;
            }
        });
        out.finish();
        Ok(())
    })
}

/// A window of average pooling: the input rows (or columns) inside, and how many it counts with padding.
fn window(position: usize, axis: usize, p: &Pool2d, size: usize) -> (Range<usize>, usize) {
    let (kernel, padding) = (p.kernel[axis], p.padding[axis]);
    let start = position * p.stride[axis];
    let end = start.saturating_add(kernel).min(size + 2 * padding);
    let inside = start.saturating_sub(padding).min(size)..end.saturating_sub(padding).min(size);
    (inside, end.saturating_sub(start))
}

/// What a window's sum is divided by.
fn divisor(p: &Pool2d, rows: &(Range<usize>, usize), columns: &(Range<usize>, usize)) -> f64 {
    match p.divisor {
        Some(divisor) => divisor as f64,
        None if p.count_include_pad => rows.1 as f64 * columns.1 as f64,
        None => rows.0.len() as f64 * columns.0.len() as f64,
    }
}

/// The windows of one kind of average pooling: from input sizes and output position to a window for each axis and a
/// divisor.
trait Windows: Sync {
    fn at(&self, y: usize, x: usize) -> (Range<usize>, Range<usize>, f64);
}

struct Fixed {
    p: Pool2d,
    input: [usize; 2],
}

impl Windows for Fixed {
    fn at(&self, y: usize, x: usize) -> (Range<usize>, Range<usize>, f64) {
        let rows = window(y, 0, &self.p, self.input[0]);
        let columns = window(x, 1, &self.p, self.input[1]);
        let divisor = divisor(&self.p, &rows, &columns);
        (rows.0, columns.0, divisor)
    }
}

struct Adaptive {
    input: [usize; 2],
    output: [usize; 2],
}

impl Windows for Adaptive {
    fn at(&self, y: usize, x: usize) -> (Range<usize>, Range<usize>, f64) {
        let window = |axis: usize, i: usize| {
            let (size, cells) = (self.input[axis], self.output[axis]);
            i * size / cells..((i + 1) * size).div_ceil(cells)
        };
        let (rows, columns) = (window(0, y), window(1, x));
        let divisor = (rows.len() * columns.len()) as f64;
        (rows, columns, divisor)
    }
}

pub(super) fn average(x: &View<'_>, p: Pool2d, out: &View<'_>) -> Done {
    let (_, input) = planes(&x.shape);
    forward(x, &Fixed { p, input }, out)
}

pub(super) fn average_backward(grad: &View<'_>, p: Pool2d, out: &View<'_>) -> Done {
    let (_, input) = planes(&out.shape);
    backward(grad, &Fixed { p, input }, out)
}

pub(super) fn adaptive(x: &View<'_>, out: &View<'_>) -> Done {
    let ((_, input), (_, output)) = (planes(&x.shape), planes(&out.shape));
    forward(x, &Adaptive { input, output }, out)
}

pub(super) fn adaptive_backward(grad: &View<'_>, out: &View<'_>) -> Done {
    let ((_, input), (_, output)) = (planes(&out.shape), planes(&grad.shape));
    backward(grad, &Adaptive { input, output }, out)
}

fn forward(x: &View<'_>, windows: &impl Windows, out: &View<'_>) -> Done {
    let (count, [h, w]) = planes(&x.shape);
    let (_, [oh, ow]) = planes(&out.shape);
    with_float!(out.dtype, "avg_pool2d", C => {
        let x = dense::read_view::<C>(x)?;
        let mut out = Output::<C>::new(out)?;
        let to = Shared::new(&mut out);
        each(count, h * w + oh * ow, |plane| {
            let x = &x[plane * h * w..(plane + 1) * h * w];
            // SAFETY: each plane belongs to one thread.
            let out = unsafe { to.slice(plane * oh * ow..(plane + 1) * oh * ow) };
            for oy in 0..oh {
                for ox in 0..ow {
                    let (rows, columns, divisor) = windows.at(oy, ox);
                    let mut sum = C::default();
                    for y in rows {
                        for v in &x[y * w..(y + 1) * w][columns.clone()] {
                            sum += *v;
                        }
                    }
                    out[oy * ow + ox] = sum / C::of(divisor);
                }
            }
        });
        out.finish();
        Ok(())
    })
}

fn backward(grad: &View<'_>, windows: &impl Windows, out: &View<'_>) -> Done {
    let (count, [h, w]) = planes(&out.shape);
    let (_, [oh, ow]) = planes(&grad.shape);
    with_float!(out.dtype, "avg_pool2d_backward", C => {
        let grad = dense::read_view::<C>(grad)?;
        let mut out = Output::<C>::new(out)?;
        let to = Shared::new(&mut out);
        each(count, h * w + oh * ow, |plane| {
            // SAFETY: each plane belongs to one thread.
            let out = unsafe { to.slice(plane * h * w..(plane + 1) * h * w) };
            out.fill(C::default());
            for oy in 0..oh {
                for ox in 0..ow {
                    let (rows, columns, divisor) = windows.at(oy, ox);
                    let share = grad[(plane * oh + oy) * ow + ox] / C::of(divisor);
                    for y in rows {
                        for v in &mut out[y * w..(y + 1) * w][columns.clone()] {
                            *v += share;
                        }
                    }
                }
            }
        });
        out.finish();
        Ok(())
    })
}
