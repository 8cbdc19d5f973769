//! Functions that make tensors.

use rustpython_vm::{PyResult, VirtualMachine};

use super::args::{self, Bound, Call};
use super::binding::{F, M, Row};
use super::data;
use super::device::default_device;
use super::error::OrRaise;
use super::tensor::{tensor_of, wrap};
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::ops::{self, create};
use crate::shape::{Dims, Layout};
use crate::tensor::Tensor;

/// `dtype`, `device`, `requires_grad`, `pin_memory` of a factory, from four parameters in that order.
pub(super) struct Options {
    pub dtype: Option<DType>,
    pub device: Option<Device>,
    requires_grad: bool,
    pin: bool,
}

impl Options {
    pub(super) fn of(a: &Bound<'_>, at: usize) -> PyResult<Options> {
        Ok(Options {
            dtype: a.dtype(at)?,
            device: a.device(at + 1)?,
            requires_grad: a.bool_or(at + 2, false)?,
            pin: if a.some(at + 3).is_none() { false } else { a.bool_or(at + 3, false)? },
        })
    }

    /// The requested device, or the default one.
    pub(super) fn place(&self) -> Device {
        self.device.or_else(default_device).unwrap_or(Device::CPU)
    }

    pub(super) fn dtype_or_default(&self) -> DType {
        self.dtype.unwrap_or_else(|| engine::current().settings.default_dtype())
    }

    /// Sets `requires_grad`, pins, and returns the tensor.
    pub(super) fn finish(&self, t: Result<Tensor>, vm: &VirtualMachine) -> PyResult {
        let t = t.or_raise(vm)?;
        if self.pin && !t.device().is_cpu() {
            return Err(vm.new_runtime_error("Only dense CPU tensors can be pinned"));
        }
        let t = if self.pin { super::transfer::pinned(&t).or_raise(vm)? } else { t };
        if self.requires_grad {
            if !t.dtype().is_inexact() {
                return Err(
                    vm.new_runtime_error("Only Tensors of floating point and complex dtype can require gradients")
                );
            }
            t.set_requires_grad(true).or_raise(vm)?;
        }
        Ok(wrap(t, vm))
    }
}

/// Sizes of a tensor that is about to be made on a device, as `usize`. `name` is the factory's name for the error.
///
/// # Errors
/// A negative size; sizes beyond what this machine can address, as in [`Tensor::empty`].
pub(super) fn sizes(name: &str, list: &[i64], dtype: DType, device: Device) -> Result<Dims> {
    if name == "zeros" && list.iter().any(|&n| n < 0) {
        return Err(Error::runtime("zeros: Dimension size must be non-negative."));
    }
    create::sizes(list, dtype, device)
}

fn filled(call: Call<'_>, value: Option<i64>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.bind_spread(
        0,
        &["size", "*dtype", "*device", "*requires_grad", "*pin_memory", "*layout", "*out", "*memory_format"],
        1,
    )?;
    let o = Options::of(&a, 1)?;
    let shape = sizes(name, &a.ints(0)?, o.dtype_or_default(), o.place()).or_raise(vm)?;
    let t = match value {
        Some(v) => create::full(&shape, Scalar::Int(v), o.dtype_or_default(), o.place()),
        None => Tensor::empty(&shape, o.dtype_or_default(), o.place()),
    };
    o.finish(t, vm)
}

fn empty_strided(call: Call<'_>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.bind(&["size", "stride", "*dtype", "*device", "*requires_grad", "*pin_memory", "*layout"], 2)?;
    let o = Options::of(&a, 2)?;
    let (size, stride) = (a.ints(0)?, a.ints(1)?);
    let make = || {
        let dtype = o.dtype_or_default();
        let shape = sizes(name, &size, dtype, o.place())?;
        if shape.len() != stride.len() {
            return Err(Error::runtime(format!(
                "dimensionality of sizes ({}) must match dimensionality of strides ({})",
                shape.len(),
                stride.len()
            )));
        }
        // A negative stride counts as one that overflows.
        crate::shape::storage_bytes(&size, &stride, dtype.size(), 0)?;
        let strides: Dims = stride.iter().map(|&n| crate::shape::size(n)).collect::<Result<_>>()?;
        let device = engine::current().resolve(o.place())?;
        Tensor::empty_with(Layout { shape, strides, offset: 0 }, dtype, device, false)
    };
    o.finish(make(), vm)
}

