//! Resampling of spatial dimensions, one after the other; and pixel shuffling.
//!
//! Source of positions and weights: aten/src/ATen/native/UpSample.h in PyTorch 2.15. Positions are computed on the tensor's
//! own device, so that nothing is copied between devices.

use smallvec::smallvec;

use crate::autograd::{self, GradMode};
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, UnaryOp};
use crate::ops::{self, create, index, rows, view};
use crate::tensor::Tensor;

/// How values between samples are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    Nearest,
    /// Rounds positions as image libraries do.
    NearestExact,
    /// Linear along each dimension. With `align_corners`, the outermost samples of input and output coincide.
    Linear {
        align_corners: bool,
    },
}

impl Interpolation {
    /// By the name and option of `F.interpolate`.
    pub fn parse(mode: &str, align_corners: bool) -> Option<Interpolation> {
        match mode {
            "nearest" => Some(Interpolation::Nearest),
            "nearest-exact" => Some(Interpolation::NearestExact),
            "linear" | "bilinear" => Some(Interpolation::Linear { align_corners }),
            _ => None,
        }
    }

    fn node(self, dims: usize) -> &'static str {
        match (self, dims) {
            (Interpolation::Nearest, 1) => rows::nodes::UPSAMPLE_NEAREST1D,
            (Interpolation::Nearest, _) => rows::nodes::UPSAMPLE_NEAREST2D,
            (Interpolation::NearestExact, 1) => rows::nodes::UPSAMPLE_NEAREST_EXACT1D,
            (Interpolation::NearestExact, _) => rows::nodes::UPSAMPLE_NEAREST_EXACT2D,
            (Interpolation::Linear { .. }, 1) => rows::nodes::UPSAMPLE_LINEAR1D,
            (Interpolation::Linear { .. }, _) => rows::nodes::UPSAMPLE_BILINEAR2D,
        }
    }
}

impl Interpolation {
    /// The name of the kernel in PyTorch's errors: small images have a kernel of their own.
    fn kernel(self, size: &[i64]) -> &'static str {
        let small = size.len() == 2 && size.iter().map(|&n| i128::from(n)).sum::<i128>() <= 128;
        match self {
            Interpolation::Linear { .. } if small => "upsample_bilinear2d_channels_last",
            Interpolation::Linear { .. } => "compute_indices_weights_linear",
            _ if small => "upsample_nearest2d_channels_last",
            _ => "compute_indices_weights_nearest",
        }
    }
}

/// The inputs of one output position: one sample, or two and the weight of the second.
struct Taps {
    first: Tensor,
    second: Option<(Tensor, Tensor)>,
}

fn num(op: BinaryOp, a: &Tensor, b: f64) -> Result<Tensor> {
    ops::binary(op, &a.into(), &b.into())
}

fn clamp(t: &Tensor, low: f64, high: f64) -> Result<Tensor> {
    ops::unary(UnaryOp::Clamp { min: Some(low.into()), max: Some(high.into()) }, t)
}

/// The taps of a dimension. `scale` is the factor that the caller gave, if any.
#[expect(clippy::cast_possible_truncation, reason = "positions are computed in single precision")]
fn taps(kind: Interpolation, from: usize, to: usize, scale: Option<f64>, dtype: DType, at: Device) -> Result<Taps> {
    let compute =
        if dtype == DType::F64 && matches!(kind, Interpolation::Linear { .. }) { DType::F64 } else { DType::F32 };
    let place = create::arange_count(Scalar::Int(0), Scalar::Int(1), to, compute, at)?;
    let ratio = match scale {
        Some(s) if s > 0.0 => 1.0 / s,
        _ => from as f64 / to as f64,
    };
    // Everything is in single precision, as in PyTorch: different rounding would select other samples.
    let ratio = if compute == DType::F32 { f64::from(ratio as f32) } else { ratio };
    let last = from as f64 - 1.0;
    let integer = |t: &Tensor| ops::transfer::cast(&ops::unary(UnaryOp::Floor, t)?, DType::I64);
    let source = match kind {
        Interpolation::Nearest => num(BinaryOp::Mul, &place, ratio)?,
        Interpolation::NearestExact => num(BinaryOp::Mul, &num(BinaryOp::Add, &place, 0.5)?, ratio)?,
        Interpolation::Linear { align_corners: true } => {
            let step = if to > 1 { last / (to as f64 - 1.0) } else { 0.0 };
            num(BinaryOp::Mul, &place, step)?
        }
        Interpolation::Linear { align_corners: false } => {
            let center = num(BinaryOp::Mul, &num(BinaryOp::Add, &place, 0.5)?, ratio)?;
            num(BinaryOp::Sub, &center, 0.5)?
        }
    };
    let source = clamp(&source, 0.0, last)?;
    let first = integer(&source)?;
    if !matches!(kind, Interpolation::Linear { .. }) {
        return Ok(Taps { first, second: None });
    }
    let floor = ops::unary(UnaryOp::Floor, &source)?;
    let weight = ops::transfer::cast(&ops::sub(&source, &floor)?, dtype)?;
    let next = clamp(&num(BinaryOp::Add, &floor, 1.0)?, 0.0, last)?;
    Ok(Taps { first, second: Some((ops::transfer::cast(&next, DType::I64)?, weight)) })
}

