//! Element types, and the three types in which arithmetic is done.
//!
//! A kernel for every pair of ten dtypes would be a hundred copies of each loop. Instead, values are read into `f32`, `f64`
//! or `i64` (which holds every integer and bool exactly), computed there, and converted when they're written.

use half::{bf16, f16};

use crate::dtype::{DType, Scalar};

/// A bool in memory: one byte, 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub(super) struct Flag(pub u8);

/// A type that a buffer holds. Any bit pattern is a valid value.
pub(super) trait Element: Copy + Send + Sync + 'static {
    const DTYPE: DType;
    fn to_f32(self) -> f32;
    fn to_f64(self) -> f64;
    fn to_i64(self) -> i64;
    fn from_f32(v: f32) -> Self;
    fn from_f64(v: f64) -> Self;
    fn from_i64(v: i64) -> Self;
}

/// A type in which arithmetic is done.
pub(super) trait Compute: Element + Default + PartialOrd {
    const ONE: Self;
    fn load<S: Element>(s: S) -> Self;
    fn store<D: Element>(self) -> D;
    fn from_scalar(s: Scalar) -> Self;
    fn is_nan(self) -> bool;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

/// Converts float to integer as x86 does: toward zero; the result is the smallest integer if the value doesn't fit.
#[inline(always)]
fn truncate_i64(v: f64) -> i64 {
    if (-9223372036854775808.0..9223372036854775808.0).contains(&v) { v as i64 } else { i64::MIN }
}

#[inline(always)]
fn truncate_i32(v: f64) -> i32 {
    if v > -2147483649.0 && v < 2147483648.0 { v as i32 } else { i32::MIN }
}

macro_rules! integer_element {
    ($t:ty, $dtype:ident, $through:ident) => {
        impl Element for $t {
            const DTYPE: DType = DType::$dtype;
            #[inline(always)]
            fn to_f32(self) -> f32 {
                self as f32
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn to_i64(self) -> i64 {
                self as i64
            }
            #[inline(always)]
            fn from_f32(v: f32) -> Self {
                $through(v as f64) as $t
            }
            #[inline(always)]
            fn from_f64(v: f64) -> Self {
                $through(v) as $t
            }
            #[inline(always)]
            fn from_i64(v: i64) -> Self {
                v as $t
            }
        }
    };
}
integer_element!(i64, I64, truncate_i64);
integer_element!(i32, I32, truncate_i32);
integer_element!(i16, I16, truncate_i32);
integer_element!(i8, I8, truncate_i32);
integer_element!(u8, U8, truncate_i32);
integer_element!(u16, U16, truncate_i32);
integer_element!(u32, U32, truncate_i64);

impl Element for Flag {
    const DTYPE: DType = DType::Bool;
    #[inline(always)]
    fn to_f32(self) -> f32 {
        (self.0 != 0) as u8 as f32
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        (self.0 != 0) as u8 as f64
    }
    #[inline(always)]
    fn to_i64(self) -> i64 {
        (self.0 != 0) as i64
    }
    #[inline(always)]
    fn from_f32(v: f32) -> Self {
        Flag((v != 0.0) as u8)
    }
    #[inline(always)]
    fn from_f64(v: f64) -> Self {
        Flag((v != 0.0) as u8)
    }
    #[inline(always)]
    fn from_i64(v: i64) -> Self {
        Flag((v != 0) as u8)
    }
}

impl Element for f32 {
    const DTYPE: DType = DType::F32;
    #[inline(always)]
    fn to_f32(self) -> f32 {
        self
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn to_i64(self) -> i64 {
        truncate_i64(self as f64)
    }
    #[inline(always)]
    fn from_f32(v: f32) -> Self {
        v
    }
    #[inline(always)]
    fn from_f64(v: f64) -> Self {
        v as f32
    }
    #[inline(always)]
    fn from_i64(v: i64) -> Self {
        v as f32
    }
}

impl Element for f64 {
    const DTYPE: DType = DType::F64;
    #[inline(always)]
    fn to_f32(self) -> f32 {
        self as f32
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn to_i64(self) -> i64 {
        truncate_i64(self)
    }
    #[inline(always)]
    fn from_f32(v: f32) -> Self {
        v as f64
    }
    #[inline(always)]
    fn from_f64(v: f64) -> Self {
        v
    }
    #[inline(always)]
    fn from_i64(v: i64) -> Self {
        v as f64
    }
}

/// The half types are converted through f32, as in PyTorch.
macro_rules! half_element {
    ($t:ty, $dtype:ident, $widen:ident, $round:ident) => {
        impl Element for $t {
            const DTYPE: DType = DType::$dtype;
            #[inline(always)]
            fn to_f32(self) -> f32 {
                $widen(self.to_bits())
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                $widen(self.to_bits()) as f64
            }
            #[inline(always)]
            fn to_i64(self) -> i64 {
                truncate_i64($widen(self.to_bits()) as f64)
            }
            #[inline(always)]
            fn from_f32(v: f32) -> Self {
                <$t>::from_bits($round(v))
            }
            #[inline(always)]
            fn from_f64(v: f64) -> Self {
                <$t>::from_bits($round(v as f32))
            }
            #[inline(always)]
            fn from_i64(v: i64) -> Self {
                <$t>::from_bits($round(v as f32))
            }
        }
    };
}
half_element!(f16, F16, widen_f16, round_f16);
half_element!(bf16, BF16, widen_bf16, round_bf16);

// The conversions below have no branches, so that loops over them vectorize.

/// Moves the bits to where f32 has them. A product then corrects the exponent's bias, even for denormals.
#[inline(always)]
fn widen_f16(bits: u16) -> f32 {
    const REBIAS: f32 = f32::from_bits((127 + 112) << 23);
    let magnitude = ((bits & 0x7fff) as u32) << 13;
    let finite = (f32::from_bits(magnitude) * REBIAS).to_bits();
    let special = magnitude | 0x7f80_0000;
    let value = if magnitude >= 0x7c00 << 13 { special } else { finite };
    f32::from_bits(value | ((bits & 0x8000) as u32) << 16)
}

/// Rounds to nearest, ties to even. Results below the smallest normal number are rounded by adding a number whose last
/// place has the same unit as theirs.
#[inline(always)]
fn round_f16(v: f32) -> u16 {
    const DENORMAL: u32 = (127 - 15 + 23 - 10 + 1) << 23;
    let bits = v.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let special = if magnitude > 0x7f80_0000 { 0x7e00 } else { 0x7c00 };
    let small = (f32::from_bits(magnitude) + f32::from_bits(DENORMAL)).to_bits().wrapping_sub(DENORMAL);
    let odd = (magnitude >> 13) & 1;
    let normal = magnitude.wrapping_sub(112 << 23).wrapping_add(0xfff + odd) >> 13;
    let value = if magnitude < 113 << 23 { small } else { normal };
    let value = if magnitude >= 143 << 23 { special } else { value };
    (value | (bits >> 16) & 0x8000) as u16
}

#[inline(always)]
fn widen_bf16(bits: u16) -> f32 {
    f32::from_bits((bits as u32) << 16)
}

/// Rounds to nearest, ties to even.
#[inline(always)]
fn round_bf16(v: f32) -> u16 {
    let bits = v.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
    if v.is_nan() { 0x7fc0 } else { rounded as u16 }
}

macro_rules! compute {
    ($t:ty, $to:ident, $from:ident, $scalar:ident, $nan:expr, $add:expr, $mul:expr) => {
        impl Compute for $t {
            const ONE: Self = 1 as $t;
            #[inline(always)]
            fn load<S: Element>(s: S) -> Self {
                s.$to()
            }
            #[inline(always)]
            fn store<D: Element>(self) -> D {
                D::$from(self)
            }
            #[inline(always)]
            fn from_scalar(s: Scalar) -> Self {
                s.$scalar() as $t
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                $nan(self)
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                $add(self, other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                $mul(self, other)
            }
        }
    };
}
compute!(f32, to_f32, from_f32, as_f64, f32::is_nan, |a, b| a + b, |a, b| a * b);
compute!(f64, to_f64, from_f64, as_f64, f64::is_nan, |a, b| a + b, |a, b| a * b);
compute!(i64, to_i64, from_i64, as_i64, |_| false, i64::wrapping_add, i64::wrapping_mul);

/// Runs the body with `$T` the Rust type of a dtype.
macro_rules! with_element {
    ($dtype:expr, $T:ident => $body:expr) => {{
        use $crate::dtype::DType;
        match $dtype {
            DType::Bool => {
                type $T = $crate::executor::cpu::element::Flag;
                $body
            }
            DType::U8 => {
                type $T = u8;
                $body
            }
            DType::I8 => {
                type $T = i8;
                $body
            }
            DType::I16 => {
                type $T = i16;
                $body
            }
            DType::U16 => {
                type $T = u16;
                $body
            }
            DType::I32 => {
                type $T = i32;
                $body
            }
            DType::U32 => {
                type $T = u32;
                $body
            }
            DType::I64 => {
                type $T = i64;
                $body
            }
            DType::F16 => {
                type $T = half::f16;
                $body
            }
            DType::BF16 => {
                type $T = half::bf16;
                $body
            }
            DType::F32 => {
                type $T = f32;
                $body
            }
            DType::F64 => {
                type $T = f64;
                $body
            }
            // Kernels on complex tensors are split into parts or are in the file `complex`.
            DType::C64 | DType::C128 => unreachable!("complex numbers are no elements of their own here"),
        }
    }};
}

/// Runs the body with `$C` the type in which a dtype's arithmetic is done.
macro_rules! with_compute {
    ($dtype:expr, $C:ident => $body:expr) => {{
        use $crate::dtype::DType;
        match $dtype {
            DType::F32 | DType::F16 | DType::BF16 => {
                type $C = f32;
                $body
            }
            DType::F64 => {
                type $C = f64;
                $body
            }
            _ => {
                type $C = i64;
                $body
            }
        }
    }};
}

/// Like [`with_compute`], for kernels that exist only for floats. The fault names the kernel `$name`.
macro_rules! with_float {
    ($dtype:expr, $name:expr, $C:ident => $body:expr) => {{
        use $crate::dtype::DType;
        match $dtype {
            DType::F32 | DType::F16 | DType::BF16 => {
                type $C = f32;
                $body
            }
            DType::F64 => {
                type $C = f64;
                $body
            }
            other => Err($crate::executor::cpu::unsupported($name, other)),
        }
    }};
}

/// Runs the body with `$T` an unsigned integer as wide as a dtype, to copy elements without interpreting them.
macro_rules! with_width {
    ($dtype:expr, $T:ident => $body:expr) => {
        match $dtype.size() {
            1 => {
                type $T = u8;
                $body
            }
            2 => {
                type $T = u16;
                $body
            }
            4 => {
                type $T = u32;
                $body
            }
            _ => {
                type $T = u64;
                $body
            }
        }
    };
}

pub(crate) use {with_compute, with_element, with_float, with_width};

/// Whether every value of the compute type is a value of `dtype`, so that results need no rounding or wrapping.
pub(super) fn native(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F64 | DType::I64)
}

/// The dtype of the compute type, for kernels that only move values, which are exact already.
pub(super) fn widest(dtype: DType) -> DType {
    with_compute!(dtype, C => C::DTYPE)
}

/// A number as a value of the compute dtype. For the half types it stays an f32, like PyTorch's `opmath` scalars.
pub(super) fn number<C: Compute>(value: Scalar, compute: DType) -> C {
    if compute == DType::Bool {
        return C::from_i64(value.as_bool() as i64);
    }
    let mut values = [C::from_scalar(value)];
    if compute.is_integral() {
        narrow(compute, &mut values);
    }
    values[0]
}

/// Rounds or wraps values to those that `dtype` can hold.
pub(super) fn narrow<C: Compute>(dtype: DType, values: &mut [C]) {
    if native(dtype) {
        return;
    }
    with_element!(dtype, T => values.iter_mut().for_each(|v| *v = C::load((*v).store::<T>())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_halves_convert_as_the_half_crate() {
        for bits in 0..=u16::MAX {
            let (x, y) = (f16::from_bits(bits), bf16::from_bits(bits));
            assert!(x.is_nan() || Element::to_f32(x) == half::f16::to_f32(x), "{bits:x}");
            assert!(y.is_nan() || Element::to_f32(y) == half::bf16::to_f32(y), "{bits:x}");
        }
        let ties = (0..=u16::MAX).flat_map(|bits| {
            let value = f16::from_bits(bits).to_f32();
            let next = f16::from_bits(bits.wrapping_add(1)).to_f32();
            [value, (value + next) / 2.0, (value + next) / 2.0 * (1.0 + f32::EPSILON)]
        });
        for v in ties.chain((0..1 << 20).map(|i: u32| f32::from_bits(i.wrapping_mul(4099)))) {
            if !v.is_nan() {
                assert_eq!(<f16 as Element>::from_f32(v), half::f16::from_f32(v), "{v:e}");
                assert_eq!(<bf16 as Element>::from_f32(v), half::bf16::from_f32(v), "{v:e}");
            }
        }
        assert!(<f16 as Element>::from_f32(f32::NAN).is_nan() && <bf16 as Element>::from_f32(f32::NAN).is_nan());
    }

    #[test]
    fn cpu_floats_become_integers_as_in_pytorch() {
        // torch.tensor([nan, inf, 3e9, 300., -1.5]).to(dtype), recorded on x86.
        let values = [f32::NAN, f32::INFINITY, 3e9, 300.0, -1.5];
        assert_eq!(values.map(i64::from_f32), [i64::MIN, i64::MIN, 3_000_000_000, 300, -1]);
        assert_eq!(values.map(i32::from_f32), [i32::MIN, i32::MIN, i32::MIN, 300, -1]);
        assert_eq!(values.map(u8::from_f32), [0, 0, 0, 44, 255]);
        assert_eq!([f32::NAN, 0.0, -0.0, 0.5].map(|v| Flag::from_f32(v).0), [1, 0, 0, 1]);
    }
}
