//! Negative log likelihood.

use super::{Sink, WORKGROUP, floating};
use crate::dtype::{DType, Scalar};
use crate::executor::webgpu::launch::Launch;
use crate::executor::webgpu::source;
use crate::executor::{Done, Reduction, View};

#[derive(Clone, Copy)]
pub(super) struct Terms<'v, 'a> {
    pub weight: Option<&'v View<'a>>,
    pub ignore: i64,
    pub reduction: Reduction,
}

fn describe<'a>(l: &mut Launch<'a>, rule: Terms<'_, 'a>, target: &View<'a>, classes: usize) {
    l.read("target", target, DType::I64);
    l.walk("at", &target.shape, &[("target", &target.strides)]);
    match rule.weight {
        Some(weight) => {
            l.read("weight", weight, DType::F32);
            l.walk("at", &weight.shape, &[("weight", &weight.strides)]);
        }
        None => {
            l.constant("weight", Scalar::Float(1.0), DType::F32);
            l.walk("at", &[], &[("weight", &[])]);
        }
    }
    l.scalar("ignore", Scalar::Int(rule.ignore), DType::I64);
    l.u32("classes", classes);
}

pub(super) fn forward(
    sink: &dyn Sink,
    rule: Terms<'_, '_>,
    logp: &View<'_>,
    target: &View<'_>,
    out: &View<'_>,
    total_weight: &View<'_>,
) -> Done {
    floating(logp.dtype, "nll_loss")?;
    let (rows, classes) = (logp.shape[0], logp.shape[1]);
    let start = |entry: &'static str| {
        let mut l = Launch::new(&source::LOSS);
        l.entry = entry;
        describe(&mut l, rule, target, classes);
        l.reports_to(sink.fault_buffer());
        l.read("logp", logp, DType::F32);
        l.walk("at", &logp.shape[..1], &[("logp", &logp.strides[..1])]);
        l.u32("class_stride", logp.strides[1]);
        l
    };
    let mut l = start("main_total");
    l.write("total", total_weight, DType::F32);
    l.set(
        "KEEP",
        match rule.reduction {
            Reduction::None => "keep_none",
            Reduction::Mean => "keep_mean",
            Reduction::Sum => "keep_sum",
        },
    );
    if rule.reduction != Reduction::None {
        l.write("out", out, DType::F32);
    }
    l.u32("n", rows);
    l.workgroups(1, if rows > 64 && !sink.is_software() { 256 } else { 64 });
    sink.dispatch(l)?;
    if rule.reduction == Reduction::None {
        let mut l = start("main_each");
        l.write("out", out, DType::F32);
        l.walk("at", &out.shape, &[("out", &out.strides)]);
        l.threads(rows, WORKGROUP);
        sink.dispatch(l)?;
    }
    Ok(())
}

pub(super) fn backward(
    sink: &dyn Sink,
    rule: Terms<'_, '_>,
    grad: &View<'_>,
    target: &View<'_>,
    total_weight: &View<'_>,
    out: &View<'_>,
) -> Done {
    floating(out.dtype, "nll_loss_backward")?;
    let mut l = Launch::new(&source::LOSS);
    l.entry = "main_backward";
    l.set("MEAN", if rule.reduction == Reduction::Mean { "true" } else { "false" });
    describe(&mut l, rule, target, out.shape[1]);
    l.read("grad", grad, DType::F32);
    l.walk("at", &grad.shape, &[("grad", &grad.strides)]);
    l.read("total", total_weight, DType::F32);
    l.write("out", out, DType::F32);
    l.walk("at", &out.shape, &[("out", &out.strides)]);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}
