//! PyTorch's global state: default dtype and device, generators, grad modes, print options.

use rustpython_vm::builtins::PyTypeRef;
use rustpython_vm::{PyPayload, PyResult, VirtualMachine};

use super::args::Call;
use super::binding::{F, M, Row};
use super::error::OrRaise;
use super::{autograd, device, dtype, node, printing, shape};
use crate::device::Device;
use crate::dtype::DType;
use crate::engine::{self, Choices, Half};
use crate::machine::{Build, Machine};
use crate::print::PrintOptions;

fn set_default_dtype(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["d"], 1)?;
    let Some(d) = a.dtype(0)? else {
        return Err(
            vm.new_type_error("invalid dtype object: only floating-point types are supported as the default type")
        );
    };
    if !d.is_float() {
        return Err(vm.new_type_error("only floating-point types are supported as the default type"));
    }
    engine::current().settings.set_default_dtype(d);
    Ok(vm.ctx.none())
}

fn get_default_dtype(call: Call<'_>) -> PyResult {
    Ok(dtype::object(engine::current().settings.default_dtype(), call.vm))
}

fn set_default_device(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device"], 0)?;
    device::set_default_device(a.device(0)?);
    Ok(vm.ctx.none())
}

/// `_set_cuda_type_default(on)`.
fn set_cuda_type_default(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    device::set_cuda_type_default(call.bind(&["on"], 1)?.bool_or(0, false)?);
    Ok(vm.ctx.none())
}

fn get_default_device(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let device = device::default_device().unwrap_or(crate::device::Device::CPU);
    let device = match device.is_cuda() && device.index.is_none() {
        true => engine::current().resolve(device).or_raise(vm)?,
        false => device,
    };
    Ok(device::object(device, vm))
}

fn register_size(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let class: Option<PyTypeRef> = call.positional().first().and_then(|o| o.clone().downcast().ok());
    // Sizes are made as objects of this class, and the interpreter relies on an object's class.
    let Some(class) = class.filter(|class| class.fast_issubclass(vm.ctx.types.tuple_type)) else {
        return Err(vm.new_type_error("a size is a tuple"));
    };
    shape::register(class);
    Ok(vm.ctx.none())
}

/// `_set_printoptions(profile, precision, threshold, edgeitems, linewidth, sci_mode)`.
fn set_printoptions(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["precision", "threshold", "edgeitems", "linewidth", "profile", "sci_mode"], 0)?;
    let mut o = printing::options();
    if let Some(name) = a.str(4)?
        && let Some(profile) = PrintOptions::profile(name)
    {
        o = PrintOptions { sci_mode: o.sci_mode, ..profile };
    }
    if a.some(0).is_some() {
        o.precision = crate::shape::clamped(a.int(0)?);
    }
    if a.some(1).is_some() {
        o.threshold = a.f64(1)?;
    }
    if a.some(2).is_some() {
        o.edgeitems = crate::shape::clamped(a.int(2)?);
    }
    if a.some(3).is_some() {
        o.linewidth = crate::shape::clamped(a.int(3)?);
    }
    o.sci_mode = if a.some(5).is_some() { Some(a.bool_or(5, false)?) } else { None };
    printing::set_options(Some(o));
    Ok(vm.ctx.none())
}

fn promote_types(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    match (a.dtype(0)?, a.dtype(1)?) {
        (Some(x), Some(y)) => {
            x.check_promotion(y).or_raise(vm)?;
            Ok(dtype::object(x.promote(y), vm))
        }
        _ => Err(a.wrong(0, "torch.dtype")),
    }
}

fn result_type(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let found = crate::ops::elementwise::result_type(&[&a.operand(0)?, &a.operand(1)?]).or_raise(vm)?;
    Ok(dtype::object(found, vm))
}

fn can_cast(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let yes = match (a.dtype(0)?, a.dtype(1)?) {
        (Some(from), Some(to)) => from.category() <= to.category(),
        _ => false,
    };
    Ok(vm.ctx.new_bool(yes).into())
}

/// `_set_method(name, value)`: adds a method that is written in Python to `torch.Tensor`.
fn set_method(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["name", "value"], 2)?;
    if let (Some(name), Some(value)) = (a.str(0)?, a.get(1)) {
        super::tensor::PyTensor::class(&vm.ctx)
            .set_attr(vm.ctx.intern_str(name), super::composed::method(name, value, vm));
    }
    Ok(vm.ctx.none())
}

