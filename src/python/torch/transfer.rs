//! Moving and converting: `to`, `cuda`, `cpu`, `item`, `tolist`.

use rustpython_vm::builtins::{PyFloat, PyStr};
use rustpython_vm::{AsObject, PyObject, PyResult, VirtualMachine};

use super::args::{self, Call, type_name};
use super::binding::{M, Row};
use super::device::device_of;
use super::error::OrRaise;
use super::pointwise::answer;
use super::tensor::{number, tensor_of};
use crate::device::{Device, DeviceType};
use crate::dtype::DType;
use crate::engine;
use crate::error::Result;
use crate::ops::transfer::{self, Format, To};
use crate::tensor::Tensor;
use crate::trace::Why;

/// The arguments of `to(...)`, for a tensor or a module.
pub(super) fn parse(call: &Call<'_>) -> PyResult<To> {
    let vm = call.vm;
    let mut want = To::default();
    let given = call.positional();
    let mut rest = given.iter().skip(1).peekable();
    let invalid = || invalid_to(call, vm);
    match rest.peek() {
        None => {}
        Some(o) if args::dtype(o, vm).is_some() => {
            want.dtype = args::dtype(o, vm);
            rest.next();
        }
        Some(o) if tensor_of(o).is_some() => {
            if let Some(other) = tensor_of(o) {
                want.dtype = Some(other.dtype());
                want.device = Some(other.device());
            }
            rest.next();
        }
        Some(o) if vm.is_none(o) => {
            rest.next();
            if rest.peek().is_some_and(|o| vm.is_none(o) || args::dtype(o, vm).is_some()) {
                want.dtype = rest.next().and_then(|o| args::dtype(o, vm));
            }
        }
        // A number counts as a tensor that holds it: on the CPU, with its widest dtype.
        Some(o) if o.downcast_ref::<PyFloat>().is_some() => {
            want.dtype = Some(DType::F64);
            want.device = Some(Device::CPU);
            rest.next();
        }
        Some(o) => match device_of(o, vm) {
            Some(device) => {
                want.device = Some(device?);
                rest.next();
                match rest.peek() {
                    Some(o) if args::dtype(o, vm).is_some() => {
                        want.dtype = args::dtype(o, vm);
                        rest.next();
                    }
                    Some(o) if vm.is_none(o) => {
                        rest.next();
                    }
                    _ => {}
                }
            }
            None => return Err(invalid()),
        },
    }
    for (position, flag) in rest.enumerate() {
        let on = flag.is(&vm.ctx.true_value);
        if !on && !flag.is(&vm.ctx.false_value) {
            return Err(invalid());
        }
        match position {
            0 => want.non_blocking = on,
            1 => want.copy = on,
            _ => return Err(invalid()),
        }
    }
    let known = ["device", "dtype", "non_blocking", "copy", "memory_format"];
    if !call.only_keywords(&known) {
        return Err(invalid());
    }
    if let Some(o) = call.keyword("device").filter(|o| !vm.is_none(o)) {
        want.device = Some(device_of(o, vm).ok_or_else(invalid)??);
    }
    if let Some(o) = call.keyword("dtype").filter(|o| !vm.is_none(o)) {
        want.dtype = Some(args::dtype(o, vm).ok_or_else(invalid)?);
    }
    if let Some(o) = call.keyword("non_blocking") {
        want.non_blocking = o.is(&vm.ctx.true_value);
    }
    if let Some(o) = call.keyword("copy") {
        want.copy = o.is(&vm.ctx.true_value);
    }
    if let Some(o) = call.keyword("memory_format") {
        want.format = memory_format(o, vm)?;
    }
    Ok(want)
}

/// A `torch.memory_format`.
pub(super) fn memory_format(o: &PyObject, vm: &VirtualMachine) -> PyResult<Format> {
    Ok(match args::show(o, vm).as_str() {
        "torch.preserve_format" | "None" => Format::Preserve,
        "torch.contiguous_format" => Format::Contiguous,
        "torch.channels_last" => Format::ChannelsLast,
        "torch.channels_last_3d" => Format::ChannelsLast3d,
        _ => return Err(vm.new_type_error(format!("memory_format must be torch.memory_format, not {}", type_name(o)))),
    })
}

fn invalid_to(call: &Call<'_>, vm: &VirtualMachine) -> rustpython_vm::builtins::PyBaseExceptionRef {
    let mut got: Vec<String> = call.positional().iter().skip(1).map(|o| type_name(o)).collect();
    got.extend(call.keyword_items().map(|(name, value)| format!("{name}={}", type_name(value))));
    vm.new_type_error(format!(
        "to() received an invalid combination of arguments - got ({}), but expected one of:\n * (torch.device device = None, torch.dtype dtype = None, bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None)\n * (torch.dtype dtype, bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None)\n * (Tensor tensor, bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None)\n",
        // If there are only keywords, the last one also has a comma after it.
        got.join(", ") + if !got.is_empty() && call.positional().len() < 2 { ", " } else { "" }
    ))
}

