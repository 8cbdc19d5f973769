//! Reductions, and extremes with their index.

use super::{Sink, WORKGROUP, arithmetic, missing};
use crate::dtype::DType;
use crate::executor::webgpu::launch::{Class, Launch};
use crate::executor::webgpu::source;
use crate::executor::{Done, ReduceOp, View};
use crate::shape::Dims;

/// The functions of an operation in `reduce.wgsl`.
struct Plan {
    accumulator: &'static str,
    start: &'static str,
    step: &'static str,
    merge: &'static str,
    finish: &'static str,
    /// The dtype of the finished value.
    result: DType,
}

fn plan(op: ReduceOp, class: Class, compute: DType) -> Option<Plan> {
    let by = |f: &'static str, i: &'static str, l: &'static str| match class {
        Class::F => f,
        Class::I => i,
        _ => l,
    };
    let simple = |start, step, result| Plan {
        accumulator: class.wgsl(),
        start,
        step,
        merge: step,
        finish: by("same_f", "same_i", "same_l"),
        result,
    };
    // Integers narrower than 32 bits accumulate in 32 bits and wrap once.
    let sum = || Plan { merge: by("add_f", "add_i", "l_add"), ..simple(by("zero_f", "zero_i", "zero_l"), "", compute) };
    let counter = |start, step, merge, finish, result| Plan { accumulator: "i32", start, step, merge, finish, result };
    let float = |p: Plan| (class == Class::F).then_some(p);
    match op {
        ReduceOp::Sum => Some(Plan { step: by("add_f", "add_i", "l_add"), ..sum() }),
        ReduceOp::Mean => float(Plan { step: "add_f", finish: "mean_finish", ..sum() }),
        ReduceOp::Prod => Some(simple(by("one_f", "one_i", "one_l"), by("mul_f", "mul_i", "l_mul"), compute)),
        ReduceOp::Max => Some(simple(by("least_f", "least_i", "least_l"), by("max_f", "max_i", "max_l"), compute)),
        ReduceOp::Min => {
            Some(simple(by("greatest_f", "greatest_i", "greatest_l"), by("min_f", "min_i", "min_l"), compute))
        }
        ReduceOp::Any => Some(counter("zero_i", "any_step", "or_i", "same_i", DType::Bool)),
        ReduceOp::All => Some(counter("one_i", "all_step", "and_i", "same_i", DType::Bool)),
        ReduceOp::CountNonzero => Some(counter("zero_i", "count_step", "add_i", "l_from_i", DType::I64)),
        ReduceOp::Var { .. } => float(Plan {
            accumulator: "vec3<f32>",
            start: "var_start",
            step: "var_step",
            merge: "var_merge",
            finish: "var_finish",
            result: compute,
        }),
        ReduceOp::LogSumExp => float(Plan {
            accumulator: "vec2<f32>",
            start: "logsumexp_start",
            step: "logsumexp_step",
            merge: "logsumexp_merge",
            finish: "logsumexp_finish",
            result: compute,
        }),
        ReduceOp::Norm { p } => float(if p == 0.0 {
            Plan { step: "norm0_step", ..sum() }
        } else if p == 1.0 {
            Plan { step: "norm1_step", ..sum() }
        } else if p == 2.0 {
            Plan { step: "norm2_step", finish: "norm2_finish", ..sum() }
        } else if p == f64::INFINITY {
            Plan { step: "norm_max_step", merge: "max_f", ..simple("zero_f", "", compute) }
        } else if p == f64::NEG_INFINITY {
            Plan { step: "norm_min_step", merge: "min_f", ..simple("greatest_f", "", compute) }
        } else {
            Plan { step: "norm_p_step", finish: "norm_p_finish", ..sum() }
        }),
        // A sum of what its `step` makes of the elements, unless the shader has other functions for it.
        _ => {
            let own =
                |part: &str, sums: &'static str| source::written(&source::REDUCE, op.in_shader(part)).unwrap_or(sums);
            let step = source::written(&source::REDUCE, op.in_shader("step"))?;
            let plan = sum();
            let (start, merge) = (own("start", plan.start), own("merge", plan.merge));
            float(Plan { start, step, merge, finish: own("finish", plan.finish), ..plan })
        }
    }
}