/// `weight`, which has n elements, in a shape that multiplies dimension `d` of a tensor with `ndim` dimensions.
fn along(weight: &Tensor, d: usize, ndim: usize) -> Result<Tensor> {
    let mut shape = vec![1i64; ndim];
    shape[d] = weight.numel() as i64;
    view::reshape(weight, &shape)
}

fn rest(weight: &Tensor) -> Result<Tensor> {
    ops::binary(BinaryOp::Sub, &1.0.into(), &weight.into())
}

fn resample(x: &Tensor, d: usize, t: &Taps) -> Result<Tensor> {
    let a = index::index_select(x, d as i64, &t.first)?;
    let Some((second, weight)) = &t.second else { return Ok(a) };
    let b = index::index_select(x, d as i64, second)?;
    let w = along(weight, d, x.ndim())?;
    ops::add(&ops::mul(&a, &rest(&w)?)?, &ops::mul(&b, &w)?)
}

/// The adjoint of [`resample`]: from the output's size back to `size`.
fn spread(g: &Tensor, d: usize, size: usize, t: &Taps) -> Result<Tensor> {
    let mut shape = g.shape();
    shape[d] = size;
    let out = create::zeros(&shape, g.dtype(), g.device())?;
    let Some((second, weight)) = &t.second else { return index::index_add(&out, d as i64, &t.first, g, 1.0) };
    let w = along(weight, d, g.ndim())?;
    let out = index::index_add(&out, d as i64, &t.first, &ops::mul(g, &rest(&w)?)?, 1.0)?;
    index::index_add(&out, d as i64, second, &ops::mul(g, &w)?, 1.0)
}

/// `F.interpolate` of [n, c, spatial..] to `size`, with one entry per spatial dimension. `scales` are the factors, if the
/// caller gave factors instead of sizes.
///
/// # Errors
/// Integer dtypes, empty dimensions, output sizes of 0.
pub fn upsample(x: &Tensor, size: &[i64], kind: Interpolation, scales: Option<&[f64]>) -> Result<Tensor> {
    let shape = x.shape();
    let n = size.len();
    if shape.len() != n + 2 || shape[1..].contains(&0) || size.iter().any(|&s| s <= 0) {
        let axes = &["H", "W"][2 - n.clamp(1, 2)..];
        let list = |of: Vec<i64>| {
            let named = axes.iter().zip(of).map(|(axis, size)| format!("{axis}: {size}"));
            named.collect::<Vec<_>>().join(", ")
        };
        let given = shape[shape.len().saturating_sub(n)..].iter().map(|&s| s as i64).collect();
        return Err(Error::runtime(format!(
            "Input and output sizes should be greater than 0, but got input ({}){} output ({})",
            list(given),
            if n == 1 { " and" } else { "" },
            list(size.to_vec())
        )));
    }
    if !x.dtype().is_float() {
        // PyTorch has kernels for bytes, because images have them.
        return Err(match x.dtype() {
            DType::U8 if !(n == 1 && matches!(kind, Interpolation::Linear { .. })) => {
                Error::not_implemented(format!("{} of {}", kind.node(n).trim_end_matches("Backward0"), x.dtype()))
            }
            _ => ops::dtypes::refused(kind.kernel(size), x.dtype(), x.device()),
        });
    }
    let (dtype, at) = (x.dtype(), x.device());
    let scales: Vec<Option<f64>> = (0..n).map(|i| scales.map(|s| s[i])).collect();
    let whole: Vec<i64> = shape[..2].iter().map(|&s| s as i64).chain(size.iter().copied()).collect();
    // The dimensions are resampled one after the other, so a result that is too large is refused before the first.
    crate::shape::contiguous_bytes(&whole, dtype.size())?;
    let whole = create::sizes(&whole, dtype, at)?;
    let (from, to) = (shape[2..].to_vec(), whole[2..].to_vec());
    let plan = move |i: usize| taps(kind, from[i], to[i], scales[i], dtype, at);
    let out = {
        let _no_grad = GradMode::set(false);
        let mut out = x.detach();
        for i in (0..n).rev() {
            out = resample(&out, i + 2, &plan(i)?)?;
        }
        ops::layout::placed_like(out, x)?
    };
    if autograd::needs_grad([x]) {
        autograd::record(kind.node(n), &[Some(x)], &[], &[&out], move |ctx| {
            let mut g = ctx.grad().clone();
            for i in 0..n {
                g = spread(&g, i + 2, shape[i + 2], &plan(i)?)?;
            }
            Ok(smallvec![Some(g)])
        })?;
    }
    Ok(out)
}