/// `_make_subclass(cls, data, requires_grad)` is a method; `finfo` and `iinfo` get a dtype's limits here.
fn limits(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["dtype"], 1)?;
    let Some(d) = a.dtype(0)? else { return Err(a.wrong(0, "torch.dtype")) };
    let float = |eps: f64, max: f64, tiny: f64, smallest: f64, digits: i32| {
        vm.new_tuple((eps, max, tiny, smallest, 10f64.powi(-digits))).into()
    };
    let int = |low: i64, high: i64| vm.new_tuple((low, high)).into();
    Ok(match d {
        DType::F16 => float(0.000_976_562_5, 65504.0, 6.103_515_625e-05, 5.960_464_477_539_063e-08, 3),
        DType::BF16 => {
            float(0.007_812_5, 3.389_531_389_251_535_5e38, 1.175_494_350_822_287_5e-38, 9.183_549_615_799_121e-41, 2)
        }
        DType::F32 | DType::C64 => float(
            f64::from(f32::EPSILON),
            f64::from(f32::MAX),
            f64::from(f32::MIN_POSITIVE),
            f64::from(f32::from_bits(1)),
            6,
        ),
        DType::F64 | DType::C128 => float(f64::EPSILON, f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), 15),
        DType::Bool => return Err(vm.new_type_error("torch.bool is not supported by torch.iinfo")),
        DType::U8 => int(0, 255),
        DType::I8 => int(i8::MIN.into(), i8::MAX.into()),
        DType::I16 => int(i16::MIN.into(), i16::MAX.into()),
        DType::U16 => int(0, u16::MAX.into()),
        DType::U32 => int(0, u32::MAX.into()),
        DType::I32 => int(i32::MIN.into(), i32::MAX.into()),
        DType::I64 => int(i64::MIN, i64::MAX),
    })
}

/// What the machine has: `(cuda_count, has_mps, is_cuda_build)`.
fn machine(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let e = engine::current();
    let other = device::described_machine();
    let cuda_count = other.as_ref().map_or_else(|| e.devices.cuda_count_so_far(), Machine::cuda_count);
    let machine = other.as_ref().unwrap_or(&e.devices.machine);
    Ok(vm.new_tuple((cuda_count, machine.has_mps(), machine.build == Build::Cuda)).into())
}

/// `_cuda_count()`: how many CUDA devices the program sees. This counts as CUDA's first use.
fn cuda_count(call: Call<'_>) -> PyResult {
    let count =
        device::described_machine().map_or_else(|| engine::current().devices.cuda_count(), |other| other.cuda_count());
    Ok(call.vm.ctx.new_int(count).into())
}

/// `_computes_in_float64(device)`: whether its kernels have float64 arithmetic. WGSL has none.
fn computes_in_float64(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let device = call.bind(&["device"], 1)?.device(0)?.unwrap_or(Device::CPU);
    Ok(vm.ctx.new_bool(engine::current().devices.executor(device).converts(DType::F64)).into())
}

/// `_set_deterministic_algorithms(mode, *, warn_only=False)`.
fn set_deterministic(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["mode", "warn_only"], 1)?;
    let (on, warns) = (a.bool_or(0, false)?, a.bool_or(1, false)?);
    engine::current().settings.set_deterministic(on, warns);
    Ok(vm.ctx.none())
}

/// `_get_deterministic()`: whether only deterministic operations are wanted, and whether others only warn.
fn get_deterministic(call: Call<'_>) -> PyResult {
    let engine = engine::current();
    Ok(call.vm.new_tuple((engine.settings.is_deterministic(), engine.settings.only_warns())).into())
}

/// `_fill_uninitialized(fill=None)`: `torch.utils.deterministic.fill_uninitialized_memory`; sets it if it's given.
fn fill_uninitialized(call: Call<'_>) -> PyResult {
    let (vm, engine) = (call.vm, engine::current());
    let a = call.bind(&["mode"], 0)?;
    if a.some(0).is_some() {
        engine.settings.set_fills_empty(a.bool_or(0, true)?);
    }
    Ok(vm.ctx.new_bool(engine.settings.fills_empty()).into())
}

/// `_alert_not_deterministic(kernel)`: for operators written in Python.
fn alert_not_deterministic(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["kernel"], 1)?;
    engine::current().launches.alert_not_deterministic(a.str(0)?.unwrap_or_default()).or_raise(vm)?;
    Ok(vm.ctx.none())
}

/// `_cudnn(enabled)`: sets and returns whether cuDNN is used.
fn cudnn(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["enabled"], 0)?;
    let e = engine::current();
    if a.some(0).is_some() {
        e.settings.set_cudnn(a.bool_or(0, true)?);
    }
    Ok(vm.ctx.new_bool(e.settings.uses_cudnn()).into())
}

/// `_matmul_precision(name)`: sets and returns the precision of float32 products.
fn matmul_precision(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["precision"], 0)?;
    let e = engine::current();
    if let Some(wanted) = a.str(0)? {
        e.change_precision(|s| s.set_matmul(wanted)).or_raise(vm)?;
    }
    let now = e.settings.precision().matmul().or_raise(vm)?;
    Ok(vm.ctx.new_str(now).into())
}

/// `_set_fp32_precision(backend, op, precision)`.
fn set_fp32_precision(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["backend", "op", "precision"], 3)?;
    let [backend, op, precision] = [0, 1, 2].map(|i| a.str(i).map(Option::unwrap_or_default));
    let (backend, op, precision) = (backend?, op?, precision?);
    engine::current().change_precision(|s| s.set_float32(backend, op, precision)).or_raise(vm)?;
    Ok(vm.ctx.new_str(precision).into())
}

