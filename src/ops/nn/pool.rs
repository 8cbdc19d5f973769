//! Pooling over one and two dimensions.
//!
//! Source of shapes and texts: aten/src/ATen/native/Pool.h in PyTorch 2.15.

use smallvec::smallvec;

use crate::autograd::{self, Save};
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{Kernel, Pool2d};
use crate::ops;
use crate::shape::{Dims, Layout, show};
use crate::tensor::{Pin, Tensor};

/// The settings of a pooling, one entry a spatial dimension.
#[derive(Clone, Debug)]
pub struct PoolOptions {
    pub kernel: Vec<usize>,
    pub stride: Vec<usize>,
    pub padding: Vec<usize>,
    pub dilation: Vec<usize>,
    pub ceil_mode: bool,
    pub count_include_pad: bool,
    pub divisor: Option<usize>,
}

impl PoolOptions {
    /// Windows side by side.
    pub fn new(kernel: &[usize]) -> PoolOptions {
        PoolOptions {
            kernel: kernel.to_vec(),
            stride: kernel.to_vec(),
            padding: vec![0; kernel.len()],
            dilation: vec![1; kernel.len()],
            ceil_mode: false,
            count_include_pad: true,
            divisor: None,
        }
    }

    fn params(&self) -> Pool2d {
        let pair = |v: &[usize], fill: usize| if v.len() == 1 { [fill, v[0]] } else { [v[0], v[1]] };
        Pool2d {
            kernel: pair(&self.kernel, 1),
            stride: pair(&self.stride, 1),
            padding: pair(&self.padding, 0),
            dilation: pair(&self.dilation, 1),
            count_include_pad: self.count_include_pad,
            divisor: self.divisor,
        }
    }

    fn check(&self) -> Result<()> {
        if self.kernel.contains(&0) {
            return Err(Error::runtime("kernel size should be greater than zero"));
        }
        if self.stride.contains(&0) {
            return Err(Error::runtime("stride should not be zero"));
        }
        for i in 0..self.kernel.len() {
            let (pad, kernel, dilation) = (self.padding[i], self.kernel[i], self.dilation[i]);
            if pad > ((kernel - 1) * dilation).div_ceil(2) {
                return Err(Error::runtime(format!(
                    "pad should be at most half of effective kernel size, but got pad={pad}, kernel_size={kernel} and dilation={dilation}"
                )));
            }
        }
        if self.divisor == Some(0) {
            return Err(Error::runtime("divisor must be not zero"));
        }
        Ok(())
    }

    fn output(&self, i: usize, size: usize) -> i64 {
        let (size, pad, stride) = (size as i64, self.padding[i] as i64, self.stride[i] as i64);
        let reach = (self.dilation[i] * (self.kernel[i] - 1)) as i64;
        let span = size + 2 * pad - reach - 1;
        let mut out = (span + if self.ceil_mode { stride - 1 } else { 0 }).div_euclid(stride) + 1;
        // The last window must begin inside the input or its left padding.
        if self.ceil_mode && (out - 1) * stride >= size + pad {
            out -= 1;
        }
        out
    }
}

fn out_shape(x: &Tensor, o: &PoolOptions) -> Result<Dims> {
    let n = o.kernel.len();
    let xs = x.shape();
    let spatial = &xs[2..];
    let out: Vec<i64> = (0..n).map(|i| o.output(i, spatial[i])).collect();
    if out.iter().any(|&s| s < 1) {
        let pad = |v: Vec<i64>| if n == 1 { vec![1, v[0]] } else { v };
        let by = |v: Vec<i64>| v.iter().map(i64::to_string).collect::<Vec<_>>().join("x");
        return Err(Error::runtime(format!(
            "Given input size: ({}x{}). Calculated output size: ({}x{}). Output size is too small",
            xs[1],
            by(pad(spatial.iter().map(|&s| s as i64).collect())),
            xs[1],
            by(pad(out))
        )));
    }
    let mut shape: Dims = smallvec![xs[0], xs[1]];
    shape.extend(out.iter().map(|&s| s as usize));
    Ok(shape)
}

