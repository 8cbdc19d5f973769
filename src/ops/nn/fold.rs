//! Sliding blocks of images as columns, and their sum back.
//!
//! Source of shapes and texts: aten/src/ATen/native/Im2Col.cpp and Col2Im.cpp in PyTorch 2.15.

use smallvec::smallvec;

use crate::autograd::{self, GradMode};
use crate::error::{Error, Result};
use crate::ops::{self, create, rows, view};
use crate::shape::{self, Layout, show};
use crate::tensor::Tensor;

/// The windows; each pair is (height, width).
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    pub kernel: [i64; 2],
    pub dilation: [i64; 2],
    pub padding: [i64; 2],
    pub stride: [i64; 2],
}

impl Blocks {
    fn check(&self) -> Result<()> {
        let list = |short: &str, pair: [i64; 2]| format!("{short}_height: {} {short}_width: {}", pair[0], pair[1]);
        let positive = [("kernel size", "kernel", self.kernel), ("dilation", "dilation", self.dilation)];
        for (name, short, pair) in positive {
            if pair.iter().any(|&n| n <= 0) {
                return Err(Error::runtime(format!(
                    "{name} should be greater than zero, but got {}",
                    list(short, pair)
                )));
            }
        }
        if self.padding.iter().any(|&n| n < 0) {
            let text = format!("padding should be non-negative, but got {}", list("pad", self.padding));
            return Err(Error::runtime(text));
        }
        if self.stride.iter().any(|&n| n <= 0) {
            return Err(Error::runtime(format!(
                "stride should be greater than zero, but got {}",
                list("stride", self.stride)
            )));
        }
        Ok(())
    }

    /// How many windows fit along each dimension of an image; less than one if none does.
    fn count(&self, size: [i64; 2]) -> [i128; 2] {
        std::array::from_fn(|i| {
            let reach = i128::from(self.dilation[i]) * (i128::from(self.kernel[i]) - 1) + 1;
            let room = i128::from(size[i]) + 2 * i128::from(self.padding[i]) - reach;
            room.div_euclid(i128::from(self.stride[i])) + 1
        })
    }
}

/// A number of windows or taps that is known to fit into 64 bits.
fn count(n: i128) -> Result<usize> {
    shape::size(i64::try_from(n).unwrap_or(i64::MAX))
}

/// `F.unfold`: [n, c, h, w] to [n, c * kh * kw, blocks]; without a batch, [c, h, w] to [c * kh * kw, blocks].
///
/// # Errors
/// Windows larger than the image.
pub fn im2col(x: &Tensor, o: Blocks) -> Result<Tensor> {
    o.check()?;
    let shape = x.shape();
    for dim in [1, 2] {
        crate::shape::wrap_own_dim(dim, shape.len())?;
    }
    if shape.len() != 3 && shape.len() != 4 {
        return Err(Error::runtime(format!(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: {}",
            show(&shape)
        )));
    }
    let single = shape.len() == 3;
    ops::dtypes::takes(&rows::IM2COL, x)?;
    let lead = if single { 1 } else { shape[0] };
    let (c, size) = (shape[shape.len() - 3], [shape[shape.len() - 2], shape[shape.len() - 1]]);
    let blocks = o.count(size.map(|n| n as i64));
    if blocks.iter().any(|&n| n < 1) {
        return Err(Error::runtime(format!(
            "Given input with spatial size ({}, {}), kernel_size=({}, {}), dilation=({}, {}), padding=({}, {}), calculated shape of the array of sliding blocks as ({}, {}), but its components must be at least one.",
            size[0],
            size[1],
            o.kernel[0],
            o.kernel[1],
            o.dilation[0],
            o.dilation[1],
            o.padding[0],
            o.padding[1],
            blocks[0],
            blocks[1]
        )));
    }
    let mut out_sizes = if single { vec![] } else { vec![lead as i128] };
    let [kh, kw] = o.kernel.map(i128::from);
    let both = |a: i128, b: i128| {
        let product = a.checked_mul(b).filter(|&n| i64::try_from(n).is_ok());
        product.ok_or_else(|| Error::runtime("numel: integer multiplication overflow"))
    };
    out_sizes.extend([both(c as i128, both(kh, kw)?)?, both(blocks[0], blocks[1])?]);
    let out_shape = create::counted(&out_sizes, x.dtype(), x.device())?;
    let blocks = [count(blocks[0])?, count(blocks[1])?];
    let [kh, kw] = [count(kh)?, count(kw)?];
    let out = {
        let _no_grad = GradMode::set(false);
        let image = view::reshape_to(&x.detach(), &[lead, c, size[0], size[1]])?;
        let [ph, pw] = o.padding;
        let image = match o.padding {
            [0, 0] => create::contiguous(&image)?,
            _ => ops::nn::pad::pad(&image, &[pw, pw, ph, ph], "constant", 0.0.into())?,
        };
        let st = image.strides();
        let mut layout = Layout {
            shape: smallvec![lead, c, kh, kw, blocks[0], blocks[1]],
            strides: smallvec![st[0], st[1], st[2], st[3], st[2], st[3]],
            offset: image.offset(),
        };
        for (d, step) in [(2, o.dilation[0]), (3, o.dilation[1]), (4, o.stride[0]), (5, o.stride[1])] {
            // With a single window, there's no step.
            layout.stretch(d, if layout.shape[d] == 1 { 1 } else { shape::size(step)? })?;
        }
        let windows = image.alias(layout);
        let dense = Tensor::empty(&windows.shape(), x.dtype(), x.device())?;
        ops::transfer::copy_data(&dense, &windows)?;
        dense.dense_as(&out_shape)
    };
    if autograd::needs_grad([x]) {
        autograd::record(rows::IM2COL.node, &[Some(x)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(col2im(ctx.grad(), size.map(|n| n as i64), o)?)])
        })?;
    }
    Ok(out)
}

