//! Element types and PyTorch's promotion between them.
//!
//! Source of the rules: `torch.promote_types` and `torch.result_type` in PyTorch 2.15.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The element type of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DType {
    Bool,
    U8,
    I8,
    I16,
    U16,
    I32,
    U32,
    I64,
    F16,
    BF16,
    F32,
    F64,
    C64,
    C128,
}

/// The kinds that decide promotion between tensors of different rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    Bool,
    Integer,
    Float,
    Complex,
}

impl DType {
    /// The dtypes with which every executor computes.
    pub const ALL: [DType; 10] = [
        DType::Bool,
        DType::U8,
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::F16,
        DType::BF16,
        DType::F32,
        DType::F64,
    ];

    /// All dtypes, in the order of the declaration. Only the host has unsigned ones wider than 8 bits. Complex ones can be
    /// stored and moved everywhere, and the host computes with them ([`crate::executor::complex`]).
    pub(crate) const EVERY: [DType; 14] = [
        DType::Bool,
        DType::U8,
        DType::I8,
        DType::I16,
        DType::U16,
        DType::I32,
        DType::U32,
        DType::I64,
        DType::F16,
        DType::BF16,
        DType::F32,
        DType::F64,
        DType::C64,
        DType::C128,
    ];

    /// Bytes of one element in PyTorch's layout.
    pub const fn size(self) -> usize {
        match self {
            DType::Bool | DType::U8 | DType::I8 => 1,
            DType::I16 | DType::U16 | DType::F16 | DType::BF16 => 2,
            DType::I32 | DType::U32 | DType::F32 => 4,
            DType::I64 | DType::F64 | DType::C64 => 8,
            DType::C128 => 16,
        }
    }

    /// `float32`: the name after `torch.` in a repr.
    pub const fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::U8 => "uint8",
            DType::I8 => "int8",
            DType::I16 => "int16",
            DType::U16 => "uint16",
            DType::I32 => "int32",
            DType::U32 => "uint32",
            DType::I64 => "int64",
            DType::F16 => "float16",
            DType::BF16 => "bfloat16",
            DType::F32 => "float32",
            DType::F64 => "float64",
            DType::C64 => "complex64",
            DType::C128 => "complex128",
        }
    }

    /// `Float`: the name of the C++ scalar type, for error messages.
    pub(crate) const fn scalar_name(self) -> &'static str {
        match self {
            DType::Bool => "Bool",
            DType::U8 => "Byte",
            DType::I8 => "Char",
            DType::I16 => "Short",
            DType::U16 => "UInt16",
            DType::I32 => "Int",
            DType::U32 => "UInt32",
            DType::I64 => "Long",
            DType::F16 => "Half",
            DType::BF16 => "BFloat16",
            DType::F32 => "Float",
            DType::F64 => "Double",
            DType::C64 => "ComplexFloat",
            DType::C128 => "ComplexDouble",
        }
    }

    /// `float`: the name of the C type, for some older error messages ("expected m1 and m2 to have the same dtype, but got:
    /// float != double").
    pub(crate) const fn c_name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::U8 => "unsigned char",
            DType::I8 => "signed char",
            DType::I16 => "short int",
            DType::U16 => "short unsigned int",
            DType::I32 => "int",
            DType::U32 => "unsigned int",
            DType::I64 => "long int",
            DType::F16 => "c10::Half",
            DType::BF16 => "c10::BFloat16",
            DType::F32 => "float",
            DType::F64 => "double",
            DType::C64 => "c10::complex<float>",
            DType::C128 => "c10::complex<double>",
        }
    }

    /// `int64_t`: the name in errors about numbers that don't fit.
    pub(crate) const fn number_name(self) -> &'static str {
        match self {
            DType::U8 => "uint8_t",
            DType::I8 => "int8_t",
            DType::I16 => "int16_t",
            DType::U16 => "uint16_t",
            DType::I32 => "int",
            DType::U32 => "uint32_t",
            DType::I64 => "int64_t",
            other => other.c_name(),
        }
    }

    /// The largest finite number of a floating-point dtype, as float64.
    pub(crate) fn largest(self) -> f64 {
        match self {
            DType::F16 => f64::from(half::f16::MAX),
            DType::BF16 => f64::from(half::bf16::MAX),
            DType::F32 => f64::from(f32::MAX),
            _ => f64::MAX,
        }
    }

    pub(crate) const fn category(self) -> Category {
        match self {
            DType::Bool => Category::Bool,
            DType::F16 | DType::BF16 | DType::F32 | DType::F64 => Category::Float,
            DType::C64 | DType::C128 => Category::Complex,
            _ => Category::Integer,
        }
    }

    pub const fn is_float(self) -> bool {
        matches!(self.category(), Category::Float)
    }

    pub(crate) const fn is_complex(self) -> bool {
        matches!(self.category(), Category::Complex)
    }

    /// Whether it has fractions, and so may have gradients: a float or complex dtype.
    pub(crate) const fn is_inexact(self) -> bool {
        matches!(self.category(), Category::Float | Category::Complex)
    }

    /// Also true for bool, like PyTorch's `isIntegralType(t, includeBool=true)`.
    pub(crate) const fn is_integral(self) -> bool {
        !self.is_inexact()
    }

    /// The dtype of the real and imaginary parts of a complex dtype; any other dtype itself.
    pub const fn part(self) -> DType {
        match self {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            other => other,
        }
    }

    /// The complex dtype whose parts have this float dtype.
    ///
    /// # Errors
    /// `float16` and `bfloat16`, whose complex dtypes don't exist here; for other dtypes, `invalid default scalar
    /// type`.
    pub fn complex(self) -> Result<DType> {
        match self {
            DType::F32 | DType::C64 => Ok(DType::C64),
            DType::F64 | DType::C128 => Ok(DType::C128),
            DType::F16 => Err(Error::not_implemented("torch.complex32")),
            DType::BF16 => Err(Error::not_implemented("torch.bcomplex32")),
            _ => Err(Error::runtime("invalid default scalar type for complex")),
        }
    }

    /// Whether PyTorch has few operators and almost no promotion for it.
    pub(crate) const fn is_barebones(self) -> bool {
        matches!(self, DType::U16 | DType::U32)
    }

    /// # Errors
    /// PyTorch's error if the two have no common type.
    pub(crate) fn check_promotion(self, other: DType) -> Result<()> {
        let refused = |d: DType| matches!(d.category(), Category::Integer | Category::Complex);
        if self != other && (self.is_barebones() || other.is_barebones()) && refused(self) && refused(other) {
            return Err(Error::runtime(format!(
                "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote {} and {}",
                self.scalar_name(),
                other.scalar_name()
            )));
        }
        Ok(())
    }

    /// `torch.promote_types(self, other)`, for types that pass [`DType::check_promotion`].
    pub(crate) fn promote(self, other: DType) -> DType {
        use DType::*;
        if self == other {
            return self;
        }
        let (low, high) = if self < other { (self, other) } else { (other, self) };
        match (low, high) {
            (U8, I8) => I16,
            (F16, BF16) => F32,
            (F64, C64) => C128,
            _ => high,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "torch.{}", self.name())
    }
}