/// `F.pixel_shuffle`: [.., c * r * r, h, w] to [.., c, h * r, w * r].
///
/// # Errors
/// The number of channels isn't a multiple of r * r.
pub fn pixel_shuffle(x: &Tensor, factor: i64) -> Result<Tensor> {
    let shape = x.shape();
    let n = shape.len();
    if n < 3 {
        return Err(Error::runtime(format!(
            "pixel_shuffle expects input to have at least 3 dimensions, but got input with {n} dimension(s)"
        )));
    }
    if factor <= 0 {
        return Err(Error::runtime(format!("pixel_shuffle expects a positive upscale_factor, but got {factor}")));
    }
    let Some(square) = factor.checked_mul(factor) else {
        return Err(Error::value(format!(
            "upscale factor is too large, (upscale_factor)^2 overflowed: upscale_factor={factor}"
        )));
    };
    if shape[n - 3] as i64 % square != 0 {
        return Err(Error::runtime(format!(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)={} is not divisible by {square}",
            shape[n - 3]
        )));
    }
    let r = crate::shape::size(factor)?;
    let (c, h, w) = (shape[n - 3] / (r * r), shape[n - 2], shape[n - 1]);
    let out = {
        let _no_grad = GradMode::set(false);
        let mut apart: Vec<usize> = shape[..n - 3].to_vec();
        apart.extend([c, r, r, h, w]);
        let mut order: Vec<i64> = (0..n as i64 - 3).collect();
        order.extend([0, 3, 1, 4, 2].map(|k| n as i64 - 3 + k));
        let mut joined: Vec<usize> = shape[..n - 3].to_vec();
        joined.extend([c, h * r, w * r]);
        laid_out_as_pytorch(rearranged(&x.detach(), &apart, &order, &joined)?, x)?
    };
    if autograd::needs_grad([x]) {
        autograd::record(rows::PIXEL_SHUFFLE.node, &[Some(x)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(pixel_unshuffle(ctx.grad(), factor)?)])
        })?;
    }
    Ok(out)
}

/// `F.pixel_unshuffle`: the inverse of [`pixel_shuffle`].
///
/// # Errors
/// The height or width isn't a multiple of r.
pub fn pixel_unshuffle(x: &Tensor, factor: i64) -> Result<Tensor> {
    let shape = x.shape();
    let n = shape.len();
    if n < 3 {
        return Err(Error::runtime(format!(
            "pixel_unshuffle expects input to have at least 3 dimensions, but got input with {n} dimension(s)"
        )));
    }
    if factor <= 0 {
        return Err(Error::runtime(format!("pixel_unshuffle expects a positive downscale_factor, but got {factor}")));
    }
    for (name, back) in [("height", 2), ("width", 1)] {
        if shape[n - back] as i64 % factor != 0 {
            return Err(Error::runtime(format!(
                "pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size(-{back})={} is not divisible by {factor}",
                shape[n - back]
            )));
        }
    }
    // A factor that this machine can't count divides only a size of 0.
    let r = crate::shape::size(factor)?;
    let (c, h, w) = (shape[n - 3], shape[n - 2] / r, shape[n - 1] / r);
    let out = {
        let _no_grad = GradMode::set(false);
        let mut apart: Vec<usize> = shape[..n - 3].to_vec();
        apart.extend([c, h, r, w, r]);
        let mut order: Vec<i64> = (0..n as i64 - 3).collect();
        order.extend([0, 2, 4, 1, 3].map(|k| n as i64 - 3 + k));
        let mut joined: Vec<usize> = shape[..n - 3].to_vec();
        joined.extend([c * r * r, h, w]);
        laid_out_as_pytorch(rearranged(&x.detach(), &apart, &order, &joined)?, x)?
    };
    if autograd::needs_grad([x]) {
        autograd::record(rows::PIXEL_UNSHUFFLE.node, &[Some(x)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(pixel_shuffle(ctx.grad(), factor)?)])
        })?;
    }
    Ok(out)
}

/// On the CPU, PyTorch has a kernel of its own, which keeps channels last; elsewhere the result is a copy of a permutation.
fn laid_out_as_pytorch(out: Tensor, x: &Tensor) -> Result<Tensor> {
    if x.device().is_cpu() { ops::layout::placed_like(out, x) } else { Ok(out) }
}

/// A new tensor: the elements of `x` are viewed as `apart`, permuted, and viewed as `joined`.
fn rearranged(x: &Tensor, apart: &[usize], order: &[i64], joined: &[usize]) -> Result<Tensor> {
    let dense = create::copy_of(&view::permute(&view::reshape_to(x, apart)?, order)?)?;
    let dense = create::contiguous(&dense)?;
    Ok(dense.dense_as(joined))
}