fn full(call: Call<'_>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a =
        call.bind(&["size", "fill_value", "*dtype", "*device", "*requires_grad", "*pin_memory", "*layout", "*out"], 2)?;
    let o = Options::of(&a, 2)?;
    let value = a.number(1)?;
    let dtype = o.dtype.map_or_else(|| inferred(value), Ok).or_raise(vm)?;
    let shape = sizes(name, &a.ints(0)?, dtype, o.place()).or_raise(vm)?;
    o.finish(create::full(&shape, value, dtype, o.place()), vm)
}

/// The dtype of a number.
///
/// # Errors
/// A complex number, if the complex dtype for the default dtype doesn't exist here.
pub(super) fn inferred(value: Scalar) -> Result<DType> {
    let default = engine::current().settings.default_dtype();
    if let Scalar::Complex(..) = value {
        return default.complex();
    }
    Ok(value.dtype(default))
}

fn like(call: Call<'_>, value: Option<i64>) -> PyResult {
    let vm = call.vm;
    let a =
        call.bind(&["input", "*dtype", "*device", "*requires_grad", "*pin_memory", "*layout", "*memory_format"], 1)?;
    let (t, o) = (a.tensor(0)?, Options::of(&a, 1)?);
    let made = place_like(&t, &o).and_then(|out| {
        if let Some(v) = value {
            create::fill_data(&out, Scalar::Int(v))?;
        }
        Ok(out)
    });
    o.finish(made, vm)
}

/// An uninitialized tensor with the shape and layout of `t`. Device and dtype come from the options, or else from `t`.
pub(super) fn place_like(t: &Tensor, o: &Options) -> Result<Tensor> {
    let device = engine::current().resolve(o.device.unwrap_or(t.device()))?;
    create::empty_like_on(t, o.dtype.unwrap_or(t.dtype()), device)
}

fn full_like(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(
        &["input", "fill_value", "*dtype", "*device", "*requires_grad", "*pin_memory", "*layout", "*memory_format"],
        2,
    )?;
    let (t, value, o) = (a.tensor(0)?, a.number(1)?, Options::of(&a, 2)?);
    let made = place_like(&t, &o).and_then(|out| create::fill_data(&out, value).map(|()| out));
    o.finish(made, vm)
}

/// `t.new_zeros(2, 3)` and the like: dtype and device are those of `t`.
fn new_filled(call: Call<'_>, value: Option<i64>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a =
        call.bind_spread(1, &["self", "size", "*dtype", "*device", "*requires_grad", "*pin_memory", "*layout"], 2)?;
    let (t, o) = (a.tensor(0)?, Options::of(&a, 2)?);
    let (dtype, device) = (o.dtype.unwrap_or(t.dtype()), o.device.unwrap_or(t.device()));
    let shape = sizes(name, &a.ints(1)?, dtype, device).or_raise(vm)?;
    let made = match value {
        Some(v) => create::full(&shape, Scalar::Int(v), dtype, device),
        None => Tensor::empty(&shape, dtype, device),
    };
    o.finish(made, vm)
}

fn new_full(call: Call<'_>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.bind(&["self", "size", "fill_value", "*dtype", "*device", "*requires_grad", "*pin_memory"], 3)?;
    let (t, o) = (a.tensor(0)?, Options::of(&a, 3)?);
    let (dtype, device) = (o.dtype.unwrap_or(t.dtype()), o.device.unwrap_or(t.device()));
    let shape = sizes(name, &a.ints(1)?, dtype, device).or_raise(vm)?;
    o.finish(create::full(&shape, a.number(2)?, dtype, device), vm)
}

