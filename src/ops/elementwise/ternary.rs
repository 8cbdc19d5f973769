//! Operators of three tensors or numbers.

use smallvec::smallvec;

use super::{Arg, Held, Side, empty_result, joint_device, joint_shape, result_type};
use crate::autograd::{self, Save};
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{Kernel, TernaryOp};
use crate::ops::dtypes;
use crate::tensor::{Pin, Tensor};

/// `op(a, b, c)` outside the graph, except for `where` ([`where_`]), `lerp`, `addcmul` and `addcdiv` (in `ops::arith`).
pub fn ternary(op: TernaryOp, a: &Arg, b: &Arg, c: &Arg) -> Result<Tensor> {
    let device = joint_device(&[a, b, c])?;
    let shape = joint_shape(&[a, b, c])?;
    let dtype = if op == TernaryOp::Where { result_type(&[b, c])? } else { result_type(&[a, b, c])? };
    dtypes::ternary(op, dtype, device, c.tensor().is_none())?;
    let out = empty_result(&[a, b, c], &shape, dtype, device)?;
    launch_ternary(op, a, b, c, dtype, &out)?;
    Ok(out)
}

/// As [`ternary`], into an existing tensor of the joint shape.
pub(crate) fn launch_ternary(op: TernaryOp, a: &Arg, b: &Arg, c: &Arg, compute: DType, out: &Tensor) -> Result<()> {
    if out.device().is_meta() || out.numel() == 0 {
        return Ok(());
    }
    if out.is_flipped() {
        return crate::ops::transfer::write_flipped(out, |made| launch_ternary(op, a, b, c, compute, made));
    }
    let device = out.device();
    let (ha, hb, hc, ho) = (Held::of(a, device)?, Held::of(b, device)?, Held::of(c, device)?, Pin::of(out));
    let shape = out.shape();
    engine::current().launch(
        device,
        &Kernel::Ternary {
            op,
            a: ha.operand(&shape)?,
            b: hb.operand(&shape)?,
            c: hc.operand(&shape)?,
            compute,
            out: ho.view()?,
        },
    )
}

/// `torch.where(condition, a, b)`.
///
/// # Errors
/// A condition that is not bool; different devices; shapes that do not broadcast.
pub fn where_(condition: &Tensor, a: &Arg, b: &Arg) -> Result<Tensor> {
    if condition.dtype() != DType::Bool && condition.dtype() != DType::U8 {
        return Err(Error::runtime(format!(
            "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
            condition.dtype().scalar_name()
        )));
    }
    let out = ternary(TernaryOp::Where, &condition.into(), a, b)?;
    if out.dtype().is_inexact() && autograd::needs_grad([a, b].into_iter().filter_map(Arg::tensor)) {
        let (sa, sb) = (Side::of(a), Side::of(b));
        autograd::record(
            TernaryOp::Where.row().node,
            &[a.tensor(), b.tensor()],
            &[Save::Input(condition)],
            &[&out],
            move |ctx| {
                let (g, condition) = (Arg::from(ctx.grad()), &ctx.saved[0]);
                let zero = Arg::from(0.0);
                let ga = if ctx.needs(0) { Some(sa.fit(&where_(condition, &g, &zero)?)?) } else { None };
                let gb = if ctx.needs(1) { Some(sb.fit(&where_(condition, &zero, &g)?)?) } else { None };
                Ok(smallvec![ga, gb])
            },
        )?;
    }
    Ok(out)
}
