//! `F.pad`.

use smallvec::smallvec;

use crate::autograd;
use crate::dtype::Scalar;
use crate::error::{Error, Result};
use crate::ops;
use crate::shape::{Layout, show};
use crate::tensor::Tensor;

/// `F.pad(x, pads, mode, value)`: pairs (before, after) from the last dimension on; negative ones cut.
///
/// # Errors
/// PyTorch's texts for counts and sizes that do not fit.
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
    let n = x.ndim();
    let mut shape = x.shape();
    for (i, pair) in pads.chunks(2).enumerate() {
        let d = n - 1 - i;
        let size = shape[d] as i64 + pair[0] + pair[1];
        if size < 0 {
            return Err(Error::runtime(format!(
                "The input size {}, plus negative padding {} and {} resulted in a negative output size, which is invalid. Check dimension {d} of your input.",
                shape[d], pair[0], pair[1]
            )));
        }
        shape[d] = size as usize;
    }
    let out = Tensor::empty_with(Layout::contiguous(&shape), x.dtype(), x.device(), false)?;
    ops::create::fill_data(&out, value)?;
    let (mut from, mut to) = (x.layout(), out.layout());
    for (i, pair) in pads.chunks(2).enumerate() {
        let d = n - 1 - i;
        let cut = |v: i64| (-v).max(0) as usize;
        let grow = |v: i64| v.max(0) as usize;
        from.offset += cut(pair[0]) * from.strides[d];
        from.shape[d] = from.shape[d].saturating_sub(cut(pair[0]) + cut(pair[1]));
        to.offset += grow(pair[0]) * to.strides[d];
        to.shape[d] = from.shape[d];
    }
    ops::transfer::copy_data(&out.alias(to), &x.alias(from))?;
    if x.dtype().is_inexact() && autograd::needs_grad([x]) {
        let back: Vec<i64> = pads.iter().map(|p| -p).collect();
        autograd::record("ConstantPadNdBackward0", &[Some(x)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(constant(ctx.grad(), &back, Scalar::Int(0))?)])
        })?;
    }
    Ok(out)
}

/// Padding with the input's own values: one selection a dimension.
fn border(x: &Tensor, pads: &[i64], mode: &str) -> Result<Tensor> {
    let planes = pads.len() / 2;
    if planes == 0 || planes > 3 || x.ndim() < planes + 1 || x.ndim() > planes + 2 {
        return Err(Error::not_implemented(
            "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now",
        ));
    }
    if x.dtype() == crate::dtype::DType::Bool && mode != "circular" {
        let word = if mode == "reflect" { "reflection" } else { "replication" };
        return Err(ops::dtypes::refused(&format!("{word}_pad{planes}d"), x.dtype(), x.device()));
    }
    let names = match (mode, planes) {
        ("reflect", 1) => "ReflectionPad1DBackward0",
        ("reflect", 2) => "ReflectionPad2DBackward0",
        ("reflect", _) => "ReflectionPad3DBackward0",
        ("replicate", 1) => "ReplicationPad1DBackward0",
        ("replicate", 2) => "ReplicationPad2DBackward0",
        ("replicate", _) => "ReplicationPad3DBackward0",
        _ => "CopySlices",
    };
    let mut out = x.clone();
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
        if mode == "circular" && before + after + size < 0 {
            return Err(Error::runtime("Negative padding value is resulting in an empty dimension"));
        }
        // What is cut off is not there to wrap around to.
        let (start, kept) = ((-before).max(0), size - (-before).max(0) - (-after).max(0));
        let places: Vec<i64> = (-before..size + after)
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
        let index = Tensor::from_bytes(&bytes, &[places.len()], crate::dtype::DType::I64, x.device())?;
        out = ops::index::index_select_named(&out, d as i64, &index, names)?;
    }
    Ok(out)
}
