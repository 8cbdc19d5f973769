//! cuBLASLt: products that also add a bias row.
//!
//! The library is asked only once for each kind of product which algorithm suits it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use cudarc::cublaslt::sys::cublasLtMatmulPreferenceAttributes_t::*;
use cudarc::cublaslt::sys::{self, cublasComputeType_t, cublasLtEpilogue_t, cublasLtHandle_t, cublasLtMatmulAlgo_t};
use cudarc::cublaslt::sys::{cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, cublasLtMatmulHeuristicResult_t};
use cudarc::cublaslt::sys::{cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, cublasLtMatrixLayout_t};
use cudarc::cublaslt::sys::{cublasLtReductionScheme_t, cublasStatus_t, cudaDataType_t, cudaStream_t};
use libloading::Library;

use super::super::kernels::{Product, Stored};
use super::super::library::{as_numbers, as_they_are, bindings};
use super::{Compute, Factor, Real, Status, Sums, Types, Workspace, operation, types_of};

as_numbers!(cublasStatus_t);
as_they_are!(cublasComputeType_t, cudaDataType_t, cublasLtMatmulDescAttributes_t, cublasLtMatmulPreferenceAttributes_t);
types_of!(sys);

bindings! {
    struct Functions of sys {
        create: cublasLtCreate(*mut cublasLtHandle_t) -> cublasStatus_t;
        destroy: cublasLtDestroy(cublasLtHandle_t) -> cublasStatus_t;
        describe: cublasLtMatmulDescCreate(*mut cublasLtMatmulDesc_t, cublasComputeType_t, cudaDataType_t) -> cublasStatus_t;
        set: cublasLtMatmulDescSetAttribute(
            cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, *const c_void, usize) -> cublasStatus_t;
        forget: cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t) -> cublasStatus_t;
        lay_out: cublasLtMatrixLayoutCreate(
            *mut cublasLtMatrixLayout_t, cudaDataType_t, u64, u64, i64) -> cublasStatus_t;
        forget_layout: cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t) -> cublasStatus_t;
        prefer: cublasLtMatmulPreferenceCreate(*mut cublasLtMatmulPreference_t) -> cublasStatus_t;
        set_preference: cublasLtMatmulPreferenceSetAttribute(
            cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, *const c_void, usize) -> cublasStatus_t;
        forget_preference: cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t) -> cublasStatus_t;
        heuristic: cublasLtMatmulAlgoGetHeuristic(
            cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
            cublasLtMatrixLayout_t, cublasLtMatmulPreference_t, c_int, *mut cublasLtMatmulHeuristicResult_t,
            *mut c_int) -> cublasStatus_t;
        matmul: cublasLtMatmul(
            cublasLtHandle_t, cublasLtMatmulDesc_t, *const c_void, *const c_void, cublasLtMatrixLayout_t, *const c_void,
            cublasLtMatrixLayout_t, *const c_void, *const c_void, cublasLtMatrixLayout_t, *mut c_void,
            cublasLtMatrixLayout_t, *const cublasLtMatmulAlgo_t, *mut c_void, usize, cudaStream_t) -> cublasStatus_t;
    }
}

const NOT_SUPPORTED: Status = cublasStatus_t::CUBLAS_STATUS_NOT_SUPPORTED as Status;

/// The minimum alignments of A, B, C and D.
const ALIGNMENTS: [cublasLtMatmulPreferenceAttributes_t; 4] = [
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES,
];

/// Everything that decides which algorithm suits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    types: Types,
    sizes: [usize; 6],
    transposed: [bool; 2],
    alignments: [u32; 4],
    workspace: usize,
}

impl Key {
    fn of(p: &Product, types: Types, workspace: usize) -> Key {
        Key {
            types,
            sizes: [p.m, p.n, p.k, p.left.leading, p.right.leading, p.out.leading],
            transposed: [p.left.transposed, p.right.transposed],
            // The bias and the result are combined in one alignment, because they're accessed together.
            alignments: [
                alignment(p.left.address),
                alignment(p.right.address),
                alignment(p.out.address),
                alignment(p.out.address | p.bias.unwrap_or_default()),
            ],
            workspace,
        }
    }
}