/// `t.new(2, 3)`, `t.new([1, 2])`: like `torch.Tensor`, with the dtype and the device of `t`.
fn new(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let t = call.self_tensor()?;
    let given = call.positional().get(1..).unwrap_or_default();
    let made = match given {
        [one] if args::int(one, vm)?.is_none() => data::tensor_from(one, Some(t.dtype()), t.device(), vm)?,
        _ => {
            let list: Option<Vec<i64>> = given.iter().map(|o| args::int(o, vm)).collect::<PyResult<_>>()?;
            let Some(list) = list else { return Err(vm.new_type_error("new(): sizes are numbers from 0 up")) };
            let list = if given.is_empty() { vec![0] } else { list };
            let shape = create::sizes(&list, t.dtype(), t.device()).or_raise(vm)?;
            Tensor::empty(&shape, t.dtype(), t.device()).or_raise(vm)?
        }
    };
    Ok(wrap(made, vm))
}

fn new_tensor(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "data", "*dtype", "*device", "*requires_grad", "*pin_memory"], 2)?;
    let (t, o) = (a.tensor(0)?, Options::of(&a, 2)?);
    let Some(object) = a.get(1).cloned() else { return Err(a.wrong(1, "a sequence")) };
    let made = data::tensor_from(&object, Some(o.dtype.unwrap_or(t.dtype())), o.device.unwrap_or(t.device()), vm)?;
    o.finish(Ok(made), vm)
}

fn arange(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    // `arange(end)` and `arange(start, end, step)`.
    let one = call.positional().len() == 1 && call.keyword("end").is_none();
    let (a, at) = if one {
        (
            call.bind(
                &["end", "start", "step", "*dtype", "*device", "*requires_grad", "*pin_memory", "*layout", "*out"],
                1,
            )?,
            [None, Some(0), None],
        )
    } else {
        (
            call.bind(
                &["start", "end", "step", "*dtype", "*device", "*requires_grad", "*pin_memory", "*layout", "*out"],
                0,
            )?,
            [Some(0), Some(1), None],
        )
    };
    let start = match at[0] {
        Some(i) => a.scalar_or(i, 0)?,
        None => a.scalar_or(1, 0)?,
    };
    let end = a.scalar(at[1].unwrap_or(0))?;
    let step = a.scalar_or(2, 1)?;
    let o = Options::of(&a, 3)?;
    o.finish(create::arange(start, end, step, o.dtype, o.place()), vm)
}

/// `torch.tensor`.
fn tensor(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["data", "*dtype", "*device", "*requires_grad", "*pin_memory"], 1)?;
    let o = Options::of(&a, 1)?;
    let Some(object) = a.get(0).cloned() else { return Err(a.wrong(0, "data")) };
    if let Some(t) = tensor_of(&object) {
        super::warn(COPY_CONSTRUCT, vm)?;
        let t = t.detach();
        let want = ops::transfer::To {
            device: Some(o.device.or_else(default_device).unwrap_or(t.device())),
            dtype: o.dtype,
            copy: true,
            ..ops::transfer::To::default()
        };
        return o.finish(ops::transfer::to(&t, want), vm);
    }
    let made = data::tensor_from(&object, o.dtype, o.place(), vm)?;
    o.finish(Ok(made), vm)
}

const COPY_CONSTRUCT: &str = "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).";

