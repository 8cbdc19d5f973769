//! `t[key]` and `t[key] = value`: converts Python's keys to the engine's.

use rustpython_vm::builtins::{PyBool, PyBytes, PyEllipsis, PyInt, PySlice, PyStr, PyTuple};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::convert;
use super::error::OrRaise;
use super::tensor::{tensor_of, wrap};
use crate::device::Device;
use crate::dtype::DType;
use crate::ops;
use crate::ops::indexing::{self, Index};
use crate::tensor::Tensor;

/// `t[key]`.
pub(super) fn get(t: &Tensor, key: &PyObject, vm: &VirtualMachine) -> PyResult {
    let items = items(key, vm)?;
    warn_of_bytes(&items, vm)?;
    indexing::get(t, &items).or_raise(vm).map(|t| wrap(t, vm))
}

/// `t[key] = value`.
pub(super) fn set(t: &Tensor, key: &PyObject, value: &PyObject, vm: &VirtualMachine) -> PyResult<()> {
    let Some(value) = convert::operand(value, vm)? else {
        return Err(vm.new_type_error(format!(
            "can't assign a {} to a {}",
            convert::type_name(value),
            ops::view::type_name(t)
        )));
    };
    if let Some(value) = value.tensor() {
        super::transfer::warn_real(value, Some(t.dtype()), vm)?;
    }
    let items = items(key, vm)?;
    let is_number = value.tensor().is_none_or(|value| value.numel() == 1 && value.device().is_cpu());
    let mut tensors = items.iter().filter_map(tensor);
    if is_number
        && let (Some(mask), None) = (tensors.next(), tensors.next())
        && mask.dtype() == DType::U8
    {
        // One number at the places of a mask is `masked_fill_` in PyTorch.
        return Err(
            vm.new_runtime_error("masked_fill_ only supports boolean masks, but got mask with dtype unsigned char")
        );
    }
    warn_of_bytes(&items, vm)?;
    indexing::set(t, &items, &value).or_raise(vm)
}

fn tensor(item: &Index) -> Option<&Tensor> {
    if let Index::Tensor(t) = item { Some(t) } else { None }
}

fn warn_of_bytes(items: &[Index], vm: &VirtualMachine) -> PyResult<()> {
    for _ in items.iter().filter_map(tensor).filter(|t| t.dtype() == DType::U8) {
        super::error::warn(
            "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.",
            vm,
        )?;
    }
    Ok(())
}

fn items(key: &PyObject, vm: &VirtualMachine) -> PyResult<Vec<Index>> {
    if let Some(tuple) = key.downcast_ref::<PyTuple>() {
        return tuple.as_slice().iter().map(|k| one(k, vm)).collect();
    }
    match meant_as_tuple(key, vm)? {
        Some(parts) => {
            super::error::warn(NON_TUPLE, vm)?;
            parts.iter().map(|k| one(k, vm)).collect()
        }
        None => Ok(vec![one(key, vm)?]),
    }
}

/// PyTorch's longest sequence that may stand for a tuple.
const LONGEST: usize = 32;

/// The items of a sequence that PyTorch takes for a tuple of keys: a short one with an item that is a key by itself, such as the
/// inner lists of `x[[[0, 1], [1, 2]]]`. `None` for every other key.
fn meant_as_tuple(key: &PyObject, vm: &VirtualMachine) -> PyResult<Option<Vec<PyObjectRef>>> {
    if is_text(key) {
        // A string's items are strings.
        return Ok((key.length(vm)? > 0 && key.downcast_ref::<PyStr>().is_some()).then(|| vec![key.to_owned()]));
    }
    if super::arrays::is_array(key) || !super::data::is_sequence(key, vm) || key.length(vm)? >= LONGEST {
        return Ok(None);
    }
    let Some(parts) = super::data::items(key, vm)? else { return Ok(None) };
    let is_key = |part: &PyObjectRef| {
        vm.is_none(part)
            || part.downcast_ref::<PySlice>().is_some()
            || part.downcast_ref::<PyEllipsis>().is_some()
            || tensor_of(part).is_some()
            || is_text(part)
            || super::data::is_sequence(part, vm)
    };
    Ok(parts.iter().any(is_key).then_some(parts))
}

fn is_text(key: &PyObject) -> bool {
    key.downcast_ref::<PyStr>().is_some() || key.downcast_ref::<PyBytes>().is_some()
}

fn one(key: &PyObject, vm: &VirtualMachine) -> PyResult<Index> {
    if key.downcast_ref::<PyBool>().is_some() && key.class().is(vm.ctx.types.bool_type) {
        return Ok(Index::Bool(key.is(&vm.ctx.true_value)));
    }
    if key.downcast_ref::<PyInt>().is_some() {
        return Ok(convert::int(key, vm)?.map_or(Index::None, Index::Int));
    }
    if let Some(slice) = key.downcast_ref::<PySlice>() {
        return Ok(Index::Slice(
            bound(slice.start.as_ref(), vm)?,
            bound(Some(&slice.stop), vm)?,
            bound(slice.step.as_ref(), vm)?,
        ));
    }
    if vm.is_none(key) {
        return Ok(Index::None);
    }
    if key.downcast_ref::<PyEllipsis>().is_some() {
        return Ok(Index::Ellipsis);
    }
    if let Some(t) = tensor_of(key) {
        return Ok(Index::Tensor(t.clone()));
    }
    if let Some(t) = super::arrays::array_tensor(key, vm)? {
        // An array's numbers become indices as those of a list do.
        let is_index = matches!(t.dtype(), DType::I64 | DType::I32 | DType::U8 | DType::Bool);
        let t = if is_index { t } else { crate::ops::transfer::cast(&t, DType::I64).or_raise(vm)? };
        return Ok(Index::Tensor(t));
    }
    if is_text(key) {
        return Err(vm.new_type_error(format!("new(): invalid data type '{}'", convert::type_name(key))));
    }
    if super::data::is_sequence(key, vm) {
        let t = super::data::tensor_from(key, None, Device::CPU, vm)?;
        // Masks stay what they are. Other numbers become integers, fractions too.
        let mask = matches!(t.dtype(), DType::U8 | DType::Bool) && t.numel() > 0;
        let whole = mask || t.dtype() == DType::I64;
        let t = if whole { t } else { super::data::tensor_from(key, Some(DType::I64), Device::CPU, vm)? };
        return Ok(Index::Tensor(t));
    }
    if let Some(n) = key.try_index_opt(vm) {
        return Ok(convert::int(n?.as_object(), vm)?.map_or(Index::None, Index::Int));
    }
    Err(vm.new_index_error(format!(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {})",
        convert::type_name(key)
    )))
}

/// One bound of a slice.
fn bound(object: Option<&PyObjectRef>, vm: &VirtualMachine) -> PyResult<Option<i64>> {
    let Some(object) = object.filter(|o| !vm.is_none(o)) else { return Ok(None) };
    let index = match object.try_index_opt(vm) {
        Some(index) => index?,
        None => {
            return Err(vm.new_type_error("slice indices must be integers or None or have an __index__ method"));
        }
    };
    // As in Python, an index that doesn't fit is clamped.
    let huge = if index.as_bigint() < &0.into() { i64::MIN } else { i64::MAX };
    Ok(Some(i64::try_from(index.as_bigint()).unwrap_or(huge)))
}

const NON_TUPLE: &str = "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)], which will result either in an error or a different result";
