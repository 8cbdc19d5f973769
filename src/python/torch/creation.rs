//! Functions that make tensors.

use rustpython_vm::builtins::{PyByteArray, PyBytes};
use rustpython_vm::{AsObject, PyObject, PyResult, VirtualMachine};

use super::args::{Bound, Call};
use super::binding::{F, M, Row};
use super::convert;
use super::data::{self, inferred, sizes};
use super::device::default_device;
use super::error::OrRaise;
use super::parts;
use super::tensor::{tensor_of, wrap};
use super::transfer::memory_format;
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::ops::transfer::Format;
use crate::ops::{self, create, transfer};
use crate::shape::{Dims, Layout};
use crate::tensor::Tensor;

/// `dtype`, `device`, `requires_grad`, `pin_memory` of a factory.
pub(super) struct Options {
    pub dtype: Option<DType>,
    pub device: Option<Device>,
    requires_grad: bool,
    pin: bool,
    /// The order of a new tensor's elements, for functions that make it like another one.
    format: Format,
}

impl Options {
    pub(super) fn of(a: &Bound<'_>) -> PyResult<Options> {
        let flag = |name: &str| if a.takes(name) { a.bool_or(name, false) } else { Ok(false) };
        Ok(Options {
            dtype: a.dtype("dtype")?,
            device: a.device("device")?,
            requires_grad: flag("requires_grad")?,
            pin: flag("pin_memory")?,
            format: match a.takes("memory_format").then(|| a.some("memory_format")).flatten() {
                Some(format) => memory_format(format, a.vm)?,
                None => Format::Preserve,
            },
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
        let t = if self.pin { transfer::pinned(&t).or_raise(vm)? } else { t };
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

/// The name of the sparse layout that a factory is asked for.
fn sparse_layout(a: &Bound<'_>) -> Option<String> {
    let layout = if a.takes("layout") { a.some("layout") } else { None };
    let name = layout.map(|layout| convert::show(layout, a.vm))?;
    name.strip_prefix("torch.").filter(|name| name.starts_with("sparse")).map(str::to_string)
}

fn filled(call: Call<'_>, value: Option<i64>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.args()?;
    let o = Options::of(&a)?;
    if let Some(layout) = sparse_layout(&a) {
        return parts::created(name, &a.ints(0)?, o.dtype_or_default(), o.place(), &layout, o.requires_grad, vm);
    }
    let shape = sizes(name, &a.ints(0)?, o.dtype_or_default(), o.place()).or_raise(vm)?;
    let t = match value {
        Some(v) => create::full(&shape, Scalar::Int(v), o.dtype_or_default(), o.place()),
        None => Tensor::empty(&shape, o.dtype_or_default(), o.place()).and_then(create::unwritten),
    };
    o.finish(t, vm)
}

fn empty_strided(call: Call<'_>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.args()?;
    let o = Options::of(&a)?;
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
        create::unwritten(Tensor::empty_with(Layout { shape, strides, offset: 0 }, dtype, device, false)?)
    };
    o.finish(make(), vm)
}

fn full(call: Call<'_>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.args()?;
    let o = Options::of(&a)?;
    if let Some(layout) = sparse_layout(&a) {
        return parts::created(name, &a.ints(0)?, o.dtype_or_default(), o.place(), &layout, o.requires_grad, vm);
    }
    let value = a.number(1)?;
    let dtype = o.dtype.map_or_else(|| inferred(value), Ok).or_raise(vm)?;
    let shape = sizes(name, &a.ints(0)?, dtype, o.place()).or_raise(vm)?;
    o.finish(create::full(&shape, value, dtype, o.place()), vm)
}

fn like(call: Call<'_>, value: Option<i64>) -> PyResult {
    let (vm, call_name) = (call.vm, call.name);
    let a = call.args()?;
    let (t, mut o) = (a.tensor(0)?, Options::of(&a)?);
    if let Some(layout) = sparse_layout(&a) {
        (o.device, o.dtype) = (o.device.or(Some(t.device())), o.dtype.or(Some(t.dtype())));
        let size: Vec<i64> = t.shape().iter().map(|&n| n as i64).collect();
        return parts::created(
            call_name.trim_end_matches("_like"),
            &size,
            o.dtype_or_default(),
            o.place(),
            &layout,
            o.requires_grad,
            vm,
        );
    }
    let made = place_like(&t, &o).and_then(|out| {
        if let Some(v) = value {
            create::fill_data(&out, Scalar::Int(v))?;
            return Ok(out);
        }
        create::unwritten(out)
    });
    o.finish(made, vm)
}

/// An uninitialized tensor with the shape of `t`. Device, dtype and layout come from the options, or else from `t`.
pub(super) fn place_like(t: &Tensor, o: &Options) -> Result<Tensor> {
    let device = engine::current().resolve(o.device.unwrap_or(t.device()))?;
    let dtype = o.dtype.unwrap_or(t.dtype());
    match o.format.layout(&t.shape())? {
        Some(layout) => Tensor::empty_with(layout, dtype, device, false),
        None => create::empty_like_on(t, dtype, device),
    }
}

fn full_like(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, value, o) = (a.tensor(0)?, a.number(1)?, Options::of(&a)?);
    let made = place_like(&t, &o).and_then(|out| create::fill_data(&out, value).map(|()| out));
    o.finish(made, vm)
}

/// `t.new_zeros(2, 3)` and the like: dtype and device are those of `t`.
fn new_filled(call: Call<'_>, value: Option<i64>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.args()?;
    let (t, o) = (a.tensor(0)?, Options::of(&a)?);
    let (dtype, device) = (o.dtype.unwrap_or(t.dtype()), o.device.unwrap_or(t.device()));
    let shape = sizes(name, &a.ints(1)?, dtype, device).or_raise(vm)?;
    let made = match value {
        Some(v) => create::full(&shape, Scalar::Int(v), dtype, device),
        None => Tensor::empty(&shape, dtype, device).and_then(create::unwritten),
    };
    o.finish(made, vm)
}

fn new_full(call: Call<'_>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.args()?;
    let (t, o) = (a.tensor(0)?, Options::of(&a)?);
    let (dtype, device) = (o.dtype.unwrap_or(t.dtype()), o.device.unwrap_or(t.device()));
    let shape = sizes(name, &a.ints(1)?, dtype, device).or_raise(vm)?;
    o.finish(create::full(&shape, a.number(2)?, dtype, device), vm)
}

/// `t.new(2, 3)`, `t.new([1, 2])`: like `torch.Tensor`, with the dtype and the device of `t`.
fn new(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let first = call.positional().get(1).cloned();
    let a = call.args()?;
    let t = a.tensor(0)?;
    let device = a.device("device")?.unwrap_or(t.device());
    let data = |object: &PyObject| data::tensor_from(object, Some(t.dtype()), device, vm);
    let sized = |list: &[i64]| {
        let shape = create::sizes(list, t.dtype(), device).or_raise(vm)?;
        Tensor::empty(&shape, t.dtype(), device).or_raise(vm)
    };
    let made = if let Some(object) = a.get("data") {
        let kind = convert::type_name(object);
        if super::convert::text(object).is_some() {
            return Err(vm.new_type_error(format!("new(): invalid data type '{kind}'")));
        }
        if convert::number(object, vm)?.is_some() {
            return Err(vm.new_type_error(format!("new(): data must be a sequence (got {kind})")));
        }
        data(object)?
    } else if let Some(object) = a.get("other") {
        data(object)?
    } else {
        match a.get("size") {
            None => sized(&[0])?,
            // A sequence of integers is data, unless it's a `torch.Size`: then it's the new tensor's shape.
            Some(object) if first.is_some_and(|o| o.is(object)) && !super::shape::is_size(object) => data(object)?,
            Some(_) => sized(&a.ints("size")?)?,
        }
    };
    Ok(wrap(made, vm))
}

fn new_tensor(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, o) = (a.tensor(0)?, Options::of(&a)?);
    let Some(object) = a.get(1).cloned() else { return Err(a.wrong(1, "a sequence")) };
    if tensor_of(&object).is_some() {
        super::error::warn(&COPY_CONSTRUCT.replace("torch.tensor", "tensor.new_tensor"), vm)?;
    }
    let made = data::tensor_from(&object, Some(o.dtype.unwrap_or(t.dtype())), o.device.unwrap_or(t.device()), vm)?;
    o.finish(Ok(made), vm)
}

/// `torch.frombuffer`. Python code in between would hold the buffer as well, so there is none.
fn frombuffer(call: Call<'_>) -> PyResult {
    const READ_ONLY: &str = "The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write to the underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.";
    let vm = call.vm;
    // Nobody but this call: then a copy can't be told from memory that is shared.
    let is_held = call.positional().first().is_none_or(|o| o.strong_count() > 1);
    let a = call.bind(&["buffer", "*dtype", "*count", "*offset", "*requires_grad"], 2)?;
    let (Some(buffer), Some(dtype)) = (a.get(0), a.dtype(1)?) else { return Err(a.wrong(1, "torch.dtype")) };
    let bytes = if let Some(bytes) = buffer.downcast_ref::<PyBytes>() {
        super::error::warn_once(READ_ONLY, vm)?;
        bytes.as_bytes().to_vec()
    } else if let Some(bytes) = buffer.downcast_ref::<PyByteArray>().filter(|_| !is_held) {
        bytes.borrow_buf().to_vec()
    } else {
        let text = format!(
            "torch.frombuffer of a {} that the program keeps: tensors can't share its memory here. Copy it: torch.frombuffer(bytes(…), …)",
            convert::type_name(buffer)
        );
        return Err(super::error::not_implemented(&text, vm));
    };
    let (count, offset, size) = (a.int_or(2, -1)?, a.int_or(3, 0)?, dtype.size() as i64);
    let length = bytes.len() as i64;
    let wrong = |text: String| Err(vm.new_value_error(text));
    if length == 0 || count == 0 {
        return wrong(format!("both buffer length ({length}) and count ({count}) must not be 0"));
    }
    if offset < 0 || offset >= length {
        return wrong(format!(
            "offset ({offset} bytes) must be non-negative and no greater than buffer length ({length} bytes) minus 1"
        ));
    }
    if count < 0 && (length - offset) % size != 0 {
        return wrong(format!(
            "buffer length ({length} bytes) after offset ({offset} bytes) must be a multiple of element size ({size})"
        ));
    }
    let count = if count < 0 { (length - offset) / size } else { count };
    if count.checked_mul(size).and_then(|end| end.checked_add(offset)).is_none_or(|end| end > length) {
        return wrong(format!(
            "requested buffer length ({count} * {size} bytes) after offset ({offset} bytes) must not be greater than actual buffer length ({length} bytes)"
        ));
    }
    // Both are within the length now.
    let place = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
    let part = bytes.get(place(offset)..place(offset + count * size)).unwrap_or_default();
    let t = Tensor::from_bytes(part, &[place(count)], dtype, Device::CPU).or_raise(vm)?;
    if a.bool_or(4, false)? {
        t.set_requires_grad(true).or_raise(vm)?;
    }
    Ok(wrap(t, vm))
}

fn arange(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    // `arange(end)`, `arange(start, end)` and `arange(start, end, step)`.
    let given = |name: &str, default: i64| if a.takes(name) { a.scalar_or(name, default) } else { Ok(default.into()) };
    let (start, end, step) = (given("start", 0)?, a.scalar("end")?, given("step", 1)?);
    let o = Options::of(&a)?;
    o.finish(create::arange(start, end, step, o.dtype, o.place()), vm)
}

/// `torch.tensor`.
fn tensor(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let o = Options::of(&a)?;
    let Some(object) = a.get(0).cloned() else { return Err(a.wrong(0, "data")) };
    if let Some(t) = tensor_of(&object) {
        super::error::warn(COPY_CONSTRUCT, vm)?;
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
    let a = call.args()?;
    let object = a.required(0)?.clone();
    let (dtype, device) = (a.dtype("dtype")?, a.device("device")?);
    let flag =
        |name: &str| if a.takes(name) && a.some(name).is_some() { a.bool_or(name, false).map(Some) } else { Ok(None) };
    let (copy, requires_grad) = (flag("copy")?, flag("requires_grad")?);
    let place = device.or_else(default_device).unwrap_or(Device::CPU);
    let known = match tensor_of(&object) {
        Some(t) => Some((t.clone(), device)),
        None => super::arrays::adopted(&object, vm)?.map(|t| (t, Some(place))),
    };
    let made = match known {
        Some((t, device)) => {
            let want = ops::transfer::To { device, dtype, copy: copy == Some(true), ..ops::transfer::To::default() };
            ops::transfer::to(&t, want).or_raise(vm)?
        }
        None if copy == Some(false) => {
            return Err(vm.new_value_error("can't alias arbitrary sequence into a tensor."));
        }
        None => data::tensor_from(&object, dtype, place, vm)?,
    };
    if requires_grad == Some(true) {
        made.set_requires_grad(true).or_raise(vm)?;
    }
    Ok(wrap(made, vm))
}

fn scalar_tensor(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let o = Options::of(&a)?;
    o.finish(create::full(&[], a.number(0)?, o.dtype_or_default(), o.place()), vm)
}

fn spaced(call: Call<'_>, log: bool) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.args()?;
    let base = if log { a.f64_or("base", 10.0)? } else { 10.0 };
    let rank = |end: &str| a.get(end).and_then(|o| tensor_of(o)).map(|t| t.ndim());
    let found = match (rank("start"), rank("end")) {
        (Some(start), Some(end)) if start + end > 0 => {
            Some(format!("start with {start} dimension(s) and end with {end} dimension(s)"))
        }
        (Some(start), None) if start > 0 => Some(format!("start with {start} dimension(s)")),
        (None, Some(end)) if end > 0 => Some(format!("end with {end} dimension(s)")),
        _ => None,
    };
    if let Some(found) = found {
        return Err(
            vm.new_runtime_error(format!("{name} only supports 0-dimensional start and end tensors, but got {found}."))
        );
    }
    let o = Options::of(&a)?;
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
    let a = call.args()?;
    let o = Options::of(&a)?;
    let n = a.int(0)?;
    o.finish(create::eye(n, if a.takes("m") { a.int("m")? } else { n }, o.dtype_or_default(), o.place()), vm)
}

fn triangle_indices(call: Call<'_>, upper: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let o = Options::of(&a)?;
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
    ("_frombuffer", F, frombuffer),
    ("scalar_tensor", F, scalar_tensor),
]];
