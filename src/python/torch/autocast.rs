//! Mixed precision: the arguments of a call under autocast, and its settings.

use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

use super::args::{Bound, Call};
use super::binding::{F, Row};
use super::error::OrRaise;
use super::tensor::{tensor_of, wrap};
use crate::device::DeviceType;
use crate::dtype::DType;
use crate::ops::autocast::{self, Setting};
use crate::ops::rows::Operator;
use crate::tensor::Tensor;

fn device_type(a: &Bound<'_>, i: usize) -> PyResult<DeviceType> {
    let name = a.str(i)?.unwrap_or("cuda");
    DeviceType::parse(name).ok_or_else(|| a.vm.new_runtime_error(format!("unknown device type for autocast: {name}")))
}

/// `_autocast_get(device_type)`: whether it is on, and its dtype.
fn autocast_get(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device_type"], 1)?;
    let now = autocast::setting(device_type(&a, 0)?);
    Ok(vm.new_tuple((now.enabled, super::dtype::object(now.dtype, vm))).into())
}

/// `_autocast_set(device_type, enabled, dtype)`.
fn autocast_set(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device_type", "enabled", "dtype"], 3)?;
    let setting = Setting { enabled: a.bool_or(1, false)?, dtype: a.dtype(2)?.unwrap_or(DType::F32) };
    autocast::set(device_type(&a, 0)?, setting);
    Ok(vm.ctx.none())
}

/// `_autocast_cache(on)`: switches caching and returns the previous setting. Without an argument, it empties the cache.
fn autocast_cache(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["on"], 0)?;
    let before = autocast::is_caching();
    match a.some(0) {
        None => autocast::clear_cache(),
        Some(_) => autocast::set_caching(a.bool_or(0, true)?),
    }
    Ok(vm.ctx.new_bool(before).into())
}

/// `_full(*tensors)` and `_lower(*tensors)`: a tuple of the tensors, which autocast has converted to float32 or to its
/// lower dtype.
fn given(call: Call<'_>) -> PyResult {
    Ok(call.vm.ctx.new_tuple(call.positional().to_vec()).into())
}

/// The arguments of a call under autocast. Tensors, also those in lists, are converted according to the operator's
/// policy.
pub(super) fn cast_arguments(
    operator: &Operator,
    args: Vec<PyObjectRef>,
    vm: &VirtualMachine,
) -> PyResult<Vec<PyObjectRef>> {
    let mut tensors: Vec<&Tensor> = Vec::new();
    let lists: Vec<Option<Vec<PyObjectRef>>> =
        args.iter().map(|o| if tensor_of(o).is_some() { None } else { super::convert::sequence(o) }).collect();
    for (object, list) in args.iter().zip(&lists) {
        match list {
            None => tensors.extend(tensor_of(object)),
            Some(items) => tensors.extend(items.iter().filter_map(|o| tensor_of(o))),
        }
    }
    let Some((kind, dtype)) = autocast::target(operator, &tensors).or_raise(vm)? else { return Ok(args) };
    let one = |object: &PyObjectRef| -> PyResult<PyObjectRef> {
        match tensor_of(object) {
            Some(t) => Ok(wrap(autocast::convert(t, kind, dtype).or_raise(vm)?, vm)),
            None => Ok(object.clone()),
        }
    };
    let mut out = Vec::with_capacity(args.len());
    for (object, list) in args.iter().zip(&lists) {
        out.push(match list {
            Some(items) if items.iter().any(|o| tensor_of(o).is_some()) => {
                vm.ctx.new_list(items.iter().map(one).collect::<PyResult<_>>()?).into()
            }
            _ => one(object)?,
        });
    }
    Ok(out)
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("_full", F, given),
    ("_lower", F, given),
    ("_autocast_get", F, autocast_get),
    ("_autocast_set", F, autocast_set),
    ("_autocast_cache", F, autocast_cache),
]];
