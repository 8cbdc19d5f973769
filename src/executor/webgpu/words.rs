//! Conversion between PyTorch's dense layout and the 32-bit words of a storage buffer.
//!
//! WGSL reads and writes storage only in 32-bit words. An element takes one word (bool and integers up to 32 bits as
//! `i32`, float16, bfloat16 and float32 as `f32`) or two (int64 and float64, low word first). A complex element takes
//! the words of its two parts.

use half::{bf16, f16};

use crate::dtype::{DType, Scalar};

/// The number of words of one element.
pub(super) const fn words_of(dtype: DType) -> usize {
    match dtype {
        DType::I64 | DType::F64 | DType::C64 => 2,
        DType::C128 => 4,
        _ => 1,
    }
}

/// Whether host bytes and words are the same.
pub(super) const fn is_plain(dtype: DType) -> bool {
    matches!(dtype, DType::I32 | DType::F32 | DType::I64 | DType::F64 | DType::C64 | DType::C128)
}

/// Words from host bytes of a dtype for which [`is_plain`] is false.
pub(super) fn widen(dtype: DType, bytes: &[u8]) -> Vec<u32> {
    let pairs = || bytes.as_chunks::<2>().0.iter().map(|b| u16::from_le_bytes([b[0], b[1]]));
    match dtype {
        DType::Bool => bytes.iter().map(|&b| (b != 0) as u32).collect(),
        DType::U8 => bytes.iter().map(|&b| b as u32).collect(),
        DType::I8 => bytes.iter().map(|&b| b as i8 as i32 as u32).collect(),
        DType::I16 => pairs().map(|b| b as i16 as i32 as u32).collect(),
        DType::F16 => pairs().map(|b| f16::from_bits(b).to_f32().to_bits()).collect(),
        DType::BF16 => pairs().map(|b| bf16::from_bits(b).to_f32().to_bits()).collect(),
        _ => bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect(),
    }
}

/// Host bytes from the bytes of words, little-endian. `out` decides how many elements.
pub(super) fn narrow(dtype: DType, words: &[u8], out: &mut [u8]) {
    let values = words.as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]));
    match dtype {
        DType::Bool | DType::U8 | DType::I8 => {
            for (o, w) in out.iter_mut().zip(values) {
                *o = w as u8;
            }
        }
        DType::I16 | DType::F16 | DType::BF16 => {
            for (o, w) in out.as_chunks_mut::<2>().0.iter_mut().zip(values) {
                let bits = match dtype {
                    DType::I16 => w as u16,
                    DType::F16 => f16::from_f32(f32::from_bits(w)).to_bits(),
                    _ => bf16::from_f32(f32::from_bits(w)).to_bits(),
                };
                o.copy_from_slice(&bits.to_le_bytes());
            }
        }
        _ => out.copy_from_slice(&words[..out.len()]),
    }
}

/// A number as the words of one element of `dtype`. If that is one word, the second is 0.
pub(super) fn scalar_words(value: Scalar, dtype: DType) -> [u32; 2] {
    let int = match value {
        // A float outside int64's range saturates. PyTorch refuses such fills earlier.
        Scalar::Float(f) => f as i64,
        other => other.as_i64(),
    };
    match dtype {
        DType::Bool => [value.as_bool() as u32, 0],
        DType::U8 => [int as u8 as u32, 0],
        DType::I8 => [int as i8 as i32 as u32, 0],
        DType::I16 => [int as i16 as i32 as u32, 0],
        DType::I32 | DType::U16 | DType::U32 => [int as u32, 0],
        DType::I64 => [int as u32, (int >> 32) as u32],
        DType::F16 => [f16::from_f64(value.as_f64()).to_f32().to_bits(), 0],
        DType::BF16 => [bf16::from_f64(value.as_f64()).to_f32().to_bits(), 0],
        DType::F32 => [(value.as_f64() as f32).to_bits(), 0],
        DType::F64 => {
            let bits = value.as_f64().to_bits();
            [bits as u32, (bits >> 32) as u32]
        }
        DType::C64 | DType::C128 => unreachable!("kernels know complex numbers by their parts only"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(dtype: DType, bytes: &[u8]) {
        let words = widen(dtype, bytes);
        let raw: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let mut back = vec![0; bytes.len()];
        narrow(dtype, &raw, &mut back);
        assert_eq!(back, bytes, "{dtype:?}");
    }

    #[test]
    fn every_byte_survives() {
        let all: Vec<u8> = (0..=255).collect();
        round_trip(DType::U8, &all);
        round_trip(DType::I8, &all);
        round_trip(DType::Bool, &[0, 1, 1, 0]);
        let pairs: Vec<u8> = (0..=0x7bffu16).flat_map(|v| v.to_le_bytes()).collect();
        round_trip(DType::I16, &pairs);
        round_trip(DType::F16, &pairs);
        round_trip(DType::BF16, &pairs);
    }

    #[test]
    fn numbers_become_words() {
        assert_eq!(scalar_words(Scalar::Int(-1), DType::I64), [u32::MAX, u32::MAX]);
        assert_eq!(scalar_words(Scalar::Int(-1), DType::U8), [255, 0]);
        assert_eq!(scalar_words(Scalar::Float(0.1), DType::F32), [0.1f32.to_bits(), 0]);
        assert_eq!(scalar_words(Scalar::Float(f64::NAN), DType::Bool), [1, 0]);
    }
}
