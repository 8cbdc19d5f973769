//! Layer and batch normalization. Statistics are accumulated in f64.

use super::dense::{self, Output, finish_option, scratch};
use super::element::with_float;
use super::real::Real;
use super::simd::{GRAIN, Shared, parallel, vectorize};
use crate::executor::{Done, View};

/// The sum of a function of two slices of one length, in independent lanes.
#[inline(always)]
fn total<C: Real>(a: &[C], b: &[C], f: impl Fn(C, C) -> f64) -> f64 {
    let mut lanes = [0.0; 8];
    let ((left, left_rest), (right, right_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (a, b) in left.iter().zip(right) {
        for i in 0..8 {
            lanes[i] += f(a[i], b[i]);
        }
    }
    let rest = left_rest.iter().zip(right_rest);
    lanes.iter().sum::<f64>() + rest.map(|(a, b)| f(*a, *b)).sum::<f64>()
}

/// Mean and sum of squared differences from it.
#[inline(always)]
fn moments<C: Real>(x: &[C]) -> (f64, f64) {
    let mean = total(
        x,
        x,
        #[inline(always)]
        |x, _| x.as_f64(),
    ) / x.len() as f64;
    let squares = total(
        x,
        x,
        #[inline(always)]
        |x, _| {
            let d = x.as_f64() - mean;
            d * d
        },
    );
    (mean, squares)
}

type Wanted<'a, 'b> = &'a Option<View<'b>>;

#[allow(clippy::too_many_arguments)]
pub(super) fn layer_norm(
    x: &View<'_>,
    weight: Wanted<'_, '_>,
    bias: Wanted<'_, '_>,
    eps: f64,
    out: &View<'_>,
    mean: &View<'_>,
    rstd: &View<'_>,
) -> Done {
    let (rows, cols) = (x.shape[0], x.shape[1]);
    with_float!(out.dtype, "layer_norm", C => {
        let x = dense::read_view::<C>(x)?;
        let (weight, bias) = (dense::read_option::<C>(weight)?, dense::read_option::<C>(bias)?);
        let mut out = Output::<C>::new(out)?;
        let mut mean = Output::<C>::new(mean)?;
        let mut rstd = Output::<C>::new(rstd)?;
        let (to, means, rstds) = (Shared::new(&mut out), Shared::new(&mut mean), Shared::new(&mut rstd));
        let (weight, bias) = (weight.as_deref(), bias.as_deref());
        parallel(rows, (GRAIN / 2 / cols.max(1)).max(1), |range| {
            for row in range {
                let place = row * cols..(row + 1) * cols;
                let x = &x[place.clone()];
                // SAFETY: each row belongs to one thread.
                let out = unsafe { to.slice(place) };
                let (mean, rstd) = vectorize(#[inline(always)] || normalize(x, weight, bias, eps, out));
                unsafe {
                    *means.get().add(row) = mean;
                    *rstds.get().add(row) = rstd;
                }
            }
        });
        out.finish();
        mean.finish();
        rstd.finish();
        Ok(())
    })
}

#[inline(always)]
fn normalize<C: Real>(x: &[C], weight: Option<&[C]>, bias: Option<&[C]>, eps: f64, out: &mut [C]) -> (C, C) {
    let (mean, squares) = moments(x);
    let rstd = C::of(1.0 / (squares / x.len() as f64 + eps).sqrt());
    let mean = C::of(mean);
    for (out, x) in out.iter_mut().zip(x) {
        *out = (*x - mean) * rstd;
    }
    if let Some(weight) = weight {
        for (out, w) in out.iter_mut().zip(weight) {
            *out = *out * *w;
        }
    }
    if let Some(bias) = bias {
        for (out, b) in out.iter_mut().zip(bias) {
            *out = *out + *b;
        }
    }
    (mean, rstd)
}

/// With `h = (x - mean) * rstd` and `g = grad * weight`, along each row
/// `dx = rstd * (g - mean(g) - h * mean(g * h))`; over the rows `dweight = sum(grad * h)` and `dbias = sum(grad)`.
pub(super) fn layer_norm_backward(
    grad: &View<'_>,
    x: &View<'_>,
    mean: &View<'_>,
    rstd: &View<'_>,
    weight: Wanted<'_, '_>,
    [dx, dweight, dbias]: [Wanted<'_, '_>; 3],
) -> Done {
    let (rows, cols) = (x.shape[0], x.shape[1]);
    with_float!(x.dtype, "layer_norm_backward", C => {
        let (grad, x) = (dense::read_view::<C>(grad)?, dense::read_view::<C>(x)?);
        let (mean, rstd) = (dense::read_view::<C>(mean)?, dense::read_view::<C>(rstd)?);
        let weight = dense::read_option::<C>(weight)?;
        let ones;
        let weight: &[C] = match &weight {
            Some(weight) => weight,
            None => {
                ones = dense::filled(C::of(1.0), cols)?;
                &ones
            }
        };
        let mut dx = Output::<C>::option(dx)?;
        if let Some(dx) = &mut dx {
            let to = Shared::new(dx);
            parallel(rows, (GRAIN / 4 / cols.max(1)).max(1), |range| {
                for row in range {
                    let place = row * cols..(row + 1) * cols;
                    // SAFETY: each row belongs to one thread.
                    let dx = unsafe { to.slice(place.clone()) };
                    let (grad, x) = (&grad[place.clone()], &x[place]);
                    vectorize(#[inline(always)] || row_gradient(grad, x, weight, mean[row], rstd[row], dx));
                }
            });
        }
        let mut sums = scratch::<f64>(2 * cols)?;
        let (by_weight, by_bias) = sums.split_at_mut(cols);
        for row in 0..rows {
            let place = row * cols..(row + 1) * cols;
            let (mean, rstd) = (mean[row], rstd[row]);
            let (grad, x) = (&grad[place.clone()], &x[place]);
            vectorize(#[inline(always)] || {
                for (((w, b), g), x) in by_weight.iter_mut().zip(by_bias.iter_mut()).zip(grad).zip(x) {
                    *w += (*g * ((*x - mean) * rstd)).as_f64();
                    *b += g.as_f64();
                }
            });
        }
        let mut dweight = Output::<C>::option(dweight)?;
        let mut dbias = Output::<C>::option(dbias)?;
        for (output, sums) in [(&mut dweight, &by_weight), (&mut dbias, &by_bias)] {
            if let Some(output) = output {
                output.iter_mut().zip(sums.iter()).for_each(|(o, sum)| *o = C::of(*sum));
            }
        }
        finish_option(dx);
        finish_option(dweight);
        finish_option(dbias);
        Ok(())
    })
}

#[inline(always)]
fn row_gradient<C: Real>(grad: &[C], x: &[C], weight: &[C], mean: C, rstd: C, dx: &mut [C]) {
    for ((dx, g), w) in dx.iter_mut().zip(grad).zip(weight) {
        *dx = *g * *w;
    }
    let n = dx.len() as f64;
    let first = C::of(
        total(
            dx,
            x,
            #[inline(always)]
            |g, _| g.as_f64(),
        ) / n,
    );
    let second = C::of(
        total(
            dx,
            x,
            #[inline(always)]
            |g, x| (g * ((x - mean) * rstd)).as_f64(),
        ) / n,
    );
    for (dx, x) in dx.iter_mut().zip(x) {
        *dx = rstd * (*dx - first - (*x - mean) * rstd * second);
    }
}

/// [N, C, L] of a view of that shape.
fn channels(shape: &[usize]) -> [usize; 3] {
    [shape[0], shape[1], shape[2]]
}

pub(super) fn batch_stats(x: &View<'_>, mean: &View<'_>, var: &View<'_>) -> Done {
    let [n, c, l] = channels(&x.shape);
    with_float!(x.dtype, "batch_norm_stats", C => {
        let x = dense::read_view::<C>(x)?;
        let mut mean = Output::<C>::new(mean)?;
        let mut var = Output::<C>::new(var)?;
        let (means, vars) = (Shared::new(&mut mean), Shared::new(&mut var));
        let count = (n * l) as f64;
        per_channel(n, c, l, |channel| {
            let planes = || (0..n).map(|i| &x[(i * c + channel) * l..(i * c + channel + 1) * l]);
            let sum: f64 = planes().map(|p| vectorize(#[inline(always)] || total(p, p, #[inline(always)] |x, _| x.as_f64()))).sum();
            let mean = sum / count;
            let squares: f64 = planes()
                .map(|p| vectorize(#[inline(always)] || total(p, p, #[inline(always)] |x, _| {
                    let d = x.as_f64() - mean;
                    d * d
                })))
                .sum();
            // SAFETY: each channel belongs to one thread.
            unsafe {
                *means.get().add(channel) = C::of(mean);
                *vars.get().add(channel) = C::of(squares / count);
            }
        });
        mean.finish();
        var.finish();
        Ok(())
    })
}

/// Runs `f` for every channel.
fn per_channel(n: usize, c: usize, l: usize, f: impl Fn(usize) + Sync) {
    parallel(c, (GRAIN / 2 / (n * l).max(1)).max(1), |range| range.for_each(&f));
}

#[allow(clippy::too_many_arguments)]
pub(super) fn batch_norm(
    x: &View<'_>,
    mean: &View<'_>,
    var: &View<'_>,
    weight: Wanted<'_, '_>,
    bias: Wanted<'_, '_>,
    eps: f64,
    out: &View<'_>,
) -> Done {
    let [n, c, l] = channels(&x.shape);
    with_float!(out.dtype, "batch_norm", C => {
        let x = dense::read_view::<C>(x)?;
        let (mean, var) = (dense::read_view::<C>(mean)?, dense::read_view::<C>(var)?);
        let (weight, bias) = (dense::read_option::<C>(weight)?, dense::read_option::<C>(bias)?);
        // One multiplication and one addition for each element: ATen folds the four numbers of a channel in the same
        // way.
        let scale: Vec<C> = (0..c)
            .map(|i| {
                let rstd = 1.0 / (var[i].as_f64() + eps).sqrt();
                C::of(rstd * weight.as_ref().map_or(1.0, |w| w[i].as_f64()))
            })
            .collect();
        let shift: Vec<C> = (0..c)
            .map(|i| C::of(bias.as_ref().map_or(0.0, |b| b[i].as_f64()) - mean[i].as_f64() * scale[i].as_f64()))
            .collect();
        let mut out = Output::<C>::new(out)?;
        if l == 1 {
            let to = Shared::new(&mut out);
            parallel(n, (GRAIN / c.max(1)).max(1), |range| {
                for row in range {
                    let place = row * c..(row + 1) * c;
                    // SAFETY: each row belongs to one thread.
                    let out = unsafe { to.slice(place.clone()) };
                    let x = &x[place];
                    vectorize(#[inline(always)] || {
                        for (((out, x), scale), shift) in out.iter_mut().zip(x).zip(&scale).zip(&shift) {
                            *out = x.fma(*scale, *shift);
                        }
                    });
                }
            });
        } else {
            let to = Shared::new(&mut out);
            parallel(n * c, (GRAIN / l.max(1)).max(1), |range| {
                for plane in range {
                    let place = plane * l..(plane + 1) * l;
                    // SAFETY: each plane belongs to one thread.
                    let out = unsafe { to.slice(place.clone()) };
                    let (x, scale, shift) = (&x[place], scale[plane % c], shift[plane % c]);
                    vectorize(#[inline(always)] || {
                        for (out, x) in out.iter_mut().zip(x) {
                            *out = x.fma(scale, shift);
                        }
                    });
                }
            });
        }
        out.finish();
        Ok(())
    })
}

/// With `h = (x - mean) * rstd` and sums over a channel: `dbias = sum(grad)`, `dweight = sum(grad * h)`, and
/// `dx = weight * rstd * (grad - dbias / m - h * dweight / m)`; without `training` the statistics are constants and
/// `dx = weight * rstd * grad`.
#[allow(clippy::too_many_arguments)]
pub(super) fn batch_norm_backward(
    grad: &View<'_>,
    x: &View<'_>,
    mean: &View<'_>,
    var: &View<'_>,
    weight: Wanted<'_, '_>,
    eps: f64,
    training: bool,
    [dx, dweight, dbias]: [Wanted<'_, '_>; 3],
) -> Done {
    let [n, c, l] = channels(&x.shape);
    with_float!(x.dtype, "batch_norm_backward", C => {
        let (grad, x) = (dense::read_view::<C>(grad)?, dense::read_view::<C>(x)?);
        let (mean, var) = (dense::read_view::<C>(mean)?, dense::read_view::<C>(var)?);
        let weight = dense::read_option::<C>(weight)?;
        let mut dx = Output::<C>::option(dx)?;
        let mut dweight = Output::<C>::option(dweight)?;
        let mut dbias = Output::<C>::option(dbias)?;
        let to = dx.as_mut().map(|v| Shared::new(v));
        let to_weight = dweight.as_mut().map(|v| Shared::new(v));
        let to_bias = dbias.as_mut().map(|v| Shared::new(v));
        let count = (n * l) as f64;
        per_channel(n, c, l, |channel| {
            let place = |i: usize| (i * c + channel) * l..(i * c + channel + 1) * l;
            let mu = mean[channel];
            let rstd = C::of(1.0 / (var[channel].as_f64() + eps).sqrt());
            let (mut by_bias, mut by_weight) = (0.0, 0.0);
            for i in 0..n {
                let (g, x) = (&grad[place(i)], &x[place(i)]);
                vectorize(#[inline(always)] || {
                    by_bias += total(g, x, #[inline(always)] |g, _| g.as_f64());
                    by_weight += total(g, x, #[inline(always)] |g, x| (g * ((x - mu) * rstd)).as_f64());
                });
            }
            // SAFETY (all): each channel belongs to one thread.
            if let Some(to) = to_weight {
                unsafe { *to.get().add(channel) = C::of(by_weight) };
            }
            if let Some(to) = to_bias {
                unsafe { *to.get().add(channel) = C::of(by_bias) };
            }
            let Some(to) = to else { return };
            let factor = weight.as_ref().map_or(rstd, |w| w[channel] * rstd);
            let share = |sum: f64| if training { C::of(sum / count) } else { C::default() };
            let (first, second) = (share(by_bias), share(by_weight) * rstd);
            for i in 0..n {
                let dx = unsafe { to.slice(place(i)) };
                let (g, x) = (&grad[place(i)], &x[place(i)]);
                vectorize(#[inline(always)] || {
                    for ((dx, g), x) in dx.iter_mut().zip(g).zip(x) {
                        *dx = factor * (*g - first - (*x - mu) * second);
                    }
                });
            }
        });
        finish_option(dx);
        finish_option(dweight);
        finish_option(dbias);
        Ok(())
    })
}