pub(super) fn reduce(
    sink: &dyn Sink,
    op: ReduceOp,
    x: &View<'_>,
    dims: &[bool],
    compute: DType,
    out: &View<'_>,
) -> Done {
    let class = arithmetic(compute)?;
    let plan = plan(op, class, compute).ok_or_else(|| missing(op.name(), compute))?;
    let mut l = Launch::new(&source::REDUCE);
    l.set_type("T", compute);
    l.set("C", class.letter());
    l.set("ACC", plan.accumulator);
    l.set("START", plan.start);
    l.set("STEP", plan.step);
    l.set("MERGE", plan.merge);
    l.set("FINISH", plan.finish);
    l.read("x", x, compute);
    l.write("out", out, plan.result);
    let (rows, count) = spaces(&mut l, x, dims, &[("out", &out.strides)]);
    match op {
        ReduceOp::Mean => l.f32("length", count as f64),
        ReduceOp::Var { correction } => {
            l.f32("length", count as f64);
            l.f32("correction", correction);
        }
        ReduceOp::Norm { p } => l.f32("power", p),
        _ => {}
    }
    finish(sink, l, rows, count, ["main_serial", "main_tree"])
}

/// Declares `outer` (the kept dimensions) and `inner` (the reduced ones). Returns their sizes.
fn spaces(l: &mut Launch<'_>, x: &View<'_>, dims: &[bool], outputs: &[(&'static str, &[usize])]) -> (usize, usize) {
    let pick = |of: &[usize], reduced: bool| -> Dims {
        of.iter().zip(dims).filter(|(_, d)| **d == reduced).map(|(s, _)| *s).collect()
    };
    let shape = pick(&x.shape, false);
    let kept = pick(&x.strides, false);
    let others: Vec<(&'static str, Dims)> = outputs.iter().map(|(n, s)| (*n, pick(s, false))).collect();
    let mut all: Vec<(&'static str, &[usize])> = vec![("x", &kept)];
    all.extend(others.iter().map(|(n, s)| (*n, &s[..])));
    l.walk("outer", &shape, &all);
    let inner = pick(&x.shape, true);
    l.walk("inner", &inner, &[("x", &pick(&x.strides, true))]);
    (shape.iter().product(), inner.iter().product())
}

/// One invocation for each output; or one workgroup, if there are few outputs with many values each.
fn finish(sink: &dyn Sink, mut l: Launch<'_>, rows: usize, count: usize, entries: [&'static str; 2]) -> Done {
    l.u32("count", count);
    if is_tree(rows, count) {
        l.entry = entries[1];
        l.u32("n", rows);
        l.workgroups(rows, if count >= 1024 { 256 } else { 64 });
    } else {
        l.entry = entries[0];
        l.threads(rows, WORKGROUP);
    }
    sink.dispatch(l)
}

fn is_tree(rows: usize, count: usize) -> bool {
    count >= 128 && (rows < 1024 || count >= 4096)
}

pub(super) fn arg_reduce(
    sink: &dyn Sink,
    largest: bool,
    x: &View<'_>,
    dim: usize,
    values: Option<&View<'_>>,
    indices: &View<'_>,
) -> Done {
    let class = arithmetic(x.dtype)?;
    let mut l = Launch::new(&source::REDUCE);
    l.set_type("T", x.dtype);
    l.set("C", class.letter());
    l.set(
        "COMPARE",
        match (class, largest) {
            (Class::L, true) => "l_lt(y, x)",
            (Class::L, false) => "l_lt(x, y)",
            (_, true) => "x > y",
            (_, false) => "x < y",
        },
    );
    l.set("KEEP", if values.is_some() { "values_store" } else { "drop_value" });
    l.read("x", x, x.dtype);
    l.write("indices", indices, DType::I64);
    let mut outputs: Vec<(&'static str, &[usize])> = vec![("indices", &indices.strides)];
    match values {
        Some(values) => {
            l.write("values", values, x.dtype);
            outputs.push(("values", &values.strides));
        }
        None => {
            l.constant("values", crate::dtype::Scalar::Int(0), x.dtype);
            outputs.push(("values", &indices.strides));
        }
    }
    let dims: Vec<bool> = (0..x.shape.len()).map(|d| d == dim).collect();
    let (rows, count) = spaces(&mut l, x, &dims, &outputs);
    finish(sink, l, rows, count, ["main_arg_serial", "main_arg_tree"])
}

#[cfg(test)]
mod tests {
    use super::is_tree;

    #[test]
    fn long_rows_get_a_workgroup() {
        assert!(is_tree(1, 1000) && is_tree(100, 128) && is_tree(100_000, 5000));
        assert!(!is_tree(64, 10) && !is_tree(100_000, 200));
    }
}
