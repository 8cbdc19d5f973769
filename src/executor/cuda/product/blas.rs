//! cuBLAS.

use std::ffi::{c_int, c_void};

use libloading::Library;

use super::super::kernels::Product;
use super::super::library::function;
use super::{Factor, Status, Sums, Types, Workspace};

type Handle = *mut c_void;

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

// Numbers of cuBLAS's header: cublasGemmAlgo_t, cublasMath_t.
const ALGORITHM: c_int = -1;
const MATH_DEFAULT: c_int = 0;
const MATH_DISALLOW_REDUCED_PRECISION_REDUCTION: c_int = 16;

/// A cuBLAS handle.
pub struct Blas {
    handle: Handle,
    set_stream: unsafe extern "C" fn(Handle, *mut c_void) -> Status,
    set_workspace: unsafe extern "C" fn(Handle, *mut c_void, usize) -> Status,
    set_math: unsafe extern "C" fn(Handle, c_int) -> Status,
    gemm: Gemm,
    destroy: unsafe extern "C" fn(Handle) -> Status,
    _library: Library,
}

impl Blas {
    /// `None` where it does not start. The device's context is current.
    pub fn start(library: Library) -> Option<Blas> {
        // SAFETY: the types are those of cuBLAS's header.
        unsafe {
            let create: unsafe extern "C" fn(*mut Handle) -> Status = function(&library, "cublasCreate_v2").ok()?;
            let mut blas = Blas {
                handle: std::ptr::null_mut(),
                set_stream: function(&library, "cublasSetStream_v2").ok()?,
                set_workspace: function(&library, "cublasSetWorkspace_v2").ok()?,
                set_math: function(&library, "cublasSetMathMode").ok()?,
                gemm: function(&library, "cublasGemmStridedBatchedEx").ok()?,
                destroy: function(&library, "cublasDestroy_v2").ok()?,
                _library: library,
            };
            (create(&mut blas.handle) == 0).then_some(blas)
        }
    }

    /// Queues a product without a bias row.
    ///
    /// # Errors
    /// The status of cuBLAS.
    pub fn run(&self, stream: *mut c_void, p: &Product, types: Types, lent: Workspace) -> Result<(), String> {
        let (alpha, beta) = (Factor::of(p.alpha, types.scale), Factor::of(p.beta, types.scale));
        // cuBLAS has one switch for both: without partial sums in 16 bits.
        let math = if types.reduction == Sums::Any { MATH_DEFAULT } else { MATH_DISALLOW_REDUCED_PRECISION_REDUCTION };
        // SAFETY: sizes fit (the lowering checked them), the factors are read before it returns, the matrices and the lent
        // memory are ours. Setting a stream takes lent memory away, so it comes first.
        let statuses = unsafe {
            [
                ("cublasSetStream", (self.set_stream)(self.handle, stream)),
                ("cublasSetWorkspace", (self.set_workspace)(self.handle, lent.address as *mut c_void, lent.bytes)),
                ("cublasSetMathMode", (self.set_math)(self.handle, math)),
                (
                    "cublasGemmStridedBatchedEx",
                    (self.gemm)(
                        self.handle,
                        p.left.transposed as c_int,
                        p.right.transposed as c_int,
                        p.m as c_int,
                        p.n as c_int,
                        p.k as c_int,
                        alpha.pointer(),
                        p.left.address as *const c_void,
                        types.data,
                        p.left.leading as c_int,
                        p.left.batch as i64,
                        p.right.address as *const c_void,
                        types.data,
                        p.right.leading as c_int,
                        p.right.batch as i64,
                        beta.pointer(),
                        p.out.address as *mut c_void,
                        types.data,
                        p.out.leading as c_int,
                        p.out.batch as i64,
                        p.batch as c_int,
                        types.compute,
                        ALGORITHM,
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
            unsafe { (self.destroy)(self.handle) };
        }
    }
}
