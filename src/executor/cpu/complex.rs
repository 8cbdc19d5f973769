//! The kernels that the host has for complex numbers, beyond those that work on the parts
//! ([`crate::executor::complex`]).

use super::dense::{self, Dense, Output};
use super::element::Compute;
use crate::dtype::{DType, Scalar};
use crate::executor::complex::{both, refused};
use crate::executor::{BinaryOp, Done, Kernel, Operand, UnaryOp, View};

/// Real and imaginary part.
type Pair<T> = [T; 2];

/// # Errors
/// The kernel doesn't exist for `dtype`.
pub(super) fn launch(kernel: &Kernel<'_>, dtype: DType) -> Done {
    match kernel {
        Kernel::Unary { x, .. } if x.dtype == DType::C64 => unary::<f32>(kernel, dtype),
        Kernel::Unary { .. } => unary::<f64>(kernel, dtype),
        Kernel::Binary { compute: DType::C64, .. } => binary::<f32>(kernel, dtype),
        Kernel::Binary { compute: DType::C128, .. } => binary::<f64>(kernel, dtype),
        _ => Err(refused(kernel, dtype)),
    }
}

/// The type of a part.
trait Part: Compute + Default {
    const ZERO: Self;
    fn of(v: f64) -> Self;
    fn size(z: Pair<Self>) -> Self;
    fn exp(z: Pair<Self>) -> Pair<Self>;
    fn product(a: Pair<Self>, b: Pair<Self>) -> Pair<Self>;
    fn sum(a: Pair<Self>, b: Pair<Self>) -> Pair<Self>;
    fn quotient(a: Pair<Self>, b: Pair<Self>) -> Pair<Self>;
    fn is_finite(self) -> bool;
    fn is_infinite(self) -> bool;
}

macro_rules! part {
    ($t:ty) => {
        impl Part for $t {
            const ZERO: $t = 0.0;

            fn of(v: f64) -> $t {
                v as $t
            }

            fn size([re, im]: Pair<$t>) -> $t {
                re.hypot(im)
            }

            fn exp([re, im]: Pair<$t>) -> Pair<$t> {
                let scale = re.exp();
                if im == 0.0 { [scale, im] } else { [scale * im.cos(), scale * im.sin()] }
            }

            fn product([a, b]: Pair<$t>, [c, d]: Pair<$t>) -> Pair<$t> {
                [a * c - b * d, a * d + b * c]
            }

            fn sum([a, b]: Pair<$t>, [c, d]: Pair<$t>) -> Pair<$t> {
                [a + c, b + d]
            }

            /// Scaled by the larger part of the divisor, so that squares neither overflow nor underflow.
            fn quotient([a, b]: Pair<$t>, [c, d]: Pair<$t>) -> Pair<$t> {
                if c.abs() >= d.abs() {
                    if c == 0.0 && d == 0.0 {
                        return [a / c.abs(), b / d.abs()];
                    }
                    let ratio = d / c;
                    let scale = 1.0 / (c + d * ratio);
                    [(a + b * ratio) * scale, (b - a * ratio) * scale]
                } else {
                    let ratio = c / d;
                    let scale = 1.0 / (c * ratio + d);
                    [(a * ratio + b) * scale, (b * ratio - a) * scale]
                }
            }

            fn is_finite(self) -> bool {
                <$t>::is_finite(self)
            }

            fn is_infinite(self) -> bool {
                <$t>::is_infinite(self)
            }
        }
    };
}
part!(f32);
part!(f64);

/// An operand's elements in logical order.
enum Input<T: Compute> {
    Complex(Dense<T>),
    Real(Dense<T>),
    Number(Pair<T>),
}

impl<T: Part> Input<T> {
    fn of(operand: &Operand<'_>) -> Done<Input<T>> {
        match operand {
            Operand::View(v) => Input::view(v),
            Operand::Scalar(value) => Ok(Input::Number(pair(*value))),
        }
    }

    fn view(v: &View<'_>) -> Done<Input<T>> {
        Ok(match v.dtype.is_complex() {
            true => Input::Complex(dense::read_view(&both(v))?),
            false => Input::Real(dense::read_view(v)?),
        })
    }

