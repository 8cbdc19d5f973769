//! Moving and converting: `to`, `cuda`, `cpu`, `item`, `tolist`.

use rustpython_vm::builtins::PyStr;
use rustpython_vm::{PyObject, PyResult, VirtualMachine};

use super::args::{Bound, Call};
use super::binding::{M, Row};
use super::convert::{self, type_name};
use super::error::OrRaise;
use super::pointwise::one;
use super::tensor::{answer, number};
use crate::device::{Device, DeviceType};
use crate::dtype::DType;
use crate::engine;
use crate::ops::transfer::{self, Format, To};
use crate::ops::{Arg, create, rows, view};
use crate::tensor::Tensor;
use crate::trace::Why;

/// The arguments of `to(...)`, for a tensor or a module.
fn wanted(a: &Bound<'_>) -> PyResult<To> {
    let vm = a.vm;
    let mut want = To::default();
    if a.takes("tensor") {
        (want.device, want.dtype) = match a.operand("tensor")? {
            Arg::Tensor(other) => (Some(other.device()), Some(other.dtype())),
            // A number counts as a tensor that holds it: on the CPU, with its widest dtype.
            Arg::Number(value) => (Some(Device::CPU), Some(value.dtype(DType::F64))),
        };
    } else {
        want.dtype = a.dtype("dtype")?;
        want.device = if a.takes("device") { a.device("device")? } else { None };
    }
    want.non_blocking = a.bool_or("non_blocking", false)?;
    want.copy = a.bool_or("copy", false)?;
    if let Some(format) = a.some("memory_format") {
        want.format = memory_format(format, vm)?;
    }
    Ok(want)
}

/// A `torch.memory_format`.
pub(super) fn memory_format(o: &PyObject, vm: &VirtualMachine) -> PyResult<Format> {
    Ok(match convert::show(o, vm).as_str() {
        "torch.preserve_format" | "None" => Format::Preserve,
        "torch.contiguous_format" => Format::Contiguous,
        "torch.channels_last" => Format::ChannelsLast,
        "torch.channels_last_3d" => Format::ChannelsLast3d,
        _ => return Err(vm.new_type_error(format!("memory_format must be torch.memory_format, not {}", type_name(o)))),
    })
}

fn to(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, want) = (a.tensor(0)?, wanted(&a)?);
    warn_real(&t, want.dtype, vm)?;
    answer(transfer::to(&t, want), vm)
}

/// Warns that a conversion discards the imaginary part.
pub(super) fn warn_real(t: &Tensor, dtype: Option<DType>, vm: &VirtualMachine) -> PyResult<()> {
    let lossy = t.dtype().is_complex() && dtype.is_some_and(|d| !d.is_complex() && d != DType::Bool);
    if lossy {
        super::error::warn_once("Casting complex values to real discards the imaginary part", vm)
    } else {
        Ok(())
    }
}

fn cuda(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let device = match a.some(1) {
        None => Device { kind: DeviceType::CUDA, index: None },
        Some(_) => a.device(1)?.unwrap_or(Device { kind: DeviceType::CUDA, index: None }),
    };
    if !device.is_cuda() {
        return Err(vm.new_runtime_error("Invalid device, must be cuda device"));
    }
    let want = To { device: Some(device), non_blocking: a.bool_or(2, false)?, ..To::default() };
    answer(transfer::to(&a.tensor(0)?, want), vm)
}

/// The tensor of `t.float()` and the like, and the layout that it is to have.
fn laid_out(call: Call<'_>) -> PyResult<(Tensor, Format)> {
    let vm = call.vm;
    if !call.has_keywords() {
        return Ok((one(call)?, Format::Preserve));
    }
    let a = call.args()?;
    let format = a.some("memory_format").map_or(Ok(Format::Preserve), |o| memory_format(o, vm))?;
    Ok((a.tensor(0)?, format))
}

fn cpu(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let (t, format) = laid_out(call)?;
    answer(transfer::to(&t, To { device: Some(Device::CPU), format, ..To::default() }), vm)
}

fn cast(call: Call<'_>, dtype: DType) -> PyResult {
    let vm = call.vm;
    let (t, format) = laid_out(call)?;
    warn_real(&t, Some(dtype), vm)?;
    match format {
        Format::Preserve => answer(transfer::cast(&t, dtype), vm),
        _ => answer(transfer::to(&t, To { dtype: Some(dtype), format, ..To::default() }), vm),
    }
}

