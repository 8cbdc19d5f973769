//! Functions that view a tensor's elements in another shape, and functions that join tensors.

use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

use super::args::Call;
use super::binding::{F, FM, M, Row};
use super::error::OrRaise;
use super::pointwise::answer;
use super::tensor::{number, tensor_of, wrap};
use super::transfer::memory_format;
use super::{dtype, shape};
use crate::dtype::{DType, Scalar};
use crate::error::{Error, Result};
use crate::ops::transfer::{Format, To};
use crate::ops::{self, view};
use crate::tensor::Tensor;

/// A tuple of tensors.
pub(super) fn tuple(items: Vec<Tensor>, vm: &VirtualMachine) -> PyObjectRef {
    let items = items.into_iter().map(|t| wrap(t, vm)).collect();
    vm.ctx.new_tuple(items).into()
}

fn reshape(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind_spread(1, &["input", "shape"], 2)?;
    answer(view::reshape(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn view_method(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind_spread(1, &["self", "size"], 2)?;
    if let Some(d) = a.get(1).and_then(|o| super::args::dtype(o, vm)) {
        let t = a.tensor(0)?;
        if d == t.dtype() {
            return answer(view::view(&t, &t.shape().iter().map(|&n| n as i64).collect::<Vec<_>>()), vm);
        }
        return Err(super::error::not_implemented("Tensor.view(dtype)", vm));
    }
    answer(view::view(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn like_shape(call: Call<'_>, f: fn(&Tensor, &[i64]) -> crate::error::Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "other"], 2)?;
    let sizes: Vec<i64> = a.tensor(1)?.shape().iter().map(|&n| n as i64).collect();
    answer(f(&a.tensor(0)?, &sizes), vm)
}

fn permute(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind_spread(1, &["input", "dims"], 2)?;
    answer(view::permute(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn transpose(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "dim0", "dim1"], 3)?;
    answer(view::transpose(&a.tensor(0)?, a.int(1)?, a.int(2)?), vm)
}

fn t(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let x = super::pointwise::one(call)?;
    answer(view::t(&x), vm)
}

fn expand(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind_spread(1, &["self", "size", "*implicit"], 2)?;
    answer(view::expand(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn broadcast_to(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "size"], 2)?;
    answer(view::expand(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn unsqueeze(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "dim"], 2)?;
    answer(view::unsqueeze(&a.tensor(0)?, a.int(1)?), vm)
}

fn squeeze(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "dim"], 1)?;
    if a.some(1).is_none() {
        return answer(view::squeeze(&a.tensor(0)?), vm);
    }
    answer(view::squeeze_dims(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn flatten(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "start_dim", "end_dim"], 1)?;
    answer(ops::shape::flatten(&a.tensor(0)?, a.int_or(1, 0)?, a.int_or(2, -1)?), vm)
}

fn unflatten(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "dim", "sizes"], 3)?;
    answer(ops::shape::unflatten(&a.tensor(0)?, a.int(1)?, &a.ints(2)?), vm)
}

fn narrow(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "dim", "start", "length"], 4)?;
    answer(view::narrow(&a.tensor(0)?, a.int(1)?, a.int(2)?, a.int(3)?), vm)
}

fn select(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "dim", "index"], 3)?;
    let t = a.tensor(0)?;
    if t.ndim() == 0 {
        return Err(vm.new_index_error("select() cannot be applied to a 0-dim tensor."));
    }
    let d = crate::shape::wrap_dim(a.int(1)?, t.ndim()).or_raise(vm)?;
    answer(view::select(&t, d, a.int(2)?), vm)
}

fn diagonal(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "offset", "dim1", "dim2"], 1)?;
    answer(view::diagonal(&a.tensor(0)?, a.int_or(1, 0)?, a.int_or(2, 0)?, a.int_or(3, 1)?), vm)
}

fn unfold(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "dimension", "size", "step"], 4)?;
    answer(view::unfold(&a.tensor(0)?, a.int(1)?, a.int(2)?, a.int(3)?), vm)
}

fn as_strided(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "size", "stride", "storage_offset"], 3)?;
    answer(view::as_strided(&a.tensor(0)?, &a.ints(1)?, &a.ints(2)?, a.int_or_none(3)?), vm)
}

fn detach(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    Ok(wrap(view::detach(&super::pointwise::one(call)?), vm))
}

fn one_view(call: Call<'_>, f: fn(&Tensor) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    answer(f(&super::pointwise::one(call)?), vm)
}