fn to(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let t = call.self_tensor()?;
    let want = parse(&call)?;
    warn_real(&t, want.dtype, vm)?;
    answer(transfer::to(&t, want), vm)
}

/// Warns that a conversion discards the imaginary part.
pub(super) fn warn_real(t: &Tensor, dtype: Option<DType>, vm: &VirtualMachine) -> PyResult<()> {
    let lossy = t.dtype().is_complex() && dtype.is_some_and(|d| !d.is_complex() && d != DType::Bool);
    if lossy { super::warn("Casting complex values to real discards the imaginary part", vm) } else { Ok(()) }
}

fn cuda(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "device", "non_blocking", "*memory_format"], 1)?;
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

fn cpu(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let t = call.self_tensor()?;
    answer(transfer::to(&t, To { device: Some(Device::CPU), ..To::default() }), vm)
}

fn cast(call: Call<'_>, dtype: DType) -> PyResult {
    let vm = call.vm;
    let t = call.self_tensor()?;
    warn_real(&t, Some(dtype), vm)?;
    answer(transfer::cast(&t, dtype), vm)
}

/// `t.type()`, `t.type(dtype)`, `t.type("torch.cuda.FloatTensor")`.
fn type_(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "dtype", "non_blocking"], 1)?;
    let t = a.tensor(0)?;
    let Some(object) = a.some(1) else {
        let prefix = if t.device().is_cuda() { "cuda." } else { "" };
        return Ok(vm.ctx.new_str(format!("torch.{prefix}{}Tensor", t.dtype().scalar_name())).into());
    };
    if let Some(dtype) = args::dtype(object, vm) {
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
    let a = call.bind(&["self", "other"], 2)?;
    let other = a.tensor(1)?;
    let want = To { device: Some(other.device()), dtype: Some(other.dtype()), ..To::default() };
    warn_real(&a.tensor(0)?, want.dtype, vm)?;
    answer(transfer::to(&a.tensor(0)?, want), vm)
}

fn item(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let (object, t) = (call.self_object()?, call.self_tensor()?);
    drop(call);
    let value = transfer::item(&t, Why::Item).or_raise(vm)?;
    super::names::value_read(&object, value, vm);
    Ok(number(value, vm))
}

fn tolist(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let t = call.self_tensor()?;
    drop(call);
    super::data::tolist(&t, vm)
}

fn numpy(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "*force"], 1)?;
    let t = a.tensor(0)?;
    let t = match a.bool_or(1, false)? {
        true => transfer::to_device(&t.detach(), Device::CPU, Why::Numpy).or_raise(vm)?,
        false => t,
    };
    super::data::numpy(&t, vm)
}

fn copy_(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.bind(&["self", "src", "non_blocking"], 2)?;
    warn_real(&a.tensor(1)?, Some(a.tensor(0)?.dtype()), vm)?;
    transfer::copy_(&a.tensor(0)?, &a.tensor(1)?, a.bool_or(2, false)?).or_raise(vm)?;
    Ok(object)
}

/// A page-locked copy.
pub(super) fn pinned(t: &Tensor) -> Result<Tensor> {
    if t.is_pinned() {
        return Ok(t.clone());
    }
    engine::current().devices.require_cuda()?;
    if !t.device().is_cpu() {
        return Err(crate::error::Error::runtime(format!(
            "cannot pin '{}' only dense CPU tensors can be pinned",
            crate::ops::view::type_name(t)
        )));
    }
    let out = Tensor::empty_with(crate::shape::Layout::contiguous(&t.shape()), t.dtype(), Device::CPU, true)?;
    transfer::copy_data(&out, t)?;
    Ok(out)
}

fn pin_memory(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "device"], 1)?;
    answer(pinned(&a.tensor(0)?), vm)
}

fn requires_grad_(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.bind(&["self", "requires_grad"], 1)?;
    a.tensor(0)?.set_requires_grad(a.bool_or(1, true)?).or_raise(vm)?;
    Ok(object)
}

fn retain_grad(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    call.self_tensor()?.retain_grad().or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn detach_(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let t = call.self_tensor()?;
    if t.meta().view.borrow().is_some() {
        return Err(vm.new_runtime_error("Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."));
    }
    drop(t.meta().grad_fn.replace(None));
    t.meta().requires_grad.set(false);
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
    let want = parse(&call)?;
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
