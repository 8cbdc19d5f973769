//! Matrix products by cuBLAS.

use std::cell::Cell;
use std::ffi::{c_int, c_void};

use libloading::Library;

use super::kernels::Product;
use super::library::{CUBLAS, function};
use crate::dtype::DType;

type Handle = *mut c_void;
type Status = c_int;

/// `cublasGemmStridedBatchedEx`.
type Gemm = unsafe extern "C" fn(
    Handle,
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    *const c_void,
    *const c_void,
    c_int,
    c_int,
    i64,
    *const c_void,
    c_int,
    c_int,
    i64,
    *const c_void,
    *mut c_void,
    c_int,
    c_int,
    i64,
    c_int,
    c_int,
    c_int,
) -> Status;

// Numbers of cuBLAS's header: cudaDataType_t, cublasComputeType_t, cublasGemmAlgo_t.
const R_32F: c_int = 0;
const R_64F: c_int = 1;
const R_16F: c_int = 2;
const R_16BF: c_int = 14;
const COMPUTE_32F: c_int = 68;
const COMPUTE_64F: c_int = 70;
const COMPUTE_32F_FAST_TF32: c_int = 77;
const ALGORITHM: c_int = -1;

/// A cuBLAS handle.
pub struct Blas {
    handle: Handle,
    /// The stream that it works on, and how that is changed.
    stream: Cell<*mut c_void>,
    set: unsafe extern "C" fn(Handle, *mut c_void) -> Status,
    gemm: Gemm,
    destroy: unsafe extern "C" fn(Handle) -> Status,
    _library: Library,
}

impl Blas {
    /// `None` where there is no cuBLAS, or it does not start. The device's context is current.
    pub fn load(stream: *mut c_void) -> Option<Blas> {
        let library = CUBLAS.load()?;
        // SAFETY: the types are those of cuBLAS's header.
        unsafe {
            let create: unsafe extern "C" fn(*mut Handle) -> Status = function(&library, "cublasCreate_v2").ok()?;
            let set: unsafe extern "C" fn(Handle, *mut c_void) -> Status =
                function(&library, "cublasSetStream_v2").ok()?;
            let destroy = function(&library, "cublasDestroy_v2").ok()?;
            let gemm = function(&library, "cublasGemmStridedBatchedEx").ok()?;
            let mut handle: Handle = std::ptr::null_mut();
            if create(&mut handle) != 0 {
                return None;
            }
            let blas = Blas { handle, stream: Cell::new(stream), set, gemm, destroy, _library: library };
            (set(handle, stream) == 0).then_some(blas)
        }
    }

    /// Queues a product on a stream. Floats are multiplied and added in float32, or, if allowed, multiplied in TF32; halves are added in
    /// float32.
    ///
    /// # Errors
    /// The status of cuBLAS.
    pub fn run(&self, stream: *mut c_void, p: &Product, tf32: bool) -> Result<(), String> {
        // SAFETY: a stream of the handle's device.
        if self.stream.replace(stream) != stream && unsafe { (self.set)(self.handle, stream) } != 0 {
            return Err("CUDA error: cublasSetStream failed".into());
        }
        let (data, compute) = types(p.dtype, tf32);
        let (single, double) = ([p.alpha as f32, p.beta as f32], [p.alpha, p.beta]);
        let factor = |i: usize| -> *const c_void {
            if compute == COMPUTE_64F { (&raw const double[i]).cast() } else { (&raw const single[i]).cast() }
        };
        // SAFETY: sizes fit (the lowering checked them), the factors are read before it returns, the matrices are ours.
        let status = unsafe {
            (self.gemm)(
                self.handle,
                p.left.transposed as c_int,
                p.right.transposed as c_int,
                p.m as c_int,
                p.n as c_int,
                p.k as c_int,
                factor(0),
                p.left.address as *const c_void,
                data,
                p.left.leading as c_int,
                p.left.batch as i64,
                p.right.address as *const c_void,
                data,
                p.right.leading as c_int,
                p.right.batch as i64,
                factor(1),
                p.out.address as *mut c_void,
                data,
                p.out.leading as c_int,
                p.out.batch as i64,
                p.batch as c_int,
                compute,
                ALGORITHM,
            )
        };
        match status {
            0 => Ok(()),
            status => Err(format!("CUDA error: cublasGemmStridedBatchedEx failed with status {status}")),
        }
    }
}

/// cuBLAS's numbers for what lies in memory and for how it is multiplied.
fn types(dtype: DType, tf32: bool) -> (c_int, c_int) {
    match dtype {
        DType::F64 => (R_64F, COMPUTE_64F),
        DType::F16 => (R_16F, COMPUTE_32F),
        DType::BF16 => (R_16BF, COMPUTE_32F),
        _ if tf32 => (R_32F, COMPUTE_32F_FAST_TF32),
        _ => (R_32F, COMPUTE_32F),
    }
}

impl Drop for Blas {
    fn drop(&mut self) {
        // SAFETY: created, and destroyed once.
        unsafe { (self.destroy)(self.handle) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue 5: only float32 is affected.
    #[test]
    fn only_float32_is_multiplied_in_tf32() {
        assert_eq!(types(DType::F32, false), (R_32F, COMPUTE_32F));
        assert_eq!(types(DType::F32, true), (R_32F, COMPUTE_32F_FAST_TF32));
        for dtype in [DType::F64, DType::F16, DType::BF16] {
            assert_eq!(types(dtype, true), types(dtype, false));
        }
    }
}