/// A Python number as an operand or a fill value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Scalar {
    Bool(bool),
    Int(i64),
    Float(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
}

impl Scalar {
    /// For a complex number, the real part. [`Scalar::fit`] says whether that is the entire number.
    pub fn as_f64(self) -> f64 {
        match self {
            Scalar::Bool(b) => b as u8 as f64,
            Scalar::Int(i) => i as f64,
            Scalar::Float(f) | Scalar::Complex(f, _) => f,
        }
    }

    /// Real and imaginary part.
    pub(crate) fn as_complex(self) -> (f64, f64) {
        match self {
            Scalar::Complex(re, im) => (re, im),
            other => (other.as_f64(), 0.0),
        }
    }

    pub(crate) fn conjugate(self) -> Scalar {
        match self {
            Scalar::Complex(re, im) => Scalar::Complex(re, -im),
            real => real,
        }
    }

    /// The number in the form that an element of `dtype` can hold: a complex one without an imaginary part becomes a
    /// float.
    ///
    /// # Errors
    /// It has an imaginary part and `dtype` can't hold one.
    pub fn fit(self, dtype: DType) -> Result<Scalar> {
        match self {
            Scalar::Complex(re, 0.0) if !dtype.is_complex() => Ok(Scalar::Float(re)),
            Scalar::Complex(..) if !dtype.is_complex() => Err(Error::runtime(format!(
                "value cannot be converted to type {} without overflow",
                dtype.number_name()
            ))),
            other => Ok(other),
        }
    }

    /// Truncates toward zero, saturating, like Rust's `as`.
    pub fn as_i64(self) -> i64 {
        match self {
            Scalar::Bool(b) => b as i64,
            Scalar::Int(i) => i,
            Scalar::Float(f) | Scalar::Complex(f, _) => f as i64,
        }
    }

    pub fn as_bool(self) -> bool {
        match self {
            Scalar::Bool(b) => b,
            Scalar::Int(i) => i != 0,
            Scalar::Float(f) => f != 0.0,
            Scalar::Complex(re, im) => re != 0.0 || im != 0.0,
        }
    }

    pub(crate) fn category(self) -> Category {
        match self {
            Scalar::Bool(_) => Category::Bool,
            Scalar::Int(_) => Category::Integer,
            Scalar::Float(_) => Category::Float,
            Scalar::Complex(..) => Category::Complex,
        }
    }
}

