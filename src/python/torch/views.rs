//! Functions that view a tensor's elements in another shape, and functions that join tensors.

use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

use super::args::Call;
use super::binding::{F, FM, M, Row};
use super::convert;
use super::error::OrRaise;
use super::tensor::{answer, number, tensor_of, tuple, wrap};
use super::transfer::memory_format;
use super::{dtype, shape};
use crate::dtype::{DType, Scalar};
use crate::error::{Error, Result};
use crate::ops::transfer::{Format, To};
use crate::ops::{self, view};
use crate::tensor::Tensor;

fn reshape(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(view::reshape(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn view_method(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    if let Some(d) = a.dtype("dtype")? {
        let t = a.tensor(0)?;
        if d == t.dtype() {
            return answer(view::view(&t, &t.shape().iter().map(|&n| n as i64).collect::<Vec<_>>()), vm);
        }
        return answer(view::view_dtype(&t, d), vm);
    }
    answer(view::view(&a.tensor(0)?, &a.ints("size")?), vm)
}

fn like_shape(call: Call<'_>, f: fn(&Tensor, &[i64]) -> crate::error::Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let sizes: Vec<i64> = a.tensor(1)?.shape().iter().map(|&n| n as i64).collect();
    answer(f(&a.tensor(0)?, &sizes), vm)
}

fn permute(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(view::permute(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn transpose(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(view::transpose(&a.tensor(0)?, a.int(1)?, a.int(2)?), vm)
}

fn t(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let x = super::pointwise::one(call)?;
    answer(view::t(&x), vm)
}

fn expand(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(view::expand(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn broadcast_to(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(view::expand(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn unsqueeze(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(view::unsqueeze(&a.tensor(0)?, a.int(1)?), vm)
}

fn squeeze(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    if a.some(1).is_none() {
        return answer(view::squeeze(&a.tensor(0)?), vm);
    }
    let t = a.tensor(0)?;
    match a.ints(1)?[..] {
        // One number and a list of one have nodes of their own.
        [dim] if a.some(1).is_some_and(|given| matches!(convert::int(given, vm), Ok(Some(_)))) => {
            answer(view::squeeze_dim(&t, dim), vm)
        }
        ref dims => answer(view::squeeze_dims(&t, dims), vm),
    }
}

fn flatten(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(ops::shape::flatten(&a.tensor(0)?, a.int_or(1, 0)?, a.int_or(2, -1)?), vm)
}

fn ravel(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let t = call.args()?.tensor(0)?;
    answer(ops::create::contiguous(&t).and_then(|t| view::view(&t, &[-1])), vm)
}

fn unflatten(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, dim) = (a.tensor(0)?, a.int(1)?);
    let Some(sizes) = a.some(2) else { return Err(vm.new_runtime_error("unflatten: sizes must be non-empty")) };
    if !sizes.to_owned().is_true(vm)? {
        return Err(vm.new_runtime_error("unflatten: sizes must be non-empty"));
    }
    if convert::sequence(sizes).is_none() {
        return Err(a.wrong(2, "tuple of ints"));
    }
    answer(ops::shape::unflatten(&t, dim, &a.ints(2)?), vm)
}

fn narrow(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let start = match a.get(2).and_then(|o| tensor_of(o)) {
        Some(start) if start.ndim() > 0 || !start.dtype().is_integral() || start.dtype() == DType::Bool => {
            return Err(vm.new_runtime_error("start must be an 0-dim integral Tensor."));
        }
        Some(start) => ops::transfer::item(start, crate::trace::Why::Item).or_raise(vm)?.as_i64(),
        None => a.int(2)?,
    };
    answer(view::narrow(&a.tensor(0)?, a.int(1)?, start, a.int(3)?), vm)
}

fn select(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let t = a.tensor(0)?;
    if t.ndim() == 0 {
        return Err(vm.new_index_error("select() cannot be applied to a 0-dim tensor."));
    }
    let d = crate::shape::wrap_dim(a.int(1)?, t.ndim()).or_raise(vm)?;
    answer(view::select(&t, d, a.int(2)?), vm)
}

fn diagonal(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(view::diagonal(&a.tensor(0)?, a.int_or(1, 0)?, a.int_or(2, 0)?, a.int_or(3, 1)?), vm)
}

fn unfold(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(view::unfold(&a.tensor(0)?, a.int(1)?, a.int(2)?, a.int(3)?), vm)
}

fn as_strided(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(view::as_strided(&a.tensor(0)?, &a.ints(1)?, &a.ints(2)?, a.int_or_none(3)?), vm)
}

fn detach(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    Ok(wrap(view::detach(&super::pointwise::one(call)?), vm))
}

/// `_flipped(t)`: the same memory, negated when it's read, outside the graph.
fn flipped(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    Ok(wrap(call.bind(&["input"], 1)?.tensor(0)?.flip(), vm))
}

fn one_view(call: Call<'_>, f: fn(&Tensor) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    answer(f(&super::pointwise::one(call)?), vm)
}

fn unbind(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
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
    let a = call.args()?;
    let (t, dim) = (a.tensor(0)?, a.int_or(2, 0)?);
    let size = a.required(1)?;
    let parts = match super::convert::is_int(size) {
        true => split_even(&t, a.int(1)?, dim),
        false if super::convert::sequence(size).is_some() => ops::shape::split_sizes(&t, &a.ints(1)?, dim),
        // PyTorch calls this function then, and it says so itself.
        false => {
            let text = "split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, not";
            return Err(vm.new_type_error(format!("{text} {}", super::convert::type_name(size))));
        }
    };
    Ok(tuple(parts.or_raise(vm)?, vm))
}

fn chunk(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    Ok(tuple(ops::shape::chunk(&a.tensor(0)?, a.int(1)?, a.int_or(2, 0)?).or_raise(vm)?, vm))
}

fn cat(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(ops::shape::cat(&a.tensors(0)?, a.int_or(1, 0)?), vm)
}

fn stack(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(ops::shape::stack(&a.tensors(0)?, a.int_or(1, 0)?), vm)
}

fn flip(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(ops::shape::flip(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn movedim(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(ops::shape::movedim(&a.tensor(0)?, &a.ints(1)?, &a.ints(2)?), vm)
}

fn tensor_split(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, dim) = (a.tensor(0)?, a.int_or(2, 0)?);
    if let Some(given) = a.get(1).and_then(|o| tensor_of(o)) {
        return Ok(tuple(ops::shape::tensor_split_by(&t, given, dim).or_raise(vm)?, vm));
    }
    let by_list = a.get(1).is_some_and(|o| super::convert::sequence(o).is_some());
    let parts = if by_list {
        ops::shape::tensor_split_at(&t, &a.ints(1)?, dim)
    } else {
        ops::shape::tensor_split(&t, a.int(1)?, dim)
    };
    Ok(tuple(parts.or_raise(vm)?, vm))
}

fn repeated(call: Call<'_>, f: fn(&Tensor, &[i64]) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(f(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn repeat_interleave(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    if !a.takes("dim") {
        // Of nothing but counts: each place as often as its count says.
        let counts = a.tensor("repeats")?;
        let n = i64::try_from(counts.numel()).unwrap_or(i64::MAX);
        let places = ops::create::arange(0.into(), n.into(), 1.into(), Some(DType::I64), counts.device());
        let whole = a.int_or_none("output_size")?;
        return answer(places.and_then(|places| ops::shape::repeat_interleave_by(&places, &counts, None, whole)), vm);
    }
    let (t, dim) = (a.tensor(0)?, a.int_or_none("dim")?);
    match a.get("repeats").and_then(|o| tensor_of(o)) {
        Some(repeats) => answer(ops::shape::repeat_interleave_by(&t, repeats, dim, a.int_or_none("output_size")?), vm),
        None => answer(ops::shape::repeat_interleave(&t, a.int("repeats")?, dim), vm),
    }
}

fn roll(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(ops::shape::roll(&a.tensor(0)?, &a.ints(1)?, &a.dims(2)?), vm)
}

fn triangle(call: Call<'_>, upper: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(ops::shape::triangle(&a.tensor(0)?, upper, a.int_or(1, 0)?), vm)
}

fn with_offset(call: Call<'_>, f: fn(&Tensor, i64) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(f(&a.tensor(0)?, a.int_or(1, 0)?), vm)
}

/// The tensors of a function that takes any number of them one by one; `argument` is the place that PyTorch gives them in errors.
pub(super) fn tensors(items: &[PyObjectRef], argument: usize, vm: &VirtualMachine) -> PyResult<Vec<Tensor>> {
    let one = |(i, o): (usize, &PyObjectRef)| {
        tensor_of(o).cloned().ok_or_else(|| {
            let got = super::convert::type_name(o);
            vm.new_type_error(format!("expected Tensor as element {i} in argument {argument}, but got {got}"))
        })
    };
    items.iter().enumerate().map(one).collect()
}

/// The items of the only argument, if that is a list or tuple, or else all arguments.
pub(super) fn unpacked(given: &[PyObjectRef]) -> Vec<PyObjectRef> {
    match given {
        [one] => super::convert::sequence(one).unwrap_or_else(|| given.to_vec()),
        _ => given.to_vec(),
    }
}

fn broadcast_tensors(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    call.refuse_keywords(&[])?;
    let list = tensors(call.positional(), 0, vm)?;
    Ok(tuple(ops::shape::broadcast_tensors(&list).or_raise(vm)?, vm))
}

fn meshgrid(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    call.refuse_keywords(&["indexing"])?;
    let indexing = match call.keyword("indexing").filter(|o| !vm.is_none(o)) {
        None => "ij".to_string(),
        Some(o) => match super::convert::text(o) {
            Some(text) => text.to_string(),
            None => {
                let got = super::convert::type_name(o);
                return Err(vm.new_type_error(format!("meshgrid(): argument 'indexing' must be str, not {got}")));
            }
        },
    };
    let list = tensors(&unpacked(call.positional()), 0, vm)?;
    Ok(tuple(ops::shape::meshgrid(&list, &indexing).or_raise(vm)?, vm))
}

/// `atleast_1d` and the like, for one tensor or several, given one by one or as a sequence.
fn at_least(call: Call<'_>, n: usize) -> PyResult {
    let vm = call.vm;
    call.refuse_keywords(&[])?;
    let list = match call.positional() {
        [_] => {
            let a = call.args()?;
            if a.takes("input") {
                return answer(ops::shape::at_least(&a.tensor(0)?, n), vm);
            }
            a.tensors(0)?
        }
        given => tensors(given, 0, vm)?,
    };
    let all: Result<Vec<Tensor>> = list.iter().map(|t| ops::shape::at_least(t, n)).collect();
    Ok(tuple(all.or_raise(vm)?, vm))
}

fn diag_embed(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(ops::shape::diag_embed(&a.tensor(0)?, a.int_or(1, 0)?, a.int_or(2, -2)?, a.int_or(3, -1)?), vm)
}

/// `vstack` and `hstack`.
fn stacked(call: Call<'_>, least: usize, vertical: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let given = a.tensors(0)?;
    if given.is_empty() {
        let name = if vertical { "vstack" } else { "hstack" };
        return Err(vm.new_runtime_error(format!("{name} expects a non-empty TensorList")));
    }
    let list: Result<Vec<Tensor>> = given.iter().map(|t| ops::shape::at_least(t, least)).collect();
    let list = list.or_raise(vm)?;
    let dim = if vertical || list.first().is_some_and(|t| t.ndim() == 1) { 0 } else { 1 };
    answer(ops::shape::cat(&list, dim), vm)
}

fn contiguous(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
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
    let a = call.args()?;
    let format = a.some(1).map_or(Ok(Format::Contiguous), |o| memory_format(o, vm))?;
    let yes = ops::transfer::is_contiguous(&a.tensor(0)?, format).or_raise(vm)?;
    Ok(vm.ctx.new_bool(yes).into())
}

fn clone(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let format = a.some(1).map_or(Ok(Format::Preserve), |o| memory_format(o, vm))?;
    match format {
        Format::Preserve => answer(ops::create::clone(&a.tensor(0)?), vm),
        _ => answer(ops::transfer::to(&a.tensor(0)?, To { copy: true, format, ..To::default() }), vm),
    }
}

// ---- what there is to ask ---------------------------------------------------------------------------------------------

fn size(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
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
    let a = call.args()?;
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
    let a = call.args()?;
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
    ("ravel", FM, ravel),
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
    ("resolve_conj", FM, |c| one_view(c, ops::complex::resolve)),
    ("_resolve", F, |c| {
        let (vm, a) = (c.vm, c.bind(&["input"], 1)?);
        super::tensor::answer(ops::complex::resolve(&a.tensor(0)?), vm)
    }),
    ("_flipped", F, flipped),
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
    ("is_conj", FM, |c| ask(c, |t| Scalar::Bool(t.is_flipped() && t.dtype().is_complex()))),
    ("_is_flipped", F, |c| {
        let (vm, a) = (c.vm, c.bind(&["input"], 1)?);
        Ok(vm.ctx.new_bool(a.tensor(0)?.is_flipped()).into())
    }),
    ("is_signed", FM, |c| {
        ask(c, |t| Scalar::Bool(!matches!(t.dtype(), DType::U8 | DType::U16 | DType::U32 | DType::Bool)))
    }),
    ("is_set_to", M, is_set_to),
    ("is_tensor", F, is_tensor),
    ("_dtype", M, element_type),
]];
