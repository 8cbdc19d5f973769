//! Sliding blocks of images as columns, and their sum back.
//!
//! Source of shapes and texts: aten/src/ATen/native/Im2Col.cpp and Col2Im.cpp in PyTorch 2.15.

use smallvec::smallvec;

use crate::autograd::{self, GradMode};
use crate::error::{Error, Result};
use crate::ops::{self, create, view};
use crate::shape::{Layout, show};
use crate::tensor::Tensor;

/// The windows; each pair is (height, width).
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    pub kernel: [usize; 2],
    pub dilation: [usize; 2],
    pub padding: [usize; 2],
    pub stride: [usize; 2],
}

impl Blocks {
    fn check(&self) -> Result<()> {
        let pairs = [("kernel", self.kernel), ("dilation", self.dilation), ("stride", self.stride)];
        for (name, pair) in pairs {
            if pair.contains(&0) {
                return Err(Error::runtime(format!(
                    "{name} should be greater than zero, but got {name}_height: {} {name}_width: {}",
                    pair[0], pair[1]
                )));
            }
        }
        Ok(())
    }

    /// How many windows fit along each dimension of an image.
    fn count(&self, size: [usize; 2]) -> Option<[usize; 2]> {
        let along = |i: usize| {
            let reach = self.dilation[i] * (self.kernel[i] - 1) + 1;
            (size[i] + 2 * self.padding[i]).checked_sub(reach).map(|room| room / self.stride[i] + 1)
        };
        Some([along(0)?, along(1)?])
    }
}

/// `F.unfold`: [n, c, h, w] to [n, c * kh * kw, blocks]; without a batch, [c, h, w] to [c * kh * kw, blocks].
///
/// # Errors
/// Windows larger than the image.
pub fn im2col(x: &Tensor, o: Blocks) -> Result<Tensor> {
    o.check()?;
    let shape = x.shape();
    if shape.len() != 3 && shape.len() != 4 {
        return Err(Error::runtime(format!(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: {}",
            show(&shape)
        )));
    }
    let single = shape.len() == 3;
    if !x.dtype().is_inexact() && x.dtype() != crate::dtype::DType::Bool {
        return Err(ops::dtypes::refused("im2col_out_cpu", x.dtype(), x.device()));
    }
    let lead = if single { 1 } else { shape[0] };
    let (c, size) = (shape[shape.len() - 3], [shape[shape.len() - 2], shape[shape.len() - 1]]);
    let Some(blocks) = o.count(size) else {
        return Err(Error::runtime(format!(
            "Given input with spatial size ({}, {}), kernel_size=({}, {}), dilation=({}, {}), padding=({}, {}), calculated shape of the array of sliding blocks is too small (non-positive)",
            size[0], size[1], o.kernel[0], o.kernel[1], o.dilation[0], o.dilation[1], o.padding[0], o.padding[1]
        )));
    };
    let [kh, kw] = o.kernel;
    let mut out_shape = if single { vec![] } else { vec![lead] };
    out_shape.extend([c * kh * kw, blocks[0] * blocks[1]]);
    let out = {
        let _no_grad = GradMode::set(false);
        let image = view::reshape_to(&x.detach(), &[lead, c, size[0], size[1]])?;
        let [ph, pw] = o.padding.map(|p| p as i64);
        let image = match o.padding {
            [0, 0] => create::contiguous(&image)?,
            _ => ops::nn::pad::pad(&image, &[pw, pw, ph, ph], "constant", 0.0.into())?,
        };
        let st = image.strides();
        let windows = image.alias(Layout {
            shape: smallvec![lead, c, kh, kw, blocks[0], blocks[1]],
            strides: smallvec![
                st[0],
                st[1],
                st[2] * o.dilation[0],
                st[3] * o.dilation[1],
                st[2] * o.stride[0],
                st[3] * o.stride[1],
            ],
            offset: image.offset(),
        });
        let dense = Tensor::empty(&windows.shape(), x.dtype(), x.device())?;
        ops::transfer::copy_data(&dense, &windows)?;
        dense.dense_as(&out_shape)
    };
    if autograd::needs_grad([x]) {
        autograd::record("Im2ColBackward0", &[Some(x)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(col2im(ctx.grad(), size, o)?)])
        })?;
    }
    Ok(out)
}

/// `F.fold`: the adjoint of [`im2col`] for images of `size`; overlapping windows add up.
///
/// # Errors
/// Columns that no image of that size gives.
pub fn col2im(x: &Tensor, size: [usize; 2], o: Blocks) -> Result<Tensor> {
    o.check()?;
    let shape = x.shape();
    let n = shape.len();
    if n != 2 && n != 3 {
        return Err(Error::runtime(format!(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: {}",
            show(&shape)
        )));
    }
    let [kh, kw] = o.kernel;
    if !shape[n - 2].is_multiple_of(kh * kw) {
        return Err(Error::runtime(format!(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)={} and kernel_size=({kh}, {kw}).",
            shape[n - 2]
        )));
    }
    let blocks = o.count(size).unwrap_or([0, 0]);
    if shape[n - 1] != blocks[0] * blocks[1] {
        return Err(Error::runtime(format!(
            "Given output_size=({}, {}), kernel_size=({kh}, {kw}), dilation=({}, {}), padding=({}, {}), stride=({}, {}), expected size of input's dimension 2 to match the calculated number of sliding blocks {} * {} = {}, but got input.size(2)={}.",
            size[0],
            size[1],
            o.dilation[0],
            o.dilation[1],
            o.padding[0],
            o.padding[1],
            o.stride[0],
            o.stride[1],
            blocks[0],
            blocks[1],
            blocks[0] * blocks[1],
            shape[n - 1]
        )));
    }
    let single = n == 2;
    let lead = if single { 1 } else { shape[0] };
    let c = shape[n - 2] / (kh * kw);
    let out = {
        let _no_grad = GradMode::set(false);
        let parts = view::reshape_to(&x.detach(), &[lead, c, kh, kw, blocks[0], blocks[1]])?;
        let padded = [size[0] + 2 * o.padding[0], size[1] + 2 * o.padding[1]];
        let whole = create::zeros(&[lead, c, padded[0], padded[1]], x.dtype(), x.device())?;
        let st = whole.strides();
        for i in 0..kh {
            for j in 0..kw {
                // What every window has at (i, j): no two of these overlap.
                let target = whole.alias(Layout {
                    shape: smallvec![lead, c, blocks[0], blocks[1]],
                    strides: smallvec![st[0], st[1], st[2] * o.stride[0], st[3] * o.stride[1]],
                    offset: whole.offset() + i * o.dilation[0] * st[2] + j * o.dilation[1] * st[3],
                });
                let part = view::select(&view::select(&parts, 3, j as i64)?, 2, i as i64)?;
                ops::elementwise::add_data(&target, &part)?;
            }
        }
        let inner = view::narrow(&whole, 2, o.padding[0] as i64, size[0] as i64)?;
        let inner = view::narrow(&inner, 3, o.padding[1] as i64, size[1] as i64)?;
        let dense = create::contiguous(&inner.detach())?;
        let mut out_shape = if single { vec![] } else { vec![lead] };
        out_shape.extend([c, size[0], size[1]]);
        dense.dense_as(&out_shape)
    };
    if autograd::needs_grad([x]) {
        autograd::record("Col2ImBackward0", &[Some(x)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(im2col(ctx.grad(), o)?)])
        })?;
    }
    Ok(out)
}
