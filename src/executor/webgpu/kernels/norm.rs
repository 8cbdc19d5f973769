//! Layer and batch normalization.

use super::{Sink, WORKGROUP, floating};
use crate::dtype::{DType, Scalar};
use crate::executor::webgpu::launch::{Access, Launch};
use crate::executor::webgpu::source;
use crate::executor::{Done, View};

const F32: DType = DType::F32;

/// An input that may be missing.
fn optional<'a>(l: &mut Launch<'a>, name: &'static str, view: Option<&View<'a>>, otherwise: f64) {
    match view {
        Some(view) => l.read(name, view, F32),
        None => l.constant(name, Scalar::Float(otherwise), F32),
    }
}

/// An output that may be omitted: `$keep` is the code that stores it, or nothing.
fn wanted<'a>(l: &mut Launch<'a>, keep: &'static str, names: [&'static str; 2], view: Option<&View<'a>>) {
    match view {
        Some(view) => {
            l.write(names[0], view, F32);
            l.set(keep, names[1]);
        }
        None => {
            l.constant(names[0], Scalar::Int(0), F32);
            l.set(keep, "drop_result");
        }
    }
}

/// One workgroup for each row, with few invocations if the row is short.
fn dispatch_rows(sink: &dyn Sink, mut l: Launch<'_>, rows: usize, count: usize) -> Done {
    l.u32("n", rows);
    let size = match (sink.is_software(), count) {
        (true, 0..256) => 8,
        (_, 0..1024) => 64,
        _ => 256,
    };
    l.workgroups(rows, size);
    sink.dispatch(l)
}