/// Adds the batch dimension of an unbatched input and, for one spatial dimension, a height of 1; and takes both away again.
fn planar<R>(
    x: &Tensor,
    n: usize,
    f: impl FnOnce(&Tensor) -> Result<R>,
    back: impl Fn(R, &dyn Fn(&Tensor) -> Result<Tensor>) -> Result<R>,
) -> Result<R> {
    if x.ndim() != n + 1 && x.ndim() != n + 2 {
        return Err(Error::runtime(format!(
            "non-empty {}D or {}D (batch mode) tensor expected for input",
            n + 1,
            n + 2
        )));
    }
    let unbatched = x.ndim() == n + 1;
    let mut y = if unbatched { ops::view::unsqueeze(x, 0)? } else { x.clone() };
    if n == 1 {
        y = ops::view::unsqueeze(&y, 2)?;
    }
    let out = f(&y)?;
    back(out, &move |t: &Tensor| {
        let mut t = t.clone();
        if n == 1 {
            t = ops::view::squeeze(&t, &[2])?;
        }
        if unbatched { ops::view::squeeze(&t, &[0]) } else { Ok(t) }
    })
}

fn as_planar(o: &PoolOptions) -> PoolOptions {
    let p = o.params();
    PoolOptions {
        kernel: p.kernel.to_vec(),
        stride: p.stride.to_vec(),
        padding: p.padding.to_vec(),
        dilation: p.dilation.to_vec(),
        ..o.clone()
    }
}

/// # Errors
/// No elements in any dimension but the batch's: there is nothing to take a window of.
fn check_filled(x: &Tensor, n: usize) -> Result<()> {
    let mut shape = x.shape().to_vec();
    let empty = match shape.len() {
        l if l == n + 1 => shape.contains(&0),
        l if l == n + 2 => shape[1..].contains(&0),
        // Refused for its dimensions.
        _ => false,
    };
    if !empty {
        return Ok(());
    }
    if n == 1 {
        // PyTorch pools over one dimension as over two.
        shape.insert(shape.len() - 1, 1);
    }
    Err(Error::runtime(format!(
        "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:{}",
        show(&shape)
    )))
}

/// `F.max_pool1d`, `F.max_pool2d`: values and the flat positions of the maxima.
///
/// # Errors
/// Windows, padding or sizes that do not fit.
pub fn max_pool(x: &Tensor, o: &PoolOptions) -> Result<(Tensor, Tensor)> {
    o.check()?;
    check_filled(x, o.kernel.len())?;
    let o = &o.clone();
    planar(
        x,
        o.kernel.len(),
        |x| max_pool2d(x, &as_planar(o)),
        |(values, indices), back| Ok((back(&values)?, back(&indices)?)),
    )
}

fn max_pool2d(x: &Tensor, o: &PoolOptions) -> Result<(Tensor, Tensor)> {
    let shape = out_shape(x, o)?;
    let out = Tensor::empty_with(Layout::contiguous(&shape), x.dtype(), x.device(), false)?;
    let indices = Tensor::empty_with(Layout::contiguous(&shape), DType::I64, x.device(), false)?;
    if !x.device().is_meta() && out.numel() > 0 {
        let (a, b, c) = (Pin::of(x), Pin::of(&out), Pin::of(&indices));
        let kernel = Kernel::MaxPool2d { x: a.view()?, params: o.params(), out: b.view()?, indices: c.view()? };
        engine::current().launch(x.device(), &kernel)?;
    }
    if x.dtype().is_inexact() && autograd::needs_grad([x]) {
        let whole = x.shape();
        let save = [Save::Input(&indices)];
        autograd::record("MaxPool2DWithIndicesBackward0", &[Some(x)], &save, &[&out], move |ctx| {
            Ok(smallvec![Some(max_pool_backward(ctx.grad(), &ctx.saved[0], &whole)?)])
        })?;
    }
    Ok((out, indices))
}

fn max_pool_backward(g: &Tensor, indices: &Tensor, whole: &[usize]) -> Result<Tensor> {
    let out = Tensor::empty_with(Layout::contiguous(whole), g.dtype(), g.device(), false)?;
    if !g.device().is_meta() && out.numel() > 0 {
        let (a, b, c) = (Pin::of(g), Pin::of(indices), Pin::of(&out));
        let kernel = Kernel::MaxPool2dBackward { grad: a.view()?, indices: b.view()?, out: c.view()? };
        engine::current().launch(g.device(), &kernel)?;
    }
    if autograd::needs_grad([g]) {
        let shape = g.shape();
        let save = [Save::Input(indices)];
        autograd::record("MaxPool2DWithIndicesBackwardBackward0", &[Some(g)], &save, &[&out], move |ctx| {
            let flat = |t: &Tensor| ops::view::reshape(t, &[shape[0] as i64, shape[1] as i64, -1]);
            let picked = ops::index::gather(&flat(ctx.grad())?, 2, &flat(&ctx.saved[0])?)?;
            Ok(smallvec![Some(ops::view::reshape_to(&picked, &shape)?)])
        })?;
    }
    Ok(out)
}