/// `F.fold`: the adjoint of [`im2col`] for images of `size`; overlapping windows add up.
///
/// # Errors
/// Columns that no image of that size gives.
pub fn col2im(x: &Tensor, size: [i64; 2], o: Blocks) -> Result<Tensor> {
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
    let Some(taps) = kh.checked_mul(kw) else {
        return Err(Error::runtime(format!(
            "Given kernel_width = {kw} and kernel_height = {kh} the product of kernel_width and kernel_height overflowed."
        )));
    };
    if shape[n - 2] as i64 % taps != 0 {
        return Err(Error::runtime(format!(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)={} and kernel_size=({kh}, {kw}).",
            shape[n - 2]
        )));
    }
    let blocks = o.count(size);
    if blocks[0].checked_mul(blocks[1]) != Some(shape[n - 1] as i128) {
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
            blocks[0].saturating_mul(blocks[1]),
            shape[n - 1]
        )));
    }
    if blocks.iter().any(|&n| n < 1) {
        return Err(Error::runtime(format!(
            "Given output_size=({}, {}), kernel_size=({kh}, {kw}), dilation=({}, {}), padding=({}, {}), stride=({}, {}), calculated shape of the array of sliding blocks as ({}, {}), which is too small (non-positive)",
            size[0],
            size[1],
            o.dilation[0],
            o.dilation[1],
            o.padding[0],
            o.padding[1],
            o.stride[0],
            o.stride[1],
            blocks[0],
            blocks[1]
        )));
    }
    ops::dtypes::takes(&rows::COL2IM, x)?;
    let single = n == 2;
    let lead = if single { 1 } else { shape[0] };
    // There are no more windows than columns, and no more taps than rows.
    let [kh, kw] = [shape::size(kh)?, shape::size(kw)?];
    let blocks = [count(blocks[0])?, count(blocks[1])?];
    let c = shape[n - 2] / (kh * kw);
    let [ph, pw] = o.padding;
    let padded = [(size[0], ph), (size[1], pw)].map(|(n, p)| i128::from(n) + 2 * i128::from(p));
    let padded = create::counted(&[lead as i128, c as i128, padded[0], padded[1]], x.dtype(), x.device())?;
    let image = create::sizes(&size, x.dtype(), x.device())?;
    // Neither leaves the padded image, unless there's only one window or one tap.
    let step = |n: i64, of: usize| if of == 1 { Ok(1) } else { shape::size(n) };
    let strides = [step(o.stride[0], blocks[0])?, step(o.stride[1], blocks[1])?];
    let dilation = [step(o.dilation[0], kh)?, step(o.dilation[1], kw)?];
    let out = {
        let _no_grad = GradMode::set(false);
        let parts = view::reshape_to(&x.detach(), &[lead, c, kh, kw, blocks[0], blocks[1]])?;
        let whole = create::zeros(&padded, x.dtype(), x.device())?;
        let st = whole.strides();
        for i in 0..kh {
            for j in 0..kw {
                // The elements that all windows have at (i, j). No two of these overlap.
                let target = whole.alias(Layout {
                    shape: smallvec![lead, c, blocks[0], blocks[1]],
                    strides: smallvec![st[0], st[1], st[2] * strides[0], st[3] * strides[1]],
                    offset: whole.offset() + i * dilation[0] * st[2] + j * dilation[1] * st[3],
                });
                let part = view::select(&view::select(&parts, 3, j as i64)?, 2, i as i64)?;
                ops::elementwise::add_data(&target, &part)?;
            }
        }
        let inner = view::narrow(&whole, 2, ph, size[0])?;
        let inner = view::narrow(&inner, 3, pw, size[1])?;
        let dense = create::contiguous(&inner.detach())?;
        let mut out_shape = if single { vec![] } else { vec![lead] };
        out_shape.extend([c, image[0], image[1]]);
        dense.dense_as(&out_shape)
    };
    if autograd::needs_grad([x]) {
        autograd::record(rows::COL2IM.node, &[Some(x)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(im2col(ctx.grad(), o)?)])
        })?;
    }
    Ok(out)
}
