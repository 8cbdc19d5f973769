//! `F.pad`.

use smallvec::smallvec;

use crate::autograd;
use crate::dtype::Scalar;
use crate::error::{Error, Result};
use crate::ops::{self, rows};
use crate::shape::show;
use crate::tensor::Tensor;

/// `F.pad(x, pads, mode, value)`: pairs (before, after), beginning with the last dimension. Negative ones crop.
///
/// # Errors
/// PyTorch's errors for counts and sizes that don't fit.
pub fn pad(x: &Tensor, pads: &[i64], mode: &str, value: Scalar) -> Result<Tensor> {
    if !pads.len().is_multiple_of(2) {
        return Err(Error::runtime("Padding length must be divisible by 2"));
    }
    if pads.len() > 2 * x.ndim() {
        return Err(Error::runtime(format!(
            "Padding length should be less than or equal to two times the input dimension but got padding length {} and input of dimension {}",
            pads.len(),
            x.ndim()
        )));
    }
    match mode {
        "constant" => constant(x, pads, value),
        "reflect" | "replicate" | "circular" => border(x, pads, mode),
        other => Err(Error::not_implemented(format!("Unrecognised padding mode {other}"))),
    }
}

fn constant(x: &Tensor, pads: &[i64], value: Scalar) -> Result<Tensor> {
    let value = value.fit(x.dtype())?;
    let n = x.ndim();
    let shape = x.shape();
    let mut sizes: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
    // PyTorch crops first, beginning with the first dimension.
    for (i, pair) in pads.chunks(2).enumerate().rev() {
        let mut left = shape[n - 1 - i] as i128;
        for &by in pair.iter().filter(|&&by| by < 0) {
            left += i128::from(by);
            if left < 0 {
                return Err(Error::runtime("narrow(): length must be non-negative."));
            }
        }
    }
    for (i, pair) in pads.chunks(2).enumerate().rev() {
        let d = n - 1 - i;
        let size = shape[d] as i128 + i128::from(pair[0]) + i128::from(pair[1]);
        // To PyTorch, a size that exceeds 64 bits is negative.
        let Some(size) = i64::try_from(size).ok().filter(|&size| size >= 0) else {
            return Err(Error::runtime(format!(
                "The input size {}, plus negative padding {} and {} resulted in a negative output size, which is invalid. Check dimension {d} of your input.",
                shape[d], pair[0], pair[1]
            )));
        };
        sizes[d] = size;
    }
    let shape = ops::create::sizes(&sizes, x.dtype(), x.device())?;
    let out = Tensor::empty_with(ops::layout::like(&shape, x), x.dtype(), x.device(), false)?;
    ops::create::fill_data(&out, value)?;
    let (mut from, mut to) = (x.layout(), out.layout());
    for (i, pair) in pads.chunks(2).enumerate() {
        let d = n - 1 - i;
        let cut = |v: i64| crate::shape::size(v.min(0).saturating_neg());
        from.advance(d, cut(pair[0])?)?;
        from.shape[d] -= cut(pair[0])? + cut(pair[1])?;
        to.advance(d, crate::shape::size(pair[0].max(0))?)?;
        to.shape[d] = from.shape[d];
    }
    if from.numel() > 0 {
        ops::transfer::copy_data(&out.alias(to), &x.alias(from))?;
    }
    if x.dtype().is_inexact() && autograd::needs_grad([x]) {
        let back: Vec<i64> = pads.iter().map(|p| -p).collect();
        autograd::record(rows::PAD.node, &[Some(x)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(constant(ctx.grad(), &back, Scalar::Int(0))?)])
        })?;
    }
    Ok(out)
}

