//! Running results and sorting along a dimension, and searching in what's sorted.

use super::{Sink, WORKGROUP, arithmetic};
use crate::dtype::DType;
use crate::executor::kernel::SearchRows;
use crate::executor::webgpu::launch::{Access, Class, Launch};
use crate::executor::webgpu::source;
use crate::executor::{Done, ScanOp, View};

pub(super) fn scan(sink: &dyn Sink, op: ScanOp, x: &View<'_>, dim: usize, out: &View<'_>) -> Done {
    let class = arithmetic(out.dtype)?;
    let by = |f: &'static str, i: &'static str, l: &'static str| match class {
        Class::F => f,
        Class::I => i,
        _ => l,
    };
    let mut l = Launch::new(&source::SCAN);
    l.set(
        "STEP",
        match op {
            ScanOp::Sum => by("add_f", "add_i", "l_add"),
            ScanOp::Prod => by("mul_f", "mul_i", "l_mul"),
            ScanOp::Max => by("max_f", "max_i", "max_l"),
            ScanOp::Min => by("min_f", "min_i", "min_l"),
        },
    );
    // float16 and bfloat16 accumulate in float32, narrow integers in 32 bits; each result is narrowed once.
    l.read("x", x, out.dtype);
    l.write("out", out, out.dtype);
    let (rows, count) = l.rows(&x.shape, dim, &[("x", &x.strides), ("out", &out.strides)]);
    l.u32("count", count);
    l.threads(if count == 0 { 0 } else { rows }, WORKGROUP);
    sink.dispatch(l)
}

/// How many elements are ranked against each other before runs are merged.
const BLOCK: usize = 32;

pub(super) fn sort(
    sink: &dyn Sink,
    x: &View<'_>,
    dim: usize,
    descending: bool,
    values: &View<'_>,
    indices: &View<'_>,
) -> Done {
    let class = arithmetic(x.dtype)?;
    let total = x.numel();
    if total == 0 {
        return Ok(());
    }
    let positions = DType::I32;
    let mut from = sink.storage(total)?;
    let mut to = sink.storage(total)?;
    let describe = |l: &mut Launch<'_>| {
        l.set_type("T", x.dtype);
        l.set("C", class.letter());
        l.set("BEFORE", if descending { "down" } else { "up" });
    };

    let mut l = Launch::new(&source::SORT);
    l.entry = "main_blocks";
    describe(&mut l);
    l.read("x", x, x.dtype);
    l.buffer("to", &to, positions, positions, Access::Write, 0);
    let (_, count) = l.rows(&x.shape, dim, &[("x", &x.strides)]);
    l.u32("count", count);
    l.u32("width", BLOCK);
    l.threads(total, WORKGROUP);
    sink.dispatch(l)?;

    let mut width = BLOCK;
    while width < count {
        std::mem::swap(&mut from, &mut to);
        let mut l = Launch::new(&source::SORT);
        l.entry = "main_merge";
        describe(&mut l);
        l.read("x", x, x.dtype);
        l.buffer("from", &from, positions, positions, Access::Read, 0);
        l.buffer("to", &to, positions, positions, Access::Write, 0);
        l.rows(&x.shape, dim, &[("x", &x.strides)]);
        l.u32("count", count);
        l.u32("width", width);
        l.threads(total, WORKGROUP);
        sink.dispatch(l)?;
        width *= 2;
    }

    let mut l = Launch::new(&source::SORT);
    l.entry = "main_write";
    l.read("x", x, x.dtype);
    l.buffer("from", &to, positions, positions, Access::Read, 0);
    l.write("values", values, x.dtype);
    l.write("indices", indices, DType::I64);
    l.rows(&x.shape, dim, &[("x", &x.strides), ("values", &values.strides), ("indices", &indices.strides)]);
    l.u32("count", count);
    l.threads(total, WORKGROUP);
    sink.dispatch(l)
}

pub(super) fn search(
    sink: &dyn Sink,
    sorted: &View<'_>,
    values: &View<'_>,
    order: Option<&View<'_>>,
    right: bool,
    out: &View<'_>,
) -> Done {
    let class = arithmetic(values.dtype)?;
    let SearchRows { length, step, columns } = SearchRows::of(sorted, values)?;
    let mut l = Launch::new(&source::SORT);
    l.entry = "main_search";
    l.set_type("T", values.dtype);
    let reached = match class {
        Class::F => ["reached_f", "past_f"],
        Class::I => ["reached_i", "past_i"],
        _ => ["reached_l", "past_l"],
    };
    l.set("REACHED", reached[usize::from(right)]);
    l.set("PLACE", if order.is_some() { "place_in_order" } else { "place_itself" });
    l.read("x", sorted, values.dtype);
    l.read("values", values, values.dtype);
    if let Some(order) = order {
        l.read("order", order, DType::I64);
    }
    l.write("out", out, DType::I64);
    l.walk("at", &out.shape, &[("values", &values.strides), ("out", &out.strides)]);
    l.u32("count", length);
    l.u32("columns", columns);
    l.u32("row", step);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}