impl Scalar {
    /// Its dtype as an operand or as data. `default` is `torch.get_default_dtype()`. If the corresponding complex dtype
    /// doesn't exist here (see [`DType::complex`]), it's complex64; code that makes a tensor checks for that first.
    pub fn dtype(self, default: DType) -> DType {
        match self {
            Scalar::Bool(_) => DType::Bool,
            Scalar::Int(_) => DType::I64,
            Scalar::Float(_) => default,
            Scalar::Complex(..) => default.complex().unwrap_or(DType::C64),
        }
    }
}

impl From<f64> for Scalar {
    fn from(v: f64) -> Self {
        Scalar::Float(v)
    }
}
impl From<i64> for Scalar {
    fn from(v: i64) -> Self {
        Scalar::Int(v)
    }
}
impl From<bool> for Scalar {
    fn from(v: bool) -> Self {
        Scalar::Bool(v)
    }
}

/// The operands' parts in `torch.result_type`: tensors with dimensions outrank 0-dim tensors, which outrank Python
/// numbers, unless the lower rank has the higher category.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResultType {
    dim: Option<DType>,
    zero_dim: Option<DType>,
    number: Option<DType>,
}

impl ResultType {
    pub fn tensor(&mut self, dtype: DType, ndim: usize) {
        let slot = if ndim == 0 { &mut self.zero_dim } else { &mut self.dim };
        *slot = Some(slot.map_or(dtype, |d| d.promote(dtype)));
    }

    /// `default` is `torch.get_default_dtype()`, the dtype of a Python float.
    pub fn number(&mut self, value: Scalar, default: DType) {
        let dtype = value.dtype(default);
        self.number = Some(self.number.map_or(dtype, |d| d.promote(dtype)));
    }

    /// # Errors
    /// A complex number or 0-dim tensor together with a float16 or bfloat16 tensor, whose complex dtypes don't exist
    /// here.
    pub fn check(self) -> Result<()> {
        let ranks = [self.dim, self.zero_dim, self.number];
        let mut present = ranks.into_iter().flatten();
        match present.next() {
            Some(half @ (DType::F16 | DType::BF16)) if present.any(DType::is_complex) => half.complex().map(drop),
            _ => Ok(()),
        }
    }

    pub fn finish(self) -> DType {
        fn combine(high: Option<DType>, low: Option<DType>) -> Option<DType> {
            match (high, low) {
                // A complex number makes a float dtype complex and keeps its width.
                (Some(h), Some(l)) if l.is_complex() && h.is_float() => Some(h.promote(DType::C64)),
                (Some(h), Some(l)) if l.category() > h.category() => Some(h.promote(l)),
                (Some(h), _) => Some(h),
                (None, low) => low,
            }
        }
        combine(self.dim, combine(self.zero_dim, self.number)).unwrap_or(DType::F32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotes_as_pytorch() {
        assert_eq!(DType::U8.promote(DType::I8), DType::I16);
        assert_eq!(DType::F16.promote(DType::BF16), DType::F32);
        assert_eq!(DType::I64.promote(DType::F16), DType::F16);
        assert_eq!(DType::Bool.promote(DType::U8), DType::U8);
    }

    #[test]
    fn wide_unsigned_types_promote_with_few() {
        assert!(DType::U16.check_promotion(DType::F32).is_ok() && DType::U16.promote(DType::F32) == DType::F32);
        assert!(DType::U32.check_promotion(DType::Bool).is_ok() && DType::U32.promote(DType::Bool) == DType::U32);
        let error = DType::U16.check_promotion(DType::I32).unwrap_err();
        assert_eq!(
            error.message,
            "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote UInt16 and Int"
        );
        assert!(DType::EVERY.iter().enumerate().all(|(i, &d)| d as usize == i));
    }

    #[test]
    fn complex_types_promote_as_pytorch() {
        assert_eq!(DType::F64.promote(DType::C64), DType::C128);
        assert_eq!(DType::I64.promote(DType::C64), DType::C64);
        assert_eq!(DType::F32.promote(DType::C128), DType::C128);
        assert!(DType::U16.check_promotion(DType::C64).is_err());
        assert!(!DType::C64.is_integral() && !DType::C64.is_float());
        // torch.result_type(torch.ones(2), torch.tensor(1j, dtype=torch.complex128)), and with a float64 and a number.
        let mut r = ResultType::default();
        r.tensor(DType::F32, 1);
        r.tensor(DType::C128, 0);
        assert_eq!(r.finish(), DType::C64);
        let mut r = ResultType::default();
        r.tensor(DType::F64, 1);
        r.number(Scalar::Complex(0.0, 1.0), DType::F32);
        assert_eq!(r.finish(), DType::C128);
    }

    #[test]
    fn rank_decides_before_width() {
        let mut r = ResultType::default();
        r.tensor(DType::F16, 1);
        r.tensor(DType::F32, 0);
        assert_eq!(r.finish(), DType::F16);
        let mut r = ResultType::default();
        r.tensor(DType::I64, 1);
        r.number(Scalar::Float(1.5), DType::F32);
        assert_eq!(r.finish(), DType::F32);
    }
}