    fn at(&self, i: usize) -> Pair<T> {
        match self {
            Input::Complex(all) => [all[2 * i], all[2 * i + 1]],
            Input::Real(all) => [all[i], T::ZERO],
            Input::Number(value) => *value,
        }
    }
}

fn pair<T: Part>(value: Scalar) -> Pair<T> {
    let (re, im) = value.as_complex();
    [T::of(re), T::of(im)]
}

/// Writes values that were all computed before the first is written, because the output may be an operand.
fn write<C: Compute>(out: &View<'_>, values: Vec<C>) -> Done {
    let mut to = Output::new(out)?;
    to.copy_from_slice(&values);
    to.finish();
    Ok(())
}

/// Both parts of each number, one after the other.
fn pairs<T: Part>(values: impl Iterator<Item = Pair<T>>) -> Done<Vec<T>> {
    let (least, most) = values.size_hint();
    let mut parts = dense::room(2 * most.unwrap_or(least))?;
    values.for_each(|pair| parts.extend(pair));
    Ok(parts)
}

fn write_pairs<T: Part>(out: &View<'_>, values: impl Iterator<Item = Pair<T>>) -> Done {
    write(&both(out), pairs(values)?)
}

fn write_flags(out: &View<'_>, values: impl Iterator<Item = bool>) -> Done {
    write(out, dense::collected(values.map(i64::from))?)
}

fn unary<T: Part>(kernel: &Kernel<'_>, dtype: DType) -> Done {
    let Kernel::Unary { op, x, out, .. } = kernel else { return Err(refused(kernel, dtype)) };
    if !x.dtype.is_complex() {
        return Err(refused(kernel, dtype));
    }
    let input = Input::<T>::view(x)?;
    let all = (0..x.numel()).map(|i| input.at(i));
    let (complex, flag) = (out.dtype.is_complex(), out.dtype == DType::Bool);
    match op {
        UnaryOp::Abs if out.dtype.is_float() => write(out, dense::collected(all.map(T::size))?),
        UnaryOp::Exp if complex => write_pairs(out, all.map(T::exp)),
        UnaryOp::Square if complex => write_pairs(out, all.map(|z| T::product(z, z))),
        UnaryOp::Reciprocal if complex => write_pairs(out, all.map(|z| T::quotient([T::ONE, T::ZERO], z))),
        UnaryOp::IsNan if flag => write_flags(out, all.map(|[re, im]| Compute::is_nan(re) || Compute::is_nan(im))),
        UnaryOp::IsInf if flag => write_flags(out, all.map(|[re, im]| T::is_infinite(re) || T::is_infinite(im))),
        UnaryOp::IsFinite if flag => write_flags(out, all.map(|[re, im]| T::is_finite(re) && T::is_finite(im))),
        _ => Err(refused(kernel, dtype)),
    }
}

fn binary<T: Part>(kernel: &Kernel<'_>, dtype: DType) -> Done {
    let Kernel::Binary { op, a, b, out, .. } = kernel else { return Err(refused(kernel, dtype)) };
    let (a, b) = (Input::<T>::of(a)?, Input::<T>::of(b)?);
    let all = (0..out.numel()).map(|i| (a.at(i), b.at(i)));
    match op {
        BinaryOp::Eq | BinaryOp::Ne if out.dtype == DType::Bool => {
            let wanted = matches!(op, BinaryOp::Eq);
            write_flags(out, all.map(|(x, y)| (x == y) == wanted))
        }
        _ if !out.dtype.is_complex() => Err(refused(kernel, dtype)),
        BinaryOp::Mul => write_pairs(out, all.map(|(x, y)| T::product(x, y))),
        BinaryOp::Div => write_pairs(out, all.map(|(x, y)| T::quotient(x, y))),
        BinaryOp::Axpy { alpha } => {
            let alpha = pair::<T>(*alpha);
            write_pairs(out, all.map(|(x, y)| T::sum(x, T::product(alpha, y))))
        }
        _ => Err(refused(kernel, dtype)),
    }
}
