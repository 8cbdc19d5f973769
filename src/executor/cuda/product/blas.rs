//! cuBLAS.

use std::ffi::{c_int, c_longlong, c_void};

use cudarc::cublas::sys::{
    self, cublasComputeType_t, cublasGemmAlgo_t, cublasHandle_t, cublasMath_t, cublasOperation_t,
};
use cudarc::cublas::sys::{cublasStatus_t, cudaDataType_t, cudaStream_t};
use libloading::Library;

use super::super::kernels::Product;
use super::super::library::{as_numbers, as_they_are, bindings};
use super::{Compute, Factor, Real, Sums, Types, Workspace, operation, types_of};

as_numbers!(cublasStatus_t);
as_they_are!(cublasComputeType_t, cublasGemmAlgo_t, cublasMath_t, cublasOperation_t, cudaDataType_t);
types_of!(sys);

bindings! {
    struct Functions of sys {
        create: cublasCreate_v2(*mut cublasHandle_t) -> cublasStatus_t;
        set_stream: cublasSetStream_v2(cublasHandle_t, cudaStream_t) -> cublasStatus_t;
        set_workspace: cublasSetWorkspace_v2(cublasHandle_t, *mut c_void, usize) -> cublasStatus_t;
        set_math: cublasSetMathMode(cublasHandle_t, cublasMath_t) -> cublasStatus_t;
        gemm: cublasGemmStridedBatchedEx(
            cublasHandle_t, cublasOperation_t, cublasOperation_t, c_int, c_int, c_int, *const c_void,
            *const c_void, cudaDataType_t, c_int, c_longlong, *const c_void, cudaDataType_t, c_int, c_longlong,
            *const c_void, *mut c_void, cudaDataType_t, c_int, c_longlong, c_int,
            cublasComputeType_t, cublasGemmAlgo_t) -> cublasStatus_t;
        destroy: cublasDestroy_v2(cublasHandle_t) -> cublasStatus_t;
    }
}

/// A cuBLAS handle.
pub(super) struct Blas {
    handle: cublasHandle_t,
    functions: Functions,
}

impl Blas {
    /// `None` if cuBLAS can't be initialized. The device's context is current.
    pub(super) fn start(library: Library) -> Option<Blas> {
        let mut blas = Blas { handle: std::ptr::null_mut(), functions: Functions::bind(library).ok()? };
        // SAFETY: writes the handle, which `drop` destroys.
        let status = unsafe { (blas.functions.create)(&mut blas.handle) };
        (status == 0).then_some(blas)
    }

    /// Queues a product without a bias row.
    ///
    /// # Errors
    /// The status that cuBLAS returned.
    pub(super) fn run(&self, stream: *mut c_void, p: &Product, types: Types, lent: Workspace) -> Result<(), String> {
        let (alpha, beta) = (Factor::of(p.alpha, types.scale), Factor::of(p.beta, types.scale));
        // cuBLAS has one switch for both types: no partial sums in 16 bits.
        let math = match types.reduction {
            Sums::Any => cublasMath_t::CUBLAS_DEFAULT_MATH,
            _ => cublasMath_t::CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION,
        };
        let (f, data) = (&self.functions, real(types.data));
        // SAFETY: sizes fit (lowering checked them), the factors are read before the call returns, and the matrices and
        // the lent memory are ours. Setting a stream resets the lent memory, so it comes first.
        let statuses = unsafe {
            [
                ("cublasSetStream", (f.set_stream)(self.handle, stream.cast())),
                ("cublasSetWorkspace", (f.set_workspace)(self.handle, lent.address as *mut c_void, lent.bytes)),
                ("cublasSetMathMode", (f.set_math)(self.handle, math)),
                (
                    "cublasGemmStridedBatchedEx",
                    (f.gemm)(
                        self.handle,
                        operation(p.left.transposed),
                        operation(p.right.transposed),
                        p.m as c_int,
                        p.n as c_int,
                        p.k as c_int,
                        alpha.pointer(),
                        p.left.address as *const c_void,
                        data,
                        p.left.leading as c_int,
                        p.left.batch as c_longlong,
                        p.right.address as *const c_void,
                        data,
                        p.right.leading as c_int,
                        p.right.batch as c_longlong,
                        beta.pointer(),
                        p.out.address as *mut c_void,
                        data,
                        p.out.leading as c_int,
                        p.out.batch as c_longlong,
                        p.batch as c_int,
                        compute(types.compute),
                        cublasGemmAlgo_t::CUBLAS_GEMM_DFALT,
                    ),
                ),
            ]
        };
        match statuses.into_iter().find(|(_, status)| *status != 0) {
            None => Ok(()),
            Some((name, status)) => Err(format!("CUDA error: {name} failed with status {status}")),
        }
    }
}

impl Drop for Blas {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: created, and destroyed once.
            unsafe { (self.functions.destroy)(self.handle) };
        }
    }
}
