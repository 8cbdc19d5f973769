//! Pooling in one and two dimensions.
//!
//! Source of shapes and texts: aten/src/ATen/native/Pool.h in PyTorch 2.15.

use smallvec::smallvec;

use crate::autograd::{self, Save};
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{Kernel, Pool2d};
use crate::ops::{self, rows};
use crate::shape::{Dims, Layout, show, size, wrap_own_dim};
use crate::tensor::{Pin, Tensor};

/// The settings of a pooling, with one entry per spatial dimension.
#[derive(Clone, Debug)]
pub struct PoolOptions {
    pub kernel: Vec<i64>,
    pub stride: Vec<i64>,
    pub padding: Vec<i64>,
    pub dilation: Vec<i64>,
    pub ceil_mode: bool,
    pub count_include_pad: bool,
    pub divisor: Option<i64>,
}

impl PoolOptions {
    /// Adjacent windows.
    pub fn new(kernel: &[i64]) -> PoolOptions {
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

    /// The settings in the form that kernels need, after [`PoolOptions::check`].
    ///
    /// # Errors
    /// Numbers that exceed what this machine can count.
    fn params(&self) -> Result<Pool2d> {
        let pair = |v: &[i64]| Ok([size(v[0])?, size(v[1])?]);
        Ok(Pool2d {
            kernel: pair(&self.kernel)?,
            stride: pair(&self.stride)?,
            padding: pair(&self.padding)?,
            dilation: pair(&self.dilation)?,
            count_include_pad: self.count_include_pad,
            divisor: self.divisor,
        })
    }

    fn all(&self) -> impl Iterator<Item = &i64> {
        [&self.kernel, &self.stride, &self.padding, &self.dilation].into_iter().flatten()
    }

    /// PyTorch's two-dimensional pooling has 32-bit numbers.
    fn check_narrow(&self) -> Result<()> {
        if self.all().all(|&n| i32::try_from(n).is_ok()) {
            return Ok(());
        }
        Err(Error::runtime("value cannot be converted to type int without overflow"))
    }

    /// Checks the numbers for two dimensions in PyTorch's order: first those from which an output's size is computed.
    fn check(&self) -> Result<()> {
        for i in 0..2 {
            let (pad, kernel, dilation) = (self.padding[i], self.kernel[i], self.dilation[i]);
            if self.stride[i] == 0 {
                return Err(Error::runtime("stride should not be zero"));
            }
            if pad < 0 {
                return Err(Error::runtime(format!("pad must be non-negative, but got pad: {pad}")));
            }
            if i128::from(pad) > (self.reach(i) + 1) / 2 {
                return Err(Error::runtime(format!(
                    "pad should be at most half of effective kernel size, but got pad={pad}, kernel_size={kernel} and dilation={dilation}"
                )));
            }
        }
        let rules = [
            ("kernel size", &self.kernel, "k"),
            ("stride", &self.stride, "d"),
            ("dilation", &self.dilation, "dilation"),
        ];
        for (name, pair, short) in rules {
            if pair.iter().any(|&n| n <= 0) {
                return Err(Error::runtime(format!(
                    "{name} should be greater than zero, but got {short}H: {} {short}W: {}",
                    pair[0], pair[1]
                )));
            }
        }
        Ok(())
    }

    /// The distance from the first tap of a window to the last.
    fn reach(&self, i: usize) -> i128 {
        i128::from(self.dilation[i]) * (i128::from(self.kernel[i]) - 1)
    }

    fn output(&self, i: usize, size: usize) -> i128 {
        let (size, pad, stride) = (size as i128, i128::from(self.padding[i]), i128::from(self.stride[i]));
        let span = size + 2 * pad - self.reach(i) - 1;
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
    let out: Vec<i128> = (0..n).map(|i| o.output(i, spatial[i])).collect();
    if out.iter().any(|&s| s < 1) {
        let pad = |v: Vec<i128>| if n == 1 { vec![1, v[0]] } else { v };
        let by = |v: Vec<i128>| v.iter().map(i128::to_string).collect::<Vec<_>>().join("x");
        return Err(Error::runtime(format!(
            "Given input size: ({}x{}). Calculated output size: ({}x{}). Output size is too small",
            xs[1],
            by(pad(spatial.iter().map(|&s| s as i128).collect())),
            xs[1],
            by(pad(out))
        )));
    }
    let whole: Vec<i128> = [xs[0] as i128, xs[1] as i128].into_iter().chain(out).collect();
    ops::create::counted(&whole, x.dtype(), x.device())
}

/// Adds the batch dimension to an unbatched input and, for one spatial dimension, a height of 1. Removes both from the
/// result.
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
            t = ops::view::squeeze_dim(&t, 2)?;
        }
        if unbatched { ops::view::squeeze_dim(&t, 0) } else { Ok(t) }
    })
}

