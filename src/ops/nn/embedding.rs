//! `F.embedding` and `F.one_hot`.

use smallvec::smallvec;

use crate::autograd::{self, Save};
use crate::dtype::{DType, Scalar};
use crate::error::{Error, Result};
use crate::executor::BinaryOp;
use crate::ops::{self, device, rows};
use crate::shape::Dims;
use crate::tensor::Tensor;

/// A tensor's type in PyTorch's checks of arguments: dtypes that came late have no class, such as `torch.FloatTensor`.
fn checked_type(t: &Tensor) -> String {
    let late = matches!(t.dtype(), DType::BF16 | DType::U16 | DType::U32 | DType::C64 | DType::C128);
    match late {
        true => format!("{}{}Type", if t.device().is_cuda() { "CUDA" } else { "CPU" }, t.dtype().scalar_name()),
        false => ops::view::type_name(t),
    }
}

/// `F.embedding(indices, weight, padding_idx)`: rows of `weight`; the padding row gets no gradient.
///
/// # Errors
/// Indices that aren't integers, or are outside the table.
pub fn embedding(indices: &Tensor, weight: &Tensor, padding: Option<i64>) -> Result<Tensor> {
    if weight.ndim() != 2 {
        return Err(Error::runtime("'weight' must be 2-D"));
    }
    if !matches!(indices.dtype(), DType::I32 | DType::I64) {
        return Err(Error::runtime(format!(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {} instead (while checking arguments for embedding)",
            checked_type(indices)
        )));
    }
    device::checked(&rows::EMBEDDING, &[Some(weight), Some(indices)])?;
    let rows = weight.size(0) as i64;
    let padding = match padding {
        Some(p) if p >= rows || p < -rows => return Err(Error::assertion("Padding_idx must be within num_embeddings")),
        Some(p) if p < 0 => Some(p + rows),
        other => other,
    };
    let mut shape: Dims = indices.shape();
    shape.push(weight.size(1));
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        let flat = ops::view::reshape(&indices.detach(), &[-1])?;
        let picked = ops::index::index_select(weight, 0, &flat)?;
        picked.dense_as(&shape)
    };
    if autograd::needs_grad([weight]) {
        let whole = weight.shape();
        autograd::record(rows::EMBEDDING.node, &[Some(weight)], &[Save::Input(indices)], &[&out], move |ctx| {
            let g = ops::view::reshape(ctx.grad(), &[-1, whole[1] as i64])?;
            let flat = ops::view::reshape(&ctx.saved[0], &[-1])?;
            let g = match padding {
                None => g,
                Some(p) => {
                    let hit = ops::binary(BinaryOp::Eq, &(&flat).into(), &p.into())?;
                    ops::arith::masked_fill(&g, &ops::view::unsqueeze(&hit, 1)?, &0.0.into())?
                }
            };
            let zeros = ops::create::zeros(&whole, g.dtype(), g.device())?;
            ops::index::index_add_(&zeros, 0, &flat, &g, 1.0)?;
            Ok(smallvec![Some(zeros)])
        })?;
    }
    Ok(out)
}

/// `F.one_hot(x, classes)`. Without a number of classes, it's one more than the largest class.
///
/// # Errors
/// A dtype other than i64, negative classes, classes that are too large.
pub fn one_hot(x: &Tensor, classes: i64) -> Result<Tensor> {
    if x.dtype() != DType::I64 {
        return Err(Error::runtime("one_hot is only applicable to index tensor of type LongTensor."));
    }
    if x.numel() == 0 && classes <= 0 {
        return Err(Error::runtime("Can not infer total number of classes from empty tensor."));
    }
    let item = |t: &Tensor| ops::transfer::item(t, crate::trace::Why::Item).map(Scalar::as_i64);
    let mut count = i128::from(classes);
    // An accelerator notices a class out of range when it writes there, so the host only waits for the number of classes.
    if x.device().is_cuda() {
        match classes {
            -1 => count = i128::from(item(&ops::reduce::extreme(x, true, &[], false, rows::MAX.node)?)?) + 1,
            0 => return Err(Error::runtime("num_classes should be positive")),
            _ => {}
        }
    } else if x.numel() > 0 && !x.device().is_meta() {
        if item(&ops::reduce::extreme(x, false, &[], false, rows::MIN.node)?)? < 0 {
            return Err(Error::runtime("Class values must be non-negative."));
        }
        let most = item(&ops::reduce::extreme(x, true, &[], false, rows::MAX.node)?)?;
        match classes {
            -1 => count = i128::from(most) + 1,
            n if most >= n => return Err(Error::runtime("Class values must be smaller than num_classes.")),
            _ => {}
        }
    }
    if i64::try_from(count).is_err() {
        return Err(Error::runtime("zeros: Dimension size must be non-negative."));
    }
    let whole: Vec<i128> = x.shape().iter().map(|&n| n as i128).chain([count]).collect();
    let shape = ops::create::counted(&whole, DType::I64, x.device())?;
    let zeros = ops::create::zeros(&shape, DType::I64, x.device())?;
    ops::index::scatter_(&zeros, -1, &ops::view::unsqueeze(x, -1)?, &1i64.into())?;
    Ok(zeros)
}