/// Padding with the input's own values: one selection per dimension.
fn border(x: &Tensor, pads: &[i64], mode: &str) -> Result<Tensor> {
    let planes = pads.len() / 2;
    if planes == 0 || planes > 3 || x.ndim() < planes + 1 || x.ndim() > planes + 2 {
        return Err(Error::not_implemented(format!(
            "Padding size {} is not supported for {}D input tensor.\n\
             Supported combinations for non-constant padding:\n  \
             - 2D or 3D input: padding size = 2 (pads last dimension)\n  \
             - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n  \
             - 4D or 5D input: padding size = 6 (pads last 3 dimensions)",
            pads.len(),
            x.ndim()
        )));
    }
    if x.dtype() == crate::dtype::DType::Bool && mode != "circular" {
        let word = if mode == "reflect" { "reflection" } else { "replication" };
        return Err(ops::dtypes::refused(&format!("{word}_pad{planes}d"), x.dtype(), x.device()));
    }
    let names = match (mode, planes) {
        ("reflect", 1) => rows::nodes::REFLECTION_PAD1D,
        ("reflect", 2) => rows::nodes::REFLECTION_PAD2D,
        ("reflect", _) => rows::nodes::REFLECTION_PAD3D,
        ("replicate", 1) => rows::nodes::REPLICATION_PAD1D,
        ("replicate", 2) => rows::nodes::REPLICATION_PAD2D,
        ("replicate", _) => rows::nodes::REPLICATION_PAD3D,
        _ => "CopySlices",
    };
    let padded: Vec<i128> = x
        .shape()
        .iter()
        .rev()
        .zip(pads.chunks(2))
        .map(|(&n, p)| n as i128 + i128::from(p[0]) + i128::from(p[1]))
        .collect();
    if mode != "circular" && padded.iter().any(|&size| size < 1) {
        return Err(too_small(x, &padded));
    }
    // Circular padding is several copies in PyTorch, the others are one operator.
    let one = mode != "circular";
    let no_grad = one.then(|| autograd::GradMode::set(false));
    let mut steps: Vec<(usize, Tensor)> = Vec::new();
    let mut out = if one { x.detach() } else { x.clone() };
    for (i, pair) in pads.chunks(2).enumerate() {
        let d = x.ndim() - 1 - i;
        let size = x.size(d) as i64;
        let (before, after) = (pair[0], pair[1]);
        if mode == "reflect" && (before >= size || after >= size) {
            return Err(Error::runtime(format!(
                "Argument #{}: Padding size should be less than the corresponding input dimension, but got: padding ({before}, {after}) at dimension {d} of input {}",
                4 + 2 * i,
                show(&x.shape())
            )));
        }
        if mode == "circular" && (before > size || after > size) {
            return Err(Error::runtime("Padding value causes wrapping around more than once."));
        }
        if mode == "circular" && padded[i] < 0 {
            return Err(Error::runtime("Negative padding value is resulting in an empty dimension"));
        }
        // The result's size is checked first, so that it's refused if there is no memory for it.
        let count = ops::create::counted(&[padded[i]], crate::dtype::DType::I64, x.device())?;
        let index = Tensor::empty(&count, crate::dtype::DType::I64, crate::device::Device::CPU)?;
        let (Some(first), Some(end)) = (before.checked_neg(), size.checked_add(after)) else {
            return Err(too_small(x, &padded));
        };
        // Elements that are cropped aren't available for wrapping around.
        let (start, kept) = (first.max(0), size.min(end) - first.max(0));
        let places: Vec<i64> = (first..end)
            .map(|p| match mode {
                "reflect" => {
                    let p = p.abs();
                    if p >= size { 2 * (size - 1) - p } else { p }
                }
                "circular" => start + (p - start).rem_euclid(kept.max(1)),
                _ => p.clamp(0, size - 1),
            })
            .collect();
        let bytes: Vec<u8> = places.iter().flat_map(|p| p.to_le_bytes()).collect();
        let index = ops::create::computed(&index, &bytes, x.device(), "pad_index")?;
        out = ops::index::index_select_named(&out, d as i64, &index, names)?;
        if one {
            steps.push((d, index));
        }
    }
    drop(no_grad);
    if !one {
        return Ok(out);
    }
    // On other devices, PyTorch's result is row-major.
    if x.device().is_cpu() {
        out = ops::layout::placed_like(out, x)?;
    }
    if autograd::needs_grad([x]) {
        let shape = x.shape();
        autograd::record(names, &[Some(x)], &[], &[&out], move |ctx| {
            let mut g = ctx.grad().clone();
            for (d, index) in steps.iter().rev() {
                let mut whole = g.shape();
                whole[*d] = shape[*d];
                let zeros = ops::create::zeros(&whole, g.dtype(), g.device())?;
                g = ops::index::index_add(&zeros, *d as i64, index, &g, 1.0)?;
            }
            Ok(smallvec![Some(g)])
        })?;
    }
    Ok(out)
}

/// The error if nothing is left of `x` when its last dimensions get these sizes (last one first).
fn too_small(x: &Tensor, padded: &[i128]) -> Error {
    let (shape, n) = (x.shape(), padded.len());
    if n == 1 {
        let width = shape[x.ndim() - 1];
        return Error::runtime(format!("input (W: {width}) is too small. Calculated output W: {}", padded[0]));
    }
    let names = &["D", "H", "W"][3 - n..];
    let list = |sizes: Vec<i128>, between: &str| {
        names.iter().zip(sizes).map(|(name, size)| format!("{name}: {size}")).collect::<Vec<_>>().join(between)
    };
    let output = list(padded.iter().rev().copied().collect(), " ");
    let input = list(shape[x.ndim() - n..].iter().map(|&n| n as i128).collect(), ", ");
    Error::runtime(format!("Calculated output {output} must be >= 1 in every dimension (input {input})"))
}