fn unbind(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "dim"], 1)?;
    Ok(tuple(ops::shape::unbind(&a.tensor(0)?, a.int_or(1, 0)?).or_raise(vm)?, vm))
}

fn split_even(t: &Tensor, size: i64, dim: i64) -> Result<Vec<Tensor>> {
    if size < 0 {
        return Err(Error::runtime(format!("split expects split_size be non-negative, but got split_size={size}")));
    }
    // A size that can't be counted exceeds the number of elements.
    ops::shape::split(t, crate::shape::clamped(size), dim)
}

fn split(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["tensor", "split_size_or_sections", "dim"], 2)?;
    let (t, dim) = (a.tensor(0)?, a.int_or(2, 0)?);
    let by_list = a.get(1).is_some_and(|o| super::args::sequence(o).is_some());
    let parts = if by_list { ops::shape::split_sizes(&t, &a.ints(1)?, dim) } else { split_even(&t, a.int(1)?, dim) };
    Ok(tuple(parts.or_raise(vm)?, vm))
}

fn chunk(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "chunks", "dim"], 2)?;
    Ok(tuple(ops::shape::chunk(&a.tensor(0)?, a.int(1)?, a.int_or(2, 0)?).or_raise(vm)?, vm))
}

fn cat(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["tensors", "dim", "*out"], 1)?;
    answer(ops::shape::cat(&a.tensors(0)?, a.int_or(1, 0)?), vm)
}

fn stack(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["tensors", "dim", "*out"], 1)?;
    answer(ops::shape::stack(&a.tensors(0)?, a.int_or(1, 0)?), vm)
}

fn flip(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind_spread(1, &["input", "dims"], 2)?;
    answer(ops::shape::flip(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn movedim(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "source", "destination"], 3)?;
    answer(ops::shape::movedim(&a.tensor(0)?, &a.ints(1)?, &a.ints(2)?), vm)
}

fn tensor_split(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "indices_or_sections", "dim"], 2)?;
    let (t, dim) = (a.tensor(0)?, a.int_or(2, 0)?);
    if let Some(given) = a.get(1).and_then(|o| tensor_of(o)) {
        return Ok(tuple(ops::shape::tensor_split_by(&t, given, dim).or_raise(vm)?, vm));
    }
    let by_list = a.get(1).is_some_and(|o| super::args::sequence(o).is_some());
    let parts = if by_list {
        ops::shape::tensor_split_at(&t, &a.ints(1)?, dim)
    } else {
        ops::shape::tensor_split(&t, a.int(1)?, dim)
    };
    Ok(tuple(parts.or_raise(vm)?, vm))
}

fn repeated(call: Call<'_>, f: fn(&Tensor, &[i64]) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.bind_spread(1, &["input", "sizes"], 2)?;
    answer(f(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn repeat_interleave(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "repeats", "dim", "*output_size"], 2)?;
    let (t, dim) = (a.tensor(0)?, a.int_or_none(2)?);
    match a.get(1).and_then(|o| tensor_of(o)) {
        Some(repeats) => answer(ops::shape::repeat_interleave_by(&t, repeats, dim), vm),
        None => answer(ops::shape::repeat_interleave(&t, a.int(1)?, dim), vm),
    }
}

fn roll(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "shifts", "dims"], 2)?;
    answer(ops::shape::roll(&a.tensor(0)?, &a.ints(1)?, &a.dims(2)?), vm)
}

fn triangle(call: Call<'_>, upper: bool) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "diagonal"], 1)?;
    answer(ops::shape::triangle(&a.tensor(0)?, upper, a.int_or(1, 0)?), vm)
}

fn with_offset(call: Call<'_>, f: fn(&Tensor, i64) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "offset"], 1)?;
    answer(f(&a.tensor(0)?, a.int_or(1, 0)?), vm)
}

/// Tensors given one by one or as a sequence.
fn several(call: Call<'_>) -> PyResult<Vec<Tensor>> {
    let vm = call.vm;
    let given = call.positional().to_vec();
    let items = match &given[..] {
        [one] => super::args::sequence(one).unwrap_or(given.clone()),
        _ => given,
    };
    items
        .iter()
        .map(|o| tensor_of(o).cloned().ok_or_else(|| vm.new_type_error("expected a sequence of Tensors")))
        .collect()
}

fn broadcast_tensors(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let list = several(call)?;
    Ok(tuple(ops::shape::broadcast_tensors(&list).or_raise(vm)?, vm))
}

