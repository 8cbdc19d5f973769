//! Functions whose indices are tensors, and functions that sort.

use rustpython_vm::PyResult;

use super::args::Call;
use super::binding::{F, FM, M, Row};
use super::error::OrRaise;
use super::reductions::pair;
use super::tensor::{answer, tuple, wrap};
use crate::dtype::{DType, Scalar};
use crate::error::Result;
use crate::ops::rows::nodes;
use crate::ops::{self, Arg, index, rows, sort};
use crate::tensor::Tensor;

fn gather(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(index::gather(&a.tensor(0)?, a.int(1)?, &a.tensor(2)?), vm)
}

fn index_select(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(index::index_select(&a.tensor(0)?, a.int(1)?, &a.tensor(2)?), vm)
}

fn scatter(call: Call<'_>, in_place: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, dim, at) = (a.tensor(0)?, a.int(1)?, a.tensor(2)?);
    // A tensor `src`, or a number `value`.
    let src = a.operand(3)?;
    if let Some(reduce) = a.str("reduce")? {
        if let Arg::Tensor(_) = src {
            let text = "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future PyTorch \
                        release. Use torch.scatter_reduce instead for more reduction options.";
            super::error::warn_once(text, vm)?;
        }
        if in_place {
            index::scatter_combined_(&t, dim, &at, &src, reduce).or_raise(vm)?;
            return Ok(wrap(t, vm));
        }
        return answer(index::scatter_combined(&t, dim, &at, &src, reduce), vm);
    }
    if in_place {
        index::scatter_(&t, dim, &at, &src).or_raise(vm)?;
        return Ok(wrap(t, vm));
    }
    answer(index::scatter(&t, dim, &at, &src), vm)
}

fn with_index(call: Call<'_>, f: fn(&Tensor, i64, &Tensor, &Tensor) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(f(&a.tensor(0)?, a.int(1)?, &a.tensor(2)?, &a.tensor(3)?), vm)
}

fn with_index_in_place(call: Call<'_>, f: fn(&Tensor, i64, &Tensor, &Tensor) -> Result<()>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let t = a.tensor(0)?;
    f(&t, a.int(1)?, &a.tensor(2)?, &a.tensor(3)?).or_raise(vm)?;
    Ok(wrap(t, vm))
}

fn index_add(call: Call<'_>, in_place: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, dim, at, src, alpha) = (a.tensor(0)?, a.int(1)?, a.tensor(2)?, a.tensor(3)?, a.number_or("alpha", 1.0)?);
    if in_place {
        index::index_add_(&t, dim, &at, &src, alpha).or_raise(vm)?;
        return Ok(wrap(t, vm));
    }
    answer(index::index_add(&t, dim, &at, &src, alpha), vm)
}

fn index_fill(call: Call<'_>, in_place: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, dim, at, value) = (a.tensor(0)?, a.int(1)?, a.tensor(2)?, a.operand(3)?);
    if in_place {
        index::index_fill_(&t, dim, &at, &value).or_raise(vm)?;
        return Ok(wrap(t, vm));
    }
    answer(index::index_fill(&t, dim, &at, &value), vm)
}

fn put(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let t = a.tensor(0)?;
    index::put_(&t, &a.tensor(1)?, &a.tensor(2)?, a.bool_or(3, false)?).or_raise(vm)?;
    Ok(wrap(t, vm))
}

fn index_put(call: Call<'_>, in_place: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, values, accumulate) = (a.tensor(0)?, a.tensor(2)?, a.bool_or(3, false)?);
    let at: Vec<Option<Tensor>> = a.tensors(1)?.into_iter().map(Some).collect();
    if in_place {
        ops::indexing::index_put_(&t, &at, &values, accumulate).or_raise(vm)?;
        return Ok(wrap(t, vm));
    }
    answer(ops::indexing::index_put(&t, &at, &values, accumulate), vm)
}

fn take(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(index::take(&a.tensor(0)?, &a.tensor(1)?), vm)
}

fn masked_select(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(index::masked_select(&a.tensor(0)?, &a.tensor(1)?), vm)
}

fn nonzero(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let t = a.tensor(0)?;
    if a.bool_or(1, false)? {
        return Ok(tuple(index::nonzero_tuple(&t).or_raise(vm)?, vm));
    }
    answer(index::nonzero(&t), vm)
}

fn sorted(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, dim, descending) = (a.tensor(0)?, a.int_or("dim", -1)?, a.bool_or("descending", false)?);
    // What `stable` says makes no difference here, but PyTorch has an operator of its own for calls that say it.
    let name = if a.get("stable").is_some() { rows::nodes::SORT_STABLE } else { rows::SORT.node };
    let (values, indices) = sort::sort_named(&t, dim, descending, name).or_raise(vm)?;
    pair("sort", values, indices, vm)
}

fn argsort(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(sort::argsort(&a.tensor(0)?, a.int_or("dim", -1)?, a.bool_or("descending", false)?), vm)
}

fn topk(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let t = a.tensor(0)?;
    let k = a.int(1)?;
    if k < 0 {
        return Err(vm.new_runtime_error("selected index k out of range"));
    }
    let (k, dim) = (crate::shape::clamped(k), a.int_or(2, -1)?);
    let (values, indices) = sort::topk(&t, k, dim, a.bool_or(3, true)?, a.bool_or(4, true)?).or_raise(vm)?;
    pair("topk", values, indices, vm)
}

fn kthvalue(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let k = crate::shape::clamped(a.int(1)?);
    let (values, indices) = sort::kthvalue(&a.tensor(0)?, k, a.int_or(2, -1)?, a.bool_or(3, false)?).or_raise(vm)?;
    pair("kthvalue", values, indices, vm)
}