/// `t.type()`, `t.type(dtype)`, `t.type("torch.cuda.FloatTensor")`.
fn type_(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let t = a.tensor(0)?;
    let Some(object) = a.some(1) else {
        let prefix = if t.device().is_cuda() { "cuda." } else { "" };
        return Ok(vm.ctx.new_str(format!("torch.{prefix}{}Tensor", t.dtype().scalar_name())).into());
    };
    if let Some(dtype) = convert::dtype(object, vm) {
        warn_real(&t, Some(dtype), vm)?;
        return answer(transfer::cast(&t, dtype), vm);
    }
    let Some(name) = object.downcast_ref::<PyStr>().and_then(|s| s.to_str()) else {
        return Err(vm.new_type_error("dtype must be a type, str, or dtype object"));
    };
    let invalid = || vm.new_value_error(format!("invalid type: '{name}'"));
    let rest = name.strip_prefix("torch.").ok_or_else(invalid)?;
    let (device, rest) = match rest.strip_prefix("cuda.") {
        Some(rest) => (Device { kind: DeviceType::CUDA, index: None }, rest),
        None => (Device::CPU, rest),
    };
    let scalar = rest.strip_suffix("Tensor").ok_or_else(invalid)?;
    let dtype = DType::EVERY.into_iter().find(|d| d.scalar_name() == scalar).ok_or_else(invalid)?;
    warn_real(&t, Some(dtype), vm)?;
    answer(transfer::to(&t, To { device: Some(device), dtype: Some(dtype), ..To::default() }), vm)
}

fn type_as(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let other = a.tensor(1)?;
    let want = To { device: Some(other.device()), dtype: Some(other.dtype()), ..To::default() };
    warn_real(&a.tensor(0)?, want.dtype, vm)?;
    answer(transfer::to(&a.tensor(0)?, want), vm)
}

fn item(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let t = one(call)?;
    let value = transfer::item(&t, Why::Item).or_raise(vm)?;
    super::names::value_read(&object, value, vm);
    Ok(number(value, vm))
}

fn tolist(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let t = one(call)?;
    super::data::tolist(&t, vm)
}

fn numpy(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let t = a.tensor(0)?;
    let t = match a.bool_or(1, false)? {
        true => {
            let there = transfer::to_device(&t.detach(), Device::CPU, Why::Numpy).or_raise(vm)?;
            crate::ops::complex::resolve(&there).or_raise(vm)?
        }
        false => t,
    };
    super::data::numpy(&t, vm)
}

fn copy_(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.args()?;
    let t = a.tensor(0)?;
    let from = match a.operand(1)? {
        Arg::Tensor(from) => from,
        Arg::Number(value) => {
            let dtype = value.dtype(engine::current().settings.default_dtype());
            create::full(&[], value, dtype, Device::CPU).or_raise(vm)?
        }
    };
    warn_real(&from, Some(t.dtype()), vm)?;
    transfer::copy_(&t, &from, a.bool_or(2, false)?).or_raise(vm)?;
    Ok(object)
}

fn pin_memory(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(transfer::pinned(&a.tensor(0)?), vm)
}

fn requires_grad_(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.args()?;
    a.tensor(0)?.set_requires_grad(a.bool_or(1, true)?).or_raise(vm)?;
    Ok(object)
}

fn retain_grad(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    one(call)?.retain_grad().or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn detach_(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let t = one(call)?;
    view::detach_(&t).or_raise(vm)?;
    Ok(object)
}

/// `_copy_between(t, device, why)`: a tensor outside the graph on a device, over the same storage if it's already there.
/// `why` is the operation to which the copy belongs.
fn copy_between(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "device", "why"], 3)?;
    let why = match a.str(2)? {
        Some("gather") => Why::Gather,
        Some("allreduce") => Why::AllReduce,
        _ => Why::Scatter,
    };
    let Some(device) = a.device(1)? else { return Err(a.wrong(1, "torch.device")) };
    answer(transfer::to_device(&a.tensor(0)?.detach(), device, why), vm)
}

/// `_parse_to(module, *args, **kwargs)`: device and dtype for `Module.to`.
fn parse_to(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let want = wanted(&call.args_of(&rows::TO)?)?;
    let device = want.device.map_or_else(|| vm.ctx.none(), |d| super::device::object(d, vm));
    let dtype = want.dtype.map_or_else(|| vm.ctx.none(), |d| super::dtype::object(d, vm));
    Ok(vm.new_tuple((device, dtype, want.non_blocking)).into())
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("to", M, to),
    ("cuda", M, cuda),
    ("cpu", M, cpu),
    ("double", M, |c| cast(c, DType::F64)),
    ("float", M, |c| cast(c, DType::F32)),
    ("half", M, |c| cast(c, DType::F16)),
    ("bfloat16", M, |c| cast(c, DType::BF16)),
    ("long", M, |c| cast(c, DType::I64)),
    ("int", M, |c| cast(c, DType::I32)),
    ("short", M, |c| cast(c, DType::I16)),
    ("char", M, |c| cast(c, DType::I8)),
    ("byte", M, |c| cast(c, DType::U8)),
    ("bool", M, |c| cast(c, DType::Bool)),
    ("cfloat", M, |c| cast(c, DType::C64)),
    ("cdouble", M, |c| cast(c, DType::C128)),
    ("type", M, type_),
    ("type_as", M, type_as),
    ("item", M, item),
    ("tolist", M, tolist),
    ("numpy", M, numpy),
    ("copy_", M, copy_),
    ("pin_memory", M, pin_memory),
    ("requires_grad_", M, requires_grad_),
    ("retain_grad", M, retain_grad),
    ("detach_", M, detach_),
    ("_parse_to", super::binding::F, parse_to),
    ("_copy_between", super::binding::F, copy_between),
]];