/// `F.avg_pool1d`, `F.avg_pool2d`.
///
/// # Errors
/// As [`max_pool`].
pub fn avg_pool(x: &Tensor, o: &PoolOptions) -> Result<Tensor> {
    o.check()?;
    check_filled(x, o.kernel.len())?;
    let o = &o.clone();
    planar(x, o.kernel.len(), |x| avg_pool2d(x, &as_planar(o)), |t, back| back(&t))
}

fn avg_pool2d(x: &Tensor, o: &PoolOptions) -> Result<Tensor> {
    let shape = out_shape(x, o)?;
    average(x, o.params(), &shape, false)
}

/// Averages windows, or (`back`) spreads gradients over them: each is the other's gradient.
fn average(x: &Tensor, params: Pool2d, shape: &[usize], back: bool) -> Result<Tensor> {
    let out = Tensor::empty_with(Layout::contiguous(shape), x.dtype(), x.device(), false)?;
    if !x.device().is_meta() && out.numel() > 0 {
        let (a, b) = (Pin::of(x), Pin::of(&out));
        let kernel = if back {
            Kernel::AvgPool2dBackward { grad: a.view()?, params, out: b.view()? }
        } else {
            Kernel::AvgPool2d { x: a.view()?, params, out: b.view()? }
        };
        engine::current().launch(x.device(), &kernel)?;
    }
    if autograd::needs_grad([x]) {
        let whole = x.shape();
        let name = if back { "AvgPool2DBackwardBackward0" } else { "AvgPool2DBackward0" };
        autograd::record(name, &[Some(x)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(average(ctx.grad(), params, &whole, !back)?)])
        })?;
    }
    Ok(out)
}

/// `F.adaptive_avg_pool1d`, `F.adaptive_avg_pool2d`; a missing size keeps the input's. One cell is a mean.
///
/// # Errors
/// Inputs with other dimensions.
pub fn adaptive_avg_pool(x: &Tensor, size: &[Option<usize>]) -> Result<Tensor> {
    let n = size.len();
    if x.ndim() != n + 1 && x.ndim() != n + 2 {
        return Err(Error::runtime(format!(
            "adaptive_avg_pool{n}d(): Expected {}D or {}D tensor, but got {}",
            n + 1,
            n + 2,
            show(&x.shape())
        )));
    }
    let spatial = &x.shape()[x.ndim() - n..];
    let cells: Vec<usize> = size.iter().zip(spatial).map(|(s, &have)| s.unwrap_or(have)).collect();
    if n == 2 && cells == [1, 1] {
        return ops::reduce::mean(x, &[-1, -2], true, None);
    }
    let mut sizes = x.shape().to_vec();
    if n == 1 {
        sizes.insert(x.ndim() - 1, 1);
    }
    if let Some(at) = (sizes.len() - 2..sizes.len()).find(|&at| sizes[at] == 0) {
        return Err(Error::runtime(format!(
            "adaptive_avg_pool2d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {at} being empty",
            show(&sizes)
        )));
    }
    planar(
        x,
        n,
        |x| {
            let mut shape: Dims = smallvec![x.size(0), x.size(1)];
            if n == 1 {
                shape.push(1);
            }
            shape.extend(cells.iter().copied());
            adaptive(x, &shape, false)
        },
        |t, back| back(&t),
    )
}

fn adaptive(x: &Tensor, shape: &[usize], back: bool) -> Result<Tensor> {
    let out = Tensor::empty_with(Layout::contiguous(shape), x.dtype(), x.device(), false)?;
    if !x.device().is_meta() && out.numel() > 0 {
        let (a, b) = (Pin::of(x), Pin::of(&out));
        let kernel = if back {
            Kernel::AdaptiveAvgPool2dBackward { grad: a.view()?, out: b.view()? }
        } else {
            Kernel::AdaptiveAvgPool2d { x: a.view()?, out: b.view()? }
        };
        engine::current().launch(x.device(), &kernel)?;
    }
    if autograd::needs_grad([x]) {
        let whole = x.shape();
        let name = if back { "AdaptiveAvgPool2DBackwardBackward0" } else { "AdaptiveAvgPool2DBackward0" };
        autograd::record(name, &[Some(x)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(adaptive(ctx.grad(), &whole, !back)?)])
        })?;
    }
    Ok(out)
}
