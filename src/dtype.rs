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
}

/// The three kinds that decide promotion between tensors of different rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    Bool,
    Integer,
    Float,
}

impl DType {
    /// Those that every executor computes with.
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

    /// All, in the order of the declaration. The unsigned ones beyond 8 bits are the host's alone.
    pub const EVERY: [DType; 12] = [
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
    ];

    /// Bytes of one element in PyTorch's layout.
    pub const fn size(self) -> usize {
        match self {
            DType::Bool | DType::U8 | DType::I8 => 1,
            DType::I16 | DType::U16 | DType::F16 | DType::BF16 => 2,
            DType::I32 | DType::U32 | DType::F32 => 4,
            DType::I64 | DType::F64 => 8,
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
        }
    }

    /// `Float`: the C++ scalar type name that error texts use.
    pub const fn scalar_name(self) -> &'static str {
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
        }
    }

    /// `float`: the C type name of some older error texts ("expected m1 and m2 to have the same dtype, but got: float != double").
    pub const fn c_name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::U8 => "unsigned char",
            DType::I8 => "signed char",
            DType::I16 => "short",
            DType::U16 => "unsigned short",
            DType::I32 => "int",
            DType::U32 => "unsigned int",
            DType::I64 => "long int",
            DType::F16 => "c10::Half",
            DType::BF16 => "c10::BFloat16",
            DType::F32 => "float",
            DType::F64 => "double",
        }
    }

    pub const fn category(self) -> Category {
        match self {
            DType::Bool => Category::Bool,
            DType::F16 | DType::BF16 | DType::F32 | DType::F64 => Category::Float,
            _ => Category::Integer,
        }
    }

    pub const fn is_float(self) -> bool {
        matches!(self.category(), Category::Float)
    }

    /// True for bool too, as PyTorch's `isIntegralType(t, includeBool=true)`.
    pub const fn is_integral(self) -> bool {
        !self.is_float()
    }

    /// Whether PyTorch only stores it, with few operators and next to no promotion.
    pub const fn is_barebones(self) -> bool {
        matches!(self, DType::U16 | DType::U32)
    }

    /// # Errors
    /// The text of PyTorch where the two have no common type.
    pub fn check_promotion(self, other: DType) -> Result<()> {
        let whole = |d: DType| d.category() == Category::Integer;
        if self != other && (self.is_barebones() || other.is_barebones()) && whole(self) && whole(other) {
            return Err(Error::runtime(format!(
                "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote {} and {}",
                self.scalar_name(),
                other.scalar_name()
            )));
        }
        Ok(())
    }

    /// `torch.promote_types(self, other)`, of types that pass [`DType::check_promotion`].
    pub fn promote(self, other: DType) -> DType {
        use DType::*;
        if self == other {
            return self;
        }
        let (low, high) = if self < other { (self, other) } else { (other, self) };
        match (low, high) {
            (U8, I8) => I16,
            (F16, BF16) => F32,
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
}

impl Scalar {
    pub fn as_f64(self) -> f64 {
        match self {
            Scalar::Bool(b) => b as u8 as f64,
            Scalar::Int(i) => i as f64,
            Scalar::Float(f) => f,
        }
    }

    /// Truncates towards zero, saturating, as Rust's `as` does.
    pub fn as_i64(self) -> i64 {
        match self {
            Scalar::Bool(b) => b as i64,
            Scalar::Int(i) => i,
            Scalar::Float(f) => f as i64,
        }
    }

    pub fn as_bool(self) -> bool {
        match self {
            Scalar::Bool(b) => b,
            Scalar::Int(i) => i != 0,
            Scalar::Float(f) => f != 0.0,
        }
    }

    pub fn category(self) -> Category {
        match self {
            Scalar::Bool(_) => Category::Bool,
            Scalar::Int(_) => Category::Integer,
            Scalar::Float(_) => Category::Float,
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

/// One operand's part in `torch.result_type`: tensors with dimensions outrank 0-dim tensors, which outrank Python numbers,
/// unless the lower rank has the higher category.
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

    /// `default` is `torch.get_default_dtype()`, the type of a Python float.
    pub fn number(&mut self, value: Scalar, default: DType) {
        let dtype = match value {
            Scalar::Bool(_) => DType::Bool,
            Scalar::Int(_) => DType::I64,
            Scalar::Float(_) => default,
        };
        self.number = Some(self.number.map_or(dtype, |d| d.promote(dtype)));
    }

    pub fn finish(self) -> DType {
        fn combine(high: Option<DType>, low: Option<DType>) -> Option<DType> {
            match (high, low) {
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

    // issue 3
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
