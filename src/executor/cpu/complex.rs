//! The kernels that the host has for complex numbers, beyond those that work on the parts
//! ([`crate::executor::complex`]).

mod functions;

use super::dense::{self, Dense, Output};
use super::element::Compute;
use crate::dtype::{DType, Scalar};
use crate::executor::complex::{both, refused};
use crate::executor::{BinaryOp, Done, Kernel, Operand, ReduceOp, ScanOp, TernaryOp, UnaryOp, View};

/// Real and imaginary part.
pub(super) type Pair<T> = [T; 2];

/// # Errors
/// The kernel doesn't exist for `dtype`.
pub(super) fn launch(kernel: &Kernel<'_>, dtype: DType) -> Done {
    match kernel {
        Kernel::Unary { x, .. } if x.dtype == DType::C64 => unary::<f32>(kernel, dtype),
        Kernel::Unary { .. } => unary::<f64>(kernel, dtype),
        Kernel::Binary { compute: DType::C64, .. } => binary::<f32>(kernel, dtype),
        Kernel::Binary { compute: DType::C128, .. } => binary::<f64>(kernel, dtype),
        Kernel::Ternary { compute: DType::C64, .. } => ternary::<f32>(kernel, dtype),
        Kernel::Ternary { compute: DType::C128, .. } => ternary::<f64>(kernel, dtype),
        Kernel::Reduce { op: ReduceOp::Prod, x, dims, out, .. } if x.dtype == out.dtype => match x.dtype {
            DType::C64 => product_along::<f32>(x, dims, out),
            _ => product_along::<f64>(x, dims, out),
        },
        Kernel::Scan { op: ScanOp::Prod, x, dim, out } if x.dtype == out.dtype => match x.dtype {
            DType::C64 => running_product::<f32>(x, *dim, out),
            _ => running_product::<f64>(x, *dim, out),
        },
        _ => Err(refused(kernel, dtype)),
    }
}

/// The type of a part.
pub(super) trait Part: Compute + Default {
    const ZERO: Self;
    fn of(v: f64) -> Self;
    fn wide(self) -> f64;
    fn size(z: Pair<Self>) -> Self;
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

            fn wide(self) -> f64 {
                self as f64
            }