fn meshgrid(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let indexing = call.keyword("indexing").and_then(|o| super::function::text(o)).unwrap_or("ij").to_string();
    let list = several(call)?;
    Ok(tuple(ops::shape::meshgrid(&list, &indexing).or_raise(vm)?, vm))
}

/// `atleast_1d` and the like, for one tensor or several, given one by one or as a sequence.
fn at_least(call: Call<'_>, n: usize) -> PyResult {
    let vm = call.vm;
    if call.positional().len() < 2 && call.positional().first().is_none_or(|o| tensor_of(o).is_some()) {
        return answer(ops::shape::at_least(&super::pointwise::one(call)?, n), vm);
    }
    let all: Result<Vec<Tensor>> = several(call)?.iter().map(|t| ops::shape::at_least(t, n)).collect();
    Ok(tuple(all.or_raise(vm)?, vm))
}

fn diag_embed(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "offset", "dim1", "dim2"], 1)?;
    answer(ops::shape::diag_embed(&a.tensor(0)?, a.int_or(1, 0)?, a.int_or(2, -2)?, a.int_or(3, -1)?), vm)
}

/// `vstack` and `hstack`.
fn stacked(call: Call<'_>, least: usize, vertical: bool) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["tensors"], 1)?;
    let list: Result<Vec<Tensor>> = a.tensors(0)?.iter().map(|t| ops::shape::at_least(t, least)).collect();
    let list = list.or_raise(vm)?;
    let dim = if vertical || list.first().is_some_and(|t| t.ndim() == 1) { 0 } else { 1 };
    answer(ops::shape::cat(&list, dim), vm)
}

fn contiguous(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "*memory_format"], 1)?;
    let t = a.tensor(0)?;
    let format = a.some(1).map_or(Ok(Format::Contiguous), |o| memory_format(o, vm))?;
    if format == Format::Contiguous {
        return answer(ops::create::contiguous(&t), vm);
    }
    if format == Format::Preserve {
        return Err(vm.new_runtime_error("preserve memory format is unsupported by the contiguous operator"));
    }
    answer(ops::transfer::to(&t, To { format, ..To::default() }), vm)
}

fn is_contiguous(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "memory_format"], 1)?;
    let format = a.some(1).map_or(Ok(Format::Contiguous), |o| memory_format(o, vm))?;
    let yes = ops::transfer::is_contiguous(&a.tensor(0)?, format).or_raise(vm)?;
    Ok(vm.ctx.new_bool(yes).into())
}

fn clone(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "*memory_format"], 1)?;
    let format = a.some(1).map_or(Ok(Format::Preserve), |o| memory_format(o, vm))?;
    match format {
        Format::Preserve => answer(ops::create::clone(&a.tensor(0)?), vm),
        _ => answer(ops::transfer::to(&a.tensor(0)?, To { copy: true, format, ..To::default() }), vm),
    }
}

// ---- what there is to ask ---------------------------------------------------------------------------------------------

fn size(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "dim"], 1)?;
    let t = a.tensor(0)?;
    match a.int_or_none(1)? {
        None => shape::size(&t.shape(), vm),
        Some(d) => {
            let d = crate::shape::wrap_own_dim(d, t.ndim()).or_raise(vm)?;
            Ok(vm.ctx.new_int(t.size(d)).into())
        }
    }
}

fn stride(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "dim"], 1)?;
    let t = a.tensor(0)?;
    match a.int_or_none(1)? {
        None => Ok(vm.ctx.new_tuple(t.strides().iter().map(|&n| vm.ctx.new_int(n).into()).collect()).into()),
        Some(d) => Ok(vm.ctx.new_int(t.strides()[crate::shape::wrap_own_dim(d, t.ndim()).or_raise(vm)?]).into()),
    }
}

fn ask(call: Call<'_>, f: fn(&Tensor) -> Scalar) -> PyResult {
    let vm = call.vm;
    Ok(number(f(&super::pointwise::one(call)?), vm))
}

fn count(n: usize) -> Scalar {
    Scalar::Int(n as i64)
}

fn is_tensor(call: Call<'_>) -> PyResult {
    let yes = call.positional().first().is_some_and(|o| tensor_of(o).is_some());
    Ok(call.vm.ctx.new_bool(yes).into())
}

fn is_set_to(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "tensor"], 2)?;
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    Ok(vm.ctx.new_bool(x.storage().same(&y.storage()) && x.layout() == y.layout()).into())
}