/// Descriptions of a product, its operands and its result.
struct Described {
    product: Made<cublasLtMatmulDesc_t>,
    a: Made<cublasLtMatrixLayout_t>,
    b: Made<cublasLtMatrixLayout_t>,
    out: Made<cublasLtMatrixLayout_t>,
}

/// A cuBLASLt handle, and the algorithms that it has chosen.
pub(super) struct Lt {
    handle: cublasLtHandle_t,
    functions: Functions,
    /// `None` if the library has no algorithm.
    known: RefCell<HashMap<Key, Option<cublasLtMatmulAlgo_t>>>,
}

type Destroy<D> = unsafe extern "C" fn(D) -> Status;
type SetAttribute<D, A> = unsafe extern "C" fn(D, A, *const c_void, usize) -> Status;

/// A description that the library made: of a product, of a matrix, or of what an algorithm may use. Destroyed when
/// dropped.
struct Made<D: Copy>(D, Destroy<D>);

impl<D: Copy> Drop for Made<D> {
    fn drop(&mut self) {
        // SAFETY: made by the library, and destroyed once.
        unsafe { (self.1)(self.0) };
    }
}

fn made<T>(
    name: &str,
    destroy: Destroy<*mut T>,
    make: impl FnOnce(*mut *mut T) -> Status,
) -> Result<Made<*mut T>, String> {
    let mut description = std::ptr::null_mut();
    said(name, make(&mut description))?;
    Ok(Made(description, destroy))
}

fn said(name: &str, status: Status) -> Result<(), String> {
    if status == 0 { Ok(()) } else { Err(format!("CUDA error: {name} failed with status {status}")) }
}

/// # Errors
/// The library's status.
fn put<D: Copy, A, T>(
    name: &str,
    set: SetAttribute<D, A>,
    description: &Made<D>,
    attribute: A,
    value: T,
) -> Result<(), String> {
    // SAFETY: the library copies the size of the attribute, which is the size of `T`.
    said(name, unsafe { set(description.0, attribute, (&raw const value).cast(), size_of::<T>()) })
}

/// The largest power of two, up to 256, that divides an address.
fn alignment(address: u64) -> u32 {
    1 << address.trailing_zeros().min(8)
}

impl Lt {
    /// `None` if cuBLASLt can't be initialized. The device's context is current.
    pub(super) fn start(library: Library) -> Option<Lt> {
        let functions = Functions::bind(library).ok()?;
        let mut handle = std::ptr::null_mut();
        // SAFETY: writes the handle, which `drop` destroys.
        let started = unsafe { (functions.create)(&mut handle) } == 0;
        started.then(|| Lt { handle, functions, known: RefCell::default() })
    }

    /// Whether the library has an algorithm for a product and its bias.
    ///
    /// # Errors
    /// The library's status.
    pub(super) fn has(&self, p: &Product, types: Types, workspace: usize) -> Result<bool, String> {
        let key = Key::of(p, types, workspace);
        let known = self.known.borrow().get(&key).map(Option::is_some);
        match known {
            Some(has) => Ok(has),
            None => Ok(self.algorithm(key, &self.describe(p, types)?)?.is_some()),
        }
    }

    /// Queues one product and its bias. Only if [`Lt::has`] returned true.
    ///
    /// # Errors
    /// The library's status.
    pub(super) fn run(&self, stream: *mut c_void, p: &Product, types: Types, lent: Workspace) -> Result<(), String> {
        let described = self.describe(p, types)?;
        let algorithm = self.algorithm(Key::of(p, types, lent.bytes), &described)?;
        let algorithm = algorithm.ok_or("CUDA error: cublasLtMatmul has no algorithm for this product")?;
        let (alpha, beta) = (Factor::of(p.alpha, types.scale), Factor::of(0.0, types.scale));
        let Described { product, a, b, out } = &described;
        // SAFETY: the descriptions live until the call returns, and it copies what it needs; the factors are read before it
        // returns; the matrices and the lent memory are ours.
        let status = unsafe {
            (self.functions.matmul)(
                self.handle,
                product.0,
                alpha.pointer(),
                p.left.address as *const c_void,
                a.0,
                p.right.address as *const c_void,
                b.0,
                beta.pointer(),
                p.out.address as *const c_void,
                out.0,
                p.out.address as *mut c_void,
                out.0,
                &algorithm,
                lent.address as *mut c_void,
                lent.bytes,
                stream.cast(),
            )
        };
        said("cublasLtMatmul", status)
    }

