//! Elements as MPI combines them: the MPI type of each dtype, and the MPI operation of each [`Combine`].

use mpi::collective::SystemOperation;
use mpi::traits::Equivalence;

use super::Combine;
use crate::dtype::DType;
use crate::error::{Error, Result};

/// A type that MPI adds and compares.
pub(super) trait Element: Equivalence + Copy + Default + 'static {
    const SIZE: usize;

    fn read(bytes: &[u8]) -> Self;

    fn write(self, out: &mut Vec<u8>);

    /// The mean, from a sum. For integers the fraction is dropped, as in NCCL.
    fn over(self, members: usize) -> Self;
}

macro_rules! elements {
    ($($ty:ty),*) => {
        $(impl Element for $ty {
            const SIZE: usize = size_of::<$ty>();

            fn read(bytes: &[u8]) -> Self {
                <$ty>::from_le_bytes(bytes.try_into().expect("an element's bytes"))
            }

            fn write(self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }

            fn over(self, members: usize) -> Self {
                self / members as $ty
            }
        })*
    };
}

elements!(u8, i8, u16, i16, u32, i32, i64, f32, f64);

/// Dense bytes as values.
pub(super) fn values<T: Element>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(T::SIZE).map(T::read).collect()
}

/// Values as dense bytes.
pub(super) fn bytes<T: Element>(values: &[T]) -> Vec<u8> {
    let mut out = Vec::with_capacity(values.len() * T::SIZE);
    values.iter().for_each(|v| v.write(&mut out));
    out
}

/// Half-precision elements as single-precision ones, because they are combined in single precision.
pub(super) fn widened(data: &[u8], dtype: DType) -> Vec<f32> {
    let pairs = data.as_chunks::<2>().0.iter().copied();
    match dtype {
        DType::F16 => pairs.map(|b| half::f16::from_le_bytes(b).to_f32()).collect(),
        _ => pairs.map(|b| half::bf16::from_le_bytes(b).to_f32()).collect(),
    }
}

/// Back to half precision, rounded once.
pub(super) fn narrowed(values: &[f32], dtype: DType) -> Vec<u8> {
    let each = |&v: &f32| match dtype {
        DType::F16 => half::f16::from_f32(v).to_le_bytes(),
        _ => half::bf16::from_f32(v).to_le_bytes(),
    };
    values.iter().flat_map(each).collect()
}

/// MPI's operation.
///
/// # Errors
/// A bitwise operation on a dtype that has none.
pub(super) fn operation(op: Combine, dtype: DType) -> Result<SystemOperation> {
    let bits = |operation: SystemOperation, name: &str| match dtype.is_float() {
        true => Err(Error::runtime(format!("Cannot use ReduceOp.{name} with non-integral dtype"))),
        false => Ok(operation),
    };
    match op {
        // For booleans "or" and "and": a byte other than 0 and 1 isn't a boolean.
        Combine::Sum | Combine::Avg if dtype == DType::Bool => Ok(SystemOperation::max()),
        Combine::Product if dtype == DType::Bool => Ok(SystemOperation::min()),
        Combine::Sum | Combine::Avg => Ok(SystemOperation::sum()),
        Combine::Product => Ok(SystemOperation::product()),
        Combine::Min => Ok(SystemOperation::min()),
        Combine::Max => Ok(SystemOperation::max()),
        Combine::BitAnd => bits(SystemOperation::bitwise_and(), "BAND"),
        Combine::BitOr => bits(SystemOperation::bitwise_or(), "BOR"),
        Combine::BitXor => bits(SystemOperation::bitwise_xor(), "BXOR"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_is_rounded_once() {
        // 2049 is between two float16 numbers and is rounded to the even one; 1 + 2^-9 isn't a bfloat16 number.
        for (dtype, value, rounded) in [(DType::F16, 2049.0, 2048.0), (DType::BF16, 1.0 + 1.0 / 512.0, 1.0)] {
            assert_eq!(widened(&narrowed(&[value, -0.5], dtype), dtype), [rounded, -0.5], "{dtype}");
        }
    }

    #[test]
    fn a_mean_of_integers_has_no_fraction() {
        assert_eq!(((-7i32).over(2), 7u8.over(2), 7.0f32.over(2)), (-3, 3, 3.5));
    }

    #[test]
    fn bits_are_of_integers() {
        let text = operation(Combine::BitXor, DType::F32).err().map(|e| e.message);
        assert_eq!(text.as_deref(), Some("Cannot use ReduceOp.BXOR with non-integral dtype"));
        assert!(operation(Combine::BitXor, DType::I64).is_ok());
    }
}