fn element_type(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let t = call.self_tensor()?;
    Ok(dtype::object(t.dtype(), vm))
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("reshape", FM, reshape),
    ("view", M, view_method),
    ("view_as", M, |c| like_shape(c, view::view)),
    ("reshape_as", M, |c| like_shape(c, view::reshape)),
    ("expand_as", M, |c| like_shape(c, view::expand)),
    ("permute", FM, permute),
    ("transpose", FM, transpose),
    ("swapaxes", FM, transpose),
    ("swapdims", FM, transpose),
    ("t", FM, t),
    ("expand", M, expand),
    ("broadcast_to", FM, broadcast_to),
    ("unsqueeze", FM, unsqueeze),
    ("squeeze", FM, squeeze),
    ("flatten", FM, flatten),
    ("ravel", FM, flatten),
    ("unflatten", FM, unflatten),
    ("narrow", FM, narrow),
    ("select", FM, select),
    ("diagonal", FM, diagonal),
    ("unfold", M, unfold),
    ("as_strided", FM, as_strided),
    ("real", F, |c| one_view(c, ops::complex::real)),
    ("imag", F, |c| one_view(c, ops::complex::imag)),
    ("view_as_real", F, |c| one_view(c, ops::complex::view_as_real)),
    ("view_as_complex", F, |c| one_view(c, ops::complex::view_as_complex)),
    ("resolve_conj", FM, |c| c.self_object()),
    ("detach", FM, detach),
    ("unbind", FM, unbind),
    ("split", FM, split),
    ("chunk", FM, chunk),
    ("cat", F, cat),
    ("concat", F, cat),
    ("concatenate", F, cat),
    ("stack", F, stack),
    ("flip", FM, flip),
    ("tensor_split", FM, tensor_split),
    ("repeat", M, |c| repeated(c, ops::shape::repeat)),
    ("tile", FM, |c| repeated(c, ops::shape::tile)),
    ("repeat_interleave", FM, repeat_interleave),
    ("roll", FM, roll),
    ("tril", FM, |c| triangle(c, false)),
    ("triu", FM, |c| triangle(c, true)),
    ("diag", FM, |c| with_offset(c, ops::shape::diag)),
    ("diag_embed", FM, diag_embed),
    ("broadcast_tensors", F, broadcast_tensors),
    ("meshgrid", F, meshgrid),
    ("atleast_1d", F, |c| at_least(c, 1)),
    ("atleast_2d", F, |c| at_least(c, 2)),
    ("vstack", F, |c| stacked(c, 2, true)),
    ("row_stack", F, |c| stacked(c, 2, true)),
    ("hstack", F, |c| stacked(c, 1, false)),
    ("movedim", FM, movedim),
    ("moveaxis", FM, movedim),
    ("contiguous", M, contiguous),
    ("clone", FM, clone),
    ("size", M, size),
    ("stride", M, stride),
    ("dim", M, |c| ask(c, |t| count(t.ndim()))),
    ("ndimension", M, |c| ask(c, |t| count(t.ndim()))),
    ("numel", FM, |c| ask(c, |t| count(t.numel()))),
    ("nelement", M, |c| ask(c, |t| count(t.numel()))),
    ("element_size", M, |c| ask(c, |t| count(t.dtype().size()))),
    ("storage_offset", M, |c| ask(c, |t| count(t.offset()))),
    ("data_ptr", M, |c| ask(c, |t| Scalar::Int(t.data_ptr() as i64))),
    ("get_device", FM, |c| ask(c, |t| Scalar::Int(t.device().index.map_or(-1, i64::from)))),
    ("is_contiguous", M, is_contiguous),
    ("is_pinned", M, |c| ask(c, |t| Scalar::Bool(t.is_pinned()))),
    ("is_inference", FM, |c| ask(c, |t| Scalar::Bool(t.is_inference()))),
    ("is_floating_point", FM, |c| ask(c, |t| Scalar::Bool(t.dtype().is_float()))),
    ("is_complex", FM, |c| ask(c, |t| Scalar::Bool(t.dtype().is_complex()))),
    ("is_conj", FM, |c| ask(c, |_| Scalar::Bool(false))),
    ("is_signed", FM, |c| {
        ask(c, |t| Scalar::Bool(!matches!(t.dtype(), DType::U8 | DType::U16 | DType::U32 | DType::Bool)))
    }),
    ("is_set_to", M, is_set_to),
    ("is_tensor", F, is_tensor),
    ("_dtype", M, element_type),
]];