    fn describe(&self, p: &Product, types: Types) -> Result<Described, String> {
        let f = &self.functions;
        // SAFETY (both calls): the library makes a description.
        let product = made("cublasLtMatmulDescCreate", f.forget, |to| unsafe {
            (f.describe)(to, compute(types.compute), real(types.scale))
        })?;
        let name = "cublasLtMatmulDescSetAttribute";
        use cublasLtMatmulDescAttributes_t::*;
        put(name, f.set, &product, CUBLASLT_MATMUL_DESC_TRANSA, operation(p.left.transposed))?;
        put(name, f.set, &product, CUBLASLT_MATMUL_DESC_TRANSB, operation(p.right.transposed))?;
        put(name, f.set, &product, CUBLASLT_MATMUL_DESC_EPILOGUE, cublasLtEpilogue_t::CUBLASLT_EPILOGUE_BIAS)?;
        put(name, f.set, &product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, p.bias.unwrap_or_default())?;
        let layout = |m: &Stored, rows: usize, cols: usize| {
            let (rows, cols) = if m.transposed { (cols, rows) } else { (rows, cols) };
            made("cublasLtMatrixLayoutCreate", f.forget_layout, |to| unsafe {
                (f.lay_out)(to, real(types.data), rows as u64, cols as u64, m.leading as i64)
            })
        };
        let (a, b) = (layout(&p.left, p.m, p.k)?, layout(&p.right, p.k, p.n)?);
        let out = layout(&p.out, p.m, p.n)?;
        Ok(Described { product, a, b, out })
    }

    /// The algorithm for such a product. The library is asked if it hasn't been before.
    fn algorithm(&self, key: Key, described: &Described) -> Result<Option<cublasLtMatmulAlgo_t>, String> {
        let known = self.known.borrow().get(&key).copied();
        if let Some(algorithm) = known {
            return Ok(algorithm);
        }
        let found = self.ask(&key, described)?;
        self.known.borrow_mut().insert(key, found);
        Ok(found)
    }

    /// Asks the library for its algorithm.
    fn ask(&self, key: &Key, described: &Described) -> Result<Option<cublasLtMatmulAlgo_t>, String> {
        let f = &self.functions;
        // SAFETY: the library makes a description.
        let preference = made("cublasLtMatmulPreferenceCreate", f.forget_preference, |to| unsafe { (f.prefer)(to) })?;
        let name = "cublasLtMatmulPreferenceSetAttribute";
        put(name, f.set_preference, &preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, key.workspace as u64)?;
        let schemes = match key.types.reduction {
            Sums::Any => cublasLtReductionScheme_t::CUBLASLT_REDUCTION_SCHEME_MASK,
            Sums::Exact => cublasLtReductionScheme_t::CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE,
            Sums::Whole => cublasLtReductionScheme_t::CUBLASLT_REDUCTION_SCHEME_NONE,
        };
        put(name, f.set_preference, &preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, schemes)?;
        for (attribute, alignment) in ALIGNMENTS.into_iter().zip(key.alignments) {
            put(name, f.set_preference, &preference, attribute, alignment)?;
        }
        let Described { product, a, b, out } = described;
        let (mut found, mut count) = (MaybeUninit::<cublasLtMatmulHeuristicResult_t>::zeroed(), 0);
        let found = found.as_mut_ptr();
        // SAFETY: as in `run`; one result is requested.
        let status = unsafe {
            (f.heuristic)(self.handle, product.0, a.0, b.0, out.0, out.0, preference.0, 1, found, &mut count)
        };
        // SAFETY (both): at least set to zeros. The state is a status, so the complete result might not be a valid
        // value of its type.
        let (algorithm, state) = unsafe { ((*found).algo, (&raw const (*found).state).cast::<Status>().read()) };
        if status == NOT_SUPPORTED || status == 0 && (count == 0 || state != 0) {
            return Ok(None);
        }
        said("cublasLtMatmulAlgoGetHeuristic", status)?;
        Ok(Some(algorithm))
    }
}

impl Drop for Lt {
    fn drop(&mut self) {
        // SAFETY: created, and destroyed once.
        unsafe { (self.functions.destroy)(self.handle) };
    }
}