pub(super) fn layer(
    sink: &dyn Sink,
    x: &View<'_>,
    [weight, bias]: [Option<&View<'_>>; 2],
    eps: f64,
    [out, mean, rstd]: [&View<'_>; 3],
) -> Done {
    floating(x.dtype, "layer_norm")?;
    let (rows, count) = (x.shape[0], x.shape[1]);
    let mut l = Launch::new(&source::NORM);
    l.entry = "main_layer";
    l.read("x", x, F32);
    optional(&mut l, "weight", weight, 1.0);
    optional(&mut l, "bias", bias, 0.0);
    l.write("out", out, F32);
    l.write("mean", mean, F32);
    l.write("rstd", rstd, F32);
    l.u32("count", count);
    l.f32("eps", eps);
    dispatch_rows(sink, l, rows, count)
}

pub(super) fn layer_backward(
    sink: &dyn Sink,
    [grad, x, mean, rstd]: [&View<'_>; 4],
    weight: Option<&View<'_>>,
    [dx, dweight, dbias]: [Option<&View<'_>>; 3],
) -> Done {
    floating(x.dtype, "layer_norm_backward")?;
    let (rows, count) = (x.shape[0], x.shape[1]);
    if let Some(dx) = dx {
        let mut l = Launch::new(&source::NORM);
        l.entry = "main_layer_backward";
        for (name, view) in [("grad", grad), ("x", x), ("mean", mean), ("rstd", rstd)] {
            l.read(name, view, F32);
        }
        optional(&mut l, "weight", weight, 1.0);
        l.write("dx", dx, F32);
        l.u32("count", count);
        dispatch_rows(sink, l, rows, count)?;
    }
    if dweight.is_some() || dbias.is_some() {
        let mut l = Launch::new(&source::NORM);
        l.entry = "main_layer_weights";
        for (name, view) in [("grad", grad), ("x", x), ("mean", mean), ("rstd", rstd)] {
            l.read(name, view, F32);
        }
        wanted(&mut l, "KEEP_WEIGHT", ["dweight", "dweight_store"], dweight);
        wanted(&mut l, "KEEP_BIAS", ["dbias", "dbias_store"], dbias);
        l.u32("count", count);
        l.u32("rows", rows);
        dispatch_rows(sink, l, count, rows)?;
    }
    Ok(())
}

/// Declares the spaces of [N, C, L]: the channels (`outer`) and the elements of each (`inner`).
fn channels(l: &mut Launch<'_>, shape: &[usize], full: &[(&'static str, &[usize])], own: &[(&'static str, usize)]) {
    let picked: Vec<(&'static str, [usize; 1], [usize; 2])> =
        full.iter().map(|(n, s)| (*n, [s[1]], [s[0], s[2]])).collect();
    let single: Vec<(&'static str, [usize; 1])> = own.iter().map(|(n, s)| (*n, [*s])).collect();
    let mut outer: Vec<(&'static str, &[usize])> = picked.iter().map(|(n, c, _)| (*n, &c[..])).collect();
    outer.extend(single.iter().map(|(n, s)| (*n, &s[..])));
    l.walk("outer", &shape[1..2], &outer);
    let inner: Vec<(&'static str, &[usize])> = picked.iter().map(|(n, _, r)| (*n, &r[..])).collect();
    l.walk("inner", &[shape[0], shape[2]], &inner);
    l.u32("count", shape[0] * shape[2]);
}

fn stride(view: &View<'_>) -> usize {
    view.strides.first().copied().unwrap_or(0)
}

pub(super) fn stats(sink: &dyn Sink, x: &View<'_>, mean: &View<'_>, var: &View<'_>) -> Done {
    floating(x.dtype, "batch_stats")?;
    let mut l = Launch::new(&source::NORM);
    l.entry = "main_stats";
    l.read("x", x, F32);
    l.write("mean", mean, F32);
    l.write("var", var, F32);
    channels(&mut l, &x.shape, &[("x", &x.strides)], &[("mean", stride(mean)), ("var", stride(var))]);
    dispatch_rows(sink, l, x.shape[1], x.shape[0] * x.shape[2])
}

pub(super) fn batch(
    sink: &dyn Sink,
    [x, mean, var]: [&View<'_>; 3],
    [weight, bias]: [Option<&View<'_>>; 2],
    eps: f64,
    out: &View<'_>,
) -> Done {
    floating(x.dtype, "batch_norm")?;
    let mut l = Launch::new(&source::NORM);
    l.entry = "main_batch";
    l.read("x", x, F32);
    l.read("mean", mean, F32);
    l.read("var", var, F32);
    optional(&mut l, "weight", weight, 1.0);
    optional(&mut l, "bias", bias, 0.0);
    l.write("out", out, F32);
    let along = |view: Option<&View<'_>>| [0, view.map_or(0, stride), 0];
    l.walk(
        "at",
        &x.shape,
        &[
            ("x", &x.strides),
            ("mean", &along(Some(mean))),
            ("var", &along(Some(var))),
            ("weight", &along(weight)),
            ("bias", &along(bias)),
            ("out", &out.strides),
        ],
    );
    l.f32("eps", eps);
    l.threads(x.numel(), WORKGROUP);
    sink.dispatch(l)
}

pub(super) fn batch_backward(
    sink: &dyn Sink,
    [grad, x, mean, var]: [&View<'_>; 4],
    weight: Option<&View<'_>>,
    eps: f64,
    training: bool,
    [dx, dweight, dbias]: [Option<&View<'_>>; 3],
) -> Done {
    floating(x.dtype, "batch_norm_backward")?;
    let shape = &x.shape[..];
    let count = shape[0] * shape[2];
    let sums = sink.storage(2 * shape[1])?;
    if training || dweight.is_some() || dbias.is_some() {
        let mut l = Launch::new(&source::NORM);
        l.entry = "main_batch_sums";
        for (name, view) in [("grad", grad), ("x", x), ("mean", mean), ("var", var)] {
            l.read(name, view, F32);
        }
        l.buffer("sums", &sums, F32, F32, Access::Write, 0);
        wanted(&mut l, "KEEP_WEIGHT", ["dweight", "dweight_store"], dweight);
        wanted(&mut l, "KEEP_BIAS", ["dbias", "dbias_store"], dbias);
        let own = [
            ("mean", stride(mean)),
            ("var", stride(var)),
            ("dweight", dweight.map_or(0, stride)),
            ("dbias", dbias.map_or(0, stride)),
        ];
        channels(&mut l, shape, &[("grad", &grad.strides), ("x", &x.strides)], &own);
        l.f32("eps", eps);
        dispatch_rows(sink, l, shape[1], count)?;
    }
    let Some(dx) = dx else { return Ok(()) };
    let mut l = Launch::new(&source::NORM);
    l.entry = "main_batch_backward";
    l.set("TRAINING", if training { "true" } else { "false" });
    for (name, view) in [("grad", grad), ("x", x), ("mean", mean), ("var", var)] {
        l.read(name, view, F32);
    }
    optional(&mut l, "weight", weight, 1.0);
    l.buffer("sums", &sums, F32, F32, Access::Read, 0);
    l.write("dx", dx, F32);
    let along = |stride: usize| [0, stride, 0];
    l.walk(
        "at",
        shape,
        &[
            ("grad", &grad.strides),
            ("x", &x.strides),
            ("mean", &along(stride(mean))),
            ("var", &along(stride(var))),
            ("weight", &along(weight.map_or(0, stride))),
            ("sums", &along(2)),
            ("dx", &dx.strides),
        ],
    );
    l.f32("eps", eps);
    l.f32("length", count as f64);
    l.threads(x.numel(), WORKGROUP);
    sink.dispatch(l)
}