fn median(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let t = a.tensor(0)?;
    if a.some("dim").is_none() {
        return answer(sort::median(&t), vm);
    }
    let (values, indices) = sort::median_dim(&t, a.int("dim")?, a.bool_or("keepdim", false)?).or_raise(vm)?;
    pair("median", values, indices, vm)
}

fn unique(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let x = a.tensor(0)?;
    let (found, node, operator) = match a.int_or_none(4)? {
        Some(dim) => (sort::unique_dim(&x, dim, false), nodes::UNIQUE_DIM, "unique_dim"),
        None => (sort::unique(&x), nodes::UNIQUE, "_unique2"),
    };
    let (values, inverse, counts) = found.or_raise(vm)?;
    sort::without_slope(node, operator, &x, &values).or_raise(vm)?;
    let mut out = vec![values];
    if a.bool_or(2, false)? {
        out.push(inverse);
    }
    if a.bool_or(3, false)? {
        out.push(counts);
    }
    if out.len() == 1 { Ok(wrap(out.remove(0), vm)) } else { Ok(tuple(out, vm)) }
}

/// `_unique_runs(x, dim)`: the slices that differ from the previous one, which of them each slice is, and the length of
/// each run.
fn unique_runs(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "dim"], 2)?;
    let x = a.tensor(0)?;
    let (values, inverse, counts) = sort::unique_dim(&x, a.int(1)?, true).or_raise(vm)?;
    sort::without_slope(nodes::UNIQUE_CONSECUTIVE, "unique_consecutive", &x, &values).or_raise(vm)?;
    Ok(tuple(vec![values, inverse, counts], vm))
}

fn bincount(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(sort::bincount(&a.tensor(0)?, a.tensor_or_none(1)?.as_ref(), a.int_or(2, 0)?), vm)
}

fn scatter_reduce(call: Call<'_>, in_place: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (x, dim, i, src) = (a.tensor(0)?, a.int(1)?, a.tensor(2)?, a.tensor(3)?);
    let (how, own) = (a.str(4)?.unwrap_or_default(), a.bool_or("include_self", true)?);
    if !in_place {
        return answer(index::scatter_reduce(&x, dim, &i, &src, how, own), vm);
    }
    index::scatter_reduce_(&x, dim, &i, &src, how, own).or_raise(vm)?;
    Ok(wrap(x, vm))
}

fn searchsorted(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let sorted = a.tensor(0)?;
    let (mut right, sorter) = (a.bool_or("right", false)?, a.tensor_or_none("sorter")?);
    match a.str("side")? {
        None => {}
        Some("right") => right = true,
        Some("left") if right => {
            return Err(vm.new_runtime_error(
                "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True",
            ));
        }
        Some("left") => {}
        Some(other) => {
            return Err(vm.new_runtime_error(format!(
                "torch.searchsorted(): side can only be 'left' or 'right' but got {other}"
            )));
        }
    }
    let values = found_values(a.operand(1)?, &sorted).or_raise(vm)?;
    let how = sort::Search { right, int32: a.bool_or("out_int32", false)?, sorter: sorter.as_ref() };
    answer(sort::searchsorted(&sorted, &values, how), vm)
}

/// `torch.bucketize(values, boundaries)`.
fn bucketize(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let sorted = a.tensor(1)?;
    if sorted.ndim() != 1 {
        return Err(
            vm.new_runtime_error(format!("boundaries tensor must be 1 dimension, but got dim({})", sorted.ndim()))
        );
    }
    let values = found_values(a.operand(0)?, &sorted).or_raise(vm)?;
    let how = sort::Search { right: a.bool_or("right", false)?, int32: a.bool_or("out_int32", false)?, sorter: None };
    answer(sort::searchsorted(&sorted, &values, how), vm)
}

/// The values to search for: a tensor, or a number, which becomes a tensor on the boundaries' device.
fn found_values(value: Arg, sorted: &Tensor) -> Result<Tensor> {
    match value {
        Arg::Tensor(t) => Ok(t),
        Arg::Number(n) => {
            let dtype = match n {
                Scalar::Float(_) => crate::engine::current().settings.default_dtype(),
                _ => DType::I64,
            };
            ops::create::full(&[], n, dtype, sorted.device())
        }
    }
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("gather", FM, gather),
    ("index_select", FM, index_select),
    ("scatter", FM, |c| scatter(c, false)),
    ("scatter_", M, |c| scatter(c, true)),
    ("scatter_add", FM, |c| with_index(c, index::scatter_add)),
    ("scatter_reduce", FM, |c| scatter_reduce(c, false)),
    ("scatter_reduce_", M, |c| scatter_reduce(c, true)),
    ("scatter_add_", M, |c| with_index_in_place(c, index::scatter_add_)),
    ("index_copy", FM, |c| with_index(c, index::index_copy)),
    ("index_copy_", M, |c| with_index_in_place(c, index::index_copy_)),
    ("index_add", FM, |c| index_add(c, false)),
    ("index_add_", M, |c| index_add(c, true)),
    ("put_", M, put),
    ("index_fill", FM, |c| index_fill(c, false)),
    ("index_fill_", M, |c| index_fill(c, true)),
    ("index_put", FM, |c| index_put(c, false)),
    ("index_put_", M, |c| index_put(c, true)),
    ("take", FM, take),
    ("masked_select", FM, masked_select),
    ("nonzero", FM, nonzero),
    ("argwhere", FM, nonzero),
    ("sort", FM, sorted),
    ("argsort", FM, argsort),
    ("topk", FM, topk),
    ("kthvalue", FM, kthvalue),
    ("median", FM, median),
    ("unique", FM, unique),
    ("bincount", FM, bincount),
    ("searchsorted", F, searchsorted),
    ("bucketize", F, bucketize),
    ("_unique_runs", F, unique_runs),
]];
