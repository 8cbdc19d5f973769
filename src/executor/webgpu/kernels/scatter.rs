//! Writing by index.

use super::{Sink, WORKGROUP, arithmetic, index, without};
use crate::dtype::{DType, Scalar};
use crate::executor::webgpu::launch::{Access, Class, Launch, class};
use crate::executor::webgpu::source;
use crate::executor::{Done, Operand, ScatterOp, View};
use crate::shape::Dims;

/// How an element is changed.
struct Change {
    apply: &'static str,
    combine: &'static str,
    access: Access,
    /// A single invocation does everything, because there is no atomic form.
    serial: bool,
}

fn change(op: ScatterOp, dtype: DType) -> Done<Change> {
    if op == ScatterOp::Set {
        return Ok(Change { apply: "put", combine: "", access: Access::Write, serial: false });
    }
    let class = arithmetic(dtype)?;
    let by = |f: &'static str, i: &'static str, l: &'static str| match class {
        Class::F => f,
        Class::I => i,
        _ => l,
    };
    let combine = match op {
        ScatterOp::Mul => by("mul_f", "mul_i", "l_mul"),
        ScatterOp::Max => by("max_f", "max_i", "max_l"),
        ScatterOp::Min => by("min_f", "min_i", "min_l"),
        _ => by("add_f", "add_i", "l_add"),
    };
    Ok(match (class, op) {
        (Class::L, ScatterOp::Add) => Change { apply: "add_long", combine, access: Access::Atomic, serial: false },
        (Class::L, _) => Change { apply: "change_plain", combine, access: Access::Write, serial: true },
        _ => Change { apply: "change_word", combine, access: Access::Atomic, serial: false },
    })
}

/// Declares `out` and how it is changed.
fn describe<'a>(l: &mut Launch<'a>, change: &Change, out: &View<'a>) -> Done {
    l.set_type("T", out.dtype);
    l.set("APPLY", change.apply);
    l.set("COMBINE", change.combine);
    l.set(
        "NARROW",
        match out.dtype {
            DType::Bool => "bool_from_i",
            DType::U8 => "wrap_u8",
            DType::I8 => "wrap_i8",
            DType::I16 => "wrap_i16",
            DType::F16 => "round_f16",
            DType::BF16 => "round_bf16",
            _ => "narrow_same",
        },
    );
    match change.access {
        Access::Atomic => l.atomic("out", out, out.dtype),
        _ => l.write("out", out, out.dtype),
    }
    Ok(())
}

fn dispatch(sink: &dyn Sink, mut l: Launch<'_>, change: &Change, n: usize) -> Done {
    if change.serial && n > 0 {
        l.entry = "main_serial";
        l.u32("n", n);
        l.workgroups(1, 1);
    } else {
        l.threads(n, WORKGROUP);
    }
    sink.dispatch(l)
}

pub(super) fn index_add(
    sink: &dyn Sink,
    out: &View<'_>,
    dim: usize,
    index: &View<'_>,
    src: &View<'_>,
    alpha: f64,
) -> Done {
    let scale = (alpha != 1.0).then_some(alpha);
    one(sink, ScatterOp::Add, out, dim, index, &src.shape, &Operand::View(src.clone()), scale)
}

pub(super) fn scatter(
    sink: &dyn Sink,
    op: ScatterOp,
    out: &View<'_>,
    dim: usize,
    index: &View<'_>,
    src: &Operand<'_>,
) -> Done {
    one(sink, op, out, dim, index, &index.shape, src, None)
}

#[expect(clippy::too_many_arguments, reason = "the parts of one scatter, named where it is called")]
fn one(
    sink: &dyn Sink,
    op: ScatterOp,
    out: &View<'_>,
    dim: usize,
    index: &View<'_>,
    shape: &[usize],
    src: &Operand<'_>,
    alpha: Option<f64>,
) -> Done {
    let change = change(op, out.dtype)?;
    let mut l = Launch::new(&source::SCATTER);
    describe(&mut l, &change, out)?;
    l.set("EACH", "scatter_one");
    match alpha {
        Some(alpha) => {
            l.set(
                "SCALE",
                match class(out.dtype) {
                    Class::F => "times_f",
                    Class::I => "times_i",
                    _ => "times_l",
                },
            );
            let wide = if class(out.dtype) == Class::F { DType::F32 } else { out.dtype };
            l.scalar("alpha", Scalar::Float(alpha), wide);
        }
        None => l.set("SCALE", "narrow_same"),
    }
    let src_strides = source_operand(&mut l, src, out.dtype, shape.len());
    l.read("index", index, DType::I64);
    l.reports_to(sink.fault_buffer());
    let (rest, stride) = without(&out.strides, dim);
    l.walk("at", shape, &[("out", &rest), ("index", &index.strides), ("src", &src_strides)]);
    l.u32("stride", stride);
    l.u32("size", out.shape.get(dim).copied().unwrap_or(1));
    l.u32("dim", dim);
    dispatch(sink, l, &change, shape.iter().product())
}

fn source_operand<'a>(l: &mut Launch<'a>, src: &Operand<'a>, dtype: DType, rank: usize) -> Dims {
    match src {
        Operand::View(view) => {
            l.read("src", view, dtype);
            view.strides.clone()
        }
        Operand::Scalar(value) => {
            l.constant("src", *value, dtype);
            (0..rank).map(|_| 0).collect()
        }
    }
}

pub(super) fn index_put(
    sink: &dyn Sink,
    out: &View<'_>,
    indices: &[View<'_>],
    src: &Operand<'_>,
    accumulate: bool,
) -> Done {
    let change = change(if accumulate { ScatterOp::Add } else { ScatterOp::Set }, out.dtype)?;
    let rest = out.shape.get(indices.len()..).unwrap_or(&[]);
    let shape: Dims = match src {
        Operand::View(view) => view.shape.clone(),
        Operand::Scalar(_) => {
            // A number gets the common shape of the indices.
            let mut common: Dims = Dims::new();
            for index in indices {
                common = crate::shape::broadcast(&common, &index.shape)
                    .map_err(|e| crate::executor::Fault::Unsupported(e.to_string()))?;
            }
            common.extend_from_slice(rest);
            common
        }
    };
    let common = index::common(&shape, out, indices.len())?;
    let place = index::places(sink, out, indices, common)?;
    let (place_strides, own) = index::place_strides(out, indices.len(), common);
    let mut l = Launch::new(&source::SCATTER);
    describe(&mut l, &change, out)?;
    l.set("EACH", "scatter_place");
    let src_strides = source_operand(&mut l, src, out.dtype, shape.len());
    l.buffer("place", &place, DType::I32, DType::I32, Access::Read, 0);
    l.walk("at", &shape, &[("out", &own), ("place", &place_strides), ("src", &src_strides)]);
    dispatch(sink, l, &change, shape.iter().product())
}
