//! Operators that take indices from tensors.

use smallvec::smallvec;

use crate::autograd::{self, Save};
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{Kernel, Operand, ScatterOp};
use crate::ops::{self, device};
use crate::shape::{Layout, wrap_dim};
use crate::tensor::{Pin, Tensor};

fn check_index(what: &str, index: &Tensor) -> Result<()> {
    if index.dtype() != DType::I64 {
        return Err(Error::runtime(format!("{what}(): Expected dtype int64 for index")));
    }
    Ok(())
}

/// `torch.gather`.
pub fn gather(x: &Tensor, dim: i64, index: &Tensor) -> Result<Tensor> {
    device::same("gather", &[("self", x), ("index", index)])?;
    check_index("gather", index)?;
    let d = wrap_dim(dim, x.ndim())?;
    if x.ndim().max(1) != index.ndim().max(1) {
        return Err(Error::runtime("Index tensor must have the same number of dimensions as input tensor"));
    }
    for i in (0..x.ndim()).filter(|&i| i != d) {
        if index.size(i) > x.size(i) {
            return Err(Error::runtime(format!(
                "Size does not match at dimension {i} expected index {} to be no larger than self {} apart from dimension {d}",
                crate::shape::show(&index.shape()),
                crate::shape::show(&x.shape())
            )));
        }
    }
    let out = Tensor::empty_with(Layout::contiguous(&index.shape()), x.dtype(), x.device(), false)?;
    if !out.device().is_meta() && out.numel() > 0 {
        if x.ndim() == 0 {
            ops::transfer::copy_data(&out, x)?;
        } else {
            let (a, b, c) = (Pin::of(x), Pin::of(index), Pin::of(&out));
            let kernel = Kernel::Gather { x: a.view()?, dim: d, index: b.view()?, out: c.view()? };
            engine::current().launch_with(x.device(), &kernel, |index, dim, size| {
                Error::runtime(format!("index {index} is out of bounds for dimension {dim} with size {size}"))
            })?;
        }
    }
    if x.dtype().is_float() && autograd::needs_grad([x]) {
        let shape = x.shape();
        autograd::record("GatherBackward0", &[Some(x)], &[Save::Input(index)], &[&out], move |ctx| {
            let g = ctx.grad();
            let zeros = ops::create::zeros(&shape, g.dtype(), g.device())?;
            Ok(smallvec![Some(scatter_add(&zeros, d as i64, &ctx.saved[0], g)?)])
        })?;
    }
    Ok(out)
}

/// `x.scatter_add(dim, index, src)`: a new tensor.
pub fn scatter_add(x: &Tensor, dim: i64, index: &Tensor, src: &Tensor) -> Result<Tensor> {
    device::same("scatter_add", &[("self", x), ("index", index), ("src", src)])?;
    check_index("scatter_add", index)?;
    let d = wrap_dim(dim, x.ndim())?;
    let out = ops::create::copy_of(x)?;
    if !out.device().is_meta() && index.numel() > 0 && x.ndim() > 0 {
        let (a, b, c) = (Pin::of(&out), Pin::of(index), Pin::of(src));
        let kernel = Kernel::Scatter {
            op: ScatterOp::Add,
            out: a.view()?,
            dim: d,
            index: b.view()?,
            src: Operand::View(c.view()?),
        };
        engine::current().launch_with(x.device(), &kernel, |index, dim, size| {
            Error::runtime(format!("index {index} is out of bounds for dimension {dim} with size {size}"))
        })?;
    }
    if x.dtype().is_float() && autograd::needs_grad([x, src]) {
        autograd::record("ScatterAddBackward0", &[Some(x), Some(src)], &[Save::Input(index)], &[&out], move |ctx| {
            Ok(smallvec![
                if ctx.needs(0) { Some(ctx.grad().clone()) } else { None },
                if ctx.needs(1) { Some(gather(ctx.grad(), d as i64, &ctx.saved[0])?) } else { None },
            ])
        })?;
    }
    Ok(out)
}