/// `as_tensor` and `asarray`: a tensor that already fits is returned itself.
fn as_tensor(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["data", "dtype", "device"], 1)?;
    let Some(object) = a.get(0).cloned() else { return Err(a.wrong(0, "data")) };
    let (dtype, device) = (a.dtype(1)?, a.device(2)?);
    if let Some(t) = tensor_of(&object) {
        let want = ops::transfer::To { device, dtype, ..ops::transfer::To::default() };
        return ops::transfer::to(t, want).or_raise(vm).map(|t| wrap(t, vm));
    }
    let device = device.or_else(default_device).unwrap_or(Device::CPU);
    if let Some(t) = super::host::adopted(&object, vm)? {
        let want = ops::transfer::To { device: Some(device), dtype, ..ops::transfer::To::default() };
        return ops::transfer::to(&t, want).or_raise(vm).map(|t| wrap(t, vm));
    }
    data::tensor_from(&object, dtype, device, vm).map(|t| wrap(t, vm))
}

fn scalar_tensor(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["s", "*dtype", "*device", "*requires_grad", "*pin_memory"], 1)?;
    let o = Options::of(&a, 1)?;
    o.finish(create::full(&[], a.number(0)?, o.dtype_or_default(), o.place()), vm)
}

fn spaced(call: Call<'_>, log: bool) -> PyResult {
    let vm = call.vm;
    let (a, base, at) = if log {
        let a = call.bind(
            &["start", "end", "steps", "base", "*dtype", "*device", "*requires_grad", "*pin_memory", "*layout"],
            3,
        )?;
        let base = a.f64_or(3, 10.0)?;
        (a, base, 4)
    } else {
        let a = call.bind(
            &["start", "end", "steps", "*base", "*dtype", "*device", "*requires_grad", "*pin_memory", "*layout"],
            3,
        )?;
        (a, 10.0, 4)
    };
    let o = Options::of(&a, at)?;
    let (start, end, steps) = (a.f64(0)?, a.f64(1)?, a.int(2)?);
    let (dtype, place) = (o.dtype_or_default(), o.place());
    let made = if log {
        create::logspace(start, end, steps, base, dtype, place)
    } else {
        create::linspace(start, end, steps, dtype, place)
    };
    o.finish(made, vm)
}

fn eye(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["n", "m", "*dtype", "*device", "*requires_grad", "*pin_memory", "*layout", "*out"], 1)?;
    let o = Options::of(&a, 2)?;
    let n = a.int(0)?;
    o.finish(create::eye(n, a.int_or(1, n)?, o.dtype_or_default(), o.place()), vm)
}

fn triangle_indices(call: Call<'_>, upper: bool) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["row", "col", "offset", "*dtype", "*device", "*requires_grad", "*pin_memory", "*layout"], 2)?;
    let o = Options::of(&a, 3)?;
    let dtype = o.dtype.unwrap_or(DType::I64);
    o.finish(create::triangle_indices(a.int(0)?, a.int(1)?, a.int_or(2, 0)?, upper, dtype, o.place()), vm)
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("zeros", F, |c| filled(c, Some(0))),
    ("ones", F, |c| filled(c, Some(1))),
    ("empty", F, |c| filled(c, None)),
    ("empty_strided", F, empty_strided),
    ("full", F, full),
    ("zeros_like", F, |c| like(c, Some(0))),
    ("ones_like", F, |c| like(c, Some(1))),
    ("empty_like", F, |c| like(c, None)),
    ("full_like", F, full_like),
    ("new", M, new),
    ("new_zeros", M, |c| new_filled(c, Some(0))),
    ("new_ones", M, |c| new_filled(c, Some(1))),
    ("new_empty", M, |c| new_filled(c, None)),
    ("new_full", M, new_full),
    ("new_tensor", M, new_tensor),
    ("arange", F, arange),
    ("linspace", F, |c| spaced(c, false)),
    ("logspace", F, |c| spaced(c, true)),
    ("eye", F, eye),
    ("tril_indices", F, |c| triangle_indices(c, false)),
    ("triu_indices", F, |c| triangle_indices(c, true)),
    ("tensor", F, tensor),
    ("as_tensor", F, as_tensor),
    ("asarray", F, as_tensor),
    ("scalar_tensor", F, scalar_tensor),
]];