/// Adds a height of 1 for a single dimension.
fn as_planar(o: &PoolOptions) -> PoolOptions {
    let pair = |v: &[i64], fill: i64| if v.len() == 1 { vec![fill, v[0]] } else { v.to_vec() };
    PoolOptions {
        kernel: pair(&o.kernel, 1),
        stride: pair(&o.stride, 1),
        padding: pair(&o.padding, 0),
        dilation: pair(&o.dilation, 1),
        ..o.clone()
    }
}

/// The checks of PyTorch's `max_pool1d`, whose numbers have 64 bits, before it pools. `indices`: the indices are wanted
/// as well.
///
/// # Errors
/// PyTorch's errors.
pub(crate) fn check_max_pool1d(x: &Tensor, o: &PoolOptions, indices: bool) -> Result<()> {
    let (kernel, stride, padding, dilation) = (o.kernel[0], o.stride[0], o.padding[0], o.dilation[0]);
    if indices {
        return o.check_narrow();
    }
    let refuse = |text: String| Err(Error::runtime(format!("max_pool1d() {text}")));
    for (name, n) in [("kernel_size", kernel), ("stride", stride)] {
        if n <= 0 {
            return refuse(format!("{name} must be greater than zero, but got {n}"));
        }
    }
    if padding < 0 {
        return refuse(format!("padding must be non-negative, but got {padding}"));
    }
    if padding > kernel / 2 {
        return refuse(format!(
            "padding should be at most half of kernel size, but got padding={padding} and kernel_size={kernel}"
        ));
    }
    if dilation <= 0 {
        return refuse(format!("dilation must be greater than zero, but got {dilation}"));
    }
    if i64::try_from(o.reach(0) + 1).is_err() {
        return Err(Error::runtime(format!(
            "effective kernel size overflows, but got kernel_size={kernel} and dilation={dilation}"
        )));
    }
    let out = o.output(0, x.shape().last().copied().unwrap_or(1));
    if out < 1 {
        return refuse(format!("Invalid computed output size: {out}"));
    }
    // Only on the CPU, where no gradient is wanted, is there a kernel for one dimension.
    if !x.device().is_cpu() || autograd::needs_grad([x]) {
        return o.check_narrow();
    }
    ops::dtypes::takes(&rows::MAX_POOL1D, x)
}