/// `_get_fp32_precision(backend, op)`.
fn get_fp32_precision(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["backend", "op"], 2)?;
    let (backend, op) = (a.str(0)?.unwrap_or_default(), a.str(1)?.unwrap_or_default());
    let now = engine::current().settings.precision().float32(backend, op).or_raise(vm)?;
    Ok(vm.ctx.new_str(now).into())
}

/// `_cublas_tf32(allowed)`: sets and returns whether it's allowed. `_cudnn_tf32` does the same, but returns nothing
/// when it sets.
fn cublas_tf32(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["allowed"], 0)?;
    let e = engine::current();
    if a.some(0).is_some() {
        let allowed = a.bool_or(0, false)?;
        change(&e, |s| s.set_cublas_tf32(allowed));
    }
    Ok(vm.ctx.new_bool(e.settings.precision().cublas_tf32().or_raise(vm)?).into())
}

fn cudnn_tf32(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["allowed"], 0)?;
    let e = engine::current();
    if a.some(0).is_some() {
        let allowed = a.bool_or(0, false)?;
        change(&e, |s| s.set_cudnn_tf32(allowed));
        return Ok(vm.ctx.new_bool(allowed).into());
    }
    Ok(vm.ctx.new_bool(e.settings.precision().cudnn_tf32().or_raise(vm)?).into())
}

/// A change that can't fail.
fn change(e: &engine::Engine, change: impl FnOnce(&mut Choices)) {
    let _ = e.change_precision(|s| {
        change(s);
        Ok(())
    });
}

/// `_half_reduction(bfloat16, reduced, split)`: sets and returns `(reduced, split)`.
fn half_reduction(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["bfloat16", "reduced", "split"], 1)?;
    let half = if a.bool_or(0, false)? { Half::Bfloat16 } else { Half::Float16 };
    let e = engine::current();
    if a.some(1).is_some() {
        let (reduced, split) = (a.bool_or(1, true)?, a.bool_or(2, true)?);
        e.change_precision(|s| s.set_reduction(half, reduced, split)).or_raise(vm)?;
    }
    let (reduced, split) = e.settings.precision().reduction(half);
    Ok(vm.new_tuple((reduced, split)).into())
}

/// `_float16_throughout(allowed)`: sets and returns whether products of float16 add in float16.
fn float16_throughout(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["allowed"], 0)?;
    let e = engine::current();
    if a.some(0).is_some() {
        let allowed = a.bool_or(0, false)?;
        change(&e, |s| s.set_float16_throughout(allowed));
    }
    let now = e.settings.precision().float16_throughout();
    Ok(vm.ctx.new_bool(now).into())
}

/// The settings of an earlier program don't apply to the next.
pub(super) fn reset(_vm: &VirtualMachine) {
    autograd::reset();
    device::reset();
    super::arrays::reset();
    super::names::reset();
    super::profile::reset();
    super::random::reset();
    super::sparse::reset();
    printing::set_options(None);
    engine::current().settings.set_default_dtype(DType::F32);
    engine::current().settings.set_cudnn(true);
    change(&engine::current(), |s| *s = Choices::default());
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("_set_default_dtype", F, set_default_dtype),
    ("get_default_dtype", F, get_default_dtype),
    ("_set_default_device", F, set_default_device),
    ("get_default_device", F, get_default_device),
    ("_set_cuda_type_default", F, set_cuda_type_default),
    ("_register_size", F, register_size),
    ("_set_printoptions", F, set_printoptions),
    ("promote_types", F, promote_types),
    ("result_type", F, result_type),
    ("can_cast", F, can_cast),
    ("_set_method", F, set_method),
    ("_complete", F, super::patched::complete),
    ("_limits", F, limits),
    ("_machine", F, machine),
    ("_computes_in_float64", F, computes_in_float64),
    ("_cuda_count", F, cuda_count),
    ("_cudnn", F, cudnn),
    ("_set_deterministic_algorithms", F, set_deterministic),
    ("_get_deterministic", F, get_deterministic),
    ("_fill_uninitialized", F, fill_uninitialized),
    ("_alert_not_deterministic", F, alert_not_deterministic),
    ("_matmul_precision", F, matmul_precision),
    ("_set_fp32_precision", F, set_fp32_precision),
    ("_get_fp32_precision", F, get_fp32_precision),
    ("_cublas_tf32", F, cublas_tf32),
    ("_cudnn_tf32", F, cudnn_tf32),
    ("_half_reduction", F, half_reduction),
    ("_float16_throughout", F, float16_throughout),
    ("_grad_mode", F, autograd::grad_mode),
    ("is_grad_enabled", F, autograd::is_grad_enabled),
    ("is_inference_mode_enabled", F, autograd::is_inference_mode_enabled),
    ("_backward", F, autograd::backward),
    ("backward", M, autograd::backward),
    ("_grad", F, autograd::grad),
    ("_record", F, autograd::record),
    ("_made_in_function", F, autograd::made_in_function),
    ("_bump_version", F, autograd::bump_version),
    ("_under_node", F, autograd::under_node),
    ("_register_hook", M, autograd::register_hook),
    ("_set_anomaly_enabled", F, node::set_anomaly_enabled),
    ("_register_post_accumulate", M, autograd::register_post_accumulate),
    ("_remove_hook", M, autograd::remove_hook),
]];
