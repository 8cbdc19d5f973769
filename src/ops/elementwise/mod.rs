//! Elementwise operators: broadcasting, promotion, in-place forms, gradients.

mod binary;
mod ternary;
mod unary;

pub use binary::*;
pub use ternary::*;
pub use unary::*;

use crate::device::Device;
use crate::dtype::{DType, ResultType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::Operand;
use crate::ops;
use crate::shape::{self, Dims};
use crate::tensor::{Pin, Tensor, destination};

/// An argument that may be a Python number.
#[derive(Clone)]
pub enum Arg {
    Tensor(Tensor),
    Number(Scalar),
}

impl Arg {
    /// The tensor; `None` for a number.
    pub fn tensor(&self) -> Option<&Tensor> {
        match self {
            Arg::Tensor(t) => Some(t),
            Arg::Number(_) => None,
        }
    }

    fn shape(&self) -> Dims {
        self.tensor().map_or_else(Dims::new, Tensor::shape)
    }

    fn requires_grad(&self) -> bool {
        self.tensor().is_some_and(Tensor::requires_grad)
    }
}

impl From<&Tensor> for Arg {
    fn from(t: &Tensor) -> Arg {
        Arg::Tensor(t.clone())
    }
}
impl From<Tensor> for Arg {
    fn from(t: Tensor) -> Arg {
        Arg::Tensor(t)
    }
}
impl From<Scalar> for Arg {
    fn from(s: Scalar) -> Arg {
        Arg::Number(s)
    }
}
impl From<f64> for Arg {
    fn from(v: f64) -> Arg {
        Arg::Number(Scalar::Float(v))
    }
}
impl From<i64> for Arg {
    fn from(v: i64) -> Arg {
        Arg::Number(Scalar::Int(v))
    }
}

/// The dtype of `a op b` before the operator's own rule.
///
/// # Errors
/// A complex number together with a float16 or bfloat16 tensor: their complex dtypes don't exist here.
pub(crate) fn result_type(args: &[&Arg]) -> Result<DType> {
    let mut r = ResultType::default();
    for a in args {
        match a {
            Arg::Tensor(t) => r.tensor(t.dtype(), t.ndim()),
            Arg::Number(n) => r.number(*n, engine::current().settings.default_dtype()),
        }
    }
    r.check()?;
    Ok(r.finish())
}

fn to_float(dtype: DType) -> DType {
    if dtype.is_inexact() { dtype } else { engine::current().settings.default_dtype() }
}

/// An operand, kept for one launch. A 0-dim CPU tensor in an operation on an accelerator is passed as a number.
enum Held {
    Pin(Pin),
    Number(Scalar),
}

impl Held {
    fn of(arg: &Arg, device: Device) -> Result<Held> {
        Ok(match arg {
            Arg::Number(n) => Held::Number(*n),
            Arg::Tensor(t) if t.device() != device && t.device().is_cpu() && t.ndim() == 0 => {
                Held::Number(ops::transfer::item(t, crate::trace::Why::Item)?)
            }
            Arg::Tensor(t) => Held::Pin(Pin::of(t)),
        })
    }

    fn operand(&self, shape: &[usize]) -> Result<Operand<'_>> {
        Ok(match self {
            Held::Number(n) => Operand::Scalar(*n),
            Held::Pin(pin) => Operand::View(pin.broadcast(shape)?),
        })
    }
}

fn joint_shape(args: &[&Arg]) -> Result<Dims> {
    let mut out = Dims::new();
    for a in args {
        out = shape::broadcast(&out, &a.shape())?;
    }
    Ok(out)
}

fn joint_device(args: &[&Arg]) -> Result<Device> {
    let tensors: smallvec::SmallVec<[&Tensor; 3]> = args.iter().filter_map(|a| a.tensor()).collect();
    ops::device::common(&tensors)
}

/// A tensor for the result, in the order of the operands' strides.
fn empty_result(args: &[&Arg], shape: &[usize], dtype: DType, device: Device) -> Result<Tensor> {
    if let Some(place) = destination::elementwise(shape, dtype, device) {
        return Ok(place);
    }
    let tensors: smallvec::SmallVec<[&Tensor; 3]> = args.iter().filter_map(|a| a.tensor()).collect();
    let layout = ops::layout::elementwise(shape, &tensors, tensors.len() < args.len());
    Tensor::empty_with(layout, dtype, device, false)
}

/// An in-place operator's output decides the device: only a 0-dim CPU tensor may be on another one.
fn check_in_place_device(a: &Tensor, others: &[&Arg]) -> Result<()> {
    let mut tensors: smallvec::SmallVec<[&Tensor; 3]> = smallvec::smallvec![a];
    tensors.extend(others.iter().filter_map(|o| o.tensor()));
    let device = ops::device::common(&tensors)?;
    if device != a.device() {
        return Err(Error::runtime(format!(
            "Expected all tensors to be on the same device, but found at least two devices, {device} and {}!",
            a.device()
        )));
    }
    Ok(())
}

/// # Errors
/// Operands that broadcast to another shape (`joined`) than that of the in-place operator's output.
pub(crate) fn check_in_place_shape(a: &Tensor, joined: &[usize]) -> Result<()> {
    if a.shape().as_slice() != joined {
        return Err(Error::runtime(format!(
            "output with shape {} doesn't match the broadcast shape {}",
            shape::show(&a.shape()),
            shape::show(joined)
        )));
    }
    Ok(())
}

/// Whether a result of dtype `from` may be written into a tensor of dtype `to`.
///
/// # Errors
/// The kind of `to` is lower: bool, integer, floating-point, complex.
pub(crate) fn check_cast(from: DType, to: DType) -> Result<()> {
    if from.category() > to.category() {
        return Err(Error::runtime(format!(
            "result type {} can't be cast to the desired output type {}",
            from.scalar_name(),
            to.scalar_name()
        )));
    }
    Ok(())
}