            fn size([re, im]: Pair<$t>) -> $t {
                re.hypot(im)
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

/// A function that is computed in double precision.
fn function(op: UnaryOp) -> Option<fn(Pair<f64>) -> Pair<f64>> {
    use functions as f;
    Some(match op {
        UnaryOp::Exp => f::exp,
        UnaryOp::Exp2 => f::exp2,
        UnaryOp::Expm1 => f::expm1,
        UnaryOp::Log => f::log,
        UnaryOp::Log2 => f::log2,
        UnaryOp::Log10 => f::log10,
        UnaryOp::Log1p => f::log1p,
        UnaryOp::Sqrt => f::sqrt,
        UnaryOp::Rsqrt => f::rsqrt,
        UnaryOp::Sin => f::sin,
        UnaryOp::Cos => f::cos,
        UnaryOp::Tan => f::tan,
        UnaryOp::Asin => f::asin,
        UnaryOp::Acos => f::acos,
        UnaryOp::Atan => f::atan,
        UnaryOp::Sinh => f::sinh,
        UnaryOp::Cosh => f::cosh,
        UnaryOp::Tanh => f::tanh,
        UnaryOp::Asinh => f::asinh,
        UnaryOp::Acosh => f::acosh,
        UnaryOp::Atanh => f::atanh,
        UnaryOp::Sigmoid => f::sigmoid,
        UnaryOp::Silu => f::silu,
        _ => return None,
    })
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
        UnaryOp::Square if complex => write_pairs(out, all.map(|z| T::product(z, z))),
        UnaryOp::Reciprocal if complex => write_pairs(out, all.map(|z| T::quotient([T::ONE, T::ZERO], z))),
        UnaryOp::LogicalNot if flag => write_flags(out, all.map(|z| z == [T::ZERO; 2])),
        UnaryOp::IsNan if flag => write_flags(out, all.map(|[re, im]| Compute::is_nan(re) || Compute::is_nan(im))),
        UnaryOp::IsInf if flag => write_flags(out, all.map(|[re, im]| T::is_infinite(re) || T::is_infinite(im))),
        UnaryOp::IsFinite if flag => write_flags(out, all.map(|[re, im]| T::is_finite(re) && T::is_finite(im))),
        _ => match function(*op).filter(|_| complex) {
            Some(f) => write_pairs(out, all.map(|z| f(z.map(T::wide)).map(T::of))),
            None => Err(refused(kernel, dtype)),
        },
    }
}

fn binary<T: Part>(kernel: &Kernel<'_>, dtype: DType) -> Done {
    let Kernel::Binary { op, a, b, out, .. } = kernel else { return Err(refused(kernel, dtype)) };
    let (a, b) = (Input::<T>::of(a)?, Input::<T>::of(b)?);
    let all = (0..out.numel()).map(|i| (a.at(i), b.at(i)));
    let zero = [T::ZERO; 2];
    match op {
        BinaryOp::Eq | BinaryOp::Ne if out.dtype == DType::Bool => {
            let wanted = matches!(op, BinaryOp::Eq);
            write_flags(out, all.map(|(x, y)| (x == y) == wanted))
        }
        BinaryOp::LogicalAnd if out.dtype == DType::Bool => write_flags(out, all.map(|(x, y)| x != zero && y != zero)),
        BinaryOp::LogicalOr if out.dtype == DType::Bool => write_flags(out, all.map(|(x, y)| x != zero || y != zero)),
        BinaryOp::LogicalXor if out.dtype == DType::Bool => {
            write_flags(out, all.map(|(x, y)| (x != zero) != (y != zero)))
        }
        _ if !out.dtype.is_complex() => Err(refused(kernel, dtype)),
        BinaryOp::Mul => write_pairs(out, all.map(|(x, y)| T::product(x, y))),
        BinaryOp::Div => write_pairs(out, all.map(|(x, y)| T::quotient(x, y))),
        // A number's power of 0 is 1; in a tensor of exponents, 0 is one like the others.
        BinaryOp::Pow if matches!(b, Input::Number(n) if n == zero) => write_pairs(out, all.map(|_| [T::ONE, T::ZERO])),
        BinaryOp::Pow => write_pairs(out, all.map(|(x, y)| functions::pow(x.map(T::wide), y.map(T::wide)).map(T::of))),
        BinaryOp::Axpy { alpha } => {
            let alpha = pair::<T>(*alpha);
            write_pairs(out, all.map(|(x, y)| T::sum(x, T::product(alpha, y))))
        }
        _ => Err(refused(kernel, dtype)),
    }
}

fn ternary<T: Part>(kernel: &Kernel<'_>, dtype: DType) -> Done {
    let Kernel::Ternary { op, a, b, c, out, .. } = kernel else { return Err(refused(kernel, dtype)) };
    if !out.dtype.is_complex() {
        return Err(refused(kernel, dtype));
    }
    let [a, b, c] = [Input::<T>::of(a)?, Input::<T>::of(b)?, Input::<T>::of(c)?];
    let all = (0..out.numel()).map(|i| (a.at(i), b.at(i), c.at(i)));
    let minus = |z: Pair<T>| z.map(|part| T::of(-1.0).times(part));
    match op {
        TernaryOp::Lerp => write_pairs(
            out,
            all.map(|(a, b, c)| {
                let way = T::sum(b, minus(a));
                match T::size(c) < T::of(0.5) {
                    true => T::sum(a, T::product(c, way)),
                    false => T::sum(b, minus(T::product(way, T::sum([T::ONE, T::ZERO], minus(c))))),
                }
            }),
        ),
        TernaryOp::Addcmul { value } => {
            let value = pair::<T>(*value);
            write_pairs(out, all.map(|(a, b, c)| T::sum(a, T::product(T::product(value, b), c))))
        }
        TernaryOp::Addcdiv { value } => {
            let value = pair::<T>(*value);
            write_pairs(out, all.map(|(a, b, c)| T::sum(a, T::quotient(T::product(value, b), c))))
        }
        _ => Err(refused(kernel, dtype)),
    }
}

/// The position in `out` of each element of `x`, both in logical order, where `out` has size 1 in the dimensions `dims`.
fn places<'a>(shape: &'a [usize], dims: &'a [bool]) -> impl Iterator<Item = usize> + 'a {
    let mut at = vec![0; shape.len()];
    (0..shape.iter().product::<usize>()).map(move |_| {
        let place =
            at.iter().zip(shape).zip(dims).fold(0, |place, ((i, n), &gone)| if gone { place } else { place * n + i });
        for (i, n) in at.iter_mut().zip(shape).rev() {
            *i += 1;
            if *i < *n {
                break;
            }
            *i = 0;
        }
        place
    })
}

fn product_along<T: Part>(x: &View<'_>, dims: &[bool], out: &View<'_>) -> Done {
    let input = Input::<T>::view(x)?;
    let mut products = dense::filled([T::ONE, T::ZERO], out.numel())?;
    for (i, place) in places(&x.shape, dims).enumerate() {
        products[place] = T::product(products[place], input.at(i));
    }
    write_pairs(out, products.into_iter())
}

fn running_product<T: Part>(x: &View<'_>, dim: usize, out: &View<'_>) -> Done {
    let input = Input::<T>::view(x)?;
    let step: usize = x.shape[dim + 1..].iter().product();
    let line = step * x.shape[dim];
    let mut products: Vec<Pair<T>> = dense::collected((0..x.numel()).map(|i| input.at(i)))?;
    for i in 0..products.len() {
        if i % line >= step {
            products[i] = T::product(products[i - step], products[i]);
        }
    }
    write_pairs(out, products.into_iter())
}
