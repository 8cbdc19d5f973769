//! Matrix products by NVIDIA's libraries: cuBLASLt for those with a bias row, cuBLAS for all others, as in PyTorch.
//!
//! Both work in memory that the caller lends for the call, and queue everything on the caller's stream without waiting or
//! allocating, so that a CUDA graph can contain the calls.

mod blas;
mod lt;

use std::ffi::c_void;

use cudarc::cublas::sys::cublasOperation_t;
#[cfg(test)]
use libloading::Library;

use super::kernels::Product;
use super::library::{CUBLAS, CUBLASLT, NO_CUBLAS, NO_CUBLASLT};
use crate::dtype::DType;
use crate::executor::{Precision, Reduction16};

/// A `cublasStatus_t`. Newer versions may have values that aren't listed here.
type Status = u32;

/// Memory lent for a call: an address aligned to 256 bytes, and its size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workspace {
    pub address: u64,
    pub bytes: usize,
}

/// The types of a product, as the libraries need them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Types {
    /// The type of the elements in memory.
    data: Real,
    compute: Compute,
    /// The type of alpha and beta.
    scale: Real,
    reduction: Sums,
}

/// A `cudaDataType_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Real {
    R16F,
    R16BF,
    R32F,
    R64F,
}

/// A `cublasComputeType_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Compute {
    C16F,
    C32F,
    C32FFastTf32,
    C64F,
}

/// Converts types to those of one library's binding: each binding declares its own.
macro_rules! types_of {
    ($sys:ident) => {
        fn real(real: Real) -> $sys::cudaDataType_t {
            match real {
                Real::R16F => $sys::cudaDataType_t::CUDA_R_16F,
                Real::R16BF => $sys::cudaDataType_t::CUDA_R_16BF,
                Real::R32F => $sys::cudaDataType_t::CUDA_R_32F,
                Real::R64F => $sys::cudaDataType_t::CUDA_R_64F,
            }
        }

        fn compute(compute: Compute) -> $sys::cublasComputeType_t {
            match compute {
                Compute::C16F => $sys::cublasComputeType_t::CUBLAS_COMPUTE_16F,
                Compute::C32F => $sys::cublasComputeType_t::CUBLAS_COMPUTE_32F,
                Compute::C32FFastTf32 => $sys::cublasComputeType_t::CUBLAS_COMPUTE_32F_FAST_TF32,
                Compute::C64F => $sys::cublasComputeType_t::CUBLAS_COMPUTE_64F,
            }
        }
    };
}
use types_of;

/// How the partial sums of one element may be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sums {
    Any,
    Exact,
    Whole,
}

impl Types {
    fn of(dtype: DType, tf32: bool, precision: Precision) -> Types {
        let sums = |reduction| match reduction {
            Reduction16::Reduced => Sums::Any,
            Reduction16::Exact => Sums::Exact,
            Reduction16::Whole => Sums::Whole,
        };
        let (data, compute, scale, reduction) = match dtype {
            DType::F64 => (Real::R64F, Compute::C64F, Real::R64F, Sums::Any),
            DType::F16 if precision.float16_throughout => {
                (Real::R16F, Compute::C16F, Real::R16F, sums(precision.float16))
            }
            DType::F16 => (Real::R16F, Compute::C32F, Real::R32F, sums(precision.float16)),
            DType::BF16 => (Real::R16BF, Compute::C32F, Real::R32F, sums(precision.bfloat16)),
            _ if tf32 => (Real::R32F, Compute::C32FFastTf32, Real::R32F, Sums::Any),
            _ => (Real::R32F, Compute::C32F, Real::R32F, Sums::Any),
        };
        Types { data, compute, scale, reduction }
    }
}

fn operation(transposed: bool) -> cublasOperation_t {
    if transposed { cublasOperation_t::CUBLAS_OP_T } else { cublasOperation_t::CUBLAS_OP_N }
}

/// A factor in a product's scale type, at a place where the libraries can read it.
struct Factor([u8; 8]);

impl Factor {
    fn of(value: f64, scale: Real) -> Factor {
        let mut bytes = [0; 8];
        match scale {
            Real::R64F => bytes = value.to_le_bytes(),
            Real::R16F => bytes[..2].copy_from_slice(&half::f16::from_f64(value).to_le_bytes()),
            _ => bytes[..4].copy_from_slice(&(value as f32).to_le_bytes()),
        }
        Factor(bytes)
    }