/// # Errors
/// A dimension other than the batch's has no elements, so there are no windows.
fn check_filled(x: &Tensor, n: usize) -> Result<()> {
    let mut shape = x.shape().to_vec();
    let empty = match shape.len() {
        l if l == n + 1 => shape.contains(&0),
        l if l == n + 2 => shape[1..].contains(&0),
        // Refused because of its number of dimensions.
        _ => false,
    };
    if !empty {
        return Ok(());
    }
    if n == 1 {
        // PyTorch pools in one dimension as in two.
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
    let n = o.kernel.len();
    if n == 2 {
        o.check_narrow()?;
    }
    let o = &as_planar(o);
    let pool = |batch: &Tensor| {
        o.check()?;
        check_filled(x, n)?;
        max_pool2d(batch, o)
    };
    let (values, indices) = planar(x, n, pool, |(values, indices), back| Ok((back(&values)?, back(&indices)?)))?;
    Ok((if n == 2 { autograd::under(&values, rows::MAX_POOL2D.node)? } else { values }, indices))
}

fn max_pool2d(x: &Tensor, o: &PoolOptions) -> Result<(Tensor, Tensor)> {
    let (params, shape) = (o.params()?, out_shape(x, o)?);
    ops::dtypes::takes(&rows::MAX_POOL2D, x)?;
    let layout = ops::layout::like(&shape, x);
    let out = Tensor::empty_with(layout.clone(), x.dtype(), x.device(), false)?;
    let indices = Tensor::empty_with(layout, DType::I64, x.device(), false)?;
    if !x.device().is_meta() && out.numel() > 0 {
        let (a, b, c) = (Pin::of(x), Pin::of(&out), Pin::of(&indices));
        let kernel = Kernel::MaxPool2d { x: a.view()?, params, out: b.view()?, indices: c.view()? };
        engine::current().launch(x.device(), &kernel)?;
    }
    if x.dtype().is_inexact() && autograd::needs_grad([x]) {
        let whole = x.shape();
        let save = [Save::Input(&indices)];
        autograd::record(rows::MAX_POOL2D.node, &[Some(x)], &save, &[&out], move |ctx| {
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
    // The indices are laid out as the input was.
    let out = ops::layout::placed_like(out, indices)?;
    if autograd::needs_grad([g]) {
        let shape = g.shape();
        let save = [Save::Input(indices)];
        autograd::record(rows::nodes::MAX_POOL2D_BACKWARD, &[Some(g)], &save, &[&out], move |ctx| {
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
    o.check_narrow()?;
    if o.divisor == Some(0) {
        return Err(Error::runtime("divisor must be not zero"));
    }
    let (n, o) = (o.kernel.len(), &as_planar(o));
    let pool = |batch: &Tensor| {
        o.check()?;
        check_filled(x, n)?;
        avg_pool2d(batch, o)
    };
    if n == 2 {
        wrap_own_dim(-3, x.ndim())?;
        if x.ndim() > 4 {
            return Err(Error::runtime(format!(
                "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:{}",
                show(&x.shape())
            )));
        }
    }
    let out = planar(x, n, pool, |t, back| back(&t))?;
    if n == 2 { autograd::under(&out, rows::AVG_POOL2D.node) } else { Ok(out) }
}

fn avg_pool2d(x: &Tensor, o: &PoolOptions) -> Result<Tensor> {
    let shape = out_shape(x, o)?;
    ops::dtypes::takes(&rows::AVG_POOL2D, x)?;
    if x.dtype() == DType::I64 && x.device().is_cpu() {
        return average_of_integers(x, o.params()?, &shape);
    }
    average(x, o.params()?, &shape, false)
}

/// Averages windows of int64, rounded toward 0 as PyTorch's division of integers does. The sums are exact up to 2^53.
fn average_of_integers(x: &Tensor, params: Pool2d, shape: &[usize]) -> Result<Tensor> {
    let mean = average(&ops::transfer::cast(x, DType::F64)?, params, shape, false)?;
    ops::transfer::cast(&mean, DType::I64)
}

/// Averages windows or, with `back`, spreads gradients over them. Each is the other's gradient.
fn average(x: &Tensor, params: Pool2d, shape: &[usize], back: bool) -> Result<Tensor> {
    let out = Tensor::empty_with(ops::layout::like(shape, x), x.dtype(), x.device(), false)?;
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
        let name = if back { rows::nodes::AVG_POOL2D_BACKWARD } else { rows::AVG_POOL2D.node };
        autograd::record(name, &[Some(x)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(average(ctx.grad(), params, &whole, !back)?)])
        })?;
    }
    Ok(out)
}

/// `F.adaptive_avg_pool2d`, once every size is known. A single cell is a mean.
///
/// # Errors
/// A number of sizes other than two; inputs with other dimensions.
pub fn adaptive_avg_pool2d(x: &Tensor, size: &[i64]) -> Result<Tensor> {
    let Ok(wanted) = <[i64; 2]>::try_from(size) else {
        return Err(Error::runtime("adaptive_avg_pool2d: output_size must be 2"));
    };
    if wanted == [1, 1] {
        // However many dimensions there are.
        return ops::reduce::mean(x, &[-1, -2], true, None);
    }
    if !matches!(x.ndim(), 3 | 4) {
        return Err(Error::runtime(format!(
            "adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got {}",
            show(&x.shape())
        )));
    }
    let lead = x.ndim() - 2;
    if wanted.iter().any(|&s| s < 0) {
        return Err(Error::runtime(format!(
            "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received {{{}, {}}}",
            wanted[0], wanted[1]
        )));
    }
    if wanted.iter().map(|&s| i128::from(s)).product::<i128>() > i128::from(i64::MAX) {
        return Err(Error::runtime("numel: integer multiplication overflow"));
    }
    let whole: Vec<i64> = x.shape()[..lead].iter().map(|&s| s as i64).chain(wanted).collect();
    let cells = ops::create::sizes(&whole, x.dtype(), x.device())?[lead..].to_vec();
    ops::dtypes::takes(&rows::ADAPTIVE_AVG_POOL2D, x)?;
    let sizes = x.shape();
    if let Some(at) = (lead..sizes.len()).find(|&at| sizes[at] == 0) {
        return Err(Error::runtime(format!(
            "adaptive_avg_pool2d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {at} being empty",
            show(&sizes)
        )));
    }
    let pool = |x: &Tensor| adaptive(x, &[x.size(0), x.size(1), cells[0], cells[1]], false);
    autograd::under(&planar(x, 2, pool, |t, back| back(&t))?, rows::ADAPTIVE_AVG_POOL2D.node)
}

fn adaptive(x: &Tensor, shape: &[usize], back: bool) -> Result<Tensor> {
    let out = Tensor::empty_with(ops::layout::like(shape, x), x.dtype(), x.device(), false)?;
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
        let name = if back { rows::nodes::ADAPTIVE_AVG_POOL2D_BACKWARD } else { rows::ADAPTIVE_AVG_POOL2D.node };
        autograd::record(name, &[Some(x)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(adaptive(ctx.grad(), &whole, !back)?)])
        })?;
    }
    Ok(out)
}