    fn pointer(&self) -> *const c_void {
        self.0.as_ptr().cast()
    }
}

/// The libraries of one device.
pub(super) struct Products {
    blas: blas::Blas,
    lt: Option<lt::Lt>,
}

impl Products {
    /// Finds both libraries, and prints to standard error what is missing: results are the same without them, but
    /// slower. `None` without cuBLAS. The device's context is current.
    pub(super) fn find() -> Option<Products> {
        let Some(blas) = CUBLAS.load().and_then(blas::Blas::start) else {
            eprintln!("tensoryard: {NO_CUBLAS}");
            return None;
        };
        let lt = CUBLASLT.load().and_then(lt::Lt::start);
        if lt.is_none() {
            eprintln!("tensoryard: {NO_CUBLASLT}");
        }
        Some(Products { blas, lt })
    }

    /// Uses the given libraries; `None` if cuBLAS can't be initialized.
    #[cfg(test)]
    pub(crate) fn on(blas: Library, lt: Option<Library>) -> Option<Products> {
        Some(Products { blas: blas::Blas::start(blas)?, lt: lt.and_then(lt::Lt::start) })
    }

    /// Whether a product can add a bias row itself, using at most this many bytes. Nothing is queued.
    ///
    /// # Errors
    /// The library's error.
    pub(super) fn adds_bias(&self, p: &Product, precision: Precision, bytes: usize) -> Result<bool, String> {
        let Some(lt) = &self.lt else { return Ok(false) };
        lt.has(p, Types::of(p.dtype, p.tf32, precision), bytes)
    }

    /// Queues a product on a stream; with a bias row only if [`Products::adds_bias`] returned true.
    ///
    /// # Errors
    /// The libraries' errors.
    pub(super) fn run(
        &self,
        stream: *mut c_void,
        p: &Product,
        precision: Precision,
        lent: Workspace,
    ) -> Result<(), String> {
        let types = Types::of(p.dtype, p.tf32, precision);
        match (p.bias, &self.lt) {
            (None, _) => self.blas.run(stream, p, types, lent),
            (Some(_), Some(lt)) => lt.run(stream, p, types, lent),
            (Some(_), None) => Err(NO_CUBLASLT.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each switch changes only the products of its own dtype.
    #[test]
    fn cuda_switches_change_only_their_own_products() {
        let usual = Precision::default();
        let of = |dtype, precision: Precision| {
            let t = Types::of(dtype, precision.products_in_tf32, precision);
            (t.data, t.compute, t.scale, t.reduction)
        };
        let all = [DType::F32, DType::F64, DType::F16, DType::BF16];
        let exact = [
            (Real::R32F, Compute::C32F, Real::R32F, Sums::Any),
            (Real::R64F, Compute::C64F, Real::R64F, Sums::Any),
            (Real::R16F, Compute::C32F, Real::R32F, Sums::Any),
            (Real::R16BF, Compute::C32F, Real::R32F, Sums::Any),
        ];
        let changed = [
            (usual, None),
            (Precision { convolutions_in_tf32: false, ..usual }, None),
            (
                Precision { products_in_tf32: true, ..usual },
                Some((0, (Real::R32F, Compute::C32FFastTf32, Real::R32F, Sums::Any))),
            ),
            (
                Precision { float16_throughout: true, ..usual },
                Some((2, (Real::R16F, Compute::C16F, Real::R16F, Sums::Any))),
            ),
            (
                Precision { float16: Reduction16::Whole, ..usual },
                Some((2, (Real::R16F, Compute::C32F, Real::R32F, Sums::Whole))),
            ),
            (
                Precision { bfloat16: Reduction16::Exact, ..usual },
                Some((3, (Real::R16BF, Compute::C32F, Real::R32F, Sums::Exact))),
            ),
        ];
        for (precision, change) in changed {
            let mut expected = exact;
            if let Some((at, types)) = change {
                expected[at] = types;
            }
            assert_eq!(all.map(|dtype| of(dtype, precision)), expected, "{precision:?}");
        }
    }
}
